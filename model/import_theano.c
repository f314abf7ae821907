/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * import_theano.c: reads the profiles that Theano, Aesara and PyTensor print, of all releases, and
 * that proftop prints in their words: model/summary.c has the layout. Indents do not count: copies
 * of web pages have lost them, and have joined the title of a table to the line before it.
 */
#include "model/import_text.h"

#include <string.h>

#include "model/state.h"

enum place { OUTSIDE, HEAD, TABLE, AFTER, MEMORY };
enum { BAD_LINES = 8 }; /* after so many in a row, a table has ended */

/* ---------------------------------------------------------------------------------------- heads */

static const char sum_of_all[] = "Sum of all(";

static void set_name(struct model_importing *in, struct model_bytes name)
{
    struct model_profile *profile = &in->profiles.one[in->profiles.count - 1];
    const struct model_bytes text = model_bytes_trim(name);
    size_t colon = text.size;
    while (colon > 0 && text.data[colon - 1] >= '0' && text.data[colon - 1] <= '9')
        colon--;
    profile->sum = model_bytes_begin(text, sum_of_all);
    if (model_bytes_equal(text, "None"))
        return;
    if (colon > 1 && colon < text.size && text.data[colon - 1] == ':') {
        profile->file =
            model_profiles_text(&in->profiles, (struct model_bytes){text.data, colon - 1});
        profile->file_size = colon - 1;
        profile->file_line = (uint32_t)model_whole_read(model_bytes_from(text, colon));
        return;
    }
    profile->name = model_profiles_text(&in->profiles, text);
    profile->name_size = text.size;
}

static void take_message(struct model_importing *in, struct model_profile *profile,
                         struct model_bytes rest)
{
    if (!profile->scan)
        set_name(in, rest);
}

static struct model_bytes behind(struct model_bytes text, const char *word)
{
    const size_t at = model_bytes_find(text, word);
    return at == SIZE_MAX ? model_bytes_from(text, text.size)
                          : model_bytes_from(text, at + strlen(word));
}

static void take_calls(struct model_importing *in, struct model_profile *profile,
                       struct model_bytes rest)
{
    (void)in;
    if (model_bytes_find(rest, "calls to Function.__call__") != SIZE_MAX) {
        profile->calls = model_whole_read(rest);
        profile->call_ns = model_seconds_read(behind(rest, ": "), NULL);
    } else if (model_bytes_find(rest, "calls of the op") != SIZE_MAX) {
        profile->scan_calls = model_whole_read(rest);
        profile->calls = model_whole_read(behind(rest, "for a total of "));
        profile->scan_ns = model_seconds_read(behind(rest, "steps) "), NULL);
    }
}

static void take_thunks(struct model_importing *in, struct model_profile *profile,
                        struct model_bytes rest)
{
    (void)in;
    profile->thunk_ns = model_seconds_read(rest, &profile->thunk_half_ns);
}

#define TIME_OF(name, member)                                                                      \
    static void name(struct model_importing *in, struct model_profile *profile,                    \
                     struct model_bytes rest)                                                      \
    {                                                                                              \
        (void)in;                                                                                  \
        profile->member = model_seconds_read(rest, NULL);                                          \
    }
TIME_OF(take_vm, vm_ns)
TIME_OF(take_compile, compile_ns)
TIME_OF(take_rewrite, rewrite_ns)
TIME_OF(take_validate, validate_ns)
TIME_OF(take_link, link_ns)

static void skip(struct model_importing *in, struct model_profile *profile, struct model_bytes rest)
{
    (void)in, (void)profile, (void)rest;
}

/* Sets the framework from the word before "rewrite time", once. */
static void take_framework(struct model_importing *in, struct model_bytes word)
{
    struct model_identity *who = model_job_identity_mutable(in->build.job);
    static const char *const known[] = {"Theano", "Aesara", "PyTensor"};
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]) && who->framework.raw_size == 0; i++)
        if (model_bytes_equal(word, known[i]))
            model_build_set_text(&in->build, &who->framework, word);
}

/* Lines of the head. The first one whose words are in the line holds. `framework`: the line begins
 * with its name. */
static const struct {
    const char *begins, *has;
    bool framework;
    void (*take)(struct model_importing *in, struct model_profile *profile,
                 struct model_bytes rest);
} heads[] = {
    {"Message:", "", false, take_message},
    {"Time in thunks: ", "", false, take_thunks},
    {"Time in Function.", "__call__: ", false, take_vm},
    {"Time in all call to ", "", false, skip},
    {"Time in ", " call", false, take_calls},
    {"Time since ", "", false, skip},
    {"Total compil", "time: ", false, take_compile},
    {"Total time spent in calling the VM", " ", false, take_vm},
    {"Total overhead", "", false, skip},
    {"Number of Apply nodes", "", false, skip},
    {"", " Optimizer time: ", true, take_rewrite},
    {"", " rewrite time: ", true, take_rewrite},
    {"", " validate time: ", true, take_validate},
    {"", "generation/compiling): ", true, take_link},
    {"C-cache preloading", "", false, skip},
    {"Import time", "", false, skip},
    {"Node make_thunk time", "", false, skip},
    {"Node ", " time ", false, skip},
    {"=====", "", false, skip},
    {"---", "", false, skip},
    {"No execution time accumulated", "", false, skip},
    {"No node time accumulated", "", false, skip},
    {"ProfileStats.summary_", "", false, skip},
    {"wait: ", "", false, skip},
    {"aside: ", "", false, skip},
};

static bool is_title(struct model_bytes line)
{
    return model_bytes_equal(line, "Class") || model_bytes_equal(line, "Ops") ||
           model_bytes_equal(line, "Apply");
}

static bool take_head(struct model_importing *in, struct model_bytes line)
{
    struct model_profile *profile = &in->profiles.one[in->profiles.count - 1];
    if (is_title(line) || line.size == 0)
        return true;
    for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
        const struct model_bytes after = model_bytes_from(line, strlen(heads[i].begins));
        if (!model_bytes_begin(line, heads[i].begins) ||
            (*heads[i].has && model_bytes_find(after, heads[i].has) == SIZE_MAX))
            continue;
        const size_t blank = model_bytes_find(line, " ");
        if (heads[i].framework && blank != SIZE_MAX)
            take_framework(in, (struct model_bytes){line.data, blank});
        const bool time = heads[i].take != take_calls && *heads[i].has;
        heads[i].take(in, profile, time ? behind(after, heads[i].has) : after);
        return true;
    }
    return false;
}

/* ---------------------------------------------------------------------------------------- begin */

static const char scan_title[] = "Scan Op profiling";

static bool begins(struct model_bytes line)
{
    struct model_heading heading;
    line = model_bytes_trim(line);
    return model_bytes_equal(line, "Function profiling") || model_bytes_begin(line, scan_title) ||
           (model_bytes_begin(line, "<% time> ") && model_heading_read(line, &heading));
}

/* "Scan Op profiling ( name )" */
static void begin(struct model_importing *in, struct model_bytes line)
{
    struct model_profile *profile = model_profiles_add(&in->profiles);
    in->theano.place = HEAD;
    in->theano.bad = 0;
    if (!profile || !model_bytes_begin(line, scan_title))
        return;
    profile->scan = true;
    struct model_bytes name = behind(line, "( ");
    name.size -= name.size >= 2 && name.data[name.size - 1] == ')' ? 2 : 0;
    set_name(in, name);
}

/* --------------------------------------------------------------------------------------- memory */

/* Reads "4194304B  [(1024, 1024)] c Alloc(x)": the bytes of all outputs, shapes, and how each gets
 * its memory. */
static bool take_size(struct model_importing *in, struct model_bytes line)
{
    struct model_decimal bytes;
    const size_t size = model_decimal_read(line.data, line.size, &bytes);
    if (size == 0 || bytes.negative || bytes.power != 0 || size >= line.size ||
        line.data[size] != 'B')
        return false;
    struct model_bytes rest = behind(model_bytes_from(line, size), "] ");
    while (rest.size > 2 && rest.data[1] == ' ' && strchr("civ", *rest.data))
        rest = model_bytes_from(rest, 2);
    rest = model_bytes_trim(rest);
    if (rest.size > 0)
        model_profiles_add_size(&in->profiles, rest, bytes.digits);
    return rest.size > 0;
}

/* ---------------------------------------------------------------------------------------- lines */

/* Values below a row of Apply, in a job that profiles its memory. */
static bool is_value(struct model_bytes line)
{
    return (model_bytes_begin(line, "input ") || model_bytes_begin(line, "output ")) &&
           model_bytes_find(line, ": dtype=") != SIZE_MAX;
}

/* The parts of a profile behind its tables have nothing for the panes, but the sizes. */
static bool is_known_part(struct model_bytes line)
{
    static const char *const parts[] = {
        "Scan overhead:",          "<Scan op time(s)>", "total ",       "Here are tips",
        "(if you think",           "Test them first",   "- ",           "Skipping empty Profile",
        "Sorry, no tip for today", "The node took 0s",  "No scan have", "---",
        "Memory Profile"};
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        if (model_bytes_begin(line, parts[i]))
            return true;
    return line.size == 0;
}

static enum model_taken take_after(struct model_importing *in, struct model_bytes line)
{
    if (model_bytes_begin(line, "Memory Profile")) {
        in->theano.place = MEMORY;
        return MODEL_TAKEN;
    }
    if (is_known_part(line) || take_head(in, line))
        return MODEL_TAKEN;
    if (in->theano.place == MEMORY && take_size(in, line))
        return MODEL_TAKEN;
    return in->theano.place == MEMORY ? MODEL_TAKEN : MODEL_NOT_MINE;
}

static enum model_taken take_row(struct model_importing *in, struct model_bytes line)
{
    struct model_theano *t = &in->theano;
    struct model_profile_rows *rows =
        &in->profiles.one[in->profiles.count - 1].table[t->heading.table];
    struct model_printed_row row;
    if (model_trailer_read(line, &rows->remaining)) {
        t->place = AFTER;
        return MODEL_TAKEN;
    }
    if (line.size == 0 || is_value(line))
        return MODEL_TAKEN;
    /* The end of the table is missing. A row without a time begins with a dash, as tips do. */
    if (is_title(line) || (is_known_part(line) && *line.data != '-')) {
        t->place = AFTER;
        return take_after(in, line);
    }
    if (!model_row_read(&t->heading, line, &row)) {
        t->place = ++t->bad == BAD_LINES ? AFTER : t->place;
        return MODEL_UNREADABLE;
    }
    t->bad = 0;
    model_row_add(&in->profiles, t->heading.table, in->line, &row);
    return MODEL_TAKEN;
}

static enum model_taken take(struct model_importing *in, struct model_bytes line)
{
    struct model_theano *t = &in->theano;
    struct model_heading heading;
    line = model_bytes_trim(line);
    const bool table = model_heading_read(line, &heading);
    if (model_bytes_equal(line, "Function profiling") || model_bytes_begin(line, scan_title) ||
        (table && t->place == OUTSIDE))
        begin(in, line);
    if (in->profiles.count == 0 || in->build.wrong || t->place == OUTSIDE)
        return MODEL_NOT_MINE;
    if (table) {
        t->heading = heading;
        t->place = TABLE;
        t->bad = 0;
        in->profiles.one[in->profiles.count - 1].table[heading.table].printed = true;
        return MODEL_TAKEN;
    }
    if (t->place == TABLE)
        return take_row(in, line);
    if (t->place == HEAD &&
        (model_bytes_equal(line, "Function profiling") || model_bytes_begin(line, scan_title)))
        return MODEL_TAKEN;
    if (t->place != HEAD)
        return take_after(in, line);
    return take_head(in, line) ? MODEL_TAKEN : MODEL_NOT_MINE;
}

const struct model_text_format model_import_theano = {
    .name = "profile of Theano, Aesara or PyTensor",
    .row = "no row of a profile",
    .begins = begins,
    .take = take,
};

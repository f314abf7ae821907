/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * import.c: tells the format of a file, and reads it.
 */
#include "model/import.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/chrome.h"
#include "model/import_mxnet.h"
#include "model/import_trace.h"
#include "model/text_lines.h"

enum { HEAD = 16384 };

/* The first bytes of a source, and the rest. */
struct head {
    const struct model_reader *source;
    size_t size, at;
    uint64_t skipped, newlines; /* white space before the first other byte */
    uint64_t hash[2]; /* of all bytes: two files are two jobs */
    char bytes[HEAD + 1];
};

static void note(struct head *head, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        head->hash[0] = (head->hash[0] ^ (unsigned char)bytes[i]) * UINT64_C(1099511628211);
        head->hash[1] = head->hash[1] * 31 + (unsigned char)bytes[i] + 1;
    }
}

static size_t read_on(void *from, char *bytes, size_t size)
{
    struct head *head = from;
    const size_t left = head->size - head->at;
    if (left == 0) {
        size = head->source->read(head->source->from, bytes, size);
    } else {
        size = size < left ? size : left;
        memcpy(bytes, head->bytes + head->at, size);
        head->at += size;
    }
    note(head, bytes, size);
    return size;
}

/* Drops white space at the start of what was read. */
static void skip_blanks(struct head *head)
{
    size_t blanks = 0;
    for (; blanks < head->size && strchr(" \t\r\n", head->bytes[blanks]); blanks++)
        if (head->bytes[blanks] == '\n')
            head->newlines++;
        else if (head->bytes[blanks] == '\0')
            break;
    head->skipped += blanks;
    head->size -= blanks;
    memmove(head->bytes, head->bytes + blanks, head->size);
}

/* White space may precede a profile: it is not kept, but counted. */
static void fill(struct head *head)
{
    size_t more = 1;
    bool begun = false;
    while (more > 0 && head->size < HEAD) {
        more = head->source->read(head->source->from, head->bytes + head->size, HEAD - head->size);
        head->size += more;
        if (!begun)
            skip_blanks(head);
        begun = head->size > 0;
    }
    for (size_t i = 0; i < head->size; i++)
        if (head->bytes[i] == '\0')
            head->bytes[i] = '?'; /* only for telling the format: no JSON has NULs */
    head->bytes[head->size] = '\0';
}

/* --------------------------------------------------------------------------------- text formats */

static const struct model_text_format *const texts[] = {
    &model_import_theano, &model_import_profilemode, &model_import_mxnet, &model_import_torch};
enum { TEXTS = sizeof(texts) / sizeof(texts[0]) };

static enum model_taken offer(struct model_importing *in, const struct model_text_format *format,
                              struct model_bytes line)
{
    const enum model_taken taken = format->take(in, line);
    if (taken == MODEL_UNREADABLE && !in->build.wrong)
        model_build_unread(&in->build, in->line, line, format->row);
    return taken;
}

static uint64_t rows_so_far(const struct model_importing *in)
{
    const struct model_job *job = in->build.job;
    return in->profiles.rows + model_job_count(job, MODEL_APPLY) +
           model_job_count(job, MODEL_COUNTER) + model_job_count(job, MODEL_SPAN);
}

/* Formats of a text: the one being read, the first that was begun, the first that had a row. */
struct formats {
    const struct model_text_format *now, *begun, *first;
};

/* Offers a line to the format that is being read, then to the others. */
static bool take_line(struct model_importing *in, struct formats *of, struct model_bytes line)
{
    if (of->now && offer(in, of->now, line) != MODEL_NOT_MINE)
        return true;
    for (unsigned i = 0; i < TEXTS; i++)
        if (texts[i] != of->now && texts[i]->begins(line)) {
            of->now = texts[i];
            of->begun = of->begun ? of->begun : of->now;
            if (offer(in, of->now, line) != MODEL_NOT_MINE)
                return true;
        }
    return false;
}

/* Lines of dashes begin tables of torch, and other tables: a format counts once it has a row. */
static void take_text(struct model_importing *in, struct formats *of, struct model_bytes line)
{
    const uint64_t rows = rows_so_far(in);
    if (!take_line(in, of, line))
        in->outside += model_bytes_trim(line).size > 0;
    if (!of->first && rows_so_far(in) > rows)
        of->first = of->now;
}

static const char *read_text(struct model_importing *in, const struct head *head,
                             const struct model_reader *source)
{
    struct model_lines lines;
    struct formats of = {NULL, NULL, NULL};
    uint64_t cut = 0;
    model_lines_init(&lines, source);
    lines.number = head->newlines;
    while (!in->build.wrong && model_lines_next(&lines)) {
        in->line = lines.number;
        cut += lines.cut;
        take_text(in, &of, (struct model_bytes){lines.text, lines.size});
    }
    if (lines.wrong && !in->build.wrong)
        in->build.wrong = lines.wrong;
    if (!in->build.wrong && cut > 0)
        model_build_notice(&in->build, 1,
                           "Lines of more than %d bytes, whose ends were not read: %" PRIu64 ".",
                           (int)MODEL_LINE_MAX, cut);
    if (!in->build.wrong && of.first && in->outside > 0)
        model_build_notice(&in->build, 0, "Lines outside of profiles: %" PRIu64 ".", in->outside);
    in->line = lines.number;
    model_lines_release(&lines);
    if (!in->build.wrong)
        model_profiles_build(&in->profiles);
    return of.first ? of.first->name : of.begun ? of.begun->name : NULL;
}

/* --------------------------------------------------------------------------------- JSON formats */

static void read_json(struct model_importing *in, const struct head *head,
                      const struct model_reader *source,
                      void (*read)(struct model_importing *in, struct model_get *get))
{
    struct model_get get;
    model_get_init(&get, source);
    model_get_more(&get);
    read(in, &get);
    if (get.wrong && !in->build.wrong)
        model_build_notice(&in->build, 2,
                           "The file %s (at byte %" PRIu64 "): what stands before "
                           "that is shown.",
                           get.wrong, head->skipped + model_get_offset(&get));
    model_get_release(&get);
}

/* Returns the first byte after white space. */
static const char *begin_of(const char *head)
{
    return head + strspn(head, " \t\r\n");
}

/* True if an object begins with one of these keys. */
static bool has_first_key(const char *head, const char *const *keys)
{
    head = begin_of(head);
    head = *head == '{' ? begin_of(head + 1) : "";
    for (; *keys && *head == '"'; keys++) {
        const size_t size = strlen(*keys);
        if (strncmp(head + 1, *keys, size) == 0 && head[size + 1] == '"')
            return true;
    }
    return false;
}

static bool is_statistics(const char *head)
{
    static const char *const keys[] = {"Time", "Memory", "Value", "Unit", NULL};
    return has_first_key(head, keys);
}

/* A list of events, or an object that has one. */
static bool is_trace(const char *head)
{
    static const char *const keys[] = {
        "traceEvents", "displayTimeUnit",   "schemaVersion", "deviceProperties",    "otherData",
        "metadata",    "systemTraceEvents", "trace_id",      "baseTimeNanoseconds", "traceName",
        NULL};
    head = begin_of(head);
    if (*head == '[') {
        head = begin_of(head + 1);
        head = *head == ',' ? begin_of(head + 1) : head;
        return *head == '{' && strstr(head, "\"ph\"") != NULL;
    }
    return has_first_key(head, keys) || (*head == '{' && strstr(head, "\"traceEvents\"") != NULL);
}

/* Our own report in Chrome's format. Its bars are sums: each would be read as one call. */
static bool is_bars(const char *head)
{
    return is_trace(head) && strstr(head, "\"" MODEL_CHROME_KEY "\":") != NULL;
}

static void refuse_bars(struct model_importing *in, struct model_get *get)
{
    (void)get;
    in->build.wrong = "is a report of proftop as chrome, which is for viewers of traces: "
                      "--format json saves one that can be read";
}

/* THE table of formats in JSON, beside the reports of proftop. Texts are told line by line. */
static const struct {
    const char *name;
    bool (*is)(const char *head);
    void (*read)(struct model_importing *in, struct model_get *get);
} jsons[] = {
    {"statistics of MXNet", is_statistics, model_mxnet_read},
    {"report as chrome", is_bars, refuse_bars},
    {"Chrome trace", is_trace, model_trace_read},
};
enum { JSONS = sizeof(jsons) / sizeof(jsons[0]) };

static const char report[] = "report of proftop";

/* ------------------------------------------------------------------------------------- the file */

static void add_rounding(struct model_importing *in)
{
    if (in->negative > 0)
        model_build_notice(&in->build, 1,
                           "Own times below 0 in the print, which are unknown here: %" PRIu64 ".",
                           in->negative);
    if (in->profiles.count > 0)
        model_build_notice(&in->build, 0,
                           "Times of rows are rounded, mostly to three digits, as "
                           "they are printed.");
    else if (in->half_ns > 0)
        model_build_notice(&in->build, 0,
                           "Times are rounded as they are printed: by at most "
                           "%" PRIu64 " ns.",
                           in->half_ns);
}

/* True if anything was read that a pane shows. */
static bool has_rows(const struct model_job *job)
{
    return model_job_count(job, MODEL_APPLY) > 0 || model_job_count(job, MODEL_FUNCTION) > 0 ||
           model_job_count(job, MODEL_COUNTER) > 0 || model_job_count(job, MODEL_SPAN) > 0 ||
           model_job_count(job, MODEL_MARKER) > 0;
}

/* Finishes the job. False with a reason. */
static bool finish(struct model_importing *in, const struct head *head,
                   struct model_imported *imported, char *why, size_t capacity)
{
    if (in->build.wrong) {
        snprintf(why, capacity, "%s", in->build.wrong);
        return false;
    }
    add_rounding(in);
    if (!has_rows(in->build.job)) {
        if (imported->format)
            snprintf(why, capacity, "has no row that can be read; it looks like a %s",
                     imported->format);
        else
            snprintf(why, capacity,
                     "is no profile that proftop knows: none of its %" PRIu64 " lines begins one",
                     in->line);
        return false;
    }
    memcpy(model_job_identity_mutable(in->build.job)->instance, head->hash, 16);
    imported->unread = in->build.unread;
    imported->saved = (struct model_saved){.job = model_build_take(&in->build),
                                           .state = "ended",
                                           .time_ns = MODEL_UNKNOWN,
                                           .reports = 1};
    if (!imported->saved.job)
        snprintf(why, capacity, "%s", in->build.wrong ? in->build.wrong : "cannot be read");
    return imported->saved.job != NULL;
}

static bool import(struct head *head, const struct model_reader *source,
                   struct model_imported *imported, char *why, size_t capacity)
{
    struct model_importing *in = calloc(1, sizeof(*in));
    bool good = in && model_build_init(&in->build);
    if (!good) {
        snprintf(why, capacity, "needs more memory than there is");
        free(in);
        return false;
    }
    in->profiles.build = &in->build;
    for (unsigned i = 0; i < JSONS && !imported->format; i++)
        if (jsons[i].is(head->bytes)) {
            imported->format = jsons[i].name;
            read_json(in, head, source, jsons[i].read);
        }
    if (!imported->format)
        imported->format = read_text(in, head, source);
    good = finish(in, head, imported, why, capacity);
    model_profiles_release(&in->profiles);
    model_build_release(&in->build);
    free(in);
    return good;
}

/* A report of proftop begins with its schema; other objects are read as one if they are nothing
 * else.
 */
static bool is_report(const char *head)
{
    static const char *const keys[] = {"schema", NULL};
    return has_first_key(head, keys) ||
           (*begin_of(head) == '{' && !is_statistics(head) && !is_trace(head));
}

bool model_import(const struct model_reader *source, struct model_imported *imported, char *why,
                  size_t capacity)
{
    struct head *head = calloc(1, sizeof(*head));
    *imported = (struct model_imported){.saved.time_ns = MODEL_UNKNOWN};
    if (!head) {
        snprintf(why, capacity, "needs more memory than there is");
        return false;
    }
    head->source = source;
    fill(head);
    const struct model_reader from = {read_on, head};
    bool good = false;
    if (head->size == 0) {
        snprintf(why, capacity, "is empty");
    } else if (is_report(head->bytes)) {
        imported->format = report;
        good = model_json_read(&from, &imported->saved, why, capacity);
    } else {
        good = import(head, &from, imported, why, capacity);
    }
    free(head);
    return good;
}

void model_imported_release(struct model_imported *imported)
{
    model_saved_release(&imported->saved);
}

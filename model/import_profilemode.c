/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * import_profilemode.c: reads the summary of Theano's ProfileMode: the form of 2009, with fractions
 * of the local time alone, and the form of Theano 0.5 to 0.8, with times and calls. proftop prints
 * the former: profilemode.c.
 */
#include "model/import_text.h"

#include <math.h>
#include <string.h>

enum place { OUTSIDE, HEAD, TABLE, AFTER, FUNCTIONS };
enum { BAD_LINES = 8 };

static bool begins(struct model_bytes line)
{
    return model_bytes_begin(model_bytes_trim(line), "ProfileMode.print_summary(");
}

static struct model_bytes behind(struct model_bytes text, const char *word)
{
    return model_bytes_from(text, strlen(word));
}

static struct model_profile *newest(struct model_importing *in)
{
    return &in->profiles.one[in->profiles.count - 1];
}

/* ---------------------------------------------------------------------------------------- heads */

static void take_local(struct model_importing *in, struct model_bytes rest)
{
    struct model_decimal number;
    rest = model_bytes_trim(rest);
    if (model_decimal_read(rest.data, rest.size, &number) == 0 || number.negative)
        return;
    in->theano.local_ns = model_decimal_scale(&number, 9);
    newest(in)->thunk_ns = in->theano.local_ns;
    newest(in)->thunk_half_ns = model_decimal_half(&number, 9);
}

static void take_op_time(struct model_importing *in, struct model_bytes rest)
{
    newest(in)->thunk_ns = model_seconds_read(rest, &newest(in)->thunk_half_ns);
}

static void take_call_time(struct model_importing *in, struct model_bytes rest)
{
    newest(in)->call_ns = model_seconds_read(rest, NULL);
}

static void take_compile(struct model_importing *in, struct model_bytes rest)
{
    newest(in)->compile_ns = model_seconds_read(rest, NULL);
}

static void take_rewrite(struct model_importing *in, struct model_bytes rest)
{
    newest(in)->rewrite_ns = model_seconds_read(rest, NULL);
}

static void take_link(struct model_importing *in, struct model_bytes rest)
{
    newest(in)->link_ns = model_seconds_read(rest, NULL);
}

static void skip(struct model_importing *in, struct model_bytes rest)
{
    (void)in, (void)rest;
}

static const struct {
    const char *begins;
    void (*take)(struct model_importing *in, struct model_bytes rest);
} heads[] = {
    {"local_time ", take_local},
    {"Theano Op time ", take_op_time},
    {"Theano fct call ", take_call_time},
    {"Theano compile time: ", take_compile},
    {"Optimization time: ", take_rewrite},
    {"Linker time: ", take_link},
    {"Time since import", skip},
    {"Theano function overhead", skip},
    {"Rest of the time", skip},
    {"---", skip},
    {"(*) Op is running", skip},
    {"wait: ", skip},
    {"aside: ", skip},
};

static enum model_taken take_head(struct model_importing *in, struct model_bytes line)
{
    if (line.size == 0 || begins(line))
        return MODEL_TAKEN;
    if (model_bytes_find(line, " Theano fct call, ") != SIZE_MAX) {
        newest(in)->calls = model_whole_read(line);
        return MODEL_TAKEN;
    }
    for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
        if (model_bytes_begin(line, heads[i].begins)) {
            heads[i].take(in, behind(line, heads[i].begins));
            return MODEL_TAKEN;
        }
    return MODEL_NOT_MINE;
}

/* --------------------------------------------------------------------------------------- tables */

/* Sets the time from a fraction: it may be wrong by half of its last digit. */
static void set_time(struct model_importing *in, struct model_printed_row *row)
{
    const uint64_t local_ns = in->theano.local_ns;
    const double part = model_decimal_value(&row->fraction);
    if (row->fraction_known && !row->time_known && local_ns > 0 && part <= 1) {
        row->time = (struct model_decimal){.digits = (uint64_t)llround(part * (double)local_ns),
                                           .power = -9};
        row->time_known = true;
    }
}

static enum model_taken take_row(struct model_importing *in, struct model_bytes line)
{
    struct model_theano *t = &in->theano;
    struct model_profile_rows *rows = &newest(in)->table[t->heading.table];
    struct model_printed_row row;
    if (model_trailer_read(line, &rows->remaining)) {
        t->place = AFTER;
        return MODEL_TAKEN;
    }
    if (line.size == 0)
        return MODEL_TAKEN;
    if (!model_row_read(&t->heading, line, &row)) {
        t->place = ++t->bad == BAD_LINES ? AFTER : t->place;
        return MODEL_UNREADABLE;
    }
    t->bad = 0;
    set_time(in, &row);
    model_row_add(&in->profiles, t->heading.table, in->line, &row);
    if (row.fraction_known && rows->count > 0 && !in->build.wrong) {
        const double unit = pow(10, row.fraction.power);
        rows->row[rows->count - 1].half_ns = (uint64_t)(unit / 2 * (double)t->local_ns) + 1;
    }
    return MODEL_TAKEN;
}

/* Sets the table from the title; the heading follows it, in the same line or in the next. False if
 * the line is neither. */
static bool take_title(struct model_importing *in, struct model_bytes line)
{
    static const struct {
        const char *title;
        enum model_profile_table table;
    } titles[] = {{"Apply-wise summary:", MODEL_PROFILE_APPLY},
                  {"Op-wise summary:", MODEL_PROFILE_OP},
                  {"Single Op-wise summary:", MODEL_PROFILE_CLASS},
                  {"type-Op-wise summary:", MODEL_PROFILE_CLASS}};
    struct model_theano *t = &in->theano;
    struct model_heading heading;
    bool title = false;
    for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
        if (model_bytes_begin(line, titles[i].title)) {
            title = true;
            t->title = titles[i].table;
            t->place = HEAD;
        }
    if (!model_heading_read(line, &heading))
        return title;
    t->heading = heading;
    t->heading.table = t->title;
    newest(in)->table[t->title].printed = true;
    t->place = TABLE;
    t->bad = 0;
    return true;
}

static enum model_taken take(struct model_importing *in, struct model_bytes line)
{
    struct model_theano *t = &in->theano;
    line = model_bytes_trim(line);
    if (begins(line)) {
        static const char name[] = "ProfileMode";
        struct model_profile *profile = model_profiles_add(&in->profiles);
        *t = (struct model_theano){.place = HEAD};
        if (profile) {
            profile->name = model_profiles_text(&in->profiles, model_bytes_of(name));
            profile->name_size = sizeof(name) - 1;
        }
    }
    if (in->build.wrong || in->profiles.count == 0 || t->place == OUTSIDE)
        return MODEL_NOT_MINE;
    if (take_title(in, line))
        return MODEL_TAKEN;
    if (model_bytes_begin(line, "Theano fct summary:")) {
        t->place = FUNCTIONS;
        return MODEL_TAKEN;
    }
    if (t->place == FUNCTIONS && line.size > 0)
        return MODEL_TAKEN;
    return t->place == TABLE ? take_row(in, line) : take_head(in, line);
}

const struct model_text_format model_import_profilemode = {
    .name = "summary of ProfileMode",
    .row = "no row of a summary",
    .begins = begins,
    .take = take,
};

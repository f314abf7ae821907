/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * json_diff.c: a comparison as one line of JSON, docs/diff.schema.
 */
#include <string.h>

#include "model/diff.h"
#include "model/json_writer.h"
#include "model/waiting.h"

struct writing {
    struct model_put out;
    const struct model_diff_report *report;
    const struct model_diff *diff;
};

/* Writes both sides of a figure. */
static void put_pair(struct writing *w, const char *key_a, const char *key_b, uint64_t a,
                     uint64_t b)
{
    model_put_key(&w->out, key_a);
    model_put_known(&w->out, a);
    model_put_key(&w->out, key_b);
    model_put_known(&w->out, b);
}

static void put_delta(struct writing *w, const char *key, int64_t delta)
{
    model_put_key(&w->out, key);
    if (delta == MODEL_DELTA_UNKNOWN)
        model_put_word(&w->out, "null");
    else
        model_put_i64(&w->out, delta);
}

static void put_ratio(struct writing *w, uint64_t a, uint64_t b)
{
    double ratio = model_diff_ratio(a, b);
    model_put_key(&w->out, "ratio");
    if (ratio < 0)
        model_put_word(&w->out, "null");
    else
        model_put_f64(&w->out, ratio);
}

static void put_word(struct writing *w, const char *key, const char *word)
{
    model_put_key(&w->out, key);
    if (word)
        model_put_quoted(&w->out, word);
    else
        model_put_word(&w->out, "null");
}

static void put_text(struct writing *w, const char *key, const struct model_text *text)
{
    model_put_key(&w->out, key);
    model_put_text(&w->out, text);
}

/* Returns the kind of all nodes of a side; NULL: the side has none. A partly working row works. */
static const char *does(const struct model_diff_side *side)
{
    static const uint8_t waits[MODEL_LEFT_OUT] = {MODEL_WORKS, MODEL_WAITS, MODEL_ASIDE};
    return side->first == MODEL_NONE ? NULL : model_waits_words[waits[side->left_out]];
}

static void put_bool(struct writing *w, const char *key, bool value)
{
    model_put_key(&w->out, key);
    model_put_bool(&w->out, value);
}

/* ------------------------------------------------------------------------------------ operands */

static void put_operand(struct writing *w, unsigned side)
{
    const struct model_diff_operand *operand = &w->report->operand[side];
    const struct model_state *state = w->diff->state[side];
    const struct model_identity *who = model_job_identity(state->job);
    char label[MODEL_SCOPE_LABEL];
    model_put_key(&w->out, side == MODEL_A ? "a" : "b");
    model_put_open(&w->out);
    put_word(w, "operand", operand->word);
    put_word(w, "state", *operand->state ? operand->state : NULL);
    put_bool(w, "saved", operand->saved);
    model_put_key(&w->out, "refreshes");
    model_put_u64(&w->out, operand->refreshes);
    model_put_key(&w->out, "pid");
    model_put_known(&w->out, who->pid ? who->pid : MODEL_UNKNOWN);
    put_text(w, "host", &who->host);
    put_text(w, "program", &who->program);
    put_text(w, "framework", &who->framework);
    put_text(w, "version", &who->framework_version);
    model_put_key(&w->out, "instance");
    model_put_hex(&w->out, who->instance);
    model_put_key(&w->out, "function");
    if (state->scope != MODEL_ALL && model_scope_several(state->scope))
        model_put_quoted(&w->out, model_scope_label(state->job, state->scope, label));
    else
        model_put_text(&w->out, state->scope == MODEL_ALL
                                    ? NULL
                                    : &model_job_function(state->job, state->scope)->name);
    model_put_close(&w->out);
}

static void put_totals(struct writing *w)
{
    struct model_diff_total total;
    model_put_key(&w->out, "totals");
    model_put_open(&w->out);
    for (unsigned at = 0; model_diff_total(w->diff, at, &total); at++) {
        const uint64_t a = total.value[MODEL_A], b = total.value[MODEL_B];
        model_put_key(&w->out, total.word);
        model_put_open(&w->out);
        put_pair(w, "a", "b", a, b);
        put_delta(w, "delta", model_delta(a, b));
        put_ratio(w, a, b);
        put_bool(w, "estimated", total.estimated[MODEL_A] || total.estimated[MODEL_B]);
        model_put_close(&w->out);
    }
    model_put_close(&w->out);
}

/* ---------------------------------------------------------------------------------------- rows */

/* Writes the names of all rows of a side; an empty list if the side has none. */
static void put_names(struct writing *w, enum model_table kind, const struct model_diff_row *row,
                      unsigned side)
{
    const struct model_diff_table *table = &w->diff->table[kind];
    uint32_t id = row->side[side].first;
    model_put_key(&w->out, side == MODEL_A ? "a_names" : "b_names");
    model_put_word(&w->out, "[");
    for (bool more = false; id != MODEL_NONE; id = model_diff_next(table, side, id), more = true) {
        if (more)
            model_put_word(&w->out, ",");
        model_put_text(&w->out, model_diff_name(w->diff, kind, side, id));
    }
    model_put_word(&w->out, "]");
}

static void put_function(struct writing *w, const struct model_diff_row *row)
{
    const unsigned side = row->side[MODEL_A].first != MODEL_NONE ? MODEL_A : MODEL_B;
    const struct model_job *job = w->diff->state[side]->job;
    const struct model_apply_def *def = model_job_apply(job, row->side[side].first);
    put_text(w, "function", &model_job_function(job, def->function)->name);
}

static const char *mark_of(const struct model_diff_row *row)
{
    if (row->side[MODEL_A].first == MODEL_NONE)
        return "new";
    return row->side[MODEL_B].first == MODEL_NONE ? "gone" : NULL;
}

/* Null if the noise of either side is unknown. */
static void put_noise(struct writing *w, const struct model_diff_row *row)
{
    model_put_key(&w->out, "noise_ns");
    model_put_known(&w->out, row->noise_ns < 0 ? MODEL_UNKNOWN : (uint64_t)row->noise_ns);
    model_put_key(&w->out, "within_noise");
    if (row->noise_ns < 0)
        model_put_word(&w->out, "null");
    else
        model_put_bool(&w->out, model_diff_is_noise(row));
}

static void put_row(struct writing *w, enum model_table kind, const struct model_diff_row *row)
{
    const struct model_diff_side *a = &row->side[MODEL_A], *b = &row->side[MODEL_B];
    const unsigned named = a->first != MODEL_NONE ? MODEL_A : MODEL_B;
    model_put_row(&w->out);
    put_text(w, "name", model_diff_name(w->diff, kind, named, row->side[named].first));
    put_names(w, kind, row, MODEL_A);
    put_names(w, kind, row, MODEL_B);
    if (kind == MODEL_APPLY)
        put_function(w, row);
    put_word(w, "mark", mark_of(row));
    put_pair(w, "a_ns", "b_ns", a->ns, b->ns);
    put_delta(w, "delta_ns", row->delta_ns);
    put_ratio(w, a->ns, b->ns);
    put_noise(w, row);
    put_pair(w, "a_per_call_ns", "b_per_call_ns", model_diff_per_call(a), model_diff_per_call(b));
    put_delta(w, "delta_per_call_ns", model_diff_delta(row, model_diff_per_call));
    put_pair(w, "a_per_function_call_ns", "b_per_function_call_ns",
             model_diff_per_function_call(a), model_diff_per_function_call(b));
    put_delta(w, "delta_per_function_call_ns", model_diff_delta(row, model_diff_per_function_call));
    put_pair(w, "a_calls", "b_calls", a->calls, b->calls);
    put_pair(w, "a_applies", "b_applies", a->applies, b->applies);
    put_word(w, "a_impl", model_diff_impl(a));
    put_word(w, "b_impl", model_diff_impl(b));
    put_word(w, "a_waits", does(a));
    put_word(w, "b_waits", does(b));
    put_bool(w, "paired", row->paired);
    put_bool(w, "estimated", model_diff_estimated(row));
    model_put_close(&w->out);
}

static const struct {
    enum model_table table;
    const char *key;
} sections[] = {{MODEL_CLASS, "classes"}, {MODEL_OP, "ops"}, {MODEL_APPLY, "applies"}};

static uint32_t rows_of(const struct writing *w, enum model_table kind)
{
    const uint32_t count = w->diff->table[kind].count;
    const uint32_t most = kind == MODEL_APPLY ? w->report->applies : w->report->ops;
    return count < most ? count : most;
}

static void put_tables(struct writing *w)
{
    for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
        const struct model_diff_table *table = &w->diff->table[sections[i].table];
        w->out.first = w->out.rows = false;
        model_put_key(&w->out, sections[i].key);
        model_put_word(&w->out, "[");
        for (uint32_t at = 0; at < rows_of(w, sections[i].table); at++)
            put_row(w, sections[i].table, &table->row[at]);
        model_put_word(&w->out, "]");
    }
}

/* Writes the number of rows left out of each table, and their sum, so that sums are complete. */
static void put_rest(struct writing *w)
{
    w->out.first = false;
    model_put_key(&w->out, "left_out");
    model_put_open(&w->out);
    for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
        const struct model_diff_table *table = &w->diff->table[sections[i].table];
        const uint32_t rows = rows_of(w, sections[i].table);
        model_put_key(&w->out, sections[i].key);
        model_put_open(&w->out);
        model_put_key(&w->out, "rows");
        model_put_u64(&w->out, table->count - rows);
        put_delta(w, "delta_ns", model_diff_sum(table, rows));
        put_bool(w, "estimated", model_diff_sum_estimated(table, rows));
        model_put_close(&w->out);
    }
    model_put_close(&w->out);
}

void model_json_diff(const struct model_diff_report *report, const struct model_sink *sink)
{
    struct writing w = {.out.sink = sink, .report = report, .diff = report->diff};
    model_put_word(&w.out, "{\"schema\":\"proftop-diff-1\",\"time_ns\":");
    model_put_u64(&w.out, report->time_ns);
    w.out.first = false;
    for (unsigned side = 0; side < MODEL_SIDES; side++)
        put_operand(&w, side);
    put_totals(&w);
    put_tables(&w);
    put_rest(&w);
    model_put_word(&w.out, "}\n");
    model_put_flush(&w.out);
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_column.c: the column table is consistent, and each column gives the right figure.
 */
#include "model/column.h"

#include <ctype.h>

#include "sample.h"

START_TEST(rows_of_the_table)
{
    const struct model_column *column = &model_columns[_i];
    ck_assert_ptr_nonnull(column->get);
    ck_assert_ptr_nonnull(column->help);
    ck_assert_uint_gt(strlen(column->help), 0);
    ck_assert_uint_le(strlen(column->help), 64); /* the sort list has this width in 80 columns */
    ck_assert(column->in != 0);
    ck_assert((column->json == NULL) == (column->json_in == 0));
    bool elastic = column->unit == MODEL_UNIT_TEXT && column->width == 0;
    if (column->title[0] == '\0')
        ck_assert(column->width == 0 && column->json && !column->key);
    else if (!elastic)
        ck_assert_uint_le(strlen(column->title), column->width);
    if (column->key)
        ck_assert(!isdigit((unsigned char)column->key)); /* digits choose panes */
    for (unsigned i = 0; i < model_columns_count; i++) {
        const struct model_column *other = &model_columns[i];
        if (i == (unsigned)_i || !(other->in & column->in))
            continue;
        ck_assert_str_ne(other->id, column->id);
        ck_assert(!column->key || column->key != other->key);
        if (other->json && column->json)
            ck_assert_str_ne(other->json, column->json);
    }
}
END_TEST

/* 80 columns hold the narrow set, with a bar of 6 and a name of 20, also in a comparison of
 * jobs. */
START_TEST(fits_the_narrow_screen)
{
    unsigned used = 0, names = 0, compared = 0;
    for (unsigned i = 0; i < model_columns_count; i++) {
        const struct model_column *column = &model_columns[i];
        if (!model_column_on_screen(column, (enum model_table)_i) || column->wide)
            continue;
        unsigned width = column->width + 1u + (column->bar ? 7 : 0);
        if (column->when == MODEL_COLUMN_RANKS || column->when == MODEL_COLUMN_STAYS)
            compared += width;
        if (column->when != MODEL_COLUMN_ALWAYS && column->when != MODEL_COLUMN_STAYS)
            continue;
        names += column->width == 0;
        used += width;
    }
    ck_assert_uint_le(compared + 10, 80);
    ck_assert_uint_eq(names, 1);
    ck_assert_uint_le(used + 20, 80);
}
END_TEST

START_TEST(find)
{
    static const struct {
        const char *word;
        enum model_table table;
        const char *json;
    } rows[] = {
        {"time", MODEL_CLASS, NULL},        {"TIME", MODEL_APPLY, NULL},
        {"%time", MODEL_OP, NULL},          {"id", MODEL_APPLY, "index"},
        {"calls", MODEL_FUNCTION, "calls"}, {"+calls", MODEL_OP, "interval_calls"},
        {"min", MODEL_OP, "min_ns"},
    };
    for (int i = 0; i < TAP_ROWS(rows); i++) {
        int at = model_column_find(rows[i].word, rows[i].table);
        ck_assert_int_ge(at, 0);
        if (rows[i].json)
            ck_assert_str_eq(model_columns[at].json, rows[i].json);
        else
            ck_assert_ptr_null(model_columns[at].json);
    }
    ck_assert_int_eq(model_column_find("", MODEL_OP), -1);
    ck_assert_int_eq(model_column_find("min", MODEL_CLASS), -1);
    ck_assert_int_eq(model_column_find("nonsense", MODEL_OP), -1);
}
END_TEST

/* The id of a column is unique over all panes, and so is its title on the screen, if it has
 * one. */
START_TEST(names_are_of_one_column)
{
    for (unsigned i = 0; i < model_columns_count; i++)
        for (unsigned k = 0; k < i; k++) {
            ck_assert_str_ne(model_columns[i].id, model_columns[k].id);
            ck_assert(!model_columns[i].title[0] ||
                      strcmp(model_columns[i].title, model_columns[k].title) != 0);
        }
}
END_TEST

static const struct {
    const char *total, *interval, *back;
} twins[] = {
    {"percent", "interval-percent", "percent"},    {"time", "interval-time", "time"},
    {"per-call", "interval-per-call", "per-call"}, {"calls", "interval-calls", "calls"},
    {"sum", "interval-percent", "percent"},        {"name", "name", "name"},
    {"impl", "impl", "impl"},
};

START_TEST(totals_have_their_interval)
{
    for (unsigned table = 0; table < MODEL_ROW_TABLES; table++) {
        unsigned total = (unsigned)model_column_find(twins[_i].total, table);
        unsigned interval = model_column_interval(total, table);
        ck_assert_str_eq(model_columns[interval].id, twins[_i].interval);
        ck_assert_str_eq(model_columns[model_column_total(interval, table)].id, twins[_i].back);
        ck_assert_uint_eq(model_column_interval(interval, table), interval);
    }
}
END_TEST

/* Applies of one op each: their kind of code, and the text of the row. */
static const struct {
    unsigned impl[3];
    const char *text;
} impls[] = {
    {{MODEL_IMPL_C, MODEL_IMPL_C, MODEL_IMPL_C}, "C"},
    {{MODEL_IMPL_C, MODEL_IMPL_UNKNOWN, MODEL_IMPL_C}, "C ?"},
    {{MODEL_IMPL_PY, MODEL_IMPL_PY, MODEL_IMPL_UNKNOWN}, "Py ?"},
    {{MODEL_IMPL_JIT, MODEL_IMPL_UNKNOWN, MODEL_IMPL_C}, "C JIT ?"},
    {{MODEL_IMPL_JIT, MODEL_IMPL_PY, MODEL_IMPL_C}, "C Py JIT"},
    {{MODEL_IMPL_UNKNOWN, MODEL_IMPL_UNKNOWN, MODEL_IMPL_UNKNOWN}, "-"},
};

START_TEST(partly_unknown_implementation_is_marked)
{
    struct model_job *job = sample_empty();
    sample_class(job, "c");
    sample_op(job, 0, "o");
    sample_function(job, "f", MODEL_NONE);
    for (uint32_t i = 0; i < 3; i++)
        sample_apply(job, 0, 0, i, "a", impls[_i].impl[i]);
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    static const enum model_table tables[] = {MODEL_CLASS, MODEL_OP};
    for (unsigned i = 0; i < 2; i++) {
        struct model_view view = {.table = tables[i], .state = state};
        const struct model_column *column = &model_columns[model_column_find("impl", tables[i])];
        struct model_cell cell = column->get(&view, &state->row[tables[i]][0], 0);
        ck_assert_str_eq(cell.known ? cell.text->shown : "-", impls[_i].text);
    }
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

struct figure {
    enum model_table table;
    const char *column;
    uint32_t id;
    const char *text;
};

/* Of sample_job() in its second state: add has made 4 calls and 1000 ns since the first. */
static const struct figure figures[] = {
    {MODEL_APPLY, "percent", 2, "65.4"},
    {MODEL_APPLY, "percent", 1, "3.8"},
    {MODEL_APPLY, "sum", 2, "65.4"},
    {MODEL_APPLY, "sum", 1, "100.0"},
    {MODEL_APPLY, "time", 2, "8.50us"},
    {MODEL_APPLY, "per-call", 2, "283ns"},
    {MODEL_APPLY, "per-call", 0, "143ns"},
    {MODEL_APPLY, "calls", 0, "14"},
    {MODEL_APPLY, "impl", 2, "Py"},
    {MODEL_APPLY, "id", 3, "0"},
    {MODEL_APPLY, "function", 3, "test"},
    {MODEL_APPLY, "name", 3, "Dot(x, v)"},
    {MODEL_APPLY, "min", 0, "-"},
    {MODEL_APPLY, "interval-time", 0, "1.00us"},
    {MODEL_APPLY, "interval-percent", 0, "100.0"},
    {MODEL_APPLY, "interval-percent", 1, "0.0"},
    {MODEL_APPLY, "interval-per-call", 0, "250ns"},
    {MODEL_APPLY, "interval-per-call", 1, "-"},
    {MODEL_APPLY, "interval-calls", 0, "4"},
    {MODEL_OP, "impl", 2, "C Py"},
    {MODEL_OP, "applies", 2, "2"},
    {MODEL_OP, "number", 2, "2"},
    {MODEL_OP, "name", 1, "Elemwise{mul}"},
    {MODEL_OP, "percent", 2, "80.8"},
    {MODEL_CLASS, "name", 1, "tensor.Dot"},
    {MODEL_CLASS, "percent", 0, "19.2"},
    {MODEL_CLASS, "applies", 0, "2"},
    {MODEL_CLASS, "per-call", 0, "73.5ns"},
    {MODEL_FUNCTION, "name", 0, "train"},
    {MODEL_FUNCTION, "percent", 0, "84.6"},
    {MODEL_FUNCTION, "per-call", 0, "-"},
};

START_TEST(right_figures)
{
    const struct figure *figure = &figures[_i];
    struct model_job *job = sample_job();
    struct model_state *before = model_state_take(job, MODEL_ALL, NULL);
    sample_value(job, 0, 14, 2000);
    model_job_set_stamp(job, 2000, 3000);
    model_job_set_values_stamp(job, 2000);
    struct model_state *state = model_state_take(job, MODEL_ALL, before);
    struct model_view view;
    ck_assert(model_view_init(&view, figure->table));
    ck_assert(model_view_update(&view, state));
    uint32_t at = model_view_find(&view, figure->id);
    int found = model_column_find(figure->column, figure->table);
    ck_assert_int_ge(found, 0);
    const struct model_column *column = &model_columns[found];
    struct model_cell cell = column->get(&view, model_view_row(&view, at), at);
    char text[64];
    model_unit_format(column->unit, &cell, column->width, text, sizeof(text));
    ck_assert_str_eq(text, figure->text);
    model_view_release(&view);
    model_state_free(&before);
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

/* Of sample_waiting(): work is 12000 ns, mul has 500 of it; 91500 ns are waiting. In the interval
 * WaitForAll waits for 1000 ns. mul waits for 200 ns and works for 600. */
static const struct figure waits[] = {
    {MODEL_APPLY, "percent", 2, "67.5"},
    {MODEL_APPLY, "percent", 4, "wait"},
    {MODEL_APPLY, "percent", 5, "wait"},
    {MODEL_APPLY, "sum", 0, "100.0"},
    {MODEL_APPLY, "sum", 4, "-"},
    {MODEL_APPLY, "time", 5, "91.0us"},
    {MODEL_APPLY, "calls", 5, "2"},
    {MODEL_APPLY, "interval-percent", 5, "wait"},
    {MODEL_APPLY, "interval-percent", 1, "100.0"},
    {MODEL_APPLY, "interval-time", 5, "1.00us"},
    {MODEL_APPLY, "waiting", 5, "91.0us"},
    {MODEL_APPLY, "waiting", 2, "0ns"},
    {MODEL_OP, "percent", 1, "8.7w"}, /* 1100 of 12600 */
    {MODEL_OP, "sum", 1, "92.1"},
    {MODEL_OP, "percent", 2, "83.3"},
    {MODEL_OP, "percent", 3, "wait"},
    {MODEL_OP, "time", 1, "2.80us"},
    {MODEL_OP, "interval-percent", 1, "100.0w"},
    {MODEL_OP, "interval-time", 1, "800ns"},
    {MODEL_OP, "waiting", 1, "1.70us"},
    {MODEL_CLASS, "percent", 0, "16.7w"},
    {MODEL_CLASS, "percent", 2, "wait"},
    {MODEL_LINE, "percent", 0, "100w"},
    {MODEL_FUNCTION, "percent", 0, "84.1w"},
    {MODEL_FUNCTION, "percent", 1, "15.9"},
};

/* `last` is another apply that has run since. Frees the job. */
static void check_left_out(const struct figure *figure, struct model_job *job, uint32_t last)
{
    struct model_state *before = model_state_take(job, MODEL_ALL, NULL);
    ck_assert_uint_eq(before->totals.time_ns, 12000);
    ck_assert_uint_eq(before->totals.wait_ns, 91500);
    ck_assert_uint_eq(before->totals.thunk_ns, 103500);
    sample_value(job, 1, 26, 1100);
    sample_value(job, 4, 5, 1700);
    sample_value(job, 5, 2, 91000);
    if (last == 7)
        sample_value(job, last, 2, 51000);
    model_job_set_stamp(job, 2000, 3000);
    model_job_set_values_stamp(job, 2000);
    struct model_state *state = model_state_take(job, MODEL_ALL, before);
    ck_assert_uint_eq(state->totals.interval_time_ns, 600);
    struct model_view view;
    ck_assert(model_view_init(&view, figure->table));
    ck_assert(model_view_update(&view, state));
    uint32_t at = model_view_find(&view, figure->id);
    const struct model_column *column =
        &model_columns[model_column_find(figure->column, figure->table)];
    struct model_cell cell = column->get(&view, model_view_row(&view, at), at);
    char text[64];
    model_unit_format(column->unit, &cell, column->width ? column->width : 6, text, sizeof(text));
    ck_assert_str_eq(text, figure->text);
    model_view_release(&view);
    model_state_free(&before);
    model_state_free(&state);
    model_job_release(&job);
}

/* Of sample_aside(), which has the same work and waiting. In the interval invoke takes 1000 ns. */
static const struct figure asides[] = {
    {MODEL_APPLY, "percent", 2, "67.5"},
    {MODEL_APPLY, "percent", 6, "aside"},
    {MODEL_APPLY, "percent", 7, "aside"},
    {MODEL_APPLY, "sum", 7, "-"},
    {MODEL_APPLY, "time", 7, "51.0us"},
    {MODEL_APPLY, "calls", 7, "2"},
    {MODEL_APPLY, "interval-percent", 7, "aside"},
    {MODEL_APPLY, "interval-percent", 1, "100.0"},
    {MODEL_APPLY, "interval-time", 7, "1.00us"},
    {MODEL_APPLY, "waiting", 7, "0ns"},
    {MODEL_APPLY, "aside", 7, "51.0us"},
    {MODEL_APPLY, "aside", 5, "0ns"},
    {MODEL_OP, "aside", 1, "700ns"},
    {MODEL_FUNCTION, "aside", 0, "51.7us"},
    {MODEL_OP, "percent", 1, "8.7w"}, /* its time includes waiting */
    {MODEL_OP, "percent", 4, "aside"},
    {MODEL_OP, "waiting", 1, "1.70us"},
    {MODEL_CLASS, "percent", 3, "aside"},
    {MODEL_FUNCTION, "percent", 0, "84.1w"},
};

START_TEST(aside_rows_have_no_share)
{
    struct model_job *job = sample_aside();
    check_left_out(&asides[_i], job, 7);
}
END_TEST

START_TEST(waiting_has_no_share)
{
    struct model_job *job = sample_waiting();
    check_left_out(&waits[_i], job, 5);
}
END_TEST

/* A figure of a sampled row has a mark in every column that derives from the sample. Counts,
 * places, sizes and the time of open calls are exact. The running sum includes the rows above. An
 * error figure is its own mark. None of these rows waits. */
START_TEST(figures_of_sampled_rows_are_marked)
{
    static const enum model_table tables[] = {MODEL_APPLY, MODEL_OP, MODEL_CLASS, MODEL_LINE};
    const enum model_table table = tables[_i];
    struct model_job *job = sample_job();
    for (uint64_t id = 0; id < model_job_count(job, MODEL_APPLY); id++) {
        const uint64_t min = 1, max = 2, timed = id == 0 ? 5 : MODEL_UNKNOWN;
        model_job_set_extremes(job, 1, &id, &min, &max, &timed, false);
    }
    ck_assert(model_job_set_buckets(job, 0, 1, (uint64_t[]){1}, (uint64_t[]){5}));
    ck_assert(model_job_set_buckets(job, 1, 1, (uint64_t[]){1}, (uint64_t[]){5}));
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    struct model_view view;
    unsigned marked = 0, plain = 0;
    ck_assert(model_view_init(&view, table));
    ck_assert(model_view_update(&view, state));
    for (unsigned i = 0; i < model_columns_count; i++) {
        const struct model_column *column = &model_columns[i];
        const bool exact = column->unit != MODEL_UNIT_NS && column->unit != MODEL_UNIT_PERCENT;
        if (!(column->in >> table & 1) || exact || !strcmp(column->id, "sum") ||
            !strcmp(column->id, "error") || !strcmp(column->id, "open") ||
            !strcmp(column->id, "waiting") || !strcmp(column->id, "aside"))
            continue;
        for (uint32_t r = 0; r < state->count[table]; r++) {
            const struct model_row *row = &state->row[table][r];
            const struct model_cell cell = column->get(&view, row, 0);
            const bool sampled = row->timed != MODEL_UNKNOWN && row->timed < row->calls;
            ck_assert_msg(!cell.known || cell.approx == sampled, "%s of row %u", column->id, r);
            marked += cell.known && cell.approx;
            plain += cell.known && !cell.approx;
        }
    }
    ck_assert_uint_gt(marked, 3);
    ck_assert(plain > 3 || state->count[table] == 1);
    model_view_release(&view);
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

START_TEST(estimates_are_marked)
{
    struct model_job *job = sample_job();
    uint64_t id = 0, min = 1, max = 2, timed = 5;
    model_job_set_extremes(job, 1, &id, &min, &max, &timed, false);
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    struct model_view view;
    ck_assert(model_view_init(&view, MODEL_APPLY));
    ck_assert(model_view_update(&view, state));
    static const char *const marked[] = {"percent", "time", "per-call", "total", "self"};
    for (int i = 0; i < TAP_ROWS(marked); i++) {
        const struct model_column *column =
            &model_columns[model_column_find(marked[i], MODEL_APPLY)];
        ck_assert(column->get(&view, &state->row[MODEL_APPLY][0], 0).approx);
        ck_assert(!column->get(&view, &state->row[MODEL_APPLY][1], 0).approx);
    }
    model_view_release(&view);
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

/* An apply of 10 calls and 1000 ns that runs a function. The function's own apply is sampled: 600
 * ns. */
static struct model_job *inside_is_sampled(bool exclusive)
{
    struct model_job *job = sample_empty();
    sample_class(job, "c");
    sample_op(job, 0, "o");
    sample_function(job, "f", MODEL_NONE);
    const struct model_apply_raw scan = {.text = sample_bytes("scan"), .exclusive = exclusive};
    ck_assert(model_job_add_apply(job, &scan));
    sample_function(job, "inside", 0);
    sample_apply(job, 1, 0, 0, "add", 0);
    sample_value(job, 0, 10, 1000);
    sample_value(job, 1, 100, 600);
    uint64_t id = 1, min = 5, max = 7, timed = 20;
    model_job_set_extremes(job, 1, &id, &min, &max, &timed, false);
    return job;
}

/* Checks which times of the apply are estimates. With all functions in scope, the time of an apply
 * excludes the functions inside it. With one function in scope, it includes them. The time that the
 * job did not send is the estimate. */
static const struct {
    bool exclusive;
    uint32_t scope;
    const char *column;
    uint64_t ns;
    bool marked;
} made[] = {
    {false, MODEL_ALL, "total", 1000, false}, {false, MODEL_ALL, "self", 400, true},
    {false, MODEL_ALL, "time", 400, true},    {false, 0, "time", 1000, false},
    {true, MODEL_ALL, "total", 1600, true},   {true, MODEL_ALL, "self", 1000, false},
    {true, MODEL_ALL, "time", 1000, false},   {true, 0, "time", 1600, true},
};

START_TEST(figures_from_estimates_are_marked)
{
    struct model_job *job = inside_is_sampled(made[_i].exclusive);
    struct model_state *state = model_state_take(job, made[_i].scope, NULL);
    struct model_view view;
    ck_assert(model_view_init(&view, MODEL_APPLY));
    ck_assert(model_view_update(&view, state));
    const struct model_column *column =
        &model_columns[model_column_find(made[_i].column, MODEL_APPLY)];
    const struct model_cell cell = column->get(&view, &state->row[MODEL_APPLY][0], 0);
    ck_assert_uint_eq(cell.u, made[_i].ns);
    ck_assert_int_eq(cell.approx, made[_i].marked);
    ck_assert_int_eq(state->totals.ops_estimated, made[_i].exclusive); /* else the job sent it */
    model_state_free(&state);
    sample_value(job, 1, 1000, 6000); /* the apply has not ended; the time inside is all its time */
    state = model_state_take(job, made[_i].scope, NULL);
    ck_assert(state->totals.ops_estimated);
    ck_assert(model_view_update(&view, state));
    model_view_release(&view);
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("column");
    tap_add_loop(s, "rows_of_the_table", rows_of_the_table, (int)model_columns_count);
    tap_add_loop(s, "fits_the_narrow_screen", fits_the_narrow_screen, MODEL_ROW_TABLES);
    tap_add(s, "find", find);
    tap_add_loop(s, "right_figures", right_figures, TAP_ROWS(figures));
    tap_add_loop(s, "aside_rows_have_no_share", aside_rows_have_no_share, TAP_ROWS(asides));
    tap_add_loop(s, "waiting_has_no_share", waiting_has_no_share, TAP_ROWS(waits));
    tap_add(s, "names", names_are_of_one_column);
    tap_add_loop(s, "twins", totals_have_their_interval, TAP_ROWS(twins));
    tap_add_loop(s, "impls", partly_unknown_implementation_is_marked, TAP_ROWS(impls));
    tap_add(s, "estimates_are_marked", estimates_are_marked);
    tap_add_loop(s, "sampled_rows_are_marked", figures_of_sampled_rows_are_marked, 4);
    tap_add_loop(s, "made_of_estimates", figures_from_estimates_are_marked, TAP_ROWS(made));
    return s;
}
TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_compile.c: compilations as rows: nesting, own times, compilations in progress.
 */
#include "model/compile.h"
#include "model/rewrite.h"
#include "sample.h"

#define UNKNOWN MODEL_UNKNOWN
#define NONE    MODEL_NONE

static struct model_job *job;
static struct model_state *state;
static struct model_view view;
static uint64_t rev;

static void setup(void)
{
    job = sample_job();
    ck_assert(model_view_init(&view, MODEL_COMPILE));
}

static void teardown(void)
{
    model_view_release(&view);
    model_state_free(&state);
    model_job_release(&job);
}

static void tell(uint32_t number, uint32_t function, uint32_t parent, unsigned kind,
                 const char *name, uint64_t total_ns, uint64_t since_ns)
{
    struct model_phase phase = {.rev = ++rev,
                                .function = function,
                                .parent = parent,
                                .kind = (uint8_t)kind,
                                .calls = total_ns != UNKNOWN,
                                .total_ns = total_ns,
                                .validate_ns = UNKNOWN,
                                .nodes_before = 10 + number,
                                .nodes_after = UNKNOWN,
                                .open_since_ns = since_ns};
    ck_assert(model_job_set_phase(job, number, &phase, name, strlen(name)));
}

static void tell_whole(uint64_t function, uint64_t compile_ns, uint64_t rewrite_ns,
                       uint64_t link_ns, uint64_t since_ns)
{
    uint64_t validate_ns = rewrite_ns == UNKNOWN ? UNKNOWN : 7;
    ck_assert_uint_eq(model_job_set_compile(job, 1, &function, &compile_ns, &rewrite_ns,
                                            &validate_ns, &link_ns, &since_ns, false),
                      0);
}

static void look(uint32_t scope, const char *order)
{
    model_view_clear(&view, false);
    model_state_free(&state);
    state = model_state_take(job, scope, NULL);
    ck_assert_ptr_nonnull(state);
    unsigned column = (unsigned)model_column_find(order, MODEL_COMPILE);
    if (view.column != column)
        ck_assert(model_view_sort(&view, column));
    ck_assert(model_view_update(&view, state));
}

/* One row as the screen shows it: "depth name total self now", with "-" for unknown. */
static const char *shown(uint32_t at)
{
    static char text[256];
    char figure[3][24];
    const struct model_row *row = model_view_row(&view, at);
    ck_assert_ptr_nonnull(row);
    const uint64_t ns[3] = {row->total_ns, row->self_ns, state->nest[row->id].open_ns};
    for (int i = 0; i < 3; i++) {
        snprintf(figure[i], sizeof(figure[i]), "%llu", (unsigned long long)ns[i]);
        if (ns[i] == UNKNOWN)
            strcpy(figure[i], "-");
    }
    snprintf(text, sizeof(text), "%u %s %s %s %s", state->nest[row->id].depth,
             model_view_name(&view, row)->raw, figure[0], figure[1], figure[2]);
    return text;
}

static void expect(const char *const *lines)
{
    uint32_t at = 0;
    for (; lines[at]; at++)
        ck_assert_str_eq(shown(at), lines[at]);
    ck_assert_uint_eq(view.count, at);
}

#define EXPECT(...) expect((const char *const[]){__VA_ARGS__, NULL})

static struct model_cell cell(const char *column, uint32_t at)
{
    int found = model_column_find(column, MODEL_COMPILE);
    ck_assert_int_ge(found, 0);
    return model_columns[found].get(&view, model_view_row(&view, at), at);
}

/* Two functions. The second one arrives before the total of the first. */
static void tell_two(void)
{
    tell(0, 0, NONE, MODEL_PHASE_REWRITE, "seq", 550, UNKNOWN);
    tell(1, 0, 0, MODEL_PHASE_REWRITE, "merge", 100, UNKNOWN);
    tell(2, 1, NONE, MODEL_PHASE_OTHER, "read", 20, UNKNOWN);
    tell(3, 0, NONE, MODEL_PHASE_CODEGEN, "gcc", 250, UNKNOWN);
    tell_whole(1, 30, UNKNOWN, UNKNOWN, UNKNOWN);
    tell_whole(0, 1000, 600, 300, UNKNOWN);
    tell(4, 0, 0, MODEL_PHASE_VALIDATE, "", 30, UNKNOWN);
}

START_TEST(phases_are_nested)
{
    look(MODEL_ALL, "nested");
    ck_assert_uint_eq(view.count, 0);
    ck_assert(!model_compile_there(state));
    tell_two();
    look(MODEL_ALL, "nested");
    EXPECT("0 compile 1000 100 -", "1 rewrite 600 50 -", "2 seq 550 420 -", "3 merge 100 100 -",
           "3 validate 30 30 -", "1 link 300 50 -", "2 gcc 250 250 -", "0 compile 30 10 -",
           "1 read 20 20 -");
    ck_assert(model_compile_there(state));
    ck_assert_uint_eq(view.whole, 1030);
    ck_assert_uint_eq(cell("nested", 8).u, 9);
    ck_assert_double_eq_tol(cell("percent", 1).d, 100 * 600 / 1030.0, 1e-9);
    ck_assert_uint_eq(cell("validate", 0).u, 7);
    ck_assert_uint_eq(cell("validate", 1).u, 7);
    ck_assert(!cell("validate", 2).known && !cell("validate", 5).known);
    ck_assert(!cell("nodes-before", 0).known && !cell("nodes-after", 2).known);
    ck_assert_uint_eq(cell("nodes-before", 3).u, 11);
    ck_assert_str_eq(cell("kind", 0).text->raw, "compile");
    ck_assert_str_eq(cell("kind", 6).text->raw, "codegen");
    ck_assert_str_eq(cell("function", 7).text->raw, "test");
    ck_assert(!cell("calls", 0).known);
    ck_assert_uint_eq(cell("calls", 3).u, 1);
}
END_TEST

START_TEST(a_scope_has_its_own)
{
    tell_two();
    look(1, "nested");
    EXPECT("0 compile 30 10 -", "1 read 20 20 -");
    ck_assert_uint_eq(view.whole, 30);
    look(0, "own");
    EXPECT("2 seq 550 420 -", "2 gcc 250 250 -", "3 merge 100 100 -", "0 compile 1000 100 -",
           "1 rewrite 600 50 -", "1 link 300 50 -", "3 validate 30 30 -");
    look(0, "time");
    EXPECT("0 compile 1000 100 -", "1 rewrite 600 50 -", "2 seq 550 420 -", "1 link 300 50 -",
           "2 gcc 250 250 -", "3 merge 100 100 -", "3 validate 30 30 -");
}
END_TEST

/* A filter hides rows. Their time is counted once, as not shown. */
START_TEST(filters_hide)
{
    tell_two();
    model_view_filter(&view, "MER");
    look(MODEL_ALL, "nested");
    EXPECT("3 merge 100 100 -");
    ck_assert_uint_eq(view.hidden_sum, 930);
    ck_assert_uint_eq(view.whole, 1030);
    ck_assert_uint_eq(view.hidden, 8);
}
END_TEST

/* The job's clock is at 1000. */
START_TEST(open_phase_shows_its_time_so_far)
{
    tell_whole(1, 200, UNKNOWN, UNKNOWN, 300);
    tell(0, 1, NONE, MODEL_PHASE_REWRITE, "seq", UNKNOWN, 400);
    tell(1, 1, 0, MODEL_PHASE_REWRITE, "merge", 50, UNKNOWN);
    tell(2, 1, 0, MODEL_PHASE_REWRITE, "fuse", 70, 900);
    tell(3, 1, 0, MODEL_PHASE_REWRITE, "early", UNKNOWN, 2000);
    look(MODEL_ALL, "nested");
    EXPECT("0 compile 900 300 700", "1 seq 600 380 600", "2 merge 50 50 -", "2 fuse 170 170 100",
           "2 early 0 0 0");
    ck_assert(!cell("now", 2).known);
    ck_assert_uint_eq(cell("now", 3).u, 100);
    look(MODEL_ALL, "now");
    ck_assert_str_eq(shown(0), "0 compile 900 300 700");
    ck_assert_str_eq(shown(4), "2 merge 50 50 -");
    /* The phase ends; then its parts arrive. */
    tell(2, 1, 0, MODEL_PHASE_REWRITE, "fuse", 180, UNKNOWN);
    tell(0, 1, NONE, MODEL_PHASE_REWRITE, "seq", 610, UNKNOWN);
    tell_whole(1, 950, 620, 10, UNKNOWN);
    look(MODEL_ALL, "nested");
    ck_assert_str_eq(shown(0), "0 compile 950 320 -");
    ck_assert_str_eq(shown(1), "1 rewrite 620 10 -");
    ck_assert_str_eq(shown(2), "2 seq 610 380 -");
    ck_assert_str_eq(shown(6), "1 link 10 10 -");
}
END_TEST

/* A phase whose name marks it as a part replaces the part. */
START_TEST(parts_of_a_compilation_are_listed_once)
{
    tell_whole(0, 1000, 600, 300, UNKNOWN);
    tell(0, 0, NONE, MODEL_PHASE_LINK, "link", 290, UNKNOWN);
    tell(1, 0, NONE, MODEL_PHASE_REWRITE, "rewrite", 590, UNKNOWN);
    tell(2, 0, NONE, MODEL_PHASE_THUNKS, "thunks", 40, UNKNOWN);
    tell(3, 0, NONE, MODEL_PHASE_LINK, "rewrite", 5, UNKNOWN);
    look(MODEL_ALL, "nested");
    EXPECT("0 compile 1000 120 -", "1 link 290 245 -", "2 thunks 40 40 -", "2 rewrite 5 5 -",
           "1 rewrite 590 590 -");
}
END_TEST

/* Modules are imported while thunks are made. A row's remaining time limits the other row's
 * time. */
START_TEST(time_in_two_phases_counts_once)
{
    tell_whole(0, 1000, 300, 650, UNKNOWN);
    tell(0, 0, NONE, MODEL_PHASE_THUNKS, "Gemm", 400, UNKNOWN);
    tell(1, 0, NONE, MODEL_PHASE_THUNKS, "Dot", 200, UNKNOWN);
    tell(2, 0, NONE, MODEL_PHASE_LINK, "import", 80, UNKNOWN);
    tell(3, 0, NONE, MODEL_PHASE_LINK, "cache", 70, UNKNOWN);
    look(MODEL_ALL, "nested");
    EXPECT("0 compile 1000 50 -", "1 rewrite 300 300 -", "1 link 650 0 -", "2 Gemm 400 400 -",
           "2 Dot 200 200 -", "2 import 80 50 -", "2 cache 70 0 -");
    ck_assert_uint_eq(view.whole, 1000);
}
END_TEST

START_TEST(strange_tales_stay_rows)
{
    tell_whole(0, 10, 600, UNKNOWN, UNKNOWN);
    tell(2, 0, NONE, 99, "what", 20, UNKNOWN);
    tell(3, 1, 2, MODEL_PHASE_REWRITE, "of another", 5, UNKNOWN);
    tell(4, 0, 1, MODEL_PHASE_REWRITE, "in one never told", 700, UNKNOWN);
    tell(5, 1, 3, MODEL_PHASE_REWRITE, "inside", UNKNOWN, UNKNOWN);
    tell(5, 0, 3, MODEL_PHASE_REWRITE, "inside", 1, UNKNOWN);
    look(MODEL_ALL, "nested");
    EXPECT("0 compile 10 0 -", "1 rewrite 600 0 -", "2 in one never told 700 10 -",
           "1 what 20 0 -", "0 of another 5 4 -", "1 inside 1 1 -");
    ck_assert_str_eq(cell("kind", 3).text->raw, "other");
    ck_assert_uint_eq(view.whole, 15);
    /* Values end with the epoch, phases do not. */
    model_job_set_epoch(job, 2);
    look(0, "nested");
    EXPECT("0 what 20 20 -", "0 in one never told 700 700 -");
}
END_TEST

/* Phases in any order make a tree: each is in one place, below its parent, and no time is lost. */
START_TEST(any_tale_is_a_tree)
{
    struct sample_random r = {.state = 0x9e3779b97f4a7c15u + (unsigned)_i};
    uint32_t before = 0;
    for (uint32_t number = 0; number < 60; number++) {
        uint32_t parent = sample_below(&r, 4) ? (uint32_t)sample_below(&r, number + 2) : NONE;
        tell(number, (uint32_t)sample_below(&r, 2), parent,
             (unsigned)sample_below(&r, MODEL_PHASE_KINDS + 1), sample_below(&r, 9) ? "p" : "link",
             sample_below(&r, 5) ? sample_below(&r, 1000) : UNKNOWN,
             sample_below(&r, 6) ? UNKNOWN : sample_below(&r, 1200));
        if (number == 20 + (uint32_t)_i)
            tell_whole(sample_below(&r, 2), 9000, sample_below(&r, 9000), UNKNOWN, UNKNOWN);
        look(MODEL_ALL, "nested");
        ck_assert_uint_ge(state->compiles, before);
        before = state->compiles;
        uint64_t sum = 0;
        for (uint32_t at = 0; at < view.count; at++) {
            const struct model_row *row = model_view_row(&view, at);
            const struct model_nest *nest = &state->nest[row->id];
            ck_assert_uint_eq(nest->place, at + 1);
            sum += row->self_ns == UNKNOWN ? 0 : row->self_ns;
            if (nest->parent == NONE) {
                ck_assert_uint_eq(nest->depth, 0);
                continue;
            }
            ck_assert_uint_lt(state->nest[nest->parent].place, nest->place);
            ck_assert_uint_eq(state->nest[nest->parent].depth + 1, nest->depth);
            ck_assert(state->compile[nest->parent].in_scope);
        }
        ck_assert_uint_eq(view.whole, sum);
    }
}
END_TEST

static void add(Suite *s, const char *name, const TTest *test, int rounds)
{
    TCase *tcase = tcase_create(name);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, test, 0, rounds);
    suite_add_tcase(s, tcase);
}

static Suite *suite(void)
{
    Suite *s = suite_create("compile");
    add(s, "phases_are_nested", phases_are_nested, 1);
    add(s, "a_scope_has_its_own", a_scope_has_its_own, 1);
    add(s, "filters_hide", filters_hide, 1);
    add(s, "open_phase_shows_its_time_so_far", open_phase_shows_its_time_so_far, 1);
    add(s, "parts_of_a_compilation_are_listed_once", parts_of_a_compilation_are_listed_once, 1);
    add(s, "time_in_two_phases_counts_once", time_in_two_phases_counts_once, 1);
    add(s, "strange_tales_stay_rows", strange_tales_stay_rows, 1);
    add(s, "any_tale_is_a_tree", any_tale_is_a_tree, 8);
    return s;
}

TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_view.c: order, filter, search and running sums of one table.
 */
#include "model/view.h"

#include "sample.h"
#include "model/sort.h"

static struct model_job *job;
static struct model_state *state;
static struct model_view view;

/* Shortest and longest calls. Each of the two gives an order of its own. */
static void set_extremes(void)
{
    static const uint64_t id[] = {0, 1, 2, 3}, min[] = {40, 10, 30, 20},
                          max[] = {300, 400, 350, 900},
                          every[] = {MODEL_UNKNOWN, MODEL_UNKNOWN, MODEL_UNKNOWN, MODEL_UNKNOWN};
    ck_assert_uint_eq(model_job_set_extremes(job, TAP_ROWS(id), id, min, max, every, false), 0);
}

static void begin(void)
{
    job = sample_job();
    set_extremes();
    state = model_state_take(job, MODEL_ALL, NULL);
    ck_assert(model_view_init(&view, MODEL_APPLY));
    ck_assert(model_view_update(&view, state));
}

static void finish(void)
{
    model_view_release(&view);
    model_state_free(&state);
    model_job_release(&job);
}

static void check_order(const char *ids)
{
    char got[64] = "";
    for (uint32_t i = 0; i < view.count; i++)
        got[i] = (char)('0' + model_view_row(&view, i)->id);
    ck_assert_str_eq(got, ids);
}

static unsigned column(const char *word)
{
    int at = model_column_find(word, view.table);
    ck_assert_int_ge(at, 0);
    return (unsigned)at;
}

/* Times 1000, 500, 8500, 2000; calls 10, 20, 30, 5; shortest 40, 10, 30, 20; longest 300, 400, 350,
 * 900. Names: Elemwise{add}, Elemwise{mul}, Dot(x, w), Dot(x, v). The order by the shortest begins
 * with the least. */
static const struct {
    const char *column, *order, *reversed;
} orders[] = {
    {"time", "2301", "1032"},     {"calls", "2103", "3012"}, {"per-call", "3201", "1023"},
    {"name", "3201", "1023"},     {"impl", "0132", "2013"},  {"id", "0312", "2103"},
    {"function", "3012", "0123"}, {"min", "1320", "0231"},   {"max", "3120", "0213"},
    {"interval-time", "2301", "1032"},
};

START_TEST(order_by_each)
{
    begin();
    check_order("2301"); /* by share of the time, at first */
    ck_assert(model_view_sort(&view, column(orders[_i].column)));
    ck_assert(model_view_update(&view, state));
    check_order(orders[_i].order);
    ck_assert(model_view_sort(&view, column(orders[_i].column)));
    ck_assert(view.reversed);
    ck_assert(model_view_update(&view, state));
    check_order(orders[_i].reversed);
    ck_assert(model_view_sort(&view, column("percent")));
    ck_assert(!view.reversed);
    finish();
}
END_TEST

/* In the order by share, waiting rows stand below working rows, the longest first, and above rows
 * without time. In the order by time, their time gives their place. */
START_TEST(waiting_stands_below_work)
{
    job = sample_waiting();
    sample_apply(job, 0, 0, 9, "never", MODEL_IMPL_C);
    state = model_state_take(job, MODEL_ALL, NULL);
    ck_assert(model_view_init(&view, MODEL_APPLY));
    ck_assert(model_view_update(&view, state));
    check_order("2301546");
    ck_assert_uint_eq(view.whole, 12000);
    ck_assert_uint_eq(view.shown, 12000);
    ck_assert_uint_eq(view.largest, 8500);
    ck_assert_uint_eq(model_view_sum(&view, 6), 12000);
    ck_assert(model_view_sort(&view, column("percent")));
    ck_assert(model_view_update(&view, state));
    check_order("6451032");
    ck_assert(model_view_sort(&view, column("time")));
    ck_assert(model_view_update(&view, state));
    check_order("5234016");
    finish();
}
END_TEST

/* Rows aside do so too. */
START_TEST(aside_rows_stand_below_work)
{
    job = sample_aside();
    sample_apply(job, 0, 0, 9, "never", MODEL_IMPL_C);
    state = model_state_take(job, MODEL_ALL, NULL);
    ck_assert(model_view_init(&view, MODEL_APPLY));
    ck_assert(model_view_update(&view, state));
    check_order("230157468");
    ck_assert_uint_eq(view.whole, 12000);
    ck_assert_uint_eq(view.shown, 12000);
    ck_assert_uint_eq(model_view_sum(&view, 8), 12000);
    ck_assert(model_view_sort(&view, column("time")));
    ck_assert(model_view_update(&view, state));
    check_order("572340618");
    finish();
}
END_TEST

/* 1000 calls of less than 1 ns each: rounded, all would be 0 ns. */
START_TEST(means_below_a_nanosecond_are_ordered)
{
    begin();
    static const uint64_t total[] = {100, 400, 200, 300};
    struct model_job *fast = sample_job();
    for (uint64_t id = 0; id < 4; id++)
        sample_value(fast, id, 1000000, 10000 + total[id] * 1000);
    struct model_state *after = model_state_take(fast, MODEL_ALL, NULL);
    ck_assert(model_view_sort(&view, column("per-call")));
    ck_assert(model_view_update(&view, after));
    check_order("1320");
    ck_assert(model_view_update(&view, state));
    model_state_free(&after);
    model_job_release(&fast);
    finish();
}
END_TEST

/* In either direction. */
START_TEST(rows_with_unknown_values_stand_last)
{
    begin();
    uint32_t idle = model_job_count(job, MODEL_APPLY);
    struct model_apply_raw raw = {.index = 9};
    ck_assert(model_job_add_apply(job, &raw));
    struct model_state *after = model_state_take(job, MODEL_ALL, NULL);
    ck_assert(model_view_sort(&view, column("per-call")));
    for (int i = 0; i < 2; i++) {
        ck_assert(model_view_update(&view, after));
        ck_assert_uint_eq(model_view_row(&view, view.count - 1)->id, idle);
        ck_assert(model_view_sort(&view, view.column));
    }
    ck_assert(model_view_update(&view, state));
    model_state_free(&after);
    finish();
}
END_TEST

START_TEST(the_running_sum_is_ordered_by_the_share)
{
    begin();
    ck_assert(model_view_sort(&view, column("calls")));
    ck_assert(model_view_sort(&view, column("sum")));
    ck_assert_uint_eq(view.column, column("percent"));
    ck_assert(!view.reversed);
    ck_assert(model_view_update(&view, state));
    check_order("2301");
    finish();
}
END_TEST

START_TEST(columns_of_other_tables)
{
    begin();
    unsigned at = (unsigned)model_column_find("applies", MODEL_OP);
    ck_assert(!model_view_sort(&view, at));
    ck_assert(!model_view_sort(&view, model_columns_count));
    ck_assert_uint_eq(view.column, column("percent"));
    finish();
}
END_TEST

START_TEST(sums)
{
    begin();
    static const uint64_t sum[] = {8500, 10500, 11500, 12000};
    for (uint32_t i = 0; i < 4; i++)
        ck_assert_uint_eq(model_view_sum(&view, i), sum[i]);
    ck_assert_uint_eq(view.largest, 8500);
    ck_assert_uint_eq(view.hidden, 0);
    model_view_filter(&view, "ELEM");
    ck_assert(model_view_update(&view, state));
    check_order("01");
    ck_assert_uint_eq(model_view_sum(&view, 1), 1500);
    ck_assert_uint_eq(view.largest, 1000);
    ck_assert_uint_eq(view.largest_interval_ns, 0);
    ck_assert_uint_eq(view.hidden, 2);
    ck_assert_uint_eq(view.hidden_sum, 10500);
    /* The interval, too, uses the largest row that passes the filter. */
    sample_value(job, 1, 25, 800);
    sample_value(job, 2, 31, 9500);
    model_job_set_stamp(job, 2000, 3000);
    model_job_set_values_stamp(job, 2000);
    struct model_state *later = model_state_take(job, MODEL_ALL, state);
    ck_assert(model_view_update(&view, later));
    ck_assert_uint_eq(view.largest_interval_ns, 300);
    model_view_filter(&view, "");
    ck_assert(model_view_update(&view, later));
    ck_assert_uint_eq(view.largest_interval_ns, 1000);
    model_state_free(&later);
    finish();
}
END_TEST

static const struct {
    const char *filter, *order;
} filters[] = {
    {"", "2301"},    {"dot", "23"},   {"DOT(X, V", "3"}, {"x, ", "2301"},
    {"nothing", ""}, {"x, y)", "01"}, {")e", ""}, /* no match spans the end of a name */
};

START_TEST(filter)
{
    begin();
    model_view_filter(&view, "before");
    ck_assert(model_view_update(&view, state));
    model_view_filter(&view, filters[_i].filter);
    ck_assert(model_view_update(&view, state));
    check_order(filters[_i].order);
    ck_assert_uint_eq(view.hidden, 4 - view.count);
    finish();
}
END_TEST

START_TEST(filter_is_bounded)
{
    begin();
    char text[2 * MODEL_FILTER_MAX];
    memset(text, 'A', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    model_view_filter(&view, text);
    ck_assert_uint_eq(strspn(view.filter, "a"), MODEL_FILTER_MAX - 1);
    ck_assert(model_view_update(&view, state));
    check_order("");
    ck_assert_ptr_null(model_view_row(&view, 0));
    finish();
}
END_TEST

START_TEST(search)
{
    begin(); /* 2 Dot(x, w), 3 Dot(x, v), 0 add, 1 mul */
    ck_assert_uint_eq(model_view_search(&view, "dot", 0, 1), 0);
    ck_assert_uint_eq(model_view_search(&view, "dot", 1, 1), 1);
    ck_assert_uint_eq(model_view_search(&view, "dot", 2, 1), 0);
    ck_assert_uint_eq(model_view_search(&view, "dot", 3, -1), 1);
    ck_assert_uint_eq(model_view_search(&view, "MUL", 2, -1), 3);
    ck_assert_uint_eq(model_view_search(&view, "mul", 99, 1), 3);
    ck_assert_uint_eq(model_view_search(&view, "mul", 99, -1), 3);
    ck_assert_uint_eq(model_view_search(&view, "nothing", 0, 1), MODEL_NONE);
    ck_assert_uint_eq(model_view_search(&view, "", 0, 1), MODEL_NONE);
    model_view_filter(&view, "dot");
    ck_assert(model_view_update(&view, state));
    ck_assert_uint_eq(model_view_search(&view, "mul", 0, 1), MODEL_NONE);
    finish();
}
END_TEST

START_TEST(selection_by_id)
{
    begin();
    ck_assert_uint_eq(model_view_find(&view, 0), 2);
    ck_assert_uint_eq(model_view_find(&view, 4), MODEL_NONE);
    model_view_filter(&view, "dot");
    ck_assert(model_view_update(&view, state));
    ck_assert_uint_eq(model_view_find(&view, 0), MODEL_NONE);
    ck_assert_uint_eq(model_view_find(&view, 3), 1);
    finish();
}
END_TEST

START_TEST(names_that_arrive_later)
{
    begin();
    model_view_filter(&view, "dot");
    model_view_sort(&view, column("name"));
    ck_assert(model_view_update(&view, state));
    check_order("32");
    sample_apply(job, 1, 2, 1, "Dot(a, b)", MODEL_IMPL_C);
    sample_apply(job, 1, 2, 2, "Sum(a)", MODEL_IMPL_C);
    struct model_state *later = model_state_take(job, MODEL_ALL, state);
    ck_assert(model_view_update(&view, later));
    check_order("432");
    ck_assert_uint_eq(view.hidden, 3);
    /* Another instance of the job: no old name is left. */
    struct model_job *other = sample_empty();
    sample_class(other, "c");
    sample_op(other, 0, "o");
    sample_function(other, "f", MODEL_NONE);
    sample_apply(other, 0, 0, 0, "mul", 0);
    sample_apply(other, 0, 0, 1, "dot", 0);
    struct model_state *reborn = model_state_take(other, MODEL_ALL, later);
    ck_assert(model_view_update(&view, reborn));
    check_order("1");
    ck_assert(model_view_update(&view, NULL));
    ck_assert_uint_eq(view.count, 0);
    model_state_free(&later);
    model_state_free(&reborn);
    model_job_release(&other);
    finish();
}
END_TEST

START_TEST(scope)
{
    begin();
    struct model_state *test = model_state_take(job, 1, NULL);
    ck_assert(model_view_update(&view, test));
    check_order("3");
    ck_assert_uint_eq(view.hidden, 0);
    model_state_free(&test);
    finish();
}
END_TEST

/* A job may send 2^62 ns for every row. Five rows exceed the range. */
START_TEST(absurd_sums_do_not_wrap)
{
    const uint64_t absurd = UINT64_C(1) << 62;
    begin();
    for (unsigned i = 0; i < 4; i++)
        ck_assert_uint_eq(sample_value(job, i, 1000, absurd), 0);
    for (unsigned i = 0; i < 4; i++)
        sample_apply(job, 0, 0, i, "more", MODEL_IMPL_C);
    for (unsigned i = 4; i < 8; i++)
        ck_assert_uint_eq(sample_value(job, i, 1000, absurd), 0);
    struct model_state *test = model_state_take(job, MODEL_ALL, NULL);
    ck_assert(model_view_update(&view, test));
    ck_assert_uint_eq(view.count, 8);
    for (unsigned i = 1; i < view.count; i++)
        ck_assert_uint_ge(model_view_sum(&view, i), model_view_sum(&view, i - 1));
    ck_assert_uint_eq(model_view_sum(&view, view.count - 1), test->totals.time_ns);
    model_view_filter(&view, "no such name");
    ck_assert(model_view_update(&view, test));
    ck_assert_uint_eq(view.hidden_sum, test->totals.time_ns);
    model_state_free(&test);
    finish();
}
END_TEST

static void tell(uint32_t apply, uint64_t rev, uint64_t bytes, uint64_t alias, const char *shape)
{
    const struct model_bytes f4 = {"float32", 7};
    const struct model_value_raw value[] = {
        {.source = MODEL_NONE, .bytes = MODEL_UNKNOWN},
        {.dtype = f4, .shape = {shape, strlen(shape)}, .bytes = bytes, .source = MODEL_NONE},
        {.dtype = f4, .bytes = 0, .source = MODEL_NONE, .alias = alias}};
    const struct model_about_raw raw = {
        .rev = rev, .bytes = bytes, .inputs = 1, .outputs = 2, .value = value};
    ck_assert(model_job_set_about(job, apply, &raw));
}

static struct model_cell cell_of(const char *word, uint32_t at)
{
    return model_columns[column(word)].get(&view, model_view_row(&view, at), at);
}

/* Applies 0 to 2 have 400, 3600 and 8 bytes. Apply 3 is unknown. */
static void begin_sizes(void)
{
    job = sample_job();
    tell(0, 1, 400, 0, "[10,10]");
    tell(1, 1, 3600, 1, "[900]");
    tell(2, 1, 8, 2, "[2]");
    state = model_state_take(job, MODEL_ALL, NULL);
    ck_assert(model_view_init(&view, MODEL_SIZES));
    ck_assert(model_view_update(&view, state));
}

START_TEST(applies_by_their_memory)
{
    begin_sizes();
    check_order("1023"); /* the largest first; unknown last in either direction */
    ck_assert_uint_eq(view.whole, 4008);
    ck_assert_uint_eq(view.largest, 3600);
    ck_assert_uint_eq(model_view_sum(&view, 1), 4000);
    ck_assert_uint_eq(model_view_weight(&view, model_view_row(&view, 3)), MODEL_UNKNOWN);
    ck_assert_str_eq(cell_of("outputs", 0).text->shown, "float32[900], float32");
    static const char *const marks[] = {"c v", "c", "c i"};
    for (uint32_t i = 0; i < 3; i++)
        ck_assert_str_eq(cell_of("marks", i).text->shown, marks[i]);
    ck_assert_double_eq_tol(cell_of("size-percent", 0).d, 100.0 * 3600 / 4008, 1e-9);
    ck_assert_str_eq(cell_of("name", 0).text->shown, "Elemwise{mul}(x, y)");
    ck_assert_uint_eq(cell_of("time", 0).u, 500);
    static const char *const unknown[] = {"size", "size-percent", "marks", "outputs"};
    for (int i = 0; i < TAP_ROWS(unknown); i++)
        ck_assert(!cell_of(unknown[i], 3).known);
    ck_assert(model_view_sort(&view, column("size")));
    ck_assert(model_view_update(&view, state));
    check_order("2013");
    ck_assert(model_view_sort(&view, column("marks")));
    ck_assert(model_view_update(&view, state));
    check_order("3012");
    finish();
}
END_TEST

/* Counts rows with a known time and untimed calls, also those that the filter hides. Bytes are
 * never estimates. */
START_TEST(estimates_are_counted)
{
    job = sample_job();
    state = model_state_take(job, MODEL_ALL, NULL);
    ck_assert(model_view_init(&view, MODEL_APPLY));
    ck_assert(model_view_update(&view, state));
    ck_assert_uint_eq(view.estimated, 0);
    ck_assert(!view.whole_estimated);
    sample_timed(job, 1, 5);
    sample_timed(job, 2, 5);
    model_state_free(&state);
    state = model_state_take(job, MODEL_ALL, NULL);
    for (int filtered = 0; filtered < 2; filtered++) {
        model_view_filter(&view, filtered ? "ELEM" : "");
        ck_assert(model_view_update(&view, state));
        check_order(filtered ? "01" : "2301");
        ck_assert_uint_eq(view.estimated, 2);
        ck_assert(view.whole_estimated);
        ck_assert_int_eq(model_view_estimated(&view, model_view_row(&view, 0)), !filtered);
    }
    ck_assert(model_view_estimated(&view, model_view_row(&view, 1)));
    model_view_release(&view);
    ck_assert(model_view_init(&view, MODEL_SIZES));
    ck_assert(model_view_update(&view, state));
    ck_assert_uint_eq(view.estimated, 0);
    ck_assert(!view.whole_estimated);
    finish();
}
END_TEST

START_TEST(small_ones_are_hidden)
{
    begin_sizes();
    view.least_bytes = 400;
    ck_assert(model_view_update(&view, state));
    check_order("103");
    ck_assert_uint_eq(view.small, 1);
    ck_assert_uint_eq(view.hidden, 1);
    ck_assert_uint_eq(view.hidden_sum, 8);
    ck_assert_uint_eq(view.whole, 4008);
    model_view_filter(&view, "dot");
    ck_assert(model_view_update(&view, state));
    check_order("3");
    ck_assert_uint_eq(view.small, 1);
    ck_assert_uint_eq(view.hidden, 3);
    finish();
}
END_TEST

/* The job's own limit for small rows, unless the viewer sets another. */
START_TEST(small_ones_are_those_of_the_job)
{
    static const char fact[] = "profiling.min_memory_size=401";
    begin_sizes();
    view.least_by_job = true;
    ck_assert(model_view_update(&view, state));
    ck_assert_uint_eq(view.least_bytes, 1024);
    struct model_identity *who = model_job_identity_mutable(job);
    ck_assert(model_job_set_text(job, &who->facts, fact, sizeof(fact) - 1));
    ck_assert(model_view_update(&view, state));
    ck_assert_uint_eq(view.least_bytes, 401);
    finish();
}
END_TEST

/* A shape that arrives after a state was taken is not shown beside the state's bytes. */
START_TEST(newer_shapes_wait_for_their_bytes)
{
    begin_sizes();
    tell(1, 2, 4, 0, "[1]");
    ck_assert_uint_eq(cell_of("size", 0).u, 3600);
    ck_assert(!cell_of("outputs", 0).known);
    ck_assert(model_state_renew(state, MODEL_ALL));
    ck_assert(model_view_update(&view, state));
    check_order("0213");
    ck_assert_str_eq(cell_of("outputs", 2).text->shown, "float32[1], float32");
    finish();
}
END_TEST

/* Compares the sorter with a plain one: equal keys stay in the order given. */
START_TEST(sorter)
{
    enum { MOST = 3000 };
    static struct model_pair pairs[MOST], spare[MOST];
    struct sample_random r = {(uint64_t)_i + 11};
    size_t n = sample_below(&r, _i % 2 ? MOST : 100);
    uint64_t range = _i % 3 ? 50 : UINT64_MAX;
    for (size_t i = 0; i < n; i++)
        pairs[i] = (struct model_pair){sample_next(&r) % range << (_i % 40), (uint32_t)i};
    model_sort(pairs, spare, n);
    bool seen[MOST] = {false};
    for (size_t i = 0; i < n; i++) {
        ck_assert(!seen[pairs[i].id]);
        seen[pairs[i].id] = true;
        if (i > 0)
            ck_assert(pairs[i - 1].key < pairs[i].key ||
                      (pairs[i - 1].key == pairs[i].key && pairs[i - 1].id < pairs[i].id));
    }
}
END_TEST

static int compare(const char *bytes, const size_t *offset, uint32_t a, uint32_t b)
{
    size_t na = offset[a + 1] - offset[a], nb = offset[b + 1] - offset[b];
    int order = memcmp(bytes + offset[a], bytes + offset[b], na < nb ? na : nb);
    return order ? order : (na > nb) - (na < nb);
}

START_TEST(ranks)
{
    enum { STRINGS = 150 };
    char bytes[STRINGS * 64];
    size_t offset[STRINGS + 1] = {0};
    uint32_t rank[STRINGS];
    struct sample_random r = {(uint64_t)_i + 5};
    for (unsigned i = 0; i < STRINGS; i++) {
        size_t size = sample_below(&r, 40);
        for (size_t at = 0; at < size; at++)
            bytes[offset[i] + at] = (char)(sample_below(&r, 20) ? 'a' : sample_below(&r, 256));
        offset[i + 1] = offset[i] + size;
    }
    ck_assert(model_sort_ranks(bytes, offset, STRINGS, rank));
    for (uint32_t a = 0; a < STRINGS; a++)
        for (uint32_t b = 0; b < STRINGS; b++) {
            int order = compare(bytes, offset, a, b);
            ck_assert_int_eq(rank[a] < rank[b], order < 0);
            ck_assert_int_eq(rank[a] == rank[b], order == 0);
        }
    ck_assert(model_sort_ranks(bytes, offset, 0, rank));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("view");
    tap_add_loop(s, "order_by_each", order_by_each, TAP_ROWS(orders));
    tap_add(s, "waiting_stands_below_work", waiting_stands_below_work);
    tap_add(s, "aside_rows_stand_below_work", aside_rows_stand_below_work);
    tap_add(s, "means_below_a_nanosecond_are_ordered", means_below_a_nanosecond_are_ordered);
    tap_add(s, "rows_with_unknown_values_stand_last", rows_with_unknown_values_stand_last);
    tap_add(s, "columns_of_other_tables", columns_of_other_tables);
    tap_add(s, "the_running_sum_is_ordered_by_the_share", the_running_sum_is_ordered_by_the_share);
    tap_add(s, "sums", sums);
    tap_add_loop(s, "filter", filter, TAP_ROWS(filters));
    tap_add(s, "filter_is_bounded", filter_is_bounded);
    tap_add(s, "search", search);
    tap_add(s, "selection_by_id", selection_by_id);
    tap_add(s, "names_that_arrive_later", names_that_arrive_later);
    tap_add(s, "scope", scope);
    tap_add(s, "absurd_sums_do_not_wrap", absurd_sums_do_not_wrap);
    tap_add(s, "applies_by_their_memory", applies_by_their_memory);
    tap_add(s, "estimates_are_counted", estimates_are_counted);
    tap_add(s, "small_ones_are_hidden", small_ones_are_hidden);
    tap_add(s, "small_ones_are_those_of_the_job", small_ones_are_those_of_the_job);
    tap_add(s, "newer_shapes_wait_for_their_bytes", newer_shapes_wait_for_their_bytes);
    tap_add_loop(s, "sorter", sorter, 24);
    tap_add_loop(s, "ranks", ranks, 6);
    return s;
}
TAP_MAIN(suite)

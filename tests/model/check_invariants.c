/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_invariants.c: invariants of any job, checked on random jobs from seeds.
 */
#include "model/state.h"

#include "sample.h"
#include "model/view.h"

enum { SEEDS = 24 };

static struct sample_random seeded(int i)
{
    return (struct sample_random){UINT64_C(0x9E3779B97F4A7C15) * (uint64_t)(i + 1)};
}

/* A job that ran a while; every second one has functions inside applies. */
static struct model_job *job_of(int i, struct sample_random *r)
{
    *r = seeded(i);
    struct model_job *job = sample_random_job(r, i % 2 == 1);
    for (unsigned round = 0; round < 3; round++)
        sample_run(job, r, 1000000);
    return job;
}

struct sums {
    uint64_t calls, total_ns, self_ns, work_ns, wait_ns, aside_ns, time_ns;
    uint64_t interval_ns, interval_wait_ns, interval_aside_ns;
    uint64_t applies, rows;
};

static struct sums sums_of(const struct model_state *state, enum model_table table)
{
    struct sums sums = {0};
    for (uint32_t i = 0; i < state->count[table]; i++) {
        const struct model_row *row = &state->row[table][i];
        if (!row->in_scope)
            continue;
        sums.rows++;
        sums.calls += table == MODEL_FUNCTION ? 0 : row->calls;
        sums.total_ns += row->total_ns;
        sums.self_ns += row->self_ns;
        const struct model_waited wait = model_state_waited(state, table, row);
        sums.wait_ns += wait.ns;
        sums.aside_ns += wait.aside_ns;
        sums.time_ns += model_state_time(state, row);
        sums.applies += row->applies;
        const uint64_t work_ns = model_state_work(state, table, row);
        if (model_row_left_out(row))
            ck_assert_uint_eq(work_ns, MODEL_UNKNOWN);
        else
            sums.work_ns += work_ns;
        const uint64_t interval_ns = model_state_interval_work(state, table, row);
        if (interval_ns != MODEL_UNKNOWN)
            sums.interval_ns += interval_ns;
        if (wait.interval_ns != MODEL_UNKNOWN)
            sums.interval_wait_ns += wait.interval_ns;
        if (wait.aside_interval_ns != MODEL_UNKNOWN)
            sums.interval_aside_ns += wait.aside_interval_ns;
    }
    return sums;
}

static uint64_t waited(const struct model_state *state)
{
    return state->totals.wait_ns == MODEL_UNKNOWN ? 0 : state->totals.wait_ns;
}

static uint64_t aside(const struct model_state *state)
{
    return state->totals.aside_ns == MODEL_UNKNOWN ? 0 : state->totals.aside_ns;
}

/* All panes have the same sums, over all functions and for each one. Work, waiting and time aside
 * add up to the whole time. */
START_TEST(panes_agree)
{
    struct sample_random r;
    struct model_job *job = job_of(_i, &r);
    uint32_t functions = model_job_count(job, MODEL_FUNCTION);
    for (uint32_t at = 0; at <= functions; at++) {
        uint32_t scope = at == functions ? MODEL_ALL : at;
        struct model_state *state = model_state_take(job, scope, NULL);
        struct sums apply = sums_of(state, MODEL_APPLY);
        for (unsigned table = 0; table < MODEL_ROW_TABLES; table++) {
            struct sums sums = sums_of(state, table);
            ck_assert_uint_eq(sums.total_ns, apply.total_ns);
            ck_assert_uint_eq(sums.self_ns, apply.self_ns);
            ck_assert_uint_eq(sums.applies, apply.rows);
            ck_assert_uint_eq(sums.work_ns, state->totals.time_ns);
            ck_assert_uint_eq(sums.wait_ns, waited(state));
            ck_assert_uint_eq(sums.aside_ns, aside(state));
            ck_assert_uint_eq(sums.work_ns + sums.wait_ns + sums.aside_ns, sums.time_ns);
            ck_assert_uint_eq(sums.rows, state->totals.rows[table]);
            if (table != MODEL_FUNCTION)
                ck_assert_uint_eq(sums.calls, state->totals.apply_calls);
        }
        model_state_free(&state);
    }
    model_job_release(&job);
}
END_TEST

static uint64_t inclusive(const struct model_job *job, uint32_t function);

/* Time of the functions inside an apply. */
static uint64_t inside(const struct model_job *job, uint32_t apply)
{
    uint64_t sum = 0;
    for (uint32_t f = 0; f < model_job_count(job, MODEL_FUNCTION); f++)
        if (model_job_function(job, f)->parent == apply)
            sum += inclusive(job, f);
    return sum;
}

/* Time of an apply, including the functions inside it. The value of an exclusive apply leaves them
 * out, so their time is added. */
static uint64_t whole(const struct model_job *job, uint32_t apply)
{
    uint64_t told = model_job_apply_values(job)[apply].total_ns;
    return model_job_apply(job, apply)->exclusive ? told + inside(job, apply) : told;
}

/* Inclusive time of a function, computed the slow way: node by node, and recursively into the
 * functions that a node runs. */
static uint64_t inclusive(const struct model_job *job, uint32_t function)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < model_job_count(job, MODEL_APPLY); i++) {
        if (model_job_apply(job, i)->function != function)
            continue;
        uint64_t node = whole(job, i), inner = inside(job, i);
        sum += node > inner ? node : inner;
    }
    return sum;
}

static bool is_root(const struct model_job *job, uint32_t function)
{
    return model_job_function(job, function)->parent == MODEL_NONE;
}

START_TEST(self_is_inclusive_of_roots)
{
    struct sample_random r;
    struct model_job *job = job_of(_i, &r);
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    uint64_t roots = 0, plain = 0, clipped = 0;
    for (uint32_t f = 0; f < state->count[MODEL_FUNCTION]; f++)
        if (is_root(job, f)) {
            roots += inclusive(job, f);
            plain += state->row[MODEL_FUNCTION][f].total_ns;
        }
    for (uint32_t i = 0; i < state->count[MODEL_APPLY]; i++) {
        const struct model_row *row = &state->row[MODEL_APPLY][i];
        clipped += row->clipped;
        ck_assert_uint_le(row->self_ns, row->total_ns);
        ck_assert(!row->clipped || row->self_ns == 0);
    }
    ck_assert_uint_eq(sums_of(state, MODEL_FUNCTION).self_ns, roots);
    if (!clipped)
        ck_assert_uint_eq(roots, plain);
    if (_i % 2 == 0) /* nothing nested: self is total */
        ck_assert_uint_eq(sums_of(state, MODEL_APPLY).total_ns, roots);
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

/* Rank in the order by share: work, waiting, no time. 0: unknown. */
static int share_rank(const struct model_cell *cell)
{
    return cell->known ? cell->d > 0 ? 3 : 1 : cell->left_out ? 2 : 0;
}

static bool has_shares(const struct model_column *column)
{
    return !strcmp(column->id, "percent") || !strcmp(column->id, "interval-percent");
}

/* Each order is a sorted permutation. Ties go by id. The running sum ends at the total. */
static void check_order(const struct model_view *view, const struct model_column *column)
{
    const struct model_state *state = view->state;
    bool *seen = calloc(state->count[view->table] + 1, sizeof(*seen));
    bool down = column->ascending == view->reversed;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < view->count; i++) {
        const struct model_row *row = model_view_row(view, i);
        ck_assert(!seen[row->id]);
        seen[row->id] = true;
        sum += model_row_left_out(row) ? 0 : model_state_work(state, view->table, row);
        ck_assert_uint_eq(model_view_sum(view, i), sum);
        if (i == 0 || column->unit == MODEL_UNIT_TEXT || !strcmp(column->id, "sum"))
            continue;
        const struct model_row *above = model_view_row(view, i - 1);
        struct model_cell cell[2] = {column->get(view, above, i - 1), column->get(view, row, i)};
        uint64_t key[2] = {model_unit_key(column->unit, &cell[0]),
                           model_unit_key(column->unit, &cell[1])};
        if (has_shares(column)) {
            const int rank[2] = {share_rank(&cell[0]), share_rank(&cell[1])};
            ck_assert(rank[0] == 0 || rank[1] == 0 ? rank[1] == 0
                      : down                       ? rank[0] >= rank[1]
                                                   : rank[0] <= rank[1]);
            if (rank[0] != rank[1] || rank[0] == 2)
                continue;
        }
        /* Unknown values have the least key, and stand last in either direction. */
        bool fine = key[0] == 0 || key[1] == 0 ? key[1] == 0
                    : down                     ? key[0] >= key[1]
                                               : key[0] <= key[1];
        ck_assert(fine);
        /* Shares of different times can be the same double. Then the times are in order. */
        if (key[0] == key[1] && column->unit != MODEL_UNIT_PERCENT)
            ck_assert_uint_lt(above->id, row->id);
    }
    ck_assert_uint_eq(sum + view->hidden_sum, state->totals.time_ns);
    ck_assert_uint_eq(view->count + view->hidden, state->totals.rows[view->table]);
    free(seen);
}

START_TEST(orders)
{
    struct sample_random r;
    struct model_job *job = job_of(_i, &r);
    struct model_state *before = model_state_take(job, MODEL_ALL, NULL);
    sample_run(job, &r, 1000000);
    struct model_state *state = model_state_take(job, MODEL_ALL, before);
    for (unsigned table = 0; table < MODEL_ROW_TABLES; table++) {
        struct model_view view;
        ck_assert(model_view_init(&view, table));
        for (unsigned c = 0; c < model_columns_count; c++) {
            if (!(model_columns[c].in >> table & 1))
                continue;
            model_view_sort(&view, c);
            ck_assert(model_view_update(&view, state));
            check_order(&view, &model_columns[c]);
            model_view_sort(&view, c);
            ck_assert(model_view_update(&view, state));
            check_order(&view, &model_columns[c]);
        }
        model_view_release(&view);
    }
    model_state_free(&before);
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

/* Names sort by their folded bytes. Equal names sort by id. */
START_TEST(names_in_order)
{
    struct sample_random r;
    struct model_job *job = job_of(_i, &r);
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    struct model_view view;
    ck_assert(model_view_init(&view, MODEL_APPLY));
    ck_assert(model_view_sort(&view, (unsigned)model_column_find("name", MODEL_APPLY)));
    ck_assert(model_view_update(&view, state));
    for (uint32_t i = 1; i < view.count; i++) {
        const struct model_row *row[2] = {model_view_row(&view, i - 1), model_view_row(&view, i)};
        char name[2][128];
        for (unsigned k = 0; k < 2; k++) {
            const struct model_text *text = model_view_name(&view, row[k]);
            model_text_fold(text->shown, text->shown_size, name[k], sizeof(name[k]));
        }
        int order = strcmp(name[0], name[1]);
        ck_assert(order < 0 || (order == 0 && row[0]->id < row[1]->id));
    }
    model_view_release(&view);
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

START_TEST(filter_keeps_the_shares)
{
    struct sample_random r;
    struct model_job *job = job_of(_i, &r);
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    struct model_view all, some;
    ck_assert(model_view_init(&all, MODEL_APPLY) && model_view_init(&some, MODEL_APPLY));
    model_view_filter(&some, "NODE1");
    ck_assert(model_view_update(&all, state) && model_view_update(&some, state));
    const struct model_column *percent = &model_columns[model_column_find("percent", MODEL_APPLY)];
    uint32_t expected = 0;
    for (uint32_t i = 0; i < all.count; i++) {
        const struct model_row *row = model_view_row(&all, i);
        bool shown = strstr(model_view_name(&all, row)->raw, "Node1") != NULL;
        uint32_t at = model_view_find(&some, row->id);
        ck_assert_int_eq(shown, at != MODEL_NONE);
        expected += shown;
        if (shown)
            ck_assert(percent->get(&all, row, i).d ==
                      percent->get(&some, model_view_row(&some, at), at).d);
    }
    ck_assert_uint_eq(some.count, expected);
    ck_assert_uint_gt(expected, 0);
    model_view_release(&all);
    model_view_release(&some);
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

/* In every pane, the intervals of many states add up to the difference of the last and the
 * first. */
START_TEST(intervals_add_up)
{
    struct sample_random r = seeded(_i);
    struct model_job *job = sample_random_job(&r, false);
    sample_run(job, &r, 1000000);
    uint32_t scope = _i % 3 ? MODEL_ALL : 0;
    struct model_state *first = model_state_take(job, scope, NULL);
    struct model_state *before = NULL;
    uint64_t sum[MODEL_ROW_TABLES] = {0}, wait[MODEL_ROW_TABLES] = {0};
    uint64_t beside[MODEL_ROW_TABLES] = {0};
    uint64_t total = 0, calls = 0, length = 0;
    for (unsigned take = 0; take < 20; take++) {
        sample_run(job, &r, 1000000);
        struct model_state *state = model_state_take(job, scope, before ? before : first);
        for (unsigned table = 0; table < MODEL_ROW_TABLES; table++)
        {
            const struct sums sums = sums_of(state, table);
            sum[table] += sums.interval_ns;
            wait[table] += sums.interval_wait_ns;
            beside[table] += sums.interval_aside_ns;
        }
        total += state->totals.interval_time_ns;
        calls += state->totals.apply_interval_calls;
        length += state->interval_ns;
        model_state_free(&before);
        before = state;
    }
    uint64_t expected = before->totals.time_ns - first->totals.time_ns;
    for (unsigned table = 0; table < MODEL_ROW_TABLES; table++) {
        ck_assert_uint_eq(sum[table], expected);
        ck_assert_uint_eq(wait[table], waited(before) - waited(first));
        ck_assert_uint_eq(beside[table], aside(before) - aside(first));
    }
    ck_assert_uint_eq(total, expected);
    ck_assert_uint_eq(calls, before->totals.apply_calls - first->totals.apply_calls);
    ck_assert_uint_eq(length, before->mono_ns - first->mono_ns);
    model_state_free(&before);
    model_state_free(&first);
    model_job_release(&job);
}
END_TEST

/* A state of a new epoch contains nothing of the old one, and has no interval against it. */
START_TEST(epochs_do_not_mix)
{
    struct sample_random r;
    struct model_job *job = job_of(_i, &r);
    struct model_state *before = model_state_take(job, MODEL_ALL, NULL);
    const uint64_t held = before->totals.time_ns, whole_ns = held + waited(before) + aside(before);
    model_job_set_epoch(job, 2);
    uint64_t expected = 0;
    for (uint32_t i = 0; i < before->count[MODEL_APPLY]; i += 3) {
        uint64_t ns = sample_below(&r, 1000);
        ck_assert_uint_eq(sample_value(job, i, 1, ns), 0);
    }
    for (uint32_t i = 0; i < before->count[MODEL_APPLY]; i++)
        expected += whole(job, i);
    model_job_set_stamp(job, before->mono_ns + 1000, 1);
    struct model_state *state = model_state_take(job, MODEL_ALL, before);
    ck_assert_uint_eq(sums_of(state, MODEL_CLASS).total_ns, expected);
    ck_assert_uint_eq(state->interval_ns, 0);
    ck_assert_uint_eq(before->totals.time_ns, held);
    ck_assert_uint_eq(sums_of(before, MODEL_OP).self_ns, whole_ns);
    model_state_free(&before);
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

/* Rows of any order and age: each fall is counted, the other values are applied. */
START_TEST(falls)
{
    struct sample_random r;
    struct model_job *job = job_of(_i, &r);
    uint32_t n = model_job_count(job, MODEL_APPLY);
    for (unsigned round = 0; round < 50; round++) {
        uint64_t id = sample_below(&r, n);
        struct model_apply_value old = model_job_apply_values(job)[id];
        uint64_t calls = sample_below(&r, 2 * old.calls + 2);
        uint64_t total = sample_below(&r, 2 * old.total_ns + 2);
        bool fine = calls >= old.calls && total >= old.total_ns;
        ck_assert_uint_eq(sample_value(job, id, calls, total), !fine);
        struct model_apply_value now = model_job_apply_values(job)[id];
        ck_assert_uint_eq(now.calls, fine ? calls : old.calls);
        ck_assert_uint_eq(now.total_ns, fine ? total : old.total_ns);
    }
    model_job_release(&job);
}
END_TEST

static void check_same_row(const struct model_row *a, const struct model_row *b)
{
    ck_assert_uint_eq(a->calls, b->calls);
    ck_assert_uint_eq(a->total_ns, b->total_ns);
    ck_assert_uint_eq(a->self_ns, b->self_ns);
    ck_assert_uint_eq(a->interval_calls, b->interval_calls);
    ck_assert_uint_eq(a->interval_ns, b->interval_ns);
    ck_assert_uint_eq(a->min_ns, b->min_ns);
    ck_assert_uint_eq(a->timed, b->timed);
    ck_assert_uint_eq(a->error_ns, b->error_ns);
    ck_assert_uint_eq(a->id, b->id);
    ck_assert_uint_eq(a->applies, b->applies);
    ck_assert_uint_eq(a->impls, b->impls);
    ck_assert_uint_eq(a->does, b->does);
    ck_assert_int_eq(a->in_scope, b->in_scope);
    ck_assert_int_eq(a->clipped, b->clipped);
}

static void check_same_waited(const struct model_state *a, const struct model_state *b,
                              enum model_table table, uint32_t id)
{
    const struct model_waited x = model_state_waited(a, table, &a->row[table][id]);
    const struct model_waited y = model_state_waited(b, table, &b->row[table][id]);
    ck_assert_uint_eq(x.ns, y.ns);
    ck_assert_uint_eq(x.interval_ns, y.interval_ns);
    ck_assert_uint_eq(x.aside_ns, y.aside_ns);
    ck_assert_uint_eq(x.aside_interval_ns, y.aside_interval_ns);
}

static void check_same_state(const struct model_state *a, const struct model_state *b)
{
    for (unsigned table = 0; table < MODEL_ROW_TABLES; table++) {
        ck_assert_uint_eq(a->count[table], b->count[table]);
        ck_assert_uint_eq(a->totals.rows[table], b->totals.rows[table]);
        for (uint32_t i = 0; i < a->count[table]; i++)
        {
            check_same_row(&a->row[table][i], &b->row[table][i]);
            check_same_waited(a, b, table, i);
        }
    }
    ck_assert_uint_eq(a->mono_ns, b->mono_ns);
    ck_assert_uint_eq(a->interval_ns, b->interval_ns);
    ck_assert_uint_eq(a->scope, b->scope);
    ck_assert_uint_eq(a->epoch, b->epoch);
    ck_assert_uint_eq(a->totals.time_ns, b->totals.time_ns);
    ck_assert_uint_eq(a->totals.wait_ns, b->totals.wait_ns);
    ck_assert_uint_eq(a->totals.aside_ns, b->totals.aside_ns);
    ck_assert_uint_eq(a->totals.interval_time_ns, b->totals.interval_time_ns);
    ck_assert_uint_eq(a->totals.apply_interval_calls, b->totals.apply_interval_calls);
}

/* Random changes between two states: values, no values, new applies and functions, other lines,
 * another epoch. */
static void go_on(struct model_job *job, struct sample_random *r, uint32_t epoch)
{
    const uint32_t applies = model_job_count(job, MODEL_APPLY);
    switch (sample_below(r, 6)) {
    case 0:
        model_job_set_stamp(job, model_job_mono_ns(job) + 1000, model_job_wall_ns(job) + 1000);
        return;
    case 1:
        for (uint32_t i = 0; i < 100; i++)
            sample_apply(job, 0, 0, i, "later", MODEL_IMPL_C);
        sample_function(job, "later", applies - 1);
        break;
    case 2:
        model_job_set_line(job, (uint32_t)sample_below(r, applies),
                           (uint32_t)sample_below(r, model_job_count(job, MODEL_LINE)));
        break;
    case 3:
        model_job_set_epoch(job, epoch);
        model_job_set_stamp(job, 1000, 2000);
        model_job_set_values_stamp(job, 1000);
        model_job_set_complete(job);
        break;
    default:
        break;
    }
    sample_run(job, r, 1000000);
}

/* A state renewed in place equals a newly taken state. */
START_TEST(renewed_is_as_taken)
{
    struct sample_random r;
    struct model_job *job = job_of(_i, &r);
    struct model_state *renewed = model_state_take(job, MODEL_ALL, NULL);
    struct model_state *before = model_state_take(job, MODEL_ALL, NULL);
    for (uint32_t round = 0; round < 30; round++) {
        uint32_t scope = sample_below(&r, 5) ? before->scope
                         : before->scope == MODEL_ALL ? 0
                                                      : MODEL_ALL;
        go_on(job, &r, 2 + round);
        struct model_state *state = model_state_take(job, scope, before);
        ck_assert(model_state_renew(renewed, scope));
        check_same_state(renewed, state);
        model_state_free(&before);
        before = state;
    }
    model_state_free(&before);
    model_state_free(&renewed);
    model_job_release(&job);
}
END_TEST

/* `sums` and `whole` agree in all that `sums` has. An apply that is new to `sums` began its
 * interval unseen. */
static void check_same_sums(const struct model_state *sums, const struct model_state *whole)
{
    for (unsigned table = 0; table < MODEL_ROW_TABLES; table++) {
        ck_assert_uint_eq(sums->totals.rows[table], whole->totals.rows[table]);
        ck_assert_uint_eq(sums->count[table],
                          sums->sums && table == MODEL_APPLY ? 0 : whole->count[table]);
        for (uint32_t i = 0; i < sums->count[table]; i++) {
            struct model_row row = sums->row[table][i];
            if (table == MODEL_APPLY && row.interval_ns == MODEL_UNKNOWN) {
                row.interval_ns = whole->row[table][i].interval_ns;
                row.interval_calls = whole->row[table][i].interval_calls;
            }
            check_same_row(&row, &whole->row[table][i]);
            if (table != MODEL_APPLY)
                check_same_waited(sums, whole, table, i);
        }
    }
    ck_assert_uint_eq(sums->interval_ns, whole->interval_ns);
    ck_assert_uint_eq(sums->totals.time_ns, whole->totals.time_ns);
    ck_assert_uint_eq(sums->totals.apply_calls, whole->totals.apply_calls);
    ck_assert_uint_eq(sums->totals.apply_interval_calls, whole->totals.apply_interval_calls);
}

/* Applies can be added up without keeping them, until one of them runs another function. */
START_TEST(sums_alone_are_the_same)
{
    struct sample_random r;
    struct model_job *job = job_of(_i, &r);
    struct model_state *sums = model_state_take_sums(job, MODEL_ALL, NULL);
    struct model_state *whole = model_state_take(job, MODEL_ALL, NULL);
    bool nested = false;
    for (uint32_t f = 0; f < model_job_count(job, MODEL_FUNCTION); f++)
        nested = nested || model_job_function(job, f)->parent != MODEL_NONE;
    ck_assert_int_eq(sums->sums, !nested);
    check_same_sums(sums, whole);
    for (uint32_t round = 0; round < 12; round++) {
        if (round < 6)
            sample_run(job, &r, 1000000);
        else
            go_on(job, &r, 2 + round);
        struct model_state *next = model_state_take(job, MODEL_ALL, whole);
        ck_assert(model_state_renew(sums, MODEL_ALL));
        check_same_sums(sums, next);
        model_state_free(&whole);
        whole = next;
    }
    struct model_state *one = model_state_take_sums(job, 0, NULL);
    ck_assert(!one->sums); /* the applies' rows are needed for the scope */
    model_state_free(&one);
    model_state_free(&sums);
    model_state_free(&whole);
    model_job_release(&job);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("invariants");
    tap_add_loop(s, "panes_agree", panes_agree, SEEDS);
    tap_add_loop(s, "self_is_inclusive_of_roots", self_is_inclusive_of_roots, SEEDS);
    tap_add_loop(s, "orders", orders, SEEDS);
    tap_add_loop(s, "names_in_order", names_in_order, SEEDS);
    tap_add_loop(s, "filter_keeps_the_shares", filter_keeps_the_shares, SEEDS);
    tap_add_loop(s, "renewed_is_as_taken", renewed_is_as_taken, SEEDS);
    tap_add_loop(s, "sums_alone_are_the_same", sums_alone_are_the_same, SEEDS);
    tap_add_loop(s, "intervals_add_up", intervals_add_up, SEEDS);
    tap_add_loop(s, "epochs_do_not_mix", epochs_do_not_mix, SEEDS);
    tap_add_loop(s, "falls", falls, SEEDS);
    return s;
}
TAP_MAIN(suite)

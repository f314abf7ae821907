/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_gate.c: verdicts on runs with known figures: noise of the runs, a machine that changes its
 * pace, rows that are new, gone, unknown or wait, runs that are the same.
 */
#include "model/gate.h"

#include <math.h>

#include "model/node_detail.h"
#include "model/quantile.h"
#include "sample.h"

enum { OPS = 8, CALLS = 100, STEP_NS = 100000 };

/* The program of a side: figures of each op. Times are ns of one call; 0: it has no such op. */
struct program {
    double ns[OPS];
    uint64_t calls[OPS]; /* 0: CALLS */
    uint64_t bytes[OPS]; /* of one call; 0: does not tell */
    double noise;        /* each row of each run is so much off, half of that at least */
    double drift;        /* all rows of a run are so much off */
    bool waits[OPS], untimed[OPS];
    uint64_t function_calls; /* 0: CALLS; MODEL_UNKNOWN: unknown */
};

static struct sample_random luck;
static struct model_gate *gate;
static const struct model_gate_result *result;
static uint8_t instances;

static double off_by(double most)
{
    return 1 + most * ((double)sample_below(&luck, 2001) - 1000) / 1000;
}

static void add_op(struct model_job *job, const struct program *of, uint32_t id, uint32_t op,
                   double pace)
{
    const uint64_t calls = of->calls[op] ? of->calls[op] : CALLS, unknown = MODEL_UNKNOWN;
    const double work_ns = of->ns[op] * (double)calls * pace * off_by(of->noise);
    const uint64_t at = id, ns = of->untimed[op] ? 0 : (uint64_t)work_ns;
    const struct model_apply_raw raw = {.text = {"x", 1},
                                        .op = id,
                                        .index = id,
                                        .waits = of->waits[op] ? MODEL_WAITS : MODEL_WORKS};
    char name[16];
    snprintf(name, sizeof name, "op%u", op);
    sample_class(job, name);
    sample_op(job, id, name);
    ck_assert(model_job_add_apply(job, &raw));
    model_job_set_values(job, 1, &at, &calls, &ns, &unknown, NULL, false);
    if (of->untimed[op])
        model_job_set_extremes(job, 1, &at, &unknown, &unknown, (uint64_t[]){0}, false);
    ck_assert(
        model_job_set_metric(job, 0, sample_bytes("alloc"), sample_bytes("bytes"), MODEL_SUM));
    if (of->bytes[op])
        ck_assert(model_job_set_metric_value(job, 0, id, 1, of->bytes[op] * calls));
}

static struct model_job *run_of(const struct program *of)
{
    uint8_t instance[16] = {1, 2, 3, ++instances};
    const struct model_function_raw raw = {.name = {"f", 1}, .parent = MODEL_NONE};
    const uint64_t id = 0, unknown = MODEL_UNKNOWN;
    const uint64_t calls = of->function_calls ? of->function_calls : CALLS;
    const uint64_t call_ns = calls == unknown ? unknown : calls * 1000 * OPS;
    const double pace = off_by(of->drift);
    struct model_job *job = model_job_new(instance);
    ck_assert_ptr_nonnull(job);
    model_job_set_epoch(job, 1);
    ck_assert(model_job_add_function(job, &raw));
    model_job_set_calls(job, 1, &id, &calls, &call_ns, &unknown, &unknown, false);
    for (uint32_t op = 0, at = 0; op < OPS; op++)
        if (of->ns[op] > 0)
            add_op(job, of, at++, op, pace);
    model_job_set_complete(job);
    return job;
}

static void begin(double fail_above, enum model_gate_by by)
{
    const struct model_gate_rule rule = {
        .fail_above = fail_above, .min_ns = 1000, .min_bytes = 1024, .by = by};
    gate = model_gate_new(&rule);
    ck_assert_ptr_nonnull(gate);
}

static void add_job(struct model_job *job, unsigned side, uint64_t time_ns)
{
    char why[256];
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    ck_assert_ptr_nonnull(state);
    ck_assert(model_gate_add(gate, side, state, "run", time_ns, why, sizeof why));
    model_state_free(&state);
}

static void add(const struct program *of, unsigned side, uint64_t time_ns)
{
    struct model_job *job = run_of(of);
    add_job(job, side, time_ns);
    model_job_release(&job);
}

static void judge(void)
{
    ck_assert(model_gate_judge(gate));
    result = model_gate_result(gate);
}

/* A and B in turns. */
static void in_turns(const struct program *a, const struct program *b, unsigned runs)
{
    for (uint64_t i = 0; i < runs; i++) {
        add(a, MODEL_A, 4 * i + (i % 2 ? 2 : 1));
        add(b, MODEL_B, 4 * i + (i % 2 ? 1 : 2));
    }
    judge();
}

/* All of A, then all of B. */
static void one_by_one(const struct program *a, const struct program *b, unsigned runs)
{
    for (uint64_t i = 0; i < 2ull * runs; i++)
        add(i < runs ? a : b, i < runs ? MODEL_A : MODEL_B, i + 1);
    judge();
}

static const struct model_gate_row *row(const char *name)
{
    for (uint32_t i = 0; i < result->rows; i++)
        if (strcmp(model_gate_name(gate, result->row[i].first)->shown, name) == 0)
            return &result->row[i];
    ck_abort_msg("no row %s", name);
    return NULL;
}

static void check_row(const char *name, enum model_verdict verdict, enum model_gate_reason reason)
{
    ck_assert_msg(row(name)->verdict == verdict && row(name)->reason == reason, "%s: %d %d", name,
                  row(name)->verdict, row(name)->reason);
}

static void end(void)
{
    model_gate_free(&gate);
}

static const struct program usual = {
    .ns = {1000, 2000, 3000, 4000, 500, 600, 700, 800}, .noise = 0.04, .drift = 0.06};

static struct program changed(unsigned op, double times)
{
    struct program b = usual;
    b.ns[op] *= times;
    return b;
}

/* The pace of the machine varies by 6 % to either side, each row by 4 %. */
START_TEST(a_slower_row_is_found)
{
    const unsigned op = (unsigned)_i % OPS;
    char name[16];
    luck.state = (uint64_t)_i + 1;
    const struct program b = changed(op, 1.15);
    begin(0.1, MODEL_BY_OP);
    in_turns(&usual, &b, 10);
    snprintf(name, sizeof name, "op%u", op);
    ck_assert_uint_eq(result->rows, OPS);
    ck_assert(result->turns && result->paced && !result->one_run);
    check_row(name, MODEL_SLOWER, MODEL_GATE_NO_REASON);
    ck_assert_ptr_eq(row(name), &result->row[0]);
    const struct model_gate_ratio ratio = row(name)->ratio;
    ck_assert(ratio.low > 1.05 && ratio.low < 1.15 && ratio.high > 1.13 && ratio.high < 1.2);
    ck_assert_double_le(fabs(ratio.mid - 1.15), 0.04);
    ck_assert_uint_eq(result->of[MODEL_SLOWER], 1);
    ck_assert_uint_eq(result->of[MODEL_SAME], OPS);
    ck_assert_int_eq(result->verdict, MODEL_SLOWER);
    ck_assert_int_eq(result->figure, MODEL_NS_PER_FUNCTION_CALL);
    end();
}
END_TEST

START_TEST(equal_programs_are_the_same)
{
    luck.state = (uint64_t)_i + 100;
    begin(0.1, MODEL_BY_OP);
    if (_i % 2)
        in_turns(&usual, &usual, 10);
    else
        one_by_one(&usual, &usual, 10);
    ck_assert_uint_eq(result->of[MODEL_SLOWER], 0);
    for (uint32_t i = 0; i < result->rows; i++)
        ck_assert_int_eq(result->row[i].verdict, MODEL_SAME);
    ck_assert(result->pace.verdict != MODEL_SLOWER);
    end();
}
END_TEST

/* Every row takes 30 % longer: the rows do not differ, the whole does. */
START_TEST(a_uniform_slow_down_is_told)
{
    struct program a = usual, b = usual;
    a.drift = b.drift = 0.02;
    for (unsigned op = 0; op < OPS; op++)
        b.ns[op] *= 1.3;
    luck.state = 7;
    begin(0.1, MODEL_BY_OP);
    in_turns(&a, &b, 10);
    ck_assert_int_eq(result->pace.verdict, MODEL_SLOWER);
    ck_assert_double_le(fabs(result->pace.ratio.mid - 1.3), 0.03);
    ck_assert_int_eq(result->verdict, MODEL_SLOWER);
    check_row("op3", MODEL_SAME, MODEL_GATE_NO_REASON);
    ck_assert_double_le(fabs(row("op3")->plain_ratio - 1.3), 0.04);
    ck_assert_double_le(fabs(row("op3")->ratio.mid - 1), 0.04);
    end();
    begin(0.1, MODEL_BY_OP);
    one_by_one(&a, &b, 10); /* it may be the machine */
    ck_assert(!result->turns);
    ck_assert_int_eq(result->pace.verdict, MODEL_CANNOT_TELL);
    ck_assert_int_eq(result->pace.reason, MODEL_GATE_NO_TURNS);
    ck_assert_int_eq(result->verdict, MODEL_CANNOT_TELL);
    check_row("op3", MODEL_SAME, MODEL_GATE_NO_REASON);
    end();
}
END_TEST

/* Two rows have no pace of their own: if the machine may have changed, nothing can be told. */
START_TEST(few_rows_need_turns)
{
    const struct program a = {.ns = {1000, 2000}, .noise = 0.02};
    const struct program b = {.ns = {1300, 2000}, .noise = 0.02};
    luck.state = 3;
    begin(0.1, MODEL_BY_OP);
    in_turns(&a, &b, 8);
    ck_assert(!result->paced);
    check_row("op0", MODEL_SLOWER, MODEL_GATE_NO_REASON);
    check_row("op1", MODEL_SAME, MODEL_GATE_NO_REASON);
    end();
    begin(0.1, MODEL_BY_OP);
    one_by_one(&a, &b, 8);
    check_row("op0", MODEL_CANNOT_TELL, MODEL_GATE_NO_TURNS);
    check_row("op1", MODEL_SAME, MODEL_GATE_NO_REASON);
    end();
}
END_TEST

/* Most rows become faster. The row that does not change is slower beside them, and by nothing else.
 */
START_TEST(faster_rows_make_no_row_slower)
{
    struct program a = usual, b = usual;
    a.drift = b.drift = 0.01;
    for (unsigned op = 1; op < OPS; op++)
        b.ns[op] *= 0.7;
    luck.state = 9;
    begin(0.1, MODEL_BY_OP);
    in_turns(&a, &b, 10);
    check_row("op0", MODEL_SAME, MODEL_GATE_NO_REASON);
    ck_assert_double_gt(row("op0")->ratio.mid, 1.3);
    ck_assert_int_eq(result->verdict, MODEL_SAME);
    end();
    begin(0.1, MODEL_BY_OP);
    one_by_one(&a, &b, 10);
    check_row("op0", MODEL_CANNOT_TELL, MODEL_GATE_REST_FASTER);
    end();
}
END_TEST

/* No more than 1 of 100 sets has a false alarm, however much the runs vary: 400 sets, with three
 * standard deviations of their count. */
START_TEST(false_alarms_are_rare)
{
    enum { SETS = 400, PER_LOOP = 3 };
    static const double noise[PER_LOOP] = {0.02, 0.3, 0.8};
    struct program a = usual;
    unsigned alarms = 0;
    a.noise = noise[_i];
    luck.state = (uint64_t)_i + 40;
    for (int set = 0; set < SETS; set++) {
        begin(0.01, MODEL_BY_OP);
        in_turns(&a, &a, 8);
        alarms += result->of[MODEL_SLOWER] > 0;
        end();
    }
    ck_assert_uint_le(alarms, SETS / 100 + 6);
}
END_TEST

START_TEST(noise_cannot_be_told)
{
    struct program a = usual, b = changed(2, 1.15);
    a.noise = b.noise = 0.6;
    luck.state = 6;
    begin(0.1, MODEL_BY_OP);
    in_turns(&a, &b, 6);
    check_row("op2", MODEL_CANNOT_TELL, MODEL_GATE_WIDE);
    ck_assert_uint_eq(result->of[MODEL_SLOWER], 0);
    ck_assert_int_eq(result->verdict, MODEL_CANNOT_TELL);
    end();
}
END_TEST

/* By 3 runs a row can be the same, by 6 slower: 0.01 for 9 tests is more than 1 of 924 orders. */
START_TEST(few_runs_cannot_tell)
{
    const struct program b = changed(2, 3);
    static const unsigned runs[] = {1, 2, 3, 5, 6};
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        luck.state = 17 + i;
        begin(0.2, MODEL_BY_OP);
        in_turns(&usual, &b, runs[i]);
        ck_assert_uint_eq(result->least_runs, 6);
        if (runs[i] < 6)
            check_row("op2", MODEL_CANNOT_TELL, MODEL_GATE_FEW_RUNS);
        else
            check_row("op2", MODEL_SLOWER, MODEL_GATE_NO_REASON);
        if (runs[i] < 3)
            check_row("op1", MODEL_CANNOT_TELL, MODEL_GATE_FEW_RUNS);
        else
            check_row("op1", MODEL_SAME, MODEL_GATE_NO_REASON);
        ck_assert_int_eq(result->verdict, runs[i] < 6 ? MODEL_CANNOT_TELL : MODEL_SLOWER);
        end();
    }
}
END_TEST

START_TEST(a_run_says_nothing_against_itself)
{
    struct model_job *both = run_of(&usual);
    begin(0.1, MODEL_BY_OP);
    add_job(both, MODEL_A, 1);
    add_job(both, MODEL_A, 2);
    for (uint64_t i = 0; i < 9; i++) {
        add(&usual, MODEL_A, 10 + 2 * i);
        add(&usual, MODEL_B, 11 + 2 * i);
    }
    add_job(both, MODEL_B, 3);
    judge();
    ck_assert_uint_eq(result->counted[MODEL_A], 10);
    ck_assert_uint_eq(result->counted[MODEL_B], 10);
    ck_assert(result->one_run && result->run[1].again && !result->run[0].again);
    for (uint32_t i = 0; i < result->rows; i++)
        ck_assert(result->row[i].verdict == MODEL_CANNOT_TELL &&
                  result->row[i].reason == MODEL_GATE_ONE_RUN);
    ck_assert_int_eq(result->verdict, MODEL_CANNOT_TELL);
    end();
    begin(0.1, MODEL_BY_OP);
    for (uint64_t i = 0; i < 10; i++) {
        add_job(both, MODEL_A, 2 * i); /* one run, ten times */
        add(&usual, MODEL_B, 2 * i + 1);
    }
    judge();
    ck_assert_uint_eq(result->counted[MODEL_A], 1);
    ck_assert(!result->one_run);
    check_row("op0", MODEL_CANNOT_TELL, MODEL_GATE_FEW_RUNS);
    end();
    /* A reset begins another run. */
    begin(0.1, MODEL_BY_OP);
    add_job(both, MODEL_A, 1);
    model_job_set_epoch(both, 2);
    add_job(both, MODEL_B, 2);
    judge();
    ck_assert(!result->one_run);
    end();
    model_job_release(&both);
}
END_TEST

/* op7 takes 6 % of the time of the others at first. */
START_TEST(new_rows_count_by_their_part_of_the_rest)
{
    struct program a = usual, b = usual;
    a.ns[7] = 0;
    begin(0.1, MODEL_BY_OP);
    luck.state = 21;
    in_turns(&a, &b, 10);
    check_row("op7", MODEL_SAME, MODEL_GATE_NO_REASON);
    ck_assert_str_eq(model_gate_mark(row("op7")), "new");
    ck_assert_double_le(fabs(row("op7")->ratio.mid - (1 + 800. / 11800)), 0.01);
    ck_assert(isnan(row("op7")->figure[MODEL_A]) && row("op7")->runs[MODEL_A] == 0);
    end();
    b.ns[7] = 3000; /* 25 % */
    begin(0.1, MODEL_BY_OP);
    in_turns(&a, &b, 10);
    check_row("op7", MODEL_SLOWER, MODEL_GATE_NO_REASON);
    end();
    a.ns[6] = 3000; /* in the place of a row that is gone */
    b.ns[6] = 0;
    begin(0.1, MODEL_BY_OP);
    in_turns(&a, &b, 10);
    check_row("op7", MODEL_SAME, MODEL_GATE_NO_REASON);
    check_row("op6", MODEL_SAME, MODEL_GATE_NO_REASON);
    ck_assert_str_eq(model_gate_mark(row("op6")), "gone");
    ck_assert(isnan(row("op6")->ratio.mid));
    ck_assert_ptr_null(model_gate_mark(row("op5")));
    ck_assert_int_eq(result->verdict, MODEL_SAME);
    end();
}
END_TEST

START_TEST(strangers_cannot_be_compared)
{
    const struct program a = {.ns = {1000, 1000}}, b = {.ns = {0, 0, 1000, 1000}};
    begin(0.1, MODEL_BY_OP);
    in_turns(&a, &b, 10);
    check_row("op2", MODEL_CANNOT_TELL, MODEL_GATE_STRANGERS);
    check_row("op1", MODEL_SAME, MODEL_GATE_NO_REASON);
    ck_assert_int_eq(result->verdict, MODEL_CANNOT_TELL);
    end();
}
END_TEST

START_TEST(small_waiting_and_unknown_rows_are_not_judged)
{
    struct program a = usual, b = changed(0, 5);
    a.ns[0] = 1; /* 100 ns in a run */
    b.ns[0] = 5;
    a.waits[1] = b.waits[1] = true;
    b.ns[1] *= 9;
    a.untimed[2] = b.untimed[2] = true;
    b.untimed[3] = true;
    luck.state = 2;
    begin(0.1, MODEL_BY_OP);
    in_turns(&a, &b, 10);
    ck_assert_uint_eq(result->small, 1);
    ck_assert_uint_eq(result->waiting, 1);
    ck_assert_uint_eq(result->unknown, 1);
    ck_assert_uint_eq(result->rows, OPS - 3);
    check_row("op3", MODEL_CANNOT_TELL, MODEL_GATE_UNKNOWN);
    ck_assert_uint_eq(result->of[MODEL_SLOWER], 0);
    end();
    const struct program none = {.ns = {1}};
    begin(0.1, MODEL_BY_OP);
    in_turns(&none, &none, 10);
    ck_assert_uint_eq(result->rows, 0);
    ck_assert_int_eq(result->verdict, MODEL_CANNOT_TELL);
    end();
}
END_TEST

/* Twice as many calls of op2 in each call of the function. */
START_TEST(more_calls_are_slower_by_function_alone)
{
    struct program b = usual;
    b.calls[2] = 2ull * CALLS;
    for (int per_call = 0; per_call <= 1; per_call++) {
        const struct model_gate_rule rule = {
            .fail_above = 0.1, .min_ns = 1000, .per_call = per_call};
        luck.state = 4;
        gate = model_gate_new(&rule);
        in_turns(&usual, &b, 10);
        ck_assert_int_eq(result->figure, per_call ? MODEL_NS_PER_CALL : MODEL_NS_PER_FUNCTION_CALL);
        check_row("op2", per_call ? MODEL_SAME : MODEL_SLOWER, MODEL_GATE_NO_REASON);
        ck_assert_double_le(fabs(row("op2")->figure[MODEL_B] - (per_call ? 3000 : 6000)), 900);
        end();
    }
    /* A run that does all twice as often is not slower. */
    b = usual;
    b.function_calls = 2ull * CALLS;
    for (unsigned op = 0; op < OPS; op++)
        b.calls[op] = 2ull * CALLS;
    begin(0.1, MODEL_BY_OP);
    in_turns(&usual, &b, 10);
    ck_assert_uint_eq(result->of[MODEL_SLOWER], 0);
    end();
    b.function_calls = MODEL_UNKNOWN;
    begin(0.1, MODEL_BY_OP);
    in_turns(&usual, &b, 10);
    ck_assert_int_eq(result->figure, MODEL_NS_PER_CALL);
    ck_assert_uint_eq(result->of[MODEL_SLOWER], 0);
    end();
}
END_TEST

START_TEST(the_threshold_itself_is_allowed)
{
    struct program a = {.ns = {1000, 1000, 1000, 1000, 1000, 1000}}, b = a;
    b.ns[0] = 1100;
    begin(0.1, MODEL_BY_OP);
    in_turns(&a, &b, 10);
    check_row("op0", MODEL_SAME, MODEL_GATE_NO_REASON);
    end();
    b.ns[0] = 1101;
    begin(0.1, MODEL_BY_OP);
    in_turns(&a, &b, 10);
    check_row("op0", MODEL_SLOWER, MODEL_GATE_NO_REASON);
    end();
}
END_TEST

START_TEST(bytes_are_compared)
{
    struct program a = usual, b = usual;
    for (unsigned op = 0; op < OPS; op++)
        a.bytes[op] = b.bytes[op] = 4096;
    b.bytes[1] = 8192;
    b.bytes[2] = 1024;
    a.bytes[3] = b.bytes[3] = 1;
    a.bytes[4] = 0; /* the job tells what ops allocate, and this one allocates nothing */
    begin(0.1, MODEL_BY_MEMORY);
    one_by_one(&a, &b, 8);
    ck_assert_int_eq(result->figure, MODEL_BYTES_PER_FUNCTION_CALL);
    ck_assert(!result->paced);
    check_row("op1", MODEL_SLOWER, MODEL_GATE_NO_REASON);
    ck_assert_double_eq_tol(row("op1")->ratio.mid, 2, 1e-9);
    ck_assert_double_eq_tol(row("op1")->figure[MODEL_B], 8192, 1e-6);
    check_row("op2", MODEL_SAME, MODEL_GATE_NO_REASON);
    check_row("op4", MODEL_SLOWER, MODEL_GATE_NO_REASON);
    ck_assert_str_eq(model_gate_mark(row("op4")), "new");
    ck_assert_uint_eq(result->small, 1);
    end();
    struct program none = usual;
    begin(0.1, MODEL_BY_MEMORY);
    one_by_one(&none, &none, 8);
    ck_assert_uint_eq(result->rows, 0);
    ck_assert_int_eq(result->verdict, MODEL_CANNOT_TELL);
    end();
}
END_TEST

/* Without alloc, the sizes of outputs are compared. */
START_TEST(outputs_are_compared)
{
    begin(0.1, MODEL_BY_MEMORY);
    for (unsigned i = 0; i < 16; i++) {
        struct model_job *job = run_of(&usual);
        for (uint32_t id = 0; id < OPS; id++) {
            const struct model_about_raw raw = {.rev = 1,
                                                .flops = MODEL_UNKNOWN,
                                                .bytes = i % 2 && id == 5 ? 5000 : 2000,
                                                .thunk_ns = MODEL_UNKNOWN};
            ck_assert(model_job_set_about(job, id, &raw));
        }
        add_job(job, i % 2 ? MODEL_B : MODEL_A, i);
        model_job_release(&job);
    }
    judge();
    ck_assert_int_eq(result->figure, MODEL_BYTES_OF_OUTPUTS);
    check_row("op5", MODEL_SLOWER, MODEL_GATE_NO_REASON);
    ck_assert_double_eq_tol(row("op5")->ratio.mid, 2.5, 1e-9);
    check_row("op6", MODEL_SAME, MODEL_GATE_NO_REASON);
    end();
}
END_TEST

/* Each run of B has op0 interrupted twice, for longer than all its work, at random. */
START_TEST(interrupted_calls_are_left_out)
{
    struct program a = usual;
    a.drift = 0;
    for (int told = 0; told <= 1; told++) {
        luck.state = 8;
        begin(0.1, MODEL_BY_OP);
        for (unsigned i = 0; i < 20; i++) {
            struct model_job *job = run_of(&a);
            if (i % 2) {
                const uint64_t id = 0, calls = CALLS, unknown = MODEL_UNKNOWN;
                const uint64_t lost_ns = 80000 + sample_below(&luck, 400000);
                const uint64_t ns = CALLS * 1000 + lost_ns;
                model_job_set_values(job, 1, &id, &calls, &ns, &unknown, NULL, false);
                if (told)
                    ck_assert(model_job_set_call_figures(
                        job, 0, (const uint64_t[]){1000, 1000, 1000, 2, lost_ns + 2000}));
            }
            add_job(job, i % 2 ? MODEL_B : MODEL_A, i);
            model_job_release(&job);
        }
        judge();
        if (told) {
            check_row("op0", MODEL_SAME, MODEL_GATE_NO_REASON);
            ck_assert_double_le(fabs(row("op0")->ratio.mid - 1), 0.04);
        } else
            check_row("op0", MODEL_SLOWER, MODEL_GATE_NO_REASON);
        end();
    }
}
END_TEST

/* Interrupted calls take more than 5 % of the time. P50 and P90 of op0 in ns, and its shortest
 * call, of A; B takes 15 % longer. The mean says nothing: it has 10 % more or less at random. */
static const struct {
    uint64_t p50, p90, min;
    enum model_gate_basis basis;
} spans[] = {{1000, 1200, 800, MODEL_BASIS_MEDIAN},
             {1000, 1010, 980, MODEL_BASIS_LEAST},
             {1000, 1010, 500, MODEL_BASIS_MEAN}};

START_TEST(much_interrupted_rows_have_another_basis)
{
    luck.state = 18;
    begin(0.1, MODEL_BY_OP);
    for (unsigned i = 0; i < 20; i++) {
        struct program a = usual;
        a.noise = 0.01;
        a.drift = 0;
        struct model_job *job = run_of(&a);
        const double slower = (i % 2 ? 1.15 : 1) * off_by(0.005);
        const uint64_t id = 0, calls = CALLS, unknown = MODEL_UNKNOWN;
        const uint64_t ns = (uint64_t)(CALLS * 1500 * off_by(0.2));
        const uint64_t min = (uint64_t)((double)spans[_i].min * slower);
        const uint64_t p50 = (uint64_t)((double)spans[_i].p50 * slower);
        const uint64_t p90 = (uint64_t)((double)spans[_i].p90 * slower);
        model_job_set_values(job, 1, &id, &calls, &ns, &unknown, NULL, false);
        model_job_set_extremes(job, 1, &id, &min, &unknown, &calls, false);
        ck_assert(
            model_job_set_call_figures(job, 0, (const uint64_t[]){p50, p90, unknown, 2, 30000}));
        add_job(job, i % 2 ? MODEL_B : MODEL_A, i);
        model_job_release(&job);
    }
    judge();
    ck_assert_uint_eq(row("op0")->basis, spans[_i].basis);
    if (spans[_i].basis == MODEL_BASIS_MEAN)
        ck_assert_uint_eq(row("op0")->verdict, MODEL_CANNOT_TELL);
    else {
        check_row("op0", MODEL_SLOWER, MODEL_GATE_NO_REASON);
        ck_assert_double_eq_tol(row("op0")->ratio.mid, 1.15, 0.02);
        const double call = (double)(spans[_i].basis == MODEL_BASIS_LEAST ? spans[_i].min : 1000);
        ck_assert_double_eq_tol(row("op0")->figure[MODEL_A], call, call / 100);
    }
    ck_assert_uint_eq(row("op1")->basis, MODEL_BASIS_MEAN);
    end();
}
END_TEST

static const enum model_gate_by kinds[] = {MODEL_BY_CLASS, MODEL_BY_APPLY, MODEL_BY_OP};

START_TEST(all_kinds_of_rows)
{
    const struct program b = changed(3, 1.5);
    luck.state = 12;
    begin(0.1, kinds[_i]);
    in_turns(&usual, &b, 10);
    ck_assert_uint_eq(result->rows, OPS);
    ck_assert_uint_eq(result->of[MODEL_SLOWER], 1);
    const struct model_text *function = model_gate_function(gate, result->row[0].first);
    if (kinds[_i] == MODEL_BY_APPLY)
        ck_assert_str_eq(function->shown, "f");
    else
        ck_assert_ptr_null(function);
    ck_assert_uint_eq(model_gate_next(gate, result->row[0].first), MODEL_NONE);
    end();
}
END_TEST

/* 8 us each, whatever its nodes take. Without its calls its time for each call is not known. */
START_TEST(functions_have_the_time_of_their_calls)
{
    const struct program b = changed(3, 1.5);
    begin(0.1, MODEL_BY_FUNCTION);
    in_turns(&usual, &b, 10);
    ck_assert_uint_eq(result->rows, 1);
    ck_assert_double_eq_tol(row("f")->figure[MODEL_A], 8000, 1e-6);
    ck_assert_int_eq(result->verdict, MODEL_SAME);
    end();
    struct program silent = usual;
    silent.function_calls = MODEL_UNKNOWN;
    begin(0.1, MODEL_BY_FUNCTION);
    in_turns(&silent, &silent, 10);
    ck_assert_uint_eq(result->unknown, 1);
    ck_assert_int_eq(result->verdict, MODEL_CANNOT_TELL);
    end();
}
END_TEST

START_TEST(too_many_runs_are_refused)
{
    char why[128];
    begin(0.1, MODEL_BY_OP);
    for (unsigned i = 0; i < MODEL_GATE_RUNS; i++)
        add(&usual, MODEL_B, i);
    struct model_job *job = run_of(&usual);
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    ck_assert(!model_gate_add(gate, MODEL_B, state, "run", 1, why, sizeof why));
    ck_assert_str_eq(why, "at most 64 runs of each side are compared");
    ck_assert(model_gate_add(gate, MODEL_A, state, "run", 1, why, sizeof why));
    judge();
    model_state_free(&state);
    model_job_release(&job);
    end();
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("gate");
    tap_add_loop(s, "a_slower_row_is_found", a_slower_row_is_found, 24);
    tap_add_loop(s, "equal_programs_are_the_same", equal_programs_are_the_same, 20);
    tap_add(s, "a_uniform_slow_down_is_told", a_uniform_slow_down_is_told);
    tap_add(s, "few_rows_need_turns", few_rows_need_turns);
    tap_add(s, "faster_rows_make_no_row_slower", faster_rows_make_no_row_slower);
    tap_add_loop(s, "false_alarms_are_rare", false_alarms_are_rare, 3);
    tap_add(s, "noise_cannot_be_told", noise_cannot_be_told);
    tap_add(s, "few_runs_cannot_tell", few_runs_cannot_tell);
    tap_add(s, "a_run_says_nothing_against_itself", a_run_says_nothing_against_itself);
    tap_add(s, "new_rows_count_by_their_part_of_the_rest",
            new_rows_count_by_their_part_of_the_rest);
    tap_add(s, "strangers_cannot_be_compared", strangers_cannot_be_compared);
    tap_add(s, "small_waiting_and_unknown_rows_are_not_judged",
            small_waiting_and_unknown_rows_are_not_judged);
    tap_add(s, "more_calls_are_slower_by_function_alone", more_calls_are_slower_by_function_alone);
    tap_add(s, "the_threshold_itself_is_allowed", the_threshold_itself_is_allowed);
    tap_add(s, "bytes_are_compared", bytes_are_compared);
    tap_add(s, "outputs_are_compared", outputs_are_compared);
    tap_add(s, "interrupted_calls_are_left_out", interrupted_calls_are_left_out);
    tap_add_loop(s, "much_interrupted_rows_have_another_basis",
                 much_interrupted_rows_have_another_basis, TAP_ROWS(spans));
    tap_add_loop(s, "all_kinds_of_rows", all_kinds_of_rows, TAP_ROWS(kinds));
    tap_add(s, "functions_have_the_time_of_their_calls", functions_have_the_time_of_their_calls);
    tap_add(s, "too_many_runs_are_refused", too_many_runs_are_refused);
    return s;
}
TAP_MAIN(suite)

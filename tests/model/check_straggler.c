/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_straggler.c: simulates jobs that wait for each other at a barrier, step by step from a
 * seed. In every run the slow job is named and no other. In quiet runs no job is named.
 */
#include "sample.h"
#include "model/straggler.h"

/* The thresholds of the verdict were set on seeds 1 to 400. The tests use other seeds, from FIRST
 * on. In 2,000 runs of each case on these, no slow job was missed and no other was named. Of 50,000
 * quiet runs 8 had a false name, 7 of them with wandering noise. */
enum { JOBS_MAX = 64, TICKS = 60, RUNS = 20, FIRST = 1000001, MS = 1000000 };

/* The noise in each job's work of one step. */
enum noise { STEADY, NORMAL, HEAVY_TAILS, HICCUPS, WANDERING, NOISES };

struct run {
    struct sample_random random;
    struct model_straggler_job job[JOBS_MAX];
    double drift[JOBS_MAX]; /* for WANDERING */
    size_t jobs;
    enum noise noise;
};

static double uniform(struct run *run)
{
    return (double)sample_below(&run->random, 1 << 20) / (1 << 20);
}

/* About normal, with deviation 1. */
static double normal(struct run *run)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += uniform(run);
    return sum;
}

static double work_ms(struct run *run, size_t at)
{
    double u = uniform(run);
    switch (run->noise) {
    case STEADY:
        return 40 + 0.2 * u;
    case NORMAL:
        return 40 + 4 * normal(run);
    case HEAVY_TAILS:
        return 36 + 2 / (0.02 + u);
    case HICCUPS: /* one in 10 s, of any job */
        return u < 0.004 / (double)run->jobs ? 900 : 40 + normal(run);
    case WANDERING:
        run->drift[at] = 0.9 * run->drift[at] + normal(run);
        return 40 + run->drift[at];
    default:
        return 40;
    }
}

/* Runs steps for about a second. Each step ends when the slowest job arrives. */
static void tick(struct run *run, size_t slow, double factor)
{
    uint64_t until = run->job[0].mono_ns + 1000 * (uint64_t)MS;
    while (run->job[0].mono_ns < until) {
        double took[JOBS_MAX], longest = 0;
        for (size_t i = 0; i < run->jobs; i++) {
            took[i] = work_ms(run, i) * (i == slow ? factor : 1);
            longest = took[i] > longest ? took[i] : longest;
        }
        /* The barrier itself takes time as well. */
        longest += 1 + uniform(run);
        for (size_t i = 0; i < run->jobs; i++) {
            run->job[i].mono_ns += (uint64_t)(longest * MS);
            run->job[i].wait_ns += (uint64_t)((longest - took[i]) * MS);
        }
    }
}

static void begin(struct run *run, size_t jobs, enum noise noise, uint64_t seed)
{
    memset(run, 0, sizeof(*run));
    run->random.state = seed * 7919 + 1;
    run->jobs = jobs;
    run->noise = noise;
    for (size_t i = 0; i < jobs; i++)
        run->job[i] = (struct model_straggler_job){
            .instance = &run->job[i],
            .mono_ns = sample_below(&run->random, 1000) * MS, /* clocks of other hosts differ */
            .waits = true,
            .current = true,
            .waiting_ns = MODEL_UNKNOWN,
            .busy_ns = MODEL_UNKNOWN,
            .busy_max_ns = MODEL_UNKNOWN,
        };
}

static struct model_straggler *straggler_new(void)
{
    struct model_straggler *straggler = model_straggler_new();
    ck_assert_ptr_nonnull(straggler);
    return straggler;
}

static const size_t sizes[] = {2, 3, 4, 8, 64};
enum { SIZES = sizeof(sizes) / sizeof(sizes[0]) };

/* One case for each noise and number of jobs, with RUNS runs each. */
START_TEST(nobody_is_named_in_quiet_runs)
{
    enum noise noise = (enum noise)(_i / SIZES);
    size_t jobs = sizes[_i % SIZES];
    for (uint64_t seed = FIRST; seed < FIRST + RUNS; seed += tap_stride()) {
        struct model_straggler *straggler = straggler_new();
        struct run run;
        begin(&run, jobs, noise, seed);
        for (int i = 0; i < TICKS; i++) {
            tick(&run, MODEL_NOBODY, 1);
            ck_assert(model_straggler_look(straggler, run.job, run.jobs));
            struct model_slow slow = model_straggler_slow(straggler);
            ck_assert_msg(slow.job == MODEL_NOBODY,
                          "noise %d, %zu jobs, seed %d, tick %d: %zu waits %g of %g", noise, jobs,
                          (int)seed, i, slow.job, slow.waits, slow.others);
            ck_assert_uint_eq(model_straggler_hung(straggler).job, MODEL_NOBODY);
        }
        model_straggler_free(&straggler);
    }
}
END_TEST

START_TEST(the_slow_one_is_named_in_every_run)
{
    enum noise noise = (enum noise)(_i / SIZES);
    size_t jobs = sizes[_i % SIZES];
    for (uint64_t seed = FIRST; seed < FIRST + RUNS; seed += tap_stride()) {
        struct model_straggler *straggler = straggler_new();
        struct run run;
        begin(&run, jobs, noise, seed);
        size_t slow = sample_below(&run.random, jobs);
        double factor = noise == STEADY ? 1.2 : 1.6;
        bool named = false;
        for (int i = 0; i < TICKS; i++) {
            tick(&run, slow, factor);
            ck_assert(model_straggler_look(straggler, run.job, run.jobs));
            struct model_slow found = model_straggler_slow(straggler);
            named |= found.job == slow;
            ck_assert_msg(found.job == slow || found.job == MODEL_NOBODY,
                          "noise %d, %zu jobs, seed %d, tick %d: %zu for %zu", noise, jobs,
                          (int)seed, i, found.job, slow);
        }
        ck_assert_msg(named, "noise %d, %zu jobs, seed %d", noise, jobs, (int)seed);
        model_straggler_free(&straggler);
    }
}
END_TEST

/* A name disappears at the latest when the window no longer contains the trouble. */
START_TEST(a_name_goes_when_its_reason_goes)
{
    struct model_straggler *straggler = straggler_new();
    struct run run;
    begin(&run, 4, NORMAL, 5);
    for (int i = 0; i < 10; i++) {
        tick(&run, 2, 2);
        ck_assert(model_straggler_look(straggler, run.job, run.jobs));
    }
    struct model_slow slow = model_straggler_slow(straggler);
    ck_assert_uint_eq(slow.job, 2);
    ck_assert(slow.waits < 0.1 && slow.others > 0.3 && slow.others < 0.6);
    for (int i = 0; i < MODEL_STRAGGLER_WINDOW; i++) {
        tick(&run, MODEL_NOBODY, 1);
        ck_assert(model_straggler_look(straggler, run.job, run.jobs));
    }
    ck_assert_uint_eq(model_straggler_slow(straggler).job, MODEL_NOBODY);
    model_straggler_free(&straggler);
}
END_TEST

/* A server that never waits, a job that ended, a job that was reset, a job that came late. */
START_TEST(only_those_that_take_part_are_compared)
{
    struct model_straggler *straggler = straggler_new();
    struct run run;
    begin(&run, 5, NORMAL, 9);
    run.job[0].waits = false;
    run.job[1].over = true;
    for (int i = 0; i < 12; i++) {
        tick(&run, 3, 1.8);
        run.job[0].wait_ns = run.job[1].wait_ns = 0;
        if (i == 2)
            run.job[2].wait_ns = 0;
        ck_assert(model_straggler_look(straggler, run.job, i < 4 ? 4 : 5));
    }
    ck_assert_uint_eq(model_straggler_slow(straggler).job, 3);
    run.job[3].instance = &run; /* another job in its place, without history */
    run.job[3].wait_ns = run.job[3].mono_ns = 0;
    for (int i = 0; i < 2; i++) {
        tick(&run, 3, 1.8);
        ck_assert(model_straggler_look(straggler, run.job, 5));
    }
    ck_assert_uint_eq(model_straggler_slow(straggler).job, MODEL_NOBODY);
    model_straggler_free(&straggler);
}
END_TEST

/* ----------------------------------------------------------------------------------------- hang */

#define S    UINT64_C(1000000000)
#define NONE MODEL_UNKNOWN

struct hang_row {
    struct {
        bool waits, heard, over;
        uint64_t waiting_ns, busy_ns, busy_max_ns;
        bool counts, vague, starved, far; /* counts: not for 4 s, but now */
    } job[3];
    size_t hung, waiting;
    bool all, starves, unsure;
};

#define OPEN(waiting, busy, longest)                                                               \
    .waiting_ns = (waiting), .busy_ns = (busy), .busy_max_ns = (longest)
#define RANK(...)   .waits = true, .heard = true, OPEN(__VA_ARGS__)
#define SILENT(...) .waits = true, OPEN(__VA_ARGS__)
#define OTHER(...)  .heard = true, OPEN(__VA_ARGS__) /* a job that has never waited */

static const struct hang_row hangs[] = {
    /* all is well: steps of a second */
    {.job = {{RANK(S, NONE, NONE)}, {RANK(NONE, S, S)}, {RANK(NONE, NONE, NONE)}},
     .hung = MODEL_NOBODY},
    /* 1 is in an op, the others wait for it */
    {.job = {{RANK(4 * S, NONE, NONE)}, {RANK(NONE, 4 * S, S)}, {RANK(3 * S, NONE, NONE)}},
     .hung = 1, .waiting = 2},
    /* in its first call of it */
    {.job = {{RANK(4 * S, NONE, NONE)}, {OTHER(NONE, 4 * S, NONE)}, {RANK(3 * S, NONE, NONE)}},
     .hung = 1, .waiting = 2},
    /* in no op at all */
    {.job = {{RANK(4 * S, NONE, NONE)}, {RANK(3 * S, NONE, NONE)}, {RANK(NONE, NONE, NONE)}},
     .hung = 2, .waiting = 2},
    /* stopped, and waiting when last seen */
    {.job = {{SILENT(S, NONE, NONE)}, {RANK(3 * S, NONE, NONE)}, {RANK(NONE, S, S)}},
     .hung = 0, .waiting = 1},
    /* a server in no op is not waited for; each rank waits for the other */
    {.job = {{OTHER(NONE, NONE, NONE)}, {RANK(3 * S, NONE, NONE)}, {RANK(9 * S, NONE, NONE)}},
     .hung = MODEL_NOBODY, .waiting = 2, .all = true},
    /* a job that is over is no suspect */
    {.job = {{SILENT(NONE, 9 * S, S), .over = true},
             {RANK(3 * S, NONE, NONE)},
             {RANK(3 * S, NONE, NONE)}},
     .hung = MODEL_NOBODY, .waiting = 2, .all = true},
    /* no job waits: an op is stuck if no call of it took nearly as long */
    {.job = {{OTHER(NONE, 4 * S, S / 10)}, {OTHER(NONE, 4 * S, S)}, {OTHER(NONE, NONE, NONE)}},
     .hung = 0},
    {.job = {{OTHER(NONE, 4 * S, S)}, {OTHER(NONE, 4 * S, NONE)}, {OTHER(NONE, NONE, NONE)}},
     .hung = MODEL_NOBODY},
    /* an op takes far longer than ever, while others in the job count: a loop with more steps */
    {.job = {{OTHER(NONE, 4 * S, S / 10), .counts = true},
             {OTHER(NONE, NONE, NONE)},
             {OTHER(NONE, NONE, NONE)}},
     .hung = MODEL_NOBODY},
    /* the others wait for it all the same: another of its threads counts */
    {.job = {{RANK(NONE, 4 * S, S / 10), .counts = true},
             {RANK(4 * S, NONE, NONE)},
             {RANK(4 * S, NONE, NONE)}},
     .hung = 0, .waiting = 2},
    /* between two of its ops */
    {.job = {{RANK(NONE, NONE, NONE), .counts = true},
             {RANK(4 * S, NONE, NONE)},
             {RANK(4 * S, NONE, NONE)}},
     .hung = MODEL_NOBODY, .waiting = 2},
    /* it may wait as well: waits are reported only afterwards */
    {.job = {{RANK(NONE, NONE, NONE), .vague = true},
             {RANK(4 * S, NONE, NONE)},
             {RANK(4 * S, NONE, NONE)}},
     .hung = MODEL_NOBODY, .waiting = 2},
    /* it gets no processor: alone, and waited for */
    {.job = {{OTHER(NONE, 4 * S, S / 10), .starved = true},
             {OTHER(NONE, NONE, NONE)},
             {OTHER(NONE, NONE, NONE)}},
     .hung = 0, .starves = true},
    {.job = {{RANK(NONE, 9 * S, S / 10), .starved = true},
             {RANK(4 * S, NONE, NONE)},
             {RANK(4 * S, NONE, NONE)}},
     .hung = 0, .waiting = 2, .starves = true},
    /* a job that gets a processor, and hangs, is named first */
    {.job = {{RANK(NONE, 9 * S, S / 10), .starved = true},
             {RANK(NONE, 4 * S, S / 10)},
             {RANK(4 * S, NONE, NONE)}},
     .hung = 1, .waiting = 1},
    /* its last report precedes its silence and says nothing about now */
    {.job = {{SILENT(NONE, 4 * S, S), .starved = true},
             {RANK(4 * S, NONE, NONE)},
             {RANK(4 * S, NONE, NONE)}},
     .hung = 0, .waiting = 2},
    /* a remote job: it is unknown whether it hangs or gets no processor, waited for and alone; it
     * may hang, so it is named before a job that does not */
    {.job = {{RANK(4 * S, NONE, NONE)}, {RANK(NONE, 4 * S, S), .far = true}, {RANK(S, NONE, NONE)}},
     .hung = 1, .waiting = 1, .unsure = true},
    {.job = {{OTHER(NONE, 4 * S, S / 10), .far = true},
             {OTHER(NONE, NONE, NONE)},
             {OTHER(NONE, NONE, NONE)}},
     .hung = 0, .unsure = true},
    {.job = {{RANK(NONE, 9 * S, S / 10), .starved = true},
             {RANK(NONE, 4 * S, S / 10), .far = true},
             {RANK(4 * S, NONE, NONE)}},
     .hung = 1, .waiting = 1, .unsure = true},
    /* in no op, or silent: no report says that it hangs in an op */
    {.job = {{RANK(NONE, NONE, NONE), .far = true},
             {RANK(4 * S, NONE, NONE)},
             {RANK(4 * S, NONE, NONE)}},
     .hung = 0, .waiting = 2},
    {.job = {{SILENT(NONE, 4 * S, S), .far = true},
             {RANK(4 * S, NONE, NONE)},
             {RANK(4 * S, NONE, NONE)}},
     .hung = 0, .waiting = 2},
};

static enum model_starved starved_as(bool unknown, bool starved)
{
    return unknown ? MODEL_STARVED_UNKNOWN : starved ? MODEL_STARVED_YES : MODEL_STARVED_NO;
}

/* A hanging job waits for no other, and the others wait for it. It is not called slow for that,
 * neither while it hangs nor when it continues. */
START_TEST(one_that_hung_is_not_slow)
{
    struct run run;
    const size_t jobs = sizes[_i], hung = jobs / 2;
    struct model_straggler *straggler = straggler_new();
    begin(&run, jobs, NORMAL, (uint64_t)_i + FIRST);
    for (unsigned t = 0; t < 3 * TICKS; t++) {
        const bool hung_now = t >= TICKS && t < 2 * TICKS;
        if (!hung_now)
            tick(&run, jobs, 1);
        for (size_t i = 0; i < jobs; i++) {
            struct model_straggler_job *job = &run.job[i];
            const uint64_t for_ns = (t - TICKS + 1) * 1000 * (uint64_t)MS;
            job->waiting_ns = hung_now && i != hung ? for_ns : MODEL_UNKNOWN;
            job->busy_ns = hung_now && i == hung ? for_ns : MODEL_UNKNOWN;
            job->mono_ns += hung_now ? 1000 * (uint64_t)MS : 0;
            job->wait_ns += hung_now && i != hung ? 1000 * (uint64_t)MS : 0;
            job->quiet_ns = hung_now ? for_ns : 0;
        }
        ck_assert(model_straggler_look(straggler, run.job, jobs));
        const struct model_hung found = model_straggler_hung(straggler);
        if (found.job != MODEL_NOBODY || t >= 2 * TICKS)
            ck_assert_uint_eq(model_straggler_slow(straggler).job, MODEL_NOBODY);
        if (t == 2 * TICKS - 1)
            ck_assert_uint_eq(found.job, hung);
    }
    model_straggler_free(&straggler);
}
END_TEST

START_TEST(hangs_are_found)
{
    const struct hang_row *row = &hangs[_i];
    struct model_straggler_job job[3];
    struct model_straggler *straggler = straggler_new();
    for (int i = 0; i < 3; i++)
        job[i] = (struct model_straggler_job){
            .instance = &job[i],
            .mono_ns = 100 * S,
            .waits = row->job[i].waits,
            .current = row->job[i].heard,
            .over = row->job[i].over,
            .waiting_ns = row->job[i].waiting_ns,
            .busy_ns = row->job[i].busy_ns,
            .busy_max_ns = row->job[i].busy_max_ns,
            .quiet_ns = row->job[i].counts ? 0 : 4 * S,
            .vague = row->job[i].vague,
            .starved = starved_as(row->job[i].far, row->job[i].starved),
        };
    ck_assert(model_straggler_look(straggler, job, 3));
    struct model_hung hung = model_straggler_hung(straggler);
    ck_assert_uint_eq(hung.job, row->hung);
    ck_assert_uint_eq(hung.waiting, row->waiting);
    ck_assert_int_eq(hung.all, row->all);
    ck_assert_int_eq(hung.starved, starved_as(row->unsure, row->starves));
    ck_assert(model_straggler_look(straggler, job, 0));
    ck_assert_uint_eq(model_straggler_hung(straggler).job, MODEL_NOBODY);
    model_straggler_free(&straggler);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("straggler");
    tap_add_loop(s, "nobody_is_named_in_quiet_runs", nobody_is_named_in_quiet_runs, NOISES * SIZES);
    tap_add_loop(s, "the_slow_one_is_named_in_every_run", the_slow_one_is_named_in_every_run,
                 NOISES * SIZES);
    tap_add(s, "a_name_goes_when_its_reason_goes", a_name_goes_when_its_reason_goes);
    tap_add(s, "only_those_that_take_part_are_compared", only_those_that_take_part_are_compared);
    tap_add_loop(s, "hangs_are_found", hangs_are_found, sizeof(hangs) / sizeof(hangs[0]));
    tap_add_loop(s, "hung_is_not_slow", one_that_hung_is_not_slow, SIZES);
    return s;
}
TAP_MAIN(suite)

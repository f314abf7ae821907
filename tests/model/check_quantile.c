/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_quantile.c: percentiles from buckets equal the percentiles of the durations, within a
 * bucket.
 */
#include <stdlib.h>

#include "model/column.h"
#include "model/quantile.h"
#include "sample.h"
#include "model/view.h"

enum { CALLS = 5000 };

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* The bucket of a duration, found by trying all bounds that docs/protocol.md gives. */
static uint64_t bucket_of(uint64_t ns)
{
    uint64_t b = 0;
    while (b < 152 && ns >= (4 + (b + 1) % 4) << (2 + (b + 1) / 4))
        b++;
    return b;
}

/* Shapes of durations: uniform, with a long tail, of two kinds, all the same. */
static uint64_t draw(int shape, uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    uint64_t r = *state >> 33;
    static const uint64_t base[] = {1000, 100, 50, 777, 0, UINT64_C(1) << 41};
    switch (shape) {
    case 0:
        return base[0] + r % 100000;
    case 1:
        return base[1] << r % 30;
    case 2:
        return r % 10 == 0 ? 2000000 + r % 1000 : base[2] + r % 20;
    case 4:
        return r % 40;
    default:
        return base[shape];
    }
}
enum { SHAPES = 6 };

START_TEST(right_within_a_bucket)
{
    static uint64_t ns[CALLS];
    uint64_t count[MODEL_BUCKETS] = {0}, bucket[MODEL_BUCKETS], full[MODEL_BUCKETS], state = 7;
    size_t n = 0;
    for (int i = 0; i < CALLS; i++) {
        ns[i] = draw(_i, &state);
        count[bucket_of(ns[i])]++;
    }
    for (uint64_t b = 0; b < MODEL_BUCKETS; b++)
        if (count[b] != 0) {
            bucket[n] = b;
            full[n++] = count[b];
        }
    qsort(ns, CALLS, sizeof ns[0], compare);
    struct model_job *job = sample_job();
    ck_assert(model_job_set_buckets(job, 0, n, bucket, full));
    uint32_t known;
    const struct model_quantiles *q = model_job_quantiles(job, &known);
    static const int rank[] = {CALLS / 2, CALLS * 9 / 10, CALLS * 99 / 100};
    for (int i = 0; i < MODEL_QUANTILES; i++)
        ck_assert_uint_eq(bucket_of(q[0].ns[i]), bucket_of(ns[rank[i] - 1]));
    model_job_release(&job);
}
END_TEST

static const struct {
    uint64_t bucket[3], count[3];
    size_t n;
} wrong[] = {
    {{3, 3}, {1, 1}, 2},            /* not ascending */
    {{4, 3}, {1, 1}, 2},            /* equal ids */
    {{153}, {1}, 1},                /* no such bucket */
    {{0, 1}, {UINT64_MAX, 1}, 2},   /* more calls than possible */
};

START_TEST(invalid_buckets_change_nothing)
{
    struct model_job *job = sample_job();
    uint32_t known;
    ck_assert(!model_job_set_buckets(job, 0, wrong[_i].n, wrong[_i].bucket, wrong[_i].count));
    ck_assert(!model_job_set_buckets(job, 1000, 1, (uint64_t[]){1}, (uint64_t[]){1}));
    model_job_quantiles(job, &known);
    ck_assert_uint_eq(known, 0);
    model_job_release(&job);
}
END_TEST

static uint64_t shown(struct model_job *job, uint32_t scope, const char *word)
{
    struct model_state *state = model_state_take(job, scope, NULL);
    struct model_view view;
    ck_assert(model_view_init(&view, MODEL_OP));
    ck_assert(model_view_update(&view, state));
    const struct model_column *column = &model_columns[model_column_find(word, MODEL_OP)];
    struct model_cell cell = column->get(&view, &state->row[MODEL_OP][0], 0);
    model_view_release(&view);
    model_state_free(&state);
    return cell.known ? cell.u : MODEL_UNKNOWN;
}

/* Older frames change nothing. A known value does not become unknown. The buckets of some functions
 * are not the total. */
START_TEST(from_frames_to_cells)
{
    struct model_job *job = sample_job();
    ck_assert_uint_eq(shown(job, MODEL_ALL, "p50"), MODEL_UNKNOWN);
    ck_assert(model_job_set_buckets(job, 0, 1, (uint64_t[]){20}, (uint64_t[]){10}));
    uint64_t half = shown(job, MODEL_ALL, "p50");
    ck_assert_uint_eq(bucket_of(half), 20);
    ck_assert_uint_ge(shown(job, MODEL_ALL, "p99"), half);
    ck_assert_uint_eq(shown(job, 0, "p50"), MODEL_UNKNOWN);
    ck_assert(model_job_set_buckets(job, 0, 1, (uint64_t[]){40}, (uint64_t[]){9}));
    ck_assert_uint_eq(shown(job, MODEL_ALL, "p50"), half);
    uint64_t id = 0, min = 1, max = 500, timed = MODEL_UNKNOWN;
    model_job_set_extremes(job, 1, &id, &min, &max, &timed, false);
    ck_assert_uint_eq(shown(job, MODEL_ALL, "p99"), 500); /* at most the longest duration */
    ck_assert(model_job_set_buckets(job, 0, 1, (uint64_t[]){0}, (uint64_t[]){0}));
    ck_assert_uint_eq(shown(job, MODEL_ALL, "p50"), MODEL_UNKNOWN);
    ck_assert(model_job_set_buckets(job, 0, 1, (uint64_t[]){20}, (uint64_t[]){1}));
    model_job_set_epoch(job, 99);
    ck_assert_uint_eq(shown(job, MODEL_ALL, "p90"), MODEL_UNKNOWN);
    model_job_release(&job);
}
END_TEST

/* Long calls of op 0, and their time. */
static uint64_t long_of(struct model_job *job, uint64_t *ns)
{
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    ck_assert_ptr_nonnull(state->quantile);
    *ns = state->quantile[0][MODEL_LONG_NS];
    const uint64_t calls = state->quantile[0][MODEL_LONG_CALLS];
    model_state_free(&state);
    return calls;
}

/* Bucket 40 is 16384 to 20479 ns, 44 begins at twice that, 60 at 32 times: 524288 to 655359. */
START_TEST(long_calls_are_the_longest_tenth_at_most)
{
    static const struct {
        uint64_t bucket[4], count[4];
        uint64_t calls, ns;
    } row[] = {
        {{40, 41, 44, 60}, {90, 4, 3, 3}, 6, 3 * 36864 + 3 * 589824},
        {{40, 41, 43, 60}, {90, 4, 3, 3}, 3, 3 * 589824}, /* less than an octave above */
        {{40, 41, 44, 60}, {86, 3, 6, 5}, 5, 5 * 589824}, /* 11 of 100 would be too many */
        {{40, 41, 44, 60}, {80, 4, 5, 11}, 0, 0},
        {{40, 41, 42, 43}, {50, 30, 15, 5}, 0, 0},
    };
    struct model_job *job = sample_job();
    uint64_t ns;
    for (int i = 0; i < TAP_ROWS(row); i++) {
        ck_assert(model_job_set_buckets(job, 0, 4, row[i].bucket, row[i].count));
        ck_assert_uint_eq(long_of(job, &ns), row[i].calls);
        ck_assert_uint_eq(ns, row[i].ns);
    }
    /* The longest call is known exactly, if it is of that bucket. */
    uint64_t id = 0, min = 1, timed = MODEL_UNKNOWN;
    ck_assert(model_job_set_buckets(job, 0, 4, row[0].bucket, row[0].count));
    for (uint64_t max = 530000; max < 9000000; max += 8000000) {
        model_job_set_extremes(job, 1, &id, &min, &max, &timed, false);
        ck_assert_uint_eq(long_of(job, &ns), 6);
        ck_assert_uint_eq(ns, row[0].ns - (max == 530000 ? 589824 - max : 0));
    }
    model_job_release(&job);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("quantile");
    tap_add(s, "long_calls_are_the_longest_tenth_at_most",
            long_calls_are_the_longest_tenth_at_most);
    tap_add_loop(s, "right_within_a_bucket", right_within_a_bucket, SHAPES);
    tap_add_loop(s, "invalid_buckets_change_nothing", invalid_buckets_change_nothing,
                 TAP_ROWS(wrong));
    tap_add(s, "from_frames_to_cells", from_frames_to_cells);
    return s;
}

TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * sample.h: jobs for the tests of the model: one made by hand, and random ones from a seed.
 */
#ifndef TESTS_MODEL_SAMPLE_H
#define TESTS_MODEL_SAMPLE_H

#include <stdio.h>
#include <string.h>

#include "../tap.h"
#include "model/state.h"
#include "model/view.h"

/* xorshift64*: the same numbers on every machine. */
struct sample_random {
    uint64_t state;
};

static inline uint64_t sample_next(struct sample_random *r)
{
    r->state ^= r->state >> 12;
    r->state ^= r->state << 25;
    r->state ^= r->state >> 27;
    return r->state * UINT64_C(2685821657736338717);
}

static inline uint64_t sample_below(struct sample_random *r, uint64_t limit)
{
    return (sample_next(r) >> 11) % limit;
}

static inline struct model_bytes sample_bytes(const char *text)
{
    return (struct model_bytes){text, strlen(text)};
}

static inline struct model_job *sample_empty(void)
{
    static const uint8_t instance[16] = {0xab, 0xcd};
    struct model_job *job = model_job_new(instance);
    ck_assert_ptr_nonnull(job);
    model_job_set_epoch(job, 1);
    model_job_set_stamp(job, 1000, 2000);
    model_job_set_values_stamp(job, 1000);
    model_job_set_complete(job);
    return job;
}

static inline void sample_class(struct model_job *job, const char *name)
{
    ck_assert(model_job_add_class(job, name, strlen(name)));
}

static inline void sample_op(struct model_job *job, uint32_t op_class, const char *text)
{
    ck_assert(model_job_add_op(job, op_class, text, strlen(text)));
}

static inline void sample_function(struct model_job *job, const char *name, uint32_t parent)
{
    struct model_function_raw raw = {.name = sample_bytes(name), .parent = parent};
    ck_assert(model_job_add_function(job, &raw));
}

static inline void sample_apply(struct model_job *job, uint32_t function, uint32_t op,
                                uint32_t index, const char *text, unsigned impl)
{
    struct model_apply_raw raw = {.text = sample_bytes(text),
                                  .function = function,
                                  .op = op,
                                  .index = index,
                                  .impl = (uint8_t)impl};
    ck_assert(model_job_add_apply(job, &raw));
}

/* Returns the number of falls. */
static inline size_t sample_value(struct model_job *job, uint64_t id, uint64_t calls,
                                  uint64_t total_ns)
{
    uint64_t last_ns = MODEL_UNKNOWN;
    return model_job_set_values(job, 1, &id, &calls, &total_ns, &last_ns, NULL, false);
}

/* Two classes, three ops, two functions, four applies:
 *   train:  0 add C 10 calls 1000 ns   1 mul C 20 calls 500 ns   2 dot Py 30 calls 8500 ns
 *   test:   3 dot C 5 calls 2000 ns */
static inline struct model_job *sample_job(void)
{
    struct model_job *job = sample_empty();
    sample_class(job, "tensor.Elemwise");
    sample_class(job, "tensor.Dot");
    sample_op(job, 0, "Elemwise{add}");
    sample_op(job, 0, "Elemwise{mul}");
    sample_op(job, 1, "Dot");
    sample_function(job, "train", MODEL_NONE);
    sample_function(job, "test", MODEL_NONE);
    sample_apply(job, 0, 0, 0, "Elemwise{add}(x, y)", MODEL_IMPL_C);
    sample_apply(job, 0, 1, 1, "Elemwise{mul}(x, y)", MODEL_IMPL_C);
    sample_apply(job, 0, 2, 2, "Dot(x, w)", MODEL_IMPL_PY);
    sample_apply(job, 1, 2, 0, "Dot(x, v)", MODEL_IMPL_C);
    ck_assert_uint_eq(sample_value(job, 0, 10, 1000), 0);
    ck_assert_uint_eq(sample_value(job, 1, 20, 500), 0);
    ck_assert_uint_eq(sample_value(job, 2, 30, 8500), 0);
    ck_assert_uint_eq(sample_value(job, 3, 5, 2000), 0);
    return job;
}

/* sample_job(), and two applies of `train` that wait: one of an op that works elsewhere, and one of
 * an op and a class of its own:
 *   train:  4 mul C 4 calls 1500 ns   5 wait 1 call 90000 ns */
static inline struct model_job *sample_waiting(void)
{
    struct model_job *job = sample_job();
    sample_class(job, "Engine");
    sample_op(job, 2, "WaitForAll");
    const struct model_apply_raw raw[] = {
        {.text = sample_bytes("Elemwise{mul}(queue)"), .op = 1, .impl = MODEL_IMPL_C,
         .waits = MODEL_WAITS, .index = 3},
        {.text = sample_bytes("WaitForAll()"), .op = 3, .waits = MODEL_WAITS, .index = 4}};
    ck_assert(model_job_add_apply(job, &raw[0]) && model_job_add_apply(job, &raw[1]));
    ck_assert_uint_eq(sample_value(job, 4, 4, 1500), 0);
    ck_assert_uint_eq(sample_value(job, 5, 1, 90000), 0);
    return job;
}

/* sample_waiting(), and two applies of `train` that are aside: one of an op that works and waits
 * elsewhere, and one of an op and a class of its own:
 *   train:  6 mul C 4 calls 700 ns   7 invoke 1 call 50000 ns */
static inline struct model_job *sample_aside(void)
{
    struct model_job *job = sample_waiting();
    sample_class(job, "API");
    sample_op(job, 3, "invoke");
    const struct model_apply_raw raw[] = {
        {.text = sample_bytes("Elemwise{mul}(all)"), .op = 1, .impl = MODEL_IMPL_C,
         .waits = MODEL_ASIDE, .index = 5},
        {.text = sample_bytes("invoke()"), .op = 4, .waits = MODEL_ASIDE, .index = 6}};
    ck_assert(model_job_add_apply(job, &raw[0]) && model_job_add_apply(job, &raw[1]));
    ck_assert_uint_eq(sample_value(job, 6, 4, 700), 0);
    ck_assert_uint_eq(sample_value(job, 7, 1, 50000), 0);
    return job;
}

/* The rows of sample_job(), defined in another order, with one more op. */
static inline struct model_job *sample_turned(void)
{
    struct model_job *job = sample_empty();
    sample_class(job, "tensor.Dot");
    sample_class(job, "tensor.Elemwise");
    sample_op(job, 0, "Dot");
    sample_op(job, 1, "Elemwise{exp}");
    sample_op(job, 1, "Elemwise{mul}");
    sample_function(job, "train", MODEL_NONE);
    sample_apply(job, 0, 0, 0, "Dot(x, w)", MODEL_IMPL_C);
    sample_apply(job, 0, 1, 1, "Elemwise{exp}(x)", MODEL_IMPL_C);
    sample_apply(job, 0, 2, 2, "Elemwise{mul}(x, y)", MODEL_IMPL_C);
    ck_assert_uint_eq(sample_value(job, 0, 3, 1500), 0);
    ck_assert_uint_eq(sample_value(job, 1, 1, 200), 0);
    ck_assert_uint_eq(sample_value(job, 2, 2, 50), 0);
    return job;
}

/* Calls of a function of 100 ns each, `timed` of them timed. */
static inline void sample_calls(struct model_job *job, uint64_t id, uint64_t calls, uint64_t timed,
                                uint64_t error_ns)
{
    const uint64_t ns = calls * 100, none = MODEL_UNKNOWN;
    ck_assert_uint_eq(model_job_set_calls(job, 1, &id, &calls, &ns, &ns, &none, false), 0);
    ck_assert_uint_eq(model_job_set_sampled(job, 1, &id, &timed, &error_ns, false), 0);
}

/* Sets how many calls of an apply were timed, 90 ns each. */
static inline void sample_timed(struct model_job *job, uint64_t id, uint64_t timed)
{
    const uint64_t ns = 90;
    ck_assert_uint_eq(model_job_set_extremes(job, 1, &id, &ns, &ns, &timed, false), 0);
}

/* A random job. With `nested`, functions run inside applies of others. Some applies wait. In every
 * second job, some applies have a source line. */
static inline struct model_job *sample_random_job(struct sample_random *r, bool nested)
{
    struct model_job *job = sample_empty();
    static const uint8_t waits[8] = {MODEL_WAITS, MODEL_ASIDE};
    char text[64], place[64];
    uint32_t classes = 1 + (uint32_t)sample_below(r, 6);
    uint32_t ops = 1 + (uint32_t)sample_below(r, 40);
    uint32_t functions = 1 + (uint32_t)sample_below(r, 8);
    for (uint32_t i = 0; i < classes; i++) {
        snprintf(text, sizeof(text), "Class%u", (unsigned)sample_below(r, 4));
        sample_class(job, text);
    }
    for (uint32_t i = 0; i < ops; i++) {
        snprintf(text, sizeof(text), "Op%u{é}", (unsigned)sample_below(r, 20));
        sample_op(job, (uint32_t)sample_below(r, classes), text);
    }
    for (uint32_t f = 0; f < functions; f++) {
        uint32_t applies = model_job_count(job, MODEL_APPLY);
        bool inside = nested && applies > 0 && sample_below(r, 3) > 0;
        /* Often one of the last few, so that chains get long and applies run several functions. */
        uint32_t few = applies > 3 && sample_below(r, 4) ? 3 : applies;
        uint32_t parent = inside ? applies - 1 - (uint32_t)sample_below(r, few) : MODEL_NONE;
        if (inside && sample_below(r, 3) == 0 && f > 1)
            parent = model_job_function(job, f - 1)->parent;
        sample_function(job, f % 3 ? "f" : "", parent);
        for (uint32_t n = 1 + (uint32_t)sample_below(r, 60), i = 0; i < n; i++) {
            snprintf(text, sizeof(text), "Node%u(x)", (unsigned)sample_below(r, 30));
            uint64_t line = functions % 2 ? sample_below(r, 20) : 0;
            snprintf(place, sizeof(place), "m.py:%u", (unsigned)line);
            struct model_apply_raw raw = {.text = sample_bytes(text),
                                          .location = sample_bytes(line ? place : ""),
                                          .function = (uint32_t)sample_below(r, f + 1),
                                          .op = (uint32_t)sample_below(r, ops),
                                          .index = i,
                                          .impl = (uint8_t)sample_below(r, MODEL_IMPLS),
                                          .waits = waits[sample_below(r, 8)],
                                          .exclusive = sample_below(r, 4) == 0};
            ck_assert(model_job_add_apply(job, &raw));
        }
    }
    return job;
}

/* How many functions deep an apply runs. */
static inline unsigned sample_depth(const struct model_job *job, uint32_t apply)
{
    unsigned depth = 0;
    for (;; depth++) {
        uint32_t function = model_job_apply(job, apply)->function;
        apply = model_job_function(job, function)->parent;
        if (apply == MODEL_NONE)
            return depth;
    }
}

/* Runs random applies: each gets some more calls and time. Functions inside get less. Their sum is
 * sometimes a part of the outer apply's time, sometimes more. */
static inline void sample_run(struct model_job *job, struct sample_random *r, uint64_t most_ns)
{
    const struct model_apply_value *value = model_job_apply_values(job);
    for (uint32_t i = 0; i < model_job_count(job, MODEL_APPLY); i++) {
        uint64_t most = most_ns;
        for (unsigned depth = sample_depth(job, i); depth > 0; depth--)
            most = most / 32 + 1;
        if (sample_below(r, 4) == 0)
            continue;
        ck_assert_uint_eq(sample_value(job, i, value[i].calls + 1 + sample_below(r, 100),
                                       value[i].total_ns + sample_below(r, most)),
                          0);
    }
    model_job_set_stamp(job, model_job_mono_ns(job) + 1000000, model_job_wall_ns(job) + 1000000);
    model_job_set_values_stamp(job, model_job_mono_ns(job));
}

#endif

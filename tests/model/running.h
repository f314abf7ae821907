/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * running.h: a random job that runs, tick by tick, and the JSON of its states.
 */
#ifndef TESTS_MODEL_RUNNING_H
#define TESTS_MODEL_RUNNING_H

#include <stdlib.h>

#include "model/json.h"
#include "model/node_detail.h"
#include "sample.h"

enum { MS = 1000000 };
#define UNKNOWN MODEL_UNKNOWN

struct text {
    char *bytes;
    size_t size, capacity;
};

static inline void keep(void *to, const char *bytes, size_t size)
{
    struct text *text = to;
    if (text->size + size + 1 > text->capacity) {
        text->capacity = 2 * (text->size + size + 1);
        text->bytes = realloc(text->bytes, text->capacity);
        ck_assert_ptr_nonnull(text->bytes);
    }
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
    text->bytes[text->size] = '\0';
}

/* The JSON of a state, which is freed. */
static inline char *printed(struct model_state *state)
{
    struct text text = {0};
    const struct model_sink sink = {keep, &text};
    struct model_link link = {.state = MODEL_LIVE};
    ck_assert_ptr_nonnull(state);
    const struct model_report report = {.state = state, .link = &link, .word = "live"};
    model_json_write(&report, &sink);
    model_state_free(&state);
    return text.bytes;
}

static inline void run_functions(struct model_job *job, struct sample_random *r)
{
    for (uint64_t f = 0; f < model_job_count(job, MODEL_FUNCTION); f++) {
        const struct model_function_value *was = &model_job_function_values(job)[f];
        if (sample_below(r, 3))
            continue;
        const uint64_t calls = was->calls + sample_below(r, 5), ns = was->call_ns + 1000;
        const uint64_t vm = ns / 2, open = sample_below(r, 2) ? UNKNOWN : 5, timed = calls / 2;
        model_job_set_calls(job, 1, &f, &calls, &ns, &vm, &open, false);
        model_job_set_sampled(job, 1, &f, &timed, &vm, false);
        const uint64_t compile = (was->compile_ns == UNKNOWN ? 0 : was->compile_ns) + 7;
        model_job_set_compile(job, 1, &f, &compile, &compile, &compile, &compile, &open, false);
    }
}

static inline void run_applies(struct model_job *job, struct sample_random *r)
{
    struct model_now now[3];
    const uint32_t applies = model_job_count(job, MODEL_APPLY);
    for (unsigned n = 0; n < 20; n++) {
        const uint64_t id = sample_below(r, applies), ns = sample_below(r, 1000);
        const struct model_apply_value *was = &model_job_apply_values(job)[id];
        const uint64_t most = was->max_ns == UNKNOWN ? ns : was->max_ns + ns;
        const uint64_t least = was->min_ns == UNKNOWN ? ns : was->min_ns / 2;
        model_job_set_extremes(job, 1, &id, &least, &most, &was->calls, false);
        model_job_set_errors(job, 1, &id, &ns);
        model_job_set_metric_value(job, 0, (uint32_t)id, was->calls, ns);
    }
    for (unsigned n = 0; n < 3; n++)
        now[n] = (struct model_now){.thread = n,
                                    .apply = (uint32_t)sample_below(r, applies),
                                    .since_ns = sample_below(r, 1000)};
    model_job_set_now(job, sample_below(r, 4), now, model_job_mono_ns(job));
    for (unsigned n = 0; n < 5; n++) {
        const uint64_t bucket[2] = {3, 60 + sample_below(r, 20)};
        const uint64_t calls[2] = {1 + sample_below(r, 1000), sample_below(r, 1000)};
        ck_assert(model_job_set_buckets(
            job, (uint32_t)sample_below(r, model_job_count(job, MODEL_OP)), 2, bucket, calls));
    }
}

static inline void run_objects(struct model_job *job, struct sample_random *r)
{
    const struct model_objects *objects = model_job_objects(job);
    for (uint32_t i = 0; i < objects->counters; i++) {
        struct model_counter_value value = objects->counter[i];
        value.value.i = (int64_t)sample_next(r) >> 20;
        value.updates += sample_below(r, 3);
        ck_assert(model_job_set_counter(job, i, MODEL_I64, &value));
    }
    for (uint32_t i = 0; i < objects->spans; i++) {
        struct model_span_value value = objects->span[i];
        value.calls++;
        value.total_ns += value.last_ns = sample_below(r, 100);
        value.min_ns = value.first_ns = 1;
        value.max_ns = value.until_ns = value.calls * 100;
        ck_assert(model_job_set_span(job, i, &value) && model_job_set_span_edges(job, i, &value));
        model_job_clear_span_lists(job, i);
        for (uint32_t n = 0; n < sample_below(r, 4); n++)
            model_job_add_span_thread(job, i, &(struct model_span_thread){n, value.calls, 3});
        model_job_add_span_pass(job, i, &(struct model_pass){value.calls, 9});
    }
    const uint32_t marks = objects->marks;
    const uint64_t number = marks ? objects->mark[marks - 1].number + 1 : 0;
    if (model_job_count(job, MODEL_MARKER) > 0 && sample_below(r, 4) == 0)
        ck_assert(model_job_add_mark(job, &(struct model_mark){.number = number,
                                                               .mono_ns = number,
                                                               .thread = MODEL_NONE,
                                                               .task = MODEL_NONE}));
}

/* Now and then there are new rows, a phase, or an epoch. */
static inline void run_definitions(struct model_job *job, struct sample_random *r, unsigned tick)
{
    char name[32];
    snprintf(name, sizeof(name), "of tick %u", tick);
    const struct model_bytes text = sample_bytes(name);
    if (tick % 10 == 3) {
        sample_class(job, name);
        sample_op(job, model_job_count(job, MODEL_CLASS) - 1, name);
        sample_function(job, name, MODEL_NONE);
        sample_apply(job, model_job_count(job, MODEL_FUNCTION) - 1,
                     model_job_count(job, MODEL_OP) - 1, 0, name, MODEL_IMPL_C);
    }
    if (tick % 20 == 5) {
        ck_assert(model_job_add_counter(job, &(struct model_counter_raw){.name = text}));
        ck_assert(model_job_add_span(job, &(struct model_span_raw){.name = text}));
        ck_assert(model_job_add_marker(job, text, text));
    }
    if (tick % 7 == 0) {
        const struct model_phase phase = {.rev = tick + 1,
                                          .calls = tick,
                                          .total_ns = tick * 100,
                                          .parent = MODEL_NONE,
                                          .open_since_ns = UNKNOWN};
        const uint32_t number = (uint32_t)sample_below(r, 4);
        ck_assert(model_job_set_phase(job, number, &phase, name, text.size));
    }
    if (tick % 50 == 40) {
        model_job_set_epoch(job, tick);
        model_job_set_complete(job);
    }
}

static inline void run(struct model_job *job, struct sample_random *r, unsigned tick)
{
    model_job_begin_tick(job, tick + 1);
    run_definitions(job, r, tick);
    sample_run(job, r, 5000);
    run_functions(job, r);
    run_applies(job, r);
    run_objects(job, r);
    model_job_set_stamp(job, (tick + 1) * UINT64_C(100) * MS, (tick + 1) * UINT64_C(100) * MS);
    model_job_set_values_stamp(job, model_job_mono_ns(job));
    model_job_end_tick(job);
}

static inline struct model_job *new_job(uint64_t seed)
{
    struct sample_random r = {seed};
    struct model_job *job = sample_random_job(&r, seed % 2 == 0);
    for (unsigned i = 0; i < 3; i++)
        ck_assert(model_job_add_thread(job, "t", 1, i));
    ck_assert(model_job_set_metric(job, 0, sample_bytes("bytes"), sample_bytes(""), MODEL_SUM));
    return job;
}

static inline void same(const char *is, const char *was, uint64_t tick)
{
    size_t at = 0;
    while (is[at] && is[at] == was[at])
        at++;
    const size_t from = at > 120 ? at - 120 : 0;
    ck_assert_msg(is[at] == was[at], "tick %u, byte %zu: '%.160s' was '%.160s'", (unsigned)tick, at,
                  is + from, was + from);
}

#endif

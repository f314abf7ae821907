/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * noise.c: the standard errors of times per call (Cochran, Sampling Techniques, chapter 6: the
 * variance of a ratio estimate, with the parts as units).
 */
#include "model/noise.h"

#include <math.h>
#include <stdlib.h>

#include "model/delta.h"

enum { SIDES = 2 };

/* Calls and time of one row in one part of one side. */
struct sample {
    double calls, ns;
};

struct collecting {
    const struct model_job *job;
    struct sample *sample[MODEL_ROW_TABLES]; /* by row, side, part */
};

static struct sample *sample_of(const struct collecting *c, enum model_table table, uint32_t id,
                                unsigned part)
{
    return &c->sample[table][(size_t)id * SIDES * MODEL_NOISE_BINS + part];
}

static void add(const struct collecting *c, enum model_table table, uint32_t id, unsigned part,
                const struct sample *more)
{
    struct sample *to = sample_of(c, table, id, part);
    to->calls += more->calls;
    to->ns += more->ns;
}

/* Adds the changes of a moment to its part. */
static void collect(const struct collecting *c, const struct model_history *history, uint32_t at,
                    unsigned part)
{
    struct model_delta_in in;
    model_history_changes(history, at, &in);
    while (model_delta_next(&in)) {
        struct sample more = {0, 0};
        if (in.row.table != MODEL_V_APPLY)
            continue;
        for (unsigned i = 0; i < in.row.words && in.row.word[i] < 2; i++)
            *(in.row.word[i] == 0 ? &more.calls : &more.ns) = (double)(int64_t)in.row.change[i];
        const struct model_apply_def *def = model_job_apply(c->job, in.row.id);
        if (!def || more.calls <= 0)
            continue;
        add(c, MODEL_APPLY, in.row.id, part, &more);
        add(c, MODEL_OP, def->op, part, &more);
        add(c, MODEL_CLASS, model_job_op(c->job, def->op)->op_class, part, &more);
        add(c, MODEL_FUNCTION, def->function, part, &more);
        add(c, MODEL_LINE, def->line, part, &more);
    }
}

/* The square of the relative error of the time per call on one side; below 0: unknown. */
static double square_error(const struct sample *sample)
{
    double calls = 0, ns = 0, sum = 0;
    unsigned samples = 0;
    for (unsigned i = 0; i < MODEL_NOISE_BINS; i++) {
        calls += sample[i].calls;
        ns += sample[i].ns;
        samples += sample[i].calls > 0;
    }
    if (samples < MODEL_NOISE_LEAST || ns <= 0)
        return -1;
    for (unsigned i = 0; i < MODEL_NOISE_BINS; i++) {
        const double off = sample[i].ns - sample[i].calls * (ns / calls);
        sum += off * off;
    }
    return sum * samples / (samples - 1) / (ns * ns);
}

static uint64_t part_of(uint64_t at_ns, uint64_t from_ns, uint64_t to_ns)
{
    const uint64_t part =
        (uint64_t)((double)(at_ns - from_ns) / (double)(to_ns - from_ns + 1) * MODEL_NOISE_BINS);
    return part < MODEL_NOISE_BINS ? part : MODEL_NOISE_BINS - 1;
}

static void collect_all(const struct collecting *c, const struct model_history *history,
                        uint64_t base_ns, uint64_t now_ns)
{
    const uint32_t last = model_history_find(history, now_ns);
    const uint32_t epoch = model_history_at(history, last).epoch;
    uint32_t first = last;
    while (first > 0 && model_history_at(history, first - 1).epoch == epoch)
        first--;
    const uint64_t from_ns = model_history_at(history, first).mono_ns;
    for (uint32_t at = first + 1; at <= last; at++) {
        const uint64_t mono_ns = model_history_at(history, at).mono_ns;
        if (mono_ns <= base_ns)
            collect(c, history, at, (unsigned)part_of(mono_ns, from_ns, base_ns));
        else
            collect(c, history, at, MODEL_NOISE_BINS + (unsigned)part_of(mono_ns, base_ns, now_ns));
    }
}

static bool fit(struct model_noise *noise, struct collecting *c)
{
    size_t rows = 0;
    for (unsigned table = 0; table < MODEL_ROW_TABLES; table++)
        rows += model_job_count(c->job, table);
    if (rows > MODEL_NOISE_MAX / (SIDES * MODEL_NOISE_BINS * sizeof(struct sample)))
        return false;
    for (unsigned table = 0; table < MODEL_ROW_TABLES; table++) {
        const uint32_t count = model_job_count(c->job, table);
        c->sample[table] =
            calloc((size_t)count * SIDES * MODEL_NOISE_BINS + 1, sizeof(struct sample));
        noise->error[table] = malloc((count + 1u) * sizeof(float));
        noise->count[table] = count;
        if (!c->sample[table] || !noise->error[table])
            return false;
    }
    return true;
}

struct model_noise *model_noise_new(const struct model_history *history, uint64_t base_ns,
                                    uint64_t now_ns)
{
    struct collecting c = {.job = model_history_job(history)};
    struct model_noise *noise = calloc(1, sizeof(*noise));
    const bool fine = noise && fit(noise, &c);
    if (fine)
        collect_all(&c, history, base_ns, now_ns);
    for (unsigned table = 0; fine && table < MODEL_ROW_TABLES; table++)
        for (uint32_t id = 0; id < noise->count[table]; id++) {
            const double before = square_error(sample_of(&c, table, id, 0));
            const double since = square_error(sample_of(&c, table, id, MODEL_NOISE_BINS));
            noise->error[table][id] = (float)(before < 0 || since < 0 ? -1 : sqrt(before + since));
        }
    for (unsigned table = 0; table < MODEL_ROW_TABLES; table++)
        free(c.sample[table]);
    if (!fine)
        model_noise_free(&noise);
    return noise;
}

void model_noise_free(struct model_noise **noise)
{
    for (unsigned table = 0; *noise && table < MODEL_ROW_TABLES; table++)
        free((*noise)->error[table]);
    free(*noise);
    *noise = NULL;
}

bool model_noise_exceeded(double ratio, double error)
{
    return error >= 0 && error * MODEL_NOISE_WORST <= 1 &&
           (ratio <= 0 || fabs(log(ratio)) > MODEL_NOISE_FACTOR * error);
}

double model_noise_of(const struct model_noise *noise, enum model_table table, uint32_t id)
{
    const unsigned rows = model_table_rows(table);
    return noise && rows < MODEL_ROW_TABLES && id < noise->count[rows] ? noise->error[rows][id]
                                                                       : -1;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * json_peaks.c: the peak memory of each function's values, if sizes are known.
 */
#include <stdlib.h>

#include "model/json_private.h"
#include "model/peak.h"

static void put_peak(struct json *j, const char *bytes, const char *apply,
                     const struct model_peak *peak)
{
    model_put_key(&j->out, bytes);
    model_put_u64(&j->out, peak->bytes);
    if (!apply)
        return;
    model_put_key(&j->out, apply);
    model_put_id(&j->out, peak->apply);
}

static void put_peaks(struct json *j, uint32_t function, const struct model_peaks *peaks)
{
    struct model_put *out = &j->out;
    model_put_row(out);
    model_put_key(out, "job");
    model_put_u64(out, j->job);
    model_put_key(out, "function");
    model_put_u64(out, function);
    put_peak(j, "peak_bytes", "peak_apply", &peaks->peak[MODEL_PEAK_LAZY]);
    put_peak(j, "no_inplace_bytes", NULL, &peaks->no_inplace[MODEL_PEAK_LAZY]);
    put_peak(j, "index_peak_bytes", "index_peak_apply", &peaks->peak[MODEL_PEAK_INDEX]);
    put_peak(j, "index_no_inplace_bytes", NULL, &peaks->no_inplace[MODEL_PEAK_INDEX]);
    model_put_key(out, "no_gc_bytes");
    model_put_u64(out, peaks->created);
    model_put_key(out, "outputs_bytes");
    model_put_u64(out, peaks->outputs);
    model_put_key(out, "partial");
    model_put_bool(out, peaks->unknown > 0 || peaks->untold > 0);
    model_put_close(out);
}

const char *model_json_peak_key(unsigned at)
{
    static const char *const key[] = {
        "job",
        "function",
        "peak_bytes",
        "peak_apply",
        "no_inplace_bytes",
        "index_peak_bytes",
        "index_peak_apply",
        "index_no_inplace_bytes",
        "no_gc_bytes",
        "outputs_bytes",
        "partial",
        NULL,
    };
    return key[at];
}

void model_json_peaks(struct json *j)
{
    uint32_t *apply = NULL, *first = NULL;
    bool good = j->state && model_job_has_about(j->state->job) &&
                model_state_by_function(j->state, &apply, &first);
    for (uint32_t f = 0; good && f < j->state->count[MODEL_FUNCTION]; f++) {
        struct model_peaks peaks;
        good =
            model_peaks_of(j->state->job, apply + first[f], first[f + 1] - first[f], false, &peaks);
        if (good && peaks.values > peaks.unknown)
            put_peaks(j, f, &peaks);
    }
    free(apply);
    free(first);
}

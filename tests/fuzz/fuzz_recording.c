/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_recording.c: records that need not be trusted. A job that comes out of them can be shown at
 * each of its moments.
 */
#include "fuzz.h"

#include "model/recording.h"

#include <stdlib.h>

#include "tests/fuzz/fuzz_print.h"

static void show(struct model_job *job)
{
    struct model_history *history = model_history_of(job);
    struct model_past *past = model_past_new(history);
    const uint32_t count = model_history_count(history);
    fuzz_print(model_state_take(job, MODEL_ALL, NULL));
    for (uint32_t at = count; past && at-- > 0 && at + 4 > count;)
        if (model_past_seek(past, at))
            fuzz_print(model_past_take(past, MODEL_ALL, NULL));
    model_past_free(&past);
    model_history_free(&history);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char why[256];
    struct model_playback *playback = model_playback_new(1 << 20);
    if (!playback)
        return 0;
    model_playback_take(playback, (struct model_bytes){(const char *)data, size}, why, sizeof why);
    struct model_job *job = model_job_retain(model_playback_job(playback));
    model_playback_free(&playback);
    if (job)
        show(job);
    model_job_release(&job);
    return 0;
}

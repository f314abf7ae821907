/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * report_ready.c: decides by the calls of a job's functions and ops, and by its spans and counters.
 */
#include "config.h"

#include "tui/cli/report_ready.h"

#include "model/objects.h"
#include "tui/app/app.h"

enum { ALONE_NS = TUI_NS_PER_S / 2 }; /* a job with ops has sent them by then */

static bool is_some(uint64_t calls)
{
    return calls > 0 && calls != MODEL_UNKNOWN;
}

/* True if a span or counter has values, or a marker was marked. */
static bool any_object(const struct model_objects *objects)
{
    bool any = objects->marks > 0;
    for (uint32_t i = 0; !any && i < objects->spans; i++)
        any = objects->span[i].known;
    for (uint32_t i = 0; !any && i < objects->counters; i++)
        any = objects->counter[i].known;
    return any;
}

void tui_figures_note(struct tui_figures *figures, const struct model_job *job, uint64_t now_ns)
{
    const struct model_function_value *function = model_job_function_values(job);
    const uint32_t functions = model_job_count(job, MODEL_FUNCTION);
    for (uint32_t i = 0; !figures->alone_ns && i < functions; i++)
        if (is_some(function[i].calls))
            figures->alone_ns = now_ns;
    if (!figures->alone_ns && functions == 0 && any_object(model_job_objects(job)))
        figures->alone_ns = now_ns;
}

bool tui_figures_there(const struct tui_figures *figures, const struct model_job *job,
                       uint64_t now_ns)
{
    const struct model_apply_value *apply = model_job_apply_values(job);
    const uint32_t applies = model_job_count(job, MODEL_APPLY);
    if (applies == 0)
        return figures->alone_ns && now_ns >= figures->alone_ns + ALONE_NS;
    for (uint32_t i = 0; i < applies; i++)
        if (is_some(apply[i].calls))
            return true;
    return false;
}

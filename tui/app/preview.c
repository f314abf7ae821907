/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * preview.c: watches jobs that are listed but not attached to, while the list is open.
 */
#include "config.h"

#include "tui/app/preview.h"

#include <stdio.h>
#include <string.h>

#include "tui/ui/grid.h"

enum { MS = 1000000 };
static const uint64_t READ_NS = (uint64_t)500 * MS; /* interval between two reads of the feeds */
/* Interval between two states: the list is made anew each second. */
static const uint64_t TAKE_NS = (uint64_t)900 * MS;
enum {
    TICK_MS = 1000,                  /* tick length requested from the jobs */
    BUDGET_NS = MS / 4,              /* reading time for one job */
    NAME_COLS = TUI_GLANCE_NAME / 5, /* a character has four bytes at most */
    BYTES_MAX = 8 * 1024 * 1024,     /* a job that has sent more and is not whole is given up */
};

static bool is_of(const struct tui_preview *preview, const struct registry_info *info)
{
    return preview->pid == info->pid && strcmp(preview->instance, info->instance) == 0;
}

static const struct tui_preview *find(const struct tui_previews *previews,
                                      const struct registry_info *info)
{
    for (size_t i = 0; i < previews->count; i++)
        if (is_of(&previews->one[i], info))
            return &previews->one[i];
    return NULL;
}

static void let_go(struct tui_preview *preview)
{
    viewer_subscriber_free(&preview->feed);
    model_state_free(&preview->state);
}

/* True if the job can be reached without ssh or keys. Others are not watched. */
static bool is_near(const struct registry_info *info)
{
    return !info->via[0] && !shared_is_tcp(info->facts) && !shared_is_tcp(info->control);
}

static bool is_listed(const struct tui_preview *preview, const struct viewer_jobs *jobs)
{
    for (size_t i = 0; i < jobs->count; i++)
        if (is_of(preview, &jobs->job[i]))
            return true;
    return false;
}

static void watch(struct tui_preview *preview, const struct registry_info *info, void *zmq,
                  uint64_t now_ns)
{
    struct viewer_target target;
    char why[320];
    *preview = (struct tui_preview){.pid = info->pid};
    memcpy(preview->instance, info->instance, sizeof preview->instance);
    viewer_target_of(info, &target);
    preview->feed = viewer_subscriber_new(zmq, &target, now_ns, why, sizeof why);
    if (preview->feed)
        viewer_subscriber_tick(preview->feed, TICK_MS);
}

void tui_previews_follow(struct tui_previews *previews, const struct viewer_jobs *jobs, void *zmq,
                         uint64_t now_ns)
{
    size_t kept = 0;
    for (size_t i = 0; i < previews->count; i++) {
        if (is_listed(&previews->one[i], jobs))
            previews->one[kept++] = previews->one[i];
        else
            let_go(&previews->one[i]);
    }
    previews->count = kept;
    for (size_t i = 0; i < jobs->count && previews->count < TUI_PREVIEWS; i++)
        if (is_near(&jobs->job[i]) && !find(previews, &jobs->job[i]))
            watch(&previews->one[previews->count++], &jobs->job[i], zmq, now_ns);
}

void tui_previews_release(struct tui_previews *previews)
{
    for (size_t i = 0; i < previews->count; i++)
        let_go(&previews->one[i]);
    previews->count = 0;
}

/* True until the job is whole: until then each answer is followed by a request. */
static bool is_pending(const struct tui_preview *preview)
{
    return preview->feed && !preview->state;
}

uint64_t tui_previews_due(const struct tui_previews *previews)
{
    uint64_t due = UINT64_MAX;
    for (size_t i = 0; i < previews->count; i++) {
        const struct tui_preview *preview = &previews->one[i];
        const uint64_t its = !preview->feed        ? UINT64_MAX
                             : is_pending(preview) ? viewer_subscriber_due(preview->feed)
                                                   : previews->read_ns + READ_NS;
        due = its < due ? its : due;
    }
    return due;
}

static bool is_rated(const struct tui_preview *preview)
{
    return preview->state && preview->state->interval_ns > 0;
}

/* Takes a state, if values have come since the last one. */
static void take(struct tui_preview *preview, uint64_t now_ns)
{
    struct model_job *job = viewer_subscriber_job(preview->feed);
    struct model_state *state = preview->state;
    if (!job || !model_job_complete(job))
        return;
    if (state && state->job == job && state->mono_ns == model_job_mono_ns(job))
        return;
    if (state && state->job == job) {
        if (!model_state_renew(state, MODEL_ALL))
            return;
    } else {
        model_state_free(&preview->state);
        preview->state = model_state_take_sums(job, MODEL_ALL, NULL);
    }
    preview->taken_ns = now_ns;
}

/* Reads one job. True: its first values are here, or its first rate. */
static bool read_one(struct tui_preview *preview, uint64_t now_ns)
{
    const bool had = preview->state != NULL, rated = is_rated(preview);
    viewer_subscriber_drain(preview->feed, now_ns, BUDGET_NS);
    if (!had && viewer_subscriber_link(preview->feed)->bytes > BYTES_MAX) {
        let_go(preview);
        return false;
    }
    if (!had || now_ns - preview->taken_ns >= TAKE_NS)
        take(preview, now_ns);
    return had != (preview->state != NULL) || rated != is_rated(preview);
}

bool tui_previews_read(struct tui_previews *previews, uint64_t now_ns)
{
    const bool all = now_ns >= previews->read_ns + READ_NS;
    bool news = false;
    for (size_t i = 0; i < previews->count; i++)
        if (previews->one[i].feed && (all || is_pending(&previews->one[i])))
            news |= read_one(&previews->one[i], now_ns);
    if (all)
        previews->read_ns = now_ns;
    return news;
}

/* ---------------------------------------------------------------------------------- results */

static const char *hottest(const struct model_state *state)
{
    const struct model_row *most = NULL;
    uint64_t most_ns = 0;
    for (uint32_t i = 0; i < state->count[MODEL_OP]; i++) {
        const struct model_row *row = &state->row[MODEL_OP][i];
        const uint64_t ns = model_state_work(state, MODEL_OP, row);
        if (ns == MODEL_UNKNOWN || ns <= most_ns)
            continue;
        most = row;
        most_ns = ns;
    }
    return most ? model_job_op(state->job, most->id)->label.shown : "";
}

/* True if the job has a rate. A silent or ended job has none. */
static bool is_live(const struct tui_preview *preview)
{
    const enum model_link_state state = viewer_subscriber_link(preview->feed)->state;
    return state == MODEL_LIVE || state == MODEL_LAGGING;
}

bool tui_previews_rate(const struct tui_previews *previews, const struct registry_info *info,
                       double *rate)
{
    const struct tui_preview *preview = find(previews, info);
    if (!preview || !is_rated(preview) || !is_live(preview) ||
        preview->state->totals.interval_calls == MODEL_UNKNOWN)
        return false;
    *rate =
        1e9 * (double)preview->state->totals.interval_calls / (double)preview->state->interval_ns;
    return true;
}

void tui_previews_hottest(const struct tui_previews *previews, const struct registry_info *info,
                          char out[TUI_GLANCE_NAME])
{
    const struct tui_preview *preview = find(previews, info);
    const char *name = preview && preview->state ? hottest(preview->state) : "";
    snprintf(out, TUI_GLANCE_NAME, "%.*s", (int)tui_text_fit(name, NAME_COLS), name);
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * stage_jobs.h: several jobs for the tests of the screen.
 */
#ifndef TESTS_TUI_STAGE_JOBS_H
#define TESTS_TUI_STAGE_JOBS_H

#include "stage.h"

/* Three ranks of one job. `now`: the open call of the last rank. NULL: that rank is silent. */
static inline void stage_show_ranks(struct stage *stage, enum model_multi_job_view view,
                                    const struct model_now *now, enum model_starved starved)
{
    enum { RANKS = 3 };
    struct model_multi_job *multi_job = model_multi_job_new();
    struct model_link link[RANKS] = {{.state = MODEL_LIVE}, {.state = MODEL_LIVE},
                                     {.state = now ? MODEL_LIVE : MODEL_STALE,
                                      .starved = (uint8_t)starved}};
    struct model_multi_job_member member[RANKS];
    sample_must(multi_job != NULL);
    for (unsigned i = 0; i < RANKS; i++) {
        struct model_job *job = sample_job(&sample_train);
        struct model_identity *who = model_job_identity_mutable(job);
        member[i] = (struct model_multi_job_member){job, &link[i]};
        who->rank = i;
        who->size = RANKS;
        who->pid += i;
        sample_set_applies(job, &sample_train, 1 + i);
    }
    const uint64_t id = 2, least = 1000, most = 50000000, every = MODEL_UNKNOWN;
    struct model_job *last = member[RANKS - 1].job;
    model_job_set_extremes(last, 1, &id, &least, &most, &every, false);
    sample_must(!now || model_job_set_now(last, 1, now, UINT64_C(20000000000)));
    model_job_set_stamp(last, UINT64_C(20000000000), 0);
    struct model_state *state = model_multi_job_take(multi_job, view, MODEL_ALL, member, RANKS);
    sample_must(state && tui_screen_show(&stage->screen, state));
    model_state_free(&stage->state);
    stage->state = state;
    stage->screen.multi_job = state->multi_job;
    for (unsigned i = 0; i < RANKS; i++)
        model_job_release(&member[i].job);
    model_multi_job_free(&multi_job);
}

static void make_jobs(struct stage *stage)
{
    stage_show_ranks(stage, MODEL_MULTI_JOB_SUM, NULL, MODEL_STARVED_UNKNOWN);
}

static void make_jobs_compared(struct stage *stage)
{
    stage_show_ranks(stage, MODEL_MULTI_JOB_RANKS, NULL, MODEL_STARVED_UNKNOWN);
}

static const struct model_now stage_open = {.apply = 2, .since_ns = UINT64_C(11000000000)};

static void make_jobs_hung(struct stage *stage)
{
    stage_show_ranks(stage, MODEL_MULTI_JOB_SUM, &stage_open, MODEL_STARVED_NO);
}

static void make_jobs_hung_far(struct stage *stage)
{
    stage_show_ranks(stage, MODEL_MULTI_JOB_SUM, &stage_open, MODEL_STARVED_UNKNOWN);
}

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * json_multi_job.c: compares several jobs, op by op, and names the one that is slow or hangs,
 * and those that wait for it.
 */
#include "model/json_private.h"
#include "model/multi_job.h"

static const struct model_state *compared(const struct json *j)
{
    return j->report->ranks;
}

static const struct model_ranks *ranks(const struct json *j)
{
    return &compared(j)->multi_job->ranks[MODEL_OP][j->at];
}

static const struct model_op_def *op(const struct json *j)
{
    return model_job_op(compared(j)->job, (uint32_t)j->at);
}

FIELD(rank_class)
{
    model_put_text(&j->out, &model_job_class(compared(j)->job, op(j)->op_class)->name);
}

FIELD(rank_op)
{
    model_put_text(&j->out, &op(j)->text);
}

FIELD(rank_jobs)
{
    model_put_u64(&j->out, ranks(j)->jobs);
}

FIELD(rank_min)
{
    model_put_known(&j->out, ranks(j)->min_ns);
}

FIELD(rank_median)
{
    model_put_known(&j->out, ranks(j)->median_ns);
}

FIELD(rank_max)
{
    model_put_known(&j->out, ranks(j)->max_ns);
}

FIELD(rank_max_job)
{
    model_put_id(&j->out, ranks(j)->most);
}

const struct field model_json_rank_fields[] = {
    {"class", rank_class},      {"op", rank_op},
    {"jobs", rank_jobs},        {"min_ns", rank_min},
    {"median_ns", rank_median}, {"max_ns", rank_max},
    {"max_job", rank_max_job},  {NULL, NULL},
};

void model_json_ranks(struct json *j)
{
    const struct model_state *state = compared(j);
    for (j->at = 0; state && j->at < state->count[MODEL_OP]; j->at++) {
        if (!state->row[MODEL_OP][j->at].in_scope)
            continue;
        model_put_row(&j->out);
        model_json_fields(j, model_json_rank_fields);
        model_put_close(&j->out);
    }
}

/* ------------------------------------------------------------------------------------ suspects */

/* j->at: 0 is the slow job, 1 the hanging one, 2 and more each job that may be missing too. */
enum { SLOW, HUNG, MISSING };

static const struct model_multi_job_entry *suspect(const struct json *j)
{
    const struct model_multi_job_state *multi_job = compared(j)->multi_job;
    const size_t at = j->at == SLOW   ? multi_job->slow.job
                      : j->at == HUNG ? multi_job->hung.job
                                      : j->at - MISSING;
    if (at >= multi_job->jobs)
        return NULL;
    if (j->at >= MISSING &&
        (at == multi_job->hung.job || multi_job->job[at].role != MODEL_HANG_MISSING))
        return NULL;
    return &multi_job->job[at];
}

static bool is_hung(const struct json *j)
{
    return j->at != SLOW;
}

FIELD(suspect_kind)
{
    static const char *const hung[] = {
        [MODEL_STARVED_UNKNOWN] = "hung_or_starved",
        [MODEL_STARVED_NO] = "hung",
        [MODEL_STARVED_YES] = "starved",
    };
    const struct model_hung *one = &compared(j)->multi_job->hung;
    if (j->at == HUNG)
        model_put_quoted(&j->out, one->last ? "last" : hung[one->starved]);
    else
        model_put_quoted(&j->out, j->at == SLOW ? "slow" : "hung");
}

FIELD(suspect_job)
{
    if (suspect(j))
        model_put_u64(&j->out, (uint64_t)(suspect(j) - compared(j)->multi_job->job));
    else
        model_put_word(&j->out, "null");
}

FIELD(suspect_apply)
{
    model_put_id(&j->out, is_hung(j) && suspect(j) ? suspect(j)->open : MODEL_NONE);
}

FIELD(suspect_open)
{
    bool known = is_hung(j) && suspect(j) && suspect(j)->open != MODEL_NONE;
    model_put_known(&j->out, known ? suspect(j)->open_ns : MODEL_UNKNOWN);
}

FIELD(suspect_quiet)
{
    model_put_known(&j->out, is_hung(j) && suspect(j) ? suspect(j)->quiet_ns : MODEL_UNKNOWN);
}

FIELD(suspect_waiting)
{
    model_put_known(&j->out, is_hung(j) ? compared(j)->multi_job->hung.waiting : MODEL_UNKNOWN);
}

static void put_share(struct json *j, double share)
{
    if (is_hung(j))
        model_put_word(&j->out, "null");
    else
        model_put_f64(&j->out, share);
}

FIELD(suspect_waits)
{
    put_share(j, compared(j)->multi_job->slow.waits);
}

FIELD(suspect_others)
{
    put_share(j, compared(j)->multi_job->slow.others);
}

/* The sentence of the screen is about the one that hangs, or else about the slow one. */
FIELD(suspect_text)
{
    char text[512];
    const struct model_multi_job_state *multi_job = compared(j)->multi_job;
    const bool hangs = multi_job->hung.all || multi_job->hung.job < multi_job->jobs;
    model_multi_job_trouble(multi_job, text, sizeof(text));
    model_json_word(j, j->at == (hangs ? HUNG : SLOW) ? text : "");
}

const struct field model_json_suspect_fields[] = {
    {"kind", suspect_kind},        {"job", suspect_job},
    {"apply", suspect_apply},      {"open_ns", suspect_open},
    {"quiet_ns", suspect_quiet},   {"waiting", suspect_waiting},
    {"wait_share", suspect_waits}, {"others_wait_share", suspect_others},
    {"text", suspect_text},        {NULL, NULL},
};

void model_json_suspects(struct json *j)
{
    const struct model_multi_job_state *multi_job = compared(j) ? compared(j)->multi_job : NULL;
    for (j->at = 0; multi_job && j->at < MISSING + multi_job->jobs; j->at++) {
        if (!suspect(j) && !(j->at == HUNG && multi_job->hung.all))
            continue;
        model_put_row(&j->out);
        model_json_fields(j, model_json_suspect_fields);
        model_put_close(&j->out);
    }
}

/* ------------------------------------------------------------------------------------- waiters */

static const struct model_multi_job_entry *waiter(const struct json *j)
{
    return &compared(j)->multi_job->job[j->at];
}

FIELD(waiter_job)
{
    model_put_u64(&j->out, j->at);
}

FIELD(waiter_apply)
{
    model_put_id(&j->out, waiter(j)->waits_in);
}

FIELD(waiter_open)
{
    const bool known = waiter(j)->waits_in != MODEL_NONE;
    model_put_known(&j->out, known ? waiter(j)->waits_in_ns : MODEL_UNKNOWN);
}

const struct field model_json_waiter_fields[] = {
    {"job", waiter_job},
    {"apply", waiter_apply},
    {"open_ns", waiter_open},
    {NULL, NULL},
};

void model_json_waiters(struct json *j)
{
    const struct model_multi_job_state *multi_job = compared(j) ? compared(j)->multi_job : NULL;
    for (j->at = 0; multi_job && j->at < multi_job->jobs; j->at++) {
        if (multi_job->job[j->at].role != MODEL_HANG_WAITS)
            continue;
        model_put_row(&j->out);
        model_json_fields(j, model_json_waiter_fields);
        model_put_close(&j->out);
    }
}

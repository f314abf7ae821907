/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * json_multi_job.c: compares several jobs, op by op, and names the one that is slow or hangs.
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

static const struct field rank_fields[] = {
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
        model_json_fields(j, rank_fields);
        model_put_close(&j->out);
    }
}

/* ------------------------------------------------------------------------------------ suspects */

/* j->at: 0 is the slow job, 1 the hanging one. */
static const struct model_multi_job_entry *suspect(const struct json *j)
{
    const struct model_multi_job_state *multi_job = compared(j)->multi_job;
    size_t at = j->at == 0 ? multi_job->slow.job : multi_job->hung.job;
    return at < multi_job->jobs ? &multi_job->job[at] : NULL;
}

static bool is_hung(const struct json *j)
{
    return j->at == 1;
}

FIELD(suspect_kind)
{
    static const char *const hung[] = {
        [MODEL_STARVED_UNKNOWN] = "hung_or_starved",
        [MODEL_STARVED_NO] = "hung",
        [MODEL_STARVED_YES] = "starved",
    };
    model_put_quoted(&j->out, is_hung(j) ? hung[compared(j)->multi_job->hung.starved] : "slow");
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

static const struct field suspect_fields[] = {
    {"kind", suspect_kind},
    {"job", suspect_job},
    {"apply", suspect_apply},
    {"open_ns", suspect_open},
    {"waiting", suspect_waiting},
    {"wait_share", suspect_waits},
    {"others_wait_share", suspect_others},
    {NULL, NULL},
};

void model_json_suspects(struct json *j)
{
    for (j->at = 0; compared(j) && j->at < 2; j->at++) {
        if (!suspect(j) && !(is_hung(j) && compared(j)->multi_job->hung.all))
            continue;
        model_put_row(&j->out);
        model_json_fields(j, suspect_fields);
        model_put_close(&j->out);
    }
}

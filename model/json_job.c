/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * json_job.c: a job in JSON: its identity, its state, and the statistics of its feed.
 */
#include <stdio.h>
#include <string.h>

#include "model/job_info.h"
#include "model/json_private.h"

#define FEED(name, member)                                                                         \
    FIELD(name)                                                                                    \
    {                                                                                              \
        model_put_u64(&j->out, j->link->member);                                                   \
    }
FEED(publisher_frames, frames)
FEED(feed_answers, answers)
FEED(feed_gaps, gaps)
FEED(feed_malformed, malformed)
FEED(feed_over_limit, over_limit)
FEED(feed_no_names, no_names)
FEED(feed_no_phases, no_phases)
FEED(feed_no_details, no_details)
FEED(feed_falls, falls)
FEED(feed_other_version, other_version)
FEED(feed_foreign, foreign)
FEED(feed_snapshots, snapshots)
FEED(feed_reconnects, reconnects)

/* There is no lag before the first frame. */
FIELD(viewer_lag)
{
    const struct model_link *link = j->link;
    model_put_known(&j->out, link->frames > 0 ? link->lag_ns : MODEL_UNKNOWN);
}

FIELD(feed_insecure)
{
    model_put_bool(&j->out, j->link->insecure);
}

static const struct field feed_fields[] = {
    {"frames", publisher_frames},
    {"answers", feed_answers},
    {"gaps", feed_gaps},
    {"malformed", feed_malformed},
    {"over_limit", feed_over_limit},
    {"no_names", feed_no_names},
    {"no_phases", feed_no_phases},
    {"no_details", feed_no_details},
    {"falls", feed_falls},
    {"other_version", feed_other_version},
    {"foreign", feed_foreign},
    {"snapshots", feed_snapshots},
    {"reconnects", feed_reconnects},
    {"lag_ns", viewer_lag},
    {"insecure", feed_insecure},
    {NULL, NULL},
};

FIELD(job_feed)
{
    model_put_open(&j->out);
    model_json_fields(j, feed_fields);
    model_put_close(&j->out);
}

static const struct model_identity *who(const struct json *j)
{
    return j->state ? model_job_identity(j->state->job) : NULL;
}

FIELD(job_pid)
{
    model_put_known(&j->out, who(j) && who(j)->pid ? who(j)->pid : MODEL_UNKNOWN);
}

FIELD(job_parent)
{
    static const uint8_t none[16];
    if (who(j) && memcmp(who(j)->parent, none, sizeof(none)) != 0)
        model_put_hex(&j->out, who(j)->parent);
    else
        model_json_nothing(j);
}

FIELD(job_host)
{
    model_put_text(&j->out, who(j) ? &who(j)->host : NULL);
}

FIELD(job_program)
{
    model_put_text(&j->out, who(j) ? &who(j)->program : NULL);
}

FIELD(job_framework)
{
    model_put_text(&j->out, who(j) ? &who(j)->framework : NULL);
}

FIELD(job_version)
{
    model_put_text(&j->out, who(j) ? &who(j)->framework_version : NULL);
}

FIELD(job_route)
{
    model_put_text(&j->out, who(j) ? &who(j)->route : NULL);
}

FIELD(job_instance)
{
    if (who(j))
        model_put_hex(&j->out, who(j)->instance);
    else
        model_json_nothing(j);
}

FIELD(job_epoch)
{
    model_put_known(&j->out, j->state ? j->state->epoch : MODEL_UNKNOWN);
}

FIELD(job_rank)
{
    model_put_known(&j->out, who(j) ? who(j)->rank : MODEL_UNKNOWN);
}

FIELD(job_local_rank)
{
    model_put_known(&j->out, who(j) ? who(j)->local_rank : MODEL_UNKNOWN);
}

FIELD(job_size)
{
    model_put_known(&j->out, who(j) ? who(j)->size : MODEL_UNKNOWN);
}

FIELD(job_role)
{
    model_put_text(&j->out, who(j) ? &who(j)->role : NULL);
}

FIELD(job_batch)
{
    model_put_text(&j->out, who(j) ? &who(j)->batch : NULL);
}

FIELD(job_state)
{
    model_put_quoted(&j->out, model_link_text(j->link));
}

FIELD(job_reason)
{
    model_json_word(j, j->link->reason);
}

static const char *collection(const struct model_identity *who)
{
    if (!who->collecting)
        return "stop";
    return who->on_demand ? "on-demand" : "run";
}

FIELD(job_collect)
{
    if (who(j))
        model_put_quoted(&j->out, collection(who(j)));
    else
        model_json_nothing(j);
}

FIELD(job_asker)
{
    model_put_text(&j->out, who(j) ? &who(j)->asker : NULL);
}

FIELD(job_filter)
{
    static const char *const kind[] = {"symbolic", "imperative", "api"};
    if (!who(j)) {
        model_json_nothing(j);
        return;
    }
    model_put_open(&j->out);
    model_put_key(&j->out, "functions");
    model_put_text(&j->out, &who(j)->only);
    model_put_key(&j->out, "kinds");
    model_put_bytes(&j->out, "[", 1);
    for (unsigned i = 0, put = 0; i < sizeof(kind) / sizeof(kind[0]); i++)
        if (who(j)->mute >> i & 1) {
            model_put_word(&j->out, put++ ? "," : "");
            model_put_quoted(&j->out, kind[i]);
        }
    model_put_bytes(&j->out, "]", 1);
    model_put_close(&j->out);
}

/* The job's own counters. */
#define COUNTED(name, member)                                                                      \
    FIELD(name)                                                                                    \
    {                                                                                              \
        model_put_known(&j->out, who(j) ? who(j)->member : MODEL_UNKNOWN);                         \
    }
COUNTED(job_dropped, dropped)
COUNTED(job_invalid, invalid)
COUNTED(job_misuse, misuse)
COUNTED(job_refused, refused)

FIELD(job_insecure)
{
    if (who(j) && who(j)->insecure != MODEL_UNKNOWN)
        model_put_bool(&j->out, model_identity_insecure(who(j)));
    else
        model_json_nothing(j);
}

FIELD(job_lost)
{
    struct model_lost lost;
    char name[32];
    if (!who(j)) {
        model_json_nothing(j);
        return;
    }
    model_put_open(&j->out);
    for (size_t from = 0; model_lost_next(who(j), &from, &lost);) {
        snprintf(name, sizeof(name), "%.*s", (int)lost.size, lost.name);
        model_put_key(&j->out, name);
        model_put_u64(&j->out, lost.count);
    }
    model_put_close(&j->out);
}

static uint64_t missing_calls(const struct json *j)
{
    return j->state ? model_job_missing_calls(j->state->job) : MODEL_UNKNOWN;
}

FIELD(job_missing)
{
    model_put_known(&j->out, missing_calls(j));
}

/* True if the job reports that it could not count some calls. */
static bool lost_calls(const struct model_identity *identity)
{
    static const char calls[] = "calls";
    struct model_lost lost;
    for (size_t from = 0; model_lost_next(identity, &from, &lost);)
        if (lost.size == sizeof calls - 1 && memcmp(lost.name, calls, lost.size) == 0)
            return lost.count != 0;
    return false;
}

FIELD(job_complete)
{
    const bool gone = j->link->state == MODEL_GONE, said_bye = gone && j->link->said_bye;
    if (gone && !said_bye)
        model_put_bool(&j->out, false);
    else if (said_bye && who(j) && who(j)->counted != MODEL_UNKNOWN)
        model_put_bool(&j->out, !lost_calls(who(j)) && missing_calls(j) == 0);
    else
        model_json_nothing(j);
}

static const struct {
    const char *key;
    size_t at;
} limits[] = {
    {"garbage", offsetof(struct model_identity, garbage)},
    {"flooded", offsetof(struct model_identity, flooded)},
    {"full", offsetof(struct model_identity, full)},
    {"denied", offsetof(struct model_identity, denied)},
    {"crowded", offsetof(struct model_identity, crowded)},
    {"cut", offsetof(struct model_identity, cut)},
    {"topics", offsetof(struct model_identity, topics)},
};

FIELD(job_limits)
{
    model_put_open(&j->out);
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        model_put_key(&j->out, limits[i].key);
        model_put_known(&j->out, who(j) ? *(const uint64_t *)((const char *)who(j) + limits[i].at)
                                        : MODEL_UNKNOWN);
    }
    model_put_close(&j->out);
}

FIELD(job_tick)
{
    model_put_known(&j->out, who(j) ? who(j)->tick_ms : MODEL_UNKNOWN);
}

FIELD(job_mono)
{
    model_put_known(&j->out, j->state && j->state->mono_ns ? j->state->mono_ns : MODEL_UNKNOWN);
}

FIELD(job_overhead)
{
    model_put_known(&j->out, who(j) ? who(j)->own_ns : MODEL_UNKNOWN);
}

FIELD(job_overhead_error)
{
    model_put_known(&j->out, who(j) ? who(j)->own_error_ns : MODEL_UNKNOWN);
}

/* Below 0: unknown. */
static void put_real(struct model_put *out, double value)
{
    if (value < 0)
        model_put_known(out, MODEL_UNKNOWN);
    else
        model_put_f64(out, value);
}

FIELD(job_least)
{
    put_real(&j->out, who(j) ? who(j)->least : -1);
}

FIELD(job_budget)
{
    put_real(&j->out, who(j) ? who(j)->budget : -1);
}

FIELD(job_share)
{
    put_real(&j->out, who(j) ? who(j)->share : -1);
}

/* By the kinds that the settings profile_symbolic, ... exclude. */
FIELD(job_choices)
{
    model_put_open(&j->out);
    for (unsigned i = 0; i < MODEL_CHOICES; i++) {
        model_put_key(&j->out, model_choices[i]);
        put_real(&j->out, who(j) ? who(j)->choice[i] : -1);
    }
    model_put_close(&j->out);
}

FIELD(job_steps)
{
    put_real(&j->out, j->state ? j->state->pace.steps : -1);
}

FIELD(job_samples)
{
    put_real(&j->out, j->state ? j->state->pace.samples : -1);
}

FIELD(job_tokens)
{
    put_real(&j->out, j->state ? j->state->pace.tokens : -1);
}

FIELD(job_facts)
{
    size_t from = 0, size = 0;
    const char *line;
    if (!who(j)) {
        model_json_nothing(j);
        return;
    }
    model_put_word(&j->out, "[");
    for (bool more = false; (line = model_fact_line(who(j), &from, &size)) != NULL; more = true) {
        model_put_word(&j->out, more ? "," : "");
        model_put_string(&j->out, line, size);
    }
    model_put_word(&j->out, "]");
}

const struct field model_json_jobs[] = {
    {"id", model_json_job},
    {"pid", job_pid},
    {"parent", job_parent},
    {"host", job_host},
    {"program", job_program},
    {"framework", job_framework},
    {"version", job_version},
    {"route", job_route},
    {"instance", job_instance},
    {"epoch", job_epoch},
    {"rank", job_rank},
    {"local_rank", job_local_rank},
    {"size", job_size},
    {"role", job_role},
    {"batch", job_batch},
    {"state", job_state},
    {"reason", job_reason},
    {"collect", job_collect},
    {"asker", job_asker},
    {"facts", job_facts},
    {"filter", job_filter},
    {"dropped", job_dropped},
    {"lost", job_lost},
    {"missing_calls", job_missing},
    {"complete", job_complete},
    {"invalid", job_invalid},
    {"misuse", job_misuse},
    {"refused", job_refused},
    {"insecure", job_insecure},
    {"limits", job_limits},
    {"tick_ms", job_tick},
    {"mono_ns", job_mono},
    {"steps_per_s", job_steps},
    {"samples_per_s", job_samples},
    {"tokens_per_s", job_tokens},
    {"overhead_ns", job_overhead},
    {"overhead_error_ns", job_overhead_error},
    {"overhead_least", job_least},
    {"overhead_budget", job_budget},
    {"share", job_share},
    {"overhead_parts", job_choices},
    {"feed", job_feed},
    {NULL, NULL},
};

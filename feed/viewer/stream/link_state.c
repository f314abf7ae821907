/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * link_state.c: a table of tests; the first test that holds gives the state.
 */
#include "config.h"

#include "feed/viewer/stream/link_state.h"

#include <stdio.h>
#include <string.h>

#include "feed/protocol/limits.h"

enum {
    LAG_SPAN_MS = 10 * 1000,
    AHEAD_MS = 10 * 1000,
    LATE_MS = WIRE_HELLO_MS + WIRE_LAG_MS, /* an idle job still says hello */
    PATIENCE_FIRST_MS = 1000,
    PATIENCE_MAX_MS = 30 * 1000,
    PATIENCE_TRIES = 3,
};

static bool is_ahead(int64_t delta, int64_t of)
{
    return delta < of && (uint64_t)of - (uint64_t)delta > AHEAD_MS * VIEWER_NS_PER_MS;
}

/* True if the stamp is far ahead of the earlier ones. Either it is wrong, or the earlier ones came
 * late; the next stamp decides. */
static bool is_doubtful(struct viewer_lag *lag, int64_t delta, int64_t least)
{
    const bool known = least != INT64_MAX, ahead = known && is_ahead(delta, least);
    const bool again = lag->doubted && !is_ahead(delta, lag->doubt) && !is_ahead(lag->doubt, delta);
    lag->doubted = ahead && !again;
    lag->doubt = delta;
    return lag->doubted;
}

uint64_t viewer_lag_of(struct viewer_lag *lag, uint64_t now_ns, uint64_t stamp_ns)
{
    const int64_t delta = (int64_t)(now_ns - stamp_ns);
    const uint64_t span = now_ns / (LAG_SPAN_MS * VIEWER_NS_PER_MS) + 1;
    const unsigned at = (unsigned)(span % VIEWER_LAG_SPANS);
    int64_t least = INT64_MAX;
    for (unsigned i = 0; i < VIEWER_LAG_SPANS; i++)
        if (lag->span[i] + VIEWER_LAG_SPANS > span && lag->least[i] < least)
            least = lag->least[i];
    if (is_doubtful(lag, delta, least))
        return 0;
    if (lag->span[at] != span || delta < lag->least[at]) {
        lag->span[at] = span;
        lag->least[at] = delta;
    }
    return delta < least ? 0 : (uint64_t)delta - (uint64_t)least;
}

void viewer_patience_use(struct viewer_patience *patience, uint64_t now_ns)
{
    uint64_t pause_ms = PATIENCE_FIRST_MS;
    patience->tries++;
    for (unsigned i = PATIENCE_TRIES; i <= patience->tries && pause_ms < PATIENCE_MAX_MS; i++)
        pause_ms *= 2;
    if (pause_ms > PATIENCE_MAX_MS)
        pause_ms = PATIENCE_MAX_MS;
    patience->due_ns = now_ns + pause_ms * VIEWER_NS_PER_MS;
}

/* True if more than `ms` have passed since `since_ns`; 0 means never. */
static bool longer(const struct viewer_link_signs *v, uint64_t since_ns, uint64_t ms)
{
    return since_ns > 0 && v->now_ns > since_ns && v->now_ns - since_ns > ms * VIEWER_NS_PER_MS;
}

static bool detached(const struct viewer_link_signs *v)
{
    return v->final && v->left != NULL;
}

static bool ended(const struct viewer_link_signs *v)
{
    return v->final;
}

static bool ended_without_values(const struct viewer_link_signs *v)
{
    return v->bye && (v->gave_up || v->dead);
}

static bool ended_for_launcher(const struct viewer_link_signs *v)
{
    return v->dead && !v->bye && v->ended[0] != '\0';
}

static bool killed(const struct viewer_link_signs *v)
{
    return v->dead && !v->bye;
}

static bool unreachable_for(const struct viewer_link_signs *v, uint64_t ms)
{
    return !v->local && v->up_ns > 0 && longer(v, v->down_ns, ms) &&
           longer(v, v->last_frame_ns > 0 ? v->last_frame_ns : v->up_ns, ms);
}

/* Over a network a dead job and a broken route look the same, so the wait is longer. */
static bool unreachable(const struct viewer_link_signs *v)
{
    return unreachable_for(v, v->far ? WIRE_LOST_MS : WIRE_HANDSHAKE_MS);
}

static bool out_of_reach(const struct viewer_link_signs *v)
{
    return unreachable_for(v, WIRE_HANDSHAKE_MS);
}

static bool silent(const struct viewer_link_signs *v)
{
    return v->last_frame_ns > 0 ? longer(v, v->last_frame_ns, WIRE_STALE_MS)
                                : longer(v, v->up_ns, WIRE_STALE_MS);
}

static bool silent_but_there(const struct viewer_link_signs *v)
{
    return v->local && silent(v);
}

static bool foreign_tongue(const struct viewer_link_signs *v)
{
    return v->up_ns > 0 && v->last_frame_ns == 0 && v->other_version;
}

static bool denied(const struct viewer_link_signs *v)
{
    return v->up_ns == 0 && v->last_frame_ns == 0 && v->denied;
}

static bool answered_with_other_key(const struct viewer_link_signs *v)
{
    return v->up_ns == 0 && v->last_frame_ns == 0 && v->strange && v->keyed;
}

static bool answered_by_stranger(const struct viewer_link_signs *v)
{
    return v->up_ns == 0 && v->last_frame_ns == 0 && v->strange;
}

/* The kernel accepts connections for a stopped process. */
static bool stopped_before_a_word(const struct viewer_link_signs *v)
{
    return answered_by_stranger(v) && v->local && v->stopped;
}

static bool without_a_word(const struct viewer_link_signs *v)
{
    return answered_by_stranger(v) && v->local;
}

static bool strange_socket(const struct viewer_link_signs *v)
{
    return answered_by_stranger(v) && v->socket;
}

static bool nobody_yet(const struct viewer_link_signs *v)
{
    return v->up_ns == 0 && v->last_frame_ns == 0 && v->awaited;
}

static bool unanswered(const struct viewer_link_signs *v)
{
    return v->up_ns == 0 && v->last_frame_ns == 0 && longer(v, v->began_ns, WIRE_HANDSHAKE_MS);
}

static bool connecting(const struct viewer_link_signs *v)
{
    return v->up_ns == 0 && v->last_frame_ns == 0;
}

static bool displaced(const struct viewer_link_signs *v)
{
    return v->rival && v->mute;
}

static bool torn(const struct viewer_link_signs *v)
{
    return v->rival && !v->whole;
}

static bool beside_another(const struct viewer_link_signs *v)
{
    return v->rival;
}

static bool refused(const struct viewer_link_signs *v)
{
    return !v->whole && v->refusal[0] != '\0';
}

/* Facts come, but the snapshot cannot be requested. */
static bool without_control(const struct viewer_link_signs *v)
{
    return !v->whole && v->up_ns == 0 && longer(v, v->began_ns, WIRE_HANDSHAKE_MS);
}

static bool syncing(const struct viewer_link_signs *v)
{
    return !v->whole;
}

static bool lagging(const struct viewer_link_signs *v)
{
    return v->lag_ns > WIRE_LAG_MS * VIEWER_NS_PER_MS || longer(v, v->last_frame_ns, LATE_MS);
}

static bool otherwise(const struct viewer_link_signs *v)
{
    (void)v;
    return true;
}

static const char two_jobs[] = "two jobs are at %s: facts come from one, answers from another";

/* Markers: the reason is a text from the signs of life, not from the table. */
static const char by_launcher[] = "launcher", by_job[] = "job", by_notice[] = "notice";

static const struct {
    bool (*test)(const struct viewer_link_signs *v);
    enum model_link_state state;
    const char *reason; /* %s: the label */
} verdicts[] = {
    {detached, MODEL_GONE, by_notice},
    {ended, MODEL_GONE, "the job closed its feed: it has ended, or was detached from"},
    {ended_without_values, MODEL_GONE, "the job has ended, but its last values did not arrive"},
    {ended_for_launcher, MODEL_GONE, by_launcher},
    {killed, MODEL_GONE,
     "the job's process is no longer there: it was killed or crashed, and may have counted more "
     "than is shown"},
    {unreachable, MODEL_GONE, "nobody answers at %s any more; trying again"},
    {out_of_reach, MODEL_STALE, "nobody answers at %s any more; trying again"},
    {denied, MODEL_CONNECTING, "%s does not let our key in: is it in `authorized` there?"},
    {answered_with_other_key, MODEL_CONNECTING,
     "%s answers, but has not the key that we expect: is --peer right, and are keys used there?"},
    {stopped_before_a_word, MODEL_CONNECTING,
     "%s does not answer: its process is stopped (kill -CONT lets it go on, if no "
     "debugger holds it)"},
    {without_a_word, MODEL_CONNECTING,
     "%s does not answer, but its process is there: its feed's thread may be stopped or starved"},
    {strange_socket, MODEL_CONNECTING,
     "%s is there, but does not speak ZeroMQ: its process may be stopped, or it is no job's"},
    {answered_by_stranger, MODEL_CONNECTING,
     "%s answers, but does not speak ZeroMQ, or wants keys: is it the right port?"},
    {nobody_yet, MODEL_CONNECTING, "no job has come to %s yet: PROFTOP_CONNECT sends one there"},
    {unanswered, MODEL_CONNECTING, "nobody answers at %s: is the job running?"},
    {connecting, MODEL_CONNECTING, ""},
    {foreign_tongue, MODEL_SYNCING,
     "%s speaks another version of the protocol: use the proftop that came with it"},
    {displaced, MODEL_STALE, two_jobs},
    {torn, MODEL_SYNCING, two_jobs},
    {silent_but_there, MODEL_STALE,
     "nothing comes from the job, but its process is there: it may be stopped"},
    {silent, MODEL_STALE, "nothing comes from the job"},
    {refused, MODEL_SYNCING, by_job},
    {without_control, MODEL_SYNCING,
     "values come from %s, but nobody answers at its control endpoint"},
    {syncing, MODEL_SYNCING, ""},
    {lagging, MODEL_LAGGING, ""},
    {beside_another, MODEL_LIVE, "two jobs are at %s: what the other one sends is left out"},
    {otherwise, MODEL_LIVE, ""},
};

static void give_reason(const char *reason, const struct viewer_link_signs *v,
                        struct model_link *link)
{
    const size_t size = sizeof link->reason;
    const char *place = strstr(reason, "%s");
    if (reason == by_notice)
        snprintf(link->reason, size, "it was detached from %.120s, and went on", v->left);
    else if (reason == by_launcher || reason == by_job)
        snprintf(link->reason, size, "%s", reason == by_job ? v->refusal : v->ended);
    else if (place)
        snprintf(link->reason, size, "%.*s%.64s%s", (int)(place - reason), reason, v->label,
                 place + 2);
    else
        snprintf(link->reason, size, "%s", reason);
}

void viewer_link_judge(const struct viewer_link_signs *signs, struct model_link *link)
{
    unsigned i = 0;
    while (!verdicts[i].test(signs))
        i++;
    link->state = verdicts[i].state;
    link->said_bye = signs->final;
    link->detached = detached(signs);
    give_reason(verdicts[i].reason, signs, link);
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * sync.c: the rules of docs/protocol.md for a viewer that follows a job.
 */
#include "config.h"

#include "feed/viewer/stream/sync.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "feed/viewer/stream/apply.h"
#include "model/history.h"

void viewer_sync_init(struct viewer_sync *sync, struct model_link *link, const uint8_t parent[16])
{
    memset(sync, 0, sizeof *sync);
    if (parent)
        memcpy(sync->parent, parent, sizeof sync->parent);
    sync->link = link;
}

/* Frees and clears all state of the current instance. */
static void forget(struct viewer_sync *sync)
{
    model_job_release(&sync->job);
    viewer_pending_clear(&sync->pending);
    viewer_sync_cancel(sync);
    free(sync->applies);
    free(sync->bye);
    sync->applies = NULL;
    sync->applies_count = 0;
    sync->bye = NULL;
    sync->consistency = (struct viewer_consistency){0};
    memset(sync->topic, 0, sizeof sync->topic);
    memset(sync->hello_last, 0, sizeof sync->hello_last);
    sync->epoch = sync->tick = sync->hello = 0;
    sync->whole = sync->final = false;
    sync->missed = 0;
    sync->link->healing = sync->link->said_bye = sync->link->detached = 0;
    sync->refusal[0] = '\0';
}

void viewer_sync_release(struct viewer_sync *sync)
{
    forget(sync);
    viewer_job_report_release(&sync->made);
}

void viewer_sync_refuse(struct viewer_sync *sync)
{
    sync->link->malformed++;
}

/* ---------------------------------------------------------------------- instances and epochs */

static const char again[] = "The job was started again: this is its new life.";

/* Makes the frame's instance the current one. False: out of memory. */
static bool turn_to(struct viewer_sync *sync, const struct wire_frame *frame)
{
    struct model_job *job = model_job_new((const uint8_t *)frame->field[WIRE_F_INST].text.data);
    if (!job) {
        sync->link->over_limit++;
        return false;
    }
    if (!sync->job && sync->replaced_count == 0)
        memcpy(model_job_identity_mutable(job)->parent, sync->parent, sizeof sync->parent);
    if (sync->whole)
        model_job_add_notice(job, frame->field[WIRE_F_WALL].u, 0, again, sizeof again - 1);
    if (sync->job) {
        sync->replaced_count++;
        forget(sync);
    }
    sync->job = job;
    return true;
}

/* Switches to the frame's instance if it is the first one, or if the frame answers our newest hello
 * or snapshot request. Any other frame may be a late one of an old instance, or come from a second
 * job. False: the frame is ignored. */
static bool follow_instance(struct viewer_sync *sync, const struct wire_frame *frame, bool answer)
{
    const uint8_t *instance = (const uint8_t *)frame->field[WIRE_F_INST].text.data;
    const uint64_t req = answer ? frame->field[WIRE_F_REQ].u : 0;
    if (sync->job && memcmp(model_job_identity(sync->job)->instance, instance, 16) == 0)
        return true;
    if (!sync->job || (req > 0 && (req == sync->hello || req == sync->snapshot)))
        return turn_to(sync, frame);
    sync->link->foreign++;
    return false;
}

/* Switches to a later epoch. The data of a snapshot under way belongs to the old epoch, so the
 * snapshot is cancelled and requested again. Exception: if the first frame of the snapshot
 * announces the epoch, the whole snapshot belongs to the new one. False: the frame belongs to an
 * epoch that is over. */
static bool follow_epoch(struct viewer_sync *sync, const struct wire_frame *frame)
{
    const uint64_t epoch = frame->field[WIRE_F_EPOCH].u;
    const bool first = sync->scope == VIEWER_SNAPSHOT_ALL && sync->chunks == 0 &&
                       frame->field[WIRE_F_REQ].u == sync->snapshot;
    if (epoch <= sync->epoch)
        return epoch == sync->epoch;
    sync->epoch = epoch;
    model_job_set_epoch(sync->job, (uint32_t)epoch);
    sync->whole = false;
    sync->link->healing = 0;
    if (!first)
        viewer_sync_cancel(sync);
    return true;
}

/* ----------------------------------------------------------------------- sequences and gaps */

/* Age of a frame relative to the data applied so far. */
enum age {
    NEWEST,
    OLDER,     /* an answer made before an applied stream frame: some rows here are newer */
    OVERTAKEN, /* a stream frame made before an applied answer: the answer's rows are newer */
};

/* Extends the topics of applies to `count` functions. False: out of memory. */
static bool grow(struct viewer_sync *sync, uint32_t count)
{
    struct viewer_topic *grown = realloc(sync->applies, count * sizeof *grown);
    if (!grown)
        return false;
    memset(grown + sync->applies_count, 0, (count - sync->applies_count) * sizeof *grown);
    sync->applies = grown;
    sync->applies_count = count;
    return true;
}

/* Returns the topic of the frame, or NULL if out of memory. The list grows to the number of defined
 * functions, not to the function number in the frame, which is not trusted. */
static struct viewer_topic *find_topic(struct viewer_sync *sync, const struct wire_frame *frame)
{
#ifdef SYNC_PLANT_FAULT /* tests/fuzz/planted.py shows that this would be found */
    const uint32_t room = sync->applies_count + 2;
#else
    const uint32_t room = sync->applies_count;
#endif
    if (frame->stream != WIRE_APPLIES)
        return &sync->topic[frame->stream];
    if (frame->function >= room && !grow(sync, model_job_count(sync->job, MODEL_FUNCTION)))
        return NULL;
    return &sync->applies[frame->function];
}

/* Counts lost frames of the stream, even if an answer has brought newer values since. */
static void count_lost(struct viewer_sync *sync, struct viewer_topic *topic, uint64_t seq)
{
    const uint64_t due = topic->sent_next > 0 ? topic->sent_next : topic->next;
    if (due > 0 && seq > due &&
        __builtin_add_overflow(sync->link->gaps, seq - due, &sync->link->gaps))
        sync->link->gaps = UINT64_MAX - 1; /* absurd jumps must not wrap to few */
    if (seq >= topic->sent_next)
        topic->sent_next = seq + 1;
}

static void open_gap(struct viewer_sync *sync, enum wire_stream stream, uint64_t tick)
{
    sync->link->healing = 1;
    sync->heal_tick = tick + WIRE_ROLL;
    sync->gap_since = true;
    sync->missed |= VIEWER_UNROLLED & 1u << stream;
    sync->requested &= ~(1u << stream); /* the answer may be older than the gap */
}

/* Only the topic's first frame that answers a request sets `next`. A stream frame published between
 * the first and a later answer frame may update rows of the first one, so it must still be
 * applied. */
static enum age account_answer(struct viewer_topic *topic, const struct wire_frame *frame)
{
    const uint64_t seq = frame->field[WIRE_F_SEQ].u, request = frame->field[WIRE_F_REQ].u;
    const bool older = seq + 1 < topic->next;
    if (request != topic->request && !older)
        topic->next = seq + 1;
    topic->request = request;
    topic->answer_ns = frame->field[WIRE_F_MONO].u;
    return older ? OLDER : NEWEST;
}

enum {
    ROW_BYTES = 15,                 /* bytes of an apply in a tick, about */
    ROLL_BYTES = WIRE_TICK_MAX / 2, /* bytes per tick for rows of applies if all applies are busy,
                                     * with a margin */
};

/* True if the job is so small that every row is sent again within 64 ticks. In a larger job full
 * ticks put rows off. */
static bool rolls(const struct viewer_sync *sync)
{
    return model_job_count(sync->job, MODEL_APPLY) <= ROLL_BYTES / ROW_BYTES;
}

/* Records the sequence number. False: the frame brings nothing new. */
static bool account(struct viewer_sync *sync, const struct wire_frame *frame, enum age *age)
{
    const uint64_t seq = frame->field[WIRE_F_SEQ].u, tick = frame->field[WIRE_F_TICK].u;
    struct viewer_topic *topic = find_topic(sync, frame);
    if (!topic) {
        sync->link->over_limit++;
        return false;
    }
    if (frame->field[WIRE_F_REQ].present) {
        *age = account_answer(topic, frame);
        return true;
    }
    *age = frame->field[WIRE_F_MONO].u < topic->answer_ns ? OVERTAKEN : NEWEST;
    const bool copy = seq < topic->sent_next;
    count_lost(sync, topic, seq);
    if (seq < topic->next) {
        sync->link->frames += !copy; /* an answer brought these values earlier */
        return false;
    }
    if (topic->next > 0 && seq > topic->next && frame->stream != WIRE_TIMELINE)
        open_gap(sync, frame->stream, tick);
    topic->next = seq + 1;
    if (tick > sync->tick)
        sync->tick = tick;
    if (sync->link->healing && tick >= sync->heal_tick && rolls(sync))
        sync->link->healing = 0;
    return true;
}

/* --------------------------------------------------------------------------------- applying */

/* Adds a frame to the pending frames, until its definitions come. A full list drops its oldest
 * frame. Before the first whole snapshot that is no loss, because the snapshot brings newer
 * values. */
static void hold(struct viewer_sync *sync, const void *bytes, size_t size,
                 const struct wire_frame *frame)
{
    if (sync->pending.count == WIRE_HELD_MAX) {
        sync->broken |= sync->pending.frame[0].answer;
        sync->link->over_limit += sync->whole;
        viewer_pending_remove(&sync->pending, 0);
    }
    if (!viewer_pending_add(&sync->pending, bytes, size, frame)) {
        sync->link->over_limit++;
        sync->broken |= frame->field[WIRE_F_REQ].present;
    }
}

/* Applies a frame that account() has accepted. False: the frame must wait for definitions. */
static bool apply(struct viewer_sync *sync, const struct wire_frame *frame, size_t size,
                  enum age age)
{
    const uint64_t falls = sync->link->falls;
    const enum viewer_apply done = viewer_apply_frame(sync->job, frame, age == OLDER, sync->link);
    if (age == OVERTAKEN)
        sync->link->falls = falls; /* no error: the answer's values are later */
    switch (done) {
    case VIEWER_APPLY_WAITS:
        return false;
    case VIEWER_APPLY_WRONG:
        sync->link->malformed++;
        sync->broken |= frame->field[WIRE_F_REQ].present;
        break;
    case VIEWER_APPLY_MEMORY:
        sync->link->over_limit++;
        sync->broken |= frame->field[WIRE_F_REQ].present;
        break;
    case VIEWER_APPLY_DONE:
        sync->link->frames++;
        sync->link->answers += frame->field[WIRE_F_REQ].present;
        sync->link->bytes += size;
    }
    return true;
}

static bool ready(const struct viewer_sync *sync, const struct viewer_pending_frame *held)
{
    struct wire_frame frame;
    memcpy(frame.defs, held->defs, sizeof frame.defs);
    return held->defines || viewer_apply_ready(sync->job, &frame);
}

/* Applies one pending frame if its definitions are here. True if the frame left the list. */
static bool retry(struct viewer_sync *sync, unsigned at)
{
    const struct viewer_pending_frame *held = &sync->pending.frame[at];
    struct wire_frame frame;
    enum age age = NEWEST;
    bool gone = true;
    if (!ready(sync, held))
        return false;
    if (wire_read(held->bytes, held->size, &frame) == WIRE_OK &&
        frame.field[WIRE_F_EPOCH].u == sync->epoch &&
        (held->defines || account(sync, &frame, &age)))
        gone = apply(sync, &frame, held->size, age);
    if (gone)
        viewer_pending_remove(&sync->pending, at);
    return gone;
}

/* Called after new definitions. Retries the pending frames in order until a pass applies none. */
static void release_held(struct viewer_sync *sync)
{
    bool moved;
    do {
        moved = false;
        for (unsigned at = 0; at < sync->pending.count;) {
            bool gone = retry(sync, at);
            moved |= gone;
            at += !gone;
        }
    } while (moved && sync->pending.count > 0);
}

/* ----------------------------------------------------------------------------------- the end */

static bool misses_function(const struct viewer_sync *sync, const struct wire_rows *last)
{
    uint64_t id, seq, carry = 0;
    for (uint32_t i = 0; last->present && i < last->count; i++) {
        wire_column_read(&last->column[0], i, 1, &id, &carry);
        wire_column_read(&last->column[1], i, 1, &seq, NULL);
        if (seq > 0 && (id >= sync->applies_count || sync->applies[id].next <= seq))
            return true;
    }
    return false;
}

/* True if a frame is missing, according to the last sequence numbers in the goodbye. Definitions
 * are checked by their counts instead, because they may have come in the stream or in answers. */
static bool misses(const struct viewer_sync *sync)
{
    static const struct {
        enum wire_field field;
        enum wire_stream stream;
    } lasts[] = {
        {WIRE_F_LAST_F, WIRE_FUNCTIONS}, {WIRE_F_LAST_N, WIRE_NOW},
        {WIRE_F_LAST_E, WIRE_NOTICES},   {WIRE_F_LAST_R, WIRE_REWRITES},
        {WIRE_F_LAST_I, WIRE_DETAILS},   {WIRE_F_LAST_C, WIRE_COUNTERS},
        {WIRE_F_LAST_S, WIRE_SPANS},     {WIRE_F_LAST_M, WIRE_MARKERS},
    };
    struct wire_frame bye;
    if (wire_read(sync->bye, sync->bye_size, &bye) != WIRE_OK ||
        !viewer_apply_ready(sync->job, &bye))
        return true;
    for (unsigned i = 0; i < sizeof lasts / sizeof lasts[0]; i++) {
        const struct wire_value *last = &bye.field[lasts[i].field];
        if (last->present && last->u > 0 && sync->topic[lasts[i].stream].next <= last->u)
            return true;
    }
    return misses_function(sync, &bye.group[WIRE_G_LAST]);
}

/* Sets `final` if the goodbye has come, no snapshot is under way and nothing is missing. */
static void settle(struct viewer_sync *sync)
{
    if (!sync->bye || sync->final || sync->snapshot)
        return;
    sync->final = sync->whole && !sync->link->healing && sync->pending.count == 0 &&
                  !sync->missed && !misses(sync);
}

static void take_bye(struct viewer_sync *sync, const void *bytes, size_t size)
{
    if (sync->bye)
        return;
    sync->bye = malloc(size);
    if (!sync->bye)
        return;
    memcpy(sync->bye, bytes, size);
    sync->bye_size = size;
    settle(sync);
}

/* --------------------------------------------------------------------------------- snapshots */

/* Marks as received all rows that the job had announced before the snapshot was requested. */
static void catch_up(struct viewer_sync *sync)
{
    sync->missed &= ~sync->requested;
    for (unsigned s = 0; s < WIRE_STREAMS; s++)
        if ((VIEWER_UNROLLED & sync->requested) >> s & 1 &&
            sync->topic[s].next <= sync->hello_last_before[s])
            sync->topic[s].next = sync->hello_last_before[s] + 1;
}

/* Finishes the snapshot if its reply has come and none of its frames is pending. */
static void complete(struct viewer_sync *sync)
{
    if (!sync->answered || viewer_pending_has_answer(&sync->pending))
        return;
    bool all = sync->scope == VIEWER_SNAPSHOT_ALL && !sync->broken;
    bool healed = !sync->gap_since;
    bool last = sync->after_bye;
    if (!sync->broken)
        catch_up(sync);
    viewer_sync_cancel(sync);
    if (!all)
        return;
    sync->whole = true;
    viewer_consistency_end(&sync->consistency);
    sync->link->snapshots++;
    model_job_set_complete(sync->job);
    if (healed)
        sync->link->healing = 0;
    if (last)
        sync->final = true;
    settle(sync);
}

static bool is_word(const struct wire_value *value, const char *word)
{
    return value->present && value->text.size == strlen(word) &&
           memcmp(value->text.data, word, value->text.size) == 0;
}

static void fail_report(struct viewer_sync *sync, const char *why)
{
    sync->outcome.fate = VIEWER_DECLINED;
    snprintf(sync->outcome.no, sizeof sync->outcome.no, "failed");
    snprintf(sync->outcome.text, sizeof sync->outcome.text, "%s", why);
    viewer_job_report_release(&sync->made);
}

/* Begins to fetch a report that the job has made. */
static void begin_report(struct viewer_sync *sync, const struct wire_value *field)
{
    sync->outcome.rows = field[WIRE_F_ROWS].present ? field[WIRE_F_ROWS].u : 0;
    if (field[WIRE_F_BYTES].u > WIRE_REPORT_MAX) {
        fail_report(sync, "the report of the job is larger than 1 GiB");
        return;
    }
    viewer_job_report_begin(&sync->made, field[WIRE_F_BYTES].u);
    sync->outcome.fate = sync->made.incomplete ? VIEWER_ASKED : VIEWER_DONE;
}

/* Takes one part of the report. */
static void take_text(struct viewer_sync *sync, const struct wire_frame *frame)
{
    const struct wire_value *ok = &frame->field[WIRE_F_OK];
    if (!ok->present || ok->u != 1 || !viewer_job_report_take(&sync->made, frame))
        fail_report(sync, "the report of the job did not come whole: there is no memory for it, or "
                          "the job keeps it no more");
    else if (!sync->made.incomplete)
        sync->outcome.fate = VIEWER_DONE;
}

/* Takes the outcome of a control request. */
static void take_outcome(struct viewer_sync *sync, const struct wire_value *field)
{
    struct viewer_request_outcome *outcome = &sync->outcome;
    const bool done = field[WIRE_F_OK].present && field[WIRE_F_OK].u == 1;
    outcome->fate = done ? VIEWER_DONE : VIEWER_DECLINED;
    if (done && field[WIRE_F_BYTES].present) {
        begin_report(sync, field);
        return;
    }
    /* An older job sends its reason in `text` alone. */
    const struct wire_value *no = &field[field[WIRE_F_NO].present ? WIRE_F_NO : WIRE_F_TEXT];
    if (!done && no->present)
        model_text_safe(no->text.data, no->text.size, outcome->no, sizeof outcome->no);
    if (!done && field[WIRE_F_TEXT].present)
        model_text_safe(field[WIRE_F_TEXT].text.data, field[WIRE_F_TEXT].text.size, outcome->text,
                        sizeof outcome->text);
}

static void take_reply(struct viewer_sync *sync, const struct wire_frame *frame)
{
    const struct wire_value *field = frame->field;
    const uint64_t req = field[WIRE_F_REQ].u;
    bool ok = field[WIRE_F_OK].present && field[WIRE_F_OK].u == 1;
    if (sync->outcome.fate == VIEWER_ASKED && sync->made.incomplete && req == sync->made.request)
        take_text(sync, frame);
    else if (sync->outcome.fate == VIEWER_ASKED && !sync->made.incomplete &&
             req == sync->outcome.request)
        take_outcome(sync, field);
    if (req == 0 || (req != sync->snapshot && req != sync->hello))
        return;
    if (!ok) {
        model_text_safe(field[WIRE_F_TEXT].present ? field[WIRE_F_TEXT].text.data : "",
                        field[WIRE_F_TEXT].text.size, sync->refusal, sizeof sync->refusal);
        viewer_sync_cancel(sync);
        return;
    }
    if (req != sync->snapshot || !is_word(&field[WIRE_F_RE], "snapshot"))
        return;
    sync->refusal[0] = '\0';
    sync->broken |= !field[WIRE_F_CHUNKS].present || field[WIRE_F_CHUNKS].u != sync->chunks;
    sync->answered = true;
    complete(sync);
}

/* Each answer frame of the snapshot under way gives credit for another one. */
static void take_answer(struct viewer_sync *sync, const struct wire_frame *frame)
{
    const uint64_t req = frame->field[WIRE_F_REQ].u;
    if (req == sync->hello)
        sync->hello = 0;
    if (req == 0 || req != sync->snapshot)
        return;
    sync->chunks++;
    sync->credit++;
}

/* ------------------------------------------------------------------------------------ frames */

/* Checks a frame and counts any error. Facts and answers come on separate sockets; the field `req`,
 * which only answers have, must agree with the socket. */
static bool acceptable(struct viewer_sync *sync, enum wire_error error,
                       const struct wire_frame *frame, bool answer)
{
    const struct wire_value *field = frame->field;
    const bool too_much = error == WIRE_E_SIZE || error == WIRE_E_ROWS;
    if (error == WIRE_E_VERSION)
        sync->link->other_version++;
    else if (too_much)
        sync->link->over_limit++;
    if (error == WIRE_E_VERSION || too_much)
        return false;
    bool form = error == WIRE_OK && field[WIRE_F_EPOCH].u > 0 &&
                field[WIRE_F_EPOCH].u <= UINT32_MAX && field[WIRE_F_REQ].present == answer &&
                frame->stream != WIRE_REQUEST && (frame->stream != WIRE_REPLY || answer) &&
                (field[WIRE_F_SEQ].u > 0 || answer);
    sync->link->malformed += !form;
    return form;
}

/* A hello follows the frames whose last numbers it reports, so any of them that is not here was
 * lost. This also detects the loss of the last frame of a stream that is idle since. */
static void take_lasts(struct viewer_sync *sync, const struct wire_frame *hello)
{
    static const struct {
        enum wire_field field;
        enum wire_stream stream;
    } lasts[] = {{WIRE_F_LAST_E, WIRE_NOTICES},
                 {WIRE_F_LAST_R, WIRE_REWRITES},
                 {WIRE_F_LAST_I, WIRE_DETAILS}};
    for (unsigned i = 0; i < sizeof lasts / sizeof lasts[0]; i++) {
        const uint32_t bit = 1u << lasts[i].stream;
        const uint64_t last = hello->field[lasts[i].field].u; /* 0 if the field is absent */
        sync->hello_last[lasts[i].stream] = last;
        if (last > 0 && sync->topic[lasts[i].stream].next <= last)
            sync->missed |= bit;
        if (last > sync->hello_last_before[lasts[i].stream])
            sync->requested &= ~(sync->missed & bit);
    }
}

/* Accounts for a frame with facts, then applies it or keeps it pending. False: it brings nothing
 * new. */
static bool follow(struct viewer_sync *sync, const struct wire_frame *frame, const void *bytes,
                   size_t size)
{
    enum age age;
    if (frame->stream == WIRE_RESERVED)
        return true;
    if (frame->stream != WIRE_DEFS && !viewer_apply_ready(sync->job, frame) &&
        frame->stream != WIRE_HELLO) {
        hold(sync, bytes, size, frame);
        return true;
    }
    if (!account(sync, frame, &age))
        return false;
    if (!apply(sync, frame, size, age))
        hold(sync, bytes, size, frame);
    if (frame->stream == WIRE_DEFS) {
        release_held(sync);
        complete(sync);
    }
    return true;
}

/* Largest number of applies that a job aggregates in one go. */
enum { AT_A_TIME = 8192 };

static bool is_even(const struct viewer_sync *sync, uint64_t next)
{
    return sync->whole && sync->pending.count == 0 &&
           !(sync->snapshot && sync->scope == VIEWER_SNAPSHOT_ALL) &&
           viewer_consistency_holds(&sync->consistency, next,
                                    model_job_count(sync->job, MODEL_APPLY) <= AT_A_TIME);
}

/* Ends a moment of the history, if all ticks are whole: no tick comes behind a goodbye. `next` as
 * for is_even(). */
static void commit(const struct viewer_sync *sync, uint64_t next)
{
    struct model_history *history = sync->job ? model_history_of(sync->job) : NULL;
    if (history && (sync->final || is_even(sync, next)))
        model_history_commit(history);
}

bool viewer_sync_take(struct viewer_sync *sync, const void *bytes, size_t size, bool answer)
{
    struct wire_frame frame;
    if (!acceptable(sync, wire_read(bytes, size, &frame), &frame, answer) ||
        !follow_instance(sync, &frame, answer) || !follow_epoch(sync, &frame))
        return false;
    const bool was_final = sync->final;
    if (!answer)
        commit(sync, frame.field[WIRE_F_TICK].u);
    viewer_consistency_note(&sync->consistency, &frame);
    if (frame.stream == WIRE_REPLY) {
        take_reply(sync, &frame);
        if (sync->final && !was_final)
            commit(sync, 0);
        return true;
    }
    if (answer)
        take_answer(sync, &frame);
    else
        sync->mono_ns = frame.field[WIRE_F_MONO].u;
    bool fresh = follow(sync, &frame, bytes, size);
    if (fresh && !answer && frame.stream == WIRE_HELLO)
        take_lasts(sync, &frame);
    if (frame.stream == WIRE_HELLO && frame.field[WIRE_F_BYE].present &&
        frame.field[WIRE_F_BYE].u == 1)
        take_bye(sync, bytes, size);
    settle(sync);
    if (frame.stream == WIRE_HELLO || (sync->final && !was_final))
        commit(sync, 0);
    return fresh;
}

bool viewer_sync_is_consistent(const struct viewer_sync *sync)
{
    return is_even(sync, 0);
}

bool viewer_sync_is_consistent_before(const struct viewer_sync *sync, const void *bytes,
                                      size_t size)
{
    struct wire_frame frame;
    const struct wire_value *field = frame.field;
    if (!sync->whole || wire_read(bytes, size, &frame) != WIRE_OK || frame.stream == WIRE_REPLY ||
        frame.stream == WIRE_REQUEST)
        return false;
    const uint8_t *instance = model_job_identity(sync->job)->instance;
    return field[WIRE_F_EPOCH].u >= sync->epoch &&
           memcmp(instance, field[WIRE_F_INST].text.data, 16) == 0 &&
           is_even(sync, field[WIRE_F_TICK].u);
}

const char *viewer_sync_detached_by(const struct viewer_sync *sync)
{
    static const char prefix[] = "control: detach (";
    size_t count = sync->final ? model_job_notices(sync->job) : 0;
    const char *text = count ? model_job_notice(sync->job, count - 1)->text.shown : "";
    return strncmp(text, prefix, strlen(prefix)) == 0 ? text + strlen(prefix) - 1 : NULL;
}

/* -------------------------------------------------------------------------------------- requests
 */

enum viewer_snapshot_scope viewer_sync_missing(const struct viewer_sync *sync)
{
    if (!sync->job || sync->snapshot || sync->final)
        return VIEWER_SNAPSHOT_NOTHING;
    if (!sync->whole || sync->bye)
        return VIEWER_SNAPSHOT_ALL;
    if (sync->link->healing && sync->tick >= sync->heal_tick)
        return VIEWER_SNAPSHOT_ALL; /* the job is too large: not every row is sent again in time */
    if (sync->pending.count > 0)
        return VIEWER_SNAPSHOT_DEFS;
    return sync->missed ? VIEWER_SNAPSHOT_MISSED : VIEWER_SNAPSHOT_NOTHING;
}

void viewer_sync_cancel(struct viewer_sync *sync)
{
    sync->snapshot = 0;
    sync->scope = VIEWER_SNAPSHOT_NOTHING;
    sync->chunks = 0;
    sync->credit = 0;
    sync->requested = 0;
    sync->answered = sync->broken = sync->gap_since = sync->after_bye = false;
}

static void begin(struct wire_writer *w, void *out, size_t capacity, const char *word,
                  uint64_t number)
{
    wire_begin(w, out, capacity, WIRE_REQUEST, 0);
    wire_put_u64(w, WIRE_F_VER, WIRE_VERSION);
    wire_put_text(w, WIRE_F_Q, word);
    wire_put_u64(w, WIRE_F_REQ, number);
}

size_t viewer_sync_request_hello(struct viewer_sync *sync, void *out, size_t capacity)
{
    struct wire_writer w;
    sync->hello = ++sync->request;
    begin(&w, out, capacity, "hello", sync->hello);
    if (sync->tick_ms > 0)
        wire_put_u64(&w, WIRE_F_TICKMS, sync->tick_ms);
    return wire_end(&w);
}

/* Writes the letters of the streams, in the order that the job requires. */
static void take_letters(char *word, uint32_t streams)
{
    static const enum wire_stream order[] = {
        WIRE_DEFS,    WIRE_FUNCTIONS, WIRE_APPLIES, WIRE_NOW,     WIRE_NOTICES,    WIRE_REWRITES,
        WIRE_DETAILS, WIRE_COUNTERS,  WIRE_SPANS,   WIRE_MARKERS, WIRE_PERCENTILES};
    for (unsigned i = 0; i < sizeof order / sizeof order[0]; i++)
        if (streams >> order[i] & 1)
            *word++ = wire_letters[order[i]];
    *word = '\0';
}

size_t viewer_sync_request_snapshot(struct viewer_sync *sync, enum viewer_snapshot_scope want,
                                    void *out, size_t capacity)
{
    uint32_t from[WIRE_TABLES] = {
        [WIRE_T_CLASS] = model_job_count(sync->job, MODEL_CLASS),
        [WIRE_T_OP] = model_job_count(sync->job, MODEL_OP),
        [WIRE_T_FUNCTION] = model_job_count(sync->job, MODEL_FUNCTION),
        [WIRE_T_APPLY] = model_job_count(sync->job, MODEL_APPLY),
        [WIRE_T_THREAD] = model_job_count(sync->job, MODEL_THREAD),
        [WIRE_T_COUNTER] = model_job_count(sync->job, MODEL_COUNTER),
        [WIRE_T_SPAN] = model_job_count(sync->job, MODEL_SPAN),
        [WIRE_T_MARKER] = model_job_count(sync->job, MODEL_MARKER),
    };
    const uint32_t missed = want == VIEWER_SNAPSHOT_MISSED ? sync->missed : 0;
    const uint32_t streams[] = {[VIEWER_SNAPSHOT_DEFS] = 1u << WIRE_DEFS,
                                [VIEWER_SNAPSHOT_MISSED] = missed,
                                [VIEWER_SNAPSHOT_ALL] = ~0u};
    char word[WIRE_STREAMS + 1];
    struct wire_writer w;
    viewer_sync_cancel(sync);
    sync->snapshot = ++sync->request;
    sync->scope = want;
    if (want == VIEWER_SNAPSHOT_ALL)
        viewer_consistency_begin(&sync->consistency);
    sync->after_bye = sync->bye != NULL;
    sync->requested = streams[want];
    memcpy(sync->hello_last_before, sync->hello_last, sizeof sync->hello_last);
    take_letters(word, streams[want]);
    begin(&w, out, capacity, "snapshot", sync->snapshot);
    wire_put_text(&w, WIRE_F_WANT, word);
    wire_put_counts(&w, WIRE_F_FROM, from);
    wire_put_u64(&w, WIRE_F_CREDIT, WIRE_CREDIT);
    return wire_end(&w);
}

/* Requests more frames. The credit is limited to that of one snapshot request. */
size_t viewer_sync_request_more(struct viewer_sync *sync, void *out, size_t capacity)
{
    struct wire_writer w;
    uint32_t credit = sync->credit < WIRE_CREDIT ? sync->credit : WIRE_CREDIT;
    sync->credit -= credit;
    begin(&w, out, capacity, "more", sync->snapshot);
    wire_put_u64(&w, WIRE_F_CREDIT, credit);
    return wire_end(&w);
}

size_t viewer_sync_request_control(struct viewer_sync *sync, const char *what, const char *arg,
                                   void *out, size_t capacity)
{
    sync->outcome =
        (struct viewer_request_outcome){.fate = VIEWER_ASKED, .request = ++sync->request};
    viewer_job_report_release(&sync->made);
    const uint8_t *instance = sync->job ? model_job_identity(sync->job)->instance : NULL;
    return viewer_command_write(instance, sync->request, what, arg, out, capacity);
}

size_t viewer_sync_request_text(struct viewer_sync *sync, void *out, size_t capacity)
{
    struct wire_writer w;
    sync->made.request = ++sync->request;
    begin(&w, out, capacity, "text", sync->made.request);
    wire_put_u64(&w, WIRE_F_AT, sync->made.have);
    return wire_end(&w);
}

size_t viewer_sync_ack(struct viewer_sync *sync, void *out, size_t capacity)
{
    struct wire_writer w;
    begin(&w, out, capacity, "ack", ++sync->request);
    return wire_end(&w);
}

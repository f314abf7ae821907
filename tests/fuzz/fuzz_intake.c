/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_intake.c: turns bytes into a session of messages to a viewer: facts, answers, notices,
 * goodbyes, requests of the viewer in between, connections that break. Some frames are the bytes
 * themselves. Most are written from the bytes by wire_write, so that they get past the reader. The
 * frames enter where the subscriber passes them on. After each frame, the model must be consistent.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "feed/viewer/stream/sync.h"
#include "model/timeline.h"

enum {
    MESSAGES_MAX = 256,
    ROWS_MAX = 12,
    TEXT_MAX = 40,
    INSTANCES = 3,
    TOPICS = 4,
    EVENTS_MAX = 50
};

/* The input bytes. Zeros follow the end. */
struct source {
    const uint8_t *at, *end;
};

static uint8_t draw(struct source *source)
{
    return source->at < source->end ? *source->at++ : 0;
}

static uint64_t draw_value(struct source *source)
{
    static const uint64_t telling[] = {0,
                                       1,
                                       2,
                                       255,
                                       256,
                                       1000000,
                                       UINT64_C(1) << 31,
                                       UINT32_MAX,
                                       UINT64_C(1) << 40,
                                       (UINT64_C(1) << 61) + 1,
                                       (UINT64_C(1) << 62) - 1,
                                       UINT64_C(1) << 62};
    uint8_t byte = draw(source);
    if (byte < 200)
        return byte;
    return telling[(byte - 200u) % (sizeof telling / sizeof telling[0])];
}

/* The job that the bytes simulate. */
struct job {
    uint32_t defs[WIRE_TABLES];
    uint64_t seq[WIRE_STREAMS];
    uint64_t seq_of[TOPICS];
    uint64_t tick, mono_ns;
};

struct life {
    struct viewer_sync sync;
    struct model_link link;
    struct job job;
    const struct model_job *last; /* the model's state before: values may not fall */
    uint32_t last_epoch;
    uint64_t last_calls;
    uint8_t bytes[WIRE_FRAME_MAX];
};

static void need(bool condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "fuzz_intake: broken: %s\n", what);
    abort();
}

/* ----------------------------------------------------------------------------- frames from bytes
 */

struct columns {
    uint64_t u[WIRE_COLUMNS][ROWS_MAX];
    struct wire_text text[WIRE_COLUMNS][ROWS_MAX];
    struct wire_source source[WIRE_COLUMNS];
};

static struct wire_text draw_text(struct source *source)
{
    size_t left = (size_t)(source->end - source->at), size = draw(source) % TEXT_MAX;
    left -= left > 0;
    size = size < left ? size : left;
    struct wire_text text = {(const char *)source->at, (uint32_t)size};
    source->at += size;
    return text;
}

/* One value of a column. Most ids are defined. The reader has to refuse the others. */
static uint64_t draw_cell(struct source *source, const struct life *life,
                          const struct wire_column_row *column, uint64_t before)
{
    uint32_t defs = life->job.defs[column->table];
    uint64_t value = draw_value(source);
    if (column->type == WIRE_ID)
        return before + (value > 128 ? value % 3 : 0);
    if (column->type == WIRE_OPT && value == UINT64_C(1) << 62)
        return WIRE_UNKNOWN;
    if (column->type == WIRE_REF && value < 250)
        return defs > 0 ? value % defs : 0;
    if (column->type == WIRE_REFOPT && value < 250)
        return value % (defs + 1u);
    return value;
}

/* The rows that a group defines: mostly missing rows; sometimes known rows, or rows behind a
 * gap. */
static uint32_t draw_range(struct source *source, const struct life *life, enum wire_table table,
                           uint32_t *n)
{
    static const uint8_t model[WIRE_TABLES] = {[WIRE_T_CLASS] = MODEL_CLASS,
                                               [WIRE_T_OP] = MODEL_OP,
                                               [WIRE_T_FUNCTION] = MODEL_FUNCTION,
                                               [WIRE_T_APPLY] = MODEL_APPLY,
                                               [WIRE_T_THREAD] = MODEL_THREAD};
    uint8_t byte = draw(source);
    uint32_t defs = life->job.defs[table];
    uint32_t from = life->sync.job ? model_job_count(life->sync.job, model[table]) : 0;
    if (byte >= 224)
        from += byte % 4;
    else if (byte >= 192)
        from -= byte % 8 < from ? byte % 8 : from;
    uint32_t left = from < defs ? defs - from : 0;
    *n = left < ROWS_MAX ? left : ROWS_MAX;
    return from;
}

static void put_group(struct source *source, struct life *life, struct wire_writer *w,
                      enum wire_group g)
{
    static struct columns c;
    const struct wire_group_row *row = &wire_groups[g];
    uint32_t n, from = 0;
    if (row->defines)
        from = draw_range(source, life, row->table, &n);
    else
        n = draw(source) % ROWS_MAX;
    for (unsigned k = 0; k < WIRE_COLUMNS && row->column[k].key; k++) {
        uint64_t before = 0;
        c.source[k] = (struct wire_source){c.u[k], c.text[k]};
        for (uint32_t i = 0; i < n; i++) {
            if (row->column[k].type == WIRE_TEXT)
                c.text[k][i] = draw_text(source);
            else
                c.u[k][i] = draw_cell(source, life, &row->column[k], before);
            before = c.u[k][i] + 1;
        }
    }
    wire_put_group(w, g, from, n, c.source);
}

static void put_word(struct source *source, struct wire_writer *w, enum wire_field field)
{
    static const char *const words[] = {"",
                                        "snapshot",
                                        "hello",
                                        "sleep",
                                        "\x1b[31m\xff\xc3",
                                        "train",
                                        "more",
                                        "a longer text, which has many words"};
    wire_put_text(w, field, words[draw(source) % (sizeof words / sizeof words[0])]);
}

static void put_extra(struct source *source, struct life *life, struct wire_writer *w,
                      enum wire_stream stream)
{
    if (stream == WIRE_REPLY) {
        put_word(source, w, WIRE_F_RE);
        wire_put_u64(w, WIRE_F_OK, draw(source) % 4 != 0);
        put_word(source, w, WIRE_F_TEXT);
        uint8_t byte = draw(source);
        wire_put_u64(w, WIRE_F_CHUNKS, byte < 128 ? life->sync.chunks : byte);
    }
    if (stream != WIRE_HELLO)
        return;
    for (enum wire_field f = WIRE_F_LO; f < WIRE_F_Q; f++) {
        static const uint8_t parent[16] = {1, 2, 3};
        if (f == WIRE_F_BYE || draw(source) % 4 != 3)
            continue;
        if (wire_fields[f].type == WIRE_U64)
            wire_put_u64(w, f, draw_value(source));
        else if (wire_fields[f].type == WIRE_TEXT)
            put_word(source, w, f);
        else if (wire_fields[f].type == WIRE_BIN16)
            wire_put_bin16(w, f, parent);
        else
            wire_put_f64(w, f, (double)draw(source) / 8 - 1);
    }
    if (draw(source) % 8 == 7)
        wire_put_u64(w, WIRE_F_BYE, 1);
}

/* The next sequence number of a topic. Sometimes an old one again, or one far ahead. */
static uint64_t next_seq(struct source *source, struct life *life, enum wire_stream stream,
                         uint32_t function)
{
    uint64_t *seq = stream == WIRE_APPLIES ? &life->job.seq_of[function] : &life->job.seq[stream];
    uint8_t byte = draw(source);
    if (byte < 192)
        return ++*seq;
    if (byte < 224)
        return *seq - (*seq > 0 && byte % 2);
    if (byte == 255)
        return UINT64_C(1) << 61;
    return *seq += byte - 222u;
}

static size_t write_frame(struct source *source, struct life *life, bool answer)
{
    static const enum wire_stream streams[] = {
        WIRE_HELLO,   WIRE_DEFS,  WIRE_FUNCTIONS, WIRE_APPLIES,  WIRE_NOW,
        WIRE_NOTICES, WIRE_REPLY, WIRE_APPLIES,   WIRE_REWRITES, WIRE_DETAILS};
    enum wire_stream stream = streams[draw(source) % (sizeof streams / sizeof streams[0])];
    uint32_t function = draw(source) % TOPICS;
    uint8_t more = draw(source), instance[16];
    struct wire_writer w;
    if (stream == WIRE_DETAILS && function == TOPICS - 1) /* keeps what older inputs mean */
        stream = WIRE_TIMELINE;
    memset(instance, 1 + (more < 8 ? more % INSTANCES : 0), sizeof instance);
    if (stream == WIRE_DEFS)
        for (unsigned t = 0; t < WIRE_TABLES; t++)
            life->job.defs[t] += draw(source) % 8;
    life->job.tick += more % 16 == 15 ? WIRE_ROLL : more % 2;
    life->job.mono_ns += more;
    wire_begin(&w, life->bytes, sizeof life->bytes, stream, function);
    wire_put_u64(&w, WIRE_F_VER, WIRE_VERSION);
    wire_put_bin16(&w, WIRE_F_INST, instance);
    wire_put_u64(&w, WIRE_F_EPOCH, 1u + (more > 250) + (more > 252));
    wire_put_u64(&w, WIRE_F_SEQ,
                 answer ? life->job.seq[stream] : next_seq(source, life, stream, function));
    wire_put_u64(&w, WIRE_F_TICK, life->job.tick);
    wire_put_u64(&w, WIRE_F_MONO, life->job.mono_ns);
    wire_put_u64(&w, WIRE_F_WALL, draw_value(source));
    wire_put_counts(&w, WIRE_F_DEFS, life->job.defs);
    if (answer) {
        uint64_t req = life->sync.snapshot ? life->sync.snapshot : life->sync.hello;
        wire_put_u64(&w, WIRE_F_REQ, draw(source) < 240 ? req : draw_value(source));
    }
    put_extra(source, life, &w, stream);
    for (enum wire_group g = 0; g < WIRE_GROUPS; g++)
        if (wire_groups[g].stream == stream && draw(source) % 4 != 3)
            put_group(source, life, &w, g);
    return wire_end(&w);
}

/* ----------------------------------------------------------------------------- what must be true
 */

static void check_definitions(const struct model_job *job)
{
    uint32_t classes = model_job_count(job, MODEL_CLASS), ops = model_job_count(job, MODEL_OP);
    uint32_t functions = model_job_count(job, MODEL_FUNCTION);
    uint32_t applies = model_job_count(job, MODEL_APPLY);
    for (uint32_t i = 0; i < ops; i++)
        need(model_job_op(job, i)->op_class < classes, "an op has a class");
    for (uint32_t i = 0; i < functions; i++) {
        uint32_t parent = model_job_function(job, i)->parent;
        need(parent == MODEL_NONE || parent < applies, "the parent of a function is an apply");
    }
    for (uint32_t i = 0; i < applies; i++) {
        const struct model_apply_def *apply = model_job_apply(job, i);
        need(apply->function < functions && apply->op < ops, "an apply has a function and an op");
    }
    size_t running;
    const struct model_now *now = model_job_now(job, &running);
    for (size_t i = 0; i < running; i++)
        need(now[i].apply < applies && now[i].thread < model_job_count(job, MODEL_THREAD),
             "what runs is an apply, on a thread");
}

/* Checks the calls of the first apply only: they never fall within an instance and epoch. */
static void check_values(struct life *life)
{
    const struct model_job *job = life->sync.job;
    bool any = model_job_count(job, MODEL_APPLY) > 0;
    uint64_t calls = any ? model_job_apply_values(job)[0].calls : 0;
    bool same = life->last == job && life->last_epoch == model_job_epoch(job);
    need(!same || calls >= life->last_calls, "calls do not fall");
    life->last = job;
    life->last_epoch = model_job_epoch(job);
    life->last_calls = calls;
}

static void count_bytes(void *to, const char *bytes, size_t size)
{
    (void)bytes;
    *(size_t *)to += size;
}

/* Writes the events of the trace. */
static void write_events(struct model_job *job)
{
    size_t size = 0;
    const struct model_sink sink = {count_bytes, &size};
    const struct model_timeline *timeline = model_job_timeline(job);
    need(timeline->count <= EVENTS_MAX, "few events are kept");
    model_timeline_write(job, 0, &sink);
    need(size > 0, "a trace has text");
}

static void check(struct life *life)
{
    const struct viewer_sync *sync = &life->sync;
    need(sync->pending.count <= WIRE_HELD_MAX, "few frames are held");
    need(memchr(sync->refusal, 0, sizeof sync->refusal) != NULL, "a refusal ends");
    need(!sync->final || sync->bye, "the end has a goodbye");
    need(sync->snapshot || (!sync->credit && !sync->answered), "credit belongs to a snapshot");
    need(viewer_sync_missing(sync) <= VIEWER_SNAPSHOT_ALL, "what is wanted has a name");
    if (!sync->job)
        return;
    check_definitions(sync->job);
    check_values(life);
    model_job_keep_timeline(sync->job, EVENTS_MAX);
    need(!sync->whole || model_job_complete(sync->job), "what is whole is complete");
}

/* --------------------------------------------------------------------------------------- messages
 */

static void ask(struct source *source, struct life *life)
{
    uint8_t out[WIRE_REQUEST_MAX];
    struct viewer_sync *sync = &life->sync;
    enum viewer_snapshot_scope want = viewer_sync_missing(sync);
    size_t size = 1;
    switch (draw(source) % 4) {
    case 0:
        size = viewer_sync_request_hello(sync, out, sizeof out);
        break;
    case 1:
        if (sync->snapshot && sync->credit > 0)
            size = viewer_sync_request_more(sync, out, sizeof out);
        break;
    case 2:
        if (sync->final)
            size = viewer_sync_ack(sync, out, sizeof out);
        else
            viewer_sync_cancel(sync);
        break;
    default:
        if (want != VIEWER_SNAPSHOT_NOTHING)
            size = viewer_sync_request_snapshot(sync, want, out, sizeof out);
    }
    need(size > 0, "a request fits");
}

static void take_raw(struct source *source, struct life *life, bool answer)
{
    size_t left, size = draw(source);
    size |= (size_t)draw(source) << 8;
    left = (size_t)(source->end - source->at);
    size = size < left ? size : left;
    viewer_sync_take(&life->sync, source->at, size, answer);
    source->at += size;
}

static void take_written(struct source *source, struct life *life, bool answer)
{
    size_t size = write_frame(source, life, answer);
    uint8_t *exact = malloc(size > 0 ? size : 1); /* so that a read past the end is detected */
    need(exact != NULL, "there is memory");
    memcpy(exact, life->bytes, size);
    viewer_sync_take(&life->sync, exact, size, answer);
    free(exact);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct life life;
    struct source source = {data, data + size};
    memset(&life, 0, offsetof(struct life, bytes));
    viewer_sync_init(&life.sync, &life.link, NULL);
    for (unsigned n = 0; n < MESSAGES_MAX && source.at < source.end; n++) {
        uint8_t what = draw(&source) % 16;
        if (what == 15)
            viewer_sync_refuse(&life.sync);
        else if (what >= 13)
            take_raw(&source, &life, what == 14);
        else if (what >= 10)
            ask(&source, &life);
        else
            take_written(&source, &life, what >= 5);
        check(&life);
    }
    if (life.sync.job)
        write_events(life.sync.job);
    viewer_sync_release(&life.sync);
    return 0;
}

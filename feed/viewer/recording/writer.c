/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * writer.c: collects records, compresses them, and appends them to the file in whole blocks.
 */
#include "config.h"

#include "feed/viewer/recording/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <zstd.h>

#include "feed/viewer/recording/block.h"

static const uint64_t S_NS = 1000000000;

enum {
    FLUSH_BYTES = 1 << 20,    /* written before the second is over */
    TAKE_BYTES = 64 << 10,    /* taken between two looks at whether a segment is due */
    SEGMENT_S = 60,           /* a segment lasts as long, */
    SEGMENT_BYTES = 16 << 20, /* or has so many bytes before they are compressed, */
    SEGMENT_SHARE = 4,        /* and at least this times the bytes of its begin */
    LEVEL = 3,                /* of zstd */
};

struct stream {
    struct model_recorder *recorder; /* NULL: the job is over, and all of it is written */
    struct model_record_out out;     /* not written yet */
    ZSTD_CCtx *zstd;
    bool begins;          /* the next block is the first of a segment */
    uint64_t raw, first;  /* bytes of the segment, and of its begin, before they are compressed */
    uint64_t segment_ns;  /* by the job's clock: when the segment began */
    uint64_t begun_ns;    /* the job's first moment */
    uint64_t wall_ns;     /* of the moment that the next block begins behind */
    size_t segment;       /* its entry */
    uint64_t moments, ns; /* of a job that is over */
};

struct viewer_recorder {
    int fd;
    char path[256]; /* safe for the screen */
    struct viewer_recorder_settings settings;
    struct stream *stream;
    size_t streams;
    struct viewer_segment *segment;
    size_t segments, capacity;
    uint64_t bytes; /* of whole blocks in the file */
    uint64_t flushed_ns;
    uint8_t *packed;
    size_t packed_capacity;
    bool full;
    char stopped[512]; /* "": it goes on */
};

static void stop(struct viewer_recorder *r, const char *why)
{
    if (!r->stopped[0])
        snprintf(r->stopped, sizeof r->stopped, "the recording '%.200s' stops at %llu bytes: %s",
                 r->path, (unsigned long long)r->bytes, why);
}

/* ------------------------------------------------------------------------------------- the file */

static bool write_all(int fd, const uint8_t *bytes, size_t size)
{
    while (size > 0) {
        const ssize_t put = write(fd, bytes, size);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        bytes += put;
        size -= (size_t)put;
    }
    return true;
}

/* Appends bytes as a whole, or not at all. */
static bool append(struct viewer_recorder *r, const uint8_t *bytes, size_t size)
{
    if (write_all(r->fd, bytes, size)) {
        r->bytes += size;
        return true;
    }
    const int error = errno;
    /* A torn block at the end would be dropped by the reader, too. */
    if (ftruncate(r->fd, (off_t)r->bytes) == 0)
        lseek(r->fd, (off_t)r->bytes, SEEK_SET);
    stop(r, strerror(error));
    return false;
}

static bool fit_packed(struct viewer_recorder *r, size_t size)
{
    if (size <= r->packed_capacity)
        return true;
    uint8_t *grown = realloc(r->packed, size);
    if (!grown)
        return false;
    r->packed = grown;
    r->packed_capacity = size;
    return true;
}

static bool add_segment(struct viewer_recorder *r, const struct viewer_segment *segment)
{
    return viewer_segments_add(&r->segment, &r->segments, &r->capacity, segment);
}

/* --------------------------------------------------------------------------------------- blocks */

/* Compresses the records behind the head of a block. Returns their size, or 0. */
static size_t pack(struct viewer_recorder *r, struct stream *s)
{
    if (!fit_packed(r, VIEWER_BLOCK_HEAD + ZSTD_compressBound(s->out.size) + 64))
        return 0;
    ZSTD_outBuffer to = {r->packed + VIEWER_BLOCK_HEAD, r->packed_capacity - VIEWER_BLOCK_HEAD, 0};
    ZSTD_inBuffer from = {s->out.data, s->out.size, 0};
    if (s->begins)
        ZSTD_CCtx_reset(s->zstd, ZSTD_reset_session_only);
    const size_t left = ZSTD_compressStream2(s->zstd, &to, &from, ZSTD_e_flush);
    return left == 0 && from.pos == from.size ? to.pos : 0;
}

/* Writes the records of a stream as one block. */
static bool flush_stream(struct viewer_recorder *r, struct stream *s)
{
    if (!s->recorder || s->out.size == 0 || r->stopped[0])
        return !r->stopped[0];
    const size_t size = pack(r, s);
    if (size == 0 || size > UINT32_MAX || s->out.size > VIEWER_BLOCK_RAW_MAX) {
        stop(r, "there is no memory left");
        return false;
    }
    const uint64_t last_ns = model_recorder_wall_ns(s->recorder);
    const struct viewer_block block = {
        .kind = s->begins ? VIEWER_BLOCK_BEGIN : VIEWER_BLOCK_MORE,
        .stream = (uint32_t)(s - r->stream),
        .size = (uint32_t)size,
        .raw = (uint32_t)s->out.size,
        .check = viewer_block_check(r->packed + VIEWER_BLOCK_HEAD, size),
        .first_ns = s->wall_ns,
        .last_ns = last_ns,
    };
    viewer_block_write(&block, r->packed);
    const uint64_t offset = r->bytes;
    if (!append(r, r->packed, VIEWER_BLOCK_HEAD + size))
        return false;
    if (s->begins) {
        s->segment = r->segments;
        if (!add_segment(r, &(struct viewer_segment){.offset = offset,
                                                     .first_ns = s->wall_ns,
                                                     .stream = block.stream})) {
            stop(r, "there is no memory left");
            return false;
        }
    }
    r->segment[s->segment].end = r->bytes;
    r->segment[s->segment].bytes += VIEWER_BLOCK_HEAD + size;
    r->segment[s->segment].last_ns = last_ns;
    s->raw += s->out.size;
    s->out.size = 0;
    s->begins = false;
    s->wall_ns = last_ns;
    if (r->settings.most_bytes > 0 && r->bytes >= r->settings.most_bytes) {
        r->full = true;
        stop(r, "it is as large as was asked for");
    }
    return !r->stopped[0];
}

static bool is_due(const struct stream *s)
{
    const uint64_t raw = s->raw + s->out.size,
                   ns = model_recorder_mono_ns(s->recorder) - s->segment_ns;
    return !s->begins && raw >= SEGMENT_SHARE * s->first &&
           (ns >= SEGMENT_S * S_NS || raw >= SEGMENT_BYTES);
}

/* Begins a segment: a reader can start there. */
static bool begin_segment(struct viewer_recorder *r, struct stream *s)
{
    if (!flush_stream(r, s))
        return false;
    s->begins = true;
    s->raw = 0;
    s->segment_ns = model_recorder_mono_ns(s->recorder);
    if (!model_recorder_segment(s->recorder, &s->out))
        stop(r, "there is no memory left");
    s->first = s->out.size;
    return !r->stopped[0];
}

/* Takes what is new. A recording may begin with the whole past of a job: its first moment is taken
 * alone, since that one is the begin, and the past has as many segments as if it came live. */
static void follow_stream(struct viewer_recorder *r, struct stream *s)
{
    bool more = s->recorder != NULL;
    while (more && !r->stopped[0]) {
        const bool first = model_recorder_moments(s->recorder) == 0;
        if (!first && is_due(s) && !begin_segment(r, s))
            return;
        const size_t enough = s->out.size + (first ? 1 : TAKE_BYTES);
        if (!model_recorder_take(s->recorder, enough, &s->out))
            stop(r, "there is no memory left");
        if (first && s->out.size > 0) {
            s->begun_ns = s->segment_ns = model_recorder_mono_ns(s->recorder);
            s->wall_ns = model_recorder_wall_ns(s->recorder);
            s->first = s->out.size;
        }
        more = s->out.size >= enough;
        if (s->out.size >= FLUSH_BYTES)
            flush_stream(r, s);
    }
}

bool viewer_recorder_flush(struct viewer_recorder *r)
{
    for (size_t i = 0; i < r->streams && !r->stopped[0]; i++)
        flush_stream(r, &r->stream[i]);
    return !r->stopped[0];
}

bool viewer_recorder_follow(struct viewer_recorder *r, uint64_t now_ns)
{
    for (size_t i = 0; i < r->streams && !r->stopped[0]; i++)
        follow_stream(r, &r->stream[i]);
    if (now_ns - r->flushed_ns >= S_NS) {
        r->flushed_ns = now_ns;
        viewer_recorder_flush(r);
    }
    return !r->stopped[0];
}

void viewer_recorder_job(struct viewer_recorder *r, struct model_job *job,
                         const struct model_link *link)
{
    for (size_t i = 0; i < r->streams; i++)
        if (r->stream[i].recorder && model_recorder_job(r->stream[i].recorder) == job) {
            model_recorder_link(r->stream[i].recorder, link);
            return;
        }
    if (r->stopped[0])
        return;
    if (r->streams == VIEWER_RECORDED_JOBS_MAX) {
        stop(r, "one file holds at most 4096 jobs");
        return;
    }
    struct stream *grown = realloc(r->stream, (r->streams + 1) * sizeof *grown);
    if (grown)
        r->stream = grown;
    struct stream added = {.begins = true};
    added.recorder = grown ? model_recorder_new(job, r->settings.every_ns) : NULL;
    added.zstd = added.recorder ? ZSTD_createCCtx() : NULL;
    if (!added.zstd) {
        model_recorder_free(&added.recorder);
        stop(r, "there is no memory left");
        return;
    }
    ZSTD_CCtx_setParameter(added.zstd, ZSTD_c_compressionLevel, LEVEL);
    model_recorder_link(added.recorder, link);
    r->stream[r->streams++] = added;
}

/* Writes what is left of a job, and frees what it took. */
static void end_stream(struct viewer_recorder *r, struct stream *s)
{
    if (!s->recorder)
        return;
    if (!r->stopped[0]) {
        follow_stream(r, s);
        if (!r->stopped[0] && !model_recorder_finish(s->recorder, &s->out))
            stop(r, "there is no memory left");
        flush_stream(r, s);
    }
    s->moments = model_recorder_moments(s->recorder);
    s->ns = model_recorder_mono_ns(s->recorder) - s->begun_ns;
    model_recorder_free(&s->recorder);
    ZSTD_freeCCtx(s->zstd);
    free(s->out.data);
    s->out = (struct model_record_out){.size = 0};
}

void viewer_recorder_leave(struct viewer_recorder *r,
                           bool (*is_there)(void *of, struct model_job *job), void *of)
{
    for (size_t i = 0; i < r->streams; i++)
        if (r->stream[i].recorder && !is_there(of, model_recorder_job(r->stream[i].recorder)))
            end_stream(r, &r->stream[i]);
}

/* ----------------------------------------------------------------------------------------- life */

struct viewer_recorder *viewer_recorder_new(const char *path,
                                            const struct viewer_recorder_settings *settings,
                                            char *why, size_t capacity)
{
    char safe[256];
    uint8_t head[VIEWER_RECORDING_HEAD];
    model_text_safe(path, strlen(path), safe, sizeof safe);
    struct viewer_recorder *r = calloc(1, sizeof *r);
    if (!r) {
        snprintf(why, capacity, "there is no memory left for a recording");
        return NULL;
    }
    memcpy(r->path, safe, sizeof safe);
    r->settings = *settings;
    r->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0600);
    if (r->fd < 0) {
        if (errno == EEXIST)
            snprintf(why, capacity,
                     "'%s' is there already, and a recording replaces no file: name another", safe);
        else
            snprintf(why, capacity, "the recording '%s' cannot be created: %s", safe,
                     strerror(errno));
        free(r);
        return NULL;
    }
    signal(SIGXFSZ, SIG_IGN); /* a limit of file sizes is an error of write() then */
    viewer_recording_head_write(head);
    if (!append(r, head, sizeof head)) {
        snprintf(why, capacity, "%s", r->stopped);
        close(r->fd);
        unlink(path);
        free(r);
        return NULL;
    }
    return r;
}

/* Writes the list of segments, and where it is. */
static void write_list(struct viewer_recorder *r)
{
    const size_t size = r->segments * VIEWER_SEGMENT_ENTRY, head = VIEWER_BLOCK_HEAD;
    const struct viewer_block block = {
        .kind = VIEWER_BLOCK_LIST, .size = (uint32_t)size, .raw = (uint32_t)size};
    struct viewer_block sealed = block;
    if (!fit_packed(r, head + size + VIEWER_RECORDING_FOOT))
        return; /* a reader finds the segments without it */
    for (size_t i = 0; i < r->segments; i++)
        viewer_segment_write(&r->segment[i], r->packed + head + i * VIEWER_SEGMENT_ENTRY);
    sealed.check = viewer_block_check(r->packed + head, size);
    viewer_block_write(&sealed, r->packed);
    viewer_foot_write(r->bytes, r->packed + head + size);
    append(r, r->packed, head + size + VIEWER_RECORDING_FOOT);
}

bool viewer_recorder_end(struct viewer_recorder **recorder, struct viewer_recorded *recorded,
                         char *why, size_t capacity)
{
    struct viewer_recorder *r = *recorder;
    for (size_t i = 0; i < r->streams; i++)
        end_stream(r, &r->stream[i]);
    if (!r->stopped[0] || r->full)
        write_list(r);
    if (close(r->fd) != 0)
        stop(r, strerror(errno));
    const bool fine = !r->stopped[0] || r->full;
    *recorded = viewer_recorder_recorded(r);
    snprintf(why, capacity, "%s", r->stopped);
    free(r->stream);
    free(r->segment);
    free(r->packed);
    free(r);
    *recorder = NULL;
    return fine;
}

const char *viewer_recorder_stopped(const struct viewer_recorder *r, bool *full)
{
    *full = r->full;
    return r->stopped[0] ? r->stopped : NULL;
}

struct viewer_recorded viewer_recorder_recorded(const struct viewer_recorder *r)
{
    struct viewer_recorded recorded = {.bytes = r->bytes, .jobs = r->streams};
    for (size_t i = 0; i < r->streams; i++) {
        const struct stream *s = &r->stream[i];
        const uint64_t ns = s->recorder ? model_recorder_mono_ns(s->recorder) - s->begun_ns : s->ns;
        recorded.moments += s->recorder ? model_recorder_moments(s->recorder) : s->moments;
        recorded.ns = ns > recorded.ns ? ns : recorded.ns;
    }
    return recorded;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * reader.c: finds the segments of a recording, decompresses their blocks, and plays them.
 */
#include "config.h"

#include "feed/viewer/recording/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zstd.h>

#include "feed/viewer/recording/block.h"

enum { PIECE = 1 << 20, WINDOW_LOG_MAX = 27 }; /* of zstd: 128 MiB */

struct viewer_recording {
    int fd;
    char path[256]; /* safe for the screen */
    uint64_t size;
    struct viewer_segment *segment; /* by their place in the file */
    size_t segments, capacity;
    size_t jobs;
    char torn[768];
    ZSTD_DCtx *zstd;
    uint8_t *packed, *raw; /* one block */
    size_t packed_capacity, raw_capacity;
};

/* ------------------------------------------------------------------------------------- the file */

static bool read_at(const struct viewer_recording *r, uint64_t at, void *bytes, size_t size)
{
    uint8_t *to = bytes;
    while (size > 0) {
        const ssize_t got = pread(r->fd, to, size, (off_t)at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        to += got;
        at += (uint64_t)got;
        size -= (size_t)got;
    }
    return true;
}

static void tear(struct viewer_recording *r, const char *what, uint64_t at)
{
    if (!r->torn[0])
        snprintf(r->torn, sizeof r->torn,
                 "the recording '%.200s' %s at byte %llu of %llu: what is before that is shown",
                 r->path, what, (unsigned long long)at, (unsigned long long)r->size);
}

static bool fit(uint8_t **bytes, size_t *capacity, size_t size)
{
    if (size <= *capacity)
        return true;
    uint8_t *grown = realloc(*bytes, size);
    if (!grown)
        return false;
    *bytes = grown;
    *capacity = size;
    return true;
}

/* Reads the head of a block. Returns false at the end, or where the file is damaged. */
static bool read_block(const struct viewer_recording *r, uint64_t at, struct viewer_block *block)
{
    uint8_t head[VIEWER_BLOCK_HEAD];
    return at <= r->size && r->size - at >= sizeof head && read_at(r, at, head, sizeof head) &&
           viewer_block_read(head, block) && block->size <= r->size - at - sizeof head;
}

/* --------------------------------------------------------------------------------- the segments */

static bool add_segment(struct viewer_recording *r, const struct viewer_segment *segment)
{
    return viewer_segments_add(&r->segment, &r->segments, &r->capacity, segment);
}

/* Adds a block to the newest segment of its stream. Streams are few, or short. */
static bool add_block(struct viewer_recording *r, const struct viewer_block *block, uint64_t at,
                      uint64_t end)
{
    if (block->kind == VIEWER_BLOCK_BEGIN) {
        if (block->stream > r->jobs)
            return false; /* jobs are numbered in the order in which they come */
        r->jobs += block->stream == r->jobs;
        return add_segment(r, &(struct viewer_segment){at, end, end - at, block->first_ns,
                                                       block->last_ns, block->stream});
    }
    for (size_t i = r->segments; i-- > 0;)
        if (r->segment[i].stream == block->stream) {
            r->segment[i].end = end;
            r->segment[i].bytes += end - at;
            r->segment[i].last_ns = block->last_ns;
            return true;
        }
    return false;
}

/* Finds the segments without their list. */
static void scan(struct viewer_recording *r)
{
    struct viewer_block block;
    uint64_t at = VIEWER_RECORDING_HEAD;
    while (read_block(r, at, &block)) {
        const uint64_t end = at + VIEWER_BLOCK_HEAD + block.size;
        if (block.kind == VIEWER_BLOCK_LIST)
            return;
        if ((block.kind == VIEWER_BLOCK_BEGIN || block.kind == VIEWER_BLOCK_MORE) &&
            !add_block(r, &block, at, end)) {
            tear(r, "is damaged", at);
            return;
        }
        at = end;
    }
    if (at == r->size)
        tear(r, "was not ended: it is cut off", at);
    else
        tear(r, "is cut off", at);
}

/* A segment of the list that can be: where it is, and whose. */
static bool is_sound(const struct viewer_recording *r, const struct viewer_segment *segment)
{
    return segment->offset >= VIEWER_RECORDING_HEAD && segment->offset < segment->end &&
           segment->end <= r->size && segment->bytes <= segment->end - segment->offset &&
           segment->stream <= r->jobs;
}

/* Reads the list of segments. Returns false if there is none. */
static bool read_list(struct viewer_recording *r)
{
    uint8_t foot[VIEWER_RECORDING_FOOT];
    struct viewer_block block;
    uint64_t at;
    if (r->size < VIEWER_RECORDING_HEAD + sizeof foot ||
        !read_at(r, r->size - sizeof foot, foot, sizeof foot) || !viewer_foot_read(foot, &at) ||
        !read_block(r, at, &block) || block.kind != VIEWER_BLOCK_LIST ||
        !fit(&r->packed, &r->packed_capacity, block.size) ||
        !read_at(r, at + VIEWER_BLOCK_HEAD, r->packed, block.size) ||
        viewer_block_check(r->packed, block.size) != block.check)
        return false;
    for (size_t i = 0; i + VIEWER_SEGMENT_ENTRY <= block.size; i += VIEWER_SEGMENT_ENTRY) {
        struct viewer_segment segment;
        viewer_segment_read(r->packed + i, &segment);
        if (!is_sound(r, &segment) || !add_segment(r, &segment)) {
            r->segments = r->jobs = 0;
            return false;
        }
        r->jobs += segment.stream == r->jobs;
    }
    return true;
}

/* The segment of a job by its number, or NULL. */
static const struct viewer_segment *segment_of(const struct viewer_recording *r, size_t job,
                                               size_t number)
{
    for (size_t i = 0; i < r->segments; i++)
        if (r->segment[i].stream == job && number-- == 0)
            return &r->segment[i];
    return NULL;
}

size_t viewer_recording_segments(const struct viewer_recording *r, size_t job)
{
    size_t count = 0;
    for (size_t i = 0; i < r->segments; i++)
        count += r->segment[i].stream == job;
    return count;
}

uint64_t viewer_recording_first_ns(const struct viewer_recording *r, size_t job)
{
    const struct viewer_segment *segment = segment_of(r, job, 0);
    return segment ? segment->first_ns : 0;
}

uint64_t viewer_recording_last_ns(const struct viewer_recording *r, size_t job)
{
    const size_t count = viewer_recording_segments(r, job);
    return count > 0 ? segment_of(r, job, count - 1)->last_ns : 0;
}

/* -------------------------------------------------------------------------------------- reading */

/* Decompresses a block. The buffer grows with what comes out, up to what the block claims. */
static bool unpack(struct viewer_recording *r, const struct viewer_block *block)
{
    ZSTD_inBuffer from = {r->packed, block->size, 0};
    size_t size = 0;
    for (;;) {
        const size_t left = block->raw - size;
        /* One byte more: a block that is larger than it claims is damaged. */
        if (!fit(&r->raw, &r->raw_capacity, size + (left < PIECE ? left : PIECE) + 1))
            return false;
        ZSTD_outBuffer to = {r->raw + size, r->raw_capacity - size, 0};
        const size_t before = from.pos;
        if (ZSTD_isError(ZSTD_decompressStream(r->zstd, &to, &from)))
            return false;
        size += to.pos;
        if (size > block->raw)
            return false;
        if (from.pos == from.size && to.pos < to.size)
            return size == block->raw;
        if (to.pos == 0 && from.pos == before)
            return false;
    }
}

/* Plays a block. Returns false, and says why, if it is damaged: nothing behind it can be read. */
static bool play_block(struct viewer_recording *r, struct model_playback *playback, uint64_t at,
                       const struct viewer_block *block)
{
    char why[256];
    if (!fit(&r->packed, &r->packed_capacity, block->size) ||
        !read_at(r, at + VIEWER_BLOCK_HEAD, r->packed, block->size)) {
        tear(r, "cannot be read", at);
        return false;
    }
    if (viewer_block_check(r->packed, block->size) != block->check || !unpack(r, block)) {
        tear(r, "is damaged", at);
        return false;
    }
    if (!model_playback_take(playback, (struct model_bytes){(const char *)r->raw, block->raw}, why,
                             sizeof why)) {
        char what[320];
        snprintf(what, sizeof what, "is damaged (%s)", why);
        tear(r, what, at);
        return false;
    }
    return true;
}

/* Plays a segment. */
static bool play_segment(struct viewer_recording *r, struct model_playback *playback,
                         const struct viewer_segment *segment)
{
    struct viewer_block block;
    uint64_t at = segment->offset;
    ZSTD_DCtx_reset(r->zstd, ZSTD_reset_session_only);
    for (bool first = true; at < segment->end && !model_playback_over(playback); first = false) {
        if (!read_block(r, at, &block) ||
            (first && (block.kind != VIEWER_BLOCK_BEGIN || block.stream != segment->stream))) {
            tear(r, "is damaged", at);
            return false;
        }
        if (block.stream == segment->stream && block.kind <= VIEWER_BLOCK_MORE) {
            if (!first && block.kind == VIEWER_BLOCK_BEGIN)
                return true;
            if (!play_block(r, playback, at, &block))
                return false;
        }
        at += VIEWER_BLOCK_HEAD + block.size;
    }
    return true;
}

/* The last segment that begins before a time, or the first one. */
static size_t last_before(const struct viewer_recording *r, size_t job, uint64_t wall_ns)
{
    size_t found = 0, number = 0;
    for (size_t i = 0; i < r->segments; i++) {
        if (r->segment[i].stream != job)
            continue;
        if (r->segment[i].first_ns <= wall_ns)
            found = number;
        number++;
    }
    return found;
}

/* The first segment to read, so that all up to `last` have at most so many bytes. */
static size_t first_within(const struct viewer_recording *r, size_t job, size_t last, uint64_t most)
{
    uint64_t bytes = segment_of(r, job, last)->bytes;
    size_t number = last;
    while (number > 0 && (most == 0 || bytes + segment_of(r, job, number - 1)->bytes <= most))
        bytes += segment_of(r, job, --number)->bytes;
    return number;
}

static struct model_playback *none_read(struct viewer_recording *r, struct model_playback *playback,
                                        char *why, size_t capacity)
{
    if (playback)
        snprintf(why, capacity, "%s",
                 r->torn[0] ? r->torn : "the recording has no moment of this job");
    else
        snprintf(why, capacity, "there is no memory left to read the recording");
    model_playback_free(&playback);
    return NULL;
}

struct model_playback *viewer_recording_read(struct viewer_recording *r,
                                             const struct viewer_recording_part *part,
                                             size_t *segment, char *why, size_t capacity)
{
    const size_t last = last_before(r, part->job, part->until_ns);
    size_t number = part->history > 0 ? first_within(r, part->job, last, part->most) : last;
    struct model_playback *playback = model_playback_new(part->history);
    if (segment)
        *segment = number;
    if (playback)
        model_playback_until(playback, part->until_ns);
    for (bool fine = playback != NULL; fine && number <= last; number++)
        fine = play_segment(r, playback, segment_of(r, part->job, number));
    /* The last segment is damaged at its begin: the one before it has an end. */
    if (playback && !model_playback_job(playback) && last > 0 && part->history == 0) {
        struct viewer_recording_part earlier = *part;
        model_playback_free(&playback);
        earlier.until_ns = segment_of(r, part->job, last)->first_ns - 1;
        return viewer_recording_read(r, &earlier, segment, why, capacity);
    }
    return playback && model_playback_job(playback) ? playback
                                                    : none_read(r, playback, why, capacity);
}

struct model_playback *viewer_recording_read_segment(struct viewer_recording *r, size_t job,
                                                     size_t segment, size_t history, char *why,
                                                     size_t capacity)
{
    const struct viewer_segment *at = segment_of(r, job, segment);
    struct model_playback *playback = at ? model_playback_new(history) : NULL;
    if (playback)
        play_segment(r, playback, at);
    return playback && model_playback_job(playback) ? playback
                                                    : none_read(r, playback, why, capacity);
}

/* ----------------------------------------------------------------------------------------- life */

bool viewer_recording_is(const char *path)
{
    uint8_t head[VIEWER_RECORDING_HEAD];
    struct stat file;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    const bool is = fd >= 0 && fstat(fd, &file) == 0 && S_ISREG(file.st_mode) &&
                    pread(fd, head, sizeof head, 0) == sizeof head &&
                    viewer_recording_head_read(head) > 0;
    if (fd >= 0)
        close(fd);
    return is;
}

/* Opens the file and checks its head. */
static bool open_file(struct viewer_recording *r, const char *path, char *why, size_t capacity)
{
    uint8_t head[VIEWER_RECORDING_HEAD];
    struct stat file;
    r->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (r->fd < 0 || fstat(r->fd, &file) != 0) {
        snprintf(why, capacity, "the recording '%s' cannot be opened: %s", r->path,
                 strerror(errno));
        return false;
    }
    r->size = S_ISREG(file.st_mode) ? (uint64_t)file.st_size : 0;
    const uint32_t version = r->size >= sizeof head && read_at(r, 0, head, sizeof head)
                                 ? viewer_recording_head_read(head)
                                 : 0;
    if (version == 0)
        snprintf(why, capacity, "'%s' is no recording; proftop record -o FILE makes one", r->path);
    else if (version != VIEWER_RECORDING_VERSION)
        snprintf(why, capacity,
                 "the recording '%s' is of version %u, and this proftop reads version %u", r->path,
                 (unsigned)version, (unsigned)VIEWER_RECORDING_VERSION);
    return version == VIEWER_RECORDING_VERSION;
}

struct viewer_recording *viewer_recording_open(const char *path, char *why, size_t capacity)
{
    struct viewer_recording *r = calloc(1, sizeof *r);
    if (!r) {
        snprintf(why, capacity, "there is no memory left to read a recording");
        return NULL;
    }
    r->fd = -1;
    model_text_safe(path, strlen(path), r->path, sizeof r->path);
    if (!open_file(r, path, why, capacity)) {
        viewer_recording_close(&r);
        return NULL;
    }
    if (!read_list(r))
        scan(r);
    r->zstd = ZSTD_createDCtx();
    if (r->zstd)
        ZSTD_DCtx_setParameter(r->zstd, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
    if (!r->zstd || r->segments == 0) {
        snprintf(why, capacity,
                 r->zstd ? "the recording '%s' has no moment"
                         : "there is no memory left to read '%s'",
                 r->path);
        viewer_recording_close(&r);
    }
    return r;
}

void viewer_recording_close(struct viewer_recording **recording)
{
    struct viewer_recording *r = *recording;
    if (!r)
        return;
    if (r->fd >= 0)
        close(r->fd);
    ZSTD_freeDCtx(r->zstd);
    free(r->segment);
    free(r->packed);
    free(r->raw);
    free(r);
    *recording = NULL;
}

const char *viewer_recording_torn(const struct viewer_recording *recording)
{
    return recording->torn;
}

size_t viewer_recording_jobs(const struct viewer_recording *recording)
{
    return recording->jobs;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_recording_file.c: files of recordings: what is written is read, wherever the file is cut or
 * changed, and whatever its heads claim.
 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "feed/viewer/recording/block.h"
#include "feed/viewer/recording/reader.h"
#include "feed/viewer/recording/writer.h"

#include "../model/running.h"

enum { TICKS = 16, HISTORY = 64 << 20 };

static char folder[] = "/tmp/check_recording.XXXXXX", path[64], other[64];
static struct viewer_recorded recorded;
static const struct model_link live = {.state = MODEL_LIVE};

static void setup(void)
{
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.ptrec", folder);
    snprintf(other, sizeof other, "%s/b.ptrec", folder);
}

static void teardown(void)
{
    unlink(path);
    unlink(other);
    rmdir(folder);
}

static struct viewer_recorder *create(uint64_t most)
{
    const struct viewer_recorder_settings settings = {.most_bytes = most};
    char why[512];
    struct viewer_recorder *recorder = viewer_recorder_new(path, &settings, why, sizeof why);
    ck_assert_msg(recorder != NULL, "%s", why);
    return recorder;
}

/* Runs a job for some ticks, and records it: from `late` on, when it has a past. `truth`: its JSON
 * by tick, or NULL. */
static void record_late(struct viewer_recorder *recorder, struct model_job *job, uint64_t seed,
                        unsigned ticks, unsigned late, char **truth)
{
    struct sample_random r = {seed};
    struct model_history *history = model_history_new(job, HISTORY);
    for (unsigned tick = 0; tick < ticks; tick++) {
        run(job, &r, tick);
        model_history_commit(history);
        if (tick == late)
            viewer_recorder_job(recorder, job, &live);
        viewer_recorder_follow(recorder, tick * UINT64_C(1000000000));
        if (truth)
            truth[tick] = printed(model_state_take(job, MODEL_ALL, NULL));
    }
}

static void record(struct viewer_recorder *recorder, struct model_job *job, uint64_t seed,
                   unsigned ticks, char **truth)
{
    record_late(recorder, job, seed, ticks, 0, truth);
}

static void forget(struct model_job *job)
{
    struct model_history *history = model_history_of(job);
    model_history_free(&history);
    model_job_release(&job);
}

static void end_file(struct viewer_recorder **recorder)
{
    char why[512];
    ck_assert_msg(viewer_recorder_end(recorder, &recorded, why, sizeof why), "%s", why);
    ck_assert_str_eq(why, "");
}

static char *file_of(const char *name, size_t *size)
{
    FILE *file = fopen(name, "rb");
    ck_assert_ptr_nonnull(file);
    char *bytes = malloc(1 << 24);
    *size = fread(bytes, 1, 1 << 24, file);
    fclose(file);
    return bytes;
}

static void write_file(const char *name, const char *bytes, size_t size)
{
    FILE *file = fopen(name, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

/* Reads the last moment of a job of a file; NULL with a sentence. */
static struct model_playback *read_last(const char *name, size_t job, char *why, size_t capacity,
                                        char *torn)
{
    struct viewer_recording *recording = viewer_recording_open(name, why, capacity);
    if (!recording)
        return NULL;
    const struct viewer_recording_part part = {.job = job, .until_ns = UINT64_MAX};
    struct model_playback *playback = viewer_recording_read(recording, &part, NULL, why, capacity);
    snprintf(torn, 512, "%s", viewer_recording_torn(recording));
    viewer_recording_close(&recording);
    return playback;
}

static void check_last(const char *name, size_t job, const char *truth)
{
    char why[512] = "", torn[512];
    struct model_playback *playback = read_last(name, job, why, sizeof why, torn);
    ck_assert_msg(playback != NULL, "%s", why);
    ck_assert_str_eq(torn, "");
    char *json = printed(model_state_take(model_playback_job(playback), MODEL_ALL, NULL));
    same(json, truth, 0);
    free(json);
    model_playback_free(&playback);
}

/* A recording that begins with the past of a job is as one that was there from the first moment on:
 * its begin, its segments and its moments are the same. */
START_TEST(what_is_written_is_read)
{
    const unsigned late[] = {0, 1999, 1200};
    struct viewer_recorder *recorder = create(0);
    struct model_job *job = new_job(3);
    record_late(recorder, job, 3, 2000, late[_i], NULL);
    char *truth = printed(model_state_take(job, MODEL_ALL, NULL)), why[512];
    struct stat file;
    ck_assert_uint_eq(viewer_recorder_recorded(recorder).moments, 2000);
    ck_assert_uint_eq(viewer_recorder_recorded(recorder).ns, UINT64_C(1999) * 100 * MS);
    end_file(&recorder);
    ck_assert_int_eq(stat(path, &file), 0);
    ck_assert_uint_eq(file.st_mode & 07777, 0600);
    check_last(path, 0, truth);
    struct viewer_recording *recording = viewer_recording_open(path, why, sizeof why);
    ck_assert_msg(recording != NULL, "%s", why);
    ck_assert_uint_eq(viewer_recording_jobs(recording), 1);
    const size_t segments = viewer_recording_segments(recording, 0);
    ck_assert_uint_gt(segments, 1);
    ck_assert_uint_eq(viewer_recording_first_ns(recording, 0), UINT64_C(100) * MS);
    ck_assert_uint_eq(viewer_recording_last_ns(recording, 0), UINT64_C(200000) * MS);
    const struct viewer_recording_part all = {.history = HISTORY, .until_ns = UINT64_MAX};
    struct model_playback *playback = viewer_recording_read(recording, &all, NULL, why, sizeof why);
    struct model_history *history = model_history_of(model_playback_job(playback));
    ck_assert_uint_eq(model_history_count(history), 2000);
    model_playback_free(&playback);
    model_history_free(&history);
    /* The last segment alone begins where the one before it ends. */
    size_t from = 0;
    const struct viewer_recording_part some = {
        .history = HISTORY, .until_ns = UINT64_MAX, .most = 1};
    playback = viewer_recording_read(recording, &some, &from, why, sizeof why);
    ck_assert_uint_eq(from, segments - 1);
    history = model_history_of(model_playback_job(playback));
    struct model_playback *before =
        viewer_recording_read_segment(recording, 0, segments - 2, HISTORY, why, sizeof why);
    struct model_history *earlier = model_history_of(model_playback_job(before));
    ck_assert_uint_eq(model_history_at(history, 0).mono_ns,
                      model_history_at(earlier, model_history_count(earlier) - 1).mono_ns);
    model_playback_free(&playback);
    model_playback_free(&before);
    model_history_free(&history);
    model_history_free(&earlier);
    viewer_recording_close(&recording);
    /* Without the list at the end, the same is found. */
    ck_assert_int_eq(truncate(path, file.st_size - VIEWER_RECORDING_FOOT), 0);
    recording = viewer_recording_open(path, why, sizeof why);
    ck_assert_uint_eq(viewer_recording_segments(recording, 0), segments);
    ck_assert_str_eq(viewer_recording_torn(recording), "");
    viewer_recording_close(&recording);
    check_last(path, 0, truth);
    free(truth);
    forget(job);
}
END_TEST

static void hostile_name(struct model_job *job)
{
    ck_assert(
        model_job_set_text(job, &model_job_identity_mutable(job)->program, "\x1b]0;\xff\n", 7));
}

/* After a kill at any byte, all whole blocks are read, and their last moment is exact. */
START_TEST(cut_at_every_byte)
{
    char *truth[TICKS], why[512], torn[512];
    size_t size, opened = 0, latest = TICKS - 1;
    struct viewer_recorder *recorder = create(0);
    struct model_job *job = sample_job();
    for (unsigned i = 0; i < 3; i++)
        ck_assert(model_job_add_thread(job, "t", 1, i));
    ck_assert(model_job_set_metric(job, 0, sample_bytes("m"), sample_bytes(""), MODEL_SUM));
    hostile_name(job);
    record(recorder, job, 5, TICKS, truth);
    end_file(&recorder);
    char *bytes = file_of(path, &size);
    write_file(other, bytes, size);
    for (size_t cut = size; cut-- > 0;) {
        if (cut % tap_stride() != 0)
            continue;
        ck_assert_int_eq(truncate(other, (off_t)cut), 0);
        why[0] = torn[0] = '\0';
        struct model_playback *playback = read_last(other, 0, why, sizeof why, torn);
        ck_assert(playback || strlen(why) > 20);
        if (!playback)
            continue;
        struct model_job *read = model_playback_job(playback);
        const uint64_t tick = model_job_mono_ns(read) / (100 * MS) - 1;
        ck_assert_uint_lt(tick, TICKS);
        ck_assert_uint_le(tick, latest); /* a shorter file has no more */
        ck_assert(torn[0] || tick == TICKS - 1);
        latest = tick;
        if (opened++ % 16 == 0) {
            char *json = printed(model_state_take(read, MODEL_ALL, NULL));
            same(json, truth[tick], tick);
            free(json);
        }
        model_playback_free(&playback);
    }
    ck_assert_uint_gt(opened, size / 2 / tap_stride());
    ck_assert_uint_le(latest, 1); /* the first block has so many moments */
    free(bytes);
    for (unsigned tick = 0; tick < TICKS; tick++)
        free(truth[tick]);
    forget(job);
}
END_TEST

/* Bytes that were changed are seen by the checksums; heads that lie take no memory. */
START_TEST(damaged_files)
{
    char why[512] = "", torn[512] = "";
    size_t size;
    struct sample_random r = {9};
    struct viewer_recorder *recorder = create(0);
    struct model_job *job = sample_job();
    ck_assert(model_job_set_metric(job, 0, sample_bytes("m"), sample_bytes(""), MODEL_SUM));
    for (unsigned i = 0; i < 3; i++)
        ck_assert(model_job_add_thread(job, "t", 1, i));
    record(recorder, job, 5, TICKS, NULL);
    end_file(&recorder);
    char *bytes = file_of(path, &size);
    for (unsigned n = 0; n < 300; n++) {
        const size_t at = sample_below(&r, size);
        const char was = bytes[at];
        bytes[at] = (char)(was ^ (1 << n % 8));
        write_file(other, bytes, size);
        why[0] = torn[0] = '\0';
        struct model_playback *playback = read_last(other, 0, why, sizeof why, torn);
        if (playback)
            free(printed(model_state_take(model_playback_job(playback), MODEL_ALL, NULL)));
        else
            ck_assert_uint_gt(strlen(why), 20);
        model_playback_free(&playback);
        bytes[at] = was;
    }
    /* The first block claims more than it has, with a good checksum. */
    struct viewer_block block;
    uint8_t *head = (uint8_t *)bytes + VIEWER_RECORDING_HEAD;
    ck_assert(viewer_block_read(head, &block));
    block.raw = VIEWER_BLOCK_RAW_MAX;
    viewer_block_write(&block, head);
    write_file(other, bytes, size);
    ck_assert_ptr_null(read_last(other, 0, why, sizeof why, torn));
    ck_assert_ptr_nonnull(strstr(why, "is damaged at byte 16"));
    block.raw = 1;
    viewer_block_write(&block, head);
    write_file(other, bytes, size);
    ck_assert_ptr_null(read_last(other, 0, why, sizeof why, torn));
    block.size = UINT32_MAX;
    viewer_block_write(&block, head);
    write_file(other, bytes, size - VIEWER_RECORDING_FOOT);
    ck_assert_ptr_null(read_last(other, 0, why, sizeof why, torn));
    ck_assert_ptr_nonnull(strstr(why, "has no moment"));
    free(bytes);
    forget(job);
}
END_TEST

START_TEST(other_files)
{
    char why[512], torn[512];
    uint8_t head[VIEWER_RECORDING_HEAD];
    write_file(path, "{\"schema\":1}\n", 13);
    ck_assert(!viewer_recording_is(path));
    ck_assert_ptr_null(read_last(path, 0, why, sizeof why, torn));
    ck_assert_ptr_nonnull(strstr(why, "is no recording; proftop record -o FILE makes one"));
    ck_assert_ptr_null(read_last(folder, 0, why, sizeof why, torn));
    ck_assert_ptr_null(read_last("/nonexistent/x", 0, why, sizeof why, torn));
    ck_assert_ptr_nonnull(strstr(why, "cannot be opened: No such file"));
    viewer_recording_head_write(head);
    write_file(other, (char *)head, sizeof head);
    ck_assert(viewer_recording_is(other));
    ck_assert_ptr_null(read_last(other, 0, why, sizeof why, torn));
    ck_assert_ptr_nonnull(strstr(why, "has no moment"));
    head[8] = 2;
    const uint32_t check = viewer_block_check(head, sizeof head - 4);
    for (unsigned i = 0; i < 4; i++)
        head[12 + i] = (uint8_t)(check >> 8 * i);
    write_file(other, (char *)head, sizeof head);
    ck_assert_ptr_null(read_last(other, 0, why, sizeof why, torn));
    ck_assert_ptr_nonnull(strstr(why, "is of version 2, and this proftop reads version 1"));
    /* CRC-32C of "123456789", as published. */
    ck_assert_uint_eq(viewer_block_check((const uint8_t *)"123456789", 9), 0xe3069283);
}
END_TEST

/* A full disk stops the recording. The part that was written stays whole. */
START_TEST(a_full_disk)
{
    char why[512] = "", torn[512];
    bool full;
    const struct rlimit small = {20000, RLIM_INFINITY};
    struct viewer_recorder *recorder = create(0);
    struct model_job *job = new_job(3);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    record(recorder, job, 3, 2000, NULL);
    const char *stopped = viewer_recorder_stopped(recorder, &full);
    ck_assert_ptr_nonnull(stopped);
    ck_assert(!full);
    ck_assert_ptr_nonnull(strstr(stopped, "File too large"));
    ck_assert(!viewer_recorder_end(&recorder, &recorded, why, sizeof why));
    ck_assert_ptr_null(recorder);
    ck_assert_ptr_nonnull(strstr(why, "stops at"));
    struct model_playback *playback = read_last(path, 0, why, sizeof why, torn);
    ck_assert_msg(playback != NULL, "%s", why);
    ck_assert_ptr_nonnull(strstr(torn, "was not ended"));
    ck_assert_uint_gt(model_playback_moments(playback), 1);
    model_playback_free(&playback);
    forget(job);
}
END_TEST

START_TEST(a_size_that_was_asked_for)
{
    char why[512] = "", torn[512];
    bool full;
    struct viewer_recorder *recorder = create(20000);
    struct model_job *job = new_job(3);
    record(recorder, job, 3, 2000, NULL);
    ck_assert_ptr_nonnull(viewer_recorder_stopped(recorder, &full));
    ck_assert(full);
    const uint64_t bytes = viewer_recorder_recorded(recorder).bytes;
    ck_assert(bytes >= 20000 && bytes < 60000);
    ck_assert(viewer_recorder_end(&recorder, &recorded, why, sizeof why));
    struct model_playback *playback = read_last(path, 0, why, sizeof why, torn);
    ck_assert_msg(playback != NULL, "%s", why);
    ck_assert_str_eq(torn, "");
    model_playback_free(&playback);
    forget(job);
}
END_TEST

static bool is_job(void *of, struct model_job *job)
{
    return job == of;
}

/* Jobs of one file, one of which was started again: each life is a job of its own. */
START_TEST(lives_do_not_mix)
{
    char why[512];
    struct viewer_recorder *recorder = create(0);
    struct model_job *first = new_job(2), *second = new_job(4);
    record(recorder, first, 2, TICKS, NULL);
    record(recorder, second, 4, TICKS / 2, NULL);
    char *truth = printed(model_state_take(first, MODEL_ALL, NULL));
    char *truth_of_second = printed(model_state_take(second, MODEL_ALL, NULL));
    viewer_recorder_leave(recorder, is_job, second);
    ck_assert_uint_eq(viewer_recorder_recorded(recorder).jobs, 2);
    ck_assert_uint_eq(viewer_recorder_recorded(recorder).moments, TICKS + TICKS / 2);
    end_file(&recorder);
    struct viewer_recording *recording = viewer_recording_open(path, why, sizeof why);
    ck_assert_uint_eq(viewer_recording_jobs(recording), 2);
    viewer_recording_close(&recording);
    check_last(path, 0, truth);
    check_last(path, 1, truth_of_second);
    free(truth);
    free(truth_of_second);
    forget(first);
    forget(second);
}
END_TEST

START_TEST(a_file_is_not_replaced)
{
    const struct viewer_recorder_settings settings = {0};
    char why[512];
    write_file(path, "mine", 4);
    ck_assert_ptr_null(viewer_recorder_new(path, &settings, why, sizeof why));
    ck_assert_ptr_nonnull(strstr(why, "is there already"));
    size_t size;
    char *bytes = file_of(path, &size);
    ck_assert_mem_eq(bytes, "mine", 4);
    free(bytes);
    ck_assert_ptr_null(viewer_recorder_new("/nonexistent/x", &settings, why, sizeof why));
    ck_assert_ptr_nonnull(strstr(why, "cannot be created: No such file"));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("recording_file");
    TAP_ADD_BETWEEN(s, what_is_written_is_read, 3, setup, teardown);
    TAP_ADD_BETWEEN(s, cut_at_every_byte, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, damaged_files, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, other_files, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, a_full_disk, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, a_size_that_was_asked_for, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, lives_do_not_mix, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, a_file_is_not_replaced, 1, setup, teardown);
    return s;
}
TAP_MAIN(suite)

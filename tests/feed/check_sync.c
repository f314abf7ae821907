/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_sync.c: the rules of following a job, frame by frame, without sockets and without time.
 */
#include "config.h"

#include "feed/viewer/stream/sync.h"

#include <stdlib.h>
#include <string.h>

#include "follow.h"

START_TEST(attaching_makes_a_whole_picture)
{
    attach();
    ck_assert(fake_equals(&fake, follower.job));
    ck_assert(model_job_complete(follower.job));
    ck_assert_uint_eq(link_.snapshots, 1);
    ck_assert_int_eq(viewer_sync_missing(&follower), VIEWER_SNAPSHOT_NOTHING);
    ck_assert_uint_eq(link_.frames, 5);
    ck_assert_uint_eq(link_.gaps + link_.malformed + link_.falls + link_.over_limit, 0);
}
END_TEST

START_TEST(a_snapshot_that_lost_a_frame_is_not_whole)
{
    fake_hello(&fake, 0, false);
    take();
    uint64_t req = ask();
    answer_all(req);
    fake_reply(&fake, req, "snapshot", true, 5);
    take_answer();
    ck_assert(!follower.whole);
    ck_assert_uint_eq(link_.snapshots, 0);
    ck_assert_int_eq(viewer_sync_missing(&follower), VIEWER_SNAPSHOT_ALL);
}
END_TEST

START_TEST(a_refusal_is_kept_and_safe)
{
    fake_hello(&fake, 0, false);
    take();
    fake_reply(&fake, ask(), "snapshot", false, 0);
    take_answer();
    ck_assert_ptr_nonnull(strstr(follower.refusal, "no room"));
    ck_assert_ptr_null(strchr(follower.refusal, '\x1b'));
    ck_assert_int_eq(viewer_sync_missing(&follower), VIEWER_SNAPSHOT_ALL);
}
END_TEST

/* A refused snapshot is over, whichever parts have arrived. */
START_TEST(a_refused_snapshot_is_forgotten)
{
    fake_hello(&fake, 0, false);
    take();
    uint64_t req = ask();
    fake_functions(&fake, req); /* pending: its definitions are missing */
    take_answer();
    fake_reply(&fake, req, "snapshot", true, 1);
    take_answer();
    ck_assert(follower.answered);
    fake_reply(&fake, req, "snapshot", false, 0);
    take_answer();
    ck_assert_uint_eq(follower.snapshot, 0);
    ck_assert_uint_eq(follower.chunks, 0);
    ck_assert_int_eq(follower.scope, VIEWER_SNAPSHOT_NOTHING);
    fake_defs(&fake, 0);
    take();
    ck_assert(!follower.whole);
}
END_TEST

/* A lost frame is a gap of exactly one, and all values are right 64 ticks later. */
START_TEST(a_gap_heals_in_64_ticks)
{
    attach();
    tick(false, 1);
    fake_work(&fake, 2);
    tick(true, 1);
    ck_assert(!fake_equals(&fake, follower.job));
    fake.tick++;
    tick(false, WIRE_ROLL);
    ck_assert_uint_eq(link_.gaps, 1);
    ck_assert_uint_eq(link_.healing, 1);
    for (unsigned i = 0; i < WIRE_ROLL; i++) {
        ck_assert_uint_eq(link_.healing, 1);
        fake.tick++;
        tick(false, WIRE_ROLL);
    }
    ck_assert_uint_eq(link_.healing, 0);
    for (unsigned i = 0; i < FAKE_APPLIES / 2; i++)
        ck_assert_uint_eq(model_job_apply_values(follower.job)[i].calls, fake.calls[i]);
    ck_assert_int_eq(viewer_sync_missing(&follower), VIEWER_SNAPSHOT_NOTHING);
}
END_TEST

START_TEST(copies_are_dropped_in_silence)
{
    attach();
    tick(false, 1);
    uint64_t frames = link_.frames;
    ck_assert(!take());
    ck_assert_uint_eq(link_.frames, frames);
    ck_assert_uint_eq(link_.gaps + link_.malformed + link_.foreign, 0);
}
END_TEST

START_TEST(the_first_frame_of_a_topic_may_have_any_number)
{
    fake.seq[WIRE_HELLO] = 900;
    fake_hello(&fake, 0, false);
    ck_assert(take());
    ck_assert_uint_eq(link_.gaps, 0);
    fake.seq[WIRE_HELLO] += 4;
    fake_hello(&fake, 0, false);
    ck_assert(take());
    ck_assert_uint_eq(link_.gaps, 4);
}
END_TEST

/* An answer has newer values than the lost frames, which still count as lost. Frames that it
 * overtook arrive later and do not count as lost. */
START_TEST(losses_are_counted_whatever_is_answered)
{
    attach();
    fake_hello(&fake, 0, false);
    ck_assert(take());
    fake.seq[WIRE_HELLO] += 2; /* lost */
    uint8_t late[WIRE_FRAME_MAX];
    fake_hello(&fake, 0, false);
    const size_t size = fake.size;
    memcpy(late, fake.bytes, size);
    const uint64_t frames = link_.frames;
    fake_hello(&fake, 7, false);
    ck_assert(take_answer());
    ck_assert_uint_eq(link_.gaps, 0);
    viewer_sync_take(&follower, late, size, false);
    ck_assert_uint_eq(link_.gaps, 2);
    ck_assert_uint_eq(link_.healing, 0);
    ck_assert_uint_eq(link_.frames - frames, 2);
    fake_hello(&fake, 0, false);
    ck_assert(take());
    ck_assert_uint_eq(link_.gaps, 2);
}
END_TEST

/* Subscribe first, request second: frames before the snapshot are pending and superseded by it.
 * Frames after it count. */
START_TEST(frames_before_the_snapshot_are_held)
{
    fake_work(&fake, 1);
    fake_values(&fake, 0, 0, 1);
    ck_assert(take());
    ck_assert_uint_eq(follower.pending.count, 1);
    ck_assert_uint_eq(model_job_count(follower.job, MODEL_APPLY), 0);
    uint64_t req = ask();
    fake_work(&fake, 1);
    fake_values(&fake, 0, 0, 1);
    take();
    answer_all(req);
    fake_reply(&fake, req, "snapshot", true, 4);
    take_answer();
    ck_assert_uint_eq(follower.pending.count, 0);
    ck_assert(follower.whole);
    ck_assert(fake_equals(&fake, follower.job));
    ck_assert_uint_eq(link_.falls + link_.gaps + link_.over_limit, 0);
}
END_TEST

/* The snapshot is older than the stream: its rows neither decrease nor count as decreases. */
START_TEST(an_older_snapshot_takes_nothing_back)
{
    struct fake before;
    fake_work(&fake, 3);
    fake_defs(&fake, 0);
    take();
    memcpy(&before, &fake, sizeof before);
    fake_work(&fake, 3);
    fake_values(&fake, 0, 0, 1);
    take();
    uint64_t req = ask();
    fake_values(&before, req, 0, 1);
    viewer_sync_take(&follower, before.bytes, before.size, true);
    ck_assert_uint_eq(link_.falls, 0);
    ck_assert_uint_eq(model_job_apply_values(follower.job)[9].calls, fake.calls[9]);
}
END_TEST

/* Half of the rows are answered. Then the job sends a stream frame with all rows, then the other
 * half of the answer, which overtakes that frame. The data is not final without the frame, since
 * only it updates the first half. It does not revert the second half. */
START_TEST(a_frame_that_was_sent_between_two_answers_counts)
{
    fake_work(&fake, 1);
    fake_hello(&fake, 0, false);
    take();
    const uint64_t req = ask(), first = fake.tick % 2;
    answer_functions(req);
    fake_values(&fake, req, 1, 1);
    take_answer();
    fake_values(&fake, req, 0, 2);
    take_answer();
    fake_work(&fake, 2);
    fake_values(&fake, 0, 0, 1);
    const struct fake between = fake;
    fake_work(&fake, 1);
    fake_work(&fake, 1);
    fake_values(&fake, req, 0, 2);
    take_answer();
    fake_reply(&fake, req, "snapshot", true, 5);
    take_answer();
    ck_assert(follower.whole);
    fake_hello(&fake, 0, true);
    take();
    ck_assert(!follower.final);
    viewer_sync_take(&follower, between.bytes, between.size, false);
    ck_assert(follower.final);
    for (unsigned i = 0; i < FAKE_APPLIES / 2; i++)
        ck_assert_uint_eq(model_job_apply_values(follower.job)[i].calls, i % 2 == first ? 3 : 5);
    ck_assert_uint_eq(link_.falls + link_.gaps + link_.malformed, 0);
}
END_TEST

START_TEST(missing_definitions_are_requested_and_frame_is_applied)
{
    attach();
    fake.defs[WIRE_T_THREAD]++;
    fake_work(&fake, 1);
    fake_values(&fake, 0, 0, 1);
    take();
    fake_values(&fake, 0, 1, 1);
    take();
    ck_assert_uint_eq(follower.pending.count, 2);
    ck_assert_int_eq(viewer_sync_missing(&follower), VIEWER_SNAPSHOT_DEFS);
    ask();
    struct wire_text name = {"worker", 6};
    const uint64_t tid = 7;
    const struct wire_source columns[] = {{.text = &name}, {.u = &tid}};
    struct wire_writer w;
    wire_begin(&w, fake.bytes, sizeof fake.bytes, WIRE_DEFS, 0);
    wire_put_u64(&w, WIRE_F_VER, 1);
    wire_put_bin16(&w, WIRE_F_INST, fake.instance);
    for (enum wire_field f = WIRE_F_EPOCH; f <= WIRE_F_WALL; f++)
        wire_put_u64(&w, f, 1);
    wire_put_counts(&w, WIRE_F_DEFS, fake.defs);
    wire_put_u64(&w, WIRE_F_REQ, follower.snapshot);
    wire_put_group(&w, WIRE_G_THREAD, FAKE_THREADS, 1, columns);
    fake.size = wire_end(&w);
    take_answer();
    ck_assert_uint_eq(follower.pending.count, 0);
    ck_assert(fake_equals(&fake, follower.job));
    ck_assert_str_eq(model_job_thread(follower.job, FAKE_THREADS)->name.raw, "worker");
}
END_TEST

START_TEST(held_frames_are_bounded)
{
    attach();
    fake.defs[WIRE_T_THREAD] = 1000;
    for (unsigned i = 0; i < WIRE_HELD_MAX + 10; i++) {
        fake_work(&fake, 1);
        fake_values(&fake, 0, 0, 1);
        take();
    }
    ck_assert_uint_eq(follower.pending.count, WIRE_HELD_MAX);
    ck_assert_uint_eq(link_.over_limit, 10);
    ck_assert_uint_eq(model_job_count(follower.job, MODEL_THREAD), FAKE_THREADS);
}
END_TEST

START_TEST(a_new_epoch_begins_from_nothing)
{
    attach();
    fake.epoch = 2;
    memset(fake.calls, 0, sizeof fake.calls);
    memset(fake.total_ns, 0, sizeof fake.total_ns);
    fake_work(&fake, 1);
    fake_values(&fake, 0, 0, 1);
    ck_assert(take());
    ck_assert(!follower.whole);
    ck_assert(!model_job_complete(follower.job));
    ck_assert_uint_eq(model_job_epoch(follower.job), 2);
    ck_assert_uint_eq(model_job_apply_values(follower.job)[0].calls, 1);
    ck_assert_uint_eq(model_job_apply_values(follower.job)[150].calls, 0);
    ck_assert_int_eq(viewer_sync_missing(&follower), VIEWER_SNAPSHOT_ALL);
    fake.epoch = 1;
    fake.calls[0] = 50;
    fake_values(&fake, 0, 0, 1);
    ck_assert(!take());
    ck_assert_uint_eq(model_job_apply_values(follower.job)[0].calls, 1);
    ck_assert_uint_eq(link_.falls, 0);
}
END_TEST

/* A job with continuous resets announces the epoch in the first frame of each answer. */
START_TEST(a_snapshot_may_begin_an_epoch)
{
    attach();
    fake_work(&fake, 1);
    for (fake.epoch = 2; fake.epoch < 5; fake.epoch++) {
        follower.whole = false;
        take_snapshot();
        ck_assert(follower.whole && fake_equals(&fake, follower.job));
        ck_assert_uint_eq(model_job_epoch(follower.job), fake.epoch);
        ck_assert_uint_eq(link_.snapshots, fake.epoch);
    }
}
END_TEST

/* Its rows of the earlier epoch would be missing. */
START_TEST(a_snapshot_that_an_epoch_begins_amid_is_given_up)
{
    attach();
    follower.whole = false;
    uint64_t req = ask();
    if (_i == 0) {
        fake_functions(&fake, req);
        take_answer();
    }
    fake.epoch = 2;
    fake_values(&fake, _i == 0 ? req : 0, 0, 1);
    ck_assert(viewer_sync_take(&follower, fake.bytes, fake.size, _i == 0));
    ck_assert_uint_eq(follower.snapshot, 0);
    fake_reply(&fake, req, "snapshot", true, 2);
    take_answer();
    ck_assert(!follower.whole);
    ck_assert_int_eq(viewer_sync_missing(&follower), VIEWER_SNAPSHOT_ALL);
}
END_TEST

/* The instance that answers is the current one. */
START_TEST(a_new_instance_begins_a_new_job)
{
    static struct fake next;
    attach();
    struct model_job *kept = model_job_retain(follower.job);
    fake_init(&next, 2);
    fake_hello(&next, ask_hello(), false);
    ck_assert(viewer_sync_take(&follower, next.bytes, next.size, true));
    ck_assert_ptr_ne(follower.job, kept);
    ck_assert_uint_eq(model_job_count(follower.job, MODEL_APPLY), 0);
    ck_assert_uint_eq(model_job_notices(follower.job), 1);
    ck_assert_int_eq(viewer_sync_missing(&follower), VIEWER_SNAPSHOT_ALL);
    fake_work(&fake, 1);
    fake_values(&fake, 0, 0, 1);
    ck_assert(!take());
    ck_assert_uint_eq(link_.foreign, 1);
    ck_assert_uint_eq(model_job_apply_values(kept)[0].calls, 3);
    model_job_release(&kept);
}
END_TEST

/* A foreign frame of any stream: among the facts, or as the answer to an older request. */
START_TEST(a_foreign_frame_blinds_nobody)
{
    static struct fake other;
    attach();
    fake_init(&other, 2);
    uint64_t old = ask_hello(), foreign = 0;
    fake_hello(&fake, old, false);
    take_answer();
    for (unsigned kind = 0; kind < 10; kind++) {
        const bool answer = kind % 2 == 1;
        const uint64_t req = answer ? old : 0;
        fake_work(&other, 1);
        if (kind / 2 == 0)
            fake_hello(&other, req, kind > 0);
        else if (kind / 2 == 1)
            fake_defs(&other, req);
        else if (kind / 2 == 2)
            fake_functions(&other, req);
        else if (kind / 2 == 3)
            fake_values(&other, req, 0, 1);
        else
            fake_hello(&other, req, true);
        ck_assert(!viewer_sync_take(&follower, other.bytes, other.size, answer));
        ck_assert_uint_eq(link_.foreign, ++foreign);
        fake_work(&fake, 1);
        fake_values(&fake, 0, 0, 1);
        ck_assert(take());
        fake_values(&fake, 0, 1, 1);
        ck_assert(take());
        ck_assert(follower.whole && fake_equals(&fake, follower.job));
    }
    ck_assert_uint_eq(link_.gaps + link_.malformed + link_.falls, 0);
    ck_assert_uint_eq(model_job_notices(follower.job), 0);
}
END_TEST

/* The other instance was accepted since none was known, or since it answered. */
START_TEST(a_wrong_turn_is_taken_back)
{
    static struct fake other;
    fake_init(&other, 2);
    fake_hello(&other, 0, false);
    ck_assert(viewer_sync_take(&follower, other.bytes, other.size, false));
    for (unsigned i = 0; i < 20; i++) {
        fake_hello(&fake, ask_hello(), false);
        ck_assert(take_answer());
        ck_assert_mem_eq(model_job_identity(follower.job)->instance, fake.instance, 16);
        take_snapshot();
        ck_assert(follower.whole && fake_equals(&fake, follower.job));
        fake_hello(&other, ask_hello(), false);
        ck_assert(viewer_sync_take(&follower, other.bytes, other.size, true));
        ck_assert_mem_eq(model_job_identity(follower.job)->instance, other.instance, 16);
    }
}
END_TEST

/* The parent of a job's first instance is not the parent of the next instance. */
START_TEST(a_parent_that_was_found_is_that_of_the_first_instance)
{
    static const uint8_t parent[16] = {7, 8, 9}, none[16];
    viewer_sync_release(&follower);
    viewer_sync_init(&follower, &link_, parent);
    fake_hello(&fake, 0, false);
    take();
    ck_assert_mem_eq(model_job_identity(follower.job)->parent, parent, 16);
    fake_init(&fake, 2);
    fake_hello(&fake, ask_hello(), false);
    take_answer();
    ck_assert_mem_eq(model_job_identity(follower.job)->parent, none, 16);
}
END_TEST

START_TEST(falls_are_counted_and_not_applied)
{
    attach();
    fake.calls[7] = 1;
    fake.total_ns[7] = 1;
    fake_values(&fake, 0, 0, 1);
    take();
    ck_assert_uint_ge(link_.falls, 1);
    ck_assert_uint_eq(model_job_apply_values(follower.job)[7].calls, 3);
}
END_TEST

/* --------------------------------------------------------------------------- frames that are wrong
 */

static void cut(void)
{
    fake.size--;
}
static void lengthen(void)
{
    fake.bytes[fake.size++] = 0xc0;
}
static void retopic(void)
{
    fake.bytes[0] = 'Z';
}
static void become_request(void)
{
    fake.bytes[0] = 'Q';
}
static void become_empty(void)
{
    fake.size = 0;
}
static void grow(void)
{
    fake.size = WIRE_FRAME_MAX;
    memset(fake.bytes + 2, 0, WIRE_FRAME_MAX - 2);
}
/* The value of `ver` comes after the topic A/0/, the head of the map and the key. */
static void change_version(void)
{
    uint8_t *key = memmem(fake.bytes, fake.size, "ver", 3);
    key[3] = 9;
}
/* Changes the first id difference, in a column of one byte each, to a value beyond all ids. */
static void raise_id(void)
{
    uint8_t *key = memmem(fake.bytes, fake.size, "id", 2);
    key[4 + 50] = 200;
}
static void repeat_id(void)
{
    uint8_t *key = memmem(fake.bytes, fake.size, "id", 2);
    key[4 + 50] = 0;
}
static void lose_key(void)
{
    uint8_t *key = memmem(fake.bytes, fake.size, "calls", 5);
    key[0] = 'k';
}
static void double_key(void)
{
    uint8_t *key = memmem(fake.bytes, fake.size, "mono", 4);
    memcpy(key, "tick", 4);
}
static void widen(void)
{
    uint8_t *key = memmem(fake.bytes, fake.size, "calls", 5);
    key[6]--; /* size of the bin: no longer a multiple of the rows */
}
static void claim_defs(void)
{
    uint8_t *key = memmem(fake.bytes, fake.size, "defs", 4);
    key[5] = 0xcf; /* fixint 2 becomes the head of a large integer */
}
static void claim_more_than_there_may_be(void)
{
    fake.defs[WIRE_T_CLASS] = WIRE_CLASSES_MAX + 1;
    fake_values(&fake, 0, 0, 1);
}
static void number_zero(void)
{
    fake.seq_of[0] = UINT64_MAX;
    fake_values(&fake, 0, 0, 1);
}
static void answer_nothing(void)
{
    fake_values(&fake, 77, 0, 1);
}
static void epoch_none(void)
{
    fake.epoch = 0;
    fake_values(&fake, 0, 0, 1);
}
static void epoch_absurd(void)
{
    fake.epoch = UINT64_C(1) << 40;
    fake_values(&fake, 0, 0, 1);
}

static const struct {
    void (*spoil)(void);
    uint64_t malformed, other_version, over_limit;
} faults[] = {
    {cut, 1, 0, 0},
    {lengthen, 1, 0, 0},
    {retopic, 1, 0, 0},
    {become_request, 1, 0, 0},
    {become_empty, 1, 0, 0},
    {grow, 1, 0, 0},
    {change_version, 0, 1, 0},
    {raise_id, 1, 0, 0},
    {repeat_id, 1, 0, 0},
    {lose_key, 1, 0, 0},
    {double_key, 1, 0, 0},
    {widen, 1, 0, 0},
    {claim_defs, 1, 0, 0},
    {claim_more_than_there_may_be, 0, 0, 1},
    {number_zero, 1, 0, 0},
    {answer_nothing, 1, 0, 0},
    {epoch_none, 1, 0, 0},
    {epoch_absurd, 1, 0, 0},
};

START_TEST(a_wrong_frame_is_counted_and_dropped_whole)
{
    attach();
    fake_work(&fake, 1);
    fake_values(&fake, 0, 0, 1);
    faults[_i].spoil();
    ck_assert(!take());
    ck_assert_uint_eq(link_.malformed, faults[_i].malformed);
    ck_assert_uint_eq(link_.other_version, faults[_i].other_version);
    ck_assert_uint_eq(link_.over_limit, faults[_i].over_limit);
    for (unsigned i = 0; i < FAKE_APPLIES; i++)
        ck_assert_uint_eq(model_job_apply_values(follower.job)[i].calls, 3);
    ck_assert_uint_eq(model_job_epoch(follower.job), 1);
}
END_TEST

START_TEST(a_frame_that_is_too_long_is_over_the_limit)
{
    uint8_t *bytes = calloc(1, WIRE_FRAME_MAX + 1);
    attach();
    memcpy(bytes, fake.bytes, fake.size);
    ck_assert(!viewer_sync_take(&follower, bytes, WIRE_FRAME_MAX + 1, false));
    ck_assert_uint_eq(link_.over_limit, 1);
    free(bytes);
}
END_TEST

/* Five instances of a job, each with the largest possible jump of numbers. */
START_TEST(absurd_jumps_do_not_wrap)
{
    uint64_t before = 0;
    for (uint8_t life = 1; life <= 5; life++) {
        fake_init(&fake, life);
        fake_hello(&fake, ask_hello(), false);
        ck_assert(take_answer());
        fake_hello(&fake, 0, false);
        ck_assert(take());
        fake.seq[WIRE_HELLO] = (UINT64_C(1) << 62) - 2;
        fake_hello(&fake, 0, false);
        ck_assert(take());
        ck_assert_uint_gt(link_.gaps, before);
        before = link_.gaps;
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("sync");
    TCase *c = tcase_create("sync");
    tcase_set_timeout(c, TAP_TIMEOUT);
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, attaching_makes_a_whole_picture);
    tcase_add_test(c, a_snapshot_that_lost_a_frame_is_not_whole);
    tcase_add_test(c, a_refusal_is_kept_and_safe);
    tcase_add_test(c, a_refused_snapshot_is_forgotten);
    tcase_add_test(c, a_gap_heals_in_64_ticks);
    tcase_add_test(c, copies_are_dropped_in_silence);
    tcase_add_test(c, the_first_frame_of_a_topic_may_have_any_number);
    tcase_add_test(c, losses_are_counted_whatever_is_answered);
    tcase_add_test(c, frames_before_the_snapshot_are_held);
    tcase_add_test(c, an_older_snapshot_takes_nothing_back);
    tcase_add_test(c, a_frame_that_was_sent_between_two_answers_counts);
    tcase_add_test(c, missing_definitions_are_requested_and_frame_is_applied);
    tcase_add_test(c, held_frames_are_bounded);
    tcase_add_test(c, a_new_epoch_begins_from_nothing);
    tcase_add_test(c, a_snapshot_may_begin_an_epoch);
    tcase_add_loop_test(c, a_snapshot_that_an_epoch_begins_amid_is_given_up, 0, 2);
    tcase_add_test(c, a_new_instance_begins_a_new_job);
    tcase_add_test(c, a_foreign_frame_blinds_nobody);
    tcase_add_test(c, a_wrong_turn_is_taken_back);
    tcase_add_test(c, a_parent_that_was_found_is_that_of_the_first_instance);
    tcase_add_test(c, absurd_jumps_do_not_wrap);
    tcase_add_test(c, falls_are_counted_and_not_applied);
    tcase_add_test(c, a_frame_that_is_too_long_is_over_the_limit);
    tcase_add_loop_test(c, a_wrong_frame_is_counted_and_dropped_whole, 0, TAP_ROWS(faults));
    suite_add_tcase(s, c);
    return s;
}

TAP_MAIN(suite)

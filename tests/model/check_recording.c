/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_recording.c: a random job runs and is recorded. The job that is read back has the same JSON
 * at each moment. Bytes that were cut or changed are refused, and never make a job that cannot be
 * shown.
 */
#include "model/recording.h"

#include "running.h"

enum { TICKS = 120, HISTORY = 64 << 20 };

/* A job that was recorded: its JSON by tick, and its recording. */
struct recorded {
    char *truth[TICKS];
    struct model_record_out out;
    size_t segment[TICKS]; /* where it begins */
    unsigned segments;
};

static uint64_t stamp(uint64_t tick)
{
    return (tick + 1) * UINT64_C(100) * MS;
}

/* Details of an apply. Those of an older moment are not kept: each revision tells the same. */
static void tell_details(struct model_job *job, uint32_t apply, uint64_t rev)
{
    char place[32];
    snprintf(place, sizeof(place), "d.py:%u", (unsigned)apply);
    const struct model_value_raw value[3] = {
        {.dtype = sample_bytes("float32"),
         .shape = sample_bytes("[2,3]"),
         .bytes = 24,
         .source = MODEL_NONE,
         .strides = sample_bytes("[12,4]")},
        {.bytes = MODEL_UNKNOWN, .source = 0, .output = 1},
        {.dtype = sample_bytes("int8"),
         .shape = sample_bytes("[]"),
         .bytes = 1,
         .source = MODEL_NONE,
         .alias = 2,
         .result = 1},
    };
    const struct model_about_raw about = {.rev = rev,
                                          .flops = apply % 3 ? 5 : MODEL_UNKNOWN,
                                          .bytes = MODEL_UNKNOWN,
                                          .thunk_ns = apply,
                                          .inputs = 2,
                                          .outputs = 1,
                                          .one_in = apply % 2,
                                          .value = value,
                                          .device = sample_bytes("cpu"),
                                          .location = sample_bytes(apply % 2 ? "" : place),
                                          .rewrite = sample_bytes("fusion"),
                                          .library = sample_bytes("l.py:3"),
                                          .impl = MODEL_IMPL_C};
    ck_assert(model_job_set_about(job, apply, &about));
}

/* Facts that random jobs lack: details of applies, notices, texts and numbers of the hello. */
static void tell_more(struct model_job *job, unsigned tick)
{
    struct model_identity *who = model_job_identity_mutable(job);
    const uint32_t told = model_job_count(job, MODEL_APPLY) < 5 ? 1 : 5;
    char text[64];
    const int size = snprintf(text, sizeof(text), "tick %u", tick);
    for (uint32_t apply = 0; apply < told; apply++)
        if (tick == 0 || tick % 9 == apply)
            tell_details(job, apply, tick + 1);
    ck_assert(model_job_set_text(job, &who->program, "\x1b[31mtrain\xff", 11));
    ck_assert(
        model_job_set_text(job, &who->framework, tick > 9 ? "pytensor" : "", tick > 9 ? 8 : 0));
    who->pid = 4711;
    who->dropped = tick / 10;
    who->cost = 0.01 * tick;
    who->tick_ms = 100;
    if (tick % 30 == 1)
        ck_assert(model_job_add_notice(job, stamp(tick), tick % 3, text, (size_t)size));
    if (tick == 60)
        who->mute = 2;
    if (tick == 0) {
        who->mute = 4;
        model_job_set_left_out(job, MODEL_FUNCTION, 0, true);
        model_job_set_left_out(job, MODEL_APPLY, 1, true);
    }
}

static struct model_job *record(struct recorded *to, uint64_t seed, size_t limit, uint64_t every_ns,
                                bool at_end)
{
    struct sample_random r = {seed}, other = {seed + 7};
    struct model_job *job = new_job(seed);
    struct model_history *history = model_history_new(job, limit);
    struct model_recorder *recorder = model_recorder_new(job, every_ns);
    for (unsigned tick = 0; tick < TICKS; tick++) {
        run(job, &r, tick);
        tell_more(job, tick);
        model_history_commit(history);
        to->truth[tick] = printed(model_state_take(job, MODEL_ALL, NULL));
        if (!at_end && (tick == 0 || sample_below(&other, 10) == 0)) {
            to->segment[to->segments++] = to->out.size;
            ck_assert(model_recorder_segment(recorder, &to->out));
        }
        if (!at_end && sample_below(&other, 3) > 0)
            ck_assert(model_recorder_take(recorder, SIZE_MAX, &to->out));
    }
    ck_assert(model_recorder_take(recorder, SIZE_MAX, &to->out));
    ck_assert(model_recorder_finish(recorder, &to->out));
    model_recorder_free(&recorder);
    model_history_free(&history);
    return job;
}

static void release(struct recorded *recorded)
{
    for (unsigned tick = 0; tick < TICKS; tick++)
        free(recorded->truth[tick]);
    free(recorded->out.data);
}

static struct model_bytes bytes_from(const struct recorded *recorded, size_t from)
{
    return (struct model_bytes){(const char *)recorded->out.data + from, recorded->out.size - from};
}

/* Notices, and what the hello tells, are of the end at any moment. They are compared at the end
 * alone: they stand around the rest. */
static void same_moment(char *json, const char *was, uint64_t tick)
{
    const char *is = strstr(json, "\"complete\"");
    char *notices = strstr(json, "\"notices\"");
    ck_assert(is && notices && strstr(was, "\"complete\""));
    const size_t size = (size_t)(notices - is);
    char *copy = strdup(strstr(was, "\"complete\""));
    ck_assert_uint_gt(strlen(copy), size);
    copy[size] = *notices = '\0';
    same(is, copy, tick);
    free(copy);
}

/* Compares each moment of a recording. Returns their number. */
static uint32_t check_moments(struct model_job *job, const struct recorded *recorded)
{
    struct model_history *history = model_history_of(job);
    struct sample_random steps = {3};
    struct model_past *past = model_past_new(history);
    const uint32_t count = model_history_count(history);
    ck_assert_ptr_nonnull(past);
    for (unsigned n = 0; n < 2 * count; n++) {
        const uint32_t at = n < count ? n : (uint32_t)sample_below(&steps, count);
        ck_assert(model_past_seek(past, at));
        const uint64_t tick = model_past_mono_ns(past) / (100 * MS) - 1;
        ck_assert_uint_lt(tick, TICKS);
        char *json = printed(model_past_take(past, MODEL_ALL, NULL));
        same_moment(json, recorded->truth[tick], tick);
        free(json);
    }
    model_past_free(&past);
    return count;
}

static struct model_playback *play(struct model_bytes bytes, size_t history)
{
    char why[256];
    struct model_playback *playback = model_playback_new(history);
    ck_assert_msg(model_playback_take(playback, bytes, why, sizeof(why)), "%s", why);
    return playback;
}

static void end(struct model_playback **playback)
{
    struct model_job *job = model_playback_job(*playback);
    struct model_history *history = job ? model_history_of(job) : NULL;
    model_playback_free(playback);
    model_history_free(&history);
}

/* From the begin, and from each segment on. */
START_TEST(a_recording_is_the_job)
{
    struct recorded recorded = {.segments = 0};
    struct model_job *job = record(&recorded, (uint64_t)_i + 1, HISTORY, 0, false);
    for (unsigned i = 0; i < recorded.segments; i++) {
        struct model_playback *playback = play(bytes_from(&recorded, recorded.segment[i]), HISTORY);
        struct model_job *read = model_playback_job(playback);
        ck_assert_ptr_nonnull(read);
        char *json = printed(model_state_take(read, MODEL_ALL, NULL));
        same(json, recorded.truth[TICKS - 1], TICKS - 1);
        free(json);
        const uint32_t count = check_moments(read, &recorded);
        ck_assert(i > 0 || count == TICKS);
        ck_assert_uint_eq(count, model_playback_moments(playback));
        end(&playback);
    }
    model_job_release(&job);
    release(&recorded);
}
END_TEST

static struct model_bytes segment_of(const struct recorded *recorded, unsigned segment)
{
    struct model_bytes bytes = bytes_from(recorded, recorded->segment[segment]);
    if (segment + 1 < recorded->segments)
        bytes.size = recorded->segment[segment + 1] - recorded->segment[segment];
    return bytes;
}

/* Segment by segment, from the last to the first, as one steps back through a long recording. */
START_TEST(older_segments_are_put_before)
{
    struct recorded recorded = {.segments = 0};
    struct model_job *job = record(&recorded, (uint64_t)_i + 1, HISTORY, 0, false);
    unsigned segment = recorded.segments - 1;
    struct model_playback *playback = play(segment_of(&recorded, segment), HISTORY);
    struct model_job *read = model_playback_job(playback);
    struct model_history *history = model_history_of(read);
    struct model_past *past = model_past_new(history);
    while (segment-- > 0) {
        struct model_playback *before = play(segment_of(&recorded, segment), HISTORY);
        if (!model_playback_job(before)) { /* it began before there was a moment */
            end(&before);
            continue;
        }
        struct model_history *older = model_history_of(model_playback_job(before));
        const uint32_t had = model_history_count(history), more = model_history_count(older);
        /* The segment itself is no neighbour of what it was put before. */
        ck_assert(!model_history_prepend(older, older) || more < 2);
        ck_assert(more < 2 || model_history_prepend(history, older));
        if (more >= 2) {
            ck_assert_uint_eq(model_history_count(history), had + more - 1);
            ck_assert(!model_history_prepend(history, older)); /* it has none any more */
        }
        end(&before);
        ck_assert(model_past_seek(past, 0));
    }
    check_moments(read, &recorded);
    ck_assert_uint_eq(model_history_count(history), TICKS);
    model_past_free(&past);
    end(&playback);
    model_job_release(&job);
    release(&recorded);
}
END_TEST

/* Moments of another job do not fit. */
START_TEST(other_moments_are_not_put_before)
{
    struct recorded one = {.segments = 0}, two = {.segments = 0};
    struct model_job *a = record(&one, 2, HISTORY, 0, false);
    struct model_job *b = record(&two, 4, HISTORY, 0, false);
    for (unsigned i = 1; i < one.segments && i < two.segments; i++) {
        struct model_playback *playback = play(segment_of(&one, i), HISTORY);
        struct model_playback *other = play(segment_of(&two, i - 1), HISTORY);
        if (!model_playback_job(other) || !model_playback_job(playback)) {
            end(&playback);
            end(&other);
            continue;
        }
        ck_assert(!model_history_prepend(model_history_of(model_playback_job(playback)),
                                         model_history_of(model_playback_job(other))));
        check_moments(model_playback_job(playback), &one);
        end(&playback);
        end(&other);
    }
    model_job_release(&a);
    model_job_release(&b);
    release(&one);
    release(&two);
}
END_TEST

/* The ring is written when all has happened: r on the screen. Little memory has fewer moments. */
START_TEST(a_ring_is_saved)
{
    struct recorded recorded = {.segments = 0};
    const size_t limit = _i == 0 ? HISTORY : 40000 * (size_t)_i;
    struct model_job *job = record(&recorded, (uint64_t)_i + 1, limit, 0, true);
    struct model_playback *playback = play(bytes_from(&recorded, 0), HISTORY);
    const uint32_t count = check_moments(model_playback_job(playback), &recorded);
    ck_assert(_i == 0 ? count == TICKS : count > 1 && count < TICKS);
    end(&playback);
    model_job_release(&job);
    release(&recorded);
}
END_TEST

/* The recorder comes too seldom for a small ring: it begins anew where moments are lost. */
START_TEST(lost_moments_leave_a_gap)
{
    struct recorded recorded = {.segments = 0};
    struct model_job *job = record(&recorded, (uint64_t)_i + 1, 3000 + 500 * (size_t)_i, 0, false);
    struct model_playback *playback = play(bytes_from(&recorded, 0), HISTORY);
    ck_assert_uint_gt(check_moments(model_playback_job(playback), &recorded), 0);
    end(&playback);
    model_job_release(&job);
    release(&recorded);
}
END_TEST

/* One moment a second; each epoch keeps its last. */
START_TEST(moments_are_added_up)
{
    struct recorded recorded = {.segments = 0};
    struct model_job *job =
        record(&recorded, (uint64_t)_i + 1, HISTORY, UINT64_C(1000) * MS, false);
    struct model_playback *playback = play(bytes_from(&recorded, 0), HISTORY);
    struct model_history *history = model_history_of(model_playback_job(playback));
    const uint32_t count = check_moments(model_playback_job(playback), &recorded);
    uint32_t ticks = 0;
    for (uint32_t at = 0; at < count; at++)
        ticks += model_history_at(history, at).ticks;
    ck_assert_uint_eq(ticks, TICKS);
    ck_assert_uint_le(count, 1 + TICKS / 10 + 4);
    ck_assert_uint_eq(model_history_at(history, count - 1).mono_ns, stamp(TICKS - 1));
    end(&playback);
    model_job_release(&job);
    release(&recorded);
}
END_TEST

START_TEST(reading_stops_at_a_time)
{
    struct recorded recorded = {.segments = 0};
    struct model_job *job = record(&recorded, 4, HISTORY, 0, false);
    for (unsigned tick = 0; tick < TICKS; tick += 7) {
        char why[256];
        struct model_playback *playback = model_playback_new(0);
        model_playback_until(playback, stamp(tick) + MS);
        ck_assert(model_playback_take(playback, bytes_from(&recorded, 0), why, sizeof(why)));
        ck_assert(model_playback_over(playback) == (tick < TICKS - 1));
        struct model_job *read = model_playback_job(playback);
        ck_assert_ptr_null(model_history_of(read));
        char *json = printed(model_state_take(read, MODEL_ALL, NULL));
        same_moment(json, recorded.truth[tick], tick);
        free(json);
        end(&playback);
    }
    model_job_release(&job);
    release(&recorded);
}
END_TEST

static void check_any(const struct model_playback *playback)
{
    struct model_job *job = model_playback_job(playback);
    if (job)
        free(printed(model_state_take(job, MODEL_ALL, NULL)));
}

/* What is left of a record that was cut is refused with a sentence, and the moments before it are
 * whole. */
START_TEST(cut_anywhere)
{
    struct recorded recorded = {.segments = 0};
    struct model_job *job = record(&recorded, 2, HISTORY, 0, false);
    const uint8_t *data = recorded.out.data;
    for (size_t size = 0; size < recorded.out.size;
         size += size < 900 ? tap_stride() : 701 * tap_stride()) {
        char why[256];
        uint8_t *copy = malloc(size + 1); /* so that a sanitizer sees what is read behind it */
        memcpy(copy, data, size);
        struct model_playback *playback = model_playback_new(HISTORY);
        const bool fine = model_playback_take(
            playback, (struct model_bytes){(const char *)copy, size}, why, sizeof(why));
        ck_assert(fine == !why[0]);
        struct model_job *read = model_playback_job(playback);
        if (read) {
            /* Behind the last whole moment there may be definitions of the one that was cut. */
            struct model_history *history = model_history_of(read);
            struct model_past *past = model_past_new(history);
            ck_assert(model_past_seek(past, model_history_count(history) - 1));
            const uint64_t tick = model_past_mono_ns(past) / (100 * MS) - 1;
            ck_assert_uint_eq(model_past_mono_ns(past), model_job_mono_ns(read));
            char *json = printed(model_past_take(past, MODEL_ALL, NULL));
            model_past_free(&past);
            ck_assert_uint_lt(tick, TICKS);
            same_moment(json, recorded.truth[tick], tick);
            free(json);
            if (size % 11 == 0)
                check_moments(read, &recorded);
        }
        end(&playback);
        free(copy);
    }
    model_job_release(&job);
    release(&recorded);
}
END_TEST

START_TEST(changed_anywhere)
{
    struct recorded recorded = {.segments = 0};
    struct sample_random r = {(uint64_t)_i + 1};
    struct model_job *job = record(&recorded, 2, HISTORY, 0, false);
    unsigned refused = 0;
    for (unsigned n = 0; n < 150; n++) {
        char why[256];
        uint8_t *copy = malloc(recorded.out.size);
        memcpy(copy, recorded.out.data, recorded.out.size);
        for (unsigned k = 0; k < 1 + n % 3; k++)
            copy[sample_below(&r, recorded.out.size)] = (uint8_t)sample_next(&r);
        struct model_playback *playback = model_playback_new(HISTORY);
        refused += !model_playback_take(playback,
                                        (struct model_bytes){(const char *)copy, recorded.out.size},
                                        why, sizeof(why));
        check_any(playback);
        end(&playback);
        free(copy);
    }
    ck_assert_uint_gt(refused, 20);
    model_job_release(&job);
    release(&recorded);
}
END_TEST

/* A record may have any size, whatever its kind has, and stand first or behind a whole recording.
 */
START_TEST(records_of_any_size)
{
    struct recorded recorded = {.segments = 0};
    struct model_job *job = record(&recorded, 2, HISTORY, 0, false);
    for (unsigned kind = 0; kind < 64; kind++)
        for (size_t size = 0; size < 48; size++) {
            struct model_record_out one = {.size = 0};
            struct model_playback *playback =
                size % 16 ? model_playback_new(HISTORY) : play(bytes_from(&recorded, 0), HISTORY);
            char why[256];
            model_record_begin(&one, kind);
            model_record_put_bytes(&one, recorded.out.data + MODEL_RECORD_HEAD, size);
            model_record_end(&one);
            const bool fine = model_playback_take(
                playback, (struct model_bytes){(const char *)one.data, one.size}, why, sizeof(why));
            ck_assert(fine == !why[0]);
            if (kind == MODEL_RECORD_JOB)
                ck_assert(fine == (size >= 32));
            check_any(playback);
            end(&playback);
            free(one.data);
        }
    model_job_release(&job);
    release(&recorded);
}
END_TEST

/* Two lives of a program do not mix. */
START_TEST(another_job_is_refused)
{
    struct recorded recorded = {.segments = 0};
    struct model_job *job = record(&recorded, 2, HISTORY, 0, false);
    char why[256];
    struct model_playback *playback = play(bytes_from(&recorded, 0), HISTORY);
    uint8_t *copy = malloc(recorded.out.size);
    memcpy(copy, recorded.out.data, recorded.out.size);
    copy[MODEL_RECORD_HEAD] ^= 1;
    ck_assert(!model_playback_take(
        playback, (struct model_bytes){(const char *)copy, recorded.out.size}, why, sizeof(why)));
    ck_assert_ptr_nonnull(strstr(why, "is damaged"));
    end(&playback);
    free(copy);
    model_job_release(&job);
    release(&recorded);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("recording");
    tap_add_loop(s, "recording", a_recording_is_the_job, tap_rounds(12));
    tap_add_loop(s, "before", older_segments_are_put_before, tap_rounds(8));
    tap_add(s, "other", other_moments_are_not_put_before);
    tap_add_loop(s, "ring", a_ring_is_saved, 4);
    tap_add_loop(s, "gap", lost_moments_leave_a_gap, 4);
    tap_add_loop(s, "every", moments_are_added_up, 4);
    tap_add(s, "until", reading_stops_at_a_time);
    tap_add(s, "cut", cut_anywhere);
    tap_add_loop(s, "changed", changed_anywhere, 4);
    tap_add(s, "size", records_of_any_size);
    tap_add(s, "lives", another_job_is_refused);
    return s;
}
TAP_MAIN(suite)

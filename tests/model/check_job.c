/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_job.c: definitions and values as they arrive, in order and out of order.
 */
#include "model/job.h"

#include "model/link.h"
#include "sample.h"
#include "model/state.h"

START_TEST(definitions_need_what_they_name)
{
    struct model_job *job = sample_job();
    ck_assert(!model_job_add_op(job, 2, "x", 1));
    struct model_function_raw function = {.parent = 4};
    ck_assert(!model_job_add_function(job, &function));
    struct model_apply_raw apply = {.function = 2, .op = 0};
    ck_assert(!model_job_add_apply(job, &apply));
    apply = (struct model_apply_raw){.function = 0, .op = 3};
    ck_assert(!model_job_add_apply(job, &apply));
    static const uint32_t counts[MODEL_TABLES] = {2, 3, 2, 1, 4, 0};
    for (unsigned table = 0; table < MODEL_TABLES; table++)
        ck_assert_uint_eq(model_job_count(job, table), counts[table]);
    model_job_release(&job);
    ck_assert_ptr_null(job);
}
END_TEST

START_TEST(definitions_read_back)
{
    struct model_job *job = sample_job();
    struct model_function_raw function = {.name = sample_bytes("inner"),
                                          .file = sample_bytes("train.py"),
                                          .line = 12,
                                          .parent = 2,
                                          .group = 3,
                                          .source = MODEL_ABSENT};
    ck_assert(model_job_add_function(job, &function));
    const struct model_function_def *f = model_job_function(job, 2);
    ck_assert_str_eq(f->name.raw, "inner");
    ck_assert_str_eq(f->file.raw, "train.py");
    ck_assert_uint_eq(f->line, 12);
    ck_assert_uint_eq(f->parent, 2);
    ck_assert_uint_eq(f->group, 3);
    const struct model_function_value *value = model_job_function_values(job);
    ck_assert(value[0].calls == 0 && value[0].call_ns == 0 && value[0].vm_ns == MODEL_UNKNOWN);
    ck_assert(value[2].calls == MODEL_UNKNOWN && value[2].call_ns == MODEL_UNKNOWN);

    struct model_apply_raw apply = {.function = 2,
                                    .op = 1,
                                    .index = 9,
                                    .source = 77,
                                    .kind = 77,
                                    .impl = 77,
                                    .exclusive = true};
    ck_assert(model_job_add_apply(job, &apply));
    const struct model_apply_def *a = model_job_apply(job, 4);
    ck_assert_str_eq(a->text.raw, "Elemwise{mul}"); /* without a text of its own: the op's text */
    ck_assert(a->source == MODEL_TIMED && a->kind == 0 && a->impl == MODEL_IMPL_UNKNOWN);
    ck_assert(a->exclusive && a->index == 9 && a->function == 2);
    ck_assert(model_job_add_thread(job, "main\033", 5, 4711));
    ck_assert_str_eq(model_job_thread(job, 0)->name.shown, "main\xEF\xBF\xBD");
    ck_assert_uint_eq(model_job_thread(job, 0)->tid, 4711);
    ck_assert_ptr_null(model_job_class(job, 2));
    ck_assert_ptr_null(model_job_apply(job, MODEL_NONE));
    model_job_release(&job);
}
END_TEST

START_TEST(falls_are_counted_and_not_applied)
{
    struct model_job *job = sample_job();
    const struct model_apply_value *value = model_job_apply_values(job);
    uint64_t id[] = {0, 1, 2, 3, 4, UINT64_MAX};
    uint64_t calls[] = {9, 21, 30, 5, 1, 1};
    uint64_t total[] = {2000, 499, 8501, 2000, 1, 1};
    uint64_t last[] = {1, 2, 3, MODEL_UNKNOWN, 1, 1};
    ck_assert_uint_eq(model_job_set_values(job, 6, id, calls, total, last, NULL, false), 4);
    ck_assert(value[0].calls == 10 && value[0].total_ns == 1000);
    ck_assert(value[1].calls == 20 && value[1].total_ns == 500);
    ck_assert(value[2].calls == 30 && value[2].total_ns == 8501 && value[2].last_ns == 3);
    ck_assert_uint_eq(value[3].last_ns, MODEL_UNKNOWN);
    /* A snapshot older than the stream is no error. */
    ck_assert_uint_eq(model_job_set_values(job, 4, id, calls, total, last, NULL, true), 0);
    ck_assert_uint_eq(value[1].total_ns, 500);
    ck_assert_uint_eq(sample_value(job, 0, MODEL_UNKNOWN, 5000), 1);
    ck_assert_uint_eq(sample_value(job, 0, 11, MODEL_UNKNOWN), 1);
    ck_assert_uint_eq(value[0].calls, 10);
    model_job_release(&job);
}
END_TEST

START_TEST(extremes)
{
    struct model_job *job = sample_job();
    const struct model_apply_value *value = model_job_apply_values(job);
    ck_assert(value[0].min_ns == MODEL_UNKNOWN && value[0].timed == MODEL_UNKNOWN);
    uint64_t id[] = {0, 9}, min[] = {50, 1}, max[] = {150, 1}, timed[] = {10, 1};
    ck_assert_uint_eq(model_job_set_extremes(job, 2, id, min, max, timed, false), 1);
    ck_assert(value[0].min_ns == 50 && value[0].max_ns == 150 && value[0].timed == 10);
    timed[0] = 9, min[0] = 1;
    ck_assert_uint_eq(model_job_set_extremes(job, 1, id, min, max, timed, false), 1);
    timed[0] = MODEL_UNKNOWN;
    ck_assert_uint_eq(model_job_set_extremes(job, 1, id, min, max, timed, false), 1);
    ck_assert_uint_eq(model_job_set_extremes(job, 1, id, min, max, timed, true), 0);
    ck_assert(value[0].min_ns == 50 && value[0].timed == 10);
    timed[0] = 10;
    ck_assert_uint_eq(model_job_set_extremes(job, 1, id, min, max, timed, false), 0);
    ck_assert(value[0].min_ns == 1 && value[0].max_ns == 150);
    min[0] = 2;
    ck_assert_uint_eq(model_job_set_extremes(job, 1, id, min, max, timed, false), 1);
    min[0] = 1, max[0] = 149;
    ck_assert_uint_eq(model_job_set_extremes(job, 1, id, min, max, timed, false), 1);
    ck_assert(value[0].min_ns == 1 && value[0].max_ns == 150);
    model_job_release(&job);
}
END_TEST

/* MODEL_UNKNOWN means that every call is timed, until the first untimed call. */
START_TEST(every_call_is_timed)
{
    struct model_job *job = sample_job();
    const struct model_apply_value *value = model_job_apply_values(job);
    uint64_t id = 0, ns = 50, timed = MODEL_UNKNOWN;
    ck_assert_uint_eq(model_job_set_extremes(job, 1, &id, &ns, &ns, &timed, false), 0);
    ck_assert_uint_eq(value[0].timed, MODEL_EVERY_CALL);
    ck_assert_uint_eq(sample_value(job, 0, 12, 5000), 0);
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    ck_assert_uint_eq(state->row[MODEL_APPLY][0].timed, 12);
    ck_assert(!state->row[MODEL_APPLY][0].estimated);
    ck_assert_uint_eq(state->row[MODEL_APPLY][1].timed, MODEL_UNKNOWN);
    model_state_free(&state);
    timed = 3;
    ck_assert_uint_eq(model_job_set_extremes(job, 1, &id, &ns, &ns, &timed, false), 0);
    ck_assert_uint_eq(value[0].timed, 3);
    model_job_release(&job);
}
END_TEST

START_TEST(functions_as_a_whole)
{
    struct model_job *job = sample_job();
    const struct model_function_value *value = model_job_function_values(job);
    uint64_t id[] = {0, 2}, calls[] = {7, 1}, ns[] = {900, 1}, vm[] = {800, 1}, open[] = {55, 1};
    ck_assert_uint_eq(model_job_set_calls(job, 2, id, calls, ns, vm, open, false), 1);
    ck_assert(value[0].calls == 7 && value[0].call_ns == 900 && value[0].vm_ns == 800);
    ck_assert_uint_eq(value[0].open_since_ns, 55);
    open[0] = MODEL_UNKNOWN; /* may come and go; no fall */
    ck_assert_uint_eq(model_job_set_calls(job, 1, id, calls, ns, vm, open, false), 0);
    ck_assert_uint_eq(value[0].open_since_ns, MODEL_UNKNOWN);
    vm[0] = 799;
    ck_assert_uint_eq(model_job_set_calls(job, 1, id, calls, ns, vm, open, false), 1);
    ck_assert_uint_eq(model_job_set_calls(job, 1, id, calls, ns, vm, open, true), 0);
    ck_assert_uint_eq(value[0].vm_ns, 800);

    uint64_t all[] = {100}, rewrite[] = {60}, validate[] = {5}, link[] = {40}, since[] = {1};
    ck_assert_uint_eq(model_job_set_compile(job, 1, id, all, rewrite, validate, link, since, false),
                      0);
    ck_assert(value[0].compile_ns == 100 && value[0].rewrite_ns == 60);
    ck_assert(value[0].validate_ns == 5 && value[0].link_ns == 40);
    ck_assert_uint_eq(value[0].compile_since_ns, 1);
    link[0] = 39;
    ck_assert_uint_eq(model_job_set_compile(job, 1, id, all, rewrite, validate, link, since, false),
                      1);
    ck_assert_uint_eq(value[0].link_ns, 40);
    model_job_release(&job);
}
END_TEST

/* The number of timed calls does not fall. A falling value is dropped with its error figure. */
START_TEST(calls_may_be_sampled)
{
    struct model_job *job = sample_job();
    const struct model_function_value *value = model_job_function_values(job);
    sample_calls(job, 0, 64, MODEL_UNKNOWN, MODEL_UNKNOWN);
    ck_assert(value[0].timed == MODEL_UNKNOWN && value[0].error_ns == MODEL_UNKNOWN);
    ck_assert(!model_function_estimated(&value[0]));
    uint64_t id[] = {0, 2}, timed[] = {8, 1}, error[] = {500, 1};
    ck_assert_uint_eq(model_job_set_sampled(job, 2, id, timed, error, false), 1);
    ck_assert(value[0].timed == 8 && value[0].error_ns == 500);
    ck_assert(model_function_estimated(&value[0]));
    timed[0] = 7, error[0] = 400;
    ck_assert_uint_eq(model_job_set_sampled(job, 1, id, timed, error, false), 1);
    ck_assert_uint_eq(model_job_set_sampled(job, 1, id, timed, error, true), 0);
    timed[0] = MODEL_UNKNOWN;
    ck_assert_uint_eq(model_job_set_sampled(job, 1, id, timed, error, false), 1);
    ck_assert(value[0].timed == 8 && value[0].error_ns == 500);
    timed[0] = 8;
    ck_assert_uint_eq(model_job_set_sampled(job, 1, id, timed, error, false), 0);
    ck_assert_uint_eq(value[0].error_ns, 400);
    model_job_set_epoch(job, 2);
    ck_assert(value[0].timed == MODEL_UNKNOWN && value[0].error_ns == MODEL_UNKNOWN);
    timed[0] = 1;
    ck_assert_uint_eq(model_job_set_sampled(job, 1, id, timed, error, false), 0);
    model_job_release(&job);
}
END_TEST

/* Calls without a timed one have no time. The known time of the VM stays. */
START_TEST(untimed_calls_have_no_time)
{
    struct model_job *job = sample_job();
    const uint64_t id[] = {0, 1}, calls[] = {5, 5}, ns[] = {0, 0}, vm[] = {0, 7};
    const uint64_t none[] = {MODEL_UNKNOWN, MODEL_UNKNOWN}, timed[] = {0, 0};
    model_job_set_calls(job, 2, id, calls, ns, vm, none, false);
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    ck_assert(state->function[0].call_ns == 0 && state->totals.call_ns == 0);
    model_state_free(&state);
    model_job_set_sampled(job, 2, id, timed, ns, false);
    state = model_state_take(job, MODEL_ALL, NULL);
    ck_assert_uint_eq(state->function[0].call_ns, MODEL_UNKNOWN);
    ck_assert_uint_eq(state->function[0].vm_ns, MODEL_UNKNOWN);
    ck_assert_uint_eq(state->function[1].call_ns, MODEL_UNKNOWN);
    ck_assert_uint_eq(state->function[1].vm_ns, 7);
    ck_assert_uint_eq(state->totals.call_ns, MODEL_UNKNOWN);
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

START_TEST(epochs_do_not_mix)
{
    struct model_job *job = sample_job();
    model_job_set_epoch(job, 1);
    ck_assert_uint_eq(model_job_apply_values(job)[0].calls, 10);
    ck_assert(model_job_complete(job));
    model_job_set_epoch(job, 2);
    ck_assert(!model_job_complete(job));
    ck_assert_uint_eq(model_job_mono_ns(job), 0);
    for (uint32_t i = 0; i < 4; i++)
        ck_assert(model_job_apply_values(job)[i].calls == 0 &&
                  model_job_apply_values(job)[i].total_ns == 0 &&
                  model_job_apply_values(job)[i].last_ns == MODEL_UNKNOWN);
    ck_assert_uint_eq(sample_value(job, 0, 1, 1), 0);
    ck_assert_uint_eq(model_job_epoch(job), 2);
    model_job_release(&job);
}
END_TEST

START_TEST(stamps_do_not_go_back)
{
    struct model_job *job = sample_job();
    model_job_set_stamp(job, 5000, 6000);
    model_job_set_stamp(job, 4000, 9000);
    ck_assert_uint_eq(model_job_mono_ns(job), 5000);
    ck_assert_uint_eq(model_job_wall_ns(job), 6000);
    model_job_release(&job);
}
END_TEST

START_TEST(now_without_unknown_rows)
{
    struct model_job *job = sample_job();
    ck_assert(model_job_add_thread(job, "main", 4, 1));
    struct model_now now[] = {{0, 2, 10, 0}, {1, 2, 11, 0}, {0, 4, 12, 0}, {0, 3, 13, 0}};
    ck_assert(model_job_set_now(job, 4, now, 20));
    size_t n;
    const struct model_now *kept = model_job_now(job, &n);
    ck_assert_uint_eq(n, 2);
    ck_assert(kept[0].apply == 2 && kept[1].apply == 3 && kept[1].since_ns == 13);
    ck_assert(model_job_set_now(job, 0, NULL, 30));
    model_job_now(job, &n);
    ck_assert_uint_eq(n, 0);
    model_job_release(&job);
}
END_TEST

/* A list of one or two threads at an instant in ms. */
static void list_now(struct model_job *job, uint64_t at_ms, uint32_t apply, uint64_t since_ms,
                     uint64_t other_since_ms)
{
    const uint64_t ms = 1000000;
    struct model_now now[] = {{0, apply, since_ms * ms, 9}, {1, 3, other_since_ms * ms, 9}};
    ck_assert(model_job_set_now(job, other_since_ms > 0 ? 2 : 1, now, at_ms * ms));
}

static uint64_t seen_ms(const struct model_job *job, size_t at)
{
    size_t n;
    const struct model_now *now = model_job_now(job, &n);
    ck_assert_uint_lt(at, n);
    return now[at].seen_ns / 1000000;
}

/* How long an apply was seen open: the time between lists. A gap without any list counts as at most
 * one second. */
START_TEST(open_is_what_was_seen_open)
{
    struct model_job *job = sample_job();
    ck_assert(model_job_add_thread(job, "main", 4, 1) && model_job_add_thread(job, "two", 3, 2));
    list_now(job, 9000, 2, 4000, 0);
    ck_assert_uint_eq(seen_ms(job, 0), 5000); /* the first list counts in full */
    list_now(job, 9100, 2, 4000, 9050);
    ck_assert_uint_eq(seen_ms(job, 0), 5100);
    ck_assert_uint_eq(seen_ms(job, 1), 50); /* begun since the list before */
    list_now(job, 17000, 2, 4000, 9050);    /* the job was stopped for 8 s */
    ck_assert_uint_eq(seen_ms(job, 0), 6100);
    ck_assert_uint_eq(seen_ms(job, 1), 1050);
    list_now(job, 17100, 3, 17000, 9050); /* another apply */
    ck_assert_uint_eq(seen_ms(job, 0), 100);
    ck_assert_uint_eq(seen_ms(job, 1), 1150);
    list_now(job, 17200, 3, 17150, 9050); /* the same apply, begun again */
    ck_assert_uint_eq(seen_ms(job, 0), 50);
    ck_assert(model_job_set_now(job, 0, NULL, UINT64_C(17300000000)));
    list_now(job, 30000, 3, 17150, 0); /* no list for long: the gap counts as 1 s */
    ck_assert_uint_eq(seen_ms(job, 0), 1000);
    model_job_identity_mutable(job)->tick_ms = 2000;
    list_now(job, 40000, 3, 17150, 0); /* lists are rare */
    ck_assert_uint_eq(seen_ms(job, 0), 5000);
    model_job_set_epoch(job, 7);
    list_now(job, 50000, 3, 47000, 0);
    ck_assert_uint_eq(seen_ms(job, 0), 3000);
    model_job_release(&job);
}
END_TEST

START_TEST(a_job_moves_when_calls_are_added)
{
    struct model_job *job = sample_job();
    model_job_set_epoch(job, 6);
    sample_value(job, 2, 5, 50);
    model_job_set_values_stamp(job, 100);
    ck_assert_uint_eq(model_job_moved_ns(job), 0); /* unknown until its snapshot is complete */
    model_job_set_complete(job);
    sample_value(job, 2, 6, 60);
    model_job_set_values_stamp(job, 200);
    ck_assert_uint_eq(model_job_moved_ns(job), 200);
    sample_value(job, 2, 6, 60); /* received again */
    model_job_set_values_stamp(job, 300);
    ck_assert_uint_eq(model_job_moved_ns(job), 200);
    model_job_set_epoch(job, 7);
    ck_assert_uint_eq(model_job_moved_ns(job), 0);
    model_job_release(&job);
}
END_TEST

START_TEST(notices_are_bounded)
{
    struct model_job *job = sample_empty();
    size_t bytes = 0;
    for (unsigned i = 0; i < 5000; i++) {
        char text[64];
        int size = snprintf(text, sizeof(text), "notice number %04u", i);
        ck_assert(model_job_add_notice(job, i, i % 5, text, (size_t)size));
        if (i == 1000)
            bytes = model_job_bytes(job);
    }
    ck_assert_uint_eq(model_job_notices(job), 256);
    ck_assert_str_eq(model_job_notice(job, 0)->text.raw, "notice number 4744");
    ck_assert_str_eq(model_job_notice(job, 255)->text.raw, "notice number 4999");
    ck_assert_uint_eq(model_job_notice(job, 255)->level, 0); /* 4 is no level */
    ck_assert_ptr_null(model_job_notice(job, 256));
    ck_assert_uint_eq(model_job_bytes(job), bytes);
    model_job_release(&job);
}
END_TEST

/* An equal notice is kept once, with its last time. A different level makes a different notice. */
START_TEST(notices_that_come_again_are_counted)
{
    static const struct {
        const char *text;
        unsigned level;
        size_t times;
    } said[] = {{"a", 0, 0}, {"b", 0, 0}, {"a", 1, 1}, {"a", 0, 0}, {"b", 0, 2}, {"a", 0, 3}};
    struct model_job *job = sample_empty();
    for (unsigned i = 0; i < 6; i++)
        ck_assert(model_job_add_notice(job, i, said[i].level, said[i].text, 1));
    for (unsigned i = 0; i < 6; i++)
        ck_assert_uint_eq(model_job_notice_times(job, i), said[i].times);
    model_job_release(&job);
}
END_TEST

START_TEST(identity)
{
    struct model_job *job = sample_empty();
    struct model_identity *who = model_job_identity_mutable(job);
    ck_assert_uint_eq(who->rank, MODEL_UNKNOWN);
    ck_assert(who->cost < 0);
    ck_assert_uint_eq(who->own_ns, MODEL_UNKNOWN);
    ck_assert_uint_eq(who->own_error_ns, MODEL_UNKNOWN);
    ck_assert_uint_eq(who->instance[1], 0xcd);
    ck_assert(model_job_set_text(job, &who->clock, "monotonic", 9));
    ck_assert(model_job_set_text(job, &who->host, "gpu01", 5));
    const char *before = who->host.raw;
    ck_assert(model_job_set_text(job, &who->host, "gpu01", 5));
    ck_assert_ptr_eq(who->host.raw, before);
    size_t bytes = model_job_bytes(job);
    for (unsigned i = 0; i < 1000; i++)
        ck_assert(model_job_set_text(job, &who->host, i % 2 ? "a" : "b", 1));
    ck_assert_str_eq(who->host.raw, "a");
    ck_assert_str_eq(who->clock.raw, "monotonic");
    ck_assert_uint_eq(model_job_bytes(job), bytes);
    struct model_text stranger = model_text_empty;
    ck_assert(!model_job_set_text(job, &stranger, "x", 1));
    model_job_release(&job);
}
END_TEST

START_TEST(link_words)
{
    static const char *const word[MODEL_LINK_WORDS] = {
        "connecting", "syncing", "live", "lagging", "stale", "gone", "ended", "detached"};
    for (unsigned i = 0; i < MODEL_LINK_WORDS; i++)
        ck_assert_str_eq(model_link_word(i), word[i]);
    struct model_link link = {.state = MODEL_GONE};
    ck_assert_str_eq(model_link_text(&link), "gone");
    link.said_bye = 1;
    ck_assert_str_eq(model_link_text(&link), "ended");
    link.detached = 1;
    ck_assert_str_eq(model_link_text(&link), "detached");
    link.state = MODEL_STALE;
    ck_assert_str_eq(model_link_text(&link), "stale");
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("job");
    tap_add(s, "definitions_need_what_they_name", definitions_need_what_they_name);
    tap_add(s, "definitions_read_back", definitions_read_back);
    tap_add(s, "falls_are_counted_and_not_applied", falls_are_counted_and_not_applied);
    tap_add(s, "extremes", extremes);
    tap_add(s, "every_call_is_timed", every_call_is_timed);
    tap_add(s, "functions_as_a_whole", functions_as_a_whole);
    tap_add(s, "calls_may_be_sampled", calls_may_be_sampled);
    tap_add(s, "untimed_calls_have_no_time", untimed_calls_have_no_time);
    tap_add(s, "epochs_do_not_mix", epochs_do_not_mix);
    tap_add(s, "stamps_do_not_go_back", stamps_do_not_go_back);
    tap_add(s, "now_without_unknown_rows", now_without_unknown_rows);
    tap_add(s, "open_is_what_was_seen_open", open_is_what_was_seen_open);
    tap_add(s, "a_job_moves_when_calls_are_added", a_job_moves_when_calls_are_added);
    tap_add(s, "notices_are_bounded", notices_are_bounded);
    tap_add(s, "notices_that_come_again_are_counted", notices_that_come_again_are_counted);
    tap_add(s, "identity", identity);
    tap_add(s, "link_words", link_words);
    return s;
}
TAP_MAIN(suite)

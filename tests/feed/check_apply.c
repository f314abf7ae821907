/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_apply.c: applying frames: the model holds the frame's contents, for every stream and
 * group.
 */
#include "config.h"

#include "feed/viewer/stream/apply.h"

#include <string.h>

#include "../tap.h"
#include "model/node_detail.h"
#include "fake.h"
#include "model/state.h"

static struct fake fake;
static struct model_job *job;
static struct model_link link_;

static void setup(void)
{
    fake_init(&fake, 1);
    memset(&link_, 0, sizeof link_);
    job = model_job_new(fake.instance);
    model_job_set_epoch(job, 1);
}

static void teardown(void)
{
    model_job_release(&job);
}

static enum viewer_apply take(bool older)
{
    struct wire_frame frame;
    ck_assert_int_eq(wire_read(fake.bytes, fake.size, &frame), WIRE_OK);
    return viewer_apply_frame(job, &frame, older, &link_);
}

static void define(void)
{
    fake_defs(&fake, 0);
    ck_assert_int_eq(take(false), VIEWER_APPLY_DONE);
}

START_TEST(definitions_arrive_whole)
{
    define();
    const struct model_function_def *inner = model_job_function(job, 1);
    const struct model_apply_def *apply = model_job_apply(job, 150);
    ck_assert_uint_eq(model_job_count(job, MODEL_CLASS), FAKE_CLASSES);
    ck_assert_uint_eq(model_job_count(job, MODEL_OP), FAKE_OPS);
    ck_assert_uint_eq(model_job_count(job, MODEL_APPLY), FAKE_APPLIES);
    ck_assert_uint_eq(model_job_count(job, MODEL_THREAD), FAKE_THREADS);
    ck_assert_str_eq(model_job_op(job, 2)->text.raw, "dot");
    ck_assert_uint_eq(inner->parent, FAKE_PARENT);
    ck_assert_uint_eq(model_job_function(job, 0)->parent, MODEL_NONE);
    ck_assert_uint_eq(apply->function, 1);
    ck_assert_uint_eq(apply->op, 0);
    ck_assert_uint_eq(apply->index, 150);
    ck_assert_str_eq(apply->text.raw, "mul");
}
END_TEST

START_TEST(definitions_twice_change_nothing)
{
    define();
    define();
    ck_assert_uint_eq(model_job_count(job, MODEL_APPLY), FAKE_APPLIES);
}
END_TEST

START_TEST(definitions_with_a_hole_wait)
{
    const uint32_t from[WIRE_TABLES] = {[WIRE_T_APPLY] = 10};
    fake_defs_from(&fake, 0, from);
    ck_assert_int_eq(take(false), VIEWER_APPLY_WAITS);
    ck_assert_uint_eq(model_job_count(job, MODEL_APPLY), 0);
    ck_assert_uint_eq(model_job_count(job, MODEL_FUNCTION), 1); /* its parent is missing */
    fake_defs(&fake, 0);
    ck_assert_int_eq(take(false), VIEWER_APPLY_DONE);
    ck_assert_uint_eq(model_job_count(job, MODEL_FUNCTION), 2);
}
END_TEST

/* Begins a frame with the fields of every frame. The caller adds the rest. */
static void begin_frame(struct wire_writer *w, enum wire_stream stream,
                        const uint32_t defs[WIRE_TABLES])
{
    wire_begin(w, fake.bytes, sizeof fake.bytes, stream, 0);
    wire_put_u64(w, WIRE_F_VER, WIRE_VERSION);
    wire_put_bin16(w, WIRE_F_INST, fake.instance);
    for (unsigned f = WIRE_F_EPOCH; f <= WIRE_F_WALL; f++)
        wire_put_u64(w, f, 1);
    wire_put_counts(w, WIRE_F_DEFS, defs);
}

/* An apply runs the function that contains it: a cycle, which no other frame can resolve. If
 * another frame could, the definitions would wait. */
START_TEST(a_ring_of_definitions_is_wrong)
{
    static const uint64_t zero[] = {0}, parent[] = {1};
    const struct wire_text text[] = {{"x", 1}};
    const struct wire_source of_class[] = {{.text = text}}, op[] = {{.u = zero}, {.text = text}};
    const struct wire_source function[] = {{.text = text}, {.text = text}, {.u = zero},
                                           {.u = parent},  {.u = zero},    {.u = zero}};
    const struct wire_source apply[] = {{.u = zero},    {.u = zero},    {.u = zero},
                                        {.text = text}, {.text = text}, {.u = zero},
                                        {.u = zero},    {.u = zero},    {.u = zero}};
    const uint32_t defs[WIRE_TABLES] = {1, 1, 1, 1, 0, 0, 0, _i == 0 ? 0 : 1};
    struct wire_writer w;
    begin_frame(&w, WIRE_DEFS, defs);
    wire_put_group(&w, WIRE_G_CLASS, 0, 1, of_class);
    wire_put_group(&w, WIRE_G_OP, 0, 1, op);
    wire_put_group(&w, WIRE_G_FUNCTION, 0, 1, function);
    wire_put_group(&w, WIRE_G_APPLY, 0, 1, apply);
    fake.size = wire_end(&w);
    ck_assert_int_eq(take(false), _i == 0 ? VIEWER_APPLY_WRONG : VIEWER_APPLY_WAITS);
    ck_assert_uint_eq(model_job_count(job, MODEL_FUNCTION), 0);
    ck_assert_uint_eq(model_job_count(job, MODEL_APPLY), 0);
}
END_TEST

/* A display name comes with its op. A display name for an op of another frame is ignored. */
START_TEST(displays_are_of_the_ops_of_their_frame)
{
    static const uint64_t zero[] = {0, 0, 0}, of[] = {1, 2, 3};
    const struct wire_text text[] = {{"a", 1}, {"b", 1}, {"c", 1}};
    const struct wire_text shown[] = {{"sqr(i0)", 7}, {"i0 + i1", 7}, {"later", 5}};
    const struct wire_source of_class[] = {{.text = text}}, op[] = {{.u = zero}, {.text = text}};
    const struct wire_source display[] = {{.u = of}, {.text = shown}};
    const uint32_t defs[WIRE_TABLES] = {1, 4};
    struct wire_writer w;
    begin_frame(&w, WIRE_DEFS, defs);
    wire_put_group(&w, WIRE_G_CLASS, 0, 1, of_class);
    wire_put_group(&w, WIRE_G_OP, 0, 3, op);
    wire_put_group(&w, WIRE_G_DISPLAY, 0, 3, display);
    fake.size = wire_end(&w);
    ck_assert_int_eq(take(false), VIEWER_APPLY_DONE);
    begin_frame(&w, WIRE_DEFS, defs);
    wire_put_group(&w, WIRE_G_OP, 3, 1, op);
    fake.size = wire_end(&w);
    ck_assert_int_eq(take(false), VIEWER_APPLY_DONE);
    static const char *const want[] = {"a", "sqr(i0)", "i0 + i1", "a #2"};
    for (uint32_t i = 0; i < 4; i++)
        ck_assert_str_eq(model_job_op(job, i)->label.shown, want[i]);
    ck_assert_str_eq(model_job_op(job, 1)->text.shown, "b");
}
END_TEST

/* The waiting flag comes with its apply. It is ignored for an apply of another frame. An unknown
 * kind of waiting counts as waiting. An older job sends no flag. */
START_TEST(waits_are_of_the_applies_of_their_frame)
{
    static const uint64_t zero[] = {0, 0, 0, 0, 0}, of[] = {0, 2, 3, 4, 5},
                          what[] = {3, 2, 7, 0, 1};
    const struct wire_text none[] = {{"", 0}, {"", 0}, {"", 0}, {"", 0}, {"", 0}};
    const struct wire_source of_class[] = {{.text = none}}, op[] = {{.u = zero}, {.text = none}};
    const struct wire_source function[] = {{.text = none}, {.text = none}, {.u = zero},
                                           {.u = zero},    {.u = zero},    {.u = zero}};
    const struct wire_source apply[] = {{.u = zero},    {.u = zero},    {.u = zero},
                                        {.text = none}, {.text = none}, {.u = zero},
                                        {.u = zero},    {.u = zero},    {.u = zero}};
    const struct wire_source waits[] = {{.u = of}, {.u = what}};
    const struct wire_source again[] = {{.u = of + 4}, {.u = zero}};
    const uint32_t defs[WIRE_TABLES] = {1, 1, 1, 6};
    struct wire_writer w;
    begin_frame(&w, WIRE_DEFS, defs);
    wire_put_group(&w, WIRE_G_CLASS, 0, 1, of_class);
    wire_put_group(&w, WIRE_G_OP, 0, 1, op);
    wire_put_group(&w, WIRE_G_FUNCTION, 0, 1, function);
    wire_put_group(&w, WIRE_G_APPLY, 0, 5, apply);
    wire_put_group(&w, WIRE_G_WAITS, 0, 5, waits);
    fake.size = wire_end(&w);
    ck_assert_int_eq(take(false), VIEWER_APPLY_DONE);
    begin_frame(&w, WIRE_DEFS, defs);
    wire_put_group(&w, WIRE_G_APPLY, 5, 1, apply);
    fake.size = wire_end(&w);
    ck_assert_int_eq(take(false), VIEWER_APPLY_DONE);
    begin_frame(&w, WIRE_DEFS, defs); /* a defined row never changes */
    wire_put_group(&w, WIRE_G_APPLY, 0, 5, apply);
    wire_put_group(&w, WIRE_G_WAITS, 5, 1, again);
    fake.size = wire_end(&w);
    ck_assert_int_eq(take(false), VIEWER_APPLY_DONE);
    static const uint8_t want[] = {MODEL_ASIDE, MODEL_WORKS, MODEL_WAITS_FOR_JOBS,
                                   MODEL_WAITS, MODEL_WAITS, MODEL_WORKS};
    for (uint32_t i = 0; i < 6; i++)
        ck_assert_uint_eq(model_job_apply(job, i)->waits, want[i]);
}
END_TEST

/* Defines ops of class 0 from this id on, each with a name of 4 kB. */
static void name_ops(uint32_t from, uint32_t count)
{
    static char long_name[4096];
    static const uint64_t zero[60];
    struct wire_text name[60];
    struct wire_writer w;
    memset(long_name, 'x', sizeof long_name);
    for (unsigned i = 0; i < 60; i++)
        name[i] = (struct wire_text){long_name, sizeof long_name};
    const struct wire_source column[] = {{.u = zero}, {.text = name}};
    const uint32_t defs[WIRE_TABLES] = {[WIRE_T_CLASS] = FAKE_CLASSES, [WIRE_T_OP] = from + count};
    begin_frame(&w, WIRE_DEFS, defs);
    wire_put_group(&w, WIRE_G_OP, from, count, column);
    fake.size = wire_end(&w);
    ck_assert_uint_gt(fake.size, 0);
}

/* Beyond the bound, rows are kept without names, and the viewer is told. */
START_TEST(names_have_a_bound)
{
    uint32_t ops = FAKE_OPS;
    define();
    for (; link_.over_limit == 0; ops += 60) {
        ck_assert_uint_lt(model_job_text_bytes(job), WIRE_TEXTS_MAX + (1 << 20));
        name_ops(ops, 60);
        ck_assert_int_eq(take(false), VIEWER_APPLY_DONE);
    }
    const size_t full = model_job_text_bytes(job);
    ck_assert_uint_ge(full, WIRE_TEXTS_MAX);
    name_ops(ops, 60);
    ck_assert_int_eq(take(false), VIEWER_APPLY_DONE);
    ck_assert_uint_eq(model_job_count(job, MODEL_OP), ops + 60);
    ck_assert_uint_gt(link_.over_limit, 60);
    ck_assert_uint_eq(link_.no_names, link_.over_limit);
    ck_assert_uint_le(model_job_text_bytes(job), full + 64 * 1024);
    ck_assert_uint_eq(model_job_op(job, FAKE_OPS)->text.raw_size, 4096);
    ck_assert_str_eq(model_job_op(job, ops)->text.raw, "...");
}
END_TEST

/* Applies a frame of display names for undefined ops. Returns the memory of the job's texts. */
static size_t display_ops(void)
{
    static char long_name[4096];
    static uint64_t op[60];
    struct wire_text shown[60];
    struct wire_writer w;
    memset(long_name, 'x', sizeof long_name);
    for (unsigned i = 0; i < 60; i++) {
        op[i] = FAKE_OPS + i;
        shown[i] = (struct wire_text){long_name, sizeof long_name};
    }
    const struct wire_source column[] = {{.u = op}, {.text = shown}};
    const uint32_t defs[WIRE_TABLES] = {[WIRE_T_CLASS] = FAKE_CLASSES, [WIRE_T_OP] = FAKE_OPS + 60};
    begin_frame(&w, WIRE_DEFS, defs);
    wire_put_group(&w, WIRE_G_DISPLAY, 0, 60, column);
    fake.size = wire_end(&w);
    ck_assert_uint_gt(fake.size, 0);
    take(false);
    return model_job_text_bytes(job);
}

/* A job may send such frames for ever. */
START_TEST(displays_have_a_bound)
{
    size_t full;
    define();
    while ((full = display_ops()) < WIRE_TEXTS_MAX)
        continue;
    ck_assert_uint_lt(full, WIRE_TEXTS_MAX + (1 << 20));
    for (unsigned i = 0; i < 5000; i++)
        ck_assert_uint_eq(display_ops(), full);
}
END_TEST

START_TEST(ready_means_every_table)
{
    struct wire_frame frame;
    fake_values(&fake, 0, 0, 1);
    ck_assert_int_eq(wire_read(fake.bytes, fake.size, &frame), WIRE_OK);
    ck_assert(!viewer_apply_ready(job, &frame));
    define();
    ck_assert(!viewer_apply_ready(job, &(struct wire_frame){.defs = {[WIRE_T_THREAD] = 2}}));
    fake_values(&fake, 0, 0, 1);
    ck_assert_int_eq(wire_read(fake.bytes, fake.size, &frame), WIRE_OK);
    ck_assert(viewer_apply_ready(job, &frame));
}
END_TEST

START_TEST(values_arrive_exactly)
{
    define();
    fake_work(&fake, 7);
    fake_values(&fake, 0, 0, 1);
    take(false);
    fake_values(&fake, 0, 1, 1);
    take(false);
    ck_assert(fake_equals(&fake, job));
    const struct model_apply_value *value = &model_job_apply_values(job)[150];
    ck_assert_uint_eq(value->last_ns, 160);
    ck_assert_uint_eq(value->min_ns, 160);
    ck_assert_uint_eq(value->timed, 7);
    ck_assert_uint_eq(model_job_mono_ns(job), fake.mono_ns);
}
END_TEST

/* More rows than one batch holds. */
START_TEST(many_rows_arrive_in_batches)
{
    enum { ROWS = 2500 };
    static uint64_t id[ROWS], calls[ROWS], zero[ROWS];
    static struct wire_text none[ROWS];
    define();
    for (unsigned i = 0; i < ROWS; i++) {
        id[i] = i;
        calls[i] = 3 * i;
        none[i] = (struct wire_text){"", 0};
    }
    fake.defs[WIRE_T_APPLY] = ROWS;
    const struct wire_source defs[] = {{.u = zero},    {.u = zero},    {.u = id},
                                       {.text = none}, {.text = none}, {.u = zero},
                                       {.u = zero},    {.u = zero},    {.u = zero}};
    const struct wire_source v[] = {{.u = id}, {.u = calls}, {.u = calls}, {.u = zero}};
    static const enum wire_group groups[] = {WIRE_G_APPLY, WIRE_G_V};
    static const uint32_t from[] = {FAKE_APPLIES, 0};
    for (unsigned g = 0; g < 2; g++) {
        struct wire_writer w;
        begin_frame(&w, g ? WIRE_APPLIES : WIRE_DEFS, fake.defs);
        wire_put_group(&w, groups[g], from[g], ROWS - from[g], g ? v : defs);
        fake.size = wire_end(&w);
        ck_assert_int_eq(take(false), VIEWER_APPLY_DONE);
    }
    const struct model_apply_value *value = model_job_apply_values(job);
    for (unsigned i = 0; i < ROWS; i++)
        ck_assert_uint_eq(value[i].calls, calls[i]);
}
END_TEST

/* Hellos and lists of running applies update the job's stamp, but not the stamp of its values. */
START_TEST(values_have_a_stamp_of_their_own)
{
    define();
    fake_values(&fake, 0, 0, 1);
    take(false);
    uint64_t first = fake.mono_ns;
    ck_assert_uint_eq(model_job_values_ns(job), first);
    fake.mono_ns += 500;
    fake_hello(&fake, 0, false);
    take(false);
    fake_now(&fake, 0);
    take(false);
    ck_assert_uint_eq(model_job_mono_ns(job), first + 500);
    ck_assert_uint_eq(model_job_values_ns(job), first);
    fake_functions(&fake, 0);
    take(false);
    ck_assert_uint_eq(model_job_values_ns(job), first + 500);
    model_job_set_epoch(job, 2);
    ck_assert_uint_eq(model_job_values_ns(job), 0);
}
END_TEST

START_TEST(falls_are_counted_unless_the_frame_is_older)
{
    define();
    fake_work(&fake, 5);
    fake_values(&fake, 0, 0, 1);
    take(false);
    fake.calls[3] = fake.total_ns[3] = 1;
    fake_values(&fake, 0, 0, 1);
    take(true);
    ck_assert_uint_eq(link_.falls, 0);
    take(false);
    ck_assert_uint_ge(link_.falls, 1);
    ck_assert_uint_eq(model_job_apply_values(job)[3].calls, 5);
    ck_assert_uint_eq(model_job_apply_values(job)[4].calls, 5);
}
END_TEST

START_TEST(functions_keep_what_is_unknown)
{
    define();
    fake_work(&fake, 1);
    fake_functions(&fake, 0);
    take(false);
    const struct model_function_value *value = model_job_function_values(job);
    ck_assert_uint_eq(value[0].calls, 1);
    ck_assert_uint_eq(value[0].call_ns, 100);
    ck_assert_uint_eq(value[0].vm_ns, MODEL_UNKNOWN);
    ck_assert_uint_eq(value[0].compile_ns, 700);
    ck_assert_uint_eq(value[1].compile_ns, MODEL_UNKNOWN);
}
END_TEST

/* Writes calls of both functions; the inner function's calls are sampled. */
static void write_sampled(uint64_t calls, uint64_t timed, uint64_t half)
{
    const uint64_t id[] = {0, 1}, n[] = {7, calls}, ns[] = {700, calls * 10};
    const uint64_t vm[] = {600, calls * 9}, none[] = {WIRE_UNKNOWN, WIRE_UNKNOWN};
    const struct wire_source of_calls[] = {{.u = id}, {.u = n}, {.u = ns}, {.u = vm}, {.u = none}};
    const struct wire_source sampled[] = {{.u = &id[1]}, {.u = &timed}, {.u = &half}};
    struct wire_writer w;
    wire_begin(&w, fake.bytes, sizeof fake.bytes, WIRE_FUNCTIONS, 0);
    wire_put_u64(&w, WIRE_F_VER, WIRE_VERSION);
    wire_put_bin16(&w, WIRE_F_INST, fake.instance);
    wire_put_u64(&w, WIRE_F_EPOCH, 1);
    wire_put_u64(&w, WIRE_F_SEQ, 1);
    wire_put_u64(&w, WIRE_F_TICK, 1);
    wire_put_u64(&w, WIRE_F_MONO, fake.mono_ns);
    wire_put_u64(&w, WIRE_F_WALL, fake.wall_ns);
    wire_put_counts(&w, WIRE_F_DEFS, fake.defs);
    wire_put_group(&w, WIRE_G_CALLS, 0, 2, of_calls);
    wire_put_group(&w, WIRE_G_SAMPLED, 0, 1, sampled);
    fake.size = wire_end(&w);
    ck_assert_uint_gt(fake.size, 0);
}

START_TEST(sampled_calls_have_an_error)
{
    define();
    write_sampled(1000, 125, 333);
    take(false);
    const struct model_function_value *value = model_job_function_values(job);
    ck_assert(value[0].timed == MODEL_UNKNOWN && value[0].error_ns == MODEL_UNKNOWN);
    ck_assert(value[1].calls == 1000 && value[1].call_ns == 10000 && value[1].vm_ns == 9000);
    ck_assert(value[1].timed == 125 && value[1].error_ns == 333);
    ck_assert_uint_eq(link_.falls, 0);
    write_sampled(1000, 124, 1);
    take(true);
    ck_assert_uint_eq(link_.falls, 0);
    take(false);
    ck_assert_uint_eq(link_.falls, 1);
    ck_assert(value[1].timed == 125 && value[1].error_ns == 333);
    write_sampled(2000, 250, 400);
    take(false);
    ck_assert(value[1].calls == 2000 && value[1].timed == 250 && value[1].error_ns == 400);
    ck_assert_uint_eq(link_.falls, 1);
    model_job_set_epoch(job, 2);
    ck_assert(value[1].timed == MODEL_UNKNOWN && value[1].error_ns == MODEL_UNKNOWN);
}
END_TEST

START_TEST(now_is_replaced)
{
    size_t n;
    define();
    fake_work(&fake, 1);
    fake_now(&fake, 0);
    take(false);
    const struct model_now *now = model_job_now(job, &n);
    ck_assert_uint_eq(n, 1);
    ck_assert_uint_eq(now[0].apply, 7);
    ck_assert_uint_eq(now[0].since_ns, fake.mono_ns - 500);
}
END_TEST

START_TEST(notices_come_once)
{
    fake_notice(&fake, 0, "look");
    take(false);
    fake_notice(&fake, 9, "look");
    take(false);
    ck_assert_uint_eq(model_job_notices(job), 1);
    fake.wall_ns++;
    fake_notice(&fake, 9, "again");
    take(false);
    ck_assert_uint_eq(model_job_notices(job), 2);
    ck_assert_str_eq(model_job_notice(job, 1)->text.raw, "again");
    ck_assert_uint_eq(model_job_notice(job, 1)->level, 1);
    fake_notice(&fake, 0, "again"); /* a snapshot brought it before the stream */
    take(false);
    ck_assert_uint_eq(model_job_notices(job), 2);
}
END_TEST

START_TEST(hello_sets_the_job_identity)
{
    fake_hello(&fake, 0, false);
    take(false);
    const struct model_identity *who = model_job_identity(job);
    ck_assert_str_eq(who->program.raw, "fake");
    ck_assert_str_eq(who->framework.raw, "");
    ck_assert_uint_eq(who->pid, 1234);
    ck_assert_uint_eq(who->rank, MODEL_UNKNOWN);
    ck_assert(who->cost == 0.25);
    ck_assert(who->least == 0.125);
    ck_assert(who->budget == 0.0625);
    ck_assert(who->choice[0] == 0.03125 && who->choice[1] < 0 && who->choice[2] < 0);
    ck_assert(who->choice[3] == 0);
    ck_assert_uint_eq(who->own_ns, 250);
    ck_assert_uint_eq(who->own_error_ns, 50);
    ck_assert(who->collecting);
    ck_assert_uint_eq(who->refused, 0);
    ck_assert_uint_eq(who->insecure, MODEL_UNKNOWN); /* an older job does not report this */
    ck_assert_uint_eq(who->asker.shown_size, 0);
}
END_TEST

static void take_hello(struct wire_writer *w)
{
    fake.size = wire_end(w);
    ck_assert_int_eq(take(false), VIEWER_APPLY_DONE);
}

/* A hello with the function filter `only` and the kinds left out, `mute`. */
static void hello_with(const char *only, uint64_t mute)
{
    struct wire_writer w;
    begin_frame(&w, WIRE_HELLO, fake.defs);
    if (only)
        wire_put_text(&w, WIRE_F_ONLY, only);
    if (mute)
        wire_put_u64(&w, WIRE_F_MUTE, mute);
    take_hello(&w);
}

/* Function 1 runs inside an apply of function 0. Their names are mul and add. */
START_TEST(left_out_rows_have_unknown_values)
{
    static const struct {
        const char *only;
        uint64_t mute;
        bool out[2], applies_out[2];
    } step[] = {
        {"nothing", 0, {true, true}, {true, true}},
        {NULL, 0, {false, false}, {false, false}},
        {"add", 0, {true, false}, {true, false}},
        {" ,mul", 0, {false, false}, {false, false}}, /* add, inside it */
        {"", 6, {false, false}, {false, false}},
        {"", 1, {false, false}, {true, true}},
        {"add", 1, {true, false}, {true, true}},
    };
    hello_with(step[0].only, step[0].mute); /* before there is any row */
    define();
    for (size_t i = 0; i < sizeof step / sizeof step[0]; i++) {
        hello_with(step[i].only, step[i].mute);
        struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
        for (uint32_t f = 0; f < 2; f++) {
            const uint64_t calls = state->function[f].calls;
            ck_assert_uint_eq(calls, step[i].out[f] ? MODEL_UNKNOWN : 0);
        }
        for (uint32_t id = 0; id < FAKE_APPLIES; id++) {
            const struct model_row *row = &state->row[MODEL_APPLY][id];
            const bool out = step[i].applies_out[model_job_apply(job, id)->function];
            ck_assert_uint_eq(row->calls, out ? MODEL_UNKNOWN : 0);
            ck_assert_uint_eq(row->total_ns, out ? MODEL_UNKNOWN : 0);
        }
        model_state_free(&state);
    }
}
END_TEST

static void counted(uint64_t calls)
{
    struct wire_writer w;
    begin_frame(&w, WIRE_HELLO, fake.defs);
    wire_put_u64(&w, WIRE_F_COUNTED, calls);
    take_hello(&w);
}

/* The job reports its number of counted calls. The difference to the received calls is missing. */
START_TEST(calls_that_are_missing_are_counted)
{
    define();
    ck_assert_uint_eq(model_job_missing_calls(job), MODEL_UNKNOWN);
    fake_hello(&fake, 0, false); /* from an older job */
    take(false);
    ck_assert_uint_eq(model_job_missing_calls(job), MODEL_UNKNOWN);
    counted(0);
    ck_assert_uint_eq(model_job_missing_calls(job), 0);
    fake_work(&fake, 1);
    uint64_t known = 0;
    for (uint32_t f = 0; f < FAKE_FUNCTIONS; f++) {
        fake_values(&fake, 0, f, 1);
        take(false);
    }
    for (uint32_t id = 0; id < FAKE_APPLIES; id++)
        known += model_job_apply_values(job)[id].calls;
    ck_assert_uint_gt(known, 0);
    counted(known + 7);
    ck_assert_uint_eq(model_job_missing_calls(job), 7);
    counted(known);
    ck_assert_uint_eq(model_job_missing_calls(job), 0);
    counted(known - 1); /* the rows are newer than the hello */
    ck_assert_uint_eq(model_job_missing_calls(job), 0);
}
END_TEST

/* A frame of details: `values` rows of inputs and outputs, and an apply that claims `inputs`
 * inputs; and one value of metric `metric`, with `metrics` metrics defined. */
struct details {
    uint64_t inputs, metric;
    uint32_t values, metrics;
    enum viewer_apply result;
    uint64_t of; /* the apply of the library row, if there is one */
    const char *library;
};

static void write_details(const struct details *d)
{
    const uint64_t zero[2] = {0, 0}, one = 1, apply = 7;
    const struct wire_text text[2] = {{"int8", 4}, {"int8", 4}};
    const struct wire_text line = {d->library,
                                   d->library == NULL ? 0 : (uint32_t)strlen(d->library)};
    const struct wire_source detail[] = {
        {.u = &apply},  {.u = &one}, {.u = &one}, {.u = &one},       {.u = &one}, {.text = text},
        {.text = text}, {.u = zero}, {.u = zero}, {.u = &d->inputs}, {.u = zero}, {.text = text}};
    const struct wire_source value[] = {{.text = text}, {.text = text}, {.u = zero},
                                        {.u = zero},    {.u = zero},    {.u = zero},
                                        {.u = zero},    {.text = text}};
    const struct wire_source metric[] = {{.text = text}, {.text = text}, {.u = zero}};
    const struct wire_source m[] = {{.u = &apply}, {.u = &d->metric}, {.u = &one}, {.u = &one}};
    struct wire_writer w;
    begin_frame(&w, WIRE_DETAILS, fake.defs);
    wire_put_group(&w, WIRE_G_DETAIL, 0, 1, detail);
    wire_put_group(&w, WIRE_G_VALUE, 0, d->values, value);
    if (d->library != NULL)
        wire_put_group(&w, WIRE_G_LIBRARY, 0, 1,
                       (struct wire_source[]){{.u = &d->of}, {.text = &line}});
    wire_put_group(&w, WIRE_G_METRIC, 0, d->metrics, metric);
    wire_put_group(&w, WIRE_G_M, 0, 1, m);
    fake.size = wire_end(&w);
}

static const struct details details[] = {
    {2, 0, 2, 1, VIEWER_APPLY_DONE, 0, NULL},
    {2, 0, 2, 1, VIEWER_APPLY_DONE, 7, "lib.py:7"},
    {2, 0, 2, 1, VIEWER_APPLY_DONE, 6, "of none that is told here"},
    {2, 0, 1, 1, VIEWER_APPLY_WRONG, 0, NULL},
    {1, 0, 2, 1, VIEWER_APPLY_WRONG, 0, NULL},
    {0, 0, 1, 1, VIEWER_APPLY_WRONG, 0, NULL},
    {WIRE_FRAME_ROWS + 1, 0, 1, 1, VIEWER_APPLY_WRONG, 0, NULL},
    {UINT64_C(1) << 62, 0, 0, 1, VIEWER_APPLY_WRONG, 0, NULL},
    {1, 1, 1, 1, VIEWER_APPLY_WRONG, 0, NULL},
    {1, 0, 1, 0, VIEWER_APPLY_WRONG, 0, NULL},
    {1, UINT64_C(1) << 32, 1, 1, VIEWER_APPLY_WRONG, 0, NULL},
};

/* Rows that contradict each other are an error, and none of them is applied. */
START_TEST(details_fit_each_other)
{
    const struct details *row = &details[_i];
    bool good = row->result == VIEWER_APPLY_DONE;
    define();
    write_details(row);
    ck_assert_int_eq(take(false), row->result);
    ck_assert_int_eq(model_job_about(job, 7) != NULL, good);
    ck_assert_uint_eq(model_job_metrics(job), good);
    if (!good)
        return;
    ck_assert_uint_eq(model_job_about(job, 7)->inputs, 2);
    ck_assert_str_eq(model_job_about(job, 7)->device, "int8");
    ck_assert_str_eq(model_job_about(job, 7)->rewrite, "int8");
    ck_assert_str_eq(model_job_about(job, 7)->library, row->of == 7 ? row->library : "");
    ck_assert_uint_eq(model_job_metric_value(job, 0, 7), 1);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("intake");
    TCase *c = tcase_create("intake");
    tcase_set_timeout(c, TAP_TIMEOUT);
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, definitions_arrive_whole);
    tcase_add_test(c, definitions_twice_change_nothing);
    tcase_add_test(c, definitions_with_a_hole_wait);
    tcase_add_loop_test(c, a_ring_of_definitions_is_wrong, 0, 2);
    tcase_add_test(c, displays_are_of_the_ops_of_their_frame);
    tcase_add_test(c, waits_are_of_the_applies_of_their_frame);
    tcase_add_test(c, ready_means_every_table);
    tcase_add_test(c, values_arrive_exactly);
    tcase_add_test(c, many_rows_arrive_in_batches);
    tcase_add_test(c, falls_are_counted_unless_the_frame_is_older);
    tcase_add_test(c, values_have_a_stamp_of_their_own);
    tcase_add_test(c, functions_keep_what_is_unknown);
    tcase_add_test(c, sampled_calls_have_an_error);
    tcase_add_test(c, now_is_replaced);
    tcase_add_test(c, notices_come_once);
    tcase_add_test(c, hello_sets_the_job_identity);
    tcase_add_test(c, calls_that_are_missing_are_counted);
    tcase_add_test(c, left_out_rows_have_unknown_values);
    tcase_add_loop_test(c, details_fit_each_other, 0, TAP_ROWS(details));
    suite_add_tcase(s, c);
    /* The test fills a table of 256 MiB. */
    c = tap_add(s, "displays_have_a_bound", displays_have_a_bound);
    tcase_add_checked_fixture(c, setup, teardown);
    tap_native(c);
    c = tap_add(s, "names_have_a_bound", names_have_a_bound);
    tcase_add_checked_fixture(c, setup, teardown);
    tap_native(c);
    return s;
}

TAP_MAIN(suite)

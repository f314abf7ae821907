/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_header.c: tests tui/ui/header.c and tui/ui/status.c: states, time shares, open calls, the
 * feed.
 */
#include "config.h"

#include "../tap.h"

#include "drawn.h"

static const struct {
    enum model_link_state link;
    bool state, paused;
    unsigned said_bye; /* 2: because of a detach */
    const char *badge;
    enum tui_role role;
} badges[] = {
    {MODEL_CONNECTING, false, false, 0, " ◌ CONNECTING", TUI_WARN},
    {MODEL_SYNCING, false, false, 0, " ◌ SYNCING", TUI_WARN},
    {MODEL_LIVE, true, false, 0, " ● LIVE", TUI_GOOD},
    {MODEL_LAGGING, true, false, 0, " ◐ LAGGING", TUI_WARN},
    {MODEL_STALE, true, false, 0, " ◌ STALE", TUI_WARN},
    {MODEL_GONE, true, false, 0, " ✖ GONE", TUI_BAD},
    {MODEL_GONE, true, false, 1, " ■ ENDED", TUI_TITLE},
    {MODEL_GONE, true, false, 2, " ■ DETACHED", TUI_TITLE},
    {MODEL_LIVE, true, true, 0, " ❚❚ PAUSED 0:37", TUI_PAUSE},
    {MODEL_GONE, true, true, 0, " ❚❚ PAUSED 0:37  job GONE", TUI_PAUSE},
    {MODEL_GONE, true, true, 1, " ❚❚ PAUSED 0:37  job ENDED", TUI_PAUSE},
};

START_TEST(badge_shows_the_state)
{
    struct stage stage;
    start(&stage, badges[_i].state ? &sample_train : NULL);
    stage.link.state = badges[_i].link;
    stage.link.said_bye = badges[_i].said_bye > 0;
    stage.link.detached = badges[_i].said_bye == 2;
    stage.screen.paused = badges[_i].paused;
    stage.screen.now_ns = UINT64_C(37900000000);
    stage_draw(&stage, 24, 80);
    char *line = stage_line(&stage.grid, 0);
    ck_assert_msg(!strncmp(line, badges[_i].badge, strlen(badges[_i].badge)), "%s", line);
    free(line);
    ck_assert_int_eq(stage.grid.cell[1].role, badges[_i].role);
    /* The whole line shows that the screen is paused. */
    ck_assert_int_eq(stage.grid.cell[79].role == TUI_PAUSE, badges[_i].paused);
    stage_release(&stage);
}
END_TEST

static const struct {
    uint64_t rank, size;
    const char *role, *says;
} places[] = {
    {3, 8, "", "  rank 3/8  "},
    {0, MODEL_UNKNOWN, "", "  rank 0  "},
    {1, 2, "server", "  server rank 1/2  "},
    {MODEL_UNKNOWN, 2, "scheduler", "@gpu01  scheduler  "},
    {MODEL_UNKNOWN, MODEL_UNKNOWN, "", "@gpu01  f"},
};

START_TEST(header_shows_the_rank_in_a_distributed_job)
{
    struct stage stage;
    start(&stage, &sample_train);
    struct model_identity *who = model_job_identity_mutable(stage.job);
    who->rank = places[_i].rank;
    who->size = places[_i].size;
    model_job_set_text(stage.job, &who->role, places[_i].role, strlen(places[_i].role));
    assert_drawn(&stage, 24, 120, places[_i].says);
    stage_release(&stage);
}
END_TEST

/* Screen and JSON agree. A job whose calls are counted runs, even without ops. */
START_TEST(a_job_that_has_run_nothing_is_idle)
{
    struct sample empty = sample_train;
    struct stage stage;
    empty.apply_count = empty.op_count = empty.class_count = 0;
    for (int called = 0; called < 2; called++) {
        empty.calls = called ? sample_train.calls : 0;
        start(&stage, &empty);
        assert_drawn(&stage, 24, 80, called ? " ● LIVE" : " ◌ IDLE");
        assert_drawn(&stage, 24, 80, "no op has been seen yet");
        ck_assert_str_eq(tui_screen_state(&stage.screen), called ? "live" : "idle");
        stage_release(&stage);
    }
}
END_TEST

/* A function that has not run does not make the job idle. The notice stands in place of the
 * rows. */
START_TEST(a_function_that_has_not_run_is_no_state_of_the_job)
{
    struct stage stage;
    start(&stage, &sample_train);
    struct model_function_raw function = {.name = sample_bytes("idle"), .parent = MODEL_NONE};
    sample_must(model_job_add_function(stage.job, &function));
    struct model_apply_raw raw = {.text = sample_bytes("free(x)"), .function = 1};
    sample_must(model_job_add_apply(stage.job, &raw));
    struct model_state *state = model_state_take(stage.job, 1, NULL);
    sample_must(state && tui_screen_show(&stage.screen, state));
    assert_drawn(&stage, 24, 80, " ● LIVE");
    assert_drawn(&stage, 24, 80, "idle has not run yet. f chooses another function.");
    stage.screen.batch = true;
    assert_drawn(&stage, 60, 80, "Ops (idle has not run yet)");
    sample_must(tui_screen_show(&stage.screen, stage.state));
    model_state_free(&state);
    stage_release(&stage);
}
END_TEST

START_TEST(a_compilation_is_named_and_its_time_grows)
{
    struct sample empty = sample_train;
    struct stage stage;
    uint64_t id = 0, since = UINT64_C(1000000000), none = MODEL_UNKNOWN;
    empty.apply_count = 0;
    empty.compile_ns = empty.rewrite_ns = empty.validate_ns = empty.link_ns = none;
    start(&stage, &empty);
    model_job_set_compile(stage.job, 1, &id, &none, &none, &none, &none, &since, false);
    model_job_set_stamp(stage.job, UINT64_C(4500000000), 0);
    stage_show(&stage);
    assert_drawn(&stage, 24, 80, " ◆ COMPILING");
    assert_drawn(&stage, 24, 80, "compiling f_train for 3.50s");
    /* The phase stands before the overhead. */
    const struct model_phase phase = {.function = 0, .parent = MODEL_NONE, .rev = 1,
                                      .open_since_ns = UINT64_C(1200000000)};
    sample_must(model_job_set_phase(stage.job, 0, &phase, "rewrite", strlen("rewrite")));
    model_job_identity_mutable(stage.job)->cost = 0.02;
    stage.screen.show_clock = true;
    stage_show(&stage);
    assert_drawn(&stage, 24, 80, " compiling f_train for 3.50s, in rewrite for 3.30s  ");
    assert_drawn(&stage, 24, 80, "feed 1.23k frames lag 4ms");
    assert_drawn(&stage, 24, 100, "feed 1.23k frames lag 4ms  profiling ~2.0%");
    assert_drawn(&stage, 24, 80, "f_train is being compiled, for 3.50s so far");
    char *text = stage_text(&stage.grid);
    ck_assert_ptr_null(strstr(text, "rewrite -")); /* a line without figures is left out */
    free(text);
    stage_release(&stage);
}
END_TEST

/* The words of the Theano family are only used for its programs. */
START_TEST(a_program_without_a_machine_shows_none)
{
    static const char *const of[] = {"PyTensor", "Aesara", "Theano", "", "mylib"};
    const bool family = _i < 3;
    struct sample sample = sample_seed;
    for (unsigned told = 0; told < 2; told++) {
        struct stage stage;
        sample.vm_ns = told ? sample_seed.vm_ns : MODEL_UNKNOWN;
        start(&stage, &sample);
        struct model_text *framework = &model_job_identity_mutable(stage.job)->framework;
        const struct model_text before = *framework;
        const uint32_t size = (uint32_t)strlen(of[_i]);
        *framework = (struct model_text){of[_i], of[_i], size, size};
        for (int cols = 80; cols <= 120; cols += 40) {
            stage_draw(&stage, 40, cols);
            char *text = stage_text(&stage.grid);
            ck_assert_int_eq(strstr(text, "thunks 6.19us") != NULL, family);
            ck_assert_int_eq(strstr(text, " ops 6.19us") != NULL, !family);
            ck_assert_msg((strstr(text, "  vm ") != NULL) == (family || told), "%s", text);
            ck_assert_int_eq(strstr(text, "vm alone") != NULL, cols == 120 && (family || told));
            free(text);
        }
        *framework = before;
        stage_release(&stage);
    }
}
END_TEST

START_TEST(the_figures_are_those_of_the_printed_profile)
{
    struct stage stage;
    start(&stage, &sample_seed);
    stage_draw(&stage, 24, 80);
    char *text = stage_text(&stage.grid);
    assert_has(text, "calls 1 ");
    assert_has(text, "in calls 57.0us");
    assert_has(text, "vm 11.9us 20.9%");
    assert_has(text, "thunks 6.19us 10.9%");
    assert_has(text, "compile 3.64s:  rewrite 73.3ms  (validate 371us)  link 958ms  other 2.61s");
    free(text);
    stage_release(&stage);
}
END_TEST

/* Time of the call, of the VM, of all ops. */
static const struct {
    uint64_t call, vm, thunks;
    const char *legend;
} budgets[] = {
    {1000, 900, 800, "█ thunks 800ns 80.0%  ▓ vm alone 100ns 10.0%  ▒ rest 100ns 10.0%"},
    {3000, 2000, 1000, "█ thunks 1.00us 33.3%  ▓ vm alone 1.00us 33.4%  ▒ rest 1.00us 33.3%"},
    {1000, MODEL_UNKNOWN, 800, "█ thunks 800ns 80.0%  ▓ vm alone -  ▒ rest 200ns 20.0%"},
    /* The upper line rounds the thunks and the VM. The line below shows the same figures. */
    {2000, 1997, 1996, "█ thunks 2.00us 99.8%  ▓ vm alone 1ns 0.1%  ▒ rest 3ns 0.1%"},
    {1000, 1000, 1000, "█ thunks 1.00us 100.0%  ▓ vm alone 0ns 0.0%  ▒ rest 0ns 0.0%"},
    /* Ops outside calls: there are no shares. */
    {500, 400, 1000, "█ thunks 1.00us  ▓ vm alone -  ▒ rest -"},
};

START_TEST(the_call_budget_adds_up)
{
    struct sample_apply apply = {"a(x)", 0, 0, MODEL_IMPL_C, 1, budgets[_i].thunks};
    struct sample sample = sample_seed;
    struct stage stage;
    sample.applies = &apply;
    sample.apply_count = 1;
    sample.call_ns = budgets[_i].call;
    sample.vm_ns = budgets[_i].vm;
    start(&stage, &sample);
    assert_drawn(&stage, 40, 120, budgets[_i].legend);
    stage_release(&stage);
}
END_TEST

/* Time of the call, of the VM, of all ops, and the shares that are valid. */
static const struct {
    uint64_t calls, call, vm, thunks;
    const char *vm_share, *thunk_share, *legend;
} shares[] = {
    {2, 1000, 900, 800, "vm 900ns 90.0%", "thunks 800ns 80.0%", "▓ vm alone 100ns 10.0%"},
    /* A long call is open: its ops are counted already, its time is not. */
    {1, 1000, 900, 68000, "vm 900ns 90.0%", "thunks 68.0us -", "▓ vm alone -  ▒ rest -"},
    {1, 1000, 1500, 800, "vm 1.50us -", "thunks 800ns 80.0%", "▓ vm alone -  ▒ rest -"},
    /* No call has ended yet. */
    {0, 0, 0, 800, "vm 0ns -", "thunks 800ns -", "▓ vm alone -  ▒ rest -"},
    /* The calls are not timed. */
    {2, MODEL_UNKNOWN, 900, 800, "vm 900ns -", "thunks 800ns -", "▓ vm alone -  ▒ rest -"},
};

START_TEST(shares_have_an_honest_base)
{
    struct sample_apply apply = {"a(x)", 0, 0, MODEL_IMPL_C, 2, shares[_i].thunks};
    struct sample sample = sample_seed;
    struct stage stage;
    sample.applies = &apply;
    sample.apply_count = 1;
    sample.calls = shares[_i].calls;
    sample.call_ns = shares[_i].call;
    sample.vm_ns = shares[_i].vm;
    start(&stage, &sample);
    assert_drawn(&stage, 24, 100, shares[_i].vm_share);
    assert_drawn(&stage, 24, 100, shares[_i].thunk_share);
    assert_drawn(&stage, 40, 120, shares[_i].legend);
    stage_release(&stage);
}
END_TEST

static const uint64_t S = 1000000000, MS = 1000000;
static const uint64_t CALL_NS = 3000000000;

/* One call of 3 s has ended, and the only node took `apply_ns`. */
static void start_with_call(struct stage *stage, uint64_t apply_ns)
{
    struct sample_apply apply = {"a(x)", 0, 0, MODEL_IMPL_C, 1, apply_ns};
    struct sample sample = sample_seed;
    sample.applies = &apply;
    sample.apply_count = 1;
    sample.call_ns = sample.vm_ns = CALL_NS;
    start(stage, &sample);
}

/* Another call is open since then, and it is 7 s now. */
static void open_call(struct stage *stage, uint64_t since_ns)
{
    const uint64_t id = 0, calls = 1;
    model_job_set_calls(stage->job, 1, &id, &calls, &CALL_NS, &CALL_NS, &since_ns, false);
    model_job_set_stamp(stage->job, 7 * S, 0);
}

/* The thunks include the ops of an open call, so the call's open time is added to the time of
 * calls. It is mentioned from a hundredth of that time on. */
START_TEST(a_call_that_is_open_is_time_in_calls)
{
    struct stage stage;
    start_with_call(&stage, 4 * S);
    open_call(&stage, 5 * S);
    stage_show(&stage);
    assert_drawn(&stage, 24, 80, "in calls 5.00s  (2.00s open)  vm >=3.00s 60.0%");
    assert_drawn(&stage, 24, 80, "thunks 4.00s 80.0%");
    assert_drawn(&stage, 40, 120, "█ thunks 4.00s 80.0%  ▓ vm alone -  ▒ rest 1.00s 20.0%");
    /* Two threads are in its ops. For one of them, its call is not in the list. */
    const struct model_now now[] = {{.thread = 0, .apply = 0, .since_ns = UINT64_C(6500000000)},
                                    {.thread = 1, .apply = 0, .since_ns = UINT64_C(6600000000)}};
    ck_assert(model_job_add_thread(stage.job, "other", 5, 2));
    ck_assert(model_job_set_now(stage.job, 2, now, UINT64_C(7000000000)));
    stage_show(&stage);
    assert_drawn(&stage, 40, 120, "in calls >=5.00s  (>=2.00s open)  vm >=3.00s -");
    assert_drawn(&stage, 40, 120, "thunks 4.00s -");
    ck_assert(model_job_set_now(stage.job, 1, now, UINT64_C(7000000000)));
    stage_show(&stage);
    assert_drawn(&stage, 24, 80, "in calls 5.00s  (2.00s open)  vm >=3.00s 60.0%");
    open_call(&stage, 6980 * MS);
    ck_assert(model_job_set_now(stage.job, 2, now, UINT64_C(7000000000)));
    stage_show(&stage);
    assert_drawn(&stage, 24, 80, "in calls 3.02s  vm >=3.00s 99.3%");
    stage_release(&stage);
}
END_TEST

/* Its nodes are in the sum of all nodes, and its time in the vm comes when it ends. */
START_TEST(a_short_open_call_makes_the_rest_an_estimate)
{
    struct stage stage;
    start_with_call(&stage, 2990 * MS);
    stage_show(&stage);
    assert_drawn(&stage, 40, 120, "▓ vm alone 10.0ms 0.3%");
    open_call(&stage, 6980 * MS);
    stage_show(&stage);
    assert_drawn(&stage, 40, 120, "in calls 3.02s  vm 3.00s 99.3%  thunks 2.99s 99.0%");
    assert_drawn(&stage, 40, 120, "▓ vm alone ~10.0ms 0.3%  ▒ rest ~20.0ms 0.7%");
    stage_release(&stage);
}
END_TEST

/* The time of the VM is unknown until then. */
START_TEST(no_call_has_ended_yet)
{
    struct sample_apply apply = {"a(x)", 0, 0, MODEL_IMPL_C, 1, UINT64_C(4000000000)};
    struct sample sample = sample_seed;
    struct stage stage;
    sample.applies = &apply;
    sample.apply_count = 1;
    sample.calls = sample.call_ns = sample.vm_ns = 0;
    start(&stage, &sample);
    const uint64_t id = 0, none = 0, since = UINT64_C(2000000000);
    model_job_set_calls(stage.job, 1, &id, &none, &none, &none, &since, false);
    model_job_set_stamp(stage.job, UINT64_C(7000000000), 0);
    stage_show(&stage);
    assert_drawn(&stage, 24, 80, "in calls 5.00s  (5.00s open)  vm -   thunks 4.00s 80.0%");
    stage_release(&stage);
}
END_TEST

/* Ops of a function with uncounted calls are in the thunks, but in no call. */
START_TEST(thunks_outside_calls_have_no_share)
{
    struct stage stage;
    uint64_t id, calls = 1, ns = 800, last = MODEL_UNKNOWN;
    start(&stage, &sample_seed);
    assert_drawn(&stage, 24, 80, "thunks 6.19us 10.9%");
    struct model_function_raw function = {
        .name = sample_bytes("free"), .parent = MODEL_NONE, .source = MODEL_ABSENT};
    sample_must(model_job_add_function(stage.job, &function));
    struct model_apply_raw raw = {.text = sample_bytes("free(x)"), .function = 1};
    sample_must(model_job_add_apply(stage.job, &raw));
    id = model_job_count(stage.job, MODEL_APPLY) - 1;
    model_job_set_values(stage.job, 1, &id, &calls, &ns, &last, NULL, false);
    stage_show(&stage);
    assert_drawn(&stage, 24, 80, "thunks 6.99us -");
    assert_drawn(&stage, 40, 120, "thunks 6.99us  ▓ vm alone -  ▒ rest -");
    stage_release(&stage);
}
END_TEST

START_TEST(calls_without_vm_times_leave_shares_unknown)
{
    struct stage stage;
    uint64_t id = 1, calls = 2, ns = 900, none = MODEL_UNKNOWN;
    start(&stage, &sample_seed);
    struct model_function_raw function = {
        .name = sample_bytes("whole"), .parent = MODEL_NONE, .source = MODEL_ABSENT};
    sample_must(model_job_add_function(stage.job, &function));
    model_job_set_calls(stage.job, 1, &id, &calls, &ns, &none, &none, false);
    stage_show(&stage);
    assert_drawn(&stage, 24, 80, "thunks 6.19us -");
    assert_drawn(&stage, 40, 120, "thunks 6.19us  ▓ vm alone -  ▒ rest -");
    stage_release(&stage);
}
END_TEST

/* Attached late to a function: its nodes are seen in fewer calls than it had. */
START_TEST(calls_before_the_attach_leave_shares_unknown)
{
    for (uint64_t calls = 200; calls <= 300; calls += 50) {
        struct sample_apply apply[] = {{"a(x)", 0, 0, MODEL_IMPL_C, 198, 800},
                                       {"b(x)", 1, 0, MODEL_IMPL_C, 99, 100}};
        struct sample sample = sample_seed;
        struct stage stage;
        const bool known = calls == 200;
        sample.applies = apply;
        sample.apply_count = 2;
        sample.calls = calls;
        sample.call_ns = 1000;
        sample.vm_ns = MODEL_UNKNOWN;
        start(&stage, &sample);
        assert_drawn(&stage, 24, 80, known ? "thunks 900ns 90.0%" : "thunks 900ns -");
        assert_drawn(&stage, 40, 120, known ? "▒ rest 100ns 10.0%" : "▒ rest -");
        stage_release(&stage);
    }
}
END_TEST

START_TEST(rest_of_set_up_is_unknown_without_its_parts)
{
    struct sample sample = sample_seed;
    struct stage stage;
    sample.rewrite_ns = sample.validate_ns = MODEL_UNKNOWN;
    start(&stage, &sample);
    assert_drawn(&stage, 40, 120, "rewrite - (validate -)  ▓ link 958ms  ▒ other -");
    stage_release(&stage);
}
END_TEST

START_TEST(faults_of_the_feed_are_counted)
{
    struct stage stage;
    start(&stage, &sample_train);
    stage.link.gaps = 3;
    stage.link.malformed = 4;
    stage.link.falls = 5;
    stage.link.over_limit = 6;
    stage.link.healing = 1;
    stage_draw(&stage, 40, 120);
    char *text = stage_text(&stage.grid);
    assert_has(text, "Feed ");
    assert_has(text, "~healing  gaps 3  malformed 4  falls 5  over limit 6");
    stage.link.over_limit = 6 + 1 + 2;
    stage.link.no_names = 1;
    stage.link.no_details = 2;
    assert_drawn(&stage, 40, 200, "falls 5  names left out 1  details left out 2  over limit 6");
    assert_has(text, "route: C VM pointer patch");
    free(text);
    stage.screen.show_clock = true;
    assert_drawn(&stage, 40, 120, "1.23k frames lag 4ms");
    stage_release(&stage);
}
END_TEST

/* A job that died in a gap cannot close it. Its gaps stay shown. */
START_TEST(the_dead_do_not_heal)
{
    struct stage stage;
    start(&stage, &sample_train);
    stage.link.gaps = 3;
    stage.link.healing = 1;
    assert_drawn(&stage, 40, 120, "~healing  gaps 3");
    stage.link.state = MODEL_GONE;
    assert_drawn(&stage, 40, 120, "gaps 3");
    assert_not_drawn(&stage, 40, 120, "~healing");
    stage_release(&stage);
}
END_TEST

/* However the viewer was started, and however narrow the screen is. */
START_TEST(a_job_that_wants_no_keys_is_marked)
{
    static const struct {
        uint64_t insecure;
        bool marked;
    } says[] = {{MODEL_UNKNOWN, false}, {0, false}, {1, true}};
    struct stage stage;
    start(&stage, &sample_train);
    for (unsigned i = 0; i < sizeof says / sizeof says[0]; i++) {
        model_job_identity_mutable(stage.job)->insecure = says[i].insecure;
        if (says[i].marked)
            assert_drawn(&stage, 24, 80, "INSECURE");
        else
            assert_not_drawn(&stage, 24, 80, "INSECURE");
    }
    stage_release(&stage);
}
END_TEST

START_TEST(paused_screen_counts_lost_frames)
{
    struct stage stage;
    start(&stage, &sample_train);
    stage.screen.paused = true;
    stage.screen.live_calls = 18402 + 888;
    stage.screen.paused_frames = 370;
    assert_drawn(&stage, 24, 80,
                 "the job runs on: 888 calls since, 370 frames in, none lost; Space resumes");
    stage.screen.lost = 5;
    assert_drawn(&stage, 24, 80, "888 calls since, 370 frames in, 5 lost; Space resumes");
    stage_release(&stage);
}
END_TEST

START_TEST(the_end_of_a_job_has_a_reason_and_dims_the_rest)
{
    static const int sizes[][2] = {{24, 80}, {12, 80}, {40, 120}};
    struct stage stage;
    start(&stage, &sample_train);
    stage.link.state = MODEL_GONE;
    strcpy(stage.link.reason, "The job was killed.");
    assert_drawn(&stage, sizes[_i][0], sizes[_i][1], "The job was killed.");
    /* The last values stay, dimmed except in the line of the cursor. */
    bool seen = false;
    for (int row = 0; row < stage.grid.rows; row++) {
        char *line = stage_line(&stage.grid, row);
        if (strstr(line, "Dot22Scalar") && !strstr(line, "▶")) {
            seen = true;
            for (int col = 2; col < 40; col++)
                ck_assert_int_eq(stage.grid.cell[row * stage.grid.cols + col].role != TUI_DIM &&
                                     stage.grid.cell[row * stage.grid.cols + col].ch[0] != ' ',
                                 0);
        }
        free(line);
    }
    ck_assert(seen);
    stage_release(&stage);
}
END_TEST

/* However the job ended, its last rate is no longer shown. */
START_TEST(a_job_that_is_over_has_no_rate)
{
    struct stage stage;
    start(&stage, &sample_train);
    sample_set_applies(stage.job, &sample_train, 2);
    stage_show(&stage);
    assert_drawn(&stage, 24, 80, "calls 36.8k  +18.4k/s  in calls");
    model_job_set_ended(stage.job, true);
    model_job_set_stamp(stage.job, UINT64_C(3050000000), 0);
    stage.link.state = MODEL_GONE;
    stage_show(&stage);
    assert_drawn(&stage, 24, 80, "calls 36.8k  -  in calls");
    assert_drawn(&stage, 40, 120, "calls 36.8k  -  in calls");
    stage_release(&stage);
}
END_TEST

/* After a pause it differs much from the interval between states. */
static const struct {
    uint64_t interval_ns;
    const char *says;
} lengths[] = {
    {0, "\u0394 1.0s"},
    {1090000000, "\u0394 1.0s"},
    {6030000000, "\u0394 6.0s"},
    {75240000000, "\u0394 75.2s"},
};

START_TEST(an_interval_has_its_own_length)
{
    struct stage stage;
    start(&stage, &sample_train);
    stage.state->interval_ns = lengths[_i].interval_ns;
    stage_draw(&stage, 24, 120);
    char *line = stage_line(&stage.grid, 0);
    ck_assert_msg(strstr(line, lengths[_i].says) != NULL, "%s", line);
    free(line);
    stage_release(&stage);
}
END_TEST

START_TEST(unknown_header_values_are_not_zero)
{
    struct stage stage;
    start(&stage, &sample_train);
    stage.screen.show_clock = true;
    assert_drawn(&stage, 24, 80, "  4711@gpu01");
    model_job_identity_mutable(stage.job)->pid = 0;
    stage.link.frames = 0;
    stage.link.lag_ns = 0;
    assert_drawn(&stage, 24, 80, "  -@gpu01");
    assert_drawn(&stage, 24, 80, "feed 0 frames lag -");
    stage_release(&stage);
}
END_TEST

/* Unknown, small and large overhead. A small one is shown only where something changes. The figure
 * is a range from the least to the most. Without an error figure it has a mark. */
START_TEST(header_shows_the_profiling_overhead)
{
    static const struct {
        double cost;
        uint64_t error_ns; /* of 1000 */
        bool clock;
        const char *part;
    } shown[] = {
        {-1, 500, true, NULL},
        {0.004, 500, false, NULL},
        {0.004, 500, true, "profiling 0.2-0.6%"},
        {0.004, 0, true, "profiling 0.4%"},
        {0.004, MODEL_UNKNOWN, true, "profiling ~0.4%"},
        {0.004, 4000, true, "profiling 0.0-2.0%"}, {0.004, 100100, true, "profiling ~0.4%"},
        {0.02, 250, false, "profiling 1.5-2.5%"},
        {0.9, 500, false, "profiling 45.0-100.0%"},
        {0.0004, 100, true, "profiling 0.0%"},
    };
    struct stage stage;
    start(&stage, &sample_train);
    for (int i = 0; i < TAP_ROWS(shown); i++) {
        struct model_identity *job = model_job_identity_mutable(stage.job);
        job->cost = shown[i].cost;
        job->own_ns = 1000;
        job->own_error_ns = shown[i].error_ns;
        stage.screen.show_clock = shown[i].clock;
        if (shown[i].part)
            assert_drawn(&stage, 24, 80, shown[i].part);
        else
            assert_not_drawn(&stage, 24, 80, "profiling");
    }
    stage_release(&stage);
}
END_TEST

/* An overhead that cannot be lowered is shown if it exceeds the sampling budget. */
START_TEST(unattainable_budget_is_shown)
{
    static const struct {
        double least, budget;
        const char *part;
    } shown[] = {{0.029, 0.02, "profiling 3.1% (at least 2.9%, over the budget of 2.0%)"},
                 {0.019, 0.02, "profiling 3.1% "},
                 {0.029, -1, "profiling 3.1% "},
                 {-1, 0.02, "profiling 3.1% "}};
    struct stage stage;
    start(&stage, &sample_train);
    for (int i = 0; i < TAP_ROWS(shown); i++) {
        struct model_identity *job = model_job_identity_mutable(stage.job);
        job->cost = 0.031;
        job->own_ns = 1000;
        job->own_error_ns = 0;
        job->least = shown[i].least;
        job->budget = shown[i].budget;
        stage.screen.batch = true;
        assert_drawn(&stage, 24, 100, shown[i].part);
    }
    stage_release(&stage);
}
END_TEST

START_TEST(share_of_the_time_is_shown)
{
    struct stage stage;
    start(&stage, &sample_train);
    model_job_identity_mutable(stage.job)->share = 0.31;
    assert_drawn(&stage, 24, 100, "counts 31.0% of the time");
    stage_release(&stage);
}
END_TEST

/* A job that says what its steps consist of: of `counted` steps, times in ms of the step and its
 * phases. */
struct phase {
    const char *name;
    unsigned ms;
};
static void tell_steps(struct stage *stage, unsigned counted, const struct phase *phase, unsigned n)
{
    const struct model_span_raw span = {
        .domain = sample_bytes("torch"), .name = sample_bytes("step"), .kind = MODEL_FRAME};
    const struct model_span_value frames = {
        .calls = counted, .total_ns = 1, .open_since_ns = MODEL_UNKNOWN, .until_ns = 1};
    ck_assert(model_job_add_span(stage->job, &span));
    ck_assert(model_job_set_span(stage->job, 0, &frames));
    ck_assert(model_job_set_span_edges(stage->job, 0, &frames));
    for (unsigned i = 0; i <= n; i++) {
        const char *name = i == 0 ? "steps counted" : phase[i - 1].name;
        const struct model_counter_raw raw = {.domain = sample_bytes("torch"),
                                              .name = sample_bytes(name),
                                              .unit = sample_bytes(i ? "ns in counted steps" : ""),
                                              .kind = MODEL_I64};
        const struct model_counter_value value = {
            .updates = 1,
            .limit = MODEL_UNKNOWN,
            .value.i = i == 0 ? counted : (int64_t)phase[i - 1].ms * counted * 1000000};
        ck_assert(model_job_add_counter(stage->job, &raw));
        ck_assert(model_job_set_counter(stage->job, i, MODEL_I64, &value));
    }
}

/* The longest first. The shortest go where there is no space. */
START_TEST(phases_of_a_step_are_shown)
{
    static const struct phase phase[] = {
        {"step", 500}, {"data", 3}, {"forward", 120}, {"backward", 250}, {"optimizer step", 30}};
    struct stage stage;
    start(&stage, &sample_train);
    assert_drawn(&stage, 24, 100, "calls 18.4k");
    tell_steps(&stage, 40, phase, 5);
    stage_show(&stage);
    assert_drawn(&stage, 24, 100,
                 "step 500ms:  backward 250ms  forward 120ms  other 97.0ms  optimizer step 30.0ms  "
                 "data 3.00ms");
    assert_drawn(&stage, 24, 60, "step 500ms:  backward 250ms  forward 120ms  other 97.0ms");
    assert_not_drawn(&stage, 24, 60, "data");
    assert_drawn(&stage, 24, 100, "steps 40");
    assert_not_drawn(&stage, 24, 100,
                     "calls 18.4k"); /* stretches of phases: no calls of a user's */
    model_job_identity_mutable(stage.job)->share = 0.5;
    stage_show(&stage);
    assert_drawn(&stage, 24, 100, "step ~500ms:  backward ~250ms");
    stage_release(&stage);
}
END_TEST

/* Of two devices the mean. A job is launch bound if ops take half of its step, and data is no op.
 */
START_TEST(load_of_devices_is_shown)
{
    static const char *const domain[] = {"cuda/0", "cuda/1"};
    static const struct phase bound[] = {{"step", 100}, {"forward", 60}, {"data", 30}},
                              other[] = {{"step", 100}, {"forward", 40}, {"data", 30}};
    for (unsigned launches = 0; launches < 2; launches++) {
        struct stage stage;
        start(&stage, &sample_train);
        stage_show(&stage);
        assert_not_drawn(&stage, 24, 160, "device busy");
        tell_steps(&stage, 10, launches ? bound : other, 3);
        for (unsigned i = 0; i < 2; i++) {
            const struct model_counter_raw busy = {.domain = sample_bytes(domain[i]),
                                                   .name = sample_bytes("busy"),
                                                   .unit = sample_bytes("%"),
                                                   .kind = MODEL_F64};
            const struct model_counter_value value = {
                .updates = 1, .limit = MODEL_UNKNOWN, .value.d = i ? 20 : 60};
            ck_assert(model_job_add_counter(stage.job, &busy));
            ck_assert(model_job_set_counter(stage.job, 4 + i, MODEL_F64, &value));
        }
        stage_show(&stage);
        assert_drawn(&stage, 24, 160,
                     launches ? "device busy 40%: launch bound" : "device busy 40%\n");
        stage_release(&stage);
    }
}
END_TEST

/* The kinds of loss are named. An old job sends the number only. */
START_TEST(header_names_the_losses_of_the_job)
{
    struct stage stage;
    start(&stage, &sample_train);
    struct model_identity *who = model_job_identity_mutable(stage.job);
    who->dropped = 12;
    assert_drawn(&stage, 24, 160, "job dropped 12");
    model_job_set_text(stage.job, &who->lost, "phases=9\ncalls=3\n", 17);
    assert_drawn(&stage, 24, 160, "lost 9 phases  lost 3 calls");
    assert_not_drawn(&stage, 24, 160, "dropped");
    stage_release(&stage);
}
END_TEST

START_TEST(stopped_collection_is_shown)
{
    struct stage stage;
    start(&stage, &sample_train);
    model_job_identity_mutable(stage.job)->collecting = false;
    assert_drawn(&stage, 24, 80, "collection paused");
    model_job_set_text(stage.job, &model_job_identity_mutable(stage.job)->asker,
                       "anna, process 12 on gpu01", 25);
    assert_drawn(&stage, 24, 160, "collection paused  by anna, process 12 on gpu01");
    assert_drawn(&stage, 24, 80, "collection paused");
    /* The goodbye ends it too, without a message. */
    stage.link.state = MODEL_GONE;
    stage.link.said_bye = true;
    assert_drawn(&stage, 24, 80, "ENDED");
    assert_not_drawn(&stage, 24, 80, "collection");
    stage_release(&stage);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("header");
    tap_add_loop(s, "badge", badge_shows_the_state, TAP_ROWS(badges));
    tap_add_loop(s, "place", header_shows_the_rank_in_a_distributed_job, TAP_ROWS(places));
    tap_add(s, "attached", a_job_that_has_run_nothing_is_idle);
    tap_add(s, "not_run", a_function_that_has_not_run_is_no_state_of_the_job);
    tap_add(s, "compiling", a_compilation_is_named_and_its_time_grows);
    tap_add(s, "profile", the_figures_are_those_of_the_printed_profile);
    tap_add_loop(s, "budget", the_call_budget_adds_up, TAP_ROWS(budgets));
    tap_add_loop(s, "shares", shares_have_an_honest_base, TAP_ROWS(shares));
    tap_add_loop(s, "words", a_program_without_a_machine_shows_none, 5);
    tap_add(s, "uncalled", thunks_outside_calls_have_no_share);
    tap_add(s, "unseen", calls_without_vm_times_leave_shares_unknown);
    tap_add(s, "late", calls_before_the_attach_leave_shares_unknown);
    tap_add(s, "left", rest_of_set_up_is_unknown_without_its_parts);
    tap_add(s, "open", a_call_that_is_open_is_time_in_calls);
    tap_add(s, "open", a_short_open_call_makes_the_rest_an_estimate);
    tap_add(s, "open", no_call_has_ended_yet);
    tap_add(s, "feed", faults_of_the_feed_are_counted);
    tap_add(s, "feed", the_dead_do_not_heal);
    tap_add(s, "feed", a_job_that_wants_no_keys_is_marked);
    tap_add(s, "paused", paused_screen_counts_lost_frames);
    tap_add_loop(s, "gone", the_end_of_a_job_has_a_reason_and_dims_the_rest, 3);
    tap_add(s, "no_rate", a_job_that_is_over_has_no_rate);
    tap_add_loop(s, "length", an_interval_has_its_own_length, TAP_ROWS(lengths));
    tap_add(s, "unknown", unknown_header_values_are_not_zero);
    tap_add(s, "what it costs to look", header_shows_the_profiling_overhead);
    tap_add(s, "a budget that cannot be kept is said", unattainable_budget_is_shown);
    tap_add(s, "share_of_the_time_is_shown", share_of_the_time_is_shown);
    tap_add(s, "phases_of_a_step_are_shown", phases_of_a_step_are_shown);
    tap_add(s, "load_of_devices_is_shown", load_of_devices_is_shown);
    tap_add(s, "header_names_the_losses_of_the_job", header_names_the_losses_of_the_job);
    tap_add(s, "stopped", stopped_collection_is_shown);
    return s;
}

TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_job_page.c: the job's identity, its settings, and how each function was compiled.
 */
#include "../tap.h"

#include "stage.h"

#include <locale.h>

static void tell(struct stage *stage, const char *facts)
{
    struct model_identity *who = model_job_identity_mutable(stage->job);
    sample_must(model_job_set_text(stage->job, &who->facts, facts, strlen(facts)));
}

/* The caller frees it. */
static char *page(struct stage *stage, int cols)
{
    stage->screen.mode = TUI_MODE_JOB;
    stage_draw(stage, 40, cols);
    return stage_text(&stage->grid);
}

static void has(const char *text, const char *line)
{
    ck_assert_msg(strstr(text, line) != NULL, "no \"%s\" in\n%s", line, text);
}

START_TEST(job_page_shows_the_job_identity)
{
    struct stage stage;
    stage_init(&stage, &sample_train);
    char *text = page(&stage, 100);
    has(text, "\n Program    train.py\n");
    has(text, "\n Process    4711 on gpu01\n");
    has(text, "\n Framework  PyTensor 2.31.7\n");
    has(text, "\n Route      C VM pointer patch\n");
    has(text, "\n Clock      -\n");
    free(text);
    stage_release(&stage);
}
END_TEST

/* A setting without a cost, or with an unknown cost, is not mentioned. */
START_TEST(job_page_shows_the_cost_of_settings)
{
    struct stage stage;
    stage_init(&stage, &sample_train);
    char *text = page(&stage, 100);
    ck_assert_ptr_null(strstr(text, "Cost of"));
    free(text);
    struct model_identity *who = model_job_identity_mutable(stage.job);
    who->choice[0] = 0.0123;
    who->choice[1] = 0;
    who->choice[3] = 0.0004;
    text = page(&stage, 100);
    has(text, "\n Cost of    profile_symbolic: 1.2% of the job's time\n"
              " Cost of    profile_memory: less than 0.1% of the job's time\n");
    ck_assert_ptr_null(strstr(text, "profile_imperative"));
    free(text);
    stage_release(&stage);
}
END_TEST

/* The client that asked got the answer. A refusal makes no figure doubtful, so the header does not
 * show it. */
START_TEST(refusals_are_shown_on_the_job_page_alone)
{
    struct stage stage;
    stage_init(&stage, &sample_train);
    char *text = page(&stage, 100);
    ck_assert_ptr_null(strstr(text, "Refused"));
    free(text);
    model_job_identity_mutable(stage.job)->refused = 2;
    text = page(&stage, 100);
    has(text, "\n Refused    2 of what viewers have asked the job for\n");
    ck_assert_ptr_null(strstr(text, "job refused"));
    free(text);
    stage_release(&stage);
}
END_TEST

/* Tips, times and modes of functions are not settings. */
START_TEST(settings_are_those_of_the_framework)
{
    struct stage stage;
    stage_init(&stage, &sample_train);
    char *text = page(&stage, 80);
    ck_assert_ptr_null(strstr(text, "Set to"));
    free(text);
    tell(&stage, "mode=Mode\nlinker=cvm\nprofiling.min_memory_size=1024\n"
                 "odd=a=b\033[m\nblas.ldflags=\n"
                 "tip.1=0:TIP\nmode.1=7:OTHER\ngrad_ns=9\nimported_ns=8\nno setting");
    text = page(&stage, 80);
    has(text, "\n Set to\n"
              " mode                       Mode\n"
              " linker                     cvm\n"
              " profiling.min_memory_size  1024\n"
              " odd                        a=b\xef\xbf\xbd[m\n"
              " blas.ldflags               \"\"\n"
              "\n"
              " Function");
    ck_assert_ptr_null(strstr(text, "TIP"));
    ck_assert_ptr_null(strstr(text, "OTHER"));
    ck_assert_ptr_null(strstr(text, "grad_ns"));
    free(text);
    stage_release(&stage);
}
END_TEST

START_TEST(functions_have_their_mode_and_their_times)
{
    struct stage stage;
    const struct model_function_raw more = {.name = sample_bytes("f_test"),
                                            .file = sample_bytes("train.py"),
                                            .line = 12,
                                            .parent = MODEL_NONE};
    stage_init(&stage, &sample_train);
    sample_must(model_job_add_function(stage.job, &more));
    tell(&stage, "mode.1=0:FAST_RUN linker=cvm optimizer=fast_run -fusion\nmode.2=2:OTHER");
    stage_show(&stage);
    char *text = page(&stage, 100);
    has(text, "\n Function   f_train\n"
              " Mode       FAST_RUN linker=cvm optimizer=fast_run -fusion\n"
              " Compiled   in 14.2s: rewriting 6.10s, of that validating 200ms; linking 7.90s\n"
              " Calls      18.4k in 413s: in the VM 397s, in its ops 309s\n"
              " Nodes      8\n"
              "\n"
              " Function   f_test\n"
              " Made at    train.py:12\n"
              " Calls      0 in 0ns: in its ops 0ns\n"
              " Nodes      0\n");
    free(text);
    struct model_state *one = model_state_take(stage.job, 1, NULL);
    sample_must(one && tui_screen_show(&stage.screen, one));
    text = page(&stage, 100);
    ck_assert_ptr_null(strstr(text, "f_train\n"));
    has(text, "\n Function   f_test\n");
    free(text);
    sample_must(tui_screen_show(&stage.screen, stage.state));
    model_state_free(&one);
    stage_release(&stage);
}
END_TEST

/* A Scan's inner function is called in each step, and few of the steps are timed. It is in a total
 * only if it is the chosen scope: then the header covers it alone. */
START_TEST(times_of_sampled_calls_are_marked)
{
    struct stage stage;
    const struct model_function_raw inner = {.name = sample_bytes("step"), .parent = 3};
    const struct model_apply_raw node = {.text = sample_bytes("dot(h)"), .function = 1, .op = 1};
    const uint64_t id = 1, calls = 200000, ns = 20000000000, vm = 16000000000, timed = 3125;
    const uint64_t error = 250000000, none = MODEL_UNKNOWN, apply = 8, ops = 12000000000;
    ck_assert_ptr_nonnull(setlocale(LC_ALL, "C.UTF-8"));
    stage_init(&stage, &sample_train);
    sample_must(model_job_add_function(stage.job, &inner) &&
                model_job_add_apply(stage.job, &node));
    model_job_set_calls(stage.job, 1, &id, &calls, &ns, &vm, &none, false);
    model_job_set_sampled(stage.job, 1, &id, &timed, &error, false);
    model_job_set_values(stage.job, 1, &apply, &calls, &ops, &none, NULL, false);
    stage_show(&stage);
    char *text = page(&stage, 120);
    has(text, "\n Calls      18.4k in 413s: in the VM 397s, in its ops 309s\n");
    has(text, "\n Calls      200k in ~20.0s \xc2\xb1 250ms: in the VM ~16.0s, in its ops 12.0s\n");
    has(text, "in calls 413s  vm 397s ");
    free(text);
    struct model_state *one = model_state_take(stage.job, 1, NULL);
    sample_must(one && tui_screen_show(&stage.screen, one));
    text = page(&stage, 120);
    has(text, "in calls ~20.0s  vm ~16.0s 80.0%  thunks 12.0s 60.0%  ~100us/call");
    has(text, "thunks 12.0s 60.0%  \xe2\x96\x93 vm alone ~4.00s 20.0%  "
              "\xe2\x96\x92 rest ~4.00s 20.0%");
    free(text);
    model_job_set_extremes(stage.job, 1, &apply, &timed, &timed, &timed, false);
    struct model_state *both = model_state_take(stage.job, 1, NULL);
    sample_must(both && tui_screen_show(&stage.screen, both));
    text = page(&stage, 120);
    has(text, "vm ~16.0s 80.0%  thunks ~12.0s 60.0%");
    has(text, "thunks ~12.0s 60.0%  \xe2\x96\x93 vm alone ~4.00s 20.0%");
    free(text);
    sample_must(tui_screen_show(&stage.screen, stage.state));
    model_state_free(&both);
    model_state_free(&one);
    stage_release(&stage);
}
END_TEST

START_TEST(many_functions_are_not_all_shown)
{
    static const struct {
        int more;
        const char *said;
    } cases[] = {{1002, "\n 3 functions more: f chooses one of them.\n"},
                 {1000, "\n 1 function more: f chooses one of them.\n"}};
    struct stage stage;
    const struct model_function_raw more = {.name = sample_bytes("f"), .parent = MODEL_NONE};
    stage_init(&stage, &sample_train);
    for (int i = 0; i < cases[_i].more; i++)
        sample_must(model_job_add_function(stage.job, &more));
    stage_show(&stage);
    stage.screen.scroll = UINT32_MAX;
    char *text = page(&stage, 80);
    has(text, cases[_i].said);
    free(text);
    stage_release(&stage);
}
END_TEST

START_TEST(of_several_jobs_one_is_to_be_chosen)
{
    struct stage stage;
    struct model_multi_job_state several = {.jobs = 2};
    stage_init(&stage, &sample_train);
    stage.state->multi_job = &several;
    char *text = page(&stage, 80);
    stage.state->multi_job = NULL;
    has(text, ") and ( choose which.");
    ck_assert_ptr_null(strstr(text, "f_train\n"));
    free(text);
    stage_release(&stage);
    stage_init(&stage, NULL);
    text = page(&stage, 80);
    has(text, "Nothing is known of the job yet.");
    free(text);
    stage_release(&stage);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("job_page");
    tap_add(s, "job_page_shows_the_job_identity", job_page_shows_the_job_identity);
    tap_add(s, "costs", job_page_shows_the_cost_of_settings);
    tap_add(s, "refusals_are_shown_on_the_job_page_alone",
            refusals_are_shown_on_the_job_page_alone);
    tap_add(s, "settings_are_those_of_the_framework", settings_are_those_of_the_framework);
    tap_add(s, "functions_have_their_mode_and_their_times",
            functions_have_their_mode_and_their_times);
    tap_add(s, "times_of_sampled_calls_are_marked", times_of_sampled_calls_are_marked);
    tap_add_loop(s, "many_functions_are_not_all_shown", many_functions_are_not_all_shown, 2);
    tap_add(s, "of_several_jobs_one_is_to_be_chosen", of_several_jobs_one_is_to_be_chosen);
    return s;
}

TAP_MAIN(suite)

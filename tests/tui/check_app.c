/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_app.c: keys on a fixed state: pause, sort, search, filter, dig, lists, exit.
 */
#include "config.h"

#include "held.h"

#include <stdlib.h>

/* ---------------------------------------------------------------------------------------- tests */

START_TEST(panes_by_number_and_tab)
{
    type("1");
    ck_assert_uint_eq(app.screen.active, CLASS_PANE);
    tui_app_key(&app, TUI_KEY_TAB);
    ck_assert_uint_eq(app.screen.active, OP_PANE);
    tui_app_key(&app, '\t');
    ck_assert_uint_eq(app.screen.active, APPLY_PANE);
    tui_app_key(&app, TUI_KEY_TAB);
    ck_assert_uint_eq(app.screen.active, CLASS_PANE);
    tui_app_key(&app, TUI_KEY_BACKTAB);
    ck_assert_uint_eq(app.screen.active, APPLY_PANE);
    ck_assert_uint_eq(pane()->view.count, APPLIES);
}
END_TEST

static const struct {
    const char *keys, *rows;
} sorts[] = {
    {"2", "0123"},  {"2T", "0123"}, {"2TT", "3210"},    {"2C", "1230"},  {"2CC", "0321"},
    {"2A", "0321"}, {"2S", "0231"}, {"2SS", "1320"},    {"2CI", "0321"}, {"2CII", "1230"},
    {"1T", "01"},   {"1C", "01"},   {"3C", "23456701"},
};

/* Sorts at once, from the present data: the state is the same one. */
START_TEST(sorts_by_letter)
{
    const struct model_state *before = app.state;
    ck_assert_uint_eq(type(sorts[_i].keys) & TUI_WANT_DRAW, TUI_WANT_DRAW);
    ck_assert_str_eq(rows(), sorts[_i].rows);
    ck_assert_ptr_eq(app.state, before);
}
END_TEST

START_TEST(sort_moves_over_all_columns_of_a_pane)
{
    type("2");
    unsigned first = pane()->view.column;
    for (int i = 0; i < 64; i++)
        type("<");
    ck_assert_uint_le(pane()->view.column, first);
    unsigned last = pane()->view.column, moves = 0;
    for (int i = 0; i < 64; i++) {
        type(">");
        moves += pane()->view.column != last;
        last = pane()->view.column;
        ck_assert(model_column_on_screen(&model_columns[last], MODEL_OP));
    }
    ck_assert_uint_ge(moves, 5);
}
END_TEST

START_TEST(sort_from_the_list)
{
    type("2");
    tui_app_key(&app, TUI_KEY_F6);
    ck_assert_int_eq(app.screen.mode, TUI_MODE_SORT);
    ck_assert_uint_ge(app.screen.choices, 8);
    ck_assert_ptr_nonnull(app.screen.choice_head);
    while (!strstr(app.screen.choice[app.screen.chosen].text, "CALLS") ||
           app.screen.choice[app.screen.chosen].text[2] != 'C')
        tui_app_key(&app, TUI_KEY_DOWN);
    tui_app_key(&app, TUI_KEY_ENTER);
    ck_assert_int_eq(app.screen.mode, TUI_MODE_TABLE);
    ck_assert_str_eq(rows(), "1230");
}
END_TEST

START_TEST(pause_keeps_and_resume_takes_anew)
{
    app.screen.now_ns = 5;
    ck_assert_uint_eq(type(" ") & TUI_WANT_STATE, 0);
    ck_assert(app.screen.paused);
    ck_assert_uint_eq(app.screen.paused_at_ns, 5);
    ck_assert_uint_eq(app.paused_frames, 10);
    type("2Cgjd\x1b/add\r");
    ck_assert(app.screen.paused);
    ck_assert_uint_eq(type("p") & TUI_WANT_STATE, TUI_WANT_STATE);
    ck_assert(!app.screen.paused);
    type("Z");
    ck_assert(app.screen.paused);
}
END_TEST

/* Faults before the pause do not count. Each kind of fault during the pause does. */
START_TEST(a_pause_counts_what_is_lost_in_it)
{
    uint64_t *const fault[] = {&job_link.gaps, &job_link.over_limit, &job_link.falls,
                               &job_link.malformed};
    job_link.gaps = 7;
    type(" ");
    tui_app_count_paused_frames(&app);
    ck_assert_uint_eq(app.screen.paused_frames, 0);
    ck_assert_uint_eq(app.screen.lost, 0);
    job_link.frames += 134;
    *fault[_i] += 2;
    tui_app_count_paused_frames(&app);
    ck_assert_uint_eq(app.screen.paused_frames, 134);
    ck_assert_uint_eq(app.screen.lost, 2);
    type("  ");
    tui_app_count_paused_frames(&app);
    ck_assert_uint_eq(app.screen.paused_frames, 0);
    ck_assert_uint_eq(app.screen.lost, 0);
}
END_TEST

static uint64_t shown_ns(void)
{
    return app.state->totals.time_ns;
}

/* The last good values stay until the first snapshot of an epoch or an instance is complete. */
START_TEST(a_state_that_is_not_whole_is_not_shown)
{
    static const uint8_t instance[16] = {8};
    uint64_t id = 0, calls = 2, ns = 777, last = MODEL_UNKNOWN;
    ck_assert_uint_eq(shown_ns(), 2000);
    model_job_set_epoch(job, 5);
    model_job_set_stamp(job, 100, 100);
    ck_assert_uint_eq(model_job_set_values(job, 1, &id, &calls, &ns, &last, NULL, false), 0);
    ck_assert(tui_app_take(&app, job));
    ck_assert_uint_eq(shown_ns(), 2000);
    model_job_set_complete(job);
    ck_assert(tui_app_take(&app, job));
    ck_assert_uint_eq(shown_ns(), 777);
    struct model_job *next = model_job_new(instance);
    ck_assert(tui_app_take(&app, next));
    ck_assert_uint_eq(shown_ns(), 777);
    model_job_set_complete(next);
    ck_assert(tui_app_take(&app, next));
    ck_assert_uint_eq(shown_ns(), 0);
    model_job_release(&next);
}
END_TEST

/* Without any state the screen shows a sentence. */
START_TEST(without_a_whole_state_there_is_a_reason)
{
    struct tui_grid grid = {0};
    struct tui_app fresh;
    char *text = NULL;
    size_t size = 0;
    struct model_job *next = model_job_new((const uint8_t[16]){9});
    ck_assert(tui_app_init(&fresh, &options));
    job_link.state = MODEL_SYNCING;
    fresh.screen.link = &job_link;
    fresh.screen.label = "train.py";
    ck_assert(tui_app_take(&fresh, next));
    ck_assert_ptr_null(fresh.state);
    ck_assert(tui_grid_resize(&grid, 24, 80));
    tui_screen_draw(&fresh.screen, &grid);
    FILE *file = open_memstream(&text, &size);
    tui_text_print(&grid, file);
    fclose(file);
    const char *reason = "Connected to train.py; its first values are on their way.";
    ck_assert_ptr_nonnull(strstr(text, reason));
    free(text);
    tui_grid_release(&grid);
    tui_app_release(&fresh);
    model_job_release(&next);
}
END_TEST

START_TEST(filter_while_typing_and_back)
{
    type("2\\ELEM");
    ck_assert_str_eq(rows(), "23");
    ck_assert_uint_eq(pane()->view.hidden, 2);
    tui_app_key(&app, TUI_KEY_ESC);
    ck_assert_str_eq(rows(), "0123");
    type("\\elemw\r");
    ck_assert_str_eq(rows(), "23");
    type("\\");
    ck_assert_str_eq(app.screen.prompt.text, "elemw");
    type("\x15"
         "dot\r");
    ck_assert_str_eq(rows(), "0");
    tui_app_key(&app, TUI_KEY_ESC);
    ck_assert_str_eq(rows(), "0123");
    ck_assert_str_eq(app.screen.pane[CLASS_PANE].view.filter, "");
}
END_TEST

START_TEST(search_while_typing_next_and_back)
{
    type("2/mul");
    ck_assert_uint_eq(pane()->selected, 3);
    tui_app_key(&app, TUI_KEY_ESC);
    ck_assert_uint_eq(pane()->selected, MODEL_NONE);
    type("/elem\r");
    ck_assert_uint_eq(pane()->selected, 2);
    type("n");
    ck_assert_uint_eq(pane()->selected, 3);
    type("n");
    ck_assert_uint_eq(pane()->selected, 2);
    type("NN");
    ck_assert_uint_eq(pane()->selected, 2);
    type("/nowhere");
    ck_assert(app.screen.message_bad);
    ck_assert_str_eq(rows(), "0123");
}
END_TEST

START_TEST(prompt_edits_characters_not_bytes)
{
    type("2\\");
    tui_app_key(&app, 0xe9);
    tui_app_key(&app, 0x65e5);
    tui_app_key(&app, 0x1f600);
    ck_assert_str_eq(app.screen.prompt.text, "\xc3\xa9\xe6\x97\xa5\xf0\x9f\x98\x80");
    tui_app_key(&app, TUI_KEY_LEFT);
    tui_app_key(&app, TUI_KEY_BACKSPACE);
    ck_assert_str_eq(app.screen.prompt.text, "\xc3\xa9\xf0\x9f\x98\x80");
    tui_app_key(&app, TUI_KEY_DELETE);
    ck_assert_str_eq(app.screen.prompt.text, "\xc3\xa9");
    tui_app_key(&app, 0x9b);
    tui_app_key(&app, 0x202e);
    tui_app_key(&app, TUI_KEY_IGNORE);
    ck_assert_str_eq(app.screen.prompt.text, "\xc3\xa9");
    for (int i = 0; i < 2 * TUI_PROMPT_MAX; i++)
        type("x");
    ck_assert_uint_eq(app.screen.prompt.size, TUI_PROMPT_MAX - 1);
    ck_assert_uint_eq(strlen(app.screen.prompt.text), TUI_PROMPT_MAX - 1);
}
END_TEST

/* Letters that are keys elsewhere are text in a prompt. */
START_TEST(prompt_takes_all_letters)
{
    type("2/q1 Zh");
    ck_assert_str_eq(app.screen.prompt.text, "q1 Zh");
    ck_assert(!app.screen.paused);
    ck_assert_int_eq(app.screen.mode, TUI_MODE_TABLE);
}
END_TEST

START_TEST(dig_and_back_to_the_same_row)
{
    type("1j");
    ck_assert_uint_eq(pane()->selected, 1);
    tui_app_key(&app, TUI_KEY_ENTER);
    ck_assert_uint_eq(app.screen.active, OP_PANE);
    ck_assert_str_eq(rows(), "23");
    /* Hidden rows are counted, so that all adds up to the total. */
    ck_assert_uint_eq(pane()->view.hidden, 2);
    ck_assert_uint_eq(pane()->view.hidden_sum, 1400);
    ck_assert_uint_eq(pane()->view.outside, 2);
    type("j");
    tui_app_key(&app, '\r');
    ck_assert_uint_eq(app.screen.active, APPLY_PANE);
    ck_assert_str_eq(rows(), "67");
    tui_app_key(&app, '\r');
    ck_assert_int_eq(app.screen.mode, TUI_MODE_DETAIL);
    tui_app_key(&app, TUI_KEY_ESC);
    ck_assert_int_eq(app.screen.mode, TUI_MODE_TABLE);
    tui_app_key(&app, TUI_KEY_ESC);
    ck_assert_uint_eq(app.screen.active, OP_PANE);
    ck_assert_uint_eq(pane()->selected, 3);
    tui_app_key(&app, 0x7f);
    ck_assert_uint_eq(app.screen.active, CLASS_PANE);
    ck_assert_uint_eq(pane()->selected, 1);
    type("3");
    ck_assert_uint_eq(pane()->view.count, APPLIES);
}
END_TEST

/* The selection follows its row into a new state. A new order starts at its top. */
START_TEST(selection_follows_its_row)
{
    type("2gj");
    ck_assert_uint_eq(pane()->selected, 1);
    uint64_t id = 2, calls = 51, ns = 900, last = MODEL_UNKNOWN;
    ck_assert_uint_eq(model_job_set_values(job, 1, &id, &calls, &ns, &last, NULL, false), 0);
    model_job_set_stamp(job, 100, 100);
    ck_assert(tui_app_take(&app, job));
    ck_assert_str_eq(rows(), "1023");
    ck_assert_uint_eq(pane()->selected, 1);
    ck_assert_uint_eq(tui_pane_position(pane()), 0);
    type("G");
    ck_assert_uint_eq(pane()->selected, 3);
}
END_TEST

START_TEST(function_is_the_scope_of_the_next_state)
{
    type("f");
    ck_assert_int_eq(app.screen.mode, TUI_MODE_FUNCTIONS);
    ck_assert_uint_eq(app.screen.choices, 3);
    type("jj");
    ck_assert_uint_eq(tui_app_key(&app, '\r') & TUI_WANT_STATE, TUI_WANT_STATE);
    ck_assert_uint_eq(app.scope, 1);
    ck_assert(tui_app_show(&app, model_state_take(job, app.scope, app.state)));
    type("3");
    ck_assert_str_eq(rows(), "1357");
}
END_TEST

/* The list begins with the longest time, whatever the scope is. Figures stand beside the name. */
START_TEST(functions_are_listed_by_time)
{
    uint64_t id = 1, calls = 3, ns = 5000, none = MODEL_UNKNOWN;
    model_job_set_values(job, 1, &id, &calls, &ns, &none, NULL, false);
    model_job_set_calls(job, 1, &id, &calls, &none, &none, &none, false);
    ck_assert(tui_app_show(&app, model_state_take(job, 0, NULL)));
    app.scope = 0;
    type("f");
    ck_assert_uint_eq(app.screen.choices, 3);
    ck_assert_str_eq(app.choice_text[0], "                    all functions");
    ck_assert_str_eq(app.choice_text[1], "       3    5.60us  valid");
    ck_assert_str_eq(app.choice_text[2], "       0    1.00us  train");
    ck_assert_uint_eq(app.choice_id[1], 1);
    ck_assert_uint_eq(app.screen.chosen, 2);
    tui_app_key(&app, TUI_KEY_ESC);
    const uint64_t one = 1; /* of the three calls */
    model_job_set_extremes(job, 1, &id, &ns, &ns, &one, false);
    ck_assert(tui_app_show(&app, model_state_take(job, 0, NULL)));
    type("f");
    ck_assert_str_eq(app.choice_text[1], "       3   ~5.60us  valid");
    ck_assert_str_eq(app.choice_text[2], "       0    1.00us  train");
    type("k");
    ck_assert_uint_eq(tui_app_key(&app, '\r') & TUI_WANT_STATE, TUI_WANT_STATE);
    ck_assert_uint_eq(app.scope, 1);
}
END_TEST

/* Jobs of one program have functions of the same names. Functions of a released job disappear. */
START_TEST(function_choices_name_their_job)
{
    struct model_multi_job *multi_job = model_multi_job_new();
    const struct model_multi_job_member member = {job, &job_link};
    ck_assert_ptr_nonnull(multi_job);
    model_job_identity_mutable(job)->rank = 3;
    ck_assert(tui_app_show(
        &app, model_multi_job_take(multi_job, MODEL_MULTI_JOB_EACH, MODEL_ALL, &member, 1)));
    type("f");
    ck_assert_uint_eq(app.screen.choices, 3);
    ck_assert_str_eq(app.choice_text[1] + 20, "train  rank 3");
    ck_assert_str_eq(app.choice_text[2] + 20, "valid  rank 3");
    ck_assert_ptr_nonnull(strstr(draw(24, 80), "all 2 functions"));
    tui_app_key(&app, TUI_KEY_ESC);
    ck_assert(tui_app_show(
        &app, model_multi_job_take(multi_job, MODEL_MULTI_JOB_EACH, MODEL_ALL, &member, 0)));
    type("f");
    ck_assert_uint_eq(app.screen.choices, 1);
    ck_assert_ptr_null(strstr(draw(24, 80), "2 functions"));
    model_multi_job_free(&multi_job);
}
END_TEST

/* A star marks. Enter shows the marked functions as one. Without a mark, it shows the row under the
 * cursor. */
START_TEST(marked_functions_are_one_scope)
{
    ck_assert(tui_app_show(&app, model_state_take(job, MODEL_ALL, NULL)));
    type("f*");
    ck_assert_str_eq(app.screen.message, /* "all" is not a single function */
                     "mark single functions; Enter shows those that are marked as one");
    ck_assert(app.choice[0].marked);
    type("j**");
    ck_assert(!app.choice[0].marked && app.choice[1].marked && app.choice[2].marked);
    ck_assert_uint_eq(tui_app_key(&app, '\r') & TUI_WANT_STATE, TUI_WANT_STATE);
    ck_assert(model_scope_several(app.scope) && app.scope != MODEL_ALL);
    ck_assert(tui_app_show(&app, model_state_take(job, app.scope, app.state)));
    type("3");
    ck_assert_uint_eq(pane()->view.count, APPLIES);
    type("f"); /* all are marked again, then one is unmarked */
    ck_assert(!app.choice[0].marked && app.choice[1].marked && app.choice[2].marked);
    type("j*");
    uint32_t left = app.choice_id[2];
    ck_assert_uint_eq(tui_app_key(&app, '\r') & TUI_WANT_STATE, TUI_WANT_STATE);
    ck_assert_uint_eq(app.scope, left);
    type("f*");
    tui_app_key(&app, TUI_KEY_ESC);
    ck_assert_uint_eq(app.scope, left);
    ck_assert_int_eq(app.screen.mode, TUI_MODE_TABLE);
}
END_TEST

START_TEST(groups_are_listed_before_functions)
{
    static const char *const names[] = {"f", "g", "lonely"};
    uint64_t none = MODEL_UNKNOWN;
    for (uint64_t i = 0; i < 3; i++) {
        struct model_function_raw raw = {
            .name = {names[i], strlen(names[i])}, .parent = MODEL_NONE, .group = i < 2 ? 5 : 6};
        uint64_t id = 2 + i, calls = i + 1;
        ck_assert(model_job_add_function(job, &raw));
        model_job_set_calls(job, 1, &id, &calls, &none, &none, &none, false);
    }
    ck_assert(tui_app_show(&app, model_state_take(job, MODEL_ALL, NULL)));
    type("f");
    ck_assert_uint_eq(app.screen.choices, 7);
    ck_assert_str_eq(app.choice_text[1], "       3       0ns  f + g (a group)");
    type("j\r");
    ck_assert_uint_eq(app.scope, model_scope_group(job, 3));
    ck_assert(tui_app_show(&app, model_state_take(job, app.scope, app.state)));
    ck_assert_uint_eq(app.state->totals.calls, 3);
    type("f");
    ck_assert_uint_eq(app.screen.chosen, 1);
    ck_assert(app.choice[1].marked && !app.choice[5].marked);
}
END_TEST

START_TEST(modes_open_and_close)
{
    static const struct {
        const char *key;
        enum tui_mode mode;
    } row[] = {{"?", TUI_MODE_HELP}, {"d", TUI_MODE_DETAIL}, {"L", TUI_MODE_LOG},
             {"e", TUI_MODE_OBJECTS}, {"i", TUI_MODE_JOB}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        type(row[i].key);
        ck_assert_int_eq(app.screen.mode, row[i].mode);
        type(row[i].key);
        ck_assert_int_eq(app.screen.mode, TUI_MODE_TABLE);
        type(row[i].key);
        tui_app_key(&app, TUI_KEY_ESC);
        ck_assert_int_eq(app.screen.mode, TUI_MODE_TABLE);
    }
    type("o");
    ck_assert_int_eq(app.screen.mode, TUI_MODE_TABLE);
    ck_assert(app.screen.message_bad);
}
END_TEST

START_TEST(refresh_has_its_bounds)
{
    type("++++++++");
    ck_assert_uint_eq(app.screen.refresh_ms, 100);
    type("----------");
    ck_assert_uint_eq(app.screen.refresh_ms, 10000);
    type("+");
    ck_assert_uint_eq(app.screen.refresh_ms, 5000);
}
END_TEST

START_TEST(quit_asks_under_run_alone)
{
    ck_assert_uint_eq(type("q") & TUI_WANT_QUIT, TUI_WANT_QUIT);
    app.under_run = app.command_runs = true;
    ck_assert_uint_eq(type("q") & TUI_WANT_QUIT, 0);
    ck_assert_int_eq(app.screen.mode, TUI_MODE_LEAVE);
    ck_assert_uint_eq(tui_app_key(&app, '\r') & (TUI_WANT_QUIT | TUI_WANT_END), TUI_WANT_QUIT);
    type("q");
    tui_app_key(&app, TUI_KEY_DOWN);
    ck_assert_uint_eq(tui_app_key(&app, '\r') & (TUI_WANT_QUIT | TUI_WANT_END), TUI_WANT_END);
    type("q");
    tui_app_key(&app, TUI_KEY_ESC);
    ck_assert_int_eq(app.screen.mode, TUI_MODE_TABLE);
}
END_TEST

/* No request is sent without a choice, or to a job that is gone. */
START_TEST(control_asks_first)
{
    app.screen.link = NULL;
    type("c");
    ck_assert_int_eq(app.screen.mode, TUI_MODE_TABLE);
    ck_assert_str_eq(app.screen.message, "there is no job that could be asked");
    app.screen.link = &job_link;
    struct model_multi_job_state several = {.jobs = 2};
    app.state->multi_job = &several;
    type("c");
    ck_assert_int_eq(app.screen.mode, TUI_MODE_CONTROL);
    ck_assert_str_eq(app.screen.picker_note, "All jobs attached to are asked. ) shows one alone.");
    tui_app_key(&app, TUI_KEY_ESC);
    app.state->multi_job = NULL;
    type("ec");
    ck_assert_int_eq(app.screen.mode, TUI_MODE_CONTROL);
    ck_assert_uint_eq(app.screen.choices, 4);
    ck_assert_uint_eq(tui_app_key(&app, '\r') & TUI_WANT_CONTROL, 0);
    ck_assert_int_eq(app.screen.mode, TUI_MODE_TABLE);
    type("c");
    tui_app_key(&app, TUI_KEY_DOWN);
    ck_assert_uint_eq(tui_app_key(&app, TUI_KEY_ESC) & TUI_WANT_CONTROL, 0);
    static const char *const names[] = {"pause", "resume", "reset"};
    for (unsigned i = 0; i < 3; i++) {
        type("c");
        for (unsigned k = 0; k <= i; k++)
            tui_app_key(&app, TUI_KEY_DOWN);
        ck_assert_uint_ne(tui_app_key(&app, '\r') & TUI_WANT_CONTROL, 0);
        ck_assert_str_eq(app.control->name, names[i]);
        ck_assert_int_eq(app.screen.mode, TUI_MODE_TABLE);
    }
    job_link.state = MODEL_GONE;
    type("c");
    ck_assert_int_eq(app.screen.mode, TUI_MODE_TABLE);
}
END_TEST

/* Random keys in any mode, with and without a state: no crash, and the prompt stays valid. */
START_TEST(random_keys_do_no_harm)
{
    struct tui_grid grid = {0};
    uint32_t seed = 12345u + (uint32_t)_i;
    for (int i = 0; i < 4000; i++) {
        seed = seed * 1664525u + 1013904223u;
        uint32_t pick = seed >> 16;
        uint32_t key = pick & 1 ? TUI_KEY_FIRST + pick / 2 % 32 : pick / 2 % 300;
        tui_app_key(&app, key);
        ck_assert_uint_le(app.screen.prompt.size, TUI_PROMPT_MAX - 1);
        ck_assert(app.screen.choices == 0 || app.screen.chosen < app.screen.choices);
        if (i % 50 == 0) {
            ck_assert(tui_grid_resize(&grid, 1 + (int)(pick % 40), 1 + (int)(pick % 150)));
            tui_screen_draw(&app.screen, &grid);
        }
    }
    tui_grid_release(&grid);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("app");
    add(s, "panes_by_number_and_tab", panes_by_number_and_tab, 1);
    add(s, "sorts_by_letter", sorts_by_letter, TAP_ROWS(sorts));
    add(s, "sort_moves", sort_moves_over_all_columns_of_a_pane, 1);
    add(s, "sort_from_the_list", sort_from_the_list, 1);
    add(s, "pause", pause_keeps_and_resume_takes_anew, 1);
    add(s, "pause_lost", a_pause_counts_what_is_lost_in_it, 4);
    add(s, "whole", a_state_that_is_not_whole_is_not_shown, 1);
    add(s, "no_state", without_a_whole_state_there_is_a_reason, 1);
    add(s, "filter", filter_while_typing_and_back, 1);
    add(s, "search", search_while_typing_next_and_back, 1);
    add(s, "prompt_edits", prompt_edits_characters_not_bytes, 1);
    add(s, "prompt_letters", prompt_takes_all_letters, 1);
    add(s, "dig", dig_and_back_to_the_same_row, 1);
    add(s, "selection", selection_follows_its_row, 1);
    add(s, "function", function_is_the_scope_of_the_next_state, 1);
    add(s, "functions", functions_are_listed_by_time, 1);
    add(s, "each", function_choices_name_their_job, 1);
    add(s, "marked", marked_functions_are_one_scope, 1);
    add(s, "groups", groups_are_listed_before_functions, 1);
    add(s, "modes", modes_open_and_close, 1);
    add(s, "refresh", refresh_has_its_bounds, 1);
    add(s, "quit", quit_asks_under_run_alone, 1);
    add(s, "control asks first", control_asks_first, 1);
    add(s, "random_keys", random_keys_do_no_harm, 8);
    return s;
}

TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_action.c: one key has one meaning, every key has a name, and the help contains every key.
 */
#include "config.h"

#include "tui/app/action.h"

#include <stdlib.h>
#include <string.h>

#include "../tap.h"
#include "tui/ui/term.h"

/* Keys of a mode with their owners, in the order of the lookup. */
enum { OWNERS_MAX = 512 };
struct owner {
    uint32_t key;
    const char *name;
};

static void own(struct owner *owner, unsigned *count, uint32_t key, const char *name)
{
    for (unsigned i = 0; i < *count; i++)
        ck_assert_msg(owner[i].key != key, "key %u means %s and %s", key, owner[i].name, name);
    ck_assert_uint_lt(*count, OWNERS_MAX);
    owner[(*count)++] = (struct owner){key, name};
}

START_TEST(one_key_one_meaning)
{
    struct owner owner[OWNERS_MAX];
    unsigned count = 0;
    for (unsigned i = 0; i < tui_actions_count; i++) {
        const char *keys = tui_actions[i].keys;
        for (uint32_t key = tui_key_next(&keys); key; key = tui_key_next(&keys))
            own(owner, &count, key, tui_actions[i].name);
    }
    for (unsigned i = 0; i < TUI_PANES; i++)
        own(owner, &count, (unsigned char)tui_panes[i].key, tui_panes[i].title);
    for (unsigned i = 0; i < model_columns_count; i++) {
        if (model_columns[i].key)
            own(owner, &count, (unsigned char)model_columns[i].key, model_columns[i].id);
    }
    ck_assert_uint_gt(count, 50);
}
END_TEST

START_TEST(every_key_has_a_name)
{
    for (unsigned i = 0; i < tui_actions_count; i++) {
        const char *keys = tui_actions[i].keys;
        while (*keys) {
            ck_assert_msg(tui_key_next(&keys) != TUI_KEY_NONE, "%s: %s", tui_actions[i].name,
                          tui_actions[i].keys);
        }
    }
}
END_TEST

static const struct {
    const char *name;
    uint32_t code;
} names[] = {
    {"q", 'q'},
    {"Ctrl-C", 3},
    {"Ctrl-L", 12},
    {"F10", TUI_KEY_F10},
    {"Space", ' '},
    {"Esc", 27},
    {"PgDn", TUI_KEY_PGDN},
    {"\\", '\\'},
    {"%", '%'},
    {"Enter", TUI_KEY_ENTER},
    {"Shift-Tab", TUI_KEY_BACKTAB},
    {"F11", 0},
    {"Ctrl-", 0},
    {"", 0},
    {"Nonsense", 0},
};

START_TEST(names_of_keys)
{
    ck_assert_uint_eq(tui_key_code(names[_i].name, strlen(names[_i].name)), names[_i].code);
}
END_TEST

START_TEST(help_has_every_action)
{
    const struct tui_help_row *row;
    ck_assert_uint_eq(tui_help_rows(&row), tui_actions_count);
    for (unsigned i = 0; i < tui_actions_count; i++) {
        ck_assert_str_eq(row[i].keys, tui_actions[i].keys);
        ck_assert_uint_gt(strlen(row[i].text), 3);
        ck_assert_ptr_nonnull(row[i].group);
        ck_assert_uint_eq(row[i].in, tui_actions[i].in);
        /* A key in the footer works in the table. */
        ck_assert(!row[i].footer || (row[i].in & TUI_IN_TABLE));
        ck_assert(!row[i].other || (row[i].in & ~(unsigned)TUI_IN_TABLE));
    }
}
END_TEST

/* Every mode has a key that leaves it and a key that ends the program. */
START_TEST(every_mode_has_its_way_out)
{
    for (enum tui_mode mode = TUI_MODE_TABLE; mode <= TUI_MODE_LEAVE; mode++) {
        ck_assert_str_eq(tui_action_find('q', mode)->name, "leave");
        ck_assert_str_eq(tui_action_find(TUI_KEY_F10, mode)->name, "quit");
        ck_assert_str_eq(tui_action_find(3, mode)->name, "quit");
        ck_assert_str_eq(tui_action_find(TUI_KEY_ESC, mode)->name, "back");
        ck_assert_str_eq(tui_action_find(12, mode)->name, "redraw");
    }
    ck_assert_ptr_null(tui_action_find('~', TUI_MODE_TABLE));
    ck_assert_ptr_null(tui_action_find(' ', TUI_MODE_PICKER));
}
END_TEST

START_TEST(columns_and_panes_by_letter)
{
    int time = tui_action_column('T', MODEL_OP);
    ck_assert_int_ge(time, 0);
    ck_assert_str_eq(model_columns[time].id, "time");
    ck_assert_int_eq(tui_action_column('~', MODEL_OP), -1);
    ck_assert_int_eq(tui_action_pane('1'), 0);
    ck_assert_int_eq(tui_action_pane('3'), 2);
    ck_assert_int_eq(tui_action_pane('9'), -1);
}
END_TEST

/* ------------------------------------------------------------------------------- several jobs */

static unsigned press(struct tui_app *app, const char *keys)
{
    unsigned want = 0;
    for (; *keys; keys++)
        want = tui_app_key(app, (unsigned char)*keys);
    return want & ~(unsigned)TUI_WANT_DRAW;
}

START_TEST(keys_of_several_jobs)
{
    struct tui_options options;
    struct tui_app *app = calloc(1, sizeof *app);
    char why[64], program[] = "proftop", *argv[] = {program, NULL};
    ck_assert(app && tui_options_parse(&options, 1, argv, why, sizeof why));
    ck_assert(tui_app_init(app, &options));
    app->attached = 1;
    for (const char *key = "JR()x"; *key; key++) {
        ck_assert_uint_eq(press(app, (char[]){*key, '\0'}), 0);
        ck_assert(app->screen.message_bad);
    }
    app->attached = 3;
    ck_assert_int_eq(app->look, TUI_SHOW_SUM);
    ck_assert_uint_eq(press(app, "R"), TUI_WANT_STATE);
    ck_assert_int_eq(app->look, TUI_SHOW_RANKS);
    app->scope = 5;
    press(app, "R"); /* other rows, so other functions */
    ck_assert(app->look == TUI_SHOW_EACH && app->scope == MODEL_ALL);
    press(app, "R");
    ck_assert_int_eq(app->look, TUI_SHOW_SUM);
    ck_assert_uint_eq(press(app, ")"), TUI_WANT_FRONT | TUI_WANT_STATE);
    ck_assert(app->look == TUI_SHOW_ONE && app->front == 0);
    press(app, "))");
    ck_assert(app->look == TUI_SHOW_ONE && app->front == 2);
    press(app, ")");
    ck_assert_int_eq(app->look, TUI_SHOW_SUM);
    press(app, "(");
    ck_assert(app->look == TUI_SHOW_ONE && app->front == 2);
    press(app, "R");
    ck_assert_int_eq(app->look, TUI_SHOW_SUM);
    ck_assert_uint_eq(press(app, "e)"), TUI_WANT_FRONT | TUI_WANT_STATE);
    ck_assert(app->front == 0 && app->screen.mode == TUI_MODE_OBJECTS);
    ck_assert_uint_eq(press(app, "i("), TUI_WANT_STATE);
    ck_assert(app->look == TUI_SHOW_SUM && app->screen.mode == TUI_MODE_JOB);
    press(app, "i");
    ck_assert_uint_eq(press(app, "J"), TUI_WANT_JOBS);
    ck_assert_uint_eq(press(app, "x"), TUI_WANT_DROP);
    app->screen.paused = true;
    ck_assert_uint_eq(press(app, "R"), 0);
    ck_assert(app->screen.message_bad && app->look == TUI_SHOW_SUM);
    app->screen.paused = false;
    /* The choices of the list of jobs: three views, then the jobs. */
    static const enum tui_show chosen[] = {TUI_SHOW_SUM, TUI_SHOW_RANKS, TUI_SHOW_EACH,
                                           TUI_SHOW_ONE, TUI_SHOW_ONE};
    for (uint32_t i = 0; i < sizeof chosen / sizeof chosen[0]; i++) {
        tui_app_list_begin(app, TUI_LIST_ATTACHED, TUI_MODE_SORT);
        tui_app_list_add(app, i, false, "one");
        press(app, "\r");
        ck_assert_int_eq(app->look, chosen[i]);
    }
    ck_assert_uint_eq(app->front, 1);
    tui_app_release(app);
    free(app);
}
END_TEST

START_TEST(jobs_are_marked_in_the_picker)
{
    struct tui_options options;
    struct tui_app *app = calloc(1, sizeof *app);
    char why[64], program[] = "proftop", *argv[] = {program, NULL};
    ck_assert(app && tui_options_parse(&options, 1, argv, why, sizeof why));
    ck_assert(tui_app_init(app, &options));
    tui_app_list_begin(app, TUI_LIST_JOBS, TUI_MODE_PICKER);
    for (uint32_t i = 0; i < 3; i++)
        tui_app_list_add(app, 100 + i, false, "job");
    press(app, "**");
    ck_assert(app->marks == 2 && app->choice[0].marked && app->choice[1].marked);
    ck_assert_uint_eq(app->screen.chosen, 2);
    press(app, "kk*");
    ck_assert(app->marks == 1 && !app->choice[0].marked);
    ck_assert(tui_app_is_marked(app, 101) && !tui_app_is_marked(app, 100));
    ck_assert_uint_eq(press(app, "\r"), TUI_WANT_ATTACH);
    tui_app_release(app);
    free(app);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("action");
    tap_add(s, "one_key_one_meaning", one_key_one_meaning);
    tap_add(s, "every_key_has_a_name", every_key_has_a_name);
    tap_add_loop(s, "names_of_keys", names_of_keys, TAP_ROWS(names));
    tap_add(s, "help_has_every_action", help_has_every_action);
    tap_add(s, "every_mode_has_its_way_out", every_mode_has_its_way_out);
    tap_add(s, "columns_and_panes_by_letter", columns_and_panes_by_letter);
    tap_add(s, "keys_of_several_jobs", keys_of_several_jobs);
    tap_add(s, "jobs_are_marked_in_the_picker", jobs_are_marked_in_the_picker);
    return s;
}

TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * action_time.c: key actions for the past. rewind.c does what they ask for.
 */
#include "config.h"

#include "tui/app/action.h"

#include <stdio.h>
#include <string.h>

unsigned tui_act_step(struct tui_app *app, const struct tui_action *action)
{
    app->time = (struct tui_time_request){.what = TUI_TIME_STEP, .amount = action->amount};
    return TUI_WANT_TIME;
}

unsigned tui_act_time(struct tui_app *app, const struct tui_action *action)
{
    app->time = (struct tui_time_request){.what = (enum tui_time)action->amount};
    return TUI_WANT_TIME;
}

static void list_marks(struct tui_app *app, size_t chosen)
{
    const struct tui_rewind *rewind = &app->rewind;
    tui_app_list_begin(app, TUI_LIST_MARKS, TUI_MODE_MARKS);
    app->screen.choice_head = "  TIME      MARK";
    for (unsigned i = 0; i < rewind->marks; i++) {
        const struct tui_mark *mark = &rewind->mark[i];
        char time[16];
        tui_clock(mark->wall_ns, time, sizeof time);
        tui_app_list_add(app, i, rewind->compares && rewind->base == i, "%s  %s", time, mark->name);
    }
    app->screen.chosen = chosen < app->screen.choices ? chosen : 0;
}

unsigned tui_act_marks(struct tui_app *app, const struct tui_action *action)
{
    (void)action;
    if (app->rewind.marks == 0)
        tui_app_message(app, true, "nothing is marked yet: m marks this moment");
    else
        list_marks(app, app->rewind.marks - 1);
    return 0;
}

unsigned tui_act_choose_mark(struct tui_app *app, uint32_t id)
{
    app->time = (struct tui_time_request){.what = TUI_TIME_TO_MARK, .amount = id};
    return TUI_WANT_TIME;
}

unsigned tui_act_rename_mark(struct tui_app *app, const struct tui_action *action)
{
    (void)action;
    tui_prompt_open(app, TUI_ASKING_MARK);
    return 0;
}

unsigned tui_act_ask(struct tui_app *app, const struct tui_action *action)
{
    tui_prompt_open(app, (enum tui_asking)action->amount);
    return 0;
}

unsigned tui_act_mark_as(struct tui_app *app, const char *text)
{
    app->time = (struct tui_time_request){.what = TUI_TIME_MARK};
    snprintf(app->time.text, sizeof app->time.text, "%s", text);
    return TUI_WANT_TIME;
}

unsigned tui_act_go_to_time(struct tui_app *app, const char *text)
{
    if (!text[0])
        return 0;
    app->time = (struct tui_time_request){.what = TUI_TIME_AT};
    snprintf(app->time.text, sizeof app->time.text, "%s", text);
    return TUI_WANT_TIME;
}

unsigned tui_act_name_mark(struct tui_app *app, const char *text)
{
    struct tui_mark *mark = &app->rewind.mark[app->screen.chosen];
    if (text[0])
        snprintf(mark->name + 1, sizeof mark->name - 1, " %s", text);
    else
        mark->name[1] = '\0';
    list_marks(app, app->screen.chosen);
    return 0;
}

unsigned tui_act_go_to_marker(struct tui_app *app, const struct tui_action *action)
{
    (void)action;
    uint64_t mono_ns;
    if (!tui_objects_marker(&app->screen, &mono_ns)) {
        tui_app_message(app, true, "Enter goes to the moment of a marker: choose one");
        return 0;
    }
    app->time = (struct tui_time_request){.what = TUI_TIME_GO, .mono_ns = mono_ns};
    return TUI_WANT_TIME;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * action_control.c: the key that changes what the job collects. It opens a list first: unlike a
 * pause of the view, the change affects every viewer.
 */
#include "config.h"

#include "tui/app/action.h"

unsigned tui_act_control(struct tui_app *app, const struct tui_action *action)
{
    (void)action;
    const struct model_state *state = app->state;
    if (!state || !app->screen.link || app->screen.link->state == MODEL_GONE) {
        tui_app_message(app, true, "there is no job that could be asked");
        return 0;
    }
    tui_app_list_begin(app, TUI_LIST_CONTROL, TUI_MODE_CONTROL);
    if (state->multi_job)
        app->screen.picker_note = "All jobs attached to are asked. ) shows one alone.";
    else if (model_job_identity(state->job)->collecting)
        app->screen.picker_note = "The job counts. Space pauses this view alone.";
    else
        app->screen.picker_note = "The job counts nothing. Its totals stand still.";
    tui_app_list_add(app, MODEL_NONE, false, "%-8s %s", "nothing", "leave the job as it is");
    for (unsigned i = 0; i < tui_controls_count; i++)
        if (tui_controls[i].way == SHARED_COMMAND_SHOWN)
            tui_app_list_add(app, i, false, "%-8s %s", tui_controls[i].name, tui_controls[i].help);
    return 0;
}

unsigned tui_act_choose_control(struct tui_app *app, uint32_t id)
{
    app->control = id < tui_controls_count ? &tui_controls[id] : NULL;
    return app->control ? TUI_WANT_CONTROL : 0;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * diff.c: waits for the figures of both operands, takes their states together, and prints the
 * difference.
 */
#include "config.h"

#include "tui/cli/diff.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tui/app/signals.h"
#include "tui/cli/diff_input.h"
#include "tui/cli/out_file.h"
#include "tui/cli/report.h"
#include "tui/cli/sentence.h"
#include "tui/ui/diff_page.h"

enum { STEP_MS = 50, USUAL_OPS = 20, USUAL_APPLIES = 15 };
/* Number of refreshes that are watched to measure a job's variation; two without calls end it
 * early. */
enum { REFRESHES = 9, REFRESH_NS = 120 * TUI_NS_PER_MS };

struct versus {
    struct tui_session *session;
    struct tui_operand operand[MODEL_SIDES];
    struct tui_operand *of[MODEL_SIDES]; /* both point to the same operand if it is the same job */
    struct model_state *state[MODEL_SIDES];
    struct model_diff diff;
    char why[512];
};

/* ------------------------------------------------------------------------------------- figures */

/* A job that is named twice is connected once. */
static int open_operands(struct versus *v)
{
    for (unsigned side = 0; side < MODEL_SIDES; side++) {
        v->of[side] = &v->operand[side];
        int code = tui_operand_open(v->of[side], v->session, v->session->options->operands[side],
                                    v->why, sizeof v->why);
        if (code != TUI_EXIT_FINE)
            return code;
    }
    if (v->operand[MODEL_B].feed && v->operand[MODEL_A].feed &&
        strcmp(v->operand[MODEL_A].facts, v->operand[MODEL_B].facts) == 0)
        v->of[MODEL_B] = v->of[MODEL_A];
    return TUI_EXIT_FINE;
}

static void pause_for(const struct versus *v)
{
    zmq_pollitem_t item[MODEL_SIDES * VIEWER_POLL_ITEMS];
    size_t items = 0;
    for (unsigned side = 0; side < MODEL_SIDES; side++)
        if (v->operand[side].feed && v->of[side] == &v->operand[side])
            items += viewer_subscriber_items(v->operand[side].feed, item + items);
    zmq_poll(item, (int)items, STEP_MS);
}

/* Reads both until both are ready, so that the figures of live jobs are current. Then each job
 * stops at the end of a tick. */
static bool wait_for_figures(struct versus *v)
{
    const uint64_t deadline_ns = v->session->now_ns + v->session->options->wait_ns;
    for (;;) {
        bool ready = true;
        for (unsigned side = 0; side < MODEL_SIDES; side++)
            ready = tui_operand_ready(v->of[side], v->session) && ready;
        bool even = ready;
        for (unsigned side = 0; ready && side < MODEL_SIDES; side++)
            even = tui_operand_even(v->of[side], v->session) && even;
        if (even || v->session->now_ns >= deadline_ns)
            return ready;
        pause_for(v);
        v->session->now_ns = tui_session_now();
    }
}

static int explain_missing(struct versus *v, bool ready)
{
    const double seconds = (double)v->session->options->wait_ns / TUI_NS_PER_S;
    for (unsigned side = 0; side < MODEL_SIDES; side++) {
        const struct tui_operand *operand = v->of[side];
        if (operand->job)
            continue;
        if (ready) {
            snprintf(v->why, sizeof v->why, "%s ended before anything could be compared. %s",
                     operand->word, viewer_subscriber_link(operand->feed)->reason);
            return TUI_EXIT_JOB_LOST;
        }
        snprintf(v->why, sizeof v->why,
                 "no figures came from %s within %g s (%s); wait longer with --wait", operand->word,
                 seconds, tui_operand_state(operand));
        return TUI_EXIT_NO_JOB;
    }
    return TUI_EXIT_FINE;
}

static bool is_live(const struct tui_operand *operand)
{
    return operand->feed && operand->job &&
           viewer_subscriber_link(operand->feed)->state == MODEL_LIVE;
}

/* Takes a refresh of each live job. Returns false if no job has called anything since the last
 * one. */
static bool take_refresh(struct versus *v, uint64_t calls[MODEL_SIDES])
{
    bool moved = false;
    for (unsigned side = 0; side < MODEL_SIDES; side++) {
        struct tui_operand *operand = v->of[side];
        struct model_state *state = operand == &v->operand[side] && is_live(operand)
                                        ? model_state_take(operand->job, MODEL_ALL, NULL)
                                        : NULL;
        if (!state)
            continue;
        model_spread_add(&operand->imported.saved.spread, state);
        moved |= state->totals.apply_calls != calls[side];
        calls[side] = state->totals.apply_calls;
        model_state_free(&state);
    }
    return moved;
}

static void read_on(struct versus *v, uint64_t until_ns)
{
    while (v->session->now_ns < until_ns) {
        pause_for(v);
        v->session->now_ns = tui_session_now();
        for (unsigned side = 0; side < MODEL_SIDES; side++) {
            if (v->of[side]->feed)
                viewer_subscriber_stop(v->of[side]->feed, false);
            tui_operand_ready(v->of[side], v->session);
        }
    }
}

/* Measures the variation of live jobs, unless the variation of the other side is not known. */
static void watch(struct versus *v)
{
    uint64_t calls[MODEL_SIDES] = {0};
    unsigned idle = 0;
    for (unsigned side = 0; side < MODEL_SIDES; side++)
        if (!is_live(v->of[side]) && v->of[side]->imported.saved.spread.refreshes < 2)
            return;
    for (unsigned n = 0; n < REFRESHES && idle < 2; n++) {
        idle = take_refresh(v, calls) ? 0 : idle + 1;
        read_on(v, v->session->now_ns + REFRESH_NS);
    }
}

static int take_states(struct versus *v)
{
    char why[400];
    struct tui_aliases aliases;
    bool kept = tui_aliases_init(&aliases, v->session->options);
    for (unsigned side = 0; kept && side < MODEL_SIDES; side++)
        tui_aliases_give(&aliases, v->of[side]->job);
    tui_aliases_release(&aliases);
    for (unsigned side = 0; side < MODEL_SIDES; side++) {
        struct model_job *job = v->of[side]->job;
        uint32_t scope = MODEL_ALL;
        if (!tui_scope_find(job, v->session->options, &scope, why, sizeof why)) {
            snprintf(v->why, sizeof v->why, "in %.80s %s", v->of[side]->word, why);
            return TUI_EXIT_NO_JOB;
        }
        v->state[side] = model_state_take(job, scope, NULL);
    }
    if (v->state[MODEL_A] && v->state[MODEL_B] &&
        model_diff_take(&v->diff, v->state[MODEL_A], v->state[MODEL_B])) {
        model_diff_noise(&v->diff, &v->of[MODEL_A]->imported.saved.spread,
                         &v->of[MODEL_B]->imported.saved.spread);
        return TUI_EXIT_FINE;
    }
    snprintf(v->why, sizeof v->why, "there is no memory left to compare these two");
    return TUI_EXIT_JOB_LOST;
}

/* ------------------------------------------------------------------------------------ printing */

static void write_piece(void *to, const char *bytes, size_t size)
{
    fwrite(bytes, 1, size, to);
}

static uint32_t rows_of(uint32_t given, uint32_t usual)
{
    return given == MODEL_SUMMARY_USUAL ? usual : given;
}

static struct model_diff_report report_of(const struct versus *v)
{
    const struct tui_options *options = v->session->options;
    const bool json = options->format == TUI_FORMAT_JSON;
    struct model_diff_report report = {
        .diff = &v->diff,
        .time_ns = tui_session_wall(),
        .ops = rows_of(options->rows.ops, json ? UINT32_MAX : USUAL_OPS),
        .applies = rows_of(options->rows.applies, json ? UINT32_MAX : USUAL_APPLIES)};
    for (unsigned side = 0; side < MODEL_SIDES; side++)
        report.operand[side] = (struct model_diff_operand){
            v->operand[side].word, tui_operand_state(v->of[side]), !v->of[side]->feed,
            v->of[side]->imported.saved.spread.refreshes};
    return report;
}

static bool print_to(void *of, FILE *file)
{
    struct versus *v = of;
    const struct model_diff_report report = report_of(v);
    const struct model_sink sink = {write_piece, file};
    const int cols = tui_batch_columns(file);
    if (v->session->options->format != TUI_FORMAT_JSON)
        return tui_diff_print(&report, cols, v->session->options->ascii, file);
    model_json_diff(&report, &sink);
    return true;
}

/* The comparison was printed, but data of a job may be missing. */
static int explain_lost(struct versus *v)
{
    for (unsigned side = 0; side < MODEL_SIDES; side++) {
        if (!tui_operand_lost(v->of[side]))
            continue;
        snprintf(v->why, sizeof v->why,
                 "%s ended without saying so; its last figures may be incomplete. %s",
                 v->of[side]->word, viewer_subscriber_link(v->of[side]->feed)->reason);
        return TUI_EXIT_JOB_LOST;
    }
    return TUI_EXIT_FINE;
}

static int compare(struct versus *v)
{
    int code = open_operands(v);
    if (code != TUI_EXIT_FINE)
        return code;
    code = explain_missing(v, wait_for_figures(v));
    if (code == TUI_EXIT_FINE)
        watch(v);
    if (code == TUI_EXIT_FINE)
        code = explain_missing(v, wait_for_figures(v));
    if (code == TUI_EXIT_FINE)
        code = take_states(v);
    if (code == TUI_EXIT_FINE)
        code = tui_out_file(v->session->options->out, "the comparison", print_to, v, v->why,
                            sizeof v->why);
    return code == TUI_EXIT_FINE ? explain_lost(v) : code;
}

int tui_versus_run(struct tui_session *session)
{
    struct versus v = {.session = session};
    tui_signals_close(); /* Ctrl-C ends it like any command of a shell */
    int code = compare(&v);
    if (v.why[0] && code != TUI_EXIT_FINE)
        tui_sentence(stderr, "proftop: %s", v.why);
    model_diff_release(&v.diff);
    for (unsigned side = 0; side < MODEL_SIDES; side++) {
        model_state_free(&v.state[side]);
        tui_operand_close(&v.operand[side]);
    }
    return code;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * job_page.c: a page about the job: its identity, its settings, and for each function in scope how
 * it was compiled and what its calls took.
 */
#include "tui/ui/draw.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/job_info.h"

enum { INDENT = 12, FACT_INDENT = 28, LINE_SIZE = 512, FUNCTIONS_SHOWN = 1000 };

static void add_text(struct tui_page *page, const char *label, const char *text)
{
    tui_page_wrap(page, TUI_PLAIN, INDENT, label, *text ? text : "-");
}

/* Adds a line, unless nothing is known. */
static void add_known(struct tui_page *page, const char *label, const char *text)
{
    if (*text)
        add_text(page, label, text);
}

/* Adds the job's count filters; nothing if there are none. */
static void add_filter(const struct model_identity *who, struct tui_page *page)
{
    static const char *const kind[] = {"symbolic", "imperative", "API"};
    char text[LINE_SIZE];
    if (who->only.shown_size > 0) {
        snprintf(text, sizeof(text), "functions %.400s, and what runs in them", who->only.shown);
        add_text(page, "Counts only", text);
    }
    for (unsigned i = 0; i < sizeof(kind) / sizeof(kind[0]); i++)
        if (who->mute >> i & 1)
            add_text(page, "Leaves out", kind[i]);
}

/* Adds the job's current profiling overhead, split by the settings that can turn off a part. */
static void add_costs(const struct model_identity *who, struct tui_page *page)
{
    char text[LINE_SIZE], part[TUI_NUMBER_SIZE];
    for (unsigned i = 0; i < MODEL_CHOICES; i++) {
        const struct model_cell cell = {.known = true, .d = 100 * who->choice[i]};
        model_unit_format(MODEL_UNIT_PERCENT, &cell, TUI_NUMBER_SIZE - 1, part, sizeof(part));
        snprintf(text, sizeof(text), "profile_%s: %s%% of the job's time", model_choices[i],
                 who->choice[i] < 0.001 ? "less than 0.1" : part);
        if (who->choice[i] > 0)
            tui_page_wrap(page, TUI_PLAIN, INDENT, "Cost of", text);
    }
}

static void add_identity(const struct model_identity *who, struct tui_page *page)
{
    char text[LINE_SIZE], count[TUI_NUMBER_SIZE];
    tui_page_line(page, TUI_TITLE, "Job");
    add_text(page, "Program", who->program.shown);
    snprintf(text, sizeof(text), "%" PRIu64 " on %s", who->pid, who->host.shown);
    add_text(page, "Process", who->pid ? text : "");
    snprintf(text, sizeof(text), "%s %s", who->framework.shown, who->framework_version.shown);
    add_text(page, "Framework", who->framework.shown_size ? text : "");
    add_text(page, "Route", who->route.shown);
    add_text(page, "Clock", who->clock.shown);
    add_text(page, "libproftop", who->library.shown);
    add_filter(who, page);
    add_costs(who, page);
    if (who->refused != MODEL_UNKNOWN && who->refused > 0) {
        snprintf(text, sizeof(text), "%s of what viewers have asked the job for",
                 tui_count(count, who->refused));
        add_text(page, "Refused", text);
    }
}

static void add_settings(const struct model_identity *who, struct tui_page *page)
{
    const char *line, *value;
    const uint32_t before = page->line;
    char name[MODEL_TEXT_KEPT], text[MODEL_TEXT_KEPT];
    size_t size;
    for (size_t from = 0; (line = model_fact_line(who, &from, &size));) {
        if (!model_fact_is_setting(line, size))
            continue;
        value = memchr(line, '=', size);
        if (page->line == before) {
            tui_page_line(page, TUI_PLAIN, "");
            tui_page_line(page, TUI_TITLE, "Set to");
        }
        model_text_safe(line, (size_t)(value - line), name, sizeof(name));
        model_text_safe(value + 1, size - (size_t)(value - line) - 1, text, sizeof(text));
        tui_page_wrap(page, TUI_PLAIN, FACT_INDENT, name, *text ? text : "\"\"");
    }
}

static void format_part(char *out, size_t capacity, uint64_t part_ns, const char *word)
{
    char ns[TUI_NUMBER_SIZE];
    *out = '\0';
    if (part_ns > 0)
        snprintf(out, capacity, ", %s of it %s", tui_ns(ns, part_ns), word);
}

static void add_calls(const struct model_state *state, uint32_t id, struct tui_page *page)
{
    const struct model_function_value *value = &state->function[id];
    const struct model_row *row = &state->row[MODEL_FUNCTION][id];
    const struct model_waited waited = model_state_waited(state, MODEL_FUNCTION, row);
    const bool estimated = model_function_estimated(value);
    char count[TUI_NUMBER_SIZE], ns[TUI_NUMBER_SIZE];
    char calls[4 * TUI_NUMBER_SIZE] = "", vm[2 * TUI_NUMBER_SIZE] = "", ops[TUI_NUMBER_SIZE];
    char text[LINE_SIZE], doubt[TUI_NUMBER_SIZE] = "", error[TUI_NUMBER_SIZE];
    char waiting[2 * TUI_NUMBER_SIZE], aside[2 * TUI_NUMBER_SIZE];
    if (estimated && value->call_ns != MODEL_UNKNOWN && value->error_ns != MODEL_UNKNOWN)
        snprintf(doubt, sizeof(doubt), " \xc2\xb1 %s", tui_ns(error, value->error_ns));
    format_part(waiting, sizeof(waiting), waited.ns, "waiting");
    format_part(aside, sizeof(aside), waited.aside_ns, "aside");
    if (value->calls != MODEL_UNKNOWN)
        snprintf(calls, sizeof(calls), "%s in %s%s: ", tui_count(count, value->calls),
                 tui_ns_marked(ns, value->call_ns, estimated), doubt);
    if (value->vm_ns != MODEL_UNKNOWN)
        snprintf(vm, sizeof(vm), "in the VM %s, ", tui_ns_marked(ns, value->vm_ns, estimated));
    snprintf(text, sizeof(text), "%s%sin its ops %s%s%s", calls, vm,
             tui_ns_marked(ops, row->total_ns, row->estimated), waiting, aside);
    add_text(page, *calls ? "Calls" : "Time", text);
}

static void add_compilation(const struct model_function_value *value, struct tui_page *page)
{
    char whole[TUI_NUMBER_SIZE], rewrite[TUI_NUMBER_SIZE], validate[TUI_NUMBER_SIZE];
    char link[TUI_NUMBER_SIZE], text[LINE_SIZE];
    snprintf(text, sizeof(text), "in %s: rewriting %s, of that validating %s; linking %s",
             tui_ns(whole, value->compile_ns), tui_ns(rewrite, value->rewrite_ns),
             tui_ns(validate, value->validate_ns), tui_ns(link, value->link_ns));
    add_known(page, "Compiled", value->compile_ns == MODEL_UNKNOWN ? "" : text);
}

static void add_function(const struct model_state *state, uint32_t id, struct tui_page *page)
{
    const struct model_function_def *def = model_job_function(state->job, id);
    size_t size = 0;
    const char *mode = model_fact_of(model_job_identity(state->job), "mode", id, &size);
    char text[MODEL_TEXT_KEPT];
    tui_page_line(page, TUI_PLAIN, "");
    tui_page_wrap(page, TUI_TITLE, INDENT, "Function", def->name.shown);
    snprintf(text, sizeof(text), "%s:%" PRIu32, def->file.shown, def->line);
    add_known(page, "Made at", def->file.shown_size ? text : "");
    text[0] = '\0';
    if (mode)
        model_text_safe(mode, size, text, sizeof(text));
    add_known(page, "Mode", text);
    add_compilation(&state->function[id], page);
    add_calls(state, id, page);
    snprintf(text, sizeof(text), "%" PRIu32, state->row[MODEL_FUNCTION][id].applies);
    add_text(page, "Nodes", text);
}

static void add_functions(const struct model_state *state, struct tui_page *page)
{
    uint32_t shown = 0, left = 0;
    for (uint32_t id = 0; id < state->count[MODEL_FUNCTION]; id++) {
        if (!state->row[MODEL_FUNCTION][id].in_scope)
            continue;
        if (shown == FUNCTIONS_SHOWN) {
            left++;
            continue;
        }
        add_function(state, id, page);
        shown++;
    }
    char text[LINE_SIZE];
    snprintf(text, sizeof(text), "%" PRIu32 " function%s more: f chooses one of them.", left,
             left == 1 ? "" : "s");
    if (left > 0)
        tui_page_line(page, TUI_DIM, text);
}

static void job_text(const struct tui_screen *screen, struct tui_page *page)
{
    const struct model_state *state = screen->state;
    if (!state) {
        tui_page_line(page, TUI_PLAIN, "Nothing is known of the job yet.");
    } else if (state->multi_job) {
        tui_page_line(page, TUI_PLAIN, "This page is of one job: ) and ( choose which.");
    } else {
        add_identity(model_job_identity(state->job), page);
        add_settings(model_job_identity(state->job), page);
        add_functions(state, page);
    }
}

void tui_job_draw(struct tui_screen *screen, struct tui_grid *grid, struct tui_area area)
{
    tui_page_draw(screen, grid, area, job_text);
}

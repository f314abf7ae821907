/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * diff_page.c: the lines of a comparison, each drawn into a grid of one row.
 */
#include "tui/ui/diff_page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/op_equivalence.h"
#include "model/unit.h"
#include "tui/ui/term.h"

enum { FIGURE = 32, DELTA = FIGURE - 1, NAMES = 1024 }; /* bytes */
enum { TITLE_WIDTH = 12, FUNCTION_WIDTH = 16, WIDE = 96, COLS_LEAST = 72 }; /* columns */
enum { COLS_WHOLE = 3 * NAMES }; /* enough for any name and the name of its function */

struct page {
    const struct model_diff_report *report;
    const struct model_diff *diff;
    struct tui_grid line;
    FILE *file;
    bool same_length; /* the functions of both jobs were called equally often */
    bool wide;
    bool whole; /* no name is cut */
    bool noise; /* the variation of both sides is known for some row */
    int impl_width, function_width; /* for the current table; 0: no such column */
};

/* ------------------------------------------------------------------------------------- figures */

/* Formats a value. An estimate is marked as on the screen. */
static void format_marked(enum model_unit unit, uint64_t value, bool estimated, int width,
                          char out[FIGURE])
{
    const struct model_cell cell = {
        .known = value != MODEL_UNKNOWN, .u = value, .approx = estimated};
    model_unit_format(unit, &cell, (unsigned)width, out, FIGURE);
}

static void format(enum model_unit unit, uint64_t value, int width, char out[FIGURE])
{
    format_marked(unit, value, false, width, out);
}

/* `out` holds DELTA bytes. */
static void format_delta(enum model_unit unit, int64_t delta, int width, char *out)
{
    if (delta == MODEL_DELTA_UNKNOWN || delta == 0) {
        snprintf(out, DELTA, "%s", delta ? "-" : "0");
        return;
    }
    out[0] = delta < 0 ? '-' : '+';
    const struct model_cell cell = {.known = true,
                                    .u = delta < 0 ? (uint64_t)-delta : (uint64_t)delta};
    model_unit_format(unit, &cell, (unsigned)width - 1, out + 1, DELTA - 1);
}

static void format_delta_marked(enum model_unit unit, int64_t delta, bool estimated, int width,
                                char out[FIGURE])
{
    const bool marked = estimated && delta != MODEL_DELTA_UNKNOWN;
    out[0] = '~';
    format_delta(unit, delta, width - marked, out + marked);
}

static void format_mean_delta(const struct model_diff_row *row, bool of_function, int width,
                              char out[FIGURE])
{
    const double delta = model_diff_mean_delta(row, of_function);
    const bool marked = model_diff_estimated(row) && delta == delta;
    const struct model_cell cell = {.known = true, .d = delta < 0 ? -delta : delta};
    if (delta == 0) {
        snprintf(out, FIGURE, "%s", marked ? "~0" : "0");
        return;
    }
    snprintf(out, FIGURE, "%s%s", marked ? "~" : "", delta < 0 ? "-" : delta > 0 ? "+" : "");
    model_unit_format(MODEL_UNIT_MEAN, &cell, (unsigned)(width - (int)strlen(out)),
                      out + strlen(out), FIGURE - strlen(out));
}

static void format_sum(const struct model_diff_table *table, uint32_t from, char out[FIGURE])
{
    format_delta_marked(MODEL_UNIT_NS, model_diff_sum(table, from),
                        model_diff_sum_estimated(table, from), 8, out);
}

/* Formats "2.00", "0.012"; estimates as "~2.00", "~0.012" or, if too wide, "~.012". A bound is not
 * marked. */
static void format_ratio(uint64_t a, uint64_t b, bool estimated, int width, char out[FIGURE])
{
    const double ratio = model_diff_ratio(a, b);
    if (ratio < 0)
        snprintf(out, FIGURE, "-");
    else if (ratio >= 9999.5)
        snprintf(out, FIGURE, ">9999");
    else if (ratio > 0 && ratio < 0.0005)
        snprintf(out, FIGURE, "<.001");
    else {
        char *figure = out + estimated;
        out[0] = '~';
        snprintf(figure, DELTA, "%.*f",
                 ratio < 0.0995 ? 3 : ratio < 9.995 ? 2 : ratio < 99.95 ? 1 : 0, ratio);
        if (estimated && (int)strlen(out) > width)
            memmove(figure, figure + 1, strlen(figure));
    }
}

/* --------------------------------------------------------------------------------------- lines */

static void end_line(struct page *page)
{
    tui_text_print(&page->line, page->file);
    tui_grid_clear(&page->line);
}

static void put_sentence(struct page *page, const char *text)
{
    tui_put_middle(&page->line, 0, 0, page->line.cols, TUI_PLAIN, text, 0);
    end_line(page);
}

/* Writes a text right-aligned in its column; returns where the next column begins. */
static int put_right(struct page *page, int col, int width, const char *text)
{
    tui_put_right(&page->line, 0, col, width, TUI_PLAIN, text);
    return col + width + 1;
}

static void print_operand(struct page *page, unsigned side)
{
    const struct model_diff_operand *operand = &page->report->operand[side];
    const struct model_state *state = page->diff->state[side];
    const struct model_identity *who = model_job_identity(state->job);
    char text[640], pid[32] = "", label[MODEL_SCOPE_LABEL];
    if (who->pid)
        snprintf(pid, sizeof pid, ", process %" PRIu64, who->pid);
    snprintf(text, sizeof text, "%c  %s: %.120s%s, %s%s%s%.40s %.20s%s%.120s", side ? 'B' : 'A',
             operand->word, who->program.shown_size ? who->program.shown : "a job", pid,
             operand->saved && strcmp(operand->state, "ended") != 0 ? "then " : "",
             *operand->state ? operand->state : "of unknown state",
             who->framework.shown_size ? ", " : "", who->framework.shown,
             who->framework_version.shown,
             state->scope == MODEL_ALL ? "" : ", function ",
             state->scope == MODEL_ALL ? ""
                                       : model_scope_label(state->job, state->scope, label));
    put_sentence(page, text);
}

static void print_totals(struct page *page)
{
    struct model_diff_total total;
    char text[FIGURE];
    int col = put_right(page, TITLE_WIDTH + 1, 8, "A");
    col = put_right(page, col, 8, "B");
    put_right(page, put_right(page, col, 8, "B - A"), 6, "B / A");
    end_line(page);
    for (unsigned at = 0; model_diff_total(page->diff, at, &total); at++) {
        const uint64_t a = total.value[MODEL_A], b = total.value[MODEL_B];
        const enum model_unit unit = total.counts ? MODEL_UNIT_COUNT : MODEL_UNIT_NS;
        if (a == MODEL_UNKNOWN && b == MODEL_UNKNOWN)
            continue;
        tui_put(&page->line, 0, 1, TITLE_WIDTH, TUI_PLAIN, total.title);
        const bool either = total.estimated[MODEL_A] || total.estimated[MODEL_B];
        format_marked(unit, a, total.estimated[MODEL_A], 8, text);
        col = put_right(page, TITLE_WIDTH + 1, 8, text);
        format_marked(unit, b, total.estimated[MODEL_B], 8, text);
        col = put_right(page, col, 8, text);
        format_delta_marked(unit, model_delta(a, b), either, 8, text);
        col = put_right(page, col, 8, text);
        format_ratio(a, b, either, 6, text);
        put_right(page, col, 6, text);
        end_line(page);
    }
}

/* ------------------------------------------------------------------------------------- columns */

typedef void figure(const struct page *page, const struct model_diff_row *row, int width,
                    char out[FIGURE]);

#define FIGURE_OF(name)                                                                            \
    static void name(const struct page *page, const struct model_diff_row *row, int width,        \
                     char out[FIGURE])

static void format_side(const struct model_diff_side *side, int width, char out[FIGURE])
{
    format_marked(MODEL_UNIT_NS, side->ns, side->estimated, width, out);
}

FIGURE_OF(put_delta)
{
    (void)page;
    format_delta_marked(MODEL_UNIT_NS, row->delta_ns, model_diff_estimated(row), width, out);
}

FIGURE_OF(put_a)
{
    (void)page;
    format_side(&row->side[MODEL_A], width, out);
}

FIGURE_OF(put_b)
{
    (void)page;
    format_side(&row->side[MODEL_B], width, out);
}

FIGURE_OF(put_ratio)
{
    (void)page;
    if (row->side[MODEL_A].first == MODEL_NONE)
        snprintf(out, FIGURE, "new");
    else if (row->side[MODEL_B].first == MODEL_NONE)
        snprintf(out, FIGURE, "gone");
    else
        format_ratio(row->side[MODEL_A].ns, row->side[MODEL_B].ns, model_diff_estimated(row), width,
                     out);
}

FIGURE_OF(put_per_call)
{
    (void)page;
    format_mean_delta(row, false, width, out);
}

FIGURE_OF(put_per_function_call)
{
    (void)page;
    format_mean_delta(row, true, width, out);
}

FIGURE_OF(put_calls_a)
{
    (void)page;
    format(MODEL_UNIT_COUNT, row->side[MODEL_A].calls, width, out);
}

FIGURE_OF(put_calls_b)
{
    (void)page;
    format(MODEL_UNIT_COUNT, row->side[MODEL_B].calls, width, out);
}

FIGURE_OF(put_impl)
{
    (void)page, (void)width;
    const char *word[MODEL_SIDES];
    for (unsigned side = 0; side < MODEL_SIDES; side++) {
        word[side] = model_diff_impl(&row->side[side]);
        if (row->side[side].left_out || !word[side])
            word[side] = model_left_out_words[row->side[side].left_out];
    }
    if (row->side[MODEL_A].first == MODEL_NONE || strcmp(word[MODEL_A], word[MODEL_B]) == 0)
        snprintf(out, FIGURE, "%s", word[MODEL_B]);
    else if (row->side[MODEL_B].first == MODEL_NONE)
        snprintf(out, FIGURE, "%s", word[MODEL_A]);
    else
        snprintf(out, FIGURE, "%s -> %s", word[MODEL_A], word[MODEL_B]);
}

/* Marks a difference that is within the noise of both sides. */
FIGURE_OF(put_noise)
{
    (void)page, (void)width;
    snprintf(out, FIGURE, "%s", model_diff_is_noise(row) ? "=" : "");
}

/* Condition for a column: whether both jobs ran equally long, and the width of the page. */
enum when { ALWAYS, SAME_OR_WIDE, OTHER_LENGTH, WITH_NOISE };

static const struct {
    const char *title;
    int width;
    enum when when;
    figure *put;
} columns[] = {
    {"B - A", 7, ALWAYS, put_delta},
    {"A", 6, ALWAYS, put_a},
    {"B", 6, ALWAYS, put_b},
    {"B / A", 5, ALWAYS, put_ratio},
    {"", 1, WITH_NOISE, put_noise},
    {"/CALL", 7, SAME_OR_WIDE, put_per_call},
    {"/FCALL", 7, OTHER_LENGTH, put_per_function_call},
    {"N A", 5, ALWAYS, put_calls_a},
    {"N B", 5, ALWAYS, put_calls_b},
    {"IMPL", 0, ALWAYS, put_impl}, /* as wide as needed */
};

static int width_of(const struct page *page, size_t column)
{
    return columns[column].width ? columns[column].width : page->impl_width;
}

static void fit_impl(struct page *page, const struct model_diff_table *table, uint32_t rows)
{
    char text[FIGURE];
    page->impl_width = sizeof "IMPL" - 1;
    for (uint32_t i = 0; i < rows; i++) {
        put_impl(page, &table->row[i], 0, text);
        if ((int)strlen(text) > page->impl_width)
            page->impl_width = (int)strlen(text);
    }
}

static const struct model_text *function_of(const struct page *page,
                                            const struct model_diff_row *row)
{
    const unsigned side = row->side[MODEL_A].first != MODEL_NONE ? MODEL_A : MODEL_B;
    const struct model_job *job = page->diff->state[side]->job;
    const struct model_apply_def *apply = model_job_apply(job, row->side[side].first);
    return &model_job_function(job, apply->function)->name;
}

/* If all rows belong to one function, its name is left out. */
static void fit_function(struct page *page, enum model_table kind,
                         const struct model_diff_table *table, uint32_t rows)
{
    bool several = false;
    int width = sizeof "FUNCTION" - 1;
    for (uint32_t i = 0; kind == MODEL_APPLY && i < rows; i++) {
        const struct model_text *name = function_of(page, &table->row[i]);
        const int own = tui_text_width(name->shown);
        several |= strcmp(name->shown, function_of(page, &table->row[0])->shown) != 0;
        width = own > width ? own : width;
    }
    const int most = page->whole ? NAMES : FUNCTION_WIDTH;
    page->function_width = !several ? 0 : width < most ? width : most;
}

static bool is_shown(const struct page *page, enum when when)
{
    if (when == WITH_NOISE)
        return page->noise;
    return when == ALWAYS || (when == OTHER_LENGTH) == !page->same_length || page->wide;
}

/* --------------------------------------------------------------------------------------- names */

static void append(char out[NAMES], const char *text, size_t size)
{
    size_t used = strlen(out);
    size_t room = NAMES - 1 - used;
    size = size < room ? size : room;
    memcpy(out + used, text, size);
    out[used + size] = '\0';
}

/* Returns where the inputs of an apply begin in its text; the end if it has none. */
static size_t head_of(const struct model_text *text)
{
    const char *inputs = strstr(text->shown, "(");
    return inputs ? (size_t)(inputs - text->shown) : text->shown_size;
}

/* Appends each name of one side once. For applies with different partners, appends only the op. */
static void append_names(const struct page *page, enum model_table kind,
                         const struct model_diff_row *row, unsigned side, char out[NAMES])
{
    const struct model_diff_table *table = &page->diff->table[kind];
    const struct model_text *before = NULL;
    for (uint32_t id = row->side[side].first; id != MODEL_NONE && strlen(out) < NAMES / 2;
         id = model_diff_next(table, side, id)) {
        struct model_text name = *model_diff_name(page->diff, kind, side, id);
        if (before && before->raw_size == model_diff_name(page->diff, kind, side, id)->raw_size &&
            memcmp(before->raw, name.raw, name.raw_size) == 0)
            continue;
        if (before)
            append(out, ", ", 2);
        before = model_diff_name(page->diff, kind, side, id);
        if (kind == MODEL_CLASS)
            name = model_alike_class(&name);
        append(out, name.shown, kind == MODEL_APPLY ? head_of(&name) : name.shown_size);
    }
}

static void name_of(const struct page *page, enum model_table kind,
                    const struct model_diff_row *row, int width, char out[NAMES])
{
    char other[NAMES] = "";
    const unsigned side = row->side[MODEL_A].first != MODEL_NONE ? MODEL_A : MODEL_B;
    struct model_text name = *model_diff_name(page->diff, kind, side, row->side[side].first);
    out[0] = '\0';
    if (!row->paired) {
        /* The last part of a class name is the most useful one. */
        if (kind == MODEL_CLASS && tui_text_width(name.shown) > width)
            name = model_alike_class(&name);
        append(out, name.shown, name.shown_size);
        return;
    }
    append_names(page, kind, row, MODEL_A, out);
    append_names(page, kind, row, MODEL_B, other);
    if (strcmp(out, other) != 0) {
        append(out, " -> ", 4);
        append(out, other, strlen(other));
    }
    if (kind == MODEL_APPLY)
        append(out, name.shown + head_of(&name), name.shown_size - head_of(&name));
}

/* -------------------------------------------------------------------------------------- tables */

static void print_row(struct page *page, enum model_table kind, const struct model_diff_row *row)
{
    char text[FIGURE], name[NAMES];
    int col = 1;
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        if (!is_shown(page, columns[i].when))
            continue;
        columns[i].put(page, row, width_of(page, i), text);
        col = put_right(page, col, width_of(page, i), text);
    }
    if (page->function_width) {
        tui_put_middle(&page->line, 0, col, page->function_width, TUI_PLAIN,
                       function_of(page, row)->shown, 0);
        col += page->function_width + 1;
    }
    name_of(page, kind, row, page->line.cols - col, name);
    tui_put_middle(&page->line, 0, col, page->line.cols - col, TUI_PLAIN, name, 0);
    end_line(page);
}

static void print_titles(struct page *page)
{
    int col = 1;
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        if (is_shown(page, columns[i].when))
            col = put_right(page, col, width_of(page, i), columns[i].title);
    if (page->function_width) {
        tui_put(&page->line, 0, col, page->function_width, TUI_PLAIN, "FUNCTION");
        col += page->function_width + 1;
    }
    tui_put(&page->line, 0, col, page->line.cols - col, TUI_PLAIN, "NAME");
    end_line(page);
}

static void print_table(struct page *page, enum model_table kind, const char *title,
                        const char *one, const char *many)
{
    const struct model_diff_table *table = &page->diff->table[kind];
    const uint32_t most = kind == MODEL_APPLY ? page->report->applies : page->report->ops;
    const uint32_t rows = table->count < most ? table->count : most;
    uint32_t fresh = 0, gone = 0;
    char text[160], sum[FIGURE];
    for (uint32_t i = 0; i < table->count; i++) {
        fresh += table->row[i].side[MODEL_A].first == MODEL_NONE;
        gone += table->row[i].side[MODEL_B].first == MODEL_NONE;
    }
    put_sentence(page, "");
    format_sum(table, 0, sum);
    snprintf(text, sizeof text, "%s: %u, %u new, %u gone; sum of B - A: %s", title, table->count,
             fresh, gone, sum);
    put_sentence(page, text);
    fit_impl(page, table, rows);
    fit_function(page, kind, table, rows);
    if (rows)
        print_titles(page);
    for (uint32_t i = 0; i < rows; i++)
        print_row(page, kind, &table->row[i]);
    if (rows == table->count)
        return;
    format_sum(table, rows, sum);
    const bool single = table->count - rows == 1;
    snprintf(text, sizeof text, " ... (remaining %u %s by %s)", table->count - rows,
             single ? one : many, sum);
    put_sentence(page, text);
}

static bool is_same_job(const struct model_diff *diff)
{
    static const uint8_t nobody[16];
    const struct model_state *a = diff->state[MODEL_A], *b = diff->state[MODEL_B];
    const uint8_t *instance = model_job_identity(a->job)->instance;
    return memcmp(instance, model_job_identity(b->job)->instance, 16) == 0 &&
           memcmp(instance, nobody, 16) != 0;
}

/* Printed before the tables, since it explains how to read them. */
static void print_lengths(struct page *page)
{
    char text[200];
    if (page->same_length)
        return;
    snprintf(text, sizeof text, "functions were called %" PRIu64 " times in A and %" PRIu64
             " times in B:", page->diff->state[MODEL_A]->totals.calls,
             page->diff->state[MODEL_B]->totals.calls);
    put_sentence(page, "");
    put_sentence(page, text);
    put_sentence(page, "rows are ordered as if A had been as long as B");
}

static bool knows_noise(const struct model_diff *diff)
{
    static const enum model_table kind[] = {MODEL_CLASS, MODEL_OP, MODEL_APPLY};
    for (size_t k = 0; k < sizeof kind / sizeof kind[0]; k++)
        for (uint32_t i = 0; i < diff->table[kind[k]].count; i++)
            if (diff->table[kind[k]].row[i].noise_ns >= 0)
                return true;
    return false;
}

/* Explains the mark =, or says why the variation of a side is not known. */
static void print_noise(struct page *page)
{
    char text[240];
    const struct model_diff_operand *operand = page->report->operand;
    if (page->noise) {
        snprintf(text, sizeof text, "=: no more than A and B vary, by %u and %u of their "
                 "refreshes", operand[MODEL_A].refreshes, operand[MODEL_B].refreshes);
        put_sentence(page, text);
    }
    bool explained = page->noise;
    for (unsigned side = 0; side < MODEL_SIDES; side++) {
        if (!operand[side].saved || operand[side].refreshes > 1)
            continue;
        snprintf(text, sizeof text, "how much %c varies is not known: it is one saved state; "
                 "-b -n 10 saves ten", side ? 'B' : 'A');
        put_sentence(page, text);
        explained = true;
    }
    if (!explained)
        put_sentence(page, "how much A and B vary is not known: too little was called meanwhile");
}

static void print_notes(struct page *page)
{
    put_sentence(page, "");
    print_noise(page);
    if (is_same_job(page->diff))
        put_sentence(page, "A and B are the same job: what differs is what it did in between");
    put_sentence(page,
                 page->same_length || page->wide
                     ? "/CALL: time per call, B - A; N A, N B: calls; what is missing counts as 0"
                     : "N A, N B: calls; what is missing counts as 0");
    if (!page->same_length)
        put_sentence(page, "/FCALL is B - A of the time for each call of the function");
}

bool tui_diff_print(const struct model_diff_report *report, int cols, bool ascii, FILE *file)
{
    struct page page = {.report = report,
                        .diff = report->diff,
                        .file = file,
                        .same_length = model_diff_same_length(report->diff)};
    page.whole = cols == 0;
    page.noise = knows_noise(report->diff);
    cols = cols < COLS_LEAST ? COLS_LEAST : cols;
    page.wide = cols >= WIDE && !page.same_length;
    if (!tui_grid_resize(&page.line, 1, page.whole ? COLS_WHOLE : cols))
        return false;
    page.line.ascii = ascii;
    print_operand(&page, MODEL_A);
    print_operand(&page, MODEL_B);
    put_sentence(&page, "");
    print_totals(&page);
    print_lengths(&page);
    print_table(&page, MODEL_CLASS, "Class", "Class differs", "Classes differ");
    print_table(&page, MODEL_OP, "Ops", "Op differs", "Ops differ");
    print_table(&page, MODEL_APPLY, "Apply", "Apply differs", "Applies differ");
    print_notes(&page);
    tui_grid_release(&page.line);
    return true;
}

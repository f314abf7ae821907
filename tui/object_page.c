/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * object_page.c: the spans, counters, memory and markers of the job, and what of them runs now.
 */
#include "draw.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELL_SIZE = 64, LINE_SIZE = 256, MARKS_SHOWN = 100, SLOWEST_FROM = 60, MORE_INDENT = 9 };

/* One row: the state, and which one of its table. */
struct cell {
    const struct model_state *state;
    uint32_t id;
    char text[CELL_SIZE];
    bool known; /* of a figure: rows may be sorted by it */
    double value;
};

/* A column: `least` is how wide the screen has to be for it. */
struct column {
    const char *title;
    int width, least;
    void (*get)(struct cell *cell);
};

/* A table: how many rows, and what they are called. */
struct table {
    const char *title;
    const struct column *column; /* until one without a title */
    uint32_t (*count)(const struct model_state *state);
    /* False: the row is of another table. */
    bool (*name)(const struct cell *cell, const struct model_text **domain,
                 const struct model_text **name);
    /* Below a row, what more there is of it; NULL: nothing. */
    bool (*more)(const struct cell *cell, char out[LINE_SIZE]);
};

static void put_unit(struct cell *cell, enum model_unit unit, uint64_t value)
{
    const struct model_cell given = {.known = value != MODEL_UNKNOWN, .u = value};
    model_unit_format(unit, &given, 8, cell->text, sizeof(cell->text));
    cell->known = given.known;
    cell->value = (double)value;
}

/* What comes from the job may be long, and is cut at a character. */
static void put_word(struct cell *cell, const char *word)
{
    enum { MOST = 12 };
    size_t size = tui_text_fit(word, MOST);
    snprintf(cell->text, sizeof(cell->text), "%.*s", size < CELL_SIZE ? (int)size : 0, word);
    cell->known = false;
}

/* By the stamp of the state: how long ago it was. */
static void put_since(struct cell *cell, uint64_t from_ns)
{
    uint64_t now = cell->state->mono_ns;
    if (from_ns == MODEL_UNKNOWN)
        put_word(cell, "");
    else
        put_unit(cell, MODEL_UNIT_NS, now > from_ns ? now - from_ns : 0);
}

/* --------------------------------------------------------------------------------------- spans */

static const struct model_span_value *span(const struct cell *cell)
{
    return &cell->state->objects.span[cell->id];
}

static uint32_t span_count(const struct model_state *state)
{
    return state->objects.spans;
}

static bool span_name(const struct cell *cell, const struct model_text **domain,
                      const struct model_text **name)
{
    const struct model_span_def *def = model_job_span(cell->state->job, cell->id);
    *domain = &def->domain;
    *name = &def->name;
    return true;
}

static void span_kind(struct cell *cell)
{
    static const char *const word[MODEL_SPAN_KINDS] = {"task", "frame", "event"};
    put_word(cell, word[model_job_span(cell->state->job, cell->id)->kind]);
}

static void span_calls(struct cell *cell)
{
    put_unit(cell, MODEL_UNIT_COUNT, span(cell)->calls);
}

static void span_open(struct cell *cell)
{
    put_since(cell, span(cell)->open_since_ns);
}

#define SPAN_TIME(name, member)                                                                    \
    static void name(struct cell *cell)                                                            \
    {                                                                                              \
        put_unit(cell, MODEL_UNIT_NS, span(cell)->calls > 0 ? span(cell)->member : MODEL_UNKNOWN); \
    }
SPAN_TIME(span_total, total_ns)
SPAN_TIME(span_self, self_ns)
SPAN_TIME(span_min, min_ns)
SPAN_TIME(span_max, max_ns)
SPAN_TIME(span_last, last_ns)

static void put_rate(struct cell *cell, bool known, double rate, const char *sign)
{
    char text[CELL_SIZE];
    const struct model_cell given = {.known = known, .d = rate};
    model_unit_format(MODEL_UNIT_RATE, &given, 8, text, sizeof(text));
    snprintf(cell->text, sizeof(cell->text), "%s%s", known ? sign : "", text + (*text == '+'));
    cell->known = known;
    cell->value = rate;
}

static void span_rate(struct cell *cell)
{
    double rate = 0;
    const bool known = model_span_rate(span(cell), &rate);
    put_rate(cell, known, rate, "");
}

static void span_interval_rate(struct cell *cell)
{
    double rate = 0;
    const bool known = model_span_interval_rate(span(cell), &rate);
    put_rate(cell, known, rate, "+");
}

/* Of frames, by their numbers. */
static bool span_slowest(const struct cell *cell, char out[LINE_SIZE])
{
    const struct model_span_value *value = span(cell);
    size_t used = (size_t)snprintf(out, LINE_SIZE, "slowest of the last:");
    char ns[TUI_NUMBER_SIZE];
    for (uint32_t i = 0; i < value->slowest && used < LINE_SIZE; i++)
        used += (size_t)snprintf(out + used, LINE_SIZE - used, "%s #%" PRIu64 " %s", i ? "," : "",
                                 value->slow[i].number, tui_ns(ns, value->slow[i].ns));
    return value->slowest > 0 && model_job_span(cell->state->job, cell->id)->kind == MODEL_FRAME;
}

static const struct column span_columns[] = {
    {"RUNNING", 7, 0, span_open}, {"TOTAL", 6, 30, span_total}, {"CALLS", 6, 40, span_calls},
    {"RATE", 8, 60, span_rate},   {"+RATE", 8, 110, span_interval_rate},
    {"MIN", 6, 70, span_min},     {"MAX", 6, 70, span_max},     {"LAST", 6, 60, span_last},
    {"SELF", 6, 100, span_self},  {"KIND", 5, 50, span_kind},   {NULL, 0, 0, NULL},
};

/* Spans can be sorted by a column of figures; 0: they stand in the order in which the job told of
 * them. */
static const struct column *sort_column(const struct tui_screen *screen)
{
    return screen->span_order > 0 ? &span_columns[screen->span_order - 1] : NULL;
}

static bool is_sortable(const struct column *column, int cols)
{
    return cols >= column->least && column->get != span_kind;
}

void tui_objects_sort(struct tui_screen *screen, int step)
{
    enum { LAST = sizeof(span_columns) / sizeof(span_columns[0]) - 1 };
    int at = (int)screen->span_order;
    do
        at += step;
    while (at > 0 && at <= LAST && !is_sortable(&span_columns[at - 1], screen->shape.cols));
    if (at >= 0 && at <= LAST)
        screen->span_order = (unsigned)at;
}

struct sorted {
    double value;
    bool known, reversed;
    uint32_t id;
};

/* The most first. What is not known stands last either way; what is equal, by id. */
static int by_value(const void *one, const void *other)
{
    const struct sorted *a = one, *b = other;
    if (a->known != b->known)
        return a->known ? -1 : 1;
    const int more = a->known ? (a->value < b->value) - (a->value > b->value) : 0;
    const int order = a->reversed ? -more : more;
    return order ? order : (a->id > b->id) - (a->id < b->id);
}

/* The ids of the spans in their order; the caller frees them. NULL: they stand as they are, also
 * where there is no memory. */
static struct sorted *sort_spans(const struct tui_screen *screen, uint32_t count)
{
    const struct column *column = sort_column(screen);
    struct sorted *order = column && count > 0 ? calloc(count, sizeof(*order)) : NULL;
    for (uint32_t i = 0; order && i < count; i++) {
        struct cell cell = {.state = screen->state, .id = i};
        column->get(&cell);
        order[i] = (struct sorted){cell.value, cell.known, screen->span_reversed, i};
    }
    if (order)
        qsort(order, count, sizeof(*order), by_value);
    return order;
}

/* ---------------------------------------------------------------------------- counters, memory */

static const struct model_counter_def *counter_def(const struct cell *cell)
{
    return model_job_counter(cell->state->job, cell->id);
}

static const struct model_counter_value *counter(const struct cell *cell)
{
    return &cell->state->objects.counter[cell->id];
}

static uint32_t counter_count(const struct model_state *state)
{
    return state->objects.counters;
}

static bool name_counter(const struct cell *cell, bool memory, const struct model_text **domain,
                         const struct model_text **name)
{
    const struct model_counter_def *def = counter_def(cell);
    *domain = &def->domain;
    *name = &def->name;
    return (def->kind == MODEL_MEMORY) == memory;
}

static bool counter_name(const struct cell *cell, const struct model_text **domain,
                         const struct model_text **name)
{
    return name_counter(cell, false, domain, name);
}

static bool memory_name(const struct cell *cell, const struct model_text **domain,
                        const struct model_text **name)
{
    return name_counter(cell, true, domain, name);
}

static void put_number(struct cell *cell, union model_number number, bool known)
{
    if (!known)
        put_word(cell, "-");
    else if (counter_def(cell)->kind == MODEL_F64)
        snprintf(cell->text, sizeof(cell->text), "%.7g", number.d);
    else
        snprintf(cell->text, sizeof(cell->text), "%" PRId64, number.i);
}

static void counter_value(struct cell *cell)
{
    put_number(cell, counter(cell)->value, counter(cell)->known && counter(cell)->updates > 0);
}

static void counter_min(struct cell *cell)
{
    put_number(cell, counter(cell)->min, counter(cell)->updates > 0);
}

static void counter_max(struct cell *cell)
{
    put_number(cell, counter(cell)->max, counter(cell)->updates > 0);
}

static void counter_updates(struct cell *cell)
{
    put_unit(cell, MODEL_UNIT_COUNT, counter(cell)->updates);
}

static void counter_unit(struct cell *cell)
{
    put_word(cell, counter_def(cell)->unit.shown);
}

static const struct column counter_columns[] = {
    {"VALUE", 12, 0, counter_value}, {"MIN", 12, 80, counter_min},
    {"MAX", 12, 60, counter_max},    {"UPDATES", 7, 70, counter_updates},
    {"UNIT", 8, 100, counter_unit},  {NULL, 0, 0, NULL},
};

static void memory_bytes(struct cell *cell)
{
    put_unit(cell, MODEL_UNIT_BYTES, counter(cell)->known ? counter(cell)->value.u : MODEL_UNKNOWN);
}

static void memory_peak(struct cell *cell)
{
    put_unit(cell, MODEL_UNIT_BYTES, counter(cell)->known ? counter(cell)->max.u : MODEL_UNKNOWN);
}

static void memory_limit(struct cell *cell)
{
    put_unit(cell, MODEL_UNIT_BYTES, counter(cell)->limit);
}

static void memory_scope(struct cell *cell)
{
    put_word(cell, counter_def(cell)->scope.shown);
}

static const struct column memory_columns[] = {
    {"BYTES", 8, 0, memory_bytes},   {"PEAK", 8, 40, memory_peak}, {"LIMIT", 8, 60, memory_limit},
    {"SCOPE", 12, 80, memory_scope}, {NULL, 0, 0, NULL},
};

/* ------------------------------------------------------------------------------------- markers */

/* The newest first. */
static const struct model_mark *mark(const struct cell *cell)
{
    return &cell->state->objects.mark[cell->state->objects.marks - 1 - cell->id];
}

static uint32_t mark_count(const struct model_state *state)
{
    return state->objects.marks < MARKS_SHOWN ? state->objects.marks : MARKS_SHOWN;
}

static bool mark_name(const struct cell *cell, const struct model_text **domain,
                      const struct model_text **name)
{
    const struct model_marker_def *def = model_job_marker(cell->state->job, mark(cell)->marker);
    *domain = &def->domain;
    *name = &def->name;
    return true;
}

static void mark_ago(struct cell *cell)
{
    put_since(cell, mark(cell)->mono_ns);
}

static void mark_scope(struct cell *cell)
{
    put_word(cell, model_mark_scopes[mark(cell)->scope]);
}

static const struct column mark_columns[] = {
    {"AGO", 7, 0, mark_ago}, {"SCOPE", 7, 40, mark_scope}, {NULL, 0, 0, NULL}};

/* ---------------------------------------------------------------------------------------- page */

static const struct table tables[] = {
    {"Spans", span_columns, span_count, span_name, span_slowest},
    {"Counters", counter_columns, counter_count, counter_name, NULL},
    {"Memory", memory_columns, counter_count, memory_name, NULL},
    {"Markers, the newest first", mark_columns, mark_count, mark_name, NULL},
};

/* The cells of a row, or the titles. */
static void add_row(const struct tui_screen *screen, struct tui_page *page,
                    const struct table *table, struct cell *cell, enum tui_role role)
{
    char line[LINE_SIZE] = "";
    size_t size = 0;
    const struct model_text *domain = NULL, *name = NULL;
    if (cell && !table->name(cell, &domain, &name))
        return;
    for (const struct column *column = table->column; column->title; column++) {
        if (page->cols < column->least)
            continue;
        if (cell)
            column->get(cell);
        const bool sorted = column == sort_column(screen);
        char title[CELL_SIZE];
        snprintf(title, sizeof(title), "%s%s", column->title,
                 !sorted || !page->grid ? ""
                 : tui_sign(page->grid, screen->span_reversed ? TUI_SIGN_UP : TUI_SIGN_DOWN));
        const char *text = cell ? cell->text : title;
        /* The mark of the order has a place of its own. */
        int pad = column->width + sorted - tui_text_width(text);
        int put = snprintf(line + size, sizeof(line) - size, "%*s%s ", pad > 0 ? pad : 0, "", text);
        size += put > 0 && (size_t)put < sizeof(line) - size ? (size_t)put : 0;
    }
    line[size] = '\0';
    tui_page_named(page, role, line, cell ? domain->shown : "", cell ? name->shown : "NAME");
    if (cell && table->more && page->cols >= SLOWEST_FROM && table->more(cell, line))
        tui_page_wrap(page, TUI_DIM, MORE_INDENT, NULL, line);
}

/* The first row that is shown; false: there is none. */
static bool first_of(const struct table *table, struct cell *cell)
{
    const struct model_text *domain, *name;
    const uint32_t count = table->count(cell->state);
    while (cell->id < count && !table->name(cell, &domain, &name))
        cell->id++;
    return cell->id < count;
}

bool tui_objects_any(const struct model_state *state)
{
    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
        struct cell cell = {.state = state};
        if (first_of(&tables[i], &cell))
            return true;
    }
    return false;
}

static void add_table(const struct tui_screen *screen, struct tui_page *page,
                      const struct table *table)
{
    struct cell cell = {.state = screen->state};
    const uint32_t count = table->count(screen->state);
    if (!first_of(table, &cell))
        return;
    if (page->line > 0)
        tui_page_line(page, TUI_PLAIN, "");
    tui_page_line(page, TUI_TITLE, table->title);
    add_row(screen, page, table, NULL, TUI_KEY);
    struct sorted *order = table->column == span_columns ? sort_spans(screen, count) : NULL;
    for (uint32_t at = cell.id; at < count; at++) {
        cell.id = order ? order[at].id : at;
        add_row(screen, page, table, &cell, TUI_PLAIN);
    }
    free(order);
}

static void objects_text(const struct tui_screen *screen, struct tui_page *page)
{
    for (size_t i = 0; screen->state && i < sizeof(tables) / sizeof(tables[0]); i++)
        add_table(screen, page, &tables[i]);
    if (page->line == 0)
        tui_page_line(page, TUI_PLAIN,
                      screen->state && screen->state->fleet
                          ? "Spans, counters, memory and markers are not added up: ] and [ show "
                            "those of one job."
                          : "The job has no spans, counters, memory or markers.");
}

int tui_objects_batch(const struct tui_screen *screen, struct tui_grid *grid, int cols, int64_t row,
                      int rows, int *need)
{
    if (!screen->state || !tui_objects_any(screen->state))
        return 0;
    const int64_t at = row + 1; /* below a blank line */
    const int top = at > 0 ? (int)at : 0;
    struct tui_page page = {.grid = grid,
                            .cols = cols,
                            .whole = screen->batch_whole,
                            .first = at < 0 ? (uint32_t)-at : 0,
                            .area = {top, rows > top ? rows - top : 0}};
    objects_text(screen, &page);
    if (need && page.need > *need)
        *need = page.need;
    return (int)page.line + 1;
}

void tui_objects_draw(struct tui_screen *screen, struct tui_grid *grid, struct tui_area area)
{
    tui_page_draw(screen, grid, area, objects_text);
}

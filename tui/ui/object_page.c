/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * object_page.c: the page of the job's spans, counters, memory and markers, and which of them run
 * now. With several jobs, rows of one name stand together for comparison.
 */
#include "tui/ui/draw.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CELL_SIZE = 64,
    LINE_SIZE = 256,
    MARKS_SHOWN = 100,
    SLOWEST_FROM = 60,
    MORE_INDENT = 9,
    STRIP_FROM = 15, /* pages of at least this many lines use some for the row with the cursor */
    STRIP_ROWS = 2,
    JOB_LEAST = 3, /* minimum width of the column with the job names */
    JOB_MOST = 16, /* its maximum on the screen */
    ABOVE = 2, /* lines kept visible above the cursor: for the first row, its title and heading */
};

#define SECOND_NS UINT64_C(1000000000)

/* The job of a row. */
struct source {
    const struct model_job *job;
    const struct model_objects *objects;
    uint64_t mono_ns;  /* stamp of the state */
    const char *label; /* its name among several jobs; NULL: the only one */
};

/* One cell: the job of its row, and the row's number in its table. */
struct cell {
    struct source of;
    uint32_t id;
    char text[CELL_SIZE];
    bool known; /* for a figure: rows may be sorted by it */
    double value;
};

/* A column: `least` is the minimum width of the screen for it. */
struct column {
    const char *title;
    int width, least;
    void (*get)(struct cell *cell);
    bool word; /* it holds no figure: rows are not sorted by it */
};

/* A table: the number of rows, and their names. */
struct table {
    /* Addition to the title while rows are in the order the job sent them, or "". */
    const char *title, *unsorted;
    const struct column *column; /* ends with a column without title */
    uint32_t (*count)(const struct model_objects *objects);
    /* Returns false if the row belongs to another table. */
    bool (*name)(const struct cell *cell, const struct model_text **domain,
                 const struct model_text **name);
    /* Writes a line of further data below a row; NULL: none. */
    bool (*more)(const struct cell *cell, char out[LINE_SIZE]);
};

static void put_unit(struct cell *cell, enum model_unit unit, uint64_t value)
{
    const struct model_cell given = {.known = value != MODEL_UNKNOWN, .u = value};
    model_unit_format(unit, &given, 8, cell->text, sizeof(cell->text));
    cell->known = given.known;
    cell->value = (double)value;
}

/* Text from the job may be long: it is cut at a character boundary. */
static void put_word(struct cell *cell, const char *word)
{
    enum { MOST = 12 };
    size_t size = tui_text_fit(word, MOST);
    snprintf(cell->text, sizeof(cell->text), "%.*s", size < CELL_SIZE ? (int)size : 0, word);
    cell->known = false;
}

/* Writes the time since an instant, by the stamp of the state. */
static void put_since(struct cell *cell, uint64_t from_ns)
{
    uint64_t now = cell->of.mono_ns;
    if (from_ns == MODEL_UNKNOWN)
        put_word(cell, "");
    else
        put_unit(cell, MODEL_UNIT_NS, now > from_ns ? now - from_ns : 0);
}

/* --------------------------------------------------------------------------------------- spans */

static const struct model_span_value *span(const struct cell *cell)
{
    return &cell->of.objects->span[cell->id];
}

static uint32_t span_count(const struct model_objects *objects)
{
    return objects->spans;
}

/* Each kind of span has a table of its own. */
static bool name_of_kind(const struct cell *cell, enum model_span_kind kind,
                         const struct model_text **domain, const struct model_text **name)
{
    const struct model_span_def *def = model_job_span(cell->of.job, cell->id);
    *domain = &def->domain;
    *name = &def->name;
    return def->kind == kind;
}

static bool task_name(const struct cell *cell, const struct model_text **domain,
                      const struct model_text **name)
{
    return name_of_kind(cell, MODEL_TASK, domain, name);
}

static bool frame_name(const struct cell *cell, const struct model_text **domain,
                       const struct model_text **name)
{
    return name_of_kind(cell, MODEL_FRAME, domain, name);
}

static bool event_name(const struct cell *cell, const struct model_text **domain,
                       const struct model_text **name)
{
    return name_of_kind(cell, MODEL_EVENT, domain, name);
}

static void span_kind(struct cell *cell)
{
    static const char *const word[MODEL_SPAN_KINDS] = {"task", "frame", "event"};
    put_word(cell, word[model_job_span(cell->of.job, cell->id)->kind]);
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

/* Writes the slowest frames, with their numbers. */
static bool span_slowest(const struct cell *cell, char out[LINE_SIZE])
{
    const struct model_span_value *value = span(cell);
    size_t used = (size_t)snprintf(out, LINE_SIZE, "slowest of the last:");
    char ns[TUI_NUMBER_SIZE];
    for (uint32_t i = 0; i < value->slowest && used < LINE_SIZE; i++)
        used += (size_t)snprintf(out + used, LINE_SIZE - used, "%s #%" PRIu64 " %s", i ? "," : "",
                                 value->slow[i].number, tui_ns(ns, value->slow[i].ns));
    return value->slowest > 0 && model_job_span(cell->of.job, cell->id)->kind == MODEL_FRAME;
}

static const struct column span_columns[] = {
    {"RUNNING", 7, 0, span_open, false},
    {"TOTAL", 6, 30, span_total, false},
    {"CALLS", 6, 40, span_calls, false},
    {"RATE", 8, 60, span_rate, false},
    {"+RATE", 8, 110, span_interval_rate, false},
    {"MIN", 6, 70, span_min, false},
    {"MAX", 6, 70, span_max, false},
    {"LAST", 6, 60, span_last, false},
    {"SELF", 6, 100, span_self, false},
    {"KIND", 5, 50, span_kind, true},
    {NULL, 0, 0, NULL, false},
};

/* ---------------------------------------------------------------------------- counters, memory */

static const struct model_counter_def *counter_def(const struct cell *cell)
{
    return model_job_counter(cell->of.job, cell->id);
}

static const struct model_counter_value *counter(const struct cell *cell)
{
    return &cell->of.objects->counter[cell->id];
}

static uint32_t counter_count(const struct model_objects *objects)
{
    return objects->counters;
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
    const bool real = counter_def(cell)->kind == MODEL_F64;
    known = known && (counter_def(cell)->kind != MODEL_MEMORY || number.u != MODEL_UNKNOWN);
    if (!known)
        put_word(cell, "-");
    else if (real)
        snprintf(cell->text, sizeof(cell->text), "%.7g", number.d);
    else
        snprintf(cell->text, sizeof(cell->text), "%" PRId64, number.i);
    cell->known = known;
    cell->value = real ? number.d : (double)number.i;
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
    {"VALUE", 12, 0, counter_value, false}, {"MIN", 12, 80, counter_min, false},
    {"MAX", 12, 60, counter_max, false},    {"UPDATES", 7, 70, counter_updates, false},
    {"UNIT", 8, 100, counter_unit, true},   {NULL, 0, 0, NULL, false},
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
    {"BYTES", 8, 0, memory_bytes, false},
    {"PEAK", 8, 40, memory_peak, false},
    {"LIMIT", 8, 60, memory_limit, false},
    {"SCOPE", 12, 80, memory_scope, true},
    {NULL, 0, 0, NULL, false},
};

/* ------------------------------------------------------------------------------------- markers */

/* Returns a marker, the newest first. */
static const struct model_mark *mark(const struct cell *cell)
{
    return &cell->of.objects->mark[cell->of.objects->marks - 1 - cell->id];
}

static uint32_t mark_count(const struct model_objects *objects)
{
    return objects->marks < MARKS_SHOWN ? objects->marks : MARKS_SHOWN;
}

static bool mark_name(const struct cell *cell, const struct model_text **domain,
                      const struct model_text **name)
{
    const struct model_marker_def *def = model_job_marker(cell->of.job, mark(cell)->marker);
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
    {"AGO", 7, 0, mark_ago, false},
    {"SCOPE", 7, 40, mark_scope, true},
    {NULL, 0, 0, NULL, false},
};

/* ---------------------------------------------------------------------------------------- rows */

static const struct table tables[TUI_OBJECT_TABLES] = {
    {"Tasks", "", span_columns, span_count, task_name, span_slowest},
    {"Frames", "", span_columns, span_count, frame_name, span_slowest},
    {"Events", "", span_columns, span_count, event_name, span_slowest},
    {"Counters", "", counter_columns, counter_count, counter_name, NULL},
    {"Memory", "", memory_columns, counter_count, memory_name, NULL},
    {"Markers", ", the newest first", mark_columns, mark_count, mark_name, NULL},
};
enum { LAST_SPANS = 2, MARKERS = TUI_OBJECT_TABLES - 1 };

/* A row and its position on the page. */
struct row {
    struct cell cell;
    unsigned table;
    uint64_t key;   /* identifies the row in its table, even if rows are added */
    uint32_t at;    /* position among all rows in the order the jobs sent them */
    uint32_t group; /* with several jobs: the first row with the same name and domain */
    bool reversed;
};

struct rows {
    struct row *row;
    uint32_t count;
    bool whole; /* false: out of memory, rows are missing */
};

static size_t source_count(const struct model_state *state)
{
    return !state ? 0 : state->multi_job ? state->multi_job->jobs : 1;
}

/* With several jobs, a job without values has no rows. */
static struct source source_of(const struct model_state *state, size_t at)
{
    if (!state->multi_job)
        return (struct source){state->job, &state->objects, state->mono_ns, NULL};
    const struct model_multi_job_entry *job = &state->multi_job->job[at];
    return (struct source){job->job, &job->objects, job->mono_ns, job->label};
}

/* Sorts the largest first. Unknown values are last in either direction. Equal values stay in the
 * order the jobs sent them. */
static int by_value(const void *one, const void *other)
{
    const struct row *a = one, *b = other;
    if (a->cell.known != b->cell.known)
        return a->cell.known ? -1 : 1;
    const double x = a->cell.value, y = b->cell.value;
    const int more = a->cell.known ? (x < y) - (x > y) : 0;
    const int order = a->reversed ? -more : more;
    return order ? order : (a->at > b->at) - (a->at < b->at);
}

static int compare_names(const struct row *a, const struct row *b)
{
    const struct model_text *domain[2], *name[2];
    tables[a->table].name(&a->cell, &domain[0], &name[0]);
    tables[b->table].name(&b->cell, &domain[1], &name[1]);
    const int order = strcmp(name[0]->shown, name[1]->shown);
    return order ? order : strcmp(domain[0]->shown, domain[1]->shown);
}

static int by_name(const void *one, const void *other)
{
    const struct row *a = one, *b = other;
    const int order = compare_names(a, b);
    return order ? order : (a->at > b->at) - (a->at < b->at);
}

static int by_group(const void *one, const void *other)
{
    const struct row *a = one, *b = other;
    const int order = (a->group > b->group) - (a->group < b->group);
    return order ? order : (a->at > b->at) - (a->at < b->at);
}

/* Puts rows of one name and domain together, in the order of the jobs. */
static void group_names(struct row *row, uint32_t count)
{
    qsort(row, count, sizeof(*row), by_name);
    for (uint32_t i = 0; i < count; i++) {
        const bool same = i > 0 && compare_names(&row[i], &row[i - 1]) == 0;
        row[i].group = same ? row[i - 1].group : row[i].at;
    }
    qsort(row, count, sizeof(*row), by_group);
}

/* Sorts the newest instant first, across jobs. */
static void mix_instants(struct row *row, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        mark_ago(&row[i].cell);
        row[i].reversed = true;
    }
    qsort(row, count, sizeof(*row), by_value);
}

/* Joins the rows of several jobs. */
static void join_rows(struct row *row, uint32_t count, unsigned table)
{
    if (count == 0)
        return;
    if (table == MARKERS)
        mix_instants(row, count);
    else
        group_names(row, count);
    for (uint32_t i = 0; i < count; i++)
        row[i].at = i;
}

/* Returns the sort column of a table, or NULL. A report uses the order of the job. */
static const struct column *sort_column(const struct tui_screen *screen, unsigned table)
{
    const unsigned order = screen->batch ? 0 : screen->objects.sort[table].order;
    return order > 0 ? &tables[table].column[order - 1] : NULL;
}

/* Adds the rows of one table of a job, in the order the job sent them. */
static void add_rows(struct rows *rows, struct source of, unsigned table)
{
    const struct model_text *domain, *name;
    const uint32_t count = tables[table].count(of.objects);
    for (uint32_t id = 0; id < count; id++) {
        struct row row = {.cell = {.of = of, .id = id}, .table = table, .at = rows->count};
        row.key = table == MARKERS ? mark(&row.cell)->number : id;
        if (tables[table].name(&row.cell, &domain, &name))
            rows->row[rows->count++] = row;
    }
}

static void sort_rows(const struct tui_screen *screen, struct row *row, uint32_t count,
                      unsigned table)
{
    const struct column *column = sort_column(screen, table);
    for (uint32_t i = 0; column && i < count; i++) {
        column->get(&row[i].cell);
        row[i].reversed = screen->objects.sort[table].reversed;
    }
    if (column && count > 0)
        qsort(row, count, sizeof(*row), by_value);
}

/* Lists all rows in the order of the page. The caller frees them. */
static struct rows list_rows(const struct tui_screen *screen)
{
    struct rows rows = {.whole = true};
    const struct model_state *state = screen->state;
    const size_t sources = source_count(state);
    size_t most = 1;
    for (size_t i = 0; i < TUI_OBJECT_TABLES * sources; i++)
        most +=
            tables[i % TUI_OBJECT_TABLES].count(source_of(state, i / TUI_OBJECT_TABLES).objects);
    rows.row = malloc(most * sizeof(*rows.row));
    rows.whole = rows.row != NULL;
    for (unsigned table = 0; rows.whole && table < TUI_OBJECT_TABLES; table++) {
        const uint32_t first = rows.count;
        for (size_t i = 0; i < sources; i++)
            add_rows(&rows, source_of(state, i), table);
        if (sources > 1)
            join_rows(&rows.row[first], rows.count - first, table);
        sort_rows(screen, &rows.row[first], rows.count - first, table);
    }
    return rows;
}

/* Returns the position of the cursor. If its row is gone: the first row of the same table. */
static uint32_t position(const struct tui_screen *screen, const struct rows *rows)
{
    const struct tui_objects *to = &screen->objects;
    uint32_t first = 0;
    for (uint32_t i = rows->count; to->chosen && i-- > 0;) {
        const struct row *row = &rows->row[i];
        if (row->table == to->table && row->key == to->key && row->cell.of.job == to->of)
            return i;
        first = row->table == to->table ? i : first;
    }
    return first;
}

static void choose(struct tui_screen *screen, const struct row *row)
{
    screen->objects.chosen = true;
    screen->objects.of = row->cell.of.job;
    screen->objects.table = row->table;
    screen->objects.key = row->key;
}

void tui_objects_move(struct tui_screen *screen, int64_t step)
{
    struct rows rows = list_rows(screen);
    int64_t at = (int64_t)position(screen, &rows) + step;
    at = at >= rows.count ? (int64_t)rows.count - 1 : at;
    at = at < 0 ? 0 : at;
    if (rows.count > 0)
        choose(screen, &rows.row[at]);
    free(rows.row);
}

bool tui_objects_marker(const struct tui_screen *screen, uint64_t *mono_ns)
{
    struct rows rows = list_rows(screen);
    const struct row *row = rows.count ? &rows.row[position(screen, &rows)] : NULL;
    const bool there = row && row->table == MARKERS;
    if (there)
        *mono_ns = mark(&row->cell)->mono_ns;
    free(rows.row);
    return there;
}

bool tui_objects_follows(const struct tui_screen *screen, struct model_series_key *key)
{
    struct rows rows = list_rows(screen);
    const struct row *row = rows.count ? &rows.row[position(screen, &rows)] : NULL;
    const bool there = row && row->table != MARKERS;
    if (there)
        *key = (struct model_series_key){.of = row->table <= LAST_SPANS ? MODEL_SERIES_RUNS
                                                                        : MODEL_SERIES_COUNTER,
                                         .id = row->cell.id};
    free(rows.row);
    return there;
}

/* Returns the table with the cursor; without rows, any table. */
static unsigned table_chosen(const struct tui_screen *screen)
{
    struct rows rows = list_rows(screen);
    const unsigned table = rows.count ? rows.row[position(screen, &rows)].table : 0;
    free(rows.row);
    return table;
}

/* Shows the first row of the new order, as in the panes. */
static void choose_first(struct tui_screen *screen, unsigned table)
{
    struct rows rows = list_rows(screen);
    uint32_t at = 0;
    while (at < rows.count && rows.row[at].table != table)
        at++;
    if (at < rows.count)
        choose(screen, &rows.row[at]);
    free(rows.row);
}

void tui_objects_sort(struct tui_screen *screen, int step)
{
    const unsigned table = table_chosen(screen);
    const struct column *column = tables[table].column;
    int last = 0, at = (int)screen->objects.sort[table].order;
    while (column[last].title)
        last++;
    do
        at += step;
    while (at > 0 && at <= last &&
           (column[at - 1].word || screen->shape.cols < column[at - 1].least));
    if (at < 0 || at > last)
        return;
    screen->objects.sort[table].order = (unsigned)at;
    choose_first(screen, table);
}

void tui_objects_reverse(struct tui_screen *screen)
{
    const unsigned table = table_chosen(screen);
    screen->objects.sort[table].reversed = !screen->objects.sort[table].reversed;
    choose_first(screen, table);
}

bool tui_objects_any(const struct model_state *state)
{
    for (size_t i = 0; i < source_count(state); i++) {
        const struct model_objects *objects = source_of(state, i).objects;
        if (objects->spans > 0 || objects->counters > 0 || objects->marks > 0)
            return true;
    }
    return false;
}

/* ---------------------------------------------------------------------------------------- page */

/* Writes a cell or title in its column. Returns the bytes written. */
static size_t put_column(const char *text, int width, char *out, size_t capacity)
{
    const int pad = width - tui_text_width(text);
    const int put = snprintf(out, capacity, "%*s%s ", pad > 0 ? pad : 0, "", text);
    return put > 0 && (size_t)put < capacity ? (size_t)put : 0;
}

/* Returns the width of the column with the job names; 0: one job. */
static int job_width(const struct tui_screen *screen)
{
    int width = screen->state && screen->state->multi_job ? JOB_LEAST : 0;
    for (size_t i = 0; width > 0 && i < source_count(screen->state); i++) {
        const int needed = tui_text_width(source_of(screen->state, i).label);
        width = needed > width ? needed : width;
    }
    return width > JOB_MOST && !screen->batch_whole ? JOB_MOST : width;
}

/* Writes the name of a job at the left. If it is too long, its end is kept, with the rank. Returns
 * the bytes written. */
static size_t put_job(const char *label, int width, char *out, size_t capacity)
{
    while (tui_text_width(label) > width)
        for (label++; ((unsigned char)*label & 0xc0) == 0x80; label++)
            ;
    const int pad = width - tui_text_width(label);
    const int put = width > 0 ? snprintf(out, capacity, " %s%*s ", label, pad, "") : 0;
    return put > 0 && (size_t)put < capacity ? (size_t)put : 0;
}

/* The curves of a table; NULL: it has none. */
static const struct model_strips *strips_of(const struct tui_screen *screen, unsigned table)
{
    return table == MARKERS      ? NULL
           : table <= LAST_SPANS ? screen->span_strips
                                 : screen->counter_strips;
}

/* `jobs`: width from job_width(). */
static void add_titles(const struct tui_screen *screen, struct tui_page *page, unsigned table,
                       int jobs)
{
    char line[LINE_SIZE] = "", title[CELL_SIZE];
    size_t size = put_job("JOB", jobs, line, sizeof(line));
    const struct column *sorted = sort_column(screen, table);
    snprintf(title, sizeof(title), "%s%s", tables[table].title,
             sorted ? "" : tables[table].unsorted);
    if (page->line > 0)
        tui_page_line(page, TUI_PLAIN, "");
    tui_page_line(page, TUI_TITLE, title);
    for (const struct column *column = tables[table].column; column->title; column++) {
        if (page->cols < column->least)
            continue;
        const bool up = screen->objects.sort[table].reversed;
        /* The sort mark has a column of its own. */
        snprintf(title, sizeof(title), "%s%s", column->title,
                 column != sorted || !page->grid
                     ? ""
                     : tui_sign(page->grid, up ? TUI_SIGN_UP : TUI_SIGN_DOWN));
        size +=
            put_column(title, column->width + (column == sorted), line + size, sizeof(line) - size);
    }
    const struct model_strips *strips = strips_of(screen, table);
    if (strips && page->grid) {
        snprintf(title, sizeof(title), "%d s%*s",
                 (int)(MODEL_STRIP_BINS * strips->bin_ns / SECOND_NS), MODEL_STRIP_BINS - 4, "");
        size += put_column(title, MODEL_STRIP_BINS, line + size, sizeof(line) - size);
    }
    line[size] = '\0';
    tui_page_named(page, TUI_KEY, line, "", "NAME");
}

bool tui_objects_strips(const struct tui_screen *screen, enum model_series_of of,
                        struct model_strips *strips, int cols)
{
    const struct model_state *state = screen->state;
    if (!state || state->multi_job || screen->mode != TUI_MODE_OBJECTS || cols < TUI_COLS_WIDE)
        return false;
    const uint32_t rows = of == MODEL_SERIES_RUNS ? state->objects.spans : state->objects.counters;
    strips->of = of;
    strips->table = MODEL_APPLY; /* no table of rows: always the same */
    strips->rows = rows < MODEL_STRIPS_MAX ? rows : MODEL_STRIPS_MAX;
    for (uint32_t i = 0; i < strips->rows; i++)
        strips->id[i] = i;
    return rows > 0;
}

/* Writes how a row went lately. Returns the bytes written. */
static size_t put_curve(const struct tui_screen *screen, const struct tui_page *page,
                        const struct row *row, char *out, size_t capacity)
{
    double level[MODEL_STRIP_BINS];
    char curve[4 * MODEL_STRIP_BINS + 1] = "";
    const struct model_strips *strips = strips_of(screen, row->table);
    if (!strips || !page->grid)
        return 0;
    if (model_strips_levels(strips, row->cell.id, level))
        for (int i = 0; i < MODEL_STRIP_BINS; i++)
            strcat(curve, isnan(level[i]) ? " " : tui_part_sign(page->grid, level[i]));
    return put_column(curve, MODEL_STRIP_BINS, out, capacity);
}

static void add_row(const struct tui_screen *screen, struct tui_page *page, struct row *row,
                    int jobs, bool cursor)
{
    char line[LINE_SIZE] = "";
    const char *label = row->cell.of.label;
    size_t size = label ? put_job(label, jobs, line, sizeof(line)) : 0;
    const struct model_text *domain, *name;
    const struct table *table = &tables[row->table];
    const struct column *sorted = sort_column(screen, row->table);
    for (const struct column *column = table->column; column->title; column++) {
        if (page->cols < column->least)
            continue;
        column->get(&row->cell);
        size += put_column(row->cell.text, column->width + (column == sorted), line + size,
                           sizeof(line) - size);
    }
    size += put_curve(screen, page, row, line + size, sizeof(line) - size);
    line[size] = '\0';
    table->name(&row->cell, &domain, &name);
    tui_page_named(page, cursor ? TUI_CURSOR : TUI_PLAIN, line, domain->shown, name->shown);
    if (!label && table->more && page->cols >= SLOWEST_FROM && table->more(&row->cell, line))
        tui_page_wrap(page, TUI_DIM, MORE_INDENT, NULL, line);
}

static void objects_text(const struct tui_screen *screen, struct tui_page *page)
{
    struct rows rows = list_rows(screen);
    const uint32_t cursor = screen->batch ? MODEL_NONE : position(screen, &rows);
    const int jobs = job_width(screen);
    for (uint32_t i = 0; i < rows.count; i++) {
        if (i == 0 || rows.row[i].table != rows.row[i - 1].table)
            add_titles(screen, page, rows.row[i].table, jobs);
        add_row(screen, page, &rows.row[i], jobs, i == cursor);
    }
    if (!rows.whole)
        tui_page_line(page, TUI_BAD, "There is no memory left to list the spans and counters.");
    else if (rows.count == 0)
        tui_page_line(page, TUI_PLAIN,
                      screen->state && screen->state->multi_job
                          ? "The jobs have no spans, counters, memory or markers."
                          : "The job has no spans, counters, memory or markers.");
    free(rows.row);
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

/* Draws the whole name of the row with the cursor below the rows, since rows cut it. */
static void draw_strip(const struct tui_screen *screen, struct tui_grid *grid, int row)
{
    struct rows rows = list_rows(screen);
    const struct model_text *domain, *name;
    tui_fill(grid, row, 0, grid->cols, TUI_TITLE, TUI_SIGN_RULE);
    if (rows.count > 0) {
        struct row *at = &rows.row[position(screen, &rows)];
        tables[at->table].name(&at->cell, &domain, &name);
        int col = 1, half = grid->cols / 2;
        if (at->cell.of.label)
            col += tui_put_middle(grid, row + 1, col, half, TUI_TITLE, at->cell.of.label, 0) + 2;
        if (domain->shown_size > 0)
            col += tui_put_middle(grid, row + 1, col, half, TUI_DIM, domain->shown, 0) + 1;
        tui_put_middle(grid, row + 1, col, grid->cols - col - 1, TUI_PLAIN, name->shown, 0);
    }
    free(rows.row);
}

/* Scrolls so that the cursor is visible, and the lines above it too if there is space. */
static void scroll_to_cursor(struct tui_screen *screen, const struct tui_grid *grid, int rows)
{
    struct tui_page page = {.cols = grid->cols};
    objects_text(screen, &page);
    if (page.cursor == 0)
        return;
    const int64_t line = page.cursor - 1, room = rows > 0 ? rows : 1;
    const int64_t above = room > ABOVE ? ABOVE : room - 1;
    int64_t top = screen->scroll, last = page.line > room ? page.line - room : 0;
    top = top > last ? last : top;
    top = line >= top + room ? line - room + 1 : top;
    top = line - above < top ? line - above : top;
    screen->scroll = top > 0 ? (uint32_t)top : 0;
}

void tui_objects_draw(struct tui_screen *screen, struct tui_grid *grid, struct tui_area area)
{
    if (area.rows >= STRIP_FROM && screen->state && tui_objects_any(screen->state)) {
        area.rows -= STRIP_ROWS;
        draw_strip(screen, grid, area.row + area.rows);
    }
    const int graph = tui_graph_rows(screen, (area.rows - GRAPH_FROM) / 2);
    area.rows -= graph;
    tui_graph_draw(screen, grid, (struct tui_area){area.row + area.rows, graph});
    scroll_to_cursor(screen, grid, area.rows);
    tui_page_draw(screen, grid, area, objects_text);
}

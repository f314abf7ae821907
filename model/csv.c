/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * csv.c: reads the JSON of a report as it is written, and writes its rows as CSV. It reads the
 * output of our own writer alone: no blanks, no faults. Memory: the longest row.
 */
#include "model/csv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/extra.h"
#include "model/json_writer.h"

enum { COLUMNS_MAX = 160, KEY_MAX = 64, AT_REPORT = 1, AT_SECTION = 2, AT_ROW = 3 };

static const char METRICS[] = "metrics";

/* Bytes that grow. */
struct bytes {
    char *at;
    size_t size, capacity;
};

/* A value in the bytes of the row. */
struct cell {
    size_t at, size;
    bool there;
};

struct model_csv {
    struct model_put out;
    const char *only;
    char *column[COLUMNS_MAX]; /* owned */
    unsigned columns;
    char time[24]; /* of the report */
    /* Position in the JSON. Depth 1: the report; 2: a section; 3: a row; more: inside a value. */
    unsigned depth;
    bool quoted, escaped; /* inside a text; after its backslash */
    bool wanted;          /* the rows of this section are written */
    bool failed;          /* out of memory */
    struct bytes token;   /* the key or value that is being read */
    char key[KEY_MAX], section[KEY_MAX];
    /* The row. */
    struct bytes row;
    struct cell cell[COLUMNS_MAX];
    unsigned place;             /* number of its next key */
    unsigned hint[COLUMNS_MAX]; /* by place: column of the key there in the row before */
};

static void keep(struct model_csv *csv, struct bytes *to, const char *bytes, size_t size)
{
    if (size > to->capacity - to->size) {
        const size_t capacity = (to->size + size) * 2;
        char *more = realloc(to->at, capacity);
        if (!more) {
            csv->failed = true;
            return;
        }
        to->at = more;
        to->capacity = capacity;
    }
    memcpy(to->at + to->size, bytes, size);
    to->size += size;
}

/* ------------------------------------------------------------------------------------- columns */

static void add_column(void *to, const char *key)
{
    struct model_csv *csv = to;
    for (unsigned i = 0; i < csv->columns; i++)
        if (strcmp(csv->column[i], key) == 0)
            return;
    if (csv->columns == COLUMNS_MAX)
        return;
    csv->column[csv->columns] = strdup(key);
    if (csv->column[csv->columns])
        csv->columns++;
    else
        csv->failed = true;
}

static void add_metrics(struct model_csv *csv, const struct model_state *state)
{
    char name[sizeof METRICS + MODEL_TEXT_KEPT + 64];
    for (uint32_t i = 0; state && i < model_job_metrics(state->job); i++) {
        const int size = snprintf(name, sizeof name, "%s.%s", METRICS,
                                  model_job_metric(state->job, i)->name.shown);
        if (size < (int)sizeof name)
            add_column(csv, name);
    }
}

static void set_columns(struct model_csv *csv, const struct model_report *report)
{
    const char *name;
    add_column(csv, "table");
    add_column(csv, "report_time_ns");
    for (unsigned at = 0; (name = model_json_section(at, NULL, NULL)) != NULL; at++)
        if (!csv->only || strcmp(csv->only, name) == 0)
            model_json_section(at, add_column, csv);
    bool rows = false; /* of some section have metrics */
    for (unsigned i = 0; i < csv->columns; i++)
        rows |= strcmp(csv->column[i], METRICS) == 0;
    if (!rows)
        return;
    add_metrics(csv, report->state);
    for (size_t i = 0; i < report->jobs; i++)
        add_metrics(csv, report->job[i].state);
}

/* Returns the position of a column. Keys come in the same order in each row. */
static unsigned find_column(struct model_csv *csv, const char *key, size_t size)
{
    const unsigned place = csv->place < COLUMNS_MAX - 1 ? csv->place++ : csv->place;
    for (unsigned i = 0; i <= csv->columns; i++) {
        const unsigned at = i == 0 ? csv->hint[place] : i - 1;
        if (at < csv->columns && strncmp(csv->column[at], key, size) == 0 &&
            csv->column[at][size] == '\0') {
            csv->hint[place] = at;
            return at;
        }
    }
    return COLUMNS_MAX;
}

/* --------------------------------------------------------------------------------------- cells */

/* Quotes a cell that needs it. */
static void put_cell(struct model_csv *csv, const char *bytes, size_t size)
{
    bool quotes = size > 0 && (bytes[0] == ' ' || bytes[size - 1] == ' ');
    for (size_t i = 0; i < size && !quotes; i++)
        quotes = strchr("\",\r\n", bytes[i]) != NULL;
    if (!quotes) {
        model_put_bytes(&csv->out, bytes, size);
        return;
    }
    model_put_word(&csv->out, "\"");
    for (size_t i = 0; i < size; i++)
        model_put_bytes(&csv->out, bytes[i] == '"' ? "\"\"" : &bytes[i], bytes[i] == '"' ? 2 : 1);
    model_put_word(&csv->out, "\"");
}

/* Adds the text of a JSON string, without its quotes. The writer escapes the characters that
 * disturb, beside the quote and the backslash: they become U+FFFD, as on the screen. */
static void keep_text(struct model_csv *csv, const char *at, const char *end)
{
    while (at < end) {
        const char *plain = memchr(at, '\\', (size_t)(end - at));
        keep(csv, &csv->row, at, (size_t)((plain ? plain : end) - at));
        if (!plain)
            return;
        at = plain + 2;
        if (plain[1] == 'u') {
            /* High surrogates begin with d8 to db; the low one follows. */
            const bool pair = plain[2] == 'd' && strchr("89ab", plain[3]) != NULL;
            keep(csv, &csv->row, "\xEF\xBF\xBD", 3);
            at += pair ? 10 : 4;
        } else {
            keep(csv, &csv->row, plain + 1, 1);
        }
    }
}

/* Sets a cell of the row from a value of JSON. */
static void set_cell(struct model_csv *csv, unsigned column, const char *value, size_t size)
{
    if (column == COLUMNS_MAX || size == 0 || (size == 4 && memcmp(value, "null", 4) == 0))
        return;
    struct cell *cell = &csv->cell[column];
    cell->at = csv->row.size;
    if (value[0] == '"')
        keep_text(csv, value + 1, value + size - 1);
    else
        keep(csv, &csv->row, value, size);
    cell->size = csv->row.size - cell->at;
    cell->there = true;
}

/* Returns the end of a JSON string that begins at `at`: the place behind its second quote. */
static const char *behind_text(const char *at)
{
    for (at++; *at != '"'; at++)
        at += *at == '\\';
    return at + 1;
}

/* Sets the cells `metrics.NAME` from an object of names and whole numbers. */
static void set_metrics(struct model_csv *csv, const char *at, const char *end)
{
    while (at < end && at[1] == '"') { /* a brace or a comma comes before the name */
        const char *name = at + 1, *colon = behind_text(name), *value = colon + 1;
        const size_t before = csv->row.size;
        for (at = value; *at != ',' && *at != '}';)
            at++;
        keep(csv, &csv->row, METRICS, sizeof METRICS - 1);
        keep(csv, &csv->row, ".", 1);
        keep_text(csv, name + 1, colon - 1);
        if (csv->failed)
            return;
        const unsigned column = find_column(csv, csv->row.at + before, csv->row.size - before);
        csv->row.size = before;
        set_cell(csv, column, value, (size_t)(at - value));
    }
}

static void end_row(struct model_csv *csv)
{
    for (unsigned i = 0; i < csv->columns; i++) {
        const struct cell *cell = &csv->cell[i];
        model_put_word(&csv->out, i ? "," : "");
        if (i == 0)
            model_put_word(&csv->out, csv->section);
        else if (i == 1)
            model_put_word(&csv->out, csv->time);
        else if (cell->there)
            put_cell(csv, csv->row.at + cell->at, cell->size);
    }
    model_put_word(&csv->out, "\n");
    memset(csv->cell, 0, csv->columns * sizeof *csv->cell);
    csv->row.size = 0;
    csv->place = 0;
}

/* ------------------------------------------------------------------------------ reading of JSON */

static void end_key(struct model_csv *csv)
{
    const size_t size = csv->token.size < KEY_MAX ? csv->token.size : KEY_MAX;
    csv->key[0] = '\0';
    if (size > 2) /* without its quotes */
        memcpy(csv->key, csv->token.at + 1, size - 2);
    csv->key[size > 2 ? size - 2 : 0] = '\0';
    csv->token.size = 0;
}

static void end_value(struct model_csv *csv)
{
    const size_t size = csv->token.size;
    if (csv->depth == AT_REPORT && strcmp(csv->key, "time_ns") == 0 && size < sizeof csv->time) {
        memcpy(csv->time, csv->token.at, size);
        csv->time[size] = '\0';
    }
    if (csv->depth == AT_ROW && csv->wanted && size > 0) {
        set_cell(csv, find_column(csv, csv->key, strlen(csv->key)), csv->token.at, size);
        if (csv->token.at[0] == '{' && strcmp(csv->key, METRICS) == 0)
            set_metrics(csv, csv->token.at, csv->token.at + size);
    }
    csv->token.size = 0;
}

/* A section or a row begins, or an object or list inside a value. */
static void open_level(struct model_csv *csv, char c)
{
    csv->depth++;
    if (csv->depth > AT_ROW)
        keep(csv, &csv->token, &c, 1);
    if (csv->depth != AT_SECTION)
        return;
    memcpy(csv->section, csv->key, sizeof csv->section);
    csv->wanted = !csv->only || strcmp(csv->only, csv->section) == 0;
    memset(csv->hint, 0, sizeof csv->hint);
}

static void close_level(struct model_csv *csv, char c)
{
    if (csv->depth > AT_ROW)
        keep(csv, &csv->token, &c, 1);
    else
        end_value(csv);
    if (csv->depth == AT_ROW && csv->wanted)
        end_row(csv);
    csv->depth--;
    if (csv->depth == AT_REPORT)
        csv->key[0] = '\0'; /* the section is no value */
}

static void take_sign(struct model_csv *csv, char c)
{
    const bool flat = csv->depth <= AT_ROW;
    if (c == '{' || c == '[')
        open_level(csv, c);
    else if (c == '}' || c == ']')
        close_level(csv, c);
    else if (flat && c == ':')
        end_key(csv);
    else if (flat && c == ',')
        end_value(csv);
    else if (c != '\n')
        keep(csv, &csv->token, &c, 1);
    csv->quoted = c == '"';
}

/* A sink for the JSON. */
static void take(void *to, const char *bytes, size_t size)
{
    struct model_csv *csv = to;
    for (size_t i = 0; i < size && !csv->failed; i++) {
        const char c = bytes[i];
        if (!csv->quoted) {
            take_sign(csv, c);
            continue;
        }
        keep(csv, &csv->token, &c, 1);
        csv->quoted = csv->escaped || c != '"';
        csv->escaped = !csv->escaped && c == '\\';
    }
}

struct model_csv *model_csv_new(const char *only)
{
    struct model_csv *csv = calloc(1, sizeof *csv);
    if (csv)
        csv->only = only;
    return csv;
}

void model_csv_free(struct model_csv **csv)
{
    if (!*csv)
        return;
    for (unsigned i = 0; i < (*csv)->columns; i++)
        free((*csv)->column[i]);
    free((*csv)->token.at);
    free((*csv)->row.at);
    free(*csv);
    *csv = NULL;
}

bool model_csv_write(struct model_csv *csv, const struct model_report *report,
                     const struct model_sink *sink)
{
    const struct model_sink json = {take, csv};
    const bool first = csv->columns == 0;
    csv->out = (struct model_put){.sink = sink};
    csv->depth = 0;
    csv->quoted = csv->escaped = false;
    csv->token.size = csv->row.size = 0;
    if (first)
        set_columns(csv, report);
    for (unsigned i = 0; first && i < csv->columns; i++) {
        model_put_word(&csv->out, i ? "," : "");
        put_cell(csv, csv->column[i], strlen(csv->column[i]));
    }
    model_put_word(&csv->out, first ? "\n" : "");
    model_json_write(report, &json);
    model_put_flush(&csv->out);
    return !csv->failed;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * stats_report.c: sorts and prints the statistics of a job.
 */
#include "config.h"

#include "feed/shared/stats_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How each unit is printed. Moving the decimal point by `digits` gives the printed unit. */
static const struct {
    const char *group;       /* in JSON */
    const char *printed;     /* name of the printed unit in JSON; NULL: none */
    const char *headings[4]; /* of total, min, max, mean; NULL: no such column in the table */
    int digits;
    double scale;
} units[SHARED_UNITS] = {
    [SHARED_UNIT_TIME] =
        {"Time", "ms", {"Time (ms)", "Min Time (ms)", "Max Time (ms)", "Avg Time (ms)"}, 6, 1e6},
    [SHARED_UNIT_MEMORY] =
        {"Memory", "kB", {NULL, "Min Use  (kB)", "Max Use  (kB)", "Avg Use  (kB)"}, 3, 1e3},
    [SHARED_UNIT_VALUE] = {"Value", NULL, {"Last", "Min", "Max", "Avg"}, 0, 1},
};

static bool is_plain(struct wire_text text)
{
    uint32_t at = 0;
    while (at < text.size && (unsigned char)text.data[at] < 0x80)
        at++;
    return at == text.size;
}

void shared_report_add(struct shared_report *report, const struct shared_stat *row)
{
    if (report->count == report->capacity) {
        size_t capacity = report->capacity == 0 ? 64 : report->capacity * 2;
        struct shared_stat *grown = realloc(report->row, capacity * sizeof *grown);
        report->failed = report->failed || grown == NULL;
        if (grown == NULL)
            return;
        report->row = grown;
        report->capacity = capacity;
    }
    report->row[report->count] = *row;
    report->row[report->count].number = report->count;
    report->row[report->count].plain = is_plain(row->category) && is_plain(row->name);
    report->count++;
}

void shared_report_add_time(struct shared_report *report, struct wire_text category,
                            struct wire_text name, uint64_t calls, uint64_t total, uint64_t min,
                            uint64_t max)
{
    if (calls == 0)
        return;
    const bool vague = min == WIRE_UNKNOWN;
    struct shared_stat row = {.category = category,
                              .name = name,
                              .unit = SHARED_UNIT_TIME,
                              .vague = vague,
                              .count = calls,
                              .total.i = (int64_t)total,
                              .min.i = vague ? 0 : (int64_t)min,
                              .max.i = vague ? 0 : (int64_t)max,
                              .mean = (double)total / (double)calls};
    shared_report_add(report, &row);
}

void shared_report_release(struct shared_report *report)
{
    free(report->row);
    *report = (struct shared_report){0};
}

/* -------------------------------------------------------------------------------- sorting */

static int compare_bytes(struct wire_text a, struct wire_text b)
{
    int order = memcmp(a.data, b.data, a.size < b.size ? a.size : b.size);
    return order != 0 ? order : (a.size > b.size) - (a.size < b.size);
}

/* Takes the first character, as printed, off a text. */
static struct wire_text take(struct wire_text *text)
{
    const size_t size = shared_text_character(text->data, text->size);
    const struct wire_text first = {text->data, (uint32_t)size};
    text->data += size == 0 ? 1 : size;
    text->size -= size == 0 ? 1 : (uint32_t)size;
    return size == 0 ? shared_text_of(SHARED_NO_CHARACTER) : first;
}

/* Removes the common prefix of both texts, up to a sure start of a character in both. */
static void take_same(struct wire_text *a, struct wire_text *b)
{
    uint32_t same = 0;
    for (uint32_t at = 0; at < a->size && at < b->size && a->data[at] == b->data[at]; at++)
        if ((unsigned char)a->data[at] < 0x80)
            same = at + 1;
    *a = (struct wire_text){a->data + same, a->size - same};
    *b = (struct wire_text){b->data + same, b->size - same};
}

/* Removes the common prefix and the first difference of both texts. Returns the order. */
static int compare_on(struct wire_text *a, struct wire_text *b)
{
    int order = 0;
    take_same(a, b);
    while (order == 0 && a->size > 0 && b->size > 0)
        order = compare_bytes(take(a), take(b));
    return order;
}

/* Compares the printed texts, in which all invalid bytes are equal: an object must not have two
 * equal keys. */
static int compare_text(struct wire_text a, struct wire_text b)
{
    const int order = compare_on(&a, &b);
    return order != 0 ? order : (a.size > 0) - (b.size > 0);
}

/* Compares texts of two rows; faster if both are ASCII. */
static int compare_texts(const struct shared_stat *a, struct wire_text x,
                         const struct shared_stat *b, struct wire_text y)
{
    return a->plain && b->plain ? compare_bytes(x, y) : compare_text(x, y);
}

static double value_of(const struct shared_stat *row, union shared_number number)
{
    return row->real ? number.d : (double)number.i;
}

static int compare_number(const struct shared_stat *a, union shared_number x,
                          const struct shared_stat *b, union shared_number y)
{
    if (!a->real && !b->real)
        return (x.i > y.i) - (x.i < y.i);
    double left = value_of(a, x), right = value_of(b, y);
    return (left > right) - (left < right);
}

static int by_total(const struct shared_stat *a, const struct shared_stat *b)
{
    return compare_number(a, a->total, b, b->total);
}

static int by_mean(const struct shared_stat *a, const struct shared_stat *b)
{
    return (a->mean > b->mean) - (a->mean < b->mean);
}

static int by_min(const struct shared_stat *a, const struct shared_stat *b)
{
    return compare_number(a, a->min, b, b->min);
}

static int by_max(const struct shared_stat *a, const struct shared_stat *b)
{
    return compare_number(a, a->max, b, b->max);
}

static int by_count(const struct shared_stat *a, const struct shared_stat *b)
{
    return (a->count > b->count) - (a->count < b->count);
}

static int by_number(const struct shared_stat *a, const struct shared_stat *b)
{
    return (a->number > b->number) - (a->number < b->number);
}

/* Adds a row of durations to another of the same name. */
static void fold(struct shared_stat *into, const struct shared_stat *row)
{
    into->vague = into->vague || row->vague;
    if (row->min.i < into->min.i)
        into->min = row->min;
    if (row->max.i > into->max.i)
        into->max = row->max;
    into->count += row->count;
    into->total.i += row->total.i;
    into->mean = into->count == 0 ? 0 : (double)into->total.i / (double)into->count;
}

static int compare_groups(const struct shared_stat *a, const struct shared_stat *b)
{
    const int order = compare_texts(a, a->category, b, b->category);
    return order != 0 ? order : (int)a->unit - (int)b->unit;
}

static int compare_names(const struct shared_stat *a, const struct shared_stat *b)
{
    const int order = compare_groups(a, b);
    return order != 0 ? order : compare_texts(a, a->name, b, b->name);
}

static int compare_all_bytes(const struct shared_stat *a, const struct shared_stat *b)
{
    const int order = compare_bytes(a->category, b->category);
    return order != 0 ? order : compare_bytes(a->name, b->name);
}

static int by_name(const void *left, const void *right)
{
    const struct shared_stat *a = left, *b = right;
    int order = compare_names(a, b);
    if (order == 0)
        order = compare_all_bytes(a, b);
    return order != 0 ? order : by_number(a, b);
}

static void merge(struct shared_report *report)
{
    size_t n = 0;
    if (report->count > 1)
        qsort(report->row, report->count, sizeof *report->row, by_name);
    for (size_t at = 0; at < report->count; at++) {
        struct shared_stat *before = n > 0 ? &report->row[n - 1] : NULL, row = report->row[at];
        if (before != NULL && row.unit == SHARED_UNIT_TIME && before->unit == row.unit &&
            compare_all_bytes(before, &row) == 0)
            fold(before, &row);
        else
            report->row[n++] = row;
    }
    report->count = n;
}

/* The suffix that distinguishes a row from earlier rows of the same name. */
static const char *mark_of(const struct shared_stat *row, char mark[static 24])
{
    mark[0] = 0;
    if (row->number > 1)
        snprintf(mark, 24, " (%zu)", row->number);
    return mark;
}

/* Compares a row's name with another row's name and mark. */
static int compare_marked(const struct shared_stat *row, const struct shared_stat *other,
                          const char *mark)
{
    struct wire_text text = row->name, name = other->name;
    int order = compare_groups(row, other);
    if (order == 0)
        order = compare_on(&text, &name);
    if (order == 0 && name.size > 0)
        order = -1;
    return order != 0 ? order : compare_text(text, shared_text_of(mark));
}

/* True if a later row is already named as this row would be printed, as in "NAME (2)": then this
 * row takes the next number. The rows are sorted by name here. */
static bool is_taken(const struct shared_report *report, size_t at)
{
    char text[24];
    const struct shared_stat *row = &report->row[at];
    const char *mark = mark_of(row, text);
    size_t first = at + 1, end = report->count;
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        const int order = compare_marked(&report->row[middle], row, mark);
        if (order == 0)
            return true;
        if (order < 0)
            first = middle + 1;
        else
            end = middle;
    }
    return false;
}

/* Marked forms of two different names never collide: the last mark of a text is its row's own. */
static void number_rows(struct shared_report *report)
{
    for (size_t at = 0; at < report->count; at++) {
        struct shared_stat *row = &report->row[at];
        const bool again = at > 0 && compare_names(row - 1, row) == 0;
        row->number = again ? row[-1].number + 1 : 1;
        while (again && is_taken(report, at))
            row->number++;
    }
}

struct sorting {
    int (*compare)(const struct shared_stat *a, const struct shared_stat *b);
    int direction;
};

static int compare(const void *left, const void *right, void *argument)
{
    const struct shared_stat *a = left, *b = right;
    const struct sorting *sorting = argument;
    int order = compare_groups(a, b);
    if (order == 0)
        order = sorting->direction * sorting->compare(a, b);
    if (order == 0)
        order = compare_texts(b, b->name, a, a->name);
    return order != 0 ? order : by_number(a, b);
}

void shared_report_sort(struct shared_report *report, enum shared_order order, bool ascending)
{
    static int (*const by[SHARED_ORDERS])(const struct shared_stat *,
                                          const struct shared_stat *) = {
        [SHARED_BY_TOTAL] = by_total, [SHARED_BY_MEAN] = by_mean,   [SHARED_BY_MIN] = by_min,
        [SHARED_BY_MAX] = by_max,     [SHARED_BY_COUNT] = by_count,
    };
    merge(report);
    number_rows(report);
    struct sorting sorting = {by[order], ascending ? 1 : -1};
    if (report->count > 1)
        qsort_r(report->row, report->count, sizeof *report->row, compare, &sorting);
}

/* ------------------------------------------------------------------------------- printing */

static bool knows_min(const struct shared_stat *row)
{
    return !row->vague && !row->no_min;
}

/* True if the mean is itself a value, with all digits known. */
static bool all_alike(const struct shared_stat *row)
{
    return knows_min(row) && !row->real && row->min.i == row->max.i;
}

static bool is_new_group(const struct shared_report *report, size_t at)
{
    const struct shared_stat *row = &report->row[at];
    return at == 0 || compare_groups(row - 1, row) != 0;
}

static void print_heading(const struct shared_stat *row, struct shared_text *out)
{
    const char *const *headings = units[row->unit].headings;
    shared_text_add(out, row->category);
    shared_text_printf(out, "\n=================\n%-25s%16s", "Name", "Total Count");
    for (int column = 0; column < 4; column++)
        if (headings[column] != NULL)
            shared_text_printf(out, " %16s", headings[column]);
    shared_text_printf(out, "\n%-25s%16s", "----", "-----------");
    for (int column = 0; column < 4; column++)
        if (headings[column] != NULL)
            shared_text_printf(out, " %16s", column == 0 ? "---------" : "-------------");
    shared_text_printf(out, "\n");
}

/* Prints a whole number with the decimals of the table, exactly; a double would keep 15 digits. */
static void print_exact(int64_t value, int digits, char text[static 32])
{
    enum { SHOWN = 4 };
    uint64_t parts = 1, ticks = 1, size = value < 0 ? -(uint64_t)value : (uint64_t)value;
    for (int i = 0; i < digits && i < SHOWN; i++)
        parts *= 10;
    for (int i = SHOWN; i < digits; i++)
        ticks *= 10;
    size = size / ticks + (size % ticks >= ticks - ticks / 2); /* rounds half up */
    int decimals = (int)(size % parts);
    for (int i = digits; i < SHOWN; i++)
        decimals *= 10;
    snprintf(text, 32, "%s%llu.%04d", value < 0 ? "-" : "", (unsigned long long)(size / parts),
             decimals);
}

/* Prints one cell of the table: total, min or max. */
static void print_cell(const struct shared_stat *row, union shared_number number, bool known,
                       struct shared_text *out)
{
    char text[32] = "-";
    if (known && row->real)
        shared_text_printf(out, " %16.4f", number.d / units[row->unit].scale);
    else if (known)
        print_exact(number.i, units[row->unit].digits, text);
    if (!known || !row->real)
        shared_text_printf(out, " %16s", text);
}

void shared_report_table(const struct shared_report *report, struct shared_text *out)
{
    shared_text_printf(
        out, "\nProfile Statistics:\n\tNote the difference in units for different entries.\n");
    for (size_t at = 0; at < report->count; at++) {
        char mark[24];
        const struct shared_stat *row = &report->row[at];
        if (is_new_group(report, at))
            print_heading(row, out);
        const size_t before = out->size;
        shared_text_add(out, row->name);
        const size_t size = out->size - before + strlen(mark_of(row, mark));
        shared_text_printf(out, "%s%*s%16llu", mark, size < 25 ? 25 - (int)size : 0, "",
                           (unsigned long long)row->count);
        if (units[row->unit].headings[0] != NULL)
            print_cell(row, row->total, true, out);
        print_cell(row, row->min, knows_min(row), out);
        print_cell(row, row->max, !row->vague, out);
        if (all_alike(row))
            print_cell(row, row->min, true, out);
        else if (isnan(row->mean))
            shared_text_printf(out, " %16s", "-");
        else
            shared_text_printf(out, " %16.4f", row->mean / units[row->unit].scale);
        shared_text_printf(out, "\n");
        if (at + 1 == report->count || is_new_group(report, at + 1))
            shared_text_printf(out, "\n");
    }
}

static void print_number(const struct shared_stat *row, const char *key, union shared_number number,
                         bool known, struct shared_text *out)
{
    shared_text_printf(out, ", \"%s\": ", key);
    if (!known)
        shared_text_printf(out, "null");
    else if (row->real)
        shared_text_printf(out, "%.17g", number.d);
    else
        shared_text_decimal(out, number.i, units[row->unit].digits);
}

static void print_row(const struct shared_stat *row, struct shared_text *out)
{
    char mark[24];
    shared_text_marked(out, row->name, mark_of(row, mark));
    shared_text_printf(out, ": {\"Count\": %llu", (unsigned long long)row->count);
    if (row->unit != SHARED_UNIT_MEMORY)
        print_number(row, row->unit == SHARED_UNIT_VALUE ? "Last" : "Total", row->total, true, out);
    print_number(row, "Min", row->min, knows_min(row), out);
    print_number(row, "Max", row->max, !row->vague, out);
    if (all_alike(row))
        print_number(row, "Avg", row->min, true, out);
    else if (isnan(row->mean))
        shared_text_printf(out, ", \"Avg\": null");
    else
        shared_text_printf(out, ", \"Avg\": %.15g", row->mean / units[row->unit].scale);
    shared_text_printf(out, "}");
}

/* Prints the rows of one unit, as an object of objects by category. */
static void print_unit(const struct shared_report *report, enum shared_unit unit,
                       struct shared_text *out)
{
    const struct shared_stat *before = NULL;
    shared_text_printf(out, "    \"%s\": {", units[unit].group);
    for (size_t at = 0; at < report->count; at++) {
        const struct shared_stat *row = &report->row[at];
        if (row->unit != unit)
            continue;
        if (before == NULL || compare_text(before->category, row->category) != 0) {
            shared_text_printf(out, "%s\n        ", before == NULL ? "" : "},");
            shared_text_quoted(out, row->category);
            shared_text_printf(out, ": {\n            ");
        } else {
            shared_text_printf(out, ",\n            ");
        }
        print_row(row, out);
        before = row;
    }
    shared_text_printf(out, "%s},\n", before == NULL ? "" : "}");
}

void shared_report_json(const struct shared_report *report, struct shared_text *out)
{
    bool first = true;
    shared_text_printf(out, "{\n");
    for (int unit = 0; unit < SHARED_UNITS; unit++)
        print_unit(report, (enum shared_unit)unit, out);
    shared_text_printf(out, "    \"Unit\": {");
    for (int unit = 0; unit < SHARED_UNITS; unit++) {
        if (units[unit].printed == NULL)
            continue;
        shared_text_printf(out, "%s\"%s\": \"%s\"", first ? "" : ", ", units[unit].group,
                           units[unit].printed);
        first = false;
    }
    shared_text_printf(out, "}\n}\n");
}

void shared_report_print(struct shared_report *report, const struct shared_report_form *form,
                         struct shared_text *out)
{
    shared_report_sort(report, form->order, form->ascending);
    if (form->json)
        shared_report_json(report, out);
    else
        shared_report_table(report, out);
}

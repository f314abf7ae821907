/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * stats_report.h: the statistics of a job as a table or as JSON, laid out as MXNet's profiler
 * prints them (its aggregate_stats.cc), with whole numbers and escaped names.
 */
#ifndef FEED_SHARED_STATS_REPORT_H
#define FEED_SHARED_STATS_REPORT_H

#include "feed/shared/text_buffer.h"

/* Kind of a row's values. */
enum shared_unit {
    SHARED_UNIT_TIME,   /* ns; printed in ms */
    SHARED_UNIT_MEMORY, /* bytes; printed in kB of 1,000 bytes; `total` is the last value */
    SHARED_UNIT_VALUE,  /* plain numbers; `total` is the last value */
    SHARED_UNITS
};

/* One row. Texts are borrowed. */
struct shared_stat {
    struct wire_text category, name;
    enum shared_unit unit;
    bool real;     /* the values are in `d`, else in `i` */
    bool vague;    /* min and max are unknown, */
    bool no_min;   /* or only min */
    bool plain;    /* set by shared_report_add(): both texts are ASCII */
    size_t number; /* order of addition; once sorted: among rows of the same name, from 1 */
    uint64_t count;
    union shared_number {
        int64_t i;
        double d;
    } total, min, max;
    double mean; /* in the unit of the values; NaN: unknown */
};

struct shared_report {
    struct shared_stat *row;
    size_t count, capacity;
    bool failed; /* out of memory: rows are missing */
};

enum shared_order {
    SHARED_BY_TOTAL,
    SHARED_BY_MEAN,
    SHARED_BY_MIN,
    SHARED_BY_MAX,
    SHARED_BY_COUNT,
    SHARED_ORDERS
};

/* The names of the orders, SHARED_ORDERS of them. */
static inline const char *const *shared_order_words(void)
{
    static const char *const words[SHARED_ORDERS] = {
        [SHARED_BY_TOTAL] = "total", [SHARED_BY_MEAN] = "avg",    [SHARED_BY_MIN] = "min",
        [SHARED_BY_MAX] = "max",     [SHARED_BY_COUNT] = "count",
    };
    return words;
}

/* Index of a name; SHARED_ORDERS if unknown. */
static inline enum shared_order shared_order_find(const char *word)
{
    int order = 0;
    while (order < SHARED_ORDERS && strcmp(word, shared_order_words()[order]) != 0)
        order++;
    return (enum shared_order)order;
}

/* Format and order of a printed report. */
struct shared_report_form {
    bool json; /* else as a table */
    enum shared_order order;
    bool ascending;
};

void shared_report_add(struct shared_report *report, const struct shared_stat *row);
/* Adds a row of durations in ns; adds none if there were no calls. `min` WIRE_UNKNOWN: `max` is
 * unknown too. */
void shared_report_add_time(struct shared_report *report, struct wire_text category,
                            struct wire_text name, uint64_t calls, uint64_t total, uint64_t min,
                            uint64_t max);
/* Merges times of the same category and name into one row. Counters and memory can't be added: the
 * second of a name is printed as "NAME (2)", and so on. Rows that only look the same when printed
 * are numbered too, because invalid bytes become U+FFFD. A number is skipped if another row has the
 * resulting name. Sorts categories by their bytes, and the rows of each by `order`. Equal rows come
 * in the reverse order of their names' bytes, in either direction. */
void shared_report_sort(struct shared_report *report, enum shared_order order, bool ascending);
/* Sorts and prints. */
void shared_report_print(struct shared_report *report, const struct shared_report_form *form,
                         struct shared_text *out);
void shared_report_table(const struct shared_report *report, struct shared_text *out);
void shared_report_json(const struct shared_report *report, struct shared_text *out);
void shared_report_release(struct shared_report *report);

#endif

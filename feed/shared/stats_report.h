/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * stats_report.h: the statistics of a job as a table or as JSON, laid out as MXNet's profiler
 * prints them (its aggregate_stats.cc), with whole numbers and escaped names.
 */
#ifndef FEED_REPORT_H
#define FEED_REPORT_H

#include "feed/shared/text_buffer.h"

/* What the values of a row are. */
enum feed_unit {
    FEED_UNIT_TIME,   /* ns; printed in ms */
    FEED_UNIT_MEMORY, /* bytes; printed in kB of 1,000 bytes; `total` is the last value */
    FEED_UNIT_VALUE,  /* plain numbers; `total` is the last value */
    FEED_UNITS
};

/* One row. Texts are borrowed. */
struct feed_stat {
    struct wire_text category, name;
    enum feed_unit unit;
    bool real;     /* the values are in `d`, else in `i` */
    bool vague;    /* min and max are not known, */
    bool no_min;   /* or the former alone */
    bool plain;    /* set by what adds it: both texts are ASCII */
    size_t number; /* as it was added; once sorted, among those of its name, from 1 */
    uint64_t count;
    union feed_number {
        int64_t i;
        double d;
    } total, min, max;
    double mean; /* in the unit of the values; NaN: not known */
};

struct feed_report {
    struct feed_stat *row;
    size_t count, capacity;
    bool failed; /* memory was short: rows are missing */
};

enum feed_order {
    FEED_BY_TOTAL,
    FEED_BY_MEAN,
    FEED_BY_MIN,
    FEED_BY_MAX,
    FEED_BY_COUNT,
    FEED_ORDERS
};

/* The words for these, FEED_ORDERS of them. */
static inline const char *const *feed_order_words(void)
{
    static const char *const words[FEED_ORDERS] = {
        [FEED_BY_TOTAL] = "total", [FEED_BY_MEAN] = "avg",    [FEED_BY_MIN] = "min",
        [FEED_BY_MAX] = "max",     [FEED_BY_COUNT] = "count",
    };
    return words;
}

/* FEED_ORDERS: this is none of them. */
static inline enum feed_order feed_order_find(const char *word)
{
    int order = 0;
    while (order < FEED_ORDERS && strcmp(word, feed_order_words()[order]) != 0)
        order++;
    return (enum feed_order)order;
}

/* As what, and in which order, a report is printed. */
struct feed_report_form {
    bool json; /* else as a table */
    enum feed_order order;
    bool ascending;
};

void feed_report_add(struct feed_report *report, const struct feed_stat *row);
/* The same of durations in ns; none if there were no calls. `min` WIRE_UNKNOWN: `max` is not known
 * either. */
void feed_report_add_time(struct feed_report *report, struct wire_text category,
                          struct wire_text name, uint64_t calls, uint64_t total, uint64_t min,
                          uint64_t max);
/* Makes one row of the times that have category and name in common. Counters and memory can't be
 * added: of those the second is printed as "NAME (2)", and so on; as are all of which the same is
 * printed, since bytes that are no characters become U+FFFD. Numbers are left out with which a row
 * would be called as another one is. Puts categories in the order of their bytes, and rows of each
 * in this order; equal ones in the reverse order of their names' bytes, whichever way the others
 * go. */
void feed_report_sort(struct feed_report *report, enum feed_order order, bool ascending);
/* Sorts and prints. */
void feed_report_print(struct feed_report *report, const struct feed_report_form *form,
                       struct feed_print *out);
void feed_report_table(const struct feed_report *report, struct feed_print *out);
void feed_report_json(const struct feed_report *report, struct feed_print *out);
void feed_report_release(struct feed_report *report);

#endif

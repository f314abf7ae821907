/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * stats_report.h: the statistics of a job as a table or as JSON, laid out as MXNet's profiler
 * prints them (its aggregate_stats.cc), with whole numbers and escaped names.
 */
#ifndef FEED_SHARED_STATS_REPORT_H
#define FEED_SHARED_STATS_REPORT_H

#include "feed/shared/text_buffer.h"

/* What the values of a row are. */
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
    bool vague;    /* min and max are not known, */
    bool no_min;   /* or the former alone */
    bool plain;    /* set by what adds it: both texts are ASCII */
    size_t number; /* as it was added; once sorted, among those of its name, from 1 */
    uint64_t count;
    union shared_number {
        int64_t i;
        double d;
    } total, min, max;
    double mean; /* in the unit of the values; NaN: not known */
};

struct shared_report {
    struct shared_stat *row;
    size_t count, capacity;
    bool failed; /* memory was short: rows are missing */
};

enum shared_order {
    SHARED_BY_TOTAL,
    SHARED_BY_MEAN,
    SHARED_BY_MIN,
    SHARED_BY_MAX,
    SHARED_BY_COUNT,
    SHARED_ORDERS
};

/* The words for these, SHARED_ORDERS of them. */
static inline const char *const *shared_order_words(void)
{
    static const char *const words[SHARED_ORDERS] = {
        [SHARED_BY_TOTAL] = "total", [SHARED_BY_MEAN] = "avg",    [SHARED_BY_MIN] = "min",
        [SHARED_BY_MAX] = "max",     [SHARED_BY_COUNT] = "count",
    };
    return words;
}

/* SHARED_ORDERS: this is none of them. */
static inline enum shared_order shared_order_find(const char *word)
{
    int order = 0;
    while (order < SHARED_ORDERS && strcmp(word, shared_order_words()[order]) != 0)
        order++;
    return (enum shared_order)order;
}

/* As what, and in which order, a report is printed. */
struct shared_report_form {
    bool json; /* else as a table */
    enum shared_order order;
    bool ascending;
};

void shared_report_add(struct shared_report *report, const struct shared_stat *row);
/* The same of durations in ns; none if there were no calls. `min` WIRE_UNKNOWN: `max` is not known
 * either. */
void shared_report_add_time(struct shared_report *report, struct wire_text category,
                            struct wire_text name, uint64_t calls, uint64_t total, uint64_t min,
                            uint64_t max);
/* Makes one row of the times that have category and name in common. Counters and memory can't be
 * added: of those the second is printed as "NAME (2)", and so on; as are all of which the same is
 * printed, since bytes that are no characters become U+FFFD. Numbers are left out with which a row
 * would be called as another one is. Puts categories in the order of their bytes, and rows of each
 * in this order; equal ones in the reverse order of their names' bytes, whichever way the others
 * go. */
void shared_report_sort(struct shared_report *report, enum shared_order order, bool ascending);
/* Sorts and prints. */
void shared_report_print(struct shared_report *report, const struct shared_report_form *form,
                         struct shared_text *out);
void shared_report_table(const struct shared_report *report, struct shared_text *out);
void shared_report_json(const struct shared_report *report, struct shared_text *out);
void shared_report_release(struct shared_report *report);

#endif

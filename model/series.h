/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * series.h: how a figure went over time, from the history of its job, in bins of equal length. A
 * moment that covers several bins is spread over them evenly.
 */
#ifndef MODEL_SERIES_H
#define MODEL_SERIES_H

#include "model/history.h"
#include "model/unit.h"

enum { MODEL_SERIES_MAX = 1024 }; /* most bins */

enum model_series_of {
    MODEL_SERIES_TIME,     /* ns a second, of the rows of ops */
    MODEL_SERIES_CALLS,    /* calls a second */
    MODEL_SERIES_PER_CALL, /* ns a call */
    MODEL_SERIES_COUNTER,  /* value of a counter, or bytes of memory */
    MODEL_SERIES_RUNS,     /* runs of a span a second */
    MODEL_SERIES_KINDS
};

/* A figure to follow. `table`, of the rows of ops: class, op, function, line or apply. */
struct model_series_key {
    enum model_series_of of;
    enum model_table table;
    uint32_t id;
};

/* Calls or runs of a bin, and their time. */
struct model_series_bin {
    double calls, ns;
};

/* Zero at first, and for another job. */
struct model_series {
    unsigned bins;
    uint64_t bin_ns, end_ns;        /* the last bin ends there, by the job's clock */
    double value[MODEL_SERIES_MAX]; /* NaN: unknown, or no call */
    double least, most, last; /* of the known ones; `last` is the newest; NaN: none is known */
    /* Kept from the last time, so that only newer moments are read. */
    struct model_series_key key;
    uint64_t taken_bin_ns, taken_end_ns, done_ns; /* done_ns: the newest moment that was read */
    unsigned taken_bins;
    struct model_series_bin bin[MODEL_SERIES_MAX];
};

/* Fills a series: `bins`, `bin_ns` and `end_ns` are set by the caller. Reads all changes of that
 * time; if `end_ns` alone has advanced since the last time, by whole bins, only the newer ones. */
void model_series_take(struct model_series *series, const struct model_history *history,
                       const struct model_series_key *key);
/* Curves of many rows of one table, in few bins, for a list. Zero at first, and for another job. */
enum { MODEL_STRIPS_MAX = 128, MODEL_STRIP_BINS = 16 };

struct model_strips {
    /* Set by the caller: the figure, the rows in the order of their ids, and the bins as in struct
     * model_series. `table`: as in struct model_series_key. */
    enum model_series_of of;
    enum model_table table;
    uint32_t rows, id[MODEL_STRIPS_MAX];
    uint64_t bin_ns, end_ns;
    /* Kept from the last time, so that only newer moments are read. */
    enum model_series_of taken_of;
    enum model_table taken_table;
    uint32_t taken_rows, taken_id[MODEL_STRIPS_MAX];
    uint64_t taken_bin_ns, taken_end_ns, done_ns, first_ns;
    struct model_series_bin bin[MODEL_STRIPS_MAX][MODEL_STRIP_BINS];
};

/* Reads the changes of that time; if `end_ns` alone has advanced since the last time, by whole
 * bins, only the newer ones. Of a large job, whose changes would take long to read, no row is
 * known. */
void model_strips_take(struct model_strips *strips, const struct model_history *history);
/* Gives a row's values, as parts of its largest one; of a counter from its least to its largest
 * one, and 0.5 if these are equal. NaN: unknown, or no call. Returns false if the row is not among
 * them. */
bool model_strips_levels(const struct model_strips *strips, uint32_t id,
                         double level[MODEL_STRIP_BINS]);

/* Unit of the values. Cells have them in `d` or, for COUNT and BYTES, in `u`. */
enum model_unit model_series_unit(const struct model_job *job, const struct model_series_key *key);
/* "time a second", "calls a second", ... Static. */
const char *model_series_title(enum model_series_of of);

#endif

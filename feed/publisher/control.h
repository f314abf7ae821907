/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * control.h: whether a feed counts, what it counts, and what it is asked to do by the program
 * (viewers: commands.h). What needs the sums is an errand: the feed's thread runs it, since the
 * sums are its own; whoever asked waits for it, for a bounded time.
 */
#ifndef FEED_CONTROL_H
#define FEED_CONTROL_H

#include <pthread.h>

#include "feed/publisher/settings.h"
#include "feed/publisher/transport/authorize.h"
#include "feed/shared/stats_report.h"

struct feed_core;
struct feed_publisher;

enum { FEED_BY_SIZE = 320 };

/* A trace is the file of a dump, as a text. */
enum feed_errand_kind { FEED_NO_ERRAND, FEED_RESET, FEED_DUMP, FEED_DUMPS, FEED_TRACE };

/* Allocated by whoever asks. If he stops waiting while it runs, it belongs to the feed's thread. */
struct feed_errand {
    enum feed_errand_kind kind;
    bool finished; /* the collection stops before it, */
    bool reset;    /* and all counts begin anew after it */
    struct feed_report_form form; /* of FEED_DUMPS */
    bool running, done, abandoned;
    char *text;                /* its result, or NULL; allocated; */
    size_t rows;               /* that it has */
    char why[FEED_ERROR_SIZE]; /* "" or a sentence */
};

/* Part of a core; under the feed's lock. */
struct feed_control {
    struct feed_settings settings;
    bool stopped; /* by set_state */
    bool paused;
    char by[FEED_BY_SIZE]; /* the viewer who asked for the one or the other; "": nobody did */
    struct feed_grants grants;
    uint64_t second_ns;  /* viewers have asked for something `steered` times since; the feed's
                            thread's */
    uint32_t steered;
    struct feed_errand *errand; /* one at a time; NULL: none */
    uint32_t guests;            /* threads that wait for one */
    uint64_t dump_ns;           /* when the last continuous dump was due; the feed's thread's, */
    char said[FEED_ERROR_SIZE]; /* and why it was not written; "": it was */
};

void feed_control_init(struct feed_control *control);

/* Whether a continuous dump is due at this time. The periods keep their beat: one that is not quite
 * over at a tick is made up for at the next. */
bool feed_control_is_due(struct feed_control *control, const struct feed_settings *settings,
                         uint64_t now_ns);

/* Runs the errand that waits, and the continuous dump if it is due. By the feed's thread. */
void feed_control_serve(struct feed_core *core, struct feed_publisher *p, uint64_t now_ns);

/* Runs an errand at once, by the feed's thread. `settings`: of FEED_DUMP alone. */
void feed_errand_run(struct feed_publisher *p, struct feed_errand *errand,
                     const struct feed_settings *settings);

/* Stops or starts the counting as `control` says. Under the feed's lock. */
void feed_control_apply(struct feed_core *core);

/* ------------------------------------------------------------------------- reports (report.c) */

/* The statistics of everything that was counted in this epoch. */
void feed_dump_collect(struct feed_publisher *p, struct feed_report *report);
/* Of these, the counters, spans and memory (report_objects.c), as the last scan has noted them. */
void feed_dump_objects(struct feed_publisher *p, struct feed_report *report);
/* The same in the file of a dump; memory by its scopes too, and the instants that are kept. Gives
 * how many rows have values. */
uint32_t feed_dump_rows(struct feed_publisher *p, struct feed_print *out);
/* Memory of devices by scope, and of each pool what is in none, as the lines of a CSV file. Gives
 * how many there are. */
uint32_t feed_dump_memory(struct feed_publisher *p, struct feed_print *out);
/* The file of a dump. Gives how many rows have values. */
uint32_t feed_dump_print(struct feed_publisher *p, struct feed_print *out);
/* Writes the files of a dump, each under another name first. False, with a sentence; and true with
 * one if there was nothing to write. */
bool feed_dump_write(struct feed_publisher *p, const struct feed_settings *settings, char *why);

#endif

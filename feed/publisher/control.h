/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * control.h: whether a feed counts, what it counts, and what it is asked to do by the program
 * (viewers: commands.h). What needs the sums is an errand: the feed's thread runs it, since the
 * sums are its own; whoever asked waits for it, for a bounded time.
 */
#ifndef FEED_PUBLISHER_CONTROL_H
#define FEED_PUBLISHER_CONTROL_H

#include <pthread.h>

#include "feed/publisher/settings.h"
#include "feed/publisher/transport/authorize.h"
#include "feed/shared/stats_report.h"

struct publisher_core;
struct publisher_sender;

enum { PUBLISHER_BY_SIZE = 320 };

/* A trace is the file of a dump, as a text. */
enum publisher_program_command_kind {
    PUBLISHER_NO_COMMAND,
    PUBLISHER_RESET,
    PUBLISHER_DUMP,
    PUBLISHER_DUMPS,
    PUBLISHER_TRACE
};

/* Allocated by whoever asks. If he stops waiting while it runs, it belongs to the feed's thread. */
struct publisher_program_command {
    enum publisher_program_command_kind kind;
    bool finished; /* the collection stops before it, */
    bool reset;    /* and all counts begin anew after it */
    struct shared_report_form form; /* of PUBLISHER_DUMPS */
    bool running, done, abandoned;
    char *text;                /* its result, or NULL; allocated; */
    size_t rows;               /* that it has */
    char why[PUBLISHER_ERROR_SIZE]; /* "" or a sentence */
};

/* Part of a core; under the feed's lock. */
struct publisher_control {
    struct publisher_settings settings;
    bool stopped; /* by set_state */
    bool paused;
    char by[PUBLISHER_BY_SIZE]; /* the viewer who asked for the one or the other; "": nobody did */
    struct publisher_authorization grants;
    uint64_t second_ns;  /* viewers have asked for something `steered` times since; the feed's
                            thread's */
    uint32_t steered;
    struct publisher_program_command *errand; /* one at a time; NULL: none */
    uint32_t guests;            /* threads that wait for one */
    uint64_t dump_ns;           /* when the last continuous dump was due; the feed's thread's, */
    char said[PUBLISHER_ERROR_SIZE]; /* and why it was not written; "": it was */
};

void publisher_control_init(struct publisher_control *control);

/* Whether a continuous dump is due at this time. The periods keep their beat: one that is not quite
 * over at a tick is made up for at the next. */
bool publisher_control_is_due(struct publisher_control *control,
                              const struct publisher_settings *settings, uint64_t now_ns);

/* Runs the errand that waits, and the continuous dump if it is due. By the feed's thread. */
void publisher_control_serve(struct publisher_core *core, struct publisher_sender *p,
                             uint64_t now_ns);

/* Runs an errand at once, by the feed's thread. `settings`: of PUBLISHER_DUMP alone. */
void publisher_program_command_run(struct publisher_sender *p,
                                   struct publisher_program_command *errand,
                                   const struct publisher_settings *settings);

/* Stops or starts the counting as `control` says. Under the feed's lock. */
void publisher_control_apply(struct publisher_core *core);

/* ------------------------------------------------------------------------- reports (report.c) */

/* The statistics of everything that was counted in this epoch. */
void publisher_dump_collect(struct publisher_sender *p, struct shared_report *report);
/* Of these, the counters, spans and memory (report_objects.c), as the last scan has noted them. */
void publisher_dump_objects(struct publisher_sender *p, struct shared_report *report);
/* The same in the file of a dump; memory by its scopes too, and the instants that are kept. Gives
 * how many rows have values. */
uint32_t publisher_dump_rows(struct publisher_sender *p, struct shared_text *out);
/* Memory of devices by scope, and of each pool what is in none, as the lines of a CSV file. Gives
 * how many there are. */
uint32_t publisher_dump_memory(struct publisher_sender *p, struct shared_text *out);
/* The file of a dump. Gives how many rows have values. */
uint32_t publisher_dump_print(struct publisher_sender *p, struct shared_text *out);
/* Writes the files of a dump, each under another name first. False, with a sentence; and true with
 * one if there was nothing to write. */
bool publisher_dump_write(struct publisher_sender *p, const struct publisher_settings *settings,
                          char *why);

#endif

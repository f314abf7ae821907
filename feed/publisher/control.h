/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * control.h: controls whether a feed counts and which events it counts, and runs the program's
 * commands (commands.h runs those of viewers). Commands use the sums, which only the feed's thread
 * may access. So the feed's thread runs them, and the caller waits for a bounded time.
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

/* PUBLISHER_TRACE gives the file of a dump as a text. */
enum publisher_program_command_kind {
    PUBLISHER_NO_COMMAND,
    PUBLISHER_RESET,
    PUBLISHER_DUMP,
    PUBLISHER_DUMPS,
    PUBLISHER_TRACE
};

/* Allocated by the caller. If the caller stops waiting while the command runs, the command belongs
 * to the feed's thread. */
struct publisher_program_command {
    enum publisher_program_command_kind kind;
    bool finished;                  /* the collection stops before the command */
    bool reset;                     /* all counts are reset after it */
    struct shared_report_form form; /* of PUBLISHER_DUMPS */
    bool running, done, abandoned;
    char *text;                     /* its result, allocated, or NULL */
    size_t rows;                    /* in the result */
    char why[PUBLISHER_ERROR_SIZE]; /* "" or a sentence that says why it failed */
};

/* Part of a core; under the feed's lock. */
struct publisher_control {
    struct publisher_settings settings;
    bool stopped; /* by set_state */
    bool paused;
    char by[PUBLISHER_BY_SIZE]; /* the viewer that stopped or paused it; "": none did */
    struct publisher_authorization grants;
    uint64_t second_ns; /* start of the second in which `steered` counts; the feed's thread's own */
    uint32_t steered;   /* control requests of viewers in this second; the feed's thread's own */
    struct publisher_program_command *errand; /* the command to run, one at a time; NULL: none */
    uint32_t guests;  /* threads that wait inside the core: it is not freed before they leave */
    uint64_t dump_ns; /* when the last continuous dump was due; the feed's thread's own */
    char said[PUBLISHER_ERROR_SIZE]; /* why that dump was not written, or ""; same owner */
};

void publisher_control_init(struct publisher_control *control);

/* True if a continuous dump is due at this time. Due times keep their rhythm: a dump that a tick
 * runs late does not delay the later ones, unless it is a whole period late. */
bool publisher_control_is_due(struct publisher_control *control,
                              const struct publisher_settings *settings, uint64_t now_ns);

/* Runs the waiting command, and the continuous dump if it is due. By the feed's thread. */
void publisher_control_serve(struct publisher_core *core, struct publisher_sender *p,
                             uint64_t now_ns);

/* Runs a command at once, by the feed's thread. Only PUBLISHER_DUMP uses `settings`. */
void publisher_program_command_run(struct publisher_sender *p,
                                   struct publisher_program_command *errand,
                                   const struct publisher_settings *settings);

/* Stops or starts the counting as `control` says. Under the feed's lock. */
void publisher_control_apply(struct publisher_core *core);

/* ------------------------------------------------------------------------- reports (report.c) */

/* Collects the statistics of all rows that were counted in this epoch. */
void publisher_dump_collect(struct publisher_sender *p, struct shared_report *report);
/* Collects those of counters, spans and memory (report_objects.c), as noted by the last
 * aggregation. */
void publisher_dump_objects(struct publisher_sender *p, struct shared_report *report);
/* Writes them into the file of a dump, with memory by scope, and the instants that are kept.
 * Returns how many rows have values. */
uint32_t publisher_dump_rows(struct publisher_sender *p, struct shared_text *out);
/* Writes device memory as lines of a CSV file: each scope, and for each pool the bytes outside of
 * all scopes. Returns how many lines there are. */
uint32_t publisher_dump_memory(struct publisher_sender *p, struct shared_text *out);
/* Writes the file of a dump. Returns how many rows have values. */
uint32_t publisher_dump_print(struct publisher_sender *p, struct shared_text *out);
/* Writes the files of a dump, each first under a temporary name. Returns false with a sentence in
 * `why` if it fails, and true with a sentence if there was nothing to write. */
bool publisher_dump_write(struct publisher_sender *p, const struct publisher_settings *settings,
                          char *why);

#endif

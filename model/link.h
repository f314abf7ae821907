/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * link.h: how the facts of one job arrive: the state of the connection and what went wrong on it.
 * Written by feed, read by the screen and the reports. It outlives the instances of a job.
 */
#ifndef MODEL_LINK_H
#define MODEL_LINK_H

#include <stdbool.h>
#include <stdint.h>

enum model_link_state {
    MODEL_CONNECTING, /* no handshake yet */
    MODEL_SYNCING,    /* the job answers; the first snapshot is not whole */
    MODEL_LIVE,
    MODEL_LAGGING, /* frames come later than they should */
    MODEL_STALE,   /* connected once, but silent */
    MODEL_GONE,    /* the job is over; `said_bye` and `reason` say how */
    MODEL_LINK_STATES
};

/* How a job stands: in one of these states, or how it is over. */
enum { MODEL_LINK_ENDED = MODEL_LINK_STATES, MODEL_LINK_DETACHED, MODEL_LINK_WORDS };
/* Lower-case word of it: "connecting". */
const char *model_link_word(unsigned standing);

/* Whether the thread that is in an op for longest gets a processor: one that gets none does not
 * hang. */
enum model_starved {
    MODEL_STARVED_UNKNOWN, /* it is on another machine, or its kernel does not count */
    MODEL_STARVED_NO,
    MODEL_STARVED_YES,
};

struct model_link {
    enum model_link_state state;
    char reason[167];        /* sentence; "" if there is nothing to say; safe for the screen */
    uint8_t said_bye;        /* the job ended properly and its last values are here */
    uint8_t detached;        /* beside that: it was left, and goes on without a feed */
    uint8_t insecure;        /* it comes over tcp, and nobody has shown a key; that others may come
                              * so is said by the job (model_identity) */
    uint8_t healing;         /* a gap is open: values may be behind, marked `~` */
    uint8_t starved;         /* enum model_starved */
    uint64_t last_frame_ns;  /* viewer's monotonic clock; 0: none yet */
    uint64_t lag_ns;         /* receive time minus stamp, less its minimum over 60 s and
                              * what it waited for us where several jobs are read at a time */
    uint64_t frames;         /* read; applied, unless an answer had brought newer */
    uint64_t answers;        /* of these, those that were asked for */
    uint64_t bytes;          /* of these */
    uint64_t gaps;           /* sequence numbers that never came */
    uint64_t malformed;      /* frames that are not what docs/protocol.md says */
    uint64_t over_limit;     /* frames or rows refused because a limit of ours is reached */
    uint64_t no_names;       /* thereof names that are "..." here, */
    uint64_t no_phases, no_details; /* phases, and details of applies; the rest are frames */
    uint64_t falls;          /* rows refused because a value fell within its epoch */
    uint64_t other_version;  /* frames of a version that we do not speak */
    uint64_t foreign;        /* frames of an instance that is not the current one */
    uint64_t snapshots;      /* whole snapshots received */
    uint64_t reconnects;
};

/* Whether the job has ended as jobs should: with a goodbye, and its last values are here. */
bool model_link_ended(const struct model_link *link);
/* How it stands: after a goodbye ended or detached, without one gone. */
unsigned model_link_standing(const struct model_link *link);
/* The word for that, as JSON has it. */
const char *model_link_says(const struct model_link *link);
/* Adds one link to that of several jobs, but for its state and reason. Counts are sums, also those
 * of jobs that are over; `said_bye` and `detached` stay if all are so; lag and healing are those of
 * the jobs that are not over; `insecure` tells of every figure shown, whose job may be over. */
void model_link_add(struct model_link *to, const struct model_link *link);

#endif

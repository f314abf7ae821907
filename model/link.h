/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * link.h: the link to one job: the state of the connection, and its errors. Written by the feed,
 * read by the screen and the reports. A link outlives the instances of a job.
 */
#ifndef MODEL_LINK_H
#define MODEL_LINK_H

#include <stdbool.h>
#include <stdint.h>

enum model_link_state {
    MODEL_CONNECTING, /* no handshake yet */
    MODEL_SYNCING,    /* the job answers; the first snapshot is not whole yet */
    MODEL_LIVE,
    MODEL_LAGGING, /* frames arrive late */
    MODEL_STALE,   /* was connected, but sends nothing */
    MODEL_GONE,    /* the job is over; see `said_bye` and `reason` */
    MODEL_LINK_STATES
};

/* Standing of a job: one of the states above, or how the job ended. */
enum { MODEL_LINK_ENDED = MODEL_LINK_STATES, MODEL_LINK_DETACHED, MODEL_LINK_WORDS };
/* Lower-case word of a standing: "connecting". */
const char *model_link_word(unsigned standing);

/* Whether the thread with the longest-open op gets a processor. A thread without a processor does
 * not hang. */
enum model_starved {
    MODEL_STARVED_UNKNOWN, /* the job runs on another machine, or its kernel does not count */
    MODEL_STARVED_NO,
    MODEL_STARVED_YES,
};

struct model_link {
    enum model_link_state state;
    char reason[167]; /* sentence; "" if there is none; safe for the screen */
    uint8_t said_bye; /* the job ended properly and its last values have arrived */
    uint8_t detached; /* with said_bye: the feed was detached; the process runs on */
    uint8_t lingers;  /* with said_bye, not detached: seconds later its process is still there */
    uint8_t insecure; /* the link uses tcp without keys; whether others may read the job's
                       * data is in model_identity */
    uint8_t file;     /* with said_bye: there never was a link; the figures are from a file */
    uint8_t killed;   /* with file: they are what a job left that did not end in order */
    uint8_t replay;   /* there is no job: what was recorded of it is shown */
    uint8_t healing;  /* a gap is open: values may be behind, marked `~` */
    uint8_t starved;  /* enum model_starved */
    uint64_t last_frame_ns; /* viewer's monotonic clock; 0: none yet */
    uint64_t lag_ns;        /* receive time minus stamp, less its minimum over 60 s and the time
                             * the frame waited for this viewer to read other jobs */
    uint64_t frames;        /* frames read and applied, or read and superseded by an answer */
    uint64_t answers;       /* of these, answers to requests */
    uint64_t bytes;         /* bytes of these frames */
    uint64_t gaps;          /* sequence numbers that never arrived */
    uint64_t malformed;     /* frames that break docs/protocol.md */
    uint64_t over_limit;    /* frames or rows refused at a limit of the viewer */
    uint64_t no_names;      /* of these, names that are shown as "..." */
    uint64_t no_phases, no_details; /* of these, phases, and details of applies; the rest are
                                     * frames */
    uint64_t falls;                 /* rows refused because a value fell within its epoch */
    uint64_t other_version;         /* frames of an unsupported protocol version */
    uint64_t foreign;               /* frames of another instance */
    uint64_t snapshots;             /* whole snapshots received */
    uint64_t reconnects;
};

/* True if the job ended with a goodbye and its last values have arrived. */
bool model_link_ended(const struct model_link *link);
/* Returns the standing: ended or detached after a goodbye, gone without one. */
unsigned model_link_standing(const struct model_link *link);
/* Returns the word of the standing, as in JSON; "replay" for a recording. */
const char *model_link_text(const struct model_link *link);
/* Adds one link to the link of several jobs, except for state and reason. Counts are sums over all
 * jobs, including ended jobs. `said_bye` and `detached` hold if they hold for all. Lag and healing
 * cover the jobs that are not over. `insecure` covers every job with shown figures, including ended
 * jobs. */
void model_link_add(struct model_link *to, const struct model_link *link);

#endif

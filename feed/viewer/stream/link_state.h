/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * link_state.h: derives the state of a link from the signs of life of a job; computes lag and the
 * pauses between requests. Pure functions: all times are arguments, ns of the viewer's monotonic
 * clock.
 */
#ifndef FEED_VIEWER_STREAM_LINK_STATE_H
#define FEED_VIEWER_STREAM_LINK_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/link.h"

#define VIEWER_NS_PER_MS UINT64_C(1000000)

/* Lag: receive time minus stamp, less its minimum over the last minute. Subtracting the minimum
 * removes the difference of the two clocks. Zero is empty. */
enum { VIEWER_LAG_SPANS = 6 }; /* of 10 s each */
struct viewer_lag {
    int64_t least[VIEWER_LAG_SPANS];
    uint64_t span[VIEWER_LAG_SPANS]; /* number of the span since the start of the clock, plus 1 */
    int64_t doubt;                   /* receive time minus stamp of the last frame; */
    bool doubted;                    /* that stamp was far ahead of the others */
};
uint64_t viewer_lag_of(struct viewer_lag *lag, uint64_t now_ns, uint64_t stamp_ns);

/* Decides when an unanswered request may be sent again: twice after a second, then after 2, 4, ...
 * and at most 30 s. Zero: all tries are left. */
struct viewer_patience {
    uint64_t due_ns;
    unsigned tries;
};
void viewer_patience_use(struct viewer_patience *patience, uint64_t now_ns);

/* Signs of life of a job. Texts are borrowed and safe for the screen. */
struct viewer_link_signs {
    uint64_t now_ns;
    uint64_t began_ns;      /* when connecting began */
    uint64_t up_ns;         /* last handshake; 0: never */
    uint64_t down_ns;       /* when the connection broke; 0: it stands */
    uint64_t last_frame_ns; /* 0: none yet */
    uint64_t lag_ns;
    bool whole;          /* a whole snapshot is applied */
    bool bye, final;     /* the job has said goodbye; its last values are applied */
    bool gave_up;        /* the last values will not come any more */
    bool dead;           /* the process is gone, or the launcher saw it end */
    bool local;          /* the process is known and is checked */
    bool far;            /* a network lies between: another machine, or any tcp endpoint */
    bool socket;         /* reached through a Unix socket: the port cannot be wrong */
    bool stopped;        /* the process was stopped when last checked */
    bool strange;        /* the peer does not speak ZeroMQ */
    bool denied;         /* the peer refuses our key */
    bool keyed;          /* the peer must have a certain key */
    bool awaited;        /* the job connects to us, not we to it */
    bool other_version;  /* frames of another protocol version have come */
    bool rival;          /* frames of another job come from the same endpoint, */
    bool mute;           /* and no facts of this job */
    const char *left;    /* who asked the job to detach, from its last notice, or NULL */
    const char *ended;   /* the launcher's words, or "" */
    const char *refusal; /* the job's words when it refused a request, or "" */
    const char *label;
};

/* Sets the state, the reason, `said_bye` and `detached`. */
void viewer_link_judge(const struct viewer_link_signs *signs, struct model_link *link);

#endif

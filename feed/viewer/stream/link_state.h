/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * link_state.h: from the signs of life of a job to the state of its link, and the times that a
 * viewer keeps: lag and patience. Pure: all instants are given, ns of the viewer's monotonic clock.
 */
#ifndef FEED_VIEWER_STREAM_LINK_STATE_H
#define FEED_VIEWER_STREAM_LINK_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/link.h"

#define VIEWER_NS_PER_MS UINT64_C(1000000)

/* Lag: receive time minus stamp, less its minimum over the last minute, which takes the difference
 * of two clocks away. Zero is empty. */
enum { VIEWER_LAG_SPANS = 6 }; /* of 10 s each */
struct viewer_lag {
    int64_t least[VIEWER_LAG_SPANS];
    uint64_t span[VIEWER_LAG_SPANS]; /* which span since the start of the clock, plus 1 */
    int64_t doubt;                 /* of a stamp that was far ahead of the others, */
    bool doubted;                  /* if the last one was */
};
uint64_t viewer_lag_of(struct viewer_lag *lag, uint64_t now_ns, uint64_t stamp_ns);

/* When a request that nobody answers may be sent again: twice after a second, then after 2, 4, ...
 * and at most 30 s. Zero has all its tries. */
struct viewer_patience {
    uint64_t due_ns;
    unsigned tries;
};
void viewer_patience_use(struct viewer_patience *patience, uint64_t now_ns);

/* What is known about the life of a job. Texts are borrowed and safe for the screen. */
struct viewer_link_signs {
    uint64_t now_ns;
    uint64_t began_ns;      /* when connecting began */
    uint64_t up_ns;         /* last handshake; 0: never */
    uint64_t down_ns;       /* when the connection broke; 0: it stands */
    uint64_t last_frame_ns; /* 0: none yet */
    uint64_t lag_ns;
    bool whole;          /* a whole snapshot is in */
    bool bye, final;     /* it has said goodbye; its last values are in */
    bool gave_up;        /* they will not come any more */
    bool dead;           /* its process is not there any more, or its launcher saw it end */
    bool local;          /* its process is known, and looked at */
    bool far;            /* on another machine, or as if: a network lies between */
    bool socket;         /* it is reached through a Unix socket: there is no port to mistake */
    bool stopped;        /* its process is, as far as that was looked at */
    bool strange;        /* whoever answers does not speak ZeroMQ */
    bool denied;         /* our key does not get in there */
    bool keyed;          /* whoever answers has to have a certain key */
    bool awaited;        /* it comes to us by itself */
    bool other_version;  /* frames come, but all of another version */
    bool rival;          /* frames of another job come from the same endpoint, */
    bool mute;           /* and no facts of this one */
    const char *left;    /* who asked that it be left, as its last notice says, or NULL */
    const char *ended;   /* the launcher's words, or "" */
    const char *refusal; /* the job's words when it refused a request, or "" */
    const char *label;
};

/* Sets the state, the reason, `said_bye` and `detached`. */
void viewer_link_judge(const struct viewer_link_signs *vital, struct model_link *link);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * limits.h: every bound of the wire, of jobs and of viewers, in one place. docs/protocol.md states
 * the same numbers; tests/feed compares the two.
 */
#ifndef FEED_PROTOCOL_LIMITS_H
#define FEED_PROTOCOL_LIMITS_H

enum {
    WIRE_VERSION = 1,               /* the version of docs/protocol.md that this code speaks */
    WIRE_FRAME_MAX = 256 * 1024,    /* bytes of one frame, topic included */
    WIRE_MESSAGE_MAX = 1024 * 1024, /* bytes of one ZeroMQ part; longer ones are not read
                                       (MAXMSGSIZE) */
    WIRE_REQUEST_MAX = 4 * 1024,    /* bytes of one request to a job */
    WIRE_TICK_MAX = 1024 * 1024,    /* bytes of rows that a job sends in one tick */
    WIRE_FRAME_ROWS = 4000,         /* rows of values in one frame; 64 B each in the worst case */
    WIRE_TOPIC_MAX = 16,            /* bytes of a topic */
    WIRE_DEPTH_MAX = 8,             /* nesting of a skipped value */
    WIRE_MAP_MAX = 256,             /* entries of one map */
    WIRE_TEXT_MAX = 16 * 1024,      /* bytes of one text; a publisher cuts longer ones */

    WIRE_CLASSES_MAX = 1 << 16, /* rows of each table of definitions */
    WIRE_OPS_MAX = 1 << 20,
    WIRE_FUNCTIONS_MAX = 1 << 16,
    WIRE_APPLIES_MAX = 1 << 22,
    WIRE_THREADS_MAX = 1 << 16,
    WIRE_OTHERS_MAX = 1 << 16,   /* counters, spans, markers */
    WIRE_PHASES_MAX = 16 * 1024, /* phases of compilations */
    WIRE_METRICS_MAX = 16,       /* metrics that a job declares */

    WIRE_LABEL_MAX = 1024,               /* bytes of the name of a phase, metric, device or place */
    WIRE_DTYPE_MAX = 64,                 /* bytes of the name of a type */
    WIRE_RANK_MAX = 32,                  /* sizes of one shape */
    WIRE_VALUES_MAX = 1024,              /* known inputs and outputs of one apply, */
    WIRE_DETAIL_MAX = 64 * 1024,         /* bytes of the details of one apply, */
    WIRE_DETAILS_MAX = 64 * 1024 * 1024, /* and of all applies */
    WIRE_DETAIL_TICK = 64 * 1024,        /* bytes of details that a job sends in one tick */
    WIRE_TEXTS_MAX = 256 * 1024 * 1024,  /* bytes of all names of a job that a viewer keeps */

    WIRE_TICK_MS = 100,          /* a job aggregates and sends this often, */
    WIRE_TICK_MAX_MS = 1000,     /* or this seldom, if no viewer asks for more, */
    WIRE_HELLO_MS = 1000,        /* and says hello this often */
    WIRE_ROLL = 64,              /* each tick carries 1/64 of the unchanged rows */
    WIRE_MANY_APPLIES = 1 << 13, /* above so many applies, a tick sums a fifth of them, */
    WIRE_HUGE_APPLIES = 1 << 16, /* above so many, a tenth; a whole second has full rounds */
    WIRE_HWM = 32,               /* frames queued for one viewer, */
    WIRE_READ_HWM = 128,         /* and by a viewer before it reads them */
    WIRE_CREDIT = 4,             /* snapshot chunks under way to one viewer */
    WIRE_VIEWERS_MAX = 16,       /* viewers that a job serves on its ROUTER */
    WIRE_HEARTBEAT_MS = 1000,    /* ZMTP heartbeat interval */
    WIRE_HEARTBEAT_TIMEOUT_MS = 2000,
    WIRE_KEEPALIVE_S = 2,    /* seconds until the kernel probes a silent tcp peer; after as many
                                unanswered probes, the viewer reconnects */
    WIRE_UNHEARD_MS = 4000,  /* tcp data unacknowledged for so long: the same */
    WIRE_RECONNECT_MS = 100, /* first and longest pause between two attempts to connect */
    WIRE_RECONNECT_MAX_MS = 1000,
    WIRE_CONNECT_MS = 500, /* timeout of an attempt to connect over tcp */
    WIRE_HANDSHAKE_MS = 2000,
    WIRE_LOST_MS = 90 * 1000,  /* a machine unreachable for so long is given up */
    WIRE_STALE_MS = 3000,      /* without a frame for so long, a viewer calls the feed stale */
    WIRE_LAG_MS = 1000,        /* above this delay, lagging */
    WIRE_HELD_MAX = 64,        /* frames that a viewer keeps pending for missing definitions */
    WIRE_PART_TEXTS = 15,      /* texts of the largest size in one part of a report, */
    WIRE_REPORT_MAX = 1 << 30, /* and largest size of a report that a viewer takes, in bytes */
    WIRE_TRACE_MAX_S = 600,    /* seconds of one trace, and its events; a job ends it then */
    WIRE_TRACE_EVENTS_MAX = 10000000,
    WIRE_CONTROLS_MAX = 10,    /* changes of the collection that a job makes in a second */
    WIRE_BYE_MS = 50,          /* a closing job waits this long for its viewers */
    WIRE_RUN_OPEN_MS = 1000,   /* under `proftop run`: open waits this long for the viewer, */
    WIRE_RUN_BYE_MS = 2000,    /* and close this long for its acknowledgement */
    WIRE_HEADROOM = 16,        /* descriptors that must be free; else the feed stops listening */
    WIRE_DESCRIPTORS_MAX = 64, /* in a table of the feed's own: stops listening at so many */
    WIRE_SUBSCRIBED_MAX = 64 * 1024,   /* bytes of subscriptions of a connection in its lifetime */
    WIRE_UNFINISHED_MAX = 1024 * 1024, /* bytes of requests without a complete one among them */
    WIRE_BEAT_MAX = 64,                /* bytes of a heartbeat, */
    WIRE_BEATS = 2,                    /* and heartbeats a second that neither bound counts */
};

#endif

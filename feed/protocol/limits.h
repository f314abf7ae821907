/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * limits.h: every bound of the wire and of those who speak it, in one place. docs/protocol.md
 * states the same numbers; tests/feed compares the two.
 */
#ifndef FEED_LIMIT_H
#define FEED_LIMIT_H

enum {
    WIRE_VERSION = 1,             /* the version of docs/protocol.md that this code speaks */
    WIRE_FRAME_MAX = 256 * 1024,  /* bytes of one frame, topic included */
    WIRE_MESSAGE_MAX = 1024 * 1024, /* bytes of one ZeroMQ part that is read at all (MAXMSGSIZE) */
    WIRE_REQUEST_MAX = 4 * 1024,  /* bytes of one request to a job */
    WIRE_TICK_MAX = 1024 * 1024,  /* bytes of rows that a job sends in one tick */
    WIRE_FRAME_ROWS = 4000,       /* rows of values in one frame; 64 B each in the worst case */
    WIRE_TOPIC_MAX = 16,          /* bytes of a topic */
    WIRE_DEPTH_MAX = 8,           /* nesting of a value that is skipped */
    WIRE_MAP_MAX = 256,           /* entries of one map */
    WIRE_TEXT_MAX = 16 * 1024,    /* bytes of one text; a publisher cuts longer ones */

    WIRE_CLASSES_MAX = 1 << 16,   /* rows of each table of definitions */
    WIRE_OPS_MAX = 1 << 20,
    WIRE_FUNCTIONS_MAX = 1 << 16,
    WIRE_APPLIES_MAX = 1 << 22,
    WIRE_THREADS_MAX = 1 << 16,
    WIRE_OTHERS_MAX = 1 << 16,    /* counters, spans, markers */
    WIRE_PHASES_MAX = 16 * 1024,  /* phases of compilations */
    WIRE_METRICS_MAX = 16,        /* metrics that a job declares */

    FEED_LABEL_MAX = 1024,        /* bytes of the name of a phase, metric, device or place */
    FEED_DTYPE_MAX = 64,          /* bytes of the name of a type */
    FEED_RANK_MAX = 32,           /* sizes of one shape */
    FEED_VALUES_MAX = 1024,       /* inputs and outputs that are known of one apply, */
    FEED_DETAIL_MAX = 64 * 1024,  /* bytes of what is known of it, */
    FEED_DETAILS_MAX = 64 * 1024 * 1024, /* and of all */
    FEED_DETAIL_TICK = 64 * 1024, /* bytes of it that a job sends in one tick */
    FEED_TEXTS_MAX = 256 * 1024 * 1024, /* bytes of all names of a job that a viewer keeps */

    FEED_TICK_MS = 100,           /* a job scans and sends this often, */
    FEED_TICK_MAX_MS = 1000,      /* or this seldom, where no viewer wants it oftener, */
    FEED_HELLO_MS = 1000,         /* and says hello this often */
    FEED_ROLL = 64,               /* each tick carries 1/64 of the unchanged rows */
    FEED_MANY_APPLIES = 1 << 13,  /* above so many, a tick sums a part of the applies: a fifth, */
    FEED_HUGE_APPLIES = 1 << 16,  /* above so many, a tenth; a whole second has full rounds */
    FEED_HWM = 32,                /* frames queued for one viewer, */
    FEED_READ_HWM = 128,          /* and by one until it reads them */
    FEED_CREDIT = 4,              /* snapshot chunks under way to one viewer */
    FEED_VIEWERS_MAX = 16,        /* viewers that a job serves on its ROUTER */
    FEED_HEARTBEAT_MS = 1000,     /* ZMTP heartbeat interval */
    FEED_HEARTBEAT_TIMEOUT_MS = 2000,
    FEED_KEEPALIVE_S = 2,         /* seconds until the kernel asks a silent tcp peer; unanswered so
                                     often, the viewer connects again */
    FEED_UNHEARD_MS = 4000,       /* tcp data that is not acknowledged for so long: the same */
    FEED_RECONNECT_MS = 100,      /* first and longest pause between two attempts to connect */
    FEED_RECONNECT_MAX_MS = 1000,
    FEED_CONNECT_MS = 500,        /* an attempt over tcp that is not answered */
    FEED_HANDSHAKE_MS = 2000,
    FEED_LOST_MS = 90 * 1000,     /* a machine that cannot be reached for so long is given up */
    FEED_STALE_MS = 3000,         /* without a frame for so long, a viewer calls the feed stale */
    FEED_LAG_MS = 1000,           /* above it, lagging */
    FEED_HELD_MAX = 64,           /* frames that a viewer holds for missing definitions */
    FEED_PART_TEXTS = 15,         /* texts of the largest size in one part of a report, */
    FEED_REPORT_MAX = 1 << 30,    /* and bytes of a report that a viewer takes */
    FEED_CONTROLS_MAX = 10,       /* changes of the collection that a job makes in a second */
    FEED_BYE_MS = 50,             /* a closing job waits this long for its viewers */
    FEED_RUN_OPEN_MS = 1000,      /* under `proftop run`: open waits this long for the viewer, */
    FEED_RUN_BYE_MS = 2000,       /* and close this long for its acknowledgement */
    FEED_HEADROOM = 16,           /* descriptors that must be free, or the feed stops listening */
    FEED_DESCRIPTORS_MAX = 64,    /* in a table of the feed's own: it stops listening at so many */
    FEED_SUBSCRIBED_MAX = 64 * 1024, /* bytes by which a connection subscribes in all its life */
    FEED_UNFINISHED_MAX = 1024 * 1024, /* bytes of requests without a whole one among them */
    FEED_BEAT_MAX = 64,           /* bytes of a heartbeat, */
    FEED_BEATS = 2,               /* of which so many in a second are none of either */
};

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * fake.h: a job that sends what a test wants, right or wrong: frames by wire_write, and, for tests
 * with sockets, an XPUB and a ROUTER in a directory of their own.
 */
#ifndef TESTS_FAKE_H
#define TESTS_FAKE_H

#include "model/job.h"
#include "feed/protocol/frame.h"

enum {
    FAKE_CLASSES = 2,
    FAKE_OPS = 3,
    FAKE_FUNCTIONS = 2,
    FAKE_APPLIES = 200, /* the first half belongs to function 0, the others to function 1 */
    FAKE_THREADS = 1,
    FAKE_PARENT = 5, /* the apply that runs function 1 */
};

struct fake {
    uint8_t instance[16];
    uint64_t epoch, tick, mono_ns, wall_ns;
    uint64_t seq[WIRE_STREAMS];
    uint64_t seq_of[FAKE_FUNCTIONS];
    uint32_t defs[WIRE_TABLES]; /* that its frames rely on */
    uint64_t calls[FAKE_APPLIES], total_ns[FAKE_APPLIES];
    uint8_t bytes[WIRE_FRAME_MAX]; /* the frame written last */
    size_t size;

    void *zmq, *facts, *control; /* with sockets */
    char dir[64], facts_at[108], control_at[108];
    bool mute; /* snapshots are not answered */
    unsigned hellos, snapshots, acks, mores;
    char want[16];  /* of the last snapshot asked for, */
    uint64_t asked; /* and its number */
    uint32_t from[WIRE_TABLES];
    uint8_t viewer[64]; /* ROUTER's name of whoever asked last */
    size_t viewer_size;
};

/* A job with its tables, in its first epoch, whose instance is 16 times this byte. */
void fake_init(struct fake *fake, uint8_t instance);

/* One tick: every apply is called `calls` times more, 10 ns each plus its id. */
void fake_work(struct fake *fake, unsigned calls);

/* Write one frame; with `req` an answer to it, else the next of its topic. */
void fake_defs(struct fake *fake, uint64_t req);
/* Definitions from these ids on, up to fake->defs. */
void fake_defs_from(struct fake *fake, uint64_t req, const uint32_t from[WIRE_TABLES]);
void fake_hello(struct fake *fake, uint64_t req, bool bye);
void fake_functions(struct fake *fake, uint64_t req);
/* Rows of one function whose id modulo `of` is the tick modulo `of`; 1: all. */
void fake_values(struct fake *fake, uint64_t req, uint32_t function, uint32_t of);
void fake_now(struct fake *fake, uint64_t req);
void fake_notice(struct fake *fake, uint64_t req, const char *text);
/* One phase of function 0, which is open since the instant 0. */
void fake_phase(struct fake *fake, uint64_t req, uint64_t number);
void fake_reply(struct fake *fake, uint64_t req, const char *re, bool ok, uint64_t chunks);

/* Whether the job in the model holds exactly what the fake one has counted. */
bool fake_equals(const struct fake *fake, const struct model_job *job);

/* Sockets. */
void fake_bind(struct fake *fake);
void fake_unbind(struct fake *fake); /* closes them; the directory stays */
void fake_release(struct fake *fake);
void fake_publish(struct fake *fake); /* the frame written last */
/* Answers what was asked: hello, snapshot (all at once), more, ack. Takes subscriptions. */
void fake_serve(struct fake *fake);
void fake_answer(struct fake *fake);
void fake_snapshot(struct fake *fake); /* the last that was asked for */

#endif

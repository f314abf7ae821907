/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * fake.h: a fake job that sends the frames a test needs, valid or not. It encodes frames with
 * wire_write(). For tests with sockets it has an XPUB and a ROUTER in a directory of its own.
 */
#ifndef TESTS_FAKE_H
#define TESTS_FAKE_H

#include "model/job.h"
#include "feed/protocol/frame.h"

enum {
    FAKE_CLASSES = 2,
    FAKE_OPS = 3,
    FAKE_FUNCTIONS = 2,
    FAKE_APPLIES = 200, /* first half: function 0; rest: function 1 */
    FAKE_THREADS = 1,
    FAKE_PARENT = 5, /* the apply that runs function 1 */
};

struct fake {
    uint8_t instance[16];
    uint64_t epoch, tick, mono_ns, wall_ns;
    uint64_t seq[WIRE_STREAMS];
    uint64_t seq_of[FAKE_FUNCTIONS];
    uint32_t defs[WIRE_TABLES]; /* referenced by its frames */
    uint64_t calls[FAKE_APPLIES], total_ns[FAKE_APPLIES];
    uint8_t bytes[WIRE_FRAME_MAX]; /* last frame written */
    size_t size;

    void *zmq, *facts, *control; /* with sockets */
    char dir[64], facts_at[108], control_at[108];
    bool mute; /* do not answer snapshots */
    unsigned hellos, snapshots, acks, mores;
    char want[16];  /* of the last snapshot request, */
    uint64_t asked; /* and its number */
    uint32_t from[WIRE_TABLES];
    uint8_t viewer[64]; /* ROUTER identity of the last client */
    size_t viewer_size;
};

/* Makes a job with its tables, in its first epoch. All 16 bytes of its instance are `instance`. */
void fake_init(struct fake *fake, uint8_t instance);

/* One tick: adds `calls` calls to every apply. Each call takes 10 ns plus the apply's id. */
void fake_work(struct fake *fake, unsigned calls);

/* Write one frame: an answer to `req` if it is not 0, else the next frame of its topic. */
void fake_defs(struct fake *fake, uint64_t req);
/* Writes definitions from these ids up to fake->defs. */
void fake_defs_from(struct fake *fake, uint64_t req, const uint32_t from[WIRE_TABLES]);
void fake_hello(struct fake *fake, uint64_t req, bool bye);
void fake_functions(struct fake *fake, uint64_t req);
/* Writes the rows of one function where id modulo `of` equals the tick modulo `of`. 1: all rows. */
void fake_values(struct fake *fake, uint64_t req, uint32_t function, uint32_t of);
void fake_now(struct fake *fake, uint64_t req);
void fake_notice(struct fake *fake, uint64_t req, const char *text);
/* Writes one phase of function 0, open since time 0. */
void fake_phase(struct fake *fake, uint64_t req, uint64_t number);
void fake_reply(struct fake *fake, uint64_t req, const char *re, bool ok, uint64_t chunks);

/* True if the job in the model equals the fake job's counts. */
bool fake_equals(const struct fake *fake, const struct model_job *job);

/* Sockets. */
void fake_bind(struct fake *fake);
void fake_unbind(struct fake *fake); /* closes the sockets; the directory stays */
void fake_release(struct fake *fake);
void fake_publish(struct fake *fake); /* last frame written */
/* Answers requests: hello, snapshot (all at once), more, ack. Accepts subscriptions. */
void fake_serve(struct fake *fake);
void fake_answer(struct fake *fake);
void fake_snapshot(struct fake *fake); /* last snapshot requested */

#endif

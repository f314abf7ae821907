/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * objects.h: the markers, counters and spans of a port. */
#ifndef PROFTOP_PORT_OBJECTS_H
#define PROFTOP_PORT_OBJECTS_H

#include <stdint.h>

#include "adapters/common/nested.h"

enum port_objects_limits {
    PORT_OBJECTS = 256, /* objects of one kind */
    PORT_RUNS = 4096,   /* spans that are open at once */
};

enum port_kind {
    PORT_TASK,
    PORT_FRAME,
    PORT_EVENT,
    PORT_MARKER,
    PORT_COUNTER,
    PORT_COUNTER_F64,
    PORT_GIVEN, /* an apply with times that the program gives */
    PORT_KINDS,
};

/* Returns the object, which lives as long as the process; NULL: none. Opens no feed. Names that
 * differ in digits alone become one once there are NESTED_ALIKE of them. Beyond PORT_OBJECTS all
 * are "(other)", and counters are NULL. */
struct port_object *port_object(enum port_kind kind, unsigned group, const char *name);
/* Its number from 0, and back; NULL: no such number. */
unsigned port_object_number(const struct port_object *object);
struct port_object *port_object_at(unsigned number);

void port_mark(struct port_object *object, const char *scope);
void port_count(struct port_object *object, int64_t delta);
void port_set(struct port_object *object, int64_t value);
void port_set_f64(struct port_object *object, double value);
void port_give(struct port_object *object, uint64_t ns);

/* Identifies an open span: with `kind` as part of it. */
struct port_key {
    uint64_t part[3];
    enum port_kind kind;
};
/* Starts a span. `once`: not if a span of this key is open. Beyond PORT_RUNS the oldest one is
 * dropped, and counted as such: its time is not known. */
void port_run_begin(const struct port_key *key, struct port_object *object, int once);
/* Ends the span of this key that began last, whichever thread began it. */
void port_run_end(const struct port_key *key);

/* For struct port: publishes the sums of lost and stray ranges; holds the locks of names and
 * objects during a fork. */
void port_objects_publish(struct proftop *feed);
void port_objects_watch_forks(void);

/* Holds and releases the lock of the objects. */
void port_objects_lock(void);
void port_objects_unlock(void);

#endif

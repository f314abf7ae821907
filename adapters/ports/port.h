/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * port.h: the feed of a port.
 *
 * A port is a small library which a program's own copy of ITT or NVTX loads, and to which it then
 * reports. The port counts ranges that nest on a thread by adapters/common/nested.h, and everything
 * else as objects of proftop_objects.h. Everything is bounded; no call fails, prints or waits, but
 * for the first event of a process, which waits until the feed is open. */
#ifndef PROFTOP_PORT_H
#define PROFTOP_PORT_H

#include "adapters/common/nested.h"
#include "proftop.h"

struct port {
    const char *framework, *route;                                    /* of its feed */
    struct nested_about (*describe)(unsigned kind, const char *name); /* of struct nested_host */
    void (*opened)(void);                  /* called once, with the first feed */
    void (*publish)(struct proftop *feed); /* called ten times a second, and at exit */
};

/* Tells which port this is. Opens nothing. Returns 0 if the environment keeps the feed off. `port`
 * is static, and the same in all calls. */
int port_begin(const struct port *port);

/* The feed; the first call opens it, and waits for that. NULL: it is off. Call it in front of
 * nested_begin(). */
struct proftop *port_feed(void);
/* The feed if it is open, else NULL. */
struct proftop *port_feed_here(void);
/* Number of feeds opened by this process: the ids of applies of one are invalid in the next. */
unsigned port_feeds(void);

/* Number of feeds opened, also by the processes from which this one was forked. */
unsigned port_generation(void);

/* Pauses and resumes the collection, also before the feed is open. */
void port_pause(int pauses);

/* Names the calling thread, at once or with its first event. */
void port_thread_name(const char *name);

/* 1 if proftop's adapter for PyTorch is in this process: it counts the same ops. */
int port_has_torch_adapter(void);
/* 1 if it is, or that for MXNet: what a library of theirs tells is a part of the ops counted. */
int port_has_adapter(void);

#endif

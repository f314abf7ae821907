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

#include "proftop.h"

struct port {
    const char *framework, *route;         /* of its feed */
    void (*opened)(void);                  /* called once, with the first feed */
    void (*publish)(struct proftop *feed); /* called ten times a second, and at exit */
};

/* Tells which port this is. Opens nothing. Returns 0 if the environment keeps the feed off. `port`
 * is static, and the same in all calls. */
int port_begin(const struct port *port);

/* Number of feeds opened, also by the processes from which this one was forked. */
unsigned port_generation(void);

/* Pauses and resumes the collection, also before the feed is open. */
void port_pause(int pauses);

/* Names the calling thread, at once or with its first event. */
void port_thread_name(const char *name);

/* 1 if proftop's adapter for PyTorch is in this process: it counts the same ops. */
int port_has_torch_adapter(void);

#endif

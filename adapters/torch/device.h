/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * device.h: what a GPU does for each op, from CUPTI's records, in the windows in which ops are
 * counted.
 *
 * CUPTI has one subscription for a process, and PyTorch's own profiler (kineto) wants it. So it is
 * taken for windows alone, and never while the job's profiler runs: device_step_aside(). */
#ifndef PROFTOP_TORCH_DEVICE_H
#define PROFTOP_TORCH_DEVICE_H

#include <stdint.h>

struct proftop;

/* GPUs are watched from the moment on at which the job uses one. `refused`: why CUPTI is left alone
 * for good, a static sentence; NULL: it is not. */
void device_attach(const char *refused);
/* Leaves CUPTI as it was. Waits for the records that there are. */
void device_detach(void);

/* A window begins, or ends. Never waits: what cannot be done now is done by device_tick(). */
void device_open(void);
void device_close(void);

/* The job's profiler starts: CUPTI is free when this returns. Or it has ended. Any thread. */
void device_step_aside(int starts);

/* Takes records. The adapter's thread, ten times a second. */
void device_tick(void);
/* Publishes the counters of the devices. One thread at a time. */
void device_publish(struct proftop *feed);

/* How the device's time is known, for the header: a static text, or NULL: no device is used. */
const char *device_route(void);

/* Hold the locks of this file during a fork; a child leaves CUPTI alone. */
void device_lock(void);
void device_unlock(void);
void device_in_child(void);

/* Around each run, where the subscription is kineto's and ops are told by ids that are pushed. */
extern _Atomic int device_pushes;
extern _Thread_local unsigned device_pushed __attribute__((tls_model("initial-exec")));
void device_push(void);
/* Only if device_pushed is not 0: a run that began before ids were pushed has none. */
void device_pop(void);

#endif

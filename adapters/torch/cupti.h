/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * cupti.h: the calls of CUPTI, NVIDIA's library for profilers, that the adapter needs. CUPTI
 * records kernels and copies, and calls back before each launch. PyTorch has loaded the library
 * already. No header of NVIDIA's is used. Numbers and offsets come from cupti_activity.h and
 * cupti_callbacks.h. They are equal from CUDA 11.7 to 13.5: structures only grow at their ends. */
#ifndef PROFTOP_TORCH_CUPTI_H
#define PROFTOP_TORCH_CUPTI_H

#include <stddef.h>
#include <stdint.h>

/* CUpti_ActivityKind. */
enum cupti_kind {
    CUPTI_COPY = 1,
    CUPTI_SET = 2,
    CUPTI_KERNEL_ALONE = 3,
    CUPTI_DRIVER = 4,
    CUPTI_RUNTIME = 5,
    CUPTI_KERNEL = 10,
    CUPTI_PEER_COPY = 22,
    CUPTI_EXTERNAL = 39
};

/* CUptiResult: somebody else has the one subscription. */
enum { CUPTI_TAKEN = 39 };

/* A record of the device. */
struct cupti_record {
    enum cupti_kind kind;
    uint64_t start_ns, end_ns; /* of the clock of cupti_now_ns() */
    uint32_t device, correlation;
    const char *name;  /* of a kernel, mangled; NULL: none */
    uint64_t bytes;    /* of a copy */
    unsigned way;      /* of a copy: CUpti_ActivityMemcpyKind */
    uint64_t external; /* of CUPTI_EXTERNAL: the id that was pushed */
};

/* Looks for the library in this process. Returns 1 if it is there, whole, and a GPU is in use: a
 * call of CUPTI before that would start CUDA. */
int cupti_find(void);

/* True if CUDA is in use on some device. */
int cupti_device_is_used(void);

/* Records go to `take`, on threads of CUPTI's and in cupti_flush(), and are valid until it returns.
 * Returns 0, or CUPTI's error. */
int cupti_receive(void (*take)(const struct cupti_record *record));
/* Records of a kind are made, or no longer. Returns 0, or CUPTI's error. */
int cupti_enable(enum cupti_kind kind, int on);
/* Makes CUPTI hand over its records. It keeps a buffer in which a record is not complete, unless
 * `all` is set. */
void cupti_flush(int all);
/* Records that CUPTI had no room for, since the last call. */
uint64_t cupti_dropped(void);
/* Kineto has CUPTI count in ticks of the processor, and does not put that back: has it count in ns
 * again, before records are made. */
void cupti_set_clock(void);
/* 0: not known. */
uint64_t cupti_now_ns(void);

/* Before each launch, copy and graph: `launch` with the number that its records will have, on the
 * launching thread. Returns 0, CUPTI_TAKEN, or another error. One subscription at a time. */
int cupti_subscribe(void (*launch)(uint32_t correlation));
void cupti_unsubscribe(void);

/* What this thread launches from now on has a record CUPTI_EXTERNAL with this id; and no longer. */
void cupti_push(uint64_t id);
void cupti_pop(void);

/* "from host to device" and the like, of a copy. Static. */
const char *cupti_way(unsigned way);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * c10_cuda_stand_in.c: a libc10_cuda.so of our own, whose pretended allocator tells libc10 of each
 * allocation, as the real one does (c10/cuda/CUDACachingAllocator.cpp). */
#include <stdint.h>
#include <stdlib.h>

struct device {
    int8_t type, index;
};
enum { CUDA = 1, DEVICES = 2, BLOCK = 512 };

extern void
report(void *at, int64_t bytes, size_t allocated, size_t reserved,
       struct device device) __asm__("_ZN3c1027reportMemoryUsageToProfilerEPvlmmNS_6DeviceE");
extern void
report_out(int64_t bytes, size_t allocated, size_t reserved,
           struct device device) __asm__("_ZN3c1027reportOutOfMemoryToProfilerElmmNS_6DeviceE");

static struct {
    size_t allocated, reserved;
    uintptr_t next;
} state[DEVICES];

/* Returns an address that nobody may use. Reserved memory grows by blocks, and stays. */
__attribute__((visibility("default"))) void *cuda_malloc(unsigned device, size_t bytes)
{
    state[device].next += BLOCK + bytes;
    state[device].allocated += bytes;
    while (state[device].reserved < state[device].allocated)
        state[device].reserved += BLOCK;
    void *at = (void *)(((uintptr_t)(device + 1) << 40) + state[device].next);
    report(at, (int64_t)bytes, state[device].allocated, state[device].reserved,
           (struct device){CUDA, (int8_t)device});
    return at;
}

__attribute__((visibility("default"))) void cuda_free(unsigned device, void *at, size_t bytes)
{
    state[device].allocated -= bytes;
    report(at, -(int64_t)bytes, state[device].allocated, state[device].reserved,
           (struct device){CUDA, (int8_t)device});
}

__attribute__((visibility("default"))) void cuda_out_of_memory(unsigned device, size_t bytes)
{
    report_out((int64_t)bytes, state[device].allocated, state[device].reserved,
               (struct device){CUDA, (int8_t)device});
}

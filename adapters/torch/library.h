/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * library.h: the part of PyTorch's interface that the adapter uses (ATen/record_function.h). */
#ifndef PROFTOP_TORCH_LIBRARY_H
#define PROFTOP_TORCH_LIBRARY_H

#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* at::RecordScope: the kinds of runs. Only those that are used have a name here. */
enum { TORCH_FUNCTION = 0, TORCH_BACKWARD = 1, TORCH_RANGE = 7, TORCH_SCOPES = 10 };
/* Calls of modules, which are no runs of PyTorch's: a kind of their own. */
enum { TORCH_MODULE = TORCH_SCOPES };
/* Neither are what a device does: kernels, and copies. */
enum { TORCH_KERNEL = TORCH_MODULE + 1, TORCH_COPY };
/* Nor are compilations, which other functions count. */
enum { TORCH_COMPILER = TORCH_COPY + 1 };

/* at::RecordFunctionCallback: passed by value, in memory. Later releases may have more members:
 * they read zeros. The begin returns a std::unique_ptr, which is an address in memory that the
 * caller provides: TORCH_BEGIN() makes such a function. */
struct torch_callback {
    void *(*begin)(void **context, const void *run);
    void (*end)(const void *run, void *context);
    double probability;
    unsigned char scopes[TORCH_SCOPES];
    unsigned char needs_inputs, needs_outputs, needs_ids;
    unsigned char room[88];
};
_Static_assert(offsetof(struct torch_callback, scopes) == 24, "as in PyTorch");

/* TORCH_BEGIN(name) defines name_begin() to be called by PyTorch, and the head of a function that
 * does its work: `context`, where the result belongs, and `run`. It returns `context`.
 *
 * On x86-64 the address of such a result is the first argument, and is returned. On aarch64 it is
 * in register x8, which C cannot name, and the run is the first argument. */
#if defined(__aarch64__)
#define TORCH_BEGIN(name)                                                                          \
    __asm__(".pushsection .text\n"                                                                 \
            ".p2align 2\n"                                                                         \
            ".globl " #name "_begin\n.hidden " #name "_begin\n"                                    \
            ".type " #name "_begin, %function\n" #name "_begin:\n"                                 \
            "hint #34\n" /* may be called through a pointer: bti c */                              \
            "mov x1, x0\n"                                                                         \
            "mov x0, x8\n"                                                                         \
            "b " #name "_work\n"                                                                   \
            ".size " #name "_begin, . - " #name "_begin\n"                                         \
            ".popsection");                                                                        \
    extern void *name##_begin(void **context, const void *run)                                     \
        __attribute__((visibility("hidden")));                                                     \
    extern void *name##_work(void **context, const void *run)                                      \
        __attribute__((visibility("hidden"), used));                                               \
    void *name##_work(void **context, const void *run)
#else
#define TORCH_BEGIN(name) static void *name##_begin(void **context, const void *run)
#endif

/* Set by torch_find(). A callback is removed by the number that adding it returned: runs that began
 * before still get their end. */
extern uint64_t (*torch_add_callback)(struct torch_callback);
extern void (*torch_remove_callback)(uint64_t);
/* True if any callback is in the list. NULL: not known. */
extern _Bool (*torch_has_callbacks)(void);
/* Name of a run. Valid until its end. */
extern const char *(*torch_name_of)(const void *run);
/* True if the run may end on another thread. NULL: an older release. */
extern _Bool (*torch_is_async)(const void *run);

/* Ops are counted now; between windows they are not. Written by record.c. */
extern _Atomic int torch_counts;

/* CLOCK_MONOTONIC. */
static inline uint64_t torch_clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#endif

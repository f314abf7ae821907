/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * truth.h: the demo job's own record of its runs, to compare with proftop's figures.
 *
 * It shares nothing with the library. It reads its own clock outside of proftop's begin and end,
 * and never reads their durations. So each of its intervals encloses the library's. */
#ifndef EXAMPLES_TRUTH_H
#define EXAMPLES_TRUTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct truth;

struct truth_count {
    uint64_t calls;
    uint64_t ns;
};

/* The counts of one thread, a row for each function and apply. Only that thread writes. */
struct truth_thread {
    struct truth_count *rows;
};

/* Return NULL or UINT32_MAX if out of memory. Define all rows before making the threads. */
struct truth *truth_new(void);
uint32_t truth_function(struct truth *truth, const char *name);
uint32_t truth_apply(struct truth *truth, uint32_t function, uint32_t index, const char *op,
                     const char *op_class);

/* One phase of a function's compilation; `parent` is NULL for an outermost phase. Names are
 * borrowed for the life of the truth. Returns false if out of memory. */
struct truth_phase {
    uint32_t function;
    const char *name, *parent;
    struct truth_count count;
    size_t nodes_before, nodes_after;
};
bool truth_phase(struct truth *truth, const struct truth_phase *phase);

/* Counters for one more thread; they belong to the truth. */
struct truth_thread *truth_thread_new(struct truth *truth);

static inline void truth_add(struct truth_thread *thread, uint32_t row, uint64_t ns)
{
    thread->rows[row].calls++;
    thread->rows[row].ns += ns;
}

/* Writes the sums of all threads as JSON, after they have ended. Returns 0, or -1 with errno. */
int truth_write(const struct truth *truth, const char *path);
void truth_free(struct truth *truth);

#endif

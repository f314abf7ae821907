/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * black_box.h: reads what a job with PROFTOP_KEEP=1 left behind (feed/shared/black_box.h) into a
 * job that has ended. Nothing in the file is trusted.
 *
 * One thread. Calls read from a file.
 */
#ifndef FEED_VIEWER_STREAM_BLACK_BOX_H
#define FEED_VIEWER_STREAM_BLACK_BOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/job.h"

/* True if the file begins like a black box; false also if it cannot be read. */
bool viewer_black_box_is(const char *path);

/* Reads a file into a job, which the caller releases. Totals are of all calls since the
 * start, resets or not. Notices of the job say what the file lacks. Returns NULL, with a sentence
 * in `why`, if the file is none, is damaged, or is of another version. */
struct model_job *viewer_black_box_read(const char *path, char *why, size_t capacity);

/* The same for the bytes of such a file, which are aligned to 8 and stay the caller's. */
struct model_job *viewer_black_box_parse(const void *bytes, size_t size, char *why,
                                         size_t capacity);

/* A file that a job of this user left behind, or still writes. */
struct viewer_black_box {
    char path[4096];
    uint64_t pid, start;
    uint64_t since_ns;                /* wall clock at which the feed was opened */
    uint64_t seen_ns;                 /* wall clock at which the job ran last, for sure */
    bool runs;                        /* its process is still there */
    char program[256], framework[64]; /* safe for the screen */
};

/* Lists them, those that ran last first. Returns how many; the caller frees `*box`. */
size_t viewer_black_boxes(struct viewer_black_box **box);

#endif

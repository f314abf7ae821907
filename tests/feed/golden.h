/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * golden.h: the golden bytes, read from docs/protocol.md.
 */
#ifndef TESTS_GOLDEN_H
#define TESTS_GOLDEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct golden {
    char name[32]; /* of a valid frame; of an invalid one, its error's name */
    bool bad;
    uint8_t *bytes; /* allocated at exactly this size */
    size_t size;
};

/* Reads all blocks of the page, in order, and sets `*n`. Returns NULL with a message on stderr if
 * the page cannot be read or has an invalid block. Free it with golden_free(). */
struct golden *golden_read(size_t *n);
void golden_free(struct golden *goldens, size_t n);

/* Returns the page as one string, which the caller frees. NULL if the page cannot be read. */
char *golden_page(void);

#endif

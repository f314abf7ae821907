/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * golden.h: the golden bytes, read out of docs/protocol.md.
 */
#ifndef TESTS_GOLDEN_H
#define TESTS_GOLDEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct golden {
    char name[32]; /* of a whole frame; of a bad one, the name of its error */
    bool bad;
    uint8_t *bytes; /* of exactly this size */
    size_t size;
};

/* All blocks of the page, in their order; `*n` is set. NULL with a message on stderr if the page
 * cannot be read or holds what is no block. golden_free() ends it. */
struct golden *golden_read(size_t *n);
void golden_free(struct golden *goldens, size_t n);

/* The page as one string, to be freed; NULL if it cannot be read. */
char *golden_page(void);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * pages.h: memory in whole pages. Used for what threads of the program write to: it does not share
 * pages with their other memory.
 */
#ifndef FEED_PUBLISHER_RECORD_PAGES_H
#define FEED_PUBLISHER_RECORD_PAGES_H

#include <stddef.h>

/* Maps zeroed pages; untouched pages use no memory. Returns NULL if out of memory. */
void *publisher_map(size_t size);
void publisher_unmap(void *memory, size_t size);

#endif

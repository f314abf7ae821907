/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * large.c: maps what is large where pages of 2 MB fit; it grows by moving pages, not bytes.
 */
#include "config.h"

#include "large.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* AddressSanitizer watches what is malloc()'s. */
#if defined(__SANITIZE_ADDRESS__)
#define WATCHED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WATCHED 1
#endif
#endif
#ifndef WATCHED
#define WATCHED 0
#endif

enum { PAGE = 2 << 20 };

/* What is mapped for so many bytes; 0: they are malloc()'s. */
static size_t mapped(size_t bytes)
{
    if (WATCHED || bytes < MODEL_LARGE || bytes > SIZE_MAX / 2)
        return 0;
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

/* Aligned to PAGE; NULL: out of memory. That the kernel may have no large pages is no error. */
static void *map(size_t size)
{
    char *all = mmap(NULL, size + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED)
        return NULL;
    const size_t before = (PAGE - (uintptr_t)all % PAGE) % PAGE;
    if (before > 0)
        munmap(all, before);
    munmap(all + before + size, PAGE - before);
    madvise(all + before, size, MADV_HUGEPAGE);
    return all + before;
}

/* In its place if there is room behind it, or to another where pages of 2 MB fit too. */
static void *grow(void *data, size_t from, size_t to)
{
    if (from == to || mremap(data, from, to, 0) != MAP_FAILED)
        return data;
    void *place = map(to);
    if (!place)
        return NULL;
    if (mremap(data, from, to, MREMAP_MAYMOVE | MREMAP_FIXED, place) != MAP_FAILED)
        return place;
    munmap(place, to);
    return NULL;
}

void *model_large_fit(void *data, size_t before, size_t bytes)
{
    const size_t from = mapped(before), to = mapped(bytes);
    if (from == 0 && to == 0)
        return realloc(data, bytes);
    if (from > 0 && to > 0)
        return grow(data, from, to);
    void *other = to > 0 ? map(to) : malloc(bytes);
    if (!other)
        return NULL;
    if (before > 0)
        memcpy(other, data, before < bytes ? before : bytes);
    model_large_free(data, before);
    return other;
}

void model_large_free(void *data, size_t bytes)
{
    if (data && mapped(bytes) > 0)
        munmap(data, mapped(bytes));
    else
        free(data);
}

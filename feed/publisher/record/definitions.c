/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * definitions.c: append-only tables of definitions, and the arena of their texts.
 */
#include "feed/publisher/record/definitions.h"

#include <stdlib.h>
#include <string.h>

enum { ARENA_SIZE = 64 * 1024 };

struct feed_arena {
    struct feed_arena *next;
    size_t used, size;
    char bytes[];
};

static const struct {
    size_t row;
    uint32_t max;
    enum wire_table table;
} shape[FEED_TABLES] = {
    [FEED_T_CLASS] = {sizeof(struct feed_class_row), WIRE_CLASSES_MAX, WIRE_T_CLASS},
    [FEED_T_OP] = {sizeof(struct feed_op_row), WIRE_OPS_MAX, WIRE_T_OP},
    [FEED_T_FUNCTION] = {sizeof(struct feed_function_row), WIRE_FUNCTIONS_MAX, WIRE_T_FUNCTION},
    [FEED_T_APPLY] = {sizeof(struct feed_apply_row), WIRE_APPLIES_MAX, WIRE_T_APPLY},
    [FEED_T_THREAD] = {sizeof(struct feed_thread_row), WIRE_THREADS_MAX, WIRE_T_THREAD},
    [FEED_T_COUNTER] = {sizeof(struct feed_counter_row), WIRE_OTHERS_MAX, WIRE_T_COUNTER},
    [FEED_T_SPAN] = {sizeof(struct feed_span_row), WIRE_OTHERS_MAX, WIRE_T_SPAN},
    [FEED_T_MARKER] = {sizeof(struct feed_marker_row), WIRE_OTHERS_MAX, WIRE_T_MARKER},
};

bool feed_book_init(struct feed_book *book)
{
    memset(book, 0, sizeof *book);
    for (int table = 0; table < FEED_TABLES; table++) {
        book->list[table].chunk = calloc(shape[table].max / FEED_BOOK_CHUNK, sizeof(void *));
        if (book->list[table].chunk == NULL) {
            feed_book_release(book);
            return false;
        }
    }
    return true;
}

void feed_book_release(struct feed_book *book)
{
    for (int table = 0; table < FEED_TABLES; table++) {
        struct feed_list *list = &book->list[table];
        for (uint32_t at = 0; list->chunk != NULL && at < shape[table].max / FEED_BOOK_CHUNK; at++)
            free(list->chunk[at]);
        free(list->chunk);
        list->chunk = NULL;
    }
    while (book->texts != NULL) {
        struct feed_arena *arena = book->texts;
        book->texts = arena->next;
        free(arena);
    }
}

uint32_t feed_book_count(const struct feed_book *book, enum feed_table table)
{
    return atomic_load_explicit(&book->list[table].count, memory_order_acquire);
}

void *feed_book_row(const struct feed_book *book, enum feed_table table, uint32_t id)
{
    char *chunk = book->list[table].chunk[id / FEED_BOOK_CHUNK];
    return chunk + id % FEED_BOOK_CHUNK * shape[table].row;
}

void *feed_book_add(struct feed_book *book, enum feed_table table)
{
    struct feed_list *list = &book->list[table];
    uint32_t id = atomic_load_explicit(&list->count, memory_order_relaxed);
    if (id >= shape[table].max)
        return NULL;
    void **chunk = &list->chunk[id / FEED_BOOK_CHUNK];
    if (*chunk == NULL)
        *chunk = calloc(FEED_BOOK_CHUNK, shape[table].row);
    if (*chunk == NULL)
        return NULL;
    void *row = feed_book_row(book, table, id);
    memset(row, 0, shape[table].row);
    memcpy(row, &book->born, sizeof book->born);
    return row;
}

uint32_t feed_book_commit(struct feed_book *book, enum feed_table table)
{
    struct feed_list *list = &book->list[table];
    uint32_t id = atomic_load_explicit(&list->count, memory_order_relaxed);
    book->born++;
    atomic_store_explicit(&list->count, id + 1, memory_order_release);
    return id;
}

size_t feed_text_cut(const char *text, size_t limit)
{
    size_t size = strnlen(text, limit + 1);
    if (size <= limit)
        return size;
    size = limit;
    /* A character has at most three bytes after its first; more of them are no text anyway. */
    for (int back = 0; back < 3 && ((unsigned char)text[size] & 0xc0) == 0x80; back++)
        size--;
    return size;
}

bool feed_book_text(struct feed_book *book, const char *text, struct wire_text *copy)
{
    size_t size = text == NULL ? 0 : feed_text_cut(text, WIRE_TEXT_MAX);
    struct feed_arena *arena = book->texts;
    *copy = (struct wire_text){.data = "", .size = 0};
    if (size == 0)
        return true;
    if (arena == NULL || arena->size - arena->used < size) {
        arena = malloc(sizeof *arena + ARENA_SIZE);
        if (arena == NULL)
            return false;
        *arena = (struct feed_arena){.next = book->texts, .size = ARENA_SIZE};
        book->texts = arena;
    }
    memcpy(arena->bytes + arena->used, text, size);
    *copy = (struct wire_text){.data = arena->bytes + arena->used, .size = (uint32_t)size};
    arena->used += size;
    return true;
}

void feed_book_counts(const struct feed_book *book, uint32_t counts[WIRE_TABLES])
{
    memset(counts, 0, WIRE_TABLES * sizeof counts[0]);
    for (int table = 0; table < FEED_TABLES; table++)
        counts[shape[table].table] = feed_book_count(book, table);
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * definitions.c: append-only tables of definitions, and the arena of their texts.
 */
#include "feed/publisher/record/definitions.h"

#include "feed/publisher/record/black_box.h"

#include <stdlib.h>
#include <string.h>

enum { ARENA_SIZE = 64 * 1024 };

struct publisher_arena {
    struct publisher_arena *next;
    size_t used, size;
    char bytes[];
};

static const struct {
    size_t row;
    uint32_t max;
    enum wire_table table;
} shape[PUBLISHER_TABLES] = {
    [PUBLISHER_DEF_CLASS] = {sizeof(struct publisher_class_row), WIRE_CLASSES_MAX, WIRE_T_CLASS},
    [PUBLISHER_DEF_OP] = {sizeof(struct publisher_op_row), WIRE_OPS_MAX, WIRE_T_OP},
    [PUBLISHER_DEF_FUNCTION] = {sizeof(struct publisher_function_row), WIRE_FUNCTIONS_MAX,
                                WIRE_T_FUNCTION},
    [PUBLISHER_DEF_APPLY] = {sizeof(struct publisher_apply_row), WIRE_APPLIES_MAX, WIRE_T_APPLY},
    [PUBLISHER_DEF_THREAD] = {sizeof(struct publisher_thread_row), WIRE_THREADS_MAX, WIRE_T_THREAD},
    [PUBLISHER_DEF_COUNTER] = {sizeof(struct publisher_counter_row), WIRE_OTHERS_MAX,
                               WIRE_T_COUNTER},
    [PUBLISHER_DEF_SPAN] = {sizeof(struct publisher_span_row), WIRE_OTHERS_MAX, WIRE_T_SPAN},
    [PUBLISHER_DEF_MARKER] = {sizeof(struct publisher_marker_row), WIRE_OTHERS_MAX, WIRE_T_MARKER},
};

bool publisher_definitions_init(struct publisher_definitions *definitions)
{
    memset(definitions, 0, sizeof *definitions);
    for (int table = 0; table < PUBLISHER_TABLES; table++) {
        definitions->list[table].chunk =
            calloc(shape[table].max / PUBLISHER_DEFINITIONS_CHUNK, sizeof(void *));
        if (definitions->list[table].chunk == NULL) {
            publisher_definitions_release(definitions);
            return false;
        }
    }
    return true;
}

void publisher_definitions_release(struct publisher_definitions *definitions)
{
    for (int table = 0; table < PUBLISHER_TABLES; table++) {
        struct publisher_list *list = &definitions->list[table];
        for (uint32_t at = 0;
             list->chunk != NULL && at < shape[table].max / PUBLISHER_DEFINITIONS_CHUNK; at++)
            free(list->chunk[at]);
        free(list->chunk);
        list->chunk = NULL;
    }
    while (definitions->texts != NULL) {
        struct publisher_arena *arena = definitions->texts;
        definitions->texts = arena->next;
        free(arena);
    }
}

uint32_t publisher_definitions_count(const struct publisher_definitions *definitions,
                                     enum publisher_table table)
{
    return atomic_load_explicit(&definitions->list[table].count, memory_order_acquire);
}

void *publisher_definitions_row(const struct publisher_definitions *definitions,
                                enum publisher_table table, uint32_t id)
{
    char *chunk = definitions->list[table].chunk[id / PUBLISHER_DEFINITIONS_CHUNK];
    return chunk + id % PUBLISHER_DEFINITIONS_CHUNK * shape[table].row;
}

void *publisher_definitions_add(struct publisher_definitions *definitions,
                                enum publisher_table table)
{
    struct publisher_list *list = &definitions->list[table];
    uint32_t id = atomic_load_explicit(&list->count, memory_order_relaxed);
    if (id >= shape[table].max)
        return NULL;
    void **chunk = &list->chunk[id / PUBLISHER_DEFINITIONS_CHUNK];
    if (*chunk == NULL)
        *chunk = calloc(PUBLISHER_DEFINITIONS_CHUNK, shape[table].row);
    if (*chunk == NULL)
        return NULL;
    void *row = publisher_definitions_row(definitions, table, id);
    memset(row, 0, shape[table].row);
    memcpy(row, &definitions->born, sizeof definitions->born);
    return row;
}

/* Copies a row for the black box. Returns false for tables that it does not have. */
static bool copy_row(struct publisher_box_record *record, enum publisher_table table,
                     const void *row)
{
    const struct publisher_class_row *of_class = row;
    const struct publisher_op_row *op = row;
    const struct publisher_function_row *function = row;
    const struct publisher_apply_row *apply = row;
    const struct publisher_thread_row *thread = row;
    switch (table) {
    case PUBLISHER_DEF_CLASS:
        *record = (struct publisher_box_record){SHARED_BOX_CLASS, {0}, {of_class->name}};
        return true;
    case PUBLISHER_DEF_OP:
        *record =
            (struct publisher_box_record){SHARED_BOX_OP, {op->op_class}, {op->text, op->display}};
        return true;
    case PUBLISHER_DEF_FUNCTION:
        *record = (struct publisher_box_record){
            SHARED_BOX_FUNCTION,
            {function->line, function->parent_plus_1, function->group, function->source},
            {function->name, function->file}};
        return true;
    case PUBLISHER_DEF_APPLY:
        *record = (struct publisher_box_record){SHARED_BOX_APPLY,
                                                {apply->function, apply->op, apply->index,
                                                 apply->source, apply->kind, apply->impl,
                                                 apply->exclusive != 0, apply->waits},
                                                {apply->text, apply->where}};
        return true;
    case PUBLISHER_DEF_THREAD:
        *record = (struct publisher_box_record){SHARED_BOX_NAME, {thread->tid}, {thread->name}};
        return true;
    default:
        return false;
    }
}

void publisher_definitions_keep(const struct publisher_definitions *definitions,
                                enum publisher_table table, uint32_t id)
{
    struct publisher_box_record record;
    const void *row =
        definitions->box == NULL ? NULL : publisher_definitions_row(definitions, table, id);
    if (row == NULL || !copy_row(&record, table, row))
        return;
    publisher_black_box_log(definitions->box, &record);
    const struct publisher_function_row *function = row;
    if (table == PUBLISHER_DEF_FUNCTION && function->sent_source != function->source)
        publisher_definitions_keep_unseen(definitions, id);
}

void publisher_definitions_keep_unseen(const struct publisher_definitions *definitions,
                                       uint32_t function)
{
    const struct publisher_box_record record = {SHARED_BOX_UNSEEN, {function}, {{NULL, 0}}};
    if (definitions->box != NULL)
        publisher_black_box_log(definitions->box, &record);
}

uint32_t publisher_definitions_commit(struct publisher_definitions *definitions,
                                      enum publisher_table table)
{
    struct publisher_list *list = &definitions->list[table];
    uint32_t id = atomic_load_explicit(&list->count, memory_order_relaxed);
    definitions->born++;
    publisher_definitions_keep(definitions, table, id);
    atomic_store_explicit(&list->count, id + 1, memory_order_release);
    return id;
}

size_t publisher_text_cut(const char *text, size_t limit)
{
    size_t size = strnlen(text, limit + 1);
    if (size <= limit)
        return size;
    size = limit;
    /* A UTF-8 character has at most three continuation bytes. More of them are no valid text. */
    for (int back = 0; back < 3 && ((unsigned char)text[size] & 0xc0) == 0x80; back++)
        size--;
    return size;
}

bool publisher_definitions_text(struct publisher_definitions *definitions, const char *text,
                                struct wire_text *copy)
{
    size_t size = text == NULL ? 0 : publisher_text_cut(text, WIRE_TEXT_MAX);
    struct publisher_arena *arena = definitions->texts;
    *copy = (struct wire_text){.data = "", .size = 0};
    if (size == 0)
        return true;
    if (arena == NULL || arena->size - arena->used < size) {
        arena = malloc(sizeof *arena + ARENA_SIZE);
        if (arena == NULL)
            return false;
        *arena = (struct publisher_arena){.next = definitions->texts, .size = ARENA_SIZE};
        definitions->texts = arena;
    }
    memcpy(arena->bytes + arena->used, text, size);
    *copy = (struct wire_text){.data = arena->bytes + arena->used, .size = (uint32_t)size};
    arena->used += size;
    return true;
}

void publisher_definitions_counts(const struct publisher_definitions *definitions,
                                  uint32_t counts[WIRE_TABLES])
{
    memset(counts, 0, WIRE_TABLES * sizeof counts[0]);
    for (int table = 0; table < PUBLISHER_TABLES; table++)
        counts[shape[table].table] = publisher_definitions_count(definitions, table);
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * objects.c: finds or makes the objects of proftop_objects.h by name, and owns their memory.
 */
#include "config.h"

#include "feed/publisher/record/lock.h"
#include "feed/publisher/record/objects.h"
#include "feed/publisher/record/pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const publisher_mark_scopes[PUBLISHER_MARK_SCOPES] = {"global", "process", "thread",
                                                                  "task", "marker"};

static void key_texts(const struct publisher_object_key *key,
                      struct wire_text text[PUBLISHER_KEY_TEXTS])
{
    text[0] = publisher_key_text(key->domain);
    text[1] = publisher_key_text(key->name);
    text[2] = publisher_key_text(key->scope);
}

static uint32_t find(const struct publisher_index *index, const struct publisher_object_key *key)
{
    struct wire_text text[PUBLISHER_KEY_TEXTS];
    key_texts(key, text);
    return publisher_index_find(index, key->kind, text);
}

/* ---------------------------------------------------------------------------------- the memory */

struct publisher_objects *publisher_objects_of(struct publisher_core *core)
{
    if (core->objects != NULL)
        return core->objects;
    struct publisher_objects *objects = calloc(1, sizeof *objects);
    if (objects == NULL)
        return NULL;
    atomic_store_explicit(&objects->references, 1, memory_order_relaxed);
    core->objects = objects;
    return objects;
}

static void free_spans(struct publisher_objects *objects)
{
    uint32_t count = atomic_load_explicit(&objects->spans, memory_order_acquire);
    for (uint32_t id = 0; id < count; id++) {
        struct publisher_span *span = publisher_span_at(objects, id);
        if (span->frames != NULL)
            pthread_mutex_destroy(&span->frames->lock);
        free(span->frames);
        free(span->thread);
    }
}

static void free_runners(struct publisher_objects *objects)
{
    uint32_t count = atomic_load_explicit(&objects->runners, memory_order_acquire);
    for (uint32_t i = 0; i < count; i++) {
        struct publisher_runner *runner = objects->runner[i];
        for (uint32_t at = 0; at < PUBLISHER_RUNS_MAX / PUBLISHER_RUN_CHUNK; at++)
            free(runner->chunk[at]);
        free(runner->ended);
        pthread_mutex_destroy(&runner->lock);
        free(runner);
    }
}

void publisher_objects_release(struct publisher_objects *objects)
{
    if (objects == NULL ||
        atomic_fetch_sub_explicit(&objects->references, 1, memory_order_acq_rel) != 1)
        return;
    free_spans(objects);
    free_runners(objects);
    for (uint32_t at = 0; at < PUBLISHER_OBJECT_CHUNKS; at++) {
        free(objects->counter[at]);
        free(objects->span[at]);
    }
    for (uint32_t i = 0; i < objects->scopes; i++)
        free(objects->scope[i]);
    for (uint32_t i = 0; i < objects->domains; i++)
        free(objects->domain[i]);
    publisher_index_release(&objects->index);
    free(objects->domain);
    free(objects->scope);
    free(objects->mark);
    free(objects);
}

struct publisher_counter *publisher_counter_at(struct publisher_objects *objects, uint32_t id)
{
    if (id >= atomic_load_explicit(&objects->counters, memory_order_acquire))
        return NULL;
    struct publisher_counter *chunk =
        atomic_load_explicit(&objects->counter[id / PUBLISHER_OBJECT_CHUNK], memory_order_acquire);
    return &chunk[id % PUBLISHER_OBJECT_CHUNK];
}

struct publisher_span *publisher_span_at(struct publisher_objects *objects, uint32_t id)
{
    if (id >= atomic_load_explicit(&objects->spans, memory_order_acquire))
        return NULL;
    struct publisher_span *chunk =
        atomic_load_explicit(&objects->span[id / PUBLISHER_OBJECT_CHUNK], memory_order_acquire);
    return &chunk[id % PUBLISHER_OBJECT_CHUNK];
}

/* The first update needs no special case: `min` holds the complement of the smallest order, so both
 * extremes start at 0 and only rise. */
void publisher_counter_count(struct publisher_counter *counter, double value, uint64_t order)
{
    struct publisher_counter_side *side =
        &counter->side[atomic_load_explicit(&counter->now, memory_order_acquire)];
    publisher_raise(&counter->min, ~order);
    publisher_raise(&counter->max, order);
    const double units = value / PUBLISHER_SUM_UNIT;
    uint64_t was = atomic_load_explicit(&side->sum, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&side->sum, &was,
                                                  publisher_bits(publisher_double(was) + units),
                                                  memory_order_acq_rel, memory_order_relaxed))
        continue;
    atomic_fetch_add_explicit(&side->updates, 1, memory_order_acq_rel);
}

void publisher_thread_objects_free(struct publisher_thread_objects *own)
{
    if (own == NULL)
        return;
    publisher_objects_release(own->objects);
    publisher_unmap(own, sizeof *own);
}

/* --------------------------------------------------------------------------------- definitions */

/* Looks for a key. Returns true if it exists (`*id` is its id) or cannot be made (`*id` is
 * PROFTOP_NONE, counted as lost). Returns false if the caller is to make it. */
static bool settled(struct publisher_core *core, const struct publisher_object_key *key,
                    uint32_t *id)
{
    struct publisher_objects *objects = publisher_objects_of(core);
    *id = objects == NULL ? PROFTOP_NONE : find(&objects->index, key);
    if (*id != PROFTOP_NONE)
        return true;
    if (objects != NULL && publisher_index_reserve(&objects->index))
        return false;
    publisher_count_lost(core, PUBLISHER_LOST_OBJECTS);
    return true;
}

/* Copies the texts of a key into the definitions table. */
static bool copy_texts(struct publisher_core *core, const struct publisher_object_key *key,
                       struct wire_text text[PUBLISHER_KEY_TEXTS])
{
    return publisher_definitions_text(&core->definitions, key->domain, &text[0]) &&
           publisher_definitions_text(&core->definitions, key->name, &text[1]) &&
           publisher_definitions_text(&core->definitions, key->scope, &text[2]);
}

/* Returns memory for row `id`, or NULL if out of memory. Chunks never move. */
static void *value_row(_Atomic(void *) *chunk, uint32_t id, size_t size)
{
    void *rows = atomic_load_explicit(&chunk[id / PUBLISHER_OBJECT_CHUNK], memory_order_relaxed);
    if (rows == NULL) {
        rows = calloc(PUBLISHER_OBJECT_CHUNK, size);
        atomic_store_explicit(&chunk[id / PUBLISHER_OBJECT_CHUNK], rows, memory_order_release);
    }
    return rows == NULL ? NULL : (char *)rows + id % PUBLISHER_OBJECT_CHUNK * size;
}

/* Joins four texts into one, for reports. */
static bool join(struct publisher_core *core, const char *const part[4], struct wire_text *joined)
{
    char *text = NULL;
    if (asprintf(&text, "%s%s%s%s", part[0], part[1], part[2], part[3]) < 0)
        return false;
    bool copied = publisher_definitions_text(&core->definitions, text, joined);
    free(text);
    return copied;
}

/* Makes the name in reports: "Memory: gpu/0", and the pool if it has a name. */
static bool join_memory(struct publisher_core *core, const struct publisher_object_key *key,
                        struct wire_text *joined)
{
    bool named = key->name != NULL && key->name[0] != 0;
    return join(core,
                (const char *[]){"Memory: ", key->domain, named ? " " : "", named ? key->name : ""},
                joined);
}

/* Makes the category in reports: the domain, for frames "domain,frame". */
static bool join_category(struct publisher_core *core, const struct publisher_object_key *key,
                          struct wire_text *joined)
{
    const char *frame = key->kind == PUBLISHER_FRAME ? ",frame" : "";
    return join(core, (const char *[]){key->domain, frame, "", ""}, joined);
}

static struct publisher_counter *new_counter(struct publisher_objects *objects,
                                             enum publisher_object_kind kind)
{
    struct publisher_counter *counter =
        value_row(objects->counter, objects->counters, sizeof *counter);
    if (counter == NULL)
        return NULL;
    memset(counter, 0, sizeof *counter);
    counter->kind = (uint8_t)kind;
    return counter;
}

uint32_t publisher_define_counter(struct publisher_core *core,
                                  const struct publisher_object_key *key, const char *unit)
{
    struct wire_text text[PUBLISHER_KEY_TEXTS], unit_text;
    uint32_t id, pool = PROFTOP_NONE;
    bool scoped = key->scope != NULL && key->scope[0] != 0;
    if (key->kind == PUBLISHER_MEMORY && scoped) {
        const struct publisher_object_key whole = {PUBLISHER_MEMORY, key->domain, key->name, NULL};
        pool = publisher_define_counter(core, &whole, unit);
        if (pool == PROFTOP_NONE)
            return PROFTOP_NONE;
    }
    if (settled(core, key, &id))
        return id;
    struct publisher_counter_row *row =
        publisher_definitions_add(&core->definitions, PUBLISHER_DEF_COUNTER);
    struct publisher_counter *counter = row == NULL ? NULL : new_counter(core->objects, key->kind);
    bool memory = key->kind == PUBLISHER_MEMORY;
    if (counter == NULL || !copy_texts(core, key, text) ||
        !publisher_definitions_text(&core->definitions, unit, &unit_text) ||
        (memory && !join_memory(core, key, &row->report)))
        return publisher_count_lost(core, PUBLISHER_LOST_OBJECTS);
    counter->pool_plus_1 = pool + 1; /* PROFTOP_NONE becomes 0 */
    row->domain = text[0];
    row->name = text[1];
    row->scope = text[2];
    row->unit = unit_text;
    row->kind = (uint32_t)key->kind;
    atomic_fetch_add_explicit(&core->objects->counters, 1, memory_order_release);
    id = publisher_definitions_commit(&core->definitions, PUBLISHER_DEF_COUNTER);
    publisher_index_add(&core->objects->index, key->kind, text, id);
    return id;
}

/* Makes the values of a span. Returns NULL if out of memory. */
static struct publisher_span *new_span(struct publisher_objects *objects,
                                       enum publisher_object_kind kind)
{
    struct publisher_span *span = value_row(objects->span, objects->spans, sizeof *span);
    if (span == NULL)
        return NULL;
    memset(span, 0, sizeof *span);
    span->kind = (uint8_t)kind;
    atomic_store_explicit(&span->min, PROFTOP_UNKNOWN, memory_order_relaxed);
    atomic_store_explicit(&span->first, PROFTOP_UNKNOWN, memory_order_relaxed);
    span->thread = calloc(PUBLISHER_SPAN_THREADS + 1, sizeof *span->thread);
    span->frames = kind == PUBLISHER_FRAME ? calloc(1, sizeof *span->frames) : NULL;
    if (span->thread == NULL || (kind == PUBLISHER_FRAME && span->frames == NULL)) {
        free(span->thread);
        free(span->frames);
        return NULL;
    }
    if (span->frames != NULL)
        pthread_mutex_init(&span->frames->lock, NULL);
    return span;
}

uint32_t publisher_define_span(struct publisher_core *core, const struct publisher_object_key *key)
{
    struct wire_text text[PUBLISHER_KEY_TEXTS], category;
    uint32_t id;
    if (settled(core, key, &id))
        return id;
    struct publisher_span_row *row =
        publisher_definitions_add(&core->definitions, PUBLISHER_DEF_SPAN);
    if (row == NULL || !copy_texts(core, key, text) || !join_category(core, key, &category) ||
        new_span(core->objects, key->kind) == NULL)
        return publisher_count_lost(core, PUBLISHER_LOST_OBJECTS);
    row->domain = text[0];
    row->name = text[1];
    row->category = category;
    row->kind = (uint32_t)key->kind - PUBLISHER_TASK;
    atomic_fetch_add_explicit(&core->objects->spans, 1, memory_order_release);
    id = publisher_definitions_commit(&core->definitions, PUBLISHER_DEF_SPAN);
    publisher_index_add(&core->objects->index, key->kind, text, id);
    return id;
}

uint32_t publisher_define_marker(struct publisher_core *core,
                                 const struct publisher_object_key *key)
{
    struct wire_text text[PUBLISHER_KEY_TEXTS];
    uint32_t id;
    if (settled(core, key, &id))
        return id;
    struct publisher_objects *objects = core->objects;
    if (objects->mark == NULL)
        objects->mark = calloc(PUBLISHER_MARKS, sizeof *objects->mark);
    struct publisher_marker_row *row =
        objects->mark == NULL ? NULL
                              : publisher_definitions_add(&core->definitions, PUBLISHER_DEF_MARKER);
    if (row == NULL || !copy_texts(core, key, text))
        return publisher_count_lost(core, PUBLISHER_LOST_OBJECTS);
    row->domain = text[0];
    row->name = text[1];
    id = publisher_definitions_commit(&core->definitions, PUBLISHER_DEF_MARKER);
    publisher_index_add(&objects->index, key->kind, text, id);
    return id;
}

/* A list of names that calls may return: they end with a NUL, and live as long as the objects. */
struct names {
    char ***name;
    uint32_t *count, *capacity;
};

static bool names_room(const struct names *names)
{
    if (*names->count < *names->capacity)
        return true;
    uint32_t capacity = *names->capacity == 0 ? 16 : *names->capacity * 2;
    char **grown =
        capacity > WIRE_OTHERS_MAX ? NULL : realloc(*names->name, capacity * sizeof *grown);
    if (grown == NULL)
        return false;
    *names->name = grown;
    *names->capacity = capacity;
    return true;
}

/* Finds or adds a name of this kind. The feed must have objects. */
static uint32_t define_name(struct publisher_core *core, enum publisher_object_kind kind,
                            const char *name, const struct names *names)
{
    const struct publisher_object_key key = {.kind = kind, .name = name};
    uint32_t id;
    if (settled(core, &key, &id))
        return id;
    char *copy = names_room(names) ? strndup(name, publisher_text_cut(name, WIRE_TEXT_MAX)) : NULL;
    if (copy == NULL)
        return publisher_count_lost(core, PUBLISHER_LOST_OBJECTS);
    const struct wire_text text[PUBLISHER_KEY_TEXTS] = {
        publisher_key_text(NULL), publisher_key_text(copy), publisher_key_text(NULL)};
    id = (*names->count)++;
    (*names->name)[id] = copy;
    publisher_index_add(&core->objects->index, kind, text, id);
    return id;
}

uint32_t publisher_define_scope(struct publisher_core *core, const char *full)
{
    struct publisher_objects *o = publisher_objects_of(core);
    if (o == NULL)
        return publisher_count_lost(core, PUBLISHER_LOST_OBJECTS);
    return define_name(core, PUBLISHER_SCOPE, full,
                       &(struct names){&o->scope, &o->scopes, &o->scope_capacity});
}

uint32_t publisher_define_domain(struct publisher_core *core, const char *name)
{
    if (name == NULL || name[0] == 0)
        return publisher_count_misuse(core);
    struct publisher_objects *o = publisher_objects_of(core);
    if (o == NULL)
        return publisher_count_lost(core, PUBLISHER_LOST_OBJECTS);
    return define_name(core, PUBLISHER_DOMAIN, name,
                       &(struct names){&o->domain, &o->domains, &o->domain_capacity});
}

const char *publisher_domain_name(struct publisher_core *core, uint32_t domain)
{
    if (core->objects != NULL && domain < core->objects->domains)
        return core->objects->domain[domain];
    publisher_count_misuse(core);
    return NULL;
}

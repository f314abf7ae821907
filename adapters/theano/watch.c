/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * watch.c: finds the graph of a VM by the VM's address, without keeping the VM alive.
 *
 * An address is a safe key: a weak reference removes its entry before the object is freed. */
#include <stdlib.h>

#include "adapters/theano/theano.h"

/* Open addressing; at most half full; the size is a power of two. */
struct table {
    struct watch *places;
    size_t size;
    size_t used;
};

/* Global, because the interpreter's hooks pass only the object. The GIL guards it. */
static struct table watched;

static size_t place_of(const PyObject *object)
{
    uint64_t hash = (uint64_t)(uintptr_t)object * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(hash >> 32) & (watched.size - 1);
}

static struct watch *lookup(const PyObject *object)
{
    if (!watched.size)
        return NULL;
    for (size_t i = place_of(object);; i = (i + 1) & (watched.size - 1)) {
        if (watched.places[i].object == object)
            return &watched.places[i];
        if (!watched.places[i].object)
            return NULL;
    }
}

static void insert(struct watch entry)
{
    size_t i = place_of(entry.object);
    while (watched.places[i].object)
        i = (i + 1) & (watched.size - 1);
    watched.places[i] = entry;
    watched.used++;
}

/* Makes space for one more entry. Returns -1 with an exception if out of memory. */
static int grow(void)
{
    if (watched.size && watched.used + 1 <= watched.size / 2)
        return 0;
    struct table old = watched;
    size_t size = old.size ? old.size * 2 : 64;
    struct watch *places = calloc(size, sizeof *places);
    if (!places) {
        PyErr_NoMemory();
        return -1;
    }
    watched = (struct table){places, size, 0};
    for (size_t i = 0; i < old.size; i++)
        if (old.places[i].object)
            insert(old.places[i]);
    free(old.places);
    return 0;
}

/* Empties a slot and closes the gap, so that no search ends too early. */
static void empty(struct watch *entry)
{
    size_t mask = watched.size - 1;
    size_t hole = (size_t)(entry - watched.places);
    for (size_t i = (hole + 1) & mask; watched.places[i].object; i = (i + 1) & mask) {
        size_t home = place_of(watched.places[i].object);
        if (((i - home) & mask) >= ((i - hole) & mask)) {
            watched.places[hole] = watched.places[i];
            hole = i;
        }
    }
    watched.places[hole] = (struct watch){0};
    watched.used--;
}

struct graph *watch_find(const PyObject *object)
{
    const struct watch *found = lookup(object);
    return found ? found->graph : NULL;
}

int watch_insert(struct watch entry)
{
    if (grow() < 0)
        return -1;
    insert(entry);
    return 0;
}

int watch_take(const PyObject *object, struct watch *taken)
{
    struct watch *found = object ? lookup(object) : NULL;
    if (!found)
        return 0;
    *taken = *found;
    empty(found);
    return 1;
}

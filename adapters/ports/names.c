/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * names.c: texts, domains and categories. Readers take no lock: tables only grow. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/ports/names.h"

enum { BUCKETS = 4096, LONGEST = 4096 };

static struct entry {
    struct port_text shown; /* first: the program has its address */
    struct entry *after;
    uint64_t hash;
} other = {.shown = {.text = "(other)"}};

static _Atomic(struct entry *) texts[BUCKETS];
static _Atomic unsigned n_texts;

static struct group {
    char name[NESTED_NAME + 1];
    _Atomic unsigned domain; /* group of its domain */
} groups[PORT_GROUPS + 1] = {[PORT_GROUPS] = {.name = "(other)", .domain = PORT_GROUPS}};
static _Atomic unsigned n_groups;
static pthread_mutex_t groups_lock = PTHREAD_MUTEX_INITIALIZER;

/* ---------------------------------------------------------------------------------------- texts */

static uint64_t hash_of(const char *text, size_t size)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
    return hash ^ hash >> 29;
}

static struct entry *find(const char *text, size_t size, uint64_t hash)
{
    struct entry *entry = atomic_load_explicit(&texts[hash % BUCKETS], memory_order_acquire);
    while (entry && !(entry->hash == hash && strncmp(entry->shown.text, text, size) == 0 &&
                      entry->shown.text[size] == '\0'))
        entry = entry->after;
    return entry;
}

/* Two threads that add the same text at once may both succeed: then it has two addresses, and still
 * one row. */
static struct entry *add(const char *text, size_t size, uint64_t hash)
{
    if (atomic_fetch_add(&n_texts, 1) >= PORT_TEXTS) {
        atomic_fetch_sub(&n_texts, 1);
        return NULL;
    }
    struct entry *entry = calloc(1, sizeof *entry);
    if (!entry || !(entry->shown.text = strndup(text, size))) {
        free(entry);
        return NULL;
    }
    _Atomic(struct entry *) *bucket = &texts[hash % BUCKETS];
    entry->hash = hash;
    entry->after = atomic_load(bucket);
    while (!atomic_compare_exchange_weak(bucket, &entry->after, entry))
        ;
    return entry;
}

struct port_text *port_text(const char *text)
{
    char name[NESTED_NAME + 1], folded[NESTED_NAME + 1];
    size_t size = strnlen(text, LONGEST);
    uint64_t hash = hash_of(text, size);
    struct entry *entry = find(text, size, hash);
    if (!entry && atomic_load(&n_texts) >= PORT_TEXTS / 2) {
        snprintf(name, sizeof name, "%s", text);
        nested_fold(name, folded);
        text = folded;
        size = strlen(folded);
        hash = hash_of(text, size);
        entry = find(text, size, hash);
    }
    if (!entry)
        entry = add(text, size, hash);
    return entry ? &entry->shown : &other.shown;
}

const char *port_narrow(const wchar_t *wide, char out[NESTED_NAME + 1])
{
    size_t size = 0;
    for (; *wide && size + 4 <= NESTED_NAME; wide++) {
        const uint32_t c = (uint32_t)*wide > 0x10ffff ? 0xfffd : (uint32_t)*wide;
        if (c < 0x80) {
            out[size++] = (char)c;
            continue;
        }
        const int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
        out[size++] = (char)((0xffu << (7 - more) & 0xff) | c >> 6 * more);
        for (int i = more - 1; i >= 0; i--)
            out[size++] = (char)(0x80 | (c >> 6 * i & 0x3f));
    }
    out[size] = '\0';
    return out;
}

/* --------------------------------------------------------------------------------------- groups */

static unsigned find_group(const char *name)
{
    const unsigned count = atomic_load_explicit(&n_groups, memory_order_acquire);
    unsigned group = 0;
    while (group < count && strcmp(groups[group].name, name) != 0)
        group++;
    return group < count ? group : PORT_GROUPS;
}

static unsigned add_group(const char *name, unsigned domain)
{
    const unsigned group = atomic_load(&n_groups);
    if (group == PORT_GROUPS)
        return PORT_GROUPS;
    snprintf(groups[group].name, sizeof groups[group].name, "%s", name);
    atomic_store(&groups[group].domain, domain == PORT_GROUPS ? group : domain);
    atomic_store_explicit(&n_groups, group + 1, memory_order_release);
    return group;
}

void port_names_begin(const char *domain)
{
    pthread_mutex_lock(&groups_lock);
    if (atomic_load(&n_groups) == 0)
        add_group(domain, PORT_GROUPS);
    pthread_mutex_unlock(&groups_lock);
}

static unsigned group_of(const char *name, unsigned domain)
{
    unsigned group = find_group(name);
    if (group != PORT_GROUPS)
        return group;
    pthread_mutex_lock(&groups_lock);
    group = find_group(name);
    if (group == PORT_GROUPS)
        group = add_group(name, domain);
    pthread_mutex_unlock(&groups_lock);
    return group;
}

unsigned port_group(const char *domain, const char *category)
{
    char name[NESTED_NAME + 1];
    snprintf(name, sizeof name, "%s", domain && *domain ? domain : groups[0].name);
    const unsigned of = group_of(name, PORT_GROUPS);
    if (!category || !*category || of == PORT_GROUPS)
        return of;
    const int fits = snprintf(name, sizeof name, "%.120s/%.120s", groups[of].name, category);
    return fits > 0 ? group_of(name, of) : of;
}

const char *port_group_name(unsigned group)
{
    return groups[group <= PORT_GROUPS ? group : PORT_GROUPS].name;
}

void port_names_lock(void)
{
    pthread_mutex_lock(&groups_lock);
}

void port_names_unlock(void)
{
    pthread_mutex_unlock(&groups_lock);
}

const void *port_group_key(unsigned group)
{
    return &groups[atomic_load_explicit(&groups[group].domain, memory_order_relaxed)];
}

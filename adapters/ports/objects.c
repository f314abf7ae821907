/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * objects.c: markers, counters and spans of the ports, and the spans that are open. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/ports/names.h"
#include "adapters/ports/objects.h"
#include "adapters/ports/port.h"
#include "proftop_objects.h"

enum {
    BUCKETS = 1024,
    ALL = PORT_OBJECTS * PORT_KINDS,
    FAMILY = PORT_KINDS, /* added to the kind of an entry that only counts alike names */
};

struct port_object {
    struct port_object *next;
    char *name;
    unsigned kind, group;
    unsigned alike;   /* of a family: its names that have objects of their own */
    unsigned defined; /* generation of `id` */
    proftop_id id;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all below */
static struct port_object objects[ALL], families[ALL];
static unsigned n_objects, n_families, n_of_kind[PORT_KINDS];
static struct port_object *table[BUCKETS];

static struct run {
    struct run *next;          /* of the same bucket, or of free_runs */
    struct run *older, *newer; /* all that are open, by their begins */
    struct port_key key;
    struct proftop_run run;
} runs[PORT_RUNS];
static struct run *open_runs[BUCKETS], *free_runs, *oldest, *newest;
static unsigned runs_used;
static _Atomic uint64_t lost, orphans;

/* -------------------------------------------------------------------------------------- objects */

static struct port_object **bucket_of(unsigned kind, unsigned group, const char *name)
{
    uint64_t hash = 0xcbf29ce484222325u ^ (kind << 8 | group);
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
    return &table[(hash ^ hash >> 29) % BUCKETS];
}

static struct port_object *find(unsigned kind, unsigned group, const char *name)
{
    struct port_object *object = *bucket_of(kind, group, name);
    while (object &&
           !(object->kind == kind && object->group == group && strcmp(object->name, name) == 0))
        object = object->next;
    return object;
}

static struct port_object *add(struct port_object *object, unsigned kind, unsigned group,
                               const char *name)
{
    struct port_object **bucket = bucket_of(kind, group, name);
    char *copy = strdup(name);
    if (!copy)
        return NULL;
    *object = (struct port_object){
        .next = *bucket, .name = copy, .kind = kind, .group = group, .id = PROFTOP_NONE};
    return *bucket = object;
}

/* The names that equal this one but for digits; NULL: none, or too many such families. */
static struct port_object *family_of(unsigned kind, unsigned group, const char *folded)
{
    struct port_object *family = find(kind + FAMILY, group, folded);
    if (family || n_families == ALL)
        return family;
    family = add(&families[n_families], kind + FAMILY, group, folded);
    n_families += family != NULL;
    return family;
}

static struct port_object *add_object(enum port_kind kind, unsigned group, const char *name)
{
    if (n_of_kind[kind] == PORT_OBJECTS)
        return NULL;
    struct port_object *object = add(&objects[n_objects], kind, group, name);
    n_objects += object != NULL;
    n_of_kind[kind] += object != NULL;
    return object;
}

/* The last place of a kind is for this one. */
static struct port_object *other_object(enum port_kind kind)
{
    struct port_object *object = find(kind, PORT_GROUPS, "(other)");
    return object ? object : add_object(kind, PORT_GROUPS, "(other)");
}

/* The lock is held. */
static struct port_object *make(enum port_kind kind, unsigned group, const char *name)
{
    char folded[NESTED_NAME + 1];
    struct port_object *family = nested_fold(name, folded) ? family_of(kind, group, folded) : NULL;
    if (family && family->alike >= NESTED_ALIKE) {
        struct port_object *object = find(kind, group, folded);
        if (object)
            return object;
        name = folded;
    }
    if (n_of_kind[kind] >= PORT_OBJECTS - 1)
        return kind == PORT_COUNTER || kind == PORT_COUNTER_F64 ? NULL : other_object(kind);
    if (family)
        family->alike++;
    return add_object(kind, group, name);
}

struct port_object *port_object(enum port_kind kind, unsigned group, const char *name)
{
    char cut[NESTED_NAME + 1];
    snprintf(cut, sizeof cut, "%s", name);
    pthread_mutex_lock(&lock);
    struct port_object *object = find(kind, group, cut);
    if (!object)
        object = make(kind, group, cut);
    pthread_mutex_unlock(&lock);
    return object;
}

unsigned port_object_number(const struct port_object *object)
{
    return (unsigned)(object - objects);
}

struct port_object *port_object_at(unsigned number)
{
    pthread_mutex_lock(&lock);
    struct port_object *object = number < n_objects ? &objects[number] : NULL;
    pthread_mutex_unlock(&lock);
    return object;
}

static proftop_id define_given(struct proftop *feed, const struct port_object *object)
{
    const struct proftop_function_info function = {
        .size = sizeof function, .name = "submitted frames", .source = PROFTOP_ABSENT};
    const struct proftop_apply_info apply = {
        .size = sizeof apply,
        .function = proftop_function(feed, &function),
        .op = proftop_op(feed, proftop_class(feed, port_group_name(object->group)), object->name),
        .source = PROFTOP_GIVEN,
        .kind = PROFTOP_IMPERATIVE};
    return proftop_apply(feed, &apply);
}

static proftop_id define(struct proftop *feed, const struct port_object *object)
{
    const char *name = object->name;
    if (object->kind == PORT_EVENT)
        return proftop_event(feed, name);
    if (object->kind == PORT_GIVEN)
        return define_given(feed, object);
    const proftop_id domain = proftop_domain(feed, port_group_name(object->group));
    switch (object->kind) {
    case PORT_TASK:
        return proftop_task(feed, domain, name);
    case PORT_FRAME:
        return proftop_frame(feed, domain, name);
    case PORT_MARKER:
        return proftop_marker(feed, domain, name);
    case PORT_COUNTER:
        return proftop_counter(feed, domain, name, NULL);
    default:
        return proftop_counter_f64(feed, domain, name, NULL);
    }
}

/* The id of an object in this feed. A forked child inherits applies, and no other objects. */
static proftop_id id_of(struct proftop *feed, struct port_object *object)
{
    pthread_mutex_lock(&lock);
    const unsigned now = object->kind == PORT_GIVEN ? port_feeds() : port_generation();
    if (object->defined != now) {
        object->id = define(feed, object);
        object->defined = now;
    }
    const proftop_id id = object->id;
    pthread_mutex_unlock(&lock);
    return id;
}

void port_mark(struct port_object *object, const char *scope)
{
    struct proftop *feed = object ? port_feed() : NULL;
    if (feed)
        proftop_mark(feed, id_of(feed, object), scope);
}

void port_count(struct port_object *object, int64_t delta)
{
    struct proftop *feed = object ? port_feed() : NULL;
    if (feed && object->kind == PORT_COUNTER)
        proftop_counter_add(feed, id_of(feed, object), delta);
    else if (feed)
        proftop_counter_add_f64(feed, id_of(feed, object), (double)delta);
}

void port_set(struct port_object *object, int64_t value)
{
    struct proftop *feed = object ? port_feed() : NULL;
    if (feed)
        proftop_counter_set(feed, id_of(feed, object), value);
}

void port_set_f64(struct port_object *object, double value)
{
    struct proftop *feed = object ? port_feed() : NULL;
    if (feed)
        proftop_counter_set_f64(feed, id_of(feed, object), value);
}

void port_give(struct port_object *object, uint64_t ns)
{
    struct proftop *feed = object ? port_feed() : NULL;
    if (feed)
        proftop_record(feed, id_of(feed, object), ns);
}

/* ----------------------------------------------------------------------------------- open spans */

static struct run **place_of(const struct port_key *key)
{
    uint64_t hash = key->kind;
    for (int i = 0; i < 3; i++)
        hash = (hash ^ key->part[i]) * 0x9e3779b97f4a7c15u;
    return &open_runs[(hash ^ hash >> 29) % BUCKETS];
}

/* Where the run of this key that began last is linked. The lock is held. */
static struct run **find_run(const struct port_key *key)
{
    struct run **at = place_of(key);
    while (*at && !((*at)->key.kind == key->kind &&
                    memcmp((*at)->key.part, key->part, sizeof key->part) == 0))
        at = &(*at)->next;
    return at;
}

/* Closes the run that is linked there. */
static struct run *unlink_run(struct run **at)
{
    struct run *run = *at;
    *at = run->next;
    *(run->older ? &run->older->newer : &oldest) = run->newer;
    *(run->newer ? &run->newer->older : &newest) = run->older;
    return run;
}

static void link_run(struct run *run)
{
    struct run **place = place_of(&run->key);
    run->next = *place;
    *place = run;
    run->older = newest;
    run->newer = NULL;
    *(newest ? &newest->newer : &oldest) = run;
    newest = run;
}

/* A run that is not open. If all are, the oldest one is dropped: its end may never come. */
static struct run *take_run(struct proftop *feed)
{
    struct run *run = free_runs;
    if (run) {
        free_runs = run->next;
        return run;
    }
    if (runs_used < PORT_RUNS)
        return &runs[runs_used++];
    struct run **at = place_of(&oldest->key);
    while (*at != oldest)
        at = &(*at)->next;
    run = unlink_run(at);
    proftop_run_drop(feed, run->run);
    atomic_fetch_add(&lost, 1);
    return run;
}

static struct proftop_run start(struct proftop *feed, const struct port_object *object,
                                proftop_id id)
{
    return object->kind == PORT_TASK    ? proftop_task_start(feed, id)
           : object->kind == PORT_FRAME ? proftop_frame_start(feed, id)
                                        : proftop_event_start(feed, id);
}

static void stop(struct proftop *feed, enum port_kind kind, struct proftop_run run)
{
    if (kind == PORT_TASK)
        proftop_task_stop(feed, run);
    else if (kind == PORT_FRAME)
        proftop_frame_stop(feed, run);
    else
        proftop_event_stop(feed, run);
}

void port_run_begin(const struct port_key *key, struct port_object *object, int once)
{
    struct proftop *feed = object ? port_feed() : NULL;
    if (!feed)
        return;
    const proftop_id id = id_of(feed, object);
    pthread_mutex_lock(&lock);
    if (!once || !*find_run(key)) {
        struct run *run = take_run(feed);
        run->key = *key;
        run->run = start(feed, object, id);
        link_run(run);
    }
    pthread_mutex_unlock(&lock);
}

void port_run_end(const struct port_key *key)
{
    struct proftop *feed = port_feed_here();
    pthread_mutex_lock(&lock);
    struct run **at = find_run(key);
    if (*at) {
        struct run *run = unlink_run(at);
        run->next = free_runs;
        free_runs = run;
        stop(feed, key->kind, run->run);
    } else {
        atomic_fetch_add(&orphans, 1);
    }
    pthread_mutex_unlock(&lock);
}

void port_objects_publish(struct proftop *feed)
{
    static const char *const names[] = {"ends without a begin", "begins without an end",
                                        "ranges nested too deep", "spans without an end"};
    const struct nested_stats nested = nested_stats();
    const uint64_t values[] = {nested.orphans + atomic_load(&orphans), nested.dropped,
                               nested.skipped, atomic_load(&lost)};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++)
        if (values[i] != 0) {
            const proftop_id domain = proftop_domain(feed, "proftop");
            proftop_counter_set(feed, proftop_counter(feed, domain, names[i], NULL),
                                (int64_t)values[i]);
        }
}

/* ---------------------------------------------------------------------------------------- forks */

void port_objects_lock(void)
{
    pthread_mutex_lock(&lock);
}

void port_objects_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

static void before_fork(void)
{
    port_names_lock();
    port_objects_lock();
}

static void after_fork(void)
{
    port_objects_unlock();
    port_names_unlock();
}

/* Spans that are open end in the parent. */
static void in_child(void)
{
    memset(open_runs, 0, sizeof open_runs);
    free_runs = oldest = newest = NULL;
    runs_used = 0;
    after_fork();
}

void port_objects_watch_forks(void)
{
    pthread_atfork(before_fork, after_fork, in_child);
}

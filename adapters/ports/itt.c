/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * itt.c: a collector of ITT. A program that speaks ITT has a static part of ITT inside. With its
 * first call that part loads the library which INTEL_LIBITTNOTIFY64 names, and passes it a list of
 * its function pointers: __itt_api_init() below.
 *
 * The layouts and names are as in Intel's public headers: ittnotify.h, ittnotify_config.h and
 * ittnotify_static.h of the repository intel/ittapi, 2010 to 2026. No header of theirs is used. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "adapters/ports/names.h"
#include "adapters/ports/objects.h"
#include "adapters/ports/port.h"

#define SHOWN __attribute__((visibility("default")))

static struct nested_about describe(unsigned kind, const char *name);

static const struct port port = {.framework = "ITT",
                                 .route =
                                     "tasks of ITT, by the library that INTEL_LIBITTNOTIFY64 names",
                                 .describe = describe,
                                 .opened = port_objects_watch_forks,
                                 .publish = port_objects_publish};

/* --------------------------------------------------------------------------------- ITT's
 * structures
 *
 * The static part may have made some of these before it loaded us. So they are told by their names,
 * and the members that ITT leaves to a collector hold only what can be found again. */

/* __itt_domain. `extra1`: ours, the group plus 1. */
struct domain {
    volatile int flags; /* 0: the program has turned the domain off, and calls nothing */
    const char *name;
    void *wide;
    _Atomic int extra1;
    void *extra2;
    struct domain *next;
};

struct id {
    unsigned long long part[3];
};

/* __itt_counter_info. */
struct counter {
    const char *name;
    void *wide;
    const char *domain;
    void *wide_domain;
    int type; /* enum value */
    long index;
    int extra1;
    void *extra2; /* of those made here: struct port_object */
    struct counter *next;
};

/* __itt_metadata_type */
enum value { UNKNOWN, U64, S64, U32, S32, U16, S16, FLOAT, DOUBLE };

/* __itt_api_info: what to fill in, and for functions without use. */
struct entry {
    const char *name;
    void **to;
    void *first, *nothing;
    unsigned group;
};

/* The front of __itt_global. */
struct global {
    unsigned char magic[8];
    unsigned long major, minor, build;
    volatile long begun, locked, counted;
    pthread_mutex_t lock;
    void *library, *error;
    const char **paths;
    struct entry *entries;
};
static const unsigned char magic[8] = {0xed, 0xab, 0xab, 0xec, 0x0d, 0xee, 0xda, 0x30};
enum { OLD_BUILD = 20101001 }; /* builds until then have entries of another layout */

static const char no_name[] = "(no name)";

/* --------------------------------------------------------------------------------------- domains
 */

static struct domain domains[PORT_GROUPS + 1] = {[0 ... PORT_GROUPS] = {.flags = 1}};

static struct domain *domain_create(const char *name)
{
    if (!name)
        return NULL;
    const unsigned group = port_group(name, NULL);
    struct domain *domain = &domains[group];
    domain->name = port_group_name(group);
    atomic_store(&domain->extra1, (int)group + 1);
    return domain;
}

static __attribute__((noinline, cold)) unsigned find_group(struct domain *domain)
{
    const unsigned group = port_group(domain->name, NULL);
    atomic_store_explicit(&domain->extra1, (int)group + 1, memory_order_relaxed);
    return group;
}

static inline unsigned group_of(struct domain *domain)
{
    const int known = domain ? atomic_load_explicit(&domain->extra1, memory_order_relaxed) : 1;
    return known > 0 && known <= PORT_GROUPS + 1 ? (unsigned)known - 1 : find_group(domain);
}

static struct port_text *string_handle_create(const char *text)
{
    return text ? port_text(text) : NULL;
}

static inline const char *text_of(const struct port_text *name)
{
    return name && name->text ? name->text : no_name;
}

static struct nested_about describe(unsigned kind, const char *name)
{
    struct nested_about about = {.op_class = port_group_name(kind), .waits = PROFTOP_WORKS};
    (void)name;
    /* emit_itt() of PyTorch repeats the ops that proftop's adapter counts, and oneDNN inside of
     * PyTorch and MXNet tells parts of them. */
    if (port_has_adapter())
        about.waits = PROFTOP_ASIDE;
    return about;
}

/* ----------------------------------------------------------------------------------------- tasks
 */

static void task_begin(struct domain *domain, struct id task, struct id parent,
                       const struct port_text *name)
{
    const unsigned group = group_of(domain);
    (void)task, (void)parent;
    if (port_feed())
        nested_begin(group, text_of(name), port_group_key(group));
}

/* Names of functions, by address. The first address of a place keeps the place; the names of others
 * are looked up each time. */
enum { FUNCTIONS = 1024 };
static struct function {
    _Atomic(void *) at;
    _Atomic(const char *) name;
} functions[FUNCTIONS];

static const char *function_name(void *at)
{
    struct function *known = &functions[(uintptr_t)at / 16 % FUNCTIONS];
    const char *name = atomic_load(&known->at) == at ? atomic_load(&known->name) : NULL;
    if (name)
        return name;
    void *nobody = NULL;
    char text[32];
    Dl_info info;
    snprintf(text, sizeof text, "%p", at);
    name = port_text(dladdr(at, &info) && info.dli_saddr == at && info.dli_sname ? info.dli_sname
                                                                                 : text)
               ->text;
    if (atomic_compare_exchange_strong(&known->at, &nobody, at))
        atomic_store(&known->name, name);
    return name;
}

static void task_begin_fn(struct domain *domain, struct id task, struct id parent, void *function)
{
    const unsigned group = group_of(domain);
    (void)task, (void)parent;
    if (port_feed())
        nested_begin(group, function_name(function), port_group_key(group));
}

static void task_end(struct domain *domain)
{
    nested_end_inner(port_group_key(group_of(domain)));
}

/* Tasks and regions with an id: they may overlap, and end on another thread. */
enum { OF_TASK, OF_REGION };

static struct port_key key_of(struct id id, enum port_kind kind, unsigned what)
{
    return (struct port_key){{id.part[0], id.part[1], id.part[2] ^ what}, kind};
}

static void task_begin_overlapped(struct domain *domain, struct id task, struct id parent,
                                  const struct port_text *name)
{
    const struct port_key key = key_of(task, PORT_TASK, OF_TASK);
    (void)parent;
    port_run_begin(&key, port_object(PORT_TASK, group_of(domain), text_of(name)), 0);
}

static void task_end_overlapped(struct domain *domain, struct id task)
{
    const struct port_key key = key_of(task, PORT_TASK, OF_TASK);
    (void)domain;
    port_run_end(&key);
}

static void region_begin(struct domain *domain, struct id region, struct id parent,
                         const struct port_text *name)
{
    const struct port_key key = key_of(region, PORT_TASK, OF_REGION);
    (void)parent;
    port_run_begin(&key, port_object(PORT_TASK, group_of(domain), text_of(name)), 1);
}

static void region_end(struct domain *domain, struct id region)
{
    const struct port_key key = key_of(region, PORT_TASK, OF_REGION);
    (void)domain;
    port_run_end(&key);
}

/* ---------------------------------------------------------------------------------------- frames
 */

static struct port_key frame_key(unsigned group, const struct id *id)
{
    const struct id of_domain = {{group, 0, ~0ull}};
    return key_of(id ? *id : of_domain, PORT_FRAME, OF_TASK);
}

static void frame_begin(struct domain *domain, struct id *id)
{
    const unsigned group = group_of(domain);
    const struct port_key key = frame_key(group, id);
    port_run_begin(&key, port_object(PORT_FRAME, group, "frame"), 1);
}

static void frame_end(struct domain *domain, struct id *id)
{
    const struct port_key key = frame_key(group_of(domain), id);
    port_run_end(&key);
}

static unsigned long long get_timestamp(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (unsigned long long)now.tv_sec * 1000000000u + (unsigned long long)now.tv_nsec;
}

/* A frame with the times that the program gives, by get_timestamp(). A span has times of
 * libproftop's clock alone, so these frames are rows with given times. */
static void frame_submit(struct domain *domain, struct id *id, unsigned long long begin,
                         unsigned long long end)
{
    (void)id;
    end = end == ~0ull ? get_timestamp() : end;
    if (begin <= end)
        port_give(port_object(PORT_GIVEN, group_of(domain), "frame"), end - begin);
}

/* -------------------------------------------------------------------------------------- counters
 */

enum { COUNTERS = 4 * PORT_OBJECTS };
static struct counter counters[COUNTERS + 1]; /* the last one counts nothing */
static unsigned n_counters;                   /* under the lock of the objects */

static struct port_object *counter_object(unsigned group, const char *name, int type)
{
    return port_object(type == FLOAT || type == DOUBLE ? PORT_COUNTER_F64 : PORT_COUNTER, group,
                       name ? name : no_name);
}

static struct counter *make_counter(unsigned group, const char *name, int type)
{
    struct port_object *object = counter_object(group, name, type);
    unsigned at = 0;
    if (!object)
        return &counters[COUNTERS];
    port_objects_lock();
    while (at < n_counters && !(counters[at].extra2 == object && counters[at].type == type))
        at++;
    if (at == n_counters && at < COUNTERS) {
        counters[at] = (struct counter){
            .name = "", .domain = port_group_name(group), .type = type, .extra2 = object};
        n_counters++;
    }
    port_objects_unlock();
    return &counters[at];
}

static struct counter *counter_create_typed(const char *name, const char *domain, int type)
{
    return make_counter(port_group(domain, NULL), name, type);
}

static struct counter *counter_create(const char *name, const char *domain)
{
    return counter_create_typed(name, domain, U64);
}

static struct counter *counter_create_v3(struct domain *domain, const char *name, int type)
{
    return make_counter(group_of(domain), name, type);
}

static struct port_object *object_of(const struct counter *counter)
{
    if (!counter)
        return NULL;
    if (counter >= counters && counter <= counters + COUNTERS)
        return counter->extra2;
    return counter_object(port_group(counter->domain, NULL), counter->name, counter->type);
}

static int64_t as_delta(unsigned long long value)
{
    return value > INT64_MAX ? INT64_MAX : (int64_t)value;
}

static void counter_inc_delta(struct counter *counter, unsigned long long value)
{
    port_count(object_of(counter), as_delta(value));
}

static void counter_dec_delta(struct counter *counter, unsigned long long value)
{
    port_count(object_of(counter), -as_delta(value));
}

static void counter_inc(struct counter *counter)
{
    port_count(object_of(counter), 1);
}

static void counter_dec(struct counter *counter)
{
    port_count(object_of(counter), -1);
}

static void counter_set_value(struct counter *counter, const void *value)
{
    union {
        uint64_t u64;
        int64_t s64;
        uint32_t u32;
        int32_t s32;
        uint16_t u16;
        int16_t s16;
        float f32;
        double f64;
    } is = {0};
    static const unsigned char sizes[] = {8, 8, 8, 4, 4, 2, 2, 4, 8};
    struct port_object *object = object_of(counter);
    if (!object || !value || counter->type < 0 || counter->type > DOUBLE)
        return;
    memcpy(&is, value, sizes[counter->type]);
    switch (counter->type) {
    case FLOAT:
        port_set_f64(object, (double)is.f32);
        return;
    case DOUBLE:
        port_set_f64(object, is.f64);
        return;
    case U32:
        is.s64 = is.u32;
        break;
    case S32:
        is.s64 = is.s32;
        break;
    case U16:
        is.s64 = is.u16;
        break;
    case S16:
        is.s64 = is.s16;
        break;
    default: /* a number above 2^63 is shown as the largest */
        is.s64 = counter->type == S64 ? is.s64 : as_delta(is.u64);
    }
    port_set(object, is.s64);
}

static void counter_inc_delta_v3(struct domain *domain, const struct port_text *name,
                                 unsigned long long value)
{
    port_count(counter_object(group_of(domain), text_of(name), U64), as_delta(value));
}

static void counter_dec_delta_v3(struct domain *domain, const struct port_text *name,
                                 unsigned long long value)
{
    port_count(counter_object(group_of(domain), text_of(name), U64), -as_delta(value));
}

static void counter_inc_v3(struct domain *domain, const struct port_text *name)
{
    counter_inc_delta_v3(domain, name, 1);
}

static void counter_dec_v3(struct domain *domain, const struct port_text *name)
{
    counter_dec_delta_v3(domain, name, 1);
}

/* --------------------------------------------------------------------- markers, events, the rest
 */

static void marker(struct domain *domain, struct id id, const struct port_text *name, int scope)
{
    static const char *const scopes[] = {NULL, "global", "process", "thread", "task", "marker"};
    (void)id;
    port_mark(port_object(PORT_MARKER, group_of(domain), text_of(name)),
              scope > 0 && scope < 6 ? scopes[scope] : NULL);
}

/* Events have numbers from 1. The name may lack its end. */
static int event_create(const char *name, int size)
{
    char text[NESTED_NAME + 1];
    const int most = size < 0 || size > NESTED_NAME ? NESTED_NAME : size;
    snprintf(text, sizeof text, "%.*s", most, name ? name : no_name);
    struct port_object *object = port_object(PORT_EVENT, 0, text);
    return object ? (int)port_object_number(object) + 1 : 0;
}

static struct port_key event_key(int event)
{
    return (struct port_key){{(uint64_t)event, (uint64_t)pthread_self(), 0}, PORT_EVENT};
}

static int event_start(int event)
{
    const struct port_key key = event_key(event);
    port_run_begin(&key, event > 0 ? port_object_at((unsigned)event - 1) : NULL, 0);
    return 0;
}

static int event_end(int event)
{
    const struct port_key key = event_key(event);
    port_run_end(&key);
    return 0;
}

static void pause_all(void)
{
    port_pause(1);
}

static void resume_all(void)
{
    port_pause(0);
}

/* ----------------------------------------------------------------------------------------- start
 */

#define NAMED(name, function)                                                                      \
    {                                                                                              \
        "__itt_" name, (void (*)(void))function                                                    \
    }
static const struct known {
    const char *name;
    void (*function)(void);
} known[] = {
    NAMED("domain_create", domain_create),
    NAMED("domain_createA", domain_create),
    NAMED("string_handle_create", string_handle_create),
    NAMED("string_handle_createA", string_handle_create),
    NAMED("task_begin", task_begin),
    NAMED("task_begin_fn", task_begin_fn),
    NAMED("task_end", task_end),
    NAMED("task_begin_overlapped", task_begin_overlapped),
    NAMED("task_end_overlapped", task_end_overlapped),
    NAMED("region_begin", region_begin),
    NAMED("region_end", region_end),
    NAMED("frame_begin_v3", frame_begin),
    NAMED("frame_end_v3", frame_end),
    NAMED("frame_submit_v3", frame_submit),
    NAMED("get_timestamp", get_timestamp),
    NAMED("counter_create", counter_create),
    NAMED("counter_createA", counter_create),
    NAMED("counter_create_typed", counter_create_typed),
    NAMED("counter_create_typedA", counter_create_typed),
    NAMED("counter_create_v3", counter_create_v3),
    NAMED("counter_createA_v3", counter_create_v3),
    NAMED("counter_inc", counter_inc),
    NAMED("counter_inc_delta", counter_inc_delta),
    NAMED("counter_dec", counter_dec),
    NAMED("counter_dec_delta", counter_dec_delta),
    NAMED("counter_set_value", counter_set_value),
    NAMED("counter_set_value_v3", counter_set_value),
    NAMED("counter_inc_v3", counter_inc_v3),
    NAMED("counter_inc_delta_v3", counter_inc_delta_v3),
    NAMED("counter_dec_v3", counter_dec_v3),
    NAMED("counter_dec_delta_v3", counter_dec_delta_v3),
    NAMED("marker", marker),
    NAMED("event_create", event_create),
    NAMED("event_createA", event_create),
    NAMED("event_start", event_start),
    NAMED("event_end", event_end),
    NAMED("pause", pause_all),
    NAMED("resume", resume_all),
    NAMED("thread_set_name", port_thread_name),
    NAMED("thread_set_nameA", port_thread_name),
};

/* Called by each static part of the process, under a lock of its own. Opens nothing. A function
 * that is not known here, such as those for metadata, relations and histograms, gets the function
 * that the static part has for this case. */
SHOWN void __itt_api_init(struct global *global, unsigned groups);
SHOWN void __itt_api_init(struct global *global, unsigned groups)
{
    const int counts = port_begin(&port);
    if (!global || memcmp(global->magic, magic, sizeof magic) != 0 || global->build <= OLD_BUILD)
        return;
    port_names_begin("ITT");
    for (struct entry *entry = global->entries; entry && entry->name; entry++) {
        unsigned at = 0;
        const unsigned count = sizeof known / sizeof *known;
        while (at < count && strcmp(known[at].name, entry->name) != 0)
            at++;
        const int ours = counts && at < count && (entry->group & groups);
        *entry->to = ours ? (void *)known[at].function : entry->nothing;
    }
}

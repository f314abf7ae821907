/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * port.c: opens the feed of a port with the first event, and once more in a forked child.
 *
 * A thread of this file opens the feed. The first event may come from a constructor of a library
 * that dlopen() loads: then the loader's lock is held, and the feed could not open before that
 * constructor ends. So that thread takes the lock first. An event waits for it a fifth of a second
 * at most, and only an event waits: a program that reports none opens nothing. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>
#include <unistd.h>

#include "adapters/common/nested.h"
#include "adapters/common/ticker.h"
#include "adapters/ports/port.h"
#include "proftop_adapter.h"
#include "proftop_control.h"

enum {
    LOOK_NS = 200000,    /* between two looks at a feed that is being opened */
    LOADER_LOOKS = 1000, /* looks while the loader's lock is taken: 0.2 s */
    OPEN_LOOKS = 100000, /* looks in all: libproftop gives up after 10 s */
};

enum state { FRESH, OPENING, OPEN, OFF };

static const struct port *kind;
static _Atomic(struct proftop *) feed;
static struct proftop *inherited; /* in a forked child: the parent's */
static _Atomic enum state state;
static _Atomic int loader_is_free, gave_up, paused;
static _Atomic unsigned feeds, generation;
static _Atomic pid_t opener;
static pthread_mutex_t publish_lock = PTHREAD_MUTEX_INITIALIZER;

#define PER_THREAD _Thread_local __attribute__((tls_model("initial-exec")))
static PER_THREAD char *pending_name; /* of this thread, until its first event */
static pthread_key_t name_key;
static pthread_once_t name_once = PTHREAD_ONCE_INIT;
static int has_name_key;

static void tick(void);
static struct ticker ticker = {.tick = tick};

/* An atomic pointer is read as a plain one there, by atomic loads. */
static struct nested_host host = {.feed = (struct proftop *const *)(const void *)&feed,
                                  .feeds = (const unsigned *)(const void *)&feeds,
                                  .open = port_feed};

/* --------------------------------------------------------------------------------------- forks */

static void before_fork(void)
{
    pthread_mutex_lock(&publish_lock);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&publish_lock);
}

/* The child opens a feed with its first event, if the parent had one. */
static void in_child(void)
{
    struct proftop *parents = atomic_exchange(&feed, NULL);
    inherited = parents ? parents : inherited;
    if (atomic_load(&state) != OFF)
        atomic_store(&state, FRESH);
    ticker_forked(&ticker);
    after_fork();
}

static void watch_forks(void)
{
    pthread_atfork(before_fork, after_fork, in_child);
}

/* ------------------------------------------------------------------------------------- publishing
 */

static void publish(void)
{
    struct proftop *to = atomic_load(&feed);
    if (!to)
        return;
    pthread_mutex_lock(&publish_lock);
    nested_publish();
    kind->publish(to);
    pthread_mutex_unlock(&publish_lock);
}

/* ---------------------------------------------------------------------------------------- opening
 */

/* Runs before libproftop closes its feeds, which the destructor of its plugin does. */
static void at_exit(void)
{
    ticker_stop(&ticker);
    publish();
}

/* libproftop watches forks from its first feed on. Handlers that are installed later run earlier
 * before a fork. So locks are taken in the order in which calls take them: the lock of this file,
 * the objects', nested.c's, and libproftop's. */
static void prepare(void)
{
    nested_start(&host);
    kind->opened();
    watch_forks();
    atexit(at_exit);
}

static void open_feed(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const struct proftop_options options = {.size = sizeof options, .framework = kind->framework};
    void *ours = dlopen("libproftop.so.0", RTLD_LAZY | RTLD_NOLOAD); /* waits for the loader */
    if (ours)
        dlclose(ours);
    atomic_store(&loader_is_free, 1);
    struct proftop *parents = inherited;
    struct proftop *opened = parents ? proftop_open_child(parents) : proftop_open(&options);
    inherited = NULL;
    if (!proftop_is_on(opened)) {
        proftop_close(opened);
        atomic_store(&state, OFF);
        return;
    }
    proftop_route(opened, kind->route);
    if (atomic_load(&paused))
        proftop_pause(opened, NULL);
    pthread_once(&once, prepare);
    atomic_fetch_add(&feeds, parents ? 0 : 1);
    atomic_fetch_add(&generation, 1);
    atomic_store(&feed, opened);
    atomic_store(&state, OPEN);
}

static void tick(void)
{
    if (atomic_load(&state) == OPENING)
        open_feed();
    publish();
}

/* Waits until the feed is open, or until it becomes clear that waiting may be in vain. */
static void wait_until_open(void)
{
    const struct timespec pause = {.tv_nsec = LOOK_NS};
    for (unsigned looks = 0; atomic_load(&state) == OPENING && !atomic_load(&gave_up); looks++) {
        if (looks > (atomic_load(&loader_is_free) ? OPEN_LOOKS : LOADER_LOOKS))
            atomic_store(&gave_up, 1);
        clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
    }
}

static __attribute__((noinline, cold)) struct proftop *open_with_event(void)
{
    enum state was = FRESH;
    int cancel;
    if (atomic_load(&state) == OFF)
        return NULL;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    /* Forked while the feed was being opened: the thread that opened it is not in this process. */
    if (atomic_load(&state) == OPENING && atomic_load(&opener) != getpid()) {
        ticker_forked(&ticker);
        atomic_store(&state, FRESH);
    }
    if (atomic_compare_exchange_strong(&state, &was, OPENING)) {
        atomic_store(&opener, getpid());
        atomic_store(&gave_up, 0);
        atomic_store(&loader_is_free, 0);
        if (!ticker_start(&ticker))
            atomic_store(&state, OFF);
    }
    wait_until_open();
    pthread_setcancelstate(cancel, NULL);
    return atomic_load(&feed);
}

static __attribute__((noinline, cold)) void name_thread(struct proftop *to)
{
    char *name = pending_name;
    pending_name = NULL;
    pthread_setspecific(name_key, NULL);
    proftop_thread_name(to, name);
    free(name);
}

struct proftop *port_feed(void)
{
    struct proftop *now = atomic_load_explicit(&feed, memory_order_acquire);
    if (__builtin_expect(!now, 0) && !(now = open_with_event()))
        return NULL;
    if (__builtin_expect(pending_name != NULL, 0))
        name_thread(now);
    return now;
}

struct proftop *port_feed_here(void)
{
    return atomic_load_explicit(&feed, memory_order_acquire);
}

unsigned port_feeds(void)
{
    return atomic_load_explicit(&feeds, memory_order_relaxed);
}

unsigned port_generation(void)
{
    return atomic_load_explicit(&generation, memory_order_relaxed);
}

int port_begin(const struct port *port)
{
    kind = port;
    host.describe = port->describe;
    host.root = port->framework;
    const char *word = getauxval(AT_SECURE) ? "0" : getenv("PROFTOP");
    return !word || strcmp(word, "0") != 0;
}

void port_pause(int pauses)
{
    struct proftop *now = atomic_load(&feed);
    atomic_store(&paused, pauses);
    if (now && pauses)
        proftop_pause(now, NULL);
    else if (now)
        proftop_resume(now, NULL);
}

enum { ADAPTER = 1, TORCH = 2, MXNET = 4 };

static int is_part(struct dl_phdr_info *info, size_t size, void *parts)
{
    static const struct {
        const char *file;
        unsigned part;
    } files[] = {{"/_feed.abi3.so", ADAPTER}, {"/libtorch_cpu.so", TORCH}, {"/libmxnet.so", MXNET}};
    const char *name = strrchr(info->dlpi_name, '/');
    (void)size;
    for (unsigned i = 0; name && i < sizeof files / sizeof *files; i++)
        if (strcmp(name, files[i].file) == 0)
            *(unsigned *)parts |= files[i].part;
    return 0;
}

static unsigned loaded_parts(void)
{
    unsigned parts = 0;
    dl_iterate_phdr(is_part, &parts);
    return parts;
}

int port_has_torch_adapter(void)
{
    return (loaded_parts() & (ADAPTER | TORCH)) == (ADAPTER | TORCH);
}

int port_has_adapter(void)
{
    const unsigned parts = loaded_parts();
    return (parts & ADAPTER) && (parts & (TORCH | MXNET));
}

/* --------------------------------------------------------------------------------------- threads
 */

/* Called when a thread ends that has reported nothing. */
static void forget_name(void *name)
{
    pending_name = NULL;
    free(name);
}

static void make_name_key(void)
{
    has_name_key = pthread_key_create(&name_key, forget_name) == 0;
}

void port_thread_name(const char *name)
{
    struct proftop *now = atomic_load(&feed);
    if (!name)
        return;
    if (now) {
        proftop_thread_name(now, name);
        return;
    }
    pthread_once(&name_once, make_name_key);
    char *copy = has_name_key ? strndup(name, NESTED_NAME) : NULL;
    if (!copy)
        return;
    free(pending_name);
    pending_name = copy;
    pthread_setspecific(name_key, copy);
}

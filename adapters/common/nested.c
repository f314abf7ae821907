/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * nested.c: finds the row of a run, and keeps the open runs of each thread.
 *
 * A thread finds a row by a hint first: the row that followed the one before, inside the same
 * caller, the last time. Programs repeat themselves, so the hint mostly holds, and finding a row
 * costs a comparison of two names. Else it looks into its own tables, and at last, under a lock,
 * into those of all threads. Ops, applies and slots are never freed: they are bounded. */
#include "adapters/common/nested.h"

#define _GNU_SOURCE
#include <ctype.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "proftop_adapter.h"

enum {
    BUCKETS = 4096, /* of each table */
    CACHE = 1024,   /* names that a thread remembers */
    CALLER = 0,     /* function of an op that takes its caller's */
    GAP_NS = 1000000,
    APART_KIND = 256,  /* added to the kind of runs apart: they are ops of their own */
    DEVICE_KIND = 512, /* the same for runs on a device, whose times are given */
};

/* A name of one kind. `index`: from 0, for tables by op. */
struct op {
    struct op *next;
    char *name;
    const char *shown; /* on screens, and in the names of applies */
    uint64_t hash;
    unsigned kind, op_class, function; /* function: number plus 1, or CALLER */
    unsigned index;
    uint32_t waits;
    unsigned feeds; /* number of the feed of `id` */
    proftop_id id;
};

/* What is known of an apply beyond its definition. It is kept because the library replaces all of
 * it at once, and because the next feed knows nothing of it. */
struct detail {
    char *line;
    unsigned values;
    struct nested_value value[NESTED_VALUES];
};

/* An op in a function, inside a calling op (NULL: none). Shared by all threads. */
struct apply {
    struct apply *next;
    struct detail *detail; /* NULL: nothing is known */
    const struct op *caller;
    struct op *op;
    unsigned function;
    unsigned feeds;
    proftop_id id;
};

/* A thread's state of an apply. */
struct slot { /* struct nested_row, outside */
    struct slot *next;
    struct apply *apply;
    const char *name; /* that of the op */
    unsigned kind, function;
    const struct op *caller;
    unsigned feeds; /* number of the feed of `id` */
    proftop_id id;
    struct slot *first, *after; /* hints: what ran first inside it, what ran after it */
    _Atomic uint64_t inclusive; /* in units of the feed's clock; written by the thread */
    uint64_t told;              /* the part that was published, by nested_publish() */
    _Atomic uint64_t sum[NESTED_METRICS];
    uint64_t told_sum[NESTED_METRICS];
    uint64_t line;              /* hash of its source line; 0: not known */
    int votes;                  /* samples that had this line, more than those that had another */
    int samples;                /* that had any line */
    uint64_t shown;             /* the line that is published, or SEVERAL; 0: none */
    uint64_t told_inputs_ns;    /* when its inputs were told; 0: never */
};

struct frame {
    const void *key;
    struct slot *slot;
    struct slot *last; /* that ran inside it last */
    struct proftop_token token;
    uint64_t inside;
    unsigned cut;     /* value of `cuts` when it began */
    uint64_t overlap; /* of `inside`, what a run that began earlier has counted */
    unsigned feeds;
    int outermost; /* no other run of its op encloses it */
};

/* Stretches of a function on a thread: outermost runs of it with no other function's between them,
 * and no gap of GAP_NS. Times are in units of the feed's clock. Written by the thread. */
struct stretches {
    _Atomic uint64_t ended, time;
};

struct thread {
    struct frame frame[NESTED_DEPTH + 1];             /* the first one is the thread itself */
    struct stretches stretches[NESTED_FUNCTIONS + 1]; /* those that have ended */
    _Atomic unsigned in;                              /* function of the latest stretch, plus 1 */
    unsigned cuts;                                    /* value of `cuts` when it began */
    unsigned turns[NESTED_FUNCTIONS + 1];             /* stretches behind another function's */
    _Atomic uint64_t from, to;                        /* its times; to: 0 until a run has ended */
    unsigned depth;
    unsigned deeper; /* open runs beyond NESTED_DEPTH */
    unsigned strays; /* value of `strays.count` when this thread last looked */
    _Atomic uint64_t events, orphans, dropped, skipped;
    uint16_t open[NESTED_OPS + 2 * (NESTED_CLASSES + 1)]; /* open runs by op */
    struct {
        uint64_t hash; /* of the name as it came */
        struct op *op;
    } cache[CACHE];
    _Atomic(struct slot *) slots[BUCKETS];
    struct thread *next;
    _Atomic int taken;
};

static struct named {
    const char *name;
    unsigned feeds;
    proftop_id id;
    /* Of a function: what is published in its feed, and the sums when it was defined there. */
    uint64_t calls, ns, base_calls, base_time;
} classes[NESTED_CLASSES + 1], functions[NESTED_FUNCTIONS + 1];
static unsigned n_classes, n_functions;
static struct op *ops[BUCKETS];
static struct op *others[2][NESTED_CLASSES + 1]; /* "(other)" of a class; the second: apart */
static struct alike {
    struct alike *next;
    char *name;
    unsigned kind, count;
    struct op *op; /* of the names beyond NESTED_ALIKE */
} * alikes[BUCKETS];
static struct apply *applies[BUCKETS];
static unsigned n_ops, n_applies, n_alikes;
/* Metrics of the feed of this number. */
static struct {
    unsigned feeds;
    proftop_id id, sum[NESTED_METRICS];
} inclusive = {.id = PROFTOP_NONE};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all tables above */

static const struct nested_host *host;

/* The feed, also during a fork; NULL: there is none. */
static inline struct proftop *feed_here(void)
{
    return host ? __atomic_load_n(host->feed, __ATOMIC_ACQUIRE) : NULL;
}

static inline struct proftop *feed_or_open(void)
{
    struct proftop *feed = feed_here();
    return feed || !host ? feed : host->open();
}

static inline unsigned feeds_now(void)
{
    return __atomic_load_n(host->feeds, __ATOMIC_RELAXED);
}

/* ------------------------------------------------------------------------------------- threads */

static _Thread_local struct thread *here __attribute__((tls_model("initial-exec")));
static _Atomic(struct thread *) threads;
static pthread_key_t ended;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int has_key;
static _Atomic(struct thread *) first_thread; /* of the process */

/* Called when a thread ends. Its sums stay, and another thread goes on with them. */
static void give_back(void *thread)
{
    here = NULL;
    atomic_store(&((struct thread *)thread)->taken, 0);
}

static void make_key(void)
{
    has_key = pthread_key_create(&ended, give_back) == 0;
}

static struct thread *reuse(void)
{
    for (struct thread *thread = atomic_load(&threads); thread; thread = thread->next) {
        int no = 0;
        if (!atomic_compare_exchange_strong(&thread->taken, &no, 1))
            continue;
        thread->depth = thread->deeper = 0;
        memset(thread->open, 0, sizeof thread->open);
        return thread;
    }
    return NULL;
}

static __attribute__((noinline, cold)) struct thread *thread_new(void)
{
    pthread_once(&once, make_key);
    struct thread *thread = reuse();
    if (!thread && (thread = calloc(1, sizeof *thread))) {
        thread->taken = 1;
        thread->next = atomic_load(&threads);
        while (!atomic_compare_exchange_weak(&threads, &thread->next, thread))
            ;
    }
    if (thread && has_key)
        pthread_setspecific(ended, thread);
    if (syscall(SYS_gettid) == getpid())
        atomic_store(&first_thread, thread);
    return here = thread;
}

static inline uint64_t load(const _Atomic uint64_t *value)
{
    return atomic_load_explicit(value, memory_order_relaxed);
}

static inline void store(_Atomic uint64_t *value, uint64_t to)
{
    atomic_store_explicit(value, to, memory_order_relaxed);
}

/* Adds to a sum that this thread alone writes. */
static inline void add(_Atomic uint64_t *sum, uint64_t more)
{
    atomic_store_explicit(sum, atomic_load_explicit(sum, memory_order_relaxed) + more,
                          memory_order_relaxed);
}

/* ----------------------------------------------------------------------------------------- ops */

static uint64_t hash_of(unsigned kind, const char *name)
{
    uint64_t hash = 0xcbf29ce484222325u ^ kind;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
    return hash ^ hash >> 29;
}

static uint64_t mix(uint64_t hash, const void *part)
{
    hash = (hash ^ (uint64_t)(uintptr_t)part) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

/* Number of a name in a table of at most `most` names; the one beyond it takes all others. */
static unsigned number_of(struct named *table, unsigned *count, unsigned most, const char *name,
                          unsigned size)
{
    for (unsigned i = 0; i < *count; i++)
        if (strncmp(table[i].name, name, size) == 0 && table[i].name[size] == '\0')
            return i;
    if (*count == most) {
        table[most].name = "(other)";
        return most;
    }
    char *copy = strndup(name, size);
    if (!copy) {
        table[most].name = "(other)";
        return most;
    }
    table[*count] = (struct named){.name = copy, .id = PROFTOP_NONE};
    return (*count)++;
}

static unsigned class_of(const struct nested_about *about)
{
    const unsigned size = about->class_size ? about->class_size : (unsigned)strlen(about->op_class);
    return number_of(classes, &n_classes, NESTED_CLASSES, about->op_class, size);
}

static unsigned function_of(const char *name)
{
    return number_of(functions, &n_functions, NESTED_FUNCTIONS, name, (unsigned)strlen(name));
}

/* A name as screens show it. Returns the name itself if there is no other, or no memory. */
static const char *shorten(const char *name, const struct nested_about *about)
{
    if (!about->short_for || strlen(name) < about->begin)
        return *name ? name : "(no name)";
    const size_t size = strlen(about->short_for) + strlen(name) - about->begin + 1;
    char *shown = malloc(size);
    if (shown)
        snprintf(shown, size, "%s%s", about->short_for, name + about->begin);
    return shown ? shown : name;
}

static struct op *make_op(unsigned kind, const char *name, const struct nested_about *about)
{
    struct op *op = calloc(1, sizeof *op);
    if (!op || !(op->name = strdup(name))) {
        free(op);
        return NULL;
    }
    op->shown = shorten(op->name, about);
    op->kind = kind;
    op->hash = hash_of(kind, name);
    op->op_class = class_of(about);
    op->function = about->function ? 1 + function_of(about->function) : CALLER;
    op->index = n_ops++;
    op->waits = about->waits;
    op->id = PROFTOP_NONE;
    return op;
}

/* The op that takes the names beyond the limit, of one class. */
static struct op *other_op(unsigned kind, const struct nested_about *about)
{
    unsigned number = class_of(about);
    struct op **other = &others[(kind & APART_KIND) != 0][number];
    if (!*other)
        *other = make_op(kind, "(other)", about);
    return *other;
}

int nested_fold(const char *name, char folded[NESTED_NAME + 1])
{
    int digits = 0;
    char *to = folded;
    for (; *name; name++)
        if (!isdigit((unsigned char)*name)) {
            *to++ = *name;
        } else if (to == folded || to[-1] != '*') {
            *to++ = '*';
            digits = 1;
        }
    *to = '\0';
    return digits;
}

static struct alike *alike_of(unsigned kind, const char *folded)
{
    struct alike **at = &alikes[hash_of(kind, folded) % BUCKETS];
    for (struct alike *alike = *at; alike; alike = alike->next)
        if (alike->kind == kind && strcmp(alike->name, folded) == 0)
            return alike;
    struct alike *alike = n_alikes < NESTED_OPS ? calloc(1, sizeof *alike) : NULL;
    if (!alike || !(alike->name = strdup(folded))) {
        free(alike);
        return NULL;
    }
    n_alikes++;
    alike->kind = kind;
    alike->next = *at;
    return *at = alike;
}

/* The op of a new name. The lock is held. */
static struct op *add_op(unsigned kind, const char *name, uint64_t hash)
{
    char folded[NESTED_NAME + 1];
    const int distinct = kind < 32 && (host->distinct >> kind & 1);
    struct alike *alike = !distinct && nested_fold(name, folded) ? alike_of(kind, folded) : NULL;
    const int folds = alike && alike->count >= NESTED_ALIKE;
    if (folds && alike->op)
        return alike->op;
    const struct nested_about about = host->describe(kind % APART_KIND, folds ? folded : name);
    if (n_ops >= NESTED_OPS)
        return other_op(kind, &about);
    struct op *op = make_op(kind, folds ? folded : name, &about);
    if (!op)
        return NULL;
    if (folds)
        return alike->op = op;
    if (alike)
        alike->count++;
    op->next = ops[hash % BUCKETS];
    return ops[hash % BUCKETS] = op;
}

static int is_op(const struct op *op, unsigned kind, const char *name, uint64_t hash)
{
    return op && op->hash == hash && op->kind == kind && strcmp(op->name, name) == 0;
}

static struct op *op_of(struct thread *thread, unsigned kind, const char *name)
{
    uint64_t hash = hash_of(kind, name);
    struct op *op = thread->cache[hash % CACHE].op;
    /* An op of many names has another name than this one; then the hash alone tells. */
    if (op && thread->cache[hash % CACHE].hash == hash &&
        (op->hash != hash || is_op(op, kind, name, hash)))
        return op;
    pthread_mutex_lock(&lock);
    op = ops[hash % BUCKETS];
    while (op && !is_op(op, kind, name, hash))
        op = op->next;
    if (!op)
        op = add_op(kind, name, hash);
    pthread_mutex_unlock(&lock);
    thread->cache[hash % CACHE].hash = hash;
    thread->cache[hash % CACHE].op = op;
    return op;
}

/* The stretches of a function since the process began: those that have ended, and a latest one that
 * goes on, which ends with the last run so far. */
static void sum_function(unsigned number, uint64_t *calls, uint64_t *time)
{
    *calls = *time = 0;
    for (struct thread *thread = atomic_load(&threads); thread; thread = thread->next) {
        const uint64_t from = load(&thread->from), to = load(&thread->to);
        *calls += load(&thread->stretches[number].ended);
        *time += load(&thread->stretches[number].time);
        if (atomic_load_explicit(&thread->in, memory_order_relaxed) == number + 1 && to > from) {
            ++*calls;
            *time += to - from;
        }
    }
}

/* What was counted so far belongs to another feed. */
static void begin_function(struct named *function, unsigned number)
{
    sum_function(number, &function->base_calls, &function->base_time);
    function->calls = function->ns = 0;
}

/* ------------------------------------------------------------------------------------- applies */

static proftop_id id_of(struct named *named, unsigned feeds,
                        proftop_id (*define)(struct proftop *, const char *))
{
    if (named->feeds != feeds || named->id == PROFTOP_NONE) {
        named->id = define(feed_here(), named->name);
        named->feeds = feeds;
    }
    return named->id;
}

static proftop_id define_function(struct proftop *feed, const char *name)
{
    struct proftop_function_info info = {.size = sizeof info, .name = name, .source = PROFTOP_SET};
    return proftop_function(feed, &info);
}

/* The lock is held. */
static void publish_detail(const struct apply *apply)
{
    const struct detail *detail = apply->detail;
    struct proftop_value_info input[NESTED_VALUES];
    struct proftop_apply_detail_info info = PROFTOP_APPLY_DETAIL;
    memset(input, 0, sizeof input);
    for (unsigned i = 0; i < detail->values; i++) {
        input[i].dtype = *detail->value[i].dtype ? detail->value[i].dtype : NULL;
        input[i].rank = detail->value[i].rank;
        input[i].shape = detail->value[i].shape;
        input[i].bytes = detail->value[i].bytes;
    }
    info.location = detail->line;
    info.input = input;
    info.inputs = detail->values;
    proftop_apply_detail(feed_here(), apply->id, &info);
}

/* Defines an apply, and what it needs, in the current feed. The lock is held. */
static proftop_id define(struct apply *apply, unsigned feeds)
{
    struct op *op = apply->op;
    char text[2 * NESTED_NAME + 8];
    if (apply->feeds == feeds)
        return apply->id;
    proftop_id op_class = id_of(&classes[op->op_class], feeds, proftop_class);
    if (op->feeds != feeds || op->id == PROFTOP_NONE) {
        op->id = proftop_op_displayed(feed_here(), op_class, *op->name ? op->name : "(no name)",
                                      op->shown);
        op->feeds = feeds;
    }
    const char *name = op->shown;
    struct named *named = &functions[apply->function];
    if (named->feeds != feeds)
        begin_function(named, apply->function);
    const proftop_id function = id_of(named, feeds, define_function);
    snprintf(text, sizeof text, "%s in %s", name, apply->caller ? apply->caller->shown : "");
    struct proftop_apply_info info = {.size = sizeof info,
                                      .function = function,
                                      .op = op->id,
                                      .index = op->index,
                                      .text = apply->caller ? text : name,
                                      .kind = PROFTOP_IMPERATIVE,
                                      .source =
                                          op->kind & DEVICE_KIND ? PROFTOP_GIVEN : PROFTOP_TIMED,
                                      .exclusive = op->kind & DEVICE_KIND ? 0 : 2,
                                      .waits = op->waits};
    apply->id = proftop_apply(feed_here(), &info);
    apply->feeds = feeds;
    if (apply->detail)
        publish_detail(apply);
    return apply->id;
}

static uint64_t place_of(const struct op *op, const struct op *caller, unsigned function)
{
    return mix(mix(function, op), caller) % BUCKETS;
}

/* The apply, shared by all threads. Beyond the limit: that of "(other)", in no caller. The lock is
 * held. */
static struct apply *apply_of(struct op *op, const struct op *caller, unsigned function)
{
    struct apply **at = &applies[place_of(op, caller, function)];
    for (struct apply *apply = *at; apply; apply = apply->next)
        if (apply->op == op && apply->caller == caller && apply->function == function)
            return apply;
    struct op *other = others[(op->kind & APART_KIND) != 0][op->op_class];
    if (n_applies >= NESTED_APPLIES && op != other) {
        const struct nested_about about = {.op_class = classes[op->op_class].name};
        other = other_op(op->kind, &about);
        return other ? apply_of(other, NULL, function) : NULL;
    }
    struct apply *apply = calloc(1, sizeof *apply);
    if (!apply)
        return NULL;
    n_applies++;
    *apply = (struct apply){
        .next = *at, .caller = caller, .op = op, .function = function, .id = PROFTOP_NONE};
    return *at = apply;
}

/* ---------------------------------------------------------------------------------------- slots */

/* Gives the slot its id in the current feed. */
static __attribute__((noinline, cold)) void renew(struct slot *slot, unsigned feeds)
{
    pthread_mutex_lock(&lock);
    slot->id = define(slot->apply, feeds);
    __atomic_store_n(&slot->feeds, feeds, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock);
    slot->line = slot->shown = 0; /* this row has none yet */
    slot->votes = slot->samples = 0;
}

static unsigned root_function(void)
{
    static _Atomic unsigned known; /* plus 1 */
    unsigned number = atomic_load_explicit(&known, memory_order_relaxed);
    if (number == 0) {
        pthread_mutex_lock(&lock);
        number = 1 + function_of(host->root);
        pthread_mutex_unlock(&lock);
        if (number <= NESTED_FUNCTIONS) /* else out of memory */
            atomic_store_explicit(&known, number, memory_order_relaxed);
    }
    return number - 1;
}

static struct slot *find_slot(const struct thread *thread, const struct op *op,
                              const struct op *caller, unsigned function)
{
    struct slot *slot =
        atomic_load_explicit(&thread->slots[place_of(op, caller, function)], memory_order_relaxed);
    while (slot &&
           !(slot->name == op->name && slot->caller == caller && slot->function == function))
        slot = slot->next;
    return slot;
}

static struct slot *add_slot(struct thread *thread, struct apply *apply)
{
    struct slot *slot = calloc(1, sizeof *slot);
    if (!slot)
        return NULL;
    const uint64_t place = place_of(apply->op, apply->caller, apply->function);
    slot->apply = apply;
    slot->name = apply->op->name;
    slot->kind = apply->op->kind;
    slot->caller = apply->caller;
    slot->function = apply->function;
    slot->id = PROFTOP_NONE;
    slot->next = atomic_load_explicit(&thread->slots[place], memory_order_relaxed);
    atomic_store_explicit(&thread->slots[place], slot, memory_order_release);
    return slot;
}

/* Beyond the limit of applies, many have one apply, and so one slot. */
static struct slot *make_slot(struct thread *thread, struct op *op, const struct op *caller,
                              unsigned function)
{
    pthread_mutex_lock(&lock);
    struct apply *apply = apply_of(op, caller, function);
    pthread_mutex_unlock(&lock);
    struct slot *slot = apply && apply->op != op
                            ? find_slot(thread, apply->op, apply->caller, apply->function)
                            : NULL;
    return slot || !apply ? slot : add_slot(thread, apply);
}

/* Finds a slot without a hint. `inherited`: function of the caller. */
static __attribute__((noinline)) struct slot *look_up(struct thread *thread, unsigned kind,
                                                      const char *name, const struct op *caller,
                                                      unsigned inherited)
{
    char cut[NESTED_NAME + 1];
    if (memchr(name, '\0', sizeof cut) == NULL) {
        memcpy(cut, name, NESTED_NAME);
        cut[NESTED_NAME] = '\0';
        name = cut;
    }
    struct op *op = op_of(thread, kind, name);
    if (!op)
        return NULL;
    unsigned function = op->function == CALLER ? inherited : op->function - 1;
    struct slot *slot = find_slot(thread, op, caller, function);
    return slot ? slot : make_slot(thread, op, caller, function);
}

static inline int fits(const struct slot *hint, unsigned kind, const char *name,
                       const struct op *caller, unsigned function)
{
    return hint && hint->caller == caller && hint->kind == kind &&
           (hint->function == function || hint->apply->op->function != CALLER) &&
           strcmp(hint->name, name) == 0;
}

/* ------------------------------------------------------------------------------------ stretches */

static _Atomic unsigned cuts;
static _Atomic uint64_t gap = UINT64_MAX; /* GAP_NS in units of the feed's clock, once known */

void nested_cut(void)
{
    atomic_fetch_add(&cuts, 1);
}

/* An outermost run of a function begins. */
static inline void stretch(struct thread *thread, unsigned function, uint64_t start)
{
    const unsigned in = atomic_load_explicit(&thread->in, memory_order_relaxed);
    const unsigned now = atomic_load_explicit(&cuts, memory_order_relaxed);
    const uint64_t from = load(&thread->from), to = load(&thread->to);
    if (__builtin_expect(in == function + 1 && thread->cuts == now && start - to < load(&gap), 1))
        return;
    if (in != 0 && to > from) {
        add(&thread->stretches[in - 1].ended, 1);
        add(&thread->stretches[in - 1].time, to - from);
    }
    thread->turns[function] += in != function + 1;
    store(&thread->to, 0);
    store(&thread->from, start);
    atomic_store_explicit(&thread->in, function + 1, memory_order_relaxed);
    thread->cuts = now;
}

unsigned nested_turns(const char *function)
{
    unsigned turns = 0;
    pthread_mutex_lock(&lock);
    for (unsigned i = 0; here && i < n_functions; i++)
        if (strcmp(functions[i].name, function) == 0)
            turns = here->turns[i];
    pthread_mutex_unlock(&lock);
    return turns;
}

/* Counts the run of a frame. Returns its duration, in units of the feed's clock; 0: it has no time,
 * since it is not counted, or since counting was off in between, so that runs inside are unknown.
 */
static inline uint64_t count(struct thread *thread, struct frame *frame)
{
    struct slot *slot = frame->slot;
    struct proftop *feed = feed_or_open(); /* in a forked child, this may be its first event */
    thread->open[slot->apply->op->index]--;
    if (__builtin_expect(!feed || frame->feeds != feeds_now(), 0))
        return 0;
    if (__builtin_expect(frame->cut != atomic_load_explicit(&cuts, memory_order_relaxed), 0)) {
        proftop_fail(feed, slot->id, frame->token);
        return 0;
    }
    const uint64_t whole = proftop_end_nested(feed, slot->id, frame->token, frame->inside);
    if (frame->outermost)
        add(&slot->inclusive, whole);
    return whole;
}

/* Adds a run to what is inside the one around it: its duration, or what is inside of it if it has
 * none, and not what another run has counted. */
static inline void add_inside(struct frame *outer, const struct frame *frame, uint64_t whole)
{
    const uint64_t inside = __builtin_expect(whole != 0, 1) ? whole : frame->inside;
    outer->inside += inside - (inside > frame->overlap ? frame->overlap : inside);
}

/* Ends the innermost run. */
static inline void pop(struct thread *thread)
{
    struct frame *frame = &thread->frame[thread->depth--];
    const uint64_t whole = count(thread, frame);
    add_inside(frame - 1, frame, whole);
    if (thread->depth == 0 && whole != 0)
        store(&thread->to, frame->token.start + whole);
}

/* Ends a run although runs inside it go on. Its time includes theirs so far, which they leave out
 * in return. */
static __attribute__((noinline, cold)) void remove_frame(struct thread *thread, unsigned at,
                                                         int counts)
{
    struct frame *frame = &thread->frame[at], *inner = frame + 1;
    if (counts) {
        const uint64_t whole = count(thread, frame);
        const uint64_t before = inner->token.start - frame->token.start;
        const uint64_t overlap = whole > before ? whole - before : 0;
        add_inside(frame - 1, frame, whole);
        inner->inside += overlap;
        inner->overlap += overlap;
    } else {
        thread->open[frame->slot->apply->op->index]--;
        if (feed_here() && frame->feeds == feeds_now())
            proftop_fail(feed_here(), frame->slot->id, frame->token);
        add(&thread->dropped, 1);
    }
    memmove(frame, inner, (thread->depth - at) * sizeof *frame);
    thread->depth--;
}

/* ---------------------------------------------------------------------------- runs across threads
 *
 * Runs apart, oldest first; and keys whose runs ended on a thread that had not begun them. Both are
 * rare: collectives, and futures of other threads.
 *
 * A run apart is no part of a thread. So nested_show() shows the oldest one that waits as a run of
 * the thread that calls it, once it has been the oldest for a while. Of runs that wait side by
 * side, the oldest has the time: all their times together are then the time in which any was open.
 * Times are in units of the feed's clock. */

enum { APART = 1024, STRAYS = 64 };
static struct apart {
    const void *key; /* NULL: it has ended, and nested_show() is to count it */
    struct slot *slot;
    proftop_id id;
    unsigned feeds;
    uint64_t begun;
    uint64_t from; /* since when it has the time of those that wait; 0: an older one has it */
    uint64_t own;  /* of one that has ended */
} aparts[APART];
static _Atomic unsigned n_apart;
static _Atomic uint64_t turns; /* begins and ends of runs that wait */
static struct {
    const struct slot *slot;    /* of the oldest run at the last look; NULL: none */
    uint64_t begun;             /* of that run */
    struct proftop_token token; /* start 0: it is not shown */
    proftop_id id;
    unsigned feeds;
} shown;
static struct {
    const void *key[STRAYS];
    _Atomic unsigned count;
} strays;
static pthread_mutex_t across = PTHREAD_MUTEX_INITIALIZER; /* of all three */

/* The feed's clock, by a run that does not count. 0: the feed counts nothing now. */
static uint64_t stamp(proftop_id id)
{
    struct proftop_token token = proftop_begin(feed_here(), id);
    if (token.start != 0)
        proftop_fail(feed_here(), id, token);
    return token.start > PROFTOP_UNTIMED ? token.start : 0;
}

static int waits(const struct apart *run)
{
    return run->key != NULL && run->slot->apply->op->waits == PROFTOP_WAITS_FOR_JOBS;
}

/* The oldest run that waits; n_apart: there is none. The lock is held. */
static unsigned oldest_wait(void)
{
    unsigned at = 0;
    while (at < n_apart && !waits(&aparts[at]))
        at++;
    return at;
}

static void remove_apart(unsigned at)
{
    memmove(&aparts[at], &aparts[at + 1], (n_apart - at - 1) * sizeof *aparts);
    atomic_fetch_sub(&n_apart, 1);
}

/* Counts a run that has ended. Any thread. */
static void count_apart(const struct apart *run)
{
    const uint64_t now = stamp(run->id);
    const struct proftop_token token = {now - run->own, 0};
    if (now > run->own + PROFTOP_UNTIMED)
        proftop_end_nested(feed_here(), run->id, token, 0);
}

static int is_shown(const struct apart *run)
{
    return shown.slot == run->slot && shown.begun == run->begun;
}

static void add_apart(const void *key, struct slot *slot)
{
    const uint64_t now = stamp(slot->id);
    unsigned at = 0;
    while (at < n_apart && aparts[at].key != key)
        at++;
    if (at < n_apart)
        remove_apart(at); /* its end was lost */
    if (now == 0 || n_apart == APART)
        return;
    struct apart *run = &aparts[n_apart];
    *run = (struct apart){key, slot, slot->id, slot->feeds, now, now, 0};
    if (waits(run) && oldest_wait() < n_apart)
        run->from = 0;
    atomic_fetch_add(&turns, waits(run));
    atomic_fetch_add(&n_apart, 1);
}

void nested_begin_apart(unsigned kind, const char *name, const void *key)
{
    struct thread *thread = here ? here : thread_new();
    struct slot *slot = thread && feed_or_open()
                            ? look_up(thread, kind | APART_KIND, name, NULL, root_function())
                            : NULL;
    if (!slot)
        return;
    if (slot->feeds != feeds_now() || slot->id == PROFTOP_NONE)
        renew(slot, feeds_now());
    add(&thread->events, 1);
    pthread_mutex_lock(&across);
    if (n_apart == APART)
        add(&thread->skipped, 1);
    add_apart(key, slot);
    pthread_mutex_unlock(&across);
}

/* The next oldest run that waits has the time from now on. */
static void hand_over(uint64_t now)
{
    const unsigned at = oldest_wait();
    if (at < n_apart && aparts[at].from == 0)
        aparts[at].from = now;
}

/* Ends a run apart. Returns 0 if there is none of this key. */
static int end_apart(const void *key)
{
    unsigned at = 0;
    pthread_mutex_lock(&across);
    while (at < n_apart && aparts[at].key != key)
        at++;
    const int found = at < n_apart;
    struct apart run = found ? aparts[at] : (struct apart){.key = NULL};
    const int counts = found && feed_here() && run.feeds == feeds_now();
    const uint64_t now = counts ? stamp(run.id) : 0;
    if (counts && now > run.begun)
        add(&run.slot->inclusive, now - run.begun);
    atomic_fetch_add(&turns, found && waits(&run));
    run.own = run.from != 0 && now > run.from ? now - run.from : 0;
    run.key = NULL;
    if (counts && shown.token.start != 0 && is_shown(&run))
        aparts[at] = run; /* shown and counted at once, it would have its time twice */
    else if (found)
        remove_apart(at);
    if (counts && !(shown.token.start != 0 && is_shown(&run)))
        count_apart(&run);
    if (found)
        hand_over(now);
    pthread_mutex_unlock(&across);
    return found;
}

/* Ends what is shown. The lock is held. */
static void hide(void)
{
    for (unsigned at = n_apart; at > 0; at--)
        if (aparts[at - 1].key == NULL) {
            const struct apart run = aparts[at - 1];
            remove_apart(at - 1);
            if (feed_here() && run.feeds == feeds_now())
                count_apart(&run);
        }
    if (shown.token.start != 0 && feed_here() && shown.feeds == feeds_now())
        proftop_fail(feed_here(), shown.id, shown.token);
    shown.token.start = 0;
}

void nested_show(const char *name)
{
    static unsigned named; /* number of the feed in which this thread has its name */
    pthread_mutex_lock(&across);
    const unsigned at = oldest_wait();
    const int is_there = at < n_apart && is_shown(&aparts[at]);
    if (!is_there)
        hide();
    const struct apart *run = at < n_apart ? &aparts[at] : NULL;
    if (run && is_there && shown.token.start == 0 && feed_here() && run->feeds == feeds_now()) {
        if (named != feeds_now())
            proftop_thread_name(feed_here(), name);
        named = feeds_now();
        shown.token = proftop_begin(feed_here(), run->id);
    }
    shown.slot = run ? run->slot : NULL;
    shown.begun = run ? run->begun : 0;
    shown.id = run ? run->id : PROFTOP_NONE;
    shown.feeds = run ? run->feeds : 0;
    pthread_mutex_unlock(&across);
}

uint64_t nested_waits(void)
{
    return atomic_load(&turns);
}

void nested_hide(void)
{
    pthread_mutex_lock(&across);
    hide();
    shown.slot = NULL;
    pthread_mutex_unlock(&across);
}

static void add_stray(struct thread *thread, const void *key)
{
    add(&thread->orphans, 1);
    pthread_mutex_lock(&across);
    strays.key[strays.count % STRAYS] = key;
    atomic_fetch_add(&strays.count, 1);
    pthread_mutex_unlock(&across);
}

/* Drops runs of this thread that ended on another one. */
static __attribute__((noinline, cold)) void drop_strays(struct thread *thread)
{
    pthread_mutex_lock(&across);
    const unsigned count = strays.count;
    const unsigned missed = count - thread->strays < STRAYS ? count - thread->strays : STRAYS;
    /* Some keys are forgotten: any run of this thread may have been among them. */
    while (count - thread->strays > STRAYS && thread->depth > 0)
        remove_frame(thread, thread->depth, 0);
    for (unsigned i = count - missed; i != count; i++)
        for (unsigned at = thread->depth; at > 0; at--)
            if (thread->frame[at].key == strays.key[i % STRAYS])
                remove_frame(thread, at, 0);
    pthread_mutex_unlock(&across);
    thread->strays = count;
}

/* ----------------------------------------------------------------------------------- begin, end */

void nested_begin(unsigned kind, const char *name, const void *key)
{
    struct thread *thread = here ? here : thread_new();
    struct proftop *feed = feed_or_open();
    if (!thread || !feed)
        return;
    add(&thread->events, 1);
    if (__builtin_expect(
            atomic_load_explicit(&strays.count, memory_order_relaxed) != thread->strays, 0))
        drop_strays(thread);
    if (thread->depth == NESTED_DEPTH) {
        thread->deeper++;
        add(&thread->skipped, 1);
        return;
    }
    struct frame *outer = &thread->frame[thread->depth], *frame = outer + 1;
    const struct op *caller = outer->slot ? outer->slot->apply->op : NULL;
    const unsigned function = outer->slot ? outer->slot->function : root_function();
    struct slot *hint = outer->last ? outer->last->after : outer->slot ? outer->slot->first : NULL;
    struct slot *slot = hint;
    if (__builtin_expect(!fits(hint, kind, name, caller, function), 0)) {
        slot = look_up(thread, kind, name, caller, function);
        if (!slot)
            return;
        if (outer->last)
            outer->last->after = slot;
        else if (outer->slot)
            outer->slot->first = slot;
    }
    outer->last = slot;
    const unsigned feeds = feeds_now();
    if (__builtin_expect(slot->feeds != feeds || slot->id == PROFTOP_NONE, 0))
        renew(slot, feeds);
    frame->key = key;
    frame->slot = slot;
    frame->last = NULL;
    frame->inside = frame->overlap = 0;
    frame->feeds = feeds;
    frame->cut = atomic_load_explicit(&cuts, memory_order_relaxed);
    frame->outermost = thread->open[slot->apply->op->index]++ == 0;
    __atomic_store_n(&thread->depth, thread->depth + 1, __ATOMIC_RELEASE);
    frame->token = proftop_begin(feed, slot->id);
    if (thread->depth == 1 && frame->token.start > PROFTOP_UNTIMED)
        stretch(thread, slot->function, frame->token.start);
}

/* Ends the run of this key. */
static inline int end_run(const void *key, int is_known)
{
    struct thread *thread = here;
    if (!thread && is_known && n_apart == 0)
        return -1;
    unsigned at = thread ? thread->depth : 0;
    while (at > 0 && thread->frame[at].key != key)
        at--;
    if (__builtin_expect(at == 0, 0)) {
        if (n_apart > 0 && end_apart(key))
            return -1;
        if (thread && thread->deeper > 0)
            thread->deeper--;
        else if (is_known && thread)
            add_stray(thread, key);
        return -1;
    }
    if (__builtin_expect(at < thread->depth, 0))
        remove_frame(thread, at, 1);
    else
        pop(thread);
    return (int)thread->depth;
}

int nested_end(const void *key)
{
    return end_run(key, 1);
}

int nested_end_if_open(const void *key)
{
    return end_run(key, 0);
}

int nested_end_inner(const void *key)
{
    struct thread *thread = here;
    if (!thread)
        return -1;
    if (thread->deeper > 0) {
        thread->deeper--;
        return NESTED_DEPTH;
    }
    unsigned at = thread->depth;
    while (at > 0 && thread->frame[at].key != key)
        at--;
    if (at == 0) {
        add(&thread->orphans, 1);
        return -1;
    }
    while (thread->depth >= at)
        pop(thread);
    return (int)thread->depth;
}

/* -------------------------------------------------------------------------------------- details */

/* Takes the lock. Returns what is known of an apply, to be changed; NULL: out of memory. */
static struct detail *change_detail(struct apply *apply)
{
    pthread_mutex_lock(&lock);
    if (!apply->detail)
        apply->detail = calloc(1, sizeof *apply->detail);
    return apply->detail;
}

/* Releases the lock. An apply that is not defined in this feed is published once it is. */
static void end_change(const struct apply *apply)
{
    if (apply->detail && feed_here() && apply->feeds == feeds_now() && apply->id != PROFTOP_NONE)
        publish_detail(apply);
    pthread_mutex_unlock(&lock);
}

enum { INPUTS_NS = 100000000 }; /* between two rows whose inputs are told again */
static _Atomic uint64_t next_inputs_ns;
static _Atomic unsigned rows_with_inputs;

int nested_inputs_due(const void *key)
{
    struct thread *thread = here;
    const struct frame *frame = thread ? &thread->frame[thread->depth] : NULL;
    struct timespec coarse;
    if (!frame || thread->depth == 0 || frame->key != key)
        return 0;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &coarse);
    const uint64_t now = (uint64_t)coarse.tv_sec * 1000000000u + (uint64_t)coarse.tv_nsec;
    struct slot *slot = frame->slot;
    if (slot->told_inputs_ns != 0) {
        uint64_t next = load(&next_inputs_ns);
        if (now < next || now - slot->told_inputs_ns < (uint64_t)INPUTS_NS * rows_with_inputs ||
            !atomic_compare_exchange_strong(&next_inputs_ns, &next, now + INPUTS_NS))
            return 0;
    } else {
        atomic_fetch_add(&rows_with_inputs, 1);
    }
    slot->told_inputs_ns = now;
    return 1;
}

void nested_inputs(const struct nested_value *value, unsigned count)
{
    struct apply *apply = here && here->depth > 0 ? here->frame[here->depth].slot->apply : NULL;
    struct detail *detail = apply ? change_detail(apply) : NULL;
    if (!apply)
        return;
    if (detail) {
        detail->values = count < NESTED_VALUES ? count : NESTED_VALUES;
        memcpy(detail->value, value, detail->values * sizeof *value);
    }
    end_change(apply);
}

/* ---------------------------------------------------------------------------------------- lines */

enum { SEVERAL = 2 }; /* hashes of lines are odd */

unsigned nested_first_runs(void)
{
    struct thread *thread = atomic_load(&first_thread);
    const unsigned depth = thread ? __atomic_load_n(&thread->depth, __ATOMIC_ACQUIRE) : 0;
    return depth < NESTED_DEPTH ? depth : NESTED_DEPTH;
}

/* A row has a line if four of five samples at least are of it. Several lines may run it, such as
 * in modules of one class; none of them has its time then. */
static void give_line(struct slot *slot, uint64_t hash, const char *line)
{
    slot->samples++;
    slot->votes += slot->line == hash ? 1 : -1;
    if (slot->votes <= 0) {
        slot->line = hash;
        slot->votes = 1;
    }
    const int is_one = slot->votes * 5 >= slot->samples * 3;
    if (slot->shown == (is_one ? slot->line : SEVERAL) || (is_one && slot->line != hash))
        return;
    slot->shown = is_one ? hash : SEVERAL;
    line = is_one ? line : "(several lines)";
    struct detail *detail = change_detail(slot->apply);
    char *copy = detail ? strdup(line) : NULL;
    if (copy) {
        free(detail->line);
        detail->line = copy;
    }
    end_change(slot->apply);
}

/* The thread goes on meanwhile, inside one call of Python's: each slot that is read is of a run
 * that was open in that call. Slots stay valid. */
void nested_line(const char *line)
{
    const unsigned runs = line ? nested_first_runs() : 0;
    struct thread *thread = atomic_load(&first_thread);
    struct slot *slots[NESTED_DEPTH];
    for (unsigned i = 0; i < runs; i++)
        slots[i] = __atomic_load_n(&thread->frame[i + 1].slot, __ATOMIC_RELAXED);
    for (unsigned i = 0; i < runs; i++)
        give_line(slots[i], hash_of(0, line) | 1, line);
}

/* -------------------------------------------------------------------------------------- reading */

uint64_t nested_events(void)
{
    uint64_t sum = 0;
    for (struct thread *thread = atomic_load(&threads); thread; thread = thread->next)
        sum += atomic_load_explicit(&thread->events, memory_order_relaxed);
    return sum;
}

struct nested_stats nested_stats(void)
{
    struct nested_stats stats = {0, 0, 0};
    for (struct thread *thread = atomic_load(&threads); thread; thread = thread->next) {
        stats.orphans += atomic_load_explicit(&thread->orphans, memory_order_relaxed);
        stats.dropped += atomic_load_explicit(&thread->dropped, memory_order_relaxed);
        stats.skipped += atomic_load_explicit(&thread->skipped, memory_order_relaxed);
    }
    return stats;
}

static const struct {
    const char *name, *unit;
} metrics[NESTED_METRICS] = {
    [NESTED_ALLOCATED] = {"alloc", "bytes"},
    [NESTED_FREED] = {"freed", "bytes"},
    [NESTED_DEVICE_NS] = {"device", "ns"},
    [NESTED_DEVICE_ALLOCATED] = {"dev alloc", "bytes"},
    [NESTED_DEVICE_FREED] = {"dev freed", "bytes"},
};

static void publish_sums(struct proftop *feed, struct slot *slot, proftop_id id)
{
    for (int i = 0; i < NESTED_METRICS; i++) {
        const uint64_t now = load(&slot->sum[i]);
        if (now == slot->told_sum[i])
            continue;
        if (inclusive.sum[i] == PROFTOP_NONE)
            inclusive.sum[i] = proftop_metric(feed, metrics[i].name, metrics[i].unit, PROFTOP_SUM);
        if (id != PROFTOP_NONE)
            proftop_metric_add(feed, inclusive.sum[i], id, now - slot->told_sum[i]);
        slot->told_sum[i] = now;
    }
}

static void publish_slot(struct proftop *feed, struct slot *slot)
{
    const uint64_t now = load(&slot->inclusive);
    int is_new = now != slot->told;
    for (int i = 0; i < NESTED_METRICS; i++)
        is_new |= load(&slot->sum[i]) != slot->told_sum[i];
    if (!is_new)
        return;
    pthread_mutex_lock(&lock);
    const proftop_id id = slot->apply->feeds == inclusive.feeds ? slot->apply->id : PROFTOP_NONE;
    pthread_mutex_unlock(&lock);
    publish_sums(feed, slot, id);
    const uint64_t ns = proftop_interval_ns(feed, now - slot->told);
    if (ns == PROFTOP_UNKNOWN)
        return;
    slot->told = now;
    if (id != PROFTOP_NONE && ns > 0)
        proftop_metric_add(feed, inclusive.id, id, ns);
}

void nested_add(enum nested_metric metric, uint64_t more)
{
    struct thread *thread = here;
    if (thread && thread->depth > 0)
        add(&thread->frame[thread->depth].slot->sum[metric], more);
}

void nested_add_to(const struct nested_row *row, enum nested_metric metric, uint64_t more)
{
    atomic_fetch_add_explicit(&((struct slot *)(uintptr_t)row)->sum[metric], more,
                              memory_order_relaxed);
}

const struct nested_row *nested_innermost_row(void)
{
    return here && here->depth > 0 ? (const void *)here->frame[here->depth].slot : NULL;
}

void nested_row_name(const struct nested_row *row, char *text, size_t size)
{
    const struct slot *slot = (const void *)row;
    snprintf(text, size, "%s%s%s", slot->name, slot->caller ? " in " : "",
             slot->caller ? slot->caller->name : "");
}

void nested_on_device(unsigned kind, const char *name, const struct nested_row *caller, uint64_t ns)
{
    struct thread *thread = here ? here : thread_new();
    struct proftop *feed = feed_here();
    const struct slot *outer = (const void *)caller;
    struct slot *slot = thread && feed ? look_up(thread, kind | DEVICE_KIND, name,
                                                 outer ? outer->apply->op : NULL, root_function())
                                       : NULL;
    if (!slot)
        return;
    if (slot->feeds != feeds_now() || slot->id == PROFTOP_NONE)
        renew(slot, feeds_now());
    proftop_record(feed, slot->id, PROFTOP_UNKNOWN);
    nested_add_to((const void *)slot, NESTED_DEVICE_NS, ns);
}

const char *nested_innermost(void)
{
    return here && here->depth > 0 ? here->frame[here->depth].slot->name : NULL;
}

/* Publishes the calls and the time of a function. A thread may change its stretch during the read,
 * and the sum may then be too large for a moment. A published sum never falls. */
static void publish_function(struct proftop *feed, unsigned number)
{
    struct named *function = &functions[number];
    uint64_t calls, time;
    sum_function(number, &calls, &time);
    if (calls < function->base_calls || time < function->base_time)
        return;
    calls -= function->base_calls;
    time -= function->base_time;
    const uint64_t ns = proftop_interval_ns(feed, time);
    if (ns == PROFTOP_UNKNOWN || calls < function->calls || ns < function->ns)
        return;
    if (calls == 0) { /* none of its runs was on a thread: nested_record() */
        proftop_function_unseen(feed, function->id);
        return;
    }
    function->calls = calls;
    function->ns = ns;
    proftop_call_set(feed, function->id, calls, ns);
}

unsigned nested_functions(uint64_t time[NESTED_FUNCTIONS + 1])
{
    uint64_t calls;
    pthread_mutex_lock(&lock);
    const unsigned count = n_functions;
    pthread_mutex_unlock(&lock);
    for (unsigned number = 0; number < count; number++)
        sum_function(number, &calls, &time[number]);
    return count;
}

const char *nested_function(unsigned number)
{
    pthread_mutex_lock(&lock);
    const char *name = number < n_functions ? functions[number].name : NULL;
    pthread_mutex_unlock(&lock);
    return name;
}

static void publish_functions(struct proftop *feed)
{
    const uint64_t ns_of_unit = proftop_interval_ns(feed, 1u << 20);
    if (ns_of_unit != PROFTOP_UNKNOWN && ns_of_unit != 0)
        store(&gap, ((uint64_t)GAP_NS << 20) / ns_of_unit);
    pthread_mutex_lock(&lock);
    const unsigned count = n_functions + (functions[NESTED_FUNCTIONS].name != NULL);
    for (unsigned number = 0; number < count; number++)
        if (functions[number].feeds == feeds_now() && functions[number].id != PROFTOP_NONE)
            publish_function(feed, number);
    pthread_mutex_unlock(&lock);
}

void nested_publish(void)
{
    struct proftop *feed = feed_here();
    if (!feed)
        return;
    publish_functions(feed);
    if (inclusive.feeds != feeds_now()) {
        inclusive.id = proftop_metric(feed, "incl", "ns", PROFTOP_INCLUSIVE);
        inclusive.feeds = feeds_now();
        for (int i = 0; i < NESTED_METRICS; i++)
            inclusive.sum[i] = PROFTOP_NONE;
    }
    for (struct thread *thread = atomic_load(&threads); thread; thread = thread->next)
        for (unsigned at = 0; at < BUCKETS; at++)
            for (struct slot *slot = atomic_load_explicit(&thread->slots[at], memory_order_acquire);
                 slot; slot = slot->next)
                publish_slot(feed, slot);
}

/* The rows of this op are defined anew at their next run. The lock is held. */
static void forget_rows(const struct op *op)
{
    for (unsigned at = 0; at < BUCKETS; at++)
        for (struct apply *apply = applies[at]; apply; apply = apply->next)
            if (apply->op == op)
                apply->feeds = 0;
    for (struct thread *thread = atomic_load(&threads); thread; thread = thread->next)
        for (unsigned at = 0; at < BUCKETS; at++)
            for (struct slot *slot = atomic_load_explicit(&thread->slots[at], memory_order_acquire);
                 slot; slot = slot->next)
                if (slot->apply->op == op)
                    __atomic_store_n(&slot->feeds, 0, __ATOMIC_RELAXED);
}

void nested_describe_again(void)
{
    nested_publish(); /* the rows so far */
    pthread_mutex_lock(&lock);
    for (unsigned at = 0; at < BUCKETS; at++)
        for (struct op *op = ops[at]; op; op = op->next) {
            const uint32_t waits = host->describe(op->kind % APART_KIND, op->name).waits;
            if (waits == op->waits)
                continue;
            op->waits = waits;
            forget_rows(op);
        }
    pthread_mutex_unlock(&lock);
}

static void lock_all(void)
{
    pthread_mutex_lock(&across);
    pthread_mutex_lock(&lock);
}

static void unlock_all(void)
{
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&across);
}

static void tell_nothing(struct slot *slot)
{
    slot->told = load(&slot->inclusive);
    for (int i = 0; i < NESTED_METRICS; i++)
        slot->told_sum[i] = load(&slot->sum[i]);
}

/* The child counts from 0, under the ids of its parent, and has this thread alone. */
static void begin_child(void)
{
    for (struct thread *thread = atomic_load(&threads); thread; thread = thread->next) {
        for (unsigned at = 0; at < BUCKETS; at++)
            for (struct slot *slot = atomic_load(&thread->slots[at]); slot; slot = slot->next)
                tell_nothing(slot);
        if (thread != here)
            atomic_store(&thread->taken, 0);
    }
    for (unsigned number = 0; number <= NESTED_FUNCTIONS; number++)
        begin_function(&functions[number], number);
    atomic_store(&n_apart, 0);
    shown.token.start = 0;
    shown.slot = NULL;
    atomic_store(&first_thread, here);
    unlock_all();
}

static void watch(void)
{
    pthread_atfork(lock_all, unlock_all, begin_child);
}

void nested_start(const struct nested_host *counts)
{
    static pthread_once_t watched = PTHREAD_ONCE_INIT;
    pthread_once(&watched, watch);
    host = counts;
}

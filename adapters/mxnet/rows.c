/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * rows.c: maps names of MXNet to ids of the feed: functions, ops, and one apply for each node.
 *
 * Tables are bounded. Names that a job makes for each step (node_123) are left out. An op with many
 * nodes has one row for the rest. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "adapters/mxnet/rows.h"

enum { BUCKETS = 4096, NODES_MOST = 512, NAME_MOST = 16000, FAMILY_MOST = 1024 };

pthread_mutex_t rows_lock = PTHREAD_MUTEX_INITIALIZER;
static struct op *ops[BUCKETS];
static struct row *rows[BUCKETS];
static unsigned feeds; /* number of the feed of all ids in the tables */

struct function {
    const void *object;
    const char *name;
    proftop_id id;    /* PROFTOP_NONE: not defined yet */
    uint32_t applies; /* number of its applies */
    int is_executor;
};
static struct function functions[FUNCTIONS_MOST] = {
    [FUNCTION_IMPERATIVE] = {.name = "imperative"},
    [FUNCTION_BACKWARD] = {.name = "backward"},
    [FUNCTION_ENGINE] = {.name = "engine"},
    [FUNCTION_API] = {.name = "C API"},
};
static unsigned n_functions = FUNCTIONS_FIXED;
int rows_by_shapes;

__attribute__((constructor)) static void start(void)
{
    const char *setting = getenv("PROFTOP_MXNET_SHAPES");
    rows_by_shapes = setting && strcmp(setting, "1") == 0;
    for (unsigned i = 0; i < FUNCTIONS_MOST; i++)
        functions[i].id = PROFTOP_NONE;
}

/* Clears the tables under another feed, where the ids are invalid. Old rows stay in memory: threads
 * may use them. */
static void renew(void)
{
    if (feeds == mxnet_feeds())
        return;
    feeds = mxnet_feeds();
    memset(ops, 0, sizeof ops);
    memset(rows, 0, sizeof rows);
    for (unsigned i = 0; i < FUNCTIONS_MOST; i++)
        functions[i].id = PROFTOP_NONE;
}

/* ------------------------------------------------------------------------------------ functions */

static unsigned find_function(const void *object)
{
    for (unsigned i = n_functions; i-- > FUNCTIONS_FIXED;)
        if (functions[i].object == object)
            return i;
    return 0;
}

static unsigned add_function(const void *object, const char *name, int is_executor)
{
    if (n_functions == FUNCTIONS_MOST)
        return FUNCTIONS_MOST - 1;
    struct function *function = &functions[n_functions];
    function->object = object;
    function->name = name ? strdup(name) : NULL;
    function->is_executor = is_executor;
    return n_functions++;
}

unsigned function_of(const void *object, int is_executor)
{
    static __thread const void *last;
    static __thread unsigned found;
    if (last == object && functions[found].object == object)
        return found;
    pthread_mutex_lock(&rows_lock);
    unsigned number = find_function(object);
    if (number == 0)
        number = add_function(object, NULL, is_executor);
    pthread_mutex_unlock(&rows_lock);
    last = object;
    found = number;
    return number;
}

void mxnet_function_name(const void *object, const char *name)
{
    pthread_mutex_lock(&rows_lock);
    unsigned number = find_function(object);
    const char *known = number != 0 ? functions[number].name : NULL;
    int is_same = known && strcmp(known, name) == 0;
    if (number != 0 && !is_same)
        functions[number].object = NULL;
    if (!is_same)
        add_function(object, name, 0);
    pthread_mutex_unlock(&rows_lock);
}

/* The lock must be held. */
static proftop_id define_function(unsigned number)
{
    struct function *function = &functions[number];
    char name[64];
    struct proftop_function_info info = {.size = sizeof info, .name = function->name};
    if (function->id != PROFTOP_NONE)
        return function->id;
    if (!info.name) {
        snprintf(name, sizeof name, "%s %u", function->is_executor ? "Executor" : "CachedOp",
                 number - FUNCTIONS_FIXED + 1);
        info.name = name;
    }
    info.source = number < FUNCTIONS_FIXED && number != FUNCTION_BACKWARD ? PROFTOP_ABSENT
                                                                           : PROFTOP_TIMED;
    function->id = proftop_function(mxnet_feed_here(), &info);
    return function->id;
}

proftop_id function_id(unsigned number)
{
    if (feeds == mxnet_feeds() && functions[number].id != PROFTOP_NONE)
        return functions[number].id;
    pthread_mutex_lock(&rows_lock);
    renew();
    proftop_id id = define_function(number);
    pthread_mutex_unlock(&rows_lock);
    return id;
}

/* Pushed operators, by address. A new operator at an old address replaces the entry when it is
 * pushed. */
enum { KEPT = 16384 };
static struct {
    _Atomic(const void *) operator_;
    _Atomic unsigned function;
} kept[KEPT];

static unsigned place_of(const void *operator_)
{
    return (unsigned)(((uintptr_t)operator_ >> 4) * 0x9e3779b97f4a7c15u >> 50) % KEPT;
}

void function_keep(const void *operator_, unsigned function)
{
    unsigned at = place_of(operator_);
    for (unsigned tries = 0; tries < 64; tries++, at = (at + 1) % KEPT) {
        const void *there = atomic_load_explicit(&kept[at].operator_, memory_order_acquire);
        if (there == NULL) {
            atomic_store_explicit(&kept[at].function, function, memory_order_relaxed);
            if (!atomic_compare_exchange_strong(&kept[at].operator_, &there, operator_) &&
                there != operator_)
                continue;
        }
        if (there == NULL || there == operator_) {
            if (atomic_load_explicit(&kept[at].function, memory_order_relaxed) != function)
                atomic_store_explicit(&kept[at].function, function, memory_order_relaxed);
            return;
        }
    }
}

unsigned function_kept(const void *operator_)
{
    unsigned at = place_of(operator_);
    for (unsigned tries = 0; tries < 64; tries++, at = (at + 1) % KEPT) {
        const void *there = atomic_load_explicit(&kept[at].operator_, memory_order_acquire);
        if (there == operator_)
            return atomic_load_explicit(&kept[at].function, memory_order_relaxed);
        if (there == NULL)
            break;
    }
    return FUNCTION_IMPERATIVE;
}

/* ---------------------------------------------------------------------------------------- scopes
 * Scopes of Gluon, by function and node. Never freed. */

enum { SCOPES_MOST = 65536 };
static struct scope {
    struct scope *next;
    uint64_t hash;
    char *name;
} *scopes[BUCKETS];
static unsigned n_scopes;

static struct scope *find_scope(uint64_t hash)
{
    struct scope *scope = scopes[hash % BUCKETS];
    while (scope && scope->hash != hash)
        scope = scope->next;
    return scope;
}

void mxnet_node_scope(const void *object, const char *node, const char *name)
{
    pthread_mutex_lock(&rows_lock);
    unsigned function = find_function(object);
    uint64_t hash = hash_text(function, (struct text){node, strlen(node)});
    struct scope *scope = function == 0 || n_scopes == SCOPES_MOST || find_scope(hash)
                              ? NULL
                              : calloc(1, sizeof *scope);
    if (scope && (scope->name = strdup(name))) {
        scope->hash = hash;
        scope->next = scopes[hash % BUCKETS];
        scopes[hash % BUCKETS] = scope;
        n_scopes++;
    } else
        free(scope);
    pthread_mutex_unlock(&rows_lock);
}

/* The scope of a node or of its gradient, or NULL. The lock must be held. */
static const char *scope_of(unsigned function, struct text node)
{
    static const char gradient[] = "_backward";
    const size_t end = sizeof gradient - 1;
    if (node.length > end && memcmp(node.at + node.length - end, gradient, end) == 0)
        node.length -= end;
    const struct scope *scope = find_scope(hash_text(function, node));
    return scope ? scope->name : NULL;
}

/* ---------------------------------------------------------------------------------------- names */

static int begins(struct text text, const char *with)
{
    size_t length = strlen(with);
    return text.length >= length && memcmp(text.at, with, length) == 0;
}

/* True for operators of the engine's own housekeeping. */
int row_is_internal(struct text name)
{
    static const char *const names[] = {"WaitForVar",      "DeleteVariable", "DeleteOperator",
                                        "SetupExec",       "SetFlushDenorms", "SetValueOp",
                                        "ImperativeBulk",  "(unnamed)",      "queue"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (text_is(name, names[i]))
            return 1;
    return begins(name, "Resource");
}

/* True for pushes and pulls between workers and servers of a kvstore. */
static int is_communication(struct text name)
{
    return begins(name, "KVStore");
}

/* True if the runs of an op are never counted by begin and end on one thread: other rows lie
 * inside, or they end on another thread. For other ops this is found out while they run. */
static int holds_others(struct text name)
{
    return begins(name, "ImperativeBulk") || begins(name, "Custom") ||
           begins(name, "_backward_Custom") || is_communication(name) ||
           memchr(name.at, ',', name.length) != NULL;
}

/* The family of an op: its name without the prefixes of its variants. */
static void class_of(struct text name, char *to, size_t size)
{
    static const char *const prefixes[] = {"_backward_", "_contrib_", "_npi_",    "_npx_",
                                           "_np_",       "_sg_",      "_sparse_", "_image_",
                                           "_copyto_"};
    if (row_is_internal(name)) {
        snprintf(to, size, "engine");
        return;
    }
    if (memmem(name.at, name.length, "::", 2)) {
        snprintf(to, size, "Custom Operator");
        return;
    }
    if (is_communication(name)) {
        snprintf(to, size, "communication");
        return;
    }
    if (memchr(name.at, ',', name.length)) {
        snprintf(to, size, "segment of an executor");
        return;
    }
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (begins(name, prefixes[i])) {
            name.at += strlen(prefixes[i]);
            name.length -= strlen(prefixes[i]);
            i = (size_t)-1; /* there may be several prefixes */
        }
    size_t length = name.length < FAMILY_MOST ? name.length : FAMILY_MOST;
    snprintf(to, size, "%.*s", (int)length, name.at);
}

int text_is_generated(struct text node)
{
    if (!begins(node, "node_"))
        return 0;
    size_t at = 5;
    while (at < node.length && node.at[at] >= '0' && node.at[at] <= '9')
        at++;
    node.at += at;
    node.length -= at;
    return at > 5 && (node.length == 0 || text_is(node, "_backward"));
}

void key_from_attributes(struct row_key *key, const char *attributes, char room[NAME_ROOM])
{
    static const char backward[] = "_backward_";
    const char *op = layout_pointer(attributes, layout->attributes_op);
    key->op = op ? string_at(op, 0) : TEXT("");
    key->node = string_at(attributes, layout->attributes_name);
    int is_backward = begins(key->op, backward);
    struct text plain = key->op;
    if (is_backward) {
        plain.at += sizeof backward - 1;
        plain.length -= sizeof backward - 1;
    }
    if (text_is(plain, "CustomFunction")) /* an autograd.Function: its operators have rows as
                                           * well */
        key->waits = PROFTOP_ASIDE;
    if (!text_is(plain, "Custom"))
        return;
    const char *custom = layout_pointer(attributes, layout->attributes_custom);
    struct text name = custom ? string_at(custom, 0) : plain;
    size_t most = name.length < NAME_ROOM / 2 ? name.length : NAME_ROOM / 2;
    int length =
        snprintf(room, NAME_ROOM, "%s%.*s", is_backward ? backward : "", (int)most, name.at);
    key->op = (struct text){room, (size_t)length};
    /* Its Python code and the operators that it calls have rows of their own. */
    key->waits = PROFTOP_ASIDE;
}

void device_name(char *to, size_t size, int type, int number)
{
    static const char *const types[] = {
        [1] = "cpu", [2] = "gpu", [3] = "cpu pinned", [5] = "cpu shared"};
    int known = type > 0 && type < (int)(sizeof types / sizeof *types) && types[type];
    to[0] = '\0';
    if (known)
        snprintf(to, size, "%s/%d", types[type], number);
}

/* Adds the kind of the device's thread to a device's name, unless it is a normal one. The numbers
 * are FnProperty in MXNet's include/mxnet/engine.h. */
static void add_lane(char *device, size_t size, int lane)
{
    static const char *const lanes[] = {
        [1] = "copy", [2] = "copy", [3] = "priority", [4] = "async", [5] = "delete",
        [6] = "priority"};
    size_t used = strlen(device);
    if (lane > 0 && lane < (int)(sizeof lanes / sizeof *lanes))
        snprintf(device + used, size - used, " %s", lanes[lane]);
}

struct text text_stripped(struct text name, char *room, size_t size)
{
    size_t to = 0, depth = 0;
    if (name.length && name.at[0] == '[') {
        name.at++;
        name.length--;
    }
    if (name.length && name.at[name.length - 1] == ']')
        name.length--;
    if (!memchr(name.at, '{', name.length))
        return name;
    for (size_t i = 0; i < name.length && to < size; i++) {
        depth += name.at[i] == '{';
        if (depth == 0)
            room[to++] = name.at[i];
        depth -= name.at[i] == '}' && depth > 0;
    }
    return (struct text){room, to};
}

static size_t put_shape(char *to, size_t size, const struct layout_value *value)
{
    size_t used = (size_t)snprintf(to, size, " (");
    for (uint32_t i = 0; value->rank <= LAYOUT_RANK && i < value->rank && used < size; i++)
        used += (size_t)snprintf(to + used, size - used, i ? ",%llu" : "%llu",
                                 (unsigned long long)value->shape[i]);
    used += used < size ? (size_t)snprintf(to + used, size - used, ")") : 0;
    return used < size ? used : 0; /* a truncated shape would look like another shape */
}

void key_add_shapes(struct row_key *key, const struct layout_values *values, char room[NAME_ROOM])
{
    int generated = key->function < FUNCTIONS_FIXED && text_is_generated(key->node);
    struct text name = key->node.length && !generated ? key->node : key->op;
    size_t used = name.length < NAME_ROOM / 2 ? name.length : NAME_ROOM / 2;
    if (values->inputs == 0)
        return;
    memcpy(room, name.at, used);
    key->named = used;
    for (unsigned i = 0; i < values->inputs; i++)
        used += put_shape(room + used, NAME_ROOM - used, &values->value[i]);
    key->node = (struct text){room, used};
}

/* ----------------------------------------------------------------------------------------- rows */

/* The class of a family: from another op of the family, or a new class. The lock must be held. */
static proftop_id class_id(const char *family)
{
    for (size_t i = 0; i < BUCKETS; i++)
        for (const struct op *op = ops[i]; op; op = op->next)
            if (strcmp(op->family, family) == 0)
                return op->op_class;
    return proftop_class(mxnet_feed_here(), family);
}

static struct op *op_of(const struct row_key *key)
{
    struct text name = key->op;
    uint64_t hash = hash_text(1, name);
    struct op **bucket = &ops[hash % BUCKETS], *op;
    for (op = *bucket; op; op = op->next)
        if (op->hash == hash && text_is(name, op->name))
            return op;
    char family[FAMILY_MOST + 1];
    op = calloc(1, sizeof *op);
    if (!key->family)
        class_of(name, family, sizeof family);
    if (!op || !(op->name = strndup(name.at, name.length)) ||
        !(op->family = strdup(key->family ? key->family : family))) {
        free(op); /* leaks at most one name */
        return NULL;
    }
    op->hash = hash;
    op->op_class = class_id(op->family);
    op->id = proftop_op(mxnet_feed_here(), op->op_class, op->name);
    op->plain = op;
    op->holds = holds_others(name) ? HOLDS_OTHERS : HOLDS_NOTHING;
    op->next = *bucket;
    *bucket = op;
    const char *behind = memmem(name.at, name.length, "::", 2);
    if (behind) { /* the engine's name of the op */
        struct row_key plain = {.op = {behind + 2, name.length - (size_t)(behind + 2 - name.at)}};
        struct op *found = plain.op.length ? op_of(&plain) : NULL;
        op->plain = found ? found->plain : op;
    }
    return op;
}

static void describe(const struct row *row, proftop_id apply, const struct layout_values *values)
{
    struct proftop_value_info info[LAYOUT_VALUES];
    struct proftop_apply_detail_info detail = PROFTOP_APPLY_DETAIL;
    char device[32];
    if (values) {
        for (unsigned i = 0; i < values->inputs + values->outputs; i++)
            info[i] = (struct proftop_value_info){.dtype = values->value[i].dtype,
                                                  .shape = values->value[i].shape,
                                                  .rank = values->value[i].rank,
                                                  .bytes = values->value[i].bytes};
        detail.input = info;
        detail.inputs = values->inputs;
        detail.output = info + values->inputs;
        detail.outputs = values->outputs;
    }
    device_name(device, sizeof device, row->device_type, row->device_id);
    if (device[0])
        add_lane(device, sizeof device, row->lane);
    detail.device = device[0] ? device : NULL;
    proftop_apply_detail(mxnet_feed_here(), apply, &detail);
}

proftop_id row_define(struct row *row, enum row_way way, const struct layout_values *values)
{
    static const enum proftop_source sources[ROW_WAYS] = {
        [ROW_TIMED] = PROFTOP_TIMED, [ROW_GIVEN] = PROFTOP_GIVEN, [ROW_SET] = PROFTOP_SET};
    pthread_mutex_lock(&rows_lock);
    proftop_id apply = row->apply[way];
    if (apply == PROFTOP_NONE) {
        struct proftop_apply_info info = {
            .size = sizeof info,
            .function = define_function(row->function),
            .op = row->op->id,
            .text = row->node,
            .location = row->scope,
            .source = sources[way],
            .kind = row->kind,
            .impl = PROFTOP_IMPL_C,
            .waits = row->waits,
            .index = functions[row->function].applies++,
        };
        apply = proftop_apply(mxnet_feed_here(), &info);
        if (apply != PROFTOP_NONE)
            describe(row, apply, values);
        row->apply[way] = apply;
    }
    pthread_mutex_unlock(&rows_lock);
    return apply;
}

/* This and all functions below need the lock. */
static struct row *add_row(const struct row_key *key, struct op *op, uint64_t hash)
{
    struct row *row = calloc(1, sizeof *row);
    if (!row)
        return NULL;
    row->hash = hash;
    row->op = op;
    row->feeds = feeds;
    row->node = key->node.length ? strndup(key->node.at, key->node.length) : NULL;
    row->function = key->function;
    if (row->node)
        row->scope = scope_of(key->function, (struct text){key->node.at,
                                                           key->named ? key->named
                                                                      : key->node.length});
    row->kind = key->kind;
    row->device_type = key->device_type;
    row->device_id = key->device_id;
    row->lane = key->lane;
    row->waits = key->waits;
    for (int way = 0; way < ROW_WAYS; way++)
        row->apply[way] = PROFTOP_NONE;
    op->nodes += row->node != NULL;
    row->next = rows[hash % BUCKETS];
    rows[hash % BUCKETS] = row;
    return row;
}

/* The key of a row. Among 100,000 rows two have the same hash in one of 10^9 processes. */
static uint64_t hash_key(const struct row_key *key)
{
    return hash_text(hash_text(key->function, key->op), key->node);
}

static struct row *find_row(uint64_t hash)
{
    struct row *row = rows[hash % BUCKETS];
    while (row && row->hash != hash)
        row = row->next;
    return row;
}

/* The row of a key that is not in this thread's cache. The engine's own operators belong to one
 * function. An op that has many nodes already has one row for later ones. */
static struct row *row_of_uncached(struct row_key *key, uint64_t hash)
{
    if (key->kind != PROFTOP_CALL && row_is_internal(key->op)) {
        key->function = FUNCTION_ENGINE;
        key->kind = PROFTOP_IMPERATIVE;
        hash = hash_key(key);
    }
    struct row *row = find_row(hash);
    struct op *op = row ? row->op : op_of(key);
    if (row || !op)
        return row;
    if (op->nodes >= NODES_MOST && key->node.length) {
        key->node = TEXT("(more nodes)");
        hash = hash_key(key);
        row = find_row(hash);
    }
    return row ? row : add_row(key, op, hash);
}

/* Normalises a key. */
static inline void fold(struct row_key *key)
{
    if (key->function < FUNCTIONS_FIXED && key->node.length && text_is_generated(key->node))
        key->node.length = 0;
    if (key->op.length == 0)
        key->op = TEXT("(unnamed)");
    if (key->op.length > NAME_MOST)
        key->op.length = NAME_MOST;
    if (key->node.length > NAME_MOST)
        key->node.length = NAME_MOST;
}

static struct row *row_slowly(struct thread *thread, struct row_key *key, uint64_t hash)
{
    unsigned at = (unsigned)hash % CACHE;
    if (thread->feeds != mxnet_feeds()) {
        thread->feeds = mxnet_feeds();
        memset(thread->cache, 0, sizeof thread->cache);
        memset(thread->api_rows, 0, sizeof thread->api_rows);
    }
    pthread_mutex_lock(&rows_lock);
    renew();
    struct row *row = row_of_uncached(key, hash);
    pthread_mutex_unlock(&rows_lock);
    if (!row)
        return NULL;
    thread->cache[at].hash = hash;
    thread->cache[at].row = row;
    return row;
}

struct row *row_of(struct row_key *key)
{
    struct thread *thread = thread_get();
    if (!thread || !mxnet_feed_here())
        return NULL;
    fold(key);
    uint64_t hash = hash_key(key);
    unsigned at = (unsigned)hash % CACHE;
    if (thread->cache[at].hash == hash && thread->cache[at].row && thread->feeds == mxnet_feeds())
        return thread->cache[at].row;
    return row_slowly(thread, key, hash);
}

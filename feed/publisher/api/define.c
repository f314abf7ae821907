/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * define.c: the calls of proftop.h that define rows, time compilations, and pass texts to viewers.
 */
#include "config.h"

#include "feed/publisher/api/define.h"
#include "feed/publisher/record/clock.h"
#include "feed/publisher/record/count_filter.h"
#include "feed/publisher/record/lock.h"
#include "feed/publisher/record/thread_objects.h"
#include "proftop_adapter.h"

#include <string.h>

/* Commits a new row if it is `whole`. Else counts it as lost: the row or a text is missing. */
static uint32_t commit(struct publisher_core *core, enum publisher_table table, bool whole)
{
    if (whole)
        return publisher_definitions_commit(&core->definitions, table);
    return publisher_count_lost(core, PUBLISHER_LOST_DEFINITIONS);
}

static uint32_t add_class(struct publisher_core *core, const char *name)
{
    struct publisher_class_row *row =
        publisher_definitions_add(&core->definitions, PUBLISHER_DEF_CLASS);
    bool whole = row != NULL && publisher_definitions_text(&core->definitions, name, &row->name);
    return commit(core, PUBLISHER_DEF_CLASS, whole);
}

proftop_id proftop_class(struct proftop *feed, const char *name)
{
    struct publisher_core *core = publisher_lock(feed);
    if (core == NULL)
        return PROFTOP_NONE;
    uint32_t id = add_class(core, name);
    publisher_unlock(core);
    return id;
}

static uint32_t add_op(struct publisher_core *core, uint32_t op_class, const char *text,
                       const char *display)
{
    if (op_class >= publisher_definitions_count(&core->definitions, PUBLISHER_DEF_CLASS))
        return publisher_count_misuse(core);
    struct publisher_op_row *row = publisher_definitions_add(&core->definitions, PUBLISHER_DEF_OP);
    bool whole = row != NULL && publisher_definitions_text(&core->definitions, text, &row->text) &&
                 publisher_definitions_text(&core->definitions, display, &row->display);
    if (whole)
        row->op_class = op_class;
    return commit(core, PUBLISHER_DEF_OP, whole);
}

proftop_id proftop_op(struct proftop *feed, proftop_id op_class, const char *text)
{
    return proftop_op_displayed(feed, op_class, text, NULL);
}

proftop_id proftop_op_displayed(struct proftop *feed, proftop_id op_class, const char *text,
                                const char *display)
{
    struct publisher_core *core = publisher_lock(feed);
    if (core == NULL)
        return PROFTOP_NONE;
    uint32_t id = add_op(core, op_class, text, display);
    publisher_unlock(core);
    return id;
}

/* Options of the calls that describe a row. */
union described {
    struct proftop_function_info function;
    struct proftop_apply_info apply;
};

static uint32_t add_function(struct publisher_core *core, const union described *described)
{
    const struct proftop_function_info *info = &described->function;
    bool source_known = info->source == PROFTOP_TIMED || info->source == PROFTOP_SET ||
                        info->source == PROFTOP_ABSENT;
    if (!source_known ||
        info->parent_plus_1 > publisher_definitions_count(&core->definitions, PUBLISHER_DEF_APPLY))
        return publisher_count_misuse(core);
    struct publisher_function_row *row =
        publisher_definitions_add(&core->definitions, PUBLISHER_DEF_FUNCTION);
    bool whole = row != NULL &&
                 publisher_definitions_text(&core->definitions, info->name, &row->name) &&
                 publisher_definitions_text(&core->definitions, info->file, &row->file);
    if (whole) {
        row->line = info->line;
        row->parent_plus_1 = info->parent_plus_1;
        core->definitions.nested |= info->parent_plus_1 != 0;
        row->group = info->group;
        row->left_out = publisher_count_filter_leaves_out(core, info->parent_plus_1, info->name);
        row->source = info->source;
        row->sent_source = row->left_out ? PROFTOP_ABSENT : info->source;
        row->first = row->last = PUBLISHER_NONE;
    }
    return commit(core, PUBLISHER_DEF_FUNCTION, whole);
}

uint32_t publisher_define_function(struct publisher_core *core, const char *name)
{
    const union described described = {
        .function = {.size = sizeof described.function, .name = name}};
    return add_function(core, &described);
}

/* Defines the row that `info` describes. This version knows `size` bytes of the struct. */
static proftop_id define(struct proftop *feed, const void *info, size_t size,
                         uint32_t (*add)(struct publisher_core *core,
                                         const union described *described))
{
    union described known;
    memset(&known, 0, sizeof known);
    struct publisher_core *core = publisher_lock(feed);
    if (core == NULL)
        return PROFTOP_NONE;
    uint32_t id = publisher_take_options(&known, size, info) ? add(core, &known)
                                                             : publisher_count_misuse(core);
    publisher_unlock(core);
    return id;
}

proftop_id proftop_function(struct proftop *feed, const struct proftop_function_info *info)
{
    return define(feed, info, sizeof *info, add_function);
}

/* Appends a new apply to the chain of its function. */
static void chain(struct publisher_core *core, uint32_t function, uint32_t apply)
{
    struct publisher_function_row *row =
        publisher_definitions_row(&core->definitions, PUBLISHER_DEF_FUNCTION, function);
    if (row->first == PUBLISHER_NONE) {
        row->first = apply;
    } else {
        struct publisher_apply_row *last =
            publisher_definitions_row(&core->definitions, PUBLISHER_DEF_APPLY, row->last);
        atomic_store_explicit(&last->next, apply + 1, memory_order_release);
    }
    row->last = apply;
}

static uint32_t add_apply(struct publisher_core *core, const union described *described)
{
    const struct proftop_apply_info *info = &described->apply;
    bool known =
        info->function < publisher_definitions_count(&core->definitions, PUBLISHER_DEF_FUNCTION) &&
        info->op < publisher_definitions_count(&core->definitions, PUBLISHER_DEF_OP) &&
        (unsigned)info->source <= PROFTOP_SET && (unsigned)info->kind <= PROFTOP_CALL &&
        (unsigned)info->impl <= PROFTOP_IMPL_JIT && info->exclusive <= PUBLISHER_NESTS &&
        info->waits <= PROFTOP_ASIDE;
    if (!known)
        return publisher_count_misuse(core);
    struct publisher_apply_row *row =
        publisher_definitions_add(&core->definitions, PUBLISHER_DEF_APPLY);
    const char *where = info->location == NULL ? publisher_scope_of(core->handle) : info->location;
    bool whole = row != NULL &&
                 publisher_definitions_text(&core->definitions, info->text, &row->text) &&
                 publisher_definitions_text(&core->definitions, where, &row->where);
    if (whole) {
        row->function = info->function;
        row->op = info->op;
        row->index = info->index;
        row->source = (uint8_t)info->source;
        row->kind = (uint8_t)info->kind;
        row->impl = (uint8_t)info->impl;
        row->exclusive = (uint8_t)info->exclusive;
        row->waits = (uint8_t)info->waits;
    }
    uint32_t id = commit(core, PUBLISHER_DEF_APPLY, whole);
    if (id != PROFTOP_NONE)
        chain(core, info->function, id);
    return id;
}

proftop_id proftop_apply(struct proftop *feed, const struct proftop_apply_info *info)
{
    return define(feed, info, sizeof *info, add_apply);
}

/* ----------------------------------------------------------------------- nodes in one call */

enum named { NAMED_FUNCTION, NAMED_CLASS, NAMED_OP };

/* Returns the id under this key, or PROFTOP_NONE, counted as lost if out of memory. `*made`: the
 * caller makes the row, and then calls keep_named(). */
static uint32_t find_named(struct publisher_core *core, enum named kind,
                           const struct wire_text text[PUBLISHER_KEY_TEXTS], bool *made)
{
    const uint32_t id = publisher_index_find(&core->named, kind, text);
    *made = id == PROFTOP_NONE && publisher_index_reserve(&core->named);
    if (id == PROFTOP_NONE && !*made)
        publisher_count_lost(core, PUBLISHER_LOST_DEFINITIONS);
    return id;
}

/* Keeps a new row under its key. `name`: the row's own copy of the last text. */
static void keep_named(struct publisher_core *core, enum named kind, struct wire_text outer,
                       struct wire_text name, uint32_t id)
{
    const struct wire_text text[PUBLISHER_KEY_TEXTS] = {outer, name, publisher_key_text(NULL)};
    if (id != PROFTOP_NONE)
        publisher_index_add(&core->named, kind, text, id);
}

static uint32_t named_function(struct publisher_core *core, const char *name)
{
    const struct wire_text text[] = {publisher_key_text(NULL), publisher_key_text(name),
                                     publisher_key_text(NULL)};
    bool made;
    uint32_t id = find_named(core, NAMED_FUNCTION, text, &made);
    if (!made)
        return id;
    const union described info = {
        .function = {.size = sizeof info.function, .name = name, .source = PROFTOP_ABSENT}};
    id = add_function(core, &info);
    const struct publisher_function_row *row =
        id == PROFTOP_NONE
            ? NULL
            : publisher_definitions_row(&core->definitions, PUBLISHER_DEF_FUNCTION, id);
    if (row != NULL)
        keep_named(core, NAMED_FUNCTION, text[0], row->name, id);
    return id;
}

static uint32_t named_class(struct publisher_core *core, const char *name)
{
    const struct wire_text text[] = {publisher_key_text(NULL), publisher_key_text(name),
                                     publisher_key_text(NULL)};
    bool made;
    uint32_t id = find_named(core, NAMED_CLASS, text, &made);
    if (!made)
        return id;
    id = add_class(core, name);
    const struct publisher_class_row *row =
        id == PROFTOP_NONE ? NULL
                           : publisher_definitions_row(&core->definitions, PUBLISHER_DEF_CLASS, id);
    if (row != NULL)
        keep_named(core, NAMED_CLASS, text[0], row->name, id);
    return id;
}

static uint32_t named_op(struct publisher_core *core, const char *op_class, const char *name)
{
    const struct wire_text text[] = {publisher_key_text(op_class), publisher_key_text(name),
                                     publisher_key_text(NULL)};
    bool made;
    uint32_t id = find_named(core, NAMED_OP, text, &made);
    if (!made)
        return id;
    const uint32_t class_id = named_class(core, op_class);
    id = class_id == PROFTOP_NONE ? PROFTOP_NONE : add_op(core, class_id, name, NULL);
    if (id == PROFTOP_NONE || !publisher_index_reserve(&core->named))
        return id;
    const struct publisher_op_row *row =
        publisher_definitions_row(&core->definitions, PUBLISHER_DEF_OP, id);
    const struct publisher_class_row *of =
        publisher_definitions_row(&core->definitions, PUBLISHER_DEF_CLASS, class_id);
    keep_named(core, NAMED_OP, of->name, row->text, id);
    return id;
}

/* Returns how many applies the function has, which is the index of its next one. */
static uint32_t next_index(struct publisher_core *core, uint32_t function)
{
    const struct publisher_function_row *row =
        publisher_definitions_row(&core->definitions, PUBLISHER_DEF_FUNCTION, function);
    if (row->first == PUBLISHER_NONE)
        return 0;
    const struct publisher_apply_row *last =
        publisher_definitions_row(&core->definitions, PUBLISHER_DEF_APPLY, row->last);
    return last->index + 1;
}

proftop_id proftop_node(struct proftop *feed, const char *function, const char *op_class,
                        const char *op, const char *text)
{
    struct publisher_core *core = publisher_lock(feed);
    if (core == NULL)
        return PROFTOP_NONE;
    const uint32_t function_id = named_function(core, function);
    const uint32_t op_id = named_op(core, op_class, op);
    uint32_t id = PROFTOP_NONE;
    if (function_id != PROFTOP_NONE && op_id != PROFTOP_NONE) {
        const union described info = {.apply = {.size = sizeof info.apply,
                                                .function = function_id,
                                                .op = op_id,
                                                .index = next_index(core, function_id),
                                                .text = text}};
        id = add_apply(core, &info);
    }
    publisher_unlock(core);
    return id;
}

/* ---------------------------------------------------------------------------- compilations */

/* Returns the row of a function, or NULL, counted as misuse. */
static struct publisher_function_row *function_row(struct publisher_core *core, uint32_t function)
{
    if (function < publisher_definitions_count(&core->definitions, PUBLISHER_DEF_FUNCTION))
        return publisher_definitions_row(&core->definitions, PUBLISHER_DEF_FUNCTION, function);
    publisher_count_misuse(core);
    return NULL;
}

void proftop_function_unseen(struct proftop *feed, proftop_id function)
{
    struct publisher_core *core = publisher_lock(feed);
    if (core == NULL)
        return;
    struct publisher_function_row *row = function_row(core, function);
    if (row != NULL)
        row->sent_source = PROFTOP_ABSENT;
    if (row != NULL)
        publisher_definitions_keep_unseen(&core->definitions, function);
    publisher_unlock(core);
}

/* Adds `ns` to one part of a compilation's time, and returns the ns added. Ignores PROFTOP_UNKNOWN.
 * Ignores an absurd value, and counts it as invalid. `*part` is the sum plus 1; 0: not known. */
static uint64_t add_part(struct publisher_core *core, _Atomic uint64_t *part, uint64_t ns)
{
    if (ns == PROFTOP_UNKNOWN)
        return 0;
    if (ns > PUBLISHER_ABSURD_NS) {
        publisher_count_one(&core->handle->invalid);
        return 0;
    }
    uint64_t was = publisher_load(part);
    publisher_store(part, (was == 0 ? 1 : was) + ns);
    return ns;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Returns the index of a function's open compilation that began first; with `own`, on this thread
 * only. Returns `compiling->count` if there is none. Compilations of one function overlap only on
 * several threads. So if a thread begins the function again, or ends, while its own is open, the
 * end of that one was lost. */
static uint32_t find_open(const struct publisher_compiling *compiling, uint32_t function, bool own)
{
    const struct publisher_opened *open = compiling->open;
    uint32_t at = 0;
    while (at < compiling->count && !(open[at].function == function &&
                                      (!own || pthread_equal(open[at].thread, pthread_self()))))
        at++;
    return at;
}

static struct publisher_opened take_out(struct publisher_compiling *compiling, uint32_t at)
{
    struct publisher_opened taken = compiling->open[at];
    compiling->count--;
    memmove(&compiling->open[at], &compiling->open[at + 1], (compiling->count - at) * sizeof taken);
    return taken;
}

/* Removes one of a function's overlapping compilations. After the last one: if an end came without
 * times, adds the time from the first begin of the ended ones to the last end, less the times that
 * other ends gave, which are already counted. */
static void close_one(struct publisher_core *core, struct publisher_function_row *row)
{
    if (--row->compiling > 0)
        return;
    if (row->untimed) {
        uint64_t took_ns = row->ended_ns - row->from_ns;
        add_part(core, &row->part[PUBLISHER_COMPILE],
                 took_ns > row->given_ns ? took_ns - row->given_ns : 0);
    }
    publisher_store(&row->compile_since, 0);
}

/* Drops a compilation whose end was lost. Overlapping ones count as if it had not begun. */
static void give_up(struct publisher_core *core, uint32_t at)
{
    struct publisher_compiling *compiling = &core->compiling;
    uint32_t function = take_out(compiling, at).function;
    struct publisher_function_row *row =
        publisher_definitions_row(&core->definitions, PUBLISHER_DEF_FUNCTION, function);
    uint32_t first = find_open(compiling, function, false);
    uint64_t open_ns = first < compiling->count ? compiling->open[first].since_ns : UINT64_MAX;
    close_one(core, row);
    if (row->compiling > 0)
        publisher_store(&row->compile_since, earlier(row->from_ns, open_ns));
}

static void begin_compilation(struct publisher_core *core, uint32_t function,
                              struct publisher_function_row *row)
{
    struct publisher_compiling *compiling = &core->compiling;
    uint32_t at = find_open(compiling, function, true);
    if (at < compiling->count)
        give_up(core, at);
    uint64_t now_ns = publisher_clock_ns();
    if (row->compiling++ == 0) {
        publisher_store(&row->compile_since, now_ns);
        row->from_ns = UINT64_MAX;
        row->given_ns = 0;
        row->untimed = false;
    }
    if (compiling->count < PUBLISHER_OPENED)
        compiling->open[compiling->count++] =
            (struct publisher_opened){pthread_self(), now_ns, function};
    else
        row->from_ns = earlier(row->from_ns, now_ns);
}

/* Drops the open compilations of this thread, which ends. Under the lock of all feeds. */
static void leave_open(void)
{
    for (struct proftop *feed = publisher_all; feed != NULL; feed = feed->next) {
        struct publisher_core *core = publisher_lock(feed);
        if (core == NULL)
            continue;
        for (uint32_t at = core->compiling.count; at-- > 0;)
            if (pthread_equal(core->compiling.open[at].thread, pthread_self()))
                give_up(core, at);
        publisher_unlock(core);
    }
}

void proftop_compile_begin(struct proftop *feed, proftop_id function)
{
    struct publisher_core *core = publisher_lock(feed);
    if (core == NULL)
        return;
    struct publisher_function_row *row = function_row(core, function);
    if (row != NULL) {
        publisher_thread_at_end(leave_open);
        begin_compilation(core, function, row);
    }
    publisher_unlock(core);
}

static void add_times(struct publisher_core *core, struct publisher_function_row *row,
                      const struct proftop_compile_times *times)
{
    row->given_ns += add_part(core, &row->part[PUBLISHER_COMPILE], times->compile_ns);
    add_part(core, &row->part[PUBLISHER_REWRITE], times->rewrite_ns);
    add_part(core, &row->part[PUBLISHER_VALIDATE], times->validate_ns);
    add_part(core, &row->part[PUBLISHER_LINK], times->link_ns);
}

/* Ends this thread's open compilation of the function. If there is none, ends the first one of the
 * other threads: a compilation may move to another thread. */
static void end_one(struct publisher_core *core, uint32_t function,
                    struct publisher_function_row *row)
{
    struct publisher_compiling *compiling = &core->compiling;
    uint32_t at = find_open(compiling, function, true);
    if (at == compiling->count)
        at = find_open(compiling, function, false);
    if (at < compiling->count)
        row->from_ns = earlier(row->from_ns, take_out(compiling, at).since_ns);
    row->ended_ns = publisher_clock_ns();
    close_one(core, row);
}

static void end_compilation(struct publisher_core *core, uint32_t function,
                            struct publisher_function_row *row,
                            const struct proftop_compile_times *times)
{
    if (times != NULL)
        add_times(core, row, times);
    else if (row->compiling == 0)
        publisher_count_misuse(core);
    else
        row->untimed = true;
    if (row->compiling > 0)
        end_one(core, function, row);
}

void proftop_compile_end(struct proftop *feed, proftop_id function,
                         const struct proftop_compile_times *times)
{
    static const struct proftop_compile_times nothing = {
        sizeof nothing, PROFTOP_UNKNOWN, PROFTOP_UNKNOWN, PROFTOP_UNKNOWN, PROFTOP_UNKNOWN};
    struct proftop_compile_times known;
    struct publisher_core *core = publisher_lock(feed);
    if (core == NULL)
        return;
    struct publisher_function_row *row = function_row(core, function);
    bool right = times == NULL || (publisher_take_options(&known, sizeof known, times) &&
                                   times->size >= sizeof known);
    if (!right) {
        publisher_count_misuse(core);
        known = nothing; /* the compilation has ended all the same */
    }
    if (row != NULL)
        end_compilation(core, function, row, times == NULL ? NULL : &known);
    publisher_unlock(core);
}

void proftop_thread_name(struct proftop *feed, const char *name)
{
    struct publisher_block *block = publisher_thread_block(feed);
    struct publisher_core *core = block == NULL ? NULL : publisher_lock(feed);
    if (core == NULL)
        return;
    publisher_thread_define(core, block, name == NULL ? "" : name);
    publisher_unlock(core);
}

int proftop_is_traced(const struct proftop *feed)
{
    return feed != NULL && __atomic_load_n(&feed->traces, __ATOMIC_RELAXED) != 0;
}

void proftop_share(struct proftop *feed, double share)
{
    struct publisher_core *core = publisher_lock(feed);
    if (core == NULL)
        return;
    if (share >= 0 && share <= 1)
        core->left_out = 1 - share;
    else
        publisher_count_misuse(core);
    publisher_unlock(core);
}

void proftop_route(struct proftop *feed, const char *text)
{
    struct publisher_core *core = publisher_lock(feed);
    if (core == NULL)
        return;
    text = text == NULL ? "" : text;
    size_t size = publisher_text_cut(text, sizeof core->route - 1);
    memcpy(core->route, text, size);
    core->route[size] = 0;
    publisher_unlock(core);
}

void proftop_facts(struct proftop *feed, const char *text)
{
    struct publisher_core *core = publisher_lock(feed);
    if (core == NULL)
        return;
    text = text == NULL ? "" : text;
    size_t size = strlen(text);
    /* Cut at the end of a line, since a part of a line would be a wrong fact. */
    while (size >= sizeof core->facts) {
        const char *end = memrchr(text, '\n', size);
        size = end == NULL ? 0 : (size_t)(end - text);
    }
    memcpy(core->facts, text, size);
    core->facts[size] = 0;
    publisher_unlock(core);
}

void proftop_rank(struct proftop *feed, uint64_t rank, uint64_t size)
{
    struct publisher_core *core = publisher_lock(feed);
    if (core == NULL)
        return;
    if (rank < size) {
        core->rank = rank;
        core->size = size;
    } else
        publisher_count_misuse(core);
    publisher_unlock(core);
}

void proftop_notice(struct proftop *feed, int level, const char *text)
{
    struct publisher_core *core = publisher_lock(feed);
    if (core == NULL)
        return;
    publisher_add_notice(core, level, text == NULL ? "" : text);
    publisher_unlock(core);
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * scan.c: from the slots of all threads to one row per apply and per function.
 */
#include "config.h"

#include "scan.h"

#include <stdlib.h>
#include <string.h>

/* What changed lies scattered in memory that another core has written: asked for in good time, it
 * is there when it is read. */
enum { AHEAD = 16 };

struct feed_sum {
    uint64_t calls, total, min, max, timed, last;
    uint32_t stamp; /* of `last` */
    bool known;     /* touched by some thread */
    bool torn;      /* a slot could not be read: the row keeps what it had */
};

bool feed_scan_init(struct feed_scan *scan, struct feed_core *core)
{
    memset(scan, 0, sizeof *scan);
    scan->core = core;
    scan->sum = calloc(FEED_CHUNK, sizeof *scan->sum);
    return scan->sum != NULL;
}

void feed_scan_release(struct feed_scan *scan)
{
    for (size_t at = 0; at < WIRE_APPLIES_MAX / FEED_CHUNK; at++)
        free(scan->applies[at]);
    for (size_t at = 0; at < WIRE_FUNCTIONS_MAX / FEED_CHUNK; at++)
        free(scan->functions[at]);
    free(scan->sum);
    memset(scan, 0, sizeof *scan);
}

bool feed_ids_add(struct feed_ids *ids, uint32_t id)
{
    if (ids->count == ids->capacity) {
        size_t capacity = ids->capacity == 0 ? 1024 : ids->capacity * 2;
        uint32_t *grown = realloc(ids->id, capacity * sizeof *grown);
        if (grown == NULL)
            return false;
        ids->id = grown;
        ids->capacity = capacity;
    }
    ids->id[ids->count++] = id;
    return true;
}

struct feed_row *feed_scan_apply(const struct feed_scan *scan, uint32_t id)
{
    struct feed_rows *chunk = scan->applies[id >> FEED_CHUNK_SHIFT];
    struct feed_row *row = chunk == NULL ? NULL : &chunk->row[id % FEED_CHUNK];
    return row != NULL && row->known ? row : NULL;
}

struct feed_call_row *feed_scan_function(const struct feed_scan *scan, uint32_t id)
{
    struct feed_call_row *chunk = scan->functions[id >> FEED_CHUNK_SHIFT];
    return chunk == NULL ? NULL : &chunk[id % FEED_CHUNK];
}

static struct feed_block *first_block(const struct feed_scan *scan)
{
    return atomic_load_explicit(&scan->core->blocks, memory_order_acquire);
}

static struct feed_slot *chunk_of(struct feed_block *block, enum feed_kind kind, uint32_t at)
{
    return atomic_load_explicit(feed_block_place(block, kind, at), memory_order_acquire);
}

/* A stamp wraps: the later of two is the one that is less than half a round ahead. */
static bool is_later(uint32_t stamp, uint32_t than)
{
    return (int32_t)(stamp - than) >= 0;
}

static void add_slot(struct feed_sum *sum, const struct feed_slot *slot)
{
    struct feed_count count;
    if (atomic_load_explicit(&slot->flags, memory_order_relaxed) == 0)
        return;
    if (!feed_slot_read(slot, &count)) {
        sum->torn = true;
        return;
    }
    sum->known = true;
    sum->calls += count.calls;
    sum->total += count.total;
    if (count.timed == 0)
        return;
    uint32_t stamp = count.flags & FEED_FLAG_STAMP;
    if (sum->timed == 0 || count.min < sum->min)
        sum->min = count.min;
    if (count.max > sum->max)
        sum->max = count.max;
    if (sum->timed == 0 || is_later(stamp, sum->stamp)) {
        sum->last = count.last;
        sum->stamp = stamp;
    }
    sum->timed += count.timed;
}

/* Sums n slots of chunk `at` over all threads. False: no thread has that chunk. */
static bool sum_chunk(struct feed_scan *scan, enum feed_kind kind, uint32_t at, uint32_t n)
{
    bool any = false;
    for (struct feed_block *block = first_block(scan); block != NULL; block = block->next) {
        const struct feed_slot *slot = chunk_of(block, kind, at);
        if (slot == NULL)
            continue;
        if (!any)
            memset(scan->sum, 0, n * sizeof *scan->sum);
        any = true;
        for (uint32_t i = 0; i < n; i++)
            add_slot(&scan->sum[i], &slot[i]);
    }
    return any;
}

/* The wire holds no more: one absurd source shall not spoil a whole frame. */
static uint64_t bounded(uint64_t value)
{
    const uint64_t largest = UINT64_C(1) << 62;
    return value < largest ? value : largest;
}

static void wait_from_now(const struct feed_scan *scan, struct feed_rows *rows, uint32_t i)
{
    rows->waits[i / 64] |= UINT64_C(1) << i % 64;
    if (rows->row[i].waits_since == 0)
        rows->row[i].waits_since = scan->tick;
}

/* Takes a sum into its row. Gives whether there is something to be sent. */
static bool update(struct feed_row *row, const struct feed_sum *sum)
{
    bool fresh = !row->known;
    uint64_t calls = bounded(sum->calls), total = bounded(sum->total);
    bool moved = fresh || calls != row->calls || total != row->total;
    bool timed = sum->timed != 0;
    uint64_t min = timed ? sum->min : PROFTOP_UNKNOWN, max = timed ? sum->max : PROFTOP_UNKNOWN;
    uint64_t said = feed_said_timed(row->calls, row->timed);
    bool extremes = fresh || min != row->min || max != row->max ||
                    feed_said_timed(calls, sum->timed) != said;
    row->known = true;
    row->extremes = row->extremes || extremes;
    row->calls = calls;
    row->total = total;
    row->last = timed ? sum->last : PROFTOP_UNKNOWN;
    row->min = min;
    row->max = max;
    row->timed = sum->timed;
    return moved || extremes;
}

static uint32_t rows_in(uint32_t at, uint32_t count)
{
    uint32_t left = count - at * FEED_CHUNK;
    return left < FEED_CHUNK ? left : FEED_CHUNK;
}

/* Adds up the sequences of n slots over all threads: each write moves one of them on, so an equal
 * sum says that no value has changed. False: no thread has that chunk. */
static bool sum_sequences(const struct feed_scan *scan, uint32_t at, uint32_t n,
                          uint32_t sum[FEED_CHUNK])
{
    bool any = false;
    for (struct feed_block *block = first_block(scan); block != NULL; block = block->next) {
        const struct feed_slot *slot = chunk_of(block, FEED_APPLIES, at);
        for (uint32_t i = 0; slot != NULL && i < n; i++) {
            __builtin_prefetch(&slot[i + AHEAD < n ? i + AHEAD : i]);
            uint32_t sequence = atomic_load_explicit(&slot[i].sequence, memory_order_relaxed);
            sum[i] = any ? sum[i] + sequence : sequence;
        }
        any = any || slot != NULL;
    }
    return any;
}

/* Reads one apply's slots. A write meanwhile makes the sequence differ again at the next scan. */
static void read_apply(struct feed_scan *scan, uint32_t at, uint32_t i, uint32_t sequence)
{
    struct feed_rows *rows = scan->applies[at];
    struct feed_sum sum = {0};
    for (struct feed_block *block = first_block(scan); block != NULL; block = block->next) {
        const struct feed_slot *slot = chunk_of(block, FEED_APPLIES, at);
        if (slot != NULL)
            add_slot(&sum, &slot[i]);
    }
    if (sum.torn || !sum.known)
        return;
    rows->sequence[i] = sequence;
    if (update(&rows->row[i], &sum))
        wait_from_now(scan, rows, i);
}

void feed_scan_applies(struct feed_scan *scan, uint32_t count)
{
    uint32_t sequence[FEED_CHUNK], list[FEED_CHUNK];
    for (uint32_t at = 0; at * FEED_CHUNK < count; at++) {
        uint32_t n = rows_in(at, count);
        if (!sum_sequences(scan, at, n, sequence))
            continue;
        if (scan->applies[at] == NULL)
            scan->applies[at] = calloc(1, sizeof *scan->applies[at]);
        struct feed_rows *rows = scan->applies[at];
        if (rows == NULL)
            continue;
        uint32_t changed = 0;
        for (uint32_t i = 0; i < n; i++)
            if (sequence[i] != rows->sequence[i]) {
                __builtin_prefetch(&rows->row[i], 1);
                list[changed++] = i;
            }
        for (uint32_t k = 0; k < changed; k++)
            read_apply(scan, at, list[k], sequence[list[k]]);
        for (uint32_t i = scan->tick % FEED_ROLL; i < n; i += FEED_ROLL) {
            if (!rows->row[i].known)
                continue;
            rows->row[i].extremes = true;
            wait_from_now(scan, rows, i);
        }
    }
}

bool feed_scan_waiting(const struct feed_scan *scan, uint32_t count, struct feed_ids *ids)
{
    const uint32_t words = FEED_CHUNK / 64;
    for (uint32_t word = 0; word * 64 < count; word++) {
        const struct feed_rows *rows = scan->applies[word / words];
        uint64_t bits = rows == NULL ? 0 : rows->waits[word % words];
        for (; bits != 0; bits &= bits - 1)
            if (!feed_ids_add(ids, word * 64 + (uint32_t)__builtin_ctzll(bits)))
                return false;
    }
    return true;
}

void feed_scan_sent(struct feed_scan *scan, uint32_t id)
{
    struct feed_rows *rows = scan->applies[id >> FEED_CHUNK_SHIFT];
    uint32_t i = id % FEED_CHUNK;
    rows->waits[i / 64] &= ~(UINT64_C(1) << i % 64);
    rows->row[i].waits_since = 0;
    rows->row[i].extremes = false;
}

/* ------------------------------------------------------------------------------- functions */

/* Since when a call of the function is open, the longest of all threads, or PROFTOP_UNKNOWN. */
static uint64_t open_since(const struct feed_scan *scan, uint32_t id)
{
    uint64_t since = PROFTOP_UNKNOWN;
    for (struct feed_block *block = first_block(scan); block != NULL; block = block->next) {
        const struct feed_slot *chunk = chunk_of(block, FEED_CALLS, id >> FEED_CHUNK_SHIFT);
        uint64_t open = chunk == NULL ? 0 : feed_get(&chunk[id % FEED_CHUNK].aux);
        if (open != 0 && open < since && open != feed_get(&block->ended))
            since = open;
    }
    return since;
}

static uint64_t unless_zero(uint64_t value, uint64_t shift)
{
    return value == 0 ? PROFTOP_UNKNOWN : value - shift;
}

/* What the source of a function lets be known of its calls. */
static void take_calls(const struct feed_scan *scan, uint32_t id, uint32_t source,
                       const struct feed_sum *sum, struct feed_call_row *row)
{
    bool timed = source == PROFTOP_TIMED;
    uint64_t known = 0;
    struct feed_block *set = atomic_load_explicit(&scan->core->set, memory_order_acquire);
    if (source == PROFTOP_SET && set != NULL) {
        const struct feed_slot *chunk = chunk_of(set, FEED_CALLS, id >> FEED_CHUNK_SHIFT);
        known = chunk == NULL ? 0 : feed_get(&chunk[id % FEED_CHUNK].last);
    }
    row->calls = timed || (known & FEED_KNOWN_CALLS) ? bounded(sum->calls) : PROFTOP_UNKNOWN;
    row->ns = timed || (known & FEED_KNOWN_NS) ? bounded(sum->total) : PROFTOP_UNKNOWN;
    row->open = timed ? open_since(scan, id) : PROFTOP_UNKNOWN;
}

/* Values of one function as they are now; `row` holds those of the last scan. */
static void read_function(const struct feed_scan *scan, uint32_t id, const struct feed_sum *calls,
                          struct feed_call_row *row)
{
    const struct feed_function_row *def = feed_book_row(&scan->core->book, FEED_T_FUNCTION, id);
    if (!calls->torn)
        take_calls(scan, id, def->source, calls, row);
    for (int part = 0; part < FEED_PARTS; part++)
        row->part[part] = unless_zero(feed_get(&def->part[part]), 1);
    row->compile_open = unless_zero(feed_get(&def->compile_since), 0);
}

static bool is_same(const struct feed_call_row *a, const struct feed_call_row *b)
{
    return a->calls == b->calls && a->ns == b->ns && a->vm == b->vm && a->open == b->open &&
           memcmp(a->part, b->part, sizeof a->part) == 0 && a->compile_open == b->compile_open;
}

static void scan_chunk(struct feed_scan *scan, uint32_t at, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct feed_call_row *row = &scan->functions[at][i];
        struct feed_call_row was = *row;
        read_function(scan, at * FEED_CHUNK + i, &scan->sum[i], row);
        bool turn = i % FEED_ROLL == scan->tick % FEED_ROLL;
        if (row->waits_since == 0 && (turn || !is_same(row, &was)))
            row->waits_since = scan->tick;
    }
}

/* Time in the virtual machine, known once it was given. */
static void scan_vm(struct feed_scan *scan, uint32_t at, uint32_t n)
{
    if (!sum_chunk(scan, FEED_VM, at, n))
        return;
    for (uint32_t i = 0; i < n; i++) {
        struct feed_call_row *row = &scan->functions[at][i];
        const struct feed_sum *sum = &scan->sum[i];
        if (sum->torn || !sum->known || sum->total == row->vm)
            continue;
        row->vm = sum->total;
        if (row->waits_since == 0)
            row->waits_since = scan->tick;
    }
}

static struct feed_call_row *new_rows(void)
{
    struct feed_call_row *rows = calloc(FEED_CHUNK, sizeof *rows);
    for (uint32_t i = 0; rows != NULL && i < FEED_CHUNK; i++)
        rows[i].vm = PROFTOP_UNKNOWN;
    return rows;
}

void feed_scan_functions(struct feed_scan *scan, uint32_t count)
{
    for (uint32_t at = 0; at * FEED_CHUNK < count; at++) {
        uint32_t n = rows_in(at, count);
        if (scan->functions[at] == NULL)
            scan->functions[at] = new_rows();
        if (scan->functions[at] == NULL)
            continue;
        if (!sum_chunk(scan, FEED_CALLS, at, n))
            memset(scan->sum, 0, n * sizeof *scan->sum);
        scan_chunk(scan, at, n);
        scan_vm(scan, at, n);
    }
}

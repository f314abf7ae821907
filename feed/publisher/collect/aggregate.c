/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * aggregate.c: from the slots of all threads to one row per apply.
 */
#include "config.h"

#include "feed/publisher/collect/aggregate.h"
#include "feed/publisher/collect/sum.h"
#include "feed/publisher/record/histogram.h"

#include <stdlib.h>
#include <string.h>

/* What changed lies scattered in memory that another core has written: asked for in good time, it
 * is there when it is read. */
enum { AHEAD = 16 };

/* What few rows need is kept out of the way of what all do, and small. */
#define RARE __attribute__((cold, noinline))

RARE bool feed_scan_init(struct feed_scan *scan, struct feed_core *core)
{
    memset(scan, 0, sizeof *scan);
    scan->core = core;
    scan->tick = 1; /* what waits since 0 does not wait */
    scan->sum = calloc(FEED_CHUNK, sizeof *scan->sum);
    scan->moved = calloc(FEED_CHUNK, sizeof *scan->moved);
    if (scan->sum != NULL && scan->moved != NULL)
        return true;
    feed_scan_release(scan);
    return false;
}

RARE void feed_scan_release(struct feed_scan *scan)
{
    for (size_t at = 0; at < WIRE_APPLIES_MAX / FEED_CHUNK; at++)
        if (scan->applies[at] != NULL) {
            free(scan->applies[at]->estimate);
            free(scan->applies[at]->base);
            free(scan->applies[at]);
        }
    for (size_t at = 0; at < WIRE_FUNCTIONS_MAX / FEED_CHUNK; at++) {
        for (uint32_t i = 0; scan->functions[at] != NULL && i < FEED_CHUNK; i++)
            free(scan->functions[at][i].estimate);
        free(scan->functions[at]);
    }
    free(scan->sum);
    free(scan->moved);
    free(scan->timed);
    free(scan->open);
    feed_budget_release(&scan->budget);
    memset(scan, 0, sizeof *scan);
}

RARE void feed_scan_ops(struct feed_scan *scan, uint32_t ops)
{
    if (ops <= scan->ops)
        return;
    uint64_t *grown = realloc(scan->timed, (ops + 64) * sizeof *grown);
    if (grown == NULL)
        return;
    memset(grown + scan->ops, 0, (ops + 64 - scan->ops) * sizeof *grown);
    scan->timed = grown;
    scan->ops = ops + 64;
}

struct feed_row *feed_scan_apply(const struct feed_scan *scan, uint32_t id)
{
    struct feed_rows *chunk = scan->applies[id >> FEED_CHUNK_SHIFT];
    bool known = chunk != NULL && feed_bit(&chunk->known, id % FEED_CHUNK);
    return known ? &chunk->row[id % FEED_CHUNK] : NULL;
}

static inline void wait_from_now(struct feed_scan *scan, uint32_t at, uint32_t i)
{
    struct feed_rows *rows = scan->applies[at];
    if (feed_bit(&rows->waits, i))
        return;
    feed_bit_set(&rows->waits, i);
    rows->waits_since[i] = scan->tick;
    scan->waiting[at]++;
}

static struct feed_base base_of(const struct feed_rows *rows, uint32_t i)
{
    return rows->base == NULL ? (struct feed_base){0} : rows->base[i];
}

/* Time of all calls, from the time of those that were timed, which are not all. */
static RARE uint64_t estimated(struct feed_scan *scan, struct feed_rows *rows, uint32_t i,
                               const struct feed_sum *sum, uint64_t measured)
{
    const struct feed_row *row = &rows->row[i];
    struct feed_base before = base_of(rows, i);
    before.calls += row->calls;
    before.timed += row->timed;
    before.total = feed_sum_plus(row->total, before.total);
    if (rows->estimate == NULL)
        rows->estimate = calloc(FEED_CHUNK, sizeof *rows->estimate);
    scan->estimates = true;
    return feed_estimate_take(rows->estimate == NULL ? NULL : &rows->estimate[i], &before, sum,
                              measured, scan, FEED_APPLIES);
}

RARE uint64_t feed_scan_error(const struct feed_scan *scan, uint32_t id)
{
    const struct feed_rows *rows = scan->applies[id >> FEED_CHUNK_SHIFT];
    if (rows == NULL || rows->estimate == NULL)
        return PROFTOP_UNKNOWN;
    const struct feed_row *row = feed_scan_apply(scan, id);
    if (row == NULL || row->source != PROFTOP_TIMED || row->timed == row->calls || row->timed == 0)
        return PROFTOP_UNKNOWN;
    return feed_estimate_error(&rows->estimate[id % FEED_CHUNK],
                               row->calls + base_of(rows, id % FEED_CHUNK).calls,
                               row->max - row->min, scan->budget.hot[FEED_APPLIES].most_ns);
}

/* What never changes, beside what does. */
static RARE void meet(const struct feed_scan *scan, struct feed_rows *rows, uint32_t id)
{
    if (id >= feed_book_count(&scan->core->book, FEED_T_APPLY)) {
        rows->lone_plus_1 = FEED_MIXED;
        return;
    }
    const struct feed_apply_row *apply = feed_book_row(&scan->core->book, FEED_T_APPLY, id);
    rows->function[id % FEED_CHUNK] = apply->function;
    rows->op_plus_1[id % FEED_CHUNK] = apply->op + 1;
    rows->row[id % FEED_CHUNK].source = apply->source;
    rows->row[id % FEED_CHUNK].kind = apply->kind;
    if (rows->lone_plus_1 == 0)
        rows->lone_plus_1 = apply->function + 1;
    else if (rows->lone_plus_1 != apply->function + 1)
        rows->lone_plus_1 = FEED_MIXED;
}

static inline void add_event(struct feed_scan *scan, const struct feed_row *row,
                             enum feed_event event, uint64_t more)
{
    scan->events[event] += more;
    scan->of[row->kind][event] += more;
}

/* Adds up how often something was counted, for what it costs, and lets the budget see it. `row` is
 * as it was until now. */
static void add_events(struct feed_scan *scan, struct feed_row *row, uint32_t id, uint64_t calls,
                       uint64_t timed, uint64_t total)
{
    uint64_t more = calls - row->calls, more_timed = timed - row->timed;
    if (row->source == PROFTOP_SET || calls <= row->calls || more_timed > more)
        return;
    if (row->source == PROFTOP_GIVEN) {
        add_event(scan, row, FEED_E_GIVEN, more);
        return;
    }
    const uint64_t came = feed_budget_see(&scan->budget, FEED_APPLIES, &row->sampling, id, more,
                                          more_timed, total - row->total);
    add_event(scan, row, row->sampling.rate == 0 ? FEED_E_TIMED : FEED_E_SAMPLED, more_timed);
    add_event(scan, row, FEED_E_UNTIMED, came - more_timed);
    scan->untimed += more - more_timed;
}

/* So many calls of row i more were timed. */
static inline void add_timed(struct feed_scan *scan, const struct feed_rows *rows, uint32_t i,
                             uint64_t more)
{
    const uint32_t op = rows->op_plus_1[i] - 1;
    if (op < scan->ops)
        scan->timed[op] += more;
}

/* The total of a row since the reset. A call that was open then has its time until then in the
 * base, so the base exceeds what is counted as long as the call is open: the excess is taken off
 * the open time. If the call is not counted in the end, the excess is taken off the base. */
static RARE uint64_t since_reset(struct feed_rows *rows, uint32_t i, uint64_t counted)
{
    struct feed_row *row = &rows->row[i];
    const uint64_t before = base_of(rows, i).total;
    const uint64_t more = before > counted ? before - counted : 0;
    if (more == 0)
        return counted - before;
    if (row->open < more)
        rows->base[i].total = feed_sum_plus(counted, row->open);
    row->open = row->open < more ? 0 : row->open - more;
    return 0;
}

/* Takes a sum into row i: what is open of it was taken. Gives whether there is something to be
 * sent. */
static bool update(struct feed_scan *scan, uint32_t at, uint32_t i, const struct feed_sum *sum)
{
    struct feed_rows *rows = scan->applies[at];
    struct feed_row *row = &rows->row[i];
    bool fresh = !feed_bit(&rows->known, i);
    const struct feed_base base = base_of(rows, i);
    uint64_t calls = feed_sum_bounded(sum->calls) - base.calls, timed = sum->timed - base.timed;
    bool measured = sum->timed == sum->calls || row->source == PROFTOP_SET;
    uint64_t total = feed_sum_ns(scan, sum);
    total = since_reset(
        rows, i, feed_sum_bounded(measured ? total : estimated(scan, rows, i, sum, total)));
    bool moved = fresh || calls != row->calls || total != row->total;
    bool seen = sum->seen && timed != 0;
    uint64_t min = seen ? sum->min : PROFTOP_UNKNOWN, max = seen ? sum->max : PROFTOP_UNKNOWN;
    uint64_t said = feed_said_timed(row->calls, row->timed);
    bool extremes =
        fresh || min != row->min || max != row->max || feed_said_timed(calls, timed) != said;
    add_events(scan, row, at * FEED_CHUNK + i, calls, timed, total);
    if (row->source != PROFTOP_SET && timed > row->timed)
        add_timed(scan, rows, i, timed - row->timed);
    scan->calls += calls - row->calls;
    feed_bit_set(&rows->known, i);
    if (extremes)
        feed_bit_set(&rows->extremes, i);
    row->calls = calls;
    row->total = total;
    row->last = seen ? sum->last : PROFTOP_UNKNOWN;
    row->min = min;
    row->max = max;
    row->timed = timed;
    return moved || extremes;
}

/* A bit for each of 8 slots that moved since it was read. What moved lies at random, so there is no
 * branch to be guessed; at the end of a chunk nobody needs what is asked for ahead. */
static inline uint64_t moved_of(const struct proftop_slot *slot, const uint32_t *seen)
{
    uint64_t bits = 0;
#pragma GCC unroll 8
    for (unsigned i = 0; i < 8; i++) {
        __builtin_prefetch((const char *)slot + (AHEAD + i) * sizeof *slot);
        uint64_t moved = __atomic_load_n(&slot[i].sequence, __ATOMIC_RELAXED) != seen[i];
        bits |= moved << i;
    }
    return bits;
}

/* Lists the slots of one block that moved since they were read, in moved[] and as bits, and asks
 * for their rows, which are read next. */
static void find_moved_of(const struct feed_scan *scan, const struct feed_rows *rows,
                          struct feed_block *block, const struct proftop_slot *slot,
                          const struct feed_seen *seen, uint32_t n, struct feed_bits *bits)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < n; i += 8) {
        uint64_t moved = moved_of(slot + i, seen->sequence + i);
        any |= moved;
        bits->word[i / 64] |= moved << i % 64;
        for (; moved != 0; moved &= moved - 1) {
            uint32_t at = i + (uint32_t)__builtin_ctzll(moved);
            scan->moved[at] = block;
            __builtin_prefetch(&rows->row[at], 1);
        }
    }
    if (any != 0)
        block->moved = scan->tick;
}

/* The same of all blocks. Gives how many have that chunk, and one of them. */
static uint32_t find_moved(struct feed_scan *scan, uint32_t at, uint32_t n, struct feed_bits *bits,
                           struct feed_block **one)
{
    uint32_t having = 0;
    memset(bits, 0, sizeof *bits);
    for (struct feed_block *block = feed_sum_first(scan); block != NULL; block = block->next) {
        const struct proftop_slot *slot = feed_sum_slots(block, FEED_APPLIES, at);
        const struct feed_seen *seen = slot == NULL ? NULL : feed_seen_of(block, at);
        if (scan->applies[at] == NULL && seen != NULL)
            scan->applies[at] = feed_rows_new();
        scan->misses |= slot != NULL && (scan->applies[at] == NULL || seen == NULL);
        if (scan->applies[at] == NULL || seen == NULL)
            continue;
        having++;
        *one = block;
        find_moved_of(scan, scan->applies[at], block, slot, seen, n, bits);
    }
    if (n % 64 != 0) /* what is beyond n was defined since the tick began, and is not told of yet */
        bits->word[n / 64] &= (UINT64_C(1) << n % 64) - 1;
    return having;
}

/* Where the last call of a slot will be. */
static __attribute__((noinline)) uint8_t last_plus_1(uint64_t last_ns)
{
    return (uint8_t)(feed_bucket_told(last_ns) + 1);
}

/* Adds what the slot of row i in a block holds. What moves meanwhile differs again at the next
 * scan. False: it could not be read, and the next scan shall find that it moved. */
static inline bool read_slot(const struct feed_scan *scan, struct feed_sum *sum,
                             struct feed_block *block, uint32_t at, uint32_t i)
{
    struct feed_count count;
    const struct proftop_slot *slot = feed_sum_slots(block, FEED_APPLIES, at);
    if (slot == NULL || block->seen[at] == NULL || feed_sum_is_silent(&slot[i]))
        return true;
    if (!feed_slot_read(&slot[i], &count)) {
        if (scan->moved[i] != NULL)
            scan->moved[i]->seen[at]->sequence[i] = ~count.sequence;
        return false;
    }
    struct feed_seen *seen = block->seen[at];
    seen->sequence[i] = count.sequence;
    const uint64_t last_ns = feed_sum_add(scan, sum, block, &count, block == scan->moved[i]);
    if (count.timed != 0 && feed_source(count.kind) == PROFTOP_TIMED + 1)
        seen->last_plus_1[i] = last_plus_1(last_ns);
    return true;
}

/* Takes a slot into row i of a lone block where there is nothing to add up, to estimate or to take
 * off: most rows are such, and this is a third of what the others take. False: it is none of them,
 * or its writer is at it. */
static inline bool read_plain(struct feed_scan *scan, uint32_t at, uint32_t i,
                              struct feed_block *block)
{
    struct feed_rows *rows = scan->applies[at];
    struct feed_row *row = &rows->row[i];
    struct feed_count c;
    const struct proftop_slot *slot = feed_sum_slots(block, FEED_APPLIES, at) + i;
    if (!feed_bit(&rows->known, i) || row->source == PROFTOP_SET || !feed_slot_try(slot, &c) ||
        c.timed != c.calls || c.calls <= row->calls || c.stale || row->is_open)
        return false;
    const bool timed = feed_source(c.kind) == PROFTOP_TIMED + 1;
    if (block->ticks && timed) {
        const struct feed_ticks *ticks = &scan->core->ticks;
        c.total = feed_ticks_ns(ticks, c.total);
        c.min = feed_ticks_ns(ticks, c.min);
        c.max = feed_ticks_ns(ticks, c.max);
        c.last = feed_ticks_ns(ticks, c.last);
    }
    c.total = feed_sum_bounded(c.total);
    block->seen[at]->sequence[i] = c.sequence;
    if (timed)
        block->seen[at]->last_plus_1[i] = last_plus_1(c.last);
    add_timed(scan, rows, i, c.calls - row->timed);
    if (row->timed != row->calls || c.min != row->min || c.max != row->max)
        feed_bit_set(&rows->extremes, i);
    if (row->source == PROFTOP_TIMED)
        feed_budget_see(&scan->budget, FEED_APPLIES, &row->sampling, at * FEED_CHUNK + i,
                        c.calls - row->calls, c.calls - row->calls, c.total - row->total);
    add_event(scan, row, row->source == PROFTOP_GIVEN ? FEED_E_GIVEN : FEED_E_TIMED,
              c.calls - row->calls);
    row->calls = row->timed = c.calls;
    row->total = c.total;
    row->last = c.last;
    row->min = c.min;
    row->max = c.max;
    wait_from_now(scan, at, i);
    return true;
}

/* Both clocks of slots. */
static struct feed_instant instant(const struct feed_scan *scan)
{
    return (struct feed_instant){scan->core->ticks.tsc ? feed_ticks_stamp() : 0, feed_clock_ns()};
}

/* Adds up the slots of one apply. False: a writer was at one of them. */
static bool read_slots(struct feed_scan *scan, uint32_t at, uint32_t i, struct feed_block *lone,
                       struct feed_sum *sum)
{
    bool whole = true;
    struct feed_block *block = lone == NULL ? feed_sum_first(scan) : lone;
    *sum = (struct feed_sum){0};
    for (; block != NULL && whole; block = lone == NULL ? block->next : NULL)
        whole = read_slot(scan, sum, block, at, i);
    return whole;
}

/* The same, and how long what is open still has been so. A call that ends in between would be in
 * neither: then both are read once more. */
static bool read_with_open(struct feed_scan *scan, uint32_t at, uint32_t i, struct feed_block *lone,
                           struct feed_sum *sum, struct feed_open_count *count, uint64_t *open_ns)
{
    uint32_t ended;
    bool whole;
    *count = (struct feed_open_count){0};
    do {
        ended = count->ended;
        const struct feed_instant now = instant(scan);
        whole = read_slots(scan, at, i, lone, sum);
        *open_ns = feed_scan_open_ns(scan, at * FEED_CHUNK + i, now, count);
    } while (whole && count->ended != ended);
    return whole;
}

/* Reads one apply's slots. `lone`: the only block that has one; NULL: look at all. */
static RARE void read_apply(struct feed_scan *scan, uint32_t at, uint32_t i,
                            struct feed_block *lone)
{
    struct feed_sum sum;
    struct feed_open_count count = {0};
    uint64_t open_ns = 0;
    struct feed_row *row = &scan->applies[at]->row[i];
    const bool whole = scan->opens == 0
                           ? read_slots(scan, at, i, lone, &sum)
                           : read_with_open(scan, at, i, lone, &sum, &count, &open_ns);
    if (!feed_bit(&scan->applies[at]->known, i))
        meet(scan, scan->applies[at], at * FEED_CHUNK + i);
    if (!whole || !sum.known)
        return;
    const bool was_open = row->is_open;
    row->open = open_ns;
    row->is_open = count.open > 0;
    if (update(scan, at, i, &sum) || row->is_open || was_open)
        wait_from_now(scan, at, i);
}

/* Reads the rows below n of chunk `at` that are open, or have been: their slots need not have
 * moved. Which thread ended a call last stays what it was. */
static void read_open(struct feed_scan *scan, uint32_t at, uint32_t n)
{
    const uint32_t end = at * FEED_CHUNK + n;
    for (size_t o = feed_scan_open_from(scan, at * FEED_CHUNK);
         o < scan->opens && scan->open[o].apply < end; o++) {
        const uint32_t i = scan->open[o].apply % FEED_CHUNK;
        struct feed_row *row = scan->applies[at] == NULL ? NULL : &scan->applies[at]->row[i];
        if (row == NULL || (o > 0 && scan->open[o - 1].apply == scan->open[o].apply))
            continue;
        const uint64_t calls = row->calls, last = row->last;
        scan->moved[i] = NULL;
        read_apply(scan, at, i, NULL);
        if (row->calls == calls && calls != 0)
            row->last = last;
    }
}

/* The next of n rows are sent again though nothing has changed: so many that all are, in FEED_ROLL
 * ticks. Neighbours, so that few pages are touched. */
static void roll(struct feed_scan *scan, uint32_t at, uint32_t n, uint32_t parts)
{
    struct feed_rows *rows = scan->applies[at];
    const uint32_t turns = FEED_ROLL / parts, step = (n + turns - 1) / turns;
    const uint32_t from = rows->rolled < turns * step ? rows->rolled : 0;
    rows->rolled = from + step;
    for (uint32_t i = from; i < rows->rolled && i < n; i++)
        if (feed_bit(&rows->known, i)) {
            feed_bit_set(&rows->extremes, i);
            wait_from_now(scan, at, i);
        }
}

/* Sums the rows of chunk `at` whose slots moved. */
static void sum_moved(struct feed_scan *scan, uint32_t at, uint32_t n)
{
    struct feed_bits bits;
    struct feed_block *one = NULL;
    scan->summed[at] = scan->asked;
    struct feed_block *lone = find_moved(scan, at, n, &bits, &one) == 1 ? one : NULL;
    const bool plain = lone != NULL && scan->applies[at]->base == NULL;
    for (uint32_t word = 0; word * 64 < n; word++)
        for (uint64_t left = bits.word[word]; left != 0; left &= left - 1) {
            const uint32_t i = word * 64 + (uint32_t)__builtin_ctzll(left);
            if (!plain || !read_plain(scan, at, i, lone))
                read_apply(scan, at, i, lone);
        }
    if (scan->opens != 0)
        read_open(scan, at, n);
}

/* Sums one of so many chunks from `at` on, until more than `most` rows of them wait. Gives the next
 * chunk. Rows roll in the tick that sums them: nearly all that have changed go anyway then. */
static RARE uint32_t scan_one_of(struct feed_scan *scan, uint32_t at, uint32_t count,
                                 uint32_t parts, uint32_t most)
{
    feed_ticks_settle(&scan->core->ticks);
    if (at == 0)
        feed_scan_list_open(scan);
    for (uint32_t rows = 0; at * FEED_CHUNK < count && rows <= most; at++) {
        uint32_t n = feed_rows_in(at, count);
        if (at % parts != scan->tick % parts)
            continue;
        sum_moved(scan, at, n);
        if (scan->applies[at] != NULL)
            roll(scan, at, n, parts);
        rows += scan->waiting[at];
    }
    return at;
}

void feed_scan_applies(struct feed_scan *scan, uint32_t count)
{
    scan_one_of(scan, 0, count, 1, UINT32_MAX);
}

void feed_scan_all(struct feed_scan *scan, uint32_t functions, uint32_t applies)
{
    scan->misses = false;
    feed_scan_functions(scan, functions);
    feed_scan_applies(scan, applies);
}

void feed_scan_chunk(struct feed_scan *scan, uint32_t at, uint32_t count)
{
    feed_ticks_settle(&scan->core->ticks);
    feed_scan_list_open(scan);
    sum_moved(scan, at, feed_rows_in(at, count));
}

/* So many parts that a whole second has full rounds: what a row gained in a second is then just
 * that, whichever tick sums it. */
static uint32_t parts_of(uint32_t count, uint32_t ticks)
{
    uint32_t parts = count > FEED_HUGE_APPLIES ? 10 : count > FEED_MANY_APPLIES ? 5 : 1;
    return parts < ticks ? parts : ticks;
}

uint32_t feed_scan_part(struct feed_scan *scan, uint32_t at, uint32_t count, uint32_t ticks,
                        uint32_t most)
{
    scan->parts = parts_of(count, ticks);
    return scan_one_of(scan, at, count, scan->parts, most);
}

/* ------------------------------------------------------------------- rows that wait to be sent */

uint32_t feed_scan_waiting(const struct feed_scan *scan, uint32_t at, uint32_t count,
                           uint32_t id[FEED_CHUNK])
{
    const struct feed_rows *rows = scan->waiting[at] == 0 ? NULL : scan->applies[at];
    uint32_t n = 0;
    for (uint32_t word = 0; rows != NULL && word * 64 < feed_rows_in(at, count); word++)
        for (uint64_t bits = rows->waits.word[word]; bits != 0; bits &= bits - 1)
            id[n++] = at * FEED_CHUNK + word * 64 + (uint32_t)__builtin_ctzll(bits);
    return n;
}

void feed_scan_sent(struct feed_scan *scan, const uint32_t *id, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        const uint32_t at = id[k] >> FEED_CHUNK_SHIFT, word = id[k] % FEED_CHUNK / 64;
        const uint64_t others = ~(UINT64_C(1) << id[k] % 64);
        struct feed_rows *rows = scan->applies[at];
        if (rows->waits.word[word] & ~others)
            scan->waiting[at]--;
        rows->waits.word[word] &= others;
        rows->extremes.word[word] &= others;
    }
}

/* --------------------------------------------------------- tables, made before they are needed */

enum {
    PREPARED_MAX = 256, /* tables made in one tick before somebody watches */
};

/* Written to, so that it is the process's from here on. Next to each other, since most are a little
 * more than a page. */
static void *zeroed(size_t size)
{
    void *memory = aligned_alloc(64, (size + 63) / 64 * 64);
    if (memory != NULL)
        memset(memory, 0, size);
    return memory;
}

struct feed_seen *feed_seen_of(struct feed_block *block, uint32_t at)
{
    if (block->seen[at] == NULL)
        block->seen[at] = zeroed(sizeof *block->seen[at]);
    return block->seen[at];
}

struct feed_rows *feed_rows_new(void)
{
    return zeroed(sizeof(struct feed_rows));
}

/* Makes what is missing for a chunk that a thread has; gives how many tables that were. */
static uint32_t prepare(struct feed_scan *scan, struct feed_block *block, uint32_t at)
{
    const bool seen = block->seen[at] != NULL, rows = scan->applies[at] != NULL;
    if (!seen)
        feed_seen_of(block, at);
    if (!rows)
        scan->applies[at] = feed_rows_new();
    return !seen + !rows;
}

void feed_scan_prepare(struct feed_scan *scan, uint32_t count)
{
    struct feed_block *first = atomic_load_explicit(&scan->core->blocks, memory_order_acquire);
    uint32_t made = 0;
    for (uint32_t at = 0; at * FEED_CHUNK < count && made < PREPARED_MAX; at++)
        for (struct feed_block *block = first; block != NULL; block = block->next)
            if (__atomic_load_n(feed_block_place(block, FEED_APPLIES, at), __ATOMIC_ACQUIRE))
                made += prepare(scan, block, at);
}

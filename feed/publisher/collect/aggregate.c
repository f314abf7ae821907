/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * aggregate.c: sums the slots of all threads to one row per apply.
 */
#include "config.h"

#include "feed/publisher/collect/aggregate.h"
#include "feed/publisher/collect/aggregate_calls.h"
#include "feed/publisher/collect/open_calls.h"
#include "feed/publisher/collect/sum.h"
#include "feed/publisher/record/histogram.h"

#include <stdlib.h>
#include <string.h>

/* Prefetch distance: changed slots are dirty in other cores' caches. */
enum { AHEAD = 16 };

/* Keeps code that few rows need out of the hot path, and small. */
#define RARE __attribute__((cold, noinline))

static inline void wait_from_now(struct publisher_aggregate *aggregate, uint32_t at, uint32_t i)
{
    struct publisher_rows *rows = aggregate->applies[at];
    if (publisher_bit(&rows->waits, i))
        return;
    publisher_bit_set(&rows->waits, i);
    rows->waits_since[i] = aggregate->tick;
    aggregate->waiting[at]++;
}

/* Returns the time of all calls, estimated from the timed ones. */
static RARE uint64_t estimated(struct publisher_aggregate *aggregate, struct publisher_rows *rows,
                               uint32_t i, const struct publisher_sum *sum, uint64_t measured)
{
    const struct publisher_row *row = &rows->row[i];
    struct publisher_base before = publisher_base_of(rows, i);
    before.calls += row->calls;
    before.timed += row->timed;
    before.total = publisher_sum_plus(row->total, before.total);
    if (rows->estimate == NULL)
        rows->estimate = calloc(PUBLISHER_CHUNK, sizeof *rows->estimate);
    const struct publisher_estimate_errors errors =
        publisher_aggregate_errors(aggregate, PUBLISHER_APPLIES);
    aggregate->estimates = true;
    return publisher_estimate_take(rows->estimate == NULL ? NULL : &rows->estimate[i], &before, sum,
                                   measured, &errors);
}

RARE uint64_t publisher_aggregate_error(const struct publisher_aggregate *aggregate, uint32_t id)
{
    const struct publisher_rows *rows = aggregate->applies[id >> PUBLISHER_CHUNK_SHIFT];
    if (rows == NULL || rows->estimate == NULL)
        return PROFTOP_UNKNOWN;
    const struct publisher_row *row = publisher_aggregate_apply(aggregate, id);
    if (row == NULL || row->source != PROFTOP_TIMED || row->timed == row->calls || row->timed == 0)
        return PROFTOP_UNKNOWN;
    return publisher_estimate_error(
        &rows->estimate[id % PUBLISHER_CHUNK],
        row->calls + publisher_base_of(rows, id % PUBLISHER_CHUNK).calls, row->max - row->min,
        aggregate->budget.hot[PUBLISHER_APPLIES].most_ns);
}

/* Copies the constant facts of a row that is first seen from its definition. */
static RARE void copy_definition(const struct publisher_aggregate *aggregate,
                                 struct publisher_rows *rows, uint32_t id)
{
    if (id >= publisher_definitions_count(&aggregate->core->definitions, PUBLISHER_DEF_APPLY)) {
        rows->lone_plus_1 = PUBLISHER_MIXED;
        return;
    }
    const struct publisher_apply_row *apply =
        publisher_definitions_row(&aggregate->core->definitions, PUBLISHER_DEF_APPLY, id);
    rows->function[id % PUBLISHER_CHUNK] = apply->function;
    rows->op_plus_1[id % PUBLISHER_CHUNK] = apply->op + 1;
    rows->row[id % PUBLISHER_CHUNK].source = apply->source;
    rows->row[id % PUBLISHER_CHUNK].nests = apply->exclusive == PUBLISHER_NESTS;
    rows->row[id % PUBLISHER_CHUNK].kind = apply->kind;
    if (rows->lone_plus_1 == 0)
        rows->lone_plus_1 = apply->function + 1;
    else if (rows->lone_plus_1 != apply->function + 1)
        rows->lone_plus_1 = PUBLISHER_MIXED;
}

static inline void add_event(struct publisher_aggregate *aggregate, const struct publisher_row *row,
                             enum publisher_event event, uint64_t more)
{
    aggregate->events[event] += more;
    aggregate->of[row->kind][event] += more;
}

/* Counts events for the overhead, and reports the calls to the sampler. `row` still holds the
 * values of the last aggregation. */
static void add_events(struct publisher_aggregate *aggregate, struct publisher_row *row,
                       uint32_t id, uint64_t calls, uint64_t timed, uint64_t total)
{
    uint64_t more = calls - row->calls, more_timed = timed - row->timed;
    if (row->source == PROFTOP_SET || calls <= row->calls || more_timed > more)
        return;
    if (row->source == PROFTOP_GIVEN) {
        add_event(aggregate, row, PUBLISHER_EVENT_GIVEN, more);
        return;
    }
    if (row->nests) {
        add_event(aggregate, row, PUBLISHER_EVENT_TIMED, more);
        return;
    }
    const uint64_t came =
        publisher_sampling_see(&aggregate->budget, PUBLISHER_APPLIES, &row->sampling, id, more,
                               more_timed, total - row->total);
    add_event(aggregate, row,
              row->sampling.rate == 0 ? PUBLISHER_EVENT_TIMED : PUBLISHER_EVENT_SAMPLED,
              more_timed);
    add_event(aggregate, row, PUBLISHER_EVENT_UNTIMED, came - more_timed);
    aggregate->untimed += more - more_timed;
}

/* Adds `more` timed calls of row i. */
static inline void add_timed(struct publisher_aggregate *aggregate,
                             const struct publisher_rows *rows, uint32_t i, uint64_t more)
{
    const uint32_t op = rows->op_plus_1[i] - 1;
    if (op < aggregate->ops)
        aggregate->timed[op] += more;
}

/* Returns the total of a row since the reset. The base includes the time, until the reset, of a
 * call that was open then. So the base exceeds the counted time while that call is open: the excess
 * is subtracted from the open time. If the call ends up not being counted, the excess is removed
 * from the base. */
static RARE uint64_t since_reset(struct publisher_rows *rows, uint32_t i, uint64_t counted)
{
    struct publisher_row *row = &rows->row[i];
    const uint64_t before = publisher_base_of(rows, i).total;
    const uint64_t more = before > counted ? before - counted : 0;
    if (more == 0)
        return counted - before;
    if (row->open < more)
        rows->base[i].total = publisher_sum_plus(counted, row->open);
    row->open = row->open < more ? 0 : row->open - more;
    return 0;
}

/* Updates row i from a sum; the caller has set the open time. Returns true if there is something to
 * send. */
static bool update(struct publisher_aggregate *aggregate, uint32_t at, uint32_t i,
                   const struct publisher_sum *sum)
{
    struct publisher_rows *rows = aggregate->applies[at];
    struct publisher_row *row = &rows->row[i];
    bool fresh = !publisher_bit(&rows->known, i);
    const struct publisher_base base = publisher_base_of(rows, i);
    uint64_t calls = publisher_sum_bounded(sum->calls) - base.calls,
             timed = sum->timed - base.timed;
    bool measured = sum->timed == sum->calls || row->source == PROFTOP_SET;
    uint64_t total = publisher_sum_ns(aggregate->core, sum);
    total = since_reset(
        rows, i,
        publisher_sum_bounded(measured ? total : estimated(aggregate, rows, i, sum, total)));
    bool moved = fresh || calls != row->calls || total != row->total;
    bool seen = sum->seen && timed != 0;
    uint64_t min = seen ? sum->min : PROFTOP_UNKNOWN, max = seen ? sum->max : PROFTOP_UNKNOWN;
    uint64_t sent_timed = publisher_sent_timed(row->calls, row->timed);
    bool extremes = fresh || min != row->min || max != row->max ||
                    publisher_sent_timed(calls, timed) != sent_timed;
    add_events(aggregate, row, at * PUBLISHER_CHUNK + i, calls, timed, total);
    if (row->source != PROFTOP_SET && timed > row->timed)
        add_timed(aggregate, rows, i, timed - row->timed);
    aggregate->calls += calls - row->calls;
    publisher_bit_set(&rows->known, i);
    if (extremes)
        publisher_bit_set(&rows->extremes, i);
    row->calls = calls;
    row->total = total;
    row->last = seen ? sum->last : PROFTOP_UNKNOWN;
    row->min = min;
    row->max = max;
    row->timed = timed;
    return moved || extremes;
}

/* Returns a bit for each of 8 slots that changed since it was read. Changed slots are spread at
 * random, so the loop has no branch to mispredict. Prefetching past the end of a chunk is
 * harmless. */
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

/* Lists the changed slots of one block, in moved[] and as bits. Prefetches their rows, which are
 * read next. */
static void find_moved_of(const struct publisher_aggregate *aggregate,
                          const struct publisher_rows *rows, struct publisher_block *block,
                          const struct proftop_slot *slot, const struct publisher_seen *seen,
                          uint32_t n, struct publisher_bits *bits)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < n; i += 8) {
        uint64_t moved = moved_of(slot + i, seen->sequence + i);
        any |= moved;
        bits->word[i / 64] |= moved << i % 64;
        for (; moved != 0; moved &= moved - 1) {
            uint32_t at = i + (uint32_t)__builtin_ctzll(moved);
            aggregate->moved[at] = block;
            __builtin_prefetch(&rows->row[at], 1);
        }
    }
    if (any != 0)
        block->moved = aggregate->tick;
}

/* Does the same for all blocks. Returns how many of them have that chunk, and sets `one` to one of
 * them. */
static uint32_t find_moved(struct publisher_aggregate *aggregate, uint32_t at, uint32_t n,
                           struct publisher_bits *bits, struct publisher_block **one)
{
    uint32_t having = 0;
    memset(bits, 0, sizeof *bits);
    for (struct publisher_block *block = publisher_sum_first(aggregate->core); block != NULL;
         block = block->next) {
        const struct proftop_slot *slot = publisher_sum_slots(block, PUBLISHER_APPLIES, at);
        const struct publisher_seen *seen = slot == NULL ? NULL : publisher_seen_of(block, at);
        if (aggregate->applies[at] == NULL && seen != NULL)
            aggregate->applies[at] = publisher_rows_new();
        aggregate->misses |= slot != NULL && (aggregate->applies[at] == NULL || seen == NULL);
        if (aggregate->applies[at] == NULL || seen == NULL)
            continue;
        having++;
        *one = block;
        find_moved_of(aggregate, aggregate->applies[at], block, slot, seen, n, bits);
    }
    if (n % 64 != 0) /* rows beyond n were defined after the tick began and are not sent yet */
        bits->word[n / 64] &= (UINT64_C(1) << n % 64) - 1;
    return having;
}

/* Returns the bucket, plus 1, that the last call of a slot will be counted in. */
static __attribute__((noinline)) uint8_t last_plus_1(uint64_t last_ns)
{
    return (uint8_t)(publisher_bucket_sent(last_ns) + 1);
}

/* Adds the slot of row i in a block. A slot that changes meanwhile differs again at the next
 * aggregation. Returns false if the slot could not be read; the next aggregation finds it
 * changed. */
static inline bool read_slot(const struct publisher_aggregate *aggregate, struct publisher_sum *sum,
                             struct publisher_block *block, uint32_t at, uint32_t i)
{
    struct publisher_count count;
    const struct proftop_slot *slot = publisher_sum_slots(block, PUBLISHER_APPLIES, at);
    if (slot == NULL || block->seen[at] == NULL || publisher_sum_is_silent(&slot[i]))
        return true;
    if (!publisher_slot_read(&slot[i], &count)) {
        if (aggregate->moved[i] != NULL)
            aggregate->moved[i]->seen[at]->sequence[i] = ~count.sequence;
        return false;
    }
    struct publisher_seen *seen = block->seen[at];
    seen->sequence[i] = count.sequence;
    const uint64_t last_ns =
        publisher_sum_add(aggregate->core, sum, block, &count, block == aggregate->moved[i]);
    if (count.timed != 0 && publisher_source(count.kind) == PROFTOP_TIMED + 1)
        seen->last_plus_1[i] = last_plus_1(last_ns);
    return true;
}

/* Fast path: copies a slot of a lone block into row i, with nothing to add up, to estimate or to
 * subtract. Most rows are like this, and take a third of the time of other rows. Returns false if
 * the row is not, or if the slot is being written. */
static inline bool read_plain(struct publisher_aggregate *aggregate, uint32_t at, uint32_t i,
                              struct publisher_block *block)
{
    struct publisher_rows *rows = aggregate->applies[at];
    struct publisher_row *row = &rows->row[i];
    struct publisher_count c;
    const struct proftop_slot *slot = publisher_sum_slots(block, PUBLISHER_APPLIES, at) + i;
    if (!publisher_bit(&rows->known, i) || row->source == PROFTOP_SET ||
        !publisher_slot_try(slot, &c) || c.timed != c.calls || c.calls <= row->calls || c.stale ||
        row->is_open)
        return false;
    const bool timed = publisher_source(c.kind) == PROFTOP_TIMED + 1;
    if (block->ticks && timed) {
        const struct publisher_ticks *ticks = &aggregate->core->ticks;
        c.total = publisher_ticks_ns(ticks, c.total);
        c.min = publisher_ticks_ns(ticks, c.min);
        c.max = publisher_ticks_ns(ticks, c.max);
        c.last = publisher_ticks_ns(ticks, c.last);
    }
    c.total = publisher_sum_bounded(c.total);
    block->seen[at]->sequence[i] = c.sequence;
    if (timed)
        block->seen[at]->last_plus_1[i] = last_plus_1(c.last);
    add_timed(aggregate, rows, i, c.calls - row->timed);
    if (row->timed != row->calls || c.min != row->min || c.max != row->max)
        publisher_bit_set(&rows->extremes, i);
    if (row->source == PROFTOP_TIMED && !row->nests)
        publisher_sampling_see(&aggregate->budget, PUBLISHER_APPLIES, &row->sampling,
                               at * PUBLISHER_CHUNK + i, c.calls - row->calls, c.calls - row->calls,
                               c.total - row->total);
    add_event(aggregate, row,
              row->source == PROFTOP_GIVEN ? PUBLISHER_EVENT_GIVEN : PUBLISHER_EVENT_TIMED,
              c.calls - row->calls);
    row->calls = row->timed = c.calls;
    row->total = c.total;
    row->last = c.last;
    row->min = c.min;
    row->max = c.max;
    wait_from_now(aggregate, at, i);
    return true;
}

/* Reads both clocks of slots. */
static struct publisher_instant instant(const struct publisher_aggregate *aggregate)
{
    return (struct publisher_instant){aggregate->core->ticks.tsc ? publisher_ticks_stamp() : 0,
                                      publisher_clock_ns()};
}

/* Adds up the slots of one apply. Returns false if one of them was being written. */
static bool read_slots(struct publisher_aggregate *aggregate, uint32_t at, uint32_t i,
                       struct publisher_block *lone, struct publisher_sum *sum)
{
    bool whole = true;
    struct publisher_block *block = lone == NULL ? publisher_sum_first(aggregate->core) : lone;
    *sum = (struct publisher_sum){0};
    for (; block != NULL && whole; block = lone == NULL ? block->next : NULL)
        whole = read_slot(aggregate, sum, block, at, i);
    return whole;
}

/* Does the same, and gets the time of the calls that are still open. A call that ends in between
 * would be in neither; then both are read again. */
static bool read_with_open(struct publisher_aggregate *aggregate, uint32_t at, uint32_t i,
                           struct publisher_block *lone, struct publisher_sum *sum,
                           struct publisher_open_count *count, uint64_t *open_ns)
{
    uint32_t ended;
    bool whole;
    *count = (struct publisher_open_count){0};
    do {
        ended = count->ended;
        const struct publisher_instant now = instant(aggregate);
        whole = read_slots(aggregate, at, i, lone, sum);
        *open_ns = publisher_aggregate_open_ns(aggregate, at * PUBLISHER_CHUNK + i, now, count);
    } while (whole && count->ended != ended);
    return whole;
}

/* Reads the slots of one apply. `lone`: the only block that has one; NULL: reads all blocks. */
static RARE void read_apply(struct publisher_aggregate *aggregate, uint32_t at, uint32_t i,
                            struct publisher_block *lone)
{
    struct publisher_sum sum;
    struct publisher_open_count count = {0};
    uint64_t open_ns = 0;
    struct publisher_row *row = &aggregate->applies[at]->row[i];
    const bool whole = aggregate->opens == 0
                           ? read_slots(aggregate, at, i, lone, &sum)
                           : read_with_open(aggregate, at, i, lone, &sum, &count, &open_ns);
    if (!publisher_bit(&aggregate->applies[at]->known, i))
        copy_definition(aggregate, aggregate->applies[at], at * PUBLISHER_CHUNK + i);
    if (!whole || !sum.known)
        return;
    const bool was_open = row->is_open;
    row->open = open_ns;
    row->is_open = count.open > 0;
    if (update(aggregate, at, i, &sum) || row->is_open || was_open)
        wait_from_now(aggregate, at, i);
}

/* Reads the rows below n of chunk `at` that are or were open: their slots need not have changed.
 * `last` stays if no call has ended. */
static void read_open(struct publisher_aggregate *aggregate, uint32_t at, uint32_t n)
{
    const uint32_t end = at * PUBLISHER_CHUNK + n;
    for (size_t o = publisher_aggregate_open_from(aggregate, at * PUBLISHER_CHUNK);
         o < aggregate->opens && aggregate->open[o].apply < end; o++) {
        const uint32_t i = aggregate->open[o].apply % PUBLISHER_CHUNK;
        struct publisher_row *row =
            aggregate->applies[at] == NULL ? NULL : &aggregate->applies[at]->row[i];
        if (row == NULL || (o > 0 && aggregate->open[o - 1].apply == aggregate->open[o].apply))
            continue;
        const uint64_t calls = row->calls, last = row->last;
        aggregate->moved[i] = NULL;
        read_apply(aggregate, at, i, NULL);
        if (row->calls == calls && calls != 0)
            row->last = last;
    }
}

/* Marks the next few of n rows as dirty though nothing has changed, so that all rows are repeated
 * within WIRE_ROLL ticks. Neighbouring rows, so that few pages are touched. */
static void roll(struct publisher_aggregate *aggregate, uint32_t at, uint32_t n, uint32_t parts)
{
    struct publisher_rows *rows = aggregate->applies[at];
    const uint32_t turns = WIRE_ROLL / parts, step = (n + turns - 1) / turns;
    const uint32_t from = rows->rolled < turns * step ? rows->rolled : 0;
    rows->rolled = from + step;
    for (uint32_t i = from; i < rows->rolled && i < n; i++)
        if (publisher_bit(&rows->known, i)) {
            publisher_bit_set(&rows->extremes, i);
            wait_from_now(aggregate, at, i);
        }
}

/* Sums the rows of chunk `at` whose slots changed. */
static void sum_moved(struct publisher_aggregate *aggregate, uint32_t at, uint32_t n)
{
    struct publisher_bits bits;
    struct publisher_block *one = NULL;
    aggregate->summed[at] = aggregate->snapshots;
    struct publisher_block *lone = find_moved(aggregate, at, n, &bits, &one) == 1 ? one : NULL;
    const bool plain = lone != NULL && aggregate->applies[at]->base == NULL;
    for (uint32_t word = 0; word * 64 < n; word++)
        for (uint64_t left = bits.word[word]; left != 0; left &= left - 1) {
            const uint32_t i = word * 64 + (uint32_t)__builtin_ctzll(left);
            if (!plain || !read_plain(aggregate, at, i, lone))
                read_apply(aggregate, at, i, lone);
        }
    if (aggregate->opens != 0)
        read_open(aggregate, at, n);
}

/* Sums one in `parts` chunks from `at` on, until more than `most` of their rows are dirty. Returns
 * the next chunk. Rows are repeated in the tick that sums them: in that tick most of them are sent
 * anyway. */
static RARE uint32_t scan_one_of(struct publisher_aggregate *aggregate, uint32_t at, uint32_t count,
                                 uint32_t parts, uint32_t most)
{
    publisher_ticks_settle(&aggregate->core->ticks);
    if (at == 0)
        publisher_aggregate_list_open(aggregate);
    for (uint32_t rows = 0; at * PUBLISHER_CHUNK < count && rows <= most; at++) {
        uint32_t n = publisher_rows_in(at, count);
        if (at % parts != aggregate->tick % parts)
            continue;
        sum_moved(aggregate, at, n);
        if (aggregate->applies[at] != NULL)
            roll(aggregate, at, n, parts);
        rows += aggregate->waiting[at];
    }
    return at;
}

void publisher_aggregate_applies(struct publisher_aggregate *aggregate, uint32_t count)
{
    scan_one_of(aggregate, 0, count, 1, UINT32_MAX);
}

void publisher_aggregate_all(struct publisher_aggregate *aggregate, uint32_t functions,
                             uint32_t applies)
{
    aggregate->misses = false;
    publisher_aggregate_functions(aggregate, functions);
    publisher_aggregate_applies(aggregate, applies);
}

void publisher_aggregate_chunk(struct publisher_aggregate *aggregate, uint32_t at, uint32_t count)
{
    publisher_ticks_settle(&aggregate->core->ticks);
    publisher_aggregate_list_open(aggregate);
    sum_moved(aggregate, at, publisher_rows_in(at, count));
}

/* Returns the ticks of a round. A second holds whole rounds, so the increase of a row within a
 * second is exact, whichever tick sums the row. */
static uint32_t parts_of(uint32_t count, uint32_t ticks)
{
    uint32_t parts = count > WIRE_HUGE_APPLIES ? 10 : count > WIRE_MANY_APPLIES ? 5 : 1;
    return parts < ticks ? parts : ticks;
}

uint32_t publisher_aggregate_part(struct publisher_aggregate *aggregate, uint32_t at,
                                  uint32_t count, uint32_t ticks, uint32_t most)
{
    aggregate->parts = parts_of(count, ticks);
    return scan_one_of(aggregate, at, count, aggregate->parts, most);
}

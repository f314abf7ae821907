/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * history.c: collects the changes of each tick, and adds up old ones.
 */
#include "model/history.h"

#include <stdlib.h>
#include <string.h>

#include "model/compile.h"
#include "model/delta.h"
#include "model/history_private.h"

/* Lanes from the newest to the oldest moments. A moment leaves its lane at the old end. In the next
 * lane it is added to its neighbour, unless the sum would cover more than `span_ns`. */
enum { LANES = 4, SHARE = 8 }; /* each lane but the first has up to 1/SHARE of the limit */
static const uint64_t span_ns[LANES] = {0, UINT64_C(1000000000), UINT64_C(10000000000),
                                        UINT64_C(60000000000)};

struct record {
    struct model_history_moment seen;
    struct model_moment moment;
    size_t size;
    uint8_t delta[]; /* from the moment before to this one */
};

/* Moments of a lane, oldest first, in a ring. */
struct lane {
    struct record **record;
    uint32_t first, count, capacity; /* a power of two, or 0 */
    size_t bytes;
};

/* Rows of a table that changed since the newest moment, with their values then. */
struct pending {
    uint32_t *slot; /* by id: position below, plus 1; 0: unchanged */
    uint32_t *id;
    uint64_t *old;
    uint32_t slots, count, capacity;
    bool unsorted;
};

struct model_history {
    struct model_job *job; /* one reference */
    size_t limit, bytes;
    struct pending pending[MODEL_VALUE_TABLES];
    size_t pending_bytes;
    bool broken; /* changes were lost: the past cannot be reached from the present */
    struct lane lane[LANES];
    uint64_t numbers;
    struct model_delta_out out;
    struct model_delta_in older, newer;
    struct model_delta_row row;
};

struct model_past {
    struct model_job *job; /* one reference */
    struct model_values values;
    struct model_moment moment;
    uint64_t number;
    struct model_delta_in in;
    struct model_away away;      /* between model_past_enter() and model_past_leave(), */
    struct model_inside *inside; /* and what taking a state may change */
};

/* -------------------------------------------------------------------------------------- changes */

static bool grow(void **memory, size_t count, size_t size)
{
    void *grown = realloc(*memory, count * size);
    if (grown)
        *memory = grown;
    return grown != NULL;
}

static bool fit_slots(struct pending *pending, uint32_t id)
{
    if (id < pending->slots)
        return true;
    const uint32_t slots = id < 32 ? 64 : id > UINT32_MAX / 2 ? UINT32_MAX : 2 * id;
    void *slot = pending->slot;
    if (!grow(&slot, slots, sizeof(*pending->slot)))
        return false;
    pending->slot = slot;
    memset(pending->slot + pending->slots, 0, (slots - pending->slots) * sizeof(*pending->slot));
    pending->slots = slots;
    return true;
}

static bool fit_pending(struct pending *pending, size_t row_size)
{
    if (pending->count < pending->capacity)
        return true;
    const uint32_t capacity = pending->capacity ? 2 * pending->capacity : 64;
    void *id = pending->id, *old = pending->old;
    const bool fits = grow(&id, capacity, sizeof(*pending->id));
    pending->id = id;
    if (!fits || !grow(&old, capacity, row_size))
        return false;
    pending->old = old;
    pending->capacity = capacity;
    return true;
}

void model_history_touch(struct model_history *history, unsigned table, uint32_t id)
{
    struct pending *pending = &history->pending[table];
    if (history->broken || (id < pending->slots && pending->slot[id] != 0))
        return;
    const unsigned words = model_values_words(table);
    const size_t row_size = words * sizeof(uint64_t);
    history->pending_bytes += row_size;
    /* More changes than the history may keep: there is no use in storing them. */
    if (history->pending_bytes > history->limit || !fit_slots(pending, id) ||
        !fit_pending(pending, row_size)) {
        history->broken = true;
        return;
    }
    pending->unsorted |= pending->count > 0 && id < pending->id[pending->count - 1];
    memcpy(pending->old + (size_t)pending->count * words,
           model_values_row(&history->job->values, table, id), row_size);
    pending->id[pending->count++] = id;
    pending->slot[id] = pending->count;
}

static void clear_pending(struct model_history *history)
{
    for (unsigned table = 0; table < MODEL_VALUE_TABLES; table++) {
        struct pending *pending = &history->pending[table];
        for (uint32_t i = 0; i < pending->count; i++)
            pending->slot[pending->id[i]] = 0;
        pending->count = 0;
        pending->unsorted = false;
    }
    history->pending_bytes = 0;
}

void model_history_untouch(struct model_history *history)
{
    clear_pending(history);
}

static const uint64_t *old_row(const struct pending *pending, unsigned table, uint32_t at)
{
    return pending->old + (size_t)at * model_values_words(table);
}

static void add_row(struct model_history *history, unsigned table, uint32_t at,
                    struct model_history_moment *seen)
{
    const struct pending *pending = &history->pending[table];
    const unsigned words = model_values_words(table);
    struct model_delta_row *row = &history->row;
    row->table = table;
    row->id = pending->id[at];
    row->words = 0;
    const uint64_t *old = old_row(pending, table, at);
    const uint64_t *now = model_values_row(&history->job->values, table, row->id);
    for (unsigned i = 0; i < words; i++) {
        if (now[i] == old[i])
            continue;
        row->word[row->words] = (uint8_t)i;
        row->change[row->words++] = now[i] - old[i];
    }
    if (table == MODEL_V_APPLY) { /* calls and total_ns are the first words */
        seen->calls += now[0] - old[0];
        seen->time_ns += now[1] - old[1];
    }
    model_delta_add(&history->out, row);
}

_Static_assert(offsetof(struct model_apply_value, calls) == 0 &&
                   offsetof(struct model_apply_value, total_ns) == sizeof(uint64_t),
               "add_row() reads them");

static void add_table(struct model_history *history, unsigned table,
                      struct model_history_moment *seen)
{
    const struct pending *pending = &history->pending[table];
    if (!pending->unsorted) {
        for (uint32_t at = 0; at < pending->count; at++)
            add_row(history, table, at, seen);
        return;
    }
    for (uint32_t id = 0, left = pending->count; left > 0; id++)
        if (pending->slot[id] != 0) {
            add_row(history, table, pending->slot[id] - 1, seen);
            left--;
        }
}

/* -------------------------------------------------------------------------------------- records */

static size_t record_bytes(const struct record *record)
{
    return sizeof(*record) + record->size + 2 * sizeof(void *);
}

static struct record **lane_at(const struct lane *lane, uint32_t at)
{
    return &lane->record[(lane->first + at) & (lane->capacity - 1)];
}

static bool fit_lane(struct lane *lane)
{
    if (lane->count < lane->capacity)
        return true;
    const uint32_t capacity = lane->capacity ? 2 * lane->capacity : 64;
    struct record **record = malloc(capacity * sizeof(struct record *));
    if (!record)
        return false;
    for (uint32_t i = 0; i < lane->count; i++)
        record[i] = *lane_at(lane, i);
    free(lane->record);
    lane->record = record;
    lane->capacity = capacity;
    lane->first = 0;
    return true;
}

/* The lane has room. */
static void push(struct model_history *history, unsigned lane, struct record *record)
{
    struct lane *to = &history->lane[lane];
    *lane_at(to, to->count++) = record;
    to->bytes += record_bytes(record);
    history->bytes += record_bytes(record);
}

static struct record *take_oldest(struct model_history *history, unsigned lane)
{
    struct lane *from = &history->lane[lane];
    struct record *record = *lane_at(from, 0);
    from->first = (from->first + 1) & (from->capacity - 1);
    from->count--;
    from->bytes -= record_bytes(record);
    history->bytes -= record_bytes(record);
    return record;
}

static struct record *take_newest(struct model_history *history, unsigned lane)
{
    struct lane *from = &history->lane[lane];
    struct record *record = *lane_at(from, --from->count);
    from->bytes -= record_bytes(record);
    history->bytes -= record_bytes(record);
    return record;
}

static struct record *new_record(const struct model_delta_out *out)
{
    struct record *record = malloc(sizeof(*record) + out->size);
    if (!record)
        return NULL;
    record->size = out->size;
    memcpy(record->delta, out->data, out->size);
    return record;
}

static void forget(struct model_history *history)
{
    for (unsigned lane = 0; lane < LANES; lane++)
        while (history->lane[lane].count > 0)
            free(take_oldest(history, lane));
}

/* Adds a record to its older neighbour. Returns the sum, and frees both; NULL: out of memory. */
static struct record *merge(struct model_history *history, struct record *older,
                            struct record *newer)
{
    model_delta_begin(&history->out);
    model_delta_read(&history->older, older->delta, older->size);
    model_delta_read(&history->newer, newer->delta, newer->size);
    model_delta_merge(&history->out, &history->older, &history->newer);
    struct record *sum = model_delta_end(&history->out) ? new_record(&history->out) : NULL;
    if (!sum)
        return NULL;
    sum->moment = newer->moment;
    sum->seen = newer->seen;
    sum->seen.from_ns = older->seen.from_ns;
    sum->seen.calls += older->seen.calls;
    sum->seen.time_ns += older->seen.time_ns;
    sum->seen.ticks += older->seen.ticks;
    free(older);
    free(newer);
    return sum;
}

static bool joins(const struct record *older, const struct record *newer, unsigned lane)
{
    return older->moment.epoch == newer->moment.epoch &&
           older->moment.ended == newer->moment.ended &&
           newer->seen.mono_ns - older->seen.from_ns <= span_ns[lane];
}

/* Moves the oldest moment of a lane to the next lane. Returns false if out of memory. */
static bool age(struct model_history *history, unsigned lane)
{
    struct lane *to = &history->lane[lane + 1];
    if (!fit_lane(to))
        return false;
    struct record *record = take_oldest(history, lane);
    if (to->count > 0 && joins(*lane_at(to, to->count - 1), record, lane + 1)) {
        struct record *older = take_newest(history, lane + 1);
        struct record *sum = merge(history, older, record);
        if (!sum)
            push(history, lane + 1, older);
        record = sum ? sum : record;
    }
    push(history, lane + 1, record);
    return true;
}

static void drop_oldest(struct model_history *history)
{
    unsigned lane = LANES - 1;
    while (lane > 0 && history->lane[lane].count == 0)
        lane--;
    free(take_oldest(history, lane));
}

/* Makes the past coarser, or shorter, until it fits. The newest moment stays. */
static void settle(struct model_history *history)
{
    while (history->bytes > history->limit && model_history_count(history) > 1) {
        unsigned lane = LANES - 1;
        while (lane > 0 && history->lane[lane].bytes <= history->limit / SHARE)
            lane--;
        if (lane == LANES - 1 || history->lane[lane].count <= 1 || !age(history, lane))
            drop_oldest(history);
    }
}

/* -------------------------------------------------------------------------------------- moments */

/* The record of a position, 0 is the oldest. */
static const struct record *record_at(const struct model_history *history, uint32_t at)
{
    unsigned lane = LANES - 1;
    while (at >= history->lane[lane].count)
        at -= history->lane[lane--].count;
    return *lane_at(&history->lane[lane], at);
}

static const struct record *newest(const struct model_history *history)
{
    const uint32_t count = model_history_count(history);
    return count > 0 ? record_at(history, count - 1) : NULL;
}

static bool is_as_before(const struct model_history *history, const struct model_moment *now,
                         const struct record *last)
{
    return !history->out.open && last->moment.epoch == now->epoch &&
           last->moment.ended == now->ended && last->moment.collecting == now->collecting &&
           last->moment.last_mark == now->last_mark;
}

static struct record *make_record(struct model_history *history, const struct record *last,
                                  const struct model_moment *moment)
{
    struct model_history_moment seen = {.number = history->numbers,
                                        .mono_ns = moment->mono_ns,
                                        .wall_ns = moment->wall_ns,
                                        .from_ns = last ? last->moment.mono_ns : moment->mono_ns,
                                        .epoch = moment->epoch,
                                        .compiles = moment->compiles,
                                        .collecting = moment->collecting,
                                        .ended = moment->ended,
                                        .ticks = 1};
    model_delta_begin(&history->out);
    for (unsigned table = 0; last && table < MODEL_VALUE_TABLES; table++)
        add_table(history, table, &seen);
    if (!last || last->moment.epoch != moment->epoch)
        seen.calls = seen.time_ns = 0;
    struct record *record = model_delta_end(&history->out) ? new_record(&history->out) : NULL;
    if (record) {
        record->moment = *moment;
        record->seen = seen;
    }
    return record;
}

void model_history_commit_sum(struct model_history *history, uint32_t ticks)
{
    model_job_end_tick(history->job);
    const struct model_moment moment = model_moment_of(history->job);
    const struct record *last = newest(history);
    if (!moment.complete)
        return;
    if (history->broken) {
        forget(history);
        last = NULL;
    }
    struct record *record = make_record(history, last, &moment);
    clear_pending(history);
    const bool is_new = !last || !is_as_before(history, &moment, last);
    history->broken = !record || (is_new && !fit_lane(&history->lane[0]));
    if (history->broken || !is_new) {
        free(record);
        return;
    }
    record->seen.ticks = ticks;
    history->numbers++;
    push(history, 0, record);
    settle(history);
}

void model_history_commit(struct model_history *history)
{
    model_history_commit_sum(history, 1);
}

/* True if the older copy of a job has the same rows, as far as it has them, so that its moments
 * refer to rows that there are. */
static bool has_same_rows(const struct model_job *job, const struct model_job *older)
{
    const struct model_function_def *function = job->def[MODEL_FUNCTION].data;
    const struct model_function_def *older_function = older->def[MODEL_FUNCTION].data;
    const struct model_apply_def *apply = job->def[MODEL_APPLY].data;
    const struct model_apply_def *older_apply = older->def[MODEL_APPLY].data;
    const struct model_op_def *op = job->def[MODEL_OP].data, *older_op = older->def[MODEL_OP].data;
    for (unsigned table = 0; table < MODEL_TABLES; table++)
        if (older->def[table].count > job->def[table].count)
            return false;
    for (uint32_t i = 0; i < older->def[MODEL_FUNCTION].count; i++)
        if (function[i].parent != older_function[i].parent)
            return false;
    for (uint32_t i = 0; i < older->def[MODEL_APPLY].count; i++)
        if (apply[i].function != older_apply[i].function || apply[i].op != older_apply[i].op ||
            apply[i].made_at != older_apply[i].made_at)
            return false;
    for (uint32_t i = 0; i < older->def[MODEL_OP].count; i++)
        if (op[i].op_class != older_op[i].op_class)
            return false;
    for (uint32_t i = 0; i < older->compiling.count; i++) {
        const struct model_compile_def *row = job->compiling.data;
        const struct model_compile_def *older_row = older->compiling.data;
        if (i >= job->compiling.count || row[i].function != older_row[i].function ||
            row[i].phase != older_row[i].phase)
            return false;
    }
    return older->phases <= job->phases;
}

/* True if the values at the oldest moment are those of the older copy now: only then do its changes
 * lead back to values that were checked. */
static bool has_same_values(struct model_history *history, const struct model_job *older)
{
    enum { NAME = sizeof(struct model_text) / sizeof(uint64_t) }; /* an address, of a phase */
    struct model_past *past = model_past_new(history);
    bool same = past && model_past_seek(past, 0);
    for (unsigned table = 0; same && table < MODEL_VALUE_TABLES; table++) {
        const unsigned from = table == MODEL_V_PHASE ? NAME : 0;
        const size_t size = (model_values_words(table) - from) * sizeof(uint64_t);
        const uint32_t count =
            table == MODEL_V_PHASE ? older->phases : model_values_count(older, table);
        for (uint32_t id = 0; same && id < count; id++)
            same = memcmp(model_values_row(&past->values, table, id) + from,
                          model_values_row(&older->values, table, id) + from, size) == 0;
    }
    model_past_free(&past);
    return same;
}

/* Makes room for the rows of the older copy that the newer one has no values of. */
static bool fit_rows(struct model_job *job, const struct model_job *older)
{
    for (unsigned table = 0; table < MODEL_VALUE_TABLES; table++) {
        const bool grows = table == MODEL_V_NOW || table == MODEL_V_PHASE ||
                           table == MODEL_V_QUANTILE || table >= MODEL_V_METRIC;
        const uint32_t count = model_values_count(older, table);
        if (count > model_values_count(job, table) &&
            (!grows || !model_values_fit(&job->values, job, table, count)))
            return false;
    }
    return true;
}

/* Puts a record before all others. */
static bool push_oldest(struct model_history *history, struct record *record)
{
    struct lane *to = &history->lane[LANES - 1];
    if (!fit_lane(to))
        return false;
    to->first = (to->first - 1) & (to->capacity - 1);
    to->count++;
    *lane_at(to, 0) = record;
    to->bytes += record_bytes(record);
    history->bytes += record_bytes(record);
    return true;
}

bool model_history_prepend(struct model_history *history, struct model_history *older)
{
    const uint32_t count = model_history_count(history), more = model_history_count(older);
    if (count == 0 || more < 2)
        return false;
    const struct record *oldest = record_at(history, 0), *newest_of_older = newest(older);
    uint64_t number = oldest->seen.number;
    if (oldest->moment.mono_ns != newest_of_older->moment.mono_ns ||
        oldest->moment.epoch != newest_of_older->moment.epoch || number < more ||
        history->bytes + older->bytes > history->limit ||
        !has_same_rows(history->job, older->job) || !fit_rows(history->job, older->job) ||
        !has_same_values(history, older->job))
        return false;
    drop_oldest(history);
    for (unsigned lane = 0; lane < LANES; lane++)
        while (older->lane[lane].count > 0) {
            struct record *record = take_newest(older, lane);
            record->seen.number = number--;
            if (!push_oldest(history, record)) {
                free(record);
                return true; /* the past begins here */
            }
        }
    return true;
}

uint32_t model_history_count(const struct model_history *history)
{
    uint32_t count = 0;
    for (unsigned lane = 0; lane < LANES; lane++)
        count += history->lane[lane].count;
    return count;
}

struct model_history_moment model_history_at(const struct model_history *history, uint32_t at)
{
    return record_at(history, at)->seen;
}

/* Returns the newest moment whose figure at `offset` is not above `most`, or the oldest. */
static uint32_t find(const struct model_history *history, size_t offset, uint64_t most)
{
    uint32_t low = 0, high = model_history_count(history) - 1;
    while (low < high) {
        const uint32_t middle = low + (high - low + 1) / 2;
        const char *seen = (const char *)&record_at(history, middle)->seen;
        if (*(const uint64_t *)(const void *)(seen + offset) <= most)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

uint32_t model_history_find(const struct model_history *history, uint64_t mono_ns)
{
    return find(history, offsetof(struct model_history_moment, mono_ns), mono_ns);
}

uint32_t model_history_find_wall(const struct model_history *history, uint64_t wall_ns)
{
    return find(history, offsetof(struct model_history_moment, wall_ns), wall_ns);
}

uint32_t model_history_number(const struct model_history *history, uint64_t number)
{
    return find(history, offsetof(struct model_history_moment, number), number);
}

const struct model_moment *model_history_moment_of(const struct model_history *history, uint32_t at)
{
    return &record_at(history, at)->moment;
}

void model_history_changes(const struct model_history *history, uint32_t at,
                           struct model_delta_in *in)
{
    const struct record *record = record_at(history, at);
    model_delta_read(in, record->delta, at > 0 ? record->size : 0);
    in->bad = false;
}

const uint64_t *model_history_row(const struct model_history *history, unsigned table, uint32_t id)
{
    const struct pending *pending = &history->pending[table];
    if (id >= model_values_count(history->job, table))
        return NULL;
    return id < pending->slots && pending->slot[id] != 0
               ? old_row(pending, table, pending->slot[id] - 1)
               : model_values_row(&history->job->values, table, id);
}

/* ----------------------------------------------------------------------------------------- life */

struct model_history *model_history_new(struct model_job *job, size_t limit)
{
    struct model_history *history = calloc(1, sizeof(*history));
    if (!history)
        return NULL;
    history->job = model_job_retain(job);
    history->limit = limit;
    job->history = history;
    return history;
}

void model_history_free(struct model_history **history)
{
    struct model_history *h = *history;
    if (!h)
        return;
    forget(h);
    for (unsigned lane = 0; lane < LANES; lane++)
        free(h->lane[lane].record);
    for (unsigned table = 0; table < MODEL_VALUE_TABLES; table++) {
        free(h->pending[table].slot);
        free(h->pending[table].id);
        free(h->pending[table].old);
    }
    free(h->out.data);
    h->job->history = NULL;
    model_job_release(&h->job);
    free(h);
    *history = NULL;
}

struct model_history *model_history_of(const struct model_job *job)
{
    return job->history;
}

struct model_job *model_history_job(const struct model_history *history)
{
    return history->job;
}

void model_history_limit(struct model_history *history, size_t limit)
{
    history->limit = limit;
    settle(history);
}

size_t model_history_bytes(const struct model_history *history)
{
    return history->bytes;
}

size_t model_history_most(const struct model_history *history)
{
    return history->limit;
}

/* ----------------------------------------------------------------------------------------- past */

/* Makes room for the rows that the job has now. */
static bool fit_values(struct model_past *past)
{
    const struct model_job *job = past->job;
    for (unsigned table = 0; table < MODEL_VALUE_TABLES; table++)
        if (!model_values_fit(&past->values, job, table, model_values_count(job, table)))
            return false;
    return true;
}

/* Copies the present, and takes back what changed since the newest moment. */
static bool begin(struct model_past *past)
{
    const struct model_history *history = past->job->history;
    const struct record *last = newest(history);
    model_values_release(&past->values);
    if (!last || history->broken || !model_values_copy(&past->values, past->job) ||
        !fit_values(past))
        return false;
    for (unsigned table = 0; table < MODEL_VALUE_TABLES; table++) {
        const struct pending *pending = &history->pending[table];
        const size_t size = model_values_words(table) * sizeof(uint64_t);
        for (uint32_t i = 0; i < pending->count; i++)
            memcpy(model_values_row(&past->values, table, pending->id[i]),
                   old_row(pending, table, i), size);
    }
    past->moment = last->moment;
    past->number = last->seen.number;
    return true;
}

struct model_past *model_past_new(struct model_history *history)
{
    struct model_past *past = calloc(1, sizeof(*past));
    if (!past)
        return NULL;
    past->job = model_job_retain(history->job);
    if (!begin(past))
        model_past_free(&past);
    return past;
}

struct model_past *model_past_copy(const struct model_past *past)
{
    struct model_past *copy = calloc(1, sizeof(*copy));
    if (!copy)
        return NULL;
    copy->job = model_job_retain(past->job);
    copy->moment = past->moment;
    copy->number = past->number;
    if (!model_values_clone(&copy->values, &past->values))
        model_past_free(&copy);
    return copy;
}

void model_past_free(struct model_past **past)
{
    if (!*past)
        return;
    model_values_release(&(*past)->values);
    model_job_release(&(*past)->job);
    free(*past);
    *past = NULL;
}

static void step(struct model_past *past, const struct record *record, bool back)
{
    struct model_delta_in *in = &past->in;
    model_delta_read(in, record->delta, record->size);
    while (model_delta_next(in)) {
        uint64_t *row = model_values_row(&past->values, in->row.table, in->row.id);
        for (unsigned i = 0; i < in->row.words; i++)
            row[in->row.word[i]] += back ? -in->row.change[i] : in->row.change[i];
    }
}

bool model_past_seek(struct model_past *past, uint32_t to)
{
    const struct model_history *history = past->job->history;
    if (!history || !fit_values(past))
        return false;
    uint32_t at = model_history_number(history, past->number);
    if (record_at(history, at)->seen.number != past->number) { /* the moment was dropped */
        if (!begin(past))
            return false;
        at = model_history_count(history) - 1;
    }
    for (; at > to; at--)
        step(past, record_at(history, at), true);
    for (; at < to; at++)
        step(past, record_at(history, at + 1), false);
    past->moment = record_at(history, to)->moment;
    past->number = record_at(history, to)->seen.number;
    return true;
}

void model_past_since(struct model_past *past, const struct model_past *base)
{
    if (past->job != base->job || past->moment.epoch != base->moment.epoch)
        return;
    model_values_since(&past->values, &base->values, past->job, base->moment.mono_ns);
    past->moment.followed = true;
    past->moment.amid = false;
}

uint64_t model_past_number(const struct model_past *past)
{
    return past->number;
}

void model_history_number_from(struct model_history *history, uint64_t number)
{
    history->numbers = number;
}

const struct model_values *model_past_values(const struct model_past *past)
{
    return &past->values;
}

struct model_job *model_past_job(const struct model_past *past)
{
    return past->job;
}

uint64_t model_past_mono_ns(const struct model_past *past)
{
    return past->moment.mono_ns;
}

bool model_past_enter(struct model_past *past)
{
    struct model_job *job = past->job;
    const size_t size = past->moment.rows[MODEL_FUNCTION] * sizeof(struct model_inside);
    past->inside = malloc(size + 1);
    if (!past->inside)
        return false;
    if (size > 0)
        memcpy(past->inside, past->values.inside, size);
    model_moment_enter(job, &past->values, &past->moment, &past->away);
    return true;
}

void model_past_leave(struct model_past *past)
{
    const size_t size = past->moment.rows[MODEL_FUNCTION] * sizeof(struct model_inside);
    model_moment_leave(past->job, &past->away);
    if (size > 0)
        memcpy(past->values.inside, past->inside, size);
    free(past->inside);
    past->inside = NULL;
}

struct model_state *model_past_take(struct model_past *past, uint32_t scope,
                                    const struct model_state *before)
{
    if (!model_past_enter(past))
        return NULL;
    struct model_state *state = model_state_take(past->job, scope, before);
    model_past_leave(past);
    return state;
}

size_t model_past_bytes(const struct model_past *past)
{
    return sizeof(*past) + model_values_bytes(&past->values);
}

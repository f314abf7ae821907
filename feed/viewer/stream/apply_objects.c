/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * apply_objects.c: applies counters, spans and markers to the model.
 */
#include "config.h"

#include "feed/viewer/stream/apply_objects.h"

#include <math.h>
#include <string.h>

#include "model/objects.h"

static struct model_bytes bytes_of(struct wire_text text)
{
    return (struct model_bytes){text.data, text.size};
}

/* Maps codes that this version does not know to 0. */
static uint8_t code(uint64_t value, unsigned known)
{
    return value < known ? (uint8_t)value : 0;
}

bool viewer_apply_counter(struct model_job *job, const struct viewer_apply_row *row)
{
    const struct model_counter_raw raw = {
        .domain = bytes_of(row->text[0]),
        .name = bytes_of(row->text[1]),
        .scope = bytes_of(row->text[2]),
        .unit = bytes_of(row->text[3]),
        .kind = code(row->u[4], MODEL_COUNTER_KINDS),
    };
    return model_job_add_counter(job, &raw);
}

bool viewer_apply_span(struct model_job *job, const struct viewer_apply_row *row)
{
    const struct model_span_raw raw = {
        .domain = bytes_of(row->text[0]),
        .name = bytes_of(row->text[1]),
        .kind = code(row->u[2], MODEL_SPAN_KINDS),
    };
    return model_job_add_span(job, &raw);
}

bool viewer_apply_marker(struct model_job *job, const struct viewer_apply_row *row)
{
    return model_job_add_marker(job, bytes_of(row->text[0]), bytes_of(row->text[1]));
}

/* ---------------------------------------------------------------------------------------- rows */

/* Iterator over the rows of a group of integers. */
struct walk {
    const struct wire_rows *rows;
    uint32_t at;
    uint64_t carry[WIRE_COLUMNS];
    uint64_t u[WIRE_COLUMNS];
};

static struct walk walk_of(const struct wire_frame *frame, enum wire_group group)
{
    return (struct walk){.rows = &frame->group[group]};
}

/* Reads the next row. False: there is none. */
static bool walk_next(struct walk *walk)
{
    if (!walk->rows->present || walk->at == walk->rows->count)
        return false;
    for (unsigned c = 0; c < WIRE_COLUMNS; c++)
        if (walk->rows->column[c].type != WIRE_NONE)
            wire_column_read(&walk->rows->column[c], walk->at, 1, &walk->u[c], &walk->carry[c]);
    walk->at++;
    return true;
}

static double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ------------------------------------------------------------------------------------- counters */

static union model_number number_of(uint64_t wire, enum model_counter_kind kind)
{
    if (kind == MODEL_I64)
        return (union model_number){.i = wire_unfold_i64(wire)};
    return (union model_number){.u = wire}; /* the same bits are read as a double through d */
}

/* True if the counter has a value. An older frame may set only counters without a value, because
 * the others have newer values. */
static bool is_known(const struct model_job *job, uint64_t counter)
{
    return model_job_counter(job, (uint32_t)counter) &&
           model_job_objects(job)->counter[counter].known;
}

static size_t take_counters(struct model_job *job, const struct wire_frame *frame, bool older,
                            enum wire_group group, enum model_counter_kind kind)
{
    size_t refused = 0;
    for (struct walk walk = walk_of(frame, group); walk_next(&walk);) {
        if (older && is_known(job, walk.u[0]))
            continue;
        struct model_counter_value value = {
            .value = number_of(walk.u[1], kind),
            .limit = MODEL_UNKNOWN,
        };
        if (kind == MODEL_MEMORY) {
            value.max.u = walk.u[2];
            value.limit = walk.u[3];
            value.updates = walk.u[4];
            value.mean = NAN;
        } else {
            value.min = number_of(walk.u[2], kind);
            value.max = number_of(walk.u[3], kind);
            value.updates = walk.u[4];
            value.mean = double_of(walk.u[5]);
        }
        refused += !model_job_set_counter(job, (uint32_t)walk.u[0], kind, &value);
    }
    return refused;
}

static size_t take_all(struct model_job *job, const struct wire_frame *frame, bool older)
{
    return take_counters(job, frame, older, WIRE_G_INT, MODEL_I64) +
           take_counters(job, frame, older, WIRE_G_REAL, MODEL_F64) +
           take_counters(job, frame, older, WIRE_G_MEMORY, MODEL_MEMORY);
}

/* Applies the usage of memory. The counter's own row is in this frame, or came earlier. */
static void take_usage(struct model_job *job, const struct wire_frame *frame)
{
    for (struct walk walk = walk_of(frame, WIRE_G_USAGE); walk_next(&walk);)
        model_job_set_usage(job, (uint32_t)walk.u[0], walk.u[1], double_of(walk.u[2]));
}

size_t viewer_apply_counters(struct model_job *job, const struct wire_frame *frame, bool older)
{
    const size_t refused = take_all(job, frame, older);
    if (refused == 0)
        take_usage(job, frame);
    return refused;
}

/* ---------------------------------------------------------------------------------------- spans */

/* The rows of `runs` that were applied. Edges, threads and passes are applied for their spans
 * alone. */
struct taken {
    struct walk runs;
    bool row[WIRE_FRAME_ROWS];
    bool begun, more;
};

/* True if the row of the span was applied. Callers ask for spans in ascending order, as the rows
 * are. */
static bool was_taken(struct taken *taken, uint64_t span)
{
    if (!taken->begun)
        taken->more = walk_next(&taken->runs);
    taken->begun = true;
    while (taken->more && taken->runs.u[0] < span)
        taken->more = walk_next(&taken->runs);
    return taken->more && taken->runs.u[0] == span && taken->row[taken->runs.at - 1];
}

static size_t take_runs(struct model_job *job, const struct wire_frame *frame, bool older,
                        struct taken *taken)
{
    const uint64_t mono_ns = frame->field[WIRE_F_MONO].u;
    size_t refused = 0;
    for (struct walk walk = walk_of(frame, WIRE_G_RUNS); walk_next(&walk);) {
        const uint32_t id = (uint32_t)walk.u[0];
        struct model_span_value value = {.calls = walk.u[1],
                                         .total_ns = walk.u[2],
                                         .self_ns = walk.u[3],
                                         .last_ns = walk.u[4],
                                         .open_since_ns = walk.u[5]};
        /* A time later than the frame's stamp was read while the frame was being made. */
        if (value.open_since_ns != MODEL_UNKNOWN && value.open_since_ns > mono_ns)
            value.open_since_ns = mono_ns;
        bool known = model_job_span(job, id) && model_job_objects(job)->span[id].known;
        bool fine = !(older && known) && model_job_set_span(job, id, &value);
        taken->row[walk.at - 1] = fine;
        refused += !fine;
        if (fine)
            model_job_clear_span_lists(job, id);
    }
    return refused;
}

static size_t take_edges(struct model_job *job, const struct wire_frame *frame, struct taken taken)
{
    size_t refused = 0;
    for (struct walk walk = walk_of(frame, WIRE_G_EDGES); walk_next(&walk);) {
        const struct model_span_value value = {.min_ns = walk.u[1],
                                               .max_ns = walk.u[2],
                                               .first_ns = walk.u[3],
                                               .until_ns = walk.u[4]};
        if (was_taken(&taken, walk.u[0]))
            refused += !model_job_set_span_edges(job, (uint32_t)walk.u[0], &value);
    }
    return refused;
}

static void take_threads(struct model_job *job, const struct wire_frame *frame, struct taken taken)
{
    for (struct walk walk = walk_of(frame, WIRE_G_BY); walk_next(&walk);) {
        const struct model_span_thread thread = {
            .thread = walk.u[1] > 0 ? (uint32_t)(walk.u[1] - 1) : MODEL_NONE,
            .calls = walk.u[2],
            .total_ns = walk.u[3]};
        if (was_taken(&taken, walk.u[0]))
            model_job_add_span_thread(job, (uint32_t)walk.u[0], &thread);
    }
}

static void take_slowest(struct model_job *job, const struct wire_frame *frame, struct taken taken)
{
    for (struct walk walk = walk_of(frame, WIRE_G_SLOW); walk_next(&walk);) {
        const struct model_pass pass = {.number = walk.u[1], .ns = walk.u[2]};
        if (was_taken(&taken, walk.u[0]))
            model_job_add_span_pass(job, (uint32_t)walk.u[0], &pass);
    }
}

size_t viewer_apply_spans(struct model_job *job, const struct wire_frame *frame, bool older)
{
    struct taken taken = {.runs = walk_of(frame, WIRE_G_RUNS)};
    size_t refused = take_runs(job, frame, older, &taken);
    refused += take_edges(job, frame, taken);
    take_threads(job, frame, taken);
    take_slowest(job, frame, taken);
    return refused;
}

/* ------------------------------------------------------------------------------------- markers */

bool viewer_apply_marks(struct model_job *job, const struct wire_frame *frame)
{
    for (struct walk walk = walk_of(frame, WIRE_G_MARK); walk_next(&walk);) {
        const struct model_mark mark = {
            .number = walk.u[0],
            .marker = (uint32_t)walk.u[1],
            .scope = code(walk.u[2], MODEL_MARK_SCOPES),
            .mono_ns = walk.u[3],
            .thread = walk.u[4] > 0 ? (uint32_t)(walk.u[4] - 1) : MODEL_NONE,
            .task = walk.u[5] > 0 ? (uint32_t)(walk.u[5] - 1) : MODEL_NONE,
        };
        if (!model_job_add_mark(job, &mark))
            return false;
    }
    return true;
}

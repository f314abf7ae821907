/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * apply_detail.c: applies phases of compilations, details of applies, metrics, and percentiles of
 * ops. Each row has a revision number, so the model skips rows that it already has.
 */
#include "config.h"

#include "feed/viewer/stream/apply_detail.h"

#include <string.h>

#include "model/node_detail.h"
#include "model/quantile.h"
#include "model/rewrite.h"

/* Iterator over the rows of one group. Integers and texts of a row stand at the indices of their
 * columns. */
struct reading {
    const struct wire_rows *rows;
    const uint8_t *cursor[WIRE_COLUMNS];
    uint64_t u[WIRE_COLUMNS];
    struct model_bytes text[WIRE_COLUMNS];
};

static void begin(struct reading *r, const struct wire_rows *rows)
{
    *r = (struct reading){.rows = rows};
    for (unsigned c = 0; rows->present && c < WIRE_COLUMNS; c++)
        r->cursor[c] = rows->column[c].data;
}

/* Reads row `at`. Rows must be read in order, because texts can only be read in sequence. */
static void read_row(struct reading *r, uint32_t at)
{
    for (unsigned c = 0; c < WIRE_COLUMNS; c++) {
        const struct wire_column *column = &r->rows->column[c];
        struct wire_text text = {"", 0};
        if (column->type == WIRE_TEXT) {
            wire_text_next(column, &r->cursor[c], &text);
            r->text[c] = (struct model_bytes){text.data, text.size};
        } else if (column->type != WIRE_NONE) {
            wire_column_read(column, at, 1, &r->u[c], NULL);
        }
    }
}

static uint32_t rows_of(const struct wire_rows *rows)
{
    return rows->present ? rows->count : 0;
}

static uint32_t u32_or(uint64_t value, uint32_t otherwise)
{
    return value < UINT32_MAX ? (uint32_t)value : otherwise;
}

static uint8_t code(uint64_t value, unsigned known)
{
    return value < known ? (uint8_t)value : 0;
}

/* ------------------------------------------------------------------------------------ phases */

enum viewer_apply viewer_apply_phases(struct model_job *job, const struct wire_frame *frame,
                                      struct model_link *link)
{
    const uint64_t mono_ns = frame->field[WIRE_F_MONO].u;
    struct reading r;
    begin(&r, &frame->group[WIRE_G_PHASE]);
    for (uint32_t i = 0; i < rows_of(r.rows); i++) {
        read_row(&r, i);
        const struct model_phase phase = {
            .rev = r.u[1],
            .function = (uint32_t)r.u[2],
            .parent = r.u[3] > 0 ? u32_or(r.u[3] - 1, MODEL_NONE) : MODEL_NONE,
            .kind = code(r.u[4], MODEL_PHASE_KINDS),
            .calls = r.u[6],
            .total_ns = r.u[7],
            .validate_ns = r.u[8],
            .nodes_before = r.u[9],
            .nodes_after = r.u[10],
            /* A time later than the frame's stamp was read while the frame was being made. */
            .open_since_ns = r.u[11] == MODEL_UNKNOWN || r.u[11] < mono_ns ? r.u[11] : mono_ns,
        };
        uint32_t number = u32_or(r.u[0], MODEL_PHASES_MAX);
        link->over_limit += number >= MODEL_PHASES_MAX;
        link->no_phases += number >= MODEL_PHASES_MAX;
        if (!model_job_set_phase(job, number, &phase, r.text[5].data, r.text[5].size))
            return VIEWER_APPLY_MEMORY;
    }
    return VIEWER_APPLY_DONE;
}

/* ----------------------------------------------------------------------------------- details */

/* Reads the values of one apply. `r` iterates over the values of the frame. */
static void read_values(struct reading *r, uint32_t *at, uint32_t count,
                        struct model_value_raw *value)
{
    for (uint32_t i = 0; i < count; i++) {
        read_row(r, (*at)++);
        value[i] = (struct model_value_raw){
            .dtype = r->text[0],
            .shape = r->text[1],
            .bytes = r->u[2],
            .source = r->u[3] > 0 ? (uint32_t)(r->u[3] - 1) : MODEL_NONE,
            .output = u32_or(r->u[4], 0),
            .alias = r->u[5],
            .result = u32_or(r->u[6], 0),
            .strides = r->text[7],
        };
    }
}

/* True if the number of values is the sum of the numbers in the rows of the applies. */
static bool counts_agree(const struct wire_frame *frame)
{
    const struct wire_rows *rows = &frame->group[WIRE_G_DETAIL];
    uint64_t inputs, outputs, sum = 0;
    for (uint32_t i = 0; i < rows_of(rows); i++) {
        wire_column_read(&rows->column[9], i, 1, &inputs, NULL);
        wire_column_read(&rows->column[10], i, 1, &outputs, NULL);
        if (inputs > WIRE_FRAME_ROWS || outputs > WIRE_FRAME_ROWS)
            return false;
        sum += inputs + outputs;
    }
    return sum == rows_of(&frame->group[WIRE_G_VALUE]);
}

/* Returns the library's line of an apply if the next row belongs to it, else the empty text. */
static struct model_bytes library_of(struct reading *r, uint32_t *at, uint64_t apply)
{
    if (*at < rows_of(r->rows)) {
        read_row(r, *at);
        if (r->u[0] == apply) {
            ++*at;
            return r->text[1];
        }
    }
    return (struct model_bytes){"", 0};
}

static void describe(struct model_job *job, const struct wire_frame *frame, struct model_link *link)
{
    struct model_value_raw value[WIRE_FRAME_ROWS];
    struct reading r, values, libraries;
    uint32_t at = 0, library = 0;
    begin(&r, &frame->group[WIRE_G_DETAIL]);
    begin(&values, &frame->group[WIRE_G_VALUE]);
    begin(&libraries, &frame->group[WIRE_G_LIBRARY]);
    for (uint32_t i = 0; i < rows_of(r.rows); i++) {
        read_row(&r, i);
        const struct model_about_raw about = {
            .rev = r.u[1],
            .flops = r.u[2],
            .bytes = r.u[3],
            .thunk_ns = r.u[4],
            .device = r.text[5],
            .location = r.text[6],
            .impl = code(r.u[7], MODEL_IMPLS),
            .one_in = u32_or(r.u[8], 0),
            .inputs = (uint32_t)r.u[9],
            .outputs = (uint32_t)r.u[10],
            .rewrite = r.text[11],
            .library = library_of(&libraries, &library, r.u[0]),
            .value = value,
        };
        read_values(&values, &at, about.inputs + about.outputs, value);
        const bool kept = model_job_set_about(job, (uint32_t)r.u[0], &about);
        link->over_limit += !kept;
        link->no_details += !kept;
    }
}

/* ----------------------------------------------------------------------------------- metrics */

static enum viewer_apply measure(struct model_job *job, const struct wire_frame *frame)
{
    struct reading r;
    begin(&r, &frame->group[WIRE_G_METRIC]);
    for (uint32_t i = 0; i < rows_of(r.rows) && i < MODEL_METRICS_MAX; i++) {
        read_row(&r, i);
        if (!model_job_set_metric(job, i, r.text[0], r.text[1], code(r.u[2], MODEL_INCLUSIVE + 1)))
            return VIEWER_APPLY_MEMORY;
    }
    begin(&r, &frame->group[WIRE_G_M]);
    for (uint32_t i = 0; i < rows_of(r.rows); i++) {
        read_row(&r, i);
        if (!model_job_set_metric_value(job, (uint32_t)r.u[1], (uint32_t)r.u[0], r.u[2], r.u[3]))
            return VIEWER_APPLY_MEMORY;
    }
    return VIEWER_APPLY_DONE;
}

/* True if each value belongs to a metric of this frame that this version keeps. */
static bool metrics_agree(const struct wire_frame *frame)
{
    const struct wire_rows *rows = &frame->group[WIRE_G_M];
    uint32_t metrics = rows_of(&frame->group[WIRE_G_METRIC]);
    uint64_t metric;
    for (uint32_t i = 0; i < rows_of(rows); i++) {
        wire_column_read(&rows->column[1], i, 1, &metric, NULL);
        if (metric >= metrics || metric >= MODEL_METRICS_MAX)
            return false;
    }
    return true;
}

enum viewer_apply viewer_apply_details(struct model_job *job, const struct wire_frame *frame,
                                       struct model_link *link)
{
    if (!counts_agree(frame) || !metrics_agree(frame))
        return VIEWER_APPLY_WRONG;
    describe(job, frame, link);
    return measure(job, frame);
}

/* ------------------------------------------------------------------------------- percentiles */

/* Applies the percentiles. All buckets of an op are consecutive rows. */
enum viewer_apply viewer_apply_percentiles(struct model_job *job, const struct wire_frame *frame,
                                           struct model_link *link)
{
    uint64_t bucket[MODEL_BUCKETS], count[MODEL_BUCKETS];
    struct reading r;
    begin(&r, &frame->group[WIRE_G_P]);
    const uint32_t rows = rows_of(r.rows);
    size_t n = 0;
    for (uint32_t i = 0; i < rows; i++) {
        read_row(&r, i);
        uint32_t op = (uint32_t)r.u[0];
        bool fits = n < MODEL_BUCKETS;
        if (fits) {
            bucket[n] = r.u[1];
            count[n++] = r.u[2];
        }
        uint64_t next = op;
        if (i + 1 < rows)
            wire_column_read(&r.rows->column[0], i + 1, 1, &next, NULL);
        if (fits && i + 1 < rows && next == op)
            continue;
        if (!fits || !model_job_set_buckets(job, op, n, bucket, count))
            link->falls++;
        n = 0;
    }
    return VIEWER_APPLY_DONE;
}

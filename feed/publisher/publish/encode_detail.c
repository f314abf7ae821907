/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * encode_detail.c: encodes the frames of phases, of details of applies, and of metrics. Threads of
 * the program may replace this data, so it is encoded under the feed's lock.
 */
#include "config.h"

#include "feed/publisher/publish/encode.h"

enum {
    HEADER_SIZE = 1024, /* bytes reserved for fields and keys */
    COLUMN_SIZE = 9,    /* largest size of an integer or of the head of a text, in bytes */
    PHASE_COLUMNS = 12,
    DETAIL_COLUMNS = 14, /* including the columns of its library */
    VALUE_COLUMNS = 8,
    LOOKS = 1 << 14, /* places looked at for one frame of a snapshot */
};

/* ------------------------------------------------------------------------------------ phases */

static void take_phase(struct publisher *p, uint32_t at, uint32_t number,
                       const struct publisher_phase *phase)
{
    const uint64_t value[] = {
        number,
        phase->rev,
        phase->function,
        phase->parent_plus_1,
        phase->kind,
        phase->calls,
        phase->total_ns,
        phase->validate_ns,
        phase->before,
        phase->after,
        phase->open > 0 ? phase->since_ns : PROFTOP_UNKNOWN,
    };
    for (unsigned c = 0; c < sizeof value / sizeof value[0]; c++)
        p->frame.column[c][at] = value[c];
    p->frame.words[0][at] = phase->name;
}

/* Returns the next phase to encode: from `*from` on, or the oldest dirty one. NULL: there is none,
 * or its function is not defined for this frame yet. */
static const struct publisher_phase *next_phase(const struct publisher_phases *phases,
                                                const uint32_t *from, uint32_t functions,
                                                uint32_t *number)
{
    if (from == NULL && phases->waiting.first == 0)
        return NULL;
    *number = from == NULL ? phases->waiting.first - 1 : *from;
    if (*number >= phases->count || phases->row[*number].function >= functions)
        return NULL;
    return &phases->row[*number];
}

static uint32_t collect_phases(struct publisher *p, uint32_t functions, uint32_t *from)
{
    struct publisher_phases *phases = &p->core->phases;
    const struct publisher_phase *phase;
    size_t bytes = HEADER_SIZE;
    uint32_t n = 0, number;
    while (n < WIRE_FRAME_ROWS && (phase = next_phase(phases, from, functions, &number)) != NULL) {
        bytes += PHASE_COLUMNS * COLUMN_SIZE + phase->name.size;
        if (bytes > WIRE_FRAME_MAX)
            break;
        take_phase(p, n++, number, phase);
        if (from == NULL)
            publisher_phase_sent(phases);
        else
            ++*from;
    }
    return n;
}

size_t publisher_encode_phases(struct publisher *p, uint64_t seq, uint64_t request, uint32_t *from)
{
    struct wire_writer w;
    size_t size = 0;
    pthread_mutex_lock(&p->core->handle->lock);
    uint32_t n = collect_phases(p, p->defs[WIRE_T_FUNCTION], from);
    if (n != 0) {
        uint64_t(*c)[WIRE_FRAME_ROWS] = p->frame.column;
        const struct wire_source columns[] = {{.u = c[0]}, {.u = c[1]}, {.u = c[2]},
                                              {.u = c[3]}, {.u = c[4]}, {.text = p->frame.words[0]},
                                              {.u = c[5]}, {.u = c[6]}, {.u = c[7]},
                                              {.u = c[8]}, {.u = c[9]}, {.u = c[10]}};
        publisher_encode_begin(p, &w, WIRE_REWRITES, 0, seq, request);
        wire_put_group(&w, WIRE_G_PHASE, 0, n, columns);
        size = wire_end(&w);
    }
    pthread_mutex_unlock(&p->core->handle->lock);
    return size;
}

/* ----------------------------------------------------------------------------------- details */

/* How far a frame of details is filled. */
struct filling {
    uint32_t rows, values, libraries;
    size_t bytes, most;
};

static bool fits(struct filling *f, const struct publisher_detail *detail)
{
    uint32_t values = detail->inputs + detail->outputs;
    size_t bytes = DETAIL_COLUMNS * COLUMN_SIZE + detail->texts_size +
                   (size_t)values * VALUE_COLUMNS * COLUMN_SIZE;
    if (f->rows == WIRE_FRAME_ROWS || f->values + values > WIRE_FRAME_ROWS ||
        (f->rows > 0 && f->bytes + bytes > f->most))
        return false;
    f->bytes += bytes;
    return true;
}

static void take_detail(struct publisher *p, struct filling *f, uint32_t apply,
                        const struct publisher_detail_place *place)
{
    const struct publisher_detail *detail = place->detail;
    const char *texts = publisher_detail_texts(detail), *where = texts + detail->device_size;
    const char *made = where + detail->where_size;
    const uint64_t row[] = {apply,          place->rev,       detail->flops,
                            detail->bytes,  detail->thunk_ns, detail->impl,
                            detail->one_in, detail->inputs,   detail->outputs};
    uint32_t at = f->rows++;
    for (unsigned c = 0; c < sizeof row / sizeof row[0]; c++)
        p->frame.column[c][at] = row[c];
    p->frame.words[0][at] = (struct wire_text){texts, detail->device_size};
    p->frame.words[1][at] = (struct wire_text){where, detail->where_size};
    p->frame.words[2][at] = (struct wire_text){made, detail->made_size};
    if (detail->library_size > 0) {
        p->frame.column[14][f->libraries] = apply;
        p->frame.words[6][f->libraries++] =
            (struct wire_text){made + detail->made_size, detail->library_size};
    }
    for (uint32_t i = 0; i < detail->inputs + detail->outputs; i++) {
        const struct publisher_value *value = &detail->value[i];
        uint32_t to = f->values++;
        p->frame.column[9][to] = value->bytes;
        p->frame.column[10][to] = value->source_plus_1;
        p->frame.column[11][to] = value->output;
        p->frame.column[12][to] = value->alias;
        p->frame.column[13][to] = value->result;
        const char *dtype = texts + value->dtype_at, *shape = dtype + value->dtype_size;
        p->frame.words[3][to] = (struct wire_text){dtype, value->dtype_size};
        p->frame.words[4][to] = (struct wire_text){shape, value->shape_size};
        p->frame.words[5][to] = (struct wire_text){shape + value->shape_size, value->strides_size};
    }
}

/* True if all applies that the detail refers to are defined for this frame. */
static bool is_defined(const struct publisher_detail *detail, uint32_t apply, uint32_t applies)
{
    bool defined = apply < applies;
    for (uint32_t i = 0; i < detail->inputs + detail->outputs; i++)
        defined &= detail->value[i].source_plus_1 <= applies;
    return defined;
}

/* Collects the dirty details. */
static void collect_waiting(struct publisher *p, uint32_t applies, struct filling *f)
{
    struct publisher_details *details = &p->core->details;
    while (details->waiting.first != 0) {
        uint32_t apply = details->waiting.first - 1;
        const struct publisher_detail_place *place = publisher_detail_place(details, apply);
        if (!is_defined(place->detail, apply, applies) || !fits(f, place->detail))
            return;
        take_detail(p, f, apply, place);
        publisher_detail_sent(details);
    }
}

/* Collects the details from `*from` on. Details that refer to newer applies come by the stream. */
static void collect_from(struct publisher *p, uint32_t applies, uint32_t *from, struct filling *f)
{
    const struct publisher_details *details = &p->core->details;
    for (uint32_t looks = LOOKS; *from < applies && looks > 0; looks--) {
        const struct publisher_detail_place *place = publisher_detail_place(details, *from);
        bool some = place != NULL && place->detail != NULL;
        if (some && is_defined(place->detail, *from, applies)) {
            if (!fits(f, place->detail))
                return;
            take_detail(p, f, *from, place);
        }
        *from = place == NULL ? (*from / PUBLISHER_DETAIL_CHUNK + 1) * PUBLISHER_DETAIL_CHUNK
                              : *from + 1;
    }
}

size_t publisher_encode_details(struct publisher *p, uint64_t seq, uint64_t request, uint32_t *from)
{
    struct filling f = {.most = from == NULL ? WIRE_DETAIL_TICK : WIRE_FRAME_MAX - HEADER_SIZE};
    uint32_t applies = p->defs[WIRE_T_APPLY];
    uint64_t(*c)[WIRE_FRAME_ROWS] = p->frame.column;
    struct wire_writer w;
    size_t size = 0;
    pthread_mutex_lock(&p->core->handle->lock);
    if (from == NULL)
        collect_waiting(p, applies, &f);
    else
        collect_from(p, applies, from, &f);
    if (f.rows != 0) {
        const struct wire_source detail[] = {{.u = c[0]},
                                             {.u = c[1]},
                                             {.u = c[2]},
                                             {.u = c[3]},
                                             {.u = c[4]},
                                             {.text = p->frame.words[0]},
                                             {.text = p->frame.words[1]},
                                             {.u = c[5]},
                                             {.u = c[6]},
                                             {.u = c[7]},
                                             {.u = c[8]},
                                             {.text = p->frame.words[2]}};
        const struct wire_source value[] = {{.text = p->frame.words[3]},
                                            {.text = p->frame.words[4]},
                                            {.u = c[9]},
                                            {.u = c[10]},
                                            {.u = c[11]},
                                            {.u = c[12]},
                                            {.u = c[13]},
                                            {.text = p->frame.words[5]}};
        const struct wire_source library[] = {{.u = c[14]}, {.text = p->frame.words[6]}};
        publisher_encode_begin(p, &w, WIRE_DETAILS, 0, seq, request);
        wire_put_group(&w, WIRE_G_DETAIL, 0, f.rows, detail);
        wire_put_group(&w, WIRE_G_VALUE, 0, f.values, value);
        if (f.libraries > 0)
            wire_put_group(&w, WIRE_G_LIBRARY, 0, f.libraries, library);
        size = wire_end(&w);
    }
    pthread_mutex_unlock(&p->core->handle->lock);
    return size;
}

/* ----------------------------------------------------------------------------------- metrics */

static void take_cell(struct publisher *p, uint32_t at, uint32_t apply, uint32_t metric,
                      const struct publisher_metric_cell *cell)
{
    p->frame.column[0][at] = apply;
    p->frame.column[1][at] = metric;
    p->frame.column[2][at] = cell->adds;
    p->frame.column[3][at] = cell->value;
}

static uint32_t collect_changed(struct publisher *p, uint32_t applies)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->core->metrics.count; i++) {
        struct publisher_metric *metric = &p->core->metrics.row[i];
        while (n < WIRE_FRAME_ROWS && metric->waiting.first != 0 &&
               metric->waiting.first <= applies) {
            uint32_t apply = metric->waiting.first - 1;
            take_cell(p, n++, apply, i, publisher_metric_cell(metric, apply));
            publisher_metric_sent(metric);
        }
    }
    return n;
}

/* `*from` counts all applies of the first metric, then all of the second, and so on. */
static uint32_t collect_cells(struct publisher *p, uint32_t applies, uint32_t *from)
{
    const uint32_t end = p->core->metrics.count * (uint32_t)WIRE_APPLIES_MAX;
    uint32_t n = 0;
    for (uint32_t looks = LOOKS; n < WIRE_FRAME_ROWS && *from < end && looks > 0; looks--) {
        uint32_t number = *from / WIRE_APPLIES_MAX, apply = *from % WIRE_APPLIES_MAX;
        if (apply >= applies) {
            *from = (number + 1) * WIRE_APPLIES_MAX;
            continue;
        }
        const struct publisher_metric_cell *cell =
            publisher_metric_cell(&p->core->metrics.row[number], apply);
        if (cell != NULL && cell->adds > 0)
            take_cell(p, n++, apply, number, cell);
        *from += cell == NULL ? PUBLISHER_DETAIL_CHUNK - apply % PUBLISHER_DETAIL_CHUNK : 1;
    }
    return n;
}

size_t publisher_encode_metrics(struct publisher *p, uint64_t seq, uint64_t request, uint32_t *from)
{
    const struct publisher_metrics *metrics = &p->core->metrics;
    uint32_t applies = p->defs[WIRE_T_APPLY];
    uint64_t(*c)[WIRE_FRAME_ROWS] = p->frame.column;
    struct wire_writer w;
    size_t size = 0;
    pthread_mutex_lock(&p->core->handle->lock);
    uint32_t n = from == NULL ? collect_changed(p, applies) : collect_cells(p, applies, from);
    for (uint32_t i = 0; i < metrics->count; i++) {
        p->frame.words[0][i] = metrics->row[i].name;
        p->frame.words[1][i] = metrics->row[i].unit;
        c[4][i] = metrics->row[i].how;
    }
    if (n != 0) {
        const struct wire_source metric[] = {
            {.text = p->frame.words[0]}, {.text = p->frame.words[1]}, {.u = c[4]}};
        const struct wire_source value[] = {{.u = c[0]}, {.u = c[1]}, {.u = c[2]}, {.u = c[3]}};
        publisher_encode_begin(p, &w, WIRE_DETAILS, 0, seq, request);
        wire_put_group(&w, WIRE_G_METRIC, 0, metrics->count, metric);
        wire_put_group(&w, WIRE_G_M, 0, n, value);
        size = wire_end(&w);
    }
    pthread_mutex_unlock(&p->core->handle->lock);
    return size;
}

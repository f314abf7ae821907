/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * node_detail.c: stores the details of applies, and the metrics.
 */
#include "model/node_detail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/job_private.h"
#include "model/state.h"
#include "model/unit.h"

enum { DTYPE_SIZE = 256, LIST_SIZE = 768, DIGITS_MAX = 20, VALUE_SIZE = DTYPE_SIZE + LIST_SIZE };

/* ---------------------------------------------------------------------------------- applies */

/* Counts the numbers in a list as the feed writes it; `steps` may be negative. The list is copied
 * to JSON unchanged. -1: not a valid list. */
static int axes(struct model_bytes list, bool steps)
{
    int n = 0;
    if (list.size < 2 || list.size >= LIST_SIZE)
        return -1;
    const char *at = list.data, *end = list.data + list.size;
    if (*at++ != '[' || *--end != ']')
        return -1;
    for (; at < end; n++) {
        at += steps && *at == '-' && at + 1 < end && at[1] != '0';
        const char *number = at;
        while (at < end && *at >= '0' && *at <= '9')
            at++;
        size_t digits = (size_t)(at - number);
        if (digits == 0 || digits > DIGITS_MAX || (digits > 1 && *number == '0'))
            return -1;
        if (at < end && (*at++ != ',' || at == end))
            return -1;
    }
    return n;
}

/* Memory for the texts behind the values of one apply. A first pass counts, a second pass fills. */
struct texts {
    char *at; /* NULL in the counting pass */
    size_t size;
};

static const char *put_text(struct texts *texts, struct model_bytes raw, size_t most)
{
    char safe[MODEL_ABOUT_TEXT * 3 + 1];
    size_t capacity = most < sizeof(safe) ? most : sizeof(safe);
    const char *bytes = raw.size > 0 ? raw.data : ""; /* NULL is the empty text */
    size_t size = model_text_safe(bytes, raw.size, safe, capacity) + 1;
    char *copy = texts->at;
    texts->size += size;
    if (!copy)
        return "";
    memcpy(copy, safe, size);
    texts->at += size;
    return copy;
}

static void put_value(struct texts *texts, const struct model_value_raw *raw,
                      const struct model_about_raw *of, struct model_value *value)
{
    static const struct model_bytes none = {"", 0};
    const uint64_t input = raw->alias > 0 ? (raw->alias - 1) / 2 : 0;
    const bool aliased = raw->alias > 0 && input < of->inputs;
    const int sizes = axes(raw->shape, false);
    const bool steps = sizes >= 0 && axes(raw->strides, true) == sizes;
    *value = (struct model_value){
        .dtype = put_text(texts, raw->dtype, DTYPE_SIZE),
        .shape = put_text(texts, sizes >= 0 ? raw->shape : none, LIST_SIZE),
        .strides = put_text(texts, steps ? raw->strides : none, LIST_SIZE),
        .bytes = raw->bytes,
        .source = raw->source,
        .output = raw->output,
        .result = raw->result,
        .input = (uint32_t)input,
        .alias = !aliased         ? MODEL_OWN
                 : raw->alias % 2 ? MODEL_VIEW
                                  : MODEL_OVERWRITES,
    };
}

static void put_texts(struct texts *texts, const struct model_about_raw *raw,
                      struct model_about *about)
{
    struct model_value ignored;
    const char *device = put_text(texts, raw->device, MODEL_ABOUT_TEXT);
    const char *location = put_text(texts, raw->location, MODEL_ABOUT_TEXT);
    const char *rewrite = put_text(texts, raw->rewrite, MODEL_ABOUT_TEXT);
    const char *library = put_text(texts, raw->library, MODEL_ABOUT_TEXT);
    if (about) {
        about->device = device;
        about->location = location;
        about->rewrite = rewrite;
        about->library = library;
    }
    for (uint32_t i = 0; i < raw->inputs + raw->outputs; i++)
        put_value(texts, &raw->value[i], raw, about ? &about->value[i] : &ignored);
}

static struct model_about *about_new(const struct model_about_raw *raw)
{
    struct texts texts = {0};
    put_texts(&texts, raw, NULL);
    size_t fixed =
        sizeof(struct model_about) + (raw->inputs + raw->outputs) * sizeof(struct model_value);
    struct model_about *about = malloc(fixed + texts.size);
    if (!about)
        return NULL;
    *about = (struct model_about){
        .rev = raw->rev,
        .flops = raw->flops,
        .bytes = raw->bytes,
        .thunk_ns = raw->thunk_ns,
        .inputs = raw->inputs,
        .outputs = raw->outputs,
        .one_in = raw->one_in,
        .impl = raw->impl < MODEL_IMPLS ? raw->impl : MODEL_IMPL_UNKNOWN,
        .size = fixed + texts.size,
    };
    texts = (struct texts){.at = (char *)about + fixed};
    put_texts(&texts, raw, about);
    return about;
}

static bool make_place(struct model_job *job, uint32_t apply)
{
    if (apply < job->abouts)
        return true;
    uint32_t capacity = job->def[MODEL_APPLY].capacity;
    struct model_about **grown = realloc(job->about, capacity * sizeof(*grown));
    if (!grown)
        return false;
    memset(grown + job->abouts, 0, (capacity - job->abouts) * sizeof(*grown));
    job->about = grown;
    job->abouts = capacity;
    return true;
}

bool model_job_set_about(struct model_job *job, uint32_t apply, const struct model_about_raw *raw)
{
    if (apply >= job->def[MODEL_APPLY].count || !make_place(job, apply))
        return false;
    struct model_about *before = job->about[apply];
    if (before && raw->rev <= before->rev)
        return true;
    struct model_about *about = about_new(raw);
    size_t bytes = job->about_bytes - (before ? before->size : 0) + (about ? about->size : 0);
    if (!about || bytes > MODEL_ABOUT_MAX) {
        free(about);
        return false;
    }
    if (!model_line_set(job, apply, about->location)) {
        free(about);
        return false;
    }
    free(before);
    job->about[apply] = about;
    job->about_bytes = bytes;
    job->about_changes++;
    return true;
}

uint64_t model_job_about_changes(const struct model_job *job)
{
    return job->about_changes;
}

const struct model_about *model_job_about(const struct model_job *job, uint32_t apply)
{
    return apply < job->abouts ? job->about[apply] : NULL;
}

bool model_job_has_about(const struct model_job *job)
{
    return job->about_bytes > 0;
}

uint64_t model_about_known_bytes(const struct model_about *about, uint32_t *unknown)
{
    uint64_t sum = 0;
    *unknown = 0;
    for (uint32_t i = 0; i < about->outputs; i++) {
        const uint64_t bytes = about->value[about->inputs + i].bytes;
        if (bytes == MODEL_UNKNOWN)
            ++*unknown;
        else
            sum = model_state_plus(sum, bytes);
    }
    return sum;
}

uint64_t model_about_bytes(const struct model_about *about)
{
    uint32_t unknown;
    const uint64_t sum = model_about_known_bytes(about, &unknown);
    if (about->outputs > 0 && unknown == 0)
        return sum;
    return about->bytes >= sum ? about->bytes : MODEL_UNKNOWN;
}

uint64_t model_about_rest(const struct model_about *about)
{
    uint32_t unknown;
    const uint64_t known = model_about_known_bytes(about, &unknown), all = model_about_bytes(about);
    const bool one = about->outputs == 0 || unknown == 1;
    return one && all != MODEL_UNKNOWN ? all - known : MODEL_UNKNOWN;
}

/* --------------------------------------------------------------------------------- as a text */

/* A text that is cut at its end. */
struct line {
    char *out;
    size_t used, capacity;
};

static void add(struct line *line, const char *text)
{
    size_t left = line->capacity - line->used;
    int size = snprintf(line->out + line->used, left, "%s", text);
    line->used += size < 0 || (size_t)size < left ? (size_t)(size < 0 ? 0 : size) : left - 1;
}

typedef void write_value(const struct model_value *value, char out[VALUE_SIZE]);

static void write_shape(const struct model_value *value, char out[VALUE_SIZE])
{
    const bool known = value->dtype[0] || value->shape[0];
    snprintf(out, VALUE_SIZE, "%s%s", known ? value->dtype : "?", value->shape);
}

/* Reads a list. Returns the number of its elements. */
static unsigned read_list(const char *list, long long number[LIST_SIZE / 2])
{
    unsigned n = 0;
    for (const char *at = list + 1; *at && *at != ']'; n++) {
        char *end;
        number[n] = strtoll(at, &end, 10);
        at = end + (*end == ',');
    }
    return n;
}

bool model_value_in_c_order(const struct model_value *value)
{
    long long size[LIST_SIZE / 2], stride[LIST_SIZE / 2], elements = 1;
    const unsigned n = read_list(value->shape, size);
    read_list(value->strides, stride);
    for (unsigned i = 0; i < n; i++)
        if (__builtin_mul_overflow(elements, size[i], &elements))
            return false;
    if (n == 0 || elements == 0)
        return true;
    if (value->bytes == MODEL_UNKNOWN)
        return false;
    long long step = (long long)(value->bytes / (uint64_t)elements);
    for (unsigned i = n; i-- > 0; step *= size[i])
        if (size[i] != 1 && stride[i] != step)
            return false;
    return true;
}

static void write_strides(const struct model_value *value, char out[VALUE_SIZE])
{
    if (!value->strides[0])
        snprintf(out, VALUE_SIZE, "?");
    else
        snprintf(out, VALUE_SIZE, "%s", model_value_in_c_order(value) ? "c" : value->strides);
}

static void add_values(struct line *line, write_value *write, const struct model_value *value,
                       uint32_t count)
{
    static const char more[] = " ...";
    char text[VALUE_SIZE];
    for (uint32_t i = 0; i < count; i++) {
        write(&value[i], text);
        if (line->used + strlen(text) + sizeof(", ") + sizeof(more) > line->capacity) {
            add(line, more);
            return;
        }
        add(line, i > 0 ? ", " : "");
        add(line, text);
    }
}

static size_t write_sides(const struct model_about *about, write_value *write, char *out,
                          size_t capacity)
{
    enum { ARROW = 16 };
    struct line line = {.out = out, .capacity = capacity};
    out[0] = '\0';
    if (capacity < 2 * ARROW || about->inputs + about->outputs == 0)
        return 0;
    /* Inputs get half of the space, so some remains for the outputs. */
    line.capacity = capacity / 2;
    add_values(&line, write, about->value, about->inputs);
    line.capacity = capacity;
    add(&line, about->inputs > 0 ? " -> " : "-> ");
    add_values(&line, write, about->value + about->inputs, about->outputs);
    return line.used;
}

size_t model_about_shapes(const struct model_about *about, char *out, size_t capacity)
{
    return write_sides(about, write_shape, out, capacity);
}

size_t model_about_strides(const struct model_about *about, char *out, size_t capacity)
{
    bool known = false;
    for (uint32_t i = 0; i < about->inputs + about->outputs; i++)
        known = known || strlen(about->value[i].strides) > strlen("[]");
    out[0] = '\0';
    return known ? write_sides(about, write_strides, out, capacity) : 0;
}

size_t model_about_outputs(const struct model_about *about, char *out, size_t capacity)
{
    struct line line = {.out = out, .capacity = capacity};
    out[0] = '\0';
    add_values(&line, write_shape, about->value + about->inputs, about->outputs);
    return line.used;
}

/* ----------------------------------------------------------------------------------- metrics */

static uint8_t unit_of(struct model_bytes unit)
{
    if (unit.size == 2 && memcmp(unit.data, "ns", 2) == 0)
        return MODEL_UNIT_NS;
    if (unit.size == 5 && memcmp(unit.data, "bytes", 5) == 0)
        return MODEL_UNIT_BYTES;
    return MODEL_UNIT_COUNT;
}

bool model_job_set_metric(struct model_job *job, uint32_t number, struct model_bytes name,
                          struct model_bytes unit, uint8_t how)
{
    if (number < job->metrics)
        return true;
    struct model_metric *metric = &job->metric[number < MODEL_METRICS_MAX ? number : 0];
    if (number != job->metrics || number >= MODEL_METRICS_MAX ||
        !model_text_make(&job->texts, name.data, name.size, &metric->name))
        return false;
    metric->unit = unit_of(unit);
    metric->how = how > MODEL_INCLUSIVE ? MODEL_SUM : how;
    job->metrics++;
    return true;
}

static bool make_cells(struct model_values *values, uint32_t metric, uint32_t capacity)
{
    if (capacity <= values->cells[metric])
        return true;
    struct model_metric_cell *grown = realloc(values->metric[metric], capacity * sizeof(*grown));
    if (!grown)
        return false;
    memset(grown + values->cells[metric], 0, (capacity - values->cells[metric]) * sizeof(*grown));
    values->metric[metric] = grown;
    values->cells[metric] = capacity;
    return true;
}

bool model_job_set_metric_value(struct model_job *job, uint32_t metric, uint32_t apply,
                                uint64_t adds, uint64_t value)
{
    if (metric >= job->metrics || apply >= job->def[MODEL_APPLY].count ||
        !make_cells(&job->values, metric, job->def[MODEL_APPLY].capacity))
        return false;
    struct model_metric_cell *cell = &job->values.metric[metric][apply];
    if (adds > cell->adds) {
        model_touch(job, MODEL_V_METRIC + metric, apply);
        *cell = (struct model_metric_cell){adds, value};
    }
    return true;
}

uint32_t model_job_metrics(const struct model_job *job)
{
    return job->metrics;
}

const struct model_metric *model_job_metric(const struct model_job *job, uint32_t number)
{
    return number < job->metrics ? &job->metric[number] : NULL;
}

uint32_t model_job_metric_named(const struct model_job *job, const char *name)
{
    for (uint32_t i = 0; i < job->metrics; i++)
        if (strcmp(job->metric[i].name.shown, name) == 0)
            return i;
    return MODEL_NONE;
}

uint32_t model_job_device(const struct model_job *job)
{
    const uint32_t metric = model_job_metric_named(job, "device");
    return metric != MODEL_NONE && job->metric[metric].unit == MODEL_UNIT_NS ? metric : MODEL_NONE;
}

uint64_t model_job_metric_value(const struct model_job *job, uint32_t metric, uint32_t apply)
{
    const bool known = metric < job->metrics && apply < job->values.cells[metric] &&
                       job->values.metric[metric][apply].adds > 0;
    return known ? job->values.metric[metric][apply].value : MODEL_UNKNOWN;
}

/* -------------------------------------------------------------------------------------- life */

void model_job_metrics_clear(struct model_job *job)
{
    for (uint32_t i = 0; i < job->metrics; i++)
        for (uint32_t k = 0; k < job->values.cells[i]; k++)
            if (job->values.metric[i][k].adds > 0) {
                model_touch(job, MODEL_V_METRIC + i, k);
                job->values.metric[i][k] = (struct model_metric_cell){0};
            }
}

size_t model_job_about_bytes(const struct model_job *job)
{
    return job->about_bytes + job->abouts * sizeof(*job->about);
}

void model_job_about_release(struct model_job *job)
{
    for (uint32_t i = 0; i < job->abouts; i++)
        free(job->about[i]);
    free(job->about);
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * import_mxnet.c: reads the statistics of MXNet's profiler: the table and the JSON of dumps(), and
 * those that proftop prints (feed/shared/stats_report.c).
 *
 * MXNet prints counters among the times: divided by 1000, with the last value as total, and half of
 * the range as mean. A row whose mean is that, and is not total by count, is a counter.
 */
#include "model/import_mxnet.h"

#include <math.h>
#include <string.h>

#include "model/objects.h"

enum form { TIME, MEMORY, VALUE, FORMS };
enum place { OUTSIDE, CATEGORY, RULE, HEADING, DASHES, ROWS };
enum cell { COUNT, TOTAL, MIN, MAX, MEAN, CELLS };

/* One row of statistics. */
struct stat {
    struct model_bytes category, name;
    struct model_decimal cell[CELLS];
    bool known[CELLS];
    enum form form;
};

/* --------------------------------------------------------------------------------------- values */

/* Digits behind the decimal point of a unit: ms to ns, kB to bytes. */
static const int scale[FORMS] = {[TIME] = 6, [MEMORY] = 3, [VALUE] = 0};

static uint64_t value_of(const struct stat *stat, enum cell cell)
{
    return stat->known[cell] && !stat->cell[cell].negative
               ? model_decimal_scale(&stat->cell[cell], scale[stat->form])
               : MODEL_UNKNOWN;
}

/* A counter of MXNet as it is printed among the times. */
static bool is_counter(const struct stat *stat)
{
    const double count = model_decimal_value(&stat->cell[COUNT]);
    if (stat->form != TIME || count < 1 || !stat->known[MEAN] || !stat->known[MIN] ||
        !stat->known[MAX] || !stat->known[TOTAL])
        return false;
    double v[CELLS], half[CELLS];
    for (unsigned i = TOTAL; i < CELLS; i++) {
        v[i] = model_decimal_value(&stat->cell[i]);
        half[i] = pow(10, stat->cell[i].power) / 2 + fabs(v[i]) * 1e-6;
    }
    const bool mean = fabs(v[MEAN] - v[TOTAL] / count) <= half[MEAN] + half[TOTAL] / count;
    const double range = (v[MAX] - v[MIN]) / 2; /* MXNet divides whole numbers */
    return !mean && fabs(v[MEAN] - range) <= half[MEAN] + half[MAX] + half[MIN] + 0.0005;
}

static union model_number number_of(const struct stat *stat, enum cell cell, int power, bool real)
{
    const struct model_decimal *decimal = &stat->cell[cell];
    if (real)
        return (union model_number){.d = model_decimal_value(decimal)};
    const uint64_t size = model_decimal_scale(decimal, power);
    const int64_t value = size > INT64_MAX ? INT64_MAX : (int64_t)size;
    return (union model_number){.i = decimal->negative ? -value : value};
}

/* True if a printed number has a fraction. */
static bool has_fraction(const struct model_decimal *number)
{
    uint64_t digits = number->digits;
    int power = number->power;
    for (; power < 0 && digits > 0 && digits % 10 == 0; power++)
        digits /= 10;
    return power < 0 && digits > 0;
}

static void add_counter(struct model_importing *in, const struct stat *stat, int power)
{
    struct model_job *job = in->build.job;
    const uint32_t id = model_job_count(job, MODEL_COUNTER);
    bool real = false;
    for (unsigned i = TOTAL; i < CELLS - 1 && power == 0; i++)
        real |= stat->known[i] && has_fraction(&stat->cell[i]);
    const struct model_counter_raw raw = {.domain = stat->category,
                                          .name = stat->name,
                                          .scope = {"", 0},
                                          .unit = {"", 0},
                                          .kind = real ? MODEL_F64 : MODEL_I64};
    const struct model_counter_value value = {
        .known = stat->known[TOTAL],
        .value = number_of(stat, TOTAL, power, real),
        .min = number_of(stat, MIN, power, real),
        .max = number_of(stat, MAX, power, real),
        .updates = model_decimal_scale(&stat->cell[COUNT], 0),
        .mean = power == 0 && stat->known[MEAN] ? model_decimal_value(&stat->cell[MEAN]) : NAN,
        .limit = MODEL_UNKNOWN};
    if (id < MODEL_COUNTERS_READ && model_job_add_counter(job, &raw))
        model_job_set_counter(job, id, raw.kind, &value);
}

/* "Memory: cpu/0" or "Memory: cpu/0 pool" */
static void add_memory(struct model_importing *in, const struct stat *stat)
{
    static const char begin[] = "Memory: ";
    struct model_job *job = in->build.job;
    const uint32_t id = model_job_count(job, MODEL_COUNTER);
    struct model_bytes device = stat->name, pool = {"", 0};
    if (model_bytes_begin(device, begin))
        device = model_bytes_from(device, sizeof(begin) - 1);
    const size_t blank = model_bytes_find(device, " ");
    /* Devices of MXNet: "cpu pinned/", "cpu shared/". */
    if (blank != SIZE_MAX && device.data[device.size - 1] != '/') {
        pool = model_bytes_from(device, blank + 1);
        device.size = blank;
    }
    const struct model_counter_raw raw = {
        .domain = device, .name = pool, .scope = {"", 0}, .unit = {"", 0}, .kind = MODEL_MEMORY};
    const struct model_counter_value value = {
        .known = true,
        .value.u = MODEL_UNKNOWN,
        .min.u = value_of(stat, MIN),
        .max.u = value_of(stat, MAX),
        .updates = model_decimal_scale(&stat->cell[COUNT], 0),
        .mean = stat->known[MEAN] ? model_decimal_value(&stat->cell[MEAN]) * 1000 : NAN,
        .limit = MODEL_UNKNOWN};
    if (id < MODEL_COUNTERS_READ && model_job_add_counter(job, &raw))
        model_job_set_counter(job, id, raw.kind, &value);
}

/* Categories whose rows are ops; the rows of all others are spans. */
static bool is_op(struct model_bytes category, uint8_t *kind)
{
    *kind =
        model_bytes_equal(category, "API") || model_bytes_equal(category, "MXNET_C_API") ? 2 : 1;
    return *kind == 2 || model_bytes_equal(category, "operator") ||
           model_bytes_equal(category, "Custom Operator");
}

static void add_span(struct model_importing *in, const struct stat *stat)
{
    static const char frame[] = ",frame";
    struct model_job *job = in->build.job;
    const uint32_t id = model_job_count(job, MODEL_SPAN);
    struct model_bytes domain = stat->category;
    const size_t at = model_bytes_find(domain, frame);
    const bool is_frame = at != SIZE_MAX && at + sizeof(frame) - 1 == domain.size;
    domain.size = is_frame ? at : domain.size;
    const struct model_span_raw raw = {.domain = domain,
                                       .name = stat->name,
                                       .kind = is_frame                             ? MODEL_FRAME
                                               : model_bytes_equal(domain, "event") ? MODEL_EVENT
                                                                                    : MODEL_TASK};
    const uint64_t ns = value_of(stat, TOTAL);
    const struct model_span_value value = {.known = true,
                                           .calls = model_decimal_scale(&stat->cell[COUNT], 0),
                                           .total_ns = ns == MODEL_UNKNOWN ? 0 : ns,
                                           .self_ns = MODEL_UNKNOWN,
                                           .last_ns = MODEL_UNKNOWN,
                                           .open_since_ns = MODEL_UNKNOWN,
                                           .min_ns = value_of(stat, MIN),
                                           .max_ns = value_of(stat, MAX),
                                           .first_ns = MODEL_UNKNOWN,
                                           .until_ns = MODEL_UNKNOWN,
                                           .interval_calls = MODEL_UNKNOWN,
                                           .interval_ns = MODEL_UNKNOWN};
    if (id >= MODEL_COUNTERS_READ || !model_job_add_span(job, &raw))
        return;
    model_job_set_span(job, id, &value);
    model_job_set_span_edges(job, id, &value);
}

/* Without calls MXNet prints its largest number as minimum. */
static void add_op(struct model_importing *in, const struct stat *stat, uint8_t kind)
{
    struct model_build *build = &in->build;
    struct model_build_value value = model_build_nothing;
    const uint32_t op_class = model_build_class(build, stat->category);
    const uint32_t function = model_build_function_named(build, model_bytes_of("mxnet.profiler"));
    const uint32_t op =
        op_class == MODEL_NONE ? op_class : model_build_op(build, op_class, stat->name, 0);
    if (op == MODEL_NONE || function == MODEL_NONE)
        return;
    const struct model_apply_raw raw = {
        .text = stat->name, .function = function, .op = op, .kind = kind};
    value.calls = model_decimal_scale(&stat->cell[COUNT], 0);
    value.ns = value_of(stat, TOTAL);
    value.min_ns = value_of(stat, MIN);
    value.max_ns = value_of(stat, MAX);
    if (value.max_ns == MODEL_UNKNOWN || value.min_ns > value.max_ns)
        value.min_ns = MODEL_UNKNOWN;
    const uint32_t apply = model_build_apply_named(build, &raw);
    if (apply != MODEL_NONE)
        model_build_add(build, apply, &value);
}

static void add_stat(struct model_importing *in, const struct stat *stat)
{
    struct model_identity *who = model_job_identity_mutable(in->build.job);
    uint8_t kind;
    if (who->framework.raw_size == 0)
        model_build_set_text(&in->build, &who->framework, model_bytes_of("MXNet"));
    for (unsigned i = TOTAL; i < MEAN && stat->form == TIME; i++) {
        const uint64_t half = stat->known[i] ? model_decimal_half(&stat->cell[i], 6) : 0;
        in->half_ns = half > in->half_ns ? half : in->half_ns;
    }
    if (stat->form == MEMORY)
        add_memory(in, stat);
    else if (stat->form == VALUE)
        add_counter(in, stat, 0);
    else if (is_counter(stat))
        add_counter(in, stat, 3);
    else if (is_op(stat->category, &kind))
        add_op(in, stat, kind);
    else
        add_span(in, stat);
}

/* ---------------------------------------------------------------------------------------- table */

static bool begins(struct model_bytes line)
{
    return model_bytes_equal(model_bytes_trim(line), "Profile Statistics:");
}

/* Takes the last word off a line. */
static struct model_bytes last_word(struct model_bytes *line)
{
    *line = model_bytes_trim(*line);
    size_t at = line->size;
    while (at > 0 && line->data[at - 1] != ' ')
        at--;
    const struct model_bytes word = model_bytes_from(*line, at);
    line->size = at;
    return word;
}

/* Names may have blanks, so the cells are read from the right. */
static bool take_row(struct model_importing *in, struct model_bytes line)
{
    struct stat stat = {.form = (enum form)in->mxnet.form,
                        .category = {in->mxnet.category, in->mxnet.category_size}};
    for (unsigned cell = CELLS; cell-- > COUNT;) {
        if (cell == TOTAL && stat.form == MEMORY)
            continue;
        const struct model_bytes word = last_word(&line);
        const size_t size = model_decimal_read(word.data, word.size, &stat.cell[cell]);
        stat.known[cell] = size > 0 && size == word.size;
        if (!stat.known[cell] && (cell == COUNT || !model_bytes_equal(word, "-")))
            return false;
    }
    stat.name = model_bytes_trim(line);
    if (stat.cell[COUNT].power < 0 || stat.cell[COUNT].negative)
        return false;
    add_stat(in, &stat);
    return true;
}

static enum form form_of(struct model_bytes heading)
{
    if (model_bytes_find(heading, "Use  (kB)") != SIZE_MAX)
        return MEMORY;
    return model_bytes_find(heading, "Time (ms)") != SIZE_MAX ? TIME : VALUE;
}

static enum model_taken take_category(struct model_importing *in, struct model_bytes line)
{
    struct model_mxnet *t = &in->mxnet;
    if (line.size == 0 || model_bytes_begin(line, "Note the difference in units"))
        return MODEL_TAKEN;
    t->category_size = line.size < sizeof(t->category) ? line.size : sizeof(t->category);
    memcpy(t->category, line.data, t->category_size);
    t->place = RULE;
    return MODEL_NOT_MINE; /* it may be another program's */
}

static enum model_taken take(struct model_importing *in, struct model_bytes line)
{
    struct model_mxnet *t = &in->mxnet;
    line = model_bytes_trim(line);
    if (begins(line)) {
        t->place = CATEGORY;
        return MODEL_TAKEN;
    }
    if (in->build.wrong || t->place == OUTSIDE)
        return MODEL_NOT_MINE;
    if (t->place == RULE && model_bytes_begin(line, "=====")) {
        t->place = HEADING;
        in->outside -= in->outside > 0; /* the category */
        return MODEL_TAKEN;
    }
    if (t->place == HEADING) {
        t->form = form_of(line);
        t->place = model_bytes_find(line, "Total Count") != SIZE_MAX ? DASHES : CATEGORY;
        return t->place == DASHES ? MODEL_TAKEN : MODEL_UNREADABLE;
    }
    if (t->place == DASHES && model_bytes_begin(line, "----")) {
        t->place = ROWS;
        return MODEL_TAKEN;
    }
    if (t->place == ROWS && line.size > 0)
        return take_row(in, line) ? MODEL_TAKEN : MODEL_UNREADABLE;
    t->place = CATEGORY;
    return take_category(in, line);
}

const struct model_text_format model_import_mxnet = {
    .name = "statistics of MXNet",
    .row = "no row of a table",
    .begins = begins,
    .take = take,
};

/* ----------------------------------------------------------------------------------------- JSON */

/* Reads {"Count": 1, "Total": 4.985, ...} */
static void read_stat(struct model_importing *in, struct model_get *get, struct stat *stat)
{
    static const char *const keys[CELLS] = {"Count", "Total", "Min", "Max", "Avg"};
    for (model_get_object(get); model_get_key(get);) {
        unsigned cell = COUNT;
        while (cell < CELLS && strcmp(keys[cell], get->text) != 0)
            cell++;
        if (strcmp(get->text, "Last") == 0)
            cell = TOTAL;
#ifndef IMPORT_PLANT_FAULT /* tests/fuzz removes this check: the fuzzer must notice */
        if (cell == CELLS) {
            model_get_skip(get);
            continue;
        }
#endif
        model_get_scalar(get);
        stat->known[cell] =
            get->size > 0 && !get->wrong &&
            model_decimal_read(get->text, get->size, &stat->cell[cell]) == get->size;
    }
    if (!get->wrong && stat->known[COUNT] && !in->build.wrong)
        add_stat(in, stat);
    else if (!get->wrong)
        in->build.unread++;
}

/* Reads one category: an object of names. */
static void read_category(struct model_importing *in, struct model_get *get, enum form form)
{
    struct model_mxnet *t = &in->mxnet;
    t->category_size = get->size < sizeof(t->category) ? get->size : sizeof(t->category);
    memcpy(t->category, get->text, t->category_size);
    for (model_get_object(get); model_get_key(get);) {
        char name[4096];
        const size_t size = get->size < sizeof(name) ? get->size : sizeof(name);
        memcpy(name, get->text, size);
        struct stat stat = {
            .form = form, .name = {name, size}, .category = {t->category, t->category_size}};
        if (model_get_peek(get) == '{')
            read_stat(in, get, &stat);
        else
            model_get_skip(get);
    }
}

void model_mxnet_read(struct model_importing *in, struct model_get *get)
{
    static const char *const groups[FORMS] = {
        [TIME] = "Time", [MEMORY] = "Memory", [VALUE] = "Value"};
    for (model_get_object(get); model_get_key(get);) {
        unsigned form = 0;
        while (form < FORMS && strcmp(groups[form], get->text) != 0)
            form++;
        if (form == FORMS || model_get_peek(get) != '{') {
            model_get_skip(get);
            continue;
        }
        for (model_get_object(get); model_get_key(get);) {
            if (model_get_peek(get) == '{')
                read_category(in, get, (enum form)form);
            else
                model_get_skip(get);
        }
    }
}

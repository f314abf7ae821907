/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * import_build.c: collects the rows of an imported job, found again by their keys.
 */
#include "model/import_build.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/json_read.h"
#include "model/node_detail.h"
#include "model/state.h"

enum { QUOTED_LINES = 16, QUOTED_BYTES = 80, SLOTS_MIN = 256 };

static const char no_memory[] = "needs more memory than there is";
static const char too_many[] = "has more rows than proftop reads";

const struct model_build_value model_build_nothing = {
    .min_ns = MODEL_UNKNOWN,
    .max_ns = MODEL_UNKNOWN,
    .metric = {MODEL_UNKNOWN, MODEL_UNKNOWN, MODEL_UNKNOWN, MODEL_UNKNOWN, MODEL_UNKNOWN},
};

static const struct {
    const char *name, *unit;
    uint8_t how;
} metrics[MODEL_BUILD_METRICS] = {
    [MODEL_BUILD_INCL] = {"incl", "ns", MODEL_INCLUSIVE},
    [MODEL_BUILD_DEVICE] = {"device", "ns", MODEL_SUM},
    [MODEL_BUILD_DEVICE_INCL] = {"device incl", "ns", MODEL_INCLUSIVE},
    [MODEL_BUILD_MEMORY] = {"memory", "bytes", MODEL_SUM},
    [MODEL_BUILD_DEVICE_MEMORY] = {"device memory", "bytes", MODEL_SUM},
};

/* ---------------------------------------------------------------------------------------- bytes */

struct model_bytes model_bytes_of(const char *text)
{
    return (struct model_bytes){text, strlen(text)};
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

struct model_bytes model_bytes_trim(struct model_bytes text)
{
    while (text.size > 0 && is_blank(text.data[text.size - 1]))
        text.size--;
    while (text.size > 0 && is_blank(*text.data)) {
        text.data++;
        text.size--;
    }
    return text;
}

bool model_bytes_begin(struct model_bytes text, const char *with)
{
    const size_t size = strlen(with);
    return text.size >= size && memcmp(text.data, with, size) == 0;
}

bool model_bytes_equal(struct model_bytes text, const char *with)
{
    return text.size == strlen(with) && model_bytes_begin(text, with);
}

size_t model_bytes_find(struct model_bytes text, const char *word)
{
    for (size_t at = 0; at < text.size; at++)
        if (text.data[at] == *word && model_bytes_begin(model_bytes_from(text, at), word))
            return at;
    return SIZE_MAX;
}

struct model_bytes model_bytes_from(struct model_bytes text, size_t at)
{
    at = at < text.size ? at : text.size;
    if (at == 0)
        return text; /* its data may be NULL */
    return (struct model_bytes){text.data + at, text.size - at};
}

/* ---------------------------------------------------------------------------------------- names */

/* One key: a kind of row, what it belongs to, and its name. */
struct model_build_name {
    size_t text, size;
    uint32_t hash, of, more;
    uint32_t id_plus_1; /* 0: a free slot */
    char kind;
};

static bool fail(struct model_build *build, const char *wrong)
{
    if (!build->wrong)
        build->wrong = wrong;
    return false;
}

static uint32_t hash_of(const struct model_build_name *key, struct model_bytes text)
{
    uint32_t hash = 2166136261u ^ (unsigned char)key->kind;
    hash = (hash * 16777619u ^ key->of) * 16777619u ^ key->more;
    for (size_t i = 0; i < text.size; i++)
        hash = (hash ^ (unsigned char)text.data[i]) * 16777619u;
    return hash ^ hash >> 15;
}

static struct model_build_name *slot_of(struct model_build *build,
                                        const struct model_build_name *key, struct model_bytes text)
{
    uint32_t at = key->hash & (build->slots - 1);
    for (;; at = (at + 1) & (build->slots - 1)) {
        struct model_build_name *slot = &build->name[at];
        if (slot->id_plus_1 == 0)
            return slot;
        if (slot->hash == key->hash && slot->kind == key->kind && slot->of == key->of &&
            slot->more == key->more && slot->size == text.size &&
            (text.size == 0 || memcmp(build->text + slot->text, text.data, text.size) == 0))
            return slot;
    }
}

static bool fit_slots(struct model_build *build)
{
    const uint32_t slots = build->slots ? 2 * build->slots : SLOTS_MIN;
    if (2 * (build->names + 1) <= build->slots)
        return true;
    struct model_build_name *grown = calloc(slots, sizeof(*grown));
    if (!grown)
        return fail(build, no_memory);
    for (uint32_t i = 0; i < build->slots; i++) {
        uint32_t at = build->name[i].hash & (slots - 1);
        while (build->name[i].id_plus_1 && grown[at].id_plus_1)
            at = (at + 1) & (slots - 1);
        if (build->name[i].id_plus_1)
            grown[at] = build->name[i];
    }
    free(build->name);
    build->name = grown;
    build->slots = slots;
    return true;
}

static bool fit_text(struct model_build *build, size_t more)
{
    if (build->text_size + more <= build->text_capacity)
        return true;
    if (build->text_size + more > MODEL_SAVED_TEXTS)
        return fail(build, "has more names than proftop reads");
    const size_t capacity = 2 * (build->text_size + more) + 4096;
    char *text = realloc(build->text, capacity);
    if (!text)
        return fail(build, no_memory);
    build->text = text;
    build->text_capacity = capacity;
    return true;
}

/* Returns the slot of a key, which may be free: the caller then gives it an id with keep(). NULL:
 * failed. */
static struct model_build_name *find(struct model_build *build, struct model_build_name *key,
                                     struct model_bytes text)
{
    if (build->wrong || !fit_slots(build) || !fit_text(build, text.size))
        return NULL;
    key->hash = hash_of(key, text);
    return slot_of(build, key, text);
}

static void keep(struct model_build *build, struct model_build_name *slot,
                 const struct model_build_name *key, struct model_bytes text, uint32_t id)
{
    *slot = *key;
    slot->text = build->text_size;
    slot->size = text.size;
    slot->id_plus_1 = id + 1;
    if (text.size > 0)
        memcpy(build->text + build->text_size, text.data, text.size);
    build->text_size += text.size;
    build->names++;
}

/* ----------------------------------------------------------------------------------------- rows */

static bool has_space(struct model_build *build, enum model_table table)
{
    if (build->wrong)
        return false;
    return model_job_count(build->job, table) < MODEL_SAVED_ROWS || fail(build, too_many);
}

uint32_t model_build_class(struct model_build *build, struct model_bytes name)
{
    struct model_build_name key = {.kind = 'c'}, *slot = find(build, &key, name);
    if (!slot || !has_space(build, MODEL_CLASS))
        return MODEL_NONE;
    if (slot->id_plus_1)
        return slot->id_plus_1 - 1;
    const uint32_t id = model_job_count(build->job, MODEL_CLASS);
    if (!model_job_add_class(build->job, name.data, name.size)) {
        fail(build, no_memory);
        return MODEL_NONE;
    }
    keep(build, slot, &key, name, id);
    return id;
}

uint32_t model_build_op(struct model_build *build, uint32_t op_class, struct model_bytes name,
                        uint32_t nth)
{
    struct model_build_name key = {.kind = 'o', .of = op_class, .more = nth};
    struct model_build_name *slot = find(build, &key, name);
    if (!slot || !has_space(build, MODEL_OP))
        return MODEL_NONE;
    if (slot->id_plus_1)
        return slot->id_plus_1 - 1;
    const uint32_t id = model_job_count(build->job, MODEL_OP);
    if (!model_job_add_op(build->job, op_class, name.data, name.size)) {
        fail(build, no_memory);
        return MODEL_NONE;
    }
    keep(build, slot, &key, name, id);
    return id;
}

uint32_t model_build_function(struct model_build *build, struct model_bytes name,
                              struct model_bytes file, uint32_t line, uint32_t parent)
{
    const struct model_function_raw raw = {
        .name = name, .file = file, .line = line, .parent = parent, .source = MODEL_ABSENT};
    if (!has_space(build, MODEL_FUNCTION))
        return MODEL_NONE;
    if (!model_job_add_function(build->job, &raw)) {
        fail(build, no_memory);
        return MODEL_NONE;
    }
    return model_job_count(build->job, MODEL_FUNCTION) - 1;
}

uint32_t model_build_function_named(struct model_build *build, struct model_bytes name)
{
    struct model_build_name key = {.kind = 'f'}, *slot = find(build, &key, name);
    if (!slot)
        return MODEL_NONE;
    if (slot->id_plus_1)
        return slot->id_plus_1 - 1;
    const uint32_t id =
        model_build_function(build, name, (struct model_bytes){"", 0}, 0, MODEL_NONE);
    if (id != MODEL_NONE)
        keep(build, slot, &key, name, id);
    return id;
}

static bool fit_value(struct model_build *build, uint32_t id)
{
    if (id < build->capacity)
        return true;
    const uint32_t capacity = id + id / 2 + 64;
    struct model_build_value *value = realloc(build->value, capacity * sizeof(*value));
    if (!value)
        return fail(build, no_memory);
    build->value = value;
    build->capacity = capacity;
    return true;
}

uint32_t model_build_apply(struct model_build *build, const struct model_apply_raw *raw)
{
    const uint32_t id = model_job_count(build->job, MODEL_APPLY);
    if (!has_space(build, MODEL_APPLY) || !fit_value(build, id))
        return MODEL_NONE;
    if (!model_job_add_apply(build->job, raw)) {
        fail(build, no_memory);
        return MODEL_NONE;
    }
    build->value[id] = model_build_nothing;
    return id;
}

uint32_t model_build_apply_named(struct model_build *build, const struct model_apply_raw *raw)
{
    struct model_build_name key = {.kind = 'a', .of = raw->function, .more = raw->op};
    struct model_build_name *slot = find(build, &key, raw->text);
    if (!slot)
        return MODEL_NONE;
    if (slot->id_plus_1)
        return slot->id_plus_1 - 1;
    const uint32_t id = model_build_apply(build, raw);
    if (id != MODEL_NONE)
        keep(build, slot, &key, raw->text, id);
    return id;
}

uint32_t model_build_number(struct model_build *build, char kind, uint32_t of, uint32_t more,
                            struct model_bytes text, uint32_t next)
{
    struct model_build_name key = {.kind = kind, .of = of, .more = more};
    struct model_build_name *slot = find(build, &key, text);
    if (!slot)
        return MODEL_NONE;
    if (!slot->id_plus_1)
        keep(build, slot, &key, text, next);
    return slot->id_plus_1 - 1;
}

uint32_t model_build_look_up(struct model_build *build, char kind, uint32_t of, uint32_t more,
                             struct model_bytes text)
{
    struct model_build_name key = {.kind = kind, .of = of, .more = more};
    const struct model_build_name *slot = find(build, &key, text);
    return slot && slot->id_plus_1 ? slot->id_plus_1 - 1 : MODEL_NONE;
}

/* --------------------------------------------------------------------------------------- values */

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b; /* MODEL_UNKNOWN is the largest value */
}

static uint64_t most(uint64_t a, uint64_t b)
{
    return a == MODEL_UNKNOWN || (b != MODEL_UNKNOWN && b > a) ? b : a;
}

/* Adds the times of two parts. A part without a time makes the time of both unknown. */
static uint64_t plus_time(const struct model_build_value *to, const struct model_build_value *more)
{
    const bool first = to->calls == 0 && to->ns == 0;
    if (first || more->ns == MODEL_UNKNOWN)
        return more->ns;
    return to->ns == MODEL_UNKNOWN ? MODEL_UNKNOWN : model_state_plus(to->ns, more->ns);
}

void model_build_add(struct model_build *build, uint32_t apply,
                     const struct model_build_value *value)
{
    if (apply >= model_job_count(build->job, MODEL_APPLY))
        return;
    struct model_build_value *to = &build->value[apply];
    to->ns = plus_time(to, value);
    to->calls = model_state_plus(to->calls, value->calls);
    to->min_ns = least(to->min_ns, value->min_ns);
    to->max_ns = most(to->max_ns, value->max_ns);
    to->uncounted |= value->uncounted;
    for (unsigned i = 0; i < MODEL_BUILD_METRICS; i++)
        if (value->metric[i] != MODEL_UNKNOWN) {
            to->metric[i] = to->metric[i] == MODEL_UNKNOWN
                                ? value->metric[i]
                                : model_state_plus(to->metric[i], value->metric[i]);
            build->metrics[i] = true;
        }
}

static void set_value(struct model_build *build, uint64_t id)
{
    const struct model_build_value *value = &build->value[id];
    const uint64_t unknown = MODEL_UNKNOWN, none = 0;
    const bool timed = value->ns != MODEL_UNKNOWN;
    const uint64_t *ns = timed ? &value->ns : &none;
    if (value->uncounted) {
        model_job_set_time_alone(build->job, (uint32_t)id, *ns);
        return;
    }
    model_job_set_values(build->job, 1, &id, &value->calls, ns, &unknown, NULL, false);
    if (!timed)
        model_job_set_extremes(build->job, 1, &id, &unknown, &unknown, &none, false);
    else
        model_job_set_extremes(build->job, 1, &id, &value->min_ns, &value->max_ns, &unknown, false);
}

static bool set_metrics(struct model_build *build)
{
    const uint32_t applies = model_job_count(build->job, MODEL_APPLY);
    for (unsigned i = 0; i < MODEL_BUILD_METRICS; i++) {
        const uint32_t number = model_job_metrics(build->job);
        if (!build->metrics[i])
            continue;
        if (!model_job_set_metric(build->job, number, model_bytes_of(metrics[i].name),
                                  model_bytes_of(metrics[i].unit), metrics[i].how))
            return fail(build, no_memory);
        for (uint32_t id = 0; id < applies; id++)
            if (build->value[id].metric[i] != MODEL_UNKNOWN &&
                !model_job_set_metric_value(build->job, number, id, 1, build->value[id].metric[i]))
                return fail(build, no_memory);
    }
    return true;
}

/* -------------------------------------------------------------------------------------- notices */

void model_build_notice(struct model_build *build, unsigned level, const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof(text), format, list);
    va_end(list);
    if (!model_job_add_notice(build->job, 0, level, text, strlen(text)))
        fail(build, no_memory);
}

void model_build_unread(struct model_build *build, uint64_t number, struct model_bytes text,
                        const char *what)
{
    char quoted[QUOTED_BYTES];
    text = model_bytes_trim(text);
    model_text_safe(text.data, text.size, quoted, sizeof(quoted));
    if (build->unread++ < QUOTED_LINES)
        model_build_notice(build, 1, "%s %llu is %s: `%s%s`.",
                           *build->item == 'l' ? "Line" : "Event", (unsigned long long)number, what,
                           quoted, text.size >= sizeof(quoted) ? "..." : "");
}

void model_build_set_text(struct model_build *build, struct model_text *field,
                          struct model_bytes text)
{
    if (!model_job_set_text(build->job, field, text.data, text.size))
        fail(build, no_memory);
}

/* ----------------------------------------------------------------------------------------- life */

bool model_build_init(struct model_build *build)
{
    static const uint8_t none[16];
    *build = (struct model_build){.job = model_job_new(none), .item = "line"};
    if (build->job)
        model_job_set_epoch(build->job, 1);
    return build->job != NULL;
}

void model_build_release(struct model_build *build)
{
    model_job_release(&build->job);
    free(build->value);
    free(build->name);
    free(build->text);
}

struct model_job *model_build_take(struct model_build *build)
{
    struct model_job *job = build->job;
    for (uint32_t id = 0; id < model_job_count(job, MODEL_APPLY) && !build->wrong; id++)
        set_value(build, id);
    if (build->wrong || !set_metrics(build))
        return NULL;
    if (build->unread > 0)
        model_build_notice(build, 1, "%llu %s%s of this file %s not read.",
                           (unsigned long long)build->unread, build->item,
                           build->unread == 1 ? "" : "s", build->unread == 1 ? "was" : "were");
    model_job_set_stamp(job, 0, 0);
    model_job_set_values_stamp(job, 0);
    model_job_set_complete(job);
    model_job_set_ended(job, true);
    build->job = NULL;
    return job;
}

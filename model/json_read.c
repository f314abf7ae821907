/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * json_read.c: reads a report back into a job. Rows are collected in any order, and become
 * definitions once the report is complete, because ids may have gaps and may refer to later rows.
 */
#include "model/json_read.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/node_detail.h"
#include "model/quantile.h"
#include "model/waiting.h"

/* Metrics of applies that are read: bytes that an op allocates. Their numbers in the job. */
static const char *const metrics[] = {"alloc", "dev alloc"};
enum { METRICS = sizeof(metrics) / sizeof(metrics[0]) };

/* A class, an op or an apply. Missing values are MODEL_UNKNOWN. */
struct node {
    uint64_t id, of, op, index, calls; /* `of`: id of the class, or of the function */
    uint64_t total_ns, open_ns, timed, error_ns;
    uint64_t min_ns, max_ns, bytes;
    uint64_t figure[MODEL_CALL_FIGURES];
    uint64_t metric[METRICS];
    struct model_text name, display;
    uint8_t impl, source, waits;
};

struct function {
    uint64_t id, parent, line, group, calls, call_ns, vm_ns;
    uint64_t compile_ns, rewrite_ns, validate_ns, link_ns, timed, error_ns;
    uint64_t parent_of; /* function that contains the parent apply, once known */
    struct model_text name, file;
};

/* Identity of the job. */
struct who {
    uint64_t id, pid, epoch, mono_ns;
    struct model_text program, host, framework, version, role, instance;
};

enum kind { NUMBER, TEXT, IMPL, SOURCE, WAITS, VALUES };

struct field {
    const char *key;
    size_t at;
    enum kind kind;
};

#define NUMBER_OF(type, key)       {#key, offsetof(struct type, key), NUMBER}
#define CALLED(type, key, member)  {key, offsetof(struct type, member), NUMBER}
#define TEXT_OF(type, key)         {#key, offsetof(struct type, key), TEXT}

static const struct field class_fields[] = {NUMBER_OF(node, id), TEXT_OF(node, name), {0}};
static const struct field op_fields[] = {NUMBER_OF(node, id),
                                         CALLED(node, "class", of),
                                         TEXT_OF(node, name),
                                         TEXT_OF(node, display),
                                         CALLED(node, "p50_ns", figure[MODEL_P50]),
                                         CALLED(node, "p90_ns", figure[MODEL_P90]),
                                         CALLED(node, "p99_ns", figure[MODEL_P99]),
                                         CALLED(node, "long_calls", figure[MODEL_LONG_CALLS]),
                                         CALLED(node, "long_ns", figure[MODEL_LONG_NS]),
                                         {0}};
static const struct field apply_fields[] = {NUMBER_OF(node, id),
                                            CALLED(node, "function", of),
                                            NUMBER_OF(node, op),
                                            NUMBER_OF(node, index),
                                            NUMBER_OF(node, calls),
                                            NUMBER_OF(node, total_ns),
                                            NUMBER_OF(node, open_ns),
                                            NUMBER_OF(node, timed),
                                            NUMBER_OF(node, min_ns),
                                            NUMBER_OF(node, max_ns),
                                            CALLED(node, "total_error_ns", error_ns),
                                            TEXT_OF(node, name),
                                            NUMBER_OF(node, bytes),
                                            {"metrics", offsetof(struct node, metric), VALUES},
                                            {"impl", offsetof(struct node, impl), IMPL},
                                            {"source", offsetof(struct node, source), SOURCE},
                                            {"waits", offsetof(struct node, waits), WAITS},
                                            {0}};
static const struct field function_fields[] = {
    NUMBER_OF(function, id),      NUMBER_OF(function, parent),      NUMBER_OF(function, line),
    NUMBER_OF(function, group),   NUMBER_OF(function, calls),       NUMBER_OF(function, call_ns),
    NUMBER_OF(function, timed),   CALLED(function, "call_error_ns", error_ns),
    NUMBER_OF(function, vm_ns),   NUMBER_OF(function, compile_ns),
    NUMBER_OF(function, rewrite_ns), NUMBER_OF(function, validate_ns),
    NUMBER_OF(function, link_ns), TEXT_OF(function, name),          TEXT_OF(function, file), {0}};
static const struct field who_fields[] = {
    NUMBER_OF(who, id),      NUMBER_OF(who, pid),     NUMBER_OF(who, epoch),
    NUMBER_OF(who, mono_ns), TEXT_OF(who, program),   TEXT_OF(who, host),
    TEXT_OF(who, framework), TEXT_OF(who, version),   TEXT_OF(who, role),
    TEXT_OF(who, instance),  {0}};

enum section { CLASSES, OPS, FUNCTIONS, APPLIES, JOBS, SECTIONS };

static const struct {
    const char *key;
    const struct field *field;
    size_t size;
    size_t most;
} shapes[SECTIONS] = {
    [CLASSES] = {"classes", class_fields, sizeof(struct node), MODEL_SAVED_ROWS},
    [OPS] = {"ops", op_fields, sizeof(struct node), MODEL_SAVED_ROWS},
    [FUNCTIONS] = {"functions", function_fields, sizeof(struct function), 1 << 20},
    [APPLIES] = {"applies", apply_fields, sizeof(struct node), MODEL_SAVED_ROWS},
    [JOBS] = {"jobs", who_fields, sizeof(struct who), 1 << 16},
};

struct table {
    char *row;
    size_t count, capacity;
};

/* One report while it is read. */
struct reading {
    struct model_get *get;
    struct table table[SECTIONS];
    struct model_arena texts;
    bool report; /* the input says that it is a report */
    char state[MODEL_SAVED_WORD];
    uint64_t time_ns;
};

static const char no_memory[] = "needs more memory than there is";

/* ------------------------------------------------------------------------------ gathering rows */

static void *add_row(struct reading *r, enum section section)
{
    struct table *table = &r->table[section];
    const size_t size = shapes[section].size;
    if (table->count == shapes[section].most) {
        model_get_fail(r->get, "has more rows than proftop reads");
        return NULL;
    }
    if (table->count == table->capacity) {
        size_t capacity = table->capacity + table->capacity / 2 + 16;
        char *row = realloc(table->row, capacity * size);
        if (!row) {
            model_get_fail(r->get, no_memory);
            return NULL;
        }
        table->row = row;
        table->capacity = capacity;
    }
    char *row = table->row + table->count++ * size;
    memset(row, 0, size);
    for (const struct field *field = shapes[section].field; field->key; field++) {
        if (field->kind == NUMBER)
            *(uint64_t *)(void *)(row + field->at) = MODEL_UNKNOWN;
        else if (field->kind == TEXT)
            *(struct model_text *)(void *)(row + field->at) = model_text_empty;
        else if (field->kind == VALUES)
            memset(row + field->at, 0xFF, METRICS * sizeof(uint64_t));
    }
    return row;
}

static uint8_t word_at(const struct model_get *get, const char *const *word, unsigned words)
{
    for (unsigned i = 0; i < words; i++)
        if (get->text && strcmp(get->text, word[i]) == 0)
            return (uint8_t)i;
    return 0;
}

/* Reads an object of numbers by name. */
static void read_values(struct model_get *get, uint64_t value[METRICS])
{
    for (bool object = model_get_object_or_skip(get); object && model_get_key(get);) {
        unsigned i = 0;
        while (i < METRICS && strcmp(metrics[i], get->text) != 0)
            i++;
        if (i < METRICS)
            value[i] = model_get_u64(get);
        else
            model_get_skip(get);
    }
}

static void read_field(struct reading *r, enum kind kind, void *to)
{
    static const char *const impl[MODEL_IMPLS] = {"", "C", "Py", "JIT"};
    static const char *const source[] = {"timed", "given", "set"};
    if (kind == NUMBER) {
        *(uint64_t *)to = model_get_u64(r->get);
        return;
    }
    if (kind == VALUES) {
        read_values(r->get, to);
        return;
    }
    model_get_text(r->get);
    if (kind == IMPL)
        *(uint8_t *)to = word_at(r->get, impl, MODEL_IMPLS);
    else if (kind == WAITS)
        *(uint8_t *)to = word_at(r->get, model_waits_words, MODEL_ASIDE + 1);
    else if (kind == SOURCE)
        *(uint8_t *)to = word_at(r->get, source, sizeof(source) / sizeof(source[0]));
    else if (r->texts.bytes > MODEL_SAVED_TEXTS)
        model_get_fail(r->get, "has more names than proftop reads");
    else if (r->get->text &&
             !model_text_make(&r->texts, r->get->text, r->get->size, to))
        model_get_fail(r->get, no_memory);
}

static void read_row(struct reading *r, enum section section)
{
    char *row = model_get_object(r->get) ? add_row(r, section) : NULL;
    while (row && model_get_key(r->get)) {
        const struct field *field = shapes[section].field;
        while (field->key &&
               (*field->key != *r->get->text || strcmp(field->key, r->get->text) != 0))
            field++;
        if (field->key)
            read_field(r, field->kind, row + field->at);
        else
            model_get_skip(r->get);
    }
}

static void read_section(struct reading *r)
{
    struct model_get *get = r->get;
    unsigned section = 0;
    while (section < SECTIONS && strcmp(shapes[section].key, get->text) != 0)
        section++;
    if (section < SECTIONS) {
        for (model_get_list(get); model_get_item(get);)
            read_row(r, section);
    } else if (strcmp(get->text, "schema") == 0) {
        model_get_text(get);
        r->report = get->text && strcmp(get->text, "proftop-1") == 0;
    } else if (strcmp(get->text, "time_ns") == 0) {
        r->time_ns = model_get_u64(get);
    } else if (strcmp(get->text, "state") == 0) {
        model_get_text(get);
        model_text_safe(get->text ? get->text : "", get->size, r->state, sizeof(r->state));
    } else {
        model_get_skip(get);
    }
}

/* -------------------------------------------------------------------------------- finding rows */

static int by_id(const void *a, const void *b)
{
    uint64_t x, y; /* each row begins with its id */
    memcpy(&x, a, sizeof(x));
    memcpy(&y, b, sizeof(y));
    return x < y ? -1 : x > y;
}

static uint64_t id_at(const struct reading *r, enum section section, size_t at)
{
    uint64_t id;
    memcpy(&id, r->table[section].row + at * shapes[section].size, sizeof(id));
    return id;
}

/* Sorts the rows by id. Fails if two rows have one id. */
static bool sort_rows(struct reading *r, enum section section)
{
    struct table *table = &r->table[section];
    bool sorted = true;
    for (size_t i = 1; i < table->count; i++)
        sorted = sorted && id_at(r, section, i - 1) < id_at(r, section, i);
    if (!sorted)
        qsort(table->row, table->count, shapes[section].size, by_id);
    for (size_t i = 1; i < table->count; i++)
        if (id_at(r, section, i - 1) == id_at(r, section, i))
            return model_get_fail(r->get, "has two rows with one id");
    if (table->count && id_at(r, section, table->count - 1) == MODEL_UNKNOWN)
        return model_get_fail(r->get, "has a row without an id");
    return true;
}

/* Returns the position of a row, or MODEL_NONE. */
static uint32_t place_of(const struct reading *r, enum section section, uint64_t id)
{
    const struct table *table = &r->table[section];
    const size_t size = shapes[section].size;
    const char *row = table->count ? bsearch(&id, table->row, table->count, size, by_id) : NULL;
    return row ? (uint32_t)((size_t)(row - table->row) / size) : MODEL_NONE;
}

/* ------------------------------------------------------------------------------ making the job */

static bool dangles(struct reading *r)
{
    return model_get_fail(r->get, "has a row that refers to one that is not there");
}

static bool make_ops(struct reading *r, struct model_job *job)
{
    const struct node *row = (const void *)r->table[CLASSES].row;
    for (size_t i = 0; i < r->table[CLASSES].count; i++)
        if (!model_job_add_class(job, row[i].name.raw, row[i].name.raw_size))
            return model_get_fail(r->get, no_memory);
    row = (const void *)r->table[OPS].row;
    for (size_t i = 0; i < r->table[OPS].count; i++) {
        uint32_t op_class = place_of(r, CLASSES, row[i].of);
        if (op_class == MODEL_NONE)
            return dangles(r);
        const struct model_text *display = &row[i].display;
        if ((display->raw_size > 0 &&
             !model_job_set_display(job, (uint32_t)i, display->raw, display->raw_size)) ||
            !model_job_add_op(job, op_class, row[i].name.raw, row[i].name.raw_size))
            return model_get_fail(r->get, no_memory);
        if (row[i].figure[MODEL_P50] != MODEL_UNKNOWN &&
            !model_job_set_call_figures(job, (uint32_t)i, row[i].figure))
            return model_get_fail(r->get, no_memory);
    }
    return true;
}

static int by_function(const void *a, const void *b)
{
    const struct node *x = a, *y = b;
    if (x->of != y->of)
        return x->of < y->of ? -1 : 1;
    return by_id(a, b);
}

/* Replaces the ids in rows by positions, and orders the applies by function. A function is a root
 * if its outer function is not in the report. */
static bool resolve(struct reading *r)
{
    struct node *apply = (void *)r->table[APPLIES].row;
    struct function *function = (void *)r->table[FUNCTIONS].row;
    for (size_t i = 0; i < r->table[APPLIES].count; i++) {
        uint32_t of = place_of(r, FUNCTIONS, apply[i].of), op = place_of(r, OPS, apply[i].op);
        if (of == MODEL_NONE || op == MODEL_NONE)
            return dangles(r);
        apply[i].of = of;
        apply[i].op = op;
    }
    for (size_t i = 0; i < r->table[FUNCTIONS].count; i++) {
        uint32_t parent = place_of(r, APPLIES, function[i].parent);
        function[i].parent_of = parent == MODEL_NONE ? MODEL_UNKNOWN : apply[parent].of;
    }
    if (r->table[APPLIES].count)
        qsort(apply, r->table[APPLIES].count, sizeof(*apply), by_function);
    return true;
}

/* Outer functions must precede the functions inside them. */
static bool make_function(struct reading *r, struct model_job *job, uint32_t place)
{
    const struct function *f = &((const struct function *)(void *)r->table[FUNCTIONS].row)[place];
    const struct node wanted = {.id = f->parent, .of = f->parent_of};
    uint32_t parent = MODEL_NONE;
    if (f->parent_of != MODEL_UNKNOWN && f->parent_of >= place)
        return model_get_fail(r->get, "has a function that runs inside a later one");
    if (f->parent_of != MODEL_UNKNOWN) {
        const struct node *apply = (const void *)r->table[APPLIES].row;
        const struct node *found =
            bsearch(&wanted, apply, r->table[APPLIES].count, sizeof(*apply), by_function);
        parent = (uint32_t)(found - apply);
    }
    const struct model_function_raw raw = {
        .name = {f->name.raw, f->name.raw_size},
        .file = {f->file.raw, f->file.raw_size},
        .line = f->line < UINT32_MAX ? (uint32_t)f->line : 0,
        .group = f->group < UINT32_MAX ? (uint32_t)f->group : 0,
        .parent = parent,
        .source = f->calls == MODEL_UNKNOWN ? MODEL_ABSENT : MODEL_TIMED};
    const uint64_t id = place, unknown = MODEL_UNKNOWN;
    if (!model_job_add_function(job, &raw))
        return model_get_fail(r->get, no_memory);
    model_job_set_calls(job, 1, &id, &f->calls, &f->call_ns, &f->vm_ns, &unknown, false);
    model_job_set_sampled(job, 1, &id, &f->timed, &f->error_ns, false);
    model_job_set_compile(job, 1, &id, &f->compile_ns, &f->rewrite_ns, &f->validate_ns,
                          &f->link_ns, &unknown, false);
    return true;
}

/* Declares all metrics with the first value, so that they have the numbers of the table. */
static bool make_memory(const struct node *a, struct model_job *job, uint32_t place)
{
    const uint64_t unknown = MODEL_UNKNOWN;
    const struct model_about_raw about = {
        .rev = 1, .flops = unknown, .bytes = a->bytes, .thunk_ns = unknown};
    static const struct model_bytes unit = {"bytes", sizeof("bytes") - 1};
    bool good = a->bytes == unknown || model_job_set_about(job, place, &about);
    for (uint32_t i = 0; good && i < METRICS; i++) {
        if (a->metric[i] == unknown)
            continue;
        for (uint32_t k = 0; good && k < METRICS; k++)
            good = model_job_set_metric(
                job, k, (struct model_bytes){metrics[k], strlen(metrics[k])}, unit, MODEL_SUM);
        good = good && model_job_set_metric_value(job, i, place, 1, a->metric[i]);
    }
    return good;
}

static bool make_apply(struct reading *r, struct model_job *job, uint64_t place)
{
    const struct node *a = &((const struct node *)(void *)r->table[APPLIES].row)[place];
    const struct model_apply_raw raw = {
        .text = {a->name.raw, a->name.raw_size},
        .function = (uint32_t)a->of,
        .op = (uint32_t)a->op,
        .index = a->index < UINT32_MAX ? (uint32_t)a->index : 0,
        .source = a->source,
        .impl = a->impl,
        .waits = a->waits};
    const uint64_t unknown = MODEL_UNKNOWN, calls = a->calls == MODEL_UNKNOWN ? 0 : a->calls;
    const bool left_out = a->calls == MODEL_UNKNOWN && a->total_ns == MODEL_UNKNOWN;
    const bool untimed = a->total_ns == MODEL_UNKNOWN;
    const bool open = !untimed && a->open_ns != MODEL_UNKNOWN && a->open_ns <= a->total_ns;
    const uint64_t open_ns = open && a->open_ns > 0 ? a->open_ns : MODEL_UNKNOWN;
    const uint64_t total_ns = untimed ? 0 : a->total_ns - (open ? a->open_ns : 0);
    const uint64_t timed = untimed ? 0 : a->timed;
    if (!model_job_add_apply(job, &raw))
        return model_get_fail(r->get, no_memory);
    model_job_set_left_out(job, MODEL_APPLY, (uint32_t)place, left_out);
    if (a->calls == MODEL_UNKNOWN && !untimed) {
        model_job_set_time_alone(job, (uint32_t)place, a->total_ns);
        return true;
    }
    model_job_set_values(job, 1, &place, &calls, &total_ns, &unknown, &open_ns, false);
    if (timed != MODEL_UNKNOWN)
        model_job_set_extremes(job, 1, &place, &a->min_ns, &a->max_ns, &timed, false);
    model_job_set_errors(job, 1, &place, &a->error_ns);
    return make_memory(a, job, (uint32_t)place) || model_get_fail(r->get, no_memory);
}

static bool make_functions(struct reading *r, struct model_job *job)
{
    const struct node *apply = (const void *)r->table[APPLIES].row;
    size_t at = 0;
    if (!resolve(r))
        return false;
    for (uint32_t f = 0; f < r->table[FUNCTIONS].count; f++) {
        if (!make_function(r, job, f))
            return false;
        for (; at < r->table[APPLIES].count && apply[at].of == f; at++)
            if (!make_apply(r, job, at))
                return false;
    }
    return true;
}

static bool make_identity(struct reading *r, struct model_job *job)
{
    const struct who *who = (const void *)r->table[JOBS].row;
    struct model_identity *to = model_job_identity_mutable(job);
    const struct {
        struct model_text *to;
        const struct model_text *from;
    } text[] = {{&to->program, &who->program},
                {&to->host, &who->host},
                {&to->framework, &who->framework},
                {&to->framework_version, &who->version},
                {&to->role, &who->role}};
    for (size_t i = 0; i < sizeof(text) / sizeof(text[0]); i++)
        if (!model_job_set_text(job, text[i].to, text[i].from->raw, text[i].from->raw_size))
            return model_get_fail(r->get, no_memory);
    to->pid = who->pid == MODEL_UNKNOWN ? 0 : who->pid;
    model_job_set_epoch(job, who->epoch < UINT32_MAX ? (uint32_t)who->epoch : 1);
    return true;
}

static struct model_job *make_job(struct reading *r)
{
    const struct who *who = (const void *)r->table[JOBS].row;
    uint8_t instance[16];
    if (!r->report)
        model_get_fail(r->get, "is no report of proftop -b --format json");
    else if (r->table[JOBS].count != 1)
        model_get_fail(r->get, "tells of several jobs: save a report of one of them, with -p PID");
    for (unsigned i = 0; i < SECTIONS && !r->get->wrong; i++)
        sort_rows(r, i);
    if (r->get->wrong)
        return NULL;
    model_text_hex(who->instance.raw, who->instance.raw_size, instance);
    struct model_job *job = model_job_new(instance);
    if (!job)
        model_get_fail(r->get, no_memory);
    else if (!make_identity(r, job) || !make_ops(r, job) || !make_functions(r, job))
        model_job_release(&job);
    if (!job)
        return NULL;
    const uint64_t wall_ns = r->time_ns == MODEL_UNKNOWN ? 0 : r->time_ns;
    const uint64_t mono_ns = who->mono_ns == MODEL_UNKNOWN ? 0 : who->mono_ns;
    model_job_set_stamp(job, mono_ns, wall_ns);
    model_job_set_values_stamp(job, mono_ns);
    model_job_set_complete(job);
    model_job_set_ended(job, true); /* no more values follow */
    return job;
}

/* ------------------------------------------------------------------------------------- reports */

static struct model_job *read_report(struct model_get *get, struct model_saved *saved)
{
    struct reading reading = {.get = get, .time_ns = MODEL_UNKNOWN};
    bool object = model_get_object(get);
    while (object && model_get_key(get))
        read_section(&reading);
    struct model_job *job = object && !get->wrong ? make_job(&reading) : NULL;
    if (job) {
        memcpy(saved->state, reading.state, sizeof(saved->state));
        saved->time_ns = reading.time_ns;
    }
    for (unsigned i = 0; i < SECTIONS; i++)
        free(reading.table[i].row);
    model_arena_release(&reading.texts);
    return job;
}

/* True for the job of a report from before its first frame: its rows are not known yet. */
static bool is_nobody(const struct model_job *job)
{
    static const uint8_t nobody[16];
    return memcmp(model_job_identity(job)->instance, nobody, sizeof nobody) == 0;
}

/* Adds one more refresh of the job, or starts over with another job. */
static void take_refresh(struct model_saved *saved, struct model_job *job)
{
    const struct model_job *last = saved->job;
    const bool same = last && model_job_epoch(last) == model_job_epoch(job) &&
                      memcmp(model_job_identity(last)->instance, model_job_identity(job)->instance,
                             sizeof model_job_identity(job)->instance) == 0;
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    if (!same)
        model_spread_release(&saved->spread);
    saved->runs += !same && !is_nobody(job);
    if (state)
        model_spread_add(&saved->spread, state);
    model_state_free(&state);
}

void model_saved_release(struct model_saved *saved)
{
    model_job_release(&saved->job);
    model_spread_release(&saved->spread);
}

bool model_json_read(const struct model_reader *source, struct model_saved *saved, char *why,
                     size_t capacity)
{
    struct model_get get;
    *saved = (struct model_saved){.time_ns = MODEL_UNKNOWN};
    model_get_init(&get, source);
    while (model_get_more(&get)) {
        struct model_job *job = read_report(&get, saved);
        if (!job)
            break;
        take_refresh(saved, job);
        model_job_release(&saved->job);
        saved->job = job;
        saved->reports++;
    }
    /* An incomplete report at the end, from a killed program, does not spoil the earlier ones. */
    saved->cut = get.wrong && get.over;
    if (saved->cut && saved->job)
        get.wrong = NULL;
    if (get.wrong || !saved->job) {
        snprintf(why, capacity, "%s (at byte %" PRIu64 ")", get.wrong ? get.wrong : "is empty",
                 model_get_offset(&get));
        model_saved_release(saved);
    }
    model_get_release(&get);
    return saved->job != NULL;
}

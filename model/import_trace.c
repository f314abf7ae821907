/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * import_trace.c: reads the events of a trace one by one, and adds them up by op and thread.
 */
#include "model/import_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/import_names.h"
#include "model/objects.h"
#include "model/state.h"

enum {
    TEXT = 1024,
    OPEN = 4096,
    THREADS = 1 << 16,
    ROWS = 1 << 20,
    NAMES = 1 << 16,
    UNIT = 3,
    OVERLAPS = 256
};

/* ------------------------------------------------------------------------------------ one event */

enum text {
    T_PH,
    T_CAT,
    T_NAME,
    T_PID,
    T_TID,
    T_ID,
    T_SCOPE,
    T_TS,
    T_DUR,
    T_OP_NAME,
    T_PROVIDER,
    T_ARG_NAME,
    TEXTS
};

struct series {
    char key[128];
    size_t size;
    struct model_decimal number;
};

/* An event as it stands in the file. Texts are cut at TEXT bytes. */
struct event {
    char text[TEXTS][TEXT];
    size_t size[TEXTS];
    struct series series[MODEL_TRACE_SERIES];
    unsigned count; /* of series: numbers among its arguments */
};

/* ------------------------------------------------------------------------------------ the trace */

struct run {
    uint64_t from, ns;
    uint32_t row, thread;
};

/* An op on a thread. */
struct row {
    uint64_t calls, self_ns, incl_ns, min_ns, max_ns;
    uint64_t until_ns; /* the latest end of its runs so far */
    uint32_t thread, op;
    uint32_t size;
    size_t text; /* in the texts of the build */
    uint8_t kind, waits;
    bool redispatches; /* see pop() */
};

struct thread {
    char process[64], name[64], tid[24], pid[24];
};

struct open_run {
    uint64_t key, from;
    uint32_t row;
};

struct span {
    struct model_span_value value;
    char domain[128], name[256];
    size_t domain_size, name_size;
    uint8_t kind;
};

struct counter {
    struct model_decimal last, min, max;
    double sum;
    uint64_t updates;
    bool real, memory;
    char domain[128], name[256];
    size_t domain_size, name_size;
};

struct list {
    void *data;
    uint32_t count, capacity;
};

struct trace {
    struct model_importing *in;
    struct list runs, rows, threads, spans, counters;
    struct open_run open[OPEN];
    unsigned opens;
    struct event event;
    uint64_t number;         /* of the event */
    uint64_t dropped, other; /* events beyond a limit, and of kinds that have no place here */
    uint64_t unended;
    uint64_t marks, last_ns;
    bool nested, own;
};

static void *more(struct trace *t, struct list *list, size_t size, uint32_t limit)
{
    if (list->count == limit || t->in->build.wrong) {
        t->dropped++;
        return NULL;
    }
    if (list->count == list->capacity) {
        const uint32_t capacity = list->capacity + list->capacity / 2 + 64;
        void *data = realloc(list->data, capacity * size);
        if (!data) {
            t->in->build.wrong = "needs more memory than there is";
            return NULL;
        }
        list->data = data;
        list->capacity = capacity;
    }
    void *item = (char *)list->data + list->count++ * size;
    memset(item, 0, size);
    return item;
}

static struct model_bytes text_of(const struct trace *t, enum text text)
{
    return (struct model_bytes){t->event.text[text], t->event.size[text]};
}

static void copy(char *to, size_t capacity, struct model_bytes from)
{
    const size_t size = from.size < capacity - 1 ? from.size : capacity - 1;
    memcpy(to, from.data, size);
    to[size] = '\0';
}

/* Microseconds with any decimals. False if there is no such number, or a negative one. */
static bool time_of(const struct trace *t, enum text text, uint64_t *ns)
{
    struct model_decimal number;
    const struct model_bytes bytes = text_of(t, text);
    const size_t size = model_decimal_read(bytes.data, bytes.size, &number);
    *ns = size > 0 ? model_decimal_scale(&number, UNIT) : MODEL_UNKNOWN;
    return size > 0 && size == bytes.size && !number.negative && *ns < MODEL_UNKNOWN / 2;
}

static void unreadable(struct trace *t, const char *what)
{
    model_build_unread(&t->in->build, t->number, text_of(t, T_NAME), what);
}

/* --------------------------------------------------------------------------------- rows of runs */

static uint32_t thread_of(struct trace *t)
{
    char key[64];
    const struct model_bytes pid = text_of(t, T_PID), tid = text_of(t, T_TID);
    size_t size = pid.size < 31 ? pid.size : 31;
    memcpy(key, pid.data, size);
    key[size++] = '/';
    const size_t rest = tid.size < sizeof(key) - size ? tid.size : sizeof(key) - size;
    memcpy(key + size, tid.data, rest);
    const uint32_t at = model_build_number(
        &t->in->build, 'T', 0, 0, (struct model_bytes){key, size + rest}, t->threads.count);
    if (at != t->threads.count)
        return at;
    struct thread *thread = more(t, &t->threads, sizeof(*thread), THREADS);
    if (!thread)
        return MODEL_NONE;
    copy(thread->pid, sizeof(thread->pid), pid);
    copy(thread->tid, sizeof(thread->tid), tid);
    return at;
}

/* Classes of events, by category. Other categories are their own class. */
static const struct {
    const char *category, *op_class; /* op_class NULL: as the name tells */
    uint8_t waits;
} categories[] = {
    {"cpu_op", NULL, MODEL_WORKS},
    {"user_annotation", NULL, MODEL_WORKS},
    {"python_function", "python", MODEL_WORKS},
    {"kernel", "kernel", MODEL_ASIDE}, /* a device does these beside the ops that ask for them */
    {"gpu_memcpy", "copy", MODEL_ASIDE},
    {"gpu_memset", "copy", MODEL_ASIDE},
    {"gpu_user_annotation", "range", MODEL_ASIDE},
    {"Trace", "trace", MODEL_ASIDE}, /* the whole window */
    {"", "(no category)", MODEL_WORKS},
};

static struct model_bytes class_of(const struct trace *t, uint8_t *waits)
{
    const struct model_bytes category = text_of(t, T_CAT), provider = text_of(t, T_PROVIDER);
    *waits = MODEL_WORKS;
    if (provider.size > 0)
        return provider;
    for (size_t i = 0; i < sizeof(categories) / sizeof(categories[0]); i++)
        if (model_bytes_equal(category, categories[i].category)) {
            *waits = categories[i].waits;
            return categories[i].op_class ? model_bytes_of(categories[i].op_class)
                                          : model_torch_class(text_of(t, T_NAME), "range");
        }
    return category;
}

/* Nodes of ONNX Runtime are called by their node, with this behind. */
static struct model_bytes node_of(struct model_bytes name)
{
    static const char suffix[] = "_kernel_time";
    const size_t size = sizeof(suffix) - 1;
    if (name.size > size && memcmp(name.data + name.size - size, suffix, size) == 0)
        name.size -= size;
    return name;
}

static uint32_t row_of(struct trace *t)
{
    struct model_build *build = &t->in->build;
    uint8_t waits;
    const struct model_bytes name = text_of(t, T_NAME), op_name = text_of(t, T_OP_NAME);
    const struct model_bytes text = op_name.size > 0 ? node_of(name) : name;
    const uint32_t thread = thread_of(t), op_class = model_build_class(build, class_of(t, &waits));
    if (thread == MODEL_NONE || op_class == MODEL_NONE)
        return MODEL_NONE;
    const uint32_t op = model_build_op(build, op_class, op_name.size > 0 ? op_name : name, 0);
    const uint32_t at = op == MODEL_NONE
                            ? MODEL_NONE
                            : model_build_number(build, 'R', thread, op, text, t->rows.count);
    if (at != t->rows.count)
        return at;
    struct row *row = more(t, &t->rows, sizeof(*row), ROWS);
    if (!row)
        return MODEL_NONE;
    *row = (struct row){.thread = thread,
                        .op = op,
                        .text = build->text_size - text.size,
                        .size = (uint32_t)text.size,
                        .min_ns = MODEL_UNKNOWN,
                        .kind = model_bytes_equal(text_of(t, T_CAT), "MXNET_C_API") ? 2 : 1,
                        .waits = waits,
                        .redispatches = model_bytes_equal(text_of(t, T_CAT), "cpu_op")};
    return at;
}

static void add_run(struct trace *t, uint32_t row, uint64_t from, uint64_t ns)
{
    struct run *run =
        row == MODEL_NONE ? NULL : more(t, &t->runs, sizeof(*run), MODEL_TRACE_EVENTS);
    if (!run)
        return;
    *run = (struct run){from, ns, row, ((struct row *)t->rows.data)[row].thread};
}

/* Each kind of event has one of these functions. `from`: its time stamp in ns. */
static void take_complete(struct trace *t, uint64_t from)
{
    uint64_t ns;
    if (!time_of(t, T_DUR, &ns))
        unreadable(t, "a run without a duration");
    else
        add_run(t, row_of(t), from, ns);
}

/* -------------------------------------------------------------------------- beginnings and ends */

static uint64_t mix(uint64_t hash, struct model_bytes text)
{
    for (size_t i = 0; i < text.size; i++)
        hash = (hash ^ (unsigned char)text.data[i]) * UINT64_C(1099511628211);
    return hash * UINT64_C(1099511628211);
}

static void open_run(struct trace *t, uint64_t key, uint64_t from, uint32_t row)
{
    if (t->opens == OPEN) { /* the oldest one never ends */
        memmove(t->open, t->open + 1, (OPEN - 1) * sizeof(*t->open));
        t->opens--;
        t->unended++;
    }
    t->open[t->opens++] = (struct open_run){key, from, row};
}

/* Takes the newest open run of a key. */
static bool close_run(struct trace *t, uint64_t key, struct open_run *run)
{
    for (unsigned i = t->opens; i-- > 0;)
        if (t->open[i].key == key) {
            *run = t->open[i];
            memmove(&t->open[i], &t->open[i + 1], (--t->opens - i) * sizeof(*t->open));
            return true;
        }
    return false;
}

/* The end of a run may lack its name: it then ends the newest run of its thread. */
static void take_begin(struct trace *t, uint64_t from)
{
    const uint32_t row = row_of(t);
    if (row != MODEL_NONE)
        open_run(t, 2 * (uint64_t)((struct row *)t->rows.data)[row].thread, from, row);
}

static void take_end(struct trace *t, uint64_t until)
{
    const uint32_t thread = thread_of(t);
    const bool named = t->event.size[T_NAME] > 0;
    for (unsigned i = t->opens; i-- > 0;) {
        const struct open_run run = t->open[i];
        if (run.key != 2 * (uint64_t)thread)
            continue;
        const struct row *row = &((struct row *)t->rows.data)[run.row];
        const struct model_text *name = &model_job_op(t->in->build.job, row->op)->text;
        if (named && (name->raw_size != t->event.size[T_NAME] ||
                      memcmp(name->raw, t->event.text[T_NAME], name->raw_size) != 0))
            continue;
        memmove(&t->open[i], &t->open[i + 1], (--t->opens - i) * sizeof(*t->open));
        add_run(t, run.row, run.from, until > run.from ? until - run.from : 0);
        return;
    }
    unreadable(t, "an end without a beginning");
}

/* ---------------------------------------------------------------------------------------- spans */

static uint32_t span_of(struct trace *t, uint8_t kind)
{
    static const char frame[] = ",frame";
    struct model_bytes domain = text_of(t, T_CAT);
    const size_t at = model_bytes_find(domain, frame);
    if (kind == MODEL_FRAME && at != SIZE_MAX && at + sizeof(frame) - 1 == domain.size)
        domain.size = at;
    const uint32_t of = model_build_number(&t->in->build, 'D', 0, 0, domain, t->spans.count);
    const uint32_t id = of == MODEL_NONE ? of
                                         : model_build_number(&t->in->build, 'S', of, kind,
                                                              text_of(t, T_NAME), t->spans.count);
    if (id != t->spans.count)
        return id;
    struct span *span = more(t, &t->spans, sizeof(*span), NAMES);
    if (!span)
        return MODEL_NONE;
    copy(span->domain, sizeof(span->domain), domain);
    copy(span->name, sizeof(span->name), text_of(t, T_NAME));
    span->domain_size = strlen(span->domain);
    span->name_size = strlen(span->name);
    span->kind = kind;
    span->value = (struct model_span_value){.known = true,
                                            .self_ns = MODEL_UNKNOWN,
                                            .last_ns = MODEL_UNKNOWN,
                                            .open_since_ns = MODEL_UNKNOWN,
                                            .min_ns = MODEL_UNKNOWN,
                                            .max_ns = MODEL_UNKNOWN,
                                            .first_ns = MODEL_UNKNOWN,
                                            .until_ns = MODEL_UNKNOWN,
                                            .interval_calls = MODEL_UNKNOWN,
                                            .interval_ns = MODEL_UNKNOWN};
    return id;
}

static uint64_t key_of_span(const struct trace *t)
{
    uint64_t key = mix(UINT64_C(14695981039346656037), text_of(t, T_CAT));
    key = mix(key, text_of(t, T_NAME));
    key = mix(key, text_of(t, t->event.size[T_ID] > 0 ? T_ID : T_TID));
    return key | 1; /* keys of runs are even */
}

static void begin_span(struct trace *t, uint64_t from, uint8_t kind)
{
    const uint32_t id = span_of(t, kind);
    if (id != MODEL_NONE)
        open_run(t, key_of_span(t), from, id);
}

static void end_span(struct trace *t, uint64_t until, uint8_t kind)
{
    struct open_run run;
    (void)kind;
    if (!close_run(t, key_of_span(t), &run)) {
        unreadable(t, "an end without a beginning");
        return;
    }
    struct model_span_value *value = &((struct span *)t->spans.data)[run.row].value;
    const uint64_t ns = until > run.from ? until - run.from : 0;
    value->calls++;
    value->total_ns = model_state_plus(value->total_ns, ns);
    value->last_ns = ns;
    value->min_ns = ns < value->min_ns ? ns : value->min_ns;
    value->max_ns = value->max_ns == MODEL_UNKNOWN || ns > value->max_ns ? ns : value->max_ns;
    value->first_ns = run.from < value->first_ns ? run.from : value->first_ns;
    value->until_ns =
        value->until_ns == MODEL_UNKNOWN || until > value->until_ns ? until : value->until_ns;
}

/* MXNet writes its calls of the interface as tasks; they nest as runs do. */
static bool is_call(const struct trace *t)
{
    return model_bytes_equal(text_of(t, T_CAT), "MXNET_C_API");
}

static void take_task_begin(struct trace *t, uint64_t from)
{
    if (is_call(t))
        take_begin(t, from);
    else
        begin_span(t, from, MODEL_TASK);
}

static void take_task_end(struct trace *t, uint64_t until)
{
    if (is_call(t))
        take_end(t, until);
    else
        end_span(t, until, MODEL_TASK);
}

static void take_frame_begin(struct trace *t, uint64_t from)
{
    begin_span(t, from, MODEL_FRAME);
}

static void take_frame_end(struct trace *t, uint64_t until)
{
    end_span(t, until, MODEL_FRAME);
}

/* ------------------------------------------------------------------------------------- counters */

static struct counter *counter_of(struct trace *t, struct model_bytes domain,
                                  struct model_bytes name, struct model_bytes series)
{
    char text[384];
    size_t size = name.size < 255 ? name.size : 255;
    memcpy(text, name.data, size);
    const bool plain = model_bytes_equal(series, "value") || model_bytes_equal(series, "bytes") ||
                       (series.size == name.size && memcmp(series.data, name.data, size) == 0);
    if (!plain) {
        text[size++] = ' ';
        memcpy(text + size, series.data, series.size);
        size += series.size;
    }
    const struct model_bytes whole = {text, size};
    const uint32_t of = model_build_number(&t->in->build, 'E', 0, 0, domain, t->counters.count);
    const uint32_t id =
        of == MODEL_NONE ? of
                         : model_build_number(&t->in->build, 'C', of, 0, whole, t->counters.count);
    if (id != t->counters.count)
        return id == MODEL_NONE ? NULL : &((struct counter *)t->counters.data)[id];
    struct counter *counter = more(t, &t->counters, sizeof(*counter), NAMES);
    if (!counter)
        return NULL;
    copy(counter->domain, sizeof(counter->domain), domain);
    copy(counter->name, sizeof(counter->name), whole);
    counter->domain_size = strlen(counter->domain);
    counter->name_size = strlen(counter->name);
    return counter;
}

static void update(struct counter *counter, const struct model_decimal *number)
{
    const double value = model_decimal_value(number);
    if (counter->updates == 0 || value < model_decimal_value(&counter->min))
        counter->min = *number;
    if (counter->updates == 0 || value > model_decimal_value(&counter->max))
        counter->max = *number;
    counter->last = *number;
    counter->sum += value;
    counter->updates++;
    counter->real |= number->power < 0;
}

static void take_counter(struct trace *t, uint64_t at)
{
    static const char begin[] = "Memory: ";
    (void)at;
    struct model_bytes domain = text_of(t, T_CAT), name = text_of(t, T_NAME);
    const bool memory = model_bytes_equal(domain, "Device Storage");
    if (t->event.count == 0)
        unreadable(t, "a counter without a number");
    for (unsigned i = 0; i < t->event.count; i++) {
        const struct series *series = &t->event.series[i];
        struct counter *counter =
            memory ? counter_of(t,
                                model_bytes_begin(name, begin)
                                    ? model_bytes_from(name, sizeof(begin) - 1)
                                    : name,
                                (struct model_bytes){"", 0}, model_bytes_of("bytes"))
                   : counter_of(t, domain, name, (struct model_bytes){series->key, series->size});
        if (!counter)
            return;
        counter->memory = memory;
        update(counter, &series->number);
    }
}

static const struct model_decimal *number_named(const struct trace *t, const char *key)
{
    for (unsigned i = 0; i < t->event.count; i++)
        if (strcmp(t->event.series[i].key, key) == 0)
            return &t->event.series[i].number;
    return NULL;
}

/* torch writes each allocation as an instant. Device type 0 is the processor. */
static bool take_allocation(struct trace *t)
{
    const struct model_decimal *all = number_named(t, "Total Allocated");
    const struct model_decimal *type = number_named(t, "Device Type");
    const struct model_decimal *id = number_named(t, "Device Id");
    char device[32] = "cpu";
    if (!model_bytes_equal(text_of(t, T_NAME), "[memory]") || !all || all->negative)
        return false;
    if (type && type->digits > 0)
        snprintf(device, sizeof(device), "device/%u", id ? (unsigned)(id->digits % 1000) : 0);
    struct counter *counter =
        counter_of(t, model_bytes_of(device), (struct model_bytes){"", 0}, model_bytes_of("bytes"));
    if (counter) {
        counter->memory = true;
        update(counter, all);
    }
    return true;
}

static void take_instant(struct trace *t, uint64_t at)
{
    static const char suffix[] = ",instant_marker", scopes[] = "gpt";
    struct model_job *job = t->in->build.job;
    struct model_bytes domain = text_of(t, T_CAT);
    const size_t end = model_bytes_find(domain, suffix);
    domain.size = end < domain.size ? end : domain.size;
    if (take_allocation(t))
        return;
    const uint32_t next = model_job_count(job, MODEL_MARKER);
    const uint32_t of = model_build_number(&t->in->build, 'F', 0, 0, domain, next);
    const uint32_t id =
        of == MODEL_NONE ? of
                         : model_build_number(&t->in->build, 'M', of, 0, text_of(t, T_NAME), next);
    if (id == MODEL_NONE || next >= NAMES ||
        (id == next && !model_job_add_marker(job, domain, text_of(t, T_NAME)))) {
        t->dropped++;
        return;
    }
    const char *scope =
        t->event.size[T_SCOPE] == 1 ? strchr(scopes, *t->event.text[T_SCOPE]) : NULL;
    const struct model_mark mark = {.number = ++t->marks,
                                    .mono_ns = at,
                                    .marker = id,
                                    .thread = MODEL_NONE,
                                    .task = MODEL_NONE,
                                    .scope = scope && *scope ? (uint8_t)(scope - scopes) : 2};
    model_job_add_mark(job, &mark);
}

/* ------------------------------------------------------------------------------------- metadata */

static void take_metadata(struct trace *t, uint64_t at)
{
    (void)at;
    const bool process = model_bytes_equal(text_of(t, T_NAME), "process_name");
    if (!process && !model_bytes_equal(text_of(t, T_NAME), "thread_name"))
        return;
    if (process)
        t->event.size[T_TID] = 0; /* of all its threads: see name_of() */
    const uint32_t at_thread = thread_of(t);
    if (at_thread == MODEL_NONE)
        return;
    struct thread *thread = &((struct thread *)t->threads.data)[at_thread];
    copy(process ? thread->process : thread->name,
         process ? sizeof(thread->process) : sizeof(thread->name), text_of(t, T_ARG_NAME));
}

static void take_nothing(struct trace *t, uint64_t at)
{
    (void)at;
    t->other++;
}

static const struct {
    char kind;
    void (*take)(struct trace *t, uint64_t at);
    bool timeless;
} kinds[] = {
    {'X', take_complete, false},   {'B', take_begin, false},       {'E', take_end, false},
    {'b', take_task_begin, false}, {'e', take_task_end, false},    {'S', take_task_begin, false},
    {'F', take_task_end, false},   {'(', take_frame_begin, false}, {')', take_frame_end, false},
    {'C', take_counter, false},    {'i', take_instant, false},     {'I', take_instant, false},
    {'n', take_instant, false},    {'R', take_instant, false},     {'M', take_metadata, true},
    {'s', take_nothing, true}, /* flows, samples, objects */
    {'t', take_nothing, true},     {'f', take_nothing, true},      {'P', take_nothing, true},
    {'N', take_nothing, true},     {'O', take_nothing, true},      {'D', take_nothing, true},
    {'c', take_nothing, true},
};

/* ------------------------------------------------------------------------------- reading events */

static void keep_text(struct model_get *get, struct event *event, enum text text)
{
    model_get_scalar(get);
    event->size[text] = get->size < TEXT ? get->size : TEXT;
    memcpy(event->text[text], get->text ? get->text : "", event->size[text]);
}

static void read_args(struct trace *t, struct model_get *get)
{
    static const struct {
        const char *key;
        enum text text;
    } keys[] = {{"op_name", T_OP_NAME}, {"provider", T_PROVIDER}, {"name", T_ARG_NAME}};
    struct event *event = &t->event;
    for (model_get_object(get); model_get_key(get);) {
        size_t k = 0;
        while (k < sizeof(keys) / sizeof(keys[0]) && strcmp(keys[k].key, get->text) != 0)
            k++;
        if (k < sizeof(keys) / sizeof(keys[0])) {
            keep_text(get, event, keys[k].text);
            continue;
        }
        const char next = model_get_peek(get);
        const bool number = next == '-' || (next >= '0' && next <= '9');
        if (!number || event->count == MODEL_TRACE_SERIES ||
            get->size >= sizeof(event->series->key)) {
            model_get_skip(get);
            continue;
        }
        struct series *series = &event->series[event->count];
        series->size = get->size;
        memcpy(series->key, get->text, get->size + 1);
        model_get_scalar(get);
        event->count +=
            get->size > 0 && model_decimal_read(get->text, get->size, &series->number) == get->size;
    }
}

static void read_event(struct trace *t, struct model_get *get)
{
    static const struct {
        const char *key;
        enum text text;
    } keys[] = {{"ph", T_PH}, {"cat", T_CAT}, {"name", T_NAME}, {"pid", T_PID}, {"tid", T_TID},
                {"id", T_ID}, {"s", T_SCOPE}, {"ts", T_TS},     {"dur", T_DUR}};
    struct event *event = &t->event;
    memset(event->size, 0, sizeof(event->size));
    event->count = 0;
    for (model_get_object(get); model_get_key(get);) {
        size_t k = 0;
        while (k < sizeof(keys) / sizeof(keys[0]) && strcmp(keys[k].key, get->text) != 0)
            k++;
        if (k < sizeof(keys) / sizeof(keys[0]))
            keep_text(get, event, keys[k].text);
        else if (strcmp(get->text, "args") == 0 && model_get_peek(get) == '{')
            read_args(t, get);
        else
            model_get_skip(get);
    }
}

static void take_event(struct trace *t)
{
    uint64_t at = 0;
    size_t kind = 0;
    const size_t count = sizeof(kinds) / sizeof(kinds[0]);
    while (kind < count && (t->event.size[T_PH] != 1 || kinds[kind].kind != *t->event.text[T_PH]))
        kind++;
    if (kind == count)
        unreadable(t, "no event of a known kind");
    else if (!kinds[kind].timeless && !time_of(t, T_TS, &at))
        unreadable(t, "an event without a time");
    else
        kinds[kind].take(t, at);
    t->last_ns = at > t->last_ns ? at : t->last_ns;
}

/* Some writers leave empty items: `[ ,`, and an empty object at the end. */
static void read_events(struct trace *t, struct model_get *get)
{
    for (model_get_list(get); model_get_item(get) && !t->in->build.wrong;) {
        t->number++;
        if (model_get_peek(get) != '{') {
            model_get_skip(get);
            unreadable(t, "no event");
            continue;
        }
        read_event(t, get);
        if (get->wrong)
            return;
        if (t->event.size[T_PH] > 0 || t->event.size[T_NAME] > 0)
            take_event(t);
    }
}

/* ------------------------------------------------------------------------------------ own times */

static int by_thread(const void *a, const void *b)
{
    const struct run *x = a, *y = b;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->ns < y->ns) - (x->ns > y->ns);
}

/* A run on the stack. */
struct level {
    uint64_t until, ns, inside_ns;
    uint64_t held_ns; /* own time of its only child, a run of the same op; MODEL_UNKNOWN: none */
    uint32_t row, children;
    uint32_t around; /* position of the run that contains it, or MODEL_NONE */
};

static void count_run(struct row *row, uint64_t self_ns)
{
    row->calls++;
    row->self_ns = model_state_plus(row->self_ns, self_ns);
    row->min_ns = self_ns < row->min_ns ? self_ns : row->min_ns;
    row->max_ns = self_ns > row->max_ns ? self_ns : row->max_ns;
}

/* An op of torch that calls itself, and nothing else, passes from one key of its dispatcher to
 * another: torch counts both as one call. */
static void pop(struct trace *t, struct level *stack, uint32_t *deep)
{
    const struct level *level = &stack[--*deep];
    struct level *around = level->around == MODEL_NONE ? NULL : &stack[level->around];
    struct row *row = &((struct row *)t->rows.data)[level->row];
    uint64_t self_ns = level->ns > level->inside_ns ? level->ns - level->inside_ns : 0;
    if (level->held_ns != MODEL_UNKNOWN)
        self_ns = model_state_plus(self_ns, level->held_ns);
    t->nested |= level->inside_ns > 0;
    if (row->redispatches && around && around->row == level->row && around->children == 1)
        around->held_ns = self_ns;
    else
        count_run(row, self_ns);
}

/* Adds a run to the run around it. */
static void add_child(struct trace *t, struct level *around, uint64_t ns)
{
    around->inside_ns = model_state_plus(around->inside_ns, ns);
    if (around->children++ == 1 && around->held_ns != MODEL_UNKNOWN) {
        count_run(&((struct row *)t->rows.data)[around->row], around->held_ns);
        around->held_ns = MODEL_UNKNOWN;
    }
}

/* A run belongs to the innermost one that contains it. Others may overlap it: a range that begins
 * within one call and ends within another. The common time counts once. Runs come by their start,
 * so a run is within another one of its row if that ends later. */
static void push(struct trace *t, struct level *stack, uint32_t *deep, const struct run *run)
{
    const uint64_t until = run->from + run->ns;
    uint64_t from = run->from;
    struct row *row = &((struct row *)t->rows.data)[run->row];
    uint32_t around = MODEL_NONE;
    for (uint32_t at = *deep, steps = 0; at-- > 0 && steps < OVERLAPS; steps++) {
        if (until <= stack[at].until) {
            add_child(t, &stack[at], until > from ? until - from : 0);
            around = at;
            break;
        }
        from = stack[at].until > from ? stack[at].until : from;
    }
    stack[(*deep)++] = (struct level){
        .until = until, .ns = run->ns, .held_ns = MODEL_UNKNOWN, .row = run->row, .around = around};
    if (until > row->until_ns || run->ns == 0) {
        row->incl_ns = model_state_plus(row->incl_ns, run->ns);
        row->until_ns = until > row->until_ns ? until : row->until_ns;
    }
}

static void add_up(struct trace *t)
{
    struct run *run = t->runs.data;
    struct level *stack = malloc(((size_t)t->runs.count + 1) * sizeof(*stack));
    uint32_t deep = 0;
    if (!stack) {
        t->in->build.wrong = "needs more memory than there is";
        return;
    }
    if (t->runs.count > 0)
        qsort(run, t->runs.count, sizeof(*run), by_thread);
    for (uint32_t i = 0; i < t->runs.count; i++) {
        const bool new_thread = i > 0 && run[i].thread != run[i - 1].thread;
        while (deep > 0 && (new_thread || stack[deep - 1].until <= run[i].from))
            pop(t, stack, &deep);
        push(t, stack, &deep, &run[i]);
    }
    while (deep > 0)
        pop(t, stack, &deep);
    free(stack);
}

/* -------------------------------------------------------------------------------------- the job */

/* A name of a thread: "python: thread 19033", as far as it is known. */
static size_t name_of(struct trace *t, const struct thread *thread, char *out, size_t capacity)
{
    char key[40];
    const struct thread *all = t->threads.data;
    snprintf(key, sizeof(key), "%.30s/", thread->pid);
    const uint32_t process = model_build_look_up(&t->in->build, 'T', 0, 0, model_bytes_of(key));
    const char *name =
        process != MODEL_NONE && process < t->threads.count ? all[process].process : "";
    const int size =
        thread->name[0]
            ? snprintf(out, capacity, "%s%s%s", name, *name ? ": " : "", thread->name)
            : snprintf(out, capacity, "%s%s%s%s", *name ? name : thread->pid,
                       thread->tid[0] ? ": " : "", thread->tid[0] ? "thread " : "", thread->tid);
    return (size_t)size < capacity ? (size_t)size : capacity - 1;
}

static void make_rows(struct trace *t)
{
    struct model_build *build = &t->in->build;
    const struct row *row = t->rows.data;
    uint32_t *function = calloc((size_t)t->threads.count + 1, sizeof(*function));
    for (uint32_t i = 0; function && i < t->rows.count && !build->wrong; i++) {
        char name[192];
        struct model_build_value value = model_build_nothing;
        const struct thread *thread = &((struct thread *)t->threads.data)[row[i].thread];
        if (row[i].calls == 0)
            continue;
        if (function[row[i].thread] == 0) {
            const size_t size = name_of(t, thread, name, sizeof(name));
            const uint32_t id = model_build_function(build, (struct model_bytes){name, size},
                                                     (struct model_bytes){"", 0}, 0, MODEL_NONE);
            function[row[i].thread] = id + 1; /* 0 after a failure: `wrong` is set */
        }
        const struct model_apply_raw raw = {.text = {build->text + row[i].text, row[i].size},
                                            .function = function[row[i].thread] - 1,
                                            .op = row[i].op,
                                            .kind = row[i].kind,
                                            .waits = row[i].waits};
        value.calls = row[i].calls;
        value.ns = row[i].self_ns;
        value.min_ns = row[i].min_ns;
        value.max_ns = row[i].max_ns;
        if (t->nested)
            value.metric[MODEL_BUILD_INCL] = row[i].incl_ns;
        const uint32_t apply = build->wrong ? MODEL_NONE : model_build_apply(build, &raw);
        if (apply != MODEL_NONE)
            model_build_add(build, apply, &value);
    }
    if (!function)
        build->wrong = "needs more memory than there is";
    free(function);
}

static union model_number number_of(const struct model_decimal *decimal, bool real)
{
    const uint64_t size = model_decimal_scale(decimal, 0);
    const int64_t value = size > INT64_MAX ? INT64_MAX : (int64_t)size;
    if (real)
        return (union model_number){.d = model_decimal_value(decimal)};
    return (union model_number){.i = decimal->negative ? -value : value};
}

static void make_counters(struct trace *t)
{
    struct model_job *job = t->in->build.job;
    for (uint32_t i = 0; i < t->counters.count; i++) {
        const struct counter *from = &((struct counter *)t->counters.data)[i];
        const bool real = from->real && !from->memory;
        const struct model_counter_raw raw = {.domain = {from->domain, from->domain_size},
                                              .name = {from->name, from->name_size},
                                              .scope = {"", 0},
                                              .unit = {"", 0},
                                              .kind = from->memory ? MODEL_MEMORY
                                                      : real       ? MODEL_F64
                                                                   : MODEL_I64};
        const struct model_counter_value value = {.known = true,
                                                  .value = number_of(&from->last, real),
                                                  .min = number_of(&from->min, real),
                                                  .max = number_of(&from->max, real),
                                                  .updates = from->updates,
                                                  .mean = from->sum / (double)from->updates,
                                                  .limit = MODEL_UNKNOWN};
        const uint32_t id = model_job_count(job, MODEL_COUNTER);
        if (from->updates > 0 && model_job_add_counter(job, &raw))
            model_job_set_counter(job, id, raw.kind, &value);
    }
}

/* MXNet writes each op twice, also as a task of this category. */
static bool is_op(struct trace *t, const struct span *span)
{
    static const char category[] = "operator";
    struct model_build *build = &t->in->build;
    if (strcmp(span->domain, category) != 0)
        return false;
    const uint32_t op_class = model_build_look_up(build, 'c', 0, 0, model_bytes_of(category));
    return op_class != MODEL_NONE &&
           model_build_look_up(build, 'o', op_class, 0,
                               (struct model_bytes){span->name, span->name_size}) != MODEL_NONE;
}

static void make_spans(struct trace *t)
{
    struct model_job *job = t->in->build.job;
    for (uint32_t i = 0; i < t->spans.count; i++) {
        const struct span *from = &((struct span *)t->spans.data)[i];
        const struct model_span_raw raw = {.domain = {from->domain, from->domain_size},
                                           .name = {from->name, from->name_size},
                                           .kind = from->kind};
        const uint32_t id = model_job_count(job, MODEL_SPAN);
        if (from->value.calls == 0 || is_op(t, from) || !model_job_add_span(job, &raw))
            continue;
        model_job_set_span(job, id, &from->value);
        model_job_set_span_edges(job, id, &from->value);
    }
}

static void add_notices(struct trace *t)
{
    struct model_build *build = &t->in->build;
    t->unended += t->opens;
    if (t->unended > 0)
        model_build_notice(build, 1, "Runs without an end in this trace, left out: %llu.",
                           (unsigned long long)t->unended);
    if (t->dropped > 0)
        model_build_notice(build, 1, "Events beyond what proftop reads of one trace: %llu.",
                           (unsigned long long)t->dropped);
    if (t->other > 0)
        model_build_notice(build, 0, "Flows, samples and objects, which have no row: %llu.",
                           (unsigned long long)t->other);
}

/* ------------------------------------------------------------------------------------- the file */

/* Guesses the program that wrote the trace. */
static void name_writer(struct trace *t, bool torch)
{
    struct model_build *build = &t->in->build;
    struct model_identity *who = model_job_identity_mutable(build->job);
    const bool mxnet =
        model_build_look_up(build, 'c', 0, 0, model_bytes_of("operator")) != MODEL_NONE;
    const bool ort =
        model_build_look_up(build, 'c', 0, 0, model_bytes_of("CPUExecutionProvider")) != MODEL_NONE;
    const char *name = torch ? "PyTorch" : ort ? "onnxruntime" : mxnet ? "MXNet" : "";
    if (who->framework.raw_size == 0)
        model_build_set_text(build, &who->framework, model_bytes_of(name));
}

static void read_keys(struct trace *t, struct model_get *get, bool *torch)
{
    for (model_get_object(get); model_get_key(get);) {
        *torch |= strcmp(get->text, "schemaVersion") == 0 || strcmp(get->text, "trace_id") == 0;
        const char next = model_get_peek(get);
        if (strcmp(get->text, "traceEvents") == 0 && next == '[')
            read_events(t, get);
        else if (strcmp(get->text, "proftop") == 0 && next == '{')
            t->own |= model_dump_read(t->in, get);
        else if (strcmp(get->text, "host_name") == 0) {
            model_get_scalar(get);
            model_build_set_text(&t->in->build, &model_job_identity_mutable(t->in->build.job)->host,
                                 (struct model_bytes){get->text, get->size});
        } else
            model_get_skip(get);
    }
}

void model_trace_read(struct model_importing *in, struct model_get *get)
{
    struct trace *t = calloc(1, sizeof(*t));
    bool torch = false;
    if (!t) {
        in->build.wrong = "needs more memory than there is";
        return;
    }
    t->in = in;
    in->build.item = "event";
    if (model_get_peek(get) == '[')
        read_events(t, get);
    else
        read_keys(t, get, &torch);
    if (!t->own && !in->build.wrong) { /* a dump of proftop has its sums in a part of its own */
        add_up(t);
        make_rows(t);
        make_counters(t);
        make_spans(t);
        name_writer(t, torch);
    }
    in->events = t->number;
    if (!t->own)
        add_notices(t);
    free(t->runs.data);
    free(t->rows.data);
    free(t->threads.data);
    free(t->spans.data);
    free(t->counters.data);
    free(t);
}

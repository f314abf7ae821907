/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * dump.c: writes the dump of a job from the model, in the layout of report.c.
 */
#include "config.h"

#include "feed/viewer/stream/dump.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "feed/shared/stats_report.h"
#include "model/objects.h"

static struct wire_text raw(const struct model_text *text)
{
    return (struct wire_text){text->raw ? text->raw : "", text->raw_size};
}

/* ----------------------------------------------------------------------------------- the table */

/* Sums over the applies of one op. Ops that graphs or the program run are summed apart from calls
 * of an interface. */
struct tally {
    uint64_t calls, total, min, max;
};

enum { KIND_CALL = 2 };

static void count(struct tally *tally, const struct model_apply_value *value)
{
    const bool timed = value->min_ns != MODEL_UNKNOWN && value->max_ns != MODEL_UNKNOWN;
    if (value->calls == 0 || value->calls == MODEL_UNKNOWN)
        return;
    if (!timed || tally->min == MODEL_UNKNOWN)
        tally->min = MODEL_UNKNOWN; /* one unknown minimum makes the minimum of all unknown */
    else if (tally->calls == 0 || value->min_ns < tally->min)
        tally->min = value->min_ns;
    if (timed && value->max_ns > tally->max)
        tally->max = value->max_ns;
    tally->calls += value->calls;
    tally->total += value->total_ns;
}

static bool is_custom(struct wire_text name)
{
    return memmem(name.data, name.size, "::", 2) != NULL;
}

static bool add_ops(const struct model_job *job, struct shared_report *report)
{
    const uint32_t ops = model_job_count(job, MODEL_OP);
    const struct model_apply_value *value = model_job_apply_values(job);
    struct tally *tally = calloc(2 * (size_t)ops + 1, sizeof *tally);
    if (!tally)
        return false;
    for (uint32_t id = 0; id < model_job_count(job, MODEL_APPLY); id++) {
        const struct model_apply_def *def = model_job_apply(job, id);
        count(&tally[2 * def->op + (def->kind == KIND_CALL)], &value[id]);
    }
    for (uint32_t at = 0; at < 2 * ops; at++) {
        const struct wire_text name = raw(&model_job_op(job, at / 2)->text);
        const char *category = at % 2 ? "API" : is_custom(name) ? "Custom Operator" : "operator";
        shared_report_add_time(report, shared_text_of(category), name, tally[at].calls,
                               tally[at].total, tally[at].min, tally[at].max);
    }
    free(tally);
    return true;
}

/* Returns "Memory: gpu/0", and the pool if it has a name. The text is stored in `names`. */
static struct wire_text memory_name(const struct model_counter_def *def, struct shared_text *names)
{
    const size_t at = names->size;
    shared_text_printf(names, "Memory: %.*s%s%.*s", (int)def->domain.raw_size,
                       raw(&def->domain).data, def->name.raw_size ? " " : "",
                       (int)def->name.raw_size, raw(&def->name).data);
    return (struct wire_text){names->data + at, (uint32_t)(names->size - at)};
}

/* Adds a whole memory pool; its scopes are in the trace alone. An older job reports no minimum and
 * no mean of memory. */
static void add_memory(const struct model_counter_def *def, const struct model_counter_value *value,
                       struct shared_report *report, struct shared_text *names)
{
    if (!value->known || value->updates == 0 || def->scope.raw_size > 0)
        return;
    const struct shared_stat stat = {.category = shared_text_of("Device Storage"),
                                     .name = memory_name(def, names),
                                     .unit = SHARED_UNIT_MEMORY,
                                     .no_min = value->mean != value->mean,
                                     .count = value->updates,
                                     .total.i = value->value.i,
                                     .min.i = value->min.i,
                                     .max.i = value->max.i,
                                     .mean = value->mean};
    shared_report_add(report, &stat);
}

static void add_counters(const struct model_job *job, struct shared_report *report,
                         struct shared_text *names)
{
    const struct model_objects *objects = model_job_objects(job);
    for (uint32_t id = 0; id < objects->counters; id++) {
        const struct model_counter_def *def = model_job_counter(job, id);
        const struct model_counter_value *value = &objects->counter[id];
        struct shared_stat stat = {.category = raw(&def->domain),
                                   .name = raw(&def->name),
                                   .unit = SHARED_UNIT_VALUE,
                                   .real = def->kind == MODEL_F64,
                                   .count = value->updates,
                                   .total.i = value->value.i,
                                   .min.i = value->min.i,
                                   .max.i = value->max.i,
                                   .mean = value->mean};
        if (stat.real) {
            stat.total.d = value->value.d;
            stat.min.d = value->min.d;
            stat.max.d = value->max.d;
        }
        if (def->kind == MODEL_MEMORY)
            add_memory(def, value, report, names);
        else if (value->known && value->updates > 0)
            shared_report_add(report, &stat);
    }
}

/* Frames are a category apart from their domain, whose name is made here. */
static void add_spans(const struct model_job *job, struct shared_report *report,
                      struct shared_text *names)
{
    const struct model_objects *objects = model_job_objects(job);
    for (uint32_t id = 0; id < objects->spans; id++) {
        const struct model_span_def *def = model_job_span(job, id);
        const struct model_span_value *value = &objects->span[id];
        struct wire_text category = raw(&def->domain);
        if (def->kind == MODEL_FRAME && names->data) {
            category.data = names->data + names->size;
            shared_text_printf(names, "%.*s,frame", (int)def->domain.raw_size,
                               raw(&def->domain).data);
            category.size += sizeof ",frame" - 1;
        }
        if (value->known)
            shared_report_add_time(report, category, raw(&def->name), value->calls, value->total_ns,
                                   value->min_ns, value->max_ns);
    }
}

/* Allocates space for all names of frames and of memory at once, so that no name moves. */
static bool make_names(const struct model_job *job, struct shared_text *names)
{
    size_t size = 1;
    for (uint32_t id = 0; id < model_job_objects(job)->spans; id++)
        size += model_job_span(job, id)->domain.raw_size + sizeof ",frame";
    for (uint32_t id = 0; id < model_job_objects(job)->counters; id++) {
        const struct model_counter_def *def = model_job_counter(job, id);
        if (def->kind == MODEL_MEMORY)
            size += def->domain.raw_size + def->name.raw_size + sizeof "Memory:  ";
    }
    names->data = malloc(size);
    names->capacity = names->data ? size : 0;
    return names->data != NULL;
}

static void print_report(const struct model_job *job, const struct shared_report_form *form,
                         struct shared_text *out, size_t *rows)
{
    struct shared_report report = {0};
    struct shared_text names = {0};
    report.failed = !make_names(job, &names) || !add_ops(job, &report);
    add_counters(job, &report, &names);
    add_spans(job, &report, &names);
    shared_report_print(&report, form, out);
    out->failed = out->failed || report.failed || names.failed;
    *rows = report.count;
    shared_report_release(&report);
    shared_text_release(&names);
}

/* ----------------------------------------------------------------------------------- the trace */

static void print_named(struct shared_text *out, const char *key, const struct model_text *text)
{
    shared_text_named(out, key, raw(text));
}

static void begin_row(struct shared_text *out, uint32_t *rows, uint64_t id)
{
    shared_text_printf(out, "%s\n  {\"id\": %" PRIu64, (*rows)++ == 0 ? "" : ",", id);
}

static void print_functions(const struct model_job *job, struct shared_text *out)
{
    const struct model_function_value *value = model_job_function_values(job);
    shared_text_printf(out, "\"functions\": [");
    for (uint32_t id = 0; id < model_job_count(job, MODEL_FUNCTION); id++) {
        shared_text_printf(out, "%s\n  {\"id\": %u", id == 0 ? "" : ",", id);
        print_named(out, "name", &model_job_function(job, id)->name);
        shared_text_known(out, "calls", value[id].calls);
        shared_text_known(out, "call_ns", value[id].call_ns);
        shared_text_known(out, "vm_ns", value[id].vm_ns);
        shared_text_known(out, "compile_ns", value[id].compile_ns);
        shared_text_known(out, "rewrite_ns", value[id].rewrite_ns);
        shared_text_known(out, "validate_ns", value[id].validate_ns);
        shared_text_known(out, "link_ns", value[id].link_ns);
        shared_text_printf(out, "}");
    }
    shared_text_printf(out, "],\n");
}

static void print_applies(const struct model_job *job, struct shared_text *out, size_t *rows)
{
    const struct model_apply_value *value = model_job_apply_values(job);
    shared_text_printf(out, "\"applies\": [");
    for (uint32_t id = 0; id < model_job_count(job, MODEL_APPLY); id++) {
        const struct model_apply_def *def = model_job_apply(job, id);
        const struct model_op_def *op = model_job_op(job, def->op);
        if (value[id].calls == 0)
            continue;
        shared_text_printf(out, "%s\n  {\"id\": %u, \"function\": %u, \"index\": %u",
                           (*rows)++ == 0 ? "" : ",", id, def->function, def->index);
        print_named(out, "class", &model_job_class(job, op->op_class)->name);
        print_named(out, "op", &op->text);
        print_named(out, "name", def->text.raw_size == 0 ? &op->text : &def->text);
        shared_text_known(out, "calls", value[id].calls);
        shared_text_known(out, "total_ns", value[id].total_ns);
        shared_text_known(out, "min_ns", value[id].min_ns);
        shared_text_known(out, "max_ns", value[id].max_ns);
        shared_text_printf(out, "}");
    }
    shared_text_printf(out, "],\n");
}

static void print_number(struct shared_text *out, const char *key, uint8_t kind, bool known,
                         union model_number number)
{
    if (!known)
        shared_text_known(out, key, MODEL_UNKNOWN);
    else if (kind == MODEL_F64)
        shared_text_printf(out, ", \"%s\": %.17g", key, number.d);
    else
        shared_text_printf(out, ", \"%s\": %" PRId64, key, number.i);
}

/* An older job does not send the minimum and mean of memory; they are in the job's own dump
 * alone. */
static void print_counters(const struct model_job *job, struct shared_text *out, size_t *all)
{
    const struct model_objects *objects = model_job_objects(job);
    uint32_t rows = 0;
    shared_text_printf(out, "\"counters\": [");
    for (uint32_t id = 0; id < objects->counters; id++) {
        const struct model_counter_def *def = model_job_counter(job, id);
        const struct model_counter_value *value = &objects->counter[id];
        const bool memory = def->kind == MODEL_MEMORY;
        const bool counted = value->updates != 0 && value->mean == value->mean;
        if (!value->known)
            continue;
        begin_row(out, &rows, id);
        print_named(out, "domain", &def->domain);
        print_named(out, "name", &def->name);
        print_named(out, "scope", &def->scope);
        shared_text_known(out, "updates", value->updates);
        print_number(out, "value", def->kind, true, value->value);
        print_number(out, "min", def->kind, counted, value->min);
        print_number(out, "max", def->kind, counted || memory, value->max);
        print_number(out, "mean", MODEL_F64, counted,
                     (union model_number){.d = value->mean});
        shared_text_printf(out, "}");
    }
    shared_text_printf(out, "],\n");
    *all += rows;
}

static void print_slowest(const struct model_span_value *value, struct shared_text *out)
{
    for (uint32_t i = 0; i < value->slowest; i++)
        shared_text_printf(out, "%s{\"number\": %" PRIu64 ", \"ns\": %" PRIu64 "}",
                           i == 0 ? ", \"slowest\": [" : ", ", value->slow[i].number,
                           value->slow[i].ns);
    if (value->slowest != 0)
        shared_text_printf(out, "]");
}

static void print_spans(const struct model_job *job, struct shared_text *out, size_t *all)
{
    const struct model_objects *objects = model_job_objects(job);
    uint32_t rows = 0;
    shared_text_printf(out, "\"spans\": [");
    for (uint32_t id = 0; id < objects->spans; id++) {
        const struct model_span_def *def = model_job_span(job, id);
        const struct model_span_value *value = &objects->span[id];
        if (!value->known || value->calls == 0)
            continue;
        begin_row(out, &rows, id);
        struct shared_text category = {0};
        shared_text_printf(&category, "%.*s%s", (int)def->domain.raw_size, raw(&def->domain).data,
                           def->kind == MODEL_FRAME ? ",frame" : "");
        shared_text_named(out, "category",
                          (struct wire_text){category.data, (uint32_t)category.size});
        shared_text_release(&category);
        print_named(out, "name", &def->name);
        shared_text_known(out, "calls", value->calls);
        shared_text_known(out, "total_ns", value->total_ns);
        shared_text_known(out, "self_ns", value->self_ns);
        shared_text_known(out, "min_ns", value->min_ns);
        shared_text_known(out, "max_ns", value->max_ns);
        shared_text_known(out, "last_ns", value->last_ns);
        print_slowest(value, out);
        shared_text_printf(out, "}");
    }
    shared_text_printf(out, "],\n");
    *all += rows;
}

static void print_markers(const struct model_job *job, struct shared_text *out, size_t *all)
{
    const struct model_objects *objects = model_job_objects(job);
    uint32_t rows = 0;
    shared_text_printf(out, "\"markers\": [");
    for (uint32_t at = 0; at < objects->marks; at++) {
        const struct model_mark *mark = &objects->mark[at];
        const struct model_marker_def *def = model_job_marker(job, mark->marker);
        const struct model_thread_def *on = model_job_thread(job, mark->thread);
        const struct model_span_def *in = model_job_span(job, mark->task);
        begin_row(out, &rows, mark->number);
        print_named(out, "domain", &def->domain);
        print_named(out, "name", &def->name);
        shared_text_named(out, "scope", shared_text_of(model_mark_scopes[mark->scope]));
        shared_text_known(out, "mono_ns", mark->mono_ns);
        if (on)
            shared_text_known(out, "tid", on->tid);
        if (in)
            print_named(out, "task", &in->name);
        shared_text_printf(out, "}");
    }
    shared_text_printf(out, "]");
    *all += rows;
}

static void print_trace(const struct model_job *job, struct shared_text *out, size_t *rows)
{
    const struct model_identity *who = model_job_identity(job);
    shared_text_printf(out,
                       "{\"displayTimeUnit\": \"ms\",\n\"traceEvents\": [{\"ph\": \"M\", \"name\": "
                       "\"process_name\", \"pid\": %" PRIu64 ", \"tid\": 0, \"args\": {\"name\": ",
                       who->pid);
    shared_text_quoted(out, raw(&who->program));
    shared_text_printf(
        out,
        "}}],\n\"proftop\": {\"schema\": \"proftop-dump-1\", \"epoch\": %u, \"wall_ns\": "
        "%" PRIu64 ",\n",
        model_job_epoch(job), model_job_wall_ns(job));
    print_functions(job, out);
    print_applies(job, out, rows);
    print_counters(job, out, rows);
    print_spans(job, out, rows);
    print_markers(job, out, rows);
    shared_text_printf(out, "}}\n");
}

char *viewer_dump_trace(const struct model_job *job, size_t *size, size_t *rows)
{
    struct shared_text out = {0};
    *rows = 0;
    print_trace(job, &out, rows);
    *size = out.size;
    return shared_text_take(&out);
}

char *viewer_dump_report(const struct model_job *job, const struct shared_report_form *form,
                         size_t *size, size_t *rows)
{
    struct shared_text out = {0};
    *rows = 0;
    print_report(job, form, &out, rows);
    *size = out.size;
    return shared_text_take(&out);
}

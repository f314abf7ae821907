/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * recorder.c: writes the moments of a history as records. It has its own copy of the values, as of
 * the moment written last: so each segment can begin with them, whatever the history still has.
 */
#include "model/recording.h"

#include <stdlib.h>
#include <string.h>

#include "model/compile.h"
#include "model/delta.h"
#include "model/history_private.h"
#include "model/recording_private.h"

/* Parts of the job written since the segment began. */
struct written {
    uint32_t rows[MODEL_TABLES], compiles, metrics;
    uint64_t next_mark;
    uint64_t notice_wall_ns; /* of the newest notice; */
    bool notices;            /* there is one */
    bool link;
    uint64_t number[MODEL_IDENTITY_NUMBERS];
    struct model_bytes text[MODEL_IDENTITY_TEXTS]; /* owned */
    uint64_t *about;                               /* by apply: revision, plus 1; 0: not written */
    uint32_t abouts;
    uint64_t about_changes;
    uint32_t about_rows; /* applies that were looked at */
};

struct model_recorder {
    struct model_job *job; /* one reference */
    struct model_link link;
    uint64_t every_ns;
    bool begun;
    uint64_t taken;             /* number of the moment of the history taken last */
    struct model_moment moment; /* written last */
    struct model_values values; /* at that moment */
    uint64_t moments;
    bool adds_up; /* below is what was taken and not written yet */
    struct model_moment next;
    uint32_t ticks;
    struct model_delta_out sum, spare;
    struct model_delta_in older, newer;
    struct written done;
};

static struct model_bytes raw(const struct model_text *text)
{
    return (struct model_bytes){text->raw, text->raw_size};
}

/* ---------------------------------------------------------------------------------- definitions */

static void put_class(struct model_record_out *out, const struct model_job *job, uint32_t id)
{
    model_record_put_text(out, raw(&model_job_class(job, id)->name));
}

static void put_op(struct model_record_out *out, const struct model_job *job, uint32_t id)
{
    const struct model_op_def *def = model_job_op(job, id);
    model_record_put(out, def->op_class);
    model_record_put_text(out, raw(&def->text));
    model_record_put_text(out, raw(&def->display));
}

static void put_function(struct model_record_out *out, const struct model_job *job, uint32_t id)
{
    const struct model_function_def *def = model_job_function(job, id);
    model_record_put_text(out, raw(&def->name));
    model_record_put_text(out, raw(&def->file));
    model_record_put(out, def->line);
    model_record_put(out, def->parent == MODEL_NONE ? 0 : def->parent + UINT64_C(1));
    model_record_put(out, def->group);
    model_record_put(out, def->source);
}

static void put_apply(struct model_record_out *out, const struct model_job *job, uint32_t id)
{
    const struct model_apply_def *def = model_job_apply(job, id);
    const struct model_text *text = &def->text, *op = &model_job_op(job, def->op)->text;
    const bool same =
        text->raw_size == op->raw_size && memcmp(text->raw, op->raw, op->raw_size) == 0;
    model_record_put(out, def->function);
    model_record_put(out, def->op);
    model_record_put(out, def->index);
    model_record_put(out, def->source);
    model_record_put(out, def->kind);
    model_record_put(out, def->impl);
    model_record_put(out, def->waits);
    model_record_put(out, (def->exclusive ? 1u : 0u) | (same ? 2u : 0u));
    model_record_put_text(out, same ? (struct model_bytes){"", 0} : raw(text));
    model_record_put_text(out, raw(&model_job_line(job, def->made_at)->text));
}

static void put_thread(struct model_record_out *out, const struct model_job *job, uint32_t id)
{
    const struct model_thread_def *def = model_job_thread(job, id);
    model_record_put_text(out, raw(&def->name));
    model_record_put(out, def->tid);
}

static void put_counter(struct model_record_out *out, const struct model_job *job, uint32_t id)
{
    const struct model_counter_def *def = model_job_counter(job, id);
    model_record_put(out, def->kind);
    model_record_put_text(out, raw(&def->domain));
    model_record_put_text(out, raw(&def->name));
    model_record_put_text(out, raw(&def->scope));
    model_record_put_text(out, raw(&def->unit));
}

static void put_span(struct model_record_out *out, const struct model_job *job, uint32_t id)
{
    const struct model_span_def *def = model_job_span(job, id);
    model_record_put(out, def->kind);
    model_record_put_text(out, raw(&def->domain));
    model_record_put_text(out, raw(&def->name));
}

static void put_marker(struct model_record_out *out, const struct model_job *job, uint32_t id)
{
    const struct model_marker_def *def = model_job_marker(job, id);
    model_record_put_text(out, raw(&def->domain));
    model_record_put_text(out, raw(&def->name));
}

/* True if what a row refers to is written. */
static bool function_ready(const struct model_recorder *r, uint32_t id)
{
    const uint32_t parent = model_job_function(r->job, id)->parent;
    return parent == MODEL_NONE || parent < r->done.rows[MODEL_APPLY];
}

static bool apply_ready(const struct model_recorder *r, uint32_t id)
{
    return model_job_apply(r->job, id)->function < r->done.rows[MODEL_FUNCTION];
}

static const struct {
    enum model_table table;
    uint8_t kind;
    void (*put)(struct model_record_out *out, const struct model_job *job, uint32_t id);
    bool (*ready)(const struct model_recorder *r, uint32_t id); /* NULL: always */
} tables[] = {
    {MODEL_CLASS, MODEL_RECORD_CLASS, put_class, NULL},
    {MODEL_OP, MODEL_RECORD_OP, put_op, NULL},
    {MODEL_THREAD, MODEL_RECORD_THREAD, put_thread, NULL},
    {MODEL_COUNTER, MODEL_RECORD_COUNTER, put_counter, NULL},
    {MODEL_SPAN, MODEL_RECORD_SPAN, put_span, NULL},
    {MODEL_MARKER, MODEL_RECORD_MARKER, put_marker, NULL},
    {MODEL_FUNCTION, MODEL_RECORD_FUNCTION, put_function, function_ready},
    {MODEL_APPLY, MODEL_RECORD_APPLY, put_apply, apply_ready},
};
enum { TABLES = sizeof(tables) / sizeof(tables[0]) };

/* A function may run in an apply, and an apply is of a function: they take turns. */
static void put_tables(struct model_recorder *r, struct model_record_out *out,
                       const struct model_moment *moment)
{
    for (bool moved = true; moved;) {
        moved = false;
        for (unsigned i = 0; i < TABLES; i++) {
            uint32_t *id = &r->done.rows[tables[i].table];
            while (*id < moment->rows[tables[i].table] &&
                   (!tables[i].ready || tables[i].ready(r, *id))) {
                model_record_begin(out, tables[i].kind);
                tables[i].put(out, r->job, (*id)++);
                model_record_end(out);
                moved = true;
            }
        }
    }
}

static void put_compiles(struct model_recorder *r, struct model_record_out *out,
                         const struct model_moment *moment)
{
    const struct model_compile_def *rows = r->job->compiling.data;
    for (; r->done.compiles < moment->compiles; r->done.compiles++) {
        const struct model_compile_def *def = &rows[r->done.compiles];
        const bool phase = def->phase != MODEL_NONE;
        if (!phase && def->part != MODEL_COMPILE_WHOLE)
            continue; /* all parts of a function are added at once */
        model_record_begin(out, MODEL_RECORD_COMPILE);
        model_record_put(out, def->function);
        model_record_put(out, phase ? def->phase + UINT64_C(1) : 0);
        if (phase)
            model_record_put_text(out, raw(&r->job->values.phase[def->phase].name));
        model_record_end(out);
    }
}

static void put_metrics(struct model_recorder *r, struct model_record_out *out)
{
    static const char *const unit[] = {[MODEL_UNIT_NS] = "ns", [MODEL_UNIT_BYTES] = "bytes"};
    for (; r->done.metrics < model_job_metrics(r->job); r->done.metrics++) {
        const struct model_metric *metric = model_job_metric(r->job, r->done.metrics);
        const bool named = metric->unit < sizeof(unit) / sizeof(unit[0]) && unit[metric->unit];
        const char *word = named ? unit[metric->unit] : "";
        model_record_begin(out, MODEL_RECORD_METRIC);
        model_record_put_text(out, raw(&metric->name));
        model_record_put_text(out, (struct model_bytes){word, strlen(word)});
        model_record_put(out, metric->how);
        model_record_end(out);
    }
}

/* -------------------------------------------------------------------------------------- details */

static void put_string(struct model_record_out *out, const char *text)
{
    model_record_put_text(out, (struct model_bytes){text, strlen(text)});
}

static void put_value(struct model_record_out *out, const struct model_value *value)
{
    const uint64_t input = value->input;
    put_string(out, value->dtype);
    put_string(out, value->shape);
    put_string(out, value->strides);
    model_record_put_change(out, value->bytes + 1);
    model_record_put(out, value->source == MODEL_NONE ? 0 : value->source + UINT64_C(1));
    model_record_put(out, value->output);
    model_record_put(out, value->alias == MODEL_OWN ? 0 : 2 * input + value->alias);
    model_record_put(out, value->result);
}

_Static_assert(MODEL_VIEW == 1 && MODEL_OVERWRITES == 2, "as in struct model_value_raw");

static void put_about(struct model_record_out *out, uint32_t apply, const struct model_about *about)
{
    model_record_begin(out, MODEL_RECORD_ABOUT);
    model_record_put(out, apply);
    model_record_put(out, about->rev);
    model_record_put_change(out, about->flops + 1);
    model_record_put_change(out, about->bytes + 1);
    model_record_put_change(out, about->thunk_ns + 1);
    model_record_put(out, about->one_in);
    model_record_put(out, about->impl);
    put_string(out, about->device);
    put_string(out, about->location);
    put_string(out, about->library);
    put_string(out, about->rewrite);
    model_record_put(out, about->inputs);
    model_record_put(out, about->outputs);
    for (uint32_t i = 0; i < about->inputs + about->outputs; i++)
        put_value(out, &about->value[i]);
    model_record_end(out);
}

static bool put_abouts(struct model_recorder *r, struct model_record_out *out)
{
    struct written *done = &r->done;
    const uint32_t rows = done->rows[MODEL_APPLY];
    const uint64_t changes = model_job_about_changes(r->job);
    if (changes == 0 || (changes == done->about_changes && done->about_rows == rows))
        return true;
    if (rows > done->abouts) {
        uint64_t *grown = realloc(done->about, rows * sizeof(*grown));
        if (!grown)
            return false;
        memset(grown + done->abouts, 0, (rows - done->abouts) * sizeof(*grown));
        done->about = grown;
        done->abouts = rows;
    }
    for (uint32_t id = 0; id < rows; id++) {
        const struct model_about *about = model_job_about(r->job, id);
        if (!about || done->about[id] == about->rev + 1)
            continue;
        put_about(out, id, about);
        done->about[id] = about->rev + 1;
    }
    done->about_changes = changes;
    done->about_rows = rows;
    return true;
}

static void put_left_out(struct model_recorder *r, struct model_record_out *out)
{
    const struct model_job *job = r->job;
    model_record_begin(out, MODEL_RECORD_LEFT_OUT);
    for (unsigned t = 0; t < 2; t++) {
        const enum model_table table = t == 0 ? MODEL_FUNCTION : MODEL_APPLY;
        const uint32_t rows = r->done.rows[table];
        uint8_t bits = 0;
        model_record_put(out, rows);
        for (uint32_t id = 0; id < rows; id++) {
            const bool is_out =
                t == 0 ? model_job_function(job, id)->left_out : model_job_apply(job, id)->left_out;
            bits |= (uint8_t)((is_out ? 1u : 0u) << id % 8);
            if (id % 8 == 7 || id + 1 == rows) {
                model_record_put_bytes(out, &bits, 1);
                bits = 0;
            }
        }
    }
    model_record_end(out);
}

/* ------------------------------------------------------------------------------------- identity */

/* Returns true if a text or number changed that decides which calls are left out. */
static bool put_texts(struct model_recorder *r, struct model_record_out *out, bool *fine)
{
    const struct model_identity *who = model_job_identity(r->job);
    const struct model_text *text = &who->host;
    bool filters = false;
    for (unsigned i = 0; i < MODEL_IDENTITY_TEXTS; i++) {
        struct model_bytes *was = &r->done.text[i];
        if (was->data && was->size == text[i].raw_size &&
            memcmp(was->data, text[i].raw, was->size) == 0)
            continue;
        char *copy = malloc(text[i].raw_size + 1u);
        *fine = *fine && copy;
        if (!copy)
            continue;
        memcpy(copy, text[i].raw, text[i].raw_size);
        free((void *)(uintptr_t)was->data);
        *was = (struct model_bytes){copy, text[i].raw_size};
        model_record_begin(out, MODEL_RECORD_TEXT);
        model_record_put(out, i);
        model_record_put_text(out, *was);
        model_record_end(out);
        filters |= &text[i] == &who->only;
    }
    return filters;
}

static bool put_numbers(struct model_recorder *r, struct model_record_out *out)
{
    const struct model_identity *who = model_job_identity(r->job);
    bool open = false, filters = false;
    unsigned next = 0;
    for (unsigned i = 0; i < MODEL_IDENTITY_NUMBERS; i++) {
        uint64_t number = who->on_demand;
        if (i < MODEL_IDENTITY_ON_DEMAND)
            memcpy(&number, (const char *)who + model_identity_numbers[i], sizeof(number));
        if (number == r->done.number[i])
            continue;
        if (!open)
            model_record_begin(out, MODEL_RECORD_NUMBERS);
        open = true;
        model_record_put(out, i - next);
        model_record_put_change(out, number - r->done.number[i]);
        next = i + 1;
        filters |= i < MODEL_IDENTITY_ON_DEMAND && model_identity_numbers[i] == MODEL_AT(mute);
        r->done.number[i] = number;
    }
    if (open)
        model_record_end(out);
    return filters;
}

static void put_link(struct model_recorder *r, struct model_record_out *out)
{
    const struct model_link *link = &r->link;
    model_record_begin(out, MODEL_RECORD_LINK);
    model_record_put(out, model_link_standing(link));
    model_record_put(out, link->gaps);
    model_record_put(out, link->over_limit);
    model_record_put(out, link->falls);
    model_record_put(out, link->malformed);
    put_string(out, link->reason);
    model_record_end(out);
    r->done.link = true;
}

/* Notices are compared with the newest one that is written: older ones stand before it. */
static void put_notices(struct model_recorder *r, struct model_record_out *out)
{
    const size_t count = model_job_notices(r->job);
    size_t at = count;
    while (at > 0 && !(r->done.notices &&
                       model_job_notice(r->job, at - 1)->wall_ns == r->done.notice_wall_ns))
        at--;
    for (; at < count; at++) {
        const struct model_notice *notice = model_job_notice(r->job, at);
        model_record_begin(out, MODEL_RECORD_NOTICE);
        model_record_put(out, notice->wall_ns);
        model_record_put(out, notice->level);
        model_record_put_text(out, raw(&notice->text));
        model_record_end(out);
        r->done.notice_wall_ns = notice->wall_ns;
        r->done.notices = true;
    }
}

static void put_marks(struct model_recorder *r, struct model_record_out *out,
                      const struct model_moment *moment)
{
    const struct model_objects *objects = model_job_objects(r->job);
    uint32_t at = objects->marks, end;
    while (at > 0 && objects->mark[at - 1].number >= moment->last_mark)
        at--;
    end = at;
    while (at > 0 && objects->mark[at - 1].number >= r->done.next_mark)
        at--;
    for (; at < end; at++) {
        const struct model_mark *mark = &objects->mark[at];
        r->done.next_mark = mark->number + 1;
        if (mark->marker >= r->done.rows[MODEL_MARKER])
            continue;
        model_record_begin(out, MODEL_RECORD_MARK);
        model_record_put(out, mark->number);
        model_record_put(out, mark->mono_ns);
        model_record_put(out, mark->marker);
        model_record_put(out, mark->thread == MODEL_NONE ? 0 : mark->thread + UINT64_C(1));
        model_record_put(out, mark->task == MODEL_NONE ? 0 : mark->task + UINT64_C(1));
        model_record_put(out, mark->scope);
        model_record_end(out);
    }
}

/* -------------------------------------------------------------------------------------- moments */

/* Writes what a moment needs that was not written yet. */
static bool put_facts(struct model_recorder *r, struct model_record_out *out,
                      const struct model_moment *moment)
{
    bool fine = true;
    const bool texts = put_texts(r, out, &fine), numbers = put_numbers(r, out);
    const uint32_t functions = r->done.rows[MODEL_FUNCTION], applies = r->done.rows[MODEL_APPLY];
    put_tables(r, out, moment);
    put_metrics(r, out);
    put_compiles(r, out, moment);
    fine = put_abouts(r, out) && fine;
    const bool more =
        functions != r->done.rows[MODEL_FUNCTION] || applies != r->done.rows[MODEL_APPLY];
    const struct model_identity *who = model_job_identity(r->job);
    if (texts || numbers || (more && (who->mute || who->only.raw_size > 0)))
        put_left_out(r, out);
    put_notices(r, out);
    put_marks(r, out, moment);
    if (!r->done.link)
        put_link(r, out);
    return fine;
}

static void put_stamps(struct model_record_out *out, const struct model_moment *m,
                       const struct model_moment *before, uint32_t ticks)
{
    uint64_t bits, whole;
    const double one = 1;
    memcpy(&bits, &m->share, sizeof(bits));
    memcpy(&whole, &one, sizeof(whole));
    model_record_put_change(out, m->mono_ns - before->mono_ns);
    model_record_put_change(out, m->wall_ns - before->wall_ns);
    model_record_put_change(out, m->mono_ns - m->values_ns);
    model_record_put_change(out, m->mono_ns - m->moved_ns);
    model_record_put_change(out, m->mono_ns - m->now_ns);
    model_record_put(out, m->last_mark);
    model_record_put(out, m->epoch);
    model_record_put(out, m->now_count);
    model_record_put(out, ticks);
    model_record_put(out, (m->ended ? MODEL_MOMENT_ENDED : 0u) |
                              (m->collecting ? MODEL_MOMENT_COLLECTING : 0u) |
                              (m->followed ? MODEL_MOMENT_FOLLOWED : 0u) |
                              (bits != whole ? MODEL_MOMENT_SHARE : 0u));
    if (bits != whole)
        model_record_put_bits(out, bits);
}

/* Rows of a table that a moment has. */
static uint32_t rows_at(const struct model_values *values, const struct model_moment *moment,
                        unsigned table)
{
    const uint32_t applies = moment->rows[MODEL_APPLY], ops = moment->rows[MODEL_OP];
    switch (table) {
    case MODEL_V_APPLY:
        return applies;
    case MODEL_V_FUNCTION:
    case MODEL_V_INSIDE:
        return moment->rows[MODEL_FUNCTION];
    case MODEL_V_NOW:
        return moment->now_count;
    case MODEL_V_PHASE:
        return moment->phases;
    case MODEL_V_COUNTER:
        return moment->rows[MODEL_COUNTER];
    case MODEL_V_SPAN:
        return moment->rows[MODEL_SPAN];
    case MODEL_V_QUANTILE:
        return values->quantiles < ops ? values->quantiles : ops;
    default: {
        const uint32_t cells = values->cells[table - MODEL_V_METRIC];
        return cells < applies ? cells : applies;
    }
    }
}

static void add_row(struct model_recorder *r, unsigned table, uint32_t id)
{
    uint64_t none[MODEL_V_WORDS_MAX];
    const uint64_t *row = model_values_row(&r->values, table, id);
    struct model_delta_row change = {.table = table, .id = id};
    model_values_empty_row(none, r->job, table, id);
    for (unsigned i = table == MODEL_V_PHASE ? MODEL_PHASE_WORDS : 0; i < model_values_words(table);
         i++) {
        if (row[i] == none[i])
            continue;
        change.word[change.words] = (uint8_t)i;
        change.change[change.words++] = row[i] - none[i];
    }
    model_delta_add(&r->spare, &change);
}

bool model_recorder_segment(struct model_recorder *r, struct model_record_out *out)
{
    static const struct model_moment none = {0};
    struct written *done = &r->done;
    if (!r->begun)
        return !out->failed;
    for (unsigned i = 0; i < MODEL_IDENTITY_TEXTS; i++)
        free((void *)(uintptr_t)done->text[i].data);
    if (done->about)
        memset(done->about, 0, done->abouts * sizeof(*done->about));
    *done = (struct written){.about = done->about, .abouts = done->abouts};
    const struct model_identity *who = model_job_identity(r->job);
    model_record_begin(out, MODEL_RECORD_JOB);
    model_record_put_bytes(out, who->instance, sizeof(who->instance));
    model_record_put_bytes(out, who->parent, sizeof(who->parent));
    model_record_end(out);
    const bool fine = put_facts(r, out, &r->moment);
    model_delta_begin(&r->spare);
    for (unsigned table = 0; table < MODEL_VALUE_TABLES; table++)
        for (uint32_t id = 0; id < rows_at(&r->values, &r->moment, table); id++)
            add_row(r, table, id);
    if (!model_delta_end(&r->spare))
        return false;
    model_record_begin(out, MODEL_RECORD_KEYFRAME);
    put_stamps(out, &r->moment, &none, 1);
    model_record_put_bytes(out, r->spare.data, r->spare.size);
    model_record_end(out);
    return fine && !out->failed;
}

/* Makes room for the rows that the job has now. */
static bool fit_values(struct model_recorder *r)
{
    for (unsigned table = 0; table < MODEL_VALUE_TABLES; table++)
        if (!model_values_fit(&r->values, r->job, table, model_values_count(r->job, table)))
            return false;
    return true;
}

/* Brings the copy of the values to the moment that is being written. */
static bool advance(struct model_recorder *r)
{
    model_delta_read(&r->newer, r->sum.data, r->sum.size);
    while (model_delta_next(&r->newer)) {
        const struct model_delta_row *row = &r->newer.row;
        uint64_t *values = model_values_row(&r->values, row->table, row->id);
        for (unsigned i = 0; i < row->words; i++)
            values[row->word[i]] += row->change[i];
    }
    return true;
}

/* Writes `sum` into `spare`, with the newest durations as recording_private.h says. Comes before
 * the values are brought to the moment. */
static bool predict(struct model_recorder *r)
{
    model_delta_begin(&r->spare);
    model_delta_read(&r->newer, r->sum.data, r->sum.size);
    while (model_delta_next(&r->newer)) {
        struct model_delta_row *row = &r->newer.row;
        struct model_delta_row changed;
        unsigned last;
        if (!model_predicts(row, &last) || row->id >= r->values.applies) {
            model_delta_add(&r->spare, row);
            continue;
        }
        changed = *row;
        const bool there = last < row->words;
        const uint64_t now = r->values.apply[row->id].last_ns + (there ? row->change[last] : 0);
        model_set_third(&changed, there, now - row->change[1]);
        model_delta_add(&r->spare, &changed);
    }
    return model_delta_end(&r->spare);
}

/* Writes the changes in `sum` as one moment. */
static bool put_moment(struct model_recorder *r, struct model_record_out *out)
{
    if (!r->adds_up)
        return true;
    r->adds_up = false;
    if (!put_facts(r, out, &r->next) || !fit_values(r) || !predict(r) || !advance(r))
        return false;
    model_record_begin(out, MODEL_RECORD_MOMENT);
    put_stamps(out, &r->next, &r->moment, r->ticks);
    model_record_put_bytes(out, r->spare.data, r->spare.size);
    model_record_end(out);
    r->moment = r->next;
    r->moments++;
    return !out->failed;
}

/* Copies changes without the names of phases, which are addresses. */
static void copy_changes(struct model_delta_out *to, struct model_delta_in *from)
{
    while (model_delta_next(from)) {
        struct model_delta_row *row = &from->row;
        if (row->table != MODEL_V_PHASE) {
            model_delta_add(to, row);
            continue;
        }
        struct model_delta_row plain = {.table = row->table, .id = row->id};
        for (unsigned i = 0; i < row->words; i++)
            if (row->word[i] >= MODEL_PHASE_WORDS) {
                plain.word[plain.words] = row->word[i];
                plain.change[plain.words++] = row->change[i];
            }
        model_delta_add(to, &plain);
    }
}

/* Adds the changes of one moment to those that are not written yet. */
static bool add_changes(struct model_recorder *r, const struct model_history *history, uint32_t at)
{
    struct model_delta_out plain = r->spare;
    model_history_changes(history, at, &r->newer);
    model_delta_begin(&plain);
    copy_changes(&plain, &r->newer);
    bool fine = model_delta_end(&plain);
    r->spare = plain;
    if (fine && r->adds_up) {
        struct model_delta_out sum = {0};
        model_delta_begin(&sum);
        model_delta_read(&r->older, r->sum.data, r->sum.size);
        model_delta_read(&r->newer, r->spare.data, r->spare.size);
        model_delta_merge(&sum, &r->older, &r->newer);
        fine = model_delta_end(&sum);
        free(r->sum.data);
        r->sum = sum;
    } else {
        r->spare = r->sum;
        r->sum = plain;
    }
    r->ticks = (r->adds_up ? r->ticks : 0) + model_history_at(history, at).ticks;
    r->next = *model_history_moment_of(history, at);
    r->adds_up = true;
    return fine;
}

/* Begins at a moment that the moment written last does not lead to. */
static bool begin(struct model_recorder *r, struct model_history *history, uint32_t at,
                  struct model_record_out *out)
{
    struct model_past *past = model_past_new(history);
    const bool fine = past && model_past_seek(past, at);
    model_values_release(&r->values);
    if (fine && model_values_clone(&r->values, model_past_values(past))) {
        r->moment = *model_history_moment_of(history, at);
        r->begun = true;
        r->adds_up = false;
        r->moments++;
    }
    model_past_free(&past);
    return fine && model_recorder_segment(r, out);
}

/* Sums of an epoch, or of a time in which the job did not count, are not added to the next. */
static bool joins(const struct model_recorder *r, const struct model_moment *moment)
{
    return moment->epoch == r->next.epoch && moment->ended == r->next.ended &&
           moment->collecting == r->next.collecting && moment->mono_ns >= r->moment.mono_ns &&
           moment->mono_ns - r->moment.mono_ns <= r->every_ns;
}

static bool take_one(struct model_recorder *r, struct model_history *history, uint32_t at,
                     struct model_record_out *out)
{
    const uint64_t number = model_history_at(history, at).number;
    const bool follows = r->begun && at > 0 && model_history_at(history, at - 1).number == r->taken;
    bool fine = true;
    if (!follows) {
        fine = put_moment(r, out) && begin(r, history, at, out);
    } else {
        if (r->adds_up && !joins(r, model_history_moment_of(history, at)))
            fine = put_moment(r, out);
        fine = fine && add_changes(r, history, at);
        if (fine && r->next.mono_ns - r->moment.mono_ns >= r->every_ns)
            fine = put_moment(r, out);
    }
    r->taken = number;
    return fine;
}

bool model_recorder_take(struct model_recorder *r, size_t enough, struct model_record_out *out)
{
    struct model_history *history = model_history_of(r->job);
    const uint32_t count = history ? model_history_count(history) : 0;
    uint32_t at = 0;
    if (r->begun && count > 0) {
        at = model_history_number(history, r->taken);
        at += model_history_at(history, at).number <= r->taken;
    }
    for (; at < count && out->size < enough; at++)
        if (!take_one(r, history, at, out))
            return false;
    return !out->failed;
}

bool model_recorder_finish(struct model_recorder *r, struct model_record_out *out)
{
    if (!r->begun)
        return !out->failed;
    return put_moment(r, out) && put_facts(r, out, &r->moment) && !out->failed;
}

/* ----------------------------------------------------------------------------------------- life */

struct model_recorder *model_recorder_new(struct model_job *job, uint64_t every_ns)
{
    struct model_recorder *r = calloc(1, sizeof(*r));
    if (!r)
        return NULL;
    r->job = model_job_retain(job);
    r->every_ns = every_ns;
    r->link.state = MODEL_LIVE;
    return r;
}

void model_recorder_free(struct model_recorder **recorder)
{
    struct model_recorder *r = *recorder;
    if (!r)
        return;
    for (unsigned i = 0; i < MODEL_IDENTITY_TEXTS; i++)
        free((void *)(uintptr_t)r->done.text[i].data);
    free(r->done.about);
    free(r->sum.data);
    free(r->spare.data);
    model_values_release(&r->values);
    model_job_release(&r->job);
    free(r);
    *recorder = NULL;
}

struct model_job *model_recorder_job(const struct model_recorder *recorder)
{
    return recorder->job;
}

void model_recorder_link(struct model_recorder *r, const struct model_link *link)
{
    const struct model_link *was = &r->link;
    if (model_link_standing(was) != model_link_standing(link) || was->gaps != link->gaps ||
        was->over_limit != link->over_limit || was->falls != link->falls ||
        was->malformed != link->malformed || strcmp(was->reason, link->reason) != 0)
        r->done.link = false;
    r->link = *link;
}

uint64_t model_recorder_wall_ns(const struct model_recorder *recorder)
{
    return recorder->moment.wall_ns;
}

uint64_t model_recorder_mono_ns(const struct model_recorder *recorder)
{
    return recorder->moment.mono_ns;
}

uint64_t model_recorder_moments(const struct model_recorder *recorder)
{
    return recorder->moments;
}

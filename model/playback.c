/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * playback.c: reads records into a job. Values are set as a job's own are: each row is touched for
 * the history, changed and then checked, and the moment is committed.
 */
#include "model/recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/compile.h"
#include "model/delta.h"
#include "model/history_private.h"
#include "model/recording_private.h"

enum { NOWS_MAX = 65536, VALUES_MAX = 65536 };

struct model_playback {
    struct model_job *job; /* one reference */
    size_t limit;          /* of its history */
    uint64_t until_ns;
    bool whole; /* a moment was read */
    bool over;
    bool failed; /* nothing more can be read */
    bool memory; /* for want of memory */
    struct model_moment last;
    uint32_t seen[MODEL_TABLES], compiles, metrics; /* since the segment began */
    uint64_t number[MODEL_IDENTITY_NUMBERS];
    struct model_link link;
    struct model_delta_in in;
    struct model_delta_out made; /* changes of the moment that is being read */
    uint64_t moments;
};

/* ---------------------------------------------------------------------------------- definitions */

/* True if a row is new: what a later segment repeats is skipped. */
static bool is_new(struct model_playback *p, enum model_table table)
{
    return p->seen[table]++ >= model_job_count(p->job, table);
}

/* The fault is the file's unless memory ran out; both end the reading. */
static bool added(struct model_playback *p, bool fine)
{
    p->memory |= !fine;
    return fine;
}

static bool take_class(struct model_playback *p, struct model_record_in *in)
{
    const struct model_bytes name = model_record_get_text(in);
    return in->bad || !is_new(p, MODEL_CLASS) ||
           added(p, model_job_add_class(p->job, name.data, name.size));
}

static bool take_op(struct model_playback *p, struct model_record_in *in)
{
    const uint32_t class = model_record_get_below(in, model_job_count(p->job, MODEL_CLASS));
    const struct model_bytes text = model_record_get_text(in);
    const struct model_bytes display = model_record_get_text(in);
    const uint32_t id = model_job_count(p->job, MODEL_OP);
    if (in->bad || !is_new(p, MODEL_OP))
        return true;
    bool fine = display.size == 0 || model_job_set_display(p->job, id, display.data, display.size);
    fine = fine && model_job_add_op(p->job, class, text.data, text.size);
    model_job_forget_displays(p->job);
    return added(p, fine);
}

static bool take_function(struct model_playback *p, struct model_record_in *in)
{
    struct model_function_raw raw;
    raw.name = model_record_get_text(in);
    raw.file = model_record_get_text(in);
    raw.line = model_record_get_below(in, UINT32_MAX);
    const uint32_t parent = model_record_get_below(in, MODEL_NONE);
    raw.parent = parent > 0 ? parent - 1 : MODEL_NONE;
    raw.group = model_record_get_below(in, UINT32_MAX);
    raw.source = (uint8_t)model_record_get_below(in, MODEL_ABSENT + 1);
    in->bad |= parent > model_job_count(p->job, MODEL_APPLY);
    return in->bad || !is_new(p, MODEL_FUNCTION) || added(p, model_job_add_function(p->job, &raw));
}

static bool take_apply(struct model_playback *p, struct model_record_in *in)
{
    struct model_apply_raw raw = {
        .function = model_record_get_below(in, model_job_count(p->job, MODEL_FUNCTION))};
    raw.op = model_record_get_below(in, model_job_count(p->job, MODEL_OP));
    raw.index = model_record_get_below(in, UINT64_C(1) << 32);
    raw.source = (uint8_t)model_record_get_below(in, MODEL_SET + 1);
    raw.kind = (uint8_t)model_record_get_below(in, 3);
    raw.impl = (uint8_t)model_record_get_below(in, MODEL_IMPLS);
    raw.waits = (uint8_t)model_record_get_below(in, MODEL_ASIDE + 1);
    const uint32_t flags = model_record_get_below(in, 4);
    raw.exclusive = flags & 1;
    raw.text = model_record_get_text(in);
    raw.location = model_record_get_text(in);
    if (in->bad || !is_new(p, MODEL_APPLY))
        return true;
    if (flags & 2) {
        const struct model_text *text = &model_job_op(p->job, raw.op)->text;
        raw.text = (struct model_bytes){text->raw, text->raw_size};
    }
    return added(p, model_job_add_apply(p->job, &raw));
}

static bool take_thread(struct model_playback *p, struct model_record_in *in)
{
    const struct model_bytes name = model_record_get_text(in);
    const uint64_t tid = model_record_get(in);
    return in->bad || !is_new(p, MODEL_THREAD) ||
           added(p, model_job_add_thread(p->job, name.data, name.size, tid));
}

static bool take_counter(struct model_playback *p, struct model_record_in *in)
{
    struct model_counter_raw raw = {.kind =
                                        (uint8_t)model_record_get_below(in, MODEL_COUNTER_KINDS)};
    raw.domain = model_record_get_text(in);
    raw.name = model_record_get_text(in);
    raw.scope = model_record_get_text(in);
    raw.unit = model_record_get_text(in);
    return in->bad || !is_new(p, MODEL_COUNTER) || added(p, model_job_add_counter(p->job, &raw));
}

static bool take_span(struct model_playback *p, struct model_record_in *in)
{
    struct model_span_raw raw = {.kind = (uint8_t)model_record_get_below(in, MODEL_SPAN_KINDS)};
    raw.domain = model_record_get_text(in);
    raw.name = model_record_get_text(in);
    return in->bad || !is_new(p, MODEL_SPAN) || added(p, model_job_add_span(p->job, &raw));
}

static bool take_marker(struct model_playback *p, struct model_record_in *in)
{
    const struct model_bytes domain = model_record_get_text(in);
    const struct model_bytes name = model_record_get_text(in);
    return in->bad || !is_new(p, MODEL_MARKER) ||
           added(p, model_job_add_marker(p->job, domain, name));
}

static bool take_metric(struct model_playback *p, struct model_record_in *in)
{
    const struct model_bytes name = model_record_get_text(in), unit = model_record_get_text(in);
    const uint8_t how = (uint8_t)model_record_get_below(in, MODEL_INCLUSIVE + 1);
    in->bad |= p->metrics >= MODEL_METRICS_MAX;
    return in->bad || added(p, model_job_set_metric(p->job, p->metrics++, name, unit, how));
}

static bool take_compile(struct model_playback *p, struct model_record_in *in)
{
    const uint32_t function = model_record_get_below(in, model_job_count(p->job, MODEL_FUNCTION));
    const uint32_t phase = model_record_get_below(in, MODEL_PHASES_MAX + 1);
    const struct model_bytes name =
        phase > 0 ? model_record_get_text(in) : (struct model_bytes){"", 0};
    const uint32_t at = p->compiles;
    p->compiles += phase > 0 ? 1 : MODEL_COMPILE_PARTS;
    if (in->bad || at < p->job->compiling.count)
        return true;
    if (phase == 0)
        return added(p, model_compile_add_function(p->job, function));
    in->bad = phase <= p->job->values.phases && p->job->values.phase[phase - 1].name.raw;
    return in->bad ||
           added(p, model_phase_define(p->job, phase - 1, function, name.data, name.size));
}

/* -------------------------------------------------------------------------------------- details */

static void get_value(struct model_record_in *in, struct model_value_raw *value)
{
    value->dtype = model_record_get_text(in);
    value->shape = model_record_get_text(in);
    value->strides = model_record_get_text(in);
    value->bytes = model_record_get_change(in) - 1;
    const uint32_t source = model_record_get_below(in, MODEL_NONE);
    value->source = source > 0 ? source - 1 : MODEL_NONE;
    value->output = model_record_get_below(in, UINT64_C(1) << 32);
    value->alias = model_record_get(in);
    value->result = model_record_get_below(in, UINT64_C(1) << 32);
}

static bool take_about(struct model_playback *p, struct model_record_in *in)
{
    const uint32_t apply = model_record_get_below(in, model_job_count(p->job, MODEL_APPLY));
    struct model_about_raw raw = {.rev = model_record_get(in)};
    raw.flops = model_record_get_change(in) - 1;
    raw.bytes = model_record_get_change(in) - 1;
    raw.thunk_ns = model_record_get_change(in) - 1;
    raw.one_in = model_record_get_below(in, UINT64_C(1) << 32);
    raw.impl = (uint8_t)model_record_get_below(in, MODEL_IMPLS);
    raw.device = model_record_get_text(in);
    raw.location = model_record_get_text(in);
    raw.library = model_record_get_text(in);
    raw.rewrite = model_record_get_text(in);
    raw.inputs = model_record_get_below(in, VALUES_MAX);
    raw.outputs = model_record_get_below(in, VALUES_MAX);
    const size_t values = raw.inputs + raw.outputs;
    in->bad |= values > (size_t)(in->end - in->at); /* each takes bytes */
    if (in->bad)
        return true;
    struct model_value_raw *value = calloc(values + 1, sizeof(*value));
    if (!value)
        return added(p, false);
    for (size_t i = 0; i < values; i++)
        get_value(in, &value[i]);
    raw.value = value;
    /* Beyond the limit, details are left out, as a viewer leaves them out. */
    if (!in->bad)
        model_job_set_about(p->job, apply, &raw);
    free(value);
    return true;
}

static bool take_left_out(struct model_playback *p, struct model_record_in *in)
{
    for (unsigned t = 0; t < 2; t++) {
        const enum model_table table = t == 0 ? MODEL_FUNCTION : MODEL_APPLY;
        const uint32_t rows = model_record_get_below(in, model_job_count(p->job, table) + 1);
        uint8_t bits = 0;
        for (uint32_t id = 0; id < rows && !in->bad; id++) {
            if (id % 8 == 0)
                model_record_get_bytes(in, &bits, 1);
            model_job_set_left_out(p->job, table, id, bits >> id % 8 & 1);
        }
    }
    return true;
}

/* ------------------------------------------------------------------------------------- identity */

/* A segment begins, perhaps in another life of the program: that one has its own recording. */
static bool take_job(struct model_playback *p, struct model_record_in *in)
{
    uint8_t instance[16], parent[16];
    model_record_get_bytes(in, instance, sizeof(instance));
    model_record_get_bytes(in, parent, sizeof(parent));
    if (in->bad)
        return true;
    if (!p->job) {
        p->job = model_job_new(instance);
        if (!added(p, p->job != NULL))
            return false;
        memcpy(model_job_identity_mutable(p->job)->parent, parent, sizeof(parent));
    }
    in->bad = memcmp(model_job_identity(p->job)->instance, instance, sizeof(instance)) != 0;
    memset(p->seen, 0, sizeof(p->seen));
    p->compiles = p->metrics = 0;
    memset(p->number, 0, sizeof(p->number));
    return true;
}

static bool take_text(struct model_playback *p, struct model_record_in *in)
{
    const uint32_t at = model_record_get_below(in, MODEL_IDENTITY_TEXTS);
    const struct model_bytes text = model_record_get_text(in);
    struct model_text *field = &model_job_identity_mutable(p->job)->host + at;
    return in->bad || added(p, model_job_set_text(p->job, field, text.data, text.size));
}

static bool take_numbers(struct model_playback *p, struct model_record_in *in)
{
    struct model_identity *who = model_job_identity_mutable(p->job);
    uint64_t at = 0;
    while (!in->bad && in->at < in->end) {
        at += model_record_get_below(in, MODEL_IDENTITY_NUMBERS);
        const uint64_t change = model_record_get_change(in);
        if (at < MODEL_IDENTITY_NUMBERS) /* later versions have more */
            p->number[at] += change;
        at++;
    }
    for (unsigned i = 0; !in->bad && i < MODEL_IDENTITY_ON_DEMAND; i++)
        memcpy((char *)who + model_identity_numbers[i], &p->number[i], sizeof(p->number[i]));
    who->on_demand = p->number[MODEL_IDENTITY_ON_DEMAND] & 1;
    return true;
}

static bool has_notice(const struct model_job *job, uint64_t wall_ns, uint32_t level)
{
    for (size_t i = 0; i < model_job_notices(job); i++) {
        const struct model_notice *notice = model_job_notice(job, i);
        if (notice->wall_ns == wall_ns && notice->level == level)
            return true;
    }
    return false;
}

static bool take_notice(struct model_playback *p, struct model_record_in *in)
{
    const uint64_t wall_ns = model_record_get(in);
    const uint32_t level = model_record_get_below(in, 3);
    const struct model_bytes text = model_record_get_text(in);
    return in->bad || has_notice(p->job, wall_ns, level) ||
           added(p, model_job_add_notice(p->job, wall_ns, level, text.data, text.size));
}

static uint32_t get_reference(struct model_record_in *in)
{
    const uint32_t number = model_record_get_below(in, MODEL_NONE);
    return number > 0 ? number - 1 : MODEL_NONE;
}

static bool take_mark(struct model_playback *p, struct model_record_in *in)
{
    struct model_mark mark = {.number = model_record_get(in)};
    mark.mono_ns = model_record_get(in);
    mark.marker = model_record_get_below(in, model_job_count(p->job, MODEL_MARKER));
    mark.thread = get_reference(in);
    mark.task = get_reference(in);
    mark.scope = (uint8_t)model_record_get_below(in, MODEL_MARK_SCOPES);
    return in->bad || added(p, model_job_add_mark(p->job, &mark));
}

static bool take_link(struct model_playback *p, struct model_record_in *in)
{
    const uint32_t standing = model_record_get_below(in, MODEL_LINK_WORDS);
    struct model_link link = {.gaps = model_record_get(in)};
    link.over_limit = model_record_get(in);
    link.falls = model_record_get(in);
    link.malformed = model_record_get(in);
    const struct model_bytes reason = model_record_get_text(in);
    if (in->bad)
        return true;
    link.said_bye = standing == MODEL_LINK_ENDED || standing == MODEL_LINK_DETACHED;
    link.detached = standing == MODEL_LINK_DETACHED;
    link.state = standing < MODEL_LINK_STATES ? (enum model_link_state)standing : MODEL_GONE;
    model_text_safe(reason.data, reason.size, link.reason, sizeof(link.reason));
    p->link = link;
    return true;
}

/* -------------------------------------------------------------------------------------- moments */

/* How many rows a table may have, given the definitions. */
static uint32_t rows_of(const struct model_job *job, unsigned table)
{
    switch (table) {
    case MODEL_V_APPLY:
        return job->def[MODEL_APPLY].count;
    case MODEL_V_FUNCTION:
    case MODEL_V_INSIDE:
        return job->def[MODEL_FUNCTION].count;
    case MODEL_V_NOW:
        return NOWS_MAX;
    case MODEL_V_PHASE:
        return job->phases;
    case MODEL_V_COUNTER:
        return job->values.objects.counters;
    case MODEL_V_SPAN:
        return job->values.objects.spans;
    case MODEL_V_QUANTILE:
        return job->def[MODEL_OP].count;
    default:
        return table - MODEL_V_METRIC < job->metrics ? job->def[MODEL_APPLY].count : 0;
    }
}

/* Makes room for a row. Returns false if there may be none, or if out of memory. */
static bool fit(struct model_playback *p, unsigned table, uint32_t id)
{
    struct model_job *job = p->job;
    const uint32_t most = rows_of(job, table), has = model_values_count(job, table);
    if (id >= most)
        return false;
    if (id < has)
        return true;
    uint32_t count = table == MODEL_V_NOW ? 2 * id + 16 : most;
    count = count < most ? count : most;
    return added(p, model_values_fit(&job->values, job, table, count));
}

static bool sound_phase(const struct model_job *job, uint32_t id)
{
    const struct model_phase *phase = &job->values.phase[id];
    return phase->function < job->def[MODEL_FUNCTION].count && phase->kind < MODEL_PHASE_KINDS &&
           (phase->parent == MODEL_NONE || phase->parent < id || phase->rev == 0);
}

static bool sound_span(const struct model_job *job, uint32_t id)
{
    const struct model_span_value *span = &job->values.objects.span[id];
    return span->known <= 1 && span->threads <= MODEL_SPAN_THREADS &&
           span->slowest <= MODEL_SLOWEST;
}

/* True if the values of a row are such as a job could have sent. */
static bool is_sound(const struct model_job *job, unsigned table, uint32_t id)
{
    switch (table) {
    case MODEL_V_APPLY:
        return job->values.apply[id].calls != MODEL_UNKNOWN &&
               job->values.apply[id].total_ns != MODEL_UNKNOWN;
    case MODEL_V_INSIDE:
        return job->values.inside[id].uncounted <= 1 && job->values.inside[id].known <= 1;
    case MODEL_V_PHASE:
        return sound_phase(job, id);
    case MODEL_V_COUNTER:
        return job->values.objects.counter[id].known <= 1;
    case MODEL_V_SPAN:
        return sound_span(job, id);
    default:
        return true;
    }
}

/* True if there is such a row, and its words may be changed. */
static bool can_change(struct model_playback *p, const struct model_delta_row *row)
{
    return fit(p, row->table, row->id) &&
           (row->table != MODEL_V_PHASE || row->word[0] >= MODEL_PHASE_WORDS);
}

/* Changes a row. In one epoch, calls and time of an apply do not fall. Returns false if the values
 * are unsound now. */
static bool change_row(struct model_playback *p, const struct model_delta_row *row, bool same_epoch)
{
    struct model_job *job = p->job;
    uint64_t *values = model_values_row(&job->values, row->table, row->id);
    const uint64_t calls = values[0], time_ns = values[1];
    model_touch(job, row->table, row->id);
    for (unsigned i = 0; i < row->words; i++)
        values[row->word[i]] += row->change[i];
    if (row->table == MODEL_V_APPLY && same_epoch && (values[0] < calls || values[1] < time_ns))
        return false;
    return is_sound(job, row->table, row->id);
}

static bool sound_now(const struct model_job *job, uint32_t count)
{
    if (count > job->values.nows)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (job->values.now[i].thread >= job->def[MODEL_THREAD].count ||
            job->values.now[i].apply >= job->def[MODEL_APPLY].count)
            return false;
    return true;
}

/* Reads the stamps of a moment. Its rows are those that are defined by now. */
static struct model_moment get_stamps(struct model_playback *p, struct model_record_in *in,
                                      const struct model_moment *before, uint32_t *ticks)
{
    struct model_moment m = model_moment_of(p->job);
    const double one = 1;
    uint64_t bits;
    memcpy(&bits, &one, sizeof(bits));
    m.mono_ns = before->mono_ns + model_record_get_change(in);
    m.wall_ns = before->wall_ns + model_record_get_change(in);
    m.values_ns = m.mono_ns - model_record_get_change(in);
    m.moved_ns = m.mono_ns - model_record_get_change(in);
    m.now_ns = m.mono_ns - model_record_get_change(in);
    m.last_mark = model_record_get(in);
    m.epoch = model_record_get_below(in, UINT64_C(1) << 32);
    m.now_count = model_record_get_below(in, NOWS_MAX + 1);
    *ticks = model_record_get_below(in, UINT64_C(1) << 32);
    const uint32_t flags = model_record_get_below(in, 16);
    m.ended = flags & MODEL_MOMENT_ENDED;
    m.collecting = flags & MODEL_MOMENT_COLLECTING;
    m.followed = flags & MODEL_MOMENT_FOLLOWED;
    m.complete = true;
    m.amid = false;
    if (flags & MODEL_MOMENT_SHARE)
        bits = model_record_get_bits(in);
    memcpy(&m.share, &bits, sizeof(bits));
    return m;
}

/* Sets all values to those of which nothing was received. */
static void clear_values(struct model_job *job)
{
    for (unsigned table = 0; table < MODEL_VALUE_TABLES; table++)
        for (uint32_t id = 0; id < model_values_count(job, table); id++) {
            uint64_t *row = model_values_row(&job->values, table, id), none[MODEL_V_WORDS_MAX];
            const unsigned kept = table == MODEL_V_PHASE ? MODEL_PHASE_WORDS : 0;
            model_values_empty_row(none, job, table, id);
            model_touch(job, table, id);
            memcpy(row + kept, none + kept, (model_values_words(table) - kept) * sizeof(*row));
        }
}

/* Sets all values to those of before; rows that came since have none. */
static void set_values(struct model_job *job, const struct model_values *before)
{
    clear_values(job);
    for (unsigned table = 0; table < MODEL_VALUE_TABLES; table++)
        for (uint32_t id = 0; id < model_values_rows(before, table); id++)
            memcpy(model_values_row(&job->values, table, id), model_values_row(before, table, id),
                   model_values_words(table) * sizeof(uint64_t));
}

/* Takes back the changes that were made. */
static void undo(struct model_playback *p)
{
    if (!model_delta_end(&p->made))
        return;
    model_delta_read(&p->in, p->made.data, p->made.size);
    while (model_delta_next(&p->in)) {
        const struct model_delta_row *row = &p->in.row;
        uint64_t *values = model_values_row(&p->job->values, row->table, row->id);
        for (unsigned i = 0; i < row->words; i++)
            values[row->word[i]] -= row->change[i];
    }
}

/* Puts back what recording_private.h leaves out of a row that exists. */
static void unpredict(const struct model_job *job, struct model_delta_row *row)
{
    unsigned last;
    if (!model_predicts(row, &last))
        return;
    const bool there = last < row->words;
    const uint64_t now = row->change[1] + (there ? row->change[last] : 0);
    model_set_third(row, there, now - job->values.apply[row->id].last_ns);
}

/* Makes the changes of a moment; all of them, or none if any is damaged. `whole`: they are from
 * values of which nothing was received. */
static bool change_rows(struct model_playback *p, const struct model_record_in *in,
                        const struct model_moment *moment, bool whole)
{
    const bool same_epoch = !whole && moment->epoch == p->last.epoch;
    bool fine = true;
    model_delta_begin(&p->made);
    model_delta_read(&p->in, in->at, (size_t)(in->end - in->at));
    while (fine && model_delta_next(&p->in)) {
        struct model_delta_row row = p->in.row;
        fine = can_change(p, &row);
        if (!fine)
            break;
        if (!whole)
            unpredict(p->job, &row);
        fine = change_row(p, &row, same_epoch);
        model_delta_add(&p->made, &row);
    }
    fine = fine && !p->in.bad && p->in.at == p->in.end && sound_now(p->job, moment->now_count);
    if (!fine)
        undo(p);
    return fine;
}

/* Ends a moment. The history begins with the first. */
static bool commit(struct model_playback *p, const struct model_moment *moment, uint32_t ticks)
{
    model_moment_set(p->job, moment);
    if (!p->whole && p->limit > 0) {
        struct model_history *history = model_history_new(p->job, p->limit);
        if (!added(p, history != NULL))
            return false;
        model_history_number_from(history, MODEL_HISTORY_PLAYED);
    }
    if (model_history_of(p->job))
        model_history_commit_sum(model_history_of(p->job), ticks);
    p->last = *moment;
    p->whole = true;
    p->moments++;
    return true;
}

static bool take_keyframe(struct model_playback *p, struct model_record_in *in)
{
    static const struct model_moment none = {0};
    uint32_t ticks;
    const struct model_moment moment = get_stamps(p, in, &none, &ticks);
    if (in->bad || (p->whole && moment.mono_ns == p->last.mono_ns && moment.epoch == p->last.epoch))
        return true; /* the values that are there */
    if (p->whole && moment.wall_ns > p->until_ns) {
        p->over = true;
        return true;
    }
    in->bad |= p->whole && moment.mono_ns < p->last.mono_ns;
    if (in->bad)
        return true;
    struct model_values before;
    if (!added(p, model_values_copy(&before, p->job))) {
        model_values_release(&before);
        return false;
    }
    clear_values(p->job);
    in->bad |= !change_rows(p, in, &moment, true);
    if (in->bad)
        set_values(p->job, &before);
    model_values_release(&before);
    return in->bad || commit(p, &moment, ticks);
}

static bool take_moment(struct model_playback *p, struct model_record_in *in)
{
    uint32_t ticks;
    const struct model_moment moment = get_stamps(p, in, &p->last, &ticks);
    const bool same = moment.epoch == p->last.epoch;
    in->bad |= !p->whole || (same && moment.mono_ns < p->last.mono_ns);
    if (!in->bad && moment.wall_ns > p->until_ns)
        p->over = true;
    if (in->bad || p->over)
        return true;
    in->bad |= !change_rows(p, in, &moment, false);
    return in->bad || commit(p, &moment, ticks);
}

/* ----------------------------------------------------------------------------------------- life */

static bool (*const takes[MODEL_RECORD_KINDS])(struct model_playback *p,
                                               struct model_record_in *in) = {
    [MODEL_RECORD_JOB] = take_job,
    [MODEL_RECORD_CLASS] = take_class,
    [MODEL_RECORD_OP] = take_op,
    [MODEL_RECORD_FUNCTION] = take_function,
    [MODEL_RECORD_APPLY] = take_apply,
    [MODEL_RECORD_THREAD] = take_thread,
    [MODEL_RECORD_COUNTER] = take_counter,
    [MODEL_RECORD_SPAN] = take_span,
    [MODEL_RECORD_MARKER] = take_marker,
    [MODEL_RECORD_METRIC] = take_metric,
    [MODEL_RECORD_COMPILE] = take_compile,
    [MODEL_RECORD_ABOUT] = take_about,
    [MODEL_RECORD_LEFT_OUT] = take_left_out,
    [MODEL_RECORD_TEXT] = take_text,
    [MODEL_RECORD_NUMBERS] = take_numbers,
    [MODEL_RECORD_NOTICE] = take_notice,
    [MODEL_RECORD_MARK] = take_mark,
    [MODEL_RECORD_LINK] = take_link,
    [MODEL_RECORD_KEYFRAME] = take_keyframe,
    [MODEL_RECORD_MOMENT] = take_moment,
};

/* Takes one record. Kinds that this version does not know are skipped. */
static void take(struct model_playback *p, unsigned kind, struct model_record_in *in, char *why,
                 size_t capacity)
{
    bool fine = true;
    if (!p->job && kind != MODEL_RECORD_JOB)
        in->bad = true;
    else if (kind < MODEL_RECORD_KINDS && takes[kind])
        fine = takes[kind](p, in);
    if (in->bad)
        snprintf(why, capacity, "its record %u after moment %llu is damaged", kind,
                 (unsigned long long)p->moments);
    else if (!fine)
        snprintf(why, capacity, "there is no memory left for it");
    else if (p->job && model_job_text_bytes(p->job) > MODEL_PLAYBACK_TEXTS)
        snprintf(why, capacity, "it has more than 256 MiB of names");
    p->failed |= why[0] != '\0';
}

bool model_playback_take(struct model_playback *p, struct model_bytes bytes, char *why,
                         size_t capacity)
{
    struct model_record_in in;
    unsigned kind;
    why[0] = '\0';
    while (!p->failed && !p->over && (kind = model_record_next(&bytes, &in)) != 0)
        take(p, kind, &in, why, capacity);
    if (!p->failed && !p->over && bytes.size > 0) {
        snprintf(why, capacity, "a record after moment %llu is cut off",
                 (unsigned long long)p->moments);
        p->failed = true;
    }
    if (p->whole && p->failed && model_history_of(p->job))
        model_history_untouch(model_history_of(p->job));
    if (p->whole && (p->failed || p->over))
        model_moment_show(p->job, &p->last); /* what was defined for the next moment is not seen */
    return !p->failed;
}

struct model_playback *model_playback_new(size_t history)
{
    struct model_playback *p = calloc(1, sizeof(*p));
    if (!p)
        return NULL;
    p->limit = history;
    p->until_ns = UINT64_MAX;
    p->link.state = MODEL_LIVE;
    return p;
}

void model_playback_free(struct model_playback **playback)
{
    if (!*playback)
        return;
    model_job_release(&(*playback)->job);
    free((*playback)->made.data);
    free(*playback);
    *playback = NULL;
}

void model_playback_until(struct model_playback *playback, uint64_t wall_ns)
{
    playback->until_ns = wall_ns;
}

struct model_job *model_playback_job(const struct model_playback *playback)
{
    return playback->whole ? playback->job : NULL;
}

bool model_playback_over(const struct model_playback *playback)
{
    return playback->over;
}

const struct model_link *model_playback_link(const struct model_playback *playback)
{
    return &playback->link;
}

uint64_t model_playback_moments(const struct model_playback *playback)
{
    return playback->moments;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * json_detail.c: optional data that few jobs have: phases of compilations, details of applies,
 * metrics.
 */
#include "model/extra.h"
#include "model/json_private.h"

/* ---------------------------------------------------------------------------------- rewrites */

static const struct model_phase *phase(const struct json *j)
{
    return &j->state->phase[j->at];
}

FIELD(phase_id)
{
    model_put_u64(&j->out, j->at);
}

FIELD(phase_function)
{
    model_put_id(&j->out, phase(j)->function);
}

FIELD(phase_name)
{
    model_put_text(&j->out, &phase(j)->name);
}

FIELD(phase_parent)
{
    model_put_id(&j->out, phase(j)->parent);
}

FIELD(phase_kind)
{
    model_put_quoted(&j->out, model_phase_word((enum model_phase_kind)phase(j)->kind));
}

#define PHASE(name, member)                                                                        \
    FIELD(name)                                                                                    \
    {                                                                                              \
        model_put_known(&j->out, phase(j)->member);                                                \
    }
PHASE(phase_calls, calls)
PHASE(phase_total, total_ns)
PHASE(phase_validate, validate_ns)
PHASE(phase_before, nodes_before)
PHASE(phase_after, nodes_after)
PHASE(phase_open, open_since_ns)

const struct field model_json_phase_fields[] = {
    {"id", phase_id},
    {"job", model_json_job},
    {"function", phase_function},
    {"name", phase_name},
    {"parent", phase_parent},
    {"kind", phase_kind},
    {"calls", phase_calls},
    {"total_ns", phase_total},
    {"validate_ns", phase_validate},
    {"nodes_before", phase_before},
    {"nodes_after", phase_after},
    {"open_since_ns", phase_open},
    {NULL, NULL},
};

void model_json_rewrites(struct json *j)
{
    for (j->at = 0; j->state && j->at < j->state->phases; j->at++) {
        const uint32_t f = phase(j)->function;
        bool in_scope = j->state->scope == MODEL_ALL || (f < j->state->count[MODEL_FUNCTION] &&
                                                         j->state->part[f] != MODEL_PART_OUT);
        if (phase(j)->rev == 0 || !in_scope)
            continue;
        model_put_row(&j->out);
        model_json_fields(j, model_json_phase_fields);
        model_put_close(&j->out);
    }
}

/* ---------------------------------------------------------------------------- applies in detail */

static const struct model_about *about(const struct json *j)
{
    return model_job_about(j->state->job, j->row->id);
}

FIELD(about_shapes)
{
    char text[4096] = "";
    if (about(j))
        model_about_shapes(about(j), text, sizeof(text));
    model_json_word(j, text);
}

/* Writes one input or output; for an output also the source of its memory. */
static void put_value(struct json *j, const struct model_value *value, bool output)
{
    struct model_put *out = &j->out;
    model_put_open(out);
    model_put_key(out, "dtype");
    model_json_word(j, value->dtype);
    model_put_key(out, "shape"); /* the text is already a JSON list of numbers */
    model_put_word(out, value->shape[0] ? value->shape : "null");
    model_put_key(out, "strides");
    model_put_word(out, value->strides[0] ? value->strides : "null");
    model_put_key(out, "bytes");
    model_put_known(out, value->bytes);
    if (output) {
        model_put_key(out, "view_of");
        model_put_id(out, value->alias == MODEL_VIEW ? value->input : MODEL_NONE);
        model_put_key(out, "overwrites");
        model_put_id(out, value->alias == MODEL_OVERWRITES ? value->input : MODEL_NONE);
    } else {
        model_put_key(out, "apply");
        model_put_id(out, value->source);
        model_put_key(out, "output");
        model_put_known(out, value->source == MODEL_NONE ? MODEL_UNKNOWN : value->output);
    }
    model_put_close(out);
}

static void put_values(struct json *j, const struct model_value *value, uint32_t count, bool output)
{
    model_put_bytes(&j->out, "[", 1);
    for (uint32_t i = 0; i < count; i++) {
        model_put_word(&j->out, i > 0 ? "," : "");
        put_value(j, &value[i], output);
    }
    model_put_bytes(&j->out, "]", 1);
    j->out.first = false;
}

FIELD(about_flops)
{
    model_put_known(&j->out, about(j)->flops);
}

FIELD(about_thunk)
{
    model_put_known(&j->out, about(j)->thunk_ns);
}

FIELD(about_device)
{
    model_json_word(j, about(j)->device);
}

FIELD(about_location)
{
    model_json_word(j, about(j)->location);
}

FIELD(about_rewrite)
{
    model_json_word(j, about(j)->rewrite);
}

FIELD(about_library)
{
    model_json_word(j, about(j)->library);
}

FIELD(about_one_in)
{
    model_put_known(&j->out, about(j)->one_in ? about(j)->one_in : MODEL_UNKNOWN);
}

FIELD(about_inputs)
{
    put_values(j, about(j)->value, about(j)->inputs, false);
}

FIELD(about_outputs)
{
    put_values(j, about(j)->value + about(j)->inputs, about(j)->outputs, true);
}

static const struct field detail_fields[] = {
    {"flops", about_flops},     {"make_thunk_ns", about_thunk},
    {"device", about_device},   {"location", about_location},
    {"library", about_library}, {"rewrite", about_rewrite},
    {"one_in", about_one_in},   {"inputs", about_inputs},
    {"outputs", about_outputs},
    {NULL, NULL},
};

FIELD(about_detail)
{
    if (!about(j)) {
        model_put_word(&j->out, "null");
        return;
    }
    model_put_open(&j->out);
    model_json_fields(j, detail_fields);
    model_put_close(&j->out);
}

const struct field model_json_about[] = {
    {"shapes", about_shapes},
    {"detail", about_detail},
    {"metrics", model_json_metrics},
    {NULL, NULL},
};

/* ----------------------------------------------------------------------------------- metrics */

/* Writes name and value of each metric of the current row; null if the job has no metrics. */
void model_json_metrics(struct json *j)
{
    const struct model_state *state = j->state;
    const uint32_t metrics = state->extras > 0 ? state->extras - MODEL_EXTRA_METRIC : 0;
    if (metrics == 0) {
        model_put_word(&j->out, "null");
        return;
    }
    model_put_open(&j->out);
    for (uint32_t i = 0; i < metrics; i++) {
        const struct model_text *name = &model_job_metric(state->job, i)->name;
        model_put_word(&j->out, i > 0 ? "," : "");
        model_put_string(&j->out, name->raw, name->raw_size);
        model_put_bytes(&j->out, ":", 1);
        model_put_known(&j->out, model_extra(state, j->table, j->row->id, MODEL_EXTRA_METRIC + i));
    }
    model_put_close(&j->out);
}

static const struct model_metric *metric(const struct json *j)
{
    return model_job_metric(j->state->job, (uint32_t)j->at);
}

FIELD(metric_id)
{
    model_put_u64(&j->out, j->at);
}

FIELD(metric_name)
{
    model_put_text(&j->out, &metric(j)->name);
}

FIELD(metric_unit)
{
    model_put_quoted(&j->out, metric(j)->unit == MODEL_UNIT_NS      ? "ns"
                              : metric(j)->unit == MODEL_UNIT_BYTES ? "bytes"
                                                                    : "count");
}

FIELD(metric_how)
{
    static const char *const word[] = {"sum", "max", "last", "inclusive"};
    model_put_quoted(&j->out, word[metric(j)->how]);
}

const struct field model_json_metric_fields[] = {
    {"id", metric_id},     {"job", model_json_job}, {"name", metric_name},
    {"unit", metric_unit}, {"how", metric_how},     {NULL, NULL},
};

void model_json_declared(struct json *j)
{
    model_json_list(j, j->state ? model_job_metrics(j->state->job) : 0, model_json_metric_fields);
}

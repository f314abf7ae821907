/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * summary_values.c: prints the inputs and outputs of an apply below its row, as the frameworks do
 * for a job that profiles its memory.
 */
#include <string.h>

#include "model/job_info.h"
#include "model/summary_private.h"

bool model_summary_has_values(const struct model_summary *s)
{
    static const char on[] = "True";
    const struct model_summary_table *table = &s->table[MODEL_APPLY];
    size_t size = 0;
    const char *flag = model_fact(model_job_identity(s->state->job), "profile_memory", &size);
    if (!flag || size != strlen(on) || memcmp(flag, on, size) != 0)
        return false;
    for (uint32_t i = 0; i < table->count; i++)
        if (model_job_about(s->state->job, table->line[i].id))
            return true;
    return false;
}

/* Prints "[256,64]" as a Python tuple. */
static void put_tuple(struct model_summary *s, const char *list)
{
    const size_t size = strlen(list);
    model_put_word(&s->out, "(");
    for (const char *at = list + 1; at < list + size - 1; at++) {
        model_put_bytes(&s->out, at, 1);
        if (*at == ',')
            model_put_word(&s->out, " ");
    }
    model_put_word(&s->out, size > 2 && !strchr(list, ',') ? ",)" : ")");
}

bool model_summary_shape(struct model_summary *s, const struct model_value *value)
{
    if (strlen(value->shape) >= strlen("[]"))
        put_tuple(s, value->shape);
    else if (value->bytes != MODEL_UNKNOWN)
        model_summary_printf(s, "%llu", (unsigned long long)value->bytes);
    else
        return false;
    return true;
}

/* A number that is not an array has no strides. */
static void put_strides(struct model_summary *s, const struct model_value *value)
{
    const bool number = !value->shape[0] && value->bytes != MODEL_UNKNOWN;
    if (number || (value->strides[0] && model_value_in_c_order(value)))
        model_put_word(&s->out, "c");
    else if (value->strides[0])
        put_tuple(s, value->strides);
    else
        model_put_word(&s->out, "no strides");
}

static void put_values(struct model_summary *s, const char *what, const struct model_value *value,
                       uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        model_summary_printf(s, "    %s %u: dtype=%s, shape=", what, i,
                             value[i].dtype[0] ? value[i].dtype : "no dtype");
        if (!model_summary_shape(s, &value[i]))
            model_put_word(&s->out, "no shape");
        model_put_word(&s->out, ", strides=");
        put_strides(s, &value[i]);
        model_put_word(&s->out, "\n");
    }
}

/* The frameworks divide the operations of one call by the time of all calls. This divides the
 * operations of all calls. */
void model_summary_flops(struct model_summary *s, const struct model_summary_line *line)
{
    const double mega = 1024. * 1024;
    const struct model_about *about = model_job_about(s->state->job, line->id);
    if (!about || about->flops == MODEL_UNKNOWN || line->ns == 0)
        model_summary_printf(s, "%8s %10s ", "", "");
    else
        model_summary_printf(s, "%8.1f %10.1f ", (double)about->flops / mega,
                             (double)about->flops / mega / 1024 * (double)line->calls /
                                 ((double)line->ns / 1e9));
}

void model_summary_values(struct model_summary *s, uint32_t apply)
{
    const struct model_about *about = model_job_about(s->state->job, apply);
    if (!about)
        return;
    put_values(s, "input", about->value, about->inputs);
    put_values(s, "output", about->value + about->inputs, about->outputs);
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * lines.c: source lines and scopes of a job, one row for each text. The publisher does not define
 * them. They are derived from the locations of applies, so each apply is in exactly one.
 */
#include "model/job_private.h"

#include <string.h>

/* Lines named outside definitions may change without end, and lines are never freed: limit them. */
enum { LINES_SET_MAX = 65536 };

static struct model_line_def *line_at(const struct model_job *job, uint32_t line)
{
    return (struct model_line_def *)job->def[MODEL_LINE].data + line;
}

static struct model_bytes text_of(const struct model_job *job, uint32_t line)
{
    const struct model_text *text = &line_at(job, line)->text;
    return (struct model_bytes){text->raw, text->raw_size};
}

static uint32_t *slot_of(const struct model_job *job, const char *bytes, size_t size)
{
    return model_index_slot(&job->line_index, job, text_of, bytes, size);
}

static bool append(struct model_job *job, const struct model_text *text)
{
    struct model_line_def *def = model_rows_next(&job->def[MODEL_LINE], sizeof(*def));
    if (!def)
        return false;
    def->text = *text;
    job->def[MODEL_LINE].count++;
    return true;
}

/* Allocates space for one more line. Adds row 0, for unknown lines, first. */
static bool fit(struct model_job *job)
{
    uint32_t lines = job->def[MODEL_LINE].count;
    if (!model_index_fit(&job->line_index, job, text_of, lines))
        return false;
    if (lines > 0)
        return true;
    if (!append(job, &model_text_empty))
        return false;
    *slot_of(job, "", 0) = 1;
    return true;
}

uint32_t model_line_of(struct model_job *job, const char *bytes, size_t size)
{
    if (!fit(job))
        return MODEL_NONE;
    uint32_t *slot = slot_of(job, bytes, size);
    if (*slot == 0) {
        struct model_text text;
        if (!model_text_make(&job->texts, bytes, size, &text))
            return MODEL_NONE;
        slot = slot_of(job, text.raw, text.raw_size); /* the shortened text may already exist */
        if (*slot == 0 && append(job, &text))
            *slot = job->def[MODEL_LINE].count;
    }
    return *slot - 1; /* 0 becomes MODEL_NONE */
}

bool model_line_set(struct model_job *job, uint32_t apply, const char *text)
{
    uint32_t line = model_job_apply(job, apply)->made_at;
    if (text[0]) {
        if (!fit(job))
            return false;
        const uint32_t slot = *slot_of(job, text, strlen(text));
        line = slot > 0 ? slot - 1 : 0;
        if (slot == 0 && job->lines_set < LINES_SET_MAX) {
            line = model_line_of(job, text, strlen(text));
            job->lines_set++;
        }
    }
    model_job_set_line(job, apply, line);
    return line != MODEL_NONE;
}

bool model_job_add_line(struct model_job *job, const char *text, size_t size)
{
    struct model_text made;
    return model_text_make(&job->texts, text, size, &made) && append(job, &made);
}

void model_job_set_line(struct model_job *job, uint32_t apply, uint32_t line)
{
    if (apply >= job->def[MODEL_APPLY].count || line >= job->def[MODEL_LINE].count)
        return;
    struct model_apply_def *def = (struct model_apply_def *)job->def[MODEL_APPLY].data + apply;
    job->lines_moved += def->line != line;
    def->line = line;
}

uint64_t model_job_lines_moved(const struct model_job *job)
{
    return job->lines_moved;
}

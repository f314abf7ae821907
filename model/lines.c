/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * lines.c: the source lines and scopes of a job, one row for each text. No publisher defines them:
 * they are what applies say of where they come from, so each apply is in exactly one.
 */
#include "job_private.h"

#include <stdlib.h>
#include <string.h>

/* What is told beside definitions may change for ever; lines that it names are kept for ever. */
enum { LINES_TOLD_MAX = 65536, SLOTS_MIN = 64 };

static struct model_line_def *line_at(const struct model_job *job, uint32_t line)
{
    return (struct model_line_def *)job->def[MODEL_LINE].data + line;
}

static uint32_t hash_of(const char *bytes, size_t size)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * 16777619u;
    return hash ^ hash >> 15;
}

/* The place of a text among the slots: that of its line, or the free one where it goes. */
static uint32_t *slot_of(struct model_job *job, const char *bytes, size_t size)
{
    uint32_t at = hash_of(bytes, size) & (job->line_slots - 1);
    for (; job->line_slot[at]; at = (at + 1) & (job->line_slots - 1)) {
        const struct model_text *text = &line_at(job, job->line_slot[at] - 1)->text;
        if (text->raw_size == size && (size == 0 || !memcmp(text->raw, bytes, size)))
            break;
    }
    return &job->line_slot[at];
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

/* More slots than there are lines, so that a search is short. */
static bool grow(struct model_job *job, uint32_t lines)
{
    uint32_t slots = SLOTS_MIN;
    while (slots < 4 * (lines + 1))
        slots *= 2;
    uint32_t *grown = calloc(slots, sizeof(*grown));
    if (!grown)
        return false;
    free(job->line_slot);
    job->line_slot = grown;
    job->line_slots = slots;
    for (uint32_t i = 0; i < lines; i++) {
        const struct model_text *text = &line_at(job, i)->text;
        *slot_of(job, text->raw, text->raw_size) = i + 1;
    }
    return true;
}

/* Room for one line more, beside row 0, that of what is not known. */
static bool fit(struct model_job *job)
{
    uint32_t lines = job->def[MODEL_LINE].count;
    if (2 * (lines + 1) > job->line_slots && !grow(job, lines))
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
        slot = slot_of(job, text.raw, text.raw_size); /* what is kept of it may be there */
        if (*slot == 0 && append(job, &text))
            *slot = job->def[MODEL_LINE].count;
    }
    return *slot - 1; /* 0 comes to MODEL_NONE */
}

bool model_line_told(struct model_job *job, uint32_t apply, const char *text)
{
    uint32_t line = model_job_apply(job, apply)->made_at;
    if (text[0]) {
        if (!fit(job))
            return false;
        const uint32_t slot = *slot_of(job, text, strlen(text));
        line = slot > 0 ? slot - 1 : 0;
        if (slot == 0 && job->lines_told < LINES_TOLD_MAX) {
            line = model_line_of(job, text, strlen(text));
            job->lines_told++;
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

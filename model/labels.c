/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * labels.c: the names of ops and applies on screens. Labels of a job's ops are unique: if two would
 * be equal, the later one gets a number. Reports, JSON and comparisons use the texts of the job.
 */
#include "model/job_private.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A label with a number keeps EDGE bytes at each end if it is longer than both. */
enum { NUMBER_SIZE = 16, EDGE = 500 };
static const char cut[] = "...";

static struct model_op_def *op_at(const struct model_job *job, uint32_t op)
{
    return (struct model_op_def *)job->def[MODEL_OP].data + op;
}

static struct model_bytes label_of(const struct model_job *job, uint32_t op)
{
    const struct model_text *label = &op_at(job, op)->label;
    return (struct model_bytes){label->shown, label->shown_size};
}

static uint32_t *slot_of(const struct model_job *job, const char *shown, size_t size)
{
    return model_index_slot(&job->label_index, job, label_of, shown, size);
}

static bool begins_character(char c)
{
    return ((unsigned char)c & 0xC0) != 0x80;
}

/* Writes the label, without its middle if it is long. Returns the size. */
static size_t shorten(const struct model_text *label, char out[2 * EDGE + sizeof(cut)])
{
    size_t head = label->shown_size, tail = label->shown_size;
    if (label->shown_size > 2 * EDGE) {
        head = EDGE;
        tail = label->shown_size - EDGE;
        while (!begins_character(label->shown[head]))
            head--;
        while (!begins_character(label->shown[tail]))
            tail++;
    }
    return (size_t)sprintf(out, "%.*s%s%s", (int)head, label->shown,
                           head < label->shown_size ? cut : "", label->shown + tail);
}

/* Makes a label from the label of `first` and the next free number. */
static bool numbered(struct model_job *job, struct model_op_def *first, struct model_text *label)
{
    char text[2 * EDGE + sizeof(cut) + NUMBER_SIZE];
    struct model_text made;
    const size_t base = shorten(&first->label, text);
    size_t size;
    do
        size = base + (size_t)sprintf(text + base, " #%u", ++first->same + 1);
    while (*slot_of(job, text, size) != 0);
    if (!model_text_make(&job->texts, text, size, &made))
        return false;
    label->shown = made.shown;
    label->shown_size = made.shown_size;
    return true;
}

bool model_label_op(struct model_job *job, struct model_op_def *def)
{
    const uint32_t op = job->def[MODEL_OP].count;
    const struct model_text *display = &def->display;
    if (!model_index_fit(&job->label_index, job, label_of, op))
        return false;
    def->same = 0;
    def->label = def->text;
    if (display->raw_size > 0) {
        def->label.shown = display->shown;
        def->label.shown_size = display->shown_size;
    }
    if (!model_text_stand_in(&job->texts, &def->label, "op #%" PRIu32, op))
        return false;
    uint32_t *slot = slot_of(job, def->label.shown, def->label.shown_size);
    if (*slot != 0) {
        if (!numbered(job, op_at(job, *slot - 1), &def->label))
            return false;
        slot = slot_of(job, def->label.shown, def->label.shown_size);
    }
    *slot = op + 1;
    return true;
}

/* A display may be far longer than the text of an apply, so labels have their own limit. Beyond the
 * limit, applies are shown by their texts. */
bool model_label_apply(struct model_job *job, struct model_apply_def *def)
{
    const struct model_op_def *op = model_job_op(job, def->op);
    const struct model_text *display = &op->display, *text = &def->text;
    def->label = *text;
    if (model_text_blank(text->shown, text->shown_size)) {
        def->label.shown = op->label.shown;
        def->label.shown_size = op->label.shown_size;
        return true;
    }
    if (display->raw_size == 0 || job->label_bytes >= MODEL_LABELS_MAX ||
        op->text.shown_size > text->shown_size ||
        memcmp(text->shown, op->text.shown, op->text.shown_size) != 0)
        return true;
    const size_t rest = text->shown_size - op->text.shown_size;
    char *made = malloc(display->shown_size + rest + 1);
    struct model_text label;
    if (!made)
        return false;
    memcpy(made, display->shown, display->shown_size);
    memcpy(made + display->shown_size, text->shown + op->text.shown_size, rest);
    bool fine = model_text_make(&job->texts, made, display->shown_size + rest, &label);
    free(made);
    if (!fine)
        return false;
    def->label.shown = label.shown;
    def->label.shown_size = label.shown_size;
    job->label_bytes += label.shown_size;
    return true;
}

/* --------------------------------------------------------------------- before ops are defined */

/* The display of an op that is not yet added. */
struct waiting {
    uint32_t op;
    struct model_text text;
};

static struct waiting *waiting_at(const struct model_job *job, uint32_t at)
{
    return (struct waiting *)job->displays.data + at;
}

bool model_job_set_display(struct model_job *job, uint32_t op, const char *text, size_t size)
{
    if (op < job->def[MODEL_OP].count || job->displays.count == MODEL_DISPLAYS_MAX)
        return true;
    struct waiting *waiting = model_rows_next(&job->displays, sizeof(*waiting));
    if (!waiting || !model_text_make(&job->texts, text, size, &waiting->text))
        return false;
    waiting->op = op;
    job->displays.count++;
    return true;
}

void model_label_take(struct model_job *job, uint32_t op, struct model_text *display)
{
    const uint32_t n = job->displays.count;
    *display = model_text_empty;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t at = (job->displays_taken + i) % n; /* mostly in the order of the ops */
        if (waiting_at(job, at)->op == op) {
            *display = waiting_at(job, at)->text;
            job->displays_taken = at + 1;
            break;
        }
    }
}

void model_job_forget_displays(struct model_job *job)
{
    job->displays.count = job->displays_taken = 0;
}

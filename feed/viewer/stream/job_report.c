/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * job_report.c: joins the parts of a report. The job announces the size, but memory is allocated
 * only as the parts come.
 */
#include "config.h"

#include "feed/viewer/stream/job_report.h"

#include <stdlib.h>
#include <string.h>

void viewer_job_report_release(struct viewer_job_report *made)
{
    free(made->data);
    *made = (struct viewer_job_report){0};
}

void viewer_job_report_begin(struct viewer_job_report *made, uint64_t size)
{
    viewer_job_report_release(made);
    made->size = (size_t)size;
    made->incomplete = size > 0;
}

/* Makes space for `more` bytes and a 0. */
static bool make_room(struct viewer_job_report *made, size_t more)
{
    const size_t need = made->have + more + 1;
    if (need <= made->capacity)
        return true;
    const size_t capacity = need * 2;
    char *grown = realloc(made->data, capacity);
    if (!grown)
        return false;
    made->data = grown;
    made->capacity = capacity;
    return true;
}

static bool add(struct viewer_job_report *made, const struct wire_text *text)
{
    if (text->size > made->size - made->have || !make_room(made, text->size))
        return false;
    if (text->size > 0)
        memcpy(made->data + made->have, text->data, text->size);
    made->have += text->size;
    made->data[made->have] = '\0';
    return true;
}

bool viewer_job_report_take(struct viewer_job_report *made, const struct wire_frame *frame)
{
    const struct wire_rows *part = &frame->group[WIRE_G_PART];
    const struct wire_value *at = &frame->field[WIRE_F_AT], *bytes = &frame->field[WIRE_F_BYTES];
    const size_t before = made->have;
    bool good = part->present && at->present && at->u == made->have && bytes->present &&
                bytes->u == made->size;
    const uint8_t *cursor = good ? part->column[0].data : NULL;
    for (uint32_t i = 0; good && i < part->count; i++) {
        struct wire_text text;
        good = wire_text_next(&part->column[0], &cursor, &text) && add(made, &text);
    }
    if (!good || made->have == before) {
        viewer_job_report_release(made);
        return false;
    }
    made->request = 0;
    made->incomplete = made->have < made->size;
    return true;
}

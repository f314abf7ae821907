/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * metrics.c: metrics of applies, declared by the program, and their values.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "feed/protocol/columns.h"
#include "feed/publisher/record/count_filter.h"
#include "feed/publisher/record/lock.h"
#include "proftop_adapter.h"

/* --------------------------------------------------------------------------------- declaring */

static bool same_text(const struct wire_text *a, const char *b)
{
    size_t size = publisher_text_cut(b, WIRE_LABEL_MAX);
    return a->size == size && memcmp(a->data, b, size) == 0;
}

static bool copy_text(struct publisher_core *core, const char *text, struct wire_text *copy)
{
    char cut[WIRE_LABEL_MAX + 1];
    size_t size = publisher_text_cut(text, WIRE_LABEL_MAX);
    memcpy(cut, text, size);
    cut[size] = 0;
    return publisher_definitions_text(&core->definitions, cut, copy);
}

static uint32_t add_metric(struct publisher_core *core, const char *name, const char *unit,
                           uint32_t how)
{
    struct publisher_metrics *metrics = &core->metrics;
    if (metrics->count == WIRE_METRICS_MAX)
        return publisher_count_lost(core, PUBLISHER_LOST_METRICS);
    if (metrics->row == NULL)
        metrics->row = calloc(WIRE_METRICS_MAX, sizeof *metrics->row);
    struct publisher_metric *metric = metrics->row == NULL ? NULL : &metrics->row[metrics->count];
    if (metric == NULL || !copy_text(core, name, &metric->name) ||
        !copy_text(core, unit, &metric->unit))
        return publisher_count_lost(core, PUBLISHER_LOST_METRICS);
    metric->chunk = calloc(PUBLISHER_DETAIL_CHUNKS, sizeof *metric->chunk);
    if (metric->chunk == NULL)
        return publisher_count_lost(core, PUBLISHER_LOST_METRICS);
    metric->how = how;
    return metrics->count++;
}

/* Finds or adds the metric of this name. An existing metric must have the same unit and the same
 * `how`; else this counts as misuse. */
static uint32_t take_metric(struct publisher_core *core, const char *name, const char *unit,
                            uint32_t how)
{
    const struct publisher_metrics *metrics = &core->metrics;
    if (how > PROFTOP_INCLUSIVE || name[0] == 0)
        return publisher_count_misuse(core);
    for (uint32_t i = 0; i < metrics->count; i++) {
        const struct publisher_metric *metric = &metrics->row[i];
        if (!same_text(&metric->name, name))
            continue;
        return metric->how == how && same_text(&metric->unit, unit) ? i
                                                                    : publisher_count_misuse(core);
    }
    return add_metric(core, name, unit, how);
}

proftop_id proftop_metric(struct proftop *feed, const char *name, const char *unit,
                          enum proftop_how how)
{
    struct publisher_core *core = publisher_lock(feed);
    if (core == NULL)
        return PROFTOP_NONE;
    uint32_t id =
        take_metric(core, name == NULL ? "" : name, unit == NULL ? "" : unit, (uint32_t)how);
    publisher_unlock(core);
    return id;
}

/* ------------------------------------------------------------------------------------ values */

static uint64_t join(uint32_t how, uint64_t known, uint64_t value)
{
    if (how == PROFTOP_SUM || how == PROFTOP_INCLUSIVE)
        return value > WIRE_VALUE_MAX - known ? WIRE_VALUE_MAX : known + value;
    if (how == PROFTOP_MAX)
        return known > value ? known : value;
    return value;
}

static void add_value(struct publisher_core *core, struct publisher_metric *metric, uint32_t apply,
                      uint64_t value)
{
    struct publisher_metric_cell **chunk = &metric->chunk[apply / PUBLISHER_DETAIL_CHUNK];
    if (*chunk == NULL)
        *chunk = calloc(PUBLISHER_DETAIL_CHUNK, sizeof **chunk);
    struct publisher_metric_cell *cell = publisher_metric_cell(metric, apply);
    if (cell == NULL) {
        publisher_count_lost(core, PUBLISHER_LOST_METRICS);
        return;
    }
    cell->value = cell->adds == 0 ? value : join(metric->how, cell->value, value);
    cell->adds++;
    publisher_metric_enqueue(metric, apply);
}

void proftop_metric_add(struct proftop *feed, proftop_id metric, proftop_id apply, uint64_t value)
{
    struct publisher_core *core = publisher_lock(feed);
    if (core == NULL)
        return;
    bool known = metric < core->metrics.count &&
                 apply < publisher_definitions_count(&core->definitions, PUBLISHER_DEF_APPLY);
    if (!known)
        publisher_count_misuse(core);
    else if (publisher_known_or_not(value, &feed->invalid) != PROFTOP_UNKNOWN &&
             publisher_counts(feed) && publisher_is_counted(core, PUBLISHER_APPLIES, apply))
        add_value(core, &core->metrics.row[metric], apply, value);
    publisher_unlock(core);
}

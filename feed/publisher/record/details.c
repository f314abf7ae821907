/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * details.c: keeps details of applies, values of metrics and phases of compilations, each with a
 * queue of those to be sent.
 */
#include "config.h"

#include "feed/publisher/record/details.h"

#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------------------------------------- details
 */

void publisher_details_release(struct publisher_details *details)
{
    for (uint32_t at = 0; details->chunk != NULL && at < PUBLISHER_DETAIL_CHUNKS; at++) {
        for (uint32_t i = 0; details->chunk[at] != NULL && i < PUBLISHER_DETAIL_CHUNK; i++)
            free(details->chunk[at][i].detail);
        free(details->chunk[at]);
    }
    free(details->chunk);
    memset(details, 0, sizeof *details);
}

struct publisher_detail_place *publisher_detail_place(const struct publisher_details *details,
                                                      uint32_t apply)
{
    struct publisher_detail_place *chunk =
        details->chunk == NULL ? NULL : details->chunk[apply / PUBLISHER_DETAIL_CHUNK];
    return chunk == NULL ? NULL : &chunk[apply % PUBLISHER_DETAIL_CHUNK];
}

struct publisher_detail_place *publisher_detail_make(struct publisher_details *details,
                                                     uint32_t apply)
{
    if (details->chunk == NULL)
        details->chunk = calloc(PUBLISHER_DETAIL_CHUNKS, sizeof *details->chunk);
    if (details->chunk == NULL)
        return NULL;
    struct publisher_detail_place **chunk = &details->chunk[apply / PUBLISHER_DETAIL_CHUNK];
    if (*chunk == NULL)
        *chunk = calloc(PUBLISHER_DETAIL_CHUNK, sizeof **chunk);
    return publisher_detail_place(details, apply);
}

void publisher_detail_enqueue(struct publisher_details *details, uint32_t apply)
{
    struct publisher_detail_place *place = publisher_detail_place(details, apply);
    uint32_t last = details->waiting.last;
    place->rev++;
    publisher_queue_add(&details->waiting, apply, &place->queued,
                        last == 0 ? NULL : &publisher_detail_place(details, last - 1)->queued);
}

void publisher_detail_sent(struct publisher_details *details)
{
    publisher_queue_take(&details->waiting,
                         &publisher_detail_place(details, details->waiting.first - 1)->queued);
}

/* --------------------------------------------------------------------------------------- metrics
 */

void publisher_metrics_release(struct publisher_metrics *metrics)
{
    for (uint32_t i = 0; i < metrics->count; i++) {
        for (uint32_t at = 0; at < PUBLISHER_DETAIL_CHUNKS; at++)
            free(metrics->row[i].chunk[at]);
        free(metrics->row[i].chunk);
    }
    free(metrics->row);
    memset(metrics, 0, sizeof *metrics);
}

void publisher_metrics_clear(struct publisher_metrics *metrics)
{
    for (uint32_t i = 0; i < metrics->count; i++) {
        struct publisher_metric *metric = &metrics->row[i];
        metric->waiting = (struct publisher_queue){0};
        for (uint32_t at = 0; at < PUBLISHER_DETAIL_CHUNKS; at++)
            if (metric->chunk[at] != NULL)
                memset(metric->chunk[at], 0, PUBLISHER_DETAIL_CHUNK * sizeof *metric->chunk[at]);
    }
}

struct publisher_metric_cell *publisher_metric_cell(const struct publisher_metric *metric,
                                                    uint32_t apply)
{
    struct publisher_metric_cell *chunk = metric->chunk[apply / PUBLISHER_DETAIL_CHUNK];
    return chunk == NULL ? NULL : &chunk[apply % PUBLISHER_DETAIL_CHUNK];
}

void publisher_metric_enqueue(struct publisher_metric *metric, uint32_t apply)
{
    uint32_t last = metric->waiting.last;
    publisher_queue_add(&metric->waiting, apply, &publisher_metric_cell(metric, apply)->queued,
                        last == 0 ? NULL : &publisher_metric_cell(metric, last - 1)->queued);
}

void publisher_metric_sent(struct publisher_metric *metric)
{
    publisher_queue_take(&metric->waiting,
                         &publisher_metric_cell(metric, metric->waiting.first - 1)->queued);
}

/* ---------------------------------------------------------------------------------------- phases
 */

void publisher_phases_release(struct publisher_phases *phases)
{
    free(phases->row);
    memset(phases, 0, sizeof *phases);
}

void publisher_phase_enqueue(struct publisher_phases *phases, uint32_t plus_1)
{
    struct publisher_phase *phase = publisher_phase_at(phases, plus_1);
    uint32_t last = phases->waiting.last;
    phase->rev++;
    publisher_queue_add(&phases->waiting, plus_1 - 1, &phase->queued,
                        last == 0 ? NULL : &publisher_phase_at(phases, last)->queued);
}

void publisher_phase_sent(struct publisher_phases *phases)
{
    publisher_queue_take(&phases->waiting,
                         &publisher_phase_at(phases, phases->waiting.first)->queued);
}

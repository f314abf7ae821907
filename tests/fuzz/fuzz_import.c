/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_import.c: reads arbitrary bytes as a saved profile of any format. A job that comes of them
 * must be consistent, and the report of it must be the same job when it is read.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/import.h"
#include "model/json.h"
#include "model/state.h"

struct source {
    const char *data;
    size_t size, at;
};

static size_t read_source(void *from, char *bytes, size_t size)
{
    struct source *source = from;
    const size_t left = source->size - source->at;
    size = size < left ? size : left;
    if (size > 0)
        memcpy(bytes, source->data + source->at, size);
    source->at += size;
    return size;
}

static void give_up(const char *words)
{
    fprintf(stderr, "fuzz_import: %s\n", words);
    abort();
}

static uint64_t sum_of(const struct model_state *state, enum model_table table)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < state->count[table]; i++) {
        const struct model_row *row = &state->row[table][i];
        if (row->in_scope && row->total_ns != MODEL_UNKNOWN)
            sum = model_state_plus(sum, row->total_ns);
    }
    return sum;
}

static void check_rows(const struct model_state *state)
{
    const struct model_job *job = state->job;
    for (uint32_t i = 0; i < model_job_count(job, MODEL_APPLY); i++) {
        const struct model_apply_def *def = model_job_apply(job, i);
        if (def->function >= model_job_count(job, MODEL_FUNCTION) ||
            def->op >= model_job_count(job, MODEL_OP))
            give_up("an apply refers to a row that is not there");
    }
    if (sum_of(state, MODEL_CLASS) != sum_of(state, MODEL_OP) ||
        sum_of(state, MODEL_OP) != sum_of(state, MODEL_APPLY))
        give_up("the sums of classes, ops and applies differ");
}

struct text {
    char *data;
    size_t size, capacity;
};

static void keep(void *to, const char *bytes, size_t size)
{
    struct text *text = to;
    if (text->size + size > text->capacity) {
        text->capacity = 2 * (text->size + size);
        text->data = realloc(text->data, text->capacity);
        if (!text->data)
            exit(2);
    }
    memcpy(text->data + text->size, bytes, size);
    text->size += size;
}

static void check_report(const struct model_state *state)
{
    const struct model_link link = {.state = MODEL_GONE, .said_bye = true};
    const struct model_report report = {.state = state, .link = &link, .word = "ended"};
    struct text text = {0};
    const struct model_sink sink = {keep, &text};
    model_json_write(&report, &sink);
    struct source source = {text.data, text.size, 0};
    const struct model_reader reader = {read_source, &source};
    struct model_imported again;
    char why[256];
    if (!model_import(&reader, &again, why, sizeof why)) {
        fprintf(stderr, "fuzz_import: the report of the job %s\n", why);
        abort();
    }
    struct model_state *taken = model_state_take(again.saved.job, MODEL_ALL, NULL);
    if (taken && (taken->count[MODEL_APPLY] != state->count[MODEL_APPLY] ||
                  sum_of(taken, MODEL_APPLY) != sum_of(state, MODEL_APPLY)))
        give_up("the report of the job is another job");
    model_state_free(&taken);
    model_imported_release(&again);
    free(text.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct source source = {(const char *)data, size, 0};
    const struct model_reader reader = {read_source, &source};
    struct model_imported imported;
    char why[256] = "";
    if (!model_import(&reader, &imported, why, sizeof why)) {
        if (!why[0])
            give_up("a failure has no reason");
        return 0;
    }
    struct model_state *state = model_state_take(imported.saved.job, MODEL_ALL, NULL);
    if (state) {
        check_rows(state);
        check_report(state);
    }
    model_state_free(&state);
    model_imported_release(&imported);
    return 0;
}

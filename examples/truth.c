/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * truth.c: counts per thread, merged and written at the end.
 */
#include "truth.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
    bool is_apply;
    uint32_t function; /* row of an apply's function */
    uint32_t index;
    char *name; /* a function's name; or the op of an apply */
    char *op_class;
};

struct truth {
    struct row *rows;
    uint32_t rows_count;
    struct truth_thread **threads;
    size_t threads_count;
    struct truth_phase *phases;
    size_t phases_count;
};

struct truth *truth_new(void)
{
    return calloc(1, sizeof(struct truth));
}

static uint32_t add_row(struct truth *truth, struct row row, const char *name, const char *op_class)
{
    struct row *rows = realloc(truth->rows, (truth->rows_count + 1) * sizeof *rows);

    if (!rows)
        return UINT32_MAX;
    truth->rows = rows;
    row.name = strdup(name);
    row.op_class = strdup(op_class);
    if (!row.name || !row.op_class) {
        free(row.name);
        free(row.op_class);
        return UINT32_MAX;
    }
    rows[truth->rows_count] = row;
    return truth->rows_count++;
}

uint32_t truth_function(struct truth *truth, const char *name)
{
    return add_row(truth, (struct row){.is_apply = false}, name, "");
}

uint32_t truth_apply(struct truth *truth, uint32_t function, uint32_t index, const char *op,
                     const char *op_class)
{
    return add_row(truth, (struct row){.is_apply = true, .function = function, .index = index}, op,
                   op_class);
}

bool truth_phase(struct truth *truth, const struct truth_phase *phase)
{
    struct truth_phase *phases = realloc(truth->phases, (truth->phases_count + 1) * sizeof *phases);

    if (!phases)
        return false;
    truth->phases = phases;
    phases[truth->phases_count++] = *phase;
    return true;
}

struct truth_thread *truth_thread_new(struct truth *truth)
{
    struct truth_thread **threads =
        realloc(truth->threads, (truth->threads_count + 1) * sizeof(*threads));
    if (!threads)
        return NULL;
    truth->threads = threads;

    struct truth_thread *thread = calloc(1, sizeof *thread);
    if (thread)
        thread->rows = calloc(truth->rows_count, sizeof *thread->rows);
    if (!thread || !thread->rows) {
        free(thread);
        return NULL;
    }
    return threads[truth->threads_count++] = thread;
}

static struct truth_count sum_of(const struct truth *truth, uint32_t row)
{
    struct truth_count sum = {0, 0};

    for (size_t i = 0; i < truth->threads_count; i++) {
        sum.calls += truth->threads[i]->rows[row].calls;
        sum.ns += truth->threads[i]->rows[row].ns;
    }
    return sum;
}

static void put_text(FILE *file, const char *text)
{
    putc('"', file);
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte == '"' || byte == '\\')
            fprintf(file, "\\%c", byte);
        else if (byte < 0x20)
            fprintf(file, "\\u%04x", byte);
        else
            putc(byte, file);
    }
    putc('"', file);
}

static void put_function(FILE *file, const struct row *row, struct truth_count sum)
{
    fputs("{\"name\":", file);
    put_text(file, row->name);
    fprintf(file, ",\"calls\":%" PRIu64 ",\"call_ns\":%" PRIu64 "}", sum.calls, sum.ns);
}

static void put_apply(FILE *file, const struct truth *truth, const struct row *row,
                      struct truth_count sum)
{
    fputs("{\"function\":", file);
    put_text(file, truth->rows[row->function].name);
    fprintf(file, ",\"index\":%" PRIu32 ",\"op\":", row->index);
    put_text(file, row->name);
    fputs(",\"class\":", file);
    put_text(file, row->op_class);
    fprintf(file, ",\"calls\":%" PRIu64 ",\"total_ns\":%" PRIu64 "}", sum.calls, sum.ns);
}

static void put_rows(FILE *file, const struct truth *truth, bool applies)
{
    bool first = true;

    for (uint32_t i = 0; i < truth->rows_count; i++) {
        const struct row *row = &truth->rows[i];
        if (row->is_apply != applies)
            continue;
        fputs(first ? "\n" : ",\n", file);
        first = false;
        if (applies)
            put_apply(file, truth, row, sum_of(truth, i));
        else
            put_function(file, row, sum_of(truth, i));
    }
}

static void put_phases(FILE *file, const struct truth *truth)
{
    for (size_t i = 0; i < truth->phases_count; i++) {
        const struct truth_phase *phase = &truth->phases[i];
        fputs(i == 0 ? "\n{\"function\":" : ",\n{\"function\":", file);
        put_text(file, truth->rows[phase->function].name);
        fputs(",\"name\":", file);
        put_text(file, phase->name);
        fputs(",\"parent\":", file);
        if (phase->parent)
            put_text(file, phase->parent);
        else
            fputs("null", file);
        fprintf(file,
                ",\"calls\":%" PRIu64 ",\"total_ns\":%" PRIu64
                ",\"nodes_before\":%zu,\"nodes_after\":%zu}",
                phase->count.calls, phase->count.ns, phase->nodes_before, phase->nodes_after);
    }
}

int truth_write(const struct truth *truth, const char *path)
{
    FILE *file = fopen(path, "w");

    if (!file)
        return -1;
    fputs("{\"functions\":[", file);
    put_rows(file, truth, false);
    fputs("],\n\"applies\":[", file);
    put_rows(file, truth, true);
    fputs("],\n\"rewrites\":[", file);
    put_phases(file, truth);
    fputs("]}\n", file);

    int failed = ferror(file);
    return fclose(file) != 0 || failed ? -1 : 0;
}

void truth_free(struct truth *truth)
{
    if (!truth)
        return;
    for (uint32_t i = 0; i < truth->rows_count; i++) {
        free(truth->rows[i].name);
        free(truth->rows[i].op_class);
    }
    for (size_t i = 0; i < truth->threads_count; i++) {
        free(truth->threads[i]->rows);
        free(truth->threads[i]);
    }
    free(truth->rows);
    free(truth->threads);
    free(truth->phases);
    free(truth);
}

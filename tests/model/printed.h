/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * printed.h: a job's profile in the words of a framework, as text.
 */
#ifndef TESTS_MODEL_PRINTED_H
#define TESTS_MODEL_PRINTED_H

#include "model/dialect.h"
#include "sample.h"
#include "model/summary.h"

struct printed {
    size_t size;
    char bytes[16384];
};

static const struct model_summary_rows printed_usual = {MODEL_SUMMARY_USUAL, MODEL_SUMMARY_USUAL,
                                                        MODEL_SUMMARY_LEAST_BYTES};

static inline void printed_keep(void *to, const char *bytes, size_t size)
{
    struct printed *text = to;
    ck_assert_uint_lt(text->size + size, sizeof(text->bytes));
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
    text->bytes[text->size] = '\0';
}

/* `scope`: a function, or MODEL_ALL. */
static inline void printed_of(struct printed *text, struct model_job *job, const char *word,
                              uint32_t scope, struct model_summary_rows rows)
{
    const struct model_dialect *dialect = model_dialect_find(word);
    const struct model_sink sink = {printed_keep, text};
    struct model_state *state = model_state_take(job, scope, NULL);
    ck_assert_ptr_nonnull(dialect);
    ck_assert_ptr_nonnull(state);
    text->size = 0;
    text->bytes[0] = '\0';
    ck_assert(model_summary_write(dialect, state, rows, &sink));
    model_state_free(&state);
}

static inline void has(const struct printed *text, const char *line)
{
    ck_assert_msg(strstr(text->bytes, line) != NULL, "no '%s' in:\n%s", line, text->bytes);
}

static inline void has_not(const struct printed *text, const char *line)
{
    ck_assert_msg(strstr(text->bytes, line) == NULL, "'%s' in:\n%s", line, text->bytes);
}

#endif

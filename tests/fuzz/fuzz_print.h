/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_print.h: what the viewer does with a job that a target has read: it writes each of its rows.
 */
#ifndef TESTS_FUZZ_PRINT_H
#define TESTS_FUZZ_PRINT_H

#include "model/json.h"

static void fuzz_drop(void *to, const char *bytes, size_t size)
{
    (void)to, (void)bytes, (void)size;
}

/* Frees the state, which may be NULL. */
static inline void fuzz_print(struct model_state *state)
{
    const struct model_sink sink = {fuzz_drop, NULL};
    const struct model_link link = {.state = MODEL_LIVE};
    const struct model_report report = {.state = state, .link = &link, .word = "replay"};
    if (state)
        model_json_write(&report, &sink);
    model_state_free(&state);
}

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * diff_input.h: what `proftop diff` compares: a saved report, or a job of this machine, by one
 * word.
 */
#ifndef TUI_CLI_DIFF_INPUT_H
#define TUI_CLI_DIFF_INPUT_H

#include "model/json_read.h"
#include "tui/app/session.h"

/* One operand. Zero is none. */
struct tui_operand {
    char word[128];               /* as it was named, safe for the screen */
    struct viewer_subscriber *feed;   /* of a job */
    char facts[SHARED_ENDPOINT_SIZE]; /* same: where its feed is */
    struct model_saved saved;     /* of a report; of a job its spread alone */
    struct model_job *job;        /* borrowed of either, once there are whole figures */
};

/* Reads the report, or begins to connect to the job. The word is an endpoint if it has ://, a file
 * if it has another slash, a process id if it is a number, else the name of a job, or of a file; -
 * is standard input. A Python process that publishes nothing is entered first, as by -p. Gives an
 * exit code, with a sentence in `why`. */
int tui_operand_open(struct tui_operand *operand, struct tui_session *session, const char *word,
                     char *why, size_t capacity);
void tui_operand_close(struct tui_operand *operand);

/* Reads what has come from the job. True: its figures are whole, or will not be any more. */
bool tui_operand_ready(struct tui_operand *operand, const struct tui_session *session);
/* Reads on until they are of one moment, where they stay. True: they are, or the job is silent. */
bool tui_operand_even(struct tui_operand *operand, const struct tui_session *session);
/* "live", "ended", ...: of the job now, or when the report was written. Borrowed. */
const char *tui_operand_state(const struct tui_operand *operand);
/* Whether the job ended without saying so: its last figures may be missing. */
bool tui_operand_lost(const struct tui_operand *operand);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * diff_input.h: an operand of `proftop diff`: one word names a file, or a job of this machine.
 */
#ifndef TUI_CLI_DIFF_INPUT_H
#define TUI_CLI_DIFF_INPUT_H

#include "tui/app/load.h"
#include "tui/app/session.h"

/* One operand. Zero is empty. */
struct tui_operand {
    char word[128];                   /* the word of the command line, safe for the screen */
    struct viewer_subscriber *feed;   /* for a job */
    char facts[SHARED_ENDPOINT_SIZE]; /* for a job: endpoint of its feed */
    struct model_imported imported;   /* for a file; for a job only its spread */
    struct model_job *job;            /* borrowed from either, once there are whole figures */
};

/* Reads the file, of a recording its last moment, or begins to connect to the job. The word
 * is an endpoint if it has ://, a file if it has another slash, a process id if it is a number,
 * else the name of a job, or of a file; - is standard input. Attaches first to a Python process
 * that publishes nothing, as by -p. Returns an exit code, with a sentence in `why`. */
int tui_operand_open(struct tui_operand *operand, struct tui_session *session, const char *word,
                     char *why, size_t capacity);
void tui_operand_close(struct tui_operand *operand);
/* True if the name of a file in a folder says that it can be compared. */
bool tui_operand_is_file(const char *path);

/* Reads what has come from the job. True: its figures are whole, or will not become whole any
 * more. */
bool tui_operand_ready(struct tui_operand *operand, const struct tui_session *session);
/* Reads on until the figures are a consistent snapshot, and stops there. True: they are, or the job
 * is silent. */
bool tui_operand_even(struct tui_operand *operand, const struct tui_session *session);
/* Returns "live", "ended", ...: state of the job now, or when the report was written. Borrowed. */
const char *tui_operand_state(const struct tui_operand *operand);
/* True if the job ended without a goodbye: its last figures may be missing. */
bool tui_operand_lost(const struct tui_operand *operand);

#endif

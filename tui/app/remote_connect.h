/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * remote_connect.h: `-H HOST`, `ssh://HOST`, `--slurm JOBID`: makes the connections before anything
 * is shown.
 */
#ifndef TUI_APP_REMOTE_CONNECT_H
#define TUI_APP_REMOTE_CONNECT_H

#include "tui/app/session.h"

/* Connects to the machines of the options, and waits until their jobs are known. ssh may ask for a
 * password meanwhile. Returns an exit code; each except 0 comes with a sentence on stderr. */
int tui_remote_open(struct tui_session *session);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * remote_connect.h: `-H HOST`, `ssh://HOST`, `--slurm JOBID`: the connections, before anything is
 * shown.
 */
#ifndef TUI_APP_REMOTE_CONNECT_H
#define TUI_APP_REMOTE_CONNECT_H

#include "tui/app/session.h"

/* Connects to the machines that the options name, and waits until it is known what runs there; ssh
 * may ask for a password meanwhile. Gives an exit code; all but 0 with a sentence on stderr. */
int tui_afar_open(struct tui_session *session);

#endif

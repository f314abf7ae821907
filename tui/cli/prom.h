/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * prom.h: `proftop prom`: serves what jobs count to Prometheus, until a signal ends it.
 */
#ifndef TUI_CLI_PROM_H
#define TUI_CLI_PROM_H

#include "tui/app/session.h"

/* Serves, and returns the exit code. */
int tui_prom_run(struct tui_session *session);

#endif

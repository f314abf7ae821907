/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * program_commands.h: executes the program's own commands. Used by the feed's thread alone.
 */
#ifndef FEED_PUBLISHER_PUBLISH_PROGRAM_COMMANDS_H
#define FEED_PUBLISHER_PUBLISH_PROGRAM_COMMANDS_H

#include "feed/publisher/publish/publisher.h"

/* True if a continuous dump is due at this time. Due times keep their rhythm: a dump that a tick
 * runs late does not delay the later ones, unless it is a whole period late. */
bool publisher_dump_is_due(struct publisher_control *control,
                           const struct publisher_settings *settings, uint64_t now_ns);

/* Runs the waiting command, and the continuous dump if it is due. By the feed's thread. */
void publisher_program_commands_serve(struct publisher_core *core, struct publisher *p,
                                      uint64_t now_ns);

/* Runs a command at once, by the feed's thread. Only PUBLISHER_DUMP uses `settings`. */
void publisher_program_command_run(struct publisher *p, struct publisher_program_command *command,
                                   const struct publisher_settings *settings);

#endif

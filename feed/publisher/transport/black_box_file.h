/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * black_box_file.h: makes and removes the file of the black box (record/black_box.h). For the
 * feed's thread.
 */
#ifndef FEED_PUBLISHER_TRANSPORT_BLACK_BOX_FILE_H
#define FEED_PUBLISHER_TRANSPORT_BLACK_BOX_FILE_H

#include "feed/publisher/record/core.h"
#include "feed/publisher/transport/own_file.h"

/* With PROFTOP_KEEP=1 in the environment: makes the file in the first directory of the registry
 * that is in memory, else below /dev/shm. It has all definitions so far. Also removes files of jobs
 * that ended long ago. A notice says why, if the file cannot be made. Call it before the feed is
 * on. */
void publisher_black_box_open(struct publisher_core *core, struct publisher_own_file *file);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * report.h: the report and the dump file of all that was counted. Used by the feed's thread alone.
 */
#ifndef FEED_PUBLISHER_PUBLISH_REPORT_H
#define FEED_PUBLISHER_PUBLISH_REPORT_H

#include "feed/publisher/publish/publisher.h"

/* Collects the statistics of all rows that were counted in this epoch. */
void publisher_dump_collect(struct publisher *p, struct shared_report *report);
/* Writes the file of a dump. Returns how many rows have values. */
uint32_t publisher_dump_print(struct publisher *p, struct shared_text *out);
/* Writes the files of a dump, each first under a temporary name. Returns false with a sentence in
 * `why` if it fails, and true with a sentence if there was nothing to write. */
bool publisher_dump_write(struct publisher *p, const struct publisher_settings *settings,
                          char *why);

#endif

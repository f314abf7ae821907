/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * define.h: definitions that libproftop makes for itself.
 */
#ifndef FEED_PUBLISHER_API_DEFINE_H
#define FEED_PUBLISHER_API_DEFINE_H

#include "feed/publisher/record/core.h"

/* Defines a function of this name (borrowed), without calls. Returns PROFTOP_NONE, and counts it as
 * lost, if it cannot be kept. Under the feed's lock. */
uint32_t publisher_define_function(struct publisher_core *core, const char *name);

#endif

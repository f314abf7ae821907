/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * no_inline_api.h: includes proftop.h for the library itself: begin and end are plain functions.
 */
#ifndef FEED_PUBLISHER_RECORD_NO_INLINE_API_H
#define FEED_PUBLISHER_RECORD_NO_INLINE_API_H

#ifndef PROFTOP_H
#define PROFTOP_PLAIN
#endif
#include "proftop.h"

#endif

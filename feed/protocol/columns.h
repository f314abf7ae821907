/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * columns.h: what reader.c asks of columns.c.
 */
#ifndef FEED_PROTOCOL_COLUMNS_H
#define FEED_PROTOCOL_COLUMNS_H

#include "feed/protocol/frame.h"

#define WIRE_VALUE_MAX (UINT64_C(1) << 62) /* so that the sum of two times or counts still fits */

/* Judges the values of an integer column: its ids ascend, ids and refs are below `defs`, the others
 * are not above WIRE_VALUE_MAX. */
enum wire_error wire_column_check(const struct wire_column *col, uint32_t defs);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * columns.h: the interface of columns.c for reader.c.
 */
#ifndef FEED_PROTOCOL_COLUMNS_H
#define FEED_PROTOCOL_COLUMNS_H

#include "feed/protocol/frame.h"

#define WIRE_VALUE_MAX (UINT64_C(1) << 62) /* so that the sum of two times or counts still fits */

/* Checks the values of an integer column: ids ascend, ids and refs are below `defs`, and the other
 * values are at most WIRE_VALUE_MAX. */
enum wire_error wire_column_check(const struct wire_column *col, uint32_t defs);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * inherit.h: what the feed of a forked child takes over from the feed that its parent had.
 */
#ifndef FEED_INHERIT_H
#define FEED_INHERIT_H

#include "core.h"

/* Moves the definitions of `from` into `core`, which is new, as if nothing of them had run or been
 * compiled: classes, ops, functions and applies under their ids, their details, metrics without
 * values, the route. In the child nobody reads or writes `from` any more. */
void feed_inherit(struct feed_core *core, struct feed_core *from);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * apply_result.h: how the parts of apply.h answer.
 */
#ifndef FEED_VIEWER_STREAM_APPLY_RESULT_H
#define FEED_VIEWER_STREAM_APPLY_RESULT_H

#include "feed/protocol/frame.h"
#include "model/job.h"
#include "model/link.h"

enum viewer_apply {
    VIEWER_APPLY_DONE,
    VIEWER_APPLY_WAITS,  /* a row refers to a definition that has not come yet; the caller may apply
                          * the same frame again later */
    VIEWER_APPLY_WRONG,  /* rows refer to each other in a ring, or to rows that cannot come */
    VIEWER_APPLY_MEMORY, /* out of memory; the rest of the frame was not applied */
};

#endif

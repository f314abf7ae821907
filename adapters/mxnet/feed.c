/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * feed.c: the feed that the MXNet adapter publishes to: that of the Python extension. */
#include "adapters/common/state.h"
#include "adapters/mxnet/mxnet.h"

struct proftop *mxnet_feed(void)
{
    return mxnet_attached() ? proftop_py_feed() : NULL; /* queued operators may still call */
}

unsigned mxnet_objects(void)
{
    return proftop_py_objects();
}

struct proftop *mxnet_feed_here(void)
{
    return proftop_py_feed_here();
}

unsigned mxnet_feeds(void)
{
    return __atomic_load_n(&proftop_py.feeds, __ATOMIC_RELAXED);
}

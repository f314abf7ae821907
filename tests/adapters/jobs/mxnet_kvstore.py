# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""mxnet_kvstore.py: a process of a kvstore of type dist_sync. In a server and a scheduler the
import never returns. A worker pushes and pulls until it finds the file `enough` beside it."""
import os

import mxnet as mx

SHAPE = (20, 20)

store = mx.kv.create("dist_sync")
store.init(3, mx.nd.ones(SHAPE))
value = mx.nd.zeros(SHAPE)
print("ready", flush=True)
done = mx.nd.zeros((1,))
store.init(4, done)
while done.asscalar() < store.num_workers:  # each of them does as many rounds
    store.push(3, mx.nd.ones(SHAPE) * (store.rank + 1))
    store.pull(3, out=value)
    store.push(4, mx.nd.ones((1,)) * os.path.exists("enough"))
    store.pull(4, out=done)
print("rank", store.rank, "value", value[0, 0].asscalar(), flush=True)
getattr(store, "barrier", getattr(store, "_barrier", None))()

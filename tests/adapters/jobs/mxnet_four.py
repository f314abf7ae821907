# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""mxnet_four.py [PROFILE]: one process of a distributed MXNet job (DMLC_ROLE). Servers and the
scheduler work inside `import mxnet`. Each worker pushes and pulls 30 times, prints its result, and
waits for a line of input. With PROFILE, MXNet's own profiler runs in the servers meanwhile, and
writes to rank0_PROFILE."""
import sys

import mxnet as mx

profile = (sys.argv + [None])[1]
shape = (200, 200)
store = mx.kv.create("dist_sync")
barrier = getattr(store, "barrier", None) or store._barrier
asks = profile and store.rank == 0
if asks:
    mx.profiler.set_config(profile_process="server", filename=profile, profile_all=True)
    mx.profiler.set_state("run", profile_process="server")
barrier()
store.init(3, mx.nd.ones(shape))
value = mx.nd.zeros(shape)
for _ in range(30):
    store.push(3, mx.nd.ones(shape) * (store.rank + 1))
    store.pull(3, out=value)
    value.wait_to_read()
print("rank", store.rank, "of", store.num_workers, "has", value[0, 0].asscalar(), flush=True)
sys.stdin.readline()
if asks:
    mx.profiler.set_state("stop", profile_process="server")
    mx.profiler.dump(True, profile_process="server")
barrier()

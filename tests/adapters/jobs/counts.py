# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""counts.py: publishes numbers of numpy, and names that are not valid as C strings."""
import numpy as np
import proftop

own = proftop.publish("own")
assert own.reason is None, own.reason
rows = own.counter("rows", kind=int)
rows.set(10)
rows -= np.uint8(3)
rows -= np.int8(-128)
rows.add(np.float32(-2.5))
loss = own.counter("loss", kind=int)
loss.set(5)
for none in (np.float32("nan"), np.float16("inf"), np.array(np.nan)):
    loss.set(none)
    loss -= none
own.counter("odd\0").set(1)
with own.task("load caf\udce9.csv"):
    pass

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""mxnet_loop.py: adds ones until the line `enough` arrives, between short waits for it. It has
proxies of deleted blocks, and a block."""
import gc
import select
import sys
import weakref

import mxnet as mx

# Some jobs have such proxies. In any listing order, the net is between the two.
first = weakref.proxy(mx.gluon.nn.Dense(1))
net = mx.gluon.nn.Dense(1)
net.initialize()
net.hybridize()
value = mx.np.ones((1, 1)) if mx.__version__[0] == "2" else mx.nd.ones((1, 1))
net(value)
last = weakref.proxy(mx.gluon.nn.Dense(1))
gc.collect()

print("ready", flush=True)
while not select.select([sys.stdin], [], [], 0.01)[0]:
    (mx.nd.ones((4, 4)) + 1).wait_to_read()
    net(value).wait_to_read()
print(mx.__version__)

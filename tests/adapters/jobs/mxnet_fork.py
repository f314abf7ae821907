# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""mxnet_fork.py: adds ones, and so does a forked child, more often. Both print the number of
additions."""
import os
import sys

import mxnet as mx


def work(times):
    for _ in range(times):
        total = (mx.nd.ones((4, 4)) + 1).asnumpy().sum()
    assert total == 32
    mx.nd.waitall()
    print(times, flush=True)


work(3)
child = os.fork()
if child:
    assert os.waitpid(child, 0)[1] == 0
    work(2)
else:
    work(7)
sys.exit(0)

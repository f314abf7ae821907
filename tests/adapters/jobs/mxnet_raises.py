# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""mxnet_raises.py: an operator that fails while it runs, inside a bulk and by itself."""
import mxnet as mx

nd = mx.nd


def fails(bulk):
    try:
        with mx.engine.bulk(bulk):
            value = nd.ones((4, 4)) + 1
            bad = nd.linalg.potrf(nd.zeros((3, 3)) - 1)
            value = value * 2
        bad.wait_to_read()
    except mx.base.MXNetError as error:
        print("MXNetError", str(error).strip().splitlines()[-1][:80])
    return value


for _ in range(3):
    fails(15)
    fails(0)
print((nd.ones((2, 2)) + 1).asnumpy().sum())
nd.waitall()

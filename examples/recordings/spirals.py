# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""spirals.py SECONDS: trains a network of three layers on two spirals, and reads its state by a
recurrent function now and then. `script/demo-recordings` records it."""
import sys
import time

import numpy as np
import pytensor
import pytensor.tensor as pt

WIDTH, ROWS = 96, 256
rng = np.random.default_rng(7)


def weights(rows, columns):
    return pytensor.shared(rng.standard_normal((rows, columns)) / rows ** 0.5, name="w%d" % rows)


def batch():
    turn, side = rng.random(ROWS) * 6, rng.integers(0, 2, ROWS)
    angle = turn + np.pi * side
    points = np.stack([turn * np.cos(angle), turn * np.sin(angle)], axis=1) / 6
    return points + rng.standard_normal((ROWS, 2)) * 0.02, side.astype("int64")


x, y = pt.dmatrix("x"), pt.lvector("y")
params = [weights(2, WIDTH), weights(WIDTH, WIDTH), weights(WIDTH, 2)]
hidden = pt.tanh(pt.dot(pt.tanh(pt.dot(x, params[0])), params[1]))
chance = pt.special.softmax(pt.dot(hidden, params[2]), axis=1)
loss = -pt.log(chance[pt.arange(y.shape[0]), y]).mean()
train = pytensor.function([x, y], loss, name="train", updates=[
    (w, w - 0.3 * g) for w, g in zip(params, pytensor.grad(loss, params))])
validate = pytensor.function([x, y], pt.eq(pt.argmax(chance, axis=1), y).mean(), name="validate")
states, _ = pytensor.scan(lambda row, before: pt.tanh(row + 0.5 * before), sequences=[hidden],
                          outputs_info=[pt.zeros(WIDTH)], name="memory")
remember = pytensor.function([x], states[-1], name="remember")

until, step = time.monotonic() + float(sys.argv[1]), 0
while time.monotonic() < until:
    train(*batch())
    step += 1
    if step % 20 == 0:
        validate(*batch())
    if step % 100 == 0:
        remember(batch()[0])

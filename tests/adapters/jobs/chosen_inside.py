# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""chosen_inside.py: a function with a loop. Its steps have a name of their own, `valid`."""
import pytensor
import pytensor.tensor as pt

x = pt.vector("x")
steps, _ = pytensor.scan(lambda a, b: pt.tanh(a + b), sequences=[x],
                         outputs_info=[pt.zeros(())], name="valid")
train = pytensor.function([x], steps.sum(), name="train")
for _ in range(3):
    train([1] * 5)

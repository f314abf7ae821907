# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""deep.py: a gradient of a product. Some of its nodes are made so deep in the framework, and in the
Python code that it calls, that the kept stack ends before the program's frames. Prints the files of
each node's stack, by the node's text."""
import json

import numpy as np
import pytensor
import pytensor.tensor as pt

x, w = pt.dmatrix("x"), pytensor.shared(np.ones((3, 2)), name="w")
step = pytensor.function([x], pytensor.grad(pt.exp(x @ w).sum(), w), name="step")
step(np.ones((4, 3)))
print(json.dumps([[str(node), sorted({frame[0] for value in node.outputs
                                      for trace in getattr(value.tag, "trace", None) or ()
                                      for frame in trace})]
                  for node in step.maker.fgraph.toposort()]))

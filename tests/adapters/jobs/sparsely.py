# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""sparsely.py: a node whose output is a sparse matrix. Its shape is known before it runs."""
import pytensor
import scipy.sparse
from pytensor.sparse.type import SparseTensorType

x = SparseTensorType("csc", dtype="float64", shape=(300, 200))("x")
f = pytensor.function([x], -x, name="f")
for _ in range(5):
    f(scipy.sparse.random(300, 200, 0.01, format="csc"))

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""ports_openvino.py: a model of OpenVINO with four products, run 100 times. Prints their names."""
import numpy as np
import openvino as ov
import openvino.opset13 as op

x = op.parameter([16, 64], np.float32, name="x")
values, products = x, []
for _ in range(4):
    weights = op.constant(np.full((64, 64), 0.01, np.float32))
    product = op.matmul(values, weights, False, False)
    products.append(product.get_friendly_name())
    values = op.relu(product)
compiled = ov.Core().compile_model(ov.Model([op.softmax(values, 1)], [x], "model"), "CPU")
for _ in range(100):
    compiled(np.ones((16, 64), np.float32))
print(" ".join(products))

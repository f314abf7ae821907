# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""advice.py PACKAGE: functions with different advice by the framework, each called once.
Prints which of the modules that the advice would load are loaded; then the framework's
profiles."""
import importlib
import sys

import numpy as np

package = sys.argv[1]
family = importlib.import_module(package)
tensor = importlib.import_module(package + ".tensor")

count, small = tensor.ivector("count"), tensor.fvector("small")
one, other = tensor.imatrix("one"), tensor.lmatrix("other")
ones = np.ones((2, 2), "int32")
functions = [
    (family.function([count], count + count, name="nothing"), [np.ones(3, "int32")]),
    (family.function([small], tensor.exp(small), name="exp"), [np.ones(3, "float32")]),
    (family.function([one, other], [tensor.dot(one, one), tensor.dot(one, other)], name="dots"),
     [ones, ones.astype("int64")]),
    (family.function([small], tensor.sin(small), name="sin"), [np.ones(3, "float32")])]
if package == "theano":
    image = tensor.fmatrix("image")
    functions.append((family.function([image], tensor.nnet.logsoftmax(image), name="softmax"),
                      [np.ones((2, 2), "float32")]))
for function, values in functions:
    function(*values)
print("loaded", package + ".gpuarray" in sys.modules)
for function, values in functions:
    function.profile.summary(sys.stdout)

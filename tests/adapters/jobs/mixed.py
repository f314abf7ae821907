# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""mixed.py: an op that runs C for some types and Python for others, twice in a function, in either
order."""
import numpy as np
import pytensor
from pytensor import tensor
from pytensor.graph import Apply
from pytensor.link.c.op import COp


class Twice(COp):
    __props__ = ()

    def make_node(self, x):
        return Apply(self, [x], [x.type()])

    def perform(self, node, inputs, outputs):
        outputs[0][0] = inputs[0] * 2

    def c_code(self, node, name, inputs, outputs, sub):
        if node.inputs[0].type.dtype == "int64":
            raise NotImplementedError
        return """
            Py_XDECREF(%(y)s);
            %(y)s = (PyArrayObject *)PyNumber_Add((PyObject *)%(x)s, (PyObject *)%(x)s);
            if (!%(y)s)
                %(fail)s
        """ % {"x": inputs[0], "y": outputs[0], "fail": sub["fail"]}

    def c_code_cache_version(self):
        return (1,)


twice = Twice()
x, i = tensor.dvector("x"), tensor.lvector("i")
for name, graph in (("one", twice(x)[0] + twice(i)[0]), ("two", twice(i)[0] + twice(x)[0])):
    f = pytensor.function([x, i], graph, name=name)
    for _ in range(3):
        print(f(np.ones(9), np.ones(9, "int64")))

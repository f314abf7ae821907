# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""mxnet_custom.py: a custom operator in Python, ten times forward and backward; one of a subclass
of its class, three times; and a function of autograd, four times."""
import mxnet as mx

nd = mx.nd


class Operator(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], in_data[0] + 1)

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], out_grad[0] * 2)


@mx.operator.register("MyOp")
class Prop(mx.operator.CustomOpProp):
    def __init__(self):
        super().__init__(need_top_grad=True)

    def infer_shape(self, in_shape):
        return [in_shape[0]], [in_shape[0]], []

    def create_operator(self, ctx, shapes, dtypes):
        return Operator()


@mx.operator.register(reg_name="Derived")
class Derived(Prop):
    pass


class Function(mx.autograd.Function):
    def forward(self, x):
        return x / 2

    def backward(self, dy):
        return dy / 4


def train(times, loss):
    for _ in range(times):
        with mx.autograd.record():
            y = loss()
        y.backward()


x = nd.ones((4, 4))
x.attach_grad()
train(10, lambda: nd.Custom(x, op_type="MyOp").sum())
train(3, lambda: nd.Custom(x, op_type="Derived").sum())
train(4, lambda: Function()(x).sum())
nd.waitall()
print(x.grad.asnumpy().sum())

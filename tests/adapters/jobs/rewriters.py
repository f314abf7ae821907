# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""rewriters.py: compiles a function and tells what the framework's own profile of its rewriters
says: a tree of [name, seconds, nodes before, nodes after, children]."""
import json
import os

import pytensor
import pytensor.tensor as pt
from pytensor.graph.rewriting.basic import SequentialGraphRewriter


def name_of(rewriter):
    return str(getattr(rewriter, "name", None) or type(rewriter).__name__)


def tree(name, profile, seconds, nodes):
    """Of those that apply others in a sequence, these too."""
    children = []
    if isinstance(profile, tuple) and isinstance(profile[0], SequentialGraphRewriter):
        parts, times, counts = profile[6], profile[1], profile[8]
        children = [tree(name_of(one), part, time, count) for
                    one, part, time, count in zip(profile[0].data, parts, times, counts)]
    return [name, seconds, *nodes, children]


x, y = pt.fmatrix("x"), pt.fmatrix("y")
z = pt.exp(pt.dot(x, y.T) * 1.0 + 0.0).sum() + (x.T + x.T).T.mean() * 1.0
function = pytensor.function([x, y], [z, pytensor.grad(z, x)], name="f", profile=True)
profile = function.profile
rewriter, told = profile.rewriter_profile
whole = tree(name_of(rewriter), told, profile.rewriting_time,
             (told[4], told[5]))
whole.append(profile.validate_time)
whole.append([[str(node), [str(v.type.dtype) for v in node.inputs],
               getattr(node.op, "view_map", {}), getattr(node.op, "destroy_map", {})]
              for node in function.vm.nodes])
with open(os.environ["TRUTH"], "w", encoding="utf-8") as file:
    json.dump(whole, file)

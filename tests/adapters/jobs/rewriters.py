# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""rewriters.py [PACKAGE]: compiles a function and tells what the framework's own profile of its
rewriters says: a tree of [name, seconds, nodes before, nodes after, children]."""
import importlib
import json
import os
import sys

package = (sys.argv[1:] or ["pytensor"])[0]
family = importlib.import_module(package)
tensor = importlib.import_module(package + ".tensor")
SEQUENCES = "SequentialGraphRewriter", "SeqOptimizer"  # today, and before Aesara


def name_of(rewriter):
    return str(getattr(rewriter, "name", None) or type(rewriter).__name__)


def tree(name, profile, seconds, nodes):
    """Of those that apply others in a sequence, these too."""
    children = []
    if isinstance(profile, tuple) and type(profile[0]).__name__ in SEQUENCES:
        parts, times, counts = profile[6], profile[1], profile[8]
        children = [tree(name_of(one), part, time, count) for
                    one, part, time, count in zip(profile[0], parts, times, counts)]
    return [name, seconds, *nodes, children]


x, y = tensor.fmatrix("x"), tensor.fmatrix("y")
z = tensor.exp(tensor.dot(x, y.T) * 1.0 + 0.0).sum() + (x.T + x.T).T.mean() * 1.0
function = family.function([x, y], [z, family.grad(z, x)], name="f", profile=True)
profile = function.profile
rewriter, told = getattr(profile, "rewriter_profile", None) or profile.optimizer_profile
seconds = getattr(profile, "rewriting_time", None) or profile.optimizer_time
whole = tree(name_of(rewriter), told, seconds, (told[4], told[5]))
whole.append(profile.validate_time)
whole.append([[str(node), [str(v.type.dtype) for v in node.inputs],
               getattr(node.op, "view_map", {}), getattr(node.op, "destroy_map", {})]
              for node in (getattr(function, "vm", None) or function.fn).nodes])
with open(os.environ["TRUTH"], "w", encoding="utf-8") as file:
    json.dump(whole, file)

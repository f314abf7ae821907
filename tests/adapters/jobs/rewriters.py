# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""rewriters.py [PACKAGE [scan]]: compiles a function, with or without a Scan, and prints the
framework's own profile of its rewriters: a tree of [name, seconds, nodes before, nodes after,
children]; with `scan`, the profile of the function inside the Scan."""
import importlib
import json
import os
import sys

package, *program = sys.argv[1:] or ["pytensor"]
family = importlib.import_module(package)
tensor = importlib.import_module(package + ".tensor")
SEQUENCES = "SequentialGraphRewriter", "SeqOptimizer"  # today, and before Aesara


def name_of(rewriter):
    return str(getattr(rewriter, "name", None) or type(rewriter).__name__)


def tree(name, profile, seconds, nodes):
    """A sequence of rewriters includes its parts."""
    children = []
    if isinstance(profile, tuple) and type(profile[0]).__name__ in SEQUENCES:
        parts, times, counts = profile[6], profile[1], profile[8]
        children = [tree(name_of(one), part, time, count) for
                    one, part, time, count in zip(profile[0], parts, times, counts)]
    return [name, seconds, *nodes, children]


def whole_tree(profile):
    rewriter, told = getattr(profile, "rewriter_profile", None) or profile.optimizer_profile
    seconds = getattr(profile, "rewriting_time", None) or profile.optimizer_time
    return tree(name_of(rewriter), told, seconds, (told[4], told[5]))


def tell(told):
    with open(os.environ["TRUTH"], "w", encoding="utf-8") as file:
        json.dump(told, file)


def nodes_of(function):
    return (getattr(function, "vm", None) or function.fn).nodes


x, y = tensor.fmatrix("x"), tensor.fmatrix("y")
if program == ["scan"]:
    steps, _ = family.scan(lambda row, sums: tensor.exp(row * 1.0) + sums + 0.0, x,
                           tensor.zeros_like(x[0]), name="steps")
    function = family.function([x], steps, name="f")
    [scan] = [node.op for node in nodes_of(function) if type(node.op).__name__ == "Scan"]
    profile = scan.fn.maker.profile
    tell([whole_tree(profile), profile.validate_time, len(nodes_of(scan.fn))])
    sys.exit()
z = tensor.exp(tensor.dot(x, y.T) * 1.0 + 0.0).sum() + (x.T + x.T).T.mean() * 1.0
function = family.function([x, y], [z, family.grad(z, x)], name="f", profile=True)
whole = [*whole_tree(function.profile), function.profile.validate_time]
whole.append([[str(node), [str(v.type.dtype) for v in node.inputs],
               getattr(node.op, "view_map", {}), getattr(node.op, "destroy_map", {})]
              for node in nodes_of(function)])
tell(whole)

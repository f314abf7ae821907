# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""python_names.py: no function of ours names a global that its module does not define. Python finds
that only when it gets there, and an adapter gets to some lines with one framework alone."""
import ast
import builtins
import os
import re
import symtable
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap  # noqa: E402
import tree  # noqa: E402

FOLDERS = ("adapters", "tests", "script")
PACKAGE = "adapters/python/proftop"
PACKAGES = ("proftop", "_proftop")  # its names in jobs
OF_EACH_MODULE = {"__file__", "__name__", "__doc__", "__path__", "__package__", "__spec__"}


def undefined(text, path):
    """(scope, name) of each global that is used and not defined, in any scope."""
    top = symtable.symtable(text, path, "exec")
    known = {symbol.get_name() for symbol in top.get_symbols()
             if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()}
    known |= set(dir(builtins)) | OF_EACH_MODULE
    known |= {word for line in re.findall(r"^(.*)# noqa: F821$", text, re.M)  # set from outside
              for word in re.findall(r"\w+", line)}
    scopes = [top]
    for scope in scopes:
        scopes += scope.get_children()
        known |= {symbol.get_name() for symbol in scope.get_symbols()
                  if symbol.is_declared_global() and symbol.is_assigned()}
    return [(scope.get_name(), symbol.get_name()) for scope in scopes
            for symbol in scope.get_symbols()
            if symbol.is_referenced() and (symbol.is_global() or scope is top) and
            not symbol.is_parameter() and not symbol.is_assigned() and
            symbol.get_name() not in known]


def each_name_is_defined():
    paths = list(tree.files(FOLDERS, ".py"))
    assert len(paths) > 100, paths
    wrong = ["%s: %s: %s" % (path, *one) for path in paths
             for one in undefined(tree.text_of(path), path)]
    assert not wrong, "\n".join(wrong)


def modules():
    """Maps the name of each module of the adapters' package to the names that it defines."""
    there = {"_feed": set()}  # the module in C: see bindings.py
    for path in tree.files([PACKAGE], ".py"):
        top = symtable.symtable(tree.text_of(path), path, "exec")
        there[os.path.basename(path)[:-3]] = OF_EACH_MODULE | {
            symbol.get_name() for symbol in top.get_symbols()}
    return there


def absent(text, there):
    """The attributes that a file reads of modules that it imports from the package, and the names
    that it imports from them, which these do not define."""
    found, alias = ast.parse(text), {}
    wrong = []
    for node in ast.walk(found):
        if not isinstance(node, ast.ImportFrom):
            continue
        parts = (node.module or "").split(".")
        if parts[-1] in there and (node.level or parts[0] in PACKAGES):
            wrong += [(parts[-1], one.name) for one in node.names
                      if one.name not in there[parts[-1]]]
        elif parts[0] in PACKAGES or (node.level and not node.module):
            alias.update({one.asname or one.name: one.name for one in node.names
                          if one.name in there})
            wrong += [("proftop", one.name) for one in node.names
                      if one.name not in there and one.name not in there["__init__"]]
    return wrong + [(alias[node.value.id], node.attr) for node in ast.walk(found)
                    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and
                    node.value.id in alias and node.attr not in there[alias[node.value.id]]]


def each_name_of_another_module_is_there():
    there = modules()
    assert len(there) > 20, there
    wrong = ["%s: %s" % (path, ".".join(one)) for path in tree.files(FOLDERS, ".py")
             for one in absent(tree.text_of(path), there)]
    assert not wrong, "\n".join(wrong)


def a_missing_name_is_found():
    text = "import os\ndef f(x):\n    def g():\n        return gone(x), os.path\n    return g\n"
    assert undefined(text, "planted") == [("g", "gone")]
    assert undefined("x = gone\n", "planted") == [("top", "gone")]
    text = "from . import ops as o\nfrom .ops import plain, lost\no.plain, o.gone, len.gone\n"
    assert absent(text, {"ops": {"plain"}, "__init__": set()}) == [("ops", "lost"), ("ops", "gone")]


tap.run(each_name_is_defined, each_name_of_another_module_is_there, a_missing_name_is_found)

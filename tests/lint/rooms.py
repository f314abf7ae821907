# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""rooms.py: the files of feed/ and adapters/ depend on each other in one direction. A file means a
.c file with the .h file of the same name. It depends on the headers that it includes, and on the
files whose functions it calls. See CONTRIBUTING.md, "Layers"."""
import ast
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap  # noqa: E402
import tree  # noqa: E402

# Each room depends only on rooms above it in this list, and on its own files.
ROOMS = (
    "include",
    "model",
    "feed/protocol",
    "feed/shared",
    "feed/publisher/record",
    "feed/publisher/api",
    "feed/publisher/collect",
    "feed/publisher/transport",
    "feed/publisher/publish",
    "feed/viewer/discovery",
    "feed/viewer/recording",
    "feed/viewer/stream",
    "feed/viewer/launch",
    "feed/viewer/remote",
    "adapters/inject",
    "adapters/common",
    "adapters/ports",
    "adapters/mxnet",
    "adapters/theano",
    "adapters/torch",
    "adapters/python/module",
)
FOLDERS = ("feed", "adapters")
KNOWN = set()  # dependencies(), once computed


def stem(path):
    return os.path.splitext(os.path.relpath(path, tap.source()))[0]


def includes():
    """{(file, file that it includes)}"""
    edges = set()
    for path in tree.files(FOLDERS, ".c", ".h"):
        for name in re.findall(r'^\s*#\s*include\s+"([^"]+)"', tree.text_of(path), re.M):
            for target in (name, os.path.join("include", name)):
                if os.path.exists(tap.source(target)):
                    edges.add((stem(path), os.path.splitext(target)[0]))
    return edges


def objects():
    """{file: (symbols that it defines, symbols that it refers to)} of the objects of the build."""
    paths = {}
    for folder in FOLDERS:
        for where, _, names in os.walk(tap.built(folder)):
            for name in names:
                path = os.path.relpath(os.path.join(where, name), tap.built()).replace(".libs/", "")
                folder_of, base = os.path.split(path)
                source = os.path.join(folder_of, base[:-2].rsplit("-", 1)[-1])
                if name.endswith(".o") and os.path.exists(tap.source(source + ".c")):
                    paths[source] = os.path.join(where, name)
    out = subprocess.run(["nm", "-P", "-A", *paths.values()], check=True, capture_output=True,
                         text=True).stdout
    symbols = {path: (set(), set()) for path in paths.values()}
    for path, symbol, kind in re.findall(r"^(.*): (\S+) (\w)", out, re.M):
        if kind in "TDBRVWCU":
            symbols[path][kind == "U"].add(symbol)
    return {source: symbols[path] for source, path in paths.items()}


def calls():
    """{(file, file whose function or variable it uses)}"""
    found = objects()
    assert len(found) > 80, len(found)
    defined_in = {symbol: source for source, (defined, _) in found.items() for symbol in defined}
    return {(source, defined_in[symbol]) for source, (_, used) in found.items() for symbol in used
            if symbol in defined_in}


def circles(edges):
    """The sets of files that depend on each other (Tarjan's strongly connected components)."""
    targets = {}
    for source, target in edges:
        targets.setdefault(source, set()).add(target)
    number, low, stack, found = {}, {}, [], []

    def visit(source):
        number[source] = low[source] = len(number)
        stack.append(source)
        for target in targets.get(source, ()):
            if target not in number:
                visit(target)
            if target in stack:
                low[source] = min(low[source], low[target])
        if low[source] == number[source]:
            at = stack.index(source)
            if len(stack) - at > 1:
                found.append(sorted(stack[at:]))
            del stack[at:]

    for source in sorted(targets):
        if source not in number:
            visit(source)
    return found


def dependencies():
    if not KNOWN:
        KNOWN.update((a, b) for a, b in includes() | calls() if a != b)
    return KNOWN


def no_files_depend_on_each_other():
    edges = dependencies()
    assert len(edges) > 300, len(edges)
    wrong = ["%s: %s" % (", ".join(circle), ["%s -> %s" % edge for edge in sorted(edges)
                                             if set(edge) <= set(circle)])
             for circle in circles(edges)]
    assert not wrong, "\n".join(wrong)


def each_room_depends_on_those_before_it():
    wrong = []
    for source, target in sorted(dependencies()):
        room, other = os.path.dirname(source), os.path.dirname(target)
        assert room in ROOMS and other in ROOMS, "rooms.py has no room for %s or %s" % (
            source, target)
        if ROOMS.index(other) > ROOMS.index(room):
            wrong.append("%s -> %s" % (source, target))
    assert not wrong, "\n".join(wrong)


def modules():
    """{(module, module that it imports)} of the Python adapter; "from proftop import a" too."""
    edges = set()
    folder = tap.source("adapters", "python", "proftop")
    names = {os.path.splitext(name)[0] for name in os.listdir(folder) if name.endswith(".py")}
    for name in names:
        for node in ast.walk(ast.parse(tree.text_of(os.path.join(folder, name + ".py")))):
            imported = []
            if isinstance(node, ast.ImportFrom) and (node.level or node.module == "proftop"):
                imported = [node.module] if node.level and node.module else \
                    [alias.name for alias in node.names]
            elif isinstance(node, ast.Import):
                imported = [alias.name[8:] for alias in node.names
                            if alias.name.startswith("proftop.")]
            edges |= {(name, other) for other in imported if other in names and other != name}
    return edges


def no_modules_import_each_other():
    edges = modules()
    assert len(edges) > 40, len(edges)
    assert not circles(edges), circles(edges)


def a_circle_is_found():
    assert circles({("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")}) == [["a", "b", "c"]]
    assert circles({("a", "b"), ("a", "c"), ("b", "c")}) == []


def the_way_of_an_event_is_that_of_the_code():
    """Each line of the drawing in docs/design.md names a function in a file. An indented line is
    called in the file of the line above it that is one level less deep."""
    [drawing] = re.findall(r"### From proftop_end\(\) to a cell.*?```\n(.*?)```",
                           tree.text_of(tap.source("docs", "design.md")), re.S)
    steps = re.findall(r"^( +)(\w+)\(\) +(\S+)", drawing, re.M)
    assert len(steps) > 20, steps
    wrong, above = [], {}
    for indent, name, file in steps:
        depth = len(indent) // 2
        text = tree.text_of(tap.source(file))
        if not re.search(r"^(\w.*\b)?%s\(" % name, text, re.M):
            wrong.append("%s does not define %s()" % (file, name))
        if depth > 1 and not re.search(r"\b%s\b" % name, tree.text_of(above[depth - 1])):
            wrong.append("%s does not call %s()" % (above[depth - 1], name))
        above[depth] = tap.source(file)
    assert not wrong, "\n".join(wrong)


def the_tests_of_the_guards_exist():
    page = tree.text_of(tap.source("feed", "publisher", "transport", "README.md"))
    cases = re.findall(r"`(check_\w+\.c):(\w+)`", page)
    assert len(cases) > 10, cases
    wrong = ["%s:%s" % (file, case) for file, case in cases
             if "START_TEST(%s)" % case not in tree.text_of(tap.source("tests", "feed", file))]
    wrong += [path for path in re.findall(r"`((?:tests|feed|docs)/[\w/.]+\.\w+)`", page)
              if not os.path.exists(tap.source(path))]
    assert not wrong, wrong


tap.run(no_files_depend_on_each_other, each_room_depends_on_those_before_it,
        no_modules_import_each_other, a_circle_is_found,
        the_way_of_an_event_is_that_of_the_code, the_tests_of_the_guards_exist)

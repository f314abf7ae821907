# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_members.py: every member of Theano's family that there is, by each linker that it has,
under `proftop run`: the job does not notice, and every node is counted as the framework counts it.

PROFTOP_TEST_MEMBERS names them: NAME=PYTHON, with blanks between (script/venv makes them)."""
import ast
import os
import re
import sys

sys.dont_write_bytecode = True
import watching  # noqa: E402
from watching import Place, applies, function, job, tap  # noqa: E402

STEPS = 50
# Name of a virtual environment: the package, what the header calls it, and its flags.
MEMBERS = {
    "theano": ("theano", "Theano", "blas.ldflags="),
    "theano-pymc": ("theano", "Theano-PyMC", "blas__ldflags="),
    "aesara": ("aesara", "Aesara", ""),
    "pytensor-2.25": ("pytensor", "PyTensor", ""),
    "pytensor-3.0": ("pytensor", "PyTensor", ""),
    "pymc": ("pytensor", "PyTensor", ""),  # 2.38
}


def present():
    return dict(word.split("=", 1) for word in os.environ.get("PROFTOP_TEST_MEMBERS", "").split())


def one_member(name):
    """Runs it bare, watched, and watched while it profiles itself."""
    package, framework, flags = MEMBERS[name]
    python = present().get(name)
    if not python:
        raise tap.Skip("PROFTOP_TEST_MEMBERS names no Python for %s" % name)
    with Place() as place:
        flags = ",".join(filter(None, ["base_compiledir=%s-%s" % (watching.compiledir(), name),
                                       flags]))
        env = {variable: flags for variable in ("THEANO_FLAGS", "AESARA_FLAGS", "PYTENSOR_FLAGS")}
        words = (job("member"), package, str(STEPS))
        watching.run([python, *words], dict(place.env(), **env), place.path)  # fills the caches
        bare = watching.run([python, *words], dict(place.env(), **env), place.path)
        done, known = watching.watched_by(python, place, *words, **env)
        told = place.file("truth.json")
        _, profiled = watching.watched_by(python, place, *words, TRUTH=told, **env)
        told = watching.truth(told)
    assert bare.returncode == done.returncode == 0, (bare.stderr, done.stderr)
    assert (bare.stdout, bare.stderr) == (done.stdout, done.stderr), (bare, done)
    assert known["jobs"][0]["framework"] == framework, known["jobs"]
    nodes = dict(re.findall(r"^nodes (\S+) (.*)$", done.stdout.decode(), re.M))
    assert len(nodes) == 5, nodes
    for linker, texts in nodes.items():
        compare(known, linker, ast.literal_eval(texts))
    assert set(told) == {"cvm", "vm", "vm_nogc"}, set(told)
    for linker in told:
        watching.compare_calls(profiled, told, linker)


def compare(known, linker, texts):
    row = function(known, linker)
    rows = applies(known, row)
    assert row["calls"] == STEPS, row
    assert [one["name"] for one in rows] == texts, (linker, rows, texts)
    assert {one["calls"] for one in rows} == {STEPS}, (linker, rows)
    named = {one["id"]: one["name"] for one in known["lines"]}
    places = {named[one["line"]] for one in rows} - {None}
    assert len(places) > 2 and all(one.startswith(job("member") + ":") for one in places), places
    impls = {one["impl"] for one in rows}
    assert impls == {"Py"} if linker == "py" else "C" in impls, (linker, impls)
    thunks = sum(one["total_ns"] for one in rows)
    assert 0 < thunks <= row["call_ns"], row
    assert (row["vm_ns"] is None) == (linker in ("py", "c|py")), row
    assert row["vm_ns"] is None or thunks <= row["vm_ns"] <= row["call_ns"], row
    assert 0 < row["validate_ns"] < row["rewrite_ns"], row
    assert 0 < row["link_ns"] and row["rewrite_ns"] + row["link_ns"] <= row["compile_ns"], row
    assert row["file"] == job("member") and row["line"] > 0, row


def case(name):
    def counted():
        one_member(name)
    counted.__name__ = "every_node_is_counted_in_" + re.sub(r"\W", "_", name)
    return counted


if __name__ == "__main__":
    tap.run(*[case(name) for name in MEMBERS])

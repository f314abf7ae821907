# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_probes.py: future releases (jobs/renamed). proftop does not check their version. It uses
each part that they still have. For each missing part a probe fails, the header names the probe, and
only that part is not seen. The job's output never changes.

The Pythons are PROFTOP_TEST_PYTHON and, for Numba, pytensor-3.0 in PROFTOP_TEST_MEMBERS."""
import os
import sys

sys.dont_write_bytecode = True
import watching  # noqa: E402
from watching import Place, applies, examined, function, job, tap  # noqa: E402

NEXT = {"PYTHONPATH": os.path.dirname(job("renamed/sitecustomize"))}
CALLS = 5
TABLES = "C VM by its pointer tables: 1 function"
MARKS = "Numba by marks in its source: 1 function"
UNSEEN = "no nodes, calls only: 1 function"
ONCE = "; probes failed: counted once"


def next_release(name, linker, rename="", what=""):
    """proftop's last report of the job, with the function of this linker."""
    python, package, flags, folder = watching.member(name)
    env = dict(watching.family(flags, name=folder), RENAME=rename, NEXT=what, **NEXT)
    with Place() as place:
        if what == "cached":  # its compiled code is in no cache, and enters none
            env["PYTENSOR_FLAGS"] = "base_compiledir=" + place.file("compiledir")
        _, known = watching.beside_alone(python, place, job("member"), package, str(CALLS), linker,
                                         **env)
    assert function(known, linker)["calls"] == CALLS, known["functions"]
    assert known["jobs"][0]["version"] == "99.1", known["jobs"]
    return known


def failed(known):
    """Names of probes in the notices."""
    return [one["text"].split("'")[1] for one in known["notices"]
            if one["text"].startswith("the probe '")]


def nodes_are_counted(known, linker):
    nodes = applies(known, function(known, linker))
    assert len(nodes) > 10 and {one["calls"] for one in nodes} == {CALLS}, nodes


def renamed_framework_modules_are_found():
    """Modules have other names, and a class is in another module."""
    for rename in ("pytensor.compile.function.types=pytensor.compile.function.kinds",
                   "pytensor.link.vm=pytensor.link.machines",
                   "pytensor.graph.features=pytensor.graph.traits"):
        known = next_release("pytensor-2.31", "cvm", rename)
        nodes_are_counted(known, "cvm")
        row = function(known, "cvm")
        assert known["jobs"][0]["route"] == TABLES and not failed(known), known["jobs"]
        assert 0 < row["validate_ns"] < row["rewrite_ns"] < row["compile_ns"], row


def missing_framework_part_disables_one_probe_only():
    """A part of a compilation is unknown. Nodes are seen as usual."""
    for rename, probe, unknown, kept in (
            ("insert_deepcopy=insert_copies", "rewriting", "", "compile_ns link_ns"),
            ("prepare_fgraph=prepare_graph", "rewriting", "rewrite_ns", "compile_ns link_ns"),
            ("orig_function=make_function", "compilation", "", "compile_ns rewrite_ns link_ns"),
            ("validate_=approve", "validation", "validate_ns", "compile_ns rewrite_ns link_ns"),
            ("GraphRewriter=Rewriting", "rewriters", "", "compile_ns rewrite_ns link_ns"),
            ("refresh=read_again", "loading", "", "compile_ns rewrite_ns link_ns")):
        known = next_release("pytensor-2.31", "cvm", rename)
        nodes_are_counted(known, "cvm")
        assert known["jobs"][0]["route"] == TABLES + "; probes failed: " + probe, known["jobs"]
        assert failed(known) == [probe], (rename, known["notices"])
        row = function(known, "cvm")
        assert all(row[part] is None for part in unknown.split()), (rename, row)
        assert all(row[part] > 0 for part in kept.split()), (rename, row)


def failed_functions_probe_is_reported():
    python, rename = watching.need_python(), "FunctionMaker=MakerOfFunctions"
    env = dict(watching.family(), RENAME=rename, **NEXT)
    with Place() as place:
        _, known = watching.beside_alone(python, place, job("member"), "pytensor", "1", "cvm",
                                         **env)
        found = examined(place, python, "x.py", code=3, **env)
    assert known["jobs"][0]["route"] == "probes failed: functions", known["jobs"]
    assert not known["functions"] and failed(known) == ["functions"], known["notices"]
    assert found["probe"] == [("fault", "functions failed: there is no FunctionMaker.__init__")], \
        found


def a_vm_that_runs_other_thunks_is_found_out():
    """At its first call. Functions compiled later do not use that route again."""
    known = next_release("pytensor-2.31", "vm", what="decoy")
    assert known["jobs"][0]["route"] == UNSEEN + ONCE, known["jobs"]
    assert failed(known) == ["counted once"], known["notices"]
    python, env = watching.need_python(), dict(watching.family(), NEXT="decoy", **NEXT)
    with Place() as place:
        _, known = watching.beside_alone(python, place, job("decoys"), **env)
    assert [len(applies(known, function(known, name))) for name in ("first", "second")] == [2, 0]
    assert known["jobs"][0]["route"] == "no nodes, calls only: 2 functions" + ONCE, known["jobs"]


def tables_that_are_not_run_are_found_out():
    """VMs that are made later count themselves."""
    with Place() as place:
        _, known = watching.beside_alone(watching.need_python(), place, job("decoys"), "tables",
                                         **watching.family("linker=cvm"))
    assert known["jobs"][0]["route"] == \
        UNSEEN + "; C VM by its own lists of times (step 2 of 3): 1 function" + ONCE, known["jobs"]
    assert {one["calls"] for one in applies(known, function(known, "second"))} == {3}, known
    assert failed(known) == ["counted once"], known["notices"]


def failed_numba_probes_are_reported():
    for rename, what, probe in (
            ("numba_funcify_and_cache_key=numba_made", "", "Numba"),
            ("fgraph_to_python=fgraph_to_source", "", "Numba"),
            ("fgraph_convert=convert_fgraph", "", "Numba"),
            ("", "source", "source of Numba"), ("", "cached", "counted once")):
        known = next_release("pytensor-3.0", "numba", rename, what)
        assert known["jobs"][0]["route"] == UNSEEN + "; probes failed: " + probe, known["jobs"]
        assert failed(known) == [probe], (rename, known["notices"])
        said = [one["text"] for one in known["notices"] if "not seen" in one["text"]]
        assert what == "cached" or "the probe '%s' failed" % probe in said[0], known["notices"]
    known = next_release("pytensor-3.0", "numba")
    nodes_are_counted(known, "numba")
    assert known["jobs"][0]["route"] == MARKS and not failed(known), known["jobs"]


tap.run(renamed_framework_modules_are_found, missing_framework_part_disables_one_probe_only,
        failed_functions_probe_is_reported, a_vm_that_runs_other_thunks_is_found_out,
        tables_that_are_not_run_are_found_out, failed_numba_probes_are_reported)

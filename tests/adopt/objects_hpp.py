# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""objects_hpp.py: proftop.hpp: counters with operators, spans and scopes that end with
their block."""
import adopting
from adopting import CXX, compile_c, environment, here, linked, report_of, tap

VALUES = {("io", "rows"): (-2, -2, 5, 3), ("io", "steps"): (1, 1, 2, 3),
          ("io", "least"): ((1 << 63) - 1, -1, (1 << 63) - 1, 3), ("io", "load"): (2.5, 2, 3.5, 3),
          ("gpu/0", "storage"): (400, 300, 700, 3), ("cpu", None): (7, 7, 7, 1)}
OWNED = {("own", "made"): (4, 2, 4, 2), ("own", "share"): (0.5, 0.5, 0.5, 2),
         ("own", None): (10, 5, 14, 4)}
RUNS = {("task", "read"): 4, ("frame", "pass"): 3, ("event", "wait"): 2}
ON = ["same 1", "inside a:b: a:b:", "after a:", "alone c:", "out <unk>:"]
OFF = ["same 1", "inside <unk>: <unk>:", "after <unk>:", "alone <unk>:", "out <unk>:"]


def build(name, standard, *form, compiler=None, link=()):
    adopting.needs((compiler or CXX)[0])
    return compile_c(name, *form, here("objects.cc"), *link, "-pthread",
                     compiler=compiler or CXX, standard=standard)


def counters_of(report):
    return {(row["domain"], row["name"]): (row["value"], row["min"], row["max"], row["updates"])
            for row in report["counters"]}


def figures_are_right(program):
    report, said = report_of(program)
    assert said.splitlines() == ON, said
    assert counters_of(report) == VALUES, report["counters"]
    runs = {(row["kind"], row["name"]): row["calls"] for row in report["spans"]}
    assert runs == RUNS, runs
    assert all(row["open_since_ns"] is None for row in report["spans"]), report["spans"]


def operators_and_blocks():
    for standard in ("c++11", "c++20"):
        figures_are_right(build("objects", standard, link=linked()))


def members():
    """Members made without a feed count nowhere. Later they get a feed and move with it. Their end
    does not end the feed's objects."""
    for form, link in ((), linked()), (("-DPROFTOP_DYNAMIC",), ()):
        report, _ = report_of(build("members", "c++11", *form, link=link), "own")
        assert counters_of(report) == OWNED, report["counters"]
        spans = [(row["name"], row["calls"]) for row in report["spans"]]
        job = report["jobs"][0]
        assert (spans, job["misuse"], job["invalid"]) == ([("read", 0)], 0, 0), report


def dynamic():
    program = build("dynamic", "c++11", "-DPROFTOP_DYNAMIC")
    figures_are_right(program)
    assert adopting.do(program, env=environment(library=None)).splitlines() == OFF


def off():
    said = adopting.do(build("off", "c++17", "-DPROFTOP_OFF"), env=environment())
    assert said.splitlines() == OFF, said


def compiles_with_each_compiler():
    for compiler in ("g++", "clang++"):
        if adopting.shutil.which(compiler):
            for form in ("-DPROFTOP_NOTHING", "-DPROFTOP_DYNAMIC", "-DPROFTOP_OFF"):
                build("objects.o", "c++14", form, "-c", compiler=[compiler])


tap.run(operators_and_blocks, members, dynamic, off, compiles_with_each_compiler)

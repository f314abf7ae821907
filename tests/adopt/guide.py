# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""guide.py: docs/libproftop.md is correct: its programs are written to files of their names,
compiled as the page says, and run. Its error messages are the library's own."""
import os
import re

import adopting
from adopting import CC, CXX, SANITIZE, STRICT, calls, do, environment, folder, path, tap

PAGE = tap.source("docs", "libproftop.md")
PROJECT = path("guide")


def page():
    with open(PAGE, encoding="utf-8") as file:
        return file.read()


def blocks():
    """Maps the file name of each block of the page to the block's text."""
    found = re.findall(r"^```(\w+) (\S+)\n(.*?)^```$", page(), re.M | re.S)
    assert len(found) == page().count("\n```") // 2, "a block has no name"
    return {name: text for _, name, text in found}


def written():
    adopting.installed()
    os.makedirs(PROJECT, exist_ok=True)
    for name, text in blocks().items():
        with open(os.path.join(PROJECT, name), "w", encoding="utf-8") as file:
            file.write(text)


def tools():
    """An environment in which `cc`, `c++`, `proftop` and pkg-config are ours."""
    names = {"cc": [*CC, *SANITIZE], "c++": [*CXX, *SANITIZE], "proftop": [adopting.PROFTOP]}
    os.makedirs(path("tools"), exist_ok=True)
    for name, command in names.items():
        with open(path("tools", name), "w", encoding="ascii") as file:
            file.write('#!/bin/sh\nexec %s "$@"\n' % " ".join(command))
        os.chmod(path("tools", name), 0o755)
    return environment(library=folder("libdir"), **adopting.pkg_config_paths(),
                       PATH=path("tools") + ":" + os.environ["PATH"], LC_ALL="C.UTF-8")


def commands(name):
    """The output of the commands of a block. Reports of `run -b` go to stderr."""
    return do("sh", "-ec", "exec 2>&1; . ./%s.sh" % name, cwd=PROJECT, env=tools())


def programs_compile_strictly():
    written()
    include = "-I" + folder("includedir")
    for name in blocks():
        if name.endswith(".c"):
            for standard in ("c99", "c17"):
                do(*CC, "-std=" + standard, *STRICT, include, "-c", "-o", path("one.o"), name,
                   cwd=PROJECT)
        elif name.endswith(".cc"):
            adopting.needs(CXX[0])
            for standard in ("c++11", "c++17", "c++20"):
                do(*CXX, "-std=" + standard, *STRICT, include, "-c", "-o", path("one.o"), name,
                   cwd=PROJECT)


def the_smallest_publisher_is_seen():
    written()
    shown = commands("smallest")
    assert re.search(r"(?m) Elemwise\{add\}\(x, 1\) *$", shown) and "20.0k" in shown, shown
    report, _ = adopting.report_of(os.path.join(PROJECT, "smallest"), env=tools())
    assert calls(report, "applies") == {"Elemwise{add}(x, 1)": 20000}
    assert calls(report, "functions") == {"step": None}


def a_function_is_counted():
    written()
    do("cc", "-o", "step", "step.c", "-I" + folder("includedir"), "-L" + folder("libdir"),
       "-lproftop", cwd=PROJECT, env=tools())
    report, _ = adopting.report_of(os.path.join(PROJECT, "step"), env=tools())
    assert calls(report, "functions") == {"step": 300}
    [row] = report["applies"]
    assert (row["name"], row["calls"], row["location"], row["impl"]) == (
        "Elemwise{add}(x, 1)", 300, "model.c:12", "C"), row


def the_engine_in_cxx_is_seen():
    written()
    adopting.needs(CXX[0])
    shown = commands("engine")
    assert "predict" in shown and "relu(dense.0)" in shown, shown
    report, _ = adopting.report_of(os.path.join(PROJECT, "engine"), env=tools())
    assert calls(report, "applies") == {"dense(x, w1)": 5000, "relu(dense.0)": 5000}
    assert report["jobs"][0]["framework"] == "MyEngine"


def counters_spans_and_memory_are_seen():
    written()
    adopting.needs(CXX[0])
    commands("loader")
    report, _ = adopting.report_of(os.path.join(PROJECT, "loader"), env=tools())
    counters = {row["name"]: (row["value"], row["max"], row["updates"])
                for row in report["counters"]}
    assert counters == {"rows": (3200, 3200, 101), "buffers": (0, 65536, 200)}, counters
    assert [(row["name"], row["calls"]) for row in report["spans"]] == [("read", 100)], report


def the_other_objects_are_seen():
    written()
    adopting.needs(CXX[0])
    do("c++", "-std=c++11", "-o", "kinds", "kinds.cc", "-I" + folder("includedir"),
       "-L" + folder("libdir"), "-lproftop", cwd=PROJECT, env=tools())
    report, _ = adopting.report_of(os.path.join(PROJECT, "kinds"), env=tools())
    spans = {(row["kind"], row["domain"], row["name"]): row["calls"] for row in report["spans"]}
    assert spans == {("frame", "train", "step"): 1, ("event", "event", "save"): 1}, spans
    assert [row["value"] for row in report["counters"] if row["name"] == "loss"] == [1], report
    memory = {row["scope"]: row["bytes"] for row in report["memory"]}
    assert memory == {None: 4096, "net:": 4096}, memory


def details_and_metrics_are_seen():
    written()
    adopting.needs(CXX[0])
    commands("detail")
    report, _ = adopting.report_of(os.path.join(PROJECT, "detail"), env=tools())
    [row] = report["applies"]
    detail = row["detail"]
    assert (row["calls"], detail["flops"], detail["device"]) == (100, 40960, "cpu"), row
    assert [value["shape"] for value in detail["inputs"]] == [[32, 64], [64, 10]], detail
    [made] = detail["outputs"]
    assert (made["dtype"], made["shape"], made["bytes"]) == ("float32", [32, 10], 1280), detail
    assert row["metrics"] == {"energy": 2500}, row["metrics"]
    assert report["jobs"][0]["misuse"] == 0


def cmake_builds_the_engine():
    written()
    adopting.needs("cmake", CXX[0])
    flags = " ".join(SANITIZE)
    do("cmake", "-S", PROJECT, "-B", path("cmake"), "-DCMAKE_CXX_COMPILER=" + CXX[0],
       "-DCMAKE_CXX_FLAGS=" + flags, "-DCMAKE_PREFIX_PATH=" + folder("prefix"), env=adopting.PLAIN)
    do("cmake", "--build", path("cmake"), env=adopting.PLAIN)
    report, _ = adopting.report_of(path("cmake", "engine"), env=tools())
    assert calls(report, "functions") == {"predict": 5000}


def optional_feed_is_off_by_default():
    written()
    assert commands("optional") == "not published: nobody asked for the feed: set PROFTOP=1, or " \
        "start the program with `proftop run`\n"


def given_numbers_are_taken():
    written()
    do("cc", "-o", "given", "given.c", "-I" + folder("includedir"), "-L" + folder("libdir"),
       "-lproftop", cwd=PROJECT, env=tools())
    report, _ = adopting.report_of(os.path.join(PROJECT, "given"), env=tools())
    rows = {row["name"]: (row["calls"], row["total_ns"]) for row in report["ops"]}
    assert rows == {"conv": (1, 12500), "norm": (40, 98000000)}, rows
    assert report["functions"][0]["calls"] is None
    assert [row["name"] for row in report["classes"]] == ["Kernel"], report["classes"]


def reasons_are_the_words_of_the_library():
    source = ""
    for where, _, names in [*os.walk(tap.source("feed")), *os.walk(adopting.HEADERS)]:
        for name in names:
            if name.endswith((".c", ".h")):
                with open(os.path.join(where, name), encoding="utf-8") as file:
                    source += file.read()
    table = page().split("| `proftop_reason()`")[1].split("\n\n")[0]
    reasons = re.findall(r"^\| `([^`]*)` \|", table, re.M)
    assert len(reasons) >= 8, reasons
    assert not [reason for reason in reasons if reason not in source], reasons


tap.run(programs_compile_strictly, the_smallest_publisher_is_seen, the_engine_in_cxx_is_seen,
        counters_spans_and_memory_are_seen, the_other_objects_are_seen,
        details_and_metrics_are_seen, cmake_builds_the_engine,
        optional_feed_is_off_by_default, given_numbers_are_taken,
        reasons_are_the_words_of_the_library)

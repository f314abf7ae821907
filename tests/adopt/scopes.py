# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""scopes.py: proftop.hpp ends each begun node once, as failed if an exception ends it."""
import adopting
from adopting import CXX, calls, compile_c, environment, here, linked, path, report_of, tap

# Of ten runs of `thrown`, five throw. So do the calls around them.
NODES = {"plain": 10, "thrown": 5, "early": 1, "failed": 0, "moved": 1, "unwound": 1, "passed": 1}
CALLS = {"step": 15}
# In each form, in whatever way the feeds before it ended.
NOTHING = "nothing there is no feed\n"


def build(name, standard, *form, compiler=None, link=()):
    adopting.needs((compiler or CXX)[0])
    return compile_c(name, *form, here("scopes.cc"), *link, "-pthread",
                     compiler=compiler or CXX, standard=standard)


def counts_are_right(program, env=None):
    report, said = report_of(program, env=env)
    assert calls(report, "ops") == NODES, report["ops"]
    assert calls(report, "functions") == CALLS, report["functions"]
    function = report["functions"][0]
    assert function["compile_ns"] > 0 and function["file"].endswith("scopes.cc"), function
    assert report["jobs"][0]["framework"] == "C++", report["jobs"]
    assert said.split() == ["none", "0", "opened", "0", "feed", "1", "reason",
                            *NOTHING.split(), "taken", "1", "left", "0"], said


def linked_in_each_standard():
    for standard in ("c++11", "c++20"):
        counts_are_right(build("linked", standard, link=linked()))


def dynamic():
    program = build("dynamic", "c++11", "-DPROFTOP_DYNAMIC")
    counts_are_right(program)
    said = adopting.do(program, env=environment(library=None))
    assert "feed 0" in said and "libproftop.so.0 could not be loaded" in said, said
    assert NOTHING in said, said


def off():
    said = adopting.do(build("off", "c++17", "-DPROFTOP_OFF"), env=environment())
    assert "feed 0" in said and "PROFTOP_OFF" in said and NOTHING in said, said


def compiles_with_each_compiler():
    for compiler in ("g++", "clang++"):
        if adopting.shutil.which(compiler) and compiler != CXX[0]:
            build("scopes.o", "c++14", "-c", compiler=[compiler])


def without_exceptions():
    """Engines are compiled with these options."""
    adopting.needs(CXX[0])
    with open(path("bare.cc"), "w", encoding="ascii") as file:
        file.write("#include <proftop.hpp>\nint main() { ptop::feed none;\n"
                   "ptop::node node(none, 0); return none.is_on(); }\n")
    program = compile_c("bare", "-fno-exceptions", "-fno-rtti", path("bare.cc"), *linked(),
                        compiler=CXX, standard="c++17")
    adopting.do(program, env=environment())


tap.run(linked_in_each_standard, dynamic, off, compiles_with_each_compiler, without_exceptions)

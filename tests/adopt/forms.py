# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""forms.py: the three forms of proftop.h: linked, loaded if present (PROFTOP_DYNAMIC), and compiled
out (PROFTOP_OFF)."""
import itertools
import os
import re

import adopting
from adopting import calls, compile_c, do, environment, here, linked, path, report_of, tap

COUNT = 1000
# For engine.c: each fourth call of `own` fails. The part in the shared library runs twice as often.
EXPECTED = {"own": COUNT * 3 // 4, "given": COUNT, "near": COUNT, "far": 2 * COUNT}
NOT_THERE = r"^libproftop\.so\.0 could not be loaded: .*LD_DEBUG=libs"


def build(name, *form, link=()):
    """The engine of three parts: the file, a static library, a shared library."""
    compile_c(name + ".near.o", "-c", "-DPART=near_part", *form, here("engine_part.c"))
    do("ar", "rcs", path("lib%s.near.a" % name), path(name + ".near.o"))
    far = compile_c("lib%s.far.so" % name, "-shared", "-fPIC", "-DPART=far_part", *form,
                    here("engine_part.c"), *link)
    return compile_c(name, *form, here("engine.c"), path("lib%s.near.a" % name), far, *link,
                     "-Wl,-rpath," + path(), "-pthread", standard="gnu99")


def said(out):
    """The output of engine.c as a table."""
    return dict(re.findall(r"^(\w+) (.*)$", out, re.M))


def needed(program):
    return re.findall(r"NEEDED.*\[(.*)\]", do("readelf", "-d", program))


def counts_are_right(program):
    report, out = report_of(program, str(COUNT))
    words = said(out)
    assert calls(report, "applies") == EXPECTED, (report["applies"], out)
    assert calls(report, "functions") == {"step": COUNT}, report["functions"]
    assert report["functions"][0]["vm_ns"] == 7
    assert (words["on"], words["threads"]) == ("1", "8"), out
    assert re.match(r"\d+\.\d+\.\d+$", words["version"]), out
    assert words["unopened"] == "there is no feed", out
    return words


def linked_counts():
    program = build("linked", link=linked())
    assert "libproftop.so.0" in needed(program)
    assert counts_are_right(program)["mapped"] == "1 1"


def dynamic_counts():
    program = build("dynamic", "-DPROFTOP_DYNAMIC")
    for file in (program, path("libdynamic.far.so")):
        assert not [name for name in needed(file) if "proftop" in name or "zmq" in name]
    assert counts_are_right(program)["mapped"] == "0 1"


def dynamic_and_linked_parts_mix():
    far = path("libmixed.far.so")
    compile_c("mixed.near.o", "-c", "-DPART=near_part", here("engine_part.c"))
    compile_c("libmixed.far.so", "-shared", "-fPIC", "-DPART=far_part", "-DPROFTOP_DYNAMIC",
              here("engine_part.c"))
    program = compile_c("mixed", here("engine.c"), path("mixed.near.o"), far, *linked(),
                        "-Wl,-rpath," + path(), standard="gnu99")
    report, _ = report_of(program, str(COUNT))
    # The shared library opens no feed. It counts with a feed that it is given, if libproftop is
    # loaded.
    assert calls(report, "applies") == EXPECTED, report["applies"]


def dynamic_without_the_library_is_off():
    program = path("dynamic")
    words = said(do(program, str(COUNT), env=environment(library=None)))
    assert (words["mapped"], words["on"], words["version"]) == ("0 0", "0", ""), words
    assert re.match(NOT_THERE, words["reason"]), words


def dynamic_loads_nothing_unasked():
    """PROFTOP=0 prevents loading. With PROFTOP_IF_ASKED, only PROFTOP=1 allows it."""
    program = path("dynamic")
    cases = (((), "0", "0 0", "PROFTOP=0"), (("asked",), None, "0 0", "nobody asked"),
             (("asked",), "", "0 0", "nobody asked"), (("asked",), "1", "0 1", ""),
             ((), None, "0 1", ""))
    for more, value, mapped, reason in cases:
        env = environment() if value is None else environment(PROFTOP=value)
        words = said(do(program, "10", *more, env=env))
        assert words["mapped"] == mapped and words["reason"].startswith(reason), (more, words)
        assert words["on"] == ("1" if mapped == "0 1" else "0"), words


def dynamic_with_an_older_library_lacks_single_calls():
    """A library with only four calls, which call the real one. The other calls are off."""
    os.makedirs(path("older"), exist_ok=True)
    source = path("older.c")
    with open(source, "w", encoding="ascii") as file:
        file.write('#include <proftop.h>\n#include <string.h>\n'
                   'static char feed[64];\n'
                   'struct proftop *proftop_open(const struct proftop_options *options)\n'
                   '{ (void)options; return (struct proftop *)(void *)feed; }\n'
                   'void proftop_close(struct proftop *taken) { (void)taken; }\n'
                   'int proftop_is_on(const struct proftop *asked)\n'
                   '{ return (const char *)(const void *)asked == feed; }\n'
                   'proftop_id proftop_class(struct proftop *to, const char *name)\n'
                   '{ (void)to; return name == NULL; }\n')
    compile_c("older/libproftop.so.0", "-shared", "-fPIC", source)
    words = said(do(path("dynamic"), str(COUNT), env=environment(library=path("older"))))
    assert (words["on"], words["threads"], words["version"]) == ("1", "8", ""), words


def text_of(compiler, *form):
    """The machine code of watched.c, and its sizes."""
    out = path("watched.o")
    do(compiler, "-std=c99", *adopting.STRICT, "-O2", *adopting.INCLUDE, *form, "-c", "-o",
       out, here("watched.c"))
    code = do("objdump", "-d", "--no-show-raw-insn", out).split("\n", 3)[3]
    return code, do("size", out).splitlines()[1].split()[:3], do("nm", "-P", out).split("\n")


def off_leaves_not_an_instruction():
    there = [name for name in ("gcc", "clang") if adopting.shutil.which(name)]
    if not there:
        raise tap.Skip("there is no compiler")
    for compiler in there:
        plain, off = text_of(compiler, "-DPLAIN"), text_of(compiler, "-DPROFTOP_OFF")
        assert off == plain, (compiler, plain, off)
        # Checks that the comparison detects a real difference.
        assert text_of(compiler)[0] != plain[0]


def off_runs():
    program = build("off", "-DPROFTOP_OFF")
    words = said(do(program, str(COUNT), env=environment()))
    assert words["on"] == "0" and "PROFTOP_OFF" in words["reason"], words
    assert not [name for name in needed(program) if "proftop" in name]


def files_of_a_library_share_what_threads_have():
    """With any two compilers, in either order."""
    parts = ("one_part", "other_part")
    compilers = [words for words in (name.split() for name in (
        "gcc", "clang", "gcc -flto", "clang -flto")) if adopting.shutil.which(words[0])]
    made = {(part, *words): compile_c("%s-%s.o" % (part, "".join(words)), "-c", "-fPIC",
                                      "-DPROFTOP_DYNAMIC", "-DPART=" + part,
                                      here("engine_part.c"), compiler=words)
            for part in parts for words in compilers}
    library = path("libshared.so")
    for first, second in itertools.product(compilers, repeat=2):
        optimized = [words for words in (first, second) if "-flto" in words]
        if len(optimized) == 2 and first != second:
            continue  # no linker reads the LTO data of both
        do(*(optimized or [first])[0], *adopting.SANITIZE, "-O2", "-shared", "-o", library,
           made[(parts[0], *first)], made[(parts[1], *second)])
        room = re.findall(r"^ +TLS(?: +0x\w+){4} +0x0*(\w+)", do("readelf", "-lW", library), re.M)
        assert room == ["10"], (first, second, room)


tap.run(linked_counts, dynamic_counts, dynamic_and_linked_parts_mix,
        dynamic_without_the_library_is_off, dynamic_loads_nothing_unasked,
        dynamic_with_an_older_library_lacks_single_calls, off_leaves_not_an_instruction, off_runs,
        files_of_a_library_share_what_threads_have)

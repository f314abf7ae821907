# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_memory.py: the memory section of a profile against what the framework prints itself with
profile_memory, byte for byte: of the same run, and of a run without any flag."""
import re
import sys

sys.dont_write_bytecode = True
import watching  # noqa: E402
from watching import Place, tap  # noqa: E402

TITLE = "Memory Profile\n"
END = "emitted in those cases.\n"
# Some releases forgot an f before a text: they print the name of the figure.
FORGOT = " {node_outputs_size:9d}B  "
KNOWN = ["CPU: 4112KB (4104KB)", "CPU: 8204KB (8196KB)", "CPU: 8208KB"]


def section(text):
    assert TITLE in text, text
    return text[text.index(TITLE):].split(END)[0]


def reported(python, package, place, words, **env):
    """(stdout, ours, theirs) of one run."""
    output = place.file("report.txt")
    done = watching.run([watching.PROFTOP, "run", "--summary", "--format", package, "-o", output,
                         "--", python, *words],
                        dict(place.env(PROFTOP_ADAPTERS=watching.ADAPTERS), **env), place.path)
    assert done.returncode == 0, done.stderr.decode()
    with open(output, encoding="utf-8") as file:
        return done.stdout, file.read(), done.stderr.decode()


def same(python, package, flags="", name=""):
    words = (watching.job("outer"), package)
    with Place() as place:
        told = watching.family(flags, "profile=True,profile_memory=True", name=name)
        printed, ours, theirs = reported(python, package, place, words, **told)
        plain, flagless, nothing = reported(python, package, place, words,
                                            **watching.family(flags, name=name))
    # A framework says on stdout that it has no second profile to print.
    assert TITLE not in nothing and printed.splitlines()[:1] == plain.splitlines()
    ours, theirs, flagless = section(ours), section(theirs), section(flagless)
    for line in ours.split("\n"):
        size = re.match(r"     ( *\d+)B  \[", line)
        if FORGOT in theirs and size:
            theirs = theirs.replace(FORGOT, " " + size.group(1) + "B  ", 1)
    assert ours == theirs, "\n".join(["proftop:", ours, "the framework:", theirs])
    assert flagless == theirs, "\n".join(["without flags:", flagless, "the framework:", theirs])
    assert all(line in ours for line in KNOWN), ours
    assert [len(re.findall(r"^ +%dB  \[" % size, ours, re.M)) for size in (4194304, 4096)] == [4, 4]
    assert "(remaining 3 Apply account for   24B/16793624B ((0.00%))" in ours, ours


def pytensor_agrees():
    same(watching.need_python(), "pytensor")


def member_agrees(name):
    package, _, flags = watching.MEMBERS[name]
    same(watching.need_member(name), package, flags, name)


def theano_agrees():
    member_agrees("theano")


def aesara_agrees():
    member_agrees("aesara")


tap.run(pytensor_agrees, theano_agrees, aesara_agrees)

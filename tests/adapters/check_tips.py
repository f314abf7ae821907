# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_tips.py: the framework's advice at the end of each profile, byte for byte as each member of
Theano's family prints it. The job loads and prints nothing for that."""
import functools
import sys

sys.dont_write_bytecode = True
import masking  # noqa: E402
import watching  # noqa: E402
from watching import job, tap  # noqa: E402

TITLE = "Here are tips to "
FLAGS = "profile=True,floatX=float32,linker=vm_nogc,cxx="


def tips(text):
    """Maps each message to its lines of advice. Other lines that a release prints beside its
    profile are left out."""
    return {message: [line for line in part.split(TITLE)[1].splitlines()
                      if not line.startswith("Install CuDNN")]
            for message, part in masking.parts(text).items() if TITLE in part}


@functools.lru_cache
def run(name):
    return watching.summed_up(name, job("advice"), FLAGS)


def runs():
    for name in watching.there():
        yield (name, *run(name))


def tips_are_the_frameworks_own():
    for name, said, report in runs():
        ours, theirs = tips(report), tips(said)
        for message, lines in theirs.items():
            assert ours[message] == lines, (name, message, ours[message], lines)
        assert len(theirs) == 4 + (watching.member(name)[1] == "theano"), (name, list(theirs))
        assert theirs["nothing"][3:] == ["  Sorry, no tip for today."], (name, theirs)
        assert len(theirs["exp"]) == 3 + 2 and len(theirs["sin"]) == 3 + 1, (name, theirs)
        assert sum("dtype" in line for line in theirs["dots"]) >= 1, (name, theirs)


def their_sum_has_each_once():
    """Also in releases that print none. Equal advice for several functions appears once, without
    the apology for missing advice."""
    for name, _, report in runs():
        ours = tips(report)
        total = next(lines for message, lines in ours.items() if message.startswith("Sum of all("))
        one = set(sum((ours[message] for message in ("exp", "sin", "dots")), []))
        assert set(total) == one and total[:5] == ours["exp"], (name, total, ours)


def nothing_is_loaded_for_them():
    for name, said, _ in runs():
        assert said.splitlines()[0] == "loaded False", (name, said.splitlines()[0])


tap.run(tips_are_the_frameworks_own, their_sum_has_each_once, nothing_is_loaded_for_them)

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""modes.py: in which mode each function was compiled, as facts: its name or class, its linker, and
which rewrites it takes. A job may give each function another one than its flags say."""
import sys

from .ranges import Ranges

MOST = 1024  # bytes of all of them: facts have room for 4095
# What makes two linkers of one class different.
TRAITS = ("use_cloop", "allow_gc", "c_thunks", "lazy")


def key_of(kept, thing):
    """The name under which a framework keeps it; None: it is the job's own. Of several the last:
    fast_run, not o4."""
    names = [name for name, one in kept.items() if one is thing and isinstance(name, str)]
    return names[-1] if names else None


def unlike(linker, known):
    return [trait for trait in TRAITS
            if getattr(linker, trait, None) != getattr(known, trait, None)]


def linker_word(kept, linker):
    """The name of the one that is most like it, and what is not: vm,c_thunks=False."""
    alike = [(name, unlike(linker, known)) for name, known in kept.items()
             if isinstance(name, str) and type(known) is type(linker)]
    name, other = min(alike, key=lambda one: len(one[1]), default=(type(linker).__name__, ()))
    return ",".join([name, *("%s=%s" % (trait, getattr(linker, trait)) for trait in other)])


def optimizer_word(kept, asked):
    """By its name, else by its tags: those with one of the first, with each behind `+`, with none
    behind `-`."""
    if isinstance(asked, str):
        return asked
    name = "None" if asked is None else key_of(kept, asked)
    if name or not hasattr(asked, "include"):
        return name or getattr(asked, "name", None) or type(asked).__name__
    tags = [*asked.include, *("+" + tag for tag in asked.require),
            *("-" + tag for tag in asked.exclude)]
    return " ".join(map(str, tags)) or "None"


class Modes:
    """The modes of a job, in the order of their first functions."""

    def __init__(self, package):
        self.where = package + ".compile.mode"
        self.functions = {}  # mode in words: numbers of its functions

    def kept(self, what):
        return getattr(sys.modules.get(self.where), "predefined_" + what, None) or {}

    def words(self, maker):
        """Of the function that it made."""
        mode = maker.mode
        said = "%s linker=%s optimizer=%s" % (
            key_of(self.kept("modes"), mode) or type(mode).__name__,
            linker_word(self.kept("linkers"), maker.linker),
            optimizer_word(self.kept("optimizers"), mode.provided_optimizer))
        return " ".join(said.split())

    def of(self, function):
        """In words; None: a mode of the job's own, which is not as those are."""
        try:
            return self.words(function.maker)
        except Exception:  # pylint: disable=broad-except
            return None

    def take(self, number, words):
        """Of a function that is known in the feed now."""
        if words:
            self.functions.setdefault(words, Ranges()).add(number)

    def facts(self):
        """mode.N=WHOSE:WORDS. Of what there is no room for nothing is told, and so not known."""
        told, room = [], MOST
        for words, functions in self.functions.items():
            head, tail = "mode.%d=" % (len(told) + 1), ":" + words
            whose = functions.told(MOST)
            left = room - len((head + tail).encode()) - 1
            if len(whose) > left:
                whose = whose[:max(left, 0)].rpartition(",")[0]
            if whose:
                told.append(head + whose + tail)
                room = left - len(whose)
        return told

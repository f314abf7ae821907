# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""modes.py: publishes the mode of each compiled function as a fact: its name or class, its linker,
and its rewrites. A job may compile a function in another mode than its flags say."""
import sys

from .ranges import Ranges

MOST = 1024  # bytes of all modes: all facts together may have 4095
# Attributes that distinguish linkers of one class.
TRAITS = ("use_cloop", "allow_gc", "c_thunks", "lazy")


def key_of(kept, thing):
    """The name of `thing` in the framework's table, or None if the job made it. The last name if
    there are several: fast_run, not o4."""
    names = [name for name, one in kept.items() if one is thing and isinstance(name, str)]
    return names[-1] if names else None


def unlike(linker, known):
    return [trait for trait in TRAITS
            if getattr(linker, trait, None) != getattr(known, trait, None)]


def linker_word(kept, linker):
    """The name of the most similar known linker, then the differing traits: vm,c_thunks=False."""
    alike = [(name, unlike(linker, known)) for name, known in kept.items()
             if isinstance(name, str) and type(known) is type(linker)]
    name, other = min(alike, key=lambda one: len(one[1]), default=(type(linker).__name__, ()))
    return ",".join([name, *("%s=%s" % (trait, getattr(linker, trait)) for trait in other)])


def optimizer_word(kept, asked):
    """The optimizer's name, or else its tags: plain ones include any, `+` ones are required, `-`
    ones are excluded."""
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
        self.functions = {}  # mode in words -> numbers of its functions

    def kept(self, what):
        return getattr(sys.modules.get(self.where), "predefined_" + what, None) or {}

    def words(self, maker):
        """Describes the mode of the maker's function."""
        mode = maker.mode
        said = "%s linker=%s optimizer=%s" % (
            key_of(self.kept("modes"), mode) or type(mode).__name__,
            linker_word(self.kept("linkers"), maker.linker),
            optimizer_word(self.kept("optimizers"), mode.provided_optimizer))
        return " ".join(said.split())

    def of(self, function):
        """The mode of a function in words; None: a mode of the job's own with another structure."""
        try:
            return self.words(function.maker)
        except Exception:  # pylint: disable=broad-except
            return None

    def take(self, number, words):
        """Adds a function that the feed has defined to its mode."""
        if words:
            self.functions.setdefault(words, Ranges()).add(number)

    def facts(self):
        """Returns the facts, mode.N=FUNCTIONS:WORDS. Functions that do not fit are left out, so
        their modes stay unknown."""
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

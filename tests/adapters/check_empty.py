# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_empty.py: profiles with an empty part, of functions that were never called or not timed,
compared with the profile that each member of Theano's family prints of the same run."""
import functools
import re
import sys

sys.dont_write_bytecode = True
import masking  # noqa: E402
import watching  # noqa: E402
from watching import job, tap  # noqa: E402

NAMES = ("pytensor-2.31", "pytensor-3.0", "pymc", "aesara", "theano-pymc", "theano")
HEAD = re.compile(r"^of (\w+) (its own|proftop)\n", re.M)
MEMORY = "\nMemory Profile\n"
# Lines about nodes that are known before the first call.
NODES = re.compile(r"^ +Number of Apply nodes: .*\n|^ +Node .*\n|^Here are tips (?:.*\n)*", re.M)


@functools.lru_cache
def run(name, words):
    """Function: {"its own": the profile as the framework printed it, "proftop": our profile}"""
    said, _ = watching.summed_up(name, job("empty"), "profile=True", "linker=cvm", words)
    parts = HEAD.split(said.split("the end\n")[0])[1:]
    found = {}
    for message, who, text in zip(*[iter(parts)] * 3):
        found.setdefault(message, {})[who] = text
    assert list(found) == ["never", "once", "twice", "bare"], list(found)
    return found


def masked(text, message):
    (lines,) = masking.profiles(text).values()
    assert "  Message: " + message in lines, lines
    return lines


def same(name, words, messages):
    for message in messages:
        both = run(name, words)[message]
        ours, its = (masked(both[who], message) for who in ("proftop", "its own"))
        assert ours == its, "\n".join([name, "proftop:", *ours, "its own:", *its])


def there():
    return [name for name in watching.there() if name in NAMES]


def profile_of_an_uncalled_function_has_no_tables():
    """A head, compile times and advice: no table, no sizes."""
    for name in there():
        words = "profile_memory=True"
        same(name, words, ("never", "once", "twice"))
        for who in ("its own", "proftop"):
            text = {message: run(name, words)[message][who] for message in ("never", "once")}
            assert "Time in 0 calls to Function.__call__: 0.000000e+00s" in text["never"], text
            assert MEMORY not in text["never"] and MEMORY in text["once"], (name, who, text)
            assert "\nApply\n" not in text["never"] and "\nApply\n" in text["once"], text


def first_calls_that_are_left_out_are_no_calls():
    """One call remains afterwards. Nothing is known of the nodes before it."""
    for name in there():
        words = watching.profiling(name, "ignore_first_call=True")
        same(name, words, ("twice",))
        for message in ("never", "once", "bare"):
            both = {who: NODES.sub("", text) for who, text in run(name, words)[message].items()}
            ours, its = (masked(both[who], message) for who in ("proftop", "its own"))
            assert ours == its, (name, ours, its)
            assert "  Time in 0 calls to Function.__call__: Ts" in ours, (name, ours)
            assert "Number of Apply nodes: -\n" in run(name, words)[message]["proftop"], name


tap.run(profile_of_an_uncalled_function_has_no_tables, first_calls_that_are_left_out_are_no_calls)

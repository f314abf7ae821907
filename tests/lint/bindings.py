# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""bindings.py: the methods that C offers to the adapters' Python, and those that Python calls, are
the same. A call of a missing method would fail only where a job reaches it."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap  # noqa: E402
import tree  # noqa: E402

FOLDERS = ("adapters",)
CLASSES = {"Graph", "Timed", "version", "__file__"}  # of the module, and its texts


def texts_of(ending):
    return [tree.text_of(path) for path in tree.files(FOLDERS, ending)]


def offered():
    """The names in the tables of methods. Python itself calls those of `with`."""
    rows = re.compile(r"^    \{\"(\w+)\", *\w+, *METH_", re.M)
    return {name for text in texts_of(".c") for name in rows.findall(text)
            if name not in ("__enter__", "__exit__")}


def each_method_is_called():
    used = {name for text in texts_of(".py") for name in re.findall(r"\.(\w+)\b", text)}
    assert len(offered()) > 50, offered()
    assert not offered() - used, sorted(offered() - used)


def each_call_of_the_module_is_a_method():
    used = {name for text in texts_of(".py") for name in re.findall(r"(?<![\w.])feed\.(\w+)", text)}
    assert len(used) > 30, used
    assert not used - offered() - CLASSES, sorted(used - offered() - CLASSES)


tap.run(each_method_is_called, each_call_of_the_module_is_a_method)

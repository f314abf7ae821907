# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""manual.py: checks libproftop(3), which is made of the public headers. Each call is in it twice,
in the synopsis and with a description, and once in the lists of waits, as the code waits. Each
setting is in it with its default. Each name with parentheses is a call. Public calls of Python have
docstrings. mandoc finds no fault in any page."""
import ast
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap  # noqa: E402
import tree  # noqa: E402
from tree import text_of  # noqa: E402

PAGES = [tap.built("docs", "libproftop.3"), tap.built("docs", "proftop.1")]


def public_calls():
    return tree.public_calls("proftop_layout.h")  # not callable


def every_call_is_described():
    page = text_of(PAGES[0])
    calls = public_calls()
    assert len(calls) > 20, calls
    wrong = [call for call in calls if page.count(".Fo %s\n" % call) != 2]
    assert not wrong, wrong
    # A description follows a call, or the call shares that of the next one. The last call of a
    # group has one.
    body = page[page.index(".Sh DESCRIPTION"):]
    parts = re.split(r"\.Fo (\w+)\n(?:\.Fa [^\n]*\n)*\.Fc\n", body)
    mute = [name for name, rest in zip(parts[1::2], parts[2::2])
            if not re.search(r"^[^.\n].{10}", rest.split(".Ft ")[0], re.M)]
    assert len(mute) * 4 <= len(calls), mute


def manual_names_only_existing_calls():
    """A page must not name a call that no longer exists."""
    named = set(re.findall(r"\b(proftop_\w+)\(", text_of(PAGES[0])))
    assert len(named) > 10 and named <= set(public_calls()), sorted(named - set(public_calls()))


def every_setting_is_described():
    """Each setting has a description and its default."""
    keys = re.findall(r'\{"(\w+)",\s*(\w+),\s*"([^"]*)"\}',
                      text_of(tap.source("feed", "publisher", "record", "settings.c")))
    assert len(keys) == 11, keys
    page = text_of(PAGES[0]).replace("\\-", "-")
    [table] = [block for block in re.findall(r"^\.Bd -literal[^\n]*\n(.*?)^\.Ed$", page,
                                             re.M | re.S) if "dump_period" in block]
    parts = re.split(r"^  (\w+)", table, flags=re.M)
    rows = dict(zip(parts[1::2], parts[2::2]))
    wrong = [key for key, kind, first in keys
             if not rows.get(key, "").rstrip().endswith(
                 'Default "%s"' % first if kind == "FILE_NAME" else "Default " + first)]
    assert not wrong, (wrong, table)
    assert set(rows) == {key for key, _, _ in keys}, sorted(rows)


def waits_are_those_of_the_code():
    """The longest wait of an open is the same in the page, the manual and the code."""
    code = text_of(tap.source("feed", "publisher", "api", "lifecycle.c"))
    [still] = re.findall(r"\bSTART_MS = (\d+)000,", code)
    [most] = re.findall(r"\bSTART_MOST_MS = (\d+)000,", code)
    said = re.compile(r"no progress for %s s\b.{,200}\b%s s in all\b" % (still, most), re.S)
    for page in PAGES[0], tap.source("docs", "libproftop.md"):
        assert said.search(text_of(page)), (page, still, most)


def lists_of_waits():
    """Lists the calls that take no lock, that take one briefly, that wait for the feed's thread."""
    [section] = re.findall(r"^\.Ss What a call may wait for\n(.*?)^\.S[sh] ",
                           text_of(PAGES[0]), re.M | re.S)
    return [re.findall(r"(proftop_\w+)\(\)", block)
            for block in re.findall(r"^\.Bd -literal[^\n]*\n(.*?)^\.Ed$", section, re.M | re.S)]


def every_call_is_in_one_list_of_waits():
    lists = lists_of_waits()
    assert len(lists) == 3, lists
    assert sorted(sum(lists, [])) == sorted(public_calls()), (
        set(public_calls()).symmetric_difference(sum(lists, [])),
        [call for call in public_calls() if sum(lists, []).count(call) != 1])


# Functions that run once for a thread, or for a row that the thread has not touched yet.
FIRST_TOUCH = {"touch", "publisher_thread_find", "new_own", "take_over"}
WAITS = {"pthread_cond_wait": 2, "pthread_cond_timedwait": 2, "pthread_mutex_lock": 1}


def bodies_of(path):
    """Maps each function of a file to the functions that it calls."""
    bodies = {}
    for name, body in re.findall(r"^[a-zA-Z_][^;{}#]*?\b(\w+)\([^;{}#]*\)\n\{\n(.*?)^\}",
                                 text_of(path), re.M | re.S):
        bodies.setdefault(name, set()).update(re.findall(r"\b(\w+)\(", body))
    return bodies


def calls_wait_as_the_manual_lists_them():
    """Follows the calls in the sources of a program's side, down to pthreads."""
    files = {path: bodies_of(path) for path in tree.files(("feed/publisher",), ".c", ".h")}
    known = {}

    def waits(file, name):
        if name in WAITS or name in FIRST_TOUCH:
            return WAITS.get(name, 0)
        # A static function of the same file takes precedence over one of another file.
        at = file if name in files[file] else next(
            (f for f in files
             if name in files[f] and name.startswith(("publisher_", "proftop_"))), None)
        if at is None:
            return 0
        if (at, name) not in known:
            known[at, name] = 0  # ends a recursion
            known[at, name] = max([waits(at, called) for called in files[at][name]], default=0)
        return known[at, name]

    wrong = []
    for expected, calls in enumerate(lists_of_waits()):
        for call in calls:
            [file] = [name for name in files if name.endswith(".c") and call in files[name]]
            if waits(file, call) != expected:
                wrong.append((call, expected, waits(file, call)))
    assert not wrong, wrong


def pages_have_no_fault():
    if shutil.which("mandoc") is None:
        raise tap.Skip("mandoc is not installed")
    for page in PAGES:
        out = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", page],
                             capture_output=True, text=True, check=False).stdout
        assert out == "", out


def lists_of_fields_are_whole():
    """The fields of the wire stand in frame.h, in the protocol's independent client, and in the
    fuzzer's dictionary."""
    fields = re.findall(r'FIELD\(\w+, "(\w+)", (\w+)\)', text_of(
        tap.source("feed", "protocol", "frame.h")))
    assert len(fields) > 60, fields
    client = text_of(tap.source("tests", "e2e", "protocol_client.py"))
    words = text_of(tap.source("tests", "fuzz", "wire.dict"))
    lists = {"TEXT": "TEXTS", "BIN16": "BINS", "F64": "DOUBLES", "COUNTS": "COUNTS", "U64": "UINTS"}
    for kind, name in lists.items():
        [known] = re.findall(r"^%s = \((.*?)\)" % name, client, re.M | re.S)
        assert re.findall(r'"(\w+)"', known) == [key for key, of in fields if of == kind], name
    missing = [key for key, _ in fields if '"\\x%02x%s"' % (0xa0 + len(key), key) not in words]
    assert not missing, missing


# The modules with what `import proftop` gives.
PUBLIC = ("public.py", "user_objects.py", "user_graphs.py", "control.py")


def every_public_call_of_python_is_described():
    """Each has a docstring, and so does each public method of a public class."""
    listed, described, missing = set(), set(), []
    for file in PUBLIC:
        module = ast.parse(text_of(tap.source("adapters", "python", "proftop", file)))
        for node in module.body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "FOUND_IN":
                listed = {name for names in ast.literal_eval(node.value).values() for name in names}
            if not isinstance(node, (ast.ClassDef, ast.FunctionDef)) or node.name.startswith("_"):
                continue
            parts = node.body if isinstance(node, ast.ClassDef) and node.name in listed | {
                "Thing", "Span", "Memory"} else []
            methods = [part for part in parts if isinstance(part, ast.FunctionDef)
                       and not part.name.startswith("_") and part.name != "runs"]
            described.add(node.name)
            missing += [(file, part.name) for part in [node, *methods]
                        if (part is not node or node.name in listed)
                        and not ast.get_docstring(part)]
    assert len(listed) > 15 and listed - described == {"profiler_kvstore_handle"}, listed
    assert not missing, missing


tap.run(every_call_is_described, every_public_call_of_python_is_described,
        manual_names_only_existing_calls, every_setting_is_described, waits_are_those_of_the_code,
        every_call_is_in_one_list_of_waits, calls_wait_as_the_manual_lists_them,
        pages_have_no_fault, lists_of_fields_are_whole)

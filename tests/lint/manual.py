# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""manual.py: libproftop(3) is made of the public headers: each call stands in it twice, in the
synopsis and with words of its own, each setting with its first value; what is called there is a
call; and no page has a fault that mandoc knows."""
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap  # noqa: E402

PAGES = [tap.built("docs", "libproftop.3"), tap.built("docs", "proftop.1")]


def text_of(page):
    with open(page, encoding="utf-8") as file:
        return file.read()


def public_calls():
    calls = []
    for header in sorted(os.listdir(tap.source("feed"))):
        if re.match(r"proftop.*\.h$", header) and header != "proftop_layout.h":  # not to be called
            calls += re.findall(r"^PROFTOP_(?:FN\([^,]+,[^,]+,|PROC\()\s*(proftop_\w+),",
                                text_of(tap.source("feed", header)), re.M)
    return calls


def every_call_is_described():
    page = text_of(PAGES[0])
    calls = public_calls()
    assert len(calls) > 20, calls
    wrong = [call for call in calls if page.count(".Fo %s\n" % call) != 2]
    assert not wrong, wrong
    # Words follow a call, or it shares those of the next one; the last of a group has some.
    body = page[page.index(".Sh DESCRIPTION"):]
    parts = re.split(r"\.Fo (\w+)\n(?:\.Fa [^\n]*\n)*\.Fc\n", body)
    mute = [name for name, rest in zip(parts[1::2], parts[2::2])
            if not re.search(r"^[^.\n].{10}", rest.split(".Ft ")[0], re.M)]
    assert len(mute) * 4 <= len(calls), mute


def what_is_named_is_a_call():
    """Words of a page may outlive what they speak of."""
    named = set(re.findall(r"\b(proftop_\w+)\(", text_of(PAGES[0])))
    assert len(named) > 10 and named <= set(public_calls()), sorted(named - set(public_calls()))


def every_setting_is_described():
    """With what it means here, and with the value that it has when nobody sets it."""
    keys = re.findall(r'\{"(\w+)",\s*(\w+),\s*"([^"]*)"\}',
                      text_of(tap.source("feed", "job", "setting.c")))
    assert len(keys) == 11, keys
    page = text_of(PAGES[0]).replace("\\-", "-")
    [table] = [block for block in re.findall(r"^\.Bd -literal[^\n]*\n(.*?)^\.Ed$", page,
                                             re.M | re.S) if "dump_period" in block]
    parts = re.split(r"^  (\w+)", table, flags=re.M)
    rows = dict(zip(parts[1::2], parts[2::2]))
    wrong = [key for key, kind, first in keys
             if not rows.get(key, "").rstrip().endswith(
                 'First "%s"' % first if kind == "FILE_NAME" else "First " + first)]
    assert not wrong, (wrong, table)
    assert set(rows) == {key for key, _, _ in keys}, sorted(rows)


def waits_are_those_of_the_code():
    """How long an open may stand still, as the page and the manual say."""
    code = text_of(tap.source("feed", "job", "feed.c"))
    [still] = re.findall(r"\bSTART_MS = (\d+)000,", code)
    [most] = re.findall(r"\bSTART_MOST_MS = (\d+)000,", code)
    said = re.compile(r"\b%s s while that stands still\b.*\b%s s at most" % (still, most), re.S)
    for page in PAGES[0], tap.source("docs", "libproftop.md"):
        assert said.search(text_of(page)), (page, still, most)


def pages_have_no_fault():
    if shutil.which("mandoc") is None:
        raise tap.Skip("mandoc is not installed")
    for page in PAGES:
        out = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", page],
                             capture_output=True, text=True, check=False).stdout
        assert out == "", out


tap.run(every_call_is_described, what_is_named_is_a_call, every_setting_is_described,
        waits_are_those_of_the_code, pages_have_no_fault)

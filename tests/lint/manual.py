# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""manual.py: libproftop(3) is made of the public headers: each call stands in it twice, in the
synopsis and with words of its own; and no page has a fault that mandoc knows."""
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


def pages_have_no_fault():
    if shutil.which("mandoc") is None:
        raise tap.Skip("mandoc is not installed")
    for page in PAGES:
        out = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", page],
                             capture_output=True, text=True, check=False).stdout
        assert out == "", out


tap.run(every_call_is_described, pages_have_no_fault)

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""tap.py: test points of a Python test as TAP lines. A test is a function given to run()."""
import os
import re
import select
import shlex
import signal
import sys
import time
import traceback

SLOW = int(os.environ.get("CK_TIMEOUT_MULTIPLIER", "1"))  # how many times longer all may take
CC = shlex.split(os.environ.get("CC") or "gcc")  # that what is built here was compiled with
# A script that runs tests in its background (`&`, nohup) ignores these, and so would all that the
# tests start.
for _number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
    if signal.getsignal(_number) == signal.SIG_IGN:
        signal.signal(_number, signal.SIG_DFL)
PAUSE_S = 0.002  # between two looks at what gives no sign


class Skip(Exception):
    """Raised by a test that cannot run on this machine; says why."""


def all_only(test):
    """Marks a test that script/check leaves out and script/test --all runs: statistics, repeats,
    floods, frameworks that few users have."""
    test.all_only = True
    return test


def run(*tests):
    """Runs the tests in order and ends the program: 0 if none failed, else 1. With
    PROFTOP_TEST_GATE set it leaves out tests that are all_only()."""
    if os.environ.get("PROFTOP_TEST_GATE"):
        tests = [test for test in tests if not getattr(test, "all_only", False)]
    sys.stdout.write("1..%d\n" % len(tests))
    failed = 0
    for number, test in enumerate(tests, 1):
        result, comment = "ok", ""
        try:
            test()
        except Skip as why:
            comment = " # SKIP %s" % why
        except Exception:  # pylint: disable=broad-except
            result = "not ok"
            failed += 1
            for line in traceback.format_exc().splitlines():
                sys.stdout.write("# %s\n" % line)
        sys.stdout.write("%s %d - %s%s\n" % (result, number, test.__name__, comment))
        sys.stdout.flush()
    sys.exit(1 if failed else 0)


def poll(test, seconds):
    """What test() gives as soon as that is true; what it gave last, when the time is up."""
    end = time.monotonic() + seconds
    while True:
        found = test()
        if found or time.monotonic() > end:
            return found
        time.sleep(PAUSE_S)


def wait_for(what, test, seconds):
    """As poll(), of what has to come."""
    found = poll(test, seconds)
    assert found, "never: %s" % what
    return found


def sanitized(program, which=b"at"):
    """Whether a program has a sanitizer, of addresses or threads, which reserves terabytes of
    addresses."""
    with open(program, "rb") as file:
        return re.search(rb"__[%s]san_init" % which, file.read()) is not None


def readable(ends, seconds):
    """Those of the numbers or sockets that can be read, as soon as one can. select.select() refuses
    numbers beyond 1,023, which a crowd takes that another test of the process has."""
    ask = select.poll()
    known = {end if isinstance(end, int) else end.fileno(): end for end in ends}
    for number in known:
        ask.register(number, select.POLLIN)
    return [known[number] for number, _ in ask.poll(1000 * seconds)]


def source(*parts):
    """A file of the source tree."""
    here = os.path.dirname(os.path.abspath(__file__))
    return os.path.join(os.path.dirname(here), *parts)


def built(*parts):
    """A file of the build tree: that is where `make check` runs."""
    return os.path.join(os.environ.get("builddir", "."), *parts)

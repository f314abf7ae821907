# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""tap.py: prints the results of a Python test as TAP lines. A test is a function given to run()."""
import os
import re
import select
import shlex
import signal
import sys
import time
import traceback

SLOW = int(os.environ.get("CK_TIMEOUT_MULTIPLIER", "1"))  # factor on all time limits
CC = shlex.split(os.environ.get("CC") or "gcc")  # compiler of the code under test
# A script that runs tests in the background (`&`, nohup) ignores these signals. Every process that
# the tests start would inherit that.
for _number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
    if signal.getsignal(_number) == signal.SIG_IGN:
        signal.signal(_number, signal.SIG_DFL)
PAUSE_S = 0.002  # interval of polling


class Skip(Exception):
    """Raised by a test that cannot run on this machine. Its text is the reason."""


def all_only(test):
    """Marks a test that script/check leaves out and script/test --all runs: statistics, repeats,
    floods, rarely used frameworks."""
    test.all_only = True
    return test


def run(*tests):
    """Runs the tests in order and exits: 0 if none failed, else 1. If PROFTOP_TEST_GATE is set,
    leaves out tests that are marked all_only(). Logs the duration of tests of a second or more."""
    if os.environ.get("PROFTOP_TEST_GATE"):
        tests = [test for test in tests if not getattr(test, "all_only", False)]
    sys.stdout.write("1..%d\n" % len(tests))
    failed = 0
    for number, test in enumerate(tests, 1):
        result, comment = "ok", ""
        start = time.monotonic()
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
        seconds = time.monotonic() - start
        if seconds >= 1:
            sys.stdout.write("# %.1f s\n" % seconds)
        sys.stdout.flush()
    sys.exit(1 if failed else 0)


def poll(test, seconds):
    """Calls test() until its result is true, or the time is up. Returns the last result."""
    end = time.monotonic() + seconds
    while True:
        found = test()
        if found or time.monotonic() > end:
            return found
        time.sleep(PAUSE_S)


def wait_for(what, test, seconds):
    """Like poll(), but fails if the result is not true in time."""
    found = poll(test, seconds)
    assert found, "never: %s" % what
    return found


def sanitized(program, which=b"at"):
    """True if a program is built with AddressSanitizer or ThreadSanitizer. Both reserve terabytes
    of addresses."""
    with open(program, "rb") as file:
        return re.search(rb"__[%s]san_init" % which, file.read()) is not None


def readable(ends, seconds):
    """Waits until at least one of the descriptors or sockets is readable. Returns the readable
    ones. select.select() refuses descriptors above 1,023, and a test with many clients in the same
    process may use those."""
    ask = select.poll()
    known = {end if isinstance(end, int) else end.fileno(): end for end in ends}
    for number in known:
        ask.register(number, select.POLLIN)
    return [known[number] for number, _ in ask.poll(1000 * seconds)]


def source(*parts):
    """Path of a file of the source tree."""
    here = os.path.dirname(os.path.abspath(__file__))
    return os.path.join(os.path.dirname(here), *parts)


def headers():
    """The names of the public headers in the source. A build in the source tree adds one."""
    return sorted(name for name in os.listdir(source("include"))
                  if re.match(r"proftop.*\.h(pp)?$", name) and name != "proftop_calls.h")


def built(*parts):
    """Path of a file of the build tree, where `make check` runs."""
    return os.path.join(os.environ.get("builddir", "."), *parts)

#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""faults.py [--long] [NAME...]: injects the faults listed in the modules beside it.

Without --long it injects each once, in parallel, in some seconds. The machine is busy with other
tests then, so times may be four times the limit, and four times more with a sanitizer. A longer
time is measured again, up to four times. With --long it injects each at least 20 times, applies the
limit itself, and writes docs/reliability.md. NAME selects faults by function or by number (R1):
only their rows are rewritten."""
import concurrent.futures
import os
import statistics
import sys
import time
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import ground  # noqa: E402
import crowd  # noqa: E402,F401
import endless  # noqa: E402,F401
import hostile  # noqa: E402,F401
import large  # noqa: E402,F401
import life  # noqa: E402,F401
import net  # noqa: E402,F401
from ground import FAULTS, SANITIZED, SLOW, tap  # noqa: E402

REPEATS, SLACK, AT_ONCE, TRIES = 20, 4, 5, 5
MEDIAN_BELOW = 15  # of 20 sorted figures, the 6th to the 15th enclose the median: 95.9 %
TIMES, MEMORY = ("s", "ms", "%"), ("kB",)
TABLE = tap.source("docs", "reliability.md")


def number_of(fault):
    return int(fault.number[1:])


def attempt(fault, long):
    """(figure, None) or (None, error)."""
    try:
        return fault.measure(long), None
    except tap.Skip:  # no error: this machine cannot inject it
        raise
    except Exception:  # pylint: disable=broad-except
        return None, traceback.format_exc()


def attempt_short(fault):
    """The same; repeats a time that is too long and returns the best."""
    best = attempt(fault, False)
    tries = TRIES if fault.unit in TIMES else 1
    while best[1] is None and best[0] > allowed(fault) and tries > 1:
        figure, wrong = attempt(fault, False)
        best = (None, wrong) if wrong else (min(best[0], figure), None)
        tries -= 1
    return best


# ------------------------------------------------------------------------------- the short form

def allowed(fault):
    if fault.unit in TIMES:
        return fault.limit * SLACK * SLOW * (SLACK if SANITIZED else 1)
    return float("inf") if fault.unit in MEMORY and SANITIZED else fault.limit


def judged(fault):
    """A test that injects the fault once."""
    def test(future):
        figure, wrong = future.result()
        assert wrong is None, wrong
        print("# %s: %s" % (fault.measure.__name__, shown(fault, figure)))
        assert figure <= allowed(fault), "%s: %s" % (fault.bar, shown(fault, figure))
    return test


def run_short(faults):
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        futures = [pool.submit(attempt_short, fault) for fault in faults]
        tests = []
        for fault, future in zip(faults, futures):
            test = judged(fault)

            def named(test=test, future=future):
                test(future)
            named.__name__ = "%s_%s" % (fault.number, fault.measure.__name__)
            tests.append(named)
        tap.run(*tests)


# -------------------------------------------------------------------------------- the long form

def shown(fault, figure):
    if fault.unit in ("kB",) or isinstance(figure, int):
        return "%d %s" % (figure, fault.unit)
    return "%.3g %s" % (figure, fault.unit)


def repeat(fault):
    with concurrent.futures.ThreadPoolExecutor(fault.together) as pool:
        results = list(pool.map(lambda _: attempt(fault, True), range(REPEATS)))
    for wrong in (wrong for _, wrong in results if wrong):
        print("".join("# %s\n" % line for line in wrong.splitlines()))
    figures = sorted(figure for figure, wrong in results if wrong is None)
    return figures, len(results) - len(figures)


def row_of(fault, figures, wrong):
    judged_by = figures[-1:]
    if fault.typical:
        judged_by = figures[MEDIAN_BELOW - 1:MEDIAN_BELOW]
    holds = not wrong and judged_by and judged_by[0] <= fault.limit
    p50 = shown(fault, statistics.median_low(figures)) if figures else "-"
    worst = shown(fault, figures[-1]) if figures else "-"
    if fault.typical and judged_by:
        p50 += " (below %s)" % shown(fault, judged_by[0])
    if wrong:
        worst += ", %d wrong" % wrong
    return holds, "| %s | %s | %s | %s | %s | %d | %s |" % (
        fault.number, fault.what, fault.bar, p50, worst, REPEATS, "yes" if holds else "**no**")


HEAD = """<!-- SPDX-FileCopyrightText: 2026 the proftop authors -->
<!-- SPDX-License-Identifier: Apache-2.0 -->

# Reliability

Made by `script/test --long` (tests/e2e/faults); do not edit. Each fault is injected %d times into
real programs; p50 and worst are of all repeats; a fault holds if the worst is within the bar and no
outcome was wrong. What a viewer knows is read from `proftop -b --format json`, which says it
ten times a second: times include up to 0.1 s of that, and the machine's other work (but for R13,
where job and viewer run ahead of it). How much slower work gets is no event but an average, and in
the longest of some steps is what the machine's host took away: such figures have the noise of the
machine, and there p50 must hold, to the upper end of its 95 %% interval, which stands in brackets.

| # | fault | bar | p50 | worst | repeats | holds |
|---|---|---|---|---|---|---|
"""


def known_rows():
    """Maps (number, text) to the present row of the table."""
    if not os.path.exists(TABLE):
        return {}
    with open(TABLE, encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file if line.startswith("| R")]
    return {tuple(cell.strip() for cell in line.split("|")[1:3]): line for line in lines}


def run_long(faults):
    known, broken, skipped = known_rows(), 0, 0
    for fault in faults:
        began = time.monotonic()
        try:
            holds, row = row_of(fault, *repeat(fault))
        except tap.Skip as why:
            print("%s, %s: SKIP %s; its row is the old one" % (fault.number, fault.what, why))
            skipped += 1
            continue
        broken += not holds
        known[fault.number, fault.what] = row
        print("%s (%.0f s)" % (row, time.monotonic() - began), flush=True)
    every = [known.get((fault.number, fault.what)) for fault in sorted(FAULTS, key=number_of)]
    with open(TABLE, "w", encoding="utf-8") as file:
        file.write(HEAD % REPEATS + "\n".join(filter(None, every)) + "\n")
    print("%d faults, %d do not hold, %d skipped" % (len(faults), broken, skipped))
    return 1 if broken or skipped else 0


def main(words):
    long = "--long" in words
    names = [word for word in words if word != "--long"]
    faults = sorted((fault for fault in FAULTS if not names or fault.number in names or
                     fault.measure.__name__ in names), key=number_of)
    assert faults, "no such fault: %s" % names
    assert os.access(ground.PROFTOP, os.X_OK), "%s is not built" % ground.PROFTOP
    if long:
        return run_long(faults)
    return run_short(faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

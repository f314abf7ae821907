# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""bench_gate.py BUILD [--sets N] [--runs N] [--steps N] [--percent N] [--keep FOLDER]: how often
`proftop diff --fail-above 10%` is right. Each set has runs of A and B of gate_job, in turns. In
half of the sets, in random order, B does 15 % more work in one random op that has at least 5 % of
the time. Prints a line for each set, and all counts. --keep keeps the runs, so that sets can be
judged again with --judge."""
import argparse
import collections
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile

SHARE = 0.05  # least share of an op that is made slower
FIRST_RUNS = 9


class Bench:
    def __init__(self, options):
        self.options = options
        self.proftop = os.path.abspath(os.path.join(options.build, "proftop"))
        self.job = os.path.abspath(os.path.join(options.build, "gate_job"))
        self.random = random.Random(options.seed)
        self.counts = collections.Counter()

    def run(self, path, *slow):
        """One saved run."""
        subprocess.run([self.proftop, "run", "-b", "--format", "json", "-o", path, "--", self.job,
                        str(self.options.steps), *map(str, slow)], check=True,
                       stdout=subprocess.DEVNULL)
        with open(path, encoding="utf-8") as file:
            return json.loads(file.readlines()[-1])

    def hot_ops(self, folder):
        """Ops with enough of the time, by the medians of runs of their own."""
        shares = collections.defaultdict(list)
        for _ in range(FIRST_RUNS):
            ops = self.run(os.path.join(folder, "first.json"))["ops"]
            whole = sum(op["p50_ns"] * op["calls"] for op in ops)
            for op in ops:
                shares[op["name"]].append(op["p50_ns"] * op["calls"] / whole)
        share = {name: statistics.median(found) for name, found in shares.items()}
        print("shares of the time: %s" % ", ".join(
            "%s %.1f %%" % (name, 100 * share[name]) for name in sorted(share)))
        return sorted(name for name in share if share[name] >= SHARE)

    def record(self, folder, slow):
        """The runs of a set. The order in a pair alternates: no side is always first."""
        for side in "ab":
            os.makedirs(os.path.join(folder, side))
        for i in range(self.options.runs):
            for side in ("ab", "ba")[i % 2]:
                more = (slow, self.options.percent) if slow and side == "b" else ()
                self.run(os.path.join(folder, side, "%02d.json" % i), *more)
        with open(os.path.join(folder, "slow"), "w", encoding="ascii") as file:
            file.write(slow)

    def judge(self, folder):
        """Compares the verdicts with the truth, and counts."""
        with open(os.path.join(folder, "slow"), encoding="ascii") as file:
            slow = file.read()
        done = subprocess.run([self.proftop, "diff", "--format", "json", "--fail-above",
                               self.options.fail_above, os.path.join(folder, "a"),
                               os.path.join(folder, "b")],
                              stdout=subprocess.PIPE, check=False)
        found = json.loads(done.stdout)
        rows = {row["name"]: row for row in found["rows"]}
        wrong = [name for name, row in rows.items() if row["verdict"] == "slower" and name != slow]
        if found["pace"] and found["pace"]["verdict"] == "slower":
            wrong.append("all rows")
        kind = "slow" if slow else "equal"
        self.counts[kind] += 1
        self.counts[kind, "exit", done.returncode] += 1
        self.counts[kind, "alarm"] += bool(wrong)
        for row in rows.values():
            if row["name"] != slow:
                self.counts["unchanged rows", row["verdict"]] += 1
        if slow:
            self.counts["slow", rows[slow]["verdict"]] += 1
        return slow, wrong, rows.get(slow), done.returncode


def number(value):
    return "-" if value is None else "%.3f" % value


def report(bench):
    counts = bench.counts
    kinds = ("slower", "cannot_tell", "same")
    print("sets without a change: %d, false alarms: %d" % (counts["equal"],
                                                           counts["equal", "alarm"]))
    print("sets with one slower op: %d, found: %d (cannot tell: %d, missed: %d), other rows called "
          "slower in: %d" % (counts["slow"], *(counts["slow", kind] for kind in kinds),
                             counts["slow", "alarm"]))
    print("rows that did not change: %d slower, %d cannot tell, %d same" %
          tuple(counts["unchanged rows", kind] for kind in kinds))
    for kind in ("equal", "slow"):
        print("exit codes, %s sets: %s" % (kind, ", ".join(
            "%d: %d" % (code, counts[kind, "exit", code]) for code in (0, 1, 6))))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--sets", type=int, default=200)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--percent", type=int, default=15)
    parser.add_argument("--fail-above", default="10%")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ops", help="ops that may be slower, instead of the hot ones: a,b")
    parser.add_argument("--keep", help="a folder for the runs")
    parser.add_argument("--judge", help="a folder of kept runs, to judge again")
    options = parser.parse_args()
    bench = Bench(options)
    with tempfile.TemporaryDirectory() as place:
        os.environ["PROFTOP_DIR"] = place
        folder = options.judge or options.keep or os.path.join(place, "sets")
        os.makedirs(folder, exist_ok=True)
        if options.judge:
            for name in sorted(entry.name for entry in os.scandir(folder) if entry.is_dir()):
                bench.judge(os.path.join(folder, name))
        else:
            hot = options.ops.split(",") if options.ops else bench.hot_ops(place)
            print("ops that may be slower: %s" % " ".join(hot), flush=True)
            slow = [i % 2 == 1 for i in range(options.sets)]
            bench.random.shuffle(slow)
            for i, is_slow in enumerate(slow):
                one = os.path.join(folder, "%03d" % i)
                bench.record(one, bench.random.choice(hot) if is_slow else "")
                name, wrong, row, code = bench.judge(one)
                print("set %d: %s: %s exit %d%s" % (
                    i, "%s slower" % name if name else "no change",
                    "%s %s (%s to %s)" % (row["verdict"], *map(number, (
                        row["ratio"], row["low"], row["high"]))) if row else "", code,
                    "; wrong: %s" % ", ".join(wrong) if wrong else ""), flush=True)
        report(bench)


if __name__ == "__main__":
    sys.exit(main())

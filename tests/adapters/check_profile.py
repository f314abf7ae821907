# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_profile.py: `--format pytensor` against what PyTensor prints itself at the end of the same
run, byte for byte but for times and for the lines of which proftop knows nothing."""
import re
import sys

sys.dont_write_bytecode = True
import watching  # noqa: E402
from watching import Place, tap  # noqa: E402

STEPS = 300
FLAGS = "profile=True"
# Lines of the framework's own that have no figure in the feed.
UNTOLD = re.compile(r"       (C-cache preloading|Import time|Node make_thunk time) |"
                    r"           Node |Time in all call to |Time since pytensor import ")
SECONDS = r"\d+(?:\.\d+)?(?:e[+-]\d+)?s\b"
ROW = re.compile(r"^ *[\d.]+% +[\d.]+% +[\d.]+s +[\d.e+-]+s( .*)$")


def masked(line):
    """The line with T for each time and P for each percentage, and the blanks that pad them."""
    row = ROW.match(line)
    if row:
        return "ROW" + row.group(1)
    if line.startswith("   ... (remaining "):
        return re.sub(r" *\d+\.\d+%", " P%", re.sub(SECONDS, "Ts", line))
    if re.match(r"  +(Time in|Total|PyTensor)", line):
        return re.sub(r"\d+\.\d+%", "P%", re.sub(SECONDS, "Ts", line))
    return line


def timed(text):
    """Without the memory, which the framework prints only with a flag (check_memory.py)."""
    return re.sub(r"Memory Profile.*?emitted in those cases\.\n\n", "", text, flags=re.S)


def profiles(text):
    """Message -> lines of the profile, masked. Rows of a table are sorted: two clocks may order
    them in two ways."""
    found = {}
    for part in timed(text).split("Function profiling\n")[1:]:
        lines = [masked(line) for line in part.split("Here are tips to ")[0].split("\n")
                 if not UNTOLD.match(line)]
        done, rows = [], []
        for line in lines + [""]:
            if line.startswith("ROW"):
                rows.append(line)
                continue
            done += sorted(rows) + [line]
            rows = []
        while done and not done[-1]:
            done.pop()
        found[re.match("  Message: (.*)", lines[1]).group(1)] = done
    return found


def both(place, *options, **env):
    """(ours, theirs) of one run."""
    output = place.file("report.txt")
    command = [watching.PROFTOP, "run", *options, "-o", output, "--", watching.need_python(),
               watching.LOGREG, str(STEPS)]
    done = watching.run(command, place.env(PROFTOP_ADAPTERS=watching.ADAPTERS, **env), place.path)
    with open(output, encoding="utf-8") as file:
        return file.read(), done


def same(ours, theirs):
    ours, theirs = profiles(ours), profiles(theirs)
    for name in ("train", "predict"):
        assert ours[name] == theirs[name], "\n".join(
            ["proftop:", *ours[name], "PyTensor:", *theirs[name]])
        assert sum(line.startswith("ROW") for line in ours[name]) > 10


def the_report_is_the_frameworks_own():
    with Place() as place:
        ours, done = both(place, "--summary", "--format", "pytensor", flags=FLAGS)
    same(ours, done.stderr.decode())
    assert ours.count("Function profiling\n") == 3, "each once, and their sum"
    # The framework's own sum is broken in this release; ours is there.
    total = profiles(ours)["Sum of all(2) printed profiles at exit."]
    assert "  Time in %d calls to Function.__call__: Ts" % (STEPS + 1) in total, total


def summary_speaks_the_jobs_dialect():
    with Place() as place:
        ours, done = both(place, "--summary", flags=FLAGS)
        plain = watching.alone(place, watching.LOGREG, str(STEPS))
    same(ours, done.stderr.decode())
    assert done.stdout == plain.stdout and done.returncode == 0


def limits_fold_as_the_frameworks_do():
    with Place() as place:
        ours, done = both(place, "--summary", "--n-ops", "1", "--n-apply", "3",
                          flags=FLAGS + ",profiling__n_ops=1,profiling__n_apply=3")
    folded = [re.findall(r"remaining (\d+) (\w+)", timed(text))
              for text in (ours.split("  Message: Sum")[0], done.stderr.decode())]
    assert sorted(folded[0]) == sorted(folded[1]) and len(folded[0]) == 6, folded


tap.run(the_report_is_the_frameworks_own, summary_speaks_the_jobs_dialect,
        limits_fold_as_the_frameworks_do)

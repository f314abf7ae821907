# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_printed.py: the printed profiles of running and of ended jobs, on each member of Theano's
family, compared with the member's own output of the same run. The jobs are the example of the
documents and a logistic regression. Each runs once, and all the tests read that run."""
import collections
import concurrent.futures
import functools
import json
import re
import subprocess
import sys

sys.dont_write_bytecode = True
import masking  # noqa: E402
import watching  # noqa: E402
from watching import ADAPTERS, PROFTOP, Place, job, tap  # noqa: E402

STEPS = 20
EXCLUDING = "fusion:inplace"
ALL = ("--n-ops", "100", "--n-apply", "100")
DIGITS = 5e-7  # rounding of %e, as a share
WIDTH = 453  # of an Apply's name, as the frameworks cut it
RESULT = "[ 0.  6. 12. 18. 24. 30. 36. 42. 48. 54.]"
# The default here is Numba, and then its own profile has no nodes.
MORE_FLAGS = {"pytensor-3.0": "linker=cvm"}
NAMES = ("theano", "theano-pymc", "aesara", "pytensor-2.31", "pytensor-3.0")
# The length of the job's own profile. The flags of the old section are in the variable alone.
SMALL = {"theano": "profiling.n_ops=3,profiling.n_apply=4,profiling.min_memory_size=20000,"
                   "ProfileMode.n_apply_to_print=7",
         "theano-pymc": "ProfileMode.n_ops_to_print=9",
         "aesara": "ProfileMode.n_ops_to_print=9",
         "pytensor-2.31": "profiling__n_ops=3,profiling__n_apply=4,"
                          "profiling__min_memory_size=20000"}
# Nodes of the example without fusion, of the three families.
NODES = {"theano": 3, "aesara": 2, "pytensor-2.31": 2}

Run = collections.namedtuple("Run", "said theirs inside at_exit running usual ended")


def member(name):
    python, package, flags, folder = watching.member(name)
    return python, package, flags + "," + MORE_FLAGS.get(name, ""), folder


def is_there(name):
    try:
        return bool(member(name))
    except tap.Skip:
        return False


def until_ready(process):
    """The job's earlier output, and its pid, since other jobs may run on this machine."""
    said = []
    while True:
        line = process.stdout.readline()
        assert line, process.communicate()
        if line.startswith("ready "):
            return "".join(said), line.split()[1]
        said.append(line)


def report(env, pid, *words):
    done = subprocess.run([PROFTOP, "-b", "-p", pid, *words], env=env, check=False,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=watching.SECONDS)
    assert done.returncode == 0, done
    return done.stdout.decode()


def run(name, steps, excluding):
    """Runs the job under `run`. Returns its output before it was ready, the framework's print of
    all nodes, the output of proftop.summary() inside it, the framework's print at exit, the profile
    printed while it ran, by format, the same at its usual length, and the profile printed at its
    end."""
    python, package, flags, folder = member(name)
    flags = watching.family("profile=True", excluding and "optimizer_excluding=" + excluding,
                            flags.strip(","), SMALL.get(name, "") if steps else "", name=folder)
    with Place() as place:
        env = dict(place.env(PROFTOP_ADAPTERS=ADAPTERS), **flags)
        output = place.file("report.txt")
        process = subprocess.Popen(
            [PROFTOP, "run", "--summary", *ALL, "-o", output, "--", python,
             job("printed"), package, *steps], env=env, cwd=place.path, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        said, pid = until_ready(process)
        running = {word: report(env, pid, *ALL, "--format", word)
                   for word in ("text", "json", "profilemode", package) if steps}
        usual = {word: report(env, pid, "--format", word)
                 for word in ("profilemode", package) if name in SMALL and steps}
        if steps:
            running["predict"] = report(env, pid, *ALL, "--format", package, "--function",
                                        "predict")
        out, errors = process.communicate("\n", timeout=watching.SECONDS)
        theirs, *inside = out.split("summary\n")
        assert process.returncode == 0, errors
        with open(output, encoding="utf-8") as file:
            return Run(said, theirs, inside, errors, running, usual, file.read())


@functools.lru_cache
def runs():
    """For each member: the regression and the example. For three members only the example, without
    fusion."""
    member("pytensor-2.31")  # or skips
    names = [name for name in NAMES if is_there(name)]
    nodes = [name for name in NODES if name in names]
    jobs = [(name, [str(STEPS)], "") for name in names] + [(name, [], EXCLUDING) for name in nodes]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        done = list(pool.map(lambda words: run(*words), jobs))
    return dict(zip(names, done)), dict(zip(nodes, done[len(names):]))


def of(*names):
    """The regression, of the available members. Each was selected by another flag."""
    found = [(name, runs()[0][name]) for name in names if name in runs()[0]]
    if len(found) < len(names):
        print("# not there: %s" % " ".join(name for name in names if name not in runs()[0]))
    return found


def place_of_the_example():
    with open(job("printed"), encoding="utf-8") as file:
        line = 1 + next(at for at, text in enumerate(file) if "THE LINE" in text)
    return "%s:%d" % (job("printed"), line)


def theirs_of(name, text):
    """The profiles that the framework printed. PyTensor 3 prints None for every function without a
    name. proftop always prints its place of definition."""
    if name == "pytensor-3.0":
        text = text.replace("  Message: None\n", "  Message: %s\n" % place_of_the_example())
    return text


def same(name, ours, theirs, functions):
    ours, theirs = masking.profiles(ours), masking.profiles(theirs_of(name, theirs))
    for message in functions:
        assert ours[message] == theirs[message], "\n".join(
            [name, "proftop:", *ours[message], "its own:", *theirs[message]])


def reports_are_the_frameworks_own():
    for name, whole in runs()[0].items():
        same(name, whole.ended, whole.theirs, ("train", "predict", place_of_the_example()))
        assert whole.ended.count(masking.TITLE) == 4, "each once, and their sum"
        assert sum(row.startswith("ROW") for row in masking.profiles(whole.ended)["train"]) > 30
    for name, example in runs()[1].items():
        same(name, example.ended, example.theirs, [place_of_the_example()])


def sum_of(text):
    """(lines, rows) of the masked profile of all functions together. The number of nodes is left
    out: Theano prints the number of its first function."""
    lines, = [lines for message, lines in masking.profiles(text).items()
              if message.startswith("Sum of all")]
    rows = [line for line in lines if line.startswith("ROW")]
    rest = [line for line in lines if not line.startswith("ROW")]
    return [line for line in rest if "Number of Apply nodes" not in line], rows


def the_sum_is_the_frameworks_own():
    """Checks the only release that prints a correct one. Its few shown rows depend on its clock, so
    they are looked up among all of ours."""
    for name, whole in of("theano"):
        theirs, shown = sum_of(whole.at_exit)
        assert sum_of(whole.usual["theano"])[0] == theirs, (name, whole.usual, whole.at_exit)
        assert "  Time in %d calls to Function.__call__: Ts" % (STEPS + 2) in theirs, theirs
        rows = sum_of(whole.running["theano"])[1]
        assert len(shown) == 3 + 3 + 4 and len(rows) > len(shown), (name, shown, rows)
        assert set(shown) <= set(rows), (name, shown, rows)


def agree_once(off):
    """off(name, whole) returns the distances of two figures of a run, as shares of the limit. For
    each member each is at most 1 in the best of some runs, since other work on the machine falls
    between the clocks."""
    for name, whole in runs()[0].items():
        best = off(name, whole)
        for _ in range(watching.RUNS - 1):
            if max(best.values()) > 1:
                again = off(name, run(name, [str(STEPS)], ""))
                best = {figure: min(share, again[figure]) for figure, share in best.items()}
        assert max(best.values()) <= 1, (name, best)


def making_is_off(name, whole):
    """For each function: the distance of the time to make its nodes ready. The limit is a half. The
    framework's clock stands around ours."""
    ours, theirs = masking.parts(whole.ended), masking.parts(theirs_of(name, whole.theirs))
    off = {}
    for message in theirs:
        mine, its = masking.made(ours[message]), masking.made(theirs[message])
        assert mine[0] <= its[0], (name, message, mine, its)
        off[message] = (its[0] - mine[0]) / (its[0] / 2)
    return off


def nodes_that_took_most_to_be_made_are_the_frameworks():
    """If two nodes took nearly the same time, either may be shown."""
    agree_once(making_is_off)
    for name, whole in runs()[0].items():
        ours, theirs = masking.parts(whole.ended), masking.parts(theirs_of(name, whole.theirs))
        for message in theirs:
            mine, its = masking.made(ours[message]), masking.made(theirs[message])
            assert mine[1] == sorted(mine[1], key=lambda row: -row[0]), mine
            nodes = min(5, len(masking.table(theirs[message], "Apply\n------")))
            assert len(mine[1]) == len(its[1]) == nodes, (name, message, mine, its)
            both = {text for _, text in mine[1]} & {text for _, text in its[1]}
            for (own, text), (longer, other) in zip(mine[1], its[1]):
                assert own <= longer * 1.00001 + 1e-6, (name, message, mine, its)
                assert text == other or len(both) > 1, (name, message, mine, its)


def compiling_is_off(name, whole):
    """For each (function, part of its compilation): the distance of its time. The limit is 5 % or 5
    ms; 10 % if our time is less: only the framework's time includes our own work."""
    ours, theirs = masking.parts(whole.ended), masking.parts(theirs_of(name, whole.theirs))
    off = {}
    for message in theirs:
        mine, its = masking.setup(ours[message]), masking.setup(theirs[message])
        assert list(mine) == list(its) and len(its) == 4, (name, message, mine, its)
        for what, seconds in its.items():
            may_be = 0.05 if mine[what] > seconds else 0.1
            off[message, what] = abs(mine[what] - seconds) / max(may_be * seconds, 5e-3)
    assert len(off) == 12, (name, off)
    return off


def compile_times_match_the_framework():
    agree_once(compiling_is_off)


def load_times_match_the_framework():
    """The framework measures imports itself. Its clock stands around ours and around more, while it
    reads its cache, if it reports that time."""
    for name, whole in runs()[0].items():
        ours, theirs = masking.parts(whole.ended), masking.parts(theirs_of(name, whole.theirs))
        for message in theirs:
            mine, its = [masking.seconds(part[message], "Import time") for part in (ours, theirs)]
            assert abs(mine - its) <= its * 2 * DIGITS + 1e-9, (name, message, mine, its)
            mine, its = [masking.seconds(part[message], "C-cache preloading")
                         for part in (ours, theirs)]
            assert (its is None) == (not name.startswith("pytensor")), (name, its)
            if its is None:
                assert mine is None, (name, mine)
            else:
                assert 0 < mine <= its + 1e-9, (name, message, mine, its)
        parts = [masking.seconds(ours[message], "Import time") for message in theirs]
        total = next(part for message, part in ours.items() if message.startswith("Sum of all"))
        assert abs(masking.seconds(total, "Import time") - sum(parts)) <= sum(parts) * 1e-5, ours


def clocks_of_the_job_are_the_frameworks():
    """Gradients by the framework's own sum. It prints between our two reports, some time after its
    import."""
    for name, whole in runs()[0].items():
        package = member(name)[1]
        reports = whole.running[package], whole.theirs, whole.ended
        spent = [masking.seconds(text, "Time in all call to %s.grad()" % package)
                 for text in reports]
        assert 0 < min(spent) and max(spent) - min(spent) <= min(spent) * 1e-6, (name, spent)
        before, its, after = [masking.seconds(text, "Time since %s import" % package)
                              for text in reports]
        assert 0 < before <= its + 2e-3 and its <= after + 2e-3, (name, before, its, after)
        for text in reports[::2]:
            assert text.count("Time since ") == 4, (name, text)


def without_the_clock(text):
    return re.sub(r"(?m)^(Time since \w+ import) \S+s$", r"\1", text)


def a_running_job_has_the_same_report():
    """Nothing runs while it waits. At its end, only the time has changed."""
    for name, whole in runs()[0].items():
        running = whole.running[member(name)[1]]
        assert without_the_clock(running) == without_the_clock(whole.ended), name


def a_job_goes_on_behind_its_report():
    """The job runs while proftop asks it, and ends with its own result."""
    python, package, flags, folder = member("pytensor-2.31")
    with Place() as place:
        env = dict(place.env(PROFTOP_ADAPTERS=ADAPTERS),
                   **watching.family(flags.strip(","), name=folder))
        words = [python, job("going"), package]
        bare = subprocess.run(words, env=env, cwd=place.path, input="\n", check=True,
                              capture_output=True, text=True, timeout=watching.SECONDS)
        process = subprocess.Popen([PROFTOP, "run", "--summary", "-o", "end", "--", *words],
                                   env=env, cwd=place.path, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        _, pid = until_ready(process)

        def calls():
            known = json.loads(report(env, pid, "--format", "json"))
            return [watching.function(known, name)["calls"] for name in ("train", "predict")]
        before = calls()
        printed = report(env, pid, "--format", "profilemode")
        tap.wait_for("calls behind the report", lambda: calls()[1] > before[1], watching.SECONDS)
        assert before[0] == calls()[0] == 100 and process.poll() is None, before
        assert printed.startswith("ProfileMode.print_summary()\n"), printed
        out, errors = process.communicate("\n", timeout=watching.SECONDS)
        with open(place.file("end"), encoding="utf-8") as file:
            ended = masking.parts(file.read())["train"]
    assert process.returncode == 0 and errors == bare.stderr, (errors, bare.stderr)
    assert out == bare.stdout.split("\n", 1)[1] and out.startswith("sum(w) "), (out, bare.stdout)
    assert "  Time in 200 calls to Function.__call__: " in ended, ended


def a_nameless_function_is_called_by_its_place():
    for name, whole in runs()[0].items():
        ours, theirs = masking.profiles(whole.ended), masking.profiles(whole.theirs)
        assert place_of_the_example() in ours and "None" not in ours, (name, list(ours))
        assert ("None" in theirs) == (name == "pytensor-3.0"), (name, list(theirs))


def calls_of_the_regression_are_the_frameworks():
    """Every node of the framework's own profile, with its id, its text and its calls."""
    for name, whole in runs()[0].items():
        known = json.loads(whole.running["json"])
        for message, part in masking.parts(theirs_of(name, whole.theirs)).items():
            row, = [row for row in known["functions"]
                    if row["name"] == message or "%s:%s" % (row["file"], row["line"]) == message]
            ours = [(one["index"], one["calls"], one["name"][:WIDTH])
                    for one in watching.applies(known, row)]
            theirs = [(int(number), int(calls), text) for calls, number, text in
                      (re.match(r" *\S+ +\S+ +\S+ +\S+ +(\d+) +(\d+) +(.*)$", line).groups()
                       for line in masking.table(part, "Apply\n------"))]
            assert ours == sorted(theirs), (name, message, ours, theirs)
            steps = STEPS if message == "train" else 1
            assert row["calls"] == steps and {calls for _, calls, _ in ours} == {steps}, row


def three_summaries_and_three_panes_hold_the_regression():
    for name, whole in runs()[0].items():
        known = json.loads(whole.running["json"])
        ops = {row["id"]: row["name"] for row in known["ops"]}
        shown = {row["id"]: row["display"] or row["name"] for row in known["ops"]}
        _, apply_wise, op_wise, type_wise = re.split(
            r"^(?:Apply|Op|type-Op)-wise summary.*\n", whole.running["profilemode"], flags=re.M)
        panes = re.split(r"^ (?=Class|Ops|Apply)", whole.running["text"], flags=re.M)
        panes = {pane.split()[0]: pane for pane in panes[1:]}
        assert list(panes) == ["Class", "Ops", "Apply"], (name, list(panes))
        for row in known["applies"]:
            assert " %d %s\n" % (row["index"], ops[row["op"]]) in apply_wise, (name, row)
            text = row["name"].replace(ops[row["op"]], shown[row["op"]], 1)
            assert text + "\n" in panes["Apply"], (name, text, panes["Apply"])
        for table, summary, pane in (("ops", op_wise, "Ops"), ("classes", type_wise, "Class")):
            for row in known[table]:
                star = "*" if row["impl"] == "C" else " "
                assert " %s %s\n" % (star, row["name"]) in summary, (row, summary)
                text = row.get("display") or row["name"]
                assert text + "\n" in panes[pane], (name, row, panes[pane])
                if row["name"].startswith("CAReduce{Composite"):
                    assert text.startswith("reduce(i0 + "), row


def both_formats_have_the_same_figures():
    """Both equal the figures at that time, rounded as each format rounds: the fraction over all
    functions, and the percentage within one."""
    for name, whole in runs()[0].items():
        known = json.loads(whole.running["json"])
        ops = {row["id"]: row["name"] for row in known["ops"]}
        total = sum(row["total_ns"] for row in known["applies"])
        old = whole.running["profilemode"].split("\n")
        assert old[2] == "local_time %.12g (Time spent running thunks)" % (total / 1e9), old[2]
        wise = ["%.3f %d %s" % (row["total_ns"] / total, row["index"], ops[row["op"]])
                for row in known["applies"]]
        assert sorted(old[4:4 + len(wise)]) == sorted(wise), (name, old, wise)
        new = masking.parts(whole.running[member(name)[1]])
        thunks = 0
        for row in known["functions"]:
            part = new[row["name"] or place_of_the_example()]
            mine = watching.applies(known, row)
            sum_ns = sum(one["total_ns"] for one in mine)
            said = float(re.search("^  Time in thunks: ([^s]*)s", part, re.M).group(1))
            thunks += said
            assert abs(said * 1e9 - sum_ns) < 1 + sum_ns * DIGITS, (name, said, sum_ns)
            rows = [re.sub(r"^( *\S+) +\S+%", r"\1", line)  # without the running sum
                    for line in masking.table(part, "Apply\n------")]
            assert sorted(rows) == sorted(
                "  %4.1f%%     %7.3fs       %8.2es   %4d   %3d   %s" % (
                    one["total_ns"] * 100 / sum_ns, one["total_ns"] / 1e9,
                    one["total_ns"] / 1e9 / one["calls"], one["calls"], one["index"],
                    one["name"][:WIDTH])
                for one in mine), (name, rows, mine)
        assert abs(thunks * 1e9 - total) < 3 + total * DIGITS, (name, thunks, total)


def flags_of_the_example_pass_through():
    """Run as the documents say: the job prints the same as alone, and its nodes, ids and calls are
    the framework's (reports_are_the_frameworks_own)."""
    for name, example in runs()[1].items():
        assert example.said == "excluding %s\n%s\n" % (EXCLUDING, RESULT), example.said
        rows = masking.table(masking.parts(example.ended)[place_of_the_example()], "Apply\n------")
        assert len(rows) == NODES[name], (name, rows)
        whole = runs()[0][name]
        assert whole.said == "excluding \n%s\n" % RESULT, (name, whole.said)


def with_fusion_one_op_is_left():
    for name, whole in runs()[0].items():
        part = masking.parts(whole.ended)[place_of_the_example()]
        for title in ("Class\n---", "Ops\n---", "Apply\n------"):
            row, = masking.table(part, title)
            assert row.startswith("  100.0%   100.0% "), (name, row)


def one_function_has_one_profile():
    """From outside, a function is chosen by its name. Inside the job, by the function itself, also
    if it has no name."""
    for name, whole in runs()[0].items():
        predict, example, every = whole.inside
        outside = whole.running["predict"]
        assert without_the_clock(predict) == without_the_clock(outside), (name, predict, outside)
        assert every == whole.running["profilemode"], (name, every)
        predict, example = without_the_clock(predict), without_the_clock(example)
        for text, message in ((predict, "predict"), (example, place_of_the_example())):
            assert text.count(masking.TITLE) == 1 and list(masking.parts(text)) == [message], text
            ended = masking.parts(without_the_clock(whole.ended))[message]
            assert masking.parts(text)[message] == ended, (name, text)


def job_flags_set_the_profile_lengths():
    """By the flags of the job, in both spellings. Its own print at exit has the same length."""
    for name, whole in of("theano", "pytensor-2.31"):
        usual = whole.usual[member(name)[1]]
        for part, lines in ((masking.parts(usual)["train"], ("Class\n---", "Ops\n---")),
                            (masking.parts(whole.at_exit)["train"], ("Class\n---", "Ops\n---"))):
            assert [len(masking.table(part, title)) for title in lines] == [3, 3], (name, part)
            assert len(masking.table(part, "Apply\n------")) == 4, (name, part)
        assert "All Apply nodes have output sizes that take less than 20000B." in usual, usual


def profilemode_flags_set_the_row_counts():
    """Each flag sets one length and leaves the other unchanged. The document confuses the two."""
    rows = {"theano": (7, 20), "theano-pymc": (15, 9), "aesara": (15, 9), "pytensor-2.31": (15, 20)}
    for name, whole in of(*rows):
        applies, ops = rows[name]
        known = json.loads(whole.running["json"])
        assert len(known["ops"]) > 9 and len(known["applies"]) > 15, (name, known["ops"])
        ops = min(ops, len(known["ops"]))
        parts = re.split(r"^\S+-wise summary.*\n", whole.usual["profilemode"], flags=re.M)
        shown = [len(re.findall(r"^\d", part, re.M)) for part in parts[1:3]]
        assert shown == [applies, ops], (name, shown, applies, ops)


def facts_are_what_the_job_is_set_to():
    for name, whole in runs()[0].items():
        facts = json.loads(whole.running["json"])["jobs"][0]["facts"]
        assert "floatX=float64" in facts and "profile=True" in facts, (name, facts)
        assert ("profiling.n_ops=3" in facts) == (name in ("theano", "pytensor-2.31")), facts
        assert "linker=cvm" in facts, (name, facts)


tap.run(reports_are_the_frameworks_own, the_sum_is_the_frameworks_own,
        compile_times_match_the_framework, load_times_match_the_framework,
        clocks_of_the_job_are_the_frameworks, nodes_that_took_most_to_be_made_are_the_frameworks,
        a_running_job_has_the_same_report, a_job_goes_on_behind_its_report,
        a_nameless_function_is_called_by_its_place,
        calls_of_the_regression_are_the_frameworks,
        three_summaries_and_three_panes_hold_the_regression, both_formats_have_the_same_figures,
        flags_of_the_example_pass_through, with_fusion_one_op_is_left,
        one_function_has_one_profile, job_flags_set_the_profile_lengths,
        profilemode_flags_set_the_row_counts,
        facts_are_what_the_job_is_set_to)

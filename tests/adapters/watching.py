# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""watching.py: runs jobs with and without proftop, and reads what either side counted."""
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import tap  # noqa: E402

sys.path.insert(0, tap.source("tests", "e2e"))
from shell import fits  # noqa: E402

PYTHON = os.environ.get("PROFTOP_TEST_PYTHON")
PROFTOP = os.path.abspath(os.environ.get("PROFTOP_TEST_PROFTOP") or tap.built("proftop"))
ADAPTERS = os.path.abspath(
    os.environ.get("PROFTOP_TEST_ADAPTERS") or tap.built("adapters", "python"))
LOGREG = tap.source("examples", "pytensor_logreg.py")
SECONDS = 300 * tap.SLOW
NS = 1e9
# Name of a virtual environment: the package, what the header calls it, and its flags.
MEMBERS = {
    "theano": ("theano", "Theano", "blas.ldflags="),
    "theano-pymc": ("theano", "Theano-PyMC", "blas__ldflags="),
    "aesara": ("aesara", "Aesara", ""),
    "pytensor-2.25": ("pytensor", "PyTensor", ""),
    "pytensor-3.0": ("pytensor", "PyTensor", ""),
    "pymc": ("pytensor", "PyTensor", ""),  # 2.38
}
# script/check runs a test of several members with this one alone, unless the test says otherwise.
GATE_MEMBER = "pytensor-2.31"
NUMBA = "pytensor-3.0"  # it compiles by Numba unless it is asked for something else


def job(name):
    return os.path.join(HERE, "jobs", name + ".py")


def need_python():
    if not PYTHON:
        raise tap.Skip("PROFTOP_TEST_PYTHON names no Python that has PyTensor")
    return PYTHON


def need_member(name):
    """Its Python. PROFTOP_TEST_MEMBERS names them: NAME=PYTHON, with blanks between (script/venv
    makes them)."""
    members = dict(word.split("=", 1)
                   for word in os.environ.get("PROFTOP_TEST_MEMBERS", "").split())
    if name not in members:
        raise tap.Skip("PROFTOP_TEST_MEMBERS names no Python for %s" % name)
    return members[name]


def member(name):
    """(Python, package, flags, name of its compiledir). pytensor-2.31 is PROFTOP_TEST_PYTHON's."""
    if name == "pytensor-2.31":
        return need_python(), "pytensor", "", ""
    package, _, flags = MEMBERS[name]
    return need_member(name), package, flags, name


def there():
    """Names of the members that are there, in script/check GATE_MEMBER alone; or SKIP."""
    need_python()
    others = [] if os.environ.get("PROFTOP_TEST_GATE") else MEMBERS
    for name in [*others, GATE_MEMBER]:
        try:
            yield member(name) and name
        except tap.Skip as reason:
            print("# %s" % reason)


def of_each(what, test, names=tuple(MEMBERS), gate=()):
    """One test for each of these names, which are members unless said otherwise; the name of the
    test begins with `what`. script/check leaves out members that are not in `gate`."""
    for name in names:
        def one(name=name):
            test(name)
        one.__name__ = what + re.sub(r"\W", "_", name)
        if getattr(test, "all_only", False) or (name in MEMBERS and name not in gate):
            tap.all_only(one)
        yield one


def family(*flags, name=""):
    """The environment in which any member has these flags, and its `compiledir` of this name."""
    flags = ",".join(filter(None, ["base_compiledir=" + compiledir(name), *flags]))
    return {variable: flags for variable in ("THEANO_FLAGS", "AESARA_FLAGS", "PYTENSOR_FLAGS")}


def profiling(name, words):
    """The flag of the section on profiles, as this member writes it."""
    return "profiling" + ("." if name == "theano" else "__") + words


class Place:
    """A folder of a test's own, and the environment of the jobs that run in it."""

    def __init__(self):
        self.path = tempfile.mkdtemp(prefix="proftop-adapter-")

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        shutil.rmtree(self.path, ignore_errors=True)

    def file(self, name):
        return os.path.join(self.path, name)

    def env(self, flags="", **more):
        env = {name: value for name, value in os.environ.items()
               if not name.startswith("PROFTOP") and name != "PYTENSOR_FLAGS"}
        env.update(OMP_NUM_THREADS="1", PYTHONDONTWRITEBYTECODE="1", PROFTOP_DIR=self.path,
                   TMPDIR=self.path,  # frameworks leave what they generate there
                   PYTENSOR_FLAGS=family(flags)["PYTENSOR_FLAGS"])
        env.update(more)
        return env


def compiledir(name=""):
    """What was compiled, kept between the tests of one build: the first run takes seconds. What
    others than PROFTOP_TEST_PYTHON compile is kept under their names."""
    return os.path.abspath(tap.built("tests", "adapters", "compiledir" + (name and "-" + name)))


def numba_cache(name):
    """({file: content} of what Numba compiled without marks, files of that with marks)"""
    folder, plain, marked = os.path.join(compiledir(name), "numba"), {}, set()
    for file in os.listdir(folder):
        with open(os.path.join(folder, file), "rb") as code:
            content = code.read()
        if b"_proftop_mark" in content:
            marked.add(file)
        elif file.endswith(".nbc"):
            plain[file] = content
    return plain, marked


def run(command, env, folder, seconds=SECONDS):
    return subprocess.run(command, env=env, cwd=folder, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=seconds, check=False)


def alone(place, script, *args, **env):
    """The job without proftop."""
    return run([need_python(), script, *args], place.env(**env), place.path)


def watched(place, script, *args, **env):
    """The job under `proftop run`. Gives its end, and what proftop last knew of it."""
    return watched_by(need_python(), place, script, *args, **env)


def watched_by(python, place, script, *args, options=(), **env):
    output = place.file("proftop.json")
    command = [PROFTOP, "run", *options, "-b", "-n", "0", "--format", "json", "-o", output, "--",
               python, script, *args]
    done = run(command, place.env(PROFTOP_ADAPTERS=ADAPTERS, **env), place.path)
    with open(output, encoding="utf-8") as file:
        lines = file.read().splitlines()
    assert lines, done.stderr.decode(errors="replace")
    known = json.loads(lines[-1])
    assert known["final"] is True, [(one["state"], one["reason"]) for one in known["jobs"]]
    return done, known


def beside_alone(python, place, *words, **env):
    """Like watched_by(), of a job that prints with proftop what it prints without."""
    bare = run([python, *words], place.env(**env), place.path)
    done, known = watched_by(python, place, *words, **env)
    assert bare.returncode == done.returncode == 0, (bare, done)
    assert (bare.stdout, bare.stderr) == (done.stdout, done.stderr), (bare, done)
    return done, known


def summed_up(name, script, *flags):
    """What a job of this member printed, and proftop's report at its end."""
    python, package, own, folder = member(name)
    with Place() as place:
        output = place.file("report.txt")
        env = dict(place.env(PROFTOP_ADAPTERS=ADAPTERS), **family(*flags, own, name=folder))
        done = run([PROFTOP, "run", "--summary", "-o", output, "--", python, script, package], env,
                   place.path)
        assert done.returncode == 0, done.stderr.decode()
        with open(output, encoding="utf-8") as file:
            return done.stdout.decode(), file.read()


def examined(place, *command, code=0, pid=None, **env):
    """What `proftop doctor` finds of a Python, or of a process: what -> [(level, text)]."""
    env = place.env(**{"PROFTOP_ADAPTERS": ADAPTERS, **env})
    asked = ["-p", str(pid)] if pid else ["--", *command]
    done = run([PROFTOP, "doctor", "--format", "json", *asked], env, place.path)
    assert done.returncode == code and not done.stderr, done
    report = json.loads(done.stdout)
    fits(report, "doctor.schema")
    found = {}
    for row in report["found"]:
        found.setdefault(row["what"], []).append((row["level"], row["text"]))
    return found


def functions(known, name, job=0):
    return [row for row in known["functions"] if (row["name"], row["job"]) == (name, job)]


def function(known, name, job=0):
    rows = functions(known, name, job)
    assert len(rows) == 1, (name, [row["name"] for row in known["functions"]])
    return rows[0]


def applies(known, row):
    rows = [one for one in known["applies"]
            if (one["function"], one["job"]) == (row["id"], row["job"])]
    return sorted(rows, key=lambda one: one["index"])


def class_of(known):
    """Id of an op: the name of its class."""
    names = {row["id"]: row["name"] for row in known["classes"]}
    return {row["id"]: names[row["class"]] for row in known["ops"]}


# In how many runs each time has to agree once: what else runs on the machine falls between two
# clocks in one run of five, and takes longer than what is compared.
RUNS = 12
# Figures of the calls of a function, in the order in which the frameworks have them; and what lies
# at most between two clocks, for each call: Python goes in and out of Function.__call__ between
# ours and the framework's.
CALLS = {"call_ns": 3000, "vm_ns": 600}
PRINTED_CALLS = re.compile(
    r"^  Time in (?:\d+ calls to Function|Function\.\w+)\.__call__: (\S+)s", re.M)
NODE = re.compile(r"^ *[\d.]+% +[\d.]+% +[\d.]+s +([\d.e+-]+)s +(\d+) +(\d+) +(\S.*)$")


def printed_profiles(text):
    """What the framework printed at exit: name -> (seconds in nodes, {id: (calls, ns, text)})."""
    profiles = {}
    for part in text.split("Function profiling\n")[1:]:
        name = re.search(r"^  Message: (.*)$", part, re.M).group(1)
        thunks = float(re.search(r"^  Time in thunks: ([\d.e+-]+)s", part, re.M).group(1))
        table = part.split("\nApply\n", 1)[1]
        nodes = {}
        for line in table.splitlines():
            found = NODE.match(line)
            if found:
                per_call, calls, number, label = found.groups()
                nodes[int(number)] = (int(calls), float(per_call) * NS * int(calls), label)
        profiles[name] = (thunks, nodes)
    return profiles


def printed_calls(text):
    """The same of what calls took: name -> seconds of each figure of CALLS."""
    return {re.search(r"^  Message: (.*)$", part, re.M).group(1):
            [float(seconds) for seconds in PRINTED_CALLS.findall(part)]
            for part in text.split("Function profiling\n")[1:]}


def calls_are_off(row, seconds):
    """Figure of CALLS: how far that of the function is from the framework's, in shares of what may
    be: 3 %, or what lies between the clocks."""
    return {key: abs(row[key] - its * NS) / max(0.03 * its * NS, between_ns * row["calls"])
            for (key, between_ns), its in zip(CALLS.items(), seconds)}


def off(row, ns, between_ns=100, rounded=0.0):
    """How far the time of a node is from the framework's, which it rounds to this share; in shares
    of what may be: 3 %, or what lies between two clocks that stand around each call."""
    return abs(row["total_ns"] - ns) / (max(0.03 * ns, between_ns * row["calls"]) + rounded * ns)


def between_clocks(nodes, most_ns):
    """What lies between the framework's clock and ours around a call, in ns, as it was in this run:
    the machine and what else it does decide that. That of the middle one of the nodes, at least
    none, and at most so much; none where some are estimates."""
    if any(row["total_error_ns"] for row, *_ in nodes.values()):
        return 0
    apart = [(ns - row["total_ns"]) / row["calls"] for row, ns, _ in nodes.values()]
    return min(max(statistics.median(apart), 0), most_ns)


def nodes_are_off(nodes, between_ns=100):
    """Of the nodes of one run, each a row, the framework's ns and the share that these are rounded
    to: how far each is off (see there) when what lies between the clocks has been taken away,
    which is at most as much again."""
    between = between_clocks(nodes, between_ns)
    return {key: off(row, ns - between * row["calls"], between_ns, rounded)
            for key, (row, ns, rounded) in nodes.items()}


def best_of_runs(run, figures=1):
    """Runs until each of so many figures at least has been as near as it must be once: run() gives
    by figure how far off it is, where 1 is as far as it may be."""
    best = {}
    for _ in range(RUNS):
        for figure, far in run().items():
            best[figure] = min(far, best.get(figure, far))
        if len(best) >= figures and max(best.values()) <= 1:
            return
    raise AssertionError((figures, {figure: far for figure, far in best.items() if far > 1}))


def truth(path, what="nodes"):
    """What jobs/truth.py wrote: name -> list of [text, calls, seconds, seconds to be ready]; or
    what="calls": name -> seconds of each figure of CALLS."""
    with open(path, encoding="utf-8") as file:
        return json.load(file)[what]


def compare_calls(known, told, name):
    """Every node: text, order and calls are the framework's own."""
    ours = [[row["name"], row["calls"]] for row in applies(known, function(known, name))]
    theirs = [[text, calls] for text, calls, *_ in told[name]]
    assert ours == theirs, (name, ours, theirs)


def check_groups(rows):
    """Of the functions of jobs/groups.py: who shares a profile or a mode with whom."""
    group = {row["name"]: row["group"] for row in rows}
    assert len(group) == len(rows) == 9, rows
    assert group["f"] == group["g"] is not None, group
    assert group["one"] == group["two"] == group["three"] is not None, group
    assert len({group["f"], group["one"], group["own"]}) == 3, group
    assert {group[name] for name in ("usual", "default", "text")} == {None}, group

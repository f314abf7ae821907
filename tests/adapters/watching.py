# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""watching.py: runs jobs with and without proftop, and reads the counts of both sides."""
import json
import os
import re
import shutil
import socket
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
# Name of a virtual environment: its package, its name in the header, and its flags.
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
NUMBA = "pytensor-3.0"  # compiles by Numba by default


def job(name):
    return os.path.join(HERE, "jobs", name + ".py")


def need_python():
    if not PYTHON:
        raise tap.Skip("PROFTOP_TEST_PYTHON names no Python that has PyTensor")
    return PYTHON


def need_member(name):
    """Returns the member's Python. PROFTOP_TEST_MEMBERS lists them: NAME=PYTHON, separated by
    blanks (script/venv makes them)."""
    members = dict(word.split("=", 1)
                   for word in os.environ.get("PROFTOP_TEST_MEMBERS", "").split())
    if name not in members:
        raise tap.Skip("PROFTOP_TEST_MEMBERS names no Python for %s" % name)
    return members[name]


def member(name):
    """(Python, package, flags, name of its compiledir). PROFTOP_TEST_PYTHON is pytensor-2.31."""
    if name == "pytensor-2.31":
        return need_python(), "pytensor", "", ""
    package, _, flags = MEMBERS[name]
    return need_member(name), package, flags, name


def there():
    """Names of the available members. In script/check only GATE_MEMBER. Skips if there is none."""
    need_python()
    others = [] if os.environ.get("PROFTOP_TEST_GATE") else MEMBERS
    for name in [*others, GATE_MEMBER]:
        try:
            yield member(name) and name
        except tap.Skip as reason:
            print("# %s" % reason)


def of_each(what, test, names=tuple(MEMBERS), gate=()):
    """One test for each of these names, which are members by default. The test's name begins with
    `what`. script/check leaves out members that are not in `gate`."""
    for name in names:
        def one(name=name):
            test(name)
        one.__name__ = what + re.sub(r"\W", "_", name)
        if getattr(test, "all_only", False) or (name in MEMBERS and name not in gate):
            tap.all_only(one)
        yield one


def family(*flags, name=""):
    """The environment that gives any member these flags, and the `compiledir` of this name."""
    flags = ",".join(filter(None, ["base_compiledir=" + compiledir(name), *flags]))
    return {variable: flags for variable in ("THEANO_FLAGS", "AESARA_FLAGS", "PYTENSOR_FLAGS")}


def profiling(name, words):
    """The name of a flag of the profiling section, in this member's spelling."""
    return "profiling" + ("." if name == "theano" else "__") + words


class Place:
    """A folder of a test's own, and the environment of its jobs."""

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
                   TMPDIR=self.path,  # frameworks write generated files there
                   PYTENSOR_FLAGS=family(flags)["PYTENSOR_FLAGS"])
        env.update(more)
        return env


def kvstore(place, **more):
    """The environment of the processes of an MXNet kvstore on this machine: two workers, a server,
    and a scheduler at a free port."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = str(one.getsockname()[1])
    return place.env(DMLC_PS_ROOT_URI="127.0.0.1", DMLC_PS_ROOT_PORT=port, DMLC_NUM_WORKER="2",
                     DMLC_NUM_SERVER="1", DMLC_INTERFACE="lo", **more)


def compiledir(name=""):
    """The folder of compiled code. It is kept between the tests of one build, since the first run
    takes seconds. Members other than PROFTOP_TEST_PYTHON have folders of their own names."""
    return os.path.abspath(tap.built("tests", "adapters", "compiledir" + (name and "-" + name)))


def numba_cache(name):
    """({file: content} of Numba's cache without marks, files with marks)"""
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
    """Runs the job without proftop."""
    return run([need_python(), script, *args], place.env(**env), place.path)


def watched(place, script, *args, **env):
    """Runs the job under `proftop run`. Returns its exit, and the last report."""
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
    assert known["final"] is True, (done, [(one["state"], one["reason"]) for one in known["jobs"]])
    return done, known


def beside_alone(python, place, *words, **env):
    """Like watched_by(), for a job whose output is the same with and without proftop."""
    bare = run([python, *words], place.env(**env), place.path)
    done, known = watched_by(python, place, *words, **env)
    assert bare.returncode == done.returncode == 0, (bare, done)
    assert (bare.stdout, bare.stderr) == (done.stdout, done.stderr), (bare, done)
    return done, known


def summed_up(name, script, *flags):
    """Returns the output of a job of this member, and proftop's last report."""
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
    """The findings of `proftop doctor` for a Python or a process: subject -> [(level, text)]."""
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
    """Id of an op, by the name of its class."""
    names = {row["id"]: row["name"] for row in known["classes"]}
    return {row["id"]: names[row["class"]] for row in known["ops"]}


# Number of runs. Each time has to agree in one of them. In one run of five, other work on the
# machine falls between two clocks and takes longer than the compared time.
RUNS = 12
# Figures of the calls of a function, in the order of the frameworks, and the longest time between
# two clocks per call. Python enters and leaves Function.__call__ between our clock and the
# framework's.
CALLS = {"call_ns": 3000, "vm_ns": 600}
PRINTED_CALLS = re.compile(
    r"^  Time in (?:\d+ calls to Function|Function\.\w+)\.__call__: (\S+)s", re.M)
NODE = re.compile(r"^ *[\d.]+% +[\d.]+% +[\d.]+s +([\d.e+-]+)s +(\d+) +(\d+) +(\S.*)$")


def printed_profiles(text):
    """Parses the framework's output at exit: name -> (seconds in nodes, {id: (calls, ns,
    text)})."""
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
    """The same for calls: name -> seconds of each figure of CALLS."""
    return {re.search(r"^  Message: (.*)$", part, re.M).group(1):
            [float(seconds) for seconds in PRINTED_CALLS.findall(part)]
            for part in text.split("Function profiling\n")[1:]}


def calls_are_off(row, seconds):
    """For each figure of CALLS: its distance from the framework's figure. 1 is the limit: 3 %, or
    the time between the clocks."""
    return {key: abs(row[key] - its * NS) / max(0.03 * its * NS, between_ns * row["calls"])
            for (key, between_ns), its in zip(CALLS.items(), seconds)}


def off(row, ns, between_ns=100, rounded=0.0):
    """The distance of a node's time from the framework's, which is rounded to the share `rounded`.
    1 is the limit: 3 %, or the time between two clocks around each call."""
    return abs(row["total_ns"] - ns) / (max(0.03 * ns, between_ns * row["calls"]) + rounded * ns)


def between_clocks(nodes, most_ns):
    """The time in ns between the framework's clock and ours around a call, as it was in this run.
    It depends on the machine and its other load. The median of the nodes, at least 0 and at most
    the given limit. 0 if some times are estimates."""
    if any(row["total_error_ns"] for row, *_ in nodes.values()):
        return 0
    apart = [(ns - row["total_ns"]) / row["calls"] for row, ns, _ in nodes.values()]
    return min(max(statistics.median(apart), 0), most_ns)


def nodes_are_off(nodes, between_ns=100):
    """Takes the nodes of one run: each a row, the framework's ns, and the share that these are
    rounded to. Returns the distance of each, as off() gives it, after subtracting the time between
    the clocks. That time is at most `between_ns`, so the limit may double."""
    between = between_clocks(nodes, between_ns)
    return {key: off(row, ns - between * row["calls"], between_ns, rounded)
            for key, (row, ns, rounded) in nodes.items()}


def best_of_runs(run, figures=1):
    """Runs until each of at least so many figures has been near enough once. run() returns each
    figure's distance, where 1 is the limit."""
    best = {}
    for _ in range(RUNS):
        for figure, far in run().items():
            best[figure] = min(far, best.get(figure, far))
        if len(best) >= figures and max(best.values()) <= 1:
            return
    raise AssertionError((figures, {figure: far for figure, far in best.items() if far > 1}))


def truth(path, what="nodes"):
    """The output of jobs/truth.py: name -> list of [text, calls, seconds, seconds to make ready];
    or for what="calls": name -> seconds of each figure of CALLS."""
    with open(path, encoding="utf-8") as file:
        return json.load(file)[what]


def compare_calls(known, told, name):
    """Checks every node: text, order and calls are the framework's own."""
    ours = [[row["name"], row["calls"]] for row in applies(known, function(known, name))]
    theirs = [[text, calls] for text, calls, *_ in told[name]]
    assert ours == theirs, (name, ours, theirs)


def check_groups(rows):
    """Checks which functions of jobs/groups.py share a profile or a mode."""
    group = {row["name"]: row["group"] for row in rows}
    assert len(group) == len(rows) == 9, rows
    assert group["f"] == group["g"] is not None, group
    assert group["one"] == group["two"] == group["three"] is not None, group
    assert len({group["f"], group["one"], group["own"]}) == 3, group
    assert {group[name] for name in ("usual", "default", "text")} == {None}, group

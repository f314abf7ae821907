# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_wheel.py: a wheel of this build, installed by pip in an environment of its own, works there
and knows nothing of the tree that it was built in. With PROFTOP_TEST_LONG=1 the same of what
`pip install` builds of the source, and of what is packed for it."""
import json
import os
import subprocess
import sys
import zipfile

sys.dont_write_bytecode = True
from watching import PYTHON, SECONDS, Place, job, run, tap  # noqa: E402

LONG = os.environ.get("PROFTOP_TEST_LONG") == "1"
BUILT, SOURCE = os.path.abspath(tap.built()), os.path.abspath(tap.source())
STEPS = 10
OWN = """
import sys
import threading
import proftop
training = proftop.publish("training")
assert training.reason is None, training.reason
loss, rows = training.counter("loss"), training.counter("rows", "rows", kind=int)
step, load = training.frame("step"), training.task("load")
for i in range(%d):
    with step:
        with load, load:
            rows.add(3)
        loss.set(1 / (i + 1))
run = training.event("elsewhere").start()
other = threading.Thread(target=training.event("elsewhere").stop, args=(run,))
other.start()
other.join()
training.marker("epoch").mark("global")
try:
    training.marker("epoch").mark("nowhere")
except ValueError as error:
    print(error)
print(sys.executable, *sys.argv[1:])
with open("/proc/self/maps") as file:
    print(*[line.split()[-1] for line in file if "libproftop" in line or "_feed" in line],
          sep="\\n")
""" % STEPS
REFUSED = """
import proftop
own = proftop.publish("own")
print(own.reason)
own.counter("n").add(1)
with own.task("t"):
    own.marker("m").mark()
proftop.summary()
"""
FORKED = """
import os
import proftop
own = proftop.publish("own").counter("forks", kind=int)
own.set(1)
if os.fork() == 0:
    own.add(5)
    raise SystemExit
os.wait()
own.add(1)
"""


# Where the pip lies that this Python would put into an environment: as it is, it works too.
FIND_PIP = """
import ensurepip, glob, os
folder = getattr(ensurepip, "_WHEEL_PKG_DIR", None) or os.path.join(
    os.path.dirname(ensurepip.__file__), "_bundled")
print(*glob.glob(os.path.join(folder, "pip-*.whl"))[:1])
"""


def pip(place, folder, *words):
    python = os.path.join(folder, "bin", "python")
    env = {name: value for name, value in place.env().items() if not name.startswith("PIP_")}
    found = run([python, "-c", FIND_PIP], env, place.path).stdout.decode().strip()
    if not found:
        raise tap.Skip("this Python has no pip (Debian: python3-venv)")
    done = run([python, "-m", "pip", *words], dict(env, PYTHONPATH=found), place.path)
    assert done.returncode == 0, done


def environment(place, wheel_or_source):
    """A virtual environment with the wheel. Gives its folder."""
    folder = place.file("env")
    made = run([PYTHON or sys.executable, "-m", "venv", "--without-pip", folder], place.env(),
               place.path)
    assert made.returncode == 0, made
    pip(place, folder, "install", "--no-deps", "--no-index", "-q", "--disable-pip-version-check",
        wheel_or_source)
    return folder


def wheel(place, *words):
    done = run([sys.executable, tap.source("script", "proftop_wheel.py"), "--to", place.path,
                *words], place.env(), place.path)
    assert done.returncode == 0, done
    return done.stdout.decode().strip()


def script(place, text):
    path = place.file("own job.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def moved(place, *words, **env):
    """What a program of the environment does, out of every tree."""
    bare = {name: value for name, value in place.env().items()
            if name not in ("builddir", "srcdir", "top_builddir")}
    return run(list(words), {**bare, **env}, place.path)


def last_of(place, folder, *command, **env):
    """End of a job under `python -m proftop run`, and what was last known of it."""
    output = place.file("report.json")
    done = moved(place, os.path.join(folder, "bin", "python"), "-m", "proftop", "run", "--children",
                 "-b", "-n", "0", "--format", "json", "-o", output, *command, **env)
    with open(output, encoding="utf-8") as file:
        return done, json.loads(file.read().splitlines()[-1])


def counter(known, name):
    return [(row["value"], row["updates"]) for row in known["counters"] if row["name"] == name]


def works_in(place, folder):
    """The program, a job of its own objects, and where everything comes from."""
    program = os.path.join(folder, "bin", "proftop")
    said = moved(place, program, "--version")
    assert said.stdout.startswith(b"proftop ") and said.returncode == 0, said
    done, known = last_of(place, folder, script(place, OWN))
    assert done.returncode == 0 and known["final"], (done, known)
    wrong, python, *mapped = done.stdout.decode().splitlines()
    assert "nowhere" in wrong, wrong
    assert python == os.path.join(folder, "bin", "python"), python
    assert len({os.path.basename(path) for path in mapped}) == 2, mapped
    assert all(path.startswith(os.path.realpath(folder)) for path in mapped), mapped
    assert known["jobs"][0]["program"] == "own job.py", known["jobs"]
    assert counter(known, "loss") == [(1 / STEPS, STEPS)], known["counters"]
    assert counter(known, "rows") == [(3 * STEPS, STEPS)], known["counters"]
    assert {(row["kind"], row["domain"], row["name"]): row["calls"] for row in known["spans"]} == {
        ("frame", "training", "step"): STEPS, ("task", "training", "load"): 2 * STEPS,
        ("event", "event", "elsewhere"): 1}, known["spans"]
    assert [(row["name"], row["scope"]) for row in known["markers"]] == [("epoch", "global")]


def says_nothing_of_the_tree(folder):
    """An installation under the source tree, as distcheck's, may be named."""
    trees = [BUILT, *(os.path.join(SOURCE, part) for part in ("model", "feed", "tui", "adapters"))]
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            with open(path, "rb") as file:
                text = file.read()
            assert not [tree for tree in trees if tree.encode() in text], path


def a_wheel_works_where_it_is_installed():
    with Place() as place:
        path = wheel(place, "--from", BUILT)
        with zipfile.ZipFile(path) as packed:
            names = packed.namelist()
            assert not packed.testzip()
            os.mkdir(place.file("unpacked"))
            packed.extractall(place.file("unpacked"))
        says_nothing_of_the_tree(place.file("unpacked"))
        assert [name for name in names if name.endswith("licenses/LICENSE")], names
        assert "-cp38-abi3-" in path, path
        folder = environment(place, path)
        works_in(place, folder)
        # Without `run`, and where nobody may publish.
        alone = moved(place, os.path.join(folder, "bin", "python"), "-c", REFUSED, PROFTOP="0")
        assert b"PROFTOP=0" in alone.stdout and b"does not watch" in alone.stderr, alone
        # A forked child counts by itself, under the same names.
        done, known = last_of(place, folder, script(place, FORKED))
        assert done.returncode == 0, done
        assert sorted(counter(known, "forks")) == [(2, 2), (5, 1)], (known["counters"], done)
        a_framework_is_seen(place, folder)
        pip(place, folder, "uninstall", "-y", "-q", "proftop")
        left = [os.path.join(where, name) for where, _, names in os.walk(folder)
                for name in names if "proftop" in os.path.join(where, name)[len(folder):]]
        assert not left, left


def a_framework_is_seen(place, folder):
    """Also when the job publishes something of its own first: it is one feed then."""
    if not PYTHON:
        return
    text = "import proftop\nproftop.publish('own').counter('n', kind=int).set(7)\n"
    with open(job("products"), encoding="utf-8") as file:
        text += file.read()
    packages = subprocess.run(
        [PYTHON, "-c", "import sysconfig; print(sysconfig.get_path('platlib'))"],
        capture_output=True, text=True, timeout=SECONDS, check=True).stdout.strip()
    done, known = last_of(place, folder, script(place, text), str(STEPS), PYTHONPATH=packages)
    assert done.returncode == 0 and known["final"], (done, known)
    assert counter(known, "n") == [(7, 1)], known["counters"]
    assert [row["calls"] for row in known["functions"]] == [STEPS], known["functions"]
    assert len(known["jobs"]) == 1 and known["applies"], known["jobs"]


def pip_builds_it_of_the_source():
    with Place() as place:
        works_in(place, environment(place, SOURCE))


tap.run(a_wheel_works_where_it_is_installed,
        *([pip_builds_it_of_the_source] if LONG else []))

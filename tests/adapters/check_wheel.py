# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_wheel.py: a wheel of this build, installed by pip in an environment of its own, works there
without using its source tree. So does the wheel of PROFTOP_TEST_WHEEL, which contains third-party
libraries (script/wheel makes it). This build's wheel also works in the oldest and the newest of the
other Pythons found here, and so does the wheel that pip builds from the source. With
PROFTOP_TEST_LONG=1 pip's wheel is equal to ours to the byte, pip also builds from the source
package, and the wheel is tested in all of those Pythons."""
import glob
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import zipfile

sys.dont_write_bytecode = True
from watching import PYTHON, SECONDS, Place, job, need_member, run, tap  # noqa: E402
import proc  # noqa: E402

WHEEL, SDIST = os.environ.get("PROFTOP_TEST_WHEEL"), os.environ.get("PROFTOP_TEST_SDIST")
LONG = os.environ.get("PROFTOP_TEST_LONG") == "1"
SANITIZED = bool(os.environ.get("SANITIZE_FLAGS", "").strip())
BUILT, SOURCE = os.path.abspath(tap.built()), os.path.abspath(tap.source())
STEPS = 10
LICENCES = ["libsodium.AUTHORS", "libsodium.LICENSE", "libzmq.AUTHORS", "libzmq.COPYING",
            "libzmq.COPYING.LESSER", "ncurses.AUTHORS", "ncurses.COPYING", "utf8proc.LICENSE.md",
            "zstd.LICENSE"]
BUILDING = 4 * SECONDS  # everything, and the libraries of others
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
left = same = training.counter("left", kind=int)
left.set(2)
left += 3
left -= 7
left.add()
assert left is same
run = training.event("elsewhere").start()
other = threading.Thread(target=training.event("elsewhere").stop, args=(run,))
other.start()
other.join()
training.marker("epoch").mark("global")
try:
    training.marker("epoch").mark("nowhere")
except ValueError as error:
    print(error)
proftop.pause()
proftop.Counter(training, "unseen").set_value(1)
proftop.resume()
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
# The child lives until it was seen. A child that ends at once may end before a viewer finds it.
FORKED = """
import os
import time
import proftop
own = proftop.publish("own").counter("forks", kind=int)
own.set(1)
if os.fork() == 0:
    own.add(5)
    until = time.monotonic() + 60
    while '"value":5,' not in open("report.json").read() and time.monotonic() < until:
        time.sleep(0.01)
    raise SystemExit
os.wait()
own.add(1)
"""


# Values that a counter cannot hold: the program continues, and valid values count.
UNFIT = """
import proftop
own = proftop.publish("own")
n, x = own.counter("n", kind=int), own.counter("x")
for unfit in (2 ** 63, -2 ** 63 - 1, float("inf"), float("nan")):
    n.set(unfit)
    n.add(unfit)
for unfit in (10 ** 400, float("inf"), float("nan")):
    x.set(unfit)
    x.add(unfit)
n.set(2 ** 63 - 1)
n.add(-1.5)
x.set(2 ** 63)
try:
    n.set("much")
except ValueError as error:
    print(error)
"""
# It publishes over tcp until its input ends.
WAITS = """
import sys
import proftop
proftop.publish("own").counter("n", kind=int).set(7)
sys.stdin.read()
"""


# The path of the pip wheel that this Python would install into an environment. It works without
# installation. (3.13.0 uses a distributor's folder that is not set for the current one.)
FIND_PIP = """
import ensurepip, glob, os
folders = os.path.join(os.path.dirname(ensurepip.__file__), "_bundled"), getattr(
    ensurepip, "_WHEEL_PKG_DIR", None)
print(*[path for folder in folders if folder
        for path in glob.glob(os.path.join(str(folder), "pip-*.whl"))][:1])
"""


def hatchling():
    """The folder of the modules with which pip builds a wheel, instead of fetching them."""
    return glob.glob(os.path.join(os.path.dirname(need_member("hatch")), "..", "lib", "python3*",
                                  "site-packages"))[0]


def pip(place, folder, *words):
    python = os.path.join(folder, "bin", "python")
    env = {name: value for name, value in place.env().items() if not name.startswith("PIP_")}
    found = run([python, "-c", FIND_PIP], env, place.path).stdout.decode().strip()
    if not os.path.isfile(found):
        raise tap.Skip("this Python has no pip (Debian: python3-venv)")
    if "--no-build-isolation" in words:
        found += os.pathsep + hatchling()
    done = run([python, "-m", "pip", *words], dict(env, PYTHONPATH=found), place.path, BUILDING)
    assert done.returncode == 0, done


def bare_environment(place, python):
    folder = place.file("env")
    made = run([python, "-m", "venv", "--without-pip", folder], place.env(), place.path)
    assert made.returncode == 0, made
    return folder


def environment(place, wheel_or_source, *options, python=PYTHON or sys.executable):
    """A virtual environment with the wheel. Returns its folder."""
    folder = bare_environment(place, python)
    pip(place, folder, "install", "--no-deps", "--no-index", "-q", "--disable-pip-version-check",
        *options, wheel_or_source)
    return folder


def wheel(place, *words):
    done = run([tap.source("script", "wheel"), "--to", place.path, *words],
               place.env(PROFTOP_WHEEL_PYTHON=need_member("hatch")), place.path, BUILDING)
    assert done.returncode == 0, done
    return done.stdout.decode().strip()


def script(place, text):
    path = place.file("own job.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def moved(place, *words, **env):
    """Runs a program of the environment, outside every tree."""
    bare = {name: value for name, value in place.env().items()
            if name not in ("builddir", "srcdir", "top_builddir")}
    return run(list(words), {**bare, **env}, place.path)


def last_of(place, folder, *command, **env):
    """The exit of a job under `python -m proftop run`, and the last report."""
    output = place.file("report.json")
    done = moved(place, os.path.join(folder, "bin", "python"), "-m", "proftop", "run", "--children",
                 "-b", "-n", "0", "--format", "json", "-o", output, *command, **env)
    with open(output, encoding="utf-8") as file:
        return done, json.loads(file.read().splitlines()[-1])


def unpack(place, path):
    """The content of a wheel: the folder that it was unpacked to."""
    folder = place.file("unpacked")
    with zipfile.ZipFile(path) as packed:
        assert not packed.testzip()
        packed.extractall(folder)
    return folder


def counter(known, name):
    return [(row["value"], row["updates"]) for row in known["counters"] if row["name"] == name]


def works_in(place, folder):
    """The program, a job with objects of its own, and the origin of each file."""
    program = os.path.join(folder, "bin", "proftop")
    said = moved(place, program, "--version")
    assert said.stdout.startswith(b"proftop ") and said.returncode == 0, said
    done, known = last_of(place, folder, script(place, OWN))
    assert done.returncode == 0 and known["final"], (done, known)
    wrong, python, *mapped = done.stdout.decode().splitlines()
    assert "nowhere" in wrong, wrong
    assert python == os.path.join(folder, "bin", "python"), python
    assert len({os.path.basename(path) for path in mapped}) == 3, mapped
    assert all(path.startswith(os.path.realpath(folder)) for path in mapped), mapped
    assert known["jobs"][0]["program"] == "own job.py", known["jobs"]
    assert counter(known, "loss") == [(1 / STEPS, STEPS)], known["counters"]
    assert counter(known, "rows") == [(3 * STEPS, STEPS)], known["counters"]
    assert counter(known, "left") == [(-1, 4)], known["counters"]
    assert {(row["kind"], row["domain"], row["name"]): row["calls"] for row in known["spans"]} == {
        ("frame", "training", "step"): STEPS, ("task", "training", "load"): 2 * STEPS,
        ("event", "event", "elsewhere"): 1}, known["spans"]
    assert [(row["name"], row["scope"]) for row in known["markers"]] == [("epoch", "global")]


def says_nothing_of_the_tree(folder):
    """No file names a source tree. An installation below it, like distcheck's, may be named."""
    trees = [BUILT, *(os.path.join(SOURCE, part) for part in ("model", "feed", "tui", "adapters"))]
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            with open(path, "rb") as file:
                text = file.read()
            assert not [tree for tree in trees if tree.encode() in text], path


def c_programs_are_built_with_it(place, folder):
    """By pkg-config and by CMake, which find the library in the environment."""
    pkg_config, cmake = shutil.which("pkg-config"), shutil.which("cmake")
    source, program = tap.source("examples", "minimal.c"), place.file("minimal")
    env = place.env(PKG_CONFIG_PATH=os.path.join(folder, "lib", "pkgconfig"))
    if pkg_config:
        flags = run([pkg_config, "--cflags", "--libs", "proftop"], env, place.path)
        assert flags.returncode == 0, flags
        words = shlex.split(flags.stdout.decode())
        made = run([*tap.CC, "-o", program, os.path.abspath(source), *words, "-lm"], env,
                   place.path)
        assert made.returncode == 0, made
        _, known = last_of(place, folder, "--", program)
        assert sum(row["calls"] for row in known["applies"]) > 0, known["applies"]
    if cmake:
        os.mkdir(place.file("project"))
        shutil.copy(source, place.file("project"))
        with open(place.file("project/CMakeLists.txt"), "w", encoding="ascii") as file:
            file.write("cmake_minimum_required(VERSION 3.10)\nproject(minimal C)\n"
                       "find_package(proftop 0.1 REQUIRED)\nadd_executable(minimal minimal.c)\n"
                       "target_link_libraries(minimal proftop::proftop m)\n")
        for words in (["-S", place.file("project"), "-B", place.file("made"),
                       "-DCMAKE_PREFIX_PATH=" + folder], ["--build", place.file("made")]):
            made = run([cmake, *words], env, place.path, BUILDING)
            assert made.returncode == 0, made
        said = binutil("ldd", place.file("made/minimal"))
        assert os.path.realpath(folder) in os.path.realpath(
            re.search(r"libproftop\S* => (\S+)", said)[1]), said


def a_wheel_works_where_it_is_installed():
    with Place() as place:
        path = wheel(place, "--from", BUILT)
        unpacked = unpack(place, path)
        says_nothing_of_the_tree(unpacked)
        assert licences(unpacked) == (["LICENSE", "NOTICE"], []), licences(unpacked)
        assert "-cp38-abi3-" in path, path
        folder = environment(place, path)
        works_in(place, folder)
        # Without `run`, and where publishing is off.
        alone = moved(place, os.path.join(folder, "bin", "python"), "-c", REFUSED, PROFTOP="0")
        assert b"PROFTOP=0" in alone.stdout and b"does not watch" in alone.stderr, alone
        # A forked child counts by itself, under the same names.
        done, known = last_of(place, folder, script(place, FORKED))
        assert done.returncode == 0, done
        assert sorted(counter(known, "forks")) == [(2, 2), (5, 1)], (known["counters"], done)
        # An invalid value stops nothing.
        done, known = last_of(place, folder, script(place, UNFIT))
        assert done.returncode == 0 and b"much" in done.stdout, done
        assert counter(known, "n") == [(2 ** 63 - 2, 2)], known["counters"]
        assert counter(known, "x") == [(2.0 ** 63, 1)], known["counters"]
        a_framework_is_seen(place, folder)
        if not SANITIZED:
            c_programs_are_built_with_it(place, folder)
        pip(place, folder, "uninstall", "-y", "-q", "proftop")
        left = [os.path.join(where, name) for where, _, names in os.walk(folder)
                for name in names if "proftop" in os.path.join(where, name)[len(folder):]]
        assert not left, left


# Prints the version of an interpreter if the wheel is for it and it can make environments.
ASK = """
import ensurepip, platform, sys, sysconfig, venv
if platform.python_implementation() == "CPython" and sys.version_info >= (3, 8) and \\
        not sysconfig.get_config_var("Py_GIL_DISABLED"):
    print(sys.version_info[1])
"""


def other_pythons():
    """Minor version and interpreter, the oldest first: the numbered ones on the path, and pyenv's.
    Without the one of the other tests, unless it is the only one."""
    pyenv = os.environ.get("PYENV_ROOT") or os.path.join(os.path.expanduser("~"), ".pyenv")
    paths = glob.glob(os.path.join(pyenv, "versions", "3.*", "bin", "python3"))
    paths += filter(None, (shutil.which("python3.%d" % minor) for minor in range(8, 30)))
    found = {}
    for path in [PYTHON or sys.executable, *sorted(paths)]:
        asked = subprocess.run([path, "-c", ASK], capture_output=True, text=True, check=False,
                               timeout=SECONDS, stdin=subprocess.DEVNULL)
        if asked.returncode == 0 and asked.stdout.strip():
            found.setdefault(int(asked.stdout), path)
    others = [(minor, path) for minor, path in sorted(found.items())
              if path != (PYTHON or sys.executable)]
    return others or list(found.items())


def doctor_finds_nothing_wrong(place, folder):
    """The framework is missing. All else is fine."""
    done = moved(place, os.path.join(folder, "bin", "proftop"), "doctor", "--format", "json", "--",
                 os.path.join(folder, "bin", "python"), "x.py")
    found = {row["what"]: row["level"] for row in json.loads(done.stdout)["found"]}
    assert [found[what] for what in ("python", "hook", "extension")] == ["fine"] * 3, done


@tap.all_only
def one_wheel_works_in_other_pythons():
    """Of those on this machine: the oldest and the newest, or all."""
    others = other_pythons()
    if not others:
        raise tap.Skip("no Python here is 3.8 or later and makes environments (Debian: "
                       "python3-venv)")
    with Place() as place:
        path = wheel(place, "--from", BUILT)
        for minor, python in others if LONG else others[:1] + others[1:][-1:]:
            with Place() as apart:
                folder = environment(apart, path, python=python)
                works_in(apart, folder)
                doctor_finds_nothing_wrong(apart, folder)
            print("# works in 3.%d" % minor)


def packages():
    """The folder of the modules that PROFTOP_TEST_PYTHON finds."""
    return subprocess.run(
        [PYTHON, "-c", "import sysconfig; print(sysconfig.get_path('platlib'))"],
        capture_output=True, text=True, timeout=SECONDS, check=True).stdout.strip()


def a_framework_is_seen(place, folder):
    """Also if the job publishes its own objects first. Then it is one feed."""
    if not PYTHON:
        return
    text = "import proftop\nproftop.publish('own').counter('n', kind=int).set(7)\n"
    with open(job("products"), encoding="utf-8") as file:
        text += file.read() + "proftop.summary(f)\n"
    done, known = last_of(place, folder, script(place, text), str(STEPS), PYTHONPATH=packages())
    assert done.returncode == 0 and known["final"], (done, known)
    printed = done.stdout.decode()
    assert "  Time in %d calls to Function.__call__: " % STEPS in printed, done
    assert "  Message: f\n" in printed and "  Gemm{" in printed, done
    assert counter(known, "n") == [(7, 1)], known["counters"]
    assert [row["calls"] for row in known["functions"]] == [STEPS], known["functions"]
    assert len(known["jobs"]) == 1 and known["applies"], known["jobs"]


# --------------------------------------------------------------------- with what is others' inside

def licences(unpacked):
    """The licences of ours, and those of the libraries inside."""
    return tuple(sorted(os.path.basename(path) for path in glob.glob(
        os.path.join(unpacked, *place, "*"))) for place in (
            ("*.dist-info", "licenses"), ("*.data", "data", "share", "doc", "proftop", "licences")))


def binutil(*words):
    return subprocess.run(words, capture_output=True, text=True, timeout=SECONDS, check=True).stdout


def binaries_of(unpacked):
    """Name -> path of the programs and libraries in a wheel."""
    binaries = {}
    for where, _, names in os.walk(unpacked):
        for path in (os.path.join(where, name) for name in names):
            with open(path, "rb") as file:
                if file.read(4) == b"\177ELF":
                    binaries[os.path.basename(path)] = path
    return binaries


def needs_the_c_library_alone(unpacked):
    """And the libzmq inside is not exported, and no other one is needed."""
    binaries = binaries_of(unpacked)
    assert sorted(re.sub(r"-feed-[\d.]+(?=\.so)", "-feed", name) for name in binaries) == [
        "_feed.abi3.so", "libproftop-feed.so", "libproftop-itt.so", "libproftop-nvtx.so",
        "libproftop.so.0", "proftop", "proftop-demo", "proftop-inject"]
    for name, path in binaries.items():
        needed = re.findall(r"NEEDED.*\[(.*)\]", binutil("readelf", "-dW", path))
        allowed = r"lib(c|m|dl|rt|pthread)\.|ld-linux|libproftop\."
        if name.startswith("_feed"):
            allowed += r"|libgcc_s\."  # exceptions of MXNet's engine pass through our functions
        others = [lib for lib in needed if not re.match(allowed, lib)]
        assert needed and not others, (name, needed)
        symbols = [line.split()[-1] for line in binutil("nm", "-D", path).splitlines()]
        own = ("proftop_", "PyInit__feed", "__itt_api_init", "InitializeInjectionNvtx")
        shown = re.findall(r" [TDRuVW] ([^@\s]+)(?:@@.*)?$", binutil("nm", "-D", path), re.M)
        assert name != "libproftop.so.0" or len(shown) > 50, shown
        assert all(symbol.startswith(own) for symbol in shown), (name, shown)
        assert not [symbol for symbol in symbols if "zmq" in symbol], (name, symbols)


def keys_let_in(place, folder):
    """CURVE with the libzmq inside, at either end. The feed has descriptors of its own: that takes
    calls of the kernel that glibc 2.17 does not have."""
    program = os.path.join(folder, "bin", "proftop")
    env = {"PROFTOP_KEYS": place.file("keys"), "PROFTOP_BIND": "tcp://127.0.0.1:*"}
    made = moved(place, program, "keygen", **env)
    assert made.returncode == 0, made

    def endpoint():
        for path in glob.glob(place.file("*.info")):
            with open(path, encoding="utf-8") as file:
                return dict(line.rstrip("\n").split("=", 1) for line in file).get("tcp")

    with subprocess.Popen([os.path.join(folder, "bin", "python"), script(place, WAITS)],
                          env=place.env(**env), cwd=place.path, stdin=subprocess.PIPE) as waits:
        try:
            where = tap.wait_for("an endpoint", endpoint, SECONDS)
            own, feeds = proc.tables(waits.pid)[:2]
            assert os.readlink(own + "/0") != os.readlink(feeds + "/0"), (own, feeds)
            done = moved(place, program, "-b", "--format", "json", where, **env)
            assert done.returncode == 0, done
            known = json.loads(done.stdout.splitlines()[-1])
            assert known["jobs"][0]["insecure"] is False, known["jobs"]
            assert counter(known, "n") == [(7, 1)], known["counters"]
            waits.stdin.close()
            assert waits.wait(SECONDS) == 0
        finally:
            waits.kill()


def beside_pyzmq(place, folder):
    """A job with its own libzmq keeps using it."""
    if not PYTHON:
        return
    with open(job("zeromq"), encoding="utf-8") as file:
        text = file.read() + "\nprint(len({line.split()[-1] for line in open('/proc/self/maps') " \
            "if 'libzmq' in line or 'libproftop' in line}))\n"
    bare = moved(place, PYTHON, script(place, text))
    done, known = last_of(place, folder, script(place, text), PYTHONPATH=packages())
    assert done.returncode == bare.returncode == 0, (done, bare)
    (said, before), (told, after) = bare.stdout.splitlines(), done.stdout.splitlines()
    assert said == told and int(after) == int(before) + 2, (bare, done)
    assert [row["calls"] for row in known["functions"]] == [4000], known["functions"]


@tap.all_only
def a_wheel_for_other_machines_needs_none_of_their_libraries():
    if not WHEEL:
        raise tap.Skip("PROFTOP_TEST_WHEEL names no wheel that script/wheel made")
    with Place() as place:
        assert re.search(r"-cp38-abi3-manylinux_2_17_(\w+)\.manylinux2014_\1\.whl$", WHEEL), WHEEL
        unpacked = unpack(place, WHEEL)
        says_nothing_of_the_tree(unpacked)
        assert licences(unpacked) == (["LICENSE", "NOTICE"], LICENCES), licences(unpacked)
        newest = max(int(minor) for path in binaries_of(unpacked).values() for minor in re.findall(
            r"\bGLIBC_2\.(\d+)", binutil("readelf", "-VW", path)))
        assert newest <= 17, newest
        needs_the_c_library_alone(unpacked)
        folder = environment(place, os.path.abspath(WHEEL))
        works_in(place, folder)
        a_framework_is_seen(place, folder)
        keys_let_in(place, folder)
        beside_pyzmq(place, folder)


# ----------------------------------------------------------------------------------- checkers

RIGHT = """
import proftop
training = proftop.publish("training")
loss = training.counter("loss")
loss += 1
loss.set(0.5)
@training.frame("step")
def step(number: int) -> str:
    return str(number)
text: str = step(3)
graph = proftop.Graph("graph", parent=None)
node = graph.node("Dot", impl="C")
with graph.call(), node:
    proftop.set_state("run")
version: str = proftop.__version__
"""
WRONG = """
import proftop
proftop.publish(3)
proftop.publish("a").counter("b").set("much")
proftop.Graph("graph").node("Dot", impl="D")
proftop.set_state("go")
proftop.Task("x", "y")
"""


def checker(place, folder, *words):
    """Runs a module of the checkers where the package of an environment is found."""
    site, = glob.glob(os.path.join(folder, "lib", "python3*", "site-packages"))
    done = run([need_member("checkers"), "-m", *words],
               place.env(PYTHONPATH=site, MYPYPATH=site, PROFTOP="0",
                         PYTHONDONTWRITEBYTECODE="1"), place.path, BUILDING)
    return done.returncode, done.stdout.decode() + done.stderr.decode()


@tap.all_only
def types_are_those_of_the_modules():
    """mypy and pyright accept a program, and find each wrong call of another one."""
    with Place() as place:
        folder = environment(place, wheel(place, "--from", BUILT))
        code, said = checker(place, folder, "mypy.stubtest", "proftop")
        assert code == 0, said
        right, wrong = place.file("right.py"), place.file("wrong.py")
        for path, text in ((right, RIGHT), (wrong, WRONG)):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        for words in (("mypy", "--strict"), ("basedpyright", "--level", "error")):
            code, said = checker(place, folder, *words, right)
            assert code == 0, said
            code, said = checker(place, folder, *words, wrong)
            lines = {int(number) for number in re.findall(r"wrong\.py:(\d+):[\d: -]*error", said)}
            assert code != 0 and lines == set(range(3, 8)), said


@tap.all_only
def archives_are_as_the_index_takes_them():
    if not WHEEL:
        raise tap.Skip("PROFTOP_TEST_WHEEL names no wheel that script/wheel made")
    with Place() as place:
        folder = bare_environment(place, PYTHON or sys.executable)
        code, said = checker(place, folder, "auditwheel", "show", os.path.abspath(WHEEL))
        machine = os.uname().machine
        assert code == 0 and '"manylinux_2_17_%s"' % machine in " ".join(said.split()), said
        both = glob.glob(os.path.join(os.path.dirname(WHEEL), "proftop-*manylinux2014*.whl"))
        source = [os.path.abspath(SDIST)] if SDIST else []
        code, said = checker(place, folder, "twine", "check", "--strict", *both, *source)
        assert code == 0 and said.count("PASSED") == len(both + source), said


# ------------------------------------------------------------------------------------- by pip

def content(path):
    with zipfile.ZipFile(path) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


@tap.all_only
def pip_installs_the_source():
    """`pip install .`, without the third-party libraries, which take longer than all of ours."""
    with Place() as place:
        folder = environment(place, SOURCE, "--config-settings=libraries=system",
                             "--no-build-isolation")
        works_in(place, folder)
        a_framework_is_seen(place, folder)


@tap.all_only
def pip_makes_the_same_wheel():
    """From the source, and from the source package."""
    with Place() as place:
        ours = content(wheel(place))
        os.mkdir(place.file("packed"))
        packs = "import proftop_backend, sys; print(proftop_backend.build_sdist(sys.argv[1]))"
        done = run([need_member("hatch"), "-c", packs, place.file("packed")],
                   place.env(PYTHONPATH=tap.source("script")), SOURCE)
        assert done.returncode == 0, done
        packed = os.path.join(place.file("packed"), done.stdout.decode().strip())
        for number, source in enumerate((SOURCE, packed)):
            to = place.file("to%d" % number)
            bare = bare_environment(place, PYTHON or sys.executable)
            pip(place, bare, "wheel", "--no-build-isolation", "--no-deps", "--no-index", "-q", "-w",
                to, source)
            made = glob.glob(os.path.join(to, "*.whl"))[0]
            theirs = content(made)
            assert sorted(theirs) == sorted(ours), (source, sorted(theirs))
            assert not [name for name in ours if theirs[name] != ours[name]], source
        works_in(place, environment(place, made))


tap.run(a_wheel_works_where_it_is_installed, one_wheel_works_in_other_pythons,
        a_wheel_for_other_machines_needs_none_of_their_libraries, pip_installs_the_source,
        types_are_those_of_the_modules, archives_are_as_the_index_takes_them,
        *([pip_makes_the_same_wheel] if LONG else []))

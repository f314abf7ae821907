# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_start.py: the effect of `python/start` in PYTHONPATH on a starting Python: a job sees no
change, unless PROFTOP=1. Even then almost nothing happens until the framework is imported."""
import json
import os
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from watching import ADAPTERS, PROFTOP, PYTHON, Place, need_python, run, tap  # noqa: E402

START = os.path.join(ADAPTERS, "start")
ANY_PYTHON = PYTHON or sys.executable
# The parts of its interpreter that a job can see.
LOOK = """
import sys
print([entry for entry in sys.path if entry.rstrip("/") == %r])
print(sorted(name for name in sys.modules if "proftop" in name))
print([type(finder).__name__ for finder in sys.meta_path
       if type(finder).__module__ == "sitecustomize" or type(finder).__name__ == "Finder"])
print(getattr(sys, "marked", None))
""" % START
# The state and output of an interpreter that ignores the environment. It fails at the end.
APART = """
import sys
print(sys.flags, sys.path, [str(type(one)) for one in sys.meta_path], sorted(sys.modules))
import pytensor
import pytensor.tensor as pt
x = pt.dvector("x")
f = pytensor.function([x], pt.exp(x) + 1, name="f")
for step in range(5):
    print(f([step, 0.1]))
print(type(f.vm), [name for name in sys.modules if "proftop" in name])
print("an error", file=sys.stderr)
if len(sys.argv) > 1:
    raise SystemExit(int(sys.argv[1]))
f("no vector")
"""


# Simulates our sitecustomize in Python 2, as far as that differs. It hides no other one.
OLD = """
import sys
class Nowhere:
    def find_spec(self, name, path=None, target=None):
        if name == "sitecustomize":
            raise ImportError("No module named sitecustomize")
sys.meta_path.insert(0, Nowhere())
sys.version_info = (2, 7, 18, "final", 0)
exec(open(%r).read(), {"__name__": "sitecustomize", "__file__": %r})
print(type(sys.meta_path[0]).__name__)
""" % ((os.path.join(START, "sitecustomize.py"),) * 2)


def look(place, path, **env):
    done = run([ANY_PYTHON, "-c", LOOK], place.env(PYTHONPATH=os.pathsep.join(path), **env),
               place.path)
    assert done.returncode == 0, done.stderr
    return done


def write(place, folder, text):
    os.mkdir(place.file(folder))
    with open(os.path.join(place.file(folder), "sitecustomize.py"), "w", encoding="ascii") as file:
        file.write(text)
    return place.file(folder)


def start_hook_does_nothing_unless_enabled():
    with Place() as place:
        for env in ({}, {"PROFTOP": "0"}, {"PROFTOP": ""}):
            done = look(place, [START], **env)
            assert done.stdout == b"[]\n[]\n[]\nNone\n" and done.stderr == b"", (env, done)
        assert not os.listdir(place.path), os.listdir(place.path)


def start_hook_waits_for_the_framework_when_enabled():
    with Place() as place:
        done = look(place, [START], PROFTOP="1")
        assert done.stdout == b"[]\n[]\n['Public', 'Finder']\nNone\n" and done.stderr == b"", done
        assert not os.listdir(place.path), os.listdir(place.path)


def its_name_is_the_jobs_first():
    """`import proftop` gives ours only on request, and only if the job has no module of that
    name."""
    words = [ANY_PYTHON, "-c", "import proftop\nprint(proftop.__file__)\nproftop.summary()"]
    with Place() as place:
        env = {"PYTHONPATH": START, "PROFTOP": "1"}
        ours = run(words, place.env(**env), place.path)
        assert ours.stdout.endswith(b"proftop/public.py\n"), ours
        assert ours.returncode == 1 and b"proftop does not watch this process" in ours.stderr, ours
        unasked = run(words, place.env(**dict(env, PROFTOP="0")), place.path)
        assert b"No module named 'proftop'" in unasked.stderr, unasked
        with open(place.file("proftop.py"), "w", encoding="ascii") as file:
            file.write("def summary():\n    print('its own')\n")
        own = run(words, place.env(**env), place.path)
        assert own.stdout.endswith(b"its own\n") and own.returncode == 0, own


def a_folder_of_its_name_hides_nothing():
    """Python takes it for a package. Most likely it is a clone of the project beside the script."""
    with Place() as place:
        os.mkdir(place.file("proftop"))
        with open(place.file("proftop/beside.py"), "w", encoding="ascii") as file:
            file.write("answer = 42\n")
        code = "import proftop, proftop.beside as b; print(proftop.__file__, b.answer)"
        done = run([ANY_PYTHON, "-c", code], place.env(PYTHONPATH=START, PROFTOP="1"), place.path)
        assert done.stdout.endswith(b"proftop/public.py 42\n"), done


def a_hidden_sitecustomize_runs():
    with Place() as place:
        users = write(place, "users", "import sys\nsys.marked = __file__\n")
        marked = os.path.join(users, "sitecustomize.py").encode()
        for asked in ("0", "1"):
            done = look(place, [START, users], PROFTOP=asked)
            assert done.stdout.splitlines()[-1] == marked, done
            bare = run([ANY_PYTHON, "-c", "import sitecustomize; print(sitecustomize.__file__)"],
                       place.env(PYTHONPATH=START + os.pathsep + users, PROFTOP=asked), place.path)
            assert bare.stdout.strip() == marked, bare


def a_hidden_sitecustomize_fails_as_it_would():
    with Place() as place:
        for number, text in enumerate(("1 / 0\n", "import no_such_module\n")):
            users = write(place, "users%d" % number, text)
            bare = run([ANY_PYTHON, "-c", "print(1)"], place.env(PYTHONPATH=users), place.path)
            done = run([ANY_PYTHON, "-c", "print(1)"],
                       place.env(PYTHONPATH=START + os.pathsep + users, PROFTOP="1"), place.path)
            assert b"Error in sitecustomize" in bare.stderr, bare
            assert (bare.stdout, bare.stderr, bare.returncode) == (
                done.stdout, done.stderr, done.returncode), (bare, done)


def an_old_python_is_left_alone():
    with Place() as place:
        done = run([ANY_PYTHON, "-c", OLD], place.env(PROFTOP="1"), place.path)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"Nowhere\n", b""), done


def a_module_of_that_name_is_found_as_usual():
    """A false framework: it has the awaited module, but without Function."""
    with Place() as place:
        folder = place.file("fake")
        for package in ("pytensor", "pytensor/compile", "pytensor/compile/function"):
            os.makedirs(os.path.join(folder, package))
            open(os.path.join(folder, package, "__init__.py"), "w").close()
        types = os.path.join(folder, "pytensor", "compile", "function", "types.py")
        with open(types, "w", encoding="ascii") as file:
            file.write("answer = 42\n")
        code = ("import pytensor.compile.function.types as t, sys\n"
                "print(t.answer, t.__file__, vars(t.__loader__).keys() & {'exec_module'})")
        done = run([ANY_PYTHON, "-c", code],
                   place.env(PYTHONPATH=START + os.pathsep + folder, PROFTOP="1"), place.path)
    assert done.stdout.decode() == "42 %s set()\n" % types and done.stderr == b"", done


def a_broken_module_breaks_as_usual():
    with Place() as place:
        code = "try:\n import pytensor.compile.function.types\nexcept ImportError as e:\n print(e)"
        folder = place.file("fake")
        os.makedirs(os.path.join(folder, "pytensor"))
        open(os.path.join(folder, "pytensor", "__init__.py"), "w").close()
        said = [run([ANY_PYTHON, "-c", code], place.env(PYTHONPATH=path, PROFTOP="1"), place.path)
                for path in (folder, START + os.pathsep + folder)]
    assert said[0].stdout == said[1].stdout and b"No module named" in said[0].stdout, said
    assert said[0].stderr == said[1].stderr == b"", said


@tap.all_only
def an_interpreter_that_takes_no_environment_is_left_alone():
    """With -I or -E, start-up has no effect: `run` changes nothing, and says in a line of its own
    that it saw nothing."""
    with Place() as place:
        script = place.file("apart.py")
        with open(script, "w", encoding="ascii") as file:
            file.write(APART)
        for options in (["-I", "-B"], ["-E", "-s", "-B"]):
            for code in (None, 0, 3):
                words = [need_python(), *options, script, *([] if code is None else [str(code)])]
                bare = run(words, place.env(), place.path)
                done = run([PROFTOP, "run", "-b", "--format", "json", "-o", place.file("json"),
                            "--", *words], place.env(PROFTOP_ADAPTERS=ADAPTERS), place.path)
                assert bare.returncode == done.returncode == (1 if code is None else code), done
                assert bare.stdout == done.stdout and b"[]\n" in bare.stdout, (bare, done)
                assert done.stderr.startswith(bare.stderr), (bare.stderr, done.stderr)
                more = done.stderr[len(bare.stderr):].decode()
                assert bare.stderr.startswith(b"an error\n") and more.count("\n") == 1, more
                assert more.startswith("proftop: '%s' ended without publishing anything (with code "
                                       "%d)" % (words[0], done.returncode)), more
                assert ("proftop doctor -- COMMAND says" in more) == (code == 0), more
                assert sorted(os.listdir(place.path)) == ["apart.py", "json"], \
                    os.listdir(place.path)
                with open(place.file("json"), encoding="utf-8") as file:
                    states = [json.loads(line)["state"] for line in file]
                assert states in ([], ["waiting"]), states


@tap.all_only
def start_up_cost_is_printed():
    """A note, not an assertion, since other work on the machine would decide it."""
    with Place() as place:
        best = {}
        for _ in range(15):
            for name, env in (("without", place.env()), ("idle", place.env(PYTHONPATH=START)),
                              ("asked", place.env(PYTHONPATH=START, PROFTOP="1"))):
                start = time.perf_counter()
                subprocess.run([ANY_PYTHON, "-c", "pass"], env=env, check=True)
                spent = time.perf_counter() - start
                best[name] = min(best.get(name, spent), spent)
    sys.stdout.write("# start of Python: %s\n" % ", ".join(
        "%s %.1f ms" % (name, 1e3 * spent) for name, spent in best.items()))


tap.run(start_hook_does_nothing_unless_enabled, start_hook_waits_for_the_framework_when_enabled,
        its_name_is_the_jobs_first,
        a_folder_of_its_name_hides_nothing, a_hidden_sitecustomize_runs,
        a_hidden_sitecustomize_fails_as_it_would, an_old_python_is_left_alone,
        a_module_of_that_name_is_found_as_usual, a_broken_module_breaks_as_usual,
        an_interpreter_that_takes_no_environment_is_left_alone, start_up_cost_is_printed)

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_examine.py: `proftop doctor -- python ...` says what could be seen of a program in this
Python, by which route. It does not run the program."""
import os
import re
import sys

sys.dont_write_bytecode = True
import watching  # noqa: E402
from watching import Place, examined, tap  # noqa: E402

ANY_PYTHON = watching.PYTHON or sys.executable


def by_default(framework, version):
    """The route by which its functions are seen by default."""
    numba = framework == "PyTensor" and int(version.split(".")[0]) > 2
    return "Numba by marks in its source" if numba else "C VM by its pointer tables"


def a_python_is_examined_and_its_program_does_not_run():
    python = watching.need_python()
    with Place() as place:
        script = place.file("program.py")
        with open(script, "w", encoding="ascii") as file:
            file.write("open('ran', 'w')\n")
        usual = examined(place, python, "-X", "dev", "-W", "ignore", script)
        py = examined(place, python, "-c", "open('ran', 'w')", flags="linker=py")
        whole = examined(place, python, script, flags="linker=c")
        bare = examined(place, python, "-Im", "program", code=3)
        assert not os.path.exists(place.file("ran")), os.listdir(place.path)
    [(level, said)] = usual["framework"]
    version = re.match(r"PyTensor (\S+), ", said).group(1)
    assert level == "fine", said
    assert usual["route"] == [("fine", by_default("PyTensor", version))], usual
    assert ("fine", "linker=py") in py["fact"], py
    names = [text.partition("=")[0] for _, text in py["fact"]]
    assert not any(name.startswith(("mode.", "tip.")) or name.endswith("_ns") for name in names), py
    assert py["route"] == [("fine", "linker without a VM by its list of thunks")], py
    assert whole["route"] == [("note", "no nodes, calls only: they are compiled into one function")]
    assert bare["hook"][0][0] == "fault" and "-I" in bare["hook"][0][1], bare
    assert "route" not in bare and bare["python"][0][0] == "fine", bare


def doctor_reports_commands_it_cannot_examine():
    with Place() as place:
        shell = examined(place, "sh", "-c", "touch ran", code=3)
        absent = examined(place, place.file("python3"), code=3)
        off = examined(place, ANY_PYTHON, "-S", "x.py", code=3)
        assert not os.path.exists(place.file("ran")), os.listdir(place.path)
        nothing = examined(place, ANY_PYTHON, PROFTOP_ADAPTERS=place.path, code=3)
    assert "'sh' is no Python" in shell["python"][0][1], shell
    assert absent["python"][0][0] == "fault", absent
    assert off["hook"][0][0] == "fault", off
    assert "no adapters" in nothing["python"][0][1] and nothing["adapters"][0][0] == "fault"


NO_GIL = """
import runpy, sys, sysconfig
sysconfig.get_config_vars()["Py_GIL_DISABLED"] = 1
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def a_python_without_a_gil_is_refused():
    """There is none here: the one that is says that it is one."""
    python = watching.need_python()
    examine = os.path.join(watching.ADAPTERS, "proftop", "examine.py")
    with Place() as place:
        done = watching.run([python, "-c", NO_GIL, examine], place.env(), place.path)
    lines = [line.split("\t") for line in done.stdout.decode().splitlines()]
    assert [line[:2] for line in lines] == [["fault", "python"], ["fault", "hook"]], done
    assert lines[0][2].endswith(
        ": a Python without a GIL, which the adapters do not know yet"), lines


def doctor_reports_the_route(name):
    _, framework, flags = watching.MEMBERS[name]
    with Place() as place:
        found = examined(place, watching.need_member(name), "x.py",
                         **watching.family(flags, name=name))
    [(level, said)] = found["framework"]
    version = re.match(re.escape(framework) + r" (\S+), ", said).group(1)
    assert level == "fine", said
    assert found["route"] == [("fine", by_default(framework, version))], found


tap.run(a_python_is_examined_and_its_program_does_not_run,
        doctor_reports_commands_it_cannot_examine, a_python_without_a_gil_is_refused,
        *watching.of_each("doctor_reports_the_route_in_", doctor_reports_the_route))

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_control.py: a Python program publishes, pauses and prints through the calls of
mxnet.profiler."""
import os
import sys

sys.dont_write_bytecode = True
from watching import PYTHON, Place, job, run, tap, watched_by  # noqa: E402

# Stops in jobs/called.py that end nothing.
INVALID = 6


def mxnet_profiler_calls_take_effect():
    """The job itself asserts the rest."""
    with Place() as place:
        done, known = watched_by(PYTHON or sys.executable, place, job("called"))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b""), done
    objects = {row["name"]: row for row in known["spans"] if row["domain"] in ("objects", "event")}
    assert {name: (row["kind"], row["calls"]) for name, row in objects.items()} == {
        "task": ("task", 3), "frame": ("frame", 3), "event": ("event", 3),
        "handed over": ("event", 1)}, objects
    counters = {row["name"]: (row["value"], row["updates"]) for row in known["counters"]
                if row["domain"] == "objects"}
    assert counters == {"counter": (4, 7), "first": (7, 1), "whole": (3, 2)}, \
        counters
    counter, = (row for row in known["counters"] if row["name"] == "counter")
    assert (counter["max"], counter["min"]) == (5000000011, 4), counter
    assert known["markers"] and {row["name"] for row in known["markers"]} == {"marker"}, known
    stops = {row["name"]: (row["calls"], row["open_since_ns"]) for row in known["spans"]
             if row["domain"] == "stops"}
    assert stops == {"nested": (4, None), "others": (3, None)}, stops
    assert known["jobs"][0]["invalid"] == INVALID, known["jobs"]


def without_a_feed_nothing_happens():
    """And one notice gives the reason."""
    with Place() as place:
        done = run([PYTHON or sys.executable, job("uncalled")],
                   place.env(PROFTOP="0", PYTHONPATH=public(place)), place.path)
        assert done.returncode == 0, done
        assert b"PROFTOP=0" in done.stdout, done
        notices = [line for line in done.stderr.splitlines() if b"collects nothing" in line]
        assert len(notices) == 1 and b"PROFTOP=0" in notices[0] and b"uncalled.py:6" in notices[0]
        assert not os.path.exists(place.file("never.json")), os.listdir(place.path)


SERVER = """
import proftop
passes = proftop.Domain("server").new_task("passes")
for process, begins in (("server", True), ("worker", True), ("server", False)):
    (proftop.resume if begins else proftop.pause)(profile_process=process)
    with passes:
        pass
proftop.set_state("stop", "server")
proftop.set_state("run", "server")
proftop.set_config(profile_process="server", filename="server.json")
proftop.resume("server")
proftop.dump(False, "server")
"""


def a_server_is_steered_as_a_server():
    """A process is chosen by its role in a kvstore, whatever its rank, and without a handle."""
    with Place() as place:
        with open(place.file("server.py"), "w", encoding="ascii") as file:
            file.write(SERVER)
        done, known = watched_by(PYTHON or sys.executable, place, "server.py", DMLC_ROLE="server")
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b""), done
        assert os.path.exists(place.file("server.json")), os.listdir(place.path)
    calls = [(row["name"], row["calls"]) for row in known["spans"]]
    assert calls == [("passes", 2)], calls


def public(place):
    """A folder with this build's module under the name that a program imports."""
    home = os.path.abspath(tap.built("adapters", "python", "proftop"))
    with open(place.file("proftop.py"), "w", encoding="ascii") as file:
        file.write("import importlib.util, sys\n"
                   "spec = importlib.util.spec_from_file_location('proftop', %r)\n"
                   "sys.modules['proftop'] = importlib.util.module_from_spec(spec)\n"
                   "spec.loader.exec_module(sys.modules['proftop'])\n"
                   % os.path.join(home, "public.py"))
    return place.path


tap.run(mxnet_profiler_calls_take_effect, without_a_feed_nothing_happens,
        a_server_is_steered_as_a_server)

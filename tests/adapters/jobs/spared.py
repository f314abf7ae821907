# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""spared.py PACKAGE [WAY ADAPTERS PROFTOP FILE]: runs a scan until a viewer makes some of its steps
untimed. In these the nodes run as without proftop. Runs another scan whose steps sometimes fail.
Prints its own counts. With a way it attaches to itself, FILE receives the viewer's reports, and
the way means:
  leave: detaches in the middle of such a step
  enter: continues, having attached in the middle of a step
  pause: pauses its feed while some steps are not counted yet
  fork:  forks while a thread is in such a step
  first: calls a function for the first time in such a step
  alone: runs unwatched with a feed that counts nodes on demand, and detaches then
  slow:  runs steps that have become slow, and prints how far the shown count lags behind
  between: detaches between two such calls of a VM; in some of them its function was called"""
import collections
import glob
import importlib
import json
import os
import subprocess
import sys
import threading
import time

import numpy as np

package, *late = sys.argv[1:]
way, adapters, proftop, file = late or (None,) * 4
if way:
    sys.path.insert(0, adapters)
family = importlib.import_module(package)
pt = importlib.import_module(package + ".tensor")
as_op = importlib.import_module(package + ".compile.ops").as_op
STEPS, SECONDS = 500, 240
PAUSES = 4  # a job obeys at most 10 requests in a second
nodes, hook = collections.Counter(), [None]


def feed_module():
    return sys.modules.get("_proftop._feed") or sys.modules.get("proftop._feed")


def open_node():
    """The node that begins when a thunk of ours runs. A step with the framework's own thunks counts
    under the node of the scan."""
    feed = feed_module()
    return feed.open_apply() if feed else None


@as_op(itypes=[pt.dscalar], otypes=[pt.dscalar])
def step(x):
    node = open_node()
    nodes[node] += 1
    if hook[0]:
        hook[0](node)
    return np.asarray(x + 1)


def scan(name):
    x, n = pt.dscalar("x"), pt.lscalar("n")
    states, _ = family.scan(lambda y: step(y * 0.5) * 2, outputs_info=[x], n_steps=n, name=name)
    return family.function([x, n], states[-1], name=name)


def run(function):
    value = 1.0
    for _ in range(STEPS):
        value = (value * 0.5 + 1) * 2
    assert function(1.0, STEPS) == value


def until(done, function):
    end = time.monotonic() + SECONDS
    while not done():
        assert time.monotonic() < end, nodes
        run(function)


def spared():
    """The scan's node, once a step inside it was seen. It is defined before the inner ones."""
    return min(nodes) if len(nodes) > 1 and None not in nodes else None


def spare(function, then):
    """Waits until some steps are untimed. From then on passes each begun node to `then`. Returns
    the scan's node, the only one that begins in such a step."""
    nodes.clear()
    until(lambda: spared() is not None, function)
    hook[0] = then
    return spared()


def view():
    from proftop import attach_running as attaching, user_objects  # noqa: F401
    done, said, _ = attaching.attach()
    assert done, said
    return subprocess.Popen([proftop, "-b", "-n", "0", "-d", "0.1", "--format", "json", "-o", file,
                             "-p", str(os.getpid())], stdin=subprocess.DEVNULL)


def detach():
    sys.modules["proftop.attach_running"].detach()


def ctl(word):
    subprocess.run([proftop, "ctl", word, "-p", str(os.getpid())], check=True,
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def start():
    until(lambda: spared() is not None and min(nodes.values()) > 10 * STEPS, good)
    said = {"steps": sum(nodes.values()), "spared": nodes[spared()]}
    failed = set()

    def fail(node):
        """Fails once in an untimed step, and once in a timed one."""
        if (node == scans) not in failed:
            failed.add(node == scans)
            raise ValueError("as asked")

    bad = scan("bad")
    scans = spare(bad, fail)
    while len(failed) < 2:
        try:
            run(bad)
        except ValueError as error:
            assert str(error).startswith("as asked"), error
    # Its nodes were left untimed once. They are watched from then on.
    nodes.clear()
    for _ in range(100):
        run(bad)
    assert scans not in nodes, nodes
    return json.dumps(said)


def enter():
    entered = []

    def attach(node):
        """Nodes after this one in its step have one more call than the step."""
        hook[0] = None
        entered.append(view())

    hook[0] = attach
    until(lambda: entered, good)
    nodes.clear()
    until(lambda: spared() is not None and nodes[spared()] > 200 * STEPS, good)
    detach()
    entered[0].wait()
    return "entered"


def leave():
    left = []

    def leave_amid(node):
        if node == scans:
            hook[0] = None
            left.append(node)
            detach()

    for again in range(2):
        if again:  # then a feed stays after the adapter has gone
            sys.modules["proftop.user_objects"].publish("mine").counter("n", kind=int).set(7)
        viewer = view()
        scans = spare(good, leave_amid)
        until(lambda: len(left) > again, good)
        assert open_node() is None
        viewer.terminate()
        viewer.wait()
        nodes.clear()
        run(good)
        assert set(nodes) == {None} and len(left) == again + 1, (nodes, left)
    return "left %d times" % len(left)


def pause():
    passed = paused = 0

    def pause_amid(node):
        """Pauses in the last of many steps that passed and are not yet counted at their nodes. The
        next begins in the pause."""
        nonlocal passed
        passed = passed + 1 if node == scans else 0
        if passed == 16:
            ctl("pause")
            hook[0] = resume

    def resume(node):
        nonlocal passed, paused
        ctl("resume")
        passed, paused = 0, paused + 1
        hook[0] = pause_amid if paused < PAUSES else None

    viewer = view()
    scans = spare(good, pause_amid)
    until(lambda: paused == PAUSES, good)
    detach()
    viewer.wait()
    return sum(nodes.values())


def alone():
    passed = watched = 0

    def go_on(node):
        """The viewer ends in the last of many steps that passed and are not counted yet."""
        nonlocal passed, watched
        passed, watched = (passed + 1, 0) if node == scans else (0, watched + 1)
        if passed == 16 and viewer.poll() is None:
            viewer.terminate()
            viewer.wait()

    os.environ["PROFTOP_ON_DEMAND"] = "1"
    # Then a feed stays after the detach.
    importlib.import_module("proftop.user_objects").publish("mine")
    viewer = view()
    scans = spare(good, go_on)
    until(lambda: viewer.poll() is not None and watched > 2 * STEPS, good)
    detach()
    socket, = glob.glob(os.path.join(os.environ["PROFTOP_DIR"], "*.pub"))  # -p would attach
    subprocess.run([proftop, "-b", "-n", "1", "--format", "json", "-o", file, "ipc://" + socket],
                   check=True, stdin=subprocess.DEVNULL)
    return sum(nodes.values())


def scan_with_kid():
    """The scan, and a function that the node of `step` may call."""
    kids = []

    def compile_kid(*unused, **unused_too):
        """Compiles while the node of `step` is compiled, so it is a function inside another."""
        if not kids:
            x = pt.dscalar("x")
            kids.append(family.function([x], x + 1, name="kid"))

    step.prepare_node = compile_kid
    return scan("with kid"), kids[0]


def first():
    calls = 0

    def call_kid(node):
        nonlocal calls
        if node == scans or calls:
            calls += 1
            assert kid(1.0) == 2

    viewer = view()
    with_kid, kid = scan_with_kid()
    scans = spare(with_kid, call_kid)
    until(lambda: calls > 10 * STEPS, with_kid)
    detach()
    viewer.wait()
    return calls


def reports():
    """The viewer's complete reports."""
    with open(file, encoding="utf-8") as lines:
        return lines.read().split("\n")[:-1]


def slow():
    behind, lags = [], {"calls": 0, "step": 0}

    def linger(node):
        """Ends no step before a report begun in it has arrived."""
        ended, seen = sum(nodes.values()) - 1, len(reports())
        end = time.monotonic() + SECONDS
        while len(reports()) < seen + 2:
            assert time.monotonic() < end
        known = json.loads(reports()[-1])
        calls, = [row["calls"] for row in known["functions"]
                  if row["name"] == "good" and row["parent"] is not None]
        step, = [row["metrics"]["step"] for row in known["applies"]
                 if (row["metrics"] or {}).get("step") is not None]
        lags["calls"] = max(lags["calls"], ended - calls)
        lags["step"] = max(lags["step"], ended % STEPS - step)
        behind.append(node)
        if len(behind) == 40:
            hook[0] = None

    viewer = view()
    spare(good, linger)
    until(lambda: len(behind) == 40, good)
    detach()
    viewer.wait()
    return json.dumps(lags)


def between():
    calls, switched, leaves, told = 0, 0, False, []

    def most_pass():
        """True if the viewer's report of the kid says so."""
        whole = reports()
        rows = json.loads(whole[-1])["functions"] if whole else ()
        return any(row["timed"] < row["calls"] / 2 for row in rows if row["name"] == "kid")

    def call_vm():
        nonlocal calls, switched
        calls += 1
        switched += feed_module().Graph().check(kid.vm) is None
        kid.input_storage[0].storage[0] = np.asarray(1.0)
        kid.vm()
        assert kid.output_storage[0].storage[0] == 2

    def call_kid(node):
        nonlocal calls
        if node == scans and not calls:
            return  # the first call must find its node
        for _ in range(16):
            call_vm()
        calls += 1
        assert kid(1.0) == 2
        for _ in range(8):
            call_vm()
        if leaves:
            hook[0] = None
            detach()
            assert switched, "its VM had our tables in front of each call"
            told.append(calls)
            unlike = feed_module().Graph().check(kid.vm)
            assert unlike is None, unlike  # as the framework made it
            call_vm()

    viewer = view()
    with_kid, kid = scan_with_kid()
    scans = spare(with_kid, call_kid)
    until(most_pass, with_kid)
    leaves = True
    until(lambda: told, with_kid)
    viewer.wait()
    return told[0]


def fork():
    held, goes_on = threading.Event(), threading.Event()

    def hold(node):
        """Blocks the thread that the fork will not copy."""
        if node == scans and threading.current_thread() is not threading.main_thread():
            hook[0] = None
            held.set()
            goes_on.wait()

    def is_watched():
        """True if a child, whose feed is new, has its nodes watched again."""
        child = os.fork()
        if child == 0:
            nodes.clear()
            run(good)
            os._exit(0 if any(node not in (None, scans) for node in nodes) else 1)
        return os.waitpid(child, 0)[1] == 0

    viewer = view()
    scans = spare(good, hold)
    thread = threading.Thread(target=until, args=(held.is_set, good))
    thread.start()
    assert held.wait(SECONDS)
    said = "watched" if is_watched() else "lost"
    goes_on.set()
    thread.join()
    detach()
    viewer.wait()
    return said


good = scan("good")
print({None: start, "enter": enter, "leave": leave, "pause": pause, "first": first, "alone": alone,
       "between": between, "slow": slow, "fork": fork}[way]())

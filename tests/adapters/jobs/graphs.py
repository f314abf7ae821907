# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""graphs.py: graphs that a program defines itself: recursion, threads, tasks, decorators, errors,
and a forked child. Prints for two nodes the times inside and around them in nanoseconds."""
import asyncio
import contextlib
import os
import threading
import time

import proftop

THREADS, TIMES, DEPTH = 4, 100, 5
WORK_S = 0.02  # what a node does that has to take a while
graph = proftop.Graph("engine", "engine.py", 7)
add = graph.node("Elemwise", "Elemwise{add}", "add(x, y)", impl="Py")
same = graph.node("Elemwise", "Elemwise{add}", "add(y, x)", impl="C")
nested = graph.node("Nested")
slow = graph.node("Slow", text="slow(x)")
early, late = graph.node("Early"), graph.node("Late")
decorated = graph.node("Decorated")
failing = graph.node("Failing")
loop = graph.node("Loop")
body = proftop.Graph("body", parent=loop)
inside = body.node("Inside")
elsewhere, overlapping = graph.node("Elsewhere"), graph.node("Overlapping")


class Clock:
    def __init__(self):
        self.begin = time.perf_counter_ns()

    def ns(self):
        return time.perf_counter_ns() - self.begin


def run():
    for _ in range(TIMES):
        with graph.call():
            with add:
                pass
            with same, same:  # recursion
                pass


def recurse(depth):
    with nested:
        if depth > 1:
            recurse(depth - 1)


def fail():
    with contextlib.suppress(ValueError), failing:
        raise ValueError("a run that fails is not counted")


@decorated
def plain():
    return 1


@decorated
def generated():
    yield 1
    yield 2


@decorated
async def awaited():
    await asyncio.sleep(0)
    return 3


async def overlap(first, second):
    """Two tasks that are in nodes at once, and leave them in the order of their begins. Returns the
    sum of their times inside the nodes, and around them."""
    entered, left = asyncio.Event(), asyncio.Event()

    async def lead():
        around = Clock()
        with first:
            inside = Clock()
            await entered.wait()  # the other is inside by then
            time.sleep(WORK_S)
            inside = inside.ns()
        around = around.ns()
        left.set()
        return inside, around

    async def follow():
        around = Clock()
        with second:
            inside = Clock()
            entered.set()
            await left.wait()
            time.sleep(WORK_S)
            inside = inside.ns()
        return inside, around.ns()
    return [sum(times) for times in zip(*await asyncio.gather(lead(), follow()))]


async def tasks():
    await overlap(early, late)
    assert await awaited() == 3
    return await overlap(overlapping, overlapping)


def leave_elsewhere():
    """A generator that another thread ends."""
    def steps():
        with elsewhere:
            yield
    left = steps()
    next(left)
    thread = threading.Thread(target=lambda: next(left, None))
    thread.start()
    thread.join()


def child():
    pid = os.fork()
    if pid:
        _, status = os.waitpid(pid, 0)
        assert status == 0, status
        return
    with graph.call(), add:
        pass
    # What another process began is not counted here.
    raise SystemExit(0)


threads = [threading.Thread(target=run) for _ in range(THREADS)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
recurse(DEPTH)
fail()
assert plain() == 1
assert list(generated()) == [1, 2]
together = asyncio.run(tasks())
leave_elsewhere()
with loop:
    for _ in range(3):
        with body.call(), inside:
            pass
around_slow = Clock()
with slow:
    inside_slow = Clock()
    time.sleep(WORK_S)
    inside_slow = inside_slow.ns()
around_slow = around_slow.ns()
with add:
    child()
print(inside_slow, around_slow, *together)

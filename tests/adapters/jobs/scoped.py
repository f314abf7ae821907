# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""scoped.py: the program's own memory, in scopes of threads and of tasks that alternate."""
import asyncio
import contextvars
import threading

import proftop

own = proftop.publish("own")
assert own.reason is None, own.reason
TIMES = 100


def hold(size):
    own.memory("cpu", "pool").alloc(size)


def in_thread(name, size, together):
    with own.scope(name):
        for _ in range(TIMES):
            together.wait()
            hold(size)


async def in_task(name, size, turn):
    with own.scope(name):
        for _ in range(TIMES):
            async with turn:  # the other is in its scope, and runs while this one waits
                turn.notify()
                hold(size)
                await asyncio.wait_for(turn.wait(), 60)
        async with turn:
            turn.notify()


async def both_tasks():
    turn = asyncio.Condition()
    await asyncio.gather(in_task("c", 5, turn), in_task("d", 7, turn))


def in_steps():
    with own.scope("stepped"):
        hold(19)
        yield


async def given_up():
    with own.scope("given up"):
        hold(23)
        yield


async def closed_by_another_task():
    generator = given_up()
    await generator.__anext__()
    await asyncio.create_task(generator.aclose())


together = threading.Barrier(2)
threads = [threading.Thread(target=in_thread, args=(name, size, together))
           for name, size in (("a", 2), ("b", 3))]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
asyncio.run(both_tasks())

# Entered in one context and left in another. The exit code does not notice.
stepped = in_steps()
contextvars.copy_context().run(next, stepped)
try:
    stepped.throw(ArithmeticError("the job's own"))
except ArithmeticError as error:
    assert error.args == ("the job's own",), error
asyncio.run(closed_by_another_task())

with own.scope("net") as full, own.scope("layer") as inner:
    assert (full, inner) == ("net:", "net:layer:"), (full, inner)
    hold(11)
    with own.scope("alone", append=False):
        hold(13)
    try:
        with own.scope("broken"):
            raise ArithmeticError
    except ArithmeticError:
        pass
    hold(11)
hold(17)
gpu = own.memory("gpu/0", scope="")
gpu.limit(1 << 30)
gpu.alloc(3 << 20)
gpu.free(1 << 20)
for unfit in (-1, 1 << 63, 1 << 64):
    gpu.alloc(unfit)
    gpu.free(unfit)
for wrong in (1.5, "much"):
    try:
        gpu.alloc(wrong)
    except TypeError:
        continue
    raise AssertionError(wrong)

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""mxnet_unwrap.py: restores MXNet's wrapped objects, again and again. MXNet looks as before. A
forked child, and threads, count through the wrappers."""
import inspect
import os
import sys
import threading

import proftop

assert proftop.publish("none").reason is None
from _proftop import feed, mxnet as adapter, mxnet_objects, user_objects  # noqa: E402

THREADS, TIMES, ROUNDS = 4, 500, 20


def wrapped():
    """All attributes of classes and of modules that can differ."""
    found = {}
    for path, module in list(sys.modules.items()):
        if path.startswith("mxnet"):
            for name, value in list(vars(module).items()):
                if inspect.isclass(value) and path in mxnet_objects.MODULES:
                    found.update({(path, name, key): one for key, one in vars(value).items()})
                elif name.endswith("scope"):
                    found[path, name] = value
    return found


def looks(things):
    return {key: (inspect.signature(one), one.__doc__, one.__name__, one.__qualname__)
            for key, one in things.items() if inspect.isfunction(one)}


def same(first, second):
    return set(first) == set(second) and all(first[key] is second[key] for key in first)


def of_threads(domain):
    """No update is lost. Each run belongs to its thread."""
    counter, task = domain.new_counter("threads", 0), domain.new_task("threads")

    def work():
        for _ in range(TIMES):
            counter.increment(2)
            task.start()
            counter.decrement()
            task.stop()

    threads = [threading.Thread(target=work) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def of_a_child(domain, counter):
    task = domain.new_task("forked")
    task.start()
    child = os.fork()
    counter.increment(5)
    task.stop()  # the child has no open run: the parent started it
    if child == 0:
        sys.stdin.read()  # lives until a viewer has seen it
        os._exit(0)
    print(child, flush=True)
    assert os.waitpid(child, 0)[1] == 0


def main():
    import mxnet as mx
    from mxnet import profiler

    adapter.stop()
    before = wrapped()
    domain = profiler.Domain("objects")
    old = domain.new_task("before"), domain.new_counter("before", 3)
    for _ in range(ROUNDS):
        uninstall = mxnet_objects.install(mx, user_objects)
        during = wrapped()
        changed = {key for key in before if before[key] is not during[key]}
        assert ("mxnet.profiler", "Counter", "set_value") in changed and len(changed) > 14, changed
        assert looks(before) == looks(during)
        uninstall()
        assert same(before, wrapped())
        uninstall()
        assert same(before, wrapped())
    mxnet_objects.install(mx, user_objects)
    task, counter = old  # of a domain that is no longer known
    task.start()
    task.stop()
    counter.increment()  # to an unknown value
    counter.set_value(8)
    counter.increment()
    of_threads(domain)
    # An error in our code does not reach the job.
    define, feed.own_define = feed.own_define, None
    domain.new_task("unseen").start()
    domain.new_counter("unseen", 5).increment()
    feed.own_define = define
    counter = domain.new_counter("forked", 1)
    of_a_child(domain, counter)


main()

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""mxnet_unwrap.py: what is wrapped of MXNet is put back as it was, again and again; it looks as
before; and a forked child, and threads, count by it."""
import inspect
import os
import sys
import threading

import proftop

assert proftop.publish("none").reason is None
from _proftop import feed, mxnet as adapter, mxnet_objects, own  # noqa: E402

THREADS, TIMES, ROUNDS = 4, 500, 20


def wrapped():
    """Each attribute that may be: of classes, and of modules."""
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
    """No update is lost, and each run is of its thread."""
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
    task.stop()  # in the child nothing is open: it was started by the parent
    if child == 0:
        sys.stdin.read()  # lives until it was seen
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
        uninstall = mxnet_objects.install(mx, own)
        during = wrapped()
        changed = {key for key in before if before[key] is not during[key]}
        assert ("mxnet.profiler", "Counter", "set_value") in changed and len(changed) > 14, changed
        assert looks(before) == looks(during)
        uninstall()
        assert same(before, wrapped())
        uninstall()
        assert same(before, wrapped())
    mxnet_objects.install(mx, own)
    task, counter = old  # of a domain that nobody knows any more
    task.start()
    task.stop()
    counter.increment()  # to what, nobody knows
    counter.set_value(8)
    counter.increment()
    of_threads(domain)
    # What fails in code of ours does not reach the job.
    define, feed.own_define = feed.own_define, None
    domain.new_task("unseen").start()
    domain.new_counter("unseen", 5).increment()
    feed.own_define = define
    counter = domain.new_counter("forked", 1)
    of_a_child(domain, counter)


main()

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""named.py PACKAGE [late]: a job with own names for the framework's functions. Prints how these are
pickled, copied and found. late: proftop attaches, the job compiles by these names, proftop
detaches, the job compiles, and proftop attaches again."""
import copy
import functools
import importlib
import pickle
import sys
import types
import weakref

from arrival import attached, await_attach

package, *late = sys.argv[1:]
family = importlib.import_module(package)
compile_one = family.function
kept, found = functools.partial(compile_one), {compile_one: True}
watched = weakref.ref(compile_one)
x = importlib.import_module(package + ".tensor").dvector("x")


def is_whole():
    again = pickle.loads(pickle.dumps(kept)).func
    return found[family.function] and type(compile_one) is types.FunctionType and all(
        one is family.function for one in (compile_one, watched(), again, copy.copy(compile_one),
                                           copy.deepcopy(kept).func))


def compiled(name):
    kept([x], x + 1, name=name)


print(pickle.dumps(compile_one), is_whole(), flush=True)
if late:
    await_attach()
    compiled("f")
    print("compiled", is_whole(), flush=True)
    while attached():
        pass
    compiled("g")
    await_attach()
    compiled("h")
    print("compiled", is_whole(), flush=True)
    sys.stdin.readline()
    print("end")

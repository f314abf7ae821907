# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""looked.py: a job that forks while one of its threads is in a call whose values are read. Reports
the length of the vectors seen: first in the child, which has calls of its own, by its exit code,
then in the job."""
import os
import sys
import threading
import time

import numpy as np
import pytensor
import pytensor.tensor as pt
from pytensor.compile.ops import as_op

IN_JOB, IN_CHILD, SECONDS = 3, 5, 60
Values = sys.modules["_proftop.values"].Values
look, seen = Values.look, []
held, goes_on = threading.Event(), threading.Event()


def look_and_record(self, nodes):
    (_, ((shape, *_), *_)) = nodes[-1]
    seen.extend(shape)
    return look(self, nodes)


@as_op(itypes=[pt.dvector], otypes=[pt.dvector])
def wait(x):
    if threading.current_thread() is not threading.main_thread():
        held.set()
        goes_on.wait()
    return x * 2


Values.look = look_and_record
vector = pt.dvector("vector")
f = pytensor.function([vector], pt.exp(wait(vector)), name="f")
thread = threading.Thread(target=f, args=(np.ones(IN_JOB),))
thread.start()
held.wait()
child = os.fork()
if child == 0:
    end = time.monotonic() + SECONDS
    while not seen and time.monotonic() < end:
        f(np.ones(IN_CHILD))
    os._exit(seen[0] if seen else 0)
print(os.WEXITSTATUS(os.waitpid(child, 0)[1]))
goes_on.set()
thread.join()
print(*seen)

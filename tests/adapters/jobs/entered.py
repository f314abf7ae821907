# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""entered.py names | interrupt|exit|fault compile|open: a job with Python's names for its own
objects, or with a signal handler or hook that raises while the attached code is compiled or opens
its file. It computes until its input ends, or an exception ends it. It prints which one, whether
the interrupt handler is unchanged, and the new names."""
import select
import signal
import sys

import pytensor
import pytensor.tensor

what, where = (sys.argv[1:] + [""])[:2]
x = pytensor.tensor.dscalar("x")
compute = pytensor.function([x], pytensor.tensor.exp(x))
texts = []  # the first one compiled contains the other


def fault(number):
    raise RuntimeError


def leave(*unused):
    sys.exit(7)


def is_there(event, args):
    if event == "compile" == where and args[0] and b"asker=" in bytes(args[0]):
        texts.append(args[0])
        return len(texts) == 2
    return event == "open" == where and str(args[0]).endswith("payload.py'")


def hook(event, args):
    if is_there(event, args):
        act(number)


act = fault if what == "fault" else signal.raise_signal
number = signal.SIGINT if what == "interrupt" else signal.SIGTERM
signal.signal(signal.SIGTERM, leave)
signal.signal(signal.SIGINT, signal.default_int_handler)  # the parent may ignore it
if where:
    sys.addaudithook(hook)
by = error = None
if what == "names":
    exec = open = dict = isinstance = __import__ = BaseException = Exception = None
names = None
names = set(globals())
print("ready", flush=True)
try:
    while not select.select([sys.stdin], [], [], 0)[0]:
        compute(0.0)
except (KeyboardInterrupt, SystemExit) as error:
    by = repr(error)
print(by, signal.getsignal(signal.SIGINT) is signal.default_int_handler,
      sorted(set(globals()) - names))

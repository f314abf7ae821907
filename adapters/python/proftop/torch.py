# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""torch.py: the adapter of PyTorch, by callbacks of its own RecordFunction (adapters/torch).

The callbacks are described to PyTorch by a structure that is not a public interface. So a process
of its own tries them with one op first, 0.3 s, once for each build of PyTorch. The result is kept
in the user's cache. If ops can't be counted, calls of modules are: these need nothing of the
library."""
import atexit
import os
import stat
import sys
import time

from . import (feed, feed_holders, torch_compiles, torch_device, torch_lines, torch_modules,
               torch_still, torch_trainer, torch_vllm)

HOLDER = "PyTorch"
BUDGET = 2.0  # percent, as libproftop's
TEST_S = 30
# Runs in a process of its own: the library's path and the extension's path are its arguments.
TEST = """
import ctypes, importlib.machinery, importlib.util, sys
library = ctypes.CDLL(sys.argv[1])
loader = importlib.machinery.ExtensionFileLoader("_feed", sys.argv[2])
feed = importlib.util.module_from_spec(importlib.util.spec_from_loader("_feed", loader))
loader.exec_module(feed)
lacks, event_ns = feed.torch_self_test()
print("build:" + feed.torch_library()[1])
print("proftop:%s:%s" % (event_ns, lacks or ""))
"""
# Packages that use PyTorch, and tell more.
HOOKS = (torch_trainer.hooks, torch_vllm.hooks)
# reason: why nothing is counted. lacks: why ops are not, while modules are. device: the adapter
# knows that the job uses one.
state = {"attached": False, "reason": None, "route": None, "lacks": None, "device": False}


def version():
    return str(getattr(sys.modules.get("torch.version"), "__version__", "") or "")


def is_imported():
    return "torch" in sys.modules


def is_attached():
    return state["attached"]


def has_device():
    """True if this build of PyTorch can run ops on a GPU."""
    version_of = sys.modules.get("torch.version")
    return any(getattr(version_of, name, None) for name in ("cuda", "hip", "xpu"))


def tell_device():
    """Tells once that the job uses a device, so that reading from it waits. Asks PyTorch nothing
    that would begin to use one."""
    if not state["device"] and has_device() and any(
            getattr(sys.modules.get("torch." + name), "_initialized", False) is True
            for name in ("cuda", "xpu")):
        state["device"] = True
        feed.torch_use_device()


def budget():
    """The share of the run time that counting may take. 0: any."""
    try:
        return max(0.0, float(os.environ.get("PROFTOP_BUDGET") or BUDGET)) / 100
    except ValueError:
        return BUDGET / 100


# ----------------------------------------------------------------------------------- the self-test


def cache_file(path, build):
    """The file that keeps the result for this build of PyTorch and of proftop, or None."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    if not build:
        there = os.stat(path)
        build = "%d-%d" % (there.st_size, there.st_mtime)
    name = os.path.join(home, "proftop", "torch-%s-%s" % (feed.version, build))
    return name if os.path.isabs(name) else None  # no home: expanduser() changes nothing


def result_of(line):
    """(None or the reason why not, ns of an event) of a line, or None if it is none."""
    mark, _, rest = line.partition(":")
    event_ns, _, lacks = rest.partition(":")
    try:
        event_ns = float(event_ns)
    except ValueError:
        return None
    return (lacks or None, event_ns) if mark == "proftop" and 0 <= event_ns <= 1e5 else None


def read_result(path):
    """As result_of(), of a file of this user's own; None: there is none."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        there = os.fstat(descriptor)
        if not stat.S_ISREG(there.st_mode) or there.st_uid != os.geteuid():
            return None
        return result_of(file.readline(4096).decode("utf-8", "replace").rstrip("\n"))


def write_result(path, line):
    """Keeps a result. Without the file, the next job tries again."""
    part = "%s.%d" % (path, os.getpid())
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(line.encode("utf-8", "replace") + b"\n")
        os.replace(part, path)
    except OSError:
        pass


def interpreter():
    """The Python of this process, or None: it may run inside another program."""
    name = os.path.basename(sys.executable or "")
    is_python = name.startswith(("python", "pypy")) and os.path.isabs(sys.executable)
    return sys.executable if is_python and not getattr(sys, "frozen", False) else None


def run_test(path, build):
    """Tries the callbacks in a process of its own, which the job does not see as a child. Returns
    its line, or None, and what it said else. `build`: of the library in this process."""
    environment = tuple(b"%s=%s" % item for item in os.environb.items()
                        if not item[0].startswith((b"PROFTOP", b"PYTHON", b"LD_PRELOAD")))
    python = interpreter()
    if python is None:
        return None, "sys.executable, %r, is no Python that can run it" % (sys.executable,)
    command = tuple(map(os.fsencode, (python, "-I", "-S", "-c", TEST, path, feed.__file__)))
    status, said = feed.torch_run_unseen(command, environment, TEST_S)
    lines = said.decode("utf-8", "replace").strip().splitlines()
    if any(line.startswith("build:") and line != "build:" + build for line in lines):
        return None, "the file of the library was replaced since the job began"
    for line in lines:
        if line.startswith("proftop:"):
            return line, ""
    if isinstance(status, int):
        how = "by signal %d" % os.WTERMSIG(status) if os.WIFSIGNALED(status) else \
            "with %d" % os.WEXITSTATUS(status)
        status = "it ended " + how
    return None, "%s: %s" % (status, lines[-1] if lines else "no message")


def tested():
    """(None or the reason why ops cannot be counted, ns of an event)."""
    lacks = feed.torch_find()
    if lacks is not None:
        return lacks, 0
    path, build = feed.torch_library()
    file = cache_file(path, build)
    result = read_result(file) if file else None
    if result is not None:
        return result
    line, wrong = run_test(path, build)
    result = result_of(line) if line else None
    if result is None:
        return "the test of its callbacks failed: %s" % (wrong or line), 0
    if file:
        write_result(file, line)
    return result


# -------------------------------------------------------------------------------------- begin, end


def often():
    """Called ten times a second, on the first thread, while ops run there."""
    torch_compiles.tell()
    say_route()
    tell_device()
    torch_modules.watch_captures()
    for hooks in HOOKS:  # in a job that was attached to before it imported the package
        hooks.start()


def leave():
    """At the exit of Python: publishes the sums. Neither Python nor PyTorch may be called later."""
    torch_compiles.tell()
    say_route()
    feed.torch_often(None)
    feed.torch_lines(None)
    feed.torch_optimizers(None)
    feed.torch_still(None)
    torch_modules.stop()
    feed.torch_detach()
    torch_device.stop()


def without_ops():
    return "ops of PyTorch can't be counted: %s; calls of modules are" % state["lacks"]


def route():
    """How ops are counted, for the header."""
    if state["lacks"]:
        return without_ops()
    how = "at every op" if budget() <= 0 else \
        "in windows that cost at most %g %%" % (100 * budget())
    device = feed.torch_device() or \
        ("on a GPU, an op's time is that of its launch" if has_device() else None)
    return "callbacks of its RecordFunction, %s%s" % (how, "; " + device if device else "")


def say_route():
    """Says how ops are counted, if that has changed."""
    words = route()
    if words != state["route"]:
        state["route"] = words
        feed_holders.say_route(HOLDER, words)


def start(asked):
    """Starts counting. Returns None, or why it could not."""
    lacks, event_ns = tested()
    if lacks is not None and torch_modules.lacks() is not None:
        return lacks
    reason = feed_holders.hold(HOLDER, "PyTorch", version(), asked)
    if reason is not None:
        return reason
    try:
        feed.torch_optimizers(getattr(sys.modules.get("torch.optim.optimizer"), "Optimizer", None))
        reason = feed.torch_attach(lacks is None, budget(), event_ns,
                                   lacks or torch_device.start())
        if reason is not None:
            torch_device.stop()
            feed.torch_optimizers(None)
            feed_holders.release(HOLDER)
            return reason
        state.update(attached=True, lacks=lacks)
        tell_device()
        torch_modules.start()
        torch_compiles.start()
        for hooks in HOOKS:
            hooks.start()
        if lacks is not None:
            feed.notice(1, without_ops())
        lacks = feed.torch_memory()
        if lacks is not None:
            feed.notice(1, "bytes of ops of PyTorch are not counted: " + lacks)
        feed.torch_often(often)
        feed.torch_lines(lambda running: torch_lines.line())
        feed.torch_still(torch_still.look)
        atexit.register(leave)
        state["route"] = None
        say_route()
    except BaseException:
        stop()
        raise
    return None


def stop(asker=None):
    """Stops counting, and gives the feed back."""
    feed.torch_often(None)
    feed.torch_lines(None)
    feed.torch_optimizers(None)
    for hooks in HOOKS:
        hooks.stop()
    feed.torch_still(None)
    torch_compiles.stop()
    torch_modules.stop()
    feed.torch_detach()
    torch_device.stop()
    atexit.unregister(leave)
    state.update(attached=False, lacks=None)
    feed_holders.release(HOLDER, asker)


def attach():
    """Attaches to a running job. Returns success, a message, and a function that undoes it, or
    None."""
    begun = time.perf_counter()
    if state["attached"]:
        feed.own_feed()  # opens the feed of a forked child that has counted nothing yet
        return True, "it was attached to already", None
    if getattr(sys.modules["torch"].__spec__, "_initializing", False):
        return False, "PyTorch is just being imported: try again", None
    reason = start(True)
    if reason is not None:
        return False, "ops of PyTorch can't be counted: %s" % reason, None
    return True, "attached to PyTorch %s, in %.0f ms of its main thread%s" % (
        version(), (time.perf_counter() - begun) * 1e3,
        "; " + without_ops() if state["lacks"] else ""), stop


def adapt(module):
    """Called when a module that the import hook waits for has been imported."""
    if module.__name__ == torch_compiles.SETTINGS and state["attached"]:
        torch_compiles.name_kernels()
    elif module.__name__ != "torch" and state["attached"]:
        torch_modules.mend()
        torch_modules.watch_captures()
        torch_compiles.start()
        for hooks in HOOKS:
            hooks.start(module.__name__ == hooks.module)
    elif module.__name__ == "torch" and not state["attached"]:
        state["reason"] = start(False)

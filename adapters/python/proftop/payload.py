# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""payload.py: the code that a running process executes between two of its own instructions, to
attach or detach.

It is not imported. The text that adapters/inject queues executes it, and sets these names: `home`,
the folder of the adapters; `verb`, attach or detach; `asker`, the program that asks; `pipe`, path
and inode number of the pipe on which the asker waits; `room`, the address and size of the text's
own memory. The code uses the names of no module, and runs in any version of Python. It lets through
only errors that are no Exception, such as the SystemExit of a signal handler: these are the
job's."""
import os
import signal


def load():
    """Returns the adapters' package. Loads it as the hook at start-up does, unless it is loaded."""
    import importlib.util
    import sys

    package = sys.modules.get("_proftop")
    if package is None:
        where = os.path.join(os.fsdecode(home), "proftop")  # noqa: F821
        spec = importlib.util.spec_from_file_location(
            "_proftop", os.path.join(where, "__init__.py"), submodule_search_locations=[where])
        package = importlib.util.module_from_spec(spec)
        sys.modules["_proftop"] = package
        try:
            spec.loader.exec_module(package)
        except BaseException:
            del sys.modules["_proftop"]
            raise
    return package, importlib.import_module("_proftop.attach_running")


def do():
    """Attaches or detaches. Returns success, a message, and a function that undoes it, or None."""
    try:
        package, late = load()
        package.feed.unmap(*room)  # noqa: F821
        if verb == "detach":  # noqa: F821
            return late.detach(asker.decode("utf-8", "replace"))  # noqa: F821
        return late.attach()
    except Exception as error:
        return False, "the adapter failed, and the job is as it was: %s: %s" % (
            type(error).__name__, error), None


def say(out, text):
    """Writes the answer. Raises OSError if the pipe has no reader; the job gets no SIGPIPE."""
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGPIPE])
    try:
        os.write(out, text)
    except BrokenPipeError:
        signal.sigtimedwait([signal.SIGPIPE], 0)
        raise
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


def tell():
    """Does the work if the asker still waits, and answers. Without the pipe it does nothing. If the
    answer cannot be written, it undoes the work."""
    path, number = pipe  # noqa: F821
    try:
        if os.stat(path).st_ino != number:
            return
        out = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
    except OSError:
        return
    try:
        good, said, back = do()
        said = ("yes " if good else "no ") + said
        try:
            say(out, said.encode("utf-8", "replace")[:500])
        except OSError:
            if back:
                back()
    finally:
        os.close(out)


tell()

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""payload.py: what a process runs that is attached to late, between two instructions of its own.

Not imported, but executed by the text that adapters/inject queues, which gives it: `home`, the
folder of the adapters; `verb`, attach or detach; `asker`, who wants it; `pipe`, path and number of
the pipe that waits for an answer; `room`, where the text itself lies. It runs with the names of no
module, in whatever version of Python this is, and lets nothing out but what is no Exception, as the
exit that a handler of the job's asks for: that was meant for the job.
"""
import os
import signal


def load():
    """Our package, as the hook at start-up loads it, or as it was loaded before."""
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
    return package, importlib.import_module("_proftop.late")


def do():
    """Whether it was done, a sentence, and what takes it back, or None."""
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
    """OSError: nobody is there to hear it, of which no signal may tell the job."""
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGPIPE])
    try:
        os.write(out, text)
    except BrokenPipeError:
        signal.sigtimedwait([signal.SIGPIPE], 0)
        raise
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


def tell():
    """Nobody waits any more once the pipe is gone: nothing is done then, or it is taken back."""
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

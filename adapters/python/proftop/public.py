# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""What a job that `proftop run` started gets by `import proftop`: its own report, at any moment."""
import os
import shutil
import subprocess
import sys

SECONDS = 60
HERE = os.path.dirname(os.path.abspath(__file__))
# Where the program lies, from here: as it is installed, and in the build tree.
PROGRAMS = (("..", "..", "..", "..", "bin", "proftop"), ("..", "..", "..", "proftop"))


def _program():
    for parts in PROGRAMS:
        path = os.path.normpath(os.path.join(HERE, *parts))
        if os.access(path, os.X_OK) and os.path.isfile(path):
            return path
    path = shutil.which("proftop")
    if path is None:
        raise RuntimeError("the program proftop is neither beside its adapters in %s nor in PATH"
                           % HERE)
    return path


def _adapter():
    family = sys.modules.get("_proftop.theano_family")
    adapter = getattr(family, "module_state", {}).get("adapter")
    if adapter is None:
        raise RuntimeError("proftop does not watch this process: start it by proftop run, and "
                           "import the framework before")
    return adapter


def summary(function=None, file=None, format=None, n_apply=None, n_ops=None):
    """Prints the profile of one function, or of all and their sum, as its framework does.

    format: theano, aesara, pytensor, profilemode, text or json; usually that of the framework.
    n_apply, n_ops: rows of Apply, of Class and Ops; usually as the flags of the job say. The job
    goes on as it was; nothing is reset. RuntimeError says why nothing was printed."""
    adapter = _adapter()
    words = ["-b", "--format", format or adapter.member.package, "-p", str(os.getpid())]
    if function is not None:
        number = adapter.number_of(function)
        if number is None:
            raise RuntimeError("proftop does not know %r: it is no compiled function, or not "
                               "called yet" % (function,))
        words += ["--function", "#%d" % number]
    for option, rows in (("--n-apply", n_apply), ("--n-ops", n_ops)):
        words += [option, str(rows)] if rows is not None else []
    done = subprocess.run([_program(), *words], stdin=subprocess.DEVNULL, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=SECONDS)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.decode("utf-8", "replace").strip())
    (sys.stdout if file is None else file).write(done.stdout.decode("utf-8", "replace"))

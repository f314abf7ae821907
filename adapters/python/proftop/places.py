# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""places.py: files and lines: which are the user's, and how they are written.

A file is the user's if it is not part of an installed library, of Python itself, of the framework
or of proftop.
"""
import functools
import os
import re
import sys
import sysconfig

from .ops import plain

OURS = os.path.dirname(__file__) + os.sep


def folders(*names):
    paths = sysconfig.get_paths()
    return tuple({os.path.abspath(paths[name]) + os.sep for name in names})


# Python's own files are in PYTHONS; libraries may be below it. Libraries of other installations (of
# the user, or of the system below a virtual environment) are known by the usual names of their
# folders.
LIBRARIES = folders("purelib", "platlib")
PACKAGES = tuple(os.sep + name + os.sep for name in ("site-packages", "dist-packages"))
PYTHONS = folders("stdlib", "platstdlib")
# Code without a file that a user writes. Code that a library makes has other names in brackets.
TYPED = re.compile(r"<(stdin|string|console|ipython-input-.*)>")
# Cells of a notebook: IPython numbers them, ipykernel keeps each in a file named by its content.
NUMBERED = re.compile(r"<ipython-input-(\d+)-")
KERNEL = re.compile(r"[/\\]ipykernel_\d+[/\\][^/\\]*\.py$")


@functools.lru_cache(maxsize=1024)  # stacks have few files
def packaged(file):
    """The path of a library's file in its installation; None: no library has the file."""
    for folder in LIBRARIES:
        if file.startswith(folder):
            return file[len(folder):]
    at, folder = max((file.rfind(folder), folder) for folder in PACKAGES)
    return file[at + len(folder):] if at >= 0 else None


@functools.lru_cache(maxsize=1024)
def owner(file):
    """`user`, `library`, or `python`: Python itself, or code that something has generated."""
    if file == "<string>" and "__mp_main__" in sys.modules:
        return "python"  # multiprocessing starts a process by it
    if file.startswith("<"):
        return "user" if TYPED.match(file) else "python"
    if packaged(file) is not None:
        return "library"
    return "python" if file.startswith(PYTHONS) else "user"


def cells():
    """File of a cell -> its number, as IPython keeps them."""
    shell = getattr(sys.modules.get("IPython.core.interactiveshell"), "InteractiveShell", None)
    compiler = getattr(getattr(shell, "_instance", None), "compile", None)
    numbers = getattr(compiler, "_filename_map", None)
    return numbers if isinstance(numbers, dict) else {}


def cell_of(file):
    """A cell of a notebook as the notebook shows it, `In[3]`; None: the file is no cell."""
    found = NUMBERED.match(file)
    number = cells().get(file) or (found and found.group(1))
    if number:
        return "In[%s]" % number
    return "In[?]" if KERNEL.search(file) else None


def written(file):
    """A file as it stands in FILE:LINE."""
    return cell_of(file) or file


def line_text(file, line):
    return plain("%s:%d" % (written(file), line))


def short(file):
    """A file in a name that has to be short: without the folders of the user or of a library."""
    return cell_of(file) or packaged(file) or os.path.basename(file)

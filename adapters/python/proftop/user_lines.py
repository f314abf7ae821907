# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""user_lines.py: files and lines: decides which are the user's, and formats them.

A file is the user's unless it belongs to an installed library, Python itself, the framework or
proftop."""
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


# Python's own files are in PYTHONS; libraries may lie below it. Libraries of other installations
# (of the user, or of the system below a virtual environment) are recognised by the usual names of
# their folders.
LIBRARIES = folders("purelib", "platlib")
PACKAGES = tuple(os.sep + name + os.sep for name in ("site-packages", "dist-packages"))
PYTHONS = folders("stdlib", "platstdlib")
# Code without a file that the user has typed. Generated code of libraries has other bracketed
# names.
TYPED = re.compile(r"<(stdin|string|console|ipython-input-.*)>")
# Cells of a notebook: IPython numbers them, ipykernel keeps each in a file named after its content.
NUMBERED = re.compile(r"<ipython-input-(\d+)-")
KERNEL = re.compile(r"[/\\]ipykernel_\d+[/\\][^/\\]*\.py$")


@functools.lru_cache(maxsize=1024)  # stacks have few files
def packaged(file):
    """The path of a library's file in its installation; None: the file belongs to no library."""
    for folder in LIBRARIES:
        if file.startswith(folder):
            return file[len(folder):]
    at, folder = max((file.rfind(folder), folder) for folder in PACKAGES)
    return file[at + len(folder):] if at >= 0 else None


@functools.lru_cache(maxsize=1024)
def owner(file):
    """`user`, `library`, or `python`: Python itself, or generated code."""
    if file == "<string>" and "__mp_main__" in sys.modules:
        return "python"  # multiprocessing starts a process with such code
    if file.startswith("<"):
        return "user" if TYPED.match(file) else "python"
    if packaged(file) is not None:
        return "library"
    return "python" if file.startswith(PYTHONS) else "user"


def cells():
    """File of a cell -> its number, from IPython's own table."""
    shell = getattr(sys.modules.get("IPython.core.interactiveshell"), "InteractiveShell", None)
    compiler = getattr(getattr(shell, "_instance", None), "compile", None)
    numbers = getattr(compiler, "_filename_map", None)
    return numbers if isinstance(numbers, dict) else {}


def cell_of(file):
    """The notebook's name of a cell, `In[3]`; None: the file is no cell."""
    found = NUMBERED.match(file)
    number = cells().get(file) or (found and found.group(1))
    if number:
        return "In[%s]" % number
    return "In[?]" if KERNEL.search(file) else None


def written(file):
    """The file part of FILE:LINE."""
    return cell_of(file) or file


def line_text(file, line):
    return plain("%s:%d" % (written(file), line))


def short(file):
    """A file in a name that must be short: without the folders of the user or of a library."""
    return cell_of(file) or packaged(file) or os.path.basename(file)

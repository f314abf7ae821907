# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""machine.py: the compiler, the BLAS and the numbers of threads of a job, as facts.

Reads only values that the job has already determined. Others stay unknown, since finding them out
costs time."""
import functools
import os
import sys

# The framework runs compilers and libraries to find the defaults of these flags.
FLAGS = ("cxx", "blas.ldflags", "gcc.cxxflags")
VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS",
             "NUMBA_NUM_THREADS")
# Functions of OpenBLAS, under the names of its builds, that return a number of threads. Asking MKL
# would start it.
ASKED = [first + "openblas_get_num_threads" + last
         for first in ("", "scipy_") for last in ("", "64_", "_64")]


def settled(config, name):
    """The value of a flag if it has been computed; "" is a value. None: not computed yet."""
    try:
        owner, key = config, name.replace(".", "__")
        if not hasattr(type(config), key) and "." in name:
            section, key = name.split(".")
            owner = getattr(config, section)
        value = getattr(getattr(type(owner), key, None), "val", None)
        return None if value is None else str(value)
    except Exception:  # pylint: disable=broad-except
        return None  # a flag of another kind


@functools.lru_cache(maxsize=None)
def libraries():
    """(name, function that returns the number of threads) of each loaded OpenBLAS."""
    ctypes = sys.modules.get("ctypes")
    if ctypes is None:
        return []
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        paths = sorted({line.split(None, 5)[5].rstrip("\n") for line in maps
                        if "openblas" in line and ".so" in line})
    found = []
    for path in paths:
        library = ctypes.CDLL(path, mode=os.RTLD_NOLOAD | os.RTLD_LAZY)
        asked = [getattr(library, name) for name in ASKED if hasattr(library, name)]
        found += [(os.path.basename(path), function) for function in asked[:1]]
    return found


def threads():
    try:
        return [("threads." + name, "%d" % function()) for name, function in libraries()]
    except Exception:  # pylint: disable=broad-except
        return []


def facts(config):
    pairs = [(name, settled(config, name)) for name in FLAGS]
    pairs += [(name, os.environ.get(name)) for name in VARIABLES]
    return ["%s=%s" % pair for pair in pairs + threads()
            if pair[1] is not None and "\n" not in pair[1]]

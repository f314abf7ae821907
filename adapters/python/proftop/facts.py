# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""facts.py: the settings of the job's framework, as lines of name=value for viewers.

Names have a dot, as in Theano's documents; its descendants write profiling__n_ops."""
import functools
import os
import sys
import time

IGNORE_FIRST = "profiling.ignore_first_call"
NAMES = ("mode", "linker", "optimizer", "optimizer_including", "optimizer_excluding", "floatX",
         "device", "openmp", "profile", "profile_memory", "profile_optimizer",
         "profiling.n_apply", "profiling.n_ops", "profiling.min_memory_size",
         "profiling.output_line_width", IGNORE_FIRST)
# Current releases have no flag of this section, and only warn about it.
OLD = "ProfileMode."
MISSING = object()


def value_of(config, name):
    """The current value: a job may change it while it runs."""
    try:
        value = getattr(config, name.replace(".", "__"), MISSING)
        if value is MISSING and "." in name:
            section, name = name.split(".")
            value = getattr(getattr(config, section, None), name, MISSING)
        return None if value is MISSING else str(value)
    except Exception:  # pylint: disable=broad-except
        return None  # a flag that cannot be read here is of another kind


def ignores_first_call(config):
    """True if the job's profile leaves out the first call of each function."""
    return value_of(config, IGNORE_FIRST) == "True"


def asked_for(package):
    """Flags of the old section, in the order of the environment variable. The last of a name
    wins."""
    for word in os.environ.get(package.upper() + "_FLAGS", "").split(","):
        name, _, value = word.partition("=")
        name = name.strip().replace("__", ".")
        if name.startswith(OLD):
            yield name, value.strip()


def facts(package, config):
    pairs = [(name, value_of(config, name)) for name in NAMES]
    pairs += asked_for(package)
    return "\n".join("%s=%s" % pair for pair in pairs if pair[1] and "\n" not in pair[1])


def profiling(package):
    """The framework's module of profiles, or None if it is not loaded."""
    for name in (".compile.profiling", ".compile.debug.profiling"):
        if package + name in sys.modules:
            return sys.modules[package + name]
    return None


@functools.lru_cache(maxsize=None)
def imported(package):
    """When the framework was imported, in ns of the feed's clock; None: unknown. Old releases keep
    the time of day."""
    then = getattr(profiling(package), package + "_imported_time", None)
    if not isinstance(then, float):
        return None
    now = time.perf_counter()
    past = (now if then <= now else time.time()) - then
    return int((time.monotonic() - past) * 1e9) if past >= 0 else None


def clocks(package):
    """When the framework was imported, and how long it has made gradients, by its own account."""
    spent = getattr(sys.modules.get(package + ".gradient"), "grad_time", None)
    pairs = (("imported_ns", imported(package)),
             ("grad_ns", round(spent * 1e9) if isinstance(spent, (int, float)) else None))
    return "\n".join("%s=%d" % pair for pair in pairs if pair[1] is not None)

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""proftop: prints the profile of the running program, and publishes values of the program itself.

summary() prints the profile of the running job, if proftop watches the job. Counters, spans, memory
and markers publish values of the program itself, with or without a watched framework. set_config(),
pause(), dump() and the other calls of mxnet.profiler control the feed and print its statistics."""
import importlib
import importlib.util
import os
import shutil
import subprocess
import sys

SECONDS = 60
HERE = os.path.dirname(os.path.abspath(__file__))
# Paths of the program proftop relative to this folder: installed, and in the build tree.
PROGRAMS = (("..", "..", "..", "..", "bin", "proftop"), ("..", "..", "..", "proftop"))
# Names that are loaded on first use: module -> its names.
FOUND_IN = {
    "user_graphs": ("Graph", "Node"),
    "user_objects": ("Counter", "Domain", "Event", "Frame", "Marker", "Memory", "Task", "scope"),
    "control": ("dump", "dump_profile", "dumps", "pause", "profiler_kvstore_handle",
                "profiler_set_config", "profiler_set_state", "resume", "set_config",
                "set_kvstore_handle", "set_state"),
}
HOMES = {name: home for home, names in FOUND_IN.items() for name in names}
__all__ = ["program", "publish", "summary", *sorted(HOMES)]


def __getattr__(name):
    if name == "__version__":
        return _package().feed.version
    if name not in HOMES:
        raise AttributeError("module %r has no attribute %r" % (__name__, name))
    _package()
    found = getattr(importlib.import_module("_proftop." + HOMES[name]), name)
    globals()[name] = found
    return found


def __dir__():
    return sorted({*globals(), *HOMES})


# The functions below repeat the rules of feed/viewer/launch/trust.c. They decide whether the
# program itself can be trusted, so they cannot ask the program. tests/e2e/trust.py tests both
# implementations.


def _has_access_list(path):
    """True if an access list may grant access to more users than the mode shows."""
    try:
        return bool(os.getxattr(path, "system.posix_acl_access"))
    except OSError:
        return False


def _group_is_alone(path, stat):
    """True if the group is root's, staff or the owner's own, and has no member but root, the owner
    and this process's user."""
    import grp
    import pwd

    if _has_access_list(path):
        return False
    try:
        group = grp.getgrgid(stat.st_gid)
        names = {pwd.getpwuid(user).pw_name for user in {0, os.geteuid(), stat.st_uid}}
        owner = pwd.getpwuid(stat.st_uid)
    except KeyError:
        return stat.st_gid == 0
    if not set(group.gr_mem) <= names:
        return False
    staff = (stat.st_uid, stat.st_gid, group.gr_name) == (0, 50, "staff")
    own = (owner.pw_gid, owner.pw_name) == (stat.st_gid, group.gr_name)
    return stat.st_gid == 0 or staff or own


def _fault(path):
    """Says how other users could change a file or a folder on its path. None: they cannot."""
    top = os.stat("/").st_uid
    whole = os.path.realpath(path)
    part = whole
    while True:
        stat = os.lstat(part)
        sticky = part != whole and stat.st_mode & 0o1000
        if stat.st_uid not in (0, os.geteuid(), top):
            return "%s belongs to user %d" % (part, stat.st_uid)
        if not sticky and (stat.st_mode & 0o002
                           or (stat.st_mode & 0o020 and not _group_is_alone(part, stat))):
            return "%s can be written by others (mode %04o)" % (part, stat.st_mode & 0o7777)
        if part == "/":
            return None
        part = os.path.dirname(part)


def program():
    """Returns the path of the program proftop that belongs to this module."""
    faults = []
    for parts in PROGRAMS:
        path = os.path.normpath(os.path.join(HERE, *parts))
        if os.access(path, os.X_OK) and os.path.isfile(path):
            fault = _fault(path)
            if fault is None:
                return path
            faults.append(fault)
    path = shutil.which("proftop")
    if path is None and faults:
        raise RuntimeError("the program proftop beside its adapters in %s is not run: %s, so "
                           "others could change it: use a copy in folders of your own"
                           % (HERE, faults[0]))
    if path is None:
        raise RuntimeError("the program proftop is neither beside its adapters in %s nor in PATH"
                           % HERE)
    return path


def _package():
    """Returns the adapters' package. Loads it as the hook at start-up does, unless it is loaded."""
    package = sys.modules.get("_proftop")
    if package is None:
        spec = importlib.util.spec_from_file_location(
            "_proftop", os.path.join(HERE, "__init__.py"), submodule_search_locations=[HERE])
        package = importlib.util.module_from_spec(spec)
        sys.modules["_proftop"] = package
        try:
            spec.loader.exec_module(package)
        except BaseException:
            del sys.modules["_proftop"]
            raise
    return package


def publish(domain):
    """Returns a domain: a group of rows of this program, which viewers show beside its ops.

        training = proftop.publish("training")
        loss = training.counter("loss")           # kind=int: whole numbers; unit="rows"
        loss.set(0.25)                            # or loss.add(1), loss += 1
        with training.task("load data"):          # or frame, event: each has calls and times
            ...
        training.marker("epoch").mark()
        with training.scope("net"):               # for this thread, or this asyncio task
            training.memory("gpu/0", "pool").alloc(4096)  # or free(4096), limit(1 << 30)

    The first call opens a feed, unless the framework's adapter has one or PROFTOP=0. Without a feed
    all calls do nothing, and the domain's `reason` says why. The job is named after its framework
    if the framework is imported before."""
    _package()
    return importlib.import_module("_proftop.user_objects").publish(domain)


def _adapter():
    family = sys.modules.get("_proftop.theano_family")
    adapter = getattr(family, "module_state", {}).get("adapter")
    if adapter is None:
        raise RuntimeError("proftop does not watch this process: start it by proftop run, and "
                           "import the framework before; proftop -b prints graphs of your own")
    return adapter


def summary(function=None, file=None, format=None, n_apply=None, n_ops=None):
    """Prints the profile of one function, or of all functions and their sum, as the framework does.

    format: theano, aesara, pytensor, profilemode, text or json. Default: the framework's format.
    n_apply, n_ops: rows of Apply; rows of Class and of Ops. Default: the flags of the job.

    The job continues unchanged; nothing is reset. Raises RuntimeError with the reason if it cannot
    print."""
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
    done = subprocess.run([program(), *words], stdin=subprocess.DEVNULL, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=SECONDS)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.decode("utf-8", "replace").strip())
    (sys.stdout if file is None else file).write(done.stdout.decode("utf-8", "replace"))

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""proftop: publishes what the functions of a Python framework do, without a change in the job."""
import os
import sys


def _import_feed():
    """Imports the extension so that libzmq stays out of the scope that other libraries see."""
    flags = sys.getdlopenflags()
    sys.setdlopenflags(os.RTLD_NOW | os.RTLD_LOCAL)
    try:
        from . import _feed
    finally:
        sys.setdlopenflags(flags)
    return _feed


def program():
    """What the interpreter runs, as the job's name: all jobs would be called python. None: nobody
    could say, as at a prompt; the process has a name of its own then."""
    main = sys.modules.get("__main__")
    spec, file = getattr(main, "__spec__", None), getattr(main, "__file__", None)
    first = sys.argv[0] if getattr(sys, "argv", None) else ""
    if spec is not None and spec.name != "__main__":
        name = "python -m " + (spec.name[:-9] if spec.name.endswith(".__main__") else spec.name)
    elif spec is None and file is None:
        name = "python -c" if first == "-c" else ""
    else:
        path = first if spec is not None else file  # a folder or an archive is what was named
        name = os.path.basename(os.path.normpath(path)) if path else ""
    return name.encode("utf-8", "replace").decode("utf-8") or None


feed = _import_feed()

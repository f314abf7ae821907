# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""proftop: the adapters' package. Publishes calls and times of a Python framework's functions. The
job needs no change."""
import os
import sys


def _import_feed():
    """Imports the extension with RTLD_LOCAL, so that other libraries do not see libzmq's
    symbols."""
    flags = sys.getdlopenflags()
    sys.setdlopenflags(os.RTLD_NOW | os.RTLD_LOCAL)
    try:
        from . import _feed
    finally:
        sys.setdlopenflags(flags)
    return _feed


def program():
    """Returns the job's name: the program that the interpreter runs, since "python" would fit all
    jobs. None if there is no program, as at a prompt; the process then gets a name of its own."""
    main = sys.modules.get("__main__")
    spec, file = getattr(main, "__spec__", None), getattr(main, "__file__", None)
    first = sys.argv[0] if getattr(sys, "argv", None) else ""
    if spec is not None and spec.name != "__main__":
        name = "python -m " + (spec.name[:-9] if spec.name.endswith(".__main__") else spec.name)
    elif spec is None and file is None:
        name = "python -c" if first == "-c" else ""
    else:
        path = first if spec is not None else file  # the user named a folder or an archive
        name = os.path.basename(os.path.normpath(path)) if path else ""
    return name.encode("utf-8", "replace").decode("utf-8") or None


feed = _import_feed()

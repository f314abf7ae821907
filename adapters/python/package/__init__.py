# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""proftop: summary() prints the profile of this job's functions, publish() publishes counters and
spans of the program, and the calls of mxnet.profiler control them. `python -m proftop` runs the
program."""
import importlib.metadata
import importlib.util
import os
import sys


def _path():
    """The path of public.py, which lies with the adapters, where the program finds them. pip keeps
    a list of its files; `make install` writes down the folder."""
    try:
        from ._folder import FOLDER
    except ImportError:
        files = [file for file in importlib.metadata.files(__name__) or ()
                 if file.name == "public.py"]
        if not files:
            raise ImportError("the adapters of proftop were not installed with it: pip install "
                              "proftop") from None
        return files[0].locate()
    return os.path.normpath(os.path.join(os.path.dirname(__file__), FOLDER, "public.py"))


def _public():
    """Loads public.py."""
    spec = importlib.util.spec_from_file_location(__name__ + ".public", _path())
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


public = _public()
summary = public.summary
publish = public.publish
__all__ = public.__all__


def __getattr__(name):
    return getattr(public, name)


def __dir__():
    return sorted({*globals(), *__all__})

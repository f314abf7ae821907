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


feed = _import_feed()

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""arrival.py: whether a job of this folder is attached to, and how it waits for that."""
import sys


def attached():
    state = getattr(sys.modules.get("_proftop.theano_family"), "module_state", {})
    return "adapter" in state


def await_attach():
    """Says that it may be attached to, and does nothing until it is."""
    print("ready", flush=True)
    while not attached():
        pass

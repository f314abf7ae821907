# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""pymc_hook.py: installs the hooks of pymc_models.py once PyMC is imported."""
from . import theano_family


def adapt(module):
    """Called when PyMC's module has been imported."""
    adapter = theano_family.module_state.get("adapter")
    if adapter:
        adapter.pymc_models.install()

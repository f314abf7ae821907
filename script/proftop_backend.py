# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""proftop_backend.py: hatchling, with pip's --config-settings for hatch_build.py:
  libraries=system  uses the libraries of this system instead of those that a wheel contains
  sources=FOLDER    takes the sources of these libraries from there
  zig=x86_64        (or aarch64) compiles by ziglang from PyPI, for glibc 2.17 and later"""
import os

from hatchling import build as hatchling
from hatchling.build import build_editable, get_requires_for_build_editable  # noqa: F401

WORDS = {"libraries": ("bundled", "system"), "sources": None, "zig": ("x86_64", "aarch64")}


def settle(config_settings):
    for name, value in (config_settings or {}).items():
        words = WORDS.get(name, ())
        if name not in WORDS or words and value not in words:
            raise SystemExit("proftop: --config-settings %s=%s: there are libraries=bundled, "
                             "libraries=system, sources=FOLDER, zig=x86_64 and zig=aarch64"
                             % (name, value))
        os.environ["PROFTOP_WHEEL_" + name.upper()] = value if words else os.path.abspath(value)


def get_requires_for_build_wheel(config_settings=None):
    settle(config_settings)
    return hatchling.get_requires_for_build_wheel(config_settings)


def get_requires_for_build_sdist(config_settings=None):
    settle(config_settings)
    return hatchling.get_requires_for_build_sdist(config_settings)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    settle(config_settings)
    return hatchling.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_sdist(sdist_directory, config_settings=None):
    settle(config_settings)
    return hatchling.build_sdist(sdist_directory, config_settings)

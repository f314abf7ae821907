# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""tree.py: the files that the lints read."""
import os
import re

import tap

CODE = ("include", "model", "feed", "tui", "examples", "adapters")


def files(folders, *endings):
    """The path of each file with one of these endings (any, if none is given), sorted by folder."""
    for folder in folders:
        for where, _, names in os.walk(tap.source(folder)):
            if "corpus" in where or "__pycache__" in where:
                continue
            for name in sorted(names):
                if not endings or name.endswith(endings):
                    yield os.path.join(where, name)


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def public_calls(*left_out):
    """The names of the prototypes in the public headers, but for those that are left out."""
    return [name for header in tap.headers() if header not in left_out for name in re.findall(
        r"^PROFTOP_API [^;(]*?(proftop_\w+)\(", text_of(tap.source("include", header)), re.M)]

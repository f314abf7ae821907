# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""tree.py: the files that the lints read."""
import os

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

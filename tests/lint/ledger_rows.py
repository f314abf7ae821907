# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""ledger_rows.py: the rows of docs/features.md, and the texts of the tests that they name."""
import glob
import os
import re

import tap


def rows():
    """(id, cells) of each row of the ledger."""
    with open(tap.source("docs", "features.md"), encoding="utf-8") as file:
        for line in file:
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            if cells and re.fullmatch(r"[A-Z]\d+", cells[0]):
                yield cells[0], cells


def tests():
    """Maps each file below tests/ that `make check` runs to its text. TESTS lists the files."""
    run = {}
    for makefile in glob.glob(tap.source("tests", "*", "local.mk")):
        folder = os.path.basename(os.path.dirname(makefile))
        with open(makefile, encoding="utf-8") as file:
            text = file.read().replace("\\\n", " ")
        lists = {}
        for name, words in re.findall(r"^(\w+) \+?= (.*)$", text, re.M):
            lists.setdefault(name, []).extend(words.split())
        words = list(lists.get("TESTS", ()))
        while words:
            word = words.pop().replace("%D%/", "")
            words += lists.get(word[2:-1], ()) if word.startswith("$(") else ()
            for path in (word, word + ".c"):
                full = tap.source("tests", folder, path)
                if os.path.isfile(full):
                    with open(full, encoding="utf-8", errors="replace") as source:
                        run["%s/%s" % (folder, path)] = source.read()
    return run

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""words.py: comments are plain sentences. Counts three patterns that make a reader read twice, and
compares each with a limit per 1,000 words: tmux has about 0.2 of each."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap  # noqa: E402
import tree  # noqa: E402

FOLDERS = (*tree.CODE, "tests")
LIMIT = 0.3
PATTERNS = {
    "begins with What or Whatever": r"(?:^|[.:]\s+)(?:What|Whatever)\b",
    "of which, of what, of whom": r"\bof (?:which|what|whom)\b",
    "that of, those of": r"\b(?:that|those) of\b",
}


def comments(path, text):
    """Each comment of C, each docstring and comment of Python, on one line."""
    pattern = r'"""(.*?)"""|(?:^|\s)#([^\n]*)' if path.endswith(".py") else r"/\*(.*?)\*/"
    for match in re.finditer(pattern, text, re.S):
        found = next(group for group in match.groups() if group is not None)
        if "SPDX" not in found:
            yield re.sub(r"\n\s*\*?", " ", found).strip()


def counted():
    """(words, {pattern: matches}) of all comments."""
    words, matches = 0, dict.fromkeys(PATTERNS, 0)
    for path in tree.files(FOLDERS, ".c", ".h", ".hpp", ".py"):
        for comment in comments(path, tree.text_of(path)):
            words += len(comment.split())
            for what, pattern in PATTERNS.items():
                matches[what] += len(re.findall(pattern, comment))
    return words, matches


def comments_are_plain():
    words, matches = counted()
    rates = {what: 1000 * count / words for what, count in matches.items()}
    print("# %d words of comments: %s" % (words, ", ".join(
        "%s %.2f" % row for row in rates.items())))
    assert words > 100000 and all(rate <= LIMIT for rate in rates.values()), rates


def the_patterns_are_found():
    text = "/* What runs. */ /* The one of which those of others speak. */"
    found = [len(re.findall(pattern, comment)) for comment in comments("a.c", text)
             for pattern in PATTERNS.values()]
    assert found == [1, 0, 0, 0, 1, 1], found


tap.run(comments_are_plain, the_patterns_are_found)

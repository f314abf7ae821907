# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""torch_lines.py: names the source line that runs an op of PyTorch.

The adapter's thread looks ten times a second at which ops run on the first thread. That thread
calls line() once it is back in Python, which is where the op was called."""
import sys

from .user_lines import OURS, line_text, owner, packaged


def is_torch(file):
    return (packaged(file) or "").startswith("torch/")


def line():
    """That of the caller, see line_of()."""
    return line_of(sys._getframe(1))


def line_of(frame):
    """The innermost line of the user's own files, or else of a library that uses PyTorch; None:
    there is none."""
    other = None
    while frame is not None:
        file = frame.f_code.co_filename
        kind = owner(file) if not file.startswith(OURS) else None
        if kind == "user":
            return line_text(file, frame.f_lineno).encode("utf-8", "replace")
        if other is None and kind == "library" and not is_torch(file):
            other = (packaged(file), frame.f_lineno)
        frame = frame.f_back
    return ("%s:%d" % other).encode("utf-8", "replace") if other else None

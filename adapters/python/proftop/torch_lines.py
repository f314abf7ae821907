# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""torch_lines.py: names the source line that runs an op of PyTorch.

Ten times a second while ops run on the first thread, a thread of the adapter calls line(). It has
the interpreter then, so the first thread cannot leave the line that has called the op."""
import sys

from .user_lines import OURS, line_text, owner, packaged


def is_torch(file):
    return (packaged(file) or "").startswith("torch/")


def line():
    """That in which the first thread is, see line_of()."""
    threading = sys.modules.get("threading")
    return line_of(sys._current_frames().get(threading.main_thread().ident) if threading else None)


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

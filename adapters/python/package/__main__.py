# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""python -m proftop ...: runs the program proftop with these arguments. `run SCRIPT.py` runs the
script with this Python."""
import os
import sys

from . import program


def main():
    path = program()
    os.environ["PROFTOP_PYTHON"] = sys.executable
    os.execv(path, [path, *sys.argv[1:]])


if __name__ == "__main__":
    main()

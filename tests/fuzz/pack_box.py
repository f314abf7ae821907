#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""pack_box.py BOX >INPUT: writes a black box as an input of fuzz_box.c: the pieces of it that are
not 0."""
import struct
import sys

WORD, WORDS_MAX, LONGEST = 8, 1 << 18, 0xffff // 8 * 8  # WORDS_MAX: of fuzz_box.c


def pieces(box):
    """(first word, bytes) of each run of words that are not 0."""
    start = None
    for at in range(0, len(box) + WORD, WORD):
        full = any(box[at:at + WORD])
        if start is not None and (not full or at - start == LONGEST):
            yield start // WORD, box[start:at]
            start = None
        if full and start is None:
            start = at


def number(value, size):
    return struct.pack("<Q", value)[:size]


with open(sys.argv[1], "rb") as file:
    whole = file.read()
if len(whole) >= WORDS_MAX * WORD:
    sys.exit("%s has %d bytes: an input holds a box of less than %d" % (
        sys.argv[1], len(whole), WORDS_MAX * WORD))
sys.stdout.buffer.write(number(len(whole) // WORD, 3) + b"".join(
    number(at, 3) + number(len(some), 2) + some for at, some in pieces(whole)))

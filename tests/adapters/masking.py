# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""masking.py: masks profiles, printed by proftop or by a framework of Theano's family: removes
everything on which two clocks may differ."""
import re

TIMED = re.compile(r"  +(Time in|Total|PyTensor|Aesara|Theano|Node make_thunk|C-cache|Import time)|"
                   r"Time in all call to |Time since ")
MADE = re.compile(r"           Node (.*) time (\S+)s$")
SETUP = re.compile(r"^ +(?:Total|PyTensor|Aesara|Theano) ([^:\n]*): (\S+)s$", re.M)
SECONDS = r"\d+(?:\.\d+)?(?:e[+-]\d+)?s\b"
ROW = re.compile(r"^ *[\d.]+% +[\d.]+% +[\d.]+s +[\d.e+-]+s( .*)$")
TITLE = "Function profiling\n"
# The end of a profile. Other output of the job may follow.
TIPS = re.compile(r"(?sm)^(Here are tips to [^\n]*\n(?:(?:  |We don't know|Install )[^\n]*\n)*).*")


def masked(line):
    """The line with T for each time and P for each percentage, including their padding."""
    row = ROW.match(line)
    if row:
        return "ROW" + row.group(1)
    if MADE.match(line):
        return "           Node ? time Ts"  # two clocks may choose two; see made()
    if line.startswith("   ... (remaining "):
        return re.sub(r" *\d+\.\d+%", " P%", re.sub(SECONDS, "Ts", line))
    if TIMED.match(line):
        return re.sub(r"\d+\.\d+%", "P%", re.sub(SECONDS, "Ts", line))
    return line


def timed(text):
    """Removes the memory section, which the frameworks print only with a flag (check_memory.py)."""
    return re.sub(r"Memory Profile.*?emitted in those cases\.\n\n", "", text, flags=re.S)


def parts(text):
    """Maps each message to its profile as printed."""
    found = [TIPS.sub(r"\1", part) for part in timed(text).split(TITLE)[1:]]
    return {re.search("^  Message: (.*)$", part, re.M).group(1): part for part in found}


def profiles(text):
    """Maps each message to the masked lines of its profile. Rows of a table are sorted, since two
    clocks may order them differently."""
    return {message: lines_of(part) for message, part in parts(text).items()}


def lines_of(part):
    lines = [masked(line) for line in part.split("\n")]
    done, rows = [], []
    for line in lines + [""]:
        if line.startswith("ROW"):
            rows.append(line)
            continue
        done += sorted(rows) + [line]
        rows = []
    while done and not done[-1]:
        done.pop()
    return done


def seconds(part, words):
    """The figure after these words at the beginning of a line. None if there is no such line."""
    found = re.search(r"^ *%s (\S+)s$" % re.escape(words), part, re.M)
    return found and float(found.group(1))


def setup(part):
    """Seconds of a compilation and of its parts, by the words of the release."""
    return {words: float(took) for words, took in SETUP.findall(part)}


def made(part):
    """Seconds to make all nodes ready, and (seconds, text) of the slowest ones, as printed."""
    rows = [(float(took), text) for text, took in
            (found.groups() for found in map(MADE.match, part.split("\n")) if found)]
    return seconds(part, "Node make_thunk time"), rows


def table(part, title):
    """The rows below a title, as printed."""
    lines = part.split("\n%s\n" % title, 1)[1].split("\n")[1:]
    end = next(at for at, line in enumerate(lines) if line.startswith("   ... (remaining"))
    return lines[:end]

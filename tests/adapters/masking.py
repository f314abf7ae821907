# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""masking.py: profiles as proftop and the frameworks of Theano's family print them, without what
two clocks cannot agree on, and without the lines of which proftop knows nothing."""
import re

# Lines of the frameworks' own that have no figure in the feed.
UNTOLD = re.compile(r"       (C-cache preloading|Import time) |"
                    r"Time in all call to |Time since \w+ import ")
MADE = re.compile(r"           Node (.*) time (\S+)s$")
SECONDS = r"\d+(?:\.\d+)?(?:e[+-]\d+)?s\b"
ROW = re.compile(r"^ *[\d.]+% +[\d.]+% +[\d.]+s +[\d.e+-]+s( .*)$")
TITLE = "Function profiling\n"


def masked(line):
    """The line with T for each time and P for each percentage, and the blanks that pad them."""
    row = ROW.match(line)
    if row:
        return "ROW" + row.group(1)
    if MADE.match(line):
        return "           Node ? time Ts"  # two clocks may choose two; see made()
    if line.startswith("   ... (remaining "):
        return re.sub(r" *\d+\.\d+%", " P%", re.sub(SECONDS, "Ts", line))
    if re.match(r"  +(Time in|Total|PyTensor|Aesara|Theano|Node make_thunk)", line):
        return re.sub(r"\d+\.\d+%", "P%", re.sub(SECONDS, "Ts", line))
    return line


def timed(text):
    """Without the memory, which the frameworks print only with a flag (check_memory.py)."""
    return re.sub(r"Memory Profile.*?emitted in those cases\.\n\n", "", text, flags=re.S)


def parts(text):
    """Message -> the profile as it was printed."""
    found = timed(text).split(TITLE)[1:]
    return {re.search("^  Message: (.*)$", part, re.M).group(1):
            part.split("Here are tips to ")[0] for part in found}


def profiles(text):
    """Message -> lines of the profile, masked. Rows of a table are sorted: two clocks may order
    them in two ways."""
    return {message: lines_of(part) for message, part in parts(text).items()}


def lines_of(part):
    lines = [masked(line) for line in part.split("\n") if not UNTOLD.match(line)]
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


def made(part):
    """Seconds to make all nodes ready, and (seconds, text) of those that took most, as printed."""
    whole = re.search(r"^       Node make_thunk time (\S+)s$", part, re.M)
    rows = [(float(seconds), text) for text, seconds in
            (found.groups() for found in map(MADE.match, part.split("\n")) if found)]
    return float(whole.group(1)), rows


def table(part, title):
    """The rows below a title, as they were printed."""
    lines = part.split("\n%s\n" % title, 1)[1].split("\n")[1:]
    end = next(at for at, line in enumerate(lines) if line.startswith("   ... (remaining"))
    return lines[:end]

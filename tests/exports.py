# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""exports.py: strict readers of what proftop exports: metrics of Prometheus and Markdown. They
accept what the formats' own documents allow, and nothing else that others happen to accept."""
import re

METRIC = r"[a-z][a-z0-9_]*"
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(,|$)')
SAMPLE = re.compile(r"(%s)\{(.*)\} (-?[0-9.e+-]+)" % METRIC)
UNESCAPED = {"\\\\": "\\", '\\"': '"', "\\n": "\n"}
UNITS = ("_seconds", "_bytes", "_ratio")
SPAN = re.compile(r"(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)")


def labels_of(text):
    """The labels of a sample, each once."""
    labels, at = {}, 0
    while at < len(text):
        found = LABEL.match(text, at)
        assert found, text[at:]
        name, value, _ = found.groups()
        assert name not in labels, text
        labels[name] = re.sub(r"\\.", lambda escape: UNESCAPED[escape.group()], value)
        at = found.end()
    assert not text.endswith(","), text
    return labels


def metrics(text):
    """{(name, labels): number} of the text format 0.0.4; labels are sorted pairs."""
    found, types, helped, current = {}, {}, set(), None
    assert text.endswith("\n") and not [c for c in text if ord(c) < 32 and c != "\n"]
    for line in text[:-1].split("\n"):
        if line.startswith("# HELP "):
            name = line.split(" ", 3)[2]
            assert re.fullmatch(METRIC, name) and name not in helped, line
            helped.add(name)
        elif line.startswith("# TYPE "):
            _, _, current, kind = line.split(" ")
            assert current in helped and current not in types, line
            assert kind in ("counter", "gauge") and (kind == "counter") == \
                current.endswith("_total"), line
            types[current] = kind
        else:
            sample = SAMPLE.fullmatch(line)
            assert sample and sample[1] == current, line  # one metric is in one place
            key = (current, tuple(sorted(labels_of(sample[2]).items())))
            assert key not in found, line
            found[key] = float(sample[3])
            assert types[current] == "gauge" or found[key] >= 0, line
    assert set(types) == helped
    assert not [name for name in types if re.search(r"_(ns|ms|us|s|percent|kb|mb)(_|$)", name)]
    return found


def cells_of(line):
    """The cells of a row of a table, as GitHub splits it: at each | without a backslash."""
    assert line.startswith("|") and line.endswith("|"), line
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def outside_code(line):
    """A line without its code spans."""
    return SPAN.sub("", line)


def tables(text):
    """{heading: rows as lists of cells, the head first} of a summary in Markdown."""
    found, heading, lines = {}, None, text.split("\n")
    for number, line in enumerate(lines):
        if line.startswith("#"):
            heading = line.lstrip("# ")
            assert lines[number + 1] == "", line
        if not line.startswith("|"):
            continue
        rows = found.setdefault(heading, [])
        cells = cells_of(line)
        if len(rows) == 1 and lines[number - 2] == "":
            assert all(re.fullmatch(r"--:|---", cell) for cell in cells), line
        rows.append(cells)
        assert len(cells) == len(rows[0]), line
    return {name: [rows[0], *rows[2:]] for name, rows in found.items()}


def check_markdown(text):
    """Size, characters and structure of a summary: names are in code, nothing else is markup."""
    assert len(text.encode("utf-8")) <= 8000, len(text.encode("utf-8"))
    assert not [c for c in text if (ord(c) < 32 and c != "\n") or 0x7F <= ord(c) < 0xA0]
    for line in text.split("\n"):
        plain = outside_code(line)
        assert "`" not in plain, line
        assert not re.search(r"[<>\[\]@\\*~]|&\w|://|www\.", plain), line
    return tables(text)

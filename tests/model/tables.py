# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""tables.py: CSV read back with Python's csv module is the JSON of the same reports, cell by cell,
with hostile texts, unknown values and the largest integers. Metrics and summaries of the same
reports keep the rules of their formats."""
import csv
import io
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import exports  # noqa: E402
import tap  # noqa: E402

ESCAPE = re.compile(r"\\(?:u(d[89ab][0-9a-f]{2})\\u[0-9a-f]{4}|u([0-9a-f]{4})|(.))")
STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


def printed(*words):
    out = subprocess.run([tap.built("print_json"), *words], stdout=subprocess.PIPE, check=True)
    return out.stdout.decode("utf-8")


def as_shown(line):
    """A line of JSON whose texts have U+FFFD where the writer escaped a character."""
    def shown(escape):
        return escape.group(0) if escape.group(3) else "\ufffd"
    return STRING.sub(lambda text: ESCAPE.sub(shown, text.group(0)), line)


def cell(value, shown):
    """The cell that a value of JSON becomes; `shown` is the value in its screen form."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, (dict, list)) else str(shown)


def expected():
    """Section and cells of each row of all reports. Real numbers stay in the digits of JSON."""
    for line in printed().splitlines():
        exact = json.loads(line, parse_float=str)
        shown = json.loads(as_shown(line), parse_float=str)
        for section, rows in exact.items():
            if not isinstance(rows, list):
                continue
            for row, screen in zip(rows, shown[section]):
                yield section, {key: cell(row[key], screen[key]) for key in row}, exact["time_ns"]


def read(*words):
    text = printed(*(words or ("csv",)))
    assert text.endswith("\n") and "\r" not in text
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True)), text


def agree(got, want, section, time_ns):
    assert got["table"] == section and got["report_time_ns"] == str(time_ns), (got, section)
    for key, value in want.items():
        is_json = isinstance(value, (dict, list))
        found = json.loads(got[key], parse_float=str) if is_json else got[key]
        assert found == value, (section, key, found, value)
    metrics = want.get("metrics")
    for key, value in got.items():
        if key.startswith("metrics."):
            of = (metrics or {}).get(key[len("metrics."):])
            assert value == cell(of, of), (section, key, value)
        elif key not in want and key not in ("table", "report_time_ns"):
            assert value == "", (section, key, value)


def every_cell_is_the_value_of_json():
    rows, _ = read()
    want = list(expected())
    assert len(rows) == len(want) > 60, (len(rows), len(want))
    for got, (section, cells, time_ns) in zip(rows, want):
        agree(got, cells, section, time_ns)
    assert {section for section, _, _ in want} >= {
        "jobs", "functions", "classes", "ops", "lines", "applies", "now", "counters", "spans",
        "markers", "memory", "peaks", "rewrites", "metrics", "notices", "ranks", "suspects"}


def columns_are_named_once():
    _, text = read()
    head, *rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    assert len(set(head)) == len(head), head
    assert {len(row) for row in rows} == {len(head)}
    assert head[:2] == ["table", "report_time_ns"] and head not in rows
    keys = {key for line in printed().splitlines() for rows in json.loads(line).values()
            if isinstance(rows, list) for row in rows for key in row}
    assert keys < set(head), keys - set(head)


def one_section_has_its_columns_alone():
    rows, _ = read("ops")
    want = [(cells, time_ns) for section, cells, time_ns in expected() if section == "ops"]
    assert len(rows) == len(want) > 3
    for got, (cells, time_ns) in zip(rows, want):
        agree(got, cells, "ops", time_ns)
        assert {key for key in got if not key.startswith("metrics.")} == \
            {"table", "report_time_ns", *cells}


def each_row_is_one_line_without_control_characters():
    rows, text = read()
    lines = text.split("\n")
    assert len(lines) == len(rows) + 2 and lines[-1] == ""
    assert not [c for c in "".join(lines) if ord(c) < 32 or 0x7F <= ord(c) < 0xA0]
    assert "\u202e" not in text and "\ufffd" in text and "\u5c64" in text


def metrics_are_those_of_json():
    texts = printed("prom").split("----------\n")[1:]
    lines = printed().splitlines()
    assert len(texts) == len(lines) == 5
    for text, line in zip(texts, lines):
        found, report = exports.metrics(text), json.loads(line)
        calls = sorted(value for (name, _), value in found.items()
                       if name == "proftop_op_calls_total")
        assert calls == sorted(row["calls"] for row in report["ops"]), (calls, report["ops"])
        seconds = [value for (name, _), value in found.items()
                   if name == "proftop_op_seconds_total"]
        total = [row["total_ns"] for row in report["ops"]]
        assert all(abs(a - b / 1e9) <= b / 1e9 * 1e-15
                   for a, b in zip(sorted(seconds), sorted(total)))
        assert sum(1 for name, _ in found if name == "proftop_memory_bytes") == \
            len(report["memory"])
        known = [row for row in report["counters"] if row["value"] is not None]
        assert sum(1 for name, _ in found if name == "proftop_counter_value") == \
            len(known) - len(report["memory"])


def summaries_are_plain():
    texts = printed("md").split("----------\n")[1:]
    assert len(texts) == 5
    for text in texts:
        exports.check_markdown(text)
    found = exports.check_markdown(texts[3])
    op, = found["Ops"][1:]
    assert "`\"\\\ufffd]0;" in op[-1] and op[found["Ops"][0].index("CALLS")] == "40", op
    assert {"Ops", "Classes", "Spans", "Memory"} <= set(found), found


tap.run(every_cell_is_the_value_of_json, columns_are_named_once,
        one_section_has_its_columns_alone, each_row_is_one_line_without_control_characters,
        metrics_are_those_of_json, summaries_are_plain)

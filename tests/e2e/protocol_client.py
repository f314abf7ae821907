#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""protocol_client.py: a client written from docs/protocol.md alone; it shares no code with proftop.

    protocol_client.py [--pid PID] [--wait SECONDS]

Finds the job, attaches, follows it to its end and prints one line of JSON: the totals of every
function, apply, op and class. Prints "attached" on stderr when the first snapshot is complete. Exit
code 0; 3 if there is no such job, 4 if it vanished without a goodbye.
"""
import argparse
import collections
import fcntl
import glob
import json
import math
import os
import re
import struct
import sys
import tempfile
import time

import msgpack
import zmq

# ------------------------------------------------------------------------------ frames (section 3)

FRAME_MAX, REQUEST_MAX, MAP_MAX, TEXT_MAX = 256 * 1024, 4096, 256, 16 * 1024
ROWS_MAX, DEPTH_MAX, VALUE_MAX = 4000, 8, 1 << 62
TABLES = ("class", "op", "function", "apply", "counter", "span", "marker", "thread")
LIMITS = dict(zip(TABLES, (65536, 1048576, 65536, 4194304, 65536, 65536, 65536, 65536)))
EVERY_FRAME = ("ver", "inst", "epoch", "seq", "tick", "mono", "wall", "defs")
# Fields by type. tests/lint/manual.py compares them with feed/protocol/frame.h.
TEXTS = ("host", "program", "framework", "fwver", "lib", "role", "batch", "route", "clock",
         "asker", "facts", "only", "lost", "q", "want", "what", "arg", "user", "re", "no", "text")
BINS = ("inst", "parent")
DOUBLES = ("cost", "least", "budget", "costsym", "costimp", "costapi", "costmem", "share")
COUNTS = ("defs", "from")
UINTS = ("ver", "epoch", "seq", "tick", "mono", "wall", "req", "lo", "hi", "pid", "start", "rank",
         "size", "local", "opens", "tickms", "collect", "mute", "counted", "viewers", "refused",
         "insecure", "garbage", "flooded", "full", "denied", "crowded", "cut", "topics", "dropped",
         "invalid", "misuse", "restarts", "own", "ownerr", "bye", "lasth", "lastd", "lastf",
         "lastn", "laste", "lastr", "lasti", "lastc", "lasts", "lastm", "credit", "ok", "chunks",
         "at", "bytes", "rows")

# Stream -> group -> columns: (key, type, table).
GROUPS = {
    "D": {
        "class": [("name", "text", None)],
        "op": [("class", "ref", "class"), ("text", "text", None)],
        "function": [("name", "text", None), ("file", "text", None), ("line", "u64", None),
                     ("parent", "ref+1", "apply"), ("group", "u64", None),
                     ("source", "u64", None)],
        "apply": [("function", "ref", "function"), ("op", "ref", "op"), ("index", "u64", None),
                  ("text", "text", None), ("where", "text", None), ("source", "u64", None),
                  ("kind", "u64", None), ("impl", "u64", None), ("excl", "u64", None)],
        "thread": [("name", "text", None), ("tid", "u64", None)],
        "counter": [("domain", "text", None), ("name", "text", None), ("scope", "text", None),
                    ("unit", "text", None), ("kind", "u64", None)],
        "span": [("domain", "text", None), ("name", "text", None), ("kind", "u64", None)],
        "marker": [("domain", "text", None), ("name", "text", None)],
    },
    "A": {
        "v": [("id", "id", "apply"), ("calls", "u64", None), ("total", "u64", None),
              ("last", "opt", None)],
        "x": [("id", "id", "apply"), ("min", "opt", None), ("max", "opt", None),
              ("timed", "opt", None)],
        "err": [("id", "id", "apply"), ("half", "u64", None)],
        "open": [("id", "id", "apply"), ("ns", "u64", None)],
    },
    "F": {
        "calls": [("id", "id", "function"), ("calls", "opt", None), ("ns", "opt", None),
                  ("vm", "opt", None), ("open", "opt", None)],
        "sampled": [("id", "id", "function"), ("timed", "u64", None), ("half", "u64", None)],
        "compile": [("id", "id", "function"), ("total", "opt", None), ("rewrite", "opt", None),
                    ("validate", "opt", None), ("link", "opt", None), ("open", "opt", None)],
    },
    "N": {"now": [("id", "id", "thread"), ("apply", "ref+1", "apply"), ("since", "u64", None)]},
    "E": {"notice": [("wall", "u64", None), ("level", "u64", None), ("text", "text", None)]},
    "P": {"p": [("op", "ref", "op"), ("bucket", "u64", None), ("count", "u64", None)]},
    "R": {"phase": [("phase", "u64", None), ("rev", "u64", None), ("function", "ref", "function"),
                    ("parent", "u64", None), ("kind", "u64", None), ("name", "text", None),
                    ("calls", "u64", None), ("total", "opt", None), ("validate", "opt", None),
                    ("before", "opt", None), ("after", "opt", None), ("open", "opt", None)]},
    "I": {
        "detail": [("apply", "ref", "apply"), ("rev", "u64", None), ("flops", "opt", None),
                   ("bytes", "opt", None), ("thunk", "opt", None), ("device", "text", None),
                   ("where", "text", None), ("impl", "u64", None), ("onein", "u64", None),
                   ("inputs", "u64", None), ("outputs", "u64", None), ("made", "text", None)],
        "value": [("dtype", "text", None), ("shape", "text", None), ("bytes", "opt", None),
                  ("source", "ref+1", "apply"), ("output", "u64", None), ("alias", "u64", None),
                  ("result", "u64", None), ("strides", "text", None)],
        "library": [("apply", "ref", "apply"), ("where", "text", None)],
        "metric": [("name", "text", None), ("unit", "text", None), ("how", "u64", None)],
        "m": [("apply", "ref", "apply"), ("metric", "u64", None), ("adds", "u64", None),
              ("value", "u64", None)],
    },
    "C": {
        "int": [("id", "id", "counter"), ("value", "i64", None), ("min", "i64", None),
                ("max", "i64", None), ("updates", "u64", None), ("mean", "f64", None)],
        "real": [("id", "id", "counter"), ("value", "f64", None), ("min", "f64", None),
                 ("max", "f64", None), ("updates", "u64", None), ("mean", "f64", None)],
        "memory": [("id", "id", "counter"), ("bytes", "u64", None), ("peak", "u64", None),
                   ("limit", "opt", None), ("updates", "u64", None)],
    },
    "S": {
        "runs": [("id", "id", "span"), ("calls", "u64", None), ("total", "u64", None),
                 ("self", "u64", None), ("last", "opt", None), ("open", "opt", None)],
        "edges": [("id", "id", "span"), ("min", "u64", None), ("max", "u64", None),
                  ("first", "u64", None), ("until", "u64", None)],
        "by": [("span", "ref", "span"), ("thread", "ref+1", "thread"), ("calls", "u64", None),
               ("total", "u64", None)],
        "slow": [("span", "ref", "span"), ("number", "u64", None), ("ns", "u64", None)],
    },
    "M": {"mark": [("number", "u64", None), ("marker", "ref", "marker"), ("scope", "u64", None),
                   ("mono", "u64", None), ("thread", "ref+1", "thread"),
                   ("task", "ref+1", "span")]},
    "T": {
        "window": [("trace", "u64", None), ("begin", "u64", None), ("until", "opt", None),
                   ("why", "u64", None), ("base", "u64", None), ("events", "u64", None),
                   ("dropped", "u64", None), ("missed", "u64", None), ("untimed", "u64", None)],
        "applied": [("apply", "ref", "apply"), ("ago", "u64", None), ("ns", "u64", None),
                    ("thread", "ref+1", "thread"), ("how", "u64", None)],
        "called": [("function", "ref", "function"), ("ago", "u64", None), ("ns", "u64", None),
                   ("thread", "ref+1", "thread"), ("how", "u64", None)],
        "ran": [("span", "ref", "span"), ("ago", "u64", None), ("ns", "u64", None),
                ("thread", "ref+1", "thread"), ("how", "u64", None), ("frame", "u64", None)],
        "marked": [("marker", "ref", "marker"), ("ago", "u64", None), ("scope", "u64", None),
                   ("thread", "ref+1", "thread"), ("task", "ref+1", "span")],
        "valued": [("counter", "ref", "counter"), ("ago", "u64", None), ("int", "i64", None),
                   ("real", "f64", None)],
    },
    "H": {"last": [("id", "id", "function"), ("seq", "u64", None)]},
}


class Malformed(Exception):
    """The frame is dropped completely and counted."""


class OtherVersion(Exception):
    """A version that this client does not support: nothing else is checked."""


def need(truth, why):
    if not truth:
        raise Malformed(why)


def is_uint(value):
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


class Twice(dict):
    """A map that records duplicate keys."""

    def __init__(self, pairs):
        super().__init__(pairs)
        counted = collections.Counter(key for key, _ in pairs)
        self.twice = {key for key, times in counted.items() if times > 1}

    def need_once(self, known):
        need(not self.twice & set(known), "twice")


def check_depth(value, depth):
    if isinstance(value, (dict, list)):
        need(depth < DEPTH_MAX, "depth")
        for inner in value.values() if isinstance(value, dict) else value:
            check_depth(inner, depth + 1)


def version_of(data):
    """Reads the version first, since all fields behind it may differ; None if not found."""
    walk = msgpack.Unpacker(max_buffer_size=FRAME_MAX)
    walk.feed(data)
    try:
        for _ in range(walk.read_map_header()):
            if walk.unpack() == "ver":
                return walk.unpack()
            walk.skip()
    except Exception:  # unpack() reports the error
        pass
    return None


def unpack(data):
    try:
        value = msgpack.unpackb(data, raw=False, unicode_errors="surrogateescape",
                                strict_map_key=True, max_map_len=MAP_MAX,
                                object_pairs_hook=Twice)
    except Exception as error:  # each kind of broken bytes raises its own exception
        raise Malformed("msgpack: %s" % error) from error
    need(isinstance(value, dict), "form")
    for inner in value.values():
        check_depth(inner, 0)
    return value


def integers(data, count):
    """The numbers of a bin column; their width follows from its size."""
    need(isinstance(data, bytes), "form")
    if count == 0:
        need(data == b"", "width")
        return []
    width, rest = divmod(len(data), count)
    need(rest == 0 and 1 <= width <= 8, "width")
    return [int.from_bytes(data[at:at + width], "little") for at in range(0, len(data), width)]


def texts(data, count):
    need(isinstance(data, list) and all(isinstance(one, str) for one in data), "form")
    need(len(data) == count, "width")
    need(all(len(one.encode("utf-8", "surrogateescape")) <= TEXT_MAX for one in data), "form")
    return data


def column(data, count, kind, defs, first):
    """A list of numbers, with None for unknown and for none, or of texts."""
    if kind == "text":
        return texts(data, count)
    numbers = integers(data, count)
    if kind == "f64":
        need(len(data) == 8 * count, "width")
        doubles = struct.unpack("<%dd" % count, data)
        need(all(math.isfinite(one) for one in doubles), "value")
        return list(doubles)
    if kind == "i64":
        return [-(number + 1) // 2 if number & 1 else number // 2 for number in numbers]
    if kind == "id":
        need(all(numbers[1:]), "order")
        ids = []
        for number in numbers:
            first += number
            ids.append(first)
        need(not ids or ids[-1] < defs, "id")
        return ids
    if kind == "ref":
        need(all(number < defs for number in numbers), "id")
    elif kind == "ref+1":
        need(all(number <= defs for number in numbers), "id")
    else:
        need(all(number <= VALUE_MAX + (kind == "opt") for number in numbers), "value")
    if kind in ("opt", "ref+1"):
        return [number - 1 if number else None for number in numbers]
    return numbers


def read_group(group, name, columns, defs):
    """{"n", "from", column: values}."""
    need(isinstance(group, dict), "form")
    defines = name in TABLES and columns[0][1] != "id"
    table = name if defines else columns[0][2] if columns[0][1] == "id" else None
    group.need_once(["n", "from"] + [key for key, _, _ in columns])
    need(is_uint(group.get("n")), "no n")
    count, first = group["n"], 0
    need(count <= (LIMITS[table] if defines else ROWS_MAX), "rows")
    if table:
        need(is_uint(group.get("from")), "no from")
        first = group["from"]
        need(first + (count if defines else 0) <= defs[table], "id")
    rows = {"n": count, "from": first}
    for key, kind, of_table in columns:
        need(key in group, "missing")
        rows[key] = column(group[key], count, kind, defs.get(of_table, 0), first)
    return rows


def check_field(key, value):
    if key in UINTS:
        need(is_uint(value), "form")
        need(value <= VALUE_MAX, "value")
    elif key in TEXTS:
        need(isinstance(value, str), "form")
        need(len(value.encode("utf-8", "surrogateescape")) <= TEXT_MAX, "form")
    elif key in BINS:
        need(isinstance(value, bytes) and len(value) == 16, "form")
    elif key in DOUBLES:
        need(isinstance(value, float), "form")
        need(math.isfinite(value), "value")
    elif key in COUNTS:
        need(isinstance(value, list) and len(value) == len(TABLES), "form")
        need(all(is_uint(one) for one in value), "form")
        need(all(one <= LIMITS[table] for one, table in zip(value, TABLES)), "rows")


TOPIC = re.compile(rb"(?:(?P<plain>[HDFNERIYQCSMT])/|A/(?P<id>0|[1-9]\d*)/|[PL]/(?:\d+/)?)")


def read_frame(data):
    """(letter, topic, fields, groups). The letter is "" for streams of later versions."""
    need(len(data) <= FRAME_MAX, "size")
    topic = TOPIC.match(data[:16])
    need(topic and data[topic.end():topic.end() + 1] >= b"\x80", "topic")
    letter = "A" if topic["id"] else (topic["plain"] or b"").decode()
    need(letter != "Q" or len(data) <= REQUEST_MAX, "size")
    version = version_of(data[topic.end():])
    if is_uint(version) and version != 1:
        raise OtherVersion
    fields = unpack(data[topic.end():])
    columns = GROUPS.get(letter, {})
    fields.need_once(UINTS + TEXTS + BINS + DOUBLES + COUNTS + tuple(columns))
    need(all(key in fields for key in (("q", "req") if letter == "Q" else EVERY_FRAME)), "missing")
    for key, value in fields.items():
        check_field(key, value)
    defs = dict(zip(TABLES, fields.get("defs", [0] * len(TABLES))))
    if letter == "A":
        need(int(topic["id"]) < min(defs["function"], LIMITS["function"]), "id")
    groups = {name: read_group(fields[name], name, wanted, defs)
              for name, wanted in columns.items() if name in fields}
    return letter, topic[0].decode(), fields, groups


def request(word, number, **more):
    return b"Q/" + msgpack.packb({"ver": 1, "q": word, "req": number, **more}, use_bin_type=True)


# ------------------------------------------------------------------------- a job (sections 3, 4, 6)

DEFINED = TABLES


class Job:
    """The data of one instance: definitions, and the values of one epoch."""

    def __init__(self, instance):
        self.instance, self.epoch = instance, 0
        self.rows = {table: [] for table in DEFINED}
        self.last = {}  # topic -> its last sequence number
        self.answers = {}  # topic -> last answer: its request, and its stamp
        self.hello, self.bye = {}, None
        self.falls = 0
        self.phases, self.details, self.metrics = {}, {}, []  # kept across epochs
        self.marks = {}  # by number; kept as well
        self.notices = []
        self.forget_values()

    def forget_values(self):
        self.values, self.extremes, self.calls, self.compiles, self.now = {}, {}, {}, {}, {}
        self.measured = {}  # (metric, apply) -> (adds, value)
        self.counters, self.spans = {}, {}

    def have(self):
        return [len(self.rows.get(table, ())) for table in TABLES]

    def lacks(self, letter, fields, groups):
        """True if definitions are missing."""
        if letter == "D":
            return any(rows["from"] > len(self.rows[name]) for name, rows in groups.items())
        return any(fields["defs"][TABLES.index(table)] > len(self.rows[table])
                   for table in DEFINED)

    def define(self, groups):
        for name, rows in groups.items():
            keys = [key for key, _, _ in GROUPS["D"][name]]
            for at in range(len(self.rows[name]) - rows["from"], rows["n"]):
                self.rows[name].append({key: rows[key][at] for key in keys})

    def merge(self, known, rows, keys, falling, old):
        """Rows that decrease are not applied; in a frame that may be older they are no error."""
        for at, row in enumerate(rows["id"]):
            new = {key: rows[key][at] for key in keys}
            before = known.get(row)
            if before and falling(before, new):
                self.falls += not old
            else:
                known[row] = new

    def set_values(self, groups, old):
        if "v" in groups:
            self.merge(self.values, groups["v"], ("calls", "total", "last"), lambda a, b:
                       b["calls"] < a["calls"] or b["total"] < a["total"], old)
        if "x" in groups:
            self.merge(self.extremes, groups["x"], ("min", "max", "timed"), fell_extreme, old)

    def set_functions(self, groups, old):
        for name, known in (("calls", self.calls), ("compile", self.compiles)):
            if name in groups:
                keys = [key for key, _, _ in GROUPS["F"][name][1:]]
                lasting = [key for key in keys if key != "open"]
                self.merge(known, groups[name], keys, lambda a, b, keys=tuple(lasting): any(
                    a[key] is not None and (b[key] is None or b[key] < a[key])
                    for key in keys), old)

    def set_phases(self, groups):
        """Number -> row; rows not newer than the known ones are skipped."""
        rows = groups.get("phase", {"phase": []})
        for at, number in enumerate(rows["phase"]):
            row = {key: rows[key][at] for key, _, _ in GROUPS["R"]["phase"]}
            if row["rev"] > self.phases.get(number, {"rev": 0})["rev"]:
                self.phases[number] = row

    def set_details(self, groups):
        rows, values = groups.get("detail", {"apply": []}), groups.get("value", {"n": 0})
        counts = sum(rows.get("inputs", [])) + sum(rows.get("outputs", []))
        need(counts == values["n"], "values")
        first = 0
        for at, apply in enumerate(rows["apply"]):
            row = {key: rows[key][at] for key, _, _ in GROUPS["I"]["detail"]}
            end = first + row["inputs"] + row["outputs"]
            row["values"] = [{key: values[key][place] for key, _, _ in GROUPS["I"]["value"]}
                             for place in range(first, end)]
            first = end
            if row["rev"] > self.details.get(apply, {"rev": 0})["rev"]:
                self.details[apply] = row
        metrics = groups.get("metric", {"n": 0})
        for at in range(len(self.metrics), metrics["n"]):
            self.metrics.append({key: metrics[key][at] for key in ("name", "unit", "how")})
        rows = groups.get("m", {"n": 0})
        for at in range(rows["n"]):
            need(rows["metric"][at] < metrics["n"], "metric")
            key = rows["metric"][at], rows["apply"][at]
            if rows["adds"][at] > self.measured.get(key, (0, 0))[0]:
                self.measured[key] = rows["adds"][at], rows["value"][at]

    def set_counters(self, groups, old):
        kinds = ("int", "real", "memory")
        for name, rows in groups.items():
            keys = [key for key, _, _ in GROUPS["C"][name][1:]]
            for at, row in enumerate(rows["id"]):
                new = {key: rows[key][at] for key in keys}
                known = self.counters.get(row)
                if known and old:
                    continue
                wrong = self.rows["counter"][row]["kind"] != kinds.index(name)
                if wrong or known and new["updates"] < known["updates"]:
                    self.falls += not old
                else:
                    self.counters[row] = new

    def set_spans(self, groups, old):
        runs = groups.get("runs", {"id": []})
        for at, row in enumerate(runs["id"]):
            new = {key: runs[key][at] for key in ("calls", "total", "self", "last", "open")}
            known = self.spans.get(row)
            if known and old:
                continue
            if known and any(new[key] < known[key] for key in ("calls", "total", "self")):
                self.falls += not old
                continue
            new["threads"] = self.list_of(groups, "by", row)
            new["slowest"] = self.list_of(groups, "slow", row)
            edges = groups.get("edges", {"id": []})
            if row in edges["id"]:
                place = edges["id"].index(row)
                new.update({key: edges[key][place] for key in ("min", "max", "first", "until")})
            self.spans[row] = new

    @staticmethod
    def list_of(groups, name, span):
        rows = groups.get(name, {"span": []})
        keys = [key for key, _, _ in GROUPS["S"][name][1:]]
        return [{key: rows[key][at] for key in keys}
                for at, whose in enumerate(rows["span"]) if whose == span]

    def set_marks(self, groups):
        rows = groups.get("mark", {"number": []})
        for at, number in enumerate(rows["number"]):
            self.marks.setdefault(number, {key: rows[key][at]
                                           for key, _, _ in GROUPS["M"]["mark"][1:]})

    def apply(self, letter, fields, groups, old=False):
        if letter == "D":
            self.define(groups)
        elif letter == "A":
            self.set_values(groups, old)
        elif letter == "F":
            self.set_functions(groups, old)
        elif letter == "R":
            self.set_phases(groups)
        elif letter == "I":
            self.set_details(groups)
        elif letter == "C":
            self.set_counters(groups, old)
        elif letter == "S":
            self.set_spans(groups, old)
        elif letter == "M":
            self.set_marks(groups)
        elif letter == "N" and "now" in groups and not old:
            now = groups["now"]
            self.now = dict(zip(now["id"], zip(now["apply"], now["since"])))
        elif letter == "E" and not old:
            self.notices += groups.get("notice", {"text": []})["text"]
        elif letter == "H":
            self.hello = fields
            if fields.get("bye") == 1:
                self.bye = (fields, groups.get("last", {"id": [], "seq": []}))

    def misses(self):
        """Topics whose frames are missing according to the goodbye."""
        fields, functions = self.bye
        ends = {"%s/" % letter.upper(): fields.get("last" + letter, 0) for letter in "dfnericsm"}
        ends.update(("A/%d/" % row, seq) for row, seq in zip(functions["id"], functions["seq"]))
        return {topic for topic, seq in ends.items() if seq > self.last.get(topic, 0)}


def fell_extreme(before, new):
    def gone_or(wrong, key):
        if before[key] is None:
            return False
        return new[key] is None or wrong(new[key], before[key])
    return (gone_or(lambda n, b: n > b, "min") or gone_or(lambda n, b: n < b, "max") or
            gone_or(lambda n, b: n < b, "timed"))


# --------------------------------------------------------------------------- finding it (section 2)


def directories():
    seen = []
    if os.environ.get("PROFTOP_DIR"):
        seen.append(os.environ["PROFTOP_DIR"])
    if os.environ.get("XDG_RUNTIME_DIR"):
        seen.append(os.path.join(os.environ["XDG_RUNTIME_DIR"], "proftop"))
    seen.append("/run/user/%d/proftop" % os.getuid())
    seen.append(os.path.join(tempfile.gettempdir(), "proftop-%d" % os.getuid()))
    seen.append("/tmp/proftop-%d" % os.getuid())
    return seen


def usable(folder):
    try:
        found = os.lstat(folder)
    except OSError:
        return False
    return os.path.isdir(folder) and not os.path.islink(folder) and \
        found.st_uid == os.getuid() and not found.st_mode & 0o077


def is_locked(file):
    """A job holds a write lock on its file as long as it lives."""
    ask = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
    return struct.unpack("hhqqi4x", fcntl.fcntl(file, fcntl.F_GETLK, ask))[0] != fcntl.F_UNLCK


def unescape(value):
    return re.sub(r"%([0-9A-Fa-f]{2})", lambda found: chr(int(found[1], 16)), value)


def jobs():
    """The contents of the files of all living jobs."""
    for folder in filter(usable, directories()):
        for path in glob.glob(os.path.join(glob.escape(folder), "*.info")):
            try:
                with open(path, "rb") as file:
                    if not is_locked(file):
                        continue
                    text = file.read(65536).decode("utf-8", "replace")
            except OSError:
                continue
            pairs = (line.partition("=") for line in text.splitlines())
            info = {key: unescape(value) for key, _, value in pairs}
            if info.get("version") == "1" and {"pid", "facts", "control"} <= set(info):
                yield dict(info, path=path)


def find_job(pid, seconds):
    """The job of this process, or the only one; waits until there is one."""
    end = time.monotonic() + seconds
    while True:
        found = [info for info in jobs() if pid is None or info["pid"] == str(pid)]
        if len(found) == 1:
            return found[0]
        if time.monotonic() > end:
            return None
        time.sleep(0.005)


# ------------------------------------------------------------------------- following it (section 5)


class Client:
    """Two sockets and the job behind them. `lose` is for tests: frames for which it is true are
    treated as lost."""

    def __init__(self, info, lose=lambda letter, fields: False):
        self.info, self.lose, self.job, self.again = info, lose, None, 0.0
        self.number, self.snapshot, self.whole, self.credit = 0, None, False, 0
        self.held, self.replies, self.lost_topics = collections.deque(), [], set()
        self.count = collections.Counter()
        self.context = zmq.Context()
        self.sub = self.open(zmq.SUB, info["facts"])
        self.dealer = self.open(zmq.DEALER, info["control"])
        for letter in "HDFANERICSMP":
            self.sub.setsockopt(zmq.SUBSCRIBE, b"%s/" % letter.encode())
        self.hello = self.ask("hello")

    def open(self, kind, endpoint):
        socket = self.context.socket(kind)
        for option, value in ((zmq.LINGER, 0), (zmq.RCVHWM, 128), (zmq.MAXMSGSIZE, 1 << 20),
                              (zmq.RECONNECT_IVL, 100), (zmq.RECONNECT_IVL_MAX, 1000)):
            socket.setsockopt(option, value)
        socket.connect(endpoint)
        return socket

    def close(self):
        self.context.destroy(linger=200)  # the goodbye may still be under way

    def ask(self, word, number=None, **more):
        if number is None:
            self.number += 1
            number = self.number
        self.dealer.send(request(word, number, **more))
        return number

    def request_snapshot(self, want="DFANERICSMP"):
        """A new snapshot replaces one under way."""
        start = self.job.have() if "A" not in want else [0] * len(TABLES)
        self.snapshot = (self.ask("snapshot", want=want, credit=4, **{"from": start}), want)
        self.count["snapshots"] += 1

    # Received frames.

    def take(self, socket):
        parts = socket.recv_multipart()
        self.count["frames"] += 1
        try:
            need(len(parts) == 1, "parts")
            self.judge(*read_frame(parts[0]))
        except Malformed as why:
            self.count["malformed"] += 1
            print("malformed: %s" % why, file=sys.stderr)
        except OtherVersion:
            self.count["versions"] += 1

    def judge(self, letter, topic, fields, groups):
        if letter == "" or self.lose(letter, fields):
            return
        if letter == "Y":
            self.reply(fields)
            return
        if self.snapshot and fields.get("req") == self.snapshot[0]:
            self.ask("more", number=self.snapshot[0], credit=1)
        if not self.same_life(fields):
            return
        if self.job.lacks(letter, fields, groups):
            self.hold(letter, topic, fields, groups)
            return
        self.accept(letter, topic, fields, groups)
        if letter == "D":
            self.release()

    def same_life(self, fields):
        """False if the frame is from an earlier instance or epoch."""
        instance, epoch = fields["inst"], fields["epoch"]
        if self.job is None or self.job.instance != instance:
            asked = (self.hello, self.snapshot[0] if self.snapshot else 0)
            if self.job and fields.get("req") not in asked:
                self.doubt()
                return False
            self.job, self.whole = Job(instance), False
            self.job.epoch = epoch
            self.held.clear()
            self.request_snapshot()
        elif epoch < self.job.epoch:
            return False
        elif epoch > self.job.epoch:
            self.job.epoch, self.whole = epoch, False
            self.job.forget_values()
            self.request_snapshot()
        return True

    def doubt(self):
        """Counts a foreign frame. The answer to a hello tells which instance is current."""
        self.count["foreign"] += 1
        if time.monotonic() >= self.again:
            self.hello, self.again = self.ask("hello"), time.monotonic() + 1

    def hold(self, *frame):
        if len(self.held) == 64:
            self.held.popleft()
            self.count["overflows"] += 1
        self.held.append(frame)
        self.count["held"] += 1
        if self.snapshot is None:
            self.request_snapshot("D")

    def release(self):
        """Applies pending frames in order of arrival, as far as their definitions are known."""
        waiting, self.held = self.held, collections.deque()
        for frame in waiting:
            if frame[2]["epoch"] < self.job.epoch:
                continue
            if self.job.lacks(frame[0], *frame[2:]):
                self.held.append(frame)
            else:
                self.accept(*frame)

    def accept(self, letter, topic, fields, groups):
        if "req" in fields:
            self.accept_answer(letter, topic, fields, groups)
            return
        seq, last = fields["seq"], self.job.last.get(topic)
        if last is not None and seq <= last:
            return
        if last is not None and seq > last + 1:
            self.count["gaps"] += 1
            self.lost_topics.add(topic)
        falls, (_, answered) = self.job.falls, self.job.answers.get(topic, (0, 0))
        self.job.apply(letter, fields, groups)
        if fields["mono"] < answered:
            self.job.falls = falls  # a later value was in an answer
        self.job.last[topic] = seq

    def accept_answer(self, letter, topic, fields, groups):
        """Of the answers to one request, only the first raises the topic's number."""
        seq, last = fields["seq"], self.job.last.get(topic, 0)
        self.job.apply(letter, fields, groups, old=seq < last)
        if self.job.answers.get(topic, (0, 0))[0] != fields["req"]:
            self.job.last[topic] = max(seq, last)
        self.job.answers[topic] = fields["req"], fields["mono"]

    def reply(self, fields):
        self.replies.append(fields)
        if not self.snapshot or fields.get("req") != self.snapshot[0]:
            return
        if fields.get("ok") != 1:
            raise RuntimeError("the snapshot was refused: %s" % fields.get("text"))
        whole = "A" in self.snapshot[1]
        self.snapshot = None
        if whole:
            self.lost_topics.clear()
            if not self.whole:
                print("attached", file=sys.stderr, flush=True)
            self.whole = True
        if self.held:
            self.request_snapshot("D")

    # Until the end.

    def step(self, timeout_ms):
        """Takes all available frames. False if none came within the timeout."""
        poller = zmq.Poller()
        poller.register(self.sub, zmq.POLLIN)
        poller.register(self.dealer, zmq.POLLIN)
        ready = dict(poller.poll(timeout_ms))
        for socket in (self.sub, self.dealer):
            if socket in ready:
                self.take(socket)
        return bool(ready)

    def at_the_end(self):
        """After the goodbye: True when nothing is missing; else requests the missing data."""
        if not self.job or not self.job.bye or self.snapshot:
            return False
        if self.whole and not self.job.misses() and not self.lost_topics and not self.held:
            return True
        self.request_snapshot()
        return False

    def goes_on_until(self, reached):
        """False if the job vanished first."""
        while not reached():
            if not self.step(200) and not self.lives() and not self.step(200):
                return False
        return True

    def attach(self):
        """True once a snapshot is complete."""
        return self.goes_on_until(lambda: self.whole)

    def follow(self):
        """True if the job said goodbye and all its data is here."""
        if not self.goes_on_until(self.at_the_end):
            return False
        self.ask("ack")
        return True

    def lives(self):
        try:
            with open(self.info["path"], "rb") as file:
                return is_locked(file)
        except OSError:
            return False


# ------------------------------------------------------------------------------------------- totals


def add_up(rows, key):
    sums = {}
    for row in rows:
        one = sums.setdefault(key(row), {"calls": 0, "total_ns": 0, "applies": 0})
        one["calls"] += row["calls"]
        one["total_ns"] += row["total_ns"]
        one["applies"] += 1
    return sums


def objects(job):
    """Counters, spans and markers by their names."""
    rows, counters, spans = job.rows, [], []
    for number, row in enumerate(rows["counter"]):
        counters.append(dict(row, **job.counters.get(number, {})))
    for number, row in enumerate(rows["span"]):
        spans.append(dict(row, **job.spans.get(number, {})))
        for one in spans[-1].get("threads", ()):
            one["thread"] = None if one["thread"] is None else rows["thread"][one["thread"]]["name"]
    marks = []
    for number, mark in sorted(job.marks.items()):
        marks.append(dict(mark, number=number, name=rows["marker"][mark["marker"]]["name"],
                          domain=rows["marker"][mark["marker"]]["domain"],
                          thread=None if mark["thread"] is None
                          else rows["thread"][mark["thread"]]["name"],
                          task=None if mark["task"] is None
                          else rows["span"][mark["task"]]["name"]))
    return {"counters": counters, "spans": spans, "marks": marks}


def totals(client, final):
    job = client.job
    rows, functions = job.rows, []
    for number, row in enumerate(rows["function"]):
        calls = job.calls.get(number, {})
        functions.append({"name": row["name"], "calls": calls.get("calls"),
                          "call_ns": calls.get("ns")})
    applies = []
    for number, row in enumerate(rows["apply"]):
        value = job.values.get(number, {"calls": 0, "total": 0})
        op = rows["op"][row["op"]]
        applies.append({"function": rows["function"][row["function"]]["name"],
                        "index": row["index"], "op_id": row["op"], "op": op["text"],
                        "class": rows["class"][op["class"]]["name"], "class_id": op["class"],
                        "calls": value["calls"], "total_ns": value["total"]})
    ops = add_up(applies, lambda row: (row["op_id"], row["op"], row["class"]))
    classes = add_up(applies, lambda row: (row["class_id"], row["class"]))
    return {
        "final": final, "pid": job.hello.get("pid"), "epoch": job.epoch,
        "functions": functions, "applies": applies, "objects": objects(job),
        "ops": [dict(sums, id=key[0], name=key[1], **{"class": key[2]})
                for key, sums in ops.items()],
        "classes": [dict(sums, id=key[0], name=key[1]) for key, sums in classes.items()],
        "feed": dict(client.count, falls=job.falls),
    }


def main():
    parser = argparse.ArgumentParser(description="follow a job by docs/protocol.md")
    parser.add_argument("--pid", type=int, help="process id of the job")
    parser.add_argument("--wait", type=float, default=10, help="seconds to wait for the job")
    options = parser.parse_args()
    info = find_job(options.pid, options.wait)
    if info is None:
        print("protocol_client: no such job", file=sys.stderr)
        return 3
    client = Client(info)
    final = client.follow()
    if client.job:
        print(json.dumps(totals(client, final)), flush=True)
    client.close()
    return 0 if final else 4


if __name__ == "__main__":
    sys.exit(main())

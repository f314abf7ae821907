#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""golden.py: makes the golden bytes of docs/protocol.md from values, with an independent encoder.

As a test, it compares the bytes with the document. With --print it prints the blocks for the
document; a person must check the output against the text above it first. With --corpus DIR it
writes the blocks as files for the fuzzer, except those that are bad only by their size."""
import os
import re
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap  # noqa: E402

try:
    import msgpack
except ImportError:
    msgpack = None

INST = bytes(range(16))
DEFS = [2, 3, 2, 5, 0, 0, 0, 2]
OBJECTS = [2, 3, 2, 5, 5, 3, 2, 2]


def pack(value):
    # Without msgpack the tests below are skipped; the tables are made all the same.
    return msgpack.packb(value, use_bin_type=True) if msgpack else b""


def packed(values, width=0):
    """Encodes a column of integers as a bin, at the least width that fits if none is given."""
    width = width or max([1] + [(v.bit_length() + 7) // 8 for v in values])
    return b"".join(v.to_bytes(width, "little") for v in values)


def u64(name, *values):
    return name, packed(values), "%s: %s" % (name, ", ".join(map(str, values)))


def opt(name, *values):
    shown = ", ".join("unknown" if v is None else str(v) for v in values)
    return name, packed([0 if v is None else v + 1 for v in values]), "%s: %s" % (name, shown)


def ref(name, *values):
    shown = ", ".join("none" if v is None else str(v) for v in values)
    return name, packed([0 if v is None else v + 1 for v in values]), "%s: %s" % (name, shown)


def ids(*values):
    steps = [v - values[max(i - 1, 0)] for i, v in enumerate(values)]
    return "id", packed(steps), "id: %s" % (", ".join(map(str, values)) or "no row")


def i64(name, *values):
    folded = [2 * v if v >= 0 else -2 * v - 1 for v in values]
    return name, packed(folded), "%s: %s" % (name, ", ".join(map(str, values)))


def f64(name, *values):
    return name, struct.pack("<%dd" % len(values), *values), "%s: %s" % (
        name, ", ".join(map(str, values)))


def texts(name, *values):
    return name, list(values), "%s: %s" % (name, ", ".join('"%s"' % v for v in values))


def rows(key, n, *columns, start=None):
    """Lines of a group, each as (bytes, meaning)."""
    head = [("n", n, "n: %d" % n)]
    if columns[0][0] == "id" and start is None:
        start = int(re.search(r"\d+|$", columns[0][2]).group() or 0)
    if start is not None:
        head.append(("from", start, "from: %d" % start))
    entries = head + list(columns)
    lines = [(pack(key) + bytes([0x80 + len(entries)]), "%s: map of %d" % (key, len(entries)))]
    for name, value, meaning in entries:
        lines.append((pack(name) + pack(value), "  " + meaning))
    return lines


def field(key, value, meaning=None):
    shown = '"%s"' % value if isinstance(value, str) else value
    if isinstance(value, bytes):
        shown = "16 bytes"
    return [(pack(key) + pack(value), meaning or "%s: %s" % (key, shown))]


def frame(topic, *entries):
    """Lines of a frame. The map is always a map 16, as our writer makes it. A reader accepts any
    map."""
    lines = [(topic.encode(), "topic %s" % topic),
             (b"\xde" + len(entries).to_bytes(2, "big"), "map of %d" % len(entries))]
    for entry in entries:
        lines += entry
    return lines


def of_job(topic, seq, *entries, defs=DEFS, mono=3000000000, inst=INST):
    wall = 1700000000000000000
    return frame(topic, field("ver", 1), field("inst", inst), field("epoch", 1), field("seq", seq),
                 field("tick", 300), field("mono", mono), field("wall", wall),
                 field("defs", defs), *entries)


def request(*entries):
    return frame("Q/", field("ver", 1), *entries)


def hello():
    return of_job(
        "H/", 7, field("req", 1), field("lo", 1), field("hi", 1), field("host", "node7"),
        field("pid", 4711), field("start", 123456), field("program", "train"),
        field("framework", "example"), field("fwver", "0.1"), field("lib", "0.1.0"),
        field("rank", 0), field("size", 2), field("role", "worker"),
        field("local", 0), field("batch", "815"),
        field("parent", bytes(range(16, 32))), field("route", "library"),
        field("clock", "monotonic"), field("opens", 1), field("tickms", 100), field("collect", 0),
        field("asker", "anna, process 4711 on node7"),
        field("facts", "linker=cvm\nprofiling.n_ops=3", "facts: two lines"),
        field("only", "train, valid*"), field("mute", 4), field("lost", "phases=2\ncalls=1\n",
                                                                "lost: two lines"),
        field("counted", 70301), field("viewers", 2),
        field("refused", 0), field("insecure", 1), field("dropped", 3), field("invalid", 1),
        field("misuse", 0), field("restarts", 0), field("cost", 0.001953125, "cost: 2^-9"),
        field("own", 12345), field("ownerr", 678), field("least", 0.0009765625, "least: 2^-10"),
        field("budget", 0.03125, "budget: 2^-5"), field("costsym", 0.0009765625, "costsym: 2^-10"),
        field("costimp", 0.0, "costimp: 0"), field("costapi", 0.0, "costapi: 0"),
        field("costmem", 0.00048828125, "costmem: 2^-11"))


def definitions():
    return of_job(
        "D/", 1,
        rows("class", 2, texts("name", "Dot", "Elemwise"), start=0),
        rows("op", 3, u64("class", 0, 1, 1),
             texts("text", "dot", "Elemwise{add}", "Elemwise{\u03c3}"), start=0),
        rows("function", 2, texts("name", "train", "step"), texts("file", "mlp.c", ""),
             u64("line", 12, 0), ref("parent", None, 4), u64("group", 0, 1),
             u64("source", 0, 3), start=0),
        rows("apply", 4, u64("function", 0, 1, 1, 0), u64("op", 0, 1, 2, 2),
             u64("index", 0, 0, 300, 1), texts("text", "", "add.0", "", ""),
             texts("where", "mlp.c:40", "", "", ""), u64("source", 0, 1, 2, 0),
             u64("kind", 0, 0, 1, 2), u64("impl", 1, 2, 3, 0), u64("excl", 0, 1, 0, 0), start=1),
        rows("thread", 1, texts("name", "worker"), u64("tid", 4712), start=1),
        rows("display", 1, u64("op", 2), texts("text", "sqr(i0) + i1")),
        rows("waits", 2, ids(2, 4), u64("what", 1, 2)))


def functions():
    return of_job(
        "F/", 2,
        rows("calls", 2, ids(0, 1), opt("calls", 70000, None), opt("ns", 254, 255),
             opt("vm", None, None), opt("open", 2999999000, None)),
        rows("compile", 1, ids(1), opt("total", 1 << 40), opt("rewrite", 1 << 32),
             opt("validate", 65534), opt("link", 65535), opt("open", None)))


def values():
    return of_job(
        "A/1/", 9,
        rows("v", 3, ids(1, 2, 4), u64("calls", 1, 300, 70000), u64("total", 5, 1 << 40, 1 << 62),
             opt("last", 7, None, 65535)),
        rows("x", 2, ids(1, 4), opt("min", 5, 0), opt("max", 5, 16777215),
             opt("timed", None, 69999)),
        rows("open", 1, ids(2), u64("ns", 1000000)))


def now():
    return of_job("N/", 3, rows("now", 2, ids(0, 1), ref("apply", None, 4),
                                u64("since", 2999999000, 2999999999)))


def now_none():
    return of_job("N/", 4, rows("now", 0, ids(), ref("apply"), u64("since")))


def notices():
    return of_job("E/", 1, rows("notice", 2, u64("wall", 1700000000000000000, 1),
                                u64("level", 1, 0),
                                texts("text", "out of descriptors", "well again")))


def rewrites():
    return of_job(
        "R/", 3,
        rows("phase", 3, u64("phase", 0, 1, 2), u64("rev", 1, 3, 1), u64("function", 1, 1, 0),
             u64("parent", 0, 1, 0), u64("kind", 0, 1, 3),
             texts("name", "canonicalize", "merge", "link"), u64("calls", 0, 300, 1),
             opt("total", None, 70000, 255), opt("validate", None, 254, None),
             opt("before", 54, 0, None), opt("after", None, 51, None),
             opt("open", 2999999000, None, None)))


def details():
    return of_job(
        "I/", 2,
        rows("detail", 2, u64("apply", 4, 1), u64("rev", 1, 2), opt("flops", 65536, None),
             opt("bytes", 65536, None), opt("thunk", 300, None), texts("device", "cpu0", ""),
             texts("where", "mlp.c:40", ""), u64("impl", 1, 0), u64("onein", 100, 0),
             u64("inputs", 2, 1), u64("outputs", 1, 0), texts("made", "", "fusion")),
        rows("value", 4, texts("dtype", "float32", "float32", "float32", ""),
             texts("shape", "[256,2]", "[]", "[256,64]", ""), opt("bytes", 2048, 4, 65536, None),
             ref("source", None, 0, None, 1), u64("output", 0, 1, 0, 0), u64("alias", 0, 0, 2, 0),
             u64("result", 0, 0, 1, 0), texts("strides", "[4,1024]", "[]", "[256,-4]", "")),
        rows("library", 1, u64("apply", 1), texts("where", "lib.py:7")),
        rows("metric", 2, texts("name", "cache misses", "peak"), texts("unit", "", "bytes"),
             u64("how", 0, 1)),
        rows("m", 3, u64("apply", 4, 0, 1), u64("metric", 0, 1, 1), u64("adds", 3, 1, 2),
             u64("value", 1 << 40, 0, 4096)))


def objects():
    return of_job(
        "D/", 2,
        rows("counter", 5, texts("domain", "io", "io", "gpu/0", "gpu/0", "io"),
             texts("name", "rows", "load", "pool", "pool", "none"),
             texts("scope", "", "", "", "net:", ""),
             texts("unit", "rows", "", "bytes", "bytes", ""), u64("kind", 0, 1, 2, 2, 0), start=0),
        rows("span", 3, texts("domain", "io", "io", "event"), texts("name", "read", "pass", "read"),
             u64("kind", 0, 1, 2), start=0),
        rows("marker", 1, texts("domain", "io"), texts("name", "here"), start=1), defs=OBJECTS)


def counters():
    return of_job(
        "C/", 6,
        rows("int", 1, ids(0), i64("value", -3), i64("min", -(1 << 63)), i64("max", (1 << 63) - 1),
             u64("updates", 3), f64("mean", -1.5)),
        rows("real", 1, ids(1), f64("value", 2.5), f64("min", -0.25), f64("max", 1e300),
             u64("updates", 70000), f64("mean", 0.5)),
        rows("memory", 2, ids(2, 3), u64("bytes", 1 << 20, 0), u64("peak", 4 << 20, 65536),
             opt("limit", 1 << 32, None), u64("updates", 3, 2)),
        rows("usage", 2, ids(2, 3), u64("min", 300, 0), f64("mean", 65536.5, 0.25)), defs=OBJECTS)


def spans():
    return of_job(
        "S/", 5,
        rows("runs", 3, ids(0, 1, 2), u64("calls", 6, 100, 0), u64("total", 70000, 1 << 32, 0),
             u64("self", 300, 1 << 32, 0), opt("last", 255, 16000000, None),
             opt("open", None, 2999999000, 2999999999)),
        rows("edges", 2, ids(0, 1), u64("min", 1, 15000000), u64("max", 65535, 40000000),
             u64("first", 1000000000, 2000000000), u64("until", 2500000000, 2999999500)),
        rows("by", 3, u64("span", 0, 0, 1), ref("thread", 0, 1, None), u64("calls", 3, 3, 100),
             u64("total", 69000, 1000, 1 << 32)),
        rows("slow", 2, u64("span", 1, 1), u64("number", 42, 7), u64("ns", 40000000, 17000000)),
        defs=OBJECTS)


def markers():
    return of_job(
        "M/", 4,
        rows("mark", 2, u64("number", 300, 301), u64("marker", 1, 0), u64("scope", 3, 1),
             u64("mono", 2999999000, 2999999999), ref("thread", 1, None), ref("task", 0, None)),
        defs=OBJECTS)


def timeline():
    return of_job(
        "T/", 3,
        rows("window", 1, u64("trace", 2), u64("begin", 2000000000), opt("until", None),
             u64("why", 0), u64("base", 2999999990), u64("events", 70009), u64("dropped", 3),
             u64("missed", 1), u64("untimed", 0)),
        rows("applied", 3, u64("apply", 4, 0, 4), u64("ago", 70000, 300, 0),
             u64("ns", 65536, 255, 1), ref("thread", 1, None, 0), u64("how", 0, 1, 2)),
        rows("called", 1, u64("function", 1), u64("ago", 1 << 32), u64("ns", 1 << 31),
             ref("thread", 0), u64("how", 0)),
        rows("ran", 2, u64("span", 1, 0), u64("ago", 500, 400), u64("ns", 90, 80),
             ref("thread", 1, None), u64("how", 0, 2), u64("frame", 42, 0)),
        rows("marked", 1, u64("marker", 1), u64("ago", 12), u64("scope", 3), ref("thread", 1),
             ref("task", 0)),
        rows("valued", 2, u64("counter", 0, 1), u64("ago", 9, 8), i64("int", -3, 0),
             f64("real", 0.0, 2.5)),
        defs=OBJECTS)


def percentiles():
    return of_job("P/", 1, rows("p", 4, u64("op", 2, 2, 2, 0), u64("bucket", 0, 24, 152, 0),
                                u64("count", 3, 70000, 1, 0)))


def bye():
    return of_job("H/", 8, field("bye", 1), field("lasth", 8), field("lastd", 1),
                  field("lastf", 2), field("lastn", 4), field("laste", 0),
                  field("lastr", 3), field("lasti", 2), field("lastc", 6),
                  field("lasts", 5), field("lastm", 4),
                  rows("last", 2, ids(0, 1), u64("seq", 260, 9)))


def of_stranger():
    """The same content in another order, with other integer sizes, unknown keys and a nested
    map."""
    entries = [(pack("since") + pack("now"), "a key that version 1 does not know"),
               (pack("wall") + b"\xcf" + (5).to_bytes(8, "big"), "wall: 5, in 8 bytes"),
               (pack("defs") + b"\xdc\x00\x08" + b"\x01" * 8, "defs: array 16 of 8 ones"),
               (pack("mono") + b"\xcd\x00\x04", "mono: 4, in 2 bytes"),
               (pack("tick") + b"\x03", "tick: 3"),
               (pack("now") + b"\x87", "now: map of 7"),
               (pack("since") + pack(packed([9], 8)), "  since: 9, in 8 bytes"),
               (pack("later") + pack([None, -1, {"x": 0.5}]), "  a column nobody knows"),
               (pack("apply") + b"\xc5\x00\x02\x00\x00", "  apply: none, in 2 bytes; bin 16"),
               (pack("id") + b"\xc6\x00\x00\x00\x03\x00\x00\x00", "  id: 0, in 3 bytes; bin 32"),
               (pack("n") + b"\xce\x00\x00\x00\x01", "  n: 1, in 4 bytes"),
               (pack("more") + pack(True), "  another key nobody knows"),
               (pack("from") + b"\xcc\x00", "  from: 0, in 1 byte"),
               (pack("v") + pack(1), "v does not belong to N/: skipped"),
               (pack("seq") + b"\x02", "seq: 2"),
               (pack("epoch") + b"\x01", "epoch: 1"),
               (pack("inst") + pack(INST), "inst: 16 bytes"),
               (b"\xd9\x03ver" + b"\x01", "ver: 1; its key as str 8")]
    return [(b"N/", "topic N/"), (b"\x8b", "map of 11, as a fixmap")] + entries


def bad(key, *entries, topic="N/", defs=DEFS, **more):
    return of_job(topic, 1, rows(key, *entries, **more), defs=defs)


def nest(depth):
    return (pack("later") + b"\x91" * depth + b"\x01", "%d arrays, one in the other" % depth)


SHORT = [(b"H/", "topic H/")]
VER = (pack("ver") + b"\x01", "ver: 1")
NONE = [ref("apply", None), u64("since", 1)]

WHOLE = {
    "hello": hello, "definitions": definitions, "functions": functions, "values": values,
    "now": now, "now-none": now_none, "notices": notices, "rewrites": rewrites, "details": details,
    "objects": objects, "counters": counters, "spans": spans, "markers": markers,
    "percentiles": percentiles, "timeline": timeline, "bye": bye,
    "ask-hello": lambda: request(field("req", 1), field("q", "hello")),
    "ask-snapshot": lambda: request(field("inst", INST), field("req", 2), field("q", "snapshot"),
                                    field("want", "DFANERICSMP"),
                                    field("from", [0, 0, 0, 1000] + 4 * [0]),
                                    field("credit", 4)),
    "ask-more": lambda: request(field("req", 2), field("q", "more"), field("credit", 1)),
    "ask-ack": lambda: request(field("req", 3), field("q", "ack")),
    "ask-control": lambda: request(field("req", 4), field("host", "node7"), field("pid", 4711),
                                   field("q", "control"), field("what", "set_config"),
                                   field("arg", "profile_memory\n0\nprofile_api\n0",
                                         "arg: 4 words with 0a between"),
                                   field("user", "anna")),
    "reply-done": lambda: of_job("Y/", 0, field("req", 2), field("re", "snapshot"),
                                 field("ok", 1), field("chunks", 5)),
    "reply-unsupported": lambda: of_job("Y/", 0, field("req", 9), field("re", "dance"),
                                        field("ok", 0), field("text", "unsupported")),
    "reply-refused": lambda: of_job("Y/", 0, field("req", 4), field("re", "control"),
                                    field("ok", 0), field("no", "refused"),
                                    field("text", "PROFTOP_CONTROL=0 forbids it")),
    "ask-text": lambda: request(field("req", 5), field("q", "text"), field("at", 7)),
    "reply-report": lambda: of_job("Y/", 0, field("req", 4), field("re", "control"),
                                   field("ok", 1), field("bytes", 70000), field("rows", 3)),
    "reply-part": lambda: of_job("Y/", 0, field("req", 5), field("re", "text"), field("ok", 1),
                                 field("at", 7), field("bytes", 70000),
                                 rows("part", 2, texts("text", "operator", ""))),
    "of-a-stranger": of_stranger,
    "reserved": lambda: of_job("L/", 1, field("later", {"n": 0}, "what later versions know")),
}

BAD = [
    ("size", lambda: [(b"H/", "topic H/"), (b"\xc1", 262143)]),
    ("size", lambda: [(b"Q/", "topic Q/"), (b"\xc1", 4095)]),
    ("topic", lambda: [(b"X/", "no such stream"), (b"\x80", "an empty map")]),
    ("topic", lambda: [(b"A/", "without the id of a function"), (b"\x80", "an empty map")]),
    ("trunc", lambda: SHORT + [(b"\x81", "map of 1"), (b"\xa3ve", "a key of 3 bytes, of which 2")]),
    ("trunc", lambda: SHORT + [(b"\x82", "map of 2"), VER,
                               (pack("later") + b"\xc6\xff\xff\xff\xff\x00",
                                "4 GiB, of which 1 byte")]),
    ("form", lambda: SHORT + [(b"\x91\x01", "an array instead of a map")]),
    ("form", lambda: of_job("H/", 1, [(pack("pid") + b"\xff", "pid: -1 is not a uint")])),
    ("depth", lambda: SHORT + [(b"\x82", "map of 2"), VER, nest(9)]),
    ("depth", lambda: SHORT + [(b"\xde\x01\x01", "map of 257")]),
    ("twice", lambda: SHORT + [(b"\x82", "map of 2"), VER, VER]),
    ("missing", lambda: SHORT + [(b"\x81", "map of 1"), VER]),
    ("missing", lambda: bad("now", 1, ids(0), ref("apply", None))),
    ("version", lambda: SHORT + [(b"\x82", "map of 2"), (pack("ver") + b"\x02", "ver: 2"),
                                 (pack("inst") + b"\xc1", "nothing else is judged")]),
    ("width", lambda: bad("now", 2, ids(0, 1), ref("apply", None, None),
                          ("since", b"\x01\x02\x03", "since: 3 bytes for 2 rows"))),
    ("width", lambda: bad("now", 1, ids(0), ref("apply", None),
                          ("since", b"\x01" + 8 * b"\x00", "since: 9 bytes for 1 row"))),
    ("rows", lambda: bad("now", 4001, ("id", b"", "id: no row"), ref("apply"), u64("since"))),
    ("rows", lambda: of_job("H/", 1, defs=[65537] + 7 * [0])),
    ("order", lambda: bad("now", 2, ids(1, 1), ref("apply", None, None), u64("since", 1, 1))),
    ("id", lambda: bad("now", 1, ids(2), *NONE)),
    ("id", lambda: of_job("A/2/", 1)),
    ("id", lambda: bad("class", 2, texts("name", "a", "b"), start=1, topic="D/")),
    ("value", lambda: of_job("H/", 1, field("cost", float("nan")))),
    ("value", lambda: of_job("H/", 1, mono=(1 << 62) + 1)),
    ("value", lambda: bad("now", 1, ids(0), ref("apply", None), u64("since", (1 << 62) + 1))),
    ("value", lambda: bad("real", 1, ids(0), f64("value", float("inf")), f64("min", 0),
                          f64("max", 0), u64("updates", 1), f64("mean", 0), topic="C/",
                          defs=OBJECTS)),
    ("width", lambda: bad("int", 1, ids(0), i64("value", 0), i64("min", 0), i64("max", 0),
                          u64("updates", 1), u64("mean", 0), topic="C/", defs=OBJECTS)),
    ("trail", lambda: SHORT + [(b"\x81", "map of 1"), VER, (b"\xc0", "a byte behind the map")]),
]


def block(title, lines):
    out = ["```hex " + title]
    for data, meaning in lines:
        if isinstance(meaning, int):
            out.append("%-48s  %d times" % ("%02x * %d" % (data[0], meaning), meaning))
            continue
        for at in range(0, len(data), 16):
            part = " ".join("%02x" % byte for byte in data[at:at + 16])
            out.append(("%-48s  %s" % (part, meaning)) if at == 0 else part)
    return "\n".join(out + ["```"])


def blocks():
    out = [block(name, make()) for name, make in WHOLE.items()]
    return out + [block("bad " + error, make()) for error, make in BAD]


def in_document():
    with open(tap.source("docs", "protocol.md"), encoding="utf-8") as file:
        return re.findall(r"^```hex .*?^```$", file.read(), re.MULTILINE | re.DOTALL)


def document_holds_what_another_encoder_makes():
    if msgpack is None:
        raise tap.Skip("python3-msgpack is not installed")
    found, want = in_document(), blocks()
    for ours, theirs in zip(found, want):
        assert ours == theirs, "document:\n%s\nencoder:\n%s" % (ours, theirs)
    assert len(found) == len(want), (len(found), len(want))


def another_decoder_reads_the_whole_ones():
    if msgpack is None:
        raise tap.Skip("python3-msgpack is not installed")
    for name, make in WHOLE.items():
        data = b"".join(part for part, _ in make())
        topic = re.match(rb"[A-Z]/(\d+/)?", data).group(0)
        decoded = msgpack.unpackb(data[len(topic):], raw=False, strict_map_key=True)
        assert decoded["ver"] == 1, name


def write_corpus(folder):
    named = list(WHOLE.items())
    named += [("bad-%02d-%s" % (i, error), make) for i, (error, make) in enumerate(BAD)]
    for name, make in named:
        lines = make()
        if not any(isinstance(meaning, int) for _, meaning in lines):
            with open(os.path.join(folder, name), "wb") as file:
                file.write(b"".join(data for data, _ in lines))


if __name__ == "__main__":
    if sys.argv[1:] == ["--print"]:
        print("\n\n".join(blocks()))
    elif sys.argv[1:2] == ["--corpus"]:
        write_corpus(sys.argv[2])
    else:
        tap.run(document_holds_what_another_encoder_makes, another_decoder_reads_the_whole_ones)

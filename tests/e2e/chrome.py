# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""chrome.py: reads a file of Chrome's trace format and checks each rule of the format that its
readers rely on ("Trace Event Format"): which fields each kind of event has, with which types; that
complete events of a thread are nested; that pairs are whole."""
import json

# Fields of each kind of event, beside name, ph, pid, tid and args.
FIELDS = {
    "X": {"cat": str, "ts": float, "dur": float},
    "b": {"cat": str, "ts": float, "id": int},
    "e": {"cat": str, "ts": float, "id": int},
    "i": {"cat": str, "ts": float, "s": str},
    "C": {"cat": str, "ts": float},
    "M": {},
}


def no_constant(text):
    raise AssertionError("%s is no JSON" % text)


def no_twice(pairs):
    keys = [key for key, _ in pairs]
    assert len(keys) == len(set(keys)), "twice: %s" % keys
    return dict(pairs)


class Trace:
    def __init__(self, text):
        text.encode("utf-8")  # no lone surrogates
        whole = json.loads(text, parse_constant=no_constant, object_pairs_hook=no_twice)
        assert set(whole) == {"traceEvents", "otherData", "displayTimeUnit"}, set(whole)
        assert whole["displayTimeUnit"] in ("ns", "ms")
        self.events, self.facts = whole["traceEvents"], whole["otherData"]
        for event in self.events:
            self.check(event)
        times = [event["ts"] for event in self.events if "ts" in event and event["ph"] != "e"]
        assert times == sorted(times), "events are in the order of their times"
        self.check_nesting()
        self.check_pairs()

    @staticmethod
    def check(event):
        fields = {"name": str, "ph": str, "pid": int, "tid": int, "args": dict,
                  **FIELDS[event["ph"]]}
        assert set(event) == set(fields), (event, set(fields))
        for key, kind in fields.items():
            assert type(event[key]) is kind, (event, key)  # pylint: disable=unidiomatic-typecheck
        assert event.get("ts", 0) >= 0 and event.get("dur", 0) >= 0, event
        if event["ph"] == "i":
            assert event["s"] in ("g", "p", "t"), event
        if event["ph"] == "C":
            assert event["args"] and all(type(value) in (int, float)
                                         for value in event["args"].values()), event
        if event["ph"] == "M":
            assert event["name"] in ("process_name", "thread_name"), event
            assert list(event["args"]) == ["name"], event

    def check_nesting(self):
        """By whole ns: the sum of two times in us is not exact."""
        around = {}
        for event in self.events:
            if event["ph"] != "X":
                continue
            start, end = span(event)
            ends = around.setdefault((event["pid"], event["tid"]), [])
            while ends and ends[-1] <= start:
                ends.pop()
            assert not ends or end <= ends[-1], ("not nested", event)
            ends.append(end)

    def check_pairs(self):
        begun = {}
        for event in self.events:
            if event["ph"] == "b":
                assert event["id"] not in begun, event
                begun[event["id"]] = event
            elif event["ph"] == "e":
                assert begun.pop(event["id"])["name"] == event["name"], event
        assert not begun, begun

    def named(self, name, phase):
        return [event for event in self.events if event["name"] == name and event["ph"] == phase]

    def complete(self, name):
        return self.named(name, "X")

    def runs(self, name):
        """Complete events and pairs: the clocks of ops and of spans differ by some ns, so that a
        run beside an op may overlap it."""
        return [event for event in self.events if event["name"] == name and event["ph"] in "Xb"]

    def timed(self):
        """All events but the names of processes and threads; a pair counts as one."""
        return [event for event in self.events if event["ph"] not in "Me"]

    @staticmethod
    def inside(event, around):
        start, end = span(event)
        first, last = span(around)
        return event["tid"] == around["tid"] and first <= start and end <= last


def span(event):
    """Start and end, in ns."""
    start = round(event["ts"] * 1000)
    return start, start + round(event["dur"] * 1000)


def read(path):
    with open(path, encoding="utf-8") as file:
        return Trace(file.read())

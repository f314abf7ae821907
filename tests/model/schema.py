# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""schema.py: docs/json.schema is a schema, names every key that was promised, fits what is
printed, and refuses what it should."""
import copy
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap  # noqa: E402

try:
    import jsonschema
except ImportError:
    jsonschema = None

# The promise, written down a second time on purpose: users' scripts rely on these keys.
TOP = "schema time_ns state final".split()
PROMISED = {
    "jobs": "id pid parent host program framework version route instance epoch rank "
            "local_rank size role batch state reason collect asker facts filter dropped lost "
            "missing_calls complete invalid misuse refused insecure limits tick_ms mono_ns "
            "steps_per_s samples_per_s tokens_per_s overhead_ns overhead_error_ns overhead_least "
            "overhead_budget share overhead_parts feed",
    "functions": "id job name file line group alias mode parent calls timed sampled "
                 "call_error_ns call_ns vm_ns thunk_ns wait_ns aside_ns "
                 "compile_ns rewrite_ns validate_ns link_ns compiling_since_ns open_since_ns",
    "classes": "id job name impl calls timed sampled applies total_ns open_ns wait_ns "
               "aside_ns self_ns interval_calls interval_ns metrics",
    "ops": "id job class display name impl calls timed sampled applies total_ns open_ns "
           "wait_ns aside_ns self_ns interval_calls interval_ns min_ns max_ns p50_ns p90_ns p99_ns "
           "long_calls long_ns metrics",
    "lines": "id job name impl calls timed sampled applies total_ns open_ns wait_ns "
             "aside_ns self_ns interval_calls interval_ns metrics",
    "applies": "id job function op line index name kind impl source waits calls timed sampled "
               "total_ns open_ns wait_ns aside_ns total_error_ns self_ns "
               "interval_calls interval_ns min_ns max_ns last_ns shapes bytes detail metrics",
    "now": "job thread apply since_ns",
    "counters": "id job domain name unit value min max updates mean",
    "spans": "id job domain kind name calls total_ns self_ns min_ns max_ns last_ns rate "
             "interval_rate slowest threads open_since_ns",
    "markers": "job domain name scope thread task mono_ns",
    "memory": "job device pool scope bytes peak_bytes limit_bytes",
    "peaks": "job function peak_bytes peak_apply no_inplace_bytes index_peak_bytes "
             "index_peak_apply index_no_inplace_bytes no_gc_bytes outputs_bytes partial",
    "rewrites": "id job function name parent kind calls total_ns validate_ns nodes_before "
                "nodes_after open_since_ns",
    "metrics": "id job name unit how",
    "notices": "job time_ns level text times",
    "ranks": "class op jobs min_ns median_ns max_ns max_job",
    "suspects": "kind job apply open_ns quiet_ns waiting wait_share others_wait_share text",
    "waiters": "job apply open_ns",
    "left_out": "pid program why",
}
FEED = "frames gaps malformed over_limit snapshots lag_ns"
MORE_IN_FEED = ("answers falls other_version foreign reconnects insecure no_names no_phases "
                "no_details")


def schema():
    with open(tap.source("docs", "json.schema"), encoding="utf-8") as file:
        return json.load(file)


def lines():
    out = subprocess.run([tap.built("print_json")], stdout=subprocess.PIPE, check=True).stdout
    return [json.loads(line) for line in out.decode("utf-8").splitlines()]


def validator():
    if not jsonschema:
        raise tap.Skip("the Python module jsonschema is missing")
    return jsonschema.Draft7Validator(schema())


def every_promised_key_is_there():
    top = schema()
    assert list(top["properties"]) == TOP + list(PROMISED), list(top["properties"])
    assert top["required"] == list(top["properties"]) and not top["additionalProperties"]
    for table, keys in PROMISED.items():
        row = top["properties"][table]["items"]
        assert row["additionalProperties"] is False, table
        assert sorted(row["properties"]) == sorted(keys.split()) == sorted(row["required"]), table
    feed = top["properties"]["jobs"]["items"]["properties"]["feed"]
    assert sorted(feed["properties"]) == sorted((FEED + " " + MORE_IN_FEED).split())
    assert sorted(feed["required"]) == sorted(feed["properties"])


def schema_is_a_schema():
    validator().check_schema(schema())


def printed_lines_fit():
    judge = validator()
    printed = lines()
    assert len(printed) == 5
    for line in printed:
        judge.validate(line)


def values_are_exact():
    none, empty, full, final, several = lines()
    assert none["jobs"][0]["instance"] is None and none["applies"] == []
    assert none["jobs"][0]["feed"]["frames"] == 2 ** 64 - 2
    assert empty["jobs"][0]["instance"] == "fedc" + 28 * "0" and empty["ops"] == []
    assert not full["final"] and final["final"]
    assert full["applies"][0]["total_ns"] == 2 ** 62
    assert full["applies"][0]["self_ns"] == 2 ** 61, "the function inside took half of it"
    assert full["applies"][0]["interval_ns"] is None
    assert final["applies"][0]["total_ns"] == 2 ** 64 - 2
    assert final["applies"][0]["interval_calls"] == 10
    hostile = "\"\\\x1b]0;\ufffd\ufffd 層\u202e\x7f"
    for table in ("classes", "ops", "functions", "applies"):
        assert full[table][0]["name"] == hostile, table
    assert full["ops"][0]["display"] == hostile
    assert full["notices"] == [{"job": 0, "time_ns": 5, "level": "error", "text": hostile,
                                "times": 2}]
    assert [now["thread"] for now in full["now"]] == ["main", "12"]
    assert [row["kind"] for row in full["applies"]] == ["call", "imperative"]
    assert [row["source"] for row in full["applies"]] == ["given", "set"]
    assert [row["parent"] for row in full["functions"]] == [None, 0]
    assert full["functions"][1]["calls"] is None and full["functions"][1]["name"] is None
    assert [(row["timed"], row["call_error_ns"]) for row in full["functions"] +
            final["functions"]] == [(0, None), (None, None), (0, None), (3, 2 ** 64 - 2)]
    assert [row["compiling_since_ns"] for row in full["functions"] + final["functions"]] == \
        [None, None, None, 2 ** 64 - 2]
    assert full["jobs"][0]["collect"] == "stop"
    assert full["jobs"][0]["asker"] == "anna, process 12 on gpu01"
    assert full["jobs"][0]["refused"] == 2
    assert full["jobs"][0]["insecure"] is True
    assert none["jobs"][0]["insecure"] is empty["jobs"][0]["insecure"] is None
    assert [row["job"] for row in several["ops"]] == sorted(
        row["job"] for row in final["ops"] + [{"job": 1}] * len(final["ops"]))
    assert [row["id"] for row in several["jobs"]] == [0, 1]
    assert [row["jobs"] for row in several["ranks"]] == [2] * len(final["ops"])
    assert [(row["kind"], row["job"]) for row in several["suspects"]] == [("slow", 0), ("hung", 1)]
    assert final["ranks"] == final["suspects"] == []


def no_control_byte_is_printed():
    out = subprocess.run([tap.built("print_json")], stdout=subprocess.PIPE, check=True).stdout
    assert not [byte for byte in out if (byte < 0x20 and byte != 0x0A) or byte == 0x7F]


def faults_are_refused():
    judge, good = validator(), lines()[2]

    def spoil(change):
        bad = copy.deepcopy(good)
        change(bad)
        assert list(judge.iter_errors(bad)), "the schema accepts %s" % bad

    spoil(lambda o: o.update(more=1))
    spoil(lambda o: o.pop("rewrites"))
    spoil(lambda o: o["ops"][0].pop("p50_ns"))
    spoil(lambda o: o["functions"][0].pop("timed"))
    spoil(lambda o: o["functions"][0].update(call_error_ns=-1))
    spoil(lambda o: o["functions"][0].pop("compiling_since_ns"))
    spoil(lambda o: o["ops"][0].update(calls=1.5))
    spoil(lambda o: o["ops"][0].update(calls=-1))
    spoil(lambda o: o["ops"][0].update(calls=-1))
    spoil(lambda o: o["applies"][0].update(impl="cuda core"))
    spoil(lambda o: o["jobs"][0].update(instance="4711"))
    spoil(lambda o: o["jobs"][0]["feed"].update(more=0))
    spoil(lambda o: o.update(schema="proftop-2"))


tap.run(every_promised_key_is_there, schema_is_a_schema, printed_lines_fit, values_are_exact,
        no_control_byte_is_printed, faults_are_refused)

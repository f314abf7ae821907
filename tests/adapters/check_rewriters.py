# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_rewriters.py: the phases of a compilation, and the data of nodes before they run, compared
with the framework's own record of the same compilation."""
import functools
import json
import re
import subprocess
import sys

sys.dont_write_bytecode = True
import watching  # noqa: E402
from watching import NS, Place, applies, function, job, tap, watched  # noqa: E402

PROFILED = "profile=True,profile_optimizer=True"
LINGER_NS = 0.5 * NS  # of jobs/lingers.py
WORK_NS = 0.4 * NS    # of jobs/within.py


@functools.lru_cache(maxsize=None)
def compiled(name="pytensor-2.31", *program):
    """(proftop's report, the framework's record) of one compilation."""
    python, package, own, folder = watching.member(name)
    # Theano's own code for a Scan cannot be compiled here.
    linker = "linker=vm_nogc,cxx=" if program and package == "theano" else "linker=cvm"
    env = watching.family(PROFILED, linker, own, name=folder)
    with Place() as place:
        truth = place.file("rewriters.json")
        done, known = watching.watched_by(python, place, job("rewriters"), package, *program,
                                          TRUTH=truth, **env)
        assert done.returncode == 0, done.stderr.decode(errors="replace")
        with open(truth, encoding="utf-8") as file:
            return known, json.load(file)


def inside(known, row):
    """The phases inside one, in the order in which they first began."""
    return [one for one in known["rewrites"] if one["parent"] == row["id"]]


def compare(known, row, told):
    """Name, nodes and nesting are the framework's own. Its clock stands around ours. Some phases
    without parts in its record have parts in ours. Returns the number of phases compared."""
    name, seconds, before, after, children = told
    assert row["name"] == name and row["calls"] == 1 and row["open_since_ns"] is None, (row, told)
    assert (row["nodes_before"], row["nodes_after"]) == (before, after), (row, told[:4])
    assert 0 < row["total_ns"] <= seconds * NS + 1000, (row, told[:4])
    parts = inside(known, row)
    names = [part["name"] for part in parts], [one[0] for one in children]
    assert not children or names[0] == names[1], names
    return 1 + sum(compare(known, part, one) for part, one in zip(parts, children))


def phases_are_those_of_the_framework(name):
    known, told = compiled(name)
    made = function(known, "f")
    outermost = [row for row in known["rewrites"]
                 if row["parent"] is None and row["kind"] == "rewrite"]
    roots = [row for row in outermost if row["name"] == told[0]]
    assert len(roots) == 1 and {row["function"] for row in outermost} == {made["id"]}, outermost
    # Releases before PyTensor also merge the small graph of a Composite, if they compile it.
    apart = {row["name"] for row in outermost} - {told[0]}
    assert apart <= ({"MergeOptimizer"} if watching.member(name)[1] != "pytensor" else set()), apart
    assert compare(known, roots[0], told[:5]) > 40
    assert roots[0]["nodes_after"] == len(applies(known, made))
    # check_pytensor.py compares this time with the framework's clock.
    validating = sum(row["validate_ns"] for row in outermost)
    assert roots[0]["validate_ns"] > 0 and validating == made["validate_ns"], (outermost, made)
    assert roots[0]["total_ns"] >= roots[0]["validate_ns"] and told[5] > 0, (roots[0], told[5])
    # Rewriters that repeat until nothing changes count each call.
    canonicalize = next(row for row in known["rewrites"] if row["name"] == "canonicalize")
    assert any(row["calls"] > 1 for row in inside(known, canonicalize))
    assert sum(row["total_ns"] for row in inside(known, canonicalize)) <= canonicalize["total_ns"]


def phases_inside_a_scan_are_in_the_making_of_its_node(name):
    """The inside of a Scan is compiled where the Scan's node is made ready to run."""
    known, (told, validate_s, nodes) = compiled(name, "scan")
    made = function(known, "f")
    # Theano compiles the steps once more, to see what they need.
    apart = {row["function"] for row in known["rewrites"]} - {made["id"]}
    assert not apart or watching.member(name)[1] == "theano", (apart, known["functions"])
    [scan] = [row for row in known["rewrites"] if row["kind"] == "thunks" and
              row["parent"] is None and "steps" in row["name"]]
    assert scan["function"] == made["id"], (scan, made)
    parts = inside(known, scan)
    [root] = [row for row in parts if (row["kind"], row["name"]) == ("rewrite", told[0])]
    assert compare(known, root, told) > 40
    thunks = [row for row in parts if row["kind"] == "thunks"]
    assert root["nodes_after"] == nodes == sum(row["calls"] for row in thunks), (root, thunks)
    assert 0 < validate_s * NS <= root["validate_ns"] < root["total_ns"], (root, validate_s)
    # A phase includes the time to begin and end those inside.
    assert sum(row["total_ns"] for row in parts) <= scan["total_ns"], (scan, parts)


def notice_reports_unknown_source_lines():
    """For a job with profiled rewriters."""
    known, _ = compiled()
    said = [one["text"] for one in known["notices"] if "profile_optimizer is on" in one["text"]]
    assert len(said) == 1 and "lines of nodes that rewriters made" in said[0], known["notices"]
    assert {row["detail"]["rewrite"] for row in known["applies"]} == {None}, known["applies"]


def nodes_are_described():
    known, told = compiled()
    rows = applies(known, function(known, "f"))
    assert [row["name"] for row in rows] == [node[0] for node in told[6]]
    views = overwritten = made = 0
    ids = {row["id"]: row for row in rows}
    for row, (_, dtypes, view_map, destroy_map) in zip(rows, told[6]):
        inputs, outputs = row["detail"]["inputs"], row["detail"]["outputs"]
        assert [one["dtype"] for one in inputs] == dtypes, row
        for number, one in enumerate(outputs):
            view, over = view_map.get(str(number)), destroy_map.get(str(number))
            assert one["view_of"] == (view[0] if view else None), (row, view_map)
            assert one["overwrites"] == (over[0] if over else None), (row, destroy_map)
            views += bool(view)
            overwritten += bool(over)
        for one in inputs:
            if one["apply"] is not None:
                source = ids[one["apply"]]
                assert source["index"] < row["index"]
                assert source["detail"]["outputs"][one["output"]]["dtype"] == one["dtype"]
                made += 1
    assert views and overwritten and made > 10, (views, overwritten, made)
    # A scalar's size is known before it is made. The size of a general matrix is not.
    sums = [row for row in rows if row["name"].startswith("Sum{")]
    assert sums and all(row["bytes"] == 4 and row["shapes"] == "float32 -> float32[]"
                        for row in sums), sums
    assert any(row["bytes"] is None for row in rows)


def own_work_is_in_no_time_of_a_node():
    """Nor in the time of its function, which includes the time of the node."""
    with Place() as place:
        done, known = watched(place, job("lingers"), flags="linker=py")
    assert (done.returncode, done.stdout) == (0, b"2.0\n"), done
    f = function(known, "f")
    [row] = applies(known, f)
    assert row["detail"]["make_thunk_ns"] < LINGER_NS, row
    assert row["detail"]["make_thunk_ns"] <= f["link_ns"] < LINGER_NS, (row, f)


def own_work_is_subtracted_once():
    """Also if the nested compilation resumes, as with a maker's second step."""
    with Place() as place:
        done, known = watched(place, job("within"), flags="linker=py")
    assert done.returncode == 0, done
    f = function(known, "f")
    [row] = applies(known, f)
    ready_ns = row["detail"]["make_thunk_ns"]
    assert WORK_NS <= ready_ns <= float(done.stdout) * NS, (row, done.stdout)
    assert ready_ns <= f["link_ns"] <= f["compile_ns"], (row, f)


# A row of the Compile pane, wide enough for all of its columns.
ROW = re.compile(r"^ +(\d+) +(?:[\d.]+|-) \S+ +(\S+) +(\S+) +(\S+) +(\S+) +(\S+) +(\S+) +(\S+) "
                 r"([a-z ]{8}) .{16} ((?:  )*)(\u25c6 )?(\S.*)$")


class Row:
    """One phase as the pane shows it. Unknown values stay `-`."""

    def __init__(self, found):
        (number, self.time, self.self, self.now, self.calls, self.validate, self.before,
         self.after, kind, indent, sign, self.name) = found.groups()
        self.number, self.depth, self.open = int(number), len(indent) // 2, bool(sign)
        self.kind = kind.rstrip()


def reports(path):
    """The rows of each complete report of the pane. A complete report has its trailer, and so
    rows."""
    with open(path, encoding="utf-8") as file:
        parts = re.split(r"^ Compile.*\n.*NAME\n", file.read(), flags=re.M)[1:]
    for part in parts:
        lines, *end = re.split(r"^.*  rows 1-\d+ of \d+$", part, maxsplit=1, flags=re.M)
        if end:
            rows = [ROW.match(line) for line in lines.splitlines()]
            assert rows and all(rows), lines
            yield [Row(row) for row in rows]


def pane(place, name):
    """(the process of a job whose Compile pane is printed, the path of the output)."""
    output = place.file("pane.txt")
    command = [watching.PROFTOP, "run", "-b", "-n", "0", "-d", "0.1", "--pane", "compile", "-o",
               output, "--", watching.need_python(), job(name)]
    env = place.env(PROFTOP_ADAPTERS=watching.ADAPTERS, COLUMNS="160", flags=PROFILED,
                    TRUTH=place.file("rewriters.json"))
    return subprocess.Popen(command, env=env, cwd=place.path, stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL), output


def shown(told, depth):
    """The framework's tree in the form of the pane: depth, name, nodes before and after."""
    yield depth, told[0], str(told[2]), str(told[3])
    for child in told[4]:
        yield from shown(child, depth + 1)


def the_pane_is_the_frameworks_own():
    with Place() as place:
        process, output = pane(place, "rewriters")
        process.communicate(timeout=watching.SECONDS)
        assert process.returncode == 0
        with open(place.file("rewriters.json"), encoding="utf-8") as file:
            told = json.load(file)
        rows = list(reports(output))[-1]
    assert [row.number for row in rows] == list(range(1, len(rows) + 1))
    assert [row.name for row in rows if row.depth == 0] == ["compile"]
    parts = [row.name for row in rows if row.depth == 1]
    assert parts == ["rewrite", "link"], parts
    theirs = list(shown(told, 2))
    assert len(theirs) > 40
    # Some phases without parts in the framework's record have parts in ours. They are left out
    # here.
    ours, wanted = [], iter(theirs)
    want = next(wanted)
    for row in rows:
        if want and (row.depth, row.name, row.before, row.after) == want:
            ours.append(want)
            assert row.calls == "1" and row.kind == "rewrite", vars(row)
            want = next(wanted, None)
    assert ours == theirs, (want, [vars(row) for row in rows])
    assert not any(row.open or row.now != "-" for row in rows)
    seq = next(row for row in rows if row.depth == 2)
    assert seq.validate == rows[0].validate != "-", (seq.validate, rows[0].validate)


def held_twice(process, output):
    """Reports of the blocked rewriter, once the time of open phases has advanced; else None."""
    assert process.poll() is None, process.returncode
    try:
        held = [rows for rows in reports(output) if "Held" in rows[-1].name]
    except FileNotFoundError:
        return None
    return held if len({rows[-1].now for rows in held}) >= 2 else None


def a_compilation_is_shown_while_it_runs():
    with Place() as place:
        process, output = pane(place, "held")
        held = tap.wait_for("two reports of the rewriter that is held",
                            lambda: held_twice(process, output), watching.SECONDS)
        printed, _ = process.communicate(b"\n", timeout=watching.SECONDS)
        assert (process.returncode, printed) == (0, b"3.0\n"), (process.returncode, printed)
        last = list(reports(output))[-1]
    for rows in held:
        going = [row.name for row in rows if row.open]
        assert going[0] == "compile" and "Held" in going[-1] and len(going) == 3, going
        assert all(row.now != "-" and row.time != "-" for row in rows if row.open)
        # The rewrites before it have ended, and are reported.
        assert any(row.name == "canonicalize" and not row.open and row.calls == "1"
                   for row in rows), [vars(row) for row in rows]
        assert rows[-1].calls == "0" and rows[-1].after == "-", vars(rows[-1])
        assert rows[-1].before == "2", vars(rows[-1])
    ended = next(row for row in last if "Held" in row.name)
    assert (ended.open, ended.calls, ended.now, ended.before, ended.after) == \
        (False, "1", "-", "2", "2"), vars(ended)


tap.run(*watching.of_each("phases_are_those_of_", phases_are_those_of_the_framework,
                          ("pytensor-2.31", *watching.MEMBERS)),
        *watching.of_each("phases_inside_a_scan_of_",
                          phases_inside_a_scan_are_in_the_making_of_its_node,
                          ("pytensor-2.31", *watching.MEMBERS)),
        notice_reports_unknown_source_lines, nodes_are_described, the_pane_is_the_frameworks_own,
        own_work_is_in_no_time_of_a_node, own_work_is_subtracted_once,
        a_compilation_is_shown_while_it_runs)

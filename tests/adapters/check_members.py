# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_members.py: every available member of Theano's family, with each of its linkers, under
`proftop run`. The job's output does not change. Every node is counted as the framework counts it.
Ops are equal if the framework calls them equal. Flags of `proftop run` reach the job."""
import ast
import collections
import json
import math
import re
import sys

sys.dont_write_bytecode = True
import watching  # noqa: E402
from watching import Place, applies, function, job, tap  # noqa: E402

STEPS, MANY_STEPS = 50, 1000
BETWEEN_NS = {"cvm": 100, "vm": 300}  # the clocks of a Python VM stand around a Python call
LINGER_NS = 2_000_000  # of jobs/member.py
# cvm; vm and vm_nogc; c|py and py: the best step of each.
ROUTES = "C VM by its pointer tables: 1 function; Python VM by its list of thunks: 2 functions; " \
    "linker without a VM by its list of thunks: 2 functions"
# x + y + z, in each package's notation, without rewrites.
OLD = ["Elemwise{add,no_inplace}(x, y)", "Elemwise{add,no_inplace}(Elemwise{add,no_inplace}.0, z)"]
SUMS = {"pytensor": ["Add(x, y)", "Add(Add.0, z)"], "aesara": OLD, "theano": OLD}
# Rewrites of the mode FAST_COMPILE, and of the optimizer fast_compile plus `fusion`.
QUICK = {"pytensor": ("fast_compile py_only", "fast_compile fusion"),
         "aesara": ("fast_compile", "fast_compile fusion"),
         "theano": ("fast_compile", "fast_compile fast_compile_gpu fusion")}


def one_member(name):
    """Runs the job watched while it profiles itself, which also fills the caches; then bare; then
    watched."""
    package, framework, flags = watching.MEMBERS[name]
    python, env = watching.need_member(name), watching.family(flags, name=name)
    with Place() as place:
        words = (job("member"), package, str(STEPS))
        told = place.file("truth.json")
        _, profiled = watching.watched_by(python, place, *words, TRUTH=told, **env)
        told = watching.truth(told)
        bare = watching.run([python, *words], place.env(**env), place.path)
        done, known = watching.watched_by(python, place, *words, **env)
    assert bare.returncode == done.returncode == 0, (bare.stderr, done.stderr)
    assert (bare.stdout, bare.stderr) == (done.stdout, done.stderr), (bare, done)
    assert known["jobs"][0]["framework"] == framework, known["jobs"]
    assert known["jobs"][0]["route"] == ROUTES, known["jobs"]
    nodes = dict(re.findall(r"^nodes (\S+) (.*)$", done.stdout.decode(), re.M))
    assert len(nodes) == 5, nodes
    for linker, texts in nodes.items():
        compare(known, linker, ast.literal_eval(texts))
    assert set(told) == {"cvm", "vm", "vm_nogc"}, set(told)
    for linker in told:
        watching.compare_calls(profiled, told, linker)
        compare_making(profiled, told[linker], function(profiled, linker))


@tap.all_only
def times_agree(name):
    """Times of nodes, of calls and of the VM, in the best of some runs, since other work on the
    machine falls between the clocks."""
    package, _, flags = watching.MEMBERS[name]
    python, env = watching.need_member(name), watching.family(flags, name=name)

    def run():
        far = {}
        with Place() as place:
            told = place.file("truth.json")
            _, known = watching.watched_by(python, place, job("member"), package, str(MANY_STEPS),
                                           *BETWEEN_NS, TRUTH=told, **env)
            spent, told = watching.truth(told, "calls"), watching.truth(told)
        for linker, between_ns in BETWEEN_NS.items():
            row = function(known, linker)
            for key, its in watching.calls_are_off(row, spent[linker]).items():
                far[linker, key] = its
            rows = applies(known, row)
            assert len(rows) == len(told[linker]) > 10, (rows, told)
            assert all(row["calls"] == calls == MANY_STEPS
                       for row, (_, calls, *_) in zip(rows, told[linker])), rows
            far.update(watching.nodes_are_off(
                {(linker, row["index"], row["name"]): (row, seconds * watching.NS, 0)
                 for row, (_, _, seconds, *_) in zip(rows, told[linker])}, between_ns))
        return far
    watching.best_of_runs(run)


def compare_making(known, told, row):
    """The time to make each node ready, at least LINGER_NS. The framework's clock stands around
    ours. Phases have the same times by op."""
    rows = applies(known, row)
    ours = [one["detail"]["make_thunk_ns"] for one in rows]
    theirs = [round(seconds * watching.NS) for *_, seconds in told]
    assert all(LINGER_NS <= a <= b + 1000 for a, b in zip(ours, theirs)), (ours, theirs)
    ops = {one["id"]: one["name"] for one in known["ops"]}
    phases = {one["name"]: one for one in known["rewrites"]
              if (one["kind"], one["function"]) == ("thunks", row["id"])}
    assert set(phases) == {ops[one["op"]] for one in rows}, (phases, rows)
    assert sum(one["calls"] for one in phases.values()) == len(rows), phases
    # The function's time excludes ours. A phase includes the time to begin and end it.
    spent = sum(one["total_ns"] for one in phases.values())
    assert sum(ours) <= min(spent, row["link_ns"]), (ours, spent, row)
    assert all(one["open_since_ns"] is None for one in phases.values()), phases


def compare(known, linker, texts):
    row = function(known, linker)
    rows = applies(known, row)
    assert row["calls"] == STEPS, row
    assert [one["name"] for one in rows] == texts, (linker, rows, texts)
    assert {one["calls"] for one in rows} == {STEPS}, (linker, rows)
    named = {one["id"]: one["name"] for one in known["lines"]}
    places = {named[one["line"]] for one in rows} - {None}
    assert len(places) > 2 and all(one.startswith(job("member") + ":") for one in places), places
    assert all(one["detail"]["rewrite"] != "" for one in rows) and \
        len({one["detail"]["rewrite"] for one in rows} - {None}) > 2, (linker, rows)
    impls = {one["impl"] for one in rows}
    assert impls == {"Py"} if linker == "py" else "C" in impls, (linker, impls)
    thunks = sum(one["total_ns"] for one in rows)
    assert 0 < thunks <= row["call_ns"], row
    assert (row["vm_ns"] is None) == (linker in ("py", "c|py")), row
    assert row["vm_ns"] is None or thunks <= row["vm_ns"] <= row["call_ns"], row
    assert 0 < row["validate_ns"] < row["rewrite_ns"], row
    assert 0 < row["link_ns"] and row["rewrite_ns"] + row["link_ns"] <= row["compile_ns"], row
    assert row["file"] == job("member") and row["line"] > 0, row
    assert row["mode"] == "Mode linker=%s optimizer=fast_run" % linker, row


def ops_of(python, package, name="", flags=""):
    """One row for each distinct op, whatever its text. The text is the first one's, as in the
    framework's own profile."""
    env = watching.family(flags, name=name)
    with Place() as place:
        words = (job("equals"), package)
        watching.run([python, *words], place.env(**env), place.path)  # compiles
        done, known = watching.beside_alone(python, place, *words, **env)
    told = json.loads(done.stdout.splitlines()[-1])
    rows = [[row["name"], row["applies"], row["calls"]] for row in known["ops"]]
    assert sorted(rows) == sorted(told), (rows, told)
    # Three equal ops in two functions, under two names. Of those with equal texts, three differ in
    # their contents, and three only in their identity.
    assert [row for row in rows if row[0] in ("First", "One", "Again")] == [["First", 4, 26]], rows
    assert sorted(row for row in rows if row[0] in ("Alike", "Own")) == [
        ["Alike", 1, 7], ["Alike", 1, 7], ["Alike", 2, 12],
        ["Own", 1, 5], ["Own", 1, 7], ["Own", 1, 7]], rows
    nodes = collections.Counter()
    for row in known["applies"]:
        nodes[row["op"]] += row["self_ns"]
    assert nodes == {row["id"]: row["self_ns"] for row in known["ops"]}, (nodes, known["ops"])


def ops_are_merged_where_they_are_equal():
    ops_of(watching.need_python(), "pytensor")


def evaluated(formula, inputs):
    """The value of a formula with these inputs."""
    names = dict({"exp": math.exp, "sqr": lambda x: x * x, "reciprocal": lambda x: 1 / x},
                 **{"i%d" % place: value for place, value in enumerate(inputs)})
    *lines, last = formula.split("; ")
    for line in lines:
        exec(line, names)
    return eval(last, names)


def fused_ops_of(name):
    """Their screen labels are formulas with the same values as the functions."""
    python, package, flags, folder = watching.member(name)
    with Place() as place:
        done, known = watching.watched_by(python, place, job("fused"), package,
                                          **watching.family(flags, name=folder))
    assert done.returncode == 0, done.stderr
    ops = {row["id"]: row for row in known["ops"]}
    told = re.findall(r"^(\w+) (\[.*\]) (\S+)$", done.stdout.decode(), re.M)
    assert len(told) == 3, done.stdout
    for function_name, inputs, value in told:
        [node] = applies(known, function(known, function_name))
        op = ops[node["op"]]
        assert "Composite{" in op["name"] and "Composite" not in op["display"], op
        found = evaluated(op["display"], ast.literal_eval(inputs))
        assert abs(found - float(value)) < 1e-9, (op, inputs, value)


def flags_reach(python, package, name="", own=""):
    """The linker and rewrites of `proftop run` are added to the user's flags, and take precedence.
    All else is as without proftop."""
    with Place() as place:
        done, _ = watching.beside_alone(python, place, job("flags"), package,
                                        **watching.family("floatX=float32", own, name=name))
        assert b"float32" in done.stdout.split(b"\nflags ")[1].split(b"\n")[0], done.stdout
    env = watching.family("floatX=float32,linker=cvm,profile=True", own, name=name)
    given = env[package.upper() + "_FLAGS"]

    def said(*options):
        with Place() as place:
            done, known = watching.watched_by(python, place, job("flags"), package,
                                              options=options, **env)
        assert done.returncode == 0, done.stderr
        told = dict(line.split(" ", 1) for line in done.stdout.decode().splitlines()[:4])
        assert bool(options) != (told["given"] == given) and told["given"].startswith(given), told
        rows = applies(known, function(known, "f"))
        linker, optimizer, *_ = told["flags"].split()
        assert function(known, "f")["mode"] == "Mode linker=%s optimizer=%s" % (
            linker, {"o4": "fast_run"}.get(optimizer, optimizer)), (told, known["functions"])
        nodes, compiled = ast.literal_eval(told["nodes"]), ast.literal_eval(told["c"])
        assert [row["name"] for row in rows] == nodes, (rows, told)
        assert [row["name"] for row in rows if row["impl"] == "C"] == compiled, (rows, told)
        return told["flags"], nodes, compiled, known

    _, fused, *_ = said()
    flags, nodes, compiled, known = said("--linker", "py", "--optimizer", "None")
    assert flags == "py None float32 Mode" and not compiled, (flags, compiled)
    assert [node for node in nodes if re.match(r"Add|Elemwise\{add", node)] == SUMS[package], nodes
    ops = [node.split("(")[0].lower() for node in nodes]
    for layer in ("tanh", "dot"):
        assert sum(layer in op for op in ops) == 2, nodes
    for rows in ("classes", "ops", "applies"):
        assert {row["impl"] for row in known[rows]} == {"Py"}, known[rows]
    flags, nodes, compiled, _ = said("--linker=c|py", "--optimizer=fast_run")
    assert flags == "c|py fast_run float32 Mode" and nodes == fused, (flags, nodes)
    assert 0 < len(compiled) < len(nodes), (compiled, nodes)


def flags_reach_the_job():
    flags_reach(watching.need_python(), "pytensor")


def flags_reach_member(name):
    package, _, own = watching.MEMBERS[name]
    flags_reach(watching.need_member(name), package, name, own)


def modes_of(name):
    """Each function has its own mode, whatever the job's flags are."""
    package, _, own = watching.MEMBERS[name]
    with Place() as place:
        done, known = watching.watched_by(
            watching.need_member(name), place, job("modes"), package,
            **watching.family("linker=vm,optimizer=fast_run", own, name=name))
    assert done.returncode == 0, done.stderr
    named, more = QUICK[package]
    assert {row["name"]: row["mode"] for row in known["functions"]} == {
        "plain": "Mode linker=vm optimizer=fast_run",
        "named": "FAST_COMPILE linker=vm,c_thunks=False optimizer=" + named,
        "own": "Own linker=py optimizer=None",
        "less": "Mode linker=vm optimizer=fast_run -fusion -inplace",
        "more": "Mode linker=cvm_nogc optimizer=" + more,
        "again": "Mode linker=vm optimizer=fast_run"}, known["functions"]


def ops_of_member(name):
    package, _, flags = watching.MEMBERS[name]
    ops_of(watching.need_member(name), package, name, flags)


THREE = "pytensor-2.31", "pytensor-3.0", "theano"


def modes_with_unseen_nodes_get_a_notice(name):
    """For MonitorMode and DebugMode the calls are known, and the reason why the nodes are not."""
    python, package, flags, folder = watching.member(name)
    env = watching.family(flags, name=folder)
    words = (job("unlisted"), package)
    with Place() as place:
        bare = watching.run([python, *words], place.env(**env), place.path)
        done, known = watching.watched_by(python, place, *words, **env)
    assert (bare.returncode, bare.stdout) == (done.returncode, done.stdout), (bare, done)
    rows = known["functions"]
    assert [(row["name"], row["calls"]) for row in rows] == [("monitored", 3), ("debugged", 3)]
    times = [(row["compile_ns"], row["link_ns"]) for row in rows]
    # For DebugMode in PyTensor 3 the begin of the compilation is not seen.
    assert (name == "pytensor-3.0") == (times[1][0] is None), rows
    known_whole = times[:1] if name == "pytensor-3.0" else times
    assert all(spent > link > 0 for spent, link in known_whole) and times[1][1] > 0, rows
    assert {row["vm_ns"] for row in rows} == {None}, rows
    assert not known["applies"], known["applies"]
    said = [one["text"] for one in known["notices"] if "not seen" in one["text"]]
    assert said == [
        "the nodes of monitored are not seen: a function calls each of them by itself, as "
        "MonitorMode's does", "the nodes of debugged are not seen: DebugMode runs each of them in "
        "several ways, to compare what they give"], said


def failed_compilations_are_reported(name):
    """And nothing of it remains in later compilations."""
    python, package, flags, folder = watching.member(name)
    env = watching.family("linker=py", flags, name=folder)
    with Place() as place:
        done, known = watching.beside_alone(python, place, job("failing"), package, **env)
    assert done.stdout.startswith(b"unused UnusedInputError\nbroken NotImplementedError\n"), done
    assert [one["text"] for one in known["notices"] if "failed" in one["text"]] == [
        "compiling unused failed", "compiling broken failed"], known["notices"]
    row = function(known, "sound")
    assert row["compile_ns"] > row["rewrite_ns"] + row["link_ns"] > 0 and row["calls"] == 1, row


tap.run(*watching.of_each("every_node_is_counted_in_", one_member,
                          gate=(watching.NUMBA,)),
        *watching.of_each("times_are_the_frameworks_in_", times_agree),
        ops_are_merged_where_they_are_equal,
        *watching.of_each("ops_are_merged_in_", ops_of_member), flags_reach_the_job,
        *watching.of_each("flags_reach_", flags_reach_member),
        *watching.of_each("fused_ops_are_written_out_in_", fused_ops_of,
                          (*watching.MEMBERS, "pytensor-2.31")),
        *watching.of_each("functions_have_modes_of_their_own_in_", modes_of),
        *watching.of_each("modes_with_unseen_nodes_get_a_notice_in_",
                          modes_with_unseen_nodes_get_a_notice, THREE),
        *watching.of_each("failed_compilations_are_reported_in_", failed_compilations_are_reported,
                          THREE))

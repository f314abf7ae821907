# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_pytensor.py: PyTensor jobs under `proftop run`, compared with PyTensor's own counts in the
same run, and with the same job without proftop."""
import functools
import json
import os
import re
import sys

sys.dont_write_bytecode = True
import watching  # noqa: E402
from watching import (Place, alone, applies, class_of, function, functions, job,  # noqa: E402
                      tap, watched)

STEPS = 1000
EVERY_ROW = "profile=True,profiling__n_apply=1000,profiling__output_line_width=100000"
# Calls and nodes of each class of train.
CLASSES = {
    "pytensor.tensor.blas.Gemv": (2 * STEPS, 2),
    "pytensor.tensor.elemwise.Elemwise": (4 * STEPS, 4),
    "pytensor.tensor.elemwise.DimShuffle": (4 * STEPS, 4),
    "pytensor.tensor.shape.Shape_i": (2 * STEPS, 2),
    "pytensor.tensor.math.Sum": (STEPS, 1),
    "pytensor.tensor.basic.AllocEmpty": (STEPS, 1),
    "pytensor.raise_op.Assert": (STEPS, 1),
}
# Linker: the best step of its functions, and the name of the step where it frees nothing.
PLAIN = "linker without a VM by its list of thunks"
ROUTES = {"cvm": "C VM by its pointer tables", "vm": "Python VM by its list of thunks",
          "c|py": PLAIN, "py": PLAIN}
GATE_LINKERS = ("cvm", "py")
KEEPING = {"cvm": "cvm_nogc", "vm": "vm_nogc", "py": "py,allow_gc=False"}


def routes_of(known):
    """The routes, without the number of functions of each."""
    return {one.rpartition(": ")[0] for one in known["jobs"][0]["route"].split("; ")}


def impls(rows):
    return sorted(row["impl"] for row in rows)


def the_job_does_not_notice():
    with Place() as place:
        alone(place, watching.LOGREG, "3")  # compiles everything once
        bare = alone(place, watching.LOGREG, "50")
        done, _ = watched(place, watching.LOGREG, "50")
    assert bare.returncode == done.returncode == 0, done.stderr
    assert bare.stdout == done.stdout and bare.stdout.startswith(b"sum(w) "), done.stdout
    assert bare.stderr == done.stderr, (bare.stderr, done.stderr)


def run_of_logreg():
    with Place() as place:
        return watched(place, watching.LOGREG, str(STEPS))[1]


@functools.lru_cache
def one_run():
    """The report of a run that several tests read and none changes."""
    return run_of_logreg()


def every_node_is_counted():
    known = one_run()
    train, predict = function(known, "train"), function(known, "predict")
    assert (train["calls"], predict["calls"]) == (STEPS, 1)
    nodes = applies(known, train)
    assert [row["calls"] for row in nodes] == [STEPS] * 15
    assert impls(nodes) == ["C"] * 13 + ["Py"] * 2
    assert [row["index"] for row in nodes] == list(range(15))
    once = applies(known, predict)
    assert [row["calls"] for row in once] == [1] * 5
    assert impls(once) == ["C"] * 4 + ["Py"]
    classes, names = {}, class_of(known)
    for row in nodes:
        calls, count = classes.get(names[row["op"]], (0, 0))
        classes[names[row["op"]]] = (calls + row["calls"], count + 1)
    assert classes == CLASSES, classes
    assert len({row["op"] for row in nodes}) == 11
    shared = {row["op"] for row in nodes} & {row["op"] for row in once}
    assert shared, "ops that are equal in two functions are one op"


SMALL = """import pytensor
import pytensor.tensor as pt
x = pt.dscalar("x")
pytensor.function([x], x + 1, mode="FAST_COMPILE")(1)
"""


def the_job_is_called_what_it_runs():
    with Place() as place:
        with open(place.file("small job.py"), "w", encoding="ascii") as file:
            file.write(SMALL)
        os.mkdir(place.file("pack"))
        with open(place.file("pack/__main__.py"), "w", encoding="ascii") as file:
            file.write("import sys\nsys.argv[0] = 'other'\n" + SMALL)
        for words, name in ((("small job.py", "x"), "small job.py"),
                            (("-m", "pack", "x"), "python -m pack"), (("pack",), "pack"),
                            (("-c", SMALL), "python -c")):
            done, known = watched(place, *words)
            assert done.returncode == 0, done.stderr
            # A job that changes argv[0] before the framework is imported has named itself.
            name = "other" if words == ("pack",) else name
            assert known["jobs"][0]["program"] == name, (words, known["jobs"][0]["program"])


@tap.all_only
def budgets_hold():
    """Parts add up to no more than the whole, and none is missing."""
    known = one_run()
    assert len(known["functions"]) == 2, known["functions"]
    for row in known["functions"]:
        thunks = sum(one["total_ns"] for one in applies(known, row))
        assert 0 < thunks <= row["vm_ns"] <= row["call_ns"], row
        assert 0 < row["validate_ns"] < row["rewrite_ns"], row
        assert 0 < row["link_ns"], row
        assert row["rewrite_ns"] + row["link_ns"] <= row["compile_ns"], row
        assert row["file"] == watching.LOGREG and row["line"] > 0, row
        assert row["parent"] is None, row


@tap.all_only
def most_of_the_vm_is_thunks():
    """Work of the machine between two nodes counts in the VM, so the best of three runs is
    taken."""
    shares = []
    while len(shares) < 3 and max(shares, default=0) < 0.9:
        known = run_of_logreg() if shares else one_run()
        train = function(known, "train")
        shares.append(sum(one["total_ns"] for one in applies(known, train)) / train["vm_ns"])
    assert max(shares) >= 0.9, shares


def one_profile(place, *words):
    """One run in which both sides count, with equal calls, ids and texts of every node. Returns our
    rows of train, the printed ones with their sum, and the distance of its calls."""
    done, known = watched(place, watching.LOGREG, *words, flags=EVERY_ROW)
    assert done.returncode == 0
    printed = watching.printed_profiles(done.stderr.decode())
    calls = watching.printed_calls(done.stderr.decode())["train"]
    assert set(printed) == {"train", "predict"} and len(calls) == 2, (set(printed), calls)
    for name, (_, nodes) in printed.items():
        rows = applies(known, function(known, name))
        ours = {row["index"]: (row["calls"], row["name"]) for row in rows}
        theirs = {number: (calls, text) for number, (calls, _, text) in nodes.items()}
        assert ours == theirs, (ours, theirs)
    train = function(known, "train")
    return applies(known, train), printed["train"], watching.calls_are_off(train, calls)


def sum_is_off(rows, theirs):
    """The share by which the sum of the nodes is below PyTensor's."""
    share = 1 - sum(row["total_ns"] for row in rows) / theirs
    sys.stdout.write("# sum of nodes: %.2f %% below PyTensor's\n" % (100 * share))
    return share


def nodes_are_off(rows, nodes):
    """By node: the distance of its time from the printed one, where 1 is the limit."""
    # The page rounds to three digits. That calls are equal was asserted.
    return watching.nodes_are_off({row["index"]: (row, nodes[row["index"]][1], 0.005)
                                   for row in rows})


def the_printed_profile_agrees():
    """Calls, ids and texts agree in every run. The time of each node agrees within 3 % or 100 ns a
    call in its best run, apart from the time between the two clocks, in which other work on the
    machine falls too. The same holds for calls and the VM, though PyTensor then times all nodes,
    which is in no call of either side. (predict is called once, and PyTensor's clock of whole
    microseconds is too coarse there.) With 100 samples, which fit in the caches: a node that
    empties them would put the time to fetch the counting code again between the clocks of the next
    node."""
    with Place() as place:
        def run():
            rows, (_, nodes), calls = one_profile(place, str(STEPS), "100")
            return {**nodes_are_off(rows, nodes), **calls}
        watching.best_of_runs(run)


@tap.all_only
def the_printed_sum_agrees():
    """Within 1 % in each of three runs, and never more than PyTensor's. The run has ten times the
    samples, so that a call takes milliseconds: PyTensor's interval includes half of either clock
    besides the node, 80 to 100 ns, and 13 of the 15 nodes take 200 ns for any number of samples.
    The run has so many calls that their sum outweighs the machine's other work between two
    clocks."""
    with Place() as place:
        for _ in range(3):
            rows, (thunks, _), _ = one_profile(place, str(STEPS), "4000")
            off = sum_is_off(rows, thunks * watching.NS)
            assert 0 <= off <= 0.01, off


def first_call_is_left_out_by_job_setting():
    with Place() as place:
        done, known = watched(place, watching.LOGREG, "20",
                              flags=EVERY_ROW + ",profiling__ignore_first_call=True")
    assert done.returncode == 0, done.stderr
    title = "Function profiling\n"
    [part] = [one for one in done.stderr.decode().split(title) if "  Message: train\n" in one]
    _, nodes = watching.printed_profiles(title + part)["train"]
    train = function(known, "train")
    assert train["calls"] == 19 and train["compile_ns"] > 0, train
    assert train["mode"] == "Mode linker=cvm optimizer=fast_run", train
    assert {row["index"]: row["calls"] for row in applies(known, train)} == \
        {number: calls for number, (calls, *_) in nodes.items()} == dict.fromkeys(range(15), 19)
    predict = function(known, "predict")  # it was called once
    assert not predict["calls"] and not applies(known, predict), predict
    assert "profiling.ignore_first_call=True" in known["jobs"][0]["facts"], known["jobs"]


def compile_times(place):
    """One run: (function, key) -> our time of that part of the compilation, and PyTensor's."""
    done, known = watched(place, watching.LOGREG, "3", flags="profile=True")
    times = {}
    for part in done.stderr.decode().split("Function profiling\n")[1:]:
        def seconds(words, part=part):
            return float(re.search(words + r"[^:]*: ([\d.e+-]+)s", part).group(1)) * watching.NS
        row = function(known, re.search(r"Message: (.*)", part).group(1))
        for key, theirs in (("compile_ns", seconds("Total compilation time")),
                            ("rewrite_ns", seconds("PyTensor rewrite time")),
                            ("validate_ns", seconds("PyTensor validate time")),
                            ("link_ns", seconds("PyTensor Linker time"))):
            times[row["name"], key] = row[key], theirs
    return times


@tap.all_only
def compile_times_are_the_frameworks():
    """Each part agrees within 5 % or 5 ms in its best of some runs: other work on the machine falls
    between the clocks here too."""
    with Place() as place:
        def run():
            far = {part: abs(ours - theirs) / max(0.05 * theirs, 5e6)
                   for part, (ours, theirs) in compile_times(place).items()}
            assert len(far) == 8, far
            return far
        watching.best_of_runs(run)


def a_function_that_is_made_in_two_steps_has_each_once():
    """The time of its maker and of its linking."""
    with Place() as place:
        def run():
            done, known = watched(place, job("makers"))
            whole, *theirs = [float(word) * watching.NS for word in done.stdout.split()]
            row = function(known, "made")
            parts = [row["rewrite_ns"], row["link_ns"]]
            assert sum(parts) < row["compile_ns"] < whole, (row, whole)
            return {which: abs(ours - its) / max(0.05 * its, 5e6)
                    for which, (ours, its) in enumerate(zip(parts, theirs))}
        watching.best_of_runs(run, 2)


def errors_pass_unchanged(linker):
    with Place() as place:
        flags = "linker=" + linker
        alone(place, job("errors"), flags=flags)
        bare = alone(place, job("errors"), flags=flags)
        done, known = watched(place, job("errors"), flags=flags)
    assert bare.returncode == done.returncode == 3, (bare.returncode, done.returncode)
    assert bare.stdout == done.stdout
    where = re.compile(rb"0x[0-9a-f]+")
    assert where.sub(b"", bare.stderr) == where.sub(b"", done.stderr), (bare.stderr, done.stderr)
    assert bare.stderr.count(b"Traceback") >= 5
    assert routes_of(known) == {ROUTES[linker]}, known["jobs"]
    in_c, in_python = function(known, "in_c"), function(known, "in_python")
    assert (in_c["calls"], in_python["calls"]) == (2, 2)
    assert {row["calls"] for row in applies(known, in_c)} == {2}
    calls = {row["name"]: row["calls"] for row in applies(known, in_python)}
    assert list(calls.values()) == [2, 2] and "picky" in next(iter(calls)), calls
    if linker == "c|py":
        return  # no release runs a Scan with this linker that frees its results
    in_a_step, steps = function(known, "in_a_step"), function(known, "steps")
    assert (in_a_step["calls"], steps["calls"]) == (2, 3 + 2 + 3), known["functions"]
    assert {row["calls"] for row in applies(known, steps)} == {8}, applies(known, steps)


def many_nodes_and_hostile_names_pass_unchanged():
    with Place() as place:
        bare = alone(place, job("large"))
        done, known = watched(place, job("large"))
    assert bare.returncode == done.returncode == 0, done.stderr
    assert bare.stdout == done.stdout and bare.stdout.endswith(b"[10006. 10006.]\n")
    assert bare.stderr == done.stderr
    [row] = known["functions"]
    name = row["name"]
    assert name.startswith("a%s%n{0}\n??b\x1b[31mnnn") and len(name) < 10000, name
    counted = applies(known, row)
    assert [one["index"] for one in counted] == list(range(10000))
    assert {one["calls"] for one in counted} == {7}
    assert "more}(x %s%n{}\n??\x1b[31mxxx" in counted[0]["name"], counted[0]["name"][:40]


def a_lazy_graph_counts_as_the_framework_does():
    with Place() as place:
        told = place.file("truth.json")
        done, known = watched(place, job("lazy"), TRUTH=told)
        assert done.returncode == 0, done.stderr
        told = watching.truth(told)
    for name in ("choose", "always"):
        watching.compare_calls(known, told, name)
    counts = {name: {row["name"]: row["calls"] for row in applies(known, function(known, name))}
              for name in told}
    # Two branches, the condition, and the deciding node, which is called for each value it asks
    # for.
    assert sorted(counts["choose"].values()) == [2, 3, 5, 15], counts
    assert sorted(counts["always"].values()) == [0, 5, 5, 15], counts
    for some in counts.values():
        assert [calls for text, calls in some.items() if text.startswith("if{")] == [15], counts


def other_vms_count_as_the_framework_does():
    with Place() as place:
        told = place.file("truth.json")
        env = {"TRUTH": told, "flags": "profile=True"}
        bare = alone(place, job("linkers"), **env)
        done, known = watched(place, job("linkers"), **env)
        assert done.returncode == 0, done.stderr
        told = watching.truth(told)
    assert bare.stdout == done.stdout
    assert set(told) == {"cvm", "cvm_keep", "loop", "loop_keep", "stack"}
    for name in told:
        watching.compare_calls(known, told, name)
        assert function(known, name)["vm_ns"] > 0
    for name in ("py", "c_py", "c"):
        row = function(known, name)
        assert row["calls"] == 6 and row["vm_ns"] is None, row
    assert not applies(known, row) and row["thunk_ns"] is None, row
    assert [one["text"] for one in known["notices"] if "not seen" in one["text"]] == [
        "the nodes of c are not seen: they are compiled into one function"], known["notices"]
    nodes = dict(re.findall(r"^nodes (\w+) (.*)$", done.stdout.decode(), re.M))
    for name, impl in (("py", {"Py"}), ("c_py", {"C", "Py"})):
        rows = applies(known, function(known, name))
        assert repr([row["name"] for row in rows]) == nodes[name], (rows, nodes)
        assert {row["calls"] for row in rows} == {6} and {row["impl"] for row in rows} == impl
        assert sum(row["total_ns"] for row in rows) <= function(known, name)["call_ns"]


def backend(python, flags=""):
    """Runs jobs/backend.py with JAX. Its output is the same alone and under `run`. Returns the
    output and the report."""
    with Place() as place:
        env = watching.family(flags, name="backend")
        words = (job("backend"), "JAX")
        watching.run([python, *words], place.env(**env), place.path)  # compiles
        done, known = watching.beside_alone(python, place, *words, **env)
    usual = function(known, "usual")
    assert {row["calls"] for row in applies(known, usual)} == {usual["calls"]} == {2}, usual
    return done.stdout.decode(), known


@tap.all_only
def calls_of_jax_functions_are_counted():
    """And nothing else is known of it. The rest of the job has its nodes."""
    said, known = backend(watching.need_member("pytensor-jax"))
    row = function(known, "whole")
    assert said.count("whole ") == row["calls"] == 30 and not applies(known, row), (said, row)
    assert 0 < row["call_ns"] and 0 < row["link_ns"] <= row["compile_ns"], row
    assert row["vm_ns"] is None and row["thunk_ns"] is None, row
    assert [one["text"] for one in known["notices"] if "seen" in one["text"]] == [
        "the nodes of whole are not seen: JAX compiles them into one function, whose calls return "
        "before it has done their work"], known["notices"]


@tap.all_only
def jax_functions_taken_by_nutpie_have_unknown_calls():
    """It calls that code without the function, so 0 would be wrong."""
    with Place() as place:
        folder = os.path.join(place.path, "site-packages", "nutpie")
        os.makedirs(folder)
        with open(os.path.join(folder, "compile_pymc.py"), "w", encoding="utf-8") as file:
            file.write("from pytensor import function as made\n\n\n"
                       "def function(*args, **kwargs):\n    return made(*args, **kwargs)\n")
        done, known = watching.watched_by(
            watching.need_member("pytensor-jax"), place, job("taken"), "JAX",
            **watching.family(name="backend"))
    assert done.stdout == b"ended\n", done
    calls = {row["name"]: row["calls"] for row in known["functions"]}
    assert calls == {"own": 30, "taken": None}, calls
    texts = [one["text"] for one in known["notices"]]
    assert "the nodes of taken are not seen: nutpie takes its code out of it, which has no marks" \
        in texts and not [text for text in texts if "are counted" in text], texts


def missing_jax_is_reported_by_the_framework():
    python = watching.need_python()
    with Place() as place:
        found = watching.run([python, "-c", "import jax"], place.env(), place.path)
    if found.returncode == 0:
        raise tap.Skip("the Python of PROFTOP_TEST_PYTHON has JAX")
    said, known = backend(python)
    assert "without: No module named 'jax'" in said, said
    assert "whole" not in {row["name"] for row in known["functions"] if row["calls"]}, known


def functions_inside_nodes_have_them_as_parents(linker):
    # With c|py alone no release runs a Scan that frees its results.
    flags = "linker=%s%s" % (linker, ",allow_gc=False" if linker == "c|py" else "")
    with Place() as place:
        alone(place, job("inner"), flags=flags)
        bare = alone(place, job("inner"), flags=flags)
        done, known = watched(place, job("inner"), flags=flags)
    assert bare.returncode == done.returncode == 0, done.stderr
    assert (bare.stdout, bare.stderr) == (done.stdout, done.stderr), (bare, done)
    assert routes_of(known) == {ROUTES[linker]}, known["jobs"]
    nodes = {row["id"]: row for row in known["applies"]}
    outer, box = function(known, "outer"), function(known, "box")
    assert outer["calls"] == box["calls"] == 20
    assert outer["parent"] is None and box["parent"] is None
    inner = [row for row in known["functions"] if row["parent"] is not None]
    parents = sorted(nodes[row["parent"]]["function"] for row in inner)
    assert parents == sorted([outer["id"], box["id"]]), known["functions"]
    for row in inner:
        parent = nodes[row["parent"]]
        times = 100 if parent["function"] == outer["id"] else 1
        assert row["calls"] == 20 * times, row
        assert {one["calls"] for one in applies(known, row)} == {20 * times}, applies(known, row)
        assert row["call_ns"] <= parent["total_ns"], (row, parent)
        keeps = parent["function"] == outer["id"] and linker in KEEPING  # a Scan keeps all
        assert row["mode"] == "Mode linker=%s optimizer=fast_run" % (
            KEEPING[linker] if keeps else linker), row
        assert parent["self_ns"] < parent["total_ns"], parent
        told = {"step": 100, "steps": 100} if times == 100 else {"step": None, "steps": None}
        assert parent["metrics"] == told, parent
    # The inside of a node is in the sum once: as its own time, not as the node's.
    roots = sum(row["total_ns"] for one in (outer, box) for row in applies(known, one))
    assert sum(row["self_ns"] for row in known["applies"]) == roots > 0, known["functions"]


def by_each_linker(test):
    """script/check leaves out two that few programs choose."""
    for linker in ROUTES:
        def one(linker=linker):
            test(linker)
        one.__name__ = "%s_by_%s" % (test.__name__, re.sub(r"\W", "_", linker))
        yield one if linker in GATE_LINKERS else tap.all_only(one)


def only_chosen_functions_are_counted():
    """A function with a profile of its own keeps it, chosen or not."""
    with Place() as place:
        done, known = watched(place, job("chosen"), PROFTOP_FUNCTIONS="f", flags="profile=False")
        assert done.returncode == 0, done.stderr
        chosen = known["applies"]
        both = watched(place, job("chosen"), flags="profile=False")
    assert done.stdout == both[0].stdout and done.stdout.startswith(b"None 3 [3"), done.stdout
    f = function(known, "f")
    counted = [row for row in chosen if row["calls"]]
    assert {row["function"] for row in counted} == {f["id"]} and f["calls"] == 3, chosen
    assert {row["calls"] for row in counted} == {3} and counted == applies(known, f), counted
    left_out = [row for row in chosen if row not in counted]
    assert {row[key] for row in left_out for key in ("calls", "total_ns", "timed")} == {None}
    assert {row["calls"] for row in functions(known, "g")} == {None}, known["functions"]
    assert known["jobs"][0]["filter"] == {"functions": "f", "kinds": []}
    assert both[1]["jobs"][0]["filter"] == {"functions": None, "kinds": []}
    assert [row["calls"] for row in both[1]["functions"]] == [3, 3], both[1]["functions"]


def a_chosen_function_is_counted_inside_a_loop():
    with Place() as place:
        done, known = watched(place, job("chosen_inside"), PROFTOP_FUNCTIONS="valid")
    assert done.returncode == 0, done.stderr
    valid, train = function(known, "valid"), function(known, "train")
    assert valid["calls"] in (None, 15) and train["calls"] is None, known["functions"]
    assert {row["calls"] for row in applies(known, valid)} == {15}, known["applies"]
    outer = applies(known, train)
    assert outer and {row[key] for row in outer for key in ("calls", "self_ns")} == {None}, outer


def a_fused_node_names_its_line():
    with open(job("lines"), encoding="utf-8") as file:
        line = 1 + next(at for at, text in enumerate(file) if "THE LINE" in text)
    with Place() as place:
        done, known = watched(place, job("lines"), "pytensor")
    assert done.returncode == 0, done.stderr
    names = {row["id"]: row["name"] for row in known["lines"]}
    nodes = applies(known, function(known, "f"))
    assert [names[row["line"]] for row in nodes] == ["%s:%d" % (job("lines"), line)], known["lines"]
    for figure in ("calls", "self_ns", "total_ns"):
        sums = {table: sum(row[figure] for row in known[table])
                for table in ("lines", "classes", "ops", "applies")}
        assert len(set(sums.values())) == 1, sums


def cells_of_a_notebook_are_lines():
    with Place() as place:
        done, known = watched(place, job("cells"))
    assert done.returncode == 0, done.stderr
    names = {row["id"]: row["name"] for row in known["lines"]}
    lines = [{names[row["line"]] for row in applies(known, function(known, "f%d" % cell))}
             for cell in range(3)]
    assert lines == [{"In[3]:2"}, {"In[?]:2"}, {"In[5]:2"}], known["lines"]
    assert {row["name"] for row in known["functions"]} == {
        "f0", "f1", "f2", "In[3]:4", "In[?]:4", "In[5]:4"}, known["functions"]


def no_line_is_of_python_itself():
    """Some stacks that the framework keeps end in functools, above which the framework itself
    stands."""
    with Place() as place:
        done, known = watched(place, job("deep"))
    assert done.returncode == 0, done.stderr
    files = dict(json.loads(done.stdout.splitlines()[-1]))
    deep = {text for text, those in files.items()
            if job("deep") not in those and any("functools" in file for file in those)}
    assert deep, files
    names = {row["id"]: row["name"] for row in known["lines"]}
    lines = {row["name"]: names[row["line"]] for row in applies(known, function(known, "step"))}
    assert {lines[text] for text in deep} == {None}, lines
    assert {line.rpartition(":")[0] for line in lines.values() if line} == {job("deep")}, lines


LIBRARY = "from pytensor import tensor\ndef double(x):\n    return tensor.exp(x) * 2\n"
CALLER = """import numpy, pytensor, library
x = pytensor.tensor.dvector()
f = pytensor.function([x], library.double(x), name="f")
print(library.__file__, f(numpy.zeros(3)))
"""


def a_library_of_another_installation_is_not_the_program():
    """As with Debian's package, below a virtual environment that uses the system's packages too."""
    with Place() as place:
        for path, text in (("dist-packages/library.py", LIBRARY), ("caller.py", CALLER)):
            os.makedirs(os.path.dirname(place.file(path)), exist_ok=True)
            with open(place.file(path), "w", encoding="utf-8") as file:
                file.write(text)
        done, known = watched(place, place.file("caller.py"),
                              PYTHONPATH=place.file("dist-packages"))
        assert done.returncode == 0 and b"dist-packages/library.py [2. 2. 2.]" in done.stdout, done
        names = {row["id"]: row["name"] for row in known["lines"]}
        nodes = applies(known, function(known, "f"))
        assert {names[row["line"]] for row in nodes} == {place.file("caller.py") + ":3"}, names


REWROTE = re.compile(r"^rewriting: rewrite (\S+) replaces .* with .*\.\d+ of (.*)$", re.M)


def made_by(*words):
    """The nodes of f with the rewrite that made each, compared with PyTensor's own record of its
    rewrites, by the text that a node had then."""
    with Place() as place:
        done, known = watched(place, *words, flags="optimizer_verbose=True")
    assert done.returncode == 0, done.stderr
    rows = applies(known, function(known, "f"))
    return ({row["name"]: row["detail"]["rewrite"] for row in rows},
            {text: name for name, text in REWROTE.findall(done.stdout.decode())})


def nodes_name_the_rewrite_that_made_them():
    ours, theirs = made_by(job("lines"), "pytensor")
    [(text, name)] = ours.items()
    assert theirs[text] == name == "local_inline_composite_constants", (ours, theirs)
    ours, theirs = made_by(job("products"), "3")
    found = {text.split("{")[0]: name for text, name in ours.items()}
    assert found["Gemv"] == theirs[next(text for text in ours if text.startswith("Gemv"))], found
    # Nodes requested as replacements, and nodes made beside them, are known by name alone.
    assert found["AllocEmpty"] in theirs.values() and found["Shape_i"] == "local_shape_to_shape_i"
    assert found["Gemm"] == "GemmOptimizer" and None not in found.values(), found


def nothing_is_kept_alive():
    with Place() as place:
        bare = alone(place, job("freed"))
        done, known = watched(place, job("freed"))
    assert done.returncode == 0, done.stderr
    assert bare.stdout == done.stdout, (bare.stdout, done.stdout)
    assert done.stdout.startswith(b"5 alive 0\n5 alive 0\n5 alive "), done.stdout
    models = watching.functions(known, "model")
    assert [row["calls"] for row in models] == [1] * 5, models  # the finalizer's have no row
    assert function(known, "kept copy")["calls"] == 4
    # For the framework, functions made by pickle have the name of the first.
    assert {row["name"]: row["calls"] for row in known["functions"] if "kept" in row["name"]} == {
        "kept": 3, "kept copy": 4, "kept (copy)": 5, "kept (copy 2)": 1, "kept copy (copy)": 1}


def taking_it_away_leaves_nothing():
    with Place() as place:
        done, known = watched(place, job("unpatch"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(b"clean "), done.stdout
    row = function(known, "f")
    assert row["calls"] == 7, row
    assert {one["calls"] for one in applies(known, row)} == {7}
    assert 0 < row["vm_ns"] < row["call_ns"], row
    for linker in ("py", "c|py"):
        row = function(known, linker)
        assert {one["calls"] for one in applies(known, row)} == {row["calls"]} == {4}, row
    assert function(known, "later")["calls"] == 0, known["functions"]


def vm_of_unknown_layout_is_left_alone():
    """A VM with another layout counts itself. Also if the job fails."""
    for code in (1, 4, 0):
        with Place() as place:
            bare = alone(place, job("untried"), *([str(code)] if code else []))
            done, known = watched(place, job("untried"), *([str(code)] if code else []))
        assert bare.returncode == done.returncode == code, (bare, done)
        assert bare.stdout == done.stdout and done.stdout, (bare, done)
        assert bare.stderr == done.stderr and (b"Traceback" in done.stderr) == (code == 1), done
    for name in ("altered", "plain"):
        row = function(known, name)
        assert row["calls"] == 3 and row["call_ns"] > 0 and row["compile_ns"] > 0, row
        assert {one["calls"] for one in applies(known, row)} == {3}
    said = [one["text"] for one in known["notices"] if "altered" in one["text"]]
    assert len(said) == 1 and "not laid out as known" in said[0], known["notices"]


def forks_and_threads_go_on():
    with Place() as place:
        done, known = watched(place, job("fork"), options=["--children"])
    assert (done.returncode, done.stdout) == (0, b"done\n"), done
    main, *children = known["jobs"]
    # The first is forked and ends by os._exit, the second calls nothing, the third is a worker.
    assert [one["parent"] for one in children] == [main["instance"]] * 2, known["jobs"]
    forked, worker = [function(known, "f", one["id"]) for one in children]
    assert (forked["calls"], worker["calls"]) == (1001, 1000), (forked, worker)
    assert {row["calls"] for row in applies(known, worker)} == {1000}
    assert worker["compile_ns"] is None and function(known, "g", worker["job"])["calls"] == 0
    assert function(known, "f")["calls"] == 310
    assert function(known, "g")["calls"] == 400
    assert {row["calls"] for row in applies(known, function(known, "g"))} == {400}


@tap.all_only
def unwatched_workers_are_reported():
    with Place() as place:
        done, known = watched(place, job("fork"))
    assert (done.returncode, done.stdout) == (0, b"done\n"), done
    said = [one["text"] for one in known["notices"] if "--children" in one["text"]]
    assert len(said) == len(known["jobs"]) == 1, known["notices"]


def a_child_is_not_in_the_look_of_a_lost_thread(linker):
    """The first call seen in the child is its own."""
    with Place() as place:
        done, _ = watched(place, job("looked"), flags="linker=" + linker)
    assert (done.returncode, done.stdout) == (0, b"5\n3\n"), done


def a_job_that_uses_pyzmq_is_left_alone():
    with Place() as place:
        probe = watching.run([watching.need_python(), "-c", "import zmq"], place.env(), place.path)
        if probe.returncode:
            raise tap.Skip("the Python of PROFTOP_TEST_PYTHON has no pyzmq")
        bare = alone(place, job("zeromq"))
        done, known = watched(place, job("zeromq"))
    assert done.returncode == 0, done.stderr
    assert bare.stdout == done.stdout
    row = function(known, "f")
    assert row["calls"] == 4000, row


tap.run(the_job_does_not_notice, every_node_is_counted, the_job_is_called_what_it_runs,
        budgets_hold, most_of_the_vm_is_thunks,
        the_printed_profile_agrees, the_printed_sum_agrees,
        first_call_is_left_out_by_job_setting,
        compile_times_are_the_frameworks, a_function_that_is_made_in_two_steps_has_each_once,
        *by_each_linker(errors_pass_unchanged),
        many_nodes_and_hostile_names_pass_unchanged,
        a_lazy_graph_counts_as_the_framework_does, other_vms_count_as_the_framework_does,
        calls_of_jax_functions_are_counted, jax_functions_taken_by_nutpie_have_unknown_calls,
        missing_jax_is_reported_by_the_framework,
        *by_each_linker(functions_inside_nodes_have_them_as_parents),
        only_chosen_functions_are_counted, a_chosen_function_is_counted_inside_a_loop,
        a_fused_node_names_its_line, cells_of_a_notebook_are_lines,
        no_line_is_of_python_itself,
        a_library_of_another_installation_is_not_the_program,
        nodes_name_the_rewrite_that_made_them, nothing_is_kept_alive,
        taking_it_away_leaves_nothing, vm_of_unknown_layout_is_left_alone,
        *by_each_linker(a_child_is_not_in_the_look_of_a_lost_thread),
        forks_and_threads_go_on, unwatched_workers_are_reported,
        a_job_that_uses_pyzmq_is_left_alone)

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_torch.py: ops of real PyTorch jobs have the counts that torch.profiler has of the same run,
each name, whether proftop starts the job or attaches to it while it runs."""
import ast
import json
import os
import sys

sys.dont_write_bytecode = True
from attaching import Job, ask, look, look_until  # noqa: E402
from watching import (ADAPTERS, PROFTOP, Place, class_of, compiledir, examined, job,  # noqa: E402
                      need_member, of_each, run, tap, watched_by)

JOBS = job("torch_jobs")
STEPS = {"names": 2, "dataloader": 5, "compiled": 20}  # else:
FEW = 30
ALIKE, NAMES = 32, 10000  # rows of names that differ in digits alone; names of the job
# What torch.compile may keep between the tests of a build, and no pool of processes of its own.
COMPILE = {"TORCHINDUCTOR_COMPILE_THREADS": "1", "TORCHINDUCTOR_CPP_CACHE_PRECOMPILE_HEADERS": "0"}


def environment(place, **more):
    """`place` has a cache of its own: the first job of a test tries the callbacks."""
    return dict({"XDG_CACHE_HOME": place.file("cache"), "PROFTOP_BUDGET": "0",
                 "TORCHINDUCTOR_CACHE_DIR": compiledir("torch")}, **COMPILE, **more)


def counts(known, number=0, modules=False):
    """{name of an op: [calls, its own us]} of one job; or of a module. Modules are no ops of
    PyTorch, and neither are compilations."""
    classes = class_of(known)
    return {row["name"]: [row["calls"], row["self_ns"] / 1e3] for row in known["ops"]
            if row["job"] == number and row["calls"] and classes[row["id"]] != "compiler" and
            (classes[row["id"]] == "module") == modules}


def written(place, name, text):
    """The path of a program of this text."""
    with open(place.file(name), "w", encoding="utf-8") as file:
        file.write(text)
    return place.file(name)


def truth_of(file):
    with open(file, encoding="utf-8") as text:
        return {key or "(no name)": value for key, value in json.load(text).items()}


def agrees(known, truth, number=0):
    """Calls are equal, name by name. Times are of two clocks, with the callbacks of both in
    between."""
    ours = counts(known, number)
    assert {key: value[0] for key, value in ours.items()} == {
        key: value[0] for key, value in truth.items()}, (ours, truth)
    own, theirs = (sum(value[1] for value in of.values()) for of in (ours, truth))
    assert 0.8 * theirs < own < 1.25 * theirs, (own, theirs)


def loss_of(done):
    line = done.stdout.decode().splitlines()[-1]
    assert line.startswith("loss "), done
    return line


def is_clean(known):
    """Nothing was lost, misused, or left open."""
    for one in known["jobs"]:
        assert (one["misuse"], one["invalid"], one["dropped"]) == (0, 0, 0), one
    assert {row["name"] for row in known["counters"] if row["domain"] == "torch" and
            row["unit"] is None} <= {"steps", "steps counted"}, known["counters"]


def counts_equal(name, member="torch"):
    """Setup, first step and all others, of a job that proftop starts."""
    python = need_member(member)
    with Place() as place:
        file, steps = place.file("truth.json"), str(STEPS.get(name, FEW))
        bare = run([python, JOBS, name, steps], place.env(**environment(place)), place.path)
        done, known = watched_by(python, place, JOBS, name, steps, "--whole", "--truth", file,
                                 **environment(place))
        truth = truth_of(file)
    assert done.returncode == bare.returncode == 0, (done, bare)
    assert loss_of(done) == loss_of(bare), (done, bare)
    agrees(known, truth)
    is_clean(known)
    assert known["jobs"][0]["framework"] == "PyTorch", known["jobs"]
    assert known["jobs"][0]["share"] == 1, known["jobs"]


def counts_equal_in_the_newest_release():
    for name in "tfm", "compiled":
        counts_equal(name, "torch-2.14")


def classes_and_phases_follow_from_the_names():
    """The sum of the phases is no more than the time of the steps, and no less than the ops."""
    python = need_member("torch")
    with Place() as place:
        done, known = watched_by(python, place, JOBS, "mlp", str(FEW), **environment(place))
    assert done.returncode == 0, done
    row = {one["name"]: one for one in known["classes"]}
    # `detach` has no namespace
    assert set(row) == {"aten", "autograd", "optimizer", "module", "op"}, row
    phase = {one["name"]: one for one in known["functions"]}
    assert set(phase) == {"forward", "backward", "optimizer step"}, phase
    steps = FEW + 1
    assert phase["backward"]["calls"] >= steps <= phase["optimizer step"]["calls"], phase
    step, = [one for one in known["spans"] if one["name"] == "step"]
    assert step["calls"] == FEW, step
    part = {one["name"]: one["value"] for one in known["counters"]
            if one["unit"] == "ns in counted steps"}
    whole = part.pop("step")
    assert set(part) == set(phase), part
    assert 0.5 * whole < sum(part.values()) <= whole <= step["total_ns"] * 1.01, (part, step)
    calls_ns = sum(one["call_ns"] for one in phase.values())
    assert sum(one["self_ns"] for one in known["ops"]) <= 1.01 * calls_ns, phase
    op = {one["name"]: one for one in known["ops"]}
    linear, mm = op["aten::linear"], op["aten::addmm"]
    assert {(one["name"], one["how"]) for one in known["metrics"]} == {
        ("incl", "inclusive"), ("alloc", "sum"), ("freed", "sum")}, known["metrics"]
    whole = {name: one["metrics"]["incl"] for name, one in op.items()}
    assert row["aten"]["metrics"]["incl"] is None, row["aten"]  # its ops overlap
    assert whole["aten::linear"] >= linear["self_ns"] + whole["aten::addmm"] * 0.99, (whole, linear)
    assert whole["aten::addmm"] >= 0.99 * mm["self_ns"], (whole, mm)
    assert {one["name"] for one in known["applies"]} >= {
        "aten::linear in Sequential.0 (Linear)", "aten::addmm in aten::linear",
        "aten::mm in AddmmBackward0"}


MODULES = """
import copy, pickle, sys, traceback
import torch
from torch import nn
torch.set_num_threads(1)
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 4)
        self.rest = nn.ModuleList([nn.Linear(4, 4), nn.ReLU()])
    def forward(self, x, fails=False):
        x = self.first(x)
        for one in self.rest:
            x = one(x)
        return x.view(7) if fails else x
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.Sequential(Block(), Block())
        self.depth = 0
    def forward(self, x):
        self.depth += 1
        if self.depth % 3:
            x = self(x)  # inside itself
        self.depth -= 1
        return self.blocks(x)
net = Net()
x = torch.ones(2, 4)
net(x)
for _ in range(5):
    try:
        net.blocks[1](x, fails=True)
    except RuntimeError:
        print(len(traceback.format_exc().splitlines()))
net.late = nn.Linear(4, 4)
net.late(x)
copy.deepcopy(net)(x)
pickle.loads(pickle.dumps(net.blocks))(x)
print(nn.Module.__call__.__name__, net.__call__.__self__ is net)
class Watched(nn.Module):
    def forward(self, x, scale=1):
        return x * scale
class Traced(Watched):
    pass
print(torch.jit.trace(Traced(), x, check_trace=False).graph)
class Mode(torch.overrides.TorchFunctionMode):
    def __torch_function__(self, function, types, args=(), kwargs=None):
        print(function.__name__)
        return function(*args, **(kwargs or {}))
class Called(Watched):
    pass
with Mode():
    Called()(x)
class Mine(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        print("mine", function.__name__)
        return super().__torch_function__(function, types, args, kwargs)
Watched()(x.as_subclass(Mine))
class Seen(Watched):
    pass
Seen()(x, scale=torch.ones(2, 1, dtype=torch.int16))
"""


def modules_are_named_by_their_path():
    """Recursion, exceptions, a module that came later, and copies: each call counts once, and ops
    count in the module that called them. The job sees no difference."""
    python = need_member("torch")
    with Place() as place:
        path = written(place, "modules.py", MODULES)
        bare = run([python, path], place.env(), place.path)
        done, known = watched_by(python, place, path, **environment(place))
    assert (bare.returncode, bare.stdout, bare.stderr) == (0, done.stdout, done.stderr), (
        bare, done)
    # net is called three times for one call, and so is its copy: twice that. Its last block by
    # itself five times. The copy by pickle has another root.
    calls = {name: value[0] for name, value in counts(known, modules=True).items()}
    assert calls == {
        "Net": 6, "Net.blocks (Sequential)": 6, "Net.blocks.0 (Block)": 6,
        "Net.blocks.0.first (Linear)": 6, "Net.blocks.0.rest.0 (Linear)": 6,
        "Net.blocks.0.rest.1 (ReLU)": 6, "Net.blocks.1 (Block)": 11,
        "Net.blocks.1.first (Linear)": 11, "Net.blocks.1.rest.0 (Linear)": 11,
        "Net.blocks.1.rest.1 (ReLU)": 11, "Linear": 1, "Sequential": 1,
        "Sequential.0 (Block)": 1, "Sequential.0.first (Linear)": 1,
        "Sequential.0.rest.0 (Linear)": 1, "Sequential.0.rest.1 (ReLU)": 1,
        "Sequential.1 (Block)": 1, "Sequential.1.first (Linear)": 1,
        "Sequential.1.rest.0 (Linear)": 1, "Sequential.1.rest.1 (ReLU)": 1,
        "Traced": 1, "Called": 1, "Watched": 1, "Seen": 1}, calls
    assert b"aten::size" not in done.stdout and b"mine mul" in done.stdout, done  # it would be seen
    row = {one["name"]: one for one in known["applies"]}
    shape = {name: one["shapes"] for name, one in row.items()}
    assert shape["Net"] == shape["Net.blocks.0 (Block) in Net.blocks (Sequential)"] == \
        "float32[2,4] -> ", shape
    assert shape["Seen"] == "float32[2,4], int16[2,1] -> ", shape
    assert shape["Traced"] is shape["Called"] is None, shape
    assert shape["Watched"] in (None, " -> "), shape
    assert row["aten::linear in Net.blocks.1.first (Linear)"]["calls"] == 11, row
    assert row["aten::view in Net.blocks.1 (Block)"]["calls"] == 5, row
    is_clean(known)


AMID = """
import select, sys, torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = torch.nn.Linear(4, 4), torch.nn.Linear(4, 4)
    def forward(self, x, waits=False):
        x = self.first(x)
        if waits:
            print("ready", flush=True)
            while not select.select([sys.stdin], [], [], 0.01)[0]:
                pass
            sys.stdin.readline()
        return self.second(x)
net, x = Net(), torch.ones(1, 4)
net(x, True)
for _ in range(3):
    net(x)
print("done", flush=True)
while not select.select([sys.stdin], [], [], 0.01)[0]:
    pass
print("ended")
"""


def modules_get_their_paths_after_an_attach_amid_a_call():
    """The call that goes on is not seen, so a module inside it is the outermost one there."""
    python = need_member("torch")
    with Place() as place:
        words = [python, written(place, "amid.py", AMID)]
        with Job(words, place.env(**environment(place))) as amid:
            look(place, amid)
            amid.process.stdin.write(b"\n")
            amid.process.stdin.flush()
            amid.wait_for("done")
            known = look_until(place, amid, lambda known: counts(known, modules=True).get(
                "Net", [0])[0] == 3)
            amid.end()
    calls = {name: value[0] for name, value in counts(known, modules=True).items()}
    assert calls == {"Linear": 1, "Net": 3, "Net.first (Linear)": 3,
                     "Net.second (Linear)": 3}, calls


SHAPES = """
import sys, threading, time
import torch
torch.set_num_threads(1)
rows = [2]
def listen():
    for line in sys.stdin:
        rows[0] = int(line)
threading.Thread(target=listen).start()
net = torch.nn.Linear(4, 3)
print("ready", flush=True)
while rows[0]:
    net(torch.ones(rows[0], 4))
print("ended")
"""


def shapes_follow_the_job():
    """They are read again from time to time, and told again to a later viewer."""
    python = need_member("torch")
    with Place() as place:
        env = environment(place)
        with Job([python, written(place, "shapes.py", SHAPES)], place.env(**env)) as changing:
            for rows in 2, 5:
                changing.process.stdin.write(b"%d\n" % rows)
                changing.process.stdin.flush()
                for _ in range(2):
                    look_until(place, changing, lambda known, rows=rows: [
                        one["shapes"] for one in known["applies"] if one["name"] == "Linear"] == [
                            "float32[%d,4] -> " % rows])
                    ask(place, "ctl", "-p", str(changing.pid), "detach")
            changing.process.stdin.write(b"0")
            assert changing.end() == "ended"


COMPILED = """
import torch
from torch import nn
torch.set_num_threads(1)
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 8))
x = torch.randn(4, 8)
net(x)
faster = torch.compile(net, fullgraph=True, backend="eager")
print(torch.equal(faster(x), net(x)))
faster(torch.randn(5, 8))
from torch._dynamo.utils import counters
print(dict(counters["frames"]), dict(counters["graph_break"]), dict(counters["stats"]))
print(nn.Module.__call__)
"""


def nothing_of_ours_is_compiled():
    """Modules are counted until torch.compile begins. It then makes the same graphs as without
    proftop."""
    python = need_member("torch")
    with Place() as place:
        path = written(place, "compiled.py", COMPILED)
        bare = run([python, path], place.env(**environment(place)), place.path)
        done, known = watched_by(python, place, path, **environment(place))
    words = [one.stdout.decode().splitlines() for one in (bare, done)]
    assert bare.returncode == done.returncode == 0, (bare, done)
    assert words[0][:2] == words[1][:2] and words[0][0] == "True", words
    assert all("_wrapped_call_impl" in of[2] for of in words), words
    calls = {name: value[0] for name, value in counts(known, modules=True).items()}
    assert calls.pop("OptimizedModule") == 1, calls
    assert len(calls) == 4 and set(calls.values()) == {1}, calls
    is_clean(known)


AHEAD = """
import torch
from torch import nn
torch.set_num_threads(1)
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 8))
x = torch.randn(4, 8)
net(x)
def shows(graph, inputs):
    print(graph.code)
    return graph.forward
try:
    torch.compile(net.forward, fullgraph=True, backend=shows).aot_compile(((x,), {}))
except RuntimeError as error:  # PyTorch could not write this backend's result into a file
    print("SerializableCallable" in str(error))
print(torch.export.export(net, (x,), strict=True).graph_module.code)
print(nn.Module.__call__)
"""


def nothing_of_ours_is_traced_ahead_of_time():
    """Graphs that are captured ahead of time, which turns no tracing on, are those without
    proftop."""
    python = need_member("torch")
    with Place() as place:
        path = written(place, "ahead.py", AHEAD)
        bare = run([python, path], place.env(**environment(place)), place.path)
        done, known = watched_by(python, place, path, **environment(place))
    said = [one.stdout.decode().splitlines() for one in (bare, done)]
    assert bare.returncode == done.returncode == 0, (bare, done)
    assert said[0][:-1] == said[1][:-1] and len(said[0]) > 10, said
    assert "_wrapped_call_impl" in said[1][-1], said
    calls = {name: value[0] for name, value in counts(known, modules=True).items()}
    assert calls["Sequential"] == 1, calls
    is_clean(known)


BROKEN = """
import torch
torch.set_num_threads(1)
def work(x):
    x = x.sin()
    torch._dynamo.graph_break()
    return x.cos()
faster = torch.compile(work, backend="eager")
for size in 3, 4, 5:
    faster(torch.ones(size))
"""


def compilations_are_told_with_their_reasons():
    """Each frame is a function with the time of its compilations."""
    python = need_member("torch")
    with Place() as place:
        path = written(place, "broken.py", BROKEN)
        done, known = watched_by(python, place, path, **environment(place))
    assert (done.returncode, done.stderr) == (0, b""), done
    compiled = {row["name"]: row["compile_ns"] for row in known["functions"]
                if row["name"].startswith("torch.compile")}
    assert set(compiled) == {"torch.compile 0", "torch.compile 1"}, known["functions"]
    assert all(ns > 0 for ns in compiled.values()), compiled
    # The op around a compilation does not have its time as its own.
    row, = [one for one in known["ops"] if one["name"] == "torch.compile"]
    assert row["calls"] >= 3 and row["aside_ns"] == row["self_ns"], row
    assert 0.9 * sum(compiled.values()) < row["metrics"]["incl"], (row, compiled)
    said = [row["text"] for row in known["notices"]]
    for what in ("torch.compile: graph break: ", "torch.compile 0/0: work at %s:4, " % path,
                 "torch.compile 0/1: work at %s:4, " % path, "again, since 0/0: "):
        assert any(what in text for text in said), (what, said)
    is_clean(known)


FUSED = """
import torch
from torch._dynamo.utils import counters
torch.set_num_threads(1)
faster = torch.compile(lambda x: (x.sin() + x.cos()).relu() * 2)
x = torch.ones(1000)
for _ in range(20):
    y = faster(x)
print(y.sum().item(), {name: of for name, of in counters["inductor"].items() if "cache" in name})
"""


def fused_kernels_have_rows_where_nothing_is_cached():
    """Code that a job without proftop has cached is found with it, and has no row of its kernel. A
    job that caches nothing has the row."""
    python = need_member("torch")
    with Place() as place:
        env = environment(place, TORCHINDUCTOR_CACHE_DIR=place.file("inductor"))
        path = written(place, "fused.py", FUSED)
        bare = run([python, path], place.env(**env), place.path)
        cached, known = watched_by(python, place, path, **env)
        alone, seen = watched_by(python, place, path, **env, TORCHINDUCTOR_FORCE_DISABLE_CACHES="1")
    said = [one.stdout.decode().split(" ", 1) for one in (bare, cached, alone)]
    assert {words[0] for words in said} == {said[0][0]}, said
    assert "'fxgraph_cache_miss': 1" in said[0][1], said
    assert "'fxgraph_cache_hit': 1" in said[1][1] and "miss" not in said[1][1], said
    kernels = [{name: value[0] for name, value in counts(of).items() if "fused" in name}
               for of in (known, seen)]
    assert kernels[0] == {} and list(kernels[1].values()) == [20], kernels
    told = [any("cpp.enable_kernel_profile" in row["text"] for row in of["notices"])
            for of in (known, seen)]
    assert told == [False, True], (known["notices"], seen["notices"])


LINES = """
import time
import torch
torch.set_num_threads(1)
x, few = torch.ones(256, 256), torch.ones(160, 160)
weight = torch.ones(256, 256, requires_grad=True)
until = time.monotonic() + 6
while time.monotonic() < until:
    few @ few
    x.sin_()
    loss = weight.sin().sum()
    loss.backward()
    x.cos_()
    x.cos_()
"""


def hot_ops_have_the_line_that_runs_them():
    """Ten times a second the adapter looks which op runs. Each line takes a tenth of the time at
    least. An op that two lines run has neither. Behind an operator Python asks nobody: what is
    asked later is in the next line."""
    python = need_member("torch")
    with Place() as place:
        path = written(place, "lines.py", LINES)
        done, known = watched_by(python, place, path, **environment(place))
    assert (done.returncode, done.stderr) == (0, b""), done
    line = {row["id"]: row["name"] for row in known["lines"]}
    where = {row["name"]: line[row["line"]] for row in known["applies"]}
    assert where["aten::matmul"] == where["aten::mm in aten::matmul"] == path + ":9", where
    assert where["aten::sin_"] == path + ":10" and where["aten::sin"] == path + ":11", where
    assert where["engine: SinBackward0"] == path + ":12", where
    assert where["aten::cos_"] == "(several lines)", where
    is_clean(known)


ADVERSARIES = """
import time
import torch
from torch import nn
torch.set_num_threads(1)
makes, judges = nn.Linear(4, 4), nn.Linear(4, 1)
made, judged = (torch.optim.Adam(net.parameters()) for net in (makes, judges))
def noise():
    return torch.randn(2, 4)
for _ in range(20):
    judged.zero_grad()
    judges(noise()).sum().backward()
    judges(makes(noise()).detach()).sum().backward()
    judged.step()
    made.zero_grad()
    judges(makes(noise())).sum().backward()
    made.step()
later = torch.optim.Adam(judges.parameters())
until, steps = time.monotonic() + 1.5, 0
while time.monotonic() < until:
    for _ in range(4):
        judges(noise()).sum().backward()
    later.step()
    steps += 1
print(steps)
"""


def steps_are_those_of_one_optimizer():
    """Two of one class step in turn: a step has three backward passes. Then both stop, and another
    one of that class makes steps of four."""
    python = need_member("torch")
    with Place() as place:
        path = written(place, "adversaries.py", ADVERSARIES)
        done, known = watched_by(python, place, path, **environment(place))
    assert done.returncode == 0, done
    counter = {row["name"]: row for row in known["counters"] if row["domain"] == "torch"}
    steps, later = counter["steps"]["value"], int(done.stdout)
    assert 20 + 1 < steps < 20 + later, (steps, later)  # the other one takes over within a second
    frame, = [row for row in known["spans"] if row["name"] == "step"]
    assert frame["calls"] == steps - 1, (frame, steps)
    passes = counter["backward passes"]
    assert (passes["min"], passes["max"], passes["value"]) == (3, 4, 4), passes
    # 19 steps of the two, and all of the later one but the first
    assert passes["updates"] == steps - 2, (passes, steps)
    assert passes["mean"] * passes["updates"] == 19 * 3 + (steps - 21) * 4, (passes, steps)
    is_clean(known)


INFERS = """
import time
import torch
from torch import nn
torch.set_num_threads(1)
net, last = nn.Sequential(nn.Linear(512, 512), nn.ReLU()), nn.Softmax(-1)
x = torch.ones(32, 512)
nn.Linear(512, 4)(x)
calls = 0
def infer():
    global calls
    last(net(x))
    calls += 1
until = time.monotonic() + 1.5
with torch.inference_mode():
    while time.monotonic() < until:
        infer()
print(calls)
"""
TOO_SHORT = """
import time
import torch
torch.set_num_threads(1)
short = torch.nn.Identity()
until = time.monotonic() + 1.5
while time.monotonic() < until:
    for _ in range(300):
        short(0)
print(0)
"""


def calls_of_a_module_are_steps_of_inference():
    """Two modules are called in turn, and a third one once. One of the two makes the steps after a
    second without an optimizer and without a backward pass."""
    python = need_member("torch")
    for budget in "0", "1":
        with Place() as place:
            path = written(place, "infers.py", INFERS)
            done, known = watched_by(python, place, path, **environment(
                place, PROFTOP_BUDGET=budget))
        assert done.returncode == 0, done
        counter = {row["name"]: row["value"] for row in known["counters"]
                   if row["domain"] == "torch"}
        frame, = [row for row in known["spans"] if row["name"] == "step"]
        assert 0 < frame["calls"] == counter["steps"] - 1 < int(done.stdout), (frame, counter)
        if budget == "0":
            assert counter["steps counted"] == counter["steps"] - 1, counter
        is_clean(known)
    with Place() as place:
        path = written(place, "too_short.py", TOO_SHORT)
        done, known = watched_by(python, place, path, **environment(place))
    assert done.returncode == 0 and known["spans"] == [], (done, known["spans"])


READS = """
import sys, time
import torch
torch.set_num_threads(1)
x = torch.ones(4096)
x[0].item()
x.nonzero()
if sys.argv[1] == "device":  # what PyTorch says of itself once a job uses a GPU
    torch.version.cuda, torch.cuda._initialized = "13.0", True
until = time.monotonic() + 3
while time.monotonic() < until:
    for _ in range(50):
        x[0].item()
    for _ in range(50):
        x.nonzero()
"""


def reads_wait_for_a_device(used):
    """A number or a size that a device has computed is waited for, from the moment at which the job
    uses it. On the CPU it is work."""
    python = need_member("torch")
    with Place() as place:
        path = written(place, "reads.py", READS)
        done, known = watched_by(python, place, path, used, **environment(place))
    device = used == "device"
    assert (done.returncode, done.stderr) == (0, b""), done
    line = {row["id"]: row["name"] for row in known["lines"]}
    rows = {}
    for row in known["applies"]:
        rows.setdefault(row["name"], []).append(row)
    for name in "aten::_local_scalar_dense in aten::item", "aten::nonzero":
        assert [row["waits"] for row in rows[name]] == (
            ["works", "waits"] if device else ["works"]), rows[name]
    # On the CPU, the other one is too short to be seen at work.
    assert line[rows["aten::nonzero"][-1]["line"]] == path + ":15", (rows["aten::nonzero"], line)
    assert {row["waits"] for row in rows["aten::item"]} == {"works"}, rows["aten::item"]
    assert (known["classes"][0]["wait_ns"] or 0) > 0 or not device, known["classes"]
    is_clean(known)


def names_that_differ_in_digits_share_a_row():
    python = need_member("torch")
    with Place() as place:
        done, known = watched_by(python, place, JOBS, "names", "2", **environment(place))
    assert done.returncode == 0, done
    ranges = {name: value[0] for name, value in counts(known).items() if name.startswith("range")}
    assert len(ranges) == ALIKE + 1, ranges
    assert ranges.pop("range *") == 3 * (NAMES - ALIKE), ranges
    assert set(ranges.values()) == {3}, ranges
    is_clean(known)


def counts_begin_when_proftop_attaches():
    """Attached to, left, and attached to again: each time every run of an op is counted."""
    python = need_member("torch")
    with Place() as place:
        file, env = place.file("truth.json"), environment(place)
        words = [python, JOBS, "threads", str(FEW), "--wait", "--hold", "--truth", file]
        with Job(words, place.env(**env)) as looping:
            known, said = look(place, looping)
            assert "attached to PyTorch 2" in said, said
            assert counts(known) == {}, known["ops"]
            ask(place, "ctl", "-p", str(looping.pid), "detach")
            known, said = look(place, looping)
            assert "attached to PyTorch 2" in said, said
            looping.process.stdin.write(b"\n")
            looping.process.stdin.flush()
            looping.wait_for("done")
            truth = truth_of(file)
            known = look_until(place, looping, lambda known: sum(
                value[0] for value in counts(known).values()) >= sum(
                    value[0] for value in truth.values()))
            assert looping.end().startswith("loss ")
    agrees(known, truth)
    is_clean(known)


IMPORTING = """
import os, select, sys
class Waits:
    def find_spec(self, name, path=None, target=None):
        if name == "torch.optim":
            sys.meta_path.remove(self)
            print("ready", flush=True)
            while not select.select([0], [], [], 0.01)[0]:
                pass
            os.read(0, 1)
sys.meta_path.insert(0, Waits())
import torch
print("imported", flush=True)
x = torch.ones(2)
while not select.select([0], [], [], 0)[0]:
    x.add_(1)
print("ended")
"""


def an_import_is_not_attached_to():
    """The job waits in the middle of `import torch`. Later it can be attached to."""
    python = need_member("torch")
    with Place() as place:
        env = environment(place)
        with Job([python, written(place, "importing.py", IMPORTING)], place.env(**env)) as job_:
            said = ask(place, "-b", "-p", str(job_.pid), code=3).stderr.decode()
            assert "PyTorch is just being imported: try again" in said, said
            job_.process.stdin.write(b"\n")
            job_.process.stdin.flush()
            job_.wait_for("imported")
            look_until(place, job_, lambda known: counts(known).get("aten::add_", [0])[0] > 0)
            assert job_.end() == "ended"


def windows_of_whole_steps_keep_the_budget():
    """By default a job counts in windows. The header and each row say so. Each counted step is
    whole."""
    python = need_member("torch")
    with Place() as place:
        done, known = watched_by(python, place, JOBS, "mlp", "4000", **environment(
            place, PROFTOP_BUDGET="1"))
    assert done.returncode == 0, done
    one = known["jobs"][0]
    assert 0 < one["share"] < 1, one
    counter = {row["name"]: row["value"] for row in known["counters"] if row["domain"] == "torch"}
    assert counter["steps"] == 4001 > counter["steps counted"] > 0, counter
    assert all(row["sampled"] for row in known["ops"]), known["ops"]
    calls = {name: value[0] for name, value in counts(known).items()}
    # Once a step each. A window begins at the end of a step, or ends there.
    once = [calls[name] for name in ("Optimizer.step#SGD.step", "Optimizer.zero_grad#SGD.zero_grad",
                                     "aten::cross_entropy_loss", "autograd::engine::"
                                     "evaluate_function: NllLossBackward0")]
    assert max(once) - min(once) <= 1, once
    assert counter["steps counted"] <= min(once) <= counter["steps counted"] + 1, (counter, once)


SCHEDULER = """
import collections, time, types
LENGTH, ROOM, AT_ONCE, BLOCKS = 6, 8, 2, 64  # words of an answer, words of a step, requests, cache
class Request:
    def __init__(self, name, prompt):
        self.name, self.prompt, self.computed, self.answer = name, prompt, 0, 0
        self.arrival_time = time.time() - 1
class Scheduler:
    def __init__(self, prompts):
        self.requests = {str(n): Request(str(n), size) for n, size in enumerate(prompts)}
        self.waiting, self.running = collections.deque(self.requests.values()), []
        self.kv_cache_manager = types.SimpleNamespace(usage=0.0)
    def schedule(self):
        new = []
        while self.waiting and len(self.running) < AT_ONCE:
            new.append(self.waiting.popleft())
            self.running.append(new[-1])
        room, planned = ROOM, {}
        for one in self.running:
            size = min(room, one.prompt - one.computed if one.computed < one.prompt else 1)
            if size:
                planned[one.name], room = size, room - size
        return types.SimpleNamespace(
            scheduled_new_reqs=[types.SimpleNamespace(req_id=one.name) for one in new],
            num_scheduled_tokens=planned, total_num_scheduled_tokens=sum(planned.values()))
    def update_from_output(self, scheduler_output, model_runner_output):
        for name, words in zip(scheduler_output.num_scheduled_tokens,
                               model_runner_output.sampled_token_ids):
            one = self.requests[name]
            one.computed += scheduler_output.num_scheduled_tokens[name]
            one.answer += len(words)
            if one.answer == LENGTH:
                self.running.remove(one)
                del self.requests[name]
        self.kv_cache_manager.usage = sum(one.computed for one in self.running) / BLOCKS
"""
ENGINE = """
import types
import torch
from vllm.v1.core.sched.scheduler import Scheduler
def run(planned, requests):
    names = list(planned.num_scheduled_tokens)
    ready = [requests[name].computed + size >= requests[name].prompt
             for name, size in planned.num_scheduled_tokens.items()]
    return types.SimpleNamespace(req_id_to_index={name: n for n, name in enumerate(names)},
                                 sampled_token_ids=[[7] * one for one in ready])
engine, steps = Scheduler([3, 11, 5, 20]), 0
while engine.requests:
    planned = engine.schedule()
    engine.update_from_output(planned, run(planned, engine.requests))
    steps += 1
planned = engine.schedule()
engine.update_from_output(planned, run(planned, engine.requests))
print(steps)
"""


def an_engine_of_vllm_tells_its_requests():
    """A stand-in with the names of vLLM's scheduler: prompts of 39 words, in pieces, and four
    answers of six words. The engine is asked once more when all is done."""
    python = need_member("torch")
    with Place() as place:
        os.makedirs(place.file("vllm/v1/core/sched"))
        written(place, "vllm/v1/core/sched/scheduler.py", SCHEDULER)
        path = written(place, "engine.py", ENGINE)
        done, known = watched_by(python, place, path, **environment(place))
    assert (done.returncode, done.stderr) == (0, b""), done
    counter = {row["name"]: row for row in known["counters"] if row["domain"] == "vLLM"}
    value = {name: row["value"] for name, row in counter.items()}
    assert (value["prefill tokens"], value["decode tokens"], value["tokens"]) == (39, 20, 24), value
    assert counter["requests running"]["max"] == 2 and value["requests running"] == 0, counter
    assert counter["requests waiting"]["max"] == 2 and value["requests waiting"] == 0, counter
    assert 0 < counter["KV cache used"]["max"] <= 100 and value["KV cache used"] == 0, counter
    first = counter["time to first token"]
    assert first["updates"] == 4 and 1 <= first["min"] <= first["max"] < 60, first
    step, = [row for row in known["spans"] if row["domain"] == "vLLM"]
    assert step["calls"] == int(done.stdout) + 1, (step, done)
    is_clean(known)


def workers_of_a_loader_are_children():
    python = need_member("torch")
    with Place() as place:
        done, known = watched_by(python, place, JOBS, "dataloader", "2", options=("--children",),
                                 **environment(place))
    assert done.returncode == 0, done
    parents = [one["parent"] for one in known["jobs"]]
    assert parents[0] is None and set(parents[1:]) == {known["jobs"][0]["instance"]}
    assert len(parents) > 2, known["jobs"]
    assert counts(known)["enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"][0] > 0


MEMORY = """
import json, sys
import torch
from torch.profiler import ProfilerActivity, profile
sys.path.insert(0, sys.argv[2])
import torch_jobs
torch.set_num_threads(1)
with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiler:
    step = torch_jobs.tfm()
    for _ in range(5):
        step()
with open(sys.argv[1], "w") as file:
    json.dump({row.key: row.self_cpu_memory_usage for row in profiler.key_averages()}, file)
kept = torch.ones(1 << 20)
try:
    torch.empty(1 << 56, dtype=torch.int8)
except RuntimeError:
    print("loss 0")
"""


def bytes_of_ops_are_those_of_its_profiler():
    """What each op has allocated less what it has freed, without the ops inside. Then there is no
    more memory."""
    python = need_member("torch")
    with Place() as place:
        path, file = written(place, "memory.py", MEMORY), place.file("truth.json")
        done, known = watched_by(python, place, path, file, os.path.dirname(JOBS),
                                 **environment(place))
        with open(file, encoding="utf-8") as text:
            truth = json.load(text)
    assert loss_of(done) == "loss 0", done
    metrics = {row["name"]: row["metrics"] for row in known["ops"] if row["metrics"]}
    ours = {name: (of["alloc"] or 0) - (of["freed"] or 0) for name, of in metrics.items()}
    ours["aten::empty"] -= 4 << 20  # of `kept`
    truth.pop("[memory]")  # freed by Python, in no op
    assert {name: ours.get(name, 0) for name in truth} == truth, (ours, truth)
    assert sum(bytes_ != 0 for bytes_ in truth.values()) > 30, truth
    row, = known["memory"]
    assert (row["device"], row["pool"]) == ("cpu/0", "PyTorch"), row
    assert row["peak_bytes"] >= row["bytes"] >= 4 << 20, row
    said = [one["text"] for one in known["notices"]]
    assert any("out of memory: PyTorch could not allocate %d bytes, in aten::empty; " % (1 << 56)
               in text for text in said), said
    is_clean(known)


FORKS = """
import os, sys, time
import torch
import proftop
torch.set_num_threads(1)
x = torch.ones(64, 64)
linear = torch.nn.Linear(64, 64)
optimizer = torch.optim.SGD(linear.parameters(), lr=0.1)
mine = proftop.publish("mine").counter("kept", kind=int)
def step():
    optimizer.zero_grad()
    linear(x).sum().backward()
    optimizer.step()
until = time.monotonic() + 2  # the first window is over then
while time.monotonic() < until:
    step()
child = os.fork()
if child == 0:
    other = proftop.publish("child").counter("kept", kind=int)
    other.set(77)
    begun = time.perf_counter_ns()
    for _ in range(300):
        step()
    proftop.publish("child").counter("ns", kind=int).set(time.perf_counter_ns() - begun)
    sys.exit(0)
os.waitpid(child, 0)
"""


def a_forked_child_counts_from_nothing():
    """Its parent counted in windows, and none was open. The child's own counters stay its own."""
    python = need_member("torch")
    with Place() as place:
        path = written(place, "forks.py", FORKS)
        done, known = watched_by(python, place, path, options=("--children",),
                                 **environment(place, PROFTOP_BUDGET="1"))
    assert done.returncode == 0, done
    child, = [one["id"] for one in known["jobs"] if one["parent"]]
    value = {(row["domain"], row["name"]): row["value"] for row in known["counters"]
             if row["job"] == child}
    assert value["child", "kept"] == 77, value
    assert 0 < counts(known, child)["Optimizer.step#SGD.step"][0] <= 300, known["ops"]
    step, = [row for row in known["spans"] if (row["job"], row["name"]) == (child, "step")]
    assert step["calls"] == 299, step
    phases = sum(row["call_ns"] for row in known["functions"] if row["job"] == child)
    assert 0 < phases <= 1.01 * value["child", "ns"], (phases, value)
    assert {one["misuse"] for one in known["jobs"]} == {0}, known["jobs"]


CLEARED = """
import sys, time
import torch
torch.set_num_threads(1)
optimizer = torch.optim.SGD([torch.ones(3, requires_grad=True)], lr=0.1)
steps, until = 0, float("inf")
while steps == 0 or time.monotonic() < until:
    for _ in range(100):
        optimizer.step()
    steps += 100
    if steps == 200:
        torch._C._autograd._clear_callbacks()
        until = time.monotonic() + 2
print("loss %d" % steps)
"""


def a_job_may_clear_the_list_of_callbacks():
    """PyTorch warns if a callback is removed that is not there. Ours come again."""
    python = need_member("torch")
    with Place() as place:
        done, known = watched_by(python, place, written(place, "cleared.py", CLEARED),
                                 **environment(place, PROFTOP_BUDGET="1"))
    assert (done.returncode, done.stderr) == (0, b""), done
    steps = int(loss_of(done).split()[1])
    counter = {row["name"]: row["value"] for row in known["counters"] if row["domain"] == "torch"}
    assert 200 < counter["steps"] < steps, (counter, steps)
    assert known["jobs"][0]["share"] < 1, known["jobs"]


AROUND = """
import time
import torch
torch.set_num_threads(1)
x = torch.ones(8)
class Long(torch.nn.Module):
    def forward(self, x):
        until = time.monotonic() + 1.5
        while time.monotonic() < until:
            for _ in range(200):
                x = x.add(1)
        return x
long = Long()
for _ in range(2):
    long(x)
print("loss 0")
"""


def what_runs_across_windows_has_no_time():
    """A module that runs while counting stops and goes on: its ops of that time are unknown, so its
    own time would be theirs."""
    python = need_member("torch")
    with Place() as place:
        path = written(place, "around.py", AROUND)
        done, known = watched_by(python, place, path, **environment(place, PROFTOP_BUDGET="1"))
    assert done.returncode == 0, done
    assert known["jobs"][0]["share"] < 1, known["jobs"]
    add = counts(known)["aten::add"]
    own = counts(known, modules=True).get("Long", [0, 0])[1]
    assert own <= add[1], (own, add)
    is_clean(known)


def what_is_left_out_leaves_the_rest_right():
    """The backward pass is not counted: the time of the forward pass stays, and no op has the time
    of another."""
    python = need_member("torch")
    with Place() as place:
        done, known = watched_by(python, place, JOBS, "mlp", "300", **environment(
            place, PROFTOP_FUNCTIONS="forward"))
    assert done.returncode == 0, done
    forward, = [row for row in known["functions"] if row["name"] == "forward"]
    own = sum(row["self_ns"] for row in known["ops"] if row["self_ns"])
    assert forward["call_ns"] >= 0.99 * own > 0, (forward, own)


def each_rank_is_counted():
    python = need_member("torch")
    with Place() as place:
        file = place.file("truth.json")
        done, known = watched_by(python, place, JOBS, "gloo", "5", "--whole", "--truth", file,
                                 options=("--children",), **environment(place))
        truth = [truth_of("%s.%d" % (file, rank)) for rank in range(4)]
    assert done.returncode == 0, done
    ours = [{key: value[0] for key, value in counts(known, one["id"]).items()}
            for one in known["jobs"]]
    for rank, of in enumerate(truth):
        assert {key: value[0] for key, value in of.items()} in ours, (rank, of, ours)
    waits = {one["name"] for one in known["classes"] if one["wait_ns"]}
    assert waits == {"collective"}, known["classes"]


def without_ops(known, why):
    """Modules are counted, ops are not, and the job says why."""
    said = "ops of PyTorch can't be counted: %s; calls of modules are" % why
    assert counts(known) == {}, known["ops"]
    assert {row["name"] for row in known["classes"] if row["calls"]} == {"module"}, known["classes"]
    assert said in [one["text"] for one in known["notices"]], (said, known["notices"])
    assert known["jobs"][0]["route"] == said, known["jobs"]
    is_clean(known)


def a_library_that_fails_the_test_is_left_alone():
    """The test's result is kept, by the library's build. Then calls of modules are counted alone,
    and doctor tells the reason."""
    python = need_member("torch")
    with Place() as place:
        env = environment(place)
        run([PROFTOP, "doctor", "--", python], place.env(**env), place.path)
        folder = place.file("cache/proftop")
        kept, = os.listdir(folder)
        with open(os.path.join(folder, kept), encoding="utf-8") as file:
            text = file.read()
        assert text.startswith("proftop:") and text.endswith(":\n"), text
        with open(os.path.join(folder, kept), "w", encoding="utf-8") as file:
            file.write("proftop:0:planted\n")
        words = [python, JOBS, "mlp", "2"]
        bare = run(words, place.env(**env), place.path)
        done, known = watched_by(*words[:1], place, *words[1:], **env)
        found = examined(place, python, **env)
    assert done.returncode == 0 and bare.stdout == done.stdout, (bare, done)
    without_ops(known, "planted")
    calls = {name: value[0] for name, value in counts(known, modules=True).items()}
    assert len(calls) == 8 and set(calls.values()) == {3}, calls
    assert [level for level, _ in found["route"]] == ["note"], found
    assert "planted; calls of modules are" in found["route"][0][1], found


STUB = """
import ctypes, sys
ctypes.CDLL(sys.argv[1])
import torch
net = torch.nn.Linear(4, 3)
for _ in range(5):
    net(torch.ones(2, 4))
"""


def a_library_without_the_functions_is_left_alone():
    """The first libtorch_cpu.so of the process has none of them."""
    python = need_member("torch")
    with Place() as place:
        source, library = written(place, "stub.c", ""), place.file("libtorch_cpu.so")
        done = run([*tap.CC, "-shared", "-fPIC", "-o", library, source], place.env(), place.path)
        assert done.returncode == 0, done
        done, known = watched_by(python, place, written(place, "job.py", STUB), library,
                                 **environment(place))
    assert (done.returncode, done.stderr) == (0, b""), done
    without_ops(known, "libtorch_cpu.so has no callbacks of at::RecordFunction")
    assert counts(known, modules=True)["Linear"][0] == 5, known["ops"]


CHILDREN = """
import os, signal, threading
seen, goes_on = [], True
signal.signal(signal.SIGCHLD, lambda *unused: seen.append("SIGCHLD"))
def reap():
    while goes_on:
        try:
            seen.append(os.waitpid(-1, 0))
        except ChildProcessError:
            pass
waits = threading.Thread(target=reap)
waits.start()
import torch
goes_on = False
waits.join()
torch.ones(2).sin()
print(seen)
"""


def the_test_of_the_callbacks_is_not_seen_by_the_job():
    """The job waits for any child, and handles SIGCHLD. The cache is empty: the test runs."""
    python = need_member("torch")
    with Place() as place:
        env = environment(place)
        done, known = watched_by(python, place, written(place, "children.py", CHILDREN), **env)
        kept, = os.listdir(place.file("cache/proftop"))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"[]\n", b""), done
    assert kept.startswith("torch-") and counts(known)["aten::sin"][0] == 1, (kept, known["ops"])


UPGRADED = """
import sys
import torch
adapter = sys.modules["_proftop.torch"]
path, build = adapter.feed.torch_library()
print(adapter.run_test(path, build)[0].startswith("proftop:"), adapter.run_test(path, "0" + build))
torch.ones(2)
"""


def another_library_under_the_same_name_is_not_tested():
    """As after `pip install -U` while the job runs."""
    python = need_member("torch")
    with Place() as place:
        done, _ = watched_by(python, place, written(place, "upgraded.py", UPGRADED),
                             **environment(place))
    assert done.stdout.decode() == "True (None, 'the file of the library was replaced since the " \
        "job began')\n", done


def a_test_that_does_not_end_is_ended():
    """And what it leaves of a program is its status and its output. It inherits no descriptor."""
    python = need_member("torch")
    run_unseen = """
import os, sys
os.set_inheritable(os.open("/dev/null", os.O_RDONLY), True)
sys.path.insert(0, os.path.join(%r, "proftop"))
import _feed
print([_feed.torch_run_unseen((b"/bin/sh", b"-c", code), (b"WORD=w",), 1) for code in (
    b"echo $WORD $$; exit 3", b"kill -9 $$", b"sleep 600", b"ls /proc/self/fd | tr '\\\\n' ' '")])
print(_feed.torch_run_unseen((b"/nowhere",), (), 1))
""" % ADAPTERS
    with Place() as place:
        done = run([python, written(place, "unseen.py", run_unseen)], place.env(), place.path)
    assert done.returncode == 0, done
    first, killed, late, files = ast.literal_eval(done.stdout.decode().splitlines()[0])
    assert first[0] == 3 << 8 and first[1].startswith(b"w "), first
    assert killed == (9, b"") and late == (9, b""), (killed, late)
    assert files == (0, b"0 1 2 3 "), files  # 3: the folder that ls reads
    assert ast.literal_eval(done.stdout.decode().splitlines()[1]) == (127 << 8, b""), done


def the_exit_is_that_of_the_job():
    """An op raises, and nobody catches it."""
    python = need_member("torch")
    with Place() as place:
        path = written(place, "raises.py", "import torch\nx = torch.ones(3)\n"
                       "with torch.profiler.record_function('around'):\n    x.view(7)\n")
        bare = run([python, path], place.env(), place.path)
        done, known = watched_by(python, place, path, **environment(place))
    assert (bare.returncode, bare.stderr) == (done.returncode, done.stderr) == (1, done.stderr)
    assert counts(known)["around"][0] == 1 == counts(known)["aten::view"][0], known["ops"]


def attached_and_left_while_threads_hold_the_interpreter():
    """Twenty times, beside three threads that never wait. Each window has counts."""
    python = need_member("torch")
    with Place() as place:
        env = environment(place)
        path = written(place, "busy.py", BUSY)
        with Job([python, path], place.env(**env)) as busy:
            for _ in range(20):
                known = look_until(place, busy, lambda known: counts(known).get(
                    "aten::add_", [0])[0] > 0)
                is_clean(known)
                ask(place, "ctl", "-p", str(busy.pid), "detach")
            assert busy.end() == "ended"


BUSY = """
import sys
import threading
import torch
torch.set_num_threads(1)
ends = threading.Event()
def hold():
    while not ends.is_set():
        sum(range(1000))
threads = [threading.Thread(target=hold) for _ in range(3)]
[thread.start() for thread in threads]
threading.Thread(target=lambda: (sys.stdin.readline(), ends.set())).start()
x = torch.zeros(1)
print("ready", flush=True)
while not ends.is_set():
    x.add_(1)
[thread.join() for thread in threads]
print("ended")
"""
for test in (each_rank_is_counted, a_forked_child_counts_from_nothing,
             attached_and_left_while_threads_hold_the_interpreter,
             workers_of_a_loader_are_children, names_that_differ_in_digits_share_a_row,
             compilations_are_told_with_their_reasons, what_is_left_out_leaves_the_rest_right,
             shapes_follow_the_job, calls_of_a_module_are_steps_of_inference,
             reads_wait_for_a_device, fused_kernels_have_rows_where_nothing_is_cached,
             an_engine_of_vllm_tells_its_requests, counts_equal_in_the_newest_release,
             nothing_of_ours_is_traced_ahead_of_time, a_job_may_clear_the_list_of_callbacks,
             an_import_is_not_attached_to, modules_get_their_paths_after_an_attach_amid_a_call,
             a_library_that_fails_the_test_is_left_alone,
             a_library_without_the_functions_is_left_alone,
             the_test_of_the_callbacks_is_not_seen_by_the_job,
             a_test_that_does_not_end_is_ended, another_library_under_the_same_name_is_not_tested):
    tap.all_only(test)
GATE = ("mlp", "tfm")
ALL = ("cnn", "inference", "transformed", "exceptions", "user_ranges", "threads", "dataloader",
       "compiled")


def counts_equal_in_all(name):
    counts_equal(name)


tap.all_only(counts_equal_in_all)
tap.run(*of_each("counts_equal_", counts_equal, GATE),
        *of_each("counts_equal_", counts_equal_in_all, ALL), counts_equal_in_the_newest_release,
        classes_and_phases_follow_from_the_names, modules_are_named_by_their_path,
        modules_get_their_paths_after_an_attach_amid_a_call, shapes_follow_the_job,
        nothing_of_ours_is_compiled, nothing_of_ours_is_traced_ahead_of_time,
        compilations_are_told_with_their_reasons,
        fused_kernels_have_rows_where_nothing_is_cached,
        hot_ops_have_the_line_that_runs_them,
        *of_each("reads_wait_for_a_device_", reads_wait_for_a_device, ("device", "cpu")),
        names_that_differ_in_digits_share_a_row,
        counts_begin_when_proftop_attaches, an_import_is_not_attached_to,
        windows_of_whole_steps_keep_the_budget,
        steps_are_those_of_one_optimizer, calls_of_a_module_are_steps_of_inference,
        bytes_of_ops_are_those_of_its_profiler, a_forked_child_counts_from_nothing,
        what_runs_across_windows_has_no_time, a_job_may_clear_the_list_of_callbacks,
        what_is_left_out_leaves_the_rest_right, workers_of_a_loader_are_children,
        an_engine_of_vllm_tells_its_requests,
        each_rank_is_counted,
        a_library_that_fails_the_test_is_left_alone,
        a_library_without_the_functions_is_left_alone,
        the_test_of_the_callbacks_is_not_seen_by_the_job, a_test_that_does_not_end_is_ended,
        another_library_under_the_same_name_is_not_tested, the_exit_is_that_of_the_job,
        attached_and_left_while_threads_hold_the_interpreter)

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""torch_jobs.py JOB STEPS [--truth FILE] [--whole] [--wait] [--hold]: a small job of PyTorch.
Prints its loss at the end. JOB is a name of JOBS, or gloo.

--truth FILE  counts the steps by torch.profiler, in all threads, and writes JSON to FILE:
              {name: [count, its own us, us with everything inside it]}. Ranks of `gloo` add
              .RANK to the name.
--whole       the profiler also counts the setup and the first step, everything after the import
--wait        prints "ready" after the first step, and waits for a line of input before the others
--hold        prints "done" after the last step, and waits for a line of input before it ends

The first step is not one of STEPS. Setup and all steps are the same in each run."""
import argparse
import concurrent.futures
import contextlib
import json
import os
import select
import threading
import time
import warnings

import torch
from torch import nn

ROWS, WIDTH, CLASSES = 32, 64, 10
THREADS, RANKS, WORKERS, NAMES = 8, 4, 2, 10000
SECONDS = 300  # for the ranks of `gloo`
PAUSE_S = 0.01  # interval of polling


def training(net, optimizer, x, y):
    """A step that trains the network by this optimizer, and returns the loss."""
    optimizer = optimizer(net.parameters())
    measure = nn.CrossEntropyLoss()

    def step():
        optimizer.zero_grad()
        loss = measure(net(x), y)
        loss.backward()
        optimizer.step()
        return loss.item()

    return step


def sgd(parameters):
    return torch.optim.SGD(parameters, lr=0.01, momentum=0.9)


def rows():
    return torch.randn(ROWS, WIDTH), torch.randint(0, CLASSES, (ROWS,))


def perceptron():
    return nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.ReLU(), nn.Linear(4 * WIDTH, 4 * WIDTH),
                         nn.ReLU(), nn.LayerNorm(4 * WIDTH), nn.Linear(4 * WIDTH, CLASSES))


def mlp():
    return training(perceptron(), sgd, *rows())


def compiled():
    return training(torch.compile(perceptron()), sgd, *rows())


class Transformer(nn.Module):
    def __init__(self, words=100):
        super().__init__()
        self.embedding = nn.Embedding(words, WIDTH)
        layer = nn.TransformerEncoderLayer(WIDTH, 4, 4 * WIDTH, dropout=0.0, batch_first=True,
                                           norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = nn.Linear(WIDTH, CLASSES)

    def forward(self, words):
        return self.head(self.encoder(self.embedding(words)).mean(1))


def tfm():
    return training(Transformer(), lambda parameters: torch.optim.AdamW(parameters, lr=1e-3),
                    torch.randint(0, 100, (8, 16)), torch.randint(0, CLASSES, (8,)))


def cnn():
    net = nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2),
                        nn.Conv2d(4, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(72, CLASSES))
    return training(net, sgd, torch.randn(ROWS, 1, 12, 12), torch.randint(0, CLASSES, (ROWS,)))


def inference():
    net, (x, _) = perceptron().eval(), rows()

    @torch.inference_mode()
    def step():
        return net(x).sum().item()

    return step


def transformed():
    """Functions of torch.func, a scripted and an exported network, and an op of another library."""
    net, (x, y) = perceptron(), rows()
    weights = dict(net.named_parameters())
    measure = nn.CrossEntropyLoss()

    def loss_of(weights, x, y):
        return measure(torch.func.functional_call(net, weights, (x[None],)), y[None])

    gradients = torch.func.vmap(torch.func.grad(loss_of), (None, 0, 0))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scripts are said to be old
        scripted = torch.jit.script(net)
    exported = torch.export.export(net, (x,)).module()
    library = torch.library.Library("other", "DEF")
    library.define("twice(Tensor x) -> Tensor")
    library.impl("twice", lambda x: x + x, "CPU")

    def step():
        of_each = gradients(weights, x, y)["0.weight"].sum()
        return (of_each + scripted(x).sum() + torch.ops.other.twice(exported(x)).sum()).item()

    step.library = library  # its op lives as long
    return step


def threads():
    """Each thread trains a network of its own. The threads live to the end of the job."""
    steps = [mlp() for _ in range(THREADS)]
    together = threading.Barrier(THREADS)
    pool = concurrent.futures.ThreadPoolExecutor(THREADS)

    def one(step):
        together.wait()  # so that each thread gets one of them
        return step()

    return lambda: sum(pool.map(one, steps))


class Fails(torch.autograd.Function):
    @staticmethod
    def forward(context, x):
        return x * 2

    @staticmethod
    def backward(context, *gradients):
        raise ValueError("on purpose")


def exceptions():
    """An op that raises in the kernel, one inside an op, one inside ranges, and a backward pass."""
    x = torch.ones(3, requires_grad=True)

    def inside_ranges():
        with torch.profiler.record_function("outer"), torch.profiler.record_function("inner"):
            torch.mm(x, x)

    calls = (lambda: torch.mm(x, x), lambda: nn.functional.linear(x, torch.ones(2, 2)),
             lambda: torch.ones(2).index_select(0, torch.tensor([7])), inside_ranges,
             lambda: Fails.apply(x).sum().backward())

    def step():
        raised = 0
        for call in calls:
            try:
                call()
            except (IndexError, RuntimeError, ValueError):
                raised += 1
        return raised + x.sum().item()

    return step


def user_ranges():
    """Ranges inside ranges, also of the same name, and with arguments. The decorator has one range
    for all calls: a call inside a call begins it anew, and so ends it too early."""
    range_of = torch.profiler.record_function
    train = mlp()

    @range_of("decorated")
    def decorated(depth):
        if depth:
            with range_of("again"):
                decorated(depth - 1)

    def step():
        with range_of("epoch"), range_of("batch", "with arguments"):
            loss = train()
            with range_of("\u2200 \u00f6"), range_of(""):
                decorated(2)
        return loss

    return step


def names():
    x = torch.zeros(1)

    def step():
        for number in range(NAMES):
            with torch.profiler.record_function("range %d" % number):
                x.add_(1)
        return x.item()

    return step


class Numbers(torch.utils.data.Dataset):
    def __init__(self, length):
        self.length = length

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        return torch.full((WIDTH,), index / self.length), index % CLASSES


def dataloader():
    """Each step is an epoch of four batches, by two workers that are forked for this epoch."""
    net, measure = perceptron(), nn.CrossEntropyLoss()
    optimizer = sgd(net.parameters())
    loader = torch.utils.data.DataLoader(Numbers(4 * ROWS), ROWS, num_workers=WORKERS)

    def step():
        for x, y in loader:
            optimizer.zero_grad()
            loss = measure(net(x), y)
            loss.backward()
            optimizer.step()
        return loss.item()

    return step


def rank():
    """DistributedDataParallel in the process group of this process."""
    net = nn.parallel.DistributedDataParallel(perceptron())
    torch.manual_seed(torch.distributed.get_rank())
    return training(net, sgd, *rows())


JOBS = {job.__name__: job for job in (mlp, tfm, cnn, compiled, inference, transformed, threads,
                                      exceptions, user_ranges, names, dataloader)}


@contextlib.contextmanager
def counted(file):
    """Counts by torch.profiler in all threads, and writes the counts to the file. Its own tables
    have an op and the only op inside it as one run if both have the same name, such as aten::sum.
    Here each run counts."""
    if not file:
        yield
        return
    torch.autograd.profiler_util.EventList._remove_dup_nodes = lambda events: None
    try:
        everywhere = torch._C._profiler._ExperimentalConfig(profile_all_threads=True)
    except TypeError:
        everywhere = None  # an older release: this thread alone, and those of autograd
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU],
                                experimental_config=everywhere) as profiler:
        yield
    with open(file, "w", encoding="utf-8") as out:
        json.dump({row.key: [row.count, row.self_cpu_time_total, row.cpu_time_total]
                   for row in profiler.key_averages()}, out)


def go(how, make, pause, file):
    """Makes the step and runs it. pause() is called where --wait and --hold stop."""
    torch.set_num_threads(1)
    torch.manual_seed(7)
    with counted(file if how.whole else None):
        step = make()
        loss = step()
        if how.wait:
            pause("ready")
        with counted(None if how.whole else file):
            for _ in range(how.steps):
                loss = step()
    if how.hold:
        pause("done")
    return loss


def say_and_wait(word):
    """Waits in Python, so that proftop can attach."""
    print(word, flush=True)
    while not select.select([0], [], [], PAUSE_S)[0] or os.read(0, 1) not in (b"\n", b""):
        pass


def run_rank(number, how, port, stops, losses):
    """A process of `gloo`. The one that started it speaks to the user."""
    os.environ["GLOO_SOCKET_IFNAME"] = "lo"
    store = torch.distributed.TCPStore("127.0.0.1", port, RANKS, is_master=False)
    torch.distributed.init_process_group("gloo", store=store, rank=number, world_size=RANKS)
    file = how.truth and "%s.%d" % (how.truth, number)

    def pause(word):
        arrived, released = stops[word]
        arrived.release()
        while not released.acquire(block=False):
            time.sleep(PAUSE_S)

    losses.put((number, go(how, rank, pause, file)))
    torch.distributed.destroy_process_group()


def gloo(how):
    """Starts the ranks, which meet at a free port of this machine. Returns the sum of the
    losses."""
    spawn = torch.multiprocessing.get_context("spawn")
    store = torch.distributed.TCPStore("127.0.0.1", 0, RANKS, is_master=True,
                                       wait_for_workers=False)
    stops = {word: (spawn.Semaphore(0), spawn.Semaphore(0))
             for word in ["ready"] * how.wait + ["done"] * how.hold}
    losses = spawn.Queue()
    children = [spawn.Process(target=run_rank, args=(number, how, store.port, stops, losses))
                for number in range(RANKS)]
    for child in children:
        child.start()
    for word, (arrived, released) in stops.items():
        assert all([arrived.acquire(timeout=SECONDS) for _ in children]), word
        say_and_wait(word)
        for _ in children:
            released.release()
    loss = sum(value for _, value in sorted(losses.get(timeout=SECONDS) for _ in children))
    for child in children:
        child.join()
        assert child.exitcode == 0, child.exitcode
    return loss


def torchrun(how):
    """A rank of `torchrun --nproc-per-node RANKS torch_jobs.py gloo STEPS`."""
    assert not (how.wait or how.hold), "torchrun has no input for its ranks"
    torch.distributed.init_process_group("gloo")
    number = torch.distributed.get_rank()
    loss = go(how, rank, None, how.truth and "%s.%d" % (how.truth, number))
    torch.distributed.destroy_process_group()
    return loss


def main():
    asked = argparse.ArgumentParser()
    asked.add_argument("job", choices=[*JOBS, "gloo"])
    asked.add_argument("steps", type=int)
    asked.add_argument("--truth")
    for word in ("--whole", "--wait", "--hold"):
        asked.add_argument(word, action="store_true")
    how = asked.parse_args()
    if how.job != "gloo":
        loss = go(how, JOBS[how.job], say_and_wait, how.truth)
    else:
        loss = (torchrun if "LOCAL_RANK" in os.environ else gloo)(how)
    print("loss %r" % loss, flush=True)


if __name__ == "__main__":
    main()

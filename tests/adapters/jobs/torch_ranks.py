# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""torch_ranks.py HOW RANK [--steps N]: four ranks train one network by DistributedDataParallel over
gloo, on the loopback. They are forked here, or they are those of torchrun. Work is a sleep, so that
other load of the machine makes no rank slow.

HOW is what the rank of that number does:
  nothing   as the others
  forward   its forward pass takes three times as long
  backward  its backward pass takes three times as long
  missing   after N steps it waits for input in Python, while the others are in an all-reduce
  busy      the same, inside a range of record_function
  stays     after N steps all others end, and it waits for input in Python
  atexit    the same, in a function of atexit
  exits     the same, in one that is called after proftop's own

Without --steps the ranks train until the input ends. Ranks that are stuck go on at the end of the
input."""
import argparse
import atexit
import gc
import os
import select
import sys
import time

at_exit = []
atexit.register(lambda: [function() for function in at_exit])  # proftop's comes with torch

import torch  # noqa: E402
import torch.distributed as dist  # noqa: E402
from torch import nn  # noqa: E402

RANKS, WIDTH, WORK_S, SLOW = 4, 64, 0.01, 3


class Work(torch.autograd.Function):
    """Takes so many seconds in each pass."""

    @staticmethod
    def forward(context, x, forward_s, backward_s):
        context.backward_s = backward_s
        time.sleep(forward_s)
        return x.clone()

    @staticmethod
    def backward(context, gradient):
        time.sleep(context.backward_s)
        return gradient, None, None


def trained(how, slow):
    """Returns a function that makes one step."""
    net = nn.parallel.DistributedDataParallel(nn.Sequential(
        nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, 1)))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    x = torch.randn(8, WIDTH)
    times = [WORK_S * (SLOW if slow and how == part else 1) for part in ("forward", "backward")]

    def step():
        optimizer.zero_grad()
        Work.apply(net(x), *times).sum().backward()
        optimizer.step()

    return step


def input_ended():
    return bool(select.select([0], [], [], 0)[0])


def wait_for_input():
    print("stuck %d" % time.monotonic_ns(), file=sys.stderr, flush=True)
    os.read(0, 1)


def be_stuck(how, mine):
    """What the rank does after the last step, or the others if it is not mine."""
    if how in ("missing", "busy"):
        if mine and how == "missing":
            wait_for_input()
        elif mine:
            with torch.profiler.record_function("loading"):
                wait_for_input()
        dist.all_reduce(torch.ones(1000))
    elif mine and how == "stays":
        wait_for_input()
    elif mine and how == "atexit":
        atexit.register(wait_for_input)
    elif mine and how == "exits":
        at_exit.append(wait_for_input)


def all_go_on(steps):
    """All ranks stop after the same step: the first one decides."""
    goes = torch.tensor([not input_ended()])
    dist.broadcast(goes, 0)
    return bool(goes)


def run_rank(how, chosen, steps):
    mine = dist.get_rank() == chosen
    torch.set_num_threads(1)
    step, done = trained(how, mine), 0
    while (done < steps) if steps else all_go_on(steps):
        step()
        done += 1
    if steps:
        be_stuck(how, mine)
    # The network would be the last to hold the group. Its end then waits for a thread of gloo, and
    # holds the interpreter for which that thread may wait: PyTorch 2.13 hangs at its exit.
    del step
    gc.collect()
    dist.destroy_process_group()


def start_rank(rank, port):
    os.environ.update(RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE=str(RANKS),
                      LOCAL_WORLD_SIZE=str(RANKS), GLOO_SOCKET_IFNAME="lo")
    store = dist.TCPStore("127.0.0.1", port, RANKS, is_master=False)
    dist.init_process_group("gloo", store=store, rank=rank, world_size=RANKS)


def forked(how, chosen, steps):
    """Forks the ranks, which meet at a free port. Returns 0 if all ended well."""
    torch.optim.SGD([torch.ones(1)], lr=0.01)  # imports what each rank would import
    reading, writing = os.pipe()
    children = []
    for rank in range(RANKS):
        child = os.fork()
        if child == 0:
            os.close(writing)
            port = int(os.read(reading, 16))
            start_rank(rank, port)
            run_rank(how, chosen, steps)
            sys.exit(0)
        children.append(child)
    store = dist.TCPStore("127.0.0.1", 0, RANKS, is_master=True, wait_for_workers=False)
    for _ in children:
        os.write(writing, b"%16d" % store.port)
    return max(os.waitpid(child, 0)[1] for child in children)


def main():
    asked = argparse.ArgumentParser()
    asked.add_argument("how")
    asked.add_argument("rank", type=int)
    asked.add_argument("--steps", type=int, default=0)
    how = asked.parse_args()
    if "LOCAL_RANK" in os.environ:
        dist.init_process_group("gloo")
        run_rank(how.how, how.rank, how.steps)
    else:
        sys.exit(forked(how.how, how.rank, how.steps) != 0)


if __name__ == "__main__":
    main()

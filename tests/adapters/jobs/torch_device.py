# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""torch_device.py JOB STEPS FOLDER TRUTH: a job of PyTorch whose ops launch kernels on the
pretended GPU of FOLDER (cupti_stand_in.c). Writes what it launched to TRUTH, as JSON. JOB is a name
of JOBS. --watched: waits until somebody takes records, before it launches anything."""
import argparse
import collections
import ctypes
import importlib.util
import json
import os
import sys
import threading
import time

# The allocator of GPUs is there once PyTorch is, as in its builds for CUDA.
ctypes.CDLL(os.path.join(importlib.util.find_spec("torch").submodule_search_locations[0], "lib",
                         "libc10.so"))
ALLOCATOR = ctypes.CDLL(os.path.join(sys.argv[3], "libc10_cuda.so"))

import torch  # noqa: E402

BYTES, PAUSE_S, KINETO_KERNELS, KINETO_IDS, MARK = 4096, 0.002, 7, 4, 90  # KINETO_IDS: kind CUSTOM1
KERNELS = {"mm": "_ZN4fake4gemmIfLi128EEEvPT_i", "add": "_ZN4fake3addIfEEvPT_", "back": "fake_back"}
TO_DEVICE, FROM_DEVICE = 1, 2  # CUpti_ActivityMemcpyKind


class Gpu:
    """Launches, and sums what it launched."""

    def __init__(self, folder):
        self.driver = ctypes.CDLL(os.path.join(folder, "libcuda.so.1"))
        self.cupti = ctypes.CDLL(os.path.join(folder, "libcupti.so.13"))
        self.cupti.gpu_launch.argtypes = [ctypes.c_uint, ctypes.c_uint, ctypes.c_char_p,
                                          ctypes.c_uint64, ctypes.c_uint]
        self.cupti.gpu_copy.argtypes = [ctypes.c_uint, ctypes.c_uint, ctypes.c_uint64,
                                        ctypes.c_uint64]
        self.cupti.gpu_set.argtypes = [ctypes.c_uint, ctypes.c_uint64, ctypes.c_uint64]
        self.names = {name: text.encode() for name, text in KERNELS.items()}
        self.ops = collections.defaultdict(lambda: [0, 0])      # op: [kernels and copies, ns]
        self.kernels = collections.defaultdict(lambda: [0, 0])  # name in op: the same
        self.bytes = collections.Counter()
        self.counts = True
        self.allocated = self.profiled = None

    def tally(self, op, what, ns, times=1):
        for of in (self.ops[op], self.kernels["%s in %s" % (what, op) if op else what]):
            of[0] += self.counts * times
            of[1] += self.counts * times * ns

    def launch(self, op, kernel, ns, stream=0, times=1):
        self.tally(op, kernel, ns, times)
        self.cupti.gpu_launch(0, stream, self.names[kernel], ns, times)

    def copy(self, op, way, ns):
        word = {TO_DEVICE: "from host to device", FROM_DEVICE: "from device to host"}[way]
        self.tally(op, word, ns)
        self.bytes[word] += BYTES
        self.cupti.gpu_copy(0, way, BYTES, ns)

    def set(self, op, ns):
        self.tally(op, "set", ns)
        self.bytes["set"] += BYTES
        self.cupti.gpu_set(0, BYTES, ns)

    def use_allocator(self):
        self.memory = ALLOCATOR
        self.memory.cuda_malloc.restype = ctypes.c_void_p
        self.memory.cuda_malloc.argtypes = [ctypes.c_uint, ctypes.c_size_t]
        self.memory.cuda_free.argtypes = [ctypes.c_uint, ctypes.c_void_p, ctypes.c_size_t]
        self.memory.cuda_out_of_memory.argtypes = [ctypes.c_uint, ctypes.c_size_t]
        self.allocated = collections.defaultdict(lambda: [0, 0])  # op: [taken, given back], bytes

    def malloc(self, op, bytes_, device=0):
        self.allocated[op][0] += bytes_
        return self.memory.cuda_malloc(device, bytes_)

    def free(self, op, at, bytes_, device=0):
        self.allocated[op][1] += bytes_
        self.memory.cuda_free(device, at, bytes_)

    def state(self):
        """Subscriptions, kinds enabled, ids left pushed, calls in children, starts of kernels, and
        flushes."""
        numbers = (ctypes.c_uint * 6)()
        self.cupti.gpu_state(numbers)
        return list(numbers)


def until(is_true):
    while not is_true():
        time.sleep(PAUSE_S)


def define_ops(gpu):
    """Ops of PyTorch that launch. Their nodes of autograd do, too, on a thread of autograd's."""
    library = torch.library.Library("fake", "DEF")
    library.define("mm(Tensor x) -> Tensor")
    library.define("add(Tensor x) -> Tensor")

    def mm(x):
        gpu.launch("fake::mm", "mm", 20000)
        return x * 2

    def add(x):
        gpu.copy("fake::add", TO_DEVICE, 3000)
        gpu.launch("fake::add", "add", 5000, stream=1)
        return x + 1

    library.impl("mm", mm, "CPU")
    library.impl("add", add, "CPU")

    class Fake(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return torch.ops.fake.add(torch.ops.fake.mm(x))

        @staticmethod
        def backward(ctx, gradient):
            gpu.launch("FakeBackward", "back", 7000)
            gpu.set("FakeBackward", 1000)
            return gradient * 2

    return library, Fake.apply


def train(gpu, fake, steps, each=lambda step: None):
    weight = torch.nn.Parameter(torch.ones(4))
    optimizer = torch.optim.SGD([weight], lr=1e-3)
    for step in range(steps):
        optimizer.zero_grad()
        fake(weight).sum().backward()
        optimizer.step()
        gpu.cupti.gpu_wait()  # as loss.item() would
        each(step)


def plain(gpu, fake, steps):
    train(gpu, fake, steps)
    gpu.launch(None, "mm", 1000)  # of no op
    with torch.profiler.record_function("replay"):
        gpu.launch("replay", "mm", 2000, times=24)  # a graph
    gpu.copy(None, FROM_DEVICE, 500)


def threads(gpu, fake, steps):
    """Ops of several threads, on one device."""
    workers = [threading.Thread(target=train, args=(gpu, fake, steps)) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


class Kineto:
    """The GPU's part of the job's profiler: takes the subscription the first time, and keeps it."""

    def __init__(self, gpu):
        self.gpu, self.cupti = gpu, gpu.cupti
        self.subscriber = ctypes.c_void_p()
        self.taken = self.seen = 0
        self.buffer = ctypes.create_string_buffer(1 << 16)
        self.request = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)(
            self.requested)
        self.complete = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint, ctypes.c_void_p,
                                         ctypes.c_size_t, ctypes.c_size_t)(self.completed)

    def requested(self, buffer, size, most):
        ctypes.c_void_p.from_address(buffer).value = ctypes.addressof(self.buffer)
        ctypes.c_size_t.from_address(size).value = len(self.buffer)
        ctypes.c_size_t.from_address(most).value = 0

    def completed(self, context, stream, buffer, size, valid):
        record = ctypes.c_void_p()
        while self.cupti.cuptiActivityGetNextRecord(ctypes.c_void_p(buffer),
                                                    ctypes.c_size_t(valid),
                                                    ctypes.byref(record)) == 0:
            self.seen += 1

    def profile(self):
        """Profiles some kernels. Nobody else may see them, and this profiler all."""
        if not self.taken:
            assert self.cupti.cuptiSubscribe(ctypes.byref(self.subscriber), None, None) == 0
            self.taken = 1
        assert self.gpu.state()[1] == 0, self.gpu.state()
        self.cupti.cuptiActivityRegisterCallbacks(self.request, self.complete)
        self.cupti.cuptiActivityEnable(10)
        # As kineto does, which takes none of it back: its clock, an id of its own that is pushed
        # for a run that goes on, and a buffer that it does not get back.
        self.cupti.cuptiActivityRegisterTimestampCallback(self.cupti.gpu_ticks)
        self.cupti.cuptiActivityPushExternalCorrelationId(KINETO_IDS, ctypes.c_uint64(12345))
        self.gpu.counts, self.seen = False, 0
        for _ in range(KINETO_KERNELS):
            self.gpu.launch(None, "mm", 1000)
        self.gpu.cupti.gpu_wait()
        self.cupti.cuptiActivityFlushAll(0)
        self.cupti.gpu_leave_buffer()
        self.cupti.cuptiActivityDisable(10)
        self.gpu.counts = True
        assert self.seen == KINETO_KERNELS, self.seen
        ctypes.memset(self.buffer, MARK, len(self.buffer))

    def has_its_buffer(self):
        """True if nobody has written into the buffer that was left behind."""
        return self.buffer.raw == bytes([MARK]) * len(self.buffer)


def profiles(gpu, fake, steps):
    """Trains, profiles itself by torch.profiler, and goes on, three times; once by a schedule."""
    kineto = Kineto(gpu)
    for turn in range(3):
        before = gpu.state()[4]
        schedule = torch.profiler.schedule(wait=0, warmup=1, active=1, repeat=1) if turn else None
        train(gpu, fake, steps)
        with torch.profiler.profile(schedule=schedule) as profiler:
            kineto.profile()
            profiler.step()
            kineto.profile()
            profiler.step()
        if gpu.watched:
            until(lambda: gpu.state()[4] > before + 2)  # kineto's two, and the watcher's again
        assert kineto.has_its_buffer()
    train(gpu, fake, steps)
    flushes = gpu.state()[5]
    while gpu.watched and gpu.state()[5] < flushes + 4:
        gpu.launch(None, "mm", 3000)  # of no op, but with kineto's id
        time.sleep(PAUSE_S)
    assert kineto.has_its_buffer()


def owned(gpu, fake, steps):
    """Somebody else has CUPTI from the start."""
    assert gpu.cupti.cuptiSubscribe(ctypes.byref(ctypes.c_void_p()), None, None) == 0
    train(gpu, fake, steps)


def forks(gpu, fake, steps):
    """A child of a process that uses CUDA trains on the CPU."""
    train(gpu, fake, steps)
    child = os.fork()
    if child == 0:
        torch.set_num_threads(1)
        weight = torch.nn.Parameter(torch.ones(4))
        optimizer = torch.optim.SGD([weight], lr=1e-3)
        for _ in range(steps):
            weight.grad = torch.ones(4)
            optimizer.step()
        os._exit(gpu.state()[3])
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    train(gpu, fake, steps)


def held(gpu, fake, steps):
    """Trains until its input ends. For each line of input it prints how CUPTI is."""
    asked, ends = threading.Semaphore(0), threading.Event()

    def listen():
        for _ in sys.stdin:
            asked.release()
        ends.set()

    threading.Thread(target=listen).start()
    print("ready", flush=True)
    is_last = False
    while not is_last:
        is_last = ends.is_set()
        train(gpu, fake, steps)
        if asked.acquire(blocking=False):
            print(json.dumps(gpu.state()[:4]), flush=True)


def memory(gpu, fake, steps):
    """Ops allocate on two devices, and one runs out of memory. torch.profiler profiles the same."""
    library = torch.library.Library("fake", "FRAGMENT")
    library.define("take(Tensor x) -> Tensor")
    library.define("give(Tensor x) -> Tensor")
    library.define("out(Tensor x) -> Tensor")
    blocks = []
    gpu.use_allocator()

    def take(x):
        blocks.append(gpu.malloc("fake::take", 1000))
        blocks.append(gpu.malloc("fake::take", 24, device=1))
        return x.clone()

    def give(x):
        gpu.free("fake::give", blocks.pop(), 24, device=1)
        gpu.free("fake::give", blocks.pop(), 1000)
        return x.clone()

    def out(x):
        gpu.memory.cuda_out_of_memory(0, 1 << 40)
        return x.clone()

    for of in (take, give, out):
        library.impl(of.__name__, of, "CPU")
    x = torch.ones(2)
    with torch.profiler.profile(profile_memory=True, acc_events=True) as profiler:
        for step in range(steps):
            torch.ops.fake.take(x)
            if step % 3:
                torch.ops.fake.give(x)
        torch.ops.fake.out(x)
    gpu.profiled = {one.key: one.self_device_memory_usage for one in profiler.key_averages()
                    if one.self_device_memory_usage}


JOBS = {one.__name__: one for one in (plain, threads, profiles, owned, forks, held, memory)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("job", choices=JOBS)
    parser.add_argument("steps", type=int)
    parser.add_argument("folder")
    parser.add_argument("truth")
    parser.add_argument("--watched", action="store_true")
    args = parser.parse_args()
    torch.set_num_threads(1)
    gpu = Gpu(args.folder)
    gpu.watched = args.watched
    _library, fake = define_ops(gpu)
    gpu.driver.cuInit(0)
    if args.watched:
        until(lambda: gpu.state()[4] > 1)  # it is tried once before
    JOBS[args.job](gpu, fake, args.steps)
    gpu.cupti.gpu_wait()
    with open(args.truth, "w", encoding="utf-8") as file:
        json.dump({"ops": gpu.ops, "kernels": gpu.kernels, "bytes": gpu.bytes,
                   "state": gpu.state(), "allocated": gpu.allocated,
                   "profiled": gpu.profiled}, file)


main()

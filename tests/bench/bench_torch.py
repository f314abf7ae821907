# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""bench_torch.py BUILD PYTHON: measures what counting the ops of PyTorch costs: ns an event, and
the slow-down of three training jobs, beside callbacks that do nothing and torch.profiler. All ways
alternate within one process. Also measures how long a running job stands still for an attach.
Prints rows of the table of script/bench."""
import ctypes
import os
import statistics
import subprocess
import sys
import tempfile
import time

ROUNDS, CALLS, ATTACHES = 15, 4000, 9
STEPS = {"mlp": 40, "tfm": 6, "cnn": 30}
TABLE = "%-58s %14s %9s   %s"
HERE = os.path.dirname(os.path.abspath(__file__))
JOBS = os.path.join(HERE, "..", "adapters", "jobs")
# The least that a callback can do: PyTorch's part of the cost.
EMPTY = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
struct callback {
    void *begin, *end;
    double probability;
    unsigned char scopes[10], needs[3], room[88];
};
static void *begin(void **context, const void *run) { (void)run; *context = 0; return context; }
static void end(const void *run, void *context) { (void)run; (void)context; }
static uint64_t handle;
static void *find(const char *name)
{
    return dlsym(dlopen("libtorch_cpu.so", RTLD_NOLOAD | RTLD_NOW), name);
}
void empty_on(void)
{
    struct callback all = {begin, end, 1, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {0}, {0}};
    uint64_t (*add)(struct callback);
    *(void **)&add = find("_ZN2at17addGlobalCallbackENS_22RecordFunctionCallbackE");
    handle = add(all);
}
void empty_off(void)
{
    void (*take)(uint64_t);
    *(void **)&take = find("_ZN2at14removeCallbackEm");
    take(handle);
}
"""


def least_of(turn, ways):
    """The least time of turn() for each way: a pair of functions around it."""
    least = {}
    for _ in range(ROUNDS):
        for way, (on, off) in ways.items():
            on()
            turn()  # finds its rows
            begun = time.process_time()
            turn()
            seconds = time.process_time() - begun
            off()
            least[way] = min(seconds, least.get(way, seconds))
    return least


def inside():
    """Runs in the job. Prints a line for each row: name, plain seconds, seconds of each way."""
    import torch
    from torch.profiler import ProfilerActivity, profile
    from _proftop import feed

    sys.path.insert(0, JOBS)
    import torch_jobs

    torch.set_num_threads(1)
    feed.torch_detach()
    empty = ctypes.CDLL(sys.argv[2])
    profiler = [None]

    def start():
        profiler[0] = profile(activities=[ProfilerActivity.CPU])
        profiler[0].__enter__()

    def nothing():
        pass

    ways = {"plain": (nothing, nothing), "empty": (empty.empty_on, empty.empty_off),
            "exact": (lambda: feed.torch_attach(0.0, 50.0), feed.torch_detach),
            "profiler": (start, lambda: profiler[0].__exit__(None, None, None))}
    x, weight, bias = torch.zeros(64, 64), torch.zeros(64, 64), torch.zeros(64)

    def ops():
        for _ in range(CALLS):
            torch.nn.functional.linear(x[:1], weight, bias)

    start()
    ops()
    ways["profiler"][1]()
    events = sum(row.count for row in profiler[0].key_averages())
    least = least_of(ops, ways)
    print("events", events, *(least[way] for way in ways))
    for name, steps in STEPS.items():
        step = getattr(torch_jobs, name)()
        step()

        def job():
            for _ in range(steps):
                step()
        least = least_of(job, ways)
        print(name, steps, *(least[way] for way in ways))


def alone(name):
    """Runs in a job of its own. Prints the CPU seconds of a step, the least of some rounds."""
    import torch

    sys.path.insert(0, JOBS)
    import torch_jobs

    torch.set_num_threads(1)
    step = getattr(torch_jobs, name)()
    least = 1e9
    until = time.monotonic() + 6
    while time.monotonic() < until:
        begun = time.process_time()
        for _ in range(20):
            step()
        least = min(least, (time.process_time() - begun) / 20)
        # The mean is what a window costs, the least is what the machine can do.
        alone.rounds.append((time.process_time() - begun) / 20)
    print(statistics.median(alone.rounds), least)


alone.rounds = []


def environment(build, folder, **more):
    env = {key: value for key, value in os.environ.items() if not key.startswith("PROFTOP")}
    env.update(PROFTOP_DIR=folder, OMP_NUM_THREADS="1", XDG_CACHE_HOME=folder,
               PROFTOP_ADAPTERS=os.path.join(build, "adapters", "python"), **more)
    return env


def under_proftop(build, folder, command, **more):
    done = subprocess.run([os.path.join(build, "proftop"), "run", "-b", "-o", os.devnull, "--",
                           *command], env=environment(build, folder, **more), check=True,
                          stdout=subprocess.PIPE)
    return done.stdout.decode().splitlines()


def costs(build, python, folder):
    source, library = os.path.join(folder, "empty.c"), os.path.join(folder, "empty.so")
    with open(source, "w", encoding="utf-8") as file:
        file.write(EMPTY)
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    lines = under_proftop(build, folder, [python, os.path.abspath(__file__), "inside", library],
                          PROFTOP_BUDGET="0")
    for name, count, *seconds in (line.split() for line in lines if line[0] != "U"):
        plain, empty, exact, profiler = map(float, seconds)
        if name == "events":
            def ns(of):
                return (of - plain) / int(count) * 1e9
            print(TABLE % ("torch: an event, exact", "%.1f ns" % ns(exact), "", "torch.profiler "
                           "%.0f ns" % ns(profiler)))
            print(TABLE % ("torch: of it above a callback that does nothing", "%.1f ns" % (
                ns(exact) - ns(empty)), "%.0f ns" % ns(empty), "100 ns"))
            continue
        print(TABLE % ("torch: %s, exact, over callbacks that do nothing" % name, "%.3f ms" % (
            exact / int(count) * 1e3), "%.3f x" % (exact / empty), "1.08 x"))
        print(TABLE % ("torch: %s, exact, over plain" % name, "", "%.3f x" % (exact / plain),
                       "torch.profiler %.2f x" % (profiler / plain)))


def slow_down(build, python, folder):
    """By default, in processes that alternate: the median of their CPU time a step."""
    for name in STEPS:
        found = {"plain": [], "default": []}
        for _ in range(5):
            command = [python, os.path.abspath(__file__), "alone", name]
            plain = subprocess.run(command, env=environment(build, folder), check=True,
                                   stdout=subprocess.PIPE).stdout.decode().splitlines()
            found["plain"].append(float(plain[-1].split()[0]))
            found["default"].append(float(under_proftop(build, folder, command)[-1].split()[0]))
        plain, default = (statistics.median(found[way]) for way in ("plain", "default"))
        print(TABLE % ("torch: %s, by default" % name, "%.3f ms" % (default * 1e3),
                       "%.3f x" % (default / plain), "1.02 x"))


def stops(build, python, folder):
    """How long a job stands still for an attach."""
    stood, first = [], []
    for _ in range(ATTACHES):
        env = environment(build, folder)
        job = subprocess.Popen([python, os.path.join(JOBS, "torch_jobs.py"), "mlp", "1", "--wait"],
                               env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        job.stdout.readline()
        begun = time.monotonic()
        done = subprocess.run([os.path.join(build, "proftop"), "-b", "-p", str(job.pid)], env=env,
                              check=True, capture_output=True)
        first.append(time.monotonic() - begun)
        stood.append(float(done.stderr.decode().rsplit("it stood still for ", 1)[1].split()[0]))
        job.communicate(b"\n")
    print(TABLE % ("torch: a job stands still for an attach, at most", "%.2f ms" % max(stood), "",
                   "20 ms"))
    print(TABLE % ("torch: from the command to the first report, at most",
                   "%.0f ms" % (max(first) * 1e3), "", "2000 ms"))


def main():
    if sys.argv[1] == "inside":
        inside()
    elif sys.argv[1] == "alone":
        alone(sys.argv[2])
    else:
        build, python = os.path.abspath(sys.argv[1]), sys.argv[2]
        with tempfile.TemporaryDirectory(prefix="proftop-bench-") as folder:
            costs(build, python, folder)
            slow_down(build, python, folder)
            stops(build, python, folder)


if __name__ == "__main__":
    main()

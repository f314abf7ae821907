# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""compare_torch.py BUILD PYTHON [SECONDS]: the same training job of PyTorch under torch.profiler,
py-spy, TraceML and proftop, one after the other, as a user would use them. Prints a table: when the
first figures are there, what the job pays in speed and memory, and what is seen. PYTHON has
PyTorch, py-spy and TraceML. SECONDS: how long each watches, 10 if it is not given."""
import inspect
import os
import pty
import socket
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
JOBS = os.path.join(HERE, "..", "adapters", "jobs")
ROW = "| %s | %s | %s | %s | %s |"


def rss():
    """Megabytes of this process, and the most that it has had."""
    with open("/proc/self/status", encoding="ascii") as file:
        words = dict(line.split(":", 1) for line in file)
    return [int(words[key].split()[0]) / 1024 for key in ("VmRSS", "VmHWM")]


def work(step, seconds):
    """Steps a second."""
    done, begun = 0, time.monotonic()
    while time.monotonic() - begun < seconds:
        step()
        done += 1
    return done / (time.monotonic() - begun)


def traced(step, folder, port):
    """The step as TraceML wants it in the code: with its model."""
    import traceml_ai as traceml

    traceml.init(ui_mode="cli", interval=1, logs_dir=folder, session_id="compare",
                 aggregator_port=int(port))
    net = inspect.getclosurevars(step).nonlocals["net"]

    def run():
        with traceml.trace_step(net):
            step()

    return run


def inside(way, seconds, *more):
    """The job. Prints its pid, its speed without a watcher and while it is watched, and memory."""
    import torch

    sys.path.insert(0, JOBS)
    import torch_jobs

    torch.set_num_threads(1)
    step = torch_jobs.mlp()
    work(step, 2)
    plain, before = work(step, seconds / 2), rss()[0]
    print("ready", flush=True)
    sys.stdin.readline()
    if way == "profiler":
        from torch.profiler import ProfilerActivity, profile
        begun = time.monotonic()
        with profile(activities=[ProfilerActivity.CPU]) as profiler:
            speed = work(step, seconds)
        table = profiler.key_averages().table(sort_by="self_cpu_time_total")
        rows = sum("aten::" in line for line in table.splitlines())
        print(time.monotonic() - begun, rows, flush=True)
    else:
        print(0, 0, flush=True)
        speed = work(traced(step, *more) if way == "traceml" else step, seconds)
    print(plain, speed, before, rss()[1], flush=True)


class Job:
    def __init__(self, python, way, seconds, env, *more):
        self.process = subprocess.Popen(
            [python, os.path.abspath(__file__), "inside", way, str(seconds), *more], env=env,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        while self.process.stdout.readline() != b"ready\n":
            pass

    def go(self):
        self.process.stdin.write(b"\n")
        self.process.stdin.flush()

    def line(self):
        """Its next line of figures."""
        while True:
            words = self.process.stdout.readline().split()
            try:
                return [float(word) for word in words]
            except ValueError:
                continue


def show(name, first, figures, seen):
    plain, speed, before, most = figures
    print(ROW % (name, "%.2f s" % first, "%.2f x" % (plain / speed),
                 "%+.0f MB" % (most - before), seen), flush=True)


class Screen:
    """A program on a terminal, and when a word was first on it."""

    def __init__(self, command, env, word):
        ours, theirs = pty.openpty()
        self.seen = None
        self.process = subprocess.Popen(command, env=env, stdin=theirs, stdout=theirs,
                                        stderr=theirs, start_new_session=True)
        os.close(theirs)
        self.reader = threading.Thread(target=self.read, args=(ours, word))
        self.reader.start()

    def read(self, terminal, word):
        screen = b""
        try:
            while True:
                screen = (screen + os.read(terminal, 65536))[-1 << 20:]
                if self.seen is None and word in screen:
                    self.seen = time.monotonic()
        except OSError:
            pass  # the program has ended

    def end(self):
        self.process.terminate()
        self.process.wait()
        self.reader.join()


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return str(one.getsockname()[1])


def traceml(python, seconds, env, folder):
    """Its screen shows means of 100 steps."""
    port = free_port()
    screen = Screen([os.path.join(os.path.dirname(python), "traceml"), "serve", "--mode", "cli",
                     "--interval", "1", "--logs-dir", folder, "--run-name", "compare",
                     "--aggregator-port", port], env, b"RESIDUAL")
    job = Job(python, "traceml", seconds, env, folder, port)
    begun = time.monotonic()
    job.go()
    job.line()
    figures = job.line()
    job.process.wait()
    screen.end()
    show("TraceML", (screen.seen or float("nan")) - begun, figures,
         "forward, backward, optimizer: means of steps, live; no ops; code change")


def main():
    build, python = os.path.abspath(sys.argv[1]), sys.argv[2]
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 10
    spy = os.path.join(os.path.dirname(python), "py-spy")
    with tempfile.TemporaryDirectory(prefix="proftop-compare-") as folder:
        env = dict(os.environ, PROFTOP_DIR=folder, XDG_CACHE_HOME=folder, OMP_NUM_THREADS="1",
                   PROFTOP_ADAPTERS=os.path.join(build, "adapters", "python"))
        print(ROW % ("", "first figures after", "job slower by", "memory", "seen"))
        print(ROW % (("---",) * 5))
        for name, budget in (("proftop, as it is", "2"), ("proftop, every op", "0")):
            job = Job(python, "proftop", seconds, dict(env, PROFTOP_BUDGET=budget))
            job.go()
            job.line()
            begun = time.monotonic()
            subprocess.run([os.path.join(build, "proftop"), "-b", "-p", str(job.process.pid)],
                           env=env, check=True, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
            first = time.monotonic() - begun
            shown = subprocess.run(
                [os.path.join(build, "proftop"), "-b", "-p", str(job.process.pid), "-n",
                 str(int(seconds) - 2)], env=env, check=True, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL).stdout.decode()
            last = shown.rsplit("\n Op\n", 1)[-1].split("\n Apply\n")[0]
            show(name, first, job.line(), "%d ops live, modules, phases, lines; attach and detach"
                 % last.count("aten::"))
            job.process.wait()
        job = Job(python, "spy", seconds, env)
        job.go()
        job.line()
        begun = time.monotonic()
        subprocess.run([spy, "dump", "-p", str(job.process.pid)], check=True,
                       stdout=subprocess.DEVNULL)
        first = time.monotonic() - begun
        subprocess.run([spy, "record", "-d", str(int(seconds) - 2), "-f", "raw", "-o",
                        os.path.join(folder, "spy"), "-p", str(job.process.pid)], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(os.path.join(folder, "spy"), encoding="utf-8") as file:
            ops = file.read().count("aten::")
        show("py-spy", first, job.line(), "Python functions, %d ops; attach" % ops)
        job.process.wait()
        traceml(python, seconds, env, folder)
        job = Job(python, "profiler", seconds, env)
        job.go()
        took, rows = job.line()
        show("torch.profiler", took, job.line(), "%d ops, once, after the window; code change"
             % rows)
        job.process.wait()


if __name__ == "__main__":
    if sys.argv[1] == "inside":
        inside(sys.argv[2], float(sys.argv[3]), *sys.argv[4:])
    else:
        main()

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""compare_torch.py BUILD PYTHON [SECONDS]: the same training job of PyTorch under torch.profiler,
py-spy and proftop, one after the other, as a user would use them. Prints a table: when the first
figures are there, what the job pays in speed and memory, and what is seen. PYTHON has PyTorch and
py-spy. SECONDS: how long each watches, 10 if it is not given."""
import os
import subprocess
import sys
import tempfile
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


def inside(way, seconds):
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
        speed = work(step, seconds)
    print(plain, speed, before, rss()[1], flush=True)


class Job:
    def __init__(self, python, way, seconds, env):
        self.process = subprocess.Popen(
            [python, os.path.abspath(__file__), "inside", way, str(seconds)], env=env,
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
        job = Job(python, "profiler", seconds, env)
        job.go()
        took, rows = job.line()
        show("torch.profiler", took, job.line(), "%d ops, once, after the window; code change"
             % rows)
        job.process.wait()


if __name__ == "__main__":
    if sys.argv[1] == "inside":
        inside(sys.argv[2], float(sys.argv[3]))
    else:
        main()

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""listen.py: jobs that connect to a viewer themselves (PROFTOP_CONNECT, proftop --listen)."""
import contextlib
import json
import os
import queue
import resource
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import shell  # noqa: E402
from shell import PROFTOP, SYNTHETIC, WAIT, tap  # noqa: E402

RANKS = os.path.abspath(tap.built("examples", "ranks"))
FILES = 2048  # enough for all
SEED_JOB = os.path.abspath(tap.built("seed_job"))


class World:
    def __init__(self, folder):
        self.folder = folder
        self.keys = os.path.join(folder, "keys")
        self.env = dict(os.environ, PROFTOP_DIR=os.path.join(folder, "jobs"),
                        PROFTOP_KEYS=self.keys)
        for name in ("PROFTOP_INSECURE", "PROFTOP_BIND", "PROFTOP_CONNECT", "PROFTOP_KEY"):
            self.env.pop(name, None)

    def proftop(self, *words):
        return shell.proftop(self.env, *words)

    def unix(self):
        return "ipc://%s/l.pub" % self.folder

    @staticmethod
    def tcp():
        """Two ports that were free a moment ago."""
        with socket.socket() as one, socket.socket() as two:
            ports = []
            for each in (one, two):
                each.bind(("127.0.0.1", 0))
                ports.append("tcp://127.0.0.1:%d" % each.getsockname()[1])
        return ",".join(ports)

    @contextlib.contextmanager
    def job(self, endpoint, applies=50, **more):
        with subprocess.Popen([SYNTHETIC, "--applies", str(applies)], stdout=subprocess.DEVNULL,
                              env=dict(self.env, PROFTOP_CONNECT=endpoint, **more)) as job:
            try:
                yield job
            finally:
                job.kill()


class Viewer:
    """proftop --listen; its reports are read as they arrive."""

    def __init__(self, w, endpoint, *words, before=()):
        self.process = subprocess.Popen(
            [*before, PROFTOP, "-b", "-n", "0", "-d", "0.1", "--wait", "60", "--format", "json",
             "--listen", endpoint, *words],
            env=w.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def until(self, condition):
        end, report = time.monotonic() + 2 * WAIT, None
        while time.monotonic() < end:
            line = self.lines.get(timeout=WAIT)
            assert line is not None, self.process.stderr.read()
            report = json.loads(line)
            if condition(report):
                return report
        raise AssertionError(report)

    def says(self):
        """The next line on its error output; empty if none arrives in time."""
        patience = threading.Timer(WAIT, self.process.kill)
        patience.start()
        try:
            return self.process.stderr.readline()
        finally:
            patience.cancel()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stderr.close()


@contextlib.contextmanager
def world():
    with tempfile.TemporaryDirectory() as folder:
        yield World(folder)


def shows(pid, applies=50):
    return lambda report: report["state"] == "live" and report["jobs"][0]["pid"] == pid and \
        len(report["applies"]) == applies and any(row["calls"] for row in report["applies"])


def job_or_viewer_may_start_first():
    """Either the job or the viewer may start first; the job is in its own directory as well."""
    with world() as w:
        with w.job(w.unix()) as job, Viewer(w, w.unix()) as viewer:
            report = viewer.until(shows(job.pid))
            assert report["jobs"][0]["feed"]["insecure"] is False
            done = w.proftop("-b", "--format", "json", "-p", str(job.pid))
            assert done.returncode == 0 and shows(job.pid)(json.loads(done.stdout)), done.stderr
        with Viewer(w, w.unix()) as viewer, w.job(w.unix(), 70) as job:
            viewer.until(shows(job.pid, 70))


def one_that_is_killed_and_one_that_takes_its_place():
    with world() as w, Viewer(w, w.unix()) as viewer:
        with w.job(w.unix()) as job:
            viewer.until(shows(job.pid))
        with w.job(w.unix()) as job:
            report = viewer.until(shows(job.pid))
            assert report["jobs"][0]["feed"]["gaps"] == 0, report["jobs"]


def a_viewer_that_comes_back():
    """The job finds the next viewer at the same endpoint, which sees all its totals."""
    with world() as w, w.job(w.unix()) as job:
        with Viewer(w, w.unix()) as viewer:
            before = viewer.until(shows(job.pid))
        with Viewer(w, w.unix()) as viewer:
            after = viewer.until(shows(job.pid))
        calls = [sum(row["calls"] for row in report["applies"]) for report in (before, after)]
        assert calls[0] <= calls[1], calls


def the_goodbye_comes():
    with world() as w, Viewer(w, w.unix()) as viewer:
        with subprocess.Popen([SYNTHETIC, "--applies", "50", "--seconds", "1"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              env=dict(w.env, PROFTOP_CONNECT=w.unix())) as job:
            report = viewer.until(lambda report: report["final"])
            assert report["jobs"][0]["pid"] == job.pid and report["state"] == "ended", report


def over_tcp_with_keys():
    with world() as w:
        assert w.proftop("keygen").returncode == 0
        endpoint = w.tcp()
        with Viewer(w, endpoint) as viewer, w.job(endpoint) as job:
            report = viewer.until(shows(job.pid))
            assert report["jobs"][0]["feed"]["insecure"] is False


def a_job_whose_key_may_not_publish_stays_outside():
    with world() as w:
        for name in ("id", "other"):
            assert w.proftop("keygen", name).returncode == 0
        endpoint = w.tcp()
        with w.job(endpoint, 70, PROFTOP_KEY="other", PROFTOP_PEER="id") as other:
            with Viewer(w, endpoint) as viewer, w.job(endpoint) as job:
                viewer.until(shows(job.pid))  # though the other came first
            with open(os.path.join(w.keys, "other.pub"), encoding="ascii") as file:
                public = file.read().split("public = ")[1].strip()
            with open(os.path.join(w.keys, "authorized"), "w", encoding="ascii") as file:
                file.write("publish = %s other\n" % public)
            with Viewer(w, endpoint) as viewer:
                viewer.until(shows(other.pid, 70))


def over_tcp_without_keys():
    with world() as w:
        endpoint = w.tcp()
        done = w.proftop("-b", "--listen", endpoint)
        assert done.returncode == 2 and "proftop keygen" in done.stderr, done
        with Viewer(w, endpoint, "--insecure") as viewer:
            with w.job(endpoint, PROFTOP_INSECURE="1") as job:
                report = viewer.until(shows(job.pid))
                assert report["jobs"][0]["feed"]["insecure"] is True


def a_hundred_and_more_that_come_at_once():
    """Each job has a slot, up to 128, or as many as the descriptors allow. More jobs are reported,
    and do not harm the viewer."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if hard < FILES:
        raise tap.Skip("the limit of descriptors is %d here" % hard)
    for count, places, limit, told in ((100, 128, FILES, None), (140, 128, FILES, "to\n"),
                                       (40, 29, 383, "to; more would be with a higher")):
        limited = "sh", "-c", 'ulimit -Sn 383 && ulimit -Hn %d && exec "$0" "$@"' % limit
        with world() as w, Viewer(w, w.unix(), before=limited) as viewer:
            env = dict(w.env, PROFTOP_CONNECT=w.unix())
            ranks = [RANKS, "--ranks", str(count), "--hang", "1", "--after", "0"]
            with subprocess.Popen(ranks, env=env, stdin=subprocess.PIPE, text=True,
                                  stdout=subprocess.PIPE) as jobs:
                pids = []
                try:
                    for _ in range(count):
                        pids.append(int(jobs.stdout.readline().split()[-1]))
                    wanted = min(count, places)
                    live = viewer.until(lambda report, wanted=wanted: wanted == len(
                        [job for job in report["jobs"] if job["state"] == "live"]))
                    found = {job["pid"] for job in live["jobs"]}
                    assert len(found) == wanted and found <= set(pids), found
                    if told:
                        said = viewer.says()
                        words = "left out: more came than the %d that are listened %s"
                        assert words % (places, told) in said, said
                finally:
                    shell.end_all([*pids, jobs.pid])


def nobody_comes():
    with world() as w:
        done = w.proftop("-b", "--wait", "0.3", "--listen", w.unix())
        assert done.returncode == 3 and "PROFTOP_CONNECT" in done.stderr, done
        done = w.proftop("-b", "--listen", "ipc:///no/such/folder/l.pub")
        assert done.returncode == 2 and "can't be waited for" in done.stderr, done


tap.run(job_or_viewer_may_start_first, one_that_is_killed_and_one_that_takes_its_place,
        a_viewer_that_comes_back,
        the_goodbye_comes, over_tcp_with_keys, a_job_whose_key_may_not_publish_stays_outside,
        over_tcp_without_keys, a_hundred_and_more_that_come_at_once, nobody_comes)

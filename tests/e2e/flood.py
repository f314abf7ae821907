# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""flood.py: viewers that flood a job with requests, read nothing and disappear. The job survives,
its memory and descriptors stay bounded, and it serves the next viewer."""
import multiprocessing
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import shell  # noqa: E402
from shell import SYNTHETIC, tap  # noqa: E402
import proc  # noqa: E402

try:
    import msgpack
    import zmq
except ImportError:
    zmq = None

SECONDS = 5 * tap.SLOW
WAIT = 12 * SECONDS
REQUESTS = 30000  # of each client
ROUNDS = 10  # rounds of killed clients
SANITIZED = bool(os.environ.get("SANITIZE_FLAGS", "").strip())
MOST_KB = 512 * 1024  # growth limit of a job: sanitizers keep freed memory


def request(word, **fields):
    return b"Q/" + msgpack.packb(dict({"ver": 1, "q": word, "req": 1}, **fields))


def flood(endpoint, hellos, done):
    """Floods until it is killed: with hellos only, or with requests of every kind, valid and
    invalid. Sets `done` after REQUESTS requests."""
    sent = 0
    wanted = request("snapshot", want="DFANE", credit=4)
    kinds = [request("hello"), wanted, request("more", credit=4), request("x" * 3900), b"Q/" * 99]
    context = zmq.Context()
    sockets = [context.socket(zmq.DEALER) for _ in range(3)]
    for socket in sockets:
        socket.setsockopt(zmq.SNDHWM, 100000)
        socket.setsockopt(zmq.RCVHWM, 1)
        socket.setsockopt(zmq.HEARTBEAT_IVL, 100)
        socket.connect(endpoint)
    while True:
        for socket in sockets:
            try:
                for kind in kinds[:1] * 20 if hellos else kinds:
                    socket.send(kind, zmq.NOBLOCK)
                    sent += 1
            except zmq.Again:
                pass
        if sent >= REQUESTS:
            done.set()


def life(control, hellos):
    done = [multiprocessing.Event() for _ in range(2)]
    clients = [multiprocessing.Process(target=flood, args=(control, hellos, one)) for one in done]
    for client in clients:
        client.start()
    sent = all([one.wait(WAIT) for one in done])
    for client in clients:
        client.kill()
        client.join()
    assert sent, "the job does not take %d requests in %d s" % (REQUESTS, WAIT)


def a_flooded_job_lives_and_stays_small():
    if zmq is None:
        raise tap.Skip("python3-zmq or python3-msgpack is not installed")
    with tempfile.TemporaryDirectory() as folder:
        env = dict(os.environ, PROFTOP_DIR=folder)
        with shell.Job(env, SYNTHETIC, "--applies", "500") as job:
            name = [name for name in os.listdir(folder) if name.endswith(".info")][0]
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                control = dict(line.rstrip("\n").split("=", 1) for line in file)["control"]
            held, memory_kb = proc.descriptors(job.pid), proc.rss_kb(job.pid)
            for number in range(ROUNDS):
                life(control, number < 8)
                assert job.process.poll() is None, (number, job.process.returncode)
            tap.wait_for("the descriptors of before",
                         lambda: proc.descriptors(job.pid) <= held, SECONDS)
            assert proc.rss_kb(job.pid) - memory_kb < MOST_KB, memory_kb
            done = shell.proftop(env, "-b", "-p", job.pid)
            assert done.returncode == 0 and "rows 1-500 of 500" in done.stdout, done
            report, = shell.rows(shell.proftop(env, "-b", "-p", job.pid, "--format", "json"),
                                 "json.schema")
            limits = report["jobs"][0]["limits"]
            # With a sanitizer both are slow, and the job may answer the whole flood.
            assert limits["garbage"] > 0 and (SANITIZED or limits["flooded"] > 0), limits


if __name__ == "__main__":
    tap.run(a_flooded_job_lives_and_stays_small)

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""flood.py: viewers that flood a job with requests, read nothing and vanish. The job must not care:
it lives, its memory and descriptors stay bounded, and it serves the next viewer."""
import glob
import multiprocessing
import os
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap  # noqa: E402

try:
    import msgpack
    import zmq
except ImportError:
    zmq = None

PROFTOP = os.path.abspath(tap.built("proftop"))
SYNTHETIC = os.path.abspath(tap.built("examples", "synthetic"))
SECONDS = 5 * int(os.environ.get("CK_TIMEOUT_MULTIPLIER", "1"))
WAIT = 12 * SECONDS
REQUESTS = 30000  # of each client
ROUNDS = 10  # lives of clients that are killed
MOST_KB = 512 * 1024  # that a job may grow by: sanitizers keep what was freed


def request(word, **fields):
    return b"Q/" + msgpack.packb(dict({"ver": 1, "q": word, "req": 1}, **fields))


def flood(endpoint, hellos, done):
    """Until it is killed: hellos alone, or requests of every kind, right and wrong. Says so when
    REQUESTS of them are sent."""
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


def figures(pid):
    with open("/proc/%d/status" % pid, encoding="ascii") as file:
        kilobytes = int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1))
    tables = ["/proc/%d/fd" % pid]  # of the program, and of the feed's threads
    for name in glob.glob("/proc/%d/task/*/comm" % pid):
        with open(name, encoding="ascii") as file:
            tables += [name[:-4] + "fd"] * (file.read().strip() == "proftop-feed")
    return kilobytes, sum(len(os.listdir(table)) for table in tables)


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
        with subprocess.Popen([SYNTHETIC, "--applies", "500"], env=env, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as job:
            job.stdout.readline()
            name = [name for name in os.listdir(folder) if name.endswith(".info")][0]
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                control = dict(line.rstrip("\n").split("=", 1) for line in file)["control"]
            before = figures(job.pid)
            try:
                for number in range(ROUNDS):
                    life(control, number < 8)
                    assert job.poll() is None, (number, job.returncode, job.stderr.read())
                end = time.monotonic() + SECONDS
                while figures(job.pid)[1] > before[1] and time.monotonic() < end:
                    time.sleep(0.02)
                after = figures(job.pid)
                assert after[0] - before[0] < MOST_KB and after[1] <= before[1], (before, after)
                done = subprocess.run([PROFTOP, "-b", "-p", str(job.pid)], env=env, timeout=60,
                                      capture_output=True, check=False)
                assert done.returncode == 0 and b"rows 1-500 of 500" in done.stdout, done
            finally:
                job.kill()


if __name__ == "__main__":
    tap.run(a_flooded_job_lives_and_stays_small)

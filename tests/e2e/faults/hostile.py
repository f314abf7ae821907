# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""hostile.py: malformed frames and requests, names that would harm a terminal, names and paths
already in use, and control requests without the right."""
import ast
import contextlib
import fcntl
import os
import pty
import random
import re
import socket
import struct
import subprocess
import termios
import time

from ground import (FAULT_JOB, PATIENCE_S, PROFTOP, Job, Viewer, calls, exact, fault, feed, load,
                    msgpack, need_zmq, place, proc, proftop, tap, watch_live, zmq)


# ----------------------------------------------------------------------- R11: malformed frames

def mutate(frame, chance):
    """Changes, cuts, doubles or inserts bytes, one to four times."""
    frame = bytearray(frame)
    for _ in range(chance.randrange(1, 5)):
        kind, at = chance.randrange(4), chance.randrange(len(frame))
        if kind == 0:
            frame[at] = chance.randrange(256)
        elif kind == 1 and len(frame) > 3:
            del frame[at:at + chance.randrange(1, 9)]
        elif kind == 2:
            frame[at:at] = frame[at:at + chance.randrange(1, 64)]
        else:
            frame[at:at] = chance.choice((b"\xc1", b"\xdd\xff\xff\xff\xff", b"\xdf\0\0\1\0", b"\0"))
        frame = frame or bytearray(b"A")
    return bytes(frame)


VERSION = b"\xa3ver\x01"


def is_bad(frame, heads):
    """True if the frame is certainly malformed: it has a valid topic and our version, but an
    independent reader rejects its MessagePack map. (With another version it would belong to another
    protocol.)"""
    head = next((head for head in heads if frame.startswith(head)), None)
    if head is None:
        return False
    reader = msgpack.Unpacker()
    reader.feed(frame[head.rindex(b"/") + 1:])
    try:
        reader.skip()
    except msgpack.UnpackException:
        return True
    return reader.tell() < len(frame) - head.rindex(b"/") - 1


def mutants(good, count=2000):
    """This many certainly malformed frames, and the other mutations made on the way. Most of the
    others are frames that no job or viewer would send."""
    heads = {frame[:frame.index(VERSION) + len(VERSION)] for frame in good}
    chance, bad, others = random.Random(), [], []
    while len(bad) < count:
        frame = mutate(chance.choice(good), chance)
        (bad if is_bad(frame, heads) else others).append(frame)
    return bad, others


def seeds(job, count=30):
    """Frames of a real job."""
    context = zmq.Context()
    socket_ = context.socket(zmq.SUB)
    socket_.subscribe(b"")
    socket_.linger = 0
    try:
        socket_.connect(job.endpoints()[0])
        found = []
        while len(found) < count:
            assert socket_.poll(PATIENCE_S * 1000), "a job that says nothing"
            found.append(socket_.recv())
        return found
    finally:
        socket_.close()
        context.term()


@contextlib.contextmanager
def false_facts(env, control, *more):
    """A viewer that has had an answer from the job at `control`, while we provide its facts."""
    endpoint = "ipc://%s/x.pub" % env["PROFTOP_DIR"]
    context = zmq.Context()
    facts = context.socket(zmq.XPUB)
    facts.setsockopt(zmq.XPUB_NODROP, 1)
    facts.linger = 0
    facts.bind(endpoint)
    try:
        with Viewer(env, endpoint + "," + control, more=more) as viewer:
            viewer.until("figures", lambda r: calls(r) > 0)
            for _ in range(12):  # its subscriptions
                assert facts.poll(PATIENCE_S * 1000)
                facts.recv()
            yield viewer, facts
    finally:
        facts.close()
        context.term()


def refused(report):
    """Number of unreadable frames: each is counted as one of these."""
    return sum(feed(report)[what] for what in ("malformed", "over_limit", "other_version"))


@fault("R11", "50,000 malformed frames are sent to a viewer (1,000,000 in all)",
       "it lives and counts them, its memory grows by at most 16 MB", "kB", 16384)
def malformed_frames(long):
    """We send the facts; the job answers the viewer's requests. Only certainly malformed frames
    have a known count. The others are sent after them, once."""
    need_zmq()
    rounds = 25 if long else 2
    with place() as env, load(env) as job:
        bad, others = mutants(seeds(job))
        with false_facts(env, job.endpoints()[1]) as (viewer, facts):
            before = proc.rss_kb(viewer.process.pid)
            for _ in range(rounds):
                send_all(facts, bad)
            report = viewer.until("each", lambda r: refused(r) >= rounds * len(bad))[1]
            assert refused(report) == rounds * len(bad), feed(report)
            send_all(facts, others)
            viewer.newest()
            return max(0, proc.rss_kb(viewer.process.pid) - before)


@fault("R11", "100,000 malformed frames are sent to a viewer as fast as it takes them",
       "it has counted each after <= 1 s: 100,000 a second", "s", 1.0)
def malformed_rate(_):
    """The time includes our sending, and up to 0.1 s until the viewer reports."""
    need_zmq()
    with place() as env, load(env) as job:
        bad, _ = mutants(seeds(job))
        with false_facts(env, job.endpoints()[1]) as (viewer, facts):
            began = time.monotonic()
            for _ in range(100000 // len(bad)):
                send_all(facts, bad)
            return viewer.until("each", lambda r: refused(r) >= 100000)[0] - began


def send_all(socket_, frames):
    for frame in frames:
        until = time.monotonic() + PATIENCE_S
        while True:
            try:
                socket_.send(frame, zmq.NOBLOCK)
                break
            except zmq.Again:
                assert time.monotonic() < until, "the viewer takes nothing any more"
                socket_.poll(1, zmq.POLLOUT)


def request(word, **fields):
    return b"Q/" + msgpack.packb(dict({"ver": 1, "q": word, "req": 1}, **fields))


@fault("R11", "50,000 malformed requests are sent to a job (1,000,000 in all)",
       "it lives, counts them and serves, its memory grows by at most 16 MB", "kB", 16384)
def malformed_requests(long):
    """As for frames: the certainly malformed ones first. All are examined: the quota does not
    apply, since none needs an answer."""
    need_zmq()
    rounds = 25 if long else 2
    bad, others = mutants([request("hello"), request("snapshot", want="DFA", credit=4),
                           request("more", credit=4), request("ack"), request("what")])
    context = zmq.Context()
    with place() as env, Job(env) as job:
        peer = context.socket(zmq.DEALER)
        peer.linger = 0
        peer.connect(job.endpoints()[1])
        try:
            before = job.rss_kb()
            for _ in range(rounds):
                send_all(peer, bad)
            with watch_live(job) as viewer:
                report = viewer.until("each", lambda r: garbage(r) >= rounds * len(bad))[1]
            assert garbage(report) == rounds * len(bad), report["jobs"][0]["limits"]
            send_all(peer, others)
            while peer.poll(0):
                peer.recv()
            with watch_live(job):
                return max(0, job.rss_kb() - before)
        finally:
            peer.close()
            context.term()


def garbage(report):
    return report["jobs"][0]["limits"]["garbage"]


# -------------------------------------------------------------------------- R12: hostile names

# Sequences that ncurses sends: default colours, CSI sequences, choice of character sets, keypad,
# saved cursor.
OURS = re.compile(rb"\x1b\[[0-9;?>=]*[A-Za-z]|\x1b[()][A-Z0-9]|\x1b[=>78M]|\x1b\]104\x07")
BIDI = re.compile("[\u200b-\u200f\u2028-\u202e\u2066-\u2069\u061c\ufeff\x80-\x9f]")


def orders():
    """The escape sequences in the names of examples/hostile.h, as written there. A sequence that
    ncurses could also send is extended by the text after it."""
    with open(tap.source("examples", "hostile.h"), encoding="ascii") as file:
        table = re.search(r"hostile_names\[\] = \{(.*?)\n\};", file.read(), re.S).group(1)
    table = re.sub(r"/\*.*?\*/", "", table)
    names = ["".join(parts) for parts in
             re.findall(r'((?:"(?:[^"\\]|\\.)*"\s*)+),', table)]
    names = [b"".join(ast.literal_eval("b" + text) for text in
                      re.findall(r'"(?:[^"\\]|\\.)*"', name)) for name in names]
    assert len(names) > 20 and b"\x1b[2J\x1b[1;1H\x1b[31mred" in names, names
    found = {order for name in names for order in [name, *re.findall(rb"[\x1b\x9b][^\x1b]+", name)]}
    return [order for order in found if re.search(rb"[\0-\x1f\x7f\x9b]", order)
            and not OURS.fullmatch(order)]


@fault("R12", "names full of control characters, OSC, bidi and broken UTF-8 are shown",
       "no byte of theirs reaches the terminal as a command", "bytes", 0, 4)
def hostile_names(long):
    with place() as env, load(env, 200, "--hostile") as job:
        shown = on_a_terminal(env, job, b"123" * 4, 3 if long else 1.5)
    rest = OURS.sub(b"", shown)
    foreign = [byte for byte in rest if byte < 0x20 and byte not in b"\r\n\b\t" or byte == 0x7f]
    obeyed = [order for order in orders() if order in shown]
    text = rest.decode("utf-8", "replace")
    assert "LIVE" in text and len(shown) > 3000, shown[-500:]
    return len(foreign) + len(BIDI.findall(text)) + len(b"".join(obeyed))


def on_a_terminal(env, job, keys, seconds):
    """All bytes that a viewer with a screen writes while these keys are pressed."""
    pid, master = pty.fork()
    if pid == 0:
        os.execve(PROFTOP, [PROFTOP, "-p", str(job.pid)], dict(env, TERM="xterm-256color"))
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    out, until, keys = b"", time.monotonic() + seconds, list(keys)
    try:
        while time.monotonic() < until or b"LIVE" not in out:
            assert time.monotonic() < until + PATIENCE_S, "never live: %r" % out[-500:]
            if tap.readable([master], 0.1):
                out += os.read(master, 65536)
            elif keys:
                os.write(master, bytes([keys.pop(0)]))
        # A sequence that is cut in the middle would be taken for one of the names'.
        while tap.readable([master], 0.02) and time.monotonic() < until + PATIENCE_S:
            out += os.read(master, 65536)
        return out
    finally:
        os.kill(pid, 9)
        os.waitpid(pid, 0)
        os.close(master)


# ------------------------------------------------------------------------- R16: what is taken

APPLIES = 40  # of FAULT_JOB


@fault("R16", "the endpoint of a job is taken by another that lives",
       "left to that one; the job goes elsewhere or says why not", "wrong", 0, 4)
def taken_endpoint(_):
    """The socket path of a process is known before it becomes a job: here the shell that execs
    it."""
    with place() as env, place() as other:
        env["XDG_RUNTIME_DIR"] = other["PROFTOP_DIR"]
        shell = subprocess.Popen(["/bin/sh", "-c", "read go; exec %s" % FAULT_JOB], env=env,
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        path = "%s/%d-%d-1.pub" % (env["PROFTOP_DIR"], shell.pid, proc.start_of(shell.pid))
        with socket.socket(socket.AF_UNIX) as first:
            first.bind(path)
            first.listen()
            inode = os.stat(path).st_ino
            shell.stdin.write("go\n")
            shell.stdin.flush()
            said = shell.stdout.readline()
            wrong = os.stat(path).st_ino != inode
            found = proftop(env, "-b", "-p", str(shell.pid)).returncode == 0
            shell.stdin.write("quit\n")
            shell.stdin.close()
            shell.wait(PATIENCE_S)
            shell.stdout.close()
            wrong += os.stat(path).st_ino != inode  # the job does not remove it at its end, either
            assert found or ("ready 0" in said and path in said), said
            return int(wrong)


@fault("R16", "facts come from one job, answers from another",
       "no figure mixes them, and the viewer says that they are two; LIVE only before, of whose "
       "answers it has", "wrong", 0, 4)
def two_jobs_at_one_endpoint(_):
    """At random, the first frame is a fact or an answer. The viewer follows the job of the later
    one. If it gets that job's answers, the job is shown, and is stale. If it gets only the facts,
    the job is never complete, and is given up. In each report the calls must be possible for the
    named job: the other job has far more, or far fewer."""
    with place() as env, place() as other, Job(exact(env)) as one, Job(exact(other)) as two:
        one.ask("work 300")
        least = {one.pid: counted(one) // APPLIES // 2, two.pid: 1}
        with Viewer(env, one.endpoints()[0] + "," + two.endpoints()[1], more=("--wait", "8")) as v:
            while True:
                report = v.queue.get(timeout=PATIENCE_S)[1]
                if report is None:
                    said = v.process.stderr.read()
                    assert "two jobs" in said, said
                    return 0
                told = "two jobs" in str(report)
                wrong = 0
                for job in report["jobs"]:
                    wrong += report["state"] == "live" and (told or job["pid"] != two.pid)
                    most = counted(one if job["pid"] == one.pid else two) // APPLIES + 1
                    wrong += any(not least[job["pid"]] <= row["calls"] <= most
                                 for row in report["applies"] if row["calls"])
                if wrong or told:
                    assert counted(two) // APPLIES < least[one.pid], "both counted as much"
                    return int(wrong)


def counted(job):
    """Calls of all its applies; each is called equally often."""
    return int(job.ask("calls").split()[1])


@fault("R16", "a dead job's files have the process number of a living one",
       "not listed, and removed", "wrong", 0, 4)
def reused_number(_):
    with place() as env, Job(env) as job:
        facts, control = job.endpoints()
        with open("%s/%d-%d.info" % (env["PROFTOP_DIR"], job.pid, proc.start_of(job.pid)),
                  encoding="utf-8") as file:
            text = file.read()
        start = proc.start_of(job.pid)
        stale = "%s/%d-%d.info" % (env["PROFTOP_DIR"], job.pid, start - 1)
        with open(stale, "w", encoding="utf-8") as file:
            file.write(text.replace(str(start), str(start - 1)))
        os.chmod(stale, 0o600)
        lines = [line for line in proftop(env, "-l").stdout.splitlines() if str(job.pid) in line]
        assert all(os.path.exists(name[len("ipc://"):]) for name in (facts, control))
        return int(len(lines) != 1) + int(os.path.exists(stale))


@fault("R16", "the registry is open to others, or belongs to another user",
       "refused with a sentence by viewer and job", "wrong", 0, 4)
def foreign_registry(_):
    wrong = 0
    with place() as env:
        folder = env["PROFTOP_DIR"]
        for mode, owner, words in ((0o777, os.getuid(), "open to others"),
                                   (0o700, 65534, "belongs to user 65534")):
            if owner != os.getuid() and os.getuid() != 0:
                continue
            os.chmod(folder, mode)
            os.chown(folder, owner, -1)
            done = proftop(dict(env, PROFTOP_DIR=folder), "-l")
            wrong += done.returncode != 3 or words not in done.stderr or folder not in done.stderr
            with Job(env) as job:
                wrong += bool([name for name in os.listdir(folder) if str(job.pid) in name])
        os.chown(folder, os.getuid(), -1)
        os.chmod(folder, 0o700)
    return int(wrong)


# ------------------------------------------------------------------- R17: orders without a right

ORDERS = (("pause", ""), ("reset", ""), ("set_state", "stop"), ("set_config", "profile_all\n0"),
          ("functions", "nobody"), ("dump", "finished"))
WORDS = ("stop", "kill", "exec", "write", "\0", "x" * 31)  # unknown to any job


def ask(peer, *words, **fields):
    peer.send(request(*words, **fields))
    assert peer.poll(PATIENCE_S * 1000), "no answer to %s %s" % (words, fields)
    return msgpack.unpackb(peer.recv().split(b"/", 1)[1])


@fault("R17", "a peer that was granted nothing gives orders",
       "each refused with a sentence and counted, the job counts on", "obeyed", 0, 4)
def unlawful_orders(_):
    need_zmq()
    context = zmq.Context()
    with place() as env, Job(dict(env, PROFTOP_CONTROL="0")) as job, watch_live(job) as viewer:
        peer = context.socket(zmq.DEALER)
        peer.linger = 0
        peer.connect(job.endpoints()[1])
        try:
            answers = [ask(peer, "control", what=what, arg=arg, req=number)
                       for number, (what, arg) in enumerate(ORDERS, 1)]
            assert all("PROFTOP_CONTROL=0" in answer["text"] for answer in answers), answers
            answers += [ask(peer, word) for word in WORDS]
            assert all(answer["text"] for answer in answers), answers
            before = calls(viewer.newest())
            report = viewer.until("more calls, and the count", lambda r: (
                calls(r) > before and r["jobs"][0]["refused"] == len(ORDERS)))[1]
            seen = report["jobs"][0]
            assert (report["state"], seen["collect"], seen["epoch"]) == ("live", "run", 1), seen
            assert not report["notices"], report["notices"]
            return sum(bool(answer["ok"]) for answer in answers)
        finally:
            peer.close()
            context.term()

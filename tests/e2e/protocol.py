# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""protocol.py: a client written from docs/protocol.md alone gets the figures of the job.

The client is protocol_client.py. It is also run against the golden bytes of the page, and with
frames removed."""
import collections
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap  # noqa: E402

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
try:
    import msgpack
    import protocol_client
except ImportError as missing:
    protocol_client, why = None, str(missing)

TRAIN = tap.built("examples", "train")
CLIENT = tap.source("tests", "e2e", "protocol_client.py")
SIZE = ["--hidden", "24", "--batch", "64", "--quiet"]
# With a token the job waits for its viewer at both ends, so that the result does not depend on
# timing.
TOKEN = "00112233445566778899aabbccddeeff"

scratch = tempfile.TemporaryDirectory()
os.environ["PROFTOP_DIR"] = scratch.name


def path(name):
    return os.path.join(scratch.name, name)


def start_job(name, *words):
    """The demo job; its reference figures are written to NAME.json. Each call is timed, however
    slow the clock is: an estimate may be above the reference."""
    return subprocess.Popen([TRAIN, *SIZE, *words, "--truth", path(name + ".json")],
                            env={**os.environ, "PROFTOP_RUN": TOKEN, "PROFTOP_BUDGET": "0"},
                            stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def end_job(job):
    out = job.communicate(timeout=120)[0]
    assert job.returncode == 0, (job.returncode, out)


def start_client(job):
    return subprocess.Popen([sys.executable, CLIENT, "--pid", str(job.pid)],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def follow(job, lose):
    """Follows the job in this process, so that frames can be removed. Returns the totals."""
    info = protocol_client.find_job(job.pid, 10)
    assert info and info["run"] == TOKEN, info
    client = protocol_client.Client(info, lose)
    try:
        assert client.follow(), "the job said no goodbye"
        return protocol_client.totals(client, True)
    finally:
        client.close()


def apply_key(row):
    return row["function"], row["index"], row["op"], row["class"]


def summed(rows, key):
    sums = {}
    for row in rows:
        calls, time = sums.get(key(row), (0, 0))
        sums[key(row)] = calls + row["calls"], time + row["total_ns"]
    return sums


def compare(name, said):
    """Calls of every function, apply, op and class must be equal. Times must not be above the
    reference times, which are measured around ours."""
    with open(path(name + ".json"), encoding="utf-8") as file:
        truth = json.load(file)
    assert said["final"] is True and said["feed"]["falls"] == 0, said["feed"]
    assert said["feed"].get("malformed", 0) == said["feed"].get("versions", 0) == 0, said["feed"]
    assert {row["name"]: row["calls"] for row in said["functions"]} == \
        {row["name"]: row["calls"] for row in truth["functions"]}
    for what, table, ours, theirs in (
            ("apply", "applies", apply_key, apply_key),
            ("op", "ops", lambda row: (row["name"], row["class"]),
             lambda row: (row["op"], row["class"])),
            ("class", "classes", lambda row: row["name"], lambda row: row["class"])):
        said_sums, true_sums = summed(said[table], ours), summed(truth["applies"], theirs)
        assert len(said_sums) == len(said[table]) and set(said_sums) == set(true_sums), what
        for key, (calls, time) in true_sums.items():
            assert said_sums[key][0] == calls > 0, (what, key, said_sums[key], calls)
            assert 0 < said_sums[key][1] <= time, (what, key, said_sums[key], time)
    assert len(truth["applies"]) >= 50


# ------------------------------------------------------------------------------------------- tests


def client_reads_the_golden_bytes():
    with open(tap.source("docs", "protocol.md"), encoding="utf-8") as file:
        blocks = re.findall(r"^```hex (bad )?([-a-z]+)\n(.*?)^```$", file.read(), re.M | re.S)
    assert len(blocks) > 35, len(blocks)
    for bad, name, text in blocks:
        data = b""
        for line in text.splitlines():
            times = re.match(r"([0-9a-f]{2}) \* (\d+)", line)
            pairs = times[1] if times else re.match(r"(?:[0-9a-f]{2} ?)+", line)[0]
            data += bytes.fromhex(pairs) * (int(times[2]) if times else 1)
        try:
            protocol_client.read_frame(data)
            verdict = "whole"
        except protocol_client.Malformed:
            verdict = "malformed"
        except protocol_client.OtherVersion:
            verdict = "version"
        wanted = "whole" if not bad else "version" if name == "version" else "malformed"
        assert verdict == wanted, (bad, name, verdict)


def totals_are_those_of_the_job():
    job = start_job("whole", "--steps", "200")
    client = start_client(job)
    out, errors = client.communicate(timeout=120)
    end_job(job)
    assert client.returncode == 0, (client.returncode, out, errors)
    sys.stderr.write(errors)  # with the error of a frame
    compare("whole", json.loads(out))


def a_late_client_has_it_all():
    job = start_job("late")
    client = start_client(job)
    assert client.stderr.readline() == "attached\n"
    second = start_client(job)
    assert second.stderr.readline() == "attached\n"
    job.send_signal(signal.SIGINT)
    for each in (client, second):
        out, errors = each.communicate(timeout=120)
        assert each.returncode == 0, (each.returncode, out, errors)
        with open(path("late.said"), "w", encoding="utf-8") as file:
            file.write(out)
    end_job(job)
    with open(path("late.said"), encoding="utf-8") as file:
        compare("late", json.load(file))


def lost_frames_are_made_good():
    """Takes all unrequested definitions, and drops one in three of all other frames."""
    seen, chance = collections.Counter(), random.Random(1)
    job = start_job("lossy")

    def lose(letter, fields):
        if "req" in fields or fields.get("bye"):
            return False
        kind = letter if letter == "D" else "other"
        seen[kind] += 1
        if seen["other"] == 60:
            job.send_signal(signal.SIGINT)
        return letter == "D" or chance.random() < 2 / 3

    said = follow(job, lose)
    end_job(job)
    compare("lossy", said)
    assert seen["D"] > 0 and seen["other"] >= 60, seen
    assert said["feed"]["gaps"] > 0 and said["feed"]["snapshots"] > 1, said["feed"]


def the_last_values_alone_are_made_good():
    """Drops everything on the streams but the goodbye: the snapshot after it must have the rest."""
    job = start_job("deaf", "--steps", "200")
    said = follow(job, lambda letter, fields: "req" not in fields and not fields.get("bye"))
    end_job(job)
    compare("deaf", said)


def a_killed_job_is_not_final():
    job = start_job("killed")
    client = start_client(job)
    assert client.stderr.readline() == "attached\n"
    job.kill()
    out, errors = client.communicate(timeout=60)
    job.communicate()
    assert client.returncode == 4, (client.returncode, errors)
    assert json.loads(out)["final"] is False


def answer(client, number):
    """The reply to a request."""
    for _ in range(1000):
        for fields in client.replies:
            if fields["req"] == number:
                return fields
        client.step(5000)
    raise AssertionError("no answer to request %d" % number)


def until(client, what):
    """Follows the job until the condition holds."""
    looks = iter(range(10000))
    client.goes_on_until(lambda: client.job and what(client.job) or next(looks, None) is None)
    assert client.job and what(client.job), "never: %s" % (client.job and client.job.hello)


def unsupported_requests_are_answered():
    job = start_job("asked", "--steps", "100000")
    client = protocol_client.Client(protocol_client.find_job(job.pid, 10))
    try:
        found = answer(client, client.ask("dance"))
        assert (found["re"], found["ok"], found["text"]) == ("dance", 0, "unsupported"), found
        found = answer(client, client.ask("snapshot", inst=bytes(16), want="D", credit=4,
                                          **{"from": [0] * 8}))
        assert found["ok"] == 0 and found["text"], found
        found = answer(client, client.ask("snapshot", want="D", credit=4, **{"from": [0] * 8}))
        assert found["ok"] == 1 and found["chunks"] >= 0, found
        client.dealer.send(b"no frame at all")
        client.dealer.send(b"Q/" + msgpack.packb({"ver": 1, "q": 7, "req": 1}))
        found = answer(client, client.ask("dance"))
        assert found["ok"] == 0, "the job answers no more after a malformed request"
    finally:
        client.close()
        job.send_signal(signal.SIGTERM)
        end_job(job)


def the_job_pauses_and_begins_again():
    """Requested by one client, and seen by another that requested nothing."""
    job = start_job("steered", "--steps", "100000")
    info = protocol_client.find_job(job.pid, 10)
    client, other = protocol_client.Client(info), protocol_client.Client(info)
    who = "anna, process %d on node7" % os.getpid()

    def steer(what, **more):
        return answer(client, client.ask("control", what=what, user="anna", host="node7",
                                         pid=os.getpid(), **more))

    try:
        until(other, lambda job: other.whole and sum(row["calls"] for row in job.values.values()))
        found = steer("pause")
        assert (found["re"], found["ok"]) == ("control", 1) and "no" not in found, found
        until(other, lambda job: job.hello.get("collect") == 0)
        assert other.job.hello["asker"] == who, other.job.hello
        assert "control: pause (asked by %s)" % who in other.job.notices, other.job.notices
        found = steer("reset")
        assert found["ok"] == 1, found
        until(other, lambda job: job.epoch == 2 and other.whole)
        assert not any(row["calls"] for row in other.job.values.values()), "it is paused"
        found = steer("dance")
        assert (found["ok"], found["no"]) == (0, "unsupported") and found["text"], found
        found = steer("set_config", arg="dump_period\n-1")
        assert (found["ok"], found["no"]) == (0, "wrong") and "above 0" in found["text"], found
        assert steer("resume")["ok"] == 1
        until(other, lambda job: any(row["calls"] for row in job.values.values()))
        until(other, lambda job: job.hello["collect"] == 1 and "asker" not in job.hello)
        assert other.job.hello["refused"] == 2 and other.job.falls == 0, other.job.hello
    finally:
        client.close()
        other.close()
        job.send_signal(signal.SIGTERM)
        end_job(job)


# Instances and epochs, with frames of our own: the demo job has only one of each.


class NoSocket:
    def __init__(self):
        self.sent = []

    def send(self, data):
        self.sent.append(msgpack.unpackb(data[2:]))

    def setsockopt(self, *_):
        pass


class Unplugged(protocol_client.Client if protocol_client else object):
    def open(self, kind, endpoint):
        return NoSocket()

    def give(self, seq, calls, epoch=1, inst=b"i" * 16, **more):
        fields = {"ver": 1, "inst": inst, "epoch": epoch, "seq": seq, "tick": 1, "mono": 1,
                  "wall": 1, "defs": [0, 0, 1, 0, 0, 0, 0, 0], **more}
        head = {"n": 1, "from": 0}
        fields["calls"] = {**head, "id": b"\0", "calls": bytes([calls + 1]), "ns": b"\1",
                           "vm": b"\0", "open": b"\0"}
        names = {**head, "name": ["f"], "file": [""], "line": b"\0", "parent": b"\0",
                 "group": b"\0", "source": b"\0"}
        if self.job is None or self.job.instance != inst:
            self.judge(*protocol_client.read_frame(
                b"D/" + msgpack.packb({**fields, "calls": 0, "seq": 1, "function": names})))
        self.judge(*protocol_client.read_frame(b"F/" + msgpack.packb(fields)))

    def calls(self):
        return self.job.calls.get(0, {}).get("calls")

    def snapshots(self):
        return [asked["req"] for asked in self.dealer.sent if asked["q"] == "snapshot"]


def unplugged():
    return Unplugged({"facts": "", "control": ""})


def sequence_numbers_are_heeded():
    client = unplugged()
    for seq, calls, seen, gaps in ((5, 10, 10, 0), (6, 11, 11, 0), (6, 99, 11, 0), (4, 98, 11, 0),
                                   (8, 12, 12, 1), (9, 13, 13, 1)):
        client.give(seq, calls)
        assert (client.calls(), client.count["gaps"]) == (seen, gaps), (seq, client.calls())
    client.give(10, 5)
    assert (client.calls(), client.job.falls) == (13, 1), "a fall is counted and not applied"
    request = client.snapshots()[0]
    client.give(9, 7, req=request)
    assert (client.calls(), client.job.falls) == (13, 1), "an older snapshot is no fall"
    client.give(20, 15, req=request + 1)
    client.give(20, 14)
    assert (client.calls(), client.job.falls) == (15, 1), "a snapshot raises the last number"
    client.give(22, 16, req=request + 1)
    client.give(21, 17)
    assert (client.calls(), client.count["gaps"]) == (17, 1), "what was sent amid one counts"


def epochs_and_lives_do_not_mix():
    client = unplugged()
    client.give(1, 10)
    assert len(client.snapshots()) == 1
    client.give(2, 3, epoch=2)
    assert client.calls() == 3 and client.job.falls == 0 and len(client.snapshots()) == 2
    client.give(3, 50, epoch=1)
    assert client.calls() == 3
    client.give(1, 9, inst=b"j" * 16)
    assert client.calls() == 3, "a frame of nobody who answers was applied"
    client.give(1, 7, inst=b"j" * 16, req=client.hello)
    assert client.calls() == 7 and len(client.snapshots()) == 3
    client.give(4, 60, epoch=3, inst=b"i" * 16)
    assert client.calls() == 7, "a frame of the life before was applied"


if __name__ == "__main__":
    if protocol_client is None:
        def client_needs_zmq_and_msgpack():
            raise tap.Skip(why)
        tap.run(client_needs_zmq_and_msgpack)
    tap.run(client_reads_the_golden_bytes, sequence_numbers_are_heeded,
            epochs_and_lives_do_not_mix, totals_are_those_of_the_job, a_late_client_has_it_all,
            lost_frames_are_made_good, the_last_values_alone_are_made_good,
            a_killed_job_is_not_final, unsupported_requests_are_answered,
            the_job_pauses_and_begins_again)

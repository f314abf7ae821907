# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""endless.py: peers that write ZMTP by hand and send endless messages and subscriptions. libzmq
alone would store all of it: 1 GB and more."""
import itertools
import re
import socket
import time

from ground import PATIENCE_S, Job, calls, fault, feed, place, watch_live

PART = 4096
LARGE = (b"\3" + PART.to_bytes(8, "big") + bytes(PART)) * 15
TINY = b"\1\1\0" * 20000
MOST = {LARGE: 256 << 20, TINY: 24 << 20, LARGE[:9 + PART]: 24 << 20}  # bytes sent at most
DRIP_S = 0.001


def greeted(endpoint, kind):
    """An established connection as a socket of this type."""
    peer = socket.socket(socket.AF_UNIX)
    peer.settimeout(PATIENCE_S)
    peer.connect(endpoint[len("ipc://"):])
    ready = b"\5READY\x0bSocket-Type" + len(kind).to_bytes(4, "big") + kind
    peer.sendall(b"\xff" + bytes(7) + b"\1\x7f\3\0NULL" + bytes(48))
    peer.sendall(bytes([4, len(ready)]) + ready)
    got = 0
    while got <= 64:  # the peer is ready, too
        got += len(peer.recv(4096))
    return peer


def is_cut(peer, pieces, most, pause_s=0.0):
    """Sends until it is disconnected, or this much is sent."""
    sent = 0
    try:
        for piece in pieces:
            peer.sendall(piece)
            sent += len(piece)
            if sent > most:
                return False
            if pause_s:
                time.sleep(pause_s)
    except (BrokenPipeError, ConnectionResetError):
        return True
    finally:
        peer.close()


def peak_kb(pid):
    with open("/proc/%d/status" % pid, encoding="ascii") as file:
        return int(re.search(r"VmHWM:\s+(\d+)", file.read()).group(1))


def attacked(attacks):
    """The maximum growth of the job's memory while all these peers come, one after the other. Each
    must be disconnected and counted, and a viewer beside them loses nothing."""
    with place() as env, Job(env) as job, watch_live(job) as viewer:
        before = job.rss_kb()
        for number, (to, kind, pieces, most, pause_s) in enumerate(attacks):
            assert is_cut(greeted(job.endpoints()[to], kind), pieces, most, pause_s), number
            viewer.until("counted", lambda r: r["jobs"][0]["limits"]["cut"] == number + 1)
        report = viewer.until("more calls", lambda r, was=calls(viewer.last): calls(r) > was)[1]
        assert report["state"] == "live" and feed(report)["gaps"] == 0, report["jobs"][0]
        return max(0, peak_kb(job.pid) - before)


@fault("R11", "messages without end, by large parts, tiny ones and drips, to either socket",
       "each is cut and counted, no frame is lost, the job's memory grows by at most 48 MB", "kB",
       48 * 1024)
def endless_messages(_):
    return attacked([(to, kind, itertools.repeat(piece), MOST[piece],
                      DRIP_S if len(piece) < PART * 2 else 0)
                     for to, kind in enumerate((b"SUB", b"DEALER")) for piece in MOST])


def topics():
    """Different subscriptions of 200 bytes each, some hundred at a time."""
    for first in itertools.count(step=300):
        yield b"".join(b"\0\xc9\1" + b"%0200d" % number for number in range(first, first + 300))


@fault("R11", "200,000 subscriptions of 200 bytes", "cut after some, and counted, no frame is "
       "lost, the job's memory grows by at most 48 MB", "kB", 48 * 1024)
def endless_subscriptions(_):
    return attacked([(0, b"SUB", topics(), 200000 * 203, 0)])

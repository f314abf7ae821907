# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""wire.py: a relay from two TCP ports to the two sockets of a job. It can cut, delay and lose
data."""
import contextlib
import random
import socket
import threading
import time

from ground import tap

CHUNK = 64 * 1024
RESEND_S = 0.2  # minimum delay of a lost segment in TCP


class Pipe:
    """Bytes of one direction of one connection; each chunk has a send time."""

    def __init__(self, source, target):
        self.source, self.target = source, target
        self.waiting = []  # (due, delay, bytes)
        self.last_due = 0


class Relay:
    """Runs in its own thread. A stream cannot lose bytes: a lost segment is sent again, which takes
    time and delays all later data."""

    def __init__(self, host="127.0.0.1"):
        self.host = host
        self.listeners = [self.listen() for _ in range(2)]
        self.targets = None
        self.delay_s = self.loss = 0.0
        self.held = False
        self.pipes = []
        self.delivered = []  # (time, delay) of facts
        self.random = random.Random(1)
        self.lock = threading.Lock()
        self.stop = False
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def listen(self):
        listener = socket.socket()
        listener.bind((self.host, 0))
        listener.listen(16)
        return listener

    def endpoint(self):
        return ",".join("tcp://%s:%d" % one.getsockname() for one in self.listeners)

    def target(self):
        """Options to start a viewer with; keys are tested elsewhere."""
        return "--insecure", self.endpoint()

    def serve(self, job):
        """New connections go to this job; existing ones stay."""
        with self.lock:
            self.targets = [name[len("ipc://"):] for name in job.endpoints()]

    def cut(self):
        """Breaks all connections, and refuses new ones until serve()."""
        with self.lock:
            self.targets = None
            self.drop_all()

    def break_held(self):
        """Breaks all connections with their pending data; new ones are accepted."""
        with self.lock:
            self.drop_all()
            self.held = False

    def drop_all(self):
        while self.pipes:
            self.drop(self.pipes[0])

    def drop(self, pipe):
        for other in [p for p in self.pipes if p.source in (pipe.source, pipe.target)]:
            self.pipes.remove(other)
        for end in (pipe.source, pipe.target):
            end.close()

    def accept(self, number):
        client, _ = self.listeners[number].accept()
        server = socket.socket(socket.AF_UNIX)
        try:
            assert self.targets, "cut"
            server.connect(self.targets[number])
        except (OSError, AssertionError):
            client.close()
            server.close()
            return
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.pipes += [Pipe(client, server), Pipe(server, client)]
        self.pipes[-1].facts = number == 0

    def take(self, pipe):
        try:
            data = pipe.source.recv(CHUNK)
        except OSError:
            data = b""
        if not data:
            self.drop(pipe)
            return
        now, delay = time.monotonic(), self.delay_s
        if self.loss and self.random.random() < self.loss:
            delay += RESEND_S
        due = max(pipe.last_due, now + delay)
        pipe.last_due = due
        pipe.waiting.append((due, due - now, data))

    def give(self, pipe):
        while pipe.waiting and pipe.waiting[0][0] <= time.monotonic():
            _, delay, data = pipe.waiting.pop(0)
            try:
                pipe.target.settimeout(5)
                pipe.target.sendall(data)
            except OSError:
                self.drop(pipe)
                return
            if getattr(pipe, "facts", False):
                self.delivered.append((time.monotonic(), delay))

    def step(self):
        with self.lock:
            held = self.held
            sources = {pipe.source: pipe for pipe in self.pipes} if not held else {}
            due = [pipe.waiting[0][0] for pipe in self.pipes if pipe.waiting]
        pause = min([0.02] + [max(0, one - time.monotonic()) for one in due])
        try:
            ready = tap.readable([*self.listeners, *sources] if not held else [], pause)
        except (OSError, ValueError):
            return  # one of them has just been closed
        with self.lock:
            for one in ready:
                if one in self.listeners:
                    self.accept(self.listeners.index(one))
                elif sources[one] in self.pipes:
                    self.take(sources[one])
            for pipe in list(self.pipes):
                if pipe in self.pipes and not self.held:
                    self.give(pipe)

    def run(self):
        while not self.stop:
            self.step()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop = True
        self.thread.join()
        with contextlib.suppress(OSError):
            self.drop_all()
        for listener in self.listeners:
            listener.close()

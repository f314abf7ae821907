# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""secure.py: access to a job: by Unix sockets only for its own user; over tcp only with an
authorized key, or for everybody if explicitly allowed. For the reasons see docs/security.md."""
import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import shell  # noqa: E402
from shell import PROFTOP, SYNTHETIC, WAIT, tap  # noqa: E402
from proc import listening_ports  # noqa: E402

FOREIGN = 65534  # another user: nobody
ROUNDS = 100


class World:
    """A registry, a directory of keys, and the jobs in it."""

    def __init__(self, folder):
        self.registry = os.path.join(folder, "jobs")
        self.keys = os.path.join(folder, "keys")
        self.env = dict(os.environ, PROFTOP_DIR=self.registry, PROFTOP_KEYS=self.keys)
        for name in ("PROFTOP_INSECURE", "PROFTOP_BIND", "PROFTOP_CONNECT", "PROFTOP_KEY"):
            self.env.pop(name, None)

    def proftop(self, *words, **more):
        return shell.proftop({**self.env, **more}, *words)

    def public(self, name="id"):
        with open(os.path.join(self.keys, name + ".pub"), encoding="ascii") as file:
            return dict(line.strip().split(" = ", 1) for line in file if " = " in line)["public"]

    def authorize(self, text):
        with open(os.path.join(self.keys, "authorized"), "w", encoding="ascii") as file:
            file.write(text)

    def info(self, pid):
        names = os.listdir(self.registry) if os.path.isdir(self.registry) else []
        for name in names:
            if name.startswith("%d-" % pid) and name.endswith(".info"):
                with open(os.path.join(self.registry, name), encoding="utf-8") as file:
                    return dict(line.rstrip("\n").split("=", 1) for line in file)
        return None

    @contextlib.contextmanager
    def job(self, **more):
        with subprocess.Popen([SYNTHETIC, "--applies", "50"], env=dict(self.env, **more),
                              stdout=subprocess.DEVNULL) as job:
            try:
                yield job, tap.wait_for("an .info file", lambda: self.info(job.pid), WAIT)
            finally:
                job.kill()


@contextlib.contextmanager
def world():
    with tempfile.TemporaryDirectory() as folder:
        yield World(folder)


def shown(done):
    assert done.returncode == 0, done
    return json.loads(done.stdout.splitlines()[-1])


# ------------------------------------------------------------------------------------ local

def nobody_listens_on_tcp_by_default():
    with world() as w, w.job() as (job, info):
        assert info["facts"].startswith("ipc:///") and info["control"].startswith("ipc:///"), info
        assert "tcp" not in info and listening_ports(job.pid) == []
        assert os.stat(w.registry).st_mode & 0o777 == 0o700
        with subprocess.Popen([PROFTOP, "-b", "-n", "0", "-p", str(job.pid)], env=w.env,
                              stdout=subprocess.PIPE) as viewer:
            assert viewer.stdout.readline()
            assert listening_ports(viewer.pid) == []
            viewer.kill()


def the_check_sees_a_port():
    with world() as w:
        assert w.proftop("keygen").returncode == 0
        with w.job(PROFTOP_BIND="tcp://127.0.0.1:*") as (job, _):
            assert len(listening_ports(job.pid)) == 2


def attempts(paths, registry):
    """The number of failures in ROUNDS attempts to read the registry, to connect, and to get an
    answer."""
    refused = 0
    for _ in range(ROUNDS):
        got = 0
        try:
            got += len(os.listdir(registry)) > 0
        except PermissionError:
            pass
        for path in paths:
            peer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            peer.settimeout(WAIT)
            try:
                peer.connect(path)
                peer.sendall(b"\xff\0\0\0\0\0\0\0\1\x7f\3")
                got += len(peer.recv(64)) > 0
            except (PermissionError, ConnectionError):
                pass
            peer.close()
        refused += got == 0
    return refused


def as_foreigner(work):
    """Runs a function as another user, in a separate process. Returns its result, a small
    number."""
    child = os.fork()
    if child == 0:
        os.setgroups([])
        os.setgid(FOREIGN)
        os.setuid(FOREIGN)
        os._exit(work())
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def a_foreign_user_is_refused():
    if os.geteuid() != 0:
        raise tap.Skip("only root can become another user")
    with world() as w, w.job() as (job, info):
        paths = [info[name][len("ipc://"):] for name in ("facts", "control")]
        assert attempts(paths, w.registry) == 0  # the job's own user succeeds each time
        # The directory denies access.
        assert as_foreigner(lambda: attempts(paths, w.registry)) == ROUNDS
        for name in os.listdir(w.registry):
            path = os.path.join(w.registry, name)
            assert as_foreigner(lambda path=path: os.access(path, os.F_OK)) == 0, path
        # Behind it, libzmq asks the kernel for the peer's user.
        folder = w.registry
        while folder != tempfile.gettempdir():
            os.chmod(folder, 0o711)
            folder = os.path.dirname(folder)
        for path in paths:
            os.chmod(path, 0o777)
        assert as_foreigner(lambda: attempts(paths, w.registry)) == ROUNDS
        assert attempts(paths, w.registry) == 0 and job.poll() is None


def a_foreign_user_sees_that_there_is_a_job_and_no_more():
    """Everything visible according to docs/security.md: paths with the process, and a closed
    folder."""
    if os.geteuid() != 0:
        raise tap.Skip("only root can become another user")
    with world() as w, w.job() as (job, info):
        os.chmod(os.path.dirname(w.registry), 0o711)
        reading, writing = os.pipe()

        def look():
            with open("/proc/net/unix", encoding="utf-8", errors="replace") as file:
                paths = [line.split(None, 7)[7].strip() for line in file if w.registry in line]
            closed = not os.access(w.registry, os.R_OK) and not os.access(w.registry, os.X_OK)
            mode = os.stat(w.registry).st_mode & 0o777
            os.write(writing, json.dumps([sorted(set(paths)), closed, mode]).encode())
            return 0

        assert as_foreigner(look) == 0
        paths, closed, mode = json.loads(os.read(reading, 65536))
        os.close(reading)
        os.close(writing)
        # As they were bound: under draft names, if the feed has its own descriptors.
        assert [re.sub(r"-0(1\.\w+)$", r"-\1", path) for path in paths] == [
            "%s/%d-%s-1.%s" % (w.registry, job.pid, info["start"], end)
            for end in ("ctl", "pub")], paths
        assert closed and mode == 0o700


def a_foreign_registry_is_refused():
    if os.geteuid() != 0:
        raise tap.Skip("only root can give a directory to another user")
    with world() as w:
        os.mkdir(w.registry, 0o700)
        os.chown(w.registry, FOREIGN, FOREIGN)
        done = w.proftop("-l")
        assert "belongs to user %d" % FOREIGN in done.stdout + done.stderr, done
        with tempfile.TemporaryDirectory() as other:
            more = {"XDG_RUNTIME_DIR": other}
            w.registry, trap = os.path.join(other, "proftop"), w.registry
            with w.job(**more):
                assert os.listdir(trap) == []


# -------------------------------------------------------------------------------------- tcp

def keys_are_made_closed():
    with world() as w:
        done = w.proftop("keygen", "lab")
        assert done.returncode == 0 and w.public("lab") in done.stdout, done
        key = os.path.join(w.keys, "lab.key")
        assert os.stat(key).st_mode & 0o777 == 0o600 and os.stat(w.keys).st_mode & 0o777 == 0o700
        with open(key, encoding="ascii") as file:
            text = file.read()
        secret = text.split("secret = ")[1].strip()
        assert len(secret) == 40 and secret not in done.stdout + done.stderr
        again = w.proftop("keygen", "lab")
        assert again.returncode == 2 and "is there already" in again.stderr, again
        with open(key, encoding="ascii") as file:
            assert file.read() == text
        for name in ("", ".x", "a/b", "x" * 24, "a\x1b[m"):
            assert w.proftop("keygen", name).returncode == 2, name


def tcp_wants_keys():
    """Without a key there is no port, and viewers are told the reason; the job continues."""
    with world() as w, w.job(PROFTOP_BIND="tcp://127.0.0.1:*") as (job, info):
        assert "tcp" not in info and listening_ports(job.pid) == []
        done = shown(w.proftop("-b", "--format", "json", "-p", str(job.pid)))
        texts = [notice["text"] for notice in done["notices"]]
        assert any("PROFTOP_BIND" in text and "proftop keygen" in text for text in texts), texts
        done = w.proftop("-b", "tcp://127.0.0.1:1")
        assert done.returncode != 0 and "proftop keygen" in done.stderr, done


def keys_let_in():
    with world() as w:
        for name in ("id", "anna"):
            assert w.proftop("keygen", name).returncode == 0
        with w.job(PROFTOP_BIND="tcp://127.0.0.1:*") as (_, info):
            mine = shown(w.proftop("-b", "--format", "json", info["tcp"]))
            assert mine["jobs"][0]["feed"]["insecure"] is mine["jobs"][0]["insecure"] is False
            listed = w.proftop("-l").stdout
            assert "keys" in listed and "INSECURE" not in listed, listed
            assert len(mine["applies"]) == 50
            anna = ("-b", "--format", "json", "--key", "anna", "--peer", "id", info["tcp"])
            done = w.proftop(*anna, "--wait", "0.5")
            assert done.returncode != 0 and "authorized" in done.stderr, done.stderr
            limits = shown(w.proftop("-b", "--format", "json", info["tcp"]))["jobs"][0]["limits"]
            assert limits.pop("denied") > 0 and not any(limits.values()), limits
            w.authorize("read = %s anna\n" % w.public("anna"))  # takes effect at once
            assert len(shown(w.proftop(*anna))["applies"]) == 50
            w.authorize("publish = %s anna\n" % w.public("anna"))
            done = w.proftop(*anna, "--wait", "0.5")
            assert done.returncode != 0, done.stdout[:200]
            done = w.proftop("-b", "--wait", "0.5", "--peer", "anna", info["tcp"])
            assert done.returncode != 0 and "--peer" in done.stderr, done
            done = w.proftop("-b", "--wait", "0.5", "--insecure", info["tcp"])
            assert done.returncode != 0 and "wants keys" in done.stderr, done


def to_read_is_not_to_control():
    """Over tcp each right is granted separately, and none where keys are waived."""
    with world() as w:
        for name in ("id", "anna"):
            assert w.proftop("keygen", name).returncode == 0
        with w.job(PROFTOP_BIND="tcp://127.0.0.1:*") as (_, info):
            def orders(*words):
                return w.proftop("ctl", "pause", *words, info["tcp"])

            def collects():
                return shown(w.proftop("-b", "--format", "json", info["tcp"]))["jobs"][0]["collect"]
            anna = ("--key", "anna", "--peer", "id")
            w.authorize("read = %s anna\n" % w.public("anna"))
            shell.one_sentence(orders(*anna), 3, "refused", "read and not control")
            assert collects() == "run"
            w.authorize("control = %s anna\n" % w.public("anna"))
            done = orders(*anna)
            assert done.returncode == 0 and collects() == "stop", done
            report = shown(w.proftop("-b", "--format", "json", info["tcp"]))
            assert "by the key of anna" in report["jobs"][0]["asker"], report["jobs"]
    with world() as w, w.job(PROFTOP_BIND="tcp://127.0.0.1:*", PROFTOP_INSECURE="1") as (_, info):
        done = w.proftop("ctl", "pause", "--insecure", info["tcp"])
        shell.one_sentence(done, 3, "refused", "Unix sockets")
        assert shown(w.proftop("-b", "--format", "json", info["facts"]))["jobs"][0]["collect"] == \
            "run"


def a_key_that_others_can_read_is_none():
    with world() as w:
        assert w.proftop("keygen").returncode == 0
        os.chmod(os.path.join(w.keys, "id.key"), 0o640)
        with w.job(PROFTOP_BIND="tcp://127.0.0.1:*") as (_, info):
            assert "tcp" not in info
        done = w.proftop("-b", "tcp://127.0.0.1:1")
        assert done.returncode != 0 and "chmod 600" in done.stderr, done


def says_insecure(w, job, info):
    """Checks that a viewer on the Unix socket and the list both show INSECURE."""
    done = shown(w.proftop("-b", "--format", "json", "-p", str(job.pid)))["jobs"][0]
    assert done["insecure"] is True and done["feed"]["insecure"] is False, done
    assert "INSECURE" in w.proftop("-b", info["facts"]).stdout
    row, = (line for line in w.proftop("-l").stdout.splitlines() if str(job.pid) in line.split())
    assert "INSECURE" in row, row
    rows = [json.loads(line) for line in w.proftop("-l", "--format", "json").stdout.splitlines()]
    assert [row["insecure"] for row in rows if row["pid"] == job.pid] == [True], rows


def insecure_endpoint_needs_the_option_and_is_marked():
    with world() as w, w.job(PROFTOP_BIND="tcp://127.0.0.1:*", PROFTOP_INSECURE="1") as (_, info):
        done = w.proftop("-b", info["tcp"])
        assert done.returncode != 0 and "proftop keygen" in done.stderr, done
        done = shown(w.proftop("-b", "--format", "json", "--insecure", info["tcp"]))
        assert done["jobs"][0]["feed"]["insecure"] is True and len(done["applies"]) == 50
        assert "INSECURE" in w.proftop("-b", "--insecure", info["tcp"]).stdout


def unix_socket_viewers_see_the_insecure_mark():
    with world() as w, w.job() as (closed, _):
        with w.job(PROFTOP_BIND="tcp://127.0.0.1:*", PROFTOP_INSECURE="1") as (job, info):
            says_insecure(w, job, info)
            both = w.proftop("-b", info["facts"], w.info(closed.pid)["facts"])
            assert "INSECURE" in both.stdout, both
        done = shown(w.proftop("-b", "--format", "json", "-p", str(closed.pid)))
        assert done["jobs"][0]["insecure"] is False
    with world() as w:  # no listener there: the job still reports its intended endpoint
        with w.job(PROFTOP_CONNECT="tcp://127.0.0.1:1", PROFTOP_INSECURE="1") as (job, info):
            assert "tcp" not in info
            says_insecure(w, job, info)
        with w.job(PROFTOP_INSECURE="1") as (job, info):
            assert info["insecure"] == "0"


def secrets_stay_in_their_files():
    """Keys are never in an argument, in the environment, or in published or printed text."""
    with world() as w:
        assert w.proftop("keygen").returncode == 0
        with open(os.path.join(w.keys, "id.key"), encoding="ascii") as file:
            secret = file.read().split("secret = ")[1].strip().encode()
        with w.job(PROFTOP_BIND="tcp://127.0.0.1:*") as (job, info):
            with open("%s/%s" % (w.registry, next(name for name in os.listdir(w.registry)
                                                  if name.endswith(".info"))), "rb") as file:
                assert secret not in file.read()
            for words in (["-l", "--format", "info"], ["-l", "--format", "json"], ["doctor"],
                          ["-b", "--format", "json", info["tcp"]]):
                done = w.proftop(*words)
                said = (done.stdout + done.stderr).encode()
                assert done.returncode == 0 and said and secret not in said, (words, done)
            with subprocess.Popen([PROFTOP, "-b", "-n", "0", info["tcp"]], env=w.env,
                                  stdout=subprocess.PIPE) as viewer:
                assert viewer.stdout.readline()
                for pid in (job.pid, viewer.pid):
                    for name in ("environ", "cmdline"):
                        with open("/proc/%d/%s" % (pid, name), "rb") as file:
                            assert secret not in file.read()
                viewer.kill()


tap.run(nobody_listens_on_tcp_by_default, the_check_sees_a_port, a_foreign_user_is_refused,
        a_foreign_user_sees_that_there_is_a_job_and_no_more,
        a_foreign_registry_is_refused, keys_are_made_closed, tcp_wants_keys, keys_let_in,
        to_read_is_not_to_control, a_key_that_others_can_read_is_none,
        insecure_endpoint_needs_the_option_and_is_marked,
        unix_socket_viewers_see_the_insecure_mark,
        secrets_stay_in_their_files)

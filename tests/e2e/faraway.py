# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""faraway.py: jobs of other machines through ssh: `-H`, `ssh://`, `--slurm`. The machines are sshd
processes on the loopback interface, each with its own registry; the keys belong to the test. The
kernel assigns the ports: the test itself accepts the connections and passes them to `sshd -i`."""
import contextlib
import getpass
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import shell  # noqa: E402
from shell import PROFTOP, WAIT, Guest, one_sentence, tap  # noqa: E402
from proc import listening_ports  # noqa: E402

SSHD = shutil.which("sshd", path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")
ENVIRONMENT = re.compile("PROFTOP|XDG_RUNTIME_DIR|TMPDIR|SLURM_|SSH_|DISPLAY|RANK|LOCAL_RANK")

scratch = tempfile.TemporaryDirectory()
PLAIN = {name: value for name, value in os.environ.items() if not ENVIRONMENT.match(name)}
PLAIN["LC_ALL"] = "C.UTF-8"


def path(*parts):
    return os.path.join(scratch.name, *parts)


def folder(*parts):
    os.makedirs(path(*parts), mode=0o700, exist_ok=True)
    return path(*parts)


def write(name, text, mode=0o600):
    with open(path(name), "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path(name), mode)
    return path(name)


def key(name):
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path(name)], check=True)
    with open(path(name + ".pub"), encoding="utf-8") as file:
        return file.read()


class Machine:
    """A host with this ssh name, with its own registry and PATH."""

    made = []

    def __init__(self, name, programs="/usr/bin:/bin", **more):
        self.name, self.children = name, []
        self.registry, self.temporary = folder(name), folder(name, "tmp")
        registry = "" if name == "bare" else self.registry
        lines = ["HostKey " + path("hostkey"), "AuthorizedKeysFile " + path("authorized"),
                 "StrictModes no", "UsePAM no", "PidFile none", "PasswordAuthentication no",
                 "KbdInteractiveAuthentication no", "PermitRootLogin yes", "PrintMotd no",
                 "SetEnv HOME=%s PROFTOP_DIR=%s XDG_RUNTIME_DIR=%s TMPDIR=%s PATH=%s" % (
                     self.registry, registry, registry, self.temporary, programs)]
        lines += ["%s %s" % item for item in more.items()]
        self.config = write("sshd_" + name, "\n".join(lines) + "\n")
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()
        Machine.made.append(self)

    def serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            # As inetd does: both streams are the connection.
            self.children.append(subprocess.Popen(
                [SSHD, "-i", "-f", self.config], stdin=connection, stdout=connection,
                stderr=subprocess.DEVNULL, start_new_session=True, close_fds=True))
            connection.close()

    def signal(self, number):
        """Signals the processes behind the connections: each sshd and its descendants."""
        for child in self.children:
            if child.poll() is None:
                for pid in descendants(child.pid):
                    with contextlib.suppress(ProcessLookupError):  # a command that has just ended
                        os.kill(pid, number)

    def end(self):
        self.listener.close()
        self.signal(signal.SIGKILL)
        for child in self.children:
            child.wait(WAIT)

    def job(self, *words, feeds=1, **more):
        return Guest({**PLAIN, "PROFTOP_DIR": self.registry, **more}, *words, feeds=feeds)


def descendants(root):
    parents = {}
    for name in os.listdir("/proc"):
        try:
            with open("/proc/%s/stat" % name, encoding="utf-8", errors="replace") as file:
                parents[int(name)] = int(file.read().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
    found = [root]
    for pid in found:
        found += [child for child, parent in parents.items() if parent == pid]
    return found


def prepare():
    """Makes the keys, the client's configuration, and the files that sshd needs on the machine.
    Returns None, or the reason why not."""
    if not SSHD or not shutil.which("ssh") or not shutil.which("ssh-keygen"):
        return "ssh and sshd are not there (openssh-client, openssh-server)"
    if os.geteuid() == 0:
        os.makedirs("/run/sshd", mode=0o755, exist_ok=True)  # for root's sshd
    write("authorized", key("user"))
    key("stranger")
    host = key("hostkey")
    far = Machine("far", Banner=write("banner", "Ask before use.\n"))
    Machine("full", programs=os.path.dirname(PROFTOP) + ":/usr/bin:/bin")
    Machine("closed", AllowStreamLocalForwarding="no")
    for name in ("bare", "cut", "orphan", "silent"):
        Machine(name)
    known = "".join("[127.0.0.1]:%d %s" % (one.port, host) for one in Machine.made)
    write("known", known)
    write("empty", "")
    lines = []
    for one in Machine.made:
        lines += ["Host %s" % one.name, "HostName 127.0.0.1", "Port %d" % one.port]
    lines += ["Host stranger", "HostName 127.0.0.1", "Port %d" % far.port,
              "IdentityFile " + path("stranger"),
              "Host unknown", "HostName 127.0.0.1", "Port %d" % far.port,
              "UserKnownHostsFile " + path("empty"),
              "Host nobody", "HostName 127.0.0.1", "Port 1",
              "Match originalhost !stranger,*", "IdentityFile " + path("user"),
              "Host *", "User " + getpass.getuser(), "KexAlgorithms curve25519-sha256",
              "IdentitiesOnly yes", "IdentityAgent none", "UserKnownHostsFile " + path("known"),
              "GlobalKnownHostsFile /dev/null", "LocalForward 1 localhost:1"]
    write("config", "\n".join(lines) + "\n")
    done = subprocess.run(["ssh", "-nF", path("config"), "-o", "BatchMode=yes", "far", "true"],
                          capture_output=True, text=True, timeout=WAIT, check=False)
    if done.returncode != 0:
        return "sshd lets nobody in here: " + " ".join(done.stderr.split())
    return None


def environment(**more):
    return {**PLAIN, "TMPDIR": folder("here"), "PROFTOP_DIR": folder("here", "registry"),
            "PROFTOP_SSH": "ssh -F '%s'" % path("config"), **more}


def proftop(*words, **more):
    """Without a terminal: no prompt is possible."""
    return shell.proftop(environment(**more), *words, start_new_session=True)


def rows(*words, **more):
    return checked(proftop("-l", "--format", "json", *words, **more))


def checked(done):
    return shell.rows(done, "jobs.schema")


def leftovers():
    return [name for name in os.listdir(folder("here")) if name.startswith("proftop-ssh")]


def machine(name):
    return [one for one in Machine.made if one.name == name][0]


def needs_sshd(test):
    def run():
        if WHY_NOT:
            raise tap.Skip(WHY_NOT)
        before = leftovers()
        test()
        stays = test.__name__ == "three_connections_are_lost"
        assert stays or set(leftovers()) <= set(before), leftovers()
    run.__name__ = test.__name__
    return run


# -------------------------------------------------------------------------------------------- lists


@needs_sshd
def a_shell_alone_lists_the_jobs():
    far = machine("far")
    with far.job(RANK="1", WORLD_SIZE="4") as job, far.job() as killed:
        os.kill(killed.pid, signal.SIGKILL)
        killed.process.wait(WAIT)
        os.mkdir(path("far", "proftop"), 0o755)
        done = proftop("-l", "--format", "json", "-H", "far")
        os.rmdir(path("far", "proftop"))
        row, = checked(done)
        assert (row["pid"], row["via"], row["program"], row["rank"], row["size"]) == (
            job.pid, "far", "found", 1, 4), row
        assert row["command"].endswith("found_job"), row
        assert "far: %s/proftop is open to others" % far.registry in done.stderr, done


@needs_sshd
def the_proftop_over_there_knows_more():
    full = machine("full")
    with full.job("exec", feeds=2) as job:
        first, second = rows("-H", "full")
        assert first["pid"] == job.pid and second["parent"] == first["instance"], second
        assert second["command"].endswith("found_job worker"), second


@needs_sshd
def a_shell_finds_what_the_kernel_knows_of():
    """A machine without environment settings, and a job in an unusual directory."""
    private = folder("private")
    with Guest({**PLAIN, "PROFTOP_DIR": private}, feeds=1) as job:
        found = [row for row in rows("-H", "bare") if row["pid"] == job.pid]
        assert len(found) == 1 and found[0]["facts"].startswith("ipc://" + private), found


@needs_sshd
def several_machines_are_one_list():
    with machine("far").job() as one, machine("full").job() as other:
        found = {row["pid"]: row["via"] for row in rows("-H", "far", "ssh://full")}
        assert found == {one.pid: "far", other.pid: "ssh://full"}, found
        done = proftop("-l", "-H", "far", "-H", "stranger")
        one_sentence(done, 0, "stranger cannot be reached: ", "Permission denied")
        text = done.stdout.splitlines()
        assert "VIA" in text[0] and text[1].split()[0] == str(one.pid) and " far " in text[1], text
        done = proftop("-b", "-H", "far", "-H", "full", "--format", "json", "-p", str(other.pid))
        assert json.loads(done.stdout)["jobs"][0]["pid"] == other.pid
        one_sentence(proftop("-b", "-H", "far", "-H", "full"), 3, "2 jobs publish there")
        done = proftop("-b", "--all", "-H", "far", "-H", "full", "--format", "json")
        jobs = json.loads(done.stdout)["jobs"]
        assert {job["pid"]: job["state"] for job in jobs} == {one.pid: "live", other.pid: "live"}


def ask(*words, wait="0.1", **more):
    return subprocess.Popen([PROFTOP, *words, "--wait", wait], env=environment(**more), text=True,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, start_new_session=True)


def done_of(process):
    out, said = process.communicate(timeout=WAIT)
    return subprocess.CompletedProcess(process.args, process.returncode, out, said)


@needs_sshd
def a_machine_that_is_silent_is_named():
    """The login succeeds, but the shell hangs: ssh itself waits for ever."""
    hangs = {"PROFTOP_SSH": write(
        "mute", "#!/bin/sh\ncase \"$*\" in *mute*) exec sleep 1000;; esac\n"
        "exec ssh -F '%s' \"$@\"\n" % path("config"), 0o700)}
    with machine("far").job() as job:
        asked = [ask(*words, **hangs) for words in (
            ("-l", "-H", "mute"), ("-b", "-H", "mute"), ("-l", "-H", "mute", "-H", "far"))]
        asked.append(ask("-b", "-p", str(job.pid), "-H", "mute", "-H", "far", wait="5",
                         **hangs))
        listed, report, both, shown = map(done_of, asked)
    for done in listed, report:
        one_sentence(done, 3, "mute did not answer within 5 s")
        assert not done.stdout and "no job" not in done.stderr, done
    for done in both, shown:
        one_sentence(done, 0, "mute did not answer within 5 s")
        assert str(job.pid) in done.stdout, done


@needs_sshd
def a_batch_job_is_found_on_its_nodes():
    """With squeue and scontrol as scripts of the test."""
    write("squeue", '#!/bin/sh\ncase "$*" in *"--jobs 4711 "*) echo "4711 RUNNING f[ar,ull]";;\n'
          '*"--jobs 4712 "*) echo "4712 PENDING ";;\n'
          '*) echo "slurm_load_jobs error: Invalid job id specified" >&2; exit 1;; esac\n', 0o700)
    write("scontrol", '#!/bin/sh\n'
          '[ "$*" = "show hostnames f[ar,ull]" ] && printf "far\\nfull\\n"\n', 0o700)
    programs = scratch.name + ":" + PLAIN["PATH"]
    with machine("far").job(SLURM_JOB_ID="4711", SLURM_PROCID="0", SLURM_NTASKS="2") as zero, \
            machine("full").job(SLURM_JOB_ID="4711", SLURM_PROCID="1", SLURM_NTASKS="2") as one, \
            machine("full").job(SLURM_JOB_ID="4700"):
        found = {row["pid"]: (row["via"], row["rank"], row["size"])
                 for row in rows("--slurm", "4711", PATH=programs)}
        assert found == {zero.pid: ("far", 0, 2), one.pid: ("full", 1, 2)}, found
    one_sentence(proftop("-l", "--slurm", "4712", PATH=programs), 3, "its state is PENDING")
    one_sentence(proftop("-l", "--slurm", "4", PATH=programs), 3, "Invalid job id specified")
    one_sentence(proftop("-l", "--slurm", "x;y"), 3, "'x;y' is no number of a SLURM job")
    one_sentence(proftop("-l", "--slurm", "4", PATH=folder("nothing")), 3,
                 "squeue cannot be started")


# --------------------------------------------------------------------------------------- attaching


@needs_sshd
def a_job_is_watched_through_its_own_sockets():
    far = machine("far")
    with far.job() as job:
        before = sorted(os.listdir(far.registry)), os.listdir(far.temporary)
        done = proftop("-H", "far", "-n", "3", "-d", "0.2", "--format", "json")
        assert done.returncode == 0, done
        first, _, last = [json.loads(line) for line in done.stdout.splitlines()]
        assert last["jobs"][0]["pid"] == job.pid and last["jobs"][0]["state"] == "live"
        assert last["applies"][0]["calls"] > (first["applies"][0]["calls"] or 0)
        assert (sorted(os.listdir(far.registry)), os.listdir(far.temporary)) == before
        uri = "ssh://%s@far:%d" % (getpass.getuser(), far.port)
        text = proftop("-b", "-p", str(job.pid), uri)
        assert text.returncode == 0 and "LIVE" in text.stdout.splitlines()[0], text


@needs_sshd
def jobs_are_steered_over_there():
    far = machine("far")
    with far.job() as one, far.job() as two, far.job(PROFTOP_CONTROL="0") as three:
        def collecting(job):
            done = proftop("-b", "-H", "far", "-p", job.pid, "--format", "json")
            return json.loads(done.stdout.splitlines()[-1])["jobs"][0]["collect"]
        done = proftop("ctl", "pause", "-H", "far", "-p", one.pid, "-p", two.pid)
        assert done.returncode == 0 and done.stdout.count("is paused") == 2, done
        done = proftop("ctl", "resume", "-H", "far", "-p", three.pid, "-p", two.pid)
        assert done.returncode == 3 and done.stdout.count("is not paused") == 1, done
        assert done.stderr.count("\n") == 1 and "refused" in done.stderr, done
        assert [collecting(job) for job in (one, two, three)] == ["stop", "run", "run"]
        one_sentence(proftop("ctl", "pause", "-H", "far", "-p", "1"), 3,
                     "no job there has the process id 1")


@needs_sshd
def failed_ssh_requests_are_reported():
    one_sentence(proftop("-b", "-H", "far"), 3, "no job of this user publishes there")
    one_sentence(proftop("-b", "-H", "stranger"), 3, "stranger cannot be reached: ",
                 "Permission denied")
    one_sentence(proftop("-b", "-H", "unknown"), 3, "unknown cannot be reached: ",
                 "Host key verification failed")
    one_sentence(proftop("-b", "-H", "nobody"), 3, "nobody cannot be reached: ",
                 "Connection refused")
    one_sentence(proftop("-b", "-H", "far", PROFTOP_SSH="/no/such/ssh"), 3, "/no/such/ssh")
    one_sentence(proftop("-b", "-H", "-oProxyCommand=x"), 2, "names no machine")
    one_sentence(proftop("-b", "-H", "a b"), 2, "'a b' names no machine")
    one_sentence(proftop("ssh://far/4711"), 2, "has a path; which job is said with -p PID")
    one_sentence(proftop("-H", "far", "ipc:///x.pub"), 2, "leave out run and endpoints")
    with machine("far").job():
        one_sentence(proftop("-b", "-H", "far", "-p", "1"), 3, "no job there has the process id 1")
    with machine("closed").job():
        one_sentence(proftop("-b", "-H", "closed", "--wait", "0.5"), 3, "no figures came",
                     "ssh says: channel", "open failed")


class Screen(shell.Screen):
    """proftop in a terminal; its text is read as it arrives."""

    def __init__(self, *words):
        self.before = set(leftovers())
        super().__init__(environment(TERM="xterm"), *words)

    def type(self, text):
        os.write(self.master, text.encode())

    def ssh(self):
        return [pid for pid in descendants(self.pid) if pid != self.pid]

    def end(self, number=None):
        """Ends it by the key or by a signal; nothing is left."""
        started = self.ssh()
        assert started, "no ssh runs"
        if number:
            os.kill(self.pid, number)
        else:
            self.type("q")
        code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        os.close(self.master)
        assert not [pid for pid in started if os.path.exists("/proc/%d" % pid)]
        assert set(leftovers()) <= self.before
        return code


@needs_sshd
def ssh_asks_on_the_terminal_before_the_screen_opens():
    with machine("far").job() as job:
        screen = Screen("-H", "unknown")
        screen.wait_for("continue connecting (yes/no")
        assert "\033[?1049h" not in screen.seen, "the screen was open"
        screen.type("yes\n")
        screen.wait_for(str(job.pid))
        screen.wait_for("LIVE")
        asked, _, shown = screen.seen.partition("\033[?1049h")
        assert "Ask before use." in asked and "Ask before use." not in shown
        assert screen.end() == 0


@needs_sshd
def viewer_over_ssh_ends_on_sigterm():
    with machine("far").job():
        screen = Screen("-H", "far")
        screen.wait_for("LIVE")
        assert screen.end(signal.SIGTERM) == 128 + signal.SIGTERM


@needs_sshd
def nothing_listens_on_a_port_here():
    """Neither the viewer nor its ssh listens; the ssh configuration asks for a port (prepare)."""
    with machine("far").job():
        screen = Screen("-H", "far")
        screen.wait_for("LIVE")
        ours = descendants(screen.pid)
        assert len(ours) > 1 and not any(map(listening_ports, ours)), ours
        assert screen.end() == 0


class Watcher:
    """JSON reports until one has the expected state."""

    def __init__(self, *words):
        self.process = subprocess.Popen(
            [PROFTOP, "-b", "-n", "0", "-d", "0.2", "--format", "json", *words], text=True,
            env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            start_new_session=True)

    def wait_for(self, state):
        """Time of its arrival."""
        for line in self.process.stdout:
            report = json.loads(line)
            if report["state"] == state:
                return report["time_ns"]
        raise AssertionError((state, self.process.stderr.read()))

    def end(self):
        self.process.terminate()
        said = self.process.stderr.read()
        self.process.stdout.close()
        self.process.stderr.close()
        return self.process.wait(WAIT), said


class Loss:
    """A viewed job on a machine of its own, and the outcome. The waits run in parallel to the other
    tests."""

    made = {}

    def __init__(self, name, what):
        one = machine(name)
        self.job = one.job()
        self.watcher = Watcher("-H", name)
        self.watcher.wait_for("live")
        self.at_ns = time.time_ns()
        if what == "kill":
            os.kill(self.job.pid, signal.SIGKILL)
        else:
            one.signal(what)
        Loss.made[name] = self

    def until(self, state, most):
        took = (self.watcher.wait_for(state) - self.at_ns) / 1e9
        print("# %s after %.2f s" % (state, took))
        assert took < most * WAIT / 30, took


@needs_sshd
def three_connections_are_lost():
    Loss("cut", signal.SIGKILL)
    Loss("orphan", "kill")
    Loss("silent", signal.SIGSTOP)


def lost(name):
    if WHY_NOT:
        raise tap.Skip(WHY_NOT)
    return Loss.made[name]


def a_connection_that_breaks_is_gone_and_why():
    loss = lost("cut")
    loss.until("gone", 2)
    code, said = loss.watcher.end()
    assert code == 4 and "the connection to cut is lost: " in said, (code, said)
    loss.job.__exit__()


def a_job_that_is_killed_is_gone():
    loss = lost("orphan")
    loss.until("gone", 4)
    code, said = loss.watcher.end()
    assert code == 4 and "nobody answers" in said, (code, said)
    loss.job.__exit__()


def a_machine_that_falls_silent_is_stale_and_then_gone():
    """As if a network is cut: no data and no error arrives."""
    loss = lost("silent")
    loss.until("stale", 5)
    if os.environ.get("PROFTOP_TEST_LONG"):
        loss.until("gone", 20)
        assert "not responding" in loss.watcher.end()[1]
    else:
        loss.watcher.end()
    machine("silent").signal(signal.SIGKILL)
    loss.job.__exit__()
    assert not leftovers(), leftovers()


WHY_NOT = prepare()
try:
    tap.run(three_connections_are_lost, a_shell_alone_lists_the_jobs,
            the_proftop_over_there_knows_more, a_shell_finds_what_the_kernel_knows_of,
            a_machine_that_is_silent_is_named, several_machines_are_one_list,
            a_batch_job_is_found_on_its_nodes, a_job_is_watched_through_its_own_sockets,
            jobs_are_steered_over_there, failed_ssh_requests_are_reported,
            ssh_asks_on_the_terminal_before_the_screen_opens,
            viewer_over_ssh_ends_on_sigterm, nothing_listens_on_a_port_here,
            a_connection_that_breaks_is_gone_and_why,
            a_job_that_is_killed_is_gone, a_machine_that_falls_silent_is_stale_and_then_gone)
finally:
    for made in Machine.made:
        made.end()

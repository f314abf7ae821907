# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""found.py: real jobs are found whatever the environment contains, on either side; ranks and
workers are listed as such; the JSON list conforms to docs/jobs.schema."""
import contextlib
import fcntl
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import shell  # noqa: E402
import proc  # noqa: E402
from shell import FOUND_JOB, NUMPY, PROFTOP, VM, WAIT, Guest, Screen, proftop, tap  # noqa: E402

LAUNCHERS = ("SLURM_", "OMPI_", "PMI_", "PMIX_", "DMLC_", "RANK", "LOCAL_RANK", "WORLD_SIZE",
             "PROFTOP", "XDG_RUNTIME_DIR", "TMPDIR")

scratch = tempfile.TemporaryDirectory()
PLAIN = {name: value for name, value in os.environ.items() if not name.startswith(LAUNCHERS)}
PLAIN["LC_ALL"] = "C.UTF-8"


def folder(name):
    path = os.path.join(scratch.name, name)
    os.makedirs(path, mode=0o700, exist_ok=True)
    return path


def within(name, **more):
    """An environment with its own temporary directory. Job and viewer share nothing else, unless
    `more` adds it."""
    return {**PLAIN, "TMPDIR": folder(name), **more}


def listed(env, *jobs):
    """The list's rows for these jobs, in its order: other jobs may run on this machine."""
    pids = [pid for job in jobs for pid in job.pids]
    done = proftop(env, "-l", "--format", "json")
    return [row for row in shell.rows(done, "jobs.schema") if row["pid"] in pids]


def place_of(env, job):
    """The directory of the job's sockets."""
    return os.path.dirname(listed(env, job)[0]["facts"][len("ipc://"):])


def attached(env, job):
    """One report of the job by its pid, as a user asks for it."""
    done = proftop(env, "-b", "-p", str(job.pid), "--format", "json")
    assert done.returncode == 0, done
    return json.loads(done.stdout)["jobs"][0]


# ------------------------------------------------------------------- whatever the environment says


def slurm_keeps_the_runtime_directory_of_another_node():
    job_env = within("slurm", XDG_RUNTIME_DIR="/run/user/no-such-user-here", SLURM_JOB_ID="4711",
                     SLURM_PROCID="3", SLURM_LOCALID="1", SLURM_NTASKS="8")
    viewer = within("slurm", XDG_RUNTIME_DIR=folder("slurm-login"))
    with Guest(job_env) as job:
        row, = listed(viewer, job)
        assert (row["rank"], row["local_rank"], row["size"], row["batch"]) == (3, 1, 8, "4711")
        seen = attached(viewer, job)
        assert (seen["pid"], seen["rank"], seen["local_rank"], seen["size"], seen["batch"]) == (
            job.pid, 3, 1, 8, "4711")
        head = proftop(viewer, "-b", "-p", str(job.pid)).stdout.splitlines()[0]
        assert "rank 3/8" in head, head


def slurm_gives_each_job_a_temporary_directory_of_its_own():
    """An unknown directory; but the kernel shows the sockets' paths."""
    private = within("private")
    with Guest(private) as job:
        row, = listed(within("elsewhere"), job)
        place = place_of(private, job)
        assert place.startswith(folder("private")), row
        assert attached(within("elsewhere"), job)["pid"] == job.pid
        # With a named directory, the list has that one and the usual ones.
        assert listed(within("elsewhere", PROFTOP_DIR=folder("named")), job) == []
        os.chmod(place, 0o755)
        assert listed(within("elsewhere"), job) == []
        os.chmod(place, 0o700)


def ssh_has_no_runtime_directory():
    runtime = folder("ssh-desktop")
    with Guest(within("ssh", XDG_RUNTIME_DIR=runtime)) as job:
        # If this user's runtime directory is known, a viewer without the variable looks there.
        standard = "/run/user/%d" % os.geteuid()
        if os.path.isdir(standard):
            with Guest(within("ssh", XDG_RUNTIME_DIR=standard)) as usual:
                assert listed(within("ssh"), usual)
        assert listed(within("ssh", XDG_RUNTIME_DIR=runtime), job)
    with Guest(within("ssh")) as job:
        for viewer in (within("ssh"), within("ssh", XDG_RUNTIME_DIR=runtime)):
            assert [row["pid"] for row in listed(viewer, job)] == [job.pid]
            assert attached(viewer, job)["pid"] == job.pid


def sudo_keeps_the_runtime_directory_of_another_user():
    """The case of `sudo -E`. Root may write to the directory, so it must check the owner itself; to
    others the directory is not accessible."""
    theirs = folder("sudo-theirs")
    if os.geteuid() == 0:
        os.chown(theirs, 65534, 65534)
        os.makedirs(os.path.join(theirs, "proftop"), mode=0o700, exist_ok=True)
        os.chown(os.path.join(theirs, "proftop"), 65534, 65534)
    else:
        os.chmod(theirs, 0)
    with Guest(within("sudo", XDG_RUNTIME_DIR=theirs)) as job:
        assert job.pids == [job.pid], job.said
        for viewer in (within("sudo"), within("sudo", XDG_RUNTIME_DIR=theirs)):
            assert [row["pid"] for row in listed(viewer, job)] == [job.pid]
        if os.geteuid() == 0:
            done = proftop(within("sudo", XDG_RUNTIME_DIR=theirs), "-l")
            assert "proftop belongs to user 65534, not to this user" in done.stderr, done.stderr
            assert os.listdir(os.path.join(theirs, "proftop")) == []
    if os.geteuid() != 0:
        os.chmod(theirs, 0o700)


def sudo_runs_a_job_for_another_user():
    """A job of an ordinary user whose environment names root's directories."""
    if os.geteuid() != 0 or not shutil.which("setpriv"):
        raise tap.Skip("only root with setpriv can be another user")
    os.chmod(scratch.name, 0o755)
    temporary = folder("sudo-user")
    os.chmod(temporary, 0o1777)
    theirs = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
    if subprocess.run([*theirs, "test", "-x", FOUND_JOB], check=False).returncode != 0:
        raise tap.Skip("another user cannot run what was built here")
    runtime = folder("sudo-root")
    with Guest(within("sudo-user", XDG_RUNTIME_DIR=runtime), before=theirs) as job:
        assert job.pids == [job.pid], job.said
        assert listed(within("sudo-user", XDG_RUNTIME_DIR=runtime), job) == []
        done = subprocess.run([*theirs, PROFTOP, "-b", "-p", str(job.pid)], timeout=WAIT,
                              env=within("sudo-user"), capture_output=True, text=True, check=False)
        assert done.returncode == 0 and str(job.pid) in done.stdout, done


def deleted_registry_of_a_running_job_is_made_again():
    """Logged out: the runtime directory is removed with the last login, and the job moves to
    another. Cleaned up: an existing directory is used again."""
    runtime = folder("logout")
    login, after = within("logout-tmp", XDG_RUNTIME_DIR=runtime), within("logout-tmp")
    clean = within("clean")
    with Guest(login) as moving, Guest(clean) as staying:
        assert place_of(login, moving) == runtime + "/proftop"
        place = place_of(clean, staying)
        shutil.rmtree(runtime)
        shutil.rmtree(place)
        for env, job in ((after, moving), (clean, staying)):
            tap.wait_for("it is found again", lambda at=env, of=job: listed(at, of), WAIT)
            assert attached(env, job)["pid"] == job.pid
        assert not os.path.exists(runtime) and place_of(clean, staying) == place


def a_directory_that_cannot_be_is_left_for_the_next():
    long = folder("l" * 90)
    open_to_all = folder("open")
    os.chmod(open_to_all, 0o755)
    for named, words in ((long, "too long for a socket in it"), (open_to_all, "open to others")):
        with Guest(within("next", PROFTOP_DIR=named)) as job:
            assert job.pids == [job.pid], job.said
            assert [row["pid"] for row in listed(within("next"), job)] == [job.pid]
        if named == open_to_all:
            done = proftop(within("next", PROFTOP_DIR=named), "-l")
            assert done.returncode == 3 and words in done.stderr, done


def without_a_directory_a_job_runs_and_knows_why_nobody_sees_it():
    place = "/tmp/proftop-%d" % os.geteuid()
    hide = "mkdir -p -m 700 %s && mount --bind %s %s && mount -t tmpfs -o ro none /run" % (
        place, folder("no-place"), place)
    inside = ["unshare", "-m", "sh", "-c"]
    os.chmod(folder("no-place"), 0o755)
    if subprocess.run([*inside, hide], check=False, capture_output=True).returncode != 0:
        raise tap.Skip("no mount namespace can be made here")
    done = subprocess.run([*inside, hide + " && exec " + FOUND_JOB], stdin=subprocess.DEVNULL,
                          env={**PLAIN, "TMPDIR": "/proc/none"}, capture_output=True, text=True,
                          timeout=WAIT, check=False)
    assert done.returncode == 0 and "no directory for the feed is usable" in done.stdout, done


def a_place_that_another_user_took_is_named():
    """Reported by the job that finds no other directory, by lists, by doctor, and by a search for a
    job. Each is on one line, whatever the paths contain."""
    if os.geteuid() != 0:
        raise tap.Skip("only root can give a directory to another user")
    place = "/tmp/proftop-0"
    taken = folder("taken")
    os.chown(taken, 65534, 65534)
    hide = "mkdir -p -m 700 %s && mount --bind %s %s && mount -t tmpfs -o ro none /run && exec " % (
        place, taken, place)
    inside = ["unshare", "-m", "sh", "-c"]
    if subprocess.run([*inside, hide + "true"], check=False, capture_output=True).returncode != 0:
        raise tap.Skip("no mount namespace can be made here")
    # If a directory is named, this user's jobs are not looked for elsewhere.
    for named in ("/proc/no/place", "/proc/no/place\nSEVERED\x1b[m"):
        env = {**PLAIN, "TMPDIR": "/proc/none", "PROFTOP_DIR": named}

        def says(command, env=env):
            done = subprocess.run([*inside, hide + command], stdin=subprocess.DEVNULL, env=env,
                                  capture_output=True, text=True, timeout=WAIT, check=False)
            said = done.stdout + done.stderr
            assert "%s belongs to user 65534" % place in said and "use a directory of your own" in \
                said, (command, done)
            assert "\nSEVERED" not in said and "\x1b" not in said, (command, done)
            return said

        assert "no directory for the feed is usable" in says(FOUND_JOB)
        for words in ("-l", "-b --wait 0.1", "ctl pause"):
            says(PROFTOP + " " + words)
        found = says(PROFTOP + " doctor").splitlines()
        assert any(line.startswith("fault") and place in line for line in found), found
        assert any("there is no directory where a job could" in line for line in found), found


def a_killed_job_is_tidied_away():
    env = within("tidy")
    with Guest(env) as job:
        place = place_of(env, job)
        files = sorted(name.rsplit(".")[-1] for name in os.listdir(place))
        assert files == ["ctl", "info", "pub"], files
        os.kill(job.pid, signal.SIGKILL)
        job.process.wait(WAIT)
        assert len(os.listdir(place)) == len(files)
        assert listed(env, job) == [] and os.listdir(place) == []


# ------------------------------------------------------------------------------- ranks and workers


def launchers_are_read():
    for more, wanted, text in (
            ({"OMPI_COMM_WORLD_RANK": "5", "OMPI_COMM_WORLD_SIZE": "6",
              "OMPI_COMM_WORLD_LOCAL_RANK": "1"}, (5, 1, 6, None), " 5/6 "),
            ({"PMI_RANK": "2", "PMI_SIZE": "4"}, (2, None, 4, None), " 2/4 "),
            ({"PMIX_RANK": "7"}, (7, None, None, None), " 7 "),
            ({"RANK": "9", "LOCAL_RANK": "1", "WORLD_SIZE": "16"}, (9, 1, 16, None), " 9/16 "),
            ({"DMLC_ROLE": "server", "DMLC_SERVER_ID": "1", "DMLC_NUM_SERVER": "2"},
             (1, None, 2, "server"), " server 1/2 "),
            ({}, (None, None, None, None), None)):
        env = within("launchers", **more)
        with Guest(env) as job:
            for row in (listed(env, job)[0], attached(env, job)):
                found = (row["rank"], row["local_rank"], row["size"], row["role"])
                assert found == wanted, (more, row)
            head, *rows = proftop(env, "-l").stdout.splitlines()
            line, = [row for row in rows if row.split()[0] == str(job.pid)]
            if text:
                assert "RANK" in head and text in line, (head, line)


def processes_of_a_distributed_job_stand_by_role_and_rank():
    """In any order of start. Jobs without a role come first."""
    env = within("roles", PROFTOP_DIR=folder("roles-dir"))
    wanted = [(None, None), ("scheduler", None), ("server", 0), ("worker", 0), ("worker", 1)]
    with contextlib.ExitStack() as jobs:
        begun = []
        for role, rank in reversed(wanted):
            more = {} if role is None else {"DMLC_ROLE": role, "PROFTOP_RUN": 32 * "a"}
            if rank is not None:
                more["DMLC_RANK"] = str(rank)
            begun.append(jobs.enter_context(Guest(dict(env, **more))))
        assert [(row["role"], row["rank"]) for row in listed(env, *begun)] == wanted
        done = proftop(env, "-b", "--all", "--format", "json")
        seen = [(row["role"], row["rank"]) for row in json.loads(done.stdout)["jobs"]]
        assert seen == wanted, seen
        # One `proftop run` may have started them: none is another's worker.
        assert [row["parent"] for row in listed(env, *begun)] == 5 * [None]


def workers_are_listed_under_their_job():
    for how in ("fork", "exec"):
        env = within("workers-" + how, PROFTOP_DIR=folder("workers-dir"))
        with Guest(env, how, feeds=2) as job, Guest(env) as other:
            rows = listed(env, job, other)
            mine = [row for row in rows if row["pid"] != other.pid]
            assert [row["parent"] for row in mine] == [None, mine[0]["instance"]], mine
            assert mine[0]["pid"] == job.pid and mine[1]["program"] == "worker", mine
            at = rows.index(mine[0])
            assert rows[at:at + 2] == mine, "the worker does not follow its job"
            lines = proftop(env, "-l").stdout.splitlines()
            line, = [line for line in lines if line.split()[0] == str(mine[1]["pid"])]
            assert " \\_ worker " in line, lines
            # A forked worker reports its parent; a worker started otherwise does not know its own.
            worker = json.loads(proftop(env, "-b", "-p", str(mine[1]["pid"]), "--format",
                                        "json").stdout)["jobs"][0]
            assert worker["parent"] == mine[0]["instance"], worker


def the_screen_lists_workers_under_their_job():
    # Needs its own directory: otherwise jobs of all directories come first in the list.
    env = within("screen", RANK="1", WORLD_SIZE="2", TERM="xterm",
                 PROFTOP_DIR=folder("screen-dir"))
    with Guest(env, "fork", feeds=2) as job:
        screen = Screen(env, "-p", str(job.pid))
        screen.wait_for("rank 1/2")
        screen.press(b"a")
        screen.wait_for("Choose a job")
        screen.wait_for("\\_ worker")
        assert "RANK" in screen.seen
        screen.end()


def jobs_that_look_alike_show_what_differs():
    """80 columns: three commands have the same visible part, and one differs elsewhere."""
    env = within("alike", TERM="xterm", PROFTOP_DIR=folder("alike-dir"))
    same = "--data=" + 40 * "x"
    with Guest(env, "alone", same, "--rate=1", "--shard=1") as one, \
            Guest(env, "alone", same, "--rate=1", "--shard=2") as two, \
            Guest(env, "alone", same, "--rate=2", "--shard=2") as three:
        screen = Screen(env)
        for job, shown in ((one, "--rate=1 --shard=1"), (two, "--rate=1 --shard=2"),
                           (three, "--rate=2 --shard=2")):
            screen.wait_for("Choose a job")
            screen.wait_for(str(job.pid))
            screen.wait_for(" ... " + shown)
        assert same not in screen.seen, screen.seen
        screen.end()
        # Output that is no screen has the full text.
        lines = proftop(env, "-l").stdout
        assert lines.count(same + " --rate=") == 3 and " ... " not in lines, lines


# -------------------------------------------------------------- processes that publish nothing

NUMBA, SPARSE = "site/llvmlite/binding/libllvmlite.so", "site/scipy/sparse/_sparsetools.so"
MXNET, TORCH = "site/mxnet/libmxnet.so", "site/torch/lib/libtorch_cpu.so"
# Mapped files, packages beside them, additional environment; its name in the list.
SILENT = (
    ((VM, NUMPY), ("pytensor",), {}, "PyTensor"),
    ((VM, NUMPY), ("theano",), {}, "Theano"),
    (("home/.aesara/" + VM, NUMPY), ("pytensor", "aesara"), {}, "Aesara"),
    ((VM,), (), {}, "Theano family"),
    ((NUMBA, NUMPY, SPARSE), ("pytensor",), {}, "PyTensor?"),
    ((NUMBA, NUMPY), ("pytensor",), {}, None),
    ((NUMBA, NUMPY, SPARSE), ("theano",), {}, None),
    ((NUMPY, "site/pytensor/scan/scan_perform.so"), ("pytensor", "theano"), {}, "PyTensor"),
    ((NUMPY,), ("pytensor",), {}, None),
    ((NUMPY, MXNET), ("pytensor", "mxnet"), {}, "MXNet"),
    ((VM, NUMPY, MXNET), ("pytensor", "mxnet"), {}, "PyTensor, MXNet"),
    ((TORCH,), ("torch",), {}, "PyTorch"),
    ((VM, NUMPY, MXNET, TORCH), ("pytensor", "mxnet", "torch"), {}, "PyTensor, MXNet, PyTorch"),
    ((VM, NUMPY), ("pytensor",), {"PROFTOP": "0"}, None),
    ((VM, NUMPY), ("pytensor",), {"PROFTOP_DIR": "/elsewhere"}, None),
)


def silent(number, env):
    files, packages, more, _ = SILENT[number]
    return shell.Job({**env, **more},
                     *shell.silent(folder("silent-%d" % number), files, packages))


def those_that_publish_nothing_are_listed_behind_the_jobs():
    env = within("silent", PROFTOP_DIR=folder("silent-dir"))
    shell.need_no_job(env)
    for number, (*_, framework) in enumerate(SILENT):
        with silent(number, env) as job, Guest(env) as other:
            found = shell.rows(proftop(env, "-l", "--format", "json"), "jobs.schema")
            rows = [row for row in found if row["pid"] == job.pid]
            assert [row["framework"] for row in rows] == [framework] * bool(framework), (
                number, found)
            assert [row["pid"] for row in found][0] == other.pid, found
            assert found[0]["attachable"] is None and found[0]["facts"], found
            for row in rows:
                assert row["program"] == "train.py" and row["facts"] is None, row
                assert row["attachable"] in (True, False), row
                assert abs(row["since_ns"] - time.time_ns()) < 60 * 10 ** 9, row
            lines = [line.split() for line in proftop(env, "-l").stdout.splitlines()]
            assert ("FEED" in lines[0]) == bool(framework), lines
            assert proftop(env, "-l", "--format", "info").stdout.count("pid=") == 1
            # The only job is still the only one.
            done = proftop(env, "-b", "--format", "json")
            assert json.loads(done.stdout)["jobs"][0]["pid"] == other.pid, done


def a_server_of_a_kvstore_is_listed_as_one_that_cannot_be_attached_to():
    """A scheduler cannot, either. A worker can, and so can any other process with the variable."""
    env = within("silent-role", PROFTOP_DIR=folder("silent-role-dir"))
    words = shell.silent(folder("silent-role"), (NUMPY, MXNET), ("mxnet",))
    other = shell.silent(folder("silent-other"), (VM, NUMPY), ("pytensor",))
    for role, command, stays in (("server", words, True), ("scheduler", words, True),
                                 ("worker", words, False), ("server", other, False)):
        with shell.Job({**env, "DMLC_ROLE": role}, *command) as job:
            row, = listed(env, job)
            assert row["role"] == (role if command is words else None), row
            why = "a %s of a kvstore runs inside `import mxnet`" % role
            assert (why in row["why"]) == stays, row
            line, = [line.split() for line in proftop(env, "-l").stdout.splitlines()
                     if line.split()[0] == str(job.pid)]
            level = "fault" if stays or not row["attachable"] else "note"
            found = doctor(env, "-p", job.pid, code=3 if level == "fault" else 0)
            assert found[level, "process"] == [row["why"]], found
            if stays:
                assert row["attachable"] is False and "none" in line and role in line, (row, line)


def workers_that_publish_nothing_stand_under_their_job():
    env = within("silent-worker", PROFTOP_DIR=folder("silent-worker-dir"))
    shell.need_no_job(env)
    for more, why in (((), "runs PyTensor and publishes nothing"),
                      (("proftop/_feed.abi3.so",), "it was forked and has called no function yet")):
        worker = shell.silent(folder("silent-worker"), (VM, NUMPY, *more), ("pytensor",))
        with Guest(env, "start", *worker, feeds=2) as job, Guest(env):
            rows = shell.rows(proftop(env, "-l", "--format", "json"), "jobs.schema")
            at = [row["pid"] for row in rows].index(job.pid)
            mine, child = rows[at:at + 2]
            assert child["pid"] in job.pids and child["facts"] is None, rows
            assert child["parent"] == mine["instance"] and mine["parent"] is None, rows
            assert why in child["why"] and "process %d " % child["pid"] in child["why"], child
            assert [row["why"] for row in rows if row["facts"]] == [None, None], rows
            line, = [line for line in proftop(env, "-l").stdout.splitlines()
                     if line.split()[0] == str(child["pid"])]
            assert " \\_ train.py " in line, line


def picker_shows_why_a_found_job_cannot_be_attached():
    env = within("silent", PROFTOP_DIR=folder("silent-list"), TERM="xterm",
                 PROFTOP_ADAPTERS=folder("no-adapters"))
    shell.need_no_job(env)
    with silent(0, env) as job:
        screen = Screen(env)
        screen.wait_for("no job publishes; Enter attaches")
        screen.wait_for("train.py")
        screen.press(b"\r")
        screen.wait_for("the adapter for Python")
        screen.press(b"\x0c")  # repaints everything
        screen.wait_for("Choose a job")
        screen.end()


def the_list_of_them_stays_when_a_job_begins():
    """Enter selects the row under the cursor, not a job that appeared meanwhile."""
    env = within("silent", PROFTOP_DIR=folder("silent-stays"), TERM="xterm",
                 PROFTOP_ADAPTERS=folder("no-adapters"))
    shell.need_no_job(env)
    with silent(0, env):
        screen = Screen(env)
        screen.wait_for("train.py")
        with Guest(env) as other:
            screen.wait_for(str(other.pid))
            screen.press(b"\r")
            screen.wait_for("the adapter for Python")
        screen.end()


def doctor(env, *words, code=0):
    """Doctor's findings: (level, text) -> texts, the same in both forms."""
    done = proftop(env, "doctor", "--format", "json", *words)
    assert done.returncode == code and done.stderr == "", done
    report = json.loads(done.stdout)
    shell.fits(report, "doctor.schema")
    assert report["fault"] == bool(code), report
    found = {}
    for row in report["found"]:
        found.setdefault((row["level"], row["what"]), []).append(row["text"])
    assert any(level == "fault" for level, _ in found) == report["fault"], found
    told = proftop(env, "doctor", *words)
    assert told.returncode == code, told
    assert [line.split()[:2] for line in told.stdout.splitlines()] == [
        [row["level"], row["what"]] for row in report["found"]], told
    return found


def doctor_reports_state_and_obstacles():
    place, adapters = folder("doctor-dir"), folder("doctor-adapters")
    for name in ("start/sitecustomize.py", "proftop/_feed.abi3.so"):
        os.makedirs(os.path.dirname(os.path.join(adapters, name)), exist_ok=True)
        with open(os.path.join(adapters, name), "w", encoding="ascii"):
            pass
    env = within("doctor", PROFTOP_DIR=place, PROFTOP_ADAPTERS=adapters)
    shell.need_no_job(env)
    found = doctor(env)
    assert found["fine", "registry"][0] == place + ", mode 0700", found
    assert found["fine", "adapters"] == [adapters] and ("fine", "inject") in found, found
    assert found["fine", "jobs"][0].startswith("0 publish, 0 processes"), found
    with Guest(env) as job, silent(0, env) as still:
        found = doctor(env, "-p", job.pid)
        assert "%d publishes" % job.pid in found["fine", "process"][0], found
        assert found["fine", "jobs"][0].startswith("1 publish, 1 processes"), found
        assert ("fine", "library") in found and "step: 1 node is seen" in found["fine", "function"]
        for what in ("framework", "route"):
            assert found["note", what] == ["the job does not say"], found
        report = json.loads(proftop(env, "-b", "-p", job.pid, "--format", "json").stdout)
        assert len(found.get(("fine", "function"), []) + found.get(("note", "function"), [])) == \
            len(report["functions"]), (found, report["functions"])
        done = proftop(env, "doctor", "-p", still.pid)
        assert "%d runs PyTensor and publishes nothing" % still.pid in done.stdout, done
        assert len(listed(env, still)) == 1 and listed(env, still)[0]["facts"] is None
    assert "no process" in doctor(env, "-p", still.pid, code=3)["fault", "process"][0]
    os.chmod(place, 0o755)
    assert place in doctor(env, code=3)["fault", "registry"][0]
    os.chmod(place, 0o700)
    os.remove(os.path.join(adapters, "start", "sitecustomize.py"))
    assert adapters in doctor(env, code=3)["fault", "adapters"][0]
    assert proftop(env, "doctor", "--all").returncode == 2
    assert proftop(env, "-l", "--", "python3").returncode == 2


def beside_the_same(look):
    """The result of look(), and the number of this user's other jobs. Repeats until no job starts
    or ends meanwhile."""
    def strangers():
        listed_ = proftop(within("many-tmp"), "-l", "--format", "json")
        return {row["instance"] for row in shell.rows(listed_, "jobs.schema")}
    for _ in range(20):
        before, seen = strangers(), look()
        if strangers() == before:
            return seen, len(before)
    raise AssertionError("jobs of other tests came and went all the time")


def announce(place, count):
    """Writes files of this many feeds, all of this living process."""
    start = proc.start_of(os.getpid())
    for number in range(2, count + 2):
        name, text = shell.announcement(place, start, number)
        with open(name, "w", encoding="ascii") as file:
            file.write(text)


def full_list_counts_the_jobs_not_shown():
    many, some = folder("many"), folder("some")
    announce(many, 4096 + 7)
    announce(some, 256 + 3)
    env = within("many-tmp", PROFTOP_DIR=many)
    told = re.compile(r"and (\d+) more that are not shown: this list holds (\d+)")
    for words, rows in (((), 4096 + 1), (("--format", "json"), 4096)):
        done, others = beside_the_same(lambda: proftop(env, "-l", *words))
        more, holds = map(int, told.search(done.stderr).groups())
        assert 7 <= more <= 7 + others and holds == 4096, (more, others)
        assert len(done.stdout.splitlines()) == rows
    for line in (done.stdout.splitlines()[0], done.stdout.splitlines()[-1]):
        shell.fits(json.loads(line), "jobs.schema")
        assert json.loads(line)["more"] == more, line
    afar = proftop(env, "-l", "--format", "info").stdout
    assert "\n\nproblem=and 7 more that are not shown: this list holds 4096\n\n" in afar, afar
    assert "%d publish, " % (4096 + 7) in proftop(env, "doctor").stdout
    few = within("many-tmp", PROFTOP_DIR=some, TERM="xterm")
    done = proftop(few, "-l", "--format", "json")
    assert not told.search(done.stderr) and {row["more"] for row in shell.lines(done.stdout)} == {0}
    screen = Screen(few)
    screen.wait_for("Choose a job")
    screen.wait_for("more that are not shown: this list holds 256")
    screen.end()


def the_age_is_that_of_the_process():
    """The listed age is the process's, whenever its feed was opened: this one claims 1970."""
    def age():
        began = proc.start_of(os.getpid()) / os.sysconf("SC_CLK_TCK")
        return int(time.clock_gettime(time.CLOCK_BOOTTIME) - began)
    announce(folder("aged"), 1)
    env, before = within("aged-tmp", PROFTOP_DIR=folder("aged")), age()
    done = proftop(env, "-l")
    after, own = age(), own_line(done)
    assert done.stdout.split()[:2] == ["PID", "AGE"], done.stdout
    assert before <= told_age(own) <= after, (before, own, after)


def own_line(done):
    """The line of this process in the list."""
    return next(line for line in done.stdout.splitlines() if line.split()[0] == str(os.getpid()))


def told_age(line):
    """The seconds in a line of the list."""
    seconds = 0
    for part in line.split()[1].split(":"):
        seconds = seconds * 60 + int(part)
    return seconds


def the_age_of_an_unknown_start_is_that_of_the_feed():
    """A job without /proc writes 0 as its start. Its file is locked like any job's."""
    def of(case, since):
        place = folder(case)
        name, text = shell.announcement(place, 0, 2)
        with open(name, "w", encoding="ascii") as file:
            fcntl.lockf(file, fcntl.LOCK_EX)
            file.write(text + since)
            file.flush()
            return own_line(proftop(within(case + "-tmp", PROFTOP_DIR=place), "-l"))
    opened_ns = time.time_ns() - 100 * 10 ** 9
    own = of("startless", "since=%d\n" % opened_ns)
    after = (time.time_ns() - opened_ns) // 10 ** 9
    assert 100 <= told_age(own) <= after, (own, after)
    # Without that time, no age is shown.
    assert of("ageless", "").split()[1] == "-"


def the_only_job_is_attached_with_or_without_workers():
    alone = folder("alone")
    env = within("alone-tmp", PROFTOP_DIR=alone, XDG_RUNTIME_DIR=alone)
    strangers = len(proftop(env, "-l", "--format", "json").stdout.splitlines())
    if strangers:
        raise tap.Skip("other jobs of this user run on this machine")
    with Guest(env, "fork", feeds=2) as job:
        done = proftop(env, "-b", "--format", "json")
        assert done.returncode == 0, done
        assert json.loads(done.stdout)["jobs"][0]["pid"] == job.pid
        with Guest(env):
            done = proftop(env, "-b")
            assert done.returncode == 3 and "choose one with -p PID" in done.stderr, done


def pid_of(done):
    assert done.returncode == 0 and not done.stderr, done
    return sorted(job["pid"] for job in json.loads(done.stdout)["jobs"])


def a_word_names_a_job():
    """Accepts a process id, as `py-spy` and `kill` do, and the name in the list."""
    env = within("word", PROFTOP_DIR=folder("word-dir"))
    shell.need_no_job(env)
    with Guest(env, "fork", feeds=2) as job, shell.Job(env, shell.SYNTHETIC) as other:
        for word, pid in ((job.pid, job.pid), (other.pid, other.pid), ("found", job.pid),
                          ("synthetic", other.pid)):
            assert pid_of(proftop(env, "-b", "--format", "json", word)) == [pid], word
        both = proftop(env, "-b", "--format", "json", "found", other.pid)
        assert pid_of(both) == sorted([job.pid, other.pid]), both
        shell.one_sentence(proftop(env, "-b", "foun"), 3, "no job is called 'foun'",
                           "proftop -l", "--help lists them")
        shell.one_sentence(proftop(env, "-b", "foun", other.pid), 3, "no job is called 'foun'")
        with Guest(env) as again:
            several = "2 jobs are called 'found'", "-p PID", str(job.pid), str(again.pid)
            shell.one_sentence(proftop(env, "-b", "found"), 3, *several)
            shell.one_sentence(proftop(env, "-b", "--wait", WAIT, "found"), 3, *several)
            screen = Screen({**env, "TERM": "xterm"}, "found")
            screen.wait_for("2 jobs are called 'found'")
            screen.press(b"\x0c")
            screen.wait_for("Choose a job")
            screen.end()
        screen = Screen({**env, "TERM": "xterm"}, "synthetic")
        screen.wait_for("LIVE")
        screen.end()


def a_job_is_waited_for_by_its_name():
    env = within("word-wait", PROFTOP_DIR=folder("word-wait-dir"))
    shell.need_no_job(env)
    with subprocess.Popen([PROFTOP, "-b", "--wait", str(WAIT), "--format", "json", "synthetic"],
                          env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True) as viewer, Guest(env):
        with shell.Job(env, shell.SYNTHETIC) as job:
            out, err = viewer.communicate(timeout=WAIT)
        assert json.loads(out)["jobs"][0]["pid"] == job.pid and not err, (out, err)


def a_process_that_publishes_nothing_is_entered_by_its_name():
    """Its name is its script's name. Here is no adapter to attach with, and the error says so."""
    env = within("silent", PROFTOP_DIR=folder("silent-word"),
                 PROFTOP_ADAPTERS=folder("no-adapters"))
    shell.need_no_job(env)
    with silent(0, env):
        for word in ("train.py", "train"):
            shell.one_sentence(proftop(env, "-b", word), 3, "the adapter for Python")
        with silent(0, env):
            shell.one_sentence(proftop(env, "-b", "train"), 3, "2 jobs are called 'train'")


tap.run(slurm_keeps_the_runtime_directory_of_another_node,
        slurm_gives_each_job_a_temporary_directory_of_its_own, ssh_has_no_runtime_directory,
        sudo_keeps_the_runtime_directory_of_another_user, sudo_runs_a_job_for_another_user,
        deleted_registry_of_a_running_job_is_made_again,
        a_directory_that_cannot_be_is_left_for_the_next,
        without_a_directory_a_job_runs_and_knows_why_nobody_sees_it,
        a_place_that_another_user_took_is_named, a_killed_job_is_tidied_away,
        launchers_are_read, processes_of_a_distributed_job_stand_by_role_and_rank,
        workers_are_listed_under_their_job,
        the_screen_lists_workers_under_their_job, jobs_that_look_alike_show_what_differs,
        those_that_publish_nothing_are_listed_behind_the_jobs,
        a_server_of_a_kvstore_is_listed_as_one_that_cannot_be_attached_to,
        workers_that_publish_nothing_stand_under_their_job,
        picker_shows_why_a_found_job_cannot_be_attached, the_list_of_them_stays_when_a_job_begins,
        doctor_reports_state_and_obstacles,
        full_list_counts_the_jobs_not_shown, the_age_is_that_of_the_process,
        the_age_of_an_unknown_start_is_that_of_the_feed,
        the_only_job_is_attached_with_or_without_workers, a_word_names_a_job,
        a_job_is_waited_for_by_its_name, a_process_that_publishes_nothing_is_entered_by_its_name)

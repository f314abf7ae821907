# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""several.py: several jobs in one viewer: their sum, each job, slow and hung ranks, and the output
when a job is killed or stopped."""
import concurrent.futures
import contextlib
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import shell  # noqa: E402
from shell import FOUND_JOB, PROFTOP, WAIT, end_all, fits, proftop, tap  # noqa: E402

RANKS = os.path.abspath(tap.built("examples", "ranks"))
LONG_TEST = os.environ.get("PROFTOP_TEST_LONG") == "1"
REPEATS = 20 if LONG_TEST else 1
scratch = tempfile.TemporaryDirectory()


def within(name):
    """An environment without other jobs."""
    folder = os.path.join(scratch.name, name)
    os.mkdir(folder, 0o700)
    return dict(os.environ, PROFTOP_DIR=folder, XDG_RUNTIME_DIR=folder, TMPDIR=folder,
                LC_ALL="C.UTF-8", COLUMNS="120")


class Jobs:
    """A program that prints a line with a pid for each of its jobs. Gives all these jobs, by rank
    if the line has one, and kills all of them at the end."""

    def __init__(self, env, jobs, *words):
        self.process = subprocess.Popen([*map(str, words)], env=env, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.pids = [pid for _, pid in sorted(self.announced() for _ in range(jobs))]

    def announced(self):
        """(rank or 0, pid) of the next job."""
        line = self.process.stdout.readline()
        said = re.fullmatch(r"(?:rank (\d+): process )?(\d+)\n", line)
        if not said:
            self.process.kill()
            raise AssertionError("no job, but: %r" % line)
        return int(said.group(1) or 0), int(said.group(2))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        end_all([*self.pids, self.process.pid])
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


def reports(env, *words):
    """The reports of a viewer as it prints them, until the caller stops."""
    viewer = subprocess.Popen([PROFTOP, *map(str, words), "--format", "json", "-n", "0"], env=env,
                              stdout=subprocess.PIPE, text=True)
    try:
        for line in viewer.stdout:
            yield json.loads(line)
    finally:
        viewer.kill()
        viewer.wait()
        viewer.stdout.close()


def first(found, deadline=WAIT):
    """The first report that meets the condition, and the time of its arrival."""
    end = time.monotonic() + deadline
    last = None

    def look(source):
        nonlocal last
        for last in source:
            if found(last):
                return last
            assert time.monotonic() < end, (last["jobs"], last["suspects"])
        raise AssertionError("the viewer ended: %s" % last)
    return look


def all_live(jobs):
    return lambda report: [job["state"] for job in report["jobs"]] == ["live"] * jobs


def all_count(jobs):
    """Each job is live before its only op has run."""
    return lambda report: all_live(jobs)(report) and \
        [op["calls"] > 0 for op in report["ops"]] == [True] * jobs


def sum_is_that_of_the_jobs():
    """Idle jobs: the screen of all jobs equals the sum of their reports."""
    env = within("sum")
    with Jobs(env, 3, RANKS, "--ranks", 3, "--hang", 1, "--after", 0):
        # Each has made one call of Load, and they have stopped for good.
        first(lambda r: all_live(3)(r) and sum(op["calls"] for op in r["ops"]) == 5)(
            reports(env, "--all", "-d", 0.1))
        done = proftop(env, "--all", "--format", "json")
        report = json.loads(done.stdout)
        fits(report, "json.schema")
        text = proftop(env, "--all", "-b").stdout
        sizes = proftop(env, "--all", "-b", "--pane", "memory").stdout
        each = proftop(env, "--all", "-b", "--jobs", "each", "--pane", "op").stdout
        ranks = proftop(env, "--all", "-b", "--jobs", "ranks", "--pane", "op").stdout
    assert [(job["id"], job["rank"], job["size"]) for job in report["jobs"]] == [
        (0, 0, 3), (1, 1, 3), (2, 2, 3)]
    names = ["Load", "Dot", "AllReduce"]
    assert [(op["job"], op["name"]) for op in report["ops"]] == [
        (job, name) for job in range(3) for name in names]
    load = [op["self_ns"] for op in report["ops"] if op["name"] == "Load"]
    row = next(row for row in report["ranks"] if row["op"] == "Load")
    assert row["jobs"] == 3 and row["class"] == "Load", row
    assert (row["min_ns"], row["median_ns"], row["max_ns"]) == tuple(sorted(load)), row
    assert load[row["max_job"]] == max(load)
    assert "sizes are those of one job" in sizes and "no sizes" not in sizes, sizes
    assert "sum of 3 jobs" in text and "3 live" in text and "partial" not in text, text
    ops = text[text.index("\n Ops"):text.index("\n Apply")]
    assert re.search(r"^ .* - +3 +3( +\S+){3} +- Load$", ops, re.M), ops
    assert re.search(r"^ .* - +2 +3( +\S+){3} +- Dot$", ops, re.M), ops
    for rank in range(3):
        assert re.search(r"rank %d +Load" % rank, each), each
        # They have stopped: in the op that hangs, or in the op that waits for it.
        op = "Dot" if rank == 1 else "AllReduce"
        line = re.search(r"^ rank %d +live .*" % rank, text, re.M).group()
        assert re.search(r" %s +%s\b" % ("ranks", op), line), text
    assert "MEDIAN" in ranks and re.search(r"rank %d +3 Load" % row["max_job"], ranks), ranks


def many_jobs_send_as_often_as_is_shown():
    """With more than 32 jobs, each is asked to send only as often as the viewer refreshes; a single
    job sends in each tick."""
    env = within("many")
    with Jobs(env, 33, RANKS, "--ranks", 33, "--hang", 1, "--after", 0) as jobs:
        slow = {job["tick_ms"] for job in first(
            lambda r: all_live(33)(r) and all(job["tick_ms"] != 100 for job in r["jobs"]))(
            reports(env, "--all", "--refresh", 0.5))["jobs"]}
        one = first(lambda r: r["jobs"][0]["tick_ms"] == 100)(reports(env, "-p", jobs.pids[0]))
    assert slow == {500} and len(one["jobs"]) == 1, (slow, one)


def named_jobs_are_attached_and_missing_ones_reported():
    env = within("named")
    with Jobs(env, 3, RANKS, "--ranks", 3) as jobs:
        report = json.loads(proftop(env, "-p", jobs.pids[2], "-p", jobs.pids[0], "--format",
                                    "json").stdout)
        # In the order of discovery, each once.
        assert sorted(job["pid"] for job in report["jobs"]) == sorted(
            [jobs.pids[0], jobs.pids[2]])
        listed = [json.loads(line) for line in
                  proftop(env, "-l", "--format", "json").stdout.splitlines()]
        ends = [row["facts"] + "," + row["control"] for row in listed]
        done = proftop(env, *ends, "--format", "json")
        assert len(json.loads(done.stdout)["jobs"]) == 3, done
        done = proftop(env, "-p", jobs.pids[0], "-p", os.getpid(), "-b")
        assert done.returncode == 3 and str(os.getpid()) in done.stderr, done
        one = json.loads(proftop(env, "-p", jobs.pids[1], "--format", "json").stdout)
        assert len(one["jobs"]) == 1 and one["ranks"] == [], one
    assert proftop(env, "--all", "-b").returncode == 3


def unattachable_job_is_reported_as_left_out():
    env = within("left")
    place = env["PROFTOP_DIR"]
    with Jobs(env, 2, RANKS, "--ranks", 2), open("/proc/self/stat", encoding="utf-8") as stat:
        start = stat.read().rpartition(")")[2].split()[19]
        name = [name for name in os.listdir(place) if name.endswith(".info")][0]
        with open(os.path.join(place, name), encoding="utf-8") as file:
            said = dict(line.rstrip("\n").split("=", 1) for line in file if "=" in line)
        said.update(pid=str(os.getpid()), start=start, facts="tcp://127.0.0.1:9",
                    control="tcp://127.0.0.1:9", instance="00" * 16)
        with open(os.path.join(place, "%d-%s.info" % (os.getpid(), start)), "w",
                  encoding="utf-8") as file:
            file.writelines("%s=%s\n" % item for item in said.items())
        done = proftop(env, "--all", "--format", "json")
        assert done.returncode == 0 and len(json.loads(done.stdout)["jobs"]) == 2, done
        assert "a job is left out: " in done.stderr, done.stderr
        assert done.stderr.count("\n") == 1, done.stderr
        left = json.loads(done.stdout)["left_out"]
        assert len(left) == 1 and left[0]["pid"] == os.getpid(), left
        assert left[0]["why"] in done.stderr, (left, done.stderr)


def with_descriptors(env, soft, hard, *words):
    return subprocess.run(
        [PROFTOP, "--all", "-b", "--format", "json", *words], env=env, timeout=WAIT, check=False,
        capture_output=True, text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard)))


def jobs_are_watched_or_listed_as_left_out():
    """The limit of descriptors is raised as far as possible. libzmq's own default limit is 170
    jobs. With fewer, each missing job is named."""
    many = 200 if LONG_TEST else 12
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    env = within("crowd")
    with Jobs(env, many, RANKS, "--ranks", many, "--hang", 1, "--after", 0) as jobs:
        done = with_descriptors(env, 64, hard)
        report = json.loads(done.stdout)
        assert done.returncode == 0 and not done.stderr, done.stderr
        shown = {job["pid"] for job in report["jobs"]}
        assert set(jobs.pids) <= shown and not report["left_out"], report["left_out"]
        done = with_descriptors(env, 64, 64)
        report = json.loads(done.stdout)
        shown = {job["pid"] for job in report["jobs"]}
        left = {left["pid"] for left in report["left_out"]}
        assert shown and left and not shown & left and shown | left >= set(jobs.pids), (
            shown, left, jobs.pids)
        assert all("file descriptors" in left["why"] for left in report["left_out"]), report
        assert done.stderr.count("\n") == len(left), done.stderr


def children_come_along():
    env = within("children")
    with Jobs(env, 2, FOUND_JOB, "fork") as jobs:
        parent = jobs.process.pid
        first(all_count(2))(reports(env, "-p", parent, "--children", "-d", 0.1))
        done = proftop(env, "-p", parent, "--children", "--format", "json", "--wait", 5)
        report = json.loads(done.stdout)
        assert sorted(job["pid"] for job in report["jobs"]) == sorted(jobs.pids), report["jobs"]
        parents = [job["parent"] for job in report["jobs"]]
        assert parents.count(None) == 1 and parents.count(report["jobs"][0]["instance"]) == 1
        text = proftop(env, "-p", parent, "--children", "-b", "--pane", "op").stdout
        row = re.search(r"^ .* - +(\d+) +2( +\S+){3} +- dot$", text, re.M)
        assert "sum of 2 jobs" in text and row, text
        assert sorted(re.findall(r"^ \d+ +live .* (found|worker) +\S+$", text, re.M)) == [
            "found", "worker"], text
        # The counts of both so far; neither job alone has all.
        both = [op["calls"] for op in report["ops"]]
        assert len(both) == 2 and int(row.group(1)) >= sum(both) > max(both), (row.group(), both)
        done = proftop(env, "-p", parent, "--format", "json")
        assert len(json.loads(done.stdout)["jobs"]) == 1


def children_that_come_later_come_along():
    env = within("later")
    go = os.path.join(env["TMPDIR"], "go")
    os.mkfifo(go)
    with Jobs(env, 1, FOUND_JOB, "start", "/bin/sh", "-c", 'read word <"$0" && exec "$1" worker',
              go, FOUND_JOB) as jobs:
        parent = jobs.process.pid
        watched = reports(env, "-p", parent, "--children", "-d", 0.1)
        assert [job["pid"] for job in next(watched)["jobs"]] == [parent]
        with open(go, "w", encoding="ascii") as told:
            told.write("begin\n")
        jobs.pids.append(jobs.announced()[1])
        report = first(all_count(2))(watched)
        assert {job["pid"] for job in report["jobs"]} == {parent, jobs.pids[-1]}, report["jobs"]
        watched.close()


def children_without_a_feed_are_reported():
    """In the report, and in the list of jobs, which is shown then even for one job."""
    env = dict(within("silent"), TERM="xterm")
    worker = shell.silent(env["TMPDIR"], (shell.VM, shell.NUMPY), ("pytensor",))
    with Jobs(env, 2, FOUND_JOB, "start", *worker) as jobs:
        parent = jobs.process.pid
        child, = [pid for pid in jobs.pids if pid != parent]
        why = "process %d runs PyTensor and publishes nothing" % child
        done = proftop(env, "-p", parent, "--children", "--format", "json")
        assert [job["pid"] for job in json.loads(done.stdout)["jobs"]] == [parent], done
        assert done.stderr.count("\n") == 1, done
        assert "proftop: a job is left out: " + why in done.stderr, done
        assert proftop(env, "-p", parent, "-b").stderr == ""
        screen = shell.Screen(env, "-p", str(parent), "--children")
        screen.wait_for("LIVE")
        screen.press(b"J")
        screen.wait_for("no feed")
        screen.wait_for("%d runs PyTensor and publishes nothing" % child)
        screen.press(b"\r")
        screen.wait_for(why)
        screen.end()


def ranks_of_long_roles_are_listed_by_their_rank():
    """80 columns: a name that is too long for its column is cut before its rank."""
    env = dict(within("roles"), TERM="xterm", COLUMNS="80", WORLD_SIZE="20")
    roles = {"preprocessor": "preprocessor 3", "parameter-server": "parameter.. 11"}
    with contextlib.ExitStack() as jobs:
        for role, shown in roles.items():
            jobs.enter_context(shell.Guest(
                dict(env, DMLC_ROLE=role, RANK=shown.split()[-1])))
        screen = shell.Screen(env, "--all")
        screen.wait_for("2 live")
        screen.press(b"J")
        for role, shown in roles.items():
            screen.wait_for(shown + " live")
        screen.end()
        report = proftop(env, "--all", "-b").stdout
        assert "\n parameter-server 11 live " in report, report
        assert "\n preprocessor 3      live " in report, report
        # It calls its op once a millisecond, and is hardly ever inside it.
        assert re.search(r"^ parameter-server 11 +live .* found +(-|dot\S*)$", report, re.M), report


def states_are_reported_and_figures_of_ended_jobs_stay():
    env = within("states")
    with Jobs(env, 3, RANKS, "--ranks", 3) as jobs:
        source = reports(env, "--all", "-d", 0.2)
        first(lambda r: all_live(3)(r) and
              min((op["calls"] for op in r["ops"]), default=0) > 9)(source)
        os.kill(jobs.pids[0], signal.SIGKILL)
        dead = first(lambda r: r["jobs"][0]["state"] == "gone")(source)
        calls = [op["calls"] for op in dead["ops"] if op["job"] == 0]
        os.kill(jobs.pids[1], signal.SIGSTOP)
        last = first(lambda r: r["jobs"][1]["state"] == "stale")(source)
        assert [op["calls"] for op in last["ops"] if op["job"] == 0] == calls and calls[0] > 9
        assert last["jobs"][2]["state"] == "live" and last["state"] == "live", last["jobs"]
        # The ranks that were not stopped wait for the stopped one.
        hung = first(lambda r: [s for s in r["suspects"] if s["kind"] == "hung"])(source)
        assert hung["suspects"][-1]["job"] == 1, hung["suspects"]
        os.kill(jobs.pids[1], signal.SIGCONT)
        first(lambda r: r["jobs"][1]["state"] == "live")(source)
        source.close()


def over_tcp(env):
    """Endpoints of all jobs for a viewer that connects as from another machine."""
    said = proftop(env, "-l", "--format", "info").stdout
    return re.findall("^tcp=(.*)$", said, re.M)


def hung_within_five_seconds(env, where, kind, words):
    """`where` returns the viewer's arguments for the jobs, once these have started."""
    with Jobs(env, 4, RANKS, "--ranks", 4, "--hang", 2, "--after", 40):
        source = reports(env, *where(env), "-d", 1)
        first(lambda r: 4 * 40 <= sum(
            op["calls"] for op in r["ops"] if op["name"] == "Dot"))(source)
        report = first(lambda r: r["suspects"])(source)
        shown_ns = time.monotonic_ns()
        fits(report, "json.schema")
        source.close()
        suspect, = report["suspects"]  # and it is not reported as slow as well
        assert suspect["kind"] == kind and report["jobs"][suspect["job"]]["rank"] == 2, suspect
        apply = next(row for row in report["applies"]
                     if row["job"] == suspect["job"] and row["id"] == suspect["apply"])
        assert apply["name"] == "Dot(x, w)" and suspect["open_ns"] >= 3e9, suspect
        # By this machine's clock, which the job shares: since the begin of the op that hangs.
        since, = [row["since_ns"] for row in report["now"]
                  if row["job"] == suspect["job"] and row["apply"] == suspect["apply"]]
        print("# %s after %.2f s" % (kind, (shown_ns - since) / 1e9))
        assert 3e9 <= shown_ns - since < 5e9, shown_ns - since
        done = proftop(env, *where(env), "-b")
        said = r"rank 2 %s Dot\(x, w\) for \d+\.\ds; ranks 0, 1, 3 wait for it in AllReduce" % words
        assert re.search(said, done.stdout), done
        # A waiting rank is in its waiting op, and this counts as the op's time before it ends.
        waits = dict(re.findall(r"^ *rank (\d) +\S+ +\d+ +\S+ +\S+ +([\d.]+) ", done.stdout, re.M))
        assert sorted(waits) == ["0", "1", "2", "3"], done.stdout
        assert all(0 <= float(share) <= 100 for share in waits.values()), done.stdout
        assert float(waits["0"]) > 2 * float(waits["2"]), done.stdout


def hung_rank_is_reported_within_five_seconds():
    hung_within_five_seconds(within("hung"), lambda _: ["--all"], "hung", "hangs in")


def one_that_cannot_be_looked_at_hangs_or_gets_no_processor():
    env = dict(within("far"), PROFTOP_BIND="tcp://127.0.0.1:*", PROFTOP_INSECURE="1")
    hung_within_five_seconds(env, lambda env: [*over_tcp(env), "--insecure"],
                             "hung_or_starved", "hangs or gets no processor in")


def suspects_over(env, seconds, *words):
    """Ranks reported as slow within this many seconds."""
    with Jobs(env, 4, RANKS, "--ranks", 4, "--work", 10, *words):
        source, named = reports(env, "--all", "-d", 0.1), []
        end = time.monotonic() + seconds
        for report in source:
            named += [report["jobs"][s["job"]]["rank"] for s in report["suspects"]
                      if s["kind"] == "slow"]
            if time.monotonic() > end or (named and words):
                break
        source.close()
    return set(named)


def the_slow_rank_is_named():
    """Work is a sleep here, so that other load on the machine does not make a rank slow."""
    for number in range(REPEATS):
        slow = number % 4
        assert suspects_over(within("slow%d" % number), WAIT, "--slow", slow, "--percent",
                             200) == {slow}


def nobody_is_named_in_a_quiet_run():
    for number in range(REPEATS):
        assert suspects_over(within("quiet%d" % number), 12) == set()


# They only wait for time to pass, so they run in parallel.
LONG = [states_are_reported_and_figures_of_ended_jobs_stay,
        hung_rank_is_reported_within_five_seconds,
        one_that_cannot_be_looked_at_hangs_or_gets_no_processor,
        the_slow_rank_is_named, nobody_is_named_in_a_quiet_run]
pool = concurrent.futures.ThreadPoolExecutor(len(LONG))
running = {test.__name__: pool.submit(test) for test in LONG}


def help_of_the_ranks_example_shows_its_defaults():
    said = subprocess.run([RANKS, "--help"], capture_output=True, check=True, text=True).stdout
    assert "takes longer (none)\n" in said and "processes (4)\n" in said, said


def outcome(test):
    def wait():
        running[test.__name__].result()
    wait.__name__ = test.__name__
    return wait


tap.run(sum_is_that_of_the_jobs, many_jobs_send_as_often_as_is_shown,
        named_jobs_are_attached_and_missing_ones_reported,
        unattachable_job_is_reported_as_left_out, jobs_are_watched_or_listed_as_left_out,
        children_come_along, children_that_come_later_come_along,
        children_without_a_feed_are_reported,
        ranks_of_long_roles_are_listed_by_their_rank,
        help_of_the_ranks_example_shows_its_defaults, *map(outcome, LONG))

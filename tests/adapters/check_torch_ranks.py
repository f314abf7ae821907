# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_torch_ranks.py: ranks of PyTorch over gloo: the slow one is named, and one that is missing
in a collective, and one that stays when the others have ended. Each with the budget of a user."""
import contextlib
import json
import os
import re
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from attaching import ask  # noqa: E402
from watching import (ADAPTERS, PROFTOP, Place, fits, job, need_member, tap,  # noqa: E402
                      watched_by)
from shell import Screen, end_all  # noqa: E402

JOB, RANKS, SLOW, FEW = job("torch_ranks"), 4, 2, 20
REPEATS = 20 if os.environ.get("PROFTOP_TEST_LONG") == "1" else 1
QUIET_S, NAMED_S, MORE = 20, 120, 8  # reports after the one that names a rank
HANG_NS, WAIT_S = 5e9, 120 * tap.SLOW
BAR = 1 if REPEATS > 1 else 4  # as for the bars of tests/e2e/faults


class Ranks:
    """The ranks under `proftop run`, and its reports as they come."""

    def __init__(self, place, how, rank, *words, launcher=(), **env):
        python = need_member("torch")
        self.env = place.env(PROFTOP_ADAPTERS=ADAPTERS, XDG_CACHE_HOME=place.file("cache"),
                             XDG_RUNTIME_DIR=place.path, LC_ALL="C.UTF-8", COLUMNS="160", **env)
        self.said = place.file("stderr")
        command = [PROFTOP, "run", "--children", "-b", "-n", "0", "-d", "0.5", "--format", "json",
                   "-o", "/dev/stdout", "--", python, *launcher, JOB, how, str(rank), *words]
        with open(self.said, "wb") as errors:
            self.process = subprocess.Popen(command, env=self.env, stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, stderr=errors, text=True)
        self.pids = set()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        if self.process.poll() is None:
            end_all([*self.pids, self.process.pid])
            self.process.wait()
        self.process.stdout.close()
        with contextlib.suppress(OSError):
            self.process.stdin.close()

    def reports(self):
        for line in self.process.stdout:
            known = json.loads(line)
            self.pids |= {one["pid"] for one in known["jobs"] if one["pid"]}
            yield known

    def until(self, found, seconds=WAIT_S):
        """The first report that meets the condition."""
        end, known = time.monotonic() + seconds, None
        for known in self.reports():
            if found(known):
                return known
            assert time.monotonic() < end, (known["jobs"], known["suspects"], self.errors())
        raise AssertionError((known and known["suspects"], self.errors()))

    def errors(self):
        with open(self.said, encoding="utf-8", errors="replace") as file:
            return file.read()

    def end(self):
        """Ends the input. All ranks go on to their ends. Returns the last report."""
        self.process.stdin.close()
        known = self.until(lambda known: known["final"] and not any(
            one["state"] == "live" for one in known["jobs"]))
        assert self.process.wait(WAIT_S) == 0, self.errors()
        return known


def all_live(known):
    return sum(one["state"] == "live" and one["rank"] is not None
               for one in known["jobs"]) == RANKS


def ranks_of(known, rows):
    return sorted(known["jobs"][row["job"]]["rank"] for row in rows)


def name_of(known, row):
    """That of the apply of a row of `suspects` or `waiters`."""
    name, = [one["name"] for one in known["applies"]
             if (one["job"], one["id"]) == (row["job"], row["apply"])]
    return name


def hangs(known):
    return [row for row in known["suspects"] if row["kind"] != "slow"]


def is_missing(how, look_too=lambda place, ranks: None, **env):
    """Returns the report and the sentence about rank 2, which did not come to the all-reduce."""
    with Place() as place, Ranks(place, how, SLOW, "--steps", str(FEW), **env) as ranks:
        known = ranks.until(lambda known: hangs(known) and len(known["waiters"]) == RANKS - 1)
        shown_ns = time.monotonic_ns()
        since_ns = int(re.search(r"^stuck (\d+)$", ranks.errors(), re.M).group(1))
        fits(known, "json.schema")
        suspect, = hangs(known)
        assert (suspect["kind"], ranks_of(known, [suspect])) == ("hung", [SLOW]), suspect
        assert ranks_of(known, known["waiters"]) == [0, 1, 3], known["waiters"]
        assert {name_of(known, row) for row in known["waiters"]} == {"gloo:all_reduce"}
        print("# missing after %.2f s" % ((shown_ns - since_ns) / 1e9))
        assert shown_ns - since_ns < BAR * HANG_NS, shown_ns - since_ns
        # Shown some 0.2 s late, and never too early.
        assert all(3e9 <= row["open_ns"] < shown_ns - since_ns for row in known["waiters"]), (
            known["waiters"], shown_ns - since_ns)
        look_too(place, ranks)
        ranks.end()
    return known, suspect


def one_that_is_missing_in_a_collective_is_named():
    """Within 5 s, by the budget of a user; the line in which it waits for something else; and the
    number of the collective, since PyTorch's flight recorder is on."""
    known, suspect = is_missing("missing", TORCH_FR_BUFFER_SIZE="100")
    assert re.fullmatch(
        r"rank 2 is in no op for \d+\.\ds, at torch_ranks\.py:\d+; ranks 0, 1, 3 wait for it in "
        r"gloo:all_reduce for \d+\.\ds, number \d+ of group 0:default_pg \(the missing one is at "
        r"\d+\)", suspect["text"]), suspect
    number, at = map(int, re.findall(r"(?:number|at) (\d+)", suspect["text"]))
    assert number == at + 1, suspect
    facts = [known["jobs"][suspect["job"]]["facts"], known["jobs"][1]["facts"]]
    assert "collective.0:default_pg=%d" % at in facts[0], facts
    assert suspect["apply"] is None and suspect["quiet_ns"] >= 3e9, suspect


def every_viewer_names_it():
    """A report that is printed once, and a screen."""
    def look_too(place, ranks):
        said = r"rank 2 is in no op, at torch_ranks\.py:\d+; ranks 0, 1, 3 wait for it in gloo:all"
        jobs = [word for pid in sorted(ranks.pids) for word in ("-p", str(pid))]
        once = ask(place, "-b", *jobs).stdout.decode()
        assert re.search(said, once), once
        screen = Screen(ranks.env, *jobs)
        screen.wait_for("rank 2 is in no op, at torch_ranks.py:")
        screen.end()

    _, suspect = is_missing("missing", look_too)
    assert "number" not in suspect["text"], suspect  # no recorder


def one_is_named_where_ops_count_in_windows():
    """The collective began between two windows. An op of rank 2 may have begun there as well."""
    known, suspect = is_missing("missing", PROFTOP_BUDGET="0.05")
    assert known["jobs"][suspect["job"]]["share"] < 1, known["jobs"]
    assert suspect["text"].startswith("rank 2 is in no op that it has seen for "), suspect


def one_that_is_in_a_range_is_named_with_it():
    known, suspect = is_missing("busy", PROFTOP_BUDGET="0")
    assert name_of(known, suspect) == "loading", suspect
    assert suspect["text"].startswith("rank 2 hangs in loading for "), suspect


def stays(how, words, **env):
    with Place() as place, Ranks(place, how, SLOW, "--steps", str(FEW), **env) as ranks:
        known = ranks.until(hangs)
        suspect, = hangs(known)
        assert (suspect["kind"], ranks_of(known, [suspect])) == ("last", [SLOW]), suspect
        assert re.fullmatch(words + "; ranks 0, 1, 3 are over", suspect["text"]), suspect
        assert {one["state"] for one in known["jobs"] if one["rank"] in (0, 1, 3)} == {"ended"}
        known = ranks.end()
        assert not hangs(known), known["suspects"]


def the_last_one_is_named():
    """It waits in Python, after the others have ended."""
    stays("stays", r"rank 2 still runs, in no op for \d+\.\ds, at torch_ranks\.py:\d+")


def one_that_stays_in_atexit_is_named():
    stays("atexit", r"rank 2 still runs, in no op for \d+\.\ds, at torch_ranks\.py:\d+")


def one_whose_feed_has_ended_is_named():
    """It waits in a function of atexit that Python calls after proftop's."""
    stays("exits", r"rank 2 still runs, as process \d+, although it has said goodbye")


def named_in(how, rank, seconds, launcher):
    """The ranks that were said to be slow or to hang while all four ran: over so many seconds, or
    until there are some, and MORE reports."""
    named, end, more = set(), None, MORE
    with Place() as place, Ranks(place, how, rank, launcher=launcher) as ranks:
        for known in ranks.reports():
            if all_live(known):
                end = end or time.monotonic() + seconds * tap.SLOW
                named |= {(row["kind"], known["jobs"][row["job"]]["rank"])
                          for row in known["suspects"]}
                more -= bool(named)
            if more == 0 or (end and time.monotonic() > end):
                break
        ranks.end()
    return named


def by_torchrun():
    return ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(RANKS)]


OVERLAP = """
import os, sys, time
import torch
import torch.distributed as dist
torch.set_num_threads(1)
rank = int(os.fork() == 0)
os.environ.update(RANK=str(rank), WORLD_SIZE="2", GLOO_SOCKET_IFNAME="lo")
dist.init_process_group("gloo", store=dist.FileStore(sys.argv[1], 2), rank=rank, world_size=2)
values = [torch.ones(10) for _ in range(5)]
dist.barrier()
if rank == 1:
    time.sleep(1)
begun = time.monotonic_ns()
works = [dist.all_reduce(value, async_op=True) for value in values]
[work.wait() for work in works]
if rank == 0:
    print(time.monotonic_ns() - begun, flush=True)
dist.barrier()
dist.destroy_process_group()
if rank == 0:
    os.wait()
"""


def collectives_that_overlap_have_their_time_once():
    """Gloo runs two at once, on two threads. TIME is that in which any is open."""
    with Place() as place:
        with open(place.file("overlap.py"), "w", encoding="utf-8") as file:
            file.write(OVERLAP)
        done, known = watched_by(need_member("torch"), place, file.name, place.file("store"),
                                 options=("--children",), XDG_CACHE_HOME=place.file("cache"))
    assert done.returncode == 0, done
    took_ns = int(done.stdout)
    number, = [one["id"] for one in known["jobs"] if one["parent"] is None]
    row, = [one for one in known["ops"] if (one["job"], one["name"]) == (number, "gloo:all_reduce")]
    assert row["calls"] == 5 and 0.9e9 < row["self_ns"] <= took_ns, (row, took_ns)
    assert 1.8 * row["self_ns"] < row["metrics"]["incl"] <= 2 * took_ns, (row, took_ns)


def slow_one_is_named(how):
    for number in range(REPEATS):
        rank, launcher = number % RANKS, by_torchrun() if number % 4 == 0 else []
        named = named_in(how, rank, NAMED_S, launcher)
        assert named == {("slow", rank)}, (how, number, named)


def one_with_a_slow_forward_pass_is_named():
    slow_one_is_named("forward")


def one_with_a_slow_backward_pass_is_named():
    """All others wait in the all-reduce of the gradients."""
    slow_one_is_named("backward")


def nobody_is_named_if_all_are_alike():
    for number in range(REPEATS):
        named = named_in("nothing", 0, QUIET_S, by_torchrun() if number % 4 == 0 else [])
        assert named == set(), (number, named)


for test in (every_viewer_names_it, one_is_named_where_ops_count_in_windows,
             one_that_is_in_a_range_is_named_with_it, the_last_one_is_named,
             one_that_stays_in_atexit_is_named, one_whose_feed_has_ended_is_named,
             collectives_that_overlap_have_their_time_once,
             one_with_a_slow_forward_pass_is_named, one_with_a_slow_backward_pass_is_named,
             nobody_is_named_if_all_are_alike):
    tap.all_only(test)
tap.run(one_that_is_missing_in_a_collective_is_named, every_viewer_names_it,
        one_is_named_where_ops_count_in_windows, one_that_is_in_a_range_is_named_with_it,
        the_last_one_is_named, one_that_stays_in_atexit_is_named, one_whose_feed_has_ended_is_named,
        collectives_that_overlap_have_their_time_once,
        one_with_a_slow_forward_pass_is_named, one_with_a_slow_backward_pass_is_named,
        nobody_is_named_if_all_are_alike)

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_transformers.py: small models of the package transformers that train and generate. Ops and
modules have the counts that torch.profiler and hooks of the job have; what the Trainer logs, and
the samples and tokens of its batches, are counters; the job sees no difference."""
import json
import os
import re
import sys

sys.dont_write_bytecode = True
from attaching import Job, ask, look, look_until  # noqa: E402
from watching import (Place, class_of, compiledir, job, need_member, of_each,  # noqa: E402
                      run, tap, watched_by)

JOBS = job("transformers_jobs")
MODELS = ("gpt2", "llama")
STEPS, ACCUMULATED, NEW = 5, 2, 10  # as in the job
TIMES = re.compile(r"('train_(?:runtime|\w+_per_second)'): '[^']*'")


def environment(place, **more):
    return dict({"XDG_CACHE_HOME": place.file("cache"), "PROFTOP_BUDGET": "0",
                 "HF_HUB_OFFLINE": "1", "HF_HOME": compiledir("transformers")}, **more)


def calls(known, modules):
    """{name of an op, or of a module: its calls}"""
    classes = class_of(known)
    return {row["name"]: row["calls"] for row in known["ops"]
            if row["calls"] and (classes[row["id"]] == "module") == modules}


def beside(python, place, *words):
    """Runs the job without proftop, and with it. Its output, but for times, is the same."""
    env = environment(place)
    bare = run([python, JOBS, *words, "--folder", place.file("bare")], place.env(**env), place.path)
    done, known = watched_by(python, place, JOBS, *words, "--folder", place.file("seen"),
                             "--truth", place.file("truth.json"), **env)
    assert bare.returncode == done.returncode == 0, (bare, done)
    said = [TIMES.sub(r"\1", one.stdout.decode()) for one in (bare, done)]
    assert said[0] == said[1], said
    with open(place.file("truth.json"), encoding="utf-8") as file:
        return known, json.load(file)


def counters(known, domain):
    return {row["name"]: row for row in known["counters"] if row["domain"] == domain}


def is_clean(known):
    one = known["jobs"][0]
    assert (one["misuse"], one["invalid"], one["dropped"]) == (0, 0, 0), one


def check_log(known, log):
    """Each number that the Trainer has logged is the value of a counter, and was set as often."""
    ours, values = counters(known, "Trainer"), {}
    for entry in log:
        for name, value in entry.items():
            if name != "step":  # added behind the call
                values.setdefault(name, []).append(value)
    assert set(ours) == set(values) >= {"loss", "grad_norm", "learning_rate", "epoch"}, ours
    for name, row in ours.items():
        assert (row["value"], row["updates"]) == (values[name][-1], len(values[name])), (row, log)


def state_of(folder):
    """What the Trainer has saved of its state, but for times."""
    with open(os.path.join(folder, "checkpoint-%d" % STEPS, "trainer_state.json"),
              encoding="utf-8") as file:
        return json.load(file)


def training_is_seen():
    python = need_member("transformers")
    with Place() as place:
        known, truth = beside(python, place, "trains")
        assert state_of(place.file("bare")) == state_of(place.file("seen"))
    assert calls(known, False) == truth["ops"], (known["ops"], truth["ops"])
    assert calls(known, True) == truth["modules"], (calls(known, True), truth["modules"])
    check_log(known, truth["log"])
    ours = counters(known, "torch")
    assert ours["samples"]["value"] == truth["samples"] > 0, ours
    assert ours["tokens"]["value"] == truth["tokens"] > 0, ours
    assert ours["steps"]["value"] == STEPS, ours
    assert ours["backward passes"]["value"] == ACCUMULATED, ours
    epochs = [row for row in known["markers"] if (row["domain"], row["name"]) == (
        "Trainer", "epoch")]
    assert len(epochs) == 2, epochs
    is_clean(known)


def generation_is_seen(model):
    """A token takes one call of the model."""
    python = need_member("transformers")
    with Place() as place:
        known, truth = beside(python, place, "generates", "--model", model)
    assert calls(known, False) == truth["ops"], (known["ops"], truth["ops"])
    modules = calls(known, True)
    assert modules == truth["modules"], (modules, truth["modules"])
    root, = [name for name in modules if "." not in name]
    assert modules[root] == NEW, modules
    assert not counters(known, "Trainer"), known["counters"]
    is_clean(known)


def a_running_trainer_is_attached_to_and_left():
    """Its log and batches are counted once proftop has come. Afterwards its methods are its own."""
    python = need_member("transformers")
    with Place() as place:
        env, truth = environment(place), place.file("truth.json")
        words = [python, JOBS, "trains", "--folder", place.file("out"), "--truth", truth]
        with Job([*words, "--wait"], place.env(**env)) as training:
            look(place, training)
            ask(place, "ctl", "-p", str(training.pid), "detach")
            look(place, training)
            training.process.stdin.write(b"\n")
            training.process.stdin.flush()
            known = look_until(place, training, lambda known: "train_loss" in counters(
                known, "Trainer"))
            ask(place, "ctl", "-p", str(training.pid), "detach")
            training.end()
        with open(truth, encoding="utf-8") as file:
            told = json.load(file)
    check_log(known, told["log"])
    ours = counters(known, "torch")
    assert (ours["samples"]["value"], ours["tokens"]["value"]) == (
        told["samples"], told["tokens"]), ours
    is_clean(known)


tap.run(training_is_seen, *of_each("generation_is_seen_of_", generation_is_seen, MODELS),
        a_running_trainer_is_attached_to_and_left)

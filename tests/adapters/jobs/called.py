# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""called.py: uses proftop as a program would use mxnet.profiler, as its page describes."""
import inspect
import json
import os
import threading
import warnings

import proftop as profiler


def refused(call, *words, **named):
    try:
        call(*words, **named)
    except ValueError as error:
        return str(error)
    raise AssertionError((call, words, named))


def signatures():
    """Names, arguments and defaults equal those of mxnet.profiler."""
    told = {name: str(inspect.signature(getattr(profiler, name)))
            for name in ("set_config", "set_state", "pause", "resume", "dump", "dumps", "scope",
                         "profiler_set_config", "profiler_set_state", "dump_profile",
                         "set_kvstore_handle", "Domain", "Event", "Task", "Frame", "Marker")}
    worker = "(profile_process='worker')"
    assert told == {
        "set_config": "(**kwargs)", "set_state": "(state='stop', profile_process='worker')",
        "pause": worker, "resume": worker, "dump": "(finished=True, profile_process='worker')",
        "dumps": "(reset=False, format='table', sort_by='total', ascending=False)",
        "scope": "(name='<unk>:', append_mode=True)",
        "profiler_set_config": "(mode='symbolic', filename='profile.json')",
        "profiler_set_state": "(state='stop')", "dump_profile": "()",
        "set_kvstore_handle": "(handle)", "Domain": "(name)", "Event": "(name)",
        "Task": "(domain, name)", "Frame": "(domain, name)", "Marker": "(domain, name)"}, told
    counter = list(inspect.signature(profiler.Counter).parameters.values())[:3]
    assert [str(one) for one in counter] == ["domain", "name", "value=None"], counter
    for way, first in (("set_value", "value"), ("increment", "delta=1"), ("decrement", "delta=1")):
        assert list(map(str, inspect.signature(
            getattr(profiler.Counter, way)).parameters.values())) == ["self", first], way
    assert set(told) < set(profiler.__all__) <= set(dir(profiler))
    assert not hasattr(profiler, "get_summary")


def objects():
    """As in the page of mxnet.profiler. The test checks the rows."""
    domain = profiler.Domain("objects")
    made = {"task": domain.new_task("task"), "frame": domain.new_frame("frame"),
            "event": profiler.Event("event"), "counter": domain.new_counter("counter"),
            "marker": domain.new_marker("marker"), "objects": domain}
    assert {str(one) for one in made.values()} == set(made) == {
        one.name for one in made.values()}
    for name in ("task", "frame", "event"):
        for _ in range(3):
            made[name].start()
            made[name].stop()
    for scope in ("global", "process", "thread", "task", "marker"):
        made["marker"].mark(scope)
    made["marker"].mark()
    wrong = refused(made["marker"].mark, "nowhere")
    assert "nowhere" in wrong and "process" in wrong, wrong
    counter = made["counter"]
    counter.set_value(5000000000)
    counter.increment()
    counter.increment(10)
    counter.decrement()
    counter.decrement(4)
    counter += 2
    counter -= 5000000004
    assert counter is made["counter"]
    profiler.Counter(domain, "first", 7)
    profiler.Counter(domain, "none")
    profiler.Counter(domain, "whole", 2.9).increment(delta=1)
    assert "domain" in refused(profiler.Task, "no domain", "t")
    assert "domain" in refused(profiler.Domain, "")


def stops():
    """A stop without a token ends the object's latest run of this thread, never another's."""
    domain = profiler.Domain("stops")
    outer = domain.new_task("nested")
    first, second = outer.start(), outer.start()
    outer.stop()  # ends the second
    outer.stop(second)  # already ended: the 1st invalid stop
    third = outer.start()
    outer.stop(first)
    outer.stop()  # ends the third
    outer.stop(third)  # the 2nd
    outer.stop()  # nothing is open: the 3rd
    twin = profiler.Task(domain, "nested")  # the same row, but another object
    outer.start()
    twin.stop()  # the 4th
    outer.stop()
    others = domain.new_frame("others")
    started, ended = threading.Event(), threading.Event()

    def other():
        others.start()
        started.set()
        assert ended.wait(60)
        others.stop()

    thread = threading.Thread(target=other)
    thread.start()
    assert started.wait(60)
    others.stop()  # that thread started it: the 5th
    none_yet = "stops,frame" not in spans()
    ended.set()
    thread.join()
    assert none_yet and spans()["stops,frame"]["others"]["Count"] == 1, spans()
    with others:
        others.start()
        others.stop()
    event = profiler.Event("handed over")
    run = event.start()
    thread = threading.Thread(target=event.stop, args=(run,))
    thread.start()
    thread.join()
    event.stop()  # that thread ended it: the 6th


def spans():
    return json.loads(profiler.dumps(format="json"))["Time"]


def control():
    """Switches each set of events, and tries invalid values."""
    domain = profiler.Domain("control")
    passes = domain.new_task("passes")

    def count():
        passes.start()
        passes.stop()
        return spans()["control"]["passes"]["Count"]

    assert count() == 1
    profiler.set_state()
    assert count() == 1
    profiler.set_state("run")
    assert count() == 2
    profiler.pause()
    profiler.pause(profile_process="worker")
    assert count() == 2
    profiler.resume()
    assert count() == 3
    wrong = refused(profiler.set_state, "walk")
    assert "walk" in wrong and "run" in wrong and "stop" in wrong, wrong
    for call in (profiler.pause, profiler.resume, profiler.set_state, profiler.dump):
        assert "server" in refused(call, profile_process="server"), call
    assert "profile_process" in refused(profiler.pause, "nobody")
    wrong = refused(profiler.set_config, filename="a.json", profile_more=True)
    assert "profile_more" in wrong and "profile_memory" in wrong, wrong
    assert "maybe" in refused(profiler.set_config, profile_api="maybe")
    assert "dump_period" in refused(profiler.set_config, dump_period=0)
    profiler.set_config(dump_period=1e-5, aggregate_stats=True, profile_memory=False)
    profiler.set_config(profile_all=True, filename="mine.json", continuous_dump=False,
                        gpu_memory_profile_filename_prefix="")
    assert not os.path.exists("mine.json")
    profiler.dump(finished=False)
    with open("mine.json", encoding="utf-8") as file:
        assert "traceEvents" in json.load(file)
    assert count() == 4
    profiler.dump()
    assert count() == 4
    profiler.set_state("run")


def texts():
    domain = profiler.Domain("texts")
    for name, times in (("b", 1), ("a", 2)):
        for _ in range(times):
            with domain.new_task(name):
                pass
    json_text = profiler.dumps(format="json", sort_by="count")
    rows = json.loads(json_text)["Time"]["texts"]
    assert list(rows) == ["a", "b"], rows
    ascending = json.loads(profiler.dumps(format="json", sort_by="count", ascending=True))
    assert list(ascending["Time"]["texts"]) == ["b", "a"], ascending
    assert "Profile Statistics:" in profiler.dumps()
    assert "xml" in refused(profiler.dumps, format="xml")
    assert "size" in refused(profiler.dumps, sort_by="size")
    assert "ascending" in refused(profiler.dumps, ascending="up")
    assert "reset" in refused(profiler.dumps, reset=2)
    before = json.loads(profiler.dumps(reset=True, format="json"))
    assert before["Time"]["texts"]["a"]["Count"] == 2, before
    after = json.loads(profiler.dumps(format="json"))["Time"].get("texts", {})
    assert {name: row["Count"] for name, row in after.items()} in ({}, {"a": 0, "b": 0}), after


def old_names():
    """Each gives one notice, which names the new call."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for _ in range(3):
            profiler.profiler_set_config("all", "old.json")
            profiler.profiler_set_config()
            profiler.profiler_set_config(mode="all", filename="old.json")
            profiler.profiler_set_state("run")
            with profiler.Domain("old").new_task("t"):
                pass
            profiler.dump_profile()
            profiler.set_kvstore_handle(object())
    assert [str(one.message) for one in told] == [
        "proftop.profiler_set_config() is deprecated: call "
        "proftop.set_config(profile_all=True, filename='old.json')",
        "proftop.profiler_set_state() is deprecated: call proftop.set_state('run')",
        "proftop.dump_profile() is deprecated: call proftop.dump(True)"], told
    assert {one.filename for one in told} == {__file__}, told
    assert "profile_some" in refused(profiler.profiler_set_config, "some")
    with open("old.json", encoding="utf-8") as file:
        assert "old" in json.dumps(json.load(file))
    assert profiler.profiler_kvstore_handle is None
    passes = profiler.Domain("old").new_task("after")
    with passes:  # dump_profile() has stopped
        pass
    profiler.profiler_set_state("run")
    with passes:
        pass
    assert spans()["old"]["after"]["Count"] == 1, spans()


signatures()
texts()  # first, since it resets
control()
old_names()
objects()
stops()

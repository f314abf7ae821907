# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""abi.py: a program compiled with an older header runs with today's library, and the other way
round. frozen/ holds an unchanged copy of each released header."""
import hashlib
import os
import re

import adopting
from adopting import compile_c, do, here, linked, path, report_of, tap

# A frozen header never changes. A release adds one. The frozen headers other than proftop.h are
# read with today's proftop.h, as in a program with copies of different dates. Those of 0.1.0 have
# two macros of their proftop_form.h around each declaration.
MACROS = ("-DPROFTOP_FN(type,value,name,parameters,arguments)=PROFTOP_API type name parameters",
          "-DPROFTOP_PROC(name,parameters,arguments)=PROFTOP_API void name parameters")
# Where the declarations of a frozen header are today. proftop_adapter.h includes proftop.h.
TODAY = {"proftop": "proftop_adapter", "proftop_detail": "proftop_adapter"}
FROZEN = {
    "proftop_0_1_0.h":
        "f23c873f5ed0cc57134c3a7ff3c6391a64e89d8f56fca60e76cd993114ee53b4",
    "proftop_control_0_1_0.h":
        "9f7cb6ad1f3623bdc81e88c3962a220dfebbbcdcbd65eb94ac34d2a8ced7610d",
    "proftop_detail_0_1_0.h":
        "f44fce92dcc4a8ce5ff5751dea8e9e2fa138f20b0773b92ed5a9fbcee879453b",
    "proftop_objects_0_1_0.h":
        "c38ec085c298e6443b2bf5f7781ff4d9cc81a7a3af2c2318272e3e2ba01f3872",
}
# The fields that inlined code reads and writes, and their offsets, by layout. A layout never
# changes. A changed layout gets a new number, else programs that inlined the old one would count in
# the wrong places.
LAYOUTS = {4: {
    "proftop_front": {"on": 0, "layout": 8, "tick_ns": 12},
    "proftop_slot": {"calls": 0, "total": 8, "min": 16, "max": 24, "last": 32, "untimed": 40,
                     "aux": 48, "sequence": 56, "kind": 60, "cold": 61, "stale": 62, "traced": 63},
    "proftop_block": {"on": 0, "now": 8, "ended": 16, "begun": 24, "slot": 32, "apply": 40,
                      "unused": 44, "applies": 48, "ready": 48 + 8 * 4096}}}
# A begin reads the enclosing one.
LAYOUTS[5] = {**LAYOUTS[4], "proftop_block": {
    **LAYOUTS[4]["proftop_block"], "within": 48, "applies": 56, "ready": 56 + 8 * 4096}}
CONSTANTS = {4: {
    "PROFTOP_CHUNK_SHIFT": 10, "PROFTOP_APPLIES": 1 << 22, "PROFTOP_TICK_SHIFT": 31,
    "PROFTOP_BUCKET_LEAST": 0, "PROFTOP_BUCKET_END": 34, "PROFTOP_UNTIMED": 1,
    "PROFTOP_SLOT_STATE": 60, "PROFTOP_KIND_SOURCE": 7, "PROFTOP_KIND_SHIFT": 3,
    "PROFTOP_RATE_NEVER": 31, "PROFTOP_COLD_FIRST": 1, "PROFTOP_COLD_FAR": 2}}
CONSTANTS[5] = CONSTANTS[4]
# These are passed by value, so they cannot grow.
BY_VALUE = {"proftop_token", "proftop_run"}
# Values that are no enumerators, with the arguments of those that take some.
MACRO = re.compile(r"^#define (PROFTOP_\w+)(\(\w+\))? +[(\dU]", re.M)


def text_of(file):
    with open(file, encoding="utf-8") as header:
        return header.read()


def today_of(name):
    """Today's file for the name of a frozen header."""
    name = re.sub(r"(_\d+){3}\.h$", "", name)
    return os.path.join(adopting.HEADERS, TODAY.get(name, name) + ".h")


def today():
    return "\n".join(text_of(os.path.join(adopting.HEADERS, name))
                     for name in adopting.tap.headers() if name.endswith(".h"))


def without_words(text):
    return re.sub(r"/\*.*?\*/", "", text, flags=re.S)


def calls_of(text):
    """Maps the name of each declared call to its result and parameters, in the first form or in
    today's. Names of parameters may change."""
    plain = without_words(text)
    found = re.findall(r"^PROFTOP_API ([^;(]*?)(\w+)\(([^()]*)\);", plain, re.M)
    found += re.findall(r"^PROFTOP_FN\(([^,]+),[^,]+,\s*(\w+),\s*\(([^()]*)\)", plain, re.M)
    found += [("void", *call) for call in
              re.findall(r"^PROFTOP_PROC\((\w+),\s*\(([^()]*)\)", plain, re.M)]
    return {name: (gives.strip(), [re.sub(r"\w+$", "", " ".join(one.split())).strip()
                                   for one in takes.split(",")])
            for gives, name, takes in found}


def members_of(body):
    """Of `const char *a; uint32_t b, c;`: a, b, c."""
    for line in filter(str.strip, body.split(";")):
        first, *more = line.split(",")
        yield from [word.strip("* ") for word in (first.split()[-1], *more)]


def structs_of(text):
    """Maps the name of each public struct to its members in order."""
    plain = re.sub(r"\[.*?\]", "", without_words(text))
    return {name: list(members_of(body))
            for name, body in re.findall(r"^struct (\w+) \{(.*?)^\};", plain, re.M | re.S)}


def values_of(text):
    """Enumerators, and macros for numbers."""
    plain = without_words(text)
    bodies = re.findall(r"^enum \w+ \{(.*?)\};", plain, re.M | re.S)
    return [word.split("=")[0].strip() for body in bodies for word in body.split(",")
            if word.strip()] + [name + ("(5)" if takes else "")
                                for name, takes in MACRO.findall(plain)]


def layout(header, structs, names):
    """Asks a C compiler for the offset and size of each member, the size of each struct, and the
    values of names."""
    lines = ['#include "%s"' % header, "#include <stdio.h>", "#include <stddef.h>",
             "int main(void)", "{"]
    for struct, members in structs.items():
        lines += ['printf("%%zu %s.%s\\n", offsetof(struct %s, %s));' % (struct, member, struct,
                                                                       member)
                  for member in members]
        lines += ['printf("%%zu sizeof %s.%s\\n", sizeof ((struct %s *)0)->%s);' % (
            struct, member, struct, member) for member in members]
        lines.append('printf("%%zu sizeof %s\\n", sizeof (struct %s));' % (struct, struct))
    lines += ['printf("%%lld %s\\n", (long long)(%s));' % (name, name) for name in names]
    with open(path("layout.c"), "w", encoding="ascii") as file:
        file.write("\n".join(lines + ["return 0;", "}", ""]))
    said = do(compile_c("layout", *MACROS, path("layout.c")))
    return {what: int(value) for value, what in re.findall(r"^(-?\d+) (.*)$", said, re.M)}


def frozen_headers_are_as_they_were():
    assert sorted(os.listdir(here("frozen"))) == sorted(FROZEN)
    for name, digest in FROZEN.items():
        assert hashlib.sha256(text_of(here("frozen/" + name)).encode()).hexdigest() == digest, name


def no_call_is_gone():
    """Each call has its old result and parameters."""
    now = calls_of(today())
    for name in FROZEN:
        was = calls_of(text_of(here("frozen/" + name)))
        assert len(was) >= 8, (name, was)
        other = {call: (form, now.get(call)) for call, form in was.items() if now.get(call) != form}
        assert not other, (name, other)


def library_version_reflects_added_calls():
    """libtool's current:revision:age: calls were added, none was removed."""
    name = os.path.basename(os.path.realpath(os.path.join(adopting.LIBRARIES, "libproftop.so")))
    major, age = re.match(r"libproftop\.so\.(\d+)\.(\d+)\.\d+$", name).groups()
    frozen = {call for header in FROZEN for call in calls_of(text_of(here("frozen/" + header)))}
    added = set(calls_of(today())) - frozen
    assert major == "0" and (int(age) > 0) == bool(added), (name, added)
    assert "[libproftop.so.0]" in do("readelf", "-d", os.path.join(adopting.LIBRARIES, name))


def structs_and_values_keep_their_places():
    seen = set()
    for name in FROZEN:
        text = text_of(here("frozen/" + name))
        structs, names = structs_of(text), values_of(text)
        seen |= {*structs, *names}
        was = layout(here("frozen/" + name), structs, names)
        now = layout(today_of(name), structs, names)
        grown = {what for what in was if was[what] != now[what]}
        for what in grown:
            struct = what.replace("sizeof ", "")
            assert what == "sizeof " + struct and struct in structs, (what, was[what], now[what])
            assert struct not in BY_VALUE and now[what] > was[what], (what, was[what], now[what])
    some = {*BY_VALUE, "proftop_apply_info", "proftop_value_info", "proftop_dumps_options",
            "PROFTOP_SET", "PROFTOP_PHASE_THUNKS", "PROFTOP_NONE", "PROFTOP_OVERWRITES(5)"}
    assert seen >= some, some - seen


def an_old_program_counts_right():
    for name in filter(re.compile(r"proftop_\d").match, FROZEN):
        source = '-DFROZEN="%s"' % here("frozen/" + name)
        report, said = report_of(compile_c("veteran", source, *MACROS, here("veteran.c"),
                                           *linked()))
        assert said == "on 1 reason ''\n", said
        assert adopting.calls(report, "applies") == {"timed": 90, "given": 50, "set": 12}
        totals = {row["name"]: row["total_ns"] for row in report["applies"]}
        assert (totals["given"], totals["set"]) == (350, 3400) and totals["timed"] > 0, totals
        step, told = report["functions"]
        assert (step["calls"], step["vm_ns"], step["compile_ns"], step["rewrite_ns"],
                step["validate_ns"], step["link_ns"]) == (90, 99, 1000, 100, 10, None), step
        assert (step["file"], step["line"]) == ("veteran.c", 7), step
        assert (told["calls"], told["call_ns"]) == (5, 500), told
        row = report["applies"][0]
        assert (row["kind"], row["impl"]) == ("imperative", "C"), row
        assert report["jobs"][0]["framework"] == "Old", report["jobs"]
        assert "so it goes" in [notice["text"] for notice in report["notices"]], report


def a_program_of_the_future_counts_right():
    """Its structs are longer than today's. Today's library ignores the unknown members."""
    with open(path("future.c"), "w", encoding="ascii") as file:
        file.write("""
#include <proftop.h>
#include <string.h>
struct options { struct proftop_options today; char more[200]; };
struct function { struct proftop_function_info today; char more[200]; };
struct apply { struct proftop_apply_info today; char more[200]; };
int main(void)
{
    struct options options; struct function function; struct apply apply;
    memset(&options, 0x5a, sizeof options); memset(&options.today, 0, sizeof options.today);
    memset(&function, 0x5a, sizeof function); memset(&function.today, 0, sizeof function.today);
    memset(&apply, 0x5a, sizeof apply); memset(&apply.today, 0, sizeof apply.today);
    options.today.size = sizeof options;
    function.today.size = sizeof function;
    apply.today.size = sizeof apply;
    struct proftop *feed = proftop_open(&options.today);
    apply.today.op = proftop_op(feed, proftop_class(feed, "Class"), "future");
    apply.today.function = proftop_function(feed, &function.today);
    proftop_id id = proftop_apply(feed, &apply.today);
    for (int i = 0; i < 33; i++)
        proftop_end(feed, id, proftop_begin(feed, id));
    proftop_close(feed);
    return 0;
}
""")
    report, _ = report_of(compile_c("future", path("future.c"), *linked()))
    assert adopting.calls(report, "ops") == {"future": 33}, report["ops"]


def other_layout(number):
    """Headers with layout `number`. By it the inlined code would count in the wrong places."""
    folder = path("layout.%d" % number)
    os.makedirs(folder, exist_ok=True)
    for name in os.listdir(adopting.HEADERS):
        if re.match(r"proftop.*\.h$", name):
            text = text_of(os.path.join(adopting.HEADERS, name))
            if name == "proftop_layout.h":
                text, numbers = re.subn(r"(define PROFTOP_LAYOUT +)\d+u", r"\g<1>%du" % number,
                                        text)
                text, swapped = re.subn(r"(?m)^(    uint64_t calls;.*\n)(    uint64_t total;.*\n)",
                                        r"\2\1", text)
                assert (numbers, swapped) == (1, 1), text
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
    return os.path.join(folder, "proftop.h")


def inlined_code_of_another_layout_keeps_out():
    """The inlined code checks the feed's layout. If it differs, the library counts."""
    with open(path("inlined.c"), "w", encoding="ascii") as file:
        file.write("""
int main(void)
{
    struct proftop *feed = proftop_open(NULL);
    static struct proftop_function_info function;
    static struct proftop_apply_info apply;
    function.size = sizeof function;
    apply.size = sizeof apply;
    apply.function = proftop_function(feed, &function);
    apply.op = proftop_op(feed, proftop_class(feed, "Class"), "inlined");
    proftop_id id = proftop_apply(feed, &apply);
    for (int i = 0; i < 77; i++)
        proftop_end(feed, id, proftop_begin(feed, id));
    proftop_close(feed);
    return 0;
}
""")
    for number, right in ((1, True), (4, True), (99, True), (5, False)):
        if not right and not adopting.is_inlined():
            continue  # no inlined code here could go wrong
        report, _ = report_of(compile_c("inlined", "-include", other_layout(number),
                                        path("inlined.c"), *linked()))
        assert (adopting.calls(report, "ops") == {"inlined": 77}) == right, report["ops"]


def the_layout_is_that_of_its_number():
    text = text_of(os.path.join(adopting.HEADERS, "proftop_layout.h"))
    number = int(re.search(r"define PROFTOP_LAYOUT +(\d+)u", text)[1])
    named = set(re.findall(r"^#define (PROFTOP_[A-Z_]+) +[(\d]", text, re.M))
    assert named - {"PROFTOP_LAYOUT", "PROFTOP_QUARTER_LEAST"} == set(CONSTANTS[number]), named
    structs = {name: members for name, members in structs_of(text).items()
               if name in LAYOUTS[number]}
    now = layout(os.path.join(adopting.HEADERS, "proftop.h"), structs, CONSTANTS[number])
    assert {name: now[name] for name in CONSTANTS[number]} == CONSTANTS[number], now
    for name, places in LAYOUTS[number].items():
        assert {member: now["%s.%s" % (name, member)] for member in structs[name]} == places, now


tap.run(frozen_headers_are_as_they_were, no_call_is_gone, library_version_reflects_added_calls,
        structs_and_values_keep_their_places, an_old_program_counts_right,
        a_program_of_the_future_counts_right, inlined_code_of_another_layout_keeps_out,
        the_layout_is_that_of_its_number)

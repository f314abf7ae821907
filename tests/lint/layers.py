# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""layers.py: checks the dependencies between layers, by the symbols that the archives need and by
the files that the sources include. See CONTRIBUTING.md, "Layers"."""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap  # noqa: E402
import tree  # noqa: E402

ZMQ = r"zmq_"
CURSES = r"(newterm|initscr|endwin|wrefresh|w?add(n?w?str|ch)|tput|tigetstr|cur_term|stdscr)"
CLOCK = r"(clock_gettime|gettimeofday|time)$"
IO = r"(open|openat|read|write|socket|fopen|fwrite|printf|fprintf|puts|getenv|malloc_usable_size)$"
FEED = r"(publisher|viewer|shared|registry|wire)_"
OURS = r"(model|publisher|viewer|shared|registry|tui|proftop)_"

# Archive, and the symbols that it must not need.
FORBIDDEN = (
    ("libmodel.a", (ZMQ, CURSES, CLOCK, IO, FEED, r"(tui|proftop)_")),
    (".libs/libwire.a", (ZMQ, CURSES, CLOCK, IO, OURS)),
    ("libtui.a", (ZMQ, FEED, r"proftop_")),
    ("libfeed.a", (CURSES, r"(publisher|tui|proftop)_")),
    (".libs/libpublish.a", (CURSES, r"(model|viewer|tui)_")),
)
CURSES_HEADER = r"<(n?curses|ncursesw/.*|term)\.h>"
# Header, and the files that may include it.
INCLUDES = (
    (CURSES_HEADER, r"^(tui/ui/term_curses\.c|tests/.*)$"),
    (r"<zmq\.h>", r"^(feed/.*|tui/(cli/(main|report)|app/(loop|run|picker))\.[ch]|tests/.*)$"),
    (r"<utf8proc\.h>", r"^(model/text\.c|tests/.*)$"),
    (r"\"model/", r"^(model|feed/viewer|tui|tests)/.*$"),
    # The two ends of a feed share feed/protocol and feed/shared, and no more.
    (r"\"feed/(protocol|shared)/", r"^(feed|tui|tests)/.*$"),
    (r"\"feed/publisher/", r"^(feed/publisher|tests)/.*$"),
    (r"\"feed/viewer/", r"^(feed/viewer|tui|tests)/.*$"),
    (r"\"tui/", r"^(tui|tests)/.*$"),
    (r"\"adapters/", r"^(adapters|tests)/.*$"),
)

# The tests of the publisher use its public calls and its frames. These alone include its private
# headers, for the reason given: they test an algorithm, or a case that the outside cannot force.
PRIVATE = {
    "tests/feed/check_aggregate.c": "sums",
    "tests/feed/check_open.c": "sums of open calls",
    "tests/feed/check_slot.c": "values of one thread that another reads",
    "tests/feed/made_up.h": "sums and sampling of generated durations",
    "tests/feed/check_budget.c": "sampling",
    "tests/feed/check_percentile.c": "histograms at a fixed rate of sampling",
    "tests/feed/check_calibrate.c": "the cost of a call",
    "tests/feed/check_overhead.c": "the sums of these costs",
    "tests/feed/check_run_queue.c": "the sums of waits for a processor",
    "tests/feed/check_ticks.c": "clocks",
    "tests/feed/check_acceptor.c": "a guard",
    "tests/feed/check_flood_guard.c": "a guard",
    "tests/feed/check_resources.c": "a guard",
    "tests/feed/check_own_file.c": "whose file it is",
    "tests/feed/check_authorize.c": "rights of a peer",
    "tests/feed/check_settings.c": "a parser",
    "tests/feed/check_publish.c": "the table of subscriptions: libzmq filters what leaves it",
    "tests/feed/check_dump.c": "the rhythm of dumps over hours",
    "tests/feed/check_encode_objects.c": "the feed's thread stands still between two steps",
    "tests/feed/check_out_of_memory.c": "a feed without memory accepts no viewer",
    "tests/feed/check_snapshot_steps.c": "how much the feed's thread does in one step",
    "tests/feed/threadless.h": "stops the feed's thread for such tests",
    "tests/feed/static.c": "links the loop of the feed's thread into tests",
    "tests/e2e/faults/step.c": "how long the feed's thread takes for one step",
}


def symbols(path, *options):
    out = subprocess.run(["nm", "-P", *options, tap.built(path)], check=True,
                         capture_output=True, text=True).stdout
    return {line.split()[0].split("@")[0] for line in out.splitlines() if " " in line}


def archives_want_nothing_forbidden():
    wrong = []
    for archive, patterns in FORBIDDEN:
        wanted = symbols(archive, "-u") - symbols(archive, "--defined-only")
        for symbol in sorted(wanted):
            # Sanitizers and fortification add prefixes and suffixes to the names of libc.
            plain = re.sub(r"^(__interceptor_|__)?(.*?)(_chk)?$", r"\2", symbol)
            if any(re.match(pattern, plain) for pattern in patterns):
                wrong.append("%s wants %s" % (archive, symbol))
    assert not wrong, "\n".join(wrong)


def the_check_sees_what_an_archive_wants():
    assert any(re.match(ZMQ, symbol) for symbol in symbols("libfeed.a", "-u"))
    assert any(symbol.startswith("utf8proc_") for symbol in symbols("libmodel.a", "-u"))


def headers_are_included_where_they_may_be():
    wrong = []
    for file in tree.files(tree.CODE, ".c", ".h"):
        path, text = os.path.relpath(file, tap.source()), tree.text_of(file)
        for header, allowed in INCLUDES:
            if re.search(r"^\s*#\s*include\s+" + header, text, re.M) and \
                    not re.match(allowed, path):
                wrong.append("%s includes %s" % (path, header))
    assert not wrong, "\n".join(wrong)


def only_one_file_draws_with_curses():
    users = [os.path.basename(path) for path in tree.files(("tui",), ".c", ".h")
             if re.search(r"^\s*#\s*include\s+" + CURSES_HEADER, tree.text_of(path), re.M)]
    assert users == ["term_curses.c"], users


def tests_use_the_public_calls():
    users = {os.path.relpath(file, tap.source()) for file in tree.files(("tests",), ".c", ".h")
             if re.search(r"^\s*#\s*include\s+\"feed/publisher/", tree.text_of(file), re.M)}
    assert users == set(PRIVATE), sorted(users ^ set(PRIVATE))


tap.run(archives_want_nothing_forbidden, the_check_sees_what_an_archive_wants,
        headers_are_included_where_they_may_be, only_one_file_draws_with_curses,
        tests_use_the_public_calls)

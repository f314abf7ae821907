# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""mirror.py: tests mirror the tree: model/view.c has tests/model/check_view.c, feed/job/scan.c has
tests/feed/check_scan.c. What has no program of its own name stands in a table here, with the one
that tests it."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap  # noqa: E402

TESTED_BY = {
    "feed/viewer/bound.c": "e2e/found.py",
    "feed/job/announce.c": "feed/check_life.c", "feed/job/apart.c": "adopt/apart.py",
    "feed/job/book.c": "feed/check_slot.c",
    "feed/job/count.c": "feed/check_publish.c", "feed/job/counter.c": "feed/check_object.c",
    "feed/job/enter.c": "feed/check_publish.c",
    "feed/job/errand.c": "feed/check_control.c", "feed/job/note.c": "feed/check_dump_objects.c",
    "feed/job/feed.c": "feed/check_life.c", "feed/job/frame.c": "feed/check_publish.c",
    "feed/job/frame_detail.c": "feed/check_describe.c",
    "feed/job/frame_hello.c": "feed/check_publish.c", "feed/job/histogram.c": "feed/check_slot.c",
    "feed/viewer/hold.c": "feed/check_sync.c", "feed/job/identity.c": "feed/check_life.c",
    "feed/job/inherit.c": "feed/check_life.c",
    "feed/viewer/intake_detail.c": "feed/check_intake.c",
    "feed/viewer/intake_objects.c": "e2e/objects.py",
    "feed/viewer/headroom.c": "e2e/batch.py",
    "feed/viewer/keygen.c": "e2e/secure.py", "tui/sentence.c": "e2e/plain.py",
    "feed/job/look.c": "feed/check_life.c", "feed/job/start.c": "feed/check_life.c",
    "feed/job/whole.c": "feed/check_life.c",
    "feed/job/loop.c": "feed/check_life.c", "feed/job/marker.c": "feed/check_span.c",
    "feed/job/metric.c": "feed/check_describe.c",
    "feed/job/prepare.c": "feed/check_scan.c",
    "feed/pattern.c": "feed/check_wanted.c",
    "feed/probe.c": "feed/check_room.c", "feed/turns.c": "feed/check_runqueue.c",
    "feed/print.c": "feed/check_report.c", "feed/job/reach.c": "e2e/secure.py",
    "feed/viewer/remote.c": "e2e/faraway.py",
    "feed/job/reset.c": "feed/check_control.c",
    "feed/viewer/silent.c": "e2e/found.py",
    "feed/site_file.c": "feed/check_site.c", "feed/job/snapshot.c": "feed/check_server.c",
    "feed/job/threads.c": "feed/check_publish.c", "feed/job/wish.c": "feed/check_publish.c",
    "feed/job/due.c": "feed/check_scan.c",
    "feed/job/socket.c": "feed/check_room.c", "feed/job/warm.c": "feed/check_room.c",
    "feed/viewer/watch.c": "feed/check_discover.c",
    "feed/wire/wire_column.c": "feed/check_wire_raw.c",
    "feed/wire/wire_read.c": "feed/check_wire_raw.c",
    "feed/wire/wire_schema.c": "feed/check_limits.c", "feed/wire/wire_write.c": "feed/check_wire.c",
    "model/column_compile.c": "model/check_compile.c",
    "model/column_extra.c": "model/check_about.c",
    "model/defs.c": "model/check_job.c", "model/diff_match.c": "model/check_diff.c",
    "model/json_diff.c": "e2e/differ.py", "model/extra.c": "model/check_about.c",
    "model/fleet_row.c": "model/check_fleet.c", "model/fleet_sum.c": "model/check_fleet.c",
    "model/index.c": "model/check_lines.c",
    "model/json_detail.c": "e2e/detail.py", "model/json_fleet.c": "model/check_json.c",
    "model/json_job.c": "model/check_json.c", "model/json_objects.c": "e2e/objects.py",
    "model/json_peaks.c": "e2e/detail.py",
    "model/put.c": "model/check_json.c",
    "model/profilemode.c": "model/check_dialect.c",
    "model/rewrite.c": "model/check_about.c",
    "model/summary_rows.c": "model/check_dialect.c",
    "model/summary_scan.c": "model/check_dialect.c",
    "model/summary_tips.c": "model/check_dialect.c", "model/totals.c": "model/check_state.c",
    "model/values.c": "model/check_job.c",
    "tui/action_control.c": "tui/check_app.c", "tui/afar.c": "e2e/faraway.py",
    "tui/asked.c": "tui/check_pty_control.c", "tui/batch.c": "e2e/batch.py",
    "tui/figures.c": "e2e/batch.py", "tui/seek.c": "e2e/batch.py",
    "tui/signals.c": "e2e/batch.py",
    "tui/action_jobs.c": "tui/check_action.c", "tui/crew.c": "e2e/several.py",
    "tui/crew_list.c": "e2e/several.py", "tui/workers.c": "e2e/several.py",
    "tui/alias.c": "tui/check_keys.c", "tui/chooser.c": "tui/check_pty_functions.c",
    "tui/choice.c": "tui/check_screen.c", "tui/condition.c": "tui/check_screen.c",
    "tui/ctl.c": "e2e/ctl.py", "tui/diff_page.c": "e2e/differ.py",
    "tui/number.c": "tui/check_options.c",
    "tui/doctor.c": "e2e/found.py",
    "tui/examine.c": "adapters/check_examine.py",
    "tui/operand.c": "e2e/differ.py", "tui/versus.c": "e2e/differ.py",
    "tui/successor.c": "tui/check_pty_jobs.c",
    "tui/header_jobs.c": "tui/check_header.c",
    "tui/jobrun.c": "tui/check_pty_run.c",
    "tui/line.c": "tui/check_header.c", "tui/log.c": "tui/check_screen.c",
    "tui/main.c": "e2e/batch.py", "tui/man.c": "tui/check_options.c",
    "tui/key_name.c": "tui/check_action.c",
    "tui/glance.c": "tui/check_pty.c", "tui/joblist.c": "e2e/found.py",
    "tui/pick.c": "tui/check_pty.c",
    "tui/options_check.c": "tui/check_options.c", "tui/prompt.c": "tui/check_app.c",
    "tui/named.c": "e2e/batch.py",
    "tui/term_curses.c": "tui/check_pty.c",
    "tui/verbs.c": "e2e/ctl.py",
    "tui/term_text.c": "tui/check_screen.c", "tui/usage.c": "tui/check_options.c",
}


def sources():
    for folder in ("model", "feed", "tui"):
        for where, _, names in os.walk(tap.source(folder)):
            for name in sorted(names):
                if name.endswith(".c"):
                    yield os.path.relpath(os.path.join(where, name), tap.source())


def own(path):
    """Where the test of its own name would stand."""
    return "%s/check_%s" % (path.split("/")[0], os.path.basename(path))


def every_source_has_its_test():
    bare = []
    for path in sources():
        test = TESTED_BY.get(path, own(path))
        if not os.path.isfile(tap.source("tests", test)):
            bare.append("%s: there is no tests/%s" % (path, test))
    assert not bare, "\n".join(bare)


def the_table_names_what_exists():
    there = set(sources())
    gone = [path for path in TESTED_BY if path not in there]
    needless = [path for path in TESTED_BY if os.path.isfile(tap.source("tests", own(path)))]
    assert not gone and not needless, (gone, needless)


tap.run(every_source_has_its_test, the_table_names_what_exists)

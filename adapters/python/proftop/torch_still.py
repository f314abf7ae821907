# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""torch_still.py: where a rank is that stands still: the line of Python, and its collectives.

They are facts of the job, which viewers show beside what they say of a rank that hangs."""
import json
import os
import sys

from . import feed_holders, torch_lines

C10D = "torch._C._distributed_c10d"
RECORDS = ("TORCH_FR_BUFFER_SIZE", "TORCH_NCCL_TRACE_BUFFER_SIZE")


def where():
    """The line in which the first thread is, or None."""
    line = torch_lines.line()
    return line.decode("utf-8", "replace") if line else None


def records():
    """True if the job has PyTorch's flight recorder on."""
    return any(os.environ.get(name, "").isdigit() and int(os.environ[name]) > 0
               for name in RECORDS)


def recorded():
    """What the flight recorder has: the number of the latest collective of each group, and of the
    oldest one that goes on. Groups count their own collectives."""
    dump = getattr(sys.modules.get(C10D), "_dump_fr_trace_json", None)
    if dump is None or not records():
        return []
    groups = {}
    for entry in json.loads(dump(True, False)).get("entries", []):
        if not entry["is_p2p"]:
            groups.setdefault(":".join(entry["process_group"]), []).append(entry)
    facts = []
    for group, entries in groups.items():
        latest = max(entry["collective_seq_id"] for entry in entries)
        facts.append("collective.%s=%d" % (group, latest))
        going = [entry for entry in entries if not entry["retired"]]
        if going:
            oldest = min(going, key=lambda entry: entry["collective_seq_id"])
            facts.append("collective_open.%s=%d %s" % (
                group, oldest["collective_seq_id"], oldest["profiling_name"]))
    return facts


def look(still):
    """Tells where this process is, or that it goes on. On a thread of the adapter."""
    facts = []
    if still:
        line = where()
        facts += ["at=" + line] if line else []
        try:
            facts += recorded()
        except Exception:
            pass  # it has another form in this release
    feed_holders.say_facts("PyTorch", "\n".join(fact for fact in facts if "\n" not in fact))

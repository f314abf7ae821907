# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""aarch64.py: the wheel for aarch64 in a fresh Debian 12 of that processor, whose processes qemu
emulates. There is no ptrace, so attaching late ends with a sentence. PROFTOP_TEST_WHEEL names the
wheel for this machine; that for aarch64 lies beside it. Needs root and qemu-user-static."""
import glob
import json
import os
import shutil
import time

from installing import ROW, INSTALLS_S, System, do, need, screen_of, tap

WHEEL = os.environ.get("PROFTOP_TEST_WHEEL") or ""
TABLE = "/proc/sys/fs/binfmt_misc"
QEMU = "qemu-aarch64-static"
# The first bytes of a program for aarch64, and which of their bits count.
MAGIC = r"\x7fELF\x02\x01\x01" + r"\x00" * 9 + r"\x02\x00\xb7\x00"
MASK = r"\xff" * 7 + r"\x00" + r"\xff" * 8 + r"\xfe\xff\xff\xff"
STEPS = 50


def emulated():
    """A system with the wheel. The kernel of this machine runs its programs by qemu, until the next
    boot."""
    wheels = glob.glob(os.path.join(os.path.dirname(WHEEL), "proftop-*_aarch64.whl"))
    wheel = need(wheels[0] if WHEEL and wheels else None, "the wheel for aarch64")
    if os.geteuid() != 0 or not shutil.which(QEMU):
        raise tap.Skip("%s and root are needed (script/setup install)" % QEMU)
    if not os.path.exists(TABLE + "/register"):
        do(["mount", "-t", "binfmt_misc", "none", TABLE], INSTALLS_S)
    if not glob.glob(TABLE + "/*aarch64*"):
        with open(TABLE + "/register", "w", encoding="ascii") as file:
            file.write(":aarch64:M::%s:%s:%s:F" % (MAGIC, MASK, shutil.which(QEMU)))
    system = System("bookworm", ["ca-certificates", "python3", "python3-venv"], "arm64")
    path = system.give(wheel)
    system.run("python3", "-m", "venv", "v")
    began = time.monotonic()
    system.run("v/bin/pip", "install", "--no-index", path)
    print("# pip install %.0f s" % (time.monotonic() - began))
    return system


def the_wheel_publishes_and_shows():
    system = emulated()
    engine = system.give(tap.source("examples", "engine.py"))
    said = system.run("v/bin/proftop", "run", "-b", "-n", "0", "--format", "json", "-o", "r.json",
                      "--", "v/bin/python", engine, str(STEPS), PROFTOP_BUDGET="0")
    with open(system.root + system.home + "/r.json", encoding="utf-8") as file:
        known = json.loads(file.read().splitlines()[-1])
    assert known["final"], (said, known["jobs"])
    assert {row["name"]: row["calls"] for row in known["functions"]} == {
        "step": STEPS + 1, "the loop's body": 5 * (STEPS + 1)}, known["functions"]
    assert ROW in screen_of(system, "v/bin/proftop", "demo")


def attaching_late_says_why_not():
    system = emulated()
    said = system.run("sh", "-c", "python3 -c 'import time; time.sleep(60)' & "
                      "v/bin/proftop -b -n 1 -p $! 2>&1; echo code $?; kill $!")
    print("#", said.replace("\n", "\n# "))
    assert "code 0" not in said and len(said.splitlines()[0].split()) > 5, said


tap.run(the_wheel_publishes_and_shows, attaching_late_says_why_not)

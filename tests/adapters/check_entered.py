# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_entered.py: attaching runs code in the job. That code works from any folder and with any
names defined in the job, and never harms the job. An exception that a signal handler of the job
raises meanwhile reaches the job."""
import os
import shutil
import sys

sys.dont_write_bytecode = True
from attaching import Job, ask  # noqa: E402
from watching import ADAPTERS, Place, family, job, need_python, tap  # noqa: E402


def entered(place, *words):
    return Job([need_python(), job("entered"), *words], place.env(**family()))


def enter_and_leave(place, one, adapters=ADAPTERS):
    said = ask(place, "-b", "-p", str(one.pid), adapters=adapters).stderr
    assert b"attached to PyTensor" in said, said
    ask(place, "ctl", "detach", "-p", str(one.pid), adapters=adapters)


def a_folder_of_any_name_is_attached_from():
    with Place() as place:
        folder = place.file("a'\\\u00e9\n")
        for part in ("proftop", "start"):
            shutil.copytree(os.path.join(ADAPTERS, part), os.path.join(folder, part))
        command = [need_python(), job("late"), "pytensor", "churn"]
        with Job(command, place.env(**family())) as one:
            enter_and_leave(place, one, folder)
            one.end()


def names_of_the_job_hide_none_of_pythons():
    with Place() as place, entered(place, "names") as one:
        enter_and_leave(place, one)
        assert one.end() == "None True []"


def exception_of_a_signal_handler_reaches_the_job():
    """The job ends with that exception, and receives no further request."""
    with Place() as place:
        for what, by in (("interrupt", "KeyboardInterrupt()"), ("exit", "SystemExit(7)")):
            for where in ("compile", "open"):
                with entered(place, what, where) as one:
                    asked = ask(place, "-b", "-p", str(one.pid), code=3)
                    assert b"ended while it was attached to" in asked.stderr, asked
                    out, err = one.process.communicate()
                assert (out.decode(), one.process.returncode) == (by + " True []\n", 0), (
                    what, where, out, err)


def a_fault_in_the_text_does_not_reach_the_job():
    with Place() as place:
        for where in ("compile", "open"):
            with entered(place, "fault", where) as one:
                asked = ask(place, "-b", "-p", str(one.pid), "--wait", "1", code=3)
                assert b"nothing was changed" in asked.stderr, asked
                assert one.end() == "None True []"


tap.run(a_folder_of_any_name_is_attached_from, names_of_the_job_hide_none_of_pythons,
        exception_of_a_signal_handler_reaches_the_job, a_fault_in_the_text_does_not_reach_the_job)

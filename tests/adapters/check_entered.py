# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""check_entered.py: what a job is made to run when it is attached to reaches it from wherever it
lies."""
import os
import shutil
import sys

sys.dont_write_bytecode = True
from attaching import Job, ask  # noqa: E402
from watching import ADAPTERS, Place, family, job, need_python, tap  # noqa: E402


def a_folder_of_any_name_is_attached_from():
    with Place() as place:
        folder = place.file("a'\\\u00e9\n")
        for part in ("proftop", "start"):
            shutil.copytree(os.path.join(ADAPTERS, part), os.path.join(folder, part))
        command = [need_python(), job("late"), "pytensor", "churn"]
        with Job(command, place.env(**family())) as entered:
            said = ask(place, "-b", "-p", str(entered.pid), adapters=folder).stderr
            assert b"attached to PyTensor" in said, said
            ask(place, "ctl", "detach", "-p", str(entered.pid), adapters=folder)
            entered.end()


tap.run(a_folder_of_any_name_is_attached_from)

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""bench_ports.py BUILD: measures what a begin and an end cost in the ports of ITT and NVTX, by the
jobs of tests/e2e: the least of seven rounds in each of three processes. Prints rows of the table of
script/bench."""
import os
import subprocess
import sys
import tempfile

PROCESSES = 3
TABLE = "%-58s %14s %9s   %s"
# what, program, mode, variable, library, target
ROWS = (("itt: a task that nests, begin and end", "itt_job", "cost", "INTEL_LIBITTNOTIFY64",
         "libproftop-itt.so", "40 ns"),
        ("itt: a task with an id, begin and end", "itt_job", "cost_of_ids", "INTEL_LIBITTNOTIFY64",
         "libproftop-itt.so", "500 ns"),
        ("nvtx: push and pop of a registered string", "nvtx_job", "cost", "NVTX_INJECTION64_PATH",
         "libproftop-nvtx.so", "40 ns"),
        ("nvtx: push and pop of a text", "nvtx_job", "cost_of_texts", "NVTX_INJECTION64_PATH",
         "libproftop-nvtx.so", "80 ns"))


def main():
    build = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="proftop-bench-") as folder:
        for what, program, mode, variable, library, target in ROWS:
            env = {**os.environ, "PROFTOP_DIR": folder,
                   variable: os.path.join(build, "adapters", "ports", library)}
            least = min(float(subprocess.run([os.path.join(build, program), mode], env=env,
                                             check=True, stdout=subprocess.PIPE).stdout)
                        for _ in range(PROCESSES))
            print(TABLE % (what, "%.1f ns" % least, "", "<= " + target))


if __name__ == "__main__":
    main()

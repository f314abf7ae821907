# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""pooled.py [late]: workers that multiprocessing forks and ends publish tasks of their own, 60 in
all. With `late` the job and each worker begin to publish after the fork."""
import functools
import multiprocessing
import sys

import proftop


@functools.lru_cache(maxsize=None)
def domain():
    return proftop.publish("pooled")


def work(number):
    with domain().task("work"):
        return number


if __name__ == "__main__":
    late = "late" in sys.argv
    if not late:
        domain()
    with multiprocessing.get_context("fork").Pool(3) as pool:
        if late:
            domain()
        assert sum(pool.map(work, range(60), 1)) == 1770
        pool.close()
        pool.join()

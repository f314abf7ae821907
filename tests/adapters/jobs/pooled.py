# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""pooled.py: workers that multiprocessing forks and ends publish tasks of their own: 60 in all."""
import multiprocessing

import proftop

domain = proftop.publish("pooled")


def work(number):
    with domain.task("work"):
        return number


if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(3) as pool:
        assert sum(pool.map(work, range(60), 1)) == 1770
        pool.close()
        pool.join()

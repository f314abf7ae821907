# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""ports_nvtx.py: ranges of the package nvtx: 200 steps with two products and one pause each."""
import time

import nvtx

STEPS = 200


@nvtx.annotate("product", domain="train", category="math")
def product():
    return sum(i * i for i in range(500))


for step in range(STEPS):
    with nvtx.annotate("step", domain="train"):
        product()
        product()
        with nvtx.annotate("pause"):
            time.sleep(0.0005)
    nvtx.mark("done", domain="train")
started = [nvtx.start_range("request") for _ in range(10)]
for one in started:
    nvtx.end_range(one)

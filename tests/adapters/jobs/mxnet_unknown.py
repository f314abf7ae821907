# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""mxnet_unknown.py WAY JOB [WORD...]: runs an MXNet job as if its build were unknown. WAY: hooked
(the sums of its profiler are found) or printed (they are not found either)."""
import runpy
import sys

import proftop

assert proftop.publish("none").reason is None
from _proftop import feed, mxnet, mxnet_sums  # noqa: E402


class Unknowing:
    def __getattr__(self, name):
        return getattr(feed, name)

    def mxnet_find(self):
        return "this build is none that proftop knows"

    def mxnet_attach(self, features):
        return feed.mxnet_attach(features) if way == "hooked" else "nothing is found"


way, job = sys.argv[1:3]
sys.argv[:3] = [job]
mxnet.feed = mxnet_sums.feed = Unknowing()
runpy.run_path(job, run_name="__main__")

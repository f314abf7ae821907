# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""mxnet_wrapped.py JOB [WORD...]: runs a job of MXNet whose objects are published, also where the
hooks in MXNet's engine are not."""
import runpy
import sys

import proftop

assert proftop.publish("none").reason is None
import mxnet  # noqa: E402
from _proftop import mxnet as adapter, mxnet_objects, own  # noqa: E402

if not adapter.is_attached():
    mxnet_objects.install(mxnet, own)
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")

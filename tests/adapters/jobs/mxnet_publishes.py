# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""mxnet_publishes.py PUBLIC: an MXNet job that publishes a counter of its own, without proftop.
PUBLIC is the file of `import proftop`."""
import importlib.util
import sys

import mxnet as mx

spec = importlib.util.spec_from_file_location("proftop", sys.argv[1])
proftop = importlib.util.module_from_spec(spec)
spec.loader.exec_module(proftop)
proftop.publish("training").counter("loss").set(float(mx.nd.ones(3).asnumpy().sum()))
print("ready", flush=True)
sys.stdin.readline()
print(mx.__version__)

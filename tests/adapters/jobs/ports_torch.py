# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""ports_torch.py: ops of PyTorch that are reported to ITT too."""
import torch

x = torch.ones(16, 16)
with torch.autograd.profiler.emit_itt():
    for _ in range(10):
        x = torch.mm(x, x)

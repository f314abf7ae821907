/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * describe.h: what follows from the name of an op of PyTorch: its class, its phase, and whether it
 * waits, which may depend on the use of a device. */
#ifndef PROFTOP_TORCH_DESCRIBE_H
#define PROFTOP_TORCH_DESCRIBE_H

#include "adapters/common/nested.h"

/* The phase of ops that are in no other. */
#define TORCH_FORWARD "forward"
/* The phase of backward passes. */
#define TORCH_BACKWARDS "backward"
/* The phase of kernels and copies. */
#define TORCH_DEVICE "device"
/* How the name of an optimizer's step begins. */
#define TORCH_STEP "Optimizer.step#"

/* The job uses a device, such as a GPU. Any thread. */
void torch_describe_device(void);

/* For struct nested_host. `scope`: at::RecordScope. */
struct nested_about torch_describe(unsigned scope, const char *name);

/* True if a run of this name waits for other ranks. */
int torch_is_collective(unsigned scope, const char *name);

#endif

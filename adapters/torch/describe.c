/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * describe.c: the table of names. PyTorch gives the names: of its ops in their schemas
 * ("aten::add"), of ranges in torch/optim/optimizer.py, torch/utils/data/dataloader.py,
 * torch/nn/parallel and torch/_dynamo. */
#include "adapters/torch/describe.h"

#include <stdatomic.h>
#include <string.h>

#include "adapters/torch/library.h"

enum { ANY = 255 };

static _Atomic int has_device;

void torch_describe_device(void)
{
    atomic_store(&has_device, 1);
}

/* Ops that read what a device has computed, a number or a size, and so wait until it has. Others
 * wait by these, as aten::item does. A copy waits only if it goes from the device to the host,
 * which its name does not tell. */
static uint32_t waits_of_op(const char *name)
{
    static const char *const reads[] = {"aten::_local_scalar_dense", "aten::nonzero"};
    for (unsigned i = 0; atomic_load(&has_device) && i < sizeof reads / sizeof *reads; i++)
        if (strcmp(name, reads[i]) == 0)
            return PROFTOP_WAITS;
    return PROFTOP_WORKS;
}

/* The first row that fits holds. */
static const struct {
    unsigned scope; /* ANY: every one */
    const char *begins;
    struct nested_about about;
} names[] = {
    {TORCH_MODULE, "", {"module", 0, NULL, PROFTOP_WORKS}},
    {TORCH_COMPILER, "", {"compiler", 0, NULL, PROFTOP_ASIDE}},
    {TORCH_KERNEL, "", {"kernel", 0, TORCH_DEVICE, PROFTOP_ASIDE}},
    {TORCH_COPY, "", {"copy", 0, TORCH_DEVICE, PROFTOP_ASIDE}},
    /* The engine runs these in a backward pass. Others call some of them in a forward pass. */
    {TORCH_BACKWARD, "", {"autograd", 0, NULL, PROFTOP_WORKS}},
    {ANY, "autograd::engine::", {"autograd", 0, TORCH_BACKWARDS, PROFTOP_WORKS}},
    {ANY, "c10d::", {"collective", 0, NULL, PROFTOP_WAITS_FOR_JOBS}},
    {ANY, "gloo:", {"collective", 0, NULL, PROFTOP_WAITS_FOR_JOBS}},
    {ANY, "nccl:", {"collective", 0, NULL, PROFTOP_WAITS_FOR_JOBS}},
    {ANY, "mpi:", {"collective", 0, NULL, PROFTOP_WAITS_FOR_JOBS}},
    {ANY, "ucc:", {"collective", 0, NULL, PROFTOP_WAITS_FOR_JOBS}},
    {ANY, "Torch-Compiled Region", {"compiled", 0, NULL, PROFTOP_WORKS}},
    {ANY, "CompiledFunction", {"compiled", 0, NULL, PROFTOP_WORKS}},
    {ANY, "## Call CompiledFxGraph", {"compiled", 0, NULL, PROFTOP_WORKS}},
    {ANY, "AOTDispatcher ", {"compiled", 0, NULL, PROFTOP_WORKS}},
    {ANY, "TorchDynamo ", {"compiled", 0, NULL, PROFTOP_WORKS}},
    {ANY, "Pregraph bytecode", {"compiled", 0, NULL, PROFTOP_WORKS}},
    {ANY, "graph_", {"compiled", 0, NULL, PROFTOP_WORKS}},
    {ANY, "triton_", {"compiled", 0, NULL, PROFTOP_WORKS}},
    {TORCH_RANGE, "Optimizer.", {"optimizer", 0, "optimizer step", PROFTOP_WORKS}},
    /* Batches of other processes are waited for; else this process makes them. */
    {TORCH_RANGE,
     "enumerate(DataLoader)#_MultiProcessing",
     {"data", 0, "data", PROFTOP_WAITS_FOR_JOBS}},
    {TORCH_RANGE, "enumerate(DataLoader)", {"data", 0, "data", PROFTOP_WORKS}},
    {TORCH_RANGE, "DistributedDataParallel.", {"distributed", 0, NULL, PROFTOP_WORKS}},
    {TORCH_RANGE, "FullyShardedDataParallel.", {"distributed", 0, NULL, PROFTOP_WORKS}},
    {TORCH_RANGE, "FSDP::", {"distributed", 0, NULL, PROFTOP_WORKS}},
    {TORCH_RANGE, "", {"range", 0, NULL, PROFTOP_WORKS}},
};

struct nested_about torch_describe(unsigned scope, const char *name)
{
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if ((names[i].scope == ANY || names[i].scope == scope) &&
            strncmp(name, names[i].begins, strlen(names[i].begins)) == 0)
            return names[i].about;
    /* An op: its namespace is its class. */
    const char *end = strstr(name, "::");
    const char *space = strchr(name, ' ');
    if (end && end != name && (!space || space > end))
        return (struct nested_about){name, (unsigned)(end - name), NULL, waits_of_op(name)};
    return (struct nested_about){scope == TORCH_FUNCTION ? "op" : "script", 0, NULL, PROFTOP_WORKS};
}

int torch_is_collective(unsigned scope, const char *name)
{
    const struct nested_about about = torch_describe(scope, name);
    return about.waits == PROFTOP_WAITS_FOR_JOBS && !about.function;
}

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
    const char *op_class;
    const char *function;  /* phase of it and of those inside; NULL: the caller's */
    uint32_t waits;        /* enum proftop_waits */
    const char *short_for; /* on screens, for what it begins with; or NULL */
} names[] = {
    {TORCH_MODULE, "", "module", NULL, PROFTOP_WORKS, NULL},
    {TORCH_COMPILER, "", "compiler", NULL, PROFTOP_ASIDE, NULL},
    {TORCH_KERNEL, "", "kernel", TORCH_DEVICE, PROFTOP_ASIDE, NULL},
    {TORCH_COPY, "", "copy", TORCH_DEVICE, PROFTOP_ASIDE, NULL},
    /* The engine runs these in a backward pass. Others call some of them in a forward pass. */
    {TORCH_BACKWARD, "", "autograd", NULL, PROFTOP_WORKS, NULL},
    {ANY, "autograd::engine::evaluate_function: ", "autograd", TORCH_BACKWARDS, PROFTOP_WORKS,
     "engine: "},
    {ANY, "autograd::engine::", "autograd", TORCH_BACKWARDS, PROFTOP_WORKS, NULL},
    {ANY, "c10d::", "collective", NULL, PROFTOP_WAITS_FOR_JOBS, NULL},
    {ANY, "gloo:", "collective", NULL, PROFTOP_WAITS_FOR_JOBS, NULL},
    {ANY, "nccl:", "collective", NULL, PROFTOP_WAITS_FOR_JOBS, NULL},
    {ANY, "mpi:", "collective", NULL, PROFTOP_WAITS_FOR_JOBS, NULL},
    {ANY, "ucc:", "collective", NULL, PROFTOP_WAITS_FOR_JOBS, NULL},
    {ANY, "Torch-Compiled Region", "compiled", NULL, PROFTOP_WORKS, NULL},
    {ANY, "CompiledFunction", "compiled", NULL, PROFTOP_WORKS, NULL},
    {ANY, "## Call CompiledFxGraph", "compiled", NULL, PROFTOP_WORKS, NULL},
    {ANY, "AOTDispatcher ", "compiled", NULL, PROFTOP_WORKS, NULL},
    {ANY, "TorchDynamo ", "compiled", NULL, PROFTOP_WORKS, NULL},
    {ANY, "Pregraph bytecode", "compiled", NULL, PROFTOP_WORKS, NULL},
    {ANY, "graph_", "compiled", NULL, PROFTOP_WORKS, NULL},
    {ANY, "triton_", "compiled", NULL, PROFTOP_WORKS, NULL},
    {TORCH_RANGE, "Optimizer.", "optimizer", "optimizer step", PROFTOP_WORKS, NULL},
    /* Batches of other processes are waited for; else this process makes them. */
    {TORCH_RANGE, "enumerate(DataLoader)#_MultiProcessing", "data", "data", PROFTOP_WAITS_FOR_JOBS,
     NULL},
    {TORCH_RANGE, "enumerate(DataLoader)", "data", "data", PROFTOP_WORKS, NULL},
    {TORCH_RANGE, "DistributedDataParallel.", "distributed", NULL, PROFTOP_WORKS, NULL},
    {TORCH_RANGE, "FullyShardedDataParallel.", "distributed", NULL, PROFTOP_WORKS, NULL},
    {TORCH_RANGE, "FSDP::", "distributed", NULL, PROFTOP_WORKS, NULL},
    {TORCH_RANGE, "", "range", NULL, PROFTOP_WORKS, NULL},
};

struct nested_about torch_describe(unsigned scope, const char *name)
{
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if ((names[i].scope == ANY || names[i].scope == scope) &&
            strncmp(name, names[i].begins, strlen(names[i].begins)) == 0)
            return (struct nested_about){.op_class = names[i].op_class,
                                         .function = names[i].function,
                                         .waits = names[i].waits,
                                         .short_for = names[i].short_for,
                                         .begin = (unsigned)strlen(names[i].begins)};
    /* An op: its namespace is its class. */
    const char *end = strstr(name, "::");
    const char *space = strchr(name, ' ');
    if (end && end != name && (!space || space > end))
        return (struct nested_about){
            .op_class = name, .class_size = (unsigned)(end - name), .waits = waits_of_op(name)};
    return (struct nested_about){.op_class = scope == TORCH_FUNCTION ? "op" : "script",
                                 .waits = PROFTOP_WORKS};
}

int torch_is_collective(unsigned scope, const char *name)
{
    const struct nested_about about = torch_describe(scope, name);
    return about.waits == PROFTOP_WAITS_FOR_JOBS && !about.function;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * import_names.c: the table of names. The adapter for PyTorch has the same classes, so a print
 * and a running job can be compared.
 */
#include "model/import_names.h"

/* The first row that fits holds. */
static const struct {
    const char *begins, *has, *op_class;
} names[] = {
    {"autograd::engine::", "", "autograd"},
    {"c10d::", "", "collective"},
    {"gloo:", "", "collective"},
    {"nccl:", "", "collective"},
    {"mpi:", "", "collective"},
    {"ucc:", "", "collective"},
    {"torch::autograd::", "", "autograd"},
    {"Torch-Compiled Region", "", "compiled"},
    {"CompiledFunction", "", "compiled"},
    {"## Call CompiledFxGraph", "", "compiled"},
    {"AOTDispatcher ", "", "compiled"},
    {"TorchDynamo ", "", "compiled"},
    {"Pregraph bytecode", "", "compiled"},
    {"graph_", "", "compiled"},
    {"triton_", "", "compiled"},
    {"Optimizer.", "", "optimizer"},
    {"enumerate(DataLoader)", "", "data"},
    {"DistributedDataParallel.", "", "distributed"},
    {"FullyShardedDataParallel.", "", "distributed"},
    {"FSDP::", "", "distributed"},
    {"<built-in ", "", "python"},
    {"nn.Module: ", "", "module"},
    {"void ", "", "kernel"},
    {"Memcpy ", "", "copy"},
    {"Memset ", "", "copy"},
    {"", "Backward", "autograd"},
    {"", ".py(", "python"},
};

struct model_bytes model_torch_class(struct model_bytes name, const char *other)
{
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (model_bytes_begin(name, names[i].begins) &&
            (!*names[i].has || (model_bytes_find(name, names[i].has) != SIZE_MAX &&
                                model_bytes_find(name, "::") == SIZE_MAX)))
            return model_bytes_of(names[i].op_class);
    const size_t colons = model_bytes_find(name, "::");
    if (colons != SIZE_MAX && colons > 0 && model_bytes_find(name, " ") > colons &&
        model_bytes_find(name, "<") > colons && model_bytes_find(name, "(") > colons)
        return (struct model_bytes){name.data, colons};
    return model_bytes_of(other);
}

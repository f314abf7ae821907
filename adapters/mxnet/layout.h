/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * layout.h: offsets of the fields that the hooks read in MXNet's objects. MXNet has no stable
 * interface for them. The offsets were measured on the x86-64 wheels of 1.9.1 and 2.0.0b1, which
 * share most. */
#ifndef PROFTOP_MXNET_LAYOUT_H
#define PROFTOP_MXNET_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

/* Bytes from the start of each object. */
struct layout {
    const char *version;
    const char *build; /* build id of the measured wheel */
    unsigned slots;    /* number that slots_find() finds there */
    /* engine::OprBlock */
    unsigned block_operator, block_device;
    /* engine::ThreadedOpr */
    unsigned operator_name, operator_lane;
    /* exec::OpExecutor */
    unsigned executor_inputs, executor_outputs, executor_attributes;
    /* nnvm::NodeAttrs */
    unsigned attributes_op, attributes_name;
    unsigned attributes_custom; /* Custom operator: pointer to an object that begins with it */
    /* NDArray */
    unsigned array_size, array_shape, array_dtype;
    /* Storage::Handle */
    unsigned handle_bytes, handle_device, handle_scope, handle_name; /* 0: no such field */
    /* std::function<void(RunContext)> takes its argument by value; else by reference */
    int context_by_value;
};

extern const struct layout layout_1, layout_2;
extern const struct layout *layout; /* current layout; NULL: not attached yet */

/* A std::string of the old ABI is the address of its bytes. The length is 24 bytes before. */
static inline size_t layout_length(const char *bytes)
{
    return *(const size_t *)(const void *)(bytes - 24);
}
static inline const char *layout_pointer(const char *object, unsigned offset)
{
    return *(const char *const *)(const void *)(object + offset);
}

/* Shapes and types of the inputs and outputs of a node. */
enum { LAYOUT_VALUES = 16, LAYOUT_RANK = 8 };
struct layout_value {
    const char *dtype;
    uint32_t rank; /* UINT32_MAX: unknown */
    uint64_t shape[LAYOUT_RANK];
    uint64_t bytes; /* UINT64_MAX: unknown */
};
struct layout_values {
    unsigned inputs, outputs;
    struct layout_value value[LAYOUT_VALUES]; /* inputs, then outputs */
};
/* Reads vectors of NDArray pointers (begin, end), or of NDArrays. */
void layout_from_pointers(struct layout_values *values, void *const *inputs, void *const *outputs);
void layout_from_executor(struct layout_values *values, const char *executor);

#endif

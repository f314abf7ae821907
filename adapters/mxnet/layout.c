/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * layout.c: reads objects of MXNet. */
#include "adapters/mxnet/layout.h"

const struct layout layout_1 = {
    .version = "1.9.1",
    .slots = 45,
    .build = "472988f6268780302be9ee15d6c53d9a07b534f5",
    .block_operator = 8, .block_device = 16,
    .operator_name = 0x58, .operator_lane = 0x50,
    .executor_inputs = 8, .executor_outputs = 0x20, .executor_attributes = 0xa8,
    .attributes_op = 0, .attributes_name = 8, .attributes_custom = 72,
    .array_size = 224, .array_shape = 16, .array_dtype = 72,
    .handle_bytes = 8, .handle_device = 16,
    .context_by_value = 1,
};
const struct layout layout_2 = {
    .version = "2.0.0b1",
    .slots = 40,
    .build = "253f6e82c9aa7c1924a1309ab42b273c9afc0816",
    .block_operator = 8, .block_device = 16,
    .operator_name = 0x58, .operator_lane = 0x50,
    .executor_inputs = 8, .executor_outputs = 0x20, .executor_attributes = 0xc0,
    .attributes_op = 0, .attributes_name = 8, .attributes_custom = 80,
    .array_size = 312, .array_shape = 16, .array_dtype = 104,
    .handle_bytes = 8, .handle_device = 16, .handle_scope = 32, .handle_name = 40,
    .context_by_value = 0,
};
const struct layout *layout;

/* mshadow's type numbers. */
static const struct dtype {
    const char *name;
    unsigned size;
} dtypes[] = {{"float32", 4}, {"float64", 8}, {"float16", 2}, {"uint8", 1},  {"int32", 4},
              {"int8", 1},    {"int64", 8},   {"bool", 1},    {"int16", 2},  {"uint16", 2},
              {"uint32", 4},  {"uint64", 8},  {"bfloat16", 2}};

static int dtype_is_known(int dtype)
{
    return dtype >= 0 && dtype < (int)(sizeof dtypes / sizeof *dtypes);
}
static const char *dtype_name(int dtype)
{
    return dtype_is_known(dtype) ? dtypes[dtype].name : NULL;
}
static uint64_t dtype_size(int dtype)
{
    return dtype_is_known(dtype) ? dtypes[dtype].size : 0;
}

static void read_array(struct layout_value *value, const char *array)
{
    const char *shape = array + layout->array_shape;
    int rank = *(const int *)(const void *)shape;
    int dtype = *(const int *)(const void *)(array + layout->array_dtype);
    value->dtype = dtype_name(dtype);
    value->rank = UINT32_MAX;
    value->bytes = UINT64_MAX;
    if (rank < 0 || rank > LAYOUT_RANK)
        return;
    const int64_t *sizes = rank <= 4 ? (const void *)(shape + 8)
                                     : *(const int64_t *const *)(const void *)(shape + 40);
    for (int i = 0; i < rank; i++) {
        if (sizes[i] < 0)
            return;
        value->shape[i] = (uint64_t)sizes[i];
    }
    value->rank = (uint32_t)rank;
    value->bytes = dtype_size(dtype);
    for (int i = 0; i < rank; i++)
        if (__builtin_mul_overflow(value->bytes, value->shape[i], &value->bytes))
            value->bytes = UINT64_MAX;
    if (!value->dtype)
        value->bytes = UINT64_MAX;
}

static unsigned read_pointers(struct layout_value *to, unsigned room, void *const *vector)
{
    unsigned n = 0;
    if (vector)
        for (char *const *at = vector[0]; at < (char *const *)vector[1] && n < room; at++)
            read_array(&to[n++], *at);
    return n;
}

void layout_from_pointers(struct layout_values *values, void *const *inputs, void *const *outputs)
{
    values->inputs = read_pointers(values->value, LAYOUT_VALUES, inputs);
    values->outputs = read_pointers(values->value + values->inputs,
                                    LAYOUT_VALUES - values->inputs, outputs);
}

static unsigned read_arrays(struct layout_value *to, unsigned room, const char *vector)
{
    const char *at = *(const char *const *)(const void *)vector;
    const char *end = *(const char *const *)(const void *)(vector + 8);
    unsigned n = 0;
    for (; at < end && n < room; at += layout->array_size)
        read_array(&to[n++], at);
    return n;
}

void layout_from_executor(struct layout_values *values, const char *executor)
{
    values->inputs =
        read_arrays(values->value, LAYOUT_VALUES, executor + layout->executor_inputs);
    values->outputs =
        read_arrays(values->value + values->inputs, LAYOUT_VALUES - values->inputs,
                    executor + layout->executor_outputs);
}

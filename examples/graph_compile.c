/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * graph_compile.c: compiles a built function, and defines it to the feed. */
#include "graph.h"

#include <stdio.h>

static proftop_id class_of(struct engine *engine, const char *name)
{
    size_t i = 0;

    while (i < engine->classes_count && engine->classes[i].name != name)
        i++;
    if (i == GRAPH_CLASSES_MAX)
        graph_die("more than %d classes: raise GRAPH_CLASSES_MAX", GRAPH_CLASSES_MAX);
    if (i == engine->classes_count) {
        engine->classes[i].name = name;
        engine->classes[i].id = proftop_class(engine->feed, name);
        engine->classes_count++;
    }
    return engine->classes[i].id;
}

/* "Dot(x, w1)": the op and its operands. A result is named after its op. */
static void apply_text(const struct apply *apply, char *text, size_t size)
{
    int used = snprintf(text, size, "%s(", apply->op->text);

    for (size_t i = 0; i < GRAPH_INPUTS_MAX && apply->in[i]; i++) {
        const struct variable *in = apply->in[i];
        used += snprintf(text + used, size - (size_t)used, "%s%s%s", i ? ", " : "",
                         in->owner ? in->owner->op->text : in->name, in->owner ? ".0" : "");
    }
    snprintf(text + used, size - (size_t)used, ")");
}

static void define(struct function *function, struct apply *apply, uint32_t index)
{
    struct engine *engine = function->engine;
    struct op *op = &engine->ops[apply->op - engine->ops];
    const char *op_class = op_kinds[op->code].op_class;
    char text[256];

    if (op->id == PROFTOP_NONE)
        op->id = proftop_op(engine->feed, class_of(engine, op_class), op->text);
    apply_text(apply, text, sizeof text);
    apply->id = proftop_apply(engine->feed, &(struct proftop_apply_info){
                                                .size = sizeof(struct proftop_apply_info),
                                                .function = function->id,
                                                .op = op->id,
                                                .index = index,
                                                .text = text,
                                                .source = PROFTOP_TIMED,
                                                .kind = PROFTOP_SYMBOLIC,
                                                .impl = PROFTOP_IMPL_C,
                                            });
    if (!engine->truth)
        return;
    apply->truth_row = truth_apply(engine->truth, function->truth_row, index, op->text, op_class);
    if (apply->truth_row == UINT32_MAX)
        graph_die("out of memory for the truth");
}

/* Allocates the result, unless it overwrites its input, and sets the arguments of the kernel. */
static void bind(struct apply *apply)
{
    struct variable *out = apply->out;

    for (size_t i = 0; i < GRAPH_INPUTS_MAX && apply->in[i]; i++)
        apply->args[i] = &apply->in[i]->value;
    if (op_kinds[apply->op->code].in_place) {
        out->value.data = apply->in[0]->value.data;
    } else {
        out->value.data = graph_need(out->value.rows * out->value.cols, sizeof(float));
        out->storage_owned = true;
    }
}

/* Floating-point operations: a number per element of the result, or per element of the first
 * operand, or two for each product of two elements. Ops without a row are not counted. */
static const struct {
    enum { NOT_COUNTED, OF_RESULT, OF_OPERAND, OF_PRODUCTS } of;
    uint8_t each;
} work[OP_CODES] = {
    [OP_DOT] = {OF_PRODUCTS, 2},     [OP_DOT_TN] = {OF_PRODUCTS, 2},
    [OP_DOT_NT] = {OF_PRODUCTS, 2},  [OP_TRANSPOSE] = {OF_RESULT, 0},
    [OP_ADD] = {OF_RESULT, 1},       [OP_SUB] = {OF_RESULT, 1},
    [OP_MUL] = {OF_RESULT, 1},       [OP_DIV] = {OF_RESULT, 1},
    [OP_SECOND] = {OF_RESULT, 0},    [OP_NEG] = {OF_RESULT, 1},
    [OP_SUM] = {OF_OPERAND, 1},      [OP_SUM_ROWS] = {OF_OPERAND, 1},
    [OP_SUM_COLS] = {OF_OPERAND, 1}, [OP_ROWS] = {OF_RESULT, 0},
    [OP_ONE_HOT] = {OF_RESULT, 0},   [OP_MOMENTUM] = {OF_RESULT, 2},
    [OP_SGD] = {OF_RESULT, 2},
};

static size_t elements(const struct matrix *matrix)
{
    return matrix->rows * matrix->cols;
}

static uint64_t flops_of(const struct apply *apply)
{
    const struct matrix *out = &apply->out->value, *in = apply->args[0];
    const size_t of[] = {
        [OF_RESULT] = elements(out),
        [OF_OPERAND] = elements(in),
        /* The length of each sum: the elements of the first operand per row of the result. */
        [OF_PRODUCTS] = elements(out) * (elements(in) / out->rows),
    };

    if (work[apply->op->code].of == NOT_COUNTED)
        return PROFTOP_UNKNOWN;
    return of[work[apply->op->code].of] * work[apply->op->code].each;
}

/* Sends the inputs and outputs of a bound apply to the feed. */
static void describe(const struct function *function, const struct apply *apply)
{
    struct proftop_apply_detail_info info = PROFTOP_APPLY_DETAIL;
    struct proftop_value_info value[GRAPH_INPUTS_MAX + 1] = {{0}};
    const struct variable *variable[GRAPH_INPUTS_MAX + 1] = {apply->in[0], apply->in[1]};
    uint64_t shape[GRAPH_INPUTS_MAX + 1][2];
    uint32_t inputs = op_kinds[apply->op->code].inputs;

    variable[inputs] = apply->out;
    for (uint32_t i = 0; i <= inputs; i++) {
        const struct apply *owner = i < inputs ? variable[i]->owner : NULL;
        shape[i][0] = variable[i]->value.rows;
        shape[i][1] = variable[i]->value.cols;
        value[i].dtype = "float32";
        value[i].shape = shape[i];
        value[i].rank = 2;
        value[i].bytes = elements(&variable[i]->value) * sizeof(float);
        value[i].source_plus_1 = owner ? owner->id + 1 : 0;
    }
    if (op_kinds[apply->op->code].in_place)
        value[inputs].alias = PROFTOP_OVERWRITES(0);
    for (size_t i = 0; i < function->outputs_count; i++)
        if (function->outputs[i] == apply->out)
            value[inputs].result_plus_1 = (uint32_t)i + 1;
    info.flops = flops_of(apply);
    info.device = "cpu";
    info.input = value;
    info.inputs = inputs;
    info.output = &value[inputs];
    info.outputs = 1;
    proftop_apply_detail(function->engine->feed, apply->id, &info);
}

void function_compile(struct function *function, const char *file, unsigned line)
{
    struct engine *engine = function->engine;
    uint64_t start_ns = graph_now_ns(), validate_ns = 0;

    function->id = proftop_function(engine->feed, &(struct proftop_function_info){
                                                      .size = sizeof(struct proftop_function_info),
                                                      .name = function->name,
                                                      .file = file,
                                                      .line = line,
                                                      .source = PROFTOP_TIMED,
                                                  });
    if (engine->truth) {
        function->truth_row = truth_function(engine->truth, function->name);
        if (function->truth_row == UINT32_MAX)
            graph_die("out of memory for the truth");
    }
    proftop_compile_begin(engine->feed, function->id);

    uint64_t rewrite_start_ns = graph_now_ns();
    function_rewrite(function, &validate_ns);
    uint64_t link_start_ns = graph_now_ns();
    function->order_count = function_sort(function, function->order);
    proftop_id link = proftop_phase_begin(engine->feed, function->id, PROFTOP_NONE,
                                          PROFTOP_PHASE_LINK, "link", function->order_count);
    for (size_t i = 0; i < function->order_count; i++) {
        bind(function->order[i]);
        define(function, function->order[i], (uint32_t)i);
        describe(function, function->order[i]);
    }
    proftop_phase_end(engine->feed, link, PROFTOP_UNKNOWN, function->order_count);
    uint64_t end_ns = graph_now_ns();

    proftop_compile_end(engine->feed, function->id,
                        &(struct proftop_compile_times){
                            .size = sizeof(struct proftop_compile_times),
                            .compile_ns = end_ns - start_ns,
                            .rewrite_ns = link_start_ns - rewrite_start_ns,
                            .validate_ns = validate_ns,
                            .link_ns = end_ns - link_start_ns,
                        });
}

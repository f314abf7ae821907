/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * graph_grad.c: reverse differentiation. Each rule builds the graph of one op's gradient.
 */
#include "graph.h"

#include <string.h>

/* The gradients collected so far, by the variable's place in its function. */
struct grads {
    struct function *function;
    struct variable *of[GRAPH_VARIABLES_MAX];
};

typedef void grad_rule(struct grads *grads, const struct apply *apply, struct variable *g);

static struct variable *op1(struct grads *grads, enum op_code code, struct variable *a)
{
    return function_apply(grads->function, code, 0, a, NULL);
}

static struct variable *op2(struct grads *grads, enum op_code code, struct variable *a,
                            struct variable *b)
{
    return function_apply(grads->function, code, 0, a, b);
}

static size_t place(const struct function *function, const struct variable *variable)
{
    size_t i = 0;

    while (function->variables[i] != variable)
        i++;
    return i;
}

/* Adds `g` to the gradient of `variable`, summed over the repeated axes. */
static void give(struct grads *grads, struct variable *variable, struct variable *g)
{
    struct variable **slot = &grads->of[place(grads->function, variable)];

    if (variable->constant)
        return;
    if (variable->value.rows == 1 && g->value.rows > 1)
        g = op1(grads, OP_SUM_ROWS, g);
    if (variable->value.cols == 1 && g->value.cols > 1)
        g = op1(grads, OP_SUM_COLS, g);
    *slot = *slot ? op2(grads, OP_ADD, *slot, g) : g;
}

static void grad_dot(struct grads *grads, const struct apply *apply, struct variable *g)
{
    give(grads, apply->in[0], op2(grads, OP_DOT, g, op1(grads, OP_TRANSPOSE, apply->in[1])));
    give(grads, apply->in[1], op2(grads, OP_DOT, op1(grads, OP_TRANSPOSE, apply->in[0]), g));
}

static void grad_add(struct grads *grads, const struct apply *apply, struct variable *g)
{
    give(grads, apply->in[0], g);
    give(grads, apply->in[1], g);
}

static void grad_sub(struct grads *grads, const struct apply *apply, struct variable *g)
{
    give(grads, apply->in[0], g);
    give(grads, apply->in[1], op1(grads, OP_NEG, g));
}

static void grad_mul(struct grads *grads, const struct apply *apply, struct variable *g)
{
    give(grads, apply->in[0], op2(grads, OP_MUL, g, apply->in[1]));
    give(grads, apply->in[1], op2(grads, OP_MUL, g, apply->in[0]));
}

static void grad_div(struct grads *grads, const struct apply *apply, struct variable *g)
{
    struct variable *part = op2(grads, OP_DIV, g, apply->in[1]);

    give(grads, apply->in[0], part);
    give(grads, apply->in[1], op1(grads, OP_NEG, op2(grads, OP_MUL, part, apply->out)));
}

static void grad_neg(struct grads *grads, const struct apply *apply, struct variable *g)
{
    give(grads, apply->in[0], op1(grads, OP_NEG, g));
}

static void grad_exp(struct grads *grads, const struct apply *apply, struct variable *g)
{
    give(grads, apply->in[0], op2(grads, OP_MUL, g, apply->out));
}

static void grad_log(struct grads *grads, const struct apply *apply, struct variable *g)
{
    give(grads, apply->in[0], op2(grads, OP_DIV, g, apply->in[0]));
}

static void grad_tanh(struct grads *grads, const struct apply *apply, struct variable *g)
{
    struct variable *one = function_constant(grads->function, 1);
    struct variable *square = op2(grads, OP_MUL, apply->out, apply->out);

    give(grads, apply->in[0], op2(grads, OP_MUL, g, op2(grads, OP_SUB, one, square)));
}

static void grad_relu(struct grads *grads, const struct apply *apply, struct variable *g)
{
    give(grads, apply->in[0], op2(grads, OP_MUL, g, op1(grads, OP_STEP, apply->in[0])));
}

static void grad_sum(struct grads *grads, const struct apply *apply, struct variable *g)
{
    give(grads, apply->in[0], op2(grads, OP_SECOND, apply->in[0], g));
}

static void grad_softmax(struct grads *grads, const struct apply *apply, struct variable *g)
{
    give(grads, apply->in[0], op2(grads, OP_SOFTMAX_GRAD, g, apply->out));
}

/* An op without a rule has no gradient: indexing, comparisons, and results computed from whole
 * numbers. */
static grad_rule *const rules[OP_CODES] = {
    [OP_DOT] = grad_dot,      [OP_ADD] = grad_add,         [OP_SUB] = grad_sub,
    [OP_MUL] = grad_mul,      [OP_DIV] = grad_div,         [OP_NEG] = grad_neg,
    [OP_EXP] = grad_exp,      [OP_LOG] = grad_log,         [OP_TANH] = grad_tanh,
    [OP_RELU] = grad_relu,    [OP_SUM] = grad_sum,         [OP_SUM_ROWS] = grad_sum,
    [OP_SUM_COLS] = grad_sum, [OP_SOFTMAX] = grad_softmax,
};

void function_grad(struct function *function, struct variable *cost, struct variable *const wrt[],
                   size_t count)
{
    struct grads grads = {.function = function};
    struct apply *order[GRAPH_VARIABLES_MAX];

    /* Visits only the applies between the inputs and the cost, the last one first. */
    size_t kept = function->outputs_count;
    function->outputs_count = 0;
    function_output(function, cost);
    size_t applies = function_sort(function, order);
    function->outputs_count = kept;

    grads.of[place(function, cost)] = function_constant(function, 1);
    while (applies-- > 0) {
        struct variable *g = grads.of[place(function, order[applies]->out)];
        if (g && rules[order[applies]->op->code])
            rules[order[applies]->op->code](&grads, order[applies], g);
    }
    for (size_t i = 0; i < count; i++) {
        struct variable *g = grads.of[place(function, wrt[i])];
        if (!g)
            graph_die("the cost of %s does not depend on %s", function->name, wrt[i]->name);
        function_output(function, g);
    }
}

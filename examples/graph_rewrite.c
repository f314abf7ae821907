/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * graph_rewrite.c: simplifies the graph after differentiation, and checks that it is still
 * valid. */
#include "graph.h"

#include <stdlib.h>
#include <string.h>

/* A rule returns a variable with the same value as the apply's result, or NULL. */
typedef struct variable *rewrite_rule(struct function *function, struct apply *apply);

static bool same_shape(const struct variable *a, const struct variable *b)
{
    return a->value.rows == b->value.rows && a->value.cols == b->value.cols;
}

static bool made_by(const struct variable *variable, enum op_code code)
{
    return variable && variable->owner && variable->owner->op->code == code;
}

static bool equal_inputs(const struct variable *a, const struct variable *b)
{
    if (a == b)
        return true;
    return a && b && a->constant && b->constant && same_shape(a, b) &&
           !memcmp(a->value.data, b->value.data,
                   a->value.rows * a->value.cols * sizeof *a->value.data);
}

/* Two applies of one op to equal inputs are one apply. */
static struct variable *rule_merge(struct function *function, struct apply *apply)
{
    for (size_t i = 0; function->applies[i] != apply; i++) {
        const struct apply *other = function->applies[i];
        if (other->op == apply->op && equal_inputs(other->in[0], apply->in[0]) &&
            equal_inputs(other->in[1], apply->in[1]))
            return other->out;
    }
    return NULL;
}

/* An apply of constants is a constant. */
static struct variable *rule_fold(struct function *function, struct apply *apply)
{
    const struct matrix *args[GRAPH_INPUTS_MAX] = {NULL, NULL};

    if (apply->out->value.rows * apply->out->value.cols != 1)
        return NULL;
    for (size_t i = 0; i < GRAPH_INPUTS_MAX && apply->in[i]; i++) {
        if (!apply->in[i]->constant)
            return NULL;
        args[i] = &apply->in[i]->value;
    }
    float result = 0;
    struct matrix out = {1, 1, &result};
    op_kinds[apply->op->code].kernel(args, &out, apply->op->param);
    return function_constant(function, result);
}

/* x * 1 and 1 * x are x. */
static struct variable *rule_one(struct function *function, struct apply *apply)
{
    (void)function;
    if (apply->op->code != OP_MUL)
        return NULL;
    for (size_t i = 0; i < 2; i++) {
        const struct variable *one = apply->in[i];
        if (one->constant && one->value.rows * one->value.cols == 1 && one->value.data[0] == 1 &&
            same_shape(apply->in[1 - i], apply->out))
            return apply->in[1 - i];
    }
    return NULL;
}

/* A product or quotient repeats a small operand itself, so it need not be expanded before. */
static struct variable *rule_second(struct function *function, struct apply *apply)
{
    if (apply->op->code != OP_MUL && apply->op->code != OP_DIV)
        return NULL;
    for (size_t i = 0; i < 2; i++) {
        if (!made_by(apply->in[i], OP_SECOND) || !same_shape(apply->in[1 - i], apply->out))
            continue;
        struct variable *in[2] = {apply->in[0], apply->in[1]};
        in[i] = apply->in[i]->owner->in[1];
        return function_apply(function, apply->op->code, 0, in[0], in[1]);
    }
    return NULL;
}

/* The product can read an operand in the other order, so it need not be transposed before. */
static struct variable *rule_transpose(struct function *function, struct apply *apply)
{
    if (apply->op->code != OP_DOT)
        return NULL;
    if (made_by(apply->in[0], OP_TRANSPOSE))
        return function_apply(function, OP_DOT_TN, 0, apply->in[0]->owner->in[0], apply->in[1]);
    if (made_by(apply->in[1], OP_TRANSPOSE))
        return function_apply(function, OP_DOT_NT, 0, apply->in[0], apply->in[1]->owner->in[0]);
    return NULL;
}

static const struct {
    const char *name;
    rewrite_rule *rule;
} rules[] = {
    {"merge", rule_merge},   {"fold", rule_fold},           {"times one", rule_one},
    {"second", rule_second}, {"transpose", rule_transpose},
};
enum { RULES = sizeof rules / sizeof rules[0] };

/* Drops the applies that no output needs any more. The rest is in order of execution. */
static void prune(struct function *function)
{
    struct apply *order[GRAPH_VARIABLES_MAX];
    size_t count = function_sort(function, order);

    for (size_t i = 0; i < function->applies_count; i++)
        if (!function->applies[i]->sorted) {
            function->applies[i]->out->owner = NULL;
            free(function->applies[i]);
        }
    memcpy(function->applies, order, count * sizeof *order);
    function->applies_count = count;
}

/* Applies one rule everywhere. */
static bool rewrite_all(struct function *function, rewrite_rule *rule)
{
    bool changed = false;

    for (size_t i = 0; i < function->applies_count; i++) {
        struct apply *apply = function->applies[i];
        if (op_kinds[apply->op->code].in_place)
            continue;
        struct variable *better = rule(function, apply);
        if (better && better != apply->out && function_replace(function, apply->out, better))
            changed = true;
    }
    return changed;
}

/* Checks that each input exists and fits, and that no apply reads a value after it was
 * overwritten. */
static void validate(struct function *function)
{
    struct apply *order[GRAPH_VARIABLES_MAX];
    size_t count = function_sort(function, order);

    for (size_t i = 0; i < count; i++) {
        const struct apply *apply = order[i];
        const struct op_kind *kind = &op_kinds[apply->op->code];
        const struct matrix *const in[GRAPH_INPUTS_MAX] = {
            &apply->in[0]->value, apply->in[1] ? &apply->in[1]->value : NULL};
        struct matrix out = {0, 0, NULL};
        if (!kind->shape(in, &out, apply->op->param) || out.rows != apply->out->value.rows ||
            out.cols != apply->out->value.cols)
            graph_die("%s: a rewrite broke the shape of %s", function->name, apply->op->text);
        for (size_t j = i + 1; kind->in_place && j < count; j++)
            if (order[j]->in[0] == apply->in[0] || order[j]->in[1] == apply->in[0])
                graph_die("%s: %s reads what %s has overwritten", function->name,
                          order[j]->op->text, apply->op->text);
    }
}

/* A phase as the engine itself counts it: its clock encloses the library's. */
struct phase {
    const char *name;
    enum proftop_phase_kind kind;
    struct truth_count count;
    size_t before, after;
    uint64_t start_ns;
    proftop_id id;
};

static void begin(struct function *function, struct phase *phase, proftop_id parent)
{
    size_t nodes = function->applies_count;

    if (phase->count.calls == 0)
        phase->before = nodes;
    phase->start_ns = graph_now_ns();
    phase->id = proftop_phase_begin(function->engine->feed, function->id, parent, phase->kind,
                                    phase->name, nodes);
}

static void end(struct function *function, struct phase *phase, uint64_t validate_ns)
{
    phase->after = function->applies_count;
    proftop_phase_end(function->engine->feed, phase->id, validate_ns, phase->after);
    phase->count.ns += graph_now_ns() - phase->start_ns;
    phase->count.calls++;
}

static void keep_truth(const struct function *function, const struct phase *phase,
                       const char *parent)
{
    const struct truth_phase row = {function->truth_row, phase->name,   parent,
                                    phase->count,        phase->before, phase->after};

    if (function->engine->truth && !truth_phase(function->engine->truth, &row))
        graph_die("out of memory for the truth");
}

void function_rewrite(struct function *function, uint64_t *validate_ns)
{
    struct phase all = {.name = "rewrite", .kind = PROFTOP_PHASE_REWRITE};
    struct phase check = {.name = "validate", .kind = PROFTOP_PHASE_VALIDATE};
    struct phase each[RULES] = {0};
    bool changed = true;

    begin(function, &all, PROFTOP_NONE);
    prune(function);
    while (changed) {
        changed = false;
        for (size_t i = 0; i < RULES; i++) {
            each[i].name = rules[i].name;
            each[i].kind = PROFTOP_PHASE_REWRITE;
            begin(function, &each[i], all.id);
            changed |= rewrite_all(function, rules[i].rule);
            prune(function);
            end(function, &each[i], PROFTOP_UNKNOWN);
        }
        uint64_t start_ns = graph_now_ns();
        begin(function, &check, all.id);
        validate(function);
        end(function, &check, PROFTOP_UNKNOWN);
        *validate_ns += graph_now_ns() - start_ns;
    }
    end(function, &all, *validate_ns);
    keep_truth(function, &all, NULL);
    for (size_t i = 0; i < RULES; i++)
        keep_truth(function, &each[i], all.name);
    keep_truth(function, &check, all.name);
}

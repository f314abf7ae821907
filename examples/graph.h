/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * graph.h: a small graph engine that publishes the functions it runs, as your own engine would.
 *
 * A function is built out of variables and applies, differentiated (graph_grad.c), rewritten
 * (graph_rewrite.c) and compiled (graph_compile.c), then run many times. Ops that compare equal
 * (same code, same parameter) are one op for the engine and for proftop. A graph that does not fit
 * together is an error of the program that built it: the engine prints a message on stderr and
 * exits. */
#ifndef EXAMPLES_GRAPH_H
#define EXAMPLES_GRAPH_H

#include "kernels.h"
#include "truth.h"

#include <proftop.h>
#include <proftop_adapter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    GRAPH_INPUTS_MAX = 2,
    GRAPH_OPS_MAX = 64,
    GRAPH_CLASSES_MAX = 32,
    GRAPH_VARIABLES_MAX = 256, /* of one function; the same limit for its applies */
    GRAPH_OUTPUTS_MAX = 16
};

/* Rows of the table of ops in graph_ops.c. */
enum op_code {
    OP_DOT,
    OP_DOT_TN,
    OP_DOT_NT,
    OP_TRANSPOSE,
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_EQ,
    OP_SECOND,
    OP_NEG,
    OP_EXP,
    OP_LOG,
    OP_TANH,
    OP_RELU,
    OP_STEP,
    OP_SUM,
    OP_SUM_ROWS,
    OP_SUM_COLS,
    OP_MAX_COLS,
    OP_ARGMAX_COLS,
    OP_SOFTMAX,
    OP_SOFTMAX_GRAD,
    OP_ROWS,
    OP_ONE_HOT,
    OP_MOMENTUM,
    OP_SGD,
    OP_CODES
};

/* The properties of one code. `shape` returns false if the inputs do not fit. */
struct op_kind {
    const char *op_class;
    const char *format; /* of the op's text; a %g takes the parameter */
    kernel_fn *kernel;
    bool (*shape)(const struct matrix *const in[], struct matrix *out, float param);
    uint8_t inputs;
    bool has_param;
    bool in_place; /* overwrites its first input */
};
extern const struct op_kind op_kinds[OP_CODES];

struct op {
    enum op_code code;
    float param;
    char text[48];
    proftop_id id; /* PROFTOP_NONE until a function with it is linked */
};

struct variable {
    char name[32];       /* "" for a result: it is named after its op */
    struct matrix value; /* the storage of a result is allocated when the function is linked */
    struct apply *owner; /* NULL for an input or a constant */
    bool constant;
    bool storage_owned;
};

struct apply {
    const struct op *op;
    struct variable *in[GRAPH_INPUTS_MAX];
    struct variable *out;
    const struct matrix *args[GRAPH_INPUTS_MAX]; /* arguments of the kernel */
    bool sorted;
    proftop_id id;
    uint32_t truth_row;
};

/* One worker thread's own measurement of its runs. */
struct worker {
    uint64_t loop_ns; /* inside the loops over the applies */
    uint64_t calls;
    struct truth_thread *truth; /* NULL: the truth is not recorded */
};

struct engine {
    struct proftop *feed;
    struct truth *truth; /* NULL: the truth is not recorded */
    size_t ops_count;
    struct op ops[GRAPH_OPS_MAX];
    size_t classes_count;
    struct {
        const char *name;
        proftop_id id;
    } classes[GRAPH_CLASSES_MAX];
};

struct function {
    struct engine *engine;
    const char *name;
    proftop_id id;
    uint32_t truth_row;
    size_t variables_count;
    size_t applies_count;
    size_t order_count;
    size_t outputs_count;
    struct variable *variables[GRAPH_VARIABLES_MAX];
    struct apply *applies[GRAPH_VARIABLES_MAX];
    struct apply *order[GRAPH_VARIABLES_MAX]; /* of execution; made by function_compile() */
    struct variable *outputs[GRAPH_OUTPUTS_MAX];
};

/* Prints the message on stderr and exits with status 1. */
void graph_die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
/* calloc() or graph_die(). */
void *graph_need(size_t count, size_t size);
uint64_t graph_now_ns(void);

/* `feed` and `truth` are borrowed for the life of the engine; `truth` may be NULL. */
void engine_init(struct engine *engine, struct proftop *feed, struct truth *truth);

/* `name` is borrowed for the life of the function. */
void function_init(struct function *function, struct engine *engine, const char *name);
void function_release(struct function *function);

/* Variables belong to their function. The storage of an input is borrowed; `value.data` may point
 * elsewhere between two runs. */
struct variable *function_input(struct function *function, const char *name, struct matrix value);
struct variable *function_constant(struct function *function, float value);

/* Applies an op to its inputs (`b` is NULL if it takes one) and returns its result. */
struct variable *function_apply(struct function *function, enum op_code code, float param,
                                struct variable *a, struct variable *b);

/* Keeps a variable as an output. Returns its place in `outputs`, where rewriting may change it. */
size_t function_output(struct function *function, struct variable *variable);

/* Makes the gradients of the scalar `cost` for `count` variables and keeps each as an output. */
void function_grad(struct function *function, struct variable *cost, struct variable *const wrt[],
                   size_t count);

/* Rewrites, validates, sorts and links; defines everything to the feed and the truth. An op that
 * overwrites its input keeps the storage that this input has now. `file` and `line`: the source
 * line. */
void function_compile(struct function *function, const char *file, unsigned line);

/* Begins each apply and fails it at once, which counts nothing. So the library reserves the
 * counters of the calling thread now, and the first call takes no longer than the others. */
void function_warm(const struct function *function);

/* One call. `worker` belongs to the calling thread. */
void function_run(struct function *function, struct worker *worker);

/* For graph_compile.c, graph_rewrite.c and graph_grad.c.
 * Rewrites in place until nothing changes. Adds the time of its own checks to `validate_ns`. */
void function_rewrite(struct function *function, uint64_t *validate_ns);
/* Replaces `from` by `to` wherever it is read or kept. Returns whether it was. */
bool function_replace(struct function *function, const struct variable *from, struct variable *to);
/* Sorts the applies that the outputs need: inputs first, applies that overwrite after all readers.
 * Returns their number. A cycle is an error of the engine and ends the program. */
size_t function_sort(struct function *function, struct apply *order[GRAPH_VARIABLES_MAX]);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * seed_job.c: publishes one of the tables below with exactly its durations, and runs until its
 * standard input ends. So proftop's output is known beforehand. `many N` is a table of N nodes,
 * each with an op and a class of its own.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "proftop_adapter.h"

enum { APPLIES = 8, SLEEP_MS = 10, MANY_MS = 10 };

/* Multiples of 2^-22 s, the clock tick in the documents' example, in whole ns. */
#define Q(n) ((uint64_t)(((uint64_t)(n) * 1000000000u + (1u << 21)) >> 22))
#define US   1000u

/* As a number of calls: the node begins, and ends only with the program. */
#define HANGS UINT64_MAX

struct node {
    int op_class, op; /* numbers within the table */
    uint32_t index;
    uint64_t calls, ns; /* of each call; 0: a real sleep, timed by the library */
    enum proftop_impl impl;
    const char *text;
};

struct table {
    const char *word;
    const char *function;
    const char *op_class[APPLIES], *op[APPLIES];
    struct node node[APPLIES];
    uint64_t calls, call_ns, vm_ns;
    struct proftop_compile_times compile;
};

#define COMPILE(all, rewrite, validate, link)                                                      \
    {                                                                                              \
        sizeof(struct proftop_compile_times), all, rewrite, validate, link                         \
    }

static const struct table tables[] = {
    {
        .word = "example",
        .op_class = {"tensor.elemwise.Elemwise"},
        .op = {"Elemwise{add,no_inplace}", "Elemwise{mul,no_inplace}"},
        .node = {{0, 0, 0, 1, Q(13), PROFTOP_IMPL_C, "Elemwise{add,no_inplace}(x, y)"},
                 {0, 0, 1, 1, Q(4), PROFTOP_IMPL_C,
                  "Elemwise{add,no_inplace}(Elemwise{add,no_inplace}.0, z)"},
                 {0, 1, 2, 1, Q(9), PROFTOP_IMPL_C,
                  "Elemwise{mul,no_inplace}(TensorConstant{(1,) of 2.0}, "
                  "Elemwise{add,no_inplace}.0)"}},
        .calls = 1,
        .call_ns = Q(239),
        .vm_ns = Q(50),
        .compile = COMPILE(3642474000u, 73265080, 371218, 958492000),
    },
    {
        .word = "regression",
        .function = "regression",
        .op_class = {"Dot22", "Elemwise", "Sum", "DimShuffle"},
        .op = {"_dot22", "mul", "Sum{0}", "InplaceDimShuffle{x,0}"},
        .node = {{0, 0, 15, 1, 69 * US, PROFTOP_IMPL_C, "_dot22"},
                 {0, 0, 1, 1, 64 * US, PROFTOP_IMPL_C, "_dot22"},
                 {1, 1, 10, 1, 49 * US, PROFTOP_IMPL_C, "mul"},
                 {1, 1, 17, 1, 46 * US, PROFTOP_IMPL_PY, "mul"},
                 {1, 1, 18, 1, 44 * US, PROFTOP_IMPL_C, "mul"},
                 {2, 2, 14, 1, 675 * US, PROFTOP_IMPL_C, "Sum{0}"},
                 {3, 3, 0, 1, 53 * US, PROFTOP_IMPL_C, "InplaceDimShuffle{x,0}"}},
        .calls = 1,
        .call_ns = 2000 * US,
        .vm_ns = 1500 * US,
        .compile = COMPILE(PROFTOP_UNKNOWN, PROFTOP_UNKNOWN, PROFTOP_UNKNOWN, PROFTOP_UNKNOWN),
    },
    {
        .word = "hang",
        .function = "hang",
        .op_class = {"Hang"},
        .op = {"hang"},
        .node = {{0, 0, 0, HANGS, 0, PROFTOP_IMPL_C, "hang(x)"}},
        .vm_ns = PROFTOP_UNKNOWN,
        .compile = COMPILE(PROFTOP_UNKNOWN, PROFTOP_UNKNOWN, PROFTOP_UNKNOWN, PROFTOP_UNKNOWN),
    },
    {
        .word = "equality",
        .function = "equality",
        .op_class = {"Elemwise", "Sleep"},
        .op = {"Composite{...}", "Composite{...}", "sleep"},
        .node = {{0, 0, 0, 2, 10 * US, PROFTOP_IMPL_C, "Composite{...}(x)"},
                 {0, 1, 1, 3, 20 * US, PROFTOP_IMPL_C, "Composite{...}(y)"},
                 {0, 0, 2, 4, 30 * US, PROFTOP_IMPL_C, "Composite{... and another text}(y)"},
                 {1, 2, 3, 5, 0, PROFTOP_IMPL_PY, "sleep()"},
                 {1, 2, 4, 0, 0, PROFTOP_IMPL_PY, "sleep()"}},
        .calls = 18402,
        .call_ns = 5000 * US,
        .vm_ns = PROFTOP_UNKNOWN,
        .compile = COMPILE(100 * US, PROFTOP_UNKNOWN, PROFTOP_UNKNOWN, 40 * US),
    },
};

static void run_node(struct proftop *feed, proftop_id apply, const struct node *node)
{
    const struct timespec pause = {.tv_nsec = SLEEP_MS * 1000000L};

    if (node->calls == HANGS) {
        proftop_thread_name(feed, "stuck");
        proftop_begin(feed, apply);
        return;
    }
    for (uint64_t call = 0; call < node->calls; call++) {
        if (node->ns > 0) {
            proftop_record(feed, apply, node->ns);
            continue;
        }
        struct proftop_token token = proftop_begin(feed, apply);
        nanosleep(&pause, NULL);
        proftop_end(feed, apply, token);
    }
}

static void publish(struct proftop *feed, const struct table *table)
{
    proftop_id op_class[APPLIES] = {0}, op[APPLIES] = {0};
    struct proftop_function_info function = {
        .size = sizeof function, .name = table->function, .source = PROFTOP_SET};
    proftop_id f = proftop_function(feed, &function);

    for (int i = 0; i < APPLIES && table->op_class[i]; i++)
        op_class[i] = proftop_class(feed, table->op_class[i]);
    for (int i = 0; i < APPLIES && table->node[i].text; i++) {
        const struct node *node = &table->node[i];
        if (i == 0 || op[node->op] == 0)
            op[node->op] = 1 + proftop_op(feed, op_class[node->op_class], table->op[node->op]);
        struct proftop_apply_info info = {.size = sizeof info,
                                          .function = f,
                                          .op = op[node->op] - 1,
                                          .index = node->index,
                                          .text = node->text,
                                          .source = node->ns ? PROFTOP_GIVEN : PROFTOP_TIMED,
                                          .impl = node->impl};
        run_node(feed, proftop_apply(feed, &info), node);
    }
    proftop_call_set(feed, f, table->calls, table->call_ns);
    if (table->vm_ns != PROFTOP_UNKNOWN)
        proftop_vm(feed, f, table->vm_ns);
    proftop_compile_begin(feed, f);
    proftop_compile_end(feed, f, &table->compile);
}

/* Node i takes i + 1 times 10 ms. */
static void publish_many(struct proftop *feed, int nodes)
{
    struct proftop_function_info function = {
        .size = sizeof function, .name = "many", .source = PROFTOP_SET};
    proftop_id f = proftop_function(feed, &function);

    for (int i = 0; i < nodes; i++) {
        char op_class[32], op[32], text[32];
        snprintf(op_class, sizeof op_class, "tensor.Class%d", i);
        snprintf(op, sizeof op, "Op%d", i);
        snprintf(text, sizeof text, "Op%d(x)", i);
        struct proftop_apply_info info = {
            .size = sizeof info,
            .function = f,
            .op = proftop_op(feed, proftop_class(feed, op_class), op),
            .index = (uint32_t)i,
            .text = text,
            .source = PROFTOP_GIVEN,
            .impl = PROFTOP_IMPL_C};
        proftop_record(feed, proftop_apply(feed, &info), (uint64_t)(i + 1) * MANY_MS * 1000 * US);
    }
    proftop_call_set(feed, f, 1, (uint64_t)nodes * (uint64_t)nodes * MANY_MS * 1000 * US);
}

int main(int argc, char **argv)
{
    const int many = argc == 3 && strcmp(argv[1], "many") == 0 ? atoi(argv[2]) : 0;
    const struct table *table = NULL;

    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        if (argc == 2 && strcmp(argv[1], tables[i].word) == 0)
            table = &tables[i];
    if (!table && many < 1)
        return 2;
    struct proftop *feed = proftop_open(NULL);
    if (table)
        publish(feed, table);
    else
        publish_many(feed, many);
    printf("%s\n", proftop_is_on(feed) ? "published" : proftop_reason(feed));
    fflush(stdout);
    while (getchar() != EOF)
        ;
    proftop_close(feed);
    return 0;
}

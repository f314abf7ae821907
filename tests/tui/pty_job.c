/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * pty_job.c: a job that obeys commands on stdin, so that tests know every figure. `r` makes one
 * more call of dot that takes 1 ms, `c` one call of the function, `b` and `e` begin and end a
 * compilation of it, `g` defines two functions that are a group, with 1 and 2 calls, `k` places a
 * marker. The job answers each command with the same letter. At the end of stdin it says goodbye.
 * Its argument is the program's name. With "idle" after the name nothing runs before the first
 * command. With "objects" there are no ops before `g`, but a counter named steps.
 */
#include <proftop_adapter.h>
#include <proftop_objects.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { OPS = 3, MS = 1000000 };

static proftop_id define(struct proftop *feed, proftop_id function, unsigned index,
                         const char *name, const char *class_name)
{
    struct proftop_apply_info info = {sizeof info, function, .index = index, .text = NULL};
    info.op = proftop_op(feed, proftop_class(feed, class_name), name);
    info.source = PROFTOP_GIVEN;
    info.impl = PROFTOP_IMPL_C;
    return proftop_apply(feed, &info);
}

static void record(struct proftop *feed, proftop_id apply, int calls, uint64_t ns)
{
    for (int i = 0; i < calls; i++)
        proftop_record(feed, apply, ns);
}

/* `b` begins a compilation, `e` ends it. */
static void compile(struct proftop *feed, proftop_id function, char letter, proftop_id phase[2])
{
    enum { NODES_BEFORE = 42, NODES_AFTER = 17 };
    if (letter == 'b') {
        proftop_compile_begin(feed, function);
        phase[0] = proftop_phase_begin(feed, function, PROFTOP_NONE, PROFTOP_PHASE_REWRITE,
                                       "rewrite", NODES_BEFORE);
        phase[1] = proftop_phase_begin(feed, function, phase[0], PROFTOP_PHASE_REWRITE, "fuse",
                                       NODES_BEFORE);
        return;
    }
    proftop_phase_end(feed, phase[1], PROFTOP_UNKNOWN, NODES_AFTER);
    proftop_phase_end(feed, phase[0], PROFTOP_UNKNOWN, NODES_AFTER);
    proftop_compile_end(feed, function, NULL);
}

/* Two functions of one node each. A call takes 2 ms. */
static void define_group(struct proftop *feed)
{
    static const char *const names[] = {"first", "second"};
    for (int i = 0; i < 2; i++) {
        struct proftop_function_info info = {sizeof info, .name = names[i], .group = 7};
        proftop_id function = proftop_function(feed, &info);
        proftop_id apply = define(feed, function, 0, names[i], "KG");
        for (int calls = 0; calls <= i; calls++) {
            struct proftop_token call = proftop_call_begin(feed, function);
            proftop_record(feed, apply, 2 * MS);
            proftop_call_end(feed, function, call);
        }
    }
}

/* The function that the commands are about. `runs`: its nodes have run before. */
static void define_told(struct proftop *feed, proftop_id *function, proftop_id *dot, bool runs)
{
    struct proftop_function_info info = {sizeof info, .name = "told"};
    *function = proftop_function(feed, &info);
    proftop_id mul = define(feed, *function, 0, "mul", "KM");
    proftop_id add = define(feed, *function, 1, "add", "KA");
    *dot = define(feed, *function, 2, "dot", "KD");
    if (!runs)
        return;
    record(feed, mul, 1, 90 * MS);
    record(feed, add, 5, 10 * MS);
    record(feed, *dot, 6, 1 * MS);
}

static void mark_epoch(struct proftop *feed)
{
    proftop_mark(feed, proftop_marker(feed, proftop_domain(feed, "training"), "epoch"), "process");
}

int main(int count, char **words)
{
    struct proftop_options options = {sizeof options, .program = count > 1 ? words[1] : NULL};
    struct proftop *feed = proftop_open(&options);
    const char *mode = count > 2 ? words[2] : "";
    proftop_id function = PROFTOP_NONE, dot = PROFTOP_NONE;
    if (strcmp(mode, "objects") == 0)
        proftop_counter_from(feed, proftop_domain(feed, "training"), "steps", NULL, 7);
    else
        define_told(feed, &function, &dot, strcmp(mode, "idle") != 0);
    proftop_id phase[2] = {PROFTOP_NONE, PROFTOP_NONE};
    char letter = '!';
    do {
        if (letter == 'r')
            proftop_record(feed, dot, 1 * MS);
        if (letter == 'c')
            proftop_call_end(feed, function, proftop_call_begin(feed, function));
        if (letter == 'b' || letter == 'e')
            compile(feed, function, letter, phase);
        if (letter == 'g')
            define_group(feed);
        if (letter == 'k')
            mark_epoch(feed);
        if (write(STDOUT_FILENO, &letter, 1) != 1)
            break;
    } while (read(STDIN_FILENO, &letter, 1) == 1);
    proftop_close(feed);
    return 0;
}

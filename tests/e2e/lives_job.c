/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * lives_job.c: opens a feed, calls a function and closes the feed again, once per argument. The
 * argument is the number of calls. With `beside M N` two feeds are open side by side, and the
 * second one stays open until there is input. With `late N` the running job defines N nodes and
 * calls each of them twice.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proftop.h"

static void run_late(long nodes)
{
    struct proftop *feed = proftop_open(NULL);
    const struct proftop_function_info info = {.size = sizeof info, .name = "f"};
    char text[32];
    struct proftop_apply_info apply = {.size = sizeof apply, .text = text};
    apply.function = proftop_function(feed, &info);
    apply.op = proftop_op(feed, proftop_class(feed, "c"), "op");
    for (long i = 0; i <= nodes; i++) {
        apply.index = (uint32_t)i;
        snprintf(text, sizeof text, "node %ld", i);
        const proftop_id node = proftop_apply(feed, &apply);
        for (int calls = i == 0 ? 1000 : 2; calls > 0; calls--)
            proftop_end(feed, node, proftop_begin(feed, node));
        if (i == 0)
            getchar(); /* until a viewer has seen it */
    }
    proftop_close(feed);
}

static void run(struct proftop *feed, int calls)
{
    const struct proftop_function_info info = {.size = sizeof info, .name = "f"};
    const proftop_id function = proftop_function(feed, &info);
    struct proftop_apply_info apply = {.size = sizeof apply, .function = function};
    apply.op = proftop_op(feed, proftop_class(feed, "c"), "op");
    const proftop_id node = proftop_apply(feed, &apply);
    for (int i = calls; i > 0; i--) {
        struct proftop_token call = proftop_call_begin(feed, function);
        proftop_end(feed, node, proftop_begin(feed, node));
        proftop_call_end(feed, function, call);
    }
}

static void run_beside(int calls, int others)
{
    struct proftop *feed = proftop_open(NULL), *second = proftop_open(NULL);
    run(feed, calls);
    run(second, others);
    proftop_close(feed);
    getchar(); /* until a viewer has seen the end */
    proftop_close(second);
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "beside") == 0) {
        run_beside(atoi(argv[2]), atoi(argv[3]));
        return 0;
    }
    if (argc == 3 && strcmp(argv[1], "late") == 0) {
        run_late(atol(argv[2]));
        return 0;
    }
    for (int life = 1; life < argc; life++) {
        struct proftop *feed = proftop_open(NULL);
        run(feed, atoi(argv[life]));
        proftop_close(feed);
    }
    return 0;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * probed.c: a job for probes.py: it stops itself when it has defined all, and again when it has
 * run.
 */
#include <proftop.h>
#include <signal.h>
#include <stdio.h>

static proftop_id define(struct proftop *feed, proftop_id function, const char *op)
{
    static struct proftop_apply_info info;
    info.size = sizeof info;
    info.function = function;
    info.op = proftop_op(feed, proftop_class(feed, "Probed"), op);
    return proftop_apply(feed, &info);
}

static void run(struct proftop *feed, proftop_id function, proftop_id outer, proftop_id inner)
{
    for (int i = 0; i < 30; i++) {
        struct proftop_token call = proftop_call_begin(feed, function);
        struct proftop_token token = proftop_begin(feed, outer);
        for (int k = 0; k < 5; k++)
            proftop_end(feed, inner, proftop_begin(feed, inner));
        if (i % 3 == 2) {
            proftop_fail(feed, outer, token);
            proftop_call_fail(feed, function, call);
        } else {
            proftop_end(feed, outer, token);
            proftop_call_end(feed, function, call);
        }
    }
}

int main(void)
{
    struct proftop *feed = proftop_open(NULL);
    static struct proftop_function_info info;
    info.size = sizeof info;
    info.name = "probed";
    proftop_id function = proftop_function(feed, &info);
    proftop_id outer = define(feed, function, "outer"), inner = define(feed, function, "inner");
    raise(SIGSTOP);
    run(feed, function, outer, inner);
    raise(SIGSTOP);
    proftop_close(feed);
    return 0;
}

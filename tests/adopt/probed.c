/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * probed.c: a job for probes.py. It stops itself when it has defined everything, and after each
 * run. With an argument it runs until SIGUSR1. Then it counts some untimed calls at once, as
 * adapters do, where that is possible.
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

static volatile sig_atomic_t is_over = 1;

static void end(int signal)
{
    (void)signal;
    is_over = 1;
}

static void count_at_once(struct proftop *feed, proftop_id apply)
{
#if defined(PROFTOP_USDT) && defined(__x86_64__)
    proftop_try_untimed(feed, apply, 7); /* probes.py knows whether this is possible */
#endif
    (void)feed, (void)apply;
}

int main(int argc, char **argv)
{
    (void)argv;
    struct proftop *feed = proftop_open(NULL);
    static struct proftop_function_info info;
    info.size = sizeof info;
    info.name = "probed";
    proftop_id function = proftop_function(feed, &info);
    proftop_id outer = define(feed, function, "outer"), inner = define(feed, function, "inner");
    if (argc > 1) {
        signal(SIGUSR1, end);
        is_over = 0;
    }
    raise(SIGSTOP);
    do {
        run(feed, function, outer, inner);
        raise(SIGSTOP);
    } while (!is_over);
    if (argc > 1) {
        count_at_once(feed, inner);
        raise(SIGSTOP);
    }
    proftop_close(feed);
    return 0;
}

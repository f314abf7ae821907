/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * pace_job.c: does a step of 32 samples of 10 tokens for each line on its standard input, and
 * prints a confirmation. Between two steps it is in an op that waits. It runs until the input ends.
 */
#include <stdio.h>

#include "proftop_objects.h"

enum { SAMPLES = 32, TOKENS = 10 * SAMPLES };

int main(void)
{
    char line[64];
    struct proftop *feed = proftop_open(NULL);
    struct proftop_function_info function = {.size = sizeof function, .name = "train"};
    struct proftop_apply_info apply = {.size = sizeof apply, .waits = PROFTOP_WAITS};
    apply.function = proftop_function(feed, &function);
    apply.op = proftop_op(feed, proftop_class(feed, "Queue"), "next_batch");
    const proftop_id wait = proftop_apply(feed, &apply);
    const proftop_id domain = proftop_domain(feed, "train");
    const proftop_id step = proftop_frame(feed, domain, "step");
    const proftop_id samples = proftop_counter(feed, domain, "samples", "");
    const proftop_id tokens = proftop_counter(feed, domain, "tokens", "");
    proftop_thread_name(feed, "main");
    puts("published");
    fflush(stdout);
    for (;;) {
        const struct proftop_token token = proftop_begin(feed, wait);
        const char *more = fgets(line, sizeof line, stdin);
        proftop_end(feed, wait, token);
        if (more == NULL)
            break;
        const struct proftop_run run = proftop_frame_start(feed, step);
        proftop_counter_add(feed, samples, SAMPLES);
        proftop_counter_add(feed, tokens, TOKENS);
        proftop_frame_stop(feed, run);
        puts("stepped");
        fflush(stdout);
    }
    proftop_close(feed);
    return 0;
}

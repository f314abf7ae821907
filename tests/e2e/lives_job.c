/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * lives_job.c: a job that opens a feed, calls a function, and closes the feed again, as often as
 * it has arguments: each says how often the function is called.
 */
#include <stdlib.h>

#include "proftop.h"

int main(int argc, char **argv)
{
    for (int life = 1; life < argc; life++) {
        struct proftop *feed = proftop_open(NULL);
        const struct proftop_function_info info = {.size = sizeof info, .name = "f"};
        const proftop_id function = proftop_function(feed, &info);
        struct proftop_apply_info apply = {.size = sizeof apply, .function = function};
        apply.op = proftop_op(feed, proftop_class(feed, "c"), "op");
        const proftop_id node = proftop_apply(feed, &apply);
        for (int i = atoi(argv[life]); i > 0; i--) {
            struct proftop_token call = proftop_call_begin(feed, function);
            proftop_end(feed, node, proftop_begin(feed, node));
            proftop_call_end(feed, function, call);
        }
        proftop_close(feed);
    }
    return 0;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * minimal.c: the smallest publisher: one function of two applies. cc minimal.c -lproftop -lm
 */
#include <math.h>
#include <proftop.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **words)
{
    static double x[10000];
    long steps = count > 1 ? atol(words[1]) : 100000;

    struct proftop *feed = proftop_open(NULL);
    struct proftop_function_info f = {sizeof f, .name = "f"};
    proftop_id function = proftop_function(feed, &f);
    proftop_id elemwise = proftop_class(feed, "Elemwise");
    struct proftop_apply_info a = {sizeof a, function, .index = 0, .text = "Elemwise{cos}(x)"};
    a.op = proftop_op(feed, elemwise, "Elemwise{cos}");
    proftop_id cosine = proftop_apply(feed, &a);
    struct proftop_apply_info b = {sizeof b, function, .index = 1, .text = "Elemwise{sqr}(cos.0)"};
    b.op = proftop_op(feed, elemwise, "Elemwise{sqr}");
    proftop_id square = proftop_apply(feed, &b);

    for (long step = 0; step < steps; step++) {
        struct proftop_token call = proftop_call_begin(feed, function);
        struct proftop_token token = proftop_begin(feed, cosine);
        for (size_t i = 0; i < 10000; i++)
            x[i] = cos(x[i]);
        proftop_end(feed, cosine, token);
        token = proftop_begin(feed, square);
        for (size_t i = 0; i < 10000; i++)
            x[i] *= x[i];
        proftop_end(feed, square, token);
        proftop_call_end(feed, function, call);
    }
    printf("%.6f\n", x[0]);
    proftop_close(feed);
    return 0;
}

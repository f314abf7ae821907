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
    static struct proftop_function_info f; /* static: other fields are 0, unknown */
    f.size = sizeof f;
    f.name = "f";
    proftop_id function = proftop_function(feed, &f);
    proftop_id elemwise = proftop_class(feed, "Elemwise");

    static struct proftop_apply_info a;
    a.size = sizeof a;
    a.function = function;
    a.op = proftop_op(feed, elemwise, "Elemwise{cos}");
    a.text = "Elemwise{cos}(x)";
    proftop_id cosine = proftop_apply(feed, &a);
    a.index = 1;
    a.op = proftop_op(feed, elemwise, "Elemwise{sqr}");
    a.text = "Elemwise{sqr}(cos.0)";
    proftop_id square = proftop_apply(feed, &a);

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

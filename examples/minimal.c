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
    proftop_id cosine = proftop_node(feed, "f", "Elemwise", "Elemwise{cos}", "Elemwise{cos}(x)");
    proftop_id square =
        proftop_node(feed, "f", "Elemwise", "Elemwise{sqr}", "Elemwise{sqr}(cos.0)");

    for (long step = 0; step < steps; step++) {
        struct proftop_token token = proftop_begin(feed, cosine);
        for (size_t i = 0; i < 10000; i++)
            x[i] = cos(x[i]);
        proftop_end(feed, cosine, token);
        token = proftop_begin(feed, square);
        for (size_t i = 0; i < 10000; i++)
            x[i] *= x[i];
        proftop_end(feed, square, token);
    }
    printf("%.6f\n", x[0]);
    proftop_close(feed);
    return 0;
}

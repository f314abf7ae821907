/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * watched.c: every kind of call of the header around a little work; or, with PLAIN, the work alone.
 * forms.py compares the compiled code of the two under PROFTOP_OFF.
 */
#ifdef PLAIN
#define WATCH(...)
#else
#include <proftop_adapter.h>
#define WATCH(...) __VA_ARGS__
#endif

float work(float *x, int count);

float work(float *x, int count)
{
    float sum = 0;
    WATCH(struct proftop *feed = proftop_open(0);)
    WATCH(struct proftop_function_info info = {sizeof info, "f", "file", 1, 0, 0, PROFTOP_TIMED};)
    WATCH(proftop_id function = proftop_function(feed, &info);)
    WATCH(proftop_id op = proftop_op(feed, proftop_class(feed, "Elemwise"), "add");)
    WATCH(proftop_compile_begin(feed, function);)
    WATCH(proftop_compile_end(feed, function, 0);)
    WATCH(struct proftop_token call = proftop_call_begin(feed, function);)
    for (int i = 0; i < count; i++) {
        WATCH(struct proftop_token token = proftop_begin(feed, op);)
        sum += x[i];
        WATCH(if (sum > 1e30f) proftop_fail(feed, op, token);)
        WATCH(else proftop_end(feed, op, token);)
        WATCH(proftop_record(feed, op, 10);)
        WATCH(proftop_set(feed, op, 10, 20);)
    }
    WATCH(proftop_call_end(feed, function, call);)
    WATCH(proftop_call_end_in_vm(feed, function, call);)
    WATCH(proftop_call_set(feed, function, 1, 2);)
    WATCH(proftop_vm(feed, function, 3);)
    WATCH(if (!proftop_is_on(feed)) proftop_notice(feed, 1, proftop_reason(feed));)
    WATCH(proftop_thread_name(feed, "main");)
    WATCH(proftop_route(feed, proftop_version(feed));)
    WATCH(proftop_facts(feed, proftop_version(feed));)
    WATCH(proftop_close(feed);)
    return sum;
}

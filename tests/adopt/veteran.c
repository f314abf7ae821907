/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * veteran.c: a job that uses every call of the first proftop.h. abi.py compiles it with that
 * header, like an old program that is never recompiled, and runs it with today's library.
 */
#include FROZEN
#include <stdio.h>

static struct proftop_function_info function_info;
static struct proftop_apply_info apply_info;

static proftop_id define(struct proftop *feed, const char *text, enum proftop_source source)
{
    apply_info.op = proftop_op(feed, proftop_class(feed, "Veteran"), text);
    apply_info.text = text;
    apply_info.source = source;
    proftop_id id = proftop_apply(feed, &apply_info);
    apply_info.index++;
    return id;
}

static proftop_id define_all(struct proftop *feed)
{
    function_info.size = sizeof function_info;
    function_info.name = "step";
    function_info.file = "veteran.c";
    function_info.line = 7;
    apply_info.size = sizeof apply_info;
    apply_info.function = proftop_function(feed, &function_info);
    apply_info.location = "here";
    apply_info.kind = PROFTOP_IMPERATIVE;
    apply_info.impl = PROFTOP_IMPL_C;
    apply_info.exclusive = 1;
    return apply_info.function;
}

static void compile(struct proftop *feed, proftop_id step)
{
    struct proftop_compile_times times = {sizeof times, 1000, 100, 10, PROFTOP_UNKNOWN};
    proftop_compile_begin(feed, step);
    proftop_compile_end(feed, step, &times);
}

static void run(struct proftop *feed, proftop_id step, proftop_id timed)
{
    for (int i = 0; i < 100; i++) {
        struct proftop_token call = proftop_call_begin(feed, step);
        struct proftop_token token = proftop_begin(feed, timed);
        if (i % 10 == 9) {
            proftop_fail(feed, timed, token);
            proftop_call_fail(feed, step, call);
        } else {
            proftop_end(feed, timed, token);
            proftop_call_end(feed, step, call);
        }
    }
}

int main(void)
{
    struct proftop_options options = {sizeof options, 0, "veteran", "Old", "1.2"};
    struct proftop *feed = proftop_open(&options);
    proftop_id step = define_all(feed);
    proftop_id timed = define(feed, "timed", PROFTOP_TIMED);
    proftop_id given = define(feed, "given", PROFTOP_GIVEN);
    proftop_id set = define(feed, "set", PROFTOP_SET);
    compile(feed, step);
    proftop_thread_name(feed, "old hand");
    proftop_route(feed, "by heart");
    run(feed, step, timed);
    for (int i = 0; i < 50; i++)
        proftop_record(feed, given, 7);
    proftop_set(feed, set, 12, 3400);
    proftop_vm(feed, step, 99);
    function_info.name = "told";
    function_info.source = PROFTOP_SET;
    proftop_call_set(feed, proftop_function(feed, &function_info), 5, 500);
    proftop_notice(feed, 1, "so it goes");
    printf("on %d reason '%s'\n", proftop_is_on(feed), proftop_reason(feed));
    proftop_close(feed);
    return 0;
}

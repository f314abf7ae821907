/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * bench_mxnet.c: measures the overhead of the hooks in MXNet's engine for each operator. The hooks
 * call stub functions with the signatures of MXNet's functions. The stubs do nothing, since 10 us
 * of Python per operator would hide the overhead. The time of the same loop without hooks is
 * subtracted.
 */
#include "config.h"

#include "bench.h"

#include <stdbool.h>
#include <unistd.h>

#include "adapters/mxnet/hooks.h"

enum { OPERATORS = 200000, BULK = 15, NODES = 24 };

static struct proftop *feed;

struct proftop *mxnet_feed(void)
{
    return feed;
}
struct proftop *mxnet_feed_here(void)
{
    return feed;
}
unsigned mxnet_feeds(void)
{
    return 1;
}
unsigned mxnet_objects(void)
{
    return 1;
}

/* A std::string of the old ABI: the length is 24 bytes before the text. */
struct string {
    size_t length, capacity, references;
    char bytes[40];
};
static const char *string_init(struct string *string, const char *text)
{
    string->length = strlen(text);
    memcpy(string->bytes, text, string->length + 1);
    return string->bytes;
}

/* Objects of MXNet, as far as the hooks read them. */
static struct string names[NODES], op_name, bulk_name;
static const char *op = op_name.bytes;
static struct {
    const char *const *op;
    const char *name;
} attributes[NODES];
static char operators[2][0x60];
static char block[40];
static void *no_arrays[2];

static int do_nothing_with(void **to, void *const *from, int what)
{
    if (what == 1 || what == 2)
        to[0] = from[0];
    return 0;
}
static void compute(void *const *data, struct by_value_32 context)
{
    (void)data, (void)context;
}

/* The function called at each place: the hook, or the original function. */
static struct {
    void *(*invoke)(void *, void *, const void *, const char *, void *const *, void *const *,
                    const void *, int, void *);
    void (*push)(void *, struct function_object *, uint64_t, const void *, const void *, int, int,
                 const char *);
    void (*ready)(void *, char *, _Bool);
    void (*execute)(void *, struct by_value_32, char *);
    void (*complete)(void *, void *, const void *);
    void (*enter)(const char *);
    void (*leave)(void);
} call;

static struct function_object bulk[BULK];
static int in_bulk;
static bool bulked;

static void engine_complete(void *engine, void *done, const void *error)
{
    (void)engine, (void)done, (void)error;
}
static void engine_execute(void *self, struct by_value_32 context, char *of)
{
    (void)self;
    for (int i = 0; i < in_bulk; i++)
        ((void (*)(void *const *, struct by_value_32))bulk[i].invoke)(bulk[i].data, context);
    call.complete(NULL, of, NULL);
}
static void engine_ready(void *self, char *of, _Bool pusher)
{
    struct by_value_32 context = {{0, 0, 0, 0}};
    (void)self, (void)pusher;
    call.execute(NULL, context, of);
}
static void engine_push(void *self, struct function_object *function, uint64_t device,
                        const void *reads, const void *writes, int property, int priority,
                        const char *name)
{
    (void)self, (void)device, (void)reads, (void)writes, (void)property, (void)priority, (void)name;
    bulk[in_bulk] = *function;
    function->manage(bulk[in_bulk].data, function->data, 2);
    in_bulk++;
    if (bulked && in_bulk < BULK)
        return;
    char *of = operators[bulked];
    memcpy(block + layout_1.block_operator, &of, sizeof of);
    call.ready(NULL, block, false);
    for (int i = 0; i < in_bulk; i++)
        bulk[i].manage(bulk[i].data, bulk[i].data, 3);
    in_bulk = 0;
}
static void *engine_invoke(void *result, void *self, const void *context, const char *of,
                           void *const *inputs, void *const *outputs, const void *requests,
                           int mode, void *state)
{
    static char lambda[64];
    struct function_object function = {{lambda, NULL}, do_nothing_with, (void *)compute};
    (void)context, (void)of, (void)inputs, (void)outputs, (void)requests, (void)mode, (void)state;
    call.push(self, &function, 1, NULL, NULL, 0, 0, op);
    function.manage(function.data, function.data, 3);
    return result;
}
static void engine_enter(const char *name)
{
    (void)name;
}
static void engine_leave(void)
{
}

static void hook_all(bool api)
{
    call.invoke = invoke;
    call.push = push_sync;
    call.ready = ready_per_device;
    call.execute = execute_1;
    call.complete = complete;
    call.enter = api ? api_enter : engine_enter;
    call.leave = api ? api_exit : engine_leave;
}
static void hook_none(void)
{
    call.invoke = engine_invoke;
    call.push = engine_push;
    call.ready = engine_ready;
    call.execute = engine_execute;
    call.complete = engine_complete;
    call.enter = engine_enter;
    call.leave = engine_leave;
}

static double run_ns(void)
{
    uint64_t start = bench_cpu_ns();
    for (int i = 0; i < OPERATORS; i++) {
        char result[16];
        call.enter("MXImperativeInvokeEx");
        call.invoke(result, NULL, NULL, (const char *)&attributes[i % NODES], no_arrays, no_arrays,
                    NULL, 0, NULL);
        call.leave();
    }
    return (double)(bench_cpu_ns() - start) / OPERATORS;
}

static void measure(const char *what, bool in_bulks, bool api, const char *target)
{
    double none[BENCH_ROUNDS], all[BENCH_ROUNDS], cost[BENCH_ROUNDS];
    bulked = in_bulks;
    for (int round = 0; round < BENCH_ROUNDS; round++) {
        hook_none();
        none[round] = run_ns();
        hook_all(api);
        all[round] = run_ns();
        cost[round] = all[round] - none[round];
    }
    bench_row(what, bench_median(cost, BENCH_ROUNDS), "ns", 0, target);
}

static void prepare(void)
{
    layout = &layout_1;
    string_init(&op_name, "FullyConnected");
    string_init(&bulk_name, "ImperativeBulk");
    for (int i = 0; i < NODES; i++) {
        char name[32];
        snprintf(name, sizeof name, "dense%d_fwd_backward", i);
        attributes[i].op = &op;
        attributes[i].name = string_init(&names[i], name);
    }
    const char *run[2] = {op_name.bytes, bulk_name.bytes};
    for (int i = 0; i < 2; i++)
        memcpy(operators[i] + layout_1.operator_name, &run[i], sizeof run[i]);
    block[16] = 1; /* a CPU context */
    invoke_original = engine_invoke;
    push_sync_original = engine_push;
    ready_per_device_original = engine_ready;
    execute_1_original = engine_execute;
    complete_original = engine_complete;
    api_enter_original = engine_enter;
    api_exit_original = engine_leave;
}

int main(void)
{
    char folder[] = BENCH_FOLDER;
    if (!mkdtemp(folder) || setenv("PROFTOP_DIR", folder, 1) != 0)
        return 1;
    setenv("PROFTOP_BUDGET", "0", 1); /* each call is timed */
    feed = proftop_open(NULL);
    if (!proftop_is_on(feed)) {
        fprintf(stderr, "bench_mxnet: %s\n", proftop_reason(feed));
        return 1;
    }
    prepare();
    clock_start();
    queue_begin();
    measure("mxnet: an operator in a bulk of 15, without its call", true, false, "<= 100 ns");
    measure("mxnet: an operator by itself, without its call", false, false, "<= 100 ns");
    measure("mxnet: an operator in a bulk of 15, with its call", true, true, "");
    measure("mxnet: an operator by itself, with its call", false, true, "");
    proftop_close(feed);
    return rmdir(folder) == 0 ? 0 : 1;
}

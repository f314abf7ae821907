/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hostile_job.c: a job whose texts are full of control characters for terminals and editors; its
 * first argument gives them. It prints "ready" and runs until its standard input ends. A line there
 * makes it dump into the file of its second argument, and print its own table.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proftop_control.h"
#include "proftop_adapter.h"
#include "proftop_objects.h"

static struct proftop *feed;
static const char *wild;

/* Like the others, with a distinct prefix. */
static const char *named(const char *what)
{
    static char text[16][256];
    static unsigned next;
    char *to = text[next++ % 16];
    snprintf(to, sizeof text[0], "%s%s", what, wild);
    return to;
}

static void compile(proftop_id function)
{
    proftop_compile_begin(feed, function);
    proftop_id phase = proftop_phase_begin(feed, function, PROFTOP_NONE, PROFTOP_PHASE_REWRITE,
                                           named("phase"), 10);
    proftop_phase_end(feed, phase, 5, 8);
    proftop_compile_end(feed, function, NULL);
}

static void describe(proftop_id apply)
{
    static const uint64_t shape[] = {3, 4};
    struct proftop_value_info out = {named("dtype"), shape, 2, 0, 0, PROFTOP_OWN, 96, 0, NULL};
    struct proftop_apply_detail_info info = PROFTOP_APPLY_DETAIL;
    info.device = named("device");
    info.location = named("place");
    info.rewrite = named("rewrite");
    info.library = named("library");
    info.output = &out;
    info.outputs = 1;
    proftop_apply_detail(feed, apply, &info);
}

static void define(void)
{
    struct proftop_function_info of = {.size = sizeof of};
    of.name = named("function");
    of.file = named("file");
    of.line = 7;
    proftop_id function = proftop_function(feed, &of);
    compile(function);
    struct proftop_apply_info info = {.size = sizeof info, .function = function};
    info.op = proftop_op(feed, proftop_class(feed, named("class")), named("op"));
    info.text = named("apply");
    info.location = named("line");
    info.source = PROFTOP_GIVEN;
    proftop_id apply = proftop_apply(feed, &info);
    struct proftop_token token = proftop_call_begin(feed, function);
    for (int i = 0; i < 10; i++)
        proftop_record(feed, apply, 1000000);
    proftop_call_end_in_vm(feed, function, token);
    describe(apply);
    proftop_metric_add(feed, proftop_metric(feed, named("metric"), named("unit"), PROFTOP_SUM),
                       apply, 3);
}

static void measure(void)
{
    proftop_id domain = proftop_domain(feed, named("domain"));
    proftop_counter_add(feed,
                        proftop_counter_from(feed, domain, named("counter"), named("unit"), 1), 2);
    proftop_id task = proftop_task(feed, domain, named("task"));
    proftop_task_stop(feed, proftop_task_start(feed, task));
    proftop_id frame = proftop_frame(feed, domain, named("frame"));
    proftop_frame_stop(feed, proftop_frame_start(feed, frame));
    proftop_mark(feed, proftop_marker(feed, domain, named("marker")), NULL);
    proftop_scope_push(feed, named("scope"), 1);
    proftop_memory_alloc(feed, proftop_memory(feed, named("pool"), named("storage"), NULL), 4096);
    proftop_scope_pop(feed);
}

int main(int argc, char **argv)
{
    char line[64];
    wild = argc > 1 ? argv[1] : "";
    struct proftop_options options = {.size = sizeof options, .program = named("program")};
    options.framework = named("framework");
    options.framework_version = named("version");
    feed = proftop_open(&options);
    proftop_thread_name(feed, named("thread"));
    proftop_route(feed, named("route"));
    proftop_facts(feed, named("fact=value"));
    proftop_notice(feed, 1, named("notice"));
    define();
    measure();
    puts(proftop_is_on(feed) ? "ready" : proftop_reason(feed));
    fflush(stdout);
    while (fgets(line, sizeof line, stdin) != NULL) {
        const char *pairs[] = {"filename", argv[2], "gpu_memory_profile_filename_prefix", "", NULL};
        const char *wrong = proftop_set_config(feed, pairs);
        char *table = NULL;
        wrong = wrong ? wrong : proftop_dump(feed, 0, NULL);
        wrong = wrong ? wrong : proftop_dumps(feed, NULL, &table);
        fputs(wrong ? wrong : table, stdout);
        puts("done");
        fflush(stdout);
        free(table);
    }
    proftop_close(feed);
    return 0;
}

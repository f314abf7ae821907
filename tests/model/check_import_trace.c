/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_import_trace.c: Chrome traces: nested runs, threads, spans, counters, instants, dumps.
 */
#include "imported.h"

#include "model/node_detail.h"
#include "model/objects.h"

#define X(cat, name, tid, ts, dur)                                                                 \
    "{\"ph\":\"X\",\"cat\":\"" cat "\",\"name\":\"" name "\",\"pid\":7,\"tid\":" #tid              \
    ",\"ts\":" #ts ",\"dur\":" #dur ",\"args\":{\"Sequence number\":6,\"Input Dims\":[[1,[2]]]}}"

/* As torch.profiler exports: an op with two inside, on one of two threads; times in us with
 * decimals; events in any order. */
static const char nested[] =
    " {\"schemaVersion\": 1, \"deviceProperties\": [], \"host_name\": \"vm\", \"traceEvents\": "
    "[\n" X("cpu_op", "aten::addmm", 1, 5105695923594.255, 20.5) ",\n" X(
        "cpu_op", "aten::linear", 1, 5105695923590.005,
        100.125) ",\n" X("cpu_op", "aten::t", 1, 5105695923620.005,
                         10) ",\n" X("cpu_op", "aten::t", 2, 10,
                                     4) ",\n" X("kernel", "sgemm<float>", 3, 12,
                                                50) ",\n"
                                                    "{\"ph\":\"M\",\"name\":\"process_name\","
                                                    "\"pid\":7,\"tid\":0,\"args\":{\"name\":"
                                                    "\"python\"}},\n"
                                                    "{\"ph\":\"M\",\"name\":\"thread_name\","
                                                    "\"pid\":7,\"tid\":1,\"args\":{\"name\":"
                                                    "\"main\"}},\n"
                                                    "{\"ph\":\"s\",\"id\":6,\"pid\":7,\"tid\":1,"
                                                    "\"ts\":3,\"cat\":\"fwdbwd\",\"name\":"
                                                    "\"fwdbwd\"},\n"
                                                    "{\"ph\":\"i\",\"s\":\"t\",\"name\":\"[memory]"
                                                    "\",\"pid\":7,\"tid\":1,\"ts\":5,\"args\":{"
                                                    "\"Total "
                                                    "Allocated\":16384,\"Bytes\":16384,\"Device "
                                                    "Id\":-1,\"Device Type\":0}},\n"
                                                    "{\"ph\":\"i\",\"s\":\"g\",\"name\":"
                                                    "\"Iteration\",\"pid\":\"Traces\",\"tid\":"
                                                    "\"T\",\"ts\":5.5}\n"
                                                    "], \"traceName\": \"x.json\"}\n";

START_TEST(runs_nest)
{
    struct imported in = import_text(nested);
    const struct model_job *job = in.state->job;
    const uint32_t incl = model_job_metric_named(job, "incl");
    import_is(&in, MODEL_OP, "aten::linear", 1, 1, 100125 - 20500 - 10000, 0);
    import_is(&in, MODEL_OP, "aten::addmm", 1, 1, 20500, 0);
    import_is(&in, MODEL_OP, "aten::t", 2, 2, 14000, 0);
    import_is(&in, MODEL_CLASS, "aten", 4, 4, 100125 + 4000, 0);
    ck_assert_uint_eq(
        model_job_metric_value(job, incl, import_row(&in, MODEL_APPLY, "aten::linear")->id),
        100125);
    ck_assert_uint_eq(import_row(&in, MODEL_OP, "aten::t")->min_ns, 4000);
    ck_assert_uint_eq(import_row(&in, MODEL_OP, "aten::t")->max_ns, 10000);
    /* Threads are functions. A kernel runs beside its op. */
    ck_assert_uint_eq(in.state->count[MODEL_FUNCTION], 3);
    import_row(&in, MODEL_FUNCTION, "python: main");
    import_row(&in, MODEL_FUNCTION, "python: thread 2");
    ck_assert_uint_eq(in.state->totals.aside_ns, 50000);
    ck_assert_uint_eq(in.state->totals.time_ns, 104125);
    const struct model_objects *objects = model_job_objects(job);
    ck_assert_uint_eq(objects->counters, 1);
    ck_assert_uint_eq(objects->counter[0].value.u, 16384);
    ck_assert_uint_eq(objects->marks, 1);
    ck_assert_uint_eq(objects->mark[0].mono_ns, 5500);
    ck_assert_str_eq(model_job_marker(job, 0)->name.raw, "Iteration");
    ck_assert_str_eq(model_job_identity(job)->framework.raw, "PyTorch");
    ck_assert_str_eq(model_job_identity(job)->host.raw, "vm");
    ck_assert(import_tells(&in, "Flows, samples and objects, which have no row: 1."));
    ck_assert_uint_eq(in.file.unread, 0);
    import_release(&in);
}
END_TEST

/* Runs on one thread, in us. */
struct run {
    const char *category, *name;
    unsigned from, length;
};

static struct imported import_runs(const struct run *run, unsigned runs)
{
    char text[4096] = "[";
    size_t size = 1;
    for (unsigned i = 0; i < runs; i++)
        size += (size_t)snprintf(text + size, sizeof(text) - size,
                                 "%s{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"tid\":1,"
                                 "\"ts\":%u,\"dur\":%u}",
                                 i ? "," : "", run[i].category, run[i].name, run[i].from,
                                 run[i].length);
    ck_assert_uint_lt(size, sizeof(text) - 1);
    text[size] = ']';
    return import_bytes(text, size + 1, 0);
}

/* A range begins within one call and ends within another. The common time counts once, and a run
 * within itself has its time once. */
START_TEST(overlaps_and_recursion_count_once)
{
    static const struct run runs[] = {
        {"a", "outer", 0, 100},  {"a", "enter", 10, 10}, {"a", "range", 15, 50},
        {"a", "enter", 30, 4},   {"a", "leave", 60, 10}, {"b", "again", 200, 30},
        {"b", "again", 210, 10},
    };
    struct imported in = import_runs(runs, 7);
    const struct model_job *job = in.state->job;
    const uint32_t incl = model_job_metric_named(job, "incl");
    /* 10..20 enter, 15..65 range, 60..70 leave: 60 us of outer. */
    import_is(&in, MODEL_OP, "outer", 1, 1, 40000, 0);
    import_is(&in, MODEL_OP, "again", 2, 1, 30000, 0);
    ck_assert_uint_eq(model_job_metric_value(job, incl, import_row(&in, MODEL_APPLY, "again")->id),
                      30000);
    /* The second one begins while the first one is still around it on the stack. */
    ck_assert_uint_eq(model_job_metric_value(job, incl, import_row(&in, MODEL_APPLY, "enter")->id),
                      14000);
    import_release(&in);
}
END_TEST

/* torch counts an op that only passes on to itself as one call. A recursion is not that. */
START_TEST(an_op_that_calls_itself_alone_is_one_call)
{
    static const struct run runs[] = {
        {"cpu_op", "aten::sum", 0, 100},  {"cpu_op", "aten::sum", 10, 50},
        {"cpu_op", "aten::t", 20, 10},    {"cpu_op", "aten::sum", 200, 40},
        {"cpu_op", "aten::sum", 210, 10}, {"cpu_op", "aten::t", 225, 5},
    };
    struct imported in = import_runs(runs, 6);
    import_is(&in, MODEL_OP, "aten::sum", 3, 1, 100000 + 40000 - 15000, 0);
    import_is(&in, MODEL_OP, "aten::t", 2, 1, 15000, 0);
    ck_assert_uint_eq(import_row(&in, MODEL_OP, "aten::sum")->max_ns, 90000);
    ck_assert_uint_eq(import_row(&in, MODEL_OP, "aten::sum")->min_ns, 10000);
    import_release(&in);
}
END_TEST

/* As MXNet 1.9.1 writes: each op as a pair on its device and as a task, numbers beyond 2^53. With
 * apostrophes for quotation marks. */
static const char *const mxnet_lines[] = {
    "{'traceEvents': [",
    "{'ph': 'M', 'args': {'name': 'cpu/0'}, 'pid': 0, 'name': 'process_name'},",
    "{'name': 'dot', 'cat': 'operator', 'ph': 'B', 'ts': 1795962849076997, 'pid': 0, ",
    "'tid': 7645286296329473051},",
    "{'name': 'dot', 'cat': 'operator', 'ph': 'E', 'ts': 1795962849077035, 'pid': 0, ",
    "'tid': 7645286296329473051},",
    "{'name': 'dot', 'cat': 'operator', 'ph': 'b', 'ts': 1795962849076997, 'id': 76, ",
    "'pid': 3060606181218273969, 'tid': 7645286296329473051},",
    "{'name': 'dot', 'cat': 'operator', 'ph': 'e', 'ts': 1795962849077034, 'id': 76, ",
    "'pid': 3060606181218273969, 'tid': 7645286296329473051},",
    "{'name': 'task one', 'cat': 'Dom', 'ph': 'b', 'ts': 10, 'id': 9, 'pid': 5, 'tid': 9},",
    "{'name': 'task one', 'cat': 'Dom', 'ph': 'e', 'ts': 4995, 'id': 9, 'pid': 5, 'tid': 9},",
    "{'name': 'fr', 'cat': 'Dom,frame', 'ph': '(', 'ts': 20, 'pid': 6, 'tid': 9},",
    "{'name': 'fr', 'cat': 'Dom,frame', 'ph': ')', 'ts': 21, 'pid': 6, 'tid': 9},",
    "{'name': 'MXCall', 'cat': 'MXNET_C_API', 'ph': 'b', 'ts': 1, 'id': 9, 'pid': 8, 'tid': 9},",
    "{'name': 'MXCall', 'cat': 'MXNET_C_API', 'ph': 'e', 'ts': 3, 'id': 9, 'pid': 8, 'tid': 9},",
    "{'name': 'cnt', 'cat': 'Dom', 'ph': 'C', 'ts': 30, 'args': {'cnt': 5}, 'pid': 5},",
    "{'name': 'cnt', 'cat': 'Dom', 'ph': 'C', 'ts': 31, 'args': {'cnt': -15}, 'pid': 5},",
    "{'name': 'Memory: cpu/0', 'cat': 'Device Storage', 'ph': 'C', 'ts': 3, ",
    "'args': {'Memory: cpu/0': 16384}},",
    "{'name': 'Memory: cpu/0', 'cat': 'Device Storage', 'ph': 'C', 'ts': 4, ",
    "'args': {'Memory: cpu/0': 0}},",
    "{'name': 'mk', 'cat': 'Dom,instant_marker', 'ph': 'n', 'ts': 40, 's': 'p', 'pid': 2},",
    "{'name': 'never ends', 'cat': 'event', 'ph': 'B', 'ts': 50, 'pid': 2, 'tid': 9}",
    "], 'displayTimeUnit': 'ms'}",
};

static const char *mxnet(void)
{
    static char text[8192];
    text[0] = '\0';
    for (unsigned i = 0; i < sizeof(mxnet_lines) / sizeof(mxnet_lines[0]); i++)
        strcat(text, mxnet_lines[i]);
    for (char *at = text; *at; at++)
        *at = *at == '\'' ? '"' : *at;
    return text;
}

START_TEST(a_trace_of_mxnet)
{
    struct imported in = import_text(mxnet());
    const struct model_job *job = in.state->job;
    const struct model_objects *objects = model_job_objects(job);
    import_is(&in, MODEL_OP, "dot", 1, 1, 38000, 0);
    import_is(&in, MODEL_OP, "MXCall", 1, 1, 2000, 0);
    import_row(&in, MODEL_FUNCTION, "cpu/0: thread 7645286296329473051");
    ck_assert_uint_eq(model_job_count(job, MODEL_SPAN), 2); /* the task of dot is the op itself */
    ck_assert_str_eq(model_job_span(job, 0)->name.raw, "task one");
    ck_assert_uint_eq(objects->span[0].total_ns, 4985000);
    ck_assert_uint_eq(objects->span[0].first_ns, 10000);
    ck_assert_uint_eq(model_job_span(job, 1)->kind, MODEL_FRAME);
    ck_assert_uint_eq(objects->counters, 2);
    ck_assert_int_eq(objects->counter[0].value.i, -15);
    ck_assert_int_eq(objects->counter[0].max.i, 5);
    ck_assert_uint_eq(objects->counter[0].updates, 2);
    ck_assert_double_eq_tol(objects->counter[0].mean, -5, 1e-9);
    ck_assert_uint_eq(model_job_counter(job, 1)->kind, MODEL_MEMORY);
    ck_assert_uint_eq(objects->counter[1].max.u, 16384);
    ck_assert_str_eq(model_job_marker(job, 0)->domain.raw, "Dom");
    ck_assert(import_tells(&in, "Runs without an end in this trace, left out: 1."));
    ck_assert_str_eq(model_job_identity(job)->framework.raw, "MXNet");
    import_release(&in);
}
END_TEST

START_TEST(a_profile_of_onnxruntime)
{
    struct imported in = import_text(
        "[\n{\"cat\" : \"Session\",\"pid\" :42,\"tid\" :43,\"dur\" :900,\"ts\" :5,\"ph\" : \"X\","
        "\"name\" :\"model_run\",\"args\" : {}},\n"
        "{\"cat\" : \"Node\",\"pid\" :42,\"tid\" :43,\"dur\" :300,\"ts\" :10,\"ph\" : \"X\","
        "\"name\" :\"layer1_kernel_time\",\"args\" : {\"op_name\" : \"MatMul\",\"provider\" : "
        "\"CPUExecutionProvider\",\"node_index\" : \"0\"}},\n"
        "{\"cat\" : \"Node\",\"pid\" :42,\"tid\" :43,\"dur\" :200,\"ts\" :400,\"ph\" : \"X\","
        "\"name\" :\"layer2_kernel_time\",\"args\" : {\"op_name\" : \"MatMul\",\"provider\" : "
        "\"CPUExecutionProvider\",\"node_index\" : \"1\"}}\n]\n");
    import_is(&in, MODEL_OP, "MatMul", 2, 2, 500000, 0);
    import_is(&in, MODEL_APPLY, "layer1", 1, 1, 300000, 0);
    import_is(&in, MODEL_CLASS, "CPUExecutionProvider", 2, 2, 500000, 0);
    import_is(&in, MODEL_OP, "model_run", 1, 1, 400000, 0);
    ck_assert_str_eq(model_job_identity(in.state->job)->framework.raw, "onnxruntime");
    import_release(&in);
}
END_TEST

/* The events of a dump are its spans; its counts stand beside them. */
START_TEST(a_dump_of_proftop)
{
    struct imported in = import_text("{\"displayTimeUnit\": \"ms\",\n\"traceEvents\": [" X(
        "Dom", "task", 1, 1,
        5) "],\n"
           "\"proftop\": {\"schema\": \"proftop-dump-1\", \"epoch\": 1, \"wall_ns\": 5, "
           "\"mono_ns\": 7,\n"
           "\"events\": {\"runs\": 1},\n"
           "\"functions\": [\n  {\"id\": 0, \"name\": \"f\", \"calls\": 3, \"call_ns\": 900, "
           "\"vm_ns\": "
           "null, \"compile_ns\": 5}],\n"
           "\"applies\": [\n  {\"id\": 4, \"function\": 0, \"index\": 2, \"class\": \"C\", \"op\": "
           "\"o\","
           " \"name\": \"o(x)\", \"calls\": 3, \"total_ns\": 700, \"min_ns\": 100, \"max_ns\": "
           "null},\n"
           "  {\"id\": 5, \"function\": 9, \"class\": \"C\", \"op\": \"o\", \"name\": \"lost\", "
           "\"calls\": "
           "3}],\n"
           "\"counters\": [\n  {\"id\": 0, \"domain\": \"d\", \"name\": \"loss\", \"scope\": \"\", "
           "\"updates\": 4, \"value\": 0.5, \"min\": 0.25, \"max\": 2, \"mean\": 1.5}],\n"
           "\"spans\": [\n  {\"id\": 0, \"category\": \"Dom,frame\", \"name\": \"step\", "
           "\"calls\": 2, "
           "\"total_ns\": 50, \"self_ns\": 40, \"min_ns\": 20, \"max_ns\": 30, \"last_ns\": 20}],\n"
           "\"markers\": [\n  {\"id\": 9, \"domain\": \"d\", \"name\": \"saved\", \"scope\": "
           "\"process\", "
           "\"mono_ns\": 77}]}}\n");
    const struct model_objects *objects = model_job_objects(in.state->job);
    ck_assert_uint_eq(import_rows(&in, MODEL_APPLY), 1);
    import_is(&in, MODEL_APPLY, "o(x)", 3, 1, 700, 0);
    ck_assert_uint_eq(import_row(&in, MODEL_APPLY, "o(x)")->min_ns, 100);
    ck_assert_uint_eq(in.state->function[0].calls, 3);
    ck_assert_uint_eq(in.state->function[0].vm_ns, MODEL_UNKNOWN);
    ck_assert_double_eq(objects->counter[0].value.d, 0.5);
    ck_assert_double_eq(objects->counter[0].max.d, 2);
    ck_assert_uint_eq(objects->spans, 1);
    ck_assert_uint_eq(objects->span[0].self_ns, 40);
    ck_assert_uint_eq(model_job_span(in.state->job, 0)->kind, MODEL_FRAME);
    ck_assert_uint_eq(objects->mark[0].mono_ns, 77);
    ck_assert_uint_eq(in.file.unread, 1);
    ck_assert(import_tells(&in, "Event 2 is no row of a dump: `lost`."));
    import_release(&in);
}
END_TEST

START_TEST(bad_events_are_named_and_the_others_are_read)
{
    struct imported in = import_text("[" X(
        "a", "good", 1, 0, 100) ",7,null,{},{\"ph\":\"X\",\"name\":\"no time\",\"dur\":5},"
                                "{\"ph\":\"X\",\"name\":\"no "
                                "end\",\"ts\":5},{\"ph\":\"X\",\"name\":\"back\",\"ts\":5,\"dur\":"
                                "-5},{\"ph\":\"E\",\"name\":\"end\",\"ts\":5,\"tid\":1},{\"ph\":\"?"
                                "\",\"name\":\"odd\"},"
                                "{\"ph\":\"C\",\"name\":\"none\",\"ts\":1,\"args\":{\"a\":\"b\"}},"
                                "{\"ph\":\"X\",\"name\":\"late\",\"ts\":1e300,\"dur\":1e300}]");
    import_is(&in, MODEL_OP, "good", 1, 1, 100000, 0);
    ck_assert_uint_eq(import_rows(&in, MODEL_OP), 1);
    ck_assert_uint_eq(in.file.unread, 9);
    ck_assert(import_tells(&in, "Event 5 is an event without a time: `no time`."));
    ck_assert(import_tells(&in, "9 events of this file were not read."));
    import_release(&in);
}
END_TEST

START_TEST(an_unfinished_trace_is_read_up_to_its_end)
{
    static const char cut[] =
        "{\"traceEvents\": [ ," X("a", "good", 1, 0, 100) "," X("a", "cut", 1, 5, 5);
    struct imported in = import_bytes(cut, sizeof(cut) - 3, 0);
    ck_assert(!in.good || import_tells(&in, "is not JSON")); /* `[ ,` is no JSON */
    import_release(&in);
    static const char open[] =
        "{\"traceEvents\": [" X("a", "good", 1, 0, 100) "," X("a", "cut", 1, 5, 5);
    in = import_bytes(open, sizeof(open) - 5, 0);
    ck_assert(in.good);
    import_is(&in, MODEL_OP, "good", 1, 1, 100000, 0);
    ck_assert(import_tells(&in, "The file is cut off (at byte"));
    import_release(&in);
}
END_TEST

START_TEST(traces_cut_anywhere_or_with_a_wrong_byte)
{
    static const char bytes[] = {'\0', '\xff', '9', '"', '{'};
    const char *const texts[] = {nested, mxnet()};
    char *text = strdup(texts[_i % 2]);
    const size_t size = strlen(text);
    for (size_t at = 0; at < size; at++) {
        struct imported in = import_bytes(text, at, 0);
        import_release(&in);
        const char was = text[at];
        text[at] = bytes[_i / 2];
        in = import_bytes(text, size, 0);
        import_release(&in);
        text[at] = was;
    }
    free(text);
}
END_TEST

START_TEST(nesting_has_a_limit)
{
    enum { DEEP = 100000 };
    char *text = malloc(2 * DEEP + 100);
    ck_assert_ptr_nonnull(text);
    int size = sprintf(text, "{\"traceEvents\": [{\"ph\":\"X\",\"args\":{\"a\":");
    memset(text + size, '[', DEEP);
    struct imported in = import_bytes(text, (size_t)size + DEEP, 0);
    ck_assert(!in.good);
    ck_assert_ptr_nonnull(strstr(in.why, "has no row that can be read"));
    import_release(&in);
    free(text);
}
END_TEST

/* Runs in runs in runs: the stack of one thread grows with the file. */
START_TEST(deep_runs_are_added_up)
{
    enum { DEEP = 20000 };
    char *text = malloc(DEEP * 100), *to = text;
    ck_assert_ptr_nonnull(text);
    to += sprintf(to, "[");
    for (int i = 0; i < DEEP; i++)
        to += sprintf(to, "%s{\"ph\":\"X\",\"name\":\"f%d\",\"ts\":%d,\"dur\":%d}", i ? "," : "",
                      i % 10, i, 2 * DEEP - 2 * i);
    to += sprintf(to, "]");
    struct imported in = import_bytes(text, (size_t)(to - text), 0);
    ck_assert(in.good);
    ck_assert_uint_eq(in.state->totals.apply_calls, DEEP);
    ck_assert_uint_eq(in.state->totals.time_ns, UINT64_C(1000) * 2 * DEEP); /* of the outermost */
    import_release(&in);
    free(text);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("import_trace");
    tap_add(s, "runs_nest", runs_nest);
    tap_add(s, "overlaps_and_recursion_count_once", overlaps_and_recursion_count_once);
    tap_add(s, "an_op_that_calls_itself_alone_is_one_call",
            an_op_that_calls_itself_alone_is_one_call);
    tap_add(s, "a_trace_of_mxnet", a_trace_of_mxnet);
    tap_add(s, "a_profile_of_onnxruntime", a_profile_of_onnxruntime);
    tap_add(s, "a_dump_of_proftop", a_dump_of_proftop);
    tap_add(s, "bad_events_are_named_and_the_others_are_read",
            bad_events_are_named_and_the_others_are_read);
    tap_add(s, "an_unfinished_trace_is_read_up_to_its_end",
            an_unfinished_trace_is_read_up_to_its_end);
    tap_add_loop(s, "traces_cut_anywhere_or_with_a_wrong_byte",
                 traces_cut_anywhere_or_with_a_wrong_byte, 10);
    tap_add(s, "nesting_has_a_limit", nesting_has_a_limit);
    tap_add(s, "deep_runs_are_added_up", deep_runs_are_added_up);
    return s;
}
TAP_MAIN(suite)

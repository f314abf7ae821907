/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_import_stats.c: statistics of MXNet, tables of torch.profiler, decimals and lines.
 */
#include "imported.h"

#include <math.h>

#include "model/decimal.h"
#include "model/node_detail.h"
#include "model/objects.h"
#include "model/text_lines.h"

/* ---------------------------------------------------------------------------------------- MXNet */

#define COLUMNS(a, b, c, d)                                                                        \
    "=================\nName                          Total Count  " a b c d "\n"                  \
    "----                          -----------        ---------    -------------\n"
#define TIMES                                                                                      \
    COLUMNS("      Time (ms)", "    Min Time (ms)", "    Max Time (ms)", "    Avg Time (ms)")

/* What MXNet 1.9.1 printed for: 5 dot, a counter 5 +10 -3, a task, a frame, memory. */
static const char table[] =
    "\nProfile Statistics:\n\tNote the difference in units for different entries.\n"
    "Device Storage\n" COLUMNS(
        "", "  Min Use  (kB)", "    Max Use  (kB)",
        "    Avg Use  (kB)") "Memory: cpu/0                          20          16.3840          "
                             "98.3040          40.9600\n"
                             "\nDom\n" TIMES "task one                                1           "
                                             "4.9850           4.9850           4.9850    "
                             "       4.9850\n"
                             "cnt                                     3           0.0120           "
                             "0.0050           0.0150    "
                             "       0.0050\n"
                             "\nDom,frame\n" TIMES
                             "fr                                      1           0.0010           "
                             "0.0010           0.0010    "
                             "       0.0010\n"
                             "\nDom,instant_marker\n" TIMES "\nMXNET_C_API\n" TIMES
                             "MXImperativeInvokeEx                   11           0.6510           "
                             "0.0030           0.4970    "
                             "       0.0592\n"
                             "\noperator\n" TIMES "ResourceParallelRandomSetSeed               1   "
                                                  "        3.8470           3.8470           3.8470"
                             "           3.8470\n"
                             "dot                                     5           0.8960           "
                             "0.0150           0.8260    "
                             "       0.1792\n\n";

static const char json[] =
    "{\n    \"Time\": {\n        \"Dom\": {\n            \"task one\": {\"Count\": 1, \"Total\": "
    "4.985, \"Min\": 4.985, \"Max\": 4.985, \"Avg\": 4.985}\n            ,\n            \"cnt\": "
    "{\"Count\": 3, \"Total\": 0.012, \"Min\": 0.005, \"Max\": 0.015, \"Avg\": 0.005}\n        }\n"
    "        ,\n        \"Dom,frame\": {\"fr\": {\"Count\": 1, \"Total\": 0.001, \"Min\": 0.001, "
    "\"Max\": 0.001, \"Avg\": 0.001}},\n        \"Dom,instant_marker\": {},\n        "
    "\"MXNET_C_API\": {\"MXImperativeInvokeEx\": {\"Count\": 11, \"Total\": 0.651, \"Min\": 0.003, "
    "\"Max\": 0.497, \"Avg\": 0.05918}},\n        \"operator\": "
    "{\"ResourceParallelRandomSetSeed\": "
    "{\"Count\": 1, \"Total\": 3.847, \"Min\": 3.847, \"Max\": 3.847, \"Avg\": 3.847}, \"dot\": "
    "{\"Count\": 5, \"Total\": 0.896, \"Min\": 0.015, \"Max\": 0.826, \"Avg\": 0.1792}}\n    },\n"
    "    \"Memory\": {\"Device Storage\": {\"Memory: cpu/0\": {\"Count\": 20, \"Min\": 16.384, "
    "\"Max\": 98.304, \"Avg\": 40.96}}},\n    \"Unit\": {\"Time\": \"ms\", \"Memory\": "
    "\"kB\"}\n}\n";

static uint32_t counter_named(const struct model_job *job, const char *domain, const char *name)
{
    for (uint32_t i = 0; i < model_job_count(job, MODEL_COUNTER); i++)
        if (strcmp(model_job_counter(job, i)->domain.raw, domain) == 0 &&
            strcmp(model_job_counter(job, i)->name.raw, name) == 0)
            return i;
    ck_abort_msg("no counter %s %s", domain, name);
    return 0;
}

static uint32_t span_named(const struct model_job *job, const char *name)
{
    for (uint32_t i = 0; i < model_job_count(job, MODEL_SPAN); i++)
        if (strcmp(model_job_span(job, i)->name.raw, name) == 0)
            return i;
    ck_abort_msg("no span %s", name);
    return 0;
}

START_TEST(statistics_of_mxnet)
{
    struct imported in = import_text(_i ? json : table);
    const struct model_job *job = in.state->job;
    const struct model_objects *objects = model_job_objects(job);
    import_is(&in, MODEL_OP, "dot", 5, 1, 896000, 0);
    const struct model_row *dot = import_row(&in, MODEL_OP, "dot");
    ck_assert_uint_eq(dot->min_ns, 15000);
    ck_assert_uint_eq(dot->max_ns, 826000);
    import_is(&in, MODEL_OP, "ResourceParallelRandomSetSeed", 1, 1, 3847000, 0);
    import_is(&in, MODEL_CLASS, "operator", 6, 2, 4743000, 0);
    import_is(&in, MODEL_CLASS, "MXNET_C_API", 11, 1, 651000, 0);
    ck_assert_uint_eq(
        model_job_apply(job, import_row(&in, MODEL_APPLY, "MXImperativeInvokeEx")->id)->kind, 2);
    /* A counter is among the times, and is none. */
    const struct model_counter_value *value = &objects->counter[counter_named(job, "Dom", "cnt")];
    ck_assert_int_eq(value->value.i, 12);
    ck_assert_int_eq(value->min.i, 5);
    ck_assert_int_eq(value->max.i, 15);
    ck_assert_uint_eq(value->updates, 3);
    ck_assert(isnan(value->mean));
    const uint32_t memory = counter_named(job, "cpu/0", "");
    ck_assert_uint_eq(model_job_counter(job, memory)->kind, MODEL_MEMORY);
    ck_assert_uint_eq(objects->counter[memory].value.u, MODEL_UNKNOWN);
    ck_assert_uint_eq(objects->counter[memory].min.u, 16384);
    ck_assert_uint_eq(objects->counter[memory].max.u, 98304);
    ck_assert_double_eq_tol(objects->counter[memory].mean, 40960, 1e-6);
    ck_assert_uint_eq(model_job_count(job, MODEL_SPAN), 2);
    const uint32_t task = span_named(job, "task one"), frame = span_named(job, "fr");
    ck_assert_uint_eq(objects->span[task].total_ns, 4985000);
    ck_assert_uint_eq(objects->span[task].self_ns, MODEL_UNKNOWN);
    ck_assert_uint_eq(model_job_span(job, frame)->kind, MODEL_FRAME);
    ck_assert_str_eq(model_job_span(job, frame)->domain.raw, "Dom");
    ck_assert_str_eq(model_job_identity(job)->framework.raw, "MXNet");
    ck_assert_uint_eq(in.file.unread, 0);
    ck_assert_str_eq(in.file.format, "statistics of MXNet");
    import_release(&in);
}
END_TEST

START_TEST(a_row_that_is_none_is_named)
{
    struct imported in = import_text("Profile Statistics:\noperator\n" TIMES "dot 5 0.1 0.2 x 0.3\n"
                                     "a name with blanks 2 0.5 - - 0.25\n\nother\nwords\n");
    ck_assert(import_tells(&in, "Line 6 is no row of a table: `dot 5 0.1 0.2 x 0.3`."));
    const struct model_row *row = import_row(&in, MODEL_OP, "a name with blanks");
    ck_assert_uint_eq(row->calls, 2);
    ck_assert_uint_eq(row->total_ns, 500000);
    ck_assert_uint_eq(row->min_ns, MODEL_UNKNOWN);
    ck_assert(import_tells(&in, "Lines outside of profiles: 2."));
    import_release(&in);
}
END_TEST

/* ---------------------------------------------------------------------------------------- torch */

/* Appends a line of right-aligned cells, as Python does: widths are in characters. */
static void put_line(char *to, const unsigned *width, const char *const *cell, unsigned cells)
{
    for (unsigned i = 0; i < cells; i++) {
        unsigned size = 0;
        for (const char *at = cell[i]; *at; at++)
            size += ((unsigned char)*at & 0xC0) != 0x80;
        for (; size < width[i]; size++)
            strcat(to, " ");
        strcat(strcat(to, cell[i]), "  ");
    }
    strcat(to, "\n");
}

static void put_rule(char *to, const unsigned *width, unsigned cells)
{
    for (unsigned i = 0; i < cells; i++) {
        for (unsigned k = 0; k < width[i]; k++)
            strcat(to, "-");
        strcat(to, "  ");
    }
    strcat(to, "\n");
}

enum { PLAIN = 7, PLAIN_ROWS = 6, SHAPED = 11, SHAPED_ROWS = 4 };

static const char *plain(void)
{
    static char text[4096];
    static const unsigned width[PLAIN] = {25, 12, 12, 12, 12, 12, 12};
    static const char *const rows[PLAIN_ROWS][PLAIN] = {
        {"Name", "Self CPU %", "Self CPU", "CPU total", "CPU time avg", "Self CUDA", "# of Calls"},
        {"aten::addmm", "83.80%", "132.000ms", "140.500ms", "14.050ms", "1.250ms", "10"},
        {"aten::sum", "0.60%", "962.250us", "1.100ms", "73.333us", "0.000us", "15"},
        {"n\xc3\xa4me.py(8): <module>", "-0.01%", "-52.108us", "516.552ms", "516.552ms", "0.000us",
         "1"},
        {"enumerate(DataLoader)#...", "0.60%", "2.500s", "2.500s", "2.500s", "0.000us", "1"},
        {"no time", "0.60%", "here", "1.100ms", "73.333us", "0.000us", "15"},
    };
    text[0] = '\0';
    put_rule(text, width, PLAIN);
    for (unsigned i = 0; i < PLAIN_ROWS; i++) {
        put_line(text, width, rows[i], PLAIN);
        if (i == 0)
            put_rule(text, width, PLAIN);
    }
    put_rule(text, width, PLAIN);
    strcat(text, "Self CPU time total: 516.552ms\n");
    return text;
}

static const char *shaped(void)
{
    static char text[4096];
    static const unsigned width[SHAPED] = {15, 12, 12, 12, 12, 12, 12, 12, 20, 20, 12};
    static const char *const rows[SHAPED_ROWS][SHAPED] = {
        {"Name", "Self CPU %", "Self CPU", "CPU total", "CPU time avg", "CPU Mem", "Self CPU Mem",
         "# of Calls", "Input Shapes", "Source Location", "Total KFLOPs"},
        {"aten::mm", "10.00%", "1.000us", "1.000us", "1.000us", "2.00 Kb", "1.50 Kb", "2",
         "[[2, 3], [3]]", "train.py(3): f", "8.000"},
        {"", "", "", "", "", "", "", "", "", "train.py(9): main", ""},
        {"aten::mm", "10.00%", "2.000us", "2.000us", "2.000us", "0 b", "-4.00 b", "1", "[[], [[]]]",
         "", "--"},
    };
    text[0] = '\0';
    put_rule(text, width, SHAPED);
    for (unsigned i = 0; i < SHAPED_ROWS; i++) {
        put_line(text, width, rows[i], SHAPED);
        if (i == 0)
            put_rule(text, width, SHAPED);
    }
    put_rule(text, width, SHAPED);
    return text;
}

START_TEST(a_table_of_torch)
{
    struct imported in = import_text(plain());
    const struct model_job *job = in.state->job;
    const uint32_t incl = model_job_metric_named(job, "incl"), device = model_job_device(job);
    import_is(&in, MODEL_OP, "aten::addmm", 10, 1, 132000000, 0);
    import_is(&in, MODEL_OP, "aten::sum", 15, 1, 962250, 0);
    import_is(&in, MODEL_OP, "enumerate(DataLoader)#...", 1, 1, UINT64_C(2500000000), 0);
    import_is(&in, MODEL_CLASS, "aten", 25, 2, 132962250, 0);
    ck_assert_ptr_nonnull(import_find(&in, MODEL_CLASS, "python"));
    ck_assert_ptr_nonnull(import_find(&in, MODEL_CLASS, "data"));
    const uint32_t addmm = import_row(&in, MODEL_APPLY, "aten::addmm")->id;
    ck_assert_uint_eq(model_job_metric_value(job, incl, addmm), 140500000);
    ck_assert_uint_eq(model_job_metric_value(job, device, addmm), 1250000);
    /* A time below 0 is no time. */
    const struct model_row *module = import_row(&in, MODEL_OP, "n\xc3\xa4me.py(8): <module>");
    ck_assert_uint_eq(module->calls, 1);
    ck_assert_uint_eq(module->total_ns, MODEL_UNKNOWN);
    ck_assert(import_tells(&in, "Own times below 0 in the print, which are unknown here: 1."));
    ck_assert_uint_eq(in.file.unread, 1);
    ck_assert(import_tells(&in, "Line 8 is no row of a table"));
    ck_assert(import_tells(&in, "by at most 500000 ns."));
    ck_assert_str_eq(model_job_identity(job)->framework.raw, "PyTorch");
    import_release(&in);
}
END_TEST

START_TEST(shapes_tell_rows_of_one_op_apart)
{
    struct imported in = import_text(shaped());
    const struct model_job *job = in.state->job;
    import_is(&in, MODEL_OP, "aten::mm", 3, 2, 3000, 0);
    import_is(&in, MODEL_APPLY, "aten::mm([[2, 3], [3]])", 2, 1, 1000, 0);
    const uint32_t first = import_row(&in, MODEL_APPLY, "aten::mm([[2, 3], [3]])")->id;
    const uint32_t second = import_row(&in, MODEL_APPLY, "aten::mm([[], [[]]])")->id;
    const uint32_t memory = model_job_metric_named(job, "memory");
    ck_assert_uint_eq(model_job_metric_value(job, memory, first), 1536);
    ck_assert_uint_eq(model_job_metric_value(job, memory, second), MODEL_UNKNOWN); /* freed more */
    const struct model_about *about = model_job_about(job, first);
    ck_assert_ptr_nonnull(about);
    ck_assert_uint_eq(about->flops, 4000);
    ck_assert_str_eq(about->location, "train.py(3): f");
    ck_assert_uint_eq(in.file.unread, 0);
    import_release(&in);
}
END_TEST

START_TEST(a_table_cut_anywhere)
{
    const char *const texts[] = {table, json, plain(), shaped()};
    for (size_t size = 0; size < strlen(texts[_i]); size++) {
        struct imported in = import_bytes(texts[_i], size, 0);
        import_release(&in);
    }
}
END_TEST

START_TEST(a_table_with_any_wrong_byte)
{
    static const char bytes[] = {'\0', '\xff', '9', '"'};
    const char *const texts[] = {table, json, plain(), shaped()};
    char *text = strdup(texts[_i / 4]);
    const size_t size = strlen(text);
    for (size_t at = 0; at < size; at++) {
        const char was = text[at];
        text[at] = bytes[_i % 4];
        struct imported in = import_bytes(text, size, 0);
        import_release(&in);
        text[at] = was;
    }
    free(text);
}
END_TEST

/* ------------------------------------------------------------------------------------- decimals */

static const struct {
    const char *text;
    size_t size;
    int power;
    uint64_t value, half;
} decimals[] = {
    {"0.013s", 5, 9, 13000000, 500000},
    {"1.23e-03s", 8, 9, 1230000, 5000},
    {"8.76300009622355e-06s", 20, 9, 8763, 1},
    {"12", 2, 0, 12, 1},
    {"12 ", 2, 3, 12000, 500},
    {"-0.5x", 4, 1, 5, 1},
    {"1.e3", 4, 0, 1000, 500},
    {".25", 3, 2, 25, 1},
    {"5105695923594.005", 17, 3, UINT64_C(5105695923594005), 1},
    {"18446744073709551615", 20, 0, UINT64_C(18446744073709551610), 5},
    {"1e300", 5, 0, UINT64_MAX - 1, UINT64_MAX - 1},
    {"1e-300", 6, 9, 0, 1},
    {"0e999999999999", 14, 0, 0, UINT64_MAX - 1},
    {"0.00000000000000000000000000000000000000001", 43, 41, 1, 1},
    {"1e", 1, 0, 1, 1},
    {"nan", 0, 0, 0, 0},
    {"inf", 0, 0, 0, 0},
    {"-", 0, 0, 0, 0},
    {".", 0, 0, 0, 0},
    {"", 0, 0, 0, 0},
};

START_TEST(decimals_keep_their_precision)
{
    struct model_decimal number;
    const char *text = decimals[_i].text;
    ck_assert_uint_eq(model_decimal_read(text, strlen(text), &number), decimals[_i].size);
    if (decimals[_i].size == 0)
        return;
    ck_assert_uint_eq(model_decimal_scale(&number, decimals[_i].power), decimals[_i].value);
    ck_assert_uint_eq(model_decimal_half(&number, decimals[_i].power), decimals[_i].half);
    ck_assert_int_eq(number.negative, *text == '-');
}
END_TEST

START_TEST(lines_of_any_form)
{
    static const char text[] = "one\r\n\ntwo\0three\nlast";
    for (size_t step = 1; step < sizeof(text); step++) {
        struct imported_source source = {text, sizeof(text) - 1, 0, step};
        const struct model_reader reader = {imported_read, &source};
        static const char *const wanted[] = {"one", "", "two?three", "last"};
        struct model_lines lines;
        model_lines_init(&lines, &reader);
        for (unsigned i = 0; i < 4; i++) {
            ck_assert(model_lines_next(&lines));
            ck_assert_str_eq(lines.text, wanted[i]);
            ck_assert_uint_eq(lines.number, i + 1);
        }
        ck_assert(!model_lines_next(&lines) && !lines.wrong);
        model_lines_release(&lines);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("import_stats");
    tap_add_loop(s, "statistics_of_mxnet", statistics_of_mxnet, 2);
    tap_add(s, "a_row_that_is_none_is_named", a_row_that_is_none_is_named);
    tap_add(s, "a_table_of_torch", a_table_of_torch);
    tap_add(s, "shapes_tell_rows_of_one_op_apart", shapes_tell_rows_of_one_op_apart);
    tap_add_loop(s, "a_table_cut_anywhere", a_table_cut_anywhere, 4);
    tap_add_loop(s, "a_table_with_any_wrong_byte", a_table_with_any_wrong_byte, 16);
    tap_add_loop(s, "decimals_keep_their_precision", decimals_keep_their_precision,
                 sizeof(decimals) / sizeof(decimals[0]));
    tap_add(s, "lines_of_any_form", lines_of_any_form);
    return s;
}
TAP_MAIN(suite)

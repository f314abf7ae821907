/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_node_detail.c: phases, details of applies and metrics in the model, and the rows made from
 * them.
 */
#include "model/node_detail.h"
#include "model/extra.h"
#include "model/rewrite.h"
#include "sample.h"

#define UNKNOWN MODEL_UNKNOWN

static struct model_job *job;

static void setup(void)
{
    job = sample_job();
}

static void teardown(void)
{
    model_job_release(&job);
}

/* ------------------------------------------------------------------------------------ phases */

static void set_phase(uint32_t number, uint64_t rev, uint32_t parent, uint64_t calls,
                      const char *name)
{
    struct model_phase phase = {.rev = rev, .function = 1, .parent = parent, .calls = calls};
    ck_assert(model_job_set_phase(job, number, &phase, name, strlen(name)));
}

START_TEST(newer_phases_take_the_place)
{
    uint32_t count;
    set_phase(3, 2, 1, 7, "merge\033[2J");
    const struct model_phase *phase = model_job_phases(job, &count);
    ck_assert_uint_eq(count, 4);
    ck_assert_uint_eq(phase[0].rev, 0);
    ck_assert_str_eq(phase[3].name.raw, "merge\033[2J");
    ck_assert_ptr_null(strchr(phase[3].name.shown, '\033'));
    ck_assert_uint_eq(phase[3].parent, 1);
    set_phase(3, 2, 1, 8, "again");
    set_phase(3, 1, 1, 9, "before");
    phase = model_job_phases(job, &count);
    ck_assert_uint_eq(phase[3].calls, 7);
    set_phase(3, 5, 3, 10, "renamed");
    phase = model_job_phases(job, &count);
    ck_assert_uint_eq(phase[3].calls, 10);
    ck_assert_str_eq(phase[3].name.raw, "merge\033[2J");
    ck_assert_uint_eq(phase[3].parent, MODEL_NONE); /* cannot be below its own number */
    set_phase(MODEL_PHASES_MAX, 1, MODEL_NONE, 1, "too many");
    model_job_phases(job, &count);
    ck_assert_uint_eq(count, 4);
    struct model_phase stray = {.rev = 9, .function = 99};
    ck_assert(model_job_set_phase(job, 4, &stray, "", 0));
    model_job_phases(job, &count);
    ck_assert_uint_eq(count, 4);
}
END_TEST

/* A state that is shown does not change. Phases outlive an epoch. */
START_TEST(a_state_keeps_its_phases)
{
    set_phase(0, 1, MODEL_NONE, 1, "rewrite");
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    set_phase(0, 2, MODEL_NONE, 2, "");
    model_job_set_epoch(job, 2);
    struct model_state *later = model_state_take(job, MODEL_ALL, state);
    ck_assert_uint_eq(state->phases, 1);
    ck_assert_uint_eq(state->phase[0].calls, 1);
    ck_assert_uint_eq(later->phase[0].calls, 2);
    ck_assert_str_eq(later->phase[0].name.raw, "rewrite");
    model_state_free(&state);
    model_state_free(&later);
}
END_TEST

START_TEST(innermost_open_phase_is_returned)
{
    static const struct {
        uint32_t function;
        uint64_t open_ns;
    } phase[] = {{0, 10}, {1, 99}, {0, 30}, {0, 30}, {0, UNKNOWN}, {0, 20}};
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    ck_assert_ptr_null(model_state_phase(state, 0));
    model_state_free(&state);
    for (uint32_t i = 0; i < TAP_ROWS(phase); i++) {
        struct model_phase one = {.rev = 1,
                                  .function = phase[i].function,
                                  .parent = MODEL_NONE,
                                  .open_since_ns = phase[i].open_ns};
        ck_assert(model_job_set_phase(job, i, &one, "p", 1));
    }
    state = model_state_take(job, MODEL_ALL, NULL);
    ck_assert_ptr_eq(model_state_phase(state, 0), &state->phase[3]);
    ck_assert_ptr_eq(model_state_phase(state, 1), &state->phase[1]);
    model_state_free(&state);
}
END_TEST

/* ----------------------------------------------------------------------------------- details */

static struct model_bytes of(const char *text)
{
    return (struct model_bytes){text, strlen(text)};
}

static bool set_about(uint32_t apply, uint64_t rev, uint64_t flops, uint64_t bytes)
{
    const struct model_about_raw raw = {
        .rev = rev, .flops = flops, .bytes = bytes, .thunk_ns = UNKNOWN};
    return model_job_set_about(job, apply, &raw);
}

START_TEST(newer_details_take_the_place)
{
    ck_assert(!model_job_has_about(job));
    size_t before = model_job_bytes(job);
    ck_assert(set_about(2, 5, 1, 2));
    ck_assert(model_job_has_about(job));
    ck_assert_uint_gt(model_job_bytes(job), before);
    ck_assert(set_about(2, 5, 7, 7));
    ck_assert(set_about(2, 4, 7, 7));
    ck_assert_uint_eq(model_job_about(job, 2)->flops, 1);
    ck_assert(set_about(2, 6, 8, UNKNOWN));
    ck_assert_uint_eq(model_job_about(job, 2)->flops, 8);
    ck_assert_uint_eq(model_job_about(job, 2)->bytes, UNKNOWN);
    ck_assert_ptr_null(model_job_about(job, 1));
    ck_assert_ptr_null(model_job_about(job, 99));
    ck_assert(!set_about(99, 1, 1, 1));
}
END_TEST

static const struct {
    const char *shape;
    bool good;
} shapes[] = {
    {"[]", true},     {"[0]", true},      {"[256,64]", true}, {"[18446744073709551615]", true},
    {"", false},      {"[", false},       {"]", false},       {"[,]", false},
    {"[1,]", false},  {"[,1]", false},    {"[1,,2]", false},  {"[01]", false},
    {"[-1]", false},  {"[1.5]", false},   {"[1 2]", false},   {"[\"x\"]", false},
    {"[1],1", false}, {"[1],[2]", false}, {"null", false},    {"[999999999999999999999]", false},
};

/* A shape is copied into JSON unchanged, so it must be a valid list. */
START_TEST(shapes_are_lists_of_sizes)
{
    const struct model_value_raw value = {of("f4"), of(shapes[_i].shape), 1, MODEL_NONE, 0, 0, 0,
                                          of("")};
    const struct model_about_raw raw = {.rev = 1, .outputs = 1, .value = &value};
    ck_assert(model_job_set_about(job, 0, &raw));
    const struct model_about *about = model_job_about(job, 0);
    ck_assert_str_eq(about->value[0].shape, shapes[_i].good ? shapes[_i].shape : "");
    ck_assert_str_eq(about->value[0].dtype, "f4");
}
END_TEST

static const struct {
    const char *shape, *strides;
    uint64_t bytes;
    const char *shown; /* "?": not valid strides */
} strides[] = {
    {"[2,3]", "[24,8]", 48, "c"},
    {"[2,3]", "[8,16]", 48, "[8,16]"},
    {"[2,3]", "[-24,8]", 48, "[-24,8]"},
    {"[2,3]", "[48,8]", 48, "[48,8]"},
    {"[2,1,3]", "[24,7,8]", 48, "c"},
    {"[1]", "[-99]", 8, "c"},
    {"[0,3]", "[1,1]", 0, "c"},
    {"[]", "[]", 8, "c"},
    {"[4]", "[0]", 32, "[0]"},
    {"[2]", "[8]", UINT64_MAX, "[8]"},
    {"[4294967296,4294967296]", "[1,1]", 1, "[1,1]"},
    {"[2,3]", "[8]", 48, "?"},
    {"[]", "[8]", 8, "?"},
    {"[2]", "[]", 8, "?"},
    {"", "[8]", 8, "?"},
    {"[2]", "[-0]", 16, "?"},
    {"[2]", "[--8]", 16, "?"},
    {"[2]", "[-]", 16, "?"},
    {"[2]", "[8.5]", 16, "?"},
    {"[-2]", "[8]", 16, "?"},
};

/* Strides are copied into JSON unchanged, too. On the screen, c stands for C order. */
START_TEST(strides_are_steps_of_the_same_axes)
{
    char text[64];
    const struct model_value_raw value[] = {
        {of("f8"), of(strides[_i].shape), strides[_i].bytes, MODEL_NONE, 0, 0, 0,
         of(strides[_i].strides)},
        {of("f8"), of("[2]"), 16, MODEL_NONE, 0, 0, 0, of("[16]")}};
    const struct model_about_raw raw = {.rev = 1, .inputs = 1, .outputs = 1, .value = value};
    ck_assert(model_job_set_about(job, 0, &raw));
    const struct model_about *about = model_job_about(job, 0);
    const bool known = strides[_i].shown[0] != '?';
    ck_assert_str_eq(about->value[0].strides, known ? strides[_i].strides : "");
    size_t size = model_about_strides(about, text, sizeof text);
    ck_assert_uint_eq(size, strlen(text));
    ck_assert_uint_eq(strncmp(text, strides[_i].shown, strlen(strides[_i].shown)), 0);
    ck_assert_str_eq(text + strlen(strides[_i].shown), " -> [16]");
}
END_TEST

START_TEST(values_are_written_in_a_line)
{
    struct model_value_raw value[] = {{of("float32"), of("[2,3]"), 24, 1, 0, 0, 0, of("")},
                                      {of(""), of(""), 0, MODEL_NONE, 0, 0, 0, of("")},
                                      {of("i8\x1b[2J"), of("[]"), 1, 0, 0, 2, 0, of("")},
                                      {of("i1"), of(""), 1, 0, 0, 3, 0, of("")},
                                      {of("i2"), of("x"), 1, 0, 0, 99, 0, of("")}};
    struct model_about_raw raw = {
        .rev = 1, .inputs = 2, .outputs = 3, .value = value, .device = of("gpu\n0")};
    char text[256], little[32];
    ck_assert(model_job_set_about(job, 0, &raw));
    const struct model_about *about = model_job_about(job, 0);
    ck_assert_uint_gt(model_about_shapes(about, text, sizeof text), 0);
    ck_assert_ptr_null(strchr(text, '\033'));
    ck_assert_ptr_null(strchr(about->device, '\n'));
    ck_assert_ptr_eq(strstr(text, "float32[2,3], ? -> i8"), text);
    ck_assert_str_eq(text + strlen(text) - strlen("[2J[], i1, i2"), "[2J[], i1, i2");
    ck_assert_uint_eq(about->value[2].alias, MODEL_OVERWRITES);
    ck_assert_uint_eq(about->value[2].input, 0);
    ck_assert_uint_eq(about->value[3].alias, MODEL_VIEW);
    ck_assert_uint_eq(about->value[3].input, 1);
    ck_assert_uint_eq(about->value[4].alias, MODEL_OWN); /* there is no such input */
    size_t size = model_about_shapes(about, little, sizeof little);
    ck_assert_uint_eq(size, strlen(little));
    ck_assert_ptr_nonnull(strstr(little, " ..."));
    ck_assert_ptr_nonnull(strstr(little, "->"));
    ck_assert_uint_eq(model_about_strides(about, text, sizeof text), 0); /* no stride is known */
    raw = (struct model_about_raw){.rev = 2};
    ck_assert(model_job_set_about(job, 0, &raw));
    ck_assert_uint_eq(model_about_shapes(model_job_about(job, 0), text, sizeof text), 0);
}
END_TEST

/* ------------------------------------------------------------------------------------- rows */

static uint64_t figure(const struct model_state *state, enum model_table table, uint32_t id,
                       uint32_t which)
{
    return model_extra(state, table, id, which);
}

/* A sum with an unknown part is unknown. An apply that never ran computed nothing. */
START_TEST(figures_add_up_where_all_are_known)
{
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    ck_assert(!model_extra_there(state, MODEL_EXTRA_BYTES));
    ck_assert_uint_eq(figure(state, MODEL_APPLY, 0, MODEL_EXTRA_BYTES), UNKNOWN);
    model_state_free(&state);
    sample_apply(job, 1, 1, 1, "never ran", MODEL_IMPL_C);
    ck_assert(set_about(0, 1, 5, 100));
    ck_assert(set_about(2, 1, 3, 10));
    ck_assert(set_about(3, 1, UNKNOWN, 20));
    state = model_state_take(job, MODEL_ALL, NULL);
    ck_assert(model_extra_there(state, MODEL_EXTRA_BYTES));
    ck_assert_uint_eq(figure(state, MODEL_APPLY, 0, MODEL_EXTRA_FLOPS), 5 * 10);
    ck_assert_uint_eq(figure(state, MODEL_OP, 2, MODEL_EXTRA_BYTES), 30);
    ck_assert_uint_eq(figure(state, MODEL_OP, 2, MODEL_EXTRA_FLOPS), UNKNOWN);
    ck_assert_uint_eq(figure(state, MODEL_CLASS, 0, MODEL_EXTRA_BYTES), UNKNOWN);
    ck_assert_uint_eq(figure(state, MODEL_FUNCTION, 0, MODEL_EXTRA_BYTES), UNKNOWN);
    ck_assert_uint_eq(figure(state, MODEL_LINE, 0, MODEL_EXTRA_BYTES), UNKNOWN);
    model_state_free(&state);
    ck_assert(set_about(3, 2, 2, 20));
    ck_assert(set_about(1, 1, 0, 1));
    state = model_state_take(job, 0, NULL);
    ck_assert_uint_eq(figure(state, MODEL_FUNCTION, 0, MODEL_EXTRA_BYTES), 111);
    ck_assert_uint_eq(figure(state, MODEL_FUNCTION, 0, MODEL_EXTRA_FLOPS), 50 + 0 + 90);
    ck_assert_uint_eq(figure(state, MODEL_CLASS, 0, MODEL_EXTRA_BYTES), 101);
    ck_assert_uint_eq(figure(state, MODEL_CLASS, 0, MODEL_EXTRA_FLOPS), 50 + 0);
    ck_assert_uint_eq(figure(state, MODEL_LINE, 0, MODEL_EXTRA_BYTES), 111);
    ck_assert_uint_eq(figure(state, MODEL_LINE, 0, MODEL_EXTRA_FLOPS), 50 + 0 + 90);
    ck_assert_uint_eq(figure(state, MODEL_OP, 2, MODEL_EXTRA_BYTES), 10); /* of function 0 alone */
    model_state_free(&state);
    state = model_state_take(job, MODEL_ALL, NULL);
    ck_assert_uint_eq(figure(state, MODEL_OP, 1, MODEL_EXTRA_FLOPS), 0);
    ck_assert_uint_eq(figure(state, MODEL_OP, 1, MODEL_EXTRA_BYTES), UNKNOWN);
    model_state_free(&state);
}
END_TEST

START_TEST(metrics_merge_by_their_kind)
{
    static const struct {
        const char *name, *unit;
        uint8_t how, is;
        uint64_t op, function; /* of a function's sum over ops, inclusive times are unknown */
    } want[] = {
        {"sum", "", MODEL_SUM, MODEL_UNIT_COUNT, 5, 3},
        {"max", "bytes", MODEL_MAX, MODEL_UNIT_BYTES, 3, 3},
        {"last", "ns", MODEL_LAST, MODEL_UNIT_NS, UNKNOWN, UNKNOWN},
        {"incl", "ns", MODEL_INCLUSIVE, MODEL_UNIT_NS, 5, UNKNOWN},
    };
    for (uint32_t i = 0; i < 4; i++) {
        ck_assert(model_job_set_metric(job, i, of(want[i].name), of(want[i].unit), want[i].how));
        ck_assert(model_job_set_metric_value(job, i, 2, 1, 3));
        ck_assert(model_job_set_metric_value(job, i, 3, 1, 2));
    }
    ck_assert(model_job_set_metric(job, 0, of("renamed"), of("ns"), MODEL_LAST));
    ck_assert(!model_job_set_metric(job, 9, of("a hole"), of(""), MODEL_SUM));
    ck_assert(!model_job_set_metric_value(job, 9, 0, 1, 1));
    ck_assert(!model_job_set_metric_value(job, 0, 99, 1, 1));
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    for (uint32_t i = 0; i < 4; i++) {
        const struct model_metric *metric = model_job_metric(job, i);
        ck_assert_str_eq(metric->name.raw, want[i].name);
        ck_assert_uint_eq(metric->unit, want[i].is);
        ck_assert_uint_eq(figure(state, MODEL_APPLY, 3, MODEL_EXTRA_METRIC + i), 2);
        ck_assert_uint_eq(figure(state, MODEL_APPLY, 0, MODEL_EXTRA_METRIC + i), UNKNOWN);
        ck_assert_uint_eq(figure(state, MODEL_OP, 2, MODEL_EXTRA_METRIC + i), want[i].op);
        ck_assert_uint_eq(figure(state, MODEL_FUNCTION, 0, MODEL_EXTRA_METRIC + i),
                          want[i].function);
        const uint64_t sum = want[i].how == MODEL_INCLUSIVE ? UNKNOWN : want[i].op;
        ck_assert_uint_eq(figure(state, MODEL_CLASS, 1, MODEL_EXTRA_METRIC + i), sum);
        ck_assert_uint_eq(figure(state, MODEL_LINE, 0, MODEL_EXTRA_METRIC + i), sum);
        ck_assert_uint_eq(figure(state, MODEL_OP, 0, MODEL_EXTRA_METRIC + i), UNKNOWN);
    }
    ck_assert_uint_eq(figure(state, MODEL_APPLY, 3, MODEL_EXTRA_METRIC + 4), UNKNOWN);
    model_state_free(&state);
}
END_TEST

/* Fewer values than metrics can arrive. A new epoch has no values. */
START_TEST(values_of_metrics_do_not_fall)
{
    ck_assert(model_job_set_metric(job, 0, of("a"), of(""), MODEL_LAST));
    ck_assert(model_job_set_metric_value(job, 0, 1, 5, 50));
    ck_assert(model_job_set_metric_value(job, 0, 1, 4, 40));
    ck_assert_uint_eq(model_job_metric_value(job, 0, 1), 50);
    ck_assert(model_job_set_metric_value(job, 0, 1, 6, 10));
    ck_assert_uint_eq(model_job_metric_value(job, 0, 1), 10);
    model_job_set_epoch(job, 2);
    ck_assert_uint_eq(model_job_metric_value(job, 0, 1), UNKNOWN);
    ck_assert(model_job_set_metric_value(job, 0, 1, 1, 9));
    ck_assert_uint_eq(model_job_metric_value(job, 0, 1), 9);
}
END_TEST

/* ----------------------------------------------------------------------------------- columns */

static const struct model_column *column(const char *id)
{
    return &model_columns[model_column_find(id, MODEL_APPLY)];
}

/* What ops make a device do has one column, and their own time is named by what it is. */
START_TEST(time_is_that_of_the_launch_where_ops_run_on_a_device)
{
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    ck_assert(!model_column_there(column("device"), state));
    ck_assert(!model_column_there(column("device"), NULL));
    model_state_free(&state);
    ck_assert(model_job_set_metric(job, 0, of("incl"), of("ns"), MODEL_INCLUSIVE));
    ck_assert(model_job_set_metric(job, 1, of("device"), of("ns"), MODEL_SUM));
    ck_assert(model_job_set_metric_value(job, 1, 2, 1, 700));
    model_job_identity_mutable(job)->share = 0.5;
    state = model_state_take(job, MODEL_ALL, NULL);
    ck_assert(state->totals.estimated && state->totals.ops_estimated); /* of a part of the time */
    ck_assert(model_column_there(column("device"), state));
    ck_assert(!model_column_there(column("metric-2"), state));
    ck_assert_str_eq(model_column_title(column("time"), MODEL_APPLY, state), "LAUNCH");
    ck_assert_str_eq(model_column_title(column("time"), MODEL_COMPILE, state), "TIME");
    ck_assert_str_eq(model_column_title(column("per-call"), MODEL_APPLY, state), "/CALL");
    struct model_view view = {.table = MODEL_APPLY, .state = state};
    struct model_cell cell = column("device")->get(&view, &state->row[MODEL_APPLY][2], 0);
    ck_assert(cell.known && cell.u == 700 && cell.approx);
    cell = column("device")->get(&view, &state->row[MODEL_APPLY][1], 0);
    ck_assert(!cell.known);
    model_state_free(&state);
}
END_TEST

START_TEST(columns_are_hidden_unless_there)
{
    static const char *const id[] = {"bytes", "flops", "metric-1", "metric-4"};
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    for (unsigned i = 0; i < 4; i++) {
        ck_assert(!model_column_there(column(id[i]), state));
        ck_assert(!model_column_there(column(id[i]), NULL));
    }
    ck_assert(model_column_there(column("time"), NULL));
    ck_assert_str_eq(model_column_title(column("metric-1"), MODEL_APPLY, state), "M1");
    model_state_free(&state);
    ck_assert(model_job_set_metric(job, 0, of("cache misses"), of("bytes"), MODEL_SUM));
    state = model_state_take(job, MODEL_ALL, NULL);
    ck_assert(!model_column_there(column("metric-1"), state)); /* declared, but without a value */
    model_state_free(&state);
    ck_assert(model_job_set_metric_value(job, 0, 2, 1, 2048));
    ck_assert(set_about(2, 1, 7, UNKNOWN));
    state = model_state_take(job, MODEL_ALL, NULL);
    ck_assert(model_column_there(column("metric-1"), state));
    ck_assert(model_column_there(column("flops"), state));
    ck_assert(!model_column_there(column("bytes"), state));
    ck_assert_str_eq(model_column_title(column("metric-1"), MODEL_APPLY, state), "cache misses");
    ck_assert_uint_eq(model_column_unit(column("metric-1"), state), MODEL_UNIT_BYTES);
    ck_assert_uint_eq(model_column_unit(column("time"), state), MODEL_UNIT_NS);
    struct model_view view = {.table = MODEL_APPLY, .state = state};
    struct model_cell cell = column("metric-1")->get(&view, &state->row[MODEL_APPLY][2], 0);
    ck_assert(cell.known && cell.u == 2048);
    /* 7 operations, 30 calls, 8500 ns. */
    cell = column("flops")->get(&view, &state->row[MODEL_APPLY][2], 0);
    ck_assert(cell.known && cell.u == 7 * 30 * UINT64_C(1000000000) / 8500);
    cell = column("flops")->get(&view, &state->row[MODEL_APPLY][1], 0);
    ck_assert(!cell.known);
    model_state_free(&state);
}
END_TEST

/* An overflow makes the figure unknown: of the operations of all calls, and of the operations per
 * second. */
START_TEST(operations_that_do_not_fit_are_not_known)
{
    static const struct {
        uint64_t flops; /* of one call; 30 calls took 8500 ns together */
        bool known;
    } seam[] = {
        {UNKNOWN / 30 + 1, false},          /* all calls together overflow */
        {UNKNOWN / 30, false},              /* the rate per second overflows */
        {UNKNOWN / 1000000000 * 283, true}, /* just fits */
    };
    for (size_t i = 0; i < sizeof(seam) / sizeof(seam[0]); i++) {
        ck_assert(set_about(2, i + 1, seam[i].flops, 8));
        struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
        struct model_view view = {.table = MODEL_APPLY, .state = state};
        struct model_cell cell = column("flops")->get(&view, &state->row[MODEL_APPLY][2], 0);
        ck_assert_int_eq(cell.known, seam[i].known);
        if (cell.known)
            ck_assert_uint_eq(
                cell.u, (uint64_t)((unsigned __int128)seam[i].flops * 30 * 1000000000 / 8500));
        model_state_free(&state);
    }
    /* Each of the two fits; their sum does not. */
    ck_assert(set_about(2, 9, UNKNOWN / 60 + 1, 8));
    ck_assert(set_about(3, 1, UNKNOWN / 10 + 1, 8));
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    ck_assert_uint_eq(figure(state, MODEL_OP, 2, MODEL_EXTRA_FLOPS), UNKNOWN);
    model_state_free(&state);
}
END_TEST

/* The job may send an apply's kind of code later, as a compiler that waits for shapes does. */
START_TEST(implementation_can_be_set_later)
{
    const struct model_about_raw raw = {.rev = 1, .impl = MODEL_IMPL_JIT};
    ck_assert(model_job_set_about(job, 2, &raw));
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    ck_assert_uint_eq(state->row[MODEL_APPLY][2].impls, 1u << MODEL_IMPL_JIT);
    ck_assert_uint_eq(state->row[MODEL_APPLY][3].impls, 1u << MODEL_IMPL_C);
    ck_assert_uint_eq(state->row[MODEL_OP][2].impls, 1u << MODEL_IMPL_JIT | 1u << MODEL_IMPL_C);
    model_state_free(&state);
}
END_TEST

static void add(Suite *s, const char *name, const TTest *test, int rows)
{
    tcase_add_checked_fixture(tap_add_loop(s, name, test, rows), setup, teardown);
}

static Suite *suite(void)
{
    Suite *s = suite_create("about");
    add(s, "newer_phases_take_the_place", newer_phases_take_the_place, 1);
    add(s, "a_state_keeps_its_phases", a_state_keeps_its_phases, 1);
    add(s, "innermost_open_phase_is_returned", innermost_open_phase_is_returned, 1);
    add(s, "newer_details_take_the_place", newer_details_take_the_place, 1);
    add(s, "shapes_are_lists_of_sizes", shapes_are_lists_of_sizes, TAP_ROWS(shapes));
    add(s, "strides_are_steps_of_the_same_axes", strides_are_steps_of_the_same_axes,
        TAP_ROWS(strides));
    add(s, "values_are_written_in_a_line", values_are_written_in_a_line, 1);
    add(s, "figures_add_up_where_all_are_known", figures_add_up_where_all_are_known, 1);
    add(s, "metrics_merge_by_their_kind", metrics_merge_by_their_kind, 1);
    add(s, "values_of_metrics_do_not_fall", values_of_metrics_do_not_fall, 1);
    add(s, "time_is_that_of_the_launch_where_ops_run_on_a_device",
        time_is_that_of_the_launch_where_ops_run_on_a_device, 1);
    add(s, "columns_are_hidden_unless_there", columns_are_hidden_unless_there, 1);
    add(s, "operations_that_do_not_fit_are_not_known", operations_that_do_not_fit_are_not_known, 1);
    add(s, "implementation_can_be_set_later", implementation_can_be_set_later, 1);
    return s;
}

TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_screen.c: tests whole screens: exactly as in tests/screens, at every size, in every mode.
 * PROFTOP_WRITE_SCREENS=1 rewrites the screens. Check the difference before you keep it.
 */
#include "config.h"

#include "../tap.h"

#include "model/node_detail.h"
#include "stage.h"
#include "stage_compile.h"
#include "stage_jobs.h"
#include "stage_waits.h"

#include <locale.h>

/* Replaces the key table, so that a new key does not change the screens. */
size_t tui_help_rows(const struct tui_help_row **rows)
{
    static const struct tui_help_row all[] = {
        {"Look", "F1 ? h", "this help", "Help", "Help", ~0u},
        {"Look", "F3 /", "search a name", "Find", "Find", ~0u},
        {"Look", "F4 \\", "filter the names", "Filter", "Filter", ~0u},
        {"Look", "F6 ,", "choose the sort column", "Sort", "Sort", ~0u},
        {"Time", "Space Z p", "pause and resume", "Pause", "Pause", ~0u},
        {"Time", "F10 q", "quit", "Quit", "Quit", ~0u},
    };
    *rows = all;
    return sizeof(all) / sizeof(all[0]);
}

static void start(struct stage *stage, const struct sample *sample)
{
    ck_assert_ptr_nonnull(setlocale(LC_ALL, "C.UTF-8"));
    ck_assert_int_eq(setenv("TZ", "UTC0", 1), 0);
    stage_init(stage, sample);
    stage->screen.show_clock = true;
    stage->screen.wall_ns = UINT64_C(43421000000000);
    if (!sample)
        return;
    sample_set_applies(stage->job, sample, 2);
    stage_show(stage);
}

/* ----------------------------------------------------------------------------- exact screens */

static void make_plain(struct stage *stage)
{
    (void)stage;
}

static void make_paused(struct stage *stage)
{
    stage->screen.paused = true;
    stage->screen.now_ns = UINT64_C(37000000000);
    stage->screen.paused_frames = 370;
    stage->screen.live_calls = stage->state->totals.calls + 888;
    stage->screen.active = 2;
    tui_screen_move(&stage->screen, 3);
}

static void make_over(struct stage *stage, const char *reason)
{
    stage->link.state = MODEL_GONE;
    snprintf(stage->link.reason, sizeof(stage->link.reason), "%s", reason);
    model_job_set_ended(stage->job, true);
    stage_show(stage);
}

static void make_gone(struct stage *stage)
{
    make_over(stage, "The job ended without saying so.");
}

static void make_ended(struct stage *stage)
{
    stage->link.said_bye = true;
    make_over(stage, "the job closed its feed: it has ended, or was detached from");
}

static void make_interval(struct stage *stage)
{
    stage->screen.interval = true;
    sample_set_applies(stage->job, &sample_train, 3);
    stage->screen.pane[1].view.column =
        model_column_interval(stage->screen.pane[1].view.column, MODEL_OP);
    stage_show(stage);
}

static void make_ascii(struct stage *stage)
{
    stage->grid.ascii = true;
    stage->screen.active = 0;
}

static void make_batch(struct stage *stage)
{
    stage->screen.batch = true;
}

static void make_waits_applies(struct stage *stage)
{
    make_waits(stage);
    stage->screen.active = tui_pane_of(MODEL_APPLY);
}

static void make_waits_detail(struct stage *stage)
{
    make_waits_applies(stage);
    stage->screen.mode = TUI_MODE_DETAIL;
    tui_screen_move(&stage->screen, 5);
}

static void make_waits_batch(struct stage *stage)
{
    stage->screen.batch = true;
    make_waits(stage);
}

static void make_aside_detail(struct stage *stage)
{
    make_aside(stage);
    stage->screen.mode = TUI_MODE_DETAIL;
    tui_screen_move(&stage->screen, 4);
}

static void make_help(struct stage *stage)
{
    stage->screen.mode = TUI_MODE_HELP;
}

static void make_detail(struct stage *stage)
{
    stage->screen.mode = TUI_MODE_DETAIL;
    tui_screen_move(&stage->screen, 2);
}

/* Details of applies that few jobs send. */
static void make_told(struct stage *stage)
{
    const struct model_bytes f4 = {"float32", 7}, large = {"[256,64]", 8}, none = {"", 0},
                             across = {"[4,1024]", 8}, rows = {"[256,4]", 7};
    const struct model_value_raw value[] = {{f4, large, 65536, 1, 0, 0, 0, across},
                                            {f4, none, MODEL_UNKNOWN, MODEL_NONE, 0, 0, 0, none},
                                            {f4, large, 65536, MODEL_NONE, 0, 2, 0, rows},
                                            {f4, none, 4, MODEL_NONE, 0, 3, 0, none}};
    const struct model_about_raw about = {.rev = 1,
                                          .flops = 2000000,
                                          .bytes = 65540,
                                          .thunk_ns = 71000,
                                          .device = {"cuda:0", 6},
                                          .location = {"model.py:12", 11},
                                          .rewrite = {"fusion", 6},
                                          .library = {"lib.py:7", 8},
                                          .inputs = 2, .outputs = 2,
                                          .one_in = 100, .value = value};
    const struct model_bytes metric = {"cache misses", 12}, bytes = {"bytes", 5};
    sample_must(model_job_set_about(stage->job, 0, &about));
    sample_must(model_job_set_metric(stage->job, 0, metric, none, MODEL_SUM));
    sample_must(model_job_set_metric(stage->job, 1, bytes, bytes, MODEL_MAX));
    for (uint32_t i = 0; i < 3; i++)
        sample_must(model_job_set_metric_value(stage->job, i / 2, i, 1, 1500 + i));
    stage->screen.active = 2;
    stage_show(stage);
}

static void make_told_detail(struct stage *stage)
{
    make_told(stage);
    stage->screen.mode = TUI_MODE_DETAIL;
}

/* The graph with which the frameworks test their memory profile: 4112KB (4104KB), 8204KB (8196KB),
 * 8208KB. */
static const char *const outer_classes[] = {"tensor.elemwise.Elemwise"};
static const struct sample_op outer_ops[] = {
    {"Shape_i{0}", 0}, {"Alloc", 0}, {"Ger{destructive}", 0}, {"Sum{axis=1}", 0}, {"Add", 0}};
static const struct sample_apply outer_applies[] = {
    {"Shape_i{0}(val1)", 0, 0, MODEL_IMPL_C, 3, 2950},
    {"Shape_i{0}(val0)", 0, 1, MODEL_IMPL_C, 3, 9080},
    {"Alloc(0.0, Shape_i{0}.0, Shape_i{0}.0)", 1, 2, MODEL_IMPL_C, 3, 4800000},
    {"Ger{destructive}(Alloc.0, 1.0, val0, val1)", 2, 3, MODEL_IMPL_C, 3, 15400000},
    {"Sum{axis=1}(Ger{destructive}.0)", 3, 4, MODEL_IMPL_C, 3, 22500000},
    {"Shape_i{0}(val2)", 0, 5, MODEL_IMPL_C, 3, 21800},
    {"Alloc(0.0, Shape_i{0}.0, Shape_i{0}.0)", 1, 6, MODEL_IMPL_C, 3, 2040000},
    {"Ger{destructive}(Alloc.0, 1.0, val1, val2)", 2, 7, MODEL_IMPL_C, 3, 17800000},
    {"Sum{axis=1}(Ger{destructive}.0)", 3, 8, MODEL_IMPL_C, 3, 10700000},
    {"Add(val0, val1)", 4, 9, MODEL_IMPL_C, 3, 32900},
    {"Add(val1, val2)", 4, 10, MODEL_IMPL_C, 3, 12500},
};
static const struct sample sample_outer = {"outer.py", "outer", outer_classes, 1, outer_ops, 5,
                                           outer_applies, 11, 3, 74400000, 73900000, 3090000000,
                                           453000000, 592000, 2640000000};

/* For each apply: bytes, the shape, the value that it reads (from 1), whether it overwrites that
 * value, and which result it is. */
static const struct {
    uint64_t bytes;
    const char *shape;
    uint32_t in[2], alias, result;
} outer_values[] = {
    {8, "[]", {0}, 0, 0},
    {8, "[]", {0}, 0, 0},
    {4 << 20, "[1024,1024]", {1, 2}, 0, 0},
    {4 << 20, "[1024,1024]", {3, 0}, 2, 0},
    {4096, "[1024]", {4, 0}, 0, 1},
    {8, "[]", {0}, 0, 0},
    {4 << 20, "[1024,1024]", {2, 6}, 0, 0},
    {4 << 20, "[1024,1024]", {7, 0}, 2, 0},
    {4096, "[1024]", {8, 0}, 0, 2},
    {4096, "[1024]", {0}, 0, 3},
    {4096, "[1024]", {0}, 0, 4},
};

static void make_memory(struct stage *stage)
{
    for (uint32_t i = 0; i < sample_outer.apply_count; i++) {
        struct model_value_raw value[3] = {{.bytes = MODEL_UNKNOWN}};
        uint32_t inputs = 0;
        for (; inputs < 2 && outer_values[i].in[inputs] > 0; inputs++)
            value[inputs] = (struct model_value_raw){.source = outer_values[i].in[inputs] - 1,
                                                     .bytes = MODEL_UNKNOWN};
        const char *shape = outer_values[i].shape;
        value[inputs] = (struct model_value_raw){.dtype = {"float32", 7},
                                                 .shape = {shape, strlen(shape)},
                                                 .bytes = outer_values[i].bytes,
                                                 .source = MODEL_NONE,
                                                 .alias = outer_values[i].alias,
                                                 .result = outer_values[i].result};
        const struct model_about_raw about = {.rev = 1,
                                              .bytes = outer_values[i].bytes,
                                              .inputs = inputs,
                                              .outputs = 1,
                                              .value = value};
        sample_must(model_job_set_about(stage->job, i, &about));
    }
    unsigned memory = tui_pane_of(MODEL_SIZES);
    stage->screen.active = memory;
    stage->screen.pane[memory].view.least_bytes = 1024;
    stage_show(stage);
}

static void make_memory_batch(struct stage *stage)
{
    stage->screen.batch = true;
    stage->screen.batch_panes = 1u << tui_pane_of(MODEL_SIZES);
    make_memory(stage);
}

static void make_compile_by_own(struct stage *stage)
{
    struct model_view *view = &stage->screen.pane[tui_pane_of(MODEL_COMPILE)].view;
    sample_must(model_view_sort(view, (unsigned)model_column_find("own", MODEL_COMPILE)));
    stage->screen.interval = true; /* the stage has none */
    make_compile(stage);
}

static void make_compile_batch(struct stage *stage)
{
    stage->screen.batch = true;
    stage->screen.batch_panes = 1u << tui_pane_of(MODEL_COMPILE);
    make_compile(stage);
}

static void make_picker(struct stage *stage)
{
    static const struct tui_choice choice[] = {
        {"    4711      1:02       -  -                   train.py ... --lr 0.1", false, true},
        {"    4720     12:03   36.8k  Elemwise{add}       synthetic", true, true}};
    stage->screen.mode = TUI_MODE_PICKER;
    stage->screen.choice = choice;
    stage->screen.choices = stage->screen.jobs = 2;
    stage->screen.choice_head =
        "     PID       AGE CALLS/S  HOTTEST OP          PROGRAM AND ARGUMENTS";
    stage->screen.chosen = 1;
    stage->screen.picker_note = "One job of another user was left out.";
}

static const struct {
    const char *name;
    int rows, cols;
    const struct sample *sample;
    void (*make)(struct stage *stage);
} screens[] = {
    {"ops-80x24", 24, 80, &sample_train, make_plain},
    {"ops-120x40", 40, 120, &sample_train, make_plain},
    {"paused-80x24", 24, 80, &sample_train, make_paused},
    {"gone-80x24", 24, 80, &sample_train, make_gone},
    {"ended-120x40", 40, 120, &sample_train, make_ended},
    {"interval-80x24", 24, 80, &sample_train, make_interval},
    {"ascii-80x24", 24, 80, &sample_train, make_ascii},
    {"small-40x10", 10, 40, &sample_train, make_plain},
    {"told-200x20", 20, 200, &sample_seed, make_told},
    {"told-detail-100x40", 40, 100, &sample_seed, make_told_detail},
    {"memory-80x24", 24, 80, &sample_outer, make_memory},
    {"memory-120x40", 40, 120, &sample_outer, make_memory},
    {"memory-200x60", 60, 200, &sample_outer, make_memory},
    {"memory-40x10", 10, 40, &sample_outer, make_memory},
    {"memory-report", 0, 120, &sample_outer, make_memory_batch},
    {"compile-80x24", 24, 80, &sample_train, make_compile},
    {"compile-120x40", 40, 120, &sample_train, make_compile},
    {"compile-40x10", 10, 40, &sample_train, make_compile},
    {"compile-own-80x24", 24, 80, &sample_train, make_compile_by_own},
    {"compile-report", 0, 120, &sample_train, make_compile_batch},
    {"jobs-80x24", 24, 80, &sample_train, make_jobs},
    {"jobs-120x40", 40, 120, &sample_train, make_jobs},
    {"jobs-compared-120x40", 40, 120, &sample_train, make_jobs_compared},
    {"jobs-hung-80x24", 24, 80, &sample_train, make_jobs_hung_far},
    {"jobs-hung-120x40", 40, 120, &sample_train, make_jobs_hung},
    {"waits-80x24", 24, 80, &sample_engine, make_waits},
    {"waits-120x40", 40, 120, &sample_engine, make_waits},
    {"waits-200x60", 60, 200, &sample_engine, make_waits_applies},
    {"waits-40x10", 10, 40, &sample_engine, make_waits},
    {"waits-detail-80x24", 24, 80, &sample_engine, make_waits_detail},
    {"waits-report", 0, 120, &sample_engine, make_waits_batch},
    {"aside-80x24", 24, 80, &sample_engine, make_aside},
    {"aside-120x40", 40, 120, &sample_engine, make_aside},
    {"aside-detail-80x24", 24, 80, &sample_engine, make_aside_detail},
    {"help-80x24", 24, 80, &sample_train, make_help},
    {"detail-80x24", 24, 80, &sample_train, make_detail},
    {"detail-120x40", 40, 120, &sample_train, make_detail},
    {"picker-80x24", 24, 80, &sample_train, make_picker},
    {"seed-120", 0, 120, &sample_seed, make_batch},
};

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "r");
    size_t capacity = 64 * 1024, size = 0;
    char *text = calloc(1, capacity);
    if (file && text)
        size = fread(text, 1, capacity - 1, file);
    if (file)
        fclose(file);
    ck_assert_msg(size > 0, "%s cannot be read", path);
    return text;
}

START_TEST(screens_are_as_they_were)
{
    struct stage stage;
    char path[512];
    const char *source = getenv("srcdir");
    snprintf(path, sizeof(path), "%s/tests/screens/%s.txt", source ? source : ".",
             screens[_i].name);
    start(&stage, screens[_i].sample);
    screens[_i].make(&stage);
    stage_draw(&stage, screens[_i].rows ? screens[_i].rows : tui_batch_rows(&stage.screen),
               screens[_i].cols);
    char *text = stage_text(&stage.grid);
    if (getenv("PROFTOP_WRITE_SCREENS")) {
        FILE *file = fopen(path, "w");
        ck_assert_ptr_nonnull(file);
        fputs(text, file);
        fclose(file);
    }
    char *expected = read_file(path);
    if (strcmp(text, expected) != 0)
        ck_abort_msg("%s differs; it is now\n%s", path, text);
    free(expected);
    free(text);
    stage_release(&stage);
}
END_TEST

/* ------------------------------------------------------------------------------ any size, mode */

static uint64_t seed;
static uint32_t roll(uint32_t below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % below;
}

static void shake(struct stage *stage)
{
    struct tui_screen *screen = &stage->screen;
    static const struct tui_choice choice[] = {
        {"one", true, true}, {"two", false, true}, {"層", false, true}};
    static const char *const messages[] = {"", "", "A word to the user."};
    screen->mode = (enum tui_mode)roll(TUI_MODE_LEAVE + 1);
    screen->active = roll(TUI_PANES);
    screen->paused = roll(3) == 0;
    screen->interval = roll(2);
    screen->name_raw = roll(2);
    screen->scroll = roll(2) ? roll(100) : UINT32_MAX;
    screen->choice = choice;
    screen->choices = roll(4);
    screen->chosen = roll(4);
    screen->picker_note = roll(2) ? "a note that is long enough to be wrapped" : NULL;
    screen->output = roll(2) ? "line\nline 層 two\n\nend" : NULL;
    screen->pane[screen->active].skip = (int)roll(60);
    screen->prompt.title = roll(3) ? NULL : "Filter";
    snprintf(screen->prompt.text, sizeof(screen->prompt.text), "%.*s", (int)roll(30),
             "abc層層defghijklmnopqrstuvwxyz0123456789");
    screen->prompt.size = strlen(screen->prompt.text);
    screen->prompt.cursor = screen->prompt.size;
    snprintf(screen->message, sizeof(screen->message), "%s", messages[roll(3)]);
    stage->link.state = (enum model_link_state)roll(MODEL_LINK_STATES);
    stage->grid.ascii = roll(4) == 0;
    model_view_filter(&screen->pane[screen->active].view, roll(4) ? "" : "e");
    sample_must(tui_screen_show(screen, stage->state));
    tui_screen_move(screen, (int64_t)roll(20) - 10);
}

START_TEST(any_size_and_mode_is_drawn)
{
    struct stage stage;
    start(&stage, _i % 5 ? &sample_train : NULL);
    seed = (uint64_t)_i + 1;
    for (int i = 0; i < 60; i++) {
        if (_i % 5)
            shake(&stage);
        stage.screen.mode = (enum tui_mode)roll(TUI_MODE_LEAVE + 1);
        int rows = 1 + (int)roll(i % 2 ? 60 : 12), cols = 1 + (int)roll(i % 2 ? 200 : 40);
        stage_draw(&stage, rows, cols);
        for (int cell = 0; cell < rows * cols; cell++)
            ck_assert_int_lt(stage.grid.cell[cell].role, TUI_ROLES);
        ck_assert_int_lt(stage.grid.cursor_row, rows);
        ck_assert_int_lt(stage.grid.cursor_col, cols);
        char *first = stage_line(&stage.grid, 0);
        ck_assert_int_gt((int)strlen(first), 0);
        free(first);
    }
    stage_release(&stage);
}
END_TEST

START_TEST(too_small_screen_is_reported)
{
    static const struct {
        int rows, cols;
        const char *line;
        const char *next; /* line */
    } sizes[] = {{1, 1, "!", NULL},
                 {2, 3, "!", "20x"},
                 {2, 5, "small", "20x4"},
                 {3, 80, "proftop: 20x4 needed", ""},
                 {1, 10, "too small", NULL},
                 {3, 10, "too small", "need 20x4"},
                 {24, 19, "too small", "need 20x4"}};
    struct stage stage;
    start(&stage, &sample_train);
    stage_draw(&stage, sizes[_i].rows, sizes[_i].cols);
    char *line = stage_line(&stage.grid, 0);
    ck_assert_str_eq(line, sizes[_i].line);
    free(line);
    if (sizes[_i].next) {
        line = stage_line(&stage.grid, 1);
        ck_assert_str_eq(line, sizes[_i].next);
        free(line);
    }
    stage_release(&stage);
}
END_TEST

START_TEST(nothing_is_shown_without_a_reason)
{
    static const struct {
        enum model_link_state link;
        const char *why;
    } cases[] = {
        {MODEL_CONNECTING, "Connecting to train.py (4711). Nobody listens there."},
        {MODEL_SYNCING, "its first values are on their way"},
        {MODEL_STALE, "No answer from train.py (4711)."},
        {MODEL_GONE, "No values came from train.py (4711) before it was gone."},
    };
    struct stage stage;
    start(&stage, NULL);
    stage.link.state = cases[_i].link;
    snprintf(stage.link.reason, sizeof(stage.link.reason), "Nobody listens there.");
    stage_draw(&stage, 24, 120);
    char *text = stage_text(&stage.grid);
    ck_assert_msg(strstr(text, cases[_i].why) != NULL, "%s", text);
    free(text);
    stage_release(&stage);
}
END_TEST

/* ------------------------------------------------------------------------------------- selection
 */

START_TEST(the_selection_is_bound_to_its_row)
{
    struct stage stage;
    start(&stage, &sample_train);
    struct tui_pane *pane = &stage.screen.pane[1];
    ck_assert_uint_eq(pane->selected, MODEL_NONE);
    ck_assert_uint_eq(tui_pane_position(pane), 0);
    tui_screen_move(&stage.screen, 2);
    uint32_t id = pane->selected;
    ck_assert_uint_eq(id, 2);
    /* Another order: the same row. */
    ck_assert(model_view_sort(&pane->view, (unsigned)model_column_find("name", MODEL_OP)));
    stage_show(&stage);
    ck_assert_uint_eq(pane->selected, id);
    ck_assert_uint_eq(model_view_row(&pane->view, tui_pane_position(pane))->id, id);
    /* Clamped at both ends, for any distance. */
    tui_screen_move(&stage.screen, INT64_MIN);
    ck_assert_uint_eq(tui_pane_position(pane), 0);
    tui_screen_move(&stage.screen, INT64_MAX);
    ck_assert_uint_eq(tui_pane_position(pane), pane->view.count - 1);
    /* A row hidden by a filter comes back with the rows. */
    model_view_filter(&pane->view, "softmax");
    stage_show(&stage);
    id = pane->selected;
    ck_assert_uint_eq(tui_pane_position(pane), 0);
    model_view_filter(&pane->view, "");
    stage_show(&stage);
    ck_assert_uint_eq(pane->selected, id);
    stage_release(&stage);
}
END_TEST

START_TEST(the_prompt_has_the_cursor)
{
    struct stage stage;
    start(&stage, &sample_train);
    stage_draw(&stage, 24, 80);
    ck_assert_int_eq(stage.grid.cursor_row, -1);
    stage.screen.prompt.title = "Filter";
    strcpy(stage.screen.prompt.text, "層x");
    stage.screen.prompt.cursor = 3;
    stage_draw(&stage, 24, 80);
    ck_assert_int_eq(stage.grid.cursor_row, 23);
    ck_assert_int_eq(stage.grid.cursor_col, 1 + 8 + 2);
    stage_release(&stage);
}
END_TEST

/* ----------------------------------------------------------------------------------------- report
 */

/* The width of everything else stays the same. */
START_TEST(a_report_of_whole_names_cuts_none)
{
    enum { ROWS = 150, LONG = 700 };
    static struct sample_apply applies[ROWS];
    static char names[ROWS][LONG + 1];
    struct sample sample = sample_seed;
    struct stage stage;
    for (uint32_t i = 0; i < ROWS; i++) {
        memset(names[i], 'a' + (char)(i % 26), LONG);
        names[i][i == 120 ? LONG : 20 + i] = '\0';
        applies[i] = (struct sample_apply){names[i], i % 2, i, MODEL_IMPL_C, 1, 1000 - i};
    }
    sample.applies = applies;
    sample.apply_count = ROWS;
    start(&stage, &sample);
    stage.screen.batch = stage.screen.batch_whole = true;
    char *text = NULL, *next, *line;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    ck_assert(file && tui_batch_print(&stage.screen, 80, false, file));
    fclose(file);
    ck_assert_ptr_null(strstr(text, "…"));
    for (unsigned i = 0; i < ROWS; i++)
        ck_assert_ptr_nonnull(strstr(text, names[i]));
    unsigned rows = 0;
    for (next = text; (line = strsep(&next, "\n")) != NULL;) {
        bool row = strstr(line, " C ") && !strstr(line, "route");
        rows += row;
        ck_assert_msg(row || tui_text_width(line) <= 80, "%s", line);
    }
    ck_assert_uint_eq(rows, 1 + 2 + ROWS);
    free(text);
    stage_release(&stage);
}
END_TEST

/* The headings of a report's pane between the given bounds, without the blanks between them. */
static void heads_of(struct stage *stage, const char *title, int cols, char *out, size_t capacity)
{
    stage_draw(stage, tui_batch_rows(&stage->screen), cols);
    bool found = false;
    *out = '\0';
    for (int row = 0; row + 1 < stage->grid.rows && !found; row++) {
        char *line = stage_line(&stage->grid, row), *word, *rest = NULL;
        found = strncmp(line, title, strlen(title)) == 0;
        free(line);
        if (!found)
            continue;
        line = stage_line(&stage->grid, row + 1);
        for (word = strtok_r(line, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
            snprintf(out + strlen(out), capacity - strlen(out), "%s ", word);
        free(line);
    }
    ck_assert_msg(found, "%s has no headings", title);
}

static void add_function(struct stage *stage)
{
    const struct model_function_raw more = {.name = {"another", 7}, .parent = MODEL_NONE};
    sample_must(model_job_add_function(stage->job, &more));
}

/* Scripts find figures by column, so a report's columns do not depend on which values are known
 * yet. The screen hides unknown columns. */
START_TEST(every_refresh_of_a_report_has_the_same_columns)
{
    enum { HEADS = 512 };
    static const int widths[] = {60, 80, 100, 120, 160, 250, 400};
    static const char *const panes[] = {" Class", " Ops", " Apply"};
    const int cols = widths[_i % 7];
    struct sample nothing = sample_seed;
    struct stage stage;
    char first[3][HEADS], later[HEADS];
    nothing.calls = 0;
    start(&stage, &nothing);
    stage.screen.batch = true;
    stage.screen.batch_once = _i >= 7;
    for (unsigned i = 0; i < 3; i++)
        heads_of(&stage, panes[i], cols, first[i], HEADS);
    static void (*const then[])(struct stage *) = {make_told, add_function, stage_show};
    for (unsigned step = 0; step < sizeof then / sizeof then[0]; step++) {
        sample_set_applies(stage.job, &sample_seed, 2 + step);
        then[step](&stage);
        stage_show(&stage); /* with an interval before it */
        for (unsigned i = 0; i < 3; i++) {
            heads_of(&stage, panes[i], cols, later, HEADS);
            ck_assert_str_eq(later, first[i]);
        }
    }
    /* A single report has no interval. */
    if (cols >= 250) {
        heads_of(&stage, panes[2], cols, later, HEADS);
        ck_assert_int_eq(strchr(later, '+') == NULL, stage.screen.batch_once);
        ck_assert(strstr(later, "FUNCTION") && strstr(later, "BYTES") && strstr(later, "FLOP/S"));
    }
    stage_release(&stage);
}
END_TEST

/* Rows of a hidden pane are not sorted. They are sorted when the pane is opened. */
START_TEST(panes_are_ordered_when_they_are_looked_at)
{
    struct stage stage;
    start(&stage, &sample_train);
    const struct tui_pane *pane = stage.screen.pane;
    ck_assert_ptr_eq(pane[1].view.state, stage.state);
    ck_assert_ptr_null(pane[2].view.state);
    ck_assert_uint_eq(pane[2].view.count, 0);
    stage.screen.active = 2;
    stage_draw(&stage, 24, 80);
    ck_assert_ptr_eq(pane[2].view.state, stage.state);
    ck_assert_uint_eq(pane[2].view.count, stage.state->totals.rows[MODEL_APPLY]);
    stage_show(&stage);
    ck_assert_ptr_null(pane[1].view.state);
    ck_assert_uint_eq(pane[2].view.count, stage.state->totals.rows[MODEL_APPLY]);
    stage_release(&stage);
}
END_TEST

START_TEST(a_report_in_stretches_is_the_same_report)
{
    enum { ROWS = 150 };
    static struct sample_apply applies[ROWS];
    static char names[ROWS][16];
    struct sample sample = sample_seed;
    struct stage stage;
    for (uint32_t i = 0; i < ROWS; i++) {
        snprintf(names[i], sizeof(names[i]), "n%u", i);
        applies[i] = (struct sample_apply){names[i], i % 2, i, MODEL_IMPL_C, 1, 1000 - i};
    }
    sample.applies = applies;
    sample.apply_count = ROWS;
    start(&stage, &sample);
    stage.screen.batch = true;
    stage_draw(&stage, tui_batch_rows(&stage.screen), 120);
    char *whole = stage_text(&stage.grid), *printed = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&printed, &size);
    ck_assert_ptr_nonnull(file);
    ck_assert(tui_batch_print(&stage.screen, 120, false, file));
    fclose(file);
    ck_assert_str_eq(printed, whole);
    free(printed);
    free(whole);
    stage_release(&stage);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("screen");
    tap_add_loop(s, "screens", screens_are_as_they_were, TAP_ROWS(screens));
    /* Minutes under memcheck. AddressSanitizer checks the same in seconds. */
    tap_native(tap_add_loop(s, "fuzz", any_size_and_mode_is_drawn, 40));
    tap_add_loop(s, "small", too_small_screen_is_reported, 7);
    tap_add_loop(s, "reason", nothing_is_shown_without_a_reason, 4);
    tap_add(s, "selection", the_selection_is_bound_to_its_row);
    tap_add(s, "prompt", the_prompt_has_the_cursor);
    tap_add(s, "whole_names", a_report_of_whole_names_cuts_none);
    tap_add(s, "panes_are_ordered_when_they_are_looked_at",
            panes_are_ordered_when_they_are_looked_at);
    tap_add_loop(s, "columns", every_refresh_of_a_report_has_the_same_columns, 14);
    tap_add(s, "report", a_report_in_stretches_is_the_same_report);
    return s;
}

TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_object_page.c: the page of spans, counters, memory and markers.
 */
#include "../tap.h"

#include "stage.h"

#include <locale.h>

enum { SECOND = 1000000000 };

static struct model_bytes bytes(const char *text)
{
    return (struct model_bytes){text, strlen(text)};
}

/* The first span has the id 0. */
static void add_span(struct stage *stage, const char *name, enum model_span_kind kind)
{
    const struct model_span_raw raw = {bytes("io"), bytes(name), (uint8_t)kind};
    sample_must(model_job_add_span(stage->job, &raw));
}

static void add_counter(struct stage *stage, uint32_t id, const char *name,
                        enum model_counter_kind kind, union model_number value)
{
    const struct model_counter_raw raw = {bytes("net"), bytes(name), bytes(""), bytes("rows"),
                                          (uint8_t)kind};
    const struct model_counter_value counter = {.known = true,
                                                .value = value,
                                                .min = value,
                                                .max = value,
                                                .updates = 3,
                                                .limit = MODEL_UNKNOWN};
    sample_must(model_job_add_counter(stage->job, &raw));
    sample_must(model_job_set_counter(stage->job, id, kind, &counter));
}

/* The page at this time of the job. The caller frees it. */
static char *page(struct stage *stage, uint64_t mono_ns, int cols)
{
    model_job_set_stamp(stage->job, mono_ns, SECOND);
    stage_show(stage);
    stage->screen.mode = TUI_MODE_OBJECTS;
    stage_draw(stage, 30, cols);
    return stage_text(&stage->grid);
}

/* The line that contains a word, which must exist. Cuts `text`. */
static const char *line_of(char *text, const char *word)
{
    char *at = strstr(text, word);
    ck_assert_msg(at != NULL, "no %s in\n%s", word, text);
    at[strcspn(at, "\n")] = '\0';
    while (at > text && at[-1] != '\n')
        at--;
    return at;
}

/* If a job publishes nothing else, the empty panes name the page. */
START_TEST(empty_panes_name_the_object_page)
{
    static const char *const there = "no op has been seen yet. e shows what else it tells.";
    struct sample empty = sample_train;
    struct stage stage;
    empty.apply_count = empty.op_count = empty.class_count = 0;
    stage_init(&stage, &empty);
    stage.link.state = MODEL_LIVE;
    for (unsigned i = 0; i < 2; i++) {
        stage_show(&stage);
        stage_draw(&stage, 24, 100);
        char *text = stage_text(&stage.grid);
        ck_assert_msg(!strstr(text, there) == !i, "%s", text);
        ck_assert_ptr_nonnull(strstr(text, "no op has been seen yet."));
        free(text);
        add_counter(&stage, i, "loss", MODEL_F64, (union model_number){.d = 1});
    }
    stage_release(&stage);
}
END_TEST

/* A report prints them after its panes, with full names, also if it is drawn in several parts. */
START_TEST(a_report_has_them_behind_its_panes)
{
    enum { COUNTERS = 200, LONG = 300 };
    struct stage stage;
    char name[LONG + 1] = "", *text = NULL;
    size_t size = 0;
    stage_init(&stage, &sample_seed);
    stage.link.state = MODEL_LIVE;
    memset(name, 'n', LONG);
    for (uint32_t i = 0; i < COUNTERS; i++) {
        snprintf(name, sizeof name, "%s%u", i == 150 ? "" : "loss", i);
        if (i == 150)
            memset(name, 'n', LONG);
        add_counter(&stage, i, name, MODEL_I64, (union model_number){.i = 1000 + (int)i});
    }
    stage_show(&stage);
    stage.screen.batch = stage.screen.batch_whole = true;
    FILE *file = open_memstream(&text, &size);
    ck_assert(file && tui_batch_print(&stage.screen, 120, false, file));
    fclose(file);
    const char *at = strstr(text, "\n Apply\n");
    ck_assert(at && (at = strstr(at, "Counters\n")) != NULL);
    for (uint32_t i = 0; i < COUNTERS; i++) {
        snprintf(name, sizeof name, "%u ", 1000 + i);
        at = strstr(at, name);
        ck_assert_msg(at, "no counter %u in\n%s", i, text);
        snprintf(name, sizeof name, " net loss%u\n", i);
        if (i == 150)
            memset(name, 'n', LONG);
        ck_assert_msg(strstr(at, name), "no %s in\n%s", name, at);
    }
    free(text);
    /* A report of one pane has that pane alone. */
    stage.screen.batch_panes = 1;
    text = NULL;
    file = open_memstream(&text, &size);
    ck_assert(file && tui_batch_print(&stage.screen, 120, false, file));
    fclose(file);
    ck_assert_ptr_null(strstr(text, "Counters"));
    free(text);
    stage_release(&stage);
}
END_TEST

START_TEST(open_span_grows_on_the_page)
{
    struct stage stage;
    stage_init(&stage, &sample_seed);
    add_span(&stage, "region", MODEL_EVENT);
    struct model_span_value value = {.last_ns = MODEL_UNKNOWN,
                                     .open_since_ns = 10 * (uint64_t)SECOND,
                                     .min_ns = MODEL_UNKNOWN,
                                     .max_ns = MODEL_UNKNOWN};
    sample_must(model_job_set_span(stage.job, 0, &value));
    char *text = page(&stage, 11 * (uint64_t)SECOND + SECOND / 2, 80);
    const char *line = line_of(text, "region");
    ck_assert_ptr_nonnull(strstr(line, " 1.50s "));
    ck_assert_ptr_nonnull(strstr(line, " - ")); /* no run has ended: there is no total */
    free(text);
    text = page(&stage, 13 * (uint64_t)SECOND, 80);
    ck_assert_ptr_nonnull(strstr(line_of(text, "region"), " 3.00s "));
    free(text);

    value = (struct model_span_value){.calls = 1,
                                      .total_ns = 3 * (uint64_t)SECOND,
                                      .self_ns = 3 * (uint64_t)SECOND,
                                      .last_ns = 3 * (uint64_t)SECOND,
                                      .open_since_ns = MODEL_UNKNOWN};
    sample_must(model_job_set_span(stage.job, 0, &value));
    text = page(&stage, 20 * (uint64_t)SECOND, 80);
    line = line_of(text, "region");
    ck_assert_ptr_null(strstr(line, "10.0s"));
    ck_assert_ptr_nonnull(strstr(line, " 3.00s "));
    ck_assert_ptr_nonnull(strstr(line, "event"));
    free(text);
    stage_release(&stage);
}
END_TEST

/* For a task, neither the rate nor the slowest run is of interest. */
/* A frame is a pass, a task is work: each kind has a table of its own. */
START_TEST(a_task_and_a_frame_of_one_name_are_apart)
{
    const struct model_span_value value = {.calls = 3, .total_ns = SECOND,
                                           .open_since_ns = MODEL_UNKNOWN};
    struct stage stage;
    stage_init(&stage, &sample_seed);
    add_span(&stage, "epoch", MODEL_FRAME);
    add_span(&stage, "epoch", MODEL_TASK);
    for (uint32_t id = 0; id < 2; id++)
        sample_must(model_job_set_span(stage.job, id, &value));
    char *text = page(&stage, 5 * (uint64_t)SECOND, 100);
    const char *tasks = strstr(text, "Tasks\n"), *frames = strstr(text, "Frames\n");
    ck_assert_msg(tasks && frames && tasks < frames && !strstr(text, "Events\n"), "%s", text);
    const char *task = strstr(tasks, " task  io epoch"),
               *frame = strstr(frames, " frame  io epoch");
    ck_assert_msg(task && task < frames && frame && !strstr(frames, " task  io epoch"), "%s", text);
    free(text);
    stage_release(&stage);
}
END_TEST

START_TEST(frames_have_a_rate_and_the_slowest)
{
    struct model_span_value value = {.calls = 100,
                                     .total_ns = SECOND,
                                     .self_ns = SECOND,
                                     .last_ns = SECOND / 100,
                                     .open_since_ns = MODEL_UNKNOWN,
                                     .min_ns = SECOND / 200,
                                     .max_ns = SECOND / 10,
                                     .first_ns = SECOND,
                                     .until_ns = 5 * (uint64_t)SECOND};
    const struct model_pass slow[] = {{42, SECOND / 10}, {7, SECOND / 20}};
    struct stage stage;
    stage_init(&stage, &sample_seed);
    add_span(&stage, "picture", MODEL_FRAME);
    add_span(&stage, "upload", MODEL_TASK);
    for (uint32_t id = 0; id < 2; id++) {
        sample_must(model_job_set_span(stage.job, id, &value));
        sample_must(model_job_set_span_edges(stage.job, id, &value));
        model_job_add_span_pass(stage.job, id, &slow[0]);
        model_job_add_span_pass(stage.job, id, &slow[1]);
    }
    char *text = page(&stage, 5 * (uint64_t)SECOND, 100);
    ck_assert_msg(strstr(text, "picture\n         slowest of the last: #42 100ms, #7 50.0ms\n"),
                  "%s", text);
    ck_assert_ptr_null(strstr(text, "upload\n         slowest"));
    ck_assert_ptr_nonnull(strstr(text, " RATE "));
    const char *line = line_of(text, "picture");
    ck_assert_msg(strstr(line, "    100   25.0/s ") != NULL, "%s", line);
    free(text);
    value.calls = 160;
    sample_must(model_job_set_span(stage.job, 0, &value));
    text = page(&stage, 7 * (uint64_t)SECOND, 120);
    line = line_of(text, "picture");
    ck_assert_msg(strstr(line, "    160   40.0/s ") != NULL, "%s", line);
    ck_assert_msg(strstr(line, " +30.0/s ") != NULL, "%s", line);
    free(text);
    text = page(&stage, 7 * (uint64_t)SECOND, 50);
    ck_assert_ptr_null(strstr(text, "slowest"));
    ck_assert_ptr_null(strstr(text, "/s"));
    free(text);
    stage_release(&stage);
}
END_TEST

START_TEST(many_slowest_take_two_lines)
{
    struct model_span_value value = {
        .calls = 9, .total_ns = SECOND, .open_since_ns = MODEL_UNKNOWN};
    struct stage stage;
    stage_init(&stage, &sample_seed);
    add_span(&stage, "picture", MODEL_FRAME);
    sample_must(model_job_set_span(stage.job, 0, &value));
    for (uint64_t i = 1; i <= 5; i++) {
        const struct model_pass slow = {4000 + i, SECOND / i};
        model_job_add_span_pass(stage.job, 0, &slow);
    }
    char *text = page(&stage, SECOND, 70);
    static const char lines[] =
        "\n         slowest of the last: #4001 1.00s, #4002 500ms, #4003 333ms,\n"
        "         #4004 250ms, #4005 200ms\n";
    ck_assert_msg(strstr(text, lines) != NULL, "%s", text);
    free(text);
    stage_release(&stage);
}
END_TEST

START_TEST(a_long_name_is_cut_in_the_middle)
{
    static const int cols[] = {40, 80, 120};
    char name[301];
    memset(name, 'x', sizeof(name) - 1);
    memcpy(name, "head", 4);
    memcpy(name + 296, "tail", 5);
    struct stage stage;
    stage_init(&stage, &sample_seed);
    add_span(&stage, name, MODEL_TASK);
    char *text = page(&stage, SECOND, cols[_i]);
    const char *line = line_of(text, "head");
    ck_assert_ptr_nonnull(strstr(line, "tail"));
    ck_assert_ptr_null(strstr(line, name));
    ck_assert_int_le(tui_text_width(line), cols[_i]);
    free(text);
    stage_release(&stage);
}
END_TEST

START_TEST(counters_memory_and_markers_have_their_values)
{
    struct stage stage;
    stage_init(&stage, &sample_seed);
    char *text = page(&stage, SECOND, 100);
    ck_assert_ptr_nonnull(strstr(text, "has no spans, counters, memory or markers"));
    free(text);
    add_counter(&stage, 0, "large", MODEL_I64, (union model_number){.i = 5000000000});
    add_counter(&stage, 1, "below", MODEL_I64, (union model_number){.i = -1});
    add_counter(&stage, 2, "load", MODEL_F64, (union model_number){.d = 2.5});
    add_counter(&stage, 3, "pool", MODEL_MEMORY, (union model_number){.u = 3 << 20});
    sample_must(model_job_add_marker(stage.job, bytes("io"), bytes("here")));
    const struct model_mark mark = {
        .number = 1, .mono_ns = SECOND, .thread = MODEL_NONE, .task = MODEL_NONE, .scope = 2};
    sample_must(model_job_add_mark(stage.job, &mark));
    static const struct {
        const char *name, *has;
    } rows[] = {{"large", " 5000000000 "},
                {"below", " -1 "},
                {"load", " 2.5 "},
                {"pool", "3.00"},
                {"here", " 4.00s  thread "}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        text = page(&stage, 5 * (uint64_t)SECOND, 100);
        const char *line = line_of(text, rows[i].name);
        ck_assert_msg(strstr(line, rows[i].has) != NULL, "%s", line);
        free(text);
    }
    stage_release(&stage);
}
END_TEST

/* True if the chains stand in this order. */
static bool stand(const char *text, const char *order)
{
    char name[] = "chain-?";
    const char *at = text;
    for (; at && *order; order++) {
        name[6] = *order;
        at = strstr(at, name);
    }
    return at != NULL;
}

/* Chains of a sampler draw at different rates. The order shows the slow ones at once. Chain 2 has
 * no rate yet, and stands last. */
START_TEST(spans_are_sorted_by_what_is_shown)
{
    static const struct {
        uint64_t calls, max_ns;
    } chain[] = {{100, 70}, {300, 50}, {0, 0}, {200, 90}};
    struct stage stage;
    stage_init(&stage, &sample_seed);
    for (uint32_t id = 0; id < 4; id++) {
        char name[] = {'c', 'h', 'a', 'i', 'n', '-', (char)('0' + id), 0};
        const struct model_span_value value = {.calls = chain[id].calls,
                                               .total_ns = SECOND,
                                               .self_ns = SECOND,
                                               .last_ns = 1000,
                                               .open_since_ns = MODEL_UNKNOWN,
                                               .min_ns = 10,
                                               .max_ns = chain[id].max_ns,
                                               .first_ns = SECOND,
                                               .until_ns = 5 * (uint64_t)SECOND};
        add_span(&stage, name, MODEL_TASK);
        sample_must(model_job_set_span(stage.job, id, &value));
        sample_must(model_job_set_span_edges(stage.job, id, &value));
    }
    static const struct {
        const char *title, *order, *reversed; /* unknown values stand last either way */
    } by[] = {{"TOTAL▼", "0132", "0132"},
              {"CALLS▼", "1302", "2031"},
              {"RATE▼", "1302", "0312"},
              {"MAX▼", "3012", "1032"}};
    stage.screen.shape.cols = 80;
    ck_assert_ptr_nonnull(setlocale(LC_ALL, "C.UTF-8"));
    char *text = page(&stage, 5 * (uint64_t)SECOND, 80);
    ck_assert_msg(stand(text, "0123") && strstr(text, " RATE "), "%s", text);
    ck_assert_ptr_null(strstr(text, "▼ "));
    free(text);
    for (size_t i = 0, steps = 0; i < sizeof by / sizeof by[0]; steps++) {
        ck_assert_uint_lt(steps, 20);
        tui_objects_sort(&stage.screen, 1);
        text = page(&stage, 5 * (uint64_t)SECOND, 80);
        if (strstr(text, by[i].title)) {
            ck_assert_msg(stand(text, by[i].order), "%s", text);
            free(text);
            stage.screen.objects.sort[0].reversed = true;
            text = page(&stage, 5 * (uint64_t)SECOND, 80);
            ck_assert_msg(stand(strstr(text, "▲ "), by[i].reversed), "%s", text);
            stage.screen.objects.sort[0].reversed = false;
            i++;
        }
        free(text);
    }
    for (int i = 0; i < 20; i++)
        tui_objects_sort(&stage.screen, -1);
    ck_assert_uint_eq(stage.screen.objects.sort[0].order, 0);
    text = page(&stage, 5 * (uint64_t)SECOND, 80);
    ck_assert(stand(text, "0123"));
    free(text);
    stage_release(&stage);
}
END_TEST

/* The name in the line with the cursor. */
static const char *chosen(char *text)
{
    const char *line = line_of(text, "\u25b6");
    const char *space = strrchr(line, ' ');
    return space ? space + 1 : line;
}

static void fill_page(struct stage *stage)
{
    static const char *const name[] = {"some", "most", "least"};
    static const int64_t value[] = {5, 90, -7};
    for (uint32_t i = 0; i < 3; i++)
        add_counter(stage, i, name[i], MODEL_I64, (union model_number){.i = value[i]});
    add_counter(stage, 3, "small", MODEL_MEMORY, (union model_number){.u = 1 << 20});
    add_counter(stage, 4, "large", MODEL_MEMORY, (union model_number){.u = 8 << 20});
    sample_must(model_job_add_marker(stage->job, bytes("io"), bytes("early")));
    sample_must(model_job_add_marker(stage->job, bytes("io"), bytes("late")));
    for (uint32_t i = 0; i < 2; i++) {
        const struct model_mark mark = {.number = i + 1,
                                        .mono_ns = (i + 1) * (uint64_t)SECOND,
                                        .marker = i,
                                        .thread = MODEL_NONE,
                                        .task = MODEL_NONE,
                                        .scope = 2};
        sample_must(model_job_add_mark(stage->job, &mark));
    }
}

/* Rows of all kinds: the cursor moves through them in screen order. A sort key sorts the kind of
 * row under the cursor, and moves the cursor to the first of them. */
START_TEST(rows_of_all_kinds_are_chosen_and_sorted)
{
    static const struct {
        int move, sort;
        bool turn;
        const char *chosen, *order[3]; /* the row with the cursor; consecutive lines */
    } step[] = {
        {0, 0, false, "some", {"net some", "net most", "net least"}},
        {1, 0, false, "most", {"net some", "net most", "net least"}},
        {0, 1, false, "most", {"net most", "net some", "net least"}}, /* VALUE */
        {0, 0, true, "least", {"net least", "net some", "net most"}},
        {3, 0, false, "small", {"net least", "net small", "net large"}},
        {0, 1, false, "large", {"net least", "net large", "net small"}}, /* BYTES */
        {2, 0, false, "late", {"net large", "io late", "io early"}},
        {0, 1, false, "early", {"net large", "io early", "io late"}}, /* AGO */
        {0, 1, false, "early", {"net large", "io early", "io late"}}, /* SCOPE is text */
        {0, -1, false, "late", {"net large", "io late", "io early"}},
        {99, 0, false, "early", {"net least", "io late", "io early"}},
        {-99, 0, false, "least", {"net least", "net some", "net most"}},
    };
    struct stage stage;
    ck_assert_ptr_nonnull(setlocale(LC_ALL, "C.UTF-8"));
    stage_init(&stage, &sample_seed);
    fill_page(&stage);
    free(page(&stage, 5 * (uint64_t)SECOND, 80));
    for (size_t i = 0; i < sizeof step / sizeof step[0]; i++) {
        if (step[i].move)
            tui_objects_move(&stage.screen, step[i].move);
        if (step[i].sort)
            tui_objects_sort(&stage.screen, step[i].sort);
        if (step[i].turn)
            tui_objects_reverse(&stage.screen);
        char *text = page(&stage, (6 + i) * (uint64_t)SECOND, 80);
        const char *at = text;
        for (unsigned k = 0; k < 3; k++) {
            at = strstr(at, step[i].order[k]);
            ck_assert_msg(at, "%zu: no %s behind the one before in\n%s", i, step[i].order[k], text);
        }
        ck_assert_str_eq(chosen(text), step[i].chosen);
        free(text);
    }
    stage_release(&stage);
}
END_TEST

/* On a small page the cursor stays visible, and stays on its row when rows are added. */
START_TEST(the_cursor_stays_in_view_and_on_its_row)
{
    enum { COUNTERS = 40, ROWS = 14 };
    struct stage stage;
    char name[32];
    ck_assert_ptr_nonnull(setlocale(LC_ALL, "C.UTF-8"));
    stage_init(&stage, &sample_seed);
    for (uint32_t i = 0; i < COUNTERS; i++) {
        snprintf(name, sizeof name, "count%u", i);
        add_counter(&stage, i, name, MODEL_I64, (union model_number){.i = (int)i});
    }
    free(page(&stage, SECOND, 80));
    for (int i = 0; i < 2 * COUNTERS; i++) {
        const int at = i < COUNTERS ? i : 2 * COUNTERS - 1 - i;
        stage_draw(&stage, ROWS, 80);
        char *text = stage_text(&stage.grid);
        snprintf(name, sizeof name, "count%d", at);
        ck_assert_msg(at > 0 || strstr(text, " VALUE"), "%s", text);
        ck_assert_str_eq(chosen(text), name);
        free(text);
        tui_objects_move(&stage.screen, i < COUNTERS ? (i + 1 < COUNTERS) : -1);
    }
    tui_objects_move(&stage.screen, 1);
    add_span(&stage, "comes", MODEL_TASK);
    char *text = page(&stage, 2 * (uint64_t)SECOND, 80);
    ck_assert_str_eq(chosen(text), "count1");
    free(text);
    tui_objects_move(&stage.screen, -99);
    text = page(&stage, 3 * (uint64_t)SECOND, 80);
    ck_assert_str_eq(chosen(text), "comes");
    free(text);
    stage_release(&stage);
}
END_TEST

/* The full name of the selected row stands below the rows. */
START_TEST(the_name_of_the_chosen_row_is_whole)
{
    char name[61];
    struct stage stage;
    memset(name, 'n', sizeof name - 1);
    name[60] = '\0';
    stage_init(&stage, &sample_seed);
    add_span(&stage, name, MODEL_TASK);
    char *text = page(&stage, SECOND, 80);
    const char *first = strstr(text, "nnn");
    ck_assert(first && strncmp(first, name, 60) != 0);
    ck_assert_msg(strstr(text, name), "%s", text);
    free(text);
    stage_release(&stage);
}
END_TEST

/* A chain in a process of its own: `draws` draws in 4 s, and some tuning draws. */
static struct model_job *make_chain(uint64_t pid, uint64_t draws)
{
    struct stage stage;
    stage_init(&stage, &sample_seed);
    struct model_job *job = model_job_retain(stage.job);
    model_job_identity_mutable(job)->pid = pid;
    model_job_identity_mutable(job)->rank = MODEL_UNKNOWN;
    add_span(&stage, "tune", MODEL_FRAME);
    add_span(&stage, "draw", MODEL_FRAME);
    for (uint32_t id = 0; id < 2; id++) {
        const struct model_span_value value = {.calls = id ? draws : 10,
                                               .total_ns = SECOND,
                                               .self_ns = SECOND,
                                               .last_ns = 1000,
                                               .open_since_ns = MODEL_UNKNOWN,
                                               .min_ns = 10,
                                               .max_ns = 5000,
                                               .first_ns = SECOND,
                                               .until_ns = 5 * (uint64_t)SECOND};
        sample_must(model_job_set_span(job, id, &value));
        sample_must(model_job_set_span_edges(job, id, &value));
    }
    add_counter(&stage, 0, "draws left", MODEL_I64, (union model_number){.i = (int64_t)pid});
    model_job_set_stamp(job, 5 * (uint64_t)SECOND, SECOND);
    stage_release(&stage);
    return job;
}

enum { CHAINS = 3, JOBS_MOST = 4 };

/* Shows the sum of these jobs. NULL: a job without data. Frees them. */
static void show_jobs(struct stage *stage, struct model_job *const *job, size_t jobs)
{
    struct model_multi_job *multi_job = model_multi_job_new();
    struct model_link link = {.state = MODEL_LIVE};
    struct model_multi_job_member member[JOBS_MOST];
    for (size_t i = 0; i < jobs; i++)
        member[i] = (struct model_multi_job_member){job[i], &link};
    struct model_state *state =
        model_multi_job_take(multi_job, MODEL_MULTI_JOB_SUM, MODEL_ALL, member, jobs);
    sample_must(state && tui_screen_show(&stage->screen, state));
    model_state_free(&stage->state);
    stage->state = state;
    stage->screen.multi_job = state->multi_job;
    for (size_t i = 0; i < jobs; i++)
        if (member[i].job)
            model_job_release(&member[i].job);
    model_multi_job_free(&multi_job);
    stage->screen.mode = TUI_MODE_OBJECTS;
}

static void show_chains(struct stage *stage)
{
    static const uint64_t draws[CHAINS] = {400, 1200, 800};
    struct model_job *job[CHAINS + 1] = {NULL};
    for (size_t i = 0; i < CHAINS; i++)
        job[i] = make_chain(4001 + i, draws[i]);
    show_jobs(stage, job, CHAINS + 1);
}

/* True if lines with these words follow each other directly, after a given word. */
static bool follow_each_other(const char *text, const char *after, const char *const lines[][2],
                              size_t count)
{
    const char *at = strstr(text, after);
    at = at ? strstr(at, lines[0][0]) : NULL;
    for (size_t i = 0; at && i < count; i++) {
        char line[256];
        while (at > text && at[-1] != '\n')
            at--;
        snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
        const char *first = strstr(line, lines[i][0]);
        if (!first || !strstr(first, lines[i][1]))
            return false;
        at += strcspn(at, "\n") + 1;
    }
    return at != NULL;
}

/* Rows of one name stand together, so the chains of a sampler stand one below the other with their
 * rates. RATE sorts them, the fastest first. A report does so too. */
START_TEST(rows_of_several_jobs_are_compared)
{
    static const char *const told[][2] = {{"4001", "tune"}, {"4002", "tune"}, {"4003", "tune"},
                                          {"4001", "draw"}, {"4002", "draw"}, {"4003", "draw"}};
    static const char *const by_rate[][2] = {{"4002 ", " 300/s "}, {"4003 ", " 200/s "},
                                             {"4001 ", " 100/s "}, {"4001 ", "tune"}};
    static const char *const left[][2] = {
        {"4001 ", "draws left"}, {"4002 ", "draws left"}, {"4003 ", "draws left"}};
    struct stage stage;
    ck_assert_ptr_nonnull(setlocale(LC_ALL, "C.UTF-8"));
    stage_init(&stage, &sample_seed);
    show_chains(&stage);
    stage_draw(&stage, 30, 80);
    char *text = stage_text(&stage.grid);
    ck_assert_msg(follow_each_other(text, " JOB ", told, 6), "%s", text);
    ck_assert_msg(follow_each_other(text, "Counters", left, 3), "%s", text);
    free(text);
    for (int i = 0; i < 4; i++) /* RUNNING, TOTAL, CALLS, RATE */
        tui_objects_sort(&stage.screen, 1);
    stage_draw(&stage, 30, 80);
    text = stage_text(&stage.grid);
    ck_assert_msg(follow_each_other(text, " JOB ", by_rate, 4), "%s", text);
    free(text);
    stage.screen.batch = true;
    stage.screen.mode = TUI_MODE_TABLE;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    ck_assert(file && tui_batch_print(&stage.screen, 80, false, file));
    fclose(file);
    ck_assert_msg(follow_each_other(text, " JOB ", told, 6), "%s", text);
    free(text);
    stage.screen.batch = false;
    stage.screen.multi_job = NULL;
    stage_release(&stage);
}
END_TEST

/* A job with rows of one name in two domains, and two instants. */
static struct model_job *make_rank(uint64_t pid, uint64_t late_ns)
{
    static const char *const domains[] = {"cpu", "gpu"};
    struct stage stage;
    stage_init(&stage, &sample_seed);
    struct model_job *job = model_job_retain(stage.job);
    model_job_identity_mutable(job)->pid = pid;
    model_job_identity_mutable(job)->rank = MODEL_UNKNOWN;
    for (uint32_t i = 0; i < 2; i++) {
        const struct model_span_raw raw = {bytes(domains[i]), bytes("step"), MODEL_TASK};
        const struct model_mark mark = {.number = i + 1,
                                        .mono_ns = (1 + 2 * i) * (uint64_t)SECOND + late_ns,
                                        .thread = MODEL_NONE,
                                        .task = MODEL_NONE};
        sample_must(model_job_add_span(job, &raw));
        if (i == 0)
            sample_must(model_job_add_marker(job, bytes("io"), bytes("epoch")));
        sample_must(model_job_add_mark(job, &mark));
    }
    model_job_set_stamp(job, 5 * (uint64_t)SECOND, SECOND);
    stage_release(&stage);
    return job;
}

/* Rows of one name in two domains are different rows. Instants are ordered by time. */
START_TEST(rows_of_several_jobs_are_in_order)
{
    static const char *const spans[][2] = {
        {"4001 ", "cpu step"}, {"4002 ", "cpu step"}, {"4001 ", "gpu step"}, {"4002 ", "gpu step"}};
    static const char *const marks[][2] = {
        {"4002 ", " 1.50s "}, {"4001 ", " 2.00s "}, {"4002 ", " 3.50s "}, {"4001 ", " 4.00s "}};
    struct stage stage;
    ck_assert_ptr_nonnull(setlocale(LC_ALL, "C.UTF-8"));
    stage_init(&stage, &sample_seed);
    struct model_job *const job[] = {make_rank(4001, 0), make_rank(4002, SECOND / 2)};
    show_jobs(&stage, job, 2);
    stage_draw(&stage, 30, 120);
    char *text = stage_text(&stage.grid);
    ck_assert_msg(follow_each_other(text, " JOB ", spans, 4), "%s", text);
    ck_assert_msg(follow_each_other(text, " AGO ", marks, 4), "%s", text);
    free(text);
    stage.screen.multi_job = NULL;
    stage_release(&stage);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("object_page");
    tap_add(s, "empty_panes_name_the_object_page", empty_panes_name_the_object_page);
    tap_add(s, "a_report_has_them_behind_its_panes", a_report_has_them_behind_its_panes);
    tap_add(s, "open_span_grows_on_the_page", open_span_grows_on_the_page);
    tap_add(s, "task_and_frame", a_task_and_a_frame_of_one_name_are_apart);
    tap_add(s, "frames_have_a_rate_and_the_slowest", frames_have_a_rate_and_the_slowest);
    tap_add(s, "spans_are_sorted_by_what_is_shown", spans_are_sorted_by_what_is_shown);
    tap_add(s, "rows_of_all_kinds_are_chosen_and_sorted", rows_of_all_kinds_are_chosen_and_sorted);
    tap_add(s, "the_cursor_stays_in_view_and_on_its_row", the_cursor_stays_in_view_and_on_its_row);
    tap_add(s, "the_name_of_the_chosen_row_is_whole", the_name_of_the_chosen_row_is_whole);
    tap_add(s, "rows_of_several_jobs_are_compared", rows_of_several_jobs_are_compared);
    tap_add(s, "rows_of_several_jobs_are_in_order", rows_of_several_jobs_are_in_order);
    tap_add(s, "many_slowest_take_two_lines", many_slowest_take_two_lines);
    tap_add_loop(s, "a_long_name_is_cut_in_the_middle", a_long_name_is_cut_in_the_middle, 3);
    tap_add(s, "counters_memory_and_markers_have_their_values",
            counters_memory_and_markers_have_their_values);
    return s;
}

TAP_MAIN(suite)

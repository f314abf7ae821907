/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_keys.c: keys and the screen after them: orders, headings, Esc, help, the end.
 */
#include "config.h"

#include "model/node_detail.h"
#include "held.h"

static const char *const orders[] = {"C", "TT", "<", ">", "I", ",j\r"};

START_TEST(a_new_order_begins_at_the_first_row)
{
    type("3TGk");
    ck_assert_uint_eq(tui_pane_position(pane()), APPLIES - 2);
    pane()->top = 4;
    type(orders[_i]);
    ck_assert_uint_eq(tui_pane_position(pane()), 0);
    ck_assert_uint_eq(pane()->top, 0);
    /* Choosing the same column from the list does not change the order. */
    type("G,\r");
    ck_assert_uint_eq(tui_pane_position(pane()), APPLIES - 1);
}
END_TEST

/* ------------------------------------------------------------------------------------- interval */

/* The marked heading up to its sign. "" if there is none. */
static const char *marked(const char *screen)
{
    static char head[32];
    const char *line = strstr(screen, "NAME"), *sign;
    while (line > screen && line[-1] != '\n')
        line--;
    size_t size = strcspn(line, "\n");
    snprintf(head, sizeof head, "%s", "");
    for (sign = line; sign < line + size; sign++)
        if (!strncmp(sign, "▼", 3) || !strncmp(sign, "▲", 3)) {
            const char *from = sign;
            while (from > line && from[-1] != ' ')
                from--;
            snprintf(head, sizeof head, "%.*s", (int)(sign - from), from);
            ck_assert_msg(strchr(" \n", sign[3]), "%s touches what follows", head);
        }
    return head;
}

static void run_on(void)
{
    static const uint64_t id[APPLIES] = {0, 1, 2, 3, 4, 5, 6, 7};
    static const uint64_t calls[APPLIES] = {2, 2, 52, 52, 10, 10, 9, 9};
    static const uint64_t total[APPLIES] = {410, 410, 320, 320, 200, 200, 190, 190};
    uint64_t unknown[APPLIES];
    memset(unknown, 0xff, sizeof unknown);
    ck_assert_uint_eq(model_job_set_values(job, APPLIES, id, calls, total, unknown, NULL, false),
                      0);
    model_job_set_stamp(job, 1000000000, 1);
    model_job_set_values_stamp(job, 1000000000);
    ck_assert(tui_app_take(&app, job));
}

static const struct {
    const char *keys, *total, *interval, *back, *rows;
} groups[] = {
    {"2", "%TIME", "+%TIME", "%TIME", "3102"},    {"2T", "TIME", "+TIME", "TIME", "3102"},
    {"2A", "/CALL", "+/CALL", "/CALL", "3012"},   {"2C", "CALLS", "+CALLS", "CALLS", "3102"},
    {"2S", "NAME", "NAME", "NAME", "0231"},       {"2%>", "TIME", "+TIME", "TIME", "3102"},
    {"3TT", "TIME", "+TIME", "TIME", "45012367"}, /* the direction stays too */
};

START_TEST(the_sort_stays_where_its_heading_is)
{
    run_on();
    draw(24, 80);
    type(groups[_i].keys);
    ck_assert_str_eq(marked(draw(24, 80)), groups[_i].total);
    tui_app_key(&app, TUI_KEY_F7);
    const char *text = draw(24, 80);
    ck_assert_str_eq(marked(text), groups[_i].interval);
    ck_assert_ptr_nonnull(strstr(text, "INTERVAL  by "));
    ck_assert_str_eq(rows(), groups[_i].rows);
    tui_app_key(&app, TUI_KEY_F7);
    ck_assert_str_eq(marked(draw(24, 80)), groups[_i].back);
}
END_TEST

/* In the interval, a letter means the column on the screen. So does the list. */
START_TEST(letters_sort_by_what_is_shown)
{
    run_on();
    draw(24, 80);
    type("2tT");
    ck_assert_str_eq(marked(draw(24, 80)), "+TIME");
    type("C");
    ck_assert_str_eq(marked(draw(24, 80)), "+CALLS");
    type("CC");
    ck_assert(!pane()->view.reversed);
    type(",");
    for (size_t i = 0; i < app.screen.choices; i++)
        ck_assert_ptr_null(strstr(app.screen.choice[i].text, " SUM% "));
    tui_app_key(&app, TUI_KEY_ESC);
    /* A screen wide enough for both needs no swap. Back on the narrow one, the column is swapped
     * again. */
    const char *text = draw(24, 120);
    ck_assert_str_eq(marked(text), "+CALLS");
    type("C");
    ck_assert_str_eq(marked(draw(24, 120)), "CALLS");
    ck_assert_str_eq(marked(draw(24, 80)), "+CALLS");
    draw(24, 120);
    tui_app_key(&app, TUI_KEY_F7);
    ck_assert(app.screen.interval);
    ck_assert_ptr_nonnull(strstr(app.screen.message, "both are shown"));
}
END_TEST

/* Visits every heading of the pane in turn, and nothing else. */
START_TEST(sort_walks_over_the_headings)
{
    static const int widths[] = {30, 50, 80, 99, 120, 200};
    static const char *const first[] = {"1", "2", "3", "1t", "2t", "3t"};
    run_on();
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
        draw(24, widths[w]);
        type(first[_i]);
        for (int i = 0; i < 40; i++)
            type("<");
        const char *text = draw(24, widths[w]);
        char line[400], *next = line;
        const char *head = strstr(text, "NAME");
        while (head[-1] != '\n')
            head--;
        snprintf(line, sizeof line, "%.*s", (int)strcspn(head, "\n"), head);
        /* The mark, three bytes, replaces the blank behind its heading. */
        for (char *word; (word = strsep(&next, " \xe2\x96\xbc\xb2")) != NULL;) {
            /* The running sum has the order of the share. */
            if (!*word || !strcmp(word, "SUM%"))
                continue;
            ck_assert_str_eq(marked(draw(24, widths[w])), word);
            type(">");
        }
        ck_assert_str_eq(marked(draw(24, widths[w])), "NAME");
    }
}
END_TEST

/* Nodes are numbered per function. In the scope of one function, the title line has the name. */
START_TEST(apply_rows_name_their_function)
{
    static const int widths[] = {80, 99, 100, 120};
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
        const char *text = draw(24, widths[w]);
        ck_assert_ptr_null(strstr(text, "FUNCTION"));
        type("3");
        text = draw(24, widths[w]);
        ck_assert_ptr_nonnull(strstr(text, " ID FUNCTION"));
        ck_assert_ptr_nonnull(strstr(text, " 0 train "));
        ck_assert_ptr_nonnull(strstr(text, " 1 valid "));
        type("2");
    }
    type("3");
    ck_assert(tui_app_show(&app, model_state_take(job, 1, NULL)));
    ck_assert_ptr_null(strstr(draw(24, 120), "FUNCTION"));
}
END_TEST

/* The user types a name. It holds in this viewer only, for each function of that name, also in a
 * later job. An empty name removes it. */
START_TEST(a_function_is_given_a_name)
{
    type("fr");
    ck_assert(app.screen.message_bad && !app.screen.prompt.title); /* all functions */
    type("jr");
    ck_assert_str_eq(app.screen.prompt.title, "Name");
    type("step\r");
    ck_assert_ptr_null(app.screen.prompt.title);
    const struct model_function_def *def = model_job_function(job, 0);
    ck_assert_str_eq(def->name.raw, "train");
    ck_assert_str_eq(def->name.shown, "step");
    ck_assert_str_eq(def->alias.raw, "step");
    ck_assert_int_eq(app.screen.mode, TUI_MODE_FUNCTIONS);
    ck_assert_ptr_nonnull(strstr(app.choice_text[app.screen.chosen], " step"));
    type("*kr");
    ck_assert_ptr_nonnull(app.screen.prompt.title);
    type(" 2\r"); /* of the row before, which is marked and stays so */
    ck_assert(app.marking && app.choice[app.screen.chosen].marked);
    ck_assert_str_eq(def->name.shown, "step 2");
    type("r\025x\033"); /* Esc changes nothing */
    ck_assert_str_eq(def->name.shown, "step 2");
    struct model_job *next = model_job_new((const uint8_t[16]){8});
    struct model_function_raw raw = {.name = {"train", 5}, .parent = MODEL_NONE};
    ck_assert(model_job_add_function(next, &raw));
    tui_aliases_give(&app.aliases, next);
    ck_assert_str_eq(model_job_function(next, 0)->name.shown, "step 2");
    model_job_release(&next);
    type("r\025\r");
    ck_assert_str_eq(def->name.shown, "train");
    ck_assert_uint_eq(def->alias.raw_size, 0);
    ck_assert_str_eq(model_job_function(job, 1)->name.shown, "valid");
}
END_TEST

/* Each function without a name gets its own name here. */
START_TEST(a_function_without_a_name_is_given_one)
{
    struct model_function_raw raw = {.file = {"job.py", 6}, .line = 3, .parent = MODEL_NONE};
    ck_assert(model_job_add_function(job, &raw));
    raw.line = 4;
    ck_assert(model_job_add_function(job, &raw));
    const uint32_t third = model_job_count(job, MODEL_FUNCTION) - 2;
    const struct model_text *own = &model_job_function(job, third)->own;
    ck_assert(tui_aliases_set(&app.aliases, own->raw, own->raw_size, "step"));
    tui_aliases_give(&app.aliases, job);
    ck_assert_str_eq(model_job_function(job, third)->name.shown, "step");
    ck_assert_str_eq(model_job_function(job, third + 1)->name.shown, "job.py:4");
    ck_assert(tui_aliases_set(&app.aliases, own->raw, own->raw_size, ""));
    tui_aliases_give(&app.aliases, job);
    ck_assert_str_eq(model_job_function(job, third)->name.shown, "job.py:3");
}
END_TEST

/* The running sum has the order of the column that it adds up. */
START_TEST(the_sum_is_no_order_of_its_own)
{
    const struct model_view *view = &pane()->view;
    unsigned sum = (unsigned)model_column_find("sum", MODEL_OP);
    unsigned percent = (unsigned)model_column_find("percent", MODEL_OP);
    type("C");
    tui_app_sort(&app, sum);
    ck_assert_uint_eq(view->column, percent);
    ck_assert(!view->reversed);
    tui_app_sort(&app, sum);
    ck_assert(view->reversed);
    type("<,");
    for (size_t i = 0; i < app.screen.choices; i++)
        ck_assert_ptr_null(strstr(app.choice_text[i], "SUM%"));
}
END_TEST

/* --sort: a message names a pane without the column, or without a value for it. */
static const struct {
    const char *word, *title, *said;
} unsorted[] = {
    {"sum", "%TIME", ""},
    {"calls", "CALLS", ""},
    {"total", "total", ""},
    {"max", "MAX", "Class has no column 'max': sorted by %TIME"},
    {"bytes", "%TIME",
     "Class has no value yet of 'bytes', Ops has no value yet of 'bytes', Apply has no value yet "
     "of 'bytes': sorted by %TIME"},
    {"interval-time", "%TIME",
     "Class has no value yet of 'interval-time', Ops has no value yet of 'interval-time', Apply "
     "has no value yet of 'interval-time': sorted by %TIME"},
};

START_TEST(sort_order_not_applied_is_reported)
{
    char why[256] = "";
    tui_screen_sort_by(&app.screen, unsorted[_i].word);
    ck_assert(tui_app_show(&app, model_state_take(job, MODEL_ALL, NULL)));
    bool said = tui_screen_unsorted(&app.screen, unsorted[_i].word, TUI_ALL_PANES, why, sizeof why);
    ck_assert_str_eq(why, unsorted[_i].said);
    ck_assert_int_eq(said, why[0] != '\0');
    char by[32];
    snprintf(by, sizeof by, "by %s▼", unsorted[_i].title);
    ck_assert_msg(strstr(draw(24, 80), by) != NULL, "%s", draw(24, 80));
    ck_assert_str_eq(marked(draw(24, 80)), unsorted[_i].title);
}
END_TEST

/* The requested order applies as soon as there is something to sort. */
START_TEST(requested_sort_order_applies_once_values_exist)
{
    unsigned column = (unsigned)model_column_find("interval-time", MODEL_OP);
    tui_screen_sort_by(&app.screen, "interval-time");
    ck_assert(tui_app_show(&app, model_state_take(job, MODEL_ALL, NULL)));
    ck_assert_uint_ne(pane()->view.column, column);
    run_on();
    ck_assert_uint_eq(pane()->view.column, column);
    ck_assert_int_eq(pane()->requested_sort, -1);
}
END_TEST

START_TEST(a_column_that_there_is_no_room_for_comes_to_sort_by_it)
{
    run_on();
    draw(24, 80);
    type("2D");
    const char *text = draw(24, 80);
    ck_assert_str_eq(marked(text), "+%TIME");
    ck_assert_ptr_nonnull(strstr(text, "by +%TIME▼"));
}
END_TEST

/* In `e` the sort keys apply to its spans. The panes keep their orders. */
START_TEST(keys_of_the_order_are_of_what_is_looked_at)
{
    draw(24, 80);
    const unsigned column = pane()->view.column;
    type("e>>");
    ck_assert_uint_eq(app.screen.objects.sort[0].order, 2);
    type("I");
    ck_assert(app.screen.objects.sort[0].reversed);
    type("<<<");
    ck_assert_uint_eq(app.screen.objects.sort[0].order, 0);
    ck_assert_int_eq(app.screen.mode, TUI_MODE_OBJECTS);
    ck_assert(pane()->view.column == column && !pane()->view.reversed);
    /* The cursor keys do so too. */
    const uint32_t selected = pane()->selected;
    type("jG");
    ck_assert_uint_eq(pane()->selected, selected);
}
END_TEST

/* ------------------------------------------------------------------------------------------ Esc */

START_TEST(esc_undoes_the_latest_narrowing)
{
    /* Filtered after the dig. */
    type("1\r\\gemv\r");
    ck_assert_str_eq(rows(), "1");
    tui_app_key(&app, TUI_KEY_ESC);
    ck_assert_uint_eq(app.screen.active, OP_PANE);
    ck_assert_str_eq(rows(), "01");
    tui_app_key(&app, TUI_KEY_ESC);
    ck_assert_uint_eq(app.screen.active, CLASS_PANE);
    /* Filtered before the dig: the filter stays. */
    type("2\\gemv\r1\r");
    ck_assert_str_eq(rows(), "1");
    tui_app_key(&app, TUI_KEY_ESC);
    ck_assert_uint_eq(app.screen.active, CLASS_PANE);
    type("2");
    ck_assert_str_eq(rows(), "1");
    tui_app_key(&app, TUI_KEY_ESC);
    ck_assert_str_eq(rows(), "0123");
    /* Opening the filter prompt and confirming it unchanged sets no new filter. */
    type("2\\e\r1\r\\\r");
    tui_app_key(&app, TUI_KEY_ESC);
    ck_assert_uint_eq(app.screen.active, CLASS_PANE);
}
END_TEST

/* A row found by the filter stays under the cursor when the filter is cleared. */
START_TEST(filtered_row_stays_selected)
{
    type("2\\MUL\r");
    ck_assert_str_eq(rows(), "3");
    ck_assert_str_eq(pane()->view.typed, "MUL");
    tui_app_key(&app, TUI_KEY_ESC);
    ck_assert_str_eq(rows(), "0123");
    ck_assert_uint_eq(pane()->selected, 3);
    ck_assert_uint_eq(tui_pane_position(pane()), 3);
}
END_TEST

/* Another instance of the job with `ops` of its ops, in the opposite order. */
static struct model_job *restarted(uint32_t ops)
{
    static const uint8_t instance[16] = {8};
    struct model_job *other = model_job_new(instance);
    ck_assert(model_job_add_class(other, "elemwise", 8) && model_job_add_class(other, "blas", 4));
    for (uint32_t i = OPS; i-- > OPS - ops;)
        ck_assert(model_job_add_op(other, i < 2, op_names[i], strlen(op_names[i])));
    struct model_function_raw raw = {.name = {"train", 5}, .parent = MODEL_NONE};
    ck_assert(model_job_add_function(other, &raw));
    for (uint32_t i = 0; i < ops; i++) {
        struct model_apply_raw apply = {.op = i, .index = i};
        if (i == 1)
            apply.location = (struct model_bytes){"model.py:1", 10};
        ck_assert(model_job_add_apply(other, &apply));
    }
    model_job_set_complete(other);
    return other;
}

START_TEST(dig_target_is_shown_until_esc)
{
    type("1j\r");
    ck_assert_ptr_nonnull(strstr(draw(24, 80), "  in: elemwise  "));
    type("\r");
    ck_assert_ptr_nonnull(strstr(draw(24, 80), "  in: Elemwise{add}  "));
    ck_assert_ptr_nonnull(strstr(draw(24, 40), "in: Elemwise"));
    type("\\0\r");
    ck_assert_ptr_nonnull(strstr(draw(24, 80), "  in: Elemwise{add}  filter: 0"));
    tui_app_key(&app, TUI_KEY_ESC);
    tui_app_key(&app, TUI_KEY_ESC);
    ck_assert_ptr_nonnull(strstr(draw(24, 80), "  in: elemwise  "));
    tui_app_key(&app, TUI_KEY_ESC);
    ck_assert_ptr_null(strstr(draw(24, 80), "in: elem"));
}
END_TEST

/* --------------------------------------------------------------------------------------- lines */

/* The job sends the source lines of its applies: line 1 for the even ones, line 2 for the last. */
static void tell_lines(void)
{
    for (uint32_t i = 0; i < APPLIES; i++) {
        struct model_about_raw raw = {
            .rev = 1, .bytes = MODEL_UNKNOWN, .location = {"model.py:1", 10}};
        raw.location.size = i % 2 ? 0 : 10;
        if (i == APPLIES - 1)
            raw.location = (struct model_bytes){"/home/of/a/user/who/digs/deep/model.py:2", 40};
        ck_assert(model_job_set_about(job, i, &raw));
    }
    ck_assert(tui_app_show(&app, model_state_take(job, MODEL_ALL, NULL)));
}

START_TEST(panes_of_what_is_not_known_are_passed_by)
{
    type("3\t");
    ck_assert_uint_eq(app.screen.active, CLASS_PANE);
    ck_assert_ptr_null(strstr(draw(24, 80), "Line"));
    type("4");
    ck_assert_uint_eq(app.screen.active, LINE_PANE);
    ck_assert_ptr_nonnull(strstr(draw(24, 80), "[4 Line 1]"));
    tell_lines();
    type("3");
    ck_assert_ptr_nonnull(strstr(draw(24, 80), "4 Line 3"));
    type("\t");
    ck_assert_uint_eq(app.screen.active, LINE_PANE);
    type("\t");
    ck_assert_uint_eq(app.screen.active, CLASS_PANE);
    tui_app_key(&app, TUI_KEY_BACKTAB);
    ck_assert_uint_eq(app.screen.active, LINE_PANE);
}
END_TEST

START_TEST(a_line_is_dug_into)
{
    tell_lines();
    type("4\r");
    ck_assert_uint_eq(app.screen.active, APPLY_PANE);
    ck_assert_str_eq(rows(), "0246");
    ck_assert_ptr_nonnull(strstr(draw(24, 80), "  in: model.py:1  "));
    tui_app_key(&app, TUI_KEY_ESC);
    ck_assert_uint_eq(app.screen.active, LINE_PANE);
    type("j\r");
    ck_assert_str_eq(rows(), "135");
    ck_assert_ptr_nonnull(strstr(draw(24, 80), "  in: -  "));
}
END_TEST

/* A path too long for its place keeps its end. */
START_TEST(a_long_path_shows_its_file)
{
    tell_lines();
    type("4");
    const char *text = draw(24, 60);
    ck_assert_ptr_null(strstr(text, " /home"));
    ck_assert_ptr_nonnull(strstr(text, "model.py:2\n"));
    text = draw(24, 160);
    ck_assert_ptr_nonnull(strstr(text, " /home/of/a/user/who/digs/deep/model.py:2\n"));
}
END_TEST

/* ----------------------------------------------------------------------------- another instance */

/* Ids belong to one instance. A row is matched by its names, or not at all. */
START_TEST(a_restarted_job_is_dug_into_where_it_was)
{
    static const struct {
        uint32_t ops;
        const char *rows, *in;
    } cases[] = {{OPS, "2", "in: Gemv{inplace}"}, {2, "01", NULL}};
    type("2j\r");
    ck_assert_str_eq(rows(), "23");
    struct model_job *other = restarted(cases[_i].ops);
    ck_assert(tui_app_show(&app, model_state_take(other, MODEL_ALL, NULL)));
    ck_assert_str_eq(rows(), cases[_i].rows);
    ck_assert_msg(cases[_i].in ? strstr(draw(24, 80), cases[_i].in) != NULL
                               : strstr(draw(24, 80), "in: ") == NULL,
                  "%s", draw(24, 80));
    model_job_release(&other);
}
END_TEST

START_TEST(a_line_of_a_restarted_job_is_the_same_by_its_text)
{
    tell_lines();
    type("4\r");
    struct model_job *other = restarted(OPS);
    ck_assert(tui_app_show(&app, model_state_take(other, MODEL_ALL, NULL)));
    ck_assert_str_eq(rows(), "1");
    type("\r");
    ck_assert_ptr_nonnull(strstr(strstr(draw(24, 80), "Made at"), "model.py:1"));
    model_job_release(&other);
}
END_TEST

START_TEST(another_job_is_dug_into_nowhere)
{
    type("2j\r");
    tui_app_list_begin(&app, TUI_LIST_JOBS, TUI_MODE_PICKER);
    tui_app_list_add(&app, 1, false, "another");
    ck_assert_uint_eq(type("\r") & TUI_WANT_ATTACH, TUI_WANT_ATTACH);
    struct model_job *other = restarted(OPS);
    ck_assert(tui_app_show(&app, model_state_take(other, MODEL_ALL, NULL)));
    ck_assert_str_eq(rows(), "0123");
    model_job_release(&other);
}
END_TEST

/* ----------------------------------------------------------------------------------------- help */

static const char *first_line(const char *screen)
{
    static char line[400];
    for (int i = 0; i < 4; i++)
        screen = strchr(screen, '\n') + 1;
    snprintf(line, sizeof line, "%.*s", (int)strcspn(screen, "\n"), screen);
    return line;
}

START_TEST(help_turns_pages_and_closes)
{
    char top[400], second[400];
    type("?");
    snprintf(top, sizeof top, "%s", first_line(draw(24, 80)));
    int rows_shown = app.screen.shape.list_rows;
    ck_assert_int_eq(rows_shown, 24 - 3 - 1);
    tui_app_key(&app, TUI_KEY_PGDN);
    ck_assert_uint_eq(app.screen.scroll, (unsigned)rows_shown - 1);
    snprintf(second, sizeof second, "%s", first_line(draw(24, 80)));
    ck_assert_str_ne(top, second);
    tui_app_key(&app, TUI_KEY_END);
    uint32_t last = app.screen.scroll;
    ck_assert_int_eq((int)last, app.screen.shape.scroll_lines - rows_shown);
    draw(24, 80);
    /* From the end, one step up is one line up, also if the position was beyond the end. */
    app.screen.scroll = UINT32_MAX;
    tui_app_key(&app, TUI_KEY_UP);
    ck_assert_uint_eq(app.screen.scroll, last - 1);
    tui_app_key(&app, TUI_KEY_HOME);
    tui_app_key(&app, TUI_KEY_PGDN);
    tui_app_key(&app, TUI_KEY_PGUP);
    ck_assert_str_eq(first_line(draw(24, 80)), top);
    ck_assert_uint_eq(type("q") & TUI_WANT_QUIT, 0);
    ck_assert_int_eq(app.screen.mode, TUI_MODE_TABLE);
    ck_assert_uint_eq(type("q") & TUI_WANT_QUIT, TUI_WANT_QUIT);
    type("?");
    ck_assert_uint_eq(tui_app_key(&app, TUI_KEY_F10) & TUI_WANT_QUIT, TUI_WANT_QUIT);
}
END_TEST

/* At the first list of jobs, Esc ends the program: there is no page behind. */
START_TEST(the_first_picker_closes_the_program)
{
    tui_app_list_begin(&app, TUI_LIST_JOBS, TUI_MODE_PICKER);
    ck_assert_uint_eq(tui_app_key(&app, TUI_KEY_ESC) & TUI_WANT_QUIT, 0);
    ck_assert_int_eq(app.screen.mode, TUI_MODE_TABLE);
    tui_app_list_begin(&app, TUI_LIST_JOBS, TUI_MODE_PICKER);
    app.screen.link = NULL;
    ck_assert_uint_eq(tui_app_key(&app, TUI_KEY_ESC) & TUI_WANT_QUIT, TUI_WANT_QUIT);
}
END_TEST

/* A job that is over sends nothing new. The screen shows that it is over. */
START_TEST(the_end_is_shown_without_new_values)
{
    run_on();
    ck_assert_uint_ne(app.state->interval_ns, 0);
    const struct model_state *before = app.state;
    ck_assert(tui_app_take(&app, job));
    ck_assert_ptr_eq(app.state, before);
    model_job_set_ended(job, true);
    model_job_set_stamp(job, 1050000000, 1); /* of its goodbye */
    ck_assert(tui_app_take(&app, job));
    ck_assert_uint_eq(app.state->interval_ns, 0);
    ck_assert_uint_eq(app.state->row[MODEL_APPLY][0].interval_calls, MODEL_UNKNOWN);
    ck_assert_uint_eq(app.state->row[MODEL_APPLY][0].calls, 2);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("keys");
    add(s, "order", a_new_order_begins_at_the_first_row, TAP_ROWS(orders));
    add(s, "groups", the_sort_stays_where_its_heading_is, TAP_ROWS(groups));
    add(s, "letters", letters_sort_by_what_is_shown, 1);
    add(s, "walk", sort_walks_over_the_headings, 6);
    add(s, "functions", apply_rows_name_their_function, 1);
    add(s, "alias", a_function_is_given_a_name, 1);
    add(s, "alias", a_function_without_a_name_is_given_one, 1);
    add(s, "sum", the_sum_is_no_order_of_its_own, 1);
    add(s, "unsorted", sort_order_not_applied_is_reported, TAP_ROWS(unsorted));
    add(s, "wanted", requested_sort_order_applies_once_values_exist, 1);
    add(s, "order_of_spans", keys_of_the_order_are_of_what_is_looked_at, 1);
    add(s, "no_heading", a_column_that_there_is_no_room_for_comes_to_sort_by_it, 1);
    add(s, "esc", esc_undoes_the_latest_narrowing, 1);
    add(s, "filtered", filtered_row_stays_selected, 1);
    add(s, "dug", dig_target_is_shown_until_esc, 1);
    add(s, "restarted", a_restarted_job_is_dug_into_where_it_was, 2);
    add(s, "passed_by", panes_of_what_is_not_known_are_passed_by, 1);
    add(s, "line", a_line_is_dug_into, 1);
    add(s, "path", a_long_path_shows_its_file, 1);
    add(s, "restarted_line", a_line_of_a_restarted_job_is_the_same_by_its_text, 1);
    add(s, "another", another_job_is_dug_into_nowhere, 1);
    add(s, "help", help_turns_pages_and_closes, 1);
    add(s, "first_picker", the_first_picker_closes_the_program, 1);
    add(s, "end", the_end_is_shown_without_new_values, 1);
    return s;
}

TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_pty.c: the real program in a real pseudo-terminal, attached to real jobs.
 */
#include "config.h"

#include "action.h"
#include "pty.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../tap.h"

static char folder[64]; /* where this test's jobs announce themselves */
static struct pty pty;
static pid_t job;
static int to_job = -1, from_job = -1;

/* ---------------------------------------------------------------------------------------- jobs */

static void start_job(const char *const argv[])
{
    int in[2], out[2];
    char ready;
    ck_assert(pipe(in) == 0 && pipe(out) == 0);
    job = fork();
    if (job == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        for (int fd = 3; fd < 64; fd++)
            close(fd);
        execv(argv[0], (char *const *)(uintptr_t)argv);
        _exit(126);
    }
    close(in[0]);
    close(out[1]);
    to_job = in[1];
    from_job = out[0];
    ck_assert_int_eq(read(from_job, &ready, 1), 1);
}

static void start_told(void)
{
    /* A name of its own: other tests of this user may run beside this one. */
    start_job((const char *const[]){"./pty_job", strrchr(folder, '/') + 1, NULL});
}

/* Tells the job `count` times and waits until it has done it. */
static void tell(char letter, int count)
{
    char answer = 0;
    for (int i = 0; i < count; i++) {
        ck_assert_int_eq(write(to_job, &letter, 1), 1);
        ck_assert_int_eq(read(from_job, &answer, 1), 1);
        ck_assert_int_eq(answer, letter);
    }
}

static void end_job(int number)
{
    if (job > 0) {
        kill(job, number);
        waitpid(job, NULL, 0);
        close(to_job);
        close(from_job);
    }
    job = 0;
}

static void setup(void)
{
    strcpy(folder, "/tmp/proftop-pty-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    setenv("PROFTOP_DIR", folder, 1);
    setenv("XDG_RUNTIME_DIR", folder, 1);
    setenv("TMPDIR", folder, 1);
    pty = (struct pty){.master = -1, .slave = -1};
    signal(SIGPIPE, SIG_IGN);
}

static void teardown(void)
{
    char command[128];
    pty_end(&pty);
    end_job(SIGKILL);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    ck_assert_int_eq(system(command), 0);
}

/* ------------------------------------------------------------------------------------ proftop */

enum { OPTIONS_MAX = 12 };

/* Attaches to the job by its process id: other jobs of this user may run at the same time. */
static void attach(int rows, int cols, const char *const options[])
{
    char pid[24];
    const char *argv[OPTIONS_MAX + 8] = {"./proftop", "-p", pid, "--refresh", "0.1"};
    int count = 5;
    snprintf(pid, sizeof pid, "%d", (int)job);
    for (int i = 0; options && options[i]; i++)
        argv[count++] = options[i];
    pty_start(&pty, rows, cols, "xterm-256color", argv);
}

static void run(const char *const words[])
{
    const char *argv[OPTIONS_MAX + 8] = {"./proftop", "run", "--refresh", "0.1", "--"};
    for (int i = 0; words[i]; i++)
        argv[5 + i] = words[i];
    pty_start(&pty, 24, 80, "xterm-256color", argv);
}

static void quit(int code)
{
    pty_send(&pty, "q");
    ck_assert_int_eq(pty_exit(&pty), code);
    pty_restored(&pty);
}

/* The row of a pane below the header of its columns; how the tables begin. */
static const char *list_row(const struct pty *p, int at)
{
    int head = pty_find(p, " ID NAME");
    return head < 0 ? "" : pty_row(p, head + 1 + at);
}

static const char *name_of(const char *row)
{
    const char *space = strrchr(row, ' ');
    return space ? space + 1 : row;
}

static bool is_chosen(const struct pty *p, const void *pid)
{
    int row = pty_find(p, "\u25b6");
    return row >= 0 && strstr(pty_row(p, row), pid) != NULL;
}

/* Without -p: to the job by way of the picker, unless it is the only one and shown by now. Other
 * jobs of this user may be in the list too. */
static void reach(pid_t pid)
{
    char text[24];
    snprintf(text, sizeof text, "%d", (int)pid);
    pty_see(&pty, "F1Help");
    if (pty_find(&pty, "Choose a job") < 0 && !strstr(pty_row(&pty, 0), text)) {
        pty_send(&pty, "a");
        pty_see(&pty, "Choose a job");
    }
    pty_see(&pty, text);
    if (!strstr(pty_row(&pty, 0), text)) {
        int steps = pty_find(&pty, text) - pty_find(&pty, "\u25b6");
        for (; steps > 0; steps--)
            pty_send(&pty, "j");
        for (; steps < 0; steps++)
            pty_send(&pty, "k");
        ck_assert_msg(pty_wait(&pty, is_chosen, text), "%s:\n%s", text, pty_dump(&pty));
        pty_send(&pty, "\r");
        pty_miss(&pty, "Choose a job");
        pty_see(&pty, text);
    }
    pty_see(&pty, "LIVE");
}

static bool first_is(const struct pty *p, const void *name)
{
    return strcmp(name_of(list_row(p, 0)), name) == 0;
}

/* ------------------------------------------------------------------------------------ the tests */

START_TEST(attaches_and_shows_three_panes)
{
    start_told();
    attach(24, 80, NULL);
    pty_see(&pty, "LIVE");
    pty_see(&pty, strrchr(folder, '/') + 1);
    pty_send(&pty, "1");
    pty_see(&pty, "[1 Class 3]");
    pty_see(&pty, "KM");
    pty_send(&pty, "2");
    pty_see(&pty, "[2 Ops 3]");
    pty_see(&pty, "mul");
    pty_send(&pty, "3");
    pty_see(&pty, "[3 Apply 3]");
    pty_send(&pty, "\t");
    pty_see(&pty, "[1 Class 3]");
    ck_assert(pty.alternate && !pty.cursor);
    quit(0);
}
END_TEST

static const struct {
    const char *keys, *first;
} sorts[] = {
    {"1T", "KM"},  {"1C", "KD"},   {"1S", "KA"},  {"1%I", "KM"}, {"2T", "mul"}, {"2C", "dot"},
    {"2S", "add"}, {"2AI", "dot"}, {"3T", "mul"}, {"3C", "dot"}, {"3S", "add"}, {"3TI", "dot"},
};

START_TEST(sorts_each_pane_by_three_columns)
{
    start_told();
    attach(24, 80, NULL);
    pty_see(&pty, "LIVE");
    pty_send(&pty, sorts[_i].keys);
    ck_assert_msg(pty_wait(&pty, first_is, sorts[_i].first), "%s:\n%s", sorts[_i].keys,
                  pty_dump(&pty));
    quit(0);
}
END_TEST

static bool has_held(const struct pty *p, const void *frames)
{
    unsigned long held = 0;
    int row = pty_find(p, "frames held");
    const char *at = row < 0 ? NULL : strstr(pty_row(p, row), "since, ");
    if (at)
        held = strtoul(at + strlen("since, "), NULL, 10);
    return held >= *(const unsigned long *)frames;
}

START_TEST(pause_freezes_and_resume_is_exact)
{
    unsigned long some = 3;
    start_told();
    attach(24, 80, NULL);
    pty_see(&pty, "LIVE");
    pty_send(&pty, "2C");
    ck_assert(pty_wait(&pty, first_is, "dot"));
    pty_send(&pty, " ");
    pty_see(&pty, "PAUSED");
    char before[PTY_LINE_MAX];
    snprintf(before, sizeof before, "%s", list_row(&pty, 0));
    ck_assert_ptr_nonnull(strstr(before, " 6 "));
    tell('r', 70);
    ck_assert_msg(pty_wait(&pty, has_held, &some), "%s", pty_dump(&pty));
    ck_assert_str_eq(list_row(&pty, 0), before);
    /* Sorting, paging and searching go on, on the frozen rows. */
    pty_send(&pty, "T");
    ck_assert(pty_wait(&pty, first_is, "mul"));
    pty_send(&pty, "C");
    ck_assert(pty_wait(&pty, first_is, "dot"));
    ck_assert_str_eq(list_row(&pty, 0), before);
    pty_send(&pty, " ");
    pty_see(&pty, " 76 ");
    pty_miss(&pty, "PAUSED");
    quit(0);
}
END_TEST

static bool cursor_is(const struct pty *p, const void *name)
{
    int row = pty_find(p, "\u25b6");
    return row >= 0 && strcmp(name_of(pty_row(p, row)), name) == 0;
}

START_TEST(filter_and_search)
{
    start_told();
    attach(24, 80, NULL);
    pty_see(&pty, "LIVE");
    pty_send(&pty, "2\\DOT");
    ck_assert(pty_wait(&pty, first_is, "dot"));
    pty_see(&pty, "Filter: DOT");
    ck_assert(pty.cursor);
    pty_send(&pty, "\r");
    pty_miss(&pty, "Filter: DOT");
    ck_assert_int_lt(pty_find(&pty, "mul"), 0);
    pty_send(&pty, "\033");
    pty_see(&pty, "mul");
    pty_send(&pty, "/add\r");
    ck_assert_msg(pty_wait(&pty, cursor_is, "add"), "%s", pty_dump(&pty));
    quit(0);
}
END_TEST

START_TEST(any_size)
{
    static const struct {
        int rows, cols;
        const char *shows;
    } size[] = {{40, 132, "+/CALL"},  {4, 20, "LIVE"}, {24, 80, "[2 Ops 3]"},
                {3, 19, "proftop:"},  {1, 1, "p"},     {60, 200, "[2 Ops 3]"},
                {24, 80, "[2 Ops 3]"}};
    start_told();
    attach(24, 80, NULL);
    pty_see(&pty, "LIVE");
    for (size_t i = 0; i < sizeof size / sizeof size[0]; i++) {
        pty_resize(&pty, size[i].rows, size[i].cols);
        pty_see(&pty, size[i].shows);
    }
    quit(0);
}
END_TEST

START_TEST(starts_in_one_cell)
{
    start_told();
    attach(1, 1, NULL);
    pty_see(&pty, "p");
    quit(0);
}
END_TEST

START_TEST(help_lists_every_key)
{
    start_told();
    attach(200, 100, NULL);
    pty_see(&pty, "LIVE");
    pty_send(&pty, "?");
    pty_see(&pty, "Program");
    const struct tui_help_row *row;
    size_t count = tui_help_rows(&row);
    for (size_t i = 0; i < count; i++) {
        pty_see(&pty, row[i].keys);
        char text[32];
        snprintf(text, sizeof text, "%s", row[i].text);
        pty_see(&pty, text);
    }
    for (unsigned i = 0; i < model_columns_count; i++) {
        char head[64];
        snprintf(head, sizeof head, "%c %s", model_columns[i].key, model_columns[i].title);
        if (model_columns[i].key)
            pty_see(&pty, head);
    }
    pty_send(&pty, "\033");
    pty_see(&pty, "[2 Ops 3]");
    quit(0);
}
END_TEST

START_TEST(killed_job_is_gone_and_its_values_stay)
{
    start_told();
    attach(24, 80, NULL);
    pty_see(&pty, "LIVE");
    end_job(SIGKILL);
    pty_see(&pty, "GONE");
    ck_assert_int_ge(pty_find(&pty, "mul"), 0);
    pty_send(&pty, "2C");
    ck_assert(pty_wait(&pty, first_is, "dot"));
    quit(0);
}
END_TEST

START_TEST(restarted_job_is_recognised)
{
    char text[64];
    start_told();
    pty_start(&pty, 24, 80, "xterm-256color",
              (const char *const[]){"./proftop", "--refresh", "0.1", NULL});
    reach(job);
    end_job(SIGKILL);
    pty_see(&pty, "GONE");
    start_told();
    snprintf(text, sizeof text, "restarted: process %d", (int)job);
    pty_see(&pty, text);
    pty_see(&pty, "LIVE");
    tell('r', 1);
    pty_send(&pty, "2C");
    pty_see(&pty, " 7 ");
    quit(0);
}
END_TEST

/* Whoever comes too early waits in the picker; the first job is attached to. */
START_TEST(waits_for_a_job)
{
    pty_start(&pty, 24, 80, "xterm-256color", (const char *const[]){"./proftop", NULL});
    pty_see(&pty, "F1Help");
    start_told();
    reach(job);
    quit(0);
}
END_TEST

START_TEST(picker_lists_jobs_and_attaches)
{
    char text[32];
    start_told();
    pid_t first = job;
    int keep_to = to_job, keep_from = from_job;
    start_told();
    pty_start(&pty, 24, 80, "xterm-256color", (const char *const[]){"./proftop", NULL});
    snprintf(text, sizeof text, "%d ", (int)first);
    pty_see(&pty, text);
    reach(job);
    reach(first);
    pty_send(&pty, "a");
    pty_see(&pty, "Choose a job");
    pty_send(&pty, "\033");
    pty_see(&pty, "[2 Ops 3]");
    snprintf(text, sizeof text, "%d@", (int)first);
    ck_assert_int_eq(pty_find(&pty, text), 0);
    quit(0);
    kill(first, SIGKILL);
    waitpid(first, NULL, 0);
    close(keep_to);
    close(keep_from);
}
END_TEST

/* What curses and our own frames consist of, and nothing else. */
static void assert_no_foreign_control(const struct pty *p)
{
    static const char palette[] = "\033]104\007"; /* curses: the terminal's own colours */
    for (size_t i = 0; i < p->bytes; i++) {
        if (p->bytes - i >= sizeof palette - 1 &&
            memcmp(p->raw + i, palette, sizeof palette - 1) == 0) {
            i += sizeof palette - 2;
            continue;
        }
        unsigned char c = (unsigned char)p->raw[i];
        unsigned char next = i + 1 < p->bytes ? (unsigned char)p->raw[i + 1] : 0;
        if (c == 0x1b)
            ck_assert_msg(next && strchr("[()=>78M", next), "ESC %#x at %zu", next, i);
        else if (c < 0x20)
            ck_assert_msg(c == '\r' || c == '\n' || c == '\b' || c == '\t' || c == 0x0f,
                          "control %#x at %zu", c, i);
        ck_assert_msg(c != 0x7f, "DEL at %zu", i);
        ck_assert_msg(c != 0xc2 || next >= 0xa0, "C1 %#x at %zu", next, i);
    }
    ck_assert_ptr_null(memmem(p->raw, p->bytes, "\xe2\x80\xae", 3));
    ck_assert_uint_eq(p->bells + p->titles, 0);
}

START_TEST(hostile_names_do_nothing)
{
    start_job((const char *const[]){"examples/synthetic", "--hostile", "--applies", "200", NULL});
    attach(40, 132, NULL);
    pty_see(&pty, "LIVE");
    static const char *const keys[] = {"1", "2", "3", "d", "d", "G", "\033[C", "L", "L", "f"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        size_t before = pty.bytes;
        pty_send(&pty, keys[i]);
        while (pty.bytes == before)
            pty_listen(&pty, 20);
    }
    pty_send(&pty, "\033");
    pty_see(&pty, "[3 Apply");
    quit(0);
    assert_no_foreign_control(&pty);
}
END_TEST

/* -------------------------------------------------------------------------------------- writes */

START_TEST(nothing_changes_nothing_is_written)
{
    start_told();
    attach(24, 80, (const char *const[]){"--clock", "off", NULL});
    pty_see(&pty, "LIVE");
    pty_send(&pty, "2");
    pty_see(&pty, "[2 Ops 3]");
    /* The interval turns to what it will be once a state without changes follows another. */
    while (pty_listen(&pty, 500) > 0)
        ;
    size_t from = pty.bytes;
    ck_assert_msg(pty_listen(&pty, 1500) == 0, "%.*s", (int)(pty.bytes - from), pty.raw + from);
    tell('r', 1);
    pty_send(&pty, "C");
    pty_see(&pty, " 7 ");
    quit(0);
}
END_TEST

/* Each piece that comes is whole frames: a bracket opens it and one closes it. */
START_TEST(one_write_is_one_frame)
{
    start_job((const char *const[]){"examples/synthetic", NULL});
    attach(24, 80, NULL);
    pty_see(&pty, "LIVE");
    size_t reads = pty.reads, frames = 0, from = pty.bytes, at;
    while (pty.reads < reads + 12) {
        at = pty.bytes;
        size_t seen = pty.reads;
        while (pty.reads == seen)
            pty_listen(&pty, 5);
        ck_assert_int_eq(memcmp(pty.raw + at, "\033[?2026h", 8), 0);
        ck_assert_int_eq(memcmp(pty.raw + pty.bytes - 8, "\033[?2026l", 8), 0);
    }
    for (at = from; at + 8 <= pty.bytes; at++)
        frames += memcmp(pty.raw + at, "\033[?2026h", 8) == 0;
    ck_assert_uint_ge(frames, 12);
    quit(0);
}
END_TEST

/* ---------------------------------------------------------------------------------- ends badly */

static const int signals[] = {SIGTERM, SIGHUP, SIGINT};

START_TEST(killed_viewer_restores_the_terminal)
{
    start_told();
    attach(24, 80, NULL);
    pty_see(&pty, "LIVE");
    kill(pty.pid, signals[_i]);
    ck_assert_int_eq(pty_exit(&pty), 128 + signals[_i]);
    pty_restored(&pty);
    tell('c', 1); /* the job is unharmed */
}
END_TEST

START_TEST(ends_with_its_terminal)
{
    start_told();
    attach(24, 80, NULL);
    pty_see(&pty, "LIVE");
    close(pty.slave);
    close(pty.master);
    pty.slave = pty.master = -1;
    uint64_t began = pty_now_ms();
    ck_assert_int_eq(pty_exit(&pty), 128 + SIGHUP);
    const char *slower = getenv("CK_TIMEOUT_MULTIPLIER");
    if (!slower)
        ck_assert_uint_le(pty_now_ms() - began, 200);
    tell('c', 1);
}
END_TEST

START_TEST(unknown_terminal_is_one_sentence)
{
    char pid[24];
    start_told();
    snprintf(pid, sizeof pid, "%d", (int)job);
    pty_start(&pty, 24, 80, "no-such-terminal",
              (const char *const[]){"./proftop", "-p", pid, NULL});
    ck_assert_int_eq(pty_exit(&pty), 2);
    ck_assert_int_ge(pty_find(&pty, "no-such-terminal"), 0);
    ck_assert_int_ge(pty_find(&pty, "-b"), 0);
    pty_restored(&pty);
}
END_TEST

START_TEST(no_such_job_is_one_sentence)
{
    pty_start(&pty, 24, 80, "xterm", (const char *const[]){"./proftop", "-p", "2147483646", NULL});
    ck_assert_int_eq(pty_exit(&pty), 3);
    ck_assert_int_ge(pty_find(&pty, "there is no process 2147483646"), 0);
}
END_TEST

/* ----------------------------------------------------------------------------------------- run */

START_TEST(run_passes_output_and_code_on)
{
    run((const char *const[]){"/bin/sh", "-c",
                              "printf 'one\\ttwo\\001three'; printf 'bad\\n' >&2; exit 7", NULL});
    ck_assert_int_eq(pty_exit(&pty), 7);
    pty_restored(&pty);
    ck_assert_ptr_nonnull(memmem(pty.raw, pty.bytes, "one\ttwo\001three", 13));
    ck_assert_ptr_nonnull(memmem(pty.raw, pty.bytes, "bad\r\n", 5));
    ck_assert_int_ge(pty_find(&pty, "ended without publishing"), 0);
}
END_TEST

START_TEST(run_that_cannot_start)
{
    run((const char *const[]){"./no-such-command", NULL});
    ck_assert_int_eq(pty_exit(&pty), 127);
    ck_assert_int_ge(pty_find(&pty, "no-such-command"), 0);
    pty_restored(&pty);
}
END_TEST

START_TEST(run_shows_a_job_to_its_end)
{
    run((const char *const[]){"examples/synthetic", "--seconds", "1", "--applies", "20", NULL});
    pty_see(&pty, "LIVE");
    pty_see(&pty, "GONE");
    pty_send(&pty, "o");
    pty_see(&pty, "ready: process");
    pty_send(&pty, "o");
    quit(0);
    ck_assert_ptr_nonnull(memmem(pty.raw, pty.bytes, "ready: process", 14));
}
END_TEST

START_TEST(run_asks_before_it_leaves)
{
    run((const char *const[]){"examples/synthetic", "--applies", "20", NULL});
    pty_see(&pty, "LIVE");
    pty_send(&pty, "q");
    pty_see(&pty, "leave the job running");
    pty_send(&pty, "\033");
    pty_see(&pty, "[2 Ops");
    pty_send(&pty, "qj\r");
    int code = pty_exit(&pty);
    ck_assert_msg(code == 0 || code == 128 + SIGTERM, "%d", code);
    pty_restored(&pty);
}
END_TEST

START_TEST(run_leaves_the_job_running)
{
    static const char said[] = "the job goes on as process ";
    run((const char *const[]){"examples/synthetic", "--applies", "20", NULL});
    pty_see(&pty, "LIVE");
    pty_send(&pty, "q\r");
    ck_assert_int_eq(pty_exit(&pty), 0);
    pty_restored(&pty);
    const char *at = memmem(pty.raw, pty.bytes, said, sizeof said - 1);
    ck_assert_ptr_nonnull(at);
    pid_t left = (pid_t)strtol(at + sizeof said - 1, NULL, 10);
    ck_assert_int_gt(left, 1);
    ck_assert_int_eq(kill(left, SIGTERM), 0);
}
END_TEST

/* --------------------------------------------------------------------------------------- suite */

static void add(Suite *s, const char *name, const TTest *test, int loops)
{
    TCase *one = tcase_create(name);
    tcase_add_checked_fixture(one, setup, teardown);
    tcase_set_timeout(one, TAP_TIMEOUT);
    tcase_add_loop_test(one, test, 0, loops);
    suite_add_tcase(s, one);
}

static Suite *suite(void)
{
    Suite *s = suite_create("pty");
    add(s, "attach", attaches_and_shows_three_panes, 1);
    add(s, "sort", sorts_each_pane_by_three_columns, TAP_ROWS(sorts));
    add(s, "pause", pause_freezes_and_resume_is_exact, 1);
    add(s, "filter", filter_and_search, 1);
    add(s, "size", any_size, 1);
    add(s, "one_cell", starts_in_one_cell, 1);
    add(s, "help", help_lists_every_key, 1);
    add(s, "gone", killed_job_is_gone_and_its_values_stay, 1);
    add(s, "restarted", restarted_job_is_recognised, 1);
    add(s, "waits", waits_for_a_job, 1);
    add(s, "picker", picker_lists_jobs_and_attaches, 1);
    add(s, "hostile", hostile_names_do_nothing, 1);
    add(s, "nothing", nothing_changes_nothing_is_written, 1);
    add(s, "one_write", one_write_is_one_frame, 1);
    add(s, "killed", killed_viewer_restores_the_terminal, TAP_ROWS(signals));
    add(s, "hangup", ends_with_its_terminal, 1);
    add(s, "terminal", unknown_terminal_is_one_sentence, 1);
    add(s, "no_job", no_such_job_is_one_sentence, 1);
    add(s, "run_output", run_passes_output_and_code_on, 1);
    add(s, "run_nothing", run_that_cannot_start, 1);
    add(s, "run_job", run_shows_a_job_to_its_end, 1);
    add(s, "run_asks", run_asks_before_it_leaves, 1);
    add(s, "run_leaves", run_leaves_the_job_running, 1);
    return s;
}

TAP_MAIN(suite)

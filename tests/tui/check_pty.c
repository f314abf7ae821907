/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_pty.c: the real program in a real pseudo-terminal, attached to real jobs.
 */
#include "config.h"

#include "tui/app/action.h"
#include "pty_fixture.h"
#include "../sanitized.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* A job without ops opens on its spans and counters. Its ops come to the front, unless a key was
 * pressed before. */
START_TEST(a_job_without_ops_opens_on_its_objects)
{
    start_job((const char *const[]){"./pty_job", strrchr(folder, '/') + 1, "objects", NULL});
    attach(24, 80, NULL);
    pty_see(&pty, "training steps");
    if (_i == 0) {
        tell('g', 1);
        pty_see(&pty, "[2 Ops 2]");
        pty_miss(&pty, "training steps");
        quit(0);
        return;
    }
    pty_send(&pty, "e");
    pty_see(&pty, "no op has been seen yet");
    pty_send(&pty, "e");
    pty_see(&pty, "training steps");
    tell('g', 1);
    pty_send(&pty, "e");
    pty_see(&pty, "[2 Ops 2]");
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
    /* Sorting, paging and searching still work, on the frozen rows. */
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

/* Data received during a pause stays on the screen until a key is pressed. */
START_TEST(data_received_in_a_pause_stays_until_a_key)
{
    unsigned long some = 3;
    start_told();
    attach(24, 80, NULL);
    pty_see(&pty, "LIVE");
    pty_send(&pty, "2Ct ");
    pty_see(&pty, "PAUSED");
    tell('r', 70);
    ck_assert_msg(pty_wait(&pty, has_held, &some), "%s", pty_dump(&pty));
    pty_send(&pty, " ");
    pty_see(&pty, " 70 ");
    pty_miss(&pty, "PAUSED");
    tell('r', 5); /* another state; its interval covers the pause and the time since */
    pty_see(&pty, " 75 ");
    pty_see(&pty, "s since the pause");
    pty_send(&pty, "C");
    pty_miss(&pty, "since the pause");
    tell('r', 7);
    pty_see(&pty, " 7 ");
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
    pty_see(&pty, "filter: DOT");
    ck_assert_int_lt(pty_find(&pty, "mul"), 0);
    pty_send(&pty, "\033");
    pty_see(&pty, "mul");
    pty_send(&pty, "/add\r");
    ck_assert_msg(pty_wait(&pty, cursor_is, "add"), "%s", pty_dump(&pty));
    quit(0);
}
END_TEST

/* Each Esc is a key, however fast it is typed. The Esc that begins a sequence is none, also after
 * other keys. */
START_TEST(escapes_that_come_at_once_all_count)
{
    start_told();
    attach(24, 80, NULL);
    pty_see(&pty, "LIVE");
    pty_send(&pty, "2\\dot\r");
    pty_see(&pty, "filter: dot");
    pty_send(&pty, "?");
    pty_miss(&pty, "filter: dot");
    pty_send(&pty, "\033\033"); /* closes the help and clears the filter */
    pty_see(&pty, "[2 Ops 3]");
    pty_see(&pty, "mul");
    pty_miss(&pty, "filter: dot");
    pty_send(&pty, "\\dot\r");
    pty_see(&pty, "filter: dot");
    pty_send(&pty, "\033\033[99~3");
    pty_see(&pty, "[3 Apply");
    pty_send(&pty, "2");
    pty_see(&pty, "filter: dot");
    quit(0);
}
END_TEST

START_TEST(any_size)
{
    static const struct {
        int rows, cols;
        const char *shows;
    } size[] = {{40, 132, "+/CALL"},  {4, 20, "LIVE"}, {24, 80, "[2 Ops 3]"},
                {3, 19, "too small"}, {1, 1, "!"},     {60, 200, "[2 Ops 3]"},
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
    pty_see(&pty, "!");
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

/* The figures of the old job stay until the user switches to the new one. */
START_TEST(restarted_job_is_offered)
{
    char text[64], before[PTY_LINE_MAX];
    start_told();
    pty_start(&pty, 24, 80, "xterm-256color",
              (const char *const[]){"./proftop", "--refresh", "0.1", NULL});
    reach(job);
    pty_send(&pty, "2C");
    tell('r', 1);
    pty_see(&pty, " 7 ");
    pty_send(&pty, "-");
    pty_see(&pty, "a new state every"); /* disappears when the job ends */
    end_job(SIGKILL);
    pty_see(&pty, "GONE");
    snprintf(before, sizeof before, "%s", list_row(&pty, 0));
    start_told();
    snprintf(text, sizeof text, "runs as process %d: a attaches", (int)job);
    pty_see(&pty, text);
    ck_assert_int_ge(pty_find(&pty, "GONE"), 0);
    ck_assert_str_eq(list_row(&pty, 0), before);
    /* A key that acts on the screen keeps the offer. */
    pty_send(&pty, "T");
    ck_assert(pty_wait(&pty, first_is, "mul"));
    pty_see(&pty, text);
    pty_send(&pty, "a");
    snprintf(text, sizeof text, "attached to process %d", (int)job);
    pty_see(&pty, text);
    pty_see(&pty, "LIVE");
    tell('r', 1);
    pty_send(&pty, "2C");
    pty_see(&pty, " 7 ");
    quit(0);
}
END_TEST

/* A viewer that starts before any job waits in the picker, and attaches to the first job. */
START_TEST(waits_for_a_job)
{
    pty_start(&pty, 24, 80, "xterm-256color", (const char *const[]){"./proftop", NULL});
    pty_see(&pty, "F10Quit");
    start_told();
    reach(job);
    quit(0);
}
END_TEST

/* In the line of a job, the text below the title of a column. */
static const char *below(pid_t pid, const char *title)
{
    char head[PTY_LINE_MAX], text[24];
    snprintf(text, sizeof text, " %d ", (int)pid);
    snprintf(head, sizeof head, "%s", pty_row(&pty, pty_find(&pty, "PROGRAM")));
    const char *at = strstr(head, title);
    ck_assert_msg(at != NULL, "%s: %s", title, head);
    /* Only blanks precede it, except for a mark of one column and three bytes. */
    const char *row = pty_row(&pty, pty_find(&pty, text));
    return row + (at - head) + (strncmp(row, "\u25b6", 3) == 0 ? 2 : 0);
}

static void titles_stand_over_columns(pid_t pid)
{
    const char *name = strrchr(folder, '/') + 1;
    ck_assert_msg(strncmp(below(pid, "PROGRAM"), name, strlen(name)) == 0, "%s", pty_dump(&pty));
    const char *hottest = below(pid, "HOTTEST OP");
    ck_assert_msg(hottest[-1] == ' ' && hottest[0] != ' ', "%s", pty_dump(&pty));
}

START_TEST(picker_lists_jobs_and_attaches)
{
    char text[32];
    start_told();
    pid_t first = job;
    int keep_to = to_job, keep_from = from_job;
    start_told();
    pty_start(&pty, 24, 80, "xterm-256color", (const char *const[]){"./proftop", NULL});
    pty_see(&pty, " jobs ");
    snprintf(text, sizeof text, "%d ", (int)first);
    pty_see(&pty, text);
    titles_stand_over_columns(first);
    reach(job);
    reach(first);
    pty_send(&pty, "a");
    pty_see(&pty, "Choose a job");
    pty_see(&pty, "PROGRAM AND ARGUMENTS");
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

/* Two jobs of one program. */
struct told {
    pid_t pid;
    int to, from;
};

static struct told start_with(const char *lr)
{
    const char *name = strrchr(folder, '/') + 1;
    start_job((const char *const[]){"./pty_job", name, "--data", "/a/folder/with/a/long/name",
                                    "--lr", lr, NULL});
    return (struct told){job, to_job, from_job};
}

static bool has_hottest(const struct pty *p, const void *told)
{
    (void)p;
    return strncmp(below(((const struct told *)told)->pid, "HOTTEST OP"), "mul ", 4) == 0;
}

/* A job that calls has a rate above 0. Each check of the screen makes one more call. */
static bool has_rate(const struct pty *p, const void *told)
{
    char *end;
    (void)p;
    tell('c', 1);
    const char *cell = below(((const struct told *)told)->pid, "CALLS/S");
    return strtod(cell, &end) > 0 && end > cell;
}

static bool has_no_rate(const struct pty *p, const void *told)
{
    (void)p;
    return strncmp(below(((const struct told *)told)->pid, "CALLS/S"), "      -", 7) == 0;
}

/* At 80 columns: the differing arguments, the op with the most time, calls per second. */
START_TEST(picker_distinguishes_jobs_of_one_program)
{
    const struct told stopped = start_with("0.1"), calls = start_with("0.9");
    kill(stopped.pid, SIGSTOP);
    pty_start(&pty, 24, 80, "xterm-256color", (const char *const[]){"./proftop", NULL});
    pty_see(&pty, " --lr 0.1");
    pty_see(&pty, " --lr 0.9");
    ck_assert_msg(pty_wait(&pty, has_hottest, &calls), "%s", pty_dump(&pty));
    ck_assert_msg(pty_wait(&pty, has_rate, &calls), "%s", pty_dump(&pty));
    /* A job that does not answer delays nothing. Its state is unknown. */
    ck_assert_msg(has_no_rate(&pty, &stopped), "%s", pty_dump(&pty));
    ck_assert_msg(strncmp(below(stopped.pid, "HOTTEST OP"), "- ", 2) == 0, "%s", pty_dump(&pty));
    kill(stopped.pid, SIGCONT);
    ck_assert_msg(pty_wait(&pty, has_hottest, &stopped), "%s", pty_dump(&pty));
    /* A job that falls silent loses its rate. */
    kill(calls.pid, SIGSTOP);
    ck_assert_msg(pty_wait(&pty, has_no_rate, &calls), "%s", pty_dump(&pty));
    kill(calls.pid, SIGCONT);
    quit(0);
    kill(stopped.pid, SIGKILL);
    waitpid(stopped.pid, NULL, 0);
    close(stopped.to);
    close(stopped.from);
}
END_TEST

/* Allows only the control sequences of curses and of our own frames. */
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

/* ASCII by option, or by the locale, for any content. */
static const struct {
    const char *locale, *option;
} plain[] = {{"LC_ALL=C", "--refresh=0.1"}, {"LC_ALL=C.UTF-8", "--ascii"}};

START_TEST(ascii_is_all_that_goes_out)
{
    char pid[24];
    start_job((const char *const[]){"examples/synthetic", "--hostile", "--applies", "200", NULL});
    snprintf(pid, sizeof pid, "%d", (int)job);
    pty_start(&pty, 40, 132, "xterm-256color",
              (const char *const[]){"/usr/bin/env", plain[_i].locale, "./proftop", "-p", pid,
                                    plain[_i].option, NULL});
    pty_see(&pty, "* LIVE");
    pty_see(&pty, "%TIMEv");
    static const char *const keys[] = {"1", "2", "3", "d", "d", "\r", "\033[C", "L", "L",
                                       "f", "q", "?", "q", "a", "\033", " ",    " ", "I"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        size_t before = pty.bytes;
        pty_send(&pty, keys[i]);
        while (pty.bytes == before)
            pty_listen(&pty, 20);
        if (strcmp(keys[i], "\033") == 0) /* together with the next bytes it would be another key */
            pty_miss(&pty, "Choose a job");
    }
    pty_see(&pty, "%TIME^");
    pty_resize(&pty, 24, 80);
    pty_see(&pty, "SUM%");
    quit(0);
    for (size_t i = 0; i < pty.bytes; i++)
        ck_assert_msg((unsigned char)pty.raw[i] < 0x80, "%#x at %zu", pty.raw[i], i);
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
    /* The interval changes to its final text once a state without changes follows another. On a
     * busy machine the feed may lag briefly, and the screen says so. */
    size_t from = pty.bytes;
    for (int i = 0; i < 8 && pty_listen(&pty, 1500) > 0; i++)
        from = i < 7 ? pty.bytes : from;
    ck_assert_msg(pty.bytes == from, "%.*s", (int)(pty.bytes - from), pty.raw + from);
    tell('r', 1);
    pty_send(&pty, "C");
    pty_see(&pty, " 7 ");
    quit(0);
}
END_TEST

/* Each piece of output is whole frames: a bracket opens it and one closes it. */
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

/* Some of each kind: sent by a user, by a program, by the kernel, real-time, and a crash. */
static const int signals[] = {SIGTERM, SIGHUP, SIGINT,    SIGQUIT,    SIGUSR1, SIGUSR2, SIGALRM,
                              SIGPIPE, SIGPROF, SIGXCPU, SIGSTKFLT, SIGPWR,     SIGIO,   64,
                              SIGABRT, SIGSYS,  SIGTRAP,
#if !PROCESS_ASAN /* ASan has a handler of its own */
                              SIGSEGV,
#endif
};

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

static bool is_raw(const struct pty *p)
{
    struct termios modes;
    return tcgetattr(p->slave, &modes) == 0 && !(modes.c_lflag & ICANON);
}

/* The terminal reads nothing, and the viewer blocks inside a frame. */
START_TEST(a_terminal_that_hangs_does_not_keep_it)
{
    struct pollfd room = {.events = POLLOUT};
    start_told();
    attach(200, 300, NULL);
    pty_see(&pty, "LIVE");
    room.fd = pty.slave;
    int full = 0; /* consecutive checks, since it also blocks briefly inside each frame */
    for (uint64_t end = pty_now_ms() + PTY_WAIT_MS; full < 50; poll(NULL, 0, 2)) {
        full = poll(&room, 1, 0) > 0 ? 0 : full + 1;
        if (full == 0)
            pty_send(&pty, "\f"); /* repaints everything */
        ck_assert_uint_lt(pty_now_ms(), end);
    }
    ck_assert(is_raw(&pty));
    kill(pty.pid, SIGTERM);
    int status = 0;
    for (uint64_t end = pty_now_ms() + PTY_WAIT_MS; waitpid(pty.pid, &status, WNOHANG) == 0;) {
        poll(NULL, 0, 1);
        ck_assert_msg(pty_now_ms() < end, "it does not end");
    }
    pty.pid = 0;
    ck_assert_int_eq(WEXITSTATUS(status), 128 + SIGTERM);
    ck_assert(!is_raw(&pty));
}
END_TEST

START_TEST(ends_with_its_terminal)
{
    start_told();
    attach(24, 80, (const char *const[]){"--refresh", "10", NULL});
    pty_see(&pty, "LIVE");
    close(pty.slave);
    close(pty.master);
    pty.slave = pty.master = -1;
    ck_assert_int_eq(pty_exit(&pty), 128 + SIGHUP);
    tell('c', 1);
}
END_TEST

/* curses saves the hidden cursor (DECSC) when it scrolls. libvterm brings the saved cursor back
 * when the alternate screen ends. */
START_TEST(the_cursor_is_shown_at_the_end)
{
    start_told();
    attach(24, 80, NULL);
    pty_see(&pty, "LIVE");
    ck_assert(!pty.cursor);
    ck_assert_int_eq(write(pty.slave, "\0337", 2), 2);
    quit(0);
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

/* Such a terminal cannot be painted, and a blank screen says nothing. */
START_TEST(a_terminal_without_cursor_is_one_sentence)
{
    char pid[24];
    start_told();
    snprintf(pid, sizeof pid, "%d", (int)job);
    pty_start(&pty, 24, 80, "dumb", (const char *const[]){"./proftop", "-p", pid, NULL});
    ck_assert_int_eq(pty_exit(&pty), 2);
    ck_assert_int_ge(pty_find(&pty, "\"dumb\" (TERM) cannot place its cursor"), 0);
    ck_assert_int_ge(pty_find(&pty, "-b"), 0);
    pty_restored(&pty);
}
END_TEST

/* -------------------------------------------------------------------------------------- stopped */

static bool is_cooked(const struct pty *p, const void *unused)
{
    struct termios now;
    (void)unused;
    return !p->alternate && p->cursor && tcgetattr(p->slave, &now) == 0 &&
           (now.c_lflag & ICANON) && pty_find(p, "at-the-shell") >= 0;
}

static bool fills_the_screen(const struct pty *p, const void *unused)
{
    (void)unused;
    return p->alternate && strstr(pty_row(p, p->rows - 1), "F10Quit");
}

/* A shell has the terminal while proftop is stopped. `fg` repaints it, at its new width. */
START_TEST(stops_and_goes_on_in_a_shell)
{
    char line[128];
    start_told();
    setenv("PS1", "at-the-shell ", 1);
    setenv("ENV", "", 1);
    pty_start(&pty, 24, 80, "xterm-256color", (const char *const[]){"/bin/sh", "-i", NULL});
    pty_see(&pty, "at-the-shell");
    snprintf(line, sizeof line, "./proftop -p %d --refresh 0.1\r", (int)job);
    pty_send(&pty, line);
    pty_see(&pty, "LIVE");
    ck_assert(pty.alternate);
    for (int i = 0; i < 2; i++) {
        pty_send(&pty, "\032");
        ck_assert_msg(pty_wait(&pty, is_cooked, NULL), "%s", pty_dump(&pty));
        pty_resize(&pty, 30, 90 + i);
        tell('r', 1);
        pty_send(&pty, "fg\r");
        ck_assert_msg(pty_wait(&pty, fills_the_screen, NULL), "%s", pty_dump(&pty));
        pty_see(&pty, "[2 Ops 3]");
    }
    pty_send(&pty, "2C");
    pty_see(&pty, " 8 ");
    pty_send(&pty, "q");
    ck_assert(pty_wait(&pty, is_cooked, NULL));
    pty_send(&pty, "exit\r");
    ck_assert_int_eq(pty_exit(&pty), 0);
}
END_TEST

/* Without a shell no process could continue it. */
START_TEST(does_not_stop_where_nobody_can_go_on)
{
    start_told();
    attach(24, 80, NULL);
    pty_see(&pty, "LIVE");
    pty_send(&pty, "\0321");
    pty_see(&pty, "[1 Class 3]");
    pty_send(&pty, "2");
    pty_see(&pty, "[2 Ops 3]");
    quit(0);
}
END_TEST

START_TEST(no_such_job_is_one_sentence)
{
    pty_start(&pty, 24, 80, "xterm", (const char *const[]){"./proftop", "-p", "2147483646", NULL});
    ck_assert_int_eq(pty_exit(&pty), 3);
    ck_assert_int_ge(pty_find(&pty, "there is no process 2147483646"), 0);
}
END_TEST

/* --------------------------------------------------------------------------------------- suite */

static Suite *suite(void)
{
    Suite *s = suite_create("pty");
    add(s, "attach", attaches_and_shows_three_panes, 1);
    add(s, "objects", a_job_without_ops_opens_on_its_objects, 2);
    add(s, "sort", sorts_each_pane_by_three_columns, TAP_ROWS(sorts));
    add(s, "pause", pause_freezes_and_resume_is_exact, 1);
    add(s, "since_pause", data_received_in_a_pause_stays_until_a_key, 1);
    add(s, "filter", filter_and_search, 1);
    add(s, "escapes", escapes_that_come_at_once_all_count, 1);
    add(s, "size", any_size, 1);
    add(s, "one_cell", starts_in_one_cell, 1);
    add(s, "help", help_lists_every_key, 1);
    add(s, "gone", killed_job_is_gone_and_its_values_stay, 1);
    add(s, "restarted", restarted_job_is_offered, 1);
    add(s, "waits", waits_for_a_job, 1);
    add(s, "picker", picker_lists_jobs_and_attaches, 1);
    add(s, "apart", picker_distinguishes_jobs_of_one_program, 1);
    add(s, "hostile", hostile_names_do_nothing, 1);
    add(s, "ascii", ascii_is_all_that_goes_out, TAP_ROWS(plain));
    add(s, "nothing", nothing_changes_nothing_is_written, 1);
    add(s, "one_write", one_write_is_one_frame, 1);
    add(s, "killed", killed_viewer_restores_the_terminal, TAP_ROWS(signals));
    add(s, "held", a_terminal_that_hangs_does_not_keep_it, 1);
    add(s, "hangup", ends_with_its_terminal, 1);
    add(s, "cursor", the_cursor_is_shown_at_the_end, 1);
    add(s, "terminal", unknown_terminal_is_one_sentence, 1);
    add(s, "dumb", a_terminal_without_cursor_is_one_sentence, 1);
    add(s, "stop", stops_and_goes_on_in_a_shell, 1);
    add(s, "no_shell", does_not_stop_where_nobody_can_go_on, 1);
    add(s, "no_job", no_such_job_is_one_sentence, 1);
    return s;
}

TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_pty_run.c: `proftop run` in a real pseudo-terminal: the owner of the terminal, the output,
 * the exit code.
 */
#include "config.h"

#include "pty_fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

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

START_TEST(run_shows_the_awaited_command)
{
    run((const char *const[]){"sleep", "60", NULL});
    pty_see(&pty, "WAITING");
    pty_see(&pty, "Waiting for sleep (");
    pty_see(&pty, "to publish. o shows what it prints.");
    pty_send(&pty, "qj\r");
    ck_assert_int_eq(pty_exit(&pty), 128 + SIGTERM);
    pty_restored(&pty);
    ck_assert_int_ge(pty_find(&pty, "ended without publishing"), 0);
}
END_TEST

/* A recording that comes with the program is played from its begin. */
START_TEST(demo_of_a_framework_is_played)
{
    static const struct {
        const char *name, *program, *row;
    } demos[] = {{"pytensor", "spirals.py", "Dot22"}, {"mxnet", "pictures.py", "Convolution"}};
    pty_start(&pty, 40, 140, "xterm-256color",
              (const char *const[]){"./proftop", "demo", demos[_i].name, NULL});
    pty_see(&pty, "PLAYS");
    pty_see(&pty, demos[_i].program);
    pty_send(&pty, "++++++"); /* as fast as the screen is drawn, so to say */
    pty_see(&pty, demos[_i].row);
    if (_i == 1) { /* counters and spans have curves, too */
        pty_send(&pty, "e");
        pty_see(&pty, "UNIT 16 s");
        pty_see(&pty, "KIND 16 s");
        pty_send(&pty, "e");
    }
    pty_send(&pty, "q");
    ck_assert_int_eq(pty_exit(&pty), 0);
    pty_restored(&pty);
}
END_TEST

/* The job of the demo ends with the screen, and nothing is asked. */
START_TEST(demo_shows_a_job_and_ends_it)
{
    pty_start(&pty, 24, 80, "xterm-256color", (const char *const[]){"./proftop", "demo", NULL});
    pty_see(&pty, "LIVE");
    pty_see(&pty, "[2 Ops 22]");
    pty_see(&pty, "Dot{t,n}");
    pty_send(&pty, "q");
    ck_assert_int_eq(pty_exit(&pty), 0);
    pty_restored(&pty);
    ck_assert_int_ge(pty_find(&pty, "end: steps "), 0);
}
END_TEST

/* So it does if the screen is ended by a signal. */
START_TEST(demo_ends_with_a_killed_screen)
{
    pty_start(&pty, 24, 80, "xterm-256color", (const char *const[]){"./proftop", "demo", NULL});
    pty_see(&pty, "[2 Ops 22]");
    const char *name = strstr(pty_row(&pty, 0), "train  ");
    ck_assert_ptr_nonnull(name);
    const pid_t demo = (pid_t)strtol(name + strlen("train  "), NULL, 10);
    ck_assert_int_gt(demo, 1);
    struct pollfd end = {.fd = (int)syscall(SYS_pidfd_open, demo, 0), .events = POLLIN};
    ck_assert_int_ge(end.fd, 0);
    kill(pty.pid, SIGTERM);
    ck_assert_int_eq(pty_exit(&pty), 128 + SIGTERM);
    ck_assert_int_eq(poll(&end, 1, PTY_WAIT_MS), 1);
    close(end.fd);
}
END_TEST

START_TEST(run_shows_where_adapters_are_missing)
{
    setenv("PROFTOP_ADAPTERS", "/no/such/place", 1);
    run((const char *const[]){"sleep", "60", NULL});
    pty_see(&pty, "no adapters are in /no/such/place");
    pty_send(&pty, "qj\r");
    ck_assert_int_eq(pty_exit(&pty), 128 + SIGTERM);
}
END_TEST

START_TEST(run_shows_a_job_to_its_end)
{
    run((const char *const[]){"examples/synthetic", "--seconds", "1", "--applies", "20", NULL});
    pty_see(&pty, "LIVE");
    pty_see(&pty, "ENDED");
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

/* The file with a job's output; of any job for 0. Returns false if there is none. */
static bool kept_file(pid_t of, const char *end, char *out, size_t capacity)
{
    char path[96], start[24] = "";
    snprintf(path, sizeof path, "%s/proftop-%d", folder, (int)geteuid());
    if (of)
        snprintf(start, sizeof start, "%d-", (int)of);
    DIR *dir = opendir(path);
    bool found = false;
    for (struct dirent *entry; dir && !found && (entry = readdir(dir));) {
        const char *dot = strrchr(entry->d_name, '.');
        found = strncmp(entry->d_name, start, strlen(start)) == 0 && dot &&
                strcmp(dot + 1, end) == 0;
        if (found)
            snprintf(out, capacity, "%.95s/%.31s", path, entry->d_name);
    }
    if (dir)
        closedir(dir);
    return found;
}

/* The command of this test, found by its file. */
static pid_t command(void)
{
    char file[128];
    ck_assert(kept_file(0, "out", file, sizeof file));
    return (pid_t)strtol(strrchr(file, '/') + 1, NULL, 10);
}

/* Waits until the file contains the words. Returns them, or the present content instead. */
static const char *tail_when_grown(const char *path, const char *words, char *out, size_t capacity)
{
    char text[4096];
    for (uint64_t until = pty_now_ms() + PTY_WAIT_MS; pty_now_ms() < until; poll(NULL, 0, 10)) {
        FILE *file = fopen(path, "r");
        size_t size = file ? fread(text, 1, sizeof text - 1, file) : 0;
        if (file)
            fclose(file);
        text[size] = '\0';
        if (strstr(text, words))
            return words;
    }
    snprintf(out, capacity, "%.*s", (int)capacity - 1, text);
    return out;
}

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
    char file[128], text[64];
    ck_assert(kept_file(left, "out", file, sizeof file));
    ck_assert_ptr_nonnull(memmem(pty.raw, pty.bytes, file, strlen(file)));
    ck_assert_int_eq(kill(left, SIGTERM), 0);
    /* The job still prints a line when it ends. */
    ck_assert_str_eq(tail_when_grown(file, "end: ticks", text, sizeof text), "end: ticks");
}
END_TEST

/* No terminal is left for a message: the file is where the process says. */
START_TEST(run_keeps_the_output_when_its_terminal_ends)
{
    char file[128], text[64], go_on[96];
    snprintf(go_on, sizeof go_on, "%s/go-on", folder);
    ck_assert_int_eq(mkfifo(go_on, 0600), 0);
    run((const char *const[]){"/bin/sh", "-c", "read word <\"$0\"; echo after the end", go_on,
                              NULL});
    pty_see(&pty, "WAITING");
    close(pty.slave);
    close(pty.master);
    pty.slave = pty.master = -1;
    ck_assert_int_eq(pty_exit(&pty), 128 + SIGHUP);
    ck_assert(kept_file(0, "out", file, sizeof file));
    close(open(go_on, O_WRONLY)); /* once the command has opened it to read */
    ck_assert_str_eq(tail_when_grown(file, "after the end", text, sizeof text), "after the end");
}
END_TEST

static unsigned long peak_kib(pid_t pid)
{
    char path[64], line[128];
    unsigned long kib = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        sscanf(line, "VmHWM: %lu", &kib);
    if (file)
        fclose(file);
    return kib;
}

/* 100 MB in one line, with control sequences: they take neither much memory nor time of proftop,
 * and reach no terminal while the screen is on. */
START_TEST(run_shows_the_end_of_a_flood)
{
    run((const char *const[]){"/bin/sh", "-c",
                              "head -c 100000000 /dev/zero | tr '\\0' '\\033'; "
                              "printf '\\nthe end'; exec sleep 60",
                              NULL});
    pty_see(&pty, "WAITING");
    unsigned long before = peak_kib(pty.pid);
    pty_send(&pty, "o");
    pty_see(&pty, "the end");
    ck_assert_uint_gt(before, 0);
    ck_assert_uint_lt(peak_kib(pty.pid), before + 8 * 1024);
    ck_assert_ptr_null(memmem(pty.raw, pty.bytes, "\033\033", 2));
    /* Keeps the whole output from this terminal at the end. */
    close(pty.slave);
    close(pty.master);
    pty.slave = pty.master = -1;
    ck_assert_int_eq(pty_exit(&pty), 128 + SIGHUP);
    ck_assert_int_eq(kill(command(), SIGKILL), 0);
}
END_TEST

START_TEST(run_names_the_signal)
{
    run((const char *const[]){"examples/synthetic", "--applies", "20", NULL});
    pty_see(&pty, "LIVE");
    ck_assert_int_eq(kill(command(), SIGKILL), 0);
    pty_see(&pty, "GONE");
    pty_see(&pty, "by signal 9 (Killed)");
    quit(128 + SIGKILL);
    ck_assert_ptr_nonnull(memmem(pty.raw, pty.bytes, "the command ended by signal 9", 29));
}
END_TEST

/* --------------------------------------------------------------------------------------- suite */

static Suite *suite(void)
{
    Suite *s = suite_create("pty_run");
    add(s, "run_output", run_passes_output_and_code_on, 1);
    add(s, "run_nothing", run_that_cannot_start, 1);
    add(s, "run_waits", run_shows_the_awaited_command, 1);
    add(s, "demo", demo_shows_a_job_and_ends_it, 1);
    add(s, "played", demo_of_a_framework_is_played, 2);
    add(s, "demo_killed", demo_ends_with_a_killed_screen, 1);
    add(s, "run_nowhere", run_shows_where_adapters_are_missing, 1);
    add(s, "run_job", run_shows_a_job_to_its_end, 1);
    add(s, "run_asks", run_asks_before_it_leaves, 1);
    add(s, "run_leaves", run_leaves_the_job_running, 1);
    add(s, "run_hangup", run_keeps_the_output_when_its_terminal_ends, 1);
    add(s, "run_flood", run_shows_the_end_of_a_flood, 1);
    add(s, "run_signal", run_names_the_signal, 1);
    return s;
}

TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * pty_fixture.c: jobs and the program in its terminal, for the tests in pseudo-terminals.
 */
#include "config.h"

#include "pty_fixture.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

char folder[64];
struct pty pty;
pid_t job;
int to_job = -1, from_job = -1;

/* ---------------------------------------------------------------------------------------- jobs */

void start_job(const char *const argv[])
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

void start_told(void)
{
    /* The job has a name of its own: other tests of this user may run at the same time. */
    start_job((const char *const[]){"./pty_job", strrchr(folder, '/') + 1, NULL});
}

/* Sends the job a command `count` times and waits until each is done. */
void tell(char letter, int count)
{
    char answer = 0;
    for (int i = 0; i < count; i++) {
        ck_assert_int_eq(write(to_job, &letter, 1), 1);
        ck_assert_int_eq(read(from_job, &answer, 1), 1);
        ck_assert_int_eq(answer, letter);
    }
}

void end_job(int number)
{
    if (job > 0) {
        kill(job, number);
        waitpid(job, NULL, 0);
        close(to_job);
        close(from_job);
    }
    job = 0;
}

void setup(void)
{
    tap_folder(folder, sizeof folder, "pty");
    setenv("PROFTOP_DIR", folder, 1);
    setenv("XDG_RUNTIME_DIR", folder, 1);
    setenv("TMPDIR", folder, 1);
    pty = (struct pty){.master = -1, .slave = -1};
    signal(SIGPIPE, SIG_IGN);
}

void teardown(void)
{
    pty_end(&pty);
    end_job(SIGKILL);
    tap_remove(folder);
}

/* ------------------------------------------------------------------------------------ proftop */

enum { OPTIONS_MAX = 12 };

/* Attaches to the job by its process id: other jobs of this user may run at the same time. */
void attach(int rows, int cols, const char *const options[])
{
    char pid[24];
    const char *argv[OPTIONS_MAX + 8] = {"./proftop", "-p", pid, "--refresh", "0.1"};
    int count = 5;
    snprintf(pid, sizeof pid, "%d", (int)job);
    for (int i = 0; options && options[i]; i++)
        argv[count++] = options[i];
    pty_start(&pty, rows, cols, "xterm-256color", argv);
}

void run(const char *const words[])
{
    const char *argv[OPTIONS_MAX + 8] = {"./proftop", "run", "--refresh", "0.1", "--"};
    for (int i = 0; words[i]; i++)
        argv[5 + i] = words[i];
    pty_start(&pty, 24, 80, "xterm-256color", argv);
}

void quit(int code)
{
    pty_send(&pty, "q");
    ck_assert_int_eq(pty_exit(&pty), code);
    pty_restored(&pty);
}

/* The row of a pane below its column headings, which a table begins with. */
const char *list_row(const struct pty *p, int at)
{
    int panes = pty_find(p, "L  by "); /* TOTAL or INTERVAL */
    return panes < 0 ? "" : pty_row(p, panes + 2 + at);
}

const char *name_of(const char *row)
{
    const char *space = strrchr(row, ' ');
    return space ? space + 1 : row;
}

bool has_held(const struct pty *p, const void *frames)
{
    unsigned long held = 0;
    int row = pty_find(p, "frames in");
    const char *at = row < 0 ? NULL : strstr(pty_row(p, row), "since, ");
    if (at)
        held = strtoul(at + strlen("since, "), NULL, 10);
    return held >= *(const unsigned long *)frames;
}

static bool is_chosen(const struct pty *p, const void *pid)
{
    int row = pty_find(p, "\u25b6");
    return row >= 0 && strstr(pty_row(p, row), pid) != NULL;
}

/* Without -p: selects the job in the picker, unless it is the only one and shown already. Other
 * jobs of this user may be in the list too. */
void reach(pid_t pid)
{
    char text[24];
    snprintf(text, sizeof text, "%d", (int)pid);
    pty_see(&pty, "F10Quit");
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

bool first_is(const struct pty *p, const void *name)
{
    return strcmp(name_of(list_row(p, 0)), name) == 0;
}

void add(Suite *s, const char *name, const TTest *test, int loops)
{
    TCase *one = tcase_create(name);
    tcase_add_checked_fixture(one, setup, teardown);
    tcase_set_timeout(one, TAP_TIMEOUT);
    tcase_add_loop_test(one, test, 0, loops);
    suite_add_tcase(s, one);
}

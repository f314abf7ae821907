/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_launch.c: the environment of a command that we start, and its leftovers.
 */
#include "config.h"

#include "feed/viewer/launch/launch.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../tap.h"

static struct viewer_launch launch;
static char scratch[64], out_path[80];
static int out_fd;

static void setup(void)
{
    tap_folder(scratch, sizeof scratch, "launch");
    snprintf(out_path, sizeof out_path, "%s/out", scratch);
    out_fd = open(out_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    ck_assert_int_ge(out_fd, 0);
    setenv("TMPDIR", scratch, 1);
    setenv("OUT", out_path, 1);
    unsetenv("PYTHONPATH");
    unsetenv("PROFTOP_ADAPTERS");
}

static void teardown(void)
{
    close(out_fd);
    tap_remove(scratch);
}

/* Runs a shell line to its end. Returns the content of $OUT. */
static const char *run(const char *line, enum viewer_streams streams)
{
    static char text[4096];
    char why[300] = "";
    char sh[] = "sh", dash[] = "-c", *argv[] = {sh, dash, (char *)line, NULL};
    ck_assert_msg(viewer_launch_start(&launch, argv, streams, why, sizeof why), "%s", why);
    while (!viewer_launch_ended(&launch))
        poll(NULL, 0, 1);
    ssize_t size = pread(out_fd, text, sizeof text - 1, 0);
    text[size > 0 ? size : 0] = '\0';
    return text;
}

START_TEST(the_token_and_the_switch_are_in_its_environment)
{
    setenv("PROFTOP_RUN", "of an outer run", 1);
    setenv("PROFTOP", "0", 1);
    const char *text = run("echo $PROFTOP $PROFTOP_RUN > $OUT", VIEWER_STREAMS_INHERIT);
    char want[64];
    snprintf(want, sizeof want, "1 %s\n", launch.token);
    ck_assert_str_eq(text, want);
    ck_assert_uint_eq(strspn(launch.token, "0123456789abcdef"), 32);
    char before[SHARED_TOKEN_SIZE];
    memcpy(before, launch.token, sizeof before);
    run("true", VIEWER_STREAMS_INHERIT);
    ck_assert_str_ne(before, launch.token);
}
END_TEST

/* `after`: text after the adapters' folder, or all of it if the adapters are not used. */
static const struct {
    const char *adapters, *own, *after;
    bool used;
} paths[] = {
    {"adapters", NULL, "/start\n", true},
    {"adapters", "/mine:/other", "/start:/mine:/other\n", true},
    {"adapters", "", "/start\n", true},
    {"/nowhere", NULL, "\n", false},
    {"/nowhere", "/mine", "/mine\n", false},
};

START_TEST(the_start_up_hooks_stand_in_front)
{
    char root[96], folder[128];
    tap_folder(root, sizeof root, "hooks");
    snprintf(folder, sizeof folder, "%s/%s", root, paths[_i].adapters);
    setenv("PROFTOP_ADAPTERS", paths[_i].used ? folder : paths[_i].adapters, 1);
    if (paths[_i].own)
        setenv("PYTHONPATH", paths[_i].own, 1);
    else
        unsetenv("PYTHONPATH");
    if (paths[_i].used)
        run("mkdir -p $PROFTOP_ADAPTERS/start && : >$PROFTOP_ADAPTERS/start/sitecustomize.py",
            VIEWER_STREAMS_INHERIT);
    const char *got = run("echo \"$PYTHONPATH\" > $OUT", VIEWER_STREAMS_INHERIT);
    const size_t size = paths[_i].used ? strlen(launch.adapters) : 0;
    ck_assert_int_eq(launch.adapted, paths[_i].used);
    ck_assert_msg(!paths[_i].used || strcmp(launch.adapters, folder) == 0, "%s", folder);
    ck_assert_msg(strncmp(got, folder, size) == 0, "%s", got);
    ck_assert_str_eq(got + size, paths[_i].after);
}
END_TEST

/* Which folders hold adapters, where the program is, and which folder is chosen. All are below the
 * test's own directory. */
static const struct {
    const char *wanted;
    bool installed, beside;
    const char *program, *chosen;
    bool both; /* the sentence names both */
} choices[] = {
    {"/named", true, true, "tree/proftop", NULL, false},
    {NULL, true, true, "tree/proftop", "installed", false},
    {"", false, true, "tree/proftop", "tree/adapters/python", true},
    {NULL, false, true, "tree/.libs/proftop", "tree/adapters/python", true},
    {NULL, true, true, "moved/bin/proftop", "moved/libexec/proftop/python", false},
    {"/named", true, true, "moved/bin/proftop", NULL, false},
    {NULL, false, false, "tree/proftop", "installed", true},
    {NULL, false, false, NULL, "installed", false},
};

START_TEST(adapters_of_a_build_tree_are_found)
{
    char root[96], line[1024], path[256], installed[128];
    char program[128];
    tap_folder(root, sizeof root, "adapters");
    snprintf(installed, sizeof installed, "%s/installed", root);
    snprintf(program, sizeof program, "%s/exe", root);
    snprintf(line, sizeof line,
             "cd %s && mkdir -p installed tree/.libs tree/adapters/python moved/bin && mkdir -p "
             "moved/libexec/proftop/python/start && "
             ": >moved/libexec/proftop/python/start/sitecustomize.py && %s && %s && %s",
             root,
             choices[_i].installed ? "mkdir installed/start && : >installed/start/sitecustomize.py"
                                   : "true",
             choices[_i].beside ? "mkdir tree/adapters/python/start && "
                                  ": >tree/adapters/python/start/sitecustomize.py"
                                : "true",
             choices[_i].program ? "true" : "false");
    ck_assert_int_eq(system(line) == 0, choices[_i].program != NULL);
    snprintf(path, sizeof path, "%s/%s", root, choices[_i].program ? choices[_i].program : "");
    if (choices[_i].program)
        ck_assert_int_eq(symlink(path, program), 0);
    memset(&launch, 0, sizeof launch);
    viewer_launch_adapters(&launch, choices[_i].wanted, installed, program);
    snprintf(path, sizeof path, "%s/%s", root, choices[_i].chosen ? choices[_i].chosen : "");
    ck_assert_str_eq(launch.adapters, choices[_i].chosen ? path : choices[_i].wanted);
    ck_assert_int_eq(strstr(launch.looked, " and ") != NULL, choices[_i].both);
    if (choices[_i].chosen)
        ck_assert_ptr_nonnull(strstr(launch.looked, path));
}
END_TEST

/* `there`: shell commands that make the ports. `own`: the user's own variable. `expected`: behind
 * the folder of the ports, or all of it if it does not begin with `/lib`. */
static const struct {
    const char *there, *own, *expected;
} port_rows[] = {
    {": >$D/libproftop-itt.so; : >$D/libproftop-nvtx.so", NULL, "/libproftop-itt.so"},
    {": >$D/libproftop-itt.so", "", ""},
    {": >$D/libproftop-itt.so", "/mine.so", "/mine.so"},
    {": >$D/libproftop-nvtx.so", NULL, "unset"},
    {": >$D/libproftop-itt.so; chmod go+w $D", NULL, "unset"},
};

START_TEST(ports_are_named_if_they_can_be_trusted)
{
    char root[96], folder[160], expected[256];
    tap_folder(root, sizeof root, "ports");
    snprintf(folder, sizeof folder, "%s/adapters", root);
    setenv("PROFTOP_ADAPTERS", folder, 1);
    snprintf(folder, sizeof folder, "%s/ports", root);
    setenv("D", folder, 1);
    unsetenv("INTEL_LIBITTNOTIFY64");
    run("mkdir -p $D $PROFTOP_ADAPTERS", VIEWER_STREAMS_INHERIT);
    run(port_rows[_i].there, VIEWER_STREAMS_INHERIT);
    if (port_rows[_i].own)
        setenv("INTEL_LIBITTNOTIFY64", port_rows[_i].own, 1);
    const bool whole = strncmp(port_rows[_i].expected, "/lib", 4) == 0;
    snprintf(expected, sizeof expected, "%s%s\n", whole ? folder : "", port_rows[_i].expected);
    ck_assert_str_eq(run("echo \"${INTEL_LIBITTNOTIFY64-unset}\" > $OUT", VIEWER_STREAMS_INHERIT),
                     expected);
}
END_TEST

START_TEST(the_rest_of_the_environment_is_untouched)
{
    setenv("LD_LIBRARY_PATH", "/odd path", 1);
    setenv("WITH_LINES", "a\nb", 1);
    ck_assert_str_eq(
        run("printf '%s|%s' \"$LD_LIBRARY_PATH\" \"$WITH_LINES\" > $OUT", VIEWER_STREAMS_INHERIT),
        "/odd path|a\nb");
}
END_TEST

START_TEST(signals_are_as_by_default)
{
    sigset_t all;
    sigfillset(&all);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    sigprocmask(SIG_BLOCK, &all, NULL);
    const char *text =
        run("grep -E '^Sig(Blk|Ign)' /proc/self/status > $OUT", VIEWER_STREAMS_INHERIT);
    unsigned long long blocked, ignored;
    ck_assert_int_eq(sscanf(text, "SigBlk: %llx SigIgn: %llx", &blocked, &ignored), 2);
    /* Signals 32 and 33 belong to libc and cannot be set. Our parent may have had them ignored. */
    ck_assert_uint_eq(blocked & ~(3ull << 31), 0);
    ck_assert_uint_eq(ignored & ~(3ull << 31), 0);
}
END_TEST

static const struct {
    const char *line;
    int code, signal;
    const char *how;
} ends[] = {
    {"true", 0, 0, "with code 0"},
    {"exit 7", 7, 0, "with code 7"},
    {"kill -TERM $$", 128 + SIGTERM, SIGTERM, "by signal 15 (Terminated)"},
    {"kill -KILL $$", 128 + SIGKILL, SIGKILL, "by signal 9 (Killed)"},
    {"exit 255", 255, 0, "with code 255"},
};

START_TEST(its_exit_code_is_passed_on)
{
    char how[64];
    run(ends[_i].line, VIEWER_STREAMS_INHERIT);
    ck_assert_int_eq(viewer_launch_code(&launch), ends[_i].code);
    ck_assert_int_eq(viewer_launch_signal(&launch), ends[_i].signal);
    viewer_launch_end(&launch, how, sizeof how);
    ck_assert_str_eq(how, ends[_i].how);
    ck_assert(viewer_launch_ended(&launch));
}
END_TEST

START_TEST(it_does_not_wait_for_a_command_that_runs)
{
    char why[300];
    char sleep_[] = "sleep", minute[] = "60", *argv[] = {sleep_, minute, NULL};
    ck_assert(viewer_launch_start(&launch, argv, VIEWER_STREAMS_INHERIT, why, sizeof why));
    ck_assert(!viewer_launch_ended(&launch));
    kill(launch.pid, SIGKILL);
    while (!viewer_launch_ended(&launch))
        poll(NULL, 0, 1);
    ck_assert_int_eq(viewer_launch_code(&launch), 128 + SIGKILL);
}
END_TEST

static const struct {
    const char *word, *why;
} missing[] = {
    {"no-such-command-anywhere", "No such file"},
    {"/etc/passwd", "Permission denied"},
    {"/tmp", "Permission denied"},
};

START_TEST(a_command_that_cannot_run_is_a_sentence)
{
    char why[300] = "";
    char *argv[] = {(char *)missing[_i].word, NULL};
    ck_assert(!viewer_launch_start(&launch, argv, VIEWER_STREAMS_KEPT, why, sizeof why));
    ck_assert_ptr_nonnull(strstr(why, missing[_i].word));
    ck_assert_msg(strstr(why, missing[_i].why) != NULL, "%s", why);
    ck_assert_int_eq(launch.pid, 0);
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
}
END_TEST

/* ---------------------------------------------------------------------------------- with a screen
 */

/* Connects a new terminal to the three streams of a process with that controlling terminal. Returns
 * its exit code and the terminal's output. */
static int in_terminal(void (*body)(void), char *seen, size_t capacity)
{
    int master, status;
    size_t size = 0;
    pid_t pid = forkpty(&master, NULL, NULL, NULL);
    if (pid == 0) {
        body();
        _exit(0);
    }
    for (ssize_t got; (got = read(master, seen + size, capacity - 1 - size)) > 0;)
        size += (size_t)got;
    seen[size] = '\0';
    close(master);
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void check(bool good, int code)
{
    if (!good)
        _exit(code);
}

static void keeps_output(void)
{
    char text[64] = "";
    run("printf 'to out\\001'; printf 'to err' >&2; read line || echo eof > $OUT",
        VIEWER_STREAMS_KEPT);
    check(launch.out >= 0 && launch.err >= 0, 2);
    check(pread(launch.out, text, sizeof text, 0) == 7 && memcmp(text, "to out\001", 7) == 0, 3);
    check(pread(launch.err, text, sizeof text, 0) == 6 && memcmp(text, "to err", 6) == 0, 4);
    char kept[SHARED_PATH_MAX];
    snprintf(kept, sizeof kept, "%s", launch.out_path);
    check(access(kept, R_OK) == 0, 6);
    if (write(STDOUT_FILENO, "<", 1) == 1)
        viewer_launch_replay(&launch);
    check(launch.out < 0 && launch.err < 0, 5);
    check(access(kept, F_OK) != 0 && !launch.out_path[0] && !launch.err_path[0], 7);
}

START_TEST(output_is_kept_and_replayed_byte_for_byte)
{
    char seen[256], file[16] = "";
    ck_assert_int_eq(in_terminal(keeps_output, seen, sizeof seen), 0);
    ck_assert_str_eq(seen, "<to out\001to err");
    ck_assert_int_eq(pread(out_fd, file, sizeof file, 0), 4); /* its stdin was /dev/null */
    ck_assert_str_eq(file, "eof\n");
}
END_TEST

/* If the command keeps running, its output so far is read. Its file stays at the path that its
 * process reports, with access for this user only. */
static void goes_on(void)
{
    char why[300] = "", want[200], text[128] = "";
    char sh[] = "sh", dash[] = "-c", *argv[] = {sh, dash, NULL, NULL};
    char line[] = "echo one; : >$OUT.up; while [ ! -e $OUT.go ]; do sleep 0.01; done; echo two";
    struct stat file;
    argv[2] = line;
    check(viewer_launch_start(&launch, argv, VIEWER_STREAMS_KEPT, why, sizeof why), 2);
    snprintf(want, sizeof want, "%s/proftop-%d/%d-%llu.out", scratch, (int)geteuid(),
             (int)launch.pid, (unsigned long long)shared_process_start((uint64_t)launch.pid));
    check(strcmp(launch.out_path, want) == 0, 3);
    check(stat(want, &file) == 0 && (file.st_mode & 07777) == 0600, 4);
    snprintf(text, sizeof text, "%s.up", out_path);
    while (access(text, F_OK) != 0)
        poll(NULL, 0, 1);
    viewer_launch_replay(&launch);
    check(strcmp(launch.out_path, want) == 0, 5);
    snprintf(text, sizeof text, "%s.go", out_path);
    close(open(text, O_WRONLY | O_CREAT, 0600));
    while (!viewer_launch_ended(&launch))
        poll(NULL, 0, 1);
    memset(text, 0, sizeof text);
    int fd = open(want, O_RDONLY);
    check(read(fd, text, sizeof text) == 8 && strcmp(text, "one\ntwo\n") == 0, 6);
}

START_TEST(output_of_a_running_command_is_kept)
{
    char seen[256];
    ck_assert_int_eq(in_terminal(goes_on, seen, sizeof seen), 0);
    ck_assert_str_eq(seen, "one\r\n");
}
END_TEST

/* The terminal disappeared before its output could be copied. */
static void has_no_terminal(void)
{
    run("echo last words", VIEWER_STREAMS_KEPT);
    close(STDOUT_FILENO);
    viewer_launch_replay(&launch);
    check(launch.out_path[0] && access(launch.out_path, R_OK) == 0, 2);
    check(!launch.err_path[0], 3);
}

START_TEST(output_that_could_not_be_replayed_is_kept)
{
    char seen[256];
    ck_assert_int_eq(in_terminal(has_no_terminal, seen, sizeof seen), 0);
}
END_TEST

static void is_on_its_own(void)
{
    run("ps -o sid= -p $$ > $OUT; ps -o pgid= -p $$ >> $OUT", VIEWER_STREAMS_KEPT);
    check(launch.pid > 0, 2);
    char text[128] = "";
    int sid = 0, group = 0;
    check(pread(out_fd, text, sizeof text - 1, 0) > 0, 3);
    check(sscanf(text, "%d %d", &sid, &group) == 2, 4);
    check(sid == launch.pid && group == launch.pid, 5);
}

START_TEST(the_end_of_the_terminal_is_not_its_end)
{
    char seen[256];
    if (system("command -v ps >/dev/null") != 0)
        return;
    ck_assert_int_eq(in_terminal(is_on_its_own, seen, sizeof seen), 0);
}
END_TEST

/* The command inherits streams that are no terminals, with or without a screen. */
START_TEST(pipes_and_files_are_inherited)
{
    int saved = dup(STDOUT_FILENO), pipes[2];
    char text[8] = "";
    ck_assert_int_eq(pipe(pipes), 0);
    dup2(pipes[1], STDOUT_FILENO);
    run("printf hello", VIEWER_STREAMS_KEPT);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    ck_assert_int_eq(launch.out, -1);
    ck_assert_int_eq(read(pipes[0], text, sizeof text), 5);
    ck_assert_str_eq(text, "hello");
    close(pipes[0]);
    close(pipes[1]);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("launch");
    TCase *c = tcase_create("launch");
    tcase_set_timeout(c, TAP_TIMEOUT);
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, the_token_and_the_switch_are_in_its_environment);
    tcase_add_test(c, the_rest_of_the_environment_is_untouched);
    tcase_add_test(c, signals_are_as_by_default);
    tcase_add_test(c, it_does_not_wait_for_a_command_that_runs);
    tcase_add_test(c, output_is_kept_and_replayed_byte_for_byte);
    tcase_add_test(c, the_end_of_the_terminal_is_not_its_end);
    tcase_add_test(c, output_of_a_running_command_is_kept);
    tcase_add_test(c, output_that_could_not_be_replayed_is_kept);
    tcase_add_test(c, pipes_and_files_are_inherited);
    tcase_add_loop_test(c, the_start_up_hooks_stand_in_front, 0, TAP_ROWS(paths));
    tcase_add_loop_test(c, adapters_of_a_build_tree_are_found, 0, TAP_ROWS(choices));
    tcase_add_loop_test(c, ports_are_named_if_they_can_be_trusted, 0, TAP_ROWS(port_rows));
    tcase_add_loop_test(c, its_exit_code_is_passed_on, 0, TAP_ROWS(ends));
    tcase_add_loop_test(c, a_command_that_cannot_run_is_a_sentence, 0, TAP_ROWS(missing));
    suite_add_tcase(s, c);
    return s;
}

TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_tunnel.c: a tunnel with a fake ssh of the test: which sockets it may reach, which answers
 * it accepts, and that nothing is left. With a real sshd: e2e/faraway.py.
 */
#include "config.h"

#include "feed/viewer/remote/tunnel.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../tap.h"

static const struct {
    const char *word;
    bool good;
} hosts[] = {
    {"gpu7", true},          {"me@gpu7.example.org", true}, {"10.0.0.1", true},
    {"[::1]", true},         {"ssh://gpu7", true},          {"ssh://me@gpu7:2222", true},
    {"ssh://gpu7/", true},   {"ssh://gpu7/4711", false},    {"", false},
    {"ssh://", false},       {"-oProxyCommand=x", false},   {"ssh://-x", false},
    {"a b", false},          {"a;b", false},                {"$(x)", false},
    {"a/b", false},          {"a%h", false},                {"a\nb", false},
};

START_TEST(only_host_names_are_accepted_as_hosts)
{
    char why[256] = "";
    ck_assert_int_eq(viewer_tunnel_host(hosts[_i].word, why, sizeof why), hosts[_i].good);
    ck_assert_int_eq(why[0] == '\0', hosts[_i].good);
    ck_assert_ptr_null(strchr(why, '\n'));
}
END_TEST

/* Our own directory for temporary files, so that leftovers are visible. */
static char folder[64];

static void begin(const char *ssh)
{
    tap_folder(folder, sizeof folder, "tunnel");
    setenv("TMPDIR", folder, 1);
    setenv("PROFTOP_SSH", ssh, 1);
    signal(SIGPIPE, SIG_IGN); /* as the program does */
}

static void finish(void)
{
    ck_assert_int_eq(rmdir(folder), 0); /* i.e. it is empty */
}

static struct viewer_tunnel *tunnel_new(void)
{
    char why[256] = "";
    struct viewer_tunnel *tunnel = viewer_tunnel_new("play", true, why, sizeof why);
    ck_assert_msg(tunnel != NULL, "%s", why);
    return tunnel;
}

/* Reads until an answer or the end. */
static void settle(struct viewer_tunnel *tunnel)
{
    while (!*viewer_tunnel_ended(tunnel) && !viewer_tunnel_jobs(tunnel)) {
        int fd[2];
        viewer_tunnel_descriptors(tunnel, fd);
        struct pollfd item[2] = {{fd[0], POLLIN, 0}, {fd[1], POLLIN, 0}};
        ck_assert_int_gt(poll(item, 2, 1000 * TAP_TIMEOUT), 0);
        viewer_tunnel_read(tunnel);
    }
}

#define INFO "version=1\npid=7\nstart=8\ninstance=00112233445566778899aabbccddeeff\n"
#define PLACES "facts=ipc:///f.pub\ncontrol=ipc:///f.ctl\n"

/* A shell's answer to the first request, and the result. */
static const struct {
    const char *answer;
    int jobs;            /* -1: no valid answer */
    const char *problem; /* a word of the problems, or of the reason */
} answers[] = {
    {"hello, here is my login script\n\nproftop-begin\n\nproftop-end\n", 0, ""},
    {"\nproftop-begin\n" INFO PLACES "\n\nproftop-end\n", 1, ""},
    {"\nproftop-begin\n" INFO PLACES "command=x y  \n\n" INFO PLACES "\n\nproftop-end\n", 1, ""},
    {"\nproftop-begin\nproblem=/x\x1b[2J is open\n\n\nproftop-end\n", 0, "play: /x"},
    {"\nproftop-begin\nnonsense\n\n\nproftop-end\n", 0, "cannot be read"},
    {"\nproftop-begin\n" INFO "\n\nproftop-end\n", 0, "cannot be read"},
    {"\nproftop-begin\n" INFO "facts=ipc:///f.p\nproftop-end\n", 0, ""}, /* a truncated one */
    {"\nproftop-end\n\nproftop-begin\n\nproftop-end\n", 0, ""},
    {"bye\n", -1, "play cannot be reached: ssh ended with code 5"},
};

START_TEST(answers_are_believed_as_far_as_they_go)
{
    char ssh[1024];
    setenv("ANSWER", answers[_i].answer, 1);
    snprintf(ssh, sizeof ssh, "sh -c 'printf %%s \"$ANSWER\"; %s' x",
             answers[_i].jobs < 0 ? "exit 5" : "cat >/dev/null");
    begin(ssh);
    struct viewer_tunnel *tunnel = tunnel_new();
    settle(tunnel);
    const struct viewer_jobs *jobs = viewer_tunnel_jobs(tunnel);
    ck_assert_int_eq(jobs ? (int)jobs->count : -1, answers[_i].jobs);
    const char *said = jobs ? jobs->problems : viewer_tunnel_ended(tunnel);
    ck_assert_msg(strstr(said, answers[_i].problem) != NULL, "%s", said);
    ck_assert_ptr_null(strchr(said, '\x1b'));
    if (jobs && jobs->count) {
        ck_assert_str_eq(jobs->job[0].via, "play");
        ck_assert(!*jobs->job[0].command || strcmp(jobs->job[0].command, "x y") == 0);
    }
    viewer_tunnel_free(&tunnel);
    finish();
}
END_TEST

START_TEST(an_endless_answer_ends_it)
{
    begin("sh -c 'while :; do echo nonsense; done' x");
    struct viewer_tunnel *tunnel = tunnel_new();
    settle(tunnel);
    ck_assert_ptr_null(viewer_tunnel_jobs(tunnel));
    ck_assert_ptr_nonnull(strstr(viewer_tunnel_ended(tunnel), "no list of jobs"));
    viewer_tunnel_free(&tunnel);
    finish();
}
END_TEST

/* Requested remote sockets, and ssh's reply. */
static const struct {
    const char *facts, *control, *why; /* NULL: forwarded */
} sockets[] = {
    {"ipc:///run/user/0/proftop/1-2-1.pub", "ipc:///x/1-2-1.ctl", NULL},
    {"tcp://127.0.0.1:5", "ipc:///x.ctl", "own endpoint"},
    {"ipc://x.pub", "ipc:///x.ctl", "own endpoint"},
    {"ipc:///a:b", "ipc:///x.ctl", "own endpoint"},
    {"ipc:///x.pub", "ipc:///${HOME}", "own endpoint"},
    {"ipc:///x.pub", "ipc:///%h", "own endpoint"},
    {"ipc:///refuse", "ipc:///x.ctl", "ssh cannot forward the sockets of the job: not today"},
};

START_TEST(sockets_are_forwarded)
{
    /* Plays both: the ssh that stays, and the one that requests a forwarding. */
    static const char ssh[] =
        "sh -c 'case \"$*\" in *\" -O \"*refuse*) echo not today >&2; exit 1;;"
        "*\" -O \"*) exit 0;; esac;"
        "printf \"\\nproftop-begin\\n\\nproftop-end\\n\"; cat >/dev/null' x";
    struct registry_info info = {.pid = 7, .start = 8, .via = "play", .program = "p"};
    struct viewer_target target, again;
    char why[512] = "";
    begin(ssh);
    struct viewer_tunnel *tunnel = tunnel_new();
    settle(tunnel);
    snprintf(info.facts, sizeof info.facts, "%s", sockets[_i].facts);
    snprintf(info.control, sizeof info.control, "%s", sockets[_i].control);
    bool good = viewer_tunnel_reach(tunnel, &info, &target, why, sizeof why);
    ck_assert_msg(good == !sockets[_i].why, "%s", why);
    if (good) {
        ck_assert_int_eq(strncmp(target.facts, "ipc://", 6), 0);
        ck_assert_int_eq(strncmp(target.facts + 6, folder, strlen(folder)), 0);
        ck_assert_str_eq(target.via, "play");
        ck_assert_uint_eq(target.pid, 0);
        ck_assert(viewer_tunnel_reach(tunnel, &info, &again, why, sizeof why));
        ck_assert_str_eq(again.facts, target.facts);
    } else {
        ck_assert_msg(strstr(why, sockets[_i].why) != NULL, "%s", why);
    }
    viewer_tunnel_free(&tunnel);
    finish();
}
END_TEST

START_TEST(missing_ssh_is_reported)
{
    begin("/no/such/ssh");
    struct viewer_tunnel *tunnel = tunnel_new();
    settle(tunnel);
    ck_assert_ptr_nonnull(strstr(viewer_tunnel_ended(tunnel), "/no/such/ssh"));
    viewer_tunnel_free(&tunnel);
    finish();
}
END_TEST

/* Directories left by killed viewers, and directories that must stay. */
static const struct {
    const char *name;
    long age_s;
    bool locked;
    mode_t mode;
    bool stays;
} left[] = {
    {"proftop-ssh-abc123", 3600, false, 0700, false},
    {"proftop-ssh-abc123", 0, false, 0700, true},
    {"proftop-ssh-abc123", 3600, true, 0700, true},
    {"proftop-ssh-abc123", 3600, false, 0755, true},
    {"proftop-1000", 3600, false, 0700, true},
};

static void make_old(const char *path, long age_s)
{
    const time_t then = time(NULL) - age_s;
    const struct timespec times[2] = {{.tv_sec = then}, {.tv_sec = then}};
    ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
}

START_TEST(directories_of_killed_tunnels_are_swept)
{
    char path[128], inside[160];
    begin("/no/such/ssh");
    snprintf(path, sizeof path, "%s/%s", folder, left[_i].name);
    snprintf(inside, sizeof inside, "%s/0.pub", path);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    int file = open(inside, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    int held = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ck_assert_int_ge(held, 0);
    ck_assert_int_eq(chmod(path, left[_i].mode), 0);
    make_old(path, left[_i].age_s);
    if (left[_i].locked)
        ck_assert_int_eq(flock(held, LOCK_EX | LOCK_NB), 0);
    struct viewer_tunnel *tunnel = tunnel_new();
    ck_assert_int_eq(access(inside, F_OK) == 0, left[_i].stays);
    ck_assert_int_eq(access(path, F_OK) == 0, left[_i].stays);
    viewer_tunnel_free(&tunnel);
    close(file);
    close(held);
    unlink(inside);
    rmdir(path);
    finish();
}
END_TEST

/* A tunnel does not sweep another tunnel's directory, however old it is. */
START_TEST(tunnel_directory_in_use_is_not_swept)
{
    char path[160] = "";
    begin("/no/such/ssh");
    struct viewer_tunnel *one = tunnel_new();
    DIR *dir = opendir(folder);
    ck_assert_ptr_nonnull(dir);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
        if (strncmp(entry->d_name, "proftop-ssh-", 12) == 0)
            snprintf(path, sizeof path, "%s/%.80s", folder, entry->d_name);
    closedir(dir);
    make_old(path, 3600);
    struct viewer_tunnel *two = tunnel_new();
    ck_assert_int_eq(access(path, F_OK), 0);
    viewer_tunnel_free(&two);
    viewer_tunnel_free(&one);
    finish();
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("tunnel");
    tap_add_loop(s, "hosts", only_host_names_are_accepted_as_hosts, TAP_ROWS(hosts));
    tap_add_loop(s, "answers", answers_are_believed_as_far_as_they_go, TAP_ROWS(answers));
    tap_add(s, "endless", an_endless_answer_ends_it);
    tap_add_loop(s, "sockets", sockets_are_forwarded, TAP_ROWS(sockets));
    tap_add(s, "missing", missing_ssh_is_reported);
    tap_add_loop(s, "left", directories_of_killed_tunnels_are_swept, TAP_ROWS(left));
    tap_add(s, "in_use", tunnel_directory_in_use_is_not_swept);
    return s;
}

TAP_MAIN(suite)

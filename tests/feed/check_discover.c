/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_discover.c: which jobs a viewer finds, which files it removes, and which it leaves alone.
 */
#include "config.h"

#include "feed/viewer/discovery/discover.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../tap.h"

static char root[64], place[2][96];
static pid_t child[2];
static struct viewer_jobs jobs;

/* Other jobs of this user may run during the test. Only jobs in our directories count. */
static void leave_out_others(void)
{
    size_t kept = 0;
    for (size_t i = 0; i < jobs.count; i++)
        if (strstr(jobs.job[i].facts, root))
            jobs.job[kept++] = jobs.job[i];
    jobs.count = kept;
}

static void setup(void)
{
    tap_folder(root, sizeof root, "found");
    snprintf(place[0], sizeof place[0], "%s/own", root);
    snprintf(place[1], sizeof place[1], "%s/proftop", root);
    ck_assert_int_eq(mkdir(place[0], 0700), 0);
    setenv("PROFTOP_DIR", place[0], 1);
    setenv("XDG_RUNTIME_DIR", root, 1);
    child[0] = child[1] = 0;
    memset(&jobs, 0, sizeof jobs);
}

static void teardown(void)
{
    char command[128];
    viewer_jobs_release(&jobs);
    for (unsigned i = 0; i < 2; i++)
        if (child[i] > 0) {
            kill(child[i], SIGKILL);
            waitpid(child[i], NULL, 0);
        }
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    ck_assert_int_eq(system(command), 0);
}

static void name_of(char *out, size_t size, unsigned p, uint64_t pid, uint64_t start,
                    const char *tail)
{
    snprintf(out, size, "%s/%llu-%llu%s", place[p], (unsigned long long)pid,
             (unsigned long long)start, tail);
}

/* Writes a registry file as a job would; `lock` keeps it open and locked. */
static void announce(unsigned p, uint64_t pid, uint64_t start, const char *token, bool lock)
{
    char text[REGISTRY_INFO_MAX], path[256];
    struct registry_info info = {.pid = pid,
                                 .start = start,
                                 .since_ns = pid,
                                 .instance = "00112233445566778899aabbccddeeff",
                                 .control = "ipc:///x.ctl",
                                 .program = "a job"};
    snprintf(info.facts, sizeof info.facts, "ipc://%s/x.pub", root);
    snprintf(info.token, sizeof info.token, "%s", token);
    size_t size = registry_info_format(&info, text, sizeof text);
    ck_assert_uint_gt(size, 0);
    name_of(path, sizeof path, p, pid, start, ".info");
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, text, size), (ssize_t)size);
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (lock)
        ck_assert_int_eq(fcntl(fd, F_SETLK, &whole), 0);
    else
        close(fd);
}

/* Starts a process that registers a job (`pid` 0: itself) and holds the lock until it is killed. */
static void start_teller(unsigned i, unsigned p, uint64_t pid, uint64_t start, const char *token)
{
    int ready[2];
    char byte;
    ck_assert_int_eq(pipe(ready), 0);
    child[i] = fork();
    if (child[i] == 0) {
        const uint64_t own = (uint64_t)getpid();
        announce(p, pid ? pid : own, pid ? start : shared_process_start(own), token, true);
        if (write(ready[1], "", 1) == 1)
            for (;;)
                pause();
        _exit(1);
    }
    ck_assert_int_eq(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    close(ready[1]);
}

static void start_job(unsigned i, unsigned p, const char *token)
{
    start_teller(i, p, 0, 0, token);
}

static void discover(void)
{
    viewer_jobs_release(&jobs);
    ck_assert(viewer_discover(&jobs));
    leave_out_others();
}

START_TEST(nothing_is_found_where_nothing_is)
{
    discover();
    ck_assert_uint_eq(jobs.count, 0);
    ck_assert_ptr_null(strstr(jobs.problems, root));
}
END_TEST

START_TEST(jobs_of_all_directories_are_found_by_pid)
{
    const char token[] = "0123456789abcdef0123456789abcdef";
    ck_assert_int_eq(mkdir(place[1], 0700), 0);
    start_job(0, 1, "");
    start_job(1, 0, token);
    discover();
    ck_assert_uint_eq(jobs.count, 2);
    ck_assert_uint_lt(jobs.job[0].pid, jobs.job[1].pid);
    ck_assert_str_eq(jobs.job[0].program, "a job");
    ck_assert_ptr_eq(viewer_jobs_pid(&jobs, (uint64_t)child[1]),
                     viewer_jobs_token(&jobs, token, 0));
    ck_assert_ptr_null(viewer_jobs_token(&jobs, "", 0));
    ck_assert_ptr_null(viewer_jobs_token(&jobs, "fedcba9876543210fedcba9876543210", 0));
    ck_assert_ptr_null(viewer_jobs_pid(&jobs, 1));
    ck_assert_ptr_null(strstr(jobs.problems, root));
}
END_TEST

/* A feed that is seen twice is one job. This happens when its file is renamed during the directory
 * read. */
START_TEST(a_feed_that_is_met_twice_is_one_job)
{
    char command[300];
    ck_assert_int_eq(mkdir(place[1], 0700), 0);
    start_job(0, 0, "");
    snprintf(command, sizeof command, "cp -p %s/*.info %s", place[0], place[1]);
    ck_assert_int_eq(system(command), 0);
    discover();
    ck_assert_uint_eq(jobs.count, 1);
}
END_TEST

/* Names of further feeds of a process: lowest numbers first, from 2. */
START_TEST(each_feed_of_a_process_is_found)
{
    static const unsigned numbers[] = {2, 9, 10, 19, 100};
    const size_t count = sizeof numbers / sizeof numbers[0];
    char path[256], command[600];
    start_job(0, 0, "");
    const uint64_t pid = (uint64_t)child[0];
    name_of(path, sizeof path, 0, pid, shared_process_start(pid), "");
    for (size_t i = 0; i < count; i++) {
        snprintf(command, sizeof command, "sed 's,^facts=.*,&%u,' %s.info >%s-%u.info", numbers[i],
                 path, path, numbers[i]);
        ck_assert_int_eq(system(command), 0);
    }
    discover();
    ck_assert_uint_eq(jobs.count, 1 + count);
}
END_TEST

/* A command and its child share the token: the command comes first, else the earliest job. */
START_TEST(of_one_run_the_command_comes_first)
{
    const char token[] = "0123456789abcdef0123456789abcdef";
    start_job(0, 0, token);
    start_job(1, 0, token);
    discover();
    ck_assert_uint_eq(jobs.count, 2);
    const struct registry_info *first = &jobs.job[jobs.job[0].since_ns > jobs.job[1].since_ns];
    ck_assert_ptr_eq(viewer_jobs_token(&jobs, token, 0), first);
    for (unsigned i = 0; i < 2; i++)
        ck_assert_uint_eq(viewer_jobs_token(&jobs, token, (uint64_t)child[i])->pid,
                          (uint64_t)child[i]);
}
END_TEST

START_TEST(files_of_ended_jobs_are_removed)
{
    static const char *const tails[] = {".info", "-1.pub", "-1.ctl"};
    const uint64_t start = 5;
    char path[256], others[256];
    start_job(0, 0, "");
    const uint64_t pid = (uint64_t)child[0], real = shared_process_start(pid);
    /* The same pid in an earlier life, with sockets; and an unrelated file beside it. */
    announce(0, pid, start, "", false);
    for (unsigned i = 1; i < 3; i++) {
        name_of(path, sizeof path, 0, pid, start, tails[i]);
        close(open(path, O_CREAT | O_WRONLY, 0600));
    }
    snprintf(others, sizeof others, "%s/%llu-55-1.pub", place[0], (unsigned long long)pid);
    close(open(others, O_CREAT | O_WRONLY, 0600));
    discover();
    ck_assert_uint_eq(jobs.count, 1);
    ck_assert_uint_eq(jobs.job[0].start, real);
    for (unsigned i = 0; i < 3; i++) {
        name_of(path, sizeof path, 0, pid, start, tails[i]);
        ck_assert_int_ne(access(path, F_OK), 0);
    }
    ck_assert_int_eq(access(others, F_OK), 0);
    kill(child[0], SIGKILL);
    waitpid(child[0], NULL, 0);
    child[0] = 0;
    discover();
    ck_assert_uint_eq(jobs.count, 0);
    name_of(path, sizeof path, 0, pid, real, ".info");
    ck_assert_int_ne(access(path, F_OK), 0);
}
END_TEST

/* Makes a file of a process, with its last write this many seconds ago. */
static void leave(char *path, size_t size, uint64_t pid, uint64_t start, const char *tail,
                  time_t age_s)
{
    const struct timespec then = {.tv_sec = time(NULL) - age_s}, times[2] = {then, then};
    name_of(path, size, 0, pid, start, tail);
    close(open(path, O_CREAT | O_WRONLY, 0600));
    ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* A process killed after it removed its file, or before it made it. Only the names of its leftovers
 * identify it. */
START_TEST(old_files_without_a_job_are_removed)
{
    enum { OLD_S = 3600, GONE = 3, KEPT = 5 };
    char gone[GONE][256], kept[KEPT][256];
    start_job(0, 0, "");
    const uint64_t pid = (uint64_t)child[0], real = shared_process_start(pid);
    leave(gone[0], sizeof gone[0], pid, 5, "-1.pub", OLD_S);
    leave(gone[1], sizeof gone[1], pid, 5, "-1.ctl", OLD_S);
    leave(gone[2], sizeof gone[2], pid, 5, ".info.new", OLD_S);
    leave(kept[0], sizeof kept[0], pid, 6, "-1.pub", 1);        /* may be about to start */
    leave(kept[1], sizeof kept[1], pid, real, "-1.pub", OLD_S); /* its process lives */
    leave(kept[2], sizeof kept[2], pid, 7, "-1.txt", OLD_S);    /* not a file of ours */
    leave(kept[3], sizeof kept[3], pid, 55, "-1.ctl", OLD_S);   /* a living job refers to it: */
    start_teller(1, 0, pid, 55, "");
    name_of(kept[4], sizeof kept[4], 0, pid, 55, ".info");
    discover();
    for (unsigned i = 0; i < GONE; i++)
        ck_assert_int_ne(access(gone[i], F_OK), 0);
    for (unsigned i = 0; i < KEPT; i++)
        ck_assert_msg(access(kept[i], F_OK) == 0, "%s", kept[i]);
}
END_TEST

START_TEST(the_lock_of_a_living_job_survives_being_listed)
{
    char path[256];
    start_job(0, 0, "");
    discover();
    discover();
    ck_assert_uint_eq(jobs.count, 1);
    name_of(path, sizeof path, 0, jobs.job[0].pid, jobs.job[0].start, ".info");
    int fd = open(path, O_RDONLY);
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    ck_assert_int_eq(fcntl(fd, F_GETLK, &lock), 0);
    ck_assert_int_eq(lock.l_type, F_WRLCK);
    ck_assert_int_eq(lock.l_pid, child[0]);
    close(fd);
}
END_TEST

/* The viewer does not open a file of its own process: closing it would release the lock. */
START_TEST(our_own_file_is_left_alone)
{
    char path[256];
    const uint64_t pid = (uint64_t)getpid(), start = shared_process_start(pid);
    announce(0, pid, start, "", true);
    discover();
    ck_assert_uint_eq(jobs.count, 0);
    name_of(path, sizeof path, 0, pid, start, ".info");
    ck_assert_int_eq(access(path, F_OK), 0);
    child[0] = fork();
    if (child[0] == 0) {
        int fd = open(path, O_RDONLY);
        struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
        _exit(fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type == F_WRLCK ? 0 : 1);
    }
    int status;
    waitpid(child[0], &status, 0);
    child[0] = 0;
    ck_assert_int_eq(status, 0);
}
END_TEST

START_TEST(a_directory_open_to_others_is_refused)
{
    start_job(0, 0, "");
    ck_assert_int_eq(chmod(place[0], 0755), 0);
    discover();
    ck_assert_uint_eq(jobs.count, 0);
    ck_assert_ptr_nonnull(strstr(jobs.problems, "chmod 700"));
    ck_assert_ptr_nonnull(strstr(jobs.problems, place[0]));
}
END_TEST

START_TEST(a_link_is_no_directory)
{
    ck_assert_int_eq(symlink(place[0], place[1]), 0);
    start_job(0, 0, "");
    discover();
    ck_assert_uint_eq(jobs.count, 1);
}
END_TEST

/* Invalid registry files are reported and left out, and affect nothing else. */
static const struct {
    const char *text, *problem;
} wrong[] = {
    {"", "version"},
    {"version=2\n", "version"},
    {"version=1\npid=1\n", "it has no"},
    {"version=1\npid=x\n", "value"},
    {"version=1\npid=1\nstart=1\ninstance=00112233445566778899aabbccddeeff\nfacts=a\ncontrol=b\n",
     "another process"},
};

/* Only a regular file is read; the viewer does not block on anything else. */
static const struct {
    const char *line, *problem; /* run in the directory; $F is the file */
} disguises[] = {
    {"rm $F; mkfifo -m 600 $F", "not a file"},
    {"rm $F; mkdir $F", "not a file"},
    {"mv $F real; ln -s real $F", "cannot be opened"},
    {"sed -i 's,^facts=.*,facts=inproc://x,' $F", "neither"},
    {"sed -i 's,^facts=.*,facts=tcp://0.0.0.0:*,' $F", "wildcard"},
    {"sed -i 's,^control=.*,control=ipc:///etc/passwd,' $F", "no socket"},
    {"sed -i 's,^control=.*,control=tcp://a%1B[2J:1,' $F", "control characters"},
};

START_TEST(a_disguised_file_is_named)
{
    char path[256], command[512];
    start_job(0, 0, "");
    name_of(path, sizeof path, 0, (uint64_t)child[0], shared_process_start((uint64_t)child[0]),
            ".info");
    snprintf(command, sizeof command, "cd %s && F=%s && %s", place[0], path, disguises[_i].line);
    ck_assert_int_eq(system(command), 0);
    discover();
    ck_assert_uint_eq(jobs.count, 0);
    ck_assert_msg(strstr(jobs.problems, disguises[_i].problem) != NULL, "%s", jobs.problems);
    ck_assert_ptr_null(strchr(jobs.problems, '\x1b'));
}
END_TEST

START_TEST(a_wrong_file_is_named)
{
    char path[256];
    start_job(0, 0, "");
    start_job(1, 0, "");
    const uint64_t pid = (uint64_t)child[0];
    name_of(path, sizeof path, 0, pid, shared_process_start(pid), ".info");
    int fd = open(path, O_WRONLY | O_TRUNC);
    ck_assert_int_eq(write(fd, wrong[_i].text, strlen(wrong[_i].text)),
                     (ssize_t)strlen(wrong[_i].text));
    close(fd);
    discover();
    ck_assert_uint_eq(jobs.count, 1);
    ck_assert_uint_eq(jobs.job[0].pid, (uint64_t)child[1]);
    ck_assert_msg(strstr(jobs.problems, wrong[_i].problem) != NULL, "%s", jobs.problems);
    ck_assert_int_eq(access(path, F_OK), 0);
}
END_TEST

START_TEST(a_file_that_is_too_large_is_not_read)
{
    char path[256];
    start_job(0, 0, "");
    const uint64_t pid = (uint64_t)child[0];
    name_of(path, sizeof path, 0, pid, shared_process_start(pid), ".info");
    ck_assert_int_eq(truncate(path, 1 << 30), 0);
    discover();
    ck_assert_uint_eq(jobs.count, 0);
    ck_assert_ptr_nonnull(strstr(jobs.problems, "larger"));
}
END_TEST

static bool stirs(int fd)
{
    struct pollfd item = {.fd = fd, .events = POLLIN};
    return poll(&item, 1, 10000) == 1;
}

/* The watch also works if the directory is made later. */
START_TEST(watch_signals_new_jobs)
{
    int fd = viewer_watch_open();
    struct pollfd item = {.fd = fd, .events = POLLIN};
    ck_assert_int_ge(fd, 0);
    start_job(0, 0, "");
    ck_assert(stirs(fd));
    viewer_watch_clear(fd);
    ck_assert_int_eq(mkdir(place[1], 0700), 0);
    ck_assert(stirs(fd));
    viewer_watch_clear(fd);
    ck_assert_int_eq(poll(&item, 1, 0), 0);
    start_job(1, 1, "");
    ck_assert(stirs(fd));
    close(fd);
    discover();
    ck_assert_uint_eq(jobs.count, 2);
}
END_TEST

START_TEST(a_relative_name_is_a_problem)
{
    setenv("PROFTOP_DIR", "not/absolute", 1);
    ck_assert(viewer_discover(&jobs));
    ck_assert(jobs.refused);
    ck_assert_ptr_nonnull(strstr(jobs.problems, "PROFTOP_DIR is 'not/absolute'"));
}
END_TEST

/* Only an error in the directory that $PROFTOP_DIR names makes the list fail. */
static const struct {
    const char *named;
    bool refused;
} names[] = {{"/tmp", true}, {"/etc/passwd", true}, {"/nonexistent/x", false}, {"", false}};

START_TEST(the_named_directory_has_to_be_readable)
{
    setenv("PROFTOP_DIR", names[_i].named, 1);
    ck_assert(viewer_discover(&jobs));
    ck_assert_int_eq(jobs.refused, names[_i].refused);
    if (names[_i].refused)
        ck_assert_ptr_nonnull(strstr(jobs.problems, names[_i].named));
}
END_TEST

START_TEST(a_command_line_is_read_for_its_own_process_alone)
{
    struct registry_info info = {.pid = (uint64_t)getpid()};
    char text[512], little[6];
    info.start = shared_process_start(info.pid);
    size_t size = viewer_job_command(&info, text, sizeof text);
    ck_assert_uint_eq(size, strlen(text));
    ck_assert_ptr_nonnull(strstr(text, "check_discover"));
    ck_assert_uint_eq(viewer_job_command(&info, little, sizeof little), 5);
    ck_assert_int_eq(strncmp(little, text, 5), 0);
    info.start++;
    ck_assert_uint_eq(viewer_job_command(&info, text, sizeof text), 0);
    ck_assert_str_eq(text, "");
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("discover");
    TCase *c = tcase_create("discover");
    tcase_set_timeout(c, TAP_TIMEOUT);
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, nothing_is_found_where_nothing_is);
    tcase_add_test(c, jobs_of_all_directories_are_found_by_pid);
    tcase_add_test(c, each_feed_of_a_process_is_found);
    tcase_add_test(c, of_one_run_the_command_comes_first);
    tcase_add_test(c, files_of_ended_jobs_are_removed);
    tcase_add_test(c, old_files_without_a_job_are_removed);
    tcase_add_test(c, the_lock_of_a_living_job_survives_being_listed);
    tcase_add_test(c, our_own_file_is_left_alone);
    tcase_add_test(c, a_directory_open_to_others_is_refused);
    tcase_add_test(c, a_link_is_no_directory);
    tcase_add_test(c, a_file_that_is_too_large_is_not_read);
    tcase_add_test(c, watch_signals_new_jobs);
    tcase_add_test(c, a_feed_that_is_met_twice_is_one_job);
    tcase_add_test(c, a_relative_name_is_a_problem);
    tcase_add_test(c, a_command_line_is_read_for_its_own_process_alone);
    tcase_add_loop_test(c, the_named_directory_has_to_be_readable, 0, TAP_ROWS(names));
    tcase_add_loop_test(c, a_disguised_file_is_named, 0, TAP_ROWS(disguises));
    tcase_add_loop_test(c, a_wrong_file_is_named, 0, TAP_ROWS(wrong));
    suite_add_tcase(s, c);
    return s;
}

TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * child.c: runs commands with pipes.
 */
#include "config.h"

#include "feed/viewer/launch/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "feed/viewer/stream/headroom.h"
#include "model/text.h"

enum { END_MS = 1000, STEP_MS = 10, LINE = 512 };

static void close_it(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

pid_t viewer_child_fork(void)
{
    sigset_t all, before, none;
    sigfillset(&all);
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t pid = fork();
    int error = errno;
    for (int i = 1; pid == 0 && i < NSIG; i++)
        signal(i, SIG_DFL);
    if (pid == 0)
        viewer_headroom_restore();
    pthread_sigmask(SIG_SETMASK, pid == 0 ? &none : &before, NULL);
    errno = error;
    return pid;
}

/* Runs the command in the child; never returns. Writes an error of exec to `report`. */
static void become(const char *const argv[], const int fd[3], int report)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    for (int i = 0; i < 3; i++)
        dup2(fd[i], i);
    execvp(argv[0], (char *const *)argv);
    int error = errno;
    if (write(report, &error, sizeof error) != sizeof error)
        _exit(126);
    _exit(127);
}

/* Makes a pipe with descriptors above 2, because dup2() would overwrite lower ones. */
static bool make_pipe(int pair[2])
{
    if (pipe2(pair, O_CLOEXEC) != 0)
        return false;
    for (int i = 0; i < 2; i++) {
        int high = pair[i] > 2 ? pair[i] : fcntl(pair[i], F_DUPFD_CLOEXEC, 3);
        if (high != pair[i])
            close(pair[i]);
        pair[i] = high;
    }
    return pair[0] >= 0 && pair[1] >= 0;
}

static void take_end(int *to, int *from)
{
    *to = *from;
    *from = -1;
    fcntl(*to, F_SETFL, O_NONBLOCK);
}

bool viewer_child_start(struct viewer_child *child, const char *const argv[], bool feeds, char *why,
                        size_t capacity)
{
    int pair[4][2] = {{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}}, error = 0;
    bool good = true;
    *child = (struct viewer_child){.in = -1, .out = -1, .err = -1};
    for (int i = 0; i < 4; i++)
        good = good && make_pipe(pair[i]);
    if (good)
        child->pid = viewer_child_fork();
    if (good && child->pid == 0)
        become(argv, (const int[]){pair[0][0], pair[1][1], pair[2][1]}, pair[3][1]);
    good = good && child->pid > 0;
    if (!good)
        error = errno;
    close_it(&pair[3][1]);
    if (good && read(pair[3][0], &error, sizeof error) == sizeof error)
        good = false; /* exec failed */
    if (good) {
        if (feeds)
            take_end(&child->in, &pair[0][1]);
        take_end(&child->out, &pair[1][0]);
        take_end(&child->err, &pair[2][0]);
    } else {
        snprintf(why, capacity, "%.64s cannot be started: %s", argv[0], strerror(error));
        viewer_child_end(child);
    }
    for (int i = 0; i < 4; i++) {
        close_it(&pair[i][0]);
        close_it(&pair[i][1]);
    }
    return good;
}

void viewer_child_stop(struct viewer_child *child)
{
    close_it(&child->in);
    if (child->pid > 0)
        kill(child->pid, SIGTERM);
}

int viewer_child_end(struct viewer_child *child)
{
    int status = 0, waited = 0;
    close_it(&child->in);
    close_it(&child->out);
    close_it(&child->err);
    if (child->pid <= 0)
        return 0;
    pid_t pid = waitpid(child->pid, &status, WNOHANG);
    if (pid == 0)
        kill(child->pid, SIGTERM);
    for (; pid == 0 && waited < END_MS; waited += STEP_MS) {
        nanosleep(&(struct timespec){.tv_nsec = STEP_MS * 1000000L}, NULL);
        pid = waitpid(child->pid, &status, WNOHANG);
    }
    if (pid == 0) {
        kill(child->pid, SIGKILL);
        pid = waitpid(child->pid, &status, 0);
    }
    child->pid = 0;
    return pid < 0 ? 127 : WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

ssize_t viewer_child_read(int fd, char *out, size_t capacity)
{
    ssize_t got = read(fd, out, capacity);
    if (got > 0)
        return got;
    return got < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
}

void viewer_child_keep_line(char *line, size_t capacity, const char *bytes, size_t size)
{
    size_t used = strlen(line);
    for (size_t i = 0; i < size; i++) {
        /* A line end is kept until the next line begins. An empty line does not count. */
        bool begins = used > 0 && line[used - 1] == '\n' && (unsigned char)bytes[i] > ' ';
        used = begins ? 0 : used;
        bool drop = bytes[i] == '\0' || bytes[i] == '\r' ||
                    (bytes[i] == '\n' && (used == 0 || line[used - 1] == '\n'));
        if (!drop && used + 1 < capacity)
            line[used++] = bytes[i];
    }
    line[used] = '\0';
}

static uint64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Reads both streams until they end. False: timeout, or too much output. */
static bool read_output(struct viewer_child *child, uint64_t until_ms, char *out, size_t capacity,
                        char line[LINE])
{
    size_t used = 0;
    while (child->out >= 0 || child->err >= 0) {
        struct pollfd item[2] = {{child->out, POLLIN, 0}, {child->err, POLLIN, 0}};
        uint64_t now = now_ms();
        if (now >= until_ms || used + 1 >= capacity)
            return false;
        poll(item, 2, (int)(until_ms - now));
        char bytes[LINE];
        ssize_t got = item[1].revents ? viewer_child_read(child->err, bytes, sizeof bytes) : 0;
        if (got < 0)
            close_it(&child->err);
        else
            viewer_child_keep_line(line, LINE, bytes, (size_t)got);
        got = item[0].revents ? viewer_child_read(child->out, out + used, capacity - 1 - used) : 0;
        if (got < 0)
            close_it(&child->out);
        else
            used += (size_t)got;
        out[used] = '\0';
    }
    return true;
}

bool viewer_child_run(const char *const argv[], int ms, char *out, size_t out_capacity, char *why,
                      size_t capacity)
{
    struct viewer_child child;
    char line[LINE] = "", safe[LINE];
    out[0] = '\0';
    if (!viewer_child_start(&child, argv, false, why, capacity))
        return false;
    bool complete = read_output(&child, now_ms() + (uint64_t)ms, out, out_capacity, line);
    int status = 0;
    if (complete && waitpid(child.pid, &status, 0) == child.pid)
        child.pid = 0;
    viewer_child_end(&child);
    if (complete && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    line[strcspn(line, "\r\n")] = '\0';
    model_text_safe(line, strlen(line), safe, sizeof safe);
    if (!complete)
        snprintf(why, capacity, "%.64s gave no answer within %d s, or too long a one", argv[0],
                 ms / 1000);
    else if (safe[0])
        snprintf(why, capacity, "%s", safe);
    else
        snprintf(why, capacity, "%.64s ended with code %d", argv[0], WEXITSTATUS(status));
    return false;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * unseen.c: a helper process, which tells nobody of its end, runs the program as its own child.
 *
 * Only a process that never calls execve() can end without a signal to its parent: execve() makes
 * SIGCHLD the signal of its end. So the helper executes nothing. It shares our memory, and runs on
 * a stack of its own, while the thread that started it stands still (CLONE_VFORK); so it may use
 * the C library as that thread. */
#define _GNU_SOURCE
#include "adapters/common/unseen.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STACK = 256 * 1024, LOOK_NS = 2000000, DESCRIPTORS = 4096 };

struct task {
    char *const *argv, *const *env;
    unsigned seconds;
    int output; /* end of a pipe */
    char *stack;
    int status;
    const char *why;
    _Atomic int is_over; /* the program has ended */
};

static void close_above(unsigned from)
{
#ifdef SYS_close_range
    if (syscall(SYS_close_range, from, ~0u, 0) == 0)
        return;
#endif
    for (unsigned fd = from; fd < DESCRIPTORS; fd++)
        close((int)fd);
}

/* In the program's process, before the program. The table of signals is its own. */
static int become(void *of)
{
    const struct task *task = of;
    sigset_t none;
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setsid(); /* a Ctrl-C is for the job */
    const int input = open("/dev/null", O_RDONLY);
    if (input >= 0 && dup2(input, 0) == 0 && dup2(task->output, 1) == 1 && dup2(1, 2) == 2) {
        close_above(3);
        execve(task->argv[0], task->argv, task->env);
    }
    _exit(127);
}

/* Waits for the program, and then ends its process group: what it has started may hold the pipe. */
static void watch(struct task *task, pid_t program)
{
    const struct timespec pause = {.tv_nsec = LOOK_NS};
    siginfo_t ended = {.si_pid = 0};
    for (uint64_t left = task->seconds * (1000000000ull / LOOK_NS); left > 0; left--) {
        waitid(P_PID, (id_t)program, &ended, WEXITED | WNOHANG | WNOWAIT);
        if (ended.si_pid == program)
            break;
        nanosleep(&pause, NULL);
    }
    kill(-program, SIGKILL);
    if (waitpid(program, &task->status, 0) != program)
        task->why = "its end was not seen";
}

/* The helper process. */
static int help(void *of)
{
    struct task *task = of;
    const pid_t program =
        clone(become, task->stack + STACK / 2, CLONE_VM | CLONE_VFORK | SIGCHLD, task);
    if (program < 0)
        task->why = "no process could be started";
    else
        watch(task, program);
    _exit(0);
}

/* A thread of its own stands still meanwhile. All its signals are blocked, and so the helper's. */
static void *start(void *of)
{
    struct task *task = of;
    const pid_t helper = clone(help, task->stack + STACK, CLONE_VM | CLONE_VFORK, task);
    if (helper < 0)
        task->why = "no process could be started";
    while (helper > 0 && waitpid(helper, NULL, __WALL) < 0 && errno == EINTR)
        ;
    atomic_store(&task->is_over, 1);
    close(task->output);
    return NULL;
}

/* Reads until the pipe ends, or the program has ended and the pipe is empty: a process that another
 * thread of the job has forked meanwhile holds the other end, too. */
static void read_all(struct task *task, int from, char *out, size_t capacity)
{
    char rest[256];
    size_t used = 0;
    for (;;) {
        struct pollfd ready = {.fd = from, .events = POLLIN};
        const int fits = used + 1 < capacity, is_over = atomic_load(&task->is_over);
        if (poll(&ready, 1, LOOK_NS / 1000000) <= 0) {
            if (is_over)
                break;
            continue;
        }
        const ssize_t got =
            read(from, fits ? out + used : rest, fits ? capacity - 1 - used : sizeof rest);
        if (got == 0 || (got < 0 && errno != EINTR))
            break;
        used += got > 0 && fits ? (size_t)got : 0;
    }
    out[used] = '\0';
}

int unseen_run(char *const argv[], char *const env[], unsigned seconds, char *out, size_t capacity,
               const char **why)
{
    int ends[2];
    pthread_t thread;
    sigset_t all, before;
    struct task task = {.argv = argv, .env = env, .seconds = seconds};
    *why = NULL;
    out[0] = '\0';
    task.stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
    if (task.stack == MAP_FAILED || pipe2(ends, O_CLOEXEC) != 0) {
        if (task.stack != MAP_FAILED)
            munmap(task.stack, STACK);
        *why = "there is no memory, or no descriptor";
        return -1;
    }
    task.output = ends[1];
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int started = pthread_create(&thread, NULL, start, &task) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started) {
        read_all(&task, ends[0], out, capacity);
        pthread_join(thread, NULL);
    } else {
        task.why = "no thread could be started";
        close(ends[1]);
    }
    close(ends[0]);
    munmap(task.stack, STACK);
    *why = task.why;
    return task.why ? -1 : task.status;
}

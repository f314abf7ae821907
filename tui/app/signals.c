/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * signals.c: a thread that takes signals and checks that the program reacts to them.
 */
#include "config.h"

#include "tui/app/signals.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

/* Signals that the thread leaves alone. The default action of every other signal ends a program. */
static const int harmless[] = {
    SIGKILL, SIGSTOP,                                             /* cannot be caught */
    SIGILL,  SIGTRAP, SIGABRT, SIGBUS,   SIGFPE, SIGSEGV, SIGSYS, /* a crash: term_curses.c */
    SIGCHLD, SIGCONT, SIGURG,  SIGWINCH,                          /* ignored by default */
    SIGTSTP, SIGTTIN, SIGTTOU,                                    /* stop the program */
};
/* libc uses some signals itself, between the last named one and the first real-time one. */
enum { FIRST_UNNAMED = 32 };

enum { STACK_SIZE = 64 * 1024 };

/* Global because a process has one set of signals. */
static struct {
    sigset_t ignored; /* ignored since before proftop started */
    sigset_t taken;   /* signals that the thread takes: those that end the program, and CLOSE */
    sigset_t before;
    pthread_t thread, main;
    bool runs;
    void (*rescue)(void);
    atomic_bool closes, waiting;
    atomic_uint waits, steps; /* counted since the start */
} all;

enum { CLOSE = SIGURG }; /* makes the thread check `closes` */

void tui_signals_begin(void)
{
    struct sigaction action;
    sigemptyset(&all.ignored);
    for (int i = 1; i <= SIGRTMAX; i++)
        if (sigaction(i, NULL, &action) == 0 && action.sa_handler == SIG_IGN)
            sigaddset(&all.ignored, i);
    signal(SIGPIPE, SIG_IGN); /* a command of `run` must still be read to its end */
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGCHLD, SIG_DFL); /* if ignored, the kernel discards the exit codes of children */
}

void tui_signals_ending(sigset_t *set)
{
    sigemptyset(set);
    for (int i = 1; i <= SIGRTMAX; i++)
        if ((i < FIRST_UNNAMED || i >= SIGRTMIN) && sigismember(&all.ignored, i) != 1)
            sigaddset(set, i);
    for (unsigned i = 0; i < sizeof harmless / sizeof harmless[0]; i++)
        sigdelset(set, harmless[i]);
}

static uint64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Waits for a signal, until `until_ms` unless it is 0. Returns its number, or 0. */
static int next_signal(uint64_t until_ms)
{
    const uint64_t now = now_ms(), left = until_ms > now ? until_ms - now : 0;
    const struct timespec span = {.tv_sec = (time_t)(left / 1000),
                                  .tv_nsec = (long)(left % 1000) * 1000000};
    const int number = until_ms ? sigtimedwait(&all.taken, NULL, &span)
                                : sigwaitinfo(&all.taken, NULL);
    return number > 0 && number != CLOSE ? number : 0;
}

/* A signal that was passed on to the program. */
struct passed {
    int number; /* 0: none */
    uint64_t until_ms;
    unsigned waits, steps; /* counters at the last check */
};

/* True if the program has waited since: each wait reads signals, so the program took this one. */
static bool is_taken(const struct passed *passed)
{
    return (int)(atomic_load(&all.waits) - passed->waits) > 0;
}

static void pass_on(struct passed *passed, int number)
{
    if (!passed->number)
        *passed = (struct passed){
            .until_ms = now_ms() + TUI_SIGNALS_PATIENCE_MS,
            /* The next wait that begins reads the signal. */
            .waits = atomic_load(&all.waits) + !atomic_load(&all.waiting),
            .steps = atomic_load(&all.steps),
        };
    passed->number = number;
    pthread_kill(all.main, number);
}

static void *watch(void *unused)
{
    struct passed passed = {0};
    /* Block all signals: otherwise restoring the terminal in the background might stop proftop. */
    sigset_t every;
    sigfillset(&every);
    pthread_sigmask(SIG_BLOCK, &every, NULL);
    while (!atomic_load(&all.closes)) {
        const int number = next_signal(passed.number ? passed.until_ms : 0);
        if (passed.number && is_taken(&passed))
            passed = (struct passed){0};
        if (number)
            pass_on(&passed, number);
        if (!passed.number || now_ms() < passed.until_ms)
            continue;
        const unsigned steps = atomic_load(&all.steps);
        if (steps == passed.steps && !atomic_load(&all.waiting)) {
            all.rescue();
            _exit(128 + passed.number);
        }
        passed.steps = steps;
        passed.until_ms = now_ms() + TUI_SIGNALS_PATIENCE_MS;
    }
    return unused;
}

bool tui_signals_watch(const sigset_t *set, void (*rescue)(void))
{
    pthread_attr_t small;
    sigset_t both = *set;
    tui_signals_ending(&all.taken);
    sigaddset(&all.taken, CLOSE);
    for (int i = 1; i <= SIGRTMAX; i++)
        if (sigismember(&all.taken, i) == 1)
            sigaddset(&both, i);
    all.main = pthread_self();
    all.rescue = rescue;
    atomic_store(&all.closes, false);
    pthread_sigmask(SIG_BLOCK, &both, &all.before);
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, STACK_SIZE);
    all.runs = pthread_create(&all.thread, &small, watch, NULL) == 0;
    pthread_attr_destroy(&small);
    if (!all.runs)
        pthread_sigmask(SIG_SETMASK, &all.before, NULL);
    return all.runs;
}

void tui_signals_wait(bool waits)
{
    atomic_store(&all.waiting, waits);
    atomic_fetch_add(waits ? &all.waits : &all.steps, 1);
}

void tui_signals_close(void)
{
    if (!all.runs)
        return;
    atomic_store(&all.closes, true);
    pthread_kill(all.thread, CLOSE);
    pthread_join(all.thread, NULL);
    all.runs = false;
    /* Discards signals that came while proftop was already ending. */
    const struct timespec now = {0};
    while (sigtimedwait(&all.taken, NULL, &now) > 0)
        continue;
    pthread_sigmask(SIG_SETMASK, &all.before, NULL);
}

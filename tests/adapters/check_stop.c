/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_stop.c: runs a function in another process, and sends the process signals meanwhile.
 * check_late.py does the same with Python processes.
 */
#include "config.h"

#include "adapters/inject/stop.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../tap.h"
#include "adapters/inject/symbol.h"

/* Clock ticks: they last longer than any wait except the last. */
enum { SEVEN = 7, STOP_MS = 10000, TICKS = 60 };

static pid_t child;
static int held[2]; /* a pipe: its readers block until we close our end */
static int executed[2]; /* a pipe that ends when another program is executed */

/* A child that sleeps. Its code has the same addresses as ours. */
static void setup(void)
{
    ck_assert_int_eq(pipe(held), 0);
    child = fork();
    if (child == 0)
        close(held[1]);
    while (child == 0)
        pause();
    ck_assert_int_gt(child, 0);
    ck_assert(inject_stop_clock());
}

/* The clock interrupts this wait, too. */
static int awaited(int options)
{
    int status;
    pid_t got;
    do
        got = waitpid(child, &status, options);
    while (got < 0 && errno == EINTR);
    ck_assert_int_eq(got, child);
    return status;
}

static void teardown(void)
{
    if (child) {
        kill(child, SIGKILL);
        awaited(0);
    }
    close(held[0]);
}

static uint64_t gives(void)
{
    return SEVEN;
}

static uint64_t halts_and_gives(void)
{
    syscall(SYS_kill, syscall(SYS_getpid), SIGSTOP);
    return SEVEN;
}

static uint64_t halts_and_goes_on(void)
{
    syscall(SYS_kill, syscall(SYS_getpid), SIGCONT);
    return halts_and_gives() + syscall(SYS_kill, syscall(SYS_getpid), SIGCONT);
}

/* The caller waits until the new process has ended. Meanwhile only a kill reaches the caller. */
static uint64_t waits_in_the_kernel(void)
{
    char byte;
    if (syscall(SYS_clone, CLONE_VFORK | SIGCHLD, 0, 0, 0, 0) == 0)
        syscall(SYS_exit, (int)syscall(SYS_read, held[0], &byte, 1));
    return SEVEN;
}

static void begin(struct inject_stop *stop)
{
    struct inject_map map;
    char why[256] = "";
    ck_assert(inject_map_read(child, &map));
    const uint64_t gate = inject_map_find(child, &map, inject_gate, inject_gate_size);
    ck_assert_uint_ne(gate, 0);
    ck_assert_msg(inject_stop_begin(stop, child, gate, STOP_MS, why, sizeof why), "%s", why);
}

static bool call(struct inject_stop *stop, uint64_t (*function)(void), uint64_t *result)
{
    const uint64_t nothing[INJECT_ARGS] = {0};
    return inject_stop_call(stop, (uint64_t)(uintptr_t)function, nothing, result);
}

static uint64_t called(uint64_t (*function)(void))
{
    struct inject_stop stop;
    uint64_t result = 0;
    begin(&stop);
    ck_assert(call(&stop, function, &result));
    ck_assert(inject_stop_end(&stop));
    return result;
}

START_TEST(a_call_gives_its_result)
{
    ck_assert_uint_eq(called(gives), SEVEN);
}
END_TEST

/* The function ends first, since it may hold a lock. */
START_TEST(process_stopped_in_a_call_stops_after_it)
{
    ck_assert_uint_eq(called(halts_and_gives), SEVEN);
    const int status = awaited(WUNTRACED);
    ck_assert(WIFSTOPPED(status));
    ck_assert_int_eq(WSTOPSIG(status), SIGSTOP);
    ck_assert_int_eq(kill(child, SIGCONT), 0);
    ck_assert_uint_eq(called(gives), SEVEN);
}
END_TEST

START_TEST(process_continued_in_a_call_goes_on)
{
    ck_assert_uint_eq(called(halts_and_goes_on), SEVEN);
    ck_assert_uint_eq(called(gives), SEVEN);
}
END_TEST

/* Waits until the child sleeps. */
static void await_sleep(void)
{
    char path[64], state = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)child);
    while (state != 'S') {
        FILE *file = fopen(path, "re");
        ck_assert_ptr_nonnull(file);
        ck_assert_int_eq(fscanf(file, "%*d (%*[^)]) %c", &state), 1);
        fclose(file);
    }
}

/* A child that executes another program once it receives a byte, and then waits for more. */
static void setup_another(void)
{
    char byte;
    ck_assert_int_eq(pipe(held), 0);
    ck_assert_int_eq(pipe2(executed, O_CLOEXEC), 0);
    child = fork();
    if (child == 0) {
        close(held[1]);
        if (read(held[0], &byte, 1) == 1 && dup2(held[0], STDIN_FILENO) == STDIN_FILENO)
            execlp("cat", "cat", (char *)NULL);
        _exit(1);
    }
    ck_assert_int_gt(child, 0);
    close(executed[1]);
}

/* After the process has executed another program, the addresses found before are invalid. */
START_TEST(exec_invalidates_the_address_map)
{
    struct inject_map map;
    char byte = 0;
    ck_assert(inject_map_read(child, &map));
    ck_assert(inject_map_stays(child, &map));
    ck_assert_int_eq(write(held[1], &byte, 1), 1);
    ck_assert_int_eq(read(executed[0], &byte, 1), 0);
    ck_assert_int_eq(waitpid(child, NULL, WNOHANG), 0);
    ck_assert(!inject_map_stays(child, &map));
    close(held[1]);
    close(executed[0]);
}
END_TEST

static volatile sig_atomic_t ticks;

static void let_go(int signal)
{
    (void)signal;
    if (++ticks == TICKS)
        close(held[1]);
}

START_TEST(process_waiting_in_the_kernel_is_awaited)
{
    const struct sigaction counts = {.sa_handler = let_go};
    struct inject_stop before, after;
    uint64_t result;
    await_sleep();
    begin(&before);
    ck_assert(!call(&before, waits_in_the_kernel, &result));
    ck_assert_int_eq(sigaction(SIGALRM, &counts, NULL), 0);
    ck_assert(inject_stop_end(&before));
    ck_assert_int_ge(ticks, TICKS);
    await_sleep();
    begin(&after);
    ck_assert_mem_eq(&after.saved, &before.saved, sizeof after.saved);
    ck_assert_uint_eq(after.mask, before.mask);
    ck_assert(inject_stop_end(&after));
}
END_TEST

START_TEST(process_killed_in_a_call_is_not_awaited)
{
    struct inject_stop stop;
    uint64_t result;
    begin(&stop);
    ck_assert(!call(&stop, waits_in_the_kernel, &result));
    ck_assert_int_eq(kill(child, SIGKILL), 0);
    ck_assert(!inject_stop_end(&stop));
    child = 0; /* already reaped */
    close(held[1]);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("stop");
    TAP_ADD_BETWEEN(s, a_call_gives_its_result, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, process_stopped_in_a_call_stops_after_it, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, process_continued_in_a_call_goes_on, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, process_waiting_in_the_kernel_is_awaited, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, exec_invalidates_the_address_map, 1, setup_another, teardown);
    TAP_ADD_BETWEEN(s, process_killed_in_a_call_is_not_awaited, 1, setup, teardown);
    return s;
}

TAP_MAIN(suite)

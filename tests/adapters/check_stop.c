/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_stop.c: what a process does, and what it is sent, while it is made to call a function. That
 * of Pythons is in check_late.py.
 */
#include "config.h"

#include "stop.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../tap.h"
#include "symbol.h"

enum { SEVEN = 7, STOP_MS = 10000 };

static pid_t child;

/* A child that sleeps; its code lies where ours does. */
static void setup(void)
{
    child = fork();
    while (child == 0)
        pause();
    ck_assert_int_gt(child, 0);
    ck_assert(inject_stop_clock());
}

/* The clock interrupts that, too. */
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
    kill(child, SIGKILL);
    awaited(0);
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

static uint64_t called(uint64_t (*function)(void))
{
    struct inject_stop stop;
    struct inject_map map;
    char why[256] = "";
    uint64_t result = 0;
    ck_assert(inject_map_read(child, &map));
    const uint64_t gate = inject_map_find(child, &map, inject_gate, inject_gate_size);
    ck_assert_uint_ne(gate, 0);
    ck_assert_msg(inject_stop_begin(&stop, child, gate, STOP_MS, why, sizeof why), "%s", why);
    const uint64_t nothing[INJECT_ARGS] = {0};
    ck_assert(inject_stop_call(&stop, (uint64_t)(uintptr_t)function, nothing, &result));
    inject_stop_end(&stop);
    return result;
}

START_TEST(a_call_gives_its_result)
{
    ck_assert_uint_eq(called(gives), SEVEN);
}
END_TEST

/* The function comes to its end first: it may have a lock. */
START_TEST(who_is_halted_in_a_call_is_halted_behind_it)
{
    ck_assert_uint_eq(called(halts_and_gives), SEVEN);
    const int status = awaited(WUNTRACED);
    ck_assert(WIFSTOPPED(status));
    ck_assert_int_eq(WSTOPSIG(status), SIGSTOP);
    ck_assert_int_eq(kill(child, SIGCONT), 0);
    ck_assert_uint_eq(called(gives), SEVEN);
}
END_TEST

START_TEST(who_is_sent_on_again_in_a_call_goes_on)
{
    ck_assert_uint_eq(called(halts_and_goes_on), SEVEN);
    ck_assert_uint_eq(called(gives), SEVEN);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("stop");
    TAP_ADD_BETWEEN(s, a_call_gives_its_result, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, who_is_halted_in_a_call_is_halted_behind_it, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, who_is_sent_on_again_in_a_call_goes_on, 1, setup, teardown);
    return s;
}

TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_torn.c: a report of `proftop -b` is a consistent snapshot, or says that it is not. The fake
 * job sends its frames as slowly as the test needs.
 */
#include "config.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "feed/fake.h"
#include "tap.h"

enum { TURN_MS = 1, REPORT_MAX = 1 << 20 };

static struct fake fake;
static pid_t viewer;
static int out;
static char report[REPORT_MAX];
static size_t size;

static void watch_job(void)
{
    int ends[2];
    fake_init(&fake, 1);
    fake_bind(&fake);
    size = 0;
    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    viewer = fork();
    ck_assert_int_ge(viewer, 0);
    if (viewer == 0) {
        dup2(ends[1], STDOUT_FILENO);
        execl("./proftop", "proftop", "-b", "-n", "1", "--wait", "60", "--format", "json",
              fake.facts_at, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    out = ends[0];
}

static void let_go(void)
{
    kill(viewer, SIGKILL);
    waitpid(viewer, NULL, 0);
    close(out);
    fake_release(&fake);
}

/* Serves the viewer once. Returns true after the viewer has printed everything. */
static bool turn(void)
{
    struct pollfd reading = {.fd = out, .events = POLLIN};
    fake_serve(&fake);
    if (poll(&reading, 1, TURN_MS) <= 0)
        return false;
    const ssize_t got = read(out, report + size, REPORT_MAX - 1 - size);
    ck_assert_int_ge(got, 0);
    size += (size_t)got;
    report[size] = '\0';
    return got == 0;
}

/* The first report waits for an op. The snapshot has none: all its values are 0. */
static void attach(void)
{
    watch_job();
    while (fake.snapshots == 0 || fake.acks + fake.mores == 0)
        turn();
}

static void publish_functions(void)
{
    fake_functions(&fake, 0);
    fake_publish(&fake);
}

static void publish_values(uint32_t function)
{
    fake_values(&fake, 0, function, 1);
    fake_publish(&fake);
}

/* The viewer's request for definitions shows that it has read all earlier frames. Its request for
 * more shows that it has the definitions. */
static void publish_what_waits(void)
{
    const unsigned snapshots = fake.snapshots, mores = fake.mores;
    bool over = false;
    fake.defs[WIRE_T_THREAD]++;
    publish_values(1);
    while (!over && (fake.snapshots == snapshots || fake.mores == mores))
        over = turn();
}

static bool tells_of(const char *words)
{
    return strstr(report, words) != NULL;
}

/* Applies of the first function have arrived; those of the second are under way. */
START_TEST(a_report_waits_for_the_rest_of_its_tick)
{
    attach();
    fake_work(&fake, 4);
    publish_functions();
    publish_values(0);
    publish_what_waits();
    fake_work(&fake, 5);
    publish_functions();
    while (!turn())
        continue;
    ck_assert_msg(tells_of("\"state\":\"live\""), "%.600s", report);
    unsigned rows = 0;
    for (const char *at = report; (at = strstr(at, "\"calls\":4,")) != NULL; at++)
        rows++;
    ck_assert_uint_eq(rows, FAKE_APPLIES);
}
END_TEST

/* A job that stops in the middle of a tick is still reported. */
START_TEST(report_of_half_a_tick_is_marked)
{
    attach();
    fake_work(&fake, 4);
    publish_functions();
    publish_values(0);
    while (!turn())
        continue;
    ck_assert_msg(tells_of("not of one moment") && !tells_of("\"state\":\"live\""), "%.600s",
                  report);
    ck_assert(tells_of("\"calls\":4,"));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("torn");
    TCase *c = tcase_create("torn");
    tcase_set_timeout(c, TAP_TIMEOUT);
    tcase_add_checked_fixture(c, NULL, let_go);
    tcase_add_test(c, a_report_waits_for_the_rest_of_its_tick);
    tcase_add_test(c, report_of_half_a_tick_is_marked);
    suite_add_tcase(s, c);
    return s;
}

TAP_MAIN(suite)

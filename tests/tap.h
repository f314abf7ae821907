/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * tap.h: runs one suite of Check and prints TAP, the output format of all our tests.
 *
 * A test program ends with
 *     static Suite *suite(void) { Suite *s = suite_create("view"); tap_add(s, "sort", sort); ... }
 *     TAP_MAIN(suite)
 */
#ifndef TESTS_TAP_H
#define TESTS_TAP_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Check records the last assertion passed in a file, for the case of a crash. In loops this took
 * most of the test's time. So only the first assertions are recorded, then one in many. A failing
 * assertion reports its own position. */
static inline void tap_passed(const char *file, int line)
{
    enum { FIRST = 100, ONE_IN = 4096 };
    static _Thread_local unsigned passed;
    if (passed++ < FIRST || passed % ONE_IN == 0)
        _mark_point(file, line);
}
#define _mark_point(file, line) tap_passed(file, line)

/* Seconds for one test; valgrind and TSan stretch it by CK_TIMEOUT_MULTIPLIER. */
enum { TAP_TIMEOUT = 30 };

/* One test in a case of its own, named after it. */
static inline TCase *tap_add(Suite *suite, const char *name, const TTest *test)
{
    TCase *one = tcase_create(name);
    tcase_set_timeout(one, TAP_TIMEOUT);
    tcase_add_test(one, test);
    suite_add_tcase(suite, one);
    return one;
}

/* The same test once per row of a table; it finds its row in `_i`. */
static inline TCase *tap_add_loop(Suite *suite, const char *name, const TTest *test, int rows)
{
    TCase *one = tcase_create(name);
    tcase_set_timeout(one, TAP_TIMEOUT);
    tcase_add_loop_test(one, test, 0, rows);
    suite_add_tcase(suite, one);
    return one;
}

/* The same, each run between `setup` and `teardown`. */
static inline TCase *tap_add_between(Suite *suite, const char *name, const TTest *test, int rows,
                                     SFun setup, SFun teardown)
{
    TCase *one = tap_add_loop(suite, name, test, rows);
    tcase_add_checked_fixture(one, setup, teardown);
    return one;
}
#define TAP_ADD_BETWEEN(suite, test, rows, setup, teardown)                                        \
    tap_add_between(suite, #test, test, rows, setup, teardown)

/* Step of exhaustive loops. Memcheck and ThreadSanitizer make each round ten to fifty times as
 * long, and one round in ten is enough for them to find errors. */
static inline unsigned tap_stride(void)
{
    const char *stride = getenv("TAP_STRIDE");
    unsigned long n = stride != NULL ? strtoul(stride, NULL, 10) : 1;
    return n > 1 && n < 100 ? (unsigned)n : 1;
}

/* Rounds of a case with other random numbers: a quarter of them where tap_stride() is not 1. */
static inline int tap_rounds(int rounds)
{
    return tap_stride() > 1 ? (rounds + 3) / 4 : rounds;
}

/* Marks a case that memcheck cannot run. Memcheck takes descriptors for itself, lets one thread run
 * at a time, and reports memory as lost if only a thread that a fork left behind refers to it. Also
 * for cases that would spend minutes on arithmetic or on filling a table, without any use to
 * memcheck. */
static inline void tap_native(TCase *one)
{
    tcase_set_tags(one, "native");
}

/* A case that script/check leaves out and script/test --all runs: statistics, repeats, floods. */
static inline void tap_all_only(TCase *one)
{
    tcase_set_tags(one, "all");
}

/* A case that is tap_native() and tap_all_only(). */
static inline void tap_native_all_only(TCase *one)
{
    tcase_set_tags(one, "native all");
}

#define TAP_UNIQUE "XXXXXX" /* in a path: mkdtemp() replaces it by a unique string */

/* Makes a new directory for this test, below the one that tap_run() removes. Returns `out`. */
static inline char *tap_folder(char *out, size_t capacity, const char *name)
{
    const char *root = getenv("TMPDIR");
    int size = snprintf(out, capacity, "%s/%s-" TAP_UNIQUE, root ? root : "/tmp", name);
    ck_assert(size > 0 && (size_t)size < capacity);
    ck_assert_ptr_nonnull(mkdtemp(out));
    return out;
}

/* Removes a directory and all its contents. */
static inline void tap_remove(const char *folder)
{
    pid_t pid = fork();
    if (pid == 0) {
        execlp("rm", "rm", "-rf", "--", folder, (char *)NULL);
        _exit(127);
    }
    if (pid > 0)
        waitpid(pid, NULL, 0);
}

/* Runs and frees the suite. Returns the exit code of the program. Removes the tests' temporary
 * files when the program ends, also if Check has killed a test. */
static inline int tap_run(Suite *suite)
{
    char root[] = "/tmp/proftop-tests-" TAP_UNIQUE;
    if (!mkdtemp(root) || setenv("TMPDIR", root, 1) != 0) {
        printf("Bail out! %s can't be made\n", root);
        return EXIT_FAILURE;
    }
    SRunner *runner = srunner_create(suite);
    srunner_set_tap(runner, "-");
    srunner_run_all(runner, CK_SILENT);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    tap_remove(root);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#define TAP_ROWS(table) ((int)(sizeof(table) / sizeof(table)[0]))
#define TAP_MAIN(suite)                                                                            \
    int main(void)                                                                                 \
    {                                                                                              \
        return tap_run(suite());                                                                   \
    }

#endif

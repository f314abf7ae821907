/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_pty_load.c: the real program in a real pseudo-terminal, with a printed profile in the place
 * of a job.
 */
#include "config.h"

#include "pty_fixture.h"

#include <stdio.h>
#include <string.h>

#define COLUMNS "<% time> <sum %> <apply time> <time per call> <type> <#call> <#apply> "

static const char profile[] =
    "Function profiling\n==================\n  Message: train\n"
    "  Time in 10 calls to Function.__call__: 2.000000e+00s\n"
    "  Time in thunks: 1.000000e+00s (50.000%)\n"
    "  Total compile time: 3.000000e+00s\n    Theano Optimizer time: 1.000000e+00s\n\n"
    "Class\n---\n" COLUMNS "<Class name>\n"
    "  90.0%  90.0%  0.900s  4.50e-02s  C  20  2  pkg.Dot\n"
    "  10.0% 100.0%  0.100s  1.00e-02s  Py 10  1  pkg.Sum\n"
    "   ... (remaining 0 Classes account for   0.00%(0.00s) of the runtime)\n\n"
    "Ops\n---\n" COLUMNS "<Op name>\n"
    "  60.0%  60.0%  0.600s  6.00e-02s  C  10  1  Dot{big}\n"
    "  30.0%  90.0%  0.300s  3.00e-02s  C  10  1  Dot{small}\n"
    "  this line is none\n"
    "  10.0% 100.0%  0.100s  1.00e-02s  Py 10  1  Sum{0}\n"
    "   ... (remaining 0 Ops account for   0.00%(0.00s) of the runtime)\n\n"
    "Apply\n------\n<% time> <sum %> <apply time> <time per call> <#call> <id> <Apply name>\n"
    "  60.0%  60.0%  0.600s  6.00e-02s  10  0  Dot{big}(a)\n"
    "  30.0%  90.0%  0.300s  3.00e-02s  10  1  Dot{small}(b)\n"
    "  10.0% 100.0%  0.100s  1.00e-02s  10  2  Sum{0}(c)\n"
    "   ... (remaining 0 Apply instances account for 0.00%(0.00s) of the runtime)\n";

static void load(int rows, int cols)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/old.txt", folder);
    FILE *file = fopen(path, "we");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(profile, file), 0);
    ck_assert_int_eq(fclose(file), 0);
    pty_start(&pty, rows, cols, "xterm-256color",
              (const char *const[]){"./proftop", "--load", path, NULL});
    pty_see(&pty, "FILE");
}

START_TEST(a_file_has_the_panes_of_a_job)
{
    load(24, 100);
    pty_see(&pty, "old.txt");
    pty_see(&pty,
            "A file: profile of Theano, Aesara or PyTensor. 1 of its lines could not be read");
    pty_see(&pty, "train");
    pty_send(&pty, "1");
    pty_see(&pty, "[1 Class 2]");
    pty_see(&pty, "pkg.Sum");
    pty_send(&pty, "2");
    pty_see(&pty, "[2 Ops 3]");
    pty_see(&pty, "Dot{small}");
    pty_send(&pty, "3");
    pty_see(&pty, "[3 Apply 3]");
    pty_see(&pty, "Sum{0}(c)");
    quit(0);
}
END_TEST

START_TEST(a_file_is_sorted_and_filtered)
{
    load(24, 100);
    pty_send(&pty, "2T");
    ck_assert(pty_wait(&pty, first_is, "Dot{big}"));
    pty_send(&pty, "I");
    ck_assert(pty_wait(&pty, first_is, "Sum{0}"));
    pty_send(&pty, "I\\Dot\r");
    pty_miss(&pty, "Sum{0}");
    pty_see(&pty, "Dot{small}");
    quit(0);
}
END_TEST

/* The keys come from the terminal, though standard input is the file. */
START_TEST(a_file_may_be_standard_input)
{
    load(24, 100);
    quit(0);
    pty_end(&pty);
    char command[256];
    snprintf(command, sizeof command, "cat '%s/old.txt' | exec ./proftop --load -", folder);
    pty_start(&pty, 24, 100, "xterm-256color",
              (const char *const[]){"/bin/sh", "-c", command, NULL});
    pty_see(&pty, "FILE");
    pty_send(&pty, "3");
    pty_see(&pty, "[3 Apply 3]");
    quit(0);
}
END_TEST

/* The log has each line that was not read. Keys for a running job do no harm. */
START_TEST(the_log_names_what_was_not_read)
{
    load(24, 110);
    pty_send(&pty, "L");
    pty_see(&pty, "Line 21 is no row of a profile: `this line is none`.");
    pty_see(&pty, "1 line of this file was not read.");
    pty_see(&pty, "Times of rows are rounded");
    pty_send(&pty, "\033");
    pty_miss(&pty, "Times of rows are rounded");
    pty_send(&pty, " ");
    pty_see(&pty, "PAUSED");
    pty_send(&pty, " ");
    pty_see(&pty, "FILE");
    pty_send(&pty, "c");
    pty_see(&pty, "there is no job that could be asked");
    quit(0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("pty_load");
    add(s, "a_file_has_the_panes_of_a_job", a_file_has_the_panes_of_a_job, 1);
    add(s, "a_file_is_sorted_and_filtered", a_file_is_sorted_and_filtered, 1);
    add(s, "a_file_may_be_standard_input", a_file_may_be_standard_input, 1);
    add(s, "the_log_names_what_was_not_read", the_log_names_what_was_not_read, 1);
    return s;
}
TAP_MAIN(suite)

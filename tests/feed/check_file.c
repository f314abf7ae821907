/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_file.c: a file is there whole, or not at all.
 */
#include "config.h"

#include "file.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../tap.h"

static void setup(void)
{
    char place[64];
    tap_folder(place, sizeof place, "place");
    ck_assert_int_eq(chdir(place), 0);
}

static void assert_holds(const char *name, const char *text)
{
    char found[64] = "";
    int fd = open(name, O_RDONLY);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(read(fd, found, sizeof found - 1), (int)strlen(text));
    ck_assert_str_eq(found, text);
    close(fd);
}

START_TEST(a_file_is_written_as_a_whole_or_not)
{
    char why[600];
    ck_assert(feed_file_write("one", "first", 5, false, NULL, why, sizeof why));
    assert_holds("one", "first");
    ck_assert(!feed_file_write("one", "second", 6, false, NULL, why, sizeof why));
    ck_assert_str_eq(why, "one is there already; --force replaces it");
    assert_holds("one", "first");
    ck_assert(feed_file_write("one", "second", 6, true, NULL, why, sizeof why));
    assert_holds("one", "second");
    ck_assert_int_eq(symlink("one", "link"), 0);
    ck_assert(!feed_file_write("link", "third", 5, false, NULL, why, sizeof why));
    assert_holds("one", "second");
    ck_assert(!feed_file_write("no/where", "x", 1, true, NULL, why, sizeof why));
    ck_assert_str_eq(why, "no/where can't be written: No such file or directory");
    char name[5000];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    ck_assert(!feed_file_write(name, "x", 1, true, NULL, why, sizeof why));
    ck_assert_ptr_nonnull(strstr(why, "nn can't be written: File name too long"));
    /* No draft is left. */
    DIR *dir = opendir(".");
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        ck_assert_ptr_null(strstr(entry->d_name, ".part"));
    closedir(dir);
}
END_TEST

/* Of a process of our number that ended while it wrote: it does not stand in the way for good. */
START_TEST(a_draft_that_was_left_makes_way)
{
    char why[600], draft[64];
    snprintf(draft, sizeof draft, "one.%ld.part", (long)getpid());
    ck_assert_int_eq(symlink("victim", draft), 0);
    ck_assert(feed_file_write("one", "first", 5, true, NULL, why, sizeof why));
    assert_holds("one", "first");
    ck_assert_int_eq(access("victim", F_OK), -1);
    ck_assert_int_eq(access(draft, F_OK), -1);
}
END_TEST

/* A full disk is told, and leaves what was there as it was. */
START_TEST(no_room_is_told)
{
    char why[600];
    struct rlimit none = {3, 3};
    ck_assert(feed_file_write("one", "abc", 3, true, NULL, why, sizeof why));
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &none), 0);
    ck_assert(!feed_file_write("one", "second", 6, true, NULL, why, sizeof why));
    ck_assert_str_eq(why, "one can't be written: File too large");
    assert_holds("one", "abc");
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("file");
    TAP_ADD_BETWEEN(s, a_file_is_written_as_a_whole_or_not, 1, setup, NULL);
    TAP_ADD_BETWEEN(s, a_draft_that_was_left_makes_way, 1, setup, NULL);
    TAP_ADD_BETWEEN(s, no_room_is_told, 1, setup, NULL);
    return s;
}

TAP_MAIN(suite)

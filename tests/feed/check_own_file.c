/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_own_file.c: we recognise a file of ours, and leave alone files that others put in its
 * place.
 */
#include "config.h"

#include "tap.h"

#include <fcntl.h>
#include <unistd.h>

#include "feed/publisher/transport/own_file.h"

static struct publisher_own_file file;
static char other[sizeof file.path];

static void touch(const char *path)
{
    int fd = open(path, O_CREAT | O_EXCL | O_WRONLY, 0600);
    ck_assert_int_ge(fd, 0);
    close(fd);
}

static void set_up(void)
{
    char folder[64];
    tap_folder(folder, sizeof folder, "own");
    snprintf(file.path, sizeof file.path, "%s/one", folder);
    snprintf(other, sizeof other, "%s/other", folder);
    touch(file.path);
    touch(other); /* beside the first, so that the inode differs */
    publisher_own_file_note(&file);
}

START_TEST(ours_is_removed)
{
    ck_assert(publisher_own_file_stands(&file));
    publisher_own_file_remove(&file);
    ck_assert_int_ne(access(file.path, F_OK), 0);
    ck_assert(!publisher_own_file_stands(&file));
}
END_TEST

START_TEST(replacing_file_is_not_removed)
{
    ck_assert_int_eq(rename(other, file.path), 0);
    ck_assert(!publisher_own_file_stands(&file));
    publisher_own_file_remove(&file);
    ck_assert_int_eq(access(file.path, F_OK), 0);
}
END_TEST

START_TEST(a_link_to_it_is_another)
{
    ck_assert_int_eq(rename(file.path, other), 0);
    ck_assert_int_eq(symlink(other, file.path), 0);
    ck_assert(!publisher_own_file_stands(&file));
}
END_TEST

START_TEST(file_that_was_absent_is_not_our_own)
{
    unlink(file.path);
    publisher_own_file_note(&file);
    ck_assert(!publisher_own_file_stands(&file));
    touch(file.path);
    ck_assert(!publisher_own_file_stands(&file));
    const struct publisher_own_file none = {.path = ""};
    ck_assert(!publisher_own_file_stands(&none));
    publisher_own_file_remove(&none);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("own_file");
    TAP_ADD_BETWEEN(s, ours_is_removed, 1, set_up, NULL);
    TAP_ADD_BETWEEN(s, replacing_file_is_not_removed, 1, set_up, NULL);
    TAP_ADD_BETWEEN(s, a_link_to_it_is_another, 1, set_up, NULL);
    TAP_ADD_BETWEEN(s, file_that_was_absent_is_not_our_own, 1, set_up, NULL);
    return s;
}

TAP_MAIN(suite)

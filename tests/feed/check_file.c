/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_file.c: a file is complete, or not there at all.
 */
#include "config.h"

#include "feed/shared/atomic_file.h"

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
    ck_assert(shared_file_write("one", "first", 5, false, NULL, why, sizeof why));
    assert_holds("one", "first");
    ck_assert(!shared_file_write("one", "second", 6, false, NULL, why, sizeof why));
    ck_assert_str_eq(why, "one is there already; --force replaces it");
    assert_holds("one", "first");
    ck_assert(shared_file_write("one", "second", 6, true, NULL, why, sizeof why));
    assert_holds("one", "second");
    ck_assert_int_eq(symlink("one", "link"), 0);
    ck_assert(!shared_file_write("link", "third", 5, false, NULL, why, sizeof why));
    assert_holds("one", "second");
    ck_assert(!shared_file_write("no/where", "x", 1, true, NULL, why, sizeof why));
    ck_assert_str_eq(why, "no/where can't be written: No such file or directory");
    char name[5000];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    ck_assert(!shared_file_write(name, "x", 1, true, NULL, why, sizeof why));
    ck_assert_ptr_nonnull(strstr(why, "nn can't be written: File name too long"));
    /* No draft is left. */
    DIR *dir = opendir(".");
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        ck_assert_ptr_null(strstr(entry->d_name, ".part"));
    closedir(dir);
}
END_TEST

/* A process with our pid ended during a write: its draft does not block ours for good. */
START_TEST(a_draft_that_was_left_makes_way)
{
    char why[600], draft[64];
    snprintf(draft, sizeof draft, "one.%ld.part", (long)getpid());
    ck_assert_int_eq(symlink("victim", draft), 0);
    ck_assert(shared_file_write("one", "first", 5, true, NULL, why, sizeof why));
    assert_holds("one", "first");
    ck_assert_int_eq(access("victim", F_OK), -1);
    ck_assert_int_eq(access(draft, F_OK), -1);
}
END_TEST

/* A full disk is reported, and the old file stays. */
START_TEST(full_disk_is_reported)
{
    char why[600];
    struct rlimit none = {3, 3};
    ck_assert(shared_file_write("one", "abc", 3, true, NULL, why, sizeof why));
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &none), 0);
    ck_assert(!shared_file_write("one", "second", 6, true, NULL, why, sizeof why));
    ck_assert_str_eq(why, "one can't be written: File too large");
    assert_holds("one", "abc");
}
END_TEST

static void assert_link(const char *name, const char *to)
{
    char text[64] = "";
    ck_assert_int_gt(readlink(name, text, sizeof text - 1), 0);
    ck_assert_str_eq(text, to);
}

/* A link stays; its target is replaced, or created. */
START_TEST(links_are_followed)
{
    char why[600];
    ck_assert_int_eq(mkdir("in", 0700), 0);
    ck_assert_int_eq(symlink("in/to", "first"), 0);
    ck_assert_int_eq(symlink("../first", "in/second"), 0);
    ck_assert(shared_file_write("in/second", "made", 4, false, NULL, why, sizeof why));
    assert_holds("in/to", "made");
    ck_assert(shared_file_write("in/second", "anew", 4, true, NULL, why, sizeof why));
    assert_holds("in/to", "anew");
    assert_link("first", "in/to");
    assert_link("in/second", "../first");
    ck_assert_int_eq(symlink("round", "round"), 0);
    ck_assert(!shared_file_write("round", "x", 1, true, NULL, why, sizeof why));
    ck_assert_str_eq(why, "round can't be written: Too many levels of symbolic links");
}
END_TEST

START_TEST(links_of_others_where_all_may_write_are_not)
{
    char why[600];
    if (geteuid() != 0) {
        printf("# not tried: only root can give a link to another user\n");
        return;
    }
    ck_assert_int_eq(mkdir("open", 0700), 0);
    ck_assert_int_eq(chmod("open", 01777), 0);
    ck_assert_int_eq(symlink("../one", "open/link"), 0);
    ck_assert_int_eq(lchown("open/link", 65534, 65534), 0);
    ck_assert(!shared_file_write("open/link", "x", 1, true, NULL, why, sizeof why));
    ck_assert_str_eq(why, "open/link can't be written: it is a link of another user in a folder "
                          "that others can write to");
    ck_assert_int_eq(access("one", F_OK), -1);
    ck_assert_int_eq(lchown("open/link", 0, 0), 0);
    ck_assert(shared_file_write("open/link", "x", 1, true, NULL, why, sizeof why));
    assert_holds("one", "x");
}
END_TEST

/* Written by their own names and by links, with and without `over`. A job must not wait for a
 * reader. */
START_TEST(pipes_and_devices_are_written_in_place)
{
    const _Atomic bool stop = false;
    char why[600], got[16];
    struct stat found;
    ck_assert_int_eq(mkfifo("pipe", 0600), 0);
    ck_assert_int_eq(symlink("pipe", "link"), 0);
    ck_assert(!shared_file_write("link", "x", 1, true, &stop, why, sizeof why));
    ck_assert_str_eq(why, "link can't be written: nobody reads from it");
    int end = open("pipe", O_RDONLY | O_NONBLOCK);
    for (int i = 0; i < 8; i++) {
        const char *name = i & 1 ? "link" : "pipe";
        ck_assert_msg(
            shared_file_write(name, "text", 4, i & 2, i & 4 ? &stop : NULL, why, sizeof why), "%s",
            why);
        ck_assert_int_eq(read(end, got, sizeof got), 4);
        ck_assert_int_eq(memcmp(got, "text", 4), 0);
    }
    ck_assert(lstat("pipe", &found) == 0 && S_ISFIFO(found.st_mode));
    assert_link("link", "pipe");
    ck_assert_int_eq(symlink("/dev/full", "device"), 0);
    ck_assert(!shared_file_write("device", "x", 1, true, NULL, why, sizeof why));
    ck_assert_str_eq(why, "device can't be written: No space left on device");
    assert_link("device", "/dev/full");
    static char flood[1 << 20];
    ck_assert(!shared_file_write("pipe", flood, sizeof flood, true, &stop, why, sizeof why));
    ck_assert_str_eq(why, "pipe can't be written: who reads from it is too slow");
    close(end);
}
END_TEST

/* The case of /dev/stdout: a link to a file. The shell continues from the file's position. */
START_TEST(a_descriptor_is_written_to_where_it_stands)
{
    char why[600], name[64], of_file[64];
    int fd = open("one", O_RDWR | O_CREAT | O_TRUNC, 0600);
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    ck_assert_int_eq(symlink(name, "stdout"), 0);
    ck_assert_int_eq(write(fd, "before ", 7), 7);
    ck_assert(shared_file_write("stdout", "ours", 4, true, NULL, why, sizeof why));
    ck_assert_int_eq(write(fd, " behind", 7), 7);
    assert_holds("one", "before ours behind");
    assert_link("stdout", name);
    snprintf(of_file, sizeof of_file, "/dev/fd/%d", fd);
    ck_assert(shared_file_write(of_file, "!", 1, false, NULL, why, sizeof why));
    assert_holds("one", "before ours behind!");
    close(fd);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("file");
    TAP_ADD_BETWEEN(s, a_file_is_written_as_a_whole_or_not, 1, setup, NULL);
    TAP_ADD_BETWEEN(s, links_are_followed, 1, setup, NULL);
    TAP_ADD_BETWEEN(s, links_of_others_where_all_may_write_are_not, 1, setup, NULL);
    TAP_ADD_BETWEEN(s, pipes_and_devices_are_written_in_place, 1, setup, NULL);
    TAP_ADD_BETWEEN(s, a_descriptor_is_written_to_where_it_stands, 1, setup, NULL);
    TAP_ADD_BETWEEN(s, a_draft_that_was_left_makes_way, 1, setup, NULL);
    TAP_ADD_BETWEEN(s, full_disk_is_reported, 1, setup, NULL);
    return s;
}

TAP_MAIN(suite)

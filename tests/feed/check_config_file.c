/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_config_file.c: files of lines `key = value`: how they are read, and which files are
 * trusted.
 */
#include "tap.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "feed/shared/config_file.h"

static char folder[64], path[96], seen[512], why[256];

static void set_up(void)
{
    tap_folder(folder, sizeof folder, "entry");
    snprintf(path, sizeof path, "%s/file", folder);
    seen[0] = why[0] = 0;
}

static void tear_down(void)
{
    tap_remove(folder);
}

static void write_file(const char *text, size_t size, mode_t mode)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, text, size), (ssize_t)size);
    ck_assert_int_eq(fchmod(fd, mode), 0);
    close(fd);
}

static const char *note(void *to, const char *key, const char *value)
{
    size_t used = strlen(to);
    snprintf((char *)to + used, sizeof seen - used, "[%s|%s]", key, value);
    return strcmp(key, "bad") == 0 ? "is bad" : NULL;
}

static enum shared_config read_it(bool secret)
{
    return shared_config_read(path, secret, note, seen, why, sizeof why);
}

static const struct {
    const char *text, *seen, *why; /* `why` "": accepted */
} files[] = {
    {"", "", ""},
    {"a = b\nc=d", "[a|b][c|d]", ""},
    {"# a = b\n\n  \t\n  a b  =  c d  \r\n", "[a b|c d]", ""},
    {"a = = # b\n", "[a|= # b]", ""},
    {"a =\n= b\n", "[a|][|b]", ""},
    {"a = b\nword\nc = d\n", "[a|b]", "line 2 has no ="},
    {"bad = 1\nc = d\n", "[bad|1]", "line 1 is bad"},
};

START_TEST(lines)
{
    set_up();
    write_file(files[_i].text, strlen(files[_i].text), 0644);
    enum shared_config got = read_it(false);
    ck_assert_int_eq(got, files[_i].why[0] ? SHARED_CONFIG_BAD : SHARED_CONFIG_READ);
    ck_assert_str_eq(seen, files[_i].seen);
    ck_assert_msg(strstr(why, files[_i].why) != NULL, "%s", why);
    tear_down();
}
END_TEST

/* A line that is too long is rejected, wherever it is cut. */
START_TEST(long_lines)
{
    char text[2 * SHARED_LINE_MAX];
    memset(text, 'x', sizeof text);
    memcpy(text, "a = ", 4);
    set_up();
    for (int size = SHARED_LINE_MAX - 3; size <= SHARED_LINE_MAX + 3; size++) {
        seen[0] = 0;
        write_file(text, (size_t)size, 0600);
        bool fits = size < SHARED_LINE_MAX - 1;
        ck_assert_int_eq(read_it(false), fits ? SHARED_CONFIG_READ : SHARED_CONFIG_BAD);
        ck_assert_msg(fits || strstr(why, "line 1 is too long") != NULL, "%s", why);
        ck_assert_int_eq(seen[0] != 0, fits);
    }
    tear_down();
}
END_TEST

static const struct {
    mode_t mode;
    bool secret;
    const char *why; /* "": trusted */
} modes[] = {
    {0600, true, ""},
    {0644, false, ""},
    {0644, true, "can be read by others: chmod 600"},
    {0640, true, "can be read by others"},
    {0664, false, "can be written by others: chmod go-w"},
    {0602, false, "can be written by others"},
    {0622, true, "can be written by others"},
};

START_TEST(believed)
{
    set_up();
    write_file("a = b\n", 6, modes[_i].mode);
    bool good = modes[_i].why[0] == 0;
    ck_assert_int_eq(read_it(modes[_i].secret), good ? SHARED_CONFIG_READ : SHARED_CONFIG_BAD);
    ck_assert_msg(strstr(why, modes[_i].why) != NULL, "%s", why);
    ck_assert_int_eq(seen[0] != 0, good);
    tear_down();
}
END_TEST

START_TEST(no_plain_files)
{
    set_up();
    ck_assert_int_eq(read_it(false), SHARED_CONFIG_NONE);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    ck_assert_int_eq(read_it(false), SHARED_CONFIG_BAD);
    ck_assert_msg(strstr(why, "is no plain file") != NULL, "%s", why);
    rmdir(path);
    ck_assert_int_eq(mkfifo(path, 0600), 0); /* reading must not block */
    ck_assert_int_eq(read_it(false), SHARED_CONFIG_BAD);
    unlink(path);
    if (geteuid() == 0) {
        write_file("a = b\n", 6, 0600);
        ck_assert_int_eq(chown(path, 65534, 65534), 0);
        ck_assert_int_eq(read_it(false), SHARED_CONFIG_BAD);
        ck_assert_msg(strstr(why, "belongs to another user") != NULL, "%s", why);
    }
    tear_down();
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("entry");
    tap_add_loop(s, "lines", lines, TAP_ROWS(files));
    tap_add(s, "long_lines", long_lines);
    tap_add_loop(s, "believed", believed, TAP_ROWS(modes));
    tap_add(s, "no_plain_files", no_plain_files);
    return s;
}

TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_site.c: permissions in the site's file. The test's own file replaces it.
 */
#include "tap.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "feed/shared/site_policy.h"
#include "feed/shared/site_policy_path.h"

static char folder[64], path[96];

const char *shared_site_path(void)
{
    return path;
}

static const struct {
    const char *text; /* NULL: there is no file */
    mode_t mode;
    struct shared_site site;
    const char *why;
} files[] = {
    {NULL, 0, {true, true, true}, ""},
    {"", 0644, {true, true, true}, ""},
    {"# nothing\n", 0644, {true, true, true}, ""},
    {"control = no\n", 0644, {false, true, true}, ""},
    {"inject = no\ncontrol=yes\n", 0644, {true, false, true}, ""},
    {"tcp = no\ninject = no\ncontrol = no\n", 0644, {false, false, false}, ""},
    /* A line that is not understood may have been meant to forbid. */
    {"contrl = no\n", 0644, {false, false, false}, "line 1 has a key that is none of"},
    {"control = off\n", 0644, {false, false, false}, "line 1 says neither yes nor no"},
    {"control = yes\n", 0666, {false, false, false}, "can be written by others"},
};

START_TEST(rules)
{
    struct shared_site site;
    char why[256] = "";
    tap_folder(folder, sizeof folder, "site");
    snprintf(path, sizeof path, "%s/proftop.conf", folder);
    if (files[_i].text != NULL) {
        FILE *file = fopen(path, "we");
        ck_assert_ptr_nonnull(file);
        fputs(files[_i].text, file);
        fclose(file);
        ck_assert_int_eq(chmod(path, files[_i].mode), 0);
    }
    ck_assert_int_eq(shared_site_read(&site, why, sizeof why), files[_i].why[0] == 0);
    ck_assert_msg(strstr(why, files[_i].why) != NULL, "%s", why);
    ck_assert_int_eq(site.control, files[_i].site.control);
    ck_assert_int_eq(site.inject, files[_i].site.inject);
    ck_assert_int_eq(site.tcp, files[_i].site.tcp);
    tap_remove(folder);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("site");
    tap_add_loop(s, "rules", rules, TAP_ROWS(files));
    return s;
}

TAP_MAIN(suite)

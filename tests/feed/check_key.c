/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_key.c: key files and lists of authorized keys.
 */
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "feed/shared/keys.h"

#define ONE "Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID"
#define TWO "D:)Q[IlAW!ahhC2ac:9*A}h:p?([4%wOTJ%JR%cs"

static char folder[64], why[512];

static void set_up(void)
{
    tap_folder(folder, sizeof folder, "key");
    why[0] = 0;
}

static void put(const char *name, const char *text, mode_t mode)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "we");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
    ck_assert_int_eq(chmod(path, mode), 0);
}

START_TEST(place_of_keys)
{
    static char place[SHARED_PATH_MAX];
    setenv("PROFTOP_KEYS", "/keys", 1);
    setenv("XDG_CONFIG_HOME", "/config", 1);
    setenv("HOME", "/home", 1);
    ck_assert(shared_key_place(place, why, sizeof why));
    ck_assert_str_eq(place, "/keys");
    setenv("PROFTOP_KEYS", "relative", 1);
    ck_assert(shared_key_place(place, why, sizeof why));
    ck_assert_str_eq(place, "/config/proftop/keys");
    unsetenv("XDG_CONFIG_HOME");
    ck_assert(shared_key_place(place, why, sizeof why));
    ck_assert_str_eq(place, "/home/.config/proftop/keys");
    unsetenv("HOME");
    ck_assert(!shared_key_place(place, why, sizeof why));
    ck_assert_msg(strstr(why, "set PROFTOP_KEYS or HOME") != NULL, "%s", why);
}
END_TEST

static const struct {
    const char *name, *text;
    mode_t mode;
    const char *why;
} pairs[] = {
    {"id", "public = " ONE "\nsecret = " TWO "\n", 0600, ""},
    {"id", "public = " ONE "\nsecret = " TWO "\n", 0644, "can be read by others"},
    {"id", "public = " ONE "\n", 0600, "does not hold a whole key"},
    {"id", "secret = " TWO "\n", 0600, "does not hold a whole key"},
    {"id", "public = " ONE "x\nsecret = " TWO "\n", 0600, "line 1 holds no key of 40 characters"},
    {"id", "public = short\n", 0600, "line 1 holds no key"},
    {"id", "private = " TWO "\n", 0600, "line 1 has a key that is neither"},
    {"other", "", 0600, "id.key: `proftop keygen` makes one"},
};

START_TEST(pair_of_keys)
{
    struct shared_pair pair;
    char name[32];
    set_up();
    snprintf(name, sizeof name, "%s.key", pairs[_i].name);
    put(name, pairs[_i].text, pairs[_i].mode);
    bool good = pairs[_i].why[0] == 0;
    ck_assert_int_eq(shared_key_pair(folder, "id", &pair, why, sizeof why), good);
    ck_assert_msg(strstr(why, pairs[_i].why) != NULL, "%s", why);
    if (good) {
        ck_assert_str_eq(pair.public, ONE);
        ck_assert_str_eq(pair.secret, TWO);
    }
    tap_remove(folder);
}
END_TEST

START_TEST(public_key)
{
    char public[SHARED_KEY_SIZE];
    static const char *const names[] = {"", ".id", "../id", "a/b"};
    set_up();
    put("node.pub", "# the job's\npublic = " TWO "\n", 0644);
    ck_assert(shared_key_public(folder, "node", public, why, sizeof why));
    ck_assert_str_eq(public, TWO);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        ck_assert(!shared_key_public(folder, names[i], public, why, sizeof why));
        ck_assert_msg(strstr(why, "can't be the name of a key") != NULL, "%s", why);
    }
    tap_remove(folder);
}
END_TEST

START_TEST(rights_of_keys)
{
    static struct shared_authorized list;
    set_up();
    ck_assert(shared_key_authorized(folder, &list, why, sizeof why));
    ck_assert_uint_eq(list.count, 0);
    put("authorized", "read = " ONE "  anna\ncontrol = " TWO "\nread = " TWO " bob\033[m\n", 0644);
    ck_assert_msg(shared_key_authorized(folder, &list, why, sizeof why), "%s", why);
    ck_assert_uint_eq(list.count, 2);
    const struct shared_authorized_key *one = shared_key_find(&list, ONE);
    ck_assert_uint_eq(one->may, SHARED_MAY_READ);
    ck_assert_str_eq(one->name, "anna");
    const struct shared_authorized_key *two = shared_key_find(&list, TWO);
    ck_assert_uint_eq(two->may, SHARED_MAY_READ | SHARED_MAY_CONTROL);
    ck_assert_ptr_null(shared_key_find(&list, ""));
    put("authorized", "write = " ONE "\n", 0644);
    ck_assert(!shared_key_authorized(folder, &list, why, sizeof why));
    ck_assert_msg(strstr(why, "line 1 grants none of read, control") != NULL, "%s", why);
    put("authorized", "read = " ONE "\nread = anna\n", 0644);
    ck_assert(!shared_key_authorized(folder, &list, why, sizeof why));
    ck_assert_msg(strstr(why, "line 2 holds no key") != NULL, "%s", why);
    ck_assert_uint_eq(list.count, 0); /* an incomplete list grants nothing */
    put("authorized", "read = " ONE "\n", 0666);
    ck_assert(!shared_key_authorized(folder, &list, why, sizeof why));
    tap_remove(folder);
}
END_TEST

/* Names of a list are displayed: they have plain letters only and a bounded length. */
START_TEST(names_of_keys)
{
    static struct shared_authorized list;
    set_up();
    put("authorized",
        "read = " ONE " a\033]52;b\007 c\n"
        "read = " TWO " abcdefghijklmnopqrstuvwxyz\n",
        0644);
    ck_assert_msg(shared_key_authorized(folder, &list, why, sizeof why), "%s", why);
    ck_assert_str_eq(list.key[0].name, "a_]52;b__c");
    ck_assert_str_eq(list.key[1].name, "abcdefghijklmnopqrstuvw");
    tap_remove(folder);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("key");
    tap_add(s, "place_of_keys", place_of_keys);
    tap_add_loop(s, "pair_of_keys", pair_of_keys, TAP_ROWS(pairs));
    tap_add(s, "public_key", public_key);
    tap_add(s, "rights_of_keys", rights_of_keys);
    tap_add(s, "names_of_keys", names_of_keys);
    return s;
}

TAP_MAIN(suite)

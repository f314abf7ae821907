/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_target.c: what is typed or announced, and what is connected to.
 */
#include "config.h"

#include "subscriber.h"

#include <string.h>

#include "../tap.h"

static const struct {
    const char *word, *facts, *control, *why;
} words[] = {
    {"ipc:///run/x.pub", "ipc:///run/x.pub", "ipc:///run/x.ctl", NULL},
    {"tcp://host:5555", "tcp://host:5555", "tcp://host:5556", NULL},
    {"tcp://[::1]:5555", "tcp://[::1]:5555", "tcp://[::1]:5556", NULL},
    {"tcp://a:1,tcp://b:9", "tcp://a:1", "tcp://b:9", NULL},
    {"tcp://host", NULL, NULL, "port"},
    {"tcp://host:0", NULL, NULL, "port"},
    {"tcp://host:65535", NULL, NULL, "port"},
    {"tcp://host:12x", NULL, NULL, "port"},
    {"ipc:///run/x.sock", NULL, NULL, ".pub"},
    {"http://x", NULL, NULL, "ipc:// or tcp://"},
    {"", NULL, NULL, "ipc:// or tcp://"},
    {"tcp://", NULL, NULL, "characters"},
    {"tcp://a:1,nonsense", NULL, NULL, "ipc:// or tcp://"},
    {"ipc:///0123456789012345678901234567890123456789012345678901234567890123456789"
     "01234567890123456789012345678901234567890123456789.pub",
     NULL, NULL, "characters"},
};

START_TEST(typed_targets)
{
    struct feed_target target;
    char why[200] = "";
    bool good = feed_target_parse(words[_i].word, &target, why, sizeof why);
    ck_assert_int_eq(good, words[_i].facts != NULL);
    if (good) {
        ck_assert_str_eq(target.facts, words[_i].facts);
        ck_assert_str_eq(target.control, words[_i].control);
        ck_assert_uint_eq(target.pid, 0);
    } else {
        ck_assert_msg(strstr(why, words[_i].why) != NULL, "%s", why);
    }
}
END_TEST

START_TEST(announced_targets_have_a_safe_label)
{
    struct feed_info info = {.pid = 7,
                             .start = 8,
                             .facts = "ipc:///a",
                             .control = "ipc:///b",
                             .program = "tr\x1b]0;ain"};
    struct feed_target target;
    feed_target_of(&info, &target);
    ck_assert_str_eq(target.facts, "ipc:///a");
    ck_assert_str_eq(target.control, "ipc:///b");
    ck_assert_uint_eq(target.pid, 7);
    ck_assert_uint_eq(target.start, 8);
    ck_assert_ptr_null(strchr(target.label, '\x1b'));
    ck_assert_ptr_nonnull(strstr(target.label, "(7)"));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("target");
    TCase *c = tcase_create("target");
    tcase_add_test(c, announced_targets_have_a_safe_label);
    tcase_add_loop_test(c, typed_targets, 0, TAP_ROWS(words));
    suite_add_tcase(s, c);
    return s;
}

TAP_MAIN(suite)

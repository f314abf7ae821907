/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_target.c: typed or registered targets, and the resulting endpoints.
 */
#include "config.h"

#include "feed/viewer/stream/subscriber.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

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
    struct viewer_target target;
    char why[200] = "";
    bool good = viewer_target_parse(words[_i].word, &target, why, sizeof why);
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
    struct registry_info info = {.pid = 7,
                                 .start = 8,
                                 .facts = "ipc:///a",
                                 .control = "ipc:///b",
                                 .program = "tr\x1b]0;ain"};
    struct viewer_target target;
    viewer_target_of(&info, &target);
    ck_assert_str_eq(target.facts, "ipc:///a");
    ck_assert_str_eq(target.control, "ipc:///b");
    ck_assert_uint_eq(target.pid, 7);
    ck_assert_uint_eq(target.start, 8);
    ck_assert_ptr_null(strchr(target.label, '\x1b'));
    ck_assert_ptr_nonnull(strstr(target.label, "(7)"));
}
END_TEST

/* `why`: NULL if there is a target. The working directory has two sockets and a file. */
static const struct {
    const char *word, *why;
} places[] = {
    {"ipc://a.pub", NULL},
    {"ipc://no.pub", "no socket"},
    {"ipc://a.pub,ipc://no.ctl", "no.ctl"},
    {"ipc://file.pub", "not a socket"},
    {"tcp://127.0.0.1:5555", NULL},
    {"tcp://[::1]:5555", NULL},
    {"tcp://no-such-host.invalid:5555", "no-such-host.invalid"},
    {"tcp://127.0.0.1:1,tcp://256.1.2.3.4:2", "256.1.2.3.4"},
    {"tcp://127.0.0.1:0;10.0.0.1:5555", NULL},
};

START_TEST(targets_that_are_not_there)
{
    char root[64], why[256] = "";
    struct viewer_target target;
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    int fd[2];
    ck_assert_int_eq(chdir(tap_folder(root, sizeof root, "target")), 0);
    for (int i = 0; i < 2; i++) {
        fd[i] = socket(AF_UNIX, SOCK_STREAM, 0);
        snprintf(at.sun_path, sizeof at.sun_path, "a.%s", i ? "ctl" : "pub");
        ck_assert_int_eq(bind(fd[i], (struct sockaddr *)&at, sizeof at), 0);
    }
    fclose(fopen("file.pub", "w"));
    ck_assert_msg(viewer_target_parse(places[_i].word, &target, why, sizeof why), "%s", why);
    bool there = viewer_target_there(&target, why, sizeof why);
    ck_assert_msg(there == !places[_i].why, "%s", why);
    if (!there)
        ck_assert_msg(strstr(why, places[_i].why) != NULL, "%s", why);
    close(fd[0]);
    close(fd[1]);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("target");
    TCase *c = tcase_create("target");
    tcase_add_test(c, announced_targets_have_a_safe_label);
    tcase_add_loop_test(c, typed_targets, 0, TAP_ROWS(words));
    tcase_set_timeout(c, TAP_TIMEOUT);
    tcase_add_loop_test(c, targets_that_are_not_there, 0, TAP_ROWS(places));
    suite_add_tcase(s, c);
    return s;
}

TAP_MAIN(suite)

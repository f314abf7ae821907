/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_endpoint.c: registered endpoints that viewers accept, and endpoints that they refuse.
 */
#include "config.h"

#include "feed/shared/registry_dir.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../tap.h"

static const struct {
    const char *endpoint, *fault; /* NULL: valid */
} endpoints[] = {
    {"ipc:///run/nowhere/1-2-1.pub", NULL},
    {"tcp://node1:5555", NULL},
    {"tcp://[::1]:5555", NULL},
    {"ipc:///etc/passwd", "is no socket"},
    {"ipc:///tmp", "is no socket"},
    {"ipc://relative.pub", "absolute"},
    {"ipc://@abstract", "absolute"},
    {"ipc://*", "absolute"},
    {"ipc:///0123456789012345678901234567890123456789012345678901234567890123456789"
     "01234567890123456789012345678901234567",
     "too long"},
    {"inproc://x", "neither"},
    {"pgm://eth0;239.192.1.1:5555", "neither"},
    {"udp://h:1", "neither"},
    {"", "neither"},
    {"tcp://0.0.0.0:*", "wildcard"},
    {"tcp://0.0.0.0:5555", "wildcard"},
    {"tcp://[::]:5555", "wildcard"},
    {"tcp://*:5555", "wildcard"},
    {"tcp://eth0;host:5555", "wildcard"},
    {"tcp://host", "host and port"},
    {"tcp://:5555", "host and port"},
    {"tcp://host:0", "port from"},
    {"tcp://host:65536", "port from"},
    {"tcp://host:99999999999999999999", "port from"},
    {"tcp://host:12x", "port from"},
    {"tcp://host:-1", "port from"},
    {"ipc:///run/\x1b]0;x\x07\n.pub", NULL}, /* a folder may have any name */
    {"tcp://\x1b]0;x\x07:5555", "control characters"},
};

START_TEST(announced_endpoints)
{
    char why[200] = "";
    bool good = shared_endpoint_is_valid(endpoints[_i].endpoint, why, sizeof why);
    ck_assert_msg(good == !endpoints[_i].fault, "%s", why);
    if (!good)
        ck_assert_msg(strstr(why, endpoints[_i].fault) != NULL, "%s", why);
    ck_assert_ptr_null(strchr(why, '\x1b'));
}
END_TEST

START_TEST(a_socket_of_ours_is_good_and_a_link_to_it_is_not)
{
    char root[64], endpoint[112], link_[96], why[200] = "";
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    tap_folder(root, sizeof root, "endpoint");
    snprintf(at.sun_path, sizeof at.sun_path, "%s/a.pub", root);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    ck_assert_int_eq(bind(fd, (struct sockaddr *)&at, sizeof at), 0);
    snprintf(endpoint, sizeof endpoint, "ipc://%s/a.pub", root);
    ck_assert_msg(shared_endpoint_is_valid(endpoint, why, sizeof why), "%s", why);
    snprintf(link_, sizeof link_, "%s/b.pub", root);
    ck_assert_int_eq(symlink(at.sun_path, link_), 0);
    snprintf(endpoint, sizeof endpoint, "ipc://%s", link_);
    ck_assert(!shared_endpoint_is_valid(endpoint, why, sizeof why));
    close(fd);
    unlink(at.sun_path);
    unlink(link_);
    rmdir(root);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("endpoint");
    tap_add_loop(s, "announced_endpoints", announced_endpoints, TAP_ROWS(endpoints));
    tap_add(s, "sockets", a_socket_of_ours_is_good_and_a_link_to_it_is_not);
    return s;
}

TAP_MAIN(suite)

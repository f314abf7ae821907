/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_grant.c: who is at the other end, and what he may do.
 */
#include "tap.h"

#include "grant.h"
#include "site.h"

static const struct {
    const char *address;
    struct feed_peer peer;
} peers[] = {
    {"localhost:1000:100:4711", {true, 1000, 4711}},
    {":0:0:1", {true, 0, 1}},
    {"localhost:4294967295:0:2", {true, 4294967295u, 2}},
    {"", {false, 0, 0}},
    {NULL, {false, 0, 0}},
    {"127.0.0.1", {false, 0, 0}},
    {"::1", {false, 0, 0}},
    {"::1:2:3", {false, 0, 0}},
    {"fe80::1:0:0:4711", {false, 0, 0}},
    {"10.0.0.1:0:0:4711", {false, 0, 0}},
    {"localhost", {false, 0, 0}},
    {"localhost:0:0", {false, 0, 0}},
    {"localhost:0:0:4711:1", {false, 0, 0}},
    {"localhost:0:0:x", {false, 0, 0}},
};

START_TEST(reads_what_the_kernel_says)
{
    struct feed_peer peer = {true, 7, 7};
    feed_peer_read(&peer, peers[_i].address);
    ck_assert_int_eq(peer.local, peers[_i].peer.local);
    ck_assert_uint_eq(peer.user, peers[_i].peer.user);
    ck_assert_uint_eq(peer.pid, peers[_i].peer.pid);
}
END_TEST

static const struct {
    const char *environment; /* PROFTOP_CONTROL, or NULL */
    const char *site;        /* what its file says, or NULL: there is none */
    bool local, foreign;
    const char *why; /* a word of it; NULL: granted */
} cases[] = {
    {NULL, NULL, true, false, NULL},
    {"1", NULL, true, false, NULL},
    {"", NULL, true, false, NULL},
    {"0", NULL, true, false, "PROFTOP_CONTROL=0"},
    {"0", NULL, false, true, "PROFTOP_CONTROL=0"},
    {NULL, NULL, false, false, "Unix sockets"},
    {NULL, NULL, true, true, "own user"},
    {NULL, "control = no\n", true, false, "administrator"},
    {NULL, "control = yes\n", true, false, NULL},
    {NULL, "contrl = no\n", true, false, "administrator"},
};

/* In the place of the program's own: the test's file. */
static char path[256];
const char *feed_site_path(void)
{
    return path;
}

START_TEST(grants_control)
{
    struct feed_grants grants;
    unsetenv("PROFTOP_CONTROL");
    if (cases[_i].environment != NULL)
        setenv("PROFTOP_CONTROL", cases[_i].environment, 1);
    snprintf(path, sizeof path, "%s/site.conf", getenv("TMPDIR"));
    FILE *file = cases[_i].site != NULL ? fopen(path, "w") : NULL;
    if (file != NULL) {
        fputs(cases[_i].site, file);
        fclose(file);
    }
    feed_grants_init(&grants);
    feed_grants_look(&grants);
    unlink(path);
    struct feed_peer peer = {cases[_i].local, geteuid() + cases[_i].foreign, 1};
    const char *why = feed_grant_control(&grants, &peer);
    if (cases[_i].why == NULL)
        ck_assert_ptr_null(why);
    else
        ck_assert_msg(why != NULL && strstr(why, cases[_i].why) != NULL, "%s", why);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("grant");
    tap_add_loop(s, "reads what the kernel says", reads_what_the_kernel_says, TAP_ROWS(peers));
    tap_add_loop(s, "grants control", grants_control, TAP_ROWS(cases));
    return s;
}

TAP_MAIN(suite)

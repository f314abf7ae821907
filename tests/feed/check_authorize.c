/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_authorize.c: identity and rights of a peer.
 */
#include "tap.h"

#include "feed/publisher/record/authorize.h"
#include "feed/shared/site_policy.h"
#include "feed/shared/site_policy_path.h"

static const struct {
    const char *address;
    struct publisher_peer peer;
} peers[] = {
    {"localhost:1000:100:4711", {.local = true, .user = 1000, .pid = 4711}},
    {":0:0:1", {.local = true, .user = 0, .pid = 1}},
    {"localhost:4294967295:0:2", {.local = true, .user = 4294967295u, .pid = 2}},
    {"", {.local = false, .user = 0, .pid = 0}},
    {NULL, {.local = false, .user = 0, .pid = 0}},
    {"127.0.0.1", {.local = false, .user = 0, .pid = 0}},
    {"::1", {.local = false, .user = 0, .pid = 0}},
    {"::1:2:3", {.local = false, .user = 0, .pid = 0}},
    {"fe80::1:0:0:4711", {.local = false, .user = 0, .pid = 0}},
    {"10.0.0.1:0:0:4711", {.local = false, .user = 0, .pid = 0}},
    {"localhost", {.local = false, .user = 0, .pid = 0}},
    {"localhost:0:0", {.local = false, .user = 0, .pid = 0}},
    {"localhost:0:0:4711:1", {.local = false, .user = 0, .pid = 0}},
    {"localhost:0:0:x", {.local = false, .user = 0, .pid = 0}},
};

START_TEST(peer_addresses_are_parsed)
{
    struct publisher_peer peer = {.local = true, .user = 7, .pid = 7};
    publisher_peer_read(&peer, peers[_i].address);
    ck_assert_int_eq(peer.local, peers[_i].peer.local);
    ck_assert_uint_eq(peer.user, peers[_i].peer.user);
    ck_assert_uint_eq(peer.pid, peers[_i].peer.pid);
}
END_TEST

static const struct {
    const char *environment; /* PROFTOP_CONTROL, or NULL */
    const char *site;        /* content of the site's file, or NULL: no file */
    bool local, foreign;
    const char *why; /* a word of the reason; NULL: granted */
    unsigned may;    /* rights of its key */
} cases[] = {
    {NULL, NULL, true, false, NULL, 0},
    {"1", NULL, true, false, NULL, 0},
    {"", NULL, true, false, NULL, 0},
    {"0", NULL, true, false, "PROFTOP_CONTROL=0", 0},
    {"0", NULL, false, true, "PROFTOP_CONTROL=0", 0},
    {NULL, NULL, false, false, "Unix sockets", 0},
    {NULL, NULL, true, true, "own user", 0},
    {NULL, NULL, false, false, NULL, SHARED_MAY_READ | SHARED_MAY_CONTROL},
    {NULL, NULL, false, false, "read and not control", SHARED_MAY_READ},
    {NULL, NULL, false, false, "read and not control", SHARED_MAY_PUBLISH},
    {NULL, "control = no\n", false, false, "administrator", SHARED_MAY_CONTROL},
    {"0", NULL, false, false, "PROFTOP_CONTROL=0", SHARED_MAY_CONTROL},
    {NULL, "control = no\n", true, false, "administrator", 0},
    {NULL, "control = yes\n", true, false, NULL, 0},
    {NULL, "contrl = no\n", true, false, "administrator", 0},
};

/* The test's file replaces the program's own. */
static char path[256];
const char *shared_site_path(void)
{
    return path;
}

START_TEST(grants_control)
{
    struct publisher_authorization grants;
    snprintf(path, sizeof path, "%s/site.conf", getenv("TMPDIR"));
    FILE *file = cases[_i].site != NULL ? fopen(path, "w") : NULL;
    if (file != NULL) {
        fputs(cases[_i].site, file);
        fclose(file);
    }
    publisher_authorization_init(&grants, cases[_i].environment);
    publisher_authorization_look(&grants);
    unlink(path);
    struct publisher_peer peer = {.local = cases[_i].local,
                                  .user = geteuid() + cases[_i].foreign,
                                  .pid = 1,
                                  .may = cases[_i].may};
    const char *why = publisher_authorize_control(&grants, &peer);
    if (cases[_i].why == NULL)
        ck_assert_ptr_null(why);
    else
        ck_assert_msg(why != NULL && strstr(why, cases[_i].why) != NULL, "%s", why);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("grant");
    tap_add_loop(s, "reads what the kernel says", peer_addresses_are_parsed, TAP_ROWS(peers));
    tap_add_loop(s, "grants control", grants_control, TAP_ROWS(cases));
    return s;
}

TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_session.c: the registry is read again after each change, also after one that comes during a
 * read. check_pty.c tests the rest of a session.
 */
#include "config.h"

#include <fcntl.h>

#include "../tap.h"
#include "tui/app/session.h"

#define PATIENCE_NS (10 * UINT64_C(1000000000))

static char place[256];

static void change(const char *name)
{
    char path[400];
    snprintf(path, sizeof path, "%s/%s", place, name);
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    ck_assert_int_ge(fd, 0);
    close(fd);
}

/* True if a change is noticed before the next periodic read of the registry. */
static bool is_told(struct tui_session *session, uint64_t wait_ns)
{
    session->look_ns = UINT64_MAX;
    return tui_session_wait(session, false, tui_session_now() + wait_ns) & TUI_EVENT_JOBS;
}

START_TEST(change_during_a_look_is_signalled_again)
{
    const struct tui_options options = {0};
    struct tui_session session;
    char why[256];
    setenv("PROFTOP_DIR", tap_folder(place, sizeof place, "session"), 1);
    ck_assert_msg(tui_session_open(&session, &options, why, sizeof why), "%s", why);
    tui_session_watch(&session, true);
    ck_assert(!is_told(&session, 1));
    change("1-2.info");
    ck_assert(is_told(&session, PATIENCE_NS));
    change("3-4.info"); /* a file after those already read, as far as we know */
    ck_assert(tui_session_look(&session));
    ck_assert(is_told(&session, PATIENCE_NS));
    while (is_told(&session, 1)) /* one change may arrive as two events */
        continue;
    ck_assert(tui_session_look(&session)); /* reading is no change */
    ck_assert(!is_told(&session, 1));
    tui_session_close(&session);
    tap_remove(place);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("session");
    tap_add(s, "change_during_a_look_is_signalled_again", change_during_a_look_is_signalled_again);
    return s;
}

TAP_MAIN(suite)

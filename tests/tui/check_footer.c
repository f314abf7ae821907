/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_footer.c: tests tui/ui/footer.c, by the messages that an app's keys leave there.
 */
#include "config.h"

#include "held.h"

static const struct {
    const char *keys, *footer;
} footers[] = {
    {"", " F1Help F10Quit EnterDig F6Sort F3Find F4Filter SpacePause F7Interval F9Fn\n"},
    {"?", " F1Help F10Quit PgDnPage EscClose SpacePause\n"},
    {"d", " F1Help F10Quit PgDnPage RightExplain EscClose SpacePause\n"},
    {",", " F10Quit PgDnPage EnterChoose EscClose\n"},
};

START_TEST(footers_name_the_keys_that_work)
{
    type(footers[_i].keys);
    const char *text = draw(24, 80);
    size_t size = strlen(text), length = strlen(footers[_i].footer);
    ck_assert_uint_ge(size, length);
    ck_assert_str_eq(text + size - length, footers[_i].footer);
}
END_TEST

/* A long message takes the lines above while it is shown. */
START_TEST(a_long_word_is_not_cut)
{
    tui_app_message(&app, false,
                    "attached to PyTensor 2.31.7: 12 functions with 1234 nodes, in 59 ms "
                    "of its main thread; it stood still for 2.83 ms");
    const char *screen = draw(24, 80);
    const char *more = strstr(screen, "\n main thread; it stood still for 2.83 ms\n");
    ck_assert_ptr_nonnull(more);
    ck_assert_ptr_nonnull(strstr(
        screen, "\n attached to PyTensor 2.31.7: 12 functions with 1234 nodes, in 59 ms of its\n"));
    ck_assert_ptr_null(strstr(screen, "F1Help"));
    ck_assert_ptr_nonnull(strstr(draw(24, 120), "2.83 ms\n"));
    /* It takes no more lines than it needs, and not all of a small screen. */
    draw(2, 20);
    draw(8, 20);
    ck_assert_ptr_nonnull(strstr(draw(8, 20), "attached to"));
    type("z");
    ck_assert_ptr_null(strstr(draw(24, 80), "main thread"));
    ck_assert_ptr_nonnull(strstr(draw(24, 80), "F1Help"));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("footer");
    add(s, "footers", footers_name_the_keys_that_work, TAP_ROWS(footers));
    add(s, "long_word", a_long_word_is_not_cut, 1);
    return s;
}

TAP_MAIN(suite)

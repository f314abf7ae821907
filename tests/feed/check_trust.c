/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_trust.c: a path that others could change is not trusted, whichever component it is.
 */
#include "config.h"

#include "feed/viewer/launch/trust.h"

#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../tap.h"

enum { FOREIGN = 65534, SAME = 0, AWAY = 1 };
#define ALL VIEWER_TRUST_FOLDER
#define ONE VIEWER_TRUST_FILE

/* top/in/below/file, all 0755 and owned by us, and top/link, a link to top/in. One component is
 * changed. An empty sentence: trusted. */
static const struct {
    const char *part;
    mode_t mode;
    int owner; /* AWAY: given to another user, or group */
    int group;
    const char *path;
    enum viewer_trust what;
    const char *says;
} cases[] = {
    {"top/in", 0755, SAME, SAME, "top/in", ALL, ""},
    {"top/in", 0755, SAME, SAME, "top/link", ALL, ""},
    {"top", 0777, SAME, SAME, "top/in", ALL, "/top can be written by everybody (mode 0777)"},
    {"top", 0777, SAME, SAME, "top/link", ALL, "/top can be written by everybody (mode 0777)"},
    {"top", 01777, SAME, SAME, "top/in", ALL, ""},
    {"top/in", 01777, SAME, SAME, "top/in", ALL, "/top/in can be written by everybody"},
    {"top/in", 01777, SAME, SAME, "top/in/below/file", ONE, ""},
    {"top/in/below", 01777, SAME, SAME, "top/in", ALL, "/below can be written by everybody"},
    {"top/in/below/file", 0646, SAME, SAME, "top/in", ALL, "/file can be written by everybody"},
    {"top/in/below/file", 0646, SAME, SAME, "top/in/below/file", ONE, "chmod o-w it"},
    {"top/in/below/file", 0646, SAME, SAME, "top/in", ONE, ""},
    {"top", 0755, AWAY, SAME, "top/in", ALL, "/top belongs to user 65534"},
    {"top", 01777, AWAY, SAME, "top/in", ALL, "/top belongs to user 65534"},
    {"top/in/below", 0755, AWAY, SAME, "top/in", ALL, "/below belongs to user 65534"},
    {"top/in/below/file", 0644, AWAY, SAME, "top/in", ALL, "/file belongs to user 65534"},
    {"top/link", 0, AWAY, SAME, "top/in", ALL, ""},
    {"top", 0775, SAME, AWAY, "top/in", ALL, "/top can be written by its group (mode 0775)"},
    {"top/in/below/file", 0664, SAME, AWAY, "top/in", ALL, "/file can be written by its group"},
    {"top/in/below/file", 0664, SAME, AWAY, "top/in", ALL, "chmod g-w it"},
    {"top", 0755, SAME, AWAY, "top/in", ALL, ""},
    {"top", 0755, SAME, SAME, "top/none/at/all", ONE, "can't be looked at: No such file"},
    {"top", 0755, SAME, SAME, "top/none/at/all", VIEWER_TRUST_ABSENT, ""},
    {"top", 01777, SAME, SAME, "top/none/at/all", VIEWER_TRUST_ABSENT,
     "(mode 1777), so others could change what would be loaded or run: use a copy"},
    {"top", 01777, SAME, SAME, "top/in/none", VIEWER_TRUST_ABSENT, ""},
    {"top", 01777, SAME, SAME, "top/in/../none", VIEWER_TRUST_ABSENT, "/top can be written by"},
};

static void make_tree(char root[96])
{
    tap_folder(root, 96, "trust");
    ck_assert_int_eq(chdir(root), 0);
    umask(022);
    ck_assert(mkdir("top", 0755) == 0 && mkdir("top/in", 0755) == 0 &&
              mkdir("top/in/below", 0755) == 0 && symlink("in", "top/link") == 0);
    int fd = open("top/in/below/file", O_WRONLY | O_CREAT, 0644);
    ck_assert_int_ge(fd, 0);
    close(fd);
}

START_TEST(others_could_change)
{
    char root[96], path[256], whole[SHARED_PATH_MAX] = "", why[480] = "";
    const bool given = cases[_i].owner == AWAY || cases[_i].group == AWAY;
    make_tree(root);
    if (given && geteuid() != 0) {
        printf("# row %d was not tried: only root can give a file to another user\n", _i);
        return;
    }
    if (given)
        ck_assert_int_eq(fchownat(AT_FDCWD, cases[_i].part,
                                  cases[_i].owner == AWAY ? FOREIGN : (uid_t)-1,
                                  cases[_i].group == AWAY ? FOREIGN : (gid_t)-1,
                                  AT_SYMLINK_NOFOLLOW), 0);
    if (cases[_i].mode != 0)
        ck_assert_int_eq(chmod(cases[_i].part, cases[_i].mode), 0);
    snprintf(path, sizeof path, "%s/%s", root, cases[_i].path);
    bool good = viewer_trusted(path, cases[_i].what, whole, why, sizeof why);
    ck_assert_msg(good == (cases[_i].says[0] == 0), "row %d: %s", _i, why);
    ck_assert_msg(strstr(why, cases[_i].says) != NULL, "row %d: %s", _i, why);
    if (good && cases[_i].what == ALL)
        ck_assert_msg(strstr(whole, "/top/in") != NULL, "%s", whole);
}
END_TEST

/* Some systems give each user a group of their own, which may write the user's files. */
START_TEST(a_group_of_ones_own_is_nobody_else)
{
    char root[96], path[256], whole[SHARED_PATH_MAX], why[480];
    const struct passwd *me = getpwuid(geteuid());
    make_tree(root);
    if (me == NULL || me->pw_gid != getegid()) {
        printf("# not tried: this user has no group of his own\n");
        return;
    }
    ck_assert(chmod("top", 0775) == 0 && chmod("top/in", 0775) == 0);
    snprintf(path, sizeof path, "%s/top/in", root);
    ck_assert_msg(viewer_trusted(path, VIEWER_TRUST_FOLDER, whole, why, sizeof why), "%s", why);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("trust");
    tap_add_loop(s, "others could change", others_could_change, TAP_ROWS(cases));
    tap_add(s, "a group of one's own is nobody else", a_group_of_ones_own_is_nobody_else);
    return s;
}

TAP_MAIN(suite)

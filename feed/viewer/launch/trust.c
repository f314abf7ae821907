/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * trust.c: checks each folder from the root to the file to be loaded.
 */
#include "config.h"

#include "feed/viewer/launch/trust.h"

#include <dirent.h>
#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { DEPTH = 8, STAFF = 50 };

/* The user of a check, and the buffer for its sentence. */
struct look {
    uid_t user, root; /* this user; the owner of /, trusted as root: / may be a container's */
    char *why;
    size_t capacity;
};

/* ---------------------------------------------------------------------------------- one of them */

static bool is_name_of(const char *name, uid_t user)
{
    const struct passwd *known = getpwuid(user);
    return known != NULL && strcmp(known->pw_name, name) == 0;
}

/* True if only one user has the group's rights: its members are at most root, this user and the
 * owner of the file, and it is root's group, staff, or the owner's own group. An access list may
 * let in more than the group, so it fails the check. */
static bool is_alone(const struct look *look, const char *path, const struct stat *st)
{
    if (getxattr(path, "system.posix_acl_access", NULL, 0) > 0)
        return false;
    const struct group *group = getgrgid(st->st_gid);
    if (group == NULL)
        return st->st_gid == 0;
    for (char **member = group->gr_mem; *member != NULL; member++)
        if (!is_name_of(*member, 0) && !is_name_of(*member, look->user) &&
            !is_name_of(*member, st->st_uid))
            return false;
    bool staff = st->st_uid == 0 && st->st_gid == STAFF && strcmp(group->gr_name, "staff") == 0;
    if (st->st_gid == 0 || staff)
        return true;
    const struct passwd *owner = getpwuid(st->st_uid);
    return owner != NULL && owner->pw_gid == st->st_gid &&
           strcmp(owner->pw_name, group->gr_name) == 0;
}

/* Checks one file or folder. `passed`: it is a folder above the path, so a sticky one is safe:
 * others can add files there, but not replace ours. */
static bool look_at(const struct look *look, const char *path, bool passed)
{
    static const char instead[] = "so others could change what would be loaded or run";
    struct stat st;
    if (lstat(path, &st) != 0) {
        snprintf(look->why, look->capacity, "%.150s can't be looked at: %s", path,
                 strerror(errno));
        return false;
    }
    const bool sticky = passed && S_ISDIR(st.st_mode) && (st.st_mode & S_ISVTX) != 0;
    if (st.st_uid != 0 && st.st_uid != look->user && st.st_uid != look->root) {
        snprintf(look->why, look->capacity,
                 "%.150s belongs to user %lu, neither to root nor to this user, %s: use a copy in "
                 "folders of your own", path, (unsigned long)st.st_uid, instead);
        return false;
    }
    bool all = (st.st_mode & S_IWOTH) != 0;
    bool group = (st.st_mode & S_IWGRP) != 0 && !is_alone(look, path, &st);
    /* The sentence must not advise chmod on a shared folder such as /tmp. */
    const bool shared = (st.st_mode & S_ISVTX) != 0;
    if ((!all && !group) || sticky || S_ISLNK(st.st_mode))
        return true;
    snprintf(look->why, look->capacity,
             "%.150s can be written by %s (mode %04o), %s: %s%s%suse a copy in folders of your own",
             path, all ? "everybody" : "its group", (unsigned)st.st_mode & 07777, instead,
             shared ? "" : "chmod ", shared ? "" : all ? "o-w" : "g-w", shared ? "" : " it, or ");
    return false;
}

/* Checks a path without links and each folder above it, from the root on. */
static bool look_along(const struct look *look, const char *whole)
{
    char part[PATH_MAX];
    if (!look_at(look, "/", true))
        return false;
    for (const char *at = whole; *at != 0;) {
        const char *end = at + 1 + strcspn(at + 1, "/");
        snprintf(part, sizeof part, "%.*s", (int)(end - whole), whole);
        if (strcmp(part, "/") != 0 && !look_at(look, part, *end != 0))
            return false;
        at = end;
    }
    return true;
}

/* -------------------------------------------------------------------------------- all below it */

static bool look_through(const struct look *look, const char *folder, int depth);

static bool look_at_entry(const struct look *look, const char *path, int depth)
{
    struct stat st;
    if (!look_at(look, path, false) || lstat(path, &st) != 0)
        return false;
    if (S_ISDIR(st.st_mode))
        return look_through(look, path, depth + 1);
    if (!S_ISLNK(st.st_mode))
        return true;
    char *whole = realpath(path, NULL);
    bool good = whole == NULL || look_along(look, whole); /* dangling links are not loaded */
    free(whole);
    return good;
}

static bool look_through(const struct look *look, const char *folder, int depth)
{
    char path[PATH_MAX];
    DIR *dir = depth < DEPTH ? opendir(folder) : NULL;
    if (dir == NULL) {
        snprintf(look->why, look->capacity, "%.150s can't be looked through: %s", folder,
                 depth < DEPTH ? strerror(errno) : "it has too many folders in one another");
        return false;
    }
    bool good = true;
    for (const struct dirent *entry; good && (entry = readdir(dir)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        int size = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        good = size > 0 && size < (int)sizeof path && look_at_entry(look, path, depth);
    }
    closedir(dir);
    return good;
}

/* -------------------------------------------------------------------------------------- a path */

/* Checks the folder in which the first missing part of a path would be made. */
static bool look_where_made(const struct look *look, const char *path)
{
    char part[PATH_MAX], *whole = NULL;
    snprintf(part, sizeof part, "%s", path);
    while (whole == NULL) {
        char *slash = strrchr(part, '/');
        if (slash == NULL)
            return false;
        slash[slash == part] = 0;
        whole = realpath(part, NULL);
    }
    bool good = look_along(look, whole);
    free(whole);
    return good;
}

bool viewer_trusted(const char *path, enum viewer_trust what, char whole[SHARED_PATH_MAX],
                    char *why, size_t capacity)
{
    struct stat top;
    struct look look = {.user = geteuid(), .why = why, .capacity = capacity};
    look.root = stat("/", &top) == 0 ? top.st_uid : 0;
    char *found = realpath(path, NULL);
    if (found == NULL && errno == ENOENT && what == VIEWER_TRUST_ABSENT)
        return look_where_made(&look, path);
    bool good = found != NULL && strlen(found) < SHARED_PATH_MAX;
    if (!good)
        snprintf(why, capacity, "%.150s can't be looked at: %s", path,
                 strerror(found ? ENAMETOOLONG : errno));
    good = good && look_along(&look, found) &&
           (what != VIEWER_TRUST_FOLDER || look_through(&look, found, 0));
    if (good)
        strcpy(whole, found);
    free(found);
    return good;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * plugin_loader.c: loads the library with the loop of the feed's thread. The library lies beside
 * libproftop and has the same version. It is never unloaded, since threads of libzmq may run in it.
 */
#include "config.h"

#include "feed/publisher/record/core.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIBRARY "libproftop-feed-" PACKAGE_VERSION ".so"

/* True if only root, this user, and users who can change libproftop can change the plugin. These
 * users can change this program anyway. Without the check, any user could put a plugin beside a
 * libproftop in /tmp. */
static bool is_kept_as_well(const struct stat *half, const struct stat *library)
{
    const mode_t more = half->st_mode & ~library->st_mode & (S_IWGRP | S_IWOTH);
    const bool owner =
        half->st_uid == 0 || half->st_uid == geteuid() || half->st_uid == library->st_uid;
    return owner && more == 0 &&
           ((half->st_mode & S_IWGRP) == 0 || half->st_gid == library->st_gid);
}

/* Loads the plugin from the folder of libproftop. RTLD_DI_ORIGIN gives the full path, even if
 * libproftop was loaded by a relative path and the program has changed its directory since. */
static void *load(char why[PUBLISHER_WHY_SIZE])
{
    char path[PATH_MAX + sizeof LIBRARY];
    Dl_info here;
    void *map;
    struct stat library = {0}, half;
    if (dladdr1((void *)(uintptr_t)publisher_find_loop, &here, &map, RTLD_DL_LINKMAP) == 0 ||
        dlinfo(map, RTLD_DI_ORIGIN, path) != 0)
        return NULL;
    const size_t folder = strlen(path);
    const char *slash = strrchr(here.dli_fname, '/');
    snprintf(path + folder, sizeof path - folder, "/%s", slash ? slash + 1 : here.dli_fname);
    /* If libproftop is linked into the program, the name is argv[0]. A less privileged caller may
     * have chosen it. */
    if (getauxval(AT_SECURE) != 0 || stat(path, &library) != 0)
        library = (struct stat){.st_uid = geteuid()};
    snprintf(path + folder, sizeof path - folder, "/" LIBRARY);
    if (stat(path, &half) != 0 || is_kept_as_well(&half, &library))
        return dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    snprintf(why, PUBLISHER_WHY_SIZE,
             "%.120s is not loaded: others than those of libproftop could "
             "change it: install the two together",
             path);
    return NULL;
}

publisher_loop *publisher_find_loop(char why[PUBLISHER_WHY_SIZE])
{
    why[0] = 0;
    void *library = load(why);
    void *loop = library == NULL ? NULL : dlsym(library, "proftop_feed_loop");
    const char *error = loop == NULL && why[0] == 0 ? dlerror() : NULL;
    if (loop == NULL && why[0] == 0)
        snprintf(why, PUBLISHER_WHY_SIZE, "the feed's library cannot be loaded: %s",
                 error == NULL ? LIBRARY " is not to be found" : error);
    return (publisher_loop *)(uintptr_t)loop;
}

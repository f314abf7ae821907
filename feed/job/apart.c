/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * apart.c: where the loop of a feed's thread is in a program: in a library of its own beside
 * libproftop, of the same version. It is never unloaded, since threads of libzmq may run in it.
 */
#include "config.h"

#include "core.h"
#include "proftop.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#define LIBRARY "libproftop-feed-" PACKAGE_VERSION ".so"

/* It lies where libproftop does. The linker knows that in full, even where it was given a path from
 * another folder than the program is in now. */
static void *load(void)
{
    char path[PATH_MAX + sizeof LIBRARY];
    Dl_info here;
    void *map;
    if (dladdr1((void *)(uintptr_t)proftop_open, &here, &map, RTLD_DL_LINKMAP) == 0 ||
        dlinfo(map, RTLD_DI_ORIGIN, path) != 0)
        return NULL;
    strcat(path, "/" LIBRARY);
    return dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

feed_loop *feed_loop_find(char why[FEED_WHY_SIZE])
{
    void *library = load();
    void *loop = library == NULL ? NULL : dlsym(library, "proftop_feed_loop");
    const char *error = loop == NULL ? dlerror() : NULL;
    if (loop == NULL)
        snprintf(why, FEED_WHY_SIZE, "the feed's library cannot be loaded: %s",
                 error == NULL ? LIBRARY " is not to be found" : error);
    return (feed_loop *)(uintptr_t)loop;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * demangle.c: asks the C++ library, which PyTorch has loaded, and keeps its answers. */
#include "adapters/torch/demangle.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/common/slots.h"

enum { KEPT = 1024 };
static struct {
    char *mangled, *name;
} kept[KEPT];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the answers */

static unsigned place_of(const char *name)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
    return (unsigned)(hash >> 32) % KEPT;
}

/* abi::__cxa_demangle(): the result is to be freed. */
static char *ask(const char *mangled)
{
    static char *(*demangle)(const char *, char *, size_t *, int *);
    static struct slot_library library;
    int status = 0;
    if (!demangle && slots_library(&library, "libstdc++.so"))
        *(void **)&demangle = dlsym(library.handle, "__cxa_demangle");
    return demangle ? demangle(mangled, NULL, NULL, &status) : NULL;
}

/* "void f<int>(int)" becomes "void f<int>". */
static void cut_parameters(char *name)
{
    size_t at = strlen(name), open = 0;
    if (at == 0 || name[at - 1] != ')')
        return;
    do {
        at--;
        open += name[at] == ')';
        open -= name[at] == '(';
    } while (at > 0 && open > 0);
    if (at > 0)
        name[at] = '\0';
}

const char *demangled(const char *mangled, char *text, size_t size)
{
    if (!mangled || strncmp(mangled, "_Z", 2) != 0) {
        snprintf(text, size, "%s", mangled && *mangled ? mangled : "(no name)");
        return text;
    }
    const unsigned at = place_of(mangled);
    pthread_mutex_lock(&lock);
    if (!kept[at].mangled || strcmp(kept[at].mangled, mangled) != 0) {
        free(kept[at].mangled);
        free(kept[at].name);
        kept[at].name = ask(mangled);
        kept[at].mangled = kept[at].name ? strdup(mangled) : NULL;
        if (kept[at].name)
            cut_parameters(kept[at].name);
    }
    const char *name = kept[at].name ? kept[at].name : mangled;
    snprintf(text, size, "%s", strncmp(name, "void ", 5) == 0 ? name + 5 : name);
    pthread_mutex_unlock(&lock);
    return text;
}

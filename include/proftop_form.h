/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * proftop_form.h: how the calls of the public headers reach the library. Included by proftop.h;
 * programs call nothing here. A prototype of the public headers, PROFTOP_API type name(parameters),
 * becomes
 *
 *   by default        a prototype; the program links libproftop (-lproftop);
 *   PROFTOP_DYNAMIC   a function that calls through a pointer into libproftop.so.0, which
 *                     proftop_open() loads if it is installed. Nothing is linked (with a C library
 *                     older than glibc 2.34: -ldl). If the library lacks the call, it does nothing;
 *   PROFTOP_OFF       a function that does nothing and leaves no instruction behind.
 *
 * proftop_calls.h has the functions of the last two forms; it is made from the prototypes.
 *
 * The pointers of PROFTOP_DYNAMIC are weak and hidden variables, one for each call. So the linker
 * merges the definitions of all files of an executable or shared library, static libraries
 * included. Two shared libraries of one program have their own pointers to the same functions,
 * because the loader maps libproftop once. So headers of different versions do not conflict, and
 * with a library older than the header only single calls are missing.
 */
#if !defined(PROFTOP_H)
#include "proftop.h" /* proftop.h includes this file once its types are defined */
#elif !defined(PROFTOP_FORM_H)
#define PROFTOP_FORM_H

#if defined(PROFTOP_OFF)

/* PROFTOP_FORM keeps the classes of proftop.hpp in different forms apart. */
#define PROFTOP_API                static inline
#define PROFTOP_FORM               off
#define PROFTOP_OPEN_LATE(options) NULL
#define PROFTOP_WHY_OFF            "the program was compiled with PROFTOP_OFF"

#elif defined(PROFTOP_DYNAMIC)

#if !defined(__GNUC__)
#error "PROFTOP_DYNAMIC needs the weak symbols of gcc or clang; link libproftop, or use PROFTOP_OFF"
#endif

#define PROFTOP_API     static inline
#define PROFTOP_FORM    dynamic
#define PROFTOP_LIBRARY "libproftop.so.0"
#define PROFTOP_SHARED  __attribute__((weak, visibility("hidden")))
#define PROFTOP_RARELY  __attribute__((noinline, cold, unused))

PROFTOP_SHARED void *proftop_library;       /* from dlopen(); NULL: not loaded */
PROFTOP_SHARED const char *proftop_unasked; /* why it is not loaded, if known */

/* Looks up a function of libproftop by name, once. Stores its address in `*at`, or `at` itself if
 * it is missing. If this file loaded no library, it searches a copy that is already in the process:
 * the feed came from there. */
PROFTOP_RARELY static void *proftop_seek(void **at, const char *name)
{
    void *library = __atomic_load_n(&proftop_library, __ATOMIC_ACQUIRE);
    if (library == NULL)
        library = dlopen(PROFTOP_LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    void *found = library != NULL ? dlsym(library, name) : NULL;
    __atomic_store_n(at, found != NULL ? found : (void *)at, __ATOMIC_RELEASE);
    return found;
}

/* The address of a call, or NULL. Two tests at most if the feed is NULL or the call is known. */
static inline void *proftop_found(void **at, const char *name, const void *feed)
{
    void *known = __atomic_load_n(at, __ATOMIC_ACQUIRE);
    if (known != NULL)
        return known == (void *)at ? NULL : known;
    return feed != NULL ? proftop_seek(at, name) : NULL;
}

/* An environment variable; NULL in a setuid program, whose caller controls the environment. As
 * secure_getenv(), which some programs' headers do not declare. */
PROFTOP_RARELY static const char *proftop_variable(const char *name)
{
    return getauxval(AT_SECURE) != 0 ? NULL : getenv(name);
}

/* Loads the library and calls its proftop_open(), unless the environment forbids it or, with
 * PROFTOP_IF_ASKED, does not ask for it. Threads may do so at once: dlopen() returns the same
 * handle. The library is never unloaded. */
PROFTOP_RARELY static struct proftop *proftop_open_late(const struct proftop_options *options)
{
    struct proftop *(*open_feed)(const struct proftop_options *);
    const char *word = proftop_variable("PROFTOP");
    const char *why = NULL;
    void *library = NULL, *found = NULL;
    int given = options != NULL && options->size >= sizeof(size_t) + sizeof options->flags;
    int if_asked = given && (options->flags & PROFTOP_IF_ASKED) != 0;
    if (word != NULL && word[0] == '0' && word[1] == 0)
        why = "PROFTOP=0 in the environment keeps every feed off";
    else if (if_asked && (word == NULL || word[0] != '1' || word[1] != 0))
        why = "nobody asked for the feed: set PROFTOP=1, or start the program with `proftop run`";
    else if ((library = dlopen(PROFTOP_LIBRARY, RTLD_NOW | RTLD_LOCAL)) == NULL)
        why = PROFTOP_LIBRARY " could not be loaded: install libproftop; LD_DEBUG=libs says where "
                              "it was looked for";
    else if ((found = dlsym(library, "proftop_open")) == NULL)
        why = PROFTOP_LIBRARY " lacks proftop_open: it is not the library of proftop";
    __atomic_store_n(&proftop_unasked, why, __ATOMIC_RELEASE);
    if (why != NULL)
        return NULL;
    __atomic_store_n(&proftop_library, library, __ATOMIC_RELEASE);
    __builtin_memcpy(&open_feed, &found, sizeof open_feed);
    return open_feed(options);
}

/* The reason why there is no feed while there is no library. */
PROFTOP_RARELY static const char *proftop_why_off(void)
{
    const char *why = __atomic_load_n(&proftop_unasked, __ATOMIC_ACQUIRE);
    return why != NULL ? why : "there is no feed";
}

#define PROFTOP_OPEN_LATE(options) proftop_open_late(options)
#define PROFTOP_WHY_OFF            proftop_why_off()

#else

#define PROFTOP_FORM linked
#if defined(__GNUC__)
#define PROFTOP_API __attribute__((visibility("default"), nothrow))
#else
#define PROFTOP_API
#endif

#endif

/* With PROFTOP_USDT: a probe for bpftrace, perf or SystemTap. It is one nop, and a note with its
 * address and the locations of the values. */
#if defined(PROFTOP_USDT) && !defined(PROFTOP_OFF)
#define PROFTOP_PROBE(name, id, feed) DTRACE_PROBE2(proftop, name, id, feed)
#else
#define PROFTOP_PROBE(name, id, feed) ((void)0)
#endif

#endif

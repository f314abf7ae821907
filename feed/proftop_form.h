/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * proftop_form.h: how the calls of the public headers reach the library. Included by proftop.h;
 * nothing here is called by programs.
 *
 * PROFTOP_FN(type, value_when_off, name, parameters, arguments) declares a call that returns
 * something, PROFTOP_PROC(name, parameters, arguments) one that does not. They become
 *
 *   by default        a prototype; the program links libproftop (-lproftop);
 *   PROFTOP_DYNAMIC   a function that calls through a pointer into libproftop.so.0, which
 *                     proftop_open() loads when it is there. Nothing is linked (with a C library
 *                     older than glibc 2.34: -ldl). What is not there returns value_when_off;
 *   PROFTOP_OFF       a function that returns value_when_off: not an instruction is left of it.
 *
 * The pointers of PROFTOP_DYNAMIC are weak and hidden variables, one for each call, so the linker
 * makes one of all that the files of an executable or of a shared library define, static libraries
 * among them. Two shared libraries of one program have pointers of their own, to the same
 * functions: the loader maps libproftop once. So headers of different versions cannot get into
 * each other's way, and a library that is older than the header lacks single calls, not all.
 */
#if !defined(PROFTOP_H)
#include "proftop.h" /* which includes this file where its types are known */
#elif !defined(PROFTOP_FORM_H)
#define PROFTOP_FORM_H

#if defined(__GNUC__)
#define PROFTOP_API __attribute__((visibility("default"), nothrow))
#else
#define PROFTOP_API
#endif

#if defined(PROFTOP_OFF) /* ------------------------------------------------------- compiled out */

/* The sizeof uses the arguments without evaluating them. */
#define PROFTOP_FN(type, value_when_off, name, parameters, arguments)                             \
    static inline type name parameters                                                            \
    {                                                                                             \
        (void)sizeof(name arguments);                                                             \
        return value_when_off;                                                                    \
    }                                                                                             \
    struct proftop
#define PROFTOP_PROC(name, parameters, arguments)                                                 \
    static inline void name parameters                                                            \
    {                                                                                             \
        (void)sizeof((name arguments, 0));                                                        \
    }                                                                                             \
    struct proftop
#define PROFTOP_OPEN_LATE(options) NULL
#define PROFTOP_WHY_OFF            "the program was compiled with PROFTOP_OFF"

#elif defined(PROFTOP_DYNAMIC) /* -------------------------------------------- loaded when there */

#if !defined(__GNUC__)
#error "PROFTOP_DYNAMIC needs the weak symbols of gcc or clang; link libproftop, or use PROFTOP_OFF"
#endif

#include <dlfcn.h>
#include <stdlib.h>

#define PROFTOP_LIBRARY "libproftop.so.0"
#define PROFTOP_SHARED  __attribute__((weak, visibility("hidden")))
#define PROFTOP_RARELY  __attribute__((noinline, cold, unused))

PROFTOP_SHARED void *proftop_library;       /* from dlopen(); NULL: not loaded */
PROFTOP_SHARED const char *proftop_unasked; /* why it is not, if that is known */

/* Looks for a call once. `*at` becomes its address, or, if the library lacks it, its own. */
PROFTOP_RARELY static void *proftop_seek(void **at, const char *name)
{
    void *library = __atomic_load_n(&proftop_library, __ATOMIC_ACQUIRE);
    void *found = dlsym(library, name);
    __atomic_store_n(at, found != NULL ? found : (void *)at, __ATOMIC_RELEASE);
    return found;
}

/* The address of a call, or NULL: two tests of flags that rarely change. */
static inline void *proftop_found(void **at, const char *name)
{
    void *known = __atomic_load_n(at, __ATOMIC_ACQUIRE);
    if (known != NULL)
        return known == (void *)at ? NULL : known;
    if (__atomic_load_n(&proftop_library, __ATOMIC_RELAXED) == NULL)
        return NULL;
    return proftop_seek(at, name);
}

/* Loads the library unless the environment forbids or, with PROFTOP_IF_ASKED, does not ask.
 * Threads may do so at the same time: dlopen() gives each the same. It is never unloaded. 1: it is
 * there. */
PROFTOP_RARELY static int proftop_load(const struct proftop_options *options)
{
    const char *word = getenv("PROFTOP");
    const char *why = NULL;
    void *library = NULL;
    int given = options != NULL && options->size >= sizeof(size_t) + sizeof options->flags;
    int if_asked = given && (options->flags & PROFTOP_IF_ASKED) != 0;
    if (word != NULL && word[0] == '0' && word[1] == 0)
        why = "PROFTOP=0 in the environment keeps every feed off";
    else if (if_asked && (word == NULL || word[0] != '1' || word[1] != 0))
        why = "nobody asked for the feed: set PROFTOP=1, or start the program with `proftop run`";
    else if ((library = dlopen(PROFTOP_LIBRARY, RTLD_NOW | RTLD_LOCAL)) == NULL)
        why = PROFTOP_LIBRARY " could not be loaded: install libproftop; LD_DEBUG=libs says where "
                              "it was looked for";
    else if (dlsym(library, "proftop_open") == NULL)
        why = PROFTOP_LIBRARY " lacks proftop_open: it is not the library of proftop";
    __atomic_store_n(&proftop_unasked, why, __ATOMIC_RELEASE);
    if (why == NULL)
        __atomic_store_n(&proftop_library, library, __ATOMIC_RELEASE);
    return why == NULL;
}

/* Why there is no feed while there is no library. */
PROFTOP_RARELY static const char *proftop_why_off(void)
{
    const char *why = __atomic_load_n(&proftop_unasked, __ATOMIC_ACQUIRE);
    return why != NULL ? why : "no feed was opened";
}

/* memcpy(), since ISO C has no cast from a pointer to data to one to a function. */
#define PROFTOP_FN(type, value_when_off, name, parameters, arguments)                             \
    PROFTOP_SHARED void *name##_at;                                                               \
    static inline type name parameters                                                            \
    {                                                                                             \
        type(*proftop_call) parameters;                                                           \
        void *proftop_at = proftop_found(&name##_at, #name);                                      \
        if (proftop_at == NULL)                                                                   \
            return value_when_off;                                                                \
        __builtin_memcpy(&proftop_call, &proftop_at, sizeof proftop_call);                        \
        return proftop_call arguments;                                                            \
    }                                                                                             \
    struct proftop
#define PROFTOP_PROC(name, parameters, arguments)                                                 \
    PROFTOP_SHARED void *name##_at;                                                               \
    static inline void name parameters                                                            \
    {                                                                                             \
        void(*proftop_call) parameters;                                                           \
        void *proftop_at = proftop_found(&name##_at, #name);                                      \
        if (proftop_at == NULL)                                                                   \
            return;                                                                               \
        __builtin_memcpy(&proftop_call, &proftop_at, sizeof proftop_call);                        \
        proftop_call arguments;                                                                   \
    }                                                                                             \
    struct proftop
#define PROFTOP_OPEN_LATE(options) (proftop_load(options) ? proftop_open(options) : NULL)
#define PROFTOP_WHY_OFF            proftop_why_off()

#else /* ----------------------------------------------------------------------------- linked */

#define PROFTOP_FN(type, value_when_off, name, parameters, arguments)                             \
    PROFTOP_API type name parameters
#define PROFTOP_PROC(name, parameters, arguments) PROFTOP_API void name parameters

#endif
#endif

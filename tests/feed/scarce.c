/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * scarce.c: allocations that fail. The linker replaces the real functions by those below.
 */
#include "config.h"

#include "scarce.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
char *__real_strndup(const char *text, size_t size);
int __real_scandir(const char *path, struct dirent ***list, int (*keeps)(const struct dirent *),
                   int (*order)(const struct dirent **, const struct dirent **));
void *__real_mmap(void *at, size_t size, int rights, int flags, int fd, off_t offset);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*main)(void *), void *argument);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
char *__wrap_strndup(const char *text, size_t size);
int __wrap_asprintf(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));
int __wrap_scandir(const char *path, struct dirent ***list, int (*keeps)(const struct dirent *),
                   int (*order)(const struct dirent **, const struct dirent **));
void *__wrap_mmap(void *at, size_t size, int rights, int flags, int fd, off_t offset);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*main)(void *), void *argument);

_Atomic int scarce_asked, scarce_at;
_Atomic bool scarce_from_there;
_Thread_local bool scarce_exempt;
_Thread_local int scarce_mine;

static bool fails(void)
{
    int at = atomic_load(&scarce_at);
    scarce_mine++;
    if (scarce_exempt || at == 0)
        return false;
    int number = atomic_fetch_add(&scarce_asked, 1) + 1;
    bool failed = number == at || (atomic_load(&scarce_from_there) && number > at);
    if (failed)
        errno = ENOMEM;
    return failed;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
    return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return fails() ? NULL : __real_realloc(old, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : __real_aligned_alloc(alignment, size);
}

char *__wrap_strndup(const char *text, size_t size)
{
    return fails() ? NULL : __real_strndup(text, size);
}

int __wrap_asprintf(char **text, const char *format, ...)
{
    if (fails())
        return -1;
    va_list list;
    va_start(list, format);
    int size = vasprintf(text, format, list);
    va_end(list);
    return size;
}

int __wrap_scandir(const char *path, struct dirent ***list, int (*keeps)(const struct dirent *),
                   int (*order)(const struct dirent **, const struct dirent **))
{
    return fails() ? -1 : __real_scandir(path, list, keeps, order);
}

void *__wrap_mmap(void *at, size_t size, int rights, int flags, int fd, off_t offset)
{
    return fails() ? MAP_FAILED : __real_mmap(at, size, rights, flags, fd, offset);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*main)(void *), void *argument)
{
    return fails() ? EAGAIN : __real_pthread_create(thread, attributes, main, argument);
}

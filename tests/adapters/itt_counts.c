/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * itt_counts.c: counts the tasks that a library reports by ITT, as oneDNN does for its primitives.
 * That library loads this file if INTEL_LIBITTNOTIFY64 names it. At the end of the program, the
 * file that ITT_COUNTS names has a line "NAME COUNT" for each kind of task.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN __attribute__((visibility("default")))

/* The part that is read of a collector's object. ittnotify's own code creates such objects, too. */
struct domain {
    volatile int enabled;
    const char *name;
    void *wide;
    int more;
    void *extra, *next;
};
struct word {
    const char *text;
    void *wide;
    int more;
    void *extra, *next;
};
struct identity {
    uint64_t part[3];
};

/* The table passed to a collector. The collector stores its functions there. */
struct entry {
    const char *name;
    void **to;
    void *before, *nothing;
    int group;
};
struct handed {
    unsigned char magic[8];
    unsigned long version[3];
    volatile long begun, locked, counted;
    unsigned char lock[40]; /* pthread_mutex_t */
    void *library, *error;
    const char **names;
    struct entry *entries;
};

/* Kinds of tasks by text: the pointers may be older than this library. */
enum { KINDS = 256, TEXT = 64 };
static struct kind {
    char text[TEXT];
    unsigned long begun;
} kinds[KINDS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

SHOWN struct domain *__itt_domain_create(const char *name)
{
    struct domain *domain = calloc(1, sizeof *domain);
    if (domain) {
        domain->enabled = 1;
        domain->name = strdup(name);
    }
    return domain;
}

SHOWN struct word *__itt_string_handle_create(const char *text)
{
    struct word *word = calloc(1, sizeof *word);
    if (word)
        word->text = strdup(text);
    return word;
}

SHOWN void __itt_task_begin(const struct domain *domain, struct identity task,
                            struct identity parent, const struct word *name)
{
    (void)domain, (void)task, (void)parent;
    if (!name || !name->text || !name->text[0])
        return;
    pthread_mutex_lock(&lock);
    unsigned at = 0;
    while (at < KINDS - 1 && kinds[at].text[0] &&
           strncmp(kinds[at].text, name->text, TEXT - 1) != 0)
        at++;
    if (!kinds[at].text[0])
        strncpy(kinds[at].text, name->text, TEXT - 1);
    kinds[at].begun++;
    pthread_mutex_unlock(&lock);
}

SHOWN void __itt_task_end(const struct domain *domain)
{
    (void)domain;
}

static void tell(void)
{
    const char *path = getenv("ITT_COUNTS");
    FILE *file = path ? fopen(path, "w") : NULL;
    for (unsigned i = 0; file && i < KINDS && kinds[i].text[0]; i++)
        fprintf(file, "%s %lu\n", kinds[i].text, kinds[i].begun);
    if (file)
        fclose(file);
}

SHOWN void __itt_api_init(struct handed *handed, int groups)
{
    static atomic_flag first = ATOMIC_FLAG_INIT;
    Dl_info here;
    (void)groups;
    if (!dladdr((void *)&__itt_api_init, &here))
        return;
    void *self = dlopen(here.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    for (struct entry *entry = handed->entries; self && entry->name; entry++) {
        void *ours = dlsym(self, entry->name);
        *entry->to = ours ? ours : entry->nothing;
    }
    if (!atomic_flag_test_and_set(&first))
        atexit(tell);
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * black_box_file.c: chooses the place of the black box, makes the file, and removes old ones.
 */
#include "config.h"

#include "feed/publisher/transport/black_box_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "feed/publisher/record/clock.h"
#include "feed/publisher/record/lock.h"
#include "feed/shared/black_box_place.h"

/* True if a directory, or the one that it would be made in, lies in memory: a file on a disk would
 * be written to it again and again. */
static bool is_in_memory(const char *place)
{
    char parent[SHARED_PATH_MAX];
    struct statfs fs;
    snprintf(parent, sizeof parent, "%s", place);
    if (statfs(place, &fs) != 0) {
        char *end = strrchr(parent, '/');
        if (end == NULL || end == parent)
            return false;
        *end = 0;
        if (statfs(parent, &fs) != 0)
            return false;
    }
    return fs.f_type == TMPFS_MAGIC || fs.f_type == RAMFS_MAGIC;
}

/* ------------------------------------------------------------------------------------ old files */

/* Removes the oldest files of ended jobs until few are left. */
static void remove_old(const char *place)
{
    struct shared_box_file *file;
    const size_t count = shared_box_files(place, &file);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) /* the newest first */
        if (!shared_box_runs(file[i].pid, file[i].start) && ++kept > SHARED_BOX_OLD)
            unlink(file[i].path);
    free(file);
}

/* --------------------------------------------------------------------------------- the new file */

static void describe(struct publisher_core *core, struct shared_box_head *head)
{
    const struct publisher_identity *me = &core->me;
    publisher_ticks_settle(&core->ticks);
    head->job.pid = me->pid;
    head->job.start = me->start;
    head->job.since_ns = me->since_ns;
    memcpy(head->job.instance, me->instance, sizeof head->job.instance);
    snprintf(head->job.host, sizeof head->job.host, "%s", me->host);
    snprintf(head->job.program, sizeof head->job.program, "%s", me->program);
    snprintf(head->job.framework, sizeof head->job.framework, "%s", me->framework);
    snprintf(head->job.framework_version, sizeof head->job.framework_version, "%s",
             me->framework_version);
    head->opened_tick = core->ticks.opened.tick;
    head->opened_ns = core->ticks.opened.ns;
    head->factor = core->ticks.factor;
}

/* Writes the definitions that a child has from its parent, in the order in which they were made. */
static void define_all(const struct publisher_definitions *definitions)
{
    static const enum publisher_table tables[] = {PUBLISHER_DEF_CLASS, PUBLISHER_DEF_OP,
                                                  PUBLISHER_DEF_FUNCTION, PUBLISHER_DEF_APPLY,
                                                  PUBLISHER_DEF_THREAD};
    enum { TABLES = sizeof tables / sizeof tables[0] };
    uint32_t next[TABLES] = {0};
    for (;;) {
        uint64_t born, least = UINT64_MAX;
        int first = -1;
        for (int i = 0; i < TABLES; i++) {
            if (next[i] >= publisher_definitions_count(definitions, tables[i]))
                continue;
            memcpy(&born, publisher_definitions_row(definitions, tables[i], next[i]), sizeof born);
            first = born < least ? i : first;
            least = born < least ? born : least;
        }
        if (first < 0)
            return;
        publisher_definitions_keep(definitions, tables[first], next[first]++);
    }
}

static void give(struct publisher_core *core, struct publisher_black_box *box)
{
    struct shared_box_head *head = publisher_black_box_head(box);
    describe(core, head);
    publisher_black_box_stamp(box, &core->ticks);
    pthread_mutex_lock(&core->handle->lock);
    core->box = core->definitions.box = box;
    define_all(&core->definitions);
    pthread_mutex_unlock(&core->handle->lock);
    memcpy(head->magic, SHARED_BOX_MAGIC, sizeof SHARED_BOX_MAGIC);
}

/* Returns false with a sentence in `why`. */
static bool make(struct publisher_core *core, const char *place, struct publisher_own_file *file,
                 char *why, size_t capacity)
{
    if (!registry_dir_usable(place, true, why, capacity))
        return false;
    remove_old(place);
    const int size = snprintf(file->path, sizeof file->path, "%s/%llu-%llu-%u%s", place,
                              (unsigned long long)core->me.pid, (unsigned long long)core->me.start,
                              core->number, SHARED_BOX_END);
    if (size < 0 || (size_t)size >= sizeof file->path) {
        snprintf(why, capacity, "%s is too long", place);
        file->path[0] = 0;
        return false;
    }
    unlink(file->path); /* of a feed of this process that was closed without its thread */
    const int fd = open(file->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    struct publisher_black_box *box = fd < 0 ? NULL : publisher_black_box_new(fd, file->path);
    if (box == NULL) {
        snprintf(why, capacity, "%s can't be made: %s", file->path, strerror(errno));
        if (fd >= 0)
            unlink(file->path);
        file->path[0] = 0;
    } else
        publisher_own_file_note(file);
    if (fd >= 0)
        close(fd);
    if (box != NULL)
        give(core, box);
    return box != NULL;
}

void publisher_black_box_open(struct publisher_core *core, struct publisher_own_file *file)
{
    char place[SHARED_BOX_PLACES][SHARED_PATH_MAX], why[SHARED_PATH_MAX + 256] = "";
    const char *setting = secure_getenv("PROFTOP_KEEP");
    if (setting == NULL || strcmp(setting, "1") != 0)
        return;
    const size_t n = shared_box_places(place);
    for (size_t i = 0; i < n; i++)
        if (is_in_memory(place[i]) && make(core, place[i], file, why, sizeof why))
            return;
    char text[sizeof why + 128];
    snprintf(text, sizeof text, "PROFTOP_KEEP=1, but nothing is kept: %s",
             why[0] != 0 ? why
                         : "no directory for it lies in memory (tmpfs); set PROFTOP_DIR to one");
    pthread_mutex_lock(&core->handle->lock);
    publisher_add_notice(core, 1, text);
    pthread_mutex_unlock(&core->handle->lock);
}

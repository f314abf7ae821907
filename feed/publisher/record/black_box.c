/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * black_box.c: allocates pages of the file, and appends definitions to it.
 */
#include "config.h"

#include "feed/publisher/record/black_box.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define SAME(ours, theirs, member)                                                                 \
    _Static_assert(offsetof(struct ours, member) == offsetof(struct theirs, member), "the format")
SAME(shared_box_slot, proftop_slot, calls);
SAME(shared_box_slot, proftop_slot, total);
SAME(shared_box_slot, proftop_slot, min);
SAME(shared_box_slot, proftop_slot, max);
SAME(shared_box_slot, proftop_slot, last);
SAME(shared_box_slot, proftop_slot, untimed);
SAME(shared_box_slot, proftop_slot, aux);
SAME(shared_box_slot, proftop_slot, sequence);
SAME(shared_box_slot, proftop_slot, kind);
SAME(shared_box_slot, proftop_slot, stale);
SAME(shared_box_front, proftop_block, now);
SAME(shared_box_front, proftop_block, ended);
_Static_assert(SHARED_BOX_CHUNK == 1 << PROFTOP_CHUNK_SHIFT, "the format");
_Static_assert((int)SHARED_BOX_FACTOR_SHIFT == (int)PUBLISHER_TICKS_SHIFT, "the format");
_Static_assert(sizeof(struct shared_box_thread) <= SHARED_BOX_PAGE, "it has a page");

/* -------------------------------------------------------------------------------------- the file
 */

/* Allocates the pages of the file from `from` to `to`. A write to a page that the file system has
 * no space for would kill the process, and so would a file above the limit of file sizes. Returns 0
 * or an error number. */
static int reserve(int fd, size_t from, size_t to)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur < to)
        return EFBIG;
    int error;
    do
        error = fallocate(fd, 0, (off_t)from, (off_t)(to - from)) == 0 ? 0 : errno;
    while (error == EINTR);
    return error;
}

/* Opens the file anew: any thread may come here, and the program's threads have no descriptor of
 * the feed. Returns -1 if it is not there any more. */
static int open_again(const struct publisher_black_box *box)
{
    struct stat st;
    const int fd = open(box->path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (fd >= 0 && fstat(fd, &st) == 0 && st.st_dev == box->device && st.st_ino == box->inode)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

static bool grow(struct publisher_black_box *box, size_t to)
{
    const int before = errno;
    to = (to + PUBLISHER_BOX_STEP - 1) / PUBLISHER_BOX_STEP * PUBLISHER_BOX_STEP;
    const int fd = to > SHARED_BOX_MAX ? -1 : open_again(box);
    if (fd >= 0 && reserve(fd, box->grown, to) == 0)
        box->grown = to;
    if (fd >= 0)
        close(fd);
    errno = before;
    return box->grown >= to;
}

static void miss(struct publisher_black_box *box)
{
    if (!box->forgotten)
        __atomic_fetch_add(&publisher_black_box_head(box)->unkept, 1, __ATOMIC_RELAXED);
}

static struct shared_box_area *area_at(struct publisher_black_box *box, uint32_t at)
{
    return (struct shared_box_area *)(void *)(box->base + SHARED_BOX_HEAD_ROOM) + at;
}

static size_t whole_pages(const struct publisher_black_box *box, size_t size)
{
    return (size + box->page - 1) / box->page * box->page;
}

/* Returns a new area of zeroed pages, or NULL if there is no space. Under the box's lock. */
static struct shared_box_area *take(struct publisher_black_box *box, size_t size)
{
    size = whole_pages(box, size);
    if (box->forgotten || box->areas == SHARED_BOX_AREAS ||
        (box->used + size > box->grown && !grow(box, box->used + size))) {
        miss(box);
        return NULL;
    }
    struct shared_box_area *area = area_at(box, box->areas++);
    area->offset = box->used;
    box->used += size;
    return area;
}

/* Makes the area visible to readers. */
static void put(struct shared_box_area *area, enum shared_box_kind kind, uint32_t block,
                uint32_t at)
{
    area->block = block;
    area->at = at;
    __atomic_store_n(&area->kind, (uint32_t)kind, __ATOMIC_RELEASE);
}

static char *memory_of(struct publisher_black_box *box, const struct shared_box_area *area)
{
    return box->base + area->offset;
}

struct publisher_black_box *publisher_black_box_new(int fd, const char *path)
{
    struct stat st;
    struct publisher_black_box *box = calloc(1, sizeof *box);
    if (box == NULL || strlen(path) >= sizeof box->path || fstat(fd, &st) != 0) {
        free(box);
        return NULL;
    }
    strcpy(box->path, path);
    box->device = st.st_dev;
    box->inode = st.st_ino;
    const long page = sysconf(_SC_PAGESIZE);
    box->page = page > SHARED_BOX_PAGE ? (size_t)page : SHARED_BOX_PAGE;
    box->used = whole_pages(box, SHARED_BOX_FIRST);
    box->grown = PUBLISHER_BOX_STEP;
    box->users = 1;
    const int error = reserve(fd, 0, box->grown);
    box->base = error != 0 ? MAP_FAILED
                           : mmap(NULL, SHARED_BOX_MAX, PROT_READ | PROT_WRITE,
                                  MAP_SHARED | MAP_NORESERVE, fd, 0);
    if (box->base == MAP_FAILED) {
        free(box);
        if (error != 0)
            errno = error;
        return NULL;
    }
    pthread_mutex_init(&box->lock, NULL);
    struct shared_box_head *head = publisher_black_box_head(box);
    head->version = SHARED_BOX_VERSION;
    head->layout = PROFTOP_LAYOUT;
    head->page = box->page;
    return box;
}

void publisher_black_box_release(struct publisher_black_box *box)
{
    if (box == NULL || atomic_fetch_sub_explicit(&box->users, 1, memory_order_acq_rel) != 1)
        return;
    munmap(box->base, SHARED_BOX_MAX);
    pthread_mutex_destroy(&box->lock);
    free(box);
}

/* The child does not read the slots. Its thread still uses the first pages of its blocks, so these
 * keep their contents. */
void publisher_black_box_forget(struct publisher_black_box *box)
{
    const int own = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE;
    box->forgotten = true;
    for (int i = 0; i < PUBLISHER_BOX_FRONTS; i++) {
        void *front = box->front[i];
        void *page = front == NULL ? MAP_FAILED
                                   : mmap(NULL, box->page, PROT_READ | PROT_WRITE,
                                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (page == MAP_FAILED)
            continue;
        memcpy(page, front, box->page);
        mremap(page, box->page, box->page, MREMAP_MAYMOVE | MREMAP_FIXED, front);
    }
    mmap(box->base, SHARED_BOX_MAX, PROT_READ | PROT_WRITE, own, -1, 0);
}

/* --------------------------------------------------------------------------------------- blocks */

bool publisher_black_box_has(const struct publisher_black_box *box, const void *memory)
{
    const uintptr_t at = (uintptr_t)memory, base = box == NULL ? 0 : (uintptr_t)box->base;
    return box != NULL && at >= base && at - base < SHARED_BOX_MAX;
}

void *publisher_black_box_take(struct publisher_black_box *box, enum shared_box_kind kind,
                               uint32_t block, uint32_t at, size_t size)
{
    pthread_mutex_lock(&box->lock);
    struct shared_box_area *area = take(box, size);
    if (area != NULL)
        put(area, kind, block, at);
    pthread_mutex_unlock(&box->lock);
    return area == NULL ? NULL : memory_of(box, area);
}

/* Maps a page of the file also at `to`. mremap() with an old size of 0 duplicates a shared mapping,
 * and needs no descriptor. Not every kernel and tool that imitates Linux has that. */
static bool map_at(const struct publisher_black_box *box, uint64_t offset, void *to)
{
    if (mremap(box->base + offset, 0, box->page, MREMAP_MAYMOVE | MREMAP_FIXED, to) != MAP_FAILED)
        return true;
    const int before = errno, fd = open_again(box);
    const bool mapped = fd >= 0 && mmap(to, box->page, PROT_READ | PROT_WRITE,
                                        MAP_SHARED | MAP_FIXED, fd, (off_t)offset) != MAP_FAILED;
    if (fd >= 0)
        close(fd);
    errno = before;
    return mapped;
}

struct shared_box_thread *publisher_black_box_add(struct publisher_black_box *box, void *front,
                                                  uint32_t *number)
{
    struct shared_box_thread *thread = NULL;
    pthread_mutex_lock(&box->lock);
    int place = 0;
    while (place < PUBLISHER_BOX_FRONTS && box->front[place] != NULL)
        place++;
    struct shared_box_area *area = NULL;
    if (place == PUBLISHER_BOX_FRONTS)
        miss(box);
    else
        area = take(box, 2 * box->page);
    if (area != NULL && map_at(box, area->offset, front)) {
        box->front[place] = front;
        atomic_fetch_add_explicit(&box->users, 1, memory_order_relaxed);
        *number = box->blocks++;
        thread = (void *)(memory_of(box, area) + box->page);
        put(area, SHARED_BOX_THREAD, *number, 0);
    } else if (area != NULL)
        miss(box);
    pthread_mutex_unlock(&box->lock);
    return thread;
}

void publisher_black_box_drop(struct publisher_black_box *box, const void *front)
{
    for (int i = 0; box != NULL && i < PUBLISHER_BOX_FRONTS; i++)
        if (box->front[i] == front)
            box->front[i] = NULL;
}

/* -------------------------------------------------------------------------------------- the log */

static size_t size_of(const struct publisher_box_record *record)
{
    size_t size = sizeof(struct shared_box_record) +
                  shared_box_numbers(record->table) * sizeof record->number[0];
    for (uint32_t i = 0; i < shared_box_texts(record->table); i++)
        size += sizeof(uint32_t) + record->text[i].size;
    return (size + 7) / 8 * 8;
}

static char *append(char *to, const void *from, size_t size)
{
    if (size != 0)
        memcpy(to, from, size);
    return to + size;
}

static void write_record(char *to, const struct publisher_box_record *record, size_t size)
{
    const struct shared_box_record head = {(uint32_t)size, record->table};
    to = append(to, &head, sizeof head);
    to = append(to, record->number, shared_box_numbers(record->table) * sizeof record->number[0]);
    for (uint32_t i = 0; i < shared_box_texts(record->table); i++) {
        to = append(to, &record->text[i].size, sizeof record->text[i].size);
        to = append(to, record->text[i].data, record->text[i].size);
    }
}

/* Returns the area of the log with space for a record, or NULL. */
static struct shared_box_area *log_for(struct publisher_black_box *box, size_t size)
{
    if (box->log != NULL && box->log->used + size <= SHARED_BOX_LOG_SIZE)
        return box->log;
    pthread_mutex_lock(&box->lock);
    struct shared_box_area *area = take(box, SHARED_BOX_LOG_SIZE);
    if (area != NULL) {
        put(area, SHARED_BOX_LOG, 0, 0);
        box->log = area;
    }
    pthread_mutex_unlock(&box->lock);
    return area;
}

/* Without its row, a table's later rows would get wrong ids. So nothing follows a row that has no
 * space. */
void publisher_black_box_log(struct publisher_black_box *box,
                             const struct publisher_box_record *record)
{
    if (box->forgotten)
        return;
    const size_t size = size_of(record);
    struct shared_box_area *area = box->full ? NULL : log_for(box, size);
    if (area == NULL) {
        if (box->full)
            miss(box);
        box->full = true;
        return;
    }
    write_record(memory_of(box, area) + area->used, record, size);
    __atomic_store_n(&area->used, area->used + (uint32_t)size, __ATOMIC_RELEASE);
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * registration.c: binds a job's sockets in the registry and keeps its .info file there.
 */
#include "config.h"

#include "feed/protocol/limits.h"
#include "feed/publisher/transport/registration.h"
#include "feed/publisher/transport/resource_check.h"
#include "feed/shared/text_buffer.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zmq.h>

static void unbind_both(struct publisher_registration *a)
{
    publisher_acceptor_close(&a->pub);
    publisher_acceptor_close(&a->ctl);
    a->bound = false;
}

static bool bind_both(struct publisher_registration *a)
{
    a->pub.waits = a->ctl.waits = a->alone ? publisher_resource_waits() : 0;
    if (a->alone && !publisher_resource_descriptors()) { /* a path takes some, and so do the clients
                                                that come by it */
        errno = EMFILE;
        return false;
    }
    a->bound = publisher_acceptor_open(&a->pub) && publisher_acceptor_open(&a->ctl);
    if (!a->bound) {
        int error = errno;
        unbind_both(a);
        errno = error;
    }
    return a->bound;
}

/* Writes the whole text and takes the lock that marks a live job. */
static bool fill(int fd, const char *text, size_t size)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return write(fd, text, size) == (ssize_t)size && fcntl(fd, F_SETLK, &lock) == 0;
}

static void hex(char out[33], const uint8_t bytes[PUBLISHER_INSTANCE_SIZE])
{
    for (size_t i = 0; i < PUBLISHER_INSTANCE_SIZE; i++)
        snprintf(out + 2 * i, 3, "%02x", bytes[i]);
}

#define COPY(to, from)                                                                             \
    do {                                                                                           \
        static_assert(sizeof(to) == sizeof(from), "texts of the file are as long as ours");        \
        memcpy(to, from, sizeof(to));                                                              \
    } while (0)

/* Fills in all but the endpoints. */
static void take_identity(struct registry_info *info, const struct publisher_registration *a)
{
    const struct publisher_identity *me = a->me;
    *info = (struct registry_info){.pid = me->pid, .start = me->start, .since_ns = me->since_ns};
    hex(info->instance, me->instance);
    if (me->has_parent)
        hex(info->parent, me->parent);
    COPY(info->program, me->program);
    COPY(info->framework, me->framework);
    COPY(info->host, me->host);
    COPY(info->token, me->token);
    info->place = a->place;
}

/* Writes a draft under another name first: no reader may see half of it, or find it unlocked. */
static bool write_info(struct publisher_registration *a)
{
    char text[REGISTRY_INFO_MAX], draft[SHARED_ENDPOINT_SIZE];
    struct registry_info info;
    take_identity(&info, a);
    publisher_acceptor_endpoint(info.facts, a->pub.file.path);
    publisher_acceptor_endpoint(info.control, a->ctl.file.path);
    if (a->tcp[0][0] != 0)
        snprintf(info.tcp, sizeof info.tcp, "%s,%s", a->tcp[0], a->tcp[1]);
    info.insecure = a->insecure;
    size_t size = registry_info_format(&info, text, sizeof text);
    snprintf(draft, sizeof draft, "%s.new", a->info.path);
    unlink(draft);
    int fd = size == 0 ? -1 : open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return false;
    if (!fill(fd, text, size) || rename(draft, a->info.path) != 0) {
        int error = errno;
        unlink(draft);
        close(fd);
        errno = error;
        return false;
    }
    if (a->fd >= 0)
        close(a->fd);
    a->fd = fd;
    publisher_own_file_note(&a->info);
    return true;
}

/* Longest tail of a file name, after the place, the pid and the start time: "-", "0" for a draft,
 * the number, and the kind of file. */
enum { NAME_END = sizeof "-04294967295.info" };

/* A number that begins with 0 belongs to no feed, but the file is recognised and removed like a
 * feed's. */
static void name_entrance(struct publisher_acceptor *l, void *socket, const char *base,
                          uint32_t number, const char *kind)
{
    const int most = (int)sizeof l->draft - NAME_END;
    l->socket = socket;
    snprintf(l->file.path, sizeof l->file.path, "%.*s-%u.%s", most, base, number, kind);
    snprintf(l->draft, sizeof l->draft, "%.*s-0%u.%s", most, base, number, kind);
}

/* The first feed of a process has the plain name. */
static void name_info(struct publisher_registration *a, const char *base)
{
    const int most = (int)sizeof a->info.path - NAME_END;
    char number[sizeof "-4294967295"] = "";
    if (a->number != 1)
        snprintf(number, sizeof number, "-%u", a->number);
    snprintf(a->info.path, sizeof a->info.path, "%.*s%s.info", most, base, number);
}

/* False if a path does not fit. */
static bool name_files(struct publisher_registration *a, const char *place)
{
    char base[SHARED_ENDPOINT_MAX];
    int size = snprintf(base, sizeof base, "%s/%llu-%llu", place, (unsigned long long)a->me->pid,
                        (unsigned long long)a->me->start);
    if (size < 0 || size > (int)sizeof base - NAME_END)
        return false;
    name_info(a, base);
    name_entrance(&a->pub, a->facts, base, a->number, "pub");
    name_entrance(&a->ctl, a->control, base, a->number, "ctl");
    return true;
}

static bool open_at(struct publisher_registration *a, const char *place, char *why, size_t capacity)
{
    if (!registry_dir_usable(place, true, why, capacity))
        return false;
    if (!name_files(a, place)) {
        snprintf(why, capacity, "%s is too long for a socket in it", place);
        return false;
    }
    if (!bind_both(a)) {
        snprintf(why, capacity, "a socket can't be bound in %s: %s", place,
                 zmq_strerror(zmq_errno()));
        return false;
    }
    if (!write_info(a)) {
        snprintf(why, capacity, "%s can't be written: %s", a->info.path, strerror(errno));
        unbind_both(a);
        return false;
    }
    return true;
}

static void leave(struct publisher_registration *a)
{
    publisher_own_file_remove(&a->info);
    if (a->bound)
        unbind_both(a);
    if (a->fd >= 0)
        close(a->fd);
    a->fd = -1;
}

bool publisher_registration_close(struct publisher_registration *a)
{
    leave(a);
    const bool pub = publisher_acceptor_release(&a->pub);
    return publisher_acceptor_release(&a->ctl) && pub;
}

void publisher_registration_forget(struct publisher_registration *a)
{
    publisher_own_file_remove(&a->info);
    publisher_own_file_remove(&a->pub.file);
    publisher_own_file_remove(&a->ctl.file);
}

bool publisher_registration_open(struct publisher_registration *a, char *why, size_t capacity)
{
    char place[REGISTRY_DIRS_MAX][SHARED_PATH_MAX];
    size_t n = registry_dirs(place);
    char first[SHARED_ENDPOINT_MAX * 2] = "", taken[SHARED_ENDPOINT_MAX * 2] = "";
    struct stat st;
    a->fd = -1;
    for (size_t i = 0; i < n; i++) {
        if (open_at(a, place[i], why, capacity))
            return true;
        if (i == 0)
            snprintf(first, sizeof first, "%s", why);
        else if (taken[0] == 0 && lstat(place[i], &st) == 0) /* the directory exists: another user
                                                                may have made it first */
            snprintf(taken, sizeof taken, "; %s", why);
    }
    snprintf(why, capacity, "no directory for the feed is usable: %s%s", first, taken);
    shared_make_plain(why);
    return false;
}

void publisher_registration_guard(struct publisher_registration *a)
{
    bool room = publisher_resource_descriptors() && !(a->alone && publisher_resource_crowded());
    if (a->bound && !room) {
        unbind_both(a);
        publisher_acceptor_drop(&a->pub);
        publisher_acceptor_drop(&a->ctl);
        a->crowded++;
    } else if (!a->bound && room)
        bind_both(a);
}

/* Clients that libzmq took since the guard looked count too, so it looks again here. The program
 * may have set another limit. */
static bool admit_at(struct publisher_acceptor *l, uint64_t now_ns)
{
    if (!publisher_acceptor_can_admit(l, now_ns) || publisher_resource_crowded())
        return true;
    l->waits = publisher_resource_waits();
    return publisher_acceptor_admit(l, now_ns);
}

void publisher_registration_admit(struct publisher_registration *a, uint64_t now_ns)
{
    if (a->bound && !(admit_at(&a->pub, now_ns) && admit_at(&a->ctl, now_ns)))
        unbind_both(a);
}

uint64_t publisher_registration_retry_ns(const struct publisher_registration *a)
{
    const uint64_t pub = a->pub.full ? a->pub.again_ns : UINT64_MAX;
    const uint64_t ctl = a->ctl.full ? a->ctl.again_ns : UINT64_MAX;
    return pub < ctl ? pub : ctl;
}

void publisher_registration_descriptors(const struct publisher_registration *a,
                                        int fd[PUBLISHER_LISTENERS])
{
    fd[0] = publisher_acceptor_descriptor(&a->pub);
    fd[1] = publisher_acceptor_descriptor(&a->ctl);
}

/* Remakes the directory of the feed's files if it vanished. False if that fails: a user's runtime
 * directory goes with the last login, and the parent directory with it. */
static bool remake_place(const struct publisher_registration *a)
{
    char place[SHARED_ENDPOINT_MAX], why[256];
    snprintf(place, sizeof place, "%s", a->info.path);
    *strrchr(place, '/') = 0;
    return registry_dir_usable(place, true, why, sizeof why);
}

/* Moves to another directory. Returning viewers look for the job by its file. */
static void move(struct publisher_registration *a)
{
    char why[512];
    leave(a);
    publisher_registration_open(a, why, sizeof why);
}

void publisher_registration_set_rank(struct publisher_registration *a,
                                     const struct shared_rank *place)
{
    const struct shared_rank before = a->place;
    if (before.rank == place->rank && before.size == place->size)
        return;
    a->place = *place;
    /* The check writes a missing file anew. */
    if (publisher_own_file_stands(&a->info) &&
        (!publisher_resource_descriptors() || !write_info(a)))
        a->place = before; /* tried again in a second */
}

void publisher_registration_check(struct publisher_registration *a)
{
    bool sockets = !a->bound || (publisher_own_file_stands(&a->pub.file) &&
                                 publisher_own_file_stands(&a->ctl.file));
    bool info = publisher_own_file_stands(&a->info);
    if ((sockets && info) || !publisher_resource_descriptors())
        return;
    if (!remake_place(a)) {
        move(a);
        return;
    }
    if (!sockets) {
        unbind_both(a);
        bind_both(a);
    }
    if (!info)
        write_info(a);
}

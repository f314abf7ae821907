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

static void unbind_both(struct feed_announce *a)
{
    feed_entrance_close(&a->pub);
    feed_entrance_close(&a->ctl);
    a->bound = false;
}

static bool bind_both(struct feed_announce *a)
{
    a->pub.waits = a->ctl.waits = a->alone ? feed_room_waits() : 0;
    if (a->alone && !feed_headroom()) { /* an entrance takes some, and then who comes by it */
        errno = EMFILE;
        return false;
    }
    a->bound = feed_entrance_open(&a->pub) && feed_entrance_open(&a->ctl);
    if (!a->bound) {
        int error = errno;
        unbind_both(a);
        errno = error;
    }
    return a->bound;
}

/* Writes the whole text and takes the lock that tells the living from the dead. */
static bool fill(int fd, const char *text, size_t size)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return write(fd, text, size) == (ssize_t)size && fcntl(fd, F_SETLK, &lock) == 0;
}

static void hex(char out[33], const uint8_t bytes[FEED_INSTANCE_SIZE])
{
    for (size_t i = 0; i < FEED_INSTANCE_SIZE; i++)
        snprintf(out + 2 * i, 3, "%02x", bytes[i]);
}

#define COPY(to, from)                                                                             \
    do {                                                                                           \
        static_assert(sizeof(to) == sizeof(from), "texts of the file are as long as ours");        \
        memcpy(to, from, sizeof(to));                                                              \
    } while (0)

/* All but the endpoints. */
static void take_identity(struct feed_info *info, const struct feed_announce *a)
{
    const struct feed_identity *me = a->me;
    *info = (struct feed_info){.pid = me->pid, .start = me->start, .since_ns = me->since_ns};
    hex(info->instance, me->instance);
    if (me->has_parent)
        hex(info->parent, me->parent);
    COPY(info->program, me->program);
    COPY(info->framework, me->framework);
    COPY(info->host, me->host);
    COPY(info->token, me->token);
    info->place = a->place;
}

/* Under another name first, so that nobody reads half of it, or finds it unlocked. */
static bool write_info(struct feed_announce *a)
{
    char text[FEED_INFO_MAX], draft[FEED_ENDPOINT_SIZE];
    struct feed_info info;
    take_identity(&info, a);
    feed_entrance_endpoint(info.facts, a->pub.file.path);
    feed_entrance_endpoint(info.control, a->ctl.file.path);
    if (a->tcp[0][0] != 0)
        snprintf(info.tcp, sizeof info.tcp, "%s,%s", a->tcp[0], a->tcp[1]);
    info.insecure = a->insecure;
    size_t size = feed_info_format(&info, text, sizeof text);
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
    feed_own_file_note(&a->info);
    return true;
}

/* What stands behind the place, our id and our start: "-", "0" for a draft, the number, and what
 * kind of file it is. */
enum { NAME_END = sizeof "-04294967295.info" };

/* A number that begins with 0 is no feed's, but is told and removed like one. */
static void name_entrance(struct feed_entrance *l, void *socket, const char *base, uint32_t number,
                          const char *kind)
{
    const int most = (int)sizeof l->draft - NAME_END;
    l->socket = socket;
    snprintf(l->file.path, sizeof l->file.path, "%.*s-%u.%s", most, base, number, kind);
    snprintf(l->draft, sizeof l->draft, "%.*s-0%u.%s", most, base, number, kind);
}

/* Of several feeds in one process, the first has the plain name. */
static void name_info(struct feed_announce *a, const char *base)
{
    const int most = (int)sizeof a->info.path - NAME_END;
    char number[sizeof "-4294967295"] = "";
    if (a->number != 1)
        snprintf(number, sizeof number, "-%u", a->number);
    snprintf(a->info.path, sizeof a->info.path, "%.*s%s.info", most, base, number);
}

/* False if a path does not fit. */
static bool name_files(struct feed_announce *a, const char *place)
{
    char base[FEED_ENDPOINT_MAX];
    int size = snprintf(base, sizeof base, "%s/%llu-%llu", place, (unsigned long long)a->me->pid,
                        (unsigned long long)a->me->start);
    if (size < 0 || size > (int)sizeof base - NAME_END)
        return false;
    name_info(a, base);
    name_entrance(&a->pub, a->facts, base, a->number, "pub");
    name_entrance(&a->ctl, a->control, base, a->number, "ctl");
    return true;
}

static bool open_at(struct feed_announce *a, const char *place, char *why, size_t capacity)
{
    if (!feed_place_usable(place, true, why, capacity))
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

static void leave(struct feed_announce *a)
{
    feed_own_file_remove(&a->info);
    if (a->bound)
        unbind_both(a);
    if (a->fd >= 0)
        close(a->fd);
    a->fd = -1;
}

bool feed_announce_close(struct feed_announce *a)
{
    leave(a);
    const bool pub = feed_entrance_release(&a->pub);
    return feed_entrance_release(&a->ctl) && pub;
}

void feed_announce_forget(struct feed_announce *a)
{
    feed_own_file_remove(&a->info);
    feed_own_file_remove(&a->pub.file);
    feed_own_file_remove(&a->ctl.file);
}

bool feed_announce_open(struct feed_announce *a, char *why, size_t capacity)
{
    char place[FEED_PLACES_MAX][FEED_PATH_MAX];
    size_t n = feed_places(place);
    char first[FEED_ENDPOINT_MAX * 2] = "", taken[FEED_ENDPOINT_MAX * 2] = "";
    struct stat st;
    a->fd = -1;
    for (size_t i = 0; i < n; i++) {
        if (open_at(a, place[i], why, capacity))
            return true;
        if (i == 0)
            snprintf(first, sizeof first, "%s", why);
        else if (taken[0] == 0 && lstat(place[i], &st) == 0) /* somebody has come before us */
            snprintf(taken, sizeof taken, "; %s", why);
    }
    snprintf(why, capacity, "no directory for the feed is usable: %s%s", first, taken);
    feed_make_plain(why);
    return false;
}

void feed_announce_guard(struct feed_announce *a)
{
    bool room = feed_headroom() && !(a->alone && feed_room_crowded());
    if (a->bound && !room) {
        unbind_both(a);
        feed_entrance_shed(&a->pub);
        feed_entrance_shed(&a->ctl);
        a->crowded++;
    } else if (!a->bound && room)
        bind_both(a);
}

/* Whom libzmq took since the guard looked counts as well: it looks again soon. The program may have
 * set another limit. */
static bool admit_at(struct feed_entrance *l, uint64_t now_ns)
{
    if (!feed_entrance_asked(l, now_ns) || feed_room_crowded())
        return true;
    l->waits = feed_room_waits();
    return feed_entrance_admit(l, now_ns);
}

void feed_announce_admit(struct feed_announce *a, uint64_t now_ns)
{
    if (a->bound && !(admit_at(&a->pub, now_ns) && admit_at(&a->ctl, now_ns)))
        unbind_both(a);
}

uint64_t feed_announce_again_ns(const struct feed_announce *a)
{
    const uint64_t pub = a->pub.full ? a->pub.again_ns : UINT64_MAX;
    const uint64_t ctl = a->ctl.full ? a->ctl.again_ns : UINT64_MAX;
    return pub < ctl ? pub : ctl;
}

void feed_announce_doors(const struct feed_announce *a, int door[FEED_DOORS])
{
    door[0] = feed_entrance_door(&a->pub);
    door[1] = feed_entrance_door(&a->ctl);
}

/* The directory of our files, if it vanished. False if it can't be: the runtime directory of a user
 * goes with the last login, and what stood above ours with it. */
static bool remake_place(const struct feed_announce *a)
{
    char place[FEED_ENDPOINT_MAX], why[256];
    snprintf(place, sizeof place, "%s", a->info.path);
    *strrchr(place, '/') = 0;
    return feed_place_usable(place, true, why, sizeof why);
}

/* Viewers who come again look for the job by its file. */
static void move(struct feed_announce *a)
{
    char why[512];
    leave(a);
    feed_announce_open(a, why, sizeof why);
}

void feed_announce_place(struct feed_announce *a, const struct feed_rank *place)
{
    const struct feed_rank before = a->place;
    if (before.rank == place->rank && before.size == place->size)
        return;
    a->place = *place;
    /* A file that is gone is made anew by the check. */
    if (feed_own_file_stands(&a->info) && (!feed_headroom() || !write_info(a)))
        a->place = before; /* again in a second */
}

void feed_announce_check(struct feed_announce *a)
{
    bool sockets =
        !a->bound || (feed_own_file_stands(&a->pub.file) && feed_own_file_stands(&a->ctl.file));
    bool info = feed_own_file_stands(&a->info);
    if ((sockets && info) || !feed_headroom())
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

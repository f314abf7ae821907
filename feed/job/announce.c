/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * announce.c: binds a job's sockets in the registry and keeps its .info file there.
 */
#include "config.h"

#include "announce.h"
#include "wire/limit.h"
#include "room.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <zmq.h>

static bool is_ours(const struct feed_file *file)
{
    struct stat st;
    return lstat(file->path, &st) == 0 && st.st_dev == file->device && st.st_ino == file->inode;
}

static void note(struct feed_file *file)
{
    struct stat st;
    bool there = lstat(file->path, &st) == 0;
    file->device = there ? st.st_dev : 0;
    file->inode = there ? st.st_ino : 0;
}

static void remove_file(struct feed_file *file)
{
    if (file->path[0] != 0 && is_ours(file))
        unlink(file->path);
}

static void endpoint(char out[FEED_ENDPOINT_SIZE], const struct feed_file *file)
{
    snprintf(out, FEED_ENDPOINT_SIZE, "ipc://%s", file->path);
}

/* Whether somebody listens there: libzmq would take his place without a word. */
static bool is_taken(const struct feed_file *file)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    snprintf(at.sun_path, sizeof at.sun_path, "%s", file->path);
    bool taken =
        fd >= 0 && (connect(fd, (struct sockaddr *)&at, sizeof at) == 0 || errno == EAGAIN);
    if (fd >= 0)
        close(fd);
    return taken;
}

static bool bind_one(void *socket, struct feed_file *file)
{
    char at[FEED_ENDPOINT_SIZE];
    endpoint(at, file);
    errno = EADDRINUSE;
    if (is_taken(file))
        return false;
    if (zmq_bind(socket, at) != 0)
        return false;
    note(file);
    return true;
}

static void unbind_one(void *socket, struct feed_file *file)
{
    char at[FEED_ENDPOINT_SIZE];
    endpoint(at, file);
    zmq_unbind(socket, at);
    remove_file(file);
}

static bool bind_both(struct feed_announce *a)
{
    if (!bind_one(a->facts, &a->pub))
        return false;
    if (!bind_one(a->control, &a->ctl)) {
        unbind_one(a->facts, &a->pub);
        return false;
    }
    a->bound = true;
    return true;
}

static void unbind_both(struct feed_announce *a)
{
    unbind_one(a->facts, &a->pub);
    unbind_one(a->control, &a->ctl);
    a->bound = false;
}

/* Writes the whole text and takes the lock that tells the living from the dead. */
static bool fill(int fd, const char *text, size_t size)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return write(fd, text, size) == (ssize_t)size && fcntl(fd, F_SETLK, &lock) == 0;
}

/* Under another name first, so that nobody reads half of it, or finds it unlocked. */
static bool write_info(struct feed_announce *a)
{
    char text[FEED_INFO_MAX], draft[FEED_ENDPOINT_SIZE];
    struct feed_info info;
    feed_identity_info(a->me, &info);
    endpoint(info.facts, &a->pub);
    endpoint(info.control, &a->ctl);
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
    note(&a->info);
    return true;
}

/* False if a path does not fit. */
static bool name_files(struct feed_announce *a, const char *place)
{
    char base[FEED_ENDPOINT_MAX], plain[FEED_ENDPOINT_MAX];
    int whole = snprintf(plain, sizeof plain, "%s/%llu-%llu", place, (unsigned long long)a->me->pid,
                         (unsigned long long)a->me->start);
    if (whole < 0 || whole >= (int)sizeof plain)
        return false;
    whole = snprintf(base, sizeof base, "%s-%u", plain, a->number);
    if (whole < 0 || whole + 5 > (int)sizeof base)
        return false;
    /* Of several feeds in one process, the first has the plain name. */
    snprintf(a->info.path, sizeof a->info.path, "%.*s.info", (int)sizeof base - 6,
             a->number == 1 ? plain : base);
    snprintf(a->pub.path, sizeof a->pub.path, "%.*s.pub", (int)sizeof base - 5, base);
    snprintf(a->ctl.path, sizeof a->ctl.path, "%.*s.ctl", (int)sizeof base - 5, base);
    return strlen(a->info.path) < sizeof a->info.path - 1;
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

bool feed_announce_open(struct feed_announce *a, char *why, size_t capacity)
{
    char place[FEED_PLACES_MAX][FEED_PATH_MAX];
    size_t n = feed_places(place);
    char first[FEED_ENDPOINT_MAX * 2] = "";
    a->fd = -1;
    for (size_t i = 0; i < n; i++) {
        if (open_at(a, place[i], why, capacity))
            return true;
        if (i == 0)
            snprintf(first, sizeof first, "%s", why);
    }
    snprintf(why, capacity, "no directory for the feed is usable; the first: %s", first);
    return false;
}

void feed_announce_close(struct feed_announce *a)
{
    remove_file(&a->info);
    if (a->bound)
        unbind_both(a);
    if (a->fd >= 0)
        close(a->fd);
    a->fd = -1;
}

void feed_announce_guard(struct feed_announce *a)
{
    bool room = feed_headroom() && !(a->alone && feed_room_crowded());
    if (a->bound && !room) {
        unbind_both(a);
        a->crowded++;
    } else if (!a->bound && room)
        bind_both(a);
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

/* Viewers that are attached stay so: their connections outlive the socket that they came by. */
static void move(struct feed_announce *a)
{
    char why[512];
    feed_announce_close(a);
    feed_announce_open(a, why, sizeof why);
}

void feed_announce_check(struct feed_announce *a)
{
    bool sockets = !a->bound || (is_ours(&a->pub) && is_ours(&a->ctl));
    bool info = is_ours(&a->info);
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

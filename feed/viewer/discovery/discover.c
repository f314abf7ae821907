/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * discover.c: reads the registry directories, and removes the files of jobs that are gone.
 */
#include "config.h"

#include "feed/viewer/discovery/discover.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "feed/viewer/discovery/process_tree.h"
#include "feed/viewer/discovery/unix_sockets.h"
#include "model/text.h"

enum { ORPHAN_S = 10 }; /* a new job has sockets before it has its .info file */

/* One directory that is being read. */
struct place {
    DIR *dir;
    const char *path;
    struct viewer_jobs *jobs;
};

/* Parses `<pid>-<start>.info`, or, for a further feed of the process, `<pid>-<start>-<n>.info`. */
static bool parse_name(const char *name, uint64_t *pid, uint64_t *start)
{
    char *end;
    if (name[0] < '0' || name[0] > '9')
        return false;
    *pid = strtoull(name, &end, 10);
    if (end[0] != '-' || end[1] < '0' || end[1] > '9')
        return false;
    *start = strtoull(end + 1, &end, 10);
    if (end[0] == '-' && end[1] >= '1' && end[1] <= '9')
        strtoull(end + 1, &end, 10);
    return strcmp(end, ".info") == 0;
}

/* Returns the length of the part of a name that identifies the process. */
static size_t stem_of(const char *name)
{
    const char *dash = strchr(name, '-') + 1;
    return (size_t)(dash - name) + strspn(dash, "0123456789");
}

/* Opens the directory once more, so that the caller's own iteration is not disturbed. NULL: it
 * cannot be read. */
static DIR *read_again(const struct place *place)
{
    const int again = openat(dirfd(place->dir), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = again < 0 ? NULL : fdopendir(again);
    if (!dir && again >= 0)
        close(again);
    return dir;
}

/* True for files that a feed makes besides its .info file: sockets and drafts. */
static bool is_of_a_feed(const char *name)
{
    static const char *const tails[] = {".pub", ".ctl", ".new"};
    const char *dot = strrchr(name, '.');
    bool is = false;
    for (unsigned i = 0; i < sizeof tails / sizeof tails[0]; i++)
        is |= dot && strcmp(dot, tails[i]) == 0;
    return is;
}

/* Removes the files of a process that is gone: the sockets of its feeds, then this .info file. */
static void remove_stale(const struct place *place, const char *info_name)
{
    const size_t stem = stem_of(info_name);
    DIR *dir = read_again(place);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        const char *name = entry->d_name;
        if (strncmp(name, info_name, stem) == 0 && name[stem] == '-' && is_of_a_feed(name))
            unlinkat(dirfd(place->dir), name, 0);
    }
    if (dir)
        closedir(dir);
    unlinkat(dirfd(place->dir), info_name, 0);
}

/* True if a feed of the process that owns the file `name` has an .info file, or if that is unknown.
 * Such a process may live where we cannot see it, for example in another pid namespace. */
static bool is_registered(const struct place *place, const char *name)
{
    const size_t stem = stem_of(name);
    DIR *dir = read_again(place);
    bool registered = dir == NULL;
    for (struct dirent *entry; !registered && (entry = readdir(dir));) {
        const char *dot = strrchr(entry->d_name, '.');
        registered = strncmp(entry->d_name, name, stem) == 0 && dot && strcmp(dot, ".info") == 0 &&
                     (entry->d_name[stem] == '-' || entry->d_name[stem] == '.');
    }
    if (dir)
        closedir(dir);
    return registered;
}

/* Removes a file of a process that was killed before it made its .info file, or after it removed
 * it. */
static void remove_orphan(const struct place *place, const char *name)
{
    const int dir = dirfd(place->dir);
    struct stat st;
    char *end;
    if (!is_of_a_feed(name) || name[0] < '0' || name[0] > '9')
        return;
    const uint64_t pid = strtoull(name, &end, 10);
    if (end[0] != '-' || end[1] < '0' || end[1] > '9' ||
        !viewer_process_gone(pid, strtoull(end + 1, NULL, 10)))
        return;
    if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && st.st_uid == geteuid() &&
        (S_ISSOCK(st.st_mode) || S_ISREG(st.st_mode)) && time(NULL) - st.st_mtime > ORPHAN_S &&
        !is_registered(place, name))
        unlinkat(dir, name, 0);
}

/* True if the writer of the file lives: it holds a lock as long as it lives. A forked child does
 * not inherit the lock. */
static bool is_locked(int fd)
{
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    return fcntl(fd, F_GETLK, &lock) != 0 || lock.l_type != F_UNLCK;
}

static ssize_t read_whole(int fd, char *out, size_t capacity)
{
    size_t size = 0;
    ssize_t got;
    while (size < capacity && (got = read(fd, out + size, capacity - size)) != 0) {
        if (got < 0 && errno != EINTR)
            return -1;
        size += got > 0 ? (size_t)got : 0;
    }
    return (ssize_t)size;
}

/* Reads an open file into `info`. False with a sentence in `why`. */
static bool read_info(int fd, struct registry_info *info, char *why, size_t capacity)
{
    char text[REGISTRY_INFO_MAX + 1];
    struct stat st;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_uid != geteuid()) {
        snprintf(why, capacity, "it is not a file of this user");
        return false;
    }
    ssize_t size = read_whole(fd, text, sizeof text);
    if (size < 0 || size > REGISTRY_INFO_MAX) {
        snprintf(why, capacity, size < 0 ? "it cannot be read" : "it is larger than 16 KiB");
        return false;
    }
    return registry_info_parse(text, (size_t)size, info, why, capacity);
}

/* Reads one .info file. A file of this process itself is not opened, because closing it would
 * release the lock. A file without a lock is not removed if its process lives: some code in that
 * process closed the file. False: out of memory. */
static bool read_job(const struct place *place, const char *name)
{
    struct registry_info info;
    uint64_t pid, start;
    char why[200], line[480];
    if (!parse_name(name, &pid, &start) ||
        (pid == (uint64_t)getpid() && start == shared_process_start(pid)))
        return true;
    int fd = openat(dirfd(place->dir), name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT)
        return true;
    snprintf(why, sizeof why, "it cannot be opened: %s", strerror(errno));
    bool alive = fd >= 0 && (is_locked(fd) || !viewer_process_gone(pid, start));
    bool read = fd >= 0 && alive && read_info(fd, &info, why, sizeof why);
    if (fd >= 0)
        close(fd);
    if (fd >= 0 && !alive) {
        remove_stale(place, name);
        return true;
    }
    if (read && (info.pid != pid || info.start != start))
        snprintf(why, sizeof why, "it speaks of another process");
    else if (read && shared_endpoint_is_valid(info.facts, why, sizeof why) &&
             shared_endpoint_is_valid(info.control, why, sizeof why))
        return viewer_jobs_add(place->jobs, &info);
    snprintf(line, sizeof line, "%.150s/%.60s was left out: %s", place->path, name, why);
    viewer_jobs_complain(place->jobs, line);
    return true;
}

static bool is_named(const char *path)
{
    const char *named = getenv("PROFTOP_DIR");
    return named && strcmp(named, path) == 0;
}

/* Complains about a relative PROFTOP_DIR, which registry_dirs() leaves out. A relative path leads
 * to different directories from here and from the job. */
static void refuse_relative(struct viewer_jobs *jobs)
{
    const char *named = getenv("PROFTOP_DIR");
    char safe[160], line[320];
    if (!named || !*named || named[0] == '/')
        return;
    model_text_safe(named, strlen(named), safe, sizeof safe);
    snprintf(line, sizeof line, "PROFTOP_DIR is '%s': it has to be an absolute path", safe);
    viewer_jobs_complain(jobs, line);
    jobs->refused = true;
}

static bool read_place(const char *path, struct viewer_jobs *jobs)
{
    char why[256];
    struct stat st;
    bool good = true;
    if (lstat(path, &st) != 0 && (errno == ENOENT || errno == ENOTDIR))
        return true;
    if (!registry_dir_usable(path, false, why, sizeof why)) {
        viewer_jobs_complain(jobs, why);
        jobs->refused |= is_named(path);
        return true;
    }
    struct place place = {.dir = opendir(path), .path = path, .jobs = jobs};
    if (!place.dir) {
        snprintf(why, sizeof why, "%.150s can't be read: %s", path, strerror(errno));
        viewer_jobs_complain(jobs, why);
        jobs->refused |= is_named(path);
        return true;
    }
    for (struct dirent *entry; good && (entry = readdir(place.dir));)
        good = read_job(&place, entry->d_name);
    rewinddir(place.dir);
    for (struct dirent *entry; good && (entry = readdir(place.dir));)
        remove_orphan(&place, entry->d_name);
    closedir(place.dir);
    return good;
}

/* True if two paths lead to the same directory. */
static bool same_place(const char *a, const char *b)
{
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

/* Reads further directories, where jobs have bound sockets although the environment of this process
 * does not name them. If PROFTOP_DIR is set, the user wants that directory alone. A directory that
 * is not this user's is skipped without a complaint. */
static bool read_bound(char usual[][SHARED_PATH_MAX], size_t count, struct viewer_jobs *jobs)
{
    char place[VIEWER_BOUND_MAX][SHARED_ENDPOINT_MAX], why[256];
    const char *named = getenv("PROFTOP_DIR");
    size_t bound = named && *named ? 0 : viewer_unix_sockets_dirs(place);
    bool good = true;
    for (size_t i = 0; good && i < bound; i++) {
        bool twice = false;
        for (size_t k = 0; k < count; k++)
            twice |= same_place(usual[k], place[i]);
        if (!twice && registry_dir_usable(place[i], false, why, sizeof why))
            good = read_place(place[i], jobs);
    }
    return good;
}

/* True if the process is known to be part of a distributed job. */
static int is_ranked(const struct registry_info *info)
{
    return info->place.role[0] || info->place.rank != UINT64_MAX;
}

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* Order: by machine; distributed jobs behind others, by run token, batch id, role and rank; then by
 * process id and time of registration. */
static int by_place(const void *left, const void *right)
{
    const struct registry_info *a = left, *b = right;
    const int ranked = is_ranked(a) && is_ranked(b);
    const int order[] = {
        strcmp(a->via, b->via),
        is_ranked(a) - is_ranked(b),
        ranked ? strcmp(a->token, b->token) : 0,
        ranked ? strcmp(a->place.batch, b->place.batch) : 0,
        ranked ? strcmp(a->place.role, b->place.role) : 0,
        ranked ? compare(a->place.rank, b->place.rank) : 0,
        compare(a->pid, b->pid),
        compare(a->since_ns, b->since_ns),
    };
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (order[i] != 0)
            return order[i];
    return 0;
}

void viewer_jobs_order(struct viewer_jobs *jobs)
{
    if (jobs->count > 1)
        qsort(jobs->job, jobs->count, sizeof *jobs->job, by_place);
    viewer_process_tree(jobs);
}

bool viewer_discover(struct viewer_jobs *jobs)
{
    char(*place)[SHARED_PATH_MAX] = malloc(REGISTRY_DIRS_MAX * sizeof *place);
    *jobs = (struct viewer_jobs){0};
    refuse_relative(jobs);
    bool good = place != NULL;
    size_t count = good ? registry_dirs(place) : 0;
    for (size_t i = 0; good && i < count; i++) {
        bool twice = false;
        for (size_t k = 0; k < i; k++)
            twice |= same_place(place[k], place[i]);
        good = twice || read_place(place[i], jobs);
    }
    good = good && read_bound(place, count, jobs);
    free(place);
    if (!good) {
        viewer_jobs_release(jobs);
        return false;
    }
    viewer_jobs_order(jobs);
    return true;
}

size_t viewer_job_command(const struct registry_info *info, char *out, size_t capacity)
{
    char path[64];
    struct stat st;
    if (info->command[0] || info->via[0]) {
        size_t size = strnlen(info->command, capacity - 1);
        memcpy(out, info->command, size);
        out[size] = '\0';
        return size;
    }
    snprintf(path, sizeof path, "/proc/%llu/cmdline", (unsigned long long)info->pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool ours = fd >= 0 && fstat(fd, &st) == 0 && st.st_uid == geteuid() &&
                !viewer_process_gone(info->pid, info->start);
    ssize_t got = ours ? read_whole(fd, out, capacity - 1) : 0;
    size_t size = got > 0 ? (size_t)got : 0;
    if (fd >= 0)
        close(fd);
    while (size > 0 && out[size - 1] == '\0')
        size--;
    for (size_t i = 0; i < size; i++)
        if (out[i] == '\0')
            out[i] = ' ';
    out[size] = '\0';
    return size;
}

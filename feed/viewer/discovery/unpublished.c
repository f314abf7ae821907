/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * unpublished.c: searches the processes of this user for frameworks without a feed.
 */
#include "config.h"

#include "feed/viewer/discovery/unpublished.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "feed/shared/site_policy.h"
#include "feed/viewer/discovery/process_tree.h"

enum { ENVIRONMENT_MAX = 256 * 1024 };

/* Frameworks that a library of theirs tells. */
enum { MXNET, TORCH, LIBRARIES };
static const struct {
    const char *file, *name;
} libraries[LIBRARIES] = {
    [MXNET] = {"/libmxnet.so", "MXNet"}, [TORCH] = {"/libtorch_cpu.so", "PyTorch"}};

bool viewer_is_unpublished(const struct registry_info *info)
{
    return info->facts[0] == '\0';
}

/* ------------------------------------------------------------------------- what is mapped there */

/* Results from /proc/PID/maps. */
struct mapped {
    bool vm;      /* the C VM of the Theano family */
    bool own;     /* a part of PyTensor itself */
    bool numba;   /* llvmlite, the compiler of Numba */
    bool sparse;  /* scipy.sparse: PyTensor's use of Numba loads it, Numba alone does not */
    bool library[LIBRARIES];
    bool adapted; /* our adapter */
    char vm_path[SHARED_PATH_MAX];
    char packages[SHARED_PATH_MAX]; /* the folder that NumPy was installed into, or "" */
};

static void look_at(const char *path, struct mapped *found)
{
    const char *numpy = strstr(path, "/numpy/");
    if (strstr(path, "/lazylinker_ext") && !found->vm) {
        found->vm = true;
        snprintf(found->vm_path, sizeof found->vm_path, "%s", path);
    }
    found->own |= strstr(path, "/pytensor/scan/") != NULL;
    found->numba |= strstr(path, "/llvmlite/") != NULL;
    found->sparse |= strstr(path, "/scipy/sparse/") != NULL;
    for (unsigned i = 0; i < LIBRARIES; i++)
        found->library[i] |= strstr(path, libraries[i].file) != NULL;
    found->adapted |= strstr(path, "/_feed.abi3.so") != NULL;
    if (numpy && !found->packages[0])
        snprintf(found->packages, sizeof found->packages, "%.*s", (int)(numpy - path), path);
}

/* False: this user may not read the maps. */
static bool read_maps(const char *pid, struct mapped *found)
{
    char path[64], line[SHARED_PATH_MAX + 128];
    memset(found, 0, sizeof *found);
    snprintf(path, sizeof path, "/proc/%.20s/maps", pid);
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    while (fgets(line, sizeof line, file)) {
        char *name = strchr(line, '/');
        if (name) {
            name[strcspn(name, "\n")] = '\0';
            look_at(name, found);
        }
    }
    fclose(file);
    return true;
}

/* The members of Theano's family: package, name, and default folder of compiled files. */
static const struct {
    const char *package, *name, *place;
} members[] = {
    {"pytensor", "PyTensor", "/.pytensor/"},
    {"aesara", "Aesara", "/.aesara/"},
    {"theano", "Theano", "/.theano/"},
};
enum { MEMBERS = sizeof members / sizeof members[0] };

static bool is_installed(const struct mapped *found, unsigned member)
{
    char path[SHARED_PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/%s", found->packages, members[member].package);
    return found->packages[0] && access(path, F_OK) == 0;
}

/* Returns the member of Theano's family, or NULL if none is recognised. If one package alone is
 * installed there, it is the one. If several are, the folder of the compiled VM decides. */
static const char *member_of(const struct mapped *found)
{
    const char *name = NULL;
    unsigned installed = 0;
    for (unsigned i = 0; i < MEMBERS; i++)
        if (is_installed(found, i)) {
            name = members[i].name;
            installed++;
        }
    for (unsigned i = 0; found->vm && installed != 1 && i < MEMBERS; i++)
        if (strstr(found->vm_path, members[i].place))
            return members[i].name;
    if (found->own)
        return members[0].name;
    if (found->vm)
        return installed == 1 ? name : "Theano family";
    return found->numba && found->sparse && is_installed(found, 0) ? "PyTensor?" : NULL;
}

/* Lists all frameworks found; "": none. */
static void name_frameworks(const struct mapped *found, char *names, size_t capacity)
{
    const char *member = member_of(found);
    size_t size = (size_t)snprintf(names, capacity, "%s", member ? member : "");
    for (unsigned i = 0; i < LIBRARIES; i++)
        if (found->library[i] && size < capacity)
            size += (size_t)snprintf(names + size, capacity - size, "%s%s", size > 0 ? ", " : "",
                                     libraries[i].name);
}

/* ----------------------------------------------------------------------------- which processes */

static bool is_python(const char *pid)
{
    char path[64], program[SHARED_PATH_MAX];
    snprintf(path, sizeof path, "/proc/%.20s/exe", pid);
    ssize_t size = readlink(path, program, sizeof program - 1);
    if (size <= 0)
        return false;
    program[size] = '\0';
    const char *slash = strrchr(program, '/');
    return strstr(slash ? slash : program, "python") != NULL;
}

static bool same_space(const char *pid)
{
    static const char *const spaces[] = {"pid", "mnt"};
    for (unsigned i = 0; i < sizeof spaces / sizeof spaces[0]; i++) {
        char path[64];
        struct stat ours, theirs;
        snprintf(path, sizeof path, "/proc/self/ns/%s", spaces[i]);
        int got = stat(path, &ours);
        snprintf(path, sizeof path, "/proc/%.20s/ns/%s", pid, spaces[i]);
        if (got == 0 && (stat(path, &theirs) != 0 || ours.st_ino != theirs.st_ino))
            return false;
    }
    return true;
}

/* Returns the value of a variable in a block of NUL-terminated assignments; "" if it is not
 * there. */
static const char *value_in(const char *block, size_t size, const char *name)
{
    const size_t length = strlen(name);
    for (size_t at = 0; at < size; at += strnlen(block + at, size - at) + 1)
        if (strncmp(block + at, name, length) == 0 && block[at + length] == '=')
            return block + at + length + 1;
    return "";
}

/* True if, by its environment, the process would publish and register where we look. Also gives its
 * role in a kvstore of MXNet, "" if none. */
static bool would_be_seen(const char *pid, char role[SHARED_ROLE_MAX])
{
    char path[64];
    const char *named = getenv("PROFTOP_DIR");
    snprintf(path, sizeof path, "/proc/%.20s/environ", pid);
    FILE *file = fopen(path, "re");
    char *block = file ? calloc(1, ENVIRONMENT_MAX + 1) : NULL;
    size_t size = block ? fread(block, 1, ENVIRONMENT_MAX, file) : 0;
    bool seen = block && strcmp(value_in(block, size, "PROFTOP"), "0") != 0 &&
                strcmp(value_in(block, size, "PROFTOP_DIR"), named ? named : "") == 0;
    snprintf(role, SHARED_ROLE_MAX, "%s", block ? value_in(block, size, "DMLC_ROLE") : "");
    free(block);
    if (file)
        fclose(file);
    return seen;
}

static uint64_t clock_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t viewer_process_began(uint64_t start_ticks)
{
    const uint64_t hz = (uint64_t)sysconf(_SC_CLK_TCK);
    const uint64_t s = 1000000000, after_boot = start_ticks / hz * s + start_ticks % hz * s / hz;
    const uint64_t up = clock_of(CLOCK_BOOTTIME), now = clock_of(CLOCK_REALTIME);
    return after_boot < up ? now - (up - after_boot) : now;
}

/* Names the program as its own feed would: the script, or else the first word of the command. */
static void name_program(struct registry_info *info)
{
    char command[SHARED_COMMAND_MAX], *word = NULL;
    viewer_job_command(info, command, sizeof command);
    for (char *at = strtok_r(command, " ", &word); at; at = strtok_r(NULL, " ", &word)) {
        const char *slash = strrchr(at, '/'), *name = slash ? slash + 1 : at;
        size_t size = strlen(name);
        bool script = size > 3 && strcmp(name + size - 3, ".py") == 0;
        if (script || !info->program[0])
            snprintf(info->program, sizeof info->program, "%.200s", name);
        if (script)
            return;
    }
}

static bool add(const char *pid, const char *frameworks, const char *role, bool adapted,
                struct viewer_jobs *silent)
{
    struct registry_info *info = malloc(sizeof *info);
    if (!info)
        return false;
    registry_info_clear(info);
    info->pid = strtoull(pid, NULL, 10);
    info->start = shared_process_start(info->pid);
    info->since_ns = viewer_process_began(info->start);
    info->adapted = adapted;
    snprintf(info->framework, sizeof info->framework, "%s", frameworks);
    snprintf(info->place.role, sizeof info->place.role, "%s", role);
    name_program(info);
    bool good = info->start == 0 || viewer_jobs_add(silent, info);
    free(info);
    return good;
}

static bool look_at_process(const char *pid, struct viewer_jobs *silent)
{
    struct mapped *found = malloc(sizeof *found);
    if (!found)
        return false;
    char names[sizeof silent->job->framework] = "", role[SHARED_ROLE_MAX];
    if (read_maps(pid, found))
        name_frameworks(found, names, sizeof names);
    bool good = !names[0] || !would_be_seen(pid, role) ||
                add(pid, names, found->library[MXNET] ? role : "", found->adapted, silent);
    free(found);
    return good;
}

static int by_pid(const void *left, const void *right)
{
    const struct registry_info *a = left, *b = right;
    return (a->pid > b->pid) - (a->pid < b->pid);
}

bool viewer_unpublished(const struct viewer_jobs *jobs, struct viewer_jobs *silent)
{
    bool good = true;
    *silent = (struct viewer_jobs){0};
    DIR *dir = opendir("/proc");
    for (struct dirent *entry; good && dir && (entry = readdir(dir));) {
        const char *pid = entry->d_name;
        struct stat owner;
        if (pid[strspn(pid, "0123456789")] == '\0' && fstatat(dirfd(dir), pid, &owner, 0) == 0 &&
            owner.st_uid == geteuid() && !viewer_jobs_pid(jobs, strtoull(pid, NULL, 10)) &&
            is_python(pid) && same_space(pid))
            good = look_at_process(pid, silent);
    }
    if (dir)
        closedir(dir);
    if (!good)
        viewer_jobs_release(silent);
    else if (silent->count > 1)
        qsort(silent->job, silent->count, sizeof *silent->job, by_pid);
    if (good)
        viewer_process_tree_adopt(jobs, silent);
    return good;
}

int viewer_unpublished_scope(void)
{
    int scope = -1;
    FILE *file = fopen("/proc/sys/kernel/yama/ptrace_scope", "re");
    if (file && fscanf(file, "%d", &scope) != 1)
        scope = -1;
    if (file)
        fclose(file);
    return scope;
}

bool viewer_unpublished_enterable(void)
{
    struct shared_site site;
    char why[256];
    int scope = viewer_unpublished_scope();
    return shared_site_read(&site, why, sizeof why) && site.inject &&
           (scope <= 0 || (scope < 3 && geteuid() == 0));
}

/* True for a process that stays inside `import mxnet` until it ends. */
static bool stays_in_import(const struct registry_info *info)
{
    const char *role = info->place.role;
    return strstr(info->framework, libraries[MXNET].name) != NULL &&
           (strcmp(role, "server") == 0 || strcmp(role, "scheduler") == 0);
}

bool viewer_unpublished_attachable(const struct registry_info *info)
{
    return viewer_unpublished_enterable() && !stays_in_import(info);
}

void viewer_unpublished_why(const struct registry_info *info, char *why, size_t capacity)
{
    size_t used = (size_t)snprintf(why, capacity, "process %" PRIu64 " runs %s and publishes "
                                   "nothing", info->pid, info->framework);
    if (used >= capacity)
        return;
    if (info->adapted)
        snprintf(why + used, capacity - used, ", with the adapter in it: it was forked and has "
                 "called no function yet, or it was detached from (proftop -p %" PRIu64
                 " attaches to it again)", info->pid);
    else if (stays_in_import(info))
        snprintf(why + used, capacity - used, ", and cannot be attached to: a %s of a kvstore runs "
                 "inside `import mxnet` until it ends; start it with: proftop run -- COMMAND",
                 info->place.role);
    else if (viewer_unpublished_enterable())
        snprintf(why + used, capacity - used, ": proftop -p %" PRIu64 " attaches to it", info->pid);
    else
        snprintf(why + used, capacity - used, ", and may not be entered: start it with: "
                 "proftop run -- COMMAND");
}

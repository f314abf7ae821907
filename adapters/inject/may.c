/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * may.c: reads the state of a process from /proc. */
#include "config.h"

#include "adapters/inject/may.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The needed part of /proc/PID/status. */
struct status {
    char state; /* R, S, D, T, Z */
    int tracer;
    unsigned user;
    unsigned long long pending[2]; /* signals: of its main thread, of the process */
    bool shadowed;                 /* it has a shadow stack of return addresses */
};

static bool read_status(pid_t pid, struct status *status)
{
    char path[64], line[512];
    *status = (struct status){0};
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    while (fgets(line, sizeof line, file)) {
        sscanf(line, "State: %c", &status->state);
        sscanf(line, "TracerPid: %d", &status->tracer);
        sscanf(line, "Uid: %*u %u", &status->user);
        sscanf(line, "SigPnd: %llx", &status->pending[0]);
        sscanf(line, "ShdPnd: %llx", &status->pending[1]);
        if (strncmp(line, "x86_Thread_features:", 20) == 0)
            status->shadowed = strstr(line, "shstk") != NULL;
    }
    fclose(file);
    return true;
}

bool inject_has_ended(pid_t pid)
{
    struct status status;
    return !read_status(pid, &status) || status.state == 'Z' || status.state == 'X';
}

bool inject_is_pending(pid_t pid, int signal)
{
    struct status status;
    return read_status(pid, &status) &&
           ((status.pending[0] | status.pending[1]) >> (signal - 1) & 1) != 0;
}

/* True if the process has the same PID and mount namespaces. Assumes so if they cannot be read. */
static bool same_space(pid_t pid)
{
    static const char *const spaces[] = {"pid", "mnt"};
    for (unsigned i = 0; i < sizeof spaces / sizeof spaces[0]; i++) {
        char path[64];
        struct stat ours, theirs;
        snprintf(path, sizeof path, "/proc/self/ns/%s", spaces[i]);
        int got = stat(path, &ours);
        snprintf(path, sizeof path, "/proc/%d/ns/%s", (int)pid, spaces[i]);
        if (got == 0 && stat(path, &theirs) == 0 &&
            (ours.st_ino != theirs.st_ino || ours.st_dev != theirs.st_dev))
            return false;
    }
    return true;
}

bool inject_may(pid_t pid, char *why, size_t capacity)
{
    const int id = (int)pid;
    struct status status;
    why[0] = '\0';
    if (!read_status(pid, &status))
        snprintf(why, capacity, "there is no process %d", id);
    else if (status.state == 'Z')
        snprintf(why, capacity, "process %d has ended", id);
    else if (status.user != geteuid())
        snprintf(why, capacity, "process %d belongs to user %u: run proftop as that user", id,
                 status.user);
    else if (!same_space(pid))
        snprintf(why, capacity, "process %d is in a container (another namespace): run proftop in "
                 "there", id);
    else if (status.tracer)
        snprintf(why, capacity, "process %d is held by process %d (a debugger, or strace): end "
                 "that first", id, status.tracer);
    else if (status.state == 'T' || status.state == 't')
        snprintf(why, capacity, "process %d is stopped by a signal; kill -CONT %d lets it go on",
                 id, id);
    else if (status.shadowed)
        snprintf(why, capacity, "process %d has a shadow stack, which lets nobody call into it: "
                 "start it with: proftop run -- COMMAND", id);
    return why[0] == '\0';
}

/* The rule of the kernel's Yama: 0 same user, 1 parents only, 2 administrators, 3 nobody. */
static int read_scope(void)
{
    int scope = 0;
    FILE *file = fopen("/proc/sys/kernel/yama/ptrace_scope", "re");
    if (file && fscanf(file, "%d", &scope) != 1)
        scope = 0;
    if (file)
        fclose(file);
    return scope;
}

void inject_may_why(pid_t pid, int error, char *why, size_t capacity)
{
    int scope = read_scope();
    if (error == ESRCH)
        snprintf(why, capacity, "process %d has ended", (int)pid);
    else if ((error == EPERM || error == EACCES) && scope > 0)
        snprintf(why, capacity, "process %d: kernel.yama.ptrace_scope is %d, so attaching is for "
                 "%s: have it set to 0, or start the job with: proftop run", (int)pid, scope,
                 scope == 1 ? "its parents" : scope == 2 ? "administrators" : "nobody");
    else if (error == EPERM || error == EACCES)
        snprintf(why, capacity, "process %d: the kernel forbids to look into it (it may not be "
                 "dumpable, or this is a sandbox): start it with: proftop run", (int)pid);
    else
        snprintf(why, capacity, "process %d cannot be looked into: %s", (int)pid, strerror(error));
}

/* True if the file's next assignment has this name. Then the file is read up to the value; else
 * past the whole assignment. */
static bool is_named(FILE *file, const char *name)
{
    const char *at = name;
    int c = getc(file);
    for (; *at && c == (unsigned char)*at; c = getc(file))
        at++;
    if (!*at && c == '=')
        return true;
    while (c > 0)
        c = getc(file);
    return false;
}

void inject_variable(pid_t pid, const char *name, char *value, size_t capacity)
{
    char path[64];
    size_t used = 0;
    bool found = false;
    snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
    FILE *file = fopen(path, "re");
    while (file && !feof(file) && !ferror(file) && !found)
        found = is_named(file, name);
    for (int c; found && used + 1 < capacity && (c = getc(file)) > 0;)
        value[used++] = (char)c;
    value[used] = '\0';
    if (file)
        fclose(file);
}

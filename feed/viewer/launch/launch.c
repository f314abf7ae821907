/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * launch.c: starts a command to be watched, without disturbing it.
 */
#include "config.h"

#include "feed/viewer/launch/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "feed/shared/system_calls.h"
#include "feed/viewer/launch/child.h"
#include "feed/viewer/launch/trust.h"

extern char **environ;

/* ------------------------------------------------------------------------------- environment */

/* Libraries that a program's own ITT or NVTX loads if a variable names them. */
static const struct port {
    const char *speaks, *variable, *file;
} ports[] = {{"ITT", "INTEL_LIBITTNOTIFY64", "/libproftop-itt.so"},
             {"NVTX", "NVTX_INJECTION64_PATH", "/libproftop-nvtx.so"}};
enum { PORTS = sizeof ports / sizeof ports[0], ADDED = 3 + PORTS };

static bool holds_adapters(const char *folder)
{
    char path[SHARED_PATH_MAX + 32];
    snprintf(path, sizeof path, "%s/start/sitecustomize.py", folder);
    return access(path, R_OK) == 0;
}

bool viewer_launch_beside(const char *program, const char *tail, char *out, size_t capacity)
{
    static const char libs[] = "/.libs";
    char path[SHARED_PATH_MAX];
    ssize_t size = readlink(program, path, sizeof path - 1);
    if (size <= 0)
        return false;
    path[size] = '\0';
    char *slash = strrchr(path, '/');
    if (!slash)
        return false;
    *slash = '\0';
    size_t length = strlen(path);
    if (length >= sizeof libs - 1 && strcmp(path + length - (sizeof libs - 1), libs) == 0)
        path[length - (sizeof libs - 1)] = '\0';
    int written = snprintf(out, capacity, "%s%s", path, tail);
    return written > 0 && (size_t)written < capacity;
}

/* Checks the libproftop that a library in this folder finds, relative to its own location;
 * libproftop finds its plugin in the same way. In a build tree the library of the tree is found. So
 * that one is checked first, and the installed one is then skipped. */
static bool is_library_trusted(const char *folder, char *why, size_t capacity)
{
    char path[SHARED_PATH_MAX + 128], whole[SHARED_PATH_MAX];
    snprintf(path, sizeof path, "%s/../../.libs/libproftop.so.0", folder);
    if (access(path, F_OK) == 0)
        return viewer_trusted(path, VIEWER_TRUST_FILE, whole, why, capacity);
    snprintf(path, sizeof path, "%s/" PROFTOP_TO_LIBDIR "/libproftop.so.0", folder);
    return viewer_trusted(path, VIEWER_TRUST_ABSENT, whole, why, capacity);
}

/* Checks each part of the folder that is loaded or put into a path. */
static bool is_trusted(struct viewer_launch *launch, const char *folder)
{
    static const char *const parts[] = {"/start", "/proftop"};
    char path[SHARED_PATH_MAX + 32], whole[SHARED_PATH_MAX], why[480] = "";
    bool good = true;
    for (unsigned i = 0; good && i < sizeof parts / sizeof parts[0]; i++) {
        snprintf(path, sizeof path, "%s%s", folder, parts[i]);
        if (access(path, F_OK) == 0)
            good = viewer_trusted(path, VIEWER_TRUST_FOLDER, whole, why, sizeof why);
    }
    good = good && is_library_trusted(folder, why, sizeof why);
    if (!good && launch->refused[0] == '\0')
        snprintf(launch->refused, sizeof launch->refused, "the adapters in %.150s are not used: %s",
                 folder, why);
    return good;
}

/* Uses a folder if its adapters exist and can be trusted. */
static bool take(struct viewer_launch *launch, const char *folder)
{
    if (!holds_adapters(folder))
        return false;
    char *whole = realpath(folder, NULL);
    launch->adapted = whole && strlen(whole) < sizeof launch->adapters && is_trusted(launch, whole);
    if (launch->adapted)
        strcpy(launch->adapters, whole);
    free(whole);
    return launch->adapted;
}

void viewer_launch_adapters(struct viewer_launch *launch, const char *wanted, const char *installed,
                            const char *program)
{
    char beside[SHARED_PATH_MAX];
    const bool named = wanted && *wanted;
    launch->refused[0] = '\0';
    launch->adapted = false;
    snprintf(launch->adapters, sizeof launch->adapters, "%s", named ? wanted : installed);
    snprintf(launch->looked, sizeof launch->looked, "%.500s", launch->adapters);
    if (named) {
        take(launch, wanted);
        return;
    }
    if (viewer_launch_beside(program, "/" PROFTOP_TO_PYTHONDIR, beside, sizeof beside) &&
        take(launch, beside)) {
        snprintf(launch->looked, sizeof launch->looked, "%.500s", launch->adapters);
        return;
    }
    if (take(launch, installed) ||
        !viewer_launch_beside(program, "/adapters/python", beside, sizeof beside))
        return;
    snprintf(launch->looked, sizeof launch->looked, "%.500s and %.500s", installed, beside);
    take(launch, beside);
}

bool viewer_launch_find(struct viewer_launch *launch)
{
    viewer_launch_adapters(launch, getenv("PROFTOP_ADAPTERS"), PROFTOP_PYTHONDIR, "/proc/self/exe");
    return launch->adapted;
}

/* Finds the file of a port in this folder, which others must not be able to change. */
static bool take_port(const char *folder, const char *file, char out[SHARED_PATH_MAX])
{
    char path[SHARED_PATH_MAX + 32], why[480];
    char *place = realpath(folder, NULL);
    bool good = place && strlen(place) < SHARED_PATH_MAX;
    if (good) {
        snprintf(path, sizeof path, "%s%s", place, file);
        good = access(path, R_OK) == 0 &&
               viewer_trusted(path, VIEWER_TRUST_FILE, out, why, sizeof why) &&
               is_library_trusted(place, why, sizeof why);
    }
    if (good && strlen(path) < SHARED_PATH_MAX)
        strcpy(out, path); /* not the target of a link: libproftop is found from here */
    free(place);
    return good;
}

/* Ports stand beside the adapters, and are found in the same way. They need no Python. */
static bool find_port(const char *file, char out[SHARED_PATH_MAX])
{
    static const char program[] = "/proc/self/exe";
    const char *wanted = getenv("PROFTOP_ADAPTERS");
    char folder[SHARED_PATH_MAX + 16];
    if (wanted && *wanted) {
        snprintf(folder, sizeof folder, "%.*s/../ports", SHARED_PATH_MAX - 1, wanted);
        return take_port(folder, file, out);
    }
    return (viewer_launch_beside(program, "/" PROFTOP_TO_LIBEXECDIR "/ports", folder,
                                 sizeof folder) &&
            take_port(folder, file, out)) ||
           take_port(PROFTOP_LIBEXECDIR "/ports", file, out) ||
           (viewer_launch_beside(program, "/adapters/ports", folder, sizeof folder) &&
            take_port(folder, file, out));
}

bool viewer_launch_port(unsigned number, struct viewer_port *out)
{
    if (number >= PORTS)
        return false;
    const struct port *port = &ports[number];
    *out = (struct viewer_port){
        .speaks = port->speaks, .variable = port->variable, .own = getenv(port->variable)};
    if (!find_port(port->file, out->path))
        out->path[0] = '\0';
    return true;
}

/* True for variables that we set for the child. */
static bool is_ours(const char *entry)
{
    static const char *const names[] = {"PROFTOP=", "PROFTOP_RUN=", "PROFTOP_PYTHON=",
                                        "PYTHONPATH="};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(entry, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static char *join(const char *a, const char *b, const char *c, const char *d)
{
    size_t size = strlen(a) + strlen(b) + strlen(c) + strlen(d) + 1;
    char *text = malloc(size);
    if (text)
        snprintf(text, size, "%s%s%s%s", a, b, c, d);
    return text;
}

/* Puts the start-up hooks, if they are used, in front of the user's own path. */
static char *python_path(const struct viewer_launch *launch)
{
    const char *own = getenv("PYTHONPATH"), *adapters = launch->adapters;
    if (!launch->adapted)
        return join("PYTHONPATH=", own ? own : "", "", "");
    char *start = join("PYTHONPATH=", adapters, "/start", "");
    char *whole = start && own && *own ? join(start, ":", own, "") : NULL;
    if (!start || !own || !*own)
        return start;
    free(start);
    return whole;
}

struct environment {
    char **list; /* ends with NULL */
    size_t made; /* its first entries, which are ours */
};

/* Returns false without memory. */
static bool make_environment(const struct viewer_launch *launch, struct environment *out)
{
    struct viewer_port port;
    size_t count = 0, n = 0;
    while (environ && environ[count])
        count++;
    *out = (struct environment){.list = calloc(count + ADDED + 1, sizeof *out->list)};
    if (!out->list)
        return false;
    out->list[n++] = join("PROFTOP=", "1", "", "");
    out->list[n++] = join("PROFTOP_RUN=", launch->token, "", "");
    out->list[n++] = python_path(launch);
    for (unsigned i = 0; viewer_launch_port(i, &port); i++)
        if (!port.own && port.path[0])
            out->list[n++] = join(port.variable, "=", port.path, "");
    out->made = n;
    for (size_t i = 0; i < count; i++)
        if (!is_ours(environ[i]))
            out->list[n++] = environ[i];
    bool good = true;
    for (size_t i = 0; i < out->made; i++)
        good = good && out->list[i];
    return good;
}

static void free_environment(struct environment *environment)
{
    for (size_t i = 0; environment->list && i < environment->made; i++)
        free(environment->list[i]);
    free(environment->list);
}

static bool make_token(char token[SHARED_TOKEN_SIZE])
{
    uint8_t bytes[(SHARED_TOKEN_SIZE - 1) / 2];
    if (shared_random(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return false;
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

/* ----------------------------------------------------------------------------------- streams */

/* The three streams of the child; -1: inherited. */
struct streams {
    int fd[3];
    bool detached;
};

/* Finds a directory of this user for the output. It is under the temporary directory, which has
 * space. The session's directory may be in memory and disappears with the last login. */
static bool output_place(char *out, char *why, size_t capacity)
{
    const char *const roots[] = {getenv("TMPDIR"), "/tmp"};
    for (unsigned i = 0; i < sizeof roots / sizeof roots[0]; i++) {
        if (!roots[i] || roots[i][0] != '/')
            continue;
        int size =
            snprintf(out, SHARED_PATH_MAX, "%s/proftop-%lu", roots[i], (unsigned long)geteuid());
        if (size > 0 && size < SHARED_PATH_MAX && registry_dir_usable(out, true, why, capacity))
            return true;
    }
    return false;
}

/* Opens one file twice: for us, and for the child, which always appends. The descriptors share no
 * position. The file is renamed after the process once the process exists. */
static bool open_kept(const char *place, char path[SHARED_PATH_MAX], int *ours, int *childs)
{
    int size = snprintf(path, SHARED_PATH_MAX, "%s/output-" SHARED_UNIQUE, place);
    *ours = size < 0 || size >= SHARED_PATH_MAX ? -1 : mkostemp(path, O_CLOEXEC);
    if (*ours < 0) {
        path[0] = '\0';
        return false;
    }
    *childs = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    return *childs >= 0;
}

static bool prepare_streams(struct viewer_launch *launch, enum viewer_streams streams,
                            struct streams *out, char *why, size_t capacity)
{
    char place[SHARED_PATH_MAX];
    *out = (struct streams){.fd = {-1, -1, -1}, .detached = streams == VIEWER_STREAMS_KEPT};
    if (streams == VIEWER_STREAMS_INHERIT)
        return true;
    bool keeps_out = isatty(STDOUT_FILENO), keeps_err = isatty(STDERR_FILENO);
    if ((keeps_out || keeps_err) && !output_place(place, why, capacity))
        return false;
    bool good =
        !isatty(STDIN_FILENO) || (out->fd[0] = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0;
    good = good &&
           (!keeps_out || open_kept(place, launch->out_path, &launch->out, &out->fd[1])) &&
           (!keeps_err || open_kept(place, launch->err_path, &launch->err, &out->fd[2]));
    if (!good)
        snprintf(why, capacity, "the streams of the command cannot be prepared: %s",
                 strerror(errno));
    return good;
}

/* Names the file after the process, so that the user can find it even if proftop is killed. */
static void name_kept(char path[SHARED_PATH_MAX], pid_t pid, const char *tail)
{
    char named[SHARED_PATH_MAX];
    const char *slash = strrchr(path, '/');
    if (!slash)
        return;
    int size = snprintf(named, sizeof named, "%.*s/%ld-%llu%s", (int)(slash - path), path,
                        (long)pid, (unsigned long long)shared_process_start((uint64_t)pid), tail);
    if (size > 0 && (size_t)size < sizeof named && rename(path, named) == 0)
        memcpy(path, named, (size_t)size + 1);
}

static void remove_kept(char path[SHARED_PATH_MAX])
{
    if (path[0])
        unlink(path);
    path[0] = '\0';
}

static void close_if(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* ---------------------------------------------------------------------------------- starting */

static void report_and_exit(int report, int error)
{
    ssize_t written;
    do
        written = write(report, &error, sizeof error);
    while (written < 0 && errno == EINTR);
    _exit(127);
}

/* Runs in the child between fork and exec, so it makes only calls that are safe after a fork. With
 * a screen the child gets its own session, so it survives the end of our terminal. */
static void become(char *const argv[], char **env, const struct streams *streams, int report)
{
    if (streams->detached)
        setsid();
    for (int i = 0; i < 3; i++)
        if (streams->fd[i] >= 0 && dup2(streams->fd[i], i) < 0)
            report_and_exit(report, errno);
    execvpe(argv[0], argv, env);
    report_and_exit(report, errno);
}

/* Returns the child's error number, or 0: the pipe closes without data when exec succeeds. */
static int read_report(int fd)
{
    int error = 0;
    ssize_t got;
    do
        got = read(fd, &error, sizeof error);
    while (got < 0 && errno == EINTR);
    return got == (ssize_t)sizeof error ? error : 0;
}

static pid_t wait_for(pid_t pid, int *status, int flags)
{
    pid_t done;
    do
        done = waitpid(pid, status, flags);
    while (done < 0 && errno == EINTR);
    return done;
}

/* Forks and waits for the exec. Returns 0 or an error number; *pid is 0 if nothing runs. */
static int fork_and_exec(pid_t *pid, char *const argv[], char **env, const struct streams *streams)
{
    int report[2], status, error;
    if (pipe2(report, O_CLOEXEC) != 0)
        return errno;
    *pid = viewer_child_fork();
    if (*pid == 0) {
        close(report[0]);
        become(argv, env, streams, report[1]);
    }
    error = *pid < 0 ? errno : 0;
    close(report[1]);
    if (*pid > 0 && (error = read_report(report[0])) != 0)
        wait_for(*pid, &status, 0);
    if (error != 0)
        *pid = 0;
    close(report[0]);
    return error;
}

/* Returns the command as a list for the caller to free, or NULL. A Python script gets the
 * interpreter that `python -m proftop` has named in PROFTOP_PYTHON in front. */
static char **make_command(char *const argv[])
{
    char *python = getenv("PROFTOP_PYTHON");
    const char *dot = strrchr(argv[0], '.');
    bool script = python && *python && dot && strcmp(dot, ".py") == 0;
    size_t count = 0;
    while (argv[count])
        count++;
    char **list = calloc(count + 2, sizeof *list);
    if (!list)
        return NULL;
    list[0] = python;
    memcpy(list + script, argv, count * sizeof *list);
    return list;
}

bool viewer_launch_start(struct viewer_launch *launch, char *const argv[],
                         enum viewer_streams streams, char *why, size_t capacity)
{
    struct streams childs = {.fd = {-1, -1, -1}};
    struct environment env = {0};
    char **command = make_command(argv);
    *launch = (struct viewer_launch){.out = -1, .err = -1};
    viewer_launch_find(launch);
    bool good = prepare_streams(launch, streams, &childs, why, capacity);
    if (good) {
        good = command && make_token(launch->token) && make_environment(launch, &env);
        if (!good)
            snprintf(why, capacity, "out of memory to start \"%.100s\"", argv[0]);
    }
    if (good) {
        int error = fork_and_exec(&launch->pid, command, env.list, &childs);
        good = error == 0;
        if (!good)
            snprintf(why, capacity, "cannot run \"%.100s\": %s; is it the right name or path?",
                     command[0], strerror(error));
    }
    for (unsigned i = 0; i < 3; i++)
        close_if(&childs.fd[i]);
    if (good) {
        name_kept(launch->out_path, launch->pid, ".out");
        name_kept(launch->err_path, launch->pid, ".err");
    } else {
        close_if(&launch->out);
        close_if(&launch->err);
        remove_kept(launch->out_path);
        remove_kept(launch->err_path);
    }
    free_environment(&env);
    free(command);
    return good;
}

bool viewer_launch_run(const char *const argv[], int ms, char *out, size_t out_capacity, char *why,
                       size_t capacity)
{
    enum { WORDS = 64 };
    const char *words[WORDS] = {"env", "PROFTOP=1"};
    struct viewer_launch *launch = calloc(1, sizeof *launch);
    char *path = launch && viewer_launch_find(launch) ? python_path(launch) : NULL;
    size_t count = 0;
    words[2] = path;
    for (; argv[count] && 3 + count + 1 < WORDS; count++)
        words[3 + count] = argv[count];
    bool good = path && !argv[count];
    if (good)
        good = viewer_child_run(words, ms, out, out_capacity, why, capacity);
    else
        snprintf(why, capacity, "\"%.100s\" cannot be examined: %s", argv[0],
                 argv[count] ? "it has too many options"
                 : launch && launch->refused[0] ? launch->refused
                                                : "there are no adapters");
    free(path);
    free(launch);
    return good;
}

/* ------------------------------------------------------------------------------------ ending */

/* If another part of the program has waited for the command, its status is unknown and taken as
 * 0. */
bool viewer_launch_ended(struct viewer_launch *launch)
{
    int status = 0;
    if (launch->ended || launch->pid == 0)
        return launch->ended;
    pid_t done = wait_for(launch->pid, &status, WNOHANG);
    if (done == 0)
        return false;
    launch->ended = true;
    launch->status = done > 0 ? status : 0;
    return true;
}

int viewer_launch_code(const struct viewer_launch *launch)
{
    if (WIFSIGNALED(launch->status))
        return 128 + WTERMSIG(launch->status);
    return WEXITSTATUS(launch->status);
}

int viewer_launch_signal(const struct viewer_launch *launch)
{
    return launch->ended && WIFSIGNALED(launch->status) ? WTERMSIG(launch->status) : 0;
}

void viewer_launch_end(const struct viewer_launch *launch, char *out, size_t capacity)
{
    int number = viewer_launch_signal(launch);
    const char *words = number ? strsignal(number) : NULL;
    if (number)
        snprintf(out, capacity, "by signal %d (%s)", number, words ? words : "unknown");
    else
        snprintf(out, capacity, "with code %d", WEXITSTATUS(launch->status));
}

static bool write_whole(int to, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(to, bytes, size);
        if (written < 0 && errno != EINTR)
            return false;
        bytes += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

/* Copies only the output so far: a running command may print faster than the terminal shows. */
static void replay(int *from, int to, bool ended, char path[SHARED_PATH_MAX])
{
    char bytes[64 * 1024];
    struct stat file;
    off_t at = 0, size = *from >= 0 && fstat(*from, &file) == 0 ? file.st_size : 0;
    while (at < size) {
        size_t part = size - at < (off_t)sizeof bytes ? (size_t)(size - at) : sizeof bytes;
        ssize_t got = pread(*from, bytes, part, at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0 || !write_whole(to, bytes, (size_t)got))
            break;
        at += got;
    }
    close_if(from);
    if (ended && at == size)
        remove_kept(path);
}

void viewer_launch_replay(struct viewer_launch *launch)
{
    replay(&launch->out, STDOUT_FILENO, launch->ended, launch->out_path);
    replay(&launch->err, STDERR_FILENO, launch->ended, launch->err_path);
}

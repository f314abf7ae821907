/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * attempt.c: proftop-inject: makes a running Python process load an adapter, or remove it.
 *
 *   proftop-inject attach|detach PID ADAPTERS SECONDS ASKER
 *
 * proftop runs this program as a process of its own, so its faults do not reach the screen. The
 * target is stopped only while a text is written into it and queued with Py_AddPendingCall(). The
 * target's main thread runs the text where it is safe, between two instructions of Python. Ending
 * this program cancels the text: the text first opens this program's pipe.
 *
 * Prints one message. Exit status 0: success. Exit status 3, with the message on stderr: nothing
 * was changed. */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <syslog.h>
#include <unistd.h>

#include "adapters/inject/may.h"
#include "adapters/inject/stop.h"
#include "adapters/inject/symbol.h"

enum {
    USAGE = 2,
    REFUSED = 3,
    STOP_MS = 1000,
    TRIES = 3,
    TEXT = 16 * 1024,
    WHY = 512,
};

/* One attempt: its arguments, its state and its result. */
struct attempt {
    pid_t pid;
    const char *verb, *adapters, *asker;
    unsigned seconds;
    int pipe[2];
    struct inject_map map;
    uint64_t gate, queue, run, ready; /* addresses in the process */
    uint64_t stopped_ns;
    char text[TEXT];
    char answer[WHY]; /* the answer of the process */
    char why[WHY];
};

__attribute__((format(printf, 2, 3))) static bool refuse(struct attempt *attempt,
                                                         const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(attempt->why, sizeof attempt->why, format, list);
    va_end(list);
    return false;
}

/* ----------------------------------------------------------------------------- the text to run */

/* Writes arbitrary bytes as a literal of Python. */
static size_t put_bytes(char *out, size_t capacity, const char *bytes)
{
    size_t used = (size_t)snprintf(out, capacity, "b'");
    for (; *bytes && used + 8 < capacity; bytes++)
        used += (size_t)snprintf(out + used, capacity - used, "\\x%02x", (uint8_t)*bytes);
    return used + (size_t)snprintf(out + used, capacity - used, "'");
}

/* The job's names may hide Python's own, and the text must bind none. So it gets exec from the
 * globals of a function in a module that Python itself needs for this. */
#define EXEC "().__reduce_ex__(2)[0].__globals__['__builtins__']['exec']"

/* The text binds no name in the job, prints nothing and lets no error out: Python takes an escaped
 * error for a fault of its own, and the job dies. An error that is no Exception is the job's. The
 * job gets it as soon as it continues, by an interrupt. Python checks for interrupts earlier, too,
 * so while the text runs, the interrupt is requested again. The last object that a function drops
 * requests it: between that and the function's end Python does not check. */
static bool make_text(struct attempt *attempt, uint64_t at)
{
    static const char head[] = "try:\n"
                               "    try:\n"
                               "        " EXEC "(r'''\n"
                               "with open(",
                      tail[] = ") as file:\n"
                               "    text = file.read()\n"
                               "exec(text, dict(home=%s, asker=%s, verb=\"%s\", "
                               "pipe=(\"/proc/%d/fd/%d\", %" PRIu64 "), "
                               "room=(%" PRIu64 ", %d)))\n"
                               "''', {})\n"
                               "    except:\n"
                               "        " EXEC "(r'''\n"
                               "import _thread, signal, sys\n"
                               "def put_off(error, text, before):\n"
                               "    class Last:\n"
                               "        __del__ = _thread.interrupt_main\n"
                               "    def again(number, frame):\n"
                               "        nonlocal error\n"
                               "        while frame and frame.f_code is not text:\n"
                               "            frame = frame.f_back\n"
                               "        if frame:\n"
                               "            Last()\n"
                               "            return\n"
                               "        signal.signal(2, before)\n"
                               "        try:\n"
                               "            raise error\n"
                               "        finally:\n"
                               "            error = None\n"
                               "    if before is not None and not isinstance(error, Exception):\n"
                               "        signal.signal(2, again)\n"
                               "        _thread.interrupt_main()\n"
                               "put_off(sys.exc_info()[1], sys._getframe(1).f_code, "
                               "signal.getsignal(2))\n"
                               "''', {})\n"
                               "except:\n"
                               "    pass\n";
    char file[4096], home[TEXT / 3], path[TEXT / 3], asker[TEXT / 8];
    struct stat pipe_stat;
    int size = snprintf(file, sizeof file, "%s/proftop/payload.py", attempt->adapters);
    if (size < 0 || (size_t)size * 4 + 8 >= sizeof path || access(file, R_OK) != 0)
        return refuse(attempt, "the adapter for Python is not in %.300s: PROFTOP_ADAPTERS names "
                      "its folder", attempt->adapters);
    if (fstat(attempt->pipe[0], &pipe_stat) != 0)
        return refuse(attempt, "the pipe is gone: %s", strerror(errno));
    put_bytes(home, sizeof home, attempt->adapters);
    put_bytes(path, sizeof path, file);
    put_bytes(asker, sizeof asker, attempt->asker);
    size_t used = (size_t)snprintf(attempt->text, TEXT, "%s%s", head, path);
    snprintf(attempt->text + used, TEXT - used, tail, home, asker, attempt->verb,
             (int)getpid(), attempt->pipe[1], (uint64_t)pipe_stat.st_ino, at, (int)TEXT);
    return true;
}

/* --------------------------------------------------------------------------- the addresses */

static bool refuse_without_python(struct attempt *attempt)
{
    const int pid = (int)attempt->pid;
    const char *name = attempt->map.program.name;
    if (strcmp(attempt->verb, "detach") == 0)
        return refuse(attempt, "process %d (%.100s) runs no Python, so nothing was attached to it, "
                      "and there is nothing to detach: if it publishes, libproftop is its own; "
                      "proftop ctl pause -p %d lets it count nothing", pid, name, pid);
    return refuse(attempt, "process %d (%.100s) runs no Python, and that is all that can be "
                  "attached to late: a program that has libproftop in it is started with "
                  "PROFTOP=1, and with the PROFTOP_DIR of its viewers", pid, name);
}

/* Refuses a server or scheduler of MXNet's kvstore: it runs C inside `import mxnet` until it
 * ends. */
static bool refuse_in_import(struct attempt *attempt)
{
    const int pid = (int)attempt->pid;
    char role[16];
    inject_variable(attempt->pid, "DMLC_ROLE", role, sizeof role);
    if (!attempt->map.mxnet || (strcmp(role, "server") != 0 && strcmp(role, "scheduler") != 0))
        return true;
    if (strcmp(attempt->verb, "detach") == 0)
        return refuse(attempt, "process %d is a %s of a kvstore of MXNet: it runs inside `import "
                      "mxnet` until it ends, so it can't be detached from: if it publishes, "
                      "proftop ctl pause -p %d lets it count nothing", pid, role, pid);
    return refuse(attempt, "process %d is a %s of a kvstore of MXNet: it runs inside `import "
                  "mxnet` until it ends, so it can't be attached to, and nothing was changed. "
                  "Start it with: proftop run -- COMMAND", pid, role);
}

static bool find_places(struct attempt *attempt)
{
    struct inject_map *map = &attempt->map;
    uint8_t probe[4];
    if (!inject_map_read(attempt->pid, map) ||
        !inject_memory_read(attempt->pid, map->program.base, probe, sizeof probe)) {
        inject_may_why(attempt->pid, errno, attempt->why, sizeof attempt->why);
        return false;
    }
    /* An extension may have loaded a libpython that the process does not run. */
    struct inject_tables python = inject_tables_read(attempt->pid, &map->program);
    if (!inject_symbol(&python, "Py_AddPendingCall"))
        python = inject_tables_read(attempt->pid, &map->python);
    attempt->queue = inject_symbol(&python, "Py_AddPendingCall");
    attempt->run = inject_symbol(&python, "PyRun_SimpleString");
    attempt->ready = inject_symbol(&python, "Py_IsInitialized");
    if (!attempt->queue || !attempt->run || !attempt->ready)
        return refuse_without_python(attempt);
    if (!refuse_in_import(attempt))
        return false;
    if (!inject_symbol(&python, "PyVectorcall_Call"))
        return refuse(attempt, "process %d runs a Python older than 3.8: start it with a newer "
                      "one", (int)attempt->pid);
    if (inject_symbol(&python, "_Py_DecRefShared"))
        return refuse(attempt, "process %d runs a Python without a GIL, which the adapter does "
                      "not know", (int)attempt->pid);
    attempt->gate = inject_map_find(attempt->pid, map, inject_gate, inject_gate_size);
    if (!attempt->gate)
        return refuse(attempt, "the kernel maps no code of its own into process %d, which is "
                      "needed to attach: start it with: proftop run", (int)attempt->pid);
    return true;
}

/* ------------------------------------------------------------------------ while it is stopped */

enum outcome { QUEUED, AGAIN, NEVER };

static enum outcome put_in(struct attempt *attempt, struct inject_stop *stop)
{
    const uint64_t room[INJECT_ARGS] = {0, TEXT, PROT_READ | PROT_WRITE,
                                        MAP_PRIVATE | MAP_ANONYMOUS, UINT64_MAX, 0};
    uint64_t at, result;
    if (!inject_map_stays(attempt->pid, &attempt->map)) {
        refuse(attempt, "process %d has just begun another program: try again", (int)stop->thread);
        return NEVER;
    }
    if (!inject_stop_call(stop, attempt->ready, (uint64_t[INJECT_ARGS]){0}, &result)) {
        refuse(attempt, "process %d has no processor to run on: try again", (int)stop->thread);
        return AGAIN;
    }
    if ((int)result == 0) {
        refuse(attempt, "Python has just been started in process %d, or ends there: try again",
               (int)stop->thread);
        return NEVER;
    }
    if (!inject_stop_enter(stop, SYS_mmap, room, &at) || at > UINT64_MAX - 4096) {
        refuse(attempt, "process %d has no memory left, or may not have any", (int)stop->thread);
        return NEVER;
    }
    const uint64_t call[INJECT_ARGS] = {attempt->run, at};
    bool called = make_text(attempt, at) &&
                  inject_memory_write(stop->thread, at, attempt->text, strlen(attempt->text) + 1) &&
                  inject_stop_call(stop, attempt->queue, call, &result);
    if (called && (int)result == 0)
        return QUEUED;
    refuse(attempt, "the queue of Python in process %d %s: try again", (int)stop->thread,
           called ? "is full" : "did not take the call");
    /* An unfinished call may not be fully undone: its text stays mapped, and does nothing. */
    if (called) {
        const uint64_t give[INJECT_ARGS] = {at, TEXT};
        inject_stop_enter(stop, SYS_munmap, give, &result);
    }
    return AGAIN;
}

/* Makes one try. Blocks signals that would end this program, since the process must not be left in
 * the middle of a change. */
static enum outcome try_once(struct attempt *attempt)
{
    struct inject_stop *stop = malloc(sizeof *stop);
    enum outcome outcome = NEVER;
    sigset_t ends, before;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT), sigaddset(&ends, SIGTERM), sigaddset(&ends, SIGHUP);
    sigprocmask(SIG_BLOCK, &ends, &before);
    if (!stop)
        refuse(attempt, "there is no memory left");
    else if (inject_stop_begin(stop, attempt->pid, attempt->gate, STOP_MS, attempt->why,
                               sizeof attempt->why)) {
        outcome = put_in(attempt, stop);
        if (!inject_stop_end(stop)) {
            refuse(attempt, "process %d could not be put back as it was", (int)attempt->pid);
            outcome = NEVER;
        }
        attempt->stopped_ns += stop->stood_ns;
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    free(stop);
    return outcome;
}

/* --------------------------------------------------------------------------------- the answer */

/* Waits for the answer of the process. False: no answer in time, or the process has ended. */
static bool receive(struct attempt *attempt)
{
    const uint64_t until_ns = inject_now() + (uint64_t)attempt->seconds * 1000000000u;
    struct pollfd fd = {attempt->pipe[0], POLLIN, 0};
    while (inject_now() < until_ns) {
        if (poll(&fd, 1, 100) > 0) {
            ssize_t got = read(attempt->pipe[0], attempt->answer, sizeof attempt->answer - 1);
            attempt->answer[got > 0 ? got : 0] = '\0';
            return got > 0;
        }
        if (inject_has_ended(attempt->pid))
            return false;
    }
    return refuse(attempt, "the main thread of process %d ran no Python for %u s, and nothing was "
                  "changed. It waits, it is in one long call of C, or it can open no file. %s",
                  (int)attempt->pid, attempt->seconds, attempt->map.nutpie
                      ? "nutpie is loaded there: while its sampler runs in C, nothing can attach. "
                        "Try again when it has ended"
                  : attempt->map.mxnet
                      ? "Try again later. If it is a server or scheduler of a kvstore of MXNet, "
                        "start it with: proftop run -- COMMAND"
                      : "Try again later");
}

/* The first word of an answer is yes or no. */
static bool take_answer(struct attempt *attempt)
{
    char *text = strchr(attempt->answer, ' ');
    if (!text)
        return refuse(attempt, "process %d gave an answer that is none", (int)attempt->pid);
    *text++ = '\0';
    if (strcmp(attempt->answer, "yes") != 0)
        return refuse(attempt, "process %d: %s", (int)attempt->pid, text);
    printf("%s; it stood still for %.2f ms\n", text, (double)attempt->stopped_ns / 1e6);
    return fflush(stdout) == 0;
}

static bool attach(struct attempt *attempt)
{
    enum outcome outcome = AGAIN;
    if (!inject_may(attempt->pid, attempt->why, sizeof attempt->why) || !find_places(attempt))
        return false;
    if (pipe(attempt->pipe) != 0 || !inject_stop_clock())
        return refuse(attempt, "there are no descriptors or timers left: %s", strerror(errno));
    if (!make_text(attempt, 0))
        return false;
    syslog(LOG_AUTHPRIV | LOG_NOTICE, "user %u: %s process %d", (unsigned)getuid(), attempt->verb,
           (int)attempt->pid);
    for (int i = 0; i < TRIES && outcome == AGAIN; i++)
        outcome = try_once(attempt);
    bool answered = outcome == QUEUED && receive(attempt);
    if (!answered && inject_has_ended(attempt->pid)) /* the cause of any failure */
        return refuse(attempt, "process %d ended while it was attached to", (int)attempt->pid);
    return answered && take_answer(attempt);
}

int main(int argc, char **argv)
{
    struct attempt *attempt = calloc(1, sizeof *attempt);
    char *end = NULL;
    long pid = argc == 6 ? strtol(argv[2], &end, 10) : 0;
    bool known = argc == 6 &&
                 (strcmp(argv[1], "attach") == 0 || strcmp(argv[1], "detach") == 0);
    if (!attempt || !known || pid <= 0 || *end || (pid_t)pid != pid) {
        fputs("proftop runs this: proftop -p PID, proftop ctl detach -p PID\n", stderr);
        free(attempt);
        return USAGE;
    }
    attempt->verb = argv[1];
    attempt->pid = (pid_t)pid;
    attempt->adapters = argv[3];
    attempt->seconds = (unsigned)strtoul(argv[4], NULL, 10);
    attempt->asker = argv[5];
    openlog("proftop-inject", 0, LOG_AUTHPRIV);
    bool good = attach(attempt);
    if (!good)
        fprintf(stderr, "%s\n", attempt->why);
    free(attempt);
    return good ? 0 : REFUSED;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * live.c: starts, feeds, reads and measures the processes of a benchmark.
 */
#include "config.h"

#include "live.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <zmq.h>

#include "bench.h"
#include "feed/protocol/frame.h"

enum { PATIENCE_S = 60, SECOND_NS = 1000000000 };

static _Noreturn void fail(const char *what, const char *which)
{
    fprintf(stderr, "bench: %s: %s (%s)\n", what, which, strerror(errno));
    exit(1);
}

/* -------------------------------------------------------------------------------------- the job */

/* Reads the job's endpoint from its .info file. Returns false if there is none yet. */
static bool read_info(struct live_job *job)
{
    char path[512], line[512];
    bool found = false;
    DIR *dir = opendir(job->dir);
    struct dirent *entry;
    while (dir && !found && (entry = readdir(dir))) {
        size_t size = strlen(entry->d_name);
        if (size < 5 || strcmp(entry->d_name + size - 5, ".info") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", job->dir, entry->d_name);
        FILE *file = fopen(path, "r");
        while (file && !found && fgets(line, sizeof line, file))
            found = sscanf(line, "facts=%255s", job->facts) == 1;
        if (file)
            fclose(file);
    }
    if (dir)
        closedir(dir);
    return found;
}

/* Runs in the child. Ignores the user's own settings, and ties the child's life to the
 * benchmark. */
static void become(const char *dir, const char *program, const char *const *args)
{
    const char *argv[LIVE_WORDS] = {program};
    for (size_t i = 0; args[i] && i + 2 < LIVE_WORDS; i++)
        argv[i + 1] = args[i];
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setenv("PROFTOP_DIR", dir, 1);
    setenv("TERM", "xterm-256color", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    unsetenv("PROFTOP");
    unsetenv("PROFTOP_RUN");
    unsetenv("LINES");
    unsetenv("COLUMNS");
    unsetenv("NO_COLOR");
    execv(program, (char *const *)(uintptr_t)argv);
    perror(program);
    _exit(126);
}

static void start(struct live_job *job, const char *program, const char *const *args)
{
    const struct timespec pause = {0, 5000000};
    snprintf(job->dir, sizeof job->dir, "%s", BENCH_FOLDER);
    if (!mkdtemp(job->dir))
        fail("no directory can be made", job->dir);
    job->pid = fork();
    if (job->pid == 0) {
        if (!freopen("/dev/null", "w", stdout))
            _exit(126);
        become(job->dir, program, args);
    }
    uint64_t until_ns = bench_wall_ns() + PATIENCE_S * (uint64_t)SECOND_NS;
    while (!read_info(job)) {
        if (bench_wall_ns() > until_ns || waitpid(job->pid, NULL, WNOHANG) != 0)
            fail("the job does not publish", program);
        nanosleep(&pause, NULL);
    }
}

void live_job_start(struct live_job *job, const char *const *args)
{
    const char *argv[LIVE_WORDS] = {"--quiet"};
    for (size_t i = 0; args[i] && i + 2 < LIVE_WORDS; i++)
        argv[i + 1] = args[i];
    start(job, "examples/synthetic", argv);
}

void live_job_end(struct live_job *job)
{
    kill(job->pid, SIGTERM);
    waitpid(job->pid, NULL, 0);
    if (rmdir(job->dir) != 0)
        fail("the job left something behind", job->dir);
}

void live_ranks_start(struct live_job *job, const char *const *args)
{
    start(job, "examples/ranks", args);
}

/* The processes end together with their parent, without cleaning up. */
void live_ranks_end(struct live_job *job)
{
    char path[512];
    kill(job->pid, SIGKILL);
    waitpid(job->pid, NULL, 0);
    DIR *dir = opendir(job->dir);
    struct dirent *entry;
    while (dir && (entry = readdir(dir))) {
        snprintf(path, sizeof path, "%s/%s", job->dir, entry->d_name);
        unlink(path);
    }
    if (dir)
        closedir(dir);
    rmdir(job->dir);
}

/* --------------------------------------------------------------------------------- the terminal */

static void term_start(struct live_term *term)
{
    struct winsize size = {.ws_row = LIVE_ROWS, .ws_col = LIVE_COLS};
    *term = (struct live_term){.frame = {.text = "\033[?2026h"}};
    term->pid = forkpty(&term->master, NULL, NULL, &size);
    if (term->pid < 0)
        fail("no terminal can be made", "forkpty");
}

void live_all_start(struct live_term *term, const struct live_job *job)
{
    static const char *const argv[] = {"--all", NULL};
    term_start(term);
    if (term->pid == 0)
        become(job->dir, "./proftop", argv);
}

void live_viewer_start(struct live_term *term, const struct live_job *job, const char *const *args)
{
    char pid[16];
    const char *argv[LIVE_WORDS] = {"-p", pid};
    snprintf(pid, sizeof pid, "%d", (int)job->pid);
    for (size_t i = 0; args[i] && i + 3 < LIVE_WORDS; i++)
        argv[i + 2] = args[i];
    term_start(term);
    if (term->pid == 0)
        become(job->dir, "./proftop", argv);
}

static _Noreturn void echo(void)
{
    struct pollfd fd = {STDIN_FILENO, POLLIN, 0};
    struct termios modes;
    char byte;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    tcgetattr(STDIN_FILENO, &modes);
    cfmakeraw(&modes);
    tcsetattr(STDIN_FILENO, TCSANOW, &modes);
    byte = '!';
    do {
        if (write(STDOUT_FILENO, &byte, 1) != 1)
            break;
        poll(&fd, 1, -1);
    } while (read(STDIN_FILENO, &byte, 1) == 1);
    _exit(0);
}

void live_echo_start(struct live_term *term)
{
    term_start(term);
    if (term->pid == 0)
        echo();
    live_wait(term, "!", 1);
}

void live_term_end(struct live_term *term)
{
    kill(term->pid, SIGKILL);
    waitpid(term->pid, NULL, 0);
    close(term->master);
}

void live_send(struct live_term *term, const char *keys)
{
    if (write(term->master, keys, strlen(keys)) != (ssize_t)strlen(keys))
        fail("a key cannot be sent", keys);
}

/* Works for texts whose first letter occurs only once in them. */
static void look_for(struct live_needle *needle, const char *bytes, size_t size)
{
    for (size_t i = 0; needle->text && i < size; i++) {
        if (bytes[i] != needle->text[needle->at])
            needle->at = 0;
        if (bytes[i] == needle->text[needle->at])
            needle->at++;
        if (needle->text[needle->at] == '\0') {
            needle->count++;
            needle->at = 0;
        }
    }
}

bool live_read(struct live_term *term, uint64_t until_ns)
{
    static char bytes[65536];
    uint64_t now_ns = bench_wall_ns(), left_ns = until_ns > now_ns ? until_ns - now_ns : 0;
    struct timespec left = {(time_t)(left_ns / SECOND_NS), (long)(left_ns % SECOND_NS)};
    struct pollfd fd = {term->master, POLLIN, 0};
    if (ppoll(&fd, 1, &left, NULL) <= 0)
        return false;
    ssize_t got = read(term->master, bytes, sizeof bytes);
    if (got <= 0)
        fail("the program has ended", "in its terminal");
    term->bytes += (size_t)got;
    term->reads++;
    look_for(&term->frame, bytes, (size_t)got);
    look_for(&term->text, bytes, (size_t)got);
    return true;
}

void live_read_until(struct live_term *term, uint64_t until_ns)
{
    while (live_read(term, until_ns))
        ;
}

void live_wait(struct live_term *term, const char *text, size_t count)
{
    uint64_t until_ns = bench_wall_ns() + PATIENCE_S * (uint64_t)SECOND_NS;
    term->text = (struct live_needle){.text = text};
    while (term->text.count < count)
        if (!live_read(term, until_ns))
            fail("the terminal never showed", text);
}

void live_wait_anew(struct live_term *term, const char *text)
{
    uint64_t until_ns = bench_wall_ns() + PATIENCE_S * (uint64_t)SECOND_NS;
    term->text = (struct live_needle){.text = text};
    while (term->text.count == 0) {
        if (bench_wall_ns() > until_ns)
            fail("the terminal never showed", text);
        live_send(term, "\f");
        live_read_until(term, bench_wall_ns() + SECOND_NS / 2);
    }
}

/* -------------------------------------------------------------------------------------- figures */

/* Reads the first line of a file of /proc, or "". */
static void first_line(char *line, size_t size, const char *path)
{
    FILE *file = fopen(path, "r");
    line[0] = '\0';
    if (file && fgets(line, (int)size, file))
        line[strcspn(line, "\n")] = '\0';
    if (file)
        fclose(file);
}

uint64_t live_cpu_ns(pid_t pid, const char *name)
{
    char path[512], line[128];
    uint64_t sum_ns = 0, ns;
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *dir = opendir(path);
    struct dirent *entry;
    if (!dir)
        fail("the process has ended", path);
    while ((entry = readdir(dir))) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "/proc/%d/task/%.32s/comm", (int)pid, entry->d_name);
        first_line(line, sizeof line, path);
        if (name && strcmp(line, name) != 0)
            continue;
        snprintf(path, sizeof path, "/proc/%d/task/%.32s/schedstat", (int)pid, entry->d_name);
        first_line(line, sizeof line, path);
        if (sscanf(line, "%" SCNu64, &ns) == 1)
            sum_ns += ns;
    }
    closedir(dir);
    if (sum_ns == 0)
        fail("the kernel tells no time of a thread", name ? name : "all");
    return sum_ns;
}

double live_rss_mb(pid_t pid)
{
    char path[64], line[128];
    unsigned long pages = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    first_line(line, sizeof line, path);
    if (sscanf(line, "%*u %lu", &pages) != 1)
        fail("the kernel tells no memory", path);
    return (double)pages * (double)sysconf(_SC_PAGESIZE) / 1e6;
}

/* ----------------------------------------------------------------------------------- the wire */

static void take_frame(struct live_wire *wire, const struct wire_frame *frame, size_t size,
                       uint32_t *seen)
{
    const struct wire_rows *rows = &frame->group[WIRE_G_V];
    uint32_t tick = (uint32_t)frame->field[WIRE_F_TICK].u;
    uint64_t id, carry = 0;
    wire->bytes += size;
    wire->frames++;
    wire->rows += rows->count;
    for (uint32_t i = 0; i < rows->count; i++) {
        wire_column_read(&rows->column[0], i, 1, &id, &carry);
        if (seen[id] && tick - seen[id] > wire->worst_ticks)
            wire->worst_ticks = tick - seen[id];
        seen[id] = tick;
    }
}

struct live_wire live_count(const struct live_job *job, uint32_t applies, uint64_t settle_ns,
                            uint64_t ns)
{
    static uint8_t bytes[WIRE_FRAME_MAX];
    static struct wire_frame frame;
    struct live_wire wire = {0};
    uint32_t *seen = calloc(applies, sizeof *seen);
    int patience_ms = 1000, all = 0;
    void *context = zmq_ctx_new(), *sub = zmq_socket(context, ZMQ_SUB);
    zmq_setsockopt(sub, ZMQ_RCVTIMEO, &patience_ms, sizeof patience_ms);
    zmq_setsockopt(sub, ZMQ_RCVHWM, &all, sizeof all);
    zmq_setsockopt(sub, ZMQ_SUBSCRIBE, "A/", 2);
    if (!seen || zmq_connect(sub, job->facts) != 0)
        fail("the feed cannot be reached", job->facts);
    uint64_t start_ns = bench_wall_ns() + settle_ns;
    while (bench_wall_ns() < start_ns + ns) {
        int size = zmq_recv(sub, bytes, sizeof bytes, 0);
        if (size < 0 || bench_wall_ns() < start_ns)
            continue;
        if ((size_t)size > sizeof bytes || wire_read(bytes, (size_t)size, &frame) != WIRE_OK)
            fail("a frame of the feed is refused", job->facts);
        take_frame(&wire, &frame, (size_t)size, seen);
    }
    zmq_close(sub);
    zmq_ctx_term(context);
    free(seen);
    if (wire.rows == 0)
        fail("the feed sends no rows", job->facts);
    return wire;
}

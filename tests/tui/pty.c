/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * pty.c: forkpty, libvterm, and waiting.
 */
#include "config.h"

#include "pty.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h>

uint64_t pty_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Sanitizers and valgrind are slower. */
static uint64_t deadline(void)
{
    const char *slower = getenv("CK_TIMEOUT_MULTIPLIER");
    int times = slower ? atoi(slower) : 1;
    return pty_now_ms() + (uint64_t)PTY_WAIT_MS * (uint64_t)(times > 0 ? times : 1);
}

static int on_property(VTermProp property, VTermValue *value, void *user)
{
    struct pty *pty = user;
    if (property == VTERM_PROP_ALTSCREEN)
        pty->alternate = value->boolean;
    if (property == VTERM_PROP_CURSORVISIBLE)
        pty->cursor = value->boolean;
    if (property == VTERM_PROP_TITLE || property == VTERM_PROP_ICONNAME)
        pty->titles++;
    return 1;
}

static int on_bell(void *user)
{
    ((struct pty *)user)->bells++;
    return 1;
}

static const VTermScreenCallbacks callbacks = {.settermprop = on_property, .bell = on_bell};

static void child(const char *term, const char *const argv[])
{
    setenv("TERM", term, 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    unsetenv("LINES");
    unsetenv("COLUMNS");
    unsetenv("NO_COLOR");
    /* A script that runs tests in the background (`&`, nohup) makes them ignore these signals.
     * SIGINT and SIGQUIT come from the shell, SIGHUP from nohup. */
    signal(SIGINT, SIG_DFL);
    signal(SIGQUIT, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    execv(argv[0], (char *const *)(uintptr_t)argv);
    perror(argv[0]);
    _exit(126);
}

void pty_start(struct pty *pty, int rows, int cols, const char *term, const char *const argv[])
{
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};
    *pty = (struct pty){.rows = rows, .cols = cols, .cursor = true};
    ck_assert_int_eq(openpty(&pty->master, &pty->slave, NULL, NULL, &size), 0);
    fcntl(pty->master, F_SETFD, FD_CLOEXEC);
    ck_assert_int_eq(tcgetattr(pty->slave, &pty->before), 0);
    pty->vterm = vterm_new(rows, cols);
    vterm_set_utf8(pty->vterm, 1);
    pty->screen = vterm_obtain_screen(pty->vterm);
    vterm_screen_enable_altscreen(pty->screen, 1);
    vterm_screen_set_callbacks(pty->screen, &callbacks, pty);
    vterm_screen_reset(pty->screen, 1);
    pty->pid = fork();
    ck_assert_int_ge(pty->pid, 0);
    if (pty->pid == 0) {
        login_tty(pty->slave);
        child(term, argv);
    }
}

void pty_end(struct pty *pty)
{
    if (pty->pid > 0) {
        kill(pty->pid, SIGKILL);
        waitpid(pty->pid, NULL, 0);
    }
    if (pty->vterm)
        vterm_free(pty->vterm);
    if (pty->master >= 0)
        close(pty->master);
    if (pty->slave >= 0)
        close(pty->slave);
    free(pty->raw);
    *pty = (struct pty){.master = -1, .slave = -1};
}

void pty_send(struct pty *pty, const char *keys)
{
    ck_assert_int_eq(write(pty->master, keys, strlen(keys)), (ssize_t)strlen(keys));
}

void pty_resize(struct pty *pty, int rows, int cols)
{
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};
    vterm_set_size(pty->vterm, rows, cols);
    pty->rows = rows;
    pty->cols = cols;
    ck_assert_int_eq(ioctl(pty->master, TIOCSWINSZ, &size), 0);
}

/* ------------------------------------------------------------------------------------- reading */

static size_t put_character(char *out, uint32_t c)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    size_t size = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = size - 1; i > 0; i--, c >>= 6)
        out[i] = (char)(0x80 | (c & 0x3f));
    out[0] = (char)(lead[size] | c);
    return size;
}

const char *pty_row(const struct pty *pty, int row)
{
    static char texts[4][PTY_LINE_MAX * 4];
    static unsigned turn;
    char *text = texts[turn++ % 4];
    size_t used = 0;
    for (int col = 0; col < pty->cols && used + 32 < sizeof texts[0]; col++) {
        VTermScreenCell cell = {0}; /* libvterm fills only the fields that it uses */
        VTermPos at = {row, col};
        if (!vterm_screen_get_cell(pty->screen, at, &cell) || cell.chars[0] == (uint32_t)-1)
            continue;
        for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && (i == 0 || cell.chars[i]); i++)
            used += put_character(text + used, cell.chars[i] ? cell.chars[i] : ' ');
    }
    while (used > 0 && text[used - 1] == ' ')
        used--;
    text[used] = '\0';
    return text;
}

int pty_find(const struct pty *pty, const char *text)
{
    for (int row = 0; row < pty->rows; row++) {
        if (strstr(pty_row(pty, row), text))
            return row;
    }
    return -1;
}

const char *pty_dump(const struct pty *pty)
{
    static char text[7000]; /* Check takes messages of 8 kB */
    size_t used = 0;
    text[0] = '\0';
    for (int row = 0; row < pty->rows && used + 1 < sizeof text; row++) {
        const char *line = pty_row(pty, row);
        size_t size = strlen(line);
        while (size > 0 && line[size - 1] == ' ')
            size--;
        used += (size_t)snprintf(text + used, sizeof text - used, "|%.*s\n", (int)size, line);
    }
    return text;
}

static void keep(struct pty *pty, const char *bytes, size_t size)
{
    if (pty->bytes + size > pty->raw_capacity) {
        pty->raw_capacity = 2 * (pty->bytes + size);
        pty->raw = realloc(pty->raw, pty->raw_capacity);
        ck_assert_ptr_nonnull(pty->raw);
    }
    memcpy(pty->raw + pty->bytes, bytes, size);
    pty->bytes += size;
    pty->reads++;
}

/* Reads once if something arrives before the instant. Returns false otherwise. */
static bool read_once(struct pty *pty, uint64_t until_ms)
{
    char bytes[65536];
    uint64_t now = pty_now_ms();
    struct pollfd fd = {pty->master, POLLIN, 0};
    if (poll(&fd, 1, until_ms > now ? (int)(until_ms - now) : 0) <= 0)
        return false;
    ssize_t got = read(pty->master, bytes, sizeof bytes);
    if (got <= 0)
        return false;
    keep(pty, bytes, (size_t)got);
    vterm_input_write(pty->vterm, bytes, (size_t)got);
    char answer[256];
    size_t size = vterm_output_read(pty->vterm, answer, sizeof answer);
    if (size > 0)
        ck_assert_int_gt(write(pty->master, answer, size), 0);
    return true;
}

bool pty_wait(struct pty *pty, pty_test *test, const void *what)
{
    uint64_t until = deadline();
    while (!test(pty, what)) {
        if (!read_once(pty, until))
            return test(pty, what);
    }
    return true;
}

static bool shows(const struct pty *pty, const void *what)
{
    return pty_find(pty, what) >= 0;
}

static bool hides(const struct pty *pty, const void *what)
{
    return pty_find(pty, what) < 0;
}

void pty_see(struct pty *pty, const char *text)
{
    ck_assert_msg(pty_wait(pty, shows, text), "'%s' was never shown:\n%s", text, pty_dump(pty));
}

void pty_miss(struct pty *pty, const char *text)
{
    ck_assert_msg(pty_wait(pty, hides, text), "'%s' did not go:\n%s", text, pty_dump(pty));
}

size_t pty_listen(struct pty *pty, int milliseconds)
{
    uint64_t until = pty_now_ms() + (uint64_t)milliseconds;
    size_t before = pty->bytes;
    while (read_once(pty, until))
        ;
    return pty->bytes - before;
}

/* Reads all that the ended program wrote. The kernel may hand over the last bytes after the end of
 * the program, so a NUL is written behind them. It is not kept. */
static void read_rest(struct pty *pty)
{
    uint64_t until = deadline();
    char *end = NULL;
    while (read_once(pty, pty_now_ms()))
        continue;
    size_t from = pty->bytes;
    ck_assert_int_eq(write(pty->slave, "", 1), 1);
    while (end == NULL) {
        ck_assert_msg(read_once(pty, until), "the rest is missing:\n%s", pty_dump(pty));
        end = memchr(pty->raw + from, '\0', pty->bytes - from);
    }
    pty->bytes--;
    memmove(end, end + 1, (size_t)(pty->raw + pty->bytes - end));
}

int pty_exit(struct pty *pty)
{
    uint64_t until = deadline();
    int status = 0;
    /* We hold the slave open too, so only waitpid shows the end. */
    while (waitpid(pty->pid, &status, WNOHANG) != pty->pid) {
        if (pty->master < 0)
            poll(NULL, 0, 1);
        else
            read_once(pty, pty_now_ms() + 10);
        ck_assert_msg(pty_now_ms() < until, "it does not end:\n%s", pty_dump(pty));
    }
    if (pty->master >= 0)
        read_rest(pty);
    pty->pid = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void pty_restored(const struct pty *pty)
{
    struct termios after;
    ck_assert(!pty->alternate);
    ck_assert(pty->cursor);
    ck_assert_int_eq(tcgetattr(pty->slave, &after), 0);
    ck_assert_uint_eq(after.c_lflag, pty->before.c_lflag);
    ck_assert_uint_eq(after.c_iflag, pty->before.c_iflag);
    ck_assert_uint_eq(after.c_oflag, pty->before.c_oflag);
}

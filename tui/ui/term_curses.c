/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * term_curses.c: shows a grid on the terminal and reads its keys. The only file that uses curses.
 *
 * A frame is one write(2). While curses paints, its output descriptor points to a file in memory.
 * The painted bytes are then put between the brackets of synchronised output, and are written at
 * once, or not at all.
 */
#include "config.h"

#include "tui/ui/term.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <termcap.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define SYNC_BEGIN "\033[?2026h"
#define SYNC_END   "\033[?2026l"
#define PASTE_ON   "\033[?2004h"
#define PASTE_OFF  "\033[?2004l"
/* From <linux/memfd.h>; headers of older kernels lack it. */
#define MEMFD_CLOEXEC 1u

enum {
    ESCAPE_MS = 25,
    PASTE_MS = 1000, /* a paste that does not end within this time was interrupted */
    SWALLOW_MAX = 256,
    SIZE_MAX_CELLS = 4096,
    RESTORE_SIZE = 256,
    STACK_SIZE = 64 * 1024,
    CODE_FIRST = 0x2000, /* proftop's own key codes, above those of curses */
};

struct tui_term {
    SCREEN *screen;
    FILE *out;
    int tty;               /* destination of frames */
    int memory;            /* file in memory into which curses paints; -1: it paints directly */
    struct tui_grid shown; /* content of the terminal; 0 x 0: unknown */
    attr_t attr[TUI_ROLES];
    short pair[TUI_ROLES];
    bool sync, modern;
    bool fresh; /* nothing has been painted since curses took over */
    bool cursor, pasting;
    int64_t pasted_ms;
    char *bytes;
    size_t capacity;
};

/* -------------------------------------------------------------------------------- after a crash */

/* The data that a signal handler needs to restore the terminal. Global because a signal handler
 * gets no argument from us. */
static struct {
    volatile sig_atomic_t armed;
    int tty;
    struct termios modes;
    char bytes[RESTORE_SIZE];
    size_t size;
    void *stack;
} restore;

static const int crash_signals[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSYS, SIGTRAP};
enum { CRASHES = sizeof(crash_signals) / sizeof(crash_signals[0]) };
static struct sigaction crash_before[CRASHES];

/* Does not wait for a terminal that takes no output. */
void tui_term_rescue(void)
{
    struct pollfd ready = {.fd = restore.tty, .events = POLLOUT};
    if (!restore.armed)
        return;
    restore.armed = 0;
    if (poll(&ready, 1, 0) > 0) {
        ssize_t ignored = write(restore.tty, restore.bytes, restore.size);
        (void)ignored;
    }
    tcsetattr(restore.tty, TCSANOW, &restore.modes);
}

static void on_crash(int number)
{
    tui_term_rescue();
    /* Run the previous handler (of a sanitizer, or the core dump). */
    for (int i = 0; i < CRASHES; i++)
        if (crash_signals[i] == number)
            sigaction(number, &crash_before[i], NULL);
    raise(number);
}

/* The bytes of a capability of this terminal; "" if it has none. */
static const char *capability(const char *name)
{
    const char *bytes = tigetstr(name);
    return bytes && bytes != (const char *)-1 ? bytes : "";
}

static void restore_add(const char *bytes)
{
    size_t size = strlen(bytes);
    if (size > sizeof(restore.bytes) - restore.size)
        return;
    memcpy(restore.bytes + restore.size, bytes, size);
    restore.size += size;
}

static void restore_arm(const struct tui_term *term, const struct termios *modes)
{
    struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK};
    stack_t stack = {0}, before;
    restore.size = 0;
    restore.tty = term->tty;
    restore.modes = *modes;
    if (term->modern)
        restore_add(SYNC_END PASTE_OFF);
    restore_add(capability("sgr0"));
    restore_add(capability("rmkx"));
    restore_add(capability("rmcup"));
    restore_add(capability("cnorm")); /* last, for the reason that hand_back() states */
    restore.armed = 1;
    /* A separate signal stack: a stack overflow is a crash as well. */
    if (sigaltstack(NULL, &before) == 0 && (before.ss_flags & SS_DISABLE)) {
        restore.stack = malloc(STACK_SIZE);
        stack.ss_sp = restore.stack;
        stack.ss_size = STACK_SIZE;
        if (restore.stack)
            sigaltstack(&stack, NULL);
    }
    for (int i = 0; i < CRASHES; i++)
        sigaction(crash_signals[i], &action, &crash_before[i]);
}

static void restore_disarm(void)
{
    stack_t none = {.ss_flags = SS_DISABLE};
    restore.armed = 0;
    for (int i = 0; i < CRASHES; i++)
        sigaction(crash_signals[i], &crash_before[i], NULL);
    if (restore.stack)
        sigaltstack(&none, NULL);
    free(restore.stack);
    restore.stack = NULL;
}

/* --------------------------------------------------------------------------------------- output */

static void write_all(int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t done = write(fd, bytes, size);
        struct pollfd wait = {.fd = fd, .events = POLLOUT};
        if (done >= 0) {
            bytes += done;
            size -= (size_t)done;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            if (poll(&wait, 1, PASTE_MS) == 0)
                return; /* if a terminal takes no output for this long, the frame is lost */
        } else if (errno != EINTR) {
            return;
        }
    }
}

/* Points the output of curses to the file in memory. */
static bool capture_begin(struct tui_term *term)
{
    return term->memory >= 0 && dup2(term->memory, fileno(term->out)) >= 0;
}

/* Points the output back, and writes the painted bytes at once. */
static void capture_end(struct tui_term *term)
{
    size_t begin = term->sync ? strlen(SYNC_BEGIN) : 0, end = term->sync ? strlen(SYNC_END) : 0;
    dup2(term->tty, fileno(term->out));
    off_t size = lseek(term->memory, 0, SEEK_CUR);
    lseek(term->memory, 0, SEEK_SET);
    if (size <= 0)
        return;
    size_t needed = (size_t)size + begin + end;
    if (needed > term->capacity) {
        char *more = realloc(term->bytes, needed * 2);
        if (!more) {
            tui_grid_release(&term->shown);
            return;
        }
        term->bytes = more;
        term->capacity = needed * 2;
    }
    if (pread(term->memory, term->bytes + begin, (size_t)size, 0) != size)
        return;
    if (term->sync) {
        memcpy(term->bytes, SYNC_BEGIN, begin);
        memcpy(term->bytes + begin + size, SYNC_END, end);
    }
    write_all(term->tty, term->bytes, needed);
}

/* -------------------------------------------------------------------------------------- colours */

static bool wants_colour(const char *wish)
{
    const char *none = getenv("NO_COLOR");
    if (!wish || !strcmp(wish, "auto"))
        return !(none && *none);
    return strcmp(wish, "never") != 0;
}

static attr_t attributes(const struct tui_look *look)
{
    return (look->bold ? A_BOLD : 0u) | (look->dim ? A_DIM : 0u) |
           (look->reverse ? A_REVERSE : 0u) | (look->underline ? A_UNDERLINE : 0u);
}

static void set_colours(struct tui_term *term, const char *wish)
{
    bool colour = wants_colour(wish) && has_colors() && start_color() == OK && COLORS >= 8 &&
                  COLOR_PAIRS > TUI_ROLES;
    bool own = colour && use_default_colors() == OK;
    for (short i = 0; i < TUI_ROLES; i++) {
        struct tui_look look = colour ? tui_theme[i].colours : tui_theme[i].mono;
        term->attr[i] = attributes(&look);
        term->pair[i] = 0;
        if (!colour || (look.fg < 0 && look.bg < 0))
            continue;
        if (!own && look.fg < 0)
            look.fg = COLOR_WHITE;
        if (!own && look.bg < 0)
            look.bg = COLOR_BLACK;
        term->pair[i] = (short)(i + 1);
        init_pair(term->pair[i], look.fg, look.bg);
    }
}

/* ----------------------------------------------------------------------------------------- keys */

/* Key codes from curses: its own, and codes for sequences that curses does not know everywhere. */
enum { CODE_PASTE = CODE_FIRST + TUI_KEY_IGNORE - TUI_KEY_FIRST + 1, CODE_PASTED };

static const struct {
    int code;
    enum tui_key key;
} curses_keys[] = {
    {KEY_UP, TUI_KEY_UP},       {KEY_DOWN, TUI_KEY_DOWN},  {KEY_LEFT, TUI_KEY_LEFT},
    {KEY_RIGHT, TUI_KEY_RIGHT}, {KEY_PPAGE, TUI_KEY_PGUP}, {KEY_NPAGE, TUI_KEY_PGDN},
    {KEY_HOME, TUI_KEY_HOME},   {KEY_END, TUI_KEY_END},    {KEY_BTAB, TUI_KEY_BACKTAB},
    {KEY_ENTER, TUI_KEY_ENTER}, {KEY_DC, TUI_KEY_DELETE},  {KEY_BACKSPACE, TUI_KEY_BACKSPACE},
    {KEY_F(1), TUI_KEY_F1},     {KEY_F(2), TUI_KEY_F2},    {KEY_F(3), TUI_KEY_F3},
    {KEY_F(4), TUI_KEY_F4},     {KEY_F(5), TUI_KEY_F5},    {KEY_F(6), TUI_KEY_F6},
    {KEY_F(7), TUI_KEY_F7},     {KEY_F(8), TUI_KEY_F8},    {KEY_F(9), TUI_KEY_F9},
    {KEY_F(10), TUI_KEY_F10},
};

/* Both forms of the cursor keys, and sequences that terminals send whatever TERM says. */
static const struct {
    const char *bytes;
    int code;
} sequences[] = {
    {"\033[A", KEY_UP},      {"\033OA", KEY_UP},        {"\033[B", KEY_DOWN},
    {"\033OB", KEY_DOWN},    {"\033[C", KEY_RIGHT},     {"\033OC", KEY_RIGHT},
    {"\033[D", KEY_LEFT},    {"\033OD", KEY_LEFT},      {"\033[H", KEY_HOME},
    {"\033OH", KEY_HOME},    {"\033[1~", KEY_HOME},     {"\033[7~", KEY_HOME},
    {"\033[F", KEY_END},     {"\033OF", KEY_END},       {"\033[4~", KEY_END},
    {"\033[8~", KEY_END},    {"\033[5~", KEY_PPAGE},    {"\033[6~", KEY_NPAGE},
    {"\033[3~", KEY_DC},     {"\033[Z", KEY_BTAB},      {"\033OM", KEY_ENTER},
    {"\033OP", KEY_F(1)},    {"\033OQ", KEY_F(2)},      {"\033OR", KEY_F(3)},
    {"\033OS", KEY_F(4)},    {"\033[11~", KEY_F(1)},    {"\033[12~", KEY_F(2)},
    {"\033[13~", KEY_F(3)},  {"\033[14~", KEY_F(4)},    {"\033[[A", KEY_F(1)},
    {"\033[[B", KEY_F(2)},   {"\033[[C", KEY_F(3)},     {"\033[[D", KEY_F(4)},
    {"\033[[E", KEY_F(5)},   {"\033[15~", KEY_F(5)},    {"\033[17~", KEY_F(6)},
    {"\033[18~", KEY_F(7)},  {"\033[19~", KEY_F(8)},    {"\033[20~", KEY_F(9)},
    {"\033[21~", KEY_F(10)}, {"\033[200~", CODE_PASTE}, {"\033[201~", CODE_PASTED},
};

static void set_keys(void)
{
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    meta(stdscr, TRUE);
    for (size_t i = 0; i < sizeof(sequences) / sizeof(sequences[0]); i++)
        define_key(sequences[i].bytes, sequences[i].code);
    /* Swallows mouse reports as unknown sequences: proftop never enables the mouse. */
    keyok(KEY_MOUSE, FALSE);
}

static int64_t clock_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Reads the rest of a sequence after ESC: an unknown sequence, an answer of the terminal, or Alt
 * with a key. No part of it may act as a command. */
static uint32_t after_escape(void)
{
    wint_t c;
    /* Further ESC keys, typed before the rest of the sequence came. */
    int got = get_wch(&c), more = 0;
    for (; got == OK && c == TUI_KEY_ESC && more < SWALLOW_MAX; more++)
        got = get_wch(&c);
    for (; got == ERR && more > 0; more--)
        unget_wch(TUI_KEY_ESC);
    if (got == ERR)
        return TUI_KEY_ESC;
    bool text = c == ']' || c == 'P' || c == '_' || c == '^';
    if (c == 'O')
        get_wch(&c);
    if (c != '[' && !text)
        return TUI_KEY_IGNORE;
    for (int i = 0; i < SWALLOW_MAX && get_wch(&c) != ERR; i++) {
        bool end = text ? c == '\a' || c == '\\' : c >= 0x40 && c <= 0x7E && (c != '[' || i > 0);
        if (end)
            break;
    }
    return TUI_KEY_IGNORE;
}

static uint32_t named_key(int code)
{
    for (size_t i = 0; i < sizeof(curses_keys) / sizeof(curses_keys[0]); i++)
        if (curses_keys[i].code == code)
            return curses_keys[i].key;
    return TUI_KEY_IGNORE;
}

static uint32_t plain_key(wint_t c)
{
    switch (c) {
    case '\r':
    case '\n':
        return TUI_KEY_ENTER;
    case '\t':
        return TUI_KEY_TAB;
    case 0x7F:
    case '\b':
        return TUI_KEY_BACKSPACE;
    case TUI_KEY_ESC:
        return after_escape();
    default:
        return c == 0 || c >= TUI_KEY_FIRST ? TUI_KEY_IGNORE : (uint32_t)c;
    }
}

uint32_t tui_term_key(struct tui_term *term, bool text)
{
    wint_t c = 0;
    int what = get_wch(&c);
    if (what == ERR)
        return TUI_KEY_NONE;
    int64_t now = clock_ms();
    if (term->pasting && now - term->pasted_ms > PASTE_MS)
        term->pasting = false;
    term->pasted_ms = now;
    if (what == KEY_CODE_YES && (c == CODE_PASTE || c == CODE_PASTED)) {
        term->pasting = c == CODE_PASTE;
        return TUI_KEY_IGNORE;
    }
    if (term->pasting) {
        bool letter = what == OK && c >= 0x20 && c != 0x7F && c < TUI_KEY_FIRST;
        return text && letter ? (uint32_t)c : TUI_KEY_IGNORE;
    }
    return what == KEY_CODE_YES ? named_key((int)c) : plain_key(c);
}

/* --------------------------------------------------------------------------------- opening, end */

static bool is_modern(void)
{
    static const char *const plain[] = {"linux", "dumb", "vt", "ansi", "sun", "cons"};
    const char *name = getenv("TERM");
    for (size_t i = 0; name && i < sizeof(plain) / sizeof(plain[0]); i++)
        if (!strncmp(name, plain[i], strlen(plain[i])))
            return false;
    return name != NULL;
}

static struct tui_term *open_failed(struct tui_term *term)
{
    if (term->out)
        fclose(term->out);
    if (term->memory >= 0)
        close(term->memory);
    if (term->tty >= 0)
        close(term->tty);
    free(term);
    return NULL;
}

static void take_over(struct tui_term *term)
{
    if (term->modern)
        write_all(term->tty, PASTE_ON, strlen(PASTE_ON));
    term->fresh = true;
    tui_grid_release(&term->shown);
}

/* Checks TERM before newterm(), which leaks memory on an unknown terminal, and paints nothing if
 * the cursor cannot be placed. */
static bool is_able(char *why, size_t capacity)
{
    const char *name = getenv("TERM");
    char place[RESTORE_SIZE], *end = place;
    bool known = name && tgetent(NULL, name) == 1;
    if (known && tgetstr("cm", &end))
        return true;
    snprintf(why, capacity, "The terminal \"%.40s\" (TERM) %s; try TERM=xterm, or proftop -b.",
             name ? name : "", known ? "cannot place its cursor" : "is not known here");
    return false;
}

static bool start_curses(struct tui_term *term, const struct tui_term_options *options)
{
    use_env(FALSE);
    use_tioctl(TRUE);
    term->screen = newterm(NULL, term->out, stdin);
    if (!term->screen)
        return false;
    if (!getenv("ESCDELAY"))
        set_escdelay(ESCAPE_MS);
    raw();
    noecho();
    nonl();
    typeahead(-1);
    idlok(stdscr, FALSE);
    leaveok(stdscr, TRUE);
    scrollok(stdscr, FALSE);
    set_keys();
    set_colours(term, options->color);
    /* Before its first endwin() and refresh(), curses flushes after each cursor movement: about 130
     * writes a frame. */
    def_prog_mode();
    endwin();
    refresh();
    return true;
}

struct tui_term *tui_term_open(const struct tui_term_options *options, char *why, size_t capacity)
{
    struct termios modes;
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || tcgetattr(STDIN_FILENO, &modes) != 0) {
        snprintf(why, capacity, "%s is not a terminal; try proftop -b, which prints text.",
                 isatty(STDIN_FILENO) ? "stdout" : "stdin");
        return NULL;
    }
    if (!is_able(why, capacity))
        return NULL;
    struct tui_term *term = calloc(1, sizeof(*term));
    if (!term) {
        snprintf(why, capacity, "There is no memory for the screen.");
        return NULL;
    }
    term->modern = is_modern();
    term->sync = options->sync && term->modern;
    /* memfd_create(), which glibc 2.17 has no function for. */
    term->memory = (int)syscall(SYS_memfd_create, "proftop-frame", MEMFD_CLOEXEC);
    term->tty = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    int out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    term->out = out >= 0 ? fdopen(out, "w") : NULL;
    if (term->tty < 0 || !term->out || !start_curses(term, options)) {
        snprintf(why, capacity, "The screen cannot be started on this terminal; try proftop -b.");
        return open_failed(term);
    }
    restore_arm(term, &modes);
    curs_set(0);
    take_over(term);
    return term;
}

/* curses shows the cursor, and hides it again when it comes back. Hiding it earlier would affect
 * the shell's screen, where terminals may remember it. curses shows it before it leaves the
 * alternate screen. Some terminals then bring back the cursor that they saved last, and curses
 * saves a hidden one (sc) when it scrolls. So the cursor is shown once more. */
static void hand_back(struct tui_term *term)
{
    const char *show = capability("cnorm");
    if (term->modern)
        write_all(term->tty, PASTE_OFF, strlen(PASTE_OFF));
    endwin();
    write_all(term->tty, show, strlen(show));
}

void tui_term_close(struct tui_term **at)
{
    struct tui_term *term = *at;
    if (!term)
        return;
    hand_back(term);
    restore_disarm();
    delscreen(term->screen);
    fclose(term->out);
    if (term->memory >= 0)
        close(term->memory);
    close(term->tty);
    tui_grid_release(&term->shown);
    free(term->bytes);
    free(term);
    *at = NULL;
}

void tui_term_suspend(struct tui_term *term, void (*stop)(void))
{
    hand_back(term);
    restore_disarm();
    stop();
    struct termios modes;
    if (tcgetattr(STDIN_FILENO, &modes) == 0)
        restore_arm(term, &modes);
    reset_prog_mode();
    take_over(term);
}

/* ------------------------------------------------------------------------------------- painting */

bool tui_term_fit(struct tui_term *term, struct tui_grid *grid)
{
    struct winsize size = {0};
    if (ioctl(term->tty, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0)
        size = (struct winsize){.ws_row = 24, .ws_col = 80};
    int rows = size.ws_row < SIZE_MAX_CELLS ? size.ws_row : SIZE_MAX_CELLS;
    int cols = size.ws_col < SIZE_MAX_CELLS ? size.ws_col : SIZE_MAX_CELLS;
    if (is_term_resized(rows, cols))
        resizeterm(rows, cols);
    tui_grid_release(&term->shown);
    term->fresh = true;
    return tui_grid_resize(grid, rows, cols);
}

/* Passes one line to curses cell by cell, so that curses never parses text of ours. */
static void paint_line(struct tui_term *term, const struct tui_cell *cell, int row, int cols)
{
    cchar_t line[SIZE_MAX_CELLS];
    int count = 0;
    for (int col = 0; col < cols; col++) {
        if (cell[col].ch[0] == 0)
            continue; /* the right half of a wide character */
        wchar_t text[TUI_CELL_CHARS + 1] = {0};
        for (int i = 0; i < TUI_CELL_CHARS; i++)
            text[i] = (wchar_t)cell[col].ch[i];
        unsigned role = cell[col].role < TUI_ROLES ? cell[col].role : TUI_PLAIN;
        setcchar(&line[count++], text, term->attr[role], term->pair[role], NULL);
    }
    mvadd_wchnstr(row, 0, line, count);
}

static void keep_shown(struct tui_term *term, const struct tui_grid *grid)
{
    size_t cells = (size_t)grid->rows * (size_t)grid->cols;
    if (term->shown.rows != grid->rows || term->shown.cols != grid->cols) {
        if (!tui_grid_resize(&term->shown, grid->rows, grid->cols))
            return;
    }
    memcpy(term->shown.cell, grid->cell, cells * sizeof(*grid->cell));
    term->shown.cursor_row = grid->cursor_row;
    term->shown.cursor_col = grid->cursor_col;
}

/* Passes the lines that differ from the shown ones to curses. Returns false if none differs. */
static bool paint_lines(struct tui_term *term, const struct tui_grid *grid)
{
    bool same = term->shown.rows == grid->rows && term->shown.cols == grid->cols;
    bool changed = !same || term->shown.cursor_row != grid->cursor_row ||
                   term->shown.cursor_col != grid->cursor_col;
    int rows = grid->rows < LINES ? grid->rows : LINES;
    int cols = grid->cols < COLS ? grid->cols : COLS;
    for (int row = 0; row < rows; row++) {
        const struct tui_cell *line = grid->cell + (size_t)row * (size_t)grid->cols;
        size_t size = (size_t)grid->cols * sizeof(*line);
        if (same && !memcmp(line, term->shown.cell + (size_t)row * (size_t)grid->cols, size))
            continue;
        changed = true;
        paint_line(term, line, row, cols);
    }
    return changed;
}

static void place_cursor(struct tui_term *term, const struct tui_grid *grid)
{
    bool cursor = grid->cursor_row >= 0 && grid->cursor_row < LINES && grid->cursor_col >= 0 &&
                  grid->cursor_col < COLS;
    leaveok(stdscr, !cursor);
    if (cursor)
        move(grid->cursor_row, grid->cursor_col);
    if (cursor != term->cursor)
        curs_set(cursor);
    term->cursor = cursor;
}

void tui_term_flush(struct tui_term *term, const struct tui_grid *grid)
{
    struct pollfd ready = {.fd = term->tty, .events = POLLOUT};
    /* If the terminal is still busy with the last frame, this one is painted with the next. */
    if (grid->rows == 0 || poll(&ready, 1, 0) == 0)
        return;
    if (!paint_lines(term, grid))
        return;
    if (term->fresh)
        clearok(curscr, TRUE);
    /* The first paint after taking over sets the terminal's modes, so it is not captured. */
    bool captured = !isendwin() && capture_begin(term);
    place_cursor(term, grid);
    refresh();
    if (captured)
        capture_end(term);
    keep_shown(term, grid);
    term->fresh = false;
}

void tui_term_repaint(struct tui_term *term, const struct tui_grid *grid)
{
    tui_grid_release(&term->shown);
    term->fresh = true;
    tui_term_flush(term, grid);
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * grid.c: writes texts and bars into cells. This is the last protection of the terminal: no text
 * can put a control character, or one of doubtful width, into a cell.
 */
#include "config.h"

#include "tui/ui/grid.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum {
    REPLACEMENT = 0xFFFD,
    ROWS_MAX = 1 << 20,
    COLS_MAX = 1 << 12,
    LINE_MAX_BYTES = 1024,
};

/* A unit of drawing: a character with its combining marks. */
struct glyph {
    uint32_t ch[TUI_CELL_CHARS];
    int width;
};

/* -------------------------------------------------------------------------------- characters */

static const struct {
    const char *sign, *ascii;
} signs[TUI_SIGNS] = {
    [TUI_SIGN_CURSOR] = {"▶", ">"},    [TUI_SIGN_DOWN] = {"▼", "v"},
    [TUI_SIGN_UP] = {"▲", "^"},        [TUI_SIGN_CUT] = {"…", ".."},
    [TUI_SIGN_RULE] = {"─", "-"},      [TUI_SIGN_DELTA] = {"Δ", "every"},
    [TUI_SIGN_SIGMA] = {"Σ ", ""},     [TUI_SIGN_LIVE] = {"●", "*"},
    [TUI_SIGN_PAUSED] = {"❚❚", "||"},  [TUI_SIGN_WAITING] = {"◌", "o"},
    [TUI_SIGN_COMPILING] = {"◆", "+"}, [TUI_SIGN_LAGGING] = {"◐", "~"},
    [TUI_SIGN_STALE] = {"◌", "?"},     [TUI_SIGN_ENDED] = {"■", "."},
    [TUI_SIGN_GONE] = {"✖", "x"},      [TUI_SIGN_FIRST] = {"█", "#"},
    [TUI_SIGN_SECOND] = {"▓", "="},    [TUI_SIGN_THIRD] = {"▒", "-"},
    [TUI_SIGN_FOURTH] = {"░", "."},
};

const char *tui_sign(const struct tui_grid *grid, enum tui_sign sign)
{
    return grid->ascii ? signs[sign].ascii : signs[sign].sign;
}

/* Reads one code point; an invalid byte gives U+FFFD. */
static uint32_t decode(const unsigned char **text)
{
    const unsigned char *s = *text;
    unsigned more = s[0] >= 0xF0 ? 3 : s[0] >= 0xE0 ? 2 : 1;
    (*text)++;
    if (s[0] < 0x80)
        return s[0];
    if (s[0] < 0xC2 || s[0] > 0xF4)
        return REPLACEMENT;
    uint32_t code = s[0] & (0x3Fu >> more);
    for (unsigned i = 1; i <= more; i++) {
        if ((s[i] & 0xC0) != 0x80)
            return REPLACEMENT;
        code = code << 6 | (s[i] & 0x3Fu);
    }
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    if (code < least[more] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
        return REPLACEMENT;
    *text = s + more + 1;
    return code;
}

/* True for characters that are not visible: they control the terminal, change the direction of
 * writing, or are hidden. model/text.c has removed them from names; this table protects all other
 * texts as well. */
static bool steers(uint32_t code)
{
    static const struct {
        uint32_t first, last;
    } bad[] = {
        {0, 0x1F},          {0x7F, 0x9F},       {0xAD, 0xAD},       {0x34F, 0x34F},
        {0x61C, 0x61C},     {0x115F, 0x11FF},   {0x17B4, 0x17B5},   {0x180B, 0x180F},
        {0x200B, 0x200F},   {0x2028, 0x202E},   {0x2060, 0x206F},   {0x3164, 0x3164},
        {0xD7B0, 0xD7FF},   {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},
        {0xFFF0, 0xFFFB},   {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0x1F3FB, 0x1F3FF},
        {0xE0000, 0xE0FFF},
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        if (code >= bad[i].first && code <= bad[i].last)
            return true;
    return false;
}

/* Returns the columns of a code point: 0 for a combining mark, -1 for one that must not be
 * shown. */
static int columns_of(uint32_t code)
{
    if (code >= 0x20 && code < 0x7F)
        return 1;
    if (steers(code))
        return -1;
    int width = wcwidth((wchar_t)code);
    return width > 2 ? -1 : width;
}

/* Takes the next glyph off a text; false at its end. */
static bool next_glyph(const char **text, struct glyph *out)
{
    const unsigned char *at = (const unsigned char *)*text;
    if (!*at)
        return false;
    uint32_t code = decode(&at);
    int width = columns_of(code);
    *out = (struct glyph){{width > 0 ? code : REPLACEMENT}, width > 0 ? width : 1};
    unsigned marks = 0;
    while (*at >= 0x80 && width > 0) {
        const unsigned char *mark = at;
        uint32_t more = decode(&mark);
        if (columns_of(more) != 0)
            break;
        at = mark;
        if (++marks < TUI_CELL_CHARS)
            out->ch[marks] = more;
    }
    *text = (const char *)at;
    return true;
}

int tui_text_width(const char *text)
{
    struct glyph glyph;
    int width = 0;
    while (next_glyph(&text, &glyph))
        width += glyph.width;
    return width;
}

size_t tui_text_fit(const char *text, int width)
{
    const char *at = text, *end = text;
    struct glyph glyph;
    while (next_glyph(&at, &glyph) && glyph.width <= width) {
        width -= glyph.width;
        end = at;
    }
    return (size_t)(end - text);
}

/* -------------------------------------------------------------------------------------- cells */

bool tui_grid_resize(struct tui_grid *grid, int rows, int cols)
{
    bool fits = rows > 0 && cols > 0 && rows <= ROWS_MAX && cols <= COLS_MAX;
    struct tui_cell *cell = fits ? calloc((size_t)rows * (size_t)cols, sizeof(*cell)) : NULL;
    free(grid->cell);
    grid->cell = cell;
    grid->rows = cell ? rows : 0;
    grid->cols = cell ? cols : 0;
    tui_grid_clear(grid);
    return cell != NULL;
}

void tui_grid_release(struct tui_grid *grid)
{
    free(grid->cell);
    grid->cell = NULL;
    grid->rows = grid->cols = 0;
}

void tui_grid_clear(struct tui_grid *grid)
{
    size_t cells = (size_t)grid->rows * (size_t)grid->cols;
    for (size_t i = 0; i < cells; i++)
        grid->cell[i] = (struct tui_cell){{' '}, TUI_PLAIN};
    grid->cursor_row = grid->cursor_col = -1;
}

static void set_cell(struct tui_cell *cell, const uint32_t *ch, enum tui_role role)
{
    memcpy(cell->ch, ch, sizeof(cell->ch));
    cell->role = (uint8_t)role;
}

/* Blanks the other half of a wide character when one half is overwritten. */
static void mend_edges(struct tui_grid *grid, int row, int col, int width)
{
    static const uint32_t blank[TUI_CELL_CHARS] = {' '};
    struct tui_cell *line = grid->cell + (size_t)row * (size_t)grid->cols;
    if (col > 0 && line[col].ch[0] == 0)
        set_cell(&line[col - 1], blank, line[col - 1].role);
    int next = col + width;
    if (next < grid->cols && line[next].ch[0] == 0)
        set_cell(&line[next], blank, line[next].role);
}

static void put_glyph(struct tui_grid *grid, int row, int col, enum tui_role role,
                      const struct glyph *glyph)
{
    static const uint32_t right_half[TUI_CELL_CHARS] = {0};
    struct tui_cell *cell = grid->cell + (size_t)row * (size_t)grid->cols + (size_t)col;
    mend_edges(grid, row, col, glyph->width);
    set_cell(cell, glyph->ch, role);
    if (glyph->width == 2)
        set_cell(cell + 1, right_half, role);
}

/* For a terminal without UTF-8: replaces a glyph by one `?` for each of its columns. */
static struct glyph plainer(struct glyph glyph)
{
    if (glyph.ch[0] < 0x7F)
        return (struct glyph){{glyph.ch[0]}, 1};
    return (struct glyph){{'?'}, 1};
}

int tui_put(struct tui_grid *grid, int row, int col, int width, enum tui_role role,
            const char *text)
{
    struct glyph glyph;
    if (row < 0 || row >= grid->rows || col < 0 || col >= grid->cols || width <= 0)
        return 0;
    int end = width < grid->cols - col ? col + width : grid->cols;
    int at = col;
    while (at < end && next_glyph(&text, &glyph)) {
        int columns = glyph.width;
        if (grid->ascii)
            glyph = plainer(glyph);
        if (at + columns > end)
            break;
        for (int i = 0; i < columns; i += glyph.width)
            put_glyph(grid, row, at + i, role, &glyph);
        at += columns;
    }
    return at - col;
}

int tui_put_right(struct tui_grid *grid, int row, int col, int width, enum tui_role role,
                  const char *text)
{
    int used = tui_text_width(text);
    if (used >= width)
        return tui_put(grid, row, col, width, role, text);
    tui_put(grid, row, col + width - used, used, role, text);
    return width;
}

/* Returns the text from a column on. If a wide character straddles the column, returns the text
 * after it. */
static const char *text_from(const char *text, int column)
{
    struct glyph glyph;
    const char *at = text;
    int width = 0;
    while (width < column && next_glyph(&at, &glyph))
        width += glyph.width;
    return at;
}

/* Writes head, sign, tail. The head gets three fifths: the names of ops differ most there. */
static int put_both_ends(struct tui_grid *grid, int row, int col, int width, enum tui_role role,
                         const char *text, int total)
{
    const char *cut = tui_sign(grid, TUI_SIGN_CUT);
    int sign = tui_text_width(cut);
    int tail = (width - sign) * 2 / 5;
    int head = width - sign - tail;
    int used = tui_put(grid, row, col, head, role, text);
    used += tui_put(grid, row, col + used, sign, role, cut);
    used += tui_put(grid, row, col + used, width - used, role, text_from(text, total - tail));
    return used;
}

int tui_put_middle(struct tui_grid *grid, int row, int col, int width, enum tui_role role,
                   const char *text, int skip)
{
    int total = tui_text_width(text);
    const char *cut = tui_sign(grid, TUI_SIGN_CUT);
    int sign = tui_text_width(cut);
    if (col >= 0 && col < grid->cols && width > grid->cols - col)
        width = grid->cols - col;
    if (total <= width || width < sign + 2)
        return tui_put(grid, row, col, width, role, text);
    if (skip <= 0)
        return put_both_ends(grid, row, col, width, role, text, total);
    /* Scrolled: never past the end, with a sign at each cut end. */
    int last = total - (width - sign);
    bool more = skip < last;
    const char *from = text_from(text, (more ? skip : last) + (more ? sign : 0));
    int used = tui_put(grid, row, col, sign, role, cut);
    used += tui_put(grid, row, col + used, width - used - (more ? sign : 0), role, from);
    if (more)
        used += tui_put(grid, row, col + used, sign, role, cut);
    return used;
}

int tui_printf(struct tui_grid *grid, int row, int col, int width, enum tui_role role,
               const char *format, ...)
{
    char line[LINE_MAX_BYTES];
    va_list args;
    va_start(args, format);
    int size = vsnprintf(line, sizeof(line), format, args);
    va_end(args);
    return size < 0 ? 0 : tui_put(grid, row, col, width, role, line);
}

void tui_paint(struct tui_grid *grid, int row, int col, int width, enum tui_role role)
{
    if (row < 0 || row >= grid->rows)
        return;
    for (int i = col < 0 ? 0 : col; i < grid->cols && i - col < width; i++)
        grid->cell[(size_t)row * (size_t)grid->cols + (size_t)i].role = (uint8_t)role;
}

void tui_fill(struct tui_grid *grid, int row, int col, int width, enum tui_role role,
              enum tui_sign sign)
{
    for (int i = 0; i < width && col + i < grid->cols; i++)
        tui_put(grid, row, col + i, 1, role, tui_sign(grid, sign));
}

const char *tui_level_sign(const struct tui_grid *grid, unsigned level)
{
    static const char *const blocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    static const char *const ascii[] = {" ", ".", ".", ":", ":", "+", "+", "#", "#"};
    const unsigned most = sizeof blocks / sizeof blocks[0] - 1;
    level = level < most ? level : most;
    return grid->ascii ? ascii[level] : blocks[level];
}

const char *tui_part_sign(const struct tui_grid *grid, double part)
{
    return tui_level_sign(grid, part > 0 ? 1 + (unsigned)(part * 7) : 0);
}

void tui_bar(struct tui_grid *grid, int row, int col, int width, enum tui_role role, double part)
{
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    if (!(part > 0) || width <= 0)
        return;
    /* Rounds up: a bar above zero is always visible. */
    int units = grid->ascii ? 1 : 8;
    double exact = (part < 1 ? part : 1) * width * units;
    int filled = (int)exact;
    if (filled == 0 || exact - filled >= 0.5)
        filled++;
    tui_fill(grid, row, col, filled / units, role, TUI_SIGN_FIRST);
    if (filled % units)
        tui_put(grid, row, col + filled / units, 1, role, eighths[filled % units]);
}

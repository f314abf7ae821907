/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * line.c: lines made of fields, pages made of lines, numbers as text.
 */
#include "config.h"

#include "tui/ui/draw.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { GAP = 2, MARGIN = 1 };

/* ------------------------------------------------------------------------------------- numbers */

static const char *number(char *out, enum model_unit unit, const struct model_cell *cell)
{
    model_unit_format(unit, cell, 9, out, TUI_NUMBER_SIZE);
    return out;
}

const char *tui_ns(char *out, uint64_t ns)
{
    struct model_cell cell = {.known = ns != MODEL_UNKNOWN, .u = ns};
    return number(out, MODEL_UNIT_NS, &cell);
}

const char *tui_ns_marked(char *out, uint64_t ns, bool estimated)
{
    struct model_cell cell = {.known = ns != MODEL_UNKNOWN, .u = ns, .approx = estimated};
    return number(out, MODEL_UNIT_NS, &cell);
}

const char *tui_bytes(char *out, uint64_t bytes)
{
    struct model_cell cell = {.known = bytes != MODEL_UNKNOWN, .u = bytes};
    return number(out, MODEL_UNIT_BYTES, &cell);
}

const char *tui_count(char *out, uint64_t count)
{
    struct model_cell cell = {.known = count != MODEL_UNKNOWN, .u = count};
    return number(out, MODEL_UNIT_COUNT, &cell);
}

const char *tui_share(char *out, uint64_t part, uint64_t whole)
{
    const struct model_cell cell = model_share(part, whole);
    const bool known = cell.known;
    number(out, MODEL_UNIT_PERCENT, &cell);
    /* An unknown part already shows a sign of its own; its share shows none. */
    strcpy(known ? out + strlen(out) : out, known ? "%" : part == MODEL_UNKNOWN ? "" : "-");
    return out;
}

/* ---------------------------------------------------------------------------------------- lines */

__attribute__((format(printf, 5, 0))) static void line_add(struct tui_line *line,
                                                           enum tui_role role, unsigned rank,
                                                           bool right, const char *format,
                                                           va_list args)
{
    if (line->fields == TUI_FIELDS_MAX)
        return;
    struct tui_field *field = &line->field[line->fields];
    *field = (struct tui_field){.role = role, .rank = (uint8_t)rank, .right = right};
    int size = vsnprintf(field->text, sizeof(field->text), format, args);
    if (size > 0)
        line->fields++;
}

void tui_line_add(struct tui_line *line, enum tui_role role, unsigned rank, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    line_add(line, role, rank, false, format, args);
    va_end(args);
}

void tui_line_right(struct tui_line *line, enum tui_role role, unsigned rank, const char *format,
                    ...)
{
    va_list args;
    va_start(args, format);
    line_add(line, role, rank, true, format, args);
    va_end(args);
}

static int field_width(const struct tui_field *field)
{
    int width = tui_text_width(field->text);
    return field->most > 0 && width > field->most ? field->most : width;
}

int tui_line_width(const struct tui_line *line)
{
    int width = MARGIN;
    for (unsigned i = 0; i < line->fields; i++) {
        const struct tui_field *field = &line->field[i];
        width += (field->least > 0 ? field->least : field_width(field)) + (i > 0 ? GAP : 0);
    }
    return width;
}

/* Drops the field of the highest rank; false if all are of rank 0. */
static bool line_drop(struct tui_line *line)
{
    unsigned worst = 0;
    for (unsigned i = 1; i < line->fields; i++)
        if (line->field[i].rank >= line->field[worst].rank)
            worst = i;
    if (line->fields == 0 || line->field[worst].rank == 0)
        return false;
    line->fields--;
    memmove(&line->field[worst], &line->field[worst + 1],
            (line->fields - worst) * sizeof(line->field[0]));
    return true;
}

void tui_line_draw(struct tui_line *line, struct tui_grid *grid, int row)
{
    while (tui_line_width(line) > tui_grid_page(grid) && line_drop(line))
        ;
    int col = MARGIN, end = tui_grid_page(grid);
    for (unsigned i = line->fields; i-- > 0;) {
        const struct tui_field *field = &line->field[i];
        int width = tui_text_width(field->text);
        if (!field->right || width + MARGIN > end)
            continue;
        end -= width;
        tui_put(grid, row, end, width, field->role, field->text);
        end -= GAP;
    }
    for (unsigned i = 0; i < line->fields; i++) {
        const struct tui_field *field = &line->field[i];
        if (field->right || col >= end)
            continue;
        int width = field_width(field);
        width = width < end - col ? width : end - col;
        col += tui_put_middle(grid, row, col, width, field->role, field->text, 0) + GAP;
    }
}

/* ---------------------------------------------------------------------------------------- pages */

static bool is_in_area(const struct tui_page *page)
{
    return page->line >= page->first && page->line - page->first < (uint32_t)page->area.rows;
}

static bool is_shown(const struct tui_page *page)
{
    return page->grid && is_in_area(page);
}

/* Highlights each match of the searched text in a line. */
static void mark_text(struct tui_page *page, int row, int col, const char *line)
{
    const size_t size = strlen(page->mark);
    for (const char *at = line; size > 0 && (at = strcasestr(at, page->mark)); at += size) {
        char part[TUI_FIELD_SIZE * 4];
        snprintf(part, sizeof(part), "%.*s", (int)(at - line), line);
        const int from = col + tui_text_width(part);
        snprintf(part, sizeof(part), "%.*s", (int)size, at);
        tui_paint(page->grid, row, from, tui_text_width(part), TUI_CURSOR);
    }
    if (page->line + 1 == page->mark_line)
        tui_put(page->grid, row, 0, 1, TUI_KEY, tui_sign(page->grid, TUI_SIGN_CURSOR));
}

static void page_put(struct tui_page *page, int col, enum tui_role role, const char *text,
                     size_t size)
{
    char line[TUI_FIELD_SIZE * 4];
    if (!page->find && !is_shown(page))
        return;
    if (size >= sizeof(line))
        size = sizeof(line) - 1;
    memcpy(line, text, size);
    line[size] = '\0';
    if (page->find && page->found < 0 && page->line >= page->find_from &&
        strcasestr(line, page->find))
        page->found = page->line;
    if (!is_shown(page))
        return;
    int row = page->area.row + (int)(page->line - page->first);
    tui_put(page->grid, row, col, page->cols - col, role, line);
    if (page->mark)
        mark_text(page, row, col, line);
}

void tui_page_line(struct tui_page *page, enum tui_role role, const char *text)
{
    page_put(page, MARGIN, role, text, strlen(text));
    page->line++;
}

/* Returns the bytes of the next line of at most `width` columns, cut after a blank if there is
 * one. */
static size_t wrap_size(const char *text, int width)
{
    size_t fits = tui_text_fit(text, width);
    if (text[fits] == '\0')
        return fits;
    for (size_t i = fits; i > fits / 2; i--)
        if (text[i] == ' ')
            return i;
    return fits;
}

void tui_page_wrap(struct tui_page *page, enum tui_role role, int indent, const char *head,
                   const char *text)
{
    int width = page->cols - indent - MARGIN;
    if (width < 8) {
        indent = MARGIN;
        width = page->cols - 2 * MARGIN;
    }
    if (head)
        page_put(page, MARGIN, TUI_KEY, head, strlen(head));
    if (head && tui_text_width(head) + MARGIN >= indent)
        page->line++;
    do {
        size_t size = wrap_size(text, width > 0 ? width : 1);
        if (size == 0 && *text)
            size = strlen(text); /* not even one character fits */
        page_put(page, indent, role, text, size);
        page->line++;
        text += size;
        while (*text == ' ')
            text++;
    } while (*text);
}

void tui_page_figure(struct tui_page *page, int from, int width, const char *label,
                     const char *value, bool chosen)
{
    enum { VALUE_COL = 12 };
    const int end = from + width;
    int col = from + MARGIN;
    page_put(page, col, chosen ? TUI_CURSOR : TUI_KEY, label, tui_text_fit(label, end - col));
    col += tui_text_width(label) + 1;
    col = col > from + VALUE_COL ? col : from + VALUE_COL;
    if (col < end)
        page_put(page, col, TUI_PLAIN, value, tui_text_fit(value, end - col));
}

void tui_page_named(struct tui_page *page, enum tui_role role, const char *text, const char *domain,
                    const char *name)
{
    enum { DOMAIN_MOST = 12 };
    const bool cursor = role == TUI_CURSOR;
    if (cursor)
        page->cursor = page->line + 1;
    if (cursor && is_shown(page)) {
        const int row = page->area.row + (int)(page->line - page->first);
        tui_paint(page->grid, row, 0, page->grid->cols, role);
        tui_put(page->grid, row, 0, 1, role, tui_sign(page->grid, TUI_SIGN_CURSOR));
    }
    page_put(page, MARGIN, role, text, strlen(text));
    const int from = MARGIN + tui_text_width(text) + GAP - 1;
    const int need = from + (*domain ? tui_text_width(domain) + 1 : 0) + tui_text_width(name);
    if (is_in_area(page) && need > page->need)
        page->need = need;
    if (is_shown(page)) {
        int row = page->area.row + (int)(page->line - page->first);
        const int cols = page->whole ? page->grid->cols : page->cols;
        int col = from, left = cols - col;
        if (*domain && left > 2 * DOMAIN_MOST) {
            const int most = page->whole ? left : DOMAIN_MOST;
            const enum tui_role dim = cursor ? role : TUI_DIM;
            col += tui_put_middle(page->grid, row, col, most, dim, domain, 0) + 1;
            left = cols - col;
        }
        if (left > 0)
            tui_put_middle(page->grid, row, col, left, role, name, 0);
    }
    page->line++;
}

void tui_page_draw(struct tui_screen *screen, struct tui_grid *grid, struct tui_area area,
                   tui_page_text *text)
{
    struct tui_page page = {.area = area, .cols = grid->cols};
    text(screen, &page);
    uint32_t lines = page.line, rows = area.rows > 0 ? (uint32_t)area.rows : 0;
    uint32_t last = lines > rows ? lines - rows : 0;
    page = (struct tui_page){.grid = grid, .area = area, .cols = grid->cols};
    page.first = screen->scroll < last ? screen->scroll : last;
    page.mark = screen->found ? screen->search : NULL;
    page.mark_line = screen->found;
    text(screen, &page);
    screen->shape.scroll_lines = (int)lines;
    screen->shape.list_rows = rows > 0 ? (int)rows : 1;
}

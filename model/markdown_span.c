/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * markdown_span.c: a name as a code span of Markdown.
 */
#include <ctype.h>
#include <string.h>

#include "model/markdown.h"

static const char CUT[] = "\xE2\x80\xA6"; /* the sign of a cut */
static const char BAR[] = "\xC2\xA6";     /* in place of a | that cannot be escaped */
static const char PATH_ENDS[] = " \"'`()[]{}<>,;:|=";

/* Returns the size of an absolute path at the start of some text; 0: there is none. A division is
 * no path: a path has two slashes, and a letter follows the first. */
static size_t path_size(const char *at, const char *end, bool begins)
{
    const char *from = at;
    unsigned slashes = 0;
    if (!begins || at == end)
        return 0;
    if (*at == '~')
        from++;
    if (end - from < 2 || *from != '/' ||
        (!isalnum((unsigned char)from[1]) && from[1] != '.' && from[1] != '_' && from[1] != '/'))
        return 0;
    for (; from < end && !strchr(PATH_ENDS, *from); from++)
        slashes += *from == '/';
    return slashes >= 2 || *at == '~' ? (size_t)(from - at) : 0;
}

/* True if a path may begin behind this character. */
static bool is_before_path(char c)
{
    return !isalnum((unsigned char)c) && !strchr("/_.-)]", c) && !((unsigned char)c & 0x80);
}

/* Copies a name without the folders of paths, and cuts it at a character. Returns its size. */
static size_t shorten(const char *at, size_t size, size_t most, char out[MODEL_MARKDOWN_TEXT])
{
    const char *end = at + size;
    size_t used = 0;
    bool begins = true;
    while (at < end) {
        const size_t path = path_size(at, end, begins);
        if (path > 0) {
            const char *last = at + path;
            while (last > at && last[-1] != '/')
                last--;
            at = last;
            begins = false;
            continue;
        }
        begins = is_before_path(*at);
        if (used == most - (sizeof CUT - 1)) {
            while (used > 0 && ((unsigned char)*at & 0xC0) == 0x80) {
                at--;
                used--;
            }
            memcpy(out + used, CUT, sizeof CUT - 1);
            return used + sizeof CUT - 1;
        }
        out[used++] = *at++;
    }
    return used;
}

/* Returns the most backticks in a row. */
static size_t most_ticks(const char *bytes, size_t size)
{
    size_t most = 0, row = 0;
    for (size_t i = 0; i < size; i++) {
        row = bytes[i] == '`' ? row + 1 : 0;
        most = row > most ? row : most;
    }
    return most;
}

size_t model_markdown_span(const char *bytes, size_t size, size_t most, bool cell,
                           char out[MODEL_MARKDOWN_SPAN])
{
    char name[MODEL_MARKDOWN_TEXT];
    const size_t shown = shorten(bytes, size, most, name), fence = most_ticks(name, shown) + 1;
    if (shown == 0) {
        out[0] = '-';
        return 1;
    }
    /* A renderer takes one blank off both ends, and a tick there would belong to the fence. */
    const bool pad = strchr("` ", name[0]) || strchr("` ", name[shown - 1]);
    size_t used = 0;
    memset(out, '`', fence);
    used += fence;
    if (pad)
        out[used++] = ' ';
    for (size_t i = 0; i < shown; i++) {
        if (cell && name[i] == '|' && i > 0 && name[i - 1] == '\\') {
            memcpy(out + used, BAR, sizeof BAR - 1);
            used += sizeof BAR - 1;
            continue;
        }
        if (cell && name[i] == '|')
            out[used++] = '\\';
        out[used++] = name[i];
    }
    if (pad)
        out[used++] = ' ';
    memset(out + used, '`', fence);
    return used + fence;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * text_lines.c: cuts a source into lines.
 */
#include "model/text_lines.h"

#include <stdlib.h>
#include <string.h>

void model_lines_init(struct model_lines *lines, const struct model_reader *source)
{
    memset(lines, 0, sizeof(*lines));
    lines->source = source;
}

void model_lines_release(struct model_lines *lines)
{
    free(lines->text);
    lines->text = NULL;
}

static bool fill(struct model_lines *lines)
{
    lines->at = 0;
    lines->end = lines->source->read(lines->source->from, lines->buffer, sizeof(lines->buffer));
    return lines->end > 0;
}

/* Keeps bytes of the line, as far as there is space. */
static void keep(struct model_lines *lines, const char *bytes, size_t size)
{
    const size_t space = MODEL_LINE_MAX - lines->size;
    lines->cut |= size > space;
    size = size < space ? size : space;
    memcpy(lines->text + lines->size, bytes, size);
    lines->size += size;
}

static void clean(struct model_lines *lines)
{
    if (lines->size > 0 && lines->text[lines->size - 1] == '\r')
        lines->size--;
    for (size_t i = 0; i < lines->size; i++)
        if (lines->text[i] == '\0')
            lines->text[i] = '?';
    lines->text[lines->size] = '\0';
}

bool model_lines_next(struct model_lines *lines)
{
    bool any = false, ended = false;
    size_t read = 0;
    if (lines->wrong)
        return false;
    if (!lines->text && !(lines->text = malloc(MODEL_LINE_MAX + 1))) {
        lines->wrong = "needs more memory than there is";
        return false;
    }
    lines->size = 0;
    lines->cut = false;
    while (!ended && (lines->at < lines->end || fill(lines))) {
        const char *from = lines->buffer + lines->at;
        const char *newline = memchr(from, '\n', lines->end - lines->at);
        const size_t size = newline ? (size_t)(newline - from) : lines->end - lines->at;
        keep(lines, from, size);
        lines->at += size + (newline != NULL);
        ended = newline != NULL;
        any = true;
        read += size;
        if (read > MODEL_LINE_READ) {
            lines->wrong = "has a line of more than 64 MiB";
            return false;
        }
    }
    clean(lines);
    lines->number += any;
    return any;
}

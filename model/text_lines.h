/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * text_lines.h: reads a text line by line, in bounded memory. The text is not trusted.
 */
#ifndef MODEL_TEXT_LINES_H
#define MODEL_TEXT_LINES_H

#include "model/json_reader.h"

enum {
    MODEL_LINE_MAX = 65536,   /* bytes of a line that are kept */
    MODEL_LINE_READ = 1 << 26 /* bytes of a line that are read: no text has longer ones */
};

struct model_lines {
    const struct model_reader *source;
    char *text;        /* the line, without its end; a NUL follows, and no other is in it */
    size_t size;       /* its bytes */
    uint64_t number;   /* from 1; 0: none was read */
    bool cut;          /* the line had more bytes, which are dropped */
    const char *wrong; /* why reading has ended early, phrased to follow "it"; or NULL */
    size_t at, end;
    char buffer[8192];
};

/* `source` is borrowed until release. */
void model_lines_init(struct model_lines *lines, const struct model_reader *source);
void model_lines_release(struct model_lines *lines);

/* Reads the next line. Both ends of line are taken, "\n" and "\r\n"; NULs become '?'. False at the
 * end, and after an error. */
bool model_lines_next(struct model_lines *lines);

#endif

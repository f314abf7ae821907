/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * golden.c: finds the blocks "```hex NAME" of docs/protocol.md and turns them into bytes.
 */
#include "golden.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_MAX = 1 << 20, FRAME_ROOM = 1 << 20, GOLDENS_MAX = 256 };

char *golden_page(void)
{
    const char *dir = getenv("srcdir");
    char path[4096];
    snprintf(path, sizeof path, "%s/docs/protocol.md", dir ? dir : ".");
    FILE *file = fopen(path, "r");
    if (!file) {
        fprintf(stderr, "%s cannot be opened\n", path);
        return NULL;
    }
    char *page = calloc(1, PAGE_MAX);
    size_t size = fread(page, 1, PAGE_MAX - 1, file);
    fclose(file);
    page[size] = 0;
    return page;
}

/* Parses a line "48 2f  topic" or "c1 * 4095  4095 times". Returns false if the line is neither. */
static bool read_line(const char *line, struct golden *g)
{
    unsigned byte, times = 1;
    int used;
    while (isxdigit((unsigned char)line[0]) && isxdigit((unsigned char)line[1]) &&
           sscanf(line, "%2x%n", &byte, &used) == 1) {
        line += used;
        if (sscanf(line, " * %u%n", &times, &used) == 1)
            line += used;
        if (times > FRAME_ROOM - g->size)
            return false;
        memset(g->bytes + g->size, (int)byte, times);
        g->size += times;
        if (line[0] == ' ' && line[1] != ' ')
            line++;
    }
    return *line == '\n' || strncmp(line, "  ", 2) == 0;
}

/* Reads from after "```hex " to the closing "```". Returns the end position, or NULL. */
static const char *read_block(const char *at, struct golden *g)
{
    int used = 0;
    g->bad = strncmp(at, "bad ", 4) == 0;
    if (sscanf(at + (g->bad ? 4 : 0), "%31[-a-z]\n%n", g->name, &used) != 1 || used == 0)
        return NULL;
    g->bytes = malloc(FRAME_ROOM);
    at = strchr(at, '\n') + 1;
    while (strncmp(at, "```\n", 4) != 0) {
        if (!read_line(at, g) || !strchr(at, '\n'))
            return NULL;
        at = strchr(at, '\n') + 1;
    }
    uint8_t *exact = malloc(g->size > 0 ? g->size : 1);
    memcpy(exact, g->bytes, g->size);
    free(g->bytes);
    g->bytes = exact;
    return at;
}

struct golden *golden_read(size_t *n)
{
    static const char opening[] = "\n```hex ";
    char *page = golden_page();
    struct golden *goldens = calloc(GOLDENS_MAX, sizeof *goldens);
    const char *at = page;
    *n = 0;
    while (at && (at = strstr(at, opening)) && *n < GOLDENS_MAX) {
        const char *title = at + strlen(opening);
        at = read_block(title, &goldens[(*n)++]);
        if (!at)
            fprintf(stderr, "no block of golden bytes: %.40s\n", title);
        if (!at || *n == GOLDENS_MAX) {
            golden_free(goldens, *n);
            goldens = NULL;
            break;
        }
    }
    free(page);
    return page ? goldens : NULL;
}

void golden_free(struct golden *goldens, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(goldens[i].bytes);
    free(goldens);
}

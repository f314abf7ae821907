/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * config_file.c: reads lines of `key = value` from a trusted file.
 */
#include "config.h"

#include "feed/shared/config_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char blanks[] = " \t\r\n";

/* Returns why an open file is not trusted, or NULL. */
static const char *fault_of(int fd, bool secret)
{
    struct stat st;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
        return "is no plain file";
    if (st.st_uid != 0 && st.st_uid != geteuid())
        return "belongs to another user";
    if ((st.st_mode & 022) != 0)
        return "can be written by others: chmod go-w";
    return secret && (st.st_mode & 077) != 0 ? "can be read by others: chmod 600" : NULL;
}

/* Trims blanks off both ends. */
static char *trim(char *text)
{
    text += strspn(text, blanks);
    size_t size = strlen(text);
    while (size > 0 && strchr(blanks, text[size - 1]) != NULL)
        size--;
    text[size] = 0;
    return text;
}

static const char *take_line(char *line, shared_config_line_fn *take, void *to)
{
    char *key = trim(line);
    if (*key == 0 || *key == '#')
        return NULL;
    char *equals = strchr(key, '=');
    if (equals == NULL)
        return "has no =";
    *equals = 0;
    return take(to, trim(key), trim(equals + 1));
}

enum shared_config shared_config_read(const char *path, bool secret, shared_config_line_fn *take,
                                      void *to, char *why, size_t capacity)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
        return SHARED_CONFIG_NONE;
    const char *wrong = fd < 0 ? strerror(errno) : fault_of(fd, secret);
    FILE *file = wrong != NULL ? NULL : fdopen(fd, "r");
    if (file == NULL) {
        snprintf(why, capacity, "%s %s%s", path, fd < 0 ? "can't be read: " : "",
                 wrong != NULL ? wrong : "can't be read for want of memory");
        if (fd >= 0)
            close(fd);
        return SHARED_CONFIG_BAD;
    }
    char line[SHARED_LINE_MAX];
    unsigned number = 0;
    while (wrong == NULL && fgets(line, sizeof line, file) != NULL) {
        number++;
        wrong = strlen(line) == sizeof line - 1 ? "is too long" : take_line(line, take, to);
    }
    if (wrong != NULL)
        snprintf(why, capacity, "%s: line %u %s", path, number, wrong);
    fclose(file);
    return wrong == NULL ? SHARED_CONFIG_READ : SHARED_CONFIG_BAD;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * http_request.c: reads the first line and the field Host of a request.
 */
#include "config.h"

#include "tui/cli/http_request.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Returns the value of a field in these lines, and its size; NULL: there is none. */
static const char *find_field(const char *at, const char *end, const char *name, size_t *size)
{
    const size_t length = strlen(name);
    const char *line_end;
    for (; at < end; at = line_end + (line_end < end)) {
        line_end = memchr(at, '\n', (size_t)(end - at));
        if (!line_end)
            line_end = end;
        if ((size_t)(line_end - at) <= length || strncasecmp(at, name, length) != 0 ||
            at[length] != ':')
            continue;
        const char *from = at + length + 1;
        while (from < line_end && (*from == ' ' || *from == '\t'))
            from++;
        while (line_end > from && isspace((unsigned char)line_end[-1]))
            line_end--;
        *size = (size_t)(line_end - from);
        return from;
    }
    return NULL;
}

/* True if a host is `localhost` or an address, with or without a port. */
static bool is_address(const char *host, size_t size)
{
    char name[64];
    struct in6_addr six;
    struct in_addr four;
    if (size == 0 || size >= sizeof name)
        return false;
    memcpy(name, host, size);
    name[size] = '\0';
    if (name[0] == '[') {
        char *close = strchr(name, ']');
        if (!close)
            return false;
        *close = '\0';
        return inet_pton(AF_INET6, name + 1, &six) == 1;
    }
    name[strcspn(name, ":")] = '\0';
    return strcasecmp(name, "localhost") == 0 || inet_pton(AF_INET, name, &four) == 1;
}

/* Returns the status that refuses a request by its field Host, or NULL. HTTP/1.1 needs one. */
static const char *refuse_host(const struct tui_http_allowed *allowed, const char *version,
                               const char *fields, const char *end)
{
    size_t size = 0, more;
    const char *host = find_field(fields, end, "Host", &size);
    if ((!host && strcmp(version, "HTTP/1.0") != 0) ||
        (host && find_field(host + size, end, "Host", &more)))
        return "400 Bad Request";
    return !host || allowed->any_host || is_address(host, size) ? NULL : "403 Forbidden";
}

/* Returns the end of the fields: behind the blank line; NULL: it has not come yet. */
static const char *find_end(const char *at, const char *end)
{
    while ((at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
        at++;
        if (at < end && *at == '\r')
            at++;
        if (at < end && *at == '\n')
            return at + 1;
    }
    return NULL;
}

/* Judges a whole request, whose first line is `line` with a NUL. */
static void judge(char *line, const char *fields, const char *end,
                  const struct tui_http_allowed *allowed, struct tui_http_verdict *verdict)
{
    char method[16], target[256], version[16], extra;
    const char *refusal;
    verdict->status = "400 Bad Request";
    if (sscanf(line, "%15s %255s %15s %c", method, target, version, &extra) != 3)
        return;
    target[strcspn(target, "?")] = '\0';
    verdict->head = strcmp(method, "HEAD") == 0;
    if (strncmp(version, "HTTP/1.", 7) != 0) {
        verdict->status = "505 HTTP Version Not Supported";
    } else if (!verdict->head && strcmp(method, "GET") != 0) {
        verdict->status = "405 Method Not Allowed";
        verdict->more = "Allow: GET, HEAD\r\n";
    } else if ((refusal = refuse_host(allowed, version, fields, end)) != NULL) {
        verdict->status = refusal;
    } else {
        verdict->status = strcmp(target, allowed->path) == 0 ? "200 OK" : "404 Not Found";
    }
}

bool tui_http_judge(const char *bytes, size_t size, const struct tui_http_allowed *allowed,
                    struct tui_http_verdict *verdict)
{
    char line[HTTP_REQUEST + 1];
    const char *end = find_end(bytes, bytes + size);
    *verdict = (struct tui_http_verdict){"431 Request Header Fields Too Large", "", false};
    if (!end)
        return size >= HTTP_REQUEST;
    const char *line_end = memchr(bytes, '\n', size);
    const size_t length = (size_t)(line_end - bytes);
    if (length > HTTP_REQUEST)
        return true;
    memcpy(line, bytes, length);
    line[length] = '\0';
#ifdef HTTP_PLANT_FAULT
    end = bytes + size; /* what follows the request counts */
#endif
    if (strlen(line) == length)
        judge(line, line_end + 1, end, allowed, verdict);
    else
        verdict->status = "400 Bad Request";
    return true;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * http_request.h: reads a request of HTTP/1.1 (RFC 9112) from any bytes: its first line and the
 * field Host.
 */
#ifndef TUI_CLI_HTTP_REQUEST_H
#define TUI_CLI_HTTP_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

enum { HTTP_REQUEST = 8192 }; /* most bytes of a request */

/* Kinds of requests. */
struct tui_http_allowed {
    const char *path; /* the only one; what follows a ? does not matter */
    bool any_host;    /* else Host is an address or localhost */
};

struct tui_http_verdict {
    const char *status; /* "200 OK", or why it is refused; static */
    const char *more;   /* a line for the head of the answer, or ""; static */
    bool head;          /* HEAD: the answer has no text */
};

/* Judges the request at the start of some bytes, HTTP_REQUEST at most; others may follow it.
 * Returns false if it is not whole yet. */
bool tui_http_judge(const char *bytes, size_t size, const struct tui_http_allowed *allowed,
                    struct tui_http_verdict *verdict);

#endif

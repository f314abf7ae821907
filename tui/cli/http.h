/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * http.h: an HTTP/1.1 server (RFC 9112) of one text, for `proftop prom`. It answers GET and HEAD of
 * one path and closes the connection. No thread: the caller polls one descriptor.
 *
 * Our own code, since the whole of HTTP that is used is one request line and the field Host.
 * libmicrohttpd (LGPL) would save half of it, and be one more library in each wheel: see
 * docs/design.md.
 *
 * Bounded: HTTP_CONNECTIONS at a time, HTTP_REQUEST bytes of a request, HTTP_LIFE_NS from the first
 * byte to the last. If all are taken, the oldest one that has no answer yet gives its place.
 */
#ifndef TUI_CLI_HTTP_H
#define TUI_CLI_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HTTP_CONNECTIONS = 32 };
#define HTTP_LIFE_NS UINT64_C(10000000000)

struct tui_http;

/* Makes the text of an answer. Returns memory of malloc() that the server frees, and its size; NULL
 * if out of memory: the answer is 503. */
typedef char *tui_http_page(void *of, size_t *size);

struct tui_http_form {
    const char *path, *type; /* "/metrics", and the media type of the text; static */
    tui_http_page *page;
    void *of;
    bool anywhere; /* addresses beyond this machine are allowed */
};

/* Listens at `unix:/path` or `ADDRESS:PORT`; port 0 takes a free one. A socket in the file system
 * has the mode 0600, and replaces one that nobody listens to. Over tcp only this machine may
 * connect, and a request must name it by address or as localhost: so no page in a browser reads the
 * answer under a name of its own. Returns NULL with a sentence in `why`. */
struct tui_http *tui_http_open(const char *where, const struct tui_http_form *form, char *why,
                               size_t capacity);
/* Closes all connections, and removes the socket from the file system. */
void tui_http_close(struct tui_http **http);

/* Where it listens, as `http://127.0.0.1:9123/metrics` or `unix:/path`. Borrowed. */
const char *tui_http_where(const struct tui_http *http);
/* Readable when there is work to do. */
int tui_http_descriptor(const struct tui_http *http);
/* Reads requests and writes answers, as far as possible without waiting. `now_ns`: monotonic;
 * `wall_ns`: since 1970. */
void tui_http_serve(struct tui_http *http, uint64_t now_ns, uint64_t wall_ns);
/* When to serve next even if the descriptor is not readable; UINT64_MAX: never. */
uint64_t tui_http_due_ns(const struct tui_http *http);

#endif

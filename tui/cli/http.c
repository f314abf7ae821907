/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * http.c: the connections of the server, and the answer to a request.
 */
#include "config.h"

#include "tui/cli/http.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "tui/cli/http_listen.h"
#include "tui/cli/http_request.h"

enum { HEAD_MAX = 512, EVENTS = 16 };
/* A text is made at most this often, however many ask. */
#define FRESH_NS UINT64_C(250000000)
#define NS_PER_S UINT64_C(1000000000)

/* A text, shared by the answers that carry it. */
struct page {
    char *text;
    size_t size;
    unsigned users;
};

struct connection {
    int fd; /* -1: free */
    uint64_t until_ns;
    char request[HTTP_REQUEST];
    size_t got;
    char head[HEAD_MAX];
    size_t head_size;  /* 0: there is no answer yet */
    struct page *page; /* or NULL */
    size_t body;       /* bytes of the page that are sent: 0 for HEAD */
    size_t sent;       /* of head and body */
};

struct tui_http {
    struct tui_http_form form;
    struct tui_listen listen;
    int poll;
    uint64_t now_ns, made_ns;
    time_t wall_s;
    struct page *page; /* the newest; or NULL */
    struct connection connection[HTTP_CONNECTIONS];
};

/* ---------------------------------------------------------------------------------------- pages */

static void release_page(struct page **page)
{
    if (*page && --(*page)->users == 0) {
        free((*page)->text);
        free(*page);
    }
    *page = NULL;
}

/* Returns the text for an answer; NULL: out of memory. */
static struct page *take_page(struct tui_http *http)
{
    if (!http->page || http->now_ns - http->made_ns >= FRESH_NS) {
        struct page *page = calloc(1, sizeof *page);
        release_page(&http->page);
        if (!page)
            return NULL;
        page->text = http->form.page(http->form.of, &page->size);
        page->users = 1;
        if (!page->text) {
            release_page(&page);
            return NULL;
        }
        http->page = page;
        http->made_ns = http->now_ns;
    }
    http->page->users++;
    return http->page;
}

/* -------------------------------------------------------------------------------------- answers */

static void end(struct connection *c)
{
    if (c->fd >= 0)
        close(c->fd);
    release_page(&c->page);
    c->fd = -1;
}

/* Sets an answer; `page` is given, or NULL: the words of the status. `more`: lines of the head. */
static void set_answer(const struct tui_http *http, struct connection *c, const char *status,
                       const char *type, const char *more, struct page *page, bool head_alone)
{
    const size_t size = page ? page->size : strlen(status) + 1;
    char date[40] = "";
    struct tm utc;
    if (gmtime_r(&http->wall_s, &utc))
        strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S GMT", &utc);
    const int head = snprintf(c->head, sizeof c->head,
                              "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n"
                              "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
                              "Connection: close\r\nDate: %s\r\n%s\r\n%s%s",
                              status, type, size, date, more, page || head_alone ? "" : status,
                              page || head_alone ? "" : "\n");
    c->head_size = (size_t)head;
    c->page = page;
    c->body = page && !head_alone ? page->size : 0;
}

/* Answers a request that was judged. */
static void answer(struct tui_http *http, struct connection *c,
                   const struct tui_http_verdict *verdict)
{
    struct page *page = NULL;
    const bool good = strcmp(verdict->status, "200 OK") == 0;
    if (good)
        page = take_page(http);
    if (page)
        set_answer(http, c, verdict->status, http->form.type, "", page, verdict->head);
    else
        set_answer(http, c, good ? "503 Service Unavailable" : verdict->status,
                   "text/plain; charset=utf-8", verdict->more, NULL, verdict->head);
}

/* ---------------------------------------------------------------------------------- connections */

static void watch(struct tui_http *http, struct connection *c, int what, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.ptr = c};
    if (epoll_ctl(http->poll, what, c->fd, &event) != 0)
        end(c);
}

/* Closes behind an answer. What the client has sent beyond its request is read first: the kernel
 * would else reset the connection, and the client could lose the answer. */
static void end_answer(struct connection *c)
{
    char rest[4096];
    shutdown(c->fd, SHUT_WR);
    for (unsigned i = 0; i < 16 && recv(c->fd, rest, sizeof rest, 0) > 0; i++)
        continue;
    end(c);
}

static void write_answer(struct connection *c)
{
    while (c->sent < c->head_size + c->body) {
        const bool head = c->sent < c->head_size;
        const char *from = head ? c->head + c->sent : c->page->text + (c->sent - c->head_size);
        const size_t left = head ? c->head_size - c->sent : c->head_size + c->body - c->sent;
        const ssize_t done = send(c->fd, from, left, MSG_NOSIGNAL);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return;
        if (done <= 0) {
            end(c);
            return;
        }
        c->sent += (size_t)done;
    }
    end_answer(c);
}

static void read_request(struct tui_http *http, struct connection *c)
{
    const ssize_t size = recv(c->fd, c->request + c->got, sizeof c->request - c->got, 0);
    if (size < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (size <= 0) { /* a client that closes its side before the request is whole */
        end(c);
        return;
    }
    c->got += (size_t)size;
    struct tui_http_verdict verdict;
    const struct tui_http_allowed allowed = {http->form.path,
                                             http->listen.path[0] || http->form.anywhere};
    if (!tui_http_judge(c->request, c->got, &allowed, &verdict))
        return;
    answer(http, c, &verdict);
    watch(http, c, EPOLL_CTL_MOD, EPOLLOUT);
    if (c->fd >= 0)
        write_answer(c);
}

/* Returns a free place. If there is none, ends the oldest connection without an answer. NULL: all
 * have one. */
static struct connection *find_place(struct tui_http *http)
{
    struct connection *oldest = NULL;
    for (unsigned i = 0; i < HTTP_CONNECTIONS; i++) {
        struct connection *c = &http->connection[i];
        if (c->fd < 0)
            return c;
        if (!c->head_size && (!oldest || c->until_ns < oldest->until_ns))
            oldest = c;
    }
    if (oldest)
        end(oldest);
    return oldest;
}

static void accept_one(struct tui_http *http)
{
    const int fd = accept4(http->listen.fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    struct connection *c = fd < 0 ? NULL : find_place(http);
    if (!c) {
        if (fd >= 0)
            close(fd);
        return;
    }
    *c = (struct connection){.fd = fd, .until_ns = http->now_ns + HTTP_LIFE_NS};
    watch(http, c, EPOLL_CTL_ADD, EPOLLIN);
}

void tui_http_serve(struct tui_http *http, uint64_t now_ns, uint64_t wall_ns)
{
    struct epoll_event event[EVENTS];
    http->now_ns = now_ns;
    http->wall_s = (time_t)(wall_ns / NS_PER_S);
    for (unsigned i = 0; i < HTTP_CONNECTIONS; i++)
        if (http->connection[i].fd >= 0 && now_ns >= http->connection[i].until_ns)
            end(&http->connection[i]);
    const int count = epoll_wait(http->poll, event, EVENTS, 0);
    bool more = false; /* last, since it may end a connection of this list */
    for (int i = 0; i < count; i++) {
        struct connection *c = event[i].data.ptr;
        if (!c)
            more = true;
        else if (c->fd >= 0 && c->head_size)
            write_answer(c);
        else if (c->fd >= 0)
            read_request(http, c);
    }
    if (more)
        accept_one(http);
}

uint64_t tui_http_due_ns(const struct tui_http *http)
{
    uint64_t due = UINT64_MAX;
    for (unsigned i = 0; i < HTTP_CONNECTIONS; i++)
        if (http->connection[i].fd >= 0 && http->connection[i].until_ns < due)
            due = http->connection[i].until_ns;
    return due;
}

/* ------------------------------------------------------------------------------ opening, closing
 */

struct tui_http *tui_http_open(const char *where, const struct tui_http_form *form, char *why,
                               size_t capacity)
{
    struct tui_http *http = calloc(1, sizeof *http);
    struct epoll_event event = {.events = EPOLLIN};
    if (!http) {
        snprintf(why, capacity, "there is no memory left to serve metrics");
        return NULL;
    }
    http->form = *form;
    for (unsigned i = 0; i < HTTP_CONNECTIONS; i++)
        http->connection[i].fd = -1;
    http->poll = epoll_create1(EPOLL_CLOEXEC);
    http->listen.fd = -1;
    if (http->poll < 0 || !tui_listen_open(&http->listen, where, form->anywhere, why, capacity) ||
        epoll_ctl(http->poll, EPOLL_CTL_ADD, http->listen.fd, &event) != 0) {
        if (http->poll < 0)
            snprintf(why, capacity, "there is no descriptor left to serve metrics");
        tui_http_close(&http);
        return NULL;
    }
    if (!http->listen.path[0])
        strncat(http->listen.where, form->path,
                sizeof http->listen.where - strlen(http->listen.where) - 1);
    return http;
}

void tui_http_close(struct tui_http **http)
{
    if (!*http)
        return;
    for (unsigned i = 0; i < HTTP_CONNECTIONS; i++)
        end(&(*http)->connection[i]);
    release_page(&(*http)->page);
    tui_listen_close(&(*http)->listen);
    if ((*http)->poll >= 0)
        close((*http)->poll);
    free(*http);
    *http = NULL;
}

const char *tui_http_where(const struct tui_http *http)
{
    return http->listen.where;
}

int tui_http_descriptor(const struct tui_http *http)
{
    return http->poll;
}

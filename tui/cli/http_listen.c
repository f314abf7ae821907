/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * http_listen.c: opens and closes the socket of the HTTP server.
 */
#include "config.h"

#include "tui/cli/http_listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/text.h"

enum { WAITING = 16, OTHERS = 0177, PORT_MAX = 65535 };
static const char UNIX[] = "unix:";

union address {
    struct sockaddr any;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
};

static bool fail(char *why, size_t capacity, const char *where, const char *reason)
{
    char safe[160];
    model_text_safe(where, strlen(where), safe, sizeof safe);
    snprintf(why, capacity, "metrics cannot be served at '%s': %s", safe, reason);
    return false;
}

/* Reads ADDRESS:PORT; an address of IPv6 is in brackets. Returns the size of the address; 0: it is
 * none. */
static socklen_t read_address(const char *where, union address *to)
{
    char host[64];
    const char *colon = strrchr(where, ':');
    if (!colon || (size_t)(colon - where) >= sizeof host || strlen(colon + 1) > 5 || !colon[1] ||
        strspn(colon + 1, "0123456789") != strlen(colon + 1))
        return 0;
    const long port = strtol(colon + 1, NULL, 10);
    memcpy(host, where, (size_t)(colon - where));
    host[colon - where] = '\0';
    memset(to, 0, sizeof *to);
    if (port > PORT_MAX)
        return 0;
    if (host[0] == '[' && host[strlen(host) - 1] == ']') {
        host[strlen(host) - 1] = '\0';
        to->six.sin6_family = AF_INET6;
        to->six.sin6_port = htons((uint16_t)port);
        return inet_pton(AF_INET6, host + 1, &to->six.sin6_addr) == 1 ? sizeof to->six : 0;
    }
    to->four.sin_family = AF_INET;
    to->four.sin_port = htons((uint16_t)port);
    return inet_pton(AF_INET, strcmp(host, "localhost") == 0 ? "127.0.0.1" : host,
                     &to->four.sin_addr) == 1
               ? sizeof to->four
               : 0;
}

bool tui_listen_is_address(const char *where)
{
    union address to;
    return (strncmp(where, UNIX, strlen(UNIX)) == 0 && where[strlen(UNIX)] == '/') ||
           read_address(where, &to) > 0;
}

static bool is_this_machine(const union address *at)
{
    return at->any.sa_family == AF_INET6 ? IN6_IS_ADDR_LOOPBACK(&at->six.sin6_addr)
                                         : ntohl(at->four.sin_addr.s_addr) >> 24 == 127;
}

static bool open_tcp(struct tui_listen *to, const char *where, bool anywhere, char *why,
                     size_t capacity)
{
    union address at;
    char text[INET6_ADDRSTRLEN];
    socklen_t size = read_address(where, &at);
    const int on = 1;
    if (!size)
        return fail(why, capacity, where, "it is neither unix:/path nor ADDRESS:PORT");
    if (!anywhere && !is_this_machine(&at))
        return fail(why, capacity, where,
                    "others could read them there; 127.0.0.1 is of this machine, and --insecure "
                    "allows any address");
    to->fd = socket(at.any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (to->fd < 0 || setsockopt(to->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        bind(to->fd, &at.any, size) != 0 || listen(to->fd, WAITING) != 0 ||
        getsockname(to->fd, &at.any, &size) != 0)
        return fail(why, capacity, where, strerror(errno));
    const bool six = at.any.sa_family == AF_INET6;
    inet_ntop(at.any.sa_family, six ? (void *)&at.six.sin6_addr : (void *)&at.four.sin_addr, text,
              sizeof text);
    snprintf(to->where, sizeof to->where, six ? "http://[%s]:%u" : "http://%s:%u", text,
             ntohs(six ? at.six.sin6_port : at.four.sin_port));
    return true;
}

/* Removes a socket that nobody listens to. Returns a reason if the place is taken, or NULL. */
static const char *clear_place(const struct sockaddr_un *at)
{
    struct stat there;
    if (lstat(at->sun_path, &there) != 0)
        return NULL;
    if (!S_ISSOCK(there.st_mode))
        return "another file is there";
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    const bool refused = fd >= 0 && connect(fd, (const struct sockaddr *)at, sizeof *at) != 0 &&
                         errno == ECONNREFUSED;
    if (fd >= 0)
        close(fd);
    if (!refused)
        return "another program serves there";
    unlink(at->sun_path);
    return NULL;
}

static bool open_unix(struct tui_listen *to, const char *where, char *why, size_t capacity)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    const char *path = where + strlen(UNIX);
    if (path[0] != '/' || strlen(path) >= sizeof at.sun_path)
        return fail(why, capacity, where, "a path of less than 108 bytes, from / on, is needed");
    memcpy(at.sun_path, path, strlen(path));
    const char *taken = clear_place(&at);
    if (taken)
        return fail(why, capacity, where, taken);
    to->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    const mode_t before = umask(OTHERS);
    const bool bound = to->fd >= 0 && bind(to->fd, (const struct sockaddr *)&at, sizeof at) == 0;
    const int error = errno;
    umask(before);
    if (!bound)
        return fail(why, capacity, where, strerror(error));
    struct stat own;
    memcpy(to->path, at.sun_path, sizeof to->path);
    if (stat(path, &own) != 0 || listen(to->fd, WAITING) != 0)
        return fail(why, capacity, where, strerror(errno));
    to->device = own.st_dev;
    to->inode = own.st_ino;
    snprintf(to->where, sizeof to->where, "%s", where);
    return true;
}

bool tui_listen_open(struct tui_listen *to, const char *where, bool anywhere, char *why,
                     size_t capacity)
{
    *to = (struct tui_listen){.fd = -1};
    return strncmp(where, UNIX, strlen(UNIX)) == 0 ? open_unix(to, where, why, capacity)
                                                   : open_tcp(to, where, anywhere, why, capacity);
}

void tui_listen_close(struct tui_listen *listen)
{
    struct stat there;
    if (listen->fd >= 0)
        close(listen->fd);
    if (listen->path[0] && lstat(listen->path, &there) == 0 && there.st_dev == listen->device &&
        there.st_ino == listen->inode)
        unlink(listen->path);
    *listen = (struct tui_listen){.fd = -1};
}

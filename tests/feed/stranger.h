/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * stranger.h: peers that connect to a job's sockets without libzmq and send bytes that libzmq never
 * sends.
 */
#ifndef TESTS_FEED_STRANGER_H
#define TESTS_FEED_STRANGER_H

#include <netinet/in.h>
#include <poll.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "client.h"

/* Connects to an ipc endpoint, or to a tcp endpoint on this machine. Returns -1 if refused. */
static inline int stranger_connect(const char *endpoint)
{
    struct sockaddr_un here = {.sun_family = AF_UNIX};
    struct sockaddr_in net = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const bool tcp = strncmp(endpoint, "tcp:", 4) == 0;
    const struct sockaddr *at = tcp ? (const void *)&net : (const void *)&here;
    snprintf(here.sun_path, sizeof here.sun_path, "%.107s", strchr(endpoint, '/') + 2);
    net.sin_port = htons((uint16_t)atoi(strrchr(endpoint, ':') + 1));
    int fd = socket(at->sa_family, SOCK_STREAM | SOCK_CLOEXEC | (tcp ? 0 : SOCK_NONBLOCK), 0);
    if (fd >= 0 && connect(fd, at, tcp ? sizeof net : sizeof here) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* Sends all bytes. Returns false if the job has closed the connection. */
static inline bool stranger_send(int fd, const void *bytes, size_t size)
{
    for (size_t sent = 0; sent < size;) {
        struct pollfd door = {.fd = fd, .events = POLLOUT};
        ssize_t n = send(fd, (const char *)bytes + sent, size - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && errno != EAGAIN)
            return false;
        sent += n > 0 ? (size_t)n : 0;
        ck_assert_msg(n > 0 || poll(&door, 1, CLIENT_PATIENCE_MS) > 0, "the job reads no more");
    }
    return true;
}

static inline void stranger_expect(int fd, size_t size)
{
    char byte;
    for (size_t i = 0; i < size; i++) {
        struct pollfd door = {.fd = fd, .events = POLLIN};
        ck_assert_msg(poll(&door, 1, CLIENT_PATIENCE_MS) > 0, "the job does not answer");
        ck_assert_int_eq(recv(fd, &byte, 1, 0), 1);
    }
}

/* Sends the ZMTP 3.1 greeting as a socket of this type, without keys. */
static inline void stranger_greet(int fd, const char *type)
{
    char greeting[64] = "\xff\0\0\0\0\0\0\0\1\x7f\3\0NULL", ready[64];
    int size = snprintf(ready + 2, sizeof ready - 2, "%cREADY%cSocket-Type%c%c%c%c%s", 5, 11, 0, 0,
                        0, (int)strlen(type), type);
    ready[0] = 4;
    ready[1] = (char)size;
    ck_assert(stranger_send(fd, greeting, sizeof greeting));
    stranger_expect(fd, sizeof greeting);
    ck_assert(stranger_send(fd, ready, (size_t)size + 2));
    stranger_expect(fd, 2); /* the peer is ready, too */
}

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * warm.c: preloaded into Check programs under memcheck, which translates all code before it runs
 * it, in each process that Check forks anew. Here libzmq sends a little before the first fork, both
 * ways and with keys, so that the children inherit that translation. It knows nothing of proftop,
 * leaves nothing behind, and what fails here costs time, no more.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zmq.h>

enum { WAIT_MS = 2000, PART = 64 };

struct ends {
    void *bound;
    void *connected;
};

static void set(void *socket, int option, int value)
{
    zmq_setsockopt(socket, option, &value, sizeof(value));
}

static void give_keys(const struct ends *ends)
{
    char public[41], secret[41];
    if (zmq_curve_keypair(public, secret) != 0)
        return;
    for (int i = 0; i < 2; i++) {
        void *socket = i == 0 ? ends->bound : ends->connected;
        zmq_setsockopt(socket, ZMQ_CURVE_PUBLICKEY, public, sizeof(public));
        zmq_setsockopt(socket, ZMQ_CURVE_SECRETKEY, secret, sizeof(secret));
    }
    set(ends->bound, ZMQ_CURVE_SERVER, 1);
    zmq_setsockopt(ends->connected, ZMQ_CURVE_SERVERKEY, public, sizeof(public));
}

static void publish(const struct ends *ends)
{
    char part[PART];
    zmq_setsockopt(ends->connected, ZMQ_SUBSCRIBE, "", 0);
    zmq_recv(ends->bound, part, sizeof(part), 0);
    zmq_send(ends->bound, "topic", 5, ZMQ_SNDMORE);
    zmq_send(ends->bound, "frame", 5, 0);
    zmq_recv(ends->connected, part, sizeof(part), 0);
    zmq_recv(ends->connected, part, sizeof(part), 0);
}

static void ask(const struct ends *ends)
{
    char who[PART], part[PART];
    zmq_send(ends->connected, "question", 8, 0);
    int size = zmq_recv(ends->bound, who, sizeof(who), 0);
    if (size < 0)
        return;
    zmq_recv(ends->bound, part, sizeof(part), 0);
    zmq_send(ends->bound, who, (size_t)size, ZMQ_SNDMORE);
    zmq_send(ends->bound, "answer", 6, 0);
    zmq_recv(ends->connected, part, sizeof(part), 0);
}

static void talk(int bound, int connected, const char *endpoint, int keys,
                 void (*exchange)(const struct ends *ends))
{
    char last[256];
    size_t size = sizeof(last);
    void *context = zmq_ctx_new();
    struct ends ends = {zmq_socket(context, bound), zmq_socket(context, connected)};
    for (int i = 0; i < 2; i++) {
        void *socket = i == 0 ? ends.bound : ends.connected;
        set(socket, ZMQ_RCVTIMEO, WAIT_MS);
        set(socket, ZMQ_SNDTIMEO, WAIT_MS);
        set(socket, ZMQ_LINGER, 0);
    }
    if (keys)
        give_keys(&ends);
    if (zmq_bind(ends.bound, endpoint) == 0 &&
        zmq_getsockopt(ends.bound, ZMQ_LAST_ENDPOINT, last, &size) == 0 &&
        zmq_connect(ends.connected, last) == 0)
        exchange(&ends);
    zmq_close(ends.bound);
    zmq_close(ends.connected);
    zmq_ctx_term(context);
}

__attribute__((constructor)) static void warm(void)
{
    char folder[] = "/tmp/proftop-warm-XXXXXX", place[64], endpoint[80];
    const char *preload = getenv("LD_PRELOAD");
    if (preload == NULL || strstr(preload, "vgpreload") == NULL)
        return;             /* the shell or Valgrind's own start, on the way to the program */
    unsetenv("LD_PRELOAD"); /* nor is this for the programs that a test starts */
    if (mkdtemp(folder) == NULL)
        return;
    snprintf(place, sizeof(place), "%s/s", folder);
    snprintf(endpoint, sizeof(endpoint), "ipc://%s", place);
    talk(ZMQ_XPUB, ZMQ_SUB, endpoint, 0, publish);
    talk(ZMQ_ROUTER, ZMQ_DEALER, endpoint, 0, ask);
    talk(ZMQ_XPUB, ZMQ_SUB, "tcp://127.0.0.1:*", 1, publish);
    talk(ZMQ_ROUTER, ZMQ_DEALER, "tcp://127.0.0.1:*", 1, ask);
    unlink(place);
    rmdir(folder);
}

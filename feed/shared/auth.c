/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * auth.c: sets CURVE on sockets, and answers libzmq which keys are admitted (ZAP 1.0, RFC 27).
 */
#include "config.h"

#include "feed/shared/auth.h"
#include "feed/shared/site_policy_path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zmq.h>

enum { PARTS = 7, PART_SIZE = 256 };

bool shared_is_tcp(const char *endpoint)
{
    return strncmp(endpoint, "tcp://", 6) == 0;
}

struct shared_auth_request shared_auth_environment(void)
{
    const char *insecure = secure_getenv("PROFTOP_INSECURE");
    return (struct shared_auth_request){.insecure = insecure != NULL && strcmp(insecure, "1") == 0,
                                        .key = secure_getenv("PROFTOP_KEY"),
                                        .peer = secure_getenv("PROFTOP_PEER"),
                                        .needs = SHARED_MAY_READ};
}

bool shared_auth_init(struct shared_auth *admit, const struct shared_auth_request *request,
                      char *why, size_t capacity)
{
    const char *place = admit->place;
    struct shared_site site;
    memset(admit, 0, sizeof *admit);
    admit->insecure = request->insecure;
    admit->needs = request->needs;
    if (!shared_site_read(&site, why, capacity))
        return false;
    if (!site.tcp) {
        snprintf(why, capacity, "%s forbids tcp on this machine", shared_site_path());
        return false;
    }
    admit->ready = request->insecure;
    if (admit->ready)
        return true;
    if (!zmq_has("curve")) {
        snprintf(why, capacity, "this libzmq has no CURVE, so there is no tcp with keys");
        return false;
    }
    const char *key = request->key != NULL && request->key[0] != 0 ? request->key : "id";
    bool other = request->connects && request->peer != NULL && request->peer[0] != 0;
    admit->ready = shared_key_place(admit->place, why, capacity) &&
                   shared_key_pair(place, key, &admit->own, why, capacity) &&
                   shared_key_authorized(place, &admit->others, why, capacity) &&
                   (!other || shared_key_public(place, request->peer, admit->peer, why, capacity));
    if (admit->ready && !other)
        memcpy(admit->peer, admit->own.public, sizeof admit->peer);
    return admit->ready;
}

static bool set_text(void *socket, int option, const char *text)
{
    return zmq_setsockopt(socket, option, text, strlen(text)) == 0;
}

/* Requires a key from every peer, and makes our ZAP answer count. Without an answer any key would
 * be admitted, so shared_auth_open() comes first. (A domain would prevent that. But a domain can't
 * be removed from a socket, and then Unix sockets would be asked about too.) */
static bool listen_with_keys(const struct shared_auth *admit, void *socket)
{
    const int yes = 1;
    return zmq_setsockopt(socket, ZMQ_CURVE_SERVER, &yes, sizeof yes) == 0 &&
           set_text(socket, ZMQ_CURVE_SECRETKEY, admit->own.secret);
}

static bool connect_with_keys(const struct shared_auth *admit, void *socket)
{
    return set_text(socket, ZMQ_CURVE_SERVERKEY, admit->peer) &&
           set_text(socket, ZMQ_CURVE_PUBLICKEY, admit->own.public) &&
           set_text(socket, ZMQ_CURVE_SECRETKEY, admit->own.secret);
}

/* Sets both ends to no mechanism, whatever was set before. */
static bool forget_keys(void *socket)
{
    const int no = 0;
    return zmq_setsockopt(socket, ZMQ_CURVE_SERVER, &no, sizeof no) == 0;
}

bool shared_auth_prepare(const struct shared_auth *admit, void *socket, const char *endpoint,
                         bool listens)
{
    bool keys = shared_is_tcp(endpoint) && admit != NULL && !admit->insecure;
    if (!keys)
        return !zmq_has("curve") || forget_keys(socket);
    if (listens && admit->questions == NULL)
        return false;
    return listens ? listen_with_keys(admit, socket) : connect_with_keys(admit, socket);
}

unsigned shared_auth_may(const struct shared_auth *admit, const char *public)
{
    if (strcmp(public, admit->own.public) == 0)
        return SHARED_MAY_READ | SHARED_MAY_CONTROL | SHARED_MAY_PUBLISH;
    const struct shared_authorized_key *key = shared_key_find(&admit->others, public);
    return key == NULL ? 0 : key->may;
}

/* ----------------------------------------------------------------------------- ZAP requests */

bool shared_auth_open(struct shared_auth *admit, void *zmq)
{
    const int zero = 0;
    if (admit->insecure)
        return true;
    admit->questions = zmq_socket(zmq, ZMQ_REP);
    if (admit->questions == NULL)
        return false;
    zmq_setsockopt(admit->questions, ZMQ_LINGER, &zero, sizeof zero);
    return zmq_bind(admit->questions, "inproc://zeromq.zap.01") == 0;
}

void shared_auth_close(struct shared_auth *admit)
{
    if (admit->questions != NULL)
        zmq_close(admit->questions);
    admit->questions = NULL;
}

/* Reads the parts: version, number, domain, address, routing id, mechanism, key. Returns how many
 * there were. Long parts are cut, and so match nothing. */
static int read_question(void *socket, uint8_t part[PARTS][PART_SIZE], int size[PARTS])
{
    int n = 0, more = 1;
    size_t length = sizeof more;
    uint8_t rest[PART_SIZE];
    while (more) {
        int at = n < PARTS ? n : PARTS - 1, got;
        got = zmq_recv(socket, n < PARTS ? part[at] : rest, PART_SIZE, ZMQ_DONTWAIT);
        if (got < 0)
            return n;
        size[at] = got;
        n++;
        if (zmq_getsockopt(socket, ZMQ_RCVMORE, &more, &length) != 0)
            return n;
    }
    return n;
}

static void send_part(void *socket, const void *data, size_t size, bool last)
{
    zmq_send(socket, data, size, ZMQ_DONTWAIT | (last ? 0 : ZMQ_SNDMORE));
}

static void answer(struct shared_auth *admit, const char *public, const void *number, size_t size)
{
    char user[SHARED_KEY_NAME + 16] = "", why[256];
    /* Reread, so that an added or removed key counts at once. */
    shared_key_authorized(admit->place, &admit->others, why, sizeof why);
    unsigned may = public[0] == 0 ? 0 : shared_auth_may(admit, public);
    const struct shared_authorized_key *key = shared_key_find(&admit->others, public);
    bool in = (may & admit->needs) != 0;
    admit->denied += !in;
    if (in)
        snprintf(user, sizeof user, "%u:%s", may, key == NULL ? "" : key->name);
    send_part(admit->questions, "1.0", 3, false);
    send_part(admit->questions, number, size, false);
    send_part(admit->questions, in ? "200" : "400", 3, false);
    send_part(admit->questions, in ? "" : "this key is not authorized", in ? 0 : 26, false);
    send_part(admit->questions, user, strlen(user), false);
    send_part(admit->questions, "", 0, true);
}

bool shared_auth_serve(struct shared_auth *admit)
{
    uint8_t part[PARTS][PART_SIZE];
    int size[PARTS], n;
    bool answered = false;
    while (admit->questions != NULL && (n = read_question(admit->questions, part, size)) > 0) {
        char public[SHARED_KEY_SIZE] = "";
        bool curve = n == PARTS && size[5] == 5 && memcmp(part[5], "CURVE", 5) == 0;
        if (curve && size[6] == 32)
            zmq_z85_encode(public, part[6], 32);
        answer(admit, public, part[1], n > 1 && size[1] < PART_SIZE ? (size_t)size[1] : 0);
        answered = true;
    }
    return answered;
}

bool shared_auth_user(const char *user, unsigned *may, char name[SHARED_KEY_NAME])
{
    if (user == NULL || user[0] < '0' || user[0] > '7' || user[1] != ':')
        return false;
    *may = (unsigned)(user[0] - '0');
    snprintf(name, SHARED_KEY_NAME, "%s", user + 2);
    return true;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * session.c: answers requests. A client gets no more than it has given credit for, so a slow client
 * delays no other and fills no memory.
 */
#include "config.h"

#include "feed/publisher/publish/encode.h"
#include "feed/publisher/publish/session.h"
#include "feed/publisher/record/clock.h"
#include "feed/shared/auth.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zmq.h>

enum {
    READ_MAX = 1 << 16, /* messages, in one call */
    EVENTS_MAX = 1024,
    SERVE_NS = 500 * 1000, /* in one call, while a snapshot is in progress; a single step may exceed
                            * it */
};

void publisher_session_init(struct publisher_session *s, struct publisher *p, void *control,
                            void *monitor, struct publisher_flood_guard *guard)
{
    memset(s, 0, sizeof *s);
    s->publisher = p;
    s->control = s->at = control;
    s->monitor = monitor;
    s->guard = guard;
}

uint32_t publisher_session_greeted(const struct publisher_session *s)
{
    uint32_t n = 0;
    for (int i = 0; i < WIRE_VIEWERS_MAX; i++)
        n += s->client[i].routing_size != 0 && s->client[i].greeted;
    return n;
}

uint32_t publisher_session_waiting(const struct publisher_session *s)
{
    uint32_t n = 0;
    for (int i = 0; i < WIRE_VIEWERS_MAX; i++)
        n += s->client[i].routing_size != 0 && s->client[i].greeted && !s->client[i].acked;
    return n;
}

/* Counts the viewers. The job ticks as often as the most demanding viewer asks. */
static void count_viewers(struct publisher_session *s)
{
    struct publisher *p = s->publisher;
    p->viewers = publisher_session_greeted(s);
    p->tick_ms = p->viewers > 0 ? WIRE_TICK_MAX_MS : WIRE_TICK_MS;
    for (int i = 0; i < WIRE_VIEWERS_MAX; i++)
        if (s->client[i].greeted && s->client[i].tick_ms < p->tick_ms)
            p->tick_ms = s->client[i].tick_ms;
}

static void clear(struct publisher_client *client)
{
    free(client->made.data);
    memset(client, 0, sizeof *client);
}

void publisher_session_release(struct publisher_session *s)
{
    for (int i = 0; i < WIRE_VIEWERS_MAX; i++)
        clear(&s->client[i]);
}

static void forget(struct publisher_session *s, struct publisher_client *client)
{
    clear(client);
    count_viewers(s);
}

/* --------------------------------------------------------------------------------- clients */

/* A connection ended: its client is gone, unless a newer connection already has the same
 * descriptor. */
static void connection_ended(struct publisher_session *s, int fd)
{
    for (int i = 0; i < WIRE_VIEWERS_MAX; i++) {
        struct publisher_client *client = &s->client[i];
        if (client->routing_size == 0 || client->fd != fd)
            continue;
        if (client->late > 0)
            client->late--;
        else
            forget(s, client);
        return;
    }
}

static void read_events(struct publisher_session *s)
{
    for (int i = 0; s->monitor != NULL && i < EVENTS_MAX; i++) {
        uint8_t event[6], address[256];
        if (zmq_recv(s->monitor, event, sizeof event, ZMQ_DONTWAIT) != (int)sizeof event)
            return;
        uint16_t what;
        int32_t value;
        memcpy(&what, event, sizeof what);
        memcpy(&value, event + 2, sizeof value);
        zmq_recv(s->monitor, address, sizeof address, ZMQ_DONTWAIT);
        if (what == ZMQ_EVENT_DISCONNECTED)
            connection_ended(s, value);
        else
            publisher_flood_guard_add(s->guard, value);
    }
}

static struct publisher_client *find_client(struct publisher_session *s, const void *routing,
                                            size_t size)
{
    for (int i = 0; i < WIRE_VIEWERS_MAX; i++)
        if (s->client[i].socket == s->at && s->client[i].routing_size == size &&
            memcmp(s->client[i].routing, routing, size) == 0)
            return &s->client[i];
    return NULL;
}

/* Returns the client of a request, known or new; NULL if all slots are taken. */
static struct publisher_client *take_client(struct publisher_session *s, const void *routing,
                                            size_t size, int fd)
{
    struct publisher_client *client = find_client(s, routing, size);
    if (client != NULL)
        return client;
    for (int i = 0; i < WIRE_VIEWERS_MAX && client == NULL; i++)
        if (s->client[i].routing_size == 0)
            client = &s->client[i];
    /* No event tells which client behind the outward connection has gone: the first one gives up
     * its slot. */
    for (int i = 0; i < WIRE_VIEWERS_MAX && client == NULL && s->at == s->outward; i++)
        if (s->client[i].socket == s->at)
            client = &s->client[i];
    if (client == NULL || size > PUBLISHER_ROUTING_MAX)
        return NULL;
    clear(client);
    client->socket = s->at;
    memcpy(client->routing, routing, size);
    client->routing_size = size;
    client->fd = fd;
    return client;
}

/* An answer that was sent proves that the client is there. Another client of the same descriptor
 * has gone then, and its disconnect event is still to come. A client that no answer can reach has
 * left only its requests behind. */
static void keep_client(struct publisher_session *s, struct publisher_client *client)
{
    if (s->unreachable || !(s->reached || client->reached || client->snapshot.open)) {
        forget(s, client);
        return;
    }
    const bool is_new = s->reached && !client->reached;
    client->reached |= s->reached;
    for (int i = 0; i < WIRE_VIEWERS_MAX && is_new && client->fd >= 0; i++) {
        struct publisher_client *other = &s->client[i];
        if (other == client || other->routing_size == 0 || other->fd != client->fd)
            continue;
        client->late = other->late + 1;
        forget(s, other);
    }
}

/* --------------------------------------------------------------------------------- sending */

enum sent { SENT, LATER, GONE };

/* libzmq learns by internal commands what a viewer has taken. While there is input, libzmq
 * processes these commands only now and then, so a viewer that asks fast seems to take nothing.
 * Asking for the socket's events makes libzmq process them. */
static bool send_routing(struct publisher_session *s, const void *routing, size_t size)
{
    const int flags = ZMQ_DONTWAIT | ZMQ_SNDMORE;
    int events;
    size_t room = sizeof events;
    if (zmq_send(s->at, routing, size, flags) >= 0)
        return true;
    if (zmq_errno() != EAGAIN)
        return false;
    zmq_getsockopt(s->at, ZMQ_EVENTS, &events, &room);
    return zmq_send(s->at, routing, size, flags) >= 0;
}

/* Sends the frame in the publisher's buffer. */
static enum sent send_to(struct publisher_session *s, const void *routing, size_t routing_size,
                         size_t size)
{
    enum sent sent;
    s->sent = true;
    if (!send_routing(s, routing, routing_size))
        sent = zmq_errno() == EAGAIN ? LATER : GONE;
    else
        sent = zmq_send(s->at, s->publisher->frame.bytes, size, ZMQ_DONTWAIT) < 0 ? GONE : SENT;
    s->reached |= sent == SENT;
    s->unreachable |= sent == GONE;
    return sent;
}

/* Answers are small and few: an answer that cannot be sent is dropped, and its client asks
 * again. */
static void reply(struct publisher_session *s, const void *routing, size_t routing_size,
                  const struct wire_frame *request, const char *re, const char *no,
                  const char *text)
{
    const struct wire_value *req = &request->field[WIRE_F_REQ];
    size_t size = publisher_encode_reply(s->publisher, req->present ? req->u : 0, re, no, text, 0);
    if (size != 0)
        send_to(s, routing, routing_size, size);
}

/* ------------------------------------------------------------------------------- snapshots */

/* Takes one step and sends its frame, or the reply that ends the snapshot. Returns false if that
 * cannot be sent. */
static bool take_step(struct publisher_session *s, struct publisher_client *client)
{
    struct publisher_snapshot *shot = &client->snapshot, before = *shot;
    size_t size;
    const enum publisher_step step = publisher_snapshot_next(s->publisher, shot, &size);
    if (step == PUBLISHER_STEP_NOTHING)
        return true;
    const bool end = step == PUBLISHER_STEP_END;
    if (end)
        size = publisher_encode_reply(s->publisher, shot->request, "snapshot", NULL, NULL,
                                      shot->chunks);
    const enum sent sent = send_to(s, client->routing, client->routing_size, size);
    if (sent == LATER)
        *shot = before;
    s->stalled |= sent == LATER;
    if (sent != SENT)
        return false;
    shot->open = !end;
    shot->credit -= end ? 0 : 1;
    shot->chunks += !end;
    return true;
}

static bool is_late(const struct publisher_session *s)
{
    return publisher_clock_ns() - s->began_ns >= SERVE_NS;
}

/* Sends chunks while there is credit and time. */
static void continue_snapshot(struct publisher_session *s, struct publisher_client *client)
{
    const struct publisher_snapshot *shot = &client->snapshot;
    s->reached = s->unreachable = false;
    while (!s->waiting && shot->open && (shot->credit > 0 || shot->streams[0] == 0) &&
           take_step(s, client))
        s->waiting = is_late(s);
    keep_client(s, client);
}

/* Continues the snapshots in turn: where time runs out, the next call begins with the next
 * client. */
static void continue_snapshots(struct publisher_session *s)
{
    const int first = s->first;
    s->waiting = false;
    for (int i = 0; i < WIRE_VIEWERS_MAX; i++) {
        const int at = (first + i) % WIRE_VIEWERS_MAX;
        struct publisher_client *client = &s->client[at];
        s->at = client->socket;
        if (client->snapshot.open && !s->waiting) {
            continue_snapshot(s, client);
            s->first = (at + 1) % WIRE_VIEWERS_MAX;
        }
        s->publisher->applies.serving |= client->snapshot.open;
    }
}

/* -------------------------------------------------------------------------------- requests */

/* Returns the longest tick within the requested one that divides a second evenly. So each second
 * sums each row equally often. */
static uint32_t tick_within(const struct wire_value *requested)
{
    static const uint32_t ticks_ms[] = {WIRE_TICK_MAX_MS, 500, 200};
    for (unsigned i = 0; requested->present && i < sizeof ticks_ms / sizeof ticks_ms[0]; i++)
        if (requested->u >= ticks_ms[i])
            return ticks_ms[i];
    return WIRE_TICK_MS;
}

/* Each function answers one kind of request. Returns NULL, or an error text. */
static const char *on_hello(struct publisher_session *s, struct publisher_client *client,
                            const struct wire_frame *request)
{
    struct publisher *p = s->publisher;
    client->greeted = s->greeted = true;
    client->acked = false;
    client->hello = request->field[WIRE_F_REQ].u;
    client->tick_ms = tick_within(&request->field[WIRE_F_TICKMS]);
    count_viewers(s);
    size_t size = publisher_encode_hello(p, p->sender.seq[WIRE_HELLO], request->field[WIRE_F_REQ].u,
                                         s->closing);
    if (size != 0)
        send_to(s, client->routing, client->routing_size, size);
    return NULL;
}

static uint32_t credit_of(const struct wire_value *field)
{
    return field->u < WIRE_CREDIT ? (uint32_t)field->u : WIRE_CREDIT;
}

static const char *on_snapshot(struct publisher_session *s, struct publisher_client *client,
                               const struct wire_frame *request)
{
    const struct wire_value *field = request->field;
    struct publisher_snapshot shot = {.request = field[WIRE_F_REQ].u, .credit = 1, .open = true};
    if (!field[WIRE_F_WANT].present ||
        !publisher_snapshot_streams(shot.streams, &field[WIRE_F_WANT].text))
        return "want has to be letters out of DFANERICSMP, in this order";
    if (field[WIRE_F_CREDIT].present)
        shot.credit = credit_of(&field[WIRE_F_CREDIT]);
    publisher_snapshot_begin(s->publisher, &shot);
    if (field[WIRE_F_FROM].present)
        memcpy(shot.from, request->from, sizeof shot.from);
    for (int table = 0; table < WIRE_TABLES; table++)
        if (shot.from[table] > s->publisher->defs[table])
            return "from is beyond the definitions of this job";
    client->snapshot = shot;
    s->waiting = true;
    return NULL;
}

static const char *on_more(struct publisher_session *s, struct publisher_client *client,
                           const struct wire_frame *request)
{
    struct publisher_snapshot *shot = &client->snapshot;
    const struct wire_value *credit = &request->field[WIRE_F_CREDIT];
    /* A late request, for a snapshot that has ended or was replaced, is no error. */
    if (!shot->open || request->field[WIRE_F_REQ].u != shot->request)
        return NULL;
    const uint32_t more = credit->present ? credit_of(credit) : 1;
    shot->credit = shot->credit + more < WIRE_CREDIT ? shot->credit + more : WIRE_CREDIT;
    s->waiting = true;
    return NULL;
}

static const char *on_ack(struct publisher_session *s, struct publisher_client *client,
                          const struct wire_frame *request)
{
    (void)s;
    (void)request;
    client->acked = true;
    return NULL;
}

/* A request that arrives twice is executed once. */
static const char *on_control(struct publisher_session *s, struct publisher_client *client,
                              const struct wire_frame *request)
{
    char why[PUBLISHER_ERROR_SIZE] = "this request was answered before: ask with a higher number";
    const char *no = "again";
    struct publisher_text made = {0};
    if (request->field[WIRE_F_REQ].u > client->controlled) {
        client->controlled = request->field[WIRE_F_REQ].u;
        no = publisher_run_command(s->publisher, &client->peer, request, &made, why);
    }
    s->publisher->refused += no != NULL;
    if (made.data != NULL) {
        free(client->made.data);
        client->made = made;
        const size_t size =
            publisher_encode_report(s->publisher, client->controlled, made.size, made.rows);
        if (size != 0)
            send_to(s, client->routing, client->routing_size, size);
        return NULL;
    }
    reply(s, client->routing, client->routing_size, request, "control", no, no ? why : NULL);
    return NULL;
}

static const char *on_text(struct publisher_session *s, struct publisher_client *client,
                           const struct wire_frame *request)
{
    const uint64_t at = request->field[WIRE_F_AT].present ? request->field[WIRE_F_AT].u : 0;
    const struct publisher_text *made = &client->made;
    if (made->data == NULL)
        return "there is no report for this client: ask for one with dump";
    if (at > made->size)
        return "at is beyond the report of this client";
    const size_t size = publisher_encode_report_part(s->publisher, request->field[WIRE_F_REQ].u,
                                                     made->data, made->size, at);
    if (size != 0)
        send_to(s, client->routing, client->routing_size, size);
    return NULL;
}

static const struct {
    const char *word;
    const char *(*answer)(struct publisher_session *s, struct publisher_client *client,
                          const struct wire_frame *request);
} words[] = {{"hello", on_hello}, {"snapshot", on_snapshot}, {"more", on_more},
             {"ack", on_ack},     {"control", on_control},   {"text", on_text}};
enum { WORDS = sizeof words / sizeof words[0] };

static bool is_word(const struct wire_text *text, const char *word)
{
    return text->size == strlen(word) && memcmp(text->data, word, text->size) == 0;
}

/* Identifies the peer: by the kernel, by its accepted key, or for the outward connection by the key
 * of the viewer that the job connects to. */
static void know_peer(struct publisher_session *s, struct publisher_peer *peer, zmq_msg_t *message)
{
    publisher_peer_read(peer, zmq_msg_gets(message, "Peer-Address"));
    if (s->at == s->outward)
        peer->may = s->outward_may;
    else
        shared_auth_user(zmq_msg_gets(message, "User-Id"), &peer->may, peer->name);
}

/* Returns the descriptor that a disconnect event names. The outward connection has none: its end is
 * noticed otherwise. */
static int connection_of(struct publisher_session *s, zmq_msg_t *message)
{
    return s->at == s->outward ? -1 : zmq_msg_get(message, ZMQ_SRCFD);
}

/* Answers one complete request of a client. */
static void answer_request(struct publisher_session *s, const void *routing, size_t size,
                           zmq_msg_t *message, const struct wire_frame *request)
{
    const struct wire_value *q = &request->field[WIRE_F_Q];
    const struct wire_value *inst = &request->field[WIRE_F_INST];
    const uint8_t *me = s->publisher->core->me.instance;
    int at = 0;
    while (at < WORDS && !(q->present && is_word(&q->text, words[at].word)))
        at++;
    char re[32] = ""; /* echoes an unknown word too, if it is short */
    if (q->present && q->text.size < sizeof re)
        memcpy(re, q->text.data, q->text.size);
    const char *wrong = NULL;
    struct publisher_client *client = NULL;
    s->reached = s->unreachable = false;
    if (at == WORDS)
        wrong = "unsupported";
    else if (inst->present && memcmp(inst->text.data, me, PUBLISHER_INSTANCE_SIZE) != 0)
        wrong = "this job is another instance: say hello again";
    else if ((client = take_client(s, routing, size, connection_of(s, message))) == NULL) {
        wrong = "this job serves as many viewers as it can: close one of them";
        s->publisher->limit_hit[PUBLISHER_LIMIT_HIT_FULL]++;
    }
    if (client != NULL) {
        know_peer(s, &client->peer, message);
        wrong = words[at].answer(s, client, request);
    }
    if (wrong != NULL)
        reply(s, routing, size, request, re, NULL, wrong);
    if (client != NULL)
        keep_client(s, client);
}

/* libzmq numbers its clients: the last bytes of their routing ids tell them apart. Descriptors do
 * not: requests left by a closed connection are read along with requests of the next connection
 * with the same descriptor. */
static uint8_t *answered_to(struct publisher_quota *quota, const uint8_t *routing, size_t size)
{
    size_t number = 0;
    for (size_t at = size > 4 ? size - 4 : 0; at < size; at++)
        number = number << 8 | routing[at];
    return &quota->share[number % PUBLISHER_QUOTA_CLIENTS];
}

/* Per-client request quota: excess requests are dropped, so a client that floods takes no other
 * client's place. Returns the counter of the client's answers, or NULL if the request is
 * dropped. */
static uint8_t *admit_request(struct publisher_quota *quota, const uint8_t *routing, size_t size)
{
    const uint64_t now_ns = publisher_clock_ns();
    if (now_ns - quota->begun_ns >= PUBLISHER_QUOTA_MS * PUBLISHER_MS_NS)
        *quota = (struct publisher_quota){.begun_ns = now_ns};
    uint8_t *share = answered_to(quota, routing, size);
    return quota->answered < PUBLISHER_QUOTA_ALL || *share < PUBLISHER_QUOTA_EACH ? share : NULL;
}

static void read_request(struct publisher_session *s, const uint8_t *routing, size_t routing_size,
                         zmq_msg_t *message)
{
    struct wire_frame request;
    uint8_t *share = admit_request(&s->quota, routing, routing_size);
    if (share == NULL) {
        s->publisher->limit_hit[PUBLISHER_LIMIT_HIT_FLOODED]++;
        return;
    }
    enum wire_error error =
        wire_read_request(zmq_msg_data(message), zmq_msg_size(message), &request);
    /* Dropping garbage costs next to nothing, and garbage does not count against the quota of
     * requests. */
    if (error != WIRE_OK && error != WIRE_E_VERSION) {
        s->publisher->limit_hit[PUBLISHER_LIMIT_HIT_GARBAGE]++;
        return;
    }
    s->quota.answered++;
    if (*share < PUBLISHER_QUOTA_EACH)
        (*share)++;
    read_events(s);
    if (error == WIRE_E_VERSION) {
        memset(&request.field[WIRE_F_REQ], 0, sizeof request.field[WIRE_F_REQ]);
        reply(s, routing, routing_size, &request, "", NULL,
              "this job speaks version 1 of the protocol");
    } else {
        answer_request(s, routing, routing_size, message, &request);
    }
}

/* Reads one message of the form (routing, frame); drops messages with other parts. Returns false if
 * there is none. */
static bool receive(struct publisher_session *s)
{
    uint8_t routing[PUBLISHER_ROUTING_MAX + 1];
    int size = zmq_recv(s->at, routing, sizeof routing, ZMQ_DONTWAIT);
    if (size < 0)
        return false;
    zmq_msg_t message;
    zmq_msg_init(&message);
    int more = 0;
    size_t length = sizeof more;
    zmq_getsockopt(s->at, ZMQ_RCVMORE, &more, &length);
    bool good = more && zmq_msg_recv(&message, s->at, ZMQ_DONTWAIT) >= 0;
    bool single = good && size > 0 && !zmq_msg_more(&message);
    if (single && size <= PUBLISHER_ROUTING_MAX)
        read_request(s, routing, (size_t)size, &message);
    else
        s->publisher->limit_hit[PUBLISHER_LIMIT_HIT_GARBAGE]++;
    while (good && zmq_msg_more(&message))
        good = zmq_msg_recv(&message, s->at, ZMQ_DONTWAIT) >= 0;
    publisher_flood_guard_progress(s->guard, connection_of(s, &message));
    zmq_msg_close(&message);
    return true;
}

/* Reads all input of one socket: the socket has no high-water mark, so input must not pile up. But
 * a flood does not hold up a snapshot. Returns the number of messages read. */
static uint64_t serve_socket(struct publisher_session *s, void *socket)
{
    uint64_t read = 0;
    s->at = socket;
    bool more = true;
    for (; more && read < READ_MAX && receive(s); read++)
        more = !(s->waiting && is_late(s));
    return read;
}

bool publisher_session_serve(struct publisher_session *s)
{
    s->began_ns = publisher_clock_ns();
    s->stalled = s->sent = s->publisher->applies.serving = false;
    read_events(s);
    uint64_t read = serve_socket(s, s->control);
    if (s->outward != NULL)
        read += serve_socket(s, s->outward);
    continue_snapshots(s);
    return read > 0 || s->sent || s->waiting;
}

void publisher_session_forget(struct publisher_session *s, void *socket)
{
    for (int i = 0; i < WIRE_VIEWERS_MAX; i++)
        if (s->client[i].routing_size != 0 && s->client[i].socket == socket)
            forget(s, &s->client[i]);
}

void publisher_session_remind(struct publisher_session *s)
{
    struct publisher *p = s->publisher;
    for (int i = 0; i < WIRE_VIEWERS_MAX; i++) {
        const struct publisher_client *client = &s->client[i];
        if (client->routing_size == 0 || !client->greeted || client->acked)
            continue;
        s->at = client->socket;
        const size_t size =
            publisher_encode_hello(p, p->sender.seq[WIRE_HELLO], client->hello, true);
        if (size != 0)
            send_to(s, client->routing, client->routing_size, size);
    }
}

bool publisher_session_send_hello(struct publisher_session *s, void *socket)
{
    struct publisher *p = s->publisher;
    size_t size = publisher_encode_hello(p, p->sender.seq[WIRE_HELLO], 0, s->closing);
    s->at = socket;
    return size != 0 && send_to(s, "", 0, size) == SENT;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * listen.c: receives jobs that connect by themselves, tells them apart, and passes on their
 * messages.
 *
 * The facts of all jobs come in through one SUB and carry their instance. Requests go out through
 * one ROUTER to the job that said hello there with that instance. The name of the subscriber goes
 * along with a request and comes back with the answer.
 */
#include "config.h"

#include "feed/viewer/remote/listen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "feed/viewer/stream/sync.h"

enum { ROUTING_MAX = 255, SENDER_MAX = 128, PASS_MAX = 4096, PEEK = 128, LABEL_MAX = 96 };

/* Endpoints of one job, present or past. */
struct place {
    void *facts, *control,
        *events; /* inproc PUB, ROUTER and PUB; `events` carries connection events */
    char base[64];
    uint8_t instance[16];
    char sender[SENDER_MAX]; /* identity of its sender; others are ignored */
    char who[LABEL_MAX];     /* program, host and rank: a job with the same ones reuses the place */
    uint8_t routing[ROUTING_MAX];
    size_t routing_size; /* 0: no job has come */
    int fd;
    bool up, sent_up;
};

struct viewer_listener {
    void *zmq, *sub, *router, *monitor;
    struct shared_auth *admit; /* NULL: no tcp endpoint */
    char label[128];
    struct place place[VIEWER_LISTEN_JOBS];
    size_t places, most; /* number of places now, and at most */
    uint64_t refused;
    bool insecure, full;
};

/* -------------------------------------------------------------------------------- open and close
 */

static void *make_socket(void *zmq, int type, int hwm)
{
    const int zero = 0;
    const int64_t most = WIRE_MESSAGE_MAX;
    void *socket = zmq_socket(zmq, type);
    if (!socket)
        return NULL;
    zmq_setsockopt(socket, ZMQ_LINGER, &zero, sizeof zero);
    zmq_setsockopt(socket, ZMQ_RCVHWM, &hwm, sizeof hwm);
    zmq_setsockopt(socket, ZMQ_SNDHWM, &hwm, sizeof hwm);
    zmq_setsockopt(socket, ZMQ_MAXMSGSIZE, &most, sizeof most);
    return socket;
}

static void set_options(void *socket)
{
    static const struct {
        int option, value;
    } options[] = {
        {ZMQ_HANDSHAKE_IVL, WIRE_HANDSHAKE_MS},     {ZMQ_TCP_KEEPALIVE, 1},
        {ZMQ_TCP_KEEPALIVE_IDLE, WIRE_KEEPALIVE_S}, {ZMQ_TCP_KEEPALIVE_INTVL, 1},
        {ZMQ_TCP_KEEPALIVE_CNT, WIRE_KEEPALIVE_S},
    };
    const uid_t uid = geteuid();
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        zmq_setsockopt(socket, options[i].option, &options[i].value, sizeof(int));
    zmq_setsockopt(socket, ZMQ_IPC_FILTER_UID, &uid, sizeof uid);
}

static void close_all(void *const *socket, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (socket[i])
            zmq_close(socket[i]);
}

static bool bind_inside(void *socket, const char *base, const char *end)
{
    char at[80];
    snprintf(at, sizeof at, "%s.%s", base, end);
    return socket && zmq_bind(socket, at) == 0;
}

/* Adds a place. NULL: the maximum is reached, or there is no memory. */
static struct place *add_place(struct viewer_listener *l)
{
    if (l->places == l->most)
        return NULL;
    struct place *place = &l->place[l->places];
    *place = (struct place){.fd = -1};
    snprintf(place->base, sizeof place->base, "inproc://proftop-%p-%zu", (void *)l, l->places);
    place->facts = make_socket(l->zmq, ZMQ_PUB, WIRE_HWM);
    place->control = make_socket(l->zmq, ZMQ_ROUTER, WIRE_HWM);
    place->events = make_socket(l->zmq, ZMQ_PUB, 0);
    if (bind_inside(place->facts, place->base, "pub") &&
        bind_inside(place->control, place->base, "ctl") &&
        bind_inside(place->events, place->base, "events")) {
        l->places++;
        return place;
    }
    close_all((void *[]){place->facts, place->control, place->events}, 3);
    return NULL;
}

/* Returns the number of places for which there are descriptors. A place with its subscriber takes
 * seven. A job takes two, even without a place: libzmq aborts the program if a Unix socket accepts
 * a connection and no descriptor is left. So descriptors must suffice for twice as many jobs as
 * places. */
static size_t most_places(void)
{
    const rlim_t place = 7, job = 2, others = 64;
    const rlim_t needed = others + VIEWER_LISTEN_JOBS * (place + 2 * job);
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return 1;
    if (limit.rlim_cur < needed) {
        limit.rlim_cur = limit.rlim_max < needed ? limit.rlim_max : needed;
        setrlimit(RLIMIT_NOFILE, &limit);
        getrlimit(RLIMIT_NOFILE, &limit);
    }
    if (limit.rlim_cur >= needed)
        return VIEWER_LISTEN_JOBS;
    const rlim_t most = limit.rlim_cur < others ? 0 : (limit.rlim_cur - others) / (place + 2 * job);
    return most < 1 ? 1 : (size_t)most;
}

static bool bind_outside(struct viewer_listener *l, void *socket, const char *at)
{
    const int ipv6 = strchr(at, '[') != NULL;
    set_options(socket);
    zmq_setsockopt(socket, ZMQ_IPV6, &ipv6, sizeof ipv6);
    return shared_auth_prepare(l->admit, socket, at, true) && zmq_bind(socket, at) == 0;
}

/* Opens the sockets. The SUB subscribes to everything, so each job that connects sends all that a
 * subscriber wants. */
static bool open_sockets(struct viewer_listener *l, const char *facts, const char *control)
{
    char at[64];
    l->sub = make_socket(l->zmq, ZMQ_SUB, WIRE_HWM);
    l->router = make_socket(l->zmq, ZMQ_ROUTER, WIRE_HWM);
    if (!l->sub || !l->router || zmq_setsockopt(l->sub, ZMQ_SUBSCRIBE, "", 0) != 0)
        return false;
    snprintf(at, sizeof at, "inproc://proftop-come-%p", (void *)l);
    if (zmq_socket_monitor(l->router, at, ZMQ_EVENT_DISCONNECTED) != 0)
        return false;
    l->monitor = make_socket(l->zmq, ZMQ_PAIR, 0);
    return l->monitor && zmq_connect(l->monitor, at) == 0 && bind_outside(l, l->sub, facts) &&
           bind_outside(l, l->router, control);
}

struct viewer_listener *viewer_listener_new(void *zmq, const char *word, struct shared_auth *admit,
                                            char *why, size_t capacity)
{
    char facts[SHARED_ENDPOINT_SIZE], control[SHARED_ENDPOINT_SIZE];
    if (!shared_endpoints_parse(word, facts, control, why, capacity))
        return NULL;
    struct viewer_listener *l = calloc(1, sizeof *l);
    if (!l) {
        snprintf(why, capacity, "out of memory for listening");
        return NULL;
    }
    l->zmq = zmq;
    l->most = most_places();
    l->admit = shared_is_tcp(facts) || shared_is_tcp(control) ? admit : NULL;
    l->insecure = l->admit && l->admit->insecure;
    model_text_safe(word, strlen(word), l->label, sizeof l->label);
    bool good = (!l->admit || shared_auth_open(l->admit, zmq)) && open_sockets(l, facts, control);
    if (good && add_place(l))
        return l;
    snprintf(why, capacity, "jobs can't be waited for at %.80s: %s", l->label,
             zmq_strerror(zmq_errno()));
    viewer_listener_free(&l);
    return NULL;
}

void viewer_listener_free(struct viewer_listener **listener)
{
    struct viewer_listener *l = *listener;
    if (!l)
        return;
    if (l->router)
        zmq_socket_monitor(l->router, NULL, 0);
    close_all((void *[]){l->monitor, l->sub, l->router}, 3);
    if (l->admit)
        shared_auth_close(l->admit);
    for (size_t i = 0; i < l->places; i++)
        close_all((void *[]){l->place[i].facts, l->place[i].control, l->place[i].events}, 3);
    free(l);
    *listener = NULL;
}

/* -------------------------------------------------------------------------------------- who comes
 */

/* Writes the identity of the sender: its address by the kernel, and its user id by its key. It
 * exposes a sender that uses the instance of another job. */
static void name_sender(zmq_msg_t *message, char sender[SENDER_MAX])
{
    const char *address = zmq_msg_gets(message, "Peer-Address");
    const char *user = zmq_msg_gets(message, "User-Id");
    snprintf(sender, SENDER_MAX, "%.80s %.40s", address ? address : "", user ? user : "");
}

static struct place *find_instance(struct viewer_listener *l, const uint8_t *instance,
                                   const char *sender)
{
    for (size_t i = 0; i < l->places; i++)
        if (l->place[i].routing_size > 0 && memcmp(l->place[i].instance, instance, 16) == 0 &&
            strcmp(l->place[i].sender, sender) == 0)
            return &l->place[i];
    return NULL;
}

/* Finds a place for a new instance, in this order: the place of an earlier run of the same program,
 * a place without a job yet, an added place, the place of any job that has gone. */
static struct place *find_place(struct viewer_listener *l, const char *who)
{
    struct place *gone = NULL, *empty = NULL;
    for (size_t i = 0; i < l->places; i++) {
        struct place *place = &l->place[i];
        if (place->routing_size == 0)
            empty = empty ? empty : place;
        else if (!place->up && strcmp(place->who, who) == 0)
            return place;
        else if (!place->up)
            gone = gone ? gone : place;
    }
    struct place *more = empty ? empty : add_place(l);
    return more ? more : gone;
}

static void describe(const struct wire_frame *hello, char who[LABEL_MAX])
{
    const struct wire_text *program = &hello->field[WIRE_F_PROGRAM].text;
    const struct wire_text *host = &hello->field[WIRE_F_HOST].text;
    const struct wire_value *rank = &hello->field[WIRE_F_RANK];
    snprintf(who, LABEL_MAX, "%.*s %.*s %llu", program->size < 40 ? (int)program->size : 40,
             program->data ? program->data : "", host->size < 30 ? (int)host->size : 30,
             host->data ? host->data : "", rank->present ? (unsigned long long)rank->u + 1 : 0);
}

static void drain_ended(struct viewer_listener *l)
{
    uint8_t event[6], address[256];
    int32_t fd;
    while (zmq_recv(l->monitor, event, sizeof event, ZMQ_DONTWAIT) >= 0) {
        memcpy(&fd, event + 2, sizeof fd);
        zmq_recv(l->monitor, address, sizeof address, ZMQ_DONTWAIT);
        for (size_t i = 0; i < l->places; i++)
            if (l->place[i].up && l->place[i].fd == fd)
                l->place[i].up = false;
    }
}

/* Takes the hello of a job that has connected, for the first time or again. */
static void introduce(struct viewer_listener *l, const void *routing, size_t size,
                      zmq_msg_t *message)
{
    struct wire_frame hello;
    char sender[SENDER_MAX], who[LABEL_MAX];
    if (wire_read(zmq_msg_data(message), zmq_msg_size(message), &hello) != WIRE_OK ||
        hello.stream != WIRE_HELLO) {
        l->refused++;
        return;
    }
    const uint8_t *instance = (const uint8_t *)hello.field[WIRE_F_INST].text.data;
    name_sender(message, sender);
    describe(&hello, who);
    /* The monitor reported the end of an earlier connection with the same descriptor before this
     * message came. */
    drain_ended(l);
    struct place *place = find_instance(l, instance, sender);
    if (!place)
        place = find_place(l, who);
    if (!place) {
        l->refused++;
        l->full = true;
        return;
    }
    memcpy(place->instance, instance, sizeof place->instance);
    memcpy(place->routing, routing, size);
    snprintf(place->sender, sizeof place->sender, "%s", sender);
    snprintf(place->who, sizeof place->who, "%s", who);
    place->routing_size = size;
    place->fd = zmq_msg_get(message, ZMQ_SRCFD);
    place->up = true;
    place->sent_up = false;
}

/* Sends the connection state of a place to its subscriber, in the format of a libzmq monitor. */
static void send_event(struct place *place)
{
    const uint16_t event = place->up ? ZMQ_EVENT_HANDSHAKE_SUCCEEDED : ZMQ_EVENT_DISCONNECTED;
    uint8_t bytes[6] = {0};
    if (place->up == place->sent_up || place->routing_size == 0)
        return;
    memcpy(bytes, &event, sizeof event);
    /* Reading ZMQ_EVENTS makes libzmq process new subscriptions. Otherwise it may process those of
     * the last millisecond only after this send. */
    int seen;
    size_t size = sizeof seen;
    zmq_getsockopt(place->events, ZMQ_EVENTS, &seen, &size);
    zmq_send(place->events, bytes, sizeof bytes, ZMQ_SNDMORE | ZMQ_DONTWAIT);
    zmq_send(place->events, "", 0, ZMQ_DONTWAIT);
    place->sent_up = place->up;
}

/* ------------------------------------------------------------------------------------- passing on
 */

/* Returns the instance of a frame, or NULL. It is searched for near the beginning, where all our
 * publishers put it. */
static const uint8_t *peek_instance(const void *bytes, size_t size)
{
    static const char key[] = "\xa4inst\xc4\x10";
    const size_t length = sizeof key - 1;
    const uint8_t *at = memmem(bytes, size < PEEK ? size : PEEK, key, length);
    if (!at || (size_t)(at - (const uint8_t *)bytes) + length + 16 > size)
        return NULL;
    return at + length;
}

/* Reads and drops the remaining parts of a message. */
static void skip_rest(void *socket, zmq_msg_t *message)
{
    while (zmq_msg_more(message) && zmq_msg_recv(message, socket, ZMQ_DONTWAIT) >= 0)
        continue;
}

static bool pass_fact(struct viewer_listener *l)
{
    zmq_msg_t message;
    char sender[SENDER_MAX];
    zmq_msg_init(&message);
    bool got = zmq_msg_recv(&message, l->sub, ZMQ_DONTWAIT) >= 0;
    const uint8_t *instance = NULL;
    if (got && !zmq_msg_more(&message))
        instance = peek_instance(zmq_msg_data(&message), zmq_msg_size(&message));
    struct place *place = NULL;
    if (instance) {
        name_sender(&message, sender);
        place = find_instance(l, instance, sender);
    }
    if (place)
        zmq_msg_send(&message, place->facts, ZMQ_DONTWAIT);
    else if (got && !instance)
        l->refused++;
    skip_rest(l->sub, &message);
    zmq_msg_close(&message);
    return got;
}

/* Passes on an answer of a job. Parts: the name of the job, the name of the subscriber that asked
 * (empty: the job's own hello), the frame. */
static bool pass_answer(struct viewer_listener *l)
{
    uint8_t routing[ROUTING_MAX + 1], tag[ROUTING_MAX + 1];
    zmq_msg_t message;
    int size = zmq_recv(l->router, routing, sizeof routing, ZMQ_DONTWAIT);
    if (size < 0)
        return false;
    int tag_size = zmq_recv(l->router, tag, sizeof tag, ZMQ_DONTWAIT), more = 0;
    size_t length = sizeof more;
    zmq_getsockopt(l->router, ZMQ_RCVMORE, &more, &length);
    zmq_msg_init(&message);
    bool whole = more && zmq_msg_recv(&message, l->router, ZMQ_DONTWAIT) >= 0 &&
                 !zmq_msg_more(&message) && size <= ROUTING_MAX && tag_size <= ROUTING_MAX;
    struct place *place = NULL;
    for (size_t i = 0; i < l->places && whole; i++)
        if (l->place[i].routing_size == (size_t)size &&
            memcmp(l->place[i].routing, routing, (size_t)size) == 0)
            place = &l->place[i];
    if (whole && tag_size == 0) {
        introduce(l, routing, (size_t)size, &message);
    } else if (whole && place) {
        if (zmq_send(place->control, tag, (size_t)tag_size, ZMQ_SNDMORE | ZMQ_DONTWAIT) >= 0)
            zmq_msg_send(&message, place->control, ZMQ_DONTWAIT);
    } else {
        l->refused++;
        skip_rest(l->router, &message);
    }
    zmq_msg_close(&message);
    return true;
}

/* Passes on a request of a subscriber. Parts: the name of the subscriber, the frame. */
static bool pass_request(struct viewer_listener *l, struct place *place)
{
    uint8_t tag[ROUTING_MAX];
    zmq_msg_t message;
    int size = zmq_recv(place->control, tag, sizeof tag, ZMQ_DONTWAIT);
    if (size < 0)
        return false;
    zmq_msg_init(&message);
    if (zmq_msg_recv(&message, place->control, ZMQ_DONTWAIT) >= 0 && place->up &&
        zmq_send(l->router, place->routing, place->routing_size, ZMQ_SNDMORE | ZMQ_DONTWAIT) >= 0 &&
        zmq_send(l->router, tag, (size_t)size, ZMQ_SNDMORE | ZMQ_DONTWAIT) >= 0)
        zmq_msg_send(&message, l->router, ZMQ_DONTWAIT);
    zmq_msg_close(&message);
    return true;
}

void viewer_listener_serve(struct viewer_listener *l)
{
    if (l->admit)
        shared_auth_serve(l->admit);
    for (int i = 0; i < PASS_MAX && pass_answer(l); i++)
        continue;
    drain_ended(l);
    for (int i = 0; i < PASS_MAX && pass_fact(l); i++)
        continue;
    for (size_t i = 0; i < l->places; i++) {
        send_event(&l->place[i]);
        for (int k = 0; k < PASS_MAX && pass_request(l, &l->place[i]); k++)
            continue;
    }
}

/* ------------------------------------------------------------------------------------------ calls
 */

size_t viewer_listener_items(const struct viewer_listener *l,
                             zmq_pollitem_t item[VIEWER_LISTEN_ITEMS])
{
    void *const sockets[] = {l->sub, l->router, l->monitor, l->admit ? l->admit->questions : NULL};
    size_t count = 0;
    for (size_t i = 0; i < sizeof sockets / sizeof sockets[0]; i++)
        if (sockets[i])
            item[count++] = (zmq_pollitem_t){.socket = sockets[i], .events = ZMQ_POLLIN};
    for (size_t i = 0; i < l->places; i++)
        item[count++] = (zmq_pollitem_t){.socket = l->place[i].control, .events = ZMQ_POLLIN};
    return count;
}

size_t viewer_listener_places(const struct viewer_listener *l)
{
    return l->places;
}

void viewer_listener_target(struct viewer_listener *l, size_t at, struct viewer_target *target)
{
    struct place *place = &l->place[at];
    *target = (struct viewer_target){.insecure = l->insecure};
    snprintf(target->facts, sizeof target->facts, "%s.pub", place->base);
    snprintf(target->control, sizeof target->control, "%s.ctl", place->base);
    model_text_safe(place->routing_size > 0 ? place->who : l->label,
                    strlen(place->routing_size > 0 ? place->who : l->label), target->label,
                    sizeof target->label);
    place->sent_up = false;
}

uint64_t viewer_listener_refused(const struct viewer_listener *l)
{
    return l->refused;
}

bool viewer_listener_full(const struct viewer_listener *l, char *why, size_t capacity)
{
    if (l->full)
        snprintf(why, capacity, "more came than the %zu that are listened to%s", l->places,
                 l->places < VIEWER_LISTEN_JOBS ? "; more would be with a higher `ulimit -Hn`"
                                                : "");
    return l->full;
}

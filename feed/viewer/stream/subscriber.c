/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * subscriber.c: the sockets of one feed: reads them, and sends requests when they are due.
 */
#include "config.h"

#include "feed/viewer/stream/subscriber.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "feed/viewer/discovery/discover.h"
#include "feed/viewer/stream/connection.h"
#include "feed/viewer/stream/cpu_starvation.h"
#include "feed/viewer/stream/headroom.h"
#include "feed/viewer/stream/link_state.h"
#include "feed/viewer/stream/sync.h"
#include "model/timeline.h"

enum {
    DRAIN_FRAMES = 1024,   /* read in one go at most, whatever the budget */
    CLOCK_EVERY = 4,       /* frames between two readings of the clock */
    FACTS_WAIT_MS = 200,   /* longest time that the hello waits for the subscription */
    ANSWER_MS = 1000,      /* after this a request counts as unanswered */
    LOOK_MS = 250,         /* interval of checks of a silent job's process */
    GRACE_MS = 50,         /* frames of a dead job may still arrive for this long */
    RIVAL_MS = 1000,       /* a foreign frame this long after a switch shows a second job, */
    RIVAL_LAST_MS = 35000, /* which is remembered for longer than the 30 s between two hellos */
    STEP_MS = 50,          /* interval of drains while something is pending */
    IDLE_MS = 500,         /* interval while nothing is pending */
    LINGERS_MS = 10000,    /* a process ends within this time of its goodbye */
};

struct viewer_subscriber {
    struct viewer_subscriber *beside; /* the next of `all` */
    void *zmq; /* borrowed */
    struct viewer_connection facts, control;
    struct viewer_target target;
    struct model_link link;
    struct viewer_sync sync;
    struct viewer_link_signs signs;
    struct viewer_lag lag;
    struct viewer_patience hello, snapshot, doubt;
    struct viewer_cpu_starvation starved;
    bool still; /* connected to nothing */
    bool hello_due;
    bool acknowledged;
    bool traces; /* subscribes to the events of traces */
    bool unread; /* libzmq may hold messages that the descriptors no longer signal */
    bool polled; /* the caller polled before this drain; otherwise messages waited at most: */
    uint64_t waited_ns;
    bool stop; /* drains read nothing beyond the end of a tick */
    bool kept; /* the first frame behind that end was read: */
    zmq_msg_t next;
    bool learned;       /* learn_process() was tried for this instance */
    unsigned instances; /* sync.left_count when last seen, to notice a new instance */
    uint64_t chunks;    /* chunks of the snapshot at the last progress */
    uint64_t progress_ns;
    uint64_t fetch_ns;  /* when a part of a report was requested */
    uint64_t fact_ns;   /* when the last frame of facts came */
    uint64_t turned_ns; /* when the first frame of this instance came */
    uint64_t rival_ns;  /* when a frame of a second job last came */
    uint64_t bye_ns;  /* when the goodbye came */
    uint64_t look_ns; /* when the process was last checked */
    uint64_t dead_ns; /* when the process was found gone */
    char ended[160];
};

/* ---------------------------------------------------------------------------------- opening */

static bool subscribe_timeline(struct viewer_subscriber *s)
{
    return s->facts.socket && zmq_setsockopt(s->facts.socket, ZMQ_SUBSCRIBE, "T/", 2) == 0;
}

/* Neither connection uses ZeroMQ heartbeats. While the viewer does not read, a full socket does not
 * read the job's heartbeats either, so libzmq would cut a working connection; libzmq 4.3 then
 * aborts the process when it reads on (libzmq issue 3937). A misbehaving job can fill the control
 * connection as well. Silence is therefore detected by missing frames, and a dead tcp peer by the
 * kernel's keep-alive. */
static bool open_facts(struct viewer_subscriber *s)
{
    /* H last: once the job has this subscription, and perhaps says goodbye, it has all others. */
    static const char *const topics[] = {"D/", "F/", "A/", "N/", "E/", "R/",
                                         "I/", "C/", "S/", "M/", "P/", "H/"};
    s->facts.socket = viewer_headroom_socket(s->zmq, ZMQ_SUB);
    if (!s->facts.socket || !viewer_connection_prepare(s->facts.socket))
        return false;
    for (unsigned i = 0; i < sizeof topics / sizeof topics[0]; i++)
        if (zmq_setsockopt(s->facts.socket, ZMQ_SUBSCRIBE, topics[i], strlen(topics[i])) != 0)
            return false;
    if (s->traces && !subscribe_timeline(s))
        return false;
    return viewer_connection_watch(&s->facts, s->zmq, "facts", s->target.facts) &&
           shared_auth_prepare(s->target.admit, s->facts.socket, s->target.facts, false) &&
           zmq_connect(s->facts.socket, s->target.facts) == 0;
}

static bool open_control(struct viewer_subscriber *s)
{
    const int immediate = 1;
    s->control.socket = viewer_headroom_socket(s->zmq, ZMQ_DEALER);
    if (!s->control.socket || !viewer_connection_prepare(s->control.socket) ||
        zmq_setsockopt(s->control.socket, ZMQ_IMMEDIATE, &immediate, sizeof immediate) != 0)
        return false;
    return viewer_connection_watch(&s->control, s->zmq, "control", s->target.control) &&
           shared_auth_prepare(s->target.admit, s->control.socket, s->target.control, false) &&
           zmq_connect(s->control.socket, s->target.control) == 0;
}

/* List of all subscribers. Global because file descriptors are a resource of the process. */
static struct viewer_subscriber *all;

/* Counts the connections that are not up. libzmq opens each of them later, at a time of its own. */
static int count_connecting(void)
{
    int count = 0;
    for (const struct viewer_subscriber *s = all; s; s = s->beside)
        count += !s->facts.up + !s->control.up;
    return count;
}

struct viewer_subscriber *viewer_subscriber_new(void *zmq, const struct viewer_target *target,
                                                uint64_t now_ns, char *why, size_t capacity)
{
    struct viewer_subscriber *s = calloc(1, sizeof *s);
    if (!s) {
        snprintf(why, capacity, "out of memory for a connection to %.64s", target->label);
        return NULL;
    }
    s->target = *target;
    /* A process in another pid namespace is not visible here. Its sockets show whether it lives. */
    if (s->target.pid > 0 && viewer_process_gone(s->target.pid, s->target.start))
        s->target.pid = s->target.start = 0;
    viewer_sync_init(&s->sync, &s->link, target->parent);
    s->signs.keyed = shared_is_tcp(target->facts) && target->admit && !target->admit->insecure;
    s->signs.awaited = strncmp(target->facts, "inproc://", 9) == 0;
    s->link.insecure = target->insecure || (shared_is_tcp(target->facts) && !s->signs.keyed);
    s->signs.began_ns = now_ns;
    s->signs.now_ns = now_ns;
    s->zmq = zmq;
    if (!viewer_headroom_job(count_connecting(), why, capacity)) {
        viewer_subscriber_free(&s);
        return NULL;
    }
    s->beside = all;
    all = s;
    if (!open_facts(s) || !open_control(s)) {
        char reason[160];
        viewer_headroom_why(zmq, zmq_errno(), reason, sizeof reason);
        snprintf(why, capacity, "cannot connect to %.64s: %s", s->target.label, reason);
        viewer_subscriber_free(&s);
    }
    return s;
}

struct viewer_subscriber *viewer_subscriber_still(struct model_job *job,
                                                  const struct model_link *link, const char *label)
{
    static const uint8_t no_parent[16];
    struct viewer_subscriber *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    model_text_safe(label, strlen(label), s->target.label, sizeof s->target.label);
    viewer_sync_init(&s->sync, &s->link, no_parent);
    s->sync.job = model_job_retain(job);
    s->link = *link;
    s->still = true;
    return s;
}

void viewer_subscriber_free(struct viewer_subscriber **subscriber)
{
    struct viewer_subscriber *s = *subscriber, **at = &all;
    if (!s)
        return;
    while (*at && *at != s)
        at = &(*at)->beside;
    if (*at)
        *at = s->beside;
    viewer_connection_close(&s->facts);
    viewer_connection_close(&s->control);
    if (s->kept)
        zmq_msg_close(&s->next);
    viewer_sync_release(&s->sync);
    free(s);
    *subscriber = NULL;
}

/* ----------------------------------------------------------------------------------- events */

/* Called when the control connection is up again after a break. If the facts connection did not
 * break too, it is dead without a sign, or holds old frames, so it is reopened. */
static void renew_facts(struct viewer_subscriber *s)
{
    if (!s->facts.lost) {
        viewer_connection_close(&s->facts);
        if (!open_facts(s))
            viewer_connection_close(&s->facts);
    }
    s->facts.lost = false;
}

/* Reopens a closed connection when its pause is over: descriptors were lacking, or the peer
 * refused. */
static void try_again(struct viewer_subscriber *s, struct viewer_connection *c,
                      bool (*open)(struct viewer_subscriber *s), uint64_t now_ns)
{
    if (!c->socket && now_ns >= c->again_ns && !open(s))
        viewer_connection_close(c);
}

static void read_monitor(struct viewer_subscriber *s, uint64_t now_ns)
{
    unsigned seen = viewer_connection_events(&s->facts, now_ns);
    const bool was_up = s->control.up;
    unsigned control = viewer_connection_events(&s->control, now_ns);
    /* Through ssh this sign means nothing: ssh accepts any connection. */
    if ((seen | control) & VIEWER_CONNECTION_STRANGE && !s->target.via[0])
        s->signs.strange = true;
    if ((seen | control) & ZMQ_EVENT_HANDSHAKE_FAILED_AUTH)
        s->signs.denied = true;
    if (control & (ZMQ_EVENT_DISCONNECTED | VIEWER_CONNECTION_STRANGE) && was_up) {
        s->signs.down_ns = now_ns;
        s->hello_due = false;
        viewer_sync_cancel(&s->sync);
        if (s->sync.outcome.fate == VIEWER_ASKED)
            s->sync.outcome.fate = VIEWER_LOST;
    }
    if (control & ZMQ_EVENT_HANDSHAKE_SUCCEEDED && s->control.up) {
        s->link.reconnects += s->signs.up_ns > 0;
        if (s->signs.up_ns > 0)
            renew_facts(s);
        s->signs.up_ns = now_ns;
        s->signs.down_ns = 0;
        s->signs.strange = s->signs.denied = false;
        s->hello_due = true;
        s->hello = (struct viewer_patience){0};
        s->snapshot = (struct viewer_patience){0};
    }
}

/* ------------------------------------------------------------------------------------- asking */

typedef size_t request_fn(struct viewer_sync *sync, void *out, size_t capacity);

static bool send_bytes(struct viewer_subscriber *s, const void *bytes, size_t size)
{
    s->unread = true; /* zmq_send() consumes the signal of the descriptor */
    return size > 0 && zmq_send(s->control.socket, bytes, size, ZMQ_DONTWAIT) >= 0;
}

static bool send_request(struct viewer_subscriber *s, request_fn *write)
{
    uint8_t bytes[WIRE_REQUEST_MAX];
    return send_bytes(s, bytes, write(&s->sync, bytes, sizeof bytes));
}

/* Sends a hello until it is answered; the answer proves that the job reads our requests. The
 * snapshot does not wait for the answer, because the first frame on either socket gives the
 * instance. */
static void request_hello(struct viewer_subscriber *s, uint64_t now_ns)
{
    if (s->hello.tries > 0 && s->sync.hello == 0) {
        s->hello_due = false;
        return;
    }
    bool subscribed = s->facts.up || now_ns - s->signs.up_ns >= FACTS_WAIT_MS * VIEWER_NS_PER_MS;
    if (!subscribed || now_ns < s->hello.due_ns)
        return;
    if (send_request(s, viewer_sync_request_hello))
        viewer_patience_use(&s->hello, now_ns);
}

static void request_snapshot(struct viewer_subscriber *s, uint64_t now_ns)
{
    uint8_t bytes[WIRE_REQUEST_MAX];
    if (s->sync.snapshot && s->sync.chunks != s->chunks) {
        s->chunks = s->sync.chunks;
        s->progress_ns = now_ns;
    }
    if (s->sync.snapshot && now_ns - s->progress_ns >= ANSWER_MS * VIEWER_NS_PER_MS)
        viewer_sync_cancel(&s->sync);
    enum viewer_snapshot_scope scope = viewer_sync_missing(&s->sync);
    if (scope == VIEWER_SNAPSHOT_NOTHING && !s->sync.snapshot)
        s->snapshot = (struct viewer_patience){0};
    if (scope == VIEWER_SNAPSHOT_NOTHING || now_ns < s->snapshot.due_ns)
        return;
    size_t size = viewer_sync_request_snapshot(&s->sync, scope, bytes, sizeof bytes);
    if (!send_bytes(s, bytes, size)) {
        viewer_sync_cancel(&s->sync);
        return;
    }
    s->chunks = 0;
    s->progress_ns = now_ns;
    viewer_patience_use(&s->snapshot, now_ns);
}

/* Requests the next part of a report, and again if the part does not come. */
static void request_text(struct viewer_subscriber *s, uint64_t now_ns)
{
    const struct viewer_job_report *made = &s->sync.made;
    const bool late = made->request != 0 && now_ns - s->fetch_ns >= ANSWER_MS * VIEWER_NS_PER_MS;
    if (s->sync.outcome.fate != VIEWER_ASKED || !made->incomplete || (made->request != 0 && !late))
        return;
    if (send_request(s, viewer_sync_request_text))
        s->fetch_ns = now_ns;
}

static void send_requests(struct viewer_subscriber *s, uint64_t now_ns)
{
    if (s->sync.final && !s->acknowledged)
        s->acknowledged = send_request(s, viewer_sync_ack);
    if (!s->control.up)
        return;
    if (s->hello_due)
        request_hello(s, now_ns);
    request_snapshot(s, now_ns);
    request_text(s, now_ns);
}

/* ------------------------------------------------------------------------------------ reading */

/* Resets the state of the process on a new instance, which is another process. */
static void notice_instance(struct viewer_subscriber *s)
{
    if (s->sync.replaced_count == s->instances)
        return;
    s->instances = s->sync.replaced_count;
    s->target.pid = s->target.start = 0;
    s->lag = (struct viewer_lag){0};
    s->snapshot = s->doubt = (struct viewer_patience){0};
    s->learned = s->acknowledged = false;
    s->fact_ns = s->turned_ns = s->rival_ns = 0;
    s->dead_ns = s->bye_ns = 0;
    s->ended[0] = '\0';
}

static void took(struct viewer_subscriber *s, bool answer, uint64_t now_ns)
{
    notice_instance(s);
    s->link.last_frame_ns = now_ns;
    if (s->turned_ns == 0)
        s->turned_ns = now_ns;
    if (!answer) {
        s->fact_ns = now_ns;
        const uint64_t lag_ns = viewer_lag_of(&s->lag, now_ns, s->sync.mono_ns);
        /* The wait for this drain says nothing about the job or the network. */
        s->link.lag_ns = lag_ns > s->waited_ns ? lag_ns - s->waited_ns : 0;
    }
    if (s->sync.bye && s->bye_ns == 0) {
        s->bye_ns = now_ns;
        s->snapshot = (struct viewer_patience){0}; /* an ending job does not wait */
    }
}

/* Called on a frame of another instance. Sends a hello, because its answer shows which instance is
 * there. Late frames of an old job stop soon; frames of a second job go on. */
static void read_foreign(struct viewer_subscriber *s, uint64_t now_ns)
{
    if (s->control.up && !s->hello_due && now_ns >= s->doubt.due_ns) {
        viewer_patience_use(&s->doubt, now_ns);
        s->hello = (struct viewer_patience){0};
        s->hello_due = true;
    }
    if (s->turned_ns > 0 && now_ns - s->turned_ns >= RIVAL_MS * VIEWER_NS_PER_MS)
        s->rival_ns = now_ns;
}

/* Receives the next message: the kept one, or one from the socket. */
static bool receive(struct viewer_subscriber *s, bool answer, zmq_msg_t *message)
{
    zmq_msg_init(message);
    if (answer || !s->kept)
        return zmq_msg_recv(message, answer ? s->control.socket : s->facts.socket,
                            ZMQ_DONTWAIT) >= 0;
    zmq_msg_move(message, &s->next);
    zmq_msg_close(&s->next);
    s->kept = false;
    return true;
}

/* Keeps the message for later if `stop` is set and a tick has ended before the message. */
static bool keep(struct viewer_subscriber *s, zmq_msg_t *message)
{
    if (!s->stop || zmq_msg_more(message) ||
        !viewer_sync_is_consistent_before(&s->sync, zmq_msg_data(message), zmq_msg_size(message)))
        return false;
    zmq_msg_init(&s->next);
    zmq_msg_move(&s->next, message);
    s->kept = true;
    return true;
}

/* Reads and takes one message. False: there is none. */
static bool read_one(struct viewer_subscriber *s, bool answer, uint64_t now_ns)
{
    void *socket = answer ? s->control.socket : s->facts.socket;
    zmq_msg_t message;
    const uint64_t foreign = s->link.foreign;
    bool got = receive(s, answer, &message);
    if (got && !answer && keep(s, &message)) {
        zmq_msg_close(&message);
        return true;
    }
    if (got && zmq_msg_more(&message)) {
        viewer_sync_refuse(&s->sync);
        while (zmq_msg_more(&message) && zmq_msg_recv(&message, socket, ZMQ_DONTWAIT) >= 0)
            continue;
    } else if (got &&
               viewer_sync_take(&s->sync, zmq_msg_data(&message), zmq_msg_size(&message), answer)) {
        took(s, answer, now_ns);
    }
    if (s->link.foreign != foreign)
        read_foreign(s, now_ns);
    zmq_msg_close(&message);
    if (s->sync.snapshot && s->sync.credit > 0)
        send_request(s, viewer_sync_request_more);
    return got;
}

/* Processor time of this thread. Wall-clock time would make a viewer on a busy machine read less in
 * each drain. */
static uint64_t spent_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

/* Reads both sockets in turns. True if both are empty now. */
static bool read_all(struct viewer_subscriber *s, uint64_t now_ns, uint64_t budget_ns)
{
    const uint64_t began_ns = spent_ns();
    bool facts = true, answers = true; /* asking an empty socket costs more time than a frame */
    for (unsigned i = 0; i < DRAIN_FRAMES; i++) {
        if (s->stop && s->kept)
            return false;
        facts = facts && read_one(s, false, now_ns);
        answers = answers && !s->kept && read_one(s, true, now_ns);
        if (!facts && !answers)
            return true;
        if (i % CLOCK_EVERY == CLOCK_EVERY - 1 && spent_ns() - began_ns > budget_ns)
            return false;
    }
    return false;
}

/* ------------------------------------------------------------------------------ life and death */

/* Takes the process of a job reached by a typed ipc endpoint from its hello. The hello is believed
 * only if that process is on this machine; behind a forwarded socket it is not. */
static void learn_process(struct viewer_subscriber *s)
{
    char host[256] = "";
    const struct model_identity *who = s->sync.job ? model_job_identity(s->sync.job) : NULL;
    if (s->target.pid > 0 || s->target.via[0] || s->learned || !who || who->pid == 0)
        return;
    s->learned = true;
    if (strncmp(s->target.facts, "ipc://", 6) != 0 || gethostname(host, sizeof host - 1) != 0 ||
        strlen(host) != who->host.raw_size || memcmp(host, who->host.raw, strlen(host)) != 0 ||
        who->start == 0 || shared_process_start(who->pid) != who->start)
        return;
    s->target.pid = who->pid;
    s->target.start = who->start;
}

/* Checks that the process is still there, if its connection broke or it is silent for longer than
 * the requested tick. */
static void look_at_process(struct viewer_subscriber *s, uint64_t now_ns)
{
    uint64_t pause_ns = (s->signs.down_ns ? STEP_MS : LOOK_MS + s->sync.tick_ms) * VIEWER_NS_PER_MS;
    uint64_t heard_ns = s->link.last_frame_ns > s->look_ns ? s->link.last_frame_ns : s->look_ns;
    if (s->dead_ns > 0 || s->target.pid == 0)
        return;
    if (s->signs.down_ns <= s->look_ns && now_ns - heard_ns < pause_ns)
        return;
    s->look_ns = now_ns;
    if (viewer_process_gone(s->target.pid, s->target.start))
        s->dead_ns = now_ns;
    s->signs.stopped = shared_process_stopped(s->target.pid);
}

/* Collects the signs of life and sets the state of the link. A job is not called dead while
 * messages from it are unread. */
static void judge(struct viewer_subscriber *s, uint64_t now_ns, bool empty)
{
    struct viewer_link_signs *v = &s->signs;
    learn_process(s);
    look_at_process(s, now_ns);
    v->now_ns = now_ns;
    v->last_frame_ns = s->link.last_frame_ns;
    v->lag_ns = s->link.lag_ns;
    v->whole = s->sync.whole;
    v->bye = s->sync.bye != NULL;
    v->final = s->sync.final;
    v->gave_up =
        v->bye && (!s->control.up || now_ns - s->bye_ns > WIRE_RUN_BYE_MS * VIEWER_NS_PER_MS);
    v->dead = empty && s->dead_ns > 0 && now_ns - s->dead_ns >= GRACE_MS * VIEWER_NS_PER_MS;
    v->local = s->target.pid > 0;
    v->socket = strncmp(s->target.facts, "ipc://", 6) == 0;
    v->far = strncmp(s->target.facts, "tcp://", 6) == 0;
    v->rival = s->rival_ns > 0 && now_ns - s->rival_ns < RIVAL_LAST_MS * VIEWER_NS_PER_MS;
    v->mute = now_ns - (s->fact_ns > 0 ? s->fact_ns : s->turned_ns) >= RIVAL_MS * VIEWER_NS_PER_MS;
    v->other_version = s->link.other_version > 0;
    v->left = viewer_sync_detached_by(&s->sync);
    v->ended = s->ended;
    v->refusal = s->sync.refusal;
    v->label = s->target.label;
    viewer_link_judge(v, &s->link);
    s->link.lingers = v->final && !s->link.detached && v->local && s->dead_ns == 0 &&
                      now_ns - s->bye_ns > LINGERS_MS * VIEWER_NS_PER_MS;
    s->link.starved =
        (uint8_t)viewer_cpu_starvation_sample(&s->starved, s->target.pid, s->sync.job, now_ns);
    if (s->sync.job)
        model_job_set_ended(s->sync.job, s->link.state == MODEL_GONE);
}

/* --------------------------------------------------------------------------------------- calls */

static unsigned list_sockets(const struct viewer_subscriber *s, void *list[VIEWER_POLL_ITEMS])
{
    void *const sockets[VIEWER_POLL_ITEMS] = {s->facts.socket, s->control.socket, s->facts.monitor,
                                              s->control.monitor};
    unsigned count = 0;
    for (unsigned i = 0; i < VIEWER_POLL_ITEMS; i++)
        if (sockets[i])
            list[count++] = sockets[i];
    return count;
}

size_t viewer_subscriber_items(struct viewer_subscriber *s, zmq_pollitem_t item[VIEWER_POLL_ITEMS])
{
    void *list[VIEWER_POLL_ITEMS];
    unsigned count = list_sockets(s, list);
    for (unsigned i = 0; i < count; i++)
        item[i] = (zmq_pollitem_t){.socket = list[i], .events = ZMQ_POLLIN};
    s->unread = s->polled = true; /* polling consumes the signals of the descriptors */
    return count;
}

static bool is_pending(const struct viewer_subscriber *s)
{
    return !s->sync.whole || s->sync.snapshot || s->hello_due || s->signs.down_ns ||
           s->dead_ns > 0 || s->kept || s->sync.bye || s->sync.pending.count > 0 ||
           !s->facts.socket || !s->control.socket || s->sync.made.incomplete;
}

/* True if no socket has a message. One poll() of all descriptors is cheaper than asking each
 * socket, and most of the time there is nothing. A ZeroMQ descriptor signals only events that
 * libzmq has not processed yet. So this works only after each socket was read until empty, and
 * while nothing is due by time. */
static bool nothing_came(const struct viewer_subscriber *s)
{
    void *list[VIEWER_POLL_ITEMS];
    struct pollfd fd[VIEWER_POLL_ITEMS];
    if (s->unread || is_pending(s))
        return false;
    unsigned count = list_sockets(s, list);
    for (unsigned i = 0; i < count; i++) {
        size_t size = sizeof fd[i].fd;
        fd[i] = (struct pollfd){.events = POLLIN};
        if (zmq_getsockopt(list[i], ZMQ_FD, &fd[i].fd, &size) != 0)
            return false;
    }
    return poll(fd, count, 0) == 0;
}

static bool read_sockets(struct viewer_subscriber *s, uint64_t now_ns, uint64_t budget_ns)
{
    read_monitor(s, now_ns);
    try_again(s, &s->facts, open_facts, now_ns);
    try_again(s, &s->control, open_control, now_ns);
    send_requests(s, now_ns);
    s->unread = false;
    bool empty = read_all(s, now_ns, budget_ns);
    s->unread = s->unread || !empty;
    return empty;
}

bool viewer_subscriber_drain(struct viewer_subscriber *s, uint64_t now_ns, uint64_t budget_ns)
{
    if (s->still)
        return false;
    const struct model_link before = s->link;
    const unsigned instances = s->instances;
    s->waited_ns = s->polled || now_ns < s->signs.now_ns ? 0 : now_ns - s->signs.now_ns;
    s->polled = false;
    bool empty = nothing_came(s) || read_sockets(s, now_ns, budget_ns);
    send_requests(s, now_ns);
    judge(s, now_ns, empty);
    s->signs.now_ns = now_ns;
    return instances != s->instances || memcmp(&before, &s->link, sizeof before) != 0;
}

uint64_t viewer_subscriber_due(const struct viewer_subscriber *s)
{
    const uint64_t now_ns = s->signs.now_ns;
    if (s->still)
        return UINT64_MAX;
    if (s->kept && !s->stop)
        return now_ns;
    bool settled = s->link.state == MODEL_GONE && (s->sync.final || s->dead_ns > 0);
    if (settled || !is_pending(s))
        return now_ns + (s->target.pid > 0 && !settled ? LOOK_MS : IDLE_MS) * VIEWER_NS_PER_MS;
    return now_ns + STEP_MS * VIEWER_NS_PER_MS;
}

bool viewer_subscriber_is_consistent(const struct viewer_subscriber *s)
{
    return s->still || s->kept || viewer_sync_is_consistent(&s->sync);
}

void viewer_subscriber_stop(struct viewer_subscriber *s, bool stop)
{
    s->stop = stop;
}

struct model_job *viewer_subscriber_job(const struct viewer_subscriber *s)
{
    return s->sync.job;
}

const struct model_link *viewer_subscriber_link(const struct viewer_subscriber *s)
{
    return &s->link;
}

const struct viewer_target *viewer_subscriber_target(const struct viewer_subscriber *s)
{
    return &s->target;
}

bool viewer_subscriber_trace(struct viewer_subscriber *s, uint64_t limit)
{
    if (!s->sync.job || !subscribe_timeline(s))
        return false;
    s->traces = true;
    model_job_keep_timeline(s->sync.job, limit);
    return true;
}

void viewer_subscriber_tick(struct viewer_subscriber *s, uint64_t tick_ms)
{
    if (s->sync.tick_ms == tick_ms)
        return;
    s->sync.tick_ms = tick_ms;
    s->hello = (struct viewer_patience){0};
    s->hello_due = s->control.up;
}

bool viewer_subscriber_control(struct viewer_subscriber *s, const char *what, const char *arg)
{
    uint8_t bytes[WIRE_REQUEST_MAX];
    const struct viewer_request_outcome before = s->sync.outcome;
    bool sent =
        s->control.up && before.fate != VIEWER_ASKED &&
        send_bytes(s, bytes, viewer_sync_request_control(&s->sync, what, arg, bytes, sizeof bytes));
    if (!sent)
        s->sync.outcome = before;
    return sent;
}

const struct viewer_request_outcome *viewer_subscriber_outcome(const struct viewer_subscriber *s)
{
    return &s->sync.outcome;
}

char *viewer_subscriber_report(struct viewer_subscriber *s, size_t *size)
{
    char *text = s->sync.outcome.fate == VIEWER_DONE ? s->sync.made.data : NULL;
    *size = s->sync.made.have;
    if (text)
        s->sync.made = (struct viewer_job_report){0};
    return text;
}

void viewer_subscriber_ended(struct viewer_subscriber *s, const char *reason)
{
    model_text_safe(reason, strlen(reason), s->ended, sizeof s->ended);
    if (s->dead_ns == 0)
        s->dead_ns = s->signs.now_ns;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * thread.c: the feed's thread. It alone calls libzmq: it opens the sockets, sends at most ten times
 * a second, answers requests, and says goodbye.
 */
#include "config.h"

#include "feed/publisher/publish/encode.h"
#include "feed/publisher/publish/program_commands.h"
#include "feed/publisher/publish/session.h"
#include "feed/publisher/publish/timeline.h"
#include "feed/publisher/record/clock.h"
#include "feed/publisher/record/lock.h"
#include "feed/publisher/transport/black_box_file.h"
#include "feed/publisher/transport/flood_guard.h"
#include "feed/publisher/transport/prefault.h"
#include "feed/publisher/transport/registration.h"
#include "feed/publisher/transport/resource_check.h"
#include "feed/publisher/transport/socket.h"
#include "feed/publisher/transport/tcp_endpoint.h"
#include "feed/shared/registry_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <zmq.h>

enum {
    STALLED_MS = 10, /* delay before a viewer without queue space is tried again */
    FLUSH_MS = 5,
    TAKEN_MS = 5, /* reserved at the end of the goodbye, for viewers to ack it */
    NAP_MS = 20,  /* poll interval where nothing wakes the thread */
    OTHERS = 64,
    SOCKETS = 7,
    ITEMS = 1 + SOCKETS + PUBLISHER_LISTENERS,
};

struct loop {
    struct publisher_core *core;
    void *zmq, *facts, *control;
    void *monitor, *arrivals; /* events of the control connections, and of the facts connections */
    struct publisher_flood_guard guard;
    struct publisher_registration registration;
    struct publisher_own_file box; /* of the black box */
    struct publisher_tcp_endpoint tcp;
    struct publisher publisher;
    struct publisher_session session;
    bool has_publisher;
    /* The wake pipe, the descriptor of each socket, and the acceptors. */
    struct pollfd item[ITEMS];
    bool strict, memory; /* results of resource_check.h; `memory` as of the last check */
    bool look;           /* a socket may hold input that its descriptor does not signal */
    bool deaf; /* the program cannot open the wake pipe: it runs as another user, or in another
                * root */
    int other[OTHERS]; /* threads of libzmq that existed before */
    uint32_t others;
};

/* Makes a socket that queues little for slow viewers, drops dead connections, and never delays an
 * exit. Input has no high-water mark. A mark is unsafe: libzmq 4.3 aborts the process if a
 * connection breaks while its input is stopped by the mark and heartbeats are due (libzmq issue
 * 3937), and a viewer can bring about both. So all input is read at once, and the excess is
 * dropped. */
static void *make_socket(struct loop *loop, int type)
{
    static const struct {
        int option, value;
    } options[] = {
        {ZMQ_LINGER, 0},
        {ZMQ_SNDHWM, WIRE_HWM},
        {ZMQ_RCVHWM, 0},
        {ZMQ_HANDSHAKE_IVL, WIRE_HANDSHAKE_MS},
        {ZMQ_BACKLOG, WIRE_VIEWERS_MAX},
    };
    int64_t largest = WIRE_REQUEST_MAX;
    uid_t uid = geteuid();
    void *socket = zmq_socket(loop->zmq, type);
    if (socket == NULL)
        return NULL;
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        publisher_socket_set(socket, options[i].option, options[i].value);
    zmq_setsockopt(socket, ZMQ_MAXMSGSIZE, &largest, sizeof largest);
    zmq_setsockopt(socket, ZMQ_IPC_FILTER_UID, &uid, sizeof uid);
    return socket;
}

static bool open_sockets(struct loop *loop, char *why, size_t capacity)
{
    if (!publisher_resource_check(why, capacity))
        return false;
    loop->others = publisher_overhead_list(loop->other, OTHERS);
    loop->zmq = zmq_ctx_new();
    loop->facts = loop->zmq == NULL ? NULL : make_socket(loop, ZMQ_XPUB);
    loop->control = loop->facts == NULL ? NULL : make_socket(loop, ZMQ_ROUTER);
    if (loop->control == NULL) {
        snprintf(why, capacity, "libzmq gives no socket: %s", zmq_strerror(zmq_errno()));
        return false;
    }
    publisher_socket_set(loop->control, ZMQ_ROUTER_MANDATORY, 1);
    /* Optional. Without monitors the feed forgets departed viewers later, and notices a crowd
     * later. */
    loop->monitor = publisher_socket_monitor(loop->zmq, loop->control, "control",
                                             ZMQ_EVENT_ACCEPTED | ZMQ_EVENT_DISCONNECTED);
    loop->arrivals = publisher_socket_monitor(loop->zmq, loop->facts, "facts",
                                              ZMQ_EVENT_ACCEPTED | ZMQ_EVENT_MONITOR_STOPPED);
    return true;
}

/* Makes the wake pipe, in this thread's descriptor table. */
static bool settle(struct publisher_life *life, char *why, size_t capacity)
{
    char self[sizeof life->wake_path / 2] = "";
    if (pipe2(life->wake, O_CLOEXEC | O_NONBLOCK) != 0) {
        life->wake[0] = life->wake[1] = -1;
        snprintf(why, capacity, "no file descriptor is free: raise `ulimit -n`");
        return false;
    }
    /* The thread's number in the /proc that is mounted here. */
    if (readlink("/proc/thread-self", self, sizeof self - 1) > 0)
        snprintf(life->wake_path, sizeof life->wake_path, "/proc/%s/fd/%d", self, life->wake[1]);
    return true;
}

static void know_doors(struct loop *loop)
{
    const struct publisher_tcp_endpoint *tcp = &loop->tcp;
    void *const socket[SOCKETS] = {loop->facts,    loop->control,        loop->monitor,
                                   loop->arrivals, tcp->admit.questions, tcp->outward,
                                   tcp->fate};
    loop->item[0] = (struct pollfd){.fd = loop->core->life.wake[0], .events = POLLIN};
    for (int i = 0; i < SOCKETS; i++) {
        size_t size = sizeof loop->item[0].fd;
        struct pollfd *item = &loop->item[1 + i];
        *item = (struct pollfd){.fd = -1, .events = POLLIN};
        if (socket[i] != NULL)
            zmq_getsockopt(socket[i], ZMQ_FD, &item->fd, &size);
    }
    loop->look = true;
}

static void read_program(char *to, size_t capacity)
{
    int fd = open("/proc/self/comm", O_RDONLY | O_CLOEXEC);
    ssize_t size = fd < 0 ? -1 : read(fd, to, capacity - 1);
    if (fd >= 0)
        close(fd);
    to[size > 0 ? size : 0] = 0;
    to[strcspn(to, "\n")] = 0;
}

/* Asks the kernel for the facts that take a descriptor to read. The program may have no free
 * descriptor; this thread has a table of its own. */
static void look_at_process(struct publisher_identity *me)
{
    me->start = shared_process_start(me->pid);
    if (me->program[0] == 0)
        read_program(me->program, sizeof me->program);
}

static bool start(struct loop *loop, char *why, size_t capacity)
{
    struct publisher_core *core = loop->core;
    if (!settle(&core->life, why, capacity))
        return false;
    loop->strict = publisher_resource_strict();
    look_at_process(&core->me);
    publisher_authorization_look(&core->control.grants);
    if (!open_sockets(loop, why, capacity))
        return false;
    /* Only with a descriptor table of its own: otherwise a descriptor of a connection could by now
     * be the program's. */
    if (core->life.alone &&
        publisher_flood_guard_begin(&loop->guard, loop->arrivals, core->life.wake[1]))
        loop->arrivals = NULL;
    loop->has_publisher = publisher_init(&loop->publisher, core, loop->facts);
    if (!loop->has_publisher) {
        snprintf(why, capacity, "there is no memory for the feed");
        return false;
    }
    publisher_overhead_adopt(&loop->publisher.overhead, loop->other, loop->others);
    if (loop->guard.on)
        pthread_getcpuclockid(loop->guard.thread, &loop->publisher.overhead.guard);
    /* Calibrates while the program waits for its feed: later the program may keep the core busy. */
    publisher_overhead_calibrate(&loop->publisher.overhead, core->tsc);
    publisher_tcp_endpoint_open(&loop->tcp, loop->zmq, loop->facts, loop->control);
    publisher_session_init(&loop->session, &loop->publisher, loop->control, loop->monitor,
                           &loop->guard);
    loop->publisher.insecure = publisher_tcp_endpoint_insecure(&loop->tcp);
    loop->session.outward = loop->tcp.outward;
    loop->session.outward_may = publisher_tcp_endpoint_rights(&loop->tcp);
    loop->registration =
        (struct publisher_registration){.me = &core->me,
                                        .place = core->me.place,
                                        .facts = loop->facts,
                                        .control = loop->control,
                                        .tcp = {loop->tcp.facts_at, loop->tcp.control_at},
                                        .insecure = loop->publisher.insecure,
                                        .number = core->number,
                                        .alone = core->life.alone,
                                        .fd = -1};
    const bool announced = publisher_registration_open(&loop->registration, why, capacity);
    if (announced) {
        publisher_black_box_open(core, &loop->box);
        publisher_prefault(loop->zmq);
    }
    know_doors(loop);
    if (announced && !publisher_resource_first_tick()) {
        snprintf(why, capacity, "there is no memory for the feed");
        return false;
    }
    return announced;
}

static void close_socket(void *socket)
{
    if (socket != NULL)
        zmq_close(socket);
}

/* Returns false if libzmq may not be called any more. Then its threads stay, and the memory that
 * they use. */
static bool finish(struct loop *loop)
{
    publisher_own_file_remove(&loop->box);
    if (loop->zmq != NULL && !publisher_resource_polls()) {
        publisher_registration_forget(&loop->registration);
        return false;
    }
    const bool closes =
        loop->registration.me == NULL || publisher_registration_close(&loop->registration);
    publisher_session_release(&loop->session);
    if (loop->has_publisher)
        publisher_release(&loop->publisher);
    /* Stop the monitors before their sockets are closed: libzmq leaks an event that no socket
     * takes. */
    if (loop->control != NULL)
        zmq_socket_monitor(loop->control, NULL, 0);
    if (loop->facts != NULL)
        zmq_socket_monitor(loop->facts, NULL, 0);
    publisher_flood_guard_end(&loop->guard);
    close_socket(loop->monitor);
    close_socket(loop->guard.on ? loop->guard.arrivals : loop->arrivals);
    if (closes) {
        close_socket(loop->control);
        close_socket(loop->facts);
    }
    publisher_tcp_endpoint_close(&loop->tcp);
    if (loop->zmq != NULL && closes)
        zmq_ctx_term(loop->zmq);
    for (int end = 0; end < 2; end++)
        if (loop->core->life.wake[end] >= 0)
            close(loop->core->life.wake[end]);
    return true;
}

static void nap(int ms)
{
    const long nap_ms = ms < NAP_MS ? ms : NAP_MS;
    nanosleep(&(struct timespec){.tv_nsec = nap_ms * (long)PUBLISHER_MS_NS}, NULL);
}

/* Waits for requests, subscriptions, the end, or the time. Does not use zmq_poll(), which asks the
 * kernel about each socket again and again. A socket's descriptor signals only input that arrives
 * after the socket was read empty. Input that arrives while the thread works with the socket is
 * looked for afterwards. */
static void wait_until(struct loop *loop, uint64_t now_ns, uint64_t until_ns)
{
    const uint64_t again_ns = publisher_registration_retry_ns(&loop->registration);
    const bool again = again_ns < until_ns && loop->memory;
    if (again)
        until_ns = again_ns;
    int left =
        until_ns > now_ns ? (int)((until_ns - now_ns + PUBLISHER_MS_NS - 1) / PUBLISHER_MS_NS) : 0;
    if (loop->session.stalled && left > STALLED_MS)
        left = STALLED_MS;
    if (loop->deaf && left > NAP_MS)
        left = NAP_MS;
    if (loop->registration.alone && left > WIRE_TICK_MS) /* the closing thread may be unable to wake
                                                          * this one */
        left = WIRE_TICK_MS;
    int listener[PUBLISHER_LISTENERS],
        items = loop->memory ? ITEMS : 1 + SOCKETS; /* out of memory: accept no connection */
    publisher_registration_descriptors(&loop->registration, listener);
    for (int i = 0; i < PUBLISHER_LISTENERS; i++)
        loop->item[1 + SOCKETS + i] = (struct pollfd){.fd = listener[i], .events = POLLIN};
    const int open = poll(loop->item, (nfds_t)items, loop->look ? 0 : left);
    loop->look |= again;
    if (open < 0 && errno == EINVAL) { /* more descriptors than the program's limit allows by now */
        nap(left);
        loop->look = true;
    }
    if (open <= 0)
        return;
    for (int i = 0; i < items; i++)
        loop->look = loop->look || loop->item[i].revents != 0;
}

/* Drains the monitor of the facts socket; only the fact that a connection arrived matters. A flood
 * guard reads the events itself, and reports arrivals through the wake pipe. */
static bool drain_arrivals(struct loop *loop)
{
    bool arrived = false;
    zmq_msg_t message;
    zmq_msg_init(&message);
    while (loop->arrivals != NULL && zmq_msg_recv(&message, loop->arrivals, ZMQ_DONTWAIT) >= 0)
        arrived = true;
    zmq_msg_close(&message);
    return arrived;
}

/* Sends the hello to a viewer that listens, each time that the outward connection is
 * established. */
static void greet_outward(struct loop *loop)
{
    struct publisher_tcp_endpoint *tcp = &loop->tcp;
    if (tcp->why[0] != 0 && proftop_is_on(loop->core->handle)) {
        proftop_notice(loop->core->handle, 1, tcp->why);
        tcp->why[0] = 0;
    }
    if (publisher_tcp_endpoint_broke(tcp, publisher_clock_ns()))
        publisher_session_forget(&loop->session, tcp->outward);
    if (tcp->stands && !tcp->greeted)
        tcp->greeted = publisher_session_send_hello(&loop->session, tcp->outward);
}

/* Memory limits may change, so they are checked at each tick, and before a connection is
 * accepted. */
static bool has_memory(struct loop *loop)
{
    if (loop->strict || publisher_resource_limited())
        loop->memory = publisher_resource_memory();
    return loop->memory;
}

static void serve(struct loop *loop)
{
    struct publisher_life *life = &loop->core->life;
    if (!publisher_resource_polls()) /* the descriptor limit may be 0 by now */
        return;
    /* With a descriptor table of its own, only libzmq opens descriptors here, when connections
     * arrive. Nothing signals that libzmq has closed some and that connections may be accepted
     * again, so an unbound feed checks each time. */
    if (loop->look || !loop->registration.alone || !loop->registration.bound)
        publisher_registration_guard(&loop->registration);
    if (loop->look && has_memory(loop))
        publisher_registration_admit(&loop->registration, publisher_clock_ns());
    publisher_tcp_endpoint_guard(&loop->tcp, loop->registration.bound);
    greet_outward(loop);
    if (!loop->look && !loop->session.stalled)
        return;
    loop->look = drain_arrivals(loop);
    loop->look |= shared_auth_serve(&loop->tcp.admit);
    loop->look |= publisher_sender_listen(&loop->publisher.sender);
    loop->publisher.limit_hit[PUBLISHER_LIMIT_HIT_DENIED] = loop->tcp.admit.denied;
    loop->publisher.limit_hit[PUBLISHER_LIMIT_HIT_CROWDED] = loop->registration.crowded;
    loop->publisher.limit_hit[PUBLISHER_LIMIT_HIT_CUT] = loop->guard.cut;
    loop->look |= publisher_session_serve(&loop->session);
    if (!loop->session.greeted || life->greeted)
        return;
    pthread_mutex_lock(&loop->core->handle->lock);
    life->greeted = true;
    pthread_cond_broadcast(&life->changed);
    pthread_mutex_unlock(&loop->core->handle->lock);
}

static bool must_stop(struct loop *loop)
{
    pthread_mutex_lock(&loop->core->handle->lock);
    bool stop = loop->core->life.stop;
    pthread_mutex_unlock(&loop->core->handle->lock);
    return stop;
}

/* Empties the wake pipe. Its bytes carry no data: the thread looks for commands by itself. */
static void drain_wake_pipe(struct publisher_core *core)
{
    char calls[16];
    while (read(core->life.wake[0], calls, sizeof calls) > 0)
        continue;
}

/* Stops the use of the time-stamp counter if it deviates from the system's clock. Counts made with
 * it stay, so no value falls, and the epoch goes on. */
static void check_clock(struct publisher_core *core)
{
    publisher_ticks_settle(&core->ticks);
    if (core->tsc && !publisher_ticks_agree(&core->ticks, publisher_ticks_instant()))
        core->side->leave_tsc(core);
    const uint32_t factor = core->tsc ? publisher_ticks_front_factor(&core->ticks) : 0;
    __atomic_store_n(&core->handle->front.tick_ns, factor, __ATOMIC_RELAXED);
}

static void stamp(struct publisher_core *core)
{
    if (core->box != NULL)
        publisher_black_box_stamp(core->box, &core->ticks);
}

static uint64_t tick_ns(const struct loop *loop)
{
    return loop->publisher.tick_ms * PUBLISHER_MS_NS;
}

/* True if the program cannot wake this thread. Other threads wake it by opening its pipe; this test
 * opens the pipe the same way. */
static bool is_deaf(const struct publisher_life *life)
{
    const int fd = life->alone ? publisher_life_open_pipe(life) : -1;
    if (fd >= 0)
        close(fd);
    return life->alone && fd < 0;
}

static void run(struct loop *loop)
{
    uint64_t ticked_ns = publisher_clock_ns() - tick_ns(loop);
    uint64_t check_ns =
        ticked_ns + 2 * tick_ns(loop) - PUBLISHER_SECOND_NS; /* the first check comes soon */
    loop->memory = publisher_resource_memory();
    while (!must_stop(loop)) {
        uint64_t now = publisher_clock_ns();
        if (!publisher_resource_polls()) {
            nap(NAP_MS);
            publisher_program_commands_serve(loop->core, &loop->publisher, now);
            continue;
        }
        if (now >= ticked_ns + tick_ns(loop)) {
            if (has_memory(loop))
                publisher_tick(&loop->publisher, now, false);
            else /* without ticks it would not end */
                publisher_timeline_stop(&loop->publisher);
            stamp(loop->core);
            loop->look |= publisher_sender_listen(&loop->publisher.sender);
            ticked_ns += tick_ns(loop);
            if (ticked_ns + tick_ns(loop) < now) /* the process was stopped, or the machine slept */
                ticked_ns = now;
        }
        if (now - check_ns >= PUBLISHER_SECOND_NS) {
            check_clock(loop->core);
            publisher_overhead_adopt(&loop->publisher.overhead, loop->other, loop->others);
            const struct shared_rank place = publisher_rank_now(loop->core);
            publisher_registration_set_rank(&loop->registration, &place);
            publisher_registration_check(&loop->registration);
            loop->memory = publisher_resource_memory();
            loop->deaf = is_deaf(&loop->core->life);
            check_ns = now;
            loop->look = true;
        }
        wait_until(loop, publisher_clock_ns(), ticked_ns + tick_ns(loop));
        if (loop->item[0].revents != 0)
            drain_wake_pipe(loop->core);
        publisher_program_commands_serve(loop->core, &loop->publisher, publisher_clock_ns());
        serve(loop);
    }
}

/* Sends the last values and the goodbye. They are sent again for viewers that subscribe later, with
 * all dirty rows. Returns the number of subscriptions received so far. */
static uint64_t publish_last(struct loop *loop)
{
    publisher_sender_listen(&loop->publisher.sender);
    const uint64_t came = loop->publisher.sender.subscriptions.came;
    publisher_sender_pace(&loop->publisher.sender,
                          loop->core->life.deadline_ns - TAKEN_MS * PUBLISHER_MS_NS);
    publisher_tick(&loop->publisher, publisher_clock_ns(), true);
    publisher_send_goodbye(&loop->publisher);
    loop->session.closing = loop->look = true;
    return came;
}

/* Says goodbye, and answers until all viewers have all data. */
static void say_goodbye(struct loop *loop)
{
    uint64_t deadline = loop->core->life.deadline_ns;
    if (!publisher_resource_polls())
        return;
    drain_wake_pipe(loop->core);
    uint64_t came = publish_last(loop);
    /* Viewers that only subscribe get a moment to receive their queued frames. */
    uint64_t flushed = publisher_clock_ns();
    if (publisher_sender_is_watched(&loop->publisher.sender))
        flushed += FLUSH_MS * PUBLISHER_MS_NS;
    uint64_t remind = publisher_clock_ns();
    remind += remind < deadline ? (deadline - remind) / 2 : 0;
    for (uint64_t now = publisher_clock_ns(); now < deadline; now = publisher_clock_ns()) {
        serve(loop);
        if (now >= remind) {
            publisher_session_remind(&loop->session);
            remind = UINT64_MAX;
        }
        if (came != loop->publisher.sender.subscriptions.came) {
            came = publish_last(loop);
            flushed = now + FLUSH_MS * PUBLISHER_MS_NS;
        }
        if (publisher_session_waiting(&loop->session) == 0 && now >= flushed)
            break;
        bool flushing = now < flushed && publisher_session_waiting(&loop->session) == 0;
        uint64_t until = flushing && flushed < deadline ? flushed : deadline;
        wait_until(loop, now, remind < until ? remind : until);
    }
}

/* Closes all feeds at exit, so that a program that just exits says goodbye too. The destructor is
 * here because it must run before libzmq's: this library depends on libzmq, and libproftop does
 * not. */
static void (*_Atomic close_all)(void);

__attribute__((destructor)) static void at_exit(void)
{
    void (*close)(void) = atomic_load_explicit(&close_all, memory_order_acquire);
    if (close != NULL)
        close();
}

__attribute__((visibility("default"))) bool
proftop_feed_loop(struct publisher_core *core, size_t size, char why[PUBLISHER_WHY_SIZE])
{
    if (size != sizeof *core) {
        snprintf(why, PUBLISHER_WHY_SIZE,
                 "the feed's library is not of libproftop's build: install "
                 "both from one");
        return false;
    }
    struct loop *loop = calloc(1, sizeof *loop);
    if (loop == NULL)
        return false;
    /* Programs read the text that this thread prints: the C locale keeps commas out of figures. */
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    uselocale(plain == (locale_t)0 ? LC_GLOBAL_LOCALE : plain);
    loop->core = core;
    core->life.loop_state = loop;
    atomic_store_explicit(&close_all, core->side->close_all, memory_order_release);
    const bool on = start(loop, why, PUBLISHER_WHY_SIZE);
    if (on) {
        publisher_set_life(core, &core->life.started);
        run(loop);
        say_goodbye(loop);
    }
    if (finish(loop))
        free(loop);
    uselocale(LC_GLOBAL_LOCALE);
    if (plain != (locale_t)0)
        freelocale(plain);
    return on;
}

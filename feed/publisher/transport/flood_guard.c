/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * flood_guard.c: watches unread bytes of connections, by an epoll beside libzmq's own. The kernel
 * does not report bytes that libzmq has already read. But a look follows each arrival, so most
 * bytes are seen, and all bytes of a flood.
 */
#include "config.h"

#include "feed/publisher/record/clock.h"
#include "feed/publisher/transport/flood_guard.h"

#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <zmq.h>

enum {
    EVENTS = 16,
    PAUSE_US = 1000,      /* between two looks; */
    FLOOD_PAUSE_US = 500, /* after a look that found FLOOD bytes; libzmq reads 0.4 MB a ms */
    FLOOD = 16384,
    LOOK = 2048, /* bytes added to each look's count: small parts take more memory */
};
enum { CONTROL, FACTS, ARRIVALS }; /* kinds of epoll events */
static const uint32_t most[] = {[CONTROL] = WIRE_UNFINISHED_MAX, [FACTS] = WIRE_SUBSCRIBED_MAX};

static bool look_at(struct publisher_flood_guard *s, int fd, uint32_t of, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.u64 = (uint64_t)of << 32 | (uint32_t)fd};
    return epoll_ctl(s->poll, EPOLL_CTL_ADD, fd, &event) == 0;
}

/* Cuts a connection. libzmq takes this as the peer's end, and frees its unfinished message. A
 * number that has been reused for another connection is no longer in the epoll. Over tcp a peer
 * that waits for buffer space would not notice the cut without a reset. */
static void cut(struct publisher_flood_guard *s, int fd)
{
    static const struct linger reset = {.l_onoff = 1};
    if (epoll_ctl(s->poll, EPOLL_CTL_DEL, fd, NULL) != 0)
        return;
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    if (shutdown(fd, SHUT_RDWR) == 0)
        atomic_fetch_add_explicit(&s->cut, 1, memory_order_relaxed);
}

/* Watches a connection, edge-triggered: each arrival is reported once, unless it was read before.
 * libzmq closes the descriptor, which removes it from the epoll. */
static void watch(struct publisher_flood_guard *s, int fd, uint32_t of)
{
    publisher_flood_guard_progress(s, fd);
    if (fd >= PUBLISHER_FLOOD_GUARD_MAX) /* no space for a descriptor this high */
        shutdown(fd, SHUT_RDWR);
    else
        look_at(s, fd, of, EPOLLIN | EPOLLET);
}

/* Weight of `bytes` unread bytes. WIRE_BEATS short looks a second weigh nothing: heartbeats. */
static uint32_t weigh(struct publisher_flood_guard *s, int fd, uint32_t bytes)
{
    const uint32_t second = (uint32_t)(publisher_clock_ns() / PUBLISHER_SECOND_NS);
    if (bytes > WIRE_BEAT_MAX)
        return bytes + LOOK;
    if (s->heart[fd].second != second) {
        s->heart[fd].second = second;
        s->heart[fd].beats = 0;
    }
    return ++s->heart[fd].beats > WIRE_BEATS ? bytes : 0;
}

/* Counts the unread bytes of a connection. Returns true during a flood. Bytes seen twice count
 * twice. So looks need a pause: otherwise whole requests that wait for the feed's thread would
 * count as parts of one unfinished request. */
static bool look(struct publisher_flood_guard *s, int fd, uint32_t of)
{
    int bytes = 0;
    if (ioctl(fd, FIONREAD, &bytes) != 0 || bytes <= 0)
        return false;
    const uint32_t more = weigh(s, fd, (uint32_t)bytes);
    if (atomic_fetch_add_explicit(&s->seen[fd], more, memory_order_relaxed) + more > most[of])
        cut(s, fd);
    return bytes >= FLOOD;
}

/* False: the monitor has stopped. */
static bool drain_arrivals(struct publisher_flood_guard *s)
{
    uint8_t event[6], address[256];
    uint16_t what = 0;
    int32_t fd;
    while (what != ZMQ_EVENT_MONITOR_STOPPED &&
           zmq_recv(s->arrivals, event, sizeof event, ZMQ_DONTWAIT) == (int)sizeof event) {
        memcpy(&what, event, sizeof what);
        memcpy(&fd, event + 2, sizeof fd);
        zmq_recv(s->arrivals, address, sizeof address, ZMQ_DONTWAIT);
        if (what != ZMQ_EVENT_ACCEPTED)
            continue;
        watch(s, fd, FACTS);
        ssize_t woken = write(s->wake, "", 1);
        (void)woken;
    }
    return what != ZMQ_EVENT_MONITOR_STOPPED;
}

static void *stand(void *argument)
{
    struct publisher_flood_guard *s = argument;
    struct epoll_event event[EVENTS];
    bool on =
        drain_arrivals(s); /* the monitor's descriptor reports nothing before the first read */
    pthread_setname_np(pthread_self(), "proftop-guard");
    while (on) {
        bool flood = false;
        const int n = epoll_wait(s->poll, event, EVENTS, -1);
        for (int i = 0; i < n; i++) {
            const uint32_t of = (uint32_t)(event[i].data.u64 >> 32);
            if (of == ARRIVALS)
                on = drain_arrivals(s);
            else
                flood |= look(s, (int)event[i].data.u64, of);
        }
        const struct timespec pause = {0, (flood ? FLOOD_PAUSE_US : PAUSE_US) * 1000L};
        nanosleep(&pause, NULL);
    }
    return NULL;
}

bool publisher_flood_guard_begin(struct publisher_flood_guard *s, void *arrivals, int wake)
{
    int fd = -1;
    size_t size = sizeof fd;
    if (arrivals == NULL)
        return false;
    s->arrivals = arrivals;
    s->wake = wake;
    s->poll = epoll_create1(EPOLL_CLOEXEC);
    zmq_getsockopt(arrivals, ZMQ_FD, &fd, &size);
    s->on = s->poll >= 0 && look_at(s, fd, ARRIVALS, EPOLLIN) &&
            pthread_create(&s->thread, NULL, stand, s) == 0;
    if (!s->on && s->poll >= 0)
        close(s->poll);
    return s->on;
}

void publisher_flood_guard_end(struct publisher_flood_guard *s)
{
    if (!s->on)
        return;
    pthread_join(s->thread, NULL);
    close(s->poll);
}

void publisher_flood_guard_add(struct publisher_flood_guard *s, int fd)
{
    if (s->on)
        watch(s, fd, CONTROL);
}

void publisher_flood_guard_progress(struct publisher_flood_guard *s, int fd)
{
    if (fd >= 0 && fd < PUBLISHER_FLOOD_GUARD_MAX)
        atomic_store_explicit(&s->seen[fd], 0, memory_order_relaxed);
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * session.c: the feed, the command, the registry and the signals; the one poll.
 */
#include "config.h"

#include "tui/app/session.h"

#include "feed/viewer/stream/headroom.h"
#include "tui/app/app.h"
#include "tui/app/auto_attach.h"
#include "tui/app/signals.h"
#include "tui/cli/framework_flags.h"
#include "tui/ui/term.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

enum {
    BUDGET_NS = 5 * TUI_NS_PER_MS, /* reading time for the feed before keys are looked at again */
    LOOK_MS = 1000,        /* longest time between two reads of the registry while it is watched */
    LOOK_RUN_MS = 50,      /* same, when a command has just been started */
    LOOK_WORKERS_MS = 100, /* same, after a change, if workers of a command wait for the viewer */
    GRACE_NS = 500 * TUI_NS_PER_MS, /* a goodbye may still be on its way when its job has ended */
    TICK_NS = 150 * TUI_NS_PER_MS,  /* the job's tick length, with a margin for the transport */
    GATHER_MS = 100,      /* interval at which the feeds of several jobs are read together */
    GATHER_MANY_MS = 500, /* same, for many jobs; up to WIRE_HWM frames wait meanwhile */
    MANY = 32,
    /* Changes are notified at once; to read all files each second would be expensive. */
    LOOK_SEVERAL_MS = 10000,
    /* Poll items beside the feeds: signals, keys, registry, other machines, and a listener. */
    OTHER_ITEMS = 5 + VIEWER_LISTEN_ITEMS,
};

/* All other signals that are read end the program. */
static const struct {
    int number;
    enum tui_event event;
} signals[] = {
    {SIGWINCH, TUI_EVENT_RESIZE},
    {SIGTSTP, TUI_EVENT_STOP},
    {SIGCONT, TUI_EVENT_GO_ON},
    {SIGCHLD, 0},
};
enum { SIGNALS = sizeof signals / sizeof signals[0] };

static uint64_t read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * TUI_NS_PER_S + (uint64_t)now.tv_nsec;
}

uint64_t tui_session_now(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

uint64_t tui_session_wall(void)
{
    return read_clock(CLOCK_REALTIME);
}

/* Grows the tables: one more attached job, and its poll items. */
static bool fit(struct tui_session *session)
{
    size_t count = session->attachments + 1;
    struct tui_attached *attached = realloc(session->attached, count * sizeof(*session->attached));
    if (attached)
        session->attached = attached;
    zmq_pollitem_t *items =
        realloc(session->items, (count * VIEWER_POLL_ITEMS + OTHER_ITEMS) * sizeof(*items));
    if (items)
        session->items = items;
    return attached && items;
}

bool tui_session_open(struct tui_session *session, const struct tui_options *options, char *why,
                      size_t capacity)
{
    *session = (struct tui_session){.options = options, .watch = -1, .signals = -1, .server = -1};
    session->launch.out = session->launch.err = -1;
    session->now_ns = tui_session_now();
    sigset_t ours;
    tui_signals_ending(&ours);
    for (int i = 0; i < SIGNALS; i++)
        sigaddset(&ours, signals[i].number);
    session->signals = signalfd(-1, &ours, SFD_NONBLOCK | SFD_CLOEXEC);
    if (session->signals < 0) {
        snprintf(why, capacity, "there is no descriptor left for signals");
        return false;
    }
    if (!tui_signals_watch(&ours, tui_term_rescue)) {
        snprintf(why, capacity, "no thread can be started: raise `ulimit -u` or `ulimit -v`");
        return false;
    }
    viewer_headroom_guard(tui_term_rescue, TUI_EXIT_NO_JOB);
    session->zmq = viewer_headroom_context(why, capacity);
    if (!session->zmq || fit(session))
        return session->zmq != NULL;
    snprintf(why, capacity, "there is no memory left");
    return false;
}

void tui_session_close(struct tui_session *session)
{
    while (session->attachments > 0)
        tui_session_let_go(session, session->attachments - 1);
    if (session->load)
        tui_load_close(session->load);
    free(session->load);
    session->load = NULL;
    free(session->attached);
    session->attached = NULL;
    free(session->items);
    session->items = NULL;
    tui_previews_release(&session->previews);
    viewer_listener_free(&session->listener);
    viewer_jobs_release(&session->jobs);
    viewer_jobs_release(&session->silent);
    tui_auto_attach_release(&session->left);
    viewer_machines_free(&session->remote);
    if (session->zmq)
        zmq_ctx_term(session->zmq);
    session->zmq = NULL;
    tui_session_watch(session, false);
    if (session->signals >= 0)
        close(session->signals);
    session->signals = -1;
    tui_signals_close();
}

/* -------------------------------------------------------------------------------------- waiting */

/* The kernel sends SIGPIPE or SIGXFSZ to a thread whose write failed, as if the process sent it to
 * itself. Even if ignored, the signal stays pending while it is blocked. The error of the write
 * reports the failure, so the signal is dropped. */
static bool is_of_a_write(const struct signalfd_siginfo *info)
{
    return (info->ssi_signo == SIGPIPE || info->ssi_signo == SIGXFSZ) &&
           info->ssi_code == SI_USER && (pid_t)info->ssi_pid == getpid();
}

static unsigned read_signals(struct tui_session *session)
{
    struct signalfd_siginfo info;
    unsigned events = 0;
    while (read(session->signals, &info, sizeof info) == (ssize_t)sizeof info) {
        int i = 0;
        if (is_of_a_write(&info))
            continue;
        while (i < SIGNALS && signals[i].number != (int)info.ssi_signo)
            i++;
        events |= i < SIGNALS ? signals[i].event : TUI_EVENT_QUIT;
        if (i == SIGNALS)
            session->signal = (int)info.ssi_signo;
    }
    return events;
}

/* Reports input on stdin, or a hangup. */
static unsigned read_stdin(short revents)
{
    if (!revents)
        return 0;
    struct pollfd fd = {STDIN_FILENO, POLLIN, 0};
    poll(&fd, 1, 0);
    if (fd.revents & (POLLHUP | POLLERR | POLLNVAL))
        return TUI_EVENT_HANGUP;
    return fd.revents & POLLIN ? TUI_EVENT_KEYS : 0;
}

/* The command's own feed was attached first; the feeds of its children came later. */
static const struct model_link *link_of_command(const struct tui_session *session)
{
    return session->attachments > 0 ? tui_session_link_of(session, 0) : NULL;
}

/* Notes the end of the command. Unless its goodbye comes in time, passes the exit status to the
 * feed: only proftop, as the parent, knows the signal. */
static void watch_command(struct tui_session *session)
{
    if (!session->launched)
        return;
    if (!session->ended_ns && viewer_launch_ended(&session->launch))
        session->ended_ns = session->now_ns;
    const struct model_link *link = link_of_command(session);
    if (!session->ended_ns || session->told_end || !link || model_link_ended(link))
        return;
    if (link->state != MODEL_GONE && session->now_ns - session->ended_ns < GRACE_NS)
        return;
    session->told_end = true;
    char reason[sizeof link->reason], how[64];
    viewer_launch_end(&session->launch, how, sizeof how);
    snprintf(reason, sizeof reason, "the command ended %s, without a goodbye", how);
    viewer_subscriber_ended(session->attached[0].feed, reason);
}

/* True if the feed is read together with others at intervals. With several jobs, a wake-up for each
 * frame would take longer than the frame itself. A feed that is still connecting is read at
 * once. */
static bool is_gathered(const struct tui_session *session, size_t at)
{
    const struct model_link *link = tui_session_link_of(session, at);
    return session->attachments > 1 && link->state >= MODEL_LIVE;
}

static bool has_many(const struct tui_session *session)
{
    return session->attachments > MANY;
}

static uint64_t gather_due(const struct tui_session *session)
{
    return session->gathered_ns + (has_many(session) ? GATHER_MANY_MS : GATHER_MS) * TUI_NS_PER_MS;
}

static long timeout_ms(const struct tui_session *session, uint64_t until_ns)
{
    uint64_t due = until_ns;
    for (size_t i = 0; i < session->attachments; i++) {
        uint64_t its = is_gathered(session, i) ? gather_due(session)
                                               : viewer_subscriber_due(session->attached[i].feed);
        due = its < due ? its : due;
    }
    const uint64_t glance_ns = tui_previews_due(&session->previews);
    due = glance_ns < due ? glance_ns : due;
    if (session->looking && session->look_ns < due)
        due = session->look_ns;
    if (session->ended_ns && !tui_session_over(session) && session->ended_ns + GRACE_NS < due)
        due = session->ended_ns + GRACE_NS;
    uint64_t now = tui_session_now();
    return due <= now ? 0 : (long)((due - now + TUI_NS_PER_MS - 1) / TUI_NS_PER_MS);
}

static bool attach_more(struct tui_session *session, struct viewer_target *target,
                        const struct registry_info *info, char *why, size_t capacity);

static unsigned look_due(struct tui_session *session, bool changed)
{
    if (changed)
        viewer_watch_clear(session->watch);
    /* Each look reads all registry files. With many jobs that is not done for each new job. */
    if (changed && session->attachments > 1) {
        bool awaited = session->launched && session->options->children;
        int ms = awaited ? LOOK_WORKERS_MS : LOOK_MS;
        uint64_t soon_ns = session->now_ns + (uint64_t)ms * TUI_NS_PER_MS;
        session->look_ns = soon_ns < session->look_ns ? soon_ns : session->look_ns;
        changed = false;
    }
    if (!session->looking || (!changed && session->now_ns < session->look_ns))
        return 0;
    bool soon = session->launched && !session->feed;
    bool listed = session->previews.count > 0; /* the list of jobs is open */
    int ms = soon ? LOOK_RUN_MS : session->attachments > 1 && !listed ? LOOK_SEVERAL_MS : LOOK_MS;
    session->look_ns = session->now_ns + (uint64_t)ms * TUI_NS_PER_MS;
    return TUI_EVENT_JOBS;
}

/* Reads messages from other machines. Marks the feeds of a lost connection as ended: nothing more
 * will arrive. */
static bool read_remote(struct tui_session *session)
{
    bool news = viewer_machines_read(session->remote);
    for (size_t i = 0; i < session->attachments; i++) {
        struct viewer_subscriber *feed = session->attached[i].feed;
        const char *via = viewer_subscriber_target(feed)->via;
        const char *why = *via ? viewer_machines_lost(session->remote, via) : "";
        if (*why)
            viewer_subscriber_ended(feed, why);
    }
    return news;
}

/* Reads the polled feeds, and the gathered ones when their interval is over. A job that floods the
 * viewer gets its share of the reading time, not all of it. */
static bool read_feeds(struct tui_session *session)
{
    bool changed = false, gather = session->now_ns >= gather_due(session);
    uint64_t budget_ns = BUDGET_NS;
    if (session->attachments > 1)
        budget_ns = BUDGET_NS / session->attachments + TUI_NS_PER_MS / 4;
    for (size_t i = 0; i < session->attachments; i++) {
        viewer_subscriber_stop(session->attached[i].feed,
                               session->stops && session->attachments == 1);
        if (gather || !is_gathered(session, i))
            changed |=
                viewer_subscriber_drain(session->attached[i].feed, session->now_ns, budget_ns);
    }
    if (gather)
        session->gathered_ns = session->now_ns;
    return changed;
}

static int list_items(struct tui_session *session, zmq_pollitem_t *item)
{
    size_t count = 0;
    for (size_t i = 0; i < session->attachments; i++)
        if (!is_gathered(session, i))
            count += viewer_subscriber_items(session->attached[i].feed, &item[count]);
    return (int)count;
}

/* Gives each new job of the listener a place. The first place was attached before there was a
 * job. */
static void read_listener(struct tui_session *session)
{
    char why[320];
    viewer_listener_serve(session->listener);
    for (; session->places < viewer_listener_places(session->listener); session->places++) {
        struct viewer_target target;
        viewer_listener_target(session->listener, session->places, &target);
        if (session->places > 0 && !attach_more(session, &target, NULL, why, sizeof why))
            tui_auto_attach_leave_out(session, target.label, why);
    }
    if (!session->full && viewer_listener_full(session->listener, why, sizeof why)) {
        session->full = true;
        tui_auto_attach_leave_out(session, "", why);
    }
}

unsigned tui_session_wait(struct tui_session *session, bool keys, uint64_t until_ns)
{
    zmq_pollitem_t *item = session->items;
    int count = list_items(session, item);
    if (session->listener)
        count += (int)viewer_listener_items(session->listener, item + count);
    int of_keys = -1, of_watch = -1, of_remote = -1, of_server = -1, of_signals = count;
    item[count++] = (zmq_pollitem_t){NULL, session->signals, ZMQ_POLLIN, 0};
    if (keys)
        item[of_keys = count++] = (zmq_pollitem_t){NULL, STDIN_FILENO, ZMQ_POLLIN, 0};
    if (session->watch >= 0)
        item[of_watch = count++] = (zmq_pollitem_t){NULL, session->watch, ZMQ_POLLIN, 0};
    if (session->remote)
        item[of_remote = count++] =
            (zmq_pollitem_t){NULL, viewer_machines_descriptor(session->remote), ZMQ_POLLIN, 0};
    if (session->server >= 0)
        item[of_server = count++] = (zmq_pollitem_t){NULL, session->server, ZMQ_POLLIN, 0};
    tui_signals_wait(true);
    int woken = zmq_poll(item, count, timeout_ms(session, until_ns));
    tui_signals_wait(false);
    session->now_ns = tui_session_now();

    unsigned events = 0;
    if (woken > 0 && item[of_signals].revents)
        events |= read_signals(session);
    if (woken > 0 && of_keys >= 0)
        events |= read_stdin(item[of_keys].revents);
    bool changed = woken > 0 && of_watch >= 0 && item[of_watch].revents;
    events |= look_due(session, changed);
    if (woken > 0 && of_remote >= 0 && item[of_remote].revents && read_remote(session) &&
        session->looking)
        events |= TUI_EVENT_JOBS;
    if (woken > 0 && of_server >= 0 && item[of_server].revents)
        events |= TUI_EVENT_SERVER;
    if (session->listener)
        read_listener(session);
    if (read_feeds(session))
        events |= TUI_EVENT_FEED;
    if (tui_previews_read(&session->previews, session->now_ns))
        session->look_ns = session->now_ns; /* make the list anew at once */
    watch_command(session);
    if (session->follow)
        session->follow(session);
    return events;
}

bool tui_session_even(const struct tui_session *session)
{
    return session->attachments != 1 || tui_session_link(session)->state != MODEL_LIVE ||
           viewer_subscriber_is_consistent(session->feed);
}

bool tui_session_due(struct tui_session *session, uint64_t *due_ns)
{
    const bool late = session->now_ns >= *due_ns;
    if (!session->stops && !late)
        return false;
    const bool take = tui_session_even(session) || (session->stops && late);
    if (!take && !session->stops)
        *due_ns = session->now_ns + TICK_NS;
    session->stops = !take;
    return take;
}

/* -------------------------------------------------------------------------------- finding jobs */

bool tui_session_look(struct tui_session *session)
{
    viewer_jobs_release(&session->jobs);
    if (session->remote)
        return viewer_machines_list(session->remote, session->now_ns, &session->jobs);
    return viewer_discover(
        &session->jobs); /* a later change is notified, and the registry is read again */
}

void tui_session_watch(struct tui_session *session, bool on)
{
    session->looking = on;
    session->look_ns = session->now_ns;
    if (on && session->watch < 0)
        session->watch = viewer_watch_open();
    if (!on && session->watch >= 0) {
        close(session->watch);
        session->watch = -1;
    }
}

const struct registry_info *tui_session_named(const struct tui_session *session)
{
    const char *name = session->options->job;
    char pids[VIEWER_NAMED_MAX];
    size_t found;
    return name ? viewer_jobs_named(&session->jobs, name, &found, pids) : NULL;
}

bool tui_session_ambiguous(const struct tui_session *session)
{
    const char *name = session->options->job;
    char pids[VIEWER_NAMED_MAX];
    size_t found = 0;
    if (name)
        viewer_jobs_named(&session->jobs, name, &found, pids);
    return found > 1;
}

const struct registry_info *tui_session_find_job(const struct tui_session *session)
{
    if (session->launched)
        return viewer_jobs_token(&session->jobs, session->launch.token,
                                 (uint64_t)session->launch.pid);
    if (session->options->pid)
        return viewer_jobs_pid(&session->jobs, session->options->pid);
    if (session->options->job)
        return tui_session_named(session);
    return viewer_jobs_only(&session->jobs);
}

/* -------------------------------------------------------------------------------- attaching */

bool tui_session_take_keys(struct tui_session *session, struct viewer_target *target, char *why,
                           size_t capacity)
{
    const struct shared_auth_request request = {.insecure = session->options->insecure,
                                                .key = session->options->key,
                                                .peer = session->options->peer,
                                                .needs = SHARED_MAY_PUBLISH,
                                                .connects = true};
    if (!shared_is_tcp(target->facts) && !shared_is_tcp(target->control))
        return true;
    target->admit = &session->admit;
    return session->admit.ready || shared_auth_init(&session->admit, &request, why, capacity);
}

void tui_session_front(struct tui_session *session, size_t at)
{
    bool there = at < session->attachments;
    const struct tui_attached *front = there ? &session->attached[at] : NULL;
    session->front = there ? at : 0;
    session->feed = there ? front->feed : NULL;
    snprintf(session->program, sizeof session->program, "%s", there ? front->program : "");
    session->pid = there ? front->pid : 0;
    session->since_ns = there ? front->since_ns : 0;
}

/* Asks many jobs for slower ticks: they send as often as the screen changes. A wake-up of libzmq's
 * thread for a frame takes longer than the frame. */
static void request_ticks(struct tui_session *session)
{
    const uint64_t tick_ms = has_many(session) ? session->options->refresh_ms : 0;
    for (size_t i = 0; i < session->attachments; i++)
        viewer_subscriber_tick(session->attached[i].feed, tick_ms);
}

/* Attaches to one more job. `info` is NULL for a typed endpoint. */
static bool attach_more(struct tui_session *session, struct viewer_target *target,
                        const struct registry_info *info, char *why, size_t capacity)
{
    if (!tui_session_take_keys(session, target, why, capacity))
        return false;
    if (!fit(session)) {
        snprintf(why, capacity, "there is no memory left to attach to %s", target->label);
        return false;
    }
    struct viewer_subscriber *feed =
        viewer_subscriber_new(session->zmq, target, session->now_ns, why, capacity);
    if (!feed)
        return false;
    struct tui_attached *to = &session->attached[session->attachments++];
    *to = (struct tui_attached){.feed = feed};
    if (info) {
        snprintf(to->program, sizeof to->program, "%s", info->program);
        snprintf(to->instance, sizeof to->instance, "%s", info->instance);
        to->pid = info->pid;
        to->since_ns = info->since_ns;
        to->number = viewer_jobs_feed_number(info);
        to->place = info->place;
    }
    request_ticks(session);
    tui_session_front(session, session->front);
    return true;
}

bool tui_session_attach_still(struct tui_session *session, struct viewer_subscriber *feed)
{
    if (!fit(session)) {
        viewer_subscriber_free(&feed);
        return false;
    }
    const struct model_identity *who = model_job_identity(viewer_subscriber_job(feed));
    struct tui_attached *to = &session->attached[session->attachments++];
    *to = (struct tui_attached){.feed = feed, .pid = who->pid};
    snprintf(to->program, sizeof to->program, "%s", who->program.shown);
    tui_session_front(session, session->front);
    return true;
}

void tui_session_let_go(struct tui_session *session, size_t at)
{
    viewer_subscriber_free(&session->attached[at].feed);
    session->attachments--;
    memmove(&session->attached[at], &session->attached[at + 1],
            (session->attachments - at) * sizeof(*session->attached));
    size_t front = session->front > at ? session->front - 1 : session->front;
    if (front == session->attachments && front > 0)
        front--; /* it was the last job, and in front */
    tui_session_front(session, front);
    request_ticks(session);
}

size_t tui_session_let_go_of_dead(struct tui_session *session)
{
    size_t gone = 0;
    for (size_t i = session->attachments; i-- > session->launched && session->attachments > 1;)
        if (tui_session_link_of(session, i)->state == MODEL_GONE) {
            tui_session_let_go(session, i);
            gone++;
        }
    return gone;
}

/* Attaches to a job in the place of all others. If the new one fails, the others stay. */
static bool attach(struct tui_session *session, struct viewer_target *target,
                   const struct registry_info *info, char *why, size_t capacity)
{
    if (!attach_more(session, target, info, why, capacity))
        return false;
    while (session->attachments > 1)
        tui_session_let_go(session, 0);
    return true;
}

bool tui_session_target(struct tui_session *session, const struct registry_info *info,
                        struct viewer_target *target, char *why, size_t capacity)
{
    if (info->via[0])
        return viewer_machines_reach(session->remote, info, target, why, capacity);
    viewer_target_of(info, target);
    return true;
}

bool tui_session_attach(struct tui_session *session, const struct registry_info *info, char *why,
                        size_t capacity)
{
    struct viewer_target target;
    return tui_session_target(session, info, &target, why, capacity) &&
           attach(session, &target, info, why, capacity);
}

bool tui_session_is_attached(const struct tui_session *session, const struct registry_info *info)
{
    for (size_t i = 0; i < session->attachments; i++)
        if (strcmp(session->attached[i].instance, info->instance) == 0 &&
            session->attached[i].pid == info->pid)
            return true;
    return false;
}

bool tui_session_attach_more(struct tui_session *session, const struct registry_info *info,
                             char *why, size_t capacity)
{
    struct viewer_target target;
    if (tui_session_is_attached(session, info))
        return true;
    return tui_session_target(session, info, &target, why, capacity) &&
           attach_more(session, &target, info, why, capacity);
}

/* Listens at a typed endpoint. The first job that comes is shown, and after it the job that takes
 * its place. */
static bool wait_for_jobs(struct tui_session *session, struct viewer_target *target, char *why,
                          size_t capacity)
{
    struct viewer_target typed = *target;
    if (!tui_session_take_keys(session, &typed, why, capacity))
        return false;
    session->listener = viewer_listener_new(session->zmq, session->options->endpoint,
                                            &session->admit, why, capacity);
    if (session->listener)
        viewer_listener_target(session->listener, 0, target);
    return session->listener != NULL;
}

/* Attaches to the typed endpoints. With --wait the jobs may not have started yet. */
int tui_session_attach_endpoint(struct tui_session *session, char *why, size_t capacity)
{
    const struct tui_options *options = session->options;
    for (unsigned i = 0; i < options->endpoint_count; i++) {
        struct viewer_target target;
        if (!viewer_target_parse(options->endpoints[i], &target, why, capacity))
            return TUI_EXIT_USAGE;
        if (options->listen && !wait_for_jobs(session, &target, why, capacity))
            return TUI_EXIT_USAGE;
        if (!session->listener && !options->wait_given &&
            !viewer_target_there(&target, why, capacity))
            return TUI_EXIT_NO_JOB;
        if (!(i == 0 ? attach(session, &target, NULL, why, capacity)
                     : attach_more(session, &target, NULL, why, capacity)))
            return TUI_EXIT_USAGE;
    }
    return TUI_EXIT_FINE;
}

const char *tui_session_ssh(const struct tui_session *session)
{
    if (!session->feed || !session->remote)
        return "";
    return viewer_machines_message(session->remote, viewer_subscriber_target(session->feed)->via);
}

bool tui_session_launch(struct tui_session *session, enum viewer_streams streams, char *why,
                        size_t capacity)
{
    if (session->options->children)
        setenv("PROFTOP_CHILDREN", "1", 1);
    else
        /* The variable may belong to another run, inside which this one runs. */
        unsetenv("PROFTOP_CHILDREN");
    if (session->options->keep)
        setenv("PROFTOP_KEEP", "1", 1);
    if (!tui_flags_add("linker", session->options->linker) ||
        !tui_flags_add("optimizer", session->options->optimizer)) {
        snprintf(why, capacity, "there is no memory left for the environment of the command");
        return false;
    }
    session->launched =
        viewer_launch_start(&session->launch, session->options->argv, streams, why, capacity);
    return session->launched;
}

bool tui_session_over(const struct tui_session *session)
{
    const struct model_link *link = link_of_command(session);
    return session->ended_ns && (!link || link->state == MODEL_GONE);
}

const struct model_link *tui_session_link_of(const struct tui_session *session, size_t at)
{
    return viewer_subscriber_link(session->attached[at].feed);
}

const struct model_link *tui_session_link(const struct tui_session *session)
{
    return session->feed   ? viewer_subscriber_link(session->feed)
           : session->load ? &session->load->link
                           : NULL;
}

/* ---------------------------------------------------------------------------------------- files */

/* A screen that has read standard input takes its keys from the terminal, as pagers do. */
static bool take_terminal(const struct tui_options *options, char *why, size_t capacity)
{
    if (options->batch || strcmp(options->load, "-") != 0)
        return true;
    const int terminal = open("/dev/tty", O_RDWR | O_CLOEXEC);
    const bool good = terminal >= 0 && dup2(terminal, STDIN_FILENO) >= 0;
    if (!good)
        snprintf(why, capacity,
                 "the screen has no keyboard, since - is standard input: %s; print "
                 "reports with -b",
                 strerror(errno));
    if (terminal >= 0)
        close(terminal);
    return good;
}

int tui_session_load(struct tui_session *session, char *why, size_t capacity)
{
    struct tui_load *load = calloc(1, sizeof *load);
    if (!load) {
        snprintf(why, capacity, "there is no memory left to read a file");
        return TUI_EXIT_NO_JOB;
    }
    int code = tui_load_open(load, session->options->load, why, capacity);
    if (code == TUI_EXIT_FINE && !take_terminal(session->options, why, capacity)) {
        tui_load_close(load);
        code = TUI_EXIT_USAGE;
    }
    if (code == TUI_EXIT_FINE)
        session->load = load;
    else
        free(load);
    session->now_ns = tui_session_now(); /* reading may take long */
    return code;
}

struct model_job *tui_session_job(const struct tui_session *session)
{
    return session->feed   ? viewer_subscriber_job(session->feed)
           : session->load ? session->load->imported.saved.job
                           : NULL;
}

const char *tui_session_label(const struct tui_session *session)
{
    return session->feed   ? viewer_subscriber_target(session->feed)->label
           : session->load ? session->load->label
                           : NULL;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * session.h: what proftop has to do with the world besides the terminal: the feed, the command of
 * `run`, the jobs announced on this machine, signals, and the one place where it waits.
 */
#ifndef TUI_APP_SESSION_H
#define TUI_APP_SESSION_H

#include "feed/viewer/discovery/discover.h"
#include "feed/viewer/launch/launch.h"
#include "feed/viewer/remote/listen.h"
#include "feed/viewer/remote/machines.h"
#include "feed/viewer/stream/subscriber.h"
#include "tui/app/preview.h"
#include "tui/cli/options.h"

/* What a wait has brought. */
enum tui_event {
    TUI_EVENT_KEYS = 1 << 0,   /* stdin can be read */
    TUI_EVENT_HANGUP = 1 << 1, /* the terminal is gone */
    TUI_EVENT_RESIZE = 1 << 2,
    TUI_EVENT_STOP = 1 << 3,  /* SIGTSTP */
    TUI_EVENT_GO_ON = 1 << 4, /* SIGCONT */
    TUI_EVENT_QUIT = 1 << 5,  /* a signal that ends programs; `signal` says which */
    TUI_EVENT_FEED = 1 << 6,  /* something came from the job */
    TUI_EVENT_JOBS = 1 << 7,  /* it is time to look for jobs */
};

/* One of the jobs attached to. */
struct tui_attached {
    struct viewer_subscriber *feed;
    char program[256]; /* "": a bare endpoint */
    char instance[33]; /* as announced, or "" */
    uint64_t pid, since_ns;
    struct shared_rank place;
    bool asked; /* to change what it collects, and no answer was read yet */
};

/* One that is wanted and cannot be attached to. */
struct tui_left {
    struct registry_info info;
    char why[320]; /* "process 4711", and why */
    bool told;
};
struct tui_lefts {
    struct tui_left *one;
    size_t count;
};

struct tui_session {
    const struct tui_options *options;
    uint64_t now_ns; /* monotonic clock after the last wait */
    uint64_t entered_ns; /* time that attaching late has taken: no part of --wait */
    void *zmq;
    struct tui_attached *attached; /* all, in the order in which they came */
    size_t attachments, front;     /* how many; which one stands in front */
    struct viewer_subscriber *feed;   /* of the job in front, mostly the only one; NULL: none */
    struct viewer_listener *listener; /* NULL: no jobs are waited for */
    size_t places;                  /* of it that are attached to */
    bool full;                      /* it had none for a job, which was told */
    struct shared_auth admit;       /* keys for tcp, once they were needed */
    struct viewer_jobs jobs;        /* of the last look */
    struct viewer_jobs silent;      /* when jobs were last listed: processes that publish nothing */
    struct tui_glances glances;   /* of jobs that are listed, while the list is open */
    struct tui_lefts left;        /* of those that are wanted (auto_attach.h) */
    char program[256];            /* of the job attached to; "": a bare endpoint */
    uint64_t pid, since_ns;       /* of it; when its feed was opened */
    zmq_pollitem_t *items;        /* room for what is polled */
    uint64_t gathered_ns;         /* when the feeds of several were read */
    bool stops; /* the only feed is not read beyond the end of a tick: a state is due */
    bool looking; /* the registry is watched */
    uint64_t look_ns;
    int signals, watch; /* descriptors, or -1 */
    int signal;         /* that asked us to quit */
    bool launched;
    struct viewer_launch launch;
    struct viewer_machines *remote; /* machines where jobs are looked for; NULL: this one */
    uint64_t ended_ns; /* when its end was seen; 0: it runs */
    bool told_end;     /* the feed knows how it ended */
    bool asked_end;    /* it was us who asked it to */
};

/* Blocks our signals, before zmq starts threads. False with a sentence in `why`. */
bool tui_session_open(struct tui_session *session, const struct tui_options *options, char *why,
                      size_t capacity);
void tui_session_close(struct tui_session *session);

/* Waits for any event until `until_ns` at the latest; reads signals and the feed. Bits of enum
 * tui_event. `keys`: also for stdin. */
unsigned tui_session_wait(struct tui_session *session, bool keys, uint64_t until_ns);

/* Whether the figures of the only job are of one moment, or will not be. Several have none in
 * common. */
bool tui_session_even(const struct tui_session *session);
/* Whether a state is to be shown that was due at an instant. Amid a tick reading stops at its end,
 * which is waited for no longer than a tick takes, as the instant says then: what there is is shown
 * after that, since the next state mends it. */
bool tui_session_due(struct tui_session *session, uint64_t *due_ns);

/* Reads the registry. False: out of memory. */
bool tui_session_look(struct tui_session *session);
/* Starts or ends watching for jobs: TUI_EVENT_JOBS comes when one may have appeared. */
void tui_session_watch(struct tui_session *session, bool on);
/* Of the jobs found, the one that was asked for: by token, by pid, by name, or the only one. NULL:
 * none. */
const struct registry_info *tui_session_wanted(const struct tui_session *session);
/* Of the jobs found, the only one with the name that was given. NULL: there is none, or several. */
const struct registry_info *tui_session_named(const struct tui_session *session);
/* Whether several jobs have it. */
bool tui_session_ambiguous(const struct tui_session *session);

/* What to connect to for a job that was found; one elsewhere is reached first. */
bool tui_session_target(struct tui_session *session, const struct registry_info *info,
                        struct viewer_target *target, char *why, size_t capacity);
/* Attaches to a job, or to the endpoint that was typed; what was attached before is let go. */
bool tui_session_attach(struct tui_session *session, const struct registry_info *info, char *why,
                        size_t capacity);
/* Gives an exit code: 0, or why an endpoint cannot be used. */
int tui_session_attach_endpoint(struct tui_session *session, char *why, size_t capacity);

/* For a target over tcp: keys are shown, or it was said that there are none. */
bool tui_session_take_keys(struct tui_session *session, struct viewer_target *target, char *why,
                           size_t capacity);
/* What ssh has to say of the job attached to, or "". */
const char *tui_session_ssh(const struct tui_session *session);

/* Several jobs. Attaches to one more, unless it is attached to already. */
bool tui_session_attach_more(struct tui_session *session, const struct registry_info *info,
                             char *why, size_t capacity);
bool tui_session_is_attached(const struct tui_session *session, const struct registry_info *info);
/* Brings one to the front. */
void tui_session_front(struct tui_session *session, size_t at);
/* Lets go of one, or of all that are over but for the last; gives how many. */
void tui_session_let_go(struct tui_session *session, size_t at);
size_t tui_session_let_go_of_dead(struct tui_session *session);
const struct model_link *tui_session_link_of(const struct tui_session *session, size_t at);

/* Starts the command of `run`. */
bool tui_session_launch(struct tui_session *session, enum viewer_streams streams, char *why,
                        size_t capacity);
/* The command has ended and whatever its feed had to say was read. */
bool tui_session_over(const struct tui_session *session);

/* The state of the link, or NULL. */
const struct model_link *tui_session_link(const struct tui_session *session);
/* The clocks, read here alone. */
uint64_t tui_session_now(void);
uint64_t tui_session_wall(void);

#endif

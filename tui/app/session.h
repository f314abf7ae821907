/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * session.h: proftop's connections besides the terminal: the feed, the command of `run`, the jobs
 * registered on this machine, signals, and the one place where the program waits.
 */
#ifndef TUI_APP_SESSION_H
#define TUI_APP_SESSION_H

#include "feed/viewer/discovery/discover.h"
#include "feed/viewer/launch/launch.h"
#include "feed/viewer/remote/listen.h"
#include "feed/viewer/remote/machines.h"
#include "feed/viewer/stream/subscriber.h"
#include "tui/app/load.h"
#include "tui/app/preview.h"
#include "tui/cli/options.h"

/* Events that a wait returns. */
enum tui_event {
    TUI_EVENT_KEYS = 1 << 0,   /* stdin can be read */
    TUI_EVENT_HANGUP = 1 << 1, /* the terminal is gone */
    TUI_EVENT_RESIZE = 1 << 2,
    TUI_EVENT_STOP = 1 << 3,   /* SIGTSTP */
    TUI_EVENT_GO_ON = 1 << 4,  /* SIGCONT */
    TUI_EVENT_QUIT = 1 << 5,   /* a signal that ends programs; `signal` has its number */
    TUI_EVENT_FEED = 1 << 6,   /* something came from the job */
    TUI_EVENT_JOBS = 1 << 7,   /* it is time to look for jobs */
    TUI_EVENT_SERVER = 1 << 8, /* `server` is readable */
};

/* One of the jobs attached to. */
struct tui_attached {
    struct viewer_subscriber *feed;
    char program[256]; /* "": a bare endpoint */
    char instance[33]; /* as registered, or "" */
    uint64_t pid, since_ns;
    uint64_t number; /* of the feed in its process */
    struct shared_rank place;
    bool requested; /* a request to change its collection has no answer read yet */
};

/* A wanted job that cannot be attached to. */
struct tui_left {
    struct registry_info info;
    char why[320]; /* "process 4711", and the reason */
    bool reported;
};
struct tui_lefts {
    struct tui_left *one;
    size_t count;
};

struct tui_record;
struct tui_replay;

struct tui_session {
    const struct tui_options *options;
    void (*follow)(struct tui_session *session); /* called after each wait; NULL: nothing is */
    struct tui_record *record; /* the recording that goes on (record.h), or NULL */
    struct tui_replay *replay; /* the recording that is shown (replay.h), or NULL */
    uint64_t now_ns; /* monotonic clock after the last wait */
    uint64_t entered_ns; /* time spent attaching to running processes: does not count for --wait */
    void *zmq;
    struct tui_attached *attached;  /* all attached jobs, in the order in which they came */
    size_t attachments, front;      /* their number; index of the one in front */
    struct viewer_subscriber *feed; /* feed of the job in front, mostly the only one; NULL: none */
    struct tui_load *load;          /* a file that is shown while there is no feed; NULL: none */
    struct viewer_listener *listener; /* NULL: proftop does not listen for jobs */
    size_t places;                    /* places of the listener that are attached to */
    bool full;                        /* the listener had no place for a job; the user was told */
    struct shared_auth admit;       /* keys for tcp, once they were needed */
    struct viewer_jobs jobs;        /* result of the last look */
    struct viewer_jobs silent;      /* processes that publish nothing, when jobs were last listed */
    struct tui_previews previews;   /* previews of listed jobs, while the list is open */
    struct tui_lefts left;          /* wanted jobs that are left out (auto_attach.h) */
    char program[256];              /* program of the job attached to; "": a bare endpoint */
    uint64_t pid, since_ns;         /* its process id; when its feed was opened */
    zmq_pollitem_t *items;          /* memory for the poll items */
    uint64_t gathered_ns;           /* when the feeds of several jobs were last read */
    bool stops;   /* a state is due: the only feed is not read beyond the end of a tick */
    bool looking; /* the registry is watched */
    uint64_t look_ns;
    int signals, watch; /* descriptors, or -1 */
    int server;         /* the HTTP server's descriptor, borrowed; -1: there is none */
    int signal;         /* number of the signal that asked proftop to quit */
    bool launched;
    struct viewer_launch launch;
    /* Other machines where jobs are looked for; NULL: this machine. */
    struct viewer_machines *remote;
    uint64_t ended_ns; /* when the end of the command was seen; 0: it runs */
    bool told_end;     /* the feed knows how the command ended */
    bool end_requested; /* proftop asked the command to end */
};

/* Blocks the signals that proftop reads, before zmq starts threads. Returns false with a sentence
 * in `why`. */
bool tui_session_open(struct tui_session *session, const struct tui_options *options, char *why,
                      size_t capacity);
void tui_session_close(struct tui_session *session);

/* Waits for an event, until `until_ns` at the latest; reads signals and the feed. Returns bits of
 * enum tui_event. With `keys` it also waits for stdin. */
unsigned tui_session_wait(struct tui_session *session, bool keys, uint64_t until_ns);

/* True if the figures of the only job are a consistent snapshot, or will not become one. Always
 * true with several jobs: they have no common instant. */
bool tui_session_even(const struct tui_session *session);
/* True if a state that was due at `*due_ns` is to be shown now. Within a tick it waits for the end
 * of the tick, where reading stops. The wait is at most the length of one tick, and `*due_ns`
 * becomes that limit. After the limit the data is shown as it is, since the next state corrects
 * it. */
bool tui_session_due(struct tui_session *session, uint64_t *due_ns);

/* Reads the registry. Returns false if out of memory. */
bool tui_session_look(struct tui_session *session);
/* Starts or ends watching for jobs: TUI_EVENT_JOBS comes when a job may have appeared. */
void tui_session_watch(struct tui_session *session, bool on);
/* Returns the requested job from the jobs found: by token, by pid, by name, or the only one. NULL:
 * none. */
const struct registry_info *tui_session_find_job(const struct tui_session *session);
/* Returns the only job with the given name. NULL: there is none, or several. */
const struct registry_info *tui_session_named(const struct tui_session *session);
/* True if several jobs have the given name. */
bool tui_session_ambiguous(const struct tui_session *session);

/* Returns the target to connect to for a job. Opens the path to a job on another machine first. */
bool tui_session_target(struct tui_session *session, const struct registry_info *info,
                        struct viewer_target *target, char *why, size_t capacity);
/* Attaches to a job, or to the typed endpoint, and detaches from the others. */
bool tui_session_attach(struct tui_session *session, const struct registry_info *info, char *why,
                        size_t capacity);
/* Attaches to the typed endpoints. Returns an exit code: 0, or the reason why an endpoint cannot be
 * used. */
int tui_session_attach_endpoint(struct tui_session *session, char *why, size_t capacity);

/* Sets the keys for a target over tcp. The user has keys, or has said that there are none. */
bool tui_session_take_keys(struct tui_session *session, struct viewer_target *target, char *why,
                           size_t capacity);
/* Returns what ssh printed about the job attached to, or "". */
const char *tui_session_ssh(const struct tui_session *session);

/* Attaches to a subscriber that exists (viewer_subscriber_still()), and takes it. Returns false if
 * out of memory: it is freed then. */
bool tui_session_attach_still(struct tui_session *session, struct viewer_subscriber *feed);
/* For several jobs: attaches to one more, unless it is attached to already. */
bool tui_session_attach_more(struct tui_session *session, const struct registry_info *info,
                             char *why, size_t capacity);
bool tui_session_is_attached(const struct tui_session *session, const struct registry_info *info);
/* Brings a job to the front. */
void tui_session_front(struct tui_session *session, size_t at);
/* Detaches from one job, or from all ended ones except the last; the latter returns how many. */
void tui_session_let_go(struct tui_session *session, size_t at);
size_t tui_session_let_go_of_dead(struct tui_session *session);
const struct model_link *tui_session_link_of(const struct tui_session *session, size_t at);

/* Starts the command of `run`. */
bool tui_session_launch(struct tui_session *session, enum viewer_streams streams, char *why,
                        size_t capacity);
/* True if the command has ended and everything from its feed was read. */
bool tui_session_over(const struct tui_session *session);

/* Reads the file of --load, to show it. Returns an exit code. */
int tui_session_load(struct tui_session *session, char *why, size_t capacity);
/* The job in front, or of the file; its label. NULL: there is none yet. Borrowed. */
struct model_job *tui_session_job(const struct tui_session *session);
const char *tui_session_label(const struct tui_session *session);

/* Returns the link of the job in front, or NULL. */
const struct model_link *tui_session_link(const struct tui_session *session);
/* Read the clocks. No other code reads them. */
uint64_t tui_session_now(void);
uint64_t tui_session_wall(void);

#endif

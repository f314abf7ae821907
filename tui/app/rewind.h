/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * rewind.h: the past of the jobs on the screen: their histories, the moment shown, the marks, and
 * the comparison with a mark. All of it is the viewer's: nothing is asked of a job.
 */
#ifndef TUI_APP_REWIND_H
#define TUI_APP_REWIND_H

#include "model/history.h"
#include "model/noise.h"
#include "model/series.h"

enum { TUI_MARKS_MAX = 26, TUI_MARK_NAME = 48 };
enum { TUI_STRIPS_OF_ROWS, TUI_STRIPS_OF_SPANS, TUI_STRIPS_OF_COUNTERS, TUI_STRIPS };

/* One instance of a job. */
struct tui_life {
    struct model_history *history;
    struct model_past *past; /* NULL: nothing of its past is shown */
    bool attached;           /* still written; otherwise it was replaced, or detached from */
};

/* A moment to compare with: the values of each job that there was. */
struct tui_mark {
    char name[TUI_MARK_NAME];
    uint64_t wall_ns;
    struct model_past **past;
    size_t pasts;
};

/* Requests of keys. */
enum tui_time {
    TUI_TIME_STEP,    /* `amount` refreshes on, or back */
    TUI_TIME_GO,      /* to the moment at `mono_ns` of the job shown */
    TUI_TIME_AT,      /* to the moment that `text` gives: 14:07:30, 90 or -10 */
    TUI_TIME_MARK,    /* mark this moment, with the name in `text` */
    TUI_TIME_COMPARE, /* with the newest mark before this moment, or no longer */
    TUI_TIME_ZERO,    /* mark this moment, and compare with it */
    TUI_TIME_SPEED,   /* play a recording 2 to the power of `amount` times as fast as now */
    TUI_TIME_LOOP,    /* play a recording from its begin again at its end, or no longer */
    TUI_TIME_SAVE,    /* save the past as a recording */
    TUI_TIME_RECORD,  /* begin a recording, or end it */
    TUI_TIME_TO_MARK, /* show the moment of mark `amount` */
};
struct tui_time_request {
    enum tui_time what;
    int64_t amount;
    uint64_t mono_ns;
    char text[TUI_MARK_NAME];
};

struct tui_rewind {
    size_t limit; /* bytes of all histories; 0: there are none */
    struct tui_life *life;
    size_t lives;
    bool on;                        /* a moment of the past is shown */
    struct model_job *lead;         /* whose moments are stepped; a life has a reference to it */
    uint64_t number;                /* of its moment */
    int speed;                      /* of play: 2 to the power of it */
    bool loops;                     /* at its end, play begins again */
    uint64_t play_ns, play_from_ns; /* of a recording that is played: when that began, by the
                                     * viewer's clock, and with which moment, by the job's */
    struct tui_mark mark[TUI_MARKS_MAX];
    unsigned marks;
    bool compares;                  /* the figures shown are those since a mark */
    unsigned base;                  /* which */
    struct model_state *base_state; /* of the mark, in the scope shown, or NULL */
    struct model_noise *noise;
    uint64_t noise_ns;                       /* when it is computed anew */
    struct model_strips *strips[TUI_STRIPS]; /* of the screen, or NULL */
    const struct model_job *strips_of;       /* never dereferenced */
};

struct tui_app;
struct tui_multi_job;
struct tui_session;

/* The parts of the program that a moment is shown by. */
struct tui_rewind_parts {
    struct tui_app *app;
    struct tui_session *session;
    struct tui_multi_job *multi;
};

void tui_rewind_release(struct tui_rewind *rewind);
/* Begins the history of each attached job that has none, and ends those that nobody can see any
 * more. Called after each wait. */
void tui_rewind_follow(struct tui_rewind *rewind, const struct tui_session *session);
/* Ends the moment of each job: each state that is shown is of a moment. */
void tui_rewind_commit(struct tui_rewind *rewind, const struct tui_session *session);
/* Calls of the job now, of the kind that the screen shows: all, or those since the mark. */
uint64_t tui_rewind_calls(const struct tui_rewind *rewind, uint64_t calls);
/* Does what a key asked for. Pauses the screen where that is part of it. */
void tui_rewind_do(const struct tui_rewind_parts *parts, const struct tui_time_request *request);
/* True if states are taken by tui_rewind_take(): a moment of the past is shown, or a comparison. */
bool tui_rewind_shows(const struct tui_rewind *rewind);
/* Takes and shows the state of the moment. Returns false if out of memory, or if the moment cannot
 * be reached any more: the present state stays. */
bool tui_rewind_take(const struct tui_rewind_parts *parts);
/* While the screen is paused: shows the moment again, as after a change of the scope. */
void tui_rewind_again(const struct tui_rewind_parts *parts);
/* Of a recording: shows the moment that is due when it is played as fast as it was recorded. Pauses
 * the screen at its end. */
void tui_rewind_play(const struct tui_rewind_parts *parts);
/* Ends stepping: the present is shown again. The comparison stays. */
void tui_rewind_resume(const struct tui_rewind_parts *parts);
/* Returns the history of the job shown, and the moment shown, or the newest one before the present
 * state; NULL: there is no moment. Borrowed. */
const struct model_history *tui_rewind_moment(const struct tui_rewind_parts *parts, uint32_t *at);
/* Takes the series of the row that the screen follows, for a screen of this width, if the screen as
 * it was drawn last has room for a graph. Returns true if a graph has come or gone. */
bool tui_rewind_graph(const struct tui_rewind_parts *parts, int cols);
/* Takes the curves of the rows that the screen is about to show. */
void tui_rewind_strips(const struct tui_rewind_parts *parts, int cols);
/* Fills the time line of the screen (rewind_line.c), for a screen of this width. */
void tui_rewind_line(const struct tui_rewind_parts *parts, int cols);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * multi_job.h: the jobs of a session as one: their state, their links as one link, their list. Used
 * where more than one is attached to; of one job the app takes the state itself.
 */
#ifndef TUI_APP_MULTI_JOB_H
#define TUI_APP_MULTI_JOB_H

#include "model/multi_job.h"
#include "tui/app/app.h"
#include "tui/app/session.h"

struct tui_crew {
    struct model_fleet *fleet;
    struct model_fleet_member *member;
    size_t capacity;
    struct model_state *aside; /* of all, while one of them is shown; else the app's is */
    struct model_link link;    /* of all; see tui_crew_look() */
    uint64_t changes;          /* a sum over the states of the links: another when one changes */
    const struct model_job *named; /* rows in which --function was looked up */
};

void tui_crew_release(struct tui_crew *crew);

/* Whether there is more than one job, so that all of this is of use. */
bool tui_crew_several(const struct tui_session *session);
/* Attaches to what was asked for, of the jobs found. Gives an exit code, with a sentence where one
 * that was named is missing. */
int tui_crew_find(struct tui_session *session, char *why, size_t capacity);
/* Brings the link of all up to now: live if any is, else the best of all; counts are sums. */
void tui_crew_look(struct tui_crew *crew, const struct tui_session *session);
/* Takes the state of all, and shows it unless one job is shown alone. False: out of memory. */
bool tui_crew_take(struct tui_crew *crew, const struct tui_session *session, struct tui_app *app);
/* What is known of all, or NULL. Borrowed until the next state. */
const struct model_fleet_state *tui_crew_fleet(const struct tui_crew *crew,
                                               const struct tui_app *app);
/* Calls of the root functions of all, since their last reset. */
uint64_t tui_crew_calls(const struct tui_session *session);
/* Fills the list of the jobs attached to, and of those that should be; the choice stays. With one
 * job it has those alone that should be. */
void tui_crew_list(const struct tui_crew *crew, const struct tui_session *session,
                   struct tui_app *app);
/* Says why the chosen one of those that are left out is. */
void tui_crew_say_left(const struct tui_session *session, struct tui_app *app);
/* The same list for the report of `-b`: a line for each, below their titles. */
void tui_crew_print(const struct tui_crew *crew, const struct tui_session *session,
                    const struct tui_app *app, FILE *file);
/* All that are attached to are whole, or will not be any more; and one of them is whole. */
bool tui_crew_ready(const struct tui_session *session);
bool tui_crew_any_whole(const struct tui_session *session);
/* The command of `run` has ended, and so have its children, if they were given a second to. */
bool tui_crew_over(const struct tui_session *session);

#endif

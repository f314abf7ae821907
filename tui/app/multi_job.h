/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * multi_job.h: treats the jobs of a session as one: combined state, combined link, list of jobs.
 * Used with more than one job attached. With one job the app takes the state itself.
 */
#ifndef TUI_APP_MULTI_JOB_H
#define TUI_APP_MULTI_JOB_H

#include "model/multi_job.h"
#include "tui/app/app.h"
#include "tui/app/session.h"

struct tui_multi_job {
    struct model_multi_job *multi_job;
    struct model_multi_job_member *member;
    size_t capacity;
    /* Combined state while one job is shown; otherwise the app owns it. */
    struct model_state *aside;
    struct model_link link; /* combined link; see tui_crew_look() */
    uint64_t changes;       /* hash of the states of the links: differs when a state changes */
    const struct model_job *named; /* rows in which --function was looked up */
};

void tui_multi_job_release(struct tui_multi_job *multi);

/* True if there is more than one job, so that this file is used. */
bool tui_multi_job_several(const struct tui_session *session);
/* Attaches to the requested jobs among the jobs found. Returns an exit code, with a sentence if a
 * named job is missing. */
int tui_multi_job_find(struct tui_session *session, char *why, size_t capacity);
/* Updates the combined link: live if any link is, else the best state of all; counts are sums. */
void tui_multi_job_look(struct tui_multi_job *multi, const struct tui_session *session);
/* Takes the combined state, and shows it unless one job is shown alone. Returns false if out of
 * memory. */
bool tui_multi_job_take(struct tui_multi_job *multi, const struct tui_session *session,
                        struct tui_app *app);
/* Returns the data of all jobs, or NULL. Borrowed until the next state. */
const struct model_multi_job_state *tui_multi_job_of(const struct tui_multi_job *multi,
                                                     const struct tui_app *app);
/* Sums the calls of the root functions of all jobs, since their last reset. */
uint64_t tui_multi_job_calls(const struct tui_session *session);
/* Fills the list of attached jobs and of jobs that are left out; the choice stays. With one job
 * attached it has only the jobs that are left out. */
void tui_multi_job_list(const struct tui_multi_job *multi, const struct tui_session *session,
                        struct tui_app *app);
/* Says why the chosen job is left out. */
void tui_multi_job_report_left(const struct tui_session *session, struct tui_app *app);
/* Prints the same list for the report of `-b`: the headings, then a line for each job. */
void tui_multi_job_print(const struct tui_multi_job *multi, const struct tui_session *session,
                         const struct tui_app *app, FILE *file);
/* True if each attached job is whole, or will not become whole any more, and at least one is
 * whole. */
bool tui_multi_job_ready(const struct tui_session *session);
bool tui_multi_job_any_whole(const struct tui_session *session);
/* True if the command of `run` has ended, and its children too. Children get one second to end. */
bool tui_multi_job_over(const struct tui_session *session);

#endif

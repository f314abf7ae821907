/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * multi_job.c: several jobs: the state of each, their current activity, and the state of all.
 */
#include "model/multi_job.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/multi_job_sum.h"
#include "model/state_private.h"
#include "model/waiting.h"

/* An op that has been open for less may already be counted. */
#define OPEN_LEAST_NS (UINT64_C(150) * 1000000)

/* One job at its position. */
struct place {
    struct model_job *job;     /* holds one reference */
    struct model_state *state; /* its last whole state in this scope */
    uint32_t scope;            /* a function of the job itself, or MODEL_ALL */
    struct model_multi_job_map map;
    uint32_t *waiting; /* applies that wait for other jobs */
    uint32_t waitings, scanned;
    uint32_t *thread; /* by the job's thread id: thread of the merged job, or MODEL_NONE */
    uint32_t threads;
};

struct model_multi_job {
    struct model_multi_job_rows *rows;
    bool each; /* model_multi_job_rows_new() was called with this value */
    struct place *place;
    struct model_multi_job_part *part; /* space for one entry for each position */
    struct model_straggler_job *given; /* space for one entry for each position */
    size_t places, capacity;
    struct model_straggler *straggler;
};

struct model_multi_job *model_multi_job_new(void)
{
    struct model_multi_job *multi_job = calloc(1, sizeof(*multi_job));
    if (!multi_job)
        return NULL;
    multi_job->rows = model_multi_job_rows_new(false);
    multi_job->straggler = model_straggler_new();
    if (!multi_job->rows || !multi_job->straggler)
        model_multi_job_free(&multi_job);
    return multi_job;
}

/* Drops everything that refers to the merged rows. */
static void unmap(struct place *place)
{
    model_multi_job_map_release(&place->map);
    free(place->thread);
    place->thread = NULL;
    place->threads = 0;
}

static void clear(struct place *place)
{
    unmap(place);
    model_state_free(&place->state);
    model_job_release(&place->job);
    free(place->waiting);
    *place = (struct place){.scope = MODEL_ALL};
}

void model_multi_job_free(struct model_multi_job **multi_job)
{
    if (!*multi_job)
        return;
    for (size_t i = 0; i < (*multi_job)->places; i++)
        clear(&(*multi_job)->place[i]);
    free((*multi_job)->place);
    free((*multi_job)->part);
    free((*multi_job)->given);
    model_multi_job_rows_free(&(*multi_job)->rows);
    model_straggler_free(&(*multi_job)->straggler);
    free(*multi_job);
    *multi_job = NULL;
}

const char *model_multi_job_label(const struct model_identity *identity, char out[MODEL_LABEL_MAX])
{
    const char *role = identity->role.shown_size > 0 ? identity->role.shown : "rank";
    char pid[21] = "-"; /* before the first hello */
    if (identity->pid > 0)
        snprintf(pid, sizeof pid, "%" PRIu64, identity->pid);
    if (identity->rank != MODEL_UNKNOWN)
        snprintf(out, MODEL_LABEL_MAX, "%.24s %" PRIu64, role, identity->rank);
    else if (identity->role.shown_size > 0)
        snprintf(out, MODEL_LABEL_MAX, "%.24s %s", role, pid);
    else
        snprintf(out, MODEL_LABEL_MAX, "%s", pid);
    return out;
}

/* ----------------------------------------------------------------------------------- the places */

static bool fit_places(struct model_multi_job *multi_job, size_t members)
{
    if (members > multi_job->capacity) {
        struct place *place = realloc(multi_job->place, members * sizeof(*place));
        if (place)
            multi_job->place = place;
        struct model_multi_job_part *part = realloc(multi_job->part, members * sizeof(*part));
        if (part)
            multi_job->part = part;
        struct model_straggler_job *given = realloc(multi_job->given, members * sizeof(*given));
        if (given)
            multi_job->given = given;
        if (!place || !part || !given)
            return false;
        multi_job->capacity = members;
    }
    for (; multi_job->places < members; multi_job->places++)
        multi_job->place[multi_job->places] = (struct place){.scope = MODEL_ALL};
    for (; multi_job->places > members; multi_job->places--)
        clear(&multi_job->place[multi_job->places - 1]);
    return true;
}

/* A job that moves up, because an earlier job was dropped, keeps its place structure. So its rows
 * keep their merged rows, and are not built again. */
static void follow_jobs(struct model_multi_job *multi_job,
                        const struct model_multi_job_member *member, size_t members)
{
    for (size_t i = 0; i < members && i < multi_job->places; i++) {
        size_t at = i;
        while (at < multi_job->places && multi_job->place[at].job != member[i].job)
            at++;
        if (!member[i].job || at >= multi_job->places)
            continue;
        struct place moved = multi_job->place[at];
        multi_job->place[at] = multi_job->place[i];
        multi_job->place[i] = moved;
    }
}

/* Merges the rows anew if `each` changes. */
static bool fit_rows(struct model_multi_job *multi_job, bool each)
{
    if (each == multi_job->each)
        return true;
    struct model_multi_job_rows *rows = model_multi_job_rows_new(each);
    if (!rows)
        return false;
    for (size_t i = 0; i < multi_job->places; i++)
        unmap(&multi_job->place[i]);
    model_multi_job_rows_free(&multi_job->rows);
    multi_job->rows = rows;
    multi_job->each = each;
    return true;
}

static bool find_waiting(struct place *place)
{
    for (uint32_t count = model_job_count(place->job, MODEL_APPLY); place->scanned < count;
         place->scanned++) {
        if (model_waiting_apply(place->job, place->scanned) != MODEL_WAITS_FOR_JOBS)
            continue;
        uint32_t *grown = realloc(place->waiting, (place->waitings + 1u) * sizeof(*grown));
        if (!grown)
            return false;
        grown[place->waitings++] = place->scanned;
        place->waiting = grown;
    }
    return true;
}

/* Translates a scope of the merged job to the job itself, into `own`. The group of a function is
 * its group in each job. Returns false if the job has nothing in the scope, or if out of memory. */
static bool scope_of(const struct place *place, const struct model_job *merged, uint32_t scope,
                     uint32_t *own)
{
    const uint32_t count = place->map.count[MODEL_FUNCTION];
    *own = MODEL_ALL;
    if (scope == MODEL_ALL)
        return true;
    uint32_t *chosen = malloc((count + 1u) * sizeof(*chosen)), some = 0;
    for (uint32_t f = 0; chosen && f < count; f++)
        if (model_scope_names(merged, scope, place->map.id[MODEL_FUNCTION][f]))
            chosen[some++] = f;
    bool found = chosen && model_scope_choose(place->job, chosen, some, own);
    if (found && model_scope_is_group(scope))
        *own = model_scope_group(place->job, chosen[0]);
    free(chosen);
    return found;
}

static bool is_current(const struct place *place, uint32_t scope)
{
    const struct model_state *state = place->state;
    return state && state->scope == scope && state->epoch == model_job_epoch(place->job) &&
           state->ended == model_job_ended(place->job) &&
           state->mono_ns == model_job_mono_ns(place->job);
}

/* Takes the state of one job. Keeps the last whole state while a new snapshot is arriving. */
static bool take_place(struct model_multi_job *multi_job, struct place *place,
                       const struct model_multi_job_member *member, uint32_t scope)
{
    if (member->job != place->job) {
        clear(place);
        place->job = model_job_retain(member->job);
    }
    uint32_t own;
    if (!place->job)
        return true;
    if (!model_multi_job_map_fit(multi_job->rows, place->job, &place->map) || !find_waiting(place))
        return false;
    if (!scope_of(place, model_multi_job_rows_job(multi_job->rows), scope, &own)) {
        model_state_free(&place->state);
        return true;
    }
    if (!model_job_complete(place->job) || is_current(place, own))
        return true;
    if (place->state)
        return model_state_renew(place->state, own);
    place->state = model_state_take(place->job, own, NULL);
    return place->state != NULL;
}

/* ------------------------------------------------------------------------------------ waiting */

static bool waits_here(const struct place *place, uint32_t apply)
{
    for (uint32_t i = 0; i < place->waitings; i++)
        if (place->waiting[i] == apply)
            return true;
    return false;
}

static uint64_t longest(uint64_t a, uint64_t b)
{
    return a == MODEL_UNKNOWN || (b != MODEL_UNKNOWN && b > a) ? b : a;
}

/* True if every call of the apply is visible while it is open: the apply is timed by the feed, and
 * all its calls are. */
static bool is_shown_open(const struct model_job *job, uint32_t apply)
{
    uint64_t timed = model_job_apply_values(job)[apply].timed;
    return model_job_apply(job, apply)->source == MODEL_TIMED &&
           (timed == MODEL_UNKNOWN || timed == MODEL_EVERY_CALL);
}

static struct model_straggler_job look_at(const struct place *place, const struct model_link *link)
{
    struct model_straggler_job seen = {
        .instance = place->job,
        .current = link->state == MODEL_LIVE || link->state == MODEL_LAGGING,
        .over = link->state == MODEL_GONE,
        .lingers = link->lingers,
        .waiting_ns = MODEL_UNKNOWN,
        .busy_ns = MODEL_UNKNOWN,
        .busy_max_ns = MODEL_UNKNOWN,
    };
    if (!place->job || !model_job_complete(place->job)) {
        seen.current = false;
        return seen;
    }
    const struct model_apply_value *value = model_job_apply_values(place->job);
    size_t count;
    const struct model_now *now = model_job_now(place->job, &count);
    seen.mono_ns = model_job_mono_ns(place->job);
    uint64_t moved_ns = model_job_moved_ns(place->job);
    seen.quiet_ns = seen.mono_ns > moved_ns ? seen.mono_ns - moved_ns : 0;
    seen.starved = (enum model_starved)link->starved;
    seen.rank = model_job_identity(place->job)->rank;
    seen.size = model_job_identity(place->job)->size;
    for (uint32_t i = 0; i < place->waitings; i++) {
        seen.wait_ns = model_state_plus(seen.wait_ns, value[place->waiting[i]].total_ns);
        seen.waits |= value[place->waiting[i]].calls > 0;
        seen.vague |= !is_shown_open(place->job, place->waiting[i]);
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t ns = seen.mono_ns > now[i].since_ns ? seen.mono_ns - now[i].since_ns : 0;
        if (waits_here(place, now[i].apply)) {
            seen.waiting_ns = longest(seen.waiting_ns, now[i].seen_ns);
            seen.waits = true;
            seen.wait_ns += ns > OPEN_LEAST_NS ? ns : 0;
        } else if (model_job_apply(place->job, now[i].apply)->waits == MODEL_WORKS &&
                   longest(seen.busy_ns, now[i].seen_ns) != seen.busy_ns) {
            seen.busy_ns = now[i].seen_ns;
            seen.busy_max_ns = value[now[i].apply].max_ns;
        }
    }
    return seen;
}

static bool look(struct model_multi_job *multi_job, const struct model_multi_job_member *member)
{
    for (size_t i = 0; i < multi_job->places; i++)
        multi_job->given[i] = look_at(&multi_job->place[i], member[i].link);
    return model_straggler_look(multi_job->straggler, multi_job->given, multi_job->places);
}

/* ------------------------------------------------------------------------------------- now
 */

/* Maps a thread of a job to a thread of the merged job. Its name contains the job's label. */
static uint32_t thread_of(struct model_multi_job *multi_job, struct place *place, uint32_t thread)
{
    uint32_t count = model_job_count(place->job, MODEL_THREAD);
    if (count > place->threads) {
        uint32_t *grown = realloc(place->thread, count * sizeof(*grown));
        if (!grown)
            return MODEL_NONE;
        place->thread = grown;
        while (place->threads < count)
            place->thread[place->threads++] = MODEL_NONE;
    }
    if (place->thread[thread] != MODEL_NONE)
        return place->thread[thread];
    const struct model_thread_def *def = model_job_thread(place->job, thread);
    struct model_job *rows = model_multi_job_rows_job(multi_job->rows);
    char label[MODEL_LABEL_MAX], name[MODEL_LABEL_MAX + 64];
    snprintf(name, sizeof(name), "%s %.60s",
             model_multi_job_label(model_job_identity(place->job), label),
             def->name.raw_size ? def->name.raw : def->name.shown);
    if (model_job_add_thread(rows, name, strlen(name), def->tid))
        place->thread[thread] = model_job_count(rows, MODEL_THREAD) - 1;
    return place->thread[thread];
}

/* Lists the open applies of all jobs that are not over, by the clock of the sum. */
static bool take_now(struct model_multi_job *multi_job, struct model_state *to)
{
    size_t count = 0;
    for (size_t i = 0; i < multi_job->places; i++)
        count += multi_job->place[i].state ? multi_job->place[i].state->now_count : 0;
    to->now = malloc((count + 1) * sizeof(*to->now));
    if (!to->now)
        return false;
    for (size_t i = 0; i < multi_job->places; i++) {
        struct place *place = &multi_job->place[i];
        if (!place->state || multi_job->given[i].over)
            continue;
        for (size_t k = 0; k < place->state->now_count; k++) {
            const struct model_now *now = &place->state->now[k];
            uint32_t thread = thread_of(multi_job, place, now->thread);
            uint64_t mono = place->state->mono_ns;
            uint64_t age = mono > now->since_ns ? mono - now->since_ns : 0;
            if (thread != MODEL_NONE)
                to->now[to->now_count++] =
                    (struct model_now){thread, place->map.id[MODEL_APPLY][now->apply],
                                       to->mono_ns > age ? to->mono_ns - age : 0, now->seen_ns};
        }
    }
    return true;
}

/* --------------------------------------------------------------------------------- the jobs
 */

static uint64_t open_for(const struct place *place, const struct model_now *now)
{
    uint64_t mono = model_job_mono_ns(place->job);
    return mono > now->since_ns ? mono - now->since_ns : 0;
}

/* Finds the apply that the job has been in longest, and the one in which it waits longest. */
static void find_open(const struct place *place, struct model_multi_job_entry *to)
{
    size_t count;
    const struct model_now *list = model_job_now(place->job, &count);
    const struct model_now *now = model_now_oldest(place->job, list, count);
    if (now) {
        to->open = now->apply;
        to->open_ns = open_for(place, now);
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t ns = open_for(place, &list[i]);
        if (!waits_here(place, list[i].apply) ||
            (to->waits_in != MODEL_NONE && ns <= to->waits_in_ns))
            continue;
        to->waits_in = list[i].apply;
        to->waits_in_ns = ns;
    }
}

/* Time of the applies that wait for other jobs. It is a part of the time of all applies. Both
 * include open calls. */
static uint64_t waited_ns(const struct place *place)
{
    const struct model_state *state = place->state;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < place->waitings; i++) {
        const uint32_t apply = place->waiting[i];
        const struct model_row *row = &state->row[MODEL_APPLY][apply];
        if (apply < state->count[MODEL_APPLY] && row->in_scope)
            sum = model_state_plus(sum, model_known_or_0(model_state_time(state, row)));
    }
    return sum;
}

static void describe(struct model_multi_job *multi_job, size_t at,
                     const struct model_multi_job_member *member, struct model_multi_job_entry *to)
{
    const struct place *place = &multi_job->place[at];
    *to = (struct model_multi_job_entry){.job = model_job_retain(place->job),
                                         .link = member->link->state,
                                         .standing = model_link_standing(member->link),
                                         .lingers = member->link->lingers,
                                         .there = place->state != NULL,
                                         .calls = MODEL_UNKNOWN,
                                         .time_ns = MODEL_UNKNOWN,
                                         .wait_ns = MODEL_UNKNOWN,
                                         .interval_time_ns = MODEL_UNKNOWN,
                                         .open = MODEL_NONE,
                                         .role = model_straggler_role(multi_job->straggler, at),
                                         .waits_in = MODEL_NONE,
                                         .quiet_ns = MODEL_UNKNOWN};
    if (place->job)
        model_multi_job_label(model_job_identity(place->job), to->label);
    else
        snprintf(to->label, sizeof(to->label), "job %zu", at + 1);
    uint32_t size = (uint32_t)strlen(to->label);
    to->name = (struct model_text){to->label, to->label, size, size};
    if (!place->state)
        return;
    to->calls = place->state->totals.calls;
    to->time_ns = model_state_plus(place->state->totals.time_ns,
                                   model_known_or_0(place->state->totals.wait_ns));
    to->interval_time_ns = place->state->totals.interval_time_ns;
    if (multi_job->given[at].waits)
        to->wait_ns = waited_ns(place);
    if (model_job_moved_ns(place->job) > 0) /* else no call was counted since the viewer came */
        to->quiet_ns = multi_job->given[at].quiet_ns;
    if (!multi_job->given[at].over)
        find_open(place, to);
}

/* Returns false if out of memory. */
static bool copy_objects(const struct model_state *state, struct model_multi_job_entry *to)
{
    struct model_objects from = state->objects;
    const uint32_t skipped =
        from.marks > MODEL_MULTI_JOB_MARKS ? from.marks - MODEL_MULTI_JOB_MARKS : 0;
    from.mark = skipped ? from.mark + skipped : from.mark;
    from.marks -= skipped;
    to->mono_ns = state->mono_ns;
    return model_objects_copy(&to->objects, &from);
}

static bool take_jobs(struct model_multi_job *multi_job,
                      const struct model_multi_job_member *member, struct model_multi_job_state *to)
{
    to->job = calloc(multi_job->places + 1, sizeof(*to->job));
    if (!to->job)
        return false;
    for (; to->jobs < multi_job->places; to->jobs++) {
        describe(multi_job, to->jobs, &member[to->jobs], &to->job[to->jobs]);
        if (multi_job->given[to->jobs].over)
            to->over++;
        else if (multi_job->given[to->jobs].current)
            to->live++;
        else
            to->old++;
    }
    /* Each text points into its own row. The rows no longer move. */
    bool copied = true;
    for (size_t i = 0; i < to->jobs; i++) {
        to->job[i].name.raw = to->job[i].name.shown = to->job[i].label;
        if (multi_job->place[i].state)
            copied = copy_objects(multi_job->place[i].state, &to->job[i]) && copied;
    }
    to->slow = model_straggler_slow(multi_job->straggler);
    to->hung = model_straggler_hung(multi_job->straggler);
    return copied;
}

/* -------------------------------------------------------------------------------------- the state
 */

static size_t list_parts(struct model_multi_job *multi_job)
{
    size_t parts = 0;
    for (size_t i = 0; i < multi_job->places; i++)
        if (multi_job->place[i].state)
            multi_job->part[parts++] = (struct model_multi_job_part){
                multi_job->place[i].state, &multi_job->place[i].map, (uint32_t)i,
                multi_job->given[i].current && !multi_job->given[i].over};
    return parts;
}

struct model_state *model_multi_job_take(struct model_multi_job *multi_job,
                                         enum model_multi_job_view view, uint32_t scope,
                                         const struct model_multi_job_member *member,
                                         size_t members)
{
    follow_jobs(multi_job, member, members);
    bool fine = fit_places(multi_job, members) && fit_rows(multi_job, view == MODEL_MULTI_JOB_EACH);
    for (size_t i = 0; fine && i < members; i++)
        fine = take_place(multi_job, &multi_job->place[i], &member[i], scope);
    struct model_state *state = fine && look(multi_job, member) ? calloc(1, sizeof(*state)) : NULL;
    if (!state)
        return NULL;
    size_t parts = list_parts(multi_job);
    state->job = model_job_retain(model_multi_job_rows_job(multi_job->rows));
    state->scope = scope;
    state->share = 1;
    for (size_t i = 0; i < parts; i++)
        if (multi_job->part[i].state->share < state->share)
            state->share = multi_job->part[i].state->share;
    state->multi_job = calloc(1, sizeof(*state->multi_job));
    fine = state->multi_job && take_jobs(multi_job, member, state->multi_job);
    if (state->multi_job)
        state->multi_job->view = view;
    fine = fine && model_multi_job_sum(state, multi_job->part, parts) &&
           take_now(multi_job, state) && model_multi_job_compare(state, multi_job->part, parts);
    if (!fine)
        model_state_free(&state);
    return state;
}

void model_multi_job_extend(struct model_multi_job *multi_job, bool extends)
{
    for (size_t i = 0; i < multi_job->places; i++)
        if (multi_job->place[i].state)
            multi_job->place[i].state->extends = extends;
}

const struct model_state *model_multi_job_one(const struct model_multi_job *multi_job, size_t at)
{
    return at < multi_job->places ? multi_job->place[at].state : NULL;
}

void model_multi_job_state_free(struct model_multi_job_state **state)
{
    if (!*state)
        return;
    for (size_t i = 0; i < (*state)->jobs; i++) {
        model_objects_release(&(*state)->job[i].objects);
        model_job_release(&(*state)->job[i].job);
    }
    for (unsigned i = 0; i < MODEL_ROW_TABLES; i++) {
        free((*state)->of[i]);
        free((*state)->ranks[i]);
    }
    free((*state)->job);
    free(*state);
    *state = NULL;
}

/* ----------------------------------------------------------------------------------- in words */

/* A job that ended properly has sent its last values: nothing is missing. */
static bool is_missed(const struct model_multi_job_entry *job)
{
    return !job->there || (job->link == MODEL_GONE && job->standing != MODEL_LINK_ENDED);
}

bool model_multi_job_partial(const struct model_multi_job_state *state)
{
    for (size_t i = 0; i < state->jobs; i++)
        if (is_missed(&state->job[i]))
            return true;
    return state->old > 0;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * straggler.c: shares of waiting over the latest intervals, and the verdict on them.
 */
#include "model/straggler.h"

#include <stdlib.h>
#include <string.h>

#include "model/job.h"

/* VERDICT. In each interval the lead is the median waiting share of the others less the waiting
 * share of the suspect. The outermost eighths of the leads in a window are replaced by their inner
 * neighbours: one hiccup of a job should neither name that job nor hide another. A suspect is named
 * if
 *  - the mean lead is at least LEAD_LEAST of the time, and LEAD_OF_WAIT of the waiting of the
 *    others: a smaller lead is not worth reporting;
 *  - the suspect is APART times as far from the others' median as the others are in the median:
 *    among many jobs, one always waits least;
 *  - the mean lead is CERTAIN standard errors above 0, plus CERTAIN_SOON / (intervals - 1), because
 *    few intervals do not determine the error.
 * tests/model/check_straggler.c has the rates of both kinds of error over many runs. */
static const double LEAD_LEAST = 0.05, LEAD_OF_WAIT = 0.2, APART = 8, CERTAIN = 7,
                    CERTAIN_SOON = 50;
enum { SEEN_LEAST = 8, EDGE = 8, LOOK_NS = 500 * 1000000 };

/* HANG. A job hangs if there is no progress for HANG_NS. If no other job waits, also for HANG_TIMES
 * the longest call. */
#define HANG_NS (UINT64_C(3) * 1000000000)
enum { HANG_TIMES = 8 };

struct place {
    const void *instance;
    uint64_t mono_ns, wait_ns;            /* start of the current interval */
    double share[MODEL_STRAGGLER_WINDOW]; /* by interval, a ring; below 0: unknown */
    unsigned known;                       /* for the verdict: number of latest shares, */
    double mean;                          /* and their mean */
    enum model_hang_role role;            /* in a hang */
};

struct model_straggler {
    struct place *place;
    double *sorted; /* space for the shares of one interval */
    size_t places, capacity;
    unsigned seen, next; /* intervals in the ring, and the index of the next */
    struct model_slow slow;
    struct model_hung hung;
};

struct model_straggler *model_straggler_new(void)
{
    struct model_straggler *straggler = calloc(1, sizeof(*straggler));
    if (straggler) {
        straggler->slow.job = MODEL_NOBODY;
        straggler->hung = (struct model_hung){.job = MODEL_NOBODY, .starved = MODEL_STARVED_NO};
    }
    return straggler;
}

void model_straggler_free(struct model_straggler **straggler)
{
    if (!*straggler)
        return;
    free((*straggler)->place);
    free((*straggler)->sorted);
    free(*straggler);
    *straggler = NULL;
}

/* ------------------------------------------------------------------------------------ intervals */

static void begin(struct place *place, const struct model_straggler_job *job)
{
    place->instance = job->instance;
    place->mono_ns = job->mono_ns;
    place->wait_ns = job->wait_ns;
}

/* Clears the history for another job at this position. */
static void forget(struct place *place)
{
    for (unsigned i = 0; i < MODEL_STRAGGLER_WINDOW; i++)
        place->share[i] = -1;
}

static bool fit(struct model_straggler *straggler, const struct model_straggler_job *job,
                size_t jobs)
{
    if (jobs > straggler->capacity) {
        struct place *place = realloc(straggler->place, jobs * sizeof(*place));
        if (place)
            straggler->place = place;
        double *sorted = realloc(straggler->sorted, jobs * sizeof(*sorted));
        if (sorted)
            straggler->sorted = sorted;
        if (!place || !sorted)
            return false;
        straggler->capacity = jobs;
    }
    for (size_t i = 0; i < jobs; i++) {
        struct place *place = &straggler->place[i];
        if (i < straggler->places && place->instance == job[i].instance &&
            job[i].wait_ns >= place->wait_ns && job[i].mono_ns >= place->mono_ns)
            continue;
        begin(place, &job[i]);
        forget(place);
    }
    straggler->places = jobs;
    return true;
}

static bool compares(const struct model_straggler_job *job)
{
    return job->waits && job->current && !job->over;
}

/* An interval ends when it is at least LOOK_NS long for every compared job. */
static bool is_over(const struct model_straggler *straggler, const struct model_straggler_job *job)
{
    bool any = false;
    for (size_t i = 0; i < straggler->places; i++) {
        if (!compares(&job[i]))
            continue;
        if (job[i].mono_ns - straggler->place[i].mono_ns < LOOK_NS)
            return false;
        any = true;
    }
    return any;
}

static void take_interval(struct model_straggler *straggler, const struct model_straggler_job *job)
{
    for (size_t i = 0; i < straggler->places; i++) {
        struct place *place = &straggler->place[i];
        uint64_t ns = job[i].mono_ns - place->mono_ns, wait_ns = job[i].wait_ns - place->wait_ns;
        double share = ns > 0 ? (double)wait_ns / (double)ns : -1;
        place->share[straggler->next] = compares(&job[i]) ? (share > 1 ? 1 : share) : -1;
        begin(place, &job[i]);
    }
    straggler->next = (straggler->next + 1) % MODEL_STRAGGLER_WINDOW;
    straggler->seen += straggler->seen < MODEL_STRAGGLER_WINDOW;
}

/* -------------------------------------------------------------------------------------- verdict */

/* Returns how many of the latest intervals have a share of the job, without a gap. */
static unsigned known_of(const struct model_straggler *straggler, size_t at)
{
    unsigned known = 0;
    for (; known < straggler->seen; known++) {
        unsigned slot =
            (straggler->next + MODEL_STRAGGLER_WINDOW - 1 - known) % MODEL_STRAGGLER_WINDOW;
        if (straggler->place[at].share[slot] < 0)
            break;
    }
    return known;
}

static double share_at(const struct model_straggler *straggler, size_t at, unsigned back)
{
    unsigned slot = (straggler->next + MODEL_STRAGGLER_WINDOW - 1 - back) % MODEL_STRAGGLER_WINDOW;
    return straggler->place[at].share[slot];
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns the median of n values, n > 0. Sorts them. */
static double median(double *value, size_t n)
{
    qsort(value, n, sizeof(*value), ascending);
    return n % 2 ? value[n / 2] : (value[n / 2 - 1] + value[n / 2]) / 2;
}

/* Returns the median share of all jobs but one in an interval. */
static double others_at(const struct model_straggler *straggler, size_t suspect, unsigned seen,
                        unsigned back)
{
    size_t n = 0;
    for (size_t i = 0; i < straggler->places; i++)
        if (i != suspect && straggler->place[i].known >= seen)
            straggler->sorted[n++] = share_at(straggler, i, back);
    return median(straggler->sorted, n);
}

/* Returns the median distance of the other jobs from their own median. */
static double spread(const struct model_straggler *straggler, size_t suspect, unsigned seen)
{
    double *value = straggler->sorted;
    size_t n = 0;
    for (size_t i = 0; i < straggler->places; i++)
        if (i != suspect && straggler->place[i].known >= seen)
            value[n++] = straggler->place[i].mean;
    double middle = median(value, n);
    for (size_t i = 0; i < n; i++)
        value[i] = value[i] > middle ? value[i] - middle : middle - value[i];
    return median(value, n);
}

/* Returns the number of comparable intervals. Skips jobs that joined late, so that they do not
 * block the verdict. */
static unsigned window(struct model_straggler *straggler)
{
    unsigned least = MODEL_STRAGGLER_WINDOW;
    size_t jobs = 0;
    for (size_t i = 0; i < straggler->places; i++) {
        unsigned known = known_of(straggler, i);
        straggler->place[i].known = known;
        if (known < SEEN_LEAST)
            continue;
        least = known < least ? known : least;
        jobs++;
    }
    return jobs < 2 ? 0 : least;
}

static size_t waits_least(struct model_straggler *straggler, unsigned seen)
{
    size_t found = MODEL_NOBODY;
    for (size_t i = 0; i < straggler->places; i++) {
        struct place *place = &straggler->place[i];
        if (place->known < seen)
            continue;
        place->mean = 0;
        for (unsigned back = 0; back < seen; back++)
            place->mean += share_at(straggler, i, back) / seen;
        if (found == MODEL_NOBODY || place->mean < straggler->place[found].mean)
            found = i;
    }
    return found;
}

/* Returns the mean of the leads, and the variance of that mean. */
static double mean_of(double *lead, unsigned n, double *variance)
{
    double sum = 0, square = 0;
    unsigned edge = n / EDGE;
    qsort(lead, n, sizeof(*lead), ascending);
    for (unsigned i = 0; i < n; i++) {
        unsigned at = i < edge ? edge : i >= n - edge ? n - 1 - edge : i;
        sum += lead[at];
        square += lead[at] * lead[at];
    }
    *variance = (square / n - sum / n * (sum / n)) / (n - 1);
    return sum / n;
}

static void judge_slow(struct model_straggler *straggler)
{
    double lead[MODEL_STRAGGLER_WINDOW], others = 0, variance;
    unsigned seen = window(straggler);
    straggler->slow = (struct model_slow){.job = MODEL_NOBODY};
    if (seen == 0)
        return;
    size_t suspect = waits_least(straggler, seen);
    for (unsigned back = 0; back < seen; back++) {
        double other = others_at(straggler, suspect, seen, back);
        others += other / seen;
        lead[back] = other - share_at(straggler, suspect, back);
    }
    double mean = mean_of(lead, seen, &variance), certain = CERTAIN + CERTAIN_SOON / (seen - 1);
    if (mean < LEAD_LEAST || mean < LEAD_OF_WAIT * others ||
        mean < APART * spread(straggler, suspect, seen) ||
        mean * mean < certain * certain * variance)
        return;
    straggler->slow = (struct model_slow){
        .job = suspect, .waits = straggler->place[suspect].mean, .others = others};
}

/* ----------------------------------------------------------------------------------------- hang */

static bool is_long(uint64_t ns)
{
    return ns != MODEL_UNKNOWN && ns >= HANG_NS;
}

/* True if other jobs wait for this one. A job that sends nothing is waited for if it ever waited,
 * whatever it sent last. A job that never waited, such as a server, may have no part in the
 * waiting: it counts only if it is in an op for as long. A job in no op may be between two ops: it
 * counts only if it counts no calls. */
static bool is_waited_for(const struct model_straggler_job *job)
{
    if (job->over)
        return false;
    if (!job->current)
        return job->waits;
    if (job->waiting_ns != MODEL_UNKNOWN)
        return false;
    return is_long(job->busy_ns) || (job->waits && !job->vague && is_long(job->quiet_ns) &&
                                     job->busy_ns == MODEL_UNKNOWN);
}

/* Without waiting jobs, a job is stuck only if an op takes far longer than ever before, and no
 * other op of the job makes progress, beside it or inside it. */
static bool is_stuck(const struct model_straggler_job *job)
{
    return job->current && !job->over && is_long(job->busy_ns) && is_long(job->quiet_ns) &&
           job->busy_max_ns != MODEL_UNKNOWN && job->busy_max_ns < job->busy_ns / HANG_TIMES;
}

static bool hangs_longer(const struct model_straggler_job *job,
                         const struct model_straggler_job *than)
{
    if (job->current != than->current)
        return !job->current;
    const bool starved = job->starved == MODEL_STARVED_YES;
    if (starved != (than->starved == MODEL_STARVED_YES))
        return !starved;
    uint64_t a = job->busy_ns == MODEL_UNKNOWN ? 0 : job->busy_ns;
    uint64_t b = than->busy_ns == MODEL_UNKNOWN ? 0 : than->busy_ns;
    return a > b;
}

/* Only for an op that is open now. */
static enum model_starved starved_of(const struct model_straggler_job *job)
{
    return job->current && job->busy_ns != MODEL_UNKNOWN ? job->starved : MODEL_STARVED_NO;
}

static bool is_rank(const struct model_straggler_job *job)
{
    return job->rank != MODEL_UNKNOWN && job->waits;
}

static bool is_gone(const struct model_straggler_job *job)
{
    return job->over && !job->lingers;
}

/* True if two ranks can't be of one run of a program. */
static bool are_strangers(const struct model_straggler_job *a, const struct model_straggler_job *b)
{
    return is_rank(a) && is_rank(b) && (a->size != b->size || a->rank == b->rank);
}

/* True if a rank makes no progress. Whether it is in an op does not matter, but the op is long. */
static bool stands_still(const struct model_straggler_job *job)
{
    return job->over || (job->current && is_long(job->quiet_ns) &&
                         (job->busy_ns == MODEL_UNKNOWN || is_long(job->busy_ns)) &&
                         (job->waiting_ns == MODEL_UNKNOWN || is_long(job->waiting_ns)));
}

/* LAST. Ranks end together. Returns the rank that has stood still longest if others are over and
 * all that are left stand still. Ranks of several runs say nothing about each other. */
static size_t last_of(const struct model_straggler_job *job, size_t jobs)
{
    size_t last = MODEL_NOBODY, over = 0;
    for (size_t i = 0; i < jobs; i++) {
        if (!is_rank(&job[i]))
            continue;
        over += is_gone(&job[i]);
        if (!stands_still(&job[i]))
            return MODEL_NOBODY;
        if (!is_gone(&job[i]) && (last == MODEL_NOBODY || job[i].quiet_ns > job[last].quiet_ns))
            last = i;
    }
    for (size_t i = 0; over > 0 && i < jobs; i++)
        for (size_t k = 0; k < i; k++)
            if (are_strangers(&job[i], &job[k]))
                return MODEL_NOBODY;
    return over > 0 ? last : MODEL_NOBODY;
}

static void judge_hung(struct model_straggler *straggler, const struct model_straggler_job *job,
                       size_t jobs)
{
    struct model_hung hung = {.job = MODEL_NOBODY, .starved = MODEL_STARVED_NO};
    size_t current = 0;
    for (size_t i = 0; i < jobs; i++) {
        bool waits = compares(&job[i]) && is_long(job[i].waiting_ns);
        straggler->place[i].role = waits ? MODEL_HANG_WAITS : MODEL_HANG_NONE;
        current += compares(&job[i]);
        hung.waiting += waits;
    }
    for (size_t i = 0; i < jobs; i++) {
        if (!(hung.waiting > 0 ? is_waited_for(&job[i]) : is_stuck(&job[i])))
            continue;
        straggler->place[i].role = MODEL_HANG_MISSING;
        if (hung.job == MODEL_NOBODY || hangs_longer(&job[i], &job[hung.job]))
            hung.job = i;
    }
    if (hung.job != MODEL_NOBODY)
        hung.starved = starved_of(&job[hung.job]);
    hung.all = hung.job == MODEL_NOBODY && current > 1 && hung.waiting == current;
    if (hung.job == MODEL_NOBODY && !hung.all) {
        hung.job = last_of(job, jobs);
        hung.last = hung.job != MODEL_NOBODY;
    }
    straggler->hung = hung;
}

/* A hang distorts the waiting shares: the others wait for the job, and it waits for no one. Clears
 * the history, because the job may have hung in earlier intervals too. */
static void begin_anew(struct model_straggler *straggler, const struct model_straggler_job *job)
{
    for (size_t i = 0; i < straggler->places; i++) {
        begin(&straggler->place[i], &job[i]);
        forget(&straggler->place[i]);
    }
    straggler->slow = (struct model_slow){.job = MODEL_NOBODY};
}

bool model_straggler_look(struct model_straggler *straggler, const struct model_straggler_job *job,
                          size_t jobs)
{
    if (!fit(straggler, job, jobs))
        return false;
    judge_hung(straggler, job, jobs);
    if (straggler->hung.job != MODEL_NOBODY || straggler->hung.all)
        begin_anew(straggler, job);
    else if (is_over(straggler, job)) {
        take_interval(straggler, job);
        judge_slow(straggler);
    }
    return true;
}

struct model_slow model_straggler_slow(const struct model_straggler *straggler)
{
    return straggler->slow;
}

struct model_hung model_straggler_hung(const struct model_straggler *straggler)
{
    return straggler->hung;
}

enum model_hang_role model_straggler_role(const struct model_straggler *straggler, size_t job)
{
    return job < straggler->places ? straggler->place[job].role : MODEL_HANG_NONE;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * prom.c: chooses the rows that have series, and writes the text format of Prometheus.
 */
#include "model/prom.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/extra.h"
#include "model/prom_private.h"

enum { LABEL_MAX = 200 }; /* bytes of a name in a label; longer ones are cut */

_Static_assert((int)MODEL_PROM_CLASS == MODEL_CLASS && (int)MODEL_PROM_OP == MODEL_OP,
               "views of columns take the number of the table");

/* A row with series of its own. */
struct member {
    uint32_t id;
    bool again; /* another row has the same labels: the id becomes one more */
};

/* The rows of one table of a job. */
struct chosen {
    struct member *member;
    uint32_t members, capacity;
    uint8_t *own;  /* by id: the row is a member */
    uint32_t seen; /* rows that are members or summed */
    /* The largest value written so far of each counter, by member and series; the sum of the other
     * rows stands last. Sums of estimates may fall by a little; counters must not. */
    uint64_t *high;
    uint32_t highs;
    /* The same for the metrics that the job declares: MODEL_METRICS_MAX for each member. */
    uint64_t *metric_high;
    uint32_t metric_highs;
};

struct job {
    uint8_t instance[16];
    uint32_t epoch;
    unsigned number; /* among the jobs with the same labels, from 1 on */
    struct model_prom_of of;
    struct chosen chosen[MODEL_PROM_TABLES];
    uint64_t high[MODEL_PROM_SERIES]; /* the same for the job as a whole */
};

struct model_prom {
    uint32_t top;
    struct model_put out;
    struct job *job; /* of the report before, then of this one */
    size_t jobs;
    struct model_prom_series series[MODEL_PROM_TABLES][MODEL_PROM_SERIES];
    unsigned count[MODEL_PROM_TABLES];
    bool failed;
};

/* ----------------------------------------------------------------------- rows with their series */

static void release(struct job *job)
{
    for (unsigned i = 0; i < MODEL_PROM_TABLES; i++) {
        free(job->chosen[i].member);
        free(job->chosen[i].own);
        free(job->chosen[i].high);
        free(job->chosen[i].metric_high);
    }
    memset(job->chosen, 0, sizeof job->chosen);
}

/* Cuts a name at a character boundary. Returns its bytes. */
static size_t cut(const char *text, size_t size)
{
    if (size <= LABEL_MAX)
        return size;
    size = LABEL_MAX;
    while (size > 0 && ((unsigned char)text[size] & 0xC0) == 0x80)
        size--;
    return size;
}

static bool is_equal(const struct model_prom_label *a, const struct model_prom_label *b)
{
    if (!a->text || !b->text)
        return a->text == b->text && (a->word == b->word || !strcmp(a->word, b->word));
    const size_t size = cut(a->text->shown, a->text->shown_size);
    return size == cut(b->text->shown, b->text->shown_size) &&
           (a->text->shown_size > LABEL_MAX) == (b->text->shown_size > LABEL_MAX) &&
           memcmp(a->text->shown, b->text->shown, size) == 0;
}

/* True if a member has the same labels, or if the row has the name of the sum. */
static bool is_again(const struct chosen *chosen, const struct model_state *state,
                     enum model_prom_table table, uint32_t id)
{
    struct model_prom_label label[MODEL_PROM_LABELS], other[MODEL_PROM_LABELS];
    model_prom_labels(state, table, id, label);
    if (!label[1].name && strcmp(label[0].text->shown, "other") == 0)
        return true;
    for (uint32_t i = 0; i < chosen->members; i++) {
        model_prom_labels(state, table, chosen->member[i].id, other);
        bool same = true;
        for (unsigned at = 0; same && at < MODEL_PROM_LABELS; at++)
            same = is_equal(&label[at], &other[at]);
        if (same)
            return true;
    }
    return false;
}

static bool add_member(struct chosen *chosen, const struct model_state *state,
                       enum model_prom_table table, uint32_t id)
{
    if (chosen->members == chosen->capacity) {
        const uint32_t capacity = chosen->capacity ? 2 * chosen->capacity : 64;
        struct member *more = realloc(chosen->member, capacity * sizeof *more);
        if (!more)
            return false;
        chosen->member = more;
        chosen->capacity = capacity;
    }
    const bool again = is_again(chosen, state, table, id);
    chosen->member[chosen->members++] = (struct member){id, again};
    chosen->own[id] = true;
    return true;
}

struct ranked {
    uint64_t rank;
    uint32_t id;
};

/* The highest rank first, then the lowest id. */
static int by_rank(const void *a, const void *b)
{
    const struct ranked *first = a, *second = b;
    if (first->rank != second->rank)
        return first->rank < second->rank ? 1 : -1;
    return first->id < second->id ? -1 : first->id > second->id;
}

/* Gives new rows series of their own, as long as there are free ones. */
static bool choose(struct model_prom *prom, struct chosen *chosen, const struct model_state *state,
                   enum model_prom_table table)
{
    const uint32_t rows = model_prom_rows(state, table), fresh = rows - chosen->seen;
    if (rows <= chosen->seen)
        return true;
    struct ranked *ranked = malloc(fresh * sizeof *ranked);
    uint8_t *own = realloc(chosen->own, rows);
    uint32_t count = 0;
    bool good = ranked && own;
    if (own) {
        chosen->own = own;
        memset(own + chosen->seen, 0, fresh);
    }
    for (uint32_t id = chosen->seen; good && id < rows; id++)
        if (model_prom_is_row(state, table, id))
            ranked[count++] = (struct ranked){model_prom_rank(state, table, id), id};
    if (good)
        qsort(ranked, count, sizeof *ranked, by_rank);
    for (uint32_t i = 0; good && i < count && chosen->members < prom->top; i++)
        good = add_member(chosen, state, table, ranked[i].id);
    free(ranked);
    if (good)
        chosen->seen = rows;
    return good;
}

/* Makes room for the largest values of the members and of the sum. The sum has the first ones, so
 * that they do not move. */
static bool fit(uint64_t **high, uint32_t *highs, uint32_t want)
{
    uint64_t *more = want > *highs ? realloc(*high, want * sizeof *more) : NULL;
    if (want <= *highs)
        return true;
    if (!more)
        return false;
    memset(more + *highs, 0, (want - *highs) * sizeof *more);
    *high = more;
    *highs = want;
    return true;
}

static bool fit_highs(struct chosen *chosen, unsigned series, bool metrics)
{
    const uint32_t rows = chosen->members + 1;
    return fit(&chosen->high, &chosen->highs, rows * series) &&
           (!metrics || fit(&chosen->metric_high, &chosen->metric_highs, rows * MODEL_METRICS_MAX));
}

/* -------------------------------------------------------------------------------------- writing */

static void put_escaped(struct model_put *out, const char *bytes, size_t size, bool label)
{
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == '\n')
            model_put_word(out, "\\n");
        else if (bytes[i] == '\\' || (label && bytes[i] == '"'))
            model_put_bytes(out, "\\", 1);
        if (bytes[i] != '\n')
            model_put_bytes(out, &bytes[i], 1);
    }
}

static void put_label(struct model_put *out, const char *name, const char *text, size_t size)
{
    const size_t shown = cut(text, size);
    model_put_word(out, name);
    model_put_word(out, "=\"");
    put_escaped(out, text, shown, true);
    model_put_word(out, shown < size ? "\xE2\x80\xA6\"" : "\"");
}

static void put_text_label(struct model_put *out, const char *name, const struct model_text *text)
{
    put_label(out, name, text->shown, text->shown_size);
}

static void put_number_label(struct model_put *out, const char *name, uint64_t number)
{
    model_put_word(out, name);
    model_put_word(out, "=\"");
    model_put_u64(out, number);
    model_put_word(out, "\"");
}

/* Writes the labels of the job. The pid tells jobs of one program apart. */
static void put_job_labels(struct model_put *out, const struct job *job)
{
    const struct model_state *state = job->of.state;
    const struct model_identity *who = state ? model_job_identity(state->job) : NULL;
    put_text_label(out, "program", who ? &who->program : &model_text_empty);
    model_put_word(out, ",");
    put_number_label(out, "pid", who ? who->pid : 0);
    model_put_word(out, ",");
    put_text_label(out, "host", who ? &who->host : &model_text_empty);
    if (job->number > 1) {
        model_put_word(out, ",");
        put_number_label(out, "feed", job->number);
    }
}

static void put_seconds(struct model_put *out, uint64_t ns)
{
    char digits[16];
    snprintf(digits, sizeof digits, ".%09llu", (unsigned long long)(ns % 1000000000));
    size_t size = strlen(digits);
    while (digits[size - 1] == '0')
        size--;
    model_put_u64(out, ns / 1000000000);
    model_put_bytes(out, digits, size > 1 ? size : 0);
}

static void put_value(struct model_put *out, enum model_unit unit, const struct model_cell *cell)
{
    model_put_word(out, " ");
    if (model_unit_is_real(unit))
        model_put_f64(out, cell->d);
    else if (unit == MODEL_UNIT_NS)
        put_seconds(out, cell->u);
    else
        model_put_u64(out, cell->u);
    model_put_word(out, "\n");
}

static void put_head(struct model_put *out, const char *name, const char *help, const char *more,
                     bool counts)
{
    model_put_word(out, "# HELP proftop_");
    model_put_word(out, name);
    model_put_word(out, " ");
    put_escaped(out, help, strlen(help), false);
    model_put_word(out, more);
    model_put_word(out, "\n# TYPE proftop_");
    model_put_word(out, name);
    model_put_word(out, counts ? " counter\n" : " gauge\n");
}

static void begin_sample(struct model_put *out, const char *name, const struct job *job)
{
    model_put_word(out, "proftop_");
    model_put_word(out, name);
    model_put_word(out, "{");
    put_job_labels(out, job);
}

/* Writes the labels of a row; `member` NULL: of the sum. */
static void put_row_labels(struct model_put *out, const struct job *job,
                           enum model_prom_table table, const struct member *member)
{
    struct model_prom_label label[MODEL_PROM_LABELS];
    model_put_word(out, ",");
    if (!member) {
        const bool span = table == MODEL_PROM_SPAN;
        put_label(out, span ? "name" : model_prom_table_word(table), "other", 5);
        return;
    }
    model_prom_labels(job->of.state, table, member->id, label);
    for (unsigned i = 0; i < MODEL_PROM_LABELS && label[i].name; i++) {
        model_put_word(out, i ? "," : "");
        if (label[i].text)
            put_text_label(out, label[i].name, label[i].text);
        else
            put_label(out, label[i].name, label[i].word, strlen(label[i].word));
    }
    if (member->again) {
        model_put_word(out, ",");
        put_number_label(out, "id", member->id);
    }
}

/* Raises a counter to the largest value that was written. */
static void keep_largest(uint64_t *high, struct model_cell *cell)
{
    if (cell->u > *high)
        *high = cell->u;
    cell->u = *high;
}

/* Adds up a counter of the rows without series of their own. Unknown if it is of all. */
static struct model_cell sum_others(struct job *job, enum model_prom_table table,
                                    const struct model_prom_series *series)
{
    const struct chosen *chosen = &job->chosen[table];
    struct model_cell sum = {0};
    for (uint32_t id = 0; id < chosen->seen; id++) {
        if (chosen->own[id] || !model_prom_is_row(job->of.state, table, id))
            continue;
        job->of.id = id;
        const struct model_cell cell = model_prom_cell(series, &job->of);
        if (cell.known)
            sum = (struct model_cell){.known = true, .u = model_state_plus(sum.u, cell.u)};
    }
    return sum;
}

/* Writes one metric of the rows of one job. Returns true if it has a sample. `head`: write its head
 * first. */
static bool put_rows(struct model_prom *prom, struct job *job, enum model_prom_table table,
                     unsigned at, bool head)
{
    struct chosen *chosen = &job->chosen[table];
    const struct model_prom_series *series = &prom->series[table][at];
    const bool sums = series->counts && !model_unit_is_real(series->unit);
    bool any = false;
    /* The tables with columns have the numbers of enum model_table. */
    job->of.view = (struct model_view){.table = (enum model_table)table, .state = job->of.state};
    for (uint32_t i = 0; i <= chosen->members; i++) {
        const struct member *member = i < chosen->members ? &chosen->member[i] : NULL;
        struct model_cell cell = {0};
        job->of.id = member ? member->id : 0;
        if (member && model_prom_is_row(job->of.state, table, member->id))
            cell = model_prom_cell(series, &job->of);
        else if (!member && sums)
            cell = sum_others(job, table, series);
        if (!cell.known)
            continue;
        if (sums)
            keep_largest(&chosen->high[(member ? i + 1 : 0) * prom->count[table] + at], &cell);
        if (!any && head)
            put_head(&prom->out, series->name, series->help,
                     series->counts ? "; other: of the rows without series" : "", series->counts);
        any = true;
        begin_sample(&prom->out, series->name, job);
        put_row_labels(&prom->out, job, table, member);
        model_put_word(&prom->out, "}");
        put_value(&prom->out, series->unit, &cell);
    }
    return any;
}

static void put_tables(struct model_prom *prom)
{
    for (unsigned table = 0; table < MODEL_PROM_TABLES; table++) {
        for (unsigned at = 0; at < prom->count[table]; at++) {
            bool head = true;
            for (size_t i = 0; i < prom->jobs; i++)
                if (prom->job[i].of.state &&
                    put_rows(prom, &prom->job[i], (enum model_prom_table)table, at, head))
                    head = false;
        }
    }
}

/* The metrics of a job that are sums, by their unit. */
static const struct {
    enum model_unit unit;
    const char *name; /* behind the name of the table */
} sums[] = {
    {MODEL_UNIT_NS, "metric_seconds_total"},
    {MODEL_UNIT_BYTES, "metric_bytes_total"},
    {MODEL_UNIT_COUNT, "metric_total"},
};

/* True if a metric is a sum in this unit, and the first one of its name. */
static bool is_sum(const struct model_job *job, uint32_t metric, enum model_unit unit)
{
    const struct model_metric *of = model_job_metric(job, metric);
    return of->how == MODEL_SUM && of->unit == unit &&
           model_job_metric_named(job, of->name.shown) == metric;
}

/* Returns a metric of a member; `at` behind the members: of the sum. */
static struct model_cell metric_cell(const struct job *job, enum model_prom_table table,
                                     uint32_t metric, uint32_t at)
{
    const struct chosen *chosen = &job->chosen[table];
    const struct model_state *state = job->of.state;
    struct model_cell sum = {0};
    for (uint32_t id = 0; id < chosen->seen; id++) {
        if (at < chosen->members)
            id = chosen->member[at].id;
        const bool counts = at < chosen->members || !chosen->own[id];
        const uint64_t value =
            counts && model_prom_is_row(state, table, id)
                ? model_extra(state, (enum model_table)table, id, MODEL_EXTRA_METRIC + metric)
                : MODEL_UNKNOWN;
        if (value != MODEL_UNKNOWN)
            sum = (struct model_cell){.known = true, .u = model_state_plus(sum.u, value)};
        if (at < chosen->members)
            break;
    }
    return sum;
}

/* Writes one metric of a job. Returns true if it has a sample. */
static bool put_metric(struct model_prom *prom, struct job *job, enum model_prom_table table,
                       uint32_t metric, unsigned kind, bool head)
{
    struct chosen *chosen = &job->chosen[table];
    char name[64];
    bool any = false;
    snprintf(name, sizeof name, "%s_%s", model_prom_table_word(table), sums[kind].name);
    for (uint32_t i = 0; i <= chosen->members; i++) {
        const struct member *member = i < chosen->members ? &chosen->member[i] : NULL;
        struct model_cell cell = metric_cell(job, table, metric, i);
        if (!cell.known)
            continue;
        keep_largest(&chosen->metric_high[(member ? i + 1 : 0) * MODEL_METRICS_MAX + metric],
                     &cell);
        if (head && !any)
            put_head(&prom->out, name, "metrics that the job declares, as device",
                     "; other: of the rows without series", true);
        any = true;
        begin_sample(&prom->out, name, job);
        put_row_labels(&prom->out, job, table, member);
        model_put_word(&prom->out, ",");
        put_text_label(&prom->out, "metric", &model_job_metric(job->of.state->job, metric)->name);
        model_put_word(&prom->out, "}");
        put_value(&prom->out, sums[kind].unit, &cell);
    }
    return any;
}

static void put_metrics(struct model_prom *prom)
{
    for (unsigned table = MODEL_PROM_CLASS; table <= MODEL_PROM_OP; table++) {
        for (unsigned kind = 0; kind < sizeof sums / sizeof sums[0]; kind++) {
            bool head = true;
            for (size_t i = 0; i < prom->jobs; i++) {
                struct job *job = &prom->job[i];
                const uint32_t count = job->of.state && job->of.state->extras > 0
                                           ? job->of.state->extras - MODEL_EXTRA_METRIC
                                           : 0;
                for (uint32_t metric = 0; metric < count; metric++)
                    if (is_sum(job->of.state->job, metric, sums[kind].unit) &&
                        put_metric(prom, job, (enum model_prom_table)table, metric, kind, head))
                        head = false;
            }
        }
    }
}

/* Says how many rows of each table have no series of their own. */
static void put_summed(struct model_prom *prom)
{
    put_head(&prom->out, "rows_summed", "rows of a table without series of their own", "", false);
    for (size_t i = 0; i < prom->jobs; i++) {
        struct job *job = &prom->job[i];
        for (unsigned table = 0; job->of.state && table < MODEL_PROM_TABLES; table++) {
            const struct chosen *chosen = &job->chosen[table];
            uint32_t rows = 0;
            for (uint32_t id = 0; id < chosen->seen; id++)
                rows += model_prom_is_row(job->of.state, (enum model_prom_table)table, id) &&
                        !chosen->own[id];
            begin_sample(&prom->out, "rows_summed", job);
            model_put_word(&prom->out, ",table=\"");
            model_put_word(&prom->out, model_prom_table_word((enum model_prom_table)table));
            model_put_word(&prom->out, "\"} ");
            model_put_u64(&prom->out, rows);
            model_put_word(&prom->out, "\n");
        }
    }
}

static void put_info(struct model_prom *prom)
{
    struct model_put *out = &prom->out;
    put_head(out, "job_info", "1 for each job, with its framework", "", false);
    for (size_t i = 0; i < prom->jobs; i++) {
        const struct model_state *state = prom->job[i].of.state;
        if (!state)
            continue;
        const struct model_identity *who = model_job_identity(state->job);
        begin_sample(out, "job_info", &prom->job[i]);
        model_put_word(out, ",");
        put_text_label(out, "framework", &who->framework);
        model_put_word(out, ",");
        put_text_label(out, "version", &who->framework_version);
        model_put_word(out, ",");
        put_text_label(out, "role", &who->role);
        if (who->rank != MODEL_UNKNOWN) {
            model_put_word(out, ",");
            put_number_label(out, "rank", who->rank);
        }
        model_put_word(out, "} 1\n");
    }
}

static void put_jobs(struct model_prom *prom)
{
    const struct model_prom_series *series;
    const unsigned count = model_prom_job_series(&series);
    for (unsigned at = 0; at < count; at++) {
        bool head = true;
        for (size_t i = 0; i < prom->jobs; i++) {
            struct job *job = &prom->job[i];
            struct model_cell cell =
                job->of.state ? model_prom_cell(&series[at], &job->of) : (struct model_cell){0};
            if (!cell.known)
                continue;
            if (head)
                put_head(&prom->out, series[at].name, series[at].help, "", series[at].counts);
            head = false;
            if (series[at].counts)
                keep_largest(&job->high[at], &cell);
            begin_sample(&prom->out, series[at].name, job);
            model_put_word(&prom->out, "}");
            put_value(&prom->out, series[at].unit, &cell);
        }
    }
}

/* -------------------------------------------------------------------------------- of the report */

static bool is_text(const struct model_text *a, const struct model_text *b)
{
    return a->shown_size == b->shown_size && memcmp(a->shown, b->shown, a->shown_size) == 0;
}

/* Numbers jobs of the same program, process and host: one process may have several feeds. */
static void number_job(struct job *jobs, size_t at)
{
    const struct model_identity *who = model_job_identity(jobs[at].of.state->job);
    jobs[at].number = 1;
    for (size_t i = 0; i < at; i++) {
        const struct model_identity *other =
            jobs[i].of.state ? model_job_identity(jobs[i].of.state->job) : NULL;
        if (other && other->pid == who->pid && is_text(&other->program, &who->program) &&
            is_text(&other->host, &who->host))
            jobs[at].number++;
    }
}

/* Takes over what is known of a job since the report before. A new epoch begins anew. */
static void take_over(struct model_prom *prom, struct job *job)
{
    const struct model_state *state = job->of.state;
    const struct model_identity *who = model_job_identity(state->job);
    memcpy(job->instance, who->instance, sizeof job->instance);
    job->epoch = state->epoch;
    for (size_t i = 0; i < prom->jobs; i++) {
        struct job *before = &prom->job[i];
        if (before->epoch != job->epoch || memcmp(before->instance, job->instance, 16) != 0)
            continue;
        memcpy(job->chosen, before->chosen, sizeof job->chosen);
        memcpy(job->high, before->high, sizeof job->high);
        memset(before->chosen, 0, sizeof before->chosen);
        return;
    }
}

static void set_jobs(struct model_prom *prom, const struct model_report *report)
{
    const size_t count = report->jobs ? report->jobs : 1;
    struct job *jobs = calloc(count, sizeof *jobs);
    prom->failed = !jobs;
    for (size_t i = 0; jobs && i < count; i++) {
        jobs[i].of.state = report->jobs ? report->job[i].state : report->state;
        jobs[i].of.link = report->jobs ? report->job[i].link : report->link;
        if (!jobs[i].of.state)
            continue;
        number_job(jobs, i);
        take_over(prom, &jobs[i]);
        for (unsigned table = 0; table < MODEL_PROM_TABLES; table++) {
            struct chosen *chosen = &jobs[i].chosen[table];
            prom->failed |=
                !choose(prom, chosen, jobs[i].of.state, (enum model_prom_table)table) ||
                !fit_highs(chosen, prom->count[table],
                           table <= MODEL_PROM_OP && model_job_metrics(jobs[i].of.state->job) > 0);
        }
    }
    if (!jobs)
        return;
    for (size_t i = 0; i < prom->jobs; i++)
        release(&prom->job[i]);
    free(prom->job);
    prom->job = jobs;
    prom->jobs = count;
}

struct model_prom *model_prom_new(uint32_t top)
{
    struct model_prom *prom = calloc(1, sizeof *prom);
    if (!prom)
        return NULL;
    prom->top = top == 0 || top > MODEL_PROM_MOST ? MODEL_PROM_MOST : top;
    for (unsigned table = 0; table < MODEL_PROM_TABLES; table++)
        prom->count[table] =
            model_prom_table_series((enum model_prom_table)table, prom->series[table]);
    return prom;
}

void model_prom_free(struct model_prom **prom)
{
    if (!*prom)
        return;
    for (size_t i = 0; i < (*prom)->jobs; i++)
        release(&(*prom)->job[i]);
    free((*prom)->job);
    free(*prom);
    *prom = NULL;
}

bool model_prom_write(struct model_prom *prom, const struct model_report *report,
                      const struct model_sink *sink)
{
    prom->out = (struct model_put){.sink = sink};
    set_jobs(prom, report);
    if (!prom->failed) {
        put_info(prom);
        put_jobs(prom);
        put_tables(prom);
        put_metrics(prom);
        put_summed(prom);
    }
    model_put_flush(&prom->out);
    for (size_t i = 0; i < prom->jobs; i++)
        prom->job[i].of = (struct model_prom_of){0}; /* the states are the caller's */
    return !prom->failed;
}

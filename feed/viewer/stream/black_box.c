/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * black_box.c: reads the bytes of a black box: the head, the definitions, the slots of all threads,
 * and what each thread was in.
 */
#include "config.h"

#include "feed/viewer/stream/black_box.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "feed/protocol/columns.h"
#include "feed/protocol/limits.h"
#include "feed/shared/black_box.h"
#include "feed/viewer/stream/apply.h"

enum {
    BLOCKS = SHARED_BOX_AREAS,
    LAYOUT = 5, /* of the slots that this program knows: PROFTOP_LAYOUT */
    BATCH = 1024,
    PAGE_MOST = 1 << 20, /* bytes of a page of the machine */
    KIND_SOURCE = 7,     /* of a slot's kind: the source plus 1 */
    KNOWN_CALLS = 1,     /* in `last` of a slot whose values the program sets */
    KNOWN_NS = 2,
    WAITS = 254,   /* columns that rows of the wire have elsewhere: what an apply waits for, */
    DISPLAY = 255, /* and the display name of an op */
};

struct box {
    const uint8_t *bytes;
    size_t size;
    const struct shared_box_head *head;
    const struct shared_box_area *area;
    uint8_t ticks[BLOCKS];              /* by block: 1 if its timed slots count ticks */
    uint8_t known[BLOCKS];              /* by block: 1 if it has an area of its own */
    uint8_t unseen[WIRE_FUNCTIONS_MAX]; /* 1: if the function has no calls, they are unknown */
    struct model_job *job;
    char *why;
    size_t capacity;
    uint64_t torn; /* slots in which a call was being counted */
    bool cut;      /* the definitions break off */
};

/* Sums of the slots of one apply or function. */
struct sum {
    uint64_t calls, timed, ns, ticks, min, max, last, open;
    uint64_t given; /* of values that the program sets: KNOWN_ flags */
    bool known, seen;
};

static bool refuse(struct box *box, const char *why)
{
    snprintf(box->why, box->capacity, "%s", why);
    return false;
}

/* ------------------------------------------------------------------------------------ the areas */

/* Bytes of an area by its kind. */
static size_t area_size(const struct box *box, uint32_t kind)
{
    return kind == SHARED_BOX_LOG      ? SHARED_BOX_LOG_SIZE
           : kind == SHARED_BOX_THREAD ? 2 * (size_t)box->head->page
                                       : SHARED_BOX_CHUNK * sizeof(struct shared_box_slot);
}

static bool is_sound(const struct box *box, const struct shared_box_area *area)
{
    if (area->kind >= SHARED_BOX_KINDS || area->offset % SHARED_BOX_PAGE != 0 ||
        area->offset < SHARED_BOX_FIRST || area->offset > box->size)
        return false;
    size_t least = area_size(box, area->kind);
#ifdef BOX_PLANT_FAULT /* tests/fuzz makes this check useless: the replay must notice */
    least = 0;
#endif
    if (box->size - area->offset < least)
        return false;
    return area->block < BLOCKS && area->used <= SHARED_BOX_LOG_SIZE &&
           area->at <= WIRE_APPLIES_MAX / SHARED_BOX_CHUNK;
}

static bool check(struct box *box)
{
    if (box->size < SHARED_BOX_FIRST)
        return refuse(box, "is cut off: a black box is longer");
    const struct shared_box_head *head = (const void *)box->bytes;
    box->head = head;
    box->area = (const void *)(box->bytes + SHARED_BOX_HEAD_ROOM);
    if (!shared_box_is(head))
        return refuse(box, "is no black box, or its job had not begun");
    if (head->version != SHARED_BOX_VERSION || head->layout != LAYOUT) {
        snprintf(box->why, box->capacity,
                 "is a black box of version %" PRIu32 ".%" PRIu32 ", and this proftop reads %d.%d: "
                 "use the proftop that is as new as its libproftop",
                 head->version, head->layout, (int)SHARED_BOX_VERSION, (int)LAYOUT);
        return false;
    }
    if (head->page < SHARED_BOX_PAGE || head->page > PAGE_MOST || head->page % SHARED_BOX_PAGE != 0)
        return refuse(box, "is damaged: no machine has such pages");
    for (uint32_t i = 0; i < SHARED_BOX_AREAS; i++) {
        const struct shared_box_area *area = &box->area[i];
        if (area->kind == SHARED_BOX_NONE)
            continue;
        if (!is_sound(box, area)) {
            snprintf(box->why, box->capacity, "is damaged: its area %" PRIu32 " can't be", i);
            return false;
        }
        if (area->kind != SHARED_BOX_THREAD)
            continue;
        const struct shared_box_thread *thread =
            (const void *)(box->bytes + area->offset + box->head->page);
        box->known[area->block] = 1;
        box->ticks[area->block] = thread->ticks == 1;
        if (thread->ticks == 1 && head->factor == 0)
            return refuse(box, "is damaged: it counts ticks of a clock that it does not tell");
    }
    return true;
}

/* ----------------------------------------------------------------------------------- the clock */

static uint64_t bounded(uint64_t value)
{
    return value < WIRE_VALUE_MAX ? value : WIRE_VALUE_MAX;
}

static uint64_t plus(uint64_t a, uint64_t b)
{
    return bounded(bounded(a) + bounded(b));
}

static uint64_t ns_of(const struct box *box, uint64_t ticks)
{
    const unsigned __int128 ns =
        (unsigned __int128)ticks * box->head->factor >> SHARED_BOX_FACTOR_SHIFT;
    return ns < WIRE_VALUE_MAX ? (uint64_t)ns : WIRE_VALUE_MAX;
}

/* How long something that a word of proftop_now() tells of was open when the job ran last, in units
 * of the block's clock: at least. */
static uint64_t open_for(const struct box *box, uint64_t open, bool ticks)
{
    const uint64_t round = (UINT64_C(1) << 42) - 1, ahead = round / 4;
    const uint64_t clock = ticks ? box->head->tick : box->head->mono_ns;
    const uint64_t ago = ((clock >> 10) - open / WIRE_APPLIES_MAX) & round;
    const uint64_t most = (ago << 10) + clock % 1024;
    const uint64_t least = round - ago < ahead || most < 1023 ? 0 : most - 1023;
    return ticks ? ns_of(box, least) : bounded(least);
}

/* -------------------------------------------------------------------------------- definitions */

/* A table of the log: its group of the wire, the columns that its numbers and texts have there, and
 * how many rows there may be. */
static const struct table {
    enum wire_group group;
    enum model_table model;
    uint32_t most;
    uint8_t number[SHARED_BOX_NUMBERS], text[SHARED_BOX_TEXTS];
} tables[SHARED_BOX_UNSEEN] = {
    [SHARED_BOX_CLASS] = {WIRE_G_CLASS, MODEL_CLASS, WIRE_CLASSES_MAX, {0}, {0}},
    [SHARED_BOX_OP] = {WIRE_G_OP, MODEL_OP, WIRE_OPS_MAX, {0}, {1, DISPLAY}},
    [SHARED_BOX_FUNCTION] =
        {WIRE_G_FUNCTION, MODEL_FUNCTION, WIRE_FUNCTIONS_MAX, {2, 3, 4, 5}, {0, 1}},
    [SHARED_BOX_APPLY] =
        {WIRE_G_APPLY, MODEL_APPLY, WIRE_APPLIES_MAX, {0, 1, 2, 5, 6, 7, 8, WAITS}, {3, 4}},
    [SHARED_BOX_NAME] = {WIRE_G_THREAD, MODEL_THREAD, WIRE_THREADS_MAX, {1}, {0}},
};

/* A record, as its group of the wire would have it. */
struct row {
    struct viewer_apply_row row;
    uint64_t first; /* its first number */
    struct wire_text display;
};

static bool read_number(const uint8_t **from, const uint8_t *end, void *to, size_t size)
{
    if ((size_t)(end - *from) < size)
        return false;
    memcpy(to, *from, size);
    *from += size;
    return true;
}

static bool read_text(const uint8_t **from, const uint8_t *end, struct wire_text *text)
{
    uint32_t size;
    if (!read_number(from, end, &size, sizeof size) || size > (size_t)(end - *from) ||
        size > WIRE_TEXT_MAX)
        return false;
    *text = (struct wire_text){(const char *)*from, size};
    *from += size;
    return true;
}

/* Reads what is behind the head of a record. */
static bool read_row(const uint8_t *from, const uint8_t *end, enum shared_box_table at,
                     struct row *row)
{
    const struct table *table = at == SHARED_BOX_UNSEEN ? NULL : &tables[at];
    *row = (struct row){.display = {"", 0}};
    for (uint32_t i = 0; i < shared_box_numbers(at); i++) {
        uint64_t number;
        if (!read_number(&from, end, &number, sizeof number))
            return false;
        row->first = i == 0 ? number : row->first;
        if (table && table->number[i] == WAITS)
            row->row.waits = number;
        else if (table)
            row->row.u[table->number[i]] = number;
    }
    for (uint32_t i = 0; i < shared_box_texts(at); i++) {
        const bool display = table && table->text[i] == DISPLAY;
        if (!read_text(&from, end, display ? &row->display : &row->row.text[table->text[i]]))
            return false;
    }
    return true;
}

static bool has(const struct model_job *job, enum model_table table, uint64_t id)
{
    return id < model_job_count(job, table);
}

/* Adds the row to its table. False: there is no such row. */
static bool add_row(struct box *box, enum shared_box_table at, const struct row *row)
{
    const struct table *table = &tables[at];
    const uint32_t id = model_job_count(box->job, table->model);
    return id < table->most && model_job_text_bytes(box->job) <= WIRE_TEXTS_MAX &&
           (row->display.size == 0 ||
            model_job_set_display(box->job, id, row->display.data, row->display.size)) &&
           viewer_apply_definition(box->job, table->group, &row->row) == VIEWER_APPLY_DONE;
}

/* Reads one area of the log. Returns false where it is damaged. */
static bool read_log(struct box *box, const struct shared_box_area *area)
{
    for (uint32_t at = 0; at < area->used;) {
        struct shared_box_record record;
        struct row row;
        const uint8_t *from = box->bytes + area->offset + at;
        if (area->used - at < sizeof record)
            return false;
        memcpy(&record, from, sizeof record);
        if (record.size < sizeof record || record.size > area->used - at || record.size % 8 != 0 ||
            record.table >= SHARED_BOX_TABLES ||
            !read_row(from + sizeof record, from + record.size, (enum shared_box_table)record.table,
                      &row))
            return false;
        if (record.table != SHARED_BOX_UNSEEN) {
            if (!add_row(box, (enum shared_box_table)record.table, &row))
                return false;
        } else if (has(box->job, MODEL_FUNCTION, row.first))
            box->unseen[row.first] = 1;
        at += record.size;
    }
    return true;
}

/* Areas of the log are in the order in which they were begun. */
static void read_definitions(struct box *box)
{
    for (uint32_t i = 0; i < SHARED_BOX_AREAS && !box->cut; i++)
        if (box->area[i].kind == SHARED_BOX_LOG)
            box->cut = !read_log(box, &box->area[i]);
}

/* -------------------------------------------------------------------------------------- slots */

static void add_slot(struct box *box, struct sum *sum, const struct shared_box_slot *slot,
                     bool in_ticks)
{
    const bool ticks = in_ticks && (slot->kind & KIND_SOURCE) == MODEL_TIMED + 1;
    const uint64_t untimed = slot->untimed < slot->calls ? slot->untimed : slot->calls;
    uint64_t value[] = {slot->min, slot->max, slot->last};
    if (slot->kind == 0)
        return;
    sum->known = true;
    sum->calls = plus(sum->calls, slot->calls);
    sum->timed = plus(sum->timed, slot->calls - untimed);
    uint64_t *total = ticks ? &sum->ticks : &sum->ns;
    *total = plus(*total, slot->total);
    for (int i = 0; i < 3; i++)
        value[i] = ticks ? ns_of(box, value[i]) : bounded(value[i]);
    const bool set = (slot->kind & KIND_SOURCE) == MODEL_SET + 1;
    sum->given |= set ? slot->last : 0;
    if (slot->calls == untimed || slot->stale || set)
        return;
    sum->min = !sum->seen || value[0] < sum->min ? value[0] : sum->min;
    sum->max = !sum->seen || value[1] > sum->max ? value[1] : sum->max;
    sum->last = value[2];
    sum->seen = true;
}

/* A call was being counted when the job was killed: its call is there, and its time may be not. */
static bool is_torn(const struct shared_box_slot *slot)
{
    return slot->kind != 0 && (slot->kind & KIND_SOURCE) != MODEL_SET + 1 &&
           slot->sequence != (uint32_t)slot->calls;
}

/* The start of an open call of a function by the monotonic clock; the earliest of all threads. */
static void add_open(const struct box *box, struct sum *sum, const struct shared_box_slot *slot,
                     bool ticks)
{
    uint64_t since = slot->aux & ~(UINT64_C(1) << 63);
    if (slot->aux == 0)
        return;
    if (ticks && slot->aux == since)
        since = since < box->head->opened_tick
                    ? box->head->opened_ns
                    : plus(box->head->opened_ns, ns_of(box, since - box->head->opened_tick));
    sum->open = since < sum->open ? since : sum->open;
}

/* Adds up the slots of a kind for ids below `count`. */
static void add_slots(struct box *box, enum shared_box_kind kind, struct sum *sum, uint32_t count)
{
    for (uint32_t i = 0; i < SHARED_BOX_AREAS; i++) {
        const struct shared_box_area *area = &box->area[i];
        if (area->kind != (uint32_t)kind || !box->known[area->block])
            continue;
        const struct shared_box_slot *slot = (const void *)(box->bytes + area->offset);
        const bool ticks = box->ticks[area->block] != 0;
        for (uint32_t n = 0; n < SHARED_BOX_CHUNK; n++) {
            const uint64_t id = (uint64_t)area->at * SHARED_BOX_CHUNK + n;
            if (id >= count)
                break;
            add_slot(box, &sum[id], &slot[n], ticks);
            box->torn += is_torn(&slot[n]);
            if (kind == SHARED_BOX_CALLS)
                add_open(box, &sum[id], &slot[n], ticks);
            if (kind == SHARED_BOX_VM && slot[n].kind != 0) {
                uint64_t *more = ticks ? &sum[id].ticks : &sum[id].ns;
                *more = plus(*more, slot[n].aux);
            }
        }
    }
}

static struct sum *sums(uint32_t count)
{
    struct sum *sum = calloc(count + 1, sizeof *sum);
    for (uint32_t i = 0; sum != NULL && i < count; i++)
        sum[i].open = MODEL_UNKNOWN;
    return sum;
}

/* Time of all calls, and the error of that if not all were timed: half of the interval that holds
 * the time in 95 of 100 cases. The calls between the shortest and the longest with this mean vary
 * by (max - mean) * (mean - min) at most (Bhatia and Davis, Am. Math. Monthly 107, 2000). A job
 * that runs knows more, so its bars are narrower. */
static uint64_t whole_ns(const struct box *box, const struct sum *sum, uint64_t *error_ns)
{
    const uint64_t ns = plus(sum->ns, ns_of(box, sum->ticks));
    *error_ns = MODEL_UNKNOWN;
    if (sum->timed == 0 || sum->timed >= sum->calls)
        return ns;
    const double n = (double)sum->timed, all = (double)sum->calls, mean = (double)ns / n;
    const double over = (double)sum->max - mean, under = mean - (double)sum->min;
    const double variance = over > 0 && under > 0 ? over * under : 0;
    const double error = 2.33 * sqrt(variance * all * (all - n) / n), whole = mean * all;
    *error_ns = sum->seen ? error < (double)WIRE_VALUE_MAX ? (uint64_t)error : WIRE_VALUE_MAX
                          : bounded((uint64_t)(whole < 4e18 ? whole : 4e18));
    return whole < (double)WIRE_VALUE_MAX ? (uint64_t)whole : WIRE_VALUE_MAX;
}

/* ------------------------------------------------------------------------------------- the job */

struct columns {
    size_t n;
    uint64_t id[BATCH], calls[BATCH], total[BATCH], last[BATCH], open[BATCH], min[BATCH],
        max[BATCH], timed[BATCH], error[BATCH];
};

static void flush_applies(struct box *box, struct columns *to)
{
    model_job_set_values(box->job, to->n, to->id, to->calls, to->total, to->last, to->open, false);
    model_job_set_extremes(box->job, to->n, to->id, to->min, to->max, to->timed, false);
    model_job_set_errors(box->job, to->n, to->id, to->error);
    to->n = 0;
}

static void set_applies(struct box *box, struct columns *to, const struct sum *sum, uint32_t count)
{
    to->n = 0;
    for (uint32_t id = 0; id < count; id++) {
        const struct sum *of = &sum[id];
        if (!of->known && of->open == MODEL_UNKNOWN)
            continue;
        const size_t n = to->n++;
        to->id[n] = id;
        to->calls[n] = of->calls;
        to->total[n] = whole_ns(box, of, &to->error[n]);
        to->open[n] = of->open;
        to->last[n] = of->seen ? of->last : MODEL_UNKNOWN;
        to->min[n] = of->seen ? of->min : MODEL_UNKNOWN;
        to->max[n] = of->seen ? of->max : MODEL_UNKNOWN;
        to->timed[n] = of->timed == of->calls ? MODEL_EVERY_CALL : of->timed;
        if (to->n == BATCH)
            flush_applies(box, to);
    }
    flush_applies(box, to);
}

static void set_function(struct box *box, uint32_t id, const struct sum *calls,
                         const struct sum *vm)
{
    const uint8_t source = model_job_function(box->job, id)->source;
    const bool timed = source == MODEL_TIMED && (calls->calls > 0 || !box->unseen[id]);
    uint64_t error_ns = MODEL_UNKNOWN;
    const uint64_t given = timed ? KNOWN_CALLS | KNOWN_NS : source == MODEL_SET ? calls->given : 0;
    const uint64_t of = id, number = given & KNOWN_CALLS ? calls->calls : MODEL_UNKNOWN;
    const uint64_t ns = given & KNOWN_NS ? whole_ns(box, calls, &error_ns) : MODEL_UNKNOWN;
    const bool sampled = timed && calls->timed < calls->calls;
    /* Of sampled calls, the time in the machine is of the timed ones. */
    const uint64_t vm_ns =
        vm->known && !sampled ? plus(vm->ns, ns_of(box, vm->ticks)) : MODEL_UNKNOWN;
    model_job_set_calls(box->job, 1, &of, &number, &ns, &vm_ns, &calls->open, false);
    if (sampled)
        model_job_set_sampled(box->job, 1, &of, &calls->timed, &error_ns, false);
}

/* Adds what the threads were in to the sums, and lists the innermost of each thread. */
static bool set_open(struct box *box, struct sum *sum, uint32_t count)
{
    struct model_now *now = calloc(BLOCKS, sizeof *now);
    size_t n = 0;
    for (uint32_t i = 0; now != NULL && i < SHARED_BOX_AREAS; i++) {
        const struct shared_box_area *area = &box->area[i];
        if (area->kind != SHARED_BOX_THREAD)
            continue;
        const struct shared_box_front *front = (const void *)(box->bytes + area->offset);
        const struct shared_box_thread *thread =
            (const void *)(box->bytes + area->offset + box->head->page);
        const bool ticks = thread->ticks == 1;
        const uint32_t apply = front->now % WIRE_APPLIES_MAX;
        if (front->now == 0 || front->now == front->ended || apply >= count ||
            thread->defined == 0 || !has(box->job, MODEL_THREAD, thread->defined - 1))
            continue;
        uint32_t depth = thread->nest.depth < SHARED_BOX_NESTED ? thread->nest.depth : 0;
        for (uint32_t at = 0; at < depth; at++)
            if (thread->nest.open[at] == front->now)
                depth = at;
        for (uint32_t at = 0; at <= depth; at++) {
            const uint64_t open = at == depth ? front->now : thread->nest.open[at];
            const uint32_t id = open % WIRE_APPLIES_MAX;
            if (id >= count || (at < depth && open == front->ended))
                continue;
            const uint64_t ns = open_for(box, open, ticks);
            sum[id].open = sum[id].open == MODEL_UNKNOWN ? ns : plus(sum[id].open, ns);
        }
        const uint64_t ns = open_for(box, front->now, ticks);
        now[n++] = (struct model_now){
            .thread = thread->defined - 1,
            .apply = apply,
            .since_ns = box->head->mono_ns > ns ? box->head->mono_ns - ns : 0,
        };
    }
    const bool set = now != NULL && model_job_set_now(box->job, n, now, box->head->mono_ns);
    free(now);
    return set;
}

static bool set_text(struct model_job *job, struct model_text *field, const char *from, size_t size)
{
    return model_job_set_text(job, field, from, strnlen(from, size));
}

static bool identify(struct box *box)
{
    struct model_identity *who = model_job_identity_mutable(box->job);
    const struct shared_box_job *job = &box->head->job;
    who->pid = job->pid;
    who->start = job->start;
    return set_text(box->job, &who->host, job->host, sizeof job->host) &&
           set_text(box->job, &who->program, job->program, sizeof job->program) &&
           set_text(box->job, &who->framework, job->framework, sizeof job->framework) &&
           set_text(box->job, &who->framework_version, job->framework_version,
                    sizeof job->framework_version);
}

static void say(struct box *box, unsigned level, const char *text)
{
    model_job_add_notice(box->job, box->head->wall_ns, level, text, strlen(text));
}

static void say_what_is_missing(struct box *box)
{
    char text[256];
    const uint64_t unkept = box->head->unkept;
    if (box->cut)
        say(box, 2, "The definitions in the file break off: rows behind that are missing.");
    if (unkept > 0) {
        snprintf(text, sizeof text,
                 "The file had no place for %" PRIu64
                 " threads, chunks of 1,024 rows of a thread, or "
                 "definitions: their calls are missing.",
                 unkept);
        say(box, 2, text);
    }
    if (box->torn > 0) {
        snprintf(text, sizeof text,
                 "%" PRIu64 " calls were being counted at the end: their times may be missing.",
                 box->torn);
        say(box, 1, text);
    }
}

static bool build(struct box *box)
{
    model_job_begin_tick(box->job, 1);
    read_definitions(box);
    const uint32_t applies = model_job_count(box->job, MODEL_APPLY),
                   functions = model_job_count(box->job, MODEL_FUNCTION);
    struct sum *apply = sums(applies), *calls = sums(functions), *vm = sums(functions);
    struct columns *columns = malloc(sizeof *columns);
    const bool fits = apply && calls && vm && columns && identify(box);
    if (fits) {
        model_job_set_stamp(box->job, box->head->mono_ns, box->head->wall_ns);
        add_slots(box, SHARED_BOX_SLOTS, apply, applies);
        add_slots(box, SHARED_BOX_CALLS, calls, functions);
        add_slots(box, SHARED_BOX_VM, vm, functions);
    }
    const bool set = fits && set_open(box, apply, applies);
    if (set) {
        set_applies(box, columns, apply, applies);
        for (uint32_t id = 0; id < functions; id++)
            set_function(box, id, &calls[id], &vm[id]);
        model_job_end_tick(box->job);
        say_what_is_missing(box);
        model_job_set_complete(box->job);
        model_job_set_ended(box->job, true);
    }
    free(apply);
    free(calls);
    free(vm);
    free(columns);
    return set || refuse(box, "is larger than the memory that is left");
}

struct model_job *viewer_black_box_parse(const void *bytes, size_t size, char *why, size_t capacity)
{
    struct model_job *job = NULL;
    struct box *box = calloc(1, sizeof *box);
    if (box == NULL) {
        snprintf(why, capacity, "is larger than the memory that is left");
        return NULL;
    }
    box->bytes = bytes;
    box->size = size;
    box->why = why;
    box->capacity = capacity;
    if (check(box)) {
        box->job = model_job_new(box->head->job.instance);
        if (box->job == NULL)
            refuse(box, "is larger than the memory that is left");
        else if (!build(box))
            model_job_release(&box->job);
        job = box->job;
    }
    free(box);
    return job;
}

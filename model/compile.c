/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * compile.c: numbers the reported compilations and phases, and nests them.
 */
#include "model/compile.h"

#include <stdlib.h>
#include <string.h>

#include "model/job_private.h"

#define WORD(text)                                                                                 \
    {                                                                                              \
        text, text, sizeof(text) - 1, sizeof(text) - 1                                             \
    }

/* A part has the same kind as its phases. */
static const struct {
    struct model_text name;
    uint8_t kind; /* enum model_phase_kind; the whole has a kind of its own */
} parts[MODEL_COMPILE_PARTS] = {
    [MODEL_COMPILE_WHOLE] = {WORD("compile"), MODEL_PHASE_KINDS},
    [MODEL_COMPILE_REWRITE] = {WORD("rewrite"), MODEL_PHASE_REWRITE},
    [MODEL_COMPILE_LINK] = {WORD("link"), MODEL_PHASE_LINK},
};

/* The part that contains a phase, if no other phase does. */
static const uint8_t part_of[MODEL_PHASE_KINDS] = {
    [MODEL_PHASE_OTHER] = MODEL_COMPILE_WHOLE,
    [MODEL_PHASE_REWRITE] = MODEL_COMPILE_REWRITE,
    [MODEL_PHASE_VALIDATE] = MODEL_COMPILE_REWRITE,
    [MODEL_PHASE_LINK] = MODEL_COMPILE_LINK,
    [MODEL_PHASE_CODEGEN] = MODEL_COMPILE_LINK,
    [MODEL_PHASE_THUNKS] = MODEL_COMPILE_LINK,
};

static const struct model_text kind_word[MODEL_PHASE_KINDS + 1] = {
    [MODEL_PHASE_OTHER] = WORD("other"),       [MODEL_PHASE_REWRITE] = WORD("rewrite"),
    [MODEL_PHASE_VALIDATE] = WORD("validate"), [MODEL_PHASE_LINK] = WORD("link"),
    [MODEL_PHASE_CODEGEN] = WORD("codegen"),   [MODEL_PHASE_THUNKS] = WORD("thunks"),
    [MODEL_PHASE_KINDS] = WORD("compile"),
};

/* -------------------------------------------------------------------------------------- telling */

static bool add(struct model_job *job, const struct model_compile_def *def)
{
    struct model_compile_def *row = model_rows_next(&job->compiling, sizeof(*row));
    if (!row)
        return false;
    *row = *def;
    job->compiling.count++;
    return true;
}

bool model_compile_add_phase(struct model_job *job, uint32_t function, uint32_t phase)
{
    return add(job, &(struct model_compile_def){.function = function, .phase = phase});
}

static bool has_parts(const struct model_job *job, uint32_t function)
{
    return function < job->compiled_bytes && job->compiled[function];
}

bool model_compile_add_function(struct model_job *job, uint32_t function)
{
    if (has_parts(job, function))
        return true;
    if (function >= job->compiled_bytes) {
        uint32_t bytes = job->values.functions;
        uint8_t *grown = realloc(job->compiled, bytes);
        if (!grown)
            return false;
        memset(grown + job->compiled_bytes, 0, bytes - job->compiled_bytes);
        job->compiled = grown;
        job->compiled_bytes = bytes;
    }
    for (uint8_t part = 0; part < MODEL_COMPILE_PARTS; part++)
        if (!add(job, &(struct model_compile_def){function, MODEL_NONE, part}))
            return false;
    job->compiled[function] = true;
    return true;
}

uint32_t model_job_compiles(const struct model_job *job)
{
    return job->compiling.count;
}

const struct model_compile_def *model_job_compile(const struct model_job *job, uint32_t id)
{
    return (const struct model_compile_def *)job->compiling.data + id;
}

static unsigned kind_of(const struct model_job *job, const struct model_compile_def *def)
{
    if (def->phase == MODEL_NONE)
        return parts[def->part].kind;
    const uint64_t kind = job->values.phase[def->phase].kind;
    return kind < MODEL_PHASE_KINDS ? (unsigned)kind : MODEL_PHASE_OTHER;
}

const struct model_text *model_compile_kind(const struct model_job *job, uint32_t id)
{
    return &kind_word[kind_of(job, model_job_compile(job, id))];
}

const struct model_text *model_compile_name(const struct model_job *job, uint32_t id)
{
    const struct model_compile_def *def = model_job_compile(job, id);
    if (def->phase == MODEL_NONE)
        return &parts[def->part].name;
    const struct model_text *name = &job->values.phase[def->phase].name;
    return name->raw_size > 0 ? name : model_compile_kind(job, id);
}

const struct model_phase *model_compile_phase(const struct model_state *state, uint32_t id)
{
    const uint32_t phase = model_job_compile(state->job, id)->phase;
    return phase < state->phases ? &state->phase[phase] : NULL;
}

/* -------------------------------------------------------------------------------------- nesting */

/* Working data while rows are built. Row references are the row plus 1; 0: none. */
struct nesting {
    struct model_state *state;
    uint32_t *part;  /* by function and part: the row that stands for it */
    uint32_t *phase; /* by phase number: its row */
    uint32_t *first, *last; /* by row, then by function: first and last row inside */
    uint32_t *next;         /* by row: the next row in the same list */
};

static struct model_row *row_at(const struct nesting *n, uint32_t id)
{
    return &n->state->compile[id];
}

static uint64_t so_far(const struct model_state *state, uint64_t since_ns)
{
    if (since_ns == MODEL_UNKNOWN)
        return MODEL_UNKNOWN;
    return state->mono_ns > since_ns ? state->mono_ns - since_ns : 0;
}

/* Sets calls and times of a row. The row is in scope if anything was reported for it. */
static void take_values(const struct nesting *n, uint32_t id)
{
    struct model_state *state = n->state;
    const struct model_compile_def *def = model_job_compile(state->job, id);
    const struct model_function_value *value = &state->function[def->function];
    const struct model_phase *phase = model_compile_phase(state, id);
    const uint64_t of_part[] = {value->compile_ns, value->rewrite_ns, value->link_ns};
    const bool whole = !phase && def->part == MODEL_COMPILE_WHOLE;
    uint64_t total_ns = phase ? phase->total_ns : of_part[def->part];
    uint64_t since_ns = phase ? phase->open_since_ns : whole ? value->compile_since_ns
                                                             : MODEL_UNKNOWN;
    uint64_t open_ns = so_far(state, since_ns);
    bool reported = phase ? phase->rev > 0 : total_ns != MODEL_UNKNOWN || open_ns != MODEL_UNKNOWN;
    if (open_ns != MODEL_UNKNOWN)
        total_ns = model_state_plus(total_ns == MODEL_UNKNOWN ? 0 : total_ns, open_ns);
    state->nest[id] = (struct model_nest){.open_ns = open_ns, .parent = MODEL_NONE};
    *row_at(n, id) = (struct model_row){
        .id = id,
        .calls = phase ? phase->calls : MODEL_UNKNOWN,
        .total_ns = total_ns,
        .self_ns = total_ns,
        .interval_calls = MODEL_UNKNOWN,
        .interval_ns = MODEL_UNKNOWN,
        .min_ns = MODEL_UNKNOWN,
        .max_ns = MODEL_UNKNOWN,
        .last_ns = MODEL_UNKNOWN,
        .timed = MODEL_UNKNOWN,
        .in_scope = reported && state->part[def->function] != MODEL_PART_OUT,
    };
}

static uint32_t *place_of_part(const struct nesting *n, uint32_t function, unsigned part)
{
    return &n->part[(size_t)function * MODEL_COMPILE_PARTS + part];
}

/* A top-level phase with the name and kind of a part is that part. */
static bool is_part(const struct nesting *n, uint32_t id, unsigned part)
{
    const struct model_phase *phase = model_compile_phase(n->state, id);
    const struct model_text *name = &parts[part].name;
    return phase->parent == MODEL_NONE && phase->kind == parts[part].kind &&
           phase->name.raw_size == name->raw_size &&
           memcmp(phase->name.raw, name->raw, name->raw_size) == 0;
}

static void find_phases(const struct nesting *n)
{
    struct model_state *state = n->state;
    for (uint32_t id = 0; id < state->compiles; id++) {
        const struct model_compile_def *def = model_job_compile(state->job, id);
        if (def->phase == MODEL_NONE || !row_at(n, id)->in_scope)
            continue;
        n->phase[def->phase] = id + 1;
        for (unsigned part = 0; part < MODEL_COMPILE_PARTS; part++)
            if (is_part(n, id, part))
                *place_of_part(n, def->function, part) = id + 1;
    }
}

static void find_parts(const struct nesting *n)
{
    struct model_state *state = n->state;
    for (uint32_t id = 0; id < state->compiles; id++) {
        const struct model_compile_def *def = model_job_compile(state->job, id);
        if (def->phase != MODEL_NONE)
            continue;
        uint32_t *place = place_of_part(n, def->function, def->part);
        row_at(n, id)->in_scope &= *place == 0;
        if (row_at(n, id)->in_scope)
            *place = id + 1;
    }
}

/* Returns the row that contains a row, plus 1; 0: none. */
static uint32_t outer_of(const struct nesting *n, uint32_t id)
{
    const struct model_compile_def *def = model_job_compile(n->state->job, id);
    const struct model_phase *phase = model_compile_phase(n->state, id);
    uint32_t around = phase && phase->parent < n->state->phases ? n->phase[phase->parent] : 0;
    if (around > 0 && model_job_compile(n->state->job, around - 1)->function == def->function)
        return around;
    unsigned part = phase ? part_of[kind_of(n->state->job, def)] : MODEL_COMPILE_WHOLE;
    uint32_t outer = *place_of_part(n, def->function, part);
    if (outer == 0 || outer == id + 1)
        outer = *place_of_part(n, def->function, MODEL_COMPILE_WHOLE);
    return outer == id + 1 ? 0 : outer;
}

/* Subtracts a nested row from the self time of its outer row. If the outer row has less time left,
 * another nested row already covers the difference: imports are reported as one phase, and happen
 * while thunks are made. That difference is taken off the nested row, so self times add up to the
 * whole. */
static void take_self(struct model_row *around, struct model_row *inside)
{
    const uint64_t left_ns = around->self_ns, inside_ns = inside->total_ns;
    if (left_ns == MODEL_UNKNOWN || inside_ns == MODEL_UNKNOWN)
        return;
    const uint64_t twice_ns = inside_ns > left_ns ? inside_ns - left_ns : 0;
    around->self_ns -= inside_ns - twice_ns;
    inside->self_ns -= twice_ns < inside->self_ns ? twice_ns : inside->self_ns;
}

/* Appends each row to the list of its outer row, in the order in which rows were first seen. */
static void nest(const struct nesting *n)
{
    struct model_state *state = n->state;
    for (uint32_t id = 0; id < state->compiles; id++) {
        if (!row_at(n, id)->in_scope)
            continue;
        uint32_t outer = outer_of(n, id);
        uint32_t list = outer > 0 ? outer - 1
                                  : state->compiles + model_job_compile(state->job, id)->function;
        uint32_t *behind = n->last[list] > 0 ? &n->next[n->last[list] - 1] : &n->first[list];
        *behind = n->last[list] = id + 1;
        state->nest[id].parent = outer > 0 ? outer - 1 : MODEL_NONE;
        if (outer > 0)
            take_self(row_at(n, outer - 1), row_at(n, id));
    }
}

/* Numbers a tree in pre-order: a row before the rows inside it. Returns the last number. */
static uint32_t number(const struct nesting *n, uint32_t top, uint32_t place)
{
    struct model_nest *all = n->state->nest;
    uint32_t at = top, depth = 0;
    while (at > 0) {
        all[at - 1].place = ++place;
        all[at - 1].depth = depth;
        if (n->first[at - 1] > 0) {
            at = n->first[at - 1];
            depth++;
            continue;
        }
        while (at > 0 && n->next[at - 1] == 0) {
            at = all[at - 1].parent + 1; /* MODEL_NONE becomes 0 */
            depth -= at > 0;
        }
        at = at > 0 ? n->next[at - 1] : 0;
    }
    return place;
}

static void take(const struct nesting *n)
{
    struct model_state *state = n->state;
    uint32_t place = 0;
    for (uint32_t id = 0; id < state->compiles; id++)
        take_values(n, id);
    find_phases(n);
    find_parts(n);
    nest(n);
    for (uint32_t f = 0; f < state->count[MODEL_FUNCTION]; f++)
        place = number(n, n->first[state->compiles + f], place);
}

bool model_compile_take(struct model_state *state)
{
    const uint32_t rows = model_job_compiles(state->job);
    const size_t functions = state->count[MODEL_FUNCTION];
    if (rows == 0)
        return true;
    state->compile = malloc(rows * sizeof(*state->compile));
    state->nest = malloc(rows * sizeof(*state->nest));
    struct nesting n = {.state = state};
    size_t numbers = functions * (MODEL_COMPILE_PARTS + 2) + state->phases + 3 * (size_t)rows;
    uint32_t *all = calloc(numbers, sizeof(*all));
    bool fine = state->compile && state->nest && all;
    if (fine) {
        state->compiles = rows;
        n.part = all;
        n.phase = n.part + functions * MODEL_COMPILE_PARTS;
        n.first = n.phase + state->phases;
        n.last = n.first + rows + functions;
        n.next = n.last + rows + functions;
        take(&n);
    }
    free(all);
    return fine;
}

void model_compile_release(struct model_state *state)
{
    free(state->compile);
    free(state->nest);
}

bool model_compile_there(const struct model_state *state)
{
    for (uint32_t id = 0; state && id < state->compiles; id++)
        if (state->compile[id].in_scope)
            return true;
    return false;
}

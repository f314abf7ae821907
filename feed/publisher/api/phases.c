/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * phases.c: the calls that report the phases of a compilation.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "feed/protocol/columns.h"
#include "feed/publisher/api/define.h"
#include "feed/publisher/record/clock.h"
#include "feed/publisher/record/lock.h"
#include "proftop_adapter.h"

enum {
    FIRST_CAPACITY = 16,
    /* From this many phases on, phases of functions without any are summed up by name. The
     * remaining ids are for those names, and for functions that already have phases. */
    ONE_BY_ONE = WIRE_PHASES_MAX / 8 * 7,
};
#define REST "other compilations"

/* ---------------------------------------------------------------------------------- the tree */

/* Identity of a phase. */
struct key {
    uint32_t function, parent_plus_1, kind;
    const char *name;
    size_t size;
};

static bool is_it(const struct publisher_phase *phase, const struct key *key)
{
    return phase->function == key->function && phase->kind == key->kind &&
           phase->name.size == key->size && memcmp(phase->name.data, key->name, key->size) == 0;
}

/* Returns the link to the first phase of a parent, or to the first without one. */
static uint32_t *beside(struct publisher_phases *phases, uint32_t parent_plus_1)
{
    return parent_plus_1 == 0 ? &phases->first_root
                              : &publisher_phase_at(phases, parent_plus_1)->first_inside;
}

static uint32_t find(struct publisher_phases *phases, const struct key *key)
{
    uint32_t at = *beside(phases, key->parent_plus_1);
    while (at != 0 && !is_it(publisher_phase_at(phases, at), key))
        at = publisher_phase_at(phases, at)->next_beside;
    return at;
}

static bool make_room(struct publisher_phases *phases)
{
    if (phases->count < phases->capacity)
        return true;
    uint32_t capacity = phases->capacity == 0 ? FIRST_CAPACITY : 2 * phases->capacity;
    if (capacity > WIRE_PHASES_MAX)
        return false;
    struct publisher_phase *row = realloc(phases->row, capacity * sizeof *row);
    if (row == NULL)
        return false;
    phases->row = row;
    phases->capacity = capacity;
    return true;
}

static uint32_t add(struct publisher_core *core, const struct key *key)
{
    struct publisher_phases *phases = &core->phases;
    struct wire_text name;
    char text[WIRE_LABEL_MAX + 1];
    memcpy(text, key->name, key->size);
    text[key->size] = 0;
    if (!make_room(phases) || !publisher_definitions_text(&core->definitions, text, &name))
        return 0;
    phases->row[phases->count] = (struct publisher_phase){
        .name = name,
        .function = key->function,
        .parent_plus_1 = key->parent_plus_1,
        .kind = key->kind,
        .next_beside = *beside(phases, key->parent_plus_1),
        .total_ns = PROFTOP_UNKNOWN,
        .validate_ns = PROFTOP_UNKNOWN,
        .before = PROFTOP_UNKNOWN,
        .after = PROFTOP_UNKNOWN,
    };
    *beside(phases, key->parent_plus_1) = ++phases->count;
    return phases->count;
}

/* True if this is the function whose phases are sums by name. */
static bool is_rest(const struct publisher_phases *phases, uint32_t function)
{
    return phases->rest_plus_1 == function + 1;
}

static bool has_begun(const struct publisher_phases *phases, uint32_t function)
{
    uint32_t at = phases->first_root;
    while (at != 0 && publisher_phase_at(phases, at)->function != function)
        at = publisher_phase_at(phases, at)->next_beside;
    return at != 0;
}

/* Finds or makes the function whose phases are sums by name. Returns PROFTOP_NONE if it cannot. */
static uint32_t rest_of(struct publisher_core *core)
{
    struct publisher_phases *phases = &core->phases;
    if (phases->rest_plus_1 == 0) {
        const uint32_t function = publisher_define_function(core, REST);
        phases->rest_plus_1 = function + 1; /* without one, 0 */
        if (function != PROFTOP_NONE)
            publisher_add_notice(
                core, 0,
                "there are many compilations: phases of further ones are summed up "
                "by name, as function '" REST "'");
    }
    return phases->rest_plus_1 - 1;
}

/* Finds or adds a phase, and returns its id plus 1. Returns 0 on misuse, or if the phase is lost,
 * and counts that. */
static uint32_t take(struct publisher_core *core, uint32_t function, uint32_t parent, unsigned kind,
                     const char *name)
{
    struct publisher_phases *phases = &core->phases;
    name = name == NULL ? "" : name;
    struct key key = {function, parent + 1, kind, name, publisher_text_cut(name, WIRE_LABEL_MAX)};
    bool known =
        function < publisher_definitions_count(&core->definitions, PUBLISHER_DEF_FUNCTION) &&
        kind <= PROFTOP_PHASE_THUNKS &&
        (parent == PROFTOP_NONE ||
         (parent < phases->count && (phases->row[parent].function == function ||
                                     is_rest(phases, phases->row[parent].function))));
    if (!known) {
        publisher_count_misuse(core);
        return 0;
    }
    if (parent != PROFTOP_NONE)
        key.function = phases->row[parent].function;
    else if (phases->count >= ONE_BY_ONE && !has_begun(phases, function))
        key.function = rest_of(core);
    uint32_t at = key.function == PROFTOP_NONE ? 0 : find(phases, &key);
    if (at == 0 && key.function != PROFTOP_NONE)
        at = add(core, &key);
    if (at == 0)
        publisher_count_lost(core, PUBLISHER_LOST_PHASES);
    return at;
}

/* --------------------------------------------------------------------------------- the calls */

/* Adds to a sum; an unknown addend changes nothing, an unknown sum starts at 0. Returns false, and
 * adds nothing, if `more` is above `most` or the sum would be too large. */
static bool plus(uint64_t *sum, uint64_t more, uint64_t most)
{
    if (more == PROFTOP_UNKNOWN)
        return true;
    uint64_t was = *sum == PROFTOP_UNKNOWN ? 0 : *sum;
    if (more > most || was > WIRE_VALUE_MAX - more)
        return false;
    *sum = was + more;
    return true;
}

proftop_id proftop_phase_begin(struct proftop *feed, proftop_id function, proftop_id parent,
                               enum proftop_phase_kind kind, const char *name, uint64_t nodes)
{
    struct publisher_core *core = publisher_lock(feed);
    if (core == NULL)
        return PROFTOP_NONE;
    uint32_t at = take(core, function, parent, kind, name);
    if (at != 0) {
        struct publisher_phase *phase = publisher_phase_at(&core->phases, at);
        if (phase->open++ == 0)
            phase->since_ns = publisher_clock_ns();
        if (phase->calls == 0 && phase->open == 1 && !is_rest(&core->phases, phase->function))
            phase->before = publisher_known_or_not(nodes, &core->handle->invalid);
        publisher_phase_enqueue(&core->phases, at);
    }
    publisher_unlock(core);
    return at - 1; /* 0 becomes PROFTOP_NONE */
}

static void end(struct publisher_core *core, uint32_t at, uint64_t validate_ns, uint64_t nodes)
{
    struct publisher_phase *phase = publisher_phase_at(&core->phases, at);
    phase->open--;
    phase->calls++;
    uint64_t took = phase->open == 0 ? publisher_clock_ns() - phase->since_ns : 0;
    if (!plus(&phase->total_ns, took, PUBLISHER_ABSURD_NS) ||
        !plus(&phase->validate_ns, validate_ns, PUBLISHER_ABSURD_NS))
        publisher_count_one(&core->handle->invalid);
    if (!is_rest(&core->phases, phase->function))
        phase->after = publisher_known_or_not(nodes, &core->handle->invalid);
    publisher_phase_enqueue(&core->phases, at);
}

void proftop_phase_end(struct proftop *feed, proftop_id phase, uint64_t validate_ns, uint64_t nodes)
{
    struct publisher_core *core = publisher_lock(feed);
    if (core == NULL)
        return;
    if (phase < core->phases.count && core->phases.row[phase].open > 0)
        end(core, phase + 1, validate_ns, nodes);
    else
        publisher_count_misuse(core);
    publisher_unlock(core);
}

static void add_times(struct publisher_core *core, struct publisher_phase *phase,
                      const struct proftop_phase_times *times)
{
    const bool one = !is_rest(&core->phases, phase->function); /* node counts are of one graph */
    if (phase->calls == 0 && one)
        phase->before = publisher_known_or_not(times->nodes_before, &core->handle->invalid);
    if (!plus(&phase->calls, times->calls, WIRE_VALUE_MAX) ||
        !plus(&phase->total_ns, times->total_ns, PUBLISHER_ABSURD_NS) ||
        !plus(&phase->validate_ns, times->validate_ns, PUBLISHER_ABSURD_NS))
        publisher_count_one(&core->handle->invalid);
    if (one)
        phase->after = publisher_known_or_not(times->nodes_after, &core->handle->invalid);
}

proftop_id proftop_phase(struct proftop *feed, proftop_id function, proftop_id parent,
                         enum proftop_phase_kind kind, const char *name,
                         const struct proftop_phase_times *times)
{
    struct proftop_phase_times known;
    struct publisher_core *core = publisher_lock(feed);
    if (core == NULL)
        return PROFTOP_NONE;
    bool right = times == NULL || (publisher_take_options(&known, sizeof known, times) &&
                                   times->size >= sizeof known);
    uint32_t at = right ? take(core, function, parent, kind, name) : 0;
    if (!right)
        publisher_count_misuse(core);
    if (at != 0) {
        if (times != NULL)
            add_times(core, publisher_phase_at(&core->phases, at), &known);
        publisher_phase_enqueue(&core->phases, at);
    }
    publisher_unlock(core);
    return at - 1;
}

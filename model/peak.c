/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * peak.c: simulates the applies of a function, and tracks the memory of their values.
 */
#include "model/peak.h"

#include <stdlib.h>
#include <string.h>

/* An output of an apply. */
struct value {
    uint64_t bytes;   /* 0 if unknown */
    uint32_t of;      /* the value that it views or overwrites, or MODEL_NONE */
    uint32_t readers; /* number of applies that read it */
    uint32_t result;
    bool has_memory; /* it has memory of its own */
    bool overwrites; /* it overwrites `of`, or a value outside the graph */
};

/* An apply: ranges in `value` and in `input`. */
struct node {
    uint32_t id, index;
    uint32_t first, outputs;
    uint32_t input, inputs;
};

/* A list entry: a node that reads a value. */
struct link {
    uint32_t node, next; /* next entry; MODEL_NONE: the last */
};

struct graph {
    struct node *node; /* by index */
    struct value *value;
    uint32_t *input; /* values read by each node, without duplicates */
    uint32_t nodes, values, inputs;
    bool results; /* some results are known */
    /* Scratch for one order and policy. */
    uint32_t *order;
    uint32_t *root;   /* by value: the value that owns its memory, or MODEL_NONE */
    uint32_t *left;   /* by value: readers that have not run */
    uint32_t *shares; /* by value: values that hold its memory (printed: its views) */
};

static const struct model_about *about_of(const struct model_job *job, uint32_t id)
{
    static const struct model_about nothing = {.bytes = MODEL_UNKNOWN};
    const struct model_about *about = model_job_about(job, id);
    return about ? about : &nothing;
}

/* Number of outputs. An apply with reported bytes but no reported outputs has one. */
static uint32_t outputs_of(const struct model_about *about)
{
    return about->outputs == 0 && about->bytes != MODEL_UNKNOWN ? 1 : about->outputs;
}

/* ------------------------------------------------------------------------------------ the graph */

static int by_index(const void *a, const void *b)
{
    const struct node *x = a, *y = b;
    if (x->index != y->index)
        return x->index < y->index ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

static bool graph_alloc(struct graph *g, const struct model_job *job, const uint32_t *apply,
                        uint32_t count)
{
    size_t inputs = 1, values = 1;
    for (uint32_t i = 0; i < count; i++) {
        inputs += about_of(job, apply[i])->inputs;
        values += outputs_of(about_of(job, apply[i]));
    }
    if (inputs > UINT32_MAX || values > UINT32_MAX)
        return false;
    g->node = calloc((size_t)count + 1, sizeof(*g->node));
    g->order = calloc((size_t)count + 1, sizeof(*g->order));
    g->value = calloc(values, sizeof(*g->value));
    g->input = calloc(inputs, sizeof(*g->input));
    g->root = calloc(values, sizeof(*g->root));
    g->left = calloc(values, sizeof(*g->left));
    g->shares = calloc(values, sizeof(*g->shares));
    return g->node && g->order && g->value && g->input && g->root && g->left && g->shares;
}

static void graph_release(struct graph *g)
{
    free(g->node);
    free(g->order);
    free(g->value);
    free(g->input);
    free(g->root);
    free(g->left);
    free(g->shares);
}

/* Returns the value of an input, or MODEL_NONE if no apply of this function produces it. Apply ids
 * differ from node positions, so the nodes are searched: `by_id` is sorted by id. */
static uint32_t value_of(const struct graph *g, const struct model_value *input,
                         const struct node *by_id)
{
    uint32_t low = 0, high = g->nodes;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (by_id[middle].id < input->source)
            low = middle + 1;
        else
            high = middle;
    }
    if (input->source == MODEL_NONE || low == g->nodes || by_id[low].id != input->source ||
        input->output >= by_id[low].outputs)
        return MODEL_NONE;
    return by_id[low].first + input->output;
}

static int by_number(const void *a, const void *b)
{
    const struct node *x = a, *y = b;
    return x->id < y->id ? -1 : x->id > y->id;
}

static void add_outputs(struct graph *g, const struct model_about *about, struct node *node,
                        struct model_peaks *peaks)
{
    const struct model_value whole = {.bytes = MODEL_UNKNOWN, .alias = MODEL_OWN};
    const uint64_t rest = model_about_rest(about);
    node->first = g->values;
    node->outputs = outputs_of(about);
    for (uint32_t i = 0; i < node->outputs; i++) {
        const struct model_value *output =
            about->outputs > 0 ? &about->value[about->inputs + i] : &whole;
        const uint64_t bytes = output->bytes == MODEL_UNKNOWN ? rest : output->bytes;
        struct value *value = &g->value[g->values++];
        const bool known = bytes != MODEL_UNKNOWN;
        value->bytes = known ? bytes : 0;
        value->result = output->result;
        value->has_memory = output->alias == MODEL_OWN;
        value->overwrites = output->alias == MODEL_OVERWRITES;
        value->of = MODEL_NONE;
        peaks->values++;
        peaks->unknown += !known;
        peaks->outputs = model_state_plus(peaks->outputs, value->bytes);
        if (value->has_memory)
            peaks->created = model_state_plus(peaks->created, value->bytes);
        g->results |= output->result > 0;
    }
}

/* Adds the values that a node reads, each once, and finds the owner of the memory of its
 * outputs. */
static void add_inputs(struct graph *g, const struct model_about *about, struct node *node,
                       const struct node *by_id)
{
    node->input = g->inputs;
    for (uint32_t i = 0; i < about->inputs; i++) {
        uint32_t value = value_of(g, &about->value[i], by_id);
        bool again = value == MODEL_NONE;
        for (uint32_t at = node->input; at < g->inputs && !again; at++)
            again = g->input[at] == value;
        if (again)
            continue;
        g->input[g->inputs++] = value;
        g->value[value].readers++;
    }
    node->inputs = g->inputs - node->input;
    for (uint32_t i = 0; i < about->outputs; i++) {
        const struct model_value *output = &about->value[about->inputs + i];
        if (output->alias != MODEL_OWN)
            g->value[node->first + i].of = value_of(g, &about->value[output->input], by_id);
    }
}

static bool graph_make(struct graph *g, const struct model_job *job, const uint32_t *apply,
                       uint32_t count, struct model_peaks *peaks)
{
    struct node *by_id = calloc((size_t)count + 1, sizeof(*by_id));
    if (!by_id || !graph_alloc(g, job, apply, count)) {
        free(by_id);
        return false;
    }
    g->nodes = count;
    for (uint32_t i = 0; i < count; i++)
        g->node[i] = (struct node){.id = apply[i], .index = model_job_apply(job, apply[i])->index};
    qsort(g->node, count, sizeof(*g->node), by_index);
    for (uint32_t i = 0; i < count; i++) {
        peaks->untold += outputs_of(about_of(job, g->node[i].id)) == 0;
        add_outputs(g, about_of(job, g->node[i].id), &g->node[i], peaks);
    }
    memcpy(by_id, g->node, count * sizeof(*by_id));
    qsort(by_id, count, sizeof(*by_id), by_number);
    for (uint32_t i = 0; i < count; i++)
        add_inputs(g, about_of(job, g->node[i].id), &g->node[i], by_id);
    free(by_id);
    return true;
}

/* ----------------------------------------------------------------------------------- lazy order */

/* Order constraints beyond data flow: an apply that overwrites a value runs after all other applies
 * that read the value or a view of it. */
struct walk {
    const struct graph *g;
    uint32_t *owner; /* by value: the node that produces it */
    uint32_t *first; /* by value: first link of the list of nodes that read it or a view of it */
    struct link *link;
    uint32_t *stack;
    uint8_t *state; /* by node */
    uint32_t links, depth, room, run, steps;
};
enum { UNSEEN, WAITS, RAN };

/* Limit on the steps of a walk: the reported graph may have cycles. */
enum { STEPS_MAX = 1 << 24 };

static bool may_step(struct walk *w)
{
    return w->steps < STEPS_MAX && ++w->steps > 0;
}

/* Returns the value that a value views. Stops at overwritten values. */
static uint32_t viewed(struct walk *w, uint32_t value)
{
    const struct value *v = &w->g->value[value];
    while (!v->has_memory && !v->overwrites && v->of != MODEL_NONE && may_step(w)) {
        value = v->of;
        v = &w->g->value[value];
    }
    return value;
}

static bool push(struct walk *w, uint32_t node)
{
    if (w->depth == w->room) {
        uint32_t room = w->room ? w->room * 2 : 256;
        uint32_t *grown = realloc(w->stack, (size_t)room * sizeof(*grown));
        if (!grown)
            return false;
        w->stack = grown;
        w->room = room;
    }
    w->stack[w->depth++] = node;
    return true;
}

static bool walk_init(struct walk *w, const struct graph *g)
{
    *w = (struct walk){.g = g};
    w->owner = calloc((size_t)g->values + 1, sizeof(*w->owner));
    w->first = malloc(((size_t)g->values + 1) * sizeof(*w->first));
    w->link = calloc((size_t)g->inputs + 1, sizeof(*w->link));
    w->state = calloc((size_t)g->nodes + 1, 1);
    if (!w->owner || !w->first || !w->link || !w->state)
        return false;
    memset(w->first, 0xFF, ((size_t)g->values + 1) * sizeof(*w->first));
    for (uint32_t n = 0; n < g->nodes; n++)
        for (uint32_t i = 0; i < g->node[n].outputs; i++)
            w->owner[g->node[n].first + i] = n;
    /* Backwards, so that each list starts with its first reader. */
    for (uint32_t n = g->nodes; n-- > 0;)
        for (uint32_t i = g->node[n].inputs; i-- > 0;) {
            uint32_t root = viewed(w, g->input[g->node[n].input + i]);
            w->link[w->links] = (struct link){n, w->first[root]};
            w->first[root] = w->links++;
        }
    return true;
}

static void walk_release(struct walk *w)
{
    free(w->owner);
    free(w->first);
    free(w->link);
    free(w->stack);
    free(w->state);
}

/* Calls `each` for all nodes that must run before this one. */
static bool before(struct walk *w, uint32_t n, bool (*each)(struct walk *w, uint32_t node))
{
    const struct graph *g = w->g;
    const struct node *node = &g->node[n];
    for (uint32_t i = 0; i < node->inputs; i++)
        if (!each(w, w->owner[g->input[node->input + i]]))
            return false;
    for (uint32_t i = 0; i < node->outputs; i++) {
        const struct value *value = &g->value[node->first + i];
        if (!value->overwrites || value->of == MODEL_NONE)
            continue;
        for (uint32_t at = w->first[viewed(w, value->of)]; at != MODEL_NONE; at = w->link[at].next)
            if (!may_step(w) || (w->link[at].node != n && !each(w, w->link[at].node)))
                return false;
    }
    return true;
}

static bool ran(struct walk *w, uint32_t node)
{
    return w->state[node] == RAN;
}

/* One step of the frameworks' own algorithm: run the top node if it can run, else push the nodes it
 * needs. Returns false if out of memory, or if the graph has a cycle. */
static bool step(struct walk *w)
{
    uint32_t top = w->stack[--w->depth];
    if (w->state[top] == RAN)
        return true;
    if (before(w, top, ran)) {
        w->state[top] = RAN;
        w->g->order[w->run++] = top;
        return true;
    }
    if (w->state[top] == WAITS)
        return false;
    w->state[top] = WAITS;
    return push(w, top) && before(w, top, push);
}

struct ranked {
    uint32_t result, value;
};

static int by_result(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return x->result < y->result ? -1 : x->result > y->result;
}

static bool push_results(struct walk *w)
{
    const struct graph *g = w->g;
    struct ranked *ranked = calloc((size_t)g->values + 1, sizeof(*ranked));
    uint32_t count = 0;
    bool good = ranked != NULL;
    for (uint32_t i = 0; good && i < g->values; i++)
        if (g->value[i].result > 0)
            ranked[count++] = (struct ranked){g->value[i].result, i};
    if (count)
        qsort(ranked, count, sizeof(*ranked), by_result);
    for (uint32_t i = 0; good && i < count; i++)
        good = push(w, w->owner[ranked[i].value]);
    free(ranked);
    return good;
}

static void order_by_index(struct graph *g)
{
    for (uint32_t i = 0; i < g->nodes; i++)
        g->order[i] = i;
}

/* Returns false if there is no lazy order; the order is then by index. */
static bool order_lazily(struct graph *g)
{
    struct walk w;
    bool good = walk_init(&w, g) && g->results && push_results(&w);
    while (good && w.depth > 0)
        good = step(&w);
    /* Nodes that no result needs do not run, but are reported, so they go last. */
    for (uint32_t n = 0; good && n < g->nodes; n++)
        if (w.state[n] != RAN)
            g->order[w.run++] = n;
    walk_release(&w);
    if (!good)
        order_by_index(g);
    return good;
}

/* ---------------------------------------------------------------------------------- simulation */

struct policy {
    bool inplace, printed;
};

static bool takes_memory(const struct value *value, struct policy policy)
{
    return value->has_memory || (value->overwrites && !policy.inplace);
}

/* Returns the bytes freed when a value has no more readers. */
static uint64_t bury(struct graph *g, uint32_t value, struct policy policy)
{
    const uint32_t root = g->root[value];
    if (root == MODEL_NONE)
        return 0;
    if (policy.printed && root == value)
        return g->shares[root] == 0 ? g->value[root].bytes : 0;
    return g->shares[root] > 0 && --g->shares[root] == 0 ? g->value[root].bytes : 0;
}

static uint64_t give_back(struct graph *g, const struct node *node, struct policy policy)
{
    uint64_t freed = 0;
    for (uint32_t i = 0; i < node->inputs; i++) {
        const uint32_t value = g->input[node->input + i];
        if (g->left[value] > 0 && --g->left[value] == 0 && g->value[value].result == 0)
            freed = model_state_plus(freed, bury(g, value, policy));
    }
    return freed;
}

static uint64_t take(struct graph *g, const struct node *node, struct policy policy)
{
    uint64_t taken = 0;
    for (uint32_t v = node->first; v < node->first + node->outputs; v++) {
        const struct value *value = &g->value[v];
        const bool own = takes_memory(value, policy);
        g->root[v] = own ? v : value->of == MODEL_NONE ? MODEL_NONE : g->root[value->of];
        if (own)
            taken = model_state_plus(taken, value->bytes);
        if (g->root[v] != MODEL_NONE)
            g->shares[g->root[v]] += !own || !policy.printed;
    }
    return taken;
}

/* With `printed`, memory may be freed twice, so the sum may be below 0. */
static struct model_peak simulate(struct graph *g, struct policy policy)
{
    struct model_peak peak = {0, MODEL_NONE};
    uint64_t up = 0, down = 0;
    for (uint32_t v = 0; v < g->values; v++) {
        g->left[v] = g->value[v].readers;
        g->shares[v] = 0;
        g->root[v] = MODEL_NONE;
    }
    for (uint32_t i = 0; i < g->nodes; i++) {
        const struct node *node = &g->node[g->order[i]];
        up = model_state_plus(up, take(g, node, policy));
        if (up > down && up - down > peak.bytes)
            peak = (struct model_peak){up - down, node->id};
        down = model_state_plus(down, give_back(g, node, policy));
    }
    return peak;
}

bool model_peaks_of(const struct model_job *job, const uint32_t *apply, uint32_t count,
                    bool printed, struct model_peaks *peaks)
{
    struct graph g = {0};
    *peaks = (struct model_peaks){0};
    bool good = graph_make(&g, job, apply, count, peaks);
    for (unsigned order = 0; good && order < MODEL_PEAK_ORDERS; order++) {
        if (order == MODEL_PEAK_LAZY)
            peaks->lazy = order_lazily(&g);
        else
            order_by_index(&g);
        peaks->peak[order] = simulate(&g, (struct policy){true, printed});
        peaks->no_inplace[order] = simulate(&g, (struct policy){false, printed});
    }
    graph_release(&g);
    return good;
}

bool model_peaks_most(const struct model_state *state, struct model_peaks *peaks,
                      uint32_t *function)
{
    uint32_t *apply = NULL, *first = NULL;
    *peaks = (struct model_peaks){0};
    *function = MODEL_NONE;
    bool good = model_state_by_function(state, &apply, &first);
    for (uint32_t f = 0; good && f < state->count[MODEL_FUNCTION]; f++) {
        struct model_peaks one;
        if (first[f + 1] == first[f])
            continue;
        good = model_peaks_of(state->job, apply + first[f], first[f + 1] - first[f], false, &one);
        if (good && one.values > one.unknown &&
            (*function == MODEL_NONE ||
             one.peak[MODEL_PEAK_LAZY].bytes > peaks->peak[MODEL_PEAK_LAZY].bytes)) {
            *peaks = one;
            *function = f;
        }
    }
    free(apply);
    free(first);
    return good;
}

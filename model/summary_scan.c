/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * summary_scan.c: prints the profiles of loops: the head for a function that a Scan runs for each
 * step, and, after the profile of a function with Scan nodes, the overhead of these nodes. The time
 * of the op is the time of its node.
 */
#include <string.h>

#include "model/summary_private.h"

static const char *last_part(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

static bool is_scan(const struct model_job *job, uint32_t apply)
{
    const uint32_t op = model_job_apply(job, apply)->op;
    const uint32_t op_class = model_job_op(job, op)->op_class;
    return strcmp(last_part(model_job_class(job, op_class)->name.shown), "Scan") == 0;
}

uint32_t model_summary_scan(const struct model_summary *s, uint32_t function)
{
    const struct model_job *job = s->state->job;
    const uint32_t apply = model_job_function(job, function)->parent;
    return apply != MODEL_NONE && is_scan(job, apply) ? apply : MODEL_NONE;
}

/* ---------------------------------------------------------------------------------- its profile */

/* Some releases count in floating point. */
static void put_count(struct model_summary *s, uint64_t count)
{
    if (count == MODEL_UNKNOWN)
        model_put_word(&s->out, "-");
    else
        model_summary_printf(s, "%llu%s", (unsigned long long)count,
                             s->dialect->decimal ? ".0" : "");
}

static void put_part(struct model_summary *s, const char *what, uint64_t ns, double share)
{
    model_summary_printf(s, "  Total %s ", what);
    if (ns == MODEL_UNKNOWN)
        model_put_word(&s->out, "-\n");
    else
        model_summary_printf(s, "%es (%.3f%%)\n", (double)ns / 1e9, share);
}

/* If no time passed, the originals print that the rest took 100 %. */
void model_summary_scan_head(struct model_summary *s, uint32_t apply)
{
    const struct model_row *node = &s->state->row[MODEL_APPLY][apply];
    const struct model_text *name = &model_job_function(s->state->job, *s->gathered)->name;
    const uint64_t vm_ns = s->value.vm_ns;
    const uint64_t node_ns = model_row_closed(node);
    const bool known = vm_ns != MODEL_UNKNOWN && node_ns != MODEL_UNKNOWN;
    const double share = known && node_ns ? (double)vm_ns * 100 / (double)node_ns : 0;
    model_put_word(&s->out, "\nScan Op profiling");
    if (name->shown_size) {
        model_put_word(&s->out, " ( ");
        model_put_bytes(&s->out, name->shown, name->shown_size);
        model_put_word(&s->out, " )");
    }
    model_put_word(&s->out, "\n==================\n  Message: None\n  Time in ");
    put_count(s, node->calls);
    model_put_word(&s->out, " calls of the op (for a total of ");
    put_count(s, s->value.calls);
    model_put_word(&s->out, " steps) ");
    model_summary_seconds(s, node_ns, s->dialect->repr);
    model_put_word(&s->out, "\n\n");
    put_part(s, "time spent in calling the VM", vm_ns, share);
    put_part(s, "overhead (computing slices..)",
             !known            ? MODEL_UNKNOWN
             : vm_ns < node_ns ? node_ns - vm_ns
                               : 0,
             100 - share);
    model_put_word(&s->out, "\n");
}

/* ------------------------------------------------------------------------------------- overhead */

/* Returns the time of the nodes inside; unknown if any node has no time, or if no inner function is
 * known. */
static uint64_t inside_ns(const struct model_summary *s, uint32_t apply)
{
    const struct model_job *job = s->state->job;
    uint64_t sum = MODEL_UNKNOWN;
    for (uint32_t f = 0; f < s->state->count[MODEL_FUNCTION]; f++) {
        if (model_job_function(job, f)->parent != apply)
            continue;
        sum = sum == MODEL_UNKNOWN ? 0 : sum;
        for (uint32_t at = s->first[f]; at < s->first[f + 1]; at++) {
            const struct model_row *row = &s->state->row[MODEL_APPLY][s->apply[at]];
            if (row->total_ns == MODEL_UNKNOWN && row->calls)
                return MODEL_UNKNOWN;
            sum = model_state_plus(
                sum, row->total_ns == MODEL_UNKNOWN ? 0 : model_row_closed(row));
        }
    }
    return sum;
}

static void put_overhead(struct model_summary *s, const char *word, uint64_t ns, uint64_t inside)
{
    const double whole = (double)ns / 1e9;
    model_summary_printf(s, "%-6s%5.1fs  %5.1fs  ", word, whole, whole);
    if (inside == MODEL_UNKNOWN)
        model_summary_printf(s, "%5s   %5.1f%%  %5s ", "-", 100.0, "-");
    else
        model_summary_printf(s, "%5.1fs  %5.1f%%  %5.1f%%", (double)inside / 1e9, 100.0,
                             (double)inside * 100 / (double)ns);
}

static void put_node(struct model_summary *s, uint32_t apply, uint64_t ns, uint64_t inside)
{
    const struct model_text *text = model_summary_text(s, MODEL_APPLY, apply);
    if (ns == 0)
        model_put_word(&s->out, " The node took 0s, so we can not compute the overhead");
    else
        put_overhead(s, "", ns, inside);
    model_put_word(&s->out, " ");
    model_put_bytes(&s->out, text->shown, text->shown_size);
    model_put_word(&s->out, "\n");
}

/* Prints the Scan nodes of a function if `print` is set. Adds up their time, and the time
 * inside. */
static void take_nodes(struct model_summary *s, uint32_t function, bool print, uint64_t *ns,
                       uint64_t *inside)
{
    for (uint32_t at = s->first[function]; at < s->first[function + 1]; at++) {
        const uint32_t apply = s->apply[at];
        const uint64_t whole = model_row_closed(&s->state->row[MODEL_APPLY][apply]);
        if (whole == MODEL_UNKNOWN || !is_scan(s->state->job, apply))
            continue;
        const uint64_t part = inside_ns(s, apply);
        if (print)
            put_node(s, apply, whole, part);
        *ns = model_state_plus(*ns, whole);
        *inside = *inside == MODEL_UNKNOWN || part == MODEL_UNKNOWN
                      ? MODEL_UNKNOWN
                      : model_state_plus(*inside, part);
    }
}

static void take_all(struct model_summary *s, bool print, uint64_t *ns, uint64_t *inside)
{
    *ns = *inside = 0;
    for (uint32_t i = 0; i < s->gathered_count; i++)
        take_nodes(s, s->gathered[i], print, ns, inside);
}

void model_summary_scans(struct model_summary *s)
{
    uint64_t ns, inside;
    take_all(s, false, &ns, &inside);
    if (ns == 0)
        return;
    model_put_word(&s->out, "\nScan overhead:\n<Scan op time(s)> <sub scan fct time(s)> "
                            "<sub scan op time(s)> <sub scan fct time(% scan op time)> "
                            "<sub scan op time(% scan op time)> <node>\n");
    take_all(s, true, &ns, &inside);
    put_overhead(s, "total ", ns, inside);
    model_put_word(&s->out, "\n");
}

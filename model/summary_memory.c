/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * summary_memory.c: the memory of one profile: its peaks, and its applies by the size of their
 * outputs.
 */
#include <stdlib.h>
#include <string.h>

#include "model/peak.h"
#include "model/summary_private.h"

/* One apply, and the known bytes of its outputs. */
struct sized {
    uint64_t bytes;
    uint32_t id;
    bool unknown; /* some sizes are unknown */
};

struct list {
    struct sized *row;
    uint32_t count;
    uint32_t functions; /* number of functions with these applies */
    uint64_t bytes;
    bool some; /* some size is known */
};

/* ------------------------------------------------------------------------------------ gathering */

static struct sized size_of(const struct model_summary *s, uint32_t id)
{
    const struct model_about *about = model_job_about(s->state->job, id);
    struct sized sized = {.id = id, .unknown = true};
    uint32_t untold;
    if (!about)
        return sized;
    sized.bytes = model_about_bytes(about);
    sized.unknown = sized.bytes == MODEL_UNKNOWN;
    if (sized.unknown)
        sized.bytes = model_about_known_bytes(about, &untold);
    return sized;
}

/* Largest first. Equal ones in graph order. */
static int by_size(const void *a, const void *b)
{
    const struct sized *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? 1 : -1;
    return x->id < y->id ? -1 : x->id > y->id;
}

static bool list_make(const struct model_summary *s, struct list *list)
{
    *list = (struct list){.row = calloc((size_t)s->table[MODEL_APPLY].count + 1,
                                        sizeof(*list->row))};
    for (uint32_t i = 0; list->row && i < s->gathered_count; i++) {
        const uint32_t f = s->gathered[i];
        if (!model_summary_was_called(s, f))
            continue;
        list->functions += s->first[f + 1] > s->first[f];
        for (uint32_t at = s->first[f]; at < s->first[f + 1]; at++) {
            struct sized sized = size_of(s, s->apply[at]);
            list->bytes = model_state_plus(list->bytes, sized.bytes);
            list->some |= sized.bytes > 0 || !sized.unknown;
            list->row[list->count++] = sized;
        }
    }
    if (list->row)
        qsort(list->row, list->count, sizeof(*list->row), by_size);
    return list->row != NULL;
}

static void greater(uint64_t *to, uint64_t value)
{
    *to = value > *to ? value : *to;
}

/* Returns the largest value of each figure over the functions. */
static bool find_peaks(const struct model_summary *s, struct model_peaks *most)
{
    *most = (struct model_peaks){0};
    for (uint32_t i = 0; i < s->gathered_count; i++) {
        const uint32_t f = s->gathered[i];
        struct model_peaks one;
        if (!model_summary_was_called(s, f))
            continue;
        if (!model_peaks_of(s->state->job, s->apply + s->first[f], s->first[f + 1] - s->first[f],
                            true, &one))
            return false;
        for (unsigned order = 0; order < MODEL_PEAK_ORDERS; order++) {
            greater(&most->peak[order].bytes, one.peak[order].bytes);
            greater(&most->no_inplace[order].bytes, one.no_inplace[order].bytes);
        }
        greater(&most->created, one.created);
    }
    return true;
}

/* ------------------------------------------------------------------------------------- printing */

/* Rounds half to even, as Python does. */
static unsigned long long kilobytes(uint64_t bytes)
{
    const uint64_t whole = bytes / 1024, rest = bytes % 1024;
    return whole + (rest > 512 || (rest == 512 && whole % 2 == 1));
}

/* The frameworks' profile also has GPU memory. proftop knows CPU memory only. */
static void put_peak(struct model_summary *s, const struct model_peak peak[MODEL_PEAK_ORDERS])
{
    static const char *const where[] = {"CPU", "GPU", "CPU + GPU"};
    for (unsigned i = 0; i < 3; i++)
        model_summary_printf(s, "        %s: %lluKB (%lluKB)\n", where[i],
                             i == 1 ? 0 : kilobytes(peak[MODEL_PEAK_LAZY].bytes),
                             i == 1 ? 0 : kilobytes(peak[MODEL_PEAK_INDEX].bytes));
}

static void put_peaks(struct model_summary *s, const struct model_peaks *peaks,
                      const struct list *list)
{
    const unsigned long long created = kilobytes(peaks->created);
    model_summary_printf(s, "Memory Profile%s\n",
                         list->functions > 1 ? " (the max between all functions in that profile)"
                                             : "");
    model_put_word(&s->out, "(Sparse variables are ignored)\n"
                            "(For values in brackets, it's for linker = c|py\n"
                            "---\n"
                            "    Max peak memory with current setting\n");
    put_peak(s, peaks->peak);
    model_summary_printf(s,
                         "    Max peak memory with current setting and %s flag "
                         "optimizer_excluding=inplace\n",
                         s->dialect->framework);
    put_peak(s, peaks->no_inplace);
    model_summary_printf(s,
                         "    Max peak memory if allow_gc=False (linker don't make a difference)\n"
                         "        CPU: %lluKB\n        GPU: 0KB\n        CPU + GPU: %lluKB\n"
                         "---\n\n",
                         created, created);
}

static void put_row(struct model_summary *s, const struct sized *row)
{
    static const char *const mark[] = {[MODEL_OWN] = "c", [MODEL_VIEW] = "v",
                                       [MODEL_OVERWRITES] = "i"};
    const struct model_about *about = model_job_about(s->state->job, row->id);
    const uint32_t outputs = about ? about->outputs : 0;
    if (row->unknown)
        model_summary_printf(s, "     %10s  [", "Unknown");
    else
        model_summary_printf(s, "     %9lluB  [", (unsigned long long)row->bytes);
    for (uint32_t i = 0; i < outputs; i++) {
        model_put_word(&s->out, i > 0 ? ", " : "");
        if (!model_summary_shape(s, &about->value[about->inputs + i]))
            model_put_word(&s->out, "'no shape'");
    }
    model_put_word(&s->out, "]");
    for (uint32_t i = 0; i < outputs; i++)
        model_summary_printf(s, " %s", mark[about->value[about->inputs + i].alias]);
    model_put_word(&s->out, " ");
    model_summary_name(s, model_summary_text(s, MODEL_APPLY, row->id), SIZE_MAX);
}

static void put_rest(struct model_summary *s, const struct list *list, uint32_t shown)
{
    uint64_t rest = 0;
    for (uint32_t i = shown; i < list->count; i++)
        rest = model_state_plus(rest, list->row[i].bytes);
    model_summary_printf(s, "   ... (remaining %u Apply account for %4lluB/%lluB (",
                         list->count - shown, (unsigned long long)rest,
                         (unsigned long long)list->bytes);
    if (list->bytes == 0)
        model_put_word(&s->out, "0%");
    else
        model_summary_printf(s, "(%.2f%%)", (double)rest / (double)list->bytes * 100);
    model_put_word(&s->out, ") of the Apply with dense outputs sizes)\n\n");
}

static void put_list(struct model_summary *s, const struct list *list)
{
    uint32_t shown = 0;
    if (list->functions > 1)
        model_put_word(&s->out, "    This list is based on all functions in the profile\n");
    model_put_word(&s->out, "    <Sum apply outputs (bytes)> <Apply outputs shape> "
                            "<created/inplace/view> <Apply node>\n\n");
    while (shown < list->count && shown < s->rows.applies &&
           (list->row[shown].unknown || list->row[shown].bytes >= s->rows.least_bytes))
        put_row(s, &list->row[shown++]);
    put_rest(s, list, shown);
    if (shown == 0 && s->rows.applies > 0)
        model_summary_printf(s,
                             "    All Apply nodes have output sizes that take less than %lluB.\n",
                             (unsigned long long)s->rows.least_bytes);
    model_put_word(&s->out,
                   "    <created/inplace/view> is taken from the Op's declaration.\n"
                   "    Apply nodes marked 'inplace' or 'view' may actually allocate memory, this "
                   "is not reported here. If you use DebugMode, warnings will be emitted in those "
                   "cases.\n\n");
}

bool model_summary_memory(struct model_summary *s)
{
    struct model_peaks peaks;
    struct list list;
    bool good = list_make(s, &list);
    if (good && list.some && (good = find_peaks(s, &peaks))) {
        put_peaks(s, &peaks, &list);
        put_list(s, &list);
    }
    free(list.row);
    return good;
}

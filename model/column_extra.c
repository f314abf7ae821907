/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * column_extra.c: the getters of the columns of memory, operations and metrics.
 */
#include "model/column_extra.h"

#include "model/extra.h"

enum { NS_PER_S = 1000000000 };

#define GETTER(name)                                                                               \
    struct model_cell name(const struct model_view *view, const struct model_row *row, uint32_t at)

static struct model_cell number(uint64_t u)
{
    return (struct model_cell){.known = u != MODEL_UNKNOWN, .u = u};
}

static struct model_cell extra(const struct model_view *view, const struct model_row *row,
                               uint32_t which)
{
    return number(model_extra(view->state, model_table_rows(view->table), row->id, which));
}

GETTER(model_get_bytes)
{
    (void)at;
    return extra(view, row, MODEL_EXTRA_BYTES);
}

GETTER(model_get_bytes_percent)
{
    (void)at;
    const struct model_cell bytes = extra(view, row, MODEL_EXTRA_BYTES);
    return model_share(bytes.known ? bytes.u : MODEL_UNKNOWN, view->whole);
}

enum { MARKS = 1 << (MODEL_OVERWRITES + 1) };

static unsigned marks_of(const struct model_view *view, const struct model_row *row)
{
    const struct model_about *about = model_job_about(view->state->job, row->id);
    unsigned set = 0;
    for (uint32_t i = 0; about && i < about->outputs; i++)
        set |= 1u << about->value[about->inputs + i].alias;
    return set % MARKS;
}

uint64_t model_marks_key(const struct model_view *view, const struct model_row *row)
{
    return marks_of(view, row);
}

#define WORD(text)                                                                                 \
    {                                                                                              \
        text, text, sizeof(text) - 1, sizeof(text) - 1                                             \
    }
#define OWN   (1 << MODEL_OWN)
#define VIEW  (1 << MODEL_VIEW)
#define OVER  (1 << MODEL_OVERWRITES)

GETTER(model_get_marks)
{
    static const struct model_text word[MARKS] = {
        [OWN] = WORD("c"),
        [OVER] = WORD("i"),
        [VIEW] = WORD("v"),
        [OWN | OVER] = WORD("c i"),
        [OWN | VIEW] = WORD("c v"),
        [OVER | VIEW] = WORD("i v"),
        [OWN | OVER | VIEW] = WORD("c i v"),
    };
    (void)at;
    const unsigned set = marks_of(view, row);
    return (struct model_cell){.known = set != 0, .u = set, .text = set ? &word[set] : NULL};
}

/* Shapes may be newer than the state. They are shown only if they match the state's bytes. */
GETTER(model_get_outputs)
{
    (void)at;
    const struct model_about *about = model_job_about(view->state->job, row->id);
    const bool known = about && about->outputs > 0 &&
                       about->bytes == extra(view, row, MODEL_EXTRA_BYTES).u;
    return (struct model_cell){.known = known,
                               .text = known ? model_view_outputs(view, about) : NULL};
}

/* Floating-point operations per second of the row's time. */
GETTER(model_get_flops)
{
    (void)at;
    uint64_t flops = model_extra(view->state, model_table_rows(view->table), row->id,
                                 MODEL_EXTRA_FLOPS);
    uint64_t ns = model_row_closed(row);
    if (flops == MODEL_UNKNOWN || ns == MODEL_UNKNOWN || ns == 0)
        return number(MODEL_UNKNOWN);
    unsigned __int128 rate = (unsigned __int128)flops * NS_PER_S / ns;
    struct model_cell cell = number(rate >= MODEL_UNKNOWN ? MODEL_UNKNOWN : (uint64_t)rate);
    cell.approx = cell.known && row->estimated;
    return cell;
}

/* Of a job that counts in windows, a metric is a part. */
static struct model_cell metric(const struct model_view *view, const struct model_row *row,
                                uint32_t which)
{
    struct model_cell cell = extra(view, row, MODEL_EXTRA_METRIC + which);
    cell.approx = cell.known && view->state->share < 1;
    return cell;
}

/* One column for each metric that has its own name there. */
#define NAMED(name)                                                                                \
    GETTER(model_get_##name)                                                                       \
    {                                                                                              \
        (void)at;                                                                                  \
        return metric(view, row, model_job_metric_named(view->state->job, #name));                 \
    }
NAMED(device)
NAMED(incl)
NAMED(alloc)

/* One column for each of the first six metrics that a job declares. */
#define METRIC(n)                                                                                  \
    GETTER(model_get_metric_##n)                                                                   \
    {                                                                                              \
        (void)at;                                                                                  \
        return metric(view, row, (n)-1);                                                           \
    }
METRIC(1)
METRIC(2)
METRIC(3)
METRIC(4)
METRIC(5)
METRIC(6)

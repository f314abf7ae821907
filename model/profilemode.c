/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * profilemode.c: the summary of ProfileMode: all functions as one, as fractions of their time.
 */
#include "model/summary_private.h"

#include <stdio.h>

struct section {
    enum model_table table;
    const char *title;
    const char *rest;
    bool starred; /* a row is starred if all its nodes run C code */
};

static const struct section sections[] = {
    {MODEL_APPLY,
     "Apply-wise summary: <fraction of local_time spent at this position> (<Apply position>, "
     "<Apply Op name>)\n",
     "Apply instances", false},
    {MODEL_OP, "Op-wise summary: <fraction of local_time spent on this kind of Op> <Op name>\n",
     "Ops", true},
    {MODEL_CLASS,
     "type-Op-wise summary: <fraction of local_time spent on this type of Op> <type of Op>\n",
     "types of Op", true},
};

static void put_fraction(struct model_summary *s, uint64_t ns, int digits)
{
    const uint64_t whole_ns = s->ns - s->wait_ns;
    if (s->untimed || whole_ns == 0)
        model_put_word(&s->out, "-");
    else
        model_summary_printf(s, "%.*f", digits, (double)ns / (double)whole_ns);
}

/* Here a node is shown by its op. */
static void put_line(struct model_summary *s, const struct section *section,
                     const struct model_summary_line *line)
{
    const struct model_text *text = NULL;
    if (line->does & MODEL_DOES_WORK)
        put_fraction(s, line->ns - line->idle_ns, 3);
    else
        model_put_word(&s->out, model_summary_word(line));
    if (section->table == MODEL_APPLY) {
        const struct model_apply_def *def = model_job_apply(s->state->job, line->id);
        model_summary_printf(s, " %u ", def->index);
        text = model_summary_text(s, MODEL_OP, def->op);
    } else {
        model_put_word(&s->out, line->impls == 1u << MODEL_IMPL_C ? " * " : "   ");
        text = model_summary_text(s, section->table, line->id);
    }
    model_summary_name(s, text, SIZE_MAX);
}

static void put_table(struct model_summary *s, const struct section *section)
{
    const struct model_summary_table *table = &s->table[section->table];
    const uint32_t most = section->table == MODEL_APPLY ? s->rows.applies : s->rows.ops;
    const uint32_t rows = most < table->count ? most : table->count;
    uint64_t rest = 0;
    model_put_word(&s->out, section->title);
    for (uint32_t i = 0; i < rows; i++)
        put_line(s, section, &table->line[i]);
    for (uint32_t i = rows; i < table->count; i++)
        rest = model_state_plus(rest, table->line[i].ns - table->line[i].idle_ns);
    model_summary_printf(s, "... (remaining %u %s account for ", table->count - rows,
                         section->rest);
    put_fraction(s, rest, 2);
    model_put_word(&s->out, " of the runtime)\n");
    if (section->starred)
        model_put_word(&s->out, "(*) Op is running a c implementation\n");
}

void model_summary_profilemode(struct model_summary *s)
{
    char local[32] = "-";
    model_summary_gather(s, s->function, model_summary_outermost(s));
    if (!s->untimed)
        snprintf(local, sizeof(local), "%.12g", (double)s->ns / 1e9);
    model_summary_printf(s,
                         "ProfileMode.print_summary()\n---------------------------\n"
                         "local_time %s (Time spent running thunks)\n",
                         local);
    model_summary_notes(s);
    for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++)
        put_table(s, &sections[i]);
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * summary_tips.c: prints the framework's own advice. A job reports it as facts about functions, in
 * line order: tip.N=WHOSE:TEXT. A mark before WHOSE sets the kind of line: `*` is the title, `!` a
 * line for functions without another, `~` a line for functions that were not called.
 */
#include <string.h>

#include "model/job_info.h"
#include "model/summary_private.h"

enum { TITLE = '*', NO_OTHER = '!', NOT_CALLED = '~' };

static const char NAME[] = "tip";

bool model_summary_next_tip(const struct model_identity *who, size_t *from,
                            struct model_fact_about *tip, char *mark)
{
    if (!model_fact_next(who, NAME, from, tip))
        return false;
    *mark = tip->whose_size ? *tip->whose : 0;
    if (*mark == TITLE || *mark == NO_OTHER || *mark == NOT_CALLED) {
        tip->whose++;
        tip->whose_size--;
    } else {
        *mark = 0;
    }
    return true;
}

/* True if the tip is about any gathered function; `called`: about any that was called. */
static bool is_of_any(const struct model_summary *s, const struct model_fact_about *tip,
                      bool called)
{
    for (uint32_t i = 0; i < s->gathered_count; i++)
        if (model_fact_is_about(tip, s->gathered[i]) &&
            (!called || model_summary_was_called(s, s->gathered[i])))
            return true;
    return false;
}

static bool are_known(const struct model_summary *s, const struct model_identity *who)
{
    for (uint32_t i = 0; i < s->gathered_count; i++) {
        bool known = false;
        struct model_fact_about tip;
        char mark;
        for (size_t from = 0; !known && model_summary_next_tip(who, &from, &tip, &mark);)
            known = model_fact_is_about(&tip, s->gathered[i]);
        if (!known)
            return false;
    }
    return s->gathered_count > 0;
}

void model_summary_tips(struct model_summary *s)
{
    const struct model_identity *who = model_job_identity(s->state->job);
    const bool called = model_summary_any_called(s);
    bool any = false;
    struct model_fact_about tip;
    char mark;
    if (!are_known(s, who))
        return;
    for (size_t from = 0; model_summary_next_tip(who, &from, &tip, &mark);) {
        char line[MODEL_TEXT_KEPT];
        if (mark != TITLE && ((mark == NOT_CALLED) == called || !is_of_any(s, &tip, called) ||
                              (mark == NO_OTHER && any)))
            continue;
        any |= mark != TITLE;
        model_put_bytes(&s->out, line,
                        model_text_safe(tip.text, tip.text_size, line, sizeof(line)));
        model_put_bytes(&s->out, "\n", 1);
    }
}

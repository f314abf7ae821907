/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * summary_tips.c: prints the framework's own advice, which a job tells as facts: tip.N=WHOSE:TEXT,
 * in the order of lines. WHOSE is ids of functions, `0-3,7`; behind a `*` it is the title, and
 * behind a `!` a line for who has no other.
 */
#include <string.h>

#include "fact.h"
#include "summary_private.h"

enum { TITLE = '*', NO_OTHER = '!' };

struct tip {
    const char *whose, *text;
    size_t whose_size, text_size;
};

static bool next_tip(const struct model_identity *who, size_t *from, struct tip *tip)
{
    static const char prefix[] = "tip.";
    const char *line, *value, *end;
    size_t size;
    while ((line = model_fact_line(who, from, &size))) {
        if (size < sizeof(prefix) - 1 || memcmp(line, prefix, sizeof(prefix) - 1) != 0 ||
            !(value = memchr(line, '=', size)) ||
            !(end = memchr(value, ':', size - (size_t)(value - line))))
            continue;
        *tip = (struct tip){.whose = value + 1,
                            .text = end + 1,
                            .whose_size = (size_t)(end - value) - 1,
                            .text_size = size - (size_t)(end - line) - 1};
        return true;
    }
    return false;
}

/* Reads digits; what does not fit is no function. */
static uint64_t number(const char **at, const char *end)
{
    uint64_t value = 0;
    for (; *at < end && **at >= '0' && **at <= '9'; (*at)++)
        value = value > UINT32_MAX ? value : value * 10 + (uint64_t)(**at - '0');
    return value;
}

static bool is_of(const struct tip *tip, uint32_t function)
{
    const char *at = tip->whose, *end = at + tip->whose_size;
    if (at < end && (*at == TITLE || *at == NO_OTHER))
        at++;
    while (at < end && *at >= '0' && *at <= '9') {
        const uint64_t first = number(&at, end);
        uint64_t last = first;
        if (at < end && *at == '-') {
            at++;
            last = number(&at, end);
        }
        if (first <= function && function <= last)
            return true;
        at += at < end && *at == ',';
    }
    return false;
}

static bool is_of_any(const struct model_summary *s, const struct tip *tip)
{
    for (uint32_t i = 0; i < s->gathered_count; i++)
        if (is_of(tip, s->gathered[i]))
            return true;
    return false;
}

static bool are_known(const struct model_summary *s, const struct model_identity *who)
{
    for (uint32_t i = 0; i < s->gathered_count; i++) {
        bool known = false;
        struct tip tip;
        for (size_t from = 0; !known && next_tip(who, &from, &tip);)
            known = is_of(&tip, s->gathered[i]);
        if (!known)
            return false;
    }
    return s->gathered_count > 0;
}

void model_summary_tips(struct model_summary *s)
{
    const struct model_identity *who = model_job_identity(s->state->job);
    bool any = false;
    struct tip tip;
    if (!are_known(s, who))
        return;
    for (size_t from = 0; next_tip(who, &from, &tip);) {
        const char mark = tip.whose_size ? *tip.whose : 0;
        char line[MODEL_TEXT_KEPT];
        if (mark != TITLE && (!is_of_any(s, &tip) || (mark == NO_OTHER && any)))
            continue;
        any |= mark != TITLE;
        model_put_bytes(&s->out, line,
                        model_text_safe(tip.text, tip.text_size, line, sizeof(line)));
        model_put_bytes(&s->out, "\n", 1);
    }
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * import_dump.c: reads the counts in a dump of proftop: "proftop-dump-1", which
 * feed/publisher/publish/report.c writes beside the events of a trace.
 */
#include <math.h>
#include <string.h>

#include "model/import_trace.h"
#include "model/objects.h"

/* One row of any list. Texts are cut at TEXT bytes. */
enum { TEXT = 4096 };
enum number {
    ID,
    FUNCTION,
    INDEX,
    CALLS,
    TOTAL,
    SELF,
    LEAST,
    MOST,
    LAST,
    CALL,
    VM,
    COMPILE,
    REWRITE,
    VALIDATE,
    LINK,
    UPDATES,
    MONO,
    NUMBERS
};
enum text { NAME, CLASS, OP, DOMAIN, SCOPE, TEXTS };
enum decimal { VALUE, MINIMUM, MAXIMUM, MEAN, DECIMALS };

struct line {
    uint64_t number[NUMBERS];
    char text[TEXTS][TEXT];
    size_t size[TEXTS];
    struct model_decimal decimal[DECIMALS];
    bool known[DECIMALS];
};

static const struct {
    const char *key;
    unsigned at;
} numbers[] = {{"id", ID},
               {"function", FUNCTION},
               {"index", INDEX},
               {"calls", CALLS},
               {"total_ns", TOTAL},
               {"self_ns", SELF},
               {"min_ns", LEAST},
               {"max_ns", MOST},
               {"last_ns", LAST},
               {"call_ns", CALL},
               {"vm_ns", VM},
               {"compile_ns", COMPILE},
               {"rewrite_ns", REWRITE},
               {"validate_ns", VALIDATE},
               {"link_ns", LINK},
               {"updates", UPDATES},
               {"mono_ns", MONO}},
  texts[] = {{"name", NAME},     {"class", CLASS},     {"op", OP},
             {"domain", DOMAIN}, {"category", DOMAIN}, {"scope", SCOPE}},
  decimals[] = {{"value", VALUE}, {"min", MINIMUM}, {"max", MAXIMUM}, {"mean", MEAN}};

static struct model_bytes text_of(const struct line *line, enum text text)
{
    return (struct model_bytes){line->text[text], line->size[text]};
}

static bool read_field(struct model_get *get, struct line *line)
{
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        if (strcmp(get->text, numbers[i].key) == 0) {
            line->number[numbers[i].at] = model_get_u64(get);
            return true;
        }
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        if (strcmp(get->text, texts[i].key) == 0) {
            model_get_text(get);
            line->size[texts[i].at] = get->size < TEXT ? get->size : TEXT;
            memcpy(line->text[texts[i].at], get->text ? get->text : "", line->size[texts[i].at]);
            return true;
        }
    for (size_t i = 0; i < sizeof(decimals) / sizeof(decimals[0]); i++)
        if (strcmp(get->text, decimals[i].key) == 0) {
            model_get_scalar(get);
            struct model_decimal *to = &line->decimal[decimals[i].at];
            line->known[decimals[i].at] =
                get->size > 0 && model_decimal_read(get->text, get->size, to) == get->size;
            return true;
        }
    return false;
}

static void read_line(struct model_get *get, struct line *line)
{
    memset(line->number, 0xFF, sizeof(line->number)); /* MODEL_UNKNOWN */
    memset(line->size, 0, sizeof(line->size));
    memset(line->known, 0, sizeof(line->known));
    for (model_get_object(get); model_get_key(get);)
        if (!read_field(get, line))
            model_get_skip(get);
}

/* ------------------------------------------------------------------------------------ functions */

static bool add_function(struct model_importing *in, const struct line *line)
{
    const uint64_t *n = line->number, unknown = MODEL_UNKNOWN;
    const uint64_t id = model_job_count(in->build.job, MODEL_FUNCTION);
    if (n[ID] != id ||
        model_build_function(&in->build, text_of(line, NAME), (struct model_bytes){"", 0}, 0,
                             MODEL_NONE) == MODEL_NONE)
        return false;
    model_job_set_calls(in->build.job, 1, &id, &n[CALLS], &n[CALL], &n[VM], &unknown, false);
    model_job_set_compile(in->build.job, 1, &id, &n[COMPILE], &n[REWRITE], &n[VALIDATE], &n[LINK],
                          &unknown, false);
    return true;
}

static bool add_apply(struct model_importing *in, const struct line *line)
{
    struct model_build *build = &in->build;
    const uint64_t *n = line->number;
    struct model_build_value value = model_build_nothing;
    if (n[FUNCTION] >= model_job_count(build->job, MODEL_FUNCTION) || n[CALLS] == MODEL_UNKNOWN)
        return false;
    const uint32_t op_class = model_build_class(build, text_of(line, CLASS));
    const uint32_t op =
        op_class == MODEL_NONE ? op_class : model_build_op(build, op_class, text_of(line, OP), 0);
    if (op == MODEL_NONE)
        return false;
    const struct model_apply_raw raw = {.text = text_of(line, NAME),
                                        .function = (uint32_t)n[FUNCTION],
                                        .op = op,
                                        .index = n[INDEX] < UINT32_MAX ? (uint32_t)n[INDEX] : 0};
    value.calls = n[CALLS];
    value.ns = n[TOTAL];
    value.min_ns = n[LEAST];
    value.max_ns = n[MOST];
    const uint32_t apply = model_build_apply(build, &raw);
    if (apply != MODEL_NONE)
        model_build_add(build, apply, &value);
    return apply != MODEL_NONE;
}

/* -------------------------------------------------------------------------------------- objects */

static union model_number number_of(const struct line *line, enum decimal at, bool real)
{
    const struct model_decimal *decimal = &line->decimal[at];
    if (!line->known[at])
        return (union model_number){.u = real ? 0 : MODEL_UNKNOWN};
    if (real)
        return (union model_number){.d = model_decimal_value(decimal)};
    const uint64_t size = model_decimal_scale(decimal, 0);
    const int64_t value = size > INT64_MAX ? INT64_MAX : (int64_t)size;
    return (union model_number){.i = decimal->negative ? -value : value};
}

/* A dump does not tell the kind: memory has a scope, or no name. */
static bool add_counter(struct model_importing *in, const struct line *line)
{
    struct model_job *job = in->build.job;
    const uint32_t id = model_job_count(job, MODEL_COUNTER);
    const bool memory = line->size[SCOPE] > 0 || line->size[NAME] == 0;
    const bool real = !memory && line->known[VALUE] && line->decimal[VALUE].power != 0;
    const struct model_counter_raw raw = {.domain = text_of(line, DOMAIN),
                                          .name = text_of(line, NAME),
                                          .scope = text_of(line, SCOPE),
                                          .unit = {"", 0},
                                          .kind = memory ? MODEL_MEMORY
                                                  : real ? MODEL_F64
                                                         : MODEL_I64};
    const uint64_t updates = line->number[UPDATES];
    const struct model_counter_value value = {
        .known = true,
        .value = number_of(line, VALUE, real),
        .min = number_of(line, MINIMUM, real),
        .max = number_of(line, MAXIMUM, real),
        .updates = updates == MODEL_UNKNOWN ? 0 : updates,
        .mean = line->known[MEAN] ? model_decimal_value(&line->decimal[MEAN]) : NAN,
        .limit = MODEL_UNKNOWN};
    return id < MODEL_COUNTERS_READ && line->known[VALUE] && model_job_add_counter(job, &raw) &&
           model_job_set_counter(job, id, raw.kind, &value);
}

static bool add_span(struct model_importing *in, const struct line *line)
{
    static const char frame[] = ",frame";
    struct model_job *job = in->build.job;
    const uint32_t id = model_job_count(job, MODEL_SPAN);
    const uint64_t *n = line->number;
    struct model_bytes domain = text_of(line, DOMAIN);
    const size_t at = model_bytes_find(domain, frame);
    const bool is_frame = at != SIZE_MAX && at + sizeof(frame) - 1 == domain.size;
    domain.size = is_frame ? at : domain.size;
    const struct model_span_raw raw = {
        .domain = domain, .name = text_of(line, NAME), .kind = is_frame ? MODEL_FRAME : MODEL_TASK};
    const struct model_span_value value = {.known = true,
                                           .calls = n[CALLS],
                                           .total_ns = n[TOTAL],
                                           .self_ns = n[SELF],
                                           .last_ns = n[LAST],
                                           .open_since_ns = MODEL_UNKNOWN,
                                           .min_ns = n[LEAST],
                                           .max_ns = n[MOST],
                                           .first_ns = MODEL_UNKNOWN,
                                           .until_ns = MODEL_UNKNOWN,
                                           .interval_calls = MODEL_UNKNOWN,
                                           .interval_ns = MODEL_UNKNOWN};
    if (id >= MODEL_COUNTERS_READ || n[CALLS] == MODEL_UNKNOWN || n[TOTAL] == MODEL_UNKNOWN ||
        !model_job_add_span(job, &raw))
        return false;
    model_job_set_span(job, id, &value);
    model_job_set_span_edges(job, id, &value);
    return true;
}

static bool add_marker(struct model_importing *in, const struct line *line)
{
    struct model_job *job = in->build.job;
    const uint32_t next = model_job_count(job, MODEL_MARKER);
    const uint32_t of = model_build_number(&in->build, 'G', 0, 0, text_of(line, DOMAIN), next);
    const uint32_t id = of == MODEL_NONE
                            ? of
                            : model_build_number(&in->build, 'N', of, 0, text_of(line, NAME), next);
    struct model_mark mark = {.number = line->number[ID],
                              .mono_ns = line->number[MONO],
                              .marker = id,
                              .thread = MODEL_NONE,
                              .task = MODEL_NONE};
    if (id == MODEL_NONE || mark.number == MODEL_UNKNOWN || mark.mono_ns == MODEL_UNKNOWN ||
        next >= MODEL_COUNTERS_READ ||
        (id == next && !model_job_add_marker(job, text_of(line, DOMAIN), text_of(line, NAME))))
        return false;
    for (uint8_t i = 0; i < MODEL_MARK_SCOPES; i++)
        if (model_bytes_equal(text_of(line, SCOPE), model_mark_scopes[i]))
            mark.scope = i;
    return model_job_add_mark(job, &mark);
}

static const struct {
    const char *key;
    bool (*add)(struct model_importing *in, const struct line *line);
} lists[] = {{"functions", add_function},
             {"applies", add_apply},
             {"counters", add_counter},
             {"spans", add_span},
             {"markers", add_marker}};

static void read_list(struct model_importing *in, struct model_get *get, size_t list)
{
    struct line line;
    uint64_t number = 0;
    for (model_get_list(get); model_get_item(get) && !in->build.wrong;) {
        number++;
        if (model_get_peek(get) != '{') {
            model_get_skip(get);
            continue;
        }
        read_line(get, &line);
        if (!get->wrong && !lists[list].add(in, &line))
            model_build_unread(&in->build, number, text_of(&line, NAME), "no row of a dump");
    }
}

bool model_dump_read(struct model_importing *in, struct model_get *get)
{
    bool own = false;
    for (model_get_object(get); model_get_key(get);) {
        size_t list = 0;
        while (list < sizeof(lists) / sizeof(lists[0]) && strcmp(lists[list].key, get->text) != 0)
            list++;
        if (strcmp(get->text, "schema") == 0) {
            model_get_text(get);
            own = get->size > 0 && strcmp(get->text, "proftop-dump-1") == 0;
        } else if (own && list < sizeof(lists) / sizeof(lists[0]) && model_get_peek(get) == '[') {
            read_list(in, get, list);
        } else {
            model_get_skip(get);
        }
    }
    return own;
}

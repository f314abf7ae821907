/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * import_fit.c: makes a job of printed profiles: finds the op of each apply and the class of each
 * op, and adds a row for what was not printed.
 */
#include "model/import_profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/node_detail.h"
#include "model/state.h"

enum {
    TRIES = 20000,          /* of classes for the ops of one profile */
    TRIED_OPS = 64,         /* most ops whose classes are searched */
    UNPRINTED_NODES = 8192, /* rows of one profile for nodes that are not printed */
    CUT_NAME = 100,         /* bytes of a name that may have been cut; the least width is 140 */
    STEPS = 1 << 26         /* of all searches */
};

static const char not_printed[] = "(not printed)";

/* One profile while it becomes rows of the job. */
struct fitting {
    struct model_profiles *all;
    struct model_profile *profile;
    struct model_profile_rows *classes, *ops, *applies;
    uint32_t function;
    uint32_t *op_id; /* by op: its row in the job */
    uint8_t waits;   /* of all its applies: MODEL_ASIDE for a Scan without a known node */
    bool twins;      /* two ops have one name */
    unsigned tries;
    uint32_t unprinted; /* nodes made so far for those that were not printed */
};

/* Figures that a row has and its parts do not explain. */
struct rest {
    uint64_t calls, nodes;
    uint64_t ns;
    bool uncounted; /* calls are unknown */
};

static struct model_bytes name_of(const struct fitting *fit, const struct model_profile_row *row)
{
    return (struct model_bytes){fit->all->text + row->name, row->size};
}

static uint64_t known_or_0(uint64_t value)
{
    return value == MODEL_UNKNOWN ? 0 : value;
}

static uint64_t minus(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

/* --------------------------------------------------------------------------- ops of the applies */

/* Returns the bytes before the list of inputs: "Sum{axis=[0]}" of "Sum{axis=[0]}(x)". Brackets
 * within the name of an op are skipped. */
static size_t op_size(struct model_bytes text)
{
    unsigned depth = 0;
    for (size_t at = 0; at < text.size; at++) {
        const char c = text.data[at];
        if (c == '(' && depth == 0 && at > 0)
            return at;
        depth += c == '{' || c == '[' || c == '(';
        depth -= (c == '}' || c == ']' || c == ')') && depth > 0;
    }
    return text.size;
}

/* Long names are cut, each to the width of its table. */
static bool is_op_of(struct model_bytes op, struct model_bytes apply)
{
    const size_t size = op.size < apply.size ? op.size : apply.size;
    if (memcmp(op.data, apply.data, size) != 0)
        return false;
    return op.size == apply.size || (size == op.size && apply.data[size] == '(') ||
           size >= CUT_NAME;
}

/* True while a search may go on: a hostile file must not take hours. */
static bool may_step(const struct fitting *fit)
{
    return fit->all->steps++ < STEPS;
}

/* Number of the first op with this name, or MODEL_NONE. With `next`: of this op, if it is the
 * first. */
static uint32_t first_named(const struct fitting *fit, struct model_bytes name, uint32_t next)
{
    struct model_build *build = fit->all->build;
    return next == MODEL_NONE ? model_build_look_up(build, 'P', fit->function, 0, name)
                              : model_build_number(build, 'P', fit->function, 0, name, next);
}

/* Two ops may have one name: the one with the most time left fits best. Cut names are compared as
 * far as they go. */
static uint32_t best_op(const struct fitting *fit, struct model_bytes apply, const uint64_t *left)
{
    const uint32_t first =
        first_named(fit, (struct model_bytes){apply.data, op_size(apply)}, MODEL_NONE);
    uint32_t best = MODEL_NONE;
    size_t best_size = 0;
    if (first != MODEL_NONE && !fit->twins)
        return first;
    for (uint32_t i = 0; i < fit->ops->count && may_step(fit); i++) {
        const struct model_bytes op = name_of(fit, &fit->ops->row[i]);
        if (!is_op_of(op, apply) || op.size < best_size)
            continue;
        if (best == MODEL_NONE || op.size > best_size || left[i] > left[best])
            best = i;
        best_size = op.size;
    }
    return best == MODEL_NONE ? first : best;
}

/* The printed ops are all there are, and none has the name of this apply: it counts in the op whose
 * rest is its time. (ProfileMode merges ops of different names.) */
static uint32_t op_by_time(const struct fitting *fit, const struct model_profile_row *apply,
                           const uint64_t *left)
{
    uint32_t best = MODEL_NONE;
    uint64_t best_off = MODEL_UNKNOWN;
    for (uint32_t i = 0; i < fit->ops->count && may_step(fit); i++) {
        const uint64_t ns = known_or_0(apply->ns);
        const uint64_t off = left[i] > ns ? left[i] - ns : ns - left[i];
        if (off <= 2 * (apply->half_ns + fit->ops->row[i].half_ns) && off < best_off) {
            best = i;
            best_off = off;
        }
    }
    return best;
}

/* Adds an op for an apply whose op was not printed. */
static uint32_t add_op(struct fitting *fit, const struct model_profile_row *apply)
{
    const struct model_bytes text = name_of(fit, apply);
    const struct model_bytes name = {text.data, op_size(text)};
    struct model_profile_row *op = model_profiles_add_row(fit->all, fit->profile, MODEL_PROFILE_OP,
                                                          (struct model_bytes){"", 0});
    if (!op)
        return MODEL_NONE;
    op->name = apply->name;
    op->size = name.size;
    op->impl = apply->impl;
    op->line = apply->line;
    return first_named(fit, name_of(fit, op), fit->ops->count - 1);
}

static uint64_t plus_known(uint64_t sum, uint64_t more)
{
    return more == MODEL_UNKNOWN ? sum : sum == MODEL_UNKNOWN ? more : model_state_plus(sum, more);
}

/* Adds the figures of an apply to an op that was not printed. */
static void add_figures(struct model_profile_row *op, const struct model_profile_row *apply)
{
    op->calls = plus_known(op->calls, apply->calls);
    op->ns = plus_known(op->ns, apply->ns);
    op->half_ns = model_state_plus(op->half_ns, apply->half_ns);
    op->nodes = plus_known(op->nodes, 1);
}

/* Largest first, as printed, so that of two ops with one name the applies find the right one. */
static bool find_ops(struct fitting *fit)
{
    const uint32_t printed = fit->ops->count;
    uint64_t *left = calloc((size_t)printed + fit->applies->count + 1, sizeof(*left));
    if (!left)
        return false;
    for (uint32_t i = 0; i < printed; i++) {
        left[i] = known_or_0(fit->ops->row[i].ns);
        fit->twins |= first_named(fit, name_of(fit, &fit->ops->row[i]), i) != i;
    }
    for (uint32_t i = 0; i < fit->applies->count; i++) {
        struct model_profile_row *apply = &fit->applies->row[i];
        uint32_t op = best_op(fit, name_of(fit, apply), left);
        if (op == MODEL_NONE && printed > 0 && fit->ops->remaining == 0)
            op = op_by_time(fit, apply, left);
        if (op == MODEL_NONE)
            op = add_op(fit, apply);
        apply->of = op;
        if (op == MODEL_NONE)
            break;
        if (op >= printed)
            add_figures(&fit->ops->row[op], apply);
        left[op] = minus(left[op], known_or_0(apply->ns));
    }
    free(left);
    return !fit->all->build->wrong;
}

/* --------------------------------------------------------------------------- classes of the ops */

/* Returns "Elemwise" of "<class 'theano.tensor.elemwise.Elemwise'>". */
static struct model_bytes short_class(struct model_bytes name)
{
    const size_t quote = model_bytes_find(name, "'");
    if (model_bytes_begin(name, "<class '"))
        name = model_bytes_from(name, quote + 1);
    const size_t end = model_bytes_find(name, "'");
    name.size = end < name.size ? end : name.size;
    for (size_t at = name.size; at-- > 0;)
        if (name.data[at] == '.')
            return model_bytes_from(name, at + 1);
    return name;
}

/* Ops whose names do not begin with their class. */
static const struct {
    const char *op, *op_class;
} named[] = {
    {"InplaceDimShuffle", "DimShuffle"},
    {"Transpose", "DimShuffle"},
    {"ExpandDims", "DimShuffle"},
    {"for{", "Scan"},
    {"for_inplace{", "Scan"},
    {"forall_inplace", "Scan"},
    {"do_while", "Scan"},
    {"if{", "IfElse"},
    {"SetSubtensor", "IncSubtensor"},
    {"InplaceIncSubtensor", "IncSubtensor"},
    {"InplaceSetSubtensor", "IncSubtensor"},
    {"_dot22", "Dot22"},
};

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool is_of(struct model_bytes op, struct model_bytes op_class)
{
    if (op.size >= op_class.size && memcmp(op.data, op_class.data, op_class.size) == 0 &&
        (op.size == op_class.size || !is_word(op.data[op_class.size])))
        return true;
    for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++)
        if (model_bytes_begin(op, named[i].op) && model_bytes_equal(op_class, named[i].op_class))
            return true;
    return false;
}

static uint32_t class_by_name(const struct fitting *fit, struct model_bytes op)
{
    for (uint32_t i = 0; i < fit->classes->count && may_step(fit); i++) {
        const struct model_bytes whole = name_of(fit, &fit->classes->row[i]);
        if (is_of(op, short_class(whole)))
            return i;
    }
    return MODEL_NONE;
}

/* What the ops of a class leave over, while classes are tried. */
struct left {
    uint64_t calls, nodes, ns, half_ns;
};

static bool fits(const struct model_profile_row *op, const struct left *left)
{
    return known_or_0(op->calls) <= left->calls && known_or_0(op->nodes) <= left->nodes &&
           minus(known_or_0(op->ns), op->half_ns) <= left->ns + left->half_ns;
}

static void take(const struct model_profile_row *op, struct left *left)
{
    left->calls = minus(left->calls, known_or_0(op->calls));
    left->nodes = minus(left->nodes, known_or_0(op->nodes));
    left->ns = minus(left->ns, known_or_0(op->ns));
    left->half_ns = model_state_plus(left->half_ns, op->half_ns);
}

/* Tries classes for the ops of a list, so that calls, nodes and times add up. With all ops printed,
 * nothing may be left over. */
static bool try_classes(struct fitting *fit, const uint32_t *list, uint32_t count,
                        struct left *left)
{
    const bool all = fit->ops->remaining == 0 && fit->classes->remaining == 0;
    if (count == 0) {
        for (uint32_t i = 0; all && i < fit->classes->count; i++)
            if (left[i].calls > 0 || left[i].nodes > 0 || left[i].ns > left[i].half_ns)
                return false;
        return true;
    }
    struct model_profile_row *op = &fit->ops->row[*list];
    for (uint32_t i = 0; i < fit->classes->count && fit->tries < TRIES; i++) {
        const struct left before = left[i];
        fit->tries++;
        if (!fits(op, &left[i]))
            continue;
        take(op, &left[i]);
        op->of = i;
        if (try_classes(fit, list + 1, count - 1, left))
            return true;
        left[i] = before;
    }
    op->of = MODEL_NONE;
    return false;
}

static void begin_left(const struct fitting *fit, struct left *left)
{
    for (uint32_t i = 0; i < fit->classes->count; i++) {
        const struct model_profile_row *row = &fit->classes->row[i];
        left[i] = (struct left){known_or_0(row->calls), known_or_0(row->nodes), known_or_0(row->ns),
                                row->half_ns};
    }
}

/* Finds the classes that names do not tell. If calls, nodes and times do not tell either, the ops
 * stay without a class. */
static bool find_other_classes(struct fitting *fit, uint32_t *list)
{
    struct left *left = calloc((size_t)fit->classes->count + 1, sizeof(*left));
    uint32_t open = 0;
    if (!left)
        return false;
    begin_left(fit, left);
    for (uint32_t i = 0; i < fit->ops->count; i++) {
        if (fit->ops->row[i].of == MODEL_NONE)
            list[open++] = i;
        else
            take(&fit->ops->row[i], &left[fit->ops->row[i].of]);
    }
    const bool found = open <= TRIED_OPS && try_classes(fit, list, open, left);
    for (uint32_t i = 0; !found && i < open; i++)
        fit->ops->row[list[i]].of = MODEL_NONE;
    if (!found)
        model_build_notice(fit->all->build, 1,
                           "The print does not tell the class of %u op%s of `%.*s`: see the class "
                           "%s.",
                           open, open == 1 ? "" : "s",
                           (int)(fit->profile->name_size < 60 ? fit->profile->name_size : 60),
                           fit->all->text + fit->profile->name, not_printed);
    free(left);
    return true;
}

static bool find_classes(struct fitting *fit)
{
    bool open = false;
    if (fit->classes->count == 0)
        return true;
    for (uint32_t i = 0; i < fit->ops->count; i++) {
        struct model_profile_row *op = &fit->ops->row[i];
        op->of = class_by_name(fit, name_of(fit, op));
        open |= op->of == MODEL_NONE;
    }
    uint32_t *list = open ? calloc(fit->ops->count, sizeof(*list)) : NULL;
    const bool good = !open || (list && find_other_classes(fit, list));
    free(list);
    return good;
}

/* ----------------------------------------------------------------------------------------- rows */

static uint32_t class_row(struct fitting *fit, uint32_t at)
{
    return model_build_class(fit->all->build, at == MODEL_NONE
                                                  ? model_bytes_of(not_printed)
                                                  : name_of(fit, &fit->classes->row[at]));
}

/* Number of earlier ops of the profile with the same name. */
static uint32_t nth_of(const struct fitting *fit, uint32_t op)
{
    uint32_t nth = 0;
    const struct model_bytes name = name_of(fit, &fit->ops->row[op]);
    for (uint32_t i = 0; fit->twins && i < op && may_step(fit); i++) {
        const struct model_bytes other = name_of(fit, &fit->ops->row[i]);
        nth += other.size == name.size && memcmp(other.data, name.data, name.size) == 0;
    }
    return nth;
}

static void add_value(struct fitting *fit, uint32_t apply, uint64_t calls, uint64_t ns,
                      bool uncounted)
{
    struct model_build_value value = model_build_nothing;
    value.calls = uncounted ? 0 : calls;
    value.ns = ns;
    value.uncounted = uncounted;
    if (apply != MODEL_NONE)
        model_build_add(fit->all->build, apply, &value);
}

static uint32_t add_apply(struct fitting *fit, uint32_t op, struct model_bytes text, uint32_t index,
                          uint8_t impl, uint8_t waits)
{
    const struct model_apply_raw raw = {.text = text,
                                        .function = fit->function,
                                        .op = op,
                                        .index = index,
                                        .impl = impl,
                                        .waits = waits ? waits : fit->waits};
    return model_build_apply(fit->all->build, &raw);
}

/* Adds the nodes of a rest. Their sum is in the first one. */
static void add_rest(struct fitting *fit, uint32_t op, const struct rest *rest, uint8_t impl)
{
    char text[64];
    const bool never_ran = rest->ns == 0 && rest->calls == 0 && !rest->uncounted;
    const uint64_t nodes = rest->nodes > 1 ? rest->nodes : 1;
    if (never_ran)
        snprintf(text, sizeof(text), "(a node that never ran)");
    else if (rest->nodes == 0)
        snprintf(text, sizeof(text), "(nodes that are not printed)");
    else
        snprintf(text, sizeof(text), "(%" PRIu64 " node%s not printed)", rest->nodes,
                 rest->nodes == 1 ? "" : "s");
    for (uint64_t i = 0; i < nodes && !fit->all->build->wrong; i++) {
        if (i > 0 && fit->unprinted++ == UNPRINTED_NODES)
            model_build_notice(fit->all->build, 1,
                               "More nodes are not printed than proftop makes rows for: APPLY of "
                               "some rows is too small.");
        if (i > 0 && fit->unprinted > UNPRINTED_NODES)
            return;
        const uint32_t apply = add_apply(
            fit, op, model_bytes_of(i == 0 || never_ran ? text : "(counted in another row)"), 0,
            impl, MODEL_WORKS);
        add_value(fit, apply, i == 0 ? rest->calls : 0, i == 0 ? rest->ns : 0,
                  i == 0 && rest->uncounted);
    }
}

/* Sums of the parts of a row. */
struct sum {
    uint64_t calls, nodes, ns, half_ns;
};

static void add_to(struct sum *sum, const struct model_profile_row *row)
{
    sum->calls = model_state_plus(sum->calls, known_or_0(row->calls));
    sum->nodes = model_state_plus(sum->nodes, row->nodes == MODEL_UNKNOWN ? 1 : row->nodes);
    sum->ns = model_state_plus(sum->ns, known_or_0(row->ns));
    sum->half_ns = model_state_plus(sum->half_ns, row->half_ns);
}

/* Returns what the parts of a row leave over; false: nothing, but for rounding. */
static bool rest_of(const struct model_profile_row *row, const struct sum *sum, struct rest *rest)
{
    const uint64_t off = model_state_plus(sum->half_ns, row->half_ns) + 1;
    const uint64_t ns = minus(known_or_0(row->ns), sum->ns);
    *rest = (struct rest){.calls = minus(known_or_0(row->calls), sum->calls),
                          .nodes = minus(known_or_0(row->nodes), sum->nodes),
                          .ns = ns > off ? ns : 0,
                          .uncounted = row->calls == MODEL_UNKNOWN};
    if (rest->ns == 0 && rest->calls > 0)
        rest->ns = ns;
    const bool any = rest->calls > 0 || rest->nodes > 0 || rest->ns > 0;
    rest->uncounted &= rest->ns > 0;
    return any;
}

static void make_ops(struct fitting *fit)
{
    for (uint32_t i = 0; i < fit->ops->count && !fit->all->build->wrong; i++) {
        const struct model_profile_row *op = &fit->ops->row[i];
        const uint32_t op_class = class_row(fit, op->of);
        fit->op_id[i] = op_class == MODEL_NONE ? MODEL_NONE
                                               : model_build_op(fit->all->build, op_class,
                                                                name_of(fit, op), nth_of(fit, i));
    }
}

/* A time that is unknown although there were calls stays unknown. */
static void make_applies(struct fitting *fit)
{
    for (uint32_t i = 0; i < fit->applies->count && !fit->all->build->wrong; i++) {
        const struct model_profile_row *row = &fit->applies->row[i];
        const uint8_t impl = row->impl ? row->impl : fit->ops->row[row->of].impl;
        const uint32_t apply =
            add_apply(fit, fit->op_id[row->of], name_of(fit, row), row->index, impl, row->waits);
        const bool uncounted = row->calls == MODEL_UNKNOWN && row->ns != MODEL_UNKNOWN;
        add_value(fit, apply, known_or_0(row->calls), row->ns, uncounted);
    }
}

/* Adds the rest of each op: nodes without a row of their own. */
static bool make_rests_of_ops(struct fitting *fit)
{
    struct sum *sum = calloc((size_t)fit->ops->count + 1, sizeof(*sum));
    if (!sum)
        return false;
    for (uint32_t i = 0; i < fit->applies->count; i++)
        add_to(&sum[fit->applies->row[i].of], &fit->applies->row[i]);
    for (uint32_t i = 0; i < fit->ops->count && !fit->all->build->wrong; i++) {
        const struct model_profile_row *op = &fit->ops->row[i];
        struct rest rest;
        if (rest_of(op, &sum[i], &rest)) {
            if (op->ns == MODEL_UNKNOWN && rest.calls > 0)
                rest.ns = MODEL_UNKNOWN;
            add_rest(fit, fit->op_id[i], &rest, op->impl);
        }
    }
    free(sum);
    return true;
}

static void add_rest_of_class(struct fitting *fit, struct model_bytes op_class, const char *name,
                              const struct rest *rest, uint8_t impl)
{
    struct model_build *build = fit->all->build;
    const uint32_t id = model_build_class(build, op_class);
    const uint32_t op =
        id == MODEL_NONE ? MODEL_NONE : model_build_op(build, id, model_bytes_of(name), 0);
    if (op != MODEL_NONE)
        add_rest(fit, op, rest, impl);
}

static void give_part(uint64_t *to, uint64_t *from)
{
    const uint64_t part = *to < *from ? *to : *from;
    *to -= part;
    *from -= part;
}

/* Ops without a class are a part of the rests. Returns true if anything is left of a rest. */
static bool give(struct rest *rest, struct sum *open)
{
    give_part(&rest->calls, &open->calls);
    give_part(&rest->nodes, &open->nodes);
    give_part(&rest->ns, &open->ns);
    return rest->calls > 0 || rest->nodes > 0 || rest->ns > 0;
}

/* Adds the rest of each class, and what no class explains. */
static bool make_rests_of_classes(struct fitting *fit)
{
    struct sum *sum = calloc((size_t)fit->classes->count + 1, sizeof(*sum));
    struct sum all = {0}, open = {0}; /* open: ops without a class */
    struct rest rest;
    if (!sum)
        return false;
    for (uint32_t i = 0; i < fit->ops->count; i++) {
        const uint32_t of = fit->ops->row[i].of;
        add_to(of == MODEL_NONE ? &open : &sum[of], &fit->ops->row[i]);
    }
    for (uint32_t i = 0; i < fit->classes->count && !fit->all->build->wrong; i++) {
        const struct model_profile_row *row = &fit->classes->row[i];
        if (rest_of(row, &sum[i], &rest) && give(&rest, &open))
            add_rest_of_class(fit, name_of(fit, row), "(ops that are not printed)", &rest,
                              row->impl);
        add_to(&all, row);
    }
    all.ns = model_state_plus(all.ns, open.ns);
    all.half_ns = model_state_plus(all.half_ns, open.half_ns);
    free(sum);
    const struct model_profile *profile = fit->profile;
    const struct model_profile_row whole = {.ns = profile->thunk_ns,
                                            .half_ns = profile->thunk_half_ns,
                                            .calls = MODEL_UNKNOWN,
                                            .nodes = MODEL_UNKNOWN};
    const bool some = fit->classes->printed || fit->ops->printed || fit->applies->printed;
    if (some && profile->thunk_ns != MODEL_UNKNOWN && rest_of(&whole, &all, &rest))
        add_rest_of_class(fit, model_bytes_of("(classes that are not printed)"),
                          "(ops of classes that are not printed)", &rest, MODEL_IMPL_UNKNOWN);
    return true;
}

/* --------------------------------------------------------------------------------------- memory */

/* Sizes are listed by the text of the apply. */
static void make_sizes(const struct fitting *fit, uint32_t first)
{
    struct model_job *job = fit->all->build->job;
    const struct model_profile *profile = fit->profile;
    uint32_t at = first;
    for (uint32_t i = 0; i < profile->sizes; i++) {
        const struct model_profile_size *size = &fit->all->size[profile->first_size + i];
        const uint32_t end = model_job_count(job, MODEL_APPLY);
        for (uint32_t step = first; step < end && may_step(fit); step++) {
            at = at + 1 < end ? at + 1 : first;
            const struct model_text *text = &model_job_apply(job, at)->text;
            if (text->raw_size != size->name_size ||
                memcmp(text->raw, fit->all->text + size->name, size->name_size) != 0)
                continue;
            const struct model_about_raw raw = {
                .rev = 1, .flops = MODEL_UNKNOWN, .bytes = size->bytes, .thunk_ns = MODEL_UNKNOWN};
            model_job_set_about(job, at, &raw);
            break;
        }
    }
}

/* --------------------------------------------------------------------------------------- shares */

/* A share has one decimal. Where nodes wait, shares are of the work alone, and are not compared. */
static bool has_share(const struct model_profile *profile, const struct model_profile_row *row)
{
    const double ns = (double)row->ns, half = (double)row->half_ns;
    const double whole = (double)profile->thunk_ns, share = model_decimal_value(&row->share);
    return (ns - half) * 100 / whole <= share + 0.0501 &&
           (ns + half) * 100 / whole >= share - 0.0501;
}

static void check_shares(struct fitting *fit)
{
    const struct model_profile *profile = fit->profile;
    bool waits = profile->thunk_ns == MODEL_UNKNOWN || profile->thunk_ns == 0;
    for (unsigned table = 0; table < MODEL_PROFILE_TABLES; table++)
        for (uint32_t i = 0; i < profile->table[table].count; i++)
            waits |= profile->table[table].row[i].waits != MODEL_WORKS;
    for (unsigned table = 0; table < MODEL_PROFILE_TABLES && !waits; table++)
        for (uint32_t i = 0; i < profile->table[table].count; i++) {
            const struct model_profile_row *row = &profile->table[table].row[i];
            if (row->share_known && row->ns != MODEL_UNKNOWN && !has_share(profile, row) &&
                fit->all->wrong_shares++ == 0)
                fit->all->wrong_share_line = row->line;
        }
}

static void name_contradictions(struct model_profiles *all)
{
    if (all->wrong_times > 0)
        model_build_notice(all->build, 1,
                           "Rows whose time is not the calls by the time per call, which is taken: "
                           "%" PRIu64 ", the first in line %" PRIu64 ".",
                           all->wrong_times, all->wrong_time_line);
    if (all->wrong_shares > 0)
        model_build_notice(all->build, 1,
                           "Rows whose share is not the share of their time, which is taken: "
                           "%" PRIu64 ", the first in line %" PRIu64 ".",
                           all->wrong_shares, all->wrong_share_line);
}

/* ------------------------------------------------------------------------------------ functions */

static void set_function(const struct fitting *fit)
{
    const struct model_profile *p = fit->profile;
    const uint64_t id = fit->function, unknown = MODEL_UNKNOWN;
    struct model_job *job = fit->all->build->job;
    model_job_set_calls(job, 1, &id, &p->calls, &p->call_ns, &p->vm_ns, &unknown, false);
    model_job_set_compile(job, 1, &id, &p->compile_ns, &p->rewrite_ns, &p->validate_ns, &p->link_ns,
                          &unknown, false);
}

static bool make_rows(struct fitting *fit)
{
    const uint32_t first = model_job_count(fit->all->build->job, MODEL_APPLY);
    if (!find_ops(fit) || !find_classes(fit))
        return false;
    fit->op_id = calloc((size_t)fit->ops->count + 1, sizeof(*fit->op_id));
    if (!fit->op_id)
        return false;
    make_ops(fit);
    make_applies(fit);
    const bool good = make_rests_of_ops(fit) && make_rests_of_classes(fit);
    if (!fit->all->build->wrong)
        make_sizes(fit, first);
    free(fit->op_id);
    return good;
}

/* True if a Scan node has the name of the function: "Scan{scan_fn, ...}". */
static bool has_name(const struct fitting *fit, uint32_t apply)
{
    const struct model_job *job = fit->all->build->job;
    const struct model_text *text = &model_job_op(job, model_job_apply(job, apply)->op)->text;
    const struct model_bytes op = {text->raw, text->raw_size};
    char name[128];
    if (fit->profile->name_size == 0 || fit->profile->name_size >= sizeof(name))
        return false;
    memcpy(name, fit->all->text + fit->profile->name, fit->profile->name_size);
    name[fit->profile->name_size] = '\0';
    return model_bytes_find(op, name) != SIZE_MAX;
}

/* Finds the Scan node that runs a function: with its number of calls, and its name or its time. The
 * node takes longer than the function says. Each node runs one function. */
static uint32_t find_scan(const struct fitting *fit)
{
    const struct model_job *job = fit->all->build->job;
    const struct model_profile *profile = fit->profile;
    uint32_t found = MODEL_NONE;
    uint64_t best = MODEL_UNKNOWN;
    for (uint32_t id = 0; id < model_job_count(job, MODEL_APPLY); id++) {
        if (!may_step(fit))
            break;
        const struct model_build_value *value = &fit->all->build->value[id];
        const uint32_t op_class = model_job_op(job, model_job_apply(job, id)->op)->op_class;
        const struct model_text *name = &model_job_class(job, op_class)->name;
        const struct model_bytes text = {name->raw, name->raw_size};
        const uint64_t ns = known_or_0(value->ns), scan_ns = known_or_0(profile->scan_ns);
        const uint64_t off = ns > scan_ns ? ns - scan_ns : scan_ns - ns;
        if (!model_bytes_equal(short_class(text), "Scan") || value->calls != profile->scan_calls ||
            off >= best || (off > scan_ns / 20 + 1000 && !has_name(fit, id)))
            continue;
        bool taken = false;
        for (uint32_t f = 0; f < model_job_count(job, MODEL_FUNCTION); f++, fit->all->steps++)
            taken |= model_job_function(job, f)->parent == id;
        if (!taken) {
            found = id;
            best = off;
        }
    }
    return found;
}

static void build_one(struct model_profiles *all, struct model_profile *profile)
{
    struct fitting fit = {.all = all,
                          .profile = profile,
                          .classes = &profile->table[MODEL_PROFILE_CLASS],
                          .ops = &profile->table[MODEL_PROFILE_OP],
                          .applies = &profile->table[MODEL_PROFILE_APPLY]};
    const uint32_t parent = profile->scan ? find_scan(&fit) : MODEL_NONE;
    if (profile->scan && parent == MODEL_NONE) {
        fit.waits = MODEL_ASIDE;
        model_build_notice(
            all->build, 0, "No printed node runs the Scan `%.*s`: its times are aside.",
            (int)(profile->name_size < 60 ? profile->name_size : 60), all->text + profile->name);
    }
    fit.function = model_build_function(
        all->build, (struct model_bytes){all->text + profile->name, profile->name_size},
        (struct model_bytes){all->text + profile->file, profile->file_size}, profile->file_line,
        parent);
    if (fit.function == MODEL_NONE)
        return;
    set_function(&fit);
    check_shares(&fit);
    if (!make_rows(&fit) && !all->build->wrong)
        all->build->wrong = "needs more memory than there is";
}

/* True if a profile has any figure. */
static bool says_something(const struct model_profile *profile)
{
    const uint64_t *figure[] = {&profile->calls, &profile->thunk_ns, &profile->compile_ns,
                                &profile->rewrite_ns, &profile->link_ns};
    for (size_t i = 0; i < sizeof(figure) / sizeof(figure[0]); i++)
        if (*figure[i] != MODEL_UNKNOWN)
            return true;
    for (unsigned table = 0; table < MODEL_PROFILE_TABLES; table++)
        if (profile->table[table].count > 0)
            return true;
    return false;
}

/* The sum repeats the other profiles; it is read only if there is no other. Functions inside a Scan
 * come after all others, because their nodes have to be known. */
void model_profiles_build(struct model_profiles *all)
{
    uint32_t others = 0;
    for (uint32_t i = 0; i < all->count; i++)
        others += !all->one[i].sum && !all->one[i].scan && says_something(&all->one[i]);
    if (all->text == NULL && model_profiles_text(all, model_bytes_of(" ")) == SIZE_MAX)
        return;
    for (unsigned scan = 0; scan < 2; scan++)
        for (uint32_t i = 0; i < all->count && !all->build->wrong; i++)
            if (all->one[i].scan == scan && !(all->one[i].sum && others > 0) &&
                says_something(&all->one[i]))
                build_one(all, &all->one[i]);
    name_contradictions(all);
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * import_profile.c: stores the rows of printed profiles.
 */
#include "model/import_profile.h"

#include <stdlib.h>
#include <string.h>

#include "model/json_read.h"

enum { PS_PER_NS = 1000 };

void model_profiles_release(struct model_profiles *all)
{
    for (uint32_t i = 0; i < all->count; i++)
        for (unsigned table = 0; table < MODEL_PROFILE_TABLES; table++)
            free(all->one[i].table[table].row);
    free(all->one);
    free(all->size);
    free(all->text);
}

/* Returns the list with space for one more item, or NULL. */
static void *fit(struct model_profiles *all, void *list, uint32_t count, uint32_t *capacity,
                 size_t size)
{
    if (all->build->wrong)
        return NULL;
    if (count < *capacity)
        return list;
    const uint32_t wanted = count + count / 2 + 16;
    void *grown = realloc(list, wanted * size);
    if (grown)
        *capacity = wanted;
    else
        all->build->wrong = "needs more memory than there is";
    return grown;
}

static bool is_full(struct model_profiles *all)
{
    if (all->rows++ < MODEL_SAVED_ROWS)
        return false;
    all->build->wrong = "has more rows than proftop reads";
    return true;
}

struct model_profile *model_profiles_add(struct model_profiles *all)
{
    if (is_full(all))
        return NULL;
    void *one = fit(all, all->one, all->count, &all->capacity, sizeof(*all->one));
    if (!one)
        return NULL;
    all->one = one;
    struct model_profile *profile = &all->one[all->count++];
    *profile = (struct model_profile){.calls = MODEL_UNKNOWN,
                                      .call_ns = MODEL_UNKNOWN,
                                      .vm_ns = MODEL_UNKNOWN,
                                      .thunk_ns = MODEL_UNKNOWN,
                                      .compile_ns = MODEL_UNKNOWN,
                                      .rewrite_ns = MODEL_UNKNOWN,
                                      .validate_ns = MODEL_UNKNOWN,
                                      .link_ns = MODEL_UNKNOWN,
                                      .scan_calls = MODEL_UNKNOWN,
                                      .scan_ns = MODEL_UNKNOWN,
                                      .first_size = all->sizes};
    for (unsigned table = 0; table < MODEL_PROFILE_TABLES; table++)
        profile->table[table].remaining = MODEL_UNKNOWN;
    return profile;
}

size_t model_profiles_text(struct model_profiles *all, struct model_bytes text)
{
    const size_t at = all->text_size;
    if (all->build->wrong)
        return SIZE_MAX;
    if (at + text.size > all->text_capacity) {
        const size_t capacity = 2 * (at + text.size) + 4096;
        char *grown = capacity > MODEL_SAVED_TEXTS ? NULL : realloc(all->text, capacity);
        if (!grown) {
            all->build->wrong = "has more names than proftop reads";
            return SIZE_MAX;
        }
        all->text = grown;
        all->text_capacity = capacity;
    }
    if (text.size > 0)
        memcpy(all->text + at, text.data, text.size);
    all->text_size += text.size;
    return at;
}

struct model_profile_row *model_profiles_add_row(struct model_profiles *all,
                                                 struct model_profile *profile,
                                                 enum model_profile_table table,
                                                 struct model_bytes name)
{
    struct model_profile_rows *rows = &profile->table[table];
    const size_t at = model_profiles_text(all, name);
    if (at == SIZE_MAX || is_full(all))
        return NULL;
    void *row = fit(all, rows->row, rows->count, &rows->capacity, sizeof(*rows->row));
    if (!row)
        return NULL;
    rows->row = row;
    struct model_profile_row *added = &rows->row[rows->count++];
    *added = (struct model_profile_row){.name = at,
                                        .size = name.size,
                                        .ns = MODEL_UNKNOWN,
                                        .calls = MODEL_UNKNOWN,
                                        .nodes = MODEL_UNKNOWN,
                                        .of = MODEL_NONE};
    return added;
}

void model_profiles_add_size(struct model_profiles *all, struct model_bytes name, uint64_t bytes)
{
    const size_t at = model_profiles_text(all, name);
    if (at == SIZE_MAX || is_full(all))
        return;
    void *size = fit(all, all->size, all->sizes, &all->size_capacity, sizeof(*all->size));
    if (!size)
        return;
    all->size = size;
    all->size[all->sizes++] = (struct model_profile_size){at, name.size, bytes};
    all->one[all->count - 1].sizes++;
}

/* ----------------------------------------------------------------------------------------- time */

/* A range of possible times, in ns. */
struct range {
    double from, to;
};

static struct range around(double value, double half)
{
    return (struct range){value > half ? value - half : 0, value + half};
}

static void set_range(struct model_profile_row *row, struct range range)
{
    static const double most = 1.8e19;
    const double middle = range.from + (range.to - range.from) / 2;
    const double half = (range.to - range.from) / 2;
    row->ns = middle < most ? (uint64_t)(middle + 0.5) : MODEL_UNKNOWN - 1;
    row->half_ns = half < most ? (uint64_t)half + 1 : MODEL_UNKNOWN - 1;
}

bool model_profile_time(struct model_profile_row *row, uint64_t ns, uint64_t half_ns,
                        uint64_t each_ps, uint64_t each_half_ps)
{
    const bool each_known = each_ps != MODEL_UNKNOWN && row->calls != MODEL_UNKNOWN;
    const struct range whole = around((double)ns, (double)half_ns);
    const struct range each = around((double)each_ps, (double)each_half_ps);
    const double factor = (double)row->calls / PS_PER_NS;
    const struct range calls = {each.from * factor, each.to * factor};
    if (each_known && (ns == MODEL_UNKNOWN || calls.from > whole.to || calls.to < whole.from)) {
        set_range(row, calls);
        return ns == MODEL_UNKNOWN;
    }
    if (ns == MODEL_UNKNOWN)
        return true;
    row->ns = ns;
    row->half_ns = half_ns;
    if (each_known)
        set_range(row, (struct range){whole.from > calls.from ? whole.from : calls.from,
                                      whole.to < calls.to ? whole.to : calls.to});
    return true;
}

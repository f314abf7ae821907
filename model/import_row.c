/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * import_row.c: reads headings and rows of printed tables.
 */
#include "model/import_row.h"

#include <string.h>

enum column { SHARE, FRACTION, SUM, TIME, EACH, TYPE, STAR, CALLS, NODES, ID, FLOPS, OTHER, NAME };

/* What the columns are called, in the words of all releases. */
static const struct {
    const char *title;
    enum column column;
} titles[] = {
    {"% time", SHARE},
    {"sum %", SUM},
    {"apply time", TIME},
    {"time per call", EACH},
    {"type", TYPE},
    {"#call", CALLS},
    {"#apply", NODES},
    {"id", ID},
    {"Mflops", FLOPS},
    {"Gflops/s", FLOPS},
    /* ProfileMode */
    {"% of local_time spent on this kind of Op", SHARE},
    {"% of local_time spent on this type of Op", SHARE},
    {"% of local_time spent at this position", SHARE},
    {"fraction of local_time spent on this kind of Op", FRACTION},
    {"fraction of local_time spent on this type of Op", FRACTION},
    {"fraction of local_time spent at this position", FRACTION},
    {"cumulative %", SUM},
    {"cumulative %%", SUM},
    {"cumulative seconds", OTHER},
    {"self seconds", TIME},
    {"nb_call", CALLS},
    {"nb_apply", NODES},
    {"nb_op", OTHER},
    {"Apply position", ID},
    {"MFlops/s", FLOPS},
    /* the last one */
    {"Class name", NAME},
    {"Op name", NAME},
    {"Apply name", NAME},
    {"Apply Op name", NAME},
    {"type of Op", NAME},
};

/* ------------------------------------------------------------------------------------- headings */

static bool add_column(struct model_heading *heading, struct model_bytes title)
{
    for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++) {
        if (!model_bytes_equal(title, titles[i].title) || heading->columns == MODEL_HEADING_COLUMNS)
            continue;
        heading->column[heading->columns++] = (uint8_t)titles[i].column;
        if (titles[i].column == NAME)
            heading->table = *title.data == 'C' || *title.data == 't' ? MODEL_PROFILE_CLASS
                             : *title.data == 'O'                     ? MODEL_PROFILE_OP
                                                                      : MODEL_PROFILE_APPLY;
        return true;
    }
    return false;
}

bool model_heading_read(struct model_bytes line, struct model_heading *heading)
{
    *heading = (struct model_heading){0};
    for (size_t at = 0; at < line.size;) {
        const struct model_bytes rest = model_bytes_from(line, at);
        const size_t end = model_bytes_find(rest, ">");
        if (model_bytes_begin(rest, "[*]") && heading->columns < MODEL_HEADING_COLUMNS)
            heading->column[heading->columns++] = STAR;
        if (*rest.data != '<' || end == SIZE_MAX) {
            at++;
            continue;
        }
        if (!add_column(heading, (struct model_bytes){rest.data + 1, end - 1}))
            return false;
        at += end + 1;
    }
    return heading->columns > 1 && heading->column[heading->columns - 1] == NAME;
}

/* ----------------------------------------------------------------------------------------- rows */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Returns the next word of a line, and moves the line behind it. */
static struct model_bytes next_word(struct model_bytes *line)
{
    *line = model_bytes_trim(*line);
    struct model_bytes word = {line->data, 0};
    while (word.size < line->size && !is_blank(line->data[word.size]))
        word.size++;
    *line = model_bytes_from(*line, word.size);
    return word;
}

/* Reads all of a word as a number with a unit behind it. `-` is no number. */
static bool read_number(struct model_bytes word, const char *unit, struct model_decimal *number,
                        bool *known)
{
    const size_t size = model_decimal_read(word.data, word.size, number);
    *known = size > 0 && !number->negative;
    return (*known && model_bytes_equal(model_bytes_from(word, size), unit)) ||
           model_bytes_equal(word, "-");
}

static bool read_whole(struct model_bytes word, uint64_t *value)
{
    struct model_decimal number;
    bool known;
    if (!read_number(word, "", &number, &known))
        return false;
    *value = known ? model_decimal_scale(&number, 0) : MODEL_UNKNOWN;
    return !known || number.power >= 0;
}

static bool read_share(struct model_bytes word, struct model_printed_row *row)
{
    row->waits = model_bytes_equal(word, "wait")    ? MODEL_WAITS
                 : model_bytes_equal(word, "aside") ? MODEL_ASIDE
                                                    : MODEL_WORKS;
    return row->waits != MODEL_WORKS || read_number(word, "%", &row->share, &row->share_known);
}

/* Takes a word made of C, Py and JIT off the line, if one comes next. */
static bool take_type(struct model_bytes *line, uint8_t *impls)
{
    static const char *const words[MODEL_IMPLS] = {NULL, "C", "Py", "JIT"};
    struct model_bytes rest = *line, word = next_word(&rest);
    uint8_t found = 0;
    while (word.size > 0) {
        unsigned impl = MODEL_IMPLS;
        while (--impl > 0 && !model_bytes_begin(word, words[impl]))
            ;
        if (impl == 0)
            return false;
        found |= (uint8_t)(1u << impl);
        word = model_bytes_from(word, strlen(words[impl]));
    }
    *impls |= found;
    *line = rest;
    return found != 0;
}

static uint8_t impl_of(uint8_t impls)
{
    for (uint8_t impl = 1; impl < MODEL_IMPLS; impl++)
        if (impls == 1u << impl)
            return impl;
    return MODEL_IMPL_UNKNOWN;
}

/* Operations per second stand in a row only if they are known. */
static void skip_flops(struct model_bytes *line)
{
    struct model_bytes rest = *line;
    const struct model_bytes word = next_word(&rest);
    struct model_decimal number;
    if (model_decimal_read(word.data, word.size, &number) == word.size && number.power < 0)
        *line = rest;
}

static bool read_cell(enum column column, struct model_bytes *line, struct model_printed_row *row)
{
    struct model_decimal number;
    bool known;
    uint8_t impls = 0;
    struct model_bytes rest = *line;
    switch (column) {
    case SHARE:
        return read_share(next_word(line), row);
    case FRACTION:
        rest = next_word(line);
        if (model_bytes_equal(rest, "wait") || model_bytes_equal(rest, "aside"))
            return read_share(rest, row);
        return read_number(rest, "", &row->fraction, &row->fraction_known);
    case SUM:
        return read_number(next_word(line), "%", &number, &known);
    case TIME:
        return read_number(next_word(line), "s", &row->time, &row->time_known);
    case EACH:
        return read_number(next_word(line), "s", &row->each, &row->each_known);
    case OTHER:
        return next_word(line).size > 0;
    case TYPE:
        while (take_type(line, &impls))
            ;
        row->impl = impl_of(impls);
        return true;
    case STAR:
        if (model_bytes_equal(next_word(&rest), "*")) {
            row->impl = MODEL_IMPL_C;
            *line = rest;
        }
        return true;
    case CALLS:
        return read_whole(next_word(line), &row->calls);
    case NODES:
        return read_whole(next_word(line), &row->nodes);
    case ID:
        return read_whole(next_word(line), &row->index);
    case FLOPS:
        skip_flops(line);
        return true;
    case NAME:
        row->name = model_bytes_trim(*line);
        return row->name.size > 0;
    }
    return false;
}

bool model_row_read(const struct model_heading *heading, struct model_bytes line,
                    struct model_printed_row *row)
{
    *row = (struct model_printed_row){
        .calls = MODEL_UNKNOWN, .nodes = MODEL_UNKNOWN, .index = MODEL_UNKNOWN};
    for (unsigned i = 0; i < heading->columns; i++) {
        const bool fraction = heading->column[0] == FRACTION && heading->column[i] == NAME;
        if (fraction && heading->table != MODEL_PROFILE_APPLY)
            read_cell(STAR, &line, row);
        if (!read_cell((enum column)heading->column[i], &line, row))
            return false;
    }
    return true;
}

/* ---------------------------------------------------------------------------------------- words */

uint64_t model_seconds_read(struct model_bytes text, uint64_t *half_ns)
{
    struct model_decimal number;
    text = model_bytes_trim(text);
    const size_t size = model_decimal_read(text.data, text.size, &number);
    if (size == 0 || number.negative || size == text.size || text.data[size] != 's')
        return MODEL_UNKNOWN;
    if (half_ns)
        *half_ns = model_decimal_half(&number, 9);
    return model_decimal_scale(&number, 9);
}

uint64_t model_whole_read(struct model_bytes text)
{
    struct model_decimal number;
    text = model_bytes_trim(text);
    const size_t size = model_decimal_read(text.data, text.size, &number);
    return size == 0 || number.negative ? MODEL_UNKNOWN : model_decimal_scale(&number, 0);
}

bool model_trailer_read(struct model_bytes line, uint64_t *remaining)
{
    static const char begin[] = "... (remaining ";
    line = model_bytes_trim(line);
    if (!model_bytes_begin(line, begin))
        return false;
    *remaining = model_whole_read(model_bytes_from(line, sizeof(begin) - 1));
    return true;
}

void model_row_add(struct model_profiles *all, enum model_profile_table table, uint64_t line,
                   const struct model_printed_row *printed)
{
    struct model_profile *profile = &all->one[all->count - 1];
    struct model_profile_row *row = model_profiles_add_row(all, profile, table, printed->name);
    if (!row)
        return;
    row->calls = printed->calls;
    row->nodes = printed->nodes;
    row->index = printed->index < UINT32_MAX ? (uint32_t)printed->index : 0;
    row->impl = printed->impl;
    row->waits = printed->waits;
    row->line = line;
    const uint64_t ns =
        printed->time_known ? model_decimal_scale(&printed->time, 9) : MODEL_UNKNOWN;
    const uint64_t each =
        printed->each_known ? model_decimal_scale(&printed->each, 12) : MODEL_UNKNOWN;
    const bool agree =
        model_profile_time(row, ns, printed->time_known ? model_decimal_half(&printed->time, 9) : 0,
                           each, printed->each_known ? model_decimal_half(&printed->each, 12) : 0);
    if (!agree && all->wrong_times++ == 0)
        all->wrong_time_line = line;
    row->share_known = printed->share_known;
    row->share = printed->share;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * import_torch.c: reads the table of torch.profiler: key_averages().table(), as
 * torch/autograd/profiler_util.py prints it. A line of dashes tells where columns begin and end,
 * in characters; the heading tells what they are. Releases, devices and options have other columns.
 */
#include "model/import_text.h"

#include <string.h>

#include "model/import_names.h"
#include "model/node_detail.h"

enum place { OUTSIDE, HEADING, DASHES, ROWS, AFTER };

enum column {
    SKIPPED,
    NAME,
    CALLS,
    SELF,
    TOTAL,
    AVERAGE,
    DEVICE,
    DEVICE_TOTAL,
    MEMORY,
    DEVICE_MEMORY,
    SHAPES,
    SOURCE,
    OVERLOAD,
    FLOPS,
    COLUMNS
};

/* Devices have the names of their back-ends: CUDA, XPU, HPU, MTIA, ... */
static const struct {
    const char *begins, *ends;
    enum column column;
} titles[] = {
    {"Name", "", NAME},
    {"# of Calls", "", CALLS},
    {"Number of Calls", "", CALLS},
    {"Input Shapes", "", SHAPES},
    {"Source Location", "", SOURCE},
    {"Overload Name", "", OVERLOAD},
    {"Node ID", "", SKIPPED},
    {"", "%", SKIPPED},
    {"Total ", "FLOPs", FLOPS},
    {"Self CPU Mem", "", MEMORY},
    {"CPU Mem", "", SKIPPED},
    {"Self CPU", "", SELF},
    {"CPU total", "", TOTAL},
    {"CPU time avg", "", AVERAGE},
    {"Self ", " Mem", DEVICE_MEMORY},
    {"", " Mem", SKIPPED},
    {"", " time avg", SKIPPED},
    {"Self ", "", DEVICE},
    {"", " total", DEVICE_TOTAL},
};

static bool ends_with(struct model_bytes text, const char *with)
{
    const size_t size = strlen(with);
    return text.size >= size && memcmp(text.data + text.size - size, with, size) == 0;
}

/* --------------------------------------------------------------------------------------- layout */

/* Sets the columns from groups of dashes. False if the line has anything else. */
static bool read_dashes(struct model_bytes line, struct model_torch *torch)
{
    uint32_t at = 0;
    torch->columns = 0;
    while (at < line.size) {
        const uint32_t from = at;
        while (at < line.size && line.data[at] == '-')
            at++;
        if (at == from || torch->columns == MODEL_TORCH_COLUMNS)
            return false;
        torch->from[torch->columns] = from;
        torch->to[torch->columns++] = at;
        while (at < line.size && line.data[at] == ' ')
            at++;
    }
    return torch->columns >= 3;
}

/* Returns the bytes from one character to another: sizes of columns are in characters. */
static struct model_bytes cell_of(struct model_bytes line, uint32_t from, uint32_t to)
{
    uint32_t at = 0;
    size_t begin = line.size, end = line.size;
    for (size_t i = 0; i < line.size; i++) {
        if (((uint8_t)line.data[i] & 0xC0) == 0x80)
            continue;
        begin = at == from ? i : begin;
        end = at == to ? i : end;
        at++;
    }
    end = end > begin ? end : begin;
    return model_bytes_trim((struct model_bytes){line.data + begin, end - begin});
}

static void read_headings(struct model_bytes line, struct model_torch *torch)
{
    for (unsigned i = 0; i < torch->columns; i++) {
        const struct model_bytes title = cell_of(line, torch->from[i], torch->to[i]);
        torch->what[i] = SKIPPED;
        for (size_t k = 0; k < sizeof(titles) / sizeof(titles[0]); k++)
            if (model_bytes_begin(title, titles[k].begins) && ends_with(title, titles[k].ends)) {
                torch->what[i] = (uint8_t)titles[k].column;
                torch->unit[i] = title.size > 6 ? title.data[6] : ' ';
                break;
            }
    }
}

/* ---------------------------------------------------------------------------------------- cells */

/* Reads a time such as 12.345ms. MODEL_UNKNOWN for a negative one: self times that overlap. */
static uint64_t read_time(struct model_importing *in, struct model_bytes cell)
{
    static const struct {
        const char *unit;
        int power;
    } units[] = {{"ns", 0}, {"us", 3}, {"ms", 6}, {"s", 9}};
    struct model_decimal number;
    const size_t size = model_decimal_read(cell.data, cell.size, &number);
    for (size_t i = 0; size > 0 && !number.negative && i < sizeof(units) / sizeof(units[0]); i++)
        if (model_bytes_equal(model_bytes_from(cell, size), units[i].unit)) {
            const uint64_t half = model_decimal_half(&number, units[i].power);
            in->half_ns = half > in->half_ns ? half : in->half_ns;
            return model_decimal_scale(&number, units[i].power);
        }
    return MODEL_UNKNOWN;
}

/* Reads bytes such as 37.54 KB. MODEL_UNKNOWN for a negative number: more was freed. */
static uint64_t read_bytes(struct model_bytes cell)
{
    static const char units[] = "BKMGT";
    struct model_decimal number;
    const size_t size = model_decimal_read(cell.data, cell.size, &number);
    const struct model_bytes unit = model_bytes_trim(model_bytes_from(cell, size));
    if (size == 0 || number.negative || unit.size == 0)
        return MODEL_UNKNOWN;
    const char letter = unit.data[0] == 'b' ? 'B' : unit.data[0];
    const char *at = strchr(units, letter);
    double bytes = model_decimal_value(&number);
    for (; at && at > units; at--)
        bytes *= 1024;
    return at && bytes < 1e18 ? (uint64_t)(bytes + 0.5) : MODEL_UNKNOWN;
}

/* Operations of all calls. */
static double read_flops(struct model_bytes cell, char unit)
{
    static const char units[] = " KMGTP";
    struct model_decimal number;
    const char *at = strchr(units, unit);
    if (model_decimal_read(cell.data, cell.size, &number) == 0 || number.negative)
        return -1;
    double flops = model_decimal_value(&number);
    for (; at && at > units; at--)
        flops *= 1000;
    return flops;
}

/* ----------------------------------------------------------------------------------------- rows */

struct cells {
    struct model_bytes text[COLUMNS];
    char unit; /* of the operations */
};

static void read_cells(const struct model_torch *torch, struct model_bytes line,
                       struct cells *cells)
{
    *cells = (struct cells){0};
    for (unsigned i = 0; i < torch->columns; i++) {
        const uint32_t to = i + 1 == torch->columns ? UINT32_MAX : torch->to[i];
        cells->text[torch->what[i]] = cell_of(line, torch->from[i], to);
        if (torch->what[i] == FLOPS)
            cells->unit = torch->unit[i];
    }
}

/* Shapes and overload tell rows of one op apart. */
static struct model_bytes text_of(const struct cells *cells, char text[512])
{
    const struct model_bytes name = cells->text[NAME], overload = cells->text[OVERLOAD],
                             shapes = cells->text[SHAPES];
    size_t size = 0;
    if (name.size + overload.size + shapes.size + 4 > 512 || (!overload.size && !shapes.size))
        return name;
    memcpy(text, name.data, name.size);
    size = name.size;
    if (overload.size > 0) {
        text[size++] = '.';
        memcpy(text + size, overload.data, overload.size);
        size += overload.size;
    }
    if (shapes.size > 0) {
        text[size++] = '(';
        memcpy(text + size, shapes.data, shapes.size);
        size += shapes.size;
        text[size++] = ')';
    }
    return (struct model_bytes){text, size};
}

static void set_about(struct model_importing *in, uint32_t apply, const struct cells *cells,
                      uint64_t calls)
{
    const double flops = read_flops(cells->text[FLOPS], cells->unit);
    const bool known = flops > 0 && calls > 0 && flops / (double)calls < 1e18;
    const struct model_about_raw raw = {.rev = 1,
                                        .flops = known ? (uint64_t)(flops / (double)calls + 0.5)
                                                       : MODEL_UNKNOWN,
                                        .bytes = MODEL_UNKNOWN,
                                        .thunk_ns = MODEL_UNKNOWN,
                                        .location = cells->text[SOURCE]};
    if ((known || raw.location.size > 0) && apply != MODEL_NONE)
        model_job_set_about(in->build.job, apply, &raw);
}

static bool take_row(struct model_importing *in, struct model_bytes line)
{
    char text[512];
    struct cells cells;
    struct model_build *build = &in->build;
    struct model_build_value value = model_build_nothing;
    read_cells(&in->torch, line, &cells);
    value.calls = model_whole_read(cells.text[CALLS]);
    if (cells.text[CALLS].size == 0 && cells.text[SOURCE].size > 0)
        return true; /* one more line of a stack */
    if (value.calls == MODEL_UNKNOWN || cells.text[NAME].size == 0)
        return false;
    value.ns = read_time(in, cells.text[SELF]);
    if (value.ns == MODEL_UNKNOWN && cells.text[SELF].size > 0 && *cells.text[SELF].data == '-')
        in->negative++;
    else if (value.ns == MODEL_UNKNOWN)
        return false;
    value.metric[MODEL_BUILD_INCL] = read_time(in, cells.text[TOTAL]);
    value.metric[MODEL_BUILD_DEVICE] = read_time(in, cells.text[DEVICE]);
    value.metric[MODEL_BUILD_DEVICE_INCL] = read_time(in, cells.text[DEVICE_TOTAL]);
    value.metric[MODEL_BUILD_MEMORY] = read_bytes(cells.text[MEMORY]);
    value.metric[MODEL_BUILD_DEVICE_MEMORY] = read_bytes(cells.text[DEVICE_MEMORY]);
    const struct model_bytes name = cells.text[NAME];
    const uint32_t op_class = model_build_class(build, model_torch_class(name, "range"));
    if (op_class == MODEL_NONE)
        return false;
    const struct model_apply_raw raw = {.text = text_of(&cells, text),
                                        .function = in->torch.function,
                                        .op = model_build_op(build, op_class, name, 0)};
    const uint32_t apply = raw.op == MODEL_NONE ? MODEL_NONE : model_build_apply(build, &raw);
    if (apply == MODEL_NONE)
        return false;
    model_build_add(build, apply, &value);
    set_about(in, apply, &cells, value.calls);
    return true;
}

/* ---------------------------------------------------------------------------------------- lines */

static bool begins(struct model_bytes line)
{
    struct model_torch torch;
    return read_dashes(line, &torch);
}

static bool is_foot(struct model_bytes line)
{
    return model_bytes_begin(line, "Self ") && model_bytes_find(line, " time total: ") != SIZE_MAX;
}

/* Dashes stand over the heading, below it, and below the last row. */
static enum model_taken take(struct model_importing *in, struct model_bytes line)
{
    struct model_torch *torch = &in->torch;
    struct model_torch dashes = *torch;
    const bool is_dashes = read_dashes(line, &dashes);
    if (is_foot(line))
        return MODEL_TAKEN;
    if (is_dashes && torch->place == DASHES) {
        torch->place = ROWS;
        return MODEL_TAKEN;
    }
    if (is_dashes && torch->place == ROWS) {
        torch->place = AFTER;
        return MODEL_TAKEN;
    }
    if (is_dashes) {
        *torch = dashes;
        torch->place = HEADING;
        return MODEL_TAKEN;
    }
    if (torch->place == HEADING) {
        read_headings(line, torch);
        bool known[COLUMNS] = {false};
        for (unsigned i = 0; i < torch->columns; i++)
            known[torch->what[i]] = true;
        torch->place = known[NAME] && known[CALLS] && known[SELF] ? DASHES : OUTSIDE;
        if (torch->place == OUTSIDE)
            return MODEL_NOT_MINE;
        struct model_identity *who = model_job_identity_mutable(in->build.job);
        if (who->framework.raw_size == 0)
            model_build_set_text(&in->build, &who->framework, model_bytes_of("PyTorch"));
        torch->function = model_build_function_named(&in->build, model_bytes_of("torch.profiler"));
        return MODEL_TAKEN;
    }
    if (torch->place != ROWS || in->build.wrong)
        return MODEL_NOT_MINE;
    if (model_bytes_trim(line).size == 0)
        return MODEL_TAKEN;
    return take_row(in, line) ? MODEL_TAKEN : MODEL_UNREADABLE;
}

const struct model_text_format model_import_torch = {
    .name = "table of torch.profiler",
    .row = "no row of a table",
    .begins = begins,
    .take = take,
};

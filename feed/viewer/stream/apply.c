/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * apply.c: applies frames. Definitions go row by row through a table of functions, one per group;
 * values go in batches of columns.
 */
#include "config.h"

#include "feed/viewer/stream/apply.h"
#include "feed/viewer/stream/apply_detail.h"
#include "feed/viewer/stream/apply_objects.h"
#include "feed/viewer/stream/apply_timeline.h"

#include <string.h>

#include "feed/shared/pattern.h"

enum { BATCH = 1024 };

struct intake {
    struct model_job *job;
    const struct wire_frame *frame;
    struct model_link *link;
    bool older;
    uint32_t opens; /* rows of group `open` read so far; the fields below hold the last one */
    uint64_t open_id, open_ns, open_carry;
};

/* Wire tables that the model has too. The wire has other tables for later versions. */
static const struct {
    enum wire_table wire;
    enum model_table model;
} tables[] = {
    {WIRE_T_CLASS, MODEL_CLASS}, {WIRE_T_OP, MODEL_OP},         {WIRE_T_FUNCTION, MODEL_FUNCTION},
    {WIRE_T_APPLY, MODEL_APPLY}, {WIRE_T_THREAD, MODEL_THREAD}, {WIRE_T_COUNTER, MODEL_COUNTER},
    {WIRE_T_SPAN, MODEL_SPAN},   {WIRE_T_MARKER, MODEL_MARKER},
};
enum { TABLES = sizeof tables / sizeof tables[0] };

bool viewer_apply_ready(const struct model_job *job, const struct wire_frame *frame)
{
    for (unsigned i = 0; i < TABLES; i++)
        if (frame->defs[tables[i].wire] > model_job_count(job, tables[i].model))
            return false;
    return true;
}

/* -------------------------------------------------------------------------------- definitions */

static uint32_t u32_or(uint64_t value, uint32_t otherwise)
{
    return value < UINT32_MAX ? (uint32_t)value : otherwise;
}

/* Maps codes that this version does not know to 0. */
static uint8_t code(uint64_t value, unsigned known)
{
    return value < known ? (uint8_t)value : 0;
}

static bool has(const struct model_job *job, enum model_table table, uint64_t id)
{
    return id < model_job_count(job, table);
}

static struct model_bytes bytes_of(struct wire_text text)
{
    return (struct model_bytes){text.data, text.size};
}

static enum viewer_apply done_if(bool added)
{
    return added ? VIEWER_APPLY_DONE : VIEWER_APPLY_MEMORY;
}

/* Decides as the job does: a function is left out by its own name, or together with the function
 * that runs it, which is defined earlier. */
static void leave_out_function(struct model_job *job, uint32_t id)
{
    const struct model_function_def *def = model_job_function(job, id);
    bool out = shared_pattern_leaves_out(model_job_identity(job)->only.raw, def->name.raw);
    if (out && def->parent != MODEL_NONE)
        out = model_job_function(job, model_job_apply(job, def->parent)->function)->left_out;
    model_job_set_left_out(job, MODEL_FUNCTION, id, out);
}

static void leave_out_apply(struct model_job *job, uint32_t id)
{
    const struct model_apply_def *def = model_job_apply(job, id);
    const bool mute = model_job_identity(job)->mute >> def->kind & 1;
    model_job_set_left_out(job, MODEL_APPLY, id,
                           mute || model_job_function(job, def->function)->left_out);
}

static enum viewer_apply add_class(struct model_job *job, const struct viewer_apply_row *row)
{
    return done_if(model_job_add_class(job, row->text[0].data, row->text[0].size));
}

static enum viewer_apply add_op(struct model_job *job, const struct viewer_apply_row *row)
{
    if (!has(job, MODEL_CLASS, row->u[0]))
        return VIEWER_APPLY_WAITS;
    return done_if(
        model_job_add_op(job, (uint32_t)row->u[0], row->text[1].data, row->text[1].size));
}

static enum viewer_apply add_function(struct model_job *job, const struct viewer_apply_row *row)
{
    if (row->u[3] > 0 && !has(job, MODEL_APPLY, row->u[3] - 1))
        return VIEWER_APPLY_WAITS;
    struct model_function_raw def = {
        .name = bytes_of(row->text[0]),
        .file = bytes_of(row->text[1]),
        .line = u32_or(row->u[2], 0),
        .parent = row->u[3] > 0 ? (uint32_t)(row->u[3] - 1) : MODEL_NONE,
        .group = u32_or(row->u[4], 0),
        .source = code(row->u[5], MODEL_ABSENT + 1),
    };
    const uint32_t id = model_job_count(job, MODEL_FUNCTION);
    bool added = model_job_add_function(job, &def);
    if (added)
        leave_out_function(job, id);
    return done_if(added);
}

/* A value that this version does not know counts as waiting. */
static uint8_t waits_of(uint64_t what)
{
    return what <= MODEL_ASIDE ? (uint8_t)what : MODEL_WAITS;
}

static enum viewer_apply add_apply(struct model_job *job, const struct viewer_apply_row *row)
{
    if (!has(job, MODEL_FUNCTION, row->u[0]) || !has(job, MODEL_OP, row->u[1]))
        return VIEWER_APPLY_WAITS;
    struct model_apply_raw def = {
        .text = bytes_of(row->text[3]),
        .location = bytes_of(row->text[4]),
        .function = (uint32_t)row->u[0],
        .op = (uint32_t)row->u[1],
        .index = u32_or(row->u[2], MODEL_NONE),
        .source = code(row->u[5], MODEL_SET + 1),
        .kind = code(row->u[6], 3),
        .impl = code(row->u[7], MODEL_IMPLS),
        .exclusive = row->u[8] == 1,
        .waits = waits_of(row->waits),
    };
    const uint32_t id = model_job_count(job, MODEL_APPLY);
    bool added = model_job_add_apply(job, &def);
    if (added)
        leave_out_apply(job, id);
    return done_if(added);
}

static enum viewer_apply add_thread(struct model_job *job, const struct viewer_apply_row *row)
{
    return done_if(model_job_add_thread(job, row->text[0].data, row->text[0].size, row->u[1]));
}

static enum viewer_apply add_counter(struct model_job *job, const struct viewer_apply_row *row)
{
    return done_if(viewer_apply_counter(job, row));
}

static enum viewer_apply add_span(struct model_job *job, const struct viewer_apply_row *row)
{
    return done_if(viewer_apply_span(job, row));
}

static enum viewer_apply add_marker(struct model_job *job, const struct viewer_apply_row *row)
{
    return done_if(viewer_apply_marker(job, row));
}

static const struct {
    enum wire_group group;
    enum model_table table;
    enum viewer_apply (*add)(struct model_job *job, const struct viewer_apply_row *row);
} definitions[] = {
    {WIRE_G_CLASS, MODEL_CLASS, add_class},
    {WIRE_G_OP, MODEL_OP, add_op},
    {WIRE_G_FUNCTION, MODEL_FUNCTION, add_function},
    {WIRE_G_APPLY, MODEL_APPLY, add_apply},
    {WIRE_G_THREAD, MODEL_THREAD, add_thread},
    {WIRE_G_COUNTER, MODEL_COUNTER, add_counter},
    {WIRE_G_SPAN, MODEL_SPAN, add_span},
    {WIRE_G_MARKER, MODEL_MARKER, add_marker},
};
enum { DEFINITIONS = sizeof definitions / sizeof definitions[0] };

enum viewer_apply viewer_apply_definition(struct model_job *job, enum wire_group group,
                                          const struct viewer_apply_row *row)
{
    unsigned d = 0;
    while (d < DEFINITIONS && definitions[d].group != group)
        d++;
    return d < DEFINITIONS ? definitions[d].add(job, row) : VIEWER_APPLY_WAITS;
}

/* Iterator over the rows of one group; skips rows that the job already has. */
struct walk {
    const struct wire_rows *rows;
    uint32_t at; /* index of the row in `row`, once `loaded` */
    bool loaded; /* the row is read, but not added yet */
    const uint8_t *cursor[WIRE_COLUMNS];
    struct viewer_apply_row row;
    const struct wire_rows *waits; /* the group that says which rows wait; NULL: none */
    uint32_t waits_read;           /* rows of `waits` read so far; the fields below hold the last
                                    * one */
    uint64_t waits_id, waits_what, waits_carry;
};

static void walk_begin(struct walk *walk, const struct wire_rows *rows)
{
    *walk = (struct walk){.rows = rows};
    for (unsigned c = 0; c < WIRE_COLUMNS; c++)
        walk->cursor[c] = rows->column[c].data;
}

/* Replaces a name by "..." once the names of the job have used up their memory limit. */
static struct wire_text kept(struct intake *in, struct wire_text text)
{
    static const char left_out[] = "...";
    if (text.size < sizeof left_out || model_job_text_bytes(in->job) < WIRE_TEXTS_MAX)
        return text;
    in->link->over_limit++;
    in->link->no_names++;
    return (struct wire_text){left_out, sizeof left_out - 1};
}

/* Returns the entry of group `waits` for a row id, or 0. Both are ascending. */
static uint64_t waits_at(struct walk *walk, uint64_t id)
{
    const struct wire_rows *rows = walk->waits;
    while (walk->waits_read < rows->count && (walk->waits_read == 0 || walk->waits_id < id)) {
        wire_column_read(&rows->column[0], walk->waits_read, 1, &walk->waits_id,
                         &walk->waits_carry);
        wire_column_read(&rows->column[1], walk->waits_read, 1, &walk->waits_what, NULL);
        walk->waits_read++;
    }
    if (walk->waits_read == 0 || walk->waits_id != id)
        return 0;
    return walk->waits_what == 0 ? MODEL_WAITS : walk->waits_what;
}

/* Reads the row at `at`. Texts can only be read in sequence, so each row is read exactly once. */
static void walk_load(struct walk *walk, struct intake *in)
{
    for (unsigned c = 0; c < WIRE_COLUMNS; c++) {
        const struct wire_column *column = &walk->rows->column[c];
        struct wire_text text;
        if (column->type == WIRE_TEXT && wire_text_next(column, &walk->cursor[c], &text))
            walk->row.text[c] = kept(in, text);
        else if (column->type != WIRE_TEXT && column->type != WIRE_NONE)
            wire_column_read(column, walk->at, 1, &walk->row.u[c], NULL);
    }
    if (walk->waits)
        walk->row.waits = waits_at(walk, walk->rows->from + walk->at);
    walk->loaded = true;
}

/* Adds rows of one group until one of them waits for another group. Sets `*moved` if a row was
 * added. */
static enum viewer_apply walk_on(struct walk *walk, unsigned d, struct intake *in, bool *moved)
{
    struct model_job *job = in->job;
    const uint32_t from = walk->rows->from, count = walk->rows->count;
    if (from > model_job_count(job, definitions[d].table))
        return VIEWER_APPLY_WAITS;
    while (walk->at < count) {
        if (!walk->loaded)
            walk_load(walk, in);
        enum viewer_apply result = VIEWER_APPLY_DONE;
        if (from + walk->at >= model_job_count(job, definitions[d].table))
            result = definitions[d].add(job, &walk->row);
        if (result != VIEWER_APPLY_DONE)
            return result;
        *moved = true;
        walk->loaded = false;
        walk->at++;
    }
    return VIEWER_APPLY_DONE;
}

/* True if rows that another frame defines are missing: below the rows that this frame brings, or
 * above them. */
static bool lacks_others(const struct intake *in)
{
    for (unsigned i = 0; i < TABLES; i++) {
        uint32_t reach = model_job_count(in->job, tables[i].model);
        for (unsigned d = 0; d < DEFINITIONS; d++) {
            const struct wire_rows *rows = &in->frame->group[definitions[d].group];
            if (definitions[d].table == tables[i].model && rows->present && rows->from <= reach &&
                rows->from + rows->count > reach)
                reach = rows->from + rows->count;
        }
        if (reach < in->frame->defs[tables[i].wire])
            return true;
    }
    return false;
}

/* Takes the display names of ops. They must be known before define() adds the ops. */
static enum viewer_apply take_displays(struct intake *in)
{
    const struct wire_rows *rows = &in->frame->group[WIRE_G_DISPLAY];
    struct walk walk;
    walk_begin(&walk, rows);
    for (; rows->present && walk.at < rows->count; walk.at++) {
        if (model_job_text_bytes(in->job) >= WIRE_TEXTS_MAX)
            break; /* the ops are shown by their own names */
        walk_load(&walk, in);
        const struct wire_text text = walk.row.text[1];
        if (!model_job_set_display(in->job, (uint32_t)walk.row.u[0], text.data, text.size))
            return VIEWER_APPLY_MEMORY;
    }
    return VIEWER_APPLY_DONE;
}

/* Adds all definitions of the frame. A function may belong to an apply, and an apply to a function,
 * of the same frame, so the groups take turns until a round adds no row. */
static enum viewer_apply define(struct intake *in)
{
    struct walk walk[DEFINITIONS];
    bool moved;
    enum viewer_apply result;
    if (take_displays(in) == VIEWER_APPLY_MEMORY)
        return VIEWER_APPLY_MEMORY;
    const struct wire_rows *waits = &in->frame->group[WIRE_G_WAITS];
    for (unsigned d = 0; d < DEFINITIONS; d++) {
        walk_begin(&walk[d], &in->frame->group[definitions[d].group]);
        if (definitions[d].group == WIRE_G_APPLY && waits->present)
            walk[d].waits = waits;
    }
    do {
        moved = false;
        result = VIEWER_APPLY_DONE;
        for (unsigned d = 0; d < DEFINITIONS; d++) {
            if (!walk[d].rows->present || walk[d].at == walk[d].rows->count)
                continue;
            enum viewer_apply one = walk_on(&walk[d], d, in, &moved);
            if (one == VIEWER_APPLY_MEMORY)
                return one;
            if (one == VIEWER_APPLY_WAITS)
                result = one;
        }
    } while (moved && result == VIEWER_APPLY_WAITS);
    model_job_forget_displays(in->job);
    return result == VIEWER_APPLY_WAITS && !lacks_others(in) ? VIEWER_APPLY_WRONG : result;
}

/* ------------------------------------------------------------------------------------- values */

typedef size_t put_fn(struct intake *in, size_t n, uint64_t column[WIRE_COLUMNS][BATCH]);

/* Returns how long the open calls of an apply have run, from group `open`. Its rows are ascending,
 * as are those of the caller. */
static uint64_t open_of(struct intake *in, uint64_t id)
{
    const struct wire_rows *rows = &in->frame->group[WIRE_G_OPEN];
    while (rows->present && in->opens < rows->count && (in->opens == 0 || in->open_id < id)) {
        wire_column_read(&rows->column[0], in->opens, 1, &in->open_id, &in->open_carry);
        wire_column_read(&rows->column[1], in->opens, 1, &in->open_ns, NULL);
        in->opens++;
    }
    return in->opens > 0 && in->open_id == id ? in->open_ns : MODEL_UNKNOWN;
}

static size_t put_values(struct intake *in, size_t n, uint64_t c[WIRE_COLUMNS][BATCH])
{
    uint64_t open[BATCH];
    for (size_t i = 0; i < n; i++)
        open[i] = open_of(in, c[0][i]);
    return model_job_set_values(in->job, n, c[0], c[1], c[2], c[3], open, in->older);
}

static size_t put_extremes(struct intake *in, size_t n, uint64_t c[WIRE_COLUMNS][BATCH])
{
    return model_job_set_extremes(in->job, n, c[0], c[1], c[2], c[3], in->older);
}

static size_t put_errors(struct intake *in, size_t n, uint64_t c[WIRE_COLUMNS][BATCH])
{
    model_job_set_errors(in->job, n, c[0], c[1]);
    return 0;
}

static size_t put_calls(struct intake *in, size_t n, uint64_t c[WIRE_COLUMNS][BATCH])
{
    return model_job_set_calls(in->job, n, c[0], c[1], c[2], c[3], c[4], in->older);
}

static size_t put_sampled(struct intake *in, size_t n, uint64_t c[WIRE_COLUMNS][BATCH])
{
    return model_job_set_sampled(in->job, n, c[0], c[1], c[2], in->older);
}

static size_t put_compile(struct intake *in, size_t n, uint64_t c[WIRE_COLUMNS][BATCH])
{
    return model_job_set_compile(in->job, n, c[0], c[1], c[2], c[3], c[4], c[5], in->older);
}

static const struct {
    enum wire_group group;
    put_fn *put;
} values[] = {
    {WIRE_G_V, put_values},    {WIRE_G_X, put_extremes},      {WIRE_G_ERR, put_errors},
    {WIRE_G_CALLS, put_calls}, {WIRE_G_SAMPLED, put_sampled}, {WIRE_G_COMPILE, put_compile},
};

static void put_rows(struct intake *in, const struct wire_rows *rows, put_fn *put)
{
    uint64_t column[WIRE_COLUMNS][BATCH];
    uint64_t carry[WIRE_COLUMNS] = {0};
    for (uint32_t first = 0; first < rows->count; first += BATCH) {
        uint32_t n = rows->count - first < BATCH ? rows->count - first : BATCH;
        for (unsigned c = 0; c < WIRE_COLUMNS; c++)
            if (rows->column[c].type != WIRE_NONE)
                wire_column_read(&rows->column[c], first, n, column[c], &carry[c]);
        in->link->falls += put(in, n, column);
    }
}

static enum viewer_apply count(struct intake *in)
{
    if (!in->older && in->frame->group[WIRE_G_V].present)
        model_job_begin_tick(in->job, in->frame->field[WIRE_F_TICK].u);
    for (unsigned i = 0; i < sizeof values / sizeof values[0]; i++) {
        const struct wire_rows *rows = &in->frame->group[values[i].group];
        if (rows->present)
            put_rows(in, rows, values[i].put);
    }
    return VIEWER_APPLY_DONE;
}

/* Sets the running applies. An older list is ignored: it says nothing about the present. A start
 * later than the frame's stamp was read while the frame was being made; the stamp replaces it. */
static enum viewer_apply run_now(struct intake *in)
{
    const struct wire_rows *rows = &in->frame->group[WIRE_G_NOW];
    const uint64_t mono_ns = in->frame->field[WIRE_F_MONO].u;
    struct model_now now[WIRE_FRAME_ROWS];
    uint64_t thread, apply, since, carry = 0;
    size_t n = 0;
    model_job_end_tick(in->job);
    if (in->older || !rows->present)
        return VIEWER_APPLY_DONE;
    for (uint32_t i = 0; i < rows->count; i++) {
        wire_column_read(&rows->column[0], i, 1, &thread, &carry);
        wire_column_read(&rows->column[1], i, 1, &apply, NULL);
        wire_column_read(&rows->column[2], i, 1, &since, NULL);
        if (apply > 0)
            now[n++] = (struct model_now){.thread = (uint32_t)thread,
                                          .apply = (uint32_t)(apply - 1),
                                          .since_ns = since < mono_ns ? since : mono_ns};
    }
    return done_if(model_job_set_now(in->job, n, now, mono_ns));
}

/* ------------------------------------------------------------------------------------ notices */

/* True if one of the first `old` notices has the same stamp and level. A notice may come twice: in
 * the stream and in a snapshot. Stamps in ns are distinct enough to identify it. Only notices from
 * before this frame are compared. */
static bool known_notice(const struct model_job *job, size_t old, uint64_t wall_ns, uint64_t level)
{
    for (size_t i = 0; i < old; i++) {
        const struct model_notice *notice = model_job_notice(job, i);
        if (notice->wall_ns == wall_ns && notice->level == level)
            return true;
    }
    return false;
}

static enum viewer_apply note(struct intake *in)
{
    const struct wire_rows *rows = &in->frame->group[WIRE_G_NOTICE];
    const uint8_t *cursor = rows->column[2].data;
    size_t old = model_job_notices(in->job);
    struct wire_text text;
    uint64_t wall_ns, level;
    for (uint32_t i = 0; rows->present && i < rows->count; i++) {
        wire_column_read(&rows->column[0], i, 1, &wall_ns, NULL);
        wire_column_read(&rows->column[1], i, 1, &level, NULL);
        wire_text_next(&rows->column[2], &cursor, &text);
        level = code(level, 3);
        if (known_notice(in->job, old, wall_ns, level))
            continue;
        if (!model_job_add_notice(in->job, wall_ns, (unsigned)level, text.data, text.size))
            return VIEWER_APPLY_MEMORY;
    }
    return VIEWER_APPLY_DONE;
}

/* -------------------------------------------------------------- counters, spans and markers */

static enum viewer_apply count_up(struct intake *in)
{
    size_t refused = viewer_apply_counters(in->job, in->frame, in->older);
    in->link->falls += in->older ? 0 : refused;
    return VIEWER_APPLY_DONE;
}

static enum viewer_apply span(struct intake *in)
{
    size_t refused = viewer_apply_spans(in->job, in->frame, in->older);
    in->link->falls += in->older ? 0 : refused;
    return VIEWER_APPLY_DONE;
}

static enum viewer_apply mark(struct intake *in)
{
    return done_if(viewer_apply_marks(in->job, in->frame));
}

/* -------------------------------------------------------------------------------------- hello */

#define AT(member) offsetof(struct model_identity, member)

static const struct {
    enum wire_field field;
    size_t at;
} texts[] = {
    {WIRE_F_HOST, AT(host)},           {WIRE_F_PROGRAM, AT(program)},
    {WIRE_F_FRAMEWORK, AT(framework)}, {WIRE_F_FWVER, AT(framework_version)},
    {WIRE_F_LIB, AT(library)},         {WIRE_F_ROLE, AT(role)},
    {WIRE_F_BATCH, AT(batch)},         {WIRE_F_ROUTE, AT(route)},
    {WIRE_F_CLOCK, AT(clock)},         {WIRE_F_ASKER, AT(asker)},
    {WIRE_F_FACTS, AT(facts)},         {WIRE_F_ONLY, AT(only)},
    {WIRE_F_LOST, AT(lost)},
};

/* Numbers, and their values if the hello lacks them. */
static const struct {
    enum wire_field field;
    size_t at;
    uint64_t missing;
} numbers[] = {
    {WIRE_F_PID, AT(pid), 0},
    {WIRE_F_START, AT(start), 0},
    {WIRE_F_RANK, AT(rank), MODEL_UNKNOWN},
    {WIRE_F_LOCAL, AT(local_rank), MODEL_UNKNOWN},
    {WIRE_F_SIZE, AT(size), MODEL_UNKNOWN},
    {WIRE_F_TICKMS, AT(tick_ms), WIRE_TICK_MS},
    {WIRE_F_MUTE, AT(mute), 0},
    {WIRE_F_COUNTED, AT(counted), MODEL_UNKNOWN},
    {WIRE_F_DROPPED, AT(dropped), 0},
    {WIRE_F_INVALID, AT(invalid), 0},
    {WIRE_F_MISUSE, AT(misuse), 0},
    {WIRE_F_RESTARTS, AT(restarts), 0},
    {WIRE_F_VIEWERS, AT(viewers), 0},
    {WIRE_F_REFUSED, AT(refused), 0},
    {WIRE_F_GARBAGE, AT(garbage), 0},
    {WIRE_F_FLOODED, AT(flooded), 0},
    {WIRE_F_FULL, AT(full), 0},
    {WIRE_F_DENIED, AT(denied), 0},
    {WIRE_F_CROWDED, AT(crowded), 0},
    {WIRE_F_CUT, AT(cut), 0},
    {WIRE_F_TOPICS, AT(topics), 0},
    {WIRE_F_OPENS, AT(open), 0},
    {WIRE_F_INSECURE, AT(insecure), MODEL_UNKNOWN},
    {WIRE_F_OWN, AT(own_ns), MODEL_UNKNOWN},
    {WIRE_F_OWNERR, AT(own_error_ns), MODEL_UNKNOWN},
};

/* True if the hello changes the count filter. */
static bool filters_anew(const struct model_identity *who, const struct wire_value *field)
{
    const struct wire_text only =
        field[WIRE_F_ONLY].present ? field[WIRE_F_ONLY].text : (struct wire_text){"", 0};
    const uint64_t mute = field[WIRE_F_MUTE].present ? field[WIRE_F_MUTE].u : 0;
    return who->mute != mute || who->only.raw_size != only.size ||
           memcmp(who->only.raw, only.data, only.size) != 0;
}

static void filter(struct model_job *job)
{
    for (uint32_t id = 0; id < model_job_count(job, MODEL_FUNCTION); id++)
        leave_out_function(job, id);
    for (uint32_t id = 0; id < model_job_count(job, MODEL_APPLY); id++)
        leave_out_apply(job, id);
}

/* Returns a negative number if the field is absent. */
static double share(const struct wire_value *value)
{
    return value->present ? value->d : -1;
}

static enum viewer_apply apply_hello(struct intake *in)
{
    struct model_identity *who = model_job_identity_mutable(in->job);
    const struct wire_value *field = in->frame->field;
    if (in->older)
        return VIEWER_APPLY_DONE;
    const bool anew = filters_anew(who, field);
    for (unsigned i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct model_text *text = (struct model_text *)((char *)who + texts[i].at);
        const struct wire_value *value = &field[texts[i].field];
        if (!model_job_set_text(in->job, text, value->present ? value->text.data : "",
                                value->present ? value->text.size : 0))
            return VIEWER_APPLY_MEMORY;
    }
    for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        const struct wire_value *value = &field[numbers[i].field];
        uint64_t number = value->present ? value->u : numbers[i].missing;
        memcpy((char *)who + numbers[i].at, &number, sizeof number);
    }
    if (field[WIRE_F_PARENT].present)
        memcpy(who->parent, field[WIRE_F_PARENT].text.data, sizeof who->parent);
    model_job_end_tick(in->job);
    who->cost = share(&field[WIRE_F_COST]);
    who->least = share(&field[WIRE_F_LEAST]);
    who->budget = share(&field[WIRE_F_BUDGET]);
    who->share = field[WIRE_F_SHARE].present ? field[WIRE_F_SHARE].d : 1;
    for (unsigned i = 0; i < MODEL_CHOICES; i++)
        who->choice[i] = share(&field[WIRE_F_COST_SYMBOLIC + i]);
    who->collecting = !field[WIRE_F_COLLECT].present || field[WIRE_F_COLLECT].u != 0;
    who->on_demand = field[WIRE_F_COLLECT].present && field[WIRE_F_COLLECT].u == 2;
    if (anew)
        filter(in->job);
    return VIEWER_APPLY_DONE;
}

/* ------------------------------------------------------------------------------------- frames */

static enum viewer_apply learn_phases(struct intake *in)
{
    return viewer_apply_phases(in->job, in->frame, in->link);
}

static enum viewer_apply learn_details(struct intake *in)
{
    return viewer_apply_details(in->job, in->frame, in->link);
}

static enum viewer_apply learn_percentiles(struct intake *in)
{
    return viewer_apply_percentiles(in->job, in->frame, in->link);
}

static enum viewer_apply keep_events(struct intake *in)
{
    viewer_apply_timeline(in->job, in->frame);
    return VIEWER_APPLY_DONE;
}

static enum viewer_apply (*const streams[WIRE_STREAMS])(struct intake *in) = {
    [WIRE_HELLO] = apply_hello,     [WIRE_DEFS] = define,
    [WIRE_FUNCTIONS] = count,       [WIRE_APPLIES] = count,
    [WIRE_NOW] = run_now,           [WIRE_NOTICES] = note,
    [WIRE_REWRITES] = learn_phases, [WIRE_DETAILS] = learn_details,
    [WIRE_COUNTERS] = count_up,     [WIRE_SPANS] = span,
    [WIRE_MARKERS] = mark,          [WIRE_PERCENTILES] = learn_percentiles,
    [WIRE_TIMELINE] = keep_events,
};

enum viewer_apply viewer_apply_frame(struct model_job *job, const struct wire_frame *frame,
                                     bool older, struct model_link *link)
{
    struct intake in = {.job = job, .frame = frame, .link = link, .older = older};
    if (!streams[frame->stream])
        return VIEWER_APPLY_DONE;
    enum viewer_apply result = streams[frame->stream](&in);
    if (result == VIEWER_APPLY_DONE &&
        (frame->stream == WIRE_FUNCTIONS || frame->stream == WIRE_APPLIES))
        model_job_set_values_stamp(job, frame->field[WIRE_F_MONO].u);
    if (result == VIEWER_APPLY_DONE && frame->stream != WIRE_DEFS &&
        frame->field[WIRE_F_MONO].u > model_job_mono_ns(job))
        model_job_set_stamp(job, frame->field[WIRE_F_MONO].u, frame->field[WIRE_F_WALL].u);
    return result;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * multi_job_rows.c: finds merged rows by structural key. Rows with the same key are chained in
 * order of creation. A job takes them in its own row order, so equal rows of one job stay separate.
 */
#include "model/multi_job_rows.h"

#include <stdlib.h>
#include <string.h>

/* All merged rows with one key. */
struct key {
    uint64_t hash;
    uint32_t first; /* row, or MODEL_NONE: the entry is free */
    uint32_t last;  /* the row taken last, in `pass` */
    uint64_t pass;
};

struct table {
    struct key *key; /* open addressing; the capacity is a power of two */
    uint32_t keys, capacity;
    uint32_t *next; /* by row: the next row with the same key, or MODEL_NONE */
    uint64_t *of;   /* by row: the parents of the key, from above() */
    uint32_t rows;  /* capacity of `next` and `of` */
};

struct model_multi_job_rows {
    struct model_job *job;
    struct table table[MODEL_ROW_TABLES];
    uint64_t pass; /* counts the mappings of jobs */
    bool each;
};

/* A row of a job to look up. */
struct wanted {
    enum model_table table;
    uint64_t of;
    const struct model_text *text;
};

struct model_multi_job_rows *model_multi_job_rows_new(bool each)
{
    static const uint8_t nobody[16];
    struct model_multi_job_rows *rows = calloc(1, sizeof(*rows));
    if (!rows)
        return NULL;
    rows->each = each;
    rows->job = model_job_new(nobody);
    if (!rows->job)
        model_multi_job_rows_free(&rows);
    return rows;
}

void model_multi_job_rows_free(struct model_multi_job_rows **rows)
{
    if (!*rows)
        return;
    for (unsigned i = 0; i < MODEL_ROW_TABLES; i++) {
        free((*rows)->table[i].key);
        free((*rows)->table[i].next);
        free((*rows)->table[i].of);
    }
    model_job_release(&(*rows)->job);
    free(*rows);
    *rows = NULL;
}

struct model_job *model_multi_job_rows_job(const struct model_multi_job_rows *rows)
{
    return rows->job;
}

void model_multi_job_map_release(struct model_multi_job_map *map)
{
    for (unsigned i = 0; i < MODEL_ROW_TABLES; i++)
        free(map->id[i]);
    *map = (struct model_multi_job_map){0};
}

/* ----------------------------------------------------------------------------------------- texts
 */

static bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Returns the next significant byte, or -1 at the end. Addresses of objects are skipped, except for
 * "0x". */
static int next_byte(const struct model_text *text, uint32_t *at)
{
    if (*at >= text->raw_size)
        return -1;
    char c = text->raw[(*at)++];
    bool address = c == 'x' && *at >= 2 && text->raw[*at - 2] == '0';
    while (address && *at < text->raw_size && is_hex(text->raw[*at]))
        ++*at;
    return (unsigned char)c;
}

static uint64_t hash_of(const struct wanted *wanted)
{
    const uint64_t prime = UINT64_C(0x100000001b3);
    uint64_t hash = (UINT64_C(0xcbf29ce484222325) ^ wanted->of) * prime;
    uint32_t at = 0;
    for (int c = next_byte(wanted->text, &at); c >= 0; c = next_byte(wanted->text, &at))
        hash = (hash ^ (uint64_t)c) * prime;
    return hash ^ hash >> 29;
}

static bool same_text(const struct model_text *a, const struct model_text *b)
{
    uint32_t i = 0, k = 0;
    for (;;) {
        int x = next_byte(a, &i), y = next_byte(b, &k);
        if (x != y)
            return false;
        if (x < 0)
            return true;
    }
}

static const struct model_text *text_of(const struct model_job *job, enum model_table table,
                                        uint32_t id)
{
    switch (table) {
    case MODEL_CLASS:
        return &model_job_class(job, id)->name;
    case MODEL_OP:
        return &model_job_op(job, id)->text;
    case MODEL_FUNCTION:
        return &model_job_function(job, id)->name;
    case MODEL_LINE:
        return &model_job_line(job, id)->text;
    default:
        return &model_job_apply(job, id)->text;
    }
}

/* ------------------------------------------------------------------------------------------ keys
 */

static struct key *place_of(struct table *table, uint64_t hash)
{
    return &table->key[hash & (table->capacity - 1)];
}

static struct key *after(struct table *table, struct key *key)
{
    return ++key == table->key + table->capacity ? table->key : key;
}

static bool keys_fit(struct table *table)
{
    if (2 * (table->keys + 1) <= table->capacity)
        return true;
    struct table grown = {.capacity = table->capacity ? 2 * table->capacity : 64};
    grown.key = malloc(grown.capacity * sizeof(*grown.key));
    if (!grown.key)
        return false;
    for (uint32_t i = 0; i < grown.capacity; i++)
        grown.key[i].first = MODEL_NONE;
    for (uint32_t i = 0; i < table->capacity; i++) {
        struct key *to = place_of(&grown, table->key[i].hash);
        if (table->key[i].first == MODEL_NONE)
            continue;
        while (to->first != MODEL_NONE)
            to = after(&grown, to);
        *to = table->key[i];
    }
    free(table->key);
    table->key = grown.key;
    table->capacity = grown.capacity;
    return true;
}

/* Finds the key, or the free entry where it belongs. */
static struct key *find(struct model_multi_job_rows *rows, const struct wanted *wanted,
                        uint64_t hash)
{
    struct table *table = &rows->table[wanted->table];
    struct key *key = place_of(table, hash);
    for (; key->first != MODEL_NONE; key = after(table, key))
        if (key->hash == hash && table->of[key->first] == wanted->of &&
            same_text(text_of(rows->job, wanted->table, key->first), wanted->text))
            break;
    return key;
}

static bool rows_fit(struct table *table, uint32_t rows)
{
    if (rows <= table->rows)
        return true;
    uint32_t capacity = rows + rows / 2 + 16;
    uint32_t *next = realloc(table->next, capacity * sizeof(*next));
    if (next)
        table->next = next;
    uint64_t *of = realloc(table->of, capacity * sizeof(*of));
    if (of)
        table->of = of;
    if (!next || !of)
        return false;
    table->rows = capacity;
    return true;
}

/* ----------------------------------------------------------------------------------------- rows */

static struct model_bytes bytes_of(const struct model_text *text)
{
    return (struct model_bytes){text->raw, text->raw_size};
}

/* Leaves out the parents of functions: sums of several jobs are derived from the jobs' own sums. */
static bool define_function(struct model_job *to, const struct model_function_def *def)
{
    struct model_function_raw raw = {.name = bytes_of(&def->name),
                                     .file = bytes_of(&def->file),
                                     .line = def->line,
                                     .parent = MODEL_NONE,
                                     .source = def->source};
    return model_job_add_function(to, &raw);
}

static bool define_apply(struct model_job *to, const struct model_apply_def *def,
                         const struct model_multi_job_map *map)
{
    struct model_apply_raw raw = {.text = bytes_of(&def->text),
                                  .function = map->id[MODEL_FUNCTION][def->function],
                                  .op = map->id[MODEL_OP][def->op],
                                  .made_at_plus_1 = map->id[MODEL_LINE][def->made_at] + 1,
                                  .line_plus_1 = map->id[MODEL_LINE][def->line] + 1,
                                  .index = def->index,
                                  .source = def->source,
                                  .kind = def->kind,
                                  .impl = def->impl,
                                  .waits = def->waits,
                                  .exclusive = def->exclusive};
    return model_job_add_apply(to, &raw);
}

/* Sets the screen name of the op that is added next. */
static bool define_display(struct model_job *to, const struct model_op_def *def)
{
    model_job_forget_displays(to);
    return def->display.raw_size == 0 ||
           model_job_set_display(to, model_job_count(to, MODEL_OP), def->display.raw,
                                 def->display.raw_size);
}

/* Adds a merged row equal to a row of a job. */
static bool define(struct model_multi_job_rows *rows, const struct model_job *job,
                   const struct model_multi_job_map *map, enum model_table table, uint32_t id)
{
    const struct model_text *text = text_of(job, table, id);
    if (table == MODEL_CLASS)
        return model_job_add_class(rows->job, text->raw, text->raw_size);
    if (table == MODEL_OP)
        return define_display(rows->job, model_job_op(job, id)) &&
               model_job_add_op(rows->job, map->id[MODEL_CLASS][model_job_op(job, id)->op_class],
                                text->raw, text->raw_size);
    if (table == MODEL_LINE)
        return model_job_add_line(rows->job, text->raw, text->raw_size);
    if (table == MODEL_FUNCTION)
        return define_function(rows->job, model_job_function(job, id));
    return define_apply(rows->job, model_job_apply(job, id), map);
}

/* Adds a merged row. MODEL_NONE: out of memory. */
static uint32_t append(struct model_multi_job_rows *rows, const struct model_job *job,
                       const struct model_multi_job_map *map, const struct wanted *wanted,
                       uint32_t id)
{
    struct table *table = &rows->table[wanted->table];
    uint32_t row = model_job_count(rows->job, wanted->table);
    if (!rows_fit(table, row + 1) || !define(rows, job, map, wanted->table, id))
        return MODEL_NONE;
    table->next[row] = MODEL_NONE;
    table->of[row] = wanted->of;
    return row;
}

static uint32_t take(struct model_multi_job_rows *rows, const struct model_job *job,
                     const struct model_multi_job_map *map, const struct wanted *wanted,
                     uint32_t id)
{
    struct table *table = &rows->table[wanted->table];
    if (rows->each)
        return append(rows, job, map, wanted, id);
    if (!keys_fit(table))
        return MODEL_NONE;
    uint64_t hash = hash_of(wanted);
    struct key *key = find(rows, wanted, hash);
    bool taken = key->first != MODEL_NONE && key->pass == rows->pass;
    uint32_t row = taken ? table->next[key->last] : key->first;
    if (row == MODEL_NONE) {
        row = append(rows, job, map, wanted, id);
        if (row == MODEL_NONE)
            return MODEL_NONE;
        if (taken)
            table->next[key->last] = row;
        else
            *key = (struct key){.hash = hash, .first = row}, table->keys++;
    }
    key->last = row;
    key->pass = rows->pass;
    return row;
}

/* Returns the merged parents of a row's key: the class of an op; the function and the op of an
 * apply. */
static uint64_t above(const struct model_job *job, const struct model_multi_job_map *map,
                      enum model_table table, uint32_t id)
{
    if (table == MODEL_OP)
        return map->id[MODEL_CLASS][model_job_op(job, id)->op_class];
    if (table != MODEL_APPLY)
        return 0;
    const struct model_apply_def *def = model_job_apply(job, id);
    return (uint64_t)map->id[MODEL_FUNCTION][def->function] << 32 | map->id[MODEL_OP][def->op];
}

static bool map_table(struct model_multi_job_rows *rows, const struct model_job *job,
                      struct model_multi_job_map *map, enum model_table table, uint32_t from)
{
    uint32_t count = model_job_count(job, table);
    uint32_t *id = realloc(map->id[table], (count + 1u) * sizeof(*id));
    if (!id)
        return false;
    map->id[table] = id;
    for (uint32_t i = from; i < count; i++) {
        struct wanted wanted = {table, above(job, map, table, i), text_of(job, table, i)};
        id[i] = take(rows, job, map, &wanted, i);
        if (id[i] == MODEL_NONE)
            return false;
    }
    map->count[table] = count;
    return true;
}

/* If jobs place a merged apply in different lines, the latest job decides. */
static void follow_lines(struct model_multi_job_rows *rows, const struct model_job *job,
                         struct model_multi_job_map *map)
{
    for (uint32_t i = 0; i < map->count[MODEL_APPLY]; i++)
        model_job_set_line(rows->job, map->id[MODEL_APPLY][i],
                           map->id[MODEL_LINE][model_job_apply(job, i)->line]);
    map->lines_moved = model_job_lines_moved(job);
}

bool model_multi_job_map_fit(struct model_multi_job_rows *rows, const struct model_job *job,
                             struct model_multi_job_map *map)
{
    bool grown = map->lines_moved != model_job_lines_moved(job);
    for (unsigned i = 0; i < MODEL_ROW_TABLES; i++)
        grown |= map->count[i] < model_job_count(job, i);
    if (!grown)
        return true;
    rows->pass++;
    for (unsigned table = 0; table < MODEL_ROW_TABLES; table++) {
        /* Without `each`, takes all rows again in the same order, so each finds the row it had. */
        if (map_table(rows, job, map, table, rows->each ? map->count[table] : 0))
            continue;
        model_multi_job_map_release(map);
        return false;
    }
    follow_lines(rows, job, map);
    return true;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * bench_wire.c: measures how long a viewer takes to read, check and apply each changed row.
 *
 * 10 % of the nodes changed since the tick before. Durations are log-uniform from 1 us to 10 ms.
 * Rivals, given the same rows: packed rows of 24 bytes that are copied out one by one with a check
 * of the id; and columns of MessagePack integers turned into objects by msgpack-c.
 */
#include "bench.h"

#include <math.h>
#ifdef BENCH_MSGPACK
#include <msgpack.h>
#endif

#include "feed/protocol/frame.h"

enum { TICKS = 16, ROWS_A_ROUND = 1000000, BLOCK = 256 };

struct node {
    uint64_t calls, total_ns, last_ns;
};

struct packed_row {
    uint32_t id, last_ns;
    uint64_t calls, total_ns;
};

/* The changed rows of one frame, in the three encodings. */
struct part {
    uint32_t n;
    uint8_t *frame, *rows, *objects;
    size_t frame_size, objects_size;
};

struct load {
    uint32_t nodes;
    double calls_max;
    struct node *node;
    struct part *part;
    size_t parts, rows;
};

static uint64_t draw(void)
{
    static uint64_t seed = 1;
    uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static double log_uniform(double low, double high)
{
    return low * pow(high / low, (double)(draw() >> 11) * 0x1p-53);
}

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "bench_wire: %s\n", what);
    exit(1);
}

/* --------------------------------------------------------------------------------- the three ways
 */

static void apply_frame(struct load *load, const struct part *part)
{
    static struct wire_frame frame;
    uint64_t u[4][BLOCK], carry = 0;
    if (wire_read(part->frame, part->frame_size, &frame) != WIRE_OK)
        fail("a frame of its own is refused");
    const struct wire_rows *rows = &frame.group[WIRE_G_V];
    for (uint32_t at = 0, n; at < rows->count; at += n) {
        n = rows->count - at < BLOCK ? rows->count - at : BLOCK;
        for (unsigned c = 0; c < 4; c++)
            wire_column_read(&rows->column[c], at, n, u[c], &carry);
        for (uint32_t i = 0; i < n; i++)
            load->node[u[0][i]] = (struct node){u[1][i], u[2][i], u[3][i]};
    }
}

static void apply_rows(struct load *load, const struct part *part)
{
    const struct packed_row *row = (const struct packed_row *)part->rows; /* malloc() aligns it */
    for (const struct packed_row *end = row + part->n; row < end; row++) {
        if (row->id >= load->nodes)
            fail("a row of its own is refused");
        load->node[row->id] = (struct node){row->calls, row->total_ns, row->last_ns};
    }
}

#ifdef BENCH_MSGPACK
static void apply_objects(struct load *load, const struct part *part)
{
    msgpack_unpacked result;
    size_t at = 0;
    msgpack_unpacked_init(&result);
    if (msgpack_unpack_next(&result, (const char *)part->objects, part->objects_size, &at) !=
        MSGPACK_UNPACK_SUCCESS)
        fail("msgpack-c does not read what it packed");
    const msgpack_object *column[4];
    for (unsigned c = 0; c < 4; c++)
        column[c] = result.data.via.map.ptr[c].val.via.array.ptr;
    uint64_t id = 0;
    for (uint32_t i = 0; i < part->n; i++) {
        for (unsigned c = 0; c < 4; c++)
            if (column[c][i].type != MSGPACK_OBJECT_POSITIVE_INTEGER)
                fail("msgpack-c reads no integer");
        id += column[0][i].via.u64;
        if (id >= load->nodes)
            fail("an id of its own is refused");
        load->node[id] =
            (struct node){column[1][i].via.u64, column[2][i].via.u64, column[3][i].via.u64};
    }
    msgpack_unpacked_destroy(&result);
}

static void pack_objects(struct part *part, uint64_t u[4][WIRE_FRAME_ROWS])
{
    msgpack_sbuffer out;
    msgpack_packer pk;
    msgpack_sbuffer_init(&out);
    msgpack_packer_init(&pk, &out, msgpack_sbuffer_write);
    msgpack_pack_map(&pk, 4);
    for (unsigned c = 0; c < 4; c++) {
        const char *key = wire_groups[WIRE_G_V].column[c].key;
        msgpack_pack_str_with_body(&pk, key, strlen(key));
        msgpack_pack_array(&pk, part->n);
        for (uint32_t i = 0; i < part->n; i++)
            msgpack_pack_uint64(&pk, u[c][i] - (c == 0 && i > 0 ? u[0][i - 1] : 0));
    }
    part->objects = malloc(out.size);
    part->objects_size = out.size;
    memcpy(part->objects, out.data, out.size);
    msgpack_sbuffer_destroy(&out);
}
#endif

/* ----------------------------------------------------------------------------------- the load */

static void pack_frame(const struct load *load, struct part *part, uint64_t u[4][WIRE_FRAME_ROWS])
{
    static uint8_t buffer[WIRE_FRAME_MAX];
    static const uint8_t inst[16] = {1};
    struct wire_source source[4] = {{u[0], NULL}, {u[1], NULL}, {u[2], NULL}, {u[3], NULL}};
    uint32_t defs[WIRE_TABLES] = {30, 300, 1, load->nodes};
    struct wire_writer w;
    wire_begin(&w, buffer, sizeof buffer, WIRE_APPLIES, 0);
    wire_put_u64(&w, WIRE_F_VER, WIRE_VERSION);
    wire_put_bin16(&w, WIRE_F_INST, inst);
    for (enum wire_field f = WIRE_F_EPOCH; f <= WIRE_F_WALL; f++)
        wire_put_u64(&w, f, UINT64_C(1700000000000000000) >> 8 * (WIRE_F_WALL - f));
    wire_put_counts(&w, WIRE_F_DEFS, defs);
    wire_put_group(&w, WIRE_G_V, 0, part->n, source);
    part->frame_size = wire_end(&w);
    part->frame = malloc(part->frame_size);
    memcpy(part->frame, buffer, part->frame_size);
}

static void pack_rows(struct part *part, uint64_t u[4][WIRE_FRAME_ROWS])
{
    part->rows = malloc(part->n * sizeof(struct packed_row));
    for (uint32_t i = 0; i < part->n; i++) {
        struct packed_row row = {(uint32_t)u[0][i], (uint32_t)u[3][i], u[1][i], u[2][i]};
        memcpy(part->rows + i * sizeof row, &row, sizeof row);
    }
}

static void pack(struct load *load, uint64_t u[4][WIRE_FRAME_ROWS], uint32_t n)
{
    struct part *part = &load->part[load->parts++];
    part->n = n;
    load->rows += n;
    pack_frame(load, part, u);
    pack_rows(part, u);
#ifdef BENCH_MSGPACK
    pack_objects(part, u);
#endif
}

/* Builds TICKS ticks. In each tick a random tenth of the nodes changed. */
static void build(struct load *load)
{
    static uint64_t u[4][WIRE_FRAME_ROWS];
    load->node = calloc(load->nodes, sizeof *load->node);
    load->part = calloc(TICKS * (load->nodes / WIRE_FRAME_ROWS + 2), sizeof *load->part);
    load->parts = load->rows = 0;
    for (unsigned tick = 0; tick < TICKS; tick++) {
        uint32_t n = 0;
        for (uint32_t id = 0; id < load->nodes; id++) {
            if (draw() % 10 != 0)
                continue;
            double ns = log_uniform(1e3, 1e7), calls = log_uniform(1, load->calls_max);
            u[0][n] = id;
            u[1][n] = (uint64_t)calls;
            u[2][n] = (uint64_t)(calls * ns);
            u[3][n++] = (uint64_t)ns;
            if (n == WIRE_FRAME_ROWS) {
                pack(load, u, n);
                n = 0;
            }
        }
        if (n > 0)
            pack(load, u, n);
    }
}

static void drop(struct load *load)
{
    for (size_t i = 0; i < load->parts; i++) {
        free(load->part[i].frame);
        free(load->part[i].rows);
        free(load->part[i].objects);
    }
    free(load->part);
    free(load->node);
}

/* ----------------------------------------------------------------------------------- measuring */

typedef void apply_fn(struct load *load, const struct part *part);

static const struct way {
    const char *what;
    apply_fn *apply;
    const char *target; /* of our time over this one */
} ways[] = {
    {"read, check and apply a row of `v`", apply_frame, ""},
    {"copy and apply a packed row of 24 B", apply_rows, "rate of `v` >= 0.4 x this"},
#ifdef BENCH_MSGPACK
    {"objects of msgpack-c to rows", apply_objects, "rate of `v` >= 10 x this"},
#endif
};
enum { WAYS = sizeof ways / sizeof *ways };

/* Returns ns per row. */
static double run(struct load *load, apply_fn *apply)
{
    size_t repeat = ROWS_A_ROUND / load->rows + 1;
    uint64_t start_ns = bench_cpu_ns();
    for (size_t k = 0; k < repeat; k++)
        for (size_t i = 0; i < load->parts; i++)
            apply(load, &load->part[i]);
    return (double)(bench_cpu_ns() - start_ns) / (double)(repeat * load->rows);
}

/* Checks that all ways leave the same table, so that all do the same work. */
static void compare(struct load *load)
{
    size_t size = load->nodes * sizeof *load->node;
    struct node *first = malloc(size);
    run(load, ways[0].apply);
    memcpy(first, load->node, size);
    for (size_t i = 1; i < WAYS; i++) {
        memset(load->node, 0, size);
        run(load, ways[i].apply);
        if (memcmp(first, load->node, size) != 0)
            fail("two ways leave different tables behind");
    }
    free(first);
}

static void measure(uint32_t nodes)
{
    static double ns[WAYS][BENCH_ROUNDS], ratio[WAYS][BENCH_ROUNDS];
    struct load load = {.nodes = nodes, .calls_max = 1e5};
    build(&load);
    compare(&load);
    for (size_t round = 0; round < BENCH_ROUNDS; round++)
        for (size_t i = 0; i < WAYS; i++) {
            ns[i][round] = run(&load, ways[i].apply);
            ratio[i][round] = ns[i][round] / ns[0][round];
        }
    for (size_t i = 0; i < WAYS; i++) {
        char what[64];
        snprintf(what, sizeof what, "%s, %u nodes", ways[i].what, nodes);
        bench_row(what, bench_median(ns[i], BENCH_ROUNDS), "ns",
                  i == 0 ? 0 : bench_median(ratio[i], BENCH_ROUNDS), ways[i].target);
    }
    drop(&load);
}

static void measure_bytes(const char *what, double calls_max)
{
    struct load load = {.nodes = 10000, .calls_max = calls_max};
    size_t bytes = 0;
    build(&load);
    for (size_t i = 0; i < load.parts; i++)
        bytes += load.part[i].frame_size;
    bench_row(what, (double)bytes / (double)load.rows, "B", 0, "<= 15 B");
    drop(&load);
}

int main(void)
{
    measure(10000);
    measure(1000000);
    measure_bytes("a changed row on the wire, up to 1e5 calls each", 1e5);
    measure_bytes("the same, up to 1e8 calls each", 1e8);
    return 0;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * rows.h: the published functions, and a row for each node or op. */
#ifndef PROFTOP_MXNET_ROWS_H
#define PROFTOP_MXNET_ROWS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "adapters/mxnet/layout.h"
#include "adapters/mxnet/state.h"
#include "proftop_adapter.h"
#include "proftop_objects.h"

static inline struct text string_at(const char *object, unsigned offset)
{
    const char *bytes = layout_pointer(object, offset);
    return (struct text){bytes, layout_length(bytes)};
}
/* Writes "cpu/0"; "" if MXNet's type of the device is unknown. */
void device_name(char *to, size_t size, int type, int number);
/* ------------------------------------------------------------------------------------ functions
 * Each row belongs to one: ops that are called one by one, the backward pass, a CachedOp, an
 * Executor, the engine's own operators, or calls of the C interface. */
/* Number of the function of a CachedOp or Executor. Takes a lock. */
unsigned function_of(const void *object, int is_executor);
proftop_id function_id(unsigned function); /* defined at the first call */

/* Records the function of an engine's operator when it is pushed. */
void function_keep(const void *operator_, unsigned function);
unsigned function_kept(const void *operator_); /* FUNCTION_IMPERATIVE if none */

/* ----------------------------------------------------------------------------------------- rows */

/* Rows seen inside the runs of an op. */
enum op_holds {
    HOLDS_NOTHING, /* the op is counted by begin and end */
    HOLDS_ITSELF,  /* a row of the same op, as for each op that PushSync() gets */
    HOLDS_OTHERS   /* other rows; or the op ends on another thread */
};

/* An op. Never freed. */
struct op {
    struct op *next;
    uint64_t hash;
    char *name, *family;
    const struct op *plain; /* _plus_scalar for "MyOp::_plus_scalar"; else the op itself */
    proftop_id id, op_class;
    uint32_t nodes;        /* rows with a node's name, in all functions */
    _Atomic uint8_t holds; /* enum op_holds */
};

/* How a run of a row is counted. A row has one apply of the feed for each way that was used. */
enum row_way {
    ROW_TIMED, /* by begin and end on one thread */
    ROW_GIVEN, /* its duration is given at its end */
    ROW_SET,   /* its sums are set from time to time */
    ROW_WAYS
};

/* A row: one node, or an op without a node. Never freed. */
struct row {
    struct row *next;
    uint64_t hash;
    struct op *op;
    unsigned feeds; /* number of the feed of the ids */
    char *node;     /* NULL: a row of the op without a node */
    const char *scope; /* of Gluon, or NULL */
    unsigned function;
    enum proftop_kind kind;
    int device_type, device_id, lane;
    enum proftop_waits waits;
    _Atomic(proftop_id) apply[ROW_WAYS]; /* PROFTOP_NONE: not defined yet */
};

/* The names of a row, and its other properties. */
struct row_key {
    struct text op, node; /* node: empty for a row of the op without a node */
    size_t named;         /* length of the name in `node`, if shapes follow it; else 0 */
    unsigned function;
    enum proftop_kind kind;
    int device_type, device_id; /* MXNet's; 0: unknown */
    int lane;                   /* MXNet's FnProperty: the device's threads that run it */
    enum proftop_waits waits;
    const char *family; /* class of the op; NULL: derived from its name */
};

enum { NAME_ROOM = 1024 };
/* True if two shapes of one node make two rows (PROFTOP_MXNET_SHAPES=1). */
extern int rows_by_shapes;
/* Appends the shapes of the inputs to a key's node. `room` holds the text. */
void key_add_shapes(struct row_key *key, const struct layout_values *values, char room[NAME_ROOM]);

/* The row of a key. Changes the key. Takes no lock if the row is in this thread's cache. NULL: out
 * of memory, or no feed. */
struct row *row_of(struct row_key *key);

/* True if the row's ids belong to the open feed. */
static inline int row_is_current(const struct row *row)
{
    return row->feeds == mxnet_feeds();
}

/* The row's apply for this way. The first call defines it, with these values unless they are
 * NULL. */
proftop_id row_define(struct row *row, enum row_way way, const struct layout_values *values);
/* True if the row has an apply already. */
static inline int row_is_defined(const struct row *row)
{
    return row->apply[ROW_TIMED] != PROFTOP_NONE || row->apply[ROW_GIVEN] != PROFTOP_NONE;
}
static inline proftop_id row_apply(struct row *row, enum row_way way)
{
    proftop_id apply = atomic_load_explicit(&row->apply[way], memory_order_acquire);
    return apply != PROFTOP_NONE ? apply : row_define(row, way, NULL);
}
/* The ops of a segment, "[FullyConnected{name=node_2;...},Activation{...}]", without brackets, and
 * without the text in braces: MXNet 2.0 puts attributes of nodes there. */
struct text text_stripped(struct text name, char *room, size_t size);
/* True if a running counter named the node or tensor: node_123, node_123_backward. */
int text_is_generated(struct text name);
/* True if the engine runs an op of this name for itself. */
int row_is_internal(struct text name);
/* Sets a key's op and node from the attributes of a node. For a custom operator the op is its
 * registered name. */
void key_from_attributes(struct row_key *key, const char *attributes, char room[NAME_ROOM]);
static inline uint64_t hash_part(uint64_t hash, uint64_t part)
{
    hash = (hash ^ part) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

static inline uint64_t hash_text(uint64_t hash, struct text text)
{
    const char *at = text.at, *end = text.at + text.length;
    uint64_t part = 0;
    hash ^= (uint64_t)text.length << 56;
    if (text.length < 8) {
        for (; at < end; at++)
            part = part << 8 | (unsigned char)*at;
        return hash_part(hash, part);
    }
    for (; end - at > 8; at += 8) {
        memcpy(&part, at, 8);
        hash = hash_part(hash, part);
    }
    memcpy(&part, end - 8, 8); /* the last bytes, possibly some of them again */
    return hash_part(hash, part);
}

#endif

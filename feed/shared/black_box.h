/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * black_box.h: the file in which a job keeps its counts, its definitions and its clock
 * (PROFTOP_KEEP=1), so that they outlive it however it ends. The job maps the file and counts in
 * it; it lies in memory (tmpfs). Offsets are bytes from the start of the file; numbers are in the
 * byte order of the machine, which is the one that reads it.
 *
 * The file is a head, a table of areas, and the areas:
 * - SHARED_BOX_LOG: definitions, one after the other (struct shared_box_record). `used`: bytes.
 * - SHARED_BOX_THREAD: the front of a block of slots, in one page of the machine; in the next page
 *   a struct shared_box_thread. `block`: its number, which areas of slots have, too.
 * - SHARED_BOX_SLOTS and the two kinds behind it: SHARED_BOX_CHUNK slots, from id `at` *
 *   SHARED_BOX_CHUNK on.
 * An area counts once its kind is set. The job writes the kind last.
 */
#ifndef FEED_SHARED_BLACK_BOX_H
#define FEED_SHARED_BLACK_BOX_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define SHARED_BOX_MAGIC "proftop box\n"
#define SHARED_BOX_END   ".box" /* of the file's name */

enum {
    SHARED_BOX_VERSION = 1,
    SHARED_BOX_PAGE = 4096,
    SHARED_BOX_MAX = 256 << 20, /* bytes of a file at most; the job counts what has no place */
    SHARED_BOX_AREAS = 6144,
    SHARED_BOX_CHUNK = 1024, /* slots of an area */
    SHARED_BOX_LOG_SIZE = 128 << 10,
    SHARED_BOX_NESTED = 64,
    SHARED_BOX_OLD = 8, /* files of ended jobs that stay; older ones are removed */
    SHARED_BOX_FACTOR_SHIFT = 40,
};

enum shared_box_kind {
    SHARED_BOX_NONE,
    SHARED_BOX_LOG,
    SHARED_BOX_THREAD,
    SHARED_BOX_SLOTS, /* of applies, */
    SHARED_BOX_CALLS, /* of functions: their calls, */
    SHARED_BOX_VM,    /* and their time in the virtual machine */
    SHARED_BOX_KINDS
};

struct shared_box_area {
    uint32_t kind; /* enum shared_box_kind */
    uint32_t block, at, used;
    uint64_t offset;
};

/* Identity of the job; texts end with NUL. */
struct shared_box_job {
    uint64_t pid, start; /* start: as in struct registry_info */
    uint64_t since_ns;   /* wall clock at the opening */
    uint8_t instance[16];
    char host[256], program[256], framework[64], framework_version[64];
};

struct shared_box_head {
    char magic[16];
    uint32_t version;
    uint32_t layout; /* PROFTOP_LAYOUT: of slots and fronts */
    uint64_t page;   /* bytes of a page of the machine: SHARED_BOX_PAGE, or a multiple */
    struct shared_box_job job;
    /* The clock of blocks that count ticks, as struct publisher_ticks; factor 0: not measured. */
    uint64_t opened_tick, opened_ns, factor;
    /* The last moment at which the feed's thread ran. tick: 0 if the job does not count ticks. */
    uint64_t tick, mono_ns, wall_ns;
    uint64_t unkept; /* threads, chunks of slots, and definitions, that had no place */
    uint64_t resets; /* counts were reset so often: a box has them since the start all the same */
};

/* The applies that enclose the last begin of a thread, outermost first, as words of an apply and
 * its begin (proftop_now()). The thread writes the list only if a begin has another enclosing apply
 * than the begin before. */
struct shared_nest {
    uint32_t changes; /* odd while the list is written */
    uint32_t depth;
    uint64_t open[SHARED_BOX_NESTED];
};

struct shared_box_thread {
    struct shared_nest nest;
    uint32_t ticks;   /* 1: timed slots count ticks; 0: ns */
    uint32_t defined; /* id of the thread's definition plus 1; 0: none */
};

/* The front of a block: the first members of struct proftop_block. */
struct shared_box_front {
    uint64_t on, now, ended;
};

/* struct proftop_slot; proftop_layout.h says what its members mean. */
struct shared_box_slot {
    uint64_t calls, total, min, max, last, untimed, aux;
    uint32_t sequence;
    uint8_t kind, cold, stale, traced;
};

/* A definition: this head, its numbers, and its texts, each a uint32_t with its size, and the bytes
 * without an end. The rows of a table are in the order of their ids. A row may refer to a row that
 * comes before it. */
struct shared_box_record {
    uint32_t size;  /* of everything, a multiple of 8 */
    uint32_t table; /* enum shared_box_table */
};

/* A row has the numbers and texts of its table's group on the wire, in that order. An op also has
 * its display name, and an apply the kind of its waiting. */
enum shared_box_table {
    SHARED_BOX_CLASS,
    SHARED_BOX_OP,
    SHARED_BOX_FUNCTION,
    SHARED_BOX_APPLY,
    SHARED_BOX_NAME,   /* of a thread */
    SHARED_BOX_UNSEEN, /* not a row: the calls of a function cannot be seen after all */
    SHARED_BOX_TABLES
};
enum { SHARED_BOX_NUMBERS = 8, SHARED_BOX_TEXTS = 2 };

static inline uint32_t shared_box_numbers(enum shared_box_table table)
{
    static const uint8_t numbers[SHARED_BOX_TABLES] = {
        [SHARED_BOX_CLASS] = 0,    /* */
        [SHARED_BOX_OP] = 1,       /* class */
        [SHARED_BOX_FUNCTION] = 4, /* line, enclosing apply plus 1, group, source */
        [SHARED_BOX_UNSEEN] = 1,   /* function */
        [SHARED_BOX_APPLY] = 8,    /* function, op, index, source, kind, impl, exclusive, waits */
        [SHARED_BOX_NAME] = 1,     /* tid */
    };
    return numbers[table];
}

static inline uint32_t shared_box_texts(enum shared_box_table table)
{
    static const uint8_t texts[SHARED_BOX_TABLES] = {
        [SHARED_BOX_CLASS] = 1,    /* name */
        [SHARED_BOX_OP] = 2,       /* text, display */
        [SHARED_BOX_FUNCTION] = 2, /* name, file */
        [SHARED_BOX_APPLY] = 2,    /* text, where */
        [SHARED_BOX_NAME] = 1,     /* name */
    };
    return texts[table];
}

enum {
    SHARED_BOX_HEAD_ROOM = SHARED_BOX_PAGE, /* bytes from the start to the table of areas */
    SHARED_BOX_AREAS_ROOM =
        (SHARED_BOX_AREAS * (int)sizeof(struct shared_box_area) + SHARED_BOX_PAGE - 1) /
        SHARED_BOX_PAGE * SHARED_BOX_PAGE,
    SHARED_BOX_FIRST = SHARED_BOX_HEAD_ROOM + SHARED_BOX_AREAS_ROOM, /* offset of the first area */
};
_Static_assert(sizeof(struct shared_box_head) <= SHARED_BOX_HEAD_ROOM, "the head has a page");
_Static_assert(sizeof(struct shared_box_slot) == 64, "as struct proftop_slot");

static inline bool shared_box_is(const struct shared_box_head *head)
{
    return memcmp(head->magic, SHARED_BOX_MAGIC, sizeof SHARED_BOX_MAGIC) == 0;
}

#endif

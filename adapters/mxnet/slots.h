/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * slots.h: replaces functions of a loaded ELF library at the places where the library refers to
 * them: the slots of its relocations (calls through the PLT, pointers, tables of virtual calls).
 * No code is changed, and calls from inside the same object file stay as they are.
 */
#ifndef PROFTOP_MXNET_SLOTS_H
#define PROFTOP_MXNET_SLOTS_H

#include <stddef.h>

/* Kinds of slots, one bit each. */
enum {
    SLOT_CALL = 1,    /* R_X86_64_JUMP_SLOT: a call through the PLT */
    SLOT_POINTER = 2, /* R_X86_64_GLOB_DAT: the address is taken */
    SLOT_TABLE = 4    /* R_X86_64_64: a table of virtual functions */
};

/* A function to replace. Constant but for `slots`. */
struct slot_hook {
    const char *symbol; /* mangled name */
    void *ours;
    void **original;  /* receives the address of the library's own function */
    unsigned kinds;   /* slots that are changed */
    unsigned feature; /* the caller's group of this hook */
    unsigned slots;   /* found by slots_find() */
};

struct slot_library {
    const char *path;         /* as the dynamic linker has it */
    void *handle;             /* of dlopen(), kept for ever: the library must not go */
    char build[65];           /* build id in hex; "" if it has none */
    struct slot_entry *entry; /* changed or to be changed */
    size_t n_entries;
};

/* Finds the library that is loaded under this file name ("libmxnet.so"). 0: it is not loaded. */
int slots_library(struct slot_library *library, const char *file);

/* Finds the slots of `hooks` and the originals. Nothing is written yet. Gives NULL, or why not, as
 * a sentence in static memory: another program has replaced a function, or there is no memory. */
const char *slots_find(struct slot_library *library, struct slot_hook *hooks, size_t n);

/* Writes ours, calls before tables, or the library's own again, tables before calls, into the slots
 * of the hooks for which `wanted` has the bit of their feature. Gives how many slots were written.
 * One caller at a time. */
size_t slots_write(struct slot_library *library, const struct slot_hook *hooks, unsigned wanted,
                   int ours);

/* How many of the slots hold the address of the library's own function. */
size_t slots_original(const struct slot_library *library, const struct slot_hook *hooks);

#endif

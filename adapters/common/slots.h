/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * slots.h: replaces functions of a loaded ELF library where the library refers to them: in the
 * slots of its relocations (calls through the PLT, pointers, tables of virtual functions). The
 * function may be another library's, which then keeps its own slots. No code is changed. Calls
 * inside the same object file are not replaced. */
#ifndef PROFTOP_SLOTS_H
#define PROFTOP_SLOTS_H

#include <stddef.h>

/* Kinds of slots, one bit each. */
enum {
    SLOT_CALL = 1,    /* R_X86_64_JUMP_SLOT: a call through the PLT */
    SLOT_POINTER = 2, /* R_X86_64_GLOB_DAT: the address is taken */
    SLOT_TABLE = 4    /* R_X86_64_64: a table of virtual functions */
};

/* A function to replace. Constant except `slots`. */
struct slot_hook {
    const char *symbol; /* mangled name */
    void *ours;
    void **original;  /* receives the address of the library's own function */
    unsigned kinds;   /* kinds of slots to change */
    unsigned feature; /* the caller's group of this hook */
    unsigned slots;   /* number found by slots_find() */
};

struct slot_library {
    const char *path;         /* as in the dynamic linker */
    void *handle;             /* from dlopen(), never closed: the library must stay loaded */
    char build[65];           /* build id in hex; "": none */
    struct slot_entry *entry; /* slots to change, or changed */
    size_t n_entries;
};

/* Finds the loaded library of this file name ("libmxnet.so"), or of a version of it ("NAME.1").
 * Returns 0 if it is not loaded. */
int slots_library(struct slot_library *library, const char *file);

/* Finds the slots and the originals of `hooks`. Writes nothing yet. Returns NULL, or a static
 * message: another program has replaced a function, or there is no memory. */
const char *slots_find(struct slot_library *library, struct slot_hook *hooks, size_t n);

/* Writes the hooks whose feature bit is in `wanted` into their slots: calls before tables. Or
 * restores the library's own functions: tables before calls. Returns the number of slots written.
 * One caller at a time. */
size_t slots_write(struct slot_library *library, const struct slot_hook *hooks, unsigned wanted,
                   int ours);

/* The number of slots that hold the library's own function. */
size_t slots_original(const struct slot_library *library, const struct slot_hook *hooks);

#endif

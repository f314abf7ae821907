/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * symbol.h: what is where in another process: its mapped files, the symbols that they export, and
 * the bytes at an address. Everything is read out of the memory of the process itself, never out of
 * files: those may have been replaced since, or be in another namespace.
 */
#ifndef INJECT_SYMBOL_H
#define INJECT_SYMBOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* False: not all of it is there, or it is forbidden (errno). */
bool inject_memory_read(pid_t pid, uint64_t at, void *to, size_t size);
bool inject_memory_write(pid_t pid, uint64_t at, const void *from, size_t size);

/* One object that the process runs code of. */
struct inject_object {
    uint64_t base;
    char name[256]; /* of its file, without the folder */
};

/* What a process has mapped, as far as it matters here. */
struct inject_map {
    struct inject_object program; /* its executable */
    struct inject_object python;  /* a libpython, or base 0 */
    bool nutpie; /* the library of that sampler, which runs for minutes without Python */
    bool mxnet;  /* the library of MXNet, whose servers run no Python */
    uint64_t kernel, kernel_end;  /* the kernel's own code in it (vDSO), or 0 */
    uint8_t begun[1024]; /* what the kernel told its program when that began: where things lie */
};

/* False: its map cannot be read (errno). */
bool inject_map_read(pid_t pid, struct inject_map *map);
/* Whether it still runs the program of that map: little is read, as it may be stopped meanwhile. */
bool inject_map_stays(pid_t pid, const struct inject_map *map);

/* The tables by which the loader finds what an object exports, as addresses; `hash` 0: none. */
struct inject_tables {
    pid_t pid;
    uint64_t bias; /* between its addresses and where it lies */
    uint64_t base;
    uint64_t dynamic;
    size_t dynamic_size;
    uint64_t symbols, texts, hash;
};

struct inject_tables inject_tables_read(pid_t pid, const struct inject_object *object);

/* The address of a function or variable that the object exports, or 0. */
uint64_t inject_symbol(const struct inject_tables *tables, const char *name);

/* Where the kernel's code holds these bytes, or 0. */
uint64_t inject_map_find(pid_t pid, const struct inject_map *map, const uint8_t *bytes,
                         size_t size);

#endif

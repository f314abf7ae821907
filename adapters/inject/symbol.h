/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * symbol.h: finds mapped files, exported symbols and bytes in another process. Reads only the
 * memory of the process, never files: they may have been replaced since, or be in another
 * namespace. */
#ifndef INJECT_SYMBOL_H
#define INJECT_SYMBOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Return false if a part is not mapped, or access is denied (errno). */
bool inject_memory_read(pid_t pid, uint64_t at, void *to, size_t size);
bool inject_memory_write(pid_t pid, uint64_t at, const void *from, size_t size);

/* One object file in the process. */
struct inject_object {
    uint64_t base;
    char name[256]; /* file name without the folder */
};

/* The needed mappings of a process. */
struct inject_map {
    struct inject_object program; /* its executable */
    struct inject_object python;  /* a libpython, or base 0 */
    bool nutpie; /* nutpie's library is mapped: its sampler runs for minutes without Python */
    bool mxnet;  /* MXNet's library is mapped: its servers run no Python */
    uint64_t kernel, kernel_end; /* the kernel's code in the process (vDSO), or 0 */
    uint8_t begun[1024];         /* auxiliary vector of its program: the addresses of its parts */
};

/* Returns false if the map cannot be read (errno). */
bool inject_map_read(pid_t pid, struct inject_map *map);
/* True if the process still runs the program of this map. Reads little, since the process may be
 * stopped. */
bool inject_map_stays(pid_t pid, const struct inject_map *map);

/* The loader's tables of an object's exports, as addresses; `hash` 0: none. */
struct inject_tables {
    pid_t pid;
    uint64_t bias; /* difference between file addresses and memory addresses */
    uint64_t base;
    uint64_t dynamic;
    size_t dynamic_size;
    uint64_t symbols, texts, hash;
};

struct inject_tables inject_tables_read(pid_t pid, const struct inject_object *object);

/* The address of an exported function or variable of the object, or 0. */
uint64_t inject_symbol(const struct inject_tables *tables, const char *name);

/* The address of these bytes in the kernel's code, or 0. */
uint64_t inject_map_find(pid_t pid, const struct inject_map *map, const uint8_t *bytes,
                         size_t size);

#endif

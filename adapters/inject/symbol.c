/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * symbol.c: reads the memory map of another process, and its loader's tables of symbols. */
#include "config.h"

#include "adapters/inject/symbol.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "adapters/inject/registers.h"

/* Limits for tables in the other process; larger ones are not trusted. */
enum { HEADERS_MAX = 64, DYNAMIC_MAX = 512, CHAIN_MAX = 100000, KERNEL_MAX = 64 * 1024 };

bool inject_memory_read(pid_t pid, uint64_t at, void *to, size_t size)
{
    struct iovec here = {to, size}, there = {(void *)(uintptr_t)at, size};
    return process_vm_readv(pid, &here, 1, &there, 1, 0) == (ssize_t)size;
}

bool inject_memory_write(pid_t pid, uint64_t at, const void *from, size_t size)
{
    struct iovec here = {(void *)(uintptr_t)from, size}, there = {(void *)(uintptr_t)at, size};
    return process_vm_writev(pid, &here, 1, &there, 1, 0) == (ssize_t)size;
}

/* ------------------------------------------------------------------------------------- the map */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void take_object(struct inject_object *object, uint64_t base, const char *path)
{
    if (object->base)
        return;
    object->base = base;
    snprintf(object->name, sizeof object->name, "%s", base_name(path));
}

/* Takes one line of /proc/PID/maps. */
static void take_line(struct inject_map *map, const char *line, const char *program)
{
    uint64_t start, end, offset;
    int path = 0;
    if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %n", &start, &end, &offset,
               &path) < 3 ||
        path == 0)
        return;
    map->nutpie = map->nutpie || strstr(line + path, "/nutpie/_lib") != NULL;
    map->mxnet = map->mxnet || strstr(line + path, "/libmxnet.so") != NULL;
    if (strcmp(line + path, "[vdso]") == 0) {
        map->kernel = start;
        map->kernel_end = end;
    } else if (offset == 0 && strcmp(line + path, program) == 0) {
        take_object(&map->program, start, line + path);
    } else if (offset == 0 && strncmp(base_name(line + path), "libpython", 9) == 0 &&
               strstr(base_name(line + path), ".so")) {
        take_object(&map->python, start, line + path);
    }
}

/* Reads the auxiliary vector, padded with zeros. */
static void read_begun(pid_t pid, uint8_t *to, size_t size)
{
    char path[64];
    memset(to, 0, size);
    snprintf(path, sizeof path, "/proc/%d/auxv", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd >= 0 ? read(fd, to, size) : 0;
    if (fd >= 0)
        close(fd);
    if (got < 0)
        memset(to, 0, size);
}

bool inject_map_read(pid_t pid, struct inject_map *map)
{
    char path[64], program[PATH_MAX], line[PATH_MAX + 128];
    *map = (struct inject_map){0};
    read_begun(pid, map->begun, sizeof map->begun); /* first: later reads are as new */
    snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
    ssize_t size = readlink(path, program, sizeof program - 1);
    if (size < 0)
        return false;
    program[size] = '\0';
    snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        take_line(map, line, program);
    }
    bool good = !ferror(file);
    fclose(file);
    return good;
}

bool inject_map_stays(pid_t pid, const struct inject_map *map)
{
    uint8_t begun[sizeof map->begun];
    read_begun(pid, begun, sizeof begun);
    return memcmp(begun, map->begun, sizeof begun) == 0;
}

uint64_t inject_map_find(pid_t pid, const struct inject_map *map, const uint8_t *bytes,
                         size_t size)
{
    uint64_t whole = map->kernel_end - map->kernel;
    if (whole < size || whole > KERNEL_MAX)
        return 0;
    uint8_t *copy = malloc(whole);
    uint64_t found = 0;
    if (copy && inject_memory_read(pid, map->kernel, copy, whole)) {
        const uint8_t *at = memmem(copy, whole, bytes, size);
        found = at ? map->kernel + (uint64_t)(at - copy) : 0;
    }
    free(copy);
    return found;
}

/* ------------------------------------------------------------------------------------- symbols */

/* Reads the ELF headers at the start of the first mapping. */
static bool read_headers(struct inject_tables *to)
{
    Elf64_Ehdr file;
    Elf64_Phdr part[HEADERS_MAX];
    uint64_t first = UINT64_MAX, dynamic = 0;
    if (!inject_memory_read(to->pid, to->base, &file, sizeof file) ||
        memcmp(file.e_ident, ELFMAG, SELFMAG) != 0 || file.e_ident[EI_CLASS] != ELFCLASS64 ||
        file.e_machine != INJECT_MACHINE || file.e_phnum > HEADERS_MAX ||
        file.e_phentsize != sizeof part[0] ||
        !inject_memory_read(to->pid, to->base + file.e_phoff, part,
                            file.e_phnum * sizeof part[0]))
        return false;
    for (unsigned i = 0; i < file.e_phnum; i++) {
        if (part[i].p_type == PT_LOAD && part[i].p_vaddr < first)
            first = part[i].p_vaddr;
        if (part[i].p_type == PT_DYNAMIC) {
            dynamic = part[i].p_vaddr;
            to->dynamic_size = part[i].p_memsz / sizeof(Elf64_Dyn);
        }
    }
    to->bias = to->base - (first & ~(uint64_t)(getpagesize() - 1));
    to->dynamic = dynamic + to->bias;
    return dynamic != 0;
}

/* Some loaders convert the addresses in this table to real ones, others leave them. */
static uint64_t real(const struct inject_tables *tables, uint64_t address)
{
    return address >= tables->base ? address : address + tables->bias;
}

static void read_dynamic(struct inject_tables *to)
{
    Elf64_Dyn entry[DYNAMIC_MAX];
    size_t count = to->dynamic_size < DYNAMIC_MAX ? to->dynamic_size : DYNAMIC_MAX;
    if (!inject_memory_read(to->pid, to->dynamic, entry, count * sizeof entry[0]))
        return;
    for (size_t i = 0; i < count && entry[i].d_tag != DT_NULL; i++) {
        uint64_t address = real(to, entry[i].d_un.d_ptr);
        if (entry[i].d_tag == DT_SYMTAB)
            to->symbols = address;
        if (entry[i].d_tag == DT_STRTAB)
            to->texts = address;
        if (entry[i].d_tag == DT_GNU_HASH)
            to->hash = address;
    }
    if (!to->symbols || !to->texts)
        to->hash = 0;
}

struct inject_tables inject_tables_read(pid_t pid, const struct inject_object *object)
{
    struct inject_tables tables = {.pid = pid, .base = object->base};
    if (object->base != 0 && read_headers(&tables))
        read_dynamic(&tables);
    return tables;
}

static uint32_t hash_of(const char *name)
{
    uint32_t hash = 5381;
    for (; *name; name++)
        hash = hash * 33 + (uint8_t)*name;
    return hash;
}

/* The address of this symbol if it is defined and has this name, else 0. */
static uint64_t take_symbol(const struct inject_tables *tables, uint32_t at, const char *name)
{
    Elf64_Sym symbol;
    char text[64];
    size_t size = strlen(name) + 1;
    if (size > sizeof text ||
        !inject_memory_read(tables->pid, tables->symbols + at * sizeof symbol, &symbol,
                            sizeof symbol) ||
        !inject_memory_read(tables->pid, tables->texts + symbol.st_name, text, size) ||
        memcmp(text, name, size) != 0 || symbol.st_shndx == SHN_UNDEF)
        return 0;
    return symbol.st_value + tables->bias;
}

/* GNU hash table: header, filter, buckets, and the hash of each symbol from `first` on. The lowest
 * bit marks the last symbol of a bucket. */
uint64_t inject_symbol(const struct inject_tables *tables, const char *name)
{
    struct {
        uint32_t buckets, first, filter, shift;
    } head;
    const uint32_t name_hash = hash_of(name);
    uint32_t at, hash = 0;
    if (!tables->hash || !inject_memory_read(tables->pid, tables->hash, &head, sizeof head) ||
        head.buckets == 0)
        return 0;
    uint64_t bucket = tables->hash + sizeof head + head.filter * sizeof(uint64_t);
    uint64_t chain = bucket + head.buckets * sizeof(uint32_t);
    if (!inject_memory_read(tables->pid, bucket + name_hash % head.buckets * sizeof at, &at,
                            sizeof at) ||
        at < head.first)
        return 0;
    for (unsigned i = 0; i < CHAIN_MAX && !(hash & 1); i++, at++) {
        if (!inject_memory_read(tables->pid, chain + (at - head.first) * sizeof hash, &hash,
                                sizeof hash))
            return 0;
        uint64_t found = (hash | 1) == (name_hash | 1) ? take_symbol(tables, at, name) : 0;
        if (found)
            return found;
    }
    return 0;
}

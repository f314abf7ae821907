/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * slots.c: finds relocation slots in a loaded library and writes them.
 *
 * A slot of the PLT may still hold the address of its stub. The stub would look the function up and
 * undo the change. So the original is always the address of the symbol, never the value of a
 * slot. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "adapters/common/slots.h"

struct slot_entry {
    void **slot;
    uint16_t hook;
    uint8_t read_only; /* the linker made its page read-only after relocation */
};

struct found {
    const char *file;
    ElfW(Addr) base;
    const ElfW(Phdr) *headers;
    size_t n_headers;
    const char *path;
};

static int is_it(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    struct found *found = data;
    const char *name = strrchr(info->dlpi_name, '/');
    const size_t size_of_name = strlen(found->file);
    if (!name || strncmp(name + 1, found->file, size_of_name) != 0 ||
        (name[1 + size_of_name] != '\0' && name[1 + size_of_name] != '.'))
        return 0;
    found->base = info->dlpi_addr;
    found->headers = info->dlpi_phdr;
    found->n_headers = info->dlpi_phnum;
    found->path = info->dlpi_name;
    return 1;
}

static struct found locate(const char *file)
{
    struct found found = {.file = file};
    dl_iterate_phdr(is_it, &found);
    return found;
}

static void read_build(struct slot_library *library, const struct found *found)
{
    for (size_t i = 0; i < found->n_headers; i++) {
        if (found->headers[i].p_type != PT_NOTE)
            continue;
        const char *at = (const char *)(found->base + found->headers[i].p_vaddr);
        const char *end = at + found->headers[i].p_memsz;
        while (at + sizeof(ElfW(Nhdr)) <= end) {
            const ElfW(Nhdr) *note = (const void *)at;
            const unsigned char *id =
                (const unsigned char *)(note + 1) + ((note->n_namesz + 3u) & ~3u);
            if (note->n_type == NT_GNU_BUILD_ID && note->n_descsz <= 32 &&
                id + note->n_descsz <= (const unsigned char *)end)
                for (unsigned k = 0; k < note->n_descsz; k++)
                    snprintf(library->build + 2u * k, 3, "%02x", id[k]);
            at = (const char *)id + ((note->n_descsz + 3u) & ~3u);
        }
    }
}

int slots_library(struct slot_library *library, const char *file)
{
    struct found found = locate(file);
    if (!found.path)
        return 0;
    void *handle = dlopen(found.path, RTLD_NOLOAD | RTLD_LAZY);
    if (!handle)
        return 0;
    if (handle == library->handle)
        dlclose(handle); /* the library holds a reference already */
    free(library->entry);
    *library = (struct slot_library){.path = found.path, .handle = handle};
    read_build(library, &found);
    return 1;
}

/* Tables of the dynamic section. */
struct dynamic {
    const char *strings;
    const ElfW(Sym) *symbols;
    const ElfW(Rela) *relocations[2];
    size_t n[2];
};

static struct dynamic read_dynamic(const struct found *found)
{
    struct dynamic dynamic = {0};
    const ElfW(Dyn) *entry = NULL;
    for (size_t i = 0; i < found->n_headers; i++)
        if (found->headers[i].p_type == PT_DYNAMIC)
            entry = (const void *)(found->base + found->headers[i].p_vaddr);
    for (; entry && entry->d_tag != DT_NULL; entry++) {
        const void *pointer = (const void *)entry->d_un.d_ptr;
        switch (entry->d_tag) {
        case DT_STRTAB: dynamic.strings = pointer; break;
        case DT_SYMTAB: dynamic.symbols = pointer; break;
        case DT_RELA: dynamic.relocations[0] = pointer; break;
        case DT_RELASZ: dynamic.n[0] = entry->d_un.d_val / sizeof(ElfW(Rela)); break;
        case DT_JMPREL: dynamic.relocations[1] = pointer; break;
        case DT_PLTRELSZ: dynamic.n[1] = entry->d_un.d_val / sizeof(ElfW(Rela)); break;
        default: break;
        }
    }
    return dynamic;
}

static unsigned kind_of(uint32_t type)
{
    return type == R_X86_64_JUMP_SLOT ? SLOT_CALL
           : type == R_X86_64_GLOB_DAT ? SLOT_POINTER
           : type == R_X86_64_64       ? SLOT_TABLE
                                       : 0;
}

static int within(const struct found *found, uint32_t type, const void *address)
{
    uintptr_t at = (uintptr_t)address;
    for (size_t i = 0; i < found->n_headers; i++) {
        const ElfW(Phdr) *header = &found->headers[i];
        uintptr_t from = found->base + header->p_vaddr;
        if (header->p_type == type && at >= from && at - from < header->p_memsz)
            return 1;
    }
    return 0;
}

struct search {
    struct slot_library *library;
    struct slot_hook *hooks;
    size_t n_hooks, room;
    const struct found *found;
    const char *why_not;
};

/* The first hook of this symbol, or -1. Compares addresses first, since that is fast. `address`
 * NULL: another library has the symbol. */
static int hook_of(const struct search *search, const void *address, const char *name)
{
    for (size_t i = 0; i < search->n_hooks; i++)
        if ((!address || *search->hooks[i].original == address) &&
            strcmp(search->hooks[i].symbol, name) == 0)
            return (int)i;
    return -1;
}

static void add(struct search *search, void **slot, int hook)
{
    struct slot_library *library = search->library;
    const void *holds = __atomic_load_n(slot, __ATOMIC_RELAXED);
    if (holds == search->hooks[hook].ours)
        search->why_not = "its functions are replaced already";
    else if (holds != *search->hooks[hook].original && !within(search->found, PT_LOAD, holds))
        search->why_not = "another program has replaced functions of it";
    if (library->n_entries == search->room) {
        size_t room = search->room ? 2 * search->room : 64;
        struct slot_entry *more = realloc(library->entry, room * sizeof *more);
        if (!more) {
            search->why_not = "there is no memory";
            return;
        }
        library->entry = more;
        search->room = room;
    }
    library->entry[library->n_entries++] =
        (struct slot_entry){.slot = slot,
                            .hook = (uint16_t)hook,
                            .read_only = (uint8_t)within(search->found, PT_GNU_RELRO, slot)};
    search->hooks[hook].slots++;
}

const char *slots_find(struct slot_library *library, struct slot_hook *hooks, size_t n)
{
    const char *name = strrchr(library->path, '/') + 1;
    struct found found = locate(name);
    struct dynamic dynamic = read_dynamic(&found);
    struct search search = {library, hooks, n, 0, &found, NULL};
    if (!found.path || !dynamic.symbols || !dynamic.strings)
        return "its tables of symbols were not found";
    free(library->entry);
    library->entry = NULL;
    library->n_entries = 0;
    for (size_t i = 0; i < n; i++) { /* originals may be shared and in use */
        void *address = dlsym(library->handle, hooks[i].symbol);
        hooks[i].slots = 0;
        if (address)
            *hooks[i].original = address;
    }
    for (int table = 0; table < 2; table++)
        for (size_t i = 0; i < dynamic.n[table]; i++) {
            const ElfW(Rela) *relocation = &dynamic.relocations[table][i];
            unsigned kind = kind_of((uint32_t)ELF64_R_TYPE(relocation->r_info));
            const ElfW(Sym) *symbol = &dynamic.symbols[ELF64_R_SYM(relocation->r_info)];
            if (!kind)
                continue;
            void *address = symbol->st_value ? (void *)(found.base + symbol->st_value) : NULL;
            int hook = hook_of(&search, address, dynamic.strings + symbol->st_name);
            if (hook >= 0 && (hooks[hook].kinds & kind))
                add(&search, (void **)(found.base + relocation->r_offset), hook);
        }
    return search.why_not;
}

size_t slots_original(const struct slot_library *library, const struct slot_hook *hooks)
{
    size_t n = 0;
    for (size_t i = 0; i < library->n_entries; i++) {
        const struct slot_entry *entry = &library->entry[i];
        n += __atomic_load_n(entry->slot, __ATOMIC_RELAXED) == *hooks[entry->hook].original;
    }
    return n;
}

size_t slots_write(struct slot_library *library, const struct slot_hook *hooks, unsigned wanted,
                   int ours)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    size_t written = 0;
    for (size_t i = 0; i < library->n_entries; i++) {
        const struct slot_entry *entry = &library->entry[ours ? library->n_entries - 1 - i : i];
        const struct slot_hook *hook = &hooks[entry->hook];
        if (!(hook->feature & wanted))
            continue;
        void *start = (void *)((uintptr_t)entry->slot & ~(page - 1));
        if (mprotect(start, page, PROT_READ | PROT_WRITE) != 0)
            continue;
        __atomic_store_n(entry->slot, ours ? hook->ours : *hook->original, __ATOMIC_RELEASE);
        if (entry->read_only)
            mprotect(start, page, PROT_READ);
        written++;
    }
    return written;
}

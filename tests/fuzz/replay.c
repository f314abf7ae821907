/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * replay.c: runs a fuzz target without a fuzzer, so that `make check` runs the corpus with any
 * compiler.
 *
 * Each file is run as it is, then cut at every place, then with random changes (the same in every
 * run). The bytes end at an unreadable page, so that an overread of one byte crashes even without a
 * sanitizer. REPLAY_CORPUS is the folder below tests/fuzz/corpus.
 */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { INPUT_MAX = 1 << 20, FILES_MAX = 4096, CUTS_MAX = 2048, CHANGES = 2000 };

static uint64_t seed = 1;

static uint64_t draw(void)
{
    uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* The address where an input must end. */
static uint8_t *map_fence(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (INPUT_MAX / page + 1) * page;
    uint8_t *base =
        mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED || mprotect(base + room, page, PROT_NONE) != 0) {
        perror("replay: no memory with a fence");
        exit(2);
    }
    return base + room;
}

static void run(const uint8_t *data, size_t size, uint8_t *fence)
{
    memcpy(fence - size, data, size);
    LLVMFuzzerTestOneInput(fence - size, size);
}

/* Changes, inserts or removes up to four bytes. Returns the new size. */
static size_t change(uint8_t *data, size_t size)
{
    static const uint8_t telling[] = {0x00, 0x01, 0x7f, 0x80, 0x8f, 0x90, 0xa0, 0xc1, 0xc4,
                                      0xc6, 0xcb, 0xcf, 0xd9, 0xdb, 0xdd, 0xdf, 0xfe, 0xff};
    for (uint64_t n = 1 + draw() % 4; n > 0 && size > 1; n--) {
        size_t at = draw() % size, how = draw() % 8;
        uint8_t byte = draw() % 2 ? telling[draw() % sizeof telling] : (uint8_t)draw();
        if (how == 0 && size < INPUT_MAX) {
            memmove(data + at + 1, data + at, size++ - at);
            data[at] = byte;
        } else if (how == 1) {
            memmove(data + at, data + at + 1, --size - at);
        } else {
            data[at] = how == 2 ? (uint8_t)(data[at] + 1) : byte;
        }
    }
    return size;
}

static void replay(const uint8_t *data, size_t size, uint8_t *fence)
{
    static uint8_t changed[INPUT_MAX];
    const char *wanted = getenv("TAP_STRIDE"); /* as in tap_stride() */
    const unsigned stride = wanted && strtoul(wanted, NULL, 10) > 1 ? 10 : 1;
    run(data, size, fence);
    for (size_t cut = 0; cut < size && cut < CUTS_MAX; cut += stride)
        run(data, cut, fence);
    for (unsigned i = 0; i < CHANGES; i += stride) {
        memcpy(changed, data, size);
        run(changed, change(changed, size), fence);
    }
}

static size_t read_file(const char *dir, const char *name, uint8_t *data)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "replay: %s cannot be opened\n", path);
        exit(2);
    }
    size_t size = fread(data, 1, INPUT_MAX, file);
    fclose(file);
    return size;
}

static int is_input(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

int main(void)
{
    static uint8_t data[INPUT_MAX];
    const char *source = getenv("srcdir");
    char dir[2048];
    struct dirent **entry;
    snprintf(dir, sizeof dir, "%s/tests/fuzz/corpus/" REPLAY_CORPUS, source ? source : ".");
    int files = scandir(dir, &entry, is_input, alphasort);
    if (files <= 0) {
        fprintf(stderr, "replay: no corpus in %s\n", dir);
        return 2;
    }
    uint8_t *fence = map_fence();
    printf("1..%d\n", files);
    fflush(stdout);
    for (int i = 0; i < files; i++) {
        size_t size = read_file(dir, entry[i]->d_name, data);
        replay(data, size, fence);
        printf("ok %d - %s\n", i + 1, entry[i]->d_name);
        fflush(stdout);
        free(entry[i]);
    }
    free(entry);
    return 0;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * pages.c: maps memory in whole pages.
 */
#include "config.h"

#include "feed/publisher/record/pages.h"

#include <stdint.h>
#include <sys/mman.h>

/* LeakSanitizer searches mapped memory only if the memory is registered. Unregistered, memory that
 * only a block of a closed feed still points to would be reported as a leak. */
extern void __lsan_register_root_region(const void *memory, size_t size) __attribute__((weak));
extern void __lsan_unregister_root_region(const void *memory, size_t size) __attribute__((weak));

void *publisher_map(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED && __lsan_register_root_region)
        __lsan_register_root_region(memory, size);
    return memory == MAP_FAILED ? NULL : memory;
}

void publisher_unmap(void *memory, size_t size)
{
    if (memory == NULL)
        return;
    if (__lsan_unregister_root_region)
        __lsan_unregister_root_region(memory, size);
    munmap(memory, size);
}

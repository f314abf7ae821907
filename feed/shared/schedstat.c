/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * schedstat.c: reads /proc/PID/task/TID/schedstat.
 */
#include "config.h"

#include "feed/shared/schedstat.h"

#include <inttypes.h>
#include <stdio.h>

#include "feed/shared/atomic_file.h"

bool shared_schedstat_read(uint64_t pid, uint64_t tid, struct shared_schedstat *turns)
{
    char process[24] = "self", path[96], text[80];
    if (pid != 0)
        snprintf(process, sizeof process, "%" PRIu64, pid);
    snprintf(path, sizeof path, "/proc/%s/task/%" PRIu64 "/schedstat", process, tid);
    return shared_file_head(path, text, sizeof text) &&
           sscanf(text, "%" SCNu64 " %" SCNu64 " %" SCNu64, &turns->ran_ns, &turns->waited_ns,
                  &turns->turns) == 3;
}

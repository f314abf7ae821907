/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * loaded.c: a program that opens a feed and prints the state of the feed, for apart.py. `full`:
 * with all descriptors in use; `away`: from another folder than its starting folder.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "proftop.h"

/* True if a file of this name is mapped into the process. */
static int is_mapped(const char *name)
{
    char line[4096];
    int found = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
        found |= strstr(line, name) != NULL;
    if (maps != NULL)
        fclose(maps);
    return found;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    if (strcmp(how, "away") == 0 && chdir("/") != 0)
        return 1;
    if (strcmp(how, "full") == 0) {
        const struct rlimit few = {64, 64};
        if (setrlimit(RLIMIT_NOFILE, &few) != 0)
            return 1;
        while (open("/dev/null", O_RDONLY) >= 0)
            continue;
    }
    struct proftop *feed = proftop_open(NULL);
    const int on = proftop_is_on(feed);
    printf("on %d\n", on);
    if (!on)
        printf("reason %s\n", proftop_reason(feed));
    for (int fd = 3; fd < 64 && strcmp(how, "full") == 0; fd++)
        close(fd);
    printf("zmq %d\n", is_mapped("/libzmq.so"));
    printf("loop %d\n", is_mapped("/libproftop-feed-"));
    proftop_close(feed);
    return 0;
}

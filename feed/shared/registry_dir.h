/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * registry_dir.h: where jobs register: the registry directories and the .info file. A job writes
 * one file into the first usable directory; the viewer reads all directories.
 *
 * An .info file is lines of `key=value`; bytes below 0x20 and `%` are written %XX. Its writer holds
 * a POSIX write lock on it as long as it lives. Keys: docs/protocol.md, "Finding a job".
 */
#ifndef FEED_SHARED_REGISTRY_DIR_H
#define FEED_SHARED_REGISTRY_DIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "feed/shared/rank.h"

enum {
    SHARED_PATH_MAX = 4096,
    SHARED_ENDPOINT_MAX = 108,                      /* of a Unix socket's path, including NUL */
    SHARED_ENDPOINT_SIZE = SHARED_ENDPOINT_MAX + 8, /* with the scheme in front */
    REGISTRY_INFO_MAX = 16 * 1024,
    REGISTRY_DIRS_MAX = 8,
    SHARED_TOKEN_SIZE = 33, /* 128 bits in hex, and NUL */
    SHARED_COMMAND_MAX = 1024,
    SHARED_VIA_MAX = 256,
};

#define SHARED_UNIQUE "XXXXXX" /* in a path: mkdtemp() and mkostemp() replace it by a unique text  \
                                */

/* Lists the candidate directories, in order of preference: $PROFTOP_DIR, $XDG_RUNTIME_DIR/proftop,
 * the runtime directory of this uid, the per-uid directory under the temporary directory and under
 * /tmp. Returns how many; creates none. */
size_t registry_dirs(char place[REGISTRY_DIRS_MAX][SHARED_PATH_MAX]);

/* Checks a directory, and with `create` makes it if missing: it must be a directory, owned by us,
 * mode 0700 at most. False with a sentence in `why`. */
bool registry_dir_usable(const char *path, bool create, char *why, size_t capacity);

/* Contents of an .info file. */
struct registry_info {
    uint64_t pid;
    uint64_t start; /* start time of the process in clock ticks since boot */
    char instance[33];
    char parent[33];
    char facts[SHARED_ENDPOINT_SIZE];   /* endpoint of the XPUB: ipc://... */
    char control[SHARED_ENDPOINT_SIZE]; /* endpoint of the ROUTER */
    char tcp[2 * SHARED_ENDPOINT_SIZE]; /* both of them over tcp, FACTS,CONTROL; "": none */
    uint64_t insecure;                  /* 1: tcp without keys; 0: not so; UINT64_MAX: unknown */
    char program[256];
    char framework[64];
    char host[256];
    char token[SHARED_TOKEN_SIZE]; /* of PROFTOP_RUN, or "" */
    struct shared_rank place;      /* rank in a distributed job */
    uint64_t since_ns;           /* wall clock when the feed was opened */
    char command[SHARED_COMMAND_MAX]; /* of a remote job; no job writes it, but `-l` does */
    /* Found by the viewer, not in the file. */
    char via[SHARED_VIA_MAX]; /* ssh destination; "": this machine */
    uint32_t depth;         /* in the tree of parents; 0: no worker of another job */
    bool adapted;           /* it publishes nothing, but our Python adapter is loaded in it */
};

/* Sets everything to unknown. */
void registry_info_clear(struct registry_info *info);
/* Writes the text of an .info file. Returns its size, 0 if it does not fit. */
size_t registry_info_format(const struct registry_info *info, char *out, size_t capacity);
/* Parses the text of an .info file. False with a sentence in `why`; unknown keys are skipped. */
bool registry_info_parse(const char *text, size_t size, struct registry_info *info, char *why,
                         size_t capacity);

/* True if a job of this user can have the published endpoint: ipc:// with an absolute path, of any
 * name, with a socket of this user or nothing at the path; or tcp:// with a port and a host that is
 * no wildcard. False with a sentence in `why`. */
bool shared_endpoint_is_valid(const char *endpoint, char *why, size_t capacity);

/* Derives both endpoints from a typed ipc:///path/x.pub, tcp://host:port or FACTS,CONTROL. Control
 * is the same path with .ctl, or the next port (for port `*`, any other). False with a sentence. */
bool shared_endpoints_parse(const char *word, char facts[SHARED_ENDPOINT_SIZE],
                            char control[SHARED_ENDPOINT_SIZE], char *why, size_t capacity);

/* Start time of a process in clock ticks since boot, from the kernel; 0 if there is none. */
uint64_t shared_process_start(uint64_t pid);
/* True if the process is stopped, by a signal or a tracer. */
bool shared_process_stopped(uint64_t pid);
/* The process that started or adopted it; 0 if unknown. */
uint64_t shared_process_parent(uint64_t pid);

#endif

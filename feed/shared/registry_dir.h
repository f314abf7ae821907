/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * registry_dir.h: where jobs announce themselves: the registry directories and the .info file.
 * Shared by the job, which writes one file into the first usable directory, and the viewer, which
 * reads all.
 *
 * An .info file is lines of `key=value`; bytes below 0x20 and `%` are written %XX. Its writer
 * holds a POSIX write lock on it as long as it lives. Keys: docs/protocol.md, "Finding a job".
 */
#ifndef FEED_PLACE_H
#define FEED_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "feed/shared/rank.h"

enum {
    FEED_PATH_MAX = 4096,
    FEED_ENDPOINT_MAX = 108, /* of a Unix socket's path, NUL included */
    FEED_ENDPOINT_SIZE = FEED_ENDPOINT_MAX + 8, /* with what stands before it */
    FEED_INFO_MAX = 16 * 1024,
    FEED_PLACES_MAX = 8,
    FEED_TOKEN_SIZE = 33, /* 128 bits in hex, and NUL */
    FEED_COMMAND_MAX = 1024,
    FEED_VIA_MAX = 256,
};

#define FEED_UNIQUE "XXXXXX" /* in a path: mkdtemp() and mkostemp() put what is unique there */

/* Candidate directories, most wanted first: $PROFTOP_DIR, $XDG_RUNTIME_DIR/proftop, the runtime
 * directory of this uid, the per-uid directory under the temporary directory and under /tmp.
 * Returns how many; none is created. */
size_t feed_places(char place[FEED_PLACES_MAX][FEED_PATH_MAX]);

/* Makes the directory if need be and checks it: a directory, owned by us, mode 0700 at most.
 * False with a sentence in `why`. */
bool feed_place_usable(const char *path, bool create, char *why, size_t capacity);

/* What an .info file says. */
struct feed_info {
    uint64_t pid;
    uint64_t start; /* start time of the process in clock ticks since boot */
    char instance[33];
    char parent[33];
    char facts[FEED_ENDPOINT_SIZE];   /* endpoint of the XPUB: ipc://... */
    char control[FEED_ENDPOINT_SIZE]; /* endpoint of the ROUTER */
    char tcp[2 * FEED_ENDPOINT_SIZE]; /* both of them over tcp, FACTS,CONTROL; "": none */
    uint64_t insecure; /* 1: tcp, and no keys are wanted there; 0: not so; UINT64_MAX: unknown */
    char program[256];
    char framework[64];
    char host[256];
    char token[FEED_TOKEN_SIZE]; /* of PROFTOP_RUN, or "" */
    struct feed_rank place;      /* in a distributed job */
    uint64_t since_ns;           /* wall clock when the feed was opened */
    char command[FEED_COMMAND_MAX]; /* of a job elsewhere; no job writes it, but `-l` does */
    /* Found out by the viewer, not in the file. */
    char via[FEED_VIA_MAX]; /* what ssh is told to reach it; "": it is here */
    uint32_t depth;         /* in the tree of parents; 0: no worker of another job */
    bool adapted;           /* it publishes nothing, but our adapter for Python is in it */
};

/* Nothing of it is known yet. */
void feed_info_clear(struct feed_info *info);
/* Writes the text of an .info file. Returns its size, 0 if it does not fit. */
size_t feed_info_format(const struct feed_info *info, char *out, size_t capacity);
/* Reads it. False with a sentence in `why`; unknown keys are skipped. */
bool feed_info_parse(const char *text, size_t size, struct feed_info *info, char *why,
                     size_t capacity);

/* Whether an announced endpoint is one that a job of this user can have: ipc:// with an absolute
 * path, of any name, at which nothing stands but a socket of this user, or tcp:// with a host that
 * is no wildcard and a port. False with a sentence in `why`. */
bool feed_endpoint_good(const char *endpoint, char *why, size_t capacity);

/* From what was typed, ipc:///path/x.pub, tcp://host:port or FACTS,CONTROL, both endpoints:
 * control is the same path with .ctl, or the next port (of a port `*`, any other). False with a
 * sentence. */
bool feed_endpoints_parse(const char *word, char facts[FEED_ENDPOINT_SIZE],
                          char control[FEED_ENDPOINT_SIZE], char *why, size_t capacity);

/* Start time of a process in clock ticks since boot, from the kernel; 0 if there is none. */
uint64_t feed_process_start(uint64_t pid);
/* Whether it is stopped, by a signal or by who traces it. */
bool feed_process_stopped(uint64_t pid);
/* The process that started it or adopted it; 0 if that is not known. */
uint64_t feed_process_parent(uint64_t pid);

#endif

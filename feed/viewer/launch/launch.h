/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * launch.h: `proftop run`: starts a job with its adapter loaded, and finds its feed by the token.
 */
#ifndef FEED_VIEWER_LAUNCH_LAUNCH_H
#define FEED_VIEWER_LAUNCH_LAUNCH_H

#include "feed/shared/registry_dir.h"

#include <sys/types.h>

/* What becomes of the job's three standard streams. */
enum viewer_streams {
    VIEWER_STREAMS_INHERIT, /* all three are ours (`run -b`) */
    VIEWER_STREAMS_KEPT, /* with a screen: stdin /dev/null or the pipe given; stdout and stderr to
                          files PID-START.out and .err in a directory of this user, unless they
                          are not terminals */
};

struct viewer_launch {
    pid_t pid;                   /* the command */
    char token[SHARED_TOKEN_SIZE]; /* in its environment as PROFTOP_RUN */
    int out, err;                /* files that hold its output so far (read and write), or -1 */
    char out_path[SHARED_PATH_MAX], err_path[SHARED_PATH_MAX]; /* of these; "": removed, or none */
    char adapters[SHARED_PATH_MAX]; /* folder whose start-up hooks it got */
    char looked[1024];            /* the folders where adapters were looked for, for a sentence */
    char refused[700];            /* why adapters that are there are not used, or "" */
    bool adapted;                 /* they are there, and nobody else can change them */
    bool ended;
    int status; /* as from waitpid, once ended */
};

/* Starts the command, with default signals and an empty mask, in its own process group if
 * VIEWER_STREAMS_KEPT, with PROFTOP=1, PROFTOP_RUN and the adapters' start-up hooks in its
 * environment. False with a sentence in `why`. */
bool viewer_launch_start(struct viewer_launch *launch, char *const argv[],
                         enum viewer_streams streams, char *why, size_t capacity);

/* Runs a command with the start-up hooks of the adapters, as viewer_child_ask(). */
bool viewer_launch_ask(const char *const argv[], int ms, char *out, size_t out_capacity, char *why,
                       size_t capacity);

/* Fills `adapters`, `looked` and `adapted`, as starting a command does; gives `adapted`. */
bool viewer_launch_find(struct viewer_launch *launch);

/* Chooses the folder of the adapters: `wanted` if it is not NULL or "", else the one that was
 * installed together with `program` (a link to it), wherever that stands now, else `installed`,
 * else, where nothing is installed, that of the build tree in which the program stands. One that
 * others could change is passed over, and `refused` says which. */
void viewer_launch_adapters(struct viewer_launch *launch, const char *wanted, const char *installed,
                            const char *program);

/* What lies beside a program, which in a build tree libtool may have in .libs: `program` is a link
 * to it, `tail` begins with a slash. False: it does not fit. Whether it is there was not asked. */
bool viewer_launch_beside(const char *program, const char *tail, char *out, size_t capacity);

/* Looks whether the command has ended; does not wait. True if it has. */
bool viewer_launch_ended(struct viewer_launch *launch);

/* Its exit code, or 128 + signal. */
int viewer_launch_code(const struct viewer_launch *launch);
/* The signal that ended it, or 0. */
int viewer_launch_signal(const struct viewer_launch *launch);
/* Its end in words: "with code 7", "by signal 9 (Killed)". */
void viewer_launch_end(const struct viewer_launch *launch, char *out, size_t capacity);

/* Copies the output kept so far to our own stdout and stderr, byte for byte, and closes the files.
 * They are removed if the command has ended and all was copied. Else they stay, and their paths: a
 * command that goes on writes into them. */
void viewer_launch_replay(struct viewer_launch *launch);

#endif

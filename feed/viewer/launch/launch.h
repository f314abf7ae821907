/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * launch.h: `proftop run`: starts a job with its adapter loaded, and finds its feed by a token.
 */
#ifndef FEED_VIEWER_LAUNCH_LAUNCH_H
#define FEED_VIEWER_LAUNCH_LAUNCH_H

#include "feed/shared/registry_dir.h"

#include <sys/types.h>

/* Where the job's three standard streams go. */
enum viewer_streams {
    VIEWER_STREAMS_INHERIT, /* all three are inherited */
    VIEWER_STREAMS_KEPT, /* with a screen: stdin is /dev/null or the given pipe; stdout and stderr
                          * go to files PID-START.out and .err in a directory of this user, unless
                          * they are not terminals */
};

struct viewer_launch {
    pid_t pid;                   /* the command */
    char token[SHARED_TOKEN_SIZE]; /* PROFTOP_RUN in its environment */
    int out, err;                  /* files with its output so far (read and write), or -1 */
    char out_path[SHARED_PATH_MAX], err_path[SHARED_PATH_MAX]; /* their paths; "": no file */
    char adapters[SHARED_PATH_MAX]; /* folder of the start-up hooks that it got */
    char looked[1024];              /* the folders searched for adapters, for a sentence */
    char refused[700];              /* why existing adapters are not used, or "" */
    bool adapted;                   /* adapters exist, and no other user can change them */
    bool ended;
    int status; /* as from waitpid, once ended */
};

/* Starts the command, with default signals and an empty mask, in its own session if
 * VIEWER_STREAMS_KEPT. Its environment has PROFTOP=1, PROFTOP_RUN and the adapters' start-up hooks.
 * INTEL_LIBITTNOTIFY64 and NVTX_INJECTION64_PATH name the ports (adapters/ports) if they are there,
 * unless the variables are set already. False with a sentence in `why`. */
bool viewer_launch_start(struct viewer_launch *launch, char *const argv[],
                         enum viewer_streams streams, char *why, size_t capacity);

/* Runs a command with the start-up hooks of the adapters, as viewer_child_run() does. */
bool viewer_launch_run(const char *const argv[], int ms, char *out, size_t out_capacity, char *why,
                       size_t capacity);

/* Finds the adapters, without starting a command. Sets `adapters` (their folder), `looked` (folders
 * searched), `refused` (why one is not used) and `adapted` (one is safe to use), which it
 * returns. */
bool viewer_launch_find(struct viewer_launch *launch);

/* A port: a library that a program's own ITT or NVTX loads (adapters/ports). */
struct viewer_port {
    const char *speaks;         /* "ITT" or "NVTX" */
    const char *variable;       /* names the library to the program */
    const char *own;            /* its value in our environment, which a job keeps; NULL: not set */
    char path[SHARED_PATH_MAX]; /* our library, which a job is told otherwise; "": it is not there,
                                 * or other users could change it */
};
/* Finds the port of this number, from 0. Returns false if there is no such number. */
bool viewer_launch_port(unsigned number, struct viewer_port *out);

/* Chooses the folder of the adapters: `wanted` if it is not NULL or "". Otherwise the one installed
 * together with `program` (a link to it), wherever that is now; then `installed`; then the one of
 * the build tree of the program. A folder that others could change is skipped, and named in
 * `refused`. */
void viewer_launch_adapters(struct viewer_launch *launch, const char *wanted, const char *installed,
                            const char *program);

/* Makes the path of a file beside a program, which libtool may keep in .libs of a build tree.
 * `program` is a link to the program; `tail` begins with a slash. Does not check that the file
 * exists. False: the link cannot be read, or the path does not fit. */
bool viewer_launch_beside(const char *program, const char *tail, char *out, size_t capacity);

/* Checks, without waiting, whether the command has ended. */
bool viewer_launch_ended(struct viewer_launch *launch);

/* Its exit code, or 128 + signal. */
int viewer_launch_code(const struct viewer_launch *launch);
/* The signal that ended it, or 0. */
int viewer_launch_signal(const struct viewer_launch *launch);
/* Writes how the command ended: "with code 7", "by signal 9 (Killed)". */
void viewer_launch_end(const struct viewer_launch *launch, char *out, size_t capacity);

/* Copies the output kept so far to our own stdout and stderr, byte for byte, and closes the files.
 * The files are removed if the command has ended and everything was copied. Otherwise they stay,
 * and so do their paths, because the running command writes into them. */
void viewer_launch_replay(struct viewer_launch *launch);

#endif

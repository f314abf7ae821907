/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * inject.c: finds and runs proftop-inject.
 */
#include "config.h"

#include "feed/viewer/launch/inject.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "feed/shared/site_policy.h"
#include "feed/shared/site_policy_path.h"
#include "feed/viewer/launch/child.h"
#include "feed/viewer/launch/launch.h"
#include "feed/viewer/launch/trust.h"
#include "feed/viewer/stream/command.h"

/* Extra time for proftop-inject's own work. Killing it in the middle would leave the process in an
 * intermediate state. */
enum { GRACE_MS = 30000 };

static bool may(char *why, size_t capacity)
{
    struct shared_site site;
    char wrong[256];
    if (!shared_site_read(&site, wrong, sizeof wrong))
        snprintf(why, capacity, "%s: nothing may be attached to late", wrong);
    else if (!site.inject)
        snprintf(why, capacity,
                 "%.200s says inject = no: start the job with: proftop run -- "
                 "COMMAND",
                 shared_site_path());
    else
        return true;
    return false;
}

/* A program that is installed together with us. */
struct helper {
    const char *name, *purpose;
    const char *installed; /* its path */
    const char *moved;     /* the path from our folder in an installation */
    const char *built;     /* the path from our folder in a build tree */
};

/* Finds a file of ours: first the one installed together with us, wherever that is now; then the
 * installed one; then the one in the build tree. A file that others could change is skipped, and
 * named in `why` if there is no other. */
static bool find_file(const struct helper *helper, int access_mode, char *out, size_t capacity,
                      char *why, size_t why_capacity)
{
    const char *const tails[] = {helper->moved, NULL, helper->built};
    char whole[SHARED_PATH_MAX], wrong[480];
    snprintf(why, why_capacity, "%s, which %s, is not installed", helper->installed,
             helper->purpose);
    for (unsigned i = 0, reported = 0; i < sizeof tails / sizeof tails[0]; i++) {
        bool fits = !tails[i] || viewer_launch_beside("/proc/self/exe", tails[i], out, capacity);
        if (!tails[i])
            snprintf(out, capacity, "%s", helper->installed);
        if (!fits || access(out, access_mode) != 0)
            continue;
        bool good = viewer_trusted(out, VIEWER_TRUST_FILE, whole, wrong, sizeof wrong);
        if (good && strlen(whole) < capacity) {
            strcpy(out, whole);
            return true;
        }
        if (!good && reported++ == 0)
            snprintf(why, why_capacity, "%s, which %s, is not used: %s", helper->name,
                     helper->purpose, wrong);
    }
    return false;
}

static bool find_helper(const struct helper *helper, char *out, size_t capacity, char *why,
                        size_t why_capacity)
{
    return find_file(helper, X_OK, out, capacity, why, why_capacity);
}

#define HELPER(name, purpose, built)                                                               \
    {                                                                                              \
        name, purpose, PROFTOP_LIBEXECDIR "/" name, "/" PROFTOP_TO_LIBEXECDIR "/" name, built      \
    }

bool viewer_inject_program(char *out, size_t capacity, char *why, size_t why_capacity)
{
    static const struct helper helper =
        HELPER("proftop-inject", "attaches to processes", "/proftop-inject");
    return find_helper(&helper, out, capacity, why, why_capacity);
}

bool viewer_demo_program(char *out, size_t capacity, char *why, size_t why_capacity)
{
    static const struct helper helper =
        HELPER("proftop-demo", "is the job of the demo", "/examples/train");
    return find_helper(&helper, out, capacity, why, why_capacity);
}

bool viewer_demo_recording(const char *name, char *out, size_t capacity, char *why,
                           size_t why_capacity)
{
#define RECORDING(name)                                                                            \
    HELPER("proftop-demo-" name ".ptrec", "is a recording", "/examples/proftop-demo-" name ".ptrec")
    static const struct {
        const char *name;
        struct helper file;
    } recordings[] = {{"pytensor", RECORDING("pytensor")}, {"mxnet", RECORDING("mxnet")}};
#undef RECORDING
    for (unsigned i = 0; i < sizeof recordings / sizeof recordings[0]; i++)
        if (strcmp(recordings[i].name, name) == 0)
            return find_file(&recordings[i].file, R_OK, out, capacity, why, why_capacity);
    snprintf(why, why_capacity,
             "there is no demo of that name: proftop demo runs a job, proftop demo pytensor and "
             "proftop demo mxnet play a recording");
    return false;
}

/* Finds the folder of the adapters. The path is absolute, because the process opens it from its own
 * working directory. */
static bool find_adapters(uint64_t pid, char out[SHARED_PATH_MAX], char *why, size_t capacity)
{
    struct viewer_launch *launch = calloc(1, sizeof *launch);
    bool good = launch && viewer_launch_find(launch);
    if (good)
        strcpy(out, launch->adapters);
    else if (launch && launch->refused[0])
        snprintf(why, capacity, "process %" PRIu64 " cannot be entered: %s", pid, launch->refused);
    else
        snprintf(why, capacity,
                 "process %" PRIu64 " cannot be entered: the adapter for Python was "
                 "looked for in %.300s, and is not there",
                 pid, launch ? launch->looked : "no folder");
    free(launch);
    return good;
}

bool viewer_inject(const char *verb, uint64_t pid, unsigned seconds, char *answer,
                   size_t answer_capacity, char *why, size_t capacity)
{
    char program[SHARED_PATH_MAX], adapters[SHARED_PATH_MAX], number[24], time[16], asker[512];
    snprintf(number, sizeof number, "%" PRIu64, pid);
    snprintf(time, sizeof time, "%u", seconds);
    viewer_command_asker(asker, sizeof asker);
    if (!may(why, capacity) || !viewer_inject_program(program, sizeof program, why, capacity) ||
        !find_adapters(pid, adapters, why, capacity))
        return false;
    const char *const argv[] = {program, verb, number, adapters, time, asker, NULL};
    if (!viewer_child_run(argv, (int)seconds * 1000 + GRACE_MS, answer, answer_capacity, why,
                          capacity))
        return false;
    answer[strcspn(answer, "\n")] = '\0';
    return true;
}

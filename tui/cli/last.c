/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * last.c: chooses and lists the files that killed jobs left behind.
 */
#include "config.h"

#include "tui/cli/last.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "feed/viewer/discovery/jobs.h"
#include "feed/viewer/stream/black_box.h"
#include "tui/app/app.h"
#include "tui/cli/sentence.h"

/* True if the command line wants this file. */
static bool is_wanted(const struct tui_options *options, const struct viewer_black_box *box)
{
    if (options->pid)
        return box->pid == options->pid;
    if (!options->job)
        return true;
    struct registry_info info;
    char pids[VIEWER_NAMED_MAX];
    size_t found;
    registry_info_clear(&info);
    info.pid = box->pid;
    snprintf(info.program, sizeof info.program, "%s", box->program);
    const struct viewer_jobs one = {.job = &info, .count = 1};
    return viewer_jobs_named(&one, options->job, &found, pids) != NULL;
}

static int refuse(const struct tui_options *options, const struct viewer_black_box *runs)
{
    if (runs)
        tui_sentence(stderr,
                     "proftop: %s, process %" PRIu64 ", still runs: proftop -p %" PRIu64
                     " attaches to it",
                     runs->program, runs->pid, runs->pid);
    else if (options->pid || options->job)
        tui_sentence(stderr, "proftop: that job left nothing behind: proftop last -l lists those "
                             "that did");
    else
        tui_sentence(stderr, "proftop: no job left anything behind: proftop run --keep COMMAND, or "
                             "PROFTOP_KEEP=1 in its environment, lets it keep its counts");
    return TUI_EXIT_NO_JOB;
}

int tui_last_choose(struct tui_options *options)
{
    static char path[sizeof((struct viewer_black_box *)NULL)->path];
    struct viewer_black_box *box, *runs = NULL;
    const size_t count = viewer_black_boxes(&box);
    int code = TUI_EXIT_NO_JOB;
    for (size_t i = 0; i < count && code != TUI_EXIT_FINE; i++) {
        if (!is_wanted(options, &box[i]))
            continue;
        if (box[i].runs) {
            runs = runs ? runs : &box[i];
            continue;
        }
        snprintf(path, sizeof path, "%s", box[i].path);
        options->command = TUI_COMMAND_ATTACH;
        options->load = path;
        options->job = NULL;
        options->pid = options->pid_count = 0;
        code = TUI_EXIT_FINE;
    }
    if (code != TUI_EXIT_FINE)
        refuse(options, runs);
    free(box);
    return code;
}

static void when(uint64_t ns, char text[32])
{
    const time_t second = (time_t)(ns / TUI_NS_PER_S);
    struct tm local;
    snprintf(text, 32, "-");
    if (localtime_r(&second, &local))
        strftime(text, 32, "%Y-%m-%d %H:%M:%S", &local);
}

int tui_last_print(FILE *out)
{
    struct viewer_black_box *box;
    const size_t count = viewer_black_boxes(&box);
    if (count > 0)
        fprintf(out, "%-8s %-19s %-5s %s\n", "PID", "RAN LAST", "STATE", "PROGRAM");
    for (size_t i = 0; i < count; i++) {
        char last[32];
        when(box[i].seen_ns, last);
        fprintf(out, "%-8" PRIu64 " %-19s %-5s %s\n", box[i].pid, last,
                box[i].runs ? "runs" : "gone", box[i].program);
    }
    free(box);
    if (count == 0)
        return refuse(&(struct tui_options){.command = TUI_COMMAND_LAST}, NULL);
    errno = 0;
    return fflush(out) == 0 && !ferror(out) ? TUI_EXIT_FINE : tui_exit_of_write(errno);
}

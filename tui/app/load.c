/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * load.c: opens and reads saved profiles.
 */
#include "config.h"

#include "tui/app/load.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "feed/viewer/stream/black_box.h"
#include "tui/app/app.h"
#include "tui/cli/options.h"

static size_t read_piece(void *from, char *bytes, size_t size)
{
    return fread(bytes, 1, size, from);
}

/* Reads the file that a killed job left behind. */
static int read_black_box(const char *path, const char *safe, struct model_imported *imported,
                          char *why, size_t capacity)
{
    char wrong[256];
    struct model_job *job = viewer_black_box_read(path, wrong, sizeof wrong);
    if (!job) {
        snprintf(why, capacity, "'%s' cannot be read: it %s", safe, wrong);
        return TUI_EXIT_NO_JOB;
    }
    *imported = (struct model_imported){
        .saved = {.job = job, .state = "gone", .time_ns = model_job_wall_ns(job), .reports = 1},
        .format = "black box",
        .killed = true,
    };
    return TUI_EXIT_FINE;
}

int tui_load_read(const char *path, struct model_imported *imported, char *why, size_t capacity)
{
    const bool standard = strcmp(path, "-") == 0;
    char wrong[256], safe[128];
    FILE *file = standard ? stdin : fopen(path, "re");
    model_text_safe(path, strlen(path), safe, sizeof safe);
    if (file && !standard && viewer_black_box_is(path)) {
        fclose(file);
        return read_black_box(path, safe, imported, why, capacity);
    }
    if (!file) {
        snprintf(why, capacity, "the file '%s' cannot be opened: %s", safe, strerror(errno));
        return TUI_EXIT_NO_JOB;
    }
    const struct model_reader source = {read_piece, file};
    errno = 0;
    const bool good = model_import(&source, imported, wrong, sizeof wrong);
    const int error = ferror(file) ? errno : 0;
    if (!standard)
        fclose(file);
    if (error)
        snprintf(why, capacity, "the file '%s' cannot be read: %s", safe, strerror(error));
    else if (!good)
        snprintf(why, capacity, "'%s' cannot be read: it %s", safe, wrong);
    if (good && error)
        model_imported_release(imported);
    return good && !error ? TUI_EXIT_FINE : TUI_EXIT_NO_JOB;
}

/* A print does not tell which program it is of. */
static bool name_program(struct model_job *job, const char *path)
{
    struct model_identity *who = model_job_identity_mutable(job);
    return who->program.raw_size > 0 || model_job_set_text(job, &who->program, path, strlen(path));
}

/* Says when the job was there for the last time. */
static void describe_end(struct tui_load *load)
{
    const struct model_job *job = load->imported.saved.job;
    const time_t second = (time_t)(model_job_wall_ns(job) / TUI_NS_PER_S);
    struct tm local;
    char when[64] = "?";
    if (localtime_r(&second, &local))
        strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &local);
    const struct model_identity *who = model_job_identity(job);
    snprintf(load->link.reason, sizeof load->link.reason, "It ran last at %s.", when);
    snprintf(load->label, sizeof load->label, "%.100s, process %llu", who->program.shown,
             (unsigned long long)who->pid);
}

int tui_load_open(struct tui_load *load, const char *path, char *why, size_t capacity)
{
    const int code = tui_load_read(path, &load->imported, why, capacity);
    if (code != TUI_EXIT_FINE)
        return code;
    model_text_safe(path, strlen(path), load->label, sizeof load->label);
    load->link =
        (struct model_link){.state = MODEL_GONE, .said_bye = true, .file = true, .snapshots = 1};
    const uint64_t unread = load->imported.unread;
    load->link.killed = load->imported.killed;
    if (load->imported.killed)
        describe_end(load);
    else if (unread > 0)
        snprintf(load->link.reason, sizeof load->link.reason,
                 "A file: %s. %llu of its lines could not be read; L names them.",
                 load->imported.format, (unsigned long long)unread);
    else
        snprintf(load->link.reason, sizeof load->link.reason, "A file: %s.", load->imported.format);
    if (name_program(load->imported.saved.job, path))
        return TUI_EXIT_FINE;
    snprintf(why, capacity, "there is no memory left to show '%s'", load->label);
    tui_load_close(load);
    return TUI_EXIT_NO_JOB;
}

void tui_load_close(struct tui_load *load)
{
    model_imported_release(&load->imported);
    *load = (struct tui_load){.label = ""};
}

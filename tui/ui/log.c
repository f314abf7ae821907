/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * log.c: the notices of the job, newest first, and what the job under `run` printed.
 */
#include "tui/ui/draw.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { INDENT = 11, STAMP_SIZE = 48, LINE_SIZE = 1024, TEXT_SIZE = MODEL_TEXT_KEPT + 64 };

void tui_clock(uint64_t wall_ns, char *out, size_t capacity)
{
    time_t seconds = (time_t)(wall_ns / 1000000000u);
    struct tm at;
    out[0] = '\0';
    if (localtime_r(&seconds, &at))
        snprintf(out, capacity, "%02d:%02d:%02d", at.tm_hour, at.tm_min, at.tm_sec);
}

static void log_text(const struct tui_screen *screen, struct tui_page *page)
{
    static const enum tui_role role[] = {TUI_PLAIN, TUI_WARN, TUI_BAD};
    const struct model_job *job = screen->state ? screen->state->job : NULL;
    size_t notices = job ? model_job_notices(job) : 0;
    if (screen->link && screen->link->reason[0])
        tui_page_wrap(page, TUI_WARN, INDENT, screen->link->file ? "file" : "feed",
                      screen->link->reason);
    else if (notices == 0)
        tui_page_line(page, TUI_PLAIN, "The job has sent no notice.");
    for (size_t i = notices; i-- > 0;) {
        const struct model_notice *notice = model_job_notice(job, i);
        char stamp[STAMP_SIZE] = "";
        const size_t times = notice ? model_job_notice_times(job, i) : 0;
        char text[TEXT_SIZE];
        if (times == 0)
            continue;
        snprintf(text, sizeof(text), "%s (%zu times)", notice->text.shown, times);
        if (notice->wall_ns > 0) /* a file has no time */
            tui_clock(notice->wall_ns, stamp, sizeof(stamp));
        tui_page_wrap(page, role[notice->level < 2 ? notice->level : 2], INDENT, stamp,
                      times > 1 ? text : notice->text.shown);
    }
}

void tui_log_draw(struct tui_screen *screen, struct tui_grid *grid, struct tui_area area)
{
    tui_page_draw(screen, grid, area, log_text);
}

static void output_text(const struct tui_screen *screen, struct tui_page *page)
{
    const char *at = screen->output;
    if (!at || !*at) {
        tui_page_line(page, TUI_PLAIN, "The command has printed nothing yet.");
        return;
    }
    while (*at) {
        char line[LINE_SIZE];
        size_t size = strcspn(at, "\n");
        size_t kept = size < sizeof(line) ? size : sizeof(line) - 1;
        memcpy(line, at, kept);
        line[kept] = '\0';
        tui_page_wrap(page, TUI_PLAIN, 1, NULL, line);
        at += size + (at[size] == '\n');
    }
}

void tui_output_draw(struct tui_screen *screen, struct tui_grid *grid, struct tui_area area)
{
    tui_page_draw(screen, grid, area, output_text);
}

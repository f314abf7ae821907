/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * job_table.c: THE tables of columns and of JSON keys for a list of jobs.
 */
#include "config.h"

#include "tui/app/job_table.h"

#include <inttypes.h>
#include <string.h>

#include "feed/viewer/discovery/unpublished.h"
#include "model/json_writer.h"
#include "model/text.h"
#include "model/unit.h"
#include "tui/ui/draw.h"

enum { CELL = 4096 + 64, NEIGHBOURS = 4 };

/* -------------------------------------------------------------------------------- the columns */

/* Each function writes a cell, safe for the screen. A column with only "" cells is left out. */
static void format_pid(const struct tui_joblist *list, const struct registry_info *info,
                       char out[CELL])
{
    (void)list;
    snprintf(out, CELL, "%" PRIu64, info->pid);
}

/* Writes the age of the process, even if it was attached to later. A job on another machine has a
 * start time of another clock, and a machine without /proc has none (start 0): these show the age
 * of the feed. */
static void format_age(const struct tui_joblist *list, const struct registry_info *info,
                       char out[CELL])
{
    const uint64_t wall_ns = list->wall_ns;
    const bool of_feed = info->via[0] || info->start == 0;
    const uint64_t began_ns = of_feed ? info->since_ns : viewer_process_began(info->start);
    if (began_ns == 0)
        strcpy(out, "-");
    else
        model_unit_clock(wall_ns > began_ns ? wall_ns - began_ns : 0, out, CELL);
}

static void format_via(const struct tui_joblist *list, const struct registry_info *info,
                       char out[CELL])
{
    (void)list;
    model_text_safe(info->via, strlen(info->via), out, CELL);
}

static void format_rank(const struct tui_joblist *list, const struct registry_info *info,
                        char out[CELL])
{
    const struct shared_rank *place = &info->place;
    char words[SHARED_ROLE_MAX + 48];
    size_t used = (size_t)snprintf(words, sizeof words, "%s", place->role);
    (void)list;
    if (place->rank != UINT64_MAX)
        used += (size_t)snprintf(words + used, sizeof words - used, "%s%" PRIu64,
                                 used ? " " : "", place->rank);
    if (place->rank != UINT64_MAX && place->size != UINT64_MAX)
        used += (size_t)snprintf(words + used, sizeof words - used, "/%" PRIu64, place->size);
    model_text_safe(words, used, out, CELL);
}

/* Writes how viewers may connect over tcp, if at all. */
static void format_tcp(const struct tui_joblist *list, const struct registry_info *info,
                       char out[CELL])
{
    (void)list;
    if (viewer_is_unpublished(info))
        out[0] = '\0';
    else if (info->insecure == UINT64_MAX)
        strcpy(out, "-");
    else if (info->insecure != 0)
        strcpy(out, "INSECURE");
    else
        strcpy(out, info->tcp[0] != 0 ? "keys" : "");
}

/* Writes a word only for a process that publishes nothing. */
static void format_feed(const struct tui_joblist *list, const struct registry_info *info,
                        char out[CELL])
{
    (void)list;
    strcpy(out, !viewer_is_unpublished(info)          ? ""
                : viewer_unpublished_attachable(info) ? "attachable"
                                                      : "none");
}

/* Only jobs watched by preview.h have a rate. */
static void format_rate(const struct tui_joblist *list, const struct registry_info *info,
                        char out[CELL])
{
    char text[CELL];
    struct model_cell cell = {.d = 0};
    cell.known = tui_previews_rate(list->previews, info, &cell.d);
    model_unit_format(MODEL_UNIT_RATE, &cell, 8, text, sizeof text);
    snprintf(out, CELL, "%.*s", (int)strcspn(text + (*text == '+'), "/"), text + (*text == '+'));
}

static void format_hottest(const struct tui_joblist *list, const struct registry_info *info,
                           char out[CELL])
{
    char name[TUI_GLANCE_NAME];
    tui_previews_hottest(list->previews, info, name);
    snprintf(out, CELL, "%s", name[0] ? name : "-");
}

/* Writes the indent of a worker below its job, as in `ps f`. Returns its bytes. */
static size_t format_depth(const struct registry_info *info, char out[CELL])
{
    const int deep = info->depth < 8 ? (int)info->depth : 8;
    out[0] = '\0';
    return deep ? (size_t)snprintf(out, CELL, "%*s\\_ ", 3 * (deep - 1), "") : 0;
}

static void format_program(const struct tui_joblist *list, const struct registry_info *info,
                           char out[CELL])
{
    const size_t used = format_depth(info, out);
    (void)list;
    model_text_safe(info->program, strlen(info->program), out + used, CELL - used);
}

static void format_framework(const struct tui_joblist *list, const struct registry_info *info,
                             char out[CELL])
{
    (void)list;
    model_text_safe(info->framework, strlen(info->framework), out, CELL);
    if (!out[0])
        strcpy(out, "-");
}

static void format_command(const struct tui_joblist *list, const struct registry_info *info,
                           char out[CELL])
{
    char raw[4096];
    size_t size = viewer_job_command(info, raw, sizeof raw);
    (void)list;
    if (size == 0 && info->host[0])
        size = (size_t)snprintf(raw, sizeof raw, "- (on %s)", info->host);
    model_text_safe(size ? raw : "-", size ? size : 1, out, CELL);
}

static const char *base_of(const char *path, size_t size)
{
    const char *base = path;
    for (size_t i = 0; i + 1 < size; i++)
        base = path[i] == '/' ? path + i + 1 : base;
    return base;
}

/* Returns where the file name of the program begins in a command; the interpreter, its options and
 * folders stand before it. NULL: no word names the program. */
static const char *program_in(const char *command, const char *program)
{
    const char *name = base_of(program, strlen(program));
    const size_t length = strlen(name);
    for (const char *word = command; length && *word; word += strspn(word, " ")) {
        const size_t size = strcspn(word, " ");
        const char *base = base_of(word, size);
        if ((size_t)(word + size - base) == length && strncmp(base, name, length) == 0)
            return base;
        word += size;
    }
    return NULL;
}

/* Writes the command from the program on. If the command does not name the program, the program's
 * name is written before the command, and the command has no folder. */
static void format_arguments(const struct tui_joblist *list, const struct registry_info *info,
                             char out[CELL])
{
    char command[CELL], program[CELL];
    size_t used = format_depth(info, out);
    format_command(list, info, command);
    model_text_safe(info->program, strlen(info->program), program, sizeof program);
    const char *from = program_in(command, program);
    if (!from && program[0])
        used += (size_t)snprintf(out + used, CELL - used, "%s: ", program);
    if (!from)
        from = base_of(command, strcspn(command, " "));
    used = used < CELL ? used : CELL - 1;
    snprintf(out + used, CELL - used, "%s", from);
}

/* Lists that have a column: the printed one (-l), and the one on a narrow or wide screen. */
enum { PRINTED = 1, SHOWN = 2, SHOWN_WIDE = 4, ALL_LISTS = PRINTED | SHOWN | SHOWN_WIDE };

static const struct column {
    const char *title;
    int least, most; /* width in cells; most 0: the rest of the line */
    unsigned lists;
    bool right; /* right-aligned: numbers */
    bool optional;
    void (*format)(const struct tui_joblist *list, const struct registry_info *info,
                   char out[CELL]);
} columns[TUI_JOBLIST_COLUMNS] = {
    {"PID", 8, 20, ALL_LISTS, true, false, format_pid},
    {"AGE", 9, 16, ALL_LISTS, true, false, format_age},
    {"VIA", 0, 24, ALL_LISTS, false, true, format_via},
    {"TCP", 0, 8, ALL_LISTS, false, true, format_tcp},
    {"RANK", 0, 20, ALL_LISTS, false, true, format_rank},
    {"FEED", 0, 12, ALL_LISTS, false, true, format_feed},
    {"CALLS/S", 7, 8, SHOWN | SHOWN_WIDE, true, false, format_rate},
    {"HOTTEST OP", 0, 18, SHOWN, false, false, format_hottest},
    {"HOTTEST OP", 0, 36, SHOWN_WIDE, false, false, format_hottest},
    {"PROGRAM", 0, 32, PRINTED, false, false, format_program},
    {"FRAMEWORK", 0, 20, PRINTED | SHOWN_WIDE, false, false, format_framework},
    {"COMMAND", 0, 0, PRINTED, false, false, format_command},
    {"PROGRAM AND ARGUMENTS", 0, 0, SHOWN | SHOWN_WIDE, false, false, format_arguments},
};

static int between(int value, int least, int most)
{
    return value < least ? least : value > most ? most : value;
}

/* Returns the width of the longest cell, up to the maximum that leaves space for the command. */
static int measure(const struct tui_joblist *list, const struct column *column)
{
    int title = tui_text_width(column->title), width = 0;
    if (column->most == 0)
        return title;
    for (size_t i = 0; i < list->jobs->count; i++) {
        char cell[CELL];
        column->format(list, &list->jobs->job[i], cell);
        width = between(tui_text_width(cell), width, column->most);
    }
    if (width == 0 && column->optional)
        return 0;
    return between(width, title > column->least ? title : column->least, column->most);
}

void tui_joblist_fit(struct tui_joblist *list, const struct viewer_jobs *jobs,
                     const struct tui_previews *previews, uint64_t wall_ns, int cols)
{
    const unsigned kind = !previews                                   ? PRINTED
                          : cols >= TUI_COLS_WIDE - TUI_CHOICE_MARGIN ? SHOWN_WIDE
                                                                      : SHOWN;
    *list =
        (struct tui_joblist){.jobs = jobs, .previews = previews, .cols = cols, .wall_ns = wall_ns};
    for (unsigned i = 0; i < TUI_JOBLIST_COLUMNS; i++)
        list->width[i] = columns[i].lists & kind ? measure(list, &columns[i]) : 0;
}

/* Returns the first byte where two commands differ. SIZE_MAX: they are equal, or already differ in
 * the first `bytes` bytes. */
static size_t first_difference(const char *cell, const char *other, size_t bytes)
{
    size_t at = 0;
    if (strncmp(cell, other, bytes) != 0 || strcmp(cell, other) == 0)
        return SIZE_MAX;
    while (cell[at] == other[at])
        at++;
    return at;
}

/* Returns the start of the word that has this byte. If an option stands before the word and may
 * take it as value, returns the start of the option. */
static size_t word_at(const char *cell, size_t at)
{
    size_t word = at;
    while (word > 0 && cell[word - 1] != ' ')
        word--;
    size_t before = word > 0 ? word - 1 : 0;
    while (before > 0 && cell[before - 1] != ' ')
        before--;
    return cell[before] == '-' && cell[word] != '-' ? before : word;
}

/* Returns the bytes up to the end of the first word, including the worker's sign before it. */
static size_t first_word(const char *cell)
{
    size_t at = strspn(cell, " ");
    at += strncmp(cell + at, "\\_ ", 3) == 0 ? 3 : 0;
    return at + strcspn(cell + at, " ");
}

/* Jobs that were started together are neighbours in the list. If their commands differ only in a
 * word beyond the visible part, shows that word after the first one, and leaves out the common
 * part. */
static void show_difference(const struct tui_joblist *list, const struct registry_info *info,
                            const struct column *column, int room, char cell[CELL])
{
    const size_t seen = tui_text_fit(cell, room > 0 ? room : 0);
    const size_t at = (size_t)(info - list->jobs->job);
    size_t differs = SIZE_MAX, i = at < NEIGHBOURS ? 0 : at - NEIGHBOURS;
    for (; cell[seen] && i <= at + NEIGHBOURS && i < list->jobs->count; i++) {
        char other[CELL];
        column->format(list, &list->jobs->job[i], other);
        size_t first = first_difference(cell, other, seen);
        differs = first < differs ? first : differs;
    }
    if (differs == SIZE_MAX)
        return;
    differs = word_at(cell, differs);
    char shown[CELL];
    size_t first = first_word(cell), third = tui_text_fit(cell, room / 3);
    snprintf(shown, sizeof shown, "%.*s ... %s", (int)(first < third ? first : third), cell,
             cell + differs);
    memcpy(cell, shown, sizeof shown);
}

/* Writes one cell, cut or padded to its width. Returns the bytes written. */
static size_t put_cell(const struct tui_joblist *list, unsigned at,
                       const struct registry_info *info, const char *before, char *out,
                       size_t capacity)
{
    const struct column *column = &columns[at];
    char cell[CELL];
    if (info)
        column->format(list, info, cell);
    else
        strcpy(cell, column->title);
    const char *gap = before == out ? "" : column->right ? " " : "  ";
    if (column->most > 0)
        cell[tui_text_fit(cell, list->width[at])] = '\0';
    else if (info && list->cols > 0)
        show_difference(list, info, column,
                        list->cols - tui_text_width(before) - (int)strlen(gap), cell);
    int pad = column->most > 0 ? list->width[at] - tui_text_width(cell) : 0;
    return (size_t)snprintf(out, capacity, "%s%*s%s%*s", gap, column->right ? pad : 0, "", cell,
                            column->right ? 0 : pad, "");
}

void tui_joblist_line(const struct tui_joblist *list, const struct registry_info *info,
                      char out[TUI_JOBLIST_LINE])
{
    size_t used = 0;
    out[0] = '\0';
    for (unsigned i = 0; i < TUI_JOBLIST_COLUMNS; i++)
        if (list->width[i] > 0)
            used += put_cell(list, i, info, out, out + used, TUI_JOBLIST_LINE - used);
    if (list->cols > 0)
        out[tui_text_fit(out, list->cols)] = '\0';
}

/* ------------------------------------------------------------------------------------- as JSON */

enum form { NUMBER, TEXT, YES };

/* Keys in the order in which they are printed; UINT64_MAX and "" become null. */
static const struct {
    const char *key;
    enum form form;
    size_t at;
} keys[] = {
#define AT(member) offsetof(struct registry_info, member)
    {"pid", NUMBER, AT(pid)},
    {"start", NUMBER, AT(start)},
    {"since_ns", NUMBER, AT(since_ns)},
    {"instance", TEXT, AT(instance)},
    {"parent", TEXT, AT(parent)},
    {"program", TEXT, AT(program)},
    {"framework", TEXT, AT(framework)},
    {"host", TEXT, AT(host)},
    {"via", TEXT, AT(via)},
    {"rank", NUMBER, AT(place.rank)},
    {"local_rank", NUMBER, AT(place.local)},
    {"size", NUMBER, AT(place.size)},
    {"role", TEXT, AT(place.role)},
    {"batch", TEXT, AT(place.batch)},
    {"facts", TEXT, AT(facts)},
    {"control", TEXT, AT(control)},
    {"insecure", YES, AT(insecure)},
#undef AT
};

static void write_piece(void *to, const char *bytes, size_t size)
{
    fwrite(bytes, 1, size, to);
}

static void put_text(struct model_put *put, const char *text, size_t size)
{
    if (size)
        model_put_string(put, text, size);
    else
        model_put_word(put, "null");
}

void tui_joblist_json(const struct registry_info *info, size_t more, FILE *file)
{
    const struct model_sink sink = {write_piece, file};
    struct model_put put = {.sink = &sink, .first = true};
    char command[4096];
    model_put_word(&put, "{");
    model_put_key(&put, "schema");
    model_put_quoted(&put, "proftop-jobs-1");
    for (unsigned i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const char *member = (const char *)info + keys[i].at;
        uint64_t number;
        model_put_key(&put, keys[i].key);
        memcpy(&number, member, sizeof number);
        if (keys[i].form == TEXT)
            put_text(&put, member, strlen(member));
        else if (keys[i].form == YES && number != UINT64_MAX)
            model_put_bool(&put, number != 0);
        else
            model_put_known(&put, number);
    }
    char why[512] = "";
    if (viewer_is_unpublished(info))
        viewer_unpublished_why(info, why, sizeof why);
    model_put_key(&put, "attachable");
    if (viewer_is_unpublished(info))
        model_put_bool(&put, viewer_unpublished_attachable(info));
    else
        model_put_word(&put, "null");
    model_put_key(&put, "why");
    put_text(&put, why, strlen(why));
    model_put_key(&put, "command");
    put_text(&put, command, viewer_job_command(info, command, sizeof command));
    model_put_key(&put, "more");
    model_put_known(&put, more);
    model_put_word(&put, "}\n");
    model_put_flush(&put);
}

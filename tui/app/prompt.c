/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * prompt.c: the line editor of search, filter and names of functions. Search and filter apply while
 * typing; Esc restores the previous text.
 */
#include "config.h"

#include "tui/app/action.h"

#include <stdio.h>
#include <string.h>

#include "tui/ui/term.h"

enum { CTRL_A = 1, CTRL_E = 5, CTRL_K = 11, CTRL_U = 21, CTRL_W = 23, CTRL_C = 3 };

static struct tui_pane *active(struct tui_app *app)
{
    return &app->screen.pane[app->screen.active];
}

/* ------------------------------------------------------------------------------------- editing */

static size_t before_cursor(const struct tui_prompt *prompt)
{
    size_t at = prompt->cursor;
    while (at > 0) {
        at--;
        if (((unsigned char)prompt->text[at] & 0xc0) != 0x80)
            break;
    }
    return at;
}

static size_t after_cursor(const struct tui_prompt *prompt)
{
    size_t at = prompt->cursor;
    while (at < prompt->size) {
        at++;
        if (((unsigned char)prompt->text[at] & 0xc0) != 0x80)
            break;
    }
    return at;
}

static size_t word_start(const struct tui_prompt *prompt)
{
    size_t at = prompt->cursor;
    while (at > 0 && prompt->text[at - 1] == ' ')
        at--;
    while (at > 0 && prompt->text[at - 1] != ' ')
        at--;
    return at;
}

static void cut(struct tui_prompt *prompt, size_t from, size_t to)
{
    memmove(prompt->text + from, prompt->text + to, prompt->size - to + 1);
    prompt->size -= to - from;
    prompt->cursor = from;
}

static size_t encode(uint32_t code, char out[4])
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    size_t size = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = size - 1; i > 0; i--, code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3f));
    static const unsigned lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    out[0] = (char)(lead[size] | code);
    return size;
}

/* Inserts a character; true if the text changed. Rejects control characters, C1, and keys without a
 * character. */
static bool insert(struct tui_prompt *prompt, uint32_t key)
{
    char bytes[4], safe[8];
    if (key < 0x20 || (key >= 0x7f && key < 0xa0) || key >= TUI_KEY_FIRST)
        return false;
    size_t size = encode(key, bytes);
    if (prompt->size + size >= sizeof prompt->text)
        return false;
    if (model_text_safe(bytes, size, safe, sizeof safe) != size || memcmp(bytes, safe, size) != 0)
        return false;
    memmove(prompt->text + prompt->cursor + size, prompt->text + prompt->cursor,
            prompt->size - prompt->cursor + 1);
    memcpy(prompt->text + prompt->cursor, bytes, size);
    prompt->size += size;
    prompt->cursor += size;
    return true;
}

/* Applies an editing key; true if the text changed. */
static bool edit(struct tui_prompt *prompt, uint32_t key)
{
    switch (key) {
    case TUI_KEY_LEFT:
        prompt->cursor = before_cursor(prompt);
        return false;
    case TUI_KEY_RIGHT:
        prompt->cursor = after_cursor(prompt);
        return false;
    case TUI_KEY_HOME:
    case CTRL_A:
        prompt->cursor = 0;
        return false;
    case TUI_KEY_END:
    case CTRL_E:
        prompt->cursor = prompt->size;
        return false;
    case TUI_KEY_BACKSPACE:
        cut(prompt, before_cursor(prompt), prompt->cursor);
        return true;
    case TUI_KEY_DELETE:
        cut(prompt, prompt->cursor, after_cursor(prompt));
        return true;
    case CTRL_U:
        cut(prompt, 0, prompt->cursor);
        return true;
    case CTRL_K:
        cut(prompt, prompt->cursor, prompt->size);
        return true;
    case CTRL_W:
        cut(prompt, word_start(prompt), prompt->cursor);
        return true;
    default:
        return insert(prompt, key);
    }
}

/* ----------------------------------------------------------------------------- kinds of prompt */

static void filter_by(struct tui_app *app, const char *text)
{
    model_view_filter(&active(app)->view, text);
    tui_app_update(app);
}

/* Searches from the row where the search began, so that a longer text never skips a match. */
static void search_for(struct tui_app *app, const char *text)
{
    struct tui_pane *pane = active(app);
    memcpy(app->screen.search, text, strlen(text) + 1);
    uint32_t from = model_view_find(&pane->view, app->before_selected);
    bool found = tui_app_search(app, from == MODEL_NONE ? 0 : from, 1);
    app->screen.message[0] = '\0';
    if (!found && text[0])
        tui_app_message(app, true, "no row of this pane contains that");
}

/* Searches the help from its first line on. */
static void help_for(struct tui_app *app, const char *text)
{
    memcpy(app->screen.search, text, strlen(text) + 1);
    app->screen.message[0] = '\0';
    if (!tui_help_find(&app->screen, text, 0) && text[0])
        tui_app_message(app, true, "the help does not contain that");
}

static unsigned filter_done(struct tui_app *app, const char *text)
{
    active(app)->filter_last |= strcmp(text, app->before) != 0;
    return 0;
}

static void search_undo(struct tui_app *app, const char *before)
{
    memcpy(app->screen.search, before, strlen(before) + 1);
    app->screen.message[0] = '\0';
}

/* Sets the alias. An empty text restores the function's own name. */
static unsigned alias_done(struct tui_app *app, const char *text)
{
    const uint32_t id = tui_app_chosen_function(app);
    struct model_job *job = app->state->job;
    const struct model_text *name = id == MODEL_NONE ? NULL : &model_job_function(job, id)->own;
    if (!name || strcmp(text, app->before) == 0)
        return 0;
    if (!tui_aliases_set(&app->aliases, name->raw, name->raw_size, text))
        tui_app_message(app, true, "no more than %d functions can be called otherwise",
                        (int)TUI_NAMED_MAX);
    tui_aliases_give(&app->aliases, job);
    tui_app_list_renamed(app);
    return 0;
}

static void mark_now(const struct tui_app *app, char out[TUI_PROMPT_MAX])
{
    const char *name = app->rewind.mark[app->screen.chosen].name;
    snprintf(out, TUI_PROMPT_MAX, "%s", name[1] ? name + 2 : "");
}

static void nothing_now(const struct tui_app *app, char out[TUI_PROMPT_MAX])
{
    (void)app;
    out[0] = '\0';
}

static void filter_now(const struct tui_app *app, char out[TUI_PROMPT_MAX])
{
    snprintf(out, TUI_PROMPT_MAX, "%s", app->screen.pane[app->screen.active].view.typed);
}

static void search_now(const struct tui_app *app, char out[TUI_PROMPT_MAX])
{
    snprintf(out, TUI_PROMPT_MAX, "%s", app->screen.search);
}

/* An alias of the command line may have any length and contain any byte. */
static void alias_now(const struct tui_app *app, char out[TUI_PROMPT_MAX])
{
    const uint32_t id = tui_app_chosen_function(app);
    const struct model_text *alias = &model_job_function(app->state->job, id)->alias;
    model_text_safe(alias->raw, alias->raw_size, out, TUI_PROMPT_MAX);
}

/* The kinds of prompt. A function is NULL if the kind does nothing at that step. */
static const struct {
    const char *title;
    bool goes_on; /* the prompt starts with the current text; otherwise empty */
    void (*now)(const struct tui_app *, char out[TUI_PROMPT_MAX]); /* returns the current text */
    void (*typed)(struct tui_app *, const char *text);
    unsigned (*done)(struct tui_app *, const char *text); /* returns what it wants: TUI_WANT_... */
    void (*undo)(struct tui_app *, const char *before);
} kinds[] = {
    [TUI_ASKING_SEARCH] = {"Search", false, search_now, search_for, NULL, search_undo},
    [TUI_ASKING_HELP] = {"Search", false, search_now, help_for, NULL, search_undo},
    [TUI_ASKING_FILTER] = {"Filter", true, filter_now, filter_by, filter_done, filter_by},
    [TUI_ASKING_ALIAS] = {"Name", true, alias_now, NULL, alias_done, NULL},
    [TUI_ASKING_MARK] = {"Name", true, mark_now, NULL, tui_act_name_mark, NULL},
    [TUI_ASKING_NEW_MARK] = {"Name", false, nothing_now, NULL, tui_act_mark_as, NULL},
    [TUI_ASKING_TIME] = {"Time", false, nothing_now, NULL, tui_act_go_to_time, NULL},
};

void tui_prompt_open(struct tui_app *app, enum tui_asking asking)
{
    struct tui_prompt *prompt = &app->screen.prompt;
    app->asking = asking;
    app->before_selected = active(app)->selected;
    kinds[asking].now(app, app->before);
    prompt->title = kinds[asking].title;
    snprintf(prompt->text, sizeof prompt->text, "%s", kinds[asking].goes_on ? app->before : "");
    prompt->cursor = prompt->size = strlen(prompt->text);
}

unsigned tui_prompt_key(struct tui_app *app, uint32_t key)
{
    struct tui_prompt *prompt = &app->screen.prompt;
    const enum tui_asking asking = app->asking;
    bool leave = key == TUI_KEY_ESC || key == CTRL_C;
    if (leave || key == TUI_KEY_ENTER) {
        app->asking = TUI_ASKING_NOTHING;
        prompt->title = NULL;
        if (leave && kinds[asking].undo)
            kinds[asking].undo(app, app->before);
        if (leave)
            active(app)->selected = app->before_selected;
        else if (kinds[asking].done)
            return TUI_WANT_DRAW | kinds[asking].done(app, prompt->text);
    } else if (edit(prompt, key) && kinds[asking].typed) {
        kinds[asking].typed(app, prompt->text);
    }
    return TUI_WANT_DRAW;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * prompt.c: the line editor of search and filter. Both work while one types; Esc brings back what
 * was there before.
 */
#include "config.h"

#include "app.h"

#include <string.h>

#include "term.h"

enum { CTRL_A = 1, CTRL_E = 5, CTRL_K = 11, CTRL_U = 21, CTRL_W = 23, CTRL_C = 3 };

static struct tui_pane *active(struct tui_app *app)
{
    return &app->screen.pane[app->screen.active];
}

void tui_prompt_open(struct tui_app *app, enum tui_asking asking)
{
    struct tui_prompt *prompt = &app->screen.prompt;
    const char *text = asking == TUI_ASKING_FILTER ? active(app)->view.typed : "";
    const char *held = asking == TUI_ASKING_FILTER ? text : app->screen.search;
    app->asking = asking;
    app->before_selected = active(app)->selected;
    memcpy(app->before, held, strlen(held) + 1);
    prompt->title = asking == TUI_ASKING_FILTER ? "Filter" : "Search";
    prompt->size = strlen(text);
    memcpy(prompt->text, text, prompt->size + 1);
    prompt->cursor = prompt->size;
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

/* Whether the text changed. Controls, C1 and what has no character are not typed. */
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

/* Applies an editing key; whether the text changed. */
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

/* ------------------------------------------------------------------------------ what it works on
 */

static void filter_by(struct tui_app *app, const char *text)
{
    model_view_filter(&active(app)->view, text);
    tui_app_update(app);
}

/* From the row where the search began, so that a longer text never skips a match. */
static void search_for(struct tui_app *app, const char *text)
{
    struct tui_pane *pane = active(app);
    memcpy(app->screen.search, text, strlen(text) + 1);
    uint32_t from = model_view_find(&pane->view, app->before_selected);
    bool found = tui_app_search(app, from == MODEL_NONE ? 0 : from, 1);
    app->screen.message[0] = '\0';
    if (!found && text[0])
        tui_app_say(app, true, "no row of this pane contains that");
}

static void changed(struct tui_app *app)
{
    if (app->asking == TUI_ASKING_FILTER)
        filter_by(app, app->screen.prompt.text);
    else
        search_for(app, app->screen.prompt.text);
}

static void give_up(struct tui_app *app)
{
    if (app->asking == TUI_ASKING_FILTER) {
        filter_by(app, app->before);
    } else {
        memcpy(app->screen.search, app->before, sizeof app->before);
        app->screen.message[0] = '\0';
    }
    active(app)->selected = app->before_selected;
}

unsigned tui_prompt_key(struct tui_app *app, uint32_t key)
{
    bool leave = key == TUI_KEY_ESC || key == CTRL_C;
    if (leave)
        give_up(app);
    else if (key == TUI_KEY_ENTER && app->asking == TUI_ASKING_FILTER)
        active(app)->filter_last |= strcmp(app->screen.prompt.text, app->before) != 0;
    if (leave || key == TUI_KEY_ENTER) {
        app->asking = TUI_ASKING_NOTHING;
        app->screen.prompt.title = NULL;
    } else if (edit(&app->screen.prompt, key)) {
        changed(app);
    }
    return TUI_WANT_DRAW;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * gate.c: reads the runs of both sides, one after the other, and prints the verdicts. A word of the
 * command line is a run, or a folder of saved runs.
 */
#include "config.h"

#include "tui/cli/gate.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tui/app/signals.h"
#include "tui/cli/diff_input.h"
#include "tui/cli/out_file.h"
#include "tui/cli/report.h"
#include "tui/cli/sentence.h"
#include "tui/ui/gate_page.h"

enum { STEP_MS = 50, USUAL_ROWS = 20, USUAL_BYTES = 1024 };

struct gating {
    struct tui_session *session;
    struct model_gate *gate;
    char why[512];
};

/* ----------------------------------------------------------------------------------------- runs */

/* Reads on until the figures of a job are whole and of one moment. */
static int wait_for(struct gating *g, struct tui_operand *operand)
{
    struct tui_session *session = g->session;
    const uint64_t deadline_ns = session->now_ns + session->options->wait_ns;
    bool ready = false, even = false;
    while (!even) {
        ready = tui_operand_ready(operand, session);
        even = ready && tui_operand_even(operand, session);
        if (even || session->now_ns >= deadline_ns)
            break;
        zmq_pollitem_t item[VIEWER_POLL_ITEMS];
        zmq_poll(item, (int)viewer_subscriber_items(operand->feed, item), STEP_MS);
        session->now_ns = tui_session_now();
    }
    if (operand->job && ready)
        return TUI_EXIT_FINE;
    if (ready) {
        snprintf(g->why, sizeof g->why, "%s ended before anything could be compared. %s",
                 operand->word, viewer_subscriber_link(operand->feed)->reason);
        return TUI_EXIT_JOB_LOST;
    }
    snprintf(g->why, sizeof g->why,
             "no figures came from %s within %g s (%s); wait longer with "
             "--wait",
             operand->word, (double)session->options->wait_ns / TUI_NS_PER_S,
             tui_operand_state(operand));
    return TUI_EXIT_NO_JOB;
}

static int take(struct gating *g, unsigned side, struct tui_operand *operand)
{
    const struct tui_options *options = g->session->options;
    uint32_t scope = MODEL_ALL;
    char why[400];
    if (operand->imported.saved.runs > 1) {
        snprintf(g->why, sizeof g->why,
                 "'%s' has reports of several runs: save each run to a file "
                 "of its own",
                 operand->word);
        return TUI_EXIT_NO_JOB;
    }
    if (!tui_scope_find(operand->job, options, &scope, why, sizeof why)) {
        snprintf(g->why, sizeof g->why, "in %.80s %s", operand->word, why);
        return TUI_EXIT_NO_JOB;
    }
    uint64_t time_ns = MODEL_UNKNOWN;
    if (!operand->feed)
        time_ns = operand->imported.saved.time_ns;
    if (!operand->feed && time_ns == MODEL_UNKNOWN)
        time_ns = 0;
    struct model_state *state = model_state_take(operand->job, scope, NULL);
    const bool good = state && model_gate_add(g->gate, side, state, operand->word, time_ns, g->why,
                                              sizeof g->why);
    if (!state)
        snprintf(g->why, sizeof g->why, "there is no memory left for the figures of %s",
                 operand->word);
    model_state_free(&state);
    return good ? TUI_EXIT_FINE : TUI_EXIT_NO_JOB;
}

static int add_run(struct gating *g, unsigned side, const char *word)
{
    struct tui_operand operand;
    int code = tui_operand_open(&operand, g->session, word, g->why, sizeof g->why);
    if (code == TUI_EXIT_FINE)
        code = wait_for(g, &operand);
    if (code == TUI_EXIT_FINE)
        code = take(g, side, &operand);
    if (code == TUI_EXIT_FINE && tui_operand_lost(&operand)) {
        snprintf(g->why, sizeof g->why,
                 "%s ended without saying so; its last figures may be "
                 "incomplete",
                 operand.word);
        code = TUI_EXIT_JOB_LOST;
    }
    tui_operand_close(&operand);
    return code;
}

/* -------------------------------------------------------------------------------------- folders */

static int is_saved(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && tui_operand_is_file(entry->d_name);
}

static bool is_folder(const char *word)
{
    struct stat file;
    return word[strspn(word, "0123456789")] && stat(word, &file) == 0 && S_ISDIR(file.st_mode);
}

/* Adds the saved runs of a folder, by their names. */
static int add_folder(struct gating *g, unsigned side, const char *folder)
{
    struct dirent **list = NULL;
    char path[SHARED_PATH_MAX], safe[128];
    int code = TUI_EXIT_FINE;
    const int count = scandir(folder, &list, is_saved, alphasort);
    if (count <= 0) {
        const int error = errno;
        model_text_safe(folder, strlen(folder), safe, sizeof safe);
        if (count < 0)
            snprintf(g->why, sizeof g->why, "the folder '%s' cannot be read: %s", safe,
                     strerror(error));
        else
            snprintf(g->why, sizeof g->why,
                     "the folder '%s' has no saved run: proftop run -b "
                     "--format json -o FOLDER/1.json -- COMMAND makes one",
                     safe);
        code = TUI_EXIT_NO_JOB;
    }
    for (int i = 0; i < count && code == TUI_EXIT_FINE; i++) {
        const int size = snprintf(path, sizeof path, "%s/%s", folder, list[i]->d_name);
        if (size > 0 && (size_t)size < sizeof path)
            code = add_run(g, side, path);
        else {
            snprintf(g->why, sizeof g->why, "a path in the folder is longer than proftop reads");
            code = TUI_EXIT_NO_JOB;
        }
    }
    for (int i = 0; i < count; i++)
        free(list[i]);
    free(list);
    return code;
}

static int add_word(struct gating *g, unsigned side, const char *word)
{
    return is_folder(word) ? add_folder(g, side, word) : add_run(g, side, word);
}

/* A before --, B behind it; or one word each. */
static int add_all(struct gating *g)
{
    const struct tui_options *options = g->session->options;
    const bool several = options->argv[0] != NULL;
    const unsigned of_a = several ? options->operand_count : 1;
    int code = TUI_EXIT_FINE;
    for (unsigned i = 0; i < of_a && code == TUI_EXIT_FINE; i++)
        code = add_word(g, MODEL_A, options->operands[i]);
    if (!several && code == TUI_EXIT_FINE)
        code = add_word(g, MODEL_B, options->operands[1]);
    for (char *const *word = options->argv; *word && code == TUI_EXIT_FINE; word++)
        code = add_word(g, MODEL_B, *word);
    return code;
}

/* ------------------------------------------------------------------------------------- printing */

static void write_piece(void *to, const char *bytes, size_t size)
{
    fwrite(bytes, 1, size, to);
}

static bool print_to(void *of, FILE *file)
{
    struct gating *g = of;
    const struct tui_options *options = g->session->options;
    const struct model_sink sink = {write_piece, file};
    const uint32_t rows = options->rows.ops == MODEL_SUMMARY_USUAL ? USUAL_ROWS : options->rows.ops;
    if (options->format != TUI_FORMAT_JSON)
        return tui_gate_print(g->gate, rows, tui_batch_columns(file), options->ascii, file);
    model_json_gate(g->gate, tui_session_wall(), &sink);
    return true;
}

static int print(struct gating *g)
{
    static const int exit_code[MODEL_VERDICTS] = {[MODEL_SAME] = TUI_EXIT_FINE,
                                                  [MODEL_CANNOT_TELL] = TUI_EXIT_CANNOT_TELL,
                                                  [MODEL_SLOWER] = TUI_EXIT_SLOWER};
    const int code = tui_out_file(g->session->options->out, "the list of verdicts", print_to, g,
                                  g->why, sizeof g->why);
    return code == TUI_EXIT_FINE ? exit_code[model_gate_result(g->gate)->verdict] : code;
}

int tui_gate_run(struct tui_session *session)
{
    struct gating g = {.session = session};
    struct model_gate_rule rule = session->options->rule;
    rule.min_bytes = session->options->rows.least_bytes;
    if (rule.min_bytes == MODEL_SUMMARY_USUAL_BYTES)
        rule.min_bytes = USUAL_BYTES;
    tui_signals_close(); /* Ctrl-C ends it like any command of a shell */
    g.gate = model_gate_new(&rule);
    int code = g.gate ? add_all(&g) : TUI_EXIT_NO_JOB;
    if (code == TUI_EXIT_FINE && !model_gate_judge(g.gate))
        code = TUI_EXIT_NO_JOB;
    if (code == TUI_EXIT_FINE)
        code = print(&g);
    else if (!g.why[0])
        snprintf(g.why, sizeof g.why, "there is no memory left to compare these runs");
    if (g.why[0])
        tui_sentence(stderr, "proftop: %s", g.why);
    model_gate_free(&g.gate);
    return code;
}

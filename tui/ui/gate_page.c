/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * gate_page.c: the verdicts of a gate as lines, each drawn into a grid of one row.
 */
#include "tui/ui/gate_page.h"

#include <math.h>
#include <string.h>

#include "model/unit.h"
#include "tui/ui/term.h"

enum { FIGURE = 32, SENTENCE = 512 }; /* bytes */
enum { COLS_LEAST = 72, COLS_WHOLE = 3072, SENTENCE_COLS = 100, FUNCTION_WIDTH = 16 };

struct page {
    const struct model_gate *gate;
    const struct model_gate_result *result;
    struct tui_grid line;
    FILE *file;
    int cols; /* of sentences */
};

static bool of_memory(const struct page *page)
{
    return page->result->rule->by == MODEL_BY_MEMORY;
}

/* ------------------------------------------------------------------------------------ sentences */

static void end_line(struct page *page)
{
    tui_text_print(&page->line, page->file);
    tui_grid_clear(&page->line);
}

/* Prints a sentence in as many lines as it needs. */
static void put_sentence(struct page *page, const char *text)
{
    char line[SENTENCE];
    do {
        size_t size = strlen(text);
        if (size > (size_t)page->cols) {
            size = (size_t)page->cols;
            while (size > 0 && text[size] != ' ')
                size--;
            size = size ? size : (size_t)page->cols;
        }
        snprintf(line, sizeof line, "%.*s", (int)size, text);
        tui_put(&page->line, 0, 0, page->line.cols, TUI_PLAIN, line);
        end_line(page);
        text += size;
        text += strspn(text, " ");
    } while (*text);
}

/* -------------------------------------------------------------------------------------- figures */

static void format(enum model_unit unit, double value, bool estimated, char out[FIGURE])
{
    const struct model_cell cell = {.known = value >= 0,
                                    .u = value >= 0 && value < 1.8e19 ? (uint64_t)(value + 0.5) : 0,
                                    .d = value,
                                    .approx = estimated};
    model_unit_format(unit, &cell, 8, out, FIGURE);
}

static void format_figure(const struct page *page, double value, bool estimated, char out[FIGURE])
{
    format(of_memory(page) ? MODEL_UNIT_BYTES : MODEL_UNIT_NS, value, estimated, out);
}

/* No end: "-". */
static void format_ratio(double ratio, char out[FIGURE])
{
    if (ratio > 0 && ratio < 9999.5)
        snprintf(out, FIGURE, "%.*f", ratio < 99.95 ? 3 : 0, ratio);
    else
        snprintf(out, FIGURE, "%s", isfinite(ratio) && ratio > 0 ? ">9999" : "-");
}

static void format_percent(double ratio, char out[FIGURE])
{
    snprintf(out, FIGURE, "%.4g %%", ratio * 100);
}

static void format_least(const struct page *page, char out[FIGURE])
{
    const struct model_gate_rule *rule = page->result->rule;
    if (of_memory(page))
        format(MODEL_UNIT_BYTES, (double)rule->min_bytes, false, out);
    else
        format(MODEL_UNIT_NS, (double)rule->min_ns, false, out);
}

/* ----------------------------------------------------------------------------------------- head */

static void print_side(struct page *page, unsigned side)
{
    const struct model_gate_result *result = page->result;
    const struct model_gate_run *first = NULL, *last = NULL;
    unsigned runs = 0;
    char text[SENTENCE];
    for (unsigned i = 0; i < result->runs; i++)
        if (result->run[i].side == side) {
            first = first ? first : &result->run[i];
            last = &result->run[i];
            runs++;
        }
    const unsigned again = runs - result->counted[side];
    snprintf(text, sizeof text, "%c  %u run%s: %s%s%s", side == MODEL_A ? 'A' : 'B',
             result->counted[side], result->counted[side] == 1 ? "" : "s", first ? first->word : "",
             runs > 1 ? " to " : "", runs > 1 ? last->word : "");
    put_sentence(page, text);
    if (again == 0)
        return;
    snprintf(text, sizeof text,
             "   %u of the %u named %s the same run as one before, and %s not "
             "counted",
             again, runs, again == 1 ? "is" : "are", again == 1 ? "is" : "are");
    put_sentence(page, text);
}

static void print_rule(struct page *page)
{
    const struct model_gate_rule *rule = page->result->rule;
    char text[SENTENCE], percent[FIGURE], least[FIGURE];
    format_percent(rule->fail_above, percent);
    format_least(page, least);
    snprintf(text, sizeof text,
             "%s, by %s; slower: more than %s above A; rows of at least %s in a "
             "run",
             model_gate_figures[page->result->figure].text,
             of_memory(page) ? "op" : model_gate_by_words[rule->by], percent, least);
    put_sentence(page, "");
    put_sentence(page, text);
    if (!of_memory(page) && !rule->per_call && page->result->figure == MODEL_NS_PER_CALL)
        put_sentence(page, "the calls of functions are not known in all runs: figures are per call "
                           "of a row");
}

/* Says what the ratios are where they are not B / A. */
static void print_pace(struct page *page)
{
    if (page->result->paced)
        put_sentence(page, "PACED is B / A of a row, divided by B / A of all rows together: what a "
                           "faster or slower machine does to all of them is no fault of a row");
}

/* ----------------------------------------------------------------------------------------- rows */

enum column { VERDICT, OF_A, OF_B, RATIO, FROM, TO, SHARE, COLUMNS };

static const struct {
    const char *title;
    int width;
} columns[COLUMNS] = {
    [VERDICT] = {"VERDICT", 11}, [OF_A] = {"A", 8}, [OF_B] = {"B", 8},  [RATIO] = {"B / A", 6},
    [FROM] = {"FROM", 6},        [TO] = {"TO", 6},  [SHARE] = {"%", 5},
};

static int put_right(struct page *page, int col, enum column column, const char *text)
{
    tui_put_right(&page->line, 0, col, columns[column].width, TUI_PLAIN, text);
    return col + columns[column].width + 1;
}

static void print_titles(struct page *page)
{
    int col = 0;
    for (enum column i = VERDICT; i < COLUMNS; i++) {
        const char *title = i == RATIO && page->result->paced ? "PACED" : columns[i].title;
        if (i == VERDICT)
            tui_put(&page->line, 0, col, columns[i].width, TUI_PLAIN, title);
        else
            put_right(page, col, i, title);
        col += columns[i].width + 1;
    }
    const bool applies = page->result->rule->by == MODEL_BY_APPLY;
    if (applies)
        tui_put(&page->line, 0, col, FUNCTION_WIDTH, TUI_PLAIN, "FUNCTION");
    col += applies ? FUNCTION_WIDTH + 1 : 0;
    tui_put(&page->line, 0, col, page->line.cols - col, TUI_PLAIN, "NAME");
    end_line(page);
}

/* The name, and the other forms that are paired with it. */
static void name_of(const struct page *page, const struct model_gate_row *row, char out[SENTENCE])
{
    size_t used = 0;
    out[0] = '\0';
    for (uint32_t id = row->first; id != MODEL_NONE && used < SENTENCE / 2;
         id = model_gate_next(page->gate, id))
        used += (size_t)snprintf(out + used, SENTENCE - used, "%s%.*s", used ? " -> " : "",
                                 SENTENCE / 3, model_gate_name(page->gate, id)->shown);
    const char *mark = model_gate_mark(row);
    if (mark)
        snprintf(out + used, SENTENCE - used, " [%s]", mark);
}

/* Prints the columns of a ratio. Returns where the next column begins. */
static int put_ratio(struct page *page, int col, const struct model_gate_ratio *of)
{
    const double ratio[] = {of->mid, of->low, of->high};
    char text[FIGURE];
    for (unsigned i = 0; i < 3; i++) {
        format_ratio(ratio[i], text);
        col = put_right(page, col, RATIO + i, text);
    }
    return col;
}

/* All rows together are judged as a row of their own. Its ratio is B / A. */
static void print_all(struct page *page)
{
    const struct model_gate_row *pace = &page->result->pace;
    int col = columns[VERDICT].width + 1;
    if (!page->result->paced)
        return;
    tui_put(&page->line, 0, 0, columns[VERDICT].width, TUI_PLAIN,
            model_verdict_words[pace->verdict]);
    col = put_right(page, col, OF_A, "-");
    col = put_right(page, col, OF_B, "-");
    col = put_ratio(page, col, &pace->ratio);
    col = put_right(page, col, SHARE, "-");
    if (page->result->rule->by == MODEL_BY_APPLY)
        col += FUNCTION_WIDTH + 1;
    tui_put(&page->line, 0, col, page->line.cols - col, TUI_PLAIN, "all rows together: B / A");
    end_line(page);
}

static void print_row(struct page *page, const struct model_gate_row *row)
{
    const struct model_text *function = model_gate_function(page->gate, row->first);
    char text[FIGURE], name[SENTENCE];
    int col = columns[VERDICT].width + 1;
    tui_put(&page->line, 0, 0, columns[VERDICT].width, TUI_PLAIN,
            model_verdict_words[row->verdict]);
    for (unsigned side = 0; side < MODEL_SIDES; side++) {
        format_figure(page, row->figure[side], row->estimated, text);
        col = put_right(page, col, side == MODEL_A ? OF_A : OF_B, text);
    }
    col = put_ratio(page, col, &row->ratio);
    snprintf(text, sizeof text, row->share >= 0 ? "%.1f" : "-", row->share * 100);
    col = put_right(page, col, SHARE, text);
    if (function) {
        tui_put_middle(&page->line, 0, col, FUNCTION_WIDTH, TUI_PLAIN, function->shown, 0);
        col += FUNCTION_WIDTH + 1;
    }
    name_of(page, row, name);
    tui_put_middle(&page->line, 0, col, page->line.cols - col, TUI_PLAIN, name, 0);
    end_line(page);
}

static void print_rows(struct page *page, uint32_t same)
{
    const struct model_gate_result *result = page->result;
    uint32_t left = 0;
    char text[SENTENCE];
    put_sentence(page, "");
    if (result->rows)
        print_titles(page);
    for (uint32_t i = 0; i < result->rows; i++) {
        const bool others = result->row[i].verdict == MODEL_SAME;
        if (others && same == 0) {
            left++;
            continue;
        }
        same -= others;
        print_row(page, &result->row[i]);
    }
    if (left) {
        snprintf(text, sizeof text, " ... (%u more rows are the same; --n-ops shows more)", left);
        put_sentence(page, text);
    }
    print_all(page);
}

/* ---------------------------------------------------------------------------------------- notes */

static void print_not_judged(struct page *page)
{
    const struct model_gate_result *result = page->result;
    char text[SENTENCE] = "", least[FIGURE];
    size_t used = 0;
    format_least(page, least);
    const struct {
        uint32_t rows;
        const char *text, *than;
    } kind[] = {{result->small, "below ", least},
                {result->waiting, "only waiting", ""},
                {result->unknown, "of unknown figures", ""}};
    for (size_t i = 0; i < sizeof kind / sizeof kind[0]; i++)
        if (kind[i].rows)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%u %s%s",
                                     used ? ", " : "rows that are not judged: ", kind[i].rows,
                                     kind[i].text, kind[i].than);
    if (used)
        put_sentence(page, text);
}

/* Prints how many rows have another figure than the mean of their calls. */
static void print_bases(struct page *page)
{
    const struct model_gate_result *result = page->result;
    uint32_t rows = 0;
    char text[SENTENCE];
    for (uint32_t i = 0; i < result->rows; i++)
        rows += result->row[i].basis != MODEL_BASIS_MEAN;
    if (rows == 0)
        return;
    snprintf(text, sizeof text, "rows whose calls were interrupted much: %u; their medians, or "
             "shortest calls, are compared", rows);
    put_sentence(page, text);
}

/* Prints each reason once, with the number of its rows. */
static void print_reasons(struct page *page)
{
    const struct model_gate_result *result = page->result;
    uint32_t of[MODEL_GATE_REASONS] = {0};
    char text[SENTENCE];
    bool slower = false;
    for (uint32_t i = 0; i < result->rows; i++) {
        of[result->row[i].reason] += result->row[i].verdict == MODEL_CANNOT_TELL;
        slower |= result->row[i].verdict == MODEL_SLOWER;
    }
    if (result->paced && result->pace.verdict == MODEL_CANNOT_TELL)
        of[result->pace.reason]++;
    for (unsigned i = MODEL_GATE_NO_REASON + 1; i < MODEL_GATE_REASONS; i++) {
        if (of[i] == 0)
            continue;
        snprintf(text, sizeof text, "cannot tell, %u time%s: %s", of[i], of[i] == 1 ? "" : "s",
                 model_gate_reasons[i].text);
        put_sentence(page, text);
    }
    const unsigned *runs = result->counted;
    const unsigned fewer = runs[MODEL_A] < runs[MODEL_B] ? runs[MODEL_A] : runs[MODEL_B];
    if (result->rows && fewer < result->least_runs && !slower && !result->one_run) {
        if (result->least_runs > MODEL_RANK_MOST)
            snprintf(text, sizeof text,
                     "no number of runs can show that one of so many rows is "
                     "slower: raise --min-time");
        else
            snprintf(text, sizeof text,
                     "%u runs of each side show that one of so many rows is "
                     "slower, fewer do not",
                     result->least_runs);
        put_sentence(page, text);
    }
}

static void print_verdict(struct page *page)
{
    const struct model_gate_result *result = page->result;
    char text[SENTENCE];
    put_sentence(page, "");
    print_bases(page);
    print_not_judged(page);
    print_reasons(page);
    if (result->rows == 0)
        put_sentence(page, "no row was judged");
    snprintf(text, sizeof text, "%s: %u slower, %u cannot tell, %u same",
             model_verdict_words[result->verdict], result->of[MODEL_SLOWER],
             result->of[MODEL_CANNOT_TELL], result->of[MODEL_SAME]);
    put_sentence(page, text);
}

bool tui_gate_print(const struct model_gate *gate, uint32_t same, int cols, bool ascii, FILE *file)
{
    struct page page = {.gate = gate, .result = model_gate_result(gate), .file = file};
    const int least = cols < COLS_LEAST ? COLS_LEAST : cols;
    page.cols = cols == 0 ? SENTENCE_COLS : least;
    if (!tui_grid_resize(&page.line, 1, cols == 0 ? COLS_WHOLE : least))
        return false;
    page.line.ascii = ascii;
    print_side(&page, MODEL_A);
    print_side(&page, MODEL_B);
    print_rule(&page);
    print_pace(&page);
    print_rows(&page, same);
    print_verdict(&page);
    tui_grid_release(&page.line);
    return true;
}

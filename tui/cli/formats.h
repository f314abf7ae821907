/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * formats.h: THE table of --format: one row is a word of the command line, of the help, of the
 * completion, and says which commands take it. Ask for a property here; never compare the order.
 */
#ifndef TUI_CLI_FORMATS_H
#define TUI_CLI_FORMATS_H

#include <stdbool.h>
#include <stddef.h>

/* Properties of a format. */
enum {
    TUI_FORMAT_LISTS = 1 << 0,      /* proftop -l takes it */
    TUI_FORMAT_REPORTS = 1 << 1,    /* reports of jobs take it */
    TUI_FORMAT_DIFFS = 1 << 2,      /* proftop diff takes it */
    TUI_FORMAT_DOCTOR = 1 << 3,     /* proftop doctor takes it */
    TUI_FORMAT_BATCH = 1 << 4,      /* no screen has it: it asks for reports, as -b does */
    TUI_FORMAT_STATISTICS = 1 << 5, /* a profile of MXNet: --sort-by, --ascending, --reset */
    TUI_FORMAT_PROFILE = 1 << 6,    /* a profile of Theano's family: model_dialect_find(word) */
    TUI_FORMAT_WAITING = 1 << 7,    /* prints a report of a job that has no figures yet */
    TUI_FORMAT_DUMPS = 1 << 8,      /* proftop ctl takes it, for dump */
    TUI_FORMAT_ONCE = 1 << 9,       /* a second report behind the first cannot be read */
};

/* FORMAT(name, word, properties): help lists them in this order. */
#define TUI_FORMATS(FORMAT)                                                                        \
    FORMAT(TEXT, "text",                                                                           \
           TUI_FORMAT_LISTS | TUI_FORMAT_REPORTS | TUI_FORMAT_DIFFS | TUI_FORMAT_DOCTOR |          \
               TUI_FORMAT_DUMPS | TUI_FORMAT_WAITING)                                              \
    FORMAT(JSON, "json",                                                                           \
           TUI_FORMAT_LISTS | TUI_FORMAT_REPORTS | TUI_FORMAT_DIFFS | TUI_FORMAT_DOCTOR |          \
               TUI_FORMAT_BATCH | TUI_FORMAT_DUMPS | TUI_FORMAT_WAITING)                           \
    FORMAT(CSV, "csv", TUI_FORMAT_REPORTS | TUI_FORMAT_BATCH)                                      \
    FORMAT(MD, "md", TUI_FORMAT_REPORTS | TUI_FORMAT_BATCH)                                        \
    FORMAT(PROM, "prom", TUI_FORMAT_REPORTS | TUI_FORMAT_BATCH | TUI_FORMAT_ONCE)                  \
    FORMAT(CHROME, "chrome", TUI_FORMAT_REPORTS | TUI_FORMAT_BATCH | TUI_FORMAT_ONCE)              \
    FORMAT(INFO, "info", TUI_FORMAT_LISTS)                                                         \
    FORMAT(THEANO, "theano", TUI_FORMAT_REPORTS | TUI_FORMAT_BATCH | TUI_FORMAT_PROFILE)           \
    FORMAT(AESARA, "aesara", TUI_FORMAT_REPORTS | TUI_FORMAT_BATCH | TUI_FORMAT_PROFILE)           \
    FORMAT(PYTENSOR, "pytensor", TUI_FORMAT_REPORTS | TUI_FORMAT_BATCH | TUI_FORMAT_PROFILE)       \
    FORMAT(PROFILEMODE, "profilemode", TUI_FORMAT_REPORTS | TUI_FORMAT_BATCH | TUI_FORMAT_PROFILE) \
    FORMAT(MXNET, "mxnet",                                                                         \
           TUI_FORMAT_REPORTS | TUI_FORMAT_BATCH | TUI_FORMAT_DUMPS | TUI_FORMAT_STATISTICS)       \
    FORMAT(MXNET_JSON, "mxnet-json",                                                               \
           TUI_FORMAT_REPORTS | TUI_FORMAT_BATCH | TUI_FORMAT_DUMPS | TUI_FORMAT_STATISTICS)

#define TUI_FORMAT_NAME(name, word, properties) TUI_FORMAT_##name,
enum tui_format { TUI_FORMATS(TUI_FORMAT_NAME) TUI_FORMAT_COUNT };
#undef TUI_FORMAT_NAME

/* All words, each followed by a blank. */
#define TUI_FORMAT_WORD(name, word, properties) word " "
#define TUI_FORMAT_WORDS                        TUI_FORMATS(TUI_FORMAT_WORD)

/* True if the format has this property. */
bool tui_format_is(enum tui_format format, unsigned property);
/* Word of the command line. Static. */
const char *tui_format_word(enum tui_format format);
/* Finds the format with this word, in any case. Returns false if there is none. */
bool tui_format_find(const char *word, enum tui_format *format);
/* Writes "text, json or mxnet": the formats with this property. Returns `out`. */
const char *tui_format_names(unsigned property, char *out, size_t capacity);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * summary_private.h: the rows of one profile, shared by the gathering and the printing files.
 */
#ifndef MODEL_SUMMARY_PRIVATE_H
#define MODEL_SUMMARY_PRIVATE_H

#include "model/json_writer.h"
#include "model/node_detail.h"
#include "model/summary.h"

enum { MODEL_SUMMARY_IMPL = 12 };

/* One class, op or apply within a profile. */
struct model_summary_line {
    uint32_t id, applies;
    uint64_t calls, ns;
    uint64_t idle_ns; /* the part of ns that is not work, and so is in no share */
    uint8_t does;     /* set of enum model_does */
    bool untimed;     /* ns is not the whole time */
    uint8_t impls;
    char impl[MODEL_SUMMARY_IMPL]; /* implementations of its nodes, in order of appearance */
};

struct model_summary_table {
    struct model_summary_line *line;
    uint32_t count;
    uint32_t *slot; /* by id: its line, or MODEL_NONE */
};

/* Time to load compiled code: phases identified by name. */
enum model_loading { MODEL_LOAD_CACHE, MODEL_LOAD_IMPORT, MODEL_LOADINGS };

struct model_summary {
    struct model_put out;
    const struct model_dialect *dialect;
    const struct model_state *state;
    struct model_summary_rows rows;
    /* The current profile. */
    struct model_summary_table table[MODEL_ROW_TABLES];
    struct model_function_value value;
    uint64_t ns;            /* time of all its applies that are not aside */
    uint64_t wait_ns;       /* of these, time of waiting applies; the rest is the 100 % */
    uint64_t aside_ns;      /* time of its aside applies */
    bool untimed;           /* `ns` is not the whole time */
    uint32_t sampled;       /* nodes with untimed calls */
    uint32_t waits, asides; /* waiting nodes, and aside nodes */
    uint64_t loading_ns[MODEL_LOADINGS];
    uint32_t nodes;           /* nodes of its functions, including functions that were not called */
    const uint32_t *gathered; /* functions in the current profile */
    uint32_t gathered_count;
    bool failed; /* memory was missing for a part of the output */
    /* The job: apply ids by function, and functions in print order. */
    uint32_t *apply, *first;
    uint64_t *loading[MODEL_LOADINGS]; /* by function */
    uint32_t *function;
    uint32_t functions;
};

bool model_summary_init(struct model_summary *s);
void model_summary_release(struct model_summary *s);

/* Gathers the applies of `count` functions as one profile: sorted rows, and sums of the functions'
 * figures. */
void model_summary_gather(struct model_summary *s, const uint32_t *function, uint32_t count);

/* True if a function or any of its nodes has calls, or if its calls are unknown; and the same for
 * any gathered function. The frameworks print no row, size or advice for a function without calls,
 * even if its graph is known. */
bool model_summary_was_called(const struct model_summary *s, uint32_t function);
bool model_summary_any_called(const struct model_summary *s);

/* Keeps only the functions that do not run inside another function in scope, in their order.
 * Returns their number. */
uint32_t model_summary_outermost(struct model_summary *s);

/* Writers of the dialects. */
void model_summary_profiles(struct model_summary *s);
void model_summary_profilemode(struct model_summary *s);

/* Prints the memory of the profile, if any size is known. Returns false if out of memory. */
bool model_summary_memory(struct model_summary *s);

/* Notes which times are estimates, if some calls of the profile were not timed, and which part is
 * waiting. */
void model_summary_notes(struct model_summary *s);

/* has_values(): true if the inputs and outputs of an apply are printed below its row. values():
 * prints them. flops(): prints the operations before the name, or as many blanks. */
bool model_summary_has_values(const struct model_summary *s);
void model_summary_values(struct model_summary *s, uint32_t apply);
void model_summary_flops(struct model_summary *s, const struct model_summary_line *line);

/* scan(): the Scan node that runs a function for each step, or MODEL_NONE. scan_head(): the head of
 * the profile of such a function, which must be the current profile. scans(): the overhead of
 * loops, after any profile that has some. */
uint32_t model_summary_scan(const struct model_summary *s, uint32_t function);
void model_summary_scan_head(struct model_summary *s, uint32_t apply);
void model_summary_scans(struct model_summary *s);

/* Prints the framework's advice for the current profile, in its words. Prints nothing unless the
 * job reports advice for each function of the profile. */
void model_summary_tips(struct model_summary *s);

/* Formatted output. */
void model_summary_printf(struct model_summary *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Prints seconds. `repr`: with the shortest digits that read back as the same number. */
void model_summary_seconds(struct model_summary *s, uint64_t ns, bool repr);
/* Prints a shape as a tuple; for a value that is not an array, its bytes. Returns false, and prints
 * nothing, if unknown. */
bool model_summary_shape(struct model_summary *s, const struct model_value *value);
/* Prints at most `width` characters. */
void model_summary_name(struct model_summary *s, const struct model_text *text, size_t width);
/* Word printed in place of a share if no node of the line works. */
const char *model_summary_word(const struct model_summary_line *line);
const struct model_text *model_summary_text(const struct model_summary *s, enum model_table table,
                                            uint32_t id);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * summary_private.h: the rows of one profile, shared by what gathers and what prints them.
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
    uint64_t idle_ns; /* of ns, what is no work, and so in no share */
    uint8_t does;     /* set of enum model_does */
    bool untimed; /* ns is not the whole */
    uint8_t impls;
    char impl[MODEL_SUMMARY_IMPL]; /* of its nodes, in the order seen */
};

struct model_summary_table {
    struct model_summary_line *line;
    uint32_t count;
    uint32_t *slot; /* by id: its line, or MODEL_NONE */
};

/* What it took to load code that was compiled: phases that are told by name. */
enum model_loading { MODEL_LOAD_CACHE, MODEL_LOAD_IMPORT, MODEL_LOADINGS };

struct model_summary {
    struct model_put out;
    const struct model_dialect *dialect;
    const struct model_state *state;
    struct model_summary_rows rows;
    /* Of the profile that is gathered. */
    struct model_summary_table table[MODEL_ROW_TABLES];
    struct model_function_value value;
    uint64_t ns;  /* of all its applies that are not aside */
    uint64_t wait_ns; /* of these that wait; the rest is what 100 % is */
    uint64_t aside_ns; /* of those that are aside */
    bool untimed; /* that is not the whole */
    uint32_t sampled; /* nodes of which not every call was timed */
    uint32_t waits, asides; /* nodes that wait, and that are aside */
    uint64_t loading_ns[MODEL_LOADINGS];
    uint32_t nodes; /* of its functions, also of those that were not called */
    const uint32_t *gathered; /* its functions */
    uint32_t gathered_count;
    bool failed; /* there was no memory for a part of it */
    /* Of the job: apply ids by function, and functions in the order they are printed in. */
    uint32_t *apply, *first;
    uint64_t *loading[MODEL_LOADINGS]; /* by function */
    uint32_t *function;
    uint32_t functions;
};

bool model_summary_init(struct model_summary *s);
void model_summary_release(struct model_summary *s);

/* The applies of `count` functions as one profile: sorted rows, sums of the functions' figures. */
void model_summary_gather(struct model_summary *s, const uint32_t *function, uint32_t count);

/* Whether a function or any of its nodes has calls, or nobody knows; whether any that is gathered
 * has. Of what has none the family knows no row, size or advice, even where its graph tells
 * some. */
bool model_summary_was_called(const struct model_summary *s, uint32_t function);
bool model_summary_any_called(const struct model_summary *s);

/* Keeps those functions alone that no other in scope has inside, in their order; how many. */
uint32_t model_summary_outermost(struct model_summary *s);

/* What dialects write. */
void model_summary_profiles(struct model_summary *s);
void model_summary_profilemode(struct model_summary *s);

/* The memory of what is gathered, if any size is known. False: out of memory. */
bool model_summary_memory(struct model_summary *s);

/* Says that times are estimates, if not every call of what is gathered was timed, and what of them
 * is waiting. */
void model_summary_notes(struct model_summary *s);

/* Whether the inputs and outputs of an apply stand below its row; these; and, before its name, what
 * it computes, or as many blanks. */
bool model_summary_has_values(const struct model_summary *s);
void model_summary_values(struct model_summary *s, uint32_t apply);
void model_summary_flops(struct model_summary *s, const struct model_summary_line *line);

/* The Scan node that runs a function for each step, or MODEL_NONE; the head of the profile of such
 * a function, which is what is gathered; and what loops took, behind any profile that has some. */
uint32_t model_summary_scan(const struct model_summary *s, uint32_t function);
void model_summary_scan_head(struct model_summary *s, uint32_t apply);
void model_summary_scans(struct model_summary *s);

/* What the framework advises for what is gathered, in its words; nothing unless the job says so for
 * each of these functions. */
void model_summary_tips(struct model_summary *s);

/* Figures and names as text. */
void model_summary_say(struct model_summary *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Seconds; `repr`: by the shortest digits that read back as the same. */
void model_summary_seconds(struct model_summary *s, uint64_t ns, bool repr);
/* "[256,64]" as Python prints a tuple. */
void model_summary_tuple(struct model_summary *s, const char *list);
/* The same of a shape; of a value that is no array, its bytes. False: unknown, nothing is put. */
bool model_summary_shape(struct model_summary *s, const struct model_value *value);
/* At most `width` characters. */
void model_summary_name(struct model_summary *s, const struct model_text *text, size_t width);
/* What a line has in the place of a share, if none of its nodes works. */
const char *model_summary_word(const struct model_summary_line *line);
const struct model_text *model_summary_text(const struct model_summary *s, enum model_table table,
                                            uint32_t id);

#endif

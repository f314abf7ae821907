/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * node_detail.h: what is known of applies beside their definitions: inputs and outputs with their
 * types, shapes and memory, floating-point operations, where they run; and the metrics of the job.
 * Written by the feed alone. All texts are safe for the screen and end with NUL.
 */
#ifndef MODEL_NODE_DETAIL_H
#define MODEL_NODE_DETAIL_H

#include "model/job.h"

enum {
    MODEL_METRICS_MAX = 16,
    MODEL_ABOUT_TEXT = 1024,              /* bytes of a device, line or rewrite */
    MODEL_ABOUT_MAX = 256 * 1024 * 1024,  /* bytes of what is known of all applies */
};

/* How an output comes by its memory. */
enum model_alias { MODEL_OWN, MODEL_VIEW, MODEL_OVERWRITES };

/* One input or output. */
struct model_value {
    const char *dtype;   /* "float32"; "": unknown */
    const char *shape;   /* "[256,64]"; "": unknown */
    const char *strides; /* "[512,-8]": steps in bytes, as many as sizes; "": unknown */
    uint64_t bytes;      /* or MODEL_UNKNOWN */
    uint32_t source;     /* of an input: the apply that made it, or MODEL_NONE */
    uint32_t output;     /* as which of its outputs */
    uint32_t input;      /* of an output: the input that it is a view of, or overwrites */
    uint32_t result; /* of an output: which result of its function, from 1; 0: none, or unknown */
    uint8_t alias;   /* enum model_alias */
};

/* What is not known is MODEL_UNKNOWN or "". */
struct model_about {
    uint64_t rev;
    uint64_t flops; /* of one call */
    uint64_t bytes; /* of its outputs */
    uint64_t thunk_ns;
    const char *device, *location;
    const char *library; /* its line that made it for the location */
    const char *rewrite; /* that made it */
    uint32_t inputs, outputs;
    uint32_t one_in; /* its values are those of 1 in so many calls; 0: not said */
    uint8_t impl;    /* enum model_impl; unknown: as defined */
    size_t size;     /* bytes of memory */
    struct model_value value[]; /* inputs, then outputs */
};

/* The same as it was received: not yet safe. */
struct model_value_raw {
    struct model_bytes dtype, shape;
    uint64_t bytes;
    uint32_t source, output;
    uint64_t alias; /* 0, 2k + 1: view of input k, 2k + 2: overwrites input k */
    uint32_t result;
    struct model_bytes strides;
};
struct model_about_raw {
    uint64_t rev, flops, bytes, thunk_ns;
    struct model_bytes device, location, rewrite, library;
    uint32_t inputs, outputs, one_in;
    uint8_t impl;
    const struct model_value_raw *value;
};

/* Takes what is told of an apply, if that is newer than what is known. Bytes are borrowed. False:
 * out of memory, or beyond MODEL_ABOUT_MAX. */
bool model_job_set_about(struct model_job *job, uint32_t apply, const struct model_about_raw *raw);

/* What is known of an apply, or NULL. Borrowed until something is told of it again. */
const struct model_about *model_job_about(const struct model_job *job, uint32_t apply);
/* The sum of the bytes that are told of single outputs. `untold`: outputs without such bytes. */
uint64_t model_about_told(const struct model_about *about, uint32_t *untold);
/* Bytes of all outputs: their sum, or, where not all are told, what the job says of the whole.
 * MODEL_UNKNOWN. */
uint64_t model_about_bytes(const struct model_about *about);
/* Bytes of the only output that is not told: the rest of the whole. An apply whose outputs the job
 * does not tell has one. MODEL_UNKNOWN: there are several, or none, or the whole is not told. */
uint64_t model_about_rest(const struct model_about *about);
/* How often anything was told of any apply: what is made of it may be kept until that changes. */
uint64_t model_job_about_changes(const struct model_job *job);
/* Whether anything is known of any apply. */
bool model_job_has_about(const struct model_job *job);

/* "float32[256,2], float32[2,64] -> float32[256,64]", cut with " ..." where it is too long. What
 * is unknown is "?". Gives its size. */
size_t model_about_shapes(const struct model_about *about, char *out, size_t capacity);

/* The strides of the same values, "c, [8,2048] -> c", in the same way: c where the elements lie in
 * C order without gaps. "" if none is known, but for those of scalars. */
size_t model_about_strides(const struct model_about *about, char *out, size_t capacity);

/* Whether the elements lie one behind the other, those of the last axis first, as far as its shape,
 * strides and bytes tell. */
bool model_value_in_c_order(const struct model_value *value);

/* The outputs alone: "float32[256,64]". */
size_t model_about_outputs(const struct model_about *about, char *out, size_t capacity);

/* ------------------------------------------------------------------------------------- metrics */

enum model_how { MODEL_SUM, MODEL_MAX, MODEL_LAST };

struct model_metric {
    struct model_text name;
    uint8_t unit; /* enum model_unit */
    uint8_t how;  /* enum model_how */
    uint64_t *adds, *value; /* by apply; adds 0: no value was given */
    uint32_t capacity;
};

/* A metric by its number; one that is known already stays as it is. False: out of memory, or not
 * the next number. */
bool model_job_set_metric(struct model_job *job, uint32_t number, struct model_bytes name,
                          struct model_bytes unit, uint8_t how);
/* What `adds` values came to; skipped where more are known. False: out of memory, or no such
 * metric or apply. */
bool model_job_set_metric_value(struct model_job *job, uint32_t metric, uint32_t apply,
                                uint64_t adds, uint64_t value);

uint32_t model_job_metrics(const struct model_job *job);
const struct model_metric *model_job_metric(const struct model_job *job, uint32_t number);
/* The value of an apply; MODEL_UNKNOWN if none was given. */
uint64_t model_metric_value(const struct model_metric *metric, uint32_t apply);

#endif

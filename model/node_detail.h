/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * node_detail.h: details of applies beyond their definitions: inputs and outputs with types, shapes
 * and memory; floating-point operations; device; rewrite. Also the metrics of the job. Written by
 * the feed alone. All texts are safe for the screen and end with NUL.
 */
#ifndef MODEL_NODE_DETAIL_H
#define MODEL_NODE_DETAIL_H

#include "model/job.h"

enum {
    MODEL_METRICS_MAX = 16,
    MODEL_ABOUT_TEXT = 1024,             /* most bytes of a device, line or rewrite */
    MODEL_ABOUT_MAX = 256 * 1024 * 1024, /* most bytes of all details */
};

/* Where an output gets its memory. */
enum model_alias { MODEL_OWN, MODEL_VIEW, MODEL_OVERWRITES };

/* One input or output. */
struct model_value {
    const char *dtype;   /* "float32"; "": unknown */
    const char *shape;   /* "[256,64]"; "": unknown */
    const char *strides; /* "[512,-8]": steps in bytes, one for each size; "": unknown */
    uint64_t bytes;      /* or MODEL_UNKNOWN */
    uint32_t source;     /* of an input: the apply that produces it, or MODEL_NONE */
    uint32_t output;     /* of an input: the output number of that apply */
    uint32_t input;      /* of an output: the input that it views or overwrites */
    uint32_t result; /* of an output: number of the function result, from 1; 0: none, or unknown */
    uint8_t alias;   /* enum model_alias */
};

/* Unknown members are MODEL_UNKNOWN or "". */
struct model_about {
    uint64_t rev;
    uint64_t flops; /* of one call */
    uint64_t bytes; /* of its outputs */
    uint64_t thunk_ns;
    const char *device, *location;
    const char *library; /* the library's line that created the apply for `location` */
    const char *rewrite; /* the rewrite that created the apply */
    uint32_t inputs, outputs;
    uint32_t one_in; /* the values are from 1 in so many calls; 0: not reported */
    uint8_t impl;    /* enum model_impl; unknown: as defined */
    size_t size;     /* bytes of memory */
    struct model_value value[]; /* inputs, then outputs */
};

/* The same members as received, not yet made safe. */
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

/* Stores the details of an apply if they are newer than the stored ones. Bytes are borrowed.
 * Returns false if out of memory, or beyond MODEL_ABOUT_MAX. */
bool model_job_set_about(struct model_job *job, uint32_t apply, const struct model_about_raw *raw);

/* Returns the details of an apply, or NULL. Borrowed until the next details of the apply arrive. */
const struct model_about *model_job_about(const struct model_job *job, uint32_t apply);
/* Adds up the reported bytes of single outputs. `untold`: the number of outputs without reported
 * bytes. */
uint64_t model_about_known_bytes(const struct model_about *about, uint32_t *untold);
/* Bytes of all outputs: their sum, or the reported total if some output lacks its bytes. May be
 * MODEL_UNKNOWN. */
uint64_t model_about_bytes(const struct model_about *about);
/* Bytes of the only output without reported bytes: the rest of the total. An apply without
 * reported outputs counts as having one. MODEL_UNKNOWN: there are several or none, or the total
 * is unknown. */
uint64_t model_about_rest(const struct model_about *about);
/* Counts the stored details. Results derived from details may be cached until the count changes. */
uint64_t model_job_about_changes(const struct model_job *job);
/* True if any apply has details. */
bool model_job_has_about(const struct model_job *job);

/* Writes "float32[256,2], float32[2,64] -> float32[256,64]", cut with " ..." if too long. Unknown
 * parts are "?". Returns the size. */
size_t model_about_shapes(const struct model_about *about, char *out, size_t capacity);

/* Writes the strides of the same values in the same form, "c, [8,2048] -> c". c stands for C order
 * without gaps. "" if no strides are known, except for scalars. */
size_t model_about_strides(const struct model_about *about, char *out, size_t capacity);

/* True if the elements are contiguous in C order, as far as shape, strides and bytes tell. */
bool model_value_in_c_order(const struct model_value *value);

/* Writes the outputs alone: "float32[256,64]". */
size_t model_about_outputs(const struct model_about *about, char *out, size_t capacity);

/* ------------------------------------------------------------------------------------- metrics */

enum model_how { MODEL_SUM, MODEL_MAX, MODEL_LAST, MODEL_INCLUSIVE };

struct model_metric {
    struct model_text name;
    uint8_t unit; /* enum model_unit */
    uint8_t how;  /* enum model_how */
};

/* The value of a metric for an apply: the result of `adds` added values; 0: none was received. */
struct model_metric_cell {
    uint64_t adds, value;
};

/* Adds a metric by its number. An existing metric stays unchanged. Returns false if out of memory,
 * or if `number` is not the next number. */
bool model_job_set_metric(struct model_job *job, uint32_t number, struct model_bytes name,
                          struct model_bytes unit, uint8_t how);
/* Sets the result of `adds` added values. Skipped if more values are already included. Returns
 * false if out of memory, or if the metric or apply does not exist. */
bool model_job_set_metric_value(struct model_job *job, uint32_t metric, uint32_t apply,
                                uint64_t adds, uint64_t value);

uint32_t model_job_metrics(const struct model_job *job);
const struct model_metric *model_job_metric(const struct model_job *job, uint32_t number);
/* Number of the metric of this name, or MODEL_NONE. */
uint32_t model_job_metric_named(const struct model_job *job, const char *name);
/* Number of the metric `device`: the time, in ns, of what ops made a device do. In a job that has
 * it, the times of ops are the host's, which launches. */
uint32_t model_job_device(const struct model_job *job);
/* Returns the value of an apply; MODEL_UNKNOWN if none was received. */
uint64_t model_job_metric_value(const struct model_job *job, uint32_t metric, uint32_t apply);

#endif

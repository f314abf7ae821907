/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * import_build.h: makes a job from the rows of a printed profile. Rows may come in any order; rows
 * with equal keys are one row. All names are borrowed. json_read.h has the limits.
 *
 * Every call may fail for want of memory or at a limit; it then sets `wrong`, adds nothing, and
 * returns MODEL_NONE.
 */
#ifndef MODEL_IMPORT_BUILD_H
#define MODEL_IMPORT_BUILD_H

#include "model/job.h"

enum model_build_metric {
    MODEL_BUILD_INCL,        /* time with the ops inside */
    MODEL_BUILD_DEVICE,      /* time of a device for the op alone */
    MODEL_BUILD_DEVICE_INCL, /* time of a device, with the ops inside */
    MODEL_BUILD_MEMORY,      /* bytes allocated by the op alone */
    MODEL_BUILD_DEVICE_MEMORY,
    MODEL_BUILD_METRICS
};

/* What is known about an apply. Times in ns. */
struct model_build_value {
    uint64_t calls;
    uint64_t ns;                          /* MODEL_UNKNOWN: no call has a time */
    uint64_t min_ns, max_ns;              /* or MODEL_UNKNOWN */
    uint64_t metric[MODEL_BUILD_METRICS]; /* or MODEL_UNKNOWN */
    bool uncounted;                       /* the number of calls is unknown */
};
extern const struct model_build_value model_build_nothing;

struct model_build_name;
struct model_build {
    struct model_job *job;
    const char *wrong;               /* phrased to follow "it"; NULL: nothing. Static */
    struct model_build_value *value; /* by apply */
    uint32_t capacity;
    struct model_build_name *name; /* hash table */
    uint32_t names, slots;
    char *text; /* of all keys */
    size_t text_size, text_capacity;
    uint64_t unread;  /* lines or events that could not be read */
    const char *item; /* "line" or "event" */
    bool metrics[MODEL_BUILD_METRICS];
};

/* Returns false if there is no memory. */
bool model_build_init(struct model_build *build);
/* Releases everything, with the job unless it was taken. */
void model_build_release(struct model_build *build);
/* Gives the finished job to the caller: it has ended, and is complete. NULL: see `wrong`. */
struct model_job *model_build_take(struct model_build *build);

uint32_t model_build_class(struct model_build *build, struct model_bytes name);
/* `nth`: tells ops of one name apart, from 0. */
uint32_t model_build_op(struct model_build *build, uint32_t op_class, struct model_bytes name,
                        uint32_t nth);
/* Adds a function; its calls are unknown until model_job_set_calls(). */
uint32_t model_build_function(struct model_build *build, struct model_bytes name,
                              struct model_bytes file, uint32_t line, uint32_t parent);
/* Finds or adds the function with this name. */
uint32_t model_build_function_named(struct model_build *build, struct model_bytes name);
/* Adds an apply. */
uint32_t model_build_apply(struct model_build *build, const struct model_apply_raw *raw);
/* Finds or adds the apply with this function, op and text. */
uint32_t model_build_apply_named(struct model_build *build, const struct model_apply_raw *raw);

/* Finds the number of a key, or gives it the number `next`. Kinds are letters; the rows above
 * have lower-case ones. */
uint32_t model_build_number(struct model_build *build, char kind, uint32_t of, uint32_t more,
                            struct model_bytes text, uint32_t next);
/* Returns the number of a key, or MODEL_NONE. */
uint32_t model_build_look_up(struct model_build *build, char kind, uint32_t of, uint32_t more,
                             struct model_bytes text);

/* Adds a value to an apply. Sums saturate. */
void model_build_add(struct model_build *build, uint32_t apply,
                     const struct model_build_value *value);

/* Texts of the job: framework and program. */
void model_build_set_text(struct model_build *build, struct model_text *field,
                          struct model_bytes text);

/* Adds a sentence to the notices of the job. `level` as in struct model_notice. */
void model_build_notice(struct model_build *build, unsigned level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Counts a line, or an event, that cannot be read. The first ones are quoted in a notice. `what`:
 * "no row of a profile". */
void model_build_unread(struct model_build *build, uint64_t number, struct model_bytes text,
                        const char *what);

struct model_bytes model_bytes_of(const char *text);
/* Without blanks at both ends. */
struct model_bytes model_bytes_trim(struct model_bytes text);
bool model_bytes_begin(struct model_bytes text, const char *with);
bool model_bytes_equal(struct model_bytes text, const char *with);
/* Position of a word in a text, or SIZE_MAX. */
size_t model_bytes_find(struct model_bytes text, const char *word);
struct model_bytes model_bytes_from(struct model_bytes text, size_t at);

#endif

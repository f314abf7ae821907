/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * import_text.h: the formats that are texts of lines. A file may hold several prints, of one or
 * more formats, among other output; each line is offered to the format that is being read, then
 * to the others, which know their first lines.
 */
#ifndef MODEL_IMPORT_TEXT_H
#define MODEL_IMPORT_TEXT_H

#include "model/import_profile.h"
#include "model/import_row.h"

enum { MODEL_COUNTERS_READ = 1 << 16 }; /* counters and spans of a file */

enum model_taken {
    MODEL_NOT_MINE, /* the print has ended before this line */
    MODEL_TAKEN,
    MODEL_UNREADABLE, /* the line stands in a table and is no row of it */
};

/* What has been read of a profile of the Theano family, or of ProfileMode. */
struct model_theano {
    struct model_heading heading;
    unsigned place; /* private to import_theano.c and import_profilemode.c */
    unsigned bad;   /* lines that could not be read, one after the other */
    enum model_profile_table title;
    uint64_t local_ns;
};

/* The columns of a table of torch. */
enum { MODEL_TORCH_COLUMNS = 32 };
struct model_torch {
    unsigned place;
    unsigned columns;
    uint32_t from[MODEL_TORCH_COLUMNS], to[MODEL_TORCH_COLUMNS]; /* in characters */
    uint8_t what[MODEL_TORCH_COLUMNS];
    char unit[MODEL_TORCH_COLUMNS]; /* of operations: k, M, G */
    uint32_t function;
};

/* A table of MXNet's statistics. */
struct model_mxnet {
    unsigned place;
    unsigned form;
    size_t category_size;
    char category[256];
};

/* One file while it is read. */
struct model_importing {
    struct model_build build;
    struct model_profiles profiles;
    uint64_t line;
    struct model_theano theano;
    struct model_torch torch;
    struct model_mxnet mxnet;
    uint64_t events;   /* of a trace */
    uint64_t outside;  /* lines that belong to no print */
    uint64_t negative; /* self times below 0, which are unknown */
    uint64_t half_ns;  /* largest rounding of a printed time; 0: none is known */
};

struct model_text_format {
    const char *name; /* "profile of Theano, Aesara or PyTensor" */
    const char *row;  /* of a line that cannot be read: "no row of a profile" */
    bool (*begins)(struct model_bytes line);
    /* Takes a line; the first one is one that begins() has found. */
    enum model_taken (*take)(struct model_importing *in, struct model_bytes line);
};
extern const struct model_text_format model_import_theano, model_import_profilemode,
    model_import_torch, model_import_mxnet;

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * waiting.c: the waiting of applies, and THE table of names of waiting classes.
 */
#include "model/waiting.h"

#include <string.h>

enum { NAME_MAX_BYTES = 128 };

const char *const model_waits_words[MODEL_ASIDE + 1] = {"works", "waits", "waits_for_jobs",
                                                        "aside"};

/* Names are compared in lower case, without `_` and `-`: "AllReduce", "all_reduce",
 * "c10d::allreduce_". */
struct wait_name {
    const char *word;
    bool whole; /* must match everything after the last `.`, `:` or `/`; else any part matches */
};

static const struct wait_name names[] = {
    {"allreduce", false},  {"allgather", false},   {"alltoall", false}, {"reducescatter", false},
    {"barrier", false},    {"pushpull", false},    {"kvstore", false},  {"nccl", false},
    {"mpisend", false},    {"mpirecv", false},     {"mpiwait", false},  {"mpibcast", false},
    {"waitfor", false},    {"push", true},         {"pull", true},      {"wait", true},
    {"recv", true},        {"irecv", true},        {"send", true},      {"isend", true},
    {"bcast", true},
};

static bool is_joint(char c)
{
    return c == '.' || c == ':' || c == '/';
}

/* Copies a name in lower case without `_` and `-`. Sets `joint` to the position after the last
 * joint. Returns the size. */
static size_t squeeze(const char *name, size_t size, char out[NAME_MAX_BYTES], size_t *joint)
{
    size_t used = 0;
    *joint = 0;
    for (size_t i = 0; i < size && used + 1 < NAME_MAX_BYTES; i++) {
        char c = name[i];
        if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        if (c == '_' || c == '-')
            continue;
        if (is_joint(c))
            *joint = used + 1;
        out[used++] = c;
    }
    out[used] = '\0';
    return used;
}

bool model_waiting(const char *name, size_t size)
{
    char word[NAME_MAX_BYTES];
    size_t joint;
    /* A NUL in the name shortens the comparison. No name in the table has one. */
    if (squeeze(name, size, word, &joint) == 0)
        return false;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const struct wait_name *known = &names[i];
        if (known->whole ? strcmp(word + joint, known->word) == 0
                         : strstr(word, known->word) != NULL)
            return true;
    }
    return false;
}

enum model_waits model_waiting_apply(const struct model_job *job, uint32_t apply)
{
    const struct model_apply_def *def = model_job_apply(job, apply);
    if (def->waits != MODEL_WORKS)
        return def->waits;
    const uint32_t op_class = model_job_op(job, def->op)->op_class;
    const struct model_text *name = &model_job_class(job, op_class)->name;
    return model_waiting(name->raw, name->raw_size) ? MODEL_WAITS_FOR_JOBS : MODEL_WORKS;
}

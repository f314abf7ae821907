/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * job.c: lifetime, identity, notices and stamps of a job.
 */
#include "model/compile.h"
#include "model/job_private.h"
#include "model/moment.h"

#include <stdlib.h>
#include <string.h>

const char *const model_choices[MODEL_CHOICES] = {"symbolic", "imperative", "api", "memory"};

static void identity_init(struct model_identity *identity, const uint8_t instance[16])
{
    memcpy(identity->instance, instance, sizeof(identity->instance));
    struct model_text *text = &identity->host;
    for (unsigned i = 0; i < MODEL_IDENTITY_TEXTS; i++)
        text[i] = model_text_empty;
    identity->rank = identity->local_rank = identity->size = MODEL_UNKNOWN;
    identity->cost = identity->least = identity->budget = -1;
    identity->share = 1;
    for (unsigned i = 0; i < MODEL_CHOICES; i++)
        identity->choice[i] = -1;
    identity->counted = MODEL_UNKNOWN;
    identity->own_ns = identity->own_error_ns = identity->insecure = MODEL_UNKNOWN;
    identity->collecting = true;
}

bool model_identity_insecure(const struct model_identity *identity)
{
    return identity->insecure != 0 && identity->insecure != MODEL_UNKNOWN;
}

struct model_job *model_job_new(const uint8_t instance[16])
{
    struct model_job *job = calloc(1, sizeof(*job));
    if (!job)
        return NULL;
    job->references = 1;
    identity_init(&job->identity, instance);
    return job;
}

struct model_job *model_job_retain(struct model_job *job)
{
    if (job)
        job->references++;
    return job;
}

static void job_free(struct model_job *job)
{
    model_arena_release(&job->texts);
    for (unsigned i = 0; i < MODEL_TABLES; i++)
        free(job->def[i].data);
    for (unsigned i = 0; i < MODEL_IDENTITY_TEXTS; i++)
        model_arena_release(&job->identity_text[i]);
    for (unsigned i = 0; i < MODEL_NOTICES_KEPT; i++)
        model_arena_release(&job->notice_text[i]);
    free(job->line_index.slot);
    free(job->label_index.slot);
    free(job->displays.data);
    model_values_release(&job->values);
    free(job->now_before);
    free(job->compiling.data);
    free(job->compiled);
    model_job_about_release(job);
    model_timeline_release(&job->timeline);
    for (uint32_t i = 0; i < job->sets; i++)
        free(job->set[i].function);
    free(job->set);
    free(job);
}

void model_job_release(struct model_job **job)
{
    if (*job && --(*job)->references == 0)
        job_free(*job);
    *job = NULL;
}

/* --------------------------------------------------------------------------------- identity */

_Static_assert(offsetof(struct model_identity, lost) - offsetof(struct model_identity, host) ==
                   (MODEL_IDENTITY_TEXTS - 1) * sizeof(struct model_text),
               "the texts of an identity stand together");

struct model_identity *model_job_identity_mutable(struct model_job *job)
{
    return &job->identity;
}

const struct model_identity *model_job_identity(const struct model_job *job)
{
    return &job->identity;
}

bool model_job_set_text(struct model_job *job, struct model_text *field, const char *bytes,
                        size_t size)
{
    ptrdiff_t at = field - &job->identity.host;
    if (at < 0 || at >= MODEL_IDENTITY_TEXTS)
        return false;
    if (field->raw_size == size && (size == 0 || !memcmp(field->raw, bytes, size)))
        return true;
    struct model_arena arena = {0};
    struct model_text text;
    if (!model_text_make(&arena, bytes, size, &text)) {
        model_arena_release(&arena);
        return false;
    }
    /* A repaired text differs from its bytes each time, but its old memory is reused. */
    model_arena_release(&job->identity_text[at]);
    job->identity_text[at] = arena;
    *field = text;
    return true;
}

/* ---------------------------------------------------------------------------------- notices */

bool model_job_add_notice(struct model_job *job, uint64_t wall_ns, unsigned level, const char *text,
                          size_t size)
{
    struct model_arena arena = {0};
    struct model_notice notice = {.wall_ns = wall_ns, .level = (uint8_t)(level > 2 ? 0 : level)};
    if (!model_text_make(&arena, text, size, &notice.text)) {
        model_arena_release(&arena);
        return false;
    }
    size_t at = (job->notice_first + job->notices) % MODEL_NOTICES_KEPT;
    if (job->notices < MODEL_NOTICES_KEPT)
        job->notices++;
    else
        job->notice_first = (job->notice_first + 1) % MODEL_NOTICES_KEPT;
    model_arena_release(&job->notice_text[at]);
    job->notice_text[at] = arena;
    job->notice[at] = notice;
    return true;
}

const struct model_notice *model_job_notice(const struct model_job *job, size_t at)
{
    if (at >= job->notices)
        return NULL;
    return &job->notice[(job->notice_first + at) % MODEL_NOTICES_KEPT];
}

static bool same_notice(const struct model_notice *a, const struct model_notice *b)
{
    return a->level == b->level && a->text.raw_size == b->text.raw_size &&
           memcmp(a->text.raw, b->text.raw, a->text.raw_size) == 0;
}

size_t model_job_notice_times(const struct model_job *job, size_t at)
{
    size_t times = 0;
    for (size_t i = 0; i < job->notices; i++) {
        if (!same_notice(model_job_notice(job, i), model_job_notice(job, at)))
            continue;
        if (i > at)
            return 0;
        times++;
    }
    return times;
}

size_t model_job_notices(const struct model_job *job)
{
    return job->notices;
}

/* ----------------------------------------------------------------------------------- stamps */

void model_job_set_stamp(struct model_job *job, uint64_t mono_ns, uint64_t wall_ns)
{
    /* Frames of several topics may arrive out of order. */
    if (mono_ns < job->mono_ns)
        return;
    job->mono_ns = mono_ns;
    job->wall_ns = wall_ns;
}

void model_job_set_values_stamp(struct model_job *job, uint64_t mono_ns)
{
    if (mono_ns > job->values_ns)
        job->values_ns = mono_ns;
    if (job->moving && mono_ns > job->moved_ns)
        job->moved_ns = mono_ns;
    job->moving = false;
}

uint64_t model_job_moved_ns(const struct model_job *job)
{
    return job->moved_ns;
}

uint64_t model_job_values_ns(const struct model_job *job)
{
    return job->values_ns;
}

void model_job_set_complete(struct model_job *job)
{
    job->complete = true;
}

void model_job_set_ended(struct model_job *job, bool ended)
{
    job->ended = ended;
}

bool model_job_ended(const struct model_job *job)
{
    return job->ended;
}

uint64_t model_job_mono_ns(const struct model_job *job)
{
    return job->mono_ns;
}

uint64_t model_job_wall_ns(const struct model_job *job)
{
    return job->wall_ns;
}

bool model_job_complete(const struct model_job *job)
{
    return job->complete;
}

uint32_t model_job_epoch(const struct model_job *job)
{
    return job->epoch;
}

size_t model_job_text_bytes(const struct model_job *job)
{
    return job->texts.bytes;
}

size_t model_job_bytes(const struct model_job *job)
{
    static const size_t row[MODEL_TABLES] = {
        [MODEL_CLASS] = sizeof(struct model_class_def),
        [MODEL_OP] = sizeof(struct model_op_def),
        [MODEL_FUNCTION] = sizeof(struct model_function_def),
        [MODEL_LINE] = sizeof(struct model_line_def),
        [MODEL_APPLY] = sizeof(struct model_apply_def),
        [MODEL_THREAD] = sizeof(struct model_thread_def),
        [MODEL_COUNTER] = sizeof(struct model_counter_def),
        [MODEL_SPAN] = sizeof(struct model_span_def),
        [MODEL_MARKER] = sizeof(struct model_marker_def),
    };
    size_t bytes = sizeof(*job) + job->texts.bytes;
    for (unsigned i = 0; i < MODEL_TABLES; i++)
        bytes += job->def[i].capacity * row[i];
    for (unsigned i = 0; i < MODEL_IDENTITY_TEXTS; i++)
        bytes += job->identity_text[i].bytes;
    for (unsigned i = 0; i < MODEL_NOTICES_KEPT; i++)
        bytes += job->notice_text[i].bytes;
    bytes += (job->line_index.slots + job->label_index.slots) * sizeof(uint32_t);
    bytes += model_values_bytes(&job->values) + model_job_about_bytes(job);
    bytes += job->compiling.capacity * sizeof(struct model_compile_def) + job->compiled_bytes;
    return bytes + job->nows_before * sizeof(*job->now_before);
}

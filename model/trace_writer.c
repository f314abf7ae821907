/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * trace_writer.c: the parts of Chrome's trace format that all writers of it share.
 */
#include "model/trace_writer.h"

const struct model_text *model_trace_op(const struct model_job *job, uint32_t apply)
{
    const struct model_op_def *op = model_job_op(job, model_job_apply(job, apply)->op);
    return op->display.raw_size ? &op->display : &op->text;
}

void model_trace_put_begin(struct model_put *p)
{
    model_put_word(p, p->rows ? ",\n" : "");
    p->rows = true;
    model_put_open(p);
}

void model_trace_put_args(struct model_put *p)
{
    model_put_key(p, "args");
    model_put_open(p);
}

void model_trace_put_end(struct model_put *p)
{
    model_put_close(p);
    model_put_close(p);
}

void model_trace_put_time(struct model_put *p, const char *key, uint64_t ns)
{
    const char decimals[] = {'.', (char)('0' + ns % 1000 / 100), (char)('0' + ns % 100 / 10),
                             (char)('0' + ns % 10)};
    model_put_key(p, key);
    model_put_u64(p, ns / 1000);
    model_put_bytes(p, decimals, sizeof decimals);
}

void model_trace_put_text(struct model_put *p, const char *key, const struct model_text *text)
{
    model_put_key(p, key);
    model_put_string(p, model_text_raw(text), text->raw_size);
}

void model_trace_put_word(struct model_put *p, const char *key, const char *text)
{
    model_put_key(p, key);
    model_put_quoted(p, text);
}

void model_trace_put_number(struct model_put *p, const char *key, uint64_t value)
{
    model_put_key(p, key);
    model_put_u64(p, value);
}

void model_trace_put_name(struct model_put *p, const char *what, uint64_t pid, uint64_t tid,
                          const char *name, size_t size)
{
    model_trace_put_begin(p);
    model_trace_put_word(p, "name", what);
    model_trace_put_word(p, "ph", "M");
    model_trace_put_number(p, "pid", pid);
    model_trace_put_number(p, "tid", tid);
    model_trace_put_args(p);
    model_put_key(p, "name");
    model_put_string(p, name, size);
    model_trace_put_end(p);
}

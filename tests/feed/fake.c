/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * fake.c: see fake.h.
 */
#include "config.h"

#include "fake.h"

#include "../tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zmq.h>

void fake_init(struct fake *fake, uint8_t instance)
{
    memset(fake, 0, sizeof *fake);
    memset(fake->instance, instance, sizeof fake->instance);
    fake->epoch = 1;
    fake->mono_ns = 1000;
    fake->wall_ns = 5000;
    fake->defs[WIRE_T_CLASS] = FAKE_CLASSES;
    fake->defs[WIRE_T_OP] = FAKE_OPS;
    fake->defs[WIRE_T_FUNCTION] = FAKE_FUNCTIONS;
    fake->defs[WIRE_T_APPLY] = FAKE_APPLIES;
    fake->defs[WIRE_T_THREAD] = FAKE_THREADS;
}

void fake_work(struct fake *fake, unsigned calls)
{
    fake->tick++;
    fake->mono_ns += 100000000;
    fake->wall_ns += 100000000;
    for (unsigned i = 0; i < FAKE_APPLIES; i++) {
        fake->calls[i] += calls;
        fake->total_ns[i] += calls * (10 + i);
    }
}

static struct wire_writer begin(struct fake *fake, enum wire_stream stream, uint32_t function,
                                uint64_t req)
{
    struct wire_writer w;
    uint64_t *seq = stream == WIRE_APPLIES ? &fake->seq_of[function] : &fake->seq[stream];
    *seq += req == 0;
    wire_begin(&w, fake->bytes, sizeof fake->bytes, stream, function);
    wire_put_u64(&w, WIRE_F_VER, WIRE_VERSION);
    wire_put_bin16(&w, WIRE_F_INST, fake->instance);
    wire_put_u64(&w, WIRE_F_EPOCH, fake->epoch);
    wire_put_u64(&w, WIRE_F_SEQ, *seq);
    wire_put_u64(&w, WIRE_F_TICK, fake->tick);
    wire_put_u64(&w, WIRE_F_MONO, fake->mono_ns);
    wire_put_u64(&w, WIRE_F_WALL, fake->wall_ns);
    wire_put_counts(&w, WIRE_F_DEFS, fake->defs);
    if (req > 0)
        wire_put_u64(&w, WIRE_F_REQ, req);
    return w;
}

static void end(struct fake *fake, struct wire_writer *w)
{
    fake->size = wire_end(w);
    ck_assert_uint_gt(fake->size, 0);
}

static struct wire_text text_of(const char *text)
{
    return (struct wire_text){text, (uint32_t)strlen(text)};
}

void fake_defs(struct fake *fake, uint64_t req)
{
    static const uint32_t none[WIRE_TABLES];
    fake_defs_from(fake, req, none);
}

void fake_defs_from(struct fake *fake, uint64_t req, const uint32_t from[WIRE_TABLES])
{
    static const char *const names[] = {"mul", "add", "dot"};
    struct wire_text name[FAKE_APPLIES], none[FAKE_APPLIES];
    uint64_t function[FAKE_APPLIES], op[FAKE_APPLIES], zero[FAKE_APPLIES] = {0};
    uint64_t index[FAKE_APPLIES], parent[] = {0, FAKE_PARENT + 1};
    for (unsigned i = 0; i < FAKE_APPLIES; i++) {
        name[i] = text_of(names[i % 3]);
        none[i] = text_of("");
        function[i] = i >= FAKE_APPLIES / 2;
        op[i] = i % 3;
        index[i] = i;
    }
    const struct wire_source columns[][WIRE_COLUMNS] = {
        {{.text = name + from[WIRE_T_CLASS]}},
        {{.u = zero}, {.text = name + from[WIRE_T_OP]}},
        {{.text = name + from[WIRE_T_FUNCTION]},
         {.text = none},
         {.u = zero},
         {.u = parent + from[WIRE_T_FUNCTION]},
         {.u = zero},
         {.u = zero}},
        {{.u = function + from[WIRE_T_APPLY]},
         {.u = op + from[WIRE_T_APPLY]},
         {.u = index + from[WIRE_T_APPLY]},
         {.text = none},
         {.text = none},
         {.u = zero},
         {.u = zero},
         {.u = zero},
         {.u = zero}},
        {{.text = name}, {.u = zero}},
    };
    static const enum wire_table tables[] = {WIRE_T_CLASS, WIRE_T_OP, WIRE_T_FUNCTION, WIRE_T_APPLY,
                                             WIRE_T_THREAD};
    struct wire_writer w = begin(fake, WIRE_DEFS, 0, req);
    for (unsigned i = 0; i < 5; i++)
        wire_put_group(&w, WIRE_G_CLASS + i, from[tables[i]],
                       fake->defs[tables[i]] - from[tables[i]], columns[i]);
    end(fake, &w);
}

void fake_hello(struct fake *fake, uint64_t req, bool bye)
{
    struct wire_writer w = begin(fake, WIRE_HELLO, 0, req);
    wire_put_text(&w, WIRE_F_HOST, "nowhere");
    wire_put_u64(&w, WIRE_F_PID, 1234);
    wire_put_text(&w, WIRE_F_PROGRAM, "fake");
    wire_put_f64(&w, WIRE_F_COST, 0.25);
    wire_put_f64(&w, WIRE_F_LEAST, 0.125);
    wire_put_f64(&w, WIRE_F_BUDGET, 0.0625);
    wire_put_f64(&w, WIRE_F_COST_SYMBOLIC, 0.03125);
    wire_put_f64(&w, WIRE_F_COST_MEMORY, 0);
    wire_put_u64(&w, WIRE_F_LAST_E, fake->seq[WIRE_NOTICES]);
    wire_put_u64(&w, WIRE_F_LAST_R, fake->seq[WIRE_REWRITES]);
    wire_put_u64(&w, WIRE_F_OWN, 250);
    wire_put_u64(&w, WIRE_F_OWNERR, 50);
    if (bye) {
        const uint64_t id[] = {0, 1};
        const struct wire_source columns[] = {{.u = id}, {.u = fake->seq_of}};
        wire_put_u64(&w, WIRE_F_BYE, 1);
        wire_put_u64(&w, WIRE_F_LAST_H, fake->seq[WIRE_HELLO]);
        wire_put_u64(&w, WIRE_F_LAST_D, fake->seq[WIRE_DEFS]);
        wire_put_u64(&w, WIRE_F_LAST_F, fake->seq[WIRE_FUNCTIONS]);
        wire_put_u64(&w, WIRE_F_LAST_N, fake->seq[WIRE_NOW]);
        wire_put_group(&w, WIRE_G_LAST, 0, FAKE_FUNCTIONS, columns);
    }
    end(fake, &w);
}

void fake_functions(struct fake *fake, uint64_t req)
{
    const uint64_t id[] = {0, 1}, calls[] = {fake->tick, WIRE_UNKNOWN};
    const uint64_t ns[] = {fake->tick * 100, WIRE_UNKNOWN}, none[] = {WIRE_UNKNOWN, WIRE_UNKNOWN};
    const uint64_t compile[] = {700, WIRE_UNKNOWN};
    const struct wire_source of_calls[] = {
        {.u = id}, {.u = calls}, {.u = ns}, {.u = none}, {.u = none}};
    const struct wire_source of_compile[] = {{.u = id},   {.u = compile}, {.u = none},
                                             {.u = none}, {.u = none},    {.u = none}};
    struct wire_writer w = begin(fake, WIRE_FUNCTIONS, 0, req);
    wire_put_group(&w, WIRE_G_CALLS, 0, 2, of_calls);
    wire_put_group(&w, WIRE_G_COMPILE, 0, 2, of_compile);
    end(fake, &w);
}

void fake_values(struct fake *fake, uint64_t req, uint32_t function, uint32_t of)
{
    uint64_t id[FAKE_APPLIES], calls[FAKE_APPLIES], total[FAKE_APPLIES];
    uint64_t last[FAKE_APPLIES], timed[FAKE_APPLIES];
    uint32_t n = 0;
    const uint32_t half = FAKE_APPLIES / 2;
    for (uint32_t i = function * half; i < (function + 1) * half; i++)
        if (i % of == fake->tick % of) {
            id[n] = i;
            calls[n] = timed[n] = fake->calls[i];
            total[n] = fake->total_ns[i];
            last[n] = 10 + i;
            n++;
        }
    const struct wire_source v[] = {{.u = id}, {.u = calls}, {.u = total}, {.u = last}};
    const struct wire_source x[] = {{.u = id}, {.u = last}, {.u = last}, {.u = timed}};
    struct wire_writer w = begin(fake, WIRE_APPLIES, function, req);
    wire_put_group(&w, WIRE_G_V, 0, n, v);
    wire_put_group(&w, WIRE_G_X, 0, n, x);
    end(fake, &w);
}

void fake_now(struct fake *fake, uint64_t req)
{
    const uint64_t thread = 0, apply = 8, since = fake->mono_ns - 500;
    const struct wire_source columns[] = {{.u = &thread}, {.u = &apply}, {.u = &since}};
    struct wire_writer w = begin(fake, WIRE_NOW, 0, req);
    wire_put_group(&w, WIRE_G_NOW, 0, 1, columns);
    end(fake, &w);
}

void fake_notice(struct fake *fake, uint64_t req, const char *text)
{
    const uint64_t wall = fake->wall_ns, level = 1;
    const struct wire_text words = text_of(text);
    const struct wire_source columns[] = {{.u = &wall}, {.u = &level}, {.text = &words}};
    struct wire_writer w = begin(fake, WIRE_NOTICES, 0, req);
    wire_put_group(&w, WIRE_G_NOTICE, 0, 1, columns);
    end(fake, &w);
}

void fake_phase(struct fake *fake, uint64_t req, uint64_t number)
{
    const uint64_t none = 0, one = 1;
    const struct wire_text name = text_of("merge");
    const struct wire_source columns[] = {
        {.u = &number}, {.u = &one}, {.u = &none}, {.u = &none}, {.u = &one}, {.text = &name},
        {.u = &one},    {.u = &one}, {.u = &one},  {.u = &one},  {.u = &one}, {.u = &none}};
    struct wire_writer w = begin(fake, WIRE_REWRITES, 0, req);
    wire_put_group(&w, WIRE_G_PHASE, 0, 1, columns);
    end(fake, &w);
}

void fake_reply(struct fake *fake, uint64_t req, const char *re, bool ok, uint64_t chunks)
{
    struct wire_writer w = begin(fake, WIRE_REPLY, 0, req);
    wire_put_text(&w, WIRE_F_RE, re);
    wire_put_u64(&w, WIRE_F_OK, ok);
    if (ok)
        wire_put_u64(&w, WIRE_F_CHUNKS, chunks);
    else
        wire_put_text(&w, WIRE_F_TEXT, "no room\x1b[2J");
    end(fake, &w);
}

bool fake_equals(const struct fake *fake, const struct model_job *job)
{
    const struct model_apply_value *value = model_job_apply_values(job);
    if (model_job_count(job, MODEL_APPLY) != FAKE_APPLIES)
        return false;
    for (unsigned i = 0; i < FAKE_APPLIES; i++)
        if (value[i].calls != fake->calls[i] || value[i].total_ns != fake->total_ns[i])
            return false;
    return true;
}

/* ------------------------------------------------------------------------------------- sockets */

void fake_bind(struct fake *fake)
{
    const int zero = 0;
    if (fake->dir[0] == '\0') {
        tap_folder(fake->dir, sizeof fake->dir, "fake");
        snprintf(fake->facts_at, sizeof fake->facts_at, "ipc://%s/job.pub", fake->dir);
        snprintf(fake->control_at, sizeof fake->control_at, "ipc://%s/job.ctl", fake->dir);
    }
    fake->zmq = zmq_ctx_new();
    fake->facts = zmq_socket(fake->zmq, ZMQ_XPUB);
    fake->control = zmq_socket(fake->zmq, ZMQ_ROUTER);
    zmq_setsockopt(fake->facts, ZMQ_LINGER, &zero, sizeof zero);
    zmq_setsockopt(fake->control, ZMQ_LINGER, &zero, sizeof zero);
    ck_assert_int_eq(zmq_bind(fake->facts, fake->facts_at), 0);
    ck_assert_int_eq(zmq_bind(fake->control, fake->control_at), 0);
}

void fake_unbind(struct fake *fake)
{
    if (!fake->zmq)
        return;
    zmq_close(fake->facts);
    zmq_close(fake->control);
    zmq_ctx_term(fake->zmq);
    fake->zmq = NULL;
}

void fake_release(struct fake *fake)
{
    fake_unbind(fake);
    if (fake->dir[0] == '\0')
        return;
    unlink(fake->facts_at + strlen("ipc://"));
    unlink(fake->control_at + strlen("ipc://"));
    rmdir(fake->dir);
}

void fake_publish(struct fake *fake)
{
    ck_assert_int_ge(zmq_send(fake->facts, fake->bytes, fake->size, ZMQ_DONTWAIT), 0);
}

void fake_answer(struct fake *fake)
{
    zmq_send(fake->control, fake->viewer, fake->viewer_size, ZMQ_SNDMORE | ZMQ_DONTWAIT);
    zmq_send(fake->control, fake->bytes, fake->size, ZMQ_DONTWAIT);
}

void fake_snapshot(struct fake *fake)
{
    const uint64_t req = fake->asked;
    bool all = strcmp(fake->want, "DFANERICSMP") == 0;
    fake_defs_from(fake, req, fake->from);
    fake_answer(fake);
    if (all) {
        fake_functions(fake, req);
        fake_answer(fake);
        fake_values(fake, req, 0, 1);
        fake_answer(fake);
        fake_values(fake, req, 1, 1);
        fake_answer(fake);
        fake_now(fake, req);
        fake_answer(fake);
    }
    fake_reply(fake, req, "snapshot", true, all ? 5 : 1);
    fake_answer(fake);
}

static void serve_one(struct fake *fake, const struct wire_frame *frame)
{
    const struct wire_text word = frame->field[WIRE_F_Q].text;
    const uint64_t req = frame->field[WIRE_F_REQ].u;
    if (word.size == 5 && memcmp(word.data, "hello", 5) == 0) {
        fake->hellos++;
        fake_hello(fake, req, false);
        fake_answer(fake);
    } else if (word.size == 8) {
        const struct wire_text want = frame->field[WIRE_F_WANT].text;
        fake->snapshots++;
        snprintf(fake->want, sizeof fake->want, "%.*s", (int)want.size, want.data);
        memcpy(fake->from, frame->from, sizeof fake->from);
        fake->asked = req;
        if (!fake->mute)
            fake_snapshot(fake);
    } else if (word.size == 4) {
        fake->mores++;
    } else {
        fake->acks++;
    }
}

void fake_serve(struct fake *fake)
{
    uint8_t bytes[WIRE_REQUEST_MAX];
    struct wire_frame frame;
    while (zmq_recv(fake->facts, bytes, sizeof bytes, ZMQ_DONTWAIT) >= 0)
        continue;
    for (int size;
         (size = zmq_recv(fake->control, fake->viewer, sizeof fake->viewer, ZMQ_DONTWAIT)) >= 0;) {
        fake->viewer_size = (size_t)size;
        size = zmq_recv(fake->control, bytes, sizeof bytes, ZMQ_DONTWAIT);
        ck_assert_int_gt(size, 0);
        ck_assert_int_eq(wire_read(bytes, (size_t)size, &frame), WIRE_OK);
        serve_one(fake, &frame);
    }
}

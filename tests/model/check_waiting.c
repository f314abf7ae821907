/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_waiting.c: checks which classes are known to wait, and which similar names are not.
 */
#include "../tap.h"
#include "sample.h"
#include "model/waiting.h"

static bool waits(const char *name)
{
    return model_waiting(name, strlen(name));
}

static const char *const waiting[] = {
    "AllReduce",        "all_reduce",     "c10d::allreduce_", "c10d::_allgather_base_",
    "ncclKernel",       "HorovodAllreduce", "KVStorePush",    "kvstore.Pull",
    "push",             "Barrier",        "MPIRecvWait",      "theano.tensor.io.MPISendWait",
    "reduce-scatter",   "AllToAll",       "dist/pull",        "aten::wait",
};

START_TEST(those_that_wait)
{
    ck_assert_msg(waits(waiting[_i]), "%s", waiting[_i]);
}
END_TEST

/* Names of frameworks' own ops, and names that merely resemble waiting ones. */
static const char *const working[] = {
    "tensor.elemwise.Elemwise", "Dot",           "broadcast_add", "PushBack", "pulley",
    "Send2Trash",               "gather",        "Scatter",       "reduce_sum", "AllClose",
    "aten::wait_tensor_like",   "",              "_",             "...",      "Convolution",
};

START_TEST(those_that_work)
{
    ck_assert_msg(!waits(working[_i]), "%s", working[_i]);
}
END_TEST

START_TEST(names_of_any_length_and_bytes)
{
    char long_name[5000];
    memset(long_name, 'x', sizeof(long_name));
    ck_assert(!model_waiting(long_name, sizeof(long_name)));
    memcpy(long_name, "barrier", 7);
    ck_assert(model_waiting(long_name, sizeof(long_name)));
    ck_assert(!model_waiting("\0barrier", 1));
    ck_assert(!model_waiting("barrier", 6));
}
END_TEST

/* The word that an apply sends about itself overrides the name of its class. */
START_TEST(the_word_of_an_apply_counts_more)
{
    struct model_job *job = sample_empty();
    sample_class(job, "kvstore.Pull");
    sample_class(job, "Engine");
    sample_op(job, 0, "pull");
    sample_op(job, 1, "halo exchange");
    sample_function(job, "f", MODEL_NONE);
    static const struct {
        uint32_t op;
        uint8_t says;
        enum model_waits waits;
    } made[] = {{0, MODEL_WORKS, MODEL_WAITS_FOR_JOBS},
                {0, MODEL_WAITS, MODEL_WAITS},
                {1, MODEL_WORKS, MODEL_WORKS},
                {1, MODEL_WAITS_FOR_JOBS, MODEL_WAITS_FOR_JOBS},
                {0, MODEL_ASIDE, MODEL_ASIDE}};
    for (uint32_t i = 0; i < TAP_ROWS(made); i++) {
        const struct model_apply_raw raw = {.op = made[i].op, .waits = made[i].says};
        ck_assert(model_job_add_apply(job, &raw));
        ck_assert_int_eq(model_waiting_apply(job, i), made[i].waits);
    }
    model_job_release(&job);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("waiting");
    tap_add_loop(s, "those_that_wait", those_that_wait, sizeof(waiting) / sizeof(waiting[0]));
    tap_add_loop(s, "those_that_work", those_that_work, sizeof(working) / sizeof(working[0]));
    tap_add(s, "the_word_of_an_apply_counts_more", the_word_of_an_apply_counts_more);
    tap_add(s, "names_of_any_length_and_bytes", names_of_any_length_and_bytes);
    return s;
}
TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_listen.c: several jobs connect to one viewer. Each gets its own slot and its own answers,
 * and none can impersonate another.
 */
#include "tap.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "feed/viewer/remote/listen.h"
#include "proftop.h"

enum { JOBS = 3, PATIENCE_MS = 20000 };

static char folder[64], endpoint[128], why[256];
static void *zmq;
static struct viewer_listener *listener;
static struct viewer_subscriber *viewer[JOBS];
static pid_t job[JOBS]; /* 0: has been killed */
static int gate[JOBS];  /* sends each the start signal, with its number of rows */

/* A job with a requested number of rows, one call each, until it is killed. */
static void be_job(int told)
{
    int applies;
    if (read(told, &applies, sizeof applies) != (ssize_t)sizeof applies)
        _exit(1);
    struct proftop_options options = {.size = sizeof options, .program = "listened"};
    setenv("PROFTOP_CONNECT", endpoint, 1);
    struct proftop *feed = proftop_open(&options);
    proftop_id op = proftop_op(feed, proftop_class(feed, "class"), "op");
    struct proftop_function_info function = {.size = sizeof function, .name = "train"};
    struct proftop_apply_info apply = {.size = sizeof apply,
                                       .function = proftop_function(feed, &function),
                                       .op = op,
                                       .source = PROFTOP_GIVEN};
    for (int i = 0; i < applies; i++)
        proftop_record(feed, proftop_apply(feed, &apply), 5);
    for (;;)
        pause();
}

/* Forks all jobs before the viewer starts threads. A lock held by a thread during a fork would stay
 * locked in the job for ever. */
static void make_jobs(void)
{
    for (int i = 0; i < JOBS; i++) {
        int ends[2];
        ck_assert_int_eq(pipe(ends), 0);
        job[i] = fork();
        ck_assert_int_ge(job[i], 0);
        if (job[i] == 0)
            be_job(ends[0]);
        close(ends[0]);
        gate[i] = ends[1];
    }
}

static void start_job(int i, int applies)
{
    ck_assert_int_eq(write(gate[i], &applies, sizeof applies), (ssize_t)sizeof applies);
}

static void end_job(int i)
{
    if (job[i] > 0) {
        kill(job[i], SIGKILL);
        waitpid(job[i], NULL, 0);
    }
    job[i] = 0;
}

static void set_up(void)
{
    tap_folder(folder, sizeof folder, "listen");
    setenv("PROFTOP_DIR", folder, 1);
    snprintf(endpoint, sizeof endpoint, "ipc://%s/l.pub", folder);
    make_jobs();
    zmq = zmq_ctx_new();
    listener = viewer_listener_new(zmq, endpoint, NULL, why, sizeof why);
    ck_assert_msg(listener != NULL, "%s", why);
    ck_assert_uint_eq(viewer_listener_places(listener), 1);
}

static void tear_down(void)
{
    for (int i = 0; i < JOBS; i++) {
        viewer_subscriber_free(&viewer[i]);
        end_job(i);
        close(gate[i]);
    }
    viewer_listener_free(&listener);
    zmq_ctx_term(zmq);
    tap_remove(folder);
}

static void step(void)
{
    zmq_pollitem_t item[VIEWER_LISTEN_ITEMS];
    zmq_poll(item, (int)viewer_listener_items(listener, item), 5);
    viewer_listener_serve(listener);
    for (int i = 0; i < JOBS; i++)
        if (viewer[i])
            viewer_subscriber_drain(viewer[i], test_clock_ns(), TEST_MS_NS);
}

static void attach(size_t place)
{
    struct viewer_target target;
    viewer_listener_target(listener, place, &target);
    viewer[place] = viewer_subscriber_new(zmq, &target, test_clock_ns(), why, sizeof why);
    ck_assert_msg(viewer[place] != NULL, "%s", why);
}

static bool is_live(int at, unsigned applies)
{
    const struct model_job *seen = viewer[at] ? viewer_subscriber_job(viewer[at]) : NULL;
    return seen && viewer_subscriber_link(viewer[at])->state == MODEL_LIVE &&
           model_job_count(seen, MODEL_APPLY) == applies;
}

#define UNTIL(condition)                                                                           \
    for (uint64_t until = test_clock_ns() + PATIENCE_MS * TEST_MS_NS; !(condition);      \
         step())                                                                                   \
    ck_assert_msg(test_clock_ns() < until, "line %d: it did not come to pass: %s (%s)",       \
                  __LINE__, #condition,                                                            \
                  viewer[0] ? viewer_subscriber_link(viewer[0])->reason : "-")

/* Each slot has its job's rows and process. */
START_TEST(each_has_its_place)
{
    set_up();
    for (int i = 0; i < JOBS; i++) {
        start_job(i, 10 + i);
        if (i > 0)
            UNTIL(viewer_listener_places(listener) == (size_t)i + 1);
        attach((size_t)i);
        UNTIL(is_live(i, 10u + (unsigned)i));
    }
    for (int i = 0; i < JOBS; i++) {
        const struct model_identity *who = model_job_identity(viewer_subscriber_job(viewer[i]));
        ck_assert_uint_eq(who->pid, (uint64_t)job[i]);
        ck_assert_uint_eq(viewer_subscriber_link(viewer[i])->malformed, 0);
    }
    ck_assert_uint_eq(viewer_listener_refused(listener), 0);
    tear_down();
}
END_TEST

/* The end of a job is reported, and the next job of the program takes its slot. */
START_TEST(a_place_is_taken_over)
{
    set_up();
    start_job(0, 10);
    attach(0);
    UNTIL(is_live(0, 10));
    end_job(0);
    UNTIL(!is_live(0, 10));
    start_job(1, 12);
    UNTIL(is_live(0, 12));
    ck_assert_uint_eq(viewer_listener_places(listener), 1);
    ck_assert_uint_eq(viewer_subscriber_link(viewer[0])->gaps, 0);
    tear_down();
}
END_TEST

/* A second viewer of one slot, like one that attaches again: both get their answers. */
START_TEST(a_place_is_attached_to_twice)
{
    set_up();
    start_job(0, 10);
    attach(0);
    UNTIL(is_live(0, 10));
    struct viewer_subscriber *first = viewer[0];
    attach(0);
    UNTIL(is_live(0, 10));
    viewer[1] = first;
    UNTIL(is_live(1, 10));
    tear_down();
}
END_TEST

/* Malformed frames, and facts under another job's instance, reach no viewer. */
START_TEST(nobody_speaks_for_another)
{
    set_up();
    start_job(0, 10);
    attach(0);
    UNTIL(is_live(0, 10));
    char control[128];
    snprintf(control, sizeof control, "ipc://%s/l.ctl", folder);
    void *dealer = zmq_socket(zmq, ZMQ_DEALER), *pub = zmq_socket(zmq, ZMQ_XPUB);
    const int zero = 0;
    zmq_setsockopt(dealer, ZMQ_LINGER, &zero, sizeof zero);
    zmq_setsockopt(pub, ZMQ_LINGER, &zero, sizeof zero);
    ck_assert_int_eq(zmq_connect(dealer, control), 0);
    ck_assert_int_eq(zmq_connect(pub, endpoint), 0);
    char byte[8];
    for (bool asked = false; !asked; step())
        asked = zmq_recv(pub, byte, sizeof byte, ZMQ_DONTWAIT) >= 0;
    const struct model_identity *who = model_job_identity(viewer_subscriber_job(viewer[0]));
    char frame[64] = "H/\x82\xa3ver\x01\xa4inst\xc4\x10";
    memcpy(frame + 15, who->instance, 16);
    ck_assert_int_ge(zmq_send(pub, frame, 40, 0), 0); /* would be malformed, if it got through */
    ck_assert_int_ge(zmq_send(pub, "A/1/", 4, 0), 0);
    zmq_send(dealer, "", 0, ZMQ_SNDMORE);
    zmq_send(dealer, "H/\x80", 3, 0);
    zmq_send(dealer, "alone", 5, 0);
    zmq_send(dealer, "not yours", 9, ZMQ_SNDMORE);
    zmq_send(dealer, "Y/\x80", 3, 0);
    UNTIL(viewer_listener_refused(listener) >= 4);
    UNTIL(is_live(0, 10));
    ck_assert_uint_eq(viewer_subscriber_link(viewer[0])->malformed, 0);
    ck_assert_uint_eq(viewer_listener_places(listener), 1);
    zmq_close(dealer);
    zmq_close(pub);
    tear_down();
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("listen");
    tap_add(s, "each_has_its_place", each_has_its_place);
    tap_add(s, "a_place_is_taken_over", a_place_is_taken_over);
    tap_add(s, "a_place_is_attached_to_twice", a_place_is_attached_to_twice);
    tap_add(s, "nobody_speaks_for_another", nobody_speaks_for_another);
    return s;
}

TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_subscriber.c: a subscriber on real sockets, with a fake job and with libproftop in a
 * separate process. Time is the real time plus `ahead_ns`, so that silence need not be waited for.
 * Or time stands still, to distinguish immediate from later actions.
 */
#include "config.h"

#include "feed/viewer/stream/subscriber.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../tap.h"
#include "clock.h"
#include "feed/viewer/discovery/discover.h"
#include "fake.h"
#include "proftop.h"

static struct fake fake;
static void *zmq;
static struct viewer_subscriber *viewer[2];
static uint64_t ahead_ns, still_ns;
static char place[64];
static pid_t child;

/* The viewer's time. */
static uint64_t now_ns(void)
{
    return (still_ns != 0 ? still_ns : test_clock_ns()) + ahead_ns;
}

static void setup(void)
{
    ahead_ns = still_ns = 0;
    child = 0;
    fake_init(&fake, 1);
    tap_folder(place, sizeof place, "place");
    setenv("PROFTOP_DIR", place, 1);
    unsetenv("XDG_RUNTIME_DIR");
    zmq = NULL;
}

static void teardown(void)
{
    struct viewer_jobs jobs;
    viewer_subscriber_free(&viewer[0]);
    viewer_subscriber_free(&viewer[1]);
    if (zmq)
        zmq_ctx_term(zmq);
    fake_release(&fake);
    if (child > 0) {
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
    }
    viewer_discover(&jobs); /* cleans up after a killed child */
    viewer_jobs_release(&jobs);
    ck_assert_int_eq(rmdir(place), 0);
}

static void attach_to(unsigned i, const struct viewer_target *target)
{
    char why[200] = "";
    if (!zmq)
        zmq = zmq_ctx_new();
    viewer[i] = viewer_subscriber_new(zmq, target, now_ns(), why, sizeof why);
    ck_assert_msg(viewer[i] != NULL, "%s", why);
}

static void attach(unsigned i)
{
    struct viewer_target target;
    char why[200];
    if (fake.dir[0] == '\0')
        fake_bind(&fake);
    ck_assert_msg(viewer_target_parse(fake.facts_at, &target, why, sizeof why), "%s", why);
    attach_to(i, &target);
}

static const struct model_link *link_of(unsigned i)
{
    return viewer_subscriber_link(viewer[i]);
}

/* One turn of all parties. */
static void turn(void)
{
    for (unsigned i = 0; i < 2; i++) {
        zmq_pollitem_t item[VIEWER_POLL_ITEMS];
        if (!viewer[i])
            continue;
        zmq_poll(item, (int)viewer_subscriber_items(viewer[i], item), 2);
        viewer_subscriber_drain(viewer[i], now_ns(), TEST_SECOND_NS);
    }
    if (fake.zmq)
        fake_serve(&fake);
}

/* Runs turns until the condition holds; fails after 20 s. */
#define UNTIL(condition)                                                                           \
    do {                                                                                           \
        const uint64_t end_ = test_clock_ns() + 20 * TEST_SECOND_NS;                     \
        while (!(condition)) {                                                                     \
            ck_assert_msg(test_clock_ns() < end_, "never: %s", #condition);                   \
            turn();                                                                                \
        }                                                                                          \
    } while (0)

static bool is(unsigned i, enum model_link_state state)
{
    return link_of(i)->state == state;
}

static bool says(unsigned i, const char *words)
{
    return strstr(link_of(i)->reason, words) != NULL;
}

static void send_tick(void)
{
    fake_work(&fake, 1);
    fake.mono_ns = test_clock_ns();
    fake_values(&fake, 0, 0, 1);
    fake_publish(&fake);
    fake_values(&fake, 0, 1, 1);
    fake_publish(&fake);
}

static void say_bye(void)
{
    fake_hello(&fake, 0, true);
    fake_publish(&fake);
}

static void go_live(unsigned i)
{
    attach(i);
    UNTIL(is(i, MODEL_LIVE));
}

START_TEST(attaches_and_follows)
{
    fake_work(&fake, 4);
    go_live(0);
    ck_assert(fake_equals(&fake, viewer_subscriber_job(viewer[0])));
    ck_assert_uint_eq(fake.hellos, 1);
    ck_assert_uint_eq(fake.snapshots, 1);
    ck_assert_str_eq(fake.want, "DFANERICSMP");
    ck_assert_str_eq(link_of(0)->reason, "");
    for (unsigned i = 0; i < 20; i++) {
        send_tick();
        UNTIL(fake_equals(&fake, viewer_subscriber_job(viewer[0])));
    }
    ck_assert_uint_eq(link_of(0)->gaps + link_of(0)->malformed + link_of(0)->falls, 0);
    ck_assert_uint_eq(link_of(0)->snapshots, 1);
    UNTIL(fake.mores >= 1); /* under way since the snapshot */
}
END_TEST

START_TEST(waits_for_a_job_that_comes_late)
{
    fake_bind(&fake);
    fake_unbind(&fake);
    attach(0);
    turn();
    ck_assert(is(0, MODEL_CONNECTING));
    ck_assert_str_eq(link_of(0)->reason, "");
    ahead_ns += 3 * TEST_SECOND_NS;
    turn();
    ck_assert(is(0, MODEL_CONNECTING));
    ck_assert(says(0, "nobody answers at ipc://"));
    fake_bind(&fake);
    UNTIL(is(0, MODEL_LIVE));
    ck_assert(fake_equals(&fake, viewer_subscriber_job(viewer[0])));
}
END_TEST

START_TEST(silence_is_late_and_then_stale)
{
    go_live(0);
    send_tick();
    UNTIL(fake_equals(&fake, viewer_subscriber_job(viewer[0])));
    ck_assert(is(0, MODEL_LIVE));
    still_ns = test_clock_ns();
    ahead_ns += 2 * TEST_SECOND_NS + TEST_SECOND_NS / 5;
    turn();
    ck_assert(is(0, MODEL_LAGGING));
    ahead_ns += TEST_SECOND_NS;
    turn();
    ck_assert(is(0, MODEL_STALE));
    ck_assert(says(0, "nothing comes"));
    ck_assert(fake_equals(&fake, viewer_subscriber_job(viewer[0])));
    send_tick();
    fake.mono_ns += ahead_ns;
    fake_hello(&fake, 0, false);
    fake_publish(&fake);
    UNTIL(is(0, MODEL_LIVE));
}
END_TEST

START_TEST(frames_that_come_late_are_lag)
{
    go_live(0);
    fake.mono_ns = test_clock_ns();
    fake_hello(&fake, 0, false);
    fake_publish(&fake);
    UNTIL(link_of(0)->frames > 6);
    still_ns = test_clock_ns();
    fake.mono_ns = now_ns() - 3 * TEST_SECOND_NS / 2;
    fake_hello(&fake, 0, false);
    fake_publish(&fake);
    UNTIL(is(0, MODEL_LAGGING));
    ck_assert_uint_gt(link_of(0)->lag_ns, TEST_SECOND_NS);
    ck_assert_uint_lt(link_of(0)->lag_ns, 3 * TEST_SECOND_NS);
}
END_TEST

START_TEST(a_new_instance_on_the_endpoint_is_a_new_job)
{
    fake_work(&fake, 9);
    go_live(0);
    struct model_job *kept = model_job_retain(viewer_subscriber_job(viewer[0]));
    struct fake old = fake;
    fake_unbind(&fake);
    memset(fake.instance, 2, sizeof fake.instance);
    memset(fake.seq, 0, sizeof fake.seq);
    memset(fake.seq_of, 0, sizeof fake.seq_of);
    memset(fake.calls, 0, sizeof fake.calls);
    memset(fake.total_ns, 0, sizeof fake.total_ns);
    fake_work(&fake, 2);
    fake_bind(&fake);
    UNTIL(viewer_subscriber_job(viewer[0]) != kept && is(0, MODEL_LIVE));
    ck_assert(fake_equals(&fake, viewer_subscriber_job(viewer[0])));
    ck_assert(fake_equals(&old, kept));
    ck_assert_uint_ge(link_of(0)->reconnects, 1);
    ck_assert_uint_eq(link_of(0)->falls, 0);
    model_job_release(&kept);
}
END_TEST

/* The viewer sends a hello to check the instance, and continues. */
START_TEST(a_foreign_frame_is_counted_and_no_more)
{
    fake_work(&fake, 9);
    go_live(0);
    const unsigned hellos = fake.hellos;
    struct model_job *job = viewer_subscriber_job(viewer[0]);
    struct fake other = fake;
    memset(other.instance, 2, sizeof other.instance);
    fake_hello(&other, 0, true);
    fake_publish(&other);
    UNTIL(link_of(0)->foreign == 1 && fake.hellos > hellos);
    for (unsigned i = 0; i < 20; i++) {
        send_tick();
        UNTIL(fake_equals(&fake, viewer_subscriber_job(viewer[0])));
    }
    ck_assert_ptr_eq(viewer_subscriber_job(viewer[0]), job);
    ck_assert(is(0, MODEL_LIVE));
    ck_assert_uint_eq(link_of(0)->foreign, 1);
    ck_assert_uint_eq(link_of(0)->gaps, 0);
    /* Foreign frames without end: the viewer sends hellos less and less often. */
    for (unsigned i = 0; i < 300; i++) {
        ahead_ns += TEST_SECOND_NS / 10;
        fake_publish(&other);
        send_tick();
        turn();
    }
    UNTIL(link_of(0)->foreign == 301 && fake_equals(&fake, viewer_subscriber_job(viewer[0])));
    ck_assert_uint_le(fake.hellos, hellos + 10);
}
END_TEST

START_TEST(lost_frames_are_counted_exactly)
{
    go_live(0);
    send_tick();
    UNTIL(fake_equals(&fake, viewer_subscriber_job(viewer[0])));
    for (unsigned i = 0; i < 5; i++)
        fake_values(&fake, 0, 0, 1); /* never sent */
    fake.tick++;
    send_tick();
    UNTIL(fake_equals(&fake, viewer_subscriber_job(viewer[0])));
    ck_assert_uint_eq(link_of(0)->gaps, 5);
    ck_assert_uint_eq(link_of(0)->healing, 1);
    fake.tick += WIRE_ROLL;
    send_tick();
    UNTIL(!link_of(0)->healing);
    ck_assert_uint_eq(fake.snapshots, 1);
}
END_TEST

START_TEST(a_goodbye_is_acknowledged)
{
    go_live(0);
    send_tick();
    say_bye();
    UNTIL(is(0, MODEL_GONE) && fake.acks == 1);
    ck_assert_uint_eq(link_of(0)->said_bye, 1);
    ck_assert_ptr_nonnull(strstr(link_of(0)->reason, "the job closed its feed"));
    ck_assert(fake_equals(&fake, viewer_subscriber_job(viewer[0])));
    ck_assert_uint_eq(fake.snapshots, 1);
}
END_TEST

START_TEST(a_goodbye_with_a_loss_fetches_the_last_values_first)
{
    go_live(0);
    fake_work(&fake, 1);
    fake_values(&fake, 0, 1, 1); /* never sent */
    say_bye();
    UNTIL(is(0, MODEL_GONE) && fake.acks == 1);
    ck_assert_uint_eq(link_of(0)->said_bye, 1);
    ck_assert_uint_eq(fake.snapshots, 2);
    ck_assert(fake_equals(&fake, viewer_subscriber_job(viewer[0])));
}
END_TEST

/* A recent snapshot is no reason to delay the next request: the job will not wait. */
START_TEST(a_goodbye_amid_a_snapshot_asks_again_at_once)
{
    still_ns = test_clock_ns();
    fake.mute = true;
    attach(0);
    UNTIL(fake.snapshots == 1);
    fake_values(&fake, 0, 1, 1); /* never sent, and made after the snapshot */
    say_bye();
    UNTIL(viewer_subscriber_job(viewer[0]) != NULL);
    fake.mute = false;
    fake.seq_of[1]--;
    fake_snapshot(&fake);
    fake.seq_of[1]++;
    UNTIL(fake.snapshots == 2);
    UNTIL(is(0, MODEL_GONE));
    ck_assert_uint_eq(link_of(0)->said_bye, 1);
    ck_assert(fake_equals(&fake, viewer_subscriber_job(viewer[0])));
}
END_TEST

START_TEST(a_goodbye_whose_last_values_never_come_is_not_final)
{
    go_live(0);
    fake.mute = true;
    fake_values(&fake, 0, 1, 1); /* never sent */
    say_bye();
    UNTIL(fake.snapshots >= 2);
    ck_assert(!is(0, MODEL_GONE));
    ahead_ns += 3 * TEST_SECOND_NS;
    UNTIL(is(0, MODEL_GONE));
    ck_assert_uint_eq(link_of(0)->said_bye, 0);
    ck_assert(says(0, "did not arrive"));
}
END_TEST

/* A minute without answers: requests after 1 s, 1 s, then 2, 4, 8, 16 and 30 s. */
START_TEST(requests_that_nobody_answers_are_no_storm)
{
    fake.mute = true;
    attach(0);
    UNTIL(fake.snapshots == 1);
    for (unsigned i = 0; i < 600; i++) {
        ahead_ns += TEST_SECOND_NS / 10;
        viewer_subscriber_drain(viewer[0], now_ns(), TEST_SECOND_NS);
        fake_serve(&fake);
    }
    for (unsigned i = 0; i < 5; i++)
        turn();
    ck_assert_uint_ge(fake.snapshots, 5);
    ck_assert_uint_le(fake.snapshots, 8);
    ck_assert_uint_eq(fake.hellos, 1);
}
END_TEST

START_TEST(messages_of_several_parts_are_dropped)
{
    go_live(0);
    fake_work(&fake, 1);
    fake_values(&fake, 0, 0, 1);
    zmq_send(fake.facts, fake.bytes, fake.size, ZMQ_SNDMORE);
    zmq_send(fake.facts, "x", 1, ZMQ_SNDMORE);
    zmq_send(fake.facts, "y", 1, 0);
    UNTIL(link_of(0)->malformed == 1);
    ck_assert_uint_eq(model_job_apply_values(viewer_subscriber_job(viewer[0]))[0].calls, 0);
    send_tick();
    UNTIL(fake_equals(&fake, viewer_subscriber_job(viewer[0])));
    ck_assert_uint_eq(link_of(0)->malformed, 1);
}
END_TEST

START_TEST(other_protocol_version_is_reported)
{
    attach(0);
    for (unsigned i = 0; link_of(0)->other_version == 0 && i < 2000; i++) {
        turn();
        fake_hello(&fake, 0, false);
        ((uint8_t *)memmem(fake.bytes, fake.size, "ver", 3))[3] = 2;
        fake_publish(&fake);
    }
    fake_unbind(&fake); /* before it answers in our version */
    ck_assert_uint_gt(link_of(0)->other_version, 0);
}
END_TEST

/* The viewer does not read for longer than the heartbeat timeout. The connection stays, the job is
 * not blocked, and lost frames are counted. */
START_TEST(a_viewer_that_stalls_reads_on)
{
    go_live(0);
    fake_values(&fake, 0, 0, 1);
    fake_publish(&fake);
    const uint64_t end_ns = test_clock_ns() + 5 * TEST_SECOND_NS;
    while (test_clock_ns() < end_ns) {
        zmq_pollitem_t item = {.socket = fake.control, .events = ZMQ_POLLIN};
        send_tick();
        fake_serve(&fake);
        zmq_poll(&item, 1, 1);
    }
    /* Frames sent while the queues are still full are lost as well. */
    for (bool equal = false; !equal && test_clock_ns() < end_ns + 20 * TEST_SECOND_NS;) {
        send_tick();
        for (unsigned i = 0; i < 5 && !equal; i++) {
            turn();
            equal = fake_equals(&fake, viewer_subscriber_job(viewer[0]));
        }
    }
    ck_assert(fake_equals(&fake, viewer_subscriber_job(viewer[0])));
    ck_assert_uint_gt(link_of(0)->gaps, 0);
    ck_assert_uint_eq(link_of(0)->falls + link_of(0)->malformed, 0);
}
END_TEST

START_TEST(two_viewers_see_the_same)
{
    go_live(0);
    go_live(1);
    for (unsigned i = 0; i < 5; i++) {
        send_tick();
        UNTIL(fake_equals(&fake, viewer_subscriber_job(viewer[0])) &&
              fake_equals(&fake, viewer_subscriber_job(viewer[1])));
    }
    ck_assert_uint_eq(fake.hellos, 2);
}
END_TEST

/* The listener sends bytes, but not ZMTP. */
START_TEST(a_stranger_is_named)
{
    struct viewer_target target = {.label = "ipc://stranger"};
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    snprintf(at.sun_path, sizeof at.sun_path, "%s/s.sock", place);
    snprintf(target.facts, sizeof target.facts, "ipc://%s", at.sun_path);
    snprintf(target.control, sizeof target.control, "ipc://%s", at.sun_path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    ck_assert_int_eq(bind(fd, (struct sockaddr *)&at, sizeof at), 0);
    ck_assert_int_eq(listen(fd, 8), 0);
    attach_to(0, &target);
    const uint64_t end_ns = test_clock_ns() + 20 * TEST_SECOND_NS;
    while (!says(0, "does not speak ZeroMQ")) {
        int one = accept(fd, NULL, NULL);
        if (one >= 0) {
            char greeting[] = "SSH-2.0-OpenSSH_9.2p1 and more than sixty-four bytes of other words "
                              "so that a greeting is complete\r\n";
            ck_assert_int_gt(send(one, greeting, sizeof greeting, MSG_NOSIGNAL), 0);
        }
        turn();
        if (one >= 0)
            close(one);
        ck_assert_uint_lt(test_clock_ns(), end_ns);
    }
    ck_assert(is(0, MODEL_CONNECTING));
    close(fd);
    unlink(at.sun_path);
}
END_TEST

START_TEST(a_launcher_knows_better)
{
    go_live(0);
    viewer_subscriber_ended(viewer[0], "python exited with 3\x1b[2J");
    ahead_ns += TEST_SECOND_NS / 10;
    UNTIL(is(0, MODEL_GONE));
    ck_assert(says(0, "python exited with 3") && !says(0, "\x1b"));
    ck_assert_uint_eq(link_of(0)->said_bye, 0);
}
END_TEST

/* ------------------------------------------------------------------------------- a real job */

/* Counts calls of one apply: endlessly, or `calls` of them and then ends. */
static void publish(unsigned calls)
{
    struct proftop_options options = {.size = sizeof options, .program = "real"};
    struct proftop *feed = proftop_open(&options);
    struct proftop_function_info f = {.size = sizeof f, .name = "train"};
    struct proftop_apply_info a = {.size = sizeof a, .text = "mul(x, y)", .source = PROFTOP_GIVEN};
    a.op = proftop_op(feed, proftop_class(feed, "Elemwise"), "mul");
    a.function = proftop_function(feed, &f);
    proftop_id apply = proftop_apply(feed, &a);
    for (unsigned i = 0; calls == 0 || i < calls; i++) {
        proftop_record(feed, apply, 10);
        usleep(calls == 0 ? 1000 : 100);
    }
    proftop_close(feed);
    _exit(0);
}

static void start_publisher(unsigned calls)
{
    child = fork();
    if (child == 0)
        publish(calls);
    ck_assert_int_gt(child, 0);
}

/* Waits until this number of feeds of the child is listed. */
static void expect_listed(size_t count)
{
    for (size_t listed = count + 1; listed != count;) {
        struct viewer_jobs jobs = {0};
        ck_assert(viewer_discover(&jobs));
        listed = 0;
        for (size_t i = 0; i < jobs.count; i++)
            listed += jobs.job[i].pid == (uint64_t)child;
        viewer_jobs_release(&jobs);
    }
}

START_TEST(all_feeds_of_a_process_are_listed)
{
    child = fork();
    for (int i = 0; child == 0 && i < 3; i++)
        proftop_open(NULL);
    while (child == 0)
        pause();
    expect_listed(3);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    expect_listed(0);
    child = 0; /* nothing is left of them, as the teardown checks */
}
END_TEST

static void attach_to_child(unsigned i)
{
    struct viewer_jobs jobs = {0};
    struct viewer_target target;
    const uint64_t end_ns = test_clock_ns() + 20 * TEST_SECOND_NS;
    while (!viewer_jobs_pid(&jobs, (uint64_t)child)) {
        ck_assert_uint_lt(test_clock_ns(), end_ns);
        viewer_jobs_release(&jobs);
        ck_assert(viewer_discover(&jobs));
        ck_assert_ptr_null(strstr(jobs.problems, place));
    }
    viewer_target_of(viewer_jobs_pid(&jobs, (uint64_t)child), &target);
    viewer_jobs_release(&jobs);
    attach_to(i, &target);
}

static uint64_t calls_of(unsigned i)
{
    const struct model_job *job = viewer_subscriber_job(viewer[i]);
    return job && model_job_count(job, MODEL_APPLY) > 0 ? model_job_apply_values(job)[0].calls : 0;
}

/* Killed and not reaped: the state is still GONE, and the last values are kept. */
START_TEST(a_killed_job_is_gone)
{
    start_publisher(0);
    attach_to_child(0);
    UNTIL(is(0, MODEL_LIVE) && calls_of(0) > 20);
    ck_assert_str_eq(model_job_op(viewer_subscriber_job(viewer[0]), 0)->text.raw, "mul");
    kill(child, SIGKILL);
    UNTIL(is(0, MODEL_GONE));
    ck_assert(says(0, "killed or crashed"));
    ck_assert_uint_eq(link_of(0)->said_bye, 0);
    ck_assert_uint_gt(calls_of(0), 20);
}
END_TEST

START_TEST(two_viewers_get_the_last_values_of_a_job)
{
    start_publisher(3000);
    attach_to_child(0);
    attach_to_child(1);
    UNTIL(is(0, MODEL_GONE) && is(1, MODEL_GONE));
    for (unsigned i = 0; i < 2; i++) {
        ck_assert_uint_eq(link_of(i)->said_bye, 1);
        ck_assert_uint_eq(calls_of(i), 3000);
        ck_assert_uint_eq(link_of(i)->falls + link_of(i)->malformed, 0);
    }
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
    child = 0; /* its files are gone too, as the teardown checks */
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("subscriber");
    TCase *c = tcase_create("subscriber");
    tcase_set_timeout(c, TAP_TIMEOUT);
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, attaches_and_follows);
    tcase_add_test(c, waits_for_a_job_that_comes_late);
    tcase_add_test(c, silence_is_late_and_then_stale);
    tcase_add_test(c, frames_that_come_late_are_lag);
    tcase_add_test(c, a_new_instance_on_the_endpoint_is_a_new_job);
    tcase_add_test(c, a_foreign_frame_is_counted_and_no_more);
    tcase_add_test(c, lost_frames_are_counted_exactly);
    tcase_add_test(c, a_goodbye_is_acknowledged);
    tcase_add_test(c, a_goodbye_with_a_loss_fetches_the_last_values_first);
    tcase_add_test(c, a_goodbye_amid_a_snapshot_asks_again_at_once);
    tcase_add_test(c, a_goodbye_whose_last_values_never_come_is_not_final);
    tcase_add_test(c, requests_that_nobody_answers_are_no_storm);
    tcase_add_test(c, messages_of_several_parts_are_dropped);
    tcase_add_test(c, other_protocol_version_is_reported);
    tcase_add_test(c, a_viewer_that_stalls_reads_on);
    tcase_add_test(c, two_viewers_see_the_same);
    tcase_add_test(c, a_stranger_is_named);
    tcase_add_test(c, a_launcher_knows_better);
    tcase_add_test(c, all_feeds_of_a_process_are_listed);
    tcase_add_test(c, a_killed_job_is_gone);
    tcase_add_test(c, two_viewers_get_the_last_values_of_a_job);
    suite_add_tcase(s, c);
    return s;
}

TAP_MAIN(suite)

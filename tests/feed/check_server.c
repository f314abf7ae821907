/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_server.c: good and bad requests with their answers, and the number of viewers.
 */
#include "tap.h"

#include "client.h"
#include "proftop_objects.h"

static struct proftop *feed;
static struct client c;

static void set_up(void)
{
    feed = client_feed();
    client_graph(feed, 9000, PROFTOP_GIVEN);
    for (uint32_t i = 0; i < 9000; i++)
        proftop_record(feed, i, 1000 + i);
    client_open(&c, getpid());
}

static void tear_down(void)
{
    client_end(&c, feed);
}

START_TEST(hello_contains_the_job_identity)
{
    set_up();
    client_hello(&c);
    const struct wire_value *field = c.frame.field;
    ck_assert_uint_eq(field[WIRE_F_VER].u, 1);
    ck_assert_uint_eq(field[WIRE_F_LO].u, 1);
    ck_assert_uint_eq(field[WIRE_F_HI].u, 1);
    ck_assert_uint_eq(field[WIRE_F_REQ].u, 1);
    ck_assert_uint_eq(field[WIRE_F_EPOCH].u, 1);
    ck_assert_uint_eq(field[WIRE_F_VIEWERS].u, 1);
    ck_assert_uint_eq(field[WIRE_F_TICKMS].u, WIRE_TICK_MS);
    ck_assert_uint_eq(field[WIRE_F_START].u, c.info.start);
    ck_assert_uint_eq(field[WIRE_F_PROGRAM].text.size, strlen("check"));
    ck_assert(!field[WIRE_F_COST].present);
    ck_assert(!field[WIRE_F_PARENT].present);
    char hex[33];
    for (int i = 0; i < 16; i++)
        snprintf(hex + 2 * i, 3, "%02x", (uint8_t)field[WIRE_F_INST].text.data[i]);
    ck_assert_str_eq(hex, c.info.instance);
    tear_down();
}
END_TEST

START_TEST(snapshot_is_whole)
{
    set_up();
    ck_assert_uint_eq(client_snapshot(&c, "DFANE", 7), 3 + 1 + 3 + 1);
    ck_assert_uint_eq(c.defs[WIRE_T_APPLY], 9000);
    for (uint32_t i = 0; i < 9000; i++) {
        ck_assert_uint_eq(c.apply[i].calls, 1);
        ck_assert_uint_eq(c.apply[i].total, 1000 + i);
        ck_assert_uint_eq(c.apply[i].min, 1000 + i);
        ck_assert_uint_eq(c.apply[i].timed, 1);
    }
    tear_down();
}
END_TEST

/* Without more credit a client gets no more frames; the job serves others. */
START_TEST(credit_bounds)
{
    set_up();
    client_ask(&c, (struct client_request){.q = "snapshot", .want = "DA", .req = 3, .credit = 2});
    client_expect(&c, c.dealer, WIRE_DEFS);
    client_expect(&c, c.dealer, WIRE_DEFS);
    client_hello(&c); /* the next answer is for this one */
    client_ask(&c, (struct client_request){.q = "more", .req = 3, .credit = 1});
    client_expect(&c, c.dealer, WIRE_DEFS);
    client_ask(&c, (struct client_request){.q = "more", .req = 99, .credit = 4}); /* not ours */
    client_hello(&c);
    /* A new snapshot replaces the old one. */
    ck_assert_uint_eq(client_snapshot(&c, "A", 4), 3);
    tear_down();
}
END_TEST

START_TEST(more_brings_as_much_as_it_gives)
{
    set_up();
    client_ask(&c, (struct client_request){.q = "snapshot", .want = "DA", .req = 3, .credit = 2});
    client_expect(&c, c.dealer, WIRE_DEFS);
    client_expect(&c, c.dealer, WIRE_DEFS);
    client_ask(&c, (struct client_request){.q = "more", .req = 3, .credit = WIRE_CREDIT});
    client_expect(&c, c.dealer, WIRE_DEFS);
    for (int i = 0; i < WIRE_CREDIT - 1; i++)
        client_expect(&c, c.dealer, WIRE_APPLIES);
    tear_down();
}
END_TEST

static proftop_id new_function(void)
{
    struct proftop_function_info info = {.size = sizeof info, .name = "late"};
    proftop_id id = proftop_function(feed, &info);
    proftop_call_end(feed, id, proftop_call_begin(feed, id));
    return id;
}

static proftop_id new_task(void)
{
    static char name[] = "a";
    proftop_id id = proftop_task(feed, proftop_domain(feed, "training"), name);
    name[0]++;
    proftop_task_stop(feed, proftop_task_start(feed, id));
    return id;
}

static proftop_id new_counter(void)
{
    static char name[] = "a";
    proftop_id id = proftop_counter(feed, proftop_domain(feed, "training"), name, NULL);
    name[0]++;
    proftop_counter_add(feed, id, 1);
    return id;
}

/* True if the last frame has this row. */
static bool brings(enum wire_group group, uint32_t id)
{
    uint64_t column[4][WIRE_FRAME_ROWS];
    uint32_t rows = client_columns(&c.frame, group, column), at = 0;
    while (at < rows && column[0][at] != id)
        at++;
    return at < rows;
}

static const struct {
    const char *want, *prefix;
    enum wire_stream stream;
    enum wire_group group;
    enum wire_table table;
    proftop_id (*make)(void);
} late[] = {{"DF", "F/", WIRE_FUNCTIONS, WIRE_G_CALLS, WIRE_T_FUNCTION, new_function},
            {"DS", "S/", WIRE_SPANS, WIRE_G_RUNS, WIRE_T_SPAN, new_task},
            {"DC", "C/", WIRE_COUNTERS, WIRE_G_INT, WIRE_T_COUNTER, new_counter}};

/* An answer really contains the stream frames that its number covers: a viewer drops those frames
 * if they arrive after it. */
START_TEST(answers_contain_the_frames_they_cover)
{
    feed = client_feed();
    late[_i].make();
    client_open(&c, getpid());
    client_subscribe(&c, late[_i].prefix);
    client_expect(&c, c.sub, late[_i].stream);
    client_ask(&c, (struct client_request){
                       .q = "snapshot", .want = late[_i].want, .req = 3, .credit = 1});
    client_expect(&c, c.dealer, WIRE_DEFS); /* and no more for lack of credit */
    const proftop_id id = late[_i].make();
    do
        client_expect(&c, c.sub, late[_i].stream);
    while (!brings(late[_i].group, id));
    const uint64_t seq = c.frame.field[WIRE_F_SEQ].u;
    client_ask(&c, (struct client_request){.q = "more", .req = 3, .credit = 4});
    client_expect(&c, c.dealer, late[_i].stream);
    ck_assert_uint_ge(c.frame.field[WIRE_F_SEQ].u, seq);
    ck_assert(brings(late[_i].group, id));
    ck_assert_uint_gt(c.frame.defs[late[_i].table], id); /* it is not read before its definition */
    tear_down();
}
END_TEST

/* A snapshot may be requested while another client is in the middle of one. Its frames rely on the
 * definitions at that time. */
START_TEST(definitions_that_an_answer_uses_are_published)
{
    feed = client_feed();
    client_open(&c, getpid());
    client_subscribe(&c, "D/");
    do
        new_function();
    while (!client_receive(&c, c.sub, 1000)); /* until the subscription arrives */
    const proftop_id id = new_function();
    client_ask(
        &c, (struct client_request){.q = "snapshot", .want = "D", .req = 3, .credit = WIRE_CREDIT});
    client_expect(&c, c.dealer, WIRE_DEFS);
    ck_assert_uint_gt(c.frame.defs[WIRE_T_FUNCTION], id);
    const uint64_t tick = c.frame.field[WIRE_F_TICK].u;
    do
        client_expect(&c, c.sub, WIRE_DEFS);
    while (c.frame.defs[WIRE_T_FUNCTION] <= id);
    ck_assert_uint_le(c.frame.field[WIRE_F_TICK].u, tick);
    tear_down();
}
END_TEST

/* The tick of the next frame with values. */
static uint64_t next_values(void)
{
    client_expect(&c, c.sub, WIRE_APPLIES);
    return c.frame.field[WIRE_F_TICK].u;
}

/* During a snapshot the values of some ticks wait. They are sent in the end, however long it
 * takes. */
START_TEST(values_make_way_for_a_snapshot)
{
    set_up();
    client_subscribe(&c, "A/");
    uint64_t last = next_values(), longest = 0, ticks = 0;
    client_ask(&c, (struct client_request){.q = "snapshot", .want = "DA", .req = 3, .credit = 1});
    client_expect(&c, c.dealer, WIRE_DEFS); /* and no more for lack of credit */
    for (uint64_t now; ticks < 2; last = now) {
        now = next_values();
        longest = now - last > longest ? now - last : longest;
        ticks += longest > 2;
    }
    ck_assert_uint_ge(longest, 5);
    ck_assert_uint_le(longest, 8);
    tear_down();
}
END_TEST

/* Requests this tick length in ms (0: none). Returns the tick length that the hello agrees to. */
static uint64_t agreed(struct client *of, uint64_t asked)
{
    client_ask(of, (struct client_request){.q = "hello", .req = 1, .tick_ms = asked});
    client_expect(of, of->dealer, WIRE_HELLO);
    return of->frame.field[WIRE_F_TICKMS].u;
}

START_TEST(ticks_are_as_often_as_somebody_wants)
{
    static const struct {
        uint64_t asked, ticks;
    } table[] = {{0, 100},   {1, 100},   {199, 100},  {200, 200},         {499, 200},
                 {500, 500}, {999, 500}, {1000, 1000}, {1ull << 62, 1000}};
    set_up();
    for (int i = 0; i < TAP_ROWS(table); i++)
        ck_assert_uint_eq(agreed(&c, table[i].asked), table[i].ticks);
    struct client other;
    client_open(&other, getpid());
    ck_assert_uint_eq(agreed(&other, 500), 500);
    ck_assert_uint_eq(agreed(&other, 0), 100);
    ck_assert_uint_eq(agreed(&c, 1000), 100);
    client_close(&other);
    for (int i = 0; i < 1000 && agreed(&c, 1000) != 1000; i++)
        zmq_poll(NULL, 0, 2);
    ck_assert_uint_eq(agreed(&c, 1000), 1000);
    tear_down();
}
END_TEST

/* The job's time of the next frame with values. */
static uint64_t values_mono_ns(void)
{
    next_values();
    return c.frame.field[WIRE_F_MONO].u;
}

/* Four ticks of 200 ms take at least three times 200 ms, however late the first one was. */
START_TEST(slow_ticks_are_slow)
{
    set_up();
    client_subscribe(&c, "A/");
    ck_assert_uint_eq(agreed(&c, 200), 200);
    values_mono_ns(); /* of the old tick length */
    uint64_t first_ns = values_mono_ns(), last_ns = first_ns;
    for (int i = 0; i < 4; i++)
        last_ns = values_mono_ns();
    ck_assert_uint_ge(last_ns - first_ns, 3 * 200000000);
    tear_down();
}
END_TEST

static const struct {
    struct client_request request;
    const char *re, *word;
} refused[] = {
    {{.q = "reset", .req = 5}, "reset", "unsupported"},
    {{.q = "", .req = 5}, "", "unsupported"},
    {{.q = "snapshot", .want = "", .req = 5}, "snapshot", "DFANERICSMP"},
    {{.q = "snapshot", .want = "AD", .req = 5}, "snapshot", "DFANERICSMP"},
    {{.q = "snapshot", .want = "DD", .req = 5}, "snapshot", "DFANERICSMP"},
    {{.q = "snapshot", .want = "DFANERICSMPDFANERICSMP", .req = 5}, "snapshot", "DFANERICSMP"},
    {{.q = "snapshot", .req = 5}, "snapshot", "DFANERICSMP"},
    {{.q = "snapshot", .want = "D", .req = 5, .from = {0, 0, 0, 9001}}, "snapshot", "beyond"},
};

START_TEST(refusals)
{
    char text[WIRE_TEXT_MAX + 1] = "";
    set_up();
    client_ask(&c, refused[_i].request);
    client_expect(&c, c.dealer, WIRE_REPLY);
    const struct wire_value *field = c.frame.field;
    ck_assert_uint_eq(field[WIRE_F_REQ].u, 5);
    ck_assert_uint_eq(field[WIRE_F_OK].u, 0);
    ck_assert_uint_eq(field[WIRE_F_RE].text.size, strlen(refused[_i].re));
    memcpy(text, field[WIRE_F_TEXT].text.data, field[WIRE_F_TEXT].text.size);
    ck_assert_msg(strstr(text, refused[_i].word) != NULL, "%s", text);
    client_hello(&c);
    tear_down();
}
END_TEST

/* The next request is answered after any input. */
START_TEST(rubbish)
{
    static uint8_t bytes[WIRE_REQUEST_MAX];
    set_up();
    unsigned state = 1;
    for (int i = 0; i < 2000; i++) {
        size_t size = (size_t)(i % 300);
        for (size_t at = 0; at < size; at++)
            bytes[at] = (uint8_t)((state = state * 1103515245u + 12345u) >> 16);
        if (i % 3 == 0 && size > 2)
            memcpy(bytes, "Q/", 2);
        zmq_send(c.dealer, bytes, size, 0);
    }
    zmq_send(c.dealer, "Q/", 2, ZMQ_SNDMORE);
    zmq_send(c.dealer, "\x80", 1, 0);
    client_ask(&c, (struct client_request){.q = "hello", .req = 8});
    do
        ck_assert(client_receive(&c, c.dealer, CLIENT_PATIENCE_MS));
    while (c.frame.stream != WIRE_HELLO);
    ck_assert_uint_eq(c.frame.field[WIRE_F_REQ].u, 8);
    ck_assert_uint_eq(c.frame.field[WIRE_F_GARBAGE].u, 2001);
    tear_down();
}
END_TEST

/* Beyond the limit only the number of subscriptions is kept. */
START_TEST(subscriptions_beyond_those_kept_are_counted)
{
    enum { KEPT = 256, MORE = 7 };
    char topic[16];
    set_up();
    client_hello(&c);
    ck_assert(!c.frame.field[WIRE_F_TOPICS].present);
    for (int i = 0; i < KEPT + MORE; i++) {
        snprintf(topic, sizeof topic, "X/%d", i);
        client_subscribe(&c, topic);
    }
    do
        client_hello(&c);
    while (c.frame.field[WIRE_F_TOPICS].u < MORE);
    ck_assert_uint_eq(c.frame.field[WIRE_F_TOPICS].u, MORE);
    tear_down();
}
END_TEST

/* A viewer that leaves frees its place. */
START_TEST(viewers_come_and_go)
{
    set_up();
    client_hello(&c);
    for (int i = 0; i < 3 * WIRE_VIEWERS_MAX; i++) {
        struct client other;
        client_open(&other, getpid());
        client_hello(&other);
        client_close(&other);
    }
    uint64_t viewers = UINT64_MAX;
    for (int i = 0; i < 1000 && viewers != 1; i++) {
        client_hello(&c);
        viewers = c.frame.field[WIRE_F_VIEWERS].u;
        zmq_poll(NULL, 0, 2);
    }
    ck_assert_uint_eq(viewers, 1);
    tear_down();
}
END_TEST

/* Its facts queue may be full and unread, so the goodbye is also sent beside its answers, in the
 * second half of the time that the feed gives its viewers: 2 s under `proftop run`. */
START_TEST(viewer_that_does_not_read_gets_the_goodbye)
{
    setenv("PROFTOP_RUN", "00112233445566778899aabbccddeeff", 1);
    struct proftop *job = client_feed();
    const proftop_id apply = client_graph(job, 4, PROFTOP_TIMED);
    struct client viewer;
    client_open(&viewer, getpid());
    client_subscribe(&viewer, "A/");
    client_ask(&viewer, (struct client_request){.q = "hello", .req = 23});
    client_expect(&viewer, viewer.dealer, WIRE_HELLO);
    ck_assert(!viewer.frame.field[WIRE_F_BYE].present);
    for (int i = 0; i < 7; i++)
        proftop_end(job, apply, proftop_begin(job, apply));
    proftop_close(job);
    client_expect(&viewer, viewer.dealer, WIRE_HELLO);
    const struct wire_value *field = viewer.frame.field;
    ck_assert(field[WIRE_F_BYE].present && field[WIRE_F_BYE].u == 1);
    ck_assert_uint_eq(field[WIRE_F_REQ].u, 23);
    ck_assert_uint_eq(field[WIRE_F_COUNTED].u, 7);
    client_close(&viewer);
    client_clean();
}
END_TEST

START_TEST(sixteen_viewers)
{
    struct client other[WIRE_VIEWERS_MAX];
    set_up();
    for (int i = 0; i < WIRE_VIEWERS_MAX; i++) {
        client_open(&other[i], getpid());
        client_hello(&other[i]);
    }
    client_ask(&c, (struct client_request){.q = "hello", .req = 1});
    client_expect(&c, c.dealer, WIRE_REPLY);
    ck_assert_uint_eq(c.frame.field[WIRE_F_OK].u, 0);
    for (int i = 0; i < WIRE_VIEWERS_MAX; i++) {
        client_snapshot(&other[i], "A", 2);
        ck_assert(!other[i].frame.field[WIRE_F_FULL].present);
        client_hello(&other[i]);
        ck_assert_uint_eq(other[i].frame.field[WIRE_F_FULL].u, 1);
        client_close(&other[i]);
    }
    tear_down();
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("server");
    tap_add(s, "hello_contains_the_job_identity", hello_contains_the_job_identity);
    tap_add(s, "snapshot_is_whole", snapshot_is_whole);
    tap_add(s, "credit_bounds", credit_bounds);
    tap_add(s, "more_brings_as_much_as_it_gives", more_brings_as_much_as_it_gives);
    tap_add_loop(s, "answers_contain_the_frames_they_cover", answers_contain_the_frames_they_cover,
                 TAP_ROWS(late));
    tap_add(s, "definitions_are_told", definitions_that_an_answer_uses_are_published);
    tap_add(s, "values_make_way", values_make_way_for_a_snapshot);
    tap_add(s, "ticks_as_wanted", ticks_are_as_often_as_somebody_wants);
    tap_add(s, "slow_ticks", slow_ticks_are_slow);
    tap_add_loop(s, "refusals", refusals, TAP_ROWS(refused));
    tap_add(s, "rubbish", rubbish);
    tap_add(s, "subscriptions_beyond", subscriptions_beyond_those_kept_are_counted);
    tap_add(s, "viewers_come_and_go", viewers_come_and_go);
    tap_add(s, "viewer_that_does_not_read_gets_the_goodbye",
            viewer_that_does_not_read_gets_the_goodbye);
    tap_add(s, "sixteen_viewers", sixteen_viewers);
    return s;
}

TAP_MAIN(suite)

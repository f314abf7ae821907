/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_run_commands.c: control requests through the job's socket, good, bad, repeated and too
 * many; and the notices that all viewers receive about them.
 */
#include "tap.h"

#include <pthread.h>
#include <stdatomic.h>

#include "clock.h"
#include "frames.h"
#include "proftop_objects.h"
#include "steer.h"

static struct proftop *feed;
static proftop_id apply;
static struct client c;

static void set_up(void)
{
    feed = client_feed();
    apply = client_graph(feed, 1, PROFTOP_TIMED);
    client_open(&c, getpid());
}

static void tear_down(void)
{
    client_end(&c, feed);
}

static const char *text_of(enum wire_field field)
{
    static char text[WIRE_TEXT_MAX + 1];
    const struct wire_value *value = &c.frame.field[field];
    snprintf(text, sizeof text, "%.*s", (int)value->text.size,
             value->present ? value->text.data : "");
    return text;
}

/* Sends a request. Returns the word of the answer: "done", or the reason of a refusal. */
static const char *ask(struct client_request request)
{
    static uint64_t number;
    request.q = "control";
    request.req = request.req != 0 ? request.req : ++number;
    client_ask(&c, request);
    do
        client_expect(&c, c.dealer, WIRE_REPLY);
    while (c.frame.field[WIRE_F_REQ].u != request.req);
    ck_assert_str_eq(text_of(WIRE_F_RE), "control");
    ck_assert_int_eq(c.frame.field[WIRE_F_NO].present, c.frame.field[WIRE_F_OK].u == 0);
    ck_assert_int_eq(c.frame.field[WIRE_F_TEXT].present, c.frame.field[WIRE_F_OK].u == 0);
    return c.frame.field[WIRE_F_OK].u == 1 ? "done" : text_of(WIRE_F_NO);
}

/* Requests a part of this client's report. Returns false if there is none. */
static bool ask_part(uint64_t at)
{
    static uint64_t number = 5000;
    client_ask(&c, (struct client_request){.q = "text", .req = ++number, .at = at});
    do
        client_expect(&c, c.dealer, WIRE_REPLY);
    while (c.frame.field[WIRE_F_REQ].u != number);
    ck_assert_str_eq(text_of(WIRE_F_RE), "text");
    return c.frame.field[WIRE_F_OK].u == 1;
}

/* Fetches the last requested report part by part; the answer gave its size. */
static char *fetch(uint64_t size)
{
    char *text = calloc(1, (size_t)size + 1);
    for (uint64_t at = 0; at < size;) {
        ck_assert(ask_part(at));
        ck_assert_uint_eq(c.frame.field[WIRE_F_AT].u, at);
        ck_assert_uint_eq(c.frame.field[WIRE_F_BYTES].u, size);
        const struct wire_column *column = &c.frame.group[WIRE_G_PART].column[0];
        const uint8_t *cursor = column->data;
        const uint64_t before = at;
        for (struct wire_text part; wire_text_next(column, &cursor, &part); at += part.size) {
            ck_assert_uint_le(at + part.size, size);
            memcpy(text + at, part.data, part.size);
        }
        ck_assert_uint_gt(at, before);
    }
    return text;
}

static char *report(const char *words)
{
    ck_assert_str_eq(ask((struct client_request){.what = "dump", .arg = words}), "done");
    return fetch(c.frame.field[WIRE_F_BYTES].u);
}

static uint64_t hello(enum wire_field field)
{
    client_hello(&c);
    return c.frame.field[field].u;
}

/* --------------------------------------------------------------------------------- what is done */

START_TEST(pauses_and_resumes)
{
    set_up();
    run(feed, apply, 5);
    ck_assert_str_eq(ask((struct client_request){.what = "pause"}), "done");
    ck_assert_str_eq(ask((struct client_request){.what = "pause"}), "done");
    run(feed, apply, 10);
    ck_assert_uint_eq(hello(WIRE_F_COLLECT), 0);
    ck_assert_str_eq(ask((struct client_request){.what = "resume"}), "done");
    run(feed, apply, 1);
    ck_assert_uint_eq(calls_of(feed, OP), 6);
    ck_assert_uint_eq(hello(WIRE_F_COLLECT), 1);
    ck_assert(!c.frame.field[WIRE_F_ASKER].present);
    ck_assert_uint_eq(hello(WIRE_F_REFUSED), 0);
    tear_down();
}
END_TEST

START_TEST(sets_the_state)
{
    set_up();
    ck_assert_str_eq(ask((struct client_request){.what = "set_state", .arg = "stop"}), "done");
    run(feed, apply, 5);
    ck_assert_str_eq(ask((struct client_request){.what = "resume"}), "done");
    run(feed, apply, 5); /* resume does not start a stopped collection */
    ck_assert_str_eq(ask((struct client_request){.what = "set_state", .arg = "foo"}), "wrong");
    ck_assert_str_eq(text_of(WIRE_F_TEXT), "the state can't be 'foo': it must be run or stop");
    run(feed, apply, 5);
    ck_assert_str_eq(ask((struct client_request){.what = "set_state", .arg = "run"}), "done");
    run(feed, apply, 3);
    ck_assert_uint_eq(calls_of(feed, OP), 3);
    ck_assert_str_eq(ask((struct client_request){.what = "dump"}), "done");
    run(feed, apply, 3);
    ck_assert_str_eq(ask((struct client_request){.what = "dump", .arg = "finished"}), "done");
    run(feed, apply, 3);
    ck_assert_uint_eq(calls_of(feed, OP), 6);
    tear_down();
}
END_TEST

START_TEST(resets_for_every_viewer)
{
    struct client other;
    set_up();
    client_open(&other, getpid());
    client_hello(&other);
    run(feed, apply, 50);
    client_snapshot(&other, "DFA", 2);
    ck_assert_uint_eq(other.apply[apply].calls, 50);
    ck_assert_str_eq(ask((struct client_request){.what = "reset"}), "done");
    run(feed, apply, 7);
    client_hello(&other);
    ck_assert_uint_eq(other.frame.field[WIRE_F_EPOCH].u, 2);
    client_snapshot(&other, "DFA", 3);
    ck_assert_uint_eq(other.apply[apply].calls, 7);
    client_close(&other);
    tear_down();
}
END_TEST

START_TEST(sets_keys)
{
    set_up();
    ck_assert_str_eq(ask((struct client_request){.what = "set_config",
                                                 .arg = "profile_api\n0\ndump_period\n2.5"}),
                     "done");
    ck_assert_str_eq(proftop_get_config(feed, "profile_api"), "0");
    ck_assert_str_eq(proftop_get_config(feed, "dump_period"), "2.500000000");
    ck_assert_str_eq(proftop_get_config(feed, "profile_symbolic"), "1");
    tear_down();
}
END_TEST

static const struct {
    struct client_request request;
    const char *no, *word; /* substring of its sentence */
} wrong[] = {
    {{.what = "dance"}, "unsupported", "set_config"},
    {{.what = ""}, "unsupported", "set_config"},
    {{.what = NULL}, "unsupported", "set_config"},
    {{.what = "pause", .arg = "now"}, "wrong", "words"},
    {{.what = "set_state"}, "wrong", "words"},
    {{.what = "set_state", .arg = "run\nstop"}, "wrong", "words"},
    {{.what = "set_config"}, "wrong", "words"},
    {{.what = "set_config", .arg = "profile_api\n0\nprofile_all"}, "wrong", "value"},
    {{.what = "set_config", .arg = "profile_api\n0\nfoo\n1"}, "wrong", "'foo'"},
    {{.what = "set_config", .arg = "profile_api\n0\ndump_period\n-1"}, "wrong", "above 0"},
    {{.what = "set_config", .arg = "profile_api\n0\nfilename\n/tmp/x"}, "wrong", "file"},
    {{.what = "set_config", .arg = "gpu_memory_profile_filename_prefix\nx"}, "wrong", "file"},
    {{.what = "functions", .arg = "a*\nb*"}, "wrong", "words"},
    {{.what = "functions", .arg = "\t, ,"}, "wrong", "must be patterns, not blanks alone"},
    {{.what = "dump", .arg = "now"}, "wrong", "finished"},
    {{.what = "dump", .arg = "reset"}, "wrong", "table"},
    {{.what = "dump", .arg = "table\nbeauty"}, "wrong", "ascending"},
    {{.what = "dump", .arg = "finished\ntable"}, "wrong", "table"},
    {{.what = "dump", .arg = "table\navg\nascending\nfinished\nreset\nmin"}, "wrong", "words"},
};

/* Nothing changes, the refusal is counted, and the next request succeeds. */
START_TEST(says_what_is_wrong)
{
    set_up();
    ck_assert_str_eq(ask(wrong[_i].request), wrong[_i].no);
    ck_assert_msg(strstr(text_of(WIRE_F_TEXT), wrong[_i].word) != NULL, "%s", text_of(WIRE_F_TEXT));
    ck_assert_str_eq(proftop_get_config(feed, "profile_api"), "1");
    ck_assert_str_eq(proftop_get_config(feed, "filename"), "profile.json");
    ck_assert_uint_eq(hello(WIRE_F_COLLECT), 1);
    ck_assert_uint_eq(hello(WIRE_F_REFUSED), 1);
    ck_assert_str_eq(client_notices(&c), "");
    ck_assert_str_eq(ask((struct client_request){.what = "pause"}), "done");
    ck_assert_uint_eq(hello(WIRE_F_COLLECT), 0);
    tear_down();
}
END_TEST

/* Defines enough counters that a report has several parts and takes some ms to print. */
static void define_counters(void)
{
    enum { COUNTERS = 6000 };
    proftop_id domain = proftop_domain(feed, "io");
    for (int i = 0; i < COUNTERS; i++) {
        char name[64];
        snprintf(name, sizeof name, "counter with quite a long name, number %d\n",
                 i * 7919 % COUNTERS);
        proftop_counter_from(feed, domain, name, NULL, i);
    }
}

/* Reports equal the job's own output, in each order. Two clients have separate reports. */
START_TEST(reports_are_the_jobs_own)
{
    static const char *const words[] = {"total", "avg", "min", "max", "count"};
    set_up();
    ck_assert(!ask_part(0));
    ck_assert_ptr_nonnull(strstr(text_of(WIRE_F_TEXT), "no report"));
    define_counters();
    run(feed, apply, 3);
    for (int i = 0; i < 4; i++) {
        struct proftop_dumps_options options = {.size = sizeof options,
                                                .format = i & 1 ? "json" : "table",
                                                .sort_by = words[i],
                                                .ascending = i >> 1};
        char arg[64], *theirs;
        snprintf(arg, sizeof arg, "%s\n%s%s", options.format, words[i],
                 options.ascending ? "\nascending" : "");
        ck_assert_ptr_null(proftop_dumps(feed, &options, &theirs));
        char *ours = report(arg);
        ck_assert_uint_gt(strlen(ours), 2 * WIRE_PART_TEXTS * WIRE_TEXT_MAX); /* several parts */
        ck_assert_str_eq(ours, theirs);
        free(ours);
        free(theirs);
    }
    ck_assert(ask_part(c.frame.field[WIRE_F_BYTES].u)); /* past the end */
    ck_assert_uint_eq(c.frame.group[WIRE_G_PART].count, 0);
    ck_assert(!ask_part(c.frame.field[WIRE_F_BYTES].u + 1));
    client_close(&c); /* disconnecting frees its report */
    client_open(&c, getpid());
    ck_assert(!ask_part(0));
    tear_down();
}
END_TEST

START_TEST(a_trace_is_the_jobs_own)
{
    set_up();
    run(feed, apply, 3);
    proftop_id task = proftop_task(feed, proftop_domain(feed, "io"), "t");
    proftop_task_stop(feed, proftop_task_start(feed, task));
    char *text = report("trace\nfinished");
    ck_assert_ptr_nonnull(strstr(text, "\"calls\": 3, "));
    ck_assert_ptr_nonnull(strstr(text, "{\"name\": \"t\", \"cat\": \"io\", \"ph\": \"X\""));
    ck_assert_uint_eq(hello(WIRE_F_COLLECT), 0);
    ck_assert_uint_eq(hello(WIRE_F_EPOCH), 1);
    ck_assert_ptr_nonnull(strstr(client_notices(&c), "control: dump trace finished (asked by "));
    free(text);
    tear_down();
}
END_TEST

static void *count_on(void *stop)
{
    uint64_t calls = 0;
    for (; !atomic_load((_Atomic bool *)stop); calls++)
        run(feed, apply, 1);
    return (void *)calls;
}

/* With counting in parallel, each call is in exactly one of the reports. */
START_TEST(a_report_and_its_reset_are_one)
{
    _Atomic bool stop = false;
    pthread_t thread;
    void *calls;
    uint64_t counted = 0;
    set_up();
    define_counters();
    ck_assert_int_eq(pthread_create(&thread, NULL, count_on, &stop), 0);
    for (int i = 0; i < 6; i++) {
        if (i == 5) {
            atomic_store(&stop, true);
            pthread_join(thread, &calls);
        }
        char *text = report("json\nreset"), key[] = "\"" OP "\": {\"Count\": ";
        const char *at = strstr(text, key);
        unsigned long long more = 0;
        if (at != NULL)
            ck_assert_int_eq(sscanf(at + strlen(key), "%llu", &more), 1);
        counted += more;
        free(text);
        ck_assert_uint_eq(hello(WIRE_F_EPOCH), 2 + (uint64_t)i);
    }
    ck_assert_uint_eq(counted, (uint64_t)calls);
    tear_down();
}
END_TEST

/* A function left out is counted after it is chosen, and the other way round. So are the applies
 * that run in it, on threads that have touched it and on others. */
START_TEST(chooses_functions)
{
    static const char *const ops[] = {"o0", "o1"};
    static const char *const words[] = {"b*", "nobody", "a", ""};
    static const uint64_t calls[][2] = {{0, 1}, {0, 1}, {1, 1}, {2, 2}};
    proftop_id function[2], node[2];
    setenv("PROFTOP_FUNCTIONS", "none", 1);
    set_up();
    for (unsigned i = 0; i < 2; i++) {
        struct proftop_function_info f = {.size = sizeof f, .name = i == 0 ? "a" : "bb"};
        function[i] = proftop_function(feed, &f);
        struct proftop_apply_info info = {.size = sizeof info, .function = function[i]};
        info.op = proftop_op(feed, proftop_class(feed, "c"), ops[i]);
        node[i] = proftop_apply(feed, &info);
    }
    for (unsigned turn = 0; turn < 4; turn++) {
        ck_assert_str_eq(ask((struct client_request){.what = "functions", .arg = words[turn]}),
                         "done");
        for (unsigned i = 0; i < 2; i++) {
            struct proftop_token token = proftop_call_begin(feed, function[i]);
            run(feed, node[i], 1);
            proftop_call_end(feed, function[i], token);
        }
        for (unsigned i = 0; i < 2; i++)
            ck_assert_uint_eq(calls_of(feed, ops[i]), calls[turn][i]);
    }
    static uint64_t column[4][WIRE_FRAME_ROWS];
    client_ask(&c, (struct client_request){.q = "snapshot", .want = "F", .req = 9, .credit = 4});
    client_expect(&c, c.dealer, WIRE_FUNCTIONS);
    ck_assert_uint_eq(client_columns(&c.frame, WIRE_G_CALLS, column), 3);
    ck_assert_uint_eq(column[1][1], 2);
    ck_assert_uint_eq(column[1][2], 2);
    ck_assert_uint_eq(hello(WIRE_F_MISUSE), 0);
    tear_down();
}
END_TEST

/* -------------------------------------------------------------------------------- who asked */

/* Each viewer is told, later viewers as well. The viewer first states its own process, then
 * another. */
START_TEST(control_notice_names_the_requester)
{
    struct client other;
    char who[256], line[512];
    set_up();
    client_open(&other, getpid());
    client_subscribe(&other, "E/");
    client_subscribe(&other, "H/");
    client_expect(&other, other.sub, WIRE_HELLO);
    uint64_t pid = _i == 0 ? (uint64_t)getpid() : 1;
    if (_i == 0)
        snprintf(who, sizeof who, "anna, process %u on ", (unsigned)getpid());
    else
        snprintf(who, sizeof who,
                 "anna, process 1 on  as stated; user %u, process %u by the kernel",
                 (unsigned)geteuid(), (unsigned)getpid());
    snprintf(line, sizeof line, "control: set_state stop (asked by %s)", who);
    ck_assert_str_eq(ask((struct client_request){
                         .what = "set_state", .arg = "stop", .user = "anna", .pid = pid}),
                     "done");
    client_expect(&other, other.sub, WIRE_NOTICES);
    const struct wire_column *column = &other.frame.group[WIRE_G_NOTICE].column[2];
    const uint8_t *cursor = column->data;
    struct wire_text text;
    ck_assert(wire_text_next(column, &cursor, &text));
    ck_assert_uint_eq(text.size, strlen(line));
    ck_assert_mem_eq(text.data, line, text.size);
    do
        client_expect(&other, other.sub, WIRE_HELLO);
    while (other.frame.field[WIRE_F_COLLECT].u != 0);
    client_hello(&c);
    ck_assert_str_eq(text_of(WIRE_F_ASKER), who);
    ck_assert_ptr_nonnull(strstr(client_notices(&other), line));
    /* The next request comes from the program itself. */
    ck_assert_ptr_null(proftop_pause(feed, NULL));
    client_hello(&c);
    ck_assert(!c.frame.field[WIRE_F_ASKER].present && c.frame.field[WIRE_F_COLLECT].u == 0);
    client_close(&other);
    tear_down();
}
END_TEST

/* ---------------------------------------------------------------------------------- what is not */

static const char *const ops[] = {"pause",     "reset", "set_state", "set_config",
                                  "functions", "dump",  "dance"};

START_TEST(refuses_where_it_is_not_granted)
{
    setenv("PROFTOP_CONTROL", "0", 1);
    set_up();
    run(feed, apply, 5);
    ck_assert_str_eq(ask((struct client_request){.what = ops[_i], .arg = "stop"}), "refused");
    ck_assert_ptr_nonnull(strstr(text_of(WIRE_F_TEXT), "PROFTOP_CONTROL=0"));
    run(feed, apply, 5);
    ck_assert_uint_eq(calls_of(feed, OP), 10);
    ck_assert_uint_eq(hello(WIRE_F_REFUSED), 1);
    ck_assert_uint_eq(hello(WIRE_F_EPOCH), 1);
    ck_assert_str_eq(client_notices(&c), "");
    client_snapshot(&c, "DFA", 2); /* reading is another right */
    ck_assert_uint_eq(c.apply[apply].calls, 10);
    tear_down();
}
END_TEST

START_TEST(does_nothing_twice)
{
    set_up();
    ck_assert_str_eq(ask((struct client_request){.what = "reset", .req = 1000}), "done");
    ck_assert_str_eq(ask((struct client_request){.what = "reset", .req = 1000}), "again");
    ck_assert_str_eq(ask((struct client_request){.what = "reset", .req = 999}), "again");
    ck_assert_uint_eq(hello(WIRE_F_EPOCH), 2);
    ck_assert_uint_eq(hello(WIRE_F_REFUSED), 2);
    ck_assert_str_eq(ask((struct client_request){.what = "reset", .req = 1001}), "done");
    ck_assert_uint_eq(hello(WIRE_F_EPOCH), 3);
    tear_down();
}
END_TEST

/* Every request is answered. Commands per second are limited, and so are the notices. A job's
 * seconds begin with a request, so one second more may have begun than have passed. */
START_TEST(does_few_in_a_second)
{
    enum { ASKED = 200 };
    unsigned done = 0, busy = 0;
    set_up();
    const uint64_t begun_ns = test_clock_ns();
    for (int i = 0; i < ASKED; i++) {
        const char *word = ask((struct client_request){.what = "reset"});
        done += strcmp(word, "done") == 0;
        busy += strcmp(word, "busy") == 0;
    }
    const uint64_t seconds = 1 + (test_clock_ns() - begun_ns) / TEST_SECOND_NS;
    ck_assert_uint_eq(done + busy, ASKED);
    ck_assert_uint_ge(done, WIRE_CONTROLS_MAX);
    ck_assert_uint_ge(busy, 1);
    ck_assert_uint_le(done, seconds * WIRE_CONTROLS_MAX);
    ck_assert_uint_eq(hello(WIRE_F_EPOCH), 1 + done);
    ck_assert_uint_eq(hello(WIRE_F_REFUSED), busy);
    tear_down();
}
END_TEST

/* Sends a request with an argument that the text writer would refuse. */
static void send_raw(const char *what, const char *arg, size_t size)
{
    static uint8_t bytes[4 * WIRE_REQUEST_MAX];
    static char text[2 * WIRE_REQUEST_MAX];
    struct wire_writer w;
    memset(text, 'x', size);
    text[size] = 0;
    wire_begin(&w, bytes, sizeof bytes, WIRE_REQUEST, 0);
    wire_put_u64(&w, WIRE_F_VER, WIRE_VERSION);
    wire_put_u64(&w, WIRE_F_REQ, 50);
    wire_put_text(&w, WIRE_F_Q, "control");
    wire_put_text(&w, WIRE_F_WHAT, what);
    wire_put_text(&w, WIRE_F_ARG, text);
    size_t whole = wire_end(&w);
    ck_assert_uint_ne(whole, 0);
    memcpy(bytes + whole - size, arg, size);
    ck_assert_int_ge(zmq_send(c.dealer, bytes, whole, 0), 0);
}

static void expect_wrong(const char *word)
{
    client_expect(&c, c.dealer, WIRE_REPLY);
    ck_assert_str_eq(text_of(WIRE_F_NO), "wrong");
    ck_assert_msg(strstr(text_of(WIRE_F_TEXT), word) != NULL, "%s", text_of(WIRE_F_TEXT));
    client_close(&c); /* new client: its request numbers start again */
    client_open(&c, getpid());
}

START_TEST(bounds_its_words)
{
    static char longest[3900];
    memset(longest, '\n', sizeof longest);
    set_up();
    const size_t most = 2 * (size_t)count_keys(feed); /* each key with its value */
    send_raw("set_config", longest, most);
    expect_wrong("''");
    send_raw("set_config", longest, most + 1);
    expect_wrong("words");
    send_raw("set_config", longest, sizeof longest);
    expect_wrong("words");
    send_raw("functions", "a\0b", 3);
    expect_wrong("0 byte");
    memset(longest, '*', sizeof longest);
    send_raw("functions", longest, sizeof longest);
    expect_wrong("less than 1024 bytes");
    send_raw("set_config", longest, sizeof longest);
    expect_wrong("words");
    ck_assert_uint_eq(hello(WIRE_F_REFUSED), 6);
    ck_assert_uint_eq(hello(WIRE_F_COLLECT), 1);
    tear_down();
}
END_TEST

/* libzmq refuses messages above 4 KiB: the connection ends, and the client reconnects. */
START_TEST(oversized_ends_the_connection)
{
    static char longest[WIRE_REQUEST_MAX];
    set_up();
    send_raw("functions", longest, sizeof longest);
    client_close(&c);
    client_open(&c, getpid());
    run(feed, apply, 3);
    ck_assert_uint_eq(calls_of(feed, OP), 3);
    ck_assert_uint_eq(hello(WIRE_F_REFUSED), 0);
    ck_assert_str_eq(ask((struct client_request){.what = "pause"}), "done");
    tear_down();
}
END_TEST

/* Valid requests with changed bytes: the job survives each, and answers the next request. The job
 * drops requests above the quota, so the next request is repeated until it is answered. */
START_TEST(mutations_are_harmless)
{
    enum { MUTATIONS = 3000 };
    uint8_t bytes[WIRE_REQUEST_MAX], sent[WIRE_REQUEST_MAX];
    struct wire_writer w;
    bool answered = false;
    set_up();
    wire_begin(&w, bytes, sizeof bytes, WIRE_REQUEST, 0);
    wire_put_u64(&w, WIRE_F_VER, WIRE_VERSION);
    wire_put_u64(&w, WIRE_F_REQ, 1);
    wire_put_text(&w, WIRE_F_Q, "control");
    wire_put_text(&w, WIRE_F_WHAT, "set_config");
    wire_put_text(&w, WIRE_F_ARG, "profile_api\n0");
    wire_put_text(&w, WIRE_F_USER, "anna");
    size_t size = wire_end(&w);
    for (unsigned i = 0; i < MUTATIONS; i += tap_stride()) {
        memcpy(sent, bytes, size);
        for (uint64_t n = draw() % 4 + 1; n > 0; n--)
            sent[2 + draw() % (size - 2)] = (uint8_t)draw();
        ck_assert_int_ge(zmq_send(c.dealer, sent, i % 7 == 0 ? draw() % size : size, 0), 0);
    }
    client_close(&c);
    client_open(&c, getpid());
    for (int i = 0; i < 1000 && !answered; i++) {
        client_ask(&c, (struct client_request){.q = "hello", .req = 1});
        answered = client_receive(&c, c.dealer, 100);
    }
    ck_assert(answered && c.frame.stream == WIRE_HELLO);
    ck_assert(proftop_is_on(feed));
    tear_down();
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("comply");
    tap_add(s, "pauses and resumes", pauses_and_resumes);
    tap_add(s, "sets the state", sets_the_state);
    tap_add(s, "resets for every viewer", resets_for_every_viewer);
    tap_add(s, "sets keys", sets_keys);
    tap_add_loop(s, "says what is wrong", says_what_is_wrong, TAP_ROWS(wrong));
    tap_add(s, "reports are the jobs own", reports_are_the_jobs_own);
    tap_add(s, "a trace is the jobs own", a_trace_is_the_jobs_own);
    tap_add(s, "a report and its reset are one", a_report_and_its_reset_are_one);
    tap_add(s, "chooses functions", chooses_functions);
    tap_add_loop(s, "tells who asked", control_notice_names_the_requester, 2);
    tap_add_loop(s, "refuses where it is not granted", refuses_where_it_is_not_granted,
                 TAP_ROWS(ops));
    tap_add(s, "does nothing twice", does_nothing_twice);
    tap_add(s, "does few in a second", does_few_in_a_second);
    tap_add(s, "bounds its words", bounds_its_words);
    tap_add(s, "oversized ends the connection", oversized_ends_the_connection);
    tap_add(s, "mutations are harmless", mutations_are_harmless);
    return s;
}

TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_lifecycle.c: open, close, fork, exit, and all failures around a feed. The job always
 * continues.
 */
#include "config.h"

#include "tap.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>

#include "process.h"
#include "proftop_adapter.h"
#include "waits.h"

#define TOKEN "00112233445566778899aabbccddeeff"

START_TEST(open_and_close_again)
{
    for (int i = 0; i < 100; i++) {
        struct proftop *feed = client_feed();
        ck_assert_str_eq(proftop_reason(feed), "");
        proftop_id apply = client_graph(feed, 2, PROFTOP_TIMED);
        proftop_end(feed, apply, proftop_begin(feed, apply));
        ck_assert_int_eq(client_count(client_place(), ".info"), 1);
        proftop_close(feed);
        ck_assert_int_eq(client_count(client_place(), ""), 2); /* . and .. */
        ck_assert(!proftop_is_on(feed));
        /* A closed feed does nothing. */
        proftop_begin(feed, apply);
        proftop_record(feed, apply, 1);
        proftop_set(feed, apply, 1, 1);
        proftop_notice(feed, 0, "late");
        ck_assert_uint_eq(proftop_class(feed, "late"), PROFTOP_NONE);
        proftop_close(feed);
    }
    client_clean();
}
END_TEST

START_TEST(no_feed_at_all)
{
    struct proftop_token none = {0};
    proftop_close(NULL);
    ck_assert(!proftop_is_on(NULL));
    ck_assert_ptr_nonnull(proftop_reason(NULL));
    ck_assert_uint_eq(proftop_class(NULL, "x"), PROFTOP_NONE);
    ck_assert_uint_eq(proftop_begin(NULL, 0).start, 0);
    proftop_end(NULL, 0, none);
    proftop_record(NULL, 0, 1);
    proftop_set(NULL, 0, 1, 1);
    proftop_call_end(NULL, 0, proftop_call_begin(NULL, 0));
    proftop_call_set(NULL, 0, 1, 1);
    proftop_vm(NULL, 0, 1);
    proftop_compile_end(NULL, 0, NULL);
    proftop_thread_name(NULL, NULL);
    proftop_route(NULL, NULL);
    proftop_facts(NULL, NULL);
    proftop_rank(NULL, 0, 1);
    proftop_notice(NULL, 0, NULL);
}
END_TEST

/* Value of the environment, whether the program waits for a request, and the result. */
static const struct {
    const char *proftop;
    unsigned flags;
    bool on;
} switches[] = {{NULL, 0, true}, {"0", 0, false}, {"1", 0, true},   {NULL, 1, false},
                {"1", 1, true},  {"0", 1, false}, {"yes", 1, false}};

START_TEST(switched)
{
    struct proftop_options options = {.size = sizeof options, .flags = switches[_i].flags};
    client_place();
    if (switches[_i].proftop != NULL)
        setenv("PROFTOP", switches[_i].proftop, 1);
    else
        unsetenv("PROFTOP");
    struct proftop *feed = proftop_open(&options);
    ck_assert_int_eq(proftop_is_on(feed), switches[_i].on);
    ck_assert_int_eq(proftop_reason(feed)[0] == 0, switches[_i].on);
    proftop_close(feed);
    client_clean();
}
END_TEST

START_TEST(two_feeds)
{
    struct proftop *one = client_feed(), *two = client_feed();
    proftop_id a = client_graph(one, 1, PROFTOP_GIVEN), b = client_graph(two, 2, PROFTOP_GIVEN);
    struct client c;
    ck_assert_int_eq(client_count(client_place(), ".info"), 2);
    for (int i = 0; i < 10; i++) {
        proftop_record(one, a, 1);
        proftop_record(two, b + 1, 2);
    }
    client_open(&c, getpid()); /* the first feed has the plain name */
    client_snapshot(&c, "DA", 1);
    ck_assert_uint_eq(c.defs[WIRE_T_APPLY], 1);
    ck_assert_uint_eq(c.apply[a].calls, 10);
    ck_assert_uint_eq(c.apply[a].total, 10);
    client_close(&c);
    proftop_close(one);
    proftop_record(two, b + 1, 2);
    ck_assert(proftop_is_on(two));
    proftop_close(two);
    client_clean();
}
END_TEST

/* ------------------------------------------------------------------------------------- end */

static void expect_bye(struct client *c, void *socket)
{
    do
        client_expect(c, socket, WIRE_HELLO);
    while (!c->frame.field[WIRE_F_BYE].present);
}

/* True if the goodbye arrived with all frames that it lists. On a very busy machine some may be
 * missing: close waits only for a limited time. */
static bool goodbye_comes(void)
{
    static uint64_t v[4][WIRE_FRAME_ROWS];
    struct client c;
    struct proftop *feed = client_feed();
    proftop_id apply = client_graph(feed, 1, PROFTOP_GIVEN);
    client_open(&c, getpid());
    client_subscribe(&c, "");
    client_expect(&c, c.sub, WIRE_HELLO);
    for (int i = 0; i < 1000; i++)
        proftop_record(feed, apply, 3);
    proftop_close(feed);
    bool bye = client_hears_bye(&c);
    if (bye) {
        ck_assert_uint_eq(client_columns(&c.frame, WIRE_G_LAST, v), 1);
        ck_assert_uint_eq(c.frame.field[WIRE_F_LAST_H].u, c.frame.field[WIRE_F_SEQ].u);
        bye = c.frames == v[1][0];
    }
    if (bye) {
        ck_assert_uint_eq(c.apply[apply].calls, 1000);
        ck_assert_uint_eq(c.apply[apply].total, 3000);
    }
    client_close(&c);
    return bye;
}

START_TEST(goodbye_is_complete)
{
    enum { TRIES = 20 };
    int tries = 1;
    while (tries < TRIES && !goodbye_comes())
        tries++;
    ck_assert_int_lt(tries, TRIES);
    client_clean();
}
END_TEST

/* A viewer that said hello and never reads. The wait of close is limited, and the feed ends by
 * itself before it is given up. On a busy machine, one close of several achieves this. */
START_TEST(stalled_viewer)
{
    enum { FEWEST = 3, MOST = 60, GRACE_MS = 100 };
    struct client c;
    bool ended = false;
    for (int i = 0; i < FEWEST || (i < MOST && !ended); i++) {
        struct proftop *feed = client_feed();
        client_graph(feed, 5000, PROFTOP_GIVEN);
        client_open(&c, getpid());
        client_subscribe(&c, "");
        client_hello(&c);
        uint64_t before = process_now_ms();
        waits_start();
        proftop_close(feed);
        ck_assert_uint_ge(process_now_ms() - before, 30); /* it did wait for the viewer */
        ck_assert_int_le(waits->longest_ms, WIRE_BYE_MS + GRACE_MS);
        ended = ended || waits->timeouts == 0;
        client_close(&c);
    }
    ck_assert(ended);
    client_clean();
}
END_TEST

struct acker {
    struct client c;
    _Atomic bool bye;
};

/* Reads until the goodbye, then acknowledges it. */
static void *wait_for_bye(void *argument)
{
    struct acker *acker = argument;
    expect_bye(&acker->c, acker->c.sub);
    client_ask(&acker->c, (struct client_request){.q = "ack", .req = 9});
    return NULL;
}

/* Under `proftop run` close would wait 2 s, but the acknowledgement ends the wait. */
START_TEST(acknowledged)
{
    struct acker acker;
    pthread_t thread;
    setenv("PROFTOP_RUN", TOKEN, 1);
    struct proftop *feed = client_feed();
    client_open(&acker.c, getpid());
    ck_assert_str_eq(acker.c.info.token, TOKEN);
    client_subscribe(&acker.c, "");
    client_hello(&acker.c);
    client_expect(&acker.c, acker.c.sub, WIRE_HELLO);
    ck_assert_int_eq(pthread_create(&thread, NULL, wait_for_bye, &acker), 0);
    waits_start();
    proftop_close(feed);
    ck_assert_uint_gt(waits->count, 0);
    ck_assert_uint_eq(waits->timeouts, 0);
    pthread_join(thread, NULL);
    client_close(&acker.c);
    client_clean();
}
END_TEST

/* `run` attaches to the first feed of a process. A second one waits for nobody. */
START_TEST(second_feed_does_not_wait_for_the_viewer)
{
    setenv("PROFTOP_RUN", TOKEN, 1);
    waits_start();
    struct proftop *feed = client_feed();
    ck_assert_uint_eq(waits->timeouts, 1);
    waits_start();
    struct proftop *second = proftop_open(NULL);
    ck_assert_int_eq(proftop_is_on(second), 1);
    ck_assert_uint_eq(waits->timeouts, 0);
    proftop_close(second);
    proftop_close(feed);
    client_clean();
}
END_TEST

static void *close_it(void *feed)
{
    proftop_close(feed);
    return NULL;
}

/* A short job says goodbye before the subscriptions of attaching viewers arrive. They still receive
 * the goodbye, with the last values. A later viewer gets it as an answer to its hello. */
START_TEST(late_for_the_goodbye)
{
    struct client c, later;
    pthread_t thread;
    setenv("PROFTOP_RUN", TOKEN, 1);
    struct proftop *feed = client_feed();
    proftop_id apply = client_graph(feed, 1, PROFTOP_GIVEN);
    client_open(&c, getpid());
    client_open(&later, getpid());
    client_hello(&c);
    for (int i = 0; i < 33; i++)
        proftop_record(feed, apply, 3);
    ck_assert_int_eq(pthread_create(&thread, NULL, close_it, feed), 0);
    do
        client_hello(&c);
    while (!c.frame.field[WIRE_F_BYE].present);
    client_subscribe(&c, "A/");
    client_subscribe(&c, "H/");
    expect_bye(&c, c.sub);
    ck_assert_uint_eq(c.apply[apply].calls, 33);
    client_hello(&later);
    ck_assert(later.frame.field[WIRE_F_BYE].present);
    client_snapshot(&later, "DA", 2);
    ck_assert_uint_eq(later.apply[apply].calls, 33);
    client_ask(&c, (struct client_request){.q = "ack", .req = 9});
    client_ask(&later, (struct client_request){.q = "ack", .req = 9});
    pthread_join(thread, NULL);
    client_close(&c);
    client_close(&later);
    client_clean();
}
END_TEST

static void just_exit(int argument)
{
    (void)argument;
    struct proftop *feed = client_feed();
    proftop_id apply = client_graph(feed, 1, PROFTOP_TIMED);
    proftop_begin(feed, apply);
    exit(0);
}

/* A program that exits without a close leaves no files. */
START_TEST(exit_closes)
{
    client_place();
    process_run(just_exit, 0);
    ck_assert_int_eq(client_count(client_place(), ""), 2);
    client_clean();
}
END_TEST

/* ------------------------------------------------------------------------------------ fork */

static void in_fork(int opens)
{
    extern struct proftop *inherited;
    CHILD_NEEDS(!proftop_is_on(inherited));
    CHILD_NEEDS(strstr(proftop_reason(inherited), "forked") != NULL);
    proftop_end(inherited, 0, proftop_begin(inherited, 0));
    proftop_record(inherited, 0, 5);
    CHILD_NEEDS(proftop_class(inherited, "x") == PROFTOP_NONE);
    if (opens == 1)
        proftop_close(inherited);
    if (opens == 2) {
        struct proftop *own = proftop_open(NULL);
        CHILD_NEEDS(proftop_is_on(own));
        struct registry_info mine, theirs;
        CHILD_NEEDS(client_info(client_place(), getpid(), &mine));
        CHILD_NEEDS(client_info(client_place(), getppid(), &theirs));
        CHILD_NEEDS(strcmp(mine.parent, theirs.instance) == 0);
        CHILD_NEEDS(strcmp(mine.instance, theirs.instance) != 0);
        proftop_close(own);
    }
    if (opens == 3)
        exit(0); /* run the destructors */
}

struct proftop *inherited;

/* The parent's feed works on, whatever its children do with the inherited one. */
START_TEST(forked_children)
{
    struct client c;
    int ways = PROCESS_TSAN ? 2 : 4;
    inherited = client_feed();
    client_graph(inherited, 1, PROFTOP_TIMED);
    client_open(&c, getpid());
    for (int i = 0; i < 40; i++) {
        proftop_end(inherited, 0, proftop_begin(inherited, 0));
        process_run(in_fork, i % ways);
    }
    ck_assert(proftop_is_on(inherited));
    client_hello(&c);
    client_snapshot(&c, "DA", 2);
    ck_assert_uint_eq(c.apply[0].calls, 40);
    client_end(&c, inherited);
}
END_TEST

/* Timestamp factor that a feed publishes; 0: none (yet). */
static uint32_t tick_ns(const struct proftop *feed)
{
    return __atomic_load_n(&((const struct proftop_front *)feed)->tick_ns, __ATOMIC_RELAXED);
}

static int told[2], let[2]; /* pipes from and to a child */

/* Child: counts twice what its parent defined, and ends on request. */
static void as_child(int again)
{
    static proftop_id classes = 1;
    char byte = 0;
    struct proftop *own = proftop_open_child(inherited);
    CHILD_NEEDS(proftop_is_on(own) && !proftop_is_on(inherited));
    struct proftop *other = proftop_open_child(inherited);
    CHILD_NEEDS(!proftop_is_on(other) && strstr(proftop_reason(other), "gone to another") != NULL);
    proftop_close(other);
    for (int i = 0; i < 2; i++)
        proftop_end(own, 2, proftop_begin(own, 2));
    proftop_call_end(own, 0, proftop_call_begin(own, 0));
    CHILD_NEEDS(tick_ns(own) / 1000 - tick_ns(inherited) / 1000 + 1000 <= 2000);
    CHILD_NEEDS(proftop_class(own, "more") == classes++);
    if (again) {
        inherited = own;
        process_run(as_child, 0);
        return;
    }
    CHILD_NEEDS(write(told[1], &byte, 1) == 1);
    struct registry_info mine, theirs;
    CHILD_NEEDS(client_info(client_place(), getpid(), &mine));
    CHILD_NEEDS(client_info(client_place(), getppid(), &theirs));
    CHILD_NEEDS(strcmp(mine.parent, theirs.instance) == 0);
    CHILD_NEEDS(strcmp(mine.program, theirs.program) == 0);
    CHILD_NEEDS(read(let[0], &byte, 1) == 1);
    proftop_close(own);
}

/* A child counts from zero under its parent's ids. Compilations stay with the parent. */
START_TEST(children_inherit)
{
    struct client c;
    char byte = 0;
    const struct proftop_compile_times times = {
        .size = sizeof times, .compile_ns = 9, .rewrite_ns = 5, .validate_ns = 3, .link_ns = 2};
    inherited = client_feed();
    proftop_id function = client_graph(inherited, 3, PROFTOP_TIMED);
    proftop_compile_end(inherited, function, &times);
    for (int i = 0; i < 5; i++)
        proftop_end(inherited, 2, proftop_begin(inherited, 2));
    ck_assert_int_eq(pipe(told), 0);
    ck_assert_int_eq(pipe(let), 0);
    while (proftop_block_of(inherited) != NULL && tick_ns(inherited) == 0)
        poll(NULL, 0, 1);
    struct proftop *own = proftop_open_child(inherited);
    ck_assert(!proftop_is_on(own) && proftop_is_on(inherited));
    ck_assert(!proftop_is_on(proftop_open_child(NULL)));
    proftop_close(own);
    pid_t child = process_start(as_child, _i);
    ck_assert_int_eq(read(told[0], &byte, 1), 1);
    if (_i == 0) {
        client_open(&c, child);
        client_hello(&c);
        client_snapshot(&c, "DFA", 2);
        ck_assert_uint_eq(c.defs[WIRE_T_APPLY], 3);
        ck_assert_uint_eq(c.defs[WIRE_T_FUNCTION], 1);
        ck_assert_uint_eq(c.apply[0].calls, 0);
        ck_assert_uint_eq(c.apply[2].calls, 2);
        client_close(&c);
    }
    ck_assert_int_eq(write(let[1], &byte, 1), 1);
    process_join(child);
    client_open(&c, getpid());
    client_hello(&c);
    client_snapshot(&c, "DA", 2);
    ck_assert_uint_eq(c.apply[2].calls, 5);
    client_end(&c, inherited);
}
END_TEST

static _Atomic bool stop_counting;

static void *count_on(void *feed)
{
    while (!atomic_load(&stop_counting)) {
        proftop_end(feed, 0, proftop_begin(feed, 0));
        proftop_notice(feed, 0, "busy");
    }
    return NULL;
}

/* Forks while other threads hold the feed's locks from time to time. */
START_TEST(forks_amid_work)
{
    pthread_t thread[2];
    inherited = client_feed();
    client_graph(inherited, 1, PROFTOP_TIMED);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, count_on, inherited), 0);
    for (int i = 0; i < 50; i++)
        process_join(process_become(fork(), in_fork, i % 2));
    atomic_store(&stop_counting, true);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    ck_assert(proftop_is_on(inherited));
    proftop_close(inherited);
    client_clean();
}
END_TEST

static pthread_t ending;
static int counted[2], may_end[2];

static void *count_and_end(void *feed)
{
    char byte;
    proftop_end(feed, 0, proftop_begin(feed, 0));
    ck_assert_int_eq(write(counted[1], "", 1), 1);
    ck_assert_int_eq(read(may_end[0], &byte, 1), 1);
    return NULL;
}

static void end_threads(void)
{
    ck_assert_int_eq(write(may_end[1], "", 1), 1);
    ck_assert_int_eq(pthread_join(ending, NULL), 0);
}

/* A library that must fork without threads, such as MXNet, ends its threads in a fork handler. A
 * handler registered before the feed runs while the feed holds its locks. */
START_TEST(a_fork_ends_threads)
{
    char byte;
    ck_assert_int_eq(pipe(counted), 0);
    ck_assert_int_eq(pipe(may_end), 0);
    ck_assert_int_eq(pthread_atfork(end_threads, NULL, NULL), 0);
    inherited = client_feed();
    client_graph(inherited, 1, PROFTOP_TIMED);
    struct client c;
    client_open(&c, getpid());
    client_hello(&c); /* else a child may have a connection that ZeroMQ's thread was setting up */
    for (int i = 0; i < 5; i++) {
        ck_assert_int_eq(pthread_create(&ending, NULL, count_and_end, inherited), 0);
        ck_assert_int_eq(read(counted[0], &byte, 1), 1);
        process_join(process_become(fork(), in_fork, i % 2));
    }
    client_snapshot(&c, "DA", 2);
    ck_assert_uint_eq(c.apply[0].calls, 5);
    client_end(&c, inherited);
}
END_TEST

/* Threads that keep counting while the feed is closed. */
START_TEST(closed_amid_work)
{
    for (int i = 0; i < 20; i++) {
        pthread_t thread[2];
        atomic_store(&stop_counting, false);
        struct proftop *feed = client_feed();
        client_graph(feed, 1, PROFTOP_TIMED);
        for (int t = 0; t < 2; t++)
            ck_assert_int_eq(pthread_create(&thread[t], NULL, count_on, feed), 0);
        proftop_close(feed);
        ck_assert(!proftop_is_on(feed));
        atomic_store(&stop_counting, true);
        for (int t = 0; t < 2; t++)
            pthread_join(thread[t], NULL);
    }
    client_clean();
}
END_TEST

/* --------------------------------------------------------------------------------- failures */

/* If the files are removed, the feed makes them again within seconds. */
START_TEST(files_vanish)
{
    struct client c;
    struct proftop *feed = client_feed();
    client_clean(); /* with the directory */
    int found = 0;
    for (uint64_t until = process_now_ms() + 8000; found == 0 && process_now_ms() < until;
         zmq_poll(NULL, 0, 20))
        found = client_count(client_place(), ".info");
    ck_assert_int_eq(found, 1);
    client_open(&c, getpid());
    client_hello(&c);
    client_end(&c, feed);
}
END_TEST

/* A bad first directory is skipped for the next one. */
#define LONG_NAME "/a-name-of-thirty-bytes-or-so-xx"
static const char *const bad_places[] = {"/proc/no/such", "/dev/null",
                                         "/tmp" LONG_NAME LONG_NAME LONG_NAME};

START_TEST(bad_places_are_passed)
{
    const char *place = client_place();
    char next[200];
    snprintf(next, sizeof next, "%s/proftop", place);
    setenv("XDG_RUNTIME_DIR", place, 1);
    setenv("PROFTOP_DIR", bad_places[_i], 1);
    struct proftop *feed = proftop_open(NULL);
    ck_assert_msg(proftop_is_on(feed), "%s", proftop_reason(feed));
    ck_assert_int_eq(client_count(next, ".info"), 1);
    proftop_close(feed);
    rmdir(next);
    rmdir(place);
}
END_TEST

/* The lock shows that the job is dead, also while a child of the job lives. */
START_TEST(lock_dies_with_the_job)
{
    char path[300];
    const char *place = client_place();
    int tell[2], stay[2], status;
    ck_assert_int_eq(pipe(tell), 0);
    ck_assert_int_eq(pipe(stay), 0);
    pid_t job = fork();
    if (job == 0) {
        struct proftop *feed = client_feed();
        pid_t child = proftop_is_on(feed) ? fork() : -1;
        if (child == 0) {
            close(stay[1]);
            char byte;
            ssize_t got = read(stay[0], &byte, 1);
            _exit(got != 0);
        }
        ssize_t put = write(tell[1], "x", 1);
        (void)put;
        pause();
    }
    char byte;
    ck_assert_int_eq(read(tell[0], &byte, 1), 1);
    snprintf(path, sizeof path, "%s/%d-%llu.info", place, (int)job,
             (unsigned long long)shared_process_start((uint64_t)job));
    int fd = open(path, O_RDWR | O_CLOEXEC);
    ck_assert_int_ge(fd, 0);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    ck_assert_int_eq(fcntl(fd, F_GETLK, &lock), 0);
    ck_assert_int_eq(lock.l_type, F_WRLCK);
    ck_assert_int_eq(lock.l_pid, job);
    kill(job, SIGKILL);
    waitpid(job, &status, 0);
    lock = (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET};
    ck_assert_int_eq(fcntl(fd, F_GETLK, &lock), 0);
    ck_assert_int_eq(lock.l_type, F_UNLCK);
    close(fd);
    close(stay[1]);
    client_clean();
}
END_TEST

static struct proftop *waited_feed;
static proftop_id waited_apply;
static pthread_t waited;
static atomic_bool waited_stop;

static void *count_until_stopped(void *unused)
{
    while (!atomic_load(&waited_stop))
        proftop_end(waited_feed, waited_apply, proftop_begin(waited_feed, waited_apply));
    proftop_class(waited_feed, "defined at the end");
    return unused;
}

/* A handler that was registered before the library's runs after it. */
static void wait_for_the_thread(void)
{
    proftop_fork_unlock(waited_feed);
    atomic_store(&waited_stop, true);
    pthread_join(waited, NULL);
    proftop_fork_lock(waited_feed);
}

START_TEST(a_handler_of_forks_may_wait_for_threads)
{
    int status = -1;
    proftop_fork_unlock(NULL); /* outside a fork they do nothing */
    proftop_fork_lock(NULL);
    ck_assert_int_eq(pthread_atfork(wait_for_the_thread, NULL, NULL), 0);
    waited_feed = client_feed();
    waited_apply = client_graph(waited_feed, 1, PROFTOP_TIMED);
    ck_assert_int_eq(pthread_create(&waited, NULL, count_until_stopped, NULL), 0);
    pid_t child = fork();
    if (child == 0)
        _exit(proftop_is_on(waited_feed) ? 1 : 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ck_assert(proftop_is_on(waited_feed));
    ck_assert_uint_ne(proftop_class(waited_feed, "behind it"), PROFTOP_NONE);
    proftop_close(waited_feed);
    client_clean();
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("life");
    tap_add(s, "open_and_close_again", open_and_close_again);
    tap_add(s, "no_feed_at_all", no_feed_at_all);
    tap_add_loop(s, "switched", switched, TAP_ROWS(switches));
    tap_add(s, "two_feeds", two_feeds);
    tap_add(s, "goodbye_is_complete", goodbye_is_complete);
    tap_add(s, "stalled_viewer", stalled_viewer);
    tap_add(s, "acknowledged", acknowledged);
    tap_add(s, "second", second_feed_does_not_wait_for_the_viewer);
    tap_add(s, "acknowledged", late_for_the_goodbye);
    tap_add(s, "exit_closes", exit_closes);
    tap_native(tap_add(s, "forked_children", forked_children));
    if (!PROCESS_TSAN) /* TSan allows no threads in a child forked beside threads */
        tap_native(tap_add_loop(s, "children_inherit", children_inherit, 2));
    tap_add(s, "forks_amid_work", forks_amid_work);
    tap_add(s, "a_fork_ends_threads", a_fork_ends_threads);
    tap_add(s, "fork_handlers", a_handler_of_forks_may_wait_for_threads);
    tap_add(s, "closed_amid_work", closed_amid_work);
    tap_add(s, "files_vanish", files_vanish);
    tap_add_loop(s, "bad_places_are_passed", bad_places_are_passed, TAP_ROWS(bad_places));
    tap_add(s, "lock_dies_with_the_job", lock_dies_with_the_job);
    return s;
}

TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_same_results.c: the results of a job and the state of its process are the same, bit for
 * bit, whatever happens to its feed. And it ends in time whatever its viewer does.
 */
#include "config.h"

#include "tap.h"

#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "process.h"
#include "proftop_control.h"
#include "result.h"
#include "shared_table.h"
#include "viewing.h"
#include "waits.h"

enum { STEPS = 400, ROUND = 50, APPLIES = 2000 };

static struct proftop *feed;
static struct registry_info info; /* as it was first registered */

static void open_feed(void)
{
    feed = client_feed();
    client_graph(feed, APPLIES, PROFTOP_TIMED);
}

/* A disturbance of a job while it computes. */
struct trouble {
    void (*make)(int step); /* called between the steps, up to STEPS */
    bool (*is_seen)(void);  /* true: the feed has noticed; the job runs until then; may be NULL */
    bool has_children;      /* which start threads */
    bool shares;            /* the feed shares the job's descriptor table */
};

/* Runs the steps with the trouble between them. Returns the digest and sets the number of steps. */
static uint64_t compute(const struct trouble *trouble, int *steps)
{
    struct result r;
    int step = 0;
    result_begin(&r);
    do {
        if (trouble->make != NULL && step < STEPS)
            trouble->make(step);
        for (int i = 0; i < ROUND; i++, step++) {
            const proftop_id apply = (proftop_id)(step % APPLIES);
            struct proftop_token token = proftop_begin(feed, apply);
            result_step(&r);
            proftop_end(feed, apply, token);
        }
    } while (step < STEPS || (trouble->is_seen != NULL && !trouble->is_seen()));
    *steps = step;
    return result_digest(&r);
}

/* ------------------------------------------------------------------------------- the process */

/* Process state that a library must not change. */
struct state {
    struct sigaction action[NSIG];
    sigset_t blocked;
    mode_t mask;
    int rounding, exceptions, descriptors;
    char place[4096], words[64];
    struct rlimit limit[3];
};

static struct state look(void)
{
    struct state s;
    memset(&s, 0, sizeof s);
    for (int i = 1; i < NSIG; i++)
        sigaction(i, NULL, &s.action[i]);
    pthread_sigmask(SIG_SETMASK, NULL, &s.blocked);
    s.mask = umask(0);
    umask(s.mask);
    s.rounding = fegetround();
    s.exceptions = fetestexcept(FE_ALL_EXCEPT);
    s.descriptors = PROCESS_TSAN ? 0 : process_descriptors();
    ck_assert_ptr_nonnull(getcwd(s.place, sizeof s.place));
    snprintf(s.words, sizeof s.words, "%s", setlocale(LC_ALL, NULL));
    getrlimit(RLIMIT_NOFILE, &s.limit[0]);
    getrlimit(RLIMIT_CORE, &s.limit[1]);
    getrlimit(RLIMIT_STACK, &s.limit[2]);
    return s;
}

static void is_same(const struct state *a, const struct state *b)
{
    for (int i = 1; i < NSIG; i++) {
        ck_assert_msg(a->action[i].sa_handler == b->action[i].sa_handler, "signal %d", i);
        ck_assert_int_eq(a->action[i].sa_flags, b->action[i].sa_flags);
    }
    ck_assert_mem_eq(&a->blocked, &b->blocked, sizeof a->blocked);
    ck_assert_uint_eq(a->mask, b->mask);
    ck_assert_int_eq(a->rounding, b->rounding);
    ck_assert_int_eq(a->exceptions, b->exceptions);
    ck_assert_int_eq(a->descriptors, b->descriptors);
    ck_assert_str_eq(a->place, b->place);
    ck_assert_str_eq(a->words, b->words);
    ck_assert_mem_eq(a->limit, b->limit, sizeof a->limit);
}

START_TEST(process_is_left_alone)
{
    client_place();
    struct state before = look();
    feed = proftop_open(NULL);
    client_graph(feed, 4, PROFTOP_TIMED);
    struct proftop_token token = proftop_begin(feed, 0);
    proftop_end(feed, 0, token);
    struct state amid = look();
    is_same(&before, &amid);
    proftop_close(feed);
    struct state after = look();
    is_same(&before, &after);
    client_clean();
}
END_TEST

static const int signals[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGUSR1,   SIGUSR2, SIGPIPE, SIGALRM,
                              SIGTERM, SIGCHLD, SIGPROF, SIGVTALRM, SIGIO,   SIGXCPU, SIGWINCH};

/* A signal blocked by the program stays pending: otherwise a thread of the feed would take it, and
 * most of them would end the program. */
START_TEST(signals_are_those_of_the_program)
{
    const struct timespec at_once = {0, 0};
    struct client c;
    sigset_t some, waiting;
    feed = client_feed();
    client_graph(feed, 4, PROFTOP_TIMED);
    sigemptyset(&some);
    for (int i = 0; i < TAP_ROWS(signals); i++)
        sigaddset(&some, signals[i]);
    pthread_sigmask(SIG_BLOCK, &some, NULL);
    client_open(&c, getpid()); /* so that all of the feed's threads have started */
    client_hello(&c);
    for (int i = 0; i < TAP_ROWS(signals); i++)
        ck_assert_int_eq(kill(getpid(), signals[i]), 0);
    client_hello(&c);
    ck_assert_int_eq(sigpending(&waiting), 0);
    for (int i = 0; i < TAP_ROWS(signals); i++)
        ck_assert_msg(sigismember(&waiting, signals[i]) == 1, "signal %d was taken", signals[i]);
    while (sigtimedwait(&some, NULL, &at_once) > 0)
        continue;
    client_end(&c, feed);
}
END_TEST

/* ----------------------------------------------------------------------------------- trouble */

/* Checks without a descriptor. */
static bool listens(void)
{
    return access(info.facts + strlen("ipc://"), F_OK) == 0;
}

static void lose_registry(int step)
{
    (void)step;
    client_clean();
}

static bool has_registry_again(void)
{
    struct registry_info now;
    return listens() && client_info(client_place(), getpid(), &now);
}

static void open_again(int step)
{
    (void)step;
    proftop_close(feed);
    mkdir(client_place(), 0700);
    open_feed();
}

static void close_early(int step)
{
    if (step == STEPS / 2)
        proftop_close(feed);
}

static void open_late(int step)
{
    if (step == 0) {
        proftop_close(feed);
        feed = NULL;
    } else if (step == STEPS / 2) {
        mkdir(client_place(), 0700);
        open_feed();
    }
}

static void *touch(void *unused)
{
    proftop_end(feed, 1, proftop_begin(feed, 1));
    return unused;
}

static void use_threads(int step)
{
    pthread_t thread;
    (void)step;
    ck_assert_int_eq(pthread_create(&thread, NULL, touch, NULL), 0);
    pthread_join(thread, NULL);
}

static void end_at_once(int step)
{
    (void)step;
    proftop_end(feed, 1, proftop_begin(feed, 1));
}

static void fork_some(int step)
{
    process_run(end_at_once, step);
}

static void become_another(int step)
{
    (void)step;
    execl("/bin/true", "true", (char *)NULL);
    _exit(1);
}

static void fork_to_exec(int step)
{
    process_run(become_another, step);
}

static void have_a_feed(int step)
{
    struct proftop *own = step % (2 * ROUND) == 0 ? proftop_open(NULL) : proftop_open_child(feed);
    CHILD_NEEDS(proftop_is_on(own));
    proftop_close(own);
}

static void fork_to_publish(int step)
{
    process_run(have_a_feed, step);
}

static void misuse(int step)
{
    struct proftop_token token = {0};
    proftop_end(feed, 77777, token);
    proftop_record(feed, 0, (uint64_t)step);
    proftop_close(NULL);
}

static void steer(int step)
{
    static const char *const off[] = {
        "profile_symbolic", "0", "filename", "", "gpu_memory_profile_filename_prefix", "", NULL};
    static const char *const on[] = {"profile_all", "1", NULL};
    char *text;
    ck_assert_ptr_null(proftop_set_config(feed, step % (2 * ROUND) == 0 ? off : on));
    ck_assert_ptr_null(step % 3 == 0 ? proftop_pause(feed, NULL) : proftop_resume(feed, NULL));
    ck_assert_ptr_null(proftop_dumps(feed, NULL, &text));
    free(text);
    ck_assert_ptr_null(proftop_dump(feed, 0, NULL));
    ck_assert_ptr_null(proftop_reset(feed));
}

enum { LIMIT = 64 };
static int taken[LIMIT], takes;

/* Uses up every descriptor of the process. */
static void take_descriptors(int step)
{
    const struct rlimit few = {LIMIT, LIMIT};
    if (step > 0)
        return;
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
    while (takes < LIMIT && (taken[takes] = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0)
        takes++;
    ck_assert(takes > 0 && takes < LIMIT && errno == EMFILE);
}

/* The feed stopped listening for lack of descriptors, and listens again after they are freed. */
static bool went_short(void)
{
    if (takes > 0 && listens())
        return false;
    while (takes > 0)
        close(taken[--takes]);
    return listens();
}

static void kill_a_viewer(int step)
{
    (void)step;
    viewing_end(viewing_start(getpid(), true));
}

static struct {
    pid_t viewer;
    struct client beside; /* gets the same frames and reads them */
    uint64_t bytes, frames;
} stalled;

/* A viewer that stops reading. */
static void stall_a_viewer(int step)
{
    if (step > 0)
        return;
    stalled.viewer = viewing_start(getpid(), true);
    kill(stalled.viewer, SIGSTOP);
    client_open(&stalled.beside, getpid());
    client_subscribe(&stalled.beside, "");
}

/* Capacity in bytes of a socket such as the feed's. */
static uint64_t socket_holds(void)
{
    int pair[2], holds;
    socklen_t size = sizeof holds;
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    ck_assert_int_eq(getsockopt(pair[0], SOL_SOCKET, SO_SNDBUF, &holds, &size), 0);
    close(pair[0]);
    close(pair[1]);
    return (uint64_t)holds;
}

/* True if the feed has sent more than the viewer's socket plus its queue can hold. From then on the
 * feed drops frames for this viewer. */
static bool is_given_up(void)
{
    struct client *c = &stalled.beside;
    while (client_receive(c, c->sub, 0))
        if (stalled.bytes > socket_holds())
            stalled.frames++;
        else
            stalled.bytes += c->size;
    if (stalled.frames <= WIRE_HWM + 1)
        return false;
    viewing_end(stalled.viewer);
    client_close(c);
    return true;
}

static const struct trouble troubles[] = {
    {.make = NULL},
    {.make = lose_registry, .is_seen = has_registry_again},
    {.make = open_again},
    {.make = close_early},
    {.make = open_late},
    {.make = use_threads},
    {.make = fork_some},
    {.make = fork_to_exec},
    {.make = fork_to_publish, .has_children = true},
    {.make = misuse},
    {.make = steer},
    {.make = take_descriptors, .is_seen = went_short, .shares = true},
    {.make = kill_a_viewer, .has_children = true},
    {.make = stall_a_viewer, .is_seen = is_given_up, .has_children = true},
};

/* The digest is the same without a feed and with one, in any trouble. */
START_TEST(results_are_the_same)
{
    const struct trouble *trouble = &troubles[_i];
    int steps;
    if (PROCESS_TSAN && trouble->has_children)
        return; /* TSan ends children that start threads */
    shared_table = trouble->shares;
    open_feed();
    ck_assert(client_info(client_place(), getpid(), &info));
    const uint64_t digest = compute(trouble, &steps);
    ck_assert_uint_eq(digest, result_alone(steps));
    ck_assert_int_ge(steps, STEPS);
    proftop_close(feed);
    client_clean();
}
END_TEST

/* --------------------------------------------------------------------------------------- end */

enum viewer { NOBODY, READS, STOPPED, KILLED, STOPPED_OF_THREE, VIEWERS };

static int tell_test[2], more_feeds;

/* A job that exits without a close, on request. */
static void exit_job(int go)
{
    char byte = 0;
    int steps;
    feed = client_feed();
    client_graph(feed, 5000, PROFTOP_TIMED);
    for (int i = 0; i < more_feeds; i++)
        client_graph(client_feed(), 5000, PROFTOP_GIVEN);
    compute(&troubles[0], &steps);
    CHILD_NEEDS(write(tell_test[1], &byte, 1) == 1);
    CHILD_NEEDS(read(go, &byte, 1) == 1);
    waits_start();
    exit(0);
}

/* A job exits with such a viewer; `waits` records its waits. */
static void exit_beside(enum viewer what)
{
    int go[2];
    char byte = 0;
    pid_t viewer = -1;
    ck_assert_int_eq(pipe(go), 0);
    ck_assert_int_eq(pipe(tell_test), 0);
    more_feeds = what == STOPPED_OF_THREE ? 2 : 0;
    pid_t job = process_start(exit_job, go[0]);
    ck_assert_int_eq(read(tell_test[0], &byte, 1), 1);
    if (what != NOBODY)
        viewer = viewing_start(job, true);
    if (what == STOPPED || what == STOPPED_OF_THREE)
        kill(viewer, SIGSTOP);
    if (what == KILLED)
        kill(viewer, SIGKILL);
    ck_assert_int_eq(write(go[1], &byte, 1), 1);
    process_join(job);
    if (viewer > 0)
        viewing_end(viewer);
    close(go[0]);
    close(go[1]);
    close(tell_test[0]);
    close(tell_test[1]);
}

/* An exit waits for all feeds together, up to WIRE_BYE_MS and a grace time. A feed ends by itself
 * before it is given up. On a busy machine, one exit of several achieves this. */
START_TEST(exit_is_quick)
{
    enum { TRIES = 40, GRACE_MS = 100 };
    bool is_quick = false;
    client_place();
    waits_start();
    for (int i = 0; i < TRIES && !is_quick; i++) {
        exit_beside((enum viewer)_i);
        ck_assert_uint_gt(waits->count, 0);
        ck_assert_int_le(waits->longest_ms, WIRE_BYE_MS + GRACE_MS);
        is_quick = waits->timeouts == 0 &&
                   waits->last_ns - waits->first_ns < WIRE_BYE_MS / 2 * INT64_C(1000000);
    }
    ck_assert_msg(is_quick, "%u timeouts, deadlines %lld ns apart", waits->timeouts,
                  (long long)(waits->last_ns - waits->first_ns));
    ck_assert_int_eq(client_count(client_place(), ""), 2);
    client_clean();
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("same");
    tap_add(s, "process_is_left_alone", process_is_left_alone);
    tap_native(tap_add(s, "signals_are_those_of_the_program", signals_are_those_of_the_program));
    tap_native(tap_add_loop(s, "results_are_the_same", results_are_the_same, TAP_ROWS(troubles)));
    if (!PROCESS_TSAN) /* the jobs and viewers are children with threads */
        tap_native(tap_add_loop(s, "exit_is_quick", exit_is_quick, VIEWERS));
    return s;
}

TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_dump.c: dump files that a job writes. The private header program_commands.h is for a unit
 * test of the rhythm of continuous dumps, over times that no program would wait for.
 */
#include "tap.h"

#include <errno.h>
#include <jansson.h>
#include <poll.h>
#include <sched.h>
#include <stdatomic.h>

#include "clock.h"
#include "feed/publisher/publish/program_commands.h"
#include "steer.h"
#include "waits.h"

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return NULL;
    char *text = calloc(1, 1 << 16);
    size_t size = fread(text, 1, (1 << 16) - 1, file);
    ck_assert_uint_lt(size, (1 << 16) - 1);
    fclose(file);
    return text;
}

static const char *dump_path(struct proftop *feed)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/profile.json", client_place());
    const char *pairs[] = {"filename", path, NULL};
    ck_assert_ptr_null(proftop_set_config(feed, pairs));
    return path;
}

/* True if the text is a complete dump in which the only apply has this many calls; 0: no rows. */
static bool is_whole(const char *text, uint64_t calls)
{
    json_error_t error;
    json_t *dump = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(dump != NULL, "line %d: %s", error.line, error.text);
    ck_assert_uint_ge(json_array_size(json_object_get(dump, "traceEvents")), 1);
    json_t *applies = json_object_get(json_object_get(dump, "proftop"), "applies");
    ck_assert(json_is_array(applies));
    json_t *row = json_array_get(applies, 0);
    json_int_t counted = json_integer_value(json_object_get(row, "calls"));
    bool good = json_array_size(applies) == (calls != 0) && counted == (json_int_t)calls;
    json_decref(dump);
    return good;
}

START_TEST(dump_writes_what_was_counted)
{
    struct proftop *feed = client_feed();
    const char *path = dump_path(feed);
    proftop_id apply = client_graph(feed, 1, PROFTOP_TIMED);
    FILE *file = fopen(path, "we");
    ck_assert_ptr_nonnull(file);
    fputs("old", file);
    fclose(file);
    dump_path(feed);
    char *text = read_file(path);
    ck_assert_str_eq(text, "old"); /* a setting writes no file */
    free(text);

    ck_assert_ptr_nonnull(strstr(proftop_dump(feed, 0, NULL), "nothing has been counted yet"));
    text = read_file(path);
    ck_assert_msg(is_whole(text, 0), "%s", text);
    free(text);

    run(feed, apply, 7);
    ck_assert_ptr_null(proftop_dump(feed, 0, NULL));
    text = read_file(path);
    ck_assert_msg(is_whole(text, 7), "%s", text);
    free(text);

    run(feed, apply, 5);
    ck_assert_ptr_null(proftop_dump(feed, 1, NULL));
    run(feed, apply, 100); /* collection is stopped */
    ck_assert_ptr_null(proftop_dump(feed, 0, NULL));
    text = read_file(path);
    ck_assert_msg(is_whole(text, 12), "%s", text);
    free(text);
    ck_assert_int_eq(client_count(client_place(), ".part"), 0);
    proftop_close(feed);
    client_clean();
}
END_TEST

/* A file without rows is complete, so the dump was the last. */
START_TEST(a_finished_dump_of_nothing_stops)
{
    struct proftop *feed = client_feed();
    const char *path = dump_path(feed);
    proftop_id apply = client_graph(feed, 1, PROFTOP_TIMED);
    ck_assert_ptr_nonnull(strstr(proftop_dump(feed, 1, NULL), "nothing has been counted yet"));
    ck_assert_int_eq(access(path, F_OK), 0);
    run(feed, apply, 3);
    ck_assert_uint_eq(calls_of(feed, OP), 0);
    ck_assert_ptr_null(proftop_set_state(feed, "run", NULL));
    run(feed, apply, 4);
    ck_assert_uint_eq(calls_of(feed, OP), 4);
    proftop_close(feed);
    client_clean();
}
END_TEST

/* MXNet treats its file specially after the last dump; the library does not. Tables still work, a
 * table takes nothing from the file, and continuous dumps can start again. */
START_TEST(no_dump_is_the_last)
{
    struct proftop *feed = client_feed();
    const char *path = dump_path(feed);
    proftop_id apply = client_graph(feed, 1, PROFTOP_TIMED);
    run(feed, apply, 7);
    ck_assert_uint_eq(calls_of(feed, OP), 7);
    ck_assert_ptr_null(proftop_dump(feed, 1, NULL));
    ck_assert_uint_eq(calls_of(feed, OP), 7);
    char *text = read_file(path);
    ck_assert_msg(is_whole(text, 7), "%s", text);
    free(text);
    const char *pairs[] = {"continuous_dump", "1", "dump_period", "0.001", NULL};
    for (uint64_t calls = 10; calls < 20; calls += 3) {
        ck_assert_ptr_null(proftop_set_config(feed, pairs));
        ck_assert_ptr_null(proftop_set_state(feed, "run", NULL));
        run(feed, apply, 3);
        uint64_t deadline = process_now_ms() + CLIENT_PATIENCE_MS;
        for (bool good = false; !good; sched_yield()) {
            ck_assert_uint_lt(process_now_ms(), deadline);
            text = read_file(path);
            good = text != NULL && is_whole(text, calls);
            free(text);
        }
        ck_assert_ptr_null(proftop_dump(feed, 1, NULL));
    }
    proftop_close(feed);
    client_clean();
}
END_TEST

START_TEST(failed_dump_returns_the_reason)
{
    struct proftop *feed = client_feed();
    const char *pairs[] = {"filename", "/nowhere/profile.json", NULL};
    ck_assert_ptr_null(proftop_set_config(feed, pairs));
    ck_assert_str_eq(proftop_dump(feed, 0, NULL),
                     "/nowhere/profile.json can't be written: No such file or directory");
    ck_assert_ptr_nonnull(proftop_dump(feed, 1, NULL));
    run(feed, client_graph(feed, 1, PROFTOP_TIMED), 3);
    ck_assert_uint_eq(calls_of(feed, OP), 3); /* nothing has changed */
    char why[512], path[256];
    snprintf(path, sizeof path, "%s/pipe", client_place());
    snprintf(why, sizeof why, "%s can't be written: nobody reads from it", path);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    pairs[1] = path;
    ck_assert_ptr_null(proftop_set_config(feed, pairs));
    ck_assert_str_eq(proftop_dump(feed, 0, NULL), why);
    struct stat pipe;
    ck_assert(stat(path, &pipe) == 0 && S_ISFIFO(pipe.st_mode));
    pairs[1] = "";
    ck_assert_ptr_null(proftop_set_config(feed, pairs));
    ck_assert_ptr_null(proftop_dump(feed, 0, NULL));
    ck_assert_ptr_nonnull(strstr(proftop_dump(feed, 0, "server"), "this process is no server"));
    proftop_close(feed);
    client_clean();
}
END_TEST

static int64_t in_ms(const struct timespec *time)
{
    return time->tv_sec * 1000 + time->tv_nsec / (int64_t)TEST_MS_NS;
}

/* Where the feed's thread is to be blocked until the gate opens, and whether it is blocked. From
 * then on, a wait for the thread times out at once. */
enum place { NOWHERE, AT_EASE, AT_A_PIECE, AT_A_FILE };
static _Atomic enum place hold, held;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void pass(enum place place)
{
    if (hold != place)
        return;
    held = place;
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
}

static void hold_it(enum place place)
{
    pthread_mutex_lock(&gate);
    hold = place;
}

static void let_go(void)
{
    hold = held = NOWHERE;
    pthread_mutex_unlock(&gate);
}

int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to)
{
    pass(AT_A_FILE);
    return __real_rename(from, to);
}

int __real_poll(struct pollfd *door, nfds_t doors, int ms);
int __wrap_poll(struct pollfd *door, nfds_t doors, int ms);
int __wrap_poll(struct pollfd *door, nfds_t doors, int ms)
{
    pass(AT_EASE);
    waits_note(ms < 0 ? INT64_MAX : ms);
    return __real_poll(door, doors, ms);
}

int __real_nanosleep(const struct timespec *nap, struct timespec *left);
int __wrap_nanosleep(const struct timespec *nap, struct timespec *left);
int __wrap_nanosleep(const struct timespec *nap, struct timespec *left)
{
    waits_note(in_ms(nap));
    return __real_nanosleep(nap, left);
}

static bool lose_patience(pthread_mutex_t *lock)
{
    if (hold == NOWHERE)
        return false;
    pthread_mutex_unlock(lock);
    while (held == NOWHERE)
        sched_yield();
    pthread_mutex_lock(lock);
    return true;
}

/* Closes the feed. No wait is longer than a tick or the limit of a close, and the feed's thread has
 * ended: a close would give up a sleeping thread. */
static void close_in_no_period(struct proftop *feed, int threads)
{
    enum { CLOSE_MS = 3 * WIRE_BYE_MS };
    const uint64_t until = process_now_ms() + CLIENT_PATIENCE_MS;
    waits_start();
    proftop_close(feed);
    ck_assert_uint_lt(process_now_ms(), until);
    for (; process_threads() > threads; sched_yield())
        ck_assert_uint_lt(process_now_ms(), until);
    ck_assert_uint_gt(waits->count, 0); /* close waits for the thread */
    ck_assert_int_le(waits->longest_ms, CLOSE_MS);
}

/* Waits for a blocked thread are limited. Commands already begun complete, others are withdrawn,
 * and the next command works as usual. */
START_TEST(a_thread_that_does_not_come_is_given_up)
{
    struct proftop *feed = client_feed();
    const char *path = dump_path(feed);
    run(feed, client_graph(feed, 1, PROFTOP_TIMED), 7);
    waits_end = lose_patience;
    hold_it(AT_EASE);
    while (held != AT_EASE)
        sched_yield();
    waits_start();
    ck_assert_str_eq(proftop_dump(feed, 0, NULL), "the feed's thread has not begun after 10 s: the "
                                                  "disk or the machine is overloaded");
    ck_assert_int_gt(waits->longest_ms, 5000);
    ck_assert_int_le(waits->longest_ms, 10000);
    let_go();
    ck_assert_uint_eq(calls_of(feed, OP), 7);
    ck_assert_int_ne(access(path, F_OK), 0);

    hold_it(AT_A_FILE);
    ck_assert_str_eq(proftop_dump(feed, 0, NULL),
                     "the feed's thread is still at it after 10 s: the disk or the machine is "
                     "overloaded");
    ck_assert_int_ne(access(path, F_OK), 0);
    let_go();
    ck_assert_uint_eq(calls_of(feed, OP), 7);
    char *text = read_file(path);
    ck_assert_msg(is_whole(text, 7), "%s", text);
    free(text);
    proftop_close(feed);
    client_clean();
}
END_TEST

/* A reader always finds a complete file, and an exit does not wait for the period. */
START_TEST(continuous_dump_is_whole_at_any_time)
{
    proftop_close(client_feed()); /* a sanitizer starts a thread with the first one */
    const int threads = process_threads();
    struct proftop *feed = client_feed();
    const char *path = dump_path(feed);
    proftop_id apply = client_graph(feed, 1, PROFTOP_TIMED);
    const char *pairs[] = {"continuous_dump", "1", "dump_period", "0.001", NULL};
    run(feed, apply, 3);
    ck_assert_ptr_null(proftop_set_config(feed, pairs));
    uint64_t versions = 0, deadline = process_now_ms() + CLIENT_PATIENCE_MS;
    ino_t last = 0;
    for (int reads = 0; reads < 100 || versions < 3; reads++) {
        struct stat stat_of;
        char *text = read_file(path);
        ck_assert_uint_lt(process_now_ms(), deadline);
        if (text == NULL)
            continue;
        ck_assert_msg(is_whole(text, 3), "%s", text);
        free(text);
        ck_assert_int_eq(stat(path, &stat_of), 0);
        versions += stat_of.st_ino != last;
        last = stat_of.st_ino;
    }
    const char *slow[] = {"dump_period", "1000", NULL};
    ck_assert_ptr_null(proftop_set_config(feed, slow));
    ck_assert_uint_eq(calls_of(feed, OP), 3); /* so the feed's thread has adopted the period */
    close_in_no_period(feed, threads);
    client_clean();
}
END_TEST

/* Pieces of files that were written. */
static _Atomic unsigned pieces;

ssize_t __real_write(int fd, const void *data, size_t size);
ssize_t __wrap_write(int fd, const void *data, size_t size);
ssize_t __wrap_write(int fd, const void *data, size_t size)
{
    struct stat to;
    if (fstat(fd, &to) == 0 && S_ISREG(to.st_mode)) {
        pieces++;
        pass(AT_A_PIECE);
    }
    return __real_write(fd, data, size);
}

/* A thread that asks for a dump. If the feed is closed, it would leave at once, with the dump still
 * to be done or under way. It stays until `leave`, so that the test sees what became of the
 * dump. */
static struct asker {
    struct proftop *feed;
    const char *(*ask)(struct proftop *feed, char **text);
    char why[512], *text;
    atomic_bool stays, leave;
} asker;
static _Thread_local bool asks;

static bool stay(pthread_mutex_t *lock)
{
    if (!asks)
        return false;
    pthread_mutex_unlock(lock);
    asker.stays = true;
    while (!asker.leave)
        sched_yield();
    pthread_mutex_lock(lock);
    return true;
}

static const char *ask_for_file(struct proftop *feed, char **text)
{
    *text = NULL;
    return proftop_dump(feed, 0, NULL);
}

static const char *ask_for_text(struct proftop *feed, char **text)
{
    return proftop_dumps(feed, NULL, text);
}

static void *ask(void *unused)
{
    asks = true;
    const char *why = asker.ask(asker.feed, &asker.text);
    snprintf(asker.why, sizeof asker.why, "%s", why == NULL ? "" : why);
    return unused;
}

static void *close_it(void *unused)
{
    proftop_close(asker.feed);
    return unused;
}

/* Closes the feed while a thread asks. The feed's thread is blocked at a place until the feed is
 * told to close. Then it ends, and the asking thread leaves. */
static void close_amid(enum place place, int threads)
{
    pthread_t other, closing;
    const uint64_t until = process_now_ms() + CLIENT_PATIENCE_MS;
    waits_end = stay;
    hold_it(place);
    while (place == AT_EASE && held != place)
        sched_yield();
    ck_assert_int_eq(pthread_create(&other, NULL, ask, NULL), 0);
    while (!asker.stays || held != place)
        sched_yield();
    ck_assert_int_eq(pthread_create(&closing, NULL, close_it, NULL), 0);
    while (proftop_is_on(asker.feed))
        sched_yield();
    let_go();
    for (; process_threads() > threads + 2; sched_yield())
        ck_assert_uint_lt(process_now_ms(), until);
    asker.leave = true;
    pthread_join(other, NULL);
    pthread_join(closing, NULL);
}

/* An exit waits for no dump, however long, and leaves no partial file: neither before the printing
 * nor during the write. The same command succeeds before. */
START_TEST(a_dump_is_given_up_when_the_feed_is_closed)
{
    enum { LONG = 10000 }; /* more than one piece */
    static const struct {
        const char *(*ask)(struct proftop *feed, char **text);
        bool file;
        enum place place;
    } cut[] = {{ask_for_file, true, AT_EASE},
               {ask_for_file, true, AT_A_PIECE},
               {ask_for_text, false, AT_EASE}};
    proftop_close(client_feed()); /* a sanitizer starts a thread with the first one */
    const int threads = process_threads(), none = client_count(client_place(), "");
    struct proftop *feed = client_feed();
    const char *path = dump_path(feed);
    char *text;
    const proftop_id first = client_graph(feed, LONG, PROFTOP_GIVEN);
    for (proftop_id i = 0; i < LONG; i++)
        proftop_record(feed, first + i, 5);
    pieces = 0;
    ck_assert_ptr_null(cut[_i].ask(feed, &text));
    ck_assert_int_eq(text != NULL, !cut[_i].file);
    free(text);
    ck_assert_int_eq(pieces > 1, cut[_i].file);
    ck_assert_int_eq(unlink(path), cut[_i].file ? 0 : -1);
    pieces = 0;
    asker.feed = feed;
    asker.ask = cut[_i].ask;
    close_amid(cut[_i].place, threads);
    ck_assert_str_eq(asker.why, "the feed is closed");
    ck_assert_ptr_null(asker.text);
    ck_assert_uint_eq(pieces, cut[_i].place == AT_A_PIECE);
    ck_assert_int_eq(client_count(client_place(), ""), none);
    client_clean();
}
END_TEST

/* Makes the feed's thread answer this many requests. A dump that is always pending is then written
 * at least as often. */
static void answer(struct proftop *feed, int times)
{
    for (int i = 0; i < times; i++)
        calls_of(feed, OP);
}

/* No caller waits for a continuous dump, so viewers get a notice if it fails. The notice is sent
 * once, and again after another error, after a success, or after the setting was off. */
START_TEST(failed_continuous_dump_sends_one_notice)
{
    static const char first[] = "continuous_dump: /nowhere/a.json can't be written: No such file "
                                "or directory\n";
    static const char second[] = "continuous_dump: /nowhere/b.json can't be written: No such file "
                                 "or directory\n";
    struct proftop *feed = client_feed();
    struct client client;
    char all[1024];
    dump_path(feed);
    const char *pairs[] = {"continuous_dump", "1", "dump_period", "0.000000001", NULL};
    const char *a[] = {"filename", "/nowhere/a.json", NULL};
    const char *b[] = {"filename", "/nowhere/b.json", NULL};
    client_open(&client, getpid());
    ck_assert_ptr_null(proftop_set_config(feed, pairs));
    answer(feed, 3);
    ck_assert_str_eq(client_notices(&client), ""); /* nothing to write */
    ck_assert_ptr_null(proftop_set_config(feed, a));
    answer(feed, 20);
    ck_assert_str_eq(client_notices(&client), first);
    ck_assert_ptr_null(proftop_set_config(feed, b));
    answer(feed, 20);
    snprintf(all, sizeof all, "%s%s", first, second);
    ck_assert_str_eq(client_notices(&client), all);
    dump_path(feed);
    answer(feed, 3);
    ck_assert_str_eq(client_notices(&client), all);
    ck_assert_ptr_null(proftop_set_config(feed, b));
    answer(feed, 20);
    snprintf(all, sizeof all, "%s%s%s", first, second, second);
    ck_assert_str_eq(client_notices(&client), all);
    const char *off[] = {"continuous_dump", "0", NULL}, *on[] = {"continuous_dump", "1", NULL};
    ck_assert_ptr_null(proftop_set_config(feed, off));
    answer(feed, 3);
    ck_assert_ptr_null(proftop_set_config(feed, on));
    answer(feed, 20);
    snprintf(all, sizeof all, "%s%s%s%s", first, second, second, second);
    ck_assert_str_eq(client_notices(&client), all);
    client_end(&client, feed);
}
END_TEST

/* Simulated ticks, each up to 4 ms late: two seconds with a period of two ticks. */
START_TEST(a_period_is_kept)
{
    struct publisher_control control = {.dump_ns = 0};
    struct publisher_settings settings = {.period_ns = 200 * TEST_MS_NS};
    const uint64_t begin = 1000 * TEST_SECOND_NS;
    unsigned versions = 0;
    for (uint64_t tick = 0; tick < 20; tick++)
        versions +=
            publisher_dump_is_due(&control, &settings, begin + tick * 100 * TEST_MS_NS);
    ck_assert_uint_eq(versions, 0); /* off by default */
    settings.on[PUBLISHER_KEY_CONTINUOUS] = true;
    for (uint64_t tick = 0; tick < 20; tick++) {
        uint64_t late_ns = (4 - tick * 7 % 5) * TEST_MS_NS;
        versions += publisher_dump_is_due(&control, &settings,
                                          begin + tick * 100 * TEST_MS_NS + late_ns);
    }
    ck_assert_uint_ge(versions, 9);
    ck_assert_uint_le(versions, 11);
    /* After a long sleep one dump is pending, not all missed ones. */
    uint64_t later = begin + 100 * TEST_SECOND_NS;
    ck_assert(publisher_dump_is_due(&control, &settings, later));
    ck_assert(!publisher_dump_is_due(&control, &settings, later + 199 * TEST_MS_NS));
    ck_assert(publisher_dump_is_due(&control, &settings, later + 200 * TEST_MS_NS));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("dump");
    tap_add(s, "dump writes what was counted", dump_writes_what_was_counted);
    tap_add(s, "a finished dump of nothing stops", a_finished_dump_of_nothing_stops);
    tap_add(s, "no dump is the last", no_dump_is_the_last);
    tap_add(s, "dump says why it can not", failed_dump_returns_the_reason);
    tap_add(s, "a thread that does not come is given up", a_thread_that_does_not_come_is_given_up);
    tap_add_loop(s, "a dump is given up when the feed is closed",
                 a_dump_is_given_up_when_the_feed_is_closed, 3);
    tap_add(s, "a period is kept", a_period_is_kept);
    tap_add(s, "continuous dump says why it can not", failed_continuous_dump_sends_one_notice);
    tap_add(s, "continuous dump is whole at any time", continuous_dump_is_whole_at_any_time);
    return s;
}

TAP_MAIN(suite)

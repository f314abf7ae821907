/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_black_box.c: what a job with PROFTOP_KEEP=1 leaves behind when it is killed: each call that
 * was counted, and what each thread was in. A file that is cut, changed or lies is refused or read
 * as far as it is sound.
 */
#include "config.h"

#include "../tap.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "feed/shared/black_box.h"
#include "feed/viewer/stream/black_box.h"
#include "proftop.h"
#include "proftop_adapter.h"
#include "../model/sample.h"
#include "../sanitized.h"

enum { THREADS = 4, CALLS = 5000, ALONE = 3, MANY = 3000 };

static char place[64];

static void set_up(void)
{
    strcpy(place, "/dev/shm/proftop-check-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(place));
    setenv("PROFTOP_DIR", place, 1);
    setenv("PROFTOP_KEEP", "1", 1);
    setenv("PROFTOP_BUDGET", "0", 1);
}

static int files(const char *end, bool removes)
{
    int n = 0;
    DIR *dir = opendir(place);
    struct dirent *entry;
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        const char *dot = strrchr(entry->d_name, '.');
        char path[400];
        snprintf(path, sizeof path, "%s/%s", place, entry->d_name);
        n += dot != NULL && strcmp(dot, end) == 0;
        if (removes)
            unlink(path);
    }
    if (dir != NULL)
        closedir(dir);
    return n;
}

static void tear_down(void)
{
    files("", true);
    rmdir(place);
}

/* ------------------------------------------------------------------------------------ the jobs */

/* Filled by a job before it is killed. */
struct told {
    atomic_int ready;
    _Atomic uint64_t total_ns[THREADS];
    _Atomic uint64_t begun_ns;
};
static struct told *told;

static struct proftop *feed;
static uint32_t apply[4], inner; /* given, timed, stuck, one that is never called */

static void define(void)
{
    feed = proftop_open(NULL);
    ck_assert_msg(proftop_is_on(feed), "%s", proftop_reason(feed));
    const uint32_t of_class = proftop_class(feed, "Elemwise"),
                   op = proftop_op(feed, of_class, "add \xc3\xa9"),
                   function = proftop_function(
                       feed,
                       &(struct proftop_function_info){.size = sizeof(struct proftop_function_info),
                                                       .name = "train",
                                                       .file = "train.py",
                                                       .line = 42,
                                                       .source = PROFTOP_TIMED});
    for (uint32_t i = 0; i < 4; i++)
        apply[i] = proftop_apply(
            feed, &(struct proftop_apply_info){.size = sizeof(struct proftop_apply_info),
                                               .function = function,
                                               .op = op,
                                               .index = i,
                                               .text = "add(x, y)",
                                               .location = "train.py:7",
                                               .source = i == 0 ? PROFTOP_GIVEN : PROFTOP_TIMED});
    inner = function;
}

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Counts, and then stays inside a call. */
static void *count(void *number)
{
    const uint64_t n = (uint64_t)(uintptr_t)number;
    uint64_t total = 0;
    for (uint64_t i = 0; i < CALLS; i++) {
        proftop_record(feed, apply[0], 1000 * (n + 1) + i);
        total += 1000 * (n + 1) + i;
        struct proftop_token token = proftop_begin(feed, apply[1]);
        proftop_end(feed, apply[1], token);
    }
    told->total_ns[n] = total;
    if (n == 0) {
        told->begun_ns = now_ns();
        proftop_begin(feed, apply[2]);
        proftop_begin(feed, apply[1]);
    }
    told->ready++;
    for (;;)
        pause();
    return NULL;
}

static void job(void)
{
    pthread_t thread[THREADS];
    define();
    for (uintptr_t i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, count, (void *)i);
    for (;;)
        pause();
}

/* Runs a job until so many of its threads are ready, and kills it. Returns its process. */
static pid_t killed(void (*run)(void), int ready)
{
    told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const pid_t child = fork();
    if (child == 0) {
        run();
        _exit(9);
    }
    int status;
    while (told->ready < ready && waitpid(child, &status, WNOHANG) == 0)
        sched_yield();
    ck_assert_int_eq(told->ready, ready);
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    ck_assert(WIFSIGNALED(status));
    return child;
}

static char path[4096], why[512];

/* The box that a process left. */
static struct viewer_black_box box_of(pid_t pid)
{
    struct viewer_black_box *box, found = {.pid = 0};
    const size_t n = viewer_black_boxes(&box);
    for (size_t i = 0; i < n; i++)
        if (box[i].pid == (uint64_t)pid)
            found = box[i];
    free(box);
    ck_assert_uint_eq(found.pid, (uint64_t)pid);
    strcpy(path, found.path);
    return found;
}

static struct model_job *left_by(pid_t pid)
{
    box_of(pid);
    struct model_job *left = viewer_black_box_read(path, why, sizeof why);
    ck_assert_msg(left != NULL, "%s", why);
    return left;
}

/* ------------------------------------------------------------------------------------ its truth */

START_TEST(every_call_is_there)
{
    const pid_t pid = killed(job, THREADS);
    uint64_t total = 0;
    for (int i = 0; i < THREADS; i++)
        total += told->total_ns[i];
    const struct viewer_black_box box = box_of(pid);
    ck_assert(!box.runs);
    ck_assert_uint_gt(box.seen_ns, box.since_ns - 1);
    struct model_job *left = left_by(pid);
    ck_assert_uint_eq(model_job_count(left, MODEL_APPLY), 4);
    ck_assert_uint_eq(model_job_count(left, MODEL_THREAD), THREADS);
    const struct model_apply_value *value = model_job_apply_values(left);
    ck_assert_uint_eq(value[0].calls, THREADS * CALLS);
    ck_assert_uint_eq(value[0].total_ns, total);
    ck_assert_uint_eq(value[0].min_ns, 1000);
    ck_assert_uint_eq(value[0].max_ns, 1000 * THREADS + CALLS - 1);
    ck_assert_uint_eq(value[0].error_ns, MODEL_UNKNOWN);
    ck_assert_uint_eq(value[1].calls, THREADS * CALLS);
    ck_assert_uint_eq(value[2].calls, 0);
    ck_assert_uint_eq(value[3].calls, 0);
    ck_assert_str_eq(model_job_function(left, 0)->name.raw, "train");
    ck_assert_str_eq(model_job_function(left, 0)->file.raw, "train.py");
    ck_assert_uint_eq(model_job_function(left, 0)->line, 42);
    ck_assert_str_eq(model_job_op(left, 0)->text.raw, "add \xc3\xa9");
    ck_assert_str_eq(model_job_class(left, 0)->name.raw, "Elemwise");
    ck_assert_str_eq(model_job_apply(left, 3)->text.raw, "add(x, y)");
    ck_assert_uint_eq(model_job_notices(left), 0);
    ck_assert(model_job_ended(left));
    model_job_release(&left);
}
END_TEST

/* One thread was inside two calls; the others were in none. */
START_TEST(what_each_thread_was_in)
{
    struct model_job *left = left_by(killed(job, THREADS));
    size_t n;
    const struct model_now *now = model_job_now(left, &n);
    ck_assert_uint_eq(n, 1);
    ck_assert_uint_eq(now->apply, 1);
    const struct model_apply_value *value = model_job_apply_values(left);
    ck_assert_uint_ne(value[2].open_ns, MODEL_UNKNOWN);
    ck_assert_uint_ne(value[1].open_ns, MODEL_UNKNOWN);
    ck_assert_uint_eq(value[0].open_ns, MODEL_UNKNOWN);
    ck_assert_uint_le(value[2].open_ns, now_ns() - told->begun_ns);
    model_job_release(&left);
}
END_TEST

/* Slots in the file count by the same clock as other slots. */
static void work(void)
{
    define();
    for (int i = 0; i < ALONE; i++) {
        told->begun_ns = now_ns();
        struct proftop_token token = proftop_begin(feed, apply[1]);
        while (now_ns() - told->begun_ns < 20000000)
            continue;
        proftop_end(feed, apply[1], token);
        told->total_ns[0] += now_ns() - told->begun_ns;
    }
    told->ready++;
    for (;;)
        pause();
}

/* The rate of the clock that counts is measured from two reads of both clocks, which were 60 ms
 * apart when the job was killed. Under ThreadSanitizer a read is slow, and 0.3 % off were seen. */
START_TEST(times_are_true)
{
    const uint64_t part = PROCESS_TSAN ? 100 : 500;
    struct model_job *left = left_by(killed(work, 1));
    const struct model_apply_value *value = model_job_apply_values(left);
    ck_assert_uint_eq(value[1].calls, ALONE);
    ck_assert_uint_ge(value[1].total_ns + value[1].total_ns / part, (uint64_t)ALONE * 20000000);
    ck_assert_uint_le(value[1].total_ns, told->total_ns[0] + told->total_ns[0] / part);
    model_job_release(&left);
}
END_TEST

/* Many definitions and names: more than one area of each kind. */
static void many(void)
{
    char text[2000];
    define();
    for (uint32_t i = 4; i < MANY; i++) {
        snprintf(text, sizeof text, "%-400u", i);
        const uint32_t id = proftop_apply(
            feed, &(struct proftop_apply_info){.size = sizeof(struct proftop_apply_info),
                                               .function = inner,
                                               .op = 0,
                                               .index = i,
                                               .text = text,
                                               .source = PROFTOP_GIVEN});
        proftop_record(feed, id, id);
    }
    told->ready++;
    for (;;)
        pause();
}

START_TEST(there_is_room_for_many)
{
    struct model_job *left = left_by(killed(many, 1));
    const struct model_apply_value *value = model_job_apply_values(left);
    ck_assert_uint_eq(model_job_count(left, MODEL_APPLY), MANY);
    for (uint32_t i = 4; i < MANY; i++) {
        char text[2000];
        snprintf(text, sizeof text, "%-400u", i);
        ck_assert_str_eq(model_job_apply(left, i)->text.raw, text);
        ck_assert_uint_eq(value[i].calls, 1);
        ck_assert_uint_eq(value[i].total_ns, i);
    }
    ck_assert_uint_eq(model_job_notices(left), 0);
    model_job_release(&left);
}
END_TEST

/* --------------------------------------------------------------------------------- other ends */

/* A job that closes its feed leaves nothing. */
START_TEST(a_clean_end_leaves_nothing)
{
    define();
    ck_assert_int_eq(files(".box", false), 1);
    proftop_record(feed, apply[0], 5);
    proftop_close(feed);
    ck_assert_int_eq(files(".box", false), 0);
}
END_TEST

START_TEST(nothing_is_kept_unasked)
{
    unsetenv("PROFTOP_KEEP");
    define();
    ck_assert_int_eq(files(".box", false), 0);
    proftop_close(feed);
}
END_TEST

/* A forked child counts into a box of its own, and leaves its parent's alone. */
static void family(void)
{
    define();
    proftop_record(feed, apply[0], 100);
    const pid_t child = fork();
    if (child == 0) {
        proftop_record(feed, apply[0], 7); /* the feed is off here */
        struct proftop *own = proftop_open_child(feed);
        if (!proftop_is_on(own))
            _exit(1);
        proftop_record(own, apply[0], 11);
        proftop_record(own, apply[0], 12);
        told->total_ns[1] = (uint64_t)getpid();
        told->ready++;
        for (;;)
            pause();
    }
    while (told->ready == 0)
        sched_yield();
    proftop_record(feed, apply[0], 200);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    proftop_record(feed, apply[0], 300);
    told->ready++;
    for (;;)
        pause();
}

START_TEST(a_child_has_its_own)
{
    struct model_job *left = left_by(killed(family, 2));
    const struct model_apply_value *value = model_job_apply_values(left);
    ck_assert_uint_eq(value[0].calls, 3);
    ck_assert_uint_eq(value[0].total_ns, 600);
    model_job_release(&left);
    left = left_by((pid_t)told->total_ns[1]);
    value = model_job_apply_values(left);
    ck_assert_uint_eq(model_job_count(left, MODEL_APPLY), 4);
    ck_assert_uint_eq(value[0].calls, 2);
    ck_assert_uint_eq(value[0].total_ns, 23);
    model_job_release(&left);
}
END_TEST

/* The limit of file sizes would kill a process that goes beyond it. */
static void limited(void)
{
    signal(SIGXFSZ, SIG_DFL);
    const struct rlimit limit = {1 << 20, 1 << 20};
    setrlimit(RLIMIT_FSIZE, &limit);
    many();
}

START_TEST(what_has_no_room_is_told)
{
    struct model_job *left = left_by(killed(limited, 1));
    ck_assert_uint_gt(model_job_count(left, MODEL_APPLY), 100);
    ck_assert_uint_lt(model_job_count(left, MODEL_APPLY), MANY);
    ck_assert_uint_gt(model_job_notices(left), 0);
    const char *text = model_job_notice(left, 0)->text.shown;
    ck_assert_msg(strstr(text, "had no place for") != NULL, "%s", text);
    model_job_release(&left);
}
END_TEST

/* Threads that come and go share few places, and their calls stay. */
static void *one_call(void *nothing)
{
    (void)nothing;
    proftop_record(feed, apply[0], 10);
    return NULL;
}

static void threads(void)
{
    define();
    for (int i = 0; i < 200; i++) {
        pthread_t thread[3];
        for (int k = 0; k < 3; k++)
            pthread_create(&thread[k], NULL, one_call, NULL);
        for (int k = 0; k < 3; k++)
            pthread_join(thread[k], NULL);
    }
    told->ready++;
    for (;;)
        pause();
}

START_TEST(threads_that_end_stay_counted)
{
    struct model_job *left = left_by(killed(threads, 1));
    ck_assert_uint_eq(model_job_apply_values(left)[0].calls, 600);
    ck_assert_uint_eq(model_job_apply_values(left)[0].total_ns, 6000);
    model_job_release(&left);
}
END_TEST

/* Files of jobs that ended stay, but not for ever. */
START_TEST(old_ones_are_removed)
{
    for (int i = 0; i < SHARED_BOX_OLD + 4; i++)
        killed(work, 1);
    ck_assert_int_eq(files(".box", false), SHARED_BOX_OLD + 1);
}
END_TEST

/* -------------------------------------------------------------------------------- hostile files */

static char *bytes;
static size_t size;

static void load(void)
{
    struct stat st;
    const int fd = open(path, O_RDONLY);
    ck_assert_int_eq(fstat(fd, &st), 0);
    size = (size_t)st.st_size;
    bytes = malloc(size);
    ck_assert_int_eq(read(fd, bytes, size), (ssize_t)size);
    close(fd);
}

static void save(const char *from, size_t length)
{
    const int fd = open(path, O_WRONLY | O_TRUNC);
    ck_assert_int_eq(write(fd, from, length), (ssize_t)length);
    close(fd);
}

/* Reads whatever there is, and asks for all of it. */
static bool try(void)
{
    why[0] = 0;
    struct model_job *left = viewer_black_box_read(path, why, sizeof why);
    ck_assert(left != NULL || why[0] != 0);
    if (left == NULL)
        return false;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < model_job_count(left, MODEL_APPLY); i++)
        sum += model_job_apply_values(left)[i].calls;
    model_job_release(&left);
    return sum != 1;
}

START_TEST(cut_files_are_refused_or_read)
{
    box_of(killed(job, THREADS));
    load();
    ck_assert(try());
    for (size_t at = 0; at < size; at += at < 6000 ? 97 * tap_stride() : 40009) {
        save(bytes, at);
        try();
    }
    save(bytes, size);
    ck_assert(try());
    free(bytes);
}
END_TEST

START_TEST(changed_files_are_refused_or_read)
{
    struct sample_random r = {(uint64_t)_i + 1};
    box_of(killed(job, THREADS));
    load();
    unsigned refused = 0;
    for (unsigned n = 0; n < 400; n += tap_stride()) {
        char *copy = malloc(size);
        memcpy(copy, bytes, size);
        /* The head, the table of areas, and what the first areas hold. */
        const size_t reach[] = {sizeof(struct shared_box_head), SHARED_BOX_PAGE + 400,
                                SHARED_BOX_FIRST + 300000};
        for (unsigned k = 0; k < 1 + n % 5; k++)
            copy[sample_below(&r, reach[n % 3] < size ? reach[n % 3] : size)] =
                (char)sample_next(&r);
        save(copy, size);
        refused += !try();
        free(copy);
    }
    ck_assert_uint_gt(refused, 0);
    free(bytes);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("black_box");
    TAP_ADD_BETWEEN(s, every_call_is_there, 1, set_up, tear_down);
    TAP_ADD_BETWEEN(s, what_each_thread_was_in, 1, set_up, tear_down);
    tap_native(TAP_ADD_BETWEEN(s, times_are_true, 1, set_up, tear_down));
    TAP_ADD_BETWEEN(s, there_is_room_for_many, 1, set_up, tear_down);
    TAP_ADD_BETWEEN(s, a_clean_end_leaves_nothing, 1, set_up, tear_down);
    TAP_ADD_BETWEEN(s, nothing_is_kept_unasked, 1, set_up, tear_down);
    if (!PROCESS_TSAN) /* it ends a child that is forked beside threads and begins one */
        TAP_ADD_BETWEEN(s, a_child_has_its_own, 1, set_up, tear_down);
    TAP_ADD_BETWEEN(s, what_has_no_room_is_told, 1, set_up, tear_down);
    TAP_ADD_BETWEEN(s, threads_that_end_stay_counted, 1, set_up, tear_down);
    TAP_ADD_BETWEEN(s, old_ones_are_removed, 1, set_up, tear_down);
    TAP_ADD_BETWEEN(s, cut_files_are_refused_or_read, 1, set_up, tear_down);
    TAP_ADD_BETWEEN(s, changed_files_are_refused_or_read, 3, set_up, tear_down);
    return tap_run(s);
}

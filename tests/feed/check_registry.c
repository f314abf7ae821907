/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_registry.c: registry directories and the format of .info files.
 */
#include "tap.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "feed/shared/registry_dir.h"

static char base[64];

static void set_up(void)
{
    tap_folder(base, sizeof base, "place");
}

static void clean(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", base, name);
    if (unlink(path) != 0)
        rmdir(path);
    rmdir(base);
}

START_TEST(order_of_places)
{
    static char place[REGISTRY_DIRS_MAX][SHARED_PATH_MAX];
    char own[64], user[64];
    snprintf(own, sizeof own, "/tmp/proftop-%lu", (unsigned long)geteuid());
    snprintf(user, sizeof user, "/run/user/%lu/proftop", (unsigned long)geteuid());
    setenv("PROFTOP_DIR", "/a", 1);
    setenv("XDG_RUNTIME_DIR", "/b", 1);
    setenv("TMPDIR", "/tmp", 1);
    ck_assert_uint_eq(registry_dirs(place), 4); /* the last two are the same */
    ck_assert_str_eq(place[0], "/a");
    ck_assert_str_eq(place[1], "/b/proftop");
    ck_assert_str_eq(place[2], user);
    ck_assert_str_eq(place[3], own);
    setenv("PROFTOP_DIR", "not/absolute", 1);
    unsetenv("XDG_RUNTIME_DIR");
    unsetenv("TMPDIR");
    ck_assert_uint_eq(registry_dirs(place), 2);
    ck_assert_str_eq(place[0], user);
}
END_TEST

/* What is done to a directory, and a word of the refusal; NULL: usable. */
static const struct {
    const char *name;
    bool make;
    mode_t mode;
    bool create;
    const char *word;
} usable[] = {
    {"fresh", false, 0, true, NULL},
    {"there", true, 0700, true, NULL},
    {"read", true, 0700, false, NULL},
    {"open", true, 0755, true, "chmod 700"},
    {"group", true, 0710, false, "open to others"},
    {"shared", true, 01777, true, "(mode 1777): use a directory of your own"},
    {"missing", false, 0, false, "can't be read"},
    {"no/parent", false, 0, true, "can't be made"},
    {"a-name-that-is-so-long-that-no-socket-could-ever-be-bound-in-this-directory", false, 0, true,
     "too long"},
};

START_TEST(usable_places)
{
    char path[256], why[512] = "";
    set_up();
    snprintf(path, sizeof path, "%s/%s", base, usable[_i].name);
    if (usable[_i].make) {
        ck_assert_int_eq(mkdir(path, 0700), 0);
        ck_assert_int_eq(chmod(path, usable[_i].mode), 0);
    }
    bool good = registry_dir_usable(path, usable[_i].create, why, sizeof why);
    struct stat st;
    if (usable[_i].word == NULL) {
        ck_assert_msg(good, "%s", why);
        ck_assert_int_eq(lstat(path, &st), 0);
        ck_assert_uint_eq(st.st_mode & 0777, 0700);
    } else {
        ck_assert(!good);
        ck_assert_msg(strstr(why, usable[_i].word) != NULL, "%s", why);
        /* Such a mode would break a directory that others use. */
        if (usable[_i].mode & 01022)
            ck_assert_msg(strstr(why, "chmod") == NULL, "%s", why);
    }
    clean(usable[_i].name);
}
END_TEST

START_TEST(a_link_is_not_followed)
{
    char path[256], why[512] = "";
    set_up();
    snprintf(path, sizeof path, "%s/link", base);
    ck_assert_int_eq(symlink("/tmp", path), 0);
    ck_assert(!registry_dir_usable(path, true, why, sizeof why));
    ck_assert_msg(strstr(why, "not a directory") != NULL, "%s", why);
    clean("link");
}
END_TEST

static const struct registry_info sample = {
    .pid = 4711,
    .start = 99,
    .instance = "00112233445566778899aabbccddeeff",
    .parent = "ffeeddccbbaa99887766554433221100",
    .facts = "ipc:///run/a.pub",
    .control = "ipc:///run/a.ctl",
    .program = "a=b%c\n\x1b[31m\x7f \xc3\xa4",
    .framework = "PyTensor",
    .host = "node1",
    .token = "0123456789abcdef0123456789abcdef",
    .since_ns = 1700000000000000000,
    .tcp = "tcp://127.0.0.1:5,tcp://127.0.0.1:6",
    .insecure = 1,
    .place = {.rank = 0, .local = 1, .size = UINT64_MAX, .role = "worker", .batch = "12_3"},
};

START_TEST(info_comes_back)
{
    char text[REGISTRY_INFO_MAX], why[256] = "";
    struct registry_info back;
    size_t size = registry_info_format(&sample, text, sizeof text);
    ck_assert_uint_gt(size, 0);
    for (size_t i = 0; i < size; i++)
        ck_assert(text[i] == '\n' || ((unsigned char)text[i] >= 0x20 && text[i] != 0x7f));
    ck_assert_msg(registry_info_parse(text, size, &back, why, sizeof why), "%s", why);
    ck_assert_mem_eq(&back, &sample, sizeof back);
    for (size_t capacity = 0; capacity < size; capacity += 7)
        ck_assert_uint_eq(registry_info_format(&sample, text, capacity), 0);
}
END_TEST

#define GOOD "pid=1\nstart=2\ninstance=00112233445566778899aabbccddeeff\nfacts=f\n"
static const struct {
    const char *text, *word; /* NULL: accepted */
} texts[] = {
    {"version=1\n" GOOD "control=c\n", NULL},
    {"version=1\n" GOOD "control=c\nunknown=%zz\nnonsense\n\n", NULL},
    {"version=1\n" GOOD "control=%41%2f\n", NULL},
    {"", "version"},
    {"version=2\n" GOOD "control=c\n", "version"},
    {"version=1\n" GOOD, "control"},
    {"version=1\n" GOOD "control=c", "does not end"},
    {"version=1\n" GOOD "control=%4\n", "not what"},
    {"version=1\n" GOOD "control=%00\n", "not what"},
    {"version=1\n" GOOD "control=%4g\n", "not what"},
    {"version=1\n" GOOD "control=c\npid=-1\n", "not what"},
    {"version=1\n" GOOD "control=c\npid=99999999999999999999\n", "not what"},
    {"version=1\n" GOOD "control=c\nrun=xyz\n", "not what"},
};

START_TEST(info_texts)
{
    struct registry_info info;
    char why[256] = "";
    bool good = registry_info_parse(texts[_i].text, strlen(texts[_i].text), &info, why, sizeof why);
    ck_assert_msg(good == (texts[_i].word == NULL), "%s", why);
    if (texts[_i].word != NULL)
        ck_assert_msg(strstr(why, texts[_i].word) != NULL, "%s", why);
    else
        ck_assert(info.pid == 1 && info.insecure == UINT64_MAX && info.place.rank == UINT64_MAX);
}
END_TEST

/* Any truncation or changed byte is read or refused, with no other effect. */
START_TEST(info_damaged)
{
    char text[REGISTRY_INFO_MAX], why[256];
    struct registry_info info;
    size_t size = registry_info_format(&sample, text, sizeof text);
    for (size_t at = 0; at < size; at++) {
        char was = text[at];
        char *exact = malloc(at + 1);
        memcpy(exact, text, at);
        registry_info_parse(exact, at, &info, why, sizeof why);
        free(exact);
        text[at] = '%';
        if (registry_info_parse(text, size, &info, why, sizeof why))
            ck_assert_uint_lt(strlen(info.program), sizeof info.program);
        text[at] = was;
    }
}
END_TEST

START_TEST(start_of_processes)
{
    uint64_t own = shared_process_start((uint64_t)getpid());
    ck_assert_uint_gt(own, 0);
    ck_assert_uint_eq(shared_process_start((uint64_t)getpid()), own);
    ck_assert_uint_le(shared_process_start((uint64_t)getppid()), own);
    ck_assert_uint_eq(shared_process_start(UINT32_MAX), 0);
}
END_TEST

START_TEST(stopped_processes)
{
    const pid_t child = fork();
    int status;
    if (child == 0)
        for (;;)
            pause();
    ck_assert_int_gt(child, 0);
    ck_assert(!shared_process_stopped((uint64_t)child));
    kill(child, SIGSTOP);
    ck_assert_int_eq(waitpid(child, &status, WUNTRACED), child);
    ck_assert(shared_process_stopped((uint64_t)child));
    kill(child, SIGCONT);
    ck_assert_int_eq(waitpid(child, &status, WCONTINUED), child);
    ck_assert(!shared_process_stopped((uint64_t)child));
    kill(child, SIGKILL);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(!shared_process_stopped((uint64_t)child));
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("place");
    tap_add(s, "order_of_places", order_of_places);
    tap_add_loop(s, "usable_places", usable_places, TAP_ROWS(usable));
    tap_add(s, "a_link_is_not_followed", a_link_is_not_followed);
    tap_add(s, "info_comes_back", info_comes_back);
    tap_add_loop(s, "info_texts", info_texts, TAP_ROWS(texts));
    tap_add(s, "info_damaged", info_damaged);
    tap_add(s, "start_of_processes", start_of_processes);
    tap_add(s, "stopped_processes", stopped_processes);
    return s;
}

TAP_MAIN(suite)

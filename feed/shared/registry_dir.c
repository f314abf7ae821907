/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * registry_dir.c: the directories where jobs register, and the text of the .info file.
 */
#include "config.h"

#include "feed/shared/registry_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "feed/shared/atomic_file.h"
#include "feed/shared/text_buffer.h"

enum { NAME_MAX_BYTES = 42 }; /* "/<pid>-<start>-<n>.pub", with some reserve */

/* Adds `root` + `tail` unless it is already listed. */
static size_t add_place(char place[REGISTRY_DIRS_MAX][SHARED_PATH_MAX], size_t n, const char *root,
                        const char *tail)
{
    if (root == NULL || root[0] != '/' || n == REGISTRY_DIRS_MAX)
        return n;
    int size = snprintf(place[n], SHARED_PATH_MAX, "%s%s", root, tail);
    if (size < 0 || size >= SHARED_PATH_MAX)
        return n;
    for (size_t i = 0; i < n; i++)
        if (strcmp(place[i], place[n]) == 0)
            return n;
    return n + 1;
}

size_t registry_dirs(char place[REGISTRY_DIRS_MAX][SHARED_PATH_MAX])
{
    char user[64], own[64];
    snprintf(user, sizeof user, "/run/user/%lu", (unsigned long)geteuid());
    snprintf(own, sizeof own, "/proftop-%lu", (unsigned long)geteuid());
    size_t n = add_place(place, 0, secure_getenv("PROFTOP_DIR"), "");
    n = add_place(place, n, secure_getenv("XDG_RUNTIME_DIR"), "/proftop");
    n = add_place(place, n, user, "/proftop");
    n = add_place(place, n, secure_getenv("TMPDIR"), own);
    return add_place(place, n, "/tmp", own);
}

/* Refuses a directory with open permissions. A shared directory such as /tmp must stay as it is:
 * for it the sentence must not advise a chmod, which root could do. */
static void refuse_open(const char *path, mode_t mode, char *why, size_t capacity)
{
    bool shared = (mode & (S_ISVTX | S_IWGRP | S_IWOTH)) != 0;
    snprintf(why, capacity, "%s is open to others (mode %04o): use a directory of your own%s", path,
             (unsigned)mode & 07777, shared ? "" : ", or chmod 700 this one if it is yours alone");
}

bool registry_dir_usable(const char *path, bool create, char *why, size_t capacity)
{
    struct stat st;
    if (create && strlen(path) + NAME_MAX_BYTES > SHARED_ENDPOINT_MAX) {
        snprintf(why, capacity, "%s is too long for a socket in it: use a path of at most %d bytes",
                 path, SHARED_ENDPOINT_MAX - NAME_MAX_BYTES);
        return false;
    }
    if (create && mkdir(path, 0700) != 0 && errno != EEXIST) {
        snprintf(why, capacity, "%s can't be made: %s", path, strerror(errno));
        return false;
    }
    if (lstat(path, &st) != 0)
        snprintf(why, capacity, "%s can't be read: %s", path, strerror(errno));
    else if (!S_ISDIR(st.st_mode))
        snprintf(why, capacity, "%s is not a directory", path);
    else if (st.st_uid != geteuid())
        snprintf(why, capacity,
                 "%s belongs to user %lu, not to this user: use a directory of your own "
                 "(PROFTOP_DIR), or have it removed", path,
                 (unsigned long)st.st_uid);
    else if ((st.st_mode & (077 | S_ISVTX)) != 0)
        refuse_open(path, st.st_mode, why, capacity);
    else if (faccessat(AT_FDCWD, path, create ? W_OK | X_OK : R_OK | X_OK, AT_EACCESS) != 0)
        snprintf(why, capacity, "%s can't be used: %s", path, strerror(errno));
    else
        return true;
    return false;
}

/* ------------------------------------------------------------------------- the .info file */

enum field_form { NUMBER, MAYBE, WORDS, HEX }; /* MAYBE: a number, UINT64_MAX if unknown */

/* One row per key. `need`: a file without the key is refused. */
static const struct info_key {
    const char *key;
    enum field_form form;
    bool need;
    size_t at, size;
} info_keys[] = {
#define MEMBER(name)                                                                               \
    offsetof(struct registry_info, name), sizeof(((struct registry_info *)NULL)->name)
    {"pid", NUMBER, true, MEMBER(pid)},           {"start", NUMBER, true, MEMBER(start)},
    {"instance", HEX, true, MEMBER(instance)},    {"parent", HEX, false, MEMBER(parent)},
    {"facts", WORDS, true, MEMBER(facts)},        {"control", WORDS, true, MEMBER(control)},
    {"program", WORDS, false, MEMBER(program)},   {"framework", WORDS, false, MEMBER(framework)},
    {"host", WORDS, false, MEMBER(host)},         {"since", NUMBER, false, MEMBER(since_ns)},
    {"run", HEX, false, MEMBER(token)},           {"rank", MAYBE, false, MEMBER(place.rank)},
    {"local", MAYBE, false, MEMBER(place.local)}, {"size", MAYBE, false, MEMBER(place.size)},
    {"role", WORDS, false, MEMBER(place.role)},   {"batch", WORDS, false, MEMBER(place.batch)},
    {"command", WORDS, false, MEMBER(command)},   {"tcp", WORDS, false, MEMBER(tcp)},
    {"insecure", MAYBE, false, MEMBER(insecure)},
#undef MEMBER
};
enum { INFO_KEYS = sizeof info_keys / sizeof info_keys[0] };

struct out {
    char *data;
    size_t size, capacity;
};

static void put(struct out *out, char c)
{
    if (out->size < out->capacity)
        out->data[out->size] = c;
    out->size++;
}

/* Escapes control characters of terminals and invalid UTF-8, because -l lists the file too. */
static void put_value(struct out *out, const char *text)
{
    static const char digit[] = "0123456789ABCDEF";
    for (size_t left = strlen(text); left > 0;) {
        const size_t whole = shared_text_character(text, left), size = whole == 0 ? 1 : whole;
        const bool plain = whole != 0 && *text != '%' && !shared_is_obeyed(text, whole);
        for (size_t i = 0; i < size; i++) {
            const unsigned char c = (unsigned char)text[i];
            put(out, plain ? text[i] : '%');
            if (plain)
                continue;
            put(out, digit[c >> 4]);
            put(out, digit[c & 15]);
        }
        text += size;
        left -= size;
    }
}

static void put_line(struct out *out, const char *key, const char *value)
{
    for (; *key != 0; key++)
        put(out, *key);
    put(out, '=');
    put_value(out, value);
    put(out, '\n');
}

size_t registry_info_format(const struct registry_info *info, char *out, size_t capacity)
{
    struct out o = {.data = out, .capacity = capacity};
    put_line(&o, "version", "1");
    for (size_t i = 0; i < INFO_KEYS; i++) {
        const char *member = (const char *)info + info_keys[i].at;
        char number[24];
        if (info_keys[i].form <= MAYBE) {
            uint64_t value;
            memcpy(&value, member, sizeof value);
            bool known = info_keys[i].form == NUMBER || value != UINT64_MAX;
            int size = snprintf(number, sizeof number, "%llu", (unsigned long long)value);
            number[known ? size : 0] = 0;
            member = number;
        }
        if (*member != 0 || info_keys[i].need)
            put_line(&o, info_keys[i].key, member);
    }
    return o.size <= capacity ? o.size : 0;
}

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Decodes a value into `to`, with NUL. False: malformed, or it does not fit. */
static bool take_words(const char *from, size_t size, char *to, size_t capacity)
{
    size_t n = 0;
    for (size_t i = 0; i < size; i++) {
        int c = (unsigned char)from[i];
        if (c == '%') {
            int high = i + 2 < size ? digit_of(from[i + 1]) : -1;
            int low = i + 2 < size ? digit_of(from[i + 2]) : -1;
            c = high < 0 || low < 0 ? 0 : high * 16 + low;
            i += 2;
        }
        if (c == 0 || n + 1 >= capacity)
            return false;
        to[n++] = (char)c;
    }
    to[n] = 0;
    return true;
}

static bool take_number(const char *from, size_t size, uint64_t *to)
{
    uint64_t value = 0;
    if (size == 0 || size > 19)
        return false;
    for (size_t i = 0; i < size; i++) {
        if (from[i] < '0' || from[i] > '9')
            return false;
        value = value * 10 + (uint64_t)(from[i] - '0');
    }
    *to = value;
    return true;
}

static bool take_field(const struct info_key *key, const char *from, size_t size, char *member)
{
    if (key->form <= MAYBE) {
        uint64_t value;
        bool good = take_number(from, size, &value);
        if (good)
            memcpy(member, &value, sizeof value);
        return good;
    }
    if (key->form == HEX) {
        for (size_t i = 0; i < size; i++)
            if (digit_of(from[i]) < 0)
                return false;
        if (size != key->size - 1)
            return false;
    }
    return take_words(from, size, member, key->size);
}

/* Parses one line, without its end. Returns the number of its key, INFO_KEYS if unknown, -1 for a
 * wrong value. */
static int take_line(const char *line, size_t size, struct registry_info *info)
{
    const char *equals = memchr(line, '=', size);
    size_t name = equals == NULL ? size : (size_t)(equals - line);
    for (int i = 0; i < INFO_KEYS; i++) {
        const struct info_key *key = &info_keys[i];
        if (equals == NULL || strlen(key->key) != name || memcmp(key->key, line, name) != 0)
            continue;
        bool good = take_field(key, equals + 1, size - name - 1, (char *)info + key->at);
        return good ? i : -1;
    }
    return INFO_KEYS;
}

void registry_info_clear(struct registry_info *info)
{
    memset(info, 0, sizeof *info);
    info->place.rank = info->place.local = info->place.size = info->insecure = UINT64_MAX;
}

bool registry_info_parse(const char *text, size_t size, struct registry_info *info, char *why,
                         size_t capacity)
{
    static const char version[] = "version=1\n";
    bool seen[INFO_KEYS + 1] = {false};
    registry_info_clear(info);
    if (size < sizeof version - 1 || memcmp(text, version, sizeof version - 1) != 0) {
        snprintf(why, capacity, "it does not begin with version=1");
        return false;
    }
    for (size_t at = sizeof version - 1; at < size;) {
        const char *end = memchr(text + at, '\n', size - at);
        if (end == NULL) {
            snprintf(why, capacity, "its last line does not end");
            return false;
        }
        size_t length = (size_t)(end - text) - at;
        int key = take_line(text + at, length, info);
        if (key < 0) {
            snprintf(why, capacity, "a value at byte %zu is not what its key wants", at);
            return false;
        }
        seen[key] = true;
        at += length + 1;
    }
    for (int i = 0; i < INFO_KEYS; i++)
        if (info_keys[i].need && !seen[i]) {
            snprintf(why, capacity, "it has no %s", info_keys[i].key);
            return false;
        }
    return true;
}

enum { STAT_SIZE = 1024 };

/* Returns the text of /proc/PID/stat after the name, starting with the state; NULL: no such
 * process. A zombie counts as no process. */
static const char *read_stat(uint64_t pid, char text[STAT_SIZE])
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%llu/stat", (unsigned long long)pid);
    shared_file_head(path, text, STAT_SIZE);
    /* The second field is a name in brackets and may contain brackets; the last ')' ends it. */
    const char *at = strrchr(text, ')');
    return at == NULL || at[1] != ' ' || strchr("ZX", at[2]) != NULL ? NULL : at + 2;
}

/* Number of a field of that file, counted from 1, above 3; 0: no such process. */
static uint64_t stat_field(uint64_t pid, int wanted)
{
    char text[STAT_SIZE];
    const char *at = read_stat(pid, text);
    for (int field = 3; at != NULL && field < wanted; field++) {
        at = strchr(at, ' ');
        at = at == NULL ? NULL : at + 1;
    }
    return at == NULL ? 0 : strtoull(at, NULL, 10);
}

bool shared_process_stopped(uint64_t pid)
{
    char text[STAT_SIZE];
    const char *state = read_stat(pid, text);
    return state != NULL && (*state == 'T' || *state == 't');
}

uint64_t shared_process_start(uint64_t pid)
{
    return stat_field(pid, 22);
}

uint64_t shared_process_parent(uint64_t pid)
{
    return stat_field(pid, 4);
}

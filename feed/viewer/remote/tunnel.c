/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * tunnel.c: runs one ssh process, the remote shell behind it, and the sockets forwarded through it.
 */
#include "config.h"

#include "feed/viewer/remote/tunnel.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "feed/shared/registry_dir.h"
#include "feed/viewer/launch/child.h"
#include "model/text.h"

enum {
    LIST_MAX = 8 * 1024 * 1024, /* bytes of an answer */
    WORDS = 40,                 /* words in a command line of ssh */
    FOLDER = 64,                /* bytes of the name of our directory */
    REACHED = 1024,             /* jobs whose sockets are forwarded at a time */
    FORWARD_MS = 5000,
    STALE_S = 60, /* after this an untouched, unlocked directory is removed */
    READS = 64,   /* reads at a time: an endless sender does not block the screen */
    LINE = 512,
};

/* Endpoints of a job on the remote machine. Here they are N.pub and N.ctl in `folder`. */
struct reached {
    char facts[SHARED_ENDPOINT_SIZE], control[SHARED_ENDPOINT_SIZE];
};

struct viewer_tunnel {
    struct viewer_child ssh;
    char where[SHARED_VIA_MAX];
    char folder[FOLDER];
    int lock; /* descriptor that locks `folder`, or -1 */
    bool quiet, requested;
    char *text; /* output of the shell not yet read as an answer */
    size_t used, capacity;
    char last_line[LINE]; /* the last line on ssh's stderr */
    char message[LINE];   /* the same, safe for the screen, once the connection stands */
    char ended[LINE]; /* why the connection ended, or "" */
    struct viewer_jobs jobs;
    bool listed; /* `jobs` is an answer */
    struct reached *reached;
    size_t count;
};

/* ----------------------------------------------------------------------- the shell over there */

/* Marks around a list, because a login shell may print text before it. No line of a list begins
 * like them. */
static const char begin_mark[] = "\nproftop-begin\n", end_mark[] = "\nproftop-end\n";

/* Prints the list as .info texts, each followed by an empty line. The remote proftop makes it.
 * Without one the shell itself reads the files, if the directory is accessible to its user alone
 * and the process of the file lives. */
static const char script[] =
    "proftop_list() {\n"
    "printf '\\nproftop-begin\\n'\n"
    "if command -v proftop >/dev/null 2>&1 && proftop -l --format info 2>/dev/null; then :; else\n"
    "u=$(id -u) b= q=\n"
    "[ -n \"$PROFTOP_DIR\" ] || b=$(sed -n "
    "'s,^[^/]* \\(/.*\\)/[0-9]*-[0-9]*-[0-9]*\\.pub$,\\1,p' /proc/net/unix | sort -u)\n"
    "for d in \"$PROFTOP_DIR\" \"$XDG_RUNTIME_DIR/proftop\" \"/run/user/$u/proftop\""
    " \"$TMPDIR/proftop-$u\" \"/tmp/proftop-$u\" - $b; do\n"
    "case $d in -) q=1; continue;; /*) ;; *) continue;; esac\n"
    "[ -d \"$d\" ] && [ ! -h \"$d\" ] || continue\n"
    "set -- $(ls -ldn \"$d\")\n"
    "case $1:$3 in drwx------*:\"$u\") ;; *) [ \"$q\" ] ||"
    " printf 'problem=%s is open to others, or not of this user\\n\\n' \"$d\"\n"
    "continue;; esac\n"
    "for f in \"$d\"/*.info; do\n"
    "[ -f \"$f\" ] && [ ! -h \"$f\" ] || continue\n"
    "b=${f##*/}; b=${b%.info}; s=${b#*-}; s=${s%%-*}; p=/proc/${b%%-*}\n"
    "l=$(cat \"$p/stat\" 2>/dev/null) || continue\n"
    "set -- ${l##*) }\n"
    "case $1:${20} in [ZX]:*) continue;; *:\"$s\") ;; *) continue;; esac\n"
    "cat \"$f\" && printf 'command=%s\\n\\n'"
    " \"$(tr '\\000-\\037\\177%' ' ' <\"$p/cmdline\" | cut -b 1-1000)\"\n"
    "done; done; fi\n"
    "printf '\\nproftop-end\\n'\n"
    "}\n";

static const char request[] = "proftop_list\n";

static bool send_to_shell(struct viewer_tunnel *t, const char *words, size_t size)
{
    return t->ssh.in >= 0 && write(t->ssh.in, words, size) == (ssize_t)size;
}

void viewer_tunnel_request(struct viewer_tunnel *t)
{
    if (!t->requested && !t->ended[0])
        t->requested = send_to_shell(t, request, sizeof request - 1);
}

/* -------------------------------------------------------------------------------- command lines */

struct words {
    const char *word[WORDS];
    char shell[1024];
    size_t count;
};

static void add(struct words *words, const char *word)
{
    if (words->count + 1 < WORDS)
        words->word[words->count++] = word;
}

/* Begins a command line of ssh. A shell runs it, so PROFTOP_SSH may hold a command line as
 * typed. */
static bool begin_ssh(struct words *words, char *why, size_t capacity)
{
    const char *own = getenv("PROFTOP_SSH");
    *words = (struct words){.count = 0};
    int size = snprintf(words->shell, sizeof words->shell, "exec %s \"$@\"",
                        own && *own ? own : "ssh");
    if (size < 0 || (size_t)size >= sizeof words->shell) {
        snprintf(why, capacity, "PROFTOP_SSH is too long: it may have 1000 characters");
        return false;
    }
    add(words, "sh");
    add(words, "-c");
    add(words, words->shell);
    add(words, "ssh");
    return true;
}

bool viewer_tunnel_host(const char *word, char *why, size_t capacity)
{
    static const char scheme[] = "ssh://";
    bool uri = strncmp(word, scheme, sizeof scheme - 1) == 0;
    const char *host = uri ? word + sizeof scheme - 1 : word;
    size_t plain = strcspn(host, " \t\n/\\'\"`$;&|<>(){}*?!#~%");
    char safe[128];
    model_text_safe(word, strlen(word), safe, sizeof safe);
    if (uri && host[plain] == '/' && host[plain + 1] != '\0')
        snprintf(why, capacity, "'%s' has a path; which job is said with -p PID", safe);
    else if (!*host || *host == '-' || (host[plain] && !(uri && host[plain] == '/')))
        snprintf(why, capacity,
                 "'%s' names no machine: it should be host, user@host or ssh://user@host:port",
                 safe);
    else if (strlen(word) >= SHARED_VIA_MAX)
        snprintf(why, capacity, "the name of a machine may have %d characters", SHARED_VIA_MAX - 1);
    else
        return true;
    return false;
}

/* Starts ssh. The options override the user's configuration: ssh forwards our sockets alone, and
 * reports a dead connection within some 10 s. */
static bool start_ssh(struct viewer_tunnel *t, const char *control, char *why, size_t capacity)
{
    static const char *const options[] = {
        "ClearAllForwardings=yes", "ControlPersist=no",     "RemoteCommand=none",
        "PermitLocalCommand=no",   "ServerAliveInterval=3", "ServerAliveCountMax=3",
        "ConnectTimeout=10",
    };
    struct words words;
    if (!begin_ssh(&words, why, capacity))
        return false;
    add(&words, "-MTxa");
    add(&words, "-S");
    add(&words, control);
    for (unsigned i = 0; i < sizeof options / sizeof options[0]; i++) {
        add(&words, "-o");
        add(&words, options[i]);
    }
    add(&words, "-o");
    add(&words, t->quiet ? "BatchMode=yes" : "BatchMode=no");
    add(&words, "--");
    add(&words, t->where);
    add(&words, "exec sh");
    return viewer_child_start(&t->ssh, words.word, true, why, capacity);
}

/* ------------------------------------------------------------------------------- begin and end */

static const char stem[] = "proftop-ssh-";

/* Removes all files of a directory of ours. Closes `folder`. */
static void empty(int folder)
{
    DIR *dir = fdopendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir)
        closedir(dir);
    else
        close(folder);
}

/* True if no viewer holds the lock of the directory. It must also be old, because a new viewer may
 * be about to lock it. */
static bool is_stale(int folder)
{
    struct stat at;
    return folder >= 0 && fstat(folder, &at) == 0 && at.st_uid == geteuid() &&
           (at.st_mode & 0777) == S_IRWXU && time(NULL) - at.st_mtime > STALE_S &&
           flock(folder, LOCK_EX | LOCK_NB) == 0;
}

/* Removes the directories of viewers that were killed. */
static void sweep(const char *root)
{
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    DIR *dir = opendir(root);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        if (strncmp(entry->d_name, stem, sizeof stem - 1) != 0)
            continue;
        int folder = openat(dirfd(dir), entry->d_name, flags);
        if (is_stale(folder)) {
            empty(folder);
            unlinkat(dirfd(dir), entry->d_name, AT_REMOVEDIR);
        } else if (folder >= 0) {
            close(folder);
        }
    }
    if (dir)
        closedir(dir);
}

/* Makes the directory for the local sockets. The path is short and has no character that ssh would
 * expand. The directory is locked; the kernel drops the lock however this process ends. */
static bool make_folder(struct viewer_tunnel *t, char *why, size_t capacity)
{
    const char *root = getenv("TMPDIR");
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-";
    bool good = root && root[0] == '/' && strspn(root, plain) == strlen(root) &&
                strlen(root) + 1 + strlen(stem) + sizeof SHARED_UNIQUE <= FOLDER;
    root = good ? root : "/tmp";
    sweep(root);
    snprintf(t->folder, sizeof t->folder, "%s/%s" SHARED_UNIQUE, root, stem);
    if (mkdtemp(t->folder)) {
        t->lock = open(t->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (t->lock >= 0)
            flock(t->lock, LOCK_EX | LOCK_NB);
        return true;
    }
    snprintf(why, capacity, "no directory for ssh can be made in %.40s: %s", root,
             strerror(errno));
    t->folder[0] = '\0';
    return false;
}

static void remove_folder(struct viewer_tunnel *t)
{
    int folder = t->folder[0] ? open(t->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (folder >= 0)
        empty(folder);
    if (t->folder[0])
        rmdir(t->folder);
    if (t->lock >= 0)
        close(t->lock);
    t->lock = -1;
    t->folder[0] = '\0';
}

struct viewer_tunnel *viewer_tunnel_new(const char *host, bool quiet, char *why, size_t capacity)
{
    char control[FOLDER + 8];
    struct viewer_tunnel *t = calloc(1, sizeof *t);
    if (!t) {
        snprintf(why, capacity, "there is no memory left for a connection");
        return NULL;
    }
    t->quiet = quiet;
    t->ssh.in = t->ssh.out = t->ssh.err = t->lock = -1;
    snprintf(t->where, sizeof t->where, "%s", host);
    bool good = viewer_tunnel_host(host, why, capacity) && make_folder(t, why, capacity);
    snprintf(control, sizeof control, "%s/ctl", t->folder);
    if (!good || !start_ssh(t, control, why, capacity)) {
        viewer_tunnel_free(&t);
        return NULL;
    }
    /* Written before the shell reads it, so it must fit into a pipe, which holds 64 KiB. */
    if (send_to_shell(t, script, sizeof script - 1))
        viewer_tunnel_request(t);
    return t;
}

void viewer_tunnel_stop(struct viewer_tunnel *t)
{
    viewer_child_stop(&t->ssh);
}

void viewer_tunnel_free(struct viewer_tunnel **tunnel)
{
    struct viewer_tunnel *t = *tunnel;
    if (!t)
        return;
    viewer_child_end(&t->ssh);
    remove_folder(t);
    viewer_jobs_release(&t->jobs);
    free(t->text);
    free(t->reached);
    free(t);
    *tunnel = NULL;
}

void viewer_tunnel_descriptors(const struct viewer_tunnel *t, int fd[2])
{
    fd[0] = t->ssh.out;
    fd[1] = t->ssh.err;
}

const char *viewer_tunnel_ended(const struct viewer_tunnel *t)
{
    return t->ended;
}

const char *viewer_tunnel_message(const struct viewer_tunnel *t)
{
    return t->message;
}

const struct viewer_jobs *viewer_tunnel_jobs(const struct viewer_tunnel *t)
{
    return t->listed ? &t->jobs : NULL;
}

/* ------------------------------------------------------------------------------------ reading */

/* True if the endpoint is a Unix socket with a path that ssh cannot read as more than a path. */
static bool is_forwardable(const char *endpoint)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+@=,";
    const char *path = endpoint + strlen("ipc://");
    return strncmp(endpoint, "ipc:///", strlen("ipc:///")) == 0 &&
           strspn(path, plain) == strlen(path);
}

static void complain(struct viewer_tunnel *t, const char *what, size_t size)
{
    char safe[300], line[LINE];
    model_text_safe(what, size, safe, sizeof safe);
    snprintf(line, sizeof line, "%.100s: %s", t->where, safe);
    viewer_jobs_complain(&t->jobs, line);
}

/* Takes one .info text or problem of an answer. False: out of memory. */
static bool take_info(struct viewer_tunnel *t, const char *text, size_t size)
{
    static const char problem[] = "problem=";
    struct registry_info info;
    char why[200];
    if (size > sizeof problem && memcmp(text, problem, sizeof problem - 1) == 0) {
        complain(t, text + sizeof problem - 1, size - sizeof problem);
        return true;
    }
    if (size > REGISTRY_INFO_MAX || !registry_info_parse(text, size, &info, why, sizeof why)) {
        snprintf(why, sizeof why, "what it says of a job cannot be read");
        complain(t, why, strlen(why));
        return true;
    }
    for (size_t i = strlen(info.command); i > 0 && info.command[i - 1] == ' '; i--)
        info.command[i - 1] = '\0';
    snprintf(info.via, sizeof info.via, "%s", t->where);
    return viewer_jobs_add(&t->jobs, &info);
}

/* Takes the texts between the marks, with an empty line after each. False: out of memory. */
static bool take_list(struct viewer_tunnel *t, const char *at, const char *end)
{
    viewer_jobs_release(&t->jobs);
    while (at < end) {
        const char *stop = memmem(at, (size_t)(end - at), "\n\n", 2);
        size_t size = stop ? (size_t)(stop + 1 - at) : (size_t)(end - at);
        if (!stop)
            break;
        if (size > 1 && !take_info(t, at, size))
            return false;
        at += size + 1;
    }
    viewer_jobs_order(&t->jobs);
    return true;
}

static void take_answers(struct viewer_tunnel *t)
{
    for (;;) {
        char *end = memmem(t->text, t->used, end_mark, sizeof end_mark - 1);
        if (!end)
            return;
        char *begin = memmem(t->text, (size_t)(end - t->text), begin_mark, sizeof begin_mark - 1);
        if (begin)
            t->listed = take_list(t, begin + sizeof begin_mark - 1, end + 1);
        t->requested = false;
        size_t done = (size_t)(end - t->text) + sizeof end_mark - 1;
        memmove(t->text, t->text + done, t->used - done);
        t->used -= done;
    }
}

static bool has_room(struct viewer_tunnel *t)
{
    if (t->capacity - t->used >= 4096)
        return true;
    size_t capacity = t->capacity ? t->capacity * 2 : 16 * 1024;
    char *grown = capacity <= LIST_MAX ? realloc(t->text, capacity) : NULL;
    if (!grown)
        return false;
    t->text = grown;
    t->capacity = capacity;
    return true;
}

static void end(struct viewer_tunnel *t, const char *reason)
{
    char safe[LINE - 128];
    t->last_line[strcspn(t->last_line, "\r\n")] = '\0';
    model_text_safe(t->last_line, strlen(t->last_line), safe, sizeof safe);
    bool stood = t->listed;
    int code = viewer_child_end(&t->ssh);
    if (!reason && !safe[0])
        snprintf(safe, sizeof safe, "ssh ended with code %d", code);
    snprintf(t->ended, sizeof t->ended, stood ? "the connection to %.80s is lost: %s"
                                              : "%.80s cannot be reached: %s",
             t->where, reason ? reason : safe);
    remove_folder(t);
}

/* Reads the messages of ssh. Until the connection stands they go to stderr, unless `quiet`, because
 * the user may have to act on them. */
static void read_messages(struct viewer_tunnel *t)
{
    char bytes[4096];
    ssize_t got = 0;
    for (unsigned i = 0; i < READS && t->ssh.err >= 0; i++) {
        got = viewer_child_read(t->ssh.err, bytes, sizeof bytes);
        if (got <= 0)
            break;
        viewer_child_keep_line(t->last_line, sizeof t->last_line, bytes, (size_t)got);
        if (t->listed)
            model_text_safe(t->last_line, strcspn(t->last_line, "\n"), t->message,
                            sizeof t->message);
        else if (!t->quiet)
            fwrite(bytes, 1, (size_t)got, stderr);
    }
    if (got < 0) {
        close(t->ssh.err);
        t->ssh.err = -1;
    }
}

void viewer_tunnel_read(struct viewer_tunnel *t)
{
    ssize_t got = 1;
    bool room = true;
    if (t->ended[0])
        return;
    read_messages(t);
    for (unsigned i = 0; i < READS && got > 0 && (room = has_room(t)); i++) {
        got = viewer_child_read(t->ssh.out, t->text + t->used, t->capacity - t->used);
        if (got > 0) {
            t->used += (size_t)got;
            take_answers(t);
        }
    }
    if (got < 0) {
        read_messages(t);
        end(t, NULL);
    } else if (!room) {
        end(t, "what it sends is no list of jobs, or too long a one");
    }
}

/* --------------------------------------------------------------------------------- forwarding */

/* Returns the index of the pair of local sockets for a job; `count` if it is not forwarded yet. */
static size_t find_reached(const struct viewer_tunnel *t, const struct registry_info *info)
{
    size_t at = 0;
    while (at < t->count && (strcmp(t->reached[at].facts, info->facts) != 0 ||
                             strcmp(t->reached[at].control, info->control) != 0))
        at++;
    return at;
}

/* Asks the running ssh to forward both sockets of a job. */
static bool forward(struct viewer_tunnel *t, const struct registry_info *info, size_t at, char *why,
                    size_t capacity)
{
    struct words words;
    char control[FOLDER + 8], pair[2][FOLDER + 32 + SHARED_ENDPOINT_MAX], out[256];
    if (!begin_ssh(&words, why, capacity))
        return false;
    snprintf(control, sizeof control, "%s/ctl", t->folder);
    snprintf(pair[0], sizeof pair[0], "%s/%zu.pub:%s", t->folder, at,
             info->facts + strlen("ipc://"));
    snprintf(pair[1], sizeof pair[1], "%s/%zu.ctl:%s", t->folder, at,
             info->control + strlen("ipc://"));
    const char *const options[] = {"-F", "none", "-S", control, "-O", "forward",
                                   "-L", pair[0], "-L", pair[1], "--", t->where};
    for (unsigned i = 0; i < sizeof options / sizeof options[0]; i++)
        add(&words, options[i]);
    return viewer_child_run(words.word, FORWARD_MS, out, sizeof out, why, capacity);
}

static bool forward_more(struct viewer_tunnel *t, const struct registry_info *info, char *why,
                         size_t capacity)
{
    char words[200];
    size_t at = t->count;
    struct reached *grown =
        at < REACHED ? realloc(t->reached, (at + 1) * sizeof *t->reached) : NULL;
    if (!grown) {
        snprintf(why, capacity, "no more jobs of %.80s can be attached to", t->where);
        return false;
    }
    t->reached = grown;
    if (!forward(t, info, at, words, sizeof words)) {
        snprintf(why, capacity, "ssh cannot forward the sockets of the job: %s", words);
        return false;
    }
    snprintf(t->reached[at].facts, sizeof t->reached[at].facts, "%s", info->facts);
    snprintf(t->reached[at].control, sizeof t->reached[at].control, "%s", info->control);
    t->count++;
    return true;
}

bool viewer_tunnel_reach(struct viewer_tunnel *t, const struct registry_info *info,
                         struct viewer_target *target, char *why, size_t capacity)
{
    if (t->ended[0]) {
        snprintf(why, capacity, "%s", t->ended);
        return false;
    }
    if (!is_forwardable(info->facts) || !is_forwardable(info->control)) {
        snprintf(why, capacity,
                 "the job does not listen on Unix sockets with plain names: attach to it by its "
                 "own endpoint");
        return false;
    }
    size_t at = find_reached(t, info);
    if (at == t->count && !forward_more(t, info, why, capacity))
        return false;
    viewer_target_of(info, target);
    snprintf(target->facts, sizeof target->facts, "ipc://%s/%zu.pub", t->folder, at);
    snprintf(target->control, sizeof target->control, "ipc://%s/%zu.ctl", t->folder, at);
    return true;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * nvtx.c: an injection for NVTX. A program that speaks NVTX has the implementation of its headers
 * inside. With its first call that code loads the library which NVTX_INJECTION64_PATH names, and
 * calls InitializeInjectionNvtx2() below, which puts functions into its tables.
 *
 * The layouts and numbers are as in NVIDIA's public headers: nvToolsExt.h and
 * nvtxDetail/nvtxTypes.h of the repository NVIDIA/NVTX, versions 2 and 3. No header of theirs is
 * used. */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "adapters/ports/names.h"
#include "adapters/ports/objects.h"
#include "adapters/ports/port.h"

#define SHOWN __attribute__((visibility("default")))

static struct nested_about describe(unsigned kind, const char *name);

static const struct port port = {
    .framework = "NVTX",
    .route = "ranges of NVTX, by the library that NVTX_INJECTION64_PATH names",
    .describe = describe,
    .opened = port_objects_watch_forks,
    .publish = port_objects_publish};

/* -------------------------------------------------------------------------------- NVTX's
 * structures
 */

/* nvtxEventAttributes_t */
struct attributes {
    uint16_t version, size;
    uint32_t category;
    int32_t color_type;
    uint32_t color;
    int32_t payload_type, reserved;
    uint64_t payload;
    int32_t message_type; /* enum message */
    union {
        const char *ascii;
        const wchar_t *unicode;
        const struct port_text *registered;
    } message;
};
_Static_assert(sizeof(void *) != 8 || sizeof(struct attributes) == 48, "as in NVTX");

enum message { NO_MESSAGE, ASCII, UNICODE, REGISTERED };

typedef void (*function)(void);

/* NvtxExportTableCallbacks, which NVTX gives for CALLBACKS. `table`: for each function, where its
 * address is kept. */
struct callbacks {
    size_t size;
    int (*module)(int module, function ***table, unsigned *count);
};
enum { CALLBACKS = 1, CORE = 1, CORE2 = 5 };

static const char no_name[] = "(no name)";

/* --------------------------------------------------------------------------- domains, categories
 */

struct category {
    struct category *next;
    uint32_t id;
    _Atomic unsigned group;
};

/* A domain is known by its group. */
static struct domain {
    _Atomic(struct category *) categories;
} domains[PORT_GROUPS + 1];

enum { CATEGORIES = 1024 }; /* of all domains */
static struct category categories[CATEGORIES];
static unsigned n_categories;

static inline unsigned domain_group(const struct domain *domain)
{
    return domain ? (unsigned)(domain - domains) : 0;
}

static struct domain *domain_create(const char *name)
{
    return &domains[port_group(name, NULL)];
}

static struct domain *domain_create_wide(const wchar_t *name)
{
    char text[NESTED_NAME + 1];
    return domain_create(name ? port_narrow(name, text) : NULL);
}

static struct category *find_category(struct domain *domain, uint32_t id)
{
    struct category *one = atomic_load_explicit(&domain->categories, memory_order_acquire);
    while (one && one->id != id)
        one = one->next;
    return one;
}

static void domain_name_category(struct domain *domain, uint32_t id, const char *name)
{
    const unsigned of = domain_group(domain);
    const unsigned group = port_group(port_group_name(of), name);
    domain = &domains[of];
    port_names_lock();
    struct category *one = find_category(domain, id);
    if (one) {
        atomic_store(&one->group, group);
    } else if (n_categories < CATEGORIES) {
        one = &categories[n_categories++];
        one->id = id;
        one->group = group;
        one->next = atomic_load(&domain->categories);
        atomic_store_explicit(&domain->categories, one, memory_order_release);
    }
    port_names_unlock();
}

static void domain_name_category_wide(struct domain *domain, uint32_t id, const wchar_t *name)
{
    char text[NESTED_NAME + 1];
    domain_name_category(domain, id, name ? port_narrow(name, text) : NULL);
}

static void name_category(uint32_t id, const char *name)
{
    domain_name_category(NULL, id, name);
}

static void name_category_wide(uint32_t id, const wchar_t *name)
{
    domain_name_category_wide(NULL, id, name);
}

static struct port_text *register_string(struct domain *domain, const char *text)
{
    (void)domain;
    return text ? port_text(text) : NULL;
}

static struct port_text *register_string_wide(struct domain *domain, const wchar_t *wide)
{
    char text[NESTED_NAME + 1];
    return wide ? register_string(domain, port_narrow(wide, text)) : NULL;
}

/* ------------------------------------------------------------------------------------ attributes
 */

/* Of later versions the front is the same. Attributes that are too short have no members. */
static inline int fits(const struct attributes *is)
{
    return is && is->version > 0 && is->size >= sizeof *is;
}

static inline unsigned group_of(const struct domain *domain, const struct attributes *is)
{
    const unsigned group = domain_group(domain);
    if (!fits(is) || is->category == 0)
        return group;
    const struct category *named = find_category(&domains[group], is->category);
    return named ? atomic_load_explicit(&named->group, memory_order_relaxed) : group;
}

static inline const char *name_of(const struct attributes *is, char wide[NESTED_NAME + 1])
{
    if (!fits(is) || !is->message.ascii)
        return no_name;
    switch (is->message_type) {
    case ASCII:
        return is->message.ascii;
    case UNICODE:
        return port_narrow(is->message.unicode, wide);
    case REGISTERED:
        return is->message.registered->text;
    default:
        return no_name;
    }
}

static struct nested_about describe(unsigned kind, const char *name)
{
    struct nested_about about = {.op_class = port_group_name(kind), .waits = PROFTOP_WORKS};
    /* emit_nvtx() of PyTorch repeats the ops that proftop's adapter counts, with numbers behind
     * their names. */
    if ((strstr(name, ", op_id = ") || strstr(name, ", seq = ")) && port_has_torch_adapter())
        about.waits = PROFTOP_ASIDE;
    return about;
}

/* ---------------------------------------------------------------------- ranges that nest on a
 * thread
 */

/* Open ranges of this thread, by domain. */
static _Thread_local uint16_t levels[PORT_GROUPS + 1] __attribute__((tls_model("initial-exec")));

static inline int push(const struct domain *domain, unsigned group, const char *name)
{
    const unsigned of = domain_group(domain);
    if (port_feed())
        nested_begin(group, name, port_group_key(of));
    return levels[of] < UINT16_MAX ? levels[of]++ : UINT16_MAX;
}

static int domain_range_push(struct domain *domain, const struct attributes *is)
{
    char wide[NESTED_NAME + 1];
    return push(domain, group_of(domain, is), name_of(is, wide));
}

static int domain_range_pop(struct domain *domain)
{
    const unsigned of = domain_group(domain);
    nested_end_inner(port_group_key(of));
    return levels[of] > 0 ? --levels[of] : -1;
}

static int range_push_ex(const struct attributes *is)
{
    return domain_range_push(NULL, is);
}

static int range_push(const char *name)
{
    return push(NULL, 0, name ? name : no_name);
}

static int range_push_wide(const wchar_t *name)
{
    char text[NESTED_NAME + 1];
    return range_push(name ? port_narrow(name, text) : NULL);
}

static int range_pop(void)
{
    return domain_range_pop(NULL);
}

/* ------------------------------------------------------------- ranges with an id, which may
 * overlap
 */

static uint64_t start_range(unsigned group, const char *name)
{
    static _Atomic uint64_t last;
    const uint64_t id = atomic_fetch_add(&last, 1) + 1;
    const struct port_key key = {{id, 0, 0}, PORT_TASK};
    port_run_begin(&key, port_object(PORT_TASK, group, name), 0);
    return id;
}

static uint64_t domain_range_start(struct domain *domain, const struct attributes *is)
{
    char wide[NESTED_NAME + 1];
    return start_range(group_of(domain, is), name_of(is, wide));
}

static void domain_range_end(struct domain *domain, uint64_t id)
{
    const struct port_key key = {{id, 0, 0}, PORT_TASK};
    (void)domain;
    port_run_end(&key);
}

static uint64_t range_start_ex(const struct attributes *is)
{
    return domain_range_start(NULL, is);
}

static uint64_t range_start(const char *name)
{
    return start_range(port_group(NULL, NULL), name ? name : no_name);
}

static uint64_t range_start_wide(const wchar_t *name)
{
    char text[NESTED_NAME + 1];
    return range_start(name ? port_narrow(name, text) : NULL);
}

static void range_end(uint64_t id)
{
    domain_range_end(NULL, id);
}

/* ----------------------------------------------------------------------------- marks and threads
 */

static void mark_in(unsigned group, const char *name)
{
    port_mark(port_object(PORT_MARKER, group, name), "thread");
}

static void domain_mark(struct domain *domain, const struct attributes *is)
{
    char wide[NESTED_NAME + 1];
    mark_in(group_of(domain, is), name_of(is, wide));
}

static void mark_ex(const struct attributes *is)
{
    domain_mark(NULL, is);
}

static void mark(const char *name)
{
    mark_in(0, name ? name : no_name);
}

static void mark_wide(const wchar_t *name)
{
    char text[NESTED_NAME + 1];
    mark(name ? port_narrow(name, text) : NULL);
}

/* libproftop takes the name of a thread from the thread itself. */
static void name_thread(uint32_t thread, const char *name)
{
    if (thread == (uint32_t)syscall(SYS_gettid))
        port_thread_name(name);
}

static void name_thread_wide(uint32_t thread, const wchar_t *name)
{
    char text[NESTED_NAME + 1];
    name_thread(thread, name ? port_narrow(name, text) : NULL);
}

/* ----------------------------------------------------------------------------------------- start
 */

enum { FUNCTIONS = 16 };

/* By NvtxCallbackIdCore and NvtxCallbackIdCore2. NVTX calls nothing for those that are not set. */
static const function core[FUNCTIONS] = {
    [1] = (function)mark_ex,
    [2] = (function)mark,
    [3] = (function)mark_wide,
    [4] = (function)range_start_ex,
    [5] = (function)range_start,
    [6] = (function)range_start_wide,
    [7] = (function)range_end,
    [8] = (function)range_push_ex,
    [9] = (function)range_push,
    [10] = (function)range_push_wide,
    [11] = (function)range_pop,
    [12] = (function)name_category,
    [13] = (function)name_category_wide,
    [14] = (function)name_thread,
    [15] = (function)name_thread_wide,
};
static const function core2[FUNCTIONS] = {
    [1] = (function)domain_mark,
    [2] = (function)domain_range_start,
    [3] = (function)domain_range_end,
    [4] = (function)domain_range_push,
    [5] = (function)domain_range_pop,
    [8] = (function)domain_name_category,
    [9] = (function)domain_name_category_wide,
    [10] = (function)register_string,
    [11] = (function)register_string_wide,
    [12] = (function)domain_create,
    [13] = (function)domain_create_wide,
};

static int fill(const struct callbacks *callbacks, int module, const function ours[FUNCTIONS])
{
    function **table = NULL;
    unsigned count = 0;
    if (!callbacks->module(module, &table, &count) || !table)
        return 0;
    for (unsigned i = 1; i < FUNCTIONS && i < count; i++)
        if (ours[i] && table[i])
            *table[i] = ours[i];
    return 1;
}

/* Called once by each copy of NVTX in the process. Opens nothing. Returns 0 if nothing is to be
 * counted: then NVTX calls nobody. The names of CUDA's and OpenCL's objects are left alone. */
SHOWN int InitializeInjectionNvtx2(const void *(*get)(uint32_t table));
SHOWN int InitializeInjectionNvtx2(const void *(*get)(uint32_t table))
{
    const struct callbacks *callbacks = get && port_begin(&port) ? get(CALLBACKS) : NULL;
    if (!callbacks || callbacks->size < sizeof *callbacks || !callbacks->module)
        return 0;
    port_names_begin("NVTX");
    const int has_core = fill(callbacks, CORE, core);
    const int has_core2 = fill(callbacks, CORE2, core2);
    return has_core || has_core2;
}

/* The name in version 2 of NVTX. */
SHOWN int InitializeInjectionNvtx(const void *(*get)(uint32_t table));
SHOWN int InitializeInjectionNvtx(const void *(*get)(uint32_t table))
{
    return InitializeInjectionNvtx2(get);
}

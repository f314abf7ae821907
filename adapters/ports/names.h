/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * names.h: texts, and the names of domains and categories. */
#ifndef PROFTOP_PORT_NAMES_H
#define PROFTOP_PORT_NAMES_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#include "adapters/common/nested.h"

enum port_names_limits {
    PORT_GROUPS = NESTED_CLASSES - 1, /* domains and their categories */
    PORT_TEXTS = 16384,               /* texts with an address of their own */
};

/* Names the default domain. Call it before the others; again: no change. */
void port_names_begin(const char *domain);

/* A text that lives as long as the process. Equal texts have one address. Laid out as
 * __itt_string_handle. */
struct port_text {
    const char *text;
    void *wide;
    int extra1;
    void *extra2;
    struct port_text *next;
};
/* Once half of PORT_TEXTS are in use, new texts have `*` for digits. Beyond PORT_TEXTS all are
 * "(other)". Cuts texts of more than 4,096 bytes. */
struct port_text *port_text(const char *text);

/* Converts to UTF-8; cuts long texts. Returns `out`. */
const char *port_narrow(const wchar_t *wide, char out[NESTED_NAME + 1]);

/* Number of a group: a domain, or a category of a domain. 0: the default domain. PORT_GROUPS: all
 * that exceed the limit. A group is the `kind` of its ranges in nested.h. */
unsigned port_group(const char *domain, const char *category);
const char *port_group_name(unsigned group);
/* The key of all ranges of a domain. */
const void *port_group_key(unsigned group);

/* Holds and releases the lock of new groups. */
void port_names_lock(void);
void port_names_unlock(void);

#endif

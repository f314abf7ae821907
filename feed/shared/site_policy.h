/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * site_policy.h: the administrator's restrictions, for jobs and viewers alike. The file is
 * /etc/proftop.conf, or set by --sysconfdir; no environment variable can move it.
 */
#ifndef FEED_SHARED_SITE_POLICY_H
#define FEED_SHARED_SITE_POLICY_H

#include <stdbool.h>
#include <stddef.h>

struct shared_site {
    bool control; /* viewers may control jobs: pause, reset, ... */
    bool inject;  /* a viewer may load a feed into a process without one */
    bool tcp;     /* feeds may listen or connect over tcp */
};

/* Reads the site's file. Without the file, everything is allowed. False, with a sentence in `why`:
 * the file can't be understood; then nothing is allowed. */
bool shared_site_read(struct shared_site *site, char *why, size_t capacity);

#endif

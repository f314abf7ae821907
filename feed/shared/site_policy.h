/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * site_policy.h: what the administrator of a machine forbids, for jobs and viewers alike. The file
 * is /etc/proftop.conf, or where --sysconfdir puts it: nothing in an environment can move it.
 */
#ifndef FEED_SHARED_SITE_POLICY_H
#define FEED_SHARED_SITE_POLICY_H

#include <stdbool.h>
#include <stddef.h>

struct shared_site {
    bool control; /* viewers may control jobs: pause, reset, ... */
    bool inject;  /* a viewer may put a feed into a process that has none */
    bool tcp;     /* feeds may be reached, or reach out, over tcp */
};

/* Without the file, everything is allowed. False, with a sentence in `why`: it is there but can't
 * be understood; then nothing is. */
bool shared_site_read(struct shared_site *site, char *why, size_t capacity);

/* Its path. In a file of its own, so that a test program can have another. */
const char *shared_site_path(void);

#endif

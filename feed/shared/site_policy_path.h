/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * site_policy_path.h: the path of the site's file. In files of its own, so that a test program can
 * have another path.
 */
#ifndef FEED_SHARED_SITE_POLICY_PATH_H
#define FEED_SHARED_SITE_POLICY_PATH_H

const char *shared_site_path(void);

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * site_policy_path.c: the configured path of the site's file.
 */
#include "config.h"

#include "feed/shared/site_policy_path.h"

const char *shared_site_path(void)
{
    return PROFTOP_SITE_FILE;
}

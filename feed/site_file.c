/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * site_file.c: where the site's file is, as configured.
 */
#include "config.h"

#include "site.h"

const char *feed_site_path(void)
{
    return PROFTOP_SITE_FILE;
}

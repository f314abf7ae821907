/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * engine_part.c: a part of engine.c in a library of its own; PART is the name of its call.
 */
#include <proftop.h>

void PART(struct proftop *feed, proftop_id apply, long calls);

void PART(struct proftop *feed, proftop_id apply, long calls)
{
    for (long i = 0; i < calls; i++)
        proftop_end(feed, apply, proftop_begin(feed, apply));
    proftop_end(feed, apply, (struct proftop_token){0, 0}); /* ends nothing; has a comma in it */
}

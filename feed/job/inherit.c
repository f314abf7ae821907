/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * inherit.c: moves the definitions of a feed to that of a forked child. Nothing is copied: the
 * child has the memory already, and shares its pages with its parent for as long as nobody writes.
 */
#include "config.h"

#include "inherit.h"

#include <string.h>

/* What the parent compiled, it compiled once: in the sum of both it counts once too. */
static void forget_compilation(struct feed_book *book)
{
    uint32_t count = feed_book_count(book, FEED_T_FUNCTION);
    for (uint32_t id = 0; id < count; id++) {
        struct feed_function_row *row = feed_book_row(book, FEED_T_FUNCTION, id);
        for (int part = 0; part < FEED_PARTS; part++)
            if (feed_get(&row->part[part]) != 0)
                feed_put(&row->part[part], 0);
        if (row->compiling != 0)
            row->compiling = 0;
        if (feed_get(&row->compile_since) != 0)
            feed_put(&row->compile_since, 0);
    }
}

/* Its threads are not those of the parent; counters, spans and markers are not taken over. */
static void forget_others(struct feed_book *book)
{
    static const enum feed_table others[] = {FEED_T_THREAD, FEED_T_COUNTER, FEED_T_SPAN,
                                             FEED_T_MARKER};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        atomic_store_explicit(&book->list[others[i]].count, 0, memory_order_relaxed);
}

void feed_inherit(struct feed_core *core, struct feed_core *from)
{
    feed_book_release(&core->book);
    core->book = from->book;
    memset(&from->book, 0, sizeof from->book);
    memset(&from->compiling, 0, sizeof from->compiling); /* of rows that are not there any more */
    forget_compilation(&core->book);
    forget_others(&core->book);
    core->details = from->details;
    memset(&from->details, 0, sizeof from->details);
    core->metrics = from->metrics;
    memset(&from->metrics, 0, sizeof from->metrics);
    feed_metrics_clear(&core->metrics);
    memcpy(core->route, from->route, sizeof core->route);
    memcpy(core->facts, from->facts, sizeof core->facts);
}

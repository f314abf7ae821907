/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * stats.c: the sums of MXNet's own profiler, for unknown builds. The profiler's thread calls the
 * hook for each event that it has drained. */
#include <stdatomic.h>

#include "adapters/mxnet/hooks.h"

/* profiler::ProfileStat, from 1.5 to 2.0. */
enum {
    NAME = 8, CATEGORY = 136, TEXT_SIZE = 128,
    IS_SUMMED_UP = 264, BEGIN_US = 296, END_US = 312
};

/* A text in a character array. Empty if it is no text: then the object has another layout. */
static struct text text_in(const char *array)
{
    size_t length = strnlen(array, TEXT_SIZE);
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)array[i] < ' ')
            length = TEXT_SIZE;
    return (struct text){array, length < TEXT_SIZE ? length : 0};
}

static int is_operator(struct text category)
{
    static const char *const names[] = {"operator", "Custom Operator"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (text_is(category, names[i]))
            return 1;
    return 0;
}

void (*profile_stat_original)(void *, const char *);
void profile_stat(void *self, const char *stat)
{
    struct proftop *feed = mxnet_feed();
    struct text name = text_in(stat + NAME);
    uint64_t begin_us, end_us;
    memcpy(&begin_us, stat + BEGIN_US, sizeof begin_us);
    memcpy(&end_us, stat + END_US, sizeof end_us);
    if (feed && stat[IS_SUMMED_UP] && name.length && is_operator(text_in(stat + CATEGORY)) &&
        end_us >= begin_us) {
        char room[1024];
        struct row_key key = {.op = text_stripped(name, room, sizeof room),
                              .function = FUNCTION_IMPERATIVE,
                              .kind = PROFTOP_IMPERATIVE};
        struct row *row = row_of(&key);
        if (row)
            proftop_record(feed, row_apply(row, ROW_GIVEN), 1000 * (end_us - begin_us));
    }
    profile_stat_original(self, stat);
}

void mxnet_set(const char *op, uint64_t calls, uint64_t ns)
{
    char room[1024];
    struct proftop *feed = mxnet_feed_here();
    struct row_key key = {.op = text_stripped((struct text){op, strlen(op)}, room, sizeof room),
                          .function = FUNCTION_IMPERATIVE,
                          .kind = PROFTOP_IMPERATIVE};
    struct row *row = feed ? row_of(&key) : NULL;
    if (row)
        proftop_set(feed, row_apply(row, ROW_SET), calls, ns);
}

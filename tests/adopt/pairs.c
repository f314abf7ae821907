/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * pairs.c: a given number of pairs of begin and end, inlined or in the library, also with a feed
 * that is off, or of given durations. instructions.py counts them.
 */
#include <proftop.h>
#include <proftop_objects.h>
#include <stdlib.h>

__attribute__((noinline)) void inlined(struct proftop *feed, proftop_id apply, int pairs);
__attribute__((noinline)) void called(struct proftop *feed, proftop_id apply, int pairs);
__attribute__((noinline)) void given(struct proftop *feed, proftop_id apply, int pairs);

void inlined(struct proftop *feed, proftop_id apply, int pairs)
{
    for (int i = 0; i < pairs; i++) {
        struct proftop_token token = proftop_begin(feed, apply);
        proftop_end(feed, apply, token);
    }
}

/* The parentheses select the function in place of the inline one. */
void called(struct proftop *feed, proftop_id apply, int pairs)
{
    for (int i = 0; i < pairs; i++) {
        struct proftop_token token = (proftop_begin)(feed, apply);
        (proftop_end)(feed, apply, token);
    }
}

void given(struct proftop *feed, proftop_id apply, int pairs)
{
    for (int i = 0; i < pairs; i++)
        proftop_record(feed, apply, 1000 + (uint64_t)i);
}

int main(int argc, char **argv)
{
    struct proftop *feed = proftop_open(NULL);
    struct proftop_function_info function = {.size = sizeof function};
    struct proftop_apply_info apply = {.size = sizeof apply};
    if (argc != 3 || !proftop_is_on(feed) != (argv[1][0] == 'o'))
        return 1;
    if (argv[1][0] == 'o') {
        inlined(feed, 0, atoi(argv[2]));
        proftop_close(feed);
        return 0;
    }
    apply.function = proftop_function(feed, &function);
    apply.op = proftop_op(feed, proftop_class(feed, "class"), "op");
    proftop_id id = proftop_apply(feed, &apply);
    /* Memory is counted as well. */
    proftop_memory_alloc(feed, proftop_memory(feed, "cpu/0", "storage", "net:"), 4096);
    struct proftop_token token = proftop_begin(feed, id);
    proftop_fail(feed, id, token);
    if (argv[1][0] == 'g') {
        apply.source = PROFTOP_GIVEN;
        id = proftop_apply(feed, &apply);
    }
    (argv[1][0] == 'i' ? inlined : argv[1][0] == 'c' ? called : given)(feed, id, atoi(argv[2]));
    /* With the system's clock nothing is inlined. */
    return token.start >> 63 ? 2 : 0;
}

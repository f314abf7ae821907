/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_wire.c: passes arbitrary bytes to the frame reader. An accepted frame must keep the promises
 * of frame.h, and must stay the same after being written and read again.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>

#include "wire_again.h"

static void give_up(const char *what, const char *detail)
{
    fprintf(stderr, "fuzz_wire: %s: %s\n", what, detail);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t again[WIRE_FRAME_MAX];
    static struct wire_frame frame, other;
    if (wire_read(data, size, &frame) != WIRE_OK)
        return 0;
    const char *flaw = wire_flaw(&frame, data, size);
    if (flaw)
        give_up("a promise is broken", flaw);
    if (frame.stream == WIRE_RESERVED) /* no writer for it yet */
        return 0;
    size_t n = wire_again(&frame, again, sizeof again);
    if (n == 0 && size + 2 > WIRE_FRAME_MAX) /* its map had a shorter header */
        return 0;
    if (n == 0 || n > size + 2)
        give_up("written again, it grew", "beyond the head of its map");
    enum wire_error e = wire_read(again, n, &other);
    if (e != WIRE_OK)
        give_up("written again, it is refused", wire_error_text(e));
    const char *key = wire_differ(&frame, &other);
    if (key)
        give_up("written again, it differs", key);
    return 0;
}

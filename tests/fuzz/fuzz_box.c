/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_box.c: black boxes, which a killed job left behind.
 *
 * Most bytes of a box are 0, so an input gives the rest: the size of the box in words of 8 bytes
 * (3 bytes, modulo WORDS_MAX), and then pieces until it ends: the word at which a piece lies (3
 * bytes), its size in bytes (2 bytes), and its bytes. Numbers have their lowest byte first.
 * pack_box.py writes an input from a box.
 */
#include "fuzz.h"

#include "feed/viewer/stream/black_box.h"

#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz_print.h"

enum { WORD = 8, WORDS_MAX = 1 << 18 };

struct input {
    const uint8_t *at, *end;
};

/* 0 at the end. */
static size_t number(struct input *input, size_t bytes)
{
    size_t value = 0;
    for (size_t i = 0; i < bytes && input->at < input->end; i++)
        value |= (size_t)*input->at++ << 8 * i;
    return value;
}

static void unpack(struct input *input, uint8_t *box, size_t size)
{
    while (input->at < input->end) {
        const size_t at = WORD * number(input, 3);
        size_t length = number(input, 2);
        if (length > (size_t)(input->end - input->at))
            length = (size_t)(input->end - input->at);
        if (at <= size && length <= size - at)
            memcpy(box + at, input->at, length);
        input->at += length;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char why[256];
    struct input input = {data, data + size};
    const size_t room = WORD * (number(&input, 3) % WORDS_MAX);
    uint8_t *box = calloc(1, room ? room : 1);
    if (!box)
        return 0;
    unpack(&input, box, room);
    struct model_job *job = viewer_black_box_parse(box, room, why, sizeof why);
    free(box);
    if (job)
        fuzz_print(model_state_take(job, MODEL_ALL, NULL));
    model_job_release(&job);
    return 0;
}

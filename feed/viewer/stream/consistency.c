/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * consistency.c: compares the ticks and the stamps of frames.
 */
#include "config.h"

#include "feed/viewer/stream/consistency.h"

/* APART_NS: longest time between the first and the last part of a consistent snapshot or tick. A
 * snapshot takes two round trips. Within a tick the job's thread may lose its processor.
 * SLOW_TICKS: after so many slow ticks in a row slowness is normal for this job and is accepted. */
enum { APART_NS = 1000 * 1000, SLOW_TICKS = 3 };

/* Streams without figures that have to agree with other figures. */
#define ASIDE                                                                                      \
    (1u << WIRE_HELLO | 1u << WIRE_DEFS | 1u << WIRE_NOTICES | 1u << WIRE_REWRITES |               \
     1u << WIRE_DETAILS)

void viewer_consistency_begin(struct viewer_consistency *consistency)
{
    consistency->oldest_ns = UINT64_MAX;
    consistency->newest_ns = 0;
    consistency->whole = false;
}

void viewer_consistency_end(struct viewer_consistency *consistency)
{
    consistency->whole = true;
}

static void note_answer(struct viewer_consistency *consistency, uint64_t tick, uint64_t mono_ns)
{
    if (tick > consistency->requested_tick)
        consistency->requested_tick = tick;
    if (mono_ns < consistency->oldest_ns)
        consistency->oldest_ns = mono_ns;
    if (mono_ns > consistency->newest_ns)
        consistency->newest_ns = mono_ns;
}

static bool is_apart(uint64_t oldest_ns, uint64_t newest_ns)
{
    return newest_ns > oldest_ns && newest_ns - oldest_ns > APART_NS;
}

static void note_fact(struct viewer_consistency *consistency, const struct wire_frame *frame)
{
    const uint64_t tick = frame->field[WIRE_F_TICK].u, mono_ns = frame->field[WIRE_F_MONO].u;
    if (tick != consistency->tick) {
        consistency->slow =
            is_apart(consistency->first_ns, consistency->last_ns) ? consistency->slow + 1 : 0;
        consistency->first_ns = consistency->last_ns = 0;
    }
    consistency->tick = tick;
    if (frame->stream == WIRE_HELLO) /* the last frame of its tick */
        consistency->closed = tick;
    if (ASIDE >> frame->stream & 1)
        return;
    consistency->first_ns = consistency->first_ns == 0 ? mono_ns : consistency->first_ns;
    consistency->last_ns = mono_ns;
}

void viewer_consistency_note(struct viewer_consistency *consistency, const struct wire_frame *frame)
{
    const struct wire_value *field = frame->field;
    if (!field[WIRE_F_REQ].present)
        note_fact(consistency, frame);
    else if (!consistency->whole && !(ASIDE >> frame->stream & 1))
        note_answer(consistency, field[WIRE_F_TICK].u, field[WIRE_F_MONO].u);
}

bool viewer_consistency_holds(const struct viewer_consistency *consistency, uint64_t next,
                              bool near)
{
    if (consistency->tick <=
        consistency->requested_tick) /* the snapshot contains the ticks up to its own */
        return consistency->whole &&
               !(near && is_apart(consistency->oldest_ns, consistency->newest_ns));
    if (near && consistency->slow < SLOW_TICKS &&
        is_apart(consistency->first_ns, consistency->last_ns))
        return false;
    return consistency->tick == consistency->closed || (next != 0 && next != consistency->tick);
}

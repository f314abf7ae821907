/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * proftop_layout.h: the memory shared by the library and proftop_inline.h, and how a call is
 * counted in it. Included by proftop.h; programs call nothing here.
 */
#if !defined(PROFTOP_H)
#include "proftop.h" /* proftop.h includes this file once its types are defined */
#elif !defined(PROFTOP_LAYOUT_H) && !defined(PROFTOP_OFF)
#define PROFTOP_LAYOUT_H

#ifdef __cplusplus
extern "C" {
#endif

#define PROFTOP_LAYOUT      5u
#define PROFTOP_CHUNK_SHIFT 10 /* slots that are mapped at once, as a power of 2 */
#define PROFTOP_APPLIES     (1u << 22)
#define PROFTOP_TICK_SHIFT  31

/* Durations have 4 buckets per octave, here from 1 to 2^34 ticks. The library counts longer
 * durations separately, so that applies without them need no memory for them. Two adjacent stamps
 * differ by 1 on some processors: an empty apply takes that long. */
#define PROFTOP_BUCKET_LEAST 0
#define PROFTOP_BUCKET_END   34

/* `start` of a token for an untimed call: counts one call more. */
#define PROFTOP_UNTIMED 1u

/* The start of each feed, the same in every version. */
struct proftop_front {
    uint64_t on;     /* 0: the feed is off; else a number unique to the feed, odd if the code here
                        may count, even if only the library may */
    uint32_t layout; /* PROFTOP_LAYOUT of the library */
    uint32_t tick_ns; /* ns per tick, times 1 << PROFTOP_TICK_SHIFT; 0: not known yet, or the feed
                         does not count by stamps, or its library is older */
};

/* The counts of one thread for one apply or function: one cache line, written by that thread alone.
 * Readers compare `sequence` with `calls`. */
struct proftop_slot {
    uint64_t calls;    /* incremented before the others change */
    uint64_t total;    /* of the timed calls. PROFTOP_TIMED: in ticks, else in ns; so are: */
    uint64_t min, max; /* min: UINT64_MAX before the first. PROFTOP_SET: base of calls, of ns */
    uint64_t last;     /* duration of the last timed call. PROFTOP_SET: the last known value */
    uint64_t untimed;  /* calls that were not timed */
    uint64_t aux;      /* apply: address of the buckets; function: start of the open call, or 0;
                          virtual machine: time by the block's clock, beside given time */
    uint32_t sequence; /* low half of `calls` once all is written. PROFTOP_SET: odd in a write */
    uint8_t kind;      /* enum proftop_source plus 1, 0: untouched; from bit 3 on the sampling rate:
                          one of 1 << rate calls is timed */
    uint8_t cold;      /* PROFTOP_COLD_ flags: an added call needs more than the plain path */
    uint8_t stale;     /* min and max precede a reset; set by the feed's thread */
    uint8_t traced;    /* a trace wants an event of each call, which the library makes; same */
};
/* Offset of `kind` and the bytes after it; one load compares them all. */
#define PROFTOP_SLOT_STATE 60
#define PROFTOP_KIND_SOURCE 7u
#define PROFTOP_KIND_SHIFT  3
#define PROFTOP_RATE_NEVER  31 /* not counted at all */
#define PROFTOP_COLD_FIRST   1u /* no call has been counted yet */
#define PROFTOP_COLD_FAR     2u /* PROFTOP_TIMED: min or max is outside the buckets */

/* The counts of one thread for one feed, as far as the code here knows them. */
struct proftop_block {
    uint64_t on;    /* `on` of the feed that owns the block */
    uint64_t now;   /* proftop_now() of the innermost open apply, or 0 */
    uint64_t ended; /* the same of an apply that ended on another thread or out of order */
    /* The interval begun here last: its start, or 0; its slot; its apply. Its end then needs no
     * lookup. The end of the enclosing interval looks up its slot again. */
    uint64_t begun;
    struct proftop_slot *slot;
    uint32_t apply, unused;
    /* proftop_now() of the apply that encloses the interval begun here last, or 0. A nested begin
     * goes to the library, which keeps the list of enclosing intervals. */
    uint64_t within;
    struct proftop_slot *applies[PROFTOP_APPLIES >> PROFTOP_CHUNK_SHIFT];
    /* 1: this apply has a slot, is PROFTOP_TIMED, and each call is timed; else 0. A begin reads
     * this byte and so need not wait for the slot's cache line, which arrives while the apply
     * runs. */
    uint8_t ready[PROFTOP_APPLIES];
};

/* The calling thread's block; NULL: the library has not made one, or the fast path must not
 * count. */
PROFTOP_API struct proftop_block *proftop_block_of(struct proftop *feed);
#if defined(PROFTOP_DYNAMIC)
#define PROFTOP_LAYOUT_CALLS
#include "proftop_calls.h"
#endif

#if defined(__GNUC__)

#define PROFTOP_RARE(condition) __builtin_expect(!!(condition), 0)
#define PROFTOP_INLINE          __attribute__((always_inline, unused)) static inline

/* Keeps a value in a register from here on. Else compilers recompute an address for each use. */
#define PROFTOP_HOLD(value) __asm__("" : "+r"(value))

/* Packs an open interval into one word: its apply, and its start in units of 1024 ticks. One word,
 * because other threads read it while it changes. */
PROFTOP_INLINE uint64_t proftop_now(uint64_t start, uint64_t apply)
{
    return (start << 12 & ~(uint64_t)(PROFTOP_APPLIES - 1)) + apply;
}

/* The top bits of a double hold the octave and its quarter. */
#define PROFTOP_QUARTER_LEAST ((1023 + PROFTOP_BUCKET_LEAST) * 4) /* of 2^PROFTOP_BUCKET_LEAST */
PROFTOP_INLINE uint64_t proftop_quarter(uint64_t duration)
{
    double d = (double)(int64_t)duration;
    uint64_t bits;
    __builtin_memcpy(&bits, &d, sizeof bits);
    return bits >> 50;
}

PROFTOP_INLINE int proftop_has_bucket(uint64_t duration)
{
    return duration >> PROFTOP_BUCKET_END == 0 && duration >> PROFTOP_BUCKET_LEAST != 0;
}

/* Compilers emit needless instructions for these. ThreadSanitizer has to see the plain code. */
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__) && !defined(PROFTOP_SANITIZED)
#define PROFTOP_BY_HAND
#endif

/* Adds to a value that only this thread writes: no locked instruction. */
#if defined(PROFTOP_BY_HAND)
PROFTOP_INLINE void proftop_add32(uint32_t *to, uint32_t more)
{
    if (__builtin_constant_p(more) && more == 1)
        __asm__ volatile("incl %0" : "+m"(*to) : : "cc", "memory");
    else
        __asm__ volatile("addl %1, %0" : "+m"(*to) : "ri"(more) : "cc", "memory");
}
PROFTOP_INLINE void proftop_add64(uint64_t *to, uint64_t more)
{
    __asm__ volatile("addq %1, %0" : "+m"(*to) : "re"(more) : "cc", "memory");
}
#else
PROFTOP_INLINE void proftop_add32(uint32_t *to, uint32_t more)
{
    __atomic_store_n(to, __atomic_load_n(to, __ATOMIC_RELAXED) + more, __ATOMIC_RELEASE);
}
PROFTOP_INLINE void proftop_add64(uint64_t *to, uint64_t more)
{
    __atomic_store_n(to, __atomic_load_n(to, __ATOMIC_RELAXED) + more, __ATOMIC_RELEASE);
}
#endif

/* A run's own time: its duration without the runs inside. Nested runs that ended late, or on
 * another thread, may have taken longer than the run. */
PROFTOP_INLINE uint64_t proftop_own(uint64_t duration, uint64_t inside)
{
    return duration > inside ? duration - inside : 0;
}

/* True if this call is one of the timed calls. The pseudo-random sequence cannot run in step with a
 * program. */
PROFTOP_INLINE int proftop_is_turn(uint64_t calls, uint8_t kind)
{
    return ((uint32_t)calls * 2654435769u | 2u) <= UINT32_MAX >> (kind >> PROFTOP_KIND_SHIFT);
}

/* The same for a function, by another sequence. With one sequence, the applies inside a timed call
 * would all be timed or, if an apply has one call more than the function, never. */
PROFTOP_INLINE int proftop_is_call_turn(uint64_t calls, uint8_t kind)
{
    return ((uint32_t)calls * 3144134277u | 2u) <= UINT32_MAX >> (kind >> PROFTOP_KIND_SHIFT);
}

/* `outer` of the token of an untimed function call: its position in the sequence. */
PROFTOP_INLINE uint64_t proftop_call_place(uint64_t calls, uint8_t kind)
{
    return calls << 8 | kind;
}

/* `token` is that of an untimed call. Returns how many of the next calls are untimed too, at most
 * `most`. The caller may omit their begins, but must then count an end for each of them. */
PROFTOP_INLINE uint32_t proftop_untimed_after(struct proftop_token token, uint32_t most)
{
    uint32_t after = 0;
    while (after < most && !proftop_is_call_turn((token.outer >> 8) + 1 + after,
                                                 (uint8_t)(token.outer & 255)))
        after++;
    return after;
}

/* True if the slot has this source and a call only needs to be added. */
typedef uint32_t __attribute__((may_alias)) proftop_word;
PROFTOP_INLINE int proftop_is_plain(const struct proftop_slot *slot, uint32_t source)
{
    const char *bytes = (const char *)slot + PROFTOP_SLOT_STATE;
    const proftop_word *state = (const proftop_word *)(const void *)bytes;
#if defined(PROFTOP_BY_HAND)
    int is_plain;
    __asm__("cmpl %2, %1" : "=@cce"(is_plain) : "m"(*state), "ri"(source + 1) : "cc");
    return is_plain;
#elif __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return __atomic_load_n(state, __ATOMIC_RELAXED) == source + 1;
#else
    return __atomic_load_n(state, __ATOMIC_RELAXED) == (source + 1) << 24;
#endif
}

/* True if slots of this kind are timed here, every call or some. */
PROFTOP_INLINE int proftop_is_timed(uint8_t kind)
{
    return (kind & PROFTOP_KIND_SOURCE) == PROFTOP_TIMED + 1 &&
           kind >> PROFTOP_KIND_SHIFT != PROFTOP_RATE_NEVER;
}

/* True if a begin may read the clock without looking at the slot. */
PROFTOP_INLINE int proftop_is_ready(const uint8_t *ready)
{
#if defined(PROFTOP_BY_HAND)
    int is_ready;
    __asm__("cmpb $1, %1" : "=@cce"(is_ready) : "m"(*ready) : "cc");
    return is_ready;
#else
    return __atomic_load_n(ready, __ATOMIC_RELAXED) == 1;
#endif
}

/* Adds one timed call to a plain slot, and one to the bucket of `counted`. 0: the duration has no
 * bucket, and nothing was added. Both extremes of a plain timed slot have buckets, so only a new
 * extreme can lack one. `calls` is incremented first; `sequence`, its low half, last. The bucket is
 * stored late: in back-to-back calls its counter has just been stored, and in front of the other
 * stores some processors wait two to three times as long for it. */
PROFTOP_INLINE int proftop_count(struct proftop_slot *slot, uint64_t duration, uint64_t counted)
{
    const uint64_t quarter = proftop_quarter(counted);
    if (PROFTOP_RARE(duration > slot->max) || PROFTOP_RARE(duration < slot->min)) {
        if (!proftop_has_bucket(duration))
            return 0;
        proftop_add64(&slot->calls, 1);
        if (duration > slot->max)
            __atomic_store_n(&slot->max, duration, __ATOMIC_RELEASE);
        if (duration < slot->min)
            __atomic_store_n(&slot->min, duration, __ATOMIC_RELEASE);
    } else
        proftop_add64(&slot->calls, 1);
    proftop_add64(&slot->total, duration);
    __atomic_store_n(&slot->last, duration, __ATOMIC_RELEASE);
    proftop_add32((uint32_t *)(uintptr_t)(slot->aux + (quarter - PROFTOP_QUARTER_LEAST) * 4),
                  1);
    proftop_add32(&slot->sequence, 1);
    return 1;
}

/* A timed duration is counted one call later, so that the address of its bucket does not wait for
 * the clock. A given duration is counted at once: it is known, and would have to be read back
 * later. */
PROFTOP_INLINE int proftop_count_timed(struct proftop_slot *slot, uint64_t duration)
{
    return proftop_count(slot, duration, slot->last);
}

PROFTOP_INLINE int proftop_count_given(struct proftop_slot *slot, uint64_t duration)
{
    return PROFTOP_RARE(!proftop_has_bucket(duration)) ? 0
                                                       : proftop_count(slot, duration, duration);
}

#endif

#ifdef __cplusplus
}
#endif
#endif

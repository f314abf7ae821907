/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * proftop_layout.h: the memory that the library and the code of proftop_inline.h share, and how a
 * call is counted in it. Included by proftop.h; nothing here is called by programs.
 */
#if !defined(PROFTOP_H)
#include "proftop.h" /* which includes this file where its types are known */
#elif !defined(PROFTOP_LAYOUT_H) && !defined(PROFTOP_OFF)
#define PROFTOP_LAYOUT_H

#ifdef __cplusplus
extern "C" {
#endif

#define PROFTOP_LAYOUT      5u
#define PROFTOP_CHUNK_SHIFT 10 /* slots that are mapped at once, as a power of 2 */
#define PROFTOP_APPLIES     (1u << 22)
#define PROFTOP_TICK_SHIFT  31

/* A duration is counted in one of 4 buckets an octave, here from 1 to 2^34 ticks. The library
 * counts longer ones, apart, so that what is never that long has no memory for it. Of two stamps
 * that run into one another some processors make the second greater by 1: an empty apply takes so
 * long. */
#define PROFTOP_BUCKET_LEAST 0
#define PROFTOP_BUCKET_END   34

/* A token that begins with it: one more call, of which the time is not taken. */
#define PROFTOP_UNTIMED 1u

/* How each feed begins, in every version. */
struct proftop_front {
    uint64_t on;     /* 0: it is off; else a number that no other feed has, odd if the code here may
                        count, even if the library alone may */
    uint32_t layout; /* PROFTOP_LAYOUT of the library */
    uint32_t tick_ns; /* ns of a time stamp, times 1 << PROFTOP_TICK_SHIFT; 0: not known yet, or the
                         feed does not count by stamps, or its library is older */
};

/* What one thread has counted of one apply or function: one cache line, written by that thread
 * alone. Those who read it compare `sequence` with `calls`. */
struct proftop_slot {
    uint64_t calls;    /* goes up before the others change */
    uint64_t total;    /* of the timed calls; PROFTOP_TIMED: in ticks, else in ns; so are: */
    uint64_t min, max; /* min: UINT64_MAX before the first. PROFTOP_SET: base of calls, of ns */
    uint64_t last;     /* duration of the last timed call. PROFTOP_SET: what is known */
    uint64_t untimed;  /* calls that were not timed */
    uint64_t aux;      /* apply: address of the buckets; function: a call is open since, or 0; its
                          machine: time by the block's clock, beside what was given */
    uint32_t sequence; /* low half of `calls` once all is written. PROFTOP_SET: odd while written */
    uint8_t kind;      /* enum proftop_source plus 1, 0: untouched; from bit 3 on the sampling rate:
                          one of 1 << rate calls is timed */
    uint8_t cold;      /* a call needs more than to be added: PROFTOP_COLD_ */
    uint8_t stale;     /* min and max are of the time before a reset; set by the feed's thread */
    uint8_t unused;
};
/* Offset of `kind` and what follows it, which one load can compare. */
#define PROFTOP_SLOT_STATE 60
#define PROFTOP_KIND_SOURCE 7u
#define PROFTOP_KIND_SHIFT  3
#define PROFTOP_RATE_NEVER  31 /* not counted at all */
#define PROFTOP_COLD_FIRST 1u /* there was none yet */
#define PROFTOP_COLD_FAR   2u /* PROFTOP_TIMED: min or max is outside of the buckets */

/* What one thread counts of one feed, as far as the code here knows it. */
struct proftop_block {
    uint64_t on;    /* `on` of the feed that it was made for */
    uint64_t now;   /* proftop_now() of the innermost open apply, or 0 */
    uint64_t ended; /* the same of one that ended on another thread or out of order */
    /* What was begun here last, so that its end need not look for it: when, or 0; its slot; its id.
     * The end of what encloses it looks for its slot again. */
    uint64_t begun;
    struct proftop_slot *slot;
    uint32_t apply, unused;
    /* proftop_now() of the apply that encloses what was begun here last, or 0. A begin inside
     * another one goes to the library, which keeps the list of those that enclose. */
    uint64_t within;
    struct proftop_slot *applies[PROFTOP_APPLIES >> PROFTOP_CHUNK_SHIFT];
    /* 1: this apply has a slot, is PROFTOP_TIMED, and each call is timed; else 0. A begin asks for
     * it, and so need not wait for the slot, whose line comes while the apply runs. */
    uint8_t ready[PROFTOP_APPLIES];
};

/* The calling thread's block; NULL: the library has not made one, or the code here shall not
 * count. */
PROFTOP_FN(struct proftop_block *, NULL, proftop_block_of, (struct proftop *feed), (feed));

#if defined(__GNUC__)

#define PROFTOP_RARE(condition) __builtin_expect(!!(condition), 0)
#define PROFTOP_INLINE          __attribute__((always_inline, unused)) static inline

/* Has a value in a register from here on. Else compilers compute an address again for each use. */
#define PROFTOP_HOLD(value) __asm__("" : "+r"(value))

/* Of an open interval: its apply, and when it began in units of 1024 ticks. One word, since it is
 * read while it changes. */
PROFTOP_INLINE uint64_t proftop_now(uint64_t start, uint64_t apply)
{
    return (start << 12 & ~(uint64_t)(PROFTOP_APPLIES - 1)) + apply;
}

/* A double has the octave and its quarter in its first bits. */
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

/* Compilers make of these more instructions than they need. ThreadSanitizer has to see them. */
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__) && !defined(PROFTOP_SANITIZED)
#define PROFTOP_BY_HAND
#endif

/* Adds to what this thread alone writes: no locked instruction. */
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

/* Whether this call is one of those that are timed: a sequence that keeps no step with any
 * program. */
PROFTOP_INLINE int proftop_is_turn(uint64_t calls, uint8_t kind)
{
    return ((uint32_t)calls * 2654435769u | 2u) <= UINT32_MAX >> (kind >> PROFTOP_KIND_SHIFT);
}

/* The same of a function, by another sequence: else of the applies inside a timed call either all
 * would be timed or, if one has been called once more than the function, never that one. */
PROFTOP_INLINE int proftop_is_call_turn(uint64_t calls, uint8_t kind)
{
    return ((uint32_t)calls * 3144134277u | 2u) <= UINT32_MAX >> (kind >> PROFTOP_KIND_SHIFT);
}

/* What an untimed call of a function has as `outer` of its token: where in that sequence it is. */
PROFTOP_INLINE uint64_t proftop_call_place(uint64_t calls, uint8_t kind)
{
    return calls << 8 | kind;
}

/* How many calls of the function that follow this untimed one are not timed either, at most `most`:
 * they need not be begun, if as many are ended in the end. */
PROFTOP_INLINE uint32_t proftop_untimed_after(struct proftop_token token, uint32_t most)
{
    uint32_t after = 0;
    while (after < most && !proftop_is_call_turn((token.outer >> 8) + 1 + after,
                                                 (uint8_t)(token.outer & 255)))
        after++;
    return after;
}

/* Whether a slot is of this source, and a call needs no more than to be added. */
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

/* Whether a slot of this kind is timed here, each call or some. */
PROFTOP_INLINE int proftop_is_timed(uint8_t kind)
{
    return (kind & PROFTOP_KIND_SOURCE) == PROFTOP_TIMED + 1 &&
           kind >> PROFTOP_KIND_SHIFT != PROFTOP_RATE_NEVER;
}

/* Whether a begin may take the time without a look at the slot. */
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

/* Adds one timed call of a plain slot, and one to the bucket of `counted`. 0: the duration is in no
 * bucket, nothing was added. The extremes of a plain slot that is timed are in buckets, so only a
 * new one can be in none. `calls` goes up before all else, `sequence`, the low half of it, after.
 * The bucket stands late: where one call runs into the next, its counter has just been stored, and
 * before the others some processors wait two to three times as long for it. */
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

/* What was timed is counted one call later: the address of its bucket does not wait for the clock.
 * What is given is known, and one later it would have to be read back. */
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

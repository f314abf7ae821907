/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * proftop_inline.h: the inlined fast path of begin, end and record. Included by proftop.h; programs
 * call nothing here.
 *
 * The fast path covers only this case: the feed is on and counts by the processor's time stamps,
 * this thread has touched the apply before, and intervals end in order. In all other cases it calls
 * the library, which is always correct. So a header older than the library works: the feed states
 * the layout of its memory, and if that is not PROFTOP_LAYOUT, the fast path touches nothing.
 */
#if !defined(PROFTOP_H)
#include "proftop.h" /* proftop.h includes this file once its types are defined */
#elif !defined(PROFTOP_INLINE_H) && !defined(PROFTOP_OFF)
#define PROFTOP_INLINE_H

#include "proftop_layout.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) && defined(__x86_64__) && defined(__ELF__)

/* Per-thread cache: the block of the feed that this thread counted for last. */
struct proftop_cache {
    uint64_t on; /* no feed has the number 1 */
    struct proftop_block *block;
};
/* One instance for all files linked into a program or library. The C library reserves enough static
 * TLS for some hundred libraries loaded later. */
extern __thread struct proftop_cache proftop_cache
    __attribute__((visibility("hidden"), tls_model("initial-exec")));
#ifdef __clang__ /* with LTO, clang's linkers lose symbols defined in assembly */
__attribute__((selectany)) __thread struct proftop_cache proftop_cache = {1, NULL};
#else            /* gcc has no attribute for it */
__asm__(".ifndef proftop_cache\n" /* with LTO all files are one, hence .ifndef */
        ".pushsection .tdata.proftop_cache, \"awGT\", @progbits, proftop_cache, comdat\n"
        ".balign 8\n"
        ".weak proftop_cache\n"
        ".hidden proftop_cache\n"
        ".type proftop_cache, @object\n"
        ".size proftop_cache, 16\n"
        "proftop_cache: .quad 1, 0\n"
        ".popsection\n"
        ".endif\n");
#endif

/* Slow path: refreshes the per-thread cache. Needed when the thread counts for another feed. */
__attribute__((noinline, cold, unused)) static void proftop_refresh_cache(struct proftop *feed)
{
    const struct proftop_front *front = (const struct proftop_front *)feed;
    uint64_t on = __atomic_load_n(&front->on, __ATOMIC_ACQUIRE);
    struct proftop_block *block;
    if (on == proftop_cache.on || on % 2 == 0 || front->layout != PROFTOP_LAYOUT)
        return;
    block = proftop_block_of(feed);
    if (block == NULL || block->on != on)
        return;
    proftop_cache.on = on;
    proftop_cache.block = block;
}

/* True if the cached block is this thread's block of the feed, and `id` is in range. The feed is
 * not NULL. Sets `off` to whether nothing is counted. */
PROFTOP_INLINE int proftop_is_here(const struct proftop *feed, uint64_t id, int *off)
{
    uint64_t on = __atomic_load_n(&((const struct proftop_front *)feed)->on, __ATOMIC_ACQUIRE);
    *off = on == 0;
    if (on == 0 || on != proftop_cache.on)
        return 0;
    return PROFTOP_RARE(id >= PROFTOP_APPLIES) ? 0 : 1;
}

/* Does the work of proftop_begin(). 0: nothing was done. */
PROFTOP_INLINE int proftop_try_begin(struct proftop *feed, proftop_id apply,
                                     struct proftop_token *token)
{
    const uint64_t id = apply;
    struct proftop_slot *slot;
    struct proftop_block *block;
    uint64_t start, outer;
    int off = 1;
    token->start = token->outer = 0;
    if (feed == NULL || !proftop_is_here(feed, id, &off))
        return off;
    block = proftop_cache.block;
    if (PROFTOP_RARE(!proftop_is_ready(&block->ready[id]))) {
        uint64_t rare = id;
        uint8_t kind;
        PROFTOP_HOLD(rare); /* keeps gcc from hoisting the common part of both paths */
        slot = block->applies[rare >> PROFTOP_CHUNK_SHIFT];
        if (slot == NULL)
            return 0;
        slot += rare % (1u << PROFTOP_CHUNK_SHIFT);
        kind = __atomic_load_n(&slot->kind, __ATOMIC_RELAXED);
        if ((kind & PROFTOP_KIND_SOURCE) != PROFTOP_TIMED + 1)
            return 0;
        if (kind >> PROFTOP_KIND_SHIFT == PROFTOP_RATE_NEVER)
            return 1;
        if (!proftop_is_turn(slot->calls, kind)) {
            token->start = PROFTOP_UNTIMED;
            PROFTOP_PROBE(node__begin, apply, feed);
            return 1;
        }
    }
    slot = block->applies[id >> PROFTOP_CHUNK_SHIFT] + id % (1u << PROFTOP_CHUNK_SHIFT);
    PROFTOP_HOLD(slot);
    __builtin_prefetch(slot);
    outer = block->now;
    if (PROFTOP_RARE(outer != block->within))
        return 0;
    block->slot = slot;
    block->apply = apply;
    start = __builtin_ia32_rdtsc();
    /* Keeps gcc 12 from using vector registers for the pair of integers. */
    __asm__("" : "+r"(outer), "+r"(start));
    if (start <= PROFTOP_UNTIMED) /* lets an end in the same function drop its check */
        __builtin_unreachable();
    token->start = start;
    token->outer = outer;
    block->begun = start;
    __atomic_store_n(&block->now, proftop_now(start, id), __ATOMIC_RELEASE);
    PROFTOP_PROBE(node__begin, apply, feed);
    return 1;
}

/* As proftop_is_plain(), for a slot with untimed calls. Beside the source, the state word may hold
 * only the sampling rate. */
PROFTOP_INLINE int proftop_is_sampled(const struct proftop_slot *slot)
{
    const uint32_t rate = PROFTOP_RATE_NEVER << PROFTOP_KIND_SHIFT;
    const void *state;
#if !defined(__clang__)
    PROFTOP_HOLD(slot); /* as in proftop_try_begin(); clang would only use one register more */
#endif
    state = (const char *)slot + PROFTOP_SLOT_STATE;
    /* Loaded twice, because one load needs a register more than there is. */
    return (__atomic_load_n((const proftop_word *)state, __ATOMIC_RELAXED) & ~rate) ==
               PROFTOP_TIMED + 1 &&
           (__atomic_load_n((const proftop_word *)state, __ATOMIC_RELAXED) & rate) != rate;
}

/* Counts untimed calls, which need no clock. 0: nothing was done. */
PROFTOP_INLINE int proftop_try_untimed(const struct proftop *feed, proftop_id apply,
                                       uint64_t calls)
{
    struct proftop_slot *slot;
    if (feed == NULL || apply >= PROFTOP_APPLIES ||
        __atomic_load_n(&((const struct proftop_front *)feed)->on, __ATOMIC_ACQUIRE) !=
            proftop_cache.on)
        return 0;
    slot = proftop_cache.block->applies[apply >> PROFTOP_CHUNK_SHIFT];
    if (slot == NULL)
        return 0;
    slot += apply % (1u << PROFTOP_CHUNK_SHIFT);
    if (!proftop_is_timed(__atomic_load_n(&slot->kind, __ATOMIC_RELAXED)))
        return 0;
    PROFTOP_PROBE(node__end, apply, feed);
    proftop_add64(&slot->calls, calls);
    proftop_add64(&slot->untimed, calls);
    proftop_add32(&slot->sequence, (uint32_t)calls);
    return 1;
}

/* Does the work of proftop_end(), and of proftop_end_nested(). `inside`: time of nested runs, to be
 * left out. `*whole`: the time with them. 0: nothing was done. */
PROFTOP_INLINE int proftop_try_end_nested(struct proftop *feed, proftop_id apply,
                                          struct proftop_token token, uint64_t inside,
                                          uint64_t *whole)
{
    struct proftop_slot *slot;
    struct proftop_block *block;
    uint64_t duration;
    *whole = 0;
    if (PROFTOP_RARE(token.start <= PROFTOP_UNTIMED || feed == NULL))
        return token.start == 0 || feed == NULL || proftop_try_untimed(feed, apply, 1);
    /* Everything known beforehand is looked up before the clock is read. Some processors read the
     * clock only after all earlier instructions; these then run while the apply runs. */
    if (PROFTOP_RARE(__atomic_load_n(&((const struct proftop_front *)feed)->on,
                                     __ATOMIC_ACQUIRE) != proftop_cache.on))
        return 0;
    block = proftop_cache.block;
    slot = block->slot;
    __asm__ volatile("" : "+r"(slot)); /* PROFTOP_HOLD, but volatile: stays before the clock */
    duration = __builtin_ia32_rdtsc() - token.start;
    /* This check waits for the begin's stores after its stamp. So it follows this stamp. */
    if (PROFTOP_RARE(block->begun != token.start || block->apply != apply)) {
        /* Another interval began and ended inside this one: this one is innermost again. */
        uint64_t id = apply % PROFTOP_APPLIES;
        slot = block->applies[id >> PROFTOP_CHUNK_SHIFT];
        if (block->now != proftop_now(token.start, apply) || slot == NULL)
            return 0;
        slot += id % (1u << PROFTOP_CHUNK_SHIFT);
        block->begun = 0; /* an inner interval may end once more, but not become current */
    }
    if (PROFTOP_RARE(!proftop_is_plain(slot, PROFTOP_TIMED)) &&
        PROFTOP_RARE(!proftop_is_sampled(slot)))
        return 0;
    if (PROFTOP_RARE(!proftop_count_timed(slot, proftop_own(duration, inside))))
        return 0;
    *whole = duration;
    __atomic_store_n(&block->now, token.outer, __ATOMIC_RELEASE);
    PROFTOP_PROBE(node__end, apply, feed);
    return 1;
}

/* Does the work of proftop_end(). 0: nothing was done. */
PROFTOP_INLINE int proftop_try_end(struct proftop *feed, proftop_id apply,
                                   struct proftop_token token)
{
    uint64_t whole;
    return proftop_try_end_nested(feed, apply, token, 0, &whole);
}

/* Does the work of proftop_record(). 0: nothing was done. */
PROFTOP_INLINE int proftop_try_record(struct proftop *feed, proftop_id apply, uint64_t ns)
{
    struct proftop_slot *slot;
    int off = 1;
    if (feed == NULL || !proftop_is_here(feed, apply, &off))
        return off;
    slot = proftop_cache.block->applies[apply >> PROFTOP_CHUNK_SHIFT];
    if (PROFTOP_RARE(slot == NULL))
        return 0;
    slot += apply % (1u << PROFTOP_CHUNK_SHIFT);
    PROFTOP_HOLD(slot);
    return PROFTOP_RARE(!proftop_is_plain(slot, PROFTOP_GIVEN)) ? 0 : proftop_count_given(slot, ns);
}

#if !defined(PROFTOP_PLAIN)
__attribute__((noinline, cold, unused)) static struct proftop_token
proftop_begin_rarely(struct proftop *feed, proftop_id apply)
{
    proftop_refresh_cache(feed);
    return proftop_begin(feed, apply);
}

PROFTOP_INLINE struct proftop_token proftop_begin_here(struct proftop *feed, proftop_id apply)
{
    struct proftop_token token;
    if (PROFTOP_RARE(!proftop_try_begin(feed, apply, &token)))
        return proftop_begin_rarely(feed, apply);
    return token;
}
#define proftop_begin(...) proftop_begin_here(__VA_ARGS__)

PROFTOP_INLINE void proftop_end_here(struct proftop *feed, proftop_id apply,
                                     struct proftop_token token)
{
    if (token.start != 0 && PROFTOP_RARE(!proftop_try_end(feed, apply, token)))
        proftop_end(feed, apply, token);
}
#define proftop_end(...) proftop_end_here(__VA_ARGS__)

PROFTOP_INLINE void proftop_record_here(struct proftop *feed, proftop_id apply, uint64_t ns)
{
    if (PROFTOP_RARE(!proftop_try_record(feed, apply, ns))) {
        proftop_record(feed, apply, ns);
        proftop_refresh_cache(feed);
    }
}
#define proftop_record(...) proftop_record_here(__VA_ARGS__)
#endif

#endif

#ifdef __cplusplus
}
#endif
#endif

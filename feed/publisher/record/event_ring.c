/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * event_ring.c: rings with one writer and one reader. The writer takes the ring out of its block
 * while it writes, and puts it back. So the reader can take a ring away and free it at any time:
 * it gets the ring, or finds that the writer has it. A signal handler that counts amid a write
 * finds no ring, and its event is counted as unkept.
 */
#include "config.h"

#include "feed/publisher/record/event_ring.h"
#include "feed/publisher/record/pages.h"

size_t publisher_event_ring_bytes(uint32_t places)
{
    return sizeof(struct publisher_event_ring) + places * sizeof(struct publisher_traced);
}

void publisher_event_ring_give(struct publisher_core *core, struct publisher_block *block)
{
    struct publisher_tracing *tracing = &core->tracing;
    uint32_t places = tracing->places;
    const uint64_t most = tracing->late ? tracing->left / PUBLISHER_RING_PART : tracing->left;
    while (places > PUBLISHER_RING_LEAST && publisher_event_ring_bytes(places) > most)
        places /= 2;
    const size_t bytes = publisher_event_ring_bytes(places);
    if (!tracing->on || publisher_block_ring(block) != NULL || bytes > tracing->left)
        return;
    struct publisher_event_ring *ring = publisher_map(bytes);
    if (ring == NULL)
        return;
    ring->places = places;
    tracing->left -= bytes;
    atomic_store_explicit(&block->ring, ring, memory_order_release);
    atomic_store_explicit(&block->trace, ring, memory_order_release);
}

bool publisher_event_ring_take(struct publisher_block *block)
{
    struct publisher_event_ring *ring = publisher_block_ring(block);
    if (ring == NULL)
        return true;
    if (atomic_exchange_explicit(&block->trace, NULL, memory_order_acq_rel) == NULL)
        return false;
    atomic_store_explicit(&block->ring, NULL, memory_order_release);
    publisher_event_ring_free(ring);
    return true;
}

void publisher_event_ring_free(struct publisher_event_ring *ring)
{
    if (ring != NULL)
        publisher_unmap(ring, publisher_event_ring_bytes(ring->places));
}

__attribute__((cold, noinline)) void publisher_event_add(struct publisher_block *block,
                                                         enum publisher_traced_kind kind,
                                                         uint32_t id, uint64_t at, uint64_t value)
{
    struct publisher_event_ring *ring =
        atomic_exchange_explicit(&block->trace, NULL, memory_order_acq_rel);
    if (ring == NULL) {
        publisher_increment(&block->unkept);
        return;
    }
    const uint64_t made = atomic_load_explicit(&ring->made, memory_order_relaxed);
    if (made - atomic_load_explicit(&ring->taken, memory_order_acquire) >= ring->places)
        publisher_store(&ring->dropped, publisher_load(&ring->dropped) + 1);
    else {
        ring->event[made % ring->places] = (struct publisher_traced){
            .at = at & ~PUBLISHER_TICKS_NS,
            .value = value,
            .id = id,
            .kind = kind & 0xff,
            .thread_plus_1 =
                atomic_load_explicit(&block->defined, memory_order_relaxed) & 0xffffff};
        atomic_store_explicit(&ring->made, made + 1, memory_order_release);
    }
    atomic_store_explicit(&block->trace, ring, memory_order_release);
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * objects.cc: a job that uses everything in proftop.hpp. With any argument it uses them as
 * members. objects_hpp.py knows the figures.
 */
#include <proftop.hpp>

#include <cstdio>
#include <stdexcept>
#include <thread>
#include <utility>

static void count(const ptop::feed &feed)
{
    ptop::counter rows(feed, "io", "rows", "rows", 2);
    ptop::counter &same = rows += 3;
    same -= 7;
    std::printf("same %d\n", &same == &rows);
    ptop::counter steps(feed, "io", "steps");
    steps.increment();
    steps.increment();
    steps.decrement();
    ptop::counter least(feed, "io", "least", nullptr, -1);
    least.decrement(INT64_MIN);
    ptop::real_counter load(feed, "io", "load", "share", 2);
    load += 1.5;
    load -= 1;
}

static void run(const ptop::feed &feed)
{
    const proftop_id read = ptop::define_task(feed, "io", "read");
    const proftop_id pass = ptop::define_frame(feed, "io", "pass");
    const proftop_id wait = ptop::define_event(feed, "wait");
    for (int i = 0; i < 3; i++) {
        ptop::task task(feed, read);
        ptop::frame frame(feed, pass);
    }
    ptop::event early(feed, wait);
    early.stop();
    early.stop();
    try {
        ptop::task task(feed, read);
        throw std::runtime_error("planned");
    } catch (const std::runtime_error &) {
    }
    ptop::event moved(feed, wait);
    std::thread elsewhere([](ptop::event &&event) { ptop::event here(std::move(event)); },
                          std::move(moved));
    elsewhere.join();
}

static void nest(const ptop::feed &feed)
{
    ptop::memory_scope a(feed, "a");
    try {
        ptop::memory_scope b(feed, "b");
        std::printf("inside %s %s\n", b.name(), proftop_scope(feed.get()));
        throw std::runtime_error("planned");
    } catch (const std::runtime_error &) {
    }
    std::printf("after %s\n", proftop_scope(feed.get()));
    ptop::memory_scope alone(feed, "c", false);
    std::printf("alone %s\n", alone.name());
}

static void allocate(const ptop::feed &feed)
{
    ptop::memory pool(feed, "gpu/0", "storage");
    pool.limit(1000);
    pool.alloc(300);
    pool.alloc(400);
    ptop::memory same = pool;
    same.free(300);
    ptop::memory_scope scope(feed, "net");
    ptop::memory part(feed, "cpu", nullptr, nullptr);
    part.alloc(7);
}

/* Members of an object that is made without a feed, and moved together with its feed. */
struct owner {
    ptop::feed feed;
    ptop::counter made;
    ptop::real_counter share;
    ptop::memory pool;
};

static void use(owner &all)
{
    all.made += 2;
    all.share.set(0.5);
    all.pool.alloc(9);
    all.pool.free(4);
}

static void own()
{
    owner all;
    use(all); /* counts nowhere */
    all.feed = ptop::feed("owner");
    all.made = ptop::counter(all.feed, "own", "made");
    all.share = ptop::real_counter(all.feed, "own", "share");
    all.pool = ptop::memory(all.feed, "own");
    use(all);
    owner other(std::move(all));
    use(other);
    const proftop_id read = ptop::define_task(other.feed, "own", "read");
    ptop::task task(other.feed, read);
    other.feed = ptop::feed();
    use(other); /* closed: counts nowhere again, and the task stops */
}

int main(int count_of_words, char **)
{
    if (count_of_words > 1) {
        own();
        return 0;
    }
    ptop::feed feed("objects");
    allocate(feed);
    count(feed);
    run(feed);
    nest(feed);
    std::printf("out %s\n", proftop_scope(feed.get()));
    return 0;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * scopes.cc: a job that begins and ends its nodes in every way of proftop.hpp. scopes.py knows the
 * counts.
 */
#include <proftop.hpp>

#include <cstdio>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <vector>

static_assert(!std::is_copy_constructible<ptop::feed>::value, "a feed has one owner");
static_assert(std::is_nothrow_move_constructible<ptop::feed>::value, "it can change");
static_assert(std::is_nothrow_move_assignable<ptop::feed>::value, "it can change");
static_assert(!std::is_copy_constructible<ptop::node>::value, "a begin has one end");
static_assert(std::is_nothrow_move_constructible<ptop::node>::value, "elsewhere, if need be");
static_assert(!std::is_move_assignable<ptop::node>::value, "a begin cannot take another's place");
static_assert(!std::is_move_constructible<ptop::compilation>::value, "belongs to its thread");

static proftop_id define(const ptop::feed &feed, proftop_id function, const char *name)
{
    static uint32_t index;
    return feed.apply(function, feed.op(feed.op_class("Scope"), name), index++, name);
}

static ptop::node begin(const ptop::feed &feed, proftop_id apply)
{
    return ptop::node(feed, apply);
}

/* Begins a node during stack unwinding, and ends it normally. */
struct at_unwinding {
    const ptop::feed &feed;
    proftop_id apply;
    ~at_unwinding()
    {
        ptop::node node(feed, apply);
    }
};

static void run(const ptop::feed &feed, proftop_id step)
{
    const proftop_id plain = define(feed, step, "plain"), thrown = define(feed, step, "thrown");
    const proftop_id early = define(feed, step, "early"), failed = define(feed, step, "failed");
    const proftop_id moved = define(feed, step, "moved"), unwound = define(feed, step, "unwound");
    const proftop_id passed = define(feed, step, "passed");
    for (int i = 0; i < 10; i++) {
        ptop::call call(feed, step);
        ptop::node node(feed, plain);
    }
    for (int i = 0; i < 10; i++) {
        try {
            ptop::call call(feed, step);
            ptop::node node(feed, thrown);
            if (i % 2 == 1)
                throw std::runtime_error("planned");
        } catch (const std::runtime_error &) {
        }
    }
    ptop::node first(feed, early);
    first.end();
    first.end();
    first.fail();
    ptop::node second(feed, failed);
    second.fail();
    second.end();
    {
        ptop::node node = begin(feed, moved);
        ptop::node taken(std::move(node));
    }
    try {
        at_unwinding last = {feed, unwound};
        throw std::runtime_error("planned");
    } catch (const std::runtime_error &) {
    }
    std::vector<std::thread> threads;
    threads.emplace_back([](ptop::node &&node) { ptop::node here(std::move(node)); },
                         begin(feed, passed));
    threads[0].join();
}

int main()
{
    ptop::feed none;
    ptop::node of_none(none, 0);
    ptop::feed opened("scopes", "C++");
    ptop::feed feed(std::move(opened));
    const proftop_id step = feed.function("step", __FILE__, __LINE__);
    {
        ptop::compilation compilation(feed, step);
    }
    run(feed, step);
    std::printf("none %d\nopened %d\nfeed %d\nreason %s\n", none.is_on(), opened.is_on(),
                feed.is_on(), feed.reason());
    std::printf("nothing %s\n", none.reason());
    none = std::move(feed);
    std::printf("taken %d\nleft %d\n", none.is_on(), feed.is_on());
}

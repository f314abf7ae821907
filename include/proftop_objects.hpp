/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * proftop_objects.hpp: proftop_objects.h for C++11 and later: counters with operators, memory, and
 * spans and scopes that end with their block, also on an exception.
 *
 *     ptop::feed feed("engine");
 *     ptop::counter rows(feed, "io", "rows", "rows", 0);
 *     const proftop_id read = ptop::define_task(feed, "io", "read");
 *     {
 *         ptop::task running(feed, read);
 *         ptop::memory_scope scope(feed, "net");
 *         rows += read_some();
 *     }
 *
 * As in proftop.hpp, nothing throws, and all of it works in each form. Objects made from a feed
 * stay valid when the feed is moved, and do nothing once it is closed.
 */
#ifndef PROFTOP_OBJECTS_HPP
#define PROFTOP_OBJECTS_HPP

#include "proftop.hpp"
#include "proftop_objects.h"

#if __cplusplus >= 201703L
#define PROFTOP_KEEP [[nodiscard]]
#else
#define PROFTOP_KEEP
#endif

namespace ptop
{
inline namespace PROFTOP_FORM
{

/* Definitions; equal ones give the same id. */
inline proftop_id define_task(const feed &on, const char *domain, const char *name) noexcept
{
    return proftop_task(on.get(), proftop_domain(on.get(), domain), name);
}

inline proftop_id define_frame(const feed &on, const char *domain, const char *name) noexcept
{
    return proftop_frame(on.get(), proftop_domain(on.get(), domain), name);
}

inline proftop_id define_event(const feed &on, const char *name) noexcept
{
    return proftop_event(on.get(), name);
}

/* A counter of whole numbers. A copy is the same counter. Default-constructed: no counter. */
class counter
{
  public:
    counter() noexcept = default;
    counter(const feed &on, const char *domain, const char *name,
            const char *unit = nullptr) noexcept
        : feed_(on.get()), id_(proftop_counter(feed_, proftop_domain(feed_, domain), name, unit))
    {
    }

    /* With a first value. */
    counter(const feed &on, const char *domain, const char *name, const char *unit,
            int64_t first) noexcept
        : counter(on, domain, name, unit)
    {
        set(first);
    }

    void set(int64_t value) const noexcept
    {
        proftop_counter_set(feed_, id_, value);
    }

    void increment(int64_t delta = 1) const noexcept
    {
        proftop_counter_add(feed_, id_, delta);
    }

    void decrement(int64_t delta = 1) const noexcept
    {
        if (delta == INT64_MIN) { /* INT64_MIN has no negative: two updates */
            proftop_counter_add(feed_, id_, INT64_MAX);
            delta = -1;
        }
        proftop_counter_add(feed_, id_, -delta);
    }

    counter &operator+=(int64_t delta) noexcept
    {
        increment(delta);
        return *this;
    }

    counter &operator-=(int64_t delta) noexcept
    {
        decrement(delta);
        return *this;
    }

    proftop_id id() const noexcept
    {
        return id_;
    }

  private:
    proftop *feed_ = nullptr;
    proftop_id id_ = PROFTOP_NONE;
};

/* A counter of doubles. */
class real_counter
{
  public:
    real_counter() noexcept = default;
    real_counter(const feed &on, const char *domain, const char *name,
                 const char *unit = nullptr) noexcept
        : feed_(on.get()),
          id_(proftop_counter_f64(feed_, proftop_domain(feed_, domain), name, unit))
    {
    }

    real_counter(const feed &on, const char *domain, const char *name, const char *unit,
                 double first) noexcept
        : real_counter(on, domain, name, unit)
    {
        set(first);
    }

    void set(double value) const noexcept
    {
        proftop_counter_set_f64(feed_, id_, value);
    }

    real_counter &operator+=(double delta) noexcept
    {
        proftop_counter_add_f64(feed_, id_, delta);
        return *this;
    }

    real_counter &operator-=(double delta) noexcept
    {
        proftop_counter_add_f64(feed_, id_, -delta);
        return *this;
    }

    proftop_id id() const noexcept
    {
        return id_;
    }

  private:
    proftop *feed_ = nullptr;
    proftop_id id_ = PROFTOP_NONE;
};

struct of_task {
    static proftop_run start(proftop *on, proftop_id id) noexcept
    {
        return proftop_task_start(on, id);
    }
    static void stop(proftop *on, proftop_run run) noexcept
    {
        proftop_task_stop(on, run);
    }
};

struct of_frame {
    static proftop_run start(proftop *on, proftop_id id) noexcept
    {
        return proftop_frame_start(on, id);
    }
    static void stop(proftop *on, proftop_run run) noexcept
    {
        proftop_frame_stop(on, run);
    }
};

struct of_event {
    static proftop_run start(proftop *on, proftop_id id) noexcept
    {
        return proftop_event_start(on, id);
    }
    static void stop(proftop *on, proftop_run run) noexcept
    {
        proftop_event_stop(on, run);
    }
};

/* One run of a span. It is counted even if an exception ends it. */
template <class Of> class span
{
  public:
    PROFTOP_KEEP span(const feed &on, proftop_id id) noexcept
        : feed_(on.get()), run_(Of::start(feed_, id))
    {
    }

    ~span()
    {
        stop();
    }

    /* Ends it now. Later stops do nothing. */
    void stop() noexcept
    {
        if (run_.start != 0)
            Of::stop(feed_, run_);
        run_ = proftop_no_run();
    }

    /* The moved-from span has ended. Another thread may stop the new one. */
    span(span &&from) noexcept : feed_(from.feed_), run_(from.run_)
    {
        from.run_ = proftop_no_run();
    }

    span(const span &) = delete;
    span &operator=(const span &) = delete;

  private:
    proftop *feed_;
    proftop_run run_;
};

using task = span<of_task>;
using frame = span<of_frame>;
using event = span<of_event>;

/* Memory of a device in one of its pools, in a scope; "" is the pool as a whole, NULL the calling
 * thread's scope at construction. A copy is the same memory; default-constructed: no memory. */
class memory
{
  public:
    memory() noexcept = default;
    memory(const feed &on, const char *device, const char *pool = nullptr,
           const char *scope = "") noexcept
        : feed_(on.get()), id_(proftop_memory(feed_, device, pool, scope))
    {
    }

    void alloc(uint64_t bytes) const noexcept
    {
        proftop_memory_alloc(feed_, id_, bytes);
    }

    void free(uint64_t bytes) const noexcept
    {
        proftop_memory_free(feed_, id_, bytes);
    }

    void limit(uint64_t bytes) const noexcept
    {
        proftop_memory_limit(feed_, id_, bytes);
    }

    proftop_id id() const noexcept
    {
        return id_;
    }

  private:
    proftop *feed_ = nullptr;
    proftop_id id_ = PROFTOP_NONE;
};

/* A memory scope of this thread, until the end of the block. */
class memory_scope
{
  public:
    PROFTOP_KEEP memory_scope(const feed &on, const char *name, bool append = true) noexcept
        : feed_(on.get()), name_(proftop_scope_push(feed_, name, append ? 1 : 0))
    {
    }

    ~memory_scope()
    {
        proftop_scope_pop(feed_);
    }

    /* The full name. */
    const char *name() const noexcept
    {
        return name_;
    }

    memory_scope(const memory_scope &) = delete;
    memory_scope &operator=(const memory_scope &) = delete;

  private:
    proftop *feed_;
    const char *name_;
};

} // namespace PROFTOP_FORM
} // namespace ptop

#undef PROFTOP_KEEP
#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * proftop.hpp: the calls of proftop.h and proftop_objects.h for C++11 and later: counters with
 * operators, and objects that end their intervals with their block, also on an exception.
 *
 *     ptop::feed feed("engine");
 *     const proftop_id step = feed.function("step");
 *     const proftop_id add = feed.apply(step, feed.op(feed.op_class("Elemwise"), "add"), 0);
 *     ptop::counter rows(feed, "io", "rows", "rows", 0);
 *     for (...) {
 *         ptop::call call(feed, step);
 *         ptop::node node(feed, add);
 *         rows += run_add();
 *     }
 *
 * The namespace is ptop because proftop is the name of the C struct. All rules of proftop.h hold,
 * its functions take feed.get(), and PROFTOP_DYNAMIC and PROFTOP_OFF work as they do there. Nothing
 * here throws. Only the called functions of proftop.h allocate. Objects made from a feed stay valid
 * when the feed is moved, and do nothing once it is closed.
 */
#ifndef PROFTOP_HPP
#define PROFTOP_HPP

#include "proftop_adapter.h"
#include "proftop_objects.h"

#include <exception>
#include <utility>

/* A scope object that is not stored in a variable would end in the same line. */
#if __cplusplus >= 201703L
#define PROFTOP_KEEP [[nodiscard]]
#else
#define PROFTOP_KEEP
#endif

namespace ptop
{
/* Different forms have different classes, so that files of one program may use different forms. */
inline namespace PROFTOP_FORM
{

/* A struct of proftop.h, zeroed, with its size: auto info = ptop::sized<proftop_apply_info>(); */
template <class Struct> Struct sized() noexcept
{
    Struct made = Struct();
    made.size = sizeof made;
    return made;
}

/* An open feed, closed by its destructor. Can be moved, not copied. A moved-from or
 * default-constructed feed is off. */
class feed
{
  public:
    /* No feed: every use of it does nothing. */
    feed() noexcept : feed_(nullptr), opened_(false)
    {
    }

    /* proftop_open(): may wait under `proftop run`. `program` NULL: the process name from the
     * kernel. `flags`: PROFTOP_IF_ASKED, or 0 to publish always. */
    explicit feed(const char *program, const char *framework = nullptr,
                  const char *framework_version = nullptr, unsigned flags = 0) noexcept
    {
        proftop_options options = sized<proftop_options>();
        options.program = program;
        options.framework = framework;
        options.framework_version = framework_version;
        options.flags = flags;
        feed_ = proftop_open(&options);
    }

    explicit feed(const proftop_options &options) noexcept : feed_(proftop_open(&options))
    {
    }

    /* proftop_close(): within 50 ms, under `proftop run` within 2 s. */
    ~feed()
    {
        proftop_close(feed_);
    }

    feed(feed &&from) noexcept : feed_(from.feed_), opened_(from.opened_)
    {
        from.feed_ = nullptr;
    }

    feed &operator=(feed &&from) noexcept
    {
        feed taken(std::move(from));
        std::swap(feed_, taken.feed_);
        opened_ = taken.opened_;
        return *this;
    }

    feed(const feed &) = delete;
    feed &operator=(const feed &) = delete;

    /* For the functions of proftop.h. This object keeps ownership. */
    proftop *get() const noexcept
    {
        return feed_;
    }

    bool is_on() const noexcept
    {
        return proftop_is_on(feed_) != 0;
    }

    /* Why the feed is off, or "". Valid as long as the feed is. */
    const char *reason() const noexcept
    {
        return opened_ ? proftop_reason(feed_) : "there is no feed";
    }

    /* Definitions, once each; PROFTOP_NONE on failure. Texts are copied. */
    proftop_id op_class(const char *name) const noexcept
    {
        return proftop_class(feed_, name);
    }

    proftop_id op(proftop_id of_class, const char *text) const noexcept
    {
        return proftop_op(feed_, of_class, text);
    }

    proftop_id function(const proftop_function_info &info) const noexcept
    {
        return proftop_function(feed_, &info);
    }

    /* A root function. ptop::call times its calls. */
    proftop_id function(const char *name, const char *file = nullptr,
                        uint32_t line = 0) const noexcept
    {
        proftop_function_info info = sized<proftop_function_info>();
        info.name = name;
        info.file = file;
        info.line = line;
        return function(info);
    }

    proftop_id apply(const proftop_apply_info &info) const noexcept
    {
        return proftop_apply(feed_, &info);
    }

    /* A node, timed by ptop::node. `index`: its place in the order of execution; `text`: the op
     * with its inputs, NULL: the op's text. */
    proftop_id apply(proftop_id of_function, proftop_id of_op, uint32_t index,
                     const char *text = nullptr) const noexcept
    {
        proftop_apply_info info = sized<proftop_apply_info>();
        info.function = of_function;
        info.op = of_op;
        info.index = index;
        info.text = text;
        return apply(info);
    }

  private:
    proftop *feed_;
    bool opened_ = true; /* an open was tried: with PROFTOP_DYNAMIC a NULL feed then has a reason */
};

/* The number of uncaught exceptions on this thread. C++11 and 14 know only whether there is one.
 * There, a scope begun during an exception counts as ended even if a second exception ends it. */
inline int exceptions() noexcept
{
#if !defined(__cpp_exceptions) && !defined(__EXCEPTIONS)
    return 0;
#elif __cplusplus >= 201703L
    return std::uncaught_exceptions();
#else
    return std::uncaught_exception() ? 1 : 0;
#endif
}

struct of_node {
    static proftop_token begin(proftop *on, proftop_id apply) noexcept
    {
        return proftop_begin(on, apply);
    }
    static void end(proftop *on, proftop_id apply, proftop_token token) noexcept
    {
        proftop_end(on, apply, token);
    }
    static void fail(proftop *on, proftop_id apply, proftop_token token) noexcept
    {
        proftop_fail(on, apply, token);
    }
};

struct of_call {
    static proftop_token begin(proftop *on, proftop_id function) noexcept
    {
        return proftop_call_begin(on, function);
    }
    static void end(proftop *on, proftop_id function, proftop_token token) noexcept
    {
        proftop_call_end(on, function, token);
    }
    static void fail(proftop *on, proftop_id function, proftop_token token) noexcept
    {
        proftop_call_fail(on, function, token);
    }
};

/* Base of ptop::node and ptop::call: a begin, and then one end or fail. */
template <class Of> class scope
{
  public:
    PROFTOP_KEEP scope(const feed &on, proftop_id id) noexcept : scope(on.get(), id)
    {
    }

    PROFTOP_KEEP scope(proftop *on, proftop_id id) noexcept
        : feed_(on), id_(id), token_(Of::begin(on, id)), exceptions_(0)
    {
        if (token_.start == 0)
            feed_ = nullptr; /* nothing was begun, so there is nothing to end */
        else
            exceptions_ = exceptions();
    }

    /* Counted; or not counted, if an exception leaves the scope. */
    ~scope()
    {
        if (feed_ == nullptr)
            return;
        if (exceptions() > exceptions_)
            fail();
        else
            end();
    }

    /* Ends it now, counted. Later ends do nothing. */
    void end() noexcept
    {
        Of::end(feed_, id_, token_);
        feed_ = nullptr;
    }

    /* Ends it now, not counted: the run failed. */
    void fail() noexcept
    {
        Of::fail(feed_, id_, token_);
        feed_ = nullptr;
    }

    /* The moved-from scope has ended. The new one may be moved to another thread and ended there,
     * if no exception is uncaught where it is moved. */
    scope(scope &&from) noexcept
        : feed_(from.feed_), id_(from.id_), token_(from.token_), exceptions_(from.exceptions_)
    {
        from.feed_ = nullptr;
    }

    scope(const scope &) = delete;
    scope &operator=(const scope &) = delete;

  private:
    proftop *feed_; /* NULL: ended, or never begun */
    proftop_id id_;
    proftop_token token_;
    int exceptions_;
};

/* One run of an apply: ptop::node node(feed, add); */
using node = scope<of_node>;

/* One call of a function: ptop::call call(feed, step); */
using call = scope<of_call>;

/* The compilation of a function, from here to the end of the scope. Does not nest per function. */
class compilation
{
  public:
    PROFTOP_KEEP compilation(const feed &on, proftop_id function) noexcept
        : feed_(on.get()), function_(function)
    {
        proftop_compile_begin(feed_, function_);
    }

    ~compilation()
    {
        proftop_compile_end(feed_, function_, nullptr);
    }

    compilation(const compilation &) = delete;
    compilation &operator=(const compilation &) = delete;

  private:
    proftop *feed_;
    proftop_id function_;
};

/* ----------------------------------------------------------------------- counters, spans, memory
 */

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

    counter &operator++() noexcept
    {
        return *this += 1;
    }

    counter &operator--() noexcept
    {
        return *this -= 1;
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

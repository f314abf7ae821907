/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * attach.c: the list of replaced functions of MXNet, the known builds, and attach and detach. */
#include <pthread.h>
#include <stdatomic.h>

#include "adapters/common/ticker.h"
#include "adapters/mxnet/hooks.h"

#define ROW(feature_, kinds_, hook, name)                                                          \
    {.symbol = name, .ours = (void *)hook, .original = (void **)&hook##_original, .kinds = kinds_, \
     .feature = feature_}
#define ENGINE "_ZN5mxnet6engine14ThreadedEngine"
#define NAIVE "_ZN5mxnet6engine11NaiveEngine"
#define PUSH_SYNC "8PushSyncESt8functionIFvNS_10RunContextEEENS_7ContextERKSt6vectorIPNS"
#define CACHED "_ZN5mxnet8CachedOp"
#define ARRAYS "ERKSt6vectorIPNS_7NDArrayESaIS"
#define GRADIENTS "EbRKNS_10OpStatePtr" ARRAYS "6_EERKS4_INS_9OpReqTypeESaISB_EESA_"
#define VARS "0_3VarESaIS9_EESD_NS_10FnPropertyEiPKc"

/* If two rows have the same feature and purpose, a build has one of them: _1 is for 1.9.1, _2 for
 * 2.0. */
static struct slot_hook hooks[] = {
    ROW(MXNET_ENGINE, SLOT_CALL, execute_1,
        ENGINE "15ExecuteOprBlockENS_10RunContextEPNS0_8OprBlockE"),
    ROW(MXNET_ENGINE, SLOT_CALL, execute_2,
        ENGINE "15ExecuteOprBlockENS_10RunContextEPNS0_8OprBlockENS0_15CallbackOnStartENS0_"
               "18CallbackOnCompleteE"),
    ROW(MXNET_ENGINE, SLOT_CALL | SLOT_POINTER, complete,
        ENGINE "16OnCompleteStaticEPNS_6EngineEPvPKN4dmlc5ErrorE"),
    ROW(MXNET_ENGINE, SLOT_CALL, fork_prepare, "_ZN5mxnet18LibraryInitializer14atfork_prepareEv"),
    ROW(MXNET_ENGINE, SLOT_CALL, fork_parent, "_ZN5mxnet18LibraryInitializer13atfork_parentEv"),
    ROW(MXNET_ENGINE, SLOT_CALL, fork_child, "_ZN5mxnet18LibraryInitializer12atfork_childEv"),
    ROW(MXNET_QUEUE, SLOT_TABLE, ready_pooled,
        "_ZN5mxnet6engine20ThreadedEnginePooled13PushToExecuteEPNS0_8OprBlockEb"),
    ROW(MXNET_QUEUE, SLOT_TABLE, ready_per_device,
        "_ZN5mxnet6engine23ThreadedEnginePerDevice13PushToExecuteEPNS0_8OprBlockEb"),
    ROW(MXNET_PUSH, SLOT_TABLE, push_sync, ENGINE PUSH_SYNC VARS),
    ROW(MXNET_PUSH, SLOT_TABLE, push_sync_naive,
        "_ZN5mxnet6Engine8PushSyncESt8functionIFvNS_10RunContextEEENS_7ContextERKSt6vectorIPNS_"
        "6engine3VarESaIS9_EESD_NS_10FnPropertyEiPKc"),
    ROW(MXNET_PUSH, SLOT_CALL, invoke,
        "_ZN5mxnet10Imperative8InvokeOpERKNS_7ContextERKN4nnvm9NodeAttrsERKSt6vectorIPNS_"
        "7NDArrayESaISA_EESE_RKS8_INS_9OpReqTypeESaISF_EENS_12DispatchModeENS_10OpStatePtrE"),
    ROW(MXNET_PUSH, SLOT_CALL, backward,
        "_ZN5mxnet10Imperative8BackwardERKSt6vectorIPNS_7NDArrayESaIS3_EES7_S7_bbb"),
    ROW(MXNET_PUSH, SLOT_CALL, dynamic_forward,
        CACHED "14DynamicForwardERKNS_7Context" ARRAYS "6_EESA_b"),
    ROW(MXNET_PUSH, SLOT_CALL, static_forward,
        CACHED "13StaticForwardERKNS_7Context" ARRAYS "6_EESA_"),
    ROW(MXNET_PUSH, SLOT_CALL, dynamic_backward, CACHED "15DynamicBackward" GRADIENTS),
    ROW(MXNET_PUSH, SLOT_CALL, static_backward, CACHED "14StaticBackward" GRADIENTS),
    ROW(MXNET_PUSH, SLOT_TABLE, push, ENGINE "4PushEPNS0_3OprENS_7ContextEib"),
    ROW(MXNET_PUSH, SLOT_TABLE, push_async,
        ENGINE "9PushAsyncESt8functionIFvNS_10RunContextENS0_18CallbackOnCompleteEEENS_"
               "7ContextERKSt6vectorIPNS0_3VarESaISA_EESE_NS_10FnPropertyEiPKcb"),
    ROW(MXNET_PUSH, SLOT_TABLE, push_async,
        ENGINE "9PushAsyncESt8functionIFvNS_10RunContextENS0_15CallbackOnStartENS0_"
               "18CallbackOnCompleteEEENS_7ContextERKSt6vectorIPNS0_3VarESaISB_EESF_NS_"
               "10FnPropertyEiPKcb"),
    ROW(MXNET_PUSH, SLOT_TABLE, executor_forward, "_ZN5mxnet4exec13GraphExecutor7ForwardEb"),
    ROW(MXNET_PUSH, SLOT_TABLE, executor_partial,
        "_ZN5mxnet4exec13GraphExecutor14PartialForwardEbiPi"),
    ROW(MXNET_PUSH, SLOT_TABLE, executor_backward,
        "_ZN5mxnet4exec13GraphExecutor8BackwardERKSt6vectorINS_7NDArrayESaIS3_EEb"),
    ROW(MXNET_NODES, SLOT_TABLE, run_fcompute,
        "_ZN5mxnet4exec16FComputeExecutor3RunENS_10RunContextEb"),
    ROW(MXNET_NODES, SLOT_TABLE, run_fcompute_ex,
        "_ZN5mxnet4exec18FComputeExExecutor3RunENS_10RunContextEb"),
    ROW(MXNET_NODES, SLOT_TABLE, run_stateful,
        "_ZN5mxnet4exec23StatefulComputeExecutor3RunENS_10RunContextEb"),
    ROW(MXNET_NODES, SLOT_TABLE, run_stateful_ex,
        "_ZN5mxnet4exec25StatefulComputeExExecutor3RunENS_10RunContextEb"),
    ROW(MXNET_WAITS, SLOT_TABLE, wait_var, ENGINE "10WaitForVarEPNS0_3VarE"),
    ROW(MXNET_WAITS, SLOT_TABLE, wait_all, ENGINE "10WaitForAllEv"),
    ROW(MXNET_WAITS, SLOT_TABLE, wait_var_naive, NAIVE "10WaitForVarEPNS0_3VarE"),
    ROW(MXNET_WAITS, SLOT_TABLE, wait_all_naive, NAIVE "10WaitForAllEv"),
    ROW(MXNET_MEMORY, SLOT_TABLE, allocate_1,
        "_ZN5mxnet11StorageImpl5AllocEPNS_7Storage6HandleE"),
    ROW(MXNET_MEMORY, SLOT_TABLE, free_1, "_ZN5mxnet11StorageImpl4FreeENS_7Storage6HandleE"),
    ROW(MXNET_MEMORY, SLOT_TABLE, free_direct_1,
        "_ZN5mxnet11StorageImpl10DirectFreeENS_7Storage6HandleE"),
    ROW(MXNET_MEMORY, SLOT_TABLE, allocate_2,
        "_ZN5mxnet7storage11StorageImpl5AllocEPNS_7Storage6HandleEb"),
    ROW(MXNET_MEMORY, SLOT_TABLE, free_2,
        "_ZN5mxnet7storage11StorageImpl4FreeENS_7Storage6HandleE"),
    ROW(MXNET_MEMORY, SLOT_TABLE, free_direct_2,
        "_ZN5mxnet7storage11StorageImpl10DirectFreeENS_7Storage6HandleE"),
    ROW(MXNET_API, SLOT_CALL, api_enter, "_ZN5mxnet12on_enter_apiEPKc"),
    ROW(MXNET_API, SLOT_CALL, api_exit, "_ZN5mxnet11on_exit_apiEv"),
};
enum { HOOKS = sizeof hooks / sizeof *hooks };
static struct slot_hook stats[] = {
    ROW(MXNET_STATS, SLOT_CALL, profile_stat,
        "_ZN5mxnet8profiler14AggregateStats13OnProfileStatERKNS0_11ProfileStatE"),
};
static struct slot_hook *used = hooks; /* the last argument of slots_find() */

static struct slot_library library;
static const struct layout *found;

/* ------------------------------------------------------------------------- the adapter's thread */

static struct ticker ticker = {.tick = mxnet_publish_queue};

void mxnet_publish_queue(void)
{
    static uint64_t most_ns;
    static unsigned objects, times;
    static proftop_id depth, started;
    clock_renew();
    if (!(state_features & MXNET_QUEUE))
        return;
    struct row_key key = {.op = TEXT("queue"),
                          .function = FUNCTION_ENGINE,
                          .kind = PROFTOP_IMPERATIVE,
                          .waits = PROFTOP_ASIDE}; /* operators wait side by side */
    pthread_mutex_lock(&publish_lock);
    struct proftop *feed = mxnet_feed_here();
    struct row *row = feed ? row_of(&key) : NULL;
    if (times != state_attachments)
        most_ns = 0; /* the queue starts again */
    times = state_attachments;
    if (feed && objects != mxnet_objects()) {
        proftop_id domain = proftop_domain(feed, "MXNet");
        objects = mxnet_objects();
        depth = proftop_counter(feed, domain, "operators waiting", "");
        started = proftop_counter(feed, domain, "operators started", "");
    }
    struct queue_state state = queue_state();
    uint64_t ns = clock_stamps_to_ns(state.wait_stamps);
    most_ns = ns > most_ns && ns < UINT64_MAX / 4 ? ns : most_ns;
    if (row)
        proftop_set(feed, row_apply(row, ROW_SET), state.started, most_ns);
    proftop_counter_set(feed, started, (int64_t)state.started);
    proftop_counter_set(feed, depth, state.ready > state.started
                                         ? (int64_t)(state.ready - state.started)
                                         : 0);
    pthread_mutex_unlock(&publish_lock);
}

void mxnet_forked(void)
{
    ticker_forked(&ticker);
    pending_forget();
    queue_begin();
    state_attachments++;
    if (state_features)
        ticker_start(&ticker);
}

/* ------------------------------------------------------------------------------ attach, detach */

const char *mxnet_find(void)
{
    static const struct layout *const known[] = {&layout_1, &layout_2};
    if (state_features)
        return NULL;
    found = NULL;
    if (!slots_library(&library, "libmxnet.so"))
        return "libmxnet.so is not loaded";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i]->build, library.build) == 0)
            found = known[i];
    if (!found)
        return "this build of libmxnet.so is none that proftop knows (1.9.1 and 2.0.0b1 of PyPI "
               "for x86-64 Linux)";
    used = hooks;
    const char *why_not = slots_find(&library, hooks, HOOKS);
    if (!why_not && library.n_entries != found->slots)
        why_not = "libmxnet.so does not refer to its functions as the known builds do";
    return why_not;
}

const char *mxnet_find_stats(void)
{
    if (state_features)
        return NULL;
    if (!slots_library(&library, "libmxnet.so"))
        return "libmxnet.so is not loaded";
    used = stats;
    const char *why_not = slots_find(&library, stats, 1);
    if (!why_not && library.n_entries == 0)
        why_not = "libmxnet.so does not call the sums of its profiler by name";
    return why_not;
}

const char *mxnet_build(void)
{
    return found ? found->version : "";
}

const char *mxnet_attach(unsigned features)
{
    const char *why_not = state_features            ? NULL
                          : features == MXNET_STATS ? mxnet_find_stats()
                                                    : mxnet_find();
    if (why_not || state_features)
        return why_not;
    layout = found;
    clock_start();
    queue_begin();
    forks_watch();
    state_features = features;
    state_attachments++;
    slots_write(&library, used, features, 1);
    pending_forget();
    ticker_start(&ticker);
    return NULL;
}

void mxnet_detach(void)
{
    if (!state_features)
        return;
    mxnet_publish_queue();
    slots_write(&library, used, state_features, 0);
    state_features = 0;
    pending_forget();
    ticker_stop(&ticker);
}

struct mxnet_slots mxnet_slots(void)
{
    return (struct mxnet_slots){(unsigned)library.n_entries,
                                (unsigned)slots_original(&library, used)};
}

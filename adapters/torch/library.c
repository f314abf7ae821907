/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * library.c: finds PyTorch's functions by their names, and tries them. */
#define _GNU_SOURCE
#include "adapters/torch/library.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "adapters/common/slots.h"
#include "adapters/torch/torch.h"

_Atomic int torch_counts;

uint64_t (*torch_add_callback)(struct torch_callback);
void (*torch_remove_callback)(uint64_t);
_Bool (*torch_has_callbacks)(void);
const char *(*torch_name_of)(const void *);
_Bool (*torch_is_async)(const void *);
static int32_t (*make_tensor)(int64_t, const int64_t *, const int64_t *, int32_t, int32_t, int32_t,
                              void **);
static int32_t (*zero_tensor)(void *);
/* The same in releases without the C interface, by C++: at::detail::empty_cpu() returns a Tensor,
 * which is an address, in memory of the caller; at::_ops::zero_::call() takes and returns a
 * reference. The optional memory format has one byte for its value and one that says it is there.
 */
static void *(*make_tensor_cpp)(void **tensor, const int64_t *size, size_t rank, int8_t type,
                                _Bool pinned, uint16_t no_format);
static void *(*zero_tensor_cpp)(void **tensor);

/* Of several symbols for one function the last one that is there holds. */
static const struct {
    const char *symbol;
    void *at;
    int needed;
} symbols[] = {
    {"_ZN2at17addGlobalCallbackENS_22RecordFunctionCallbackE", &torch_add_callback, 1},
    {"_ZN2at14removeCallbackEm", &torch_remove_callback, 1},
    {"_ZN2at18hasGlobalCallbacksEv", &torch_has_callbacks, 0},
    {"_ZNK2at14RecordFunction4nameEv", &torch_name_of, 1},
    {"_ZNK2at14RecordFunction7isAsyncEv", &torch_is_async, 0},
    {"aoti_torch_empty_strided", &make_tensor, 0},
    {"aoti_torch_zero_", &zero_tensor, 0},
#define EMPTY_CPU "_ZN2at6detail9empty_cpuEN3c108ArrayRefIlEENS1_10ScalarTypeEb"
    {EMPTY_CPU "NS1_8optionalINS1_12MemoryFormatEEE", &make_tensor_cpp, 0},
    {EMPTY_CPU "St8optionalINS1_12MemoryFormatEE", &make_tensor_cpp, 0},
    {"_ZN2at4_ops5zero_4callERNS_6TensorE", &zero_tensor_cpp, 0},
};
enum { SYMBOLS = sizeof symbols / sizeof *symbols };

static struct slot_library library;

const char *torch_find(void)
{
#if !defined(__x86_64__) && !defined(__aarch64__)
    return "ops of PyTorch are counted on x86-64 and aarch64 alone";
#endif
    if (!slots_library(&library, "libtorch_cpu.so"))
        return "libtorch_cpu.so is not loaded";
    for (int i = 0; i < SYMBOLS; i++) {
        void *symbol = dlsym(library.handle, symbols[i].symbol);
        if (!symbol && symbols[i].needed)
            return "libtorch_cpu.so has no callbacks of at::RecordFunction";
        if (symbol)
            memcpy(symbols[i].at, &symbol, sizeof symbol);
    }
    return NULL;
}

const char *torch_library(void)
{
    return library.path ? library.path : "";
}

const char *torch_build(void)
{
    return library.build;
}

/* ------------------------------------------------------------------------------------- self-test
 */

enum { TESTS = 3 };
static unsigned test_begun, test_ended, test_named;
static const char test_op[] = "aten::zero_";
static void *test_tensor;     /* handle of the C interface, or NULL */
static void *test_tensor_cpp; /* else the Tensor itself */

TORCH_BEGIN(test)
{
    const char *name = torch_name_of(run);
    *context = NULL;
    test_begun++;
    test_named += name && strcmp(name, test_op) == 0;
    return context;
}

static void test_end(const void *run, void *context)
{
    test_ended += run != NULL && context == NULL;
}

static int make_test_tensor(void)
{
    const int64_t size = 1, stride = 1;
    const int32_t float32 = 6, cpu = 0;
    if (make_tensor && zero_tensor)
        return make_tensor(1, &size, &stride, float32, cpu, 0, &test_tensor) == 0;
    if (!make_tensor_cpp || !zero_tensor_cpp)
        return 0;
    make_tensor_cpp(&test_tensor_cpp, &size, 1, float32, 0, 0);
    return test_tensor_cpp != NULL;
}

static int run_test_op(unsigned times)
{
    for (unsigned i = 0; i < times; i++)
        if (test_tensor ? zero_tensor(test_tensor) != 0
                        : zero_tensor_cpp(&test_tensor_cpp) != &test_tensor_cpp)
            return 0;
    return 1;
}

static uint64_t time_test_op(void)
{
    uint64_t least = UINT64_MAX;
    for (int round = 0; round < 20; round++) {
        uint64_t begun = torch_clock_ns();
        run_test_op(500);
        uint64_t took = torch_clock_ns() - begun;
        least = took < least ? took : least;
    }
    return least / 500;
}

const char *torch_self_test(double *event_ns)
{
    const char *lacks = torch_find();
    if (lacks)
        return lacks;
    if (!make_test_tensor())
        return "libtorch_cpu.so has no function that is known to run an op, for the test";
    const uint64_t plain = time_test_op();
    struct torch_callback callback = {.begin = test_begin, .end = test_end, .probability = 1};
    callback.scopes[TORCH_FUNCTION] = 1;
    uint64_t handle = torch_add_callback(callback);
    const int right = run_test_op(TESTS) && test_named == TESTS && test_ended == test_begun;
    const uint64_t called = right ? time_test_op() : 0;
    torch_remove_callback(handle);
    const unsigned before = test_begun;
    const int gone = run_test_op(1) && test_begun == before;
    if (!right || !gone)
        return "the callbacks of at::RecordFunction are not called as in the releases that are "
               "known";
    *event_ns = called > plain ? (double)(called - plain) : 0;
    return NULL;
}

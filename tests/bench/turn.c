/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * turn.c: makes examples/train wait for its turn after every TURN_STEPS steps. It is linked before
 * the engine's own function_run(), so the example needs no change. All other threads, including the
 * feed's, continue to run. BENCH_CORE=N: threads that run functions stay on that core.
 * BENCH_WASTE=PERCENT makes each function take that much longer. bench_train has to find that
 * waste.
 */
#include "config.h"

#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "examples/graph.h"
#include "turn.h"

void turn_real_run(struct function *function, struct worker *worker) __asm__("__real_function_run");
void turn_run(struct function *function, struct worker *worker) __asm__("__wrap_function_run");

static void stay(void)
{
    static _Thread_local bool stays;
    const char *core = getenv("BENCH_CORE");
    cpu_set_t one;
    if (stays || !core)
        return;
    stays = true;
    CPU_ZERO(&one);
    CPU_SET((unsigned)atoi(core), &one);
    sched_setaffinity(0, sizeof one, &one);
}

static void waste(uint64_t start_ns)
{
    const char *percent = getenv("BENCH_WASTE");
    if (!percent)
        return;
    uint64_t now_ns = graph_now_ns();
    uint64_t until_ns = now_ns + (uint64_t)((double)(now_ns - start_ns) * atof(percent) / 100);
    while (now_ns < until_ns)
        now_ns = graph_now_ns();
}

static void look(double ns[CLOCKS])
{
    static const clockid_t clock[CLOCKS] = {CLOCK_PROCESS_CPUTIME_ID, CLOCK_MONOTONIC};
    for (int i = 0; i < CLOCKS; i++) {
        struct timespec t;
        clock_gettime(clock[i], &t);
        ns[i] = (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
    }
}

static void wait_for_turn(void)
{
    static double began[CLOCKS]; /* the first report covers everything before */
    struct turn_report report;
    char go;
    look(report.ns);
    for (int i = 0; i < CLOCKS; i++)
        report.ns[i] -= began[i];
    if (write(TURN_FD, &report, sizeof report) != sizeof report || read(TURN_FD, &go, 1) != 1)
        _exit(1);
    look(began);
}

void turn_run(struct function *function, struct worker *worker)
{
    static uint64_t steps; /* steps of the trainer alone */
    stay();
    uint64_t start_ns = graph_now_ns();
    turn_real_run(function, worker);
    waste(start_ns);
    if (strcmp(function->name, "update") == 0 && ++steps % TURN_STEPS == TURN_STEPS / 2)
        wait_for_turn();
}

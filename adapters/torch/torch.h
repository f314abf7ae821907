/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * torch.h: counts the ops of PyTorch by callbacks of at::RecordFunction, which libtorch_cpu.so
 * calls at the begin and at the end of each op, of each node of autograd, and of each named range.
 *
 * No header of PyTorch is used. The functions are found by their names; the structure that
 * describes a callback has had one layout from PyTorch 1.13 to 2.14. torch_self_test() tries both
 * in a process of its own, before a job relies on them. */
#ifndef PROFTOP_TORCH_H
#define PROFTOP_TORCH_H

#include <stdint.h>

/* Looks for the functions in this process, and changes nothing. Returns NULL, or a static message:
 * the library is not loaded, or lacks one of them. */
const char *torch_find(void);

/* The library's path and build id (hex; "": none), after torch_find() returned NULL. Static. */
const char *torch_library(void);
const char *torch_build(void);

/* Runs one op that is known, with the callbacks, and checks that it gives one begin and one end of
 * its name. Then measures what an event costs, in ns. Returns NULL, or a static message. For a
 * process of its own: with another layout it may crash. */
const char *torch_self_test(double *event_ns);

/* Starts counting. `ops`: ops are counted as well as calls of modules; only after a good
 * torch_self_test(). `budget`: the share of the run time that counting may take, 0: any.
 * `event_ns`: what an event costs, from torch_self_test(). `no_device`: why GPUs are left alone, a
 * static text, or NULL. Returns NULL, or a static message. */
const char *torch_attach(int ops, double budget, double event_ns, const char *no_device);
int torch_attached(void);
/* Why bytes of ops are not counted, after torch_attach(); NULL: they are. Static. */
const char *torch_memory_lacks(void);
/* How times of GPUs are known, a static text; NULL: none is in use. */
const char *torch_device_route(void);
/* A profiler of the job starts, and has CUPTI for itself when this returns; or it has ended. */
void torch_step_aside(int starts);
/* True while ops are counted; between windows they are not. Any thread. */
int torch_is_open(void);
/* A call of a module begins on this thread, and ends. Its name is copied. An end without a begin
 * does nothing. */
void torch_module_begin(const char *name, const void *module);
void torch_module_end(const void *module);
/* 1 if the tensors that this run of a module gets are to be told, by torch_module_inputs(): after
 * its begin, on the same thread. `took_ns`: what it took to look at them. */
int torch_module_inputs_due(const void *module);
struct nested_value;
void torch_module_inputs(const struct nested_value *value, unsigned count, uint64_t took_ns);
/* A call of a module that is inside no other one has ended on this thread. Also between windows. */
void torch_outermost_end(const void *module);
/* A compilation begins on this thread, or ends: it is no work of the op around it. */
void torch_compiling(int begins);
/* The job uses a device: ops that read its results wait for it from now on. Any thread. */
void torch_use_device(void);
/* Stops counting. Ops that run meanwhile end uncounted. */
void torch_detach(void);

/* Sets the function that tells optimizers apart: called at the end of Optimizer.step(), on the
 * thread that runs it, without a lock of the adapter. It returns an address, or 0: not known, and
 * then the class of the optimizer tells. */
void torch_ask_optimizer(uintptr_t (*ask)(void));
/* What the adapter's thread asks for. */
enum torch_question {
    /* Ten times a second while ops run on the process's first thread: things to do there, and the
     * line in which it is, for nested_line(). */
    TORCH_OFTEN,
    TORCH_LINE,
    /* Where a process stands still: one of several ranks, in which no op and no collective has
     * begun or ended and no step has ended for 2 s. Again every 2 s, and with 0 once something has
     * moved for 1 s. */
    TORCH_STILL,
    TORCH_QUESTIONS
};
/* Sets the function that asks; NULL: nobody asks. It must not wait. It gets 1, or 0 as said. After
 * it was called it is not called again before torch_answered(). */
void torch_ask(enum torch_question question, void (*ask)(int state));
void torch_answered(enum torch_question question);
/* True from the call of the function until torch_answered(). */
int torch_is_asked(enum torch_question question);

/* Publishes what is summed here. The adapter's thread does it ten times a second; call it before a
 * feed is closed. */
void torch_publish(void);
/* Starts that thread again in a forked child, once the child has a feed. */
void torch_forked(void);

#endif

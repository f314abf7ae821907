/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * stage.h: jobs with known values, made in this process, for the tests of the screen.
 */
#ifndef TESTS_TUI_STAGE_H
#define TESTS_TUI_STAGE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/ui/screen.h"
#include "tui/ui/term.h"

/* One apply node: its op and its figures. */
struct sample_apply {
    const char *text;
    uint32_t op, index;
    uint8_t impl;
    uint64_t calls, total_ns;
};

struct sample_op {
    const char *text;
    uint32_t op_class;
};

struct sample {
    const char *program, *function;
    const char *const *classes;
    uint32_t class_count;
    const struct sample_op *ops;
    uint32_t op_count;
    const struct sample_apply *applies;
    uint32_t apply_count;
    uint64_t calls, call_ns, vm_ns, compile_ns, rewrite_ns, validate_ns, link_ns;
};

/* The example of the printed profile: three nodes of 13, 9 and 4 quanta of 238.4 ns, so that their
 * shares are 50.0, 34.6 and 15.4 percent. */
#define SAMPLE_QUANTUM_NS 238
static const char *const sample_seed_classes[] = {"tensor.elemwise.Elemwise"};
static const struct sample_op sample_seed_ops[] = {
    {"Elemwise{add,no_inplace}", 0},
    {"Elemwise{mul,no_inplace}", 0},
};
static const struct sample_apply sample_seed_applies[] = {
    {"Elemwise{add,no_inplace}(x, y)", 0, 0, MODEL_IMPL_C, 1, 13 * SAMPLE_QUANTUM_NS},
    {"Elemwise{add,no_inplace}(Elemwise{add,no_inplace}.0, z)", 0, 1, MODEL_IMPL_C, 1,
     4 * SAMPLE_QUANTUM_NS},
    {"Elemwise{mul,no_inplace}(TensorConstant{(1,) of 2.0}, Elemwise{add,no_inplace}.0)", 1, 2,
     MODEL_IMPL_C, 1, 9 * SAMPLE_QUANTUM_NS},
};
static const struct sample sample_seed = {"profiling_example.py",
                                          "None",
                                          sample_seed_classes,
                                          1,
                                          sample_seed_ops,
                                          2,
                                          sample_seed_applies,
                                          3,
                                          1,
                                          56982,
                                          11921,
                                          3642474000,
                                          73265080,
                                          371218,
                                          958492000};

/* A training step with realistic names. */
static const char *const sample_train_classes[] = {"tensor.elemwise.Elemwise",
                                                   "tensor.blas.Dot22Scalar",
                                                   "scan.op.Scan",
                                                   "tensor.nnet.Softmax",
                                                   "層正規化Op",
                                                   "tensor.basic.Alloc"};
static const struct sample_op sample_train_ops[] = {
    {"Elemwise{Composite{((i0 * i1) + (i2 * sqr(i3)) - (i4 / i5))}}[(0, 0)]", 0},
    {"Dot22Scalar", 1},
    {"Scan{grad_of_scan_fn, while_loop=False, inplace=none}", 2},
    {"Elemwise{Composite{(i0 + i1 + i2 + i3 + i4 + i5 + i6)}}", 0},
    {"Softmax{axis=1}", 3},
    {"層正規化Op{eps=1e-05, 軸=(1,)}", 4},
    {"Alloc", 5},
};
static const struct sample_apply sample_train_applies[] = {
    {"Elemwise{Composite{((i0 * i1) + (i2 * sqr(i3)) - (i4 / i5))}}[(0, 0)](x, W, b)", 0, 4,
     MODEL_IMPL_C, 221000, 100700000000},
    {"Elemwise{Composite{((i0 * i1) + (i2 * sqr(i3)) - (i4 / i5))}}[(0, 0)](y, V, c)", 0, 9,
     MODEL_IMPL_C, 221000, 41000000000},
    {"Dot22Scalar(x, W, 0.5)", 1, 1, MODEL_IMPL_C, 55200, 79400000000},
    {"Scan{grad_of_scan_fn, while_loop=False, inplace=none}(n, h0, W)", 2, 7, MODEL_IMPL_PY, 18400,
     36000000000},
    {"Elemwise{Composite{(i0 + i1 + i2 + i3 + i4 + i5 + i6)}}(a, b, c, d, e, f, g)", 3, 5,
     MODEL_IMPL_C, 221000, 26300000000},
    {"Softmax{axis=1}(Dot22Scalar.0)", 4, 2, MODEL_IMPL_C, 18400, 18200000000},
    {"層正規化Op{eps=1e-05, 軸=(1,)}(Softmax{axis=1}.0)", 5, 3, MODEL_IMPL_C, 73600, 5900000000},
    {"Alloc(0.0, 512)", 6, 0, MODEL_IMPL_C, 73600, 1000000000},
};
static const struct sample sample_train = {"train.py",
                                           "f_train",
                                           sample_train_classes,
                                           6,
                                           sample_train_ops,
                                           7,
                                           sample_train_applies,
                                           8,
                                           18402,
                                           412800000000,
                                           397100000000,
                                           14200000000,
                                           6100000000,
                                           200000000,
                                           7900000000};

static inline void sample_must(bool done)
{
    if (!done) {
        fprintf(stderr, "sample: out of memory\n");
        abort();
    }
}

static inline void sample_set_applies(struct model_job *job, const struct sample *sample,
                                      uint64_t times)
{
    for (uint32_t i = 0; i < sample->apply_count; i++) {
        const struct sample_apply *apply = &sample->applies[i];
        uint64_t id = i, calls = apply->calls * times, ns = apply->total_ns * times;
        uint64_t last = calls ? ns / calls : MODEL_UNKNOWN;
        model_job_set_values(job, 1, &id, &calls, &ns, &last, NULL, false);
    }
    uint64_t zero = 0, calls = sample->calls * times;
    uint64_t call_ns = sample->call_ns == MODEL_UNKNOWN ? MODEL_UNKNOWN : sample->call_ns * times;
    uint64_t vm_ns = sample->vm_ns == MODEL_UNKNOWN ? MODEL_UNKNOWN : sample->vm_ns * times;
    uint64_t none = MODEL_UNKNOWN;
    model_job_set_calls(job, 1, &zero, &calls, &call_ns, &vm_ns, &none, false);
    model_job_set_compile(job, 1, &zero, &sample->compile_ns, &sample->rewrite_ns,
                          &sample->validate_ns, &sample->link_ns, &none, false);
    model_job_set_stamp(job, 1000000000 * (1 + times), 0);
    model_job_set_values_stamp(job, 1000000000 * (1 + times));
}

static inline struct model_bytes sample_bytes(const char *text)
{
    return (struct model_bytes){text, strlen(text)};
}

/* The caller releases the job. */
static inline struct model_job *sample_job(const struct sample *sample)
{
    static const uint8_t instance[16] = "sample";
    struct model_job *job = model_job_new(instance);
    sample_must(job != NULL);
    struct model_identity *who = model_job_identity_mutable(job);
    model_job_set_text(job, &who->program, sample->program, strlen(sample->program));
    model_job_set_text(job, &who->host, "gpu01", 5);
    model_job_set_text(job, &who->framework, "PyTensor", 8);
    model_job_set_text(job, &who->framework_version, "2.31.7", 6);
    model_job_set_text(job, &who->route, "C VM pointer patch", 18);
    who->pid = 4711;
    who->rank = who->size = MODEL_UNKNOWN;
    who->collecting = true;
    for (uint32_t i = 0; i < sample->class_count; i++)
        sample_must(model_job_add_class(job, sample->classes[i], strlen(sample->classes[i])));
    for (uint32_t i = 0; i < sample->op_count; i++)
        sample_must(model_job_add_op(job, sample->ops[i].op_class, sample->ops[i].text,
                                     strlen(sample->ops[i].text)));
    struct model_function_raw function = {.name = sample_bytes(sample->function),
                                          .parent = MODEL_NONE};
    sample_must(model_job_add_function(job, &function));
    for (uint32_t i = 0; i < sample->apply_count; i++) {
        const struct sample_apply *apply = &sample->applies[i];
        struct model_apply_raw raw = {.text = sample_bytes(apply->text),
                                      .op = apply->op,
                                      .index = apply->index,
                                      .impl = apply->impl};
        sample_must(model_job_add_apply(job, &raw));
    }
    sample_must(model_job_add_thread(job, "worker-1", 8, 42));
    sample_set_applies(job, sample, 1);
    model_job_set_complete(job);
    return job;
}

/* Everything that a test of the screen needs. */
struct stage {
    struct model_job *job;
    struct model_state *state;
    struct model_link link;
    struct tui_screen screen;
    struct tui_grid grid;
};

static inline void stage_show(struct stage *stage)
{
    struct model_state *state = model_state_take(stage->job, MODEL_ALL, stage->state);
    sample_must(state && tui_screen_show(&stage->screen, state));
    model_state_free(&stage->state);
    stage->state = state;
}

static inline void stage_init(struct stage *stage, const struct sample *sample)
{
    memset(stage, 0, sizeof(*stage));
    sample_must(tui_screen_init(&stage->screen));
    stage->link = (struct model_link){.state = MODEL_LIVE, .frames = 1234, .lag_ns = 4000000};
    stage->screen.link = &stage->link;
    stage->screen.label = "train.py (4711)";
    stage->screen.show_clock = false;
    if (!sample)
        return;
    stage->job = sample_job(sample);
    stage_show(stage);
}

static inline void stage_release(struct stage *stage)
{
    tui_screen_release(&stage->screen);
    model_state_free(&stage->state);
    if (stage->job)
        model_job_release(&stage->job);
    tui_grid_release(&stage->grid);
}

static inline void stage_draw(struct stage *stage, int rows, int cols)
{
    bool ascii = stage->grid.ascii;
    sample_must(tui_grid_resize(&stage->grid, rows, cols));
    stage->grid.ascii = ascii;
    tui_screen_draw(&stage->screen, &stage->grid);
}

/* One line of a grid, or all, as UTF-8 without blanks at the ends of lines. The caller frees it. */
static inline char *stage_text(const struct tui_grid *grid)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    sample_must(file != NULL);
    tui_text_print(grid, file);
    fclose(file);
    return text;
}

static inline char *stage_line(const struct tui_grid *grid, int row)
{
    struct tui_grid line = *grid;
    line.cell += (size_t)row * (size_t)grid->cols;
    line.rows = 1;
    char *text = stage_text(&line);
    text[strcspn(text, "\n")] = '\0';
    return text;
}

#endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_labels.c: the labels of ops and applies on screens: they say what is computed, and no two
 * ops have the same. Reports, JSON and keys use the text of the job.
 */
#include "model/job_private.h"

#include <stdio.h>

#include "model/rewrite.h"
#include "sample.h"
#include "model/view.h"

static struct model_job *job;

static void setup(void)
{
    job = sample_empty();
    sample_class(job, "Elemwise");
    sample_function(job, "f", MODEL_NONE);
}

static void teardown(void)
{
    model_job_release(&job);
}

/* display: NULL for none. */
static uint32_t add_op(const char *text, const char *display)
{
    const uint32_t op = model_job_count(job, MODEL_OP);
    if (display)
        ck_assert(model_job_set_display(job, op, display, strlen(display)));
    sample_op(job, 0, text);
    model_job_forget_displays(job);
    return op;
}

static void is_called(uint32_t op, const char *text, const char *shown)
{
    const struct model_op_def *def = model_job_op(job, op);
    ck_assert_str_eq(def->label.shown, shown);
    ck_assert_uint_eq(def->label.shown_size, strlen(shown));
    ck_assert_str_eq(def->label.raw, text);
    ck_assert_str_eq(def->text.shown, text);
}

START_TEST(an_op_is_called_by_what_it_computes)
{
    is_called(add_op("Composite{...}", "sqr(i0) + i1"), "Composite{...}", "sqr(i0) + i1");
    is_called(add_op("Composite{...}", "i0 - i1"), "Composite{...}", "i0 - i1");
    is_called(add_op("dot", NULL), "dot", "dot");
    is_called(add_op("Elemwise{x}", "a\033b"), "Elemwise{x}", "a\xEF\xBF\xBD" "b");
    ck_assert_str_eq(model_job_op(job, 0)->display.raw, "sqr(i0) + i1");
    ck_assert_uint_eq(model_job_op(job, 2)->display.raw_size, 0);
}
END_TEST

START_TEST(of_equal_texts_the_later_have_numbers)
{
    add_op("dot", NULL);
    is_called(add_op("dot", NULL), "dot", "dot #2");
    is_called(add_op("dot #3", NULL), "dot #3", "dot #3");
    is_called(add_op("dot", NULL), "dot", "dot #4");
    is_called(add_op("Composite{...}", "dot"), "Composite{...}", "dot #5");
    is_called(add_op("dot #2", NULL), "dot #2", "dot #2 #2");
}
END_TEST

/* A long label keeps both ends, and is not cut inside a character. */
START_TEST(numbers_are_of_short_labels)
{
    char text[3000] = "";
    for (unsigned i = 0; i < 900; i++)
        strcat(text, "\xc3\xa9" "x");
    add_op(text, NULL);
    for (unsigned i = 2; i < 5; i++) {
        char tail[16];
        const struct model_text *label = &model_job_op(job, add_op(text, NULL))->label;
        const size_t size = (size_t)snprintf(tail, sizeof(tail), "\xc3\xa9" "x #%u", i);
        ck_assert_uint_lt(label->shown_size, 1100);
        ck_assert_str_eq(label->shown + label->shown_size - size, tail);
        ck_assert_int_eq(memcmp(label->shown, text, 400), 0);
        ck_assert_ptr_nonnull(strstr(label->shown, "..."));
        ck_assert_ptr_null(strstr(label->shown, "\xEF\xBF\xBD"));
    }
}
END_TEST

START_TEST(a_display_waits_for_its_op)
{
    ck_assert(model_job_set_display(job, 1, "second", 6));
    ck_assert(model_job_set_display(job, 0, "first", 5));
    is_called((sample_op(job, 0, "a"), 0), "a", "first");
    is_called((sample_op(job, 0, "b"), 1), "b", "second");
    is_called((sample_op(job, 0, "c"), 2), "c", "c");
    ck_assert(model_job_set_display(job, 1, "late", 4)); /* a defined row never changes */
    ck_assert(model_job_set_display(job, 3, "lost", 4));
    model_job_forget_displays(job);
    is_called((sample_op(job, 0, "d"), 3), "d", "d");
    is_called(1, "b", "second");
}
END_TEST

static void apply_is_called(const char *text, uint32_t op, const char *shown)
{
    struct model_apply_raw raw = {.text = sample_bytes(text), .op = op};
    ck_assert(model_job_add_apply(job, &raw));
    const struct model_apply_def *def =
        model_job_apply(job, model_job_count(job, MODEL_APPLY) - 1);
    ck_assert_str_eq(def->label.shown, shown);
    ck_assert_str_eq(def->label.raw, def->text.raw);
    ck_assert_uint_eq(def->label.shown_size, strlen(shown));
}

START_TEST(an_apply_is_called_by_its_op)
{
    const uint32_t fused = add_op("Composite{...}", "i0 + 1"), plain = add_op("dot", NULL);
    apply_is_called("Composite{...}(x, y.0)", fused, "i0 + 1(x, y.0)");
    apply_is_called("another", fused, "another");
    apply_is_called("", fused, "i0 + 1");
    apply_is_called("Comp", fused, "Comp");
    apply_is_called("dot(x)", plain, "dot(x)");
}
END_TEST

/* A million applies may share an op with a long label. */
START_TEST(labels_of_applies_have_a_bound)
{
    static char display[MODEL_TEXT_KEPT];
    memset(display, 'x', sizeof(display) - 1);
    const uint32_t op = add_op("", display);
    for (unsigned i = 0; i < 3 * (MODEL_LABELS_MAX / MODEL_TEXT_KEPT); i++) {
        struct model_apply_raw raw = {.text = sample_bytes("."), .op = op};
        ck_assert(model_job_add_apply(job, &raw));
    }
    ck_assert_uint_lt(model_job_text_bytes(job), MODEL_LABELS_MAX + MODEL_LABELS_MAX / 2);
    ck_assert_str_eq(
        model_job_apply(job, model_job_count(job, MODEL_APPLY) - 1)->label.shown, ".");
}
END_TEST

/* The display names are arbitrary. */
START_TEST(no_two_ops_have_one_label)
{
    static const char *const words[] = {"a", "a #2", "a #3", "a #2 #2", "b", "", "b #2"};
    enum { WORDS = sizeof words / sizeof words[0], OPS = 300 };
    struct sample_random r = {.state = (uint64_t)_i + 1};
    for (unsigned i = 0; i < OPS; i++) {
        const char *text = words[sample_below(&r, WORDS)];
        add_op(text, sample_below(&r, 2) ? words[sample_below(&r, WORDS)] : NULL);
        const struct model_op_def *made = model_job_op(job, i);
        ck_assert_str_eq(made->text.raw, text);
        for (unsigned k = 0; k < i; k++)
            ck_assert_str_ne(model_job_op(job, k)->label.shown, made->label.shown);
    }
}
END_TEST

static const struct model_text *add_function(const char *name, const char *file, uint32_t line)
{
    struct model_function_raw raw = {.name = sample_bytes(name), .file = sample_bytes(file),
                                     .line = line, .parent = MODEL_NONE};
    ck_assert(model_job_add_function(job, &raw));
    return &model_job_function(job, model_job_count(job, MODEL_FUNCTION) - 1)->name;
}

/* Sentences have no gaps, and each row can be told from the next. The job's text is kept. */
START_TEST(unnamed_rows_are_labelled_by_place_or_number)
{
    static const char *const names[] = {"", " "};
    const char *none = names[_i];
    struct model_phase phase = {.rev = 1, .function = 0, .parent = MODEL_NONE};
    ck_assert_str_eq(add_function(none, "/home/you/train.py", 12)->shown, "train.py:12");
    ck_assert_str_eq(add_function(none, "train.py", 0)->shown, "function #2");
    ck_assert_str_eq(add_function(none, "", 12)->shown, "function #3");
    ck_assert_str_eq(add_function("g", "train.py", 12)->shown, "g");
    ck_assert_str_eq(model_job_function(job, 1)->name.raw, none);
    sample_class(job, none);
    ck_assert_str_eq(model_job_class(job, 1)->name.shown, "class #1");
    is_called(add_op(none, "sqr(i0)"), none, "sqr(i0)");
    ck_assert_str_eq(model_job_op(job, add_op(none, NULL))->label.shown, "op #1");
    ck_assert_str_eq(model_job_op(job, add_op(none, none))->label.shown, "op #2");
    ck_assert_str_eq(model_job_op(job, add_op("op #4", NULL))->label.shown, "op #4");
    ck_assert_str_eq(model_job_op(job, add_op(none, NULL))->label.shown, "op #4 #2");
    apply_is_called(none, 1, "op #1");
    apply_is_called(none, 4, "op #4 #2");
    ck_assert(model_job_add_thread(job, none, strlen(none), 4711));
    ck_assert_str_eq(model_job_thread(job, 0)->name.shown, "thread 4711");
    ck_assert(model_job_set_phase(job, 3, &phase, none, strlen(none)));
    uint32_t count;
    ck_assert_str_eq(model_job_phases(job, &count)[3].name.shown, "phase #3");
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("labels");
    TAP_ADD_BETWEEN(s, unnamed_rows_are_labelled_by_place_or_number, 2, setup, teardown);
    TAP_ADD_BETWEEN(s, an_op_is_called_by_what_it_computes, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, of_equal_texts_the_later_have_numbers, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, numbers_are_of_short_labels, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, a_display_waits_for_its_op, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, an_apply_is_called_by_its_op, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, labels_of_applies_have_a_bound, 1, setup, teardown);
    TAP_ADD_BETWEEN(s, no_two_ops_have_one_label, 20, setup, teardown);
    return s;
}
TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_op_equivalence.c: checks which names stand for the same work, and which do not.
 */
#include "model/op_equivalence.h"

#include "../tap.h"

static struct model_text text_of(const char *name)
{
    return (struct model_text){name, name, (uint32_t)strlen(name), (uint32_t)strlen(name)};
}

static void form(const char *name, bool work, char out[256])
{
    struct model_text text = text_of(name);
    size_t size = model_alike(&text, work, out);
    ck_assert_uint_le(size, text.raw_size);
    out[size] = '\0';
}

/* Names as printed by Theano 1.0, Aesara 2.9 and PyTensor 2.31. */
static const struct {
    const char *a, *b;
    bool work; /* equal as work only */
} same[] = {
    {"Gemv{inplace}", "Gemv{no_inplace}", false},
    {"Gemm{inplace}(w, -0.1, x, y.0, 0.998)", "Gemm{no_inplace}(w, -0.1, x, y.0, 0.998)", false},
    {"ScipyGer{destructive}", "ScipyGer{non-destructive}", false},
    {"Elemwise{Add}[(0, 0)]", "Elemwise{add,no_inplace}", false},
    {"Elemwise{Composite{(i0 + i1)}}[(0, 1)]", "Elemwise{Composite{(i0 + i1)}}", false},
    {"InplaceDimShuffle{1,0}", "DimShuffle{1,0}", false},
    {"IncSubtensor{InplaceSet;:int64:}", "IncSubtensor{Set;:int64:}", false},
    {"AdvancedIncSubtensor1{inplace,inc}", "AdvancedIncSubtensor1{no_inplace,inc}", false},
    {"GpuElemwise{mul,no_inplace}", "Elemwise{mul,no_inplace}", false},
    {"GpuGemv{inplace=True}", "GpuGemv{inplace=False}", false},
    {"Sigmoid(Gemv{inplace}.0)", "Sigmoid(Gemv{no_inplace}.0)", false},
    {"Op{<object at 0x171e650>}", "Op{<object at 0x7f00aB>}", false},
    {"dot", "Dot22", true},
    {"Dot", "Gemv{inplace}", true},
    {"_dot22", "CGemv{no_inplace}", true},
    {"Dot22Scalar", "GpuGemm{inplace=True}", true},
    {"Ger{destructive}", "CGer{non-destructive}", true},
    {"ScipyGer{destructive}", "dot", true},
    {"BatchedDot", "GpuGemmBatch{inplace}", true},
    {"Sigmoid(Dot.0)", "Sigmoid(Gemv{inplace}.0)", true},
};
static const struct {
    const char *a, *b;
} other[] = {
    {"Elemwise{add,no_inplace}", "Elemwise{mul,no_inplace}"},
    {"Dot(x, w)", "Dot(x, v)"},
    {"Dot(x, w)", "Dot(X, w)"},
    {"Sum{axes=None}", "Sum{axis=0}"},
    {"Dotted", "Dot"},
    {"Dot", "BatchedDot"},
    {"Gpu", "Inplace"},
    {"f(ab)", "f(a, b)"},
    {"Subtensor{int64}", "Subtensor{int32}"},
};

START_TEST(forms_of_one_op_are_the_same)
{
    char a[256], b[256];
    form(same[_i].a, true, a);
    form(same[_i].b, true, b);
    ck_assert_msg(strcmp(a, b) == 0, "%s: %s, %s: %s", same[_i].a, a, same[_i].b, b);
    form(same[_i].a, false, a);
    form(same[_i].b, false, b);
    ck_assert_msg((strcmp(a, b) == 0) == !same[_i].work, "%s: %s, %s: %s", same[_i].a, a,
                  same[_i].b, b);
}
END_TEST

START_TEST(other_ops_are_others)
{
    char a[256], b[256];
    form(other[_i].a, true, a);
    form(other[_i].b, true, b);
    ck_assert_msg(strcmp(a, b) != 0, "%s, %s: %s", other[_i].a, other[_i].b, a);
}
END_TEST

START_TEST(ops_of_the_table_have_a_name)
{
    static const struct {
        const char *text, *name;
    } row[] = {{"Gemv{inplace}", "dot"}, {"GpuDot22", "dot"}, {"_dot22scalar", "dot"},
               {"dot(x, y)", "dot"},     {"Dot", "dot"},      {"Elemwise{dot}", NULL},
               {"Dotted", NULL},         {"", NULL},          {"Dot.x", NULL}};
    for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        struct model_text text = text_of(row[i].text);
        const char *name = model_alike_name(&text);
        ck_assert_msg(name ? row[i].name && strcmp(name, row[i].name) == 0 : !row[i].name, "%s",
                      row[i].text);
    }
}
END_TEST

START_TEST(inputs_are_counted)
{
    static const struct {
        const char *a, *b;
        unsigned inputs;
    } row[] = {
        {"dot(x, w)", "Gemm{inplace}(c, 1.0, x, w, 1.0)", 2},
        {"dot(x, v)", "Gemm{inplace}(c, 1.0, x, w, 1.0)", 1},
        {"Gemv{inplace}(e, 1.0, x, v, 0.0)", "Gemv{inplace}(f, 1.0, y, u, 0.0)", 0},
        {"f({(a, b)}.0, [c, d])", "g([c, d], {(a, b)}.0)", 2},
        {"Sum{a, (b)}(x)", "Dot(x, y)", 1},
        {"f", "f(x)", 0},
        {"", "", 0},
        {"f(", "f(", 0},
        {"f()", "f()", 0},
        {"f(,)", "f(,)", 0},
        {"f(x))(", "f({[(x", 0},
    };
    for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        struct model_text a = text_of(row[i].a), b = text_of(row[i].b);
        ck_assert_msg(model_alike_inputs(&a, &b) == row[i].inputs, "%s, %s: %u", row[i].a, row[i].b,
                      model_alike_inputs(&a, &b));
    }
}
END_TEST

START_TEST(classes_go_by_their_last_word)
{
    static const struct {
        const char *name, *last;
    } row[] = {{"theano.tensor.blas.Gemm", "Gemm"},
               {"Gemm", "Gemm"},
               {"a.", "a."},
               {"", ""},
               {"f.<locals>.Op", "Op"},
               {"odd name", "odd name"}};
    for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        struct model_text text = text_of(row[i].name);
        struct model_text last = model_alike_class(&text);
        ck_assert_str_eq(last.raw, row[i].last);
        ck_assert_uint_eq(last.raw_size, strlen(row[i].last));
        ck_assert_uint_eq(last.shown_size, strlen(row[i].last));
    }
}
END_TEST

/* The normalized form is never longer than the text. */
START_TEST(any_bytes_have_a_form)
{
    static const char *const piece[] = {
        "Gpu",       "Inplace",      "inplace",  "{",    "}", ",",
        " ",         "[(",           "0",        "1)",   "]", "0x",
        "non",       "-destructive", "dot",      "Gemm", "=", "True",
        "Elemwise{", "Add",          "\xc3\xa9", "(",    ")", "batched_dot"};
    char text[256], out[256];
    unsigned state = 12345;
    for (int i = 0; i < 20000; i++) {
        text[0] = '\0';
        for (int k = 0; k < 12; k++) {
            state = state * 1103515245u + 12345u;
            strcat(text, piece[(state >> 16) % (sizeof(piece) / sizeof(piece[0]))]);
        }
        form(text, i % 2, out);
    }
}
END_TEST

#define ROWS(table) ((int)(sizeof(table) / sizeof((table)[0])))

static Suite *suite(void)
{
    Suite *s = suite_create("alike");
    tap_add_loop(s, "forms_of_one_op_are_the_same", forms_of_one_op_are_the_same, ROWS(same));
    tap_add_loop(s, "other_ops_are_others", other_ops_are_others, ROWS(other));
    tap_add(s, "ops_of_the_table_have_a_name", ops_of_the_table_have_a_name);
    tap_add(s, "inputs_are_counted", inputs_are_counted);
    tap_add(s, "classes_go_by_their_last_word", classes_go_by_their_last_word);
    tap_add(s, "any_bytes_have_a_form", any_bytes_have_a_form);
    return s;
}
TAP_MAIN(suite)

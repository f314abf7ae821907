/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * op_equivalence.c: the common form of names.
 */
#include "model/op_equivalence.h"

#include <string.h>

/* Forms of a matrix product, from the rewrites between them in Theano, Aesara and PyTensor:
 * tensor/blas.py (local_dot_to_dot22, local_gemm_to_gemv, local_gemm_to_ger,
 * local_dot22_to_dot22scalar, GemmOptimizer), tensor/blas_c.py (use_c_gemv, use_c_ger),
 * tensor/blas_scipy.py (use_scipy_ger), and gpuarray/blas.py of Theano, whose names begin with Gpu.
 * No common name is longer than the names it replaces. */
static const struct {
    const char *name, *as;
} table[] = {
    {"dot", "dot"},         {"Dot", "dot"},         {"_dot22", "dot"},
    {"Dot22", "dot"},       {"_dot22scalar", "dot"}, {"Dot22Scalar", "dot"},
    {"Gemm", "dot"},        {"Gemv", "dot"},        {"CGemv", "dot"},
    {"Ger", "dot"},         {"CGer", "dot"},        {"ScipyGer", "dot"},
    {"BatchedDot", "bdot"}, {"_batched_dot", "bdot"}, {"batched_dot", "bdot"},
    {"GemmBatch", "bdot"},
};

/* Prefixes of the same op on another device, or in place. */
static const char *const prefixes[] = {"Gpu", "Inplace"};

/* Words that state whether an op works in place: tensor/blas.py, tensor/subtensor.py and
 * tensor/elemwise.py; tensor/blas_scipy.py for the latter two. */
static const char *const marks[] = {"inplace", "no_inplace", "destructive"};

/* A part of a text. */
struct piece {
    const char *at, *end;
};

struct form {
    struct piece in;
    char *out;
    size_t used;
    bool work;
};

static bool in_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is(struct piece word, const char *name)
{
    size_t size = strlen(name);
    return (size_t)(word.end - word.at) == size && memcmp(word.at, name, size) == 0;
}

static bool begins(struct piece in, const char *with)
{
    size_t size = strlen(with);
    return (size_t)(in.end - in.at) >= size && memcmp(in.at, with, size) == 0;
}

/* Takes the word at the start. Empty if there is none. */
static struct piece take_word(struct piece *in)
{
    struct piece word = {in->at, in->at};
    while (word.end < in->end && in_word(*word.end))
        word.end++;
    in->at = word.end;
    return word;
}

static struct piece without_prefixes(struct piece word)
{
    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
        size_t size = strlen(prefixes[i]);
        if (begins(word, prefixes[i]) && word.at + size < word.end && is_upper(word.at[size]))
            word.at += size;
    }
    return word;
}

static const char *common(struct piece word)
{
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
        if (is(word, table[i].name))
            return table[i].as;
    return NULL;
}

static bool is_mark(struct piece word, struct piece rest)
{
    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
        if (is(word, marks[i]))
            return true;
    return is(word, "non") && begins(rest, "-destructive");
}

/* Skips "=True" in inplace=True, "-destructive" in non-destructive. */
static void skip_mark(struct piece *in)
{
    if (in->at < in->end && (*in->at == '=' || *in->at == '-')) {
        in->at++;
        take_word(in);
    }
}

/* Skips "{...}", with nested brackets. */
static void skip_options(struct piece *in)
{
    unsigned depth = 0;
    if (in->at == in->end || *in->at != '{')
        return;
    do {
        depth += *in->at == '{';
        depth -= *in->at == '}';
        in->at++;
    } while (depth > 0 && in->at < in->end);
}

/* Skips "[(0, 1)]" after an Elemwise: the inputs that its outputs overwrite. */
static bool skip_pattern(struct piece *in)
{
    if (!begins(*in, "[("))
        return false;
    const char *at = in->at + 1;
    while (at < in->end && (strchr("(), ", *at) || (*at >= '0' && *at <= '9')) && *at)
        at++;
    if (at == in->end || *at != ']')
        return false;
    in->at = at + 1;
    return true;
}

static void put(struct form *form, const char *bytes, size_t size)
{
    memcpy(form->out + form->used, bytes, size);
    form->used += size;
}

static bool ends_in(const struct form *form, const char *end)
{
    size_t size = strlen(end);
    return form->used >= size && memcmp(form->out + form->used - size, end, size) == 0;
}

static void put_word(struct form *form)
{
    struct piece word = take_word(&form->in);
    struct piece bare = without_prefixes(word);
    const char *as = form->work ? common(bare) : NULL;
    if (as) {
        put(form, as, strlen(as));
        skip_options(&form->in);
    } else if (is_mark(word, form->in)) {
        skip_mark(&form->in);
    } else if (begins(word, "0x")) {
        put(form, "0x", 2);
    } else {
        /* Elemwise{Add}[(0, 0)] is the in-place form of Elemwise{add,no_inplace}. */
        bool scalar = ends_in(form, "Elemwise{");
        put(form, bare.at, (size_t)(bare.end - bare.at));
        char *first = form->out + form->used - (bare.end - bare.at);
        if (scalar && is_upper(*first))
            *first = (char)(*first + ('a' - 'A'));
    }
}

/* Writes a punctuation character. Removes the rest of a list from which a word was dropped. */
static void put_sign(struct form *form, char c)
{
    form->in.at++;
    if (c == ' ' || (c == ',' && ends_in(form, "{")))
        return;
    while (c == '}' && ends_in(form, ","))
        form->used--;
    if (c == '}' && ends_in(form, "{"))
        form->used--;
    else
        put(form, &c, 1);
}

size_t model_alike(const struct model_text *text, bool work, char *out)
{
    struct form form = {.in = {text->raw, text->raw + text->raw_size}, .out = out, .work = work};
    while (form.in.at < form.in.end) {
        if (in_word(*form.in.at))
            put_word(&form);
        else if (!skip_pattern(&form.in))
            put_sign(&form, *form.in.at);
    }
    return form.used;
}

const char *model_alike_name(const struct model_text *text)
{
    struct piece in = {text->raw, text->raw + text->raw_size};
    struct piece word = take_word(&in);
    bool whole = in.at == in.end || *in.at == '{' || *in.at == '(';
    return whole ? common(without_prefixes(word)) : NULL;
}

/* Returns the inputs of an apply: the text after its name and options. */
static struct piece inputs_of(const struct model_text *text)
{
    struct piece in = {text->raw, text->raw + text->raw_size};
    take_word(&in);
    skip_options(&in);
    while (in.at < in.end && *in.at != '(')
        in.at++;
    in.at += in.at < in.end;
    in.end -= in.at < in.end && in.end[-1] == ')';
    return in;
}

/* Takes the next input, up to a comma outside brackets. */
static bool take_input(struct piece *in, struct piece *input)
{
    unsigned depth = 0;
    while (in->at < in->end && *in->at == ' ')
        in->at++;
    *input = (struct piece){in->at, in->at};
    for (; input->end < in->end && (depth > 0 || *input->end != ','); input->end++) {
        depth += strchr("([{", *input->end) && *input->end;
        depth -= depth > 0 && strchr(")]}", *input->end) && *input->end;
    }
    in->at = input->end + (input->end < in->end);
    return input->end > input->at;
}

unsigned model_alike_inputs(const struct model_text *a, const struct model_text *b)
{
    struct piece in = inputs_of(a), input, other;
    unsigned common_inputs = 0;
    while (take_input(&in, &input)) {
        struct piece of = inputs_of(b);
        bool number = *input.at == '-' || (*input.at >= '0' && *input.at <= '9');
        bool found = false;
        while (!number && !found && take_input(&of, &other))
            found = input.end - input.at == other.end - other.at &&
                    memcmp(input.at, other.at, (size_t)(input.end - input.at)) == 0;
        common_inputs += found;
    }
    return common_inputs;
}

struct model_text model_alike_class(const struct model_text *name)
{
    struct model_text text = *name;
    const char *at = text.raw + text.raw_size;
    while (at > text.raw && in_word(at[-1]))
        at--;
    if (at == text.raw + text.raw_size || at == text.raw || at[-1] != '.')
        return text;
    text.raw_size -= (uint32_t)(at - text.raw);
    text.raw = at;
    text.shown = at; /* a class name is shown unchanged */
    text.shown_size = text.raw_size;
    return text;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_markdown.c: the summary in Markdown: its figures, its size, what it leaves out, and names
 * that try to be markup.
 */
#include "model/markdown.h"

#include <stdlib.h>

#include "sample.h"

static const struct model_link live = {.state = MODEL_LIVE};

static void keep(void *to, const char *bytes, size_t size)
{
    fwrite(bytes, 1, size, to);
}

static char *print_state(const struct model_state *state, const struct model_link *link)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    const struct model_sink sink = {keep, file};
    const struct model_report report = {
        .state = state, .link = link, .word = "live", .time_ns = 1700000000000000000u};
    ck_assert(model_markdown_write(&report, &sink));
    fclose(file);
    ck_assert_uint_le(size, MODEL_MARKDOWN_MOST);
    ck_assert_uint_eq(size, strlen(text));
    return text;
}

static char *print_job(struct model_job *job)
{
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    char *text = print_state(state, &live);
    model_state_free(&state);
    return text;
}

static const char *span(const char *name, bool cell)
{
    static char out[MODEL_MARKDOWN_SPAN + 1];
    const size_t size = model_markdown_span(name, strlen(name), MODEL_MARKDOWN_NAME, cell, out);
    ck_assert_uint_le(size, MODEL_MARKDOWN_SPAN);
    out[size] = '\0';
    return out;
}

static const struct {
    const char *name, *span, *cell;
} spans[] = {
    {"Dot", "`Dot`", "`Dot`"},
    {"", "-", "-"},
    {"a|b", "`a|b`", "`a\\|b`"},
    {"a\\|b", "`a\\|b`",
     "`a\\\xC2\xA6"
     "b`"},
    {"a`b", "``a`b``", "``a`b``"},
    {"`", "`` ` ``", "`` ` ``"},
    {" a ", "`  a  `", "`  a  `"},
    {"[x](http://e.example) @root <b>", "`[x](http:e.example) @root <b>`",
     "`[x](http:e.example) @root <b>`"},
    {"/home/anna/my/train.py:12", "`train.py:12`", "`train.py:12`"},
    {"f at /home/anna/t.py:3", "`f at t.py:3`", "`f at t.py:3`"},
    {"~/secret/t.py", "`t.py`", "`t.py`"},
    {"x='/srv/data/a.bin'", "`x='a.bin'`", "`x='a.bin'`"},
    {"file:///home/anna/x", "`file:x`", "`file:x`"},
    {"/home/anna/", "-", "-"},
    {"Composite{(i0 / i1) / i2}", "`Composite{(i0 / i1) / i2}`", "`Composite{(i0 / i1) / i2}`"},
    {"aten/add", "`aten/add`", "`aten/add`"},
};

START_TEST(names_are_code)
{
    ck_assert_str_eq(span(spans[_i].name, false), spans[_i].span);
    ck_assert_str_eq(span(spans[_i].name, true), spans[_i].cell);
}
END_TEST

/* Reads a span as a renderer does: the fence, one blank off both ends, and in a cell \| is |. */
static size_t render(const char *text, bool cell, char *out)
{
    const size_t fence = strspn(text, "`");
    size_t size = strlen(text);
    ck_assert_uint_gt(fence, 0);
    ck_assert_uint_ge(size, 2 * fence + 1);
    for (size_t i = 0; i < fence; i++)
        ck_assert_int_eq(text[size - 1 - i], '`');
    text += fence;
    size -= 2 * fence;
    for (size_t i = 0, row = 0; i < size; i++) { /* no other fence of this length */
        row = text[i] == '`' ? row + 1 : 0;
        ck_assert(row != fence || (i + 1 < size && text[i + 1] == '`'));
    }
    if (size > 2 && text[0] == ' ' && text[size - 1] == ' ' && strspn(text, " ") < size) {
        text++;
        size -= 2;
    }
    size_t used = 0;
    for (size_t i = 0; i < size; i++) {
        ck_assert(!cell || text[i] != '|' || text[i - 1] == '\\');
        if (cell && text[i] == '\\' && i + 1 < size && text[i + 1] == '|')
            i++;
        out[used++] = text[i];
    }
    out[used] = '\0';
    return used;
}

/* Property: of random hostile names a renderer reads the name back. */
START_TEST(hostile_names_read_back)
{
    static const char *const pieces[] = {
        "`",  "``", "|",        "\\",           " ",  "a", "Op",   "<img>", "*", "_", "[", "](x)",
        "@a", "#",  "\xC3\xA9", "\xE5\xB1\xA4", "~~", "-", "&lt;", "$x$"};
    enum { PIECES = sizeof pieces / sizeof pieces[0] };
    struct sample_random random = {(uint64_t)_i + 77};
    for (unsigned n = 0; n < 500; n++) {
        char name[80] = "", out[MODEL_MARKDOWN_SPAN + 1];
        for (uint64_t i = 1 + sample_below(&random, 12); i > 0; i--)
            strcat(name, pieces[sample_below(&random, PIECES)]);
        if (strspn(name, " ") == strlen(name))
            continue; /* all blank: a renderer takes nothing off */
        render(span(name, false), false, out);
        ck_assert_str_eq(out, name);
        render(span(name, true), true, out);
        if (!strstr(name, "\\|"))
            ck_assert_str_eq(out, name);
    }
}
END_TEST

START_TEST(long_names_are_cut_at_a_character)
{
    char name[400] = "";
    for (int i = 0; i < 60; i++)
        strcat(name, i % 2 ? "\xE5\xB1\xA4" : "x");
    const char *cut = span(name, true);
    ck_assert_uint_le(strlen(cut), MODEL_MARKDOWN_NAME + 2);
    ck_assert_ptr_nonnull(strstr(cut, "\xE2\x80\xA6`"));
    ck_assert(strncmp(cut + 1, name, strlen(cut) - 5) == 0);
    ck_assert_int_ne((unsigned char)name[strlen(cut) - 5] & 0xC0, 0x80);
}
END_TEST

START_TEST(it_says_where_the_time_goes)
{
    struct model_job *job = sample_waiting();
    struct model_identity *who = model_job_identity_mutable(job);
    static const char
        program[] = "/home/anna/train.py --token=s3cret",
        facts[] =
            "tip.1=*0-1:Here are tips\ntip.2=0:  - Try the flag `fast`\ntip.3=9:  - of another";
    model_job_set_text(job, &who->program, program, sizeof program - 1);
    model_job_set_text(job, &who->framework, "PyTensor", 8);
    model_job_set_text(job, &who->host, "gpu01", 5);
    model_job_set_text(job, &who->facts, facts, sizeof facts - 1);
    sample_calls(job, 0, 3, 3, 0);
    who->pid = 4711;
    who->dropped = 12;
    model_job_add_notice(job, 4, 1, "sizes are missing", 17);
    char *text = print_job(job);
    ck_assert_ptr_nonnull(strstr(text, "## proftop: `train.py` with `PyTensor`\n"));
    ck_assert_ptr_nonnull(strstr(text, "2023-11-14 22:13 UTC"));
    ck_assert_ptr_nonnull(strstr(text, "work (the 100 %) 12.0us"));
    ck_assert_ptr_nonnull(strstr(
        text,
        "- Waits (no part of the 100 %; w marks a share without it): 91.5us: `WaitForAll` 90.0us"));
    ck_assert_ptr_nonnull(strstr(text, "| 87.5 | 87.5 | 10.5us | 300ns |"));
    ck_assert_ptr_nonnull(strstr(text, " `Dot` |\n"));
    ck_assert_ptr_nonnull(strstr(text, "- Lost: things that the job dropped 12\n"));
    ck_assert_ptr_nonnull(strstr(text, "- `` Try the flag `fast` ``\n"));
    ck_assert_ptr_nonnull(strstr(text, "- `sizes are missing`\n"));
    ck_assert_ptr_null(strstr(text, "of another"));
    static const char *const secret[] = {"anna", "s3cret", "gpu01", "4711", "/home"};
    for (unsigned i = 0; i < sizeof secret / sizeof secret[0]; i++)
        ck_assert_msg(!strstr(text, secret[i]), "%s is there", secret[i]);
    free(text);
    model_job_release(&job);
}
END_TEST

START_TEST(an_interval_has_its_columns)
{
    struct model_job *job = sample_job();
    struct model_state *before = model_state_take(job, MODEL_ALL, NULL);
    char *text = print_state(before, &live);
    ck_assert_ptr_null(strstr(text, "+TIME"));
    free(text);
    sample_value(job, 0, 14, 5000);
    model_job_set_values_stamp(job, 1000001000);
    model_job_set_stamp(job, 1000001000, 2000);
    struct model_state *after = model_state_take(job, MODEL_ALL, before);
    text = print_state(after, &live);
    ck_assert_ptr_nonnull(
        strstr(text, "- Changed in the last 1.00s: work +4.00us, calls of ops +4"));
    ck_assert_ptr_nonnull(strstr(text, "| +TIME |"));
    free(text);
    model_state_free(&before);
    model_state_free(&after);
    model_job_release(&job);
}
END_TEST

/* 5,000 rows, each as long and as hostile as it can be: whole lines, in the limit. */
START_TEST(size_is_bounded)
{
    struct model_job *job = sample_empty();
    struct model_link link = {.state = MODEL_LIVE, .gaps = UINT64_MAX, .malformed = UINT64_MAX};
    char name[300];
    for (uint32_t i = 0; i < 50; i++) {
        snprintf(name, sizeof name, "%u|`|```\\|", (unsigned)i);
        for (size_t at = strlen(name); at < 290; at++)
            name[at] = "|`\\ "[(at + i) % 4], name[at + 1] = '\0';
        sample_class(job, name);
        sample_function(job, name, MODEL_NONE);
    }
    for (uint32_t i = 0; i < 5000; i++) {
        snprintf(name, 40, "%u|", (unsigned)i);
        name[strlen(name)] = '`';
        name[299] = '\0';
        sample_op(job, i % 50, name);
        const struct model_apply_raw raw = {.text = sample_bytes(name),
                                            .location = sample_bytes(name),
                                            .function = i % 50,
                                            .op = i,
                                            .index = i};
        ck_assert(model_job_add_apply(job, &raw));
        sample_value(job, i, UINT64_MAX / 8, UINT64_MAX / 16 + i);
    }
    for (uint32_t i = 0; i < 20; i++)
        model_job_add_notice(job, i, 2, name, strlen(name));
    struct model_state *state = model_state_take(job, MODEL_ALL, NULL);
    char *text = print_state(state, &link);
    ck_assert_uint_gt(strlen(text), 4000);
    ck_assert_int_eq(text[strlen(text) - 1], '\n');
    ck_assert_ptr_nonnull(strstr(text, "Left out: host"));
    free(text);
    model_state_free(&state);
    model_job_release(&job);
}
END_TEST

START_TEST(a_job_without_figures_is_said)
{
    char *text = print_state(NULL, &live);
    ck_assert_ptr_nonnull(strstr(text, "## proftop: the job has sent nothing yet\n"));
    free(text);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("markdown");
    tap_add_loop(s, "names_are_code", names_are_code, TAP_ROWS(spans));
    tap_add_loop(s, "hostile_names_read_back", hostile_names_read_back, 20);
    tap_add(s, "long_names_are_cut_at_a_character", long_names_are_cut_at_a_character);
    tap_add(s, "it_says_where_the_time_goes", it_says_where_the_time_goes);
    tap_add(s, "an_interval_has_its_columns", an_interval_has_its_columns);
    tap_add(s, "size_is_bounded", size_is_bounded);
    tap_add(s, "a_job_without_figures_is_said", a_job_without_figures_is_said);
    return s;
}

TAP_MAIN(suite)

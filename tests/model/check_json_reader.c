/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_json_reader.c: JSON read value by value: complete, in pieces, cut off and hostile.
 */
#include "model/json_reader.h"

#include "model/job.h"
#include "../tap.h"

/* A text that arrives in pieces of `step` bytes. */
struct text {
    const char *at, *end;
    size_t step;
};

static size_t read_text(void *from, char *bytes, size_t size)
{
    struct text *text = from;
    size_t left = (size_t)(text->end - text->at);
    size = size < text->step ? size : text->step;
    size = size < left ? size : left;
    memcpy(bytes, text->at, size);
    text->at += size;
    return size;
}

static struct text text;
static struct model_reader reader;
static struct model_get get;

static void begin(const char *json, size_t step)
{
    text = (struct text){json, json + strlen(json), step};
    reader = (struct model_reader){read_text, &text};
    model_get_init(&get, &reader);
}

static const size_t steps[] = {1, 2, 3, 7, 100000};

START_TEST(values_are_read)
{
    begin(" {\"a\" : [1, 18446744073709551614,0], \"b\":\"x\\n\\u00e9\\ud83d\\ude00\\\"\",\n"
          "\"c\": null, \"d\":true,\"e\":{\"f\":[{},[]]}, \"g\": -1.5e3, \"h\":\"\"} [7]",
          steps[_i]);
    ck_assert(model_get_object(&get));
    ck_assert(model_get_key(&get));
    ck_assert_str_eq(get.text, "a");
    ck_assert(model_get_list(&get));
    const uint64_t numbers[] = {1, UINT64_MAX - 1, 0};
    for (int i = 0; i < 3; i++) {
        ck_assert(model_get_item(&get));
        ck_assert_uint_eq(model_get_u64(&get), numbers[i]);
    }
    ck_assert(!model_get_item(&get));
    ck_assert(model_get_key(&get));
    model_get_text(&get);
    ck_assert_str_eq(get.text, "x\n\xc3\xa9\xf0\x9f\x98\x80\"");
    ck_assert(model_get_key(&get));
    ck_assert_uint_eq(model_get_u64(&get), MODEL_UNKNOWN);
    ck_assert(model_get_key(&get));
    model_get_skip(&get);
    ck_assert(model_get_key(&get));
    model_get_skip(&get);
    ck_assert(model_get_key(&get));
    ck_assert_str_eq(get.text, "g");
    ck_assert_uint_eq(model_get_u64(&get), MODEL_UNKNOWN);
    ck_assert(model_get_key(&get));
    model_get_text(&get);
    ck_assert_uint_eq(get.size, 0);
    ck_assert(!model_get_key(&get));
    ck_assert(model_get_more(&get));
    ck_assert(model_get_list(&get) && model_get_item(&get));
    ck_assert_uint_eq(model_get_u64(&get), 7);
    ck_assert(!model_get_item(&get) && !model_get_more(&get));
    ck_assert_ptr_null(get.wrong);
    model_get_release(&get);
}
END_TEST

static const struct {
    const char *json, *text;
} texts[] = {
    {"\"\"", ""},
    {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t"},
    {"\"\\ud83d\"", "\xef\xbf\xbd"},
    {"\"\\ude00x\"", "\xef\xbf\xbdx"},
    {"\"\\ud83dx\"", "\xef\xbf\xbdx"},
    {"\"\\ud83d\\ud83d\\ude00\"", "\xef\xbf\xbd\xf0\x9f\x98\x80"},
    {"\"\\u0041\\u00Df\"", "A\xc3\x9f"},
    {"7", ""},
    {"null", ""},
    {"[\"x\"]", ""},
};

START_TEST(texts_are_read)
{
    begin(texts[_i].json, 1);
    model_get_text(&get);
    ck_assert_msg(!get.wrong, "%s", texts[_i].json);
    ck_assert_uint_eq(get.size, strlen(texts[_i].text));
    ck_assert(get.size == 0 || memcmp(get.text, texts[_i].text, get.size) == 0);
    ck_assert(!model_get_more(&get));
    model_get_release(&get);
}
END_TEST

static const char *const wrong[] = {
    "",    "{",   "[",    "\"",      "{\"a\"", "{\"a\":", "{\"a\":1",    "{\"a\":1,",
    "[1,", "tru", "\"\\", "\"\\u12", "nul",    "-",       "\"\\ud83d\\", "{\"a\":[{\"b\":[",
};
static const char *const bad[] = {
    "{a:1}", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "{,}",      "{\"a\":1,}", "[1 2]", "[,]", "[1,]",
    "truth", "\"\\x\"",   "\"\\uzz00\"",       "\"a\nb\"", "+x",         "]",     "}",   "{\"a\":}",
    "\1",
};

/* The reader distinguishes a truncated text from a wrong one. It reads nothing behind the end. */
START_TEST(truncated_json_is_reported)
{
    begin(wrong[_i], 1);
    model_get_skip(&get);
    ck_assert_ptr_nonnull(get.wrong);
    ck_assert_msg(strcmp(get.wrong, "is cut off") == 0 && get.over, "%s: %s", wrong[_i], get.wrong);
    ck_assert(!model_get_key(&get) && !model_get_item(&get) && !model_get_object(&get));
    ck_assert_uint_eq(model_get_u64(&get), MODEL_UNKNOWN);
    model_get_release(&get);
}
END_TEST

START_TEST(invalid_json_is_reported)
{
    begin(bad[_i], 1);
    model_get_skip(&get);
    ck_assert_msg(get.wrong && strcmp(get.wrong, "is not JSON") == 0, "%s: %s", bad[_i],
                  get.wrong ? get.wrong : "good");
    model_get_release(&get);
}
END_TEST

/* An endless source. */
static size_t endless(void *from, char *bytes, size_t size)
{
    memset(bytes, *(const char *)from, size);
    return size;
}

START_TEST(nothing_grows_without_end)
{
    static char bracket[] = "[";
    reader = (struct model_reader){endless, bracket};
    model_get_init(&get, &reader);
    model_get_skip(&get);
    ck_assert_str_eq(get.wrong, "is nested deeper than any report");
    model_get_release(&get);
    char *json = malloc(2 * MODEL_GET_TEXT);
    ck_assert_ptr_nonnull(json);
    memset(json, 'x', 2 * MODEL_GET_TEXT);
    json[0] = '"';
    json[2 * MODEL_GET_TEXT - 1] = '\0';
    begin(json, 4096);
    model_get_text(&get);
    ck_assert_str_eq(get.wrong, "has a text of more than 1 MiB");
    ck_assert_uint_le(get.capacity, 2 * MODEL_GET_TEXT);
    model_get_release(&get);
    json[1000001] = '"';
    json[1000002] = '\0';
    begin(json, 4096);
    model_get_text(&get);
    ck_assert_uint_eq(get.size, 1000000);
    ck_assert_ptr_null(get.wrong);
    model_get_release(&get);
    free(json);
}
END_TEST

#define ROWS(table) ((int)(sizeof(table) / sizeof((table)[0])))

static Suite *suite(void)
{
    Suite *s = suite_create("get");
    tap_add_loop(s, "values_are_read", values_are_read, ROWS(steps));
    tap_add_loop(s, "texts_are_read", texts_are_read, ROWS(texts));
    tap_add_loop(s, "truncated_json_is_reported", truncated_json_is_reported, ROWS(wrong));
    tap_add_loop(s, "invalid_json_is_reported", invalid_json_is_reported, ROWS(bad));
    tap_add(s, "nothing_grows_without_end", nothing_grows_without_end);
    return s;
}
TAP_MAIN(suite)

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_text.c: names from outside: repaired, safe for the screen, cut, folded.
 */
#include "model/text.h"

#include <stdio.h>
#include <string.h>

#include "../tap.h"

#define BAD "\xEF\xBF\xBD"

struct sample {
    const char *bytes, *raw, *shown;
    size_t size; /* 0: up to the NUL */
};

static const struct sample samples[] = {
    {"", "", "", 0},
    {"Elemwise{add}(x, y)", "Elemwise{add}(x, y)", "Elemwise{add}(x, y)", 0},
    {"層正規化Op{軸=1}", "層正規化Op{軸=1}", "層正規化Op{軸=1}", 0},
    /* Escape sequences, C0, DEL, C1 in UTF-8. */
    {"\033]0;x\007", "\033]0;x\007", BAD "]0;x" BAD, 0},
    {"a\tb\nc\177", "a\tb\nc\177", "a" BAD "b" BAD "c" BAD, 0},
    {"a\xC2\x9B"
     "31m",
     "a\xC2\x9B"
     "31m",
     "a" BAD "31m", 0},
    /* 8-bit C1, lone continuation, overlong, surrogate, beyond the last character, cut short. */
    {"a\x9B"
     "b",
     "a" BAD "b", "a" BAD "b", 0},
    {"\xC0\xAF", BAD BAD, BAD BAD, 0},
    {"\xED\xA0\x80", BAD BAD BAD, BAD BAD BAD, 0},
    {"\xF4\x90\x80\x80", BAD BAD BAD BAD, BAD BAD BAD BAD, 0},
    {"x\xE5\xB1", "x" BAD BAD, "x" BAD BAD, 0},
    {"a\0b", "a" BAD "b", "a" BAD "b", 3},
    /* Bidi controls, zero width, line separators, soft hyphen, private use, not a character. */
    {"a\u202Eb", "a\u202Eb", "a" BAD "b", 0},
    {"\u2066\u2069\u200E\u200F\u061C", "\u2066\u2069\u200E\u200F\u061C", BAD BAD BAD BAD BAD, 0},
    {"\u200B\u200C\u200D\u2060\uFEFF", "\u200B\u200C\u200D\u2060\uFEFF", BAD BAD BAD BAD BAD, 0},
    {"\u2028\u2029\u00AD", "\u2028\u2029\u00AD", BAD BAD BAD, 0},
    {"\uE000\uFFFE\U000E0041", "\uE000\uFFFE\U000E0041", BAD BAD BAD, 0},
    {"\uFE0F\U0001F3FD\u3164", "\uFE0F\U0001F3FD\u3164", BAD BAD BAD, 0},
    /* Up to two marks on a base are kept. A mark without a base is replaced. */
    {"e\u0301\u0302", "e\u0301\u0302", "e\u0301\u0302", 0},
    {"e\u0301\u0302\u0303x", "e\u0301\u0302\u0303x", "e\u0301\u0302" BAD "x", 0},
    {"\u0301x", "\u0301x", BAD "x", 0},
    {"\u202E\u0301", "\u202E\u0301", BAD BAD, 0},
    {"\u1112\u1161\u11AB\u11AB", "\u1112\u1161\u11AB\u11AB", "\u1112\u1161\u11AB" BAD, 0},
    {"\u00A0\u3000é", "\u00A0\u3000é", "\u00A0\u3000é", 0},
};

START_TEST(both_forms)
{
    const struct sample *s = &samples[_i];
    struct model_arena arena = {0};
    struct model_text text;
    size_t size = s->size ? s->size : strlen(s->bytes);
    ck_assert(model_text_make(&arena, s->bytes, size, &text));
    ck_assert_str_eq(text.raw, s->raw);
    ck_assert_str_eq(text.shown, s->shown);
    ck_assert_uint_eq(text.raw_size, strlen(s->raw));
    ck_assert_uint_eq(text.shown_size, strlen(s->shown));
    char out[256];
    ck_assert_uint_eq(model_text_safe(s->bytes, size, out, sizeof(out)), strlen(s->shown));
    ck_assert_str_eq(out, s->shown);
    model_arena_release(&arena);
}
END_TEST

/* Makes a name of `size` bytes 'a', then a tail. */
static void make_long(struct model_arena *arena, size_t size, const char *tail,
                      struct model_text *text)
{
    char *bytes = malloc(size + strlen(tail) + 1);
    memset(bytes, 'a', size);
    strcpy(bytes + size, tail);
    ck_assert(model_text_make(arena, bytes, size + strlen(tail), text));
    free(bytes);
}

START_TEST(long_names)
{
    struct model_arena arena = {0};
    struct model_text fits, one, other;
    make_long(&arena, MODEL_TEXT_KEPT, "", &fits);
    ck_assert_uint_eq(fits.raw_size, MODEL_TEXT_KEPT);
    make_long(&arena, MODEL_TEXT_KEPT, "b", &one);
    make_long(&arena, MODEL_TEXT_KEPT, "c", &other);
    /* FNV-1a of "b" is af63df4c8601f1a5. */
    ck_assert_str_eq(one.raw + MODEL_TEXT_KEPT, "...(+1 bytes, af63df4c8601f1a5)");
    ck_assert_str_eq(one.shown, one.raw);
    ck_assert_str_ne(one.raw, other.raw);
    /* Cut between characters: three bytes do not fit into two. */
    make_long(&arena, MODEL_TEXT_KEPT - 2, "層", &one);
    ck_assert_uint_eq(strspn(one.raw, "a"), MODEL_TEXT_KEPT - 2);
    ck_assert_str_eq(strstr(one.raw, "...(+"), strstr(one.shown, "...(+"));
    ck_assert_ptr_nonnull(strstr(one.raw, "...(+3 bytes, "));
    model_arena_release(&arena);
}
END_TEST

START_TEST(every_byte_hostile)
{
    struct model_arena arena = {0};
    struct model_text text;
    char bytes[3 * MODEL_TEXT_KEPT];
    memset(bytes, 1, sizeof(bytes));
    ck_assert(model_text_make(&arena, bytes, sizeof(bytes), &text));
    ck_assert_uint_eq(strspn(text.raw, "\1"), MODEL_TEXT_KEPT);
    ck_assert_uint_eq(strspn(text.shown, BAD), 3 * MODEL_TEXT_KEPT);
    memset(bytes, 0xFF, sizeof(bytes));
    ck_assert(model_text_make(&arena, bytes, sizeof(bytes), &text));
    ck_assert_uint_eq(strspn(text.raw, BAD), MODEL_TEXT_KEPT / 3 * 3);
    model_arena_release(&arena);
    ck_assert_uint_eq(arena.bytes, 0);
}
END_TEST

/* For any bytes, the screen form is stable text without control characters. */
START_TEST(random_bytes)
{
    uint64_t seed = 0x9E3779B97F4A7C15u * (uint64_t)(_i + 1);
    for (unsigned round = 0; round < 200; round++) {
        char bytes[64], once[256], twice[1024];
        for (unsigned i = 0; i < sizeof(bytes); i++) {
            seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
            bytes[i] = (char)(seed >> 32);
        }
        size_t size = model_text_safe(bytes, sizeof(bytes), once, sizeof(once));
        ck_assert_uint_eq(model_text_safe(once, size, twice, sizeof(twice)), size);
        ck_assert_str_eq(once, twice);
        ck_assert_uint_eq(strlen(once), size);
        for (size_t i = 0; i < size; i++)
            ck_assert((unsigned char)once[i] >= 0x20 && once[i] != 0x7F);
    }
}
END_TEST

START_TEST(cut_at_a_character)
{
    char out[6] = "#####";
    ck_assert_uint_eq(model_text_safe("層層", 6, out, 6), 3);
    ck_assert_str_eq(out, "層");
    ck_assert_uint_eq(model_text_safe("abc", 3, out, 3), 2);
    ck_assert_str_eq(out, "ab");
    ck_assert_uint_eq(model_text_safe("abc", 3, out, 1), 0);
    ck_assert_str_eq(out, "");
    out[0] = 'x';
    ck_assert_uint_eq(model_text_safe("abc", 3, out, 0), 0);
    ck_assert_int_eq(out[0], 'x');
}
END_TEST

static const struct {
    const char *text, *folded;
} folds[] = {
    {"Elemwise{ADD}", "elemwise{add}"},
    {"ÄÖÜ", "äöü"},
    {"ΣΑΣ", "σασ"},
    {"ς", "σ"},
    {"STRASSE", "strasse"},
    {"ß", "ss"},
    {"層", "層"},
    {"", ""},
};

START_TEST(folding)
{
    char out[64];
    const char *text = folds[_i].text;
    model_text_fold(text, strlen(text), out, sizeof(out));
    ck_assert_str_eq(out, folds[_i].folded);
}
END_TEST

static const struct {
    const char *text;
    uint8_t first, last;
} ids[] = {
    {"0f000000000000000000000000000a9c", 0x0f, 0x9c},
    {"ffffffffffffffffffffffffffffffff", 0xff, 0xff},
    {"0F000000000000000000000000000a9c", 0, 0},
    {"0f000000000000000000000000000a9", 0, 0},
    {"0f000000000000000000000000000a9cc", 0, 0},
    {"0f000000000000000000000000000a9g", 0, 0},
    {"", 0, 0},
};

/* An invalid id sets all bytes to 0, never only some. */
START_TEST(ids_are_32_digits)
{
    static const uint8_t zero[16];
    uint8_t out[16];
    memset(out, 0x55, sizeof out);
    model_text_hex(ids[_i].text, strlen(ids[_i].text), out);
    ck_assert_uint_eq(out[0], ids[_i].first);
    ck_assert_uint_eq(out[15], ids[_i].last);
    if (ids[_i].last == 0)
        ck_assert_mem_eq(out, zero, sizeof out);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("text");
    tap_add_loop(s, "both_forms", both_forms, TAP_ROWS(samples));
    tap_add(s, "long_names", long_names);
    tap_add(s, "every_byte_hostile", every_byte_hostile);
    tap_add_loop(s, "random_bytes", random_bytes, 8);
    tap_add(s, "cut_at_a_character", cut_at_a_character);
    tap_add_loop(s, "folding", folding, TAP_ROWS(folds));
    tap_add_loop(s, "ids_are_32_digits", ids_are_32_digits, TAP_ROWS(ids));
    return s;
}
TAP_MAIN(suite)

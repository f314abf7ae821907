/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_report.c: the statistics as table and JSON: layout to the byte, orders, exact numbers,
 * escaped names.
 */
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "feed/shared/stats_report.h"

static struct wire_text text_of(const char *text)
{
    return (struct wire_text){.data = text, .size = (uint32_t)strlen(text)};
}

static void add_time(struct shared_report *report, const char *category, const char *name,
                     uint64_t count, int64_t total, int64_t min, int64_t max)
{
    struct shared_stat row = {.category = text_of(category),
                              .name = text_of(name),
                              .unit = SHARED_UNIT_TIME,
                              .count = count,
                              .total.i = total,
                              .min.i = min,
                              .max.i = max,
                              .mean = (double)total / (double)count};
    shared_report_add(report, &row);
}

static void expect_text(struct shared_text *out, const char *text)
{
    char *data = shared_text_take(out);
    ck_assert_ptr_nonnull(data);
    ck_assert_str_eq(data, text);
    free(data);
}

/* The expected lines were printed by MXNet's own profiler for these values. */
START_TEST(table_is_laid_out_as_the_original)
{
    struct shared_report report = {0};
    struct shared_text out = {0};
    add_time(&report, "operator", "FullyConnected", 3, 3709000, 1235000, 1238000);
    add_time(&report, "operator", "a name of more than twenty-five bytes", 1, 9000, 9000, 9000);
    struct shared_stat memory = {.category = text_of("Device Storage"),
                                 .name = text_of("Memory: cpu/0"),
                                 .unit = SHARED_UNIT_MEMORY,
                                 .count = 4,
                                 .total.i = 0,
                                 .min.i = 0,
                                 .max.i = 3000000,
                                 .mean = 1500000};
    shared_report_add(&report, &memory);
    shared_report_sort(&report, SHARED_BY_TOTAL, false);
    shared_report_table(&report, &out);
    expect_text(
        &out,
        "\nProfile Statistics:\n\tNote the difference in units for different entries.\n"
        "Device Storage\n"
        "=================\n"
        "Name                          Total Count    Min Use  (kB)    Max Use"
        "  (kB)    Avg Use  (kB)\n"
        "----                          -----------    -------------   "
        " -------------    -------------\n"
        "Memory: cpu/0                           4           0.0000       "
        " 3000.0000        1500.0000\n"
        "\n"
        "operator\n"
        "=================\n"
        "Name                          Total Count        Time (ms)    Min"
        " Time (ms)    Max Time (ms)    Avg Time (ms)\n"
        "----                          -----------        ---------   "
        " -------------    -------------    -------------\n"
        "FullyConnected                          3           3.7090          "
        " 1.2350           1.2380           1.2363\n"
        "a name of more than twenty-five bytes               1          "
        " 0.0090           0.0090           0.0090           0.0090\n"
        "\n");
    shared_report_release(&report);
}
END_TEST

START_TEST(json_is_exact_and_escaped)
{
    struct shared_report report = {0};
    struct shared_text out = {0};
    add_time(&report, "op\"er\\", "na\nme\xff", 12345, 126990000, 9000, INT64_C(1) << 61);
    struct shared_stat counter = {.category = text_of("d"),
                                  .name = text_of("c"),
                                  .unit = SHARED_UNIT_VALUE,
                                  .real = true,
                                  .count = 2,
                                  .total.d = 0.1,
                                  .min.d = -2.5,
                                  .max.d = 0.1,
                                  .mean = -1.2};
    shared_report_add(&report, &counter);
    struct shared_stat vague = {.category = text_of("operator"),
                                .name = text_of("set"),
                                .unit = SHARED_UNIT_TIME,
                                .vague = true,
                                .count = 2,
                                .total.i = 4,
                                .mean = 2};
    shared_report_add(&report, &vague);
    shared_report_sort(&report, SHARED_BY_TOTAL, false);
    shared_report_json(&report, &out);
    expect_text(&out,
                "{\n"
                "    \"Time\": {\n"
                "        \"op\\\"er\\\\\": {\n"
                "            \"na\\u000ame\xef\xbf\xbd\": {\"Count\": 12345, \"Total\": 126.99, "
                "\"Min\": 0.009, \"Max\": 2305843009213.693952, \"Avg\": 0.0102867557715674}},\n"
                "        \"operator\": {\n"
                "            \"set\": {\"Count\": 2, \"Total\": 0.000004, \"Min\": null, "
                "\"Max\": null, \"Avg\": 2e-06}}},\n"
                "    \"Memory\": {},\n"
                "    \"Value\": {\n"
                "        \"d\": {\n"
                "            \"c\": {\"Count\": 2, \"Last\": 0.10000000000000001, \"Min\": -2.5, "
                "\"Max\": 0.10000000000000001, \"Avg\": -1.2}}},\n"
                "    \"Unit\": {\"Time\": \"ms\", \"Memory\": \"kB\"}\n"
                "}\n");
    shared_report_release(&report);
}
END_TEST

/* None of these fits into a double. */
START_TEST(whole_numbers_have_all_their_digits)
{
    static const int64_t large = 9007199254740993;
    struct shared_report report = {0};
    struct shared_text out = {0};
    add_time(&report, "t", "time", 2, large, large - 1, large);
    struct shared_stat row = {.category = text_of("c"),
                              .name = text_of("count"),
                              .unit = SHARED_UNIT_VALUE,
                              .count = 1,
                              .total.i = large,
                              .min.i = large,
                              .max.i = large,
                              .mean = (double)large};
    shared_report_add(&report, &row);
    row = (struct shared_stat){.category = text_of("m"),
                               .name = text_of("memory of old"),
                               .unit = SHARED_UNIT_MEMORY,
                               .no_min = true,
                               .count = 3,
                               .max.i = large,
                               .mean = NAN};
    shared_report_add(&report, &row);
    shared_report_sort(&report, SHARED_BY_TOTAL, false);
    shared_report_table(&report, &out);
    char *table = shared_text_take(&out);
    static const char *const lines[] = {
        "count                                   1 9007199254740993.0000 9007199254740993.0000"
        " 9007199254740993.0000 9007199254740993.0000\n",
        "memory of old                           3                - 9007199254740.9930          "
        "      -\n",
        "time                                    2  9007199254.7410  9007199254.7410"
        "  9007199254.7410  4503599627.3705\n"};
    for (size_t i = 0; i < 3; i++)
        ck_assert_msg(strstr(table, lines[i]) != NULL, "%s", table);
    free(table);
    shared_report_json(&report, &out);
    expect_text(&out,
                "{\n"
                "    \"Time\": {\n"
                "        \"t\": {\n"
                "            \"time\": {\"Count\": 2, \"Total\": 9007199254.740993, \"Min\": "
                "9007199254.740992, \"Max\": 9007199254.740993, \"Avg\": 4503599627.3705}}},\n"
                "    \"Memory\": {\n"
                "        \"m\": {\n"
                "            \"memory of old\": {\"Count\": 3, \"Min\": null, \"Max\": "
                "9007199254740.993, \"Avg\": null}}},\n"
                "    \"Value\": {\n"
                "        \"c\": {\n"
                "            \"count\": {\"Count\": 1, \"Last\": 9007199254740993, \"Min\": "
                "9007199254740993, \"Max\": 9007199254740993, \"Avg\": 9007199254740993}}},\n"
                "    \"Unit\": {\"Time\": \"ms\", \"Memory\": \"kB\"}\n"
                "}\n");
    shared_report_release(&report);
}
END_TEST

/* Rounded as by printf(), except that halves are rounded away from 0. */
START_TEST(decimals_of_the_table_are_rounded)
{
    static const struct {
        int64_t ns;
        const char *text;
    } rows[] = {{0, " 0.0000 "},       {49, " 0.0000 "},      {50, " 0.0001 "},
                {149, " 0.0001 "},     {150, " 0.0002 "},     {999949, " 0.9999 "},
                {999950, " 1.0000 "},  {1000000, " 1.0000 "}, {INT64_MAX, "9223372036854.7758 "}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct shared_report report = {0};
        struct shared_text out = {0};
        add_time(&report, "t", "n", 1, rows[i].ns, rows[i].ns, rows[i].ns);
        shared_report_sort(&report, SHARED_BY_TOTAL, false);
        shared_report_table(&report, &out);
        ck_assert_msg(strstr(out.data, rows[i].text) != NULL, "%s: %s", rows[i].text, out.data);
        shared_text_release(&out);
        shared_report_release(&report);
    }
}
END_TEST

/* Total, mean, min, max and count each give these three another order. */
static const struct {
    enum shared_order order;
    const char *descending, *ascending;
} orders[] = {
    {SHARED_BY_TOTAL, "bac", "cab"}, {SHARED_BY_MEAN, "cba", "abc"},  {SHARED_BY_MIN, "cba", "abc"},
    {SHARED_BY_MAX, "acb", "bca"},   {SHARED_BY_COUNT, "abc", "cba"},
};

static void expect_order(enum shared_order order, bool ascending, const char *names)
{
    struct shared_report report = {0};
    add_time(&report, "operator", "a", 6, 60, 1, 50);
    add_time(&report, "operator", "b", 5, 100, 10, 30);
    add_time(&report, "operator", "c", 1, 40, 40, 40);
    shared_report_sort(&report, order, ascending);
    ck_assert_uint_eq(report.count, 3);
    for (size_t at = 0; at < 3; at++)
        ck_assert_int_eq(report.row[at].name.data[0], names[at]);
    shared_report_release(&report);
}

START_TEST(sorts_in_five_orders)
{
    expect_order(orders[_i].order, false, orders[_i].descending);
    expect_order(orders[_i].order, true, orders[_i].ascending);
}
END_TEST

START_TEST(equal_rows_go_by_name_backwards)
{
    for (int ascending = 0; ascending < 2; ascending++) {
        struct shared_report report = {0};
        add_time(&report, "z", "x", 1, 1, 1, 1);
        add_time(&report, "operator", "b", 1, 5, 5, 5);
        add_time(&report, "operator", "a", 1, 5, 5, 5);
        add_time(&report, "operator", "c", 1, 5, 5, 5);
        add_time(&report, "Z", "x", 1, 1, 1, 1);
        shared_report_sort(&report, SHARED_BY_TOTAL, ascending == 1);
        const char *categories[] = {"Z", "operator", "operator", "operator", "z"};
        const char names[] = "xcbax";
        for (size_t at = 0; at < 5; at++) {
            ck_assert_int_eq(report.row[at].category.data[0], categories[at][0]);
            ck_assert_int_eq(report.row[at].name.data[0], names[at]);
        }
        shared_report_release(&report);
    }
}
END_TEST

START_TEST(rows_of_one_name_are_one)
{
    struct shared_report report = {0};
    add_time(&report, "operator", "add", 2, 30, 10, 20);
    add_time(&report, "API", "add", 1, 7, 7, 7);
    add_time(&report, "operator", "add", 1, 3, 3, 3);
    shared_report_sort(&report, SHARED_BY_TOTAL, false);
    ck_assert_uint_eq(report.count, 2);
    const struct shared_stat *row = &report.row[1];
    ck_assert_uint_eq(row->count, 3);
    ck_assert_int_eq(row->total.i, 33);
    ck_assert_int_eq(row->min.i, 3);
    ck_assert_int_eq(row->max.i, 20);
    ck_assert(row->mean == 11);
    shared_report_release(&report);
}
END_TEST

/* Rows that only look equal in JSON are not merged. */
START_TEST(rows_that_are_printed_alike_are_two)
{
    struct shared_report report = {0};
    add_time(&report, "operator", "\xff", 1, 7, 7, 7);
    add_time(&report, "operator", "\xfe", 1, 3, 3, 3);
    add_time(&report, "operator", "\xff", 1, 7, 7, 7);
    shared_report_sort(&report, SHARED_BY_TOTAL, false);
    ck_assert_uint_eq(report.count, 2);
    for (size_t at = 0; at < 2; at++) {
        ck_assert_int_eq(report.row[at].total.i, at == 0 ? 14 : 3);
        ck_assert_int_eq(report.row[at].name.data[0], at == 0 ? '\xff' : '\xfe');
        ck_assert_uint_eq(report.row[at].number, at == 0 ? 2 : 1);
    }
    shared_report_release(&report);
}
END_TEST

static const struct {
    int64_t value;
    int digits;
    const char *text;
} decimals[] = {
    {0, 6, "0"},       {1, 6, "0.000001"},         {126990000, 6, "126.99"},
    {1000000, 6, "1"}, {-1500, 3, "-1.5"},         {12, 0, "12"},
    {-7, 0, "-7"},
    {INT64_MAX, 3, "9223372036854775.807"},
    {INT64_MIN, 0, "-9223372036854775808"},
};

START_TEST(prints_decimals_exactly)
{
    struct shared_text out = {0};
    shared_text_decimal(&out, decimals[_i].value, decimals[_i].digits);
    expect_text(&out, decimals[_i].text);
}
END_TEST

static const struct {
    const char *bytes, *quoted;
} texts[] = {
    {"", "\"\""},
    {"a\"b\\c\x01\x7f", "\"a\\\"b\\\\c\\u0001\\u007f\""},
    {"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\""},
    {"\xc3", "\"\xef\xbf\xbd\""},                 /* truncated */
    {"\xc0\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\""}, /* overlong */
    {"\xe0\x80\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
    {"\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""}, /* surrogate */
    {"\xf4\x90\x80\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
    {"\xff", "\"\xef\xbf\xbd\""},
    {"\xc2\x9b[m\xe2\x80\xae\xe2\x81\xa6", "\"\\u009b[m\\u202e\\u2066\""},
    {"\xe2\x80\xa8\xef\xbb\xbf\xf3\xa0\x81\x81", "\"\\u2028\\ufeff\\udb40\\udc41\""},
};

START_TEST(quotes_any_bytes)
{
    struct shared_text out = {0};
    shared_text_quoted(&out, text_of(texts[_i].bytes));
    expect_text(&out, texts[_i].quoted);
}
END_TEST

#define NONE "\xef\xbf\xbd"

/* Control characters for a terminal or an editor never appear in a table or a sentence. */
START_TEST(texts_of_a_table_are_plain)
{
    static const char wild[] = "a\x1b[m\xc2\x9b\xe2\x80\xae\xe2\x80\xa8\xef\xbb\xbf\xff\n\xc3\xa9";
    char sentence[64];
    struct shared_report report = {0};
    struct shared_text out = {0};
    add_time(&report, wild, wild, 1, 1000000, 1000000, 1000000);
    shared_report_sort(&report, SHARED_BY_TOTAL, false);
    shared_report_table(&report, &out);
    char *table = shared_text_take(&out);
    static const char shown[] = "a" NONE "[m" NONE NONE NONE NONE NONE NONE "\xc3\xa9";
    ck_assert_msg(strstr(table, "\n" "a" NONE "[m" NONE) != NULL, "%s", table);
    const char *first = strstr(table, shown);
    ck_assert_ptr_nonnull(first);
    ck_assert_ptr_nonnull(strstr(first + 1, shown));
    free(table);
    shared_report_release(&report);
    strcpy(sentence, wild);
    shared_make_plain(sentence);
    ck_assert_str_eq(sentence, "a?[m??????\xc3\xa9");
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("report");
    tap_add(s, "table is laid out as the original", table_is_laid_out_as_the_original);
    tap_add(s, "json is exact and escaped", json_is_exact_and_escaped);
    tap_add(s, "whole numbers have all their digits", whole_numbers_have_all_their_digits);
    tap_add(s, "decimals of the table are rounded", decimals_of_the_table_are_rounded);
    tap_add_loop(s, "sorts in five orders", sorts_in_five_orders, TAP_ROWS(orders));
    tap_add(s, "equal rows go by name backwards", equal_rows_go_by_name_backwards);
    tap_add(s, "rows of one name are one", rows_of_one_name_are_one);
    tap_add(s, "rows that are printed alike are two", rows_that_are_printed_alike_are_two);
    tap_add_loop(s, "prints decimals exactly", prints_decimals_exactly, TAP_ROWS(decimals));
    tap_add(s, "texts of a table are plain", texts_of_a_table_are_plain);
    tap_add_loop(s, "quotes any bytes", quotes_any_bytes, TAP_ROWS(texts));
    return s;
}

TAP_MAIN(suite)

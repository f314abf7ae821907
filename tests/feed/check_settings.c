/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * check_settings.c: settings of the collection: every key, its default, its valid values, and the
 * sentence for invalid ones.
 */
#include "tap.h"

#include <stdio.h>
#include <string.h>

#include "feed/publisher/record/settings.h"

#define TEN(text) text text text text text text text text text text
#define TOO_LONG  TEN(TEN("0123456789")) "and 24 bytes more: 1024."

static const struct {
    const char *key, *first, *good, *read, *bad, *allowed;
} keys[] = {
    {"filename", "profile.json", "a b.json", "a b.json", TOO_LONG, "of less than 1024 bytes"},
    {"gpu_memory_profile_filename_prefix", "gpu_memory_profile", "", "", TOO_LONG,
     "of less than 1024 bytes"},
    {"profile_all", "0", "True", "1", "maybe", "0, 1, true or false"},
    {"profile_symbolic", "1", "0", "0", "2", "0, 1, true or false"},
    {"profile_imperative", "1", "false", "0", "", "0, 1, true or false"},
    {"profile_memory", "1", "False", "0", "yes", "0, 1, true or false"},
    {"profile_api", "1", "0", "0", "TRUE", "0, 1, true or false"},
    {"continuous_dump", "0", "true", "1", "on", "0, 1, true or false"},
    {"dump_period", "1.000000000", "0.25", "0.250000000", "0", "above 0"},
    {"aggregate_stats", "0", "1", "1", "-1", "0, 1, true or false"},
    {"profile_process", "worker", "server", "server", "foo", "worker or server"},
};

static void expect(const struct publisher_settings *settings, const char *key, const char *value)
{
    char text[PUBLISHER_VALUE_SIZE];
    ck_assert(publisher_settings_get(settings, key, text, sizeof text));
    ck_assert_str_eq(text, value);
}

START_TEST(each_key)
{
    char why[PUBLISHER_ERROR_SIZE] = "";
    struct publisher_settings settings;
    publisher_settings_init(&settings);
    ck_assert_int_eq(TAP_ROWS(keys), PUBLISHER_KEYS);
    expect(&settings, keys[_i].key, keys[_i].first);
    const char *pairs[] = {keys[_i].key, keys[_i].good, NULL};
    ck_assert(publisher_settings_set(&settings, "server", pairs, why));
    expect(&settings, keys[_i].key, keys[_i].read);
    for (int other = 0; other < TAP_ROWS(keys); other++)
        if (other != _i && strcmp(keys[_i].key, "profile_all") != 0)
            expect(&settings, keys[other].key, keys[other].first);
    pairs[1] = keys[_i].bad;
    ck_assert(!publisher_settings_set(&settings, "server", pairs, why));
    char quoted[160];
    snprintf(quoted, sizeof quoted, "%s can't be '%.64s'", keys[_i].key, keys[_i].bad);
    ck_assert_msg(strstr(why, quoted) != NULL, "%s", why);
    ck_assert_msg(strstr(why, keys[_i].allowed) != NULL, "%s", why);
    expect(&settings, keys[_i].key, keys[_i].read);
}
END_TEST

START_TEST(an_unknown_key_names_all)
{
    char why[PUBLISHER_ERROR_SIZE] = "";
    struct publisher_settings settings;
    publisher_settings_init(&settings);
    const char *pairs[] = {"profile_all", "1", "foo", "1", NULL};
    ck_assert(!publisher_settings_set(&settings, "", pairs, why));
    ck_assert_ptr_nonnull(strstr(why, "'foo'"));
    for (int key = 0; key < TAP_ROWS(keys); key++)
        ck_assert_msg(strstr(why, keys[key].key) != NULL, "%s lacks %s", why, keys[key].key);
    expect(&settings, "profile_all", "0");
}
END_TEST

START_TEST(all_but_what_is_named)
{
    char why[PUBLISHER_ERROR_SIZE] = "";
    struct publisher_settings settings;
    publisher_settings_init(&settings);
    const char *off[] = {"profile_symbolic", "0", "profile_memory", "0", NULL};
    const char *all[] = {"profile_api", "0", "profile_all", "1", NULL};
    ck_assert(publisher_settings_set(&settings, "", off, why));
    ck_assert(publisher_settings_set(&settings, "", all, why));
    expect(&settings, "profile_symbolic", "1");
    expect(&settings, "profile_imperative", "1");
    expect(&settings, "profile_memory", "1");
    expect(&settings, "profile_api", "0");
}
END_TEST

static const struct {
    const char *value;
    uint64_t ns; /* 0: refused */
} periods[] = {
    {"1", 1000000000},
    {"0.2", 200000000},
    {"1.5", 1500000000},
    {"0.000000001", 1},
    {"1000000", UINT64_C(1000000000000000)},
    {"0.0", 0},
    {"-1", 0},
    {"1e3", 0},
    {"", 0},
    {".5", 500000000},
    {".", 0},
    {"1,5", 0},
    {"1000001", 0},
    {"nan", 0},
    {"99999999999999999999999", 0},
    {"0.00000000000000000001", 0},
};

START_TEST(reads_seconds)
{
    char why[PUBLISHER_ERROR_SIZE] = "";
    struct publisher_settings settings;
    publisher_settings_init(&settings);
    const char *pairs[] = {"dump_period", periods[_i].value, NULL};
    ck_assert_int_eq(publisher_settings_set(&settings, "", pairs, why), periods[_i].ns != 0);
    uint64_t ns = periods[_i].ns != 0 ? periods[_i].ns : UINT64_C(1000000000);
    ck_assert_uint_eq(settings.period_ns, ns);
}
END_TEST

/* A key without a value, after a complete pair, is not an empty value. */
START_TEST(refuses_a_key_without_a_value)
{
    char why[PUBLISHER_ERROR_SIZE] = "", said[256];
    struct publisher_settings settings;
    publisher_settings_init(&settings);
    const char *half[] = {"dump_period", "2", keys[_i].key, NULL, NULL};
    ck_assert(!publisher_settings_set(&settings, "", half, why));
    snprintf(said, sizeof said, "%s has no value: it must be ", keys[_i].key);
    ck_assert_msg(strncmp(why, said, strlen(said)) == 0, "%s", why);
    ck_assert_msg(strstr(why + strlen(said), keys[_i].allowed) != NULL, "%s", why);
    expect(&settings, keys[_i].key, keys[_i].first);
    expect(&settings, "dump_period", "1.000000000");
}
END_TEST

START_TEST(takes_the_longest_name_and_nothing)
{
    char why[PUBLISHER_ERROR_SIZE] = "", name[PUBLISHER_FILE_MAX] = TOO_LONG;
    struct publisher_settings settings;
    publisher_settings_init(&settings);
    name[PUBLISHER_FILE_MAX - 1] = 0;
    const char *longest[] = {"filename", name, NULL};
    ck_assert(publisher_settings_set(&settings, "", longest, why));
    expect(&settings, "filename", name);
    ck_assert(publisher_settings_set(&settings, "", NULL, why));
}
END_TEST

/* Only servers accept the keys for servers, whatever other keys are set with them. */
START_TEST(takes_no_keys_of_servers)
{
    char why[PUBLISHER_ERROR_SIZE] = "";
    struct publisher_settings settings;
    publisher_settings_init(&settings);
    const char *pairs[] = {"profile_process", "server", "profile_api", "0", NULL};
    ck_assert(!publisher_settings_set(&settings, "worker", pairs, why));
    ck_assert_str_eq(why, "this process is no server (its role is worker): ask the servers "
                          "themselves");
    expect(&settings, "profile_process", "worker");
    expect(&settings, "profile_api", "1");
    ck_assert(publisher_settings_set(&settings, "server", pairs, why));
    expect(&settings, "profile_process", "server");
    expect(&settings, "profile_api", "0");
}
END_TEST

static const struct {
    const char *process, *role, *why; /* why NULL: it is here */
} places[] = {
    {NULL, "", NULL},
    {"worker", "", NULL},
    {"worker", "worker", NULL},
    {"server", "server", NULL},
    {"server", "", "not known"},
    {"server", "worker", "its role is worker"},
    {"foo", "", "worker or server"},
};

START_TEST(tells_whom_it_means)
{
    char why[PUBLISHER_ERROR_SIZE] = "";
    bool here = publisher_settings_is_here(places[_i].process, places[_i].role, why);
    ck_assert_int_eq(here, places[_i].why == NULL);
    if (!here)
        ck_assert_msg(strstr(why, places[_i].why) != NULL, "%s", why);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("setting");
    tap_add_loop(s, "each key", each_key, TAP_ROWS(keys));
    tap_add(s, "an unknown key names all", an_unknown_key_names_all);
    tap_add(s, "all but what is named", all_but_what_is_named);
    tap_add_loop(s, "reads seconds", reads_seconds, TAP_ROWS(periods));
    tap_add_loop(s, "refuses a key without a value", refuses_a_key_without_a_value, TAP_ROWS(keys));
    tap_add(s, "takes the longest name and nothing", takes_the_longest_name_and_nothing);
    tap_add(s, "takes no keys of servers", takes_no_keys_of_servers);
    tap_add_loop(s, "tells whom it means", tells_whom_it_means, TAP_ROWS(places));
    return s;
}

TAP_MAIN(suite)

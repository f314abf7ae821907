/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * unit.c: formats numbers with integer arithmetic alone, so that no locale puts a comma into a
 * figure.
 */
#include "model/unit.h"

#include "model/job.h"

#include <math.h>
#include <string.h>

enum { DIGITS = 3, TEXT_MAX = 64 };

/* One step of a scale: values below `below` are shown in units of `size`. */
struct step {
    uint64_t below;
    uint64_t size;
    const char *word;
};

#define SECOND UINT64_C(1000000000)
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)
#define KIB    UINT64_C(1024)

static const struct step scale_ns[] = {
    {1000, 1, "ns"},
    {1000000, 1000, "us"},
    {SECOND, 1000000, "ms"},
    {1000 * SECOND, SECOND, "s"},
    {100 * MINUTE, MINUTE, "m"},
    {100 * HOUR, HOUR, "h"},
    {UINT64_MAX, 24 * HOUR, "d"},
};

/* Means are in thousandths of a ns. */
#define MEAN_SECOND (1000 * SECOND)
static const struct step scale_mean[] = {
    {1000000, 1000, "ns"},
    {1000000000, 1000000, "us"},
    {MEAN_SECOND, 1000000000, "ms"},
    {1000 * MEAN_SECOND, MEAN_SECOND, "s"},
    {100 * 60 * MEAN_SECOND, 60 * MEAN_SECOND, "m"},
    {100 * 3600 * MEAN_SECOND, 3600 * MEAN_SECOND, "h"},
    {UINT64_MAX, 24 * 3600 * MEAN_SECOND, "d"},
};

static const struct step scale_count[] = {
    {1000, 1, ""},
    {1000000, 1000, "k"},
    {UINT64_C(1000000000), 1000000, "M"},
    {UINT64_C(1000000000000), UINT64_C(1000000000), "G"},
    {UINT64_C(1000000000000000), UINT64_C(1000000000000), "T"},
    {UINT64_C(1000000000000000000), UINT64_C(1000000000000000), "P"},
    {UINT64_MAX, UINT64_C(1000000000000000000), "E"},
};

/* Rates are in thousandths. */
static const struct step scale_rate[] = {
    {1000000, 1000, ""},
    {1000000000, 1000000, "k"},
    {UINT64_C(1000000000000), UINT64_C(1000000000), "M"},
    {UINT64_MAX, UINT64_C(1000000000000), "G"},
};

static const struct step scale_bytes[] = {
    {KIB, 1, "B"},
    {KIB * KIB, KIB, "KiB"},
    {KIB * KIB * KIB, KIB *KIB, "MiB"},
    {KIB * KIB * KIB * KIB, KIB *KIB *KIB, "GiB"},
    {KIB * KIB * KIB * KIB * KIB, KIB *KIB *KIB *KIB, "TiB"},
    {UINT64_MAX, KIB *KIB *KIB *KIB *KIB, "PiB"},
};

/* --------------------------------------------------------------------------------- pieces */

static const uint64_t power[] = {1, 10, 100, 1000};

static uint64_t rounded(uint64_t value, uint64_t size, unsigned decimals)
{
    unsigned __int128 scaled = (unsigned __int128)value * power[decimals] + size / 2;
    return (uint64_t)(scaled / size);
}

static size_t put(char *out, size_t at, const char *word)
{
    size_t size = strlen(word);
    memcpy(out + at, word, size + 1);
    return at + size;
}

static size_t put_u64(char *out, size_t at, uint64_t value, unsigned least)
{
    char digits[24];
    unsigned n = 0;
    do
        digits[n++] = (char)('0' + value % 10);
    while ((value /= 10) > 0 || n < least);
    while (n > 0)
        out[at++] = digits[--n];
    out[at] = '\0';
    return at;
}

/* Writes value / size with this many decimals. */
static size_t put_decimal(char *out, size_t at, uint64_t value, uint64_t size, unsigned decimals)
{
    uint64_t scaled = rounded(value, size, decimals);
    at = put_u64(out, at, scaled / power[decimals], 1);
    if (decimals) {
        at = put(out, at, ".");
        at = put_u64(out, at, scaled % power[decimals], decimals);
    }
    return at;
}

/* Returns the step for the rounded value: 999.7us is shown as 1.00ms. */
static const struct step *step_of(const struct step *scale, uint64_t value)
{
    while (scale->below != UINT64_MAX &&
           (value >= scale->below || rounded(value, scale->size, 0) * scale->size >= scale->below))
        scale++;
    return scale;
}

/* Returns the decimals for `digits` significant digits. Whole numbers of the smallest unit have
 * none. */
static unsigned decimals_of(uint64_t value, uint64_t size, unsigned digits)
{
    unsigned decimals = digits - 1;
    while (decimals > 0 && rounded(value, size, decimals) >= power[digits])
        decimals--;
    return size == 1 ? 0 : decimals;
}

/* --------------------------------------------------------------------------------- writers */

/* Each writes the cell with at most `digits` significant digits, and returns the size. */
typedef size_t writer(const struct model_cell *cell, unsigned digits, char *out);

static size_t write_scaled(const struct step *scale, uint64_t value, unsigned digits, char *out)
{
    const struct step *step = step_of(scale, value);
    size_t at = put_decimal(out, 0, value, step->size, decimals_of(value, step->size, digits));
    return put(out, at, step->word);
}

static size_t write_ns(const struct model_cell *cell, unsigned digits, char *out)
{
    return write_scaled(scale_ns, cell->u, digits, out);
}

/* Truncates to thousandths, so that the value is rounded only once, at its last shown digit. */
static size_t write_mean(const struct model_cell *cell, unsigned digits, char *out)
{
    const double most_ns = 1e16;
    if (cell->d < most_ns)
        return write_scaled(scale_mean, (uint64_t)(cell->d > 0 ? cell->d * 1000 : 0), digits, out);
    const uint64_t ns = cell->d < 0x1p64 ? (uint64_t)cell->d : UINT64_MAX;
    return write_scaled(scale_ns, ns, digits, out);
}

static size_t write_count(const struct model_cell *cell, unsigned digits, char *out)
{
    return write_scaled(scale_count, cell->u, digits, out);
}

static size_t write_exact(const struct model_cell *cell, unsigned digits, char *out)
{
    (void)digits;
    return put_u64(out, 0, cell->u, 1);
}

static size_t write_bytes(const struct model_cell *cell, unsigned digits, char *out)
{
    const struct step *step = step_of(scale_bytes, cell->u);
    size_t at = put_decimal(out, 0, cell->u, step->size, decimals_of(cell->u, step->size, digits));
    /* With full precision the full unit is printed. If that is too wide, one letter is. */
    if (digits == DIGITS)
        return put(out, put(out, at, " "), step->word);
    out[at] = step->word[0];
    out[at + 1] = '\0';
    return at + 1;
}

static size_t write_percent(const struct model_cell *cell, unsigned digits, char *out)
{
    double d = fabs(cell->d);
    size_t at = put(out, 0, cell->d <= -0.05 ? "-" : "");
    uint64_t thousandths = d < 1e12 ? (uint64_t)(d * 1000 + 0.5) : UINT64_C(1000000000000000);
    return put_decimal(out, at, thousandths, 1000, digits == DIGITS ? 1 : 0);
}

static size_t write_rate(const struct model_cell *cell, unsigned digits, char *out)
{
    double d = fabs(cell->d);
    uint64_t thousandths = d < 1e15 ? (uint64_t)(d * 1000 + 0.5) : UINT64_C(1000000000000000000);
    size_t at = put(out, 0, cell->d < 0 ? "-" : "+");
    at += write_scaled(scale_rate, thousandths, digits, out + at);
    return put(out, at, "/s");
}

struct unit {
    writer *write;
    bool real; /* the value is `d` */
};

static const struct unit units[MODEL_UNITS] = {
    [MODEL_UNIT_COUNT] = {write_count, false}, [MODEL_UNIT_EXACT] = {write_exact, false},
    [MODEL_UNIT_NS] = {write_ns, false},       [MODEL_UNIT_PERCENT] = {write_percent, true},
    [MODEL_UNIT_RATE] = {write_rate, true},    [MODEL_UNIT_BYTES] = {write_bytes, false},
    [MODEL_UNIT_MEAN] = {write_mean, true},    [MODEL_UNIT_TEXT] = {NULL, false},
};

/* --------------------------------------------------------------------------------- callers */

static size_t give(const char *text, size_t size, char *out, size_t capacity)
{
    if (!capacity)
        return 0;
    if (size >= capacity)
        size = capacity - 1;
    memcpy(out, text, size);
    out[size] = '\0';
    return size;
}

const char *const model_left_out_words[MODEL_LEFT_OUT] = {"-", "wait", "aside"};
static const char *const left_out_marks[MODEL_LEFT_OUT] = {"", "w", "a"};

static bool is_known(enum model_unit unit, const struct model_cell *cell)
{
    return cell->known && !(units[unit].real && isnan(cell->d)) &&
           !(unit == MODEL_UNIT_TEXT && !cell->text);
}

size_t model_unit_format(enum model_unit unit, const struct model_cell *cell, unsigned width,
                         char *out, size_t capacity)
{
    if (width == 0 && unit != MODEL_UNIT_TEXT)
        return give("", 0, out, capacity);
    if (!is_known(unit, cell))
        return give(model_left_out_words[cell->left_out],
                    strlen(model_left_out_words[cell->left_out]), out, capacity);
    if (unit == MODEL_UNIT_TEXT) {
        size_t size = cell->text->shown_size;
        /* If the space is too small, cut at a character boundary. */
        while (capacity && size >= capacity)
            size = capacity - 1;
        while (size < cell->text->shown_size && (cell->text->shown[size] & 0xC0) == 0x80)
            size--;
        return give(cell->text->shown, size, out, capacity);
    }
    char text[TEXT_MAX];
    for (unsigned digits = DIGITS; digits > 0; digits--) {
        size_t size = put(text, 0, cell->approx ? "~" : "");
        size += units[unit].write(cell, digits, text + size);
        size = put(text, size, left_out_marks[cell->left_out]);
        if (size <= width)
            return give(text, size, out, capacity);
    }
    return give("#", 1, out, capacity);
}

bool model_unit_is_real(enum model_unit unit)
{
    return units[unit].real;
}

uint64_t model_unit_key(enum model_unit unit, const struct model_cell *cell)
{
    if (!is_known(unit, cell) || unit == MODEL_UNIT_TEXT)
        return 0;
    if (!units[unit].real)
        return cell->u == UINT64_MAX ? UINT64_MAX : cell->u + 1;
    /* Doubles order as integers once negative ones are inverted. */
    uint64_t bits;
    double d = cell->d == 0 ? 0 : cell->d;
    memcpy(&bits, &d, sizeof(bits));
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

struct model_cell model_share(uint64_t part, uint64_t whole)
{
    const bool known =
        part != MODEL_UNKNOWN && whole != MODEL_UNKNOWN && whole > 0 && part <= whole;
    return (struct model_cell){.known = known,
                               .d = known ? 100.0 * (double)part / (double)whole : 0};
}

struct model_cell model_excess(uint64_t value, uint64_t base)
{
    const bool known = value != MODEL_UNKNOWN && base != MODEL_UNKNOWN && base > 0 && value >= base;
    return (struct model_cell){.known = known,
                               .d = known ? 100.0 * ((double)value / (double)base - 1) : 0};
}

size_t model_unit_clock(uint64_t ns, char *out, size_t capacity)
{
    uint64_t seconds = ns / SECOND;
    char text[TEXT_MAX];
    size_t size = 0;
    if (seconds >= 3600) {
        size = put_u64(text, size, seconds / 3600, 1);
        size = put(text, size, ":");
    }
    size = put_u64(text, size, seconds / 60 % 60, seconds >= 3600 ? 2 : 1);
    size = put(text, size, ":");
    size = put_u64(text, size, seconds % 60, 2);
    return give(text, size, out, capacity);
}

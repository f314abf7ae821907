/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * decimal.c: reads decimal numbers and scales them without binary fractions.
 */
#include "model/decimal.h"

#include <math.h>

#include "model/job.h"

enum { DIGITS_MAX = 19, POWER_MAX = 4096 };

static bool is_digit(const char *text, size_t size, size_t at)
{
    return at < size && text[at] >= '0' && text[at] <= '9';
}

static void take_digit(struct model_decimal *number, char digit, bool fraction, int *kept)
{
    const bool leading = number->digits == 0 && digit == '0';
    if (*kept < DIGITS_MAX) {
        number->digits = 10 * number->digits + (uint64_t)(digit - '0');
        *kept += !leading;
        number->power -= fraction;
    } else {
        number->power += !fraction;
    }
    if (number->power > POWER_MAX || number->power < -POWER_MAX)
        number->power = number->power < 0 ? -POWER_MAX : POWER_MAX;
}

/* Reads "e-03". Returns the bytes read; 0: no exponent stands there. */
static size_t take_exponent(const char *text, size_t size, int *power)
{
    size_t at = 1;
    int value = 0;
    if (size < 2 || (text[0] != 'e' && text[0] != 'E'))
        return 0;
    const bool down = text[at] == '-';
    at += text[at] == '-' || text[at] == '+';
    const size_t first = at;
    for (; is_digit(text, size, at); at++)
        value = value < POWER_MAX ? 10 * value + (text[at] - '0') : value;
    if (at == first)
        return 0;
    *power += down ? -value : value;
    return at;
}

size_t model_decimal_read(const char *text, size_t size, struct model_decimal *number)
{
    size_t at = 0;
    int kept = 0;
    bool any = false;
    *number = (struct model_decimal){0};
    number->negative = size > 0 && text[0] == '-';
    at += size > 0 && (text[0] == '-' || text[0] == '+');
    for (; is_digit(text, size, at); at++, any = true)
        take_digit(number, text[at], false, &kept);
    if (at < size && text[at] == '.' && (any || is_digit(text, size, at + 1)))
        for (at++; is_digit(text, size, at); at++, any = true)
            take_digit(number, text[at], true, &kept);
    if (!any)
        return 0;
    return at + take_exponent(text + at, size - at, &number->power);
}

static uint64_t times_10(uint64_t value)
{
    return value > (MODEL_UNKNOWN - 1) / 10 ? MODEL_UNKNOWN - 1 : 10 * value;
}

uint64_t model_decimal_scale(const struct model_decimal *number, int power)
{
    uint64_t value = number->digits;
    int by = number->power + power;
    if (value == 0 || by < -DIGITS_MAX - 1)
        return 0;
    for (; by > 0 && value < MODEL_UNKNOWN - 1; by--)
        value = times_10(value);
    unsigned last = 0; /* the digit after the last one kept */
    for (; by < 0; by++) {
        last = (unsigned)(value % 10);
        value /= 10;
    }
    return value + (last >= 5);
}

uint64_t model_decimal_half(const struct model_decimal *number, int power)
{
    const struct model_decimal half = {.digits = 5, .power = number->power - 1};
    const uint64_t value = model_decimal_scale(&half, power);
    return value > 0 ? value : number->power + power < 0;
}

double model_decimal_value(const struct model_decimal *number)
{
    const double value = (double)number->digits * pow(10, number->power);
    return number->negative ? -value : value;
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * hostile.h: names that a viewer must not pass unchanged to a terminal, a file or a JSON reader. */
#ifndef EXAMPLES_HOSTILE_H
#define EXAMPLES_HOSTILE_H

static const char *const hostile_names[] = {
    "",
    " ",
    "\x1b]52;c;cHJvZnRvcA==\x07",  /* OSC 52: writes the clipboard */
    "\x1b]0;title\x1b\\",          /* OSC 0: sets the title */
    "\x1b[2J\x1b[1;1H\x1b[31mred", /* CSI: clears, moves, colours */
    "\x1bP+q544e\x1b\\",           /* DCS: a query that the terminal would answer */
    "\xc2\x9b"
    "31mC1 as UTF-8", /* U+009B, a CSI of one character */
    "\x9b"
    "31mC1 as a byte", /* the same, not UTF-8 */
    "bell\x07 back\x08 tab\t line\n carriage\r form\f",
    "shift\x0e out\x0f null? \x7f del",
    "right \xe2\x80\xae"
    "tfel ot",                           /* U+202E: turns the direction */
    "isolate \xe2\x81\xa6 \xe2\x81\xa9", /* U+2066, U+2069 */
    "zero\xe2\x80\x8bwidth\xe2\x80\x8d", /* U+200B, U+200D */
    "\xef\xbb\xbf"
    "byte order mark",
    "line\xe2\x80\xa8paragraph\xe2\x80\xa9",
    "slash \xc0\xaf \xe0\x80\xaf \xf0\x80\x80\xaf", /* overlong */
    "half \xed\xa0\x80 of a pair \xed\xb0\x80",     /* surrogates */
    "beyond \xf4\x90\x80\x80 \xf8\x88\x80\x80\x80", /* above U+10FFFF */
    "cut \xe2\x82",                                 /* ends in the middle */
    "\xff\xfe\x80\xbf",                             /* bytes that UTF-8 never contains, or never
                                                     * alone */
    "\xe5\xa4\x89\xe6\x95\xb0\xef\xbc\x88\xe7\xa9\x8d\xef\xbc\x89",             /* wide */
    "e\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81",                /* many accents */
    "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7", /* one family */
    "\xef\xbf\xbd\xef\xbf\xbf",                                                 /* U+FFFD, U+FFFF */
    "\"quotes\" 'and' \\backslashes\\ </script> %s %n %%",
};
enum { HOSTILE_NAMES = sizeof hostile_names / sizeof *hostile_names };

/* Every 13th name is padded to this length. */
enum { HOSTILE_LONG_EVERY = 13, HOSTILE_LONG_BYTES = 1 << 20 };

#endif

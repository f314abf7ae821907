/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * sentence.c: prints one sentence; quoted text cannot break it.
 */
#include "config.h"

#include "tui/cli/sentence.h"

#include <stdarg.h>
#include <string.h>

#include "model/text.h"

enum { MOST = 4096 };

void tui_sentence(FILE *to, const char *format, ...)
{
    char text[MOST], safe[3 * MOST];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    size_t size = model_text_safe(text, strlen(text), safe, sizeof safe - 1);
    safe[size] = '\n';
    fwrite(safe, 1, size + 1, to);
}

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * framework_flags.c: settings that Theano and its successors read from an environment variable.
 */
#include "config.h"

#include "tui/cli/framework_flags.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each library of the family reads one of these. Which one a command uses is not known in
 * advance. */
static const char *const variables[] = {"THEANO_FLAGS", "AESARA_FLAGS", "PYTENSOR_FLAGS"};

bool tui_flags_value(const char *value)
{
    return *value && !value[strcspn(value, ", \t\r\n")];
}

static bool add(const char *variable, const char *name, const char *value)
{
    const char *setting = getenv(variable);
    size_t size = (setting ? strlen(setting) : 0) + strlen(name) + strlen(value) + sizeof ",=";
    char *text = malloc(size);
    if (!text)
        return false;
    snprintf(text, size, "%s%s%s=%s", setting ? setting : "", setting && *setting ? "," : "", name,
             value);
    bool added = setenv(variable, text, 1) == 0;
    free(text);
    return added;
}

bool tui_flags_add(const char *name, const char *value)
{
    bool added = true;
    for (unsigned i = 0; value && added && i < sizeof variables / sizeof variables[0]; i++)
        added = add(variables[i], name, value);
    return added;
}

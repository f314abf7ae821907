/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * demangle.h: names of kernels as in their source. */
#ifndef PROFTOP_TORCH_DEMANGLE_H
#define PROFTOP_TORCH_DEMANGLE_H

#include <stddef.h>

/* Writes the name of a C++ function without its result and parameters, cut to `size` bytes; other
 * names as they are. Returns `text`. `mangled` NULL: "(no name)". Any thread. */
const char *demangled(const char *mangled, char *text, size_t size);

#endif

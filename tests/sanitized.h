/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * sanitized.h: PROCESS_ASAN and PROCESS_TSAN, 1 in a build with that sanitizer, else 0.
 */
#ifndef TESTS_SANITIZED_H
#define TESTS_SANITIZED_H

/* ThreadSanitizer ends a child that starts a thread after a fork with threads. Its threads also
 * share the program's descriptors, see feed/publisher/api/lifecycle.c. AddressSanitizer maps
 * terabytes. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define PROCESS_TSAN 1
#elif __has_feature(address_sanitizer)
#define PROCESS_ASAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define PROCESS_TSAN 1
#elif defined(__SANITIZE_ADDRESS__)
#define PROCESS_ASAN 1
#endif
#ifndef PROCESS_TSAN
#define PROCESS_TSAN 0
#endif
#ifndef PROCESS_ASAN
#define PROCESS_ASAN 0
#endif

#endif

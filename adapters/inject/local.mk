# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
#
# The way into a process that runs already. A program of its own, which knows nothing of feed, model
# or tui: proftop runs it.
pkglibexec_PROGRAMS += proftop-inject
proftop_inject_SOURCES = \
	%D%/attempt.c \
	%D%/may.c %D%/may.h \
	%D%/registers.c %D%/registers.h \
	%D%/stop.c %D%/stop.h \
	%D%/symbol.c %D%/symbol.h
proftop_inject_CPPFLAGS = $(AM_CPPFLAGS)
proftop_inject_CFLAGS = $(AM_CFLAGS)

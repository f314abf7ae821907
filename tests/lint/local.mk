# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
#
# Rules of the house that a machine can keep.
LINT_TESTS = \
	%D%/bindings.py \
	%D%/exports.py \
	%D%/features.py \
	%D%/gate.py \
	%D%/harness.py \
	%D%/headers.py \
	%D%/layers.py \
	%D%/limits.py \
	%D%/manual.py \
	%D%/python_names.py \
	%D%/reliability.py \
	%D%/rooms.py \
	%D%/words.py
TESTS += $(LINT_TESTS)
EXTRA_DIST += $(LINT_TESTS) %D%/ledger_rows.py %D%/tree.py

# In a sanitized build: planted faults that must be found.
EXTRA_DIST += %D%/sanitizers.py
if SANITIZED
TESTS += %D%/sanitizers.py
check_PROGRAMS += plant
plant_SOURCES = %D%/plant.c
plant_CFLAGS = $(AM_CFLAGS) $(ZMQ_CFLAGS)
plant_LDADD = $(ZMQ_LIBS) $(PTHREAD_LIBS)
endif

# A failing test on purpose; harness.py alone runs it.
if HAVE_CHECK
check_PROGRAMS += planted_failure
planted_failure_SOURCES = %D%/planted_failure.c
planted_failure_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
planted_failure_CFLAGS = $(CHECK_FLAGS)
planted_failure_LDADD = $(CHECK_LIBS)
endif

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
#
# Rules of the house that a machine can keep.
LINT_TESTS = \
	%D%/features.py \
	%D%/headers.py \
	%D%/layers.py \
	%D%/limits.py
TESTS += $(LINT_TESTS)
EXTRA_DIST += $(LINT_TESTS)

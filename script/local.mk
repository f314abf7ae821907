# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
#
# What a person types.
EXTRA_DIST += \
	%D%/build \
	%D%/bench \
	%D%/demo \
	%D%/demo.awk \
	%D%/fuzz \
	%D%/packages \
	%D%/setup \
	%D%/test \
	%D%/venv

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
#
# Packages of distributions, and fresh systems. script/test runs these as the stage `install`: they
# need a checkout, packages of their own, and most of them root and a network.
INSTALL_TESTS = \
	%D%/aarch64.py \
	%D%/debian.py \
	%D%/rpm.py \
	%D%/conda.py \
	%D%/readers.py \
	%D%/systems.py \
	%D%/terminals.py
EXTRA_DIST += $(INSTALL_TESTS) %D%/installing.py
print-install-tests:
	@echo $(INSTALL_TESTS)
.PHONY: print-install-tests

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
#
# Tests mirror the tree: tests/feed/check_wire.c tests feed/wire*.c. Each Check program prints TAP.
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
AM_TESTS_ENVIRONMENT = \
	srcdir='$(srcdir)'; builddir='$(builddir)'; PYTHON3='$(PYTHON3)'; \
	export srcdir builddir PYTHON3; \
	TSAN_OPTIONS=ignore_noninstrumented_modules=1:halt_on_error=1; export TSAN_OPTIONS; \
	unset PROFTOP PROFTOP_RUN PROFTOP_DIR;
CHECK_FLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)

include %D%/model/local.mk
include %D%/feed/local.mk
include %D%/tui/local.mk
include %D%/adapters/local.mk
include %D%/e2e/local.mk
include %D%/fuzz/local.mk
include %D%/bench/local.mk
include %D%/lint/local.mk

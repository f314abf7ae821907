# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0

if HAVE_CHECK
check_PROGRAMS += check_options check_action check_app
TESTS += check_options check_action check_app
check_options_SOURCES = %D%/check_options.c
check_options_CFLAGS = $(CHECK_FLAGS)
check_options_LDADD = $(TUI_LIBS) $(MODEL_LIBS) $(CHECK_LIBS)
check_action_SOURCES = %D%/check_action.c
check_action_CFLAGS = $(CHECK_FLAGS)
check_action_LDADD = $(TUI_LIBS) $(MODEL_LIBS) $(CHECK_LIBS)
check_app_SOURCES = %D%/check_app.c
check_app_CFLAGS = $(CHECK_FLAGS)
check_app_LDADD = $(TUI_LIBS) $(MODEL_LIBS) $(CHECK_LIBS)
endif

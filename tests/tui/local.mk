# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
EXTRA_DIST += \
	tests/screens/aside-120x40.txt \
	tests/screens/aside-80x24.txt \
	tests/screens/aside-detail-80x24.txt \
	tests/screens/ascii-80x24.txt \
	tests/screens/compile-120x40.txt \
	tests/screens/compile-40x10.txt \
	tests/screens/compile-80x24.txt \
	tests/screens/compile-own-80x24.txt \
	tests/screens/compile-report.txt \
	tests/screens/detail-120x40.txt \
	tests/screens/detail-80x24.txt \
	tests/screens/ended-120x40.txt \
	tests/screens/gone-80x24.txt \
	tests/screens/help-80x24.txt \
	tests/screens/interval-80x24.txt \
	tests/screens/jobs-120x40.txt \
	tests/screens/jobs-80x24.txt \
	tests/screens/jobs-compared-120x40.txt \
	tests/screens/jobs-hung-120x40.txt \
	tests/screens/jobs-hung-80x24.txt \
	tests/screens/memory-120x40.txt \
	tests/screens/memory-200x60.txt \
	tests/screens/memory-40x10.txt \
	tests/screens/memory-80x24.txt \
	tests/screens/memory-report.txt \
	tests/screens/ops-120x40.txt \
	tests/screens/ops-80x24.txt \
	tests/screens/paused-80x24.txt \
	tests/screens/picker-80x24.txt \
	tests/screens/seed-120.txt \
	tests/screens/small-40x10.txt \
	tests/screens/told-200x20.txt \
	tests/screens/told-detail-100x40.txt \
	tests/screens/waits-120x40.txt \
	tests/screens/waits-200x60.txt \
	tests/screens/waits-40x10.txt \
	tests/screens/waits-80x24.txt \
	tests/screens/waits-detail-80x24.txt \
	tests/screens/waits-report.txt

if HAVE_CHECK
check_PROGRAMS += check_options check_action check_app check_detail check_flags check_footer check_keys \
	check_help check_peak_line
TESTS += check_options check_action check_app check_detail check_flags check_footer check_keys check_help \
	check_peak_line
check_options_SOURCES = %D%/check_options.c
check_options_CFLAGS = $(CHECK_FLAGS)
check_options_LDADD = $(TUI_LIBS) $(MODEL_LIBS) $(CHECK_LIBS)
check_action_SOURCES = %D%/check_action.c
check_action_CFLAGS = $(CHECK_FLAGS)
check_action_LDADD = $(TUI_LIBS) $(MODEL_LIBS) $(CHECK_LIBS)
check_app_SOURCES = %D%/check_app.c %D%/held.h
check_app_CFLAGS = $(CHECK_FLAGS)
check_app_LDADD = $(TUI_LIBS) $(MODEL_LIBS) $(CHECK_LIBS)
check_flags_SOURCES = %D%/check_flags.c
check_flags_CFLAGS = $(CHECK_FLAGS)
check_flags_LDADD = $(TUI_LIBS) $(CHECK_LIBS)
check_keys_SOURCES = %D%/check_keys.c %D%/held.h
check_keys_CFLAGS = $(CHECK_FLAGS)
check_keys_LDADD = $(TUI_LIBS) $(MODEL_LIBS) $(CHECK_LIBS)
check_detail_SOURCES = %D%/check_detail.c %D%/held.h
check_detail_CFLAGS = $(CHECK_FLAGS)
check_detail_LDADD = $(TUI_LIBS) $(MODEL_LIBS) $(CHECK_LIBS)
check_footer_SOURCES = %D%/check_footer.c %D%/held.h
check_footer_CFLAGS = $(CHECK_FLAGS)
check_footer_LDADD = $(TUI_LIBS) $(MODEL_LIBS) $(CHECK_LIBS)
check_help_SOURCES = %D%/check_help.c %D%/held.h
check_help_CFLAGS = $(CHECK_FLAGS)
check_help_LDADD = $(TUI_LIBS) $(MODEL_LIBS) $(CHECK_LIBS)
check_peak_line_SOURCES = %D%/check_peak_line.c %D%/held.h
check_peak_line_CFLAGS = $(CHECK_FLAGS)
check_peak_line_LDADD = $(TUI_LIBS) $(MODEL_LIBS) $(CHECK_LIBS)
check_PROGRAMS += check_attach_running check_session
TESTS += check_attach_running check_session
check_attach_running_SOURCES = %D%/check_attach_running.c tui/app/attach_running.c tui/cli/sentence.c
check_attach_running_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_attach_running_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_session_SOURCES = %D%/check_session.c tui/app/preview.c tui/app/session.c tui/app/signals.c \
	tui/app/auto_attach.c tui/app/load.c
check_session_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_session_LDADD = $(TUI_LIBS) $(FEED_LIBS) $(CHECK_LIBS)
# What is drawn; the exact screens lie in tests/screens.
TUI_DRAWN = \
	check_grid \
	check_header \
	check_header_now \
	check_job_page \
	check_list \
	check_object_page \
	check_summary_row \
	check_screen \
	check_theme
check_PROGRAMS += $(TUI_DRAWN)
TESTS += $(TUI_DRAWN)
check_grid_SOURCES = %D%/check_grid.c %D%/stage.h
check_grid_CFLAGS = $(CHECK_FLAGS)
check_grid_LDADD = $(TUI_LIBS) $(MODEL_LIBS) $(CHECK_LIBS)
check_header_SOURCES = %D%/check_header.c %D%/drawn.h %D%/stage.h
check_header_CFLAGS = $(CHECK_FLAGS)
check_header_LDADD = $(TUI_LIBS) $(MODEL_LIBS) $(CHECK_LIBS)
check_header_now_SOURCES = %D%/check_header_now.c %D%/drawn.h %D%/stage.h
check_header_now_CFLAGS = $(CHECK_FLAGS)
check_header_now_LDADD = $(TUI_LIBS) $(MODEL_LIBS) $(CHECK_LIBS)
check_job_page_SOURCES = %D%/check_job_page.c %D%/stage.h
check_job_page_CFLAGS = $(CHECK_FLAGS)
check_job_page_LDADD = $(TUI_LIBS) $(MODEL_LIBS) $(CHECK_LIBS)
check_list_SOURCES = %D%/check_list.c %D%/stage.h
check_list_CFLAGS = $(CHECK_FLAGS)
check_list_LDADD = $(TUI_LIBS) $(MODEL_LIBS) $(CHECK_LIBS)
check_object_page_SOURCES = %D%/check_object_page.c %D%/stage.h
check_object_page_CFLAGS = $(CHECK_FLAGS)
check_object_page_LDADD = $(TUI_LIBS) $(MODEL_LIBS) $(CHECK_LIBS)
check_summary_row_SOURCES = %D%/check_summary_row.c %D%/drawn.h %D%/stage.h %D%/stage_compile.h
check_summary_row_CFLAGS = $(CHECK_FLAGS)
check_summary_row_LDADD = $(TUI_LIBS) $(MODEL_LIBS) $(CHECK_LIBS)
check_screen_SOURCES = %D%/check_screen.c %D%/stage.h %D%/stage_compile.h %D%/stage_jobs.h %D%/stage_waits.h
check_screen_CFLAGS = $(CHECK_FLAGS)
check_screen_LDADD = $(TUI_LIBS) $(MODEL_LIBS) $(CHECK_LIBS)
check_theme_SOURCES = %D%/check_theme.c
check_theme_CFLAGS = $(CHECK_FLAGS)
check_theme_LDADD = $(TUI_LIBS) $(MODEL_LIBS) $(CHECK_LIBS)
endif

# The real program in a real pseudo-terminal.
if HAVE_CHECK
if HAVE_VTERM
check_PROGRAMS += check_pty check_pty_run pty_job
TESTS += check_pty check_pty_run
PTY_SOURCES = %D%/pty.c %D%/pty.h %D%/pty_fixture.c %D%/pty_fixture.h
PTY_LIBS = $(TUI_LIBS) $(MODEL_LIBS) $(CHECK_LIBS) $(VTERM_LIBS) -lutil
check_pty_SOURCES = %D%/check_pty.c $(PTY_SOURCES)
check_pty_CFLAGS = $(CHECK_FLAGS) $(VTERM_CFLAGS)
check_pty_LDADD = $(PTY_LIBS)
check_PROGRAMS += check_pty_compile check_pty_control check_pty_functions check_pty_jobs \
	check_pty_past
TESTS += check_pty_compile check_pty_control check_pty_functions check_pty_jobs \
	check_pty_past
check_pty_past_SOURCES = %D%/check_pty_past.c $(PTY_SOURCES)
check_pty_past_CFLAGS = $(CHECK_FLAGS) $(VTERM_CFLAGS)
check_pty_past_LDADD = $(PTY_LIBS)
check_PROGRAMS += check_pty_load
TESTS += check_pty_load
check_pty_load_SOURCES = %D%/check_pty_load.c $(PTY_SOURCES)
check_pty_load_CFLAGS = $(CHECK_FLAGS) $(VTERM_CFLAGS)
check_pty_load_LDADD = $(PTY_LIBS)
check_pty_jobs_SOURCES = %D%/check_pty_jobs.c $(PTY_SOURCES)
check_pty_jobs_CFLAGS = $(CHECK_FLAGS) $(VTERM_CFLAGS)
check_pty_jobs_LDADD = $(PTY_LIBS)
check_pty_compile_SOURCES = %D%/check_pty_compile.c $(PTY_SOURCES)
check_pty_control_SOURCES = %D%/check_pty_control.c $(PTY_SOURCES)
check_pty_functions_SOURCES = %D%/check_pty_functions.c $(PTY_SOURCES)
check_pty_compile_CFLAGS = $(CHECK_FLAGS) $(VTERM_CFLAGS)
check_pty_control_CFLAGS = $(CHECK_FLAGS) $(VTERM_CFLAGS)
check_pty_functions_CFLAGS = $(CHECK_FLAGS) $(VTERM_CFLAGS)
check_pty_compile_LDADD = $(PTY_LIBS)
check_pty_control_LDADD = $(PTY_LIBS)
check_pty_functions_LDADD = $(PTY_LIBS)
check_pty_run_SOURCES = %D%/check_pty_run.c $(PTY_SOURCES)
check_pty_run_CFLAGS = $(CHECK_FLAGS) $(VTERM_CFLAGS)
check_pty_run_LDADD = $(PTY_LIBS)
pty_job_SOURCES = %D%/pty_job.c
pty_job_LDADD = libproftop.la
endif
endif

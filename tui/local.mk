# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
#
# What is seen. libtui knows the model and, in term_curses.c alone, curses; main.c wires it all.
noinst_LIBRARIES += libtui.a
libtui_a_SOURCES = \
	%D%/cli/number.c \
	%D%/ui/choice_list.c \
	%D%/ui/detail.c \
	%D%/ui/diff_page.c %D%/ui/diff_page.h \
	%D%/ui/draw.h \
	%D%/ui/footer.c \
	%D%/ui/function_picker.c \
	%D%/ui/graph.c \
	%D%/ui/gate_page.c %D%/ui/gate_page.h \
	%D%/ui/grid.c %D%/ui/grid.h \
	%D%/ui/header.c \
	%D%/ui/header_jobs.c \
	%D%/ui/header_now.c \
	%D%/ui/help.c \
	%D%/ui/job_page.c \
	%D%/ui/line.c \
	%D%/ui/log.c \
	%D%/ui/object_page.c \
	%D%/ui/peak_line.c \
	%D%/ui/screen.c %D%/ui/screen.h \
	%D%/ui/status.c \
	%D%/ui/summary_row.c \
	%D%/ui/table.c \
	%D%/ui/term.h \
	%D%/ui/term_curses.c \
	%D%/ui/term_text.c \
	%D%/ui/theme.c %D%/ui/theme.h \
	%D%/ui/timeline.c \
	%D%/ui/words.h
libtui_a_CFLAGS = $(AM_CFLAGS) $(CURSES_CFLAGS)
libtui_a_CPPFLAGS = $(AM_CPPFLAGS) -DPROFTOP_DOCDIR='"$(docdir)"' \
	-DPROFTOP_RELEASE_DATE='"$(RELEASE_DATE)"'
TUI_LIBS = libtui.a $(CURSES_LIBS)

# The command line, the keys and what they do: no feed, no terminal.
libtui_a_SOURCES += \
	%D%/app/action.c %D%/app/action.h \
	%D%/app/action_control.c \
	%D%/app/action_jobs.c \
	%D%/app/action_time.c \
	%D%/app/alias.c %D%/app/alias.h \
	%D%/app/app.h \
	%D%/app/key_name.c \
	%D%/app/app.c \
	%D%/app/prompt.c \
	%D%/cli/completion.c \
	%D%/cli/formats.c %D%/cli/formats.h \
	%D%/cli/http.c %D%/cli/http.h \
	%D%/cli/http_listen.c %D%/cli/http_listen.h \
	%D%/cli/http_request.c %D%/cli/http_request.h \
	%D%/cli/framework_flags.c %D%/cli/framework_flags.h \
	%D%/cli/manpage.c \
	%D%/cli/options.c %D%/cli/options.h \
	%D%/cli/options_check.c \
	%D%/cli/sentence.c %D%/cli/sentence.h \
	%D%/cli/usage.c \
	%D%/cli/controls.c %D%/cli/controls.h

# The program. These few files know the feed as well.
bin_PROGRAMS += proftop
proftop_SOURCES = \
	%D%/app/attach_running.c %D%/app/attach_running.h \
	%D%/app/auto_attach.c %D%/app/auto_attach.h \
	%D%/app/control_status.c %D%/app/control_status.h \
	%D%/app/job_table.c %D%/app/job_table.h \
	%D%/app/load.c %D%/app/load.h \
	%D%/app/loop.c \
	%D%/app/multi_job.c %D%/app/multi_job.h \
	%D%/app/multi_job_list.c \
	%D%/app/picker.c %D%/app/picker.h \
	%D%/app/preview.c %D%/app/preview.h \
	%D%/app/record.c %D%/app/record.h \
	%D%/app/remote_connect.c %D%/app/remote_connect.h \
	%D%/app/replay.c %D%/app/replay.h \
	%D%/app/restart_follow.c %D%/app/restart_follow.h \
	%D%/app/rewind.c %D%/app/rewind.h \
	%D%/app/rewind_line.c \
	%D%/app/run.c %D%/app/run.h \
	%D%/app/session.c %D%/app/session.h \
	%D%/app/signals.c %D%/app/signals.h \
	%D%/cli/ctl.c %D%/cli/ctl.h \
	%D%/cli/diff.c %D%/cli/diff.h \
	%D%/cli/diff_input.c %D%/cli/diff_input.h \
	%D%/cli/gate.c %D%/cli/gate.h \
	%D%/cli/doctor.c %D%/cli/doctor.h \
	%D%/cli/doctor_python.c %D%/cli/doctor_python.h \
	%D%/cli/function_names.c \
	%D%/cli/main.c \
	%D%/cli/out_file.c %D%/cli/out_file.h \
	%D%/cli/prom.c %D%/cli/prom.h \
	%D%/cli/record.c %D%/cli/record.h \
	%D%/cli/report.c %D%/cli/report.h \
	%D%/cli/report_attach.c %D%/cli/report_attach.h \
	%D%/cli/report_ready.c %D%/cli/report_ready.h \
	%D%/cli/last.c %D%/cli/last.h \
	%D%/cli/trace.c %D%/cli/trace.h
proftop_CFLAGS = $(AM_CFLAGS) $(ZMQ_CFLAGS)
proftop_LDADD = $(TUI_LIBS) $(FEED_LIBS)

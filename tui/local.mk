# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
#
# What is seen. libtui knows the model and, in term_curses.c alone, curses; main.c wires it all.
noinst_LIBRARIES += libtui.a
libtui_a_SOURCES = \
	%D%/choice.c \
	%D%/chooser.c \
	%D%/condition.c \
	%D%/detail.c \
	%D%/diff_page.c \
	%D%/diff_page.h \
	%D%/draw.h \
	%D%/footer.c \
	%D%/grid.c \
	%D%/grid.h \
	%D%/header.c \
	%D%/header_jobs.c \
	%D%/header_now.c \
	%D%/help.c \
	%D%/job_page.c \
	%D%/line.c \
	%D%/list.c \
	%D%/log.c \
	%D%/number.c \
	%D%/object_page.c \
	%D%/peak_line.c \
	%D%/rest_line.c \
	%D%/screen.c \
	%D%/screen.h \
	%D%/term.h \
	%D%/term_curses.c \
	%D%/term_text.c \
	%D%/theme.c \
	%D%/theme.h \
	%D%/words.h
libtui_a_CFLAGS = $(AM_CFLAGS) $(CURSES_CFLAGS)
libtui_a_CPPFLAGS = $(AM_CPPFLAGS) -DPROFTOP_DOCDIR='"$(docdir)"'
TUI_LIBS = libtui.a $(CURSES_LIBS)

# The command line, the keys and what they do: no feed, no terminal.
libtui_a_SOURCES += \
	%D%/action.c \
	%D%/action.h \
	%D%/action_control.c \
	%D%/action_jobs.c \
	%D%/alias.c \
	%D%/alias.h \
	%D%/app.h \
	%D%/flags.c \
	%D%/flags.h \
	%D%/key_name.c \
	%D%/keys.c \
	%D%/man.c \
	%D%/options.c \
	%D%/options_check.c \
	%D%/options.h \
	%D%/usage.c \
	%D%/verbs.c \
	%D%/verbs.h \
	%D%/prompt.c \
	%D%/sentence.c \
	%D%/sentence.h \
	%D%/usage.c

# The program. These few files know the feed as well.
bin_PROGRAMS += proftop
proftop_SOURCES = \
	%D%/afar.c \
	%D%/afar.h \
	%D%/app.c \
	%D%/asked.c \
	%D%/asked.h \
	%D%/batch.c \
	%D%/batch.h \
	%D%/crew.c \
	%D%/crew.h \
	%D%/crew_list.c \
	%D%/ctl.c \
	%D%/ctl.h \
	%D%/figures.c \
	%D%/figures.h \
	%D%/glance.c \
	%D%/glance.h \
	%D%/jobrun.c \
	%D%/jobrun.h \
	%D%/doctor.c \
	%D%/doctor.h \
	%D%/examine.c \
	%D%/examine.h \
	%D%/joblist.c \
	%D%/joblist.h \
	%D%/late.c \
	%D%/late.h \
	%D%/main.c \
	%D%/pick.c \
	%D%/pick.h \
	%D%/named.c \
	%D%/seek.c \
	%D%/seek.h \
	%D%/session.c \
	%D%/session.h \
	%D%/signals.c \
	%D%/signals.h \
	%D%/operand.c \
	%D%/operand.h \
	%D%/successor.c \
	%D%/successor.h \
	%D%/versus.c \
	%D%/versus.h \
	%D%/workers.c \
	%D%/workers.h
proftop_CFLAGS = $(AM_CFLAGS) $(ZMQ_CFLAGS)
proftop_LDADD = $(TUI_LIBS) $(FEED_LIBS)

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
#
# What is known about a job. Pure C11: no zmq, no curses, no clock, no I/O.
noinst_LIBRARIES += libmodel.a
libmodel_a_SOURCES = \
	%D%/about.c \
	%D%/about.h \
	%D%/alike.c \
	%D%/alike.h \
	%D%/column.c \
	%D%/column_extra.c \
	%D%/column_extra.h \
	%D%/column.h \
	%D%/column_compile.c \
	%D%/compile.c \
	%D%/compile.h \
	%D%/defs.c \
	%D%/dialect.c \
	%D%/dialect.h \
	%D%/diff.c \
	%D%/diff.h \
	%D%/diff_match.c \
	%D%/diff_private.h \
	%D%/json_diff.c \
	%D%/extra.c \
	%D%/extra.h \
	%D%/fact.c \
	%D%/fact.h \
	%D%/fleet.c \
	%D%/fleet.h \
	%D%/fleet_row.c \
	%D%/fleet_row.h \
	%D%/fleet_sum.c \
	%D%/fleet_sum.h \
	%D%/get.c \
	%D%/get.h \
	%D%/inside.c \
	%D%/inside.h \
	%D%/job.c \
	%D%/job.h \
	%D%/job_private.h \
	%D%/json.c \
	%D%/json_detail.c \
	%D%/json_fleet.c \
	%D%/json_job.c \
	%D%/json_peaks.c \
	%D%/json.h \
	%D%/json_objects.c \
	%D%/json_objects.h \
	%D%/json_private.h \
	%D%/json_read.c \
	%D%/json_read.h \
	%D%/lines.c \
	%D%/link.c \
	%D%/link.h \
	%D%/objects.c \
	%D%/objects.h \
	%D%/peak.c \
	%D%/peak.h \
	%D%/profilemode.c \
	%D%/put.c \
	%D%/put.h \
	%D%/quantile.c \
	%D%/quantile.h \
	%D%/rewrite.c \
	%D%/rewrite.h \
	%D%/scope.c \
	%D%/scope.h \
	%D%/spread.c \
	%D%/spread.h \
	%D%/sort.c \
	%D%/sort.h \
	%D%/state.c \
	%D%/state.h \
	%D%/state_private.h \
	%D%/straggler.c \
	%D%/straggler.h \
	%D%/summary.c \
	%D%/summary.h \
	%D%/summary_memory.c \
	%D%/summary_private.h \
	%D%/summary_rows.c \
	%D%/summary_scan.c \
	%D%/summary_tips.c \
	%D%/summary_values.c \
	%D%/text.c \
	%D%/text.h \
	%D%/totals.c \
	%D%/unit.c \
	%D%/unit.h \
	%D%/values.c \
	%D%/view.c \
	%D%/view.h \
	%D%/waiting.c \
	%D%/waiting.h
libmodel_a_CFLAGS = $(AM_CFLAGS) $(UTF8PROC_CFLAGS)
MODEL_LIBS = libmodel.a $(UTF8PROC_LIBS)

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
#
# What is known about a job. Pure C11: no zmq, no curses, no clock, no I/O.
noinst_LIBRARIES += libmodel.a
libmodel_a_SOURCES = \
	%D%/column.c %D%/column.h \
	%D%/column_compile.c \
	%D%/column_extra.c %D%/column_extra.h \
	%D%/compile.c %D%/compile.h \
	%D%/csv.c %D%/csv.h \
	%D%/decimal.c %D%/decimal.h \
	%D%/defs.c \
	%D%/delta.c %D%/delta.h \
	%D%/dialect.c %D%/dialect.h \
	%D%/diff.c %D%/diff.h \
	%D%/diff_match.c \
	%D%/diff_private.h \
	%D%/extra.c %D%/extra.h \
	%D%/history.c %D%/history.h \
	%D%/import.c %D%/import.h \
	%D%/import_build.c %D%/import_build.h \
	%D%/import_dump.c \
	%D%/import_fit.c \
	%D%/import_mxnet.c %D%/import_mxnet.h \
	%D%/import_names.c %D%/import_names.h \
	%D%/import_profile.c %D%/import_profile.h \
	%D%/import_profilemode.c \
	%D%/import_row.c %D%/import_row.h \
	%D%/import_text.h \
	%D%/import_theano.c \
	%D%/import_torch.c \
	%D%/import_trace.c %D%/import_trace.h \
	%D%/gate.c %D%/gate.h \
	%D%/gate_judge.c \
	%D%/gate_private.h \
	%D%/history_private.h \
	%D%/index.c %D%/index.h \
	%D%/inside.c %D%/inside.h \
	%D%/job.c %D%/job.h \
	%D%/job_info.c %D%/job_info.h \
	%D%/job_private.h \
	%D%/json.c %D%/json.h \
	%D%/json_detail.c \
	%D%/json_diff.c \
	%D%/json_gate.c \
	%D%/json_job.c \
	%D%/json_multi_job.c \
	%D%/json_objects.c %D%/json_objects.h \
	%D%/json_peaks.c \
	%D%/json_private.h \
	%D%/json_read.c %D%/json_read.h \
	%D%/json_reader.c %D%/json_reader.h \
	%D%/timeline.c %D%/timeline.h \
	%D%/timeline_json.c \
	%D%/trace_writer.c %D%/trace_writer.h \
	%D%/chrome.c %D%/chrome.h \
	%D%/json_writer.c %D%/json_writer.h \
	%D%/labels.c \
	%D%/lines.c \
	%D%/link.c %D%/link.h \
	%D%/moment.c %D%/moment.h \
	%D%/markdown.c %D%/markdown.h \
	%D%/markdown_span.c \
	%D%/multi_job.c %D%/multi_job.h \
	%D%/multi_job_rows.c %D%/multi_job_rows.h \
	%D%/multi_job_sum.c %D%/multi_job_sum.h \
	%D%/multi_job_text.c \
	%D%/node_detail.c %D%/node_detail.h \
	%D%/noise.c %D%/noise.h \
	%D%/objects.c %D%/objects.h \
	%D%/op_equivalence.c %D%/op_equivalence.h \
	%D%/pace.c %D%/pace.h \
	%D%/peak.c %D%/peak.h \
	%D%/playback.c \
	%D%/profilemode.c \
	%D%/prom.c %D%/prom.h \
	%D%/prom_private.h \
	%D%/prom_series.c \
	%D%/quantile.c %D%/quantile.h \
	%D%/rank_test.c %D%/rank_test.h \
	%D%/record_bytes.c %D%/record_bytes.h \
	%D%/recorder.c \
	%D%/recording.h \
	%D%/recording_private.h \
	%D%/rewrite.c %D%/rewrite.h \
	%D%/scope.c %D%/scope.h \
	%D%/series.c %D%/series.h \
	%D%/since.c \
	%D%/sort.c %D%/sort.h \
	%D%/spread.c %D%/spread.h \
	%D%/state.c %D%/state.h \
	%D%/state_private.h \
	%D%/straggler.c %D%/straggler.h \
	%D%/summary.c %D%/summary.h \
	%D%/summary_memory.c \
	%D%/summary_private.h \
	%D%/summary_rows.c \
	%D%/summary_scan.c \
	%D%/summary_tips.c \
	%D%/summary_values.c \
	%D%/text.c %D%/text.h \
	%D%/text_lines.c %D%/text_lines.h \
	%D%/totals.c \
	%D%/unit.c %D%/unit.h \
	%D%/varint.h \
	%D%/values.c \
	%D%/view.c %D%/view.h \
	%D%/waiting.c %D%/waiting.h
libmodel_a_CFLAGS = $(AM_CFLAGS) $(UTF8PROC_CFLAGS)
MODEL_LIBS = libmodel.a $(UTF8PROC_LIBS) -lm

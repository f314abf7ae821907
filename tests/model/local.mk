# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
EXTRA_DIST += tests/fork.h tests/sanitized.h tests/tap.h %D%/schema.py %D%/tables.py docs/json.schema
MODEL_CHECK_LIBS = $(MODEL_LIBS) $(CHECK_LIBS)

if HAVE_CHECK
MODEL_CHECKS = \
	check_node_detail \
	check_op_equivalence \
	check_column \
	check_compile \
	check_dialect \
	check_diff \
	check_history \
	check_recording \
	check_job_info \
	check_multi_job \
	check_json_reader \
	check_invariants \
	check_job \
	check_json_read \
	check_import \
	check_import_stats \
	check_import_trace \
	check_link \
	check_chrome \
	check_noise \
	check_markdown \
	check_prom \
	check_gate \
	check_inside \
	check_labels \
	check_lines \
	check_objects \
	check_timeline_json \
	check_pace \
	check_peak \
	check_quantile \
	check_rank_test \
	check_scope \
	check_shares \
	check_sort \
	check_spread \
	check_state \
	check_summary \
	check_summary_memory \
	check_summary_values \
	check_straggler \
	check_text \
	check_unit \
	check_view \
	check_waiting
check_PROGRAMS += $(MODEL_CHECKS)
TESTS += $(MODEL_CHECKS)
check_node_detail_SOURCES = %D%/check_node_detail.c %D%/sample.h
check_node_detail_CFLAGS = $(CHECK_FLAGS)
check_node_detail_LDADD = $(MODEL_CHECK_LIBS)
check_noise_SOURCES = %D%/check_noise.c %D%/sample.h
check_noise_CFLAGS = $(CHECK_FLAGS)
check_noise_LDADD = $(MODEL_CHECK_LIBS)
check_chrome_SOURCES = %D%/check_chrome.c %D%/sample.h
check_chrome_CFLAGS = $(CHECK_FLAGS)
check_chrome_LDADD = $(MODEL_CHECK_LIBS)
check_markdown_SOURCES = %D%/check_markdown.c %D%/sample.h
check_markdown_CFLAGS = $(CHECK_FLAGS)
check_markdown_LDADD = $(MODEL_CHECK_LIBS)
check_prom_SOURCES = %D%/check_prom.c %D%/sample.h
check_prom_CFLAGS = $(CHECK_FLAGS)
check_prom_LDADD = $(MODEL_CHECK_LIBS)
check_compile_SOURCES = %D%/check_compile.c %D%/sample.h
check_compile_CFLAGS = $(CHECK_FLAGS)
check_compile_LDADD = $(MODEL_CHECK_LIBS)
check_column_SOURCES = %D%/check_column.c %D%/sample.h
check_column_CFLAGS = $(CHECK_FLAGS)
check_column_LDADD = $(MODEL_CHECK_LIBS)
check_dialect_SOURCES = %D%/check_dialect.c %D%/printed.h %D%/sample.h
check_dialect_CFLAGS = $(CHECK_FLAGS)
check_dialect_LDADD = $(MODEL_CHECK_LIBS)
check_job_info_SOURCES = %D%/check_job_info.c %D%/sample.h
check_job_info_CFLAGS = $(CHECK_FLAGS)
check_job_info_LDADD = $(MODEL_CHECK_LIBS)
check_invariants_SOURCES = %D%/check_invariants.c %D%/sample.h
check_invariants_CFLAGS = $(CHECK_FLAGS)
check_invariants_LDADD = $(MODEL_CHECK_LIBS)
check_summary_SOURCES = %D%/check_summary.c %D%/printed.h %D%/sample.h
check_summary_CFLAGS = $(CHECK_FLAGS)
check_summary_LDADD = $(MODEL_CHECK_LIBS)
check_summary_memory_SOURCES = %D%/check_summary_memory.c %D%/printed.h %D%/sample.h
check_summary_memory_CFLAGS = $(CHECK_FLAGS)
check_summary_memory_LDADD = $(MODEL_CHECK_LIBS)
check_summary_values_SOURCES = %D%/check_summary_values.c %D%/printed.h %D%/sample.h
check_summary_values_CFLAGS = $(CHECK_FLAGS)
check_summary_values_LDADD = $(MODEL_CHECK_LIBS)

check_pace_SOURCES = %D%/check_pace.c %D%/sample.h
check_pace_CFLAGS = $(CHECK_FLAGS)
check_pace_LDADD = $(MODEL_CHECK_LIBS)
check_inside_SOURCES = %D%/check_inside.c %D%/sample.h
check_inside_CFLAGS = $(CHECK_FLAGS)
check_inside_LDADD = $(MODEL_CHECK_LIBS)
check_labels_SOURCES = %D%/check_labels.c %D%/sample.h
check_labels_CFLAGS = $(CHECK_FLAGS)
check_labels_LDADD = $(MODEL_CHECK_LIBS)
check_lines_SOURCES = %D%/check_lines.c %D%/sample.h
check_lines_CFLAGS = $(CHECK_FLAGS)
check_lines_LDADD = $(MODEL_CHECK_LIBS)
check_job_SOURCES = %D%/check_job.c %D%/sample.h
check_job_CFLAGS = $(CHECK_FLAGS)
check_job_LDADD = $(MODEL_CHECK_LIBS)
check_link_SOURCES = %D%/check_link.c
check_link_CFLAGS = $(CHECK_FLAGS)
check_link_LDADD = $(MODEL_CHECK_LIBS)
check_peak_SOURCES = %D%/check_peak.c %D%/sample.h
check_peak_CFLAGS = $(CHECK_FLAGS)
check_peak_LDADD = $(MODEL_CHECK_LIBS)
check_history_SOURCES = %D%/check_history.c %D%/running.h %D%/sample.h
check_history_CFLAGS = $(CHECK_FLAGS)
check_history_LDADD = $(MODEL_CHECK_LIBS)
check_recording_SOURCES = %D%/check_recording.c %D%/running.h %D%/sample.h
check_recording_CFLAGS = $(CHECK_FLAGS)
check_recording_LDADD = $(MODEL_CHECK_LIBS)
check_quantile_SOURCES = %D%/check_quantile.c %D%/sample.h
check_quantile_CFLAGS = $(CHECK_FLAGS)
check_quantile_LDADD = $(MODEL_CHECK_LIBS)
check_scope_SOURCES = %D%/check_scope.c %D%/sample.h
check_scope_CFLAGS = $(CHECK_FLAGS)
check_scope_LDADD = $(MODEL_CHECK_LIBS)
check_shares_SOURCES = %D%/check_shares.c %D%/sample.h
check_shares_CFLAGS = $(CHECK_FLAGS)
check_shares_LDADD = $(MODEL_CHECK_LIBS)
check_rank_test_SOURCES = %D%/check_rank_test.c %D%/sample.h
check_rank_test_CFLAGS = $(CHECK_FLAGS)
check_rank_test_LDADD = $(MODEL_CHECK_LIBS)
check_gate_SOURCES = %D%/check_gate.c %D%/sample.h
check_gate_CFLAGS = $(CHECK_FLAGS)
check_gate_LDADD = $(MODEL_CHECK_LIBS)
check_spread_SOURCES = %D%/check_spread.c %D%/sample.h
check_spread_CFLAGS = $(CHECK_FLAGS)
check_spread_LDADD = $(MODEL_CHECK_LIBS)
check_sort_SOURCES = %D%/check_sort.c %D%/sample.h
check_sort_CFLAGS = $(CHECK_FLAGS)
check_sort_LDADD = $(MODEL_CHECK_LIBS)
check_timeline_json_SOURCES = %D%/check_timeline_json.c %D%/sample.h
check_timeline_json_CFLAGS = $(CHECK_FLAGS)
check_timeline_json_LDADD = $(MODEL_CHECK_LIBS)
check_objects_SOURCES = %D%/check_objects.c %D%/sample.h
check_objects_CFLAGS = $(CHECK_FLAGS)
check_objects_LDADD = $(MODEL_CHECK_LIBS)
check_state_SOURCES = %D%/check_state.c %D%/sample.h
check_state_CFLAGS = $(CHECK_FLAGS)
check_state_LDADD = $(MODEL_CHECK_LIBS)
check_text_SOURCES = %D%/check_text.c
check_text_CFLAGS = $(CHECK_FLAGS)
check_text_LDADD = $(MODEL_CHECK_LIBS)
check_unit_SOURCES = %D%/check_unit.c %D%/sample.h
check_unit_CFLAGS = $(CHECK_FLAGS)
check_unit_LDADD = $(MODEL_CHECK_LIBS)
check_view_SOURCES = %D%/check_view.c %D%/sample.h
check_view_CFLAGS = $(CHECK_FLAGS)
check_view_LDADD = $(MODEL_CHECK_LIBS)
check_multi_job_SOURCES = %D%/check_multi_job.c %D%/sample.h
check_multi_job_CFLAGS = $(CHECK_FLAGS)
check_multi_job_LDADD = $(MODEL_CHECK_LIBS)
check_straggler_SOURCES = %D%/check_straggler.c %D%/sample.h
check_straggler_CFLAGS = $(CHECK_FLAGS)
check_straggler_LDADD = $(MODEL_CHECK_LIBS)
check_waiting_SOURCES = %D%/check_waiting.c %D%/sample.h
check_waiting_CFLAGS = $(CHECK_FLAGS)
check_waiting_LDADD = $(MODEL_CHECK_LIBS)
check_op_equivalence_SOURCES = %D%/check_op_equivalence.c
check_op_equivalence_CFLAGS = $(CHECK_FLAGS)
check_op_equivalence_LDADD = $(MODEL_CHECK_LIBS)
check_diff_SOURCES = %D%/check_diff.c %D%/sample.h
check_diff_CFLAGS = $(CHECK_FLAGS)
check_diff_LDADD = $(MODEL_CHECK_LIBS)
check_import_SOURCES = %D%/check_import.c %D%/imported.h %D%/printed.h %D%/sample.h
check_import_CFLAGS = $(CHECK_FLAGS)
check_import_LDADD = $(MODEL_CHECK_LIBS)
check_import_stats_SOURCES = %D%/check_import_stats.c %D%/imported.h %D%/sample.h
check_import_stats_CFLAGS = $(CHECK_FLAGS)
check_import_stats_LDADD = $(MODEL_CHECK_LIBS)
check_import_trace_SOURCES = %D%/check_import_trace.c %D%/imported.h %D%/sample.h
check_import_trace_CFLAGS = $(CHECK_FLAGS)
check_import_trace_LDADD = $(MODEL_CHECK_LIBS)
check_json_reader_SOURCES = %D%/check_json_reader.c
check_json_reader_CFLAGS = $(CHECK_FLAGS)
check_json_reader_LDADD = $(MODEL_CHECK_LIBS)
check_json_read_SOURCES = %D%/check_json_read.c %D%/sample.h
check_json_read_CFLAGS = $(CHECK_FLAGS)
check_json_read_LDADD = $(MODEL_CHECK_LIBS)
if HAVE_JANSSON
check_PROGRAMS += check_json
TESTS += check_json
check_json_SOURCES = %D%/check_json.c %D%/sample.h
check_json_CFLAGS = $(CHECK_FLAGS) $(JANSSON_CFLAGS)
check_json_LDADD = $(MODEL_CHECK_LIBS) $(JANSSON_LIBS)
endif
endif

# Prints lines of JSON for the schema to judge.
check_PROGRAMS += print_json
print_json_SOURCES = %D%/print_json.c
print_json_LDADD = $(MODEL_LIBS)
TESTS += %D%/schema.py %D%/tables.py

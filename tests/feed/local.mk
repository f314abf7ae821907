# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
FRAMES = %D%/frames.h %D%/wire_again.c %D%/wire_again.h
GOLDEN = %D%/golden.c %D%/golden.h
FRAMES_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests -I$(top_srcdir)/tests/feed

TESTS += %D%/golden.py
EXTRA_DIST += %D%/clock.h %D%/golden.py

if HAVE_CHECK
check_PROGRAMS += check_golden check_limits check_wire check_wire_raw
TESTS += check_golden check_limits check_wire check_wire_raw
check_golden_SOURCES = %D%/check_golden.c $(FRAMES) $(GOLDEN)
check_golden_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_golden_CFLAGS = $(CHECK_FLAGS)
check_golden_LDADD = libwire.la $(CHECK_LIBS)
check_limits_SOURCES = %D%/check_limits.c $(FRAMES) $(GOLDEN)
check_limits_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_limits_CFLAGS = $(CHECK_FLAGS)
check_limits_LDADD = libwire.la $(CHECK_LIBS)
check_wire_SOURCES = %D%/check_wire.c %D%/rows.h $(FRAMES)
check_wire_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_wire_CFLAGS = $(CHECK_FLAGS)
check_wire_LDADD = libwire.la $(CHECK_LIBS)
check_wire_raw_SOURCES = %D%/check_wire_raw.c %D%/raw.h $(FRAMES)
check_wire_raw_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_wire_raw_CFLAGS = $(CHECK_FLAGS)
check_wire_raw_LDADD = libwire.la $(CHECK_LIBS)

if HAVE_MSGPACK
check_PROGRAMS += check_oracle
TESTS += check_oracle
check_oracle_SOURCES = %D%/check_oracle.c %D%/rows.h $(FRAMES)
check_oracle_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_oracle_CFLAGS = $(CHECK_FLAGS) $(MSGPACK_CFLAGS)
check_oracle_LDADD = libwire.la $(CHECK_LIBS) $(MSGPACK_LIBS)
endif
endif

# The viewer's end, against a job that does what the test says, and against libproftop.
FAKE = %D%/fake.c %D%/fake.h

if HAVE_CHECK
check_PROGRAMS += check_requests check_discover check_endpoint check_process_tree check_flood check_goodbye check_apply check_lag check_launch check_job_report check_consistency check_subscriber check_sync \
	check_cpu_starvation check_target check_trust check_link_state
TESTS += check_requests check_discover check_endpoint check_process_tree check_flood check_goodbye check_apply check_lag check_launch check_job_report check_consistency check_subscriber check_sync \
	check_cpu_starvation check_target check_trust check_link_state
check_lag_SOURCES = %D%/check_lag.c $(FAKE)
check_lag_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_lag_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_job_report_SOURCES = %D%/check_job_report.c
check_job_report_CFLAGS = $(CHECK_FLAGS)
check_job_report_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_requests_SOURCES = %D%/check_requests.c %D%/follow.h $(FAKE)
check_requests_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_requests_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_PROGRAMS += check_recording_file
TESTS += check_recording_file
check_recording_file_SOURCES = %D%/check_recording_file.c tests/model/running.h tests/model/sample.h
check_recording_file_CFLAGS = $(CHECK_FLAGS)
check_recording_file_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_PROGRAMS += check_black_box
TESTS += check_black_box
check_black_box_SOURCES = %D%/check_black_box.c tests/model/sample.h tests/sanitized.h
check_black_box_CFLAGS = $(CHECK_FLAGS)
check_black_box_LDADD = libproftop.la $(FEED_LIBS) $(CHECK_LIBS)
check_PROGRAMS += check_command
TESTS += check_command
check_command_SOURCES = %D%/check_command.c $(FAKE)
check_command_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_command_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_discover_SOURCES = %D%/check_discover.c
check_discover_CFLAGS = $(CHECK_FLAGS)
check_discover_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_endpoint_SOURCES = %D%/check_endpoint.c
check_endpoint_CFLAGS = $(CHECK_FLAGS)
check_endpoint_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_PROGRAMS += check_child check_inject check_slurm check_tunnel
TESTS += check_child check_inject check_slurm check_tunnel
check_child_SOURCES = %D%/check_child.c
check_child_CFLAGS = $(CHECK_FLAGS)
check_child_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_inject_SOURCES = %D%/check_inject.c
check_inject_CFLAGS = $(CHECK_FLAGS)
check_inject_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_slurm_SOURCES = %D%/check_slurm.c
check_slurm_CFLAGS = $(CHECK_FLAGS)
check_slurm_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_tunnel_SOURCES = %D%/check_tunnel.c
check_tunnel_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_tunnel_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_process_tree_SOURCES = %D%/check_process_tree.c
check_process_tree_CFLAGS = $(CHECK_FLAGS)
check_process_tree_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_flood_SOURCES = %D%/check_flood.c $(FAKE)
check_flood_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_flood_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_apply_SOURCES = %D%/check_apply.c $(FAKE)
check_apply_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_apply_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_launch_SOURCES = %D%/check_launch.c
check_launch_CPPFLAGS = $(AM_CPPFLAGS) -DPROFTOP_PYTHONDIR='"$(pkglibexecdir)/python"'
check_launch_CFLAGS = $(CHECK_FLAGS)
check_launch_LDADD = $(FEED_LIBS) $(CHECK_LIBS) -lutil
check_trust_SOURCES = %D%/check_trust.c
check_trust_CFLAGS = $(CHECK_FLAGS)
check_trust_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_subscriber_SOURCES = %D%/check_subscriber.c $(FAKE)
check_subscriber_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_subscriber_LDADD = libproftop.la $(FEED_LIBS) $(CHECK_LIBS)
check_goodbye_SOURCES = %D%/check_goodbye.c %D%/follow.h $(FAKE)
check_goodbye_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_goodbye_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_consistency_SOURCES = %D%/check_consistency.c %D%/follow.h $(FAKE)
check_consistency_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_consistency_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_sync_SOURCES = %D%/check_sync.c %D%/follow.h $(FAKE)
check_sync_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_sync_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_target_SOURCES = %D%/check_target.c
check_target_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_target_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_cpu_starvation_SOURCES = %D%/check_cpu_starvation.c
check_cpu_starvation_CFLAGS = $(CHECK_FLAGS)
check_cpu_starvation_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_link_state_SOURCES = %D%/check_link_state.c
check_link_state_CFLAGS = $(CHECK_FLAGS)
check_link_state_LDADD = $(FEED_LIBS) $(CHECK_LIBS)

# Of the publisher, each test links all the parts.
check_PROGRAMS += check_report check_settings
TESTS += check_report check_settings
if HAVE_JANSSON
check_PROGRAMS += check_control check_dump check_count_filter
TESTS += check_control check_dump check_count_filter
check_control_SOURCES = %D%/check_control.c %D%/client.h %D%/process.h %D%/steer.h
check_control_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_control_CFLAGS = $(CHECK_FLAGS) $(JANSSON_CFLAGS)
check_control_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS) $(JANSSON_LIBS)
check_count_filter_SOURCES = %D%/check_count_filter.c %D%/client.h %D%/process.h %D%/steer.h
check_count_filter_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_count_filter_CFLAGS = $(CHECK_FLAGS) $(JANSSON_CFLAGS)
check_count_filter_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS) $(JANSSON_LIBS)
check_dump_SOURCES = %D%/check_dump.c %D%/client.h %D%/process.h %D%/steer.h %D%/waits.h
check_dump_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_dump_CFLAGS = $(CHECK_FLAGS) $(JANSSON_CFLAGS)
check_dump_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=poll,--wrap=nanosleep,--wrap=rename \
	-Wl,--wrap=pthread_cond_timedwait,--wrap=write
check_dump_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS) $(JANSSON_LIBS)
check_PROGRAMS += check_dump_objects
TESTS += check_dump_objects
check_dump_objects_SOURCES = %D%/check_dump_objects.c %D%/client.h %D%/domain.h %D%/reading.h
check_dump_objects_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_dump_objects_CFLAGS = $(CHECK_FLAGS) $(JANSSON_CFLAGS)
check_dump_objects_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS) $(JANSSON_LIBS)
check_PROGRAMS += check_trace
TESTS += check_trace
check_trace_SOURCES = %D%/check_trace.c %D%/client.h %D%/domain.h
check_trace_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_trace_CFLAGS = $(CHECK_FLAGS) $(JANSSON_CFLAGS)
check_trace_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS) $(JANSSON_LIBS) $(PTHREAD_LIBS)
endif
check_report_SOURCES = %D%/check_report.c
check_report_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_report_CFLAGS = $(CHECK_FLAGS)
check_report_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_settings_SOURCES = %D%/check_settings.c
check_settings_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_settings_CFLAGS = $(CHECK_FLAGS)
check_settings_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_PROGRAMS += check_burst check_churn check_lifecycle check_acceptor check_registry check_publish \
	check_open check_resources check_aggregate check_flood_guard check_server check_slot
TESTS += check_burst check_churn check_lifecycle check_acceptor check_registry check_publish \
	check_open check_resources check_aggregate check_flood_guard check_server check_slot
check_PROGRAMS += check_define check_details check_phase
TESTS += check_define check_details check_phase
PROCESS = %D%/client.h %D%/process.h
check_churn_SOURCES = %D%/check_churn.c %D%/result.h %D%/viewing.h $(PROCESS)
check_churn_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_churn_CFLAGS = $(CHECK_FLAGS)
check_churn_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=mmap,--wrap=munmap
check_churn_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_PROGRAMS += check_cancel
TESTS += check_cancel
check_cancel_SOURCES = %D%/check_cancel.c $(PROCESS)
check_cancel_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_cancel_CFLAGS = $(CHECK_FLAGS)
check_cancel_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_PROGRAMS += check_exit
TESTS += check_exit
check_exit_SOURCES = %D%/check_exit.c %D%/client.h %D%/waits.h
check_exit_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_exit_CFLAGS = $(CHECK_FLAGS)
check_exit_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=zmq_ctx_new,--wrap=pthread_cond_timedwait
check_exit_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_PROGRAMS += check_out_of_memory
TESTS += check_out_of_memory
check_out_of_memory_SOURCES = %D%/check_out_of_memory.c %D%/reading.h %D%/result.h %D%/scarce.c %D%/scarce.h \
	$(PROCESS)
check_out_of_memory_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_out_of_memory_CFLAGS = $(CHECK_FLAGS)
check_out_of_memory_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc \
	-Wl,--wrap=aligned_alloc,--wrap=strndup,--wrap=asprintf,--wrap=scandir \
	-Wl,--wrap=mmap,--wrap=pthread_create
check_out_of_memory_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_resources_SOURCES = %D%/check_resources.c %D%/shared_table.h %D%/stranger.h $(PROCESS)
check_resources_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_resources_CFLAGS = $(CHECK_FLAGS)
check_resources_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=shared_close_range
check_resources_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_acceptor_SOURCES = %D%/check_acceptor.c %D%/stranger.h $(PROCESS)
check_acceptor_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_acceptor_CFLAGS = $(CHECK_FLAGS)
check_acceptor_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)

check_flood_guard_SOURCES = %D%/check_flood_guard.c %D%/stranger.h $(PROCESS)
check_flood_guard_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_flood_guard_CFLAGS = $(CHECK_FLAGS)
check_flood_guard_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_lifecycle_SOURCES = %D%/check_lifecycle.c %D%/waits.h $(PROCESS)
check_lifecycle_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_lifecycle_CFLAGS = $(CHECK_FLAGS)
check_lifecycle_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=pthread_cond_timedwait
check_lifecycle_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_PROGRAMS += check_misuse
TESTS += check_misuse
check_misuse_SOURCES = %D%/check_misuse.c %D%/client.h
check_misuse_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_misuse_CFLAGS = $(CHECK_FLAGS)
check_misuse_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_registry_SOURCES = %D%/check_registry.c
check_registry_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_registry_CFLAGS = $(CHECK_FLAGS)
check_registry_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_PROGRAMS += check_rank
TESTS += check_rank
check_rank_SOURCES = %D%/check_rank.c
check_rank_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_rank_CFLAGS = $(CHECK_FLAGS)
check_rank_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_define_SOURCES = %D%/check_define.c %D%/told.h $(PROCESS)
check_define_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_define_CFLAGS = $(CHECK_FLAGS)
check_define_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_details_SOURCES = %D%/check_details.c %D%/client.h %D%/told.h
check_details_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_details_CFLAGS = $(CHECK_FLAGS)
check_details_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_phase_SOURCES = %D%/check_phase.c %D%/client.h %D%/told.h
check_phase_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_phase_CFLAGS = $(CHECK_FLAGS)
check_phase_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_burst_SOURCES = %D%/check_burst.c %D%/client.h
check_burst_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_burst_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_burst_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=zmq_ctx_new,--wrap=zmq_ctx_term \
	-Wl,--wrap=zmq_setsockopt,--wrap=shared_close_range,--wrap=poll
check_burst_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_publish_SOURCES = %D%/check_publish.c %D%/client.h
check_publish_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_publish_CFLAGS = $(CHECK_FLAGS)
check_publish_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_server_SOURCES = %D%/check_server.c %D%/client.h
check_server_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_server_CFLAGS = $(CHECK_FLAGS)
check_server_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_PROGRAMS += check_snapshot_steps
TESTS += check_snapshot_steps
check_snapshot_steps_SOURCES = %D%/check_snapshot_steps.c %D%/client.h
check_snapshot_steps_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_snapshot_steps_CFLAGS = $(CHECK_FLAGS)
check_snapshot_steps_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=publisher_snapshot_next,--wrap=publisher_encode_functions
check_snapshot_steps_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_PROGRAMS += check_run_commands check_authorize
TESTS += check_run_commands check_authorize
check_run_commands_SOURCES = %D%/check_run_commands.c %D%/client.h %D%/process.h %D%/steer.h $(FRAMES)
check_run_commands_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_run_commands_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_run_commands_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS) $(PTHREAD_LIBS)
check_authorize_SOURCES = %D%/check_authorize.c feed/publisher/record/authorize.c
check_authorize_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_authorize_CFLAGS = $(CHECK_FLAGS)
check_authorize_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_open_SOURCES = %D%/check_open.c
check_open_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_open_CFLAGS = $(CHECK_FLAGS)
check_open_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_aggregate_SOURCES = %D%/check_aggregate.c
check_aggregate_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_aggregate_CFLAGS = $(CHECK_FLAGS)
check_aggregate_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_slot_SOURCES = %D%/check_slot.c
check_slot_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_slot_CFLAGS = $(CHECK_FLAGS)
check_slot_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_PROGRAMS += check_error_bar check_budget check_overhead check_percentile check_calibrate \
	check_run_queue check_aggregate_calls check_ticks
TESTS += check_error_bar check_budget check_overhead check_percentile check_calibrate check_run_queue \
	check_aggregate_calls check_ticks
check_error_bar_SOURCES = %D%/check_error_bar.c %D%/client.h %D%/made_up.h
check_error_bar_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_error_bar_CFLAGS = $(CHECK_FLAGS)
check_error_bar_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_aggregate_calls_SOURCES = %D%/check_aggregate_calls.c %D%/client.h %D%/made_up.h
check_aggregate_calls_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_aggregate_calls_CFLAGS = $(CHECK_FLAGS)
check_aggregate_calls_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_budget_SOURCES = %D%/check_budget.c %D%/made_up.h
check_budget_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_budget_CFLAGS = $(CHECK_FLAGS)
check_budget_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS) -lm
check_overhead_SOURCES = %D%/check_overhead.c %D%/client.h %D%/process.h %D%/steer.h \
	%D%/two_clocks.h
check_overhead_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_overhead_CFLAGS = $(CHECK_FLAGS)
check_overhead_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_calibrate_SOURCES = %D%/check_calibrate.c %D%/two_clocks.h
check_calibrate_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_calibrate_CFLAGS = $(CHECK_FLAGS)
check_calibrate_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_run_queue_SOURCES = %D%/check_run_queue.c %D%/made_up.h
check_run_queue_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_run_queue_CFLAGS = $(CHECK_FLAGS)
check_run_queue_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=open
check_run_queue_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_percentile_SOURCES = %D%/check_percentile.c %D%/client.h
check_percentile_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_percentile_CFLAGS = $(CHECK_FLAGS)
check_percentile_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_ticks_SOURCES = %D%/check_ticks.c $(PROCESS)
check_ticks_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_ticks_CFLAGS = $(CHECK_FLAGS)
check_ticks_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=open,--wrap=publisher_ticks_agree
check_ticks_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_PROGRAMS += check_memory check_object check_span check_encode_objects check_publish_objects
TESTS += check_memory check_object check_span check_encode_objects check_publish_objects
check_PROGRAMS += check_timeline
TESTS += check_timeline
check_timeline_SOURCES = %D%/check_timeline.c %D%/client.h %D%/process.h
check_timeline_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_timeline_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_timeline_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_encode_objects_SOURCES = %D%/check_encode_objects.c %D%/client.h %D%/domain.h %D%/threadless.h
check_encode_objects_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_encode_objects_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_encode_objects_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_publish_objects_SOURCES = %D%/check_publish_objects.c %D%/client.h %D%/domain.h %D%/reading.h
check_publish_objects_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_publish_objects_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_publish_objects_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_memory_SOURCES = %D%/check_memory.c %D%/client.h %D%/domain.h %D%/reading.h
check_memory_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_memory_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_memory_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_object_SOURCES = %D%/check_object.c %D%/client.h %D%/domain.h %D%/reading.h
check_object_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_object_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_object_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_span_SOURCES = %D%/check_span.c %D%/client.h %D%/domain.h %D%/reading.h
check_span_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_span_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_span_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
endif

# What libproftop does to the process that it lives in.
if HAVE_CHECK
if HAVE_JANSSON
check_PROGRAMS += check_viewer_dump
TESTS += check_viewer_dump
check_viewer_dump_SOURCES = %D%/check_viewer_dump.c
check_viewer_dump_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS) $(JANSSON_CFLAGS)
check_viewer_dump_LDADD = libproftop.la $(FEED_LIBS) $(CHECK_LIBS) $(JANSSON_LIBS)
endif
check_PROGRAMS += check_own_file
TESTS += check_own_file
check_own_file_SOURCES = %D%/check_own_file.c
check_own_file_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_own_file_CFLAGS = $(CHECK_FLAGS)
check_own_file_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_PROGRAMS += check_file
TESTS += check_file
check_file_SOURCES = %D%/check_file.c
check_file_CFLAGS = $(CHECK_FLAGS)
check_file_LDADD = libfeed.a $(CHECK_LIBS)
check_PROGRAMS += check_load check_same_results
TESTS += check_load check_same_results
check_load_SOURCES = %D%/check_load.c %D%/result.h $(PROCESS)
check_load_CPPFLAGS = $(FRAMES_CPPFLAGS) -DLIBRARY='"$(abs_top_builddir)/.libs/libproftop.so.0"'
check_load_CFLAGS = $(CHECK_FLAGS)
check_load_LDADD = libwire.la $(FEED_LIBS) $(CHECK_LIBS) -ldl
EXTRA_check_load_DEPENDENCIES = libproftop.la
check_same_results_SOURCES = %D%/check_same_results.c %D%/result.h %D%/shared_table.h %D%/viewing.h %D%/waits.h $(PROCESS)
check_same_results_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_same_results_CFLAGS = $(CHECK_FLAGS)
check_same_results_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=pthread_cond_timedwait \
	-Wl,--wrap=shared_close_range
check_same_results_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
endif

# Over tcp, and what is forbidden.
if HAVE_CHECK
check_PROGRAMS += check_auth check_connection check_config_file check_hostile check_key check_listen \
	check_site
TESTS += check_auth check_connection check_config_file check_hostile check_key check_listen check_site
check_hostile_SOURCES = %D%/check_hostile.c $(GOLDEN) $(PROCESS)
check_hostile_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_hostile_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_hostile_LDADD = libproftop.la $(FEED_LIBS) $(CHECK_LIBS)
check_listen_SOURCES = %D%/check_listen.c
check_listen_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_listen_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_listen_LDADD = libproftop.la $(FEED_LIBS) $(CHECK_LIBS)
check_connection_SOURCES = %D%/check_connection.c
check_connection_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_connection_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_auth_SOURCES = %D%/check_auth.c
check_auth_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_auth_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_auth_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_config_file_SOURCES = %D%/check_config_file.c
check_config_file_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_config_file_CFLAGS = $(CHECK_FLAGS)
check_config_file_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_key_SOURCES = %D%/check_key.c
check_key_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_key_CFLAGS = $(CHECK_FLAGS)
check_key_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_site_SOURCES = %D%/check_site.c
check_site_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_site_CFLAGS = $(CHECK_FLAGS)
check_site_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
endif

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
FRAMES = %D%/frames.h %D%/wire_again.c %D%/wire_again.h
GOLDEN = %D%/golden.c %D%/golden.h
FRAMES_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests -I$(top_srcdir)/tests/feed

TESTS += %D%/golden.py
EXTRA_DIST += %D%/golden.py

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
check_PROGRAMS += check_ask check_discover check_endpoint check_family check_flood check_goodbye check_intake check_lag check_launch check_made check_moment check_subscriber check_sync \
	check_starved check_target check_trust check_vital
TESTS += check_ask check_discover check_endpoint check_family check_flood check_goodbye check_intake check_lag check_launch check_made check_moment check_subscriber check_sync \
	check_starved check_target check_trust check_vital
check_lag_SOURCES = %D%/check_lag.c $(FAKE)
check_lag_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_lag_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_made_SOURCES = %D%/check_made.c
check_made_CFLAGS = $(CHECK_FLAGS)
check_made_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_ask_SOURCES = %D%/check_ask.c %D%/follow.h $(FAKE)
check_ask_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_ask_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
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
check_family_SOURCES = %D%/check_family.c
check_family_CFLAGS = $(CHECK_FLAGS)
check_family_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_flood_SOURCES = %D%/check_flood.c $(FAKE)
check_flood_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_flood_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_intake_SOURCES = %D%/check_intake.c $(FAKE)
check_intake_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_intake_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_launch_SOURCES = %D%/check_launch.c
check_launch_CPPFLAGS = $(AM_CPPFLAGS) -DPROFTOP_PYTHONDIR='"$(pkgdatadir)/python"'
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
check_moment_SOURCES = %D%/check_moment.c %D%/follow.h $(FAKE)
check_moment_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_moment_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_sync_SOURCES = %D%/check_sync.c %D%/follow.h $(FAKE)
check_sync_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_sync_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_target_SOURCES = %D%/check_target.c
check_target_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_target_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_starved_SOURCES = %D%/check_starved.c
check_starved_CFLAGS = $(CHECK_FLAGS)
check_starved_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_vital_SOURCES = %D%/check_vital.c
check_vital_CFLAGS = $(CHECK_FLAGS)
check_vital_LDADD = $(FEED_LIBS) $(CHECK_LIBS)

# Of the publisher, each test links all the parts.
check_PROGRAMS += check_report check_setting
TESTS += check_report check_setting
if HAVE_JANSSON
check_PROGRAMS += check_control check_dump check_wanted
TESTS += check_control check_dump check_wanted
check_control_SOURCES = %D%/check_control.c %D%/client.h %D%/process.h %D%/steer.h
check_control_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_control_CFLAGS = $(CHECK_FLAGS) $(JANSSON_CFLAGS)
check_control_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS) $(JANSSON_LIBS)
check_wanted_SOURCES = %D%/check_wanted.c %D%/client.h %D%/process.h %D%/steer.h
check_wanted_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_wanted_CFLAGS = $(CHECK_FLAGS) $(JANSSON_CFLAGS)
check_wanted_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS) $(JANSSON_LIBS)
check_dump_SOURCES = %D%/check_dump.c %D%/client.h %D%/process.h %D%/steer.h \
	%D%/threadless.h %D%/waits.h
check_dump_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_dump_CFLAGS = $(CHECK_FLAGS) $(JANSSON_CFLAGS)
check_dump_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=poll,--wrap=nanosleep,--wrap=rename \
	-Wl,--wrap=pthread_cond_timedwait,--wrap=write
check_dump_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS) $(JANSSON_LIBS)
check_PROGRAMS += check_dump_objects
TESTS += check_dump_objects
check_dump_objects_SOURCES = %D%/check_dump_objects.c %D%/client.h %D%/domain.h
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
check_setting_SOURCES = %D%/check_setting.c
check_setting_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_setting_CFLAGS = $(CHECK_FLAGS)
check_setting_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_PROGRAMS += check_burst check_churn check_life check_entrance check_place check_publish \
	check_open check_room check_scan check_sentry check_server check_slot
TESTS += check_burst check_churn check_life check_entrance check_place check_publish \
	check_open check_room check_scan check_sentry check_server check_slot
check_PROGRAMS += check_define check_describe check_phase
TESTS += check_define check_describe check_phase
PROCESS = %D%/client.h %D%/process.h
check_churn_SOURCES = %D%/check_churn.c %D%/result.h %D%/viewing.h $(PROCESS)
check_churn_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_churn_CFLAGS = $(CHECK_FLAGS)
check_churn_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_PROGRAMS += check_cancel
TESTS += check_cancel
check_cancel_SOURCES = %D%/check_cancel.c $(PROCESS)
check_cancel_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_cancel_CFLAGS = $(CHECK_FLAGS)
check_cancel_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_PROGRAMS += check_exit
TESTS += check_exit
check_exit_SOURCES = %D%/check_exit.c %D%/client.h
check_exit_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_exit_CFLAGS = $(CHECK_FLAGS)
check_exit_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=zmq_ctx_new
check_exit_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_PROGRAMS += check_scarce
TESTS += check_scarce
check_scarce_SOURCES = %D%/check_scarce.c %D%/reading.h %D%/result.h %D%/scarce.c %D%/scarce.h \
	$(PROCESS)
check_scarce_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_scarce_CFLAGS = $(CHECK_FLAGS)
check_scarce_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc \
	-Wl,--wrap=aligned_alloc,--wrap=strndup,--wrap=asprintf,--wrap=scandir \
	-Wl,--wrap=mmap,--wrap=pthread_create
check_scarce_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_room_SOURCES = %D%/check_room.c %D%/shared_table.h %D%/stranger.h $(PROCESS)
check_room_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_room_CFLAGS = $(CHECK_FLAGS)
check_room_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_entrance_SOURCES = %D%/check_entrance.c %D%/stranger.h $(PROCESS)
check_entrance_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_entrance_CFLAGS = $(CHECK_FLAGS)
check_entrance_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)

check_sentry_SOURCES = %D%/check_sentry.c %D%/stranger.h $(PROCESS)
check_sentry_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_sentry_CFLAGS = $(CHECK_FLAGS)
check_sentry_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_life_SOURCES = %D%/check_life.c %D%/waits.h $(PROCESS)
check_life_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_life_CFLAGS = $(CHECK_FLAGS)
check_life_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=pthread_cond_timedwait
check_life_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_PROGRAMS += check_misuse
TESTS += check_misuse
check_misuse_SOURCES = %D%/check_misuse.c %D%/client.h
check_misuse_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_misuse_CFLAGS = $(CHECK_FLAGS)
check_misuse_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_place_SOURCES = %D%/check_place.c
check_place_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_place_CFLAGS = $(CHECK_FLAGS)
check_place_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
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
check_describe_SOURCES = %D%/check_describe.c %D%/client.h %D%/told.h
check_describe_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_describe_CFLAGS = $(CHECK_FLAGS)
check_describe_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_phase_SOURCES = %D%/check_phase.c %D%/client.h %D%/told.h
check_phase_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_phase_CFLAGS = $(CHECK_FLAGS)
check_phase_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_burst_SOURCES = %D%/check_burst.c %D%/client.h %D%/threadless.h
check_burst_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_burst_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_burst_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_publish_SOURCES = %D%/check_publish.c %D%/client.h
check_publish_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_publish_CFLAGS = $(CHECK_FLAGS)
check_publish_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_server_SOURCES = %D%/check_server.c %D%/client.h
check_server_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_server_CFLAGS = $(CHECK_FLAGS)
check_server_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_PROGRAMS += check_step
TESTS += check_step
check_step_SOURCES = %D%/check_step.c %D%/client.h
check_step_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_step_CFLAGS = $(CHECK_FLAGS)
check_step_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=publisher_snapshot_next,--wrap=publisher_encode_functions
check_step_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_PROGRAMS += check_comply check_grant
TESTS += check_comply check_grant
check_comply_SOURCES = %D%/check_comply.c %D%/client.h %D%/process.h %D%/steer.h $(FRAMES)
check_comply_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_comply_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_comply_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS) $(PTHREAD_LIBS)
check_grant_SOURCES = %D%/check_grant.c feed/publisher/record/authorize.c
check_grant_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_grant_CFLAGS = $(CHECK_FLAGS)
check_grant_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_open_SOURCES = %D%/check_open.c
check_open_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_open_CFLAGS = $(CHECK_FLAGS)
check_open_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_scan_SOURCES = %D%/check_scan.c
check_scan_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_scan_CFLAGS = $(CHECK_FLAGS)
check_scan_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_slot_SOURCES = %D%/check_slot.c
check_slot_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_slot_CFLAGS = $(CHECK_FLAGS)
check_slot_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_PROGRAMS += check_bar check_budget check_cost check_percentile check_price \
	check_runqueue check_scan_calls check_ticks
TESTS += check_bar check_budget check_cost check_percentile check_price check_runqueue \
	check_scan_calls check_ticks
check_bar_SOURCES = %D%/check_bar.c %D%/client.h %D%/made_up.h
check_bar_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_bar_CFLAGS = $(CHECK_FLAGS)
check_bar_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_scan_calls_SOURCES = %D%/check_scan_calls.c %D%/client.h %D%/made_up.h
check_scan_calls_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_scan_calls_CFLAGS = $(CHECK_FLAGS)
check_scan_calls_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_budget_SOURCES = %D%/check_budget.c %D%/made_up.h
check_budget_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_budget_CFLAGS = $(CHECK_FLAGS)
check_budget_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS) -lm
check_cost_SOURCES = %D%/check_cost.c %D%/client.h %D%/process.h %D%/steer.h \
	%D%/two_clocks.h
check_cost_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_cost_CFLAGS = $(CHECK_FLAGS)
check_cost_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_price_SOURCES = %D%/check_price.c %D%/two_clocks.h
check_price_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_price_CFLAGS = $(CHECK_FLAGS)
check_price_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_runqueue_SOURCES = %D%/check_runqueue.c %D%/made_up.h
check_runqueue_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_runqueue_CFLAGS = $(CHECK_FLAGS)
check_runqueue_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=open
check_runqueue_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_percentile_SOURCES = %D%/check_percentile.c %D%/client.h
check_percentile_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_percentile_CFLAGS = $(CHECK_FLAGS)
check_percentile_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_ticks_SOURCES = %D%/check_ticks.c $(PROCESS)
check_ticks_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_ticks_CFLAGS = $(CHECK_FLAGS)
check_ticks_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=open,--wrap=publisher_ticks_agree
check_ticks_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
check_PROGRAMS += check_memory check_object check_span check_tell
TESTS += check_memory check_object check_span check_tell
check_tell_SOURCES = %D%/check_tell.c %D%/client.h %D%/domain.h %D%/reading.h \
	%D%/threadless.h
check_tell_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_tell_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_tell_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
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
check_PROGRAMS += check_save
TESTS += check_save
check_save_SOURCES = %D%/check_save.c
check_save_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS) $(JANSSON_CFLAGS)
check_save_LDADD = libproftop.la $(FEED_LIBS) $(CHECK_LIBS) $(JANSSON_LIBS)
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
check_PROGRAMS += check_load check_same
TESTS += check_load check_same
check_load_SOURCES = %D%/check_load.c %D%/result.h $(PROCESS)
check_load_CPPFLAGS = $(FRAMES_CPPFLAGS) -DLIBRARY='"$(abs_top_builddir)/.libs/libproftop.so.0"'
check_load_CFLAGS = $(CHECK_FLAGS)
check_load_LDADD = libwire.la $(FEED_LIBS) $(CHECK_LIBS) -ldl
EXTRA_check_load_DEPENDENCIES = libproftop.la
check_same_SOURCES = %D%/check_same.c %D%/result.h %D%/shared_table.h %D%/viewing.h %D%/waits.h $(PROCESS)
check_same_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_same_CFLAGS = $(CHECK_FLAGS)
check_same_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=pthread_cond_timedwait
check_same_LDADD = $(PUBLISH_LIBS) $(CHECK_LIBS)
endif

# Over tcp, and what is forbidden.
if HAVE_CHECK
check_PROGRAMS += check_admit check_connection check_entry check_hostile check_key check_listen \
	check_site
TESTS += check_admit check_connection check_entry check_hostile check_key check_listen check_site
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
check_admit_SOURCES = %D%/check_admit.c
check_admit_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_admit_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_admit_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_entry_SOURCES = %D%/check_entry.c
check_entry_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_entry_CFLAGS = $(CHECK_FLAGS)
check_entry_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_key_SOURCES = %D%/check_key.c
check_key_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_key_CFLAGS = $(CHECK_FLAGS)
check_key_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_site_SOURCES = %D%/check_site.c
check_site_CPPFLAGS = $(FRAMES_CPPFLAGS)
check_site_CFLAGS = $(CHECK_FLAGS)
check_site_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
endif

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
#
# The feed: protocol/ encodes and decodes frames, shared/ has what both ends need, publisher/ runs in
# the job, viewer/ in the viewer. The libraries:
#   libwire.la      frames; depends on nothing
#   librecord.la    what a program calls: it counts
#   libserve.la     what the feed's thread runs: it sums and publishes; contains frames, uses libzmq
#   libpublish.la   the last two together, for tests
#   libproftop.la   librecord.la as a shared library, for programs
#   libproftop-feed.la  libserve.la as a plugin, which libproftop loads when a feed is opened
#   libfeed.a       the viewer's end: frames, the model, libzmq
EXTRA_DIST += %D%/publisher/transport/README.md

noinst_LTLIBRARIES += libwire.la
libwire_la_SOURCES = \
	%D%/protocol/columns.c %D%/protocol/columns.h \
	%D%/protocol/frame.h \
	%D%/protocol/limits.h \
	%D%/protocol/reader.c \
	%D%/protocol/schema.c \
	%D%/protocol/writer.c
libwire_la_CFLAGS = $(AM_CFLAGS)

lib_LTLIBRARIES += libproftop.la
noinst_LTLIBRARIES += librecord.la libserve.la libpublish.la
librecord_la_SOURCES = \
	%D%/publisher/api/control.c \
	%D%/publisher/api/count.c \
	%D%/publisher/api/counters.c \
	%D%/publisher/api/define.c %D%/publisher/api/define.h \
	%D%/publisher/api/detail.c \
	%D%/publisher/api/lifecycle.c \
	%D%/publisher/api/markers.c \
	%D%/publisher/api/memory.c \
	%D%/publisher/api/metrics.c \
	%D%/publisher/api/phases.c \
	%D%/publisher/api/spans.c \
	%D%/publisher/record/authorize.c %D%/publisher/record/authorize.h \
	%D%/publisher/record/black_box.c %D%/publisher/record/black_box.h \
	%D%/publisher/record/clock.h \
	%D%/publisher/record/core.h \
	%D%/publisher/record/count_filter.c %D%/publisher/record/count_filter.h \
	%D%/publisher/record/definitions.c %D%/publisher/record/definitions.h \
	%D%/publisher/record/details.c %D%/publisher/record/details.h \
	%D%/publisher/record/event_ring.c %D%/publisher/record/event_ring.h \
	%D%/publisher/record/histogram.c %D%/publisher/record/histogram.h \
	%D%/publisher/record/identity.c %D%/publisher/record/identity.h \
	%D%/publisher/record/index.c %D%/publisher/record/index.h \
	%D%/publisher/record/lock.c %D%/publisher/record/lock.h \
	%D%/publisher/record/no_inline_api.h \
	%D%/publisher/record/objects.c %D%/publisher/record/objects.h \
	%D%/publisher/record/pages.c %D%/publisher/record/pages.h \
	%D%/publisher/record/queue.h \
	%D%/publisher/record/settings.c %D%/publisher/record/settings.h \
	%D%/publisher/record/slot.c %D%/publisher/record/slot.h \
	%D%/publisher/record/thread_buffer.c %D%/publisher/record/thread_buffer.h \
	%D%/publisher/record/thread_objects.c %D%/publisher/record/thread_objects.h \
	%D%/publisher/record/ticks.c %D%/publisher/record/ticks.h \
	%D%/shared/black_box.h \
	%D%/shared/pattern.c %D%/shared/pattern.h \
	%D%/shared/rank.c %D%/shared/rank.h \
	%D%/shared/system_calls.c %D%/shared/system_calls.h
libserve_la_SOURCES = \
	%D%/publisher/collect/aggregate.c %D%/publisher/collect/aggregate.h \
	%D%/publisher/collect/aggregate_calls.c %D%/publisher/collect/aggregate_calls.h \
	%D%/publisher/collect/budget.c %D%/publisher/collect/budget.h \
	%D%/publisher/collect/calibrate.c %D%/publisher/collect/calibrate.h \
	%D%/publisher/collect/estimate.c %D%/publisher/collect/estimate.h \
	%D%/publisher/collect/open_calls.c %D%/publisher/collect/open_calls.h \
	%D%/publisher/collect/overhead.c %D%/publisher/collect/overhead.h \
	%D%/publisher/collect/percentiles.c %D%/publisher/collect/percentiles.h \
	%D%/publisher/collect/read_objects.c %D%/publisher/collect/read_objects.h \
	%D%/publisher/collect/rows.c %D%/publisher/collect/rows.h \
	%D%/publisher/collect/run_queue.c %D%/publisher/collect/run_queue.h \
	%D%/publisher/collect/sampling.c %D%/publisher/collect/sampling.h \
	%D%/publisher/collect/sum.h \
	%D%/publisher/publish/commands.c %D%/publisher/publish/commands.h \
	%D%/publisher/publish/encode.c %D%/publisher/publish/encode.h \
	%D%/publisher/publish/encode_detail.c \
	%D%/publisher/publish/encode_hello.c \
	%D%/publisher/publish/encode_objects.c %D%/publisher/publish/encode_objects.h \
	%D%/publisher/publish/program_commands.c %D%/publisher/publish/program_commands.h \
	%D%/publisher/publish/publisher.c %D%/publisher/publish/publisher.h \
	%D%/publisher/publish/report.c %D%/publisher/publish/report.h \
	%D%/publisher/publish/sender.c %D%/publisher/publish/sender.h \
	%D%/publisher/publish/session.c %D%/publisher/publish/session.h \
	%D%/publisher/publish/snapshot.c %D%/publisher/publish/snapshot.h \
	%D%/publisher/publish/state.h \
	%D%/publisher/publish/thread.c \
	%D%/publisher/publish/timeline.c %D%/publisher/publish/timeline.h \
	%D%/publisher/publish/encode_timeline.c %D%/publisher/publish/encode_timeline.h \
	%D%/publisher/publish/trace.c %D%/publisher/publish/trace.h \
	%D%/publisher/transport/acceptor.c %D%/publisher/transport/acceptor.h \
	%D%/publisher/transport/black_box_file.c %D%/publisher/transport/black_box_file.h \
	%D%/publisher/transport/flood_guard.c %D%/publisher/transport/flood_guard.h \
	%D%/publisher/transport/own_file.c %D%/publisher/transport/own_file.h \
	%D%/publisher/transport/prefault.c %D%/publisher/transport/prefault.h \
	%D%/publisher/transport/registration.c %D%/publisher/transport/registration.h \
	%D%/publisher/transport/resource_check.c %D%/publisher/transport/resource_check.h \
	%D%/publisher/transport/socket.c %D%/publisher/transport/socket.h \
	%D%/publisher/transport/tcp_endpoint.c %D%/publisher/transport/tcp_endpoint.h \
	%D%/shared/atomic_file.c %D%/shared/atomic_file.h \
	%D%/shared/auth.c %D%/shared/auth.h \
	%D%/shared/black_box_place.c %D%/shared/black_box_place.h \
	%D%/shared/command_table.h \
	%D%/shared/config_file.c %D%/shared/config_file.h \
	%D%/shared/endpoint.c \
	%D%/shared/keys.c %D%/shared/keys.h \
	%D%/shared/registry_dir.c %D%/shared/registry_dir.h \
	%D%/shared/resource_probe.c %D%/shared/resource_probe.h \
	%D%/shared/schedstat.c %D%/shared/schedstat.h \
	%D%/shared/site_policy.c %D%/shared/site_policy.h \
	%D%/shared/site_policy_path.c %D%/shared/site_policy_path.h \
	%D%/shared/stats_report.c %D%/shared/stats_report.h \
	%D%/shared/text_buffer.c %D%/shared/text_buffer.h \
	$(libwire_la_SOURCES)
libpublish_la_SOURCES = tests/feed/static.c
libpublish_la_LIBADD = libserve.la librecord.la
# The administrator's restrictions. No environment variable moves this file.
SITE_CPPFLAGS = -DPROFTOP_SITE_FILE='"$(sysconfdir)/proftop.conf"'
PUBLISH_CPPFLAGS = $(AM_CPPFLAGS) $(SITE_CPPFLAGS)
PUBLISH_CFLAGS = $(AM_CFLAGS) $(ZMQ_CFLAGS) $(SMALL_CFLAGS) -fvisibility=hidden
librecord_la_CPPFLAGS = $(PUBLISH_CPPFLAGS)
librecord_la_CFLAGS = $(PUBLISH_CFLAGS)
libserve_la_CPPFLAGS = $(PUBLISH_CPPFLAGS)
libserve_la_CFLAGS = $(PUBLISH_CFLAGS) $(ALONE_CFLAGS)
libpublish_la_CPPFLAGS = $(PUBLISH_CPPFLAGS)
libpublish_la_CFLAGS = $(PUBLISH_CFLAGS)
# These libraries run in other people's processes, so they are kept small:
# - code that does not run for each op, slot or row is optimized for size, if CFLAGS have -O2 or -O3;
# - code that only the feed's thread runs has no unwind tables: nobody cancels that thread or throws
#   through it. Other threads have such a table for each of our functions.
QUICK = calibrate count slot aggregate encode writer
PART = $(lastword $(subst _la-, ,$(*F)))
SMALL = $(SMALLEST)
CFLAGS_AS_GIVEN := $(CFLAGS)
CFLAGS_SMALL = $(patsubst -O3,$(SMALL),$(patsubst -O2,$(SMALL),$(CFLAGS_AS_GIVEN)))
$(librecord_la_OBJECTS) $(libserve_la_OBJECTS) $(libpublish_la_OBJECTS) $(libproftop_la_OBJECTS): \
	CFLAGS = $(if $(filter $(QUICK),$(PART)),$(CFLAGS_AS_GIVEN),$(CFLAGS_SMALL))
PUBLISH_LIBS = libpublish.la $(ZMQ_LIBS) $(PTHREAD_LIBS)

# A program links libproftop, which needs libc alone. The plugin has the loop of the feed's thread and
# needs libzmq. libproftop loads it from its own folder (feed/publisher/api/plugin_loader.c). The
# name has the version, so that an older libproftop that still runs does not load a newer plugin.
libproftop_la_SOURCES = %D%/publisher/api/plugin_loader.c
libproftop_la_CPPFLAGS = $(PUBLISH_CPPFLAGS)
libproftop_la_CFLAGS = $(PUBLISH_CFLAGS)
libproftop_la_LDFLAGS = $(AM_LDFLAGS) -no-undefined -version-info 1:0:1 -Wl,-z,nodelete $(SMALL_LDFLAGS) \
	-Wl,--version-script=$(srcdir)/include/libproftop.map
libproftop_la_LIBADD = librecord.la $(PTHREAD_LIBS)
EXTRA_libproftop_la_DEPENDENCIES = $(srcdir)/include/libproftop.map

lib_LTLIBRARIES += libproftop-feed.la
libproftop_feed_la_SOURCES =
libproftop_feed_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -release $(VERSION) -Wl,-z,nodelete \
	$(SMALL_LDFLAGS) -export-symbols-regex '^proftop_feed_loop$$'
libproftop_feed_la_LIBADD = libserve.la librecord.la $(ZMQ_LIBS) $(PTHREAD_LIBS)

# Linkers do not need libtool's descriptions, and nobody links the plugin. Without a description,
# uninstall does not find a library.
install-exec-hook:
	cd $(DESTDIR)$(libdir) && rm -f libproftop.la libproftop-feed.la libproftop-feed.so
UNINSTALLS += uninstall-libraries
uninstall-libraries:
	rm -f $(DESTDIR)$(libdir)/libproftop.so* $(DESTDIR)$(libdir)/libproftop-feed-$(VERSION).so

noinst_LIBRARIES += libfeed.a
libfeed_a_SOURCES = \
	%D%/shared/atomic_file.c \
	%D%/shared/auth.c \
	%D%/shared/black_box_place.c \
	%D%/shared/config_file.c \
	%D%/shared/endpoint.c \
	%D%/shared/keys.c \
	%D%/shared/pattern.c \
	%D%/shared/registry_dir.c \
	%D%/shared/resource_probe.c \
	%D%/shared/schedstat.c \
	%D%/shared/site_policy.c \
	%D%/shared/site_policy_path.c \
	%D%/shared/stats_report.c \
	%D%/shared/text_buffer.c \
	%D%/viewer/discovery/discover.c %D%/viewer/discovery/discover.h \
	%D%/viewer/discovery/jobs.c %D%/viewer/discovery/jobs.h \
	%D%/viewer/discovery/process_tree.c %D%/viewer/discovery/process_tree.h \
	%D%/viewer/discovery/unix_sockets.c %D%/viewer/discovery/unix_sockets.h \
	%D%/viewer/discovery/unpublished.c %D%/viewer/discovery/unpublished.h \
	%D%/viewer/discovery/watch.c \
	%D%/viewer/launch/child.c %D%/viewer/launch/child.h \
	%D%/viewer/launch/inject.c %D%/viewer/launch/inject.h \
	%D%/viewer/launch/launch.c %D%/viewer/launch/launch.h \
	%D%/viewer/launch/trust.c %D%/viewer/launch/trust.h \
	%D%/viewer/recording/block.c %D%/viewer/recording/block.h \
	%D%/viewer/recording/reader.c %D%/viewer/recording/reader.h \
	%D%/viewer/recording/writer.c %D%/viewer/recording/writer.h \
	%D%/viewer/remote/keygen.c \
	%D%/viewer/remote/listen.c %D%/viewer/remote/listen.h \
	%D%/viewer/remote/machines.c %D%/viewer/remote/machines.h \
	%D%/viewer/remote/slurm.c %D%/viewer/remote/slurm.h \
	%D%/viewer/remote/tunnel.c %D%/viewer/remote/tunnel.h \
	%D%/viewer/stream/apply.c %D%/viewer/stream/apply.h \
	%D%/viewer/stream/apply_detail.c %D%/viewer/stream/apply_detail.h \
	%D%/viewer/stream/apply_objects.c %D%/viewer/stream/apply_objects.h \
	%D%/viewer/stream/apply_timeline.c %D%/viewer/stream/apply_timeline.h \
	%D%/viewer/stream/apply_result.h \
	%D%/viewer/stream/black_box.c %D%/viewer/stream/black_box.h \
	%D%/viewer/stream/black_box_file.c \
	%D%/viewer/stream/command.c %D%/viewer/stream/command.h \
	%D%/viewer/stream/connection.c %D%/viewer/stream/connection.h \
	%D%/viewer/stream/consistency.c %D%/viewer/stream/consistency.h \
	%D%/viewer/stream/cpu_starvation.c %D%/viewer/stream/cpu_starvation.h \
	%D%/viewer/stream/headroom.c %D%/viewer/stream/headroom.h \
	%D%/viewer/stream/job_report.c %D%/viewer/stream/job_report.h \
	%D%/viewer/stream/link_state.c %D%/viewer/stream/link_state.h \
	%D%/viewer/stream/pending_frames.c %D%/viewer/stream/pending_frames.h \
	%D%/viewer/stream/dump.c %D%/viewer/stream/dump.h \
	%D%/viewer/stream/subscriber.c %D%/viewer/stream/subscriber.h \
	%D%/viewer/stream/sync.c %D%/viewer/stream/sync.h \
	%D%/viewer/stream/target.c
# An installation may be moved as a whole, for example into a virtual environment: paths relative to
# the program are tried, too.
FROM_BIN = $(shell realpath -m --relative-to=$(bindir) $(1))
libfeed_a_CPPFLAGS = $(AM_CPPFLAGS) $(SITE_CPPFLAGS) -DPROFTOP_PYTHONDIR='"$(pkglibexecdir)/python"' \
	-DPROFTOP_LIBEXECDIR='"$(pkglibexecdir)"' \
	-DPROFTOP_TO_PYTHONDIR='"$(call FROM_BIN,$(pkglibexecdir)/python)"' \
	-DPROFTOP_TO_LIBEXECDIR='"$(call FROM_BIN,$(pkglibexecdir))"' \
	-DPROFTOP_TO_LIBDIR='"$(shell realpath -m --relative-to=$(pkglibexecdir)/python $(libdir))"'
libfeed_a_CFLAGS = $(AM_CFLAGS) $(ZMQ_CFLAGS) $(ZSTD_CFLAGS)
FEED_LIBS = libfeed.a libwire.la $(MODEL_LIBS) $(ZMQ_LIBS) $(ZSTD_LIBS)

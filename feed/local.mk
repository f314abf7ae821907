# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
#
# How facts travel. Here: the public headers, and what both ends need (places, files, keys, rules of
# who may). wire/ is what goes between the ends, job/ the end that is watched, viewer/ the one that
# watches. The libraries, each knowing only what stands before it:
#   libwire.la     bytes <-> frames; knows nothing
#   libcollect.la  what a program calls: it counts
#   libserve.la    what the feed's thread runs: it tells, by a wire of its own, and libzmq
#   libpublish.la  both, with all parts visible for the tests of each
#   libproftop.la  libcollect.la as a library that lives in other people's processes
#   libproftop-feed.la  libserve.la, and what it calls of the other: what libproftop loads for a feed
#   libfeed.a      the viewer's end: wire + model + zmq
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
noinst_LTLIBRARIES += libcollect.la libserve.la libpublish.la
libcollect_la_SOURCES = \
	%D%/publisher/control.c %D%/publisher/control.h \
	%D%/publisher/core.h \
	%D%/publisher/identity.c %D%/publisher/identity.h \
	%D%/publisher/lifecycle.c \
	%D%/publisher/no_inline_api.h \
	%D%/publisher/record/clock.h \
	%D%/publisher/record/compile_phases.c %D%/publisher/record/compile_phases.h \
	%D%/publisher/record/count.c \
	%D%/publisher/record/count_filter.c %D%/publisher/record/count_filter.h \
	%D%/publisher/record/counters.c \
	%D%/publisher/record/define.c \
	%D%/publisher/record/definitions.c %D%/publisher/record/definitions.h \
	%D%/publisher/record/histogram.c %D%/publisher/record/histogram.h \
	%D%/publisher/record/lock.c %D%/publisher/record/lock.h \
	%D%/publisher/record/markers.c \
	%D%/publisher/record/memory.c \
	%D%/publisher/record/metrics.c \
	%D%/publisher/record/node_detail.c %D%/publisher/record/node_detail.h \
	%D%/publisher/record/objects.c %D%/publisher/record/objects.h \
	%D%/publisher/record/slot.c %D%/publisher/record/slot.h \
	%D%/publisher/record/spans.c \
	%D%/publisher/record/thread_buffer.c %D%/publisher/record/thread_buffer.h \
	%D%/publisher/record/ticks.c %D%/publisher/record/ticks.h \
	%D%/publisher/settings.c %D%/publisher/settings.h \
	%D%/shared/pattern.c %D%/shared/pattern.h \
	%D%/shared/rank.c %D%/shared/rank.h
libserve_la_SOURCES = \
	%D%/publisher/collect/aggregate.c %D%/publisher/collect/aggregate.h \
	%D%/publisher/collect/aggregate_calls.c \
	%D%/publisher/collect/calibrate.c \
	%D%/publisher/collect/open_calls.c \
	%D%/publisher/collect/overhead.c %D%/publisher/collect/overhead.h \
	%D%/publisher/collect/percentiles.c %D%/publisher/collect/percentiles.h \
	%D%/publisher/collect/read_objects.c \
	%D%/publisher/collect/reset.c \
	%D%/publisher/collect/run_queue.c %D%/publisher/collect/run_queue.h \
	%D%/publisher/collect/sampling.c %D%/publisher/collect/sampling.h \
	%D%/publisher/collect/sum.h \
	%D%/publisher/publish/commands.c %D%/publisher/publish/commands.h \
	%D%/publisher/publish/encode.c \
	%D%/publisher/publish/encode_detail.c \
	%D%/publisher/publish/encode_hello.c \
	%D%/publisher/publish/encode_objects.c %D%/publisher/publish/encode_objects.h \
	%D%/publisher/publish/program_commands.c \
	%D%/publisher/publish/publisher.c %D%/publisher/publish/publisher.h \
	%D%/publisher/publish/queue.h \
	%D%/publisher/publish/report.c \
	%D%/publisher/publish/report_objects.c \
	%D%/publisher/publish/session.c %D%/publisher/publish/session.h \
	%D%/publisher/publish/snapshot.c %D%/publisher/publish/snapshot.h \
	%D%/publisher/publish/subscriptions.c \
	%D%/publisher/publish/thread.c \
	%D%/publisher/publish/trace.c %D%/publisher/publish/trace.h \
	%D%/publisher/transport/acceptor.c %D%/publisher/transport/acceptor.h \
	%D%/publisher/transport/authorize.c %D%/publisher/transport/authorize.h \
	%D%/publisher/transport/flood_guard.c %D%/publisher/transport/flood_guard.h \
	%D%/publisher/transport/own_file.c %D%/publisher/transport/own_file.h \
	%D%/publisher/transport/prefault.c %D%/publisher/transport/prefault.h \
	%D%/publisher/transport/registration.c %D%/publisher/transport/registration.h \
	%D%/publisher/transport/resource_check.c %D%/publisher/transport/resource_check.h \
	%D%/publisher/transport/socket.c %D%/publisher/transport/socket.h \
	%D%/publisher/transport/tcp_endpoint.c %D%/publisher/transport/tcp_endpoint.h \
	%D%/shared/atomic_file.c %D%/shared/atomic_file.h \
	%D%/shared/auth.c %D%/shared/auth.h \
	%D%/shared/config_file.c %D%/shared/config_file.h \
	%D%/shared/endpoint.c \
	%D%/shared/keys.c %D%/shared/keys.h \
	%D%/shared/registry_dir.c %D%/shared/registry_dir.h \
	%D%/shared/resource_probe.c %D%/shared/resource_probe.h \
	%D%/shared/schedstat.c %D%/shared/schedstat.h \
	%D%/shared/site_policy.c %D%/shared/site_policy.h \
	%D%/shared/site_policy_path.c \
	%D%/shared/stats_report.c %D%/shared/stats_report.h \
	%D%/shared/text_buffer.c %D%/shared/text_buffer.h \
	$(libwire_la_SOURCES)
libpublish_la_SOURCES = %D%/publisher/start.c %D%/publisher/static.c
libpublish_la_LIBADD = libserve.la libcollect.la
# Where an administrator says what is forbidden. No environment moves it.
SITE_CPPFLAGS = -DPROFTOP_SITE_FILE='"$(sysconfdir)/proftop.conf"'
PUBLISH_CPPFLAGS = $(AM_CPPFLAGS) $(SITE_CPPFLAGS)
PUBLISH_CFLAGS = $(AM_CFLAGS) $(ZMQ_CFLAGS) $(SMALL_CFLAGS) -fvisibility=hidden
libcollect_la_CPPFLAGS = $(PUBLISH_CPPFLAGS)
libcollect_la_CFLAGS = $(PUBLISH_CFLAGS)
libserve_la_CPPFLAGS = $(PUBLISH_CPPFLAGS)
libserve_la_CFLAGS = $(PUBLISH_CFLAGS) $(ALONE_CFLAGS)
libpublish_la_CPPFLAGS = $(PUBLISH_CPPFLAGS)
libpublish_la_CFLAGS = $(PUBLISH_CFLAGS)
# They live in other people's processes, so they are made small, by CFLAGS as they are given except:
# - what is not run for each op, slot or row is optimized for size where it would be for speed;
# - what the feed's own thread alone runs has no tables to unwind it by: nobody cancels that thread
#   or throws through it. Threads of the job have such a table for each function of ours.
QUICK = calibrate count slot aggregate encode writer
PART = $(lastword $(subst _la-, ,$(*F)))
SMALL = $(SMALLEST)
CFLAGS_AS_GIVEN := $(CFLAGS)
CFLAGS_SMALL = $(patsubst -O3,$(SMALL),$(patsubst -O2,$(SMALL),$(CFLAGS_AS_GIVEN)))
$(libcollect_la_OBJECTS) $(libserve_la_OBJECTS) $(libpublish_la_OBJECTS) $(libproftop_la_OBJECTS): \
	CFLAGS = $(if $(filter $(QUICK),$(PART)),$(CFLAGS_AS_GIVEN),$(CFLAGS_SMALL))
PUBLISH_LIBS = libpublish.la $(ZMQ_LIBS) $(PTHREAD_LIBS)

# Of the two, a program links the first, which is all that it calls, and needs libc alone. The other
# has the loop of the feed's thread, and libzmq; the first loads it from where it lies itself when a
# feed is opened (feed/publisher/plugin_loader.c). Its name has the version: an older libproftop that is still running
# does not take the newer one.
libproftop_la_SOURCES = %D%/publisher/start.c %D%/publisher/plugin_loader.c
libproftop_la_CPPFLAGS = $(PUBLISH_CPPFLAGS)
libproftop_la_CFLAGS = $(PUBLISH_CFLAGS)
libproftop_la_LDFLAGS = $(AM_LDFLAGS) -no-undefined -version-info 1:0:1 -Wl,-z,nodelete $(SMALL_LDFLAGS) \
	-export-symbols-regex '^proftop_'
libproftop_la_LIBADD = libcollect.la $(PTHREAD_LIBS)

lib_LTLIBRARIES += libproftop-feed.la
libproftop_feed_la_SOURCES =
libproftop_feed_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -release $(VERSION) -Wl,-z,nodelete \
	$(SMALL_LDFLAGS) -export-symbols-regex '^proftop_feed_loop$$'
libproftop_feed_la_LIBADD = libserve.la libcollect.la $(ZMQ_LIBS) $(PTHREAD_LIBS)

noinst_LIBRARIES += libfeed.a
libfeed_a_SOURCES = \
	%D%/shared/atomic_file.c \
	%D%/shared/auth.c \
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
	%D%/viewer/discovery/process_tree.c %D%/viewer/discovery/process_tree.h \
	%D%/viewer/discovery/unix_sockets.c %D%/viewer/discovery/unix_sockets.h \
	%D%/viewer/discovery/unpublished.c %D%/viewer/discovery/unpublished.h \
	%D%/viewer/discovery/watch.c \
	%D%/viewer/launch/child.c %D%/viewer/launch/child.h \
	%D%/viewer/launch/inject.c %D%/viewer/launch/inject.h \
	%D%/viewer/launch/launch.c %D%/viewer/launch/launch.h \
	%D%/viewer/launch/trust.c %D%/viewer/launch/trust.h \
	%D%/viewer/remote/keygen.c \
	%D%/viewer/remote/listen.c %D%/viewer/remote/listen.h \
	%D%/viewer/remote/machines.c %D%/viewer/remote/machines.h \
	%D%/viewer/remote/slurm.c %D%/viewer/remote/slurm.h \
	%D%/viewer/remote/tunnel.c %D%/viewer/remote/tunnel.h \
	%D%/viewer/stream/apply.c %D%/viewer/stream/apply.h \
	%D%/viewer/stream/apply_detail.c %D%/viewer/stream/apply_detail.h \
	%D%/viewer/stream/apply_objects.c %D%/viewer/stream/apply_objects.h \
	%D%/viewer/stream/command.c %D%/viewer/stream/command.h \
	%D%/viewer/stream/connection.c %D%/viewer/stream/connection.h \
	%D%/viewer/stream/consistency.c %D%/viewer/stream/consistency.h \
	%D%/viewer/stream/cpu_starvation.c %D%/viewer/stream/cpu_starvation.h \
	%D%/viewer/stream/headroom.c %D%/viewer/stream/headroom.h \
	%D%/viewer/stream/job_report.c %D%/viewer/stream/job_report.h \
	%D%/viewer/stream/link_state.c %D%/viewer/stream/link_state.h \
	%D%/viewer/stream/pending_frames.c %D%/viewer/stream/pending_frames.h \
	%D%/viewer/stream/requests.c \
	%D%/viewer/stream/save.c %D%/viewer/stream/save.h \
	%D%/viewer/stream/subscriber.c %D%/viewer/stream/subscriber.h \
	%D%/viewer/stream/sync.c %D%/viewer/stream/sync.h \
	%D%/viewer/stream/target.c
# What is installed may be moved as a whole, as into a virtual environment: it is looked for from
# where the program stands, too.
FROM_BIN = $(shell realpath -m --relative-to=$(bindir) $(1))
libfeed_a_CPPFLAGS = $(AM_CPPFLAGS) $(SITE_CPPFLAGS) -DPROFTOP_PYTHONDIR='"$(pkgdatadir)/python"' \
	-DPROFTOP_LIBEXECDIR='"$(pkglibexecdir)"' \
	-DPROFTOP_TO_PYTHONDIR='"$(call FROM_BIN,$(pkgdatadir)/python)"' \
	-DPROFTOP_TO_LIBEXECDIR='"$(call FROM_BIN,$(pkglibexecdir))"' \
	-DPROFTOP_TO_LIBDIR='"$(shell realpath -m --relative-to=$(pkgdatadir)/python $(libdir))"'
libfeed_a_CFLAGS = $(AM_CFLAGS) $(ZMQ_CFLAGS)
FEED_LIBS = libfeed.a libwire.la $(MODEL_LIBS) $(ZMQ_LIBS)

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
	%D%/wire/limit.h \
	%D%/wire/wire.h \
	%D%/wire/wire_column.c \
	%D%/wire/wire_column.h \
	%D%/wire/wire_read.c \
	%D%/wire/wire_schema.c \
	%D%/wire/wire_write.c
libwire_la_CFLAGS = $(AM_CFLAGS)

lib_LTLIBRARIES += libproftop.la
include_HEADERS += \
	%D%/proftop.h \
	%D%/proftop.hpp \
	%D%/proftop_control.h \
	%D%/proftop_detail.h \
	%D%/proftop_form.h \
	%D%/proftop_inline.h \
	%D%/proftop_layout.h \
	%D%/proftop_objects.h \
	%D%/proftop_objects.hpp
pkgconfig_DATA = %D%/proftop.pc
cmakedir = $(libdir)/cmake/proftop
nodist_cmake_DATA = %D%/proftopConfig.cmake %D%/proftopConfigVersion.cmake
EXTRA_DIST += %D%/proftopConfig.cmake.in
CLEANFILES += %D%/proftopConfig.cmake
%D%/proftopConfig.cmake: %D%/proftopConfig.cmake.in Makefile
	$(AM_V_at)$(MKDIR_P) %D%
	$(AM_V_GEN)sed "s|@TO_INCLUDE@|`realpath -m --relative-to=$(cmakedir) $(includedir)`|" \
	    $(srcdir)/%D%/proftopConfig.cmake.in >$@-t && mv $@-t $@
noinst_LTLIBRARIES += libcollect.la libserve.la libpublish.la
libcollect_la_SOURCES = \
	%D%/job/book.c %D%/job/book.h \
	%D%/job/clock.h \
	%D%/job/control.c %D%/job/control.h \
	%D%/job/core.h \
	%D%/job/count.c \
	%D%/job/counter.c \
	%D%/job/define.c \
	%D%/job/describe.c %D%/job/describe.h \
	%D%/job/enter.c %D%/job/enter.h \
	%D%/job/feed.c \
	%D%/job/histogram.c %D%/job/histogram.h \
	%D%/job/identity.c %D%/job/identity.h \
	%D%/job/inherit.c %D%/job/inherit.h \
	%D%/job/marker.c \
	%D%/job/memory.c \
	%D%/job/metric.c \
	%D%/job/object.c %D%/job/object.h \
	%D%/job/phase.c %D%/job/phase.h \
	%D%/job/plain.h \
	%D%/pattern.c %D%/pattern.h \
	%D%/rank.c %D%/rank.h \
	%D%/job/setting.c %D%/job/setting.h \
	%D%/job/slot.c %D%/job/slot.h \
	%D%/job/span.c \
	%D%/job/threads.c %D%/job/threads.h \
	%D%/job/ticks.c %D%/job/ticks.h \
	%D%/job/wanted.c %D%/job/wanted.h
libserve_la_SOURCES = \
	%D%/admit.c %D%/admit.h \
	%D%/job/announce.c %D%/job/announce.h \
	%D%/job/budget.c %D%/job/budget.h \
	%D%/job/comply.c %D%/job/comply.h \
	%D%/job/cost.c %D%/job/cost.h \
	%D%/job/due.c \
	%D%/job/dump.c \
	%D%/job/dump_objects.c \
	%D%/endpoint.c \
	%D%/job/entrance.c %D%/job/entrance.h \
	%D%/entry.c %D%/entry.h \
	%D%/job/errand.c \
	%D%/file.c %D%/file.h \
	%D%/job/frame.c \
	%D%/job/frame_detail.c \
	%D%/job/frame_hello.c \
	%D%/job/grant.c %D%/job/grant.h \
	%D%/key.c %D%/key.h \
	%D%/job/look.c \
	%D%/job/loop.c \
	%D%/job/note.c \
	%D%/job/own_file.c %D%/job/own_file.h \
	%D%/job/percentile.c %D%/job/percentile.h \
	%D%/place.c %D%/place.h \
	%D%/job/prepare.c \
	%D%/job/price.c \
	%D%/probe.c %D%/probe.h \
	%D%/print.c %D%/print.h \
	%D%/job/publish.c %D%/job/publish.h \
	%D%/job/queue.h \
	%D%/job/reach.c %D%/job/reach.h \
	%D%/report.c %D%/report.h \
	%D%/job/reset.c \
	%D%/job/room.c %D%/job/room.h \
	%D%/job/runqueue.c %D%/job/runqueue.h \
	%D%/job/open.c \
	%D%/job/scan.c %D%/job/scan.h \
	%D%/job/scan_calls.c \
	%D%/job/sentry.c %D%/job/sentry.h \
	%D%/job/server.c %D%/job/server.h \
	%D%/site.c %D%/site.h \
	%D%/site_file.c \
	%D%/job/snapshot.c %D%/job/snapshot.h \
	%D%/job/socket.c %D%/job/socket.h \
	%D%/job/sum.h \
	%D%/job/tell.c %D%/job/tell.h \
	%D%/job/trace.c %D%/job/trace.h \
	%D%/turns.c %D%/turns.h \
	%D%/job/warm.c %D%/job/warm.h \
	%D%/job/wish.c \
	$(libwire_la_SOURCES)
libpublish_la_SOURCES = %D%/job/start.c %D%/job/whole.c
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
QUICK = price count slot scan due frame wire_write
PART = $(lastword $(subst _la-, ,$(*F)))
SMALL = $(SMALLEST)
CFLAGS_AS_GIVEN := $(CFLAGS)
CFLAGS_SMALL = $(patsubst -O3,$(SMALL),$(patsubst -O2,$(SMALL),$(CFLAGS_AS_GIVEN)))
$(libcollect_la_OBJECTS) $(libserve_la_OBJECTS) $(libpublish_la_OBJECTS) $(libproftop_la_OBJECTS): \
	CFLAGS = $(if $(filter $(QUICK),$(PART)),$(CFLAGS_AS_GIVEN),$(CFLAGS_SMALL))
PUBLISH_LIBS = libpublish.la $(ZMQ_LIBS) $(PTHREAD_LIBS)

# Of the two, a program links the first, which is all that it calls, and needs libc alone. The other
# has the loop of the feed's thread, and libzmq; the first loads it from where it lies itself when a
# feed is opened (job/apart.c). Its name has the version: an older libproftop that is still running
# does not take the newer one.
libproftop_la_SOURCES = %D%/job/start.c %D%/job/apart.c
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
	%D%/admit.c \
	%D%/viewer/ask.c \
	%D%/viewer/bound.c \
	%D%/viewer/bound.h \
	%D%/viewer/child.c \
	%D%/viewer/child.h \
	%D%/viewer/command.c \
	%D%/viewer/command.h \
	%D%/viewer/discover.c \
	%D%/viewer/discover.h \
	%D%/endpoint.c \
	%D%/entry.c \
	%D%/viewer/family.c \
	%D%/viewer/family.h \
	%D%/file.c \
	%D%/viewer/headroom.c \
	%D%/viewer/headroom.h \
	%D%/viewer/hold.c \
	%D%/viewer/hold.h \
	%D%/viewer/inject.c \
	%D%/viewer/inject.h \
	%D%/viewer/intake.c \
	%D%/viewer/intake.h \
	%D%/viewer/intake_detail.c \
	%D%/viewer/intake_detail.h \
	%D%/viewer/intake_objects.c \
	%D%/viewer/intake_objects.h \
	%D%/key.c \
	%D%/viewer/keygen.c \
	%D%/viewer/launch.c \
	%D%/viewer/launch.h \
	%D%/viewer/connection.c \
	%D%/viewer/connection.h \
	%D%/viewer/listen.c \
	%D%/viewer/listen.h \
	%D%/pattern.c \
	%D%/place.c \
	%D%/probe.c \
	%D%/viewer/moment.c \
	%D%/viewer/moment.h \
	%D%/viewer/remote.c \
	%D%/viewer/remote.h \
	%D%/site.c \
	%D%/site_file.c \
	%D%/print.c \
	%D%/report.c \
	%D%/viewer/made.c \
	%D%/viewer/made.h \
	%D%/viewer/save.c \
	%D%/viewer/save.h \
	%D%/viewer/silent.c \
	%D%/viewer/silent.h \
	%D%/viewer/starved.c \
	%D%/viewer/starved.h \
	%D%/viewer/slurm.c \
	%D%/viewer/slurm.h \
	%D%/viewer/subscriber.c \
	%D%/viewer/subscriber.h \
	%D%/viewer/sync.c \
	%D%/viewer/sync.h \
	%D%/viewer/target.c \
	%D%/viewer/trust.c \
	%D%/viewer/trust.h \
	%D%/viewer/tunnel.c \
	%D%/viewer/tunnel.h \
	%D%/turns.c \
	%D%/viewer/vital.c \
	%D%/viewer/vital.h \
	%D%/viewer/watch.c
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

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
#
# How facts travel. Three libraries, each knowing only what stands before it:
#   libwire.la     bytes <-> frames; knows nothing
#   libpublish.la  the publisher and a wire of its own, with all parts visible for the tests of each
#   libproftop.la  the same as a library that lives in other people's processes: wire + publisher + zmq, never model
#   libfeed.a      the viewer's end: wire + model + zmq
noinst_LTLIBRARIES += libwire.la
libwire_la_SOURCES = \
	%D%/limit.h \
	%D%/wire.h \
	%D%/wire_column.c \
	%D%/wire_column.h \
	%D%/wire_read.c \
	%D%/wire_schema.c \
	%D%/wire_write.c
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
noinst_LTLIBRARIES += libpublish.la
libpublish_la_SOURCES = \
	%D%/admit.c %D%/admit.h \
	%D%/announce.c %D%/announce.h \
	%D%/book.c %D%/book.h \
	%D%/budget.c %D%/budget.h \
	%D%/wanted.c %D%/wanted.h %D%/wish.c \
	%D%/clock.h %D%/core.h \
	%D%/control.c %D%/control.h \
	%D%/cost.c %D%/cost.h \
	%D%/count.c %D%/counter.c %D%/define.c \
	%D%/dump.c %D%/dump_objects.c \
	%D%/endpoint.c \
	%D%/entry.c %D%/entry.h \
	%D%/describe.c %D%/describe.h \
	%D%/enter.c %D%/enter.h \
	%D%/feed.c \
	%D%/file.c %D%/file.h \
	%D%/frame.c %D%/frame_detail.c %D%/frame_hello.c \
	%D%/grant.c %D%/grant.h \
	%D%/histogram.c %D%/histogram.h \
	%D%/identity.c %D%/identity.h \
	%D%/inherit.c %D%/inherit.h \
	%D%/key.c %D%/key.h \
	%D%/loop.c \
	%D%/marker.c %D%/memory.c \
	%D%/metric.c \
	%D%/object.c %D%/object.h \
	%D%/percentile.c %D%/percentile.h \
	%D%/phase.c %D%/phase.h \
	%D%/place.c %D%/place.h %D%/plain.h \
	%D%/print.c %D%/print.h \
	%D%/publish.c %D%/publish.h \
	%D%/queue.h \
	%D%/rank.c %D%/rank.h \
	%D%/reach.c %D%/reach.h \
	%D%/report.c %D%/report.h \
	%D%/room.c %D%/room.h \
	%D%/prepare.c \
	%D%/reset.c \
	%D%/scan.c %D%/scan.h %D%/scan_calls.c \
	%D%/sum.h \
	%D%/sentry.c %D%/sentry.h \
	%D%/server.c %D%/server.h \
	%D%/setting.c %D%/setting.h \
	%D%/site.c %D%/site.h %D%/site_file.c \
	%D%/slot.c %D%/slot.h \
	%D%/snapshot.c %D%/snapshot.h \
	%D%/span.c \
	%D%/comply.c %D%/comply.h \
	%D%/tell.c %D%/tell.h \
	%D%/threads.c %D%/threads.h \
	%D%/ticks.c %D%/ticks.h \
	%D%/due.c \
	$(libwire_la_SOURCES)
# Where an administrator says what is forbidden. No environment moves it.
SITE_CPPFLAGS = -DPROFTOP_SITE_FILE='"$(sysconfdir)/proftop.conf"'
libpublish_la_CPPFLAGS = $(AM_CPPFLAGS) $(SITE_CPPFLAGS)
libpublish_la_CFLAGS = $(AM_CFLAGS) $(ZMQ_CFLAGS) $(SMALL_CFLAGS) -fvisibility=hidden $(UNWOUND)
# It lives in other people's processes, so it is made small, by CFLAGS as they are given except:
# - what is not run for each op, slot or row is optimized for size where it would be for speed;
# - what the feed's own thread alone runs has no tables to unwind it by: nobody cancels that thread
#   or throws through it. Threads of the job have such a table for each function of ours.
QUICK = cost count slot scan due frame wire_write
OWN_THREAD = admit announce budget comply cost dump dump_objects endpoint entry file frame \
	frame_detail frame_hello key loop percentile place prepare print publish reach report reset room \
	scan scan_calls sentry server site site_file snapshot tell due wish wire_column \
	wire_read wire_schema wire_write
PART = $(patsubst libpublish_la-%,%,$(*F))
UNWOUND = $(if $(filter $(OWN_THREAD),$(PART)),$(ALONE_CFLAGS))
SMALL = $(SMALLEST)
CFLAGS_AS_GIVEN := $(CFLAGS)
CFLAGS_SMALL = $(patsubst -O3,$(SMALL),$(patsubst -O2,$(SMALL),$(CFLAGS_AS_GIVEN)))
%D%/libpublish_la-%.lo: CFLAGS = $(if $(filter $(QUICK),$(PART)),$(CFLAGS_AS_GIVEN),$(CFLAGS_SMALL))
PUBLISH_LIBS = libpublish.la $(ZMQ_LIBS) $(PTHREAD_LIBS)

libproftop_la_SOURCES =
libproftop_la_LDFLAGS = $(AM_LDFLAGS) -no-undefined -version-info 1:0:1 -Wl,-z,nodelete $(SMALL_LDFLAGS) \
	-export-symbols-regex '^proftop_'
libproftop_la_LIBADD = libpublish.la $(ZMQ_LIBS) $(PTHREAD_LIBS)

noinst_LIBRARIES += libfeed.a
libfeed_a_SOURCES = \
	%D%/admit.c \
	%D%/ask.c \
	%D%/bound.c \
	%D%/bound.h \
	%D%/child.c \
	%D%/child.h \
	%D%/command.c \
	%D%/command.h \
	%D%/discover.c \
	%D%/discover.h \
	%D%/endpoint.c \
	%D%/entry.c \
	%D%/family.c \
	%D%/family.h \
	%D%/file.c \
	%D%/hold.c \
	%D%/hold.h \
	%D%/inject.c \
	%D%/inject.h \
	%D%/intake.c \
	%D%/intake.h \
	%D%/intake_detail.c \
	%D%/intake_detail.h \
	%D%/intake_objects.c \
	%D%/intake_objects.h \
	%D%/key.c \
	%D%/keygen.c \
	%D%/launch.c \
	%D%/launch.h \
	%D%/connection.c \
	%D%/connection.h \
	%D%/listen.c \
	%D%/listen.h \
	%D%/place.c \
	%D%/remote.c \
	%D%/remote.h \
	%D%/site.c \
	%D%/site_file.c \
	%D%/print.c \
	%D%/report.c \
	%D%/save.c \
	%D%/save.h \
	%D%/silent.c \
	%D%/silent.h \
	%D%/starved.c \
	%D%/starved.h \
	%D%/slurm.c \
	%D%/slurm.h \
	%D%/subscriber.c \
	%D%/subscriber.h \
	%D%/sync.c \
	%D%/sync.h \
	%D%/target.c \
	%D%/tunnel.c \
	%D%/tunnel.h \
	%D%/vital.c \
	%D%/vital.h \
	%D%/watch.c
# What is installed may be moved as a whole, as into a virtual environment: it is looked for from
# where the program stands, too.
FROM_BIN = $(shell realpath -m --relative-to=$(bindir) $(1))
libfeed_a_CPPFLAGS = $(AM_CPPFLAGS) $(SITE_CPPFLAGS) -DPROFTOP_PYTHONDIR='"$(pkgdatadir)/python"' \
	-DPROFTOP_LIBEXECDIR='"$(pkglibexecdir)"' \
	-DPROFTOP_TO_PYTHONDIR='"$(call FROM_BIN,$(pkgdatadir)/python)"' \
	-DPROFTOP_TO_LIBEXECDIR='"$(call FROM_BIN,$(pkglibexecdir))"'
libfeed_a_CFLAGS = $(AM_CFLAGS) $(ZMQ_CFLAGS)
FEED_LIBS = libfeed.a libwire.la $(MODEL_LIBS) $(ZMQ_LIBS)

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
#
# The viewer's end, against a job that does what the test says, and against libproftop.
FAKE = %D%/fake.c %D%/fake.h

if HAVE_CHECK
check_PROGRAMS += check_intake check_subscriber check_sync
TESTS += check_intake check_subscriber check_sync
check_intake_SOURCES = %D%/check_intake.c $(FAKE)
check_intake_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_intake_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
check_subscriber_SOURCES = %D%/check_subscriber.c $(FAKE)
check_subscriber_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_subscriber_LDADD = libproftop.la $(FEED_LIBS) $(CHECK_LIBS)
check_sync_SOURCES = %D%/check_sync.c $(FAKE)
check_sync_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_sync_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
endif

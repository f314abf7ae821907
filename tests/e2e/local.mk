# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
#
# The whole of it: real jobs, and what proftop says of them.
E2E_TESTS = \
	%D%/batch.py \
	%D%/budget.py \
	%D%/completion.py \
	%D%/ctl.py \
	%D%/detail.py \
	%D%/differ.py \
	%D%/faults/faults.py \
	%D%/exported.py \
	%D%/faraway.py \
	%D%/flood.py \
	%D%/found.py \
	%D%/gate.py \
	%D%/kept.py \
	%D%/listen.py \
	%D%/load.py \
	%D%/objects.py \
	%D%/opened.py \
	%D%/plain.py \
	%D%/ports.py \
	%D%/protocol.py \
	%D%/readme.py \
	%D%/recorded.py \
	%D%/secure.py \
	%D%/seeds.py \
	%D%/several.py \
	%D%/soak.py \
	%D%/trace.py \
	%D%/train.py \
	%D%/trust.py \
	%D%/waiting.py
TESTS += $(E2E_TESTS)
EXTRA_DIST += $(E2E_TESTS) %D%/chrome.py %D%/protocol_client.py %D%/shell.py
EXTRA_DIST += \
	%D%/faults/crowd.py \
	%D%/faults/debugger.py \
	%D%/faults/ground.py \
	%D%/faults/endless.py \
	%D%/faults/hostile.py \
	%D%/faults/large.py \
	%D%/faults/life.py \
	%D%/faults/net.py \
	%D%/faults/wire.py

# Jobs whose figures are known beforehand.
check_PROGRAMS += seed_job detail_job diff_job lives_job pace_job
pace_job_SOURCES = %D%/pace_job.c
pace_job_LDADD = libproftop.la
lives_job_SOURCES = %D%/lives_job.c
lives_job_LDADD = libproftop.la
detail_job_SOURCES = %D%/detail_job.c
detail_job_LDADD = libproftop.la
diff_job_SOURCES = %D%/diff_job.c
diff_job_LDADD = libproftop.la
seed_job_SOURCES = %D%/seed_job.c
seed_job_LDADD = libproftop.la
check_PROGRAMS += trace_job
trace_job_SOURCES = %D%/trace_job.c
trace_job_LDADD = libproftop.la
check_PROGRAMS += object_job
object_job_SOURCES = %D%/object_job.c
object_job_LDADD = libproftop.la $(PTHREAD_LIBS)
check_PROGRAMS += open_job
open_job_SOURCES = %D%/open_job.c
open_job_LDADD = libproftop.la $(PTHREAD_LIBS)
check_PROGRAMS += fault_job
fault_job_SOURCES = %D%/faults/fault_job.c
fault_job_LDADD = libproftop.la $(PTHREAD_LIBS)
check_PROGRAMS += step_job
step_job_SOURCES = %D%/faults/fault_job.c %D%/faults/step.c
step_job_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=publisher_session_serve
step_job_LDADD = $(PUBLISH_LIBS)

# These speak ITT and NVTX; they link nothing of proftop.
check_PROGRAMS += itt_job nvtx_job
itt_job_SOURCES = %D%/itt_job.c
itt_job_LDFLAGS = $(AM_LDFLAGS) -Wl,--export-dynamic
itt_job_LDADD = $(PTHREAD_LIBS)
nvtx_job_SOURCES = %D%/nvtx_job.c
nvtx_job_LDADD = $(PTHREAD_LIBS)

check_PROGRAMS += hostile_job
hostile_job_SOURCES = %D%/hostile_job.c
hostile_job_LDADD = libproftop.la

check_PROGRAMS += found_job
found_job_SOURCES = %D%/found_job.c
found_job_LDADD = libproftop.la

if HAVE_CHECK
check_PROGRAMS += check_graph
TESTS += check_graph
check_graph_SOURCES = \
	%D%/check_graph.c \
	examples/graph.c \
	examples/graph_compile.c \
	examples/graph_grad.c \
	examples/graph_ops.c \
	examples/graph_rewrite.c \
	examples/kernels.c \
	examples/truth.c
check_graph_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests -I$(top_srcdir)/examples
check_graph_CFLAGS = $(CHECK_FLAGS)
check_graph_LDADD = libproftop.la -lm $(CHECK_LIBS)
check_PROGRAMS += check_torn
TESTS += check_torn
check_torn_SOURCES = %D%/check_torn.c $(FAKE)
check_torn_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests
check_torn_CFLAGS = $(CHECK_FLAGS) $(ZMQ_CFLAGS)
check_torn_LDADD = $(FEED_LIBS) $(CHECK_LIBS)
endif

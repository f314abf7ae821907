# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
#
# Figures as ratios against a floor or a rival of the same run. Built and run by script/bench alone.
BENCHMARKS = \
	bench_cost \
	bench_feed \
	bench_history \
	bench_hot \
	bench_model \
	bench_mxnet \
	bench_recording \
	bench_train \
	bench_wire \
	bench_viewer
EXTRA_PROGRAMS = $(BENCHMARKS) bench_floor bench_turn gate_job
print-benchmarks:
	@echo $(BENCHMARKS)
.PHONY: print-benchmarks
EXTRA_DIST += %D%/bench.h %D%/bench_attach.py %D%/bench_gate.py %D%/bench_mxnet_train.py %D%/bench_ports.py %D%/bench_theano.py %D%/bench_torch.py \
	%D%/compare_torch.py \
	%D%/theano_nodes.py %D%/theano_turns.py

bench_cost_SOURCES = %D%/bench_cost.c %D%/live.c %D%/live.h %D%/works.h
bench_cost_CFLAGS = $(AM_CFLAGS) $(ZMQ_CFLAGS)
bench_cost_LDADD = libproftop.la libwire.la $(ZMQ_LIBS) $(PTHREAD_LIBS) -lutil -lm

bench_feed_SOURCES = %D%/bench_feed.c %D%/least.c %D%/least.h %D%/live.c %D%/live.h
bench_feed_CFLAGS = $(AM_CFLAGS) $(ZMQ_CFLAGS)
bench_feed_LDADD = libwire.la $(ZMQ_LIBS) $(PTHREAD_LIBS) -lutil

# A job with a hidden change, for bench_gate.py.
gate_job_SOURCES = %D%/gate_job.c
gate_job_LDADD = libproftop.la -lm

bench_floor_SOURCES = %D%/bench_floor.c %D%/floor.h

if HAVE_PYTHON
EXTRA_LTLIBRARIES = bench_bare.la
bench_bare_la_SOURCES = %D%/bench_bare.c %D%/floor.h
bench_bare_la_CPPFLAGS = $(AM_CPPFLAGS)
bench_bare_la_CFLAGS = $(AM_CFLAGS) $(PYTHON_CFLAGS)
bench_bare_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -rpath $(abs_builddir)
endif

bench_hot_SOURCES = %D%/bench_hot.c %D%/hot_least.h %D%/floor.h %D%/live.c %D%/live.h
bench_hot_CFLAGS = $(AM_CFLAGS) $(ZMQ_CFLAGS)
bench_hot_LDADD = libproftop.la libwire.la $(ZMQ_LIBS) $(PTHREAD_LIBS) -lutil

bench_history_SOURCES = %D%/bench_history.c
bench_history_LDADD = $(MODEL_LIBS)

bench_model_SOURCES = %D%/bench_model.c
bench_model_LDADD = $(MODEL_LIBS)

bench_mxnet_SOURCES = %D%/bench_mxnet.c \
	adapters/mxnet/attach.c \
	adapters/mxnet/calls.c \
	adapters/mxnet/clock.c \
	adapters/mxnet/engine.c \
	adapters/mxnet/forks.c \
	adapters/mxnet/layout.c \
	adapters/mxnet/memory.c \
	adapters/mxnet/node.c \
	adapters/mxnet/push.c \
	adapters/mxnet/rows.c \
	adapters/common/slots.c \
	adapters/common/ticker.c \
	adapters/mxnet/state.c \
	adapters/mxnet/stats.c
bench_mxnet_CPPFLAGS = $(AM_CPPFLAGS)
bench_mxnet_CFLAGS = $(AM_CFLAGS) -fexceptions
bench_mxnet_LDADD = libproftop.la $(PTHREAD_LIBS)

bench_wire_SOURCES = %D%/bench_wire.c
bench_wire_CFLAGS = $(AM_CFLAGS)
bench_wire_LDADD = libwire.la -lm
if HAVE_MSGPACK
bench_wire_CFLAGS += -DBENCH_MSGPACK $(MSGPACK_CFLAGS)
bench_wire_LDADD += $(MSGPACK_LIBS)
endif

# The real program and the real job. script/bench built them in the same directory.
bench_recording_SOURCES = %D%/bench_recording.c
bench_recording_LDADD = $(FEED_LIBS)

bench_viewer_SOURCES = %D%/bench_viewer.c %D%/live.c %D%/live.h
bench_viewer_CFLAGS = $(AM_CFLAGS) $(ZMQ_CFLAGS)
bench_viewer_LDADD = libwire.la $(ZMQ_LIBS) -lutil

bench_train_SOURCES = %D%/bench_train.c %D%/live.c %D%/live.h %D%/turn.h
bench_train_CFLAGS = $(AM_CFLAGS) $(ZMQ_CFLAGS)
bench_train_LDADD = libwire.la $(ZMQ_LIBS) $(PTHREAD_LIBS) -lutil -lm
EXTRA_bench_train_DEPENDENCIES = bench_turn$(EXEEXT)

# examples/train itself, except for one intercepted call.
bench_turn_SOURCES = $(examples_train_SOURCES) %D%/turn.c %D%/turn.h
bench_turn_LDADD = $(examples_train_LDADD)
bench_turn_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=function_run

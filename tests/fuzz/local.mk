# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
#
# A target is one file with LLVMFuzzerTestOneInput. `make check` replays its corpus with any compiler;
# --enable-fuzz (clang) makes a libFuzzer program of it, for script/fuzz. Each has a planted twin
# without one check: it shows that the target finds a fault.
FUZZ_TARGETS =
FUZZ_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests/feed -I$(top_srcdir)/tests/fuzz
FUZZ_WIRE = \
	%D%/fuzz.h \
	%D%/fuzz_wire.c \
	feed/protocol/columns.c \
	feed/protocol/reader.c \
	feed/protocol/schema.c \
	feed/protocol/writer.c \
	tests/feed/wire_again.c

# The viewer's end without its sockets. The code that only shows the model is in its library.
FUZZ_INTAKE = \
	%D%/fuzz.h \
	%D%/fuzz_intake.c \
	feed/viewer/stream/command.c \
	feed/viewer/stream/pending_frames.c \
	feed/shared/pattern.c \
	feed/viewer/stream/apply.c \
	feed/viewer/stream/apply_objects.c \
	feed/viewer/stream/apply_timeline.c \
	feed/viewer/stream/apply_detail.c \
	feed/viewer/stream/job_report.c \
	feed/viewer/stream/consistency.c \
	feed/viewer/stream/sync.c \
	feed/protocol/columns.c \
	feed/protocol/reader.c \
	feed/protocol/schema.c \
	feed/protocol/writer.c \
	model/node_detail.c \
	model/defs.c \
	model/job.c \
	model/rewrite.c \
	model/text.c \
	model/values.c

# A request of HTTP, as a scraper sends it.
FUZZ_HTTP = %D%/fuzz.h %D%/fuzz_http.c tui/cli/http_request.c

# Readers of saved profiles, of all formats: model/import.c tells which one an input is.
FUZZ_IMPORT = \
	%D%/fuzz.h \
	%D%/fuzz_import.c \
	model/decimal.c \
	model/import.c \
	model/import_build.c \
	model/import_dump.c \
	model/import_fit.c \
	model/import_mxnet.c \
	model/import_names.c \
	model/import_profile.c \
	model/import_profilemode.c \
	model/import_row.c \
	model/import_theano.c \
	model/import_torch.c \
	model/import_trace.c \
	model/json_read.c \
	model/json_reader.c \
	model/text_lines.c

# Recordings, as they are read.
FUZZ_RECORDING = \
	%D%/fuzz.h \
	%D%/fuzz_print.h \
	%D%/fuzz_recording.c \
	model/playback.c \
	model/record_bytes.c \
	model/history.c \
	model/delta.c

# What a killed job left behind, as it is read.
FUZZ_BOX = \
	%D%/fuzz.h \
	%D%/fuzz_print.h \
	%D%/fuzz_box.c \
	feed/viewer/stream/apply.c \
	feed/viewer/stream/black_box.c

FUZZ_CHECKS = replay_wire replay_wire_planted replay_intake replay_intake_planted \
	replay_import replay_import_planted replay_recording replay_recording_planted \
	replay_http replay_http_planted replay_box replay_box_planted
check_PROGRAMS += $(FUZZ_CHECKS)
print-fuzz-checks:
	@echo $(FUZZ_CHECKS)
.PHONY: print-fuzz-checks
TESTS += replay_wire replay_intake replay_import replay_http replay_recording replay_box
TESTS += %D%/planted.py
replay_http_SOURCES = $(FUZZ_HTTP) %D%/replay.c
replay_http_CPPFLAGS = $(FUZZ_CPPFLAGS) -DREPLAY_CORPUS='"http"'
replay_http_planted_SOURCES = $(replay_http_SOURCES)
replay_http_planted_CPPFLAGS = $(replay_http_CPPFLAGS) -DHTTP_PLANT_FAULT
replay_recording_SOURCES = $(FUZZ_RECORDING) %D%/replay.c
replay_recording_CPPFLAGS = $(FUZZ_CPPFLAGS) -DREPLAY_CORPUS='"recording"'
replay_recording_LDADD = $(MODEL_LIBS)
replay_recording_planted_SOURCES = $(replay_recording_SOURCES)
replay_recording_planted_CPPFLAGS = $(replay_recording_CPPFLAGS) -DRECORD_PLANT_FAULT
replay_recording_planted_LDADD = $(replay_recording_LDADD)
replay_box_SOURCES = $(FUZZ_BOX) %D%/replay.c
replay_box_CPPFLAGS = $(FUZZ_CPPFLAGS) -DREPLAY_CORPUS='"box"'
replay_box_LDADD = $(FEED_LIBS)
replay_box_planted_SOURCES = $(replay_box_SOURCES)
replay_box_planted_CPPFLAGS = $(replay_box_CPPFLAGS) -DBOX_PLANT_FAULT
replay_box_planted_LDADD = $(replay_box_LDADD)
replay_wire_SOURCES = $(FUZZ_WIRE) %D%/replay.c
replay_wire_CPPFLAGS = $(FUZZ_CPPFLAGS) -DREPLAY_CORPUS='"wire"'
replay_wire_planted_SOURCES = $(replay_wire_SOURCES)
replay_wire_planted_CPPFLAGS = $(replay_wire_CPPFLAGS) -DWIRE_PLANT_FAULT
replay_intake_SOURCES = $(FUZZ_INTAKE) %D%/replay.c
replay_intake_CPPFLAGS = $(FUZZ_CPPFLAGS) -DREPLAY_CORPUS='"intake"'
replay_intake_CFLAGS = $(AM_CFLAGS) $(UTF8PROC_CFLAGS)
replay_intake_LDADD = $(MODEL_LIBS)
replay_intake_planted_SOURCES = $(replay_intake_SOURCES)
replay_intake_planted_CPPFLAGS = $(replay_intake_CPPFLAGS) -DSYNC_PLANT_FAULT
replay_intake_planted_CFLAGS = $(replay_intake_CFLAGS)
replay_intake_planted_LDADD = $(replay_intake_LDADD)

replay_import_SOURCES = $(FUZZ_IMPORT) %D%/replay.c
replay_import_CPPFLAGS = $(FUZZ_CPPFLAGS) -DREPLAY_CORPUS='"import"'
replay_import_CFLAGS = $(AM_CFLAGS) $(UTF8PROC_CFLAGS)
replay_import_LDADD = $(MODEL_LIBS)
replay_import_planted_SOURCES = $(replay_import_SOURCES)
replay_import_planted_CPPFLAGS = $(replay_import_CPPFLAGS) -DIMPORT_PLANT_FAULT
replay_import_planted_CFLAGS = $(replay_import_CFLAGS)
replay_import_planted_LDADD = $(replay_import_LDADD)

if ENABLE_FUZZ
FUZZ_TARGETS += fuzz_wire fuzz_intake fuzz_import fuzz_recording
FUZZ_CFLAGS = $(AM_CFLAGS) -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined
noinst_PROGRAMS += fuzz_wire fuzz_wire_planted
fuzz_wire_SOURCES = $(FUZZ_WIRE)
fuzz_wire_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_wire_CFLAGS = $(FUZZ_CFLAGS)
fuzz_wire_planted_SOURCES = $(FUZZ_WIRE)
fuzz_wire_planted_CPPFLAGS = $(FUZZ_CPPFLAGS) -DWIRE_PLANT_FAULT
fuzz_wire_planted_CFLAGS = $(FUZZ_CFLAGS)
FUZZ_TARGETS += fuzz_http
noinst_PROGRAMS += fuzz_http fuzz_http_planted
fuzz_http_SOURCES = $(FUZZ_HTTP)
fuzz_http_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_http_CFLAGS = $(FUZZ_CFLAGS)
fuzz_http_planted_SOURCES = $(FUZZ_HTTP)
fuzz_http_planted_CPPFLAGS = $(FUZZ_CPPFLAGS) -DHTTP_PLANT_FAULT
fuzz_http_planted_CFLAGS = $(FUZZ_CFLAGS)
FUZZ_TARGETS += fuzz_box
noinst_PROGRAMS += fuzz_box fuzz_box_planted
fuzz_box_SOURCES = $(FUZZ_BOX)
fuzz_box_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_box_CFLAGS = $(FUZZ_CFLAGS)
fuzz_box_LDADD = $(FEED_LIBS)
fuzz_box_planted_SOURCES = $(FUZZ_BOX)
fuzz_box_planted_CPPFLAGS = $(FUZZ_CPPFLAGS) -DBOX_PLANT_FAULT
fuzz_box_planted_CFLAGS = $(FUZZ_CFLAGS)
fuzz_box_planted_LDADD = $(FEED_LIBS)
noinst_PROGRAMS += fuzz_recording fuzz_recording_planted
fuzz_recording_planted_SOURCES = $(FUZZ_RECORDING)
fuzz_recording_planted_CPPFLAGS = $(FUZZ_CPPFLAGS) -DRECORD_PLANT_FAULT
fuzz_recording_planted_CFLAGS = $(FUZZ_CFLAGS)
fuzz_recording_planted_LDADD = $(MODEL_LIBS)
fuzz_recording_SOURCES = $(FUZZ_RECORDING)
fuzz_recording_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_recording_CFLAGS = $(FUZZ_CFLAGS)
fuzz_recording_LDADD = $(MODEL_LIBS)
noinst_PROGRAMS += fuzz_intake fuzz_intake_planted
fuzz_intake_SOURCES = $(FUZZ_INTAKE)
fuzz_intake_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_intake_CFLAGS = $(FUZZ_CFLAGS) $(UTF8PROC_CFLAGS)
fuzz_intake_LDADD = $(MODEL_LIBS)
fuzz_intake_planted_SOURCES = $(FUZZ_INTAKE)
fuzz_intake_planted_CPPFLAGS = $(FUZZ_CPPFLAGS) -DSYNC_PLANT_FAULT
fuzz_intake_planted_CFLAGS = $(fuzz_intake_CFLAGS)
fuzz_intake_planted_LDADD = $(MODEL_LIBS)
noinst_PROGRAMS += fuzz_import fuzz_import_planted
fuzz_import_SOURCES = $(FUZZ_IMPORT)
fuzz_import_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_import_CFLAGS = $(FUZZ_CFLAGS) $(UTF8PROC_CFLAGS)
fuzz_import_LDADD = $(MODEL_LIBS)
fuzz_import_planted_SOURCES = $(FUZZ_IMPORT)
fuzz_import_planted_CPPFLAGS = $(FUZZ_CPPFLAGS) -DIMPORT_PLANT_FAULT
fuzz_import_planted_CFLAGS = $(fuzz_import_CFLAGS)
fuzz_import_planted_LDADD = $(MODEL_LIBS)
endif

EXTRA_DIST += %D%/planted.py %D%/pack_box.py %D%/corpus %D%/wire.dict %D%/import.dict

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
#
# A target is one file with LLVMFuzzerTestOneInput. `make check` replays its corpus with any compiler;
# --enable-fuzz (clang) makes a libFuzzer program of it, for script/fuzz. Of each there is a planted
# twin, in which a check of a length is left out: it shows that a fault would be found.
FUZZ_TARGETS =
FUZZ_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests/feed -I$(top_srcdir)/tests/fuzz
FUZZ_WIRE = \
	%D%/fuzz.h \
	%D%/fuzz_wire.c \
	feed/wire_column.c \
	feed/wire_read.c \
	feed/wire_schema.c \
	feed/wire_write.c \
	tests/feed/wire_again.c

check_PROGRAMS += replay_wire replay_wire_planted
TESTS += replay_wire %D%/planted.py
replay_wire_SOURCES = $(FUZZ_WIRE) %D%/replay.c
replay_wire_CPPFLAGS = $(FUZZ_CPPFLAGS) -DREPLAY_CORPUS='"wire"'
replay_wire_planted_SOURCES = $(replay_wire_SOURCES)
replay_wire_planted_CPPFLAGS = $(replay_wire_CPPFLAGS) -DWIRE_PLANT_FAULT

if ENABLE_FUZZ
FUZZ_TARGETS += fuzz_wire
FUZZ_CFLAGS = $(AM_CFLAGS) -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined
noinst_PROGRAMS += fuzz_wire fuzz_wire_planted
fuzz_wire_SOURCES = $(FUZZ_WIRE)
fuzz_wire_CPPFLAGS = $(FUZZ_CPPFLAGS)
fuzz_wire_CFLAGS = $(FUZZ_CFLAGS)
fuzz_wire_planted_SOURCES = $(FUZZ_WIRE)
fuzz_wire_planted_CPPFLAGS = $(FUZZ_CPPFLAGS) -DWIRE_PLANT_FAULT
fuzz_wire_planted_CFLAGS = $(FUZZ_CFLAGS)
endif

EXTRA_DIST += %D%/planted.py %D%/corpus %D%/wire.dict

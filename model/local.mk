# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
#
# What is known about a job. Pure C11: no zmq, no curses, no clock, no I/O.
noinst_LIBRARIES += libmodel.a
libmodel_a_SOURCES = \
	%D%/text.h
libmodel_a_CFLAGS = $(AM_CFLAGS) $(UTF8PROC_CFLAGS)
MODEL_LIBS = libmodel.a $(UTF8PROC_LIBS)

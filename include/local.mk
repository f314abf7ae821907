# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
#
# What programs include, and what tells them how to link libproftop.
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

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
#
# What programs include, and what tells them how to link libproftop.
include_HEADERS += \
	%D%/proftop.h \
	%D%/proftop.hpp \
	%D%/proftop_control.h \
	%D%/proftop_adapter.h \
	%D%/proftop_form.h \
	%D%/proftop_inline.h \
	%D%/proftop_layout.h \
	%D%/proftop_objects.h
# The calls of the forms PROFTOP_DYNAMIC and PROFTOP_OFF, made from the prototypes.
PROTOTYPES = proftop.h proftop_control.h proftop_adapter.h proftop_layout.h proftop_objects.h
nodist_include_HEADERS = %D%/proftop_calls.h
BUILT_SOURCES += %D%/proftop_calls.h
CLEANFILES += %D%/proftop_calls.h
EXTRA_DIST += %D%/calls.awk %D%/libproftop.map
%D%/proftop_calls.h: %D%/calls.awk $(PROTOTYPES:%=%D%/%)
	$(AM_V_at)$(MKDIR_P) %D%
	$(AM_V_GEN)cd $(srcdir)/%D% && $(AWK) -f calls.awk $(PROTOTYPES) \
	    >$(abs_builddir)/$@-t && mv $(abs_builddir)/$@-t $(abs_builddir)/$@
pkgconfig_DATA = %D%/proftop.pc
cmakedir = $(libdir)/cmake/proftop
nodist_cmake_DATA = %D%/proftopConfig.cmake %D%/proftopConfigVersion.cmake
EXTRA_DIST += %D%/proftopConfig.cmake.in
CLEANFILES += %D%/proftopConfig.cmake
%D%/proftopConfig.cmake: %D%/proftopConfig.cmake.in Makefile
	$(AM_V_at)$(MKDIR_P) %D%
	$(AM_V_GEN)sed "s|@TO_INCLUDE@|`realpath -m --relative-to=$(cmakedir) $(includedir)`|" \
	    $(srcdir)/%D%/proftopConfig.cmake.in >$@-t && mv $@-t $@

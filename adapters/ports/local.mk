# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
#
# Libraries that a program's own ITT or NVTX loads. `proftop run` names them in the job's
# environment, by their place beside the adapters. They stay loaded: they have a thread.
portsdir = $(pkglibexecdir)/ports
PORTS = %D%/libproftop-itt.la %D%/libproftop-nvtx.la
ports_LTLIBRARIES = $(PORTS)
PORT_SOURCES = \
	adapters/common/nested.c adapters/common/nested.h \
	adapters/common/ticker.c adapters/common/ticker.h \
	%D%/names.c %D%/names.h \
	%D%/objects.c %D%/objects.h \
	%D%/port.c %D%/port.h
PORT_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden
PORT_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -Wl,-z,nodelete $(call TO_LIBDIR,$(portsdir))
PORT_LIBADD = libproftop.la $(PTHREAD_LIBS)
%C%_libproftop_itt_la_SOURCES = %D%/itt.c $(PORT_SOURCES)
%C%_libproftop_itt_la_CFLAGS = $(PORT_CFLAGS)
%C%_libproftop_itt_la_LDFLAGS = $(PORT_LDFLAGS) -export-symbols-regex '^__itt_api_init$$'
%C%_libproftop_itt_la_LIBADD = $(PORT_LIBADD)
%C%_libproftop_nvtx_la_SOURCES = %D%/nvtx.c $(PORT_SOURCES)
%C%_libproftop_nvtx_la_CFLAGS = $(PORT_CFLAGS)
%C%_libproftop_nvtx_la_LDFLAGS = $(PORT_LDFLAGS) -export-symbols-regex '^InitializeInjectionNvtx2?$$'
%C%_libproftop_nvtx_la_LIBADD = $(PORT_LIBADD)
libproftop_ports = %D%/libproftop-itt.so %D%/libproftop-nvtx.so

# In the build tree the libraries are found in the same place as after `make install`.
noinst_DATA += %D%/linked
%D%/linked: $(PORTS)
	$(AM_V_GEN)for f in itt nvtx; do \
	    rm -f %D%/libproftop-$$f.so && \
	    $(LN_S) .libs/libproftop-$$f.so %D%/libproftop-$$f.so || exit 1; \
	done
	$(AM_V_at)touch $@
CLEANFILES += %D%/linked $(libproftop_ports)

# libtool's descriptions are of no use here; without them, uninstall needs help.
INSTALLS += install-ports
install-ports:
	rm -f $(addprefix $(DESTDIR)$(portsdir)/,libproftop-itt.la libproftop-nvtx.la)
UNINSTALLS += uninstall-ports
uninstall-ports:
	rm -f $(addprefix $(DESTDIR)$(portsdir)/,libproftop-itt.so libproftop-nvtx.so)

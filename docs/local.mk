# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
#
# The documents: pages for users, the protocol, schemas of JSON, the reasons, the ledger.
dist_doc_DATA = \
	%D%/adapters.md \
	%D%/design.md \
	%D%/diff.schema \
	%D%/doctor.schema \
	%D%/features.md \
	%D%/install.md \
	%D%/jobs.schema \
	%D%/json.schema \
	%D%/libproftop.md \
	%D%/measurements.md \
	%D%/mxnet.md \
	%D%/protocol.md \
	%D%/releases.md \
	%D%/reliability.md \
	%D%/screens.md \
	%D%/security.md \
	%D%/viewer.md

# The manual says what the program's own tables say: the program prints it, where it runs.
if !CROSS_COMPILING
nodist_man_MANS += %D%/proftop.1
CLEANFILES += %D%/proftop.1
%D%/proftop.1: proftop$(EXEEXT)
	$(AM_V_at)$(MKDIR_P) %D%
	$(AM_V_GEN)./proftop$(EXEEXT) --print-man >$@-t && mv $@-t $@
endif

# That of the library says what the public headers say.
DESCRIBED = \
	include/proftop.h \
	include/proftop_adapter.h \
	include/proftop_objects.h \
	include/proftop_control.h
EXTRA_DIST += %D%/libproftop.awk
nodist_man_MANS += %D%/libproftop.3
CLEANFILES += %D%/libproftop.3
%D%/libproftop.3: %D%/libproftop.awk $(DESCRIBED)
	$(AM_V_at)$(MKDIR_P) %D%
	$(AM_V_GEN)cd $(srcdir) && $(AWK) -f %D%/libproftop.awk $(DESCRIBED) >$(abs_builddir)/$@-t && mv $(abs_builddir)/$@-t $(abs_builddir)/$@

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
#
# The documents: pages for users, the protocol, schemas of JSON. They link each other, and README.md,
# which is one folder higher, links them. The reasons, figures and the ledger are for developers.
docsdir = $(docdir)/docs
EXTRA_DIST += %D%/design.md %D%/features.md %D%/measurements.md
dist_docs_DATA = \
	%D%/adapters.md \
	%D%/diff.schema \
	%D%/doctor.schema \
	%D%/gate.md \
	%D%/install.md \
	%D%/jobs.schema \
	%D%/json.schema \
	%D%/libproftop.md \
	%D%/mxnet.md \
	%D%/protocol.md \
	%D%/releases.md \
	%D%/reliability.md \
	%D%/screens.md \
	%D%/security.md \
	%D%/recording.md \
	%D%/viewer.md

# The manual and the completion of shells say what the program's own tables say: the program prints
# them. Where it does not run, PROFTOP_FOR_BUILD does.
if HAVE_PRINTER
PRINTER = $(or $(PROFTOP_FOR_BUILD),./proftop$(EXEEXT))
PRINTED = %D%/proftop.1 %D%/completion/proftop %D%/completion/_proftop %D%/completion/proftop.fish
nodist_man_MANS += %D%/proftop.1
bashcompletiondir = $(datadir)/bash-completion/completions
zshcompletiondir = $(datadir)/zsh/site-functions
fishcompletiondir = $(datadir)/fish/vendor_completions.d
nodist_bashcompletion_DATA = %D%/completion/proftop
nodist_zshcompletion_DATA = %D%/completion/_proftop
nodist_fishcompletion_DATA = %D%/completion/proftop.fish
CLEANFILES += $(PRINTED)
PRINT = $(AM_V_GEN)$(MKDIR_P) $(@D) && $(PRINTER)
$(PRINTED): proftop$(EXEEXT)
%D%/proftop.1:
	$(PRINT) --print-man >$@-t && mv $@-t $@
%D%/completion/proftop:
	$(PRINT) --print-completion bash >$@-t && mv $@-t $@
%D%/completion/_proftop:
	$(PRINT) --print-completion zsh >$@-t && mv $@-t $@
%D%/completion/proftop.fish:
	$(PRINT) --print-completion fish >$@-t && mv $@-t $@
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
	$(AM_V_GEN)cd $(srcdir) && $(AWK) -v date="$(RELEASE_DATE)" -f %D%/libproftop.awk $(DESCRIBED) >$(abs_builddir)/$@-t && mv $(abs_builddir)/$@-t $(abs_builddir)/$@

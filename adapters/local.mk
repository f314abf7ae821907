# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
#
# Adapters link libproftop, and know nothing of model or tui. C code: common/ is what all share,
# theano/ and mxnet/ are for one family of frameworks each, python/module/ is the Python module _feed
# that contains them (limited API: one file for all versions of Python). inject/ is the helper that
# attaches to a running process. ports/ has libraries that ITT and NVTX load.
#
# python/start is put into PYTHONPATH of a job; python/proftop is the package that it loads. Both are
# installed side by side, and staged side by side in the build tree, so that they run from there.
# PROFTOP_ADAPTERS names the folder that holds the two.
ADAPTER_START = %D%/python/start/sitecustomize.py
ADAPTER_PACKAGE = \
	%D%/python/proftop/__init__.py \
	%D%/python/proftop/requested_by.py \
	%D%/python/proftop/compiling.py \
	%D%/python/proftop/control.py \
	%D%/python/proftop/examine.py \
	%D%/python/proftop/facts.py \
	%D%/python/proftop/first_calls.py \
	%D%/python/proftop/formulas.py \
	%D%/python/proftop/groups.py \
	%D%/python/proftop/feed_holders.py \
	%D%/python/proftop/suppress_warnings.py \
	%D%/python/proftop/kinds.py \
	%D%/python/proftop/attach_running.py \
	%D%/python/proftop/linking.py \
	%D%/python/proftop/loading.py \
	%D%/python/proftop/machine.py \
	%D%/python/proftop/numba_marks.py \
	%D%/python/proftop/members.py \
	%D%/python/proftop/pymc_models.py \
	%D%/python/proftop/modes.py \
	%D%/python/proftop/greenlet_guard.py \
	%D%/python/proftop/mxnet_objects.py \
	%D%/python/proftop/mxnet_sums.py \
	%D%/python/proftop/ops.py \
	%D%/python/proftop/origins.py \
	%D%/python/proftop/mxnet.py \
	%D%/python/proftop/user_graphs.py \
	%D%/python/proftop/user_objects.py \
	%D%/python/proftop/payload.py \
	%D%/python/proftop/user_lines.py \
	%D%/python/proftop/probes.py \
	%D%/python/proftop/public.py \
	%D%/python/proftop/pymc_hook.py \
	%D%/python/proftop/ranges.py \
	%D%/python/proftop/numba_recompile.py \
	%D%/python/proftop/rewriting.py \
	%D%/python/proftop/pymc_draws.py \
	%D%/python/proftop/vm_counts.py \
	%D%/python/proftop/theano_family.py \
	%D%/python/proftop/tips.py \
	%D%/python/proftop/torch.py \
	%D%/python/proftop/torch_compiles.py \
	%D%/python/proftop/torch_device.py \
	%D%/python/proftop/torch_hooks.py \
	%D%/python/proftop/torch_lines.py \
	%D%/python/proftop/torch_shapes.py \
	%D%/python/proftop/torch_modules.py \
	%D%/python/proftop/torch_still.py \
	%D%/python/proftop/torch_trainer.py \
	%D%/python/proftop/torch_vllm.py \
	%D%/python/proftop/internal_functions.py \
	%D%/python/proftop/values.py
# The package that pip installs (script/wheel), and `make install` where PYTHON3 finds it. There the
# package finds the adapters by their place, which it gets told.
ADAPTER_PIP = %D%/python/package/__init__.py %D%/python/package/__init__.pyi \
	%D%/python/package/__main__.py %D%/python/package/py.typed
EXTRA_DIST += $(ADAPTER_START) $(ADAPTER_PACKAGE) $(ADAPTER_PIP) examples/pytensor_logreg.py

include %D%/inject/local.mk
include %D%/ports/local.mk

if HAVE_PYTHON
adapterdir = $(pkglibexecdir)/python/proftop
adapterstartdir = $(pkglibexecdir)/python/start
adapter_DATA = $(ADAPTER_PACKAGE)
adapterstart_DATA = $(ADAPTER_START)
adapter_LTLIBRARIES = %D%/python/proftop/_feed.la
%C%_python_proftop__feed_la_SOURCES = \
	%D%/common/nested.c %D%/common/nested.h \
	%D%/common/slots.c %D%/common/slots.h \
	%D%/common/state.c %D%/common/state.h \
	%D%/common/ticker.c %D%/common/ticker.h \
	%D%/common/unseen.c %D%/common/unseen.h \
	%D%/mxnet/attach.c \
	%D%/mxnet/calls.c \
	%D%/mxnet/clock.c %D%/mxnet/clock.h \
	%D%/mxnet/engine.c \
	%D%/mxnet/feed.c \
	%D%/mxnet/forks.c \
	%D%/mxnet/frames.h \
	%D%/mxnet/hooks.h \
	%D%/mxnet/layout.c %D%/mxnet/layout.h \
	%D%/mxnet/memory.c \
	%D%/mxnet/mxnet.h \
	%D%/mxnet/node.c \
	%D%/mxnet/push.c \
	%D%/mxnet/rows.c %D%/mxnet/rows.h \
	%D%/mxnet/state.c %D%/mxnet/state.h \
	%D%/mxnet/stats.c \
	%D%/theano/bypass.c %D%/theano/bypass.h \
	%D%/theano/call.c %D%/theano/call.h \
	%D%/theano/graph.c \
	%D%/theano/inspect.c \
	%D%/theano/marks.c \
	%D%/theano/novm.c \
	%D%/theano/pymc_draws.c \
	%D%/theano/steps.c \
	%D%/theano/tally.c \
	%D%/theano/theano.h \
	%D%/theano/watch.c \
	%D%/theano/wrap.c %D%/theano/wrap.h \
	%D%/torch/cupti.c %D%/torch/cupti.h \
	%D%/torch/demangle.c %D%/torch/demangle.h \
	%D%/torch/describe.c %D%/torch/describe.h \
	%D%/torch/device.c %D%/torch/device.h \
	%D%/torch/library.c %D%/torch/library.h \
	%D%/torch/memory.c %D%/torch/memory.h \
	%D%/torch/record.c %D%/torch/torch.h \
	%D%/torch/steps.c %D%/torch/steps.h \
	%D%/python/module/control.c \
	%D%/python/module/details.c \
	%D%/python/module/feed.c \
	%D%/python/module/module.h \
	%D%/python/module/mxnet.c \
	%D%/python/module/objects.c \
	%D%/python/module/timed.c \
	%D%/python/module/torch.c
# An adapter sees proftop.h, and nothing of model or tui.
%C%_python_proftop__feed_la_CPPFLAGS = $(AM_CPPFLAGS)
%C%_python_proftop__feed_la_CFLAGS = $(AM_CFLAGS) $(PYTHON_CFLAGS) -fvisibility=hidden -fexceptions
%C%_python_proftop__feed_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shrext .abi3.so \
	-export-symbols-regex '^PyInit__feed$$' $(call TO_LIBDIR,$(adapterdir))
%C%_python_proftop__feed_la_LIBADD = libproftop.la $(UNWIND_LIBS)

ADAPTER_STAGED = %D%/python/staged
noinst_DATA += $(ADAPTER_STAGED)
# By srcdir: a copy in the build tree would pass for its own source.
$(ADAPTER_STAGED): $(addprefix $(srcdir)/,$(ADAPTER_START) $(ADAPTER_PACKAGE)) \
		%D%/python/proftop/_feed.la
	$(AM_V_GEN)for f in $(ADAPTER_START) $(ADAPTER_PACKAGE); do \
	    $(MKDIR_P) `dirname $$f` || exit 1; \
	    test $(srcdir)/$$f -ef $$f || cp $(srcdir)/$$f $$f || exit 1; \
	done
	$(AM_V_at)rm -f %D%/python/proftop/_feed.abi3.so
	$(AM_V_at)$(LN_S) .libs/_feed.abi3.so %D%/python/proftop/_feed.abi3.so
	$(AM_V_at)touch $@
CLEANFILES += $(ADAPTER_STAGED) %D%/python/proftop/_feed.abi3.so

if HAVE_PYTHON_SITE
pythonpackagedir = $(pythonsitedir)/proftop
dist_pythonpackage_DATA = $(ADAPTER_PIP)
nodist_pythonpackage_DATA = %D%/python/package/_folder.py
$(nodist_pythonpackage_DATA): folders.stamp
	$(AM_V_at)$(MKDIR_P) $(@D)
	$(AM_V_GEN)echo "FOLDER = '`realpath -m --relative-to=$(pythonpackagedir) $(adapterdir)`'" >$@-t && \
	    mv $@-t $@
CLEANFILES += $(nodist_pythonpackage_DATA)
endif

# libtool's description of the extension is of no use to Python; without it, uninstall needs help.
INSTALLS += install-adapters
install-adapters:
	rm -f $(DESTDIR)$(adapterdir)/_feed.la

# Copies of the source tree, and bytecode.
clean-local:
	rm -rf %D%/python/start/__pycache__ %D%/python/proftop/__pycache__
	if ! test $(srcdir)/$(ADAPTER_START) -ef $(ADAPTER_START); then \
	    rm -f $(ADAPTER_START) $(ADAPTER_PACKAGE); fi
distclean-local:
	rm -rf tests/adapters/compiledir*
UNINSTALLS += uninstall-adapters
uninstall-adapters:
	rm -f $(DESTDIR)$(adapterdir)/_feed.abi3.so
	rm -rf $(DESTDIR)$(adapterdir)/__pycache__ $(DESTDIR)$(adapterstartdir)/__pycache__
if HAVE_PYTHON_SITE
	rm -rf $(DESTDIR)$(pythonpackagedir)/__pycache__
	-rmdir $(DESTDIR)$(pythonpackagedir)
endif
endif

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
#
# Graph programs that publish: the demo job, the load generator, the smallest publisher. They are
# built to be run from the tree, and installed as source to read.
noinst_PROGRAMS += examples/train examples/synthetic examples/ranks \
	examples/minimal examples/ported
examples_train_SOURCES = \
	%D%/example_options.c %D%/example_options.h \
	%D%/graph.c %D%/graph.h \
	%D%/graph_compile.c \
	%D%/graph_grad.c \
	%D%/graph_ops.c \
	%D%/graph_rewrite.c \
	%D%/kernels.c %D%/kernels.h \
	%D%/spirals.c %D%/spirals.h \
	%D%/train.c \
	%D%/truth.c %D%/truth.h
examples_train_LDADD = libproftop.la -lm $(PTHREAD_LIBS)
# The same as the job of `proftop demo`. It finds libproftop also after the installation was moved.
pkglibexec_PROGRAMS += proftop-demo
proftop_demo_SOURCES = $(examples_train_SOURCES)
proftop_demo_LDADD = $(examples_train_LDADD)
proftop_demo_LDFLAGS = $(AM_LDFLAGS) $(call TO_LIBDIR,$(pkglibexecdir))

# What `proftop demo NAME` plays. script/demo-recordings makes them.
demodir = $(pkglibexecdir)
demo_DATA = %D%/proftop-demo-pytensor.ptrec %D%/proftop-demo-mxnet.ptrec
CLEANFILES += $(demo_DATA)
EXTRA_DIST += %D%/recordings/pytensor.ptrec %D%/recordings/mxnet.ptrec \
	%D%/recordings/spirals.py %D%/recordings/pictures.py
%D%/proftop-demo-pytensor.ptrec: $(srcdir)/%D%/recordings/pytensor.ptrec
	$(AM_V_GEN)mkdir -p %D% && cp $(srcdir)/%D%/recordings/pytensor.ptrec $@ && chmod 644 $@
%D%/proftop-demo-mxnet.ptrec: $(srcdir)/%D%/recordings/mxnet.ptrec
	$(AM_V_GEN)mkdir -p %D% && cp $(srcdir)/%D%/recordings/mxnet.ptrec $@ && chmod 644 $@

examples_synthetic_SOURCES = \
	%D%/example_options.c %D%/example_options.h \
	%D%/hostile.h \
	%D%/synthetic.c
examples_synthetic_LDADD = libproftop.la $(PTHREAD_LIBS)

examples_ranks_SOURCES = \
	%D%/example_options.c %D%/example_options.h \
	%D%/ranks.c
examples_ranks_LDADD = libproftop.la $(PTHREAD_LIBS)

examples_minimal_SOURCES = %D%/minimal.c
examples_minimal_LDADD = libproftop.la -lm

examples_ported_SOURCES = %D%/ported.c
examples_ported_LDADD = libproftop.la

# The texts that README.md and docs/mxnet.md quote, for those who have the package alone.
exampledir = $(docdir)/examples
dist_example_DATA = %D%/engine.py %D%/minimal.c %D%/ported.c

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
#
# Other projects' use of libproftop: each test compiles small programs as such a project would,
# against the headers of the tree or an installation in a temporary folder.
ADOPT_TESTS = \
	%D%/abi.py \
	%D%/apart.py \
	%D%/forms.py \
	%D%/guide.py \
	%D%/objects_hpp.py \
	%D%/packages.py \
	%D%/probes.py \
	%D%/scopes.py
TESTS += $(ADOPT_TESTS)
# A sanitized library is large and slow on purpose.
EXTRA_DIST += %D%/instructions.py %D%/sizes.py
if !SANITIZED
TESTS += %D%/instructions.py %D%/sizes.py
endif
EXTRA_DIST += $(ADOPT_TESTS) \
	%D%/adopting.py \
	%D%/frozen/proftop_0_1_0.h \
	%D%/frozen/proftop_control_0_1_0.h \
	%D%/frozen/proftop_detail_0_1_0.h \
	%D%/frozen/proftop_objects_0_1_0.h \
	%D%/engine.c \
	%D%/engine_part.c \
	%D%/objects.cc \
	%D%/outside.cmake \
	%D%/pairs.c \
	%D%/probed.c \
	%D%/scopes.cc \
	%D%/veteran.c \
	%D%/loaded.c \
	%D%/watched.c

# For packages.py: the installation folders.
print-folders:
	@for v in prefix='$(prefix)' libdir='$(libdir)' includedir='$(includedir)' \
	    pkgconfigdir='$(pkgconfigdir)' cmakedir='$(cmakedir)'; do echo "$$v"; done
.PHONY: print-folders

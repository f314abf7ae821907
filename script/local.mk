# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
#
# Targets for developers.
EXTRA_DIST += \
	%D%/aarch64 \
	%D%/build \
	%D%/bench \
	%D%/bench.awk \
	%D%/check \
	%D%/compare \
	%D%/demo \
	%D%/demo-recordings \
	%D%/demo.awk \
	%D%/distributions/Dockerfile \
	%D%/distributions/proftop.spec \
	%D%/distributions/recipe.yaml \
	%D%/fuzz \
	%D%/mutants \
	%D%/packages \
	%D%/hatch_build.py \
	%D%/proftop_backend.py \
	%D%/proftop_libraries.py \
	%D%/releases \
	%D%/setup \
	%D%/test \
	%D%/venv \
	%D%/wheel
EXTRA_DIST += pyproject.toml

# For hatch_build.py: where the parts of a wheel are installed.
print-wheel-folders:
	@for v in bindir='$(bindir)' libdir='$(libdir)' \
	    includedir='$(includedir)' cmakedir='$(cmakedir)' \
	    pkglibexecdir='$(pkglibexecdir)' mandir='$(mandir)' datadir='$(datadir)'; do echo "$$v"; done
.PHONY: print-wheel-folders

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
#
# Each Check program prints TAP.
LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
AM_TESTS_ENVIRONMENT = \
	srcdir='$(srcdir)'; builddir='$(builddir)'; PYTHON3='$(PYTHON3)'; \
	export srcdir builddir PYTHON3; \
	CC='$(CC)'; SANITIZE_FLAGS='$(SANITIZE_FLAGS)'; export CC SANITIZE_FLAGS; \
	TSAN_OPTIONS=ignore_noninstrumented_modules=1:halt_on_error=1; export TSAN_OPTIONS; \
	SANITIZER=$(if $(findstring thread,$(SANITIZE_FLAGS)),thread,address); export SANITIZER; \
	CK_EXCLUDE_TAGS='$(if $(VALGRIND),native) $(if $(GATE),all)'; export CK_EXCLUDE_TAGS; \
	PROFTOP_TEST_GATE='$(GATE)'; export PROFTOP_TEST_GATE; \
	CK_TIMEOUT_MULTIPLIER=$(if $(VALGRIND),5,1); export CK_TIMEOUT_MULTIPLIER; \
	TAP_STRIDE=$(if $(VALGRIND)$(GATE)$(findstring thread,$(SANITIZE_FLAGS)),10,1); export TAP_STRIDE; \
	unset PROFTOP PROFTOP_RUN PROFTOP_DIR PROFTOP_ADAPTERS;
TEST_EXTENSIONS = .py .sh
PY_LOG_DRIVER = $(LOG_DRIVER)
# Each test runs under guard.py, which ends what hangs or is left behind.
GUARD = $(if $(filter no,$(PYTHON3)),,$(PYTHON3) $(srcdir)/tests/guard.py)
PY_LOG_COMPILER = $(GUARD) $(PYTHON3)
SH_LOG_DRIVER = $(LOG_DRIVER)
SH_LOG_COMPILER = $(GUARD) $(SHELL)
# `make check VALGRIND=yes` runs the Check programs under memcheck. ncurses and zmq keep some memory
# to the end; what is lost for sure is an error, also in the process that Check forks for a test.
# It runs one thread at a time: by turns, or one that is busy keeps the others from it for long.
VALGRIND_RUN = ./libtool --mode=execute valgrind -q --error-exitcode=99 --leak-check=full \
	--errors-for-leak-kinds=definite --show-leak-kinds=definite --fair-sched=try
# What starts no thread and no process runs all its tests in one: of each that Check forks memcheck
# would look for leaks anew, most of what these took. The other builds run each in its own.
ONE_PROCESS = $(filter tests/model/% tests/tui/% %/check_wire.c %/check_wire_raw.c, \
	$(firstword $($(@:.log=)_SOURCES)))
LOG_COMPILER = $(GUARD) $(if $(VALGRIND),$(if $(strip $(ONE_PROCESS)),env CK_FORK=no) $(VALGRIND_RUN))
CHECK_FLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)
EXTRA_DIST += %D%/exports.py %D%/guard.py %D%/proc.py %D%/tap.py

# For script/test: the tests of a stage that does not run them all, and the targets to be fuzzed.
# plain and distcheck run all. What reads sources, documents and archives, or tries the harness and
# what is installed, says the same of every build: ONCE is for these two alone. asan: that headers
# compile alone depends on the compiler, no sanitizer. clang: the adapters are Python, and have been
# run. tsan: what has threads of ours. valgrind: what checks itself by what it does, not other
# programs, and not what feeds thousands of frames to the reader: that runs under AddressSanitizer,
# and would take memcheck half of its time; nor a program of which it could run no test (tap_native).
ONCE = tests/adopt/packages.py tests/lint/features.py tests/lint/gate.py tests/lint/harness.py \
	tests/lint/bindings.py tests/lint/layers.py tests/lint/limits.py tests/lint/manual.py \
	tests/lint/python_names.py tests/lint/reliability.py tests/lint/words.py
in_folders = $(call those_in_folders,$(1),$(TESTS))
those_in_folders = $(foreach t,$(2),$(if $(filter $(1:%=tests/%/%),$(t) $($(t)_SOURCES)),$(t)))
# script/check has two stages: the Check programs of model, tui and feed with sanitizers, and the other
# tests with programs as users have them. `make check GATE=yes` leaves out cases that tap_all_only()
# (tap.h) or all_only() (tap.py) marks. ALL_ONLY has the tests that are left out whole. tests/lint/gate.py
# checks that each test is in exactly one of the three lists.
ALL_ONLY = check_churn check_flood replay_wire replay_intake replay_http replay_recording \
	tests/fuzz/planted.py \
	$(addprefix tests/adapters/,check_entered.py check_flops.py check_groups.py check_mxnet_kvstore.py \
	check_mxnet_nodes.py check_mxnet_objects.py check_probes.py check_rewriters.py \
	check_spared.py check_steps.py check_tally.py check_transformers.py check_whose.py) \
	tests/adopt/packages.py tests/e2e/budget.py \
	tests/e2e/faults/faults.py tests/e2e/flood.py tests/e2e/listen.py tests/e2e/soak.py
SANITIZED_TESTS = $(filter-out %.py,$(call in_folders,model tui feed)) tests/lint/sanitizers.py
STAGE_gate_sanitized = $(filter-out $(ALL_ONLY),$(SANITIZED_TESTS))
STAGE_gate = $(filter-out $(ALL_ONLY) $(SANITIZED_TESTS),$(TESTS))
STAGE_all_only = $(ALL_ONLY)
BUILT_SANITIZED = $(call those_in_folders,model tui feed lint,$(check_PROGRAMS))
NEEDED_gate_sanitized = $(filter-out $(ALL_ONLY) $(FUZZ_CHECKS),$(BUILT_SANITIZED))
NEEDED_gate = $(filter-out $(ALL_ONLY) $(FUZZ_CHECKS) $(filter check_%,$(BUILT_SANITIZED)), \
	$(check_PROGRAMS))
STAGE_asan = $(filter-out $(ONCE) tests/lint/headers.py,$(TESTS))
STAGE_clang = $(filter-out $(ONCE) $(call in_folders,adapters),$(TESTS))
STAGE_tsan = $(filter-out $(NOT_FOR_TSAN),$(call in_folders,feed e2e)) tests/lint/sanitizers.py
# Children that are forked and begin threads, which ThreadSanitizer ends; bars on what things take.
NOT_FOR_TSAN = tests/e2e/found.py tests/e2e/ports.py tests/e2e/several.py tests/e2e/faults/%
STAGE_valgrind = $(filter-out %.py %.sh check_error_bar check_golden check_flood_guard check_stop check_pty% \
	replay_%,$(TESTS))
# Those that take longest begin first: none is left for one processor at the end.
LONGEST = tests/adapters/% tests/e2e/faults/% tests/e2e/batch.py tests/e2e/faraway.py \
	tests/e2e/recorded.py tests/e2e/exported.py tests/e2e/differ.py check_import check_import_stats \
	tests/adopt/packages.py tests/adopt/objects_hpp.py tests/adopt/forms.py replay_intake \
	check_wire check_pty check_flood check_lifecycle check_run_commands check_subscriber check_list \
	check_span check_memory check_object check_invariants check_budget check_server check_details
# These take minutes each, so they begin first: the last test to begin leaves the other processor idle.
MINUTES = tests/adapters/check_pytensor.py tests/adapters/check_late.py \
	tests/adapters/check_numba.py tests/adapters/check_programs.py tests/adapters/check_torch.py
longest_first = $(filter $(MINUTES),$(1)) $(filter-out $(MINUTES),$(filter $(LONGEST),$(1))) \
	$(filter-out $(LONGEST),$(1))
# These begin when all others have ended: more than a hundred jobs at once leave no processor to what
# runs beside them, for seconds.
ALONE_LOGS = tests/e2e/listen.log
$(ALONE_LOGS): | $(filter-out $(ALONE_LOGS),$(TEST_LOGS))
print-stage-tests:
	@echo $(call longest_first,$(or $(STAGE_$(STAGE)),$(TESTS)))
print-stage-programs:
	@echo $(NEEDED_$(STAGE))
print-fuzz-targets:
	@echo $(FUZZ_TARGETS)
.PHONY: print-stage-tests print-stage-programs print-fuzz-targets

include %D%/model/local.mk
include %D%/feed/local.mk
include %D%/tui/local.mk
include %D%/adopt/local.mk
include %D%/adapters/local.mk
include %D%/e2e/local.mk
include %D%/fuzz/local.mk
include %D%/bench/local.mk
include %D%/install/local.mk
include %D%/lint/local.mk

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
#
# Adapters against the framework's own numbers, in the same run. PROFTOP_TEST_PYTHON is the Python
# that has the framework (script/test makes one); without it these tests say SKIP. They are for
# builds without sanitizers: an uninstrumented Python cannot load an instrumented extension.
EXTRA_DIST += \
	%D%/attaching.py \
	%D%/check_control.py \
	%D%/check_empty.py \
	%D%/check_entered.py \
	%D%/check_examine.py \
	%D%/check_flops.py \
	%D%/check_graphs.py \
	%D%/check_groups.py \
	%D%/check_imported.py \
	%D%/check_kept.py \
	%D%/check_late.py \
	%D%/check_left.py \
	%D%/check_machine.py \
	%D%/check_members.py \
	%D%/check_memory.py \
	%D%/check_mxnet.py \
	%D%/check_mxnet_found.py \
	%D%/check_mxnet_kvstore.py \
	%D%/check_mxnet_nodes.py \
	%D%/check_mxnet_objects.py \
	%D%/check_numba.py \
	%D%/check_own.py \
	%D%/check_ported.py \
	%D%/check_ports.py \
	%D%/check_printed.py \
	%D%/check_probes.py \
	%D%/check_profile.py \
	%D%/check_programs.py \
	%D%/check_pymc.py \
	%D%/check_pytensor.py \
	%D%/check_refused.py \
	%D%/check_rewriters.py \
	%D%/check_scan.py \
	%D%/check_start.py \
	%D%/check_spared.py \
	%D%/check_steps.py \
	%D%/check_tally.py \
	%D%/check_timeline.py \
	%D%/perfetto.js \
	%D%/check_tips.py \
	%D%/check_torch.py \
	%D%/check_torch_device.py \
	%D%/check_transformers.py \
	%D%/check_torch_ranks.py \
	%D%/check_versus.py \
	%D%/check_wheel.py \
	%D%/check_whose.py \
	%D%/c10_cuda_stand_in.c \
	%D%/cupti_stand_in.c \
	%D%/itt_counts.c \
	%D%/masking.py \
	%D%/watching.py \
	%D%/jobs/backend.py \
	%D%/jobs/advice.py \
	%D%/jobs/arrival.py \
	%D%/jobs/blas.py \
	%D%/jobs/called.py \
	%D%/jobs/cells.py \
	%D%/jobs/chosen.py \
	%D%/jobs/chosen_inside.py \
	%D%/jobs/counts.py \
	%D%/jobs/decoys.py \
	%D%/jobs/deep.py \
	%D%/jobs/empty.py \
	%D%/jobs/entered.py \
	%D%/jobs/equals.py \
	%D%/jobs/errors.py \
	%D%/jobs/failing.py \
	%D%/jobs/flags.py \
	%D%/jobs/flops.py \
	%D%/jobs/fork.py \
	%D%/jobs/freed.py \
	%D%/jobs/fused.py \
	%D%/jobs/going.py \
	%D%/jobs/gone.py \
	%D%/jobs/graphs.py \
	%D%/jobs/groups.py \
	%D%/jobs/inner.py \
	%D%/jobs/interrupted.py \
	%D%/jobs/killed.py \
	%D%/jobs/large.py \
	%D%/jobs/late.py \
	%D%/jobs/late_import.py \
	%D%/jobs/late_child.py \
	%D%/jobs/late_inner.py \
	%D%/jobs/late_numba.py \
	%D%/jobs/late_nutpie.py \
	%D%/jobs/late_nutpie_amid.py \
	%D%/jobs/late_pymc.py \
	%D%/jobs/late_rewrite.py \
	%D%/jobs/late_warns.py \
	%D%/jobs/late_workers.py \
	%D%/jobs/lazy.py \
	%D%/jobs/left.py \
	%D%/jobs/lines.py \
	%D%/jobs/lingers.py \
	%D%/jobs/linkers.py \
	%D%/jobs/looked.py \
	%D%/jobs/makers.py \
	%D%/jobs/printed_profiles.py \
	%D%/jobs/member.py \
	%D%/jobs/mixed.py \
	%D%/jobs/modes.py \
	%D%/jobs/moved.py \
	%D%/jobs/mxnet_again.py \
	%D%/jobs/mxnet_beside.py \
	%D%/jobs/mxnet_custom.py \
	%D%/jobs/mxnet_kvstore.py \
	%D%/jobs/mxnet_four.py \
	%D%/jobs/mxnet_late.py \
	%D%/jobs/mxnet_filters.py \
	%D%/jobs/mxnet_fork.py \
	%D%/jobs/mxnet_loader.py \
	%D%/jobs/mxnet_loop.py \
	%D%/jobs/mxnet_nodes.py \
	%D%/jobs/mxnet_objects.py \
	%D%/jobs/mxnet_publishes.py \
	%D%/jobs/mxnet_raises.py \
	%D%/jobs/mxnet_reuse.py \
	%D%/jobs/mxnet_steps.py \
	%D%/jobs/mxnet_train.py \
	%D%/jobs/mxnet_unknown.py \
	%D%/jobs/mxnet_unwrap.py \
	%D%/jobs/named.py \
	%D%/jobs/numbas.py \
	%D%/jobs/op.py \
	%D%/jobs/order.c \
	%D%/jobs/outer.py \
	%D%/jobs/paced.py \
	%D%/jobs/pooled.py \
	%D%/jobs/ports_nvtx.py \
	%D%/jobs/ports_openvino.py \
	%D%/jobs/ports_torch.py \
	%D%/jobs/printed.py \
	%D%/jobs/products.py \
	%D%/jobs/programs.py \
	%D%/jobs/pymcs.py \
	%D%/jobs/held.py \
	%D%/jobs/recursive.py \
	%D%/jobs/release.py \
	%D%/jobs/renamed/sitecustomize.py \
	%D%/jobs/rewriters.py \
	%D%/jobs/long_scan.py \
	%D%/jobs/scans.py \
	%D%/jobs/scoped.py \
	%D%/jobs/spared.py \
	%D%/jobs/sparsely.py \
	%D%/jobs/steps.py \
	%D%/jobs/strides.py \
	%D%/jobs/taken.py \
	%D%/jobs/torch_device.py \
	%D%/jobs/torch_jobs.py \
	%D%/jobs/torch_ranks.py \
	%D%/jobs/transformers_jobs.py \
	%D%/jobs/traced.py \
	%D%/jobs/truth.py \
	%D%/jobs/unlike/sitecustomize.py \
	%D%/jobs/uncalled.py \
	%D%/jobs/unlisted.py \
	%D%/jobs/unmark.py \
	%D%/jobs/unpatch.py \
	%D%/jobs/untally.py \
	%D%/jobs/untried.py \
	%D%/jobs/whose.py \
	%D%/jobs/within.py \
	%D%/jobs/zeromq.py
# Without any Python: what the way into a process does to it.
check_PROGRAMS += check_stop
TESTS += check_stop
check_stop_SOURCES = %D%/check_stop.c adapters/inject/may.c adapters/inject/registers.c \
	adapters/inject/stop.c adapters/inject/symbol.c
check_stop_CPPFLAGS = $(AM_CPPFLAGS)
check_stop_CFLAGS = $(CHECK_FLAGS)
check_stop_LDADD = $(CHECK_LIBS)
if HAVE_PYTHON
if !SANITIZED
TESTS += %D%/check_imported.py
TESTS += %D%/check_control.py %D%/check_empty.py %D%/check_entered.py %D%/check_examine.py %D%/check_flops.py %D%/check_graphs.py %D%/check_groups.py %D%/check_kept.py %D%/check_late.py %D%/check_left.py %D%/check_machine.py %D%/check_members.py %D%/check_memory.py %D%/check_mxnet.py %D%/check_mxnet_found.py %D%/check_mxnet_kvstore.py %D%/check_mxnet_nodes.py %D%/check_mxnet_objects.py %D%/check_numba.py %D%/check_own.py %D%/check_ported.py %D%/check_printed.py %D%/check_probes.py %D%/check_profile.py %D%/check_programs.py %D%/check_pymc.py %D%/check_pytensor.py %D%/check_refused.py %D%/check_rewriters.py %D%/check_scan.py %D%/check_spared.py %D%/check_start.py %D%/check_steps.py %D%/check_tally.py %D%/check_timeline.py %D%/check_tips.py %D%/check_torch.py %D%/check_torch_device.py %D%/check_torch_ranks.py %D%/check_transformers.py %D%/check_versus.py %D%/check_wheel.py %D%/check_ports.py %D%/check_whose.py
# To install is to link the extension anew, in its place: for that moment nobody else has one.
%D%/check_wheel.log: $(filter-out %D%/check_wheel.log,$(TEST_LOGS))
endif
endif

/* SPDX-FileCopyrightText: 2026 the proftop authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * module.h: the functions of the Python module, by file.
 */
#ifndef PROFTOP_MODULE_H
#define PROFTOP_MODULE_H

#include "adapters/common/state.h"

/* Module functions that send phases and details of nodes (details.c). */
PyObject *send_phase(PyObject *module, PyObject *args);
PyObject *send_phase_begin(PyObject *module, PyObject *args);
PyObject *send_phase_end(PyObject *module, PyObject *args);
PyObject *send_detail(PyObject *module, PyObject *args);

/* Module functions for the program's own objects (objects.c). */
PyObject *own_feed(PyObject *module, PyObject *unused);
PyObject *own_define(PyObject *module, PyObject *args);
PyObject *own_count(PyObject *module, PyObject *args);
PyObject *own_keep(PyObject *module, PyObject *args);
PyObject *own_start(PyObject *module, PyObject *args);
PyObject *own_stop(PyObject *module, PyObject *args);
PyObject *own_mark(PyObject *module, PyObject *args);
PyObject *own_scope(PyObject *module, PyObject *args);
PyObject *own_memory(PyObject *module, PyObject *args);

/* The type of nodes and calls of the program's own graphs (timed.c). A new reference. */
PyObject *timed_type(void);

/* Module functions that control the collection (control.c). */
PyObject *control_config(PyObject *module, PyObject *pairs);
PyObject *control_state(PyObject *module, PyObject *args);
PyObject *control_pause(PyObject *module, PyObject *args);
PyObject *control_resume(PyObject *module, PyObject *args);
PyObject *control_dump(PyObject *module, PyObject *args);
PyObject *control_dumps(PyObject *module, PyObject *args);

/* Module functions for MXNet (mxnet.c). */
PyObject *mxnet_py_find(PyObject *module, PyObject *unused);
PyObject *mxnet_py_attach(PyObject *module, PyObject *features);
PyObject *mxnet_py_detach(PyObject *module, PyObject *unused);
PyObject *mxnet_py_publish(PyObject *module, PyObject *unused);
PyObject *mxnet_py_function_name(PyObject *module, PyObject *args);
PyObject *mxnet_py_node_scope(PyObject *module, PyObject *args);
PyObject *mxnet_py_custom_begin(PyObject *module, PyObject *args);
PyObject *mxnet_py_custom_end(PyObject *module, PyObject *unused);
PyObject *mxnet_py_set(PyObject *module, PyObject *args);
PyObject *mxnet_py_state(PyObject *module, PyObject *unused);

/* Module functions for PyTorch (torch.c). */
PyObject *torch_py_find(PyObject *module, PyObject *unused);
PyObject *torch_py_library(PyObject *module, PyObject *unused);
PyObject *torch_py_self_test(PyObject *module, PyObject *unused);
PyObject *torch_py_run_unseen(PyObject *module, PyObject *args);
PyObject *torch_py_attach(PyObject *module, PyObject *args);
PyObject *torch_py_device(PyObject *module, PyObject *unused);
PyObject *torch_py_step_aside(PyObject *module, PyObject *starts);
PyObject *torch_py_memory(PyObject *module, PyObject *unused);
PyObject *torch_py_compiling(PyObject *module, PyObject *begins);
PyObject *torch_py_use_device(PyObject *module, PyObject *unused);
PyObject *torch_py_detach(PyObject *module, PyObject *unused);
PyObject *torch_py_lines(PyObject *module, PyObject *callable);
PyObject *torch_py_often(PyObject *module, PyObject *callable);
PyObject *torch_py_optimizers(PyObject *module, PyObject *class);
PyObject *torch_py_still(PyObject *module, PyObject *callable);
PyObject *torch_py_wrap_modules(PyObject *module, PyObject *args);

#endif

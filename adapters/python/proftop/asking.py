# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""asking.py: who asked for a function: the line of the user, and the purpose of a library.

Frameworks name a function without a name by the place that called them. If a library called them,
all functions of that library have the same name. Then our name is the purpose of the function and
the user's line.
"""
import gc
import os
import sys
import types

from .places import OURS, cell_of, owner, short, written
from .unasked import made_by

# Through these files libraries ask for all of their functions.
GO_BETWEENS = tuple(os.sep + os.path.join(*path) for path in [("pymc", "pytensorf.py"),
                                                              ("pymc", "pytensorf", "")])
# The purpose of a function that a library asks for: by the file of the library and the function in
# that file (None: any). The innermost frame that is listed decides.
PURPOSES = {
    os.path.join(*path): purposes for path, purposes in {
        ("pymc", "initial_point.py"): {None: "initial point"},
        ("pymc", "model", "core.py"): {
            "logp_dlogp_function": "logp and gradient", "compile_logp": "logp",
            "compile_dlogp": "gradient of logp", "compile_d2logp": "Hessian of logp"},
        ("pymc", "backends", "base.py"): {None: "values of a draw"},
        ("pymc", "backends", "ndarray.py"): {None: "values of a draw"},
        ("pymc", "backends", "mcbackend.py"): {None: "values of a draw"},
        ("pymc", "sampling", "parallel.py"): {None: "copy for a chain"},
        ("pymc", "sampling", "forward.py"): {None: "forward draws"},
        ("pymc", "sampling", "deterministic.py"): {None: "deterministics"},
        ("pymc", "smc", "kernels.py"): {None: "logp of SMC"},
        ("pymc", "stats", "log_density.py"): {None: "log density of each observation"},
        ("pymc", "step_methods", "metropolis.py"): {None: "change of logp"},
        ("pymc", "step_methods", "slicer.py"): {None: "logp"},
        ("pymc", "tuning", "starting.py"): {None: "logp and gradient"},
        ("pymc", "variational", "opvi.py"): {None: "variational step"},
        ("nutpie", "compile_pymc.py"): {
            "_compute_shapes": "shapes", "_make_functions": "logp and gradient"},
    }.items()}
# A function of a library may ask for several: once it has this local, it asks for this one.
LATER = {("nutpie", "logp_fn_pt"): "values of a draw"}

# The purpose of a function that is there already, by the attribute in which an object of PyMC holds
# it. An object of class POINT takes values by name, and another object may hold it.
HELD = {"_pytensor_function": "logp and gradient", "_logp_dlogp_func": "logp and gradient",
        "delta_logp": "change of logp", "logp": "logp", "fn": "values of a draw"}
POINT = "PointFunc"


def own_name(name):
    """The name of a function; None: it has none, or only the place in a library that asked."""
    file, _, line = str(name or "").rpartition(":")
    if not line.isdigit():
        return name or None
    cell = cell_of(file)
    return "%s:%s" % (cell, line) if cell else name if owner(file) != "library" else None


def purpose_of(frame):
    """The purpose of the function that a frame of a library asks for; None: not known."""
    code = frame.f_code
    for end, purposes in PURPOSES.items():
        if code.co_filename.endswith(os.sep + end):
            purpose = purposes.get(code.co_name) or purposes.get(None)
            for (library, local), later in LATER.items():
                if purpose and end.startswith(library) and local in frame.f_locals:
                    purpose = later
            return purpose
    return None


class Asked:
    """Who asked for a function, by the stack of this thread."""

    def __init__(self, home, entry):
        """`home`: the framework's folder; `entry`: the code by which it is asked."""
        self.file, self.line = None, 0   # of the user; else of the library that asked
        self.library = None              # file of the library that asked; None: the user did
        self.purpose = None
        self.given = {}       # locals of the framework's outermost frame: its arguments, and the
                              # profile that it makes of profile=True ({}: no such frame)
        self.entered = False  # whether it was asked by its entry
        self.unasked = None   # SCAN or COPY: the job did not ask for this function itself
        self.outside = False  # whether a frame outside the framework was seen
        frame = sys._getframe(1)
        while frame is not None and not self.take(frame, home, entry):
            frame = frame.f_back

    def take(self, frame, home, entry):
        """Takes what a frame tells. True: the frame is the user's."""
        file = frame.f_code.co_filename
        if file.startswith(home):
            if not self.outside:
                self.given, self.entered = frame.f_locals, self.entered or frame.f_code is entry
                self.unasked = self.unasked or made_by(frame.f_code, home)
            return False
        if file.startswith(OURS) or any(name in file for name in GO_BETWEENS):
            return False
        self.outside, whose = True, owner(file)
        if whose == "user" or (self.file is None and whose == "library"):
            self.file, self.line = file, frame.f_lineno
        if whose == "library":
            self.library = self.library or file
            self.purpose = self.purpose or purpose_of(frame)
        return whose == "user"

    def name(self):
        """The name of a function without one. If the user asked for it himself, it is his line, as
        in frameworks that give such names."""
        place = written if self.library is None else short
        line = "%s:%d" % (place(self.file), self.line) if self.file else None
        return ": ".join(filter(None, (self.purpose, line))) or None


def is_of_pymc(thing):
    return any(str(cls.__module__).partition(".")[0] == "pymc" for cls in type(thing).__mro__)


def holders(things):
    """(object, its attribute, thing) for each object of PyMC that holds one of these things, and
    (code, None, thing) for each function that holds one in its closure."""
    held = {id(thing): thing for thing in things}
    found = gc.get_referrers(*things)
    dicts = {id(one): one for one in found if isinstance(one, dict)}
    cells = {id(one): thing for one in found if isinstance(one, types.CellType)
             for thing in things if one.cell_contents is thing}
    closures = [one for one in gc.get_referrers(*[one for one in found if id(one) in cells])
                if isinstance(one, tuple)] if cells else ()
    for one in found + (gc.get_referrers(*dicts.values()) if dicts else []):
        if id(one) not in dicts and is_of_pymc(one):
            for name, value in list(getattr(one, "__dict__", {}).items()):
                if id(value) in held:
                    yield one, name, value
    for one in gc.get_referrers(*closures) if closures else ():
        if isinstance(one, types.FunctionType):
            for cell in one.__closure__ or ():
                if id(cell) in cells:
                    yield one.__code__, None, cells[id(cell)]


def held_for(functions):
    """{id of a function: its purpose in PyMC}, as far as that is known."""
    found, points = {}, {}
    for holder, name, function in holders(functions):
        if type(holder).__name__ == POINT:
            points[id(holder)] = holder, function
        elif name is None:
            for end, purposes in PURPOSES.items():
                if holder.co_filename.endswith(os.sep + end) and None in purposes:
                    found[id(function)] = purposes[None]
        elif name in HELD:
            found[id(function)] = HELD[name]
    if points:
        for _, name, point in holders([point for point, _ in points.values()]):
            if name in HELD:
                found[id(points[id(point)][1])] = HELD[name]
    return found

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""requested_by.py: finds the user's line that requested a function, and a library's purpose for it.

Frameworks name a nameless function after the place that called them. All functions that one library
requests would have the same name. Such a function is named by its purpose and the user's line."""
import gc
import os
import sys
import types

from .user_lines import OURS, cell_of, owner, short, written
from .internal_functions import made_by

# Files through which libraries request all of their functions.
GO_BETWEENS = tuple(os.sep + os.path.join(*path) for path in [("pymc", "pytensorf.py"),
                                                              ("pymc", "pytensorf", "")])
# The purpose of a function that a library requests, by the library's file and the function in that
# file (None: any). The innermost listed frame decides.
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
# A library's function may request several functions: once it has this local, the purpose is this.
LATER = {("nutpie", "logp_fn_pt"): "values of a draw"}

# The purpose of an existing function, by the attribute in which a PyMC object holds it. An object
# of class POINT takes values by name; another object may hold it.
HELD = {"_pytensor_function": "logp and gradient", "_logp_dlogp_func": "logp and gradient",
        "delta_logp": "change of logp", "logp": "logp", "fn": "values of a draw"}
POINT = "PointFunc"


def own_name(name):
    """The given name of a function; None if it has none, or only a place in the requesting
    library."""
    file, _, line = str(name or "").rpartition(":")
    if not line.isdigit():
        return name or None
    cell = cell_of(file)
    return "%s:%s" % (cell, line) if cell else name if owner(file) != "library" else None


def purpose_of(frame):
    """The purpose of the function that a library's frame requests, or None if not known."""
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
    """Finds the code that requested a function, from this thread's stack."""

    def __init__(self, home, entry):
        """`home`: the framework's folder; `entry`: the code of the framework's entry function."""
        self.file, self.line = None, 0   # of the user, or else of the requesting library
        self.library = None              # file of the requesting library; None: the user did
        self.purpose = None
        self.given = {}       # locals of the framework's outermost frame: its arguments, and the
                              # profile that it makes of profile=True ({}: no such frame)
        self.entered = False  # True if called through `entry`
        self.internal = None   # SCAN or COPY: the framework itself made this function
        self.outside = False  # True once a frame outside the framework is seen
        frame = sys._getframe(1)
        while frame is not None and not self.take(frame, home, entry):
            frame = frame.f_back

    def take(self, frame, home, entry):
        """Takes the facts of one frame. Returns True at the user's frame."""
        file = frame.f_code.co_filename
        if file.startswith(home):
            if not self.outside:
                self.given, self.entered = frame.f_locals, self.entered or frame.f_code is entry
                self.internal = self.internal or made_by(frame.f_code, home)
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
        """The name of a nameless function. If the user requested it directly, the name is that
        line, as frameworks do that name such functions."""
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
    """{id of a function: its purpose in PyMC}, for the functions whose purpose is known."""
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

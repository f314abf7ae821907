# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""theano_family.py: the adapter of Theano and its descendants (members.py).

It hooks the class of functions, and the class that makes functions:

  the entry, FunctionMaker          when a function is compiled, and the parts of that time
  Function.__init__                 a function exists: define its nodes, patch its VM
  Function.__call__, VM.__call__    calls, call time, time in the VM
  VM.update_profile                 the end of that call time, if the job profiles itself

The adapter sets no flag. Only Numba's code is compiled again. The framework's own profile works as
before."""
import os
import sys
import types
import weakref

from . import feed, feed_holders, machine, numba_recompile
from .requested_by import Asked, own_name
from .compiling import Compilation, Stack
from .facts import clocks, facts, ignores_first_call, profiling
from .first_calls import FirstCalls
from .groups import Groups
from .linking import Linking
from .loading import Loading
from .numba_marks import NumbaMarks
from .members import find, packages, row_of, whole
from .pymc_models import PymcModels
from .modes import Modes
from .greenlet_guard import why_moved
from .ops import IMPLS, Ops, ends_early, name_of, text_of
from .origins import Stack as Trace, feature
from .user_lines import line_text
from .probes import Probes
from .numba_recompile import NumbaRecompile
from .rewriting import Rewriting
from .pymc_draws import ALL_TAKEN, TAKEN, TAKES, Sampling
from .vm_counts import VmCounts, missing
from .tips import Tips
from .internal_functions import COPY, SCAN, Copies
from .values import Values

UNSEEN = "no nodes, calls only"
# For a C VM the tables are tried first; the last of its three routes fits any C VM.
ROUTES = {"tables": "C VM by its pointer tables",
          "lists": "C VM by its own lists of times (step 2 of 3)",
          "calls": UNSEEN + " (step 3 of 3)",
          "thunks": "Python VM by its list of thunks",
          "closure": "linker without a VM by its list of thunks",
          "marks": "Numba by marks in its source"}

BY_ITSELF = "counted by itself, and of shapes and bytes only fixed ones are known"

# The method by which a VM passes its times to the framework's own profile.
PROFILING = "update_profile"


def held(vm, name):
    """The value of this name in a VM: an attribute, or a cell of a closure."""
    code = getattr(vm, "__code__", None)
    if code is None:
        return getattr(vm, name, None)
    cells = dict(zip(code.co_freevars, vm.__closure__ or ()))
    try:
        return cells[name].cell_contents
    except (KeyError, ValueError):
        return None


def thunks_of(vm):
    thunks = held(vm, "thunks")
    return thunks if isinstance(thunks, list) else None


def nodes_of(vm):
    """The nodes of a VM in the order of their thunks, or None."""
    nodes = held(vm, "nodes") or held(vm, "order")
    return nodes if nodes is None or len(nodes) == len(thunks_of(vm) or ()) else None


class Adapter:
    """The adapter of this process."""

    def __init__(self, member, module, version):
        self.member = member
        self.module = module
        self.version = version
        self.home = os.path.dirname(sys.modules[member.package].__file__) + os.sep
        self.ops = Ops()
        self.groups = Groups(member.package)
        features = sys.modules.get(member.validate[0])
        self.feature = feature(getattr(features, "Feature", object))
        self.stack = Stack()
        self.makers = weakref.WeakKeyDictionary()   # maker -> its open compilation
        self.patched = weakref.WeakKeyDictionary()  # VM -> its graph
        self.numbers = weakref.WeakKeyDictionary()  # VM -> its function in the feed
        self.inner_names = {}                       # apply with a graph inside -> name of its op
        self.replaced = []                          # (owner, name, previous value or None, ours)
        self.routes = {}                            # route -> number of functions
        self.reasons = {}                           # route -> why none is better
        self.told = None                            # the facts sent last
        self.said = set()                           # notices sent once per job
        self.validates = False                      # True if validation is hooked
        self.rewriting = Rewriting(self, *member.rewriters)
        self.linking = Linking(self)
        self.pymc_models = PymcModels(self)
        self.loading = Loading(self, member.loads)
        self.sampling = Sampling(self)
        self.vm_counts = VmCounts()
        self.first_calls = FirstCalls()
        self.tips = Tips(member.package, member.framework == "Theano")
        self.modes = Modes(member.package)
        self.numba_is_watched = False
        self.numba_marks = None  # marks in Numba's source, after its first use
        self.probes = Probes()
        self.copies = Copies()
        self.broken = {}                            # route that does not count -> reason
        self.numba_recompile = NumbaRecompile(self)
        self.removed = False

    # ------------------------------------------------------------------ install and remove

    def replace(self, owner, name, make):
        """Replaces an attribute with make(original)."""
        old = vars(owner).get(name)
        original = old.__func__ if isinstance(old, staticmethod) else getattr(owner, name)
        ours = make(original)
        ours = staticmethod(ours) if isinstance(old, staticmethod) else ours
        self.replaced.append((owner, name, old, ours))
        setattr(owner, name, ours)

    def stands_at(self, owner, name):
        return any(one is owner and its == name for one, its, _, _ in self.replaced)

    def exchange(self, name, old, new):
        """Replaces a function in all modules of the framework that have imported it by name."""
        for path, module in list(sys.modules.items()):
            if path.partition(".")[0] == self.member.package and \
                    getattr(module, "__dict__", {}).get(name) is old:
                setattr(module, name, new)

    def hook(self, owner, name, before, after):
        self.replace(owner, name, lambda original: feed.wrap(
            original, self.quiet(before), self.quiet(after)))

    def probed(self, probe, owner, name, before, after):
        """Hooks an attribute that a release may lack. Returns whether it exists."""
        has = self.probes.has(probe, owner, name, getattr(owner, "__name__", "None"))
        if has:
            self.hook(owner, name, before, after)
        return has

    def quiet(self, hook):
        """Wraps a hook so that its time does not count for the compilation."""
        if hook is None:
            return None

        def run(*args):
            if self.removed:
                return None  # the hook was running when the adapter was removed
            compilation = self.stack.top()
            stopped = compilation is not None and compilation.stop()
            try:
                return hook(*args)
            finally:
                if stopped:
                    self.stack.go_on(compilation)
        return run

    def install(self):
        function = find(self.member.package, self.member.functions, "Function")
        maker = getattr(self.module, "FunctionMaker", None)
        if not (self.probes.has("functions", function, "__call__", "Function")
                and self.probes.has("functions", maker, "__init__", "FunctionMaker")):
            self.tell_route()
            return
        self.install_entry()
        self.hook(maker, "__init__", self.before_maker, self.after_maker)
        self.install_rewriting(maker)
        self.probed("linking", maker, "create", self.before_create, self.after_create)
        self.hook(function, "__init__", self.before_function, self.after_function)
        self.replace(function, "__call__",
                     lambda call: feed.wrap_function(call, self.member.vm))
        self.tell_route()

    def install_entry(self):
        if self.member.public:
            self.hook(profiling(self.member.package).ProfileStats, "__init__",
                      self.before_profile, None)
            return
        entry = getattr(self.module, self.member.entry, None)
        if self.probed("compilation", self.module, self.member.entry, self.before_entry,
                       self.after_entry):
            self.exchange(self.member.entry, entry, vars(self.module)[self.member.entry])

    def install_rewriting(self, maker):
        """Hooks the part of a maker that rewrites its graph, and the validation."""
        if self.member.rewrites:
            self.probed("rewriting", maker, self.member.rewrites, self.before_rewrite,
                        self.after_rewrite)
        else:
            self.probed("rewriting", self.module, "std_fgraph", None, self.before_rewrite)
        self.probed("rewriting", self.module, "insert_deepcopy", self.after_rewrite, None)
        where, cls, method = self.member.validate
        validator = find(self.member.package, where, cls)
        self.validates = self.probed("validation", validator, method, None, self.after_validate)

    def remove(self):
        """Restores everything exactly. May run again after an interruption. Defined graphs stay
        known but no longer count."""
        self.removed = True
        for vm, graph in list(self.patched.items()):
            self.vm_counts.end(vm)
            graph.unpatch(thunks_of(vm))
        self.first_calls.remove()
        self.numba_recompile.remove()
        if self.numba_marks:
            self.numba_marks.remove()
        while self.replaced:
            owner, name, old, ours = self.replaced[-1]
            if owner is self.module:
                self.exchange(name, ours, old)  # restores the module's own attribute as well
                feed.wrap_end(ours)
            elif vars(owner).get(name) is not ours:
                feed.wrap_end(ours)  # the job has replaced it too, and may still call ours
            elif old is None:
                delattr(owner, name)
            else:
                setattr(owner, name, old)
            self.replaced.pop()

    def forget(self):
        """Undefines all graphs. The feed is closed, and the next feed assigns the numbers anew."""
        for vm in list(self.numbers):
            graph = feed.watched(vm)
            if graph is not None:
                graph.define(None, None)

    # ---------------------------------------------------------------------------- compilations

    def origins(self, asked=None):
        """Makes the origins of a compilation's nodes. `asked`: the code that requested the
        function."""
        origins = self.feature(self.home)
        if asked and asked.file:
            origins.asked = line_text(asked.file, asked.line)
        return origins

    def asked(self):
        return Asked(self.home, self.entry_code())

    def user_line(self, trace):
        """The innermost line of the user in a stack that the framework keeps, or None."""
        return Trace(trace, self.home).user

    def follows(self):
        """True if nodes are followed while they are rewritten. With profile_optimizer, the job's
        profile times the features of graphs; the adapter must not add a feature of its own then."""
        if not getattr(self.config(), "profile_optimizer", False):
            return True
        self.say_once("profile_optimizer is on: so that its times stay the job's own, neither the "
                      "lines of nodes that rewriters made are known, nor the names of these")
        return False

    def say_once(self, text):
        if text not in self.said:
            self.said.add(text)
            feed.notice(0, text)

    def say_workers(self):
        """Warns about processes that the job forks. Processes that it starts (`spawn`) go
        unnoticed."""
        if os.environ.get("PROFTOP_CHILDREN") != "1":
            self.say_once("processes that this program starts are jobs of their own: proftop run "
                          "--children, or proftop -p PID --children, shows them, too")

    def say_others(self):
        """Warns that only one framework per process is shown. Covers frameworks that were imported
        before the adapter, and one that is imported now."""
        for package in packages():
            if package in sys.modules and package != self.member.package:
                _, other = row_of(package)
                self.say_once("%s is not seen: a process shows the functions of one framework, "
                              "here of %s" % (other.framework, self.member.framework))

    def config(self):
        """The flags of the framework. They may change while the job runs."""
        return getattr(sys.modules[self.member.package], "config", None)

    def entry_code(self):
        return getattr(getattr(self.module, self.member.entry, None), "__code__", None)

    def begin(self, given, owner, maker=None):
        """Begins a compilation. Its name is the message that the framework's profile would have.
        The framework names a nameless function after the place that called it. If a library called
        it, the adapter's name is used."""
        self.tell_facts()
        self.sampling.install()
        self.pymc_models.install()
        asked = self.asked()
        name = given.get("name")
        told = getattr(given.get("profile") or None, "message", None)
        name = told or own_name(name)
        group = self.groups.asked(asked.given or given)
        stand_in = asked.name()
        if asked.internal == COPY:
            name = self.copies.named(name or stand_in)
        compilation = Compilation(name, asked.file, asked.line, self.origins(asked), maker, group)
        compilation.stand_in = stand_in
        self.asked_from(compilation, asked)
        compilation.nested = asked.internal == SCAN  # then defined at its first call, if any
        # create() without a seen begin, and not called as for a copy: the maker began before the
        # adapter was installed.
        if owner == "create" and asked.entered and self.stack.top() is None:
            compilation.spent_ns = None
        self.stack.push(compilation, owner)

    def asked_from(self, compilation, asked):
        compilation.library = asked.library
        self.sampling.asked_from(asked.library)

    def tell_facts(self):
        """Sends the facts. Flags may change while a job runs; those at a compilation apply to
        it."""
        told = facts(self.member.package, self.config())
        told = "\n".join([told, *machine.facts(self.config()), clocks(self.member.package),
                          *self.modes.facts(), *self.tips.facts()])
        if told != self.told:
            feed_holders.say_facts(HOLDER, told)
            self.told = told

    def before_entry(self, args, kwargs):
        kwargs = kwargs or {}
        given = dict(zip(self.entry_code().co_varnames, args), **kwargs)
        self.begin(given, "entry")

    def after_entry(self, args, ok, ns):
        self.end("entry", ok)

    def end(self, owner, ok):
        compilation = self.stack.pop(owner)
        if compilation is None:
            return None  # an outer hook ends it
        self.tell_facts()
        if not ok:
            feed.notice(1, "compiling %s failed" % compilation.called())
        return compilation

    def before_profile(self, args, kwargs):
        """Notes a profile that the entry itself makes of profile=True: it does not group functions.
        Without a hook at the entry, the entry's frame no longer shows whether it was given a
        profile."""
        frame = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename == __file__:
            frame = frame.f_back
        if frame is not None and frame.f_code is self.entry_code():
            self.groups.made.add(args[0])

    def before_maker(self, args, kwargs):
        self.watch_numba()
        self.loading.install()
        compilation = self.stack.top()
        if compilation and compilation.owner == "entry" and compilation.maker is None:
            compilation.maker = id(args[0])
            return
        self.begin(kwargs or {}, "maker", id(args[0]))

    def after_maker(self, args, ok, ns):
        compilation = self.end("maker", ok)
        if compilation and ok:
            self.makers[args[0]] = compilation

    def before_rewrite(self, *unused):
        compilation = self.stack.top()
        if compilation:
            compilation.add("validate_ns", 0 if self.validates else None)
            compilation.mark("rewrite")
        self.rewriting.install()

    def after_rewrite(self, *unused):
        """The rewriters have ended. Next come copies of outputs, or the rewriting has failed."""
        compilation = self.stack.top()
        if compilation:
            compilation.add("rewrite_ns", compilation.since("rewrite"))

    def after_validate(self, args, ok, ns):
        compilation = self.stack.top()
        if ok and compilation and "rewrite" in compilation.marks:
            compilation.add("validate_ns", ns)
            self.rewriting.validated(ns)

    def before_create(self, args, kwargs):
        maker, compilation = args[0], self.stack.top()
        self.linking.install(getattr(maker, "fgraph", None))
        if compilation and compilation.maker is None:
            compilation.maker = id(maker)  # DebugMode's maker begins without the hook
        if not compilation or compilation.maker != id(maker) or "link" in compilation.marks:
            compilation = self.makers.pop(maker, None)
            if compilation:
                self.stack.push(compilation, "create")
            else:
                self.begin({"name": getattr(maker, "name", None)}, "create", id(maker))
                if self.begins_unseen(type(maker)):
                    self.stack.top().spent_ns = None
        self.loading.begin(self.stack.top())
        self.stack.top().mark("link")

    def begins_unseen(self, cls):
        """True if makers of this class do not run the hooked __init__, such as DebugMode's."""
        return cls is not self.module.FunctionMaker and "__init__" in vars(cls)

    def after_create(self, args, ok, ns):
        self.end("create", ok)

    # ------------------------------------------------------------------------------- functions

    def before_function(self, args, kwargs):
        compilation = self.stack.top()
        if compilation:
            compilation.add("link_ns", compilation.since("link"))
            self.loading.end(compilation)

    def after_function(self, args, ok, ns):
        if not ok:
            return
        function = args[0]
        vm = self.vm_of(function)
        compilation = self.stack.top()
        if compilation is None:
            asked = self.asked()
            compilation = Compilation(own_name(getattr(function, "name", None)), asked.file,
                                      asked.line, self.origins(asked))
            compilation.stand_in = asked.name()
            compilation.before_us(None)
            self.asked_from(compilation, asked)
        compilation.mode = self.modes.of(function)
        if vm in self.patched:
            return  # it shares the VM of another function
        graph = feed.Graph()
        feed.watch(vm, graph)
        self.count_vm(vm)
        if compilation.nested:
            self.define_inside(graph, vm, compilation)
        elif ignores_first_call(self.config()):
            self.numbers[vm] = compilation.function
            self.define_at_call(graph, 2, compilation)
        else:
            self.define(graph, function, compilation, None)
            self.numba_recompile.start()

    def define_inside(self, graph, vm, compilation):
        """Defines a function at its first call, which shows the node that it runs in."""
        graph.define(None, lambda graph, thing, parent: self.define(
            graph, thing, compilation, parent))
        if self.route_of(vm) == "closure":
            self.first_calls.put(vm, thunks_of(vm), lambda parent, vm=weakref.ref(vm): self.define(
                graph, vm(), compilation, parent))

    def define_at_call(self, graph, calls, compilation):
        """Counts the function from that call on. A call of its VM is part of a call of the
        function."""
        def called(graph, thing, parent):
            left = calls - hasattr(thing, self.member.vm)
            if left:
                self.define_at_call(graph, left, compilation)
            else:
                self.define(graph, thing, compilation, None)
                self.tell_facts()  # no compilation follows that would send them
        graph.define(None, called)

    def adopt(self, function, parent, group, purpose):
        """Defines a function that existed before the adapter. `parent`: the apply that it runs in,
        or None. `purpose`: the library's purpose for it, or None. Returns its nodes with their
        applies."""
        vm = self.vm_of(function)
        if vm in self.patched:
            return {}
        graph = feed.watched(vm)
        if graph is None:
            graph = feed.Graph()
            feed.watch(vm, graph)
        self.count_vm(vm)
        profile = getattr(function, "profile", None)
        name = getattr(profile, "message", None) or getattr(function, "name", None)
        compilation = Compilation(own_name(name), None, 0, self.origins(), None, group)
        compilation.stand_in = purpose or name
        compilation.origins.unknown = self.say_unasked
        if compilation.name is None and parent is None:
            self.say_unasked()
        compilation.before_us(profile if self.groups.is_of_one(profile, function) else None)
        if compilation.spent_ns is None:
            self.say_once("of functions that were there before proftop it is known how long they "
                          "took to compile if the framework made a profile of each, else not")
        compilation.mode = self.modes.of(function)
        compilation.whole = self.marked_before(vm)
        return self.define(graph, function, compilation, parent)

    def say_unasked(self):
        self.say_once("of functions that were there before proftop nobody knows which line of the "
                      "program asked for them, nor for which line a library made their nodes, as "
                      "those of logp: the library's line is in the detail of a node")

    def marked_before(self, vm):
        """The marks of code that Numba compiled under an earlier adapter, or None. Such code keeps
        its marks for ever."""
        marked = numba_recompile.marked.get(vm)
        return marked if marked and self.marks() else None

    def marks(self):
        """True if code that Numba compiles from now on gets marks."""
        self.watch_numba()
        self.before_numba()
        return bool(self.numba_marks)

    def count_vm(self, vm):
        """Times the calls of the VM, if it is of a known kind."""
        cls = type(vm)
        if self.route_of(vm) not in ("tables", "thunks"):
            return
        if not self.stands_at(cls, "__call__"):
            in_c = isinstance(cls.__call__, types.WrapperDescriptorType)
            self.replace(cls, "__call__", lambda call: feed.wrap_vm(call, cls if in_c else None))
            feed.wrap_directly(cls)  # without it calls take longer
        owner = next((one for one in cls.__mro__ if PROFILING in vars(one)), None)
        if owner and not self.stands_at(owner, PROFILING):
            self.replace(owner, PROFILING, feed.wrap_profile)

    def numba_linker(self):
        """The class of Numba's linker, or None. It is imported later than the module that loads the
        adapter."""
        where, cls, _ = self.member.numba or (None, None, None)
        return find(self.member.package, where, cls) if where else None

    def watch_numba(self):
        linker = None if self.numba_is_watched else self.numba_linker()
        if linker is not None:
            self.numba_is_watched = True
            method = self.member.numba[2]
            if self.probes.has("Numba", linker, method, linker.__name__):
                self.replace(linker, method,
                             lambda original: feed.wrap(original, self.before_numba, None))

    def before_numba(self, *unused):
        """Installs the marks at Numba's first use."""
        if self.numba_marks is not None:
            return
        self.numba_marks = False
        try:
            marks = NumbaMarks(self, self.member.package)
            marks.install()
        except Exception as error:  # pylint: disable=broad-except
            self.probes.fail("Numba", "%s: %s" % (type(error).__name__, error))
            self.tell_route()
            return
        self.numba_marks = marks
        feed.notice(0, "Numba compiles in the first call of a function, with marks behind each "
                       "node: that is compile time, no call time; what it compiled before without "
                       "marks is compiled once more, and cached apart")

    def define(self, graph, thing, compilation, parent):
        """Defines a function and its nodes. `thing` is the function, or its VM."""
        number, vm = compilation.function, self.vm_of(thing)
        self.first_calls.take(vm)
        marked, compilation.whole = compilation.whole, None
        unseen = self.why_uncounted(vm, compilation, marked)
        if number is None:
            name = compilation.name or self.inner_names.get(parent) or compilation.stand_in
            group = compilation.group if parent is None else 0  # inner: in its node's group
            number = feed.function(name, compilation.file, compilation.line, parent,
                                   not unseen, group)
            if compilation.spent_ns is not None:
                feed.compile_begin(number)
                feed.compile_end(number, *compilation.untold())
        elif unseen:
            feed.function_unseen(number)
        graph.define(None if unseen else number, None)
        self.numbers[vm] = number
        self.modes.take(number, compilation.mode)
        if unseen:
            self.explain(UNSEEN, compilation.called(), unseen, False)
            if unseen in (TAKEN, TAKES):
                self.count_route(ALL_TAKEN)
            return {}  # counts for no other route: its calls are not seen either
        if marked and "marks" not in self.broken:
            self.define_marked(vm, number, marked, compilation.origins)
            self.numba_recompile.put(vm)
            self.prove_marks(vm)
            return {}
        if compilation.late and self.numba_recompile.takes(thing, vm, number, compilation):
            return {}
        ids = {}
        route, reason = self.define_nodes(graph, thing, number, compilation, ids)
        if reason:
            self.explain(route, compilation.called(), reason, bool(ids))
        self.count_route(route)
        if compilation.nested:
            self.tell_facts()  # else the end of the compilation sends them
        return ids

    def why_uncounted(self, vm, compilation, marked):
        """Why neither the calls of a function nor its nodes are counted, or None."""
        return why_moved() or self.sampling.why_unseen(
            vm, compilation, marked and "marks" not in self.broken)

    def define_marked(self, vm, number, marked, origins):
        """Defines the nodes of code with marks."""
        self.numba_marks.define(marked, number, origins)
        self.numba_marks.compiles(self.numba_recompile.code_of(vm), number)
        numba_recompile.marked[vm] = marked
        self.count_route(ROUTES["marks"])

    def explain(self, route, name, reason, seen):
        """Says why the nodes of a function have no better route."""
        self.reasons[route] = reason
        feed.notice(1, "the nodes of %s are %s: %s" % (
            name, BY_ITSELF if seen else "not seen", reason))

    def unseen_nodes(self, name, reason):
        self.explain(UNSEEN, name, reason, False)
        self.count_route(UNSEEN)

    def vm_of(self, thing):
        """The VM of a function. `thing` is the function, or the VM itself where Scan calls it."""
        return getattr(thing, self.member.vm, thing)

    def number_of(self, function):
        """The function's number in the feed; None if the adapter does not know it."""
        try:
            return self.numbers.get(self.vm_of(function))
        except TypeError:
            return None  # it cannot be a key

    def route_of(self, vm):
        """The route for such a VM. C code calls a VM that is written in C. Linkers without a VM
        (streamline) make closures, which have the class of all Python functions."""
        if isinstance(vm, types.FunctionType):
            return "closure"
        if thunks_of(vm) is None:
            return None
        in_c = isinstance(type(vm).__call__, types.WrapperDescriptorType)
        return "tables" if in_c else "thunks"

    def define_nodes(self, graph, thing, function, compilation, ids):
        """Defines the nodes, fills `ids` with node -> apply, and patches the VM. Returns the route,
        and None or the reason why there is no better route."""
        vm = self.vm_of(thing)
        route, reason = self.route_of(vm), None
        nodes, thunks = nodes_of(vm), thunks_of(vm)
        if route is None or nodes is None or thunks is None:
            return UNSEEN, self.why_whole(thing)
        if route == "tables":
            route, reason = self.step_of(graph, vm, len(nodes))
        elif route in self.broken:
            return UNSEEN, self.broken[route]
        if route == "calls":
            return ROUTES[route], reason
        applies = [self.define_apply(function, index, node, thunk, compilation.origins,
                                     route == "lists")
                   for index, (node, thunk) in enumerate(zip(nodes, thunks))]
        ids.update(zip(nodes, applies))
        self.tips.take(function, nodes)
        values = Values(nodes, ids, self.results_of(thing, nodes), compilation.thunk_ns,
                        compilation.origins)
        cells = [(getattr(thunk, "inputs", None), getattr(thunk, "outputs", None))
                 for thunk in thunks]
        if route == "lists":
            self.vm_counts.begin(vm, graph, applies)
        if route == "closure":
            graph.alone()
        if route == "tables":
            graph.patch_tables(vm, applies)
        else:
            graph.patch_list(thunks, applies)
        for node, thunk, (inputs, _) in zip(nodes, thunks, cells):
            if type(node.op).__name__ == "Scan":
                feed.steps(thunk, None if ends_early(node.op) or not inputs else inputs[0])
        if route != "lists":  # else some nodes could be inspected
            graph.look(cells, self.proof(vm, route, applies, values.look))
        self.patched[vm] = graph
        return ROUTES[route], reason

    def why_whole(self, thing):
        """Why the nodes of a function without a list of nodes are not seen."""
        linker, numba = getattr(getattr(thing, "maker", None), "linker", None), self.numba_linker()
        if numba is not None and isinstance(linker, numba):
            failed = [name for name in ("Numba", "source of Numba") if name in self.probes.failed]
            if failed:
                return "the probe '%s' failed: %s" % (failed[0], self.probes.failed[failed[0]])
        return whole(thing)

    def step_of(self, graph, vm, nodes):
        """The best route for the nodes of a C VM, and the reason why there is no better one."""
        unlike, reason = graph.check(vm), self.broken.get("tables")
        if unlike is None and reason is None:
            return "tables", None
        reason = reason or "the C VM is not laid out as known, " + unlike
        lacks = missing(vm, nodes)
        return ("calls", "%s; %s" % (reason, lacks)) if lacks else ("lists", reason)

    def proof(self, vm, route, applies, look):
        """A callable for Graph.look(). The first call that computes all of its results must have
        run a wrapped node; else the VM runs its nodes in an unknown way. Keeps no VM alive."""
        waiting, vm = list(applies[:1]), weakref.ref(vm)

        def described(seen, good):
            if waiting and (good or any(seen)):
                waiting.clear()
                if not any(seen):
                    self.step_down(vm(), route)
                    return
            look(seen)
        return described

    def prove_marks(self, vm):
        """The same proof for code that Numba compiled: it may come from a cache, without marks."""
        graph, first, vm = feed.watched(vm), numba_recompile.marked[vm].first, weakref.ref(vm)

        def described(seen, good):
            if good:
                feed.watched(vm()).look_away()
                if not feed.mark_entered(first):
                    self.step_down(vm(), "marks")
        if graph is not None:
            graph.look_away()
            graph.look([], described)

    def step_down(self, vm, route):
        """Drops a route that counts no nodes. Nodes of this function no longer count. Nodes of
        later functions use the next route, if there is one."""
        self.probes.fail("counted once", "a call counted none of its nodes, by the route '%s'"
                         % ROUTES[route])
        self.broken[route] = "the probe 'counted once' failed"
        self.routes[ROUTES[route]] -= 1
        if route != "marks":
            feed.watched(vm).unpatch(thunks_of(vm))
        self.reasons[UNSEEN] = self.broken[route]
        self.count_route(UNSEEN)

    def results_of(self, thing, nodes):
        """Result of the function -> its place, from 1. Linkers keep the graph in different
        places."""
        for owner in (getattr(thing, "maker", None), self.vm_of(thing), *nodes[:1]):
            outputs = getattr(getattr(owner, "fgraph", None), "outputs", None)
            if outputs:
                return {variable: place for place, variable in enumerate(outputs, 1)}
        return {}

    def define_apply(self, function, index, node, thunk, origins, given):
        apply = feed.apply(function, self.ops.id_of(node.op), index, text_of(node),
                           IMPLS["C" if hasattr(thunk, "cthunk") else "Py"], origins.of(node),
                           given)
        if hasattr(node.op, "fgraph"):
            self.inner_names[apply] = name_of(node.op)
        return apply

    def count_route(self, route):
        """Counts a function on a route, and updates the routes in the header."""
        self.routes[route] = self.routes.get(route, 0) + 1
        self.tell_route()

    def tell_route(self):
        found = ["%s: %d function%s" % (name, n, "s"[:n != 1]) for name, n in self.routes.items()
                 if n]
        found += filter(None, [self.probes.told()])
        if found:
            feed_holders.say_route(HOLDER, "; ".join(found))


def start(package, asked):
    """Installs the adapter for the framework that was imported as this package. Returns None, or
    why it could not."""
    module, member = row_of(package)
    version = getattr(sys.modules[member.package], "__version__", "") or ""
    reason = feed_holders.hold(HOLDER, member.framework, version, asked)
    if reason is not None:
        return reason
    adapter = module_state["adapter"] = Adapter(member, module, version)
    try:
        adapter.install()
    except BaseException:
        stop()
        raise
    if hasattr(os, "register_at_fork") and "forks" not in module_state:
        os.register_at_fork(before=numba_recompile.compiling.acquire, after_in_child=forked,
                            after_in_parent=has_forked)
        module_state["forks"] = True
    return None


def stop(asker=None):
    """Removes the adapter. Only objects that the program itself publishes remain. If the feed ends,
    its last notice says who asked. A signal handler of the job may raise in the middle: the adapter
    stays attached until all is done, and stop() can run again."""
    adapter = module_state["adapter"]
    adapter.remove()
    if feed_holders.release(HOLDER, asker):
        adapter.forget()
    del module_state["adapter"]


def adapt(module):
    """Called when the module that defines Function, or the whole package, has been imported. So it
    may run twice for one framework."""
    package = module.__name__.partition(".")[0]
    if "adapter" not in module_state:
        start(package, False)
    elif module_state["adapter"].member.package != package:
        module_state["adapter"].say_others()


def has_forked():
    """Runs in the parent after a fork."""
    numba_recompile.compiling.release()
    if "adapter" in module_state:
        module_state["adapter"].say_workers()


def forked():
    """Runs in the child after a fork. The child publishes nothing until it runs a function."""
    numba_recompile.compiling.release()
    if "adapter" in module_state:
        module_state["adapter"].numba_recompile.forked()


HOLDER = "Theano's family"
# "adapter": the adapter of this process. "forks": fork hooks are registered; they stay for ever.
module_state = {}

# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""ops.py: one id for all ops that the framework considers equal. Keeps no op alive."""
import weakref

from . import feed
from .formulas import formula_of

# What computes a node, as viewers show it: values of enum proftop_impl.
IMPLS = {None: 0, "C": 1, "Py": 2, "JIT": 3}


def plain(text):
    """Makes a text valid for the feed: replaces NUL and lone surrogates by question marks."""
    return text.replace("\0", "?").encode("utf-8", "replace").decode()


def class_name(cls):
    """The name in the framework's own profile: the repr of the class without its ends."""
    text = repr(cls)
    if text.startswith("<class '") and text.endswith("'>"):
        return plain(text[8:-2])
    return plain(cls.__module__ + "." + cls.__qualname__)


def text_of(thing):
    """The text of an op or node. Its __str__ is the job's code and may fail."""
    try:
        return plain(str(thing))
    except Exception:
        return class_name(type(thing))


def display_of(op, text):
    """The formula that viewers show for an op; None: they show its text."""
    written = formula_of(op, text)
    return plain(written) if written else None


def name_of(op):
    """The name of the graph inside an op."""
    name = getattr(op, "name", None)
    return text_of(name or op)


def ends_early(scan):
    """True if a Scan may end before its number of steps, or if that is not known."""
    return getattr(getattr(scan, "info", None), "as_while", getattr(scan, "as_while", True))


class Row:
    """One op of the feed, with weak references to the job's equal ops."""

    __slots__ = ("id", "cls", "text", "live")

    def __init__(self, number, cls, text):
        self.id = number
        self.cls = cls
        self.text = text
        self.live = {}  # address -> weak reference, which removes itself

    def keep(self, op):
        address, live = id(op), self.live
        if address in live:
            return
        try:
            live[address] = weakref.ref(op, lambda _: live.pop(address, None))
        except TypeError:
            pass  # no weak references: its text and hash must suffice

    def holds(self, op, cls, text):
        """True if `op` is equal to this row's ops. Its hash is this row's."""
        if id(op) in self.live:
            return True
        for reference in list(self.live.values()):
            other = reference()
            if other is not None:
                return bool(other == op)
        # All ops of the row are gone. A hash by address means nothing now.
        by_value = type(op).__hash__ is not object.__hash__
        return by_value and (self.cls, self.text) == (cls, text)


class Ops:
    """The tables of classes and ops of one feed."""

    def __init__(self):
        self._classes = weakref.WeakKeyDictionary()
        self._rows = {}

    def _class_id(self, cls):
        number = self._classes.get(cls)
        if number is None:
            number = self._classes[cls] = feed.op_class(class_name(cls))
        return number

    def id_of(self, op):
        cls, text = self._class_id(type(op)), text_of(op)
        try:
            rows = self._rows.setdefault(hash(op), [])
            found = next((row for row in rows if row.holds(op, cls, text)), None)
        except Exception:
            # The op cannot be hashed or compared: it gets an id of its own.
            return feed.op(cls, text, display_of(op, text))
        if found is None:
            found = Row(feed.op(cls, text, display_of(op, text)), cls, text)
            rows.append(found)
        found.keep(op)
        return found.id

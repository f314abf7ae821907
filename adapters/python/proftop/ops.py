# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""ops.py: one id for all ops that the framework calls equal, and none of them kept alive."""
import weakref

from . import feed
from .formulas import formula_of


def plain(text):
    """As a feed takes it: what ends a string of C, or is half a character, is a question mark."""
    return text.replace("\0", "?").encode("utf-8", "replace").decode()


def class_name(cls):
    """As the framework's own profile prints it: the repr of the class without its ends."""
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
    """The text that screens show for an op; None: its own."""
    written = formula_of(op, text)
    return plain(written) if written else None


def name_of(op):
    """Of an op that has a graph inside: what that is called."""
    name = getattr(op, "name", None)
    return text_of(name or op)


def ends_early(scan):
    """Whether it may end before its number of steps. True: so it is, or nobody knows."""
    return getattr(getattr(scan, "info", None), "as_while", getattr(scan, "as_while", True))


class Row:
    """One op of the feed, and weak references to the equal ops of the job behind it."""

    __slots__ = ("id", "cls", "text", "live")

    def __init__(self, number, cls, text):
        self.id = number
        self.cls = cls
        self.text = text
        self.live = {}  # address: weak reference, which takes itself out

    def keep(self, op):
        address, live = id(op), self.live
        if address in live:
            return
        try:
            live[address] = weakref.ref(op, lambda _: live.pop(address, None))
        except TypeError:
            pass  # it takes no weak references; its text and hash must do

    def holds(self, op, cls, text):
        """Whether `op`, whose hash is that of this row, belongs here."""
        if id(op) in self.live:
            return True
        for reference in list(self.live.values()):
            other = reference()
            if other is not None:
                return bool(other == op)
        # All of them are gone. A hash that comes from an address says nothing then.
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
            # It can be neither hashed nor compared: it is equal to no other.
            return feed.op(cls, text, display_of(op, text))
        if found is None:
            found = Row(feed.op(cls, text, display_of(op, text)), cls, text)
            rows.append(found)
        found.keep(op)
        return found.id

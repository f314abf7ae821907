# SPDX-FileCopyrightText: 2026 the proftop authors
# SPDX-License-Identifier: Apache-2.0
"""groups.py: groups functions to which the job gave the same profile or mode.

A profile forms a group only if the job made it: `profile=True` makes one for each function. A mode
forms a group only if the job made it: any function may use the modes that a framework keeps by
name. A function that has both is in the group of its profile."""
import sys
import weakref
from collections import Counter


class Groups:
    """The number of each object that forms a group, while the object lives."""

    def __init__(self, package):
        self.modes = package + ".compile.mode"
        self.numbers = {}  # id -> (weak reference, number)
        self.made = weakref.WeakSet()  # profiles that the framework made, where that is checked
        self.last = 0

    def number_of(self, thing):
        if self.joins(thing):
            return self.numbers[id(thing)][1]
        key = id(thing)
        try:
            reference = weakref.ref(thing, lambda gone: self.numbers.pop(key, None))
        except TypeError:
            return 0
        self.last += 1
        self.numbers[key] = reference, self.last
        return self.last

    def joins(self, thing):
        """True if the object has a number."""
        known = self.numbers.get(id(thing))
        return bool(known) and known[0]() is thing

    def is_of_one(self, profile, function):
        """True if the profile looks like one that the framework makes for profile=True: it has the
        function's name. In a profile that the job made there may be functions that are gone."""
        message = getattr(profile, "message", None)
        return (message is not None and message == getattr(function, "name", None)
                and not self.joins(profile))

    def is_kept(self, mode):
        """True if the framework itself keeps this mode, by a name or as the default."""
        module = sys.modules.get(self.modes)
        for value in list(vars(module).values()) if module else ():
            kept = value.values() if isinstance(value, dict) else (value,)
            if any(one is mode for one in kept):
                return True
        return False

    def asked(self, given):
        """The group of a function that is requested with these arguments; 0: none."""
        profile, mode = given.get("profile"), given.get("mode")
        if hasattr(profile, "fct_callcount") and profile not in self.made:
            return self.number_of(profile)
        if hasattr(mode, "linker") and not self.is_kept(mode):
            return self.number_of(mode)
        return 0

    def found(self, functions):
        """Groups functions that were made before the adapter. Their arguments are not known, so a
        profile counts only if several functions have it."""
        profiles = [getattr(function, "profile", None) for function in functions]
        times = Counter(id(profile) for profile in profiles if profile)
        return {id(function): self.asked({
            "profile": profile if times[id(profile)] > 1 else None,
            "mode": getattr(getattr(function, "maker", None), "mode", None)})
            for function, profile in zip(functions, profiles)}
